-- A schedule of eta, and an eta so small that R is 31 and coefficients get coarser
-- SPDX-License-Identifier: Apache-2.0
-- plan: rate:0 lc4 flush clear rate:10 lc4 flush clear rate:35 lc2 flush clear rate:99 lc3 flush clear
local f = tern.taps{1, 0.5}
local x = tern.input{ name = "x", size = 3 }
local h = tern.hidden{ name = "h", size = 2 }
local o = tern.visible{ name = "o", size = 2 }
tern.connect{ from = {x, h}, to = {h, o}, filters = f, init = tern.uniform(-1, 1) }
tern.mb{ eta = 1e-7, schedule = { divide = 1.7, every = 5 }, gamma = 0.9, kappa = 0.6, samples = 3 }
tern.formats{ weight = {8, 2}, trace = 7, learn = 14, lags = 4 }
