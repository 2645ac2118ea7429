/* tern_history.h : spike history of one pre-synaptic unit, golden model of rtl/blocks/tern_history.v
 * SPDX-License-Identifier: Apache-2.0
 *
 * Before pass t bit q holds s(t-1-q). The pass of step t sees the history after the spikes of step t-1 have been
 * shifted in.
 */
#ifndef TERN_HISTORY_H
#define TERN_HISTORY_H
#include <stdint.h>

/* Shifts in the newest spike; keeps `bits` = D + W bits (1..64). */
static inline uint64_t tern_history_step(uint64_t history, unsigned spike, unsigned bits)
{
    return ((history << 1) | spike) & (~(uint64_t)0 >> (64u - bits));
}
#endif /* TERN_HISTORY_H */
