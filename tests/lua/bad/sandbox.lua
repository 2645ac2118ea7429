-- Scripts that try to get out, to continue for ever or to fill the memory, and plain mistakes of Lua.
-- SPDX-License-Identifier: Apache-2.0
--# a syntax error
local x = = 3 --> E0202 unexpected symbol near '='
--# a missing end
for i = 1, 3 do
  --> @3 E0202 'end' expected
--# a call of nothing
local x = 1
foo(x) --> E0203 attempt to call a nil value (global 'foo')
--# an error with a text
error("so it goes") --> E0203 so it goes
--# an error with a table
error({ 1, 2 }) --> E0203 whose value is a table, not a text
--# an error with nothing
error() --> E0203 whose value is nil
--# an error with an empty text
error("") --> E0203 whose text is empty
--# an error with blanks, without a place
error(" \n\t", 0) --> ~ E0203 whose text is empty
--# an error whose text begins with a zero byte
error("\0what") --> E0203 whose text is empty
--# an assertion with an empty text
assert(false, "") --> ~ E0203 whose text is empty
--# print without a text
print() --> N0201 (an empty text)
print("") --> N0201 (an empty text)
print("\0x", 1) --> N0201 1
print(" ", "\n") --> N0201 (an empty text)
error("end") --> E0203 end
--# an error with a table that never becomes a text
error(setmetatable({}, { __tostring = function() while true do end end })) --> E0203 whose value is a table
--# an error in a function tells the line inside
local function f() error("deep") end --> E0203 deep
f()
--# the calls that led to an error
local function inner(x) return x.y.z end --> E0203 attempt to index a nil value (field 'y')
local function outer()
  local z = inner({}) --> N0203 'inner' was called here
  return z
end
for i = 1, 2 do
  local z = outer() --> N0203 'outer' was called here
end
--# more calls than are shown
local function f(n)
  if n == 0 then error("deep down") end --> E0203 deep down
  local x = f(n - 1) --> *10 N0203 'f' was called here
  return x
end
f(30) --> N0203 and 21 calls more
--# files
io.open("/etc/passwd") --> E0203 scripts have no 'io'
--# processes
os.execute("true") --> E0203 scripts have no 'os'
--# the debugger
debug.sethook() --> E0203 scripts have no 'debug'
--# coroutines
coroutine.wrap(function() end) --> E0203 scripts have no 'coroutine'
--# text to code
load("return 1") --> E0203 scripts have no 'load'
--# files to code
dofile("x.lua") --> E0203 scripts have no 'dofile'
--# packages
package.path = "" --> E0203 scripts have no 'package'
--# the collector
collectgarbage() --> E0203 scripts have no 'collectgarbage'
--# unseeded randomness
local x = math.random() --> E0203 scripts have no 'math.random'
--# its seed
math.randomseed(7) --> E0203 scripts have no 'math.randomseed'
--# dumped functions
local x = string.dump(print) --> E0203 scripts have no 'string.dump'
--# names of older Lua
local n = table.getn({}) --> E0203 scripts have no 'table.getn'
--# the same, a global
local a = unpack({ 1 }) --> E0203 scripts have no 'unpack'
--# protected calls with a handler
xpcall(print, print) --> E0203 scripts have no 'xpcall'
--# a name that is in no Lua
local x = math.rundom() --> E0203 attempt to call a nil value (field 'rundom')
--# finalisers
setmetatable({}, { __gc = function() while true do end end }) --> E0203 __gc is not allowed
--# the metatable of texts
getmetatable("").__index = nil --> E0203 attempt to index a boolean value
--# addresses in texts
local x = string.format("%p", {}) --> E0203 no %p here
--# an order that differs between runs
for k in pairs({ [{}] = 1 }) do end --> E0203 has no order that is the same in every run
--# a module of a script without a folder
require("x") --> E0203 has no folder
--# a module outside
require("../x") --> E0203 is not a module name
--# bytecode
--# bytes 1b 4c 75 61 54
  --> @1 E0202 this is Lua bytecode
--# a zero byte in the source
--# bytes 78 00 3d 31
  --> @1 E0202 syntax error
--# a loop without end
--# seconds 0.05
local n = 0
while true do n = n + 1 end --> E0204 used up its work limit
--# a loop without end inside pcall
--# seconds 0.05
while true do
  pcall(function() while true do end end) --> E0204 used up its work limit
end
--# a loop in a closing variable
--# seconds 0.05
local t = setmetatable({}, { __close = function() while true do end end }) --> E0204 work limit
do local c <close> = t end
--# a loop without end in a comparison of sort
--# seconds 0.05
table.sort({ 1, 2, 3 }, function() while true do end end) --> E0204 used up its work limit
--# a loop of two functions
--# seconds 0.05
local function a() return true end
repeat until not a() --> ~ E0204 used up its work limit
--# a pattern that backtracks for ever
--# seconds 0.05
local x = ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40)) --> E0204 used up its work limit
--# gsub that backtracks for ever
--# seconds 0.05
local x = ("a"):rep(3000):gsub(".-.-.-.-b", "") --> E0204 used up its work limit
--# match that backtracks for ever inside pcall
--# seconds 0.05
pcall(string.match, ("a"):rep(3000), "(.-)(.-)(.-)(.-)b") --> E0204 used up its work limit
--# gmatch that backtracks for ever
--# seconds 0.05
for _ in ("x"):rep(3000):gmatch("x*x*x*x*y") do end --> E0204 used up its work limit
--# the next key of a table that has been emptied
--# seconds 0.05
local t = {}
for i = 1, 1e5 do t[i] = i end
for i = 1, 1e5 do t[i] = nil end
for i = 1, 2e4 do next(t) end --> E0204 used up its work limit
error("reached")
--# pairs of a table that has been emptied
--# seconds 0.05
local t = {}
for i = 1, 5e4 do t["k" .. i] = i end
for i = 1, 5e4 do t["k" .. i] = nil end
for i = 1, 1e4 do pairs(t) end --> E0204 used up its work limit
error("reached")
--# keys that are counted again and again, with a large array beside them
--# seconds 0.05
local t = { a = 1, b = 1 }
for i = 1, 2^15 do t[i] = i end
for i = 1, 1e5 do t.a = nil; t.c = 1; t.b = nil; t.a = 1; t.c = nil; t.b = 1 end --> E0204 used up its work limit
error("reached")
--# long plain finds
--# seconds 0.05
local a, b = ("a"):rep(60000), ("a"):rep(30000) .. "b"
for i = 1, 1e6 do a:find(b, 1, true) end --> E0204 used up its work limit
--# long texts that are equal but for the end
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 2000 do local x = s == t end --> E0204 used up its work limit
error("reached")
--# order of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 2000 do local x = s < t end --> E0204 used up its work limit
error("reached")
--# long texts as numbers
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 2000 do local x = s + 0 end --> E0204 used up its work limit
error("reached")
--# tonumber of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 1500 do tonumber(s) end --> E0204 used up its work limit
error("reached")
--# bytes of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 100 do s:byte(1, -1) end --> E0204 used up its work limit
error("reached")
--# format of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 2000 do ("%s"):format(t:sub(2, 5000)) end --> E0204 used up its work limit
error("reached")
--# format of wide numbers
--# seconds 0.05
for i = 1, 3000 do ("%99.90f"):rep(20):format(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20) end --> E0204 used up its work limit
error("reached")
--# quoted texts
--# seconds 0.05
local u = ("\1"):rep(5000)
for i = 1, 1000 do ("%q"):format(u) end --> E0204 used up its work limit
error("reached")
--# case of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 500 do s:upper() end --> E0204 used up its work limit
error("reached")
--# texts turned round
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 500 do s:reverse() end --> E0204 used up its work limit
error("reached")
--# texts repeated
--# seconds 0.05
for i = 1, 200 do ("ab"):rep(30000) end --> E0204 used up its work limit
error("reached")
--# print of long texts
--# seconds 0.05
local s, t = ("1"):rep(60000), ("1"):rep(59999) .. "2"
for i = 1, 700 do print(s) end --> E0204 used up its work limit
error("reached")
--# texts by joining numbers
--# seconds 0.05
local u = {}
for i = 1, 1000 do u[i] = i + 0.5 end
for i = 1, 150 do table.concat(u) end --> E0204 used up its work limit
error("reached")
--# arguments by the thousand
--# seconds 0.05
local u = {}
for i = 1, 10000 do u[i] = i end
local function f(...) return ... end
for i = 1, 40 do f(select("#", table.unpack(u))) end --> E0204 used up its work limit
error("reached")
--# arguments that are handed on
--# seconds 0.05
local u = {}
for i = 1, 20000 do u[i] = i end
local function f(...)
for i = 1, 300 do select("#", ...) end --> ~ E0204 used up its work limit
end
f(table.unpack(u))
error("reached")
--# arguments that grow in a tail call
--# seconds 0.05
local function g(n, x, ...) if n > 0 then return g(n - 1, x, x, ...) end end --> ~ E0204 used up its work limit
g(4000, 1)
error("reached")
--# pairs of small tables
--# seconds 0.05
local u = {}
for i = 1, 1000 do u[i] = i end
for i = 1, 500 do pairs(u) end --> E0204 used up its work limit
error("reached")
--# a source that is long to parse: jumps
--# seconds 0.05
--# repeat 20000 x and 
x --> @0 E0204 used up its work limit
--# empty repetitions are free
--# seconds 0.05
local x = ("").rep("", math.maxinteger)
error("reached") --> E0203 reached
--# shifting a long list
--# seconds 0.05
local t = {}
for i = 1, 20000 do t[i] = i end
while true do table.insert(t, 1, 0); table.remove(t, 1) end --> E0204 used up its work limit
--# a table bomb
--# memory 4000000
local t = {}
while true do t[#t + 1] = { #t } end --> E0205 not enough memory
--# a table bomb inside pcall
--# memory 4000000
local t = {}
pcall(function() while true do t[#t + 1] = { #t } end end) --> E0205 not enough memory
--# a text bomb
local s = "x"
while true do s = s .. s end --> E0205 a text longer than 65536 bytes
--# memory: the place is the line that runs, also after calls and in a function called from a library
--# memory 4000000
local function grow(t)
  return { t }
end
local t = {}
table.sort({ 2, 1 }, function(a, b)
  for i = 1, 1e7 do
    t[i] = grow(i) --> ~ E0205 not enough memory
  end
end)
--# a text bomb in a constructor's arguments
local s = ("x"):rep(60000)
local a = 1
tern.hidden{ name = "a",
  size = 1,
  bias = s .. s } --> E0205 a text longer than 65536 bytes
--# memory: a deep stack
--# memory 1000000
local function f(n) return 1 + f(n + 1) end --> E0205 not enough memory
f(1)
--# a text bomb by rep
local s = ("x"):rep(1e9) --> E0203 would be longer than 65536 bytes
--# a text bomb by concat
local t = {}
for i = 1, 3000 do t[i] = ("x"):rep(1000) end
local s = table.concat(t) --> E0203 would be longer than 65536 bytes
--# a text bomb by gsub
local s = ("x"):rep(60000):gsub("x", ("y"):rep(1000)) --> E0205 *
--# huge ranges
table.unpack({}, 1, 1e8) --> E0203 a range of more than 16777216 elements
--# huge moves
table.move({}, 1, math.maxinteger, 2) --> E0203 a range of more than
--# deep recursion
local function f(n) return 1 + f(n + 1) end --> E0203 stack overflow
f(1)
--# deep recursion in the library
local t = setmetatable({}, {})
getmetatable(t).__tostring = function(x) return tostring(x) end --> ~ E0203 stack overflow
local s = tostring(t)
--# deep recursion of __index
local t = {}
setmetatable(t, { __index = function(x, k) return x[k .. "a"] end }) --> ~ E0203 overflow
local v = t.a
--# deeply nested source
--# repeat 300 (
  --> @0 E0202 C stack overflow
--# no addresses behind a byte 0
local x = ("\0%p"):format("text") --> E0203 has no %p here
--# a pattern with an open set
local x = ("a"):find("[a") --> E0203 malformed pattern (missing ']')
--# a pattern that ends with an escape
local x = ("a"):find("%") --> E0203 malformed pattern (ends with '%')
--# many errors end the script
for i = 1, 100 do
  tern.raised_cosine{ duration = 0 } --> *20 E0213 'duration' is 0
end
--# a description that fills the memory
--# memory 4000000
local a = tern.hidden{ name = "a", size = 1000 }
local p = {}
for i = 0, 998 do p[i + 1] = { i, i + 1 } end
local list = tern.list(p)
while true do tern.connect{ from = a, to = a, filters = tern.taps{1}, pattern = list } end --> E0205 not enough memory
--# not even room for Lua
--# memory 100
local x = 1
  --> @0 E0205 not enough memory
--# the stack overflows again and again inside pcall
--# seconds 0.5
local function f() return 1 + f() end
while true do pcall(f) end --> E0204 used up its work limit
--# next over a large table
--# seconds 0.05
local t = {}
for i = 1, 3000 do t["k" .. i] = i end
local k
repeat k = next(t, k) until not k --> ~ E0204 used up its work limit
--# a global that nothing sets is a misspelt name, or one that was meant as text
local o = tern.visible{ name = "o", size = 2, memory = cosinee } --> W0245 'cosinee' is nil here
steps = steps or 3
if verbose then print("talks") end --> W0245 'verbose' is nil here
  --> @0 E0219 names no rule
  --> @0 E0219 connects nothing
