-- Rule MB without hidden neurons: no neuron is in learning set 1; a presentation cut short
-- SPDX-License-Identifier: Apache-2.0
-- plan: lc5 flush clear lc2 flush clear lc3
local f = tern.taps{1, 0.5, 0.25}
local x = tern.input{ name = "x", size = 8 }
local o = tern.visible{ name = "o", size = 4, memory = f }
tern.connect{ from = {x, o}, to = o, filters = f, self = true, init = tern.uniform(-1, 1) }
tern.mb{ eta = 0.01, gamma = 0.9, kappa = 0.8, samples = 2 }
tern.formats{ weight = {11, 8}, trace = 8, lags = 7 }
