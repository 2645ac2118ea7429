/* fast_lockstep.c : see fast_lockstep.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fast_lockstep.h"
#include "fast_compare.h"
#include "tern_fast_internal.h"
#include <string.h>

/* ---- networks at their limits ---------------------------------------------------------------- */

static void *copy_of(tern_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = tern_arena_get(arena, count, size);
    if (to != NULL && count != 0) memcpy(to, from, count * size);
    return to;
}

/* Shifts and dithers at the ends of what a network may have. */
static void extreme_learning(tern_testrand *r, tern_net *n)
{
    for (unsigned set = 0; set < 2; ++set) {
        tern_learn *l = &n->learn[set];
        const int lowest = n->weight_frac < 12 ? 13 - n->weight_frac : 1;
        l->dither_bits = (uint8_t)(tern_testrand_one_in(r, 2) ? tern_testrand_in(r, lowest, lowest + 3)
                                                              : tern_testrand_in(r, 27, 31));
        l->local_bits = (uint8_t)(l->dither_bits + n->weight_frac - 12);
        l->c_frac = (uint8_t)(l->dither_bits + n->weight_frac - n->trace_frac);
        l->c_shift = (uint8_t)tern_testrand_in(r, 15, 17);
    }
}

/* Largest traces, weights, coefficients: every sum comes near its bound. */
static bool make_extreme(tern_testrand *r, fast_pair *p)
{
    tern_net *n = &p->net;
    uint16_t *taps = copy_of(&p->arena, n->filter_taps, (size_t)n->n_filters * n->taps_d, sizeof *taps),
             *ek = copy_of(&p->arena, n->ek0, n->lags_w, sizeof *ek);
    int16_t *weights = copy_of(&p->arena, n->weights0, n->n_weights, sizeof *weights);
    if (taps == NULL || ek == NULL || weights == NULL) return false;
    if (tern_testrand_one_in(r, 2)) n->weight_bits = 16;
    if (tern_testrand_one_in(r, 2)) { /* finest traces: the largest ones */
        n->trace_frac = 8;
        for (unsigned set = 0; set < 2; ++set)
            n->learn[set].c_frac = (uint8_t)(n->learn[set].dither_bits + n->weight_frac - 8);
    }
    const int16_t top = (int16_t)((1 << (n->weight_bits - 1)) - 1);
    for (uint32_t i = 0; i < (uint32_t)n->n_filters * n->taps_d && !tern_testrand_one_in(r, 3); ++i)
        taps[i] = (uint16_t)((2u << n->trace_frac) - 1u);
    const bool all = tern_testrand_one_in(r, 2), one_sign = tern_testrand_one_in(r, 2);
    for (uint32_t i = 0; i < n->n_weights; ++i)
        if (weights[i] != TERN_WEIGHT_ABSENT && (all || tern_testrand_one_in(r, 3)))
            weights[i] = one_sign || tern_testrand_one_in(r, 2) ? top : (int16_t)-top;
    const bool rates = tern_testrand_one_in(r, 2);
    for (uint32_t d = 0; d < n->lags_w && rates; ++d) ek[d] = tern_testrand_one_in(r, 5) ? 0 : 32767;
    if (tern_testrand_one_in(r, 2)) extreme_learning(r, n);
    n->filter_taps = taps;
    n->ek0 = ek;
    n->weights0 = weights;
    return true;
}

/* Real networks have rows without gaps. */
static bool make_dense(fast_pair *p)
{
    tern_net *n = &p->net;
    int16_t *weights = copy_of(&p->arena, n->weights0, n->n_weights, sizeof *weights);
    if (weights == NULL) return false;
    for (uint32_t i = 0; i < n->n_weights; ++i)
        if (weights[i] == TERN_WEIGHT_ABSENT) weights[i] = 1;
    n->weights0 = weights;
    return true;
}

/* The rows of the first neuron for all: neurons of one shape, as in real networks. */
static bool make_alike(fast_pair *p)
{
    tern_net *n = &p->net;
    const tern_neuron first = n->neurons[0];
    uint32_t words = 0;
    for (uint32_t r = 0; r < first.n_rows; ++r) words += n->rows[r].count;
    const uint32_t n_rows = first.n_rows * n->n_neurons, n_weights = words * n->n_neurons;
    tern_neuron *neurons = copy_of(&p->arena, n->neurons, n->n_neurons, sizeof *neurons);
    tern_row *rows = tern_arena_get(&p->arena, n_rows, sizeof *rows);
    int16_t *weights = tern_arena_get(&p->arena, n_weights, sizeof *weights);
    if (neurons == NULL || rows == NULL || weights == NULL) return false;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        neurons[i].row0 = i * first.n_rows;
        neurons[i].n_rows = first.n_rows;
        for (uint32_t r = 0; r < first.n_rows; ++r) {
            rows[i * first.n_rows + r] = n->rows[r];
            rows[i * first.n_rows + r].weight += i * words;
        }
        for (uint32_t w = 0; w < words; ++w)
            weights[i * words + w] = n->weights0[n->n_weights != 0 ? (i * 7u + w) % n->n_weights : 0];
    }
    n->neurons = neurons;
    n->rows = rows;
    n->n_rows = n_rows;
    n->weights0 = weights;
    n->n_weights = n_weights;
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool make_state(fast_pair *p, tern_state *st)
{
    const size_t bytes = tern_state_bytes(&p->net, p->net.n_samples);
    void *mem = tern_arena_get(&p->arena, bytes, 1);
    if (mem == NULL ||
        tern_state_init(st, &p->net, mem, bytes, p->net.n_samples, p->seed * 0x9e3779b97f4a7c15u) != TERN_OK)
        return false;
    st->k0 = 4 * (uint32_t)(p->seed % 5 == 0 ? p->seed * 7919 % 4000 : p->seed % 5);
    st->step = (uint32_t)(p->seed * 977);
    return true;
}

/* ---- engines that share a network ------------------------------------------------------------ */

static bool exchange(void *ud, uint8_t *all, const size_t *offset)
{
    const struct fast_peer *me = ud;
    fast_peers *p = me->of;
    p->all[me->index] = all;
    pthread_barrier_wait(&p->met);
    for (uint32_t i = 0; i < p->n; ++i)
        if (i != me->index) memcpy(all + offset[i], p->all[i] + offset[i], offset[i + 1] - offset[i]);
    /* from a strange state, no step is reported that the golden model makes for all engines: they share the state, and
     * that may have as many bytes */
    if (me->index == 0 && p->stepping && all != p->first->state_message) ++p->steps;
    p->sent[me->index] += (offset[me->index + 1] - offset[me->index]) * (p->n - 1u);
    pthread_barrier_wait(&p->met);
    return true;
}

static bool open_engines(fast_pair *p, const char *isa, uint32_t threads)
{
    static const unsigned forms[4] = { 0, TERN_FAST_FORCE_KERNEL, TERN_FAST_FORCE_KERNEL | TERN_FAST_FORCE_BUNDLES,
                                       TERN_FAST_FORCE_ALONE };
    fast_peers *all = &p->peers;
    const uint32_t n = all->n;
    bool good = true;
    if (n > 1 &&
        (pthread_barrier_init(&all->met, NULL, n) != 0 || tern_threads_start(n, &all->threads, &p->arena) != TERN_OK))
        return false;
    for (uint32_t i = 0; i < n && good; ++i) {
        all->one[i] = (struct fast_peer){ all, i };
        const tern_fast_peers peers = { .index = i, .count = n, .ud = &all->one[i], .exchange = exchange };
        const tern_fast_options o = { .isa = isa, .threads = threads };
        good =
            make_state(p, &p->fast[i]) && tern_fast_open_places(&p->fast[i], &o, n > 1 ? &peers : NULL, &p->places.fast,
                                                                &p->arena, &p->engine[i], NULL) == TERN_OK;
        if (good)
            tern_fast_force(p->engine[i], forms[p->seed / 4 % 4] | (p->seed / 16 % 2 != 0 ? TERN_FAST_FORCE_OWN : 0));
    }
    return good;
}

/* What the formulas of docs/25-mpi.md need, from positions and division alone. */
static bool divide(fast_pair *p)
{
    const tern_net *n = &p->net;
    p->peers.first = p->engine[0];
    for (uint32_t i = 0; i < p->peers.n; ++i) {
        tern_fast_divided info;
        tern_fast_divided_of(p->engine[i], &info);
        p->peers.speakers += info.first < info.end && info.first < n->n_visible;
        for (uint32_t w = 0; w < n->n_neurons_pos / 32; ++w) {
            bool own = false;
            for (uint32_t j = info.first; j < info.end; ++j) own = own || n->neurons[j].pos / 32 == w;
            p->peers.words += own;
        }
    }
    return true;
}

static void step_one(void *ud, uint32_t i)
{
    fast_pair *p = ud;
    tern_fast_step(p->engine[i], p->in, p->target, p->flags);
}
static void flush_one(void *ud, uint32_t i) { tern_fast_flush(((fast_pair *)ud)->engine[i]); }
static void share_one(void *ud, uint32_t i) { tern_fast_share(((fast_pair *)ud)->engine[i]); }

static void each(fast_pair *p, void (*work)(void *ud, uint32_t i))
{
    if (p->peers.threads != NULL) tern_threads_run(p->peers.threads, work, p);
    else work(p, 0);
}

bool fast_pair_open(fast_pair *p, uint64_t seed, const char *isa, uint32_t threads, uint32_t peers)
{
    memset(p, 0, sizeof *p);
    p->seed = seed;
    tern_testrand r = { seed * 0x94d049bb133111ebu + 9 };
    tern_arena_init(&p->arena, tern_alloc_default(), 0);
    if (tern_testnet_make_within(seed, (tern_rule_kind)(seed % 4),
                                 seed % 10 == 9 ? TERN_TESTNET_WIDE : TERN_TESTNET_ANY, &p->arena, &p->m) != TERN_OK)
        return false;
    p->net = p->m.net;
    if (tern_testrand_one_in(&r, 3) && !make_alike(p)) return false;
    if (tern_testrand_one_in(&r, 3) && !make_dense(p)) return false;
    p->flood = tern_testrand_one_in(&r, 4);
    if ((p->flood || tern_testrand_one_in(&r, 6)) && !make_extreme(&r, p)) return false;
    if (p->net.rule != TERN_RULE_GEM && tern_testrand_one_in(&r, 6)) p->net.baseline = TERN_BASELINE_SYNAPSE;
    if (tern_testrand_one_in(&r, 12)) p->net.n_samples = (uint16_t)tern_testrand_in(&r, 9, 32);
    const char *what = "";
    if (tern_net_check(&p->net, &what) != TERN_OK) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
        return false;
    }
    p->in = tern_arena_get(&p->arena, p->net.n_inputs_pos / 32, 4);
    p->target = tern_arena_get(&p->arena, p->net.n_neurons_pos / 32, 4);
    for (unsigned i = 0; i < 2; ++i) p->sink[i] = (tern_listener)TERN_LISTENER;
    const uint32_t most = tern_fast_most_peers(&p->net);
    p->peers.n = peers < most ? peers : most;
    return p->in != NULL && p->target != NULL && make_state(p, &p->golden) &&
           fast_places_open(&p->places, &p->net, seed, &p->arena) && open_engines(p, isa, threads) && divide(p);
}

void fast_pair_close(fast_pair *p)
{
    for (uint32_t i = 0; i < p->peers.n; ++i) tern_fast_close(p->engine[i]);
    if (p->peers.threads != NULL) {
        tern_threads_end(p->peers.threads);
        pthread_barrier_destroy(&p->peers.met);
    }
    tern_arena_free(&p->arena);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* What engines that share a network have after each step, though their parameters are their own. */
static bool compare_common(fast_difference *d, const tern_state *g, const tern_state *f)
{
    const size_t K = g->n_samples;
    return fast_same(d, "spikes", g->spikes, f->spikes, K * g->net->n_neurons_pos / 32, sizeof *g->spikes) &&
           fast_same(d, "loss_f12", g->loss_f12, f->loss_f12, K, sizeof *g->loss_f12) &&
           fast_same(d, "v_f12", g->v_f12, f->v_f12, K, sizeof *g->v_f12) &&
           fast_same(d, "m_f14", g->m_f14, f->m_f14, K, sizeof *g->m_f14) &&
           fast_same(d, "w_f12", g->w_f12, f->w_f12, K, sizeof *g->w_f12);
}

static bool compare(fast_pair *p, fast_totals *sum)
{
    fast_difference d = { .what = NULL };
    bool same = true;
    for (uint32_t i = 0; i < p->peers.n && same; ++i) same = fast_compare(&d, &p->golden, &p->fast[i]);
    same = same && fast_same(&d, "records", &p->sink[0].n, &p->sink[1].n, 1, sizeof p->sink[0].n) &&
           fast_same(&d, "digest", &p->sink[0].digest, &p->sink[1].digest, 1, sizeof p->sink[0].digest) &&
           fast_places_compare(&d, &p->places, p->peers.n == 1 ? &p->fast[0].sat : NULL);
    sum->words += d.words;
    p->what = d.what;
    p->index = d.index;
    return same;
}

/* Engines that share a network are asked for all of it in every third step only: they must not need it. Their counts
 * are complete after a flush. */
static bool compare_step(fast_pair *p, unsigned t, bool flushed, fast_totals *sum)
{
    fast_difference d = { .what = NULL };
    bool same = true;
    if (p->peers.n == 1) return compare(p, sum);
    for (uint32_t i = 0; i < p->peers.n && same; ++i) same = compare_common(&d, &p->golden, &p->fast[i]);
    sum->words += d.words;
    p->what = d.what;
    p->index = d.index;
    if (!same || t % 3 != 0) return same;
    each(p, share_one);
    for (uint32_t i = 0; i < p->peers.n && !flushed; ++i) {
        tern_state *f = &p->fast[i];
        const tern_sat_counts sat = f->sat;
        const tern_comm_counts comm = f->comm;
        f->sat = p->golden.sat, f->comm = p->golden.comm;
        same = same && fast_compare(&d, &p->golden, f);
        f->sat = sat, f->comm = comm;
    }
    p->what = d.what;
    p->index = d.index;
    return same && (!flushed || compare(p, sum));
}

/* What was sent: formulas against what the engines counted, and that against the bytes that went through exchange(). */
static bool compare_sent(fast_pair *p)
{
    fast_difference d = { .what = NULL };
    const uint64_t R = p->peers.n, K = p->net.n_samples;
    uint64_t bytes = 0;
    tern_fast_divided info;
    if (R == 1) return true;
    for (uint32_t i = 0; i < R; ++i) bytes += p->peers.sent[i];
    tern_fast_divided_of(p->engine[0], &info);
    const uint64_t each_one = p->peers.steps * (R - 1) * K, losses = each_one * p->peers.speakers,
                   spikes = each_one * p->peers.words,
                   in_all = 4 * (info.sent.losses + info.sent.spikes) + 8 * info.sent.counts + info.sent.state;
    const bool same = fast_same(&d, "sent.losses", &losses, &info.sent.losses, 1, sizeof losses) &&
                      fast_same(&d, "sent.spikes", &spikes, &info.sent.spikes, 1, sizeof spikes) &&
                      fast_same(&d, "sent", &bytes, &in_all, 1, sizeof bytes);
    p->what = d.what;
    return same;
}

/* ---- running --------------------------------------------------------------------------------- */

/* A learning rate of a schedule; at times one that is larger than any schedule's. */
static void new_rate(tern_testrand *r, fast_pair *p)
{
    const bool large = tern_testrand_one_in(r, 3);
    for (uint32_t d = 0; d < p->net.lags_w; ++d) {
        const uint32_t most = large ? 32767 : 2u * p->net.ek0[d] + 1u;
        p->golden.ek[d] = (uint16_t)tern_testrand_in(r, 0, most > 32767 ? 32767 : most);
        for (uint32_t i = 0; i < p->peers.n; ++i) p->fast[i].ek[d] = p->golden.ek[d];
    }
}

/* Histories without a gap, errors and modulators as large as they can be and of one sign: each sum of an update is
 * near its bound. */
static void largest_state(tern_testrand *r, fast_pair *p, bool modulators)
{
    const tern_net *n = &p->net;
    tern_state *st = &p->golden;
    const uint64_t full = ~(uint64_t)0 >> (64 - n->taps_d - n->lags_w);
    const int16_t e = tern_testrand_one_in(r, 2) ? INT16_MIN : INT16_MAX;
    const int32_t w = tern_testrand_one_in(r, 2) ? INT32_MAX : -INT32_MAX;
    for (uint32_t i = 0; i < n->n_inputs_pos; ++i) st->hist_in[i] = full;
    for (size_t i = 0; i < (size_t)st->n_samples * n->n_neurons_pos; ++i) st->hist_neuron[i] = full;
    for (size_t i = 0; i < (size_t)n->n_neurons * st->n_samples * n->lags_w; ++i) st->errors_f15[i] = e;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        st->m_f14[k] = (int16_t)(modulators ? INT16_MAX : k == 0 ? 1 << TERN_M_FRAC : 0);
        st->w_f12[k] = w;
    }
    for (uint32_t d = 0; d < n->lags_w && tern_testrand_one_in(r, 2); ++d) st->ek[d] = INT16_MAX;
}

/* All but what learning has made: engines that share a network do not have the others' parameters then. */
static void copy_signals(tern_state *to, const tern_state *from)
{
    const tern_net *n = from->net;
    const size_t K = from->n_samples;
    to->pending = from->pending;
    to->lag_head = from->lag_head;
    memcpy(to->ek, from->ek, n->lags_w * sizeof *to->ek);
    memcpy(to->hist_in, from->hist_in, n->n_inputs_pos * sizeof *to->hist_in);
    memcpy(to->hist_neuron, from->hist_neuron, K * n->n_neurons_pos * sizeof *to->hist_neuron);
    memcpy(to->errors_f15, from->errors_f15, n->n_neurons * K * n->lags_w * sizeof *to->errors_f15);
    memcpy(to->v_f12, from->v_f12, K * sizeof *to->v_f12);
    memcpy(to->m_f14, from->m_f14, K * sizeof *to->m_f14);
    memcpy(to->w_f12, from->w_f12, K * sizeof *to->w_f12);
}

/* Both continue from a state that no training leaves: whatever an image may hold. */
static void strange_state(tern_testrand *r, fast_pair *p)
{
    const tern_net *n = &p->net;
    tern_state *st = &p->golden;
    p->places.strange = true;
    st->pending = true;
    st->lag_head = (uint32_t)tern_testrand_in(r, 0, n->lags_w - 1);
    const bool modulators = tern_testrand_one_in(r, 2) && n->rule != TERN_RULE_GEM;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        if (modulators) st->m_f14[k] = (int16_t)tern_testrand_in(r, INT16_MIN, INT16_MAX);
        st->w_f12[k] = (int32_t)tern_testrand_in(r, -INT32_MAX, INT32_MAX) >> tern_testrand_in(r, 0, 20);
        st->v_f12[k] = (int32_t)tern_testrand_in(r, -INT32_MAX, INT32_MAX) >> tern_testrand_in(r, 0, 20);
    }
    for (size_t i = 0; i < (size_t)n->n_neurons * st->n_samples * n->lags_w; ++i)
        st->errors_f15[i] = (int16_t)tern_testrand_in(r, INT16_MIN, INT16_MAX);
    if (tern_testrand_one_in(r, 2)) largest_state(r, p, modulators);
    for (uint32_t i = 0; i < p->peers.n; ++i) {
        if (p->peers.n > 1) copy_signals(&p->fast[i], st);
        else tern_state_copy(&p->fast[i], st);
        tern_fast_changed(p->engine[i]);
    }
}

static void clear_both(fast_pair *p)
{
    tern_state_clear(&p->golden);
    for (uint32_t i = 0; i < p->peers.n; ++i) tern_state_clear(&p->fast[i]);
}

/* All inputs and targets spike, but for one step in twenty. */
static void flood(tern_testrand *r, fast_pair *p)
{
    if (tern_testrand_one_in(r, 20)) return;
    for (uint32_t i = 0; i < p->m.n_populations; ++i) {
        const tern_population *pop = &p->m.populations[i];
        uint32_t *words = pop->kind == TERN_POP_INPUT ? p->in : p->target;
        for (uint32_t u = pop->pos; u < pop->pos + pop->size; ++u) words[u / 32] |= 1u << (u % 32);
    }
}

static bool step(fast_pair *p, tern_testrand *r, const tern_netrun_step *now, unsigned t, fast_totals *sum)
{
    int32_t reward[TERN_MAX_SAMPLES];
    const bool listen = tern_testrand_one_in(r, 4) && p->peers.n == 1;
    p->places.next = listen ? &p->sink[0].base : NULL;
    p->golden.sink = &p->places.base;
    p->fast[0].sink = listen ? &p->sink[1].base : NULL;
    tern_testnet_frame(p->seed, t, &p->m, p->in, p->target);
    if (p->flood) flood(r, p);
    p->flags = now->flags;
    tern_step(&p->golden, p->in, p->target, now->flags);
    p->peers.stepping = true;
    each(p, step_one);
    p->peers.stepping = false;
    ++sum->steps;
    if (!compare_step(p, t, false, sum)) return false;
    if (now->reward) {
        tern_netrun_rewards(r, p->golden.n_samples, reward);
        tern_reward(&p->golden, reward);
        for (uint32_t i = 0; i < p->peers.n; ++i) tern_reward(&p->fast[i], reward);
    }
    if (!now->flush) return true;
    tern_flush(&p->golden);
    each(p, flush_one);
    ++sum->flushes;
    return compare_step(p, t, true, sum);
}

bool fast_pair_run(fast_pair *p, unsigned n_steps, fast_totals *sum)
{
    tern_testrand r = { p->seed * 31 + 5 };
    tern_fast_info info;
    bool ok = true;
    for (unsigned t = 0; t < n_steps && ok; ++t) {
        const tern_netrun_step now = tern_netrun_next(&r, &p->m);
        ok = step(p, &r, &now, t, sum);
        if (now.clear) clear_both(p);
        if (tern_testrand_one_in(&r, 9)) new_rate(&r, p);
        if (tern_testrand_one_in(&r, 15)) strange_state(&r, p);
    }
    if (ok) {
        tern_flush(&p->golden);
        each(p, flush_one);
        ok = compare_sent(p);
    }
    for (uint32_t i = 0; i < p->net.n_neurons && !p->places.strange; ++i) {
        const tern_sat_counts *c = &p->places.neurons[i];
        sum->placed += c->weight + c->local + c->potential;
    }
    tern_fast_describe(p->engine[0], &info);
    ++sum->networks;
    sum->records += p->sink[0].n;
    sum->quick += info.quick;
    sum->split += info.split;
    sum->wide += info.wide;
    return ok;
}
