/* tern_exp_voting.h : what the experiment `voting` knows, once all trainings are done
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block is one variant, one length of presentations and one point of the training. It holds, for every number of
 * steps and of samples that a decision may rest on, who was right: [seeds][recordings]. All intervals of accuracies are
 * of seeds and recordings drawn again together (tern_bootstrap.h), with the same draws for every number, so that
 * differences are paired.
 */
#ifndef TERN_EXP_VOTING_H
#define TERN_EXP_VOTING_H
#include "tern_bootstrap.h"
#include "tern_exp_internal.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_VOTING_RESAMPLES = 1000, TERN_VOTING_SEED = 1 };
#define TERN_VOTING_MARGIN 0.01

typedef enum tern_voting_metric {
    TERN_VOTING_ENTROPY_RIGHT,
    TERN_VOTING_ENTROPY_WRONG,
    TERN_VOTING_ECE,
    TERN_VOTING_ECE_DEBIASED,
    TERN_VOTING_VOTES_DEBIASED,
    TERN_VOTING_METRICS
} tern_voting_metric;
extern const char *const tern_voting_metric_names[TERN_VOTING_METRICS]; /* of the curve of tern eval */

typedef struct tern_voting_cell {
    uint32_t steps, inference;
    uint8_t *right;               /* [seeds][recordings] 0, 1 */
    tern_exp_mean accuracy, gain; /* gain: less that with the fewest samples */
    tern_exp_mean versus;         /* last row of a block: less that of the longest presentations, fewest samples */
    tern_exp_mean m[TERN_VOTING_METRICS]; /* over seeds, Student's t */
} tern_voting_cell;

typedef struct tern_voting_block {
    uint32_t variant, length, presentations;
    size_t n_marks, n_samples;
    tern_voting_cell *cells; /* [n_marks][n_samples] */
} tern_voting_block;

/* How soon a decision is as good as wanted, by networks that were trained for that time: the least length whose
 * accuracy is at least the target. INFINITY: none is. */
typedef struct tern_voting_time {
    uint32_t variant, presentations, inference;
    tern_exp_mean steps; /* n 0: never; hi may be INFINITY */
    tern_exp_mean ratio; /* that of the fewest samples divided by this; 1 if neither is ever as good */
    uint32_t equal;      /* the least length that is not worse than the longest with the fewest samples by more than
                             TERN_VOTING_MARGIN, by the interval of `versus`; 0: none is */
} tern_voting_time;

typedef struct tern_voting {
    tern_exp *e;
    uint32_t n_seeds, n_recordings;
    size_t n_blocks, n_times;
    tern_voting_block *blocks;
    tern_voting_time *times;
    uint32_t *seeds, *recordings; /* [resamples][n] how often each is drawn */
} tern_voting;

/* Reads the trainings' files. */
tern_status tern_voting_collect(tern_voting *v, tern_exp *e, tern_diags *diags);
/* Pure: fills accuracy and gain of all cells, and times. NULL memory: TERN_ERR_MEMORY. */
tern_status tern_voting_work_out(tern_voting *v);
const tern_voting_block *tern_voting_find(const tern_voting *v, uint32_t variant, uint32_t length,
                                          uint32_t presentations);
/* "pays, by 5 points or more", "pays", "not shown", "harms": of a gain and its interval. */
const char *tern_voting_verdict(const tern_exp_mean *gain);
/* Figures and tables for report.html, DIR/tables.md and the SVG files. */
tern_status tern_voting_report(tern_voting *v, const tern_exp_claim *claims, size_t n_claims, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_VOTING_H */
