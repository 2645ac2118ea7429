/* tern_explain_print.c : `tern explain` for people
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cores.h"
#include "tern_explain.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void heading(FILE *f, const char *text) { fprintf(f, "\n%s\n", text); }

static const char *population_name(const explain *e, uint32_t i)
{
    return i < e->model->n_populations ? e->model->populations[i].name : "?";
}

static void print_populations(const explain *e, FILE *f)
{
    const tern_model *m = e->model;
    heading(f, "POPULATIONS");
    fprintf(f, "  %-20s %-8s %-14s %7s %15s%s\n", "name", "kind", "shape", "units", "positions",
            tern__emit_circuits(m) ? "  winner-take-all circuits" : "");
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        char shape[48] = "", positions[32], circuits[40] = "";
        for (unsigned d = 0; d < p->n_dims; ++d)
            snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%u", d > 0 ? " x " : "", p->dims[d]);
        snprintf(positions, sizeof positions, "%u..%u", p->pos, p->pos + p->size - 1u);
        if (p->wta != 0) snprintf(circuits, sizeof circuits, "  %u of %u neurons", p->size / p->wta, p->wta);
        fprintf(f, "  %-20s %-8s %-14s %7u %15s%s\n", p->name, tern__emit_pop_kinds[p->kind], shape, p->size, positions,
                circuits);
    }
    fprintf(f, "  pools: %u input positions, %u neuron positions; %u neurons, %u of them visible\n",
            e->net.n_inputs_pos, e->net.n_neurons_pos, e->net.n_neurons, e->net.n_visible);
}

static void print_projections(const explain *e, FILE *f)
{
    uint64_t synapses = 0;
    heading(f, "PROJECTIONS (rows: runs of synapses onto one neuron through one filter; words of the weight memory "
               "hold one weight for each lane)");
    fprintf(f, "  %-20s %-20s %6s %8s %11s %9s %6s\n", "from", "to", "filter", "rows", "synapses", "words", "filled");
    for (size_t i = 0; i < e->n_bundles; ++i) {
        const explain_bundle *b = &e->bundles[i];
        synapses += b->synapses;
        fprintf(f, "  %-20s %-20s %6u %8" PRIu64 " %11" PRIu64 " %9" PRIu64 " %4.0f %%\n", population_name(e, b->from),
                population_name(e, b->to), b->filter, b->rows, b->synapses, b->words,
                100.0 * (double)b->synapses / (double)(b->words * e->plan->lanes));
    }
    fprintf(f, "  total: %u rows, %" PRIu64 " synapses in %u words of %u lanes (%.0f %% filled)\n", e->net.n_rows,
            synapses, e->plan->n_words, e->plan->lanes,
            e->plan->n_words == 0 ? 0.0 : 100.0 * (double)synapses / ((double)e->plan->n_words * e->plan->lanes));
}

static void print_filters(const explain *e, FILE *f)
{
    const tern_net *n = &e->net;
    heading(f, "FILTERS");
    for (unsigned b = 0; b < n->n_filters; ++b) {
        const tern_filter *filter = &e->model->filters[b];
        fprintf(f, "  %2u %-12s %u taps:", b, tern__emit_filter_kinds[filter->kind], filter->n_taps);
        for (unsigned t = 0; t < filter->n_taps && t < n->taps_d; ++t)
            fprintf(f, "%s %.4g", t > 0 && t % 12 == 0 ? "\n                         " : "",
                    ldexp(n->filter_taps[b * n->taps_d + t], -(int)n->trace_frac));
        if (filter->cut_mass > 0.0) fprintf(f, "  (%.2g %% of its sum lies beyond)", 100.0 * filter->cut_mass);
        fputc('\n', f);
    }
    fprintf(f, "  D = %u taps are kept for each\n", n->taps_d);
}

static void print_formats(const explain *e, FILE *f)
{
    const tern_capacity *c = &e->plan->need;
    heading(f, "FORMATS (s4.12: signed, 4 integer bits with the sign, 12 fraction bits; docs/21-numerics.md)");
    fprintf(f, "  %-26s %-8s %12s %12s %12s\n", "number", "format", "least", "most", "step");
    for (size_t i = 0; i < e->n_formats; ++i) {
        const explain_format *x = &e->formats[i];
        if (isfinite(x->most))
            fprintf(f, "  %-26s %-8s %12.6g %12.6g %12.6g%s%s\n", x->name, x->format, x->least, x->most, x->step,
                    x->note[0] != 0 ? "  " : "", x->note);
        else fprintf(f, "  %-26s %-8s %12s %12s %12.6g  %s\n", x->name, x->format, "", "", x->step, x->note);
    }
    fprintf(f, "  widths proved for this network: trace %u, kernel tap %u, weight change %u, sum %u bits\n", c->x_w,
            c->kernel_w, c->delta_w, c->acc_w);
}

/* What the rule's learning signal is, what is subtracted, and what is counted. */
static void print_signal(const explain *e, FILE *f)
{
    static const char *const what[] = {
        "", "the log-probability of the sample, divided by K, for hidden neurons; visible ones: 1/K",
        "log R for hidden neurons; visible ones: weights of the samples", "the reward, divided by K, for all neurons"
    };
    const tern_net *n = &e->net;
    const tern_rule *r = &e->model->rule;
    if (n->rule == TERN_RULE_GEM) {
        fputs("  modulator: weights of the samples (softmax), for all neurons\n", f);
        return;
    }
    fprintf(f, "  modulator: %s\n", what[n->rule]);
    if (n->rule == TERN_RULE_REWARD && r->tau > 0.0)
        fprintf(f, "  reward: minus the van Rossum distance to the targets, tau = %.6g steps, discounted with gamma\n",
                r->tau);
    if (n->rule == TERN_RULE_REWARD && !(r->tau > 0.0)) fputs("  reward: given by the caller (tern_reward)\n", f);
    if (n->baseline == TERN_BASELINE_NONE) fputs("  baseline: none\n", f);
    else
        fprintf(f, "  baseline: one for each %s, from averages over %u steps (lambda = 1 - 2^-%u)\n",
                n->baseline == TERN_BASELINE_NEURON ? "neuron" : "weight, bias and self-memory", r->memory,
                n->baseline_shift);
    if (e->c_only)
        fputs("  no hardware runs a baseline per synapse: the figures of the core below are for rule.baseline=neuron\n",
              f);
    const int mf = tern__emit_signal_frac(n);
    if (tern__emit_set_used(n, 1))
        fprintf(f,
                "  learning signals%s reach +-%.6g in steps of %.6g (MF = %d, formats.signal); limited ones are "
                "counted as saturations of modulators\n",
                n->baseline == TERN_BASELINE_NONE ? "" : " less baseline", ldexp(16383.0, -mf), ldexp(1.0, -mf), mf);
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static void print_learning(const explain *e, FILE *f)
{
    const tern_net *n = &e->net;
    const tern_rule *r = &e->model->rule;
    heading(f, "LEARNING");
    fprintf(f, "  rule %s, K = %u sample%s, eta %.6g", tern__emit_rule_kinds[r->kind], n->n_samples,
            plural(n->n_samples), r->eta);
    if (r->eta_every != 0) fprintf(f, " divided by %.6g every %u presentations", r->eta_divide, r->eta_every);
    fprintf(f, ", gamma %.6g (stored: %u/65536), kappa %.6g\n", r->gamma, n->gamma_f16, r->kappa);
    print_signal(e, f);
    fprintf(f, "  window: W = %u lag%s; neglected of the average: kappa^W = %.3g; D + W = %u history bits\n", n->lags_w,
            plural(n->lags_w), e->neglected, n->taps_d + n->lags_w);
    for (unsigned set = 0; set < 2; ++set) {
        const tern_learn *a = &n->learn[set];
        const char *who = n->rule == TERN_RULE_GEM || n->rule == TERN_RULE_REWARD ? "all neurons"
                          : set == 0                                              ? "visible neurons"
                                                                                  : "hidden neurons";
        if (tern__emit_set_used(n, set))
            fprintf(f,
                    "  %s: R = %u bits of dither below a weight's last bit (bias and self-memory: %u); FC = %u, "
                    "c_shift = %u\n",
                    who, a->dither_bits, a->local_bits, a->c_frac, a->c_shift);
    }
    fprintf(f, "  ek[d] = eta kappa^d 2^%d:", e->ef);
    for (unsigned d = 0; d < n->lags_w; ++d) fprintf(f, "%s %u", d > 0 && d % 16 == 0 ? "\n   " : "", n->ek0[d]);
    fprintf(f, "\n  %14s %12s %8s %22s\n", "presentations", "eta", "ek[0]", "rounding error of ek[0]");
    for (size_t i = 0; i < e->n_rates; ++i)
        fprintf(f, "  %14u %12.5g %8u %21.3g %%\n", e->rates[i].presentations, e->rates[i].eta, e->rates[i].ek0,
                100.0 * e->rates[i].error);
    if (e->stops)
        fprintf(f, "  learning stops after %u presentations: eta is then below half a unit of ek\n", e->stops_after);
}

static void print_memories(const explain *e, FILE *f)
{
    uint64_t total = 0;
    const tern_core_ops *core = tern_core_of(&e->plan->need);
    char title[120];
    snprintf(title, sizeof title, "MEMORY (%s: every memory of the smallest %s that holds this network)", core->folder,
             core->noun);
    heading(f, title);
    fprintf(f, "  %-13s %9s %6s %11s  %s\n", "memory", "words", "bits", "total bits", "holds");
    for (size_t i = 0; i < e->n_memories; ++i) {
        const tern_memory *m = &e->memories[i];
        total += tern_memory_bits(m);
        char copies[24] = "";
        if (m->copies > 1) snprintf(copies, sizeof copies, " (%u of them)", m->copies);
        fprintf(f, "  %-13s %9u %6u %11" PRIu64 "  %s%s%s\n", m->name, m->depth, m->width, tern_memory_bits(m), m->use,
                copies,
                m->registers == TERN_MEMORY_SINGLE ? " (single-port)"
                : m->registers != 0                ? " (registers)"
                                                   : "");
    }
    fprintf(f, "  %-13s %9s %6s %11" PRIu64 "\n", "sum", "", "", total);
    fprintf(f, "  state of the C model: %zu bytes\n", tern_state_bytes(&e->net, e->net.n_samples));
}

static void print_cycles(const explain *e, FILE *f)
{
    const tern_step_cycles *mine = &e->cycles[e->lane_shift];
    bool exact = true;
    heading(
        f,
        mine->estimated ? "CYCLES OF A STEP (estimated: small core)"
        : mine->most
            ? "CYCLES OF A STEP (at most: silent words are left out; the co-simulation compares them with the hardware)"
            : "CYCLES OF A STEP (predicted; the co-simulation compares them with the hardware)");
    fprintf(f, "  %5s %12s %12s %12s %12s %10s %16s\n", "lanes", "learning", "first step", "inference", "flush",
            "words", "words per cycle");
    for (uint32_t i = 0; i < EXPLAIN_LANES; ++i) {
        const tern_step_cycles *c = &e->cycles[i];
        if (e->plans[i] == NULL) {
            fprintf(f, "  %5u  beyond a limit of the core\n", 1u << i);
            continue;
        }
        const char *at_least = c->exact ? "" : c->estimated ? "~" : c->most ? "<" : ">";
        char rate[16] = "-";
        if (c->exact || c->estimated || c->most)
            snprintf(rate, sizeof rate, "%.3f", (double)e->plans[i]->n_words / (double)c->learning);
        exact = exact && (c->exact || c->estimated || c->most);
        fprintf(f, " %c%5u %1s%11" PRIu64 " %1s%11" PRIu64 " %1s%11" PRIu64 " %1s%11" PRIu64 " %10u %16s\n",
                i == e->lane_shift ? '*' : ' ', 1u << i, at_least, c->learning, at_least, c->first, at_least,
                c->inference, at_least, c->flush, e->plans[i]->n_words, rate);
    }
    if (mine->estimated)
        fprintf(f,
                "  ~ : an estimate, as if no input were silent. With %u lane%s a step that learns takes %" PRIu64
                " to %" PRIu64 ", one of inference %" PRIu64 " to %" PRIu64 "; tern cosim --data measures recordings\n",
                1u << e->lane_shift, plural(1u << e->lane_shift), mine->learning_range.least, mine->learning_range.most,
                mine->inference_range.least, mine->inference_range.most);
    if (mine->most)
        fprintf(f,
                "  < : at most, if no word of inputs is silent; all silent: %" PRIu64
                " with %u lane%s for a step that learns, %" PRIu64
                " for inference; tern cosim --data measures recordings\n",
                mine->learning_range.least, 1u << e->lane_shift, plural(1u << e->lane_shift),
                mine->inference_range.least);
    if (!exact)
        fputs("  > : lower bound, the operations of the pass alone; counting the cycles of so large a step would take "
              "long\n",
              f);
    const tern_capacity *core = &e->plan->need;
    if (tern_core_of(core)->parallel) {
        fprintf(f, "  with %" PRIu32 " lane%s: ", e->plan->lanes, plural(e->plan->lanes));
        if (!e->plan->reads_neurons) fputs("no rows from neurons", f);
        else if (core->kernels != 0) fputs("rows from neurons with a kernel for each sample", f);
        else
            fprintf(f, "rows from neurons with traces of %" PRIu32 " sample%s per cycle", core->ways,
                    plural(core->ways));
        fprintf(f, "; %" PRIu32 " product%s of a kernel per cycle\n", core->prep, plural(core->prep));
    }
    if ((mine->exact || mine->estimated || mine->most) && mine->inference > 0)
        fprintf(f, "  learning costs %.1f %% more cycles than inference (%u lane%s, %u sample%s)\n",
                100.0 * ((double)mine->learning / (double)mine->inference - 1.0), e->plan->lanes,
                plural(e->plan->lanes), e->net.n_samples, plural(e->net.n_samples));
}

static void print_operations(const explain *e, FILE *f)
{
    const tern_costs *c = &e->costs;
    tern_ops sum[2] = { { 0, 0 }, { 0, 0 } };
    heading(f, "OPERATIONS OF A LEARNING STEP (kernel form: as the hardware does it; eligibility form: a trace for "
               "each synapse and sample)");
    fprintf(f, "  %-24s %15s %15s %17s %17s\n", "", "kernel: mult.", "kernel: add.", "eligib.: mult.", "eligib.: add.");
    for (unsigned i = 0; i < TERN_COST_PARTS; ++i) {
        const tern_ops *a = &c->kernel[i], *b = &c->eligibility[i];
        fprintf(f, "  %-24s %15" PRIu64 " %15" PRIu64 " %17" PRIu64 " %17" PRIu64 "\n", tern_cost_names[i],
                a->multiplications, a->additions, b->multiplications, b->additions);
        sum[0].multiplications += a->multiplications;
        sum[0].additions += a->additions;
        sum[1].multiplications += b->multiplications;
        sum[1].additions += b->additions;
    }
    fprintf(f, "  %-24s %15" PRIu64 " %15" PRIu64 " %17" PRIu64 " %17" PRIu64 "\n", "sum", sum[0].multiplications,
            sum[0].additions, sum[1].multiplications, sum[1].additions);
    fprintf(f,
            "  additions of taps and kernels are counted as if every history bit were set; %" PRIu64
            " synapses from inputs, %" PRIu64 " from neurons\n",
            c->synapses_shared, c->synapses_sample);
    fprintf(f,
            "  eligibility memory that is not needed: %" PRIu64 " words of 16 bits = %" PRIu64
            " bits; in its place %" PRIu64 " errors of 16 bits and %" PRIu64 " history bits, so %" PRIu64
            " bits are saved\n",
            c->eligibility_words, 16u * c->eligibility_words, c->kernel_words, c->kernel_history_bits,
            tern_costs_bits_saved(c));
    heading(f, "COMMUNICATION OF A LEARNING STEP (numbers)");
    const tern__emit_comm *m = &e->comm;
    const uint32_t k = e->net.n_samples, visible = e->net.n_visible, hidden = e->net.n_neurons - e->net.n_visible;
    if (e->net.rule == TERN_RULE_REWARD)
        fputs("  neurons to central processor: 0 (a reward comes from outside, unicast)\n", f);
    else if (m->tellers == visible)
        fprintf(f, "  neurons to central processor: K |X| = %u x %u = %" PRIu64 " (cross-entropies, unicast)\n", k,
                visible, m->unicast);
    else
        fprintf(f,
                "  neurons to central processor: K |X| = %u x %u = %" PRIu64
                " (cross-entropies, one for a circuit, unicast)\n",
                k, m->tellers, m->unicast);
    fprintf(f, "  central processor to neurons: %s = ", m->broadcast_formula);
    switch ((tern_rule_kind)e->net.rule) {
    case TERN_RULE_MB:
        fprintf(f, "%u x %u = %" PRIu64 " (learning signals, broadcast)\n", k, hidden, m->broadcast);
        break;
    case TERN_RULE_IW:
        fprintf(f, "%u x %u + %u = %" PRIu64 " (modulators, learning signal, broadcast)\n", k, visible, hidden,
                m->broadcast);
        break;
    default:
        fprintf(f, "%u x (%u + %u) = %" PRIu64 " (%s, broadcast)\n", k, visible, hidden, m->broadcast,
                e->net.rule == TERN_RULE_GEM ? "modulators" : "learning signals");
        break;
    }
}

static void print_targets(const explain *e, FILE *f)
{
    heading(f, "TARGETS (block RAMs are counted, logic cells are estimated; docs/35-targets.md)");
    for (size_t i = 0; i < TERN_TARGETS; ++i) {
        const tern_fit *x = &e->fits[i];
        const tern_target *t = x->target;
        if (t->family == TERN_FAMILY_SIM && !e->c_only) {
            fprintf(f, "  %-9s fits: a simulation has no limits\n", t->name);
            continue;
        }
        if (e->c_only && i == 0) fputs("  none: a baseline per synapse exists in the C engines only\n", f);
        if (t->family == TERN_FAMILY_SIM) {
            fprintf(f, "  %-9s does not run it\n            fits with %s\n", t->name, x->cures[0]);
            continue;
        }
        fprintf(f, "  %-9s %s%s: block RAMs %" PRIu64 " of %u%s; ", t->name, x->fits ? "fits" : "does not fit",
                x->core->suffix, x->rams, t->rams, x->rams_short ? ": too few" : "");
        if (x->sprams != 0)
            fprintf(f, "single-port RAMs %" PRIu64 " of %u%s; ", x->sprams, t->sprams,
                    x->sprams_short ? ": too few" : "");
        fprintf(f, "multipliers %u of %u%s; logic cells about %" PRIu64 " of %u (%.0f %%)%s\n", x->multipliers, t->dsps,
                x->multipliers > t->dsps ? ", the others take logic cells" : "", x->cells, t->cells,
                100.0 * (double)x->cells / t->cells, x->registers_short || x->cells_short ? ": too few" : "");
        if (x->rams_short && t->sprams != 0 && !x->core->single_port)
            fputs("            only the small core uses its single-port RAM\n", f);
        for (size_t c = 0; c < x->n_cures; ++c)
            fprintf(f, "            %s %s\n", c == 0 ? "fits with" : "       or", x->cures[c]);
        if (!x->fits && x->n_cures == 0)
            fputs("            no change of lanes, weight bits, samples or lags makes it fit\n", f);
    }
}

void explain_print(const explain *e, FILE *f)
{
    fprintf(f, "%s: %s, %slanes = %u, K = %u\n  layout %s\n", e->model->name,
            e->model->state != NULL ? "trained" : "not trained", tern_core_of(&e->plan->need)->prefix, e->plan->lanes,
            e->net.n_samples, e->layout);
    print_populations(e, f);
    print_projections(e, f);
    print_filters(e, f);
    print_formats(e, f);
    print_learning(e, f);
    print_memories(e, f);
    print_cycles(e, f);
    print_operations(e, f);
    print_targets(e, f);
}
