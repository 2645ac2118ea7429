/* tern_lanes.c : see tern_lanes.h; compiled once for each instruction set, TERN_LANES names it
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_lanes.h"
#include "tern/fixed.h"
#include "tern_plant.h"
#include "tern_lanes_update.h"
#include "tern_vec.h"
#include "tern_weight.h"

/* ---- potentials ------------------------------------------------------------------------------ */

/* Adds sums of neurons i0.. and samples k0.., four at a time where there are so many. */
VEC_INLINE void add_sums(const tern_lanes_rows *r, uint32_t i0, uint32_t k0, const int n, const int n_k, vec sum[4][4])
{
    int64_t *const to = r->sum + i0 * r->sum_stride + k0;
    const size_t stride = r->sum_stride;
    for (int i = 0; i < n && n_k == 4; ++i) vec_add_sums(sum[i], to + (size_t)i * stride);
    for (int i = 0; i < n && n_k != 4 && n != 4; ++i)
        for (int k = 0; k < n_k; ++k) to[(size_t)i * stride + (size_t)k] += vec_sum32(sum[i][k]);
    for (int i = 0; n == 4 && n_k != 4 && i < n; i += 4 / n_k) { /* of several neurons */
        vec some[4];
        int64_t part[4] = { 0 };
        for (int j = 0; j < 4; ++j) some[j] = sum[i + j / n_k][j % n_k];
        vec_add_sums(some, part);
        for (int j = 0; j < 4; ++j) to[(size_t)(i + j / n_k) * stride + (size_t)(j % n_k)] += part[j];
    }
}

/* Adds the products of one vector of positions. */
VEC_INLINE void add_weighted(const vec w[4], const int16_t *x, size_t x_stride, const int n, const int n_k,
                             vec sum[4][4])
{
    for (int k = 0; k < n_k; ++k) {
        const vec one = vec_load(x + (size_t)k * x_stride);
        for (int i = 0; i < n; ++i) sum[i][k] = vec_dot(sum[i][k], w[i], one);
    }
}

/* Sums over blocks q0..q1-1 of the list for neurons i0.. and samples k0... */
VEC_INLINE void sum_blocks(const tern_lanes_rows *r, uint32_t q0, uint32_t q1, uint32_t i0, uint32_t k0, const int n,
                           const int n_k, const bool dense)
{
    const vec absent = vec_set16(TERN_WEIGHT_ABSENT);
    const uint16_t *blocks = r->blocks;
    const uint32_t whole = q1 < r->n_whole ? q1 : r->n_whole;
    const int16_t *weights[4], *x = r->x + k0 * r->x_stride + (size_t)r->block0 * TERN_BLOCK;
    const size_t x_stride = r->x_stride;
    vec sum[4][4];
    for (int i = 0; i < n; ++i) {
        weights[i] = r->weights[i0 + (uint32_t)i];
        for (int k = 0; k < n_k; ++k) sum[i][k] = vec_zero();
    }
    uint32_t q = q0;
    for (; q < whole; ++q)
        for (int sub = 0; sub < SUBS; ++sub) {
            const size_t at = (size_t)blocks[q] * TERN_BLOCK + (size_t)sub * VEC_LANES;
            vec w[4];
            for (int i = 0; i < n; ++i) {
                w[i] = vec_load(weights[i] + at);
                if (!dense) w[i] = vec_choose(vec_differ16(w[i], absent), w[i], vec_zero());
            }
            add_weighted(w, x + at, x_stride, n, n_k, sum);
        }
    for (; q < q1; ++q) {
        const uint32_t b = blocks[q];
        const int from = b == 0 ? r->from : 0, to = b + 1 == r->n_blocks ? r->to : TERN_BLOCK;
        for (int sub = 0; sub < SUBS; ++sub) {
            const int lane0 = sub * VEC_LANES, lo = from > lane0 ? from - lane0 : 0,
                      hi = to < lane0 + VEC_LANES ? to - lane0 : VEC_LANES;
            const size_t at = (size_t)b * TERN_BLOCK + (size_t)lane0;
            vec w[4];
            if (lo >= hi) continue;
            for (int i = 0; i < n; ++i) {
                w[i] = vec_load_part(weights[i] + at, lo, hi, 0);
                if (!dense) w[i] = vec_choose(vec_differ16(w[i], absent), w[i], vec_zero());
            }
            add_weighted(w, x + at, x_stride, n, n_k, sum);
        }
    }
    add_sums(r, i0, k0, n, n_k, sum);
}

VEC_INLINE void potential_some(const tern_lanes_rows *r, uint32_t i0, const int n, const bool dense)
{
    for (uint32_t b = 0; b < r->n_live; b += r->sum_blocks) {
        const uint32_t b1 = r->n_live - b < r->sum_blocks ? r->n_live : b + r->sum_blocks;
        uint32_t k = 0;
        for (; k + 4 <= r->n_samples; k += 4) sum_blocks(r, b, b1, i0, k, n, 4, dense);
        for (; k + 2 <= r->n_samples; k += 2) sum_blocks(r, b, b1, i0, k, n, 2, dense);
        for (; k < r->n_samples; ++k) sum_blocks(r, b, b1, i0, k, n, 1, PLANT(GAPS) || dense);
    }
}

static void potential(const tern_lanes_rows *r)
{
    uint32_t i = r->first;
    const uint32_t end = r->first + r->n;
    for (; i + 4 <= end; i += 4) {
        if (r->dense) potential_some(r, i, 4, true);
        else potential_some(r, i, 4, false);
    }
    for (; i < end; ++i) {
        if (r->dense) potential_some(r, i, 1, true);
        else potential_some(r, i, 1, false);
    }
}

static void wide(const int16_t *ring, uint32_t n_pairs, const int32_t *coef, int64_t out[TERN_BLOCK])
{
    for (int j = 0; j < TERN_BLOCK; ++j) out[j] = 0;
    for (uint32_t p = 0; p < n_pairs; ++p, ring += TERN_RING_PAIR) {
        const int64_t c0 = coef[2 * p], c1 = coef[2 * p + 1];
        for (int j = 0; j < TERN_BLOCK; ++j) {
            out[j] += c0 * ring[2 * j] + c1 * ring[2 * j + 1];
            if (PLANT(WIDE)) out[j] = (int32_t)out[j];
        }
    }
}

/* ---- learning coefficients ------------------------------------------------------------------- */

/* Two halves of products of 16-bit numbers: those at even places and those at odd places, 32 bits each. */
typedef struct halves {
    vec even, odd;
} halves;

VEC_INLINE halves multiply(vec a, vec b, vec even_mask)
{
    const vec even = vec_and(a, even_mask);
    return (halves){ vec_dot(vec_zero(), even, b), vec_dot(vec_zero(), vec_xor(a, even), b) };
}

VEC_INLINE halves round_halves(halves a, vec half, int shift)
{
    return (halves){ vec_shift_right32(vec_add32(a.even, half), shift),
                     vec_shift_right32(vec_add32(a.odd, half), shift) };
}

VEC_INLINE halves limit_halves(halves a, vec top, vec bottom)
{
    return (halves){ vec_max32(vec_min32(a.even, top), bottom), vec_max32(vec_min32(a.odd, top), bottom) };
}

/* Numbers that differ. */
static uint32_t count_different(halves a, halves b)
{
    int32_t x[VEC_LANES / 2], y[VEC_LANES / 2];
    uint32_t n = 0;
    vec_store(x, vec_xor(a.even, b.even));
    vec_store(y, vec_xor(a.odd, b.odd));
    for (int i = 0; i < VEC_LANES / 2; ++i) n += (uint32_t)(x[i] != 0) + (uint32_t)(y[i] != 0);
    return n;
}

/* The same for c_shift >= 17, in 16 bits. |m| <= 2^14, so m e has 30 bits: g is its upper part, rounded by the last bit
 * of the lower one, and has to be limited at one value only. Of ek g the upper 16 bits are enough: half a unit is a
 * multiple of
 * 2^16. 0 <= ek < 2^15, so nothing is limited there. */
static uint64_t coefficients_16(const int16_t *m, const int16_t *e, const int16_t *ek, uint32_t n, int shift,
                                int16_t *out, uint64_t *nonzero)
{
    const vec one = vec_set16(PLANT(ROUNDING) ? 0 : 1), bottom = vec_set16(-INT16_MAX),
              half = vec_set16((int16_t)(1 << (shift - 1)));
    uint64_t limited = 0;
    for (size_t i = 0; i < n; i += VEC_LANES) {
        const vec a = vec_load(m + i), b = vec_load(e + i);
        if (!vec_nonzero(a)) { /* a sample whose weight is nothing */
            vec_store(out + i, a);
            continue;
        }
        const vec low = vec_right16_zeros(vec_add16(vec_right16_zeros(vec_low16(a, b), 13), one), 1);
        const vec g = vec_add16(vec_left16(vec_high16(a, b), 2), low), near = vec_max16(g, bottom);
        const lanes far = vec_differ16(g, near);
        const vec c = vec_right16(vec_add16(vec_high16(near, vec_load(ek + i)), half), shift);
        vec_store(out + i, c);
        nonzero[i >> 7] |= (uint64_t)vec_pairs(c) << (i >> 1 & 63u);
        if (vec_any(far)) limited += vec_count(far);
    }
    return limited;
}

static uint64_t coefficients(const int16_t *m, const int16_t *e, const int16_t *ek, uint32_t n, unsigned c_shift,
                             int16_t *out, uint64_t *nonzero)
{
    if (c_shift >= 17) return coefficients_16(m, e, ek, n, (int)c_shift - 16, out, nonzero);
    static const int16_t first_of_two[2] = { -1, 0 };
    const vec even_mask = pair_of(first_of_two), top = vec_set32(INT16_MAX), bottom = vec_set32(-INT16_MAX),
              half_g = vec_set32(PLANT(ROUNDING) ? 0 : 1 << 13), half_c = vec_set32((int32_t)1 << (c_shift - 1u));
    uint64_t limited = 0;
    for (size_t i = 0; i < n; i += VEC_LANES) {
        const halves g = round_halves(multiply(vec_load(m + i), vec_load(e + i), even_mask), half_g, 14),
                     g1 = limit_halves(g, top, bottom); /* N-11 */
        const halves c = round_halves(multiply(vec_join(g1.even, g1.odd), vec_load(ek + i), even_mask), half_c,
                                      (int)c_shift); /* N-12; 0 <= ek < 2^15, c_shift <= 30 */
        const halves c1 = limit_halves(c, top, bottom);
        const vec both = vec_join(c1.even, c1.odd);
        vec_store(out + i, both);
        nonzero[i >> 7] |= (uint64_t)vec_pairs(both) << (i >> 1 & 63u);
        const vec changed = vec_or(vec_or(vec_xor(g.even, g1.even), vec_xor(g.odd, g1.odd)),
                                   vec_or(vec_xor(c.even, c1.even), vec_xor(c.odd, c1.odd)));
        if (vec_nonzero(changed)) limited += count_different(g, g1) + count_different(c, c1);
    }
    return limited;
}

static uint64_t sums(const int16_t *restrict c, const uint8_t *live, size_t n_live, size_t lags, int32_t *restrict sum,
                     int16_t *restrict low, int16_t *restrict high)
{
    static const int16_t first_of_two[2] = { 1, 0 }, second_of_two[2] = { 0, 1 };
    const vec first = pair_of(first_of_two), second = pair_of(second_of_two);
    uint64_t nonzero = 0;
    for (size_t s = 0; s < lags; s += VEC_LANES) { /* behind the lags are those of the next sample, or what is unused */
        int32_t even[VEC_LANES / 2], odd[VEC_LANES / 2];
        halves h = { vec_zero(), vec_zero() };
        for (size_t k = 0; k < n_live; ++k) {
            const vec one = vec_load(c + live[k] * lags + s);
            h.even = vec_dot(h.even, one, first);
            h.odd = vec_dot(h.odd, one, second);
        }
        const vec l = vec_join(h.even, h.odd), u = vec_join(vec_shift_right32(h.even, 8), vec_shift_right32(h.odd, 8));
        vec_store(low + s, l);
        vec_store(high + s, u);
        vec_store(even, h.even);
        vec_store(odd, h.odd);
        for (size_t i = 0; i < VEC_LANES / 2 && s + 2 * i < lags; ++i) {
            sum[s + 2 * i] = even[i];
            sum[s + 2 * i + 1] = odd[i];
        }
        nonzero |= (uint64_t)vec_pairs(vec_or(l, u)) << (s >> 1);
    }
    if (lags % 2u != 0) { /* half a pair */
        sum[lags] = low[lags] = high[lags] = 0;
        if (sum[lags - 1u] == 0) nonzero &= ~((uint64_t)1 << (lags >> 1));
    }
    return nonzero & ~(uint64_t)0 >> (63u - (lags - 1u) / 2u);
}

/* narrow: the sum of all sizes is below 2^31. */
static int64_t dot(const int16_t *restrict a, const int16_t *restrict b, uint32_t n, bool narrow)
{
    int64_t sum = 0;
    if (narrow || PLANT(NARROW)) {
        uint32_t s = 0;
        for (uint32_t i = 0; i < n; ++i) s += (uint32_t)(a[i] * b[i]);
        int32_t value;
        memcpy(&value, &s, sizeof value);
        return value;
    }
    for (uint32_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* ---- draws ----------------------------------------------------------------------------------- */

VEC_INLINE uint32_t rotl(uint32_t x, unsigned n) { return x << n | x >> (32u - n); }

static void random_some(const uint32_t key[3], uint32_t step, uint32_t counter, uint32_t *restrict out0,
                        uint32_t *restrict out1)
{
    static const uint8_t rotation[8] = { 13, 15, 26, 6, 17, 29, 16, 24 };
    uint32_t x0[TERN_BLOCK], x1[TERN_BLOCK];
    for (uint32_t j = 0; j < TERN_BLOCK; ++j) {
        x0[j] = step + key[0];
        x1[j] = counter + j + key[1];
    }
#pragma GCC unroll 20
    for (unsigned q = 0; q < 20; ++q) {
        const unsigned turn = rotation[(PLANT(RANDOM) && q == 19 ? q + 1u : q) & 7u], n = q / 4u + 1u;
        for (uint32_t j = 0; j < TERN_BLOCK; ++j) {
            x0[j] += x1[j];
            x1[j] = rotl(x1[j], turn) ^ x0[j];
        }
        if ((q & 3u) == 3u)
            for (uint32_t j = 0; j < TERN_BLOCK; ++j) {
                x0[j] += key[n % 3u];
                x1[j] += key[(n + 1u) % 3u] + n;
            }
    }
    memcpy(out0, x0, sizeof x0);
    memcpy(out1, x1, sizeof x1);
}

static void random_words(uint64_t seed, uint32_t step, uint32_t purpose, uint32_t group, uint32_t first, uint32_t n,
                         uint32_t *x0, uint32_t *x1)
{
    const uint32_t key[3] = { (uint32_t)seed, (uint32_t)(seed >> 32),
                              0x1BD11BDAu ^ (uint32_t)seed ^ (uint32_t)(seed >> 32) };
    for (uint32_t i = 0; i < n; i += TERN_BLOCK)
        random_some(key, step, (purpose << 28 | group << 16) + first + i, x0 + i, x1 + i);
}

/* ---- neurons --------------------------------------------------------------------------------- */

static void fire(const tern_lanes_fire *f)
{
    const uint32_t K = f->n_samples;
    int32_t u[TERN_MAX_SAMPLES];
    uint16_t drawn[TERN_MAX_SAMPLES];
    uint32_t limited = 0;
    for (uint32_t i = 0; i < f->n; ++i) {
        const int64_t *acc = f->acc_f20 + (size_t)i * K;
        for (uint32_t k = 0; k < K; ++k) { /* N-3 */
            const int64_t exact = (acc[k] + (PLANT(POTENTIAL) ? 0 : 1 << 11)) >> 12;
            const int64_t near = exact > TERN_U_MAX ? TERN_U_MAX : exact < -TERN_U_MAX ? -TERN_U_MAX : exact;
            limited += exact != near;
            u[k] = (int32_t)near;
        }
        for (uint32_t k = 0; f->draws != NULL && k < K; ++k)
            drawn[k] =
                (uint16_t)(f->draws[((size_t)(k >> 2) * 2u + (k >> 1 & 1u)) * f->draw_stride + i] >> (16u * (k & 1u)));
        int16_t *e = f->errors + (size_t)i * K * f->lags_w;
        for (uint32_t k = 0; k < K; ++k) {
            const int32_t a = u[k] < 0 ? -u[k] : u[k], n = a >> 2;
            const int32_t sig = f->sig_f16[n], p = u[k] < 0 ? sig : 65536 - sig;                            /* N-4 */
            const int32_t s = f->draws == NULL ? f->target[i] : PLANT(DRAW) ? drawn[k] <= p : drawn[k] < p; /* N-5 */
            const int16_t error = (int16_t)((s * 65536 - p + (PLANT(ERROR) ? 0 : 1)) >> 1);                 /* N-6 */
            e[(size_t)k * f->lags_w] = (int16_t)(f->learn ? error : 0);
            f->spike[(size_t)i * K + k] = (uint8_t)s;
            if (f->loss_f12 != NULL) { /* N-7 */
                const int32_t z = s != 0 ? -u[k] : u[k];
                f->loss_f12[k] += (uint32_t)(16 * (PLANT(LOSS) || z > 0 ? z : 0)) + f->softplus_f12[n];
            }
        }
    }
    *f->saturated += limited;
}

/* ---- histories and traces -------------------------------------------------------------------- */

static void shift(uint64_t *restrict history, const uint32_t *restrict spikes, uint32_t n_blocks, uint64_t mask,
                  uint8_t *restrict active)
{
    for (uint32_t b = 0; b < n_blocks; ++b, history += TERN_BLOCK) {
        const uint64_t word = spikes[b];
        uint64_t any = 0;
        for (unsigned j = 0; j < TERN_BLOCK; ++j) {
            history[j] = (history[j] << 1 | (word >> j & 1u)) & (PLANT(HISTORY) ? ~(uint64_t)0 : mask);
            any |= history[j];
        }
        active[b] |= any != 0;
    }
}

/* Sixteen steps of the histories of a block at a time. */
static void trace(const uint64_t *restrict history, uint32_t n_blocks, const uint8_t *active,
                  const tern_lanes_filter *filters, uint32_t n_filters, uint32_t taps_d)
{
    for (uint32_t b = 0; b < n_blocks; ++b, history += TERN_BLOCK) {
        const size_t at = (size_t)b * TERN_BLOCK;
        if (!active[b]) {
            for (uint32_t i = 0; i < n_filters; ++i) memset(filters[i].x + at, 0, TERN_BLOCK * sizeof(int16_t));
            continue;
        }
        uint16_t part[TERN_MAX_HISTORY / 16][TERN_BLOCK];
        for (uint32_t d = 0; d < taps_d; d += 16)
            for (unsigned j = 0; j < TERN_BLOCK; ++j) part[d / 16][j] = (uint16_t)(history[j] >> d);
        for (uint32_t i = 0; i < n_filters; ++i) {
            vec x[SUBS];
            for (int s = 0; s < SUBS; ++s) x[s] = vec_zero();
            for (uint32_t d = 0; d < taps_d; ++d) {
                const vec bit = vec_set16((int16_t)(1u << (d % 16u))), tap = vec_set16((int16_t)filters[i].taps[d]);
                for (int s = 0; s < SUBS; ++s)
                    x[s] = vec_add_where(x[s], vec_load(part[d / 16] + s * VEC_LANES), bit, tap);
            }
            for (int s = 0; s < SUBS; ++s) vec_store(filters[i].x + at + s * VEC_LANES, x[s]);
        }
    }
}

static void remember(int16_t *restrict ring, uint32_t n_pairs, uint32_t at, const int16_t *restrict x,
                     uint32_t n_blocks)
{
    ring += (size_t)(at >> 1) * TERN_RING_PAIR + (PLANT(RING) ? 0u : at & 1u);
    for (uint32_t b = 0; b < n_blocks; ++b, ring += (size_t)n_pairs * TERN_RING_PAIR, x += TERN_BLOCK)
        for (unsigned u = 0; u < 8; ++u) {
            int16_t *to = ring + 8u * VEC_UNIT(u);
            for (unsigned j = 0; j < 4; ++j) to[2u * j] = x[4u * u + j];
        }
}

#define TERN_LANES_NAME2(a, b) a##b
#define TERN_LANES_NAME(a, b) TERN_LANES_NAME2(a, b)
#define TERN_LANES_TEXT2(a) #a
#define TERN_LANES_TEXT(a) TERN_LANES_TEXT2(a)

const tern_lanes *TERN_LANES_NAME(tern_lanes_, TERN_LANES)(void)
{
    static const tern_lanes l = { .name = TERN_LANES_TEXT(TERN_LANES),
                                  .tile = TILE_ALL,
                                  .bundle = VEC_BUNDLE,
                                  .products = 2 * TERN_BLOCK / VEC_LANES,
                                  .unit = { VEC_UNIT(0u), VEC_UNIT(1u), VEC_UNIT(2u), VEC_UNIT(3u), VEC_UNIT(4u),
                                            VEC_UNIT(5u), VEC_UNIT(6u), VEC_UNIT(7u) },
                                  .update = update,
                                  .update_by_spikes = update_by_spikes,
                                  .potential = potential,
                                  .wide = wide,
                                  .coefficients = coefficients,
                                  .sums = sums,
                                  .unite = unite,
                                  .reversed = reversed,
                                  .dot = dot,
                                  .random = random_words,
                                  .fire = fire,
                                  .shift = shift,
                                  .trace = trace,
                                  .remember = remember };
    return &l;
}
