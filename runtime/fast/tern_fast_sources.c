/* tern_fast_sources.c : what a thread has of the units that are sources: histories, traces, spikes as lists
 * (docs/24-fast-engine.md, section 6)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every thread makes all of it for itself, in memory that nobody else writes. The histories of the first thread are
 * those of the state; all others have copies that take in the same spikes.
 */
#include <string.h>
#include "tern_fast_internal.h"
#include "tern_trace.h"

static bool is_first(const tern_fast_worker *w) { return w == w->f->workers; }

static size_t positions(const tern_fast *f, unsigned kind)
{
    return (size_t)tern_fast_pool_samples(f, kind) * f->blocks[kind] * TERN_BLOCK;
}

static uint64_t *history_of(const tern_state *st, unsigned kind)
{
    return kind == TERN_ROW_SHARED ? st->hist_in : st->hist_neuron;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Rings and traces for the filters that rows of a kind have. */
static bool get_rings(tern_fast *f, tern_fast_sources *s, tern_arena *arena)
{
    const tern_net *n = f->net;
    size_t *b = &f->info.bytes;
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const unsigned kind = n->rows[r].kind, filter = n->rows[r].filter;
        if (s->ring[kind][filter] != NULL) continue;
        s->ring[kind][filter] =
            tern_fast_aligned(arena, (size_t)f->blocks[kind] * f->pairs[kind] * TERN_RING_PAIR, sizeof(int16_t), b);
        s->x[kind][filter] = tern_fast_aligned(arena, positions(f, kind), sizeof(int16_t), b);
        if (s->ring[kind][filter] == NULL || s->x[kind][filter] == NULL) return false;
    }
    return true;
}

bool tern_fast_sources_get(tern_fast *f, tern_fast_worker *w, tern_arena *arena)
{
    const tern_net *n = f->net;
    tern_fast_sources *s = &w->src;
    size_t *b = &f->info.bytes;
    for (unsigned kind = 0; kind < 2; ++kind) {
        s->history[kind] =
            is_first(w) ? history_of(f->st, kind) : tern_fast_aligned(arena, positions(f, kind), sizeof(uint64_t), b);
        s->active[kind] = tern_fast_aligned(arena, f->blocks[kind], 1, b);
        if (s->history[kind] == NULL || s->active[kind] == NULL) return false;
    }
    s->spike_q = tern_fast_aligned(arena, (size_t)n->n_inputs_pos * TERN_FAST_SPIKES + TERN_MAX_HISTORY, 1, b);
    s->spike_start = tern_fast_aligned(arena, n->n_inputs_pos + 1u, sizeof *s->spike_start, b);
    if (s->spike_q == NULL || s->spike_start == NULL) return false;
    s->spikes = (tern_lanes_spikes){ s->spike_q, s->spike_start };
    return get_rings(f, s, arena);
}

/* ---- after changes from outside -------------------------------------------------------------- */

static bool all_zero(const void *values, size_t bytes)
{
    const unsigned char *p = values;
    return bytes == 0 || (p[0] == 0 && memcmp(p, p + 1, bytes - 1u) == 0);
}

/* What tern_state_clear() leaves behind, and almost never anything else. If there are no histories nothing is lost by
 * taking a silent network for a cleared one. */
bool tern_fast_was_cleared(const tern_fast *f)
{
    const tern_state *st = f->st;
    const size_t K = st->n_samples;
    return !st->pending && st->lag_head == 0 && all_zero(st->v_f12, K * sizeof *st->v_f12) &&
           all_zero(st->loss_f12, K * sizeof *st->loss_f12) &&
           all_zero(st->spikes, K * f->blocks[TERN_ROW_SAMPLE] * sizeof *st->spikes) &&
           all_zero(st->spikes_in, f->blocks[TERN_ROW_SHARED] * sizeof *st->spikes_in) &&
           all_zero(st->hist_neuron, positions(f, TERN_ROW_SAMPLE) * sizeof *st->hist_neuron) &&
           all_zero(st->hist_in, positions(f, TERN_ROW_SHARED) * sizeof *st->hist_in);
}

/* Delayed traces of the last W steps from the histories that the state holds: after step t bit q of a history is
 * s(t-1-q), so lag 0 of tern_trace() is x(t). */
static void remember_pool(tern_fast_worker *w, unsigned kind, unsigned filter)
{
    const tern_fast *f = w->f;
    const tern_net *n = f->net;
    const tern_state *st = f->st;
    const uint16_t *taps = n->filter_taps + (size_t)filter * n->taps_d;
    int16_t *x = w->src.x[kind][filter];
    const uint32_t count = f->blocks[kind] * TERN_BLOCK;
    for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k) {
        const uint64_t *history = w->src.history[kind] + (size_t)k * count;
        for (uint32_t d = 0; d < n->lags_w; ++d) {
            const uint32_t slot = (st->lag_head + n->lags_w - 1u - d) % n->lags_w;
            for (uint32_t p = 0; p < count; ++p) x[p] = (int16_t)tern_trace(history[p], d, taps, n->taps_d);
            f->lanes->remember(w->src.ring[kind][filter], f->pairs[kind], k * n->lags_w + slot, x, f->blocks[kind]);
        }
    }
}

static void remake(void *ud, uint32_t i)
{
    tern_fast *f = ud;
    tern_fast_worker *w = &f->workers[i];
    for (unsigned kind = 0; kind < 2; ++kind) {
        uint64_t *history = w->src.history[kind];
        if (!is_first(w) && !PLANT(COPY))
            memcpy(history, history_of(f->st, kind), positions(f, kind) * sizeof *history);
        memset(w->src.active[kind], 0, f->blocks[kind]);
        for (size_t p = 0; p < positions(f, kind); ++p)
            if (history[p] != 0) w->src.active[kind][p / TERN_BLOCK % f->blocks[kind]] = 1;
        for (unsigned filter = 0; filter < f->net->n_filters; ++filter)
            if (w->src.ring[kind][filter] != NULL) remember_pool(w, kind, filter);
    }
    memset(w->now.ek_seen, 0xff, sizeof w->now.ek_seen); /* no ek: looked at again in the next pass */
}

void tern_fast_changed(tern_fast *f)
{
    const tern_net *n = f->net;
    const tern_state *st = f->st;
    f->remembers = false;
    tern_fast_each(f, remake);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        for (uint32_t k = 0; k < st->n_samples && u->self_filter != TERN_NO_FILTER; ++k)
            for (uint32_t d = 0; d < n->lags_w; ++d)
                f->self_ring[((size_t)i * st->n_samples + k) * n->lags_w +
                             (st->lag_head + n->lags_w - 1u - d) % n->lags_w] =
                    (int16_t)tern_trace(st->hist_neuron[(size_t)k * n->n_neurons_pos + u->pos], d,
                                        n->filter_taps + (size_t)u->self_filter * n->taps_d, n->taps_d);
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* The traces of a step that learned are what the next W updates need. A step that did not learn left errors of 0,
 * for which any trace will do. They are kept when the next step begins, before new ones are made. Sample k. */
static void remember(const tern_fast_worker *w, unsigned kind, uint32_t k)
{
    const tern_fast *f = w->f;
    for (uint32_t filter = 0; filter < f->net->n_filters; ++filter)
        if (w->src.x[kind][filter] != NULL)
            f->lanes->remember(w->src.ring[kind][filter], f->pairs[kind], k * f->net->lags_w + f->remember_slot,
                               w->src.x[kind][filter] + (size_t)k * f->blocks[kind] * TERN_BLOCK, f->blocks[kind]);
}

/* A sample of a pool takes in the spikes of the last step; its traces of this step. */
static void begin_sample(tern_fast_worker *w, unsigned kind, uint32_t k)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const uint64_t mask = ~(uint64_t)0 >> (64u - n->taps_d - n->lags_w);
    const size_t block = (size_t)k * f->blocks[kind], first = block * TERN_BLOCK;
    uint64_t *history = w->src.history[kind] + first;
    uint8_t *active = w->src.active[kind];
    tern_lanes_filter filters[TERN_MAX_FILTERS];
    uint32_t n_filters = 0;
    if (f->remembers) remember(w, kind, k);
    if (k == 0 || PLANT(ACTIVE)) memset(active, 0, f->blocks[kind]);
    f->lanes->shift(history, (kind == TERN_ROW_SHARED ? f->st->spikes_in : f->st->spikes) + block, f->blocks[kind],
                    mask, active);
    for (uint32_t filter = 0; filter < n->n_filters; ++filter)
        if (w->src.x[kind][filter] != NULL)
            filters[n_filters++] =
                (tern_lanes_filter){ n->filter_taps + (size_t)filter * n->taps_d, w->src.x[kind][filter] + first };
    f->lanes->trace(history, f->blocks[kind], active, filters, n_filters, n->taps_d);
}

/* Spikes come from another processor's cache: all of them are on their way while the inputs are worked on. */
static void fetch_spikes(const tern_fast *f)
{
    const size_t words = (size_t)f->st->n_samples * f->blocks[TERN_ROW_SAMPLE];
    for (size_t i = 0; i < words; i += TERN_FAST_LINE / sizeof(uint32_t)) __builtin_prefetch(f->st->spikes + i);
}

void tern_fast_sources_begin(tern_fast_worker *w)
{
    const tern_fast *f = w->f;
    if (!is_first(w)) fetch_spikes(f);
    for (unsigned kind = 0; kind < 2; ++kind) {
        if (f->cleared && !is_first(w) && !PLANT(CLEARED))
            memset(w->src.history[kind], 0, positions(f, kind) * sizeof *w->src.history[kind]);
        for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k) begin_sample(w, kind, k);
    }
}

/* Thread i: its own rings, and the self-memories of its neurons. */
static void remember_share(void *ud, uint32_t i)
{
    tern_fast *f = ud;
    const tern_fast_worker *w = &f->workers[i];
    for (unsigned kind = 0; kind < 2; ++kind)
        for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k) remember(w, kind, k);
    for (uint32_t g = w->first_group; g < w->first_group + w->n_groups; ++g)
        for (uint32_t j = 0; j < f->groups[g].n; ++j) tern_fast_remember_self(f, f->groups[g].first + j);
}

void tern_fast_remember_now(tern_fast *f)
{
    if (f->remembers && !PLANT(REMEMBER)) tern_fast_each(f, remember_share);
    f->remembers = false;
}

/* Lists of the spikes that the update sees, unless there are so many that the trace form is quicker (docs/24-fast-
 * engine.md, section 2): either makes the same sums. In a step histories
 * have taken in s(t), bit 0, and an update sees bits 1 .. D+W-1; in a flush they have not, and it sees bits 0 ..
 * D+W-2. */
void tern_fast_list_spikes(tern_fast_worker *w)
{
    const tern_fast *f = w->f;
    const tern_net *n = f->net;
    tern_fast_sources *s = &w->src;
    const unsigned bits = (unsigned)n->taps_d + n->lags_w - 1u, skip = f->potential || PLANT(FLUSH) ? 1u : 0u;
    const uint64_t mask = ~(uint64_t)0 >> (64u - bits);
    const bool forced = (f->forced & TERN_FAST_FORCE_KERNEL) != 0;
    const double pairs = f->pairs[TERN_ROW_SHARED], most = forced        ? TERN_FAST_SPIKES
                                                           : pairs < 8.0 ? 0.0
                                                                         : 1.2 * (pairs - 6.0);
    const size_t limit = (size_t)((most < TERN_FAST_SPIKES ? most : TERN_FAST_SPIKES) * n->n_inputs_pos);
    size_t count = 0;
    s->by_spikes = false;
    if (limit == 0) return;
    for (uint32_t p = 0; p < n->n_inputs_pos; ++p) {
        s->spike_start[p] = (uint32_t)count;
        for (uint64_t h = s->history[TERN_ROW_SHARED][p] >> skip & mask; h != 0; h &= h - 1u)
            s->spike_q[count++] = (uint8_t)(__builtin_ctzll(h) + 1);
        if (count % 2u != 0) s->spike_q[count++] = 0;
        if (count > limit) return;
    }
    s->spike_start[n->n_inputs_pos] = (uint32_t)count;
    s->by_spikes = true;
    s->spike_pairs = forced ? 1u : 6u + (uint32_t)((double)count / (1.2 * n->n_inputs_pos));
}
