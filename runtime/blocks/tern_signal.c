/* tern_signal.c : see tern_signal.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_signal.h"
#include "tern/fixed.h"
#include "tern/net.h"

enum { LN2_F12 = 2839 };

int32_t tern_signal_logprob(int32_t v_f12, uint32_t gamma_f16, uint32_t loss_f12, uint64_t *sat)
{
    return tern_saturate(tern_round_shift((int64_t)gamma_f16 * v_f12, 16) - (int64_t)loss_f12, 32, sat);
}

void tern_signal_gem(const int32_t *v_f12, uint32_t n_samples, const uint16_t *exp_f16, int16_t *out_m_f14)
{
    int32_t v_max = v_f12[0];
    for (uint32_t k = 1; k < n_samples; ++k)
        if (v_f12[k] > v_max) v_max = v_f12[k];
    uint32_t weight[TERN_MAX_SAMPLES], sum = 0; /* u0.16; sum fits 21 bits */
    for (uint32_t k = 0; k < n_samples; ++k) {
        const uint32_t a = (uint32_t)((int64_t)v_max - v_f12[k]);
        const uint32_t q = a / LN2_F12, r = a % LN2_F12; /* exp(-a) = 2^-q exp(-r) */
        weight[k] = q <= 16 ? (uint32_t)exp_f16[r >> 3] >> q : 0;
        sum += weight[k];
    }
    for (uint32_t k = 0; k < n_samples; ++k) /* the largest sample has weight > 0, so sum > 0 */
        out_m_f14[k] = (int16_t)((((uint64_t)weight[k] << TERN_M_FRAC) + (sum >> 1)) / sum);
}
