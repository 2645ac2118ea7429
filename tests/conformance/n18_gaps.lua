-- Populations with gaps of positions between them that one row bridges; absent synapses, four filters
-- SPDX-License-Identifier: Apache-2.0
-- plan: density=5 lc6 flush clear lc3 flush
local f = { tern.taps{1, 0.5}, tern.taps{0.4, 1, 0.7, 0.3}, tern.taps{0.1, 0.3, 0.8, 1, 0.7, 0.2} }
local g = tern.taps{0, 0.75}
local x = tern.input{ name = "x", size = 33 }
local y = tern.input{ name = "y", size = 31 }
local a = tern.hidden{ name = "a", size = 17, bias = -1 }
local b = tern.hidden{ name = "b", size = 3, bias = -1 }
local o = tern.visible{ name = "o", size = 1 }
tern.connect{ from = {x, y}, to = a, filters = f, pattern = tern.random{ density = 0.15 } }
tern.connect{ from = x, to = b, filters = g, pattern = tern.window{ size = 4, stride = 13 } }
tern.connect{ from = a, to = b, filters = {g, f[2]}, pattern = tern.list{ {0, 1}, {16, 1, 0.5}, {7, 2} } }
tern.connect{ from = {a, b}, to = o, filters = g, init = tern.uniform(-1, 1) }
tern.gem{ eta = 0.02, gamma = 0.5, kappa = 0.5, samples = 2 }
tern.formats{ lags = 3, weight = {7, 5} }
