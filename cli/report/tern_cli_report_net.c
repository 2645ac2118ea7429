/* tern_cli_report_net.c : the part of a report about the network itself, from the image
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_report.h"

static const char *const KINDS[] = { "input", "hidden", "visible" }, *const RULES[] = { "GEM", "MB", "IW", "REWARD" },
                         *const FILTERS[] = { "raised cosine", "exponential", "alpha", "given taps" };
enum { PROJECTION_ROWS = 64 };

static uint64_t synapses_of(const tern_model *m)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->net.n_weights; ++i) n += m->net.weights0[i] != TERN_WEIGHT_ABSENT;
    return n;
}

static void population_table(tern_report *r)
{
    bool circuits = false;
    for (uint32_t i = 0; i < r->model.n_populations; ++i) circuits |= r->model.populations[i].wta != 0;
    tern_report_table t = tern_report_table_new(r, circuits ? 5 : 4);
    tern_report_cell(&t, "population");
    tern_report_cell(&t, "kind");
    tern_report_cell(&t, "shape");
    tern_report_cell(&t, "units");
    if (circuits) tern_report_cell(&t, "circuits");
    for (uint32_t i = 0; i < r->model.n_populations; ++i) {
        const tern_population *p = &r->model.populations[i];
        char shape[48] = "";
        for (unsigned d = 0; d < p->n_dims; ++d)
            snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%u", d > 0 ? " x " : "", p->dims[d]);
        tern_report_cell(&t, "%s", p->name);
        tern_report_cell(&t, "%s", KINDS[p->kind]);
        tern_report_cell(&t, "%s", shape);
        tern_report_cell(&t, "%u", p->size);
        if (p->wta != 0) tern_report_cell(&t, "%u of %u neurons", p->size / p->wta, p->wta);
        else if (circuits) tern_report_cell(&t, "%s", "");
    }
    tern_report_table_end(&t, circuits ? "Populations. Of a winner-take-all circuit at most one neuron fires in a step."
                                       : "Populations.");
}

static int source_of(const tern_model *m, bool inputs, uint32_t pos)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if ((p->kind == TERN_POP_INPUT) == inputs && pos >= p->pos && pos - p->pos < p->size) return (int)i;
    }
    return -1;
}

/* Synapses by source, target and filter. */
static void projection_table(tern_report *r)
{
    const tern_model *m = &r->model;
    const tern_net *net = &m->net;
    const size_t P = m->n_populations, F = net->n_filters;
    uint64_t *count = tern_arena_get(&r->arena, P * P * F, sizeof *count);
    if (count == NULL) {
        r->failed = true;
        return;
    }
    for (uint32_t n = 0; n < net->n_neurons; ++n) {
        const tern_population *to = tern_report_population_of(m, n);
        for (uint32_t k = 0; to != NULL && k < net->neurons[n].n_rows; ++k) {
            const tern_row *row = &net->rows[net->neurons[n].row0 + k];
            int from = -1;
            for (uint32_t i = 0; i < row->count; ++i) {
                if (net->weights0[row->weight + i] == TERN_WEIGHT_ABSENT) continue;
                const uint32_t pos = row->first + i;
                if (from < 0 || pos < m->populations[from].pos ||
                    pos - m->populations[from].pos >= m->populations[from].size)
                    from = source_of(m, row->kind == TERN_ROW_SHARED, pos);
                if (from >= 0) ++count[((size_t)from * P + (size_t)(to - m->populations)) * F + row->filter];
            }
        }
    }
    tern_report_table t = tern_report_table_new(r, 4);
    tern_report_cell(&t, "from");
    tern_report_cell(&t, "to");
    tern_report_cell(&t, "filter");
    tern_report_cell(&t, "synapses");
    size_t rows = 0, all = 0;
    for (size_t i = 0; i < P * P * F; ++i) {
        if (count[i] == 0 || ++all > PROJECTION_ROWS) continue;
        ++rows;
        tern_report_cell(&t, "%s", m->populations[i / F / P].name);
        tern_report_cell(&t, "%s", m->populations[i / F % P].name);
        tern_report_cell(&t, "%zu", i % F);
        tern_report_cell(&t, "%" PRIu64, count[i]);
    }
    tern_report_table_end(&t, all > rows ? tern_report_print(r, "Connections, the first %zu of %zu kinds.", rows, all)
                                         : "Connections.");
}

static void setting(tern_report_table *t, const char *name, const char *value)
{
    tern_report_cell(t, "%s", name);
    tern_report_cell(t, "%s", value);
}

static void setting_table(tern_report *r)
{
    const tern_model *m = &r->model;
    const tern_net *n = &m->net;
    const tern_rule *rule = &m->rule;
    static const char *const baselines[] = { "none", "one for each neuron", "one for each synapse" };
    tern_report_table t = tern_report_table_new(r, 2);
    setting(&t, "rule", RULES[rule->kind]);
    setting(&t, "samples K", tern_report_print(r, "%u", m->state != NULL ? m->state->n_samples : n->n_samples));
    setting(&t, "learning rate eta",
            rule->eta_every != 0 ? tern_report_print(r, "%.6g, divided by %.6g every %u presentations", rule->eta,
                                                     rule->eta_divide, rule->eta_every)
                                 : tern_report_print(r, "%.6g", rule->eta));
    setting(&t, "gamma, kappa", tern_report_print(r, "%.6g, %.6g", rule->gamma, rule->kappa));
    if (rule->kind != TERN_RULE_GEM) setting(&t, "baseline", baselines[n->baseline]);
    if (rule->kind == TERN_RULE_REWARD)
        setting(&t, "tau of the distance", tern_report_print(r, "%.6g steps", rule->tau));
    setting(&t, "weights",
            tern_report_print(r, "%u bits, steps of 2^-%u, up to \u00b1%.6g", n->weight_bits, n->weight_frac,
                              ldexp((double)((1 << (n->weight_bits - 1)) - 1), -(int)n->weight_frac)));
    setting(&t, "bias, self-memory", "s4.12: 16 bits, steps of 2^-12");
    setting(&t, "traces", tern_report_print(r, "u1.%u", n->trace_frac));
    setting(&t, "history", tern_report_print(r, "%u steps of the filters and %u of learning", n->taps_d, n->lags_w));
    setting(&t, "neurons", tern_report_print(r, "%u, %u of them visible", n->n_neurons, n->n_visible));
    setting(&t, "synapses", tern_report_print(r, "%" PRIu64 " in %u words of memory", synapses_of(m), n->n_weights));
    if (m->data.present)
        setting(&t, "a presentation", tern_report_print(r, "%u steps of %u us", m->data.steps, m->data.window_us));
    setting(&t, "trained",
            m->state == NULL
                ? "no"
                : tern_report_print(r, "%u presentations, %u steps", m->presentations_done, m->state->step));
    setting(&t, "script, SHA-256", tern_report_print(r, "%.16s...", m->source_sha256));
    if (!r->failed) tern_page_facts(r->page, t.n / 2, t.cells, "Rule, formats and sizes.");
}

static void filter_figure(tern_report *r)
{
    const tern_model *m = &r->model;
    const tern_net *n = &m->net;
    tern_plot *p = tern_report_figure(r, "Synaptic filters", "steps since the spike", "trace",
                                      "How a spike fades in the synapses, in the numbers that the engines use. A "
                                      "synapse has one weight for each of its filters.");
    double *x = tern_report_numbers(r, n->taps_d);
    for (uint32_t i = 0; p != NULL && x != NULL && i < n->taps_d; ++i) x[i] = i + 1;
    for (uint32_t f = 0; f < n->n_filters && !r->failed; ++f) {
        double *y = tern_report_numbers(r, n->taps_d);
        for (uint32_t i = 0; y != NULL && i < n->taps_d; ++i)
            y[i] = ldexp(n->filter_taps[f * n->taps_d + i], -(int)n->trace_frac);
        if (y != NULL)
            tern_report_series(p, tern_report_print(r, "%u: %s", f, FILTERS[m->filters[f].kind]), TERN_PLOT_MARKED,
                               (int)f, n->taps_d, x, y);
    }
    if (p != NULL) p->y_min = 0;
}

void tern_report_network(tern_report *r)
{
    const tern_model *m = &r->model;
    tern_page_section(r->page, "Network");
    tern_report_put(r, "neurons", json_integer(m->net.n_neurons));
    tern_report_put(r, "synapses", json_integer((json_int_t)synapses_of(m)));
    setting_table(r);
    population_table(r);
    projection_table(r);
    if (m->net.n_filters != 0) filter_figure(r);
}
