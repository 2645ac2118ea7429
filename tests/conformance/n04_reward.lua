-- Rule REWARD with a baseline per neuron, to follow by hand
-- SPDX-License-Identifier: Apache-2.0
-- plan: density=2 l5 trace l1 flush state l2 lc1 c1 -1 l2
local f = tern.taps{1, 0.5}
local x = tern.input{ name = "x", size = 2 }
local h = tern.hidden{ name = "h", size = 1, memory = f, bias = 0.3, memory_init = -0.25 }
local o = tern.visible{ name = "o", size = 1, memory = f, bias = -0.5, memory_init = 0.5 }
tern.connect{ from = {x, o}, to = h, filters = f, init = tern.uniform(-1, 1) }
tern.connect{ from = {x, h}, to = o, filters = f, init = tern.uniform(-1, 1) }
tern.reward{ eta = 0.05, gamma = 0.5, kappa = 0.5, samples = 2, memory = 8 }
tern.formats{ lags = 2 }
