/* tern_potential.h : membrane potential, golden model of rtl/blocks/tern_potential.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_POTENTIAL_H
#define TERN_POTENTIAL_H
#include <stdbool.h>
#include "tern/fixed.h"
#include "tern/net.h"

/* Start of N-2: bias s4.12 and self-memory weight s4.12 times its trace u.XF, to s.20. */
static inline int64_t tern_potential_local(int16_t bias_f12, int16_t self_f12, uint32_t x, unsigned trace_frac)
{
    const int64_t one = 1; /* a product, since shifting a negative number left is undefined */
    return bias_f12 * (one << (TERN_ACC_FRAC - TERN_BIAS_FRAC)) +
           self_f12 * (int64_t)x * (one << (TERN_ACC_FRAC - TERN_BIAS_FRAC - trace_frac));
}

/* A row's exact sum of weight times trace, WF + XF fraction bits, to s.20. */
static inline int64_t tern_potential_scale(int64_t sum, unsigned weight_frac, unsigned trace_frac)
{
    return sum * ((int64_t)1 << (TERN_ACC_FRAC - weight_frac - trace_frac));
}

/* N-3: u s.8 within +-2047. */
static inline int32_t tern_potential_round(int64_t acc_f20, bool *limited)
{
    const int64_t u = tern_round_shift(acc_f20, TERN_ACC_FRAC - TERN_U_FRAC);
    *limited = u > TERN_U_MAX || u < -TERN_U_MAX;
    return u > TERN_U_MAX ? TERN_U_MAX : u < -TERN_U_MAX ? -TERN_U_MAX : (int32_t)u;
}
#endif /* TERN_POTENTIAL_H */
