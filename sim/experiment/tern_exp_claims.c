/* tern_exp_claims.c : what the paper says about an experiment, beside what came out
 * SPDX-License-Identifier: Apache-2.0
 *
 * The paper prints two numbers (accuracies of 0.909 and 0.972 after 100 examples); its figures are compared by what the
 * text says about them: which of two is larger. Such a claim is a difference, seed by seed, between the most and the
 * fewest samples, or between two rules.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_exp_internal.h"

typedef struct list {
    tern_exp *e;
    tern_exp_claim *out;
    size_t n;
} list;

static tern_exp_claim *add(list *l, const char *paper, const char *measured)
{
    if (l->n == TERN_EXP_CLAIMS_MAX || measured == NULL) return NULL;
    tern_exp_claim *c = &l->out[l->n++];
    *c = (tern_exp_claim){ .paper = paper, .measured = measured };
    return c;
}

/* a - b should be positive; `sign` -1: b - a. */
static void difference(list *l, const char *paper, const char *measured, tern_exp_filter a, tern_exp_filter b,
                       tern_exp_metric m, int sign)
{
    tern_exp_claim *c = add(l, paper, measured);
    if (c == NULL) return;
    c->mean = sign > 0 ? tern_exp_mean_difference(l->e, a, b, m) : tern_exp_mean_difference(l->e, b, a, m);
    c->verdict = tern_exp_positive(&c->mean);
}

/* Numbers per step: broadcast load of the paper's table. */
static double broadcast_load(const tern_exp *e, uint32_t rule, uint32_t hidden, uint32_t samples)
{
    const double X = e->n_visible, H = hidden, K = samples;
    return rule == TERN_EXP_GEM ? K * (X + H) : rule == TERN_EXP_MB ? K * H : K * X + H;
}

static void communication(list *l, uint32_t rule, uint32_t hidden)
{
    static const char *const formula[TERN_EXP_RULE_KINDS] = { "broadcast load of GEM: K (|X| + |H|)",
                                                              "broadcast load of MB: K |H|",
                                                              "broadcast load of IW: K |X| + |H|" };
    const tern_exp_list *K = &l->e->set.samples;
    for (size_t i = 0; i < K->n; ++i) {
        tern_exp_claim *c =
            add(l, formula[rule],
                tern_exp_text(&l->e->arena, "numbers sent per step, |H| = %" PRIu32 ", K = %" PRIu32, hidden, K->v[i]));
        if (c == NULL) return;
        const double wanted = broadcast_load(l->e, rule, hidden, K->v[i]);
        snprintf(c->number, sizeof c->number, "%.0f", wanted);
        c->mean = tern_exp_mean_rows(l->e,
                                     (tern_exp_filter){ rule, hidden, K->v[i], TERN_EXP_ANY,
                                                        tern_exp_most(&l->e->set.presentations), TERN_EXP_ANY },
                                     TERN_EXP_BROADCAST);
        c->verdict = tern_exp_near(&c->mean, wanted, 0);
    }
}

static void spikes_in_proportion(list *l, uint32_t hidden, uint32_t last)
{
    tern_exp *e = l->e;
    const uint32_t few = tern_exp_least(&e->set.samples), many = tern_exp_most(&e->set.samples);
    tern_exp_claim *c = add(l, "hidden spikes during training grow in proportion to K",
                            tern_exp_text(&e->arena,
                                          "spikes with K = %" PRIu32 " divided by those with K = %" PRIu32
                                          ", |H| = %" PRIu32 ", within 10 %%",
                                          many, few, hidden));
    if (c == NULL) return;
    double ratio[1000]; /* as many seeds as there may be */
    size_t n = 0;
    for (uint32_t seed = 1; seed <= e->set.seeds && n < sizeof ratio / sizeof ratio[0]; ++seed)
        ratio[n++] = tern_exp_value(e, (tern_exp_filter){ TERN_EXP_GEM, hidden, many, seed, last, TERN_EXP_ANY },
                                    TERN_EXP_HIDDEN_SPIKES) /
                     tern_exp_value(e, (tern_exp_filter){ TERN_EXP_GEM, hidden, few, seed, last, TERN_EXP_ANY },
                                    TERN_EXP_HIDDEN_SPIKES);
    snprintf(c->number, sizeof c->number, "%.4g", (double)many / few);
    c->mean = tern_exp_mean_of(ratio, n);
    c->verdict = tern_exp_near(&c->mean, (double)many / few, 0.1);
}

static void memorise(list *l)
{
    tern_exp *e = l->e;
    const uint32_t few = tern_exp_least(&e->set.samples), many = tern_exp_most(&e->set.samples),
                   last = tern_exp_most(&e->set.presentations), H = tern_exp_most(&e->set.hidden),
                   rule = e->set.rules.v[0];
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        const uint32_t h = e->set.hidden.v[i];
        for (size_t p = 0; p < e->set.presentations.n && h != 0 && many != few; ++p) {
            const uint32_t at = e->set.presentations.v[p];
            const char *text = tern_exp_text(&e->arena,
                                             "log-loss with K = %" PRIu32 " less that with K = %" PRIu32
                                             ", |H| = %" PRIu32 ", %" PRIu32 " presentations",
                                             few, many, h, at);
            const tern_exp_filter a = { rule, h, few, 0, at, TERN_EXP_ANY }, b = { rule, h, many, 0, at, TERN_EXP_ANY };
            if (at != 0) difference(l, "more samples K lower the log-loss", text, a, b, TERN_EXP_LOG_LOSS, 1);
        }
    }
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        const uint32_t h = e->set.hidden.v[i];
        if (h == H) continue;
        difference(l, "more hidden neurons lower the log-loss",
                   tern_exp_text(&e->arena, "log-loss with |H| = %" PRIu32 " less that with %" PRIu32 ", K = %" PRIu32,
                                 h, H, many),
                   (tern_exp_filter){ rule, h, many, 0, last, TERN_EXP_ANY },
                   (tern_exp_filter){ rule, H, many, 0, last, TERN_EXP_ANY }, TERN_EXP_LOG_LOSS, 1);
    }
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        if (e->set.hidden.v[i] != 0 && many != few && rule == TERN_EXP_GEM)
            spikes_in_proportion(l, e->set.hidden.v[i], last);
        communication(l, rule, e->set.hidden.v[i]);
    }
}

static void digits2(list *l)
{
    static const struct {
        uint32_t inference;
        double accuracy;
        const char *number, *text;
    } printed[] = {
        { 1, 0.909, "0.909", "accuracy 90.9 % with K_I = 1 after 100 examples" },
        { 20, 0.972, "0.972", "accuracy 97.2 % with K_I = 20 after 100 examples" },
    };
    tern_exp *e = l->e;
    const uint32_t rule = e->set.rules.v[0], hidden = e->set.hidden.v[0], K = e->set.samples.v[0];
    for (size_t i = 0; i < 2; ++i) {
        tern_exp_claim *c = add(l, printed[i].text, "accuracy");
        if (c == NULL) return;
        memcpy(c->number, printed[i].number, strlen(printed[i].number) + 1);
        c->mean = tern_exp_mean_rows(e, (tern_exp_filter){ rule, hidden, K, TERN_EXP_ANY, 100, printed[i].inference },
                                     TERN_EXP_ACCURACY);
        c->verdict = tern_exp_at_least(&c->mean, printed[i].accuracy);
    }
    if (e->set.inference.n == 0) return;
    const uint32_t last = tern_exp_most(&e->set.presentations), one = tern_exp_least(&e->set.inference),
                   many = tern_exp_most(&e->set.inference);
    for (size_t i = 0; i < e->set.presentations.n && one != many; ++i) {
        const uint32_t p = e->set.presentations.v[i];
        if (p == 0) continue;
        difference(l, "more samples K_I raise the accuracy",
                   tern_exp_text(&e->arena,
                                 "accuracy with K_I = %" PRIu32 " less that with %" PRIu32 ", %" PRIu32 " examples",
                                 many, one, p),
                   (tern_exp_filter){ rule, hidden, K, 0, p, many }, (tern_exp_filter){ rule, hidden, K, 0, p, one },
                   TERN_EXP_ACCURACY, 1);
    }
    if (one == 1) {
        tern_exp_claim *c = add(l, "one sample cannot tell how sure it is: entropy 0",
                                "entropy of right decisions, K_I = 1, at the end");
        if (c == NULL) return;
        memcpy(c->number, "0", 2);
        c->mean =
            tern_exp_mean_rows(e, (tern_exp_filter){ rule, hidden, K, TERN_EXP_ANY, last, 1 }, TERN_EXP_ENTROPY_RIGHT);
        c->verdict = tern_exp_near(&c->mean, 0, 0);
    }
    tern_exp_claim *c = add(
        l, "wrong decisions are less sure than right ones",
        tern_exp_text(&e->arena, "entropy of wrong less that of right decisions, K_I = %" PRIu32 ", at the end", many));
    if (c == NULL) return;
    double d[1000];
    size_t n = 0;
    /* one sample has no entropy to tell: not measured */
    for (uint32_t seed = 1; many > 1 && seed <= e->set.seeds && n < sizeof d / sizeof d[0]; ++seed) {
        const tern_exp_filter f = { rule, hidden, K, seed, last, many };
        d[n++] = tern_exp_value(e, f, TERN_EXP_ENTROPY_WRONG) - tern_exp_value(e, f, TERN_EXP_ENTROPY_RIGHT);
    }
    c->mean = tern_exp_mean_of(d, n);
    c->verdict = tern_exp_positive(&c->mean);
}

/* The paper's error, and the two that say whether it is one: without what chance adds, and of the share of the votes.
 */
static void calibration(list *l, tern_exp_filter a, tern_exp_filter b, uint32_t p, uint32_t inference)
{
    static const struct {
        tern_exp_metric m;
        const char *name;
    } kinds[] = {
        { TERN_EXP_ECE, "ECE" },
        { TERN_EXP_ECE_DEBIASED, "ECE less what chance adds" },
        { TERN_EXP_ECE_VOTES_DEBIASED, "ECE of the share of the votes, less what chance adds" },
    };
    a.inference = b.inference = inference;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        const char *text = tern_exp_text(
            &l->e->arena, "%s with K = %" PRIu32 " less that with %" PRIu32 ", K_I = %" PRIu32 ", %" PRIu32 " examples",
            kinds[i].name, b.samples, a.samples, inference, p);
        difference(l, "more samples K improve calibration", text, a, b, kinds[i].m, -1);
    }
}

static void digits3(list *l)
{
    tern_exp *e = l->e;
    const uint32_t rule = e->set.rules.v[0], h = e->set.hidden.v[0], few = tern_exp_least(&e->set.samples),
                   many = tern_exp_most(&e->set.samples);
    if (few == many) return;
    for (size_t i = 0; i < e->set.presentations.n; ++i) {
        const uint32_t p = e->set.presentations.v[i];
        if (p == 0) continue;
        const uint32_t first = e->set.inference.n == 0 ? TERN_EXP_ANY : e->set.inference.v[0];
        const tern_exp_filter a = { rule, h, many, 0, p, first }, b = { rule, h, few, 0, p, first };
        difference(l, "more samples K raise the test log-likelihood",
                   tern_exp_text(&e->arena,
                                 "log-likelihood with K = %" PRIu32 " less that with %" PRIu32 ", %" PRIu32 " examples",
                                 many, few, p),
                   a, b, TERN_EXP_LOG_LIKELIHOOD, 1);
        for (size_t k = 0; k < e->set.inference.n; ++k) calibration(l, a, b, p, e->set.inference.v[k]);
    }
    if (rule == TERN_EXP_GEM) spikes_in_proportion(l, h, tern_exp_most(&e->set.presentations));
    tern_exp_claim *c =
        add(l, "more samples K raise the accuracy, if training stops early",
            tern_exp_text(&e->arena, "best accuracy along the way with K = %" PRIu32 " less that with %" PRIu32, many,
                          few));
    if (c == NULL) return;
    double d[1000];
    size_t n = 0;
    for (uint32_t seed = 1; seed <= e->set.seeds && n < sizeof d / sizeof d[0]; ++seed) {
        double best[2] = { (double)NAN, (double)NAN };
        for (size_t i = 0; i < e->set.presentations.n; ++i)
            for (size_t k = 0; k < 2; ++k) {
                const double x = tern_exp_value(
                    e, (tern_exp_filter){ rule, h, k ? many : few, seed, e->set.presentations.v[i], TERN_EXP_ANY },
                    TERN_EXP_ACCURACY);
                if (isnan(best[k]) || x > best[k]) best[k] = x;
            }
        d[n++] = best[1] - best[0];
    }
    c->mean = tern_exp_mean_of(d, n);
    c->verdict = tern_exp_positive(&c->mean);
}

static bool has_rule(const tern_exp *e, uint32_t rule)
{
    for (size_t i = 0; i < e->set.rules.n; ++i)
        if (e->set.rules.v[i] == rule) return true;
    return false;
}

static void rules(list *l)
{
    static const char *const upper[TERN_EXP_RULE_KINDS] = { "GEM", "MB", "IW" };
    tern_exp *e = l->e;
    const uint32_t h = e->set.hidden.v[0], last = tern_exp_most(&e->set.presentations);
    for (uint32_t other = TERN_EXP_MB; other < TERN_EXP_RULE_KINDS && has_rule(e, TERN_EXP_GEM); ++other) {
        if (!has_rule(e, other)) continue;
        for (size_t i = 0; i < e->set.samples.n; ++i) {
            const uint32_t K = e->set.samples.v[i];
            const tern_exp_filter gem = { TERN_EXP_GEM, h, K, 0, last, TERN_EXP_ANY },
                                  o = { other, h, K, 0, last, TERN_EXP_ANY };
            if (K == 1) continue; /* the paper claims it for K > 1 */
            difference(l, "GEM has the lowest test log-loss for K > 1",
                       tern_exp_text(&e->arena, "log-loss of %s less that of GEM, K = %" PRIu32, upper[other], K), o,
                       gem, TERN_EXP_LOG_LOSS, 1);
            difference(l, "GEM has the highest accuracy for K > 1",
                       tern_exp_text(&e->arena, "accuracy of GEM less that of %s, K = %" PRIu32, upper[other], K), gem,
                       o, TERN_EXP_ACCURACY, 1);
            difference(l, "GEM needs the fewest hidden spikes for K > 1",
                       tern_exp_text(&e->arena, "hidden spikes of %s less those of GEM, K = %" PRIu32, upper[other], K),
                       o, gem, TERN_EXP_HIDDEN_SPIKES, 1);
        }
    }
    for (size_t r = 0; r < e->set.rules.n; ++r) communication(l, e->set.rules.v[r], h);
}

size_t tern_exp_claims(tern_exp *e, tern_exp_claim out[TERN_EXP_CLAIMS_MAX])
{
    static void (*const of[TERN_EXP_KINDS])(list *) = { memorise, digits2, digits3, rules, NULL };
    list l = { e, out, 0 };
    of[e->set.kind](&l);
    return l.n;
}
