-- SPDX-License-Identifier: Apache-2.0
local f0 = tern.taps{ 1 }
local p0 = tern.visible{ name = "p0", size = 1 }
local p1 = tern.hidden{ name = "p1", size = 40 }
tern.connect{ from = p1, to = p0, filters = f0 }
tern.iw{ eta = 0.001, samples = 8, kappa = 0.99, baseline = "neuron", memory = 8 }
tern.formats{ lags = 4 }
-- run: seed=1 step=0 k0=0 wild=1
-- ops: s1.0.0 s1.0.0
-- end
