-- A script with modules of its own folder.
-- SPDX-License-Identifier: Apache-2.0
local parts = require "parts"
assert(require("parts") == parts and parts.shared == require("shared"))
parts.network(4)
