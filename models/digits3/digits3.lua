-- Three digits seen by an event camera, with 200 hidden neurons that all read each other.
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 2, duration = 10 }
local memory  = tern.raised_cosine{ duration = 10 }

local pixels = tern.input  { name = "pixels", shape = {26, 26} }
local hid    = tern.hidden { name = "hid",    size = 200, memory = memory }
local out    = tern.visible{ name = "out",    size = 3, memory = memory }

-- hidden neurons read the inputs and each other; visible ones read the inputs and the hidden neurons, not each other
tern.connect{ from = {pixels, hid}, to = hid, filters = cosines }
tern.connect{ from = {pixels, hid}, to = out, filters = cosines }

-- half of the hidden neurons spike in a step, so one step moves a visible neuron in proportion to their number: eta times size is that of 40 neurons with 1e-4
tern.gem{ eta = 2e-5, gamma = 0.2, kappa = 0.2, samples = 10 }

-- 80 steps of 25 ms; in each of them the neuron of the right digit should spike, the others should not
tern.data{
  format = "aedat2", sensor = {128, 128}, crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  input = pixels, label = out,
}
