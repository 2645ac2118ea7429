/* tern_ranks_internal.h : between tern_ranks.c and what does the sending
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RANKS_INTERNAL_H
#define TERN_RANKS_INTERNAL_H
#include "tern_ranks.h"

enum { E_NO_MPI = 170, E_LAUNCHER = 171, E_DIFFERENT = 174, E_WORD = 177, E_START = 178, E_OTHER = 179 };

/* tern_ranks_mpi.c, or without MPI tern_ranks_none.c. Return false if a rank is lost. */
const char *tern_wire_library(void);
bool tern_wire_begin(uint32_t *out_index, uint32_t *out_count); /* false: the library refuses */
bool tern_wire_exchange(uint32_t index, uint32_t count, uint8_t *all, const size_t *offset, double patience_s);
bool tern_wire_from_first(uint32_t index, uint32_t count, void *bytes, size_t n, double patience_s);
void tern_wire_send(uint32_t to, const void *bytes, size_t n);
size_t tern_wire_take(uint32_t *out_from, void *bytes, size_t most);
void tern_wire_end(int status, bool abort);

#endif /* TERN_RANKS_INTERNAL_H */
