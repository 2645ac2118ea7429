-- The rules as values, circuits in every shape.
-- SPDX-License-Identifier: Apache-2.0
local taps = tern.raised_cosine{ duration = 6 }
local x    = tern.input  { name = "x",    size = 12 }
local row  = tern.hidden { name = "row",  size = 6, wta = 3, memory = taps }
local grid = tern.hidden { name = "grid", shape = {2, 2, 4}, wta = 2, bias = -1 }
local most = tern.hidden { name = "most", shape = {1, 64}, wta = 64 }
local free = tern.visible{ name = "free", size = 3 }
local out  = tern.visible{ name = "out",  size = 4, wta = 4, memory = taps }

tern.connect{ from = x, to = {row, grid, most}, filters = taps }
tern.connect{ from = {x, row, grid, most}, to = {free, out}, filters = taps }

rule = tern.reward{ eta = 0.01, gamma = 0.8, kappa = 0, samples = 3, baseline = "synapse", memory = 16, tau = 2.5, schedule = { divide = 1.5, every = 100 } }
assert(#rule.kind >= 2 and tostring(rule) == "rule '" .. rule.kind .. "'") -- --set rule.kind makes another one of it
assert(not pcall(function() rule.kind = "gem" end) and not pcall(function() return rule.eta end))
tern.formats{ signal = 6 }
tern.data{ sensor = {4, 3}, window_ms = 2, steps = 25, input = x, label = out }
