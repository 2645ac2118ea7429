/* tern_explain.c : collects what `tern explain` tells
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_explain.h"
#include <math.h>
#include <string.h>
#include "tern/image.h"

/* ---- rows by populations ------------------------------------------------------ */

static uint32_t population_at(const tern_model *m, bool input_pool, uint32_t pos)
{
    const tern_population *p = tern__emit_population_at(m, input_pool, pos);
    return p == NULL ? TERN_MAX_POPULATIONS : (uint32_t)(p - m->populations);
}

static tern_status make_bundles(explain *e, tern_arena *arena)
{
    const tern_model *m = e->model;
    const tern_net *n = &e->net;
    const size_t cells = (size_t)(TERN_MAX_POPULATIONS + 1u) * m->n_populations * TERN_MAX_FILTERS;
    explain_bundle *all = tern_arena_get(arena, cells, sizeof *all);
    if (all == NULL) return TERN_ERR_MEMORY;
    for (uint32_t r = 0; r < e->plan->n_rows; ++r) {
        const tern_plan_row *hw = &e->plan->rows[r];
        if (hw->row == UINT32_MAX) continue;
        const tern_row *row = &n->rows[hw->row];
        const uint32_t from = population_at(m, row->kind == TERN_ROW_SHARED, row->first),
                       to = population_at(m, false, n->neurons[hw->neuron].pos);
        if (to == TERN_MAX_POPULATIONS) continue; /* not from the compiler or the image reader */
        explain_bundle *b = &all[((size_t)to * (TERN_MAX_POPULATIONS + 1u) + from) * TERN_MAX_FILTERS + row->filter];
        b->from = from;
        b->to = to;
        b->filter = row->filter;
        ++b->rows;
        b->positions += row->count;
        b->words += hw->words;
        for (uint32_t i = 0; i < row->count; ++i) b->synapses += n->weights0[row->weight + i] != TERN_WEIGHT_ABSENT;
    }
    for (size_t i = 0; i < cells; ++i)
        if (all[i].rows != 0) all[e->n_bundles++] = all[i];
    e->bundles = all;
    return TERN_OK;
}

/* ---- number formats -------------------------------------------------------------- */

static void add_format(explain *e, const char *name, const char *format, double least, double most, double step,
                       const char *note)
{
    explain_format *f = &e->formats[e->n_formats++];
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->format, sizeof f->format, "%s", format);
    f->least = least;
    f->most = most;
    f->step = step;
    f->note = note;
}

/* Signed, symmetric. */
static void add_signed(explain *e, const char *name, int bits, int frac, const char *note)
{
    char format[32];
    if (frac >= 0 && bits >= frac) snprintf(format, sizeof format, "s%d.%d", bits - frac, frac);
    else if (frac > 0) snprintf(format, sizeof format, "%db/2^%d", bits, frac); /* more fraction bits than bits */
    else snprintf(format, sizeof format, "%db*2^%d", bits, -frac);
    const double step = ldexp(1.0, -frac), most = (ldexp(1.0, bits - 1) - 1.0) * step;
    add_format(e, name, format, -most, most, step, note);
}

static void make_formats(explain *e)
{
    const tern_net *n = &e->net;
    uint32_t most = 0;
    for (unsigned f = 0; f < n->n_filters; ++f) {
        uint32_t sum = 0;
        for (unsigned t = 0; t < n->taps_d; ++t) sum += n->filter_taps[f * n->taps_d + t];
        if (sum > most) most = sum;
    }
    int bits = 0;
    while (most >> bits != 0) ++bits;
    char text[16];
    const double p_least = n->sig_f16[TERN_SIG_ENTRIES - 1] / 65536.0; /* at the limits of u */
    const double unit = ldexp(1.0, -(int)n->trace_frac);
    add_signed(e, "weight", n->weight_bits, n->weight_frac, "-2^(bits-1) means: no synapse");
    add_signed(e, "bias, self-memory weight", 16, (int)TERN_BIAS_FRAC, "");
    snprintf(text, sizeof text, "u1.%u", n->trace_frac);
    add_format(e, "filter tap", text, 0.0, 2.0 - unit, unit, "");
    snprintf(text, sizeof text, "u%d.%u", bits > n->trace_frac ? bits - n->trace_frac : 0, n->trace_frac);
    add_format(e, "trace x", text, 0.0, most * unit, unit, "largest with a spike in every step");
    add_signed(e, "potential u", 12, (int)TERN_U_FRAC, "");
    bool circuits = false; /* a member of a circuit may have probability 0 */
    for (uint32_t i = 0; i < n->n_neurons; ++i) circuits = circuits || n->neurons[i].wta_size != 0;
    const double e_most = circuits ? 32767.0 / 32768.0 : 1.0 - p_least;
    add_format(e, "probability p", "u0.16", circuits ? 0.0 : p_least, circuits ? 65535.0 / 65536.0 : 1.0 - p_least,
               1.0 / 65536.0, circuits ? "of a WTA circuit: 0 occurs" : "");
    add_format(e, "error", "s0.15", -e_most, e_most, 1.0 / 32768.0, "spike minus probability");
    add_signed(e, "log-probability v", 32, (int)TERN_V_FRAC, "discounted with gamma");
    if (tern__emit_set_used(n, 0)) {
        add_format(e, "modulator m", "s2.14", 0.0, 1.0, 1.0 / 16384.0,
                   n->rule == TERN_RULE_MB ? "1/K of each sample (visible neurons)"
                                           : "all samples of a step add up to 1");
        add_signed(e, "learning coefficient c", 16, n->learn[0].c_frac, "eta kappa^d m e");
        add_format(e, "weight change", "exact", -INFINITY, INFINITY,
                   ldexp(1.0, -((int)n->learn[0].c_frac + n->trace_frac)), "rounded by a dither of R bits");
    }
    if (tern__emit_set_used(n, 1)) {
        add_signed(e, n->baseline == TERN_BASELINE_NONE ? "learning signal w" : "signal w, baseline b", 32,
                   (int)TERN_V_FRAC, "");
        add_signed(e, "modulator from w", 15, tern__emit_signal_frac(n),
                   n->baseline == TERN_BASELINE_NONE ? "w; counted where limited" : "w - b; counted where limited");
        add_signed(e, "coefficient c from w", 16, n->learn[1].c_frac, "eta kappa^d m e");
        add_format(e, "weight change from w", "exact", -INFINITY, INFINITY,
                   ldexp(1.0, -((int)n->learn[1].c_frac + n->trace_frac)), "rounded by a dither of R bits");
    }
    add_format(e, "discount gamma", "u1.16", 0.0, 1.0, 1.0 / 65536.0, "");
}

/* ---- learning rate ------------------------------------------------------------------ */

static explain_rate rate_at(const explain *e, uint32_t presentations)
{
    explain_rate r = { presentations, tern_rule_eta_at(&e->model->rule, presentations), 0, 0.0 };
    const double value = ldexp(r.eta, e->ef), rounded = floor(value + 0.5);
    r.ek0 = rounded > 65535.0 ? 65535u : (uint32_t)rounded;
    r.error = value > 0.0 ? fabs(rounded - value) / value : 0.0;
    return r;
}

static void make_rates(explain *e)
{
    const tern_rule *rule = &e->model->rule;
    e->neglected = pow(rule->kappa, e->net.lags_w);
    e->ef = e->net.learn[0].c_frac + e->net.learn[0].c_shift - 15;
    e->rates[e->n_rates++] = rate_at(e, 0);
    if (rule->eta_every == 0 || rule->eta_divide <= 1.0) return;
    for (uint32_t divisions = 1; e->n_rates < EXPLAIN_SCHEDULE; divisions *= 10) {
        const uint64_t at = (uint64_t)rule->eta_every * divisions;
        if (at > UINT32_MAX) break;
        e->rates[e->n_rates++] = rate_at(e, (uint32_t)at);
        if (e->rates[e->n_rates - 1].ek0 == 0) break;
    }
    /* eta 2^ef falls below one half; counted as tern_rule_eta_at() divides */
    double eta = rule->eta;
    uint64_t divisions = 0;
    while (ldexp(eta, e->ef) >= 0.5 && divisions < 10000000u) {
        eta /= rule->eta_divide;
        ++divisions;
    }
    e->stops = divisions < 10000000u && divisions * rule->eta_every <= UINT32_MAX;
    e->stops_after = e->stops ? (uint32_t)(divisions * rule->eta_every) : 0;
}

/* ---- all of it ------------------------------------------------------------------------ */

static tern_status make_plans(explain *e, tern_arena *arena, tern_diags *diags)
{
    tern_plan *plans = tern_arena_get(arena, EXPLAIN_LANES, sizeof *plans);
    e->bare = tern_arena_get(arena, EXPLAIN_LANES, sizeof *e->bare);
    if (plans == NULL || e->bare == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < EXPLAIN_LANES; ++i) {
        tern_diags *const told = i == e->lane_shift ? diags : NULL;
        tern_status s = tern_plan_make(&e->plan_net, 1u << i, e->net.n_samples, arena, &plans[i], told);
        if (s == TERN_OK) {
            /* more classes than the core counts: it is reported without them */
            (void)tern_plan_label_classes(&plans[i], e->model, TERN_DECODE_RATE, NULL);
            e->bare[i] = plans[i];
            s = tern_target_core(e->target, e->core, &plans[i], told);
            if (s == TERN_OK) tern_plan_use_skip(&plans[i], e->skip);
            if (s == TERN_OK) s = tern_target_ways(e->target, &e->parallel, &plans[i], told);
        }
        if (s == TERN_ERR_MEMORY || (s != TERN_OK && i == e->lane_shift)) return s;
        if (s != TERN_OK) continue; /* too many words for so few lanes: a line less in the tables */
        e->plans[i] = &plans[i];
        tern_costs_cycles(&plans[i], &e->cycles[i]);
    }
    e->plan = e->plans[e->lane_shift];
    return TERN_OK;
}

/* A device's comparison: with the core that is chosen for it. */
static void fit_target(const explain *e, const tern_target *target, tern_fit *out)
{
    tern_plan plans[EXPLAIN_LANES];
    const tern_plan *list[EXPLAIN_LANES] = { NULL };
    for (uint32_t i = 0; i < EXPLAIN_LANES; ++i) {
        if (e->plans[i] == NULL) continue;
        plans[i] = e->bare[i];
        if (tern_target_core(target, e->core, &plans[i], NULL) != TERN_OK) continue;
        tern_plan_use_skip(&plans[i], e->skip);
        if (tern_target_ways(target, &e->parallel, &plans[i], NULL) == TERN_OK) list[i] = &plans[i];
    }
    tern_target_fit(target, list, e->lane_shift, out);
}

/* No device runs a baseline per synapse; what would make it fit begins with giving that up. */
static void refuse_synapse(tern_fit *f)
{
    char with[sizeof f->cures[0]];
    if (f->fits) f->n_cures = 1;
    for (size_t i = 0; i < f->n_cures; ++i) {
        snprintf(with, sizeof with, "rule.baseline=neuron%s%.90s", f->fits ? "" : " and ", f->fits ? "" : f->cures[i]);
        memcpy(f->cures[i], with, sizeof with);
    }
    f->fits = false;
}

tern_status explain_make(explain *e, tern_arena *arena, tern_diags *diags)
{
    e->net = tern__emit_net(e->model);
    e->net.ek0 = e->model->net.ek0; /* the largest of the schedule: widths are proved for it */
    e->plan_net = e->net;
    e->c_only = e->net.baseline == TERN_BASELINE_SYNAPSE;
    if (e->c_only) e->plan_net.baseline = TERN_BASELINE_NEURON;
    e->comm = tern__emit_communication(&e->net);
    tern_status s = tern_layout_hash(e->model, e->layout);
    if (s == TERN_OK) s = make_plans(e, arena, diags);
    if (s == TERN_OK) s = make_bundles(e, arena);
    if (s != TERN_OK) return s;
    make_formats(e);
    make_rates(e);
    e->n_memories = tern_core_memories(&e->plan->need, e->memories);
    tern_costs_count(e->plan, &e->costs);
    for (size_t i = 0; i < TERN_TARGETS; ++i) {
        fit_target(e, &tern_targets[i], &e->fits[i]);
        if (e->c_only) refuse_synapse(&e->fits[i]);
    }
    return TERN_OK;
}
