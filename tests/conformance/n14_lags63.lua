-- D = 1 and W = 63, kappa 1; a baseline per synapse
-- SPDX-License-Identifier: Apache-2.0
-- plan: lc70 flush clear lc5
local f = tern.taps{1}
local x = tern.input{ name = "x", size = 2 }
local h = tern.hidden{ name = "h", size = 1, memory = f }
local o = tern.visible{ name = "o", size = 1 }
tern.connect{ from = {x, h}, to = o, filters = f, init = tern.uniform(-0.5, 0.5) }
tern.connect{ from = x, to = h, filters = f, init = tern.uniform(-0.5, 0.5) }
tern.iw{ eta = 0.001, gamma = 1, kappa = 1, samples = 2, baseline = "synapse" }
tern.formats{ lags = 63 }
tern.data{ window_ms = 1, steps = 60 }
