/* test_tern_bootstrap.c : resampling and calibration without bias, by hand, by brute force, and by how often intervals
 * hold what they should
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_bootstrap.h"
#include <stdlib.h>
#include <string.h>
#include "tern_check.h"
#include "tern_random.h"
#include "tern_testnet.h"

static double unit(tern_testrand *r) { return (double)tern_testrand_in(r, 0, 999999) / 1e6; }

static void counts(void)
{
    enum { N = 37, TIMES = 4000 };
    uint32_t a[N], b[N];
    double sum[N] = { 0 }, squares = 0;
    for (uint32_t r = 0; r < TIMES; ++r) {
        uint32_t all = 0;
        tern_bootstrap_counts(11, r, 0, N, a);
        for (int i = 0; i < N; ++i) all += a[i], sum[i] += a[i], squares += (double)a[i] * a[i];
        CHECK_EQ(all, N);
    }
    for (int i = 0; i < N; ++i) CHECK_NEAR(sum[i] / TIMES, 1, 0.08); /* each equally often: 1 +- 0.016 */
    CHECK_NEAR(squares / TIMES / N, 2 - 1.0 / N, 0.03);              /* binomial: variance 1 - 1/N */
    /* draws are those of the header: 0.. of word i mod 2 */
    uint32_t key[2] = { 11u + 0x626f6f74u, 3 }, word[2], again[N] = { 0 };
    for (uint32_t i = 0; i < N; ++i) {
        tern_threefry2x32(key, (uint32_t[2]){ 5, i / 2 }, word);
        ++again[(uint64_t)word[i % 2] * N >> 32];
    }
    tern_bootstrap_counts(11, 5, 3, N, a);
    CHECK(memcmp(a, again, sizeof a) == 0);
    tern_bootstrap_counts(11, 5, 2, N, b);
    CHECK(memcmp(a, b, sizeof a) != 0);
    tern_bootstrap_counts(12, 5, 3, N, b);
    CHECK(memcmp(a, b, sizeof a) != 0);
    tern_bootstrap_counts(11, 6, 3, N, b);
    CHECK(memcmp(a, b, sizeof a) != 0);
    tern_bootstrap_counts(11, 6, 3, 1, b);
    CHECK_EQ(b[0], 1);
}

static void quantiles(void)
{
    const double x[5] = { 1, 2, 4, 8, 16 };
    CHECK_NEAR(tern_quantile(x, 5, 0), 1, 0);
    CHECK_NEAR(tern_quantile(x, 5, 1), 16, 0);
    CHECK_NEAR(tern_quantile(x, 5, 0.5), 4, 0);
    CHECK_NEAR(tern_quantile(x, 5, 0.625), 6, 1e-15);
    CHECK_NEAR(tern_quantile(x, 1, 0.3), 1, 0);
    double y[1001];
    for (int i = 0; i <= 1000; ++i) y[i] = (double)((i * 389) % 1001); /* 0..1000 in another order */
    tern_interval i = tern_bootstrap_interval(y, 1001);
    CHECK_NEAR(i.lo, 25, 1e-9);
    CHECK_NEAR(i.hi, 975, 1e-9);
    double never[4] = { (double)INFINITY, 3, (double)INFINITY, 5 };
    i = tern_bootstrap_interval(never, 4);
    CHECK_NEAR(i.lo, 3 + 2 * 0.075, 1e-12);
    CHECK(isinf(i.hi) && i.hi > 0);
    CHECK(isnan(tern_bootstrap_interval(never, 0).lo));
}

static void crossed(void)
{
    tern_testrand r = { 3 };
    enum { S = 4, R = 7 };
    uint8_t v[S * R];
    uint32_t a[S], b[R];
    for (int trial = 0; trial < 50; ++trial) {
        double sum = 0, n = 0;
        for (int i = 0; i < S * R; ++i) v[i] = (uint8_t)tern_testrand_in(&r, 0, 1);
        tern_bootstrap_counts((uint64_t)trial, 0, 0, S, a);
        tern_bootstrap_counts((uint64_t)trial, 0, 1, R, b);
        for (int s = 0; s < S; ++s)
            for (uint32_t i = 0; i < a[s]; ++i)
                for (int c = 0; c < R; ++c)
                    for (uint32_t k = 0; k < b[c]; ++k) sum += v[s * R + c], ++n;
        CHECK_NEAR(tern_crossed_mean(v, a, S, b, R), sum / n, 1e-15);
    }
}

/* Seeds and recordings that differ, each for all of the other: an interval of both must hold the true share in 19 of 20
 * cases or more; one of the recordings alone, as if all decisions were independent, must not. */
static void coverage(void)
{
    enum { S = 8, R = 60, TRIALS = 300, B = 200 };
    tern_testrand r = { 77 };
    int held = 0, narrow = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        uint8_t v[S * R];
        uint32_t a[S], b[R];
        double easy[R], both[B];
        uint64_t right = 0;
        for (int i = 0; i < R; ++i) easy[i] = 0.4 * (unit(&r) - 0.5);
        for (int s = 0; s < S; ++s) {
            const double good = 0.3 * (unit(&r) - 0.5);
            for (int i = 0; i < R; ++i) right += v[s * R + i] = unit(&r) < 0.6 + good + easy[i]; /* 0.6 on average */
        }
        for (uint32_t k = 0; k < B; ++k) {
            tern_bootstrap_counts((uint64_t)trial, k, 0, S, a);
            tern_bootstrap_counts((uint64_t)trial, k, 1, R, b);
            both[k] = tern_crossed_mean(v, a, S, b, R);
        }
        const tern_interval i = tern_bootstrap_interval(both, B), w = tern_wilson(right, S * R);
        held += i.lo <= 0.6 && 0.6 <= i.hi;
        narrow += w.lo <= 0.6 && 0.6 <= w.hi;
    }
    CHECK(held >= TRIALS * 92 / 100);
    CHECK(narrow < TRIALS * 90 / 100);
}

/* ---- calibration ---- */

static void debiased_by_hand(void)
{
    tern_calibration c;
    tern_calibration_init(&c, 2);
    CHECK(isnan(tern_calibration_debiased(&c)));
    for (int i = 0; i < 4; ++i) tern_calibration_add(&c, 0.5, i < 2);
    /* no gap, deviation 1/4: on average chance makes one of sqrt(2/pi)/4 */
    CHECK_NEAR(tern_calibration_error(&c), 0, 0);
    CHECK_NEAR(tern_calibration_debiased(&c), -0.25 * 0.79788456080286536, 1e-15);
    /* all right: no deviation, nothing to take away */
    for (int i = 0; i < 4; ++i) tern_calibration_add(&c, 0.75, true);
    CHECK_NEAR(tern_calibration_debiased(&c), (-0.25 * 0.79788456080286536 + 0.25) / 2, 1e-15);
    /* a gap of two deviations: |X| has the mean 2 erf(sqrt 2) + sqrt(2/pi) exp(-2) = 2.01698168 deviations */
    tern_calibration_init(&c, 1);
    for (int i = 0; i < 4; ++i) tern_calibration_add(&c, 1, i < 2);
    CHECK_NEAR(tern_calibration_debiased(&c), 0.25 * (4 - 2.0169814), 1e-6);
}

static void adaptive_by_hand(void)
{
    tern_decided d[8] = { { 0.9, true },  { 0.1, false }, { 0.2, true }, { 0.8, true },
                          { 0.3, false }, { 0.7, false }, { 0.6, true }, { 0.4, false } };
    /* two bins of four: 0.1 .. 0.4, one of four right, sum 1.0; 0.6 .. 0.9, three right, sum 3.0 */
    CHECK_NEAR(tern_calibration_adaptive(d, 8, 2), 0, 1e-15);
    CHECK_NEAR(d[0].confidence, 0.1, 0); /* sorted */
    /* four bins of two: |1 - 0.3| + |0 - 0.7| + |1 - 1.3| + |2 - 1.7| */
    CHECK_NEAR(tern_calibration_adaptive(d, 8, 4), (0.7 + 0.7 + 0.3 + 0.3) / 8, 1e-15);
    /* one bin for each: sum of |right - confidence| */
    CHECK_NEAR(tern_calibration_adaptive(d, 8, 100), (0.1 + 0.8 + 0.3 + 0.4 + 0.4 + 0.7 + 0.2 + 0.1) / 8, 1e-15);
    CHECK_NEAR(tern_calibration_adaptive(d, 8, 1), 0, 1e-15);
    /* equal confidences stay together, however many bins: 5 of 0.8 with 3 right, 1 of 0.5 */
    tern_decided e[6] = { { 0.8, true }, { 0.8, false }, { 0.5, true }, { 0.8, true }, { 0.8, true }, { 0.8, false } };
    for (uint32_t bins = 2; bins < 20; ++bins)
        CHECK_NEAR(tern_calibration_adaptive(e, 6, bins), (bins < 4 ? fabs(4 - 4.5) : 0.5 + 1.0) / 6, 1e-15);
    CHECK(isnan(tern_calibration_adaptive(e, 0, 3)) && isnan(tern_calibration_adaptive(e, 6, 0)));
}

/* n decisions whose confidence is between 0.5 and 1 and too high by `over`. */
static void decide(tern_testrand *r, double over, tern_decided *d, size_t n, tern_calibration *c)
{
    tern_calibration_init(c, 15);
    for (size_t i = 0; i < n; ++i) {
        const double p = 0.5 + 0.5 * unit(r);
        d[i] = (tern_decided){ p, unit(r) < p - over };
        tern_calibration_add(c, d[i].confidence, d[i].right);
    }
}

/* Of a calibrated network the plain error is far from 0, the debiased one nearer; the squared one is right on average,
 * and its interval holds the truth. */
static void right_on_average(void)
{
    enum { N = 150, TRIALS = 300, RESAMPLES = 200 };
    static const double over[] = { 0, 0.1, 0.2 };
    tern_testrand r = { 4 };
    tern_decided d[N];
    uint32_t draws[N];
    double scratch[RESAMPLES];
    for (size_t kind = 0; kind < 3; ++kind) {
        const double truth = over[kind] * over[kind];
        double plain = 0, less = 0, squared = 0;
        int held = 0;
        for (int trial = 0; trial < TRIALS; ++trial) {
            tern_calibration c;
            decide(&r, over[kind], d, N, &c);
            plain += tern_calibration_error(&c) / TRIALS;
            less += tern_calibration_debiased(&c) / TRIALS;
            squared += tern_calibration_squared(&c) / TRIALS;
            const tern_interval i = tern_calibration_interval(d, N, 15, (uint64_t)trial, RESAMPLES, draws, scratch);
            held += i.lo <= truth && truth <= i.hi;
        }
        CHECK(kind != 0 || plain > 0.06); /* what is to be mended */
        CHECK(kind == 0 ? less < 0.65 * plain : fabs(less - over[kind]) < 0.015);
        CHECK_NEAR(squared, truth, 0.0025);
        CHECK(held >= TRIALS * 90 / 100);
    }
    CHECK(isnan(tern_calibration_interval(d, 0, 15, 1, RESAMPLES, draws, scratch).lo));
    CHECK(isnan(tern_calibration_interval(d, 1, 15, 1, RESAMPLES, draws, scratch).lo)); /* a bin of one alone */
}

static void squared_by_hand(void)
{
    tern_calibration c;
    tern_calibration_init(&c, 2);
    CHECK(isnan(tern_calibration_squared(&c)));
    tern_calibration_add(&c, 0.25, true); /* alone in its bin: left out */
    CHECK(isnan(tern_calibration_squared(&c)));
    for (int i = 0; i < 4; ++i) tern_calibration_add(&c, 0.75, i < 2); /* gap 1/4, variance of the share 1/4 / 3 */
    CHECK_NEAR(tern_calibration_squared(&c), 1.0 / 16 - 1.0 / 12, 1e-15);
}

int main(void)
{
    counts();
    quantiles();
    crossed();
    coverage();
    debiased_by_hand();
    adaptive_by_hand();
    squared_by_hand();
    right_on_average();
    return tern_check_report("bootstrap");
}
