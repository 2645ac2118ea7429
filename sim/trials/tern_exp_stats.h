/* tern_exp_stats.h : means over seeds, and whether the paper's number was reached
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pure functions of numbers. Intervals are 95 % intervals of a mean by Student's t with n-1 degrees of freedom
 * (tern/metrics.h); one seed has none.
 */
#ifndef TERN_EXP_STATS_H
#define TERN_EXP_STATS_H
#include <stdbool.h>
#include <stddef.h>
#include "tern/metrics.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_exp_mean {
    size_t n;
    double mean, lo, hi;
} tern_exp_mean; /* n 0: all NAN; n 1: lo, hi NAN */

/* lo, hi: what a value can be; -INFINITY, INFINITY: no end. The interval does not leave it. */
tern_exp_mean tern_exp_mean_summary(const tern_mean *m, double lo, double hi);
/* Of differences and ratios, which may be anything. Values that are NAN are left out. */
tern_exp_mean tern_exp_mean_of(const double *x, size_t n);

typedef enum tern_exp_verdict {
    TERN_EXP_REACHED,
    TERN_EXP_WITHIN,
    TERN_EXP_NOT_REACHED,
    TERN_EXP_NOT_MEASURED
} tern_exp_verdict;
/* "reached", "within interval", "not reached", "not measured" */
const char *tern_exp_verdict_text(tern_exp_verdict v);

/* A number that should be at least `target`: reached if the mean is; else within interval if hi is. Not measured if
 * there is no mean. */
tern_exp_verdict tern_exp_at_least(const tern_exp_mean *m, double target);
/* A difference that should be positive: reached if the whole interval is above 0, within interval if it contains 0, not
 * reached if it is below. Without an interval (one seed) the difference itself takes its place: no difference at all is
 * within interval, as it is with more seeds. */
tern_exp_verdict tern_exp_positive(const tern_exp_mean *m);
/* A number that should be `wanted` up to the share `tolerance` of it: reached if the mean is; else within interval if
 * lo..hi contains `wanted`. */
tern_exp_verdict tern_exp_near(const tern_exp_mean *m, double wanted, double tolerance);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_STATS_H */
