/* tern_run_fit.c : see tern_run_fit.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cores.h"
#include "tern_run_fit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS = 5,
    TEXT = 48,
    TRIES_MOST = 96,
    TRIES_LEAST = 12,
    SYNAPSES = 4000000,
    FRAC_MOST = 12 /* docs/10-language.md, section 5 */
};

typedef struct search {
    const tern_fit_source *source;
    const tern_model *model;
    const tern_capacity *core;
    uint32_t n_samples;
    unsigned tries; /* that are left: a large script takes its time to compile */
    char *out;
    size_t bytes;
    /* of a weight: integer bits that the core's sums take, fraction bits for which it has the dither bits */
    int range, frac_least, frac_most;
    char set[SETS][TEXT]; /* KEY=VALUE of the current change */
    unsigned n_sets;
} search;

static bool plan_fits(const tern_net *net, uint32_t n_samples, const tern_capacity *core)
{
    tern_arena arena;
    tern_plan plan;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    bool fits = tern_plan_make(net, core->lanes, n_samples, &arena, &plan, NULL) == TERN_OK;
    if (fits) tern_plan_use_order(&plan, core);
    if (fits) tern_plan_use_ways(&plan, core->ways);
    fits = fits && tern_plan_fits(&plan, core, NULL) == TERN_OK;
    tern_arena_free(&arena);
    return fits;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void begin(search *s) { s->n_sets = 0; }

static void change(search *s, const char *key, const char *value)
{
    if (s->n_sets < SETS) snprintf(s->set[s->n_sets++], TEXT, "%s=%s", key, value);
}

static void change_number(search *s, const char *key, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)value);
    change(s, key, text);
}

/* Fraction bits of a weight of so many bits: fewer bits keep the range and lose fraction bits, as long as there are any
 * and the core has the dither bits for the rest (R grows by one for each fraction bit less). 0..12. */
static int frac_of(const search *s, uint32_t bits)
{
    int frac = (int)bits - s->range;
    if (frac > s->frac_most) frac = s->frac_most;
    if (frac < s->frac_least) frac = s->frac_least;
    if (frac > FRAC_MOST) frac = FRAC_MOST;
    return frac < 0 ? 0 : frac;
}

static void change_weight(search *s, uint32_t bits)
{
    char text[24];
    snprintf(text, sizeof text, "{%u,%d}", (unsigned)bits, frac_of(s, bits));
    change(s, "formats.weight", text);
}

/* What the core asks of a weight's range and fraction; the network's own where it asks for nothing. */
static void limit_weights(search *s)
{
    const tern_net *n = &s->model->net;
    tern_arena arena;
    tern_plan plan;
    s->range = (int)n->weight_bits - (int)n->weight_frac;
    s->frac_most = FRAC_MOST;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_plan_make(n, s->core->lanes, s->n_samples, &arena, &plan, NULL) == TERN_OK) {
        const tern_capacity *c = &plan.need;
        if (c->acc_w > s->core->acc_w && s->range > (int)(c->acc_w - s->core->acc_w))
            s->range -= (int)(c->acc_w - s->core->acc_w);
        if (c->dither_min < s->core->dither_min)
            s->frac_most = (int)n->weight_frac - (int)(s->core->dither_min - c->dither_min);
        if (c->dither_max > s->core->dither_max)
            s->frac_least = (int)n->weight_frac + (int)(c->dither_max - s->core->dither_max);
    }
    tern_arena_free(&arena);
}

/* Most bits of a weight that the core stores, and no more than the network has unless it has to be so many. */
static uint32_t bits_most(const search *s)
{
    return tern_core_of(s->core)->exact_weights ? s->core->weight_w
                                                : least(s->model->net.weight_bits, s->core->weight_w);
}

static bool changed(const search *s, const char *item)
{
    const size_t n = strcspn(item, "=");
    for (unsigned i = 0; i < s->n_sets; ++i)
        if (strncmp(s->set[i], item, n + 1) == 0) return true;
    return false;
}

/* The script with the current changes, compiled and planned. */
static bool fits(search *s)
{
    static const char samples[] = "rule.samples=";
    if (s->tries == 0) return false;
    --s->tries;
    tern_arg_list *sets = calloc(1, sizeof *sets);
    tern_model *model = calloc(1, sizeof *model);
    tern_diags *diags = calloc(1, sizeof *diags);
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    bool good = sets != NULL && model != NULL && diags != NULL;
    if (good) {
        uint32_t n_samples = s->n_samples;
        tern_diags_init(diags);
        for (size_t i = 0; i < s->source->sets->n; ++i)
            if (!changed(s, s->source->sets->items[i])) sets->items[sets->n++] = s->source->sets->items[i];
        for (unsigned i = 0; i < s->n_sets && sets->n < TERN_ARG_LIST_MAX; ++i) {
            sets->items[sets->n++] = s->set[i];
            if (strncmp(s->set[i], samples, sizeof samples - 1) == 0)
                n_samples = (uint32_t)strtoul(s->set[i] + sizeof samples - 1, NULL, 10);
        }
        tern_compile_options options = s->source->limits;
        options.n_sets = sets->n;
        options.sets = sets->items;
        good = tern_open_model(s->source->script, &options, &arena, model, diags) == TERN_OK &&
               plan_fits(&model->net, n_samples, s->core);
    }
    tern_arena_free(&arena);
    free(diags);
    free(model);
    free(sets);
    return good;
}

/* "--samples 4", "--set formats.lags=6"; several with "and". */
static void tell(search *s)
{
    static const char samples[] = "rule.samples=", also[] = "; or ";
    char text[SETS * (TEXT + 16)] = "";
    for (unsigned i = 0; i < s->n_sets; ++i) {
        const bool of_samples = strncmp(s->set[i], samples, sizeof samples - 1) == 0,
                   quoted = strchr(s->set[i], '{') != NULL;
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%s%s%s%s", i > 0 ? " " : "", of_samples ? "--samples " : "--set ",
                 quoted ? "'" : "", of_samples ? s->set[i] + sizeof samples - 1 : s->set[i], quoted ? "'" : "");
    }
    for (const char *p = s->out; (p = strstr(p, text)) != NULL; ++p) /* said before? */
        if ((p == s->out || strncmp(p - (sizeof also - 1), also, sizeof also - 1) == 0) &&
            (p[strlen(text)] == 0 || strncmp(p + strlen(text), also, sizeof also - 1) == 0))
            return;
    const size_t at = strlen(s->out);
    const int n = snprintf(s->out + at, s->bytes - at, "%s%s", at > 0 ? also : "", text);
    if (n < 0 || (size_t)n >= s->bytes - at) s->out[at] = 0; /* no room: better left out than cut */
}

static void try_samples(search *s)
{
    for (uint32_t k = s->n_samples - 1; k >= 1 && s->tries > 0; --k) {
        if (!plan_fits(&s->model->net, k, s->core)) continue; /* formats barely change with samples */
        begin(s);
        change_number(s, "rule.samples", k);
        if (s->source->script != NULL && !fits(s)) continue;
        tell(s);
        return;
    }
}

static void try_lags(search *s)
{
    for (uint32_t w = least(s->model->net.lags_w - 1u, s->core->lags_w); w >= 1 && s->tries > 0; --w) {
        begin(s);
        change_number(s, "formats.lags", w);
        if (!fits(s)) continue;
        tell(s);
        return;
    }
}

static void try_weights(search *s)
{
    const tern_net *n = &s->model->net;
    const uint32_t most = bits_most(s);
    for (uint32_t b = most; b >= (tern_core_of(s->core)->exact_weights ? most : 4u) && s->tries > 0; --b) {
        if (b == n->weight_bits && frac_of(s, b) == n->weight_frac) continue;
        begin(s);
        change_weight(s, b);
        if (!fits(s)) continue;
        tell(s);
        return;
    }
}

/* What the core lacks, each for itself. */
static void needed(search *s)
{
    const tern_net *n = &s->model->net;
    const uint32_t bits = bits_most(s);
    if (s->core->signals == 0 && n->rule != TERN_RULE_GEM) change(s, "rule.kind", "gem"); /* has no baselines */
    else if (s->core->baselines < tern_net_baselines(n)) change(s, "rule.baseline", "none");
    if (bits != n->weight_bits || frac_of(s, bits) != n->weight_frac) change_weight(s, bits);
}

static void try_needed(search *s)
{
    begin(s);
    needed(s);
    if (s->n_sets > 0 && fits(s)) tell(s);
}

/* Together: as many samples as possible, then lags. */
static void try_together(search *s)
{
    const uint32_t lags = s->model->net.lags_w;
    for (uint32_t k = s->n_samples; k >= 1; k = s->source->inference ? 0 : k > 1 ? (k + 1) / 2 : 0)
        for (uint32_t w = least(lags, s->core->lags_w); w >= 1 && s->tries > 0; w = w > 1 ? (w + 1) / 2 : 0) {
            begin(s);
            needed(s);
            if (k != s->n_samples) change_number(s, "rule.samples", k);
            if (w != lags) change_number(s, "formats.lags", w);
            if (s->n_sets == 0 || !fits(s)) continue;
            tell(s);
            return;
        }
}

void tern_fit_changes(const tern_fit_source *source, const tern_model *model, uint32_t n_samples,
                      const tern_capacity *core, char *out, size_t bytes)
{
    search *s = calloc(1, sizeof *s);
    out[0] = 0;
    if (s == NULL) return;
    const uint32_t affordable = SYNAPSES / (model->net.n_weights + 1u);
    *s = (search){ .source = source,
                   .model = model,
                   .core = core,
                   .n_samples = n_samples,
                   .out = out,
                   .bytes = bytes,
                   .tries = affordable > TRIES_MOST    ? TRIES_MOST
                            : affordable < TRIES_LEAST ? TRIES_LEAST
                                                       : affordable };
    limit_weights(s);
    if (!source->inference) try_samples(s);
    if (source->script != NULL) {
        try_lags(s);
        try_weights(s);
        try_needed(s);
        if (out[0] == 0) try_together(s);
    }
    free(s);
}

uint32_t tern_fit_batch(const tern_model *model, uint32_t n_samples, const tern_capacity *core)
{
    const uint32_t most = least(core->samples, TERN_MAX_SAMPLES);
    if (n_samples <= most && plan_fits(&model->net, n_samples, core)) return n_samples;
    for (uint32_t b = least(most, n_samples) & ~3u; b > 0; b -= 4)
        if (plan_fits(&model->net, b, core)) return b;
    return 0;
}
