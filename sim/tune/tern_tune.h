/* tern_tune.h : the smallest number formats that still learn like the reference (docs/54-tuning.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Coordinate descent over formats.*: one key after the other, from wide to narrow, all its values as one table of
 * trainings (sim/trials). A value counts as within the distance only if the upper end of the 95 % interval of the
 * paired differences to the reference does.
 *
 *     tern_tune_open(&t, &set, "out/tune", diags)    compiles the script, locks DIR, parts the data
 *     tern_tune_run(&t, jobs, diags)                 trains what is not done yet, key after key
 *     tern_tune_write(&t, diags)                     tune.json, results.csv, table.md, figure.svg
 *     tern_tune_close(&t)
 */
#ifndef TERN_TUNE_H
#define TERN_TUNE_H
#include "tern_sweep.h"
#include "tern_target.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Settings: the reference, and at most 39 of weight, 5 of trace, 9 of learn, 25 of signal, 3 of lags. */
enum { TERN_TUNE_SETTINGS = 1 + 39 + 5 + 9 + 25 + 3, TERN_TUNE_SEEDS = 100 };

/* Order of the search. Of these keys the first has two numbers. */
typedef enum tern_tune_key {
    TERN_TUNE_WEIGHT,
    TERN_TUNE_TRACE,
    TERN_TUNE_LEARN,
    TERN_TUNE_SIGNAL,
    TERN_TUNE_LAGS,
    TERN_TUNE_KEYS
} tern_tune_key;
extern const char *const tern_tune_keys[TERN_TUNE_KEYS]; /* "weight", ... */

/* Kinds of saturations that `tern train` counts. */
enum { TERN_TUNE_SATURATIONS = 6 };
extern const char *const tern_tune_saturations[TERN_TUNE_SATURATIONS];

/* Where values were limited: a population, or of weights a projection "SOURCE -> TARGET". */
typedef struct tern_tune_place {
    const char *kind, *place;
    uint64_t count; /* over all trainings of a setting */
} tern_tune_place;

typedef struct tern_tune_setting {
    bool reference;             /* double precision; has no formats */
    bool given[TERN_TUNE_KEYS]; /* else the script's own value */
    int value[TERN_TUNE_KEYS];  /* weight: bits */
    int fraction;               /* fraction bits of a weight */
    /* its hardware */
    uint64_t memory, cells, cycles; /* bits of all memories; logic cells, estimated; of a step that learns */
    bool fits;                      /* the target, as estimated */
    /* after its trainings */
    bool measured;
    double log_loss[TERN_TUNE_SEEDS], accuracy[TERN_TUNE_SEEDS]; /* nats per step; NAN: none */
    uint64_t saturations[TERN_TUNE_SATURATIONS];                 /* of all its trainings */
    size_t n_places;
    tern_tune_place *places;                        /* [n_places] in the order in which `tern train` has them */
    tern_exp_mean loss_mean, accuracy_mean, behind; /* behind: percent of the reference's mean log-loss, paired */
} tern_tune_setting;

typedef struct tern_tune_settings {
    const char *script, *data, *test; /* test NULL: as tern_sweep_settings */
    const tern_target *target;
    uint32_t lanes, seeds, inference, presentations; /* seeds 2..100; presentations 0: every recording once */
    double within;                                   /* percent */
    size_t n_sets; /* KEY=VALUE of the script, for the reference too; not seed, not formats.* */
    const char *const *sets;
    uint32_t bits; /* bit b: weights of b bits are tried; 0: 4 to 16 */
} tern_tune_settings;

typedef struct tern_tune {
    tern_tune_settings set;
    tern_sweep base; /* its folder, data and arena; it has no axes and trains nothing */
    tern_trials trials;
    size_t n, first;             /* settings; the first one of the running table */
    tern_tune_setting *settings; /* [n], 0: the reference */
    size_t n_skipped;
    const char *skipped[TERN_TUNE_SETTINGS]; /* "--set ...: why" */
    size_t best;                             /* index, 0: none */
    uint32_t lags;                           /* W of the script */
    bool signal;                             /* the rule has a learning signal */
} tern_tune;

tern_status tern_tune_open(tern_tune *t, const tern_tune_settings *set, const char *dir, tern_diags *diags);
/* An interrupt returns TERN_OK with trainings missing: tern_interrupted(). */
tern_status tern_tune_run(tern_tune *t, uint32_t jobs, tern_diags *diags);
/* Code 651, a warning: no setting is within the distance. */
tern_status tern_tune_write(tern_tune *t, tern_diags *diags);
void tern_tune_close(tern_tune *t);
/* "--set 'formats.weight={8,7}' --set formats.trace=6", in the arena, without set.sets; of the reference "--engine
 * reference". */
const char *tern_tune_words(tern_tune *t, size_t setting);
/* Is the whole interval at most `percent`? Without an interval it is not. */
bool tern_tune_within(const tern_exp_mean *behind, double percent);

/* ---- between the files of this folder ---- */

/* Words of a setting's formats; words of the settings that all trainings have. */
void tern_tune_add_sets(tern_tune *t, const tern_tune_setting *x, tern_exp_command *c);
void tern_tune_add_common(const tern_tune *t, tern_exp_command *c);
/* Compiles a setting and fills its hardware. *out_why: in the arena, why it is refused; NULL: it is not. */
tern_status tern_tune_hardware(tern_tune *t, tern_tune_setting *x, const char **out_why);
/* Trains the settings first..n, and reads what all of them came to. */
tern_status tern_tune_table(tern_tune *t, uint32_t jobs, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_TUNE_H */
