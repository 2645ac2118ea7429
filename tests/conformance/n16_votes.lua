-- Inference: eight samples in batches of four; votes by rate
-- SPDX-License-Identifier: Apache-2.0
-- plan: K=4 votes example batch:100:0 -6 vote again batch:100:4 -6 vote example batch:106:0 -5 vote
local f = tern.taps{1, 0.5}
local x = tern.input{ name = "x", size = 5 }
local h = tern.hidden{ name = "h", size = 2 }
local o = tern.visible{ name = "o", size = 3, bias = -0.5 }
tern.connect{ from = {x, h}, to = {h, o}, filters = f, init = tern.uniform(-2, 2) }
tern.gem{ eta = 0.01, gamma = 0.9, samples = 5 }
tern.data{ window_ms = 1, steps = 6, label = o }
