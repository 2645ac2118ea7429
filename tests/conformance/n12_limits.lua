-- Weights without fraction bits, huge rates: weights, biases, potentials, coefficients and modulators are limited
-- SPDX-License-Identifier: Apache-2.0
-- plan: density=2 lc25 flush state lc4
local f = tern.taps{1.99, 1.99}
local x = tern.input{ name = "x", size = 3 }
local h = tern.hidden{ name = "h", size = 2, memory = f, bias = -7.9 }
local o = tern.visible{ name = "o", size = 2, memory = f, bias = 7.9 }
tern.connect{ from = {x, h}, to = {h, o}, filters = f, init = tern.uniform(-15, 15) }
tern.mb{ eta = 1, gamma = 1, kappa = 1, samples = 2 }
tern.formats{ weight = {5, 0}, trace = 8, learn = 16, lags = 5, signal = 8 }
