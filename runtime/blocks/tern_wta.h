/* tern_wta.h : a winner-take-all circuit: probabilities, spike, errors and cross-entropy of its members, golden model
 * of rtl/blocks/tern_wta.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WTA_H
#define TERN_WTA_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_wta_in {
    const int32_t *u_f8; /* [size] within +-2047 */
    uint32_t size;       /* C, 2..64 */
    uint16_t draw;
    bool clamp;      /* the spike is given by target */
    uint32_t target; /* member, or size: silence */
} tern_wta_in;

typedef struct tern_wta_out {
    uint32_t winner; /* member that spikes, or size */
    uint32_t l_f12;  /* at most 8 + 8 + log 65: 17 bits */
} tern_wta_out;

/* N-22..N-26. out_p_f16, out_e_f15: [size]. Tables of 355 and 256 entries. */
tern_wta_out tern_wta_step(const tern_wta_in *in, const uint16_t *exp_f16, const uint16_t *log_f12, uint32_t *out_p_f16,
                           int16_t *out_e_f15);

#ifdef __cplusplus
}
#endif
#endif /* TERN_WTA_H */
