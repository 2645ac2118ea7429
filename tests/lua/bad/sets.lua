-- Wrong --set KEY=VALUE.
-- SPDX-License-Identifier: Apache-2.0
--# an unknown section
--# set rle.samples=1
local x = 1
  --> @0 E0224 unknown key 'rle.samples'; keys begin with: rule, formats, data, seed
--# an unknown key
--# set rule.sample=1
tern.gem{ eta = 1 }
  --> @0 E0224 unknown key 'sample'; of 'rule' can be set: kind, eta, schedule, gamma, kappa, samples, baseline, memory, tau
--# a population that is not there
--# set hid.size=20
tern.hidden{ name = "hidden", size = 4 }
  --> @0 E0224 keys begin with: rule, formats, data, seed, hidden
--# a key of a population that cannot be set
--# set hid.memory=3
tern.hidden{ name = "hid", size = 4 }
  --> @0 E0224 of 'hid' can be set: size, shape, bias, memory_init, wta
--# a value out of range
--# set rule.samples=99
tern.gem{ eta = 1 }
  --> @0 E0213 'samples' is 99, allowed: whole numbers 1..32
--# a value of another type
--# set rule.samples=many
tern.gem{ eta = 1 }
  --> @0 E0212 'samples' must be a whole number, found "many"
--# a size out of range
--# set hid.size=0
tern.hidden{ name = "hid", size = 4 }
  --> @0 E0213 'size' is 0
--# no value
--# set rule.samples
tern.gem{ eta = 1 }
  --> @0 E0224 this is not KEY=VALUE
--# an open list
--# set formats.weight={8
tern.gem{ eta = 1 }
  --> @0 E0224 the value cannot be read
--# code as a value
--# set rule.eta=os.execute("x")
tern.gem{ eta = 1 }
  --> @0 E0224 the value cannot be read
--# data without a data section
--# set data.steps=40
tern.gem{ eta = 1 }
  --> @0 E0224 the script has no tern.data, so this set has no effect
--# a wrong format
--# set formats.weight={8,13}
tern.gem{ eta = 1 }
  --> @0 E0213 'weight' is {8, 13}
--# a wrong seed
--# set seed=x
tern.gem{ eta = 1 }
  --> @0 E0212 the seed is "x"
--# a key of a section, without the section
--# set eta=1
tern.gem{ eta = 1 }
  --> @0 E0224 unknown key 'eta'; keys begin with: rule, formats, data, seed
