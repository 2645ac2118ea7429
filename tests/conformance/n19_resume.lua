-- Goes on from a state: in the middle of a presentation, an update pending, histories and lags full
-- SPDX-License-Identifier: Apache-2.0
-- plan: K=3 seed=18446744073709551615 lc13 resume lc3 flush clear lc2
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.mb{ eta = 0.02, gamma = 0.8, kappa = 0.6, samples = 2, memory = 64 }
tern.formats{ lags = 5, weight = {14, 11} }
