-- Rule REWARD, a baseline per synapse, circuits of hidden and of visible neurons
-- SPDX-License-Identifier: Apache-2.0
-- plan: silence=3 l8 lc2 l4 flush l3
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, wta = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 4, wta = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.reward{ eta = 0.02, kappa = 0.5, samples = 3, baseline = "synapse", memory = 32 }
tern.formats{ lags = 3, weight = {10, 8}, trace = 5 }
