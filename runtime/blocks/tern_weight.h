/* tern_weight.h : change of one weight, golden model of rtl/blocks/tern_weight.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WEIGHT_H
#define TERN_WEIGHT_H
#include <stdint.h>
#include "tern/fixed.h"

static inline uint32_t tern_bitreverse32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

/* N-14: dither of R bits (1..31) for the synapse with dither index idx. */
static inline uint32_t tern_weight_dither(uint32_t idx, uint32_t s_word, unsigned dither_bits)
{
    return (tern_bitreverse32(idx) ^ s_word) >> (32u - dither_bits);
}

/* Kernel form of N-13: sum of kernel[q-1] over q = 1..n_kernel with s(t-q) = 1. Bit 0 of `history` is s(t) (the pass of
 * step t+1), so s(t-q) is bit q. */
static inline int64_t tern_weight_kernel_sum(uint64_t history, const int64_t *kernel, unsigned n_kernel)
{
    int64_t dw = 0;
    for (uint64_t bits = (history >> 1) & (~(uint64_t)0 >> (64u - n_kernel)); bits != 0; bits &= bits - 1)
        dw += kernel[__builtin_ctzll(bits)];
    return dw;
}

/* N-15: w' = sat(w + ((dw + r) >> R), bits). */
static inline int16_t tern_weight_step(int16_t w, int64_t dw, uint32_t r, unsigned dither_bits, unsigned weight_bits,
                                       uint64_t *sat)
{
    return (int16_t)tern_saturate((int64_t)w + ((dw + (int64_t)r) >> dither_bits), weight_bits, sat);
}
#endif /* TERN_WEIGHT_H */
