/* fast_compare.h : two states of one network, word for word
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_COMPARE_H
#define FAST_COMPARE_H
#include <string.h>
#include "tern/engine.h"

typedef struct fast_difference {
    const char *what; /* array or number that differs; NULL: none */
    size_t index;
    uint64_t words; /* compared so far */
} fast_difference;

/* True: all `count` words of `size` bytes are the same; else *d says where they are not. */
static inline bool fast_same(fast_difference *d, const char *what, const void *a, const void *b, size_t count,
                             size_t size)
{
    d->words += count;
    if (count == 0 || memcmp(a, b, count * size) == 0) return true;
    d->what = what;
    d->index = 0;
    while (memcmp((const char *)a + d->index * size, (const char *)b + d->index * size, size) == 0) ++d->index;
    return false;
}

/* Everything that an image holds of a state, and its counts. */
static inline bool fast_compare(fast_difference *d, const tern_state *g, const tern_state *f)
{
    const tern_net *n = g->net;
    const size_t K = g->n_samples, words = n->n_neurons_pos / 32, base = tern_net_baselines(n);
#define SAME(member, count) fast_same(d, #member, g->member, f->member, (count), sizeof *g->member)
#define SAME_ONE(member) fast_same(d, #member, &g->member, &f->member, 1, sizeof g->member)
    return SAME(hist_in, n->n_inputs_pos) && SAME(hist_neuron, K * n->n_neurons_pos) &&
           SAME(spikes_in, n->n_inputs_pos / 32) && SAME(base_f12, base) && SAME(base_weight, base) &&
           SAME(bias_f12, n->n_neurons) && SAME(self_f12, n->n_neurons) && SAME(weights, n->n_weights) &&
           SAME(spikes, K * words) && SAME(errors_f15, n->n_neurons * K * n->lags_w) && SAME(loss_f12, K) &&
           SAME(v_f12, K) && SAME(m_f14, K) && SAME(w_f12, K) && SAME(ek, n->lags_w) && SAME_ONE(sat.weight) &&
           SAME_ONE(sat.local) && SAME_ONE(sat.potential) && SAME_ONE(sat.coefficient) && SAME_ONE(sat.logprob) &&
           SAME_ONE(sat.modulator) && SAME_ONE(comm.unicast) && SAME_ONE(comm.broadcast) && SAME_ONE(step) &&
           SAME_ONE(lag_head) && SAME_ONE(pending) && SAME_ONE(seed) && SAME_ONE(k0);
#undef SAME
#undef SAME_ONE
}
#endif /* FAST_COMPARE_H */
