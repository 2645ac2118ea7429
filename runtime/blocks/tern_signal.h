/* tern_signal.h : the central processor: discounted log-probabilities and modulators, golden model of rtl/blocks/tern_signal.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_SIGNAL_H
#define TERN_SIGNAL_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* N-8: v' = sat(rs(gamma v, 16) - loss, 32). */
int32_t tern_signal_logprob(int32_t v_f12, uint32_t gamma_f16, uint32_t loss_f12, uint64_t *sat);

/* N-9, N-10: GEM modulators (softmax) of K = 1..32 samples. */
void tern_signal_gem(const int32_t *v_f12, uint32_t n_samples, const uint16_t *exp_f16, int16_t *out_m_f14);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SIGNAL_H */
