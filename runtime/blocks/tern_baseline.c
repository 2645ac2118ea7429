/* tern_baseline.c : see tern_baseline.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_baseline.h"
#include "tern/fixed.h"

int16_t tern_baseline_error(int64_t sum, unsigned shift)
{
    uint64_t limited = 0; /* a long average is only weighed less than it could be: not counted */
    return (int16_t)tern_saturate(tern_round_shift(sum, shift), 13, &limited);
}

tern_baseline tern_baseline_step(tern_baseline old, const int16_t *g_f9, const int32_t *w_f12, uint32_t n,
                                 unsigned shift)
{
    int64_t sum = 0; /* 20 bits times 33 bits times K: 58 bits */
    uint32_t weight = old.weight - (old.weight >> shift);
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t q = (uint32_t)tern_round_shift((int64_t)g_f9[k] * g_f9[k], 4);
        sum += (int64_t)q * ((int64_t)w_f12[k] - old.b_f12);
        weight += q;
    }
    if (weight == 0) return (tern_baseline){ old.b_f12, 0 };
    const uint64_t size = (uint64_t)(sum < 0 ? -sum : sum), move = (size + (weight >> 1)) / weight;
    return (tern_baseline){ (int32_t)(sum < 0 ? old.b_f12 - (int64_t)move : old.b_f12 + (int64_t)move), weight };
}
