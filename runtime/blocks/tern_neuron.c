/* tern_neuron.c : see tern_neuron.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_neuron.h"

tern_neuron_out tern_neuron_step(tern_neuron_in in, const uint16_t *sig_f16, const uint16_t *softplus_f12)
{
    tern_neuron_out out;
    const uint32_t a = (uint32_t)(in.u_f8 < 0 ? -in.u_f8 : in.u_f8);
    const uint32_t n = a >> 2;
    out.p_f16 = in.u_f8 < 0 ? sig_f16[n] : 65536u - sig_f16[n];                              /* N-4 */
    out.spike = in.clamp ? in.target : in.draw < out.p_f16;                                  /* N-5 */
    out.e_f15 = (int16_t)(((int32_t)(out.spike ? 65536 : 0) - (int32_t)out.p_f16 + 1) >> 1); /* N-6 */
    const bool wrong_side = out.spike ? in.u_f8 < 0 : in.u_f8 > 0;                           /* z > 0 */
    out.l_f12 = (uint16_t)((wrong_side ? a << 4 : 0u) + softplus_f12[n]);                    /* N-7, u.8 -> u.12 */
    return out;
}
