/* test_tern_metrics.c : metrics against values of 40-digit arithmetic and against the same quantities computed in
 * another way
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include <stdlib.h>
#include "tern_check.h"
#include "tern_testnet.h"

static void log_mean_exp(void)
{
    const double a[3] = { log(1), log(2), log(6) }, far[2] = { -2000, -2000 - log(3) }, one[1] = { -5 },
                 apart[2] = { 0, -5000 };
    CHECK_NEAR(tern_log_mean_exp(a, 3), log(3), 1e-15);
    CHECK_NEAR(tern_log_mean_exp(far, 2), -2000 + log(2.0 / 3), 1e-12); /* exp(-2000) is 0 in a double */
    CHECK_NEAR(tern_log_mean_exp(one, 1), -5, 0);
    CHECK_NEAR(tern_log_mean_exp(apart, 2), -log(2), 1e-15);
}

/* Intervals keep to what the values can be, are Student's far from the ends, and Wilson's form for zeros and ones. */
static void test_within(void)
{
    static const double sure[] = { 1, 1, 1, 1, 1, 1, 1, 0.9 }, small[] = { 0, 0, 0, 0, 0, 0.5 },
                        middle[] = { 0.4, 0.5, 0.6, 0.5 };
    tern_mean a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 }, zeros = { 0 };
    for (size_t i = 0; i < 8; ++i) tern_mean_add(&a, sure[i]);
    for (size_t i = 0; i < 6; ++i) tern_mean_add(&b, small[i]);
    for (size_t i = 0; i < 4; ++i) tern_mean_add(&c, middle[i]);
    for (size_t i = 0; i < 6; ++i) tern_mean_add(&d, -small[i]);
    CHECK(tern_mean_interval(&a).hi > 1 && tern_mean_interval(&b).lo < 0); /* what is to be mended */
    tern_interval i = tern_mean_interval_within(&a, 0, 1);
    CHECK(i.hi <= 1 && i.hi > a.mean && i.lo < a.mean && i.lo > 0.8);
    i = tern_mean_interval_within(&b, 0, (double)INFINITY);
    CHECK(i.lo >= 0 && i.lo < b.mean && i.hi > b.mean && i.hi < 2);
    const tern_interval j = tern_mean_interval_within(&d, (double)-INFINITY, 0); /* the mirror image */
    CHECK_NEAR(j.lo, -i.hi, 1e-12);
    CHECK_NEAR(j.hi, -i.lo, 1e-12);
    i = tern_mean_interval_within(&c, 0, 1);
    CHECK_NEAR(i.lo, tern_mean_interval(&c).lo, 1e-15);
    CHECK_NEAR(i.hi, tern_mean_interval(&c).hi, 1e-15);
    for (unsigned k = 0; k < 5; ++k) tern_mean_add(&zeros, 0);
    CHECK(tern_mean_interval_within(&zeros, 0, 1).lo == 0 && tern_mean_interval_within(&zeros, 0, 1).hi == 0);
    /* 999 of 1,000 ones: Wilson's, but for t instead of z and n - 1 in the variance */
    tern_mean w = { 0 };
    for (unsigned k = 0; k < 1000; ++k) tern_mean_add(&w, k != 0);
    CHECK_NEAR(tern_mean_interval_within(&w, 0, 1).lo, tern_wilson(999, 1000).lo, 1e-4);
    CHECK_NEAR(tern_mean_interval_within(&w, 0, 1).hi, tern_wilson(999, 1000).hi, 1e-4);
}

static void mean(void)
{
    tern_mean m = { 0 };
    CHECK(isnan(tern_mean_error(&m)) && isnan(tern_mean_interval(&m).lo) && isnan(tern_mean_interval(&m).hi));
    const double x[4] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 }; /* variance 30, of the mean 7.5 */
    tern_mean_add(&m, x[0]);
    /* one value tells nothing about its spread */
    CHECK(isnan(tern_mean_error(&m)) && isnan(tern_mean_interval(&m).hi));
    for (int i = 1; i < 4; ++i) tern_mean_add(&m, x[i]);
    CHECK_NEAR(m.mean, 1e9 + 10, 0);
    CHECK_NEAR(tern_mean_error(&m), sqrt(7.5), 1e-12);
    const tern_interval i = tern_mean_interval(&m);
    CHECK_NEAR(i.lo, 1e9 + 10 - 3.18244630528370959 * sqrt(7.5), 1e-6); /* t(0.975) with 3 degrees of freedom */
    CHECK_NEAR(i.hi, 1e9 + 10 + 3.18244630528370959 * sqrt(7.5), 1e-6);
}

/* Quantiles found as roots of the regularized incomplete beta function I(t^2/(dof+t^2); 1/2, dof/2) with 40 digits. */
static void t_quantile(void)
{
    static const struct {
        double p;
        uint64_t dof;
        double t;
    } known[] = {
        { 0.975, 1, 12.7062047361747046 },
        { 0.975, 2, 4.30265272974946385 },
        { 0.975, 3, 3.18244630528370959 },
        { 0.975, 4, 2.77644510519779436 },
        { 0.975, 7, 2.36462425159278534 },
        { 0.975, 30, 2.04227245630123831 },
        { 0.975, 199, 1.97195654425175383 },
        { 0.975, 1000, 1.96233908082640848 },
        { 0.975, 1001, 1.96233670528087992 },
        { 0.975, 5000, 1.96043855170650792 },
        { 0.95, 5, 2.01504837333302424 },
        { 0.995, 12, 3.05453958939290213 },
        { 0.75, 1, 1.0 },
        { 0.9995, 9, 4.78091258593113907 },
        { 0.9999, 1500, 3.72822969056361667 },
        { 0.5, 3, 0 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        CHECK_NEAR(tern_t_quantile(known[i].p, known[i].dof), known[i].t, 1e-10 * (1 + known[i].t));
    CHECK_NEAR(tern_t_quantile(0.975, UINT64_MAX), 1.95996398454005424, 1e-12); /* the normal quantile */
    /* over the change of method too */
    for (uint64_t dof = 1; dof < 1200; ++dof) CHECK(tern_t_quantile(0.975, dof) > tern_t_quantile(0.975, dof + 1));
    CHECK(isnan(tern_t_quantile(0.975, 0)) && isnan(tern_t_quantile(1.0, 5)) && isnan(tern_t_quantile(0.4, 5)) &&
          isnan(tern_t_quantile(NAN, 5)));
}

/* Ends as the roots of (p - r/n)^2 = z^2 p (1 - p) / n, solved as a quadratic with 40 digits. */
static void wilson(void)
{
    static const struct {
        uint64_t right, n;
        double lo, hi;
    } known[] = {
        { 0, 10, 0.0, 0.27753279986288925 },
        { 10, 10, 0.72246720013711075, 1.0 },
        { 1, 2, 0.094531205734230713, 0.90546879426576929 },
        { 7, 10, 0.39677814746114532, 0.89220873259369898 },
        { 191, 200, 0.9167032959981804, 0.97614745699850701 },
        { 1, 1, 0.20654931437723739, 1.0 },
        { 123456, 1000000, 0.12281269653142285, 0.12410219641400438 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const tern_interval w = tern_wilson(known[i].right, known[i].n);
        CHECK_NEAR(w.lo, known[i].lo, 1e-14);
        CHECK_NEAR(w.hi, known[i].hi, 1e-14);
    }
    CHECK(tern_wilson(0, 10).lo == 0 && tern_wilson(10, 10).hi == 1);
    CHECK(isnan(tern_wilson(0, 0).lo) && isnan(tern_wilson(3, 2).hi));
    for (uint64_t n = 1; n < 60; ++n) /* the same for wrong ones, mirrored; always within 0..1 and around the share */
        for (uint64_t r = 0; r <= n; ++r) {
            const tern_interval a = tern_wilson(r, n), b = tern_wilson(n - r, n);
            CHECK_NEAR(a.lo, 1 - b.hi, 1e-15);
            CHECK(a.lo >= 0 && a.hi <= 1 && a.lo <= (double)r / (double)n && a.hi >= (double)r / (double)n);
        }
}

static void uncertainty(void)
{
    static const struct {
        uint32_t votes[3];
        double bits;
    } entropy[] = {
        { { 3, 1, 0 }, 0.811278124459132864 },
        { { 20, 0, 0 }, 0 },
        { { 1, 1, 1 }, 1.58496250072115618 },
        { { 13, 5, 2 }, 1.23616025437381186 },
        { { 255, 1, 0 }, 0.0368745062538719762 },
        { { 0, 10, 10 }, 1 },
        { { 0, 0, 7 }, 0 },
    };
    for (size_t i = 0; i < sizeof entropy / sizeof *entropy; ++i) {
        CHECK_NEAR(tern_vote_entropy(entropy[i].votes, 3), entropy[i].bits, 1e-15);
        CHECK(!signbit(tern_vote_entropy(entropy[i].votes, 3))); /* prints as 0, not as -0 */
    }
    static const struct {
        uint32_t votes[3];
        size_t c;
        double p;
    } softmax[] = {
        { { 13, 5, 2 }, 0, 0.999647959647361702 },
        { { 0, 0, 2 }, 0, 0.106506978919200751 },
        { { 200, 56, 0 }, 0, 1 },
        { { 1, 1, 1 }, 2, 1.0 / 3 },
    };
    for (size_t i = 0; i < sizeof softmax / sizeof *softmax; ++i)
        CHECK_NEAR(tern_vote_softmax(softmax[i].votes, 3, softmax[i].c), softmax[i].p, 1e-15);
    const uint32_t two[2] = { 3, 1 }, large[2] = { 256, 56 }, none[2] = { 0, 0 };
    CHECK_NEAR(tern_vote_softmax(two, 2, 0), 0.880797077977882444, 1e-15);
    CHECK_NEAR(tern_vote_softmax(two, 2, 1), 0.119202922022117556, 1e-15);
    CHECK_NEAR(tern_vote_softmax(large, 2, 1) / exp(-200), 1, 1e-12); /* neither overflow nor 0 */
    CHECK_NEAR(tern_vote_fraction(two, 2, 0), 0.75, 0);
    CHECK_NEAR(tern_vote_fraction(two, 2, 1), 0.25, 0);
    CHECK(isnan(tern_vote_softmax(none, 2, 0)) && isnan(tern_vote_fraction(none, 2, 0)) &&
          isnan(tern_vote_entropy(none, 2)));
    /* random votes: probabilities sum to 1, and entropy is log2(n) less the divergence from equal shares */
    tern_testrand r = { 5 };
    for (int trial = 0; trial < 300; ++trial) {
        uint32_t votes[10];
        double sum_softmax = 0, sum_share = 0, divergence = 0, all = 0;
        const size_t n = (size_t)tern_testrand_in(&r, 1, 10);
        for (size_t c = 0; c < n; ++c) all += votes[c] = (uint32_t)tern_testrand_in(&r, c == 0, 25);
        for (size_t c = 0; c < n; ++c) {
            const double p = votes[c] / all;
            sum_softmax += tern_vote_softmax(votes, n, c);
            sum_share += tern_vote_fraction(votes, n, c);
            if (votes[c] != 0) divergence += p * log(p * (double)n) / log(2);
        }
        CHECK_NEAR(sum_softmax, 1, 1e-14);
        CHECK_NEAR(sum_share, 1, 1e-14);
        CHECK_NEAR(tern_vote_entropy(votes, n), log((double)n) / log(2) - divergence, 1e-13);
    }
}

static void calibration_by_hand(void)
{
    tern_calibration c;
    CHECK_EQ(tern_calibration_init(&c, 0), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_calibration_init(&c, 101), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_calibration_init(&c, 4), TERN_OK);
    CHECK(isnan(tern_calibration_error(&c)));
    /* edges: 0 and 1/4 in the first bin, a little more in the second, 1 in the last */
    const struct {
        double p;
        bool right;
        int bin;
    } add[] = { { 0, false, 0 },   { 0.25, true, 0 }, { nextafter(0.25, 1), true, 1 }, { 0.5, false, 1 },
                { 0.75, true, 2 }, { 1.0, true, 3 },  { nextafter(0.75, 1), false, 3 } };
    for (size_t i = 0; i < sizeof add / sizeof *add; ++i) {
        const uint64_t before = c.bins[add[i].bin].n;
        CHECK_EQ(tern_calibration_add(&c, add[i].p, add[i].right), TERN_OK);
        CHECK_EQ(c.bins[add[i].bin].n, before + 1);
    }
    CHECK_EQ(c.n, 7);
    /* bins: 2 with mean 0.125, half right; 2 with 0.375, half right; 1 with 0.75, right; 2 with 0.875, half right */
    CHECK_NEAR(tern_calibration_error(&c), (2 * 0.375 + 2 * 0.125 + 0.25 + 2 * 0.375) / 7, 1e-15);
    CHECK_EQ(tern_calibration_add(&c, 1.0000001, true), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_calibration_add(&c, -1e-9, true), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_calibration_add(&c, NAN, true), TERN_ERR_ARGUMENT);
    CHECK_EQ(c.n, 7);
    /* perfect, and always wrong */
    CHECK_EQ(tern_calibration_init(&c, 10), TERN_OK);
    for (int i = 0; i < 5; ++i) tern_calibration_add(&c, 1, true);
    CHECK_NEAR(tern_calibration_error(&c), 0, 0);
    CHECK_EQ(tern_calibration_init(&c, 10), TERN_OK);
    for (int i = 0; i < 5; ++i) tern_calibration_add(&c, 0.95, false);
    CHECK_NEAR(tern_calibration_error(&c), 0.95, 1e-15);
}

/* Vote shares a/K with the bin found in whole numbers, and the error summed decision by decision from its
 * definition. */
static void calibration_by_fractions(void)
{
    tern_testrand r = { 11 };
    for (int trial = 0; trial < 200; ++trial) {
        enum { N = 300 };
        const uint32_t M = trial % 3 == 0 ? 20 : (uint32_t)tern_testrand_in(&r, 1, 100);
        uint32_t a[N], K[N], bin[N];
        bool right[N];
        tern_calibration c;
        tern_calibration_init(&c, M);
        for (int i = 0; i < N; ++i) {
            K[i] = i % 2 == 0 ? 20 : (uint32_t)tern_testrand_in(&r, 1, 256);
            a[i] = (uint32_t)tern_testrand_in(&r, 0, K[i]);
            right[i] = tern_testrand_one_in(&r, 3);
            bin[i] = a[i] == 0 ? 0 : (a[i] * M + K[i] - 1) / K[i] - 1; /* smallest m with a/K <= (m+1)/M */
            CHECK_EQ(tern_calibration_add(&c, (double)a[i] / K[i], right[i]), TERN_OK);
        }
        double error = 0;
        for (uint32_t m = 0; m < M; ++m) {
            double n = 0, good = 0, sum = 0;
            for (int i = 0; i < N; ++i)
                if (bin[i] == m) {
                    ++n;
                    good += right[i];
                    sum += (double)a[i] / K[i];
                }
            CHECK_EQ(c.bins[m].n, n);
            CHECK_EQ(c.bins[m].right, good);
            if (n > 0) error += n / N * fabs(good / n - sum / n);
        }
        CHECK_NEAR(tern_calibration_error(&c), error, 1e-13);
    }
}

static void order(void)
{
    enum { N = 100 };
    uint32_t a[N], b[N], c[N], seen[N] = { 0 }, fixed = 0;
    tern_order_epoch(7, 0, N, a);
    tern_order_epoch(7, 0, N, b);
    tern_order_epoch(7, 1, N, c);
    CHECK(memcmp(a, b, sizeof a) == 0);
    CHECK(memcmp(a, c, sizeof a) != 0);
    tern_order_epoch(7 + ((uint64_t)1 << 32), 0, N, c);
    CHECK(memcmp(a, c, sizeof a) != 0);
    for (int i = 0; i < N; ++i) {
        CHECK(a[i] < N);
        ++seen[a[i] % N];
        fixed += a[i] == (uint32_t)i;
    }
    for (int i = 0; i < N; ++i) CHECK_EQ(seen[i], 1);
    CHECK(fixed < 10); /* 1 expected */
    tern_order_epoch(7, 3, 1, a);
    CHECK_EQ(a[0], 0);
    /* all six orders of three recordings come up equally often: 6000 epochs, 1000 +- 29 each, 5 standard deviations
     * allowed */
    unsigned times[27] = { 0 };
    for (uint32_t e = 0; e < 6000; ++e) {
        tern_order_epoch(11, e, 3, a);
        ++times[a[0] * 9 + a[1] * 3 + a[2]];
    }
    unsigned orders = 0;
    for (int i = 0; i < 27; ++i) {
        if (times[i] == 0) continue;
        ++orders;
        CHECK(times[i] > 1000 - 145 && times[i] < 1000 + 145);
    }
    CHECK_EQ(orders, 6);
}

static void split(void)
{
    enum { N = 12, HELD = 3 };
    uint32_t train[N], held[N], scratch[N], other[N], times[N] = { 0 };
    for (uint32_t seed = 0; seed < 4000; ++seed) {
        uint32_t seen[N] = { 0 };
        tern_order_split(seed, N, HELD, train, held, scratch);
        for (int i = 0; i < HELD; ++i) ++seen[held[i] % N];
        for (int i = 0; i < N - HELD; ++i) ++seen[train[i] % N];
        for (int i = 0; i < N; ++i) CHECK_EQ(seen[i], 1);
        for (int i = 1; i < HELD; ++i) CHECK(held[i] > held[i - 1]);
        for (int i = 1; i < N - HELD; ++i) CHECK(train[i] > train[i - 1]);
        for (int i = 0; i < HELD; ++i) ++times[held[i]];
    }
    /* each equally often: 1000 +- 27.4 */
    for (int i = 0; i < N; ++i) CHECK(times[i] > 1000 - 5 * 28 && times[i] < 1000 + 5 * 28);
    tern_order_split(9, N, HELD, train, held, scratch);
    tern_order_split(9, N, HELD, train, other, scratch);
    CHECK(memcmp(held, other, HELD * sizeof *held) == 0);
    tern_order_split(9, N, N - 1, train, held, scratch); /* one left to train on */
    CHECK(train[0] < N);
}

static void rate(void)
{
    CHECK_NEAR(tern_spike_rate(60, 4, 30), 0.5, 0);
    CHECK_NEAR(tern_spike_rate(60, 0, 30), 0, 0);
    CHECK_NEAR(tern_spike_rate(0, 4, 0), 0, 0);
}

int main(void)
{
    test_within();
    log_mean_exp();
    mean();
    t_quantile();
    wilson();
    uncertainty();
    calibration_by_hand();
    calibration_by_fractions();
    order();
    split();
    rate();
    return tern_check_report("metrics");
}
