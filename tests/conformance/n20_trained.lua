-- Starts from a trained image: weights and baselines stay, nothing else; other seed, other number of samples
-- SPDX-License-Identifier: Apache-2.0
-- plan: K=2 seed=9 lc10 flush rate:3 lc3 K=5 seed=8 start lc5 flush clear lc2
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.iw{ eta = 0.02, gamma = 0.8, kappa = 0.6, samples = 2, memory = 8,
         schedule = { divide = 2, every = 1 } }
tern.formats{ lags = 2, weight = {14, 11} }
