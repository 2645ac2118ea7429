/* fast_lockstep.h : golden model and engine `fast` side by side on random networks, the whole state compared behind
 * every call
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_LOCKSTEP_H
#define FAST_LOCKSTEP_H
#include "tern/fast.h"
#include "tern_netsteps.h"

typedef struct fast_pair {
    tern_arena arena;
    tern_model m;
    tern_net net; /* that of the model, changed to reach limits */
    tern_state golden, fast;
    tern_fast *engine;
    uint32_t *in, *target;
    struct {
        tern_record_sink base;
        uint64_t digest, n;
    } sink[2];
    uint64_t seed;
    bool flood;       /* everybody spikes for long whiles, so that sums come near their bounds */
    const char *what; /* first array or number that differs; NULL: none */
    size_t index;     /* in it */
} fast_pair;

typedef struct fast_totals {
    uint64_t networks, steps, flushes, records, words, quick, split, wide;
} fast_totals;

/* Makes network, states and engine; false: out of memory, or a broken network (a defect). */
bool fast_pair_open(fast_pair *p, uint64_t seed, const char *isa, uint32_t threads);
/* Steps; false: the states differ, p->what and p->index say where. */
bool fast_pair_run(fast_pair *p, unsigned n_steps, fast_totals *sum);
void fast_pair_close(fast_pair *p);

#endif /* FAST_LOCKSTEP_H */
