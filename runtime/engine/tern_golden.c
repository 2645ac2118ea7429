/* tern_golden.c : the golden model. One pass over the weights applies the update of the last step and computes the
 * potentials of this one; order and rounding are docs/21-numerics.md, section 8.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/engine.h"
#include "tern_baseline.h"
#include "tern_history.h"
#include "tern_kernel.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_trace.h"
#include "tern_weight.h"
#include "tern_wta.h"

static void put(tern_state *st, unsigned kind, unsigned flags, uint32_t sample, uint32_t index, int32_t a, int32_t b,
                uint32_t draw)
{
    if (st->sink == NULL) return;
    const tern_record r = { .step = st->step,
                            .kind = (uint8_t)kind,
                            .flags = (uint8_t)flags,
                            .sample = (uint16_t)sample,
                            .index = index,
                            .a = a,
                            .b = b,
                            .draw = draw };
    st->sink->put(st->sink, &r);
}

static unsigned bit_of(const uint32_t *bits, uint32_t pos) { return bits[pos >> 5] >> (pos & 31u) & 1u; }

/* ---- histories ------------------------------------------------------------ */

static void shift_pool(uint64_t *history, const uint32_t *spikes, uint32_t n_pos, unsigned bits)
{
    for (uint32_t p = 0; p < n_pos; ++p) history[p] = tern_history_step(history[p], bit_of(spikes, p), bits);
}

static void shift_histories(tern_state *st)
{
    const tern_net *n = st->net;
    const unsigned bits = (unsigned)n->taps_d + n->lags_w;
    shift_pool(st->hist_in, st->spikes_in, n->n_inputs_pos, bits);
    for (uint32_t k = 0; k < st->n_samples; ++k)
        shift_pool(st->hist_neuron + (size_t)k * n->n_neurons_pos, st->spikes + (size_t)k * (n->n_neurons_pos / 32u),
                   n->n_neurons_pos, bits);
}

/* ---- the pass over the weights -------------------------------------------- */

typedef struct pass {
    tern_state *st;
    bool update;    /* apply the pending update                                            */
    bool potential; /* compute potentials; a flush does not, and leaves histories unshifted */
    uint32_t neuron;
    bool signal;                     /* the neuron learns from w (learning set 1) */
    bool by_synapse;                 /* and each of its parameters has a baseline of its own */
    const tern_learn *learn;         /* its learning set */
    uint32_t s_word;                 /* S_i of N-14 */
    int32_t sum_c[TERN_MAX_HISTORY]; /* coefficients summed over samples */
} pass;

/* History of an input as this pass sees it: with the spikes of the last step in bit 0. */
static inline uint64_t history_in(const pass *p, uint32_t pos)
{
    const tern_state *st = p->st;
    const uint64_t h = st->hist_in[pos];
    return p->potential ? h
                        : tern_history_step(h, bit_of(st->spikes_in, pos), (unsigned)st->net->taps_d + st->net->lags_w);
}

static uint64_t history_neuron(const pass *p, uint32_t k, uint32_t pos)
{
    const tern_state *st = p->st;
    const uint64_t h = st->hist_neuron[(size_t)k * st->net->n_neurons_pos + pos];
    return p->potential ? h
                        : tern_history_step(h, bit_of(st->spikes + (size_t)k * (st->net->n_neurons_pos / 32u), pos),
                                            (unsigned)st->net->taps_d + st->net->lags_w);
}

/* Error of the current neuron, d steps back. lag_head is where the next step will write. */
static int16_t error_at(const pass *p, uint32_t k, unsigned d)
{
    const tern_state *st = p->st;
    const unsigned w = st->net->lags_w;
    return st->errors_f15[((size_t)p->neuron * st->n_samples + k) * w + (st->lag_head + w - 1u - d) % w];
}

/* Modulators of the current neuron, and how many numbers it was sent for them. */
static void modulators(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const int32_t b = p->signal && n->baseline == TERN_BASELINE_NEURON ? st->base_f12[p->neuron] : 0;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        st->m_neuron[k] =
            p->signal ? tern_signal_modulator(st->w_f12[k], b, n->m_shift, &st->sat.modulator) : st->m_f14[k];
    if (n->rule == TERN_RULE_IW && p->signal) st->comm.broadcast += 1;
    else if (n->rule != TERN_RULE_MB || p->signal) st->comm.broadcast += st->n_samples;
}

/* N-11, N-12 for the current neuron. */
static void coefficients(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const unsigned w = n->lags_w;
    modulators(p);
    memset(p->sum_c, 0, sizeof p->sum_c);
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned d = 0; d < w; ++d) {
            const int16_t c = tern_kernel_coefficient(st->m_neuron[k], error_at(p, k, d), st->ek[d], p->learn->c_shift,
                                                      &st->sat.coefficient);
            st->coef[k * w + d] = c;
            p->sum_c[d] += c;
        }
}

/* N-20 for the current neuron. */
static void neuron_baseline(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    int64_t sum[TERN_MAX_SAMPLES] = { 0 };
    const bool common = n->rule == TERN_RULE_IW; /* one w for all samples */
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned d = 0; d < n->lags_w; ++d) sum[common ? 0 : k] += (int32_t)n->kap_f15[d] * error_at(p, k, d);
    const uint32_t n_g = common ? 1u : st->n_samples;
    int16_t g[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < n_g; ++k) g[k] = tern_baseline_error(sum[k], 21);
    const tern_baseline old = { st->base_f12[p->neuron], st->base_weight[p->neuron] };
    const tern_baseline now = tern_baseline_step(old, g, st->w_f12, n_g, n->baseline_shift);
    put(st, TERN_REC_A, 0, 0, p->neuron, old.b_f12, now.b_f12, now.weight);
    st->base_f12[p->neuron] = now.b_f12;
    st->base_weight[p->neuron] = now.weight;
}

/* ---- baselines per synapse (N-21): an eligibility for each parameter instead of an error for each neuron --------- */

/* Coefficients without modulator: coef for the weight change, coef_kap for the averages. */
static void synapse_coefficients(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned d = 0; d < n->lags_w; ++d) {
            const int16_t e = error_at(p, k, d);
            st->coef[k * n->lags_w + d] = (int16_t)tern_saturate(
                tern_round_shift((int32_t)st->ek[d] * e, p->learn->c_shift), 16, &st->sat.coefficient);
            st->coef_kap[k * n->lags_w + d] = (int16_t)tern_round_shift((int32_t)n->kap_f15[d] * e, 15);
        }
    if (n->rule == TERN_RULE_IW) st->comm.broadcast += 1;
    else st->comm.broadcast += st->n_samples;
}

/* Weight change of one parameter from its eligibilities G and h (in st->elig, [2][K]); its baseline `at` takes them
 * in. */
static int64_t synapse_step(pass *p, size_t at)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const uint32_t k_n = st->n_samples;
    const bool common = n->rule == TERN_RULE_IW;
    const tern_baseline old = { st->base_f12[at], st->base_weight[at] };
    int16_t g[TERN_MAX_SAMPLES];
    int64_t dw = 0, sum_h = 0;
    for (uint32_t k = 0; k < k_n; ++k) {
        dw += st->elig[k] * tern_signal_modulator(st->w_f12[k], old.b_f12, n->m_shift, &st->sat.modulator);
        sum_h += st->elig[k_n + k];
        g[k] = tern_baseline_error(st->elig[k_n + k], 6u + n->trace_frac);
    }
    if (common) g[0] = tern_baseline_error(sum_h, 6u + n->trace_frac);
    const tern_baseline now = tern_baseline_step(old, g, st->w_f12, common ? 1u : k_n, n->baseline_shift);
    st->base_f12[at] = now.b_f12;
    st->base_weight[at] = now.weight;
    return tern_round_shift(dw, TERN_M_FRAC);
}

static int64_t synapse_bias(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        int64_t sum = 0, sum_kap = 0;
        for (unsigned d = 0; d < n->lags_w; ++d) {
            sum += st->coef[k * n->lags_w + d];
            sum_kap += st->coef_kap[k * n->lags_w + d];
        }
        st->elig[k] = sum * (1 << n->trace_frac);
        st->elig[st->n_samples + k] = sum_kap * (1 << n->trace_frac);
    }
    return synapse_step(p, (size_t)n->n_weights + p->neuron);
}

/* Kernels of one filter, for the weight change and for the averages. */
static void synapse_kernels(pass *p, const uint16_t *taps)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    for (uint32_t half = 0; half < 2; ++half)
        for (uint32_t k = 0; k < st->n_samples; ++k) {
            const int16_t *from = (half == 0 ? st->coef : st->coef_kap) + (size_t)k * n->lags_w;
            int32_t c[TERN_MAX_HISTORY];
            for (unsigned d = 0; d < n->lags_w; ++d) c[d] = from[d];
            tern_kernel_taps(c, n->lags_w, taps, n->taps_d,
                             st->kernel + ((size_t)half * st->n_samples + k) * TERN_MAX_HISTORY);
        }
}

/* Unit at position pos of a pool; `at`: its baseline. */
static int64_t synapse_change(pass *p, bool shared, uint32_t pos, size_t at)
{
    tern_state *st = p->st;
    const unsigned n_kernel = (unsigned)st->net->taps_d + st->net->lags_w - 1u;
    uint64_t any = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const uint64_t h = shared ? history_in(p, pos) : history_neuron(p, k, pos);
        any |= h;
        st->elig[k] = tern_weight_kernel_sum(h, st->kernel + (size_t)k * TERN_MAX_HISTORY, n_kernel);
        st->elig[st->n_samples + k] =
            tern_weight_kernel_sum(h, st->kernel + ((size_t)st->n_samples + k) * TERN_MAX_HISTORY, n_kernel);
    }
    return any == 0 ? 0 : synapse_step(p, at);
}

/* ---- one neuron's parameters ---------------------------------------------- */

/* N-16 */
static int16_t update_local(pass *p, unsigned kind, int16_t old, int64_t dw, uint32_t idx)
{
    tern_state *st = p->st;
    if (dw == 0) return old;
    const uint64_t sat_before = st->sat.local;
    const uint32_t r = tern_weight_dither(idx, p->s_word, p->learn->local_bits);
    const int16_t now = tern_weight_step(old, dw, r, p->learn->local_bits, 16, &st->sat.local);
    put(st, kind, st->sat.local != sat_before, 0, p->neuron, old, now, r);
    return now;
}

/* Learning kernels of one filter, one per sample: what a spike q steps ago adds to dw. */
static void sample_kernels(pass *p, const uint16_t *taps)
{
    tern_state *st = p->st;
    const unsigned w = st->net->lags_w;
    int32_t c[TERN_MAX_HISTORY];
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        for (unsigned d = 0; d < w; ++d) c[d] = st->coef[k * w + d];
        tern_kernel_taps(c, w, taps, st->net->taps_d, st->kernel + (size_t)k * TERN_MAX_HISTORY);
    }
}

/* N-13 for a unit whose spikes differ between the samples: sum of its kernels' taps, exact. */
static int64_t sample_change(const pass *p, uint32_t pos)
{
    const tern_state *st = p->st;
    const unsigned n_kernel = (unsigned)st->net->taps_d + st->net->lags_w - 1u;
    int64_t dw = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        dw += tern_weight_kernel_sum(history_neuron(p, k, pos), st->kernel + (size_t)k * TERN_MAX_HISTORY, n_kernel);
    return dw;
}

static void local_parameters(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const tern_neuron *neuron = &n->neurons[p->neuron];
    const bool has_self = neuron->self_filter != TERN_NO_FILTER;
    const uint16_t *taps = has_self ? n->filter_taps + (size_t)neuron->self_filter * n->taps_d : NULL;
    if (p->update && p->by_synapse) {
        st->bias_f12[p->neuron] =
            update_local(p, TERN_REC_B, st->bias_f12[p->neuron], synapse_bias(p), TERN_DITHER_BIAS);
        if (has_self) {
            synapse_kernels(p, taps);
            const int64_t dw = synapse_change(p, false, neuron->pos, (size_t)n->n_weights + n->n_neurons + p->neuron);
            st->self_f12[p->neuron] = update_local(p, TERN_REC_S, st->self_f12[p->neuron], dw, TERN_DITHER_SELF);
        }
    } else if (p->update) {
        int64_t d_bias = 0;
        for (unsigned d = 0; d < n->lags_w; ++d) d_bias += (int64_t)p->sum_c[d] * (1 << n->trace_frac);
        st->bias_f12[p->neuron] = update_local(p, TERN_REC_B, st->bias_f12[p->neuron], d_bias, TERN_DITHER_BIAS);
        if (has_self) {
            sample_kernels(p, taps);
            st->self_f12[p->neuron] =
                update_local(p, TERN_REC_S, st->self_f12[p->neuron], sample_change(p, neuron->pos), TERN_DITHER_SELF);
        }
    }
    if (!p->potential) return;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const uint32_t x = has_self ? tern_trace(history_neuron(p, k, neuron->pos), 0, taps, n->taps_d) : 0;
        st->acc_f20[k] = tern_potential_local(st->bias_f12[p->neuron], st->self_f12[p->neuron], x, n->trace_frac);
    }
}

static int16_t update_weight(pass *p, const tern_row *row, uint32_t i, int64_t dw)
{
    tern_state *st = p->st;
    const int16_t old = st->weights[row->weight + i];
    if (dw == 0) return old;
    const uint32_t idx = row->dither + (row->first & (TERN_POS_ALIGN - 1u)) + i;
    const uint32_t r = tern_weight_dither(idx, p->s_word, p->learn->dither_bits);
    const uint64_t sat_before = st->sat.weight;
    const int16_t now = tern_weight_step(old, dw, r, p->learn->dither_bits, st->net->weight_bits, &st->sat.weight);
    put(st, TERN_REC_W, st->sat.weight != sat_before, 0, row->weight + i, old, now, r);
    return st->weights[row->weight + i] = now;
}

/* Inputs: one history for all samples, so one kernel and one sum for all potentials. */
static void shared_row(pass *p, const tern_row *row, bool same_filter)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const uint16_t *taps = n->filter_taps + (size_t)row->filter * n->taps_d;
    const unsigned n_kernel = (unsigned)n->taps_d + n->lags_w - 1u;
    int64_t sum = 0;
    if (p->update && !same_filter) {
        if (p->by_synapse) synapse_kernels(p, taps);
        else tern_kernel_taps(p->sum_c, n->lags_w, taps, n->taps_d, st->kernel);
    }
    for (uint32_t i = 0; i < row->count; ++i) {
        const uint64_t h = history_in(p, row->first + i);
        if (h == 0) continue; /* silent: neither learns nor contributes */
        int16_t w = st->weights[row->weight + i];
        if (w == TERN_WEIGHT_ABSENT) continue;
        if (p->update)
            w = update_weight(p, row, i,
                              p->by_synapse ? synapse_change(p, true, row->first + i, row->weight + i)
                                            : tern_weight_kernel_sum(h, st->kernel, n_kernel));
        if (p->potential) sum += (int64_t)w * tern_trace(h, 0, taps, n->taps_d);
    }
    if (!p->potential) return;
    sum = tern_potential_scale(sum, n->weight_frac, n->trace_frac);
    for (uint32_t k = 0; k < st->n_samples; ++k) st->acc_f20[k] += sum;
}

/* Neurons: one history, kernel and sum per sample. */
static void sample_row(pass *p, const tern_row *row, bool same_filter)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const uint16_t *taps = n->filter_taps + (size_t)row->filter * n->taps_d;
    if (p->update && !same_filter) {
        if (p->by_synapse) synapse_kernels(p, taps);
        else sample_kernels(p, taps);
    }
    for (uint32_t i = 0; i < row->count; ++i) {
        int16_t w = st->weights[row->weight + i];
        if (w == TERN_WEIGHT_ABSENT) continue;
        if (p->update)
            w = update_weight(p, row, i,
                              p->by_synapse ? synapse_change(p, false, row->first + i, row->weight + i)
                                            : sample_change(p, row->first + i));
        if (!p->potential) continue;
        for (uint32_t k = 0; k < st->n_samples; ++k)
            st->acc_f20[k] +=
                tern_potential_scale((int64_t)w * tern_trace(history_neuron(p, k, row->first + i), 0, taps, n->taps_d),
                                     n->weight_frac, n->trace_frac);
    }
}

static void pass_neuron(pass *p)
{
    tern_state *st = p->st;
    const tern_neuron *neuron = &st->net->neurons[p->neuron];
    p->signal = p->neuron >= tern_net_signal_first(st->net);
    p->by_synapse = p->signal && st->net->baseline == TERN_BASELINE_SYNAPSE;
    p->learn = &st->net->learn[p->signal];
    if (p->update) {
        uint32_t words[2];
        tern_random_block(st->seed, st->step, TERN_DRAW_DITHER, 0, p->neuron, words);
        p->s_word = words[0];
        if (p->by_synapse) synapse_coefficients(p);
        else coefficients(p);
        if (p->signal && st->net->baseline == TERN_BASELINE_NEURON) neuron_baseline(p);
    }
    local_parameters(p);
    for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
        const tern_row *row = &st->net->rows[r];
        /* its kernels are there already */
        const bool same_filter = r > neuron->row0 && row[-1].kind == row->kind && row[-1].filter == row->filter;
        if (row->kind == TERN_ROW_SHARED) shared_row(p, row, same_filter);
        else sample_row(p, row, same_filter);
    }
}

/* ---- neurons and the central processor ------------------------------------ */

/* What a neuron's spike in one sample leaves behind. */
static void fired(tern_state *st, uint32_t i, uint32_t k, bool spike, int16_t e_f15, unsigned step_flags)
{
    const tern_net *n = st->net;
    const uint32_t pos = n->neurons[i].pos;
    if (spike) st->spikes[k * (n->n_neurons_pos / 32u) + (pos >> 5)] |= UINT32_C(1) << (pos & 31u);
    st->errors_f15[((size_t)i * st->n_samples + k) * n->lags_w + st->lag_head] =
        (int16_t)(step_flags & TERN_STEP_LEARN ? e_f15 : 0);
}

/* Draw of neuron i, 16 bits. block: the words of the current four samples. */
static uint16_t draw(const tern_state *st, uint32_t i, uint32_t k, uint32_t block[2])
{
    const uint32_t sample = st->k0 + k;
    if (k == 0 || (sample & 3u) == 0) tern_random_block(st->seed, st->step, TERN_DRAW_SPIKE, sample >> 2, i, block);
    return (uint16_t)(block[sample >> 1 & 1u] >> (16u * (sample & 1u)) & 0xffffu);
}

static void lose(tern_state *st, uint32_t k, uint32_t l_f12, unsigned step_flags)
{
    st->loss_f12[k] += l_f12;
    if ((step_flags & TERN_STEP_LEARN) && st->net->rule != TERN_RULE_REWARD) ++st->comm.unicast;
}

static void fire(tern_state *st, uint32_t i, const uint32_t *targets, unsigned step_flags)
{
    const tern_net *n = st->net;
    const bool visible = i < n->n_visible, clamp = visible && (step_flags & TERN_STEP_CLAMP) != 0;
    uint32_t block[2] = { 0, 0 };
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        bool limited;
        const tern_neuron_in in = { .u_f8 = tern_potential_round(st->acc_f20[k], &limited),
                                    .draw = (uint16_t)(clamp ? 0u : draw(st, i, k, block)),
                                    .clamp = clamp,
                                    .target = clamp && bit_of(targets, n->neurons[i].pos) };
        const tern_neuron_out out = tern_neuron_step(in, n->sig_f16, n->softplus_f12);
        if (limited) ++st->sat.potential;
        if (visible) lose(st, k, out.l_f12, step_flags);
        fired(st, i, k, out.spike, out.e_f15, step_flags);
        put(st, TERN_REC_N, (limited ? 1u : 0u) | (out.spike ? 2u : 0u) | (clamp ? 4u : 0u), k, i, in.u_f8,
            (int32_t)out.p_f16, in.draw);
    }
}

/* A member of a WTA circuit leaves its potentials; the last one decides for all. */
static void fire_wta(tern_state *st, uint32_t i, const uint32_t *targets, unsigned step_flags)
{
    const tern_net *n = st->net;
    const tern_neuron *neuron = &n->neurons[i];
    const uint32_t size = neuron->wta_size, first = i - neuron->wta_index;
    const bool visible = i < n->n_visible, clamp = visible && (step_flags & TERN_STEP_CLAMP) != 0;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        bool limited;
        st->u_wta[k * TERN_MAX_WTA + neuron->wta_index] = tern_potential_round(st->acc_f20[k], &limited);
        st->limited_wta[k * TERN_MAX_WTA + neuron->wta_index] = limited;
        if (limited) ++st->sat.potential;
    }
    if (neuron->wta_index + 1u < size) return;
    uint32_t target = size, block[2] = { 0, 0 };
    for (uint32_t c = size; clamp && c-- > 0;)
        if (bit_of(targets, n->neurons[first + c].pos)) target = c;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int32_t *u = st->u_wta + k * TERN_MAX_WTA;
        const tern_wta_in in = { .u_f8 = u,
                                 .size = size,
                                 .draw = (uint16_t)(clamp ? 0u : draw(st, i, k, block)),
                                 .clamp = clamp,
                                 .target = target };
        uint32_t p_f16[TERN_MAX_WTA];
        int16_t e_f15[TERN_MAX_WTA];
        const tern_wta_out out = tern_wta_step(&in, n->exp_f16, n->log_f12, p_f16, e_f15);
        if (visible) lose(st, k, out.l_f12, step_flags);
        for (uint32_t c = 0; c < size; ++c) {
            const bool spike = c == out.winner, limited = st->limited_wta[k * TERN_MAX_WTA + c];
            fired(st, first + c, k, spike, e_f15[c], step_flags);
            put(st, TERN_REC_N, (limited ? 1u : 0u) | (spike ? 2u : 0u) | (clamp ? 4u : 0u), k, first + c, u[c],
                (int32_t)p_f16[c], in.draw);
        }
    }
}

/* Section 4: modulators of set 0 and learning signals. */
static void third_factor(tern_state *st)
{
    const tern_net *n = st->net;
    const uint32_t k_n = st->n_samples;
    if (n->rule == TERN_RULE_MB)
        for (uint32_t k = 0; k < k_n; ++k) {
            st->m_f14[k] = tern_signal_mean(k_n);
            st->w_f12[k] = tern_signal_share(st->v_f12[k], k_n);
        }
    if (n->rule != TERN_RULE_GEM && n->rule != TERN_RULE_IW) return;
    const uint32_t s_f16 = tern_signal_softmax(st->v_f12, k_n, n->exp_f16, st->m_f14);
    if (n->rule == TERN_RULE_GEM) return;
    const int32_t log_r = tern_signal_log_mean(st->v_f12, k_n, s_f16, n->log_f12, &st->sat.logprob);
    for (uint32_t k = 0; k < k_n; ++k) st->w_f12[k] = log_r;
}

static void central_processor(tern_state *st, unsigned step_flags)
{
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int32_t before = st->v_f12[k];
        st->v_f12[k] = tern_signal_logprob(before, st->net->gamma_f16, st->loss_f12[k], &st->sat.logprob);
        put(st, TERN_REC_V, 0, k, 0, before, st->v_f12[k], 0);
    }
    if ((step_flags & TERN_STEP_LEARN) == 0) return;
    third_factor(st);
    if (st->net->rule == TERN_RULE_REWARD) return;
    for (uint32_t k = 0; k < st->n_samples; ++k) put(st, TERN_REC_M, 0, k, 0, st->w_f12[k], st->m_f14[k], 0);
}

/* ---- a step ---------------------------------------------------------------- */

void tern_step(tern_state *st, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    const tern_net *n = st->net;
    shift_histories(st);
    memcpy(st->spikes_in, inputs, n->n_inputs_pos / 32u * sizeof *st->spikes_in);
    memset(st->spikes, 0, st->n_samples * (n->n_neurons_pos / 32u) * sizeof *st->spikes);
    memset(st->loss_f12, 0, st->n_samples * sizeof *st->loss_f12);
    pass p = { .st = st, .update = st->pending, .potential = true };
    for (p.neuron = 0; p.neuron < n->n_neurons; ++p.neuron) {
        pass_neuron(&p);
        (n->neurons[p.neuron].wta_size == 0 ? fire : fire_wta)(st, p.neuron, targets, flags);
    }
    central_processor(st, flags);
    st->pending = (flags & TERN_STEP_LEARN) != 0;
    st->lag_head = (st->lag_head + 1u) % n->lags_w;
    ++st->step;
}

void tern_reward(tern_state *st, const int32_t *reward_f12)
{
    if (st->net->rule != TERN_RULE_REWARD) return;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        st->w_f12[k] = tern_signal_share(reward_f12[k] == INT32_MIN ? -INT32_MAX : reward_f12[k], st->n_samples);
}

void tern_flush(tern_state *st)
{
    if (!st->pending) return;
    pass p = { .st = st, .update = true, .potential = false };
    for (p.neuron = 0; p.neuron < st->net->n_neurons; ++p.neuron) pass_neuron(&p);
    st->pending = false;
}
