/* tern_random.h : counter-based random numbers, golden model of rtl/blocks/tern_random.v
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threefry-2x32, 20 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011). A draw
 * depends only on key and counter, never on the order of evaluation. The draw ledger is docs/21-numerics.md, section 7.
 */
#ifndef TERN_RANDOM_H
#define TERN_RANDOM_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_DRAW_SPIKE = 0, TERN_DRAW_DITHER = 1 }; /* purposes inside an engine */

void tern_threefry2x32(const uint32_t key[2], const uint32_t ctr[2], uint32_t out[2]);

/* The 64 bits of (step, purpose, group, neuron): counter (step, purpose << 28 | group << 16 | neuron). */
void tern_random_block(uint64_t seed, uint32_t step, unsigned purpose, uint32_t group, uint32_t neuron,
                       uint32_t out[2]);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RANDOM_H */
