-- old2.lua : the script of 2.0.tern, byte for byte, since an image knows its checksum
-- SPDX-License-Identifier: Apache-2.0
local x = tern.input  { name = "x", shape = {2, 4} }
local h = tern.hidden { name = "h", size = 3, memory = tern.taps{ 1, 0.25 } }
local v = tern.visible{ name = "v", size = 2, memory = tern.taps{ 1, 0.25 } }
tern.connect{ from = x, to = h, filters = tern.taps{ 1, 0.5 } }
tern.connect{ from = {x, h}, to = v, filters = tern.taps{ 1, 0.5 } }
tern.mb{ eta = 0.01, kappa = 0.2, gamma = 0.5, samples = 2 }
tern.data{ format = "aedat2", sensor = {128, 128}, crop = {60, 60, 4, 2}, window_ms = 10, steps = 8, input = x, label = v }
