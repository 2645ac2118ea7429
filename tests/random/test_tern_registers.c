/* test_tern_registers.c : what random networks write to the registers of a core that come from their formats
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_registers core|small FILE.lua...
 *
 * The networks of the co-simulation tests of the large or of the small core, without a core: seeds and fixed scripts
 * must be those of CMakeLists.txt here and in ../cosim. Each bit that a legal network can set (docs/33-host-port.md)
 * must be 1 in one of them and 0 in another one: else a bit that hardware loses is seen by no lockstep.
 */
#include <inttypes.h>
#include <string.h>
#include "tern_check.h"
#include "tern_compiler.h"
#include "tern_plan.h"
#include "tern_script_build.h"
#include "tern_testnet.h"

enum { FIRST = 32, END = 64, LANES = 4 };
/* Bits that a legal network can set. */
static const struct {
    unsigned number;
    uint32_t bits;
} legal[] = {
    { TERN_REG_SAMPLE_LAST, 31 }, { TERN_REG_TAP_LAST, 31 },      { TERN_REG_SCALE, 31 },
    { TERN_REG_DITHER_BITS, 31 }, { TERN_REG_LOCAL_BITS, 31 },    { TERN_REG_C_SHIFT, 31 },
    { TERN_REG_TRACE_FRAC, 15 },  { TERN_REG_RULE, 7 },           { TERN_REG_M_SHIFT, 31 },
    { TERN_REG_GAMMA, 65535 },    { TERN_REG_BASELINE_SHIFT, 7 }, { TERN_REG_DITHER_BITS1, 31 },
    { TERN_REG_LOCAL_BITS1, 31 }, { TERN_REG_C_SHIFT1, 31 },      { TERN_REG_INV_K, 65535 },
};

static uint32_t ones[END], zeros[END];
static unsigned networks;
static tern_arena arena;
static tern_model model;
static tern_diags diags;

static void note(tern_host_writer *self, uint32_t address, uint32_t data)
{
    (void)self;
    if (address >> 24 != TERN_RG_REG || address < FIRST || address >= END) return;
    ones[address] |= data;
    zeros[address] |= ~data;
}

static void take(const tern_model *m)
{
    tern_plan plan;
    tern_host_writer writer = { note };
    if (tern_plan_make(&m->net, LANES, m->net.n_samples, &arena, &plan, &diags) != TERN_OK) return;
    const tern_capacity core = plan.need;
    tern_plan_write_network(&plan, &core, &writer);
    ++networks;
}

static void scripts(const tern_script_limits *limits, uint64_t first, uint64_t count)
{
    static tern_script s;
    for (uint64_t seed = first; seed < first + count; ++seed) {
        tern_script_limits lim = *limits;
        unsigned attempt = 0;
        lim.fine = first >= TERN_SCRIPT_FINE;
        CHECK_EQ(tern_script_build(&s, seed, &lim, 6, &arena, &model, &diags, &attempt), TERN_OK);
        take(&model);
    }
}

static void nets(uint64_t count)
{
    for (unsigned rule = 0; rule < 4; ++rule)
        for (uint64_t seed = 1; seed <= count; ++seed) {
            tern_arena_free(&arena);
            tern_arena_init(&arena, tern_alloc_default(), 0);
            CHECK_EQ(tern_testnet_make_as(seed, (tern_rule_kind)rule, &arena, &model), TERN_OK);
            take(&model);
        }
}

static void files(int n, char **paths)
{
    for (int i = 0; i < n; ++i) {
        tern_arena_free(&arena);
        tern_arena_init(&arena, tern_alloc_default(), 0);
        CHECK_EQ(tern_compile_file(paths[i], NULL, &arena, &model, &diags), TERN_OK);
        take(&model);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || (strcmp(argv[1], "core") != 0 && strcmp(argv[1], "small") != 0)) return 2;
    const bool small = strcmp(argv[1], "small") == 0;
    unsigned missed = 0;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    scripts(small ? &tern_script_small_rules : &tern_script_large, 1, 30);
    scripts(small ? &tern_script_small_rules : &tern_script_large, small ? 2000001 : 2000101, 30);
    nets(small ? 56 : 16);
    files(argc - 2, argv + 2);
    for (unsigned i = 0; i < sizeof legal / sizeof *legal; ++i) {
        const uint32_t at = legal[i].number, never1 = legal[i].bits & ~ones[at], never0 = legal[i].bits & ~zeros[at];
        if ((never1 | never0) == 0) continue;
        ++missed;
        printf("register %" PRIu32 ": bits %#" PRIx32 " are never 1, bits %#" PRIx32 " never 0\n", at, never1, never0);
    }
    CHECK_EQ(missed, 0u);
    printf("%u networks\n", networks);
    tern_arena_free(&arena);
    return tern_check_report("registers");
}
