/* tern_metrics.c : see metrics.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include <math.h>

static const double PI = 3.14159265358979323846;
static const double Z_95 = 1.95996398454005423552; /* normal quantile of 0.975 */

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

double tern_mean_error(const tern_mean *m) { return m->n < 2 ? NAN : sqrt(m->m2 / (double)(m->n - 1) / (double)m->n); }

/* ---- Student's t ---------------------------------------------------------- */

/* P(|T| <= sqrt(dof) tan(angle)): a finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and
 * 26.7.4). */
static double t_within(double angle, uint64_t dof)
{
    const double c = cos(angle), s = sin(angle);
    const bool odd = dof % 2 == 1;
    double term = odd ? c : 1.0, sum = 0;
    for (uint64_t i = odd ? 3 : 2; i <= dof; i += 2) { /* odd: cos, 2/3 cos^3, ...; even: 1, 1/2 cos^2, ... */
        sum += term;
        term *= c * c * (double)(i - 1) / (double)i;
    }
    return odd ? 2.0 / PI * (angle + s * sum) : s * sum;
}

/* Normal quantile by bisection, p >= 0.5. */
static double normal_quantile(double p)
{
    double lo = 0, hi = 40;
    for (int i = 0; i < 100; ++i) {
        const double mid = 0.5 * (lo + hi);
        *(0.5 * erfc(mid / sqrt(2.0)) > 1.0 - p ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

/* Expansion about the normal quantile z (Abramowitz and Stegun, 26.7.5); from 1000 degrees of freedom on its error is
 * below 1e-12. */
static double t_expansion(double z, double dof)
{
    const double q = z * z;
    const double g1 = z * (q + 1) / 4, g2 = z * ((5 * q + 16) * q + 3) / 96,
                 g3 = z * (((3 * q + 19) * q + 17) * q - 15) / 384;
    const double g4 = z * ((((79 * q + 776) * q + 1482) * q - 1920) * q - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 / dof) / dof) / dof) / dof;
}

double tern_t_quantile(double p, uint64_t dof)
{
    if (!(p >= 0.5 && p < 1.0) || dof == 0) return NAN;
    if (dof > 1000) return t_expansion(normal_quantile(p), (double)dof);
    double lo = 0, hi = PI / 2;
    for (int i = 0; i < 100; ++i) {
        const double mid = 0.5 * (lo + hi);
        *(t_within(mid, dof) < 2.0 * p - 1.0 ? &lo : &hi) = mid;
    }
    return sqrt((double)dof) * tan(0.5 * (lo + hi));
}

tern_interval tern_mean_interval(const tern_mean *m)
{
    if (m->n < 2) return (tern_interval){ NAN, NAN };
    const double half = tern_t_quantile(0.975, m->n - 1) * tern_mean_error(m);
    return (tern_interval){ m->mean - half, m->mean + half };
}

/* Student's interval with a variance that goes to 0 at the ends of the range, in proportion to mu (1 - mu) for a share
 * and to mu where there is no upper end: the mu that solve
 * |mean - mu| <= t s(mu) / sqrt(n). For zeros and ones it is Wilson's with t for z. */
tern_interval tern_mean_interval_within(const tern_mean *m, double lo, double hi)
{
    tern_interval i = tern_mean_interval(m);
    if (m->n < 2 || (i.lo >= lo && i.hi <= hi)) return i; /* far from the ends */
    if (isinf(lo)) {                                      /* only an upper end: the mirror image */
        tern_mean mirror = *m;
        mirror.mean = -m->mean;
        i = tern_mean_interval_within(&mirror, -hi, -lo);
        return (tern_interval){ -i.hi, -i.lo };
    }
    const bool share = !isinf(hi);
    const double scale = share ? hi - lo : 1.0, mean = (m->mean - lo) / scale,
                 half = tern_t_quantile(0.975, m->n - 1) * tern_mean_error(m) / scale;
    const double at_mean = share ? mean * (1.0 - mean) : mean;
    if (!(at_mean > 0.0)) return (tern_interval){ m->mean, m->mean }; /* at an end: nothing varied */
    const double c = half * half / at_mean, root = sqrt(at_mean * c + c * c / 4.0), by = share ? 1.0 + c : 1.0;
    const double low = lo + scale * (mean + c / 2.0 - root) / by, high = lo + scale * (mean + c / 2.0 + root) / by;
    return (tern_interval){ fmax(low, lo), fmin(high, hi) };
}

tern_interval tern_wilson(uint64_t right, uint64_t n)
{
    if (n == 0 || right > n) return (tern_interval){ NAN, NAN };
    const double N = (double)n, p = (double)right / N, q = Z_95 * Z_95 / N;
    const double middle = (p + q / 2) / (1 + q), half = Z_95 / (1 + q) * sqrt(p * (1 - p) / N + q / (4 * N));
    /* the ends are 0 and 1 exactly where they should be, whatever the rounding */
    return (tern_interval){ right == 0 ? 0 : fmax(0, middle - half), right == n ? 1 : fmin(1, middle + half) };
}

/* ---- uncertainty of one decision ------------------------------------------- */

static uint64_t total(const uint32_t *votes, size_t n)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < n; ++c) sum += votes[c];
    return sum;
}

double tern_vote_fraction(const uint32_t *votes, size_t n_classes, size_t c)
{
    const uint64_t all = total(votes, n_classes);
    return all == 0 ? NAN : (double)votes[c] / (double)all;
}

double tern_vote_entropy(const uint32_t *votes, size_t n_classes)
{
    const uint64_t all = total(votes, n_classes);
    double bits = 0;
    if (all == 0) return NAN;
    for (size_t c = 0; c < n_classes; ++c) {
        if (votes[c] == 0) continue; /* x log x is 0 there */
        const double p = (double)votes[c] / (double)all;
        bits -= p * log2(p);
    }
    return bits <= 0 ? 0 : bits; /* not -0 */
}

double tern_vote_softmax(const uint32_t *votes, size_t n_classes, size_t c)
{
    uint32_t top = 0;
    double sum = 0;
    for (size_t i = 0; i < n_classes; ++i)
        if (votes[i] > top) top = votes[i];
    if (top == 0) return NAN;
    for (size_t i = 0; i < n_classes; ++i) sum += exp((double)votes[i] - (double)top);
    return exp((double)votes[c] - (double)top) / sum;
}

/* ---- activity ----------------------------------------------------------------- */

double tern_spike_rate(uint64_t spikes, uint32_t n_neurons, uint64_t sample_steps)
{
    return n_neurons == 0 || sample_steps == 0 ? 0 : (double)spikes / (double)n_neurons / (double)sample_steps;
}
