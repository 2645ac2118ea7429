-- Rule GEM, circuits of two to six members; several targets in one circuit, or none
-- SPDX-License-Identifier: Apache-2.0
-- plan: density=2 lc10 -3 lc4 flush clear lc3
tern.seed(3)
local f = tern.taps{1, 0.5, 0.25, 0.125}
local x = tern.input{ name = "x", size = 3 }
local h = tern.hidden{ name = "h", shape = {2, 4}, wta = 4, memory = f, bias = tern.uniform(-1, 2) }
local a = tern.visible{ name = "a", size = 6, wta = 6, memory = f, bias = tern.uniform(-7.9, 7.9) }
local b = tern.visible{ name = "b", size = 4, wta = 2, bias = 7.9 }
tern.connect{ from = {x, h, a}, to = {h, a, b}, filters = f, init = tern.uniform(-1, 1) }
tern.gem{ eta = 0.01, gamma = 0.7, kappa = 0.7, samples = 4 }
tern.formats{ lags = 4, weight = {9, 6} }
