-- Rule IW, a baseline per synapse, four samples; sparse spikes, steps that do not learn
-- SPDX-License-Identifier: Apache-2.0
-- plan: silence=6 lc6 c2 lc3 -2 lc5 flush lc2
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.iw{ eta = 0.02, gamma = 0.9, kappa = 0.4, samples = 4, baseline = "synapse", memory = 8 }
tern.formats{ lags = 4, weight = {16, 10}, trace = 6 }
