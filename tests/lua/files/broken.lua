-- SPDX-License-Identifier: Apache-2.0
local x = = 1
