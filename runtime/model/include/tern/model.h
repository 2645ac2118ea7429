/* model.h : a compiled network with what people and recordings need besides the integers
 * SPDX-License-Identifier: Apache-2.0
 *
 * A tern_model is what the compiler makes from a script and what an image (NAME.tern) holds: the network (net.h), names
 * and shapes, the settings in real numbers (used by the double-precision reference and by reports, never by engines),
 * and how recordings become frames. All memory belongs to the arena that the model was made in.
 *
 * Threads: a model that is not being changed may be read by any number of threads at once; the functions change
 * nothing.
 */
#ifndef TERN_MODEL_H
#define TERN_MODEL_H
#include <stdbool.h>
#include "tern/arena.h"
#include "tern/diag.h"
#include "tern/net.h"
#include "tern/engine.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_NAME_MAX 47u /* letters, digits, '_' ; begins with a letter */
#define TERN_MAX_POPULATIONS 64u
#define TERN_MAX_PARTS 16u
#define TERN_MAX_PHASES 16u
#define TERN_MAX_SHIFT 16u

typedef enum tern_pop_kind { TERN_POP_INPUT, TERN_POP_HIDDEN, TERN_POP_VISIBLE } tern_pop_kind;

typedef struct tern_population {
    char name[TERN_NAME_MAX + 1];
    uint8_t kind;     /* tern_pop_kind */
    uint8_t n_dims;   /* 1..3 */
    uint32_t dims[3]; /* slowest first: {rows, columns}; unit = row * columns + column */
    uint32_t size;    /* product of dims */
    uint32_t pos;     /* first position in its pool, multiple of 32 */
    uint32_t neuron0; /* first neuron, for hidden and visible */
    uint32_t line;    /* of its declaration in the script */
    /* alternatives of a WTA circuit: its units in groups of this many, 2..64; 0: ordinary neurons */
    uint32_t wta;
} tern_population;

typedef enum tern_filter_kind {
    TERN_FILTER_COSINE,
    TERN_FILTER_EXP,
    TERN_FILTER_ALPHA,
    TERN_FILTER_USER
} tern_filter_kind;

typedef struct tern_filter {
    uint8_t kind;               /* tern_filter_kind */
    uint8_t n_taps;             /* 1..TERN_MAX_TAPS */
    double taps[TERN_MAX_TAPS]; /* a[1..n_taps] in real numbers, before rounding, 0 <= a < 2 */
    double cut_mass;            /* share of the filter's sum beyond n_taps, 0 for user taps */
} tern_filter;

typedef struct tern_rule {
    uint8_t kind;        /* tern_rule_kind */
    double eta;          /* > 0 */
    double eta_divide;   /* schedule: eta is divided by this ... (1: constant) */
    uint32_t eta_every;  /* ... every this many presentations (0: never)      */
    double gamma, kappa; /* 0..1 */
    uint32_t samples;    /* K, 1..32 */
    uint8_t baseline;    /* tern_baseline_kind */
    /* steps that the baseline's averages reach back: 8, 16, 32, 64 or 128; lambda = 1 - 1/memory */
    uint32_t memory;
    /* REWARD: time constant of the van Rossum distance in steps; 0: the signal is the caller's */
    double tau;
} tern_rule;

typedef enum tern_polarity { TERN_POL_MERGE, TERN_POL_ON, TERN_POL_OFF, TERN_POL_SEPARATE } tern_polarity;

/* A rectangle of the cropped window drives an input population, or is the target of a visible one. Its pixels in
 * row-major order are the population's units; width * height (* 2 with TERN_POL_SEPARATE: OFF plane first; * phases,
 * the first phase's planes first) must equal the population's size. */
typedef struct tern_part {
    uint32_t population;          /* index */
    uint32_t x, y, width, height; /* within the crop */
} tern_part;

typedef struct tern_data_spec {
    bool present;                                     /* false: the script has no data section */
    char format[16];                                  /* "auto", "aedat2", ... */
    bool mirror_x, mirror_y;                          /* x := sensor_width-1 - x, before the crop */
    uint32_t sensor_width, sensor_height;             /* 0: from the file */
    uint32_t crop_x, crop_y, crop_width, crop_height; /* 0,0,0,0: whole sensor */
    uint32_t window_us;                               /* length of a step */
    uint32_t steps;                                   /* per presentation */
    uint8_t polarity;                                 /* tern_polarity */
    /* The recording is cut into `phases` pieces of `phase_steps` steps, which are shown at the same time, each in
     * planes of its own; steps of the presentation behind them are empty. 1..16 and 1..255, both 0: it is shown as
     * it is. */
    uint8_t phases, phase_steps;
    /* Training moves each presentation by up to so many pixels of the sensor in x and y, 0..16; nothing else does */
    uint8_t shift;
    /* squares of scale x scale pixels of the crop become one, 1..256; 0 means 1. Parts count in the squares */
    uint32_t scale;
    uint32_t n_parts;
    tern_part parts[TERN_MAX_PARTS];
    /* visible population whose unit `label` is the target 1 in every step, others 0; -1: none */
    int32_t label_population;
    bool clear; /* clear histories and averages between presentations (default true) */
} tern_data_spec;

/* Planes that a part has: of polarities and phases. */
static inline uint32_t tern_data_planes(const tern_data_spec *d)
{
    return (d->polarity == TERN_POL_SEPARATE ? 2u : 1u) * (d->phases == 0 ? 1u : d->phases);
}
/* Steps of a recording that are shown: those of all phases. */
static inline uint32_t tern_data_steps(const tern_data_spec *d)
{
    return d->phases == 0 ? d->steps : (uint32_t)d->phases * d->phase_steps;
}

typedef struct tern_model {
    char name[TERN_NAME_MAX + 1];
    char source_sha256[65]; /* of the script and its modules, hex */
    tern_net net;
    uint32_t n_populations;
    tern_population populations[TERN_MAX_POPULATIONS];
    uint32_t n_filters; /* = net.n_filters */
    tern_filter filters[TERN_MAX_FILTERS];
    tern_rule rule;
    tern_data_spec data;
    uint64_t seed; /* of the script: initial weights, random projections */
    /* initial parameters in real numbers, before rounding; NAN where absent. Shapes as in net. NULL in a loaded image:
     * the reference then starts from the integers. */
    const double *real_weights0, *real_bias0, *real_self0;
    uint32_t presentations_done; /* training so far, for schedules and resume */
    const tern_state *state;     /* a saved state (weights etc.), or NULL: untrained */
} tern_model;

/* Learning coefficients for a learning rate: ek[d] = round(eta kappa^d 2^EF) with EF from FC and c_shift, W values,
 * 0..32767 (N-12). Used by the compiler and at schedule boundaries by every engine's driver. TERN_ERR_ARGUMENT if eta
 * does not fit 15 bits at this FC. */
tern_status tern_ek_from_eta(const tern_net *net, double eta, double kappa, uint16_t *out_ek);
/* Learning rate after `presentations` presentations of a rule's schedule. */
double tern_rule_eta_at(const tern_rule *rule, uint32_t presentations);

#ifdef __cplusplus
}
#endif
#endif /* TERN_MODEL_H */
