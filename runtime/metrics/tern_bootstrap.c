/* tern_bootstrap.c : see bootstrap.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_bootstrap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tern_random.h"

enum { BOOT = 0x626f6f74 }; /* "boot": no training has this key beside its seed */

void tern_bootstrap_counts(uint64_t seed, uint32_t resample, uint32_t stream, size_t n, uint32_t *counts)
{
    const uint32_t key[2] = { (uint32_t)seed + BOOT, (uint32_t)(seed >> 32) + stream };
    uint32_t words[2] = { 0 };
    memset(counts, 0, n * sizeof *counts);
    for (size_t i = 0; i < n; ++i) {
        const uint32_t counter[2] = { resample, (uint32_t)(i / 2) };
        if (i % 2 == 0) tern_threefry2x32(key, counter, words);
        ++counts[(uint64_t)words[i % 2] * n >> 32];
    }
}

double tern_quantile(const double *ascending, size_t n, double q)
{
    const double at = q * (double)(n - 1);
    const size_t i = (size_t)at;
    if (i + 1 >= n) return ascending[n - 1];
    const double part = at - (double)i; /* neighbours that are equal, INFINITY too, have nothing between them */
    return ascending[i] == ascending[i + 1] || !(part > 0) ? ascending[i]
                                                           : ascending[i] + part * (ascending[i + 1] - ascending[i]);
}

static int ascending_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

tern_interval tern_bootstrap_interval(double *x, size_t n)
{
    if (n == 0) return (tern_interval){ (double)NAN, (double)NAN };
    qsort(x, n, sizeof *x, ascending_order);
    return (tern_interval){ tern_quantile(x, n, 0.025), tern_quantile(x, n, 0.975) };
}

double tern_crossed_mean(const uint8_t *v, const uint32_t *a, size_t n_s, const uint32_t *b, size_t n_r)
{
    uint64_t sum = 0, rows = 0, columns = 0;
    for (size_t r = 0; r < n_r; ++r) columns += b[r];
    for (size_t s = 0; s < n_s; ++s) {
        uint64_t row = 0;
        rows += a[s];
        if (a[s] == 0) continue;
        for (size_t r = 0; r < n_r; ++r) row += (uint64_t)b[r] * v[s * n_r + r];
        sum += a[s] * row;
    }
    return (double)sum / ((double)rows * (double)columns);
}
