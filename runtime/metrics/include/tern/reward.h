/* reward.h : the van Rossum distance between spikes and target spikes, step by step, and the learning signal from it
 * SPDX-License-Identifier: Apache-2.0
 *
 * For networks of rule REWARD (docs/21-numerics.md, section 4) whose visible neurons run free. Formulas:
 * docs/12-inference.md, section 6. Source: M. C. W. van Rossum, "A novel spike distance", Neural Computation 13, 2001;
 * the paper names it as a reward in its conclusions.
 *
 *     bytes = tern_van_rossum_bytes(K, n);
 *     tern_van_rossum_init(&d, K, n, pos, tau, gamma, mem, bytes);
 *     for each example: tern_van_rossum_begin(&d);
 *                       for each step: tern_step(&st, inputs, NULL, TERN_STEP_LEARN);
 *                                      tern_van_rossum_step(&d, st.spikes, words, targets);
 *                                      for each k: r[k] = tern_reward_f12(d.reward[k]);
 *                                      tern_reward(&st, r);
 *
 * Threads: a distance is used by one thread at a time; different ones by different threads at once.
 */
#ifndef TERN_REWARD_H
#define TERN_REWARD_H
#include <stddef.h>
#include <stdint.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

/* With f the spikes of neuron i in sample k and x the target spikes, both filtered by exp(-t/tau), t in steps:
 *     trace_i^k(t)  = rho trace_i^k(t-1) + s_i^k(t) - x_i(t),   rho = exp(-1/tau)          f - x, as the filter is
 * linear
 *     step^k(t)     = (1 - rho^2)/2 sum_i trace_i^k(t)^2
 *     distance^k(t) = step^k(1) + ... + step^k(t)                                           D^2 of van Rossum, summed
 * over neurons
 *     reward^k(t)   = gamma reward^k(t-1) - step^k(t)
 * The factor replaces van Rossum's 1/tau dt: one extra or missing spike adds 1/2 in the long run, as there, for every
 * tau. */
typedef struct tern_van_rossum {
    uint32_t n_samples, n_neurons;
    const uint32_t *pos;     /* [n_neurons] positions of the neurons in the words of spikes */
    double rho, unit, gamma; /* unit: (1 - rho^2)/2 */
    double *trace;           /* [n_samples][n_neurons] */
    double *step;            /* [n_samples] of the last step */
    double *distance;        /* [n_samples] */
    double *reward;          /* [n_samples] */
} tern_van_rossum;

/* Bytes of memory for tern_van_rossum_init; 0 if a number is out of range (1..32 samples, 1..65535 neurons). */
size_t tern_van_rossum_bytes(uint32_t n_samples, uint32_t n_neurons);
/* `mem`: aligned to 8, given by the caller; `pos` must outlive it. tau > 0 (steps, finite), 0 <= gamma <= 1.
 * TERN_ERR_ARGUMENT otherwise. */
tern_status tern_van_rossum_init(tern_van_rossum *d, uint32_t n_samples, uint32_t n_neurons, const uint32_t *pos,
                                 double tau, double gamma, void *mem, size_t bytes);
/* A new example: everything 0. */
void tern_van_rossum_begin(tern_van_rossum *d);
/* One step. spikes: [n_samples][words], as tern_state.spikes; targets: [words], bit p%32 of word p/32. */
void tern_van_rossum_step(tern_van_rossum *d, const uint32_t *spikes, uint32_t words, const uint32_t *targets);

/* A real number as tern_reward() takes it: round half up to s20.12, limited to +-(2^31 - 1); NAN: 0. */
int32_t tern_reward_f12(double reward);

#ifdef __cplusplus
}
#endif
#endif /* TERN_REWARD_H */
