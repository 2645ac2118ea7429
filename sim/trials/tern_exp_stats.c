/* tern_exp_stats.c : see tern_exp_stats.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_exp_stats.h"
#include <math.h>

tern_exp_mean tern_exp_mean_summary(const tern_mean *m, double lo, double hi)
{
    if (m->n == 0) return (tern_exp_mean){ .mean = (double)NAN, .lo = (double)NAN, .hi = (double)NAN };
    /* NAN, NAN for one value */
    const tern_interval i = isinf(lo) && isinf(hi) ? tern_mean_interval(m) : tern_mean_interval_within(m, lo, hi);
    return (tern_exp_mean){ .n = (size_t)m->n, .mean = m->mean, .lo = i.lo, .hi = i.hi };
}

tern_exp_mean tern_exp_mean_of(const double *x, size_t n)
{
    tern_mean m = { 0 };
    for (size_t i = 0; i < n; ++i)
        if (!isnan(x[i])) tern_mean_add(&m, x[i]);
    return tern_exp_mean_summary(&m, (double)-INFINITY, (double)INFINITY);
}

const char *tern_exp_verdict_text(tern_exp_verdict v)
{
    static const char *const texts[] = { "reached", "within interval", "not reached", "not measured" };
    return texts[v];
}

tern_exp_verdict tern_exp_at_least(const tern_exp_mean *m, double target)
{
    if (isnan(m->mean)) return TERN_EXP_NOT_MEASURED;
    if (m->mean >= target) return TERN_EXP_REACHED;
    return m->hi >= target ? TERN_EXP_WITHIN : TERN_EXP_NOT_REACHED; /* false for NAN */
}

tern_exp_verdict tern_exp_positive(const tern_exp_mean *m)
{
    if (isnan(m->mean)) return TERN_EXP_NOT_MEASURED;
    if (isnan(m->lo)) return m->mean > 0 ? TERN_EXP_REACHED : m->mean < 0 ? TERN_EXP_NOT_REACHED : TERN_EXP_WITHIN;
    if (m->lo > 0) return TERN_EXP_REACHED;
    return m->hi >= 0 ? TERN_EXP_WITHIN : TERN_EXP_NOT_REACHED;
}

tern_exp_verdict tern_exp_near(const tern_exp_mean *m, double wanted, double tolerance)
{
    if (isnan(m->mean)) return TERN_EXP_NOT_MEASURED;
    if (fabs(m->mean - wanted) <= tolerance * fabs(wanted)) return TERN_EXP_REACHED;
    return m->lo <= wanted && wanted <= m->hi ? TERN_EXP_WITHIN : TERN_EXP_NOT_REACHED;
}
