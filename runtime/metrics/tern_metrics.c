/* tern_metrics.c : see metrics.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include <math.h>

double tern_log_mean_exp(const double *x, size_t n)
{
    double top = x[0], sum = 0;
    for (size_t k = 1; k < n; ++k)
        if (x[k] > top) top = x[k];
    if (!isfinite(top)) return top;
    for (size_t k = 0; k < n; ++k) sum += exp(x[k] - top); /* 1 <= sum <= n */
    return top + log(sum / (double)n);
}

void tern_mean_add(tern_mean *m, double x)
{
    const double before = x - m->mean;
    m->mean += before / (double)++m->n;
    m->m2 += before * (x - m->mean);
}

double tern_mean_error(const tern_mean *m)
{
    return m->n < 2 ? NAN : sqrt(m->m2 / (double)(m->n - 1) / (double)m->n);
}

static uint64_t total_spikes(const uint32_t *counts, size_t n_samples, size_t n_classes, size_t c)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n_samples; ++k) sum += counts[k * n_classes + c];
    return sum;
}

/* Class with the largest score; ties as metrics.h says. Totals are only summed at ties, which are rare. */
static size_t best_class(const uint32_t *score, const uint32_t *counts, size_t n_samples, size_t n_classes)
{
    size_t best = 0;
    for (size_t c = 1; c < n_classes; ++c) {
        if (score[c] < score[best]) continue;
        if (score[c] > score[best] || total_spikes(counts, n_samples, n_classes, c) > total_spikes(counts, n_samples, n_classes, best)) best = c;
    }
    return best;
}

uint32_t tern_majority(const uint32_t *counts, size_t n_samples, size_t n_classes, uint32_t *out_votes)
{
    for (size_t c = 0; c < n_classes; ++c) out_votes[c] = 0;
    for (size_t k = 0; k < n_samples; ++k) ++out_votes[best_class(counts + k * n_classes, counts, n_samples, n_classes)];
    return (uint32_t)best_class(out_votes, counts, n_samples, n_classes);
}
