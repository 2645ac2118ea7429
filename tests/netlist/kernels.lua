-- a kernel for each sample in rows from neurons, several products a cycle, and little else: the rest is in part.lua
-- SPDX-License-Identifier: Apache-2.0
local taps = tern.raised_cosine{ count = 2, duration = 4 }
local inp = tern.input{ name = "inp", size = 4 }
local hid = tern.hidden{ name = "hid", size = 4, memory = taps[1] }
local out = tern.visible{ name = "out", size = 2, memory = taps[1] }
tern.connect{ from = {inp, out, hid}, to = hid, filters = taps, init = tern.uniform(-0.5, 0.5) }
tern.connect{ from = {inp, hid}, to = out, filters = taps, init = tern.uniform(-0.5, 0.5) }
tern.gem{ eta = 0.05, gamma = 0.5, samples = 4 }
tern.data{ sensor = {128, 128}, crop = {56, 56, 2, 2}, window_ms = 25, steps = 20, input = inp }
