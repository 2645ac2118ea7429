/* test_tern_patience.c : what counts as time while another program is waited for
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>
#include "tern_check.h"
#include "tern_patience.h"
#include "tern_progress.h"

static void counts(void)
{
    CHECK(tern_patience_counts(0.01, 0, 2) == 0.01); /* the number is not known */
    CHECK(tern_patience_counts(0.01, 1, 2) == 0.01);
    CHECK(tern_patience_counts(0.01, 2, 2) == 0.01);
    CHECK_NEAR(tern_patience_counts(0.01, 3, 2), 0.01 * 2 / 3, 1e-12);
    CHECK_NEAR(tern_patience_counts(0.01, 40, 2), 0.0005, 1e-12);
    CHECK_NEAR(tern_patience_counts(0.01, 4, 0), 0.0025, 1e-12); /* processors are not known */
    CHECK(tern_patience_counts(3600, 1, 4) <= 0.02);             /* the machine stood still */
    CHECK(tern_patience_counts(-1, 1, 4) == 0);                  /* no clock goes back, this one neither */
}

/* A limit is reached, and not before it. */
static void limit(void)
{
    tern_patience p;
    const double start_s = tern_clock_s();
    unsigned slices = 0;
    tern_patience_begin(&p, 0.2);
    while (tern_patience_left(&p)) {
        const struct timespec t = { .tv_nsec = TERN_PATIENCE_MS * 1000 * 1000 };
        nanosleep(&t, NULL);
        ++slices;
    }
    CHECK(tern_clock_s() - start_s >= 0.199);
    CHECK(slices >= 10); /* no slice counts for more than two */
    CHECK(!tern_patience_left(&p));
    tern_patience_begin(&p, 1e-9);
    while (tern_patience_left(&p)) {} /* asked all the time it ends, too */
}

int main(void)
{
    counts();
    limit();
    return tern_check_report("patience");
}
