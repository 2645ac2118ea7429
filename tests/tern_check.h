/* tern_check.h : assertions of the test programs; every failure prints place and both values
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CHECK_H
#define TERN_CHECK_H
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned tern_check_done, tern_check_failed;

/* How many are drawn: in the full check, and the first ones of the same in ./check --fast. */
#ifdef TERN_TEST_QUICK
#define TERN_DRAWN(full, quick) (quick)
#else
#define TERN_DRAWN(full, quick) (full)
#endif

#define CHECK(cond) \
    do { \
        ++tern_check_done; \
        if (!(cond) && ++tern_check_failed <= 20) printf("%s:%d: FAILED: %s\n", __FILE__, __LINE__, #cond); \
    } while (0)
#define CHECK_EQ(a, b) \
    do { \
        const long long chk_a = (long long)(a), chk_b = (long long)(b); \
        ++tern_check_done; \
        if (chk_a != chk_b && ++tern_check_failed <= 20) \
            printf("%s:%d: FAILED: %s == %s: 0x%llx (%lld) against 0x%llx (%lld)\n", __FILE__, __LINE__, #a, #b, \
                   (unsigned long long)chk_a, chk_a, (unsigned long long)chk_b, chk_b); \
    } while (0)
#define CHECK_NEAR(a, b, tol) \
    do { \
        const double chk_a = (a), chk_b = (b); \
        ++tern_check_done; \
        if (!(fabs(chk_a - chk_b) <= (tol)) && ++tern_check_failed <= 20) \
            printf("%s:%d: FAILED: %s ~ %s: %.9g against %.9g (tolerance %.3g)\n", __FILE__, __LINE__, #a, #b, chk_a, \
                   chk_b, (double)(tol)); \
    } while (0)
#define CHECK_STR(a, b) \
    do { \
        const char *chk_a = (a), *chk_b = (b); \
        ++tern_check_done; \
        if (strcmp(chk_a, chk_b) != 0 && ++tern_check_failed <= 20) \
            printf("%s:%d: FAILED: %s\n  found  %s\n  wanted %s\n", __FILE__, __LINE__, #a, chk_a, chk_b); \
    } while (0)

/* Last line of main: prints the counts, 0 if every check held and at least one was made. */
static inline int tern_check_report(const char *name)
{
    printf("%s: %u of %u checks failed\n", name, tern_check_failed, tern_check_done);
    return tern_check_failed != 0 || tern_check_done == 0;
}
#endif /* TERN_CHECK_H */
