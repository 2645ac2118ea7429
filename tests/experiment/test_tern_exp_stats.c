/* test_tern_exp_stats.c : means and intervals over seeds against values worked out by hand, and every edge of a verdict
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "tern_check.h"
#include "tern_exp_stats.h"

#define NEAR(a, b) CHECK_NEAR(a, b, 1e-6)

static void means(void)
{
    /* standard deviation sqrt(2.5), its error sqrt(0.5); t(0.975, 4) = 2.776445105 of the tables */
    const double a[] = { 5, 1, 3, 2, 4 };
    tern_exp_mean m = tern_exp_mean_of(a, 5);
    CHECK(m.n == 5);
    NEAR(m.mean, 3);
    NEAR(m.hi - m.mean, 2.776445105 * 0.707106781);
    NEAR(m.mean - m.lo, m.hi - m.mean);
    /* two values: half their distance times t(0.975, 1) = 12.70620474 */
    const double b[] = { 0.9, 0.95 };
    m = tern_exp_mean_of(b, 2);
    NEAR(m.mean, 0.925);
    NEAR(m.lo, 0.925 - 0.025 * 12.70620474);
    NEAR(m.hi, 0.925 + 0.025 * 12.70620474);
    /* missing values are left out, wherever they stand; three remain: mean 2, error sqrt(1/3), t(0.975, 2) =
     * 4.302652730 */
    const double c[] = { (double)NAN, 1, 2, (double)NAN, 3 };
    m = tern_exp_mean_of(c, 5);
    CHECK(m.n == 3);
    NEAR(m.mean, 2);
    NEAR(m.hi, 2 + 4.302652730 * 0.577350269);
    /* eight equal values: an interval of no width; seven degrees of freedom for -3.5 .. 3.5: error sqrt(6/8), t =
     * 2.364624252 */
    const double d[] = { 7, 7, 7, 7, 7, 7, 7, 7 }, e[] = { -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5 };
    m = tern_exp_mean_of(d, 8);
    CHECK(m.lo == 7 && m.hi == 7 && m.mean == 7);
    m = tern_exp_mean_of(e, 8);
    NEAR(m.lo, -2.364624252 * 0.866025404);
    /* one value has no interval, none no mean */
    m = tern_exp_mean_of(c + 1, 1);
    CHECK(m.n == 1 && m.mean == 1 && isnan(m.lo) && isnan(m.hi));
    m = tern_exp_mean_of(c, 1);
    CHECK(m.n == 0 && isnan(m.mean) && isnan(m.lo) && isnan(m.hi));
    m = tern_exp_mean_of(c, 0);
    CHECK(m.n == 0 && isnan(m.mean));
}

static void verdicts(void)
{
    const double no = (double)NAN;
    const tern_exp_mean good = { 3, 0.95, 0.93, 0.97 }, one = { 1, 0.95, no, no }, none = { 0, no, no, no };
    CHECK(tern_exp_at_least(&good, 0.95) == TERN_EXP_REACHED);
    CHECK(tern_exp_at_least(&good, 0.9501) == TERN_EXP_WITHIN);
    CHECK(tern_exp_at_least(&good, 0.97) == TERN_EXP_WITHIN);
    CHECK(tern_exp_at_least(&good, 0.9701) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_at_least(&one, 0.95) == TERN_EXP_REACHED);
    CHECK(tern_exp_at_least(&one, 0.96) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_at_least(&none, 0) == TERN_EXP_NOT_MEASURED);

    const tern_exp_mean above = { 3, 1, 0.1, 2 }, around = { 3, 1, -0.1, 2 }, wrong = { 3, -1, -2, 0.1 },
                        edge = { 3, -1, -2, 0 }, below = { 3, -1, -2, -0.1 }, zero = { 5, 0, 0, 0 };
    CHECK(tern_exp_positive(&above) == TERN_EXP_REACHED);
    CHECK(tern_exp_positive(&around) == TERN_EXP_WITHIN);
    CHECK(tern_exp_positive(&wrong) == TERN_EXP_WITHIN);
    CHECK(tern_exp_positive(&edge) == TERN_EXP_WITHIN);
    CHECK(tern_exp_positive(&below) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_positive(&zero) == TERN_EXP_WITHIN);
    CHECK(tern_exp_positive(&none) == TERN_EXP_NOT_MEASURED);
    const tern_exp_mean plus = { 1, 0.1, no, no }, minus = { 1, -0.1, no, no }, equal = { 1, 0, no, no };
    CHECK(tern_exp_positive(&plus) == TERN_EXP_REACHED);
    CHECK(tern_exp_positive(&minus) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_positive(&equal) == TERN_EXP_WITHIN); /* as `zero` */

    const tern_exp_mean load = { 3, 30, 30, 30 }, ratio = { 3, 21, 17, 25 };
    CHECK(tern_exp_near(&load, 30, 0) == TERN_EXP_REACHED);
    CHECK(tern_exp_near(&load, 31, 0) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_near(&ratio, 20, 0.1) == TERN_EXP_REACHED);
    CHECK(tern_exp_near(&ratio, 24, 0.1) == TERN_EXP_WITHIN);
    CHECK(tern_exp_near(&ratio, 18, 0.1) == TERN_EXP_WITHIN);
    CHECK(tern_exp_near(&ratio, 26, 0.1) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_near(&one, 1.2, 0.1) == TERN_EXP_NOT_REACHED);
    CHECK(tern_exp_near(&none, 20, 0.1) == TERN_EXP_NOT_MEASURED);

    CHECK(strcmp(tern_exp_verdict_text(TERN_EXP_REACHED), "reached") == 0 &&
          strcmp(tern_exp_verdict_text(TERN_EXP_WITHIN), "within interval") == 0);
    CHECK(strcmp(tern_exp_verdict_text(TERN_EXP_NOT_REACHED), "not reached") == 0 &&
          strcmp(tern_exp_verdict_text(TERN_EXP_NOT_MEASURED), "not measured") == 0);
}

int main(void)
{
    means();
    verdicts();
    return tern_check_report("experiment.stats");
}
