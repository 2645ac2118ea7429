/* tern_costs.h : what a step costs: multiplications, additions, memory, communication, next to the form with
 * eligibility traces
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_COSTS_H
#define TERN_COSTS_H
#include "tern_plan.h"
#ifdef __cplusplus
extern "C" {
#endif

enum tern_cost_part {
    TERN_COST_POTENTIAL,
    TERN_COST_TRACE,
    TERN_COST_UPDATE,
    TERN_COST_KERNEL,
    TERN_COST_COEFFICIENT,
    TERN_COST_LOCAL,
    TERN_COST_SIGNAL,
    TERN_COST_PARTS
};
extern const char *const tern_cost_names[TERN_COST_PARTS];

typedef struct tern_ops {
    uint64_t multiplications, additions;
} tern_ops;

/* Counts are for a step that learns with an update pending, and for synapses (not for positions without one, which the
 * lanes pass over). */
typedef struct tern_costs {
    uint64_t synapses_shared; /* from inputs: the same spikes in all samples */
    uint64_t synapses_sample; /* from neurons                                */
    uint64_t self_memories;
    tern_ops kernel[TERN_COST_PARTS];      /* as the hardware does it                         */
    tern_ops eligibility[TERN_COST_PARTS]; /* eq:gem-update with one eligibility per parameter and sample */
    uint64_t eligibility_words;            /* K for each parameter, 16 bits each              */
    uint64_t kernel_words;                 /* errors in their place, 16 bits each             */
    /* W more history bits for each position, so that the traces of the past can be found again */
    uint64_t kernel_history_bits;
    /* numbers per step from neurons to the central processor (K|X|) and back (by rule) */
    uint64_t unicast, broadcast;
} tern_costs;

void tern_costs_count(const tern_plan *plan, tern_costs *out);
static inline uint64_t tern_costs_bits_saved(const tern_costs *c) /* may be 0: a long window for few synapses */
{
    const uint64_t with = 16u * c->eligibility_words, without = 16u * c->kernel_words + c->kernel_history_bits;
    return with > without ? with - without : 0;
}

/* Predicted cycles; of a large core exact if what would take long to count was asked for only up to a limit, of a small
 * core estimated. */
typedef struct tern_step_cycles {
    bool exact;        /* false: the numbers are lower bounds (the operations of the pass), or ... */
    bool estimated;    /* ... those of a small core, or ...                                  */
    bool most;         /* ... of a core that leaves silent words out, if there is none: the most */
    uint64_t learning; /* a step that learns, with an update pending: every step but the first */
    uint64_t first;    /* a step that learns, without                                        */
    uint64_t inference, flush;
    /* of estimated and most: what the four take at least and at most; else 0 */
    tern_cycle_range learning_range, first_range, inference_range, flush_range;
} tern_step_cycles;
void tern_costs_cycles(const tern_plan *plan, tern_step_cycles *out);
/* The cycles of one of them: a step that learns, with an update pending, or one of inference. */
uint64_t tern_costs_step(const tern_plan *plan, bool learns);

#ifdef __cplusplus
}
#endif
#endif /* TERN_COSTS_H */
