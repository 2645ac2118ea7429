-- SPDX-License-Identifier: Apache-2.0
tern.hidden{ name = "h", size = 0 }
error("not today")
