/* tern_kernel.c : see tern_kernel.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_kernel.h"
#include "tern/fixed.h"

int16_t tern_kernel_coefficient(int16_t m, int16_t e_f15, uint16_t ek, unsigned c_shift, uint64_t *sat)
{
    const int32_t g = tern_saturate(tern_round_shift((int64_t)m * e_f15, 14), 16, sat); /* N-11 */
    return (int16_t)tern_saturate(tern_round_shift((int64_t)ek * g, c_shift), 16, sat); /* N-12 */
}

void tern_kernel_taps(const int32_t *sum_c, unsigned lags_w, const uint16_t *taps, unsigned taps_d, int64_t *out)
{
    for (unsigned q = 1; q < taps_d + lags_w; ++q) {
        int64_t f = 0;
        const unsigned d0 = q > taps_d ? q - taps_d : 0, d1 = q < lags_w ? q : lags_w; /* lags d0..d1-1 reach tap q */
        for (unsigned d = d0; d < d1; ++d) f += (int64_t)sum_c[d] * taps[q - d - 1];
        out[q - 1] = f;
    }
}
