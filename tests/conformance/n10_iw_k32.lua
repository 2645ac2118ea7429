-- Rule IW with 32 samples and a circuit, baseline per neuron
-- SPDX-License-Identifier: Apache-2.0
-- plan: lc10 flush lc4
local f = tern.taps{1, 1}
local x = tern.input{ name = "x", size = 4 }
local h = tern.hidden{ name = "h", size = 3, wta = 3 }
local o = tern.visible{ name = "o", size = 3, wta = 3, memory = f }
tern.connect{ from = {x, o}, to = h, filters = f, init = tern.uniform(-2, 2) }
tern.connect{ from = h, to = o, filters = f, init = tern.uniform(-2, 2) }
tern.iw{ eta = 0.03, gamma = 0.9, kappa = 0.3, samples = 32, memory = 64 }
tern.formats{ lags = 2, signal = 12 }
