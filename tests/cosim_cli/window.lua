-- Receptive fields that end within the words of a row: where the small core leaves silent words out (docs/43-small-core.md), it stays within each field.
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 3, duration = 10 }
local memory  = tern.raised_cosine{ duration = 10 }

-- populations: every pixel of the crop is an input
local pixels = tern.input  { name = "pixels", shape = {26, 26} }
local hid    = tern.hidden { name = "hid", shape = {3, 3}, memory = memory }
local out    = tern.visible{ name = "out",    size = 2, memory = memory }

-- hidden neurons read the inputs; visible ones read the inputs and the hidden neurons; nothing recurs
tern.connect{ from = pixels,        to = hid, filters = cosines, pattern = tern.window{ size = {13, 11}, stride = {6, 7} } }
tern.connect{ from = {pixels, hid}, to = out, filters = cosines }

tern.gem{ eta = 1e-4, gamma = 0.2, kappa = 0.2, samples = 5 }

-- 80 steps of 25 ms; in each of them the neuron of the right digit should spike, the other one should not
tern.data{
  format = "aedat2", sensor = {128, 128}, crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  input = pixels, label = out,
}
