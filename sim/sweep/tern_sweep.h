/* tern_sweep.h : one script with many settings, as a table of trainings (docs/55-training.md, section 2)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sweep is every combination of the values of some keys of --set, each trained with seeds 1..N and then measured.
 * Running, stopping and going on is that of sim/trials.
 *
 *     tern_sweep_axis_parse(&set.axes[0], "rule.eta", "1e-5:1e-2:log8")     NULL, or what is wrong with it
 *     tern_sweep_open(&w, &set, "out/sweep", diags)      checks every value, locks DIR, parts the data
 *     tern_sweep_run(&w, jobs, diags)                    what is not done yet
 *     tern_sweep_write(&w, diags)                        results.csv, results.json, figure.svg, report.html
 *     tern_sweep_close(&w)
 */
#ifndef TERN_SWEEP_H
#define TERN_SWEEP_H
#include "tern_trials.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_SWEEP_VALUES = 64, TERN_SWEEP_AXES = 6, TERN_SWEEP_POINTS = 32 };

/* A key and its values, as they stand behind --set KEY= */
typedef struct tern_sweep_axis {
    char key[64];
    size_t n;          /* 1..64 */
    bool numeric, log; /* all values are numbers; they are to be drawn on a logarithmic axis */
    char text[TERN_SWEEP_VALUES][80];
    double x[TERN_SWEEP_VALUES]; /* of a numeric axis */
} tern_sweep_axis;

/* `values`: LO:HI:logN, LO:HI:linN (N numbers from LO to HI, 2..64; rounded for keys that are whole numbers), values
 * with commas between (none inside braces or quotation marks counts), or one value. NULL: good; else what is wrong,
 * a text that lives until the next call. */
const char *tern_sweep_axis_parse(tern_sweep_axis *a, const char *key, const char *values);

/* clang-format off */
#define TERN_SWEEP_METRIC_MAP(XX)                                                                       \
    XX(LOG_LOSS, log_loss, "log-loss", "log-loss per step (nats)", false)                               \
    XX(LOG_LOSS_IW, log_loss_iw, "log-loss-iw", "log-loss per step, importance-weighted (nats)", false) \
    XX(ACCURACY, accuracy, "accuracy", "share of right decisions", true)                                \
    XX(ECE, ece, "ece", "expected calibration error", false)                                            \
    XX(DISTANCE, distance, "distance", "squared van Rossum distance", false)
/* clang-format on */
typedef enum tern_sweep_metric {
#define XX(ID, name, option, label, up) TERN_SWEEP_##ID,
    TERN_SWEEP_METRIC_MAP(XX)
#undef XX
        TERN_SWEEP_METRICS
} tern_sweep_metric;
extern const struct tern_sweep_metric_info {
    const char *name, *option, *label;
    bool up; /* larger is better */
} tern_sweep_metrics[TERN_SWEEP_METRICS];

typedef struct tern_sweep_settings {
    const char *script, *data,
        *test; /* test NULL: a fifth of `data` is kept for it, or (under five recordings) all of it */
    size_t n_axes;
    tern_sweep_axis axes[TERN_SWEEP_AXES];
    size_t n_points; /* 1..32: presentations after which is measured, ascending; 0 of them: all recordings once */
    uint32_t points[TERN_SWEEP_POINTS];
    uint32_t seeds, inference; /* seeds 1..N; K_I, 1..256 */
    int metric; /* tern_sweep_metric; -1: accuracy, without decisions log-loss, with rule reward distance */
} tern_sweep_settings;

/* Of one setting at the last point. */
typedef struct tern_sweep_result {
    tern_exp_mean m[TERN_SWEEP_METRICS];
    tern_exp_mean behind; /* how much worse than the best one, seed by seed; of the best one 0 */
    bool as_good;         /* the interval of `behind` reaches 0: these seeds do not tell them apart */
    uint32_t warned;      /* trainings of it that ended with a warning */
} tern_sweep_result;

typedef struct tern_sweep {
    tern_sweep_settings set;
    const char *dir;
    tern_arena arena;
    tern_trials trials;
    size_t n_settings; /* combinations; trainings are n_settings * seeds, seeds fastest */
    json_t *settings;  /* DIR/sweep.json */
    int lock;
    char *train, *test; /* data sets of the commands */
    uint32_t n_train, n_test, n_steps;
    bool same_data;             /* it is measured what was learnt */
    double *value;              /* [trainings][points][TERN_SWEEP_METRICS], NAN: none; after tern_sweep_collect() */
    tern_sweep_result *results; /* [n_settings] */
    size_t best;                /* setting; n_settings: none (no number) */
} tern_sweep;

tern_status tern_sweep_open(tern_sweep *w, const tern_sweep_settings *set, const char *dir, tern_diags *diags);
tern_status tern_sweep_run(tern_sweep *w, uint32_t jobs, tern_diags *diags);
tern_status tern_sweep_write(tern_sweep *w, tern_diags *diags);
void tern_sweep_close(tern_sweep *w);
/* "--set rule.eta=1e-3 --set rule.samples=5" of a setting, in the arena; NULL: out of memory. */
const char *tern_sweep_words(tern_sweep *w, size_t setting);
/* Index of the value of an axis that a setting has. */
size_t tern_sweep_index(const tern_sweep *w, size_t setting, size_t axis);

/* Opens the data, keeps a fifth of it for the test where that is due, and fills train, test, n_train, n_test and
 * same_data. Its digests and the presentations go into w->settings. Also for sim/tune, which has a table of its own.
 * Uses set.script, data, test and points, dir and arena. */
tern_status tern_sweep_data(tern_sweep *w, const char *executable, tern_diags *diags);

/* ---- between the files of this folder ---- */

/* --seed, and --set for each axis; `seed` 0: none. */
void tern_sweep_add_sets(tern_sweep *w, size_t setting, uint32_t seed, tern_exp_command *c);
void tern_sweep_trials(tern_sweep *w); /* fills w->trials */
tern_status tern_sweep_collect(tern_sweep *w, tern_diags *diags);
tern_status tern_sweep_page(tern_sweep *w, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SWEEP_H */
