/* test_tern_quantise.c : what the compiler chooses, against the rules of docs/21-numerics.md, section 10, worked out
 * here a second time
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_compiler.h"
#include "tern_check.h"
#include "tern_kernel.h"
#include <math.h>
#include <stdlib.h>

static tern_model m;
static tern_diags diags;
static tern_arena arena;

static void show(void)
{
    char text[TERN_DIAG_BYTES];
    for (size_t i = 0; i < diags.n; ++i) {
        (void)tern_diag_format(&diags.list[i], text, sizeof text);
        printf("  %s\n", text);
    }
}

static tern_status build(const char *source)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    return tern_compile_string(source, strlen(source), "t.lua", NULL, &arena, &m, &diags);
}

/* One setting of everything that FC, c_shift, R, RL and MF depend on. */
typedef struct setting {
    const char *rule;
    double eta, gamma;
    unsigned samples, bits, frac, trace, learn, n_visible, wta, steps; /* steps 0: no data section */
    bool has_hidden, automatic;
    int signal;
} setting;

static const char *script(const setting *s)
{
    static char text[900];
    char wta[32] = "", hidden[160] = "", data[100] = "", signal[32] = "";
    if (s->wta != 0) snprintf(wta, sizeof wta, ", wta = %u", s->wta);
    if (s->has_hidden)
        snprintf(
            hidden, sizeof hidden,
            "local h = tern.hidden{ name = 'h', size = 3 } tern.connect{ from = h, to = v, filters = tern.taps{1} }");
    if (s->steps != 0) snprintf(data, sizeof data, "tern.data{ window_ms = 1, steps = %u }", s->steps);
    if (!s->automatic) snprintf(signal, sizeof signal, ", signal = %d", s->signal);
    snprintf(text, sizeof text,
             "local x = tern.input{ name = 'x', size = 4 } local v = tern.visible{ name = 'v', size = %u%s } "
             "tern.connect{ from = x, to = v, filters = tern.taps{1, 0.5}, init = 0 }\n%s\n"
             "tern.%s{ eta = %.17g, gamma = %.17g, kappa = 0.5, samples = %u }\ntern.formats{ weight = {%u, %u}, trace "
             "= %u, learn = %u%s }\n%s\n",
             s->n_visible, wta, hidden, s->rule, s->eta, s->gamma, s->samples, s->bits, s->frac, s->trace, s->learn,
             signal, data);
    return text;
}

static double reach(const setting *s)
{
    const double nothing = s->wta == 0 ? s->n_visible * log(2.0) : (double)s->n_visible / s->wta * log(s->wta + 1.0);
    double steps = s->gamma < 1 ? 1 / (1 - s->gamma) : 1e9;
    steps = fmin(steps, s->steps == 0 ? 100 : s->steps);
    return 2 * nothing * steps / (s->rule[0] == 'i' ? 1 : s->samples);
}

/* c of the block, as a real number, against eta kappa^d m e. */
static void check_meaning(const setting *s, unsigned set, int m_frac)
{
    const tern_net *n = &m.net;
    const tern_learn *l = &n->learn[set];
    const double lsb = ldexp(1, -l->c_frac), m_lsb = ldexp(1, -m_frac), m_top = set == 0 ? 1.0 : 16383 * m_lsb;
    for (int i = -4; i <= 4; ++i)
        for (int k = set == 0 ? 1 : -3; k <= 3; ++k) {
            const double e = i / 4.0 * 0.999, mod = k / 3.0 * m_top;
            const int16_t e_raw = (int16_t)floor(e * 32768 + 0.5), m_raw = (int16_t)floor(mod / m_lsb + 0.5);
            uint64_t sat = 0;
            for (unsigned d = 0; d < n->lags_w; ++d) {
                const double wanted = s->eta * pow(0.5, d) * (m_raw * m_lsb) * (e_raw / 32768.0);
                const double got = tern_kernel_coefficient(m_raw, e_raw, n->ek0[d], l->c_shift, &sat) * lsb;
                /* rounding: c to its last bit, g to 16 bits, ek to its last bit */
                const double allowed = 0.5 * lsb + s->eta * pow(0.5, d) * m_top * 1.1 / 32768 +
                                       fabs(wanted) * 0.51 / fmax(n->ek0[d], 1) + 1e-300;
                CHECK_NEAR(got, wanted, allowed);
            }
            CHECK_EQ(sat, 0); /* |m| at most 1, or any m that N-19 lets pass: c is never limited */
        }
}

typedef struct seen {
    unsigned good, refused, capped, short_bit, circuits, full_scale;
} seen;

static void check_good(const setting *s, seen *out)
{
    const tern_net *n = &m.net;
    const bool gem = strcmp(s->rule, "gem") == 0, reward = strcmp(s->rule, "reward") == 0;
    const bool used[2] = { !reward, !gem && (s->has_hidden || reward) };
    const int most = 31 + (int)s->frac - (int)s->trace; /* R <= 31; RL is smaller */
    const int ef = n->learn[0].c_frac + n->learn[0].c_shift - 15;
    CHECK_EQ(n->rule, gem                 ? TERN_RULE_GEM
                      : reward            ? TERN_RULE_REWARD
                      : s->rule[0] == 'm' ? TERN_RULE_MB
                                          : TERN_RULE_IW);
    CHECK_EQ(n->baseline, gem ? TERN_BASELINE_NONE : TERN_BASELINE_NEURON);
    CHECK(n->ek0[0] >= 1 << 14 && n->ek0[0] < 1 << 15);
    CHECK_EQ(n->ek0[0], (int)floor(ldexp(s->eta, ef) + 0.5));
    for (unsigned set = 0; set < 2; ++set) {
        const tern_learn *l = &n->learn[set];
        CHECK_EQ(l->dither_bits, l->c_frac + (int)s->trace - (int)s->frac);
        CHECK_EQ(l->local_bits, l->c_frac + (int)s->trace - 12);
        CHECK(l->dither_bits >= 1 && l->dither_bits <= 31 && l->local_bits >= 1 && l->local_bits <= 31);
    }
    if (used[0]) {
        const int c_shift = 31 - (int)s->learn;
        CHECK_EQ(n->learn[0].c_frac, ef + 15 - n->learn[0].c_shift);
        if (ef + 15 - c_shift > most) {
            ++out->capped;
            CHECK_EQ(n->learn[0].c_frac, most);
        } else CHECK_EQ(n->learn[0].c_shift, c_shift);
        check_meaning(s, 0, 14);
    }
    if (!used[1]) return;
    const int mf = 12 - n->m_shift;
    if (s->automatic) {
        CHECK(ldexp(1, 14 - mf) >= reach(s) || mf == -12);
        CHECK(mf == 12 || ldexp(1, 14 - mf - 1) < reach(s));
    } else CHECK_EQ(mf, s->signal);
    const int fc = ef + mf + 1 - 16;
    CHECK_EQ(n->learn[1].c_frac, ef + mf + 1 - n->learn[1].c_shift);
    if (fc > most) {
        ++out->full_scale;
        CHECK_EQ(n->learn[1].c_frac, most);
    } else if (fc == 12 - (int)s->trace) { /* one bit less than RL needs */
        ++out->short_bit;
        CHECK_EQ(n->learn[1].c_shift, 15);
    } else CHECK_EQ(n->learn[1].c_shift, 16);
    check_meaning(s, 1, mf);
}

/* A refusal names an eta, or a number of bits, that is then accepted. */
static void check_refusal(const setting *s)
{
    char text[300] = "";
    for (size_t i = 0; i < diags.n; ++i) {
        if (diags.list[i].severity != TERN_SEV_ERROR) continue;
        CHECK_EQ(diags.list[i].code, 231);
        snprintf(text, sizeof text, "%s", diags.list[i].hint);
    }
    const char *most = strstr(text, "at most "), *least = strstr(text, "at least "),
               *signal = strstr(text, "formats.signal = ");
    CHECK((most != NULL) != (least != NULL));
    if (most == NULL && least == NULL) return;
    setting better = *s;
    better.eta = strtod(most != NULL ? most + 8 : least + 9, NULL);
    CHECK(most != NULL ? better.eta < s->eta && better.eta > 1e-9 : better.eta > s->eta);
    CHECK_EQ(build(script(&better)), TERN_OK);
    if (diags.n_errors > 0) show();
    better.eta *= most != NULL ? 1.02 : 0.98; /* and it is the last one */
    CHECK(build(script(&better)) != TERN_OK);
    if (signal == NULL) return;
    better = *s;
    better.automatic = false;
    better.signal = (int)strtol(signal + 17, NULL, 10);
    CHECK_EQ(build(script(&better)), TERN_OK);
    better.signal -= 1;
    CHECK(build(script(&better)) != TERN_OK);
}

static void grid(void)
{
    static const char *const rules[] = { "gem", "mb", "iw", "reward" };
    static const double etas[] = { 1e-9, 1e-6, 3e-5, 1e-4, 2e-3, 0.03, 0.24999, 0.25, 0.5, 0.99999, 1.0, 9.9 },
                        gammas[] = { 0, 0.2, 0.9, 0.99, 1 };
    static const struct {
        unsigned bits, frac;
    } weights[] = { { 16, 12 }, { 8, 7 }, { 4, 0 }, { 12, 5 } };
    static const struct {
        unsigned n, wta;
    } visible[] = { { 2, 0 }, { 10, 10 }, { 600, 0 }, { 12, 3 } };
    seen sum = { 0 };
    uint32_t draw = 12345;
    for (unsigned r = 0; r < 4; ++r)
        for (unsigned i = 0; i < sizeof etas / sizeof *etas; ++i)
            for (unsigned w = 0; w < 4; ++w)
                for (unsigned v = 0; v < 4; ++v)
                    for (unsigned g = 0; g < 5; ++g) {
                        draw = draw * 1664525u + 1013904223u;
                        const uint32_t x = draw >> 8;
                        const setting s = { .rule = rules[r],
                                            .eta = etas[i],
                                            .gamma = gammas[g],
                                            .samples = 1 + x % 7,
                                            .bits = weights[w].bits,
                                            .frac = weights[w].frac,
                                            .trace = 4 + x / 7 % 5,
                                            .learn = 8 + x / 35 % 9,
                                            .n_visible = visible[v].n,
                                            .wta = visible[v].wta,
                                            .steps = x / 315 % 3 == 0 ? 0 : 5 + x / 945 % 200,
                                            .has_hidden = x % 11 != 0,
                                            .automatic = x % 5 != 0,
                                            .signal = (int)(x / 13 % 25) - 12 };
                        const unsigned before = tern_check_failed;
                        const tern_status status = build(script(&s));
                        if (status == TERN_OK) {
                            ++sum.good;
                            sum.circuits += s.wta != 0;
                            check_good(&s, &sum);
                        } else {
                            ++sum.refused;
                            check_refusal(&s);
                        }
                        if (tern_check_failed != before) printf("  %s", script(&s));
                        if (tern_check_failed > before + 20) return;
                    }
    printf("%u settings: %u refused, %u of a tiny eta, %u with few bits for signals, %u with c_shift 15\n",
           sum.good + sum.refused, sum.refused, sum.capped, sum.full_scale, sum.short_bit);
    CHECK(sum.good > 1000 && sum.refused > 30 && sum.capped > 30 && sum.full_scale > 10 && sum.short_bit > 3 &&
          sum.circuits > 300);
}

/* Numbers worked out by hand. */
static void by_hand(void)
{
    const setting digits = { .rule = "mb",
                             .eta = 1e-4,
                             .gamma = 0.2,
                             .samples = 5,
                             .bits = 16,
                             .frac = 12,
                             .trace = 8,
                             .learn = 12,
                             .n_visible = 2,
                             .has_hidden = true,
                             .automatic = true };
    CHECK_EQ(build(script(&digits)), TERN_OK);
    CHECK_EQ(m.net.ek0[0], 26844); /* 1e-4 2^28 */
    CHECK_EQ(m.net.learn[0].c_frac, 28 + 15 - 19);
    CHECK_EQ(12 - m.net.m_shift, 12); /* 2 log(2) 2 1.25 / 5 = 0.69 */
    CHECK_EQ(m.net.learn[1].c_frac, 28 + 12 + 1 - 16);
    CHECK_EQ(m.net.learn[1].c_shift, 16);
    setting large = digits;
    large.rule = "iw";
    large.gamma = 0.9;
    large.n_visible = 338;
    CHECK_EQ(build(script(&large)), TERN_OK);
    CHECK_EQ(12 - m.net.m_shift, 1); /* 4686 <= 2^13 */
    large.samples = 20;              /* no matter: log R is of all samples */
    CHECK_EQ(build(script(&large)), TERN_OK);
    CHECK_EQ(12 - m.net.m_shift, 1);
    large.rule = "mb";
    CHECK_EQ(build(script(&large)), TERN_OK);
    CHECK_EQ(12 - m.net.m_shift, 6); /* 234 <= 2^8 */
    large.gamma = 1;
    large.steps = 80;
    CHECK_EQ(build(script(&large)), TERN_OK);
    CHECK_EQ(12 - m.net.m_shift, 3); /* 1874 <= 2^11 */
    setting classes = digits;
    classes.n_visible = classes.wta = 10;
    classes.samples = 1;
    CHECK_EQ(build(script(&classes)), TERN_OK);
    CHECK_EQ(12 - m.net.m_shift, 11); /* 2 log(11) 1.25 = 5.99 */
}

/* W, kap and the memory of baselines. */
static void windows(void)
{
    static const char *const net = "local v = tern.visible{ name = 'v', size = 2 } tern.connect{ from = v, to = v, "
                                   "filters = tern.raised_cosine{ duration = 10 } }\n%s\n";
    static const struct {
        const char *rest;
        unsigned w;
        int code;
    } list[] = {
        { "tern.mb{ eta = 0.01, gamma = 0.9, kappa = 0 }", 1, 0 },
        { "tern.gem{ eta = 0.01, kappa = 0 }", 1, 0 },
        { "tern.iw{ eta = 0.01, gamma = 0 }", 1, 0 },
        { "tern.iw{ eta = 0.01, gamma = 0.2 }", 3, 0 },
        { "tern.iw{ eta = 0.01, kappa = 0.9 }", 44, 0 },
        { "tern.mb{ eta = 0.01, kappa = 0.95 }", 54, 233 },
        { "tern.gem{ eta = 0.01, kappa = 1 }", 54, 233 },
        { "tern.gem{ eta = 0.01, kappa = 1 } tern.data{ window_ms = 1, steps = 55 }", 54, 233 },
        /* the whole presentation is in the window */
        { "tern.gem{ eta = 0.01, kappa = 1 } tern.data{ window_ms = 1, steps = 54 }", 54, 0 },
        { "tern.gem{ eta = 0.01, kappa = 1 } tern.data{ window_ms = 1, steps = 54, clear = false }", 54, 233 },
        { "tern.gem{ eta = 0.01, kappa = 1 } tern.formats{ lags = 9 }", 9, 0 },
        { "tern.mb{ eta = 0.01, gamma = 1, kappa = 0.2 } tern.data{ window_ms = 1, steps = 54 }", 3, 0 },
        { "tern.mb{ eta = 0.01, gamma = 1, kappa = 0.2 } tern.data{ window_ms = 1, steps = 54, clear = false }", 3,
          244 },
        { "tern.mb{ eta = 0.01, gamma = 0.999, kappa = 0.2 } tern.data{ window_ms = 1, steps = 54, clear = false }", 3,
          0 }
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        char source[600];
        snprintf(source, sizeof source, net, list[i].rest);
        CHECK_EQ(build(source), TERN_OK);
        CHECK_EQ(m.net.lags_w, list[i].w);
        int code = 0;
        const tern_diag *g = NULL;
        for (size_t k = 0; k < diags.n; ++k)
            if (diags.list[k].code == 233 || diags.list[k].code == 244) {
                g = &diags.list[k];
                code = g->code;
            }
        CHECK_EQ(code, list[i].code);
        if (code != list[i].code) printf("  %s\n", list[i].rest);
        double power = 32768;
        for (unsigned d = 0; d < m.net.lags_w; ++d, power *= m.rule.kappa)
            CHECK_EQ(m.net.kap_f15[d], d == 0 || m.rule.kappa == 1 ? 32767 : (int)floor(power + 0.5));
        if (code != 233 || g == NULL) continue;
        const char *hint = strstr(g->hint, "kappa <= ");
        CHECK(hint != NULL);
        snprintf(source, sizeof source,
                 "local v = tern.visible{ name = 'v', size = 2 } tern.connect{ from = v, to = v, filters = "
                 "tern.raised_cosine{ duration = 10 } }\n"
                 "tern.mb{ eta = 0.01, kappa = %.4s }\n",
                 hint == NULL ? "" : hint + 9);
        CHECK_EQ(build(source), TERN_OK); /* what the hint says gives no warning any more */
        for (size_t k = 0; k < diags.n; ++k) CHECK(diags.list[k].code != 233);
    }
    for (unsigned bs = 3; bs <= 7; ++bs) {
        char source[400];
        snprintf(source, sizeof source,
                 "local v = tern.visible{ name = 'v', size = 2 } tern.connect{ from = v, to = v, filters = "
                 "tern.taps{1} } tern.reward{ eta = 0.1, memory = %u, baseline = '%s' }\n",
                 1u << bs, bs % 2 ? "synapse" : "none");
        CHECK_EQ(build(source), TERN_OK);
        CHECK_EQ(m.net.baseline_shift, bs);
        CHECK_EQ(m.net.baseline, bs % 2 ? TERN_BASELINE_SYNAPSE : TERN_BASELINE_NONE);
    }
}

int main(void)
{
    tern_arena_init(&arena, tern_alloc_default(), 0);
    by_hand();
    windows();
    grid();
    tern_arena_free(&arena);
    return tern_check_report("lua.quantise");
}
