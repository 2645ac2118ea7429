-- SPDX-License-Identifier: Apache-2.0
-- weights without fraction bits, traces with the fewest: SCALE (docs/33-host-port.md) has its largest value, 16
local f0 = tern.taps{ 1, 0.5 }
local p0 = tern.input{ name = "p0", size = 20 }
local p1 = tern.hidden{ name = "p1", size = 5, memory = tern.taps{ 0.25 } }
local p2 = tern.visible{ name = "p2", size = 3 }
tern.connect{ from = p0, to = { p1, p2 }, filters = f0, init = tern.uniform(-2, 2) }
tern.connect{ from = p1, to = p2, filters = f0, init = tern.uniform(-2, 2) }
tern.gem{ eta = 0.05, samples = 3, kappa = 0.5 }
tern.formats{ weight = { 8, 0 }, trace = 4, lags = 2 }
-- run: seed=1 step=0 k0=0 wild=0
-- ops: s3.4.0 s3.4.1 s3.4.2 s3.2.3 s3.4.4 s3.4.5 s3.4.6 s3.4.7 s3.3.8 s3.4.9
-- end
