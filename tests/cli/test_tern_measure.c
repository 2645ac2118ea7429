/* test_tern_measure.c : what eval and validation measure of a recording, against the golden model stepped by hand
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_measure.h"
#include "../reference/tiny_model.h"
#include "tern_check.h"

enum { STEPS = 25, K = 22, WORDS_IN = TINY_IN_POS / 32, WORDS = TINY_NEURONS_POS / 32 };

static uint32_t inputs[STEPS * WORDS_IN], targets[STEPS * WORDS];

static void make_frames(tern_frames *f, uint64_t seed, int32_t label)
{
    uint64_t s = 2 * seed + 1;
    memset(targets, 0, sizeof targets);
    for (int t = 0; t < STEPS; ++t) {
        for (int w = 0; w < WORDS_IN; ++w)
            inputs[t * WORDS_IN + w] =
                (uint32_t)(tiny_random(&s) & tiny_random(&s) & (w == 0 ? UINT32_MAX : (1u << (TINY_IN - 32)) - 1u));
        targets[t * WORDS] = label >= 0 ? 1u << label : (uint32_t)tiny_random(&s) & 7u;
    }
    *f = (tern_frames){ .n_steps = STEPS,
                        .words_in = WORDS_IN,
                        .words_neuron = WORDS,
                        .inputs = inputs,
                        .targets = targets,
                        .label = label };
}

/* All K samples at once, with nothing of the command: log-probabilities, spikes, decisions as docs/21-numerics.md, N-27
 * and N-28, has them. */
typedef struct by_hand {
    double log_prob[K], distance;
    uint64_t hidden_clamped, hidden_free, visible_free;
    uint32_t decision[K], votes[TINY_VISIBLE], winner;
} by_hand;

static unsigned spike(const tern_state *st, uint32_t k, uint32_t neuron)
{
    const uint32_t pos = tiny_neuron_pos(neuron);
    return st->spikes[k * WORDS + pos / 32] >> pos % 32 & 1u;
}

static void step_by_hand(const tern_model *m, const tern_frames *f, uint64_t seed, uint32_t step, bool first_spike,
                         by_hand *out, tern_arena *arena)
{
    const size_t bytes = tern_state_bytes(&m->net, K);
    void *mem = tern_arena_get(arena, bytes, 1);
    tern_state st;
    unsigned count[K][TINY_VISIBLE] = { { 0 } }, first[K][TINY_VISIBLE], all[TINY_VISIBLE] = { 0 };
    double trace[K][TINY_VISIBLE] = { { 0 } };
    memset(out, 0, sizeof *out);
    memset(first, 0xff, sizeof first);
    for (int clamp = 1; clamp >= 0; --clamp) {
        CHECK_EQ(tern_state_init(&st, &m->net, mem, bytes, K, seed), TERN_OK);
        st.step = step + (clamp ? 0 : STEPS);
        for (unsigned t = 0; t < STEPS; ++t) {
            tern_step(&st, f->inputs + t * WORDS_IN, f->targets + t * WORDS, clamp ? TERN_STEP_CLAMP : 0);
            for (uint32_t k = 0; k < K; ++k) {
                for (uint32_t i = TINY_VISIBLE; i < TINY_NEURONS; ++i)
                    *(clamp ? &out->hidden_clamped : &out->hidden_free) += spike(&st, k, i);
                if (clamp) out->log_prob[k] -= st.loss_f12[k] / 4096.0;
                for (uint32_t c = 0; c < TINY_VISIBLE && !clamp; ++c) {
                    const unsigned s = spike(&st, k, c);
                    out->visible_free += s;
                    if (s && count[k][c]++ == 0) first[k][c] = t;
                    trace[k][c] = trace[k][c] * exp(-1 / m->rule.tau) + s - (f->targets[t * WORDS] >> c & 1u);
                    out->distance += trace[k][c] * trace[k][c] * (1 - exp(-2 / m->rule.tau)) / 2 / K;
                }
            }
        }
    }
    for (uint32_t k = 0; k < K; ++k) {
        uint32_t best = 0;
        for (uint32_t c = 0; c < TINY_VISIBLE; ++c) {
            const unsigned *n = count[k], *at = first[k];
            const bool more = n[c] > n[best], earlier = at[c] < at[best];
            if (first_spike ? earlier || (at[c] == at[best] && more) : more || (n[c] == n[best] && earlier)) best = c;
            all[c] += n[c];
        }
        ++out->votes[out->decision[k] = best];
    }
    for (uint32_t c = 1; c < TINY_VISIBLE; ++c)
        if (out->votes[c] > out->votes[out->winner] ||
            (out->votes[c] == out->votes[out->winner] && all[c] > all[out->winner]))
            out->winner = c;
}

static void compare(const tern_measured *r, const tern_measure *m, const by_hand *h)
{
    double mean = 0, mean_exp = 0;
    for (int k = 0; k < K; ++k) {
        mean += h->log_prob[k] / K;
        mean_exp += exp(h->log_prob[k]) / K;
    }
    CHECK_NEAR(r->ll, mean, 1e-9);
    CHECK_NEAR(r->ll_iw, log(mean_exp), 1e-9);
    CHECK(r->ll_iw > r->ll); /* Jensen */
    CHECK_EQ(r->hidden_clamped, h->hidden_clamped);
    CHECK_EQ(r->hidden_free, h->hidden_free);
    CHECK_EQ(r->visible_free, h->visible_free);
    CHECK_EQ(r->samples, K);
    CHECK_EQ(r->decision, h->winner);
    for (int k = 0; k < K; ++k) CHECK_EQ(r->decisions[k], h->decision[k]);
    for (int c = 0; c < TINY_VISIBLE; ++c) CHECK_EQ(m->vote.votes[c], h->votes[c]);
    if (m->has_distance) CHECK_NEAR(r->distance, h->distance, 1e-9 * h->distance);
    else CHECK(isnan(r->distance));
}

int main(void)
{
    static tern_model model;
    static tern_diags diags;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const bool first_spike = seed % 2 == 0, reward = seed % 3 == 0;
        if (!tiny_model_make(&model, &arena, seed, 0.5, 0.9, 0.01)) return 1;
        if (reward) tiny_model_rule(&model, TERN_RULE_REWARD, TERN_BASELINE_NEURON, 5);
        model.rule.tau = reward ? 0.5 * (double)seed : 1; /* no distance with another rule, whatever tau is */
        model.n_populations = 1;
        model.populations[0] = (tern_population){
            .name = "out", .kind = TERN_POP_VISIBLE, .n_dims = 1, .dims = { TINY_VISIBLE }, .size = TINY_VISIBLE
        };
        model.data.label_population = 0;
        const tern_measure_options o = { .n_samples = K,
                                         .batch = 4 * (1 + (uint32_t)seed % 8),
                                         .seed = seed + 5,
                                         .decode = first_spike ? TERN_DECODE_FIRST : TERN_DECODE_RATE };
        static tern_measure m;
        static tern_measured r;
        static by_hand h;
        CHECK_EQ(tern_measure_init(&m, &model, &o, &arena, &diags), TERN_OK);
        for (uint32_t n = 0; n < 3; ++n) { /* recordings one after the other, with step numbers that continue */
            tern_frames f;
            make_frames(&f, 100 * seed + n, n < 2 ? (int32_t)n : -1);
            tern_measure_recording(&m, &f, &r);
            step_by_hand(&model, &f, o.seed, 2 * n * STEPS, first_spike, &h, &arena);
            compare(&r, &m, &h);
            CHECK_EQ(r.scored, n < 2);
            if (n < 2) CHECK_EQ(r.visible_target, STEPS);
        }
        CHECK_EQ(m.step, 6 * STEPS);
    }
    tern_arena_free(&arena);
    return tern_check_report("measure");
}
