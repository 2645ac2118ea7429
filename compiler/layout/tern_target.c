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

tern_core_choice tern_core_choice_find(const char *name, tern_form form)
{
    if (strcmp(name, "small") == 0) return TERN_CORE_SMALL;
    return strcmp(name, "large") == 0 || form == TERN_FORM_KERNEL ? TERN_CORE_LARGE : TERN_CORE_AUTO;
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
