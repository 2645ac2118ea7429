/* tern_lanes.c : see tern_lanes.h; compiled once for each instruction set, TERN_LANES names it
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_lanes.h"
#include "tern/fixed.h"
#include "tern_plant.h"
#include "tern_vec.h"
#include "tern_weight.h"

enum { SUBS = TERN_BLOCK / VEC_LANES };

VEC_INLINE bool is_active(const uint64_t *active, uint32_t block) { return (active[block >> 6] >> (block & 63u) & 1u) != 0; }

VEC_INLINE vec pair_of(const int16_t *c)
{
    int32_t both;
    memcpy(&both, c, sizeof both);
    return vec_set32(both);
}

/* ---- weights ------------------------------------------------------------------------------------------------------------------------ */

/* Sums of coefficient times trace of VEC_LANES positions for `n` neurons, 32 bits. */
VEC_INLINE void changes(const int16_t *ring, uint32_t n_pairs, const int16_t *const *coef, const int n, vec lo[], vec hi[])
{
    for (uint32_t p = 0; p < n_pairs; ++p) {
        const vec t0 = vec_load(ring + (size_t)p * TERN_RING_PAIR), t1 = vec_load(ring + (size_t)p * TERN_RING_PAIR + VEC_LANES);
        for (int i = 0; i < n; ++i) {
            const vec c = pair_of(coef[i] + 2 * p);
            lo[i] = vec_dot(lo[i], c, t0);
            hi[i] = vec_dot(hi[i], c, t1);
        }
    }
}

/* N-14, N-15: weights of VEC_LANES positions; from..to-1 of them belong to the row. */
VEC_INLINE void step_weights(const tern_lanes_rows *r, int16_t *w, vec lo, vec hi, uint32_t dither, uint32_t sub, int from, int to)
{
    const vec absent = vec_set16(TERN_WEIGHT_ABSENT), top = vec_set16(r->top), bottom = vec_set16((int16_t)-r->top);
    const bool whole = from == 0 && to == VEC_LANES;
    int32_t base;
    memcpy(&base, &dither, sizeof base);
    const uint32_t *lane = r->dither_lanes + sub * VEC_LANES;
    lo = vec_shift_right32(vec_add32(lo, vec_xor(vec_set32(base), vec_load(lane))), (int)r->dither_bits);
    hi = vec_shift_right32(vec_add32(hi, vec_xor(vec_set32(base), vec_load(lane + VEC_LANES / 2))), (int)r->dither_bits);
    const vec old = whole ? vec_load(w) : vec_load_part(w, from, to, TERN_WEIGHT_ABSENT);
    const vec move = vec_pack(lo, hi);
    const vec now = vec_max16(vec_min16(vec_add16_saturated(old, move), top), bottom);
    const lanes there = vec_differ16(old, absent), limited = vec_both(there, vec_differ16(now, vec_add16(old, move)));
    if (vec_any(limited)) *r->saturated += PLANT(SATURATIONS) ? 1 : vec_count(limited);
    const vec out = PLANT(ABSENT) ? now : vec_choose(there, now, old);
    if (whole) vec_store(w, out);
    else vec_store_part(w, from, to, out);
}

/* Block b of the rows for neurons i0..i0+n-1. */
VEC_INLINE void update_block(const tern_lanes_rows *r, uint32_t b, uint32_t i0, const int n)
{
    const int16_t *coef[VEC_BUNDLE], *high[VEC_BUNDLE];
    uint32_t dither[VEC_BUNDLE];
    const int from = b == 0 ? r->from : 0, to = b + 1 == r->n_blocks ? r->to : TERN_BLOCK;
    for (int i = 0; i < n; ++i) {
        coef[i] = r->coef + (i0 + (uint32_t)i) * r->coef_stride;
        high[i] = r->coef_high == NULL ? coef[i] : r->coef_high + (i0 + (uint32_t)i) * r->coef_stride;
        dither[i] = (tern_bitreverse32(r->dither[i0 + (uint32_t)i] + TERN_BLOCK * b) ^ r->s_word[i0 + (uint32_t)i]) >> (32u - r->dither_bits);
    }
    for (int sub = 0; sub < SUBS; ++sub) {
        const int lane0 = sub * VEC_LANES, lo_lane = from > lane0 ? from - lane0 : 0, hi_lane = to < lane0 + VEC_LANES ? to - lane0 : VEC_LANES;
        if (lo_lane >= hi_lane) continue;
        const int16_t *ring = r->ring + (size_t)(r->block0 + b) * r->n_pairs * TERN_RING_PAIR + (size_t)sub * 2 * VEC_LANES;
        vec lo[VEC_BUNDLE], hi[VEC_BUNDLE];
        for (int i = 0; i < n; ++i) lo[i] = hi[i] = vec_zero();
        if (r->coef_high != NULL) {
            changes(ring, r->n_pairs, high, n, lo, hi);
            for (int i = 0; i < n; ++i) {
                lo[i] = vec_shift_left32(lo[i], 8);
                hi[i] = vec_shift_left32(hi[i], 8);
            }
        }
        changes(ring, r->n_pairs, coef, n, lo, hi);
        for (int i = 0; i < n; ++i)
            step_weights(r, r->weights[i0 + (uint32_t)i] + (size_t)b * TERN_BLOCK + lane0, lo[i], hi[i], dither[i], (uint32_t)sub, lo_lane, hi_lane);
    }
}

VEC_INLINE void update_some(const tern_lanes_rows *r, uint32_t b, uint32_t b_end, uint32_t i0, const int n)
{
    for (; b < b_end; ++b)
        if (is_active(r->active, r->block0 + b)) update_block(r, b, i0, n);
}

/* Blocks b..b_end-1, all neurons. */
static void update_range(const tern_lanes_rows *r, uint32_t b, uint32_t b_end)
{
    uint32_t i = 0;
    for (; i + VEC_BUNDLE <= r->n; i += VEC_BUNDLE) update_some(r, b, b_end, i, VEC_BUNDLE);
    for (; VEC_BUNDLE > 2 && i + 2 <= r->n; i += 2) update_some(r, b, b_end, i, 2);
    for (; i < r->n; ++i) update_some(r, b, b_end, i, 1);
}

static void update(const tern_lanes_rows *r)
{
    if (!r->by_block) update_range(r, 0, r->n_blocks);
    for (uint32_t b = 0; r->by_block && b < r->n_blocks; ++b) update_range(r, b, b + 1);
}

/* ---- potentials --------------------------------------------------------------------------------------------------------------------- */

/* Sums over blocks b0..b1-1 for neurons i0.. and samples k0... */
VEC_INLINE void sum_blocks(const tern_lanes_rows *r, uint32_t b0, uint32_t b1, uint32_t i0, uint32_t k0, const int n, const int n_k, const bool dense)
{
    const vec absent = vec_set16(TERN_WEIGHT_ABSENT);
    vec sum[4][4];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n_k; ++k) sum[i][k] = vec_zero();
    for (uint32_t b = b0; b < b1; ++b) {
        if (!is_active(r->active, r->block0 + b)) continue;
        const int from = b == 0 ? r->from : 0, to = b + 1 == r->n_blocks ? r->to : TERN_BLOCK;
        for (int sub = 0; sub < SUBS; ++sub) {
            const int lane0 = sub * VEC_LANES, lo = from > lane0 ? from - lane0 : 0, hi = to < lane0 + VEC_LANES ? to - lane0 : VEC_LANES;
            if (lo >= hi) continue;
            vec x[4], w[4];
            for (int i = 0; i < n; ++i) {
                const int16_t *at = r->weights[i0 + (uint32_t)i] + (size_t)b * TERN_BLOCK + lane0;
                w[i] = lo == 0 && hi == VEC_LANES ? vec_load(at) : vec_load_part(at, lo, hi, 0);
                if (!dense) w[i] = vec_choose(vec_differ16(w[i], absent), w[i], vec_zero());
            }
            for (int k = 0; k < n_k; ++k) x[k] = vec_load(r->x + (k0 + (uint32_t)k) * r->x_stride + (size_t)(r->block0 + b) * TERN_BLOCK + lane0);
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < n_k; ++k) sum[i][k] = vec_dot(sum[i][k], w[i], x[k]);
        }
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n_k; ++k) r->sum[(i0 + (uint32_t)i) * r->sum_stride + k0 + (uint32_t)k] += vec_sum32(sum[i][k]);
}

VEC_INLINE void potential_some(const tern_lanes_rows *r, uint32_t i0, const int n, const bool dense)
{
    for (uint32_t b = 0; b < r->n_blocks; b += r->sum_blocks) {
        const uint32_t b1 = r->n_blocks - b < r->sum_blocks ? r->n_blocks : b + r->sum_blocks;
        uint32_t k = 0;
        for (; k + 4 <= r->n_samples; k += 4) sum_blocks(r, b, b1, i0, k, n, 4, dense);
        for (; k + 2 <= r->n_samples; k += 2) sum_blocks(r, b, b1, i0, k, n, 2, dense);
        for (; k < r->n_samples; ++k) sum_blocks(r, b, b1, i0, k, n, 1, dense);
    }
}

static void potential(const tern_lanes_rows *r)
{
    uint32_t i = 0;
    for (; i + 4 <= r->n; i += 4) {
        if (r->dense) potential_some(r, i, 4, true);
        else potential_some(r, i, 4, false);
    }
    for (; i < r->n; ++i) {
        if (r->dense) potential_some(r, i, 1, true);
        else potential_some(r, i, 1, false);
    }
}

static void wide(const int16_t *ring, uint32_t n_pairs, const int32_t *coef, int64_t out[TERN_BLOCK])
{
    for (int j = 0; j < TERN_BLOCK; ++j) out[j] = 0;
    for (uint32_t p = 0; p < n_pairs; ++p, ring += TERN_RING_PAIR) {
        const int64_t c0 = coef[2 * p], c1 = coef[2 * p + 1];
        for (int j = 0; j < TERN_BLOCK; ++j) out[j] += c0 * ring[2 * j] + c1 * ring[2 * j + 1];
    }
}

/* ---- learning coefficients ---------------------------------------------------------------------------------------------------------- */

static uint64_t coefficients(const int16_t *restrict m, const int16_t *restrict e, const int16_t *restrict ek, uint32_t n, unsigned c_shift, int16_t *restrict out)
{
    const int32_t half = (int32_t)1 << (c_shift - 1u);
    uint32_t limited = 0;
    for (uint32_t i = 0; i < n; i += TERN_BLOCK)
        for (uint32_t j = i; j < i + TERN_BLOCK; ++j) {
            const int32_t g = (m[j] * e[j] + (1 << 13)) >> 14; /* N-11 */
            const int32_t g1 = g > INT16_MAX ? INT16_MAX : g < -INT16_MAX ? -INT16_MAX : g;
            const int32_t c = (ek[j] * g1 + half) >> c_shift;  /* N-12; 0 <= ek < 2^15, c_shift <= 30 */
            const int32_t c1 = c > INT16_MAX ? INT16_MAX : c < -INT16_MAX ? -INT16_MAX : c;
            limited += (uint32_t)(g != g1) + (uint32_t)(c != c1);
            out[j] = (int16_t)c1;
        }
    return limited;
}

/* narrow: the sum of all sizes is below 2^31. */
static int64_t dot(const int16_t *restrict a, const int16_t *restrict b, uint32_t n, bool narrow)
{
    int64_t sum = 0;
    if (narrow) {
        uint32_t s = 0;
        for (uint32_t i = 0; i < n; ++i) s += (uint32_t)(a[i] * b[i]);
        int32_t value;
        memcpy(&value, &s, sizeof value);
        return value;
    }
    for (uint32_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* ---- draws -------------------------------------------------------------------------------------------------------------------------- */

VEC_INLINE uint32_t rotl(uint32_t x, unsigned n) { return x << n | x >> (32u - n); }

static void random_some(const uint32_t key[3], uint32_t step, uint32_t counter, uint32_t *restrict out0, uint32_t *restrict out1)
{
    static const uint8_t rotation[8] = { 13, 15, 26, 6, 17, 29, 16, 24 };
    uint32_t x0[TERN_BLOCK], x1[TERN_BLOCK];
    for (uint32_t j = 0; j < TERN_BLOCK; ++j) {
        x0[j] = step + key[0];
        x1[j] = counter + j + key[1];
    }
#pragma GCC unroll 20
    for (unsigned q = 0; q < 20; ++q) {
        const unsigned turn = rotation[q & 7u], n = q / 4u + 1u;
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

static void random_words(uint64_t seed, uint32_t step, uint32_t purpose, uint32_t group, uint32_t first, uint32_t n, uint32_t *x0, uint32_t *x1)
{
    const uint32_t key[3] = { (uint32_t)seed, (uint32_t)(seed >> 32), 0x1BD11BDAu ^ (uint32_t)seed ^ (uint32_t)(seed >> 32) };
    for (uint32_t i = 0; i < n; i += TERN_BLOCK) random_some(key, step, (purpose << 28 | group << 16) + first + i, x0 + i, x1 + i);
}

/* ---- neurons ------------------------------------------------------------------------------------------------------------------------ */

static void fire(const tern_lanes_fire *f)
{
    const uint32_t K = f->n_samples;
    int32_t u[TERN_MAX_SAMPLES];
    uint16_t drawn[TERN_MAX_SAMPLES];
    uint32_t limited = 0;
    for (uint32_t i = 0; i < f->n; ++i) {
        const int64_t *acc = f->acc_f20 + (size_t)i * K;
        for (uint32_t k = 0; k < K; ++k) { /* N-3 */
            const int64_t exact = (acc[k] + (1 << 11)) >> 12;
            const int64_t near = exact > TERN_U_MAX ? TERN_U_MAX : exact < -TERN_U_MAX ? -TERN_U_MAX : exact;
            limited += exact != near;
            u[k] = (int32_t)near;
        }
        for (uint32_t k = 0; f->draws != NULL && k < K; ++k)
            drawn[k] = (uint16_t)(f->draws[((size_t)(k >> 2) * 2u + (k >> 1 & 1u)) * f->draw_stride + i] >> (16u * (k & 1u)));
        int16_t *e = f->errors + (size_t)i * K * f->lags_w;
        for (uint32_t k = 0; k < K; ++k) {
            const int32_t a = u[k] < 0 ? -u[k] : u[k], n = a >> 2;
            const int32_t sig = f->sig_f16[n], p = u[k] < 0 ? sig : 65536 - sig;                 /* N-4 */
            const int32_t s = f->draws == NULL ? f->target[i] : PLANT(DRAW) ? drawn[k] <= p : drawn[k] < p; /* N-5 */
            const int16_t error = (int16_t)((s * 65536 - p + 1) >> 1);                            /* N-6 */
            e[(size_t)k * f->lags_w] = (int16_t)(f->learn ? error : 0);
            f->spike[(size_t)i * K + k] = (uint8_t)s;
            if (f->loss_f12 != NULL) { /* N-7 */
                const int32_t z = s != 0 ? -u[k] : u[k];
                f->loss_f12[k] += (uint32_t)(16 * (z > 0 ? z : 0)) + f->softplus_f12[n];
            }
        }
    }
    *f->saturated += limited;
}

/* ---- histories and traces ----------------------------------------------------------------------------------------------------------- */

static void shift(uint64_t *restrict history, const uint32_t *restrict spikes, uint32_t n_blocks, uint64_t mask, uint64_t *restrict active)
{
    for (uint32_t b = 0; b < n_blocks; ++b, history += TERN_BLOCK) {
        const uint64_t word = spikes[b];
        uint64_t any = 0;
        for (unsigned j = 0; j < TERN_BLOCK; ++j) {
            history[j] = (history[j] << 1 | (word >> j & 1u)) & mask;
            any |= history[j];
        }
        active[b >> 6] |= (uint64_t)(any != 0) << (b & 63u);
    }
}

static void trace(const uint64_t *restrict history, uint32_t n_blocks, const uint64_t *active, const uint16_t *restrict table, uint32_t n_bytes, int16_t *restrict x)
{
    for (uint32_t b = 0; b < n_blocks; ++b, history += TERN_BLOCK, x += TERN_BLOCK) {
        if (!is_active(active, b)) {
            memset(x, 0, TERN_BLOCK * sizeof *x);
            continue;
        }
        for (unsigned j = 0; j < TERN_BLOCK; ++j) {
            uint64_t h = history[j];
            unsigned sum = table[h & 255u];
            for (uint32_t n = 1; n < n_bytes; ++n) sum += table[n * 256u + ((h >>= 8) & 255u)];
            x[j] = (int16_t)sum;
        }
    }
}

static void remember(int16_t *restrict ring, uint32_t n_pairs, uint32_t at, const int16_t *restrict x, uint32_t n_blocks)
{
    ring += (size_t)(at >> 1) * TERN_RING_PAIR + (at & 1u);
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
    static const tern_lanes l = { .name = TERN_LANES_TEXT(TERN_LANES), .products = 2 * TERN_BLOCK / VEC_LANES,
                                  .unit = { VEC_UNIT(0u), VEC_UNIT(1u), VEC_UNIT(2u), VEC_UNIT(3u), VEC_UNIT(4u), VEC_UNIT(5u), VEC_UNIT(6u), VEC_UNIT(7u) },
                                  .update = update, .potential = potential, .wide = wide, .coefficients = coefficients, .dot = dot, .random = random_words,
                                  .fire = fire, .shift = shift, .trace = trace, .remember = remember };
    return &l;
}
