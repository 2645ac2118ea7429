-- SPDX-License-Identifier: Apache-2.0
return { filters = tern.raised_cosine{ count = 2, duration = 5 } }
