/* tern_trace.c : see tern_trace.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_trace.h"

uint32_t tern_trace(uint64_t history, unsigned lag, const uint16_t *taps, unsigned taps_d)
{
    uint32_t x = 0;
    for (uint64_t bits = (history >> lag) & (~(uint64_t)0 >> (64u - taps_d)); bits != 0; bits &= bits - 1)
        x += taps[__builtin_ctzll(bits)];
    return x;
}
