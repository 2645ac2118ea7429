/* tern_costs.c : see tern_costs.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_costs.h"
#include "tern_cores.h"

const char *const tern_cost_names[TERN_COST_PARTS] = { "potentials",
                                                       "traces",
                                                       "weight updates",
                                                       "learning kernels",
                                                       "learning coefficients",
                                                       "biases and self-memory",
                                                       "central processor" };

/* ---- operations ------------------------------------------------------------------ */

static void add(tern_ops *o, uint64_t n, uint64_t multiplications, uint64_t additions)
{
    o->multiplications += n * multiplications;
    o->additions += n * additions;
}

static void count_synapses(const tern_net *n, tern_costs *c)
{
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        uint64_t synapses = 0;
        for (uint32_t i = 0; i < row->count; ++i) synapses += n->weights0[row->weight + i] != TERN_WEIGHT_ABSENT;
        if (row->kind == TERN_ROW_SHARED) c->synapses_shared += synapses;
        else c->synapses_sample += synapses;
    }
    for (uint32_t i = 0; i < n->n_neurons; ++i) c->self_memories += n->neurons[i].self_filter != TERN_NO_FILTER;
}

/* Traces that a design with eligibility traces computes once a step: units times filters that some row reads them
 * through. */
static uint64_t distinct_traces(const tern_net *n, uint32_t kind)
{
    uint32_t read[TERN_MAX_POSITIONS / 32];
    uint64_t total = 0;
    for (unsigned f = 0; f < n->n_filters; ++f) {
        memset(read, 0, sizeof read);
        for (uint32_t r = 0; r < n->n_rows; ++r) {
            const tern_row *row = &n->rows[r];
            if (row->kind != kind || row->filter != f) continue;
            for (uint32_t p = row->first; p < row->first + row->count; ++p) {
                total += (~read[p / 32] >> p % 32) & 1u;
                read[p / 32] |= 1u << p % 32;
            }
        }
    }
    return total;
}

/* The paper's table tab:comparison. A WTA circuit sends one cross-entropy. */
static void communication(const tern_plan *plan, tern_costs *c)
{
    const tern_net *n = plan->net;
    const uint64_t k = plan->n_samples, visible = n->n_visible, hidden = n->n_neurons - visible;
    uint64_t senders = 0;
    for (uint32_t i = 0; i < n->n_visible; ++i) senders += n->neurons[i].wta_index + 1u >= n->neurons[i].wta_size;
    c->unicast = n->rule == TERN_RULE_REWARD ? 0 : k * senders;
    c->broadcast = n->rule == TERN_RULE_MB   ? k * hidden
                   : n->rule == TERN_RULE_IW ? k * visible + hidden
                                             : k * (visible + hidden);
}

void tern_costs_count(const tern_plan *plan, tern_costs *c)
{
    const tern_net *n = plan->net;
    const uint64_t k = plan->n_samples, d = n->taps_d, w = n->lags_w, neurons = n->n_neurons, visible = n->n_visible;
    memset(c, 0, sizeof *c);
    count_synapses(n, c);
    const uint64_t shared = c->synapses_shared, sample = c->synapses_sample, self = c->self_memories;
    const bool each = plan->need.kernels != 0; /* rows from neurons have a kernel for each sample, else traces */
    uint64_t kernels = 0;
    for (uint32_t r = 0; r < plan->n_rows; ++r) {
        const tern_plan_row *row = &plan->rows[r];
        if (row->reuse) continue;
        kernels += row->kind == TERN_PLAN_SHARED ? 1u : row->kind == TERN_PLAN_SAMPLE && each ? k : 0;
    }

    /* N-2: once for inputs, for each sample for neurons; bias and self-memory start each potential */
    add(&c->kernel[TERN_COST_POTENTIAL], shared, 1, 1);
    add(&c->kernel[TERN_COST_POTENTIAL], sample, k, k);
    add(&c->kernel[TERN_COST_POTENTIAL], self, k, k);
    memcpy(c->eligibility, c->kernel, sizeof c->kernel);
    /* N-1: a lane adds the taps again for each synapse (no memory of traces), for each lag and sample in rows from
     * neurons with traces */
    add(&c->kernel[TERN_COST_TRACE], shared, 0, d - 1);
    add(&c->kernel[TERN_COST_TRACE], sample, 0, (each ? k : k * w + k) * (d - 1));
    add(&c->kernel[TERN_COST_TRACE], self, 0, (k * w + k) * (d - 1));
    add(&c->eligibility[TERN_COST_TRACE],
        distinct_traces(n, TERN_ROW_SHARED) + k * (distinct_traces(n, TERN_ROW_SAMPLE) + self), 0, d - 1);
    /* N-13: kernel taps where a history has spikes, and w + dw; rows from neurons: of each sample, or the trace form */
    add(&c->kernel[TERN_COST_UPDATE], shared, 0, d + w - 1);
    add(&c->kernel[TERN_COST_UPDATE], sample, each ? 0 : k * w, each ? k * (d + w - 1) + 1 : k * w + 1);
    add(&c->kernel[TERN_COST_KERNEL], kernels, d * w, d * w);
    add(&c->kernel[TERN_COST_COEFFICIENT], neurons * k * w, 2, 1);
    add(&c->kernel[TERN_COST_LOCAL], neurons, 0, 1); /* the sum of the coefficients is made above */
    add(&c->kernel[TERN_COST_LOCAL], self, k * w, k * w + 1);
    /* eq:gem-update: trace' = kappa trace + e x; dw = sum_k m trace; w + eta dw */
    add(&c->eligibility[TERN_COST_UPDATE], shared + sample, 3 * k + 1, 2 * k + 1);
    add(&c->eligibility[TERN_COST_LOCAL], self, 3 * k + 1, 2 * k + 1);
    add(&c->eligibility[TERN_COST_LOCAL], neurons, 2 * k + 1, 2 * k + 1);
    /* N-8..N-10: gamma v, sum of exponentials */
    add(&c->kernel[TERN_COST_SIGNAL], k, 1, 2 + visible);
    c->eligibility[TERN_COST_SIGNAL] = c->kernel[TERN_COST_SIGNAL];

    c->eligibility_words = k * (shared + sample + self + neurons);
    c->kernel_words = k * neurons * w;
    c->kernel_history_bits = w * plan->lanes * plan->need.hist_words + w * k * neurons;
    /* N-20: averaged errors, their squares, the weighted sum, one division */
    if (n->baseline == TERN_BASELINE_NEURON)
        add(&c->kernel[TERN_COST_COEFFICIENT], neurons - plan->signal_first, k * w + 2 * k + 1, k * w + 2 * k + 2);
    communication(plan, c);
}

/* ---- cycles ------------------------------------------------------------------------- */

enum { CYCLES_LIMIT = 20000000 /* of one step; counting them takes about half a second */ };

static uint64_t least_cycles(const tern_plan *p, bool update, bool potential)
{
    const uint64_t k = tern_plan_slots(p), sums = potential ? k : 1u;
    uint64_t word = sums + (update ? k * p->net->lags_w : 0), n = 0;
    if (p->need.kernels != 0) word = update ? k : sums; /* kernel sums beside those of the potentials */
    for (uint32_t r = 0; r < p->n_rows; ++r) n += p->rows[r].words * (p->rows[r].kind == TERN_PLAN_SAMPLE ? word : 1u);
    return n;
}

uint64_t tern_costs_step(const tern_plan *plan, bool learns)
{
    const tern_core_ops *ops = tern_core_of(&plan->need);
    const bool clamp = learns && plan->net->rule != TERN_RULE_REWARD;
    if (ops->exact && least_cycles(plan, true, true) > CYCLES_LIMIT) return least_cycles(plan, learns, true);
    return ops->cycles(plan, learns, true, learns, clamp);
}

void tern_costs_cycles(const tern_plan *plan, tern_step_cycles *out)
{
    const tern_capacity *core = &plan->need;
    const tern_core_ops *ops = tern_core_of(core);
    const bool clamp = plan->net->rule != TERN_RULE_REWARD; /* visible neurons take their targets while they learn */
    if (ops->exact && least_cycles(plan, true, true) > CYCLES_LIMIT) {
        *out = (tern_step_cycles){ .learning = least_cycles(plan, true, true),
                                   .first = least_cycles(plan, false, true),
                                   .inference = least_cycles(plan, false, true),
                                   .flush = least_cycles(plan, true, false) };
        return;
    }
    *out = (tern_step_cycles){ .exact = ops->exact && core->skip == 0,
                               .estimated = !ops->exact,
                               .most = ops->exact && core->skip != 0,
                               .learning = tern_costs_step(plan, true),
                               .first = ops->cycles(plan, false, true, true, clamp),
                               .inference = tern_costs_step(plan, false),
                               .flush = ops->cycles(plan, true, false, false, false) };
    if (out->exact) return;
    out->learning_range = ops->range(plan, core, true, true, true, clamp);
    out->first_range = ops->range(plan, core, false, true, true, clamp);
    out->inference_range = ops->range(plan, core, false, true, false, false);
    out->flush_range = ops->range(plan, core, true, false, false, false);
}
