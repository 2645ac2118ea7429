-- Rule GEM with 32 samples, numbered from 16352
-- SPDX-License-Identifier: Apache-2.0
-- plan: batch:7:16352 lc8 -2 lc4
local f = tern.taps{0.25, 1.5, 0.5}
local x = tern.input{ name = "x", size = 4 }
local h = tern.hidden{ name = "h", size = 3 }
local o = tern.visible{ name = "o", size = 2, memory = f }
tern.connect{ from = x, to = h, filters = f, init = tern.uniform(-2, 2) }
tern.connect{ from = h, to = o, filters = f, init = tern.uniform(-2, 2) }
tern.gem{ eta = 0.03, gamma = 0.9, kappa = 0.3, samples = 32 }
tern.formats{ lags = 2 }
