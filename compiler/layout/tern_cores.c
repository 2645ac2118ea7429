/* tern_cores.c : see tern_cores.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cores.h"

const tern_core_ops *tern_core_of(const tern_capacity *core)
{
    static const tern_core_ops *const ops[TERN_CORE_KINDS] = {
        [TERN_CORE_KIND_LARGE] = &tern_core_large_ops,
        [TERN_CORE_KIND_SMALL_RAM] = &tern_core_small_ram_ops,
        [TERN_CORE_KIND_SMALL_BANKS] = &tern_core_small_banks_ops,
        [TERN_CORE_KIND_SMALL_EXACT] = &tern_core_small_exact_ops,
    };
    return ops[core->small < TERN_CORE_KINDS ? core->small : TERN_CORE_KIND_SMALL_BANKS];
}

void tern_plan_use_skip(tern_plan *p, bool skip) { p->need.skip = skip && tern_core_of(&p->need)->parallel; }

void tern_plan_use_order(tern_plan *p, const tern_capacity *core) { tern_core_of(core)->order(p); }

size_t tern_core_memories(const tern_capacity *core, tern_memory out[TERN_CORE_MEMORIES])
{
    return tern_core_of(core)->memories(core, out);
}

uint32_t tern_core_multipliers(tern_family family, const tern_capacity *core)
{
    return tern_core_of(core)->multipliers(family, core);
}
