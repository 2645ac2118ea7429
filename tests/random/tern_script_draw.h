/* tern_script_draw.h : the generator's draws
 * SPDX-License-Identifier: Apache-2.0
 *
 * One draw in an expression: C does not say which of two comes first.
 */
#ifndef TERN_SCRIPT_DRAW_H
#define TERN_SCRIPT_DRAW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tern_draws {
    uint64_t s;
} tern_draws;

static inline uint64_t tern_draw_next(tern_draws *r) /* splitmix64 */
{
    uint64_t z = (r->s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* lo..hi, both included */
static inline int64_t tern_draw_in(tern_draws *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(tern_draw_next(r) % (uint64_t)(hi - lo + 1));
}
static inline bool tern_draw_one_in(tern_draws *r, unsigned n) { return tern_draw_next(r) % n == 0; }
static inline double tern_draw_real(tern_draws *r, double lo, double hi)
{
    return lo + (hi - lo) * (double)(tern_draw_next(r) >> 11) / 9007199254740992.0;
}
static inline double tern_draw_of(tern_draws *r, const double *list, size_t n) { return list[tern_draw_next(r) % n]; }

#endif /* TERN_SCRIPT_DRAW_H */
