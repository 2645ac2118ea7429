-- Weights of 8 bits that learn so fast that a step may be larger than any weight: both limits are reached from either side
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 2, duration = 6 }
local x = tern.input  { name = "x", size = 4 }
local h = tern.hidden { name = "h", size = 2, memory = cosines[1] }
local o = tern.visible{ name = "o", size = 2, memory = cosines[1] }
tern.connect{ from = x,      to = h, filters = cosines, init = tern.uniform(-1, 1) }
tern.connect{ from = {x, h}, to = o, filters = cosines, init = tern.uniform(-1, 1) }
tern.gem{ eta = 2, kappa = 0.2, gamma = 0.9, samples = 5 }
tern.formats{ weight = {8, 7} }
tern.data{ window_ms = 2, steps = 20, input = x, label = o, sensor = {4, 1} }
