/* test_fast_limits.c : sums of potentials with the largest numbers that the proofs of the engine `fast` let into 32
 * bits
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_fast_limits [--plant BUG]
 * Random networks seldom have long rows whose weights and traces are all largest; here each sum is exactly at the
 * bound of tern_fast_prove(), for every instruction set that the processor has.
 */
#include <stdlib.h>
#include <string.h>
#include "tern_check.h"
#include "fast_plant.h"
#include "tern_fast_internal.h"
enum { BLOCKS = 300, POSITIONS = BLOCKS * TERN_BLOCK };

static int16_t weights[POSITIONS], x[POSITIONS];

/* A network of one filter with D taps of `tap` each, XF = 8. */
static void make_net(tern_net *n, uint16_t *taps, unsigned D, uint16_t tap, unsigned bits)
{
    static const uint16_t ek[1] = { 1 };
    for (unsigned d = 0; d < D; ++d) taps[d] = tap;
    *n = (tern_net){ .n_filters = 1,
                     .taps_d = (uint8_t)D,
                     .lags_w = 1,
                     .trace_frac = 8,
                     .weight_bits = (uint8_t)bits,
                     .learn = { { 30, 0, 4, 1 }, { 30, 0, 4, 1 } },
                     .filter_taps = taps,
                     .ek0 = ek };
}

static void sum_row(const tern_lanes *l, unsigned D, uint16_t tap, unsigned bits, int sign)
{
    static uint16_t blocks[BLOCKS];
    uint16_t taps[TERN_MAX_TAPS];
    tern_net net;
    tern_fast_widths widths;
    make_net(&net, taps, D, tap, bits);
    tern_fast_prove(&net, 1, l->products, &widths);
    const int16_t top = (int16_t)(sign * ((1 << (bits - 1)) - 1)), trace = (int16_t)(D * tap);
    for (int i = 0; i < POSITIONS; ++i) {
        weights[i] = top;
        x[i] = trace;
    }
    for (int b = 0; b < BLOCKS; ++b) blocks[b] = (uint16_t)b;
    int64_t sum = 5;
    int16_t *row = weights;
    const tern_lanes_rows rows = { .n = 1,
                                   .weights = &row,
                                   .n_blocks = BLOCKS,
                                   .to = TERN_BLOCK,
                                   .blocks = blocks,
                                   .n_live = BLOCKS,
                                   .n_whole = BLOCKS,
                                   .dense = true,
                                   .x = x,
                                   .x_stride = POSITIONS,
                                   .n_samples = 1,
                                   .sum_blocks = widths.sum_blocks[0],
                                   .sum = &sum,
                                   .sum_stride = 1 };
    CHECK_EQ(widths.sum_blocks[0] == 0, (int64_t)8 * abs(top) * trace > INT32_MAX); /* beyond: 64 bits from the start */
    if (widths.sum_blocks[0] == 0) return;
    l->potential(&rows);
    CHECK_EQ(sum, 5 + (int64_t)POSITIONS * top * trace);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !fast_plant(argv[2])) return 2;
    for (const char *const *isa = tern_fast_isas(); *isa != NULL; ++isa) {
        if (!tern_fast_has(*isa)) continue;
        const tern_lanes *l = tern_lanes_find(*isa);
        printf("%s\n", l->name);
        for (unsigned bits = 4; bits <= 16; ++bits)
            for (unsigned D = 1; D <= 32; ++D) {
                sum_row(l, D, 511, bits, 1);
                sum_row(l, D, (uint16_t)(8191 / D > 511 ? 511 : 8191 / D), bits,
                        -1); /* D taps that come nearest to the limit of 2^31 / 8 / 32767 */
            }
    }
    return tern_check_report("fast limits");
}
