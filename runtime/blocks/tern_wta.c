/* tern_wta.c : see tern_wta.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_wta.h"
#include "tern_signal.h"

tern_wta_out tern_wta_step(const tern_wta_in *in, const uint16_t *exp_f16, const uint16_t *log_f12, uint32_t *out_p_f16,
                           int16_t *out_e_f15)
{
    int32_t top = 0; /* potential of silence */
    for (uint32_t c = 0; c < in->size; ++c)
        if (in->u_f8[c] > top) top = in->u_f8[c];
    uint32_t sum = tern_signal_exp(16u * (uint32_t)top, exp_f16); /* N-22 */
    for (uint32_t c = 0; c < in->size; ++c)
        sum += out_p_f16[c] = tern_signal_exp(16u * (uint32_t)(top - in->u_f8[c]), exp_f16);
    tern_wta_out out = { .winner = in->clamp ? in->target : in->size };
    uint32_t reached = 0;
    for (uint32_t c = 0; c < in->size; ++c) {
        /* N-23; sum > 0: the largest term is */
        out_p_f16[c] = (uint32_t)((((uint64_t)out_p_f16[c] << 16) + (sum >> 1)) / sum);
        reached += out_p_f16[c];
        if (!in->clamp && out.winner == in->size && in->draw < reached) out.winner = c; /* N-24 */
    }
    for (uint32_t c = 0; c < in->size; ++c) {
        const int32_t e = ((int32_t)(c == out.winner ? 65536 : 0) - (int32_t)out_p_f16[c] + 1) >> 1; /* N-25 */
        out_e_f15[c] = (int16_t)(e > INT16_MAX ? INT16_MAX : e);
    }
    const int32_t u_s = out.winner < in->size ? in->u_f8[out.winner] : 0;
    /* 16 ln 2 in .12 */
    const int32_t l = 16 * (top - u_s) + (int32_t)tern_signal_log(sum, log_f12) - (int32_t)TERN_LN2_F16;
    out.l_f12 = l > 0 ? (uint32_t)l : 0;
    return out;
}
