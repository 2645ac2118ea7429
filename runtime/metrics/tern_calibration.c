/* tern_calibration.c : calibration errors (metrics.h): in bins, less what chance adds, in bins of equal numbers
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>
#include "tern_bootstrap.h"
#include "tern/metrics.h"

tern_status tern_calibration_init(tern_calibration *c, uint32_t n_bins)
{
    if (n_bins < 1 || n_bins > TERN_CALIBRATION_BINS) return TERN_ERR_ARGUMENT;
    *c = (tern_calibration){ .n_bins = n_bins };
    return TERN_OK;
}

tern_status tern_calibration_add(tern_calibration *c, double confidence, bool right)
{
    if (!(confidence >= 0 && confidence <= 1)) return TERN_ERR_ARGUMENT;
    /* The edges are the doubles m/M. Equal fractions give equal doubles, so 11 votes of 20 lie on the edge 11/20 and
     * not beside it, which a product would not promise; the guess below is at most one off. */
    const double M = (double)c->n_bins;
    uint32_t m = (uint32_t)(confidence * M);
    if (m >= c->n_bins) m = c->n_bins - 1;
    while (m > 0 && confidence <= (double)m / M) --m;
    while (m + 1 < c->n_bins && confidence > (double)(m + 1) / M) ++m;
    ++c->n;
    ++c->bins[m].n;
    c->bins[m].right += right;
    c->bins[m].confidence += confidence;
    return TERN_OK;
}

double tern_calibration_error(const tern_calibration *c)
{
    double sum = 0;
    if (c->n == 0) return NAN;
    for (uint32_t m = 0; m < c->n_bins; ++m)
        sum += fabs((double)c->bins[m].right - c->bins[m].confidence); /* n_m |right/n_m - confidence/n_m| */
    return sum / (double)c->n;
}

/* Mean of |X| for a normal X with this mean and standard deviation (the folded normal distribution). */
static double folded_mean(double mean, double deviation)
{
    static const double TWO_OVER_PI = 0.63661977236758134308;
    if (!(deviation > 0)) return fabs(mean);
    const double x = mean / deviation;
    return deviation * sqrt(TWO_OVER_PI) * exp(-x * x / 2) + mean * erf(x / sqrt(2.0));
}

double tern_calibration_debiased(const tern_calibration *c)
{
    double sum = 0;
    if (c->n == 0) return (double)NAN;
    for (uint32_t m = 0; m < c->n_bins; ++m) {
        const tern_bin *b = &c->bins[m];
        const double n = (double)b->n;
        if (b->n == 0) continue;
        const double share = (double)b->right / n, gap = fabs(share - b->confidence / n);
        sum += n * (2 * gap - folded_mean(gap, sqrt(share * (1 - share) / n)));
    }
    return sum / (double)c->n;
}

double tern_calibration_squared(const tern_calibration *c)
{
    double sum = 0, all = 0;
    for (uint32_t m = 0; m < c->n_bins; ++m) {
        const tern_bin *b = &c->bins[m];
        const double n = (double)b->n, share = (double)b->right / n, gap = share - b->confidence / n;
        if (b->n < 2) continue;
        sum += n * (gap * gap - share * (1 - share) / (n - 1)); /* the share's own variance is no gap */
        all += n;
    }
    return all > 0 ? sum / all : (double)NAN;
}

static int by_confidence(const void *a, const void *b)
{
    const tern_decided *x = a, *y = b;
    return (x->confidence > y->confidence) - (x->confidence < y->confidence);
}

double tern_calibration_adaptive(tern_decided *d, size_t n, uint32_t n_bins)
{
    double sum = 0;
    if (n == 0 || n_bins == 0) return (double)NAN;
    qsort(d, n, sizeof *d, by_confidence);
    for (size_t i = 0, bin = 1; i < n; ++bin) {
        const size_t first = i, end = n * bin / n_bins; /* the end of a bin, if equal confidences allow */
        double gap = 0;
        while (i < n && (i < end || i == first || !(d[i].confidence > d[i - 1].confidence))) {
            gap += (d[i].right ? 1.0 : 0.0) - d[i].confidence;
            ++i;
        }
        while (bin < n_bins && n * (bin + 1) / n_bins <= i) ++bin; /* bins that a run of equal ones filled */
        sum += fabs(gap);
    }
    return sum / (double)n;
}

tern_interval tern_calibration_interval(const tern_decided *d, size_t n, uint32_t n_bins, uint64_t seed,
                                        uint32_t resamples, uint32_t *counts, double *scratch)
{
    tern_calibration all, part;
    double mean = 0;
    uint32_t made = 0;
    if (tern_calibration_init(&all, n_bins) != TERN_OK) return (tern_interval){ (double)NAN, (double)NAN };
    for (size_t i = 0; i < n; ++i) tern_calibration_add(&all, d[i].confidence, d[i].right);
    const double estimate = tern_calibration_squared(&all);
    for (uint32_t r = 0; r < resamples && !isnan(estimate); ++r) {
        (void)tern_calibration_init(&part, n_bins);
        tern_bootstrap_counts(seed, r, 0, n, counts);
        for (size_t i = 0; i < n; ++i)
            for (uint32_t k = 0; k < counts[i]; ++k) tern_calibration_add(&part, d[i].confidence, d[i].right);
        scratch[made] = tern_calibration_squared(&part);
        if (isnan(scratch[made])) continue;
        mean += scratch[made++];
    }
    if (made == 0) return (tern_interval){ (double)NAN, (double)NAN };
    /* Resamples have gaps by chance where the recordings have none, so they lie too high; how far they spread is
     * right. */
    mean /= made;
    const tern_interval i = tern_bootstrap_interval(scratch, made);
    return (tern_interval){ estimate - (i.hi - mean), estimate + (mean - i.lo) };
}
