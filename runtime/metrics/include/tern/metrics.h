/* metrics.h : what a run was worth, and in which order it saw its data
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pure functions of numbers. Formulas and their sources: docs/12-inference.md. Equation labels are those of the paper.
 * Decisions and votes themselves are integers (tern/vote.h, rules N-27 and N-28).
 *
 * Threads: every function may be called by any thread at any time; what it changes is what its arguments point to.
 */
#ifndef TERN_METRICS_H
#define TERN_METRICS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- means and intervals ---------------------------------------------------- */

/* log((1/n) sum exp(x_k)), without overflow for any finite x; n >= 1. -log-loss estimate of eq:iw-estimator for x =
 * log-probabilities. */
double tern_log_mean_exp(const double *x, size_t n);

/* Mean and standard error over independent values, one at a time (Welford). */
typedef struct tern_mean {
    uint64_t n;
    double mean, m2;
} tern_mean;
void tern_mean_add(tern_mean *m, double x);
double tern_mean_error(const tern_mean *m); /* standard error of the mean; NAN for fewer than two values */

typedef struct tern_interval {
    double lo, hi;
} tern_interval;

/* Quantile of Student's t: P(T <= t) = p with dof degrees of freedom. 0.5 <= p < 1, dof >= 1; NAN outside. Relative
 * error below 1e-10 for p <= 0.9999. */
double tern_t_quantile(double p, uint64_t dof);
/* 95 % interval of a mean: mean +- t(0.975, n-1) times its standard error. NAN, NAN for fewer than two values. */
tern_interval tern_mean_interval(const tern_mean *m);
/* The same for values that are never below lo or above hi (-INFINITY, INFINITY: no end; not both): it does not leave
 * lo..hi, and is Student's where that does not either. */
tern_interval tern_mean_interval_within(const tern_mean *m, double lo, double hi);
/* 95 % interval of a share of `right` among n independent trials, right <= n (Wilson's score interval): within 0..1,
 * and of use for shares of 0 and 1 and small n too, where share +- error is not. NAN, NAN for n = 0. */
tern_interval tern_wilson(uint64_t right, uint64_t n);

/* ---- uncertainty of one decision --------------------------------------------- */

/* votes: [n_classes], how many samples decided for a class (z of the paper). All give NAN if there are no votes;
 * n_classes >= 1. */

/* Share of the votes for class c < n_classes: its estimated probability, eq:majority-prob. */
double tern_vote_fraction(const uint32_t *votes, size_t n_classes, size_t c);
/* Entropy of these shares in bits: 0 (all for one class) .. log2(n_classes). */
double tern_vote_entropy(const uint32_t *votes, size_t n_classes);
/* Confidence of the paper: softmax of the vote counts, exp(z_c) / sum exp(z). Grows with the number of samples. */
double tern_vote_softmax(const uint32_t *votes, size_t n_classes, size_t c);

/* ---- calibration (eq:ece) ---------------------------------------------------- */

#define TERN_CALIBRATION_BINS 100u

/* Decisions by confidence, in bins of equal width over 0..1: bin m (from 0) of M takes confidences in (m/M, (m+1)/M],
 * the first one 0 too. */
typedef struct tern_bin {
    uint64_t n, right;
    double confidence;
} tern_bin; /* confidence: sum */
typedef struct tern_calibration {
    uint32_t n_bins;
    uint64_t n;
    tern_bin bins[TERN_CALIBRATION_BINS]; /* the reliability table */
} tern_calibration;

/* Empty table of 1..100 bins; otherwise TERN_ERR_ARGUMENT. */
tern_status tern_calibration_init(tern_calibration *c, uint32_t n_bins);
/* One decision. A confidence outside 0..1 (NAN too) is TERN_ERR_ARGUMENT and not counted. */
tern_status tern_calibration_add(tern_calibration *c, double confidence, bool right);
/* Expected calibration error: mean over all decisions of |share right - mean confidence| of their bins; empty bins do
 * not count. NAN without decisions. */
double tern_calibration_error(const tern_calibration *c);
/* The same less what chance is expected to add to it (docs/12-inference.md, section 4): all of that where the gaps are
 * large, about two fifths where there are none. May be below 0. NAN without decisions. */
double tern_calibration_debiased(const tern_calibration *c);
/* Mean square of the gaps, right on average whatever they are: so it is as often below 0 as above for a network that is
 * calibrated. Bins of one decision are left out; NAN if there are no others. */
double tern_calibration_squared(const tern_calibration *c);

/* One decision; confidence in 0..1. */
typedef struct tern_decided {
    double confidence;
    bool right;
} tern_decided;
/* Calibration error in at most n_bins bins of about equal numbers of decisions; equal confidences are never parted.
 * Sorts d. NAN for n = 0. */
double tern_calibration_adaptive(tern_decided *d, size_t n, uint32_t n_bins);
/* 95 % interval over recordings of tern_calibration_squared() in n_bins bins of equal width, by resampling.
 * counts: [n], scratch: [resamples]. NAN, NAN if there is no such number. */
tern_interval tern_calibration_interval(const tern_decided *d, size_t n, uint32_t n_bins, uint64_t seed,
                                        uint32_t resamples, uint32_t *counts, double *scratch);

/* ---- activity, order ------------------------------------------------------------ */

/* Spikes per neuron, step and sample; `sample_steps`: steps summed over samples. 0 without neurons or steps. */
double tern_spike_rate(uint64_t spikes, uint32_t n_neurons, uint64_t sample_steps);

/* Order of the presentations: epoch e shows all n recordings once, in an order that depends only on (seed, e, n). Fills
 * order[n], n < 2^28. Fisher-Yates, i = n-1 .. 1, swap with j = floor(x0 (i+1) / 2^32), x0 the first word of
 * Threefry-2x32-20 with key (seed low, seed high) and counter (e, 15 << 28 | i): purpose 15 of the draw ledger
 * (docs/21-numerics.md, section 7), never used by an engine. */
void tern_order_epoch(uint64_t seed, uint32_t epoch, uint32_t n, uint32_t *out_order);
/* Which `held` of n recordings a training keeps for validation: the first ones of an order made as above with counter
 * (0, 14 << 28 | i). Fills out_train[n - held] and out_held[held], both ascending. `scratch`: [n]. 0 < held < n. */
void tern_order_split(uint64_t seed, uint32_t n, uint32_t held, uint32_t *out_train, uint32_t *out_held,
                      uint32_t *scratch);

#ifdef __cplusplus
}
#endif
#endif /* TERN_METRICS_H */
