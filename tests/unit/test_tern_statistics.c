/* test_tern_statistics.c : the draws and the dither have the distributions that docs/21-numerics.md promises
 * SPDX-License-Identifier: Apache-2.0
 *
 * Seeds are fixed, so a result never changes from run to run; limits are 4 standard deviations. unit.blocks checks the
 * bits, this the statistics.
 */
#include <math.h>
#include <stdlib.h>
#include "tern_check.h"
#include "tern_random.h"
#include "tern_weight.h"

#define SEED 0x7e57c0de5eedu
enum { BINS = 256, LAGS = 8 };

/* N-5's draw of a sample, by the ledger. */
static uint16_t spike_draw(uint64_t seed, uint32_t step, uint32_t neuron, uint32_t sample)
{
    uint32_t words[2];
    tern_random_block(seed, step, TERN_DRAW_SPIKE, sample >> 2, neuron, words);
    return (uint16_t)(words[sample >> 1 & 1u] >> 16 * (sample & 1u));
}

static uint32_t dither_word(uint64_t seed, uint32_t step, uint32_t neuron)
{
    uint32_t words[2];
    tern_random_block(seed, step, TERN_DRAW_DITHER, 0, neuron, words);
    return words[0];
}

/* chi-square of equal bins: mean BINS - 1, variance 2 (BINS - 1) */
static void check_uniform(const char *what, const uint32_t *count)
{
    double total = 0, chi = 0;
    for (unsigned b = 0; b < BINS; ++b) total += count[b];
    const double expected = total / BINS, sigma = sqrt(2.0 * (BINS - 1));
    for (unsigned b = 0; b < BINS; ++b) chi += (count[b] - expected) * (count[b] - expected) / expected;
    printf("%-46s %8.0f draws, chi-square %7.2f, %+.2f sigma\n", what, total, chi, (chi - (BINS - 1)) / sigma);
    CHECK_NEAR(chi, BINS - 1, 4.0 * sigma);
}

/* Correlation of x[i] and x[i + lag] in blocks of `run` draws that belong together; uniform draws over 2^bits values
 * have a known mean and variance. */
static void check_lags(const char *what, const uint32_t *x, size_t n, size_t run, unsigned bits)
{
    const double mean = (ldexp(1.0, (int)bits) - 1.0) / 2.0, variance = (ldexp(1.0, 2 * (int)bits) - 1.0) / 12.0;
    double worst = 0;
    for (size_t lag = 1; lag <= LAGS; ++lag) {
        double sum = 0, pairs = 0;
        for (size_t i = 0; i + lag < n; ++i)
            if (i / run == (i + lag) / run) {
                sum += (x[i] - mean) * (x[i + lag] - mean);
                ++pairs;
            }
        const double z = sum / variance / sqrt(pairs);
        if (fabs(z) > fabs(worst)) worst = z;
        CHECK_NEAR(z, 0.0, 4.0);
    }
    printf("%-46s lags 1..%d, worst correlation %+.2f sigma\n", what, LAGS, worst);
}

static void spikes_uniform(void)
{
    uint32_t high[BINS] = { 0 }, low[BINS] = { 0 };
    for (uint32_t step = 0; step < 2500; ++step)
        for (uint32_t i = 0; i < 50; ++i)
            for (uint32_t k = 0; k < 8; ++k) { /* 10^6 draws */
                const uint16_t d = spike_draw(SEED, step, i, k);
                ++high[d >> 8];
                ++low[d & 255u];
            }
    check_uniform("spike draws, high byte", high);
    check_uniform("spike draws, low byte", low);
}

static void spikes_independent(uint32_t *x, size_t n)
{
    for (size_t i = 0; i < n; ++i) x[i] = spike_draw(SEED, (uint32_t)i, 3, 1);
    check_lags("spike draws over steps", x, n, n, 16);
    for (size_t i = 0; i < n; ++i) x[i] = spike_draw(SEED + 1, (uint32_t)(i / 1000), (uint32_t)(i % 1000), 0);
    check_lags("spike draws over neurons", x, n, 1000, 16);
    for (size_t i = 0; i < n; ++i) x[i] = spike_draw(SEED + 2, (uint32_t)(i / 256), 5, (uint32_t)(i % 256));
    check_lags("spike draws over samples", x, n, 256, 16);
    for (size_t i = 0; i < n; ++i) x[i] = spike_draw(i, 9, 5, 2);
    check_lags("spike draws over seeds", x, n, n, 16);
}

static void dither_over_time(uint32_t *x, size_t n)
{
    static const uint32_t idx[] = { 0, 1, 32, 77, 1000003 };
    for (size_t s = 0; s < sizeof idx / sizeof idx[0]; ++s) {
        char what[64];
        uint32_t count[BINS] = { 0 };
        for (size_t t = 0; t < n; ++t) {
            x[t] = tern_weight_dither(idx[s], dither_word(SEED, (uint32_t)t, 17), 12);
            ++count[x[t] >> 4];
        }
        snprintf(what, sizeof what, "dither of synapse %u over time", idx[s]);
        check_uniform(what, count);
        check_lags(what, x, n, n, 12);
    }
    for (size_t i = 0; i < n; ++i)
        x[i] = tern_weight_dither(77, dither_word(SEED, (uint32_t)(i / 1000), (uint32_t)(i % 1000)), 12);
    check_lags("dither over neurons", x, n, 1000, 12);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* n times the star discrepancy of n values of 31 bits; sorts them. */
static double discrepancy(uint32_t *x, size_t n)
{
    double worst = 0;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; ++i) {
        const double at = ldexp((double)x[i], -31) * (double)n;
        worst = fmax(worst, fmax((double)i + 1.0 - at, at - (double)i));
    }
    return worst;
}

/* Any 2^m synapses that begin at a multiple of 2^m have one r in each of 2^m equal intervals; so n successive ones,
 * which fall apart into at most 2 log2(n) + 2 such blocks, have a star discrepancy of at most (2 log2(n) + 2) / n.
 * Independent draws would have about 1.2 / sqrt(n). */
static void dither_within_row(uint32_t *x)
{
    double share = 0, independent = 0;
    for (uint32_t row = 0; row < 400; ++row) {
        const uint32_t n = 1 + 37 * row % 4096, first = 32u * (1 + row * row % 1000) + row % 32,
                       s = dither_word(SEED, row, 2);
        const double bound = 2.0 * floor(log2(n)) + 2.0;
        for (uint32_t i = 0; i < n; ++i) x[i] = tern_weight_dither(first + i, s, 31);
        const double d = discrepancy(x, n);
        CHECK(d <= bound);
        share = fmax(share, d / bound);
        for (uint32_t i = 0; i < n; ++i) x[i] = dither_word(SEED + 3, i, row) >> 1;
        independent = fmax(independent, discrepancy(x, n) / bound);
    }
    printf("dither within a row: star discrepancy at most %.2f of its bound (independent draws: %.2f)\n", share,
           independent);
    CHECK(independent > 1.0); /* the bound tells them apart */
    for (unsigned m = 0; m <= 10; ++m)
        for (uint32_t block = 0; block < 20; ++block) {
            uint32_t seen[1024] = { 0 };
            const uint32_t s = dither_word(SEED, block, 3), n = 1u << m;
            for (uint32_t i = 0; i < n; ++i)
                ++seen[m == 0 ? 0 : tern_weight_dither((block << m) + i, s, 20) >> (20 - m)];
            for (uint32_t i = 0; i < n; ++i) CHECK_EQ(seen[i], 1);
        }
}

/* The mean of the integer steps is dw / 2^R, over time for one synapse and over the synapses of one pass. */
static void dither_unbiased(void)
{
    static const struct {
        int64_t dw;
        unsigned bits;
    } cases[] = {
        { 1, 4 }, { -1, 4 }, { 5, 8 }, { -77, 8 }, { 1000, 12 }, { -40961, 12 }, { 123456789, 20 }, { -3, 20 }
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const double want = ldexp((double)cases[c].dw, -(int)cases[c].bits), share = want - floor(want), n = 200000;
        double sum = 0, row = 0;
        uint64_t sat = 0;
        for (uint32_t t = 0; t < (uint32_t)n; ++t)
            sum += tern_weight_step(100, cases[c].dw, tern_weight_dither(77, dither_word(SEED, t, 8), cases[c].bits),
                                    cases[c].bits, 16, &sat) -
                   100;
        const uint32_t s = dither_word(SEED, 1, 9);
        for (uint32_t i = 0; i < 4096; ++i)
            row += tern_weight_step(100, cases[c].dw, tern_weight_dither(4096 + i, s, cases[c].bits), cases[c].bits, 16,
                                    &sat) -
                   100;
        const double sigma = sqrt(share * (1 - share) / n);
        printf("dw = %lld / 2^%u: mean step %.7f for %.7f, %+.2f sigma; over a row %+.2g\n", (long long)cases[c].dw,
               cases[c].bits, sum / n, want, (sum / n - want) / sigma, row / 4096 - want);
        CHECK_NEAR(sum / n, want, 4.0 * sigma);
        CHECK_NEAR(row / 4096, want, 1.0 / 4096); /* one r in each of 4096 equal intervals */
        CHECK_EQ(sat, 0);
    }
}

int main(void)
{
    enum { N = 256000 };
    uint32_t *x = malloc(N * sizeof *x);
    if (x == NULL) return 1;
    spikes_uniform();
    spikes_independent(x, N);
    dither_over_time(x, N);
    dither_within_row(x);
    dither_unbiased();
    free(x);
    return tern_check_report("statistics");
}
