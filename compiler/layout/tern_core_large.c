/* tern_core_large.c : what the large core (rtl/core, docs/31-blocks.md) does and takes
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <string.h>
#include "tern_cores.h"
#include "tern_layout_internal.h"

/* ---- the plan -------------------------------------------------------------------------------------------------- */

static uint32_t extra_rows(const tern_plan *plan)
{
    (void)plan;
    return 0;
}

static size_t limits(const tern_capacity *core, tern_core_limit out[TERN_CORE_LIMITS])
{
    (void)core;
    (void)out;
    return 0;
}

static bool network_limits(const tern_plan *plan, tern_diags *diags)
{
    (void)plan;
    (void)diags;
    return true;
}

/* ---- host port ------------------------------------------------------------------------------------------------- */

static void rows(const tern_plan *p, void (*put)(void *ud, uint32_t row, const uint32_t word[4]), void *ud)
{
    for (uint32_t r = 0; r < p->n_rows; ++r) {
        const tern_plan_row *row = &p->rows[r];
        const uint32_t flags =
            (uint32_t)row->same << 5 | (uint32_t)row->reuse << 4 | (uint32_t)row->last << 3 | (uint32_t)row->shift << 2;
        const uint32_t word[4] = { (row->words - 1u) << 16 | (uint32_t)row->filter << 8 | flags | row->kind, row->hist,
                                   row->word, row->index };
        put(ud, r, word);
    }
}

static uint32_t neuron(const tern_capacity *core, uint8_t filter)
{
    unsigned filter_bits = 1;
    while ((1u << filter_bits) < core->filters) ++filter_bits;
    return filter != TERN_NO_FILTER ? 1u << filter_bits | filter : 0u;
}

/* Bits 7..1: member of a circuit, and at the last member its size. */
static uint32_t wta_bits(const tern_neuron *u)
{
    const bool last = u->wta_size != 0 && u->wta_index + 1u == u->wta_size;
    return (u->wta_size != 0 ? 2u : 0u) | (last ? (u->wta_size - 1u) << 2 : 0u);
}

static uint32_t place(const tern_neuron *u, uint32_t group, uint32_t lane)
{
    return group << 16 | lane << 8 | wta_bits(u);
}

static uint32_t error(const tern_net *n, uint32_t n_samples, uint32_t neuron_i, uint32_t column, uint32_t sample)
{
    return (neuron_i * n_samples + sample) * n->lags_w + column;
}

/* ---- cycles ---------------------------------------------------------------------------------------------------- */

static tern_cycle_range range(const tern_plan *plan, const tern_capacity *core, bool update, bool potential, bool learn,
                              bool clamp)
{
    (void)core;
    return tern_plan_skip_range(plan, update, potential, learn, clamp);
}

/* ---- size ------------------------------------------------------------------------------------------------------ */

/* Those of tern_core.v. */
static size_t memories(const tern_capacity *c, tern_memory out[TERN_CORE_MEMORIES])
{
    const uint32_t sample_w = tern__address_bits(c->samples), filter_w = tern__address_bits(c->filters),
                   hist_aw = tern__address_bits(c->hist_words);
    const uint32_t slots = (c->samples + c->ways - 1u) / c->ways, slot_w = tern__address_bits(slots),
                   way_aw = tern__address_bits(c->way_words);
    const uint32_t lag_w = tern__clog2((uint64_t)c->lags_w + 1u),
                   coef_aw = tern__larger(tern__clog2((uint64_t)slots * c->lags_w), lag_w + 1u);
    const uint32_t wta_aw = tern__address_bits(c->wta);
    const tern_memory list[] = {
        { "weight", "weights", c->lanes * c->weight_w, c->words, 0, false, "u_memories.u_weight", 1 },
        { "hist", "histories of inputs, then of neurons", c->lanes * c->hist_w, c->hist_words, 0, false,
          "u_memories.u_ways.g_way[0].u_hist", 1 },
        { "row", "row descriptors", 32, c->rows, 0, false, "u_memories.u_row", 1 },
        { "row.hist", "first history words of rows", hist_aw, c->rows, 0, false, "u_memories.u_row_hist", 1 },
        { "row.word", "first weight words of rows", tern__address_bits(c->words), c->rows, 0, false,
          "u_memories.u_row_word", 1 },
        { "row.index", "dither indices of rows", c->index_w, c->rows, 0, false, "u_memories.u_row_index", 1 },
        { "neuron", "self-memory filter of a neuron", filter_w + 1u, c->neurons, 0, false, "u_memories.u_neuron", 1 },
        { "place", "position of a neuron", 32, c->neurons, 0, false, "u_memories.u_place", 1 },
        { "taps", "filter taps", TAP_W, c->filters * c->taps_d, 0, false, "u_memories.u_taps", 1 },
        { "local", "biases, self-memory weights", 16, 2u * c->neurons, 0, false, "u_memories.u_local", 1 },
        { "error", "errors, W lags", 16, c->errors, 0, false, "u_memories.u_error", 1 },
        { "self", "own histories", c->hist_w, c->pairs, 0, false, "u_memories.u_self", 1 },
        { "spike", "last spikes", 1, c->pairs, 0, false, "u_memories.u_spike", 1 },
        { "ek", c->baselines > 0 ? "learning rate by lag, kappa^lag" : "learning rate by lag", 15,
          c->baselines > 0 ? 2u << lag_w : c->lags_w, 0, false, "u_memories.u_ek", 1 },
        { "table", "sigmoid and softplus", 32, 512, 0, false, "u_memories.u_table", 1 },
        { "exp", "exponential", 16, 512, 0, false, "u_memories.u_exp", 1 },
        { "v", "log-probabilities, registers", 32, 2u << tern__larger(sample_w + 2u, 5), 0, false, "u_memories.u_v",
          1 },
        { "frame", "spikes of two steps", c->lanes, 2u << hist_aw, 0, false, "u_memories.u_ways.g_way[0].u_frame", 1 },
        { "target", "targets", c->lanes, c->targets, 0, false, "u_memories.u_target", 1 },
        { "m", "modulators of two steps", 16, 2u << sample_w, 0, false, "u_memories.u_m", 1 },
        { "coef", "learning coefficients c of four neurons", 16, 4u << coef_aw, 0, false,
          "u_memories.u_ways.g_way[0].u_coef", c->ways },
        { "sumc", "the same, summed over samples", 21, 4u << lag_w, 0, false, "u_ahead.u_sumc", 1 },
        { "acc", "started potentials", c->acc_w, 4u << sample_w, 0, false, "u_memories.u_acc", 1 },
        { "draw", "random draws", 16, 4u << sample_w, 0, false, "u_memories.u_draw", 1 },
        { "pass.sums", "sums of a neuron by sample", c->acc_w, 1u << slot_w, 1, true, "u_pass.u_sums.g_sums[0].u_sums",
          c->ways },
        { "pass.ready", "the same, for its spikes", c->acc_w, 2u << slot_w, 0, false, "u_pass.u_sums.g_sums[0].u_ready",
          c->ways },
        { "fire.collect", "spikes of a word of neurons", c->lanes, 1u << sample_w, 1, false, "u_fire.u_collect", 1 },
    };
    size_t n = sizeof list / sizeof list[0];
    memcpy(out, list, sizeof list);
    if (c->ways > 1) {
        out[n++] = (tern_memory){ "hist.ways",
                                  "histories of neurons, samples of the other ways",
                                  c->lanes * c->hist_w,
                                  c->way_words,
                                  0,
                                  false,
                                  "u_memories.u_ways.g_way[1].u_hist",
                                  c->ways - 1u };
        out[n++] = (tern_memory){ "frame.ways", "their spikes of two steps",          c->lanes,    2u << way_aw, 0,
                                  false,        "u_memories.u_ways.g_way[1].u_frame", c->ways - 1u };
    }
    if (c->kernels != 0) {
        out[n++] = (tern_memory){ "kernels",
                                  "learning kernels of the samples, two rows, pairs of taps",
                                  2u * c->kernel_w + 1u,
                                  2u << sample_w,
                                  1,
                                  false,
                                  "u_pass.u_kernels.g_samples.g_pair[0].u_pair",
                                  c->hist_w / 2u };
        out[n++] = (tern_memory){
            "kernels.base", "their bases", c->delta_w, 2u << sample_w, 1, false, "u_pass.u_kernels.g_samples.u_base", 1
        };
        out[n++] = (tern_memory){ "pass.traces",
                                  "traces of the samples",
                                  c->x_w,
                                  1u << sample_w,
                                  1,
                                  false,
                                  "u_pass.g_lane[0].u_lane.g_kept.u_kept",
                                  c->lanes };
    }
    if (c->skip != 0)
        out[n++] = (tern_memory){ "silent",
                                  "ages of the newest spikes, eight history words in each",
                                  8u * tern__clog2(c->hist_w + 1u),
                                  hist_aw > 4 ? 1u << (hist_aw - 3u) : 2u,
                                  0,
                                  false,
                                  "u_pass.u_silent.g_skip.u_ages",
                                  1 };
    if (c->signals != 0) {
        out[n++] = (tern_memory){ "signals", "learning signals of two steps", 32, 2u << sample_w, 0,
                                  false,     "u_memories.g_signals.u_w",      1 };
        out[n++] = (tern_memory){ "log", "logarithm", 12, 256, 0, false, "u_memories.g_signals.u_log", 1 };
    }
    if (c->baselines != 0) {
        out[n++] = (tern_memory){ "base", "baselines", 64, c->baselines, 0, false, "u_memories.g_baselines.u_base", 1 };
        out[n++] = (tern_memory){ "baseline.g", "averaged errors of a neuron", 12, 1u << sample_w, 0,
                                  false,        "g_baseline.u_baseline.u_g",   1 };
    }
    if (c->wta != 0) {
        out[n++] = (tern_memory){ "wta.u", "potentials of a circuit", 13, 1u << (sample_w + wta_aw), 0,
                                  false,   "u_fire.g_wta.u_u",        1 };
        out[n++] = (tern_memory){
            "wta.top", "largest potential of a circuit", 11, 1u << sample_w, 1, false, "u_fire.g_wta.u_top", 1
        };
        out[n++] = (tern_memory){ "wta.exp", "exponential, for circuits", 16, 512, 0, false, "u_fire.g_wta.u_exp", 1 };
        out[n++] = (tern_memory){ "wta.log", "logarithm, for circuits", 12, 256, 0, false, "u_fire.g_wta.u_log", 1 };
        out[n++] = (tern_memory){ "wta.e", "exponentials of the members", 16, 1u << wta_aw, 0,
                                  false,   "u_fire.g_wta.u_wta.u_e",      1 };
    }
    if (c->classes != 0) {
        out[n++] = (tern_memory){ "vote.count", "class counters",        32, c->samples * c->classes, 0,
                                  false,        "g_vote.u_vote.u_count", 1 };
        out[n++] = (tern_memory){ "vote.votes", "votes and spikes of the classes", 32, 2u * c->classes, 0,
                                  false,        "g_vote.u_vote.u_votes",           1 };
        out[n++] = (tern_memory){ "vote.decision",
                                  "decisions of the samples",
                                  tern__address_bits(c->classes),
                                  c->samples,
                                  0,
                                  false,
                                  "g_vote.u_vote.u_decision",
                                  1 };
    }
    return n;
}

/* Each lane and way: weight times trace; tern_learn: local parameter times trace; tern_coefficient: 2; tern_taps:
 * coefficient sum times tap. */
static uint32_t multipliers(tern_family family, const tern_capacity *core)
{
    (void)family;
    return core->lanes * core->ways + 3u + core->prep;
}

/* tern_prepare and tern_pass each hold the taps and the learning kernel of a row, in pairs and with their base
 * (tern_tapsum); tern_prepare also the self-memory's. */
static uint64_t registers(const tern_capacity *c)
{
    const uint64_t taps = (uint64_t)(c->taps_d + 1u) / 2u,
                   kernel = (uint64_t)(c->hist_w / 2u) * (2u * c->kernel_w + 1u);
    return 3u * (taps * 20u) + 2u * kernel + 3u * c->delta_w + 4u * c->x_w;
}

/* Two coefficients of 16 x 16 bits, a local parameter times a trace, a coefficient sum of 21 bits times a tap of 9,
 * which takes two blocks. */
static double other_products(const tern_capacity *c) { return 2.0 * 256.0 + 16.0 * c->x_w + 189.0; }

static const tern_logic_row logic[] = {
#include "tern_logic_table.inc"
};

const tern_core_ops tern_core_large_ops = {
    .design = TERN_DESIGN_LARGE,
    .name = "large",
    .module = "tern_core",
    .list = "rtl/tern_core.f",
    .folder = "rtl/core",
    .noun = "core",
    .prefix = "",
    .suffix = "",
    .short_prefix = "",
    .port_version = TERN_HOST_VERSION,
    .exact = true,
    .counts_cycles = true,
    .counts_votes = true,
    .parallel = true,
    .order = tern_plan_use_large,
    .extra_rows = extra_rows,
    .coefficients_most = DBL_MAX,
    .limits = limits,
    .network_limits = network_limits,
    .cycles = tern_plan_cycles,
    .range = range,
    .rows = rows,
    .neuron = neuron,
    .place = place,
    .error = error,
    .memories = memories,
    .multipliers = multipliers,
    .registers = registers,
    .other_products = other_products,
    .kernel_copies = 2.0,
    .logic = logic,
    .n_logic = sizeof logic / sizeof logic[0],
};
