/* tern_state.c : memory of a state, initial values, clearing
 * SPDX-License-Identifier: Apache-2.0
 *
 * The caller's memory, each array aligned to 8 bytes:
 *     | hist_in | hist_neuron | acc | kernel | v | loss | spikes | spikes_in | weights | bias | self | ek | errors | m
 *     | w | baselines | scratch |
 */
#include <stdint.h>
#include <string.h>
#include "tern/engine.h"

typedef struct arena_cut {
    unsigned char *base;
    uint64_t used;
} arena_cut;

/* Counts in 64 bits: where size_t has 16 or 32, a sum that is too large is noticed and not cut. */
static void *cut(arena_cut *a, uint64_t count, size_t size)
{
    void *p = a->base == NULL ? NULL : a->base + a->used;
    a->used += (count * size + 7u) & ~(uint64_t)7u;
    return p;
}

static uint64_t lay_out(tern_state *st, const tern_net *n, uint64_t k, unsigned char *base)
{
    arena_cut a = { base, 0 };
    st->hist_in = cut(&a, n->n_inputs_pos, sizeof *st->hist_in);
    st->hist_neuron = cut(&a, k * n->n_neurons_pos, sizeof *st->hist_neuron);
    st->acc_f20 = cut(&a, k, sizeof *st->acc_f20);
    const bool by_synapse = n->baseline == TERN_BASELINE_SYNAPSE;
    st->kernel = cut(&a, (by_synapse ? 2u : 1u) * k * TERN_MAX_HISTORY, sizeof *st->kernel);
    st->v_f12 = cut(&a, k, sizeof *st->v_f12);
    st->loss_f12 = cut(&a, k, sizeof *st->loss_f12);
    st->spikes = cut(&a, k * (n->n_neurons_pos / 32u), sizeof *st->spikes);
    st->spikes_in = cut(&a, n->n_inputs_pos / 32u, sizeof *st->spikes_in);
    st->weights = cut(&a, n->n_weights, sizeof *st->weights);
    st->bias_f12 = cut(&a, n->n_neurons, sizeof *st->bias_f12);
    st->self_f12 = cut(&a, n->n_neurons, sizeof *st->self_f12);
    st->ek = cut(&a, n->lags_w, sizeof *st->ek);
    st->errors_f15 = cut(&a, n->n_neurons * k * n->lags_w, sizeof *st->errors_f15);
    st->m_f14 = cut(&a, k, sizeof *st->m_f14);
    st->w_f12 = cut(&a, k, sizeof *st->w_f12);
    st->base_f12 = cut(&a, tern_net_baselines(n), sizeof *st->base_f12);
    st->base_weight = cut(&a, tern_net_baselines(n), sizeof *st->base_weight);
    st->coef = cut(&a, k * n->lags_w, sizeof *st->coef);
    st->m_neuron = cut(&a, k, sizeof *st->m_neuron);
    st->u_wta = cut(&a, k * TERN_MAX_WTA, sizeof *st->u_wta);
    st->limited_wta = cut(&a, k * TERN_MAX_WTA, sizeof *st->limited_wta);
    st->coef_kap = cut(&a, by_synapse ? k * n->lags_w : 0, sizeof *st->coef_kap);
    st->elig = cut(&a, by_synapse ? 2u * k : 0, sizeof *st->elig);
    return a.used;
}

size_t tern_state_bytes(const tern_net *net, uint32_t n_samples)
{
    tern_state st;
    if (n_samples < 1 || n_samples > TERN_MAX_SAMPLES) return 0;
    const uint64_t bytes = lay_out(&st, net, n_samples, NULL);
    return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

tern_status tern_state_init(tern_state *st, const tern_net *net, void *mem, size_t bytes, uint32_t n_samples,
                            uint64_t seed)
{
    const size_t need = tern_state_bytes(net, n_samples);
    if (need == 0 || mem == NULL || bytes < need || ((uintptr_t)mem & 7u) != 0) return TERN_ERR_ARGUMENT;
    memset(st, 0, sizeof *st);
    memset(mem, 0, need);
    lay_out(st, net, n_samples, mem);
    st->net = net;
    st->n_samples = n_samples;
    st->seed = seed;
    memcpy(st->weights, net->weights0, net->n_weights * sizeof *st->weights);
    memcpy(st->bias_f12, net->bias0_f12, net->n_neurons * sizeof *st->bias_f12);
    memcpy(st->self_f12, net->self0_f12, net->n_neurons * sizeof *st->self_f12);
    memcpy(st->ek, net->ek0, net->lags_w * sizeof *st->ek);
    return TERN_OK;
}

void tern_state_clear(tern_state *st)
{
    const tern_net *n = st->net;
    const size_t k = st->n_samples;
    memset(st->hist_in, 0, n->n_inputs_pos * sizeof *st->hist_in);
    memset(st->hist_neuron, 0, k * n->n_neurons_pos * sizeof *st->hist_neuron);
    memset(st->errors_f15, 0, n->n_neurons * k * n->lags_w * sizeof *st->errors_f15);
    memset(st->v_f12, 0, k * sizeof *st->v_f12);
    memset(st->m_f14, 0, k * sizeof *st->m_f14);
    memset(st->w_f12, 0, k * sizeof *st->w_f12);
    memset(st->loss_f12, 0, k * sizeof *st->loss_f12);
    memset(st->spikes, 0, k * (n->n_neurons_pos / 32u) * sizeof *st->spikes);
    memset(st->spikes_in, 0, n->n_inputs_pos / 32u * sizeof *st->spikes_in);
    st->pending = false;
    st->lag_head = 0;
}

void tern_state_copy_weights(tern_state *to, const tern_state *from)
{
    const tern_net *net = to->net;
    memcpy(to->weights, from->weights, net->n_weights * sizeof *to->weights);
    memcpy(to->bias_f12, from->bias_f12, net->n_neurons * sizeof *to->bias_f12);
    memcpy(to->self_f12, from->self_f12, net->n_neurons * sizeof *to->self_f12);
    memcpy(to->base_f12, from->base_f12, tern_net_baselines(net) * sizeof *to->base_f12);
    memcpy(to->base_weight, from->base_weight, tern_net_baselines(net) * sizeof *to->base_weight);
}

void tern_state_copy(tern_state *to, const tern_state *from)
{
    const tern_net *n = to->net;
    const size_t K = to->n_samples;
    tern_state_copy_weights(to, from);
    to->k0 = from->k0;
    to->seed = from->seed;
    to->step = from->step;
    to->lag_head = from->lag_head;
    to->pending = from->pending;
    to->sat = from->sat;
    to->comm = from->comm;
    memcpy(to->ek, from->ek, n->lags_w * sizeof *to->ek);
    memcpy(to->hist_in, from->hist_in, n->n_inputs_pos * sizeof *to->hist_in);
    memcpy(to->hist_neuron, from->hist_neuron, K * n->n_neurons_pos * sizeof *to->hist_neuron);
    memcpy(to->errors_f15, from->errors_f15, n->n_neurons * K * n->lags_w * sizeof *to->errors_f15);
    memcpy(to->v_f12, from->v_f12, K * sizeof *to->v_f12);
    memcpy(to->m_f14, from->m_f14, K * sizeof *to->m_f14);
    memcpy(to->w_f12, from->w_f12, K * sizeof *to->w_f12);
    memcpy(to->loss_f12, from->loss_f12, K * sizeof *to->loss_f12);
    memcpy(to->spikes, from->spikes, K * (n->n_neurons_pos / 32) * sizeof *to->spikes);
    memcpy(to->spikes_in, from->spikes_in, n->n_inputs_pos / 32 * sizeof *to->spikes_in);
}
