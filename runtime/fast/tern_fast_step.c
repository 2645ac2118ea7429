/* tern_fast_step.c : a step and a flush of the engine `fast`
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_fast_internal.h"
#include "tern_signal.h"

/* ---- histories and traces -------------------------------------------------------------------- */

/* The traces of a step that learned are what the next W updates need. A step that did not learn left errors of 0,
 * for which any trace will do. They are kept when the next step begins, by the thread that then makes new ones.
 * Blocks b0..b1-1 of sample k. */
static void remember(tern_fast *f, unsigned kind, uint32_t k, uint32_t b0, uint32_t b1)
{
    const tern_net *n = f->net;
    for (uint32_t filter = 0; filter < n->n_filters; ++filter)
        if (f->x[kind][filter] != NULL)
            f->lanes->remember(f->ring[kind][filter] + (size_t)b0 * f->pairs[kind] * TERN_RING_PAIR, f->pairs[kind],
                               k * n->lags_w + f->remember_slot,
                               f->x[kind][filter] + ((size_t)k * f->blocks[kind] + b0) * TERN_BLOCK, b1 - b0);
}

/* Some blocks of a sample of a pool take in the spikes of the last step; their traces of this step. */
static void begin_blocks(tern_fast *f, unsigned kind, uint32_t k, uint32_t b0, uint32_t b1)
{
    tern_state *st = f->st;
    const tern_net *n = f->net;
    const uint64_t mask = ~(uint64_t)0 >> (64u - n->taps_d - n->lags_w);
    const size_t block = (size_t)k * f->blocks[kind] + b0, first = block * TERN_BLOCK;
    const bool inputs = kind == TERN_ROW_SHARED;
    uint64_t *history = (inputs ? st->hist_in : st->hist_neuron) + first;
    uint8_t *active = f->active[kind] + b0;
    tern_lanes_filter filters[TERN_MAX_FILTERS];
    uint32_t n_filters = 0;
    if (f->remembers) remember(f, kind, k, b0, b1);
    if (k == 0 || PLANT(ACTIVE)) memset(active, 0, b1 - b0);
    f->lanes->shift(history, (inputs ? st->spikes_in : st->spikes) + block, b1 - b0, mask, active);
    for (uint32_t filter = 0; filter < n->n_filters; ++filter)
        if (f->x[kind][filter] != NULL)
            filters[n_filters++] =
                (tern_lanes_filter){ n->filter_taps + (size_t)filter * n->taps_d, f->x[kind][filter] + first };
    f->lanes->trace(history, b1 - b0, active, filters, n_filters, n->taps_d);
}

/* The share of thread i. */
static void begin_share(void *ud, uint32_t i)
{
    tern_fast *f = ud;
    const tern_fast_worker *w = &f->workers[i];
    for (unsigned kind = 0; kind < 2; ++kind)
        for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k)
            begin_blocks(f, kind, k, w->block0[kind], w->block1[kind]);
}

static void begin_step(tern_fast *f)
{
    if (f->pool != NULL) tern_threads_run(f->pool, begin_share, f);
    else
        for (uint32_t i = 0; i < f->info.threads; ++i) begin_share(f, i);
    f->remembers_self = f->remembers;
    f->remembers = false;
}

static void remember_now(tern_fast *f)
{
    if (f->remembers && !PLANT(REMEMBER)) {
        for (unsigned kind = 0; kind < 2; ++kind)
            for (uint32_t k = 0; k < tern_fast_pool_samples(f, kind); ++k) remember(f, kind, k, 0, f->blocks[kind]);
        for (uint32_t i = 0; i < f->net->n_neurons; ++i) tern_fast_remember_self(f, i);
    }
    f->remembers = f->remembers_self = false;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Lists of the spikes that the update sees, unless there are so many that the trace form is quicker (docs/24-fast-
 * engine.md, section 2): either makes the same sums. In a step histories
 * have taken in s(t), bit 0, and an update sees bits 1 .. D+W-1; in a flush they have not, and it sees bits 0 ..
 * D+W-2. */
static void list_spikes(tern_fast *f)
{
    const tern_net *n = f->net;
    const unsigned bits = (unsigned)n->taps_d + n->lags_w - 1u, skip = f->potential || PLANT(FLUSH) ? 1u : 0u;
    const uint64_t mask = ~(uint64_t)0 >> (64u - bits);
    const bool forced = (f->forced & TERN_FAST_FORCE_KERNEL) != 0;
    const double pairs = f->pairs[TERN_ROW_SHARED], most = forced        ? TERN_FAST_SPIKES
                                                           : pairs < 8.0 ? 0.0
                                                                         : 1.2 * (pairs - 6.0);
    const size_t limit = (size_t)((most < TERN_FAST_SPIKES ? most : TERN_FAST_SPIKES) * n->n_inputs_pos);
    size_t count = 0;
    f->by_spikes = false;
    if (limit == 0) return;
    for (uint32_t p = 0; p < n->n_inputs_pos; ++p) {
        f->spike_start[p] = (uint32_t)count;
        for (uint64_t h = f->st->hist_in[p] >> skip & mask; h != 0; h &= h - 1u)
            f->spike_q[count++] = (uint8_t)(__builtin_ctzll(h) + 1);
        if (count % 2u != 0) f->spike_q[count++] = 0;
        if (count > limit) return;
    }
    f->spike_start[n->n_inputs_pos] = (uint32_t)count;
    f->by_spikes = true;
    f->spike_pairs = forced ? 1u : 6u + (uint32_t)((double)count / (1.2 * n->n_inputs_pos));
}

/* ek and modulators in the order of the slots. */
static void prepare_pass(tern_fast *f)
{
    const tern_state *st = f->st;
    const tern_net *n = f->net;
    const uint32_t lags = n->lags_w;
    if (memcmp(f->ek_seen, st->ek, lags * sizeof *st->ek) != 0) {
        memcpy(f->ek_seen, st->ek, lags * sizeof *st->ek);
        f->ek_proved = PLANT(RATE) || tern_fast_ek_proved(&f->widths, st->ek, lags);
    }
    uint64_t limited = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t m1 = tern_signal_modulator(st->w_f12[k], 0, n->m_shift, &limited);
        for (uint32_t d = 0; d < lags; ++d) {
            const uint32_t i = k * lags + (st->lag_head + lags - 1u - (PLANT(LAG) ? lags - 1u - d : d)) % lags;
            f->ek[i] = (int16_t)st->ek[d];
            f->m[0][i] = st->m_f14[k];
            f->m[1][i] = m1;
        }
    }
    f->modulators_limited = limited;
    f->n_live[0] = f->n_live[1] = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned set = 0; set < 2; ++set)
            if (f->m[set][k * lags] != 0 && !(PLANT(LIVE) && k == 1)) f->live[set][f->n_live[set]++] = (uint8_t)k;
    for (uint32_t d = 0; d < lags; ++d) f->slot[d] = (uint8_t)((st->lag_head + lags - 1u - d) % lags);
    list_spikes(f);
}

/* Does a group begin in the midst of a circuit? Then it belongs to the one before it. */
static bool goes_on(const tern_fast *f, uint32_t group)
{
    return f->net->neurons[f->groups[group].first].wta_index != 0;
}

/* Group `at` of those of thread `whose`, and the rest of its last circuit, by thread w. */
static void work_group(tern_fast_worker *w, const tern_fast_worker *whose, uint32_t at)
{
    tern_fast *f = w->f;
    for (uint32_t g = at; g < whose->n_groups && (g == at || goes_on(f, whose->first_group + g)); ++g) {
        const tern_fast_group all = f->groups[whose->first_group + g];
        if (!f->listened) tern_fast_group_pass(w, all);
        else /* records come neuron by neuron */
            for (uint32_t j = 0; j < all.n; ++j) tern_fast_group_pass(w, (tern_fast_group){ all.first + j, 1 });
    }
}

/* A thread takes its own groups, whose weights its cache may hold, and then what others have not yet begun. */
static void work(void *ud, uint32_t i)
{
    tern_fast *f = ud;
    const uint32_t T = f->listened ? 1 : f->info.threads;
    for (uint32_t t = 0; t < T; ++t) {
        tern_fast_worker *whose = &f->workers[(i + t) % f->info.threads];
        for (uint32_t g; (g = __atomic_fetch_add(&whose->claimed, 1, __ATOMIC_RELAXED)) < whose->n_groups;)
            if (!goes_on(f, whose->first_group + g) || (PLANT(STEAL) && i != 0)) work_group(&f->workers[i], whose, g);
    }
}

/* Counts of the threads: to the state, or with peers to those that get them in the next flush. */
static void collect(tern_fast *f)
{
    tern_state *st = f->st;
    tern_sat_counts *sat = f->peers.count > 1 ? &f->own.sat : &st->sat;
    tern_comm_counts *comm = f->peers.count > 1 ? &f->own.comm : &st->comm;
    for (uint32_t i = 0; i < f->info.threads; ++i) {
        tern_fast_worker *w = &f->workers[i];
        sat->weight += w->sat.weight;
        sat->local += w->sat.local;
        sat->potential += w->sat.potential;
        sat->coefficient += w->sat.coefficient;
        sat->modulator += w->sat.modulator;
        comm->unicast += w->comm.unicast;
        comm->broadcast += w->comm.broadcast;
        for (uint32_t k = 0; k < st->n_samples && !(PLANT(COLLECT) && i != 0); ++k) st->loss_f12[k] += w->loss[k];
        memset(&w->sat, 0, sizeof w->sat);
        memset(&w->comm, 0, sizeof w->comm);
        memset(w->loss, 0, sizeof w->loss);
    }
}

static void pass(tern_fast *f, bool update, bool potential)
{
    f->update = update;
    f->potential = potential;
    f->listened = f->st->sink != NULL;
    if (update) prepare_pass(f);
    for (uint32_t i = 0; i < f->info.threads; ++i) f->workers[i].claimed = 0;
    if (f->pool != NULL && !f->listened) tern_threads_run(f->pool, work, f);
    else
        for (uint32_t i = 0; i < f->info.threads; ++i) work(f, i);
    collect(f);
}

/* ---- the central processor, section 4 -------------------------------------------------------- */

static void third_factor(tern_state *st)
{
    const tern_net *n = st->net;
    const uint32_t K = st->n_samples;
    if (n->rule == TERN_RULE_MB)
        for (uint32_t k = 0; k < K; ++k) {
            st->m_f14[k] = tern_signal_mean(K);
            st->w_f12[k] = tern_signal_share(st->v_f12[k], K);
        }
    if (n->rule != TERN_RULE_GEM && n->rule != TERN_RULE_IW) return;
    const uint32_t s_f16 = tern_signal_softmax(st->v_f12, K, n->exp_f16, st->m_f14);
    if (n->rule == TERN_RULE_GEM) return;
    const int32_t log_r = tern_signal_log_mean(st->v_f12, K, s_f16, n->log_f12, &st->sat.logprob);
    for (uint32_t k = 0; k < K; ++k) st->w_f12[k] = log_r;
}

static void central_processor(tern_fast *f)
{
    tern_state *st = f->st;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int32_t before = st->v_f12[k];
        st->v_f12[k] = tern_signal_logprob(before, f->net->gamma_f16, st->loss_f12[k], &st->sat.logprob);
        tern_fast_put(f, TERN_REC_V, 0, k, 0, before, st->v_f12[k], 0);
    }
    if ((f->flags & TERN_STEP_LEARN) == 0) return;
    third_factor(st);
    for (uint32_t k = 0; f->net->rule != TERN_RULE_REWARD && k < st->n_samples; ++k)
        tern_fast_put(f, TERN_REC_M, 0, k, 0, st->w_f12[k], st->m_f14[k], 0);
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* A state from elsewhere may hold what no step leaves behind: modulators of set 0 that no rule makes, or an ek of
 * 16 bits. The proofs do not know them, so the golden model makes the pass. */
static bool strange(const tern_state *st)
{
    int32_t sum = 0;
    if (PLANT(STRANGE)) return false;
    for (uint32_t d = 0; d < st->net->lags_w; ++d)
        if (st->ek[d] > INT16_MAX) return true;
    for (uint32_t k = 0; st->net->rule != TERN_RULE_REWARD && k < st->n_samples; ++k) {
        if (st->m_f14[k] < 0 || st->m_f14[k] > 1 << TERN_M_FRAC) return true;
        sum += st->m_f14[k];
    }
    return sum > (1 << TERN_M_FRAC) + (int32_t)(st->n_samples / 2u);
}

void tern_fast_step(tern_fast *f, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    tern_state *st = f->st;
    if (st->pending && strange(st)) {
        if (!PLANT(PEER_GOLDEN)) tern_fast_share(f); /* the golden model makes all neurons */
        tern_step(st, inputs, targets, flags);
        tern_fast_changed(f);
        return;
    }
    begin_step(f);
    memcpy(st->spikes_in, inputs, f->blocks[TERN_ROW_SHARED] * sizeof *st->spikes_in);
    memset(st->spikes, 0, (size_t)st->n_samples * f->blocks[TERN_ROW_SAMPLE] * sizeof *st->spikes);
    memset(st->loss_f12, 0, st->n_samples * sizeof *st->loss_f12);
    f->targets = targets;
    f->flags = flags;
    pass(f, st->pending, true);
    tern_fast_peers_step(f);
    central_processor(f);
    f->remembers = (flags & TERN_STEP_LEARN) != 0;
    f->remember_slot = st->lag_head;
    st->pending = (flags & TERN_STEP_LEARN) != 0;
    st->lag_head = (st->lag_head + 1u) % f->net->lags_w;
    ++st->step;
}

void tern_fast_flush(tern_fast *f)
{
    tern_state *st = f->st;
    remember_now(f);
    if (st->pending && strange(st)) {
        tern_fast_share(f);
        tern_flush(st);
    }
    /* blocks whose only spikes are those of the last step learn nothing from them: s(t) enters the trace of t+1 */
    if (st->pending) pass(f, true, false);
    st->pending = false;
    tern_fast_peers_flush(f);
}
