/* tern_fast_step.c : a step and a flush of the engine `fast`
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_fast_internal.h"
#include "tern_signal.h"

/* ---- the pass -------------------------------------------------------------------------------- */

/* ek and modulators in the order of the slots. */
static void prepare_pass(tern_fast_worker *w)
{
    const tern_fast *f = w->f;
    const tern_state *st = f->st;
    const tern_net *n = f->net;
    const uint32_t lags = n->lags_w;
    tern_fast_signals *now = &w->now;
    if (memcmp(now->ek_seen, st->ek, lags * sizeof *st->ek) != 0) {
        memcpy(now->ek_seen, st->ek, lags * sizeof *st->ek);
        now->ek_proved = PLANT(RATE) || tern_fast_ek_proved(&f->widths, st->ek, lags);
    }
    now->modulators_limited = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t m1 = tern_signal_modulator(st->w_f12[k], 0, n->m_shift, &now->modulators_limited);
        for (uint32_t d = 0; d < lags; ++d) {
            const uint32_t i = k * lags + (st->lag_head + lags - 1u - (PLANT(LAG) ? lags - 1u - d : d)) % lags;
            now->ek[i] = (int16_t)st->ek[d];
            now->m[0][i] = st->m_f14[k];
            now->m[1][i] = m1;
        }
    }
    now->n_live[0] = now->n_live[1] = 0;
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned set = 0; set < 2; ++set)
            if (now->m[set][k * lags] != 0 && !(PLANT(LIVE) && k == 1)) now->live[set][now->n_live[set]++] = (uint8_t)k;
    for (uint32_t d = 0; d < lags; ++d) now->slot[d] = (uint8_t)((st->lag_head + lags - 1u - d) % lags);
    tern_fast_list_spikes(w);
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

/* A group of thread `whose` that nobody has begun: for itself the first one, for another thread the last one, whose
 * weights it may have fetched in the last pass, too. */
static bool claim(tern_fast_worker *whose, uint32_t number, bool own, uint32_t *out)
{
    const uint64_t pass = number & 0xffffu;
    uint64_t seen = __atomic_load_n(&whose->claims, __ATOMIC_RELAXED), then;
    do {
        const bool fresh = seen >> 48 != pass;
        const uint64_t first = fresh ? 0 : seen >> 24 & 0xffffffu, end = fresh ? whose->n_groups : seen & 0xffffffu;
        if (first >= end) return false;
        *out = (uint32_t)(own ? first : end - 1u);
        then = pass << 48 | (own ? first + 1u : first) << 24 | (own ? end : end - 1u);
    } while (!__atomic_compare_exchange_n(&whose->claims, &seen, then, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

/* A thread takes its own groups, whose weights its cache may hold, and then what others have not yet begun. */
static void work(tern_fast *f, uint32_t i)
{
    const uint32_t T = f->listened || (f->forced & TERN_FAST_FORCE_OWN) != 0 ? 1 : f->info.threads;
    for (uint32_t t = 0; t < T; ++t) {
        tern_fast_worker *whose = &f->workers[(i + t) % f->info.threads];
        for (uint32_t g; claim(whose, f->number, t == 0, &g);)
            if (!goes_on(f, whose->first_group + g) || (PLANT(STEAL) && i != 0)) work_group(&f->workers[i], whose, g);
    }
}

/* All that thread i does in a pass. */
static void pass_share(void *ud, uint32_t i)
{
    tern_fast *f = ud;
    tern_fast_worker *w = &f->workers[i];
    uint32_t *spikes = w->out.spikes;
    w->out = (tern_fast_result){ .spikes = spikes };
    if (f->potential) {
        memset(spikes, 0, (size_t)f->st->n_samples * f->blocks[TERN_ROW_SAMPLE] * sizeof *spikes);
        tern_fast_sources_begin(w);
    }
    if (f->update) prepare_pass(w);
    work(f, i);
}

/* Counts of the threads: to the state, or with peers to those that get them in the next flush. */
static void collect(tern_fast *f)
{
    tern_state *st = f->st;
    tern_sat_counts *sat = f->peers.count > 1 ? &f->own.sat : &st->sat;
    tern_comm_counts *comm = f->peers.count > 1 ? &f->own.comm : &st->comm;
    for (uint32_t i = 0; i < f->info.threads; ++i) {
        const tern_fast_result *r = &f->workers[i].out;
        sat->weight += r->sat.weight;
        sat->local += r->sat.local;
        sat->potential += r->sat.potential;
        sat->coefficient += r->sat.coefficient;
        sat->modulator += r->sat.modulator;
        comm->unicast += r->comm.unicast;
        comm->broadcast += r->comm.broadcast;
    }
}

/* Losses and spikes of the threads. */
static void gather(tern_fast *f)
{
    tern_state *st = f->st;
    const size_t K = st->n_samples, words = K * f->blocks[TERN_ROW_SAMPLE];
    memset(st->loss_f12, 0, K * sizeof *st->loss_f12);
    memset(st->spikes, 0, words * sizeof *st->spikes);
    for (uint32_t i = 0; i < f->info.threads; ++i) {
        const tern_fast_result *r = &f->workers[i].out;
        for (size_t k = 0; k < K && !(PLANT(COLLECT) && i != 0); ++k) st->loss_f12[k] += r->loss[k];
        for (size_t j = 0; j < words && !(PLANT(GATHER) && i != 0); ++j) st->spikes[j] |= r->spikes[j];
    }
}

static void pass(tern_fast *f, bool update, bool potential)
{
    f->update = update;
    f->potential = potential;
    f->listened = f->st->sink != NULL;
    ++f->number;
    tern_fast_each(f, pass_share);
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
    f->cleared = f->info.threads > 1 && tern_fast_was_cleared(f);
    f->targets = targets;
    f->flags = flags;
    pass(f, st->pending, true);
    gather(f);
    memcpy(st->spikes_in, inputs, f->blocks[TERN_ROW_SHARED] * sizeof *st->spikes_in);
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
    tern_fast_remember_now(f);
    if (st->pending && strange(st)) {
        tern_fast_share(f);
        tern_flush(st);
    }
    /* blocks whose only spikes are those of the last step learn nothing from them: s(t) enters the trace of t+1 */
    if (st->pending) pass(f, true, false);
    st->pending = false;
    tern_fast_peers_flush(f);
}
