/* tern_kernel.h : learning coefficients and learning kernel of one neuron, golden model of
 * rtl/blocks/tern_coefficient.v and of the kernel in rtl/core/tern_prepare.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_KERNEL_H
#define TERN_KERNEL_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* N-11, N-12: coefficient of one sample and lag; *sat counts saturations of either rule. */
int16_t tern_kernel_coefficient(int16_t m, int16_t e_f15, uint16_t ek, unsigned c_shift, uint64_t *sat);

/* Kernel form of N-13: out[q-1] = sum_d sum_c[d] taps[q-d-1], q = 1..D+W-1, exact, FC + XF fraction bits.
 * sum_c: [W], the coefficients summed over samples. */
void tern_kernel_taps(const int32_t *sum_c, unsigned lags_w, const uint16_t *taps, unsigned taps_d, int64_t *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_KERNEL_H */
