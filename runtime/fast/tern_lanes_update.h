/* tern_lanes_update.h : the part of tern_lanes.c that changes weights, N-13 to N-15
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LANES_UPDATE_H
#define TERN_LANES_UPDATE_H
#include "tern_lanes.h"
#include "tern_plant.h"
#include "tern_vec.h"
#include "tern_weight.h"

enum { SUBS = TERN_BLOCK / VEC_LANES, SPOTS = VEC_AHEAD * SUBS > VEC_BUNDLE ? VEC_AHEAD *SUBS : VEC_BUNDLE };

VEC_INLINE vec pair_of(const int16_t *c)
{
    int32_t both;
    memcpy(&both, c, sizeof both);
    return vec_set32(both);
}

/* ---- dither ---------------------------------------------------------------------------------- */

VEC_INLINE vec swap_bits(vec x, vec mask, int n)
{
    return vec_or(vec_and(vec_shift_right32(x, n), mask), vec_shift_left32(vec_and(x, mask), n));
}

/* N-14 in three parts, as positions in a block, blocks and S_i have no bits in common before the XOR: this is the part
 * of blocks first, first + 32, .., bitreverse32(idx) >> (32 - R). out has n rounded up to VEC_LANES / 2 places. */
static void reversed(uint32_t first, uint32_t n, unsigned dither_bits, uint32_t *out)
{
    uint32_t idx[VEC_LANES / 2];
    const vec mask = vec_set32((int32_t)(((uint32_t)1 << dither_bits) - 1u));
    for (uint32_t b = 0; b < n; b += VEC_LANES / 2) {
        for (uint32_t i = 0; i < VEC_LANES / 2; ++i) idx[i] = first + (b + i) * TERN_BLOCK;
        vec x = swap_bits(vec_load(idx), vec_set32(0x55555555), 1);
        x = swap_bits(x, vec_set32(0x33333333), 2);
        x = swap_bits(x, vec_set32(0x0f0f0f0f), 4);
        x = swap_bits(x, vec_set32(0x00ff00ff), 8);
        x = swap_bits(x, vec_set32(0x0000ffff), 16);
        vec_store(out + b, vec_and(vec_shift_right32(x, 32 - (int)dither_bits), mask));
    }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* See tern_lanes.h. */
static uint32_t unite(const uint64_t *bits, uint32_t n, uint32_t words, uint64_t *all, uint32_t *own)
{
    uint32_t sum = 0, together = 0;
    for (uint32_t j = 0; j < words; ++j) {
        uint64_t any = 0;
        for (uint32_t i = 0; i < n; ++i) {
            any |= bits[i * words + j];
            sum += (uint32_t)__builtin_popcountll(bits[i * words + j]);
        }
        all[j] = any;
        together += (uint32_t)__builtin_popcountll(any);
    }
    *own = sum;
    return together;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* What stays the same for all blocks of a row, and of an item of it. Kept apart from the rows, into which a store of a
 * weight might write for all that the compiler knows. */
typedef struct constants {
    vec absent, top, bottom, lane[2 * SUBS];
    int dither_bits, from, to;
    const int16_t *ring;
    size_t ring_block;
    const uint32_t *reversed;
    uint32_t last;
} constants;

typedef struct neurons {
    const int16_t *coef[VEC_BUNDLE], *high[VEC_BUNDLE];
    int16_t *weights[VEC_BUNDLE];
    const uint32_t *s_high;
    const uint16_t *list;
    uint32_t n_list;
    bool split;
} neurons;

VEC_INLINE constants constants_of(const tern_lanes_rows *r)
{
    constants c = { .absent = vec_set16(TERN_WEIGHT_ABSENT),
                    .top = vec_set16(r->top),
                    .bottom = vec_set16((int16_t)-r->top),
                    .dither_bits = (int)r->dither_bits,
                    .from = r->from,
                    .to = r->to,
                    .ring_block = (size_t)r->n_pairs * TERN_RING_PAIR,
                    .reversed = r->reversed,
                    .last = r->n_blocks - 1u };
    for (int i = 0; i < 2 * SUBS; ++i) c.lane[i] = vec_load(r->dither_lanes + i * VEC_LANES / 2);
    c.ring = r->ring + r->block0 * c.ring_block;
    return c;
}

VEC_INLINE neurons neurons_of(const tern_lanes_rows *r, const tern_lanes_item *it, const int n)
{
    neurons u = {
        .s_high = r->s_high + it->first, .list = it->list, .n_list = it->n_list, .split = r->coef_high != NULL
    };
    for (int i = 0; i < n; ++i) {
        const size_t at = it->first + (size_t)i;
        u.coef[i] = r->coef + at * r->coef_stride;
        u.high[i] = u.split ? r->coef_high + at * r->coef_stride : NULL;
        u.weights[i] = r->weights[at];
    }
    return u;
}

/* N-15: weights of VEC_LANES positions, of which from..to-1 belong to the row; lo, hi: dw + r. Limited ones are added
 * to the tally. */
VEC_INLINE void step_weights(const constants *c, const bool simple, const bool whole, int16_t *w, vec lo, vec hi,
                             int from, int to, vec *tally)
{
    const vec old = whole ? vec_load(w) : vec_load_part(w, from, to, TERN_WEIGHT_ABSENT);
    const vec move = vec_pack(vec_shift_right32(lo, c->dither_bits), vec_shift_right32(hi, c->dither_bits));
    if (simple && whole) { /* 16-bit weights, none absent: saturation limits them above */
        const vec near = vec_max16(vec_add16_saturated(old, move), c->bottom);
        *tally = vec_tally(*tally, vec_differ16(near, vec_add16(old, move)));
        vec_store(w, near);
        return;
    }
    const vec now = vec_max16(vec_min16(vec_add16_saturated(old, move), c->top), c->bottom);
    const lanes there = vec_differ16(old, c->absent);
    *tally = vec_tally(*tally, vec_both(there, vec_differ16(now, vec_add16(old, move))));
    const vec out = PLANT(ABSENT) ? now : vec_choose(there, now, old);
    if (whole) vec_store(w, out);
    else vec_store_part(w, from, to, out);
}

static uint64_t tallied(vec tally)
{
    uint16_t n[VEC_LANES];
    uint64_t sum = 0;
    if (!vec_nonzero(tally)) return 0;
    vec_store(n, tally);
    for (int i = 0; i < VEC_LANES; ++i) sum += n[i];
    return PLANT(SATURATIONS) ? 1 : sum;
}

/* Adds the products of an item's pairs: `n` neurons, `nb` blocks, `subs` vectors of each. */
VEC_INLINE void add_products(const neurons *u, const int16_t *const *coef, const int16_t *const *ring, const int n,
                             const int nb, const int subs, vec lo[], vec hi[])
{
    for (uint32_t q = 0; q < u->n_list; ++q) {
        const size_t p = u->list[q];
        vec t[2 * SPOTS];
        for (int j = 0; j < nb; ++j)
            for (int s = 0; s < 2 * subs; ++s)
                t[2 * j * subs + s] = vec_load(ring[j] + p * TERN_RING_PAIR + s * VEC_LANES);
        for (int i = 0; i < n; ++i) {
            const vec c = pair_of(coef[i] + 2 * p);
            for (int j = 0; j < nb * subs; ++j) {
                lo[i * nb * subs + j] = vec_dot(lo[i * nb * subs + j], c, t[2 * j]);
                hi[i * nb * subs + j] = vec_dot(hi[i * nb * subs + j], c, t[2 * j + 1]);
            }
        }
    }
}

/* `n` neurons of an item, `nb` blocks of the row at `at`, vectors sub0..sub0+subs-1 of each. */
VEC_INLINE void update_some(const constants *k, const neurons *u, const uint16_t *at, const int n, const int nb,
                            const int sub0, const int subs, const bool simple, const bool whole, vec *tally)
{
    vec lo[SPOTS], hi[SPOTS];
    const int16_t *ring[VEC_AHEAD];
    size_t b[VEC_AHEAD];
    for (int j = 0; j < nb; ++j) {
        b[j] = at[j];
        ring[j] = k->ring + b[j] * k->ring_block + (size_t)sub0 * 2 * VEC_LANES;
    }
    for (int i = 0; i < n * nb * subs; ++i) lo[i] = hi[i] = vec_zero(); /* GCC may load both arms below */
    if (u->split) add_products(u, u->high, ring, n, nb, subs, lo, hi);
    for (int i = 0; i < n; ++i) {
        const vec s_word = vec_set32((int32_t)u->s_high[i]);
        for (int j = 0; j < nb; ++j) {
            const vec both = vec_xor(vec_set32((int32_t)k->reversed[b[j]]), s_word);
            for (int s = 0; s < subs; ++s) {
                const int a = (i * nb + j) * subs + s;
                const vec r0 = vec_xor(both, k->lane[2 * (sub0 + s)]), r1 = vec_xor(both, k->lane[2 * (sub0 + s) + 1]);
                lo[a] = u->split ? vec_add32(vec_shift_left32(lo[a], PLANT(SPLIT) ? 7 : 8), r0) : r0;
                hi[a] = u->split ? vec_add32(vec_shift_left32(hi[a], PLANT(SPLIT) ? 7 : 8), r1) : r1;
            }
        }
    }
    add_products(u, u->coef, ring, n, nb, subs, lo, hi);
    const int first = b[0] == 0 && !PLANT(EDGE) ? k->from : 0, end = b[0] == k->last ? k->to : TERN_BLOCK;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < nb; ++j)
            for (int s = 0; s < subs; ++s) {
                const int a = (i * nb + j) * subs + s, lane0 = (sub0 + s) * VEC_LANES;
                int16_t *w = u->weights[i] + b[j] * TERN_BLOCK + lane0;
                if (whole) {
                    step_weights(k, simple, true, w, lo[a], hi[a], 0, VEC_LANES, tally);
                    continue;
                }
                const int from = first > lane0 ? first - lane0 : 0,
                          to = end < lane0 + VEC_LANES ? end - lane0 : VEC_LANES;
                if (from < to) step_weights(k, simple, false, w, lo[a], hi[a], from, to, tally);
            }
}

/* Blocks blocks[q..q_end-1], of which the first `whole` have all their positions in the row. */
VEC_INLINE void update_item(const constants *k, const tern_lanes_rows *r, const tern_lanes_item *it, uint32_t q,
                            uint32_t q_end, const bool simple, vec *tally)
{
    const uint32_t whole = q_end < r->n_whole ? q_end : r->n_whole;
    const uint16_t *at = r->blocks;
    if (it->n == 1) {
        const neurons u = neurons_of(r, it, 1);
        for (; q + VEC_AHEAD <= whole; q += VEC_AHEAD)
            update_some(k, &u, at + q, 1, VEC_AHEAD, 0, SUBS, simple, true, tally);
        for (; q < whole; ++q) update_some(k, &u, at + q, 1, 1, 0, SUBS, simple, true, tally);
        for (; q < q_end; ++q) update_some(k, &u, at + q, 1, 1, 0, SUBS, simple, false, tally);
        return;
    }
    const neurons u = neurons_of(r, it, VEC_BUNDLE);
    for (; q < whole; ++q)
        for (int sub = 0; sub < SUBS; ++sub) update_some(k, &u, at + q, VEC_BUNDLE, 1, sub, 1, simple, true, tally);
    for (; q < q_end; ++q)
        for (int sub = 0; sub < SUBS; ++sub) update_some(k, &u, at + q, VEC_BUNDLE, 1, sub, 1, simple, false, tally);
}

/* Can step_weights() be simple? */
VEC_INLINE bool is_simple(const tern_lanes_rows *r) { return r->dense && r->top == INT16_MAX; }

/* A tally holds 16 bits: VEC_BUNDLE neurons, SUBS vectors and no more blocks than this at a time. */
enum { MOST_BLOCKS = UINT16_MAX / (VEC_BUNDLE * SUBS) };

VEC_INLINE void update_all(const tern_lanes_rows *r, const bool simple)
{
    const constants k = constants_of(r);
    const uint32_t most = r->by_block ? VEC_AHEAD : MOST_BLOCKS;
    uint64_t limited = 0;
    for (uint32_t q = 0; q < r->n_live; q += most)
        for (uint32_t i = 0; i < r->n_items; ++i) {
            vec tally = vec_zero();
            update_item(&k, r, &r->items[i], q, r->n_live - q < most ? r->n_live : q + most, simple, &tally);
            limited += tallied(tally);
        }
    *r->saturated += limited;
}

static void update_simple(const tern_lanes_rows *r) { update_all(r, true); }
static void update_other(const tern_lanes_rows *r) { update_all(r, false); }
static void update(const tern_lanes_rows *r) { (is_simple(r) ? update_simple : update_other)(r); }

/* ---- weights from the spikes of inputs ------------------------------------------------------- */

enum { TILE = VEC_LANES / 2, TILES = 4, TILE_ALL = TILE * TILES }; /* neurons in a vector, vectors side by side */

/* Sums of coefficients of tile j of the neurons, [slot][neuron]. Rows of sum_c are as long as a multiple of TILE. */
static void tile_coefficients(const tern_lanes_rows *r, const uint8_t *which, uint32_t n, int j, int32_t c[][TILE_ALL])
{
    for (uint32_t s = 0; s < r->lags_w; s += TILE) {
        vec square[TILE];
        for (uint32_t i = 0; i < TILE; ++i) {
            const uint32_t at = (uint32_t)(j * TILE) + i;
            square[i] = at < n ? vec_load(r->sum_c + which[at] * r->coef_stride + s) : vec_zero();
        }
        vec_transpose(square);
        for (uint32_t i = 0; i < TILE; ++i) vec_store(c[s + i] + j * TILE, square[i]);
    }
}

/* Learning kernels of up to TILE_ALL neurons: f[q] = sum over lags d of c[d] a[q - d], 32 bits. f[0] is 0. */
static void tile_kernels(const tern_lanes_rows *r, const uint8_t *which, uint32_t n, int32_t f[][TILE_ALL])
{
    int32_t by_slot[TERN_MAX_HISTORY + TILE][TILE_ALL], c[TERN_MAX_HISTORY + 2][TILE_ALL]; /* c: from lag -1 on */
    const int D = (int)r->taps_d, W = (int)r->lags_w, used = ((int)n + TILE - 1) / TILE;
    const bool pairs = r->coef_high == NULL; /* c[d] and c[d - 1] as one lane of two numbers */
    for (int j = 0; j < used; ++j) {
        tile_coefficients(r, which, n, j, by_slot);
        vec last = vec_zero();
        vec_store(c[0] + j * TILE, last);
        for (int d = 0; d <= W; ++d) {
            const vec now = d < W ? vec_load(by_slot[r->slot[d]] + j * TILE) : vec_zero();
            vec_store(c[d + 1] + j * TILE, pairs ? vec_join(now, last) : now);
            last = now;
        }
    }
    memset(f[0], 0, sizeof f[0]);
    for (int q = 1; q < D + W; ++q) {
        vec sum[TILES];
        for (int j = 0; j < TILES; ++j) sum[j] = vec_zero();
        /* d = q - tau */
        for (int tau = q > W ? q - W : PLANT(KERNEL) ? 2 : 1; tau <= D && tau <= q; tau += pairs ? 2 : 1) {
            const int16_t taps[2] = { (int16_t)r->taps[tau - 1], (int16_t)(pairs && tau < D ? r->taps[tau] : 0) };
            const vec tap = pairs ? pair_of(taps) : vec_set32(taps[0]);
            for (int j = 0; j < used; ++j) {
                const vec at = vec_load(c[q - tau + 1] + j * TILE);
                sum[j] = pairs ? vec_dot(sum[j], at, tap) : vec_add32(sum[j], vec_multiply32(at, tap));
            }
        }
        for (int j = 0; j < TILES; ++j) vec_store(f[q] + j * TILE, sum[j]);
    }
}

/* dw of the positions in TILE places, for all neurons of the tiles; then row i of a tile is its neuron i. */
VEC_INLINE void tile_changes(const tern_lanes_spikes *s, const uint8_t *position, const uint32_t *start,
                             int32_t f[][TILE_ALL], const int tiles, vec out[TILES][TILE])
{
    for (int p = 0; p < TILE; ++p) {
        vec sum[TILES];
        for (int j = 0; j < tiles; ++j) sum[j] = vec_zero();
        const uint32_t end = start[position[p] + 1];
        for (uint32_t e = start[position[p]]; e < end; e += 2) /* lists are of even length */
            for (int j = 0; j < tiles; ++j)
                sum[j] =
                    vec_add32(sum[j], vec_add32(vec_load(f[s->q[e]] + j * TILE), vec_load(f[s->q[e + 1]] + j * TILE)));
        for (int j = 0; j < tiles; ++j) out[j][p] = sum[j];
    }
    for (int j = 0; j < tiles; ++j) vec_transpose(out[j]);
}

/* n neurons which[], in so many tiles. */
VEC_INLINE void update_tile(const tern_lanes_rows *r, const uint8_t *which, uint32_t n, const int tiles,
                            const bool simple)
{
    const constants k = constants_of(r);
    int32_t f[TERN_MAX_HISTORY][TILE_ALL];
    uint8_t position[TERN_BLOCK]; /* of a place */
    vec tally = vec_zero();
    uint64_t limited = 0;
    tile_kernels(r, which, n, f);
    for (unsigned j = 0; j < TERN_BLOCK; ++j) position[VEC_UNIT(j >> 2) * 4u + (j & 3u)] = (uint8_t)j;
    for (uint32_t q = 0; q < r->n_live; ++q) {
        const uint32_t b = r->blocks[q];
        const int from = b == 0 ? r->from : 0, to = b + 1 == r->n_blocks ? r->to : TERN_BLOCK;
        const uint32_t *start = r->spikes->start + (size_t)(r->block0 + b) * TERN_BLOCK;
        for (int sub = 0; sub < SUBS; ++sub) {
            const int lane0 = sub * VEC_LANES, first = from > lane0 ? from - lane0 : 0,
                      end = to < lane0 + VEC_LANES ? to - lane0 : VEC_LANES;
            if (first >= end) continue;
            vec lo[TILES][TILE], hi[TILES][TILE];
            tile_changes(r->spikes, position + lane0, start, f, tiles, lo);
            tile_changes(r->spikes, position + lane0 + TILE, start, f, tiles, hi);
            const vec block = vec_set32((int32_t)r->reversed[b]), lane_lo = vec_xor(block, k.lane[2 * sub]),
                      lane_hi = vec_xor(block, k.lane[2 * sub + 1]);
            for (uint32_t i = 0; i < n; ++i) {
                int16_t *w = r->weights[which[i]] + (size_t)b * TERN_BLOCK + lane0;
                const vec s_word = vec_set32((int32_t)r->s_high[which[i]]),
                          l = vec_add32(lo[i / TILE][i % TILE], vec_xor(lane_lo, s_word)),
                          h = vec_add32(hi[i / TILE][i % TILE], vec_xor(lane_hi, s_word));
                if (b + 1 < r->n_blocks) __builtin_prefetch(w + 2 * TERN_BLOCK - 1, 1); /* the next block's last line */
                if (first == 0 && end == VEC_LANES) step_weights(&k, simple, true, w, l, h, 0, VEC_LANES, &tally);
                else step_weights(&k, simple, false, w, l, h, first, end, &tally);
            }
        }
        if (q % 128u != 127u) continue; /* before the tally is full */
        limited += tallied(tally);
        tally = vec_zero();
    }
    *r->saturated += limited + tallied(tally);
}

static void update_tiles_simple(const tern_lanes_rows *r, const uint8_t *which, uint32_t n)
{
    if (n <= TILE) update_tile(r, which, n, 1, true);
    else update_tile(r, which, n, TILES, true);
}

static void update_tiles_other(const tern_lanes_rows *r, const uint8_t *which, uint32_t n)
{
    if (n <= TILE) update_tile(r, which, n, 1, false);
    else update_tile(r, which, n, TILES, false);
}

static void update_by_spikes(const tern_lanes_rows *r)
{
    void (*tiles)(const tern_lanes_rows *, const uint8_t *, uint32_t) =
        is_simple(r) ? update_tiles_simple : update_tiles_other;
    for (uint32_t i = 0; i < r->n_tiled; i += TILE_ALL)
        tiles(r, r->tiled + i, r->n_tiled - i < TILE_ALL ? r->n_tiled - i : TILE_ALL);
}

#endif /* TERN_LANES_UPDATE_H */
