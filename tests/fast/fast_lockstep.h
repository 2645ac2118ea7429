/* fast_lockstep.h : golden model and engine `fast` side by side on random networks, the whole state compared behind
 * every call
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_LOCKSTEP_H
#define FAST_LOCKSTEP_H
#include <pthread.h>
#include "tern/fast.h"
#include "tern/threads.h"
#include "fast_places.h"
#include "tern_listener.h"
#include "tern_netsteps.h"

enum { FAST_PEERS = 5 };

/* Engines that share a network, each on a thread of its own. */
typedef struct fast_peers {
    uint32_t n;
    pthread_barrier_t met;
    uint8_t *all[FAST_PEERS];
    uint64_t sent[FAST_PEERS];
    struct fast_peer {
        struct fast_peers *of;
        uint32_t index;
    } one[FAST_PEERS];
    tern_threads *threads; /* NULL: one engine */
    /* engines with visible neurons; words of positions that engines have neurons in */
    uint64_t speakers, words;
    const tern_fast *first; /* engine 0 */
    uint64_t steps;         /* those whose spikes were sent */
    bool stepping;
} fast_peers;

typedef struct fast_pair {
    tern_arena arena;
    tern_model m;
    tern_net net;                        /* that of the model, changed to reach limits */
    tern_state golden, fast[FAST_PEERS]; /* [peers.n] */
    tern_fast *engine[FAST_PEERS];
    fast_peers peers;
    unsigned flags;
    uint32_t *in, *target;
    tern_listener sink[2];
    fast_golden_places places;
    uint64_t seed;
    bool flood;       /* everybody spikes for long whiles, so that sums come near their bounds */
    const char *what; /* first array or number that differs; NULL: none */
    size_t index;     /* in it */
} fast_pair;

typedef struct fast_totals {
    uint64_t networks, steps, flushes, records, words, quick, split, wide, placed;
} fast_totals;

/* Makes network, states and engines, at most `peers` that share the network; false: out of memory, or a broken network
 * (a defect). */
bool fast_pair_open(fast_pair *p, uint64_t seed, const char *isa, uint32_t threads, uint32_t peers);
/* Steps; false: the states differ, p->what and p->index say where. */
bool fast_pair_run(fast_pair *p, unsigned n_steps, fast_totals *sum);
void fast_pair_close(fast_pair *p);

#endif /* FAST_LOCKSTEP_H */
