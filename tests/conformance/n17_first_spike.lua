-- Inference: a circuit votes by its first spike; counters go on over steps that learn
-- SPDX-License-Identifier: Apache-2.0
-- plan: K=8 votes=first example -9 vote lc3 flush clear -4 vote
local f = tern.taps{1, 0.5}
local x = tern.input{ name = "x", size = 5 }
local a = tern.visible{ name = "a", size = 2, bias = -0.5 }
local o = tern.visible{ name = "o", size = 4, wta = 4, bias = tern.uniform(-2, 0) }
tern.connect{ from = {x, a}, to = {a, o}, filters = f, init = tern.uniform(-2, 2) }
tern.iw{ eta = 0.01, gamma = 0.9, samples = 8 }
tern.data{ window_ms = 1, steps = 6, label = o }
