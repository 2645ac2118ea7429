/* fast_places.h : where the engine `fast` says that values were limited, against the golden model's records
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_PLACES_H
#define FAST_PLACES_H
#include "fast_compare.h"
#include "tern/arena.h"
#include "tern_fast_places.h"

/* Golden counts are made of records: W, B, S and N tell whether they were limited. */
typedef struct fast_golden_places {
    tern_record_sink base;
    tern_record_sink *next; /* records go on to it; NULL: they end here */
    const tern_net *net;
    uint32_t *row_of;    /* [n_weights] */
    uint32_t *neuron_of; /* [n_rows]    */
    tern_sat_counts *neurons;
    uint64_t *rows;
    tern_fast_places fast; /* counts of the engine */
    bool strange;          /* a pass may have been made by the golden model: it counts no places */
} fast_golden_places;

/* False: out of memory. Groups end where bits of `seed` say. */
bool fast_places_open(fast_golden_places *p, const tern_net *net, uint64_t seed, tern_arena *arena);
/* Sums over the neurons from one that begins to the next one. sat: the engine's counts of all, NULL: not compared. */
bool fast_places_compare(fast_difference *d, const fast_golden_places *p, const tern_sat_counts *sat);

#endif /* FAST_PLACES_H */
