-- A module: makes a network of any size.
-- SPDX-License-Identifier: Apache-2.0
local shared = require "shared"
local M = { shared = shared }
function M.network(n)
  local a = tern.input{ name = "a", size = n }
  local b = tern.visible{ name = "b", size = n }
  tern.connect{ from = a, to = b, filters = shared.filters, pattern = tern.random{ density = 0.5 } }
  tern.gem{ eta = 0.1, gamma = 0.5 }
end
return M
