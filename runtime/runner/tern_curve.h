/* tern_curve.h : decisions on the way: what fewer steps, and fewer samples, of one run would have decided for
 * SPDX-License-Identifier: Apache-2.0
 *
 * Samples are independent, and a step knows nothing of later ones. So a run of T steps with K_I samples holds every
 * run of its first t steps with its first k samples; their decisions (N-27, N-28) only have to be read off in time.
 * The golden model of a user who asks earlier.
 */
#ifndef TERN_CURVE_H
#define TERN_CURVE_H
#include "tern/arena.h"
#include "tern/vote.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_CURVE_MARKS = 32 };

typedef struct tern_curve {
    size_t n_steps, n_samples;
    uint32_t steps[TERN_CURVE_MARKS];   /* t, ascending; 1.. */
    uint32_t samples[TERN_CURVE_MARKS]; /* k, ascending; the last is K_I */
    uint32_t n_classes;
    uint32_t *decisions; /* [n_steps][K_I] */
    uint16_t *spikes;    /* [n_steps][K_I][n_classes] */
    uint32_t *votes;     /* [n_classes] of the last call of tern_curve_winner */
    uint64_t *sums;      /* [n_classes] */
} tern_curve;

/* Takes lists over from `like` (the other members are ignored) and gets memory. */
tern_status tern_curve_init(tern_curve *c, const tern_curve *like, uint32_t n_classes, tern_arena *arena);
/* After tern_vote_step(): keeps what the samples k0.. of this batch decide for, if the step is one of `steps`. */
void tern_curve_step(tern_curve *c, const tern_vote *v, uint32_t k0);
/* The decision of samples 0 .. samples[j] - 1 after steps[i] steps; their votes are left in c->votes. */
uint32_t tern_curve_winner(tern_curve *c, size_t i, size_t j);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CURVE_H */
