/* tern_script_build.c : the first script of a seed that the compiler takes
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_script_build.h"

tern_status tern_script_build(tern_script *s, uint64_t seed, const tern_script_limits *limits, unsigned n_steps,
                              tern_arena *arena, tern_model *model, tern_diags *diags, unsigned *attempt)
{
    tern_status status = TERN_ERR_LIMIT;
    while (*attempt < TERN_SCRIPT_ATTEMPTS) {
        tern_arena_free(arena);
        tern_arena_init(arena, tern_alloc_default(), 0);
        tern_diags_init(diags);
        tern_script_make(s, seed + ((uint64_t)(*attempt)++ << 40), limits, n_steps);
        status = tern_script_compile(s, arena, model, diags);
        if (status == TERN_OK || status == TERN_ERR_MEMORY) break;
    }
    return status;
}
