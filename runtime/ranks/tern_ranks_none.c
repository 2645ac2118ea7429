/* tern_ranks_none.c : a build without MPI: there is always one rank
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_ranks_internal.h"

const char *tern_wire_library(void) { return NULL; }

bool tern_wire_begin(uint32_t *out_index, uint32_t *out_count)
{
    *out_index = 0;
    *out_count = 1;
    return false;
}

bool tern_wire_exchange(uint32_t index, uint32_t count, uint8_t *all, const size_t *offset, double patience_s)
{
    (void)index, (void)count, (void)all, (void)offset, (void)patience_s;
    return false;
}

bool tern_wire_from_first(uint32_t index, uint32_t count, void *bytes, size_t n, double patience_s)
{
    (void)index, (void)count, (void)bytes, (void)n, (void)patience_s;
    return false;
}

void tern_wire_send(uint32_t to, const void *bytes, size_t n) { (void)to, (void)bytes, (void)n; }

size_t tern_wire_take(uint32_t *out_from, void *bytes, size_t most)
{
    (void)out_from, (void)bytes, (void)most;
    return 0;
}

void tern_wire_end(int status, bool abort) { (void)status, (void)abort; }
