/* tern_experiment.h : the paper's experiments as tables of trainings
 * SPDX-License-Identifier: Apache-2.0
 *
 * An experiment is a table of trainings: every combination of rule, number of hidden neurons, samples K and seed. A
 * training is a list of commands that anybody can type (`tern train`, `tern eval`), run as child processes of this
 * executable; what they print is kept in one small JSON file a training, DIR/parts/NAME.json. All results are made of
 * these files alone, so neither interruptions nor the number of jobs can be seen in them. docs/50-experiments.md
 * describes all of it.
 *
 *     tern_exp_defaults(&set, TERN_EXP_DIGITS2, false); ... change lists ...
 *     tern_exp_open(&e, &set, "out/digits2", diags)      checks settings, locks DIR, prepares the data
 *     tern_exp_run(&e, jobs, diags)                      what is not done yet
 *     tern_exp_write(&e, diags)                          results.csv, results.json, report.html
 *     tern_exp_close(&e)
 */
#ifndef TERN_EXPERIMENT_H
#define TERN_EXPERIMENT_H
#include "tern_json.h"
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/data.h"
#include "tern/diag.h"
#include "tern/metrics.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_exp_kind {
    TERN_EXP_MEMORISE,
    TERN_EXP_DIGITS2,
    TERN_EXP_DIGITS3,
    TERN_EXP_RULES,
    TERN_EXP_VOTING,
    TERN_EXP_KINDS
} tern_exp_kind;
extern const char *const tern_exp_names[TERN_EXP_KINDS];

enum { TERN_EXP_LIST_MAX = 32, TERN_EXP_TRAININGS_MAX = 10000 };
typedef struct tern_exp_list {
    size_t n;
    uint32_t v[TERN_EXP_LIST_MAX];
} tern_exp_list;

enum { TERN_EXP_GEM, TERN_EXP_MB, TERN_EXP_IW, TERN_EXP_RULE_KINDS };
extern const char *const tern_exp_rules[TERN_EXP_RULE_KINDS]; /* "gem", "mb", "iw" */

/* What else an experiment `voting` does to the recordings and to the script: a name and pairs KEY=VALUE. Keys of the
 * camera (noise, mismatch, ...) change how recordings are made, eta-factor the learning rate, all others the script. */
enum { TERN_EXP_VARIANTS_MAX = 16, TERN_EXP_PAIRS_MAX = 8 };
typedef struct tern_exp_variant {
    char name[25];
    size_t n_camera, n_sets;
    const char *camera[TERN_EXP_PAIRS_MAX], *sets[TERN_EXP_PAIRS_MAX];
    double eta_factor;  /* of the script's learning rate */
    bool eta_fixed;     /* the same for every length of a presentation */
    double eta;         /* of the script with this variant's settings; found by tern_exp_open */
    char *train, *test; /* data sets that children are given; likewise */
} tern_exp_variant;

typedef struct tern_exp_settings {
    tern_exp_kind kind;
    const char *model;                /* script; NULL: the experiment's own, found in `share` */
    const char *share;                /* Tern's folder, which holds models/ */
    tern_exp_list rules;              /* TERN_EXP_GEM, ... */
    tern_exp_list hidden;             /* |H|; 0: a script without hidden neurons (memorise only) */
    tern_exp_list samples;            /* K of the training, 1..32 */
    tern_exp_list presentations;      /* points of measurement, ascending; 0: before training */
    tern_exp_list inference;          /* K_I, 1..256; empty: as many as in the training */
    tern_exp_list classes;            /* digits */
    uint32_t seeds;                   /* seeds 1..N */
    uint32_t train_count, test_count; /* recordings of a class */
    const char *data, *test;          /* given data sets; NULL: made */
    /* IDX files to move before the camera; test_images NULL: later ones of `images` */
    const char *images, *labels, *test_images, *test_labels;
    size_t n_variants; /* voting; others: 0 */
    tern_exp_variant variants[TERN_EXP_VARIANTS_MAX];
    tern_exp_list lengths; /* voting: steps of a presentation, descending; empty: the script's */
    tern_exp_list decide;  /* voting: after how many steps is decided; those above a length are left out */
    double target;         /* voting: the accuracy that is wanted */
    size_t n_sets;         /* --set, for all trainings */
    const char *const *sets;
} tern_exp_settings;

/* The quick or the full setting of an experiment. */
void tern_exp_defaults(tern_exp_settings *s, tern_exp_kind kind, bool full);

/* ---- what is measured: name in CSV and JSON, name in pages ------------------------------------------------------- */

/* clang-format off */
#define TERN_EXP_METRIC_MAP(XX) \
    XX(LOG_LOSS,         log_loss,         "log-loss per step") \
    XX(LOG_LOSS_IW,      log_loss_iw,      "log-loss per step, importance-weighted") \
    XX(LOG_LIKELIHOOD,   log_likelihood,   "log-likelihood") \
    XX(ACCURACY,         accuracy,         "accuracy") \
    XX(ECE,              ece,              "calibration error") \
    XX(ECE_DEBIASED,     ece_debiased,     "calibration error, less what chance adds") \
    XX(ECE_ADAPTIVE,     ece_adaptive,     "calibration error, bins of equal numbers") \
    XX(ECE_VOTES,        ece_votes,        "calibration error of the share of the votes") \
    XX(ECE_VOTES_DEBIASED, ece_votes_debiased, "the same, less what chance adds") \
    XX(ECE_SQUARED,      ece_squared,      "mean square of the calibration gaps") \
    XX(ECE_VOTES_SQUARED, ece_votes_squared, "the same of the share of the votes") \
    XX(ENTROPY_RIGHT,    entropy_right,    "entropy, right") \
    XX(ENTROPY_WRONG,    entropy_wrong,    "entropy, wrong") \
    XX(HIDDEN_RATE,      hidden_rate,      "spikes per hidden neuron, step and sample") \
    XX(HIDDEN_SPIKES,    hidden_spikes,    "hidden spikes per step") \
    XX(UNICAST,          unicast,          "unicast") \
    XX(BROADCAST,        broadcast,        "broadcast")
/* clang-format on */
typedef enum tern_exp_metric {
#define XX(ID, name, text) TERN_EXP_##ID,
    TERN_EXP_METRIC_MAP(XX)
#undef XX
        TERN_EXP_METRICS
} tern_exp_metric;
extern const char *const tern_exp_metric_names[TERN_EXP_METRICS];
/* those before are of an evaluation, the others of the whole training */
enum { TERN_EXP_EVAL_METRICS = TERN_EXP_HIDDEN_SPIKES };

/* One row of the results: a training measured at one place with one K_I. NAN: there is no such number. */
typedef struct tern_exp_row {
    uint32_t rule, hidden, samples, seed, presentations, inference;
    double m[TERN_EXP_METRICS];
} tern_exp_row;

typedef struct tern_exp_training {
    uint32_t rule, hidden, samples, seed;
    uint32_t variant, length; /* voting: which of set.variants; steps of a presentation. Others: 0 */
    char name[80];            /* "gem-h20-k05-s1", voting: "plain-t80-gem-h4-k05-s1" */
    bool done;
} tern_exp_training;

typedef struct tern_exp {
    tern_exp_settings set;
    const char *dir;
    tern_arena arena;
    size_t n_trainings;
    tern_exp_training *trainings;
    char *script[2];                        /* with and without hidden neurons; what children are given */
    const char *script_name[2];             /* from Tern's folder, for commands in reports              */
    uint32_t n_steps, n_visible, window_us; /* window: of a step */
    char *train, *test;                     /* data sets that children are given */
    uint32_t n_train, n_test, n_shared;     /* recordings; test recordings that are trained on too */
    uint64_t train_digest, test_digest;
    json_t *settings; /* DIR/experiment.json */
    int lock;
    size_t n_rows;
    tern_exp_row *rows; /* after tern_exp_collect */
} tern_exp;

tern_status tern_exp_open(tern_exp *e, const tern_exp_settings *set, const char *dir, tern_diags *diags);
/* jobs: trainings at a time on each rank. On rank 0; the others call tern_exp_places_serve() meanwhile. */
tern_status tern_exp_run(tern_exp *e, uint32_t jobs, tern_diags *diags);
tern_status tern_exp_write(tern_exp *e, tern_diags *diags);
void tern_exp_close(tern_exp *e);
uint32_t tern_exp_n_done(const tern_exp *e);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXPERIMENT_H */
