/* tern_netrules.h : what the rules have in common in the golden model, on random networks (part of
 * test_tern_third_factor.c)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NETRULES_H
#define TERN_NETRULES_H
#include "tern/engine.h"
#include "tern_check.h"
#include "tern_testnet.h"

typedef struct rule_sink {
    tern_record_sink base;
    uint64_t digest;
    unsigned n_a, n_m;
    const tern_net *net;
    bool wta_ok;
    uint32_t last_k, last_index;
} rule_sink;

static void rule_put(tern_record_sink *self, const tern_record *r)
{
    rule_sink *s = (rule_sink *)self;
    s->digest = tern_digest_add(s->digest, r);
    if (r->kind == TERN_REC_A) ++s->n_a;
    if (r->kind == TERN_REC_M) ++s->n_m;
}

static uint64_t run_digest(tern_state *st, const tern_model *m, uint64_t seed, unsigned steps, rule_sink *sink,
                           uint32_t *in, uint32_t *target)
{
    *sink = (rule_sink){ .base = { rule_put }, .digest = TERN_DIGEST_INIT, .net = st->net };
    st->sink = &sink->base;
    for (unsigned t = 0; t < steps; ++t) {
        int32_t reward[TERN_MAX_SAMPLES];
        for (uint32_t k = 0; k < st->n_samples; ++k) reward[k] = (int32_t)(t * 997 + k * 131) % 8000 - 4000;
        tern_testnet_frame(seed, t, m, in, target);
        tern_step(st, in, target,
                  m->net.rule == TERN_RULE_REWARD ? TERN_STEP_LEARN : TERN_STEP_LEARN | TERN_STEP_CLAMP);
        tern_reward(st, reward);
    }
    tern_flush(st);
    st->sink = NULL;
    return sink->digest;
}

/* At most one member of a circuit spikes; errors of a circuit add up to (any spike) - (sum of p), whatever the rule. */
static bool circuits_hold(const tern_state *st)
{
    const tern_net *n = st->net;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        if (n->neurons[i].wta_size == 0 || n->neurons[i].wta_index != 0) continue;
        for (uint32_t k = 0; k < st->n_samples; ++k) {
            unsigned spikes = 0;
            for (uint32_t c = 0; c < n->neurons[i].wta_size; ++c) {
                const uint32_t pos = n->neurons[i + c].pos;
                spikes += st->spikes[(size_t)k * (n->n_neurons_pos / 32) + pos / 32] >> (pos % 32) & 1u;
            }
            if (spikes > 1) return false;
        }
    }
    return true;
}

/* Communication as the paper's table has it, counted by the engine; a circuit sends one cross-entropy. */
static void communication(const tern_state *st, unsigned steps)
{
    const tern_net *n = st->net;
    const uint64_t k = st->n_samples, hidden = n->n_neurons - n->n_visible, visible = n->n_visible;
    uint64_t senders = 0;
    for (uint32_t i = 0; i < n->n_visible; ++i) senders += n->neurons[i].wta_index + 1u >= n->neurons[i].wta_size;
    const uint64_t broadcast[] = { k * (visible + hidden), k * hidden, k * visible + hidden, k * (visible + hidden) };
    CHECK_EQ(st->comm.unicast, n->rule == TERN_RULE_REWARD ? 0 : steps * k * senders);
    CHECK_EQ(st->comm.broadcast, steps * broadcast[n->rule]);
}

static void rules(void)
{
    enum { STEPS = 12 };
    unsigned circuits = 0, baselines = 0;
    for (uint64_t seed = 1; seed <= 120; ++seed) {
        tern_model m;
        tern_arena arena;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        CHECK_EQ(tern_testnet_make(seed, &arena, &m), TERN_OK);
        const char *what = "";
        CHECK_EQ(tern_net_check(&m.net, &what), TERN_OK);
        for (unsigned by_synapse = 0; by_synapse < (m.net.rule == TERN_RULE_GEM ? 1u : 2u); ++by_synapse) {
            if (by_synapse) m.net.baseline = TERN_BASELINE_SYNAPSE;
            const uint32_t k = m.net.n_samples;
            const size_t bytes = tern_state_bytes(&m.net, k);
            void *mem = tern_arena_get(&arena, bytes, 1), *mem2 = tern_arena_get(&arena, bytes, 1);
            uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32, 4),
                     *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32, 4);
            tern_state st, other;
            rule_sink a, b;
            CHECK_EQ(tern_state_init(&st, &m.net, mem, bytes, k, seed), TERN_OK);
            const uint64_t digest = run_digest(&st, &m, seed, STEPS, &a, in, target);
            CHECK(circuits_hold(&st));
            communication(&st, STEPS);
            /* the same again; another seed of the draws gives other records */
            CHECK_EQ(tern_state_init(&other, &m.net, mem2, bytes, k, seed), TERN_OK);
            CHECK(run_digest(&other, &m, seed, STEPS, &b, in, target) == digest);
            CHECK_EQ(tern_state_init(&other, &m.net, mem2, bytes, k, seed + 1), TERN_OK);
            /* some neuron is not clamped */
            const bool draws = m.net.n_neurons > m.net.n_visible || m.net.rule == TERN_RULE_REWARD;
            CHECK((run_digest(&other, &m, seed, STEPS, &b, in, target) != digest) || !draws);
            const uint32_t learners = m.net.n_neurons - tern_net_signal_first(&m.net);
            CHECK_EQ(a.n_a, m.net.baseline == TERN_BASELINE_NEURON ? STEPS * learners : 0u);
            CHECK_EQ(a.n_m, m.net.rule == TERN_RULE_REWARD ? 0u : STEPS * k);
            baselines += m.net.baseline == TERN_BASELINE_NEURON;
            for (size_t i = 0; i < tern_net_baselines(&m.net); ++i)
                CHECK(st.base_weight[i] != 0 || st.base_f12[i] == 0);
        }
        for (uint32_t i = 0; i < m.net.n_neurons; ++i) circuits += m.net.neurons[i].wta_size != 0;
        tern_arena_free(&arena);
    }
    CHECK(circuits > 100 && baselines > 30);
}
#endif /* TERN_NETRULES_H */
