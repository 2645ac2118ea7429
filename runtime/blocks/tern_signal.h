/* tern_signal.h : the central processor: discounted log-probabilities, modulators, learning signals; golden model of
 * rtl/blocks/tern_signal.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_SIGNAL_H
#define TERN_SIGNAL_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_LN2_F12 UINT32_C(2839)
#define TERN_LN2_F16 UINT32_C(45426)

/* exp(-x), x u.12, as u0.16 by table (N-9, N-22). exp_f16: [355]. */
static inline uint32_t tern_signal_exp(uint32_t x_f12, const uint16_t *exp_f16)
{
    const uint32_t q = x_f12 / TERN_LN2_F12, r = x_f12 % TERN_LN2_F12; /* exp(-x) = 2^-q exp(-r) */
    return q <= 16 ? (uint32_t)exp_f16[r >> 3] >> q : 0;
}
/* N-18: LN(x), u.12, 1 <= x < 2^24. log_f12: [256]. */
uint32_t tern_signal_log(uint32_t x, const uint16_t *log_f12);

/* N-8: v' = sat(rs(gamma v, 16) - loss, 32). */
int32_t tern_signal_logprob(int32_t v_f12, uint32_t gamma_f16, uint32_t loss_f12, uint64_t *sat);

/* N-9, N-10: softmax of K = 1..32 log-probabilities. Returns S, the sum of the E^k. */
uint32_t tern_signal_softmax(const int32_t *v_f12, uint32_t n_samples, const uint16_t *exp_f16, int16_t *out_m_f14);
/* 1/K: rK in .16 (section 4), and the modulator of visible neurons under MB in .14. */
static inline uint32_t tern_signal_inverse(uint32_t n_samples) { return (65536u + n_samples / 2u) / n_samples; }
static inline int16_t tern_signal_mean(uint32_t n_samples) { return (int16_t)((16384u + n_samples / 2u) / n_samples); }
/* rs(rK x, 16): a number per sample, divided by K. */
int32_t tern_signal_share(int32_t x_f12, uint32_t n_samples);
/* What N-17 subtracts: 45426 + LN(K) - LOG[0]. */
uint32_t tern_signal_log_offset(uint32_t n_samples, const uint16_t *log_f12);
/* N-17: log R from S of the softmax. */
int32_t tern_signal_log_mean(const int32_t *v_f12, uint32_t n_samples, uint32_t s_f16, const uint16_t *log_f12,
                             uint64_t *sat);
/* N-19: modulator of a neuron with baseline b. */
int16_t tern_signal_modulator(int32_t w_f12, int32_t b_f12, unsigned m_shift, uint64_t *sat);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SIGNAL_H */
