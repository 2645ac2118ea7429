-- A spike pattern learned from nothing but its distance: eight neurons see the upper half of a moving digit and learn only how far they are off.
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 3, duration = 10 }
local memory  = tern.raised_cosine{ duration = 10 }

local upper = tern.input  { name = "upper", shape = {13, 26} }
local hid   = tern.hidden { name = "hid",   size = 8, memory = memory }
local patch = tern.visible{ name = "patch", shape = {2, 4}, memory = memory, bias = -2 }

tern.connect{ from = upper,        to = hid,   filters = cosines }
tern.connect{ from = {upper, hid}, to = patch, filters = cosines }

-- a spike one step early or late should cost little, so tau is short; the reward looks back no further than a spike is remembered
tern.reward{ eta = 3e-4, gamma = 0.2, kappa = 0.5, samples = 5, tau = 2 }

-- what the camera saw in a patch of 2 x 4 pixels of the lower half is the target, which only enters through the distance
tern.data{
  format = "aedat2", sensor = {128, 128}, crop = {48, 48, 26, 26}, polarity = "merge",
  window_ms = 25, steps = 80,
  parts = { { population = upper, rows = {0, 12} }, { population = patch, rows = {16, 17}, columns = {8, 11} } },
}
