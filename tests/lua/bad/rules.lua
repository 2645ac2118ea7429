-- Wrong rules and circuits.
-- SPDX-License-Identifier: Apache-2.0
--# two different rules
tern.gem{ eta = 1 }
tern.mb{ eta = 1 } --> E0218 tern.mb: a script has one rule: there is one already, in line 1
--# a rule three times
local rule = tern.reward{ eta = 1 }
rule = tern.reward{ eta = 1 } --> E0218 already, in line 1
rule = tern.iw{ eta = 1 } --> E0218 already, in line 1
--# no eta
tern.mb{ gamma = 0.5 } --> E0211 tern.mb: 'eta' is missing
--# eta of another rule out of range
tern.iw{ eta = 11 } --> E0213 tern.iw: 'eta' is 11, allowed: 1e-09..10
--# gamma, kappa, samples of the others are checked like those of tern.gem
tern.reward{ eta = 1, gamma = -1, kappa = 2, samples = 0 } --> E0213 tern.reward: 'gamma' is -1
  --> @1 E0213 tern.reward: 'kappa' is 2, allowed: 0..1
  --> @1 E0213 tern.reward: 'samples' is 0
--# a schedule of another rule
tern.mb{ eta = 1, schedule = { divide = 2 } } --> E0211 schedule: 'every' is missing
--# a baseline for GEM is explained
tern.gem{ eta = 1, baseline = "neuron" } --> E0217 nothing to subtract a baseline from
--# so is its memory
tern.gem{ eta = 1, memory = 64 } --> E0217 tern.gem: 'memory' is not a key of this rule
--# even where there is none
tern.gem{ eta = 1, baseline = "none" } --> E0217 tern.gem: 'baseline' is not a key of this rule
--# a time constant for GEM
tern.gem{ eta = 1, tau = 5 } --> E0217 tern.gem: 'tau' is not a key of this rule
--# a time constant for MB
tern.mb{ eta = 1, tau = 5 } --> E0217 tern.mb: 'tau' is not a key of this rule: only a reward has a time constant
--# a time constant for IW
tern.iw{ eta = 1, tau = 5 } --> E0217 only a reward has a time constant
--# an unknown baseline
tern.mb{ eta = 1, baseline = "layer" } --> E0215 'baseline' is "layer", allowed: neuron|synapse|none
--# a baseline that is no word
tern.mb{ eta = 1, baseline = true } --> E0212 'baseline' must be a text, found true
--# a memory that is not a power of two
tern.iw{ eta = 1, memory = 20 } --> E0213 'memory' is 20, allowed: 8, 16, 32, 64 or 128
--# a memory that is too short
tern.iw{ eta = 1, memory = 4 } --> E0213 'memory' is 4, allowed: whole numbers 8..128
--# a memory that is too long
tern.reward{ eta = 1, memory = 256 } --> E0213 'memory' is 256
--# half a step of memory
tern.reward{ eta = 1, memory = 8.5 } --> E0213 'memory' is 8.5
--# a negative time constant
tern.reward{ eta = 1, tau = -1 } --> E0213 'tau' is -1, allowed: 0..1000
--# a time constant that is not a number
tern.reward{ eta = 1, tau = 0/0 } --> E0213 'tau' is
--# a very long time constant
tern.reward{ eta = 1, tau = 1001 } --> E0213 'tau' is 1001
--# the kind is not a key of a script
tern.mb{ eta = 1, kind = "gem" } --> E0210 tern.mb: unknown key 'kind'; allowed: eta, schedule, gamma, kappa, samples, baseline, memory
--# what is allowed depends on the rule
tern.gem{ eta = 1, rate = 2 } --> E0210 tern.gem: unknown key 'rate'; allowed: eta, schedule, gamma, kappa, samples
--# ... and is suggested
tern.reward{ eta = 1, taw = 2 } --> E0210 tern.reward: unknown key 'taw'; allowed: eta, schedule, gamma, kappa, samples, baseline, memory, tau
--# no table
tern.reward(1e-3) --> E0212 tern.reward takes one table of named values, found 0.001
--# a call that does not exist
tern.rewards{ eta = 1 } --> E0203 did you mean tern.reward?
--# a rule has no such field
local r = tern.mb{ eta = 1 }
print(r.eta) --> E0203 a rule has 'kind', not 'eta'
--# a rule cannot be changed
local r = tern.mb{ eta = 1 }
r.kind = "gem" --> E0203 this value cannot be changed
--# a rule is not a population
local r = tern.mb{ eta = 1 }
tern.connect{ from = r, to = r, filters = tern.taps{1} } --> E0220 'from' must be a population, found a rule
  --> @2 E0220 'to' must be a population, found a rule
--# an unknown kind
--# set rule.kind=em
tern.gem{ eta = 1 }
  --> @0 E0215 'kind' is "em", allowed: gem|mb|iw|reward
--# a kind that is no word
--# set rule.kind=1
tern.gem{ eta = 1 }
  --> @0 E0212 'kind' must be a text, found 1
--# a kind without a rule
--# set rule.kind=mb
local a = tern.visible{ name = "a", size = 2 }
  --> @0 E0224 the script has no rule, so this set has no effect
--# a key of the wrong rule stays an error where the rule was not changed
--# set rule.tau=3
tern.mb{ eta = 1 }
  --> @0 E0217 only a reward has a time constant
--# a value out of range is one, whether the new rule needs it or not
--# set rule.kind=gem
tern.mb{ eta = 1, memory = 300 } --> E0213 'memory' is 300
  --> @1 N0243 tern.mb: 'memory' means nothing to the rule gem and is ignored
--# the new rule's own keys are checked
--# set rule.kind=reward
--# set rule.tau=x
tern.gem{ eta = 1 }
  --> @0 E0212 'tau' must be a number, found "x"
--# signals of too many fraction bits
tern.formats{ signal = 13 } --> E0213 'signal' is 13, allowed: whole numbers -12..12
--# signals of too few
tern.formats{ signal = -13 } --> E0213 'signal' is -13
--# a broken number of bits
tern.formats{ signal = 1.5 } --> E0213 'signal' is 1.5
--# signals that are a list
tern.formats{ signal = {3, 4} } --> E0212 'signal' must be a whole number
--# a circuit of one
tern.hidden{ name = "a", size = 4, wta = 1 } --> E0213 'wta' is 1, allowed: whole numbers 2..64
--# a circuit of none
tern.visible{ name = "a", size = 4, wta = 0 } --> E0213 'wta' is 0
--# a circuit that is too large
tern.hidden{ name = "a", size = 130, wta = 65 } --> E0213 'wta' is 65
--# a circuit as text
tern.hidden{ name = "a", size = 4, wta = "2" } --> E0212 'wta' must be a whole number, found "2"
--# a circuit of inputs
tern.input{ name = "a", size = 4, wta = 2 } --> E0210 unknown key 'wta'
--# a size that is not a multiple
tern.visible{ name = "a", size = 10, wta = 4 } --> E0217 tern.visible 'a': 10 units cannot be put into circuits of wta = 4
--# a last dimension that is not a multiple, though the size is
tern.hidden{ name = "a", shape = {4, 3}, wta = 4 } --> E0217 3 units of the last dimension cannot be put into circuits of wta = 4
--# three dimensions
tern.hidden{ name = "a", shape = {4, 4, 6}, wta = 4 } --> E0217 6 units of the last dimension
--# larger than the population
tern.hidden{ name = "a", size = 3, wta = 6 } --> E0217 3 units cannot
--# a wrong size is reported once
tern.hidden{ name = "a", size = 0, wta = 2 } --> E0213 'size' is 0
--# a set makes the circuits wrong
--# set out.wta=3
tern.visible{ name = "out", size = 4, wta = 2 }
  --> @0 E0217 4 units cannot be put into circuits of wta = 3
--# a set makes the size wrong
--# set out.size=5
tern.visible{ name = "out", size = 4, wta = 2 } --> E0217 5 units cannot be put into circuits of wta = 2
--# eta and signals that do not go together
local v = tern.visible{ name = "v", size = 400 }
local h = tern.hidden{ name = "h", size = 2 }
tern.connect{ from = h, to = v, filters = tern.taps{1} }
tern.reward{ eta = 2, gamma = 1 }
tern.formats{ signal = -4 }
  --> @0 E0231 eta = 2 cannot be represented where learning signals have -4 fraction bits
