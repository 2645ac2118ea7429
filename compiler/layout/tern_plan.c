/* tern_plan.c : groups, rows, addresses and proven widths of a network in the core
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_layout_internal.h"
#include "tern_errors.h"
#include <math.h>
#include <string.h>

enum {
    E_PLAN = 500,
    E_CLASSES = 503,
    SHIFT_ROW_MIN = 8, /* words; a shorter first row would be overtaken by the next one's reads */
    SHIFT_DELAY = 3    /* cycles from the issue of a word to the first read that sees its new history */
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

/* Does the row behind the one that takes in the new spikes begin so near to its end that it would read a history which
 * is not written yet? Its first word is read in the cycle behind the other's last; a third row comes two cycles
 * later. */
static bool overtakes(const tern_plan_row *shifts, const tern_plan_row *next)
{
    return next->kind == TERN_PLAN_SHARED && next->hist + SHIFT_DELAY > shifts->words;
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
void tern__make_rows(tern_plan *p, uint32_t *order)
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
    tern_plan_row *shifts = NULL; /* takes in the inputs' spikes on its way */
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
            if (i == 0 && shifts == NULL && out->kind == TERN_PLAN_SHARED && !any_shared && can_shift(p, out))
                shifts = out;
            any_shared |= out->kind == TERN_PLAN_SHARED;
        }
        if (out == first)
            *out++ = (tern_plan_row){ .kind = TERN_PLAN_NONE, .words = 1, .neuron = i, .row = UINT32_MAX };
        out[-1].last = true;
    }
    if (shifts != NULL && shifts + 1 < out && overtakes(shifts, shifts + 1)) shifts = NULL;
    if (p->input_groups > 0) {
        if (shifts != NULL) { /* the reserved row is not needed */
            shifts->shift = true;
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
    tern__make_rows(p, NULL);
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

/* Largest sum over the samples of coefficients of lag d, in a learning set: |c| <= ek g 2^-c_shift and half a unit. ek
 * is at most doubled by a schedule. Set 0: the modulators of the samples add up to 1 but for half a unit each (MB: K
 * times 1/K), rounding adds another half to each product, |e| < 1. Set 1: each |m| < 2^14. */
double tern__coefficient_sum(const tern_plan *p, unsigned set, unsigned d)
{
    const tern_net *n = p->net;
    const double k = p->n_samples, ek = fmin(32767.0, 2.0 * n->ek0[d] + 1.0);
    const double g = set == 0 ? 32767.0 + 2.0 * k : 32767.0 * k;
    return ldexp(ek * g, -(int)n->learn[set].c_shift) + k;
}

/* Bounds from the formats; docs/31-blocks.md, "widths". */
void tern__prove_widths(const tern_plan *p, tern_capacity *c)
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
        for (unsigned d = 0; d < n->lags_w; ++d) sum += tern__coefficient_sum(p, set, d);
        c_sum = fmax(c_sum, sum);
        for (unsigned b = 0; b < n->n_filters; ++b)
            for (unsigned q = 1; q < (unsigned)n->taps_d + n->lags_w; ++q) {
                double f = 0.0;
                for (unsigned d = q > n->taps_d ? q - n->taps_d : 0; d < n->lags_w && d < q; ++d)
                    f += tern__coefficient_sum(p, set, d) * n->filter_taps[b * n->taps_d + q - d - 1];
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
    if (c->x_w < 10) c->x_w = 10;                       /* wider than a filter tap, tern_tapsum */
    c->kernel_w = tern__larger(signed_bits(f_max), 22); /* wider than a sum of coefficients, tern_prepare */
    c->dither_min = 31;
    c->dither_max = 1;
    for (unsigned set = 0; set < 2; ++set) {
        if (!used[set]) continue;
        if (n->learn[set].dither_bits < c->dither_min) c->dither_min = n->learn[set].dither_bits;
        c->dither_max = tern__larger(c->dither_max, tern__larger(n->learn[set].dither_bits, n->learn[set].local_bits));
    }
    c->delta_w =
        tern__larger(tern__larger(signed_bits(c_sum * fmax(x_max, ldexp(1.0, n->trace_frac))) + 1u, 17u + c->x_w),
                     c->dither_max + 1u);
    c->delta_w = tern__larger(c->delta_w, c->kernel_w + 1u);
    c->acc_w = tern__larger(signed_bits(local + sums), 18u + c->x_w);
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
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_HARDWARE, NULL, 0, "rule.baseline",
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
    c->neurons = tern__larger(net->n_neurons, 2);
    c->pairs = net->n_neurons * n_samples;
    c->taps_d = net->taps_d;
    c->lags_w = net->lags_w;
    c->hist_w = (uint32_t)net->taps_d + net->lags_w;
    c->filters = tern__larger(net->n_filters, 1);
    c->rows = out->n_rows;
    c->signals = net->rule != TERN_RULE_GEM;
    c->baselines = net->baseline == TERN_BASELINE_NEURON ? net->n_neurons - out->signal_first : 0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) c->wta = tern__larger(c->wta, net->neurons[i].wta_size);
    c->words = tern__larger(out->n_words, 1);
    uint64_t errors = (uint64_t)c->pairs * net->lags_w,
             hist = (uint64_t)out->input_groups + (uint64_t)out->neuron_groups * n_samples;
    c->targets = 1;
    for (uint32_t i = 0; i < net->n_visible; ++i)
        c->targets = tern__larger(c->targets, out->neuron_group[net->neurons[i].pos >> out->lane_shift] + 1u);
    uint32_t index = 0;
    for (uint32_t r = 0; r < out->n_rows; ++r) index = tern__larger(index, out->rows[r].index + out->rows[r].words);
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
    tern__prove_widths(out, c);
    return TERN_OK;
}

/* ---- ways ---------------------------------------------------------------------- */

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
    tern__make_rows(p, p->order);
    p->need.rows = p->n_rows;
    tern_plan_use_ways(p, p->need.ways); /* words of the row that takes in the neurons' spikes */
}

void tern_plan_use_kernels(tern_plan *p, bool kernels) { p->need.kernels = kernels; }

void tern_plan_use_prep(tern_plan *p, uint32_t prep) { p->need.prep = prep; }

void tern_plan_use_core(tern_plan *p, const tern_capacity *core)
{
    p->need.skip = core->skip;
    p->need.prep = core->prep;
    p->need.kernels = core->kernels;
    p->taps_come = core->lags_w <= core->taps_d;
}

uint32_t tern_plan_sample_word(const tern_plan *p, const tern_capacity *core, uint32_t sample)
{
    const uint32_t way = sample % p->need.ways, word = sample / p->need.ways * p->neuron_groups;
    return way == 0 ? p->input_groups + word : way << tern__address_bits(core->hist_words) | word;
}

uint32_t tern_plan_unit_lanes(const tern_plan *p, const tern_capacity *core, uint32_t word)
{
    const uint32_t bits = tern__address_bits(core->hist_words), way = core->ways > 1 ? word >> bits : 0,
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

uint32_t tern_small_extra_rows(const tern_plan *plan)
{
    uint32_t extra = 0;
    for (uint32_t r = 0; r < plan->n_rows; ++r) extra += plan->rows[r].shift;
    return extra;
}
