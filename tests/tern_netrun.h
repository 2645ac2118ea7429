/* tern_netrun.h : one random network (tern_testnet.h) through golden model and core: learning, scoring and free steps,
 * rewards, flushes, clears, votes
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by cosim_random and mutant_run. Everything follows from the seed.
 */
#ifndef TERN_NETRUN_H
#define TERN_NETRUN_H
#include "tern_lockstep.h"
#include "tern_netsteps.h"

/* Networks, steps, flushes; what was compared. */
typedef struct tern_netrun_totals {
    uint64_t networks, steps, flushes, records, words, cycles, predicted, circuits, votes;
} tern_netrun_totals;

typedef struct tern_netrun {
    tern_arena arena;
    tern_model m;
    tern_plan plan;
    tern_state st;
    tern_diags diags;
    void *mem; /* of the state */
    size_t bytes;
    uint32_t *in, *target; /* frames of a step */
    uint64_t seed;
    bool quiet;         /* inputs of densities from 0 to 1, by network: see tern_netrun_hush() */
    uint64_t predicted; /* cycles of all steps */
    uint64_t budget;    /* 0, or: tern_netrun_steps() ends after the step with which it has taken so many cycles */
} tern_netrun;

/* Loud networks: every tap at its limit, inputs almost never silent. Seeds from LOUDEST on are all loud, with the
 * finest taps, whose sums need the highest bit of a trace; in half of them every weight is at one limit, too. */
enum { TERN_NETRUN_LOUDEST = 1000000 };
static inline bool tern_netrun_loud(uint64_t seed) { return seed % 8 == 5 || seed >= TERN_NETRUN_LOUDEST; }

/* All inputs spike but one in 16; of a loud network. */
static inline void tern_netrun_shout(tern_testrand *r, const tern_model *m, uint32_t *inputs)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        for (uint32_t u = p->pos; p->kind == TERN_POP_INPUT && u < p->pos + p->size; ++u)
            if (!tern_testrand_one_in(r, 16)) inputs[u / 32] |= 1u << (u % 32);
    }
}

/* Inputs of a quiet network: a density that the seed decides, from none to all; in every other network half of the
 * blocks of 16 units are silent, others by turns. */
static inline void tern_netrun_hush(uint64_t seed, uint32_t step, const tern_model *m, uint32_t *inputs)
{
    static const unsigned in_64[] = { 0, 1, 4, 16, 40, 64 };
    tern_testrand r = { seed * 131 + step * 0x1000193ull };
    const int64_t density = in_64[seed % (sizeof in_64 / sizeof in_64[0])];
    memset(inputs, 0, m->net.n_inputs_pos / 8);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        for (uint32_t u = p->pos; p->kind == TERN_POP_INPUT && u < p->pos + p->size; ++u) {
            const bool silent = seed % 2 == 0 && (u / 16 + step / 8) % 2 == 0;
            if (tern_testrand_in(&r, 0, 63) < density && !silent) inputs[u / 32] |= 1u << (u % 32);
        }
    }
}

/* Makes network, plan and state; false: out of memory or a broken network (a defect). Free with tern_netrun_free() in
 * any case. small: without circuits and votes, which the small core has not. */
static inline bool tern_netrun_make_within(tern_netrun *n, uint64_t seed, tern_rule_kind rule, tern_testnet_size size,
                                           uint32_t lanes, bool small)
{
    memset(n, 0, sizeof *n);
    n->seed = seed;
    tern_arena_init(&n->arena, tern_alloc_default(), 0);
    tern_diags_init(&n->diags);
    const char *what = "";
    if (tern_testnet_make_within(seed, rule, size, &n->arena, &n->m) != TERN_OK) return false;
    for (uint32_t i = 0; small && i < n->m.net.n_neurons; ++i)
        ((tern_neuron *)n->m.net.neurons)[i].wta_size = ((tern_neuron *)n->m.net.neurons)[i].wta_index = 0;
    for (uint32_t p = 0; small && p < n->m.n_populations; ++p) n->m.populations[p].wta = 0;
    if (seed >= TERN_NETRUN_LOUDEST) {
        const uint8_t finer = (uint8_t)(8 - n->m.net.trace_frac);
        n->m.net.trace_frac = 8;
        for (unsigned set = 0; set < 2; ++set) {
            n->m.net.learn[set].dither_bits = (uint8_t)(n->m.net.learn[set].dither_bits + finer);
            n->m.net.learn[set].local_bits = (uint8_t)(n->m.net.learn[set].local_bits + finer);
        }
    }
    /* every tap at its limit, together with inputs that are almost never silent: sums of taps come near theirs */
    if (tern_netrun_loud(seed))
        for (uint32_t t = 0; t < (uint32_t)n->m.net.n_filters * n->m.net.taps_d; ++t)
            ((uint16_t *)n->m.net.filter_taps)[t] = (uint16_t)((2u << n->m.net.trace_frac) - 1u);
    if (tern_net_check(&n->m.net, &what) != TERN_OK) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
        return false;
    }
    const tern_net *net = &n->m.net;
    const uint32_t k = net->n_samples;
    n->bytes = tern_state_bytes(net, k);
    n->mem = tern_arena_get(&n->arena, n->bytes, 1);
    n->in = tern_arena_get(&n->arena, net->n_inputs_pos / 32, 4);
    n->target = tern_arena_get(&n->arena, net->n_neurons_pos / 32, 4);
    if (n->mem == NULL || n->in == NULL || n->target == NULL ||
        tern_plan_make(net, lanes, k, &n->arena, &n->plan, &n->diags) != TERN_OK)
        return false;
    for (uint32_t p = 0; !small && p < n->m.n_populations; ++p) /* the last small visible population votes */
        if (n->m.populations[p].kind == TERN_POP_VISIBLE && n->m.populations[p].size <= 32 &&
            tern_plan_classes(&n->plan, n->m.populations[p].neuron0, n->m.populations[p].size,
                              (tern_vote_decode)(seed & 1u), &n->diags) != TERN_OK)
            return false;
    if (tern_state_init(&n->st, net, n->mem, n->bytes, k, seed * 0x9e3779b97f4a7c15u) != TERN_OK) return false;
    const int16_t top = (int16_t)((1 << (net->weight_bits - 1)) - 1);
    for (uint32_t i = 0; seed >= TERN_NETRUN_LOUDEST && seed % 2 == 1 && i < net->n_weights; ++i)
        if (n->st.weights[i] != TERN_WEIGHT_ABSENT) n->st.weights[i] = seed % 4 == 1 ? top : (int16_t)-top;
    n->st.k0 = 4 * (uint32_t)(seed % 5 == 0 ? seed * 7919 % 4096 : seed % 5);
    n->st.step = (uint32_t)(seed * 977);
    return true;
}

/* The same for any network; one in ten is wide. */
static inline bool tern_netrun_make(tern_netrun *n, uint64_t seed, tern_rule_kind rule, uint32_t lanes, bool small)
{
    return tern_netrun_make_within(n, seed, rule, seed % 10 == 9 ? TERN_TESTNET_WIDE : TERN_TESTNET_ANY, lanes, small);
}

static inline void tern_netrun_free(tern_netrun *n) { tern_arena_free(&n->arena); }

/* In half of the networks the counters of saturations begin at half or at the whole of their range, as a host may set
 * them: the highest bit is written, and the next saturation changes it. After tern_lockstep_open(). */
static inline void tern_netrun_counters(tern_netrun *n, const tern_dut *dut, tern_lockstep *ls)
{
    const uint32_t from = n->seed % 4 == 1 ? UINT32_MAX : UINT32_MAX / 2;
    if (n->seed % 2 == 0) return;
    for (uint32_t reg = TERN_REG_SAT_WEIGHT; reg <= TERN_REG_SAT_MODULATOR; ++reg)
        dut->write(tern_lockstep_core(ls), tern_host_address(TERN_RG_REG, reg, 32, 0), from);
    n->st.sat = (tern_sat_counts){ from, from, from, from, from, from };
}

/* Of a network whose steps are long, fewer of them show as much: but never fewer than this. */
enum { TERN_NETRUN_LEAST = 3 };

/* Steps until the first difference or until n->budget is spent; then every memory word. */
static inline tern_status tern_netrun_steps(tern_netrun *n, tern_lockstep *ls, uint64_t frames, tern_testrand *r,
                                            unsigned n_steps)
{
    tern_status s = TERN_OK;
    int32_t reward[TERN_MAX_SAMPLES];
    const uint64_t before = n->predicted;
    for (unsigned t = 0; t < n_steps && s == TERN_OK; ++t) {
        if (n->budget != 0 && t >= TERN_NETRUN_LEAST && n->predicted - before >= n->budget) break;
        tern_testnet_frame(frames, t, &n->m, n->in, n->target);
        if (tern_netrun_loud(n->seed)) tern_netrun_shout(r, &n->m, n->in);
        if (n->quiet) tern_netrun_hush(n->seed, t, &n->m, n->in);
        const tern_netrun_step now = tern_netrun_next(r, &n->m);
        s = tern_lockstep_step(ls, n->in, n->target, now.flags);
        n->predicted += tern_lockstep_get(ls)->last_predicted;
        if (s == TERN_OK && now.reward) {
            tern_netrun_rewards(r, n->st.n_samples, reward);
            tern_lockstep_reward(ls, reward);
        }
        if (s == TERN_OK && now.flush) s = tern_lockstep_flush(ls);
        if (s == TERN_OK && now.clear) s = tern_lockstep_clear(ls);
        if (s == TERN_OK && now.vote) s = tern_lockstep_vote(ls);
        if (s == TERN_OK && now.example) s = tern_lockstep_example(ls);
    }
    const tern_status mem = tern_lockstep_memories(ls);
    return s != TERN_OK ? s : mem;
}

static inline void tern_netrun_add(tern_netrun_totals *sum, const tern_netrun *n, const tern_lockstep *ls)
{
    const tern_lockstep_counts *c = tern_lockstep_get(ls);
    sum->steps += c->steps;
    sum->flushes += c->flushes;
    sum->records += c->records;
    sum->words += c->memory_words;
    sum->cycles += c->cycles;
    sum->predicted += n->predicted;
    sum->votes += tern_lockstep_votes(ls) != NULL;
    for (uint32_t i = 0; i < n->m.net.n_neurons; ++i)
        if (n->m.net.neurons[i].wta_size != 0 && n->m.net.neurons[i].wta_index == 0) ++sum->circuits;
}
#endif /* TERN_NETRUN_H */
