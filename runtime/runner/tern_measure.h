/* tern_measure.h : one recording measured without learning: what eval reports and what a training validates with
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every recording is run twice from cleared histories: clamped (visible neurons forced to their targets) for the
 * log-loss, then free (visible
 * neurons draw) for decisions and distance. Samples are made in batches; sample numbers, and so the draws, continue
 * from batch to batch, and no result
 * depends on the size of the batches. Formulas: docs/12-inference.md.
 */
#ifndef TERN_MEASURE_H
#define TERN_MEASURE_H
#include "tern/metrics.h"
#include "tern_curve.h"
#include "tern_runner.h"
#include "tern/vote.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_MEASURE_SAMPLES = 256 };

typedef struct tern_measure_options {
    tern_runner_engine engine;
    uint32_t n_samples; /* K_I, 1..256 */
    uint32_t batch;     /* samples at once, a multiple of 4, 4..32 */
    uint64_t seed;
    tern_vote_decode decode;
    bool early_stop; /* free run: no further batch once the vote is settled; needs a label population */
} tern_measure_options;

typedef struct tern_measure {
    const tern_model *model;
    tern_measure_options o;
    tern_runner full, rest; /* batches of o.batch, and the last, smaller one */
    tern_vote vote;
    tern_van_rossum distance[2];   /* of full and rest */
    bool has_distance;             /* rule REWARD with tau > 0 */
    tern_curve *curve;             /* decisions on the way, of the last recording; NULL: none are kept */
    uint32_t n_classes, class_pos; /* units of the label population; 0: none */
    uint32_t step;                 /* number of the next step */
    uint32_t
        *spikes; /* NULL, or room that the caller gives: spikes of the free run, [n_samples][n_steps][words_neuron] */
    /* of the last recording, per sample */
    double log_prob[TERN_MEASURE_SAMPLES], distances[TERN_MEASURE_SAMPLES];
} tern_measure;

/* One recording. */
typedef struct tern_measured {
    bool scored;                              /* its targets are known, so the log-probabilities mean something */
    double ll, ll_iw;                         /* log-likelihood: mean over samples; importance-weighted estimate */
    double distance;                          /* squared van Rossum distance, mean over samples; NAN without */
    uint32_t samples;                         /* made in the free run: K_I, or less after an early stop */
    uint32_t decision;                        /* class, N-28; only with n_classes != 0, as the next */
    uint32_t decisions[TERN_MEASURE_SAMPLES]; /* [samples] N-27 */
    uint64_t hidden_clamped, hidden_free, visible_free, visible_target; /* spikes, all samples (targets: once) */
} tern_measured;

/* Keeps decisions on the way from now on. `curve` must live as long as m. It has m's classes and K_I, and its last step
 * is at most that of a recording. Not with early_stop. */
void tern_measure_watch(tern_measure *m, tern_curve *curve);
/* Makes engines with the model's weights. TERN_ERR_LIMIT with code 122: more classes than can vote; early_stop without
 * classes. */
tern_status tern_measure_init(tern_measure *m, const tern_model *model, const tern_measure_options *o,
                              tern_arena *arena, tern_diags *diags);
/* As tern_runner_close(), tern_runner_check() of its engines. */
void tern_measure_close(tern_measure *m);
tern_status tern_measure_check(const tern_measure *m, tern_diags *diags);
/* Takes over weights, as tern_runner_copy_weights(). */
void tern_measure_load(tern_measure *m, const tern_runner *from);
/* Measures the next recording: it uses the step numbers step .. step + 2 T - 1. Votes are left in m->vote until the
 * next call. */
void tern_measure_recording(tern_measure *m, const tern_frames *f, tern_measured *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_MEASURE_H */
