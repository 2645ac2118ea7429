/* metrics.h : what a run was worth, and in which order it saw its data
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas and their sources: docs/11-commands.md, section "What eval measures". Equation labels are those of the paper.
 */
#ifndef TERN_METRICS_H
#define TERN_METRICS_H
#include <stddef.h>
#include <stdint.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

/* log((1/n) sum exp(x_k)), without overflow for any finite x; n >= 1. -log-loss estimate of eq:iw-estimator for x = log-probabilities. */
double tern_log_mean_exp(const double *x, size_t n);

/* Mean and standard error over independent values, one at a time (Welford). */
typedef struct tern_mean { uint64_t n; double mean, m2; } tern_mean;
void   tern_mean_add(tern_mean *m, double x);
double tern_mean_error(const tern_mean *m); /* standard error of the mean; NAN for fewer than two values */

/* Majority decision (eq:rate-class, eq:majority): every sample votes for the class whose neuron spiked most often, the class with most votes
 * wins. counts: [n_samples][n_classes] spikes of a sample. Ties, of a sample and of the vote: the class with more spikes over all samples, then
 * the lower index. votes: [n_classes], filled. Returns the class; n_classes >= 1, n_samples >= 1. */
uint32_t tern_majority(const uint32_t *counts, size_t n_samples, size_t n_classes, uint32_t *out_votes);

/* Order of the presentations: epoch e shows all n recordings once, in an order that depends only on (seed, e, n). Fills order[n], n < 2^28.
 * Fisher-Yates, i = n-1 .. 1, swap with j = floor(x0 (i+1) / 2^32), x0 the first word of Threefry-2x32-20 with key (seed low, seed high) and
 * counter (e, 15 << 28 | i): purpose 15 of the draw ledger (docs/21-numerics.md, section 7), never used by an engine. */
void tern_order_epoch(uint64_t seed, uint32_t epoch, uint32_t n, uint32_t *out_order);

#ifdef __cplusplus
}
#endif
#endif /* TERN_METRICS_H */
