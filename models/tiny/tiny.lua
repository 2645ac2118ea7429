-- Tiny: four inputs, two hidden neurons, one visible one. Small enough to follow every number by hand.
-- SPDX-License-Identifier: Apache-2.0
local cosine = tern.raised_cosine{ duration = 6 }

local x   = tern.input  { name = "x",   shape = {2, 2} }
local hid = tern.hidden { name = "hid", size = 2, memory = cosine }
local out = tern.visible{ name = "out", size = 1, memory = cosine }

tern.connect{ from = x,        to = hid, filters = cosine, init = tern.uniform(-0.5, 0.5) }
tern.connect{ from = {x, hid}, to = out, filters = cosine, init = tern.uniform(-0.5, 0.5) }

tern.gem{ eta = 0.01, gamma = 0.5, samples = 4 }
tern.data{ sensor = {2, 2}, window_ms = 1, steps = 20, input = x, label = out }
