/* tern_fast_widths.c : how large the numbers of a network can become, and which arithmetic that needs
 * (docs/24-fast-engine.md, section 4)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_fast_internal.h"

enum { SPLIT_BITS = 8 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Largest sum over all samples of |c| for one lag, N-11 and N-12. Modulators of set 0 are at least 0 and together
 * at most 1 and half a unit each. */
static uint64_t most_c(const tern_net *n, uint32_t K, unsigned set, uint32_t ek)
{
    const unsigned shift = n->learn[set].c_shift;
    const uint64_t g = set == 0 ? ((((UINT64_C(1) << 14) + K / 2u + 1u) << 15) >> 14) + K
                                : (uint64_t)K * INT16_MAX; /* |e| <= 2^15; each g is rounded */
    return least(((ek * g) >> shift) + K, (uint64_t)K * INT16_MAX);
}

/* The same for one sample. */
static uint64_t most_c_one(const tern_net *n, unsigned set, uint32_t ek)
{
    return least((((uint64_t)ek * INT16_MAX) >> n->learn[set].c_shift) + 1u, INT16_MAX);
}

static uint64_t most_x(const tern_net *n, uint32_t filter)
{
    uint64_t x = 0;
    for (uint32_t d = 0; d < n->taps_d; ++d) x += n->filter_taps[filter * n->taps_d + d];
    return x;
}

/* dw + r in 32 bits, and its shift in 16 (N-15). */
static bool fits(uint64_t dw, unsigned dither_bits)
{
    return dw + (UINT64_C(1) << dither_bits) <= INT32_MAX && (dw >> dither_bits) + 2u <= INT16_MAX;
}

void tern_fast_prove(const tern_net *n, uint32_t K, uint32_t products, tern_fast_widths *out)
{
    const uint64_t top = (UINT64_C(1) << (n->weight_bits - 1)) - 1u;
    for (uint32_t d = 0; d < n->lags_w; ++d) out->ek_most[d] = (uint16_t)least(2u * n->ek0[d] + 1u, INT16_MAX);
    for (uint32_t b = 0; b < n->n_filters; ++b) {
        const uint64_t x = most_x(n, b), block = top * x;
        const bool potential = TERN_LANES_PRODUCTS * block <= INT32_MAX; /* the same for every instruction set */
        out->sum_blocks[b] = PLANT(BLOCKS) ? UINT32_MAX
                             : !potential  ? 0
                             : block == 0  ? UINT32_MAX
                                           : (uint32_t)least(INT32_MAX / (products * block), UINT32_MAX);
        for (unsigned set = 0; set < 2; ++set) {
            uint64_t sum = 0, most = 0;
            for (uint32_t d = 0; d < n->lags_w; ++d) {
                const uint64_t c = most_c(n, K, set, out->ek_most[d]);
                sum += c;
                most = c > most ? c : most;
            }
            const bool quick = PLANT(WIDTHS) || (potential && fits(sum * x, n->learn[set].dither_bits));
            out->path[set][TERN_ROW_SHARED][b] = !quick                              ? TERN_FAST_WIDE
                                                 : PLANT(PARTS) || most <= INT16_MAX ? TERN_FAST_QUICK
                                                                                     : TERN_FAST_SPLIT;
            out->path[set][TERN_ROW_SAMPLE][b] = !quick ? TERN_FAST_WIDE : TERN_FAST_QUICK;
            uint64_t one = 0;
            for (uint32_t d = 0; d < n->lags_w; ++d) one += most_c_one(n, set, out->ek_most[d]);
            out->self_narrow[set][b] = one * K * x <= INT32_MAX;
        }
    }
}

bool tern_fast_ek_proved(const tern_fast_widths *w, const uint16_t *ek, uint32_t lags_w)
{
    for (uint32_t d = 0; d < lags_w; ++d)
        if (ek[d] > w->ek_most[d]) return false;
    return true;
}
