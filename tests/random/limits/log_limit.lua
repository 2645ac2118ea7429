-- SPDX-License-Identifier: Apache-2.0
local f0 = tern.taps{ 1 }
local p0 = tern.visible{ name = "p0", size = 20 }
local p1 = tern.hidden{ name = "p1", size = 2 }
tern.connect{ from = p1, to = p0, filters = f0 }
tern.iw{ eta = 0.001, samples = 1, kappa = 0.5, gamma = 0.99999, baseline = "neuron", memory = 8 }
tern.formats{ lags = 2 }
-- run: seed=17 step=0 k0=0 wild=1
-- ops: s3.0.0 s3.0.0
-- end
