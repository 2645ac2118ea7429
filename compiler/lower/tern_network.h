/* tern_network.h : internals of lower/: from the description to neurons and rows
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NETWORK_H
#define TERN_NETWORK_H
#include "tern_lower.h"

/* Codes (docs/60-errors.md). */
enum {
    TERN__E_TOO_BIG = 260,
    TERN__E_SYNAPSE_TWICE = 261,
    TERN__E_PAIR = 262,
    TERN__E_SHAPES = 263,
    TERN__E_TOO_MUCH_WORK = 264,
    TERN__E_IMAGE = 265,
    TERN__W_NO_SYNAPSE = 266,
    TERN__E_NET_MEMORY = 267,
    TERN__E_ARRAY = 268,
    TERN__W_ARRAY_LEFT = 269
};

#define TERN__RUN_GAP 16u          /* absent positions that a run may bridge */
#define TERN__MAX_TRIES (1u << 28) /* pairs that are looked at one by one    */
#define TERN__MAX_IMAGES 8u
#define TERN__NOT_GIVEN UINT32_MAX

/* Projections onto one population with one filter from one pool, in the script's order. */
typedef struct tern__group {
    size_t n;
    uint32_t *projections;
} tern__group;

/* Pairs of a list projection, grouped by target unit. */
typedef struct tern__list_index {
    uint32_t *start, *order;
} tern__list_index; /* start[to->size + 1] into order[] */

typedef struct tern__expander {
    const tern_desc *desc;
    tern_arena *arena;
    tern_model *model;
    tern_diags *diags;
    tern__group *groups;     /* [population][2 kinds][n_filters] */
    tern__list_index *lists; /* [projection]; empty for other patterns */
    uint64_t *keys;          /* [projection] of initial weights */
    /* one row group at a time, over positions of one pool */
    uint64_t *bits;               /* synapse here?                                  */
    uint32_t *owner;              /* projection                                     */
    double *weight;               /* given by a list, NAN: from init                */
    uint32_t lo, hi;              /* words of bits[] that are in use: lo..hi-1      */
    uint32_t twice_pos, twice_by; /* first synapse made twice                  */
    bool twice;
    uint32_t n_images;
    struct {
        const char *path;
        tern_model *model;
    } images[TERN__MAX_IMAGES];
    /* arrays of files, tern_given.c; their numbers are needed no longer than the expander */
    tern_arena scratch;
    struct tern__given *given;
    uint32_t n_given, room_given;
    uint64_t n_given_items;
    uint32_t *given_of; /* [projection][TERN_MAX_FILTERS] into given[]    */
    uint32_t given_bias[TERN_MAX_POPULATIONS], given_self[TERN_MAX_POPULATIONS];
} tern__expander;

static inline tern__group *tern__group_of(const tern__expander *x, uint32_t population, unsigned kind, unsigned filter)
{
    return &x->groups[((size_t)population * 2u + kind) * x->desc->n_filters + filter];
}

/* tern_patterns.c */
/* Upper bound of weight words without gaps: exact for all, window and list, expected value for random. */
double tern__projection_synapses(const tern_desc *d, const tern_projection *q);
tern_status tern__patterns_prepare(tern__expander *x);
/* Marks the synapses of a projection onto unit `to` in bits[] and owner[]. */
void tern__pattern_mark(tern__expander *x, uint32_t projection, uint32_t to);

/* tern_initial.c */
tern_status tern__initial_prepare(tern__expander *x);
double tern__initial_weight(const tern__expander *x, uint32_t projection, unsigned filter, uint32_t from, uint32_t to,
                            size_t weight_index);
void tern__initial_locals(const tern__expander *x, double *bias, double *self);
/* Images can only be compared once rows are known. */
tern_status tern__initial_check_images(tern__expander *x);

/* tern_given.c: arrays of files */
tern_status tern__given_prepare(tern__expander *x);
/* `place`: of the filter in the projection's list; units. */
double tern__given_weight(const tern__expander *x, uint32_t projection, unsigned place, uint32_t from, uint32_t to);
double tern__given_local(const tern__expander *x, uint32_t given, uint32_t unit);
/* Warns of numbers that no synapse has taken. */
void tern__given_finish(const tern__expander *x);

#endif /* TERN_NETWORK_H */
