/* tern_fast_places.h : the engine `fast`, counting where values are limited
 * SPDX-License-Identifier: Apache-2.0
 *
 * The counts of a tern_state say how often, by kind. Here they are also kept by neuron and by row. Both are sums of the
 * same numbers: the neurons' counts of a kind add up to the state's, and the rows' to those of the weights, but for
 * passes that the golden model makes (docs/24-fast-engine.md, section 4).
 */
#ifndef TERN_FAST_PLACES_H
#define TERN_FAST_PLACES_H
#include "tern/fast.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the caller, all 0 at first; it must stay where it is. Neurons of one shape are computed, and so counted,
 * together: at the first of them. `begins` ends such a group. Each engine of several that share a network counts its
 * own neurons. Counts grow in steps and flushes. */
typedef struct tern_fast_places {
    const uint8_t *begins;    /* [n_neurons] 1: this neuron is not counted with the one before it */
    tern_sat_counts *neurons; /* [n_neurons] all kinds except `logprob`, which has no place */
    uint64_t *rows;           /* [n_rows] weights; row r of all neurons of a group at row r of the first one */
} tern_fast_places;

/* As tern_fast_open_with(). places NULL: the same. */
tern_status tern_fast_open_places(tern_state *st, const tern_fast_options *o, const tern_fast_peers *peers,
                                  const tern_fast_places *places, tern_arena *arena, tern_fast **out,
                                  tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_FAST_PLACES_H */
