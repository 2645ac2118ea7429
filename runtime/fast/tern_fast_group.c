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
    if (n->rule == TERN_RULE_IW && signal) w->out.comm.broadcast += 1;
    else if (PLANT(BROADCAST) || n->rule != TERN_RULE_MB || signal) w->out.comm.broadcast += w->f->st->n_samples;
}

/* Modulators of all delayed traces of a neuron. */
static const int16_t *modulators(tern_fast_worker *w, uint32_t neuron)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_state *st = f->st;
    const unsigned set = tern_fast_set(f, neuron);
    if (set == 0) return w->now.m[0];
    if (n->baseline != TERN_BASELINE_NEURON) {
        w->out.sat.modulator += PLANT(MODULATORS) ? 0 : w->now.modulators_limited;
        return w->now.m[1];
    }
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t m = tern_signal_modulator(st->w_f12[k], st->base_f12[neuron], n->m_shift, &w->out.sat.modulator);
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

/* N-11, N-12 and the baseline of neuron `at` of a group of n. */
static void prepare(tern_fast_worker *w, uint32_t neuron, uint32_t at, uint32_t n)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const unsigned set = tern_fast_set(f, neuron);
    count_sent(w, neuron);
    if (tern_fast_by_synapse(f, neuron)) {
        tern_fast_synapse_coefficients(w, neuron, at);
        return;
    }
    const int16_t *m = modulators(w, neuron), *errors = st->errors_f15 + (size_t)neuron * f->n_flat;
    int16_t *c = w->coef + (size_t)at * f->coef_stride;
    uint64_t *nonzero = w->nonzero[TERN_ROW_SAMPLE] + (size_t)at * f->mask_words[TERN_ROW_SAMPLE];
    const bool own = set == 1 && f->net->baseline == TERN_BASELINE_NEURON;
    /* m is 0 behind the last lag, so the errors of the next neurons do not count there. Those behind a group may be
     * another thread's, which writes them meanwhile, or there are none. */
    const bool beyond = (size_t)(n - at) * f->n_flat < f->coef_stride;
    const uint32_t whole = beyond ? f->n_flat / TERN_BLOCK * TERN_BLOCK : f->coef_stride;
    memset(nonzero, 0, f->mask_words[TERN_ROW_SAMPLE] * sizeof *nonzero);
    w->out.sat.coefficient +=
        f->lanes->coefficients(m, errors, w->now.ek, whole, f->net->learn[set].c_shift, c, nonzero);
    if (whole < f->n_flat) {
        int16_t e[TERN_BLOCK] = { 0 };
        uint64_t tail = 0;
        memcpy(e, errors + whole, (f->n_flat - whole) * sizeof *e);
        w->out.sat.coefficient += f->lanes->coefficients(m + whole, e, w->now.ek + whole, TERN_BLOCK,
                                                         f->net->learn[set].c_shift, c + whole, &tail);
        nonzero[whole >> 7] |= tail << (whole >> 1 & 63u);
    }
    const size_t shared = (size_t)at * f->shared_stride;
    w->nonzero[TERN_ROW_SHARED][at] =
        f->lanes->sums(c, own ? f->all_live : w->now.live[set], own ? st->n_samples : w->now.n_live[set],
                       f->net->lags_w, w->sum_c + shared, w->low + shared, w->high + shared);
    if (own) neuron_baseline(w, neuron);
}

/* ---- bias and self-memory, N-16 -------------------------------------------------------------- */

static int16_t update_local(tern_fast_worker *w, unsigned kind, uint32_t neuron, uint32_t at, int16_t old, int64_t dw,
                            uint32_t idx)
{
    const tern_learn *l = tern_net_learn(w->f->net, neuron);
    if (dw == 0) return old;
    const uint64_t before = w->out.sat.local;
    const uint32_t r = tern_weight_dither(idx, w->s_word[at], l->local_bits);
    const int16_t now = tern_weight_step(old, dw, r, l->local_bits, 16, &w->out.sat.local);
    tern_fast_put(w->f, kind, w->out.sat.local != before, 0, neuron, old, now, r);
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
    const int16_t *c = w->coef + (size_t)at * f->coef_stride, *x = f->self_ring + (size_t)neuron * f->n_flat;
    const uint64_t *nonzero = w->nonzero[TERN_ROW_SAMPLE] + (size_t)at * f->mask_words[TERN_ROW_SAMPLE];
    uint64_t all[TERN_FAST_PAIRS / 64];
    uint32_t n;
    f->lanes->unite(nonzero, 1, f->mask_words[TERN_ROW_SAMPLE], all, &n);
    if (n * 8u < f->pairs[TERN_ROW_SAMPLE]) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < f->mask_words[TERN_ROW_SAMPLE]; ++i)
            for (uint64_t left = nonzero[i]; left != 0; left &= left - 1u) {
                const size_t p = 128u * i + 2u * (uint32_t)__builtin_ctzll(left);
                sum += c[p] * x[p] + (PLANT(SELF) ? 0 : c[p + 1u] * x[p + 1u]);
            }
        return sum;
    }
    const bool narrow =
        w->now.ek_proved && f->widths.self_narrow[tern_fast_set(f, neuron)][f->net->neurons[neuron].self_filter];
    return f->lanes->dot(c, x, f->n_flat, narrow);
}

static void trace_self(tern_fast_worker *w, uint32_t neuron)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_neuron *u = &n->neurons[neuron];
    const uint16_t *table = f->table + (size_t)u->self_filter * f->n_bytes * 256u;
    const uint64_t *history = w->src.history[TERN_ROW_SAMPLE] + u->pos;
    for (uint32_t k = 0; k < f->st->n_samples; ++k, history += n->n_neurons_pos) {
        uint64_t h = *history;
        uint32_t x = table[h & 255u];
        for (uint32_t b = 1; b < f->n_bytes; ++b) x += table[256u * b + ((h >>= 8) & 255u)];
        f->self_x[(size_t)neuron * f->st->n_samples + k] = (int16_t)x;
    }
}

void tern_fast_remember_self(tern_fast *f, uint32_t neuron)
{
    const uint32_t K = f->st->n_samples;
    int16_t *ring = f->self_ring + (size_t)neuron * f->n_flat + f->remember_slot;
    if (f->net->neurons[neuron].self_filter == TERN_NO_FILTER) return;
    for (uint32_t k = 0; k < K; ++k) ring[(size_t)k * f->net->lags_w] = f->self_x[(size_t)neuron * K + k];
}

static void local_parameters(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const uint32_t K = st->n_samples;
    const bool has_self = f->net->neurons[neuron].self_filter != TERN_NO_FILTER;
    if (f->remembers) tern_fast_remember_self(f, neuron);
    if (f->potential && has_self) trace_self(w, neuron);
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

/* Blocks of a row in which some unit has a history: first those that belong to it with all their positions. */
static void list_blocks(tern_fast_worker *w, tern_lanes_rows *r, const uint8_t *active)
{
    uint16_t edge[2];
    uint32_t n_edges = 0;
    r->n_live = 0;
    for (uint32_t b = 0; b < r->n_blocks; ++b) {
        if (!active[r->block0 + b]) continue;
        const bool whole = (b != 0 || r->from == 0) && (b + 1u < r->n_blocks || r->to == TERN_BLOCK);
        *(whole ? &w->blocks[r->n_live++] : &edge[n_edges++]) = (uint16_t)b;
    }
    r->n_whole = r->n_live;
    for (uint32_t i = 0; i < n_edges; ++i) w->blocks[r->n_live++] = edge[i];
    r->blocks = w->blocks;
}

static void update_rows(tern_fast_worker *w, tern_lanes_rows *rows, unsigned kind, uint32_t end)
{
    const tern_fast *f = w->f;
    const tern_lanes_item *last = w->items[kind] + w->n_items[kind];
    rows->n_items = 0;
    while (rows->items + rows->n_items < last && rows->items[rows->n_items].first < end) ++rows->n_items;
    f->lanes->update(rows);
    if (!PLANT(CHUNK)) rows->items += rows->n_items;
}

static void count_products(tern_fast_worker *w, const tern_lanes_rows *r, unsigned kind, uint32_t n, bool split)
{
    const tern_fast *f = w->f;
    const double positions = (double)r->n_live * TERN_BLOCK;
    if (f->update) w->products += positions * w->work[kind] * (split ? 2.0 : 1.0);
    if (f->potential) w->products += positions * n * r->n_samples;
    if (f->update && kind == TERN_ROW_SHARED && w->n_tiled != 0)
        w->spikes += (double)w->n_tiled * w->src.spikes.start[f->net->n_inputs_pos] / f->net->n_inputs_pos * positions;
}

/* Row r of every neuron of the group. */
static void narrow_row(tern_fast_worker *w, tern_fast_group g, uint32_t r, tern_fast_path path)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_row *row = &n->rows[n->neurons[g.first].row0 + r];
    const unsigned set = tern_fast_set(f, g.first), kind = row->kind;
    const bool shared = kind == TERN_ROW_SHARED, split = path == TERN_FAST_SPLIT;
    const uint32_t offset = row->first % TERN_BLOCK, K = f->st->n_samples,
                   n_blocks = (offset + row->count + TERN_BLOCK - 1u) / TERN_BLOCK;
    for (uint32_t i = 0; i < g.n; ++i)
        w->weights[i] = f->st->weights + n->rows[n->neurons[g.first + i].row0 + r].weight - offset;
    tern_lanes_rows rows = {
        .weights = w->weights,
        .block0 = row->first / TERN_BLOCK,
        .n_blocks = n_blocks,
        .from = (int)offset,
        .to = (int)(offset + row->count - (n_blocks - 1u) * TERN_BLOCK),
        .dense = (f->dense[(n->neurons[g.first].row0 + r) >> 6] >> ((n->neurons[g.first].row0 + r) & 63u) & 1u) != 0,
        .items = w->items[kind],
        .reversed = w->reversed,
        .s_high = w->s_high,
        .dither_lanes = f->dither_lanes[set],
        .dither_bits = n->learn[set].dither_bits,
        .top = (int16_t)((1 << (n->weight_bits - 1)) - 1),
        .ring = w->src.ring[kind][row->filter],
        .n_pairs = f->pairs[kind],
        .coef = shared ? w->low : w->coef,
        .coef_high = split ? w->high : NULL,
        .coef_stride = shared ? f->shared_stride : f->coef_stride,
        .saturated = &w->saturated,
        .tiled = w->tiled,
        .n_tiled = w->n_tiled,
        .spikes = &w->src.spikes,
        .sum_c = w->sum_c,
        .slot = w->now.slot,
        .taps = n->filter_taps + (size_t)row->filter * n->taps_d,
        .taps_d = n->taps_d,
        .lags_w = n->lags_w,
        .x = w->src.x[kind][row->filter],
        .x_stride = (size_t)f->blocks[kind] * TERN_BLOCK,
        .n_samples = shared ? 1u : K,
        .sum_blocks = f->widths.sum_blocks[row->filter],
        .sum = shared ? w->sum_inputs : w->sum_neurons,
        .sum_stride = shared ? 1u : K
    };
    list_blocks(w, &rows, w->src.active[kind]);
    if (f->update) f->lanes->reversed(row->dither, n_blocks, n->learn[set].dither_bits, w->reversed);
    w->saturated = 0;
    const bool tiles = f->update && shared && w->n_tiled != 0;
    if (tiles) f->lanes->update_by_spikes(&rows);
    rows.by_block = (size_t)n_blocks * rows.n_pairs * TERN_RING_PAIR * sizeof(int16_t) > TERN_FAST_CACHE;
    const uint32_t chunk = rows.by_block || tiles ? g.n : CHUNK;
    for (uint32_t i = 0; i < g.n; i += chunk) {
        rows.first = i;
        rows.n = g.n - i < chunk ? g.n - i : chunk;
        if (f->update) update_rows(w, &rows, kind, i + rows.n);
        if (f->potential) f->lanes->potential(&rows);
    }
    w->out.sat.weight += w->saturated;
    count_products(w, &rows, kind, g.n, split);
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
    const bool wide = f->listened || tern_fast_by_synapse(f, g.first) || (f->update && !w->now.ek_proved);
    bool is_split = false;
    for (uint32_t r = 0; r < first->n_rows; ++r) {
        const uint64_t before = w->out.sat.weight;
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
        if (f->places.rows != NULL) f->places.rows[first->row0 + (PLANT(PLACE) ? 0 : r)] += w->out.sat.weight - before;
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

static void dither_words(tern_fast_worker *w, tern_fast_group g)
{
    const tern_fast *f = w->f;
    const unsigned shift = 32u - f->net->learn[tern_fast_set(f, g.first)].dither_bits;
    f->lanes->random(f->st->seed, f->st->step, TERN_DRAW_DITHER, 0, g.first, g.n, w->s_word, w->unused);
    for (uint32_t i = 0; i < g.n; ++i) w->s_high[i] = w->s_word[i] >> shift;
}

static void group_pass(tern_fast_worker *w, tern_fast_group g)
{
    tern_fast *f = w->f;
    const uint32_t K = f->st->n_samples;
    if (f->update) dither_words(w, g);
    for (uint32_t i = 0; i < g.n; ++i) {
        if (f->update) prepare(w, g.first + i, i, g.n);
        local_parameters(w, g.first + i, i);
    }
    if (f->potential) {
        memset(w->sum_inputs, 0, g.n * sizeof *w->sum_inputs);
        memset(w->sum_neurons, 0, (size_t)g.n * K * sizeof *w->sum_neurons);
    }
    if (f->update) tern_fast_plan(w, g.n);
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
    const tern_sat_counts before = w->out.sat;
    group_pass(w, g);
    if (w->f->places.neurons != NULL) count_places(&w->f->places.neurons[g.first], &before, &w->out.sat);
}
