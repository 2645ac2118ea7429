/* tern_golden.c : the golden model. One pass over the weights applies the update of the last step and computes the potentials of this one;
 * order and rounding are docs/21-numerics.md, section 8.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/engine.h"
#include "tern_history.h"
#include "tern_kernel.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_trace.h"
#include "tern_weight.h"

static void put(tern_state *st, unsigned kind, unsigned flags, uint32_t sample, uint32_t index, int32_t a, int32_t b, uint32_t draw)
{
    if (st->sink == NULL) return;
    const tern_record r = { .step = st->step, .kind = (uint8_t)kind, .flags = (uint8_t)flags, .sample = (uint16_t)sample,
                            .index = index, .a = a, .b = b, .draw = draw };
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
        shift_pool(st->hist_neuron + (size_t)k * n->n_neurons_pos, st->spikes + (size_t)k * (n->n_neurons_pos / 32u), n->n_neurons_pos, bits);
}

/* ---- the pass over the weights -------------------------------------------- */

typedef struct pass {
    tern_state *st;
    bool update;                       /* apply the pending update                                            */
    bool potential;                    /* compute potentials; a flush does not, and leaves histories unshifted */
    uint32_t neuron;
    uint32_t s_word;                   /* S_i of N-14 */
    int32_t  sum_c[TERN_MAX_HISTORY];  /* coefficients summed over samples */
} pass;

/* History of an input as this pass sees it: with the spikes of the last step in bit 0. */
static uint64_t history_in(const pass *p, uint32_t pos)
{
    const tern_state *st = p->st;
    const uint64_t h = st->hist_in[pos];
    return p->potential ? h : tern_history_step(h, bit_of(st->spikes_in, pos), (unsigned)st->net->taps_d + st->net->lags_w);
}

static uint64_t history_neuron(const pass *p, uint32_t k, uint32_t pos)
{
    const tern_state *st = p->st;
    const uint64_t h = st->hist_neuron[(size_t)k * st->net->n_neurons_pos + pos];
    return p->potential ? h
                        : tern_history_step(h, bit_of(st->spikes + (size_t)k * (st->net->n_neurons_pos / 32u), pos),
                                            (unsigned)st->net->taps_d + st->net->lags_w);
}

/* N-11, N-12 for the neuron at hand. */
static void coefficients(pass *p)
{
    tern_state *st = p->st;
    const tern_net *n = st->net;
    const unsigned w = n->lags_w;
    memset(p->sum_c, 0, sizeof p->sum_c);
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t *e = st->errors_f15 + ((size_t)p->neuron * st->n_samples + k) * w;
        for (unsigned d = 0; d < w; ++d) {
            const unsigned column = (st->lag_head + w - 1u - d) % w; /* lag_head is where the next step will write */
            const int16_t c = tern_kernel_coefficient(st->m_f14[k], e[column], st->ek[d], n->c_shift, &st->sat.coefficient);
            st->coef[k * w + d] = c;
            p->sum_c[d] += c;
        }
    }
}

/* N-16 */
static int16_t update_local(pass *p, unsigned kind, int16_t old, int64_t dw, uint32_t idx)
{
    tern_state *st = p->st;
    if (dw == 0) return old;
    const uint64_t sat_before = st->sat.local;
    const uint32_t r = tern_weight_dither(idx, p->s_word, st->net->local_bits);
    const int16_t now = tern_weight_step(old, dw, r, st->net->local_bits, 16, &st->sat.local);
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
    if (p->update) {
        int64_t d_bias = 0;
        for (unsigned d = 0; d < n->lags_w; ++d) d_bias += (int64_t)p->sum_c[d] * (1 << n->trace_frac);
        st->bias_f12[p->neuron] = update_local(p, TERN_REC_B, st->bias_f12[p->neuron], d_bias, TERN_DITHER_BIAS);
        if (has_self) {
            sample_kernels(p, taps);
            st->self_f12[p->neuron] = update_local(p, TERN_REC_S, st->self_f12[p->neuron], sample_change(p, neuron->pos), TERN_DITHER_SELF);
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
    const uint32_t r = tern_weight_dither(idx, p->s_word, st->net->dither_bits);
    const uint64_t sat_before = st->sat.weight;
    const int16_t now = tern_weight_step(old, dw, r, st->net->dither_bits, st->net->weight_bits, &st->sat.weight);
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
    if (p->update && !same_filter) tern_kernel_taps(p->sum_c, n->lags_w, taps, n->taps_d, st->kernel);
    for (uint32_t i = 0; i < row->count; ++i) {
        const uint64_t h = history_in(p, row->first + i);
        if (h == 0) continue; /* silent: neither learns nor contributes */
        int16_t w = st->weights[row->weight + i];
        if (w == TERN_WEIGHT_ABSENT) continue;
        if (p->update) w = update_weight(p, row, i, tern_weight_kernel_sum(h, st->kernel, n_kernel));
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
    if (p->update && !same_filter) sample_kernels(p, taps);
    for (uint32_t i = 0; i < row->count; ++i) {
        int16_t w = st->weights[row->weight + i];
        if (w == TERN_WEIGHT_ABSENT) continue;
        if (p->update) w = update_weight(p, row, i, sample_change(p, row->first + i));
        if (!p->potential) continue;
        for (uint32_t k = 0; k < st->n_samples; ++k)
            st->acc_f20[k] += tern_potential_scale((int64_t)w * tern_trace(history_neuron(p, k, row->first + i), 0, taps, n->taps_d), n->weight_frac, n->trace_frac);
    }
}

static void pass_neuron(pass *p)
{
    tern_state *st = p->st;
    const tern_neuron *neuron = &st->net->neurons[p->neuron];
    if (p->update) {
        uint32_t words[2];
        tern_random_block(st->seed, st->step, TERN_DRAW_DITHER, 0, p->neuron, words);
        p->s_word = words[0];
        coefficients(p);
    }
    local_parameters(p);
    for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
        const tern_row *row = &st->net->rows[r];
        const bool same_filter = r > neuron->row0 && row[-1].kind == row->kind && row[-1].filter == row->filter; /* its kernels are there already */
        if (row->kind == TERN_ROW_SHARED) shared_row(p, row, same_filter);
        else sample_row(p, row, same_filter);
    }
}

/* ---- neurons and the central processor ------------------------------------ */

typedef struct fired { int32_t u_f8; uint32_t p_f16, draw; uint8_t flags; } fired;

static void fire(tern_state *st, uint32_t i, const uint32_t *targets, unsigned step_flags)
{
    const tern_net *n = st->net;
    const uint32_t pos = n->neurons[i].pos, words = n->n_neurons_pos / 32u;
    const bool visible = i < n->n_visible, clamp = visible && (step_flags & TERN_STEP_CLAMP) != 0;
    uint32_t draws[2] = { 0, 0 };
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        bool limited;
        const uint32_t sample = st->k0 + k;
        if (!clamp && (k == 0 || (sample & 3u) == 0)) tern_random_block(st->seed, st->step, TERN_DRAW_SPIKE, sample >> 2, i, draws);
        const tern_neuron_in in = {
            .u_f8 = tern_potential_round(st->acc_f20[k], &limited),
            .draw = (uint16_t)(clamp ? 0u : draws[sample >> 1 & 1u] >> (16u * (sample & 1u)) & 0xffffu),
            .clamp = clamp,
            .target = clamp && bit_of(targets, pos) };
        const tern_neuron_out out = tern_neuron_step(in, n->sig_f16, n->softplus_f12);
        if (limited) ++st->sat.potential;
        if (out.spike) st->spikes[k * words + (pos >> 5)] |= 1u << (pos & 31u);
        if (visible) st->loss_f12[k] += out.l_f12;
        st->errors_f15[((size_t)i * st->n_samples + k) * n->lags_w + st->lag_head] = (int16_t)(step_flags & TERN_STEP_LEARN ? out.e_f15 : 0);
        put(st, TERN_REC_N, (limited ? 1u : 0u) | (out.spike ? 2u : 0u) | (clamp ? 4u : 0u), k, i, in.u_f8, (int32_t)out.p_f16, in.draw);
    }
}

static void central_processor(tern_state *st, unsigned step_flags)
{
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int32_t before = st->v_f12[k];
        st->v_f12[k] = tern_signal_logprob(before, st->net->gamma_f16, st->loss_f12[k], &st->sat.logprob);
        put(st, TERN_REC_V, 0, k, 0, before, st->v_f12[k], 0);
    }
    if ((step_flags & TERN_STEP_LEARN) == 0) return;
    tern_signal_gem(st->v_f12, st->n_samples, st->net->exp_f16, st->m_f14);
    for (uint32_t k = 0; k < st->n_samples; ++k) put(st, TERN_REC_M, 0, k, 0, 0, st->m_f14[k], 0);
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
        fire(st, p.neuron, targets, flags);
    }
    central_processor(st, flags);
    st->pending = (flags & TERN_STEP_LEARN) != 0;
    st->lag_head = (st->lag_head + 1u) % n->lags_w;
    ++st->step;
}

void tern_flush(tern_state *st)
{
    if (!st->pending) return;
    pass p = { .st = st, .update = true, .potential = false };
    for (p.neuron = 0; p.neuron < st->net->n_neurons; ++p.neuron) pass_neuron(&p);
    st->pending = false;
}
