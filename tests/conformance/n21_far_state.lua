-- A state at its limits: log-probabilities, baselines, weights, biases; the step number passes 2^32
-- SPDX-License-Identifier: Apache-2.0
-- plan: lc4 poke resume lc6 flush lc2
local f = { tern.taps{1, 0.8, 0.3, 0.1}, tern.taps{0.2, 0.9, 1, 0.6, 0.2} }
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 3, memory = f[1], bias = tern.uniform(-1, 1) }
local o = tern.visible{ name = "o", size = 2, memory = f[2], bias = -1 }
tern.connect{ from = {x, h, o}, to = {h, o}, filters = f, init = tern.uniform(-0.6, 0.6) }
tern.mb{ eta = 5e-6, gamma = 1, kappa = 0.9, samples = 3, memory = 128 }
tern.formats{ lags = 6, weight = {16, 12}, signal = -12 }
tern.data{ window_ms = 1, steps = 6 }
