/* tern_reward.c : see reward.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/reward.h"
#include <math.h>
#include <string.h>
#include "tern/net.h"

/* smaller traces become 0: the processor is slow with numbers near the smallest */
static const double NOTHING = 1e-100;

size_t tern_van_rossum_bytes(uint32_t n_samples, uint32_t n_neurons)
{
    if (n_samples < 1 || n_samples > TERN_MAX_SAMPLES || n_neurons < 1 || n_neurons > TERN_MAX_NEURONS) return 0;
    return sizeof(double) * n_samples * ((size_t)n_neurons + 3u);
}

tern_status tern_van_rossum_init(tern_van_rossum *d, uint32_t n_samples, uint32_t n_neurons, const uint32_t *pos,
                                 double tau, double gamma, void *mem, size_t bytes)
{
    const size_t need = tern_van_rossum_bytes(n_samples, n_neurons);
    if (need == 0 || pos == NULL || mem == NULL || bytes < need || ((uintptr_t)mem & 7u) != 0) return TERN_ERR_ARGUMENT;
    if (!(tau > 0) || !isfinite(tau) || !(gamma >= 0 && gamma <= 1)) return TERN_ERR_ARGUMENT;
    double *at = mem;
    *d = (tern_van_rossum){ .n_samples = n_samples,
                            .n_neurons = n_neurons,
                            .pos = pos,
                            .rho = exp(-1 / tau),
                            .unit = -expm1(-2 / tau) / 2,
                            .gamma = gamma,
                            .step = at,
                            .distance = at + n_samples,
                            .reward = at + 2u * n_samples,
                            .trace = at + 3u * n_samples };
    tern_van_rossum_begin(d);
    return TERN_OK;
}

void tern_van_rossum_begin(tern_van_rossum *d)
{
    memset(d->step, 0, tern_van_rossum_bytes(d->n_samples, d->n_neurons));
}

void tern_van_rossum_step(tern_van_rossum *d, const uint32_t *spikes, uint32_t words, const uint32_t *targets)
{
    for (uint32_t k = 0; k < d->n_samples; ++k) {
        const uint32_t *s = spikes + (size_t)k * words;
        double *trace = d->trace + (size_t)k * d->n_neurons, sum = 0;
        for (uint32_t i = 0; i < d->n_neurons; ++i) {
            const uint32_t p = d->pos[i];
            const int more = (int)(s[p >> 5] >> (p & 31u) & 1u) - (int)(targets[p >> 5] >> (p & 31u) & 1u);
            const double x = d->rho * trace[i] + more;
            trace[i] = fabs(x) < NOTHING ? 0 : x;
            sum += trace[i] * trace[i];
        }
        d->step[k] = d->unit * sum;
        d->distance[k] += d->step[k];
        d->reward[k] = d->gamma * d->reward[k] - d->step[k];
    }
}

int32_t tern_reward_f12(double reward)
{
    const double x = floor(reward * 4096.0 + 0.5);
    if (isnan(x)) return 0;
    return x >= 2147483647.0 ? INT32_MAX : x <= -2147483647.0 ? -INT32_MAX : (int32_t)x;
}
