/* tern_signal.c : see tern_signal.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_signal.h"
#include "tern/fixed.h"
#include "tern/net.h"

uint32_t tern_signal_log(uint32_t x, const uint16_t *log_f12)
{
    unsigned n = 0;
    while (x >> n > 1u) ++n;
    const uint32_t j = (n >= 8 ? x >> (n - 8u) : x << (8u - n)) & 255u;
    return ((TERN_LN2_F16 * n + 8u) >> 4) + log_f12[j];
}

int32_t tern_signal_logprob(int32_t v_f12, uint32_t gamma_f16, uint32_t loss_f12, uint64_t *sat)
{
    return tern_saturate(tern_round_shift((int64_t)gamma_f16 * v_f12, 16) - (int64_t)loss_f12, 32, sat);
}

static int32_t largest(const int32_t *v, uint32_t n)
{
    int32_t top = v[0];
    for (uint32_t k = 1; k < n; ++k)
        if (v[k] > top) top = v[k];
    return top;
}

uint32_t tern_signal_softmax(const int32_t *v_f12, uint32_t n_samples, const uint16_t *exp_f16, int16_t *out_m_f14)
{
    const int32_t top = largest(v_f12, n_samples);
    uint32_t weight[TERN_MAX_SAMPLES], sum = 0; /* u0.16; sum fits 21 bits */
    for (uint32_t k = 0; k < n_samples; ++k) {
        weight[k] = tern_signal_exp((uint32_t)((int64_t)top - v_f12[k]), exp_f16);
        sum += weight[k];
    }
    for (uint32_t k = 0; k < n_samples; ++k) /* the largest sample has weight > 0, so sum > 0 */
        out_m_f14[k] = (int16_t)((((uint64_t)weight[k] << TERN_M_FRAC) + (sum >> 1)) / sum);
    return sum;
}

int32_t tern_signal_share(int32_t x_f12, uint32_t n_samples)
{
    return (int32_t)tern_round_shift((int64_t)tern_signal_inverse(n_samples) * x_f12, 16);
}

uint32_t tern_signal_log_offset(uint32_t n_samples, const uint16_t *log_f12)
{
    return TERN_LN2_F16 + tern_signal_log(n_samples, log_f12) - log_f12[0]; /* 16 ln 2 in .12 is ln 2 in .16 */
}

int32_t tern_signal_log_mean(const int32_t *v_f12, uint32_t n_samples, uint32_t s_f16, const uint16_t *log_f12,
                             uint64_t *sat)
{
    const int64_t log_r = (int64_t)largest(v_f12, n_samples) + tern_signal_log(s_f16, log_f12) -
                          tern_signal_log_offset(n_samples, log_f12);
    return tern_saturate(log_r, 32, sat);
}

int16_t tern_signal_modulator(int32_t w_f12, int32_t b_f12, unsigned m_shift, uint64_t *sat)
{
    return (int16_t)tern_saturate(tern_round_shift((int64_t)w_f12 - b_f12, m_shift), 15, sat);
}
