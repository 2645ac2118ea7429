/* tern_explain_json.c : `tern explain --json`
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_capacity.h"
#include "tern_cores.h"
#include "tern_explain.h"

static json_t *number(uint64_t x) { return json_integer((json_int_t)x); }

static json_t *populations(const explain *e)
{
    json_t *list = tern_json_list();
    for (uint32_t i = 0; i < e->model->n_populations; ++i) {
        const tern_population *p = &e->model->populations[i];
        json_t *shape = tern_json_list();
        for (unsigned d = 0; d < p->n_dims; ++d) tern_json_add(shape, number(p->dims[d]));
        tern_json_add(list,
                      tern_json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o}", "name", p->name, "kind",
                                     tern__emit_pop_kinds[p->kind], "wta", p->wta == 0 ? json_null() : number(p->wta),
                                     "shape", shape, "units", number(p->size), "first_position", number(p->pos),
                                     "first_neuron", p->kind == TERN_POP_INPUT ? json_null() : number(p->neuron0)));
    }
    return list;
}

static json_t *projections(const explain *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < e->n_bundles; ++i) {
        const explain_bundle *b = &e->bundles[i];
        tern_json_add(list,
                      tern_json_pack("{s:s,s:s,s:i,s:o,s:o,s:o}", "from",
                                     b->from < e->model->n_populations ? e->model->populations[b->from].name : "?",
                                     "to", e->model->populations[b->to].name, "filter", (int)b->filter, "rows",
                                     number(b->rows), "synapses", number(b->synapses), "words", number(b->words)));
    }
    return list;
}

static json_t *filters(const explain *e)
{
    json_t *list = tern_json_list();
    for (unsigned b = 0; b < e->net.n_filters; ++b) {
        const tern_filter *f = &e->model->filters[b];
        json_t *taps = tern_json_list();
        for (unsigned t = 0; t < e->net.taps_d; ++t)
            tern_json_add(taps, number(e->net.filter_taps[b * e->net.taps_d + t]));
        tern_json_add(list, tern_json_pack("{s:s,s:i,s:o,s:o}", "kind", tern__emit_filter_kinds[f->kind], "n_taps",
                                           f->n_taps, "taps", taps, "cut_mass", tern_json_real(f->cut_mass)));
    }
    return list;
}

static json_t *formats(const explain *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < e->n_formats; ++i) {
        const explain_format *f = &e->formats[i];
        tern_json_add(list, tern_json_pack("{s:s,s:s,s:o,s:o,s:o}", "number", f->name, "format", f->format, "least",
                                           tern_json_real(f->least), "most", tern_json_real(f->most), "step",
                                           tern_json_real(f->step)));
    }
    return list;
}

static json_t *learning_set(const tern_net *n, unsigned set)
{
    const tern_learn *a = &n->learn[set];
    if (!tern__emit_set_used(n, set)) return json_null();
    return tern_json_pack("{s:i,s:i,s:i,s:i}", "dither_bits", a->dither_bits, "local_bits", a->local_bits, "c_frac",
                          a->c_frac, "c_shift", a->c_shift);
}

static json_t *learning(const explain *e)
{
    const tern_net *n = &e->net;
    const tern_rule *r = &e->model->rule;
    json_t *ek = tern_json_list(), *rates = tern_json_list();
    for (unsigned d = 0; d < n->lags_w; ++d) tern_json_add(ek, number(n->ek0[d]));
    for (size_t i = 0; i < e->n_rates; ++i)
        tern_json_add(rates, tern_json_pack("{s:o,s:o,s:o,s:o}", "presentations", number(e->rates[i].presentations),
                                            "eta", tern_json_real(e->rates[i].eta), "ek0", number(e->rates[i].ek0),
                                            "error", tern_json_real(e->rates[i].error)));
    return tern_json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:o,s:i,s:o,s:i,s:[o,o],s:i,s:o,s:o,s:o}", "rule",
                          tern__emit_rule_kinds[r->kind], "baseline", tern__emit_baselines[n->baseline], "memory",
                          n->baseline == TERN_BASELINE_NONE ? json_null() : number(r->memory), "tau",
                          n->rule == TERN_RULE_REWARD ? tern_json_real(r->tau) : json_null(), "signal_frac",
                          tern__emit_set_used(n, 1) ? json_integer(tern__emit_signal_frac(n)) : json_null(), "eta",
                          tern_json_real(r->eta), "eta_divide", tern_json_real(r->eta_divide), "eta_every",
                          number(r->eta_every), "gamma", tern_json_real(r->gamma), "gamma_f16", (int)n->gamma_f16,
                          "kappa", tern_json_real(r->kappa), "lags_w", n->lags_w, "neglected",
                          tern_json_real(e->neglected), "taps_d", n->taps_d, "sets", learning_set(n, 0),
                          learning_set(n, 1), "ek_frac", e->ef, "ek", ek, "rates", rates, "stops_after",
                          e->stops ? number(e->stops_after) : json_null());
}

static json_t *memories(const explain *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < e->n_memories; ++i) {
        const tern_memory *m = &e->memories[i];
        tern_json_add(list, tern_json_pack("{s:s,s:s,s:o,s:o,s:o,s:o,s:b}", "name", m->name, "use", m->use, "words",
                                           number(m->depth), "width", number(m->width), "copies", number(m->copies),
                                           "bits", number(tern_memory_bits(m)), "registers",
                                           m->registers != 0 && m->registers != TERN_MEMORY_SINGLE));
    }
    return list;
}

/* [least, most]; null where the number is exact or a lower bound */
static json_t *range(const tern_step_cycles *c, tern_cycle_range r)
{
    return c->estimated || c->most ? tern_json_pack("[o,o]", number(r.least), number(r.most)) : json_null();
}

static json_t *cycles(const explain *e)
{
    json_t *list = tern_json_list();
    for (uint32_t i = 0; i < EXPLAIN_LANES; ++i) {
        const tern_step_cycles *c = &e->cycles[i];
        if (e->plans[i] == NULL) continue;
        tern_json_add(
            list, tern_json_pack("{s:i,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "lanes", 1 << i, "exact",
                                 c->exact, "estimated", c->estimated, "learning", number(c->learning), "first",
                                 number(c->first), "inference", number(c->inference), "flush", number(c->flush),
                                 "learning_range", range(c, c->learning_range), "first_range", range(c, c->first_range),
                                 "inference_range", range(c, c->inference_range), "flush_range",
                                 range(c, c->flush_range), "words", number(e->plans[i]->n_words), "words_per_cycle",
                                 c->exact || c->estimated || c->most
                                     ? tern_json_real((double)e->plans[i]->n_words / (double)c->learning)
                                     : json_null()));
    }
    return list;
}

static json_t *operations(const tern_ops *parts)
{
    json_t *list = tern_json_object();
    tern_ops sum = { 0, 0 };
    for (unsigned i = 0; i < TERN_COST_PARTS; ++i) {
        sum.multiplications += parts[i].multiplications;
        sum.additions += parts[i].additions;
        tern_json_put(list, tern_cost_names[i],
                      tern_json_pack("{s:o,s:o}", "multiplications", number(parts[i].multiplications), "additions",
                                     number(parts[i].additions)));
    }
    tern_json_put(list, "sum",
                  tern_json_pack("{s:o,s:o}", "multiplications", number(sum.multiplications), "additions",
                                 number(sum.additions)));
    return list;
}

static json_t *targets(const explain *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < TERN_TARGETS; ++i) {
        const tern_fit *x = &e->fits[i];
        const tern_target *t = x->target;
        const bool sim = t->family == TERN_FAMILY_SIM;
        json_t *cures = tern_json_list();
        for (size_t c = 0; c < x->n_cures; ++c) tern_json_add(cures, tern_json_text(x->cures[c]));
        tern_json_add(list, tern_json_pack("{s:s,s:s,s:b,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", t->name,
                                           "text", t->text, "fits", x->fits, "core", x->core->name, "block_rams",
                                           sim ? json_null() : number(x->rams), "block_rams_have",
                                           sim ? json_null() : number(t->rams), "single_port_rams",
                                           sim ? json_null() : number(x->sprams), "single_port_rams_have",
                                           sim ? json_null() : number(t->sprams), "multipliers", number(x->multipliers),
                                           "multipliers_have", sim ? json_null() : number(t->dsps), "cells_least",
                                           sim ? json_null() : number(x->registers_least + 2u * x->lut_rams),
                                           "cells_have", sim ? json_null() : number(t->cells), "cells",
                                           sim ? json_null() : number(x->cells), "fits_with", cures));
    }
    return list;
}

static json_t *capacity(const tern_capacity *c)
{
    json_t *object = tern_json_object();
#define XX(name, field, help) tern_json_put(object, #field, number(c->field));
    TERN_CAPACITY_MAP(XX)
#undef XX
    return object;
}

json_t *explain_json(const explain *e)
{
    const tern_costs *c = &e->costs;
    uint64_t bits = 0;
    for (size_t i = 0; i < e->n_memories; ++i) bits += tern_memory_bits(&e->memories[i]);
    return tern_json_pack(
        "{s:s,s:s,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:{s:o,s:o},s:{s:o,s:o,s:o,s:o},s:{s:o,s:o},s:o,"
        "s:o}",
        "name", e->model->name, "layout_hash", e->layout, "trained", e->model->state != NULL, "hardware", !e->c_only,
        "lanes", number(e->plan->lanes), "samples", number(e->net.n_samples), "synapses",
        number(c->synapses_shared + c->synapses_sample), "populations", populations(e), "projections", projections(e),
        "filters", filters(e), "formats", formats(e), "learning", learning(e), "memories", memories(e), "memory_bits",
        number(bits), "cycles", cycles(e), "operations", "kernel", operations(c->kernel), "eligibility",
        operations(c->eligibility), "eligibility_memory", "words_not_needed", number(c->eligibility_words),
        "error_words", number(c->kernel_words), "history_bits", number(c->kernel_history_bits), "bits_saved",
        number(tern_costs_bits_saved(c)), "communication", "unicast", number(e->comm.unicast), "broadcast",
        number(e->comm.broadcast), "targets", targets(e), "capacity", capacity(&e->plan->need));
}
