-- Loops, functions, closures and every library function that scripts may use.
-- SPDX-License-Identifier: Apache-2.0
tern.seed(7)
local g = tern.generator()
assert(g:uniform() < 1 and g:integer(3, 3) == 3 and math.abs(g:normal()) < 10)
local order = g:shuffle{ 1, 2, 3, 4, 5 }
assert(#order == 5)

-- pairs goes by sorted keys: numbers, texts, booleans
local seen = {}
for k in pairs{ b = 1, a = 2, [2] = 3, [-1.5] = 4, [true] = 5, [10] = 6 } do seen[#seen + 1] = tostring(k) end
assert(table.concat(seen, " ") == "-1.5 2 10 a b true", table.concat(seen, " "))
assert(next{} == nil and next{ z = 1, y = 2 } == "y")
local t = { 5, 3, 9, 1 }
table.sort(t, function(a, b) return a > b end)
assert(table.concat(t, ",") == "9,5,3,1")
assert(select("#", table.unpack(table.pack(1, nil, 3), 1, 3)) == 3)
table.insert(t, 2, 7); assert(table.remove(t, 1) == 9 and #t == 4)
assert(table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ",") == "1,1,2,3")
assert(("x=%d %s"):format(3, {}) == "x=3 table" and tostring(print) == "function")
assert(("key = value"):match("(%w+)%s*=%s*(%w+)") == "key")
assert(("hello"):gsub("l+", function(s) return s:upper() end) == "heLLo")
assert(not pcall(error, "caught") and select(2, pcall(error, { 1 }))[1] == 1)
local object = setmetatable({}, { __index = function(_, k) return k .. "!" end, __tostring = function() return "object" end })
assert(object.hi == "hi!" and tostring(object) == "object")

local filters = { tern.raised_cosine{ count = 2, duration = 8 }, tern.exponential{ tau = 2 }, tern.alpha{ tau = 1.5 }, tern.taps{ 0.2, 1, 0.5 } }
local inputs, layers = {}, {}
for i, name in ipairs{ "left", "right" } do inputs[i] = tern.input{ name = name, shape = {6, 8} } end
for i = 1, 3 do
  layers[i] = tern.hidden{ name = "layer" .. i, shape = {2, 3, 4}, memory = filters[1][1], bias = tern.uniform(-1, 0) }
  assert(layers[i].size == 24 and layers[i].shape[3] == 4 and layers[i].name == "layer" .. i)
end
local out = tern.visible{ name = "out", size = 5, memory = filters[2], memory_init = -0.5, bias = -1 }

tern.connect{ from = inputs, to = layers[1], filters = filters, pattern = tern.window{ size = 3, stride = {2, 2}, offset = -1 } }
tern.connect{ from = layers, to = layers[2], filters = filters[1], pattern = tern.random{ density = 0.3 }, init = 0.25 }
tern.connect{ from = layers[3], to = layers[3], filters = filters[2], self = true, pattern = tern.random{ density = 0.5, seed = 9 } }
tern.connect{ from = layers[2], to = layers[3], filters = filters[4], init = tern.constant(-0.125) }
tern.connect{ from = out, to = layers[3], filters = filters[3], init = tern.zero() }
tern.connect{ from = layers, to = out, filters = { filters[1], filters[4] } }
tern.connect{ from = out, to = out, filters = filters[3], pattern = tern.list{ {0, 1}, {1, 2, 0.5}, {4, 0, -1} } }
tern.formats{ weight = {10, 7}, trace = 6 }
tern.gem{ eta = 0.01, gamma = 0.7, schedule = { divide = 2, every = 10 }, samples = 3 }
tern.data{ window_ms = 1.5, steps = 9, crop = {1, 2, 48, 18}, scale = 3, mirror = "xy", polarity = "on", clear = false, label = out,
           parts = { { population = inputs[1], columns = {0, 7} }, { population = inputs[2], columns = {8, 15} } } }
print("made", #layers, "layers")
