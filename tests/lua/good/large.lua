-- A large table costs the walks through small ones nothing.
-- SPDX-License-Identifier: Apache-2.0
local large, sum = {}, 0
for i = 1, 70000 do large[i] = { i, 1 } end
for _, e in ipairs(large) do
    for _, v in pairs(e) do sum = sum + v end
    assert(next(e) == 1)
end
assert(sum == 70000 * 70001 // 2 + 70000)
local x, o = tern.input{ name = "x", size = 1 }, tern.visible{ name = "o", size = 1 }
tern.connect{ from = x, to = o, filters = tern.taps{ 1 } }
tern.gem{ eta = 1e-3, kappa = 0, samples = 1 }
