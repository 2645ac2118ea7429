/* tern_neuron.h : spike, error and cross-entropy of one neuron, golden model of rtl/blocks/tern_neuron.v
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NEURON_H
#define TERN_NEURON_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_neuron_in {
    int32_t u_f8; /* within +-2047 */
    uint16_t draw;
    bool clamp; /* spike is given by target */
    bool target;
} tern_neuron_in;

typedef struct tern_neuron_out {
    uint32_t p_f16; /* 1..65535 */
    bool spike;
    int16_t e_f15;
    uint16_t l_f12; /* at most 8 + ln 2: fits */
} tern_neuron_out;

/* N-4..N-7. Tables of 512 entries (docs/21-numerics.md, section 6). */
tern_neuron_out tern_neuron_step(tern_neuron_in in, const uint16_t *sig_f16, const uint16_t *softplus_f12);

#ifdef __cplusplus
}
#endif
#endif /* TERN_NEURON_H */
