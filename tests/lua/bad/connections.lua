-- Wrong connections, filters and patterns.
-- SPDX-License-Identifier: Apache-2.0
--# onto an input
local a = tern.input{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = tern.taps{1} } --> E0220 'a' is an input
--# a name instead of the population
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = "a", to = a, filters = tern.taps{1} } --> E0220 'from' must be a population, found "a"
--# a misspelt variable is nil, so the key is missing
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = b, to = a, filters = tern.taps{1} } --> E0211 'from' is missing
--# an empty list of populations
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = {}, to = a, filters = tern.taps{1} } --> E0216 'from' lists 0 populations
--# a population twice in a list
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = {a, a}, to = a, filters = tern.taps{1} } --> E0220 lists the population 'a' twice
--# a filter set instead of a population
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = tern.taps{1}, to = a, filters = tern.taps{1} } --> E0220 found a filter set
--# no filters
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a } --> E0211 'filters' is missing
--# an empty list of filters
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = {} } --> E0216 an empty list of filters
--# a number as filter
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = { tern.taps{1}, 3 } } --> E0212 'filters' must be filters, found 3
--# the same filter twice
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = { tern.taps{1}, tern.taps{1} } } --> E0221 the same filter is listed twice
--# 17 filters
local a, f = tern.hidden{ name = "a", size = 4 }, {}
for i = 1, 17 do f[i] = tern.taps{ i / 20 } end
tern.connect{ from = a, to = a, filters = f } --> E0216 17 filters where at most 16 are allowed
--# 17 filters in two connections
local a, b = tern.hidden{ name = "a", size = 4 }, tern.hidden{ name = "b", size = 4 }
tern.connect{ from = a, to = b, filters = tern.raised_cosine{ count = 16, duration = 32 } }
tern.connect{ from = b, to = a, filters = tern.taps{1} } --> E0226 more than 16 different filters
--# self is not a boolean
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = tern.taps{1}, self = 1 } --> E0212 'self' must be true or false, found 1
--# a word as pattern
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = tern.taps{1}, pattern = "all" } --> E0212 'pattern' must be a pattern, found "all"
--# no density
tern.random{ seed = 1 } --> E0211 'density' is missing
--# density 0
tern.random{ density = 0 } --> E0213 'density' is 0, allowed: above 0..1
--# density above 1
tern.random{ density = 1.01 } --> E0213 'density' is 1.01
--# density nan
tern.random{ density = 0/0 } --> E0213 'density' is
--# a broken seed
tern.random{ density = 0.5, seed = 1.5 } --> E0213 'seed' is 1.5
--# a negative window
tern.window{ size = {3, -1} } --> E0213 entry 2 of 'size' is -1
--# a stride of 0
tern.window{ size = 3, stride = 0 } --> E0213 entry 1 of 'stride' is 0
--# a window of three dimensions
tern.window{ size = {3, 3, 3} } --> E0216 has 3 entries, must have 2
--# a window over a population without a shape
local a, b = tern.input{ name = "a", size = 16 }, tern.hidden{ name = "b", shape = {2, 2} }
tern.connect{ from = a, to = b, filters = tern.taps{1}, pattern = tern.window{ size = 2 } } --> E0222 'a' has 1 dimension(s) and 'b' has 2
--# an empty list of pairs
tern.list{} --> E0222 1 to 16777216 pairs, found 0
--# a pair with one unit
tern.list{ {0, 1}, {1} } --> E0222 entry 2 must be {from, to}
--# a pair with a text
tern.list{ {0, "1"} } --> E0222 'to' is "1"
--# a negative unit
tern.list{ {-1, 0} } --> E0222 'from' is -1
--# a weight that is not a number
tern.list{ {0, 0, 0/0} } --> E0222 the weight is
--# units count from 0
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = tern.taps{1}, pattern = tern.list{ {1, 2}, {4, 1} } } --> E0222 entry 2 {4, 1}: 'a' has the units 0..3
--# a unit with itself
local a = tern.hidden{ name = "a", size = 4 }
tern.connect{ from = a, to = a, filters = tern.taps{1}, pattern = tern.list{ {1, 1} } } --> E0222 connects unit 1 with itself
--# a synapse twice, from two lines
local a, b = tern.input{ name = "a", size = 4 }, tern.visible{ name = "b", size = 2 }
tern.gem{ eta = 1 }
tern.connect{ from = a, to = b, filters = tern.taps{1} }
tern.connect{ from = a, to = b, filters = { tern.taps{1}, tern.taps{0.5} }, pattern = tern.list{ {3, 1} } } --> E0261 a[3] -> b[1] is made twice with the same filter: in line 3 and in line 4
--# a synapse twice in one list
local a, b = tern.input{ name = "a", size = 4 }, tern.visible{ name = "b", size = 2 }
tern.gem{ eta = 1 }
tern.connect{ from = a, to = b, filters = tern.taps{1}, pattern = tern.list{ {3, 1}, {2, 0}, {3, 1} } } --> E0261 a[3] -> b[1] is made twice
--# a thousand million synapses
local a, b = tern.input{ name = "a", size = 32768 }, tern.visible{ name = "b", size = 32768 }
tern.gem{ eta = 1 }
tern.connect{ from = a, to = b, filters = tern.taps{1} } --> E0260 1073741824 synapses, 1073741824 so far; allowed: 16777216
--# many synapses by windows
local a, b = tern.input{ name = "a", shape = {256, 256} }, tern.visible{ name = "b", shape = {128, 128} }
tern.gem{ eta = 1 }
tern.connect{ from = a, to = b, filters = tern.taps{1}, pattern = tern.window{ size = 64, stride = 2 } } --> E0260 allowed: 16777216
--# many random draws
local a, b = tern.input{ name = "a", size = 65536 }, tern.visible{ name = "b", size = 32768 }
tern.gem{ eta = 1 }
tern.connect{ from = a, to = b, filters = tern.taps{1}, pattern = tern.random{ density = 1e-4 } } --> E0264 2147483648 random draws
--# neurons beyond the pool
tern.gem{ eta = 1 }
local a = tern.visible{ name = "a", size = 65536 }
local b = tern.hidden{ name = "b", size = 1 } --> E0260 neuron positions up to 'b': 65568, allowed: 65536
tern.connect{ from = a, to = b, filters = tern.taps{1} }
--# a cosine of no steps
tern.raised_cosine{ duration = 0 } --> E0213 'duration' is 0, allowed: whole numbers 1..32
--# a cosine of too many steps
tern.raised_cosine{ duration = 33 } --> E0213 'duration' is 33
--# cosines that have no tap
tern.raised_cosine{ count = 4, duration = 1 } --> E0221 filter 3 of 4 has no tap inside its 1 steps
  --> @1 E0221 filter 4 of 4 has no tap
--# tau of 0
tern.exponential{ tau = 0 } --> E0213 'tau' is 0
--# tau missing
tern.alpha{ duration = 5 } --> E0211 'tau' is missing
--# a tap of 2
tern.taps{ 1, 2 } --> E0221 tap 2 is 2, allowed: 0 <= tap < 2
--# a negative tap
tern.taps{ -0.5 } --> E0221 tap 1 is -0.5
--# a tap nan
tern.taps{ 0/0 } --> E0221 tap 1 is
--# no taps
tern.taps{} --> E0216 0 taps, allowed: 1 to 32
--# only zeros
tern.taps{ 0, 0 } --> E0221 all taps are nearly 0
--# a filter of a set that is not there
local f = tern.raised_cosine{ count = 2 }
local g = f[3] --> E0203 has 2 filter(s), index 1..2
--# an array of nothing
local a = tern.array() --> E0225 tern.array: nothing is not the name of a file
--# an array of a table
local a = tern.array{} --> E0225 tern.array: a table is not the name of a file
--# an image of a number
local a = tern.image(3) --> E0225 tern.image: 3 is not the name of a file
--# more than an array takes
local a = tern.array("w.npz", "a", 3) --> E0216 tern.array takes at most 2 values, found 3
--# more than an image takes
local a = tern.image("w.tern", "a") --> E0216 tern.image takes at most 1 value, found 2
