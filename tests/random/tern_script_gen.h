/* tern_script_gen.h : random networks written in the language, and what is done with them
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_script s;
 *     unsigned attempt = 0;
 *     tern_script_build(&s, seed, &tern_script_any, 14, &arena, &model, &diags, &attempt); // tern_script_build.h
 *     tern_state_init(&st, &model.net, mem, bytes, model.net.n_samples, s.run.seed);
 *     tern_script_begin(&s.run, &model, &st);       // the state that the run begins with
 *     tern_script_play(&s.run, &model, model.net.n_samples, &arena, &engine);
 *
 * A seed gives a script (populations, filters, connections, rule, formats) and a run of it: steps with their frames,
 * rewards, flushes, clears, votes, other learning rates, states that are saved and loaded again. tern_script_play()
 * makes all that through the functions of a tern_script_engine, which may stand for one engine or for two that are
 * compared. tern_script_text() gives the Lua text, with the run in its comments. A script is kept as a list of
 * declarations so that a failing one can be made smaller (tern_script_shrink.h). What an engine cannot do is left out
 * by tern_script_limits. Everything depends on the seed alone.
 */
#ifndef TERN_SCRIPT_GEN_H
#define TERN_SCRIPT_GEN_H
#include <stdio.h>
#include "tern/model.h"

enum {
    TERN_SCRIPT_POPULATIONS = 12,
    TERN_SCRIPT_FILTERS = 6,
    TERN_SCRIPT_CONNECTS = 12,
    TERN_SCRIPT_PAIRS = 24,
    TERN_SCRIPT_OPS = 128,
    TERN_SCRIPT_TEXT = 1 << 16
};

enum { TERN_SCRIPT_FINE = 2000000 }; /* from this seed on a weight may have more fraction bits than bits */

/* What an engine can do. 0 of a number: none of it. */
typedef struct tern_script_limits {
    uint32_t rules;                                   /* bit 1 << tern_rule_kind */
    uint32_t samples, neurons, inputs, pairs, errors; /* K; units in all; neurons K; neurons K W */
    uint32_t taps, lags, history, sample_lags;        /* D, W, D + W, K W */
    uint32_t filters, weight_bits, learn_bits;
    uint32_t synapses;               /* about */
    uint32_t wta, classes;           /* members of a circuit; units of a label population */
    uint32_t dither_min, dither_max; /* R and RL; 0: 1..31 */
    bool synapse_baselines;
    bool no_states; /* no first states at their limits, no states that are saved and loaded */
    bool fine;      /* a series of seeds from TERN_SCRIPT_FINE on: it has to meet such weights */
} tern_script_limits;

extern const tern_script_limits tern_script_any;            /* every key of the language, sizes for thousands of runs */
extern const tern_script_limits tern_script_large;          /* the large core: no baselines per synapse */
extern const tern_script_limits tern_script_resident_large; /* rtl/boards/colorlight-i5/resident.json */
extern const tern_script_limits tern_script_resident_small; /* rtl/boards/icebreaker/resident.json */
extern const tern_script_limits tern_script_small;          /* the small core (docs/43-small-core.md) */
extern const tern_script_limits tern_script_small_rules;    /* one with every rule */

/* ---- a script ---- */

typedef enum tern_script_init_kind {
    TERN_SCRIPT_INIT_NONE,
    TERN_SCRIPT_INIT_ZERO,
    TERN_SCRIPT_INIT_CONSTANT,
    TERN_SCRIPT_INIT_UNIFORM,
    TERN_SCRIPT_INIT_ARRAY, /* not drawn by tern_script_make(): see script_arrays.c */
} tern_script_init_kind;
typedef struct tern_script_init {
    uint8_t kind;
    double lo, hi;
    /* ARRAY: 0: by the names of docs/13-weights.md; 1: the array aID; n + 1: a list of n, aID_0, aID_1, ... */
    uint8_t names;
    uint8_t id;
} tern_script_init; /* NONE: the key is left out */

typedef struct tern_script_population {
    uint8_t kind;   /* tern_pop_kind */
    uint8_t n_dims; /* 0: `size`, else `shape` */
    uint32_t dims[3];
    uint32_t wta;   /* 0: none */
    int32_t memory; /* filter declaration, -1: none */
    tern_script_init bias, memory_init;
} tern_script_population;

/* One declaration of filters: a set of `count` raised cosines, or one filter. */
typedef struct tern_script_filter {
    uint8_t kind;             /* tern_filter_kind */
    uint32_t count, duration; /* duration 0: left out (exponential, alpha) */
    double offset, peak, tau;
    double taps[TERN_MAX_TAPS];
} tern_script_filter;

typedef enum tern_script_pattern {
    TERN_SCRIPT_ALL_PATTERN,
    TERN_SCRIPT_RANDOM_PATTERN,
    TERN_SCRIPT_WINDOW_PATTERN,
    TERN_SCRIPT_LIST_PATTERN
} tern_script_pattern;
typedef struct tern_script_pair {
    uint32_t from, to;
    bool weighted;
    double weight;
} tern_script_pair;

typedef struct tern_script_connect {
    uint32_t n_from, n_to, n_filters;
    uint8_t from[TERN_SCRIPT_POPULATIONS], to[TERN_SCRIPT_POPULATIONS], filters[TERN_SCRIPT_FILTERS];
    uint8_t pattern; /* tern_script_pattern */
    bool self, own_seed;
    double density;
    uint64_t seed;
    uint32_t size[2], stride[2], n_pairs;
    int32_t offset[2];
    tern_script_pair pairs[TERN_SCRIPT_PAIRS];
    tern_script_init init;
} tern_script_connect;

/* ---- what is done with it ---- */

typedef enum tern_script_op_kind {
    TERN_SCRIPT_STEP,
    TERN_SCRIPT_REWARD,
    TERN_SCRIPT_FLUSH,
    TERN_SCRIPT_CLEAR,
    TERN_SCRIPT_VOTE,
    TERN_SCRIPT_EXAMPLE, /* a new example: counters and votes begin again */
    TERN_SCRIPT_RELOAD,  /* the state is saved and a fresh engine continues with it */
    TERN_SCRIPT_RATE,    /* flush, then other learning coefficients (arg: quarters of the first ones, 0..8) */
    TERN_SCRIPT_OPS_KINDS
} tern_script_op_kind;
typedef enum tern_script_frame_kind {
    TERN_SCRIPT_SILENT,
    TERN_SCRIPT_RARE,
    TERN_SCRIPT_RANDOM,
    TERN_SCRIPT_DENSE,
    TERN_SCRIPT_ALL,
    TERN_SCRIPT_BAR,
    TERN_SCRIPT_FRAMES_KINDS
} tern_script_frame_kind;

typedef struct tern_script_op {
    uint8_t kind, flags; /* STEP: TERN_STEP_LEARN, TERN_STEP_CLAMP */
    uint8_t frame;       /* STEP: tern_script_frame_kind */
    uint32_t arg;        /* STEP: number of the frame, equal numbers are equal frames (a recording shown again); REWARD:
                     seed; RATE: above */
} tern_script_op;

typedef struct tern_script_run {
    uint64_t seed;     /* of the engine's draws, frames, rewards and of the first state */
    uint32_t step, k0; /* numbers of the first step and sample */
    bool wild;         /* begins with a state at its limits instead of a fresh one */
    uint32_t n_ops;
    tern_script_op ops[TERN_SCRIPT_OPS];
} tern_script_run;

typedef struct tern_script {
    uint64_t seed; /* of the script: tern.seed */
    bool seed_given;
    const char *arrays; /* file of arrays; NULL: none */
    bool initial;       /* it gives all initial values that have no own ones */
    uint32_t n_populations, n_filters, n_connects;
    tern_script_population populations[TERN_SCRIPT_POPULATIONS];
    tern_script_filter filters[TERN_SCRIPT_FILTERS];
    tern_script_connect connects[TERN_SCRIPT_CONNECTS];
    /* rule */
    uint8_t rule, baseline; /* tern_rule_kind, tern_baseline_kind */
    double eta, gamma, kappa, tau, divide;
    uint32_t samples, memory, every; /* every 0: no schedule */
    bool gamma_given, kappa_given;
    /* formats; 0 of `formats`: no such call */
    bool formats, signal_given;
    uint32_t weight_bits, weight_frac, trace_frac, learn_bits, lags;
    int32_t signal;
    /* data; label -1: no label population */
    bool data, clear;
    int32_t label;
    uint32_t data_steps;
    tern_script_run run;
} tern_script;

/* Draws a script and its run of about n_steps steps. */
void tern_script_make(tern_script *s, uint64_t seed, const tern_script_limits *limits, unsigned n_steps);
/* Lua text, with the run as comments at its end. Returns its length, or 0 if it does not fit. */
size_t tern_script_text(const tern_script *s, char *out, size_t bytes);
/* Reads the run from the comments of such a text. False: there is none, or it is damaged. */
bool tern_script_read_run(const char *text, tern_script_run *out);

/* Compiles the script into *model; NULL in *out_why or the reason. */
tern_status tern_script_compile(const tern_script *s, tern_arena *arena, tern_model *model, tern_diags *diags);

/* ---- running ---- */

/* Initial state of the run: st is made by tern_state_init() with run->seed. */
void tern_script_begin(const tern_script_run *run, const tern_model *m, tern_state *st);
/* Frames of a step: inputs [n_inputs_pos/32], targets [n_neurons_pos/32]. */
void tern_script_frame(const tern_script_run *run, const tern_script_op *op, const tern_model *m, uint32_t *inputs,
                       uint32_t *targets);
/* Rewards [n_samples], s20.12. */
void tern_script_rewards(const tern_script_run *run, const tern_script_op *op, uint32_t n_samples, int32_t *reward_f12);
/* Learning coefficients [W] of a RATE. */
void tern_script_rate(const tern_script_op *op, const tern_net *net, uint16_t *ek);

/* An engine, or two beside each other. A function returns TERN_OK, or what ends the run; NULL: the engine does
 * nothing then (vote, example: engines without classes). */
typedef struct tern_script_engine {
    void *ud;
    tern_status (*step)(void *ud, const uint32_t *inputs, const uint32_t *targets, unsigned flags);
    tern_status (*reward)(void *ud, const int32_t *reward_f12);
    tern_status (*flush)(void *ud);
    tern_status (*clear)(void *ud);
    tern_status (*vote)(void *ud);
    tern_status (*example)(void *ud);
    tern_status (*reload)(void *ud);
    tern_status (*rate)(void *ud, const uint16_t *ek);
} tern_script_engine;

/* Makes every operation of the run, in order, until a function does not return TERN_OK. scratch: memory for frames,
 * from the arena. n_samples: K of the engine. */
tern_status tern_script_play(const tern_script_run *run, const tern_model *m, uint32_t n_samples, tern_arena *scratch,
                             const tern_script_engine *engine);

/* ---- coverage ---- */

enum {
    TERN_SCRIPT_HAS_GAP,        /* a row with positions without a unit in it */
    TERN_SCRIPT_HAS_GAP_GROUP,  /* 4 aligned ones or more, so whole words of a core of 4 lanes */
    TERN_SCRIPT_HAS_NEURON_GAP, /* the same in a row that reads neurons */
    TERN_SCRIPT_HAS_CIRCUIT,
    TERN_SCRIPT_HAS_VOTE,
    TERN_SCRIPT_HAS_SELF,
    TERN_SCRIPT_HAS_EMPTY_NEURON,
    TERN_SCRIPT_HAS_SINGLE, /* a row of one synapse */
    TERN_SCRIPT_HAS_CYCLE,  /* neurons read neurons */
    TERN_SCRIPT_HAS_WINDOW,
    TERN_SCRIPT_HAS_LIST,
    TERN_SCRIPT_HAS_RANDOM,
    TERN_SCRIPT_HAS_ABSENT,
    TERN_SCRIPT_HAS_K1,
    TERN_SCRIPT_HAS_K2,
    TERN_SCRIPT_HAS_K5,
    TERN_SCRIPT_HAS_K9,
    TERN_SCRIPT_HAS_K17,
    TERN_SCRIPT_HAS_K32, /* 1, 2..4, 5..8, 9..16, 17..31, 32 */
    TERN_SCRIPT_HAS_D1,
    TERN_SCRIPT_HAS_D32,
    TERN_SCRIPT_HAS_W1,
    TERN_SCRIPT_HAS_W_MOST, /* D + W = 64, or the most of the limits */
    TERN_SCRIPT_HAS_BITS4,
    TERN_SCRIPT_HAS_BITS16,
    TERN_SCRIPT_HAS_FINE, /* more fraction bits than bits in a weight */
    TERN_SCRIPT_HAS_LIMIT_WEIGHT,
    TERN_SCRIPT_HAS_NO_INPUT,
    TERN_SCRIPT_HAS_BASELINE,
    TERN_SCRIPT_HAS_SYNAPSE_BASELINE,
    TERN_SCRIPT_HAS_WILD,
    TERN_SCRIPT_HAS_RELOAD,
    TERN_SCRIPT_HAS_CLEAR,
    TERN_SCRIPT_HAS_FLUSH,
    TERN_SCRIPT_HAS_RATE,
    TERN_SCRIPT_HAS_GEM,
    TERN_SCRIPT_HAS_MB,
    TERN_SCRIPT_HAS_IW,
    TERN_SCRIPT_HAS_REWARD,
    TERN_SCRIPT_CLASSES
};
typedef struct tern_script_coverage {
    uint64_t networks, counts[TERN_SCRIPT_CLASSES];
} tern_script_coverage;

void tern_script_cover(tern_script_coverage *sum, const tern_script *s, const tern_model *m,
                       const tern_script_limits *limits);
/* Can a script within these limits be of this class at all? */
bool tern_script_reaches(unsigned class_index, const tern_script_limits *limits);
/* Prints one line; false: a class that the limits allow was never met (named on the line). */
bool tern_script_print_coverage(const tern_script_coverage *sum, const tern_script_limits *limits, FILE *out);

#endif /* TERN_SCRIPT_GEN_H */
