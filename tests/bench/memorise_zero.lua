-- models/memorise, but hidden neurons begin without any effect on the visible ones: does their silence come from the harm they do?
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 2, duration = 10, offset = 50, peak = 1.6 }
local memory  = tern.raised_cosine{ duration = 10, offset = 50, peak = 1.6 }
local upper = tern.input  { name = "upper", shape = {13, 26} }
local hid   = tern.hidden { name = "hid",   size = 20, memory = memory }
local lower = tern.visible{ name = "lower", shape = {13, 26}, memory = memory }
local start = tern.uniform(-0.045, 0.045)
tern.connect{ from = upper, to = hid,   filters = cosines, init = start }
tern.connect{ from = upper, to = lower, filters = cosines, init = start }
tern.connect{ from = hid,   to = lower, filters = cosines, init = tern.zero() }
tern.gem{ eta = 5e-4, schedule = { divide = 1.2, every = 40 }, gamma = 0.9, kappa = 0.9, samples = 5 }
tern.data{
  format = "aedat2", sensor = {128, 128}, mirror = "x", crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  parts = { { population = upper, rows = {0, 12} }, { population = lower, rows = {13, 25} } },
}
