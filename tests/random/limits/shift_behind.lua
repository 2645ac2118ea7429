-- SPDX-License-Identifier: Apache-2.0
local f0, f1 = tern.taps{ 1 }, tern.taps{ 0.875 }
local p0 = tern.input{ name = "p0", size = 10 }
local p1 = tern.visible{ name = "p1", size = 1 }
tern.connect{ from = p0, to = p1, filters = f1 }
tern.connect{ from = p0, to = p1, filters = f0, pattern = tern.list{ { 9, 0 } } }
tern.gem{ eta = 0.01, samples = 1, kappa = 0 }
-- run: seed=1 step=0 k0=0 wild=0
-- ops: s3.4.0 s3.4.1 s3.4.2 s3.2.3 s3.4.4 s3.4.5
-- end
