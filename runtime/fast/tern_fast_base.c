/* tern_fast_base.c : what every part of the engine `fast` needs: memory in whole cache lines, work for each thread
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_fast_internal.h"

void *tern_fast_aligned(tern_arena *arena, size_t count, size_t size, size_t *bytes)
{
    const size_t line = TERN_FAST_LINE, lines = (count * size + line - 1u) / line * line + line;
    unsigned char *p = tern_arena_get(arena, 1, lines);
    *bytes += lines;
    return p == NULL ? NULL : (void *)(p + (line - (uintptr_t)p % line) % line);
}

void tern_fast_each(tern_fast *f, void (*work_of)(void *ud, uint32_t i))
{
    if (f->pool != NULL && !f->listened) tern_threads_run(f->pool, work_of, f);
    else
        for (uint32_t i = 0; i < f->info.threads; ++i) work_of(f, i);
}
