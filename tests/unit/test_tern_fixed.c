/* test_tern_fixed.c : the one rounding and the one saturation
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/fixed.h"
#include "tern_check.h"

/* floor((x + 2^(n-1)) / 2^n) with a division that rounds towards zero, corrected: no shift of a negative number */
static int64_t by_division(int64_t x, unsigned n)
{
    if (n == 0) return x;
    const int64_t unit = (int64_t)1 << n, sum = x + unit / 2;
    return sum / unit - (sum % unit < 0);
}

static void ties_round_up(void)
{
    CHECK_EQ(tern_round_shift(1, 1), 1);   /*  0.5 ->  1 */
    CHECK_EQ(tern_round_shift(-1, 1), 0);  /* -0.5 ->  0 */
    CHECK_EQ(tern_round_shift(-3, 1), -1); /* -1.5 -> -1 */
    CHECK_EQ(tern_round_shift(3, 1), 2);   /*  1.5 ->  2 */
    CHECK_EQ(tern_round_shift(-5, 2), -1); /* -1.25 -> -1 */
    CHECK_EQ(tern_round_shift(-6, 2), -1); /* -1.5  -> -1 */
    CHECK_EQ(tern_round_shift(-7, 2), -2); /* -1.75 -> -2 */
    CHECK_EQ(tern_round_shift(6, 2), 2);
    CHECK_EQ(tern_round_shift(-123456789, 0), -123456789);
    CHECK_EQ(tern_round_shift(INT64_MAX / 4, 62), 0);
    CHECK_EQ(tern_round_shift((int64_t)1 << 61, 62), 1);
    CHECK_EQ(tern_round_shift(-((int64_t)1 << 61), 62), 0);
    CHECK_EQ(tern_round_shift(-((int64_t)1 << 61) - 1, 62), -1);
}

static void every_shift(void)
{
    for (unsigned n = 0; n <= 40; ++n)
        for (int64_t i = -70000; i <= 70000; ++i) {
            const int64_t x = n < 10 ? i : i * ((int64_t)1 << (n - 10)) + (i % 3 - 1);
            if (tern_round_shift(x, n) != by_division(x, n)) CHECK_EQ(tern_round_shift(x, n), by_division(x, n));
        }
    CHECK(tern_check_failed == 0);
}

static void saturation(void)
{
    for (unsigned bits = 2; bits <= 32; ++bits) {
        const int64_t top = ((int64_t)1 << (bits - 1)) - 1;
        uint64_t count = 0;
        CHECK_EQ(tern_saturate(top, bits, &count), top);
        CHECK_EQ(tern_saturate(-top, bits, &count), -top);
        CHECK_EQ(tern_saturate(0, bits, &count), 0);
        CHECK_EQ(count, 0);
        CHECK_EQ(tern_saturate(top + 1, bits, &count), top);
        CHECK_EQ(tern_saturate(-top - 1, bits, &count), -top); /* symmetric: the most negative code is never made */
        CHECK_EQ(tern_saturate(INT64_MAX, bits, &count), top);
        CHECK_EQ(tern_saturate(INT64_MIN, bits, &count), -top);
        CHECK_EQ(count, 4);
    }
}

int main(void)
{
    ties_round_up();
    every_shift();
    saturation();
    return tern_check_report("fixed");
}
