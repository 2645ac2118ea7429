/* test_tern_report.c : the sums behind a report: reliability, histograms, running means
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>
#include "tern_check.h"
#include "tern_cli_report.h"

static void test_reliability(void)
{
    /* ten bins: 3 decisions in (0.2, 0.3], one of them right; 4 in (0.9, 1], all right; none elsewhere */
    tern_calibration c;
    double x[10], y[10], lo[10], hi[10];
    tern_calibration_init(&c, 10);
    CHECK_EQ(tern_report_reliability(&c, x, y, lo, hi), 0);
    tern_calibration_add(&c, 0.21, false);
    tern_calibration_add(&c, 0.25, true);
    tern_calibration_add(&c, 0.3, false);
    for (int i = 0; i < 4; ++i) tern_calibration_add(&c, 0.95 + 0.01 * i, true);
    CHECK_EQ(tern_report_reliability(&c, x, y, lo, hi), 2);
    CHECK_NEAR(x[0], (0.21 + 0.25 + 0.3) / 3, 1e-12);
    CHECK_NEAR(y[0], 1.0 / 3, 1e-12);
    CHECK_NEAR(lo[0], tern_wilson(1, 3).lo, 1e-12);
    CHECK_NEAR(hi[0], tern_wilson(1, 3).hi, 1e-12);
    CHECK_NEAR(x[1], 0.965, 1e-12);
    CHECK_NEAR(y[1], 1, 1e-12);
    CHECK_NEAR(lo[1], tern_wilson(4, 4).lo, 1e-12);
    CHECK(lo[0] < y[0] && y[0] < hi[0] && lo[1] < 1);
}

static void test_histogram(void)
{
    /* four bins over 0..2: (0, 0.5], (0.5, 1], (1, 1.5], (1.5, 2]; 0 belongs to the first, what is more than 2 to the
     * last */
    const double v[] = { 0, 0.5, 0.50001, 1, 1.5, 1.6, 2, 2.1, NAN, -1 };
    double middle[4], count[4];
    tern_report_histogram(v, sizeof v / sizeof *v, 2, 4, middle, count);
    static const double counts[4] = { 2, 2, 1, 3 }, middles[4] = { 0.25, 0.75, 1.25, 1.75 };
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(count[i], counts[i], 0);
        CHECK_NEAR(middle[i], middles[i], 1e-12);
    }
    tern_report_histogram(NULL, 0, 2, 4, middle, count);
    CHECK_NEAR(count[0] + count[1] + count[2] + count[3], 0, 0);
}

static void test_running_mean(void)
{
    const double v[6] = { 1, 2, NAN, 4, 5, INFINITY };
    double m[6];
    tern_report_running_mean(v, 6, 2, m);
    static const double wanted[6] = { 1, 1.5, 2, 4, 4.5, 5 };
    for (int i = 0; i < 6; ++i) CHECK_NEAR(m[i], wanted[i], 1e-12);
    tern_report_running_mean(v, 6, 1, m);
    CHECK(m[0] == 1 && isnan(m[2]) && m[4] == 5);
    tern_report_running_mean(v, 6, 100, m);
    CHECK_NEAR(m[4], 3, 1e-12);
}

/* What does not exist is not shown as a number. */
static void test_interval(void)
{
    static tern_report r;
    tern_arena_init(&r.arena, tern_alloc_default(), 0);
    CHECK_STR(tern_report_interval(&r, (tern_interval){ 0.25, 0.75 }), "[0.25, 0.75]");
    CHECK_STR(tern_report_interval(&r, (tern_interval){ NAN, NAN }), "");
    tern_arena_free(&r.arena);
}

int main(void)
{
    test_reliability();
    test_histogram();
    test_running_mean();
    test_interval();
    return tern_check_report("test_tern_report");
}
