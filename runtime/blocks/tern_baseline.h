/* tern_baseline.h : what is subtracted from the learning signal, golden model of rtl/blocks/tern_baseline.v
 * SPDX-License-Identifier: Apache-2.0
 *
 * N-20: b and D of one neuron (or synapse) after a step with learning signals w^k and averaged errors g^k.
 * eq:mb-baseline of the paper.
 */
#ifndef TERN_BASELINE_H
#define TERN_BASELINE_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_baseline {
    int32_t b_f12;
    uint32_t weight;
} tern_baseline;

/* g = sat(rs(sum, shift), 13): 9 fraction bits. */
int16_t tern_baseline_error(int64_t sum, unsigned shift);
/* n values of g and w: K of them, or one for IW. shift: bs, 3..7. */
tern_baseline tern_baseline_step(tern_baseline old, const int16_t *g_f9, const int32_t *w_f12, uint32_t n,
                                 unsigned shift);

#ifdef __cplusplus
}
#endif
#endif /* TERN_BASELINE_H */
