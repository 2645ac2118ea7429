-- One recording by heart without hidden neurons: what the upper half itself tells about the lower half.
-- SPDX-License-Identifier: Apache-2.0
-- broad, evenly spaced cosines; their height sets how far a weight's change moves a potential
local cosines = tern.raised_cosine{ count = 2, duration = 10, offset = 50, peak = 1.6 }
local memory  = tern.raised_cosine{ duration = 10, offset = 50, peak = 1.6 }

local upper = tern.input  { name = "upper", shape = {13, 26} }
local lower = tern.visible{ name = "lower", shape = {13, 26}, memory = memory }

local start = tern.uniform(-0.045, 0.045)
tern.connect{ from = upper, to = lower, filters = cosines, init = start }

tern.gem{ eta = 5e-4, schedule = { divide = 1.2, every = 40 }, gamma = 0.9, kappa = 0.9, samples = 5 }

tern.data{
  format = "aedat2", sensor = {128, 128}, mirror = "x", crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  parts = { { population = upper, rows = {0, 12} }, { population = lower, rows = {13, 25} } },
}
