/* tern_explain.h : what `tern explain` found out, for its two printers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_EXPLAIN_H
#define TERN_EXPLAIN_H
#include "tern_emit_common.h"
#include "tern_costs.h"
#include "tern_target.h"
#include "tern_cli.h"

#define EXPLAIN_LANES 6u /* 1, 2, 4, 8, 16, 32 */
#define EXPLAIN_SCHEDULE 4u
#define EXPLAIN_FORMATS 16u

/* All rows from one population to another through one filter. */
typedef struct explain_bundle {
    uint32_t from, to; /* populations */
    unsigned filter;
    uint64_t rows, positions, synapses, words; /* words: of `lanes` weights */
} explain_bundle;

typedef struct explain_format {
    char name[40], format[32];
    double least, most, step;
    const char *note;
} explain_format;

/* error: of ek[0], relative */
typedef struct explain_rate {
    uint32_t presentations;
    double eta;
    uint32_t ek0;
    double error;
} explain_rate;

typedef struct explain {
    const tern_model *model;
    tern_net net; /* with the parameters of a trained image */
    char layout[65];
    bool skip; /* silent words are left out */
    /* a baseline per synapse: no hardware runs it; plans, memories, cycles and costs are those of a baseline per neuron
     * */
    bool c_only;
    tern_net plan_net; /* what the plans are for: net, or with a baseline per neuron */
    tern__emit_comm comm;
    uint32_t lane_shift;
    const tern_target *target; /* NULL: none named */
    tern_core_choice core;
    tern_parallel parallel;                /* what is asked for */
    const tern_plan *plans[EXPLAIN_LANES]; /* NULL: beyond a limit of the core */
    const tern_plan *plan;                 /* = plans[lane_shift] */
    tern_plan *bare;                       /* [EXPLAIN_LANES] the same before a core was chosen */
    tern_step_cycles cycles[EXPLAIN_LANES];
    size_t n_bundles;
    explain_bundle *bundles;
    explain_format formats[EXPLAIN_FORMATS];
    size_t n_formats;
    double neglected; /* kappa^W */
    int ef;           /* ek[d] = eta kappa^d 2^ef */
    size_t n_rates;
    explain_rate rates[EXPLAIN_SCHEDULE];
    bool stops;           /* ek[0] becomes 0 ... */
    uint32_t stops_after; /* ... after this many presentations */
    tern_memory memories[TERN_CORE_MEMORIES];
    size_t n_memories;
    tern_costs costs;
    tern_fit fits[TERN_TARGETS];
} explain;

/* Fills everything but model, lane_shift, target and core, which are given. Memory is the arena's. */
tern_status explain_make(explain *e, tern_arena *arena, tern_diags *diags);
void explain_print(const explain *e, FILE *to);
json_t *explain_json(const explain *e); /* NULL: no memory */

#endif /* TERN_EXPLAIN_H */
