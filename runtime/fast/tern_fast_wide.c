/* tern_fast_wide.c : rows in 64 bits: networks whose numbers may be large, listeners of records, baselines per synapse
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/fixed.h"
#include "tern_baseline.h"
#include "tern_fast_internal.h"
#include "tern_history.h"
#include "tern_signal.h"
#include "tern_weight.h"

/* History of a unit as the pass sees it; a flush leaves histories unshifted. */
static uint64_t history(const tern_fast_worker *w, unsigned kind, uint32_t k, uint32_t pos)
{
    const tern_fast *f = w->f;
    const tern_state *st = f->st;
    const uint32_t positions = f->blocks[kind] * TERN_BLOCK;
    const uint64_t h = w->src.history[kind][(size_t)k * positions + pos];
    const uint32_t *spikes = kind == TERN_ROW_SHARED ? st->spikes_in : st->spikes + (size_t)k * f->blocks[kind];
    return f->potential
               ? h
               : tern_history_step(h, spikes[pos >> 5] >> (pos & 31u) & 1u, (unsigned)f->net->taps_d + f->net->lags_w);
}

/* ---- baselines per synapse, N-21 ------------------------------------------------------------- */

/* Delayed traces of one parameter's source. */
typedef struct source {
    const int16_t *self;
    const int16_t *ring;
    unsigned kind;
    uint32_t pos;
} source;

static int32_t delayed(const tern_fast *f, const source *s, uint32_t k, uint32_t slot)
{
    const uint32_t n = k * f->net->lags_w + slot;
    if (s->self != NULL) return s->self[n];
    if (s->ring == NULL) return 1 << f->net->trace_frac; /* a bias */
    return tern_fast_ring_at(f, s->kind, s->ring, s->pos, s->kind == TERN_ROW_SHARED ? slot : n);
}

void tern_fast_synapse_coefficients(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    const tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_state *st = f->st;
    const int16_t *e = st->errors_f15 + (size_t)neuron * f->n_flat;
    int16_t *c = w->coef + (size_t)at * f->coef_stride, *c_kap = w->coef_kap + (size_t)at * f->coef_stride;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (uint32_t d = 0; d < n->lags_w; ++d) {
            const uint32_t i = k * n->lags_w + (st->lag_head + n->lags_w - 1u - d) % n->lags_w;
            c[i] = (int16_t)tern_saturate(tern_round_shift((int32_t)st->ek[d] * e[i], n->learn[1].c_shift), 16,
                                          &w->out.sat.coefficient);
            c_kap[i] = (int16_t)tern_round_shift((int32_t)n->kap_f15[d] * e[i], 15);
        }
}

/* Weight change of one parameter of neuron `at` of the group; its baseline `base` takes part. */
static int64_t synapse_step(tern_fast_worker *w, uint32_t at, const source *s, size_t base)
{
    const tern_fast *f = w->f;
    const tern_net *n = f->net;
    tern_state *st = f->st;
    const int16_t *c = w->coef + (size_t)at * f->coef_stride, *c_kap = w->coef_kap + (size_t)at * f->coef_stride;
    const bool common = n->rule == TERN_RULE_IW;
    const tern_baseline old = { st->base_f12[base], st->base_weight[base] };
    int16_t g[TERN_MAX_SAMPLES];
    int64_t dw = 0, sum_h = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        int64_t G = 0, h = 0;
        for (uint32_t slot = 0; slot < n->lags_w; ++slot) {
            const int32_t x = delayed(f, s, k, slot);
            G += (int64_t)c[k * n->lags_w + slot] * x;
            h += (int64_t)c_kap[k * n->lags_w + slot] * x;
        }
        dw += G * tern_signal_modulator(st->w_f12[k], old.b_f12, n->m_shift, &w->out.sat.modulator);
        sum_h += h;
        g[k] = tern_baseline_error(h, 6u + n->trace_frac);
    }
    if (common && !PLANT(COMMON)) g[0] = tern_baseline_error(sum_h, 6u + n->trace_frac);
    const tern_baseline now = tern_baseline_step(old, g, st->w_f12, common ? 1u : st->n_samples, n->baseline_shift);
    st->base_f12[base] = now.b_f12;
    st->base_weight[base] = now.weight;
    return tern_round_shift(dw, TERN_M_FRAC);
}

int64_t tern_fast_synapse_bias(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    const source s = { NULL, NULL, 0, 0 };
    return synapse_step(w, at, &s, (size_t)w->f->net->n_weights + neuron);
}

static bool silent(const tern_fast_worker *w, unsigned kind, uint32_t pos)
{
    const tern_fast *f = w->f;
    uint64_t any = 0;
    for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k) any |= history(w, kind, k, pos);
    return any == 0;
}

int64_t tern_fast_synapse_self(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    const tern_fast *f = w->f;
    const source s = { f->self_ring + (size_t)neuron * f->n_flat, NULL, TERN_ROW_SAMPLE, f->net->neurons[neuron].pos };
    if (silent(w, TERN_ROW_SAMPLE, s.pos)) return 0;
    return synapse_step(w, at, &s, (size_t)f->net->n_weights + f->net->n_neurons + neuron);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void update_weight(tern_fast_worker *w, uint32_t neuron, uint32_t at, const tern_row *row, uint32_t i,
                          int64_t dw)
{
    tern_state *st = w->f->st;
    const tern_learn *l = tern_net_learn(w->f->net, neuron);
    if (dw == 0) return;
    const int16_t old = st->weights[row->weight + i];
    const uint64_t before = w->out.sat.weight;
    const uint32_t r = tern_weight_dither(row->dither + row->first % TERN_BLOCK + i, w->s_word[at], l->dither_bits);
    const int16_t now = tern_weight_step(old, dw, r, l->dither_bits, w->f->net->weight_bits, &w->out.sat.weight);
    tern_fast_put(w->f, TERN_REC_W, !PLANT(RECORD) && w->out.sat.weight != before, 0, row->weight + i, old, now, r);
    st->weights[row->weight + i] = now;
}

static void add_potential(tern_fast_worker *w, uint32_t at, const tern_row *row, uint32_t i)
{
    const tern_fast *f = w->f;
    const int64_t weight = f->st->weights[row->weight + i];
    const int16_t *x = w->src.x[row->kind][row->filter] + row->first + i;
    const uint32_t K = f->st->n_samples;
    if (row->kind == TERN_ROW_SHARED) {
        w->sum_inputs[at] += weight * x[0];
        return;
    }
    for (uint32_t k = 0; k < K; ++k)
        w->sum_neurons[(size_t)at * K + k] += weight * x[(size_t)k * f->blocks[TERN_ROW_SAMPLE] * TERN_BLOCK];
}

/* Synapse at place i of a row, whose dw without a baseline of its own is `dw`. */
static void wide_synapse(tern_fast_worker *w, uint32_t neuron, uint32_t at, const tern_row *row, uint32_t i, int64_t dw)
{
    tern_fast *f = w->f;
    const uint32_t pos = row->first + i;
    if (f->st->weights[row->weight + i] == TERN_WEIGHT_ABSENT) return;
    if (f->update && tern_fast_by_synapse(f, neuron)) {
        const source s = { NULL, w->src.ring[row->kind][row->filter], row->kind, pos };
        dw = silent(w, row->kind, pos) ? 0 : synapse_step(w, at, &s, row->weight + i);
    }
    if (f->update) update_weight(w, neuron, at, row, i, dw);
    if (f->potential) add_potential(w, at, row, i);
}

void tern_fast_wide_row(tern_fast_worker *w, uint32_t neuron, uint32_t at, const tern_row *row)
{
    tern_fast *f = w->f;
    const unsigned kind = row->kind;
    const uint32_t n = kind == TERN_ROW_SHARED ? f->net->lags_w : f->n_flat, end = row->first + row->count;
    const bool by_synapse = tern_fast_by_synapse(f, neuron), sums = f->update && !by_synapse;
    int64_t dw[TERN_BLOCK] = { 0 };
    for (uint32_t i = 0; sums && i < n; ++i)
        w->coef32[i] = kind == TERN_ROW_SHARED ? w->sum_c[(size_t)at * f->shared_stride + i]
                                               : w->coef[(size_t)at * f->coef_stride + i];
    if (n % 2u != 0) w->coef32[n] = 0;
    for (uint32_t block = row->first / TERN_BLOCK; block * TERN_BLOCK < end; ++block) {
        if ((PLANT(SILENT) || !by_synapse) && !w->src.active[kind][block])
            continue; /* a baseline of a synapse sees a history that began with the last step */
        if (sums)
            f->lanes->wide(w->src.ring[kind][row->filter] + (size_t)block * f->pairs[kind] * TERN_RING_PAIR,
                           f->pairs[kind], w->coef32, dw);
        for (uint32_t p = block * TERN_BLOCK; p < (block + 1u) * TERN_BLOCK; ++p)
            if (p >= row->first && p < end)
                wide_synapse(w, neuron, at, row, p - row->first, dw[f->lanes->unit[(p & 31u) >> 2] * 4u + (p & 3u)]);
    }
}
