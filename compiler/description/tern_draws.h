/* tern_draws.h : the compiler's own random draws; none is shared with an engine (docs/21-numerics.md, section 7 has
 * theirs)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threefry-2x32; key and counter name what is drawn, so values do not depend on the order of evaluation.
 *
 *   purpose             key                     counter
 *   2 projection key    script seed             (projection, 2 << 28)             -> key of its initial weights
 *   3 pattern seed      script seed             (projection, 3 << 28)             -> 64-bit seed of a random
 *                                                                                pattern without its own
 *   4 random pattern    pattern seed            (from >> 1, 4 << 28 | to)         -> one word per pair: x0 for
 *                                                                                even, x1 for odd `from`
 *   5 initial weight    projection key          (from, 5 << 28 | filter << 16 | to)  filter: place in the
 *                                                                                projection's list
 *   6 bias, 7 memory    script seed             (unit, purpose << 28 | population)
 *   12 script           generator's seed        (n, 12 << 28 | n >> 32)            not 8: the simulated camera
 *                                                                                has 8..11, by its own seed
 */
#ifndef TERN_DRAWS_H
#define TERN_DRAWS_H
#include "tern_random.h"

#define TERN__DRAW_PROJECTION 2u
#define TERN__DRAW_PATTERN 3u
#define TERN__DRAW_PAIR 4u
#define TERN__DRAW_WEIGHT 5u
#define TERN__DRAW_BIAS 6u
#define TERN__DRAW_MEMORY 7u
#define TERN__DRAW_SCRIPT 12u

static inline void tern__draw(uint64_t seed, uint32_t c0, uint32_t purpose, uint32_t c1, uint32_t out[2])
{
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) }, ctr[2] = { c0, purpose << 28 | c1 };
    tern_threefry2x32(key, ctr, out);
}

/* 53 bits, 0 <= x < 1. */
static inline double tern__unit(const uint32_t w[2]) { return (double)(((uint64_t)w[1] << 32 | w[0]) >> 11) * 0x1p-53; }

#endif /* TERN_DRAWS_H */
