-- Wrong declarations. Each case begins at "--#"; "-->" tells code and part of the text of the error expected on that line.
-- SPDX-License-Identifier: Apache-2.0
--# a typing mistake in a key gets the nearest key
tern.hidden{ name = "a", sice = 4 } --> E0210 unknown key 'sice'
  --> @1 E0211 'size' or 'shape' is missing
--# every value needs a key
tern.hidden{ "a", name = "b", size = 4 } --> E0210 without a name
--# two unknown keys are reported in order, on one line
tern.input{ name = "a", size = 1, zeta = 1, alpha = 2 } --> E0210 unknown key 'alpha'
  --> @1 E0210 unknown key 'zeta'
--# no table
tern.input("a") --> E0212 takes one table of named values, found "a"
--# nothing at all
tern.hidden() --> E0212 found nothing
--# the name is missing
tern.input{ size = 4 } --> E0211 'name' is missing
--# the name is a number
tern.input{ name = 5, size = 4 } --> E0212 'name' must be a text, found 5
--# the name begins with a digit
tern.input{ name = "5x", size = 4 } --> E0214 beginning with a letter
--# the name has a blank
tern.input{ name = "a b", size = 4 } --> E0214 beginning with a letter
--# the name has a zero byte
tern.input{ name = "a\0b", size = 4 } --> E0213 allowed: 1 to 47 characters
--# the name is empty
tern.input{ name = "", size = 4 } --> E0213 allowed: 1 to 47 characters
--# the name is too long
tern.input{ name = ("a"):rep(48), size = 4 } --> E0213 allowed: 1 to 47 characters
--# a reserved name
tern.input{ name = "data", size = 4 } --> E0214 is reserved
--# a name twice
tern.input{ name = "a", size = 4 }
tern.hidden{ name = "a", size = 4 } --> E0214 already taken by the population of line 1
--# an empty population
tern.hidden{ name = "a", size = 0 } --> E0213 'size' is 0, allowed: whole numbers 1..65536
--# a negative size
tern.hidden{ name = "a", size = -3 } --> E0213 'size' is -3
--# a broken size
tern.hidden{ name = "a", size = 2.5 } --> E0213 'size' is 2.5
--# a size that is not a number
tern.hidden{ name = "a", size = 0/0 } --> E0213 'size' is
--# an infinite size
tern.hidden{ name = "a", size = math.huge } --> E0213 'size' is inf
--# a huge size
tern.hidden{ name = "a", size = 1e300 } --> E0213 'size' is 1e+300
--# the largest integer
tern.hidden{ name = "a", size = math.maxinteger } --> E0213 'size' is 9223372036854775807
--# a size as text
tern.hidden{ name = "a", size = "4" } --> E0212 'size' must be a whole number, found "4"
--# no size
tern.hidden{ name = "a" } --> E0211 'size' or 'shape' is missing
--# size and shape
tern.hidden{ name = "a", size = 4, shape = {2, 2} } --> E0217 both 'size' and 'shape'
--# a shape of four dimensions
tern.hidden{ name = "a", shape = {2, 2, 2, 2} } --> E0216 has 4 entries, must have 1 to 3
--# an empty shape
tern.hidden{ name = "a", shape = {} } --> E0216 has 0 entries
--# a shape with a text
tern.hidden{ name = "a", shape = {2, "x"} } --> E0212 entry 2 of 'shape' must be a whole number, found "x"
--# a shape with a zero
tern.hidden{ name = "a", shape = {2, 0} } --> E0213 entry 2 of 'shape' is 0
--# a shape that is too large
tern.hidden{ name = "a", shape = {65536, 65536, 65536} } --> E0213 281474976710656 units
--# a shape that is a number
tern.hidden{ name = "a", shape = 5 } --> E0212 'shape' must be a list
--# memory of an input
tern.input{ name = "a", size = 4, memory = tern.raised_cosine{} } --> E0210 unknown key 'memory'
--# memory with two filters
tern.hidden{ name = "a", size = 4, memory = tern.raised_cosine{ count = 2 } } --> E0216 2 filters where only 1 is allowed
--# memory that is no filter
tern.hidden{ name = "a", size = 4, memory = 7 } --> E0212 'memory' must be filters, found 7
--# memory_init without memory
tern.hidden{ name = "a", size = 4, memory_init = 0.5 } --> E0217 'memory_init' without 'memory'
--# a bias that is no value
tern.hidden{ name = "a", size = 4, bias = "much" } --> E0212 'bias' must be a number or an initial value, found "much"
--# a bias that is not a number
tern.hidden{ name = "a", size = 4, bias = 0/0 } --> E0225 'bias' is
--# a bias out of range
tern.hidden{ name = "a", size = 4, bias = 1e9 } --> E0225 'bias' is 1000000000, allowed: -1000..1000
--# 65 populations
for i = 1, 65 do
  tern.input{ name = "a" .. i, size = 1 } --> E0226 more than 64 populations
end
--# a population has no such field
local a = tern.input{ name = "a", size = 1 }
local x = a.width --> E0203 not 'width'
--# a population cannot be changed
local a = tern.input{ name = "a", size = 1 }
a.size = 4 --> E0203 cannot be changed
--# a call that does not exist
tern.conect{} --> E0203 did you mean tern.connect?
--# a function cut short
tern.visi{} --> E0203 did you mean tern.visible?
--# tern cannot be changed
tern.input = nil --> E0203 tern cannot be changed
--# an image outside the folder
tern.hidden{ name = "a", size = 4, bias = tern.image("../x.tern") } --> E0225 is not the name of a file in the script's folder
--# an absolute image
tern.hidden{ name = "a", size = 4, bias = tern.image("/etc/passwd") } --> E0225 is not the name of a file
--# uniform the wrong way round
tern.hidden{ name = "a", size = 4, bias = tern.uniform(1, -1) } --> E0225 lower end 1 is above the upper end -1
--# uniform without numbers
tern.hidden{ name = "a", size = 4, bias = tern.uniform() } --> E0212 tern.uniform takes numbers, found nothing
--# constant infinity
tern.hidden{ name = "a", size = 4, bias = tern.constant(math.huge) } --> E0225 tern.constant: inf is not within
--# all errors of a script are shown
tern.hidden{ name = "a", size = 0 } --> E0213 'size' is 0
tern.hidden{ name = "1", size = 1 } --> E0214 "1"
tern.gem{ eta = "x" } --> E0212 'eta' must be a number
