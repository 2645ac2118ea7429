/* tern_plan.c : groups, rows, addresses and proven widths of a network in the core
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_plan.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    E_PLAN = 500,
    E_FIT = 501,
    E_SYNAPSE = 502,
    E_CLASSES = 503,
    E_SMALL = 504,
    SHIFT_ROW_MIN = 8 /* words; a shorter first row would be overtaken by the next one's reads */
};

/* Marks the groups that are used and numbers them in ascending order. */
static uint32_t number_groups(uint32_t *group, uint32_t n)
{
    uint32_t next = 0;
    for (uint32_t g = 0; g < n; ++g) group[g] = group[g] != 0 ? next++ : UINT32_MAX;
    return next;
}

static tern_status make_groups(tern_plan *p, tern_arena *arena)
{
    const tern_net *n = p->net;
    const uint32_t n_in = n->n_inputs_pos >> p->lane_shift, n_neuron = n->n_neurons_pos >> p->lane_shift;
    p->input_group = tern_arena_get(arena, n_in, sizeof *p->input_group);
    p->neuron_group = tern_arena_get(arena, n_neuron, sizeof *p->neuron_group);
    if (p->input_group == NULL || p->neuron_group == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < n->n_neurons; ++i) p->neuron_group[n->neurons[i].pos >> p->lane_shift] = 1;
    for (uint32_t r = 0; r < n->n_rows; ++r) { /* a row's words are consecutive, so groups inside it count as used */
        uint32_t *group = n->rows[r].kind == TERN_ROW_SHARED ? p->input_group : p->neuron_group;
        const uint32_t first = n->rows[r].first >> p->lane_shift,
                       last = (n->rows[r].first + n->rows[r].count - 1u) >> p->lane_shift;
        for (uint32_t g = first; g <= last; ++g) group[g] = 1;
    }
    p->input_groups = number_groups(p->input_group, n_in);
    p->neuron_groups = number_groups(p->neuron_group, n_neuron);
    p->neuron_lanes = tern_arena_get(arena, p->neuron_groups, sizeof *p->neuron_lanes);
    if (p->neuron_lanes == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const uint32_t pos = n->neurons[i].pos;
        p->neuron_lanes[p->neuron_group[pos >> p->lane_shift]] |= (uint32_t)1 << (pos & (p->lanes - 1u));
    }
    return TERN_OK;
}

static bool any_sample_row(const tern_net *n)
{
    for (uint32_t r = 0; r < n->n_rows; ++r)
        if (n->rows[r].kind == TERN_ROW_SAMPLE) return true;
    return false;
}

/* A row that reads all inputs for the first neuron can take in the new spikes on its way. */
static bool can_shift(const tern_plan *p, const tern_plan_row *row)
{
    return row->kind == TERN_PLAN_SHARED && row->hist == 0 && row->words == p->input_groups &&
           row->words >= SHIFT_ROW_MIN;
}

static void make_row(const tern_plan *p, uint32_t neuron, uint32_t r, uint32_t *word, tern_plan_row *out)
{
    const tern_row *row = &p->net->rows[r];
    const uint32_t first = row->first >> p->lane_shift, last = (row->first + row->count - 1u) >> p->lane_shift;
    const uint32_t in_block = row->first & (TERN_POS_ALIGN - 1u);
    *out = (tern_plan_row){ .kind = row->kind == TERN_ROW_SHARED ? TERN_PLAN_SHARED : TERN_PLAN_SAMPLE,
                            .filter = row->filter,
                            .words = last - first + 1u,
                            .word = *word,
                            .neuron = neuron,
                            .row = r,
                            .index = (row->dither + in_block) >> p->lane_shift };
    out->hist = out->kind == TERN_PLAN_SHARED ? p->input_group[first] : p->input_groups + p->neuron_group[first];
    p->row_word[r] = *word;
    *word += out->words;
}

/* The rows of a neuron, filter by filter, and of a filter those from neurons first: they need its taps only, and the
 * kernel for the others is made meanwhile (rtl/core/tern_prepare.v). order: [u->n_rows] numbers of rows. */
static void order_rows(const tern_net *n, const tern_neuron *u, uint32_t *order)
{
    uint32_t done = 0; /* bit per filter */
    for (uint32_t r = u->row0; r < u->row0 + u->n_rows; ++r) {
        const uint32_t bit = (uint32_t)1 << n->rows[r].filter;
        if ((done & bit) != 0) continue;
        done |= bit;
        for (unsigned pass = 0; pass < 2; ++pass)
            for (uint32_t q = r; q < u->row0 + u->n_rows; ++q)
                if (n->rows[q].filter == n->rows[r].filter && (n->rows[q].kind == TERN_ROW_SHARED) == (pass == 1))
                    *order++ = q;
    }
}

/* order: room for the rows of a neuron; NULL: in the order of the network, sample rows before shared ones. */
static void make_rows(tern_plan *p, uint32_t *order)
{
    const tern_net *n = p->net;
    tern_plan_row *out = p->rows;
    uint32_t word = 0;
    p->reads_neurons = any_sample_row(n);
    if (p->reads_neurons)
        *out++ = (tern_plan_row){ .kind = TERN_PLAN_SHIFT,
                                  .words = p->neuron_groups * p->n_samples,
                                  .hist = p->input_groups,
                                  .row = UINT32_MAX };
    tern_plan_row *const shift_inputs = out; /* filled in below if no row of the first neuron can do it */
    if (p->input_groups > 0) ++out;
    bool shifted = p->input_groups == 0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        tern_plan_row *const first = out;
        bool any_shared = false;
        if (order != NULL) order_rows(n, u, order);
        for (uint32_t r = 0; r < u->n_rows; ++r, ++out) {
            make_row(p, i, order != NULL ? order[r] : u->row0 + r, &word, out);
            if (out > first && out[-1].filter == out->filter) {
                out->reuse = out[-1].kind == out->kind;
                out->same = !out->reuse;
            }
            /* the first row from inputs of all: those behind it see the spikes */
            if (i == 0 && !shifted && out->kind == TERN_PLAN_SHARED && !any_shared && can_shift(p, out))
                out->shift = shifted = true;
            any_shared |= out->kind == TERN_PLAN_SHARED;
        }
        if (out == first)
            *out++ = (tern_plan_row){ .kind = TERN_PLAN_NONE, .words = 1, .neuron = i, .row = UINT32_MAX };
        out[-1].last = true;
    }
    if (p->input_groups > 0) {
        if (shifted) { /* the reserved row is not needed */
            memmove(shift_inputs, shift_inputs + 1, (size_t)(out - shift_inputs - 1) * sizeof *out);
            --out;
        } else *shift_inputs = (tern_plan_row){ .kind = TERN_PLAN_SHIFT, .words = p->input_groups, .row = UINT32_MAX };
    }
    p->n_rows = (uint32_t)(out - p->rows);
    p->n_words = word;
}

static tern_status get_rows(tern_plan *p, tern_arena *arena)
{
    const tern_net *n = p->net;
    p->rows = tern_arena_get(arena, (size_t)n->n_rows + n->n_neurons + 2u, sizeof *p->rows);
    p->row_word = tern_arena_get(arena, n->n_rows, sizeof *p->row_word);
    p->order = tern_arena_get(arena, n->n_rows, sizeof *p->order);
    if (p->rows == NULL || p->row_word == NULL || p->order == NULL) return TERN_ERR_MEMORY;
    make_rows(p, NULL);
    return TERN_OK;
}

/* ---- widths ------------------------------------------------------------------ */

/* Bits of a two's complement number of at most this magnitude. */
static uint32_t signed_bits(double magnitude)
{
    uint32_t bits = 1;
    while (bits < 64 && ldexp(1.0, (int)bits - 1) <= magnitude) ++bits;
    return bits;
}

static uint32_t at_least(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Largest sum over the samples of coefficients of lag d, in a learning set: |c| <= ek g 2^-c_shift and half a unit. ek
 * is at most doubled by a schedule. Set 0: the modulators of the samples add up to 1 but for half a unit each (MB: K
 * times 1/K), rounding adds another half to each product, |e| < 1. Set 1: each |m| < 2^14. */
static double coefficient_sum(const tern_plan *p, unsigned set, unsigned d)
{
    const tern_net *n = p->net;
    const double k = p->n_samples, ek = fmin(32767.0, 2.0 * n->ek0[d] + 1.0);
    const double g = set == 0 ? 32767.0 + 2.0 * k : 32767.0 * k;
    return ldexp(ek * g, -(int)n->learn[set].c_shift) + k;
}

/* Bounds from the formats; docs/31-blocks.md, "widths". */
static void prove_widths(const tern_plan *p, tern_capacity *c)
{
    const tern_net *n = p->net;
    const bool used[2] = { p->signal_first > 0, p->signal_first < n->n_neurons };
    double x_max = 1.0, f_max = 0.0, c_sum = 0.0;
    for (unsigned b = 0; b < n->n_filters; ++b) {
        double x = 0.0;
        for (unsigned t = 0; t < n->taps_d; ++t) x += n->filter_taps[b * n->taps_d + t];
        x_max = fmax(x_max, x);
    }
    for (unsigned set = 0; set < 2; ++set) {
        if (!used[set]) continue;
        double sum = 0.0;
        for (unsigned d = 0; d < n->lags_w; ++d) sum += coefficient_sum(p, set, d);
        c_sum = fmax(c_sum, sum);
        for (unsigned b = 0; b < n->n_filters; ++b)
            for (unsigned q = 1; q < (unsigned)n->taps_d + n->lags_w; ++q) {
                double f = 0.0;
                for (unsigned d = q > n->taps_d ? q - n->taps_d : 0; d < n->lags_w && d < q; ++d)
                    f += coefficient_sum(p, set, d) * n->filter_taps[b * n->taps_d + q - d - 1];
                f_max = fmax(f_max, f);
            }
    }
    double w_sum = 0.0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        double synapses = 0.0;
        for (uint32_t r = n->neurons[i].row0; r < n->neurons[i].row0 + n->neurons[i].n_rows; ++r)
            synapses += n->rows[r].count;
        w_sum = fmax(w_sum, synapses);
    }
    const double local = ldexp(32767.0, 8) + ldexp(32767.0 * x_max, 8 - n->trace_frac) + 2048.0;
    const double sums = w_sum * ldexp(x_max, (int)n->weight_bits - 1) * ldexp(1.0, 20 - n->weight_frac - n->trace_frac);
    c->x_w = signed_bits(x_max) - 1u;
    if (c->x_w < 10) c->x_w = 10;                   /* wider than a filter tap, tern_tapsum */
    c->kernel_w = at_least(signed_bits(f_max), 22); /* wider than a sum of coefficients, tern_prepare */
    c->dither_min = 31;
    c->dither_max = 1;
    for (unsigned set = 0; set < 2; ++set) {
        if (!used[set]) continue;
        if (n->learn[set].dither_bits < c->dither_min) c->dither_min = n->learn[set].dither_bits;
        c->dither_max = at_least(c->dither_max, at_least(n->learn[set].dither_bits, n->learn[set].local_bits));
    }
    c->delta_w = at_least(at_least(signed_bits(c_sum * fmax(x_max, ldexp(1.0, n->trace_frac))) + 1u, 17u + c->x_w),
                          c->dither_max + 1u);
    c->delta_w = at_least(c->delta_w, c->kernel_w + 1u);
    c->acc_w = at_least(signed_bits(local + sums), 18u + c->x_w);
}

tern_status tern_plan_make(const tern_net *net, uint32_t lanes, uint32_t n_samples, tern_arena *arena, tern_plan *out,
                           tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    if (lanes == 0 || lanes > 32 || (lanes & (lanes - 1u)) != 0 || n_samples < 1 || n_samples > TERN_MAX_SAMPLES) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_PLAN, NULL, 0, "plan",
                                      "lanes = %u, samples = %u are out of range", lanes, n_samples),
                       "lanes is 1, 2, 4, 8, 16 or 32; samples is 1..32");
        return TERN_ERR_ARGUMENT;
    }
    out->net = net;
    out->lanes = lanes;
    while ((1u << out->lane_shift) < lanes) ++out->lane_shift;
    out->n_samples = n_samples;
    out->signal_first = tern_net_signal_first(net);
    if (net->baseline == TERN_BASELINE_SYNAPSE) {
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, E_SYNAPSE, NULL, 0, "rule.baseline",
                           "a baseline per synapse exists in the C engines only, the hardware has no memory for it"),
            "use baseline = \"neuron\"");
        return TERN_ERR_LIMIT;
    }
    tern_status s = make_groups(out, arena);
    if (s == TERN_OK) s = get_rows(out, arena);
    if (s != TERN_OK) return s;
    tern_capacity *c = &out->need;
    c->lanes = lanes;
    c->weight_w = net->weight_bits;
    c->samples = n_samples;
    c->ways = c->way_words = c->prep = 1;
    out->taps_come = net->lags_w <= net->taps_d;
    c->neurons = at_least(net->n_neurons, 2);
    c->pairs = net->n_neurons * n_samples;
    c->taps_d = net->taps_d;
    c->lags_w = net->lags_w;
    c->hist_w = (uint32_t)net->taps_d + net->lags_w;
    c->filters = at_least(net->n_filters, 1);
    c->rows = out->n_rows;
    c->signals = net->rule != TERN_RULE_GEM;
    c->baselines = net->baseline == TERN_BASELINE_NEURON ? net->n_neurons - out->signal_first : 0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) c->wta = at_least(c->wta, net->neurons[i].wta_size);
    c->words = at_least(out->n_words, 1);
    uint64_t errors = (uint64_t)c->pairs * net->lags_w,
             hist = (uint64_t)out->input_groups + (uint64_t)out->neuron_groups * n_samples;
    c->targets = 1;
    for (uint32_t i = 0; i < net->n_visible; ++i)
        c->targets = at_least(c->targets, out->neuron_group[net->neurons[i].pos >> out->lane_shift] + 1u);
    uint32_t index = 0;
    for (uint32_t r = 0; r < out->n_rows; ++r) index = at_least(index, out->rows[r].index + out->rows[r].words);
    c->index_w = 1;
    while (index >> c->index_w != 0) ++c->index_w;
    unsigned slices = 0; /* address bits of a weight word's slices; 16-bit storage is the widest */
    while ((32u << slices) < lanes * 16u) ++slices;
    if (hist > 65535 || errors > 1u << 24 || (uint64_t)out->n_words << slices > 1u << 24 || out->n_rows > 1u << 22) {
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, E_PLAN, NULL, 0, "plan",
                           "the host port reaches 65535 history words, 16777216 errors, %u weight words and 4194304 "
                           "rows; this network needs %llu, %llu, %u and %u",
                           (1u << 24) >> slices, (unsigned long long)hist, (unsigned long long)errors, out->n_words,
                           out->n_rows),
            "use fewer samples, fewer synapses, a shorter learning window, or a core with another number of lanes");
        return TERN_ERR_LIMIT;
    }
    c->hist_words = (uint32_t)hist;
    c->errors = (uint32_t)errors;
    prove_widths(out, c);
    return TERN_OK;
}

/* ---- ways
 * ------------------------------------------------------------------------------------------------------------ */

static uint32_t clog2(uint64_t n)
{
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < n) ++bits;
    return bits;
}

uint32_t tern_plan_slots(const tern_plan *p) { return (p->n_samples + p->need.ways - 1u) / p->need.ways; }

void tern_plan_use_ways(tern_plan *p, uint32_t ways)
{
    tern_capacity *c = &p->need;
    c->ways = ways;
    const uint32_t words = p->neuron_groups * tern_plan_slots(p);
    c->hist_words = p->input_groups + words;
    c->way_words = c->ways > 1 ? words : 1u;
    if (p->reads_neurons) p->rows[0].words = words; /* the row that takes in the neurons' spikes */
}

void tern_plan_use_large(tern_plan *p)
{
    make_rows(p, p->order);
    p->need.rows = p->n_rows;
    tern_plan_use_ways(p, p->need.ways); /* words of the row that takes in the neurons' spikes */
}

void tern_plan_use_prep(tern_plan *p, uint32_t prep) { p->need.prep = prep; }

void tern_plan_use_skip(tern_plan *p, bool skip) { p->need.skip = skip && p->need.small == 0; }

void tern_plan_use_core(tern_plan *p, const tern_capacity *core)
{
    p->need.skip = core->skip;
    p->need.prep = core->prep;
    p->taps_come = core->lags_w <= core->taps_d;
}

static uint32_t address_bits(uint32_t words) { return words > 2 ? clog2(words) : 1u; }

uint32_t tern_plan_sample_word(const tern_plan *p, const tern_capacity *core, uint32_t sample)
{
    const uint32_t way = sample % p->need.ways, word = sample / p->need.ways * p->neuron_groups;
    return way == 0 ? p->input_groups + word : way << address_bits(core->hist_words) | word;
}

uint32_t tern_plan_unit_lanes(const tern_plan *p, const tern_capacity *core, uint32_t word)
{
    const uint32_t bits = address_bits(core->hist_words), way = core->ways > 1 ? word >> bits : 0,
                   at = way != 0 ? word & ((1u << bits) - 1u) : word;
    if (way == 0 && at < p->input_groups) return UINT32_MAX;
    return p->neuron_lanes[(way == 0 ? at - p->input_groups : at) % p->neuron_groups];
}

tern_status tern_plan_classes(tern_plan *plan, uint32_t first, uint32_t n_classes, tern_vote_decode decode,
                              tern_diags *diags)
{
    if (n_classes > TERN_VOTE_CLASSES || first > plan->net->n_visible || n_classes > plan->net->n_visible - first) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_CLASSES, NULL, 0, "classes",
                                      "%u neurons from %u on cannot vote: %u neurons are visible", n_classes, first,
                                      plan->net->n_visible),
                       "use a visible population of at most %u neurons", TERN_VOTE_CLASSES);
        return TERN_ERR_LIMIT;
    }
    plan->class_first = first;
    plan->n_classes = n_classes;
    plan->decode = (uint8_t)decode;
    plan->need.classes = n_classes;
    return TERN_OK;
}

tern_status tern_plan_label_classes(tern_plan *plan, const tern_model *model, tern_vote_decode decode,
                                    tern_diags *diags)
{
    if (!model->data.present || model->data.label_population < 0) return TERN_OK;
    const tern_population *p = &model->populations[model->data.label_population];
    return tern_plan_classes(plan, p->neuron0, p->size, decode, diags);
}

/* ---- the small core: limits of rtl/small/tern_small.v, under the names there ------------------------------------- */

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

uint32_t tern_small_error(const tern_net *n, uint32_t n_samples, uint32_t neuron, uint32_t column, uint32_t sample)
{
    return (neuron * n->lags_w + n->lags_w - 1u - column) * n_samples + sample;
}

uint32_t tern_small_extra_rows(const tern_plan *plan)
{
    uint32_t extra = 0;
    for (uint32_t r = 0; r < plan->n_rows; ++r) extra += plan->rows[r].shift;
    return extra;
}

static const char learn_cure[] = "learn"; /* of a limit: the cure is worked out for the network, tell_learn() */
enum { SMALL_KERNEL = 30, SMALL_DELTA = 31 };

void tern_small_limits(const tern_capacity *c, tern_small_limit out[TERN_SMALL_LIMITS])
{
    enum { DATA_MOST = 8192, TAPS_MOST = 256 /* counted with 8 bits */ };
    const uint64_t data = tern_small_data_words(c),
                   stride = (uint64_t)2 << clog2((uint64_t)c->lags_w + 2u * (c->hist_w / 2u));
    const tern_small_limit limits[TERN_SMALL_LIMITS] = {
        { "members of a WTA circuit", "wta", "use neurons without circuits, or the large core (--core large)", c->wta,
          0 },
        { "bits of a weight word", "lanes times weight_w", "use fewer lanes (--lanes) or weights of fewer bits",
          (double)c->lanes * c->weight_w, 32 },
        { "history bits D + W", "hist_w", "use shorter filters or formats.lags", c->hist_w, 32 },
        { "kernel bits", "kernel_w", learn_cure, c->kernel_w, SMALL_KERNEL },
        { "weight change bits", "delta_w", learn_cure, c->delta_w, SMALL_DELTA },
        { "words of data memory", "words of the data memory (rows, neurons, filters times taps_d, errors, targets)",
          "use fewer neurons, samples, lags or rows", (double)data, DATA_MOST },
        { "words of taps", "words of taps (filters times 2^(1 + ceil(log2(lags_w + 2 (hist_w / 2)))))",
          "use fewer filters", (double)((uint64_t)c->filters * stride), TAPS_MOST },
        { "words of pairs of taps", "words of pairs of taps (filters times 2^ceil(log2((taps_d + 1) / 2)))",
          "use fewer or shorter filters", (double)((uint64_t)c->filters << clog2((c->taps_d + 1u) / 2u)), 64 },
        { "history words, own ones included", "hist_words plus pairs", "use more lanes, fewer inputs or fewer neurons",
          (double)c->hist_words + c->pairs, ldexp(1.0, (int)at_least(clog2(data), 8)) },
    };
    memcpy(out, limits, sizeof limits);
}

/* ---- what would make the learning rule's numbers fit ---- */

enum {
    LEARN_BITS_LEAST = 8,
    LEARN_BITS_MOST = 16,
    LEARN_BITS_USUAL = 12,
    COEFFICIENTS_MOST = 32767 /* the small core's */,
    ETA_MOST = 30 /* times two */
};

/* Do kernels and weight changes fit, with learning set 0 as tern_quantise makes it of ef (ek is eta 2^ef) and of
 * formats.learn = bits? */
static bool learn_fits(const tern_plan *plan, int ef, int bits, uint32_t kernel_most, uint32_t delta_most, bool small)
{
    tern_net net = *plan->net;
    tern_plan p = *plan;
    tern_capacity c = plan->need;
    const int least = 1 + (int)TERN_BIAS_FRAC - net.trace_frac, most = 31 + net.weight_frac - net.trace_frac;
    int c_shift = 31 - bits, fc = ef + 15 - c_shift;
    if (fc > most) {
        c_shift += fc - most;
        fc = most;
    }
    if (c_shift > 30 || fc < least) return false;
    net.learn[0] = (tern_learn){ .c_shift = (uint8_t)c_shift,
                                 .c_frac = (uint8_t)fc,
                                 .dither_bits = (uint8_t)(fc + net.trace_frac - net.weight_frac),
                                 .local_bits = (uint8_t)(fc + net.trace_frac - (int)TERN_BIAS_FRAC) };
    p.net = &net;
    prove_widths(&p, &c);
    double sum = 0.0;
    for (unsigned d = 0; d < net.lags_w; ++d) sum += coefficient_sum(&p, 0, d);
    return c.kernel_w <= kernel_most && c.delta_w <= delta_most && (!small || sum <= COEFFICIENTS_MOST);
}

/* Only what has been tried: formats.learn with the most bits that fit, the least eta (times a power of two) that fits
 * with its default; `other` if neither does. */
static void tell_learn(const tern_plan *plan, uint32_t kernel_most, uint32_t delta_most, bool small, const char *other,
                       char *out, size_t bytes)
{
    const tern_net *n = plan->net;
    const int ef = n->learn[0].c_frac - 15 + n->learn[0].c_shift;
    char learn[48] = "", eta[64] = "";
    if (plan->signal_first == 0) { /* no neuron uses set 0 */
        snprintf(out, bytes, "%s", other);
        return;
    }
    for (int b = LEARN_BITS_MOST; b >= LEARN_BITS_LEAST && learn[0] == 0; --b)
        if (learn_fits(plan, ef, b, kernel_most, delta_most, small))
            snprintf(learn, sizeof learn, "formats.learn = %d", b);
    for (int k = 1; k <= ETA_MOST && eta[0] == 0; ++k)
        if (learn_fits(plan, ef - k, LEARN_BITS_USUAL, kernel_most, delta_most, small))
            snprintf(eta, sizeof eta, "rule.eta = %.6g and formats.learn = %d", ldexp(n->ek0[0], k - ef),
                     LEARN_BITS_USUAL);
    snprintf(out, bytes, "%s%s%s%s%s", learn[0] != 0 || eta[0] != 0 ? "it fits with " : "", learn,
             learn[0] != 0 && eta[0] != 0 ? ", or with " : "", eta, learn[0] == 0 && eta[0] == 0 ? other : "");
}

static bool within(const tern_plan *plan, const tern_small_limit *limits, size_t n, tern_diags *diags)
{
    char learn[160] = "";
    bool fits = true;
    for (size_t i = 0; i < n; ++i)
        if (limits[i].need > limits[i].most) {
            if (limits[i].cure == learn_cure && learn[0] == 0)
                tell_learn(plan, SMALL_KERNEL, SMALL_DELTA, true, "the large core has no such limit (--core large)",
                           learn, sizeof learn);
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_SMALL, NULL, 0, limits[i].name,
                                          "the network needs %.0f, the small core has at most %.0f", limits[i].need,
                                          limits[i].most),
                           "%s", limits[i].cure == learn_cure ? learn : limits[i].cure);
            fits = false;
        }
    return fits;
}

/* Limits that no capacity shows: a core of any size has them. */
static bool within_network_limits(const tern_plan *plan, tern_diags *diags)
{
    const tern_net *n = plan->net;
    double sum = 0.0, x_max = 0.0, own_max = 0.0;
    for (unsigned d = 0; d < n->lags_w; ++d) sum += coefficient_sum(plan, 0, d);
    for (unsigned b = 0; b < n->n_filters; ++b) {
        double x = 0.0;
        for (unsigned t = 0; t < n->taps_d; ++t) x += n->filter_taps[b * n->taps_d + t];
        x_max = fmax(x_max, x);
        for (uint32_t i = 0; i < n->n_neurons; ++i)
            if (n->neurons[i].self_filter == b) own_max = fmax(own_max, x);
    }
    const tern_small_limit limits[] = {
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
    return within(plan, limits, sizeof limits / sizeof limits[0], diags);
}

tern_status tern_plan_small(const tern_plan *plan, tern_diags *diags)
{
    tern_small_limit limits[TERN_SMALL_LIMITS];
    tern_capacity need = plan->need;
    if (need.small == 0) need.rows += tern_small_extra_rows(plan);
    tern_small_limits(&need, limits);
    const bool core = within(plan, limits, TERN_SMALL_LIMITS, diags), network = within_network_limits(plan, diags);
    return core && network ? TERN_OK : TERN_ERR_FIT;
}

void tern_plan_use_small(tern_plan *plan, bool banked)
{
    if (plan->need.small == 0) {
        make_rows(plan, NULL); /* not the order of a large core */
        plan->need.rows = plan->n_rows + tern_small_extra_rows(plan);
    }
    plan->need.small = banked ? 3 : 1; /* 3: its weights have exactly these bits */
    /* at least: a change of a self-memory is a result of 32 bits too */
    plan->need.acc_w = at_least(plan->need.acc_w, 33);
    tern_plan_use_ways(plan, 1);
    tern_plan_use_prep(plan, 1);
    tern_plan_use_skip(plan, false);
    plan->need.classes = 0;
    plan->n_classes = 0;
}

/* ---- fit --------------------------------------------------------------------------------------------------------- */

/* Can there be a small core of the capacities that it tells? */
static bool possible(const tern_capacity *core, tern_diags *diags)
{
    tern_small_limit limits[TERN_SMALL_LIMITS];
    bool good = true;
    tern_small_limits(core, limits);
    for (size_t i = 0; i < TERN_SMALL_LIMITS; ++i)
        if (limits[i].need > limits[i].most) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, limits[i].capacity,
                                          "the core reports %.0f, a small core has at most %.0f", limits[i].need,
                                          limits[i].most),
                           "configure the board with a core of this version");
            good = false;
        }
    return good;
}

tern_status tern_plan_fits(const tern_plan *plan, const tern_capacity *core, tern_diags *diags)
{
    const tern_capacity *n = &plan->need;
    char learn[160] = "";
    if (n->kernel_w > core->kernel_w || n->delta_w > core->delta_w)
        tell_learn(plan, core->kernel_w, core->delta_w, core->small != 0, "this needs a core with wider sums", learn,
                   sizeof learn);
    const struct {
        const char *name, *cure;
        uint32_t need, have;
    } rows[] = {
        { "weight bits", "use formats.weight with fewer bits", n->weight_w, core->weight_w },
        { "samples", "use fewer samples", n->samples, core->samples },
        { "neurons", "use fewer neurons", n->neurons, core->neurons },
        { "neuron-sample pairs", "use fewer neurons or samples", n->pairs, core->pairs },
        { "error words", "use fewer neurons, samples or lags", n->errors, core->errors },
        { "filter taps D", "use shorter filters", n->taps_d, core->taps_d },
        { "learning lags W", "use a smaller kappa or formats.lags", n->lags_w, core->lags_w },
        { "history bits D + W", "use shorter filters or formats.lags", n->hist_w, core->hist_w },
        { "filters", "use fewer filters", n->filters, core->filters },
        { "row descriptors", "use fewer filters or denser projections",
          n->rows + (core->small != 0 && n->small == 0 ? tern_small_extra_rows(plan) : 0), core->rows },
        { "weight words", "use fewer synapses", n->words, core->words },
        { "history words", "use fewer inputs, neurons or samples", n->hist_words, core->hist_words },
        { "target words", "use fewer visible neurons", n->targets, core->targets },
        { "trace bits", "use filters with smaller taps", n->x_w, core->x_w },
        { "kernel bits", learn, n->kernel_w, core->kernel_w },
        { "weight change bits", learn, n->delta_w, core->delta_w },
        { "sum bits", "use fewer synapses per neuron, or formats.weight with fewer integer bits", n->acc_w,
          core->acc_w },
        { "dither bits", "use weights with more fraction bits", n->dither_max, core->dither_max },
        { "dither index bits", "use fewer synapses per neuron", n->index_w, core->index_w },
        { "rules other than GEM", "use tern.gem, or a core with SIGNALS = 1", n->signals, core->signals },
        { "neurons with a baseline", "use baseline = \"none\", or fewer hidden neurons", n->baselines,
          core->baselines },
        { "members of a WTA circuit", "use smaller circuits, or neurons without", n->wta, core->wta },
        { "history words of a way", "use fewer neurons or samples", n->way_words, core->way_words },
        { "classes", "use fewer classes", core->small != 0 ? 0 : n->classes, core->classes }, /* the host counts them */
    };
    /* its other limits are those of its capacities, below */
    bool fits = core->small == 0 || within_network_limits(plan, diags);
    if (core->small != 0 && !possible(core, diags)) fits = false;
    if (plan->lanes != core->lanes) {
        tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "lanes", "the plan is for %u lanes, the core has %u",
                       plan->lanes, core->lanes);
        fits = false;
    }
    if (n->ways != core->ways) {
        tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "ways",
                       "the plan is for %u samples per cycle, the core has %u", n->ways, core->ways);
        fits = false;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) /* that core has a line of its own for weights */
        if (rows[i].need > rows[i].have && !(i == 0 && core->small == 3)) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, rows[i].name,
                                          "the network needs %u, the core has %u", rows[i].need, rows[i].have),
                           "%s", rows[i].cure);
            fits = false;
        }
    if (core->small == 3 && n->weight_w != core->weight_w) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "weight bits",
                                      "the network has weights of %u bits, this core has exactly %u", n->weight_w,
                                      core->weight_w),
                       "use formats.weight with %u bits", core->weight_w);
        fits = false;
    }
    if (n->dither_min < core->dither_min) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "dither bits",
                                      "the network uses %u, the core's least is %u", n->dither_min, core->dither_min),
                       "use weights with fewer fraction bits, or a smaller eta");
        fits = false;
    }
    return fits ? TERN_OK : TERN_ERR_FIT;
}
