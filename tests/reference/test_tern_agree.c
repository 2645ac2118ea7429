/* test_tern_agree.c : the golden model stays close to the reference, step by step at first and on average after
 * learning
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include "tern/engine.h"
#include "tern/reference.h"
#include "tern_check.h"
#include "tiny_model.h"

enum { K = 4, STEPS = 20, PRESENTATIONS = 60, SEEDS = TERN_DRAWN(16, 4) };

/* Recording c: the pixels of its third fire more often; the target is neuron c. */
static void frame(uint64_t *s, unsigned c, uint32_t in[2], uint32_t target[2])
{
    in[0] = in[1] = 0;
    for (uint32_t j = 0; j < TINY_IN; ++j)
        if (tiny_random(s) % 100 < (j / 12 == c ? 50u : 8u)) in[j / 32] |= 1u << j % 32;
    target[0] = 1u << c;
    target[1] = 0;
}

typedef struct losses {
    double first, last;
} losses;

/* Learning formats as the compiler chooses them: ek[0] = eta 2^EF in [2^14, 2^15). */
static void fit_formats(tern_model *m)
{
    tern_net *n = &m->net;
    int ef = 0;
    while (ldexp(m->rule.eta, ef) < 16384) ++ef;
    for (int set = 0; set < 2; ++set) {
        const int shift = set == 0 ? 19 : 16, fc = set == 0 ? ef + 15 - shift : ef + 12 - n->m_shift + 1 - shift;
        n->learn[set] = (tern_learn){ (uint8_t)shift, (uint8_t)fc, (uint8_t)(fc + n->trace_frac - n->weight_frac),
                                      (uint8_t)(fc + n->trace_frac - 12) };
    }
}

/* What is run with each rule, and how far the means may be apart. */
typedef struct setting {
    tern_rule_kind rule;
    tern_baseline_kind baseline;
    double eta, first, last, learnt; /* relative tolerances; at most this share of the first loss is left */
} setting;

static bool run(const setting *set, uint64_t seed, losses *golden, losses *reference)
{
    static tern_model m;
    tern_arena arena;
    tern_reference *ref = NULL;
    tern_state st;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (!tiny_model_make(&m, &arena, seed, 0.5, 0.9, set->eta)) return false;
    tiny_model_rule(&m, set->rule, set->baseline, 7);
    fit_formats(&m);
    const size_t bytes = tern_state_bytes(&m.net, K);
    CHECK_EQ(tern_state_init(&st, &m.net, tern_arena_get(&arena, bytes, 1), bytes, K, seed), TERN_OK);
    CHECK_EQ(tern_reference_create(&m, K, seed, &arena, &ref, NULL), TERN_OK);
    CHECK_EQ(tern_ek_from_eta(&m.net, m.rule.eta, m.rule.kappa, st.ek), TERN_OK);
    uint64_t s = seed + 500;
    unsigned differ = 0, compared = 0;
    *golden = *reference = (losses){ 0, 0 };
    for (unsigned p = 0; p < PRESENTATIONS; ++p) {
        double g = 0, r = 0;
        for (unsigned t = 0; t < STEPS; ++t) {
            uint32_t in[2], target[2];
            frame(&s, p % 3, in, target);
            tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
            tern_reference_step(ref, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
            for (uint32_t k = 0; k < K; ++k) {
                g += st.loss_f12[k] / 4096.0 / K;
                r += ref->loss[k] / K;
                if (p != 0) continue;
                /* first step: nothing but tables and rounding differ, 3 neurons of at most 0.02 (|du| <= 0.5/256 + half
                 * a table cell) */
                if (t == 0) CHECK_NEAR(st.loss_f12[k] / 4096.0, ref->loss[k], 3 * 0.012);
                ++compared;
                differ += st.spikes[k * 2 + 1] != ref->spikes[k * 2 + 1];
            }
        }
        tern_flush(&st);
        tern_state_clear(&st);
        tern_reference_clear(ref);
        if (p == 0) *golden = (losses){ g, 0 }, *reference = (losses){ r, 0 };
        if (p >= PRESENTATIONS - 12) golden->last += g / 12, reference->last += r / 12;
    }
    CHECK_EQ(st.step, ref->step);
    CHECK(differ * 4 < compared); /* same draws: hidden spikes of a whole sample and step are mostly the same */
    tern_arena_free(&arena);
    return true;
}

int main(void)
{
    static const char *const name[] = { "GEM", "MB", "IW" };
    static const setting sets[] = { { TERN_RULE_GEM, TERN_BASELINE_NONE, 0.004, 0.01, 0.02, 0.3 },
                                    { TERN_RULE_MB, TERN_BASELINE_NEURON, 0.004, 0.01, 0.02, 0.4 },
                                    { TERN_RULE_IW, TERN_BASELINE_NEURON, 0.0005, 0.01, 0.02, 0.3 } };
    for (size_t n = 0; n < sizeof sets / sizeof *sets; ++n) {
        double g_first = 0, r_first = 0, g_last = 0, r_last = 0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            losses g = { 0, 0 }, r = { 0, 0 };
            CHECK(run(&sets[n], seed, &g, &r));
            g_first += g.first / SEEDS / STEPS;
            r_first += r.first / SEEDS / STEPS;
            g_last += g.last / SEEDS / STEPS;
            r_last += r.last / SEEDS / STEPS;
        }
        printf("%-3s log-loss per step, mean of %d seeds: first presentation %.4f golden, %.4f reference; last twelve "
               "%.4f and %.4f\n",
               name[sets[n].rule], SEEDS, g_first, r_first, g_last, r_last);
        CHECK_NEAR(g_first, r_first, sets[n].first * r_first);
        CHECK_NEAR(g_last, r_last, sets[n].last * r_last);
        CHECK(r_last < sets[n].learnt * r_first); /* both have learnt, so there was something to agree on */
    }
    return tern_check_report("agree");
}
