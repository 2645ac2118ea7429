-- The largest network of an iCE40 UP5K: its single-port RAMs hold 65,536 weights of 16 bits, two a word. What limits the shape are the block RAMs: one history per input
-- (1,024 words of two), one row per neuron and filter. So few neurons, many filters, K = 8 samples.
-- SPDX-License-Identifier: Apache-2.0
local cosines = tern.raised_cosine{ count = 9, duration = 5 }

local pixels = tern.input  { name = "pixels", size = 1819 }
local hid    = tern.hidden { name = "hid",    size = 3 }
local out    = tern.visible{ name = "out",    size = 1 }

tern.connect{ from = pixels, to = hid, filters = cosines }
tern.connect{ from = pixels, to = out, filters = cosines }
tern.connect{ from = hid, to = out, filters = cosines[9] }
tern.gem{ eta = 1e-4, gamma = 0.2, kappa = 0.04, samples = 8 }
