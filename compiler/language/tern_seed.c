/* tern_seed.c : the seed of a script
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_front.h"
#include "tern_draws.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t tern__seed_use(lua_State *L)
{
    tern__front *f = tern__front_of(L);
    f->seed_used = true;
    return f->desc->seed;
}
