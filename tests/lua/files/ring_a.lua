-- SPDX-License-Identifier: Apache-2.0
return require "ring_b"
