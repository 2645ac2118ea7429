/* tern_fast_group.c : what a pass does with neurons of the same shape: coefficients, biases and self-memories, rows
 * (docs/24-fast-engine.md, section 5)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/fixed.h"
#include "tern_baseline.h"
#include "tern_fast_internal.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_weight.h"

enum { CHUNK = 8 }; /* neurons whose rows are updated and summed while a cache holds them */

/* ---- the third factor of a neuron ------------------------------------------------------------ */

static void count_sent(tern_fast_worker *w, uint32_t neuron)
{
    const tern_net *n = w->f->net;
    const bool signal = tern_fast_set(w->f, neuron) != 0;
    if (n->rule == TERN_RULE_IW && signal) w->comm.broadcast += 1;
    else if (PLANT(BROADCAST) || n->rule != TERN_RULE_MB || signal) w->comm.broadcast += w->f->st->n_samples;
}

/* Modulators of all delayed traces of a neuron. */
static const int16_t *modulators(tern_fast_worker *w, uint32_t neuron)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_state *st = f->st;
    const unsigned set = tern_fast_set(f, neuron);
    if (set == 0) return f->m[0];
    if (n->baseline != TERN_BASELINE_NEURON) {
        w->sat.modulator += PLANT(MODULATORS) ? 0 : f->modulators_limited;
        return f->m[1];
    }
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t m = tern_signal_modulator(st->w_f12[k], st->base_f12[neuron], n->m_shift, &w->sat.modulator);
        for (uint32_t s = 0; s < n->lags_w; ++s) w->m[k * n->lags_w + s] = m;
    }
    return w->m;
}

/* N-20. */
static void neuron_baseline(tern_fast_worker *w, uint32_t neuron)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const tern_net *n = f->net;
    const bool common = n->rule == TERN_RULE_IW;
    const int16_t *e = st->errors_f15 + (size_t)neuron * f->n_flat;
    int64_t sum[TERN_MAX_SAMPLES] = { 0 };
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (uint32_t d = 0; d < n->lags_w; ++d)
            sum[common ? 0 : k] +=
                (int32_t)n->kap_f15[d] * e[k * n->lags_w + (st->lag_head + n->lags_w - 1u - d) % n->lags_w];
    const uint32_t n_g = common ? 1u : st->n_samples;
    int16_t g[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < n_g; ++k) g[k] = tern_baseline_error(sum[k], PLANT(AVERAGE) ? 20 : 21);
    const tern_baseline old = { st->base_f12[neuron], st->base_weight[neuron] };
    const tern_baseline now = tern_baseline_step(old, g, st->w_f12, n_g, n->baseline_shift);
    tern_fast_put(f, TERN_REC_A, 0, 0, neuron, old.b_f12, now.b_f12, now.weight);
    st->base_f12[neuron] = now.b_f12;
    st->base_weight[neuron] = now.weight;
}

/* N-11, N-12 and the baseline of neuron `at` of the group. */
static void prepare(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const unsigned set = tern_fast_set(f, neuron);
    count_sent(w, neuron);
    if (tern_fast_by_synapse(f, neuron)) {
        tern_fast_synapse_coefficients(w, neuron, at);
        return;
    }
    const int16_t *m = modulators(w, neuron);
    int16_t *c = w->coef + (size_t)at * f->coef_stride, e[TERN_BLOCK];
    const int16_t *errors = st->errors_f15 + (size_t)neuron * f->n_flat;
    const uint32_t whole = f->n_flat / TERN_BLOCK * TERN_BLOCK, rest = f->n_flat - whole;
    if (whole != 0)
        w->sat.coefficient += f->lanes->coefficients(m, errors, f->ek, whole, f->net->learn[set].c_shift, c);
    if (rest != 0) {
        memset(e, 0, sizeof e);
        memcpy(e, errors + whole, rest * sizeof *e);
        w->sat.coefficient +=
            f->lanes->coefficients(m + whole, e, f->ek + whole, TERN_BLOCK, f->net->learn[set].c_shift, c + whole);
    }
    const size_t shared = (size_t)at * f->shared_stride;
    f->lanes->sums(c, st->n_samples, f->net->lags_w, w->sum_c + shared, w->low + shared, w->high + shared);
    if (set == 1 && f->net->baseline == TERN_BASELINE_NEURON) neuron_baseline(w, neuron);
}

/* ---- bias and self-memory, N-16 -------------------------------------------------------------- */

static int16_t update_local(tern_fast_worker *w, unsigned kind, uint32_t neuron, uint32_t at, int16_t old, int64_t dw,
                            uint32_t idx)
{
    const tern_learn *l = tern_net_learn(w->f->net, neuron);
    if (dw == 0) return old;
    const uint64_t before = w->sat.local;
    const uint32_t r = tern_weight_dither(idx, w->s_word[at], l->local_bits);
    const int16_t now = tern_weight_step(old, dw, r, l->local_bits, 16, &w->sat.local);
    tern_fast_put(w->f, kind, w->sat.local != before, 0, neuron, old, now, r);
    return now;
}

static int64_t bias_change(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    const tern_fast *f = w->f;
    if (tern_fast_by_synapse(f, neuron)) return tern_fast_synapse_bias(w, neuron, at);
    int32_t sum = 0; /* at most 32 samples and 63 lags of 16 bits */
    for (uint32_t s = 0; s < f->net->lags_w; ++s) sum += w->sum_c[(size_t)at * f->shared_stride + s];
    return (int64_t)sum * (1 << f->net->trace_frac);
}

static int64_t self_change(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    const tern_fast *f = w->f;
    if (tern_fast_by_synapse(f, neuron)) return tern_fast_synapse_self(w, neuron, at);
    const bool narrow =
        f->ek_proved && f->widths.self_narrow[tern_fast_set(f, neuron)][f->net->neurons[neuron].self_filter];
    return f->lanes->dot(w->coef + (size_t)at * f->coef_stride, f->self_ring + (size_t)neuron * f->n_flat, f->n_flat,
                         narrow);
}

static void local_parameters(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const uint32_t K = st->n_samples;
    const bool has_self = f->net->neurons[neuron].self_filter != TERN_NO_FILTER;
    if (f->update) {
        st->bias_f12[neuron] = update_local(w, TERN_REC_B, neuron, at, st->bias_f12[neuron], bias_change(w, neuron, at),
                                            PLANT(BIAS_DITHER) ? TERN_DITHER_SELF : TERN_DITHER_BIAS);
        if (has_self)
            st->self_f12[neuron] = update_local(w, TERN_REC_S, neuron, at, st->self_f12[neuron],
                                                self_change(w, neuron, at), TERN_DITHER_SELF);
    }
    for (uint32_t k = 0; f->potential && k < K; ++k)
        w->acc_f20[(size_t)at * K + k] =
            tern_potential_local(st->bias_f12[neuron], st->self_f12[neuron],
                                 has_self ? (uint16_t)f->self_x[(size_t)neuron * K + k] : 0u, f->net->trace_frac);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Row r of every neuron of the group. */
static void narrow_row(tern_fast_worker *w, tern_fast_group g, uint32_t r, tern_fast_path path)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_row *row = &n->rows[n->neurons[g.first].row0 + r];
    const unsigned set = tern_fast_set(f, g.first), kind = row->kind;
    const bool shared = kind == TERN_ROW_SHARED;
    const uint32_t offset = row->first % TERN_BLOCK, K = f->st->n_samples,
                   n_blocks = (offset + row->count + TERN_BLOCK - 1u) / TERN_BLOCK;
    for (uint32_t i = 0; i < g.n; ++i) {
        const tern_row *own = &n->rows[n->neurons[g.first + i].row0 + r];
        w->weights[i] = f->st->weights + own->weight - offset;
        w->dither[i] = own->dither;
    }
    const int16_t *coef = shared ? w->low : w->coef;
    const size_t stride = shared ? f->shared_stride : f->coef_stride;
    tern_lanes_rows rows = {
        .block0 = row->first / TERN_BLOCK,
        .n_blocks = n_blocks,
        .from = (int)offset,
        .to = (int)(offset + row->count - (n_blocks - 1u) * TERN_BLOCK),
        .active = f->active[kind],
        .dense = (f->dense[(n->neurons[g.first].row0 + r) >> 6] >> ((n->neurons[g.first].row0 + r) & 63u) & 1u) != 0,
        .dither_lanes = f->dither_lanes[set],
        .dither_bits = n->learn[set].dither_bits,
        .top = (int16_t)((1 << (n->weight_bits - 1)) - 1),
        .ring = f->ring[kind][row->filter],
        .n_pairs = f->pairs[kind],
        .coef_stride = stride,
        .saturated = &w->saturated,
        .x = f->x[kind][row->filter],
        .x_stride = (size_t)f->blocks[kind] * TERN_BLOCK,
        .n_samples = shared ? 1u : K,
        .spikes = &f->spikes,
        .slot = f->slot,
        .taps = n->filter_taps + (size_t)row->filter * n->taps_d,
        .taps_d = n->taps_d,
        .lags_w = n->lags_w,
        .sum_blocks = f->widths.sum_blocks[row->filter],
        .sum_stride = shared ? 1u : K
    };
    const bool by_spikes = shared && f->by_spikes;
    rows.by_block = !by_spikes && (size_t)n_blocks * rows.n_pairs * TERN_RING_PAIR * sizeof(int16_t) > TERN_FAST_CACHE;
    const uint32_t chunk = rows.by_block ? g.n : by_spikes ? 8 * CHUNK : CHUNK;
    w->saturated = 0;
    for (uint32_t i = 0; i < g.n; i += chunk) {
        rows.n = g.n - i < chunk ? g.n - i : chunk;
        rows.weights = w->weights + i;
        rows.dither = w->dither + i;
        rows.s_word = w->s_word + i;
        rows.coef = coef + (PLANT(CHUNK) ? 0 : i * stride);
        rows.coef_high = path == TERN_FAST_SPLIT ? w->high + i * stride : NULL;
        rows.sum = shared ? w->sum_inputs + i : w->sum_neurons + (size_t)i * K;
        rows.sum_c = w->sum_c + i * stride;
        if (f->update) (by_spikes ? f->lanes->update_by_spikes : f->lanes->update)(&rows);
        if (f->potential) f->lanes->potential(&rows);
    }
    w->sat.weight += w->saturated;
}

/* The low part of a sum in two parts: its last 8 bits. */
static void split_low(tern_fast_worker *w, tern_fast_group g, bool split)
{
    const size_t n = (size_t)g.n * w->f->shared_stride;
    for (size_t i = 0; i < n; ++i) w->low[i] = (int16_t)(split && !PLANT(LOW_PART) ? w->sum_c[i] & 255 : w->sum_c[i]);
}

static void group_rows(tern_fast_worker *w, tern_fast_group g)
{
    tern_fast *f = w->f;
    const tern_neuron *first = &f->net->neurons[g.first];
    const unsigned set = tern_fast_set(f, g.first);
    const bool wide = f->listened || tern_fast_by_synapse(f, g.first) || (f->update && !f->ek_proved);
    bool is_split = false;
    for (uint32_t r = 0; r < first->n_rows; ++r) {
        const uint64_t before = w->sat.weight;
        const tern_row *row = &f->net->rows[first->row0 + r];
        const tern_fast_path learns =
            f->update ? (tern_fast_path)f->widths.path[set][row->kind][row->filter] : TERN_FAST_QUICK;
        const tern_fast_path path = wide || f->widths.sum_blocks[row->filter] == 0 ? TERN_FAST_WIDE : learns;
        if (path == TERN_FAST_WIDE) {
            for (uint32_t i = 0; i < g.n; ++i)
                tern_fast_wide_row(w, g.first + i, i, &f->net->rows[f->net->neurons[g.first + i].row0 + r]);
        } else {
            if (f->update && row->kind == TERN_ROW_SHARED && is_split != (path == TERN_FAST_SPLIT))
                split_low(w, g, is_split = path == TERN_FAST_SPLIT);
            narrow_row(w, g, r, path);
        }
        if (f->places.rows != NULL) f->places.rows[first->row0 + (PLANT(PLACE) ? 0 : r)] += w->sat.weight - before;
    }
}

static void scale_sums(tern_fast_worker *w, tern_fast_group g)
{
    const tern_net *n = w->f->net;
    const uint32_t K = w->f->st->n_samples;
    for (uint32_t i = 0; i < g.n; ++i)
        for (uint32_t k = 0; k < K; ++k)
            w->acc_f20[(size_t)i * K + k] += tern_potential_scale(w->sum_neurons[(size_t)i * K + k] + w->sum_inputs[i],
                                                                  n->weight_frac, n->trace_frac);
}

static void group_pass(tern_fast_worker *w, tern_fast_group g)
{
    tern_fast *f = w->f;
    const uint32_t K = f->st->n_samples;
    if (f->update) f->lanes->random(f->st->seed, f->st->step, TERN_DRAW_DITHER, 0, g.first, g.n, w->s_word, w->unused);
    for (uint32_t i = 0; i < g.n; ++i) {
        if (f->update) prepare(w, g.first + i, i);
        local_parameters(w, g.first + i, i);
    }
    if (f->potential) {
        memset(w->sum_inputs, 0, g.n * sizeof *w->sum_inputs);
        memset(w->sum_neurons, 0, (size_t)g.n * K * sizeof *w->sum_neurons);
    }
    group_rows(w, g);
    if (!f->potential) return;
    scale_sums(w, g);
    tern_fast_fire(w, g);
}

/* What a pass over a group has limited, where it is asked for. No other thread has these neurons. */
static void count_places(tern_sat_counts *at, const tern_sat_counts *before, const tern_sat_counts *now)
{
    at->weight += now->weight - before->weight;
    at->local += now->local - before->local;
    at->potential += now->potential - before->potential;
    at->coefficient += now->coefficient - before->coefficient;
    at->modulator += now->modulator - before->modulator;
}

void tern_fast_group_pass(tern_fast_worker *w, tern_fast_group g)
{
    const tern_sat_counts before = w->sat;
    group_pass(w, g);
    if (w->f->places.neurons != NULL) count_places(&w->f->places.neurons[g.first], &before, &w->sat);
}
