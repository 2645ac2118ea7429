/* fixed.h : the one rounding and the one saturation (docs/21-numerics.md, section 1)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: every function may be called by any thread at any time; `sat` is the caller's.
 */
#ifndef TERN_FIXED_H
#define TERN_FIXED_H
#include <stdint.h>

/* The arithmetic right shift of a negative number is used below; gcc and clang define it. */
typedef char tern_fixed_needs_arithmetic_shift[((-3) >> 1) == -2 ? 1 : -1];

/* rs(x, n): round half up, n = 0..62. */
static inline int64_t tern_round_shift(int64_t x, unsigned n)
{
    return n == 0 ? x : (x + ((int64_t)1 << (n - 1))) >> n;
}

/* sat(x, bits): symmetric, bits 2..32. *sat is incremented when the value was changed. */
static inline int32_t tern_saturate(int64_t x, unsigned bits, uint64_t *sat)
{
    const int64_t top = ((int64_t)1 << (bits - 1)) - 1;
    if (x > top) {
        ++*sat;
        return (int32_t)top;
    }
    if (x < -top) {
        ++*sat;
        return (int32_t)-top;
    }
    return (int32_t)x;
}
#endif /* TERN_FIXED_H */
