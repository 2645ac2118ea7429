/* tern_bootstrap.h : intervals by resampling, for numbers whose spread has no formula
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pure functions. Draws depend on (seed, resample, stream) alone, so that a result repeats exactly, and two numbers
 * that are made with the same ones are paired. Formulas: docs/12-inference.md, section 8.
 */
#ifndef TERN_BOOTSTRAP_H
#define TERN_BOOTSTRAP_H
#include <stddef.h>
#include <stdint.h>
#include "tern/metrics.h"
#ifdef __cplusplus
extern "C" {
#endif

/* How often each of n items is in a resample: n draws with replacement, counts[n] (their sum is n). 1 <= n < 2^32.
 * Draw i is floor(x n / 2^32), x word i mod 2 of Threefry-2x32-20 with key (seed low, seed high) + ("boot", stream)
 * and counter (resample, i div 2). Different streams are independent. */
void tern_bootstrap_counts(uint64_t seed, uint32_t resample, uint32_t stream, size_t n, uint32_t *counts);

/* Quantile q (0..1) of n >= 1 ascending values, linear between neighbours. */
double tern_quantile(const double *ascending, size_t n, double q);
/* The middle 95 % of n values, which are sorted in place. INFINITY is allowed (a time that was never reached), NAN is
 * not; NAN, NAN for n = 0. */
tern_interval tern_bootstrap_interval(double *x, size_t n);

/* Sum over s and r of a[s] b[r] v[s][r], divided by the sum of all a[s] b[r]: the mean of a table [n_s][n_r] of
 * numbers 0..255 in a resample of its rows and of its columns. */
double tern_crossed_mean(const uint8_t *v, const uint32_t *a, size_t n_s, const uint32_t *b, size_t n_r);

#ifdef __cplusplus
}
#endif
#endif /* TERN_BOOTSTRAP_H */
