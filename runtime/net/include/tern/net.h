/* net.h : a network as integers, all that an engine needs
 * SPDX-License-Identifier: Apache-2.0
 *
 * Freestanding (no libc). A tern_net only points to constant arrays: in a loaded image, or in a generated C file.
 * Numerics: docs/21-numerics.md. Positions: every population starts at a multiple of TERN_POS_ALIGN in its pool (inputs
 * have one pool, neurons another), so the layout of any number of lanes up to 32 is a regrouping of positions and never
 * changes a result.
 *
 * Threads: a network is constant: any number of threads may read it at once.
 */
#ifndef TERN_NET_H
#define TERN_NET_H
#include <stddef.h>
#include <stdint.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_POS_ALIGN 32u   /* positions; the largest number of lanes */
#define TERN_MAX_SAMPLES 32u /* K in one batch                         */
#define TERN_MAX_HISTORY 64u /* D + W                                  */
#define TERN_MAX_TAPS 32u    /* D                                      */
#define TERN_MAX_FILTERS 16u
#define TERN_MAX_NEURONS 65535u
#define TERN_MAX_POSITIONS 65536u   /* of either pool                         */
#define TERN_MAX_SYNAPSES 16777216u /* weight words, absent ones included   */
#define TERN_SIG_ENTRIES 512u
#define TERN_EXP_ENTRIES 355u
#define TERN_LOG_ENTRIES 256u
#define TERN_MAX_WTA 64u             /* neurons of a winner-take-all circuit   */
#define TERN_WEIGHT_ABSENT INT16_MIN /* in memory here; -2^(WB-1) in hardware */
#define TERN_NO_FILTER 255u
#define TERN_BIAS_FRAC 12u /* bias and self-memory weight: s4.12     */
#define TERN_ACC_FRAC 20u
#define TERN_U_FRAC 8u
#define TERN_U_MAX 2047 /* limit of |u|, s.8                      */
#define TERN_V_FRAC 12u
#define TERN_M_FRAC 14u /* modulator that is a weight of samples  */
#define TERN_DITHER_SELF 0u
#define TERN_DITHER_BIAS 1u

/* The third factor of learning, docs/21-numerics.md section 4. */
typedef enum tern_rule_kind {
    TERN_RULE_GEM = 0,
    TERN_RULE_MB = 1,
    TERN_RULE_IW = 2,
    TERN_RULE_REWARD = 3
} tern_rule_kind;
/* What is subtracted from the learning signal. SYNAPSE is for the golden model and the reference, no hardware. */
typedef enum tern_baseline_kind {
    TERN_BASELINE_NONE = 0,
    TERN_BASELINE_NEURON = 1,
    TERN_BASELINE_SYNAPSE = 2
} tern_baseline_kind;

typedef enum tern_row_kind {
    TERN_ROW_SHARED = 0, /* source pool: inputs, the same spikes in every sample */
    TERN_ROW_SAMPLE = 1  /* source pool: neurons, one history per sample         */
} tern_row_kind;

/* A run of synapses onto one neuron through one filter, from consecutive positions. */
typedef struct tern_row {
    uint32_t weight; /* index of its first weight in weights[]            */
    uint32_t first;  /* first position in the source pool                 */
    uint32_t count;  /* positions, absent ones included, >= 1             */
    uint32_t dither; /* dither index of position (first & ~31u), see N-14 */
    uint8_t filter;
    uint8_t kind; /* tern_row_kind */
} tern_row;

/* Neurons in processing order: all visible ones first. Rows of one neuron are consecutive: TERN_ROW_SAMPLE rows first,
 * then TERN_ROW_SHARED rows, each group by ascending filter, then ascending first. */
typedef struct tern_neuron {
    uint32_t pos;  /* position in the neuron pool        */
    uint32_t row0; /* first row                          */
    uint32_t n_rows;
    uint8_t self_filter; /* TERN_NO_FILTER: no self-memory     */
    uint8_t wta_size;    /* members of its WTA circuit, 2..64; 0: none. Members are neighbours in order and position */
    uint8_t wta_index;   /* 0..wta_size-1; 0 without circuit   */
} tern_neuron;

/* A learning set (numerics, section 1): how coefficients become weight changes. */
typedef struct tern_learn {
    uint8_t c_shift;     /* N-12, 15..30 */
    uint8_t c_frac;      /* FC; for people and the reference, engines use the others */
    uint8_t dither_bits; /* R  = FC + XF - WF, 1..31 */
    uint8_t local_bits;  /* RL = FC + XF - 12, 1..31 */
} tern_learn;

typedef struct tern_net {
    /* sizes */
    uint32_t n_inputs_pos;  /* positions of the input pool,  multiple of 32, may be 0 */
    uint32_t n_neurons_pos; /* positions of the neuron pool, multiple of 32           */
    uint32_t n_neurons;
    uint32_t n_visible; /* neurons 0..n_visible-1 */
    uint32_t n_rows;
    uint32_t n_weights; /* absent ones included */
    uint8_t n_filters;
    uint8_t taps_d;         /* D, 1..32 */
    uint8_t lags_w;         /* W, 1..64-D */
    uint8_t trace_frac;     /* XF, 4..8 */
    uint8_t weight_bits;    /* WB, 4..16 */
    uint8_t weight_frac;    /* WF, 0..12 */
    uint8_t rule;           /* tern_rule_kind */
    uint8_t baseline;       /* tern_baseline_kind; NONE with GEM */
    uint8_t baseline_shift; /* bs, 3..7 */
    uint8_t m_shift;        /* 12 - MF, 0..24: of modulators made from w, N-19 */
    tern_learn learn[2];    /* set 0: modulators that are weights of samples, set 1: made from w */
    uint16_t n_samples;     /* K the network is trained with, 1..32 */
    uint32_t gamma_f16;     /* 0..65536 */
    /* tables and structure */
    const uint16_t *filter_taps;  /* [n_filters][D], u1.XF, tau = 1..D  */
    const uint16_t *sig_f16;      /* [512] */
    const uint16_t *softplus_f12; /* [512] */
    const uint16_t *exp_f16;      /* [355] */
    const uint16_t *log_f12;      /* [256] */
    const tern_neuron *neurons;   /* [n_neurons] */
    const tern_row *rows;         /* [n_rows] */
    const uint16_t *ek0;          /* [W] initial learning coefficients, N-12 */
    const uint16_t *kap_f15;      /* [W] kappa^d, for baselines, N-20 */
    const int16_t *weights0;      /* [n_weights] initial weights, TERN_WEIGHT_ABSENT = no synapse */
    const int16_t *bias0_f12;     /* [n_neurons] */
    const int16_t *self0_f12;     /* [n_neurons] */
} tern_net;

/* Checks every size, index and order above (also that rows lie inside weights[] and pools and histories fit 64 bits;
 * the limits keep every sum within 64 bits). Engines rely on it. Returns TERN_OK, TERN_ERR_FORMAT or TERN_ERR_LIMIT;
 * `out_what` (may be NULL) names the first broken rule. */
tern_status tern_net_check(const tern_net *net, const char **out_what);

/* First neuron that learns from the learning signal w (learning set 1); n_neurons: none does. */
static inline uint32_t tern_net_signal_first(const tern_net *n)
{
    return n->rule == TERN_RULE_GEM ? n->n_neurons : n->rule == TERN_RULE_REWARD ? 0 : n->n_visible;
}
static inline const tern_learn *tern_net_learn(const tern_net *n, uint32_t neuron)
{
    return &n->learn[neuron >= tern_net_signal_first(n)];
}
/* Baselines that a state holds: per neuron, or one for each weight, then each bias, then each self-memory. */
static inline size_t tern_net_baselines(const tern_net *n)
{
    return n->baseline == TERN_BASELINE_NEURON    ? n->n_neurons
           : n->baseline == TERN_BASELINE_SYNAPSE ? (size_t)n->n_weights + 2u * (size_t)n->n_neurons
                                                  : 0;
}

#ifdef __cplusplus
}
#endif
#endif /* TERN_NET_H */
