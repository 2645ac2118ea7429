/* tern_target.c : memories of a core, devices, block RAM count
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_target.h"
#include <string.h>

/* lattice data sheets: FPGA-DS-02008 (UltraPlus), FPGA-DS-02029 (LP/HX; 8K cells of which the tools see 7,680),
 * FPGA-DS-02012 (ECP5) */
const tern_target tern_targets[TERN_TARGETS] = {
    { "up5k", "iCE40 UltraPlus UP5K", TERN_FAMILY_ICE40, 5280, 30, 4096, 8, 4 },
    { "hx8k", "iCE40 HX8K", TERN_FAMILY_ICE40, 7680, 32, 4096, 0, 0 },
    { "ecp5-25k", "ECP5 LFE5U-25F", TERN_FAMILY_ECP5, 24288, 56, 18432, 28, 0 },
    { "ecp5-45k", "ECP5 LFE5U-45F", TERN_FAMILY_ECP5, 43848, 108, 18432, 72, 0 },
    { "ecp5-85k", "ECP5 LFE5U-85F", TERN_FAMILY_ECP5, 83640, 208, 18432, 156, 0 },
    { "sim", "simulation, no limit", TERN_FAMILY_SIM, 0, 0, 0, 0, 0 },
};

const tern_target *tern_target_find(const char *name)
{
    for (size_t i = 0; i < TERN_TARGETS; ++i)
        if (strcmp(tern_targets[i].name, name) == 0) return &tern_targets[i];
    return NULL;
}

tern_core_choice tern_core_choice_find(const char *name)
{
    return strcmp(name, "large") == 0 ? TERN_CORE_LARGE : strcmp(name, "small") == 0 ? TERN_CORE_SMALL : TERN_CORE_AUTO;
}

tern_status tern_target_core(const tern_target *target, tern_core_choice choice, tern_plan *plan, tern_diags *diags)
{
    const bool try = choice == TERN_CORE_SMALL ||
                     (choice == TERN_CORE_AUTO && target != NULL && target->family == TERN_FAMILY_ICE40);
    const tern_status s = try ? tern_plan_small(plan, choice == TERN_CORE_SMALL ? diags : NULL) : TERN_ERR_FIT;
    if (s != TERN_OK) {
        if (choice == TERN_CORE_SMALL) return s;
        tern_plan_use_large(plan);
        return TERN_OK;
    }
    tern_plan_use_small(plan, target == NULL || target->family == TERN_FAMILY_SIM || target->sprams != 0);
    return TERN_OK;
}

/* ---- memories: the derived widths of tern_core.v, under the same names ------------------- */

static uint32_t clog2(uint64_t n)
{
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < n) ++bits;
    return bits;
}

static uint32_t address_bits(uint32_t n) { return n > 2 ? clog2(n) : 1; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

enum { TAP_W = 9 /* parameter of tern_core that no plan changes */ };

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

/* Those of tern_small.v; the kernel's taps have zeros around them. */
static size_t small_memories(const tern_capacity *c, tern_memory out[TERN_CORE_MEMORIES])
{
    const uint32_t sample_w = address_bits(c->samples), filter_w = address_bits(c->filters),
                   deep = c->hist_words + c->pairs;
    const uint32_t stride_w = clog2((uint64_t)c->lags_w + 2u * (c->hist_w / 2u)), word = c->lanes * c->weight_w,
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
        { "frame", "spikes of two steps", c->lanes, 2u << clog2(deep), 0, false, "u_frame", 1 },
    };
    size_t n = sizeof list / sizeof list[0];
    memcpy(out, list, sizeof list);
    if (c->signals != 0)
        out[n++] = (tern_memory){
            "program2", "the same behind the first 1024 words", 20, 512, 0, false, "u_micro.g_rules.u_rom.far", 1
        };
    if (c->small == 1)
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

size_t tern_core_memories(const tern_capacity *c, tern_memory out[TERN_CORE_MEMORIES])
{
    if (c->small != 0) return small_memories(c, out);
    const uint32_t sample_w = address_bits(c->samples), filter_w = address_bits(c->filters),
                   hist_aw = address_bits(c->hist_words);
    const uint32_t slots = (c->samples + c->ways - 1u) / c->ways, slot_w = address_bits(slots),
                   way_aw = address_bits(c->way_words);
    const uint32_t lag_w = clog2((uint64_t)c->lags_w + 1u),
                   coef_aw = larger(clog2((uint64_t)slots * c->lags_w), lag_w + 1u);
    const uint32_t wta_aw = address_bits(c->wta);
    const tern_memory list[] = {
        { "weight", "weights", c->lanes * c->weight_w, c->words, 0, false, "u_weight", 1 },
        { "hist", "histories of inputs, then of neurons", c->lanes * c->hist_w, c->hist_words, 0, false,
          "u_ways.g_way[0].u_hist", 1 },
        { "row", "row descriptors", 32, c->rows, 0, false, "u_row", 1 },
        { "row.hist", "first history words of rows", hist_aw, c->rows, 0, false, "u_row_hist", 1 },
        { "row.word", "first weight words of rows", address_bits(c->words), c->rows, 0, false, "u_row_word", 1 },
        { "row.index", "dither indices of rows", c->index_w, c->rows, 0, false, "u_row_index", 1 },
        { "neuron", "self-memory filter of a neuron", filter_w + 1u, c->neurons, 0, false, "u_neuron", 1 },
        { "place", "position of a neuron", 32, c->neurons, 0, false, "u_place", 1 },
        { "taps", "filter taps", TAP_W, c->filters * c->taps_d, 0, false, "u_taps", 1 },
        { "local", "biases, self-memory weights", 16, 2u * c->neurons, 0, false, "u_local", 1 },
        { "error", "errors, W lags", 16, c->errors, 0, false, "u_error", 1 },
        { "self", "own histories", c->hist_w, c->pairs, 0, false, "u_self", 1 },
        { "spike", "last spikes", 1, c->pairs, 0, false, "u_spike", 1 },
        { "ek", c->baselines > 0 ? "learning rate by lag, kappa^lag" : "learning rate by lag", 15,
          c->baselines > 0 ? 2u << lag_w : c->lags_w, 0, false, "u_ek", 1 },
        { "table", "sigmoid and softplus", 32, 512, 0, false, "u_table", 1 },
        { "exp", "exponential", 16, 512, 0, false, "u_exp", 1 },
        { "v", "log-probabilities, registers", 32, 2u << larger(sample_w + 2u, 5), 0, false, "u_v", 1 },
        { "frame", "spikes of two steps", c->lanes, 2u << hist_aw, 0, false, "u_ways.g_way[0].u_frame", 1 },
        { "target", "targets", c->lanes, c->targets, 0, false, "u_target", 1 },
        { "m", "modulators of two steps", 16, 2u << sample_w, 0, false, "u_m", 1 },
        { "coef", "learning coefficients c of four neurons", 16, 4u << coef_aw, 0, false, "u_ways.g_way[0].u_coef",
          c->ways },
        { "sumc", "the same, summed over samples", 21, 4u << lag_w, 0, false, "u_ahead.u_sumc", 1 },
        { "acc", "started potentials", c->acc_w, 4u << sample_w, 0, false, "u_acc", 1 },
        { "draw", "random draws", 16, 4u << sample_w, 0, false, "u_draw", 1 },
        { "pass.sums", "sums of a neuron by sample", c->acc_w, 1u << slot_w, 1, true, "u_pass.g_sums[0].u_sums",
          c->ways },
        { "pass.ready", "the same, for its spikes", c->acc_w, 2u << slot_w, 0, false, "u_pass.g_sums[0].u_ready",
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
                                  "u_ways.g_way[1].u_hist",
                                  c->ways - 1u };
        out[n++] = (tern_memory){ "frame.ways", "their spikes of two steps", c->lanes,    2u << way_aw, 0,
                                  false,        "u_ways.g_way[1].u_frame",   c->ways - 1u };
    }
    if (c->skip != 0)
        out[n++] = (tern_memory){ "silent",
                                  "ages of the newest spikes, eight history words in each",
                                  8u * clog2(c->hist_w + 1u),
                                  hist_aw > 4 ? 1u << (hist_aw - 3u) : 2u,
                                  0,
                                  false,
                                  "u_pass.u_silent.g_skip.u_ages",
                                  1 };
    if (c->signals != 0) {
        out[n++] = (tern_memory){
            "signals", "learning signals of two steps", 32, 2u << sample_w, 0, false, "g_signals.u_w", 1
        };
        out[n++] = (tern_memory){ "log", "logarithm", 12, 256, 0, false, "g_signals.u_log", 1 };
    }
    if (c->baselines != 0) {
        out[n++] = (tern_memory){ "base", "baselines", 64, c->baselines, 0, false, "g_baselines.u_base", 1 };
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
                                  address_bits(c->classes),
                                  c->samples,
                                  0,
                                  false,
                                  "g_vote.u_vote.u_decision",
                                  1 };
    }
    return n;
}

uint32_t tern_core_multipliers(tern_family family, const tern_capacity *core)
{
    /* small core: each lane, tern_kernel, tern_micro; sums of coefficients with more than 16 bits take two blocks */
    const bool wide = family == TERN_FAMILY_ICE40 && core->signals != 0 && core->samples > 1;
    if (core->small != 0) return core->lanes + 2u + (wide ? 1u : 0u);
    /* each lane and way: weight times trace; tern_learn: local parameter times trace; tern_coefficient: 2; tern_taps:
     * coefficient sum times tap. On ECP5 factors of two bits are enough for a block, so the address of a filter's taps
     * (filter times D, of a row and of a self-memory) takes two, unless D is a power of two. */
    const bool address = family == TERN_FAMILY_ECP5 && core->filters > 2 && (core->taps_d & (core->taps_d - 1u)) != 0;
    return core->lanes * core->ways + 3u + core->prep + (address ? 2u : 0u);
}

/* ---- the cost of yosys' memory_libmap ------------------------------------------------------
 * A block of 2^address_bits units can be made `widths[i]` bits wide, with 2^(address_bits - i) words. Words beyond go
 * to another group of bits, of the same block if it has some left. Cost: blocks, half a unit for each bit of the output
 * multiplexer and each write enable, 2 for a read port. */
typedef struct ram_kind {
    unsigned address_bits, n_widths, widths[6];
    unsigned byte;  /* bits that share a write enable; 0: a whole word */
    unsigned first; /* smallest width number that can be written       */
    double cost;
} ram_kind;

static const ram_kind ebr = { 11, 4, { 2, 4, 8, 16 }, 1, 0, 64 };
static const ram_kind dp16kd = { 14, 5, { 1, 2, 4, 9, 18 }, 9, 0, 128 };
static const ram_kind pdpw16 = { 14, 6, { 1, 2, 4, 9, 18, 36 }, 9, 3, 128 };
static const ram_kind dpr16x4 = { 4, 1, { 4 }, 0, 0, 4 };

static double best_cost(const ram_kind *kind, uint32_t width, uint32_t depth, uint32_t ports, uint32_t *out_blocks)
{
    double best = -1.0;
    for (unsigned i = kind->first; i < kind->n_widths; ++i) {
        const uint64_t unit = kind->widths[i], words = (uint64_t)1 << (kind->address_bits - i),
                       groups = (depth + words - 1) / words;
        const uint64_t byte = kind->byte == 0 || kind->byte > unit ? unit : kind->byte;
        const uint64_t bits = groups * ((width + byte - 1) / byte * byte), blocks = (bits + unit - 1) / unit * ports;
        const double cost = kind->cost * (double)blocks +
                            0.5 * (double)((groups - 1) * width * ports + (groups > 1 ? groups : 0)) + 2.0 * ports;
        if (best < 0.0 || cost < best) {
            best = cost;
            *out_blocks = (uint32_t)blocks;
        }
    }
    return best;
}

static void map_slice(tern_family family, uint32_t width, uint32_t depth, uint32_t registers, bool latched,
                      tern_memory_use *use)
{
    const double bits = (double)width * depth;
    const uint32_t ports = registers == 0 ? 1 : registers;
    uint32_t block = 0, wide = 0, small = 0;
    double block_cost = bits, small_cost = bits; /* logic wins when nothing is cheaper */
    /* of a register file a copy for each read port */
    if ((registers == 0 || latched) && family == TERN_FAMILY_ICE40)
        block_cost = best_cost(&ebr, width, depth, ports, &block);
    if (registers == 0 && family == TERN_FAMILY_ECP5) {
        block_cost = best_cost(&dp16kd, width, depth, 1, &block);
        const double wide_cost = best_cost(&pdpw16, width, depth, 1, &wide);
        if (wide_cost < block_cost) {
            block_cost = wide_cost;
            block = wide;
        }
    }
    if (family == TERN_FAMILY_ECP5) small_cost = best_cost(&dpr16x4, width, depth, ports, &small);
    if (bits <= block_cost && bits <= small_cost) use->registers += (uint64_t)width * depth;
    else if (small_cost <= block_cost) use->lut_rams += small;
    else use->rams += block;
}

/* rtl/mem/tern_ram.v makes deep slices of at least 16 bits in parts: powers of two of words, down to 2048, then the
 * rest. */
static uint32_t part_words(uint32_t width, uint32_t rest)
{
    uint32_t words = 2048;
    while (words <= rest / 2) words *= 2;
    return width < 16 || rest <= words ? rest : words;
}

void tern_memory_map(tern_family family, const tern_memory *m, tern_memory_use *out)
{
    memset(out, 0, sizeof *out);
    if (family == TERN_FAMILY_SIM) return;
    if (m->registers == TERN_MEMORY_SINGLE && family == TERN_FAMILY_ICE40) {
        out->sprams = (m->width + 15u) / 16u * ((m->depth + 16383u) / 16384u);
        return;
    }
    if (m->registers != 0 && m->registers != TERN_MEMORY_SINGLE)
        map_slice(family, m->width, m->depth, m->registers, m->latched, out);
    else
        for (uint32_t left = m->width; left > 0; left -= left < 32 ? left : 32)
            for (uint32_t width = left < 32 ? left : 32, rest = m->depth, words; rest > 0; rest -= words)
                map_slice(family, width, words = part_words(width, rest), 0, false, out);
}
