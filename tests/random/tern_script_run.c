/* tern_script_run.c : first states, frames, rewards; a run through an engine's functions
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_script_draw.h"
#include "tern_script_gen.h"

/* ---- states at their limits: everything that an image may hold ---- */

static int32_t extreme(tern_draws *r, int32_t lo, int32_t hi)
{
    if (tern_draw_one_in(r, 4)) return tern_draw_one_in(r, 2) ? lo : hi;
    const int32_t low = tern_draw_one_in(r, 3) ? lo : lo / 256;
    return (int32_t)tern_draw_in(r, low, tern_draw_one_in(r, 3) ? hi : hi / 256);
}

static void wild_parameters(tern_draws *r, tern_state *st)
{
    const tern_net *n = st->net;
    const int32_t top = (1 << (n->weight_bits - 1)) - 1;
    const bool limit = tern_draw_one_in(r, 3); /* whole networks of limited weights, too */
    for (uint32_t i = 0; i < n->n_weights; ++i)
        if (st->weights[i] != TERN_WEIGHT_ABSENT && (limit || tern_draw_one_in(r, 4)))
            st->weights[i] = (int16_t)(limit ? (tern_draw_one_in(r, 2) ? top : -top) : extreme(r, -top, top));
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        if (tern_draw_one_in(r, 4)) st->bias_f12[i] = (int16_t)extreme(r, -32767, 32767);
        if (n->neurons[i].self_filter != TERN_NO_FILTER && tern_draw_one_in(r, 4))
            st->self_f12[i] = (int16_t)extreme(r, -32767, 32767);
    }
    for (uint32_t i = 0; i < tern_net_baselines(n); ++i) {
        st->base_f12[i] = extreme(r, -INT32_MAX, INT32_MAX);
        st->base_weight[i] =
            tern_draw_one_in(r, 3)
                ? 0
                : (uint32_t)tern_draw_in(r, 0, (int64_t)st->n_samples << 20); /* N-20: each step adds K 2^20 at most */
    }
    const uint32_t quarters = (uint32_t)tern_draw_in(r, 0, 8);
    for (uint32_t d = 0; d < n->lags_w; ++d)
        st->ek[d] = (uint16_t)((uint32_t)n->ek0[d] * quarters / 4u > 32767u ? 32767u : n->ek0[d] * quarters / 4u);
}

static void wild_histories(tern_draws *r, const tern_model *m, tern_state *st)
{
    const tern_net *n = st->net;
    const unsigned bits = (unsigned)n->taps_d + n->lags_w;
    const uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1u;
    const unsigned dense = (unsigned)tern_draw_in(r, 0, 3);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        for (uint32_t u = p->pos; u < p->pos + p->size; ++u)
            for (uint32_t k = 0; k < (p->kind == TERN_POP_INPUT ? 1u : st->n_samples); ++k) {
                uint64_t h = dense == 3 ? UINT64_MAX : tern_draw_next(r);
                if (dense == 0) h &= tern_draw_next(r) & tern_draw_next(r);
                const uint32_t spike = dense == 3 || tern_draw_one_in(r, 4 - dense);
                if (p->kind == TERN_POP_INPUT) {
                    st->hist_in[u] = h & mask;
                    st->spikes_in[u / 32] |= spike << u % 32;
                } else {
                    st->hist_neuron[(size_t)k * n->n_neurons_pos + u] = h & mask;
                    st->spikes[(size_t)k * (n->n_neurons_pos / 32u) + u / 32] |= spike << u % 32;
                }
            }
    }
}

static void wild_signals(tern_draws *r, tern_state *st)
{
    const tern_net *n = st->net;
    const uint32_t k_n = st->n_samples;
    st->pending = tern_draw_one_in(r, 2);
    st->lag_head = (uint32_t)tern_draw_in(r, 0, n->lags_w - 1);
    for (size_t i = 0; i < (size_t)n->n_neurons * k_n * n->lags_w; ++i)
        st->errors_f15[i] = (int16_t)extreme(r, -32767, 32767);
    int32_t left = 1 << 14; /* shares of 1, for the rules that have them */
    for (uint32_t k = 0; k < k_n; ++k) {
        const int32_t share = k + 1 == k_n || tern_draw_one_in(r, 8) ? left : (int32_t)tern_draw_in(r, 0, left);
        st->v_f12[k] = -(int32_t)tern_draw_in(r, 0, tern_draw_one_in(r, 4) ? INT32_MAX : 1 << 20);
        if (tern_draw_one_in(r, 8)) st->v_f12[k] = -INT32_MAX;
        if (n->rule != TERN_RULE_REWARD && st->pending) st->m_f14[k] = (int16_t)share;
        if (n->rule != TERN_RULE_GEM && (st->pending || n->rule == TERN_RULE_REWARD))
            st->w_f12[k] = k > 0 && n->rule == TERN_RULE_IW ? st->w_f12[0] : extreme(r, -INT32_MAX, INT32_MAX);
        left -= share;
    }
}

void tern_script_begin(const tern_script_run *run, const tern_model *m, tern_state *st)
{
    tern_draws r = { run->seed ^ 0x57a7e };
    st->step = run->step;
    st->k0 = run->k0;
    if (!run->wild) return;
    wild_parameters(&r, st);
    wild_histories(&r, m, st);
    wild_signals(&r, st);
}

/* ---- frames ---- */

static bool spikes(tern_draws *r, const tern_script_op *op, uint32_t unit, uint32_t size)
{
    switch (op->frame) {
    case TERN_SCRIPT_RARE: return tern_draw_one_in(r, 97);
    case TERN_SCRIPT_RANDOM: return tern_draw_one_in(r, 6);
    case TERN_SCRIPT_DENSE: return !tern_draw_one_in(r, 8);
    case TERN_SCRIPT_ALL: return true;
    case TERN_SCRIPT_BAR: return (unit + 64u - op->arg % 64u) % 64u < 1u + size / 8u; /* moves by a unit each step */
    default: return false;
    }
}

void tern_script_frame(const tern_script_run *run, const tern_script_op *op, const tern_model *m, uint32_t *inputs,
                       uint32_t *targets)
{
    tern_draws r = { run->seed + op->arg * 0x1000193ull + op->frame };
    memset(inputs, 0, m->net.n_inputs_pos / 8u);
    memset(targets, 0, m->net.n_neurons_pos / 8u);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        uint32_t *words = p->kind == TERN_POP_INPUT ? inputs : targets;
        const uint32_t label = (uint32_t)tern_draw_in(&r, 0, p->size - 1);
        const bool one_hot = p->kind == TERN_POP_VISIBLE && op->frame == TERN_SCRIPT_BAR; /* as a label is */
        for (uint32_t u = 0; p->kind != TERN_POP_HIDDEN && u < p->size; ++u)
            if (one_hot ? u == label : spikes(&r, op, u, p->size)) words[(p->pos + u) / 32] |= 1u << (p->pos + u) % 32;
    }
}

void tern_script_rewards(const tern_script_run *run, const tern_script_op *op, uint32_t n_samples, int32_t *reward_f12)
{
    tern_draws r = { run->seed * 3 + op->arg };
    const int64_t reach = tern_draw_one_in(&r, 8) ? INT32_MAX : 1 << 14;
    for (uint32_t k = 0; k < n_samples; ++k)
        reward_f12[k] = tern_draw_one_in(&r, 16) ? INT32_MIN : (int32_t)tern_draw_in(&r, -reach, reach);
}

void tern_script_rate(const tern_script_op *op, const tern_net *net, uint16_t *ek)
{
    for (uint32_t d = 0; d < net->lags_w; ++d) {
        const uint32_t now = (uint32_t)net->ek0[d] * op->arg / 4u;
        ek[d] = (uint16_t)(now > 32767u ? 32767u : now);
    }
}

/* ---- the run ---- */

typedef struct scratch {
    uint32_t *in, *target;
    uint16_t ek[TERN_MAX_HISTORY];
    int32_t reward[TERN_MAX_SAMPLES];
} scratch;

static tern_status make(const tern_script_run *run, const tern_script_op *op, const tern_model *m, uint32_t n_samples,
                        scratch *x, const tern_script_engine *e)
{
    switch (op->kind) {
    case TERN_SCRIPT_STEP:
        tern_script_frame(run, op, m, x->in, x->target);
        return e->step(e->ud, x->in, x->target, op->flags);
    case TERN_SCRIPT_REWARD:
        tern_script_rewards(run, op, n_samples, x->reward);
        return e->reward == NULL ? TERN_OK : e->reward(e->ud, x->reward);
    case TERN_SCRIPT_FLUSH: return e->flush == NULL ? TERN_OK : e->flush(e->ud);
    case TERN_SCRIPT_CLEAR: return e->clear == NULL ? TERN_OK : e->clear(e->ud);
    case TERN_SCRIPT_VOTE: return e->vote == NULL ? TERN_OK : e->vote(e->ud);
    case TERN_SCRIPT_EXAMPLE: return e->example == NULL ? TERN_OK : e->example(e->ud);
    case TERN_SCRIPT_RELOAD: return e->reload == NULL ? TERN_OK : e->reload(e->ud);
    default: break;
    }
    const tern_status s = e->flush == NULL ? TERN_OK : e->flush(e->ud);
    tern_script_rate(op, &m->net, x->ek);
    return s != TERN_OK || e->rate == NULL ? s : e->rate(e->ud, x->ek);
}

tern_status tern_script_play(const tern_script_run *run, const tern_model *m, uint32_t n_samples, tern_arena *arena,
                             const tern_script_engine *engine)
{
    scratch x = { .in = tern_arena_get(arena, m->net.n_inputs_pos / 32u, sizeof *x.in),
                  .target = tern_arena_get(arena, m->net.n_neurons_pos / 32u, sizeof *x.target) };
    if (x.in == NULL || x.target == NULL) return TERN_ERR_MEMORY;
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < run->n_ops && s == TERN_OK; ++i) s = make(run, &run->ops[i], m, n_samples, &x, engine);
    return s;
}
