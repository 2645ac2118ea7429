-- D = 32 and W = 32: histories of 64 bits
-- SPDX-License-Identifier: Apache-2.0
-- plan: silence=2 lc70 flush
local f = { tern.taps{1, 0.9, 0.6, 0.3, 0.1},
            tern.taps{0, 0.02, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1, 1,
                      1, 1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.01} }
local x = tern.input{ name = "x", size = 2 }
local h = tern.hidden{ name = "h", size = 1, memory = f[2] }
local o = tern.visible{ name = "o", size = 1 }
tern.connect{ from = {x, h}, to = o, filters = f, init = tern.uniform(-0.5, 0.5) }
tern.connect{ from = {x, o}, to = h, filters = f, init = tern.uniform(-0.5, 0.5) }
tern.gem{ eta = 0.01, gamma = 0.98, kappa = 0.95, samples = 2 }
tern.formats{ lags = 32 }
