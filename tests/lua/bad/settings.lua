-- Wrong rules, formats, data sections, seeds, and scripts that lack something.
-- SPDX-License-Identifier: Apache-2.0
--# no rule
local a = tern.visible{ name = "a", size = 2 }
tern.connect{ from = a, to = a, filters = tern.taps{1} }
  --> @0 E0219 names no rule
--# no visible population
local a = tern.hidden{ name = "a", size = 2 }
tern.connect{ from = a, to = a, filters = tern.taps{1} }
tern.gem{ eta = 1 }
  --> @0 E0219 declares no visible population
--# no connection
tern.visible{ name = "a", size = 2 }
tern.gem{ eta = 1 }
  --> @0 E0219 connects nothing
--# an empty script
  --> @0 E0219 declares no visible population
  --> @0 E0219 names no rule
--# two rules
tern.gem{ eta = 1 }
tern.gem{ eta = 1 } --> E0218 there is one already, in line 1
--# two formats
tern.formats{}
tern.formats{} --> E0218 there is one already, in line 1
--# no eta
tern.gem{ gamma = 0.5 } --> E0211 'eta' is missing
--# eta of 0
tern.gem{ eta = 0 } --> E0213 'eta' is 0, allowed: 1e-09..10
--# eta nan
tern.gem{ eta = 0/0 } --> E0213 'eta' is
--# eta infinite
tern.gem{ eta = math.huge } --> E0213 'eta' is inf
--# gamma above 1
tern.gem{ eta = 1, gamma = 1.5 } --> E0213 'gamma' is 1.5, allowed: 0..1
--# kappa below 0
tern.gem{ eta = 1, kappa = -0.1 } --> E0213 'kappa' is -0.1
--# no samples
tern.gem{ eta = 1, samples = 0 } --> E0213 'samples' is 0, allowed: whole numbers 1..32
--# too many samples
tern.gem{ eta = 1, samples = 33 } --> E0213 'samples' is 33
--# half a schedule
tern.gem{ eta = 1, schedule = { divide = 2 } } --> E0211 schedule: 'every' is missing
--# a schedule that multiplies
tern.gem{ eta = 1, schedule = { divide = 0.5, every = 3 } } --> E0213 'divide' is 0.5
--# a schedule as number
tern.gem{ eta = 1, schedule = 40 } --> E0212 schedule takes one table of named values, found 40
--# too few bits
tern.formats{ weight = {3, 2} } --> E0213 'weight' is {3, 2}
--# too many bits
tern.formats{ weight = {17, 12} } --> E0213 entry 1 of 'weight' is 17
--# too many fraction bits
tern.formats{ weight = {8, 13} } --> E0213 'weight' is {8, 13}
--# one number as weight format
tern.formats{ weight = 8 } --> E0212 'weight' must be a list of 2 whole numbers, found 8
--# trace out of range
tern.formats{ trace = 9 } --> E0213 'trace' is 9, allowed: whole numbers 4..8
--# lags out of range
tern.formats{ lags = 64 } --> E0213 'lags' is 64
--# lags beyond the history
local a = tern.visible{ name = "a", size = 2 }
tern.connect{ from = a, to = a, filters = tern.raised_cosine{ duration = 32 } }
tern.gem{ eta = 1e-4 }
tern.formats{ lags = 40 }
  --> @0 E0232 40 lags and filters of 32 taps
--# no steps
tern.data{ window_ms = 25 } --> E0211 'steps' is missing
--# a window of 0 ms
tern.data{ window_ms = 0, steps = 80 } --> E0213 'window_ms' is 0
--# a window of half a microsecond
tern.data{ window_ms = 0.0015, steps = 80 } --> E0213 allowed: whole microseconds
--# an unknown polarity
tern.data{ window_ms = 25, steps = 80, polarity = "both" } --> E0215 'polarity' is "both", allowed: merge|on|off|separate
--# an unknown mirror
tern.data{ window_ms = 25, steps = 80, mirror = true } --> E0212 'mirror' must be a text, found true
--# a crop outside the sensor
tern.data{ window_ms = 25, steps = 80, sensor = {128, 128}, crop = {120, 0, 26, 26} } --> E0213 'crop' reaches to x = 145, y = 25; the sensor has 128 x 128 pixels
--# an empty crop
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 0, 26} } --> E0213 'crop' is empty
--# a crop of three numbers
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26} } --> E0216 'crop' has 3 entries, must have 4
--# a scale out of range
tern.data{ window_ms = 25, steps = 80, scale = 257 } --> E0213 'scale' is 257, allowed: whole numbers 1..256
--# a scale that leaves pixels over
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 27}, scale = 2 } --> E0213 'scale' is 2, which does not divide the crop of 26 x 27 pixels
--# a scale that does not divide the sensor
tern.data{ window_ms = 25, steps = 80, sensor = {34, 34}, scale = 4 } --> E0213 'scale' is 4, which does not divide the sensor of 34 x 34 pixels
--# more phases than there may be
tern.data{ window_ms = 25, steps = 80, phases = {17, 1} }
--> @1 E0213 'phases' has 17 pieces of 1 steps, allowed: 1 to 16 pieces
--# no phases
tern.data{ window_ms = 25, steps = 80, phases = {0, 1} } --> E0213 entry 1 of 'phases' is 0, allowed: whole numbers 1..255
--# phases of no steps
tern.data{ window_ms = 25, steps = 80, phases = {1, 0} } --> E0213 entry 2 of 'phases' is 0, allowed
--# phases of more steps than fit
tern.data{ window_ms = 25, steps = 300, phases = {1, 256} } --> E0213 entry 2 of 'phases' is 256, allowed
--# phases longer than the presentation
tern.data{ window_ms = 25, steps = 80, phases = {2, 81} } --> E0213 'phases' has pieces of 81 steps, a presentation has 80
--# phases of one number
tern.data{ window_ms = 25, steps = 80, phases = {2} } --> E0216 'phases' has 1 entries, must have 2
--# phases that are a number
tern.data{ window_ms = 25, steps = 80, phases = 2 } --> E0212 'phases'
--# phases need planes
local a = tern.input{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, phases = {3, 2}, input = a } --> E0223 3 planes x 26 rows x 26 columns, but 'a' has 26 rows x 26 columns
--# phases and polarities need planes
local a = tern.input{ name = "a", shape = {3, 26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, phases = {3, 2}, polarity = "separate", input = a } --> E0223 6 planes x 26 rows
--# a shift out of range
tern.data{ window_ms = 25, steps = 80, shift = 17 } --> E0213 'shift' is 17, allowed: whole numbers 0..16
--# an input as large as the crop before scaling
local a = tern.input{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, scale = 2, input = a } --> E0223 13 rows x 13 columns, but 'a' has 26 rows x 26 columns
--# rows outside the scaled crop
local a = tern.input{ name = "a", shape = {13, 13} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, scale = 2, parts = { { population = a, rows = {1, 13} } } } --> E0223 ends at row 13, column 12; the scaled crop has rows 0..12
--# an input of another size
local a = tern.input{ name = "a", size = 600 }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, input = a }
--> @2 E0223 data.input: tern.data: the part has 26 rows x 26 columns, but 'a' has 600 units
--# an input of another shape
local a = tern.input{ name = "a", shape = {13, 52} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, input = a } --> E0223 but 'a' has 13 rows x 52 columns
--# two polarities need two planes
local a = tern.input{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, polarity = "separate", input = a } --> E0223 2 planes x 26 rows x 26 columns
--# a hidden population as input
local a = tern.hidden{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, input = a } --> E0220 is not an input population
--# a label for an input
local a = tern.input{ name = "a", size = 2 }
tern.data{ window_ms = 25, steps = 80, label = a } --> E0220 is not a visible population
--# rows outside the crop
local a = tern.input{ name = "a", shape = {13, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a, rows = {14, 26} } } } --> E0223 ends at row 26
--# rows the wrong way round
local a = tern.input{ name = "a", shape = {13, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a, rows = {12, 0} } } } --> E0223 is empty
--# parts that are no list
local a = tern.input{ name = "a", shape = {13, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = a } --> E0212 'parts' must be a list of parts, found a population
--# an unknown key in a part
local a = tern.input{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a, row = {0, 12} } } } --> E0210 part: unknown key 'row'
--# a hidden part
local a = tern.hidden{ name = "a", shape = {26, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a } } } --> E0223 'a' is hidden
--# two parts of one population
local a = tern.input{ name = "a", shape = {13, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a, rows = {0, 12} }, { population = a, rows = {13, 25} } } } --> E0223 'a' has two parts
--# two targets of one population
local a = tern.visible{ name = "a", shape = {13, 26} }
tern.data{ window_ms = 25, steps = 80, crop = {0, 0, 26, 26}, parts = { { population = a, rows = {0, 12} } }, label = a } --> E0223 two targets
--# a format with a path in it
tern.data{ window_ms = 25, steps = 80, format = "../x" } --> E0215 is the name of a file format
--# a seed as text
tern.seed("1") --> E0212 the seed is "1"
--# a negative seed
tern.seed(-1) --> E0213 the seed is -1
--# a seed after its use
local g = tern.generator()
tern.seed(4) --> E0227 after the seed was used
--# two seeds
tern.seed(4)
tern.seed(5) --> E0218 there is one already, in line 1
