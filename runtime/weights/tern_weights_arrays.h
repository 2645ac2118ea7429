/* tern_weights_arrays.h : which arrays a network has (inside runtime/weights only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WEIGHTS_ARRAYS_H
#define TERN_WEIGHTS_ARRAYS_H
#include "tern_weights.h"

enum {
    TERN__W_READ = 150,
    TERN__W_MISSING = 151,
    TERN__W_SHAPE = 152,
    TERN__W_NETWORK = 153,
    TERN__W_VALUE = 154,
    TERN__W_REFUSED = 155,
    TERN__W_LARGE = 157,
    TERN__W_NIR_LOSS = 158,
    TERN__W_NIR = 159
};
enum { TERN__W_VERSION = 1, TERN__W_STATES = 32 };
#define TERN__W_ITEMS ((uint64_t)1 << 28) /* of all arrays of weights together */

/* Synapses from one population to another through one filter: an array [units of `to`][units of `from`]. */
typedef struct tern__projection {
    uint8_t to, from, filter; /* populations, filter */
    uint32_t n_to, n_from;
    size_t first; /* of its items, where those of all projections lie one after the other */
} tern__projection;

typedef struct tern__projections {
    const tern_model *model;
    size_t n, n_items;
    tern__projection *list; /* in the order of targets, sources, filters */
    int32_t *index;         /* [to < n_populations][from][filter], -1: none */
} tern__projections;

/* TERN_ERR_MEMORY; TERN_ERR_LIMIT: more than TERN__W_ITEMS. */
tern_status tern__projections_find(const tern_model *model, tern_arena *arena, tern__projections *out);
/* "weights/SOURCE/TARGET/FILTER"; `what`: "weights" or "mask". */
void tern__projection_name(const tern_model *model, const tern__projection *p, const char *what,
                           char out[TERN_STORE_NAME]);
/* Every synapse: index in weights[], and item among those of all projections. */
typedef void tern__synapse(void *ud, uint32_t weight, size_t item);
void tern__projections_walk(const tern__projections *p, tern__synapse *each, void *ud);

/* Numbers of a state that are no arrays. */
typedef struct tern__state_numbers {
    uint64_t version, presentations, step, lag_head, pending, k0, samples, seed, sat[6], comm[2];
} tern__state_numbers;
void tern__state_numbers_get(const tern_model *model, tern__state_numbers *out);
/* The arrays of a state and its numbers, named "state/...", each with where its items lie. Returns how many. */
size_t tern__state_arrays(const tern_net *net, const tern_state *st, tern__state_numbers *numbers,
                          tern_store_array out[TERN__W_STATES]);

/* A graph of the Neuromorphic Intermediate Representation (docs/13-weights.md, section 5). Codes 157, 158 (a note),
 * 159. */
tern_status tern__nir_export(const tern_model *model, const char *path, tern_arena *arena, tern_diags *diags);
/* Delay of tau steps in the graph: in seconds if the model says how long a step is, else in steps. */
double tern__nir_delay(const tern_model *model, double tau);

/* Do neurons of this population have a self-memory? */
bool tern__has_memory(const tern_model *model, uint32_t population);

#endif /* TERN_WEIGHTS_ARRAYS_H */
