-- Weights of 4 bits, traces of 4 fraction bits, one sample, MB without baseline
-- SPDX-License-Identifier: Apache-2.0
-- plan: density=2 lc20 flush
local f = tern.taps{1, 0.5}
local x = tern.input{ name = "x", size = 6 }
local h = tern.hidden{ name = "h", size = 2, memory = f }
local o = tern.visible{ name = "o", size = 2 }
tern.connect{ from = {x, h}, to = {h, o}, filters = f, init = tern.uniform(-0.8, 0.8) }
tern.mb{ eta = 0.2, gamma = 0.5, kappa = 0.2, samples = 1, baseline = "none" }
tern.formats{ weight = {4, 3}, trace = 4, learn = 8 }
