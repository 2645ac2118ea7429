/* tern_core_small.c : what the small core (rtl/small, docs/43-small-core.md) can hold, does and takes
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>
#include "tern_cores.h"
#include "tern_layout_internal.h"

enum { E_SMALL = 504 };

/* ---- the plan: limits of rtl/small/tern_small.v, under the names there --------------------------------------- */

uint64_t tern_small_data_words(const tern_capacity *c)
{
    const uint64_t first = 256u + TERN_SIG_ENTRIES + (TERN_EXP_ENTRIES + 1u) / 2u; /* variables, tables */
    /* w, modulators of a neuron that learns from w, LOG; kap, b and D, sums of N-20 */
    const uint64_t signals = c->signals != 0 ? 2u * (uint64_t)c->samples + TERN_LOG_ENTRIES / 2u : 0,
                   baselines =
                       c->baselines != 0 ? c->lags_w + 2u * (uint64_t)c->baselines + 2u * (uint64_t)c->samples : 0;
    return first + 4u * (uint64_t)c->rows + 4u * (uint64_t)c->neurons + (uint64_t)c->filters * c->taps_d + c->errors +
           c->targets + c->lags_w + 4u * (uint64_t)c->samples + 4u * ((uint64_t)(c->samples + 3u) / 4u) + signals +
           baselines;
}

static const char learn_cure[] = "learn"; /* of a limit: the cure is worked out for the network, tern__learn_cure() */
enum { KERNEL_MOST = 30, DELTA_MOST = 31, COEFFICIENTS_MOST = 32767 };

static size_t limits(const tern_capacity *c, tern_core_limit out[TERN_CORE_LIMITS])
{
    enum { DATA_MOST = 8192, TAPS_MOST = 256 /* counted with 8 bits */ };
    const uint64_t data = tern_small_data_words(c),
                   stride = (uint64_t)2 << tern__clog2((uint64_t)c->lags_w + 2u * (c->hist_w / 2u));
    const tern_core_limit list[TERN_CORE_LIMITS] = {
        { "members of a WTA circuit", "wta", "use neurons without circuits, or the large core (--core large)", c->wta,
          0 },
        { "bits of a weight word", "lanes times weight_w", "use fewer lanes (--lanes) or weights of fewer bits",
          (double)c->lanes * c->weight_w, 32 },
        { "history bits D + W", "hist_w", "use shorter filters or formats.lags", c->hist_w, 32 },
        { "kernel bits", "kernel_w", learn_cure, c->kernel_w, KERNEL_MOST },
        { "weight change bits", "delta_w", learn_cure, c->delta_w, DELTA_MOST },
        { "words of data memory", "words of the data memory (rows, neurons, filters times taps_d, errors, targets)",
          "use fewer neurons, samples, lags or rows", (double)data, DATA_MOST },
        { "words of taps", "words of taps (filters times 2^(1 + ceil(log2(lags_w + 2 (hist_w / 2)))))",
          "use fewer filters", (double)((uint64_t)c->filters * stride), TAPS_MOST },
        { "words of pairs of taps", "words of pairs of taps (filters times 2^ceil(log2((taps_d + 1) / 2)))",
          "use fewer or shorter filters", (double)((uint64_t)c->filters << tern__clog2((c->taps_d + 1u) / 2u)), 64 },
        { "history words, own ones included", "hist_words plus pairs", "use more lanes, fewer inputs or fewer neurons",
          (double)c->hist_words + c->pairs, ldexp(1.0, (int)tern__larger(tern__clog2(data), 8)) },
    };
    memcpy(out, list, sizeof list);
    return TERN_CORE_LIMITS;
}

static bool within(const tern_plan *plan, const tern_core_limit *list, size_t n, tern_diags *diags)
{
    char learn[160] = "";
    bool fits = true;
    for (size_t i = 0; i < n; ++i)
        if (list[i].need > list[i].most) {
            if (list[i].cure == learn_cure && learn[0] == 0)
                tern__learn_cure(plan, KERNEL_MOST, DELTA_MOST, COEFFICIENTS_MOST,
                                 "the large core has no such limit (--core large)", learn, sizeof learn);
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_SMALL, NULL, 0, list[i].name,
                                          "the network needs %.0f, the small core has at most %.0f", list[i].need,
                                          list[i].most),
                           "%s", list[i].cure == learn_cure ? learn : list[i].cure);
            fits = false;
        }
    return fits;
}

static bool network_limits(const tern_plan *plan, tern_diags *diags)
{
    const tern_net *n = plan->net;
    double sum = 0.0, x_max = 0.0, own_max = 0.0;
    for (unsigned d = 0; d < n->lags_w; ++d) sum += tern__coefficient_sum(plan, 0, d);
    for (unsigned b = 0; b < n->n_filters; ++b) {
        double x = 0.0;
        for (unsigned t = 0; t < n->taps_d; ++t) x += n->filter_taps[b * n->taps_d + t];
        x_max = fmax(x_max, x);
        for (uint32_t i = 0; i < n->n_neurons; ++i)
            if (n->neurons[i].self_filter == b) own_max = fmax(own_max, x);
    }
    const tern_core_limit list[] = {
        { "samples times lags", NULL, "use fewer samples or formats.lags",
          (double)plan->need.samples * plan->need.lags_w, 32 },
        { "samples of rule MB or REWARD with baselines", NULL,
          "use fewer samples, rule.baseline = \"none\", or the large core (--core large)",
          n->rule != TERN_RULE_IW && n->baseline != TERN_BASELINE_NONE ? plan->need.samples : 1,
          16 }, /* D has 31 bits */
        { "sum of a neuron's coefficients", NULL, learn_cure, plan->need.signals != 0 ? 0 : sum,
          COEFFICIENTS_MOST }, /* a core with signals has more bits */
        { "largest trace, 8 fraction bits", NULL, "use filters with smaller taps", ldexp(x_max, 8 - n->trace_frac),
          32767 },
        /* times 2^15 below 2^28 less the range of a potential: sums are limited to 2^28 */
        { "largest trace of a self-memory, 8 fraction bits", NULL, "use a filter with smaller taps",
          ldexp(own_max, 8 - n->trace_frac), 7680 },
    };
    return within(plan, list, sizeof list / sizeof list[0], diags);
}

tern_status tern_plan_small(const tern_plan *plan, tern_diags *diags)
{
    tern_core_limit list[TERN_CORE_LIMITS];
    tern_capacity need = plan->need;
    if (need.small == TERN_CORE_KIND_LARGE) need.rows += tern_small_extra_rows(plan);
    const size_t n = limits(&need, list);
    const bool core = within(plan, list, n, diags), network = network_limits(plan, diags);
    return core && network ? TERN_OK : TERN_ERR_FIT;
}

void tern_plan_use_small(tern_plan *plan, bool banked)
{
    if (plan->need.small == TERN_CORE_KIND_LARGE) {
        tern__make_rows(plan, NULL); /* not the order of a large core */
        plan->need.rows = plan->n_rows + tern_small_extra_rows(plan);
    }
    plan->need.small = banked ? TERN_CORE_KIND_SMALL_EXACT : TERN_CORE_KIND_SMALL_RAM;
    /* at least: a change of a self-memory is a result of 32 bits too */
    plan->need.acc_w = tern__larger(plan->need.acc_w, 33);
    tern_plan_use_ways(plan, 1);
    tern_plan_use_prep(plan, 1);
    plan->need.skip = 0;
    plan->need.classes = 0;
    plan->n_classes = 0;
}

static void order(tern_plan *plan) { (void)plan; } /* that of the network, which tern_plan_make() leaves */

/* ---- host port ------------------------------------------------------------------------------------------------- */

/* A pass counts the words of weights and shifts histories in rows of their own, from their last word to their first. */
static void rows(const tern_plan *p, void (*put)(void *ud, uint32_t row, const uint32_t word[4]), void *ud)
{
    const uint32_t extra = tern_small_extra_rows(p);
    uint32_t at = 0;
    for (uint32_t r = 0; r < p->n_rows; ++r) {
        const tern_plan_row *row = &p->rows[r];
        if (at == r && extra != 0 && row->kind != TERN_PLAN_SHIFT) { /* behind the neurons' histories */
            const uint32_t shift[4] = { (p->input_groups - 1u) << 16 | TERN_PLAN_SHIFT, p->input_groups - 1u, 0, 0 };
            put(ud, at++, shift);
        }
        const uint32_t last = row->kind == TERN_PLAN_SHIFT ? row->words - 1u : 0,
                       word[4] = { (row->words - 1u) << 16 | (uint32_t)row->filter << 8 | (uint32_t)row->reuse << 4 |
                                       (uint32_t)row->last << 3 | row->kind,
                                   row->hist + last, row->index, 0 };
        put(ud, at++, word);
    }
}

/* The first word of a row of its own: one word, kind SAMPLE, self-memory. */
static uint32_t neuron(const tern_capacity *core, uint8_t filter)
{
    (void)core;
    return 33u | (filter != TERN_NO_FILTER ? 1u << 15 | (uint32_t)filter << 8 : 0);
}

static uint32_t place(const tern_neuron *u, uint32_t group, uint32_t lane)
{
    (void)u; /* no circuits */
    return group << 16 | 1u << lane << 6 | lane << 1;
}

/* Lag by lag, columns of the ring backwards. */
static uint32_t error(const tern_net *n, uint32_t n_samples, uint32_t neuron_i, uint32_t column, uint32_t sample)
{
    return (neuron_i * n->lags_w + n->lags_w - 1u - column) * n_samples + sample;
}

/* ---- cycles ---------------------------------------------------------------------------------------------------- */

static uint64_t cycles(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp)
{
    (void)clamp;
    return tern_plan_small_cycles(plan, update, potential, learn);
}

static tern_cycle_range range(const tern_plan *plan, const tern_capacity *core, bool update, bool potential, bool learn,
                              bool clamp)
{
    (void)clamp;
    return tern_plan_small_range(plan, core, update, potential, learn);
}

/* ---- size ------------------------------------------------------------------------------------------------------ */

/* Those of tern_small.v; the kernel's taps have zeros around them. */
static size_t memories(const tern_capacity *c, tern_memory out[TERN_CORE_MEMORIES])
{
    const uint32_t sample_w = tern__address_bits(c->samples), filter_w = tern__address_bits(c->filters),
                   deep = c->hist_words + c->pairs;
    const uint32_t stride_w = tern__clog2((uint64_t)c->lags_w + 2u * (c->hist_w / 2u)), word = c->lanes * c->weight_w,
                   data = (uint32_t)tern_small_data_words(c), gap = tern_small_gap_bits(c);
    const tern_memory list[] = {
        { "program", "program of the sequencer", 20, 1024, 0, false,
          c->signals != 0 ? "u_micro.g_rules.u_rom.mem" : "u_micro.g_gem.u_rom.mem", 1 },
        { "data", "bits 15..0 of registers and variables", 16, 256, 0, false, "u_data.low", 1 },
        { "data.high", "bits 31..16", 16, 256, 0, false, "u_data.high", 1 },
        { "data2", "the same behind the first 256 words", 16, data > 258 ? data - 256u : 2, 0, false, "u_data.low2",
          1 },
        { "data2.high", "", 16, data > 258 ? data - 256u : 2, 0, false, "u_data.high2", 1 },
        { "taps", "sums and differences of filter taps, for kernels", TAP_W + 2, 2u << (filter_w + stride_w), 0, false,
          "u_kernel.u_taps", 1 },
        { "rows", "row buffer, learning coefficients", 32, 256, 0, false, "u_rows", 1 },
        { "pass.sums", "sums of a neuron by sample", c->acc_w, 1u << sample_w, 1, true, "u_stream.u_sums", 1 },
        { "result", "sums of two neurons", 32, 1u << (sample_w + 3u), 0, false, "u_result", 1 },
        { "hist",
          gap > 0 ? "histories of inputs with distances to the next one that is not silent, of neurons, own ones"
                  : "histories of inputs, of neurons, own ones",
          c->lanes * c->hist_w + gap, deep, 0, false, "u_hist", 1 },
        { "frame", "spikes of two steps", c->lanes, 2u << tern__clog2(deep), 0, false, "u_frame", 1 },
    };
    size_t n = sizeof list / sizeof list[0];
    memcpy(out, list, sizeof list);
    if (c->signals != 0)
        out[n++] = (tern_memory){
            "program2", "the same behind the first 1024 words", 20, 512, 0, false, "u_micro.g_rules.u_rom.far", 1
        };
    if (c->small == TERN_CORE_KIND_SMALL_RAM)
        out[n++] = (tern_memory){ "weight", "weights", word, c->words, 0, false, "u_weights.g_ports.u_ram", 1 };
    else {
        out[n++] =
            (tern_memory){ "weight.even", "weights, even words",      word, (c->words + 1u) / 2u, TERN_MEMORY_SINGLE,
                           false,         "u_weights.g_banks.u_even", 1 };
        out[n++] =
            (tern_memory){ "weight.odd", "weights, odd words",      word, (c->words + 1u) / 2u, TERN_MEMORY_SINGLE,
                           false,        "u_weights.g_banks.u_odd", 1 };
    }
    return n;
}

/* Each lane, tern_kernel, tern_micro; sums of coefficients with more than 16 bits take two blocks. */
static uint32_t multipliers(tern_family family, const tern_capacity *core)
{
    const bool wide = family == TERN_FAMILY_ICE40 && core->signals != 0 && core->samples > 1;
    return core->lanes + 2u + (wide ? 1u : 0u);
}

/* tern_stream holds the taps and the learning kernel of a row, in pairs and with their base (tern_tapsum). */
static uint64_t registers(const tern_capacity *c)
{
    const uint64_t taps = (uint64_t)(c->taps_d + 1u) / 2u,
                   kernel = (uint64_t)(c->hist_w / 2u) * (2u * c->kernel_w + 1u);
    return taps * 21u + kernel + c->delta_w + c->x_w;
}

/* The sequencer's 16 x 16, the kernel's 16 x 9. */
static double other_products(const tern_capacity *c)
{
    (void)c;
    return 256.0 + 144.0;
}

static const tern_logic_row logic[] = {
#include "tern_logic_small.inc"
};

#define SMALL_CORE \
    .design = TERN_DESIGN_SMALL, .name = "small", .module = "tern_small", .list = "rtl/tern_small.f", \
    .folder = "rtl/small", .noun = "small core", .prefix = "small core, ", .suffix = " (small core)", \
    .short_prefix = "small, ", .port_version = TERN_HOST_VERSION_SMALL, .single_port = true, .signed_halves = true, \
    .paired_tables = true, .order = order, .extra_rows = tern_small_extra_rows, \
    .coefficients_most = COEFFICIENTS_MOST, .limits = limits, .network_limits = network_limits, .cycles = cycles, \
    .range = range, .rows = rows, .neuron = neuron, .place = place, .error = error, .memories = memories, \
    .multipliers = multipliers, .registers = registers, .other_products = other_products, .kernel_copies = 1.0, \
    .logic = logic, .n_logic = sizeof logic / sizeof logic[0]

const tern_core_ops tern_core_small_ram_ops = { SMALL_CORE };
const tern_core_ops tern_core_small_banks_ops = { SMALL_CORE, .banked = true };
const tern_core_ops tern_core_small_exact_ops = { SMALL_CORE, .banked = true, .exact_weights = true };
