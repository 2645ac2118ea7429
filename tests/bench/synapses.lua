-- As many synapses as an engine takes (16.4 of 2^24 = 16.8 million): tests/bench/fast.sh
-- SPDX-License-Identifier: Apache-2.0
local f = tern.exponential{ tau = 1, duration = 4 }

local pixels = tern.input  { name = "pixels", shape = {34, 34} }
local hid    = tern.hidden { name = "hid", size = 3512, memory = f }
local out    = tern.visible{ name = "out", size = 3, memory = f }

tern.connect{ from = {pixels, hid}, to = hid, filters = f }
tern.connect{ from = {pixels, hid}, to = out, filters = f }

tern.gem{ eta = 1e-5, gamma = 0.2, kappa = 0.2, samples = 1 }
tern.data{
  format = "aedat2", sensor = {128, 128}, crop = {44, 44, 34, 34}, polarity = "merge",
  window_ms = 25, steps = 80, input = pixels, label = out,
}
