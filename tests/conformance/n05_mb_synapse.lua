-- Rule MB, a baseline per synapse; inputs are silent for longer than a history
-- SPDX-License-Identifier: Apache-2.0
-- plan: K=3 silence=8 lc12 flush lc5 clear lc6
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.mb{ eta = 0.02, gamma = 0.8, kappa = 0.6, samples = 3, baseline = "synapse", memory = 16 }
tern.formats{ lags = 3, weight = {12, 9} }
