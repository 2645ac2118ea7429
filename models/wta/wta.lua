-- Three digits seen by an event camera, and one winner-take-all circuit that says which: its neurons exclude each other.
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 3, duration = 10 }
local memory  = tern.raised_cosine{ duration = 10 }

local pixels = tern.input  { name = "pixels", shape = {26, 26} }
local hid    = tern.hidden { name = "hid",    size = 8, wta = 4, memory = memory } -- two symbols of four letters and a blank
local out    = tern.visible{ name = "out",    size = 3, wta = 3, memory = memory } -- one symbol: the digit

tern.connect{ from = pixels,        to = hid, filters = cosines }
tern.connect{ from = {pixels, hid}, to = out, filters = cosines }

tern.gem{ eta = 1e-4, gamma = 0.2, kappa = 0.2, samples = 5 }

-- 80 steps of 25 ms; in each of them the neuron of the right digit should win
tern.data{
  format = "aedat2", sensor = {128, 128}, crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  input = pixels, label = out,
}
