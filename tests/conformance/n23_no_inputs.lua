-- No inputs at all: rule REWARD without baseline, frames of no words
-- SPDX-License-Identifier: Apache-2.0
-- plan: l12 flush clear l4
local f = tern.taps{0.8, 1, 0.9, 0.7, 0.5, 0.4, 0.3}
local h = tern.hidden{ name = "h", size = 4, bias = -1, memory = f }
local o = tern.visible{ name = "o", size = 2, bias = -1 }
tern.connect{ from = {h, o}, to = {h, o}, filters = f, init = tern.uniform(-1, 1) }
tern.reward{ eta = 0.02, kappa = 0.9, samples = 7, baseline = "none" }
tern.formats{ lags = 9, weight = {13, 12} }
