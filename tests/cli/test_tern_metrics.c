/* test_tern_metrics.c : metrics against values worked out by hand or by brute force
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include <stdlib.h>
#include "tern_check.h"

static void log_mean_exp(void)
{
    const double a[3] = { log(1), log(2), log(6) }, far[2] = { -2000, -2000 - log(3) }, one[1] = { -5 }, apart[2] = { 0, -5000 };
    CHECK_NEAR(tern_log_mean_exp(a, 3), log(3), 1e-15);
    CHECK_NEAR(tern_log_mean_exp(far, 2), -2000 + log(2.0 / 3), 1e-12); /* exp(-2000) is 0 in a double */
    CHECK_NEAR(tern_log_mean_exp(one, 1), -5, 0);
    CHECK_NEAR(tern_log_mean_exp(apart, 2), -log(2), 1e-15);
}

static void mean(void)
{
    tern_mean m = { 0 };
    CHECK(isnan(tern_mean_error(&m)));
    const double x[4] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 }; /* variance 30, of the mean 7.5 */
    for (int i = 0; i < 4; ++i) tern_mean_add(&m, x[i]);
    CHECK_NEAR(m.mean, 1e9 + 10, 0);
    CHECK_NEAR(tern_mean_error(&m), sqrt(7.5), 1e-12);
}

static void majority(void)
{
    uint32_t votes[3];
    const uint32_t clear[4][3] = { { 1, 5, 2 }, { 0, 3, 1 }, { 9, 2, 2 }, { 0, 1, 0 } };
    CHECK_EQ(tern_majority(&clear[0][0], 4, 3, votes), 1); /* though class 0 has as many spikes */
    CHECK(votes[0] == 1 && votes[1] == 3 && votes[2] == 0);
    const uint32_t vote_tie[2][3] = { { 5, 0, 0 }, { 0, 0, 7 } };
    CHECK_EQ(tern_majority(&vote_tie[0][0], 2, 3, votes), 2); /* more spikes in all */
    const uint32_t full_tie[2][3] = { { 0, 4, 0 }, { 0, 0, 4 } };
    CHECK_EQ(tern_majority(&full_tie[0][0], 2, 3, votes), 1); /* lower index */
    const uint32_t sample_tie[3][3] = { { 2, 2, 0 }, { 0, 9, 0 }, { 5, 0, 0 } };
    CHECK_EQ(tern_majority(&sample_tie[0][0], 3, 3, votes), 1); /* the tied sample votes for the class with more spikes */
    CHECK_EQ(votes[1], 2);
    const uint32_t silent[2][3] = { { 0, 0, 0 }, { 0, 0, 0 } };
    CHECK_EQ(tern_majority(&silent[0][0], 2, 3, votes), 0);
    const uint32_t single[2][1] = { { 0 }, { 3 } };
    CHECK_EQ(tern_majority(&single[0][0], 2, 1, votes), 0);
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
    /* all six orders of three recordings come up equally often: 6000 epochs, 1000 +- 29 each, 5 standard deviations allowed */
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

int main(void)
{
    log_mean_exp();
    mean();
    majority();
    order();
    return tern_check_report("metrics");
}
