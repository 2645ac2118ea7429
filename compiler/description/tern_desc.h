/* tern_desc.h : what a script says, checked, before any number is rounded
 * SPDX-License-Identifier: Apache-2.0
 *
 * compiler/language makes a tern_desc from Lua. compiler/lower expands connectivity, gives neurons and rows their
 * canonical order, chooses formats and rounds. Only compiler/language knows Lua. All memory belongs to the arena.
 * Declarations are kept in the order of the script's calls.
 */
#ifndef TERN_DESC_H
#define TERN_DESC_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_init_kind {
    TERN_INIT_ZERO,
    TERN_INIT_UNIFORM,
    TERN_INIT_CONSTANT,
    TERN_INIT_IMAGE,
    TERN_INIT_ARRAY
} tern_init_kind;
typedef struct tern_init {
    uint8_t kind;
    bool own;         /* the script gives it: tern.start() leaves it */
    double lo, hi;    /* constant: lo = hi = value */
    const char *path; /* image, array: the file */
    uint32_t n_names; /* array: 0: names of docs/13-weights.md; 1: all filters in one; else one for each filter */
    const char *const *names;
} tern_init;

typedef enum tern_pattern_kind {
    TERN_PATTERN_ALL,
    TERN_PATTERN_RANDOM,
    TERN_PATTERN_WINDOW,
    TERN_PATTERN_LIST
} tern_pattern_kind;

typedef struct tern_pair {
    uint32_t from, to;
    double weight;
} tern_pair; /* units; weight NAN: from init */

typedef struct tern_projection {
    uint32_t from, to; /* populations */
    uint32_t n_filters;
    uint8_t filters[TERN_MAX_FILTERS]; /* indices, ascending */
    uint8_t listed[TERN_MAX_FILTERS];  /* place of each in the script's list: arrays are named in its order */
    uint8_t pattern;                   /* tern_pattern_kind */
    bool allow_self;                   /* from == to: also unit to itself (default false) */
    double density;                    /* random: 0 < density <= 1 */
    uint64_t seed;                     /* random: of the draws */
    uint32_t window[2], stride[2];     /* window: size, stride; rows, columns. 1-D: [0] = 1; 3-D: in each plane */
    /* of the window of post unit (0,0), may be negative; parts off the source are cut */
    int32_t offset[2];
    size_t n_pairs;
    const tern_pair *pairs; /* list */
    tern_init init;
    uint32_t line;
} tern_projection;

typedef struct tern_pop_desc {
    tern_population pop; /* compiler/lower sets pos and neuron0 */
    int32_t self_filter; /* index or -1 */
    tern_init bias_init, self_init;
} tern_pop_desc;

enum { TERN_SIGNAL_AUTO = 99 };
typedef struct tern_format_desc {
    uint32_t weight_bits, weight_frac; /* default 16, 12 */
    uint32_t trace_frac;               /* default 8 */
    uint32_t learn_bits;               /* magnitude bits + sign of c, 8..16, default 12 */
    uint32_t lags;                     /* W, 0: chosen from kappa */
    int32_t signal_frac;               /* MF, -12..12; TERN_SIGNAL_AUTO: chosen from the network */
} tern_format_desc;

typedef struct tern_desc {
    char name[TERN_NAME_MAX + 1];
    char file[160]; /* as given by the user, for messages */
    char source_sha256[65];
    uint32_t n_populations;
    tern_pop_desc populations[TERN_MAX_POPULATIONS];
    uint32_t n_filters;
    tern_filter filters[TERN_MAX_FILTERS];
    size_t n_projections;
    tern_projection *projections;
    tern_rule rule;
    tern_format_desc formats;
    tern_data_spec data;
    uint64_t seed;
} tern_desc;

#ifdef __cplusplus
}
#endif
#endif /* TERN_DESC_H */
