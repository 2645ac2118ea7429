/* tern_exp_internal.h : between the files of this folder
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_EXP_INTERNAL_H
#define TERN_EXP_INTERNAL_H
#include "tern_experiment.h"
#include "tern_trials.h"
#ifdef __cplusplus
extern "C" {
#endif

/* tern_exp_data.c: makes or finds the data sets: e->train, e->test, counts and digests. */
tern_status tern_exp_prepare_data(tern_exp *e, const char *executable, tern_diags *diags);

/* tern_exp_variants.c: the same recordings before other cameras: train, test of each variant. */
tern_status tern_exp_variant_data(tern_exp *e, const char *executable, tern_diags *diags);

/* tern_exp_plan.c */
/* "1,5,10" */
const char *tern_exp_list_text(tern_arena *arena, const tern_exp_list *l);
/* DIR/parts/NAME.SUFFIX */
char *tern_exp_part(tern_exp *e, const tern_exp_training *t, const char *suffix);
/* K_I of a training: the list, or K itself. Returns how many. */
size_t tern_exp_inference(const tern_exp *e, const tern_exp_training *t, uint32_t out[TERN_EXP_LIST_MAX]);
/* `to` instead of e's own paths for commands that are printed: $DIR and script names from Tern's folder. */
void tern_exp_train_command(tern_exp *e, const tern_exp_training *t, uint32_t presentations, bool resume,
                            const char *executable, bool printed, tern_exp_command *out);
void tern_exp_eval_command(tern_exp *e, const tern_exp_training *t, uint32_t presentations, uint32_t inference,
                           const char *executable, bool printed, tern_exp_command *out);

/* Steps after which a training of `voting` is asked, ascending: those of the list up to its length, and the length. */
size_t tern_exp_decide(const tern_exp *e, uint32_t length, uint32_t out[TERN_EXP_LIST_MAX]);
/* The data sets of a training. */
const char *tern_exp_train_set(const tern_exp *e, const tern_exp_training *t);
const char *tern_exp_test_set(const tern_exp *e, const tern_exp_training *t);
/* "noise=5" of a variant: is it one of the camera's? */
bool tern_exp_is_camera(const char *pair);

/* tern_exp_results.c */
/* e->rows of all finished trainings, in the order of the table */
tern_status tern_exp_collect(tern_exp *e, tern_diags *diags);
/* What rows are looked for; UINT32_MAX: any. */
typedef struct tern_exp_filter {
    uint32_t rule, hidden, samples, seed, presentations, inference;
} tern_exp_filter;
#define TERN_EXP_ANY UINT32_MAX
/* Mean over seeds of one metric. */
tern_exp_mean tern_exp_mean_rows(const tern_exp *e, tern_exp_filter f, tern_exp_metric m);
/* Mean over seeds of a - b, seed by seed. */
tern_exp_mean tern_exp_mean_difference(const tern_exp *e, tern_exp_filter a, tern_exp_filter b, tern_exp_metric m);
bool tern_exp_row_fits(const tern_exp_row *r, tern_exp_filter f);
/* of the first row that fits; NAN */
double tern_exp_value(const tern_exp *e, tern_exp_filter f, tern_exp_metric m);

/* tern_exp_claims.c: what the paper says and what came out. */
typedef struct tern_exp_claim {
    const char *paper;    /* the statement */
    char number[24];      /* the paper's number, "": it prints none */
    const char *measured; /* what the mean is of */
    tern_exp_mean mean;
    tern_exp_verdict verdict;
} tern_exp_claim;
enum { TERN_EXP_CLAIMS_MAX = 2048 }; /* more than the longest lists make */
size_t tern_exp_claims(tern_exp *e, tern_exp_claim out[TERN_EXP_CLAIMS_MAX]);
uint32_t tern_exp_least(const tern_exp_list *l);
uint32_t tern_exp_most(const tern_exp_list *l);

json_t *tern_exp_mean_json(const tern_exp_mean *m);
json_t *tern_exp_claims_json(const tern_exp_claim *claims, size_t n);

/* tern_exp_report.c */
struct tern_exp_files;
const char *tern_exp_number(tern_exp *e, double x);                      /* four digits that mean something */
const char *tern_exp_interval_text(tern_exp *e, const tern_exp_mean *m); /* "[0.91, 0.94]", "-" */
bool tern_exp_claims_table(tern_exp *e, struct tern_exp_files *files, const tern_exp_claim *claims, size_t n);
bool tern_exp_settings_text(tern_exp *e, struct tern_exp_files *files);
bool tern_exp_commands(tern_exp *e, struct tern_exp_files *files);
tern_status tern_exp_write_report(tern_exp *e, const tern_exp_claim *claims, size_t n_claims, tern_diags *diags);

/* tern_exp_voting.c: tables, figures and results of `voting`, instead of those of the other experiments. */
tern_status tern_exp_voting_write(tern_exp *e, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_INTERNAL_H */
