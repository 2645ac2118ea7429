/* tern_lanes.h : what is compiled once for each instruction set: the loops over positions, samples and neurons
 * SPDX-License-Identifier: Apache-2.0
 *
 * Layouts: docs/24-fast-engine.md, section 3. A block is 32 neighbouring positions of a pool, TERN_POS_ALIGN. A ring
 * holds the traces of one filter in the last W steps that
 * learned, for one pool: [block][pair][32 positions in the order of unit[]][2]; the two are the delayed traces 2 pair
 * and 2 pair + 1 of a position. Delayed trace n of a pool of
 * neurons is that of sample n / W in slot n % W, slots as in tern_state.errors_f15; inputs count as one sample.
 */
#ifndef TERN_LANES_H
#define TERN_LANES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tern/net.h"

enum { TERN_BLOCK = 32, TERN_RING_PAIR = 2 * TERN_BLOCK, TERN_LANES_PRODUCTS = 8 };

/* Spikes of a pool as lists, for rows in kernel form: q of every s(t-q) = 1 that an update sees, 1..D+W-1, position
 * after position,
 * each list made even by a 0. */
typedef struct tern_lanes_spikes {
    const uint8_t *q;
    const uint32_t *start; /* [positions + 1] */
} tern_lanes_spikes;

/* Neurons `first`.. of the rows that are updated together, one or VEC_BUNDLE of them: the pairs of coefficients that
 * are not 0 for all of them. */
typedef struct tern_lanes_item {
    uint16_t first, n, n_list;
    const uint16_t *list;
} tern_lanes_item;

/* One row of several neurons that have it in the same shape: same source positions, filter, kind and dither index. */
typedef struct tern_lanes_rows {
    uint32_t first, n;       /* potential(): neurons first..first+n-1 of the group; arrays [n] are of the whole group */
    int16_t *const *weights; /* [n] what would be the weight of the first position of the row's first block */
    uint32_t block0, n_blocks; /* blocks of the pool */
    int from, to;              /* positions in the first block before the row; in the last block up to its end, 1..32 */
    const uint16_t *blocks;    /* [n_live] those blocks of the row in which some unit has a history */
    uint32_t n_live, n_whole;  /* the first n_whole of them have all their positions in the row */
    bool dense;                /* no synapse is absent */
    /* N-13..N-15 */
    const tern_lanes_item *items; /* neurons that have coefficients, in trace form */
    uint32_t n_items;
    const uint32_t *reversed;     /* [n_blocks] parts of r of N-14: of the blocks; */
    const uint32_t *s_high;       /* [n] of S_i, its upper R bits; */
    const uint32_t *dither_lanes; /* [32] of the places in a block, in the order of unit[] */
    unsigned dither_bits;
    int16_t top; /* largest weight */
    const int16_t *ring;
    uint32_t n_pairs;
    const int16_t *coef, *coef_high; /* [n][coef_stride]; coef_high: NULL, or c = 256 high + coef */
    size_t coef_stride;
    bool by_block; /* the traces of a row are more than a cache holds: all neurons of some blocks, then the next ones */
    uint64_t *saturated;
    /* the same in kernel form */
    const uint8_t *tiled; /* [n_tiled] which neurons */
    uint32_t n_tiled;
    const tern_lanes_spikes *spikes;
    const int32_t *sum_c; /* [n][coef_stride] coefficients, all samples together, by slot */
    const uint8_t *slot;  /* [lags_w] slot of a lag */
    const uint16_t *taps;
    uint32_t taps_d, lags_w;
    /* N-2 */
    const int16_t *x; /* [n_samples][x_stride] traces of this step */
    size_t x_stride;
    uint32_t n_samples;
    uint32_t sum_blocks; /* blocks after which a 32-bit sum is moved into one of 64 bits */
    int64_t *sum;        /* [n][sum_stride], WF + XF fraction bits */
    size_t sum_stride;
} tern_lanes_rows;

/* Neurons without circuit, one after the other, behind their potentials: N-3..N-7. */
typedef struct tern_lanes_fire {
    uint32_t n, n_samples;
    const int64_t *acc_f20; /* [n][n_samples] */
    const uint32_t *draws;  /* [groups of 4 samples][2][draw_stride]: x0, x1; NULL: clamped */
    size_t draw_stride;
    const uint8_t *target; /* [n] clamped */
    const uint16_t *sig_f16, *softplus_f12;
    int16_t *errors; /* [n][n_samples][lags_w], at the slot to write */
    uint32_t lags_w;
    bool learn;
    uint32_t *loss_f12; /* [n_samples]; NULL: hidden */
    uint8_t *spike;     /* [n][n_samples] */
    uint64_t *saturated;
} tern_lanes_fire;

typedef struct tern_lanes_filter {
    const uint16_t *taps; /* [taps_d] */
    int16_t *x;           /* [positions] */
} tern_lanes_filter;

typedef struct tern_lanes {
    const char *name;
    uint8_t unit[8];  /* place of four positions in a block */
    uint8_t tile;     /* neurons that lie side by side in kernel form; a quarter of them if no more are there */
    uint8_t bundle;   /* neurons of an item, if there are several */
    uint8_t products; /* of weight and trace that a 32-bit sum takes in for a block, at most TERN_LANES_PRODUCTS */
    /* N-15 for rows of `n` neurons. */
    void (*update)(const tern_lanes_rows *r);
    /* The same, from the spikes of inputs. */
    void (*update_by_spikes)(const tern_lanes_rows *r);
    /* Adds the rows' sums of N-2. */
    void (*potential)(const tern_lanes_rows *r);
    /* dw of the 32 positions of a block (in the order of unit[]) in 64 bits, coefficients of 32 bits. */
    void (*wide)(const int16_t *ring_block, uint32_t n_pairs, const int32_t *coef, int64_t out[TERN_BLOCK]);
    /* N-11, N-12 for n delayed traces: m, e, ek of each. n is rounded up to a multiple of 32, arrays hold that
     * much. Bit p of nonzero: pair p of coefficients is not 0. Returns saturations. */
    uint64_t (*coefficients)(const int16_t *m, const int16_t *e, const int16_t *ek, uint32_t n, unsigned c_shift,
                             int16_t *out, uint64_t *nonzero);
    /* Coefficients c[samples][lags] of the samples live[0..n_live-1] summed over samples: whole; their low 16 bits;
     * the rest without the low 8. Returns the pairs that are not 0. */
    uint64_t (*sums)(const int16_t *c, const uint8_t *live, size_t n_live, size_t lags, int32_t *sum, int16_t *low,
                     int16_t *high);
    /* Unites bits of n neurons, [n][words], into all[words]. Returns the bits in it; *own: the bits of all neurons. */
    uint32_t (*unite)(const uint64_t *bits, uint32_t n, uint32_t words, uint64_t *all, uint32_t *own);
    /* Blocks' parts of r, see tern_lanes_rows; first: dither index of the first block; out: n rounded up to 32. */
    void (*reversed)(uint32_t first, uint32_t n, unsigned dither_bits, uint32_t *out);
    /* Sum of products; narrow: the sizes of all products are together below 2^31. */
    int64_t (*dot)(const int16_t *a, const int16_t *b, uint32_t n, bool narrow);
    /* Threefry of neurons first..first+n-1, as tern_random_block(). */
    void (*random)(uint64_t seed, uint32_t step, uint32_t purpose, uint32_t group, uint32_t first, uint32_t n,
                   uint32_t *x0, uint32_t *x1);
    void (*fire)(const tern_lanes_fire *f);
    /* Histories of a pool take in the spikes of a step; active[b] becomes 1 where block b has a history. */
    void (*shift)(uint64_t *history, const uint32_t *spikes, uint32_t n_blocks, uint64_t mask, uint8_t *active);
    /* Traces of some filters, x[pos], from histories. */
    void (*trace)(const uint64_t *history, uint32_t n_blocks, const uint8_t *active, const tern_lanes_filter *filters,
                  uint32_t n_filters, uint32_t taps_d);
    /* Traces x of one step go to place `at` of a ring with n_pairs pairs. */
    void (*remember)(int16_t *ring, uint32_t n_pairs, uint32_t at, const int16_t *x, uint32_t n_blocks);
} tern_lanes;

const tern_lanes *tern_lanes_plain(void);
const tern_lanes *tern_lanes_avx2(void);
const tern_lanes *tern_lanes_avx512(void);
const tern_lanes *tern_lanes_neon(void);

/* Code for an instruction set; NULL: this program has none. */
const tern_lanes *tern_lanes_find(const char *name);

#endif /* TERN_LANES_H */
