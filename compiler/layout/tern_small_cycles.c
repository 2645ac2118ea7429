/* tern_small_cycles.c : estimated cycles of a step in the small core
 * SPDX-License-Identifier: Apache-2.0
 *
 * The small core (docs/43-small-core.md) is a sequencer beside the pass over the weights. For each neuron both have
 * some work; the longer one decides, since the row buffer between them holds a few rows only: the program prepares a
 * neuron and fires the one before it. The numbers of instructions are near those of compiler/micro/tern_microcode.c,
 * jumps that are taken counted twice where their delay slot is empty, and adjusted to two models. Limits that are
 * reached (saturations, the branches of a table) and waiting at the row buffer are not in them. So this is an estimate.
 * Words of silent inputs, which the pass leaves out, are counted in it; how many there are only data tell.
 *
 * The range: from the same sums with all inputs silent, less what the numbers may be too high, to the estimate and what
 * they may be too low. The co-simulation compares every step with it.
 */
#include "tern_plan.h"

/* Instructions and cycles: of a step, a row, a neuron, ... */
enum {
    STEP = 130,
    ROW = 17,
    KERNEL = 5,
    NEURON = 45,
    RANDOM = 37,
    UPDATE_NEURON = 55,
    UPDATE_LAG = 9,
    COEFFICIENT = 7,
    CHANGE = 27,
    /* rules other than GEM: a neuron, and one that learns from w; a baseline, its samples, its errors
     * (a lag, a sample of one); a step */
    SETS = 26,
    SIGNAL_NEURON = 20,
    SIGNAL_SAMPLE = 12,
    BASELINE = 420,
    BASELINE_ZERO = 60 /* D is 0: no division */,
    WEIGHT = 70,
    SAME_WEIGHT = 9,
    BASELINE_SAMPLE = 7,
    BASELINE_LAG = 9,
    BASELINE_ERROR = 6,
    LOG_MEAN = 50,
    MEAN = 20,
    MEAN_SAMPLE = 20,
    LEFT_BIT = 3,
    FIRE = 85,
    DRAW = 25,
    SAMPLE = 42,
    SCALE_BIT = 5,
    VISIBLE = 19,
    LOGPROB = 23,
    EXPONENTIAL = 43,
    QUOTIENT = 33,
    RECIPROCAL = 140,
    LOAD = 3
};

/* What the estimate is off by: a sixth too high; too low by a third, by some cycles for each row (waiting at the row
 * buffer) and by some for a step. Found with random networks, of which cosim.small.random compares 56. */
enum { TOO_HIGH_PART = 6, TOO_LOW_PART = 2, TOO_LOW_ROW = 50, TOO_LOW_STEP = 2400 };

/* What the block RAMs of the histories have left over. */
uint32_t tern_small_gap_bits(const tern_capacity *core)
{
    const uint32_t width = core->lanes * core->hist_w, words = core->hist_words + core->pairs;
    const uint32_t block = words <= 256    ? 16
                           : words <= 512  ? 8
                           : words <= 1024 ? 4
                                           : 2,
                   spare = (block - width % block) % block;
    return spare > 3 ? 3 : spare;
}

static bool has_baseline(const tern_plan *p) { return p->net->baseline == TERN_BASELINE_NEURON; }

/* What a neuron needs beyond rule GEM: its set, modulators and baseline. */
static uint64_t rule_cycles(const tern_plan *p, uint32_t i, bool least)
{
    const uint64_t k = p->n_samples, w = p->net->lags_w;
    if (p->net->rule == TERN_RULE_GEM) return 0; /* not in the program, or a few instructions */
    uint64_t cycles = SETS + LEFT_BIT * (uint64_t)p->net->trace_frac;
    if (i < p->signal_first) return cycles;
    cycles += SIGNAL_NEURON + k * SIGNAL_SAMPLE;
    if (!has_baseline(p)) return cycles;
    const uint64_t weights = p->net->rule == TERN_RULE_IW ? WEIGHT + k * SAME_WEIGHT : k * WEIGHT;
    return cycles + (least ? BASELINE_ZERO : BASELINE) + weights + k * BASELINE_SAMPLE +
           w * (BASELINE_LAG + k * BASELINE_ERROR);
}

/* The sequencer's part of preparing neuron i and of its rows. */
static uint64_t prepare_cycles(const tern_plan *p, uint32_t i, bool update, bool least)
{
    const uint64_t k = p->n_samples, w = p->net->lags_w;
    return update ? RANDOM + UPDATE_NEURON + w * (UPDATE_LAG + k * COEFFICIENT) + rule_cycles(p, i, least) : 0;
}

/* At the end of a step that learns: learning signals. */
static uint64_t end_cycles(const tern_plan *p, bool learn)
{
    if (!learn || p->net->rule == TERN_RULE_GEM || p->net->rule == TERN_RULE_REWARD) return 0;
    return p->net->rule == TERN_RULE_IW ? LOG_MEAN + 3u * (uint64_t)p->n_samples
                                        : MEAN + MEAN_SAMPLE * (uint64_t)p->n_samples;
}

/* The kernels of a neuron's rows from inputs are made one after another beside the program, but not while it writes
 * learning coefficients. */
static uint64_t kernel_cycles(const tern_plan *p, uint64_t shared, bool update)
{
    return update ? shared * (2u * (p->need.hist_w / 2u) * (uint64_t)p->net->lags_w + KERNEL) : 0;
}

static uint64_t fire_cycles(const tern_plan *p, uint32_t i, bool update, bool potential, bool clamped)
{
    const tern_net *n = p->net;
    const uint64_t k = p->n_samples, scale = 12u - n->weight_frac;
    uint64_t cycles = update ? CHANGE * (n->neurons[i].self_filter != TERN_NO_FILTER ? 2u : 1u) : 0;
    if (potential)
        cycles += FIRE + (clamped ? 0 : (k + 3u) / 4u * (RANDOM + DRAW)) +
                  k * (SAMPLE + scale * SCALE_BIT + (i < n->n_visible ? VISIBLE : 0));
    return cycles;
}

/* What is done before neuron i fires: log-probabilities as soon as all visible neurons have fired, exponentials one
 * neuron later, modulators before the last one; what is left, behind it. */
static uint64_t signal_cycles(const tern_plan *p, uint32_t i, bool learn)
{
    const uint64_t k = p->n_samples;
    const uint32_t first = p->net->n_visible, last = p->net->n_neurons - 1u;
    uint64_t cycles = i == first ? k * LOGPROB : 0;
    if (p->net->rule == TERN_RULE_MB || p->net->rule == TERN_RULE_REWARD) return cycles; /* no softmax */
    if (learn && (i == first + 1u || (i == first && first >= last))) cycles += k * EXPONENTIAL;
    if (learn && (i == last || i == last + 1u) && i >= first && (i == last || first > last))
        cycles += RECIPROCAL + k * QUOTIENT;
    return cycles;
}

/* tern_stream: loading a row, its operations. stride: of so many words from inputs one is read. */
static uint64_t pass_cycles(const tern_plan *p, const tern_plan_row *row, bool update, bool potential, uint64_t stride)
{
    const uint64_t k = p->n_samples, w = p->net->lags_w, pairs = (p->net->taps_d + 1u) / 2u;
    const bool kernel = update && row->kind == TERN_PLAN_SHARED;
    const uint64_t load = LOAD + 4u + pairs + (kernel ? 2u * (p->need.hist_w / 2u) : 0);
    if (row->kind == TERN_PLAN_NONE) return load + 1u;
    if (row->kind == TERN_PLAN_SHARED) return load + (row->words + stride - 1u) / stride;
    if (row->kind != TERN_PLAN_SAMPLE) return load + row->words;
    return load + row->words * ((update ? k * w + 1u : 0) + 1u + (potential ? k : 0));
}

/* least: as if no baseline had a weight. */
static uint64_t small_cycles(const tern_plan *p, bool update, bool potential, bool learn, uint64_t stride, bool least)
{
    const tern_net *n = p->net;
    const uint64_t k = p->n_samples;
    uint64_t cycles = STEP + end_cycles(p, potential && learn), pass = 0, rows = 0, shared = 0;
    if (potential && tern_small_extra_rows(p) != 0)
        cycles += ROW + pass_cycles(p, &(tern_plan_row){ .kind = TERN_PLAN_SHIFT, .words = p->input_groups }, update,
                                    potential, 1);
    for (uint32_t r = 0, i = 0; r < p->n_rows; ++r) {
        const tern_plan_row *row = &p->rows[r];
        if (row->kind == TERN_PLAN_SHIFT && !potential) continue;
        ++rows;
        shared += row->kind == TERN_PLAN_SHARED;
        pass += pass_cycles(p, row, update, potential, stride);
        if (!row->last) continue;
        const tern_plan_row self = { .kind = TERN_PLAN_SAMPLE, .words = 1 };
        const bool fires = potential && i > 0;
        const uint64_t prepare = NEURON + prepare_cycles(p, i, update, least),
                       kernels = prepare + kernel_cycles(p, shared, update);
        uint64_t program = prepare + rows * ROW +
                           (i > 0 ? fire_cycles(p, i - 1u, update, potential, learn && i - 1u < n->n_visible) : 0) +
                           (fires ? signal_cycles(p, i - 1u, learn) : 0);
        if (program < kernels) program = kernels;
        pass += pass_cycles(p, &self, update, potential, 1) + k + 10u;
        cycles += program > pass ? program : pass;
        rows = shared = pass = 0;
        ++i;
    }
    cycles += fire_cycles(p, n->n_neurons - 1u, update, potential, learn && n->n_neurons <= n->n_visible);
    if (potential) cycles += signal_cycles(p, n->n_neurons - 1u, learn) + signal_cycles(p, n->n_neurons, learn);
    return cycles;
}

uint64_t tern_plan_small_cycles(const tern_plan *p, bool update, bool potential, bool learn)
{
    return small_cycles(p, update, potential, learn, 1, false);
}

tern_cycle_range tern_plan_small_range(const tern_plan *p, const tern_capacity *core, bool update, bool potential,
                                       bool learn)
{
    const uint32_t gap = tern_small_gap_bits(core);
    const uint64_t stride = potential && gap > 0 ? (2u << gap) - 1u : 1u; /* a flush reads every word */
    const uint64_t least = small_cycles(p, update, potential, learn, stride, true),
                   most = small_cycles(p, update, potential, learn, 1, false);
    return (tern_cycle_range){ least - least / TOO_HIGH_PART,
                               most + most / TOO_LOW_PART + TOO_LOW_ROW * (uint64_t)p->n_rows + TOO_LOW_STEP };
}
