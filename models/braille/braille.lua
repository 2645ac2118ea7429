-- Braille letters under a fingertip: which of 27 is it? A population code makes spikes of pressure (taxels) before; here a winner-take-all circuit reads them.
-- SPDX-License-Identifier: Apache-2.0
local units  = 32         -- of the code, for each taxel (tern data encode --population 32)
local taxels = { 1, 6, 9 } -- one of each row; in the real recordings two of the twelve answer, 1 and 6
local steps  = 7          -- of 11 readings: 77 readings in all

-- one filter for each lag: a neuron sees the letter from its beginning, not only what lies under the fingertip now
local lags = {}
for i = 1, steps do
  local taps = {}
  for t = 1, i do taps[t] = t == i and 1 or 0 end
  lags[i] = tern.taps(taps)
end

local out = tern.visible{ name = "out", size = 27, wta = 27 } -- one symbol: the letter
local parts = {}
for i, taxel in ipairs(taxels) do
  local pressure = tern.input{ name = "taxel" .. taxel, size = units }
  parts[i] = { population = pressure, columns = { taxel * units, taxel * units + units - 1 } }
  tern.connect{ from = pressure, to = out, filters = lags, init = tern.zero() }
end

-- no hidden neurons, so samples do not differ while training: one is enough
tern.gem{ eta = 2e-3, schedule = { divide = 1.5, every = 8000 }, gamma = 0, kappa = 0, samples = 1 }

tern.data{ sensor = { 12 * units, 1 }, window_ms = 11, steps = steps, parts = parts, label = out }
