-- Ten handwritten digits seen by an event camera in three quick movements (N-MNIST). Each movement has weights of
-- its own, and training moves the digit by a pixel: nmnist.lua with more to go by.
-- SPDX-License-Identifier: Apache-2.0
-- 2 steps of 50 ms for each movement, all three at the same time, then 6 steps in which everything has been seen
local steps = 8

-- the trace of a pixel counts the steps in which it had events, and forgets none
local counter = {}
for t = 1, steps do counter[t] = 0.25 end
local count = tern.taps(counter)

local pixels = tern.input  { name = "pixels", shape = {6, 34, 34} } -- three movements, each of falling and rising light
local out    = tern.visible{ name = "out",    size = 10 }           -- each neuron says whether it is its digit

tern.connect{ from = pixels, to = out, filters = count, init = tern.zero() }

-- no hidden neurons, so samples do not differ while training: one is enough
tern.gem{ eta = 2e-3, schedule = { divide = 2, every = 15000 }, gamma = 0, kappa = 0, samples = 1 }

tern.data{
  format = "nmnist", sensor = {34, 34}, polarity = "separate",
  window_ms = 50, steps = steps, phases = {3, 2}, shift = 1,
  input = pixels, label = out,
}
