/* tern_sim_draws.c : draws and logarithm of the simulated camera, the same everywhere
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_sim.h"
#include "tern_formats.h"
#include "tern_random.h"
#include <math.h>
#include <string.h>

void tern__draws_init(tern__draws *d, uint64_t seed, unsigned purpose, unsigned digit, uint32_t sample)
{
    *d = (tern__draws){ .key = { (uint32_t)seed, (uint32_t)(seed >> 32) },
                        .ctr = { 0, (uint32_t)purpose << 28 | (uint32_t)digit << 24 | sample } };
}

uint32_t tern__draw(tern__draws *d)
{
    if (d->left == 0) {
        tern_threefry2x32(d->key, d->ctr, d->words);
        ++d->ctr[0];
        d->left = 2;
    }
    return d->words[2 - d->left--];
}

double tern__draw_range(tern__draws *d, double lo, double hi)
{
    const double u = ((double)tern__draw(d) + 0.5) / 4294967296.0;
    return lo + (hi - lo) * u;
}

double tern__draw_normal(tern__draws *d)
{
    const uint32_t a = tern__draw(d), b = tern__draw(d);
    const double sum = (double)((a & 65535u) + (a >> 16) + (b & 65535u) + (b >> 16)) / 65536.0;
    return (sum - 131070.0 / 65536.0) * 1.7320508075688772; /* a uniform has variance 1/12 */
}

double tern__ln(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m); /* 1 <= m < 2 */
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++e;
    }
    const double z = (m - 1.0) / (m + 1.0), z2 = z * z; /* ln m = 2 atanh z, |z| < 0.1716 */
    double p = 1.0 / 17.0;
    for (int k = 15; k >= 1; k -= 2) p = p * z2 + 1.0 / k;
    return 2.0 * z * p + e * 0.6931471805599453;
}
