-- Ten handwritten digits seen by an event camera in three quick movements (N-MNIST): one winner-take-all circuit says which it is.
-- SPDX-License-Identifier: Apache-2.0
-- the trace of a pixel counts the steps in which it had events, and forgets none: evidence adds up over the recording
local steps, counter = 15, {}
for t = 1, steps do counter[t] = 0.125 end
local count = tern.taps(counter)

local pixels = tern.input  { name = "pixels", shape = {2, 16, 16} } -- falling and rising light; 2 x 2 pixels of the camera are one
local out    = tern.visible{ name = "out",    size = 10, wta = 10 } -- one symbol: the digit

tern.connect{ from = pixels, to = out, filters = count, init = tern.zero() }

-- no hidden neurons, so samples do not differ while training: one is enough
tern.gem{ eta = 4e-4, schedule = { divide = 2, every = 12000 }, gamma = 0, kappa = 0, samples = 1 }

-- 15 steps of 20 ms; in each of them the neuron of the right digit should win
tern.data{
  format = "nmnist", sensor = {34, 34}, crop = {1, 1, 32, 32}, scale = 2, polarity = "separate",
  window_ms = 20, steps = steps,
  input = pixels, label = out,
}
