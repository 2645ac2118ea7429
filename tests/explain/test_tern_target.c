/* test_tern_target.c : block RAM counts measured with Yosys 0.23, fit and cures
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include "tern_cores.h"
#include "tern_target.h"
#include "tern_check.h"
#include "tern_compiler.h"

/* synth_ice40 and synth_ecp5 of rtl/mem/tern_ram.v; explain.block_rams measures such shapes again where Yosys is
 * installed */
static void test_map(void)
{
    const struct {
        tern_family family;
        uint32_t width, depth, rams, lut_rams, registers;
    } list[] = {
        { TERN_FAMILY_ICE40, 32, 256, 2, 0, 0 }, { TERN_FAMILY_ICE40, 16, 512, 2, 0, 0 },
        { TERN_FAMILY_ICE40, 16, 4, 0, 0, 64 },  { TERN_FAMILY_ICE40, 16, 5, 1, 0, 0 },
        { TERN_FAMILY_ICE40, 3, 22, 0, 0, 66 },  { TERN_FAMILY_ICE40, 3, 23, 1, 0, 0 },
        { TERN_FAMILY_ICE40, 17, 7, 0, 0, 119 }, { TERN_FAMILY_ICE40, 17, 8, 2, 0, 0 },
        { TERN_FAMILY_ICE40, 1, 66, 0, 0, 66 },  { TERN_FAMILY_ICE40, 1, 67, 1, 0, 0 },
        { TERN_FAMILY_ICE40, 4, 100, 1, 0, 0 },  { TERN_FAMILY_ECP5, 16, 64, 0, 16, 0 },
        { TERN_FAMILY_ECP5, 32, 48, 1, 0, 0 },   { TERN_FAMILY_ECP5, 32, 32, 0, 16, 0 },
        { TERN_FAMILY_ECP5, 8, 128, 0, 16, 0 },  { TERN_FAMILY_ECP5, 8, 256, 1, 0, 0 },
        { TERN_FAMILY_ECP5, 4, 256, 0, 16, 0 },  { TERN_FAMILY_ECP5, 4, 512, 1, 0, 0 },
        { TERN_FAMILY_ECP5, 9, 18, 0, 6, 0 },    { TERN_FAMILY_ECP5, 1, 1024, 1, 0, 0 },
        { TERN_FAMILY_SIM, 32, 256, 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        const tern_memory m = { "m", "", list[i].width, list[i].depth, 0, false, "", 1 };
        tern_memory_use use;
        tern_memory_map(list[i].family, &m, &use);
        CHECK_EQ(use.rams, list[i].rams);
        CHECK_EQ(use.lut_rams, list[i].lut_rams);
        CHECK_EQ(use.registers, list[i].registers);
    }
    /* slices of 32 bits are memories of their own: 40 bits are 32 and 8 */
    tern_memory_use whole, low, high;
    const tern_memory m = { "m", "", 40, 512, 0, false, "", 1 }, m32 = { "m", "", 32, 512, 0, false, "", 1 },
                      m8 = { "m", "", 8, 512, 0, false, "", 1 };
    tern_memory_map(TERN_FAMILY_ICE40, &m, &whole);
    tern_memory_map(TERN_FAMILY_ICE40, &m32, &low);
    tern_memory_map(TERN_FAMILY_ICE40, &m8, &high);
    CHECK_EQ(whole.rams, low.rams + high.rams);
    const tern_memory file = { "m", "", 32, 8, 2, true, "", 1 };
    /* a register file: two copies of a block RAM cost more than 256 bits */
    tern_memory_map(TERN_FAMILY_ICE40, &file, &whole);
    CHECK_EQ(whole.rams, 0);
    CHECK_EQ(whole.registers, 256);
    const tern_memory larger = { "m", "", 37, 16, 2, true, "", 1 };
    tern_memory_map(TERN_FAMILY_ICE40, &larger, &whole); /* 37 bits are three blocks, twice */
    CHECK_EQ(whole.rams, 6);
    const tern_memory now = { "m", "", 37, 16, 2, false, "", 1 };
    /* words that are used as they are read cannot come from a block RAM */
    tern_memory_map(TERN_FAMILY_ICE40, &now, &whole);
    CHECK_EQ(whole.rams, 0);
}

typedef struct network {
    tern_arena arena;
    tern_model model;
    tern_plan plans[6];
    const tern_plan *list[6];
} network;

static unsigned duration = 6; /* of a filter, steps */

static void make(network *n, unsigned inputs, unsigned hidden, unsigned bits, unsigned filters, double kappa,
                 unsigned samples)
{
    char text[1024];
    tern_diags diags;
    tern_diags_init(&diags);
    const int length =
        snprintf(text, sizeof text,
                 "local f = tern.raised_cosine{ count = %u, duration = %u }\nlocal x = tern.input{ name = 'x', size = "
                 "%u }\nlocal h = tern.hidden{ name = 'h', size = %u }\n"
                 "local v = tern.visible{ name = 'v', size = 2 }\ntern.connect{ from = x, to = h, filters = f "
                 "}\ntern.connect{ from = {x, h}, to = v, filters = f }\n"
                 "tern.formats{ weight = {%u, %u} }\ntern.gem{ eta = 1e-3, kappa = %g, gamma = 0.5, samples = %u }\n",
                 filters, duration, inputs, hidden, bits, bits - 4u, kappa, samples);
    memset(n, 0, sizeof *n);
    tern_arena_init(&n->arena, tern_alloc_default(), 0);
    const tern_status s = tern_compile_string(text, (size_t)length, "net.lua", NULL, &n->arena, &n->model, &diags);
    CHECK_EQ(s, TERN_OK);
    if (s != TERN_OK) {
        if (diags.n > 0) puts(diags.list[0].message);
        exit(1);
    }
    for (uint32_t i = 0; i < 6; ++i) {
        CHECK_EQ(tern_plan_make(&n->model.net, 1u << i, samples, &n->arena, &n->plans[i], NULL), TERN_OK);
        n->list[i] = &n->plans[i];
    }
}

static bool has_cure(const tern_fit *f, const char *text)
{
    for (size_t i = 0; i < f->n_cures; ++i)
        if (strstr(f->cures[i], text) != NULL) return true;
    return false;
}

static uint32_t cure_number(const tern_fit *f, const char *format)
{
    uint32_t x = 0;
    for (size_t i = 0; i < f->n_cures; ++i)
        if (sscanf(f->cures[i], format, &x) == 1) return x;
    return 0;
}

/* A small network fits; a wide one does not, and each cure that is named does make it fit. */
static void test_fit(void)
{
    network n;
    tern_fit f;
    tern_diags diags;
    make(&n, 60, 2, 16, 2, 0.2, 2);
    for (size_t i = 0; i < TERN_TARGETS; ++i) {
        tern_target_fit(&tern_targets[i], n.list, 2, &f);
        tern_diags_init(&diags);
        CHECK_EQ(f.multipliers,
                 8); /* 2 lanes, a local parameter, 2 of a coefficient, a kernel; the addresses of taps: 2 */
        if (f.fits) CHECK_EQ(f.n_cures, 0);
        if (tern_targets[i].family == TERN_FAMILY_ECP5) CHECK_EQ(f.fits, true);
        CHECK_EQ(tern_target_report(&f, &diags), f.fits ? TERN_OK : TERN_ERR_FIT);
    }
    tern_arena_free(&n.arena);

    make(&n, 900, 14, 16, 2, 0.2, 4);
    const tern_target *up5k = tern_target_find("up5k"), *big = tern_target_find("ecp5-25k");
    tern_target_fit(up5k, n.list, 2, &f);
    CHECK_EQ(f.fits, false);
    CHECK_EQ(f.rams_short, true);
    CHECK_EQ(f.rams > up5k->rams, true);
    tern_diags_init(&diags);
    CHECK_EQ(tern_target_report(&f, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.list[0].code, 510);
    /* as estimated there may be too few cells, too */
    for (size_t i = 1; i < diags.n; ++i) CHECK_EQ(diags.list[i].code, 513);
    CHECK_EQ(strstr(diags.list[0].message, "only the small core uses its single-port RAM") != NULL, true);
    tern_target_fit(big, n.list, 2, &f);
    CHECK_EQ(f.fits, true);
    tern_arena_free(&n.arena);

    /* too large for ecp5-45k by a few blocks: fewer weight bits help, and a bit more than that does not */
    make(&n, 2048, 40, 16, 2, 0.2, 4);
    const tern_target *t = tern_target_find("ecp5-45k");
    tern_target_fit(t, n.list, 2, &f);
    CHECK_EQ(f.fits, false);
    CHECK_EQ(has_cure(&f, "the device ecp5-85k"), true);
    CHECK_EQ(has_cure(&f, "1 instead of 2 filters"), true);
    const uint32_t bits = cure_number(&f, "weights of %u bits");
    CHECK_EQ(bits >= 4 && bits < 16, true);
    tern_arena_free(&n.arena);
    make(&n, 2048, 40, bits, 2, 0.2, 4);
    tern_target_fit(t, n.list, 2, &f);
    CHECK_EQ(f.fits, true);
    tern_arena_free(&n.arena);
    if (bits < 15) {
        make(&n, 2048, 40, bits + 1u, 2, 0.2, 4);
        tern_target_fit(t, n.list, 2, &f);
        CHECK_EQ(f.fits, false);
        tern_arena_free(&n.arena);
    }
}

/* An ECP5 with fewer and fewer block RAMs: small memories leave them, no more than have to. */
static void test_short_of_rams(void)
{
    network n;
    tern_fit f;
    tern_memory list[TERN_CORE_MEMORIES];
    make(&n, 60, 6, 16, 2, 0.2, 12);
    const tern_capacity *c = &n.plans[2].need;
    const size_t memories = tern_core_memories(c, list);
    tern_target t = *tern_target_find("ecp5-25k");
    tern_target_fit_core(&t, c, &f);
    CHECK_EQ(f.fits && f.small_memories == 0 && !f.small_buffers, true);
    const uint64_t all = f.rams, lut_rams = f.lut_rams, cells = f.cells;
    unsigned n_short = 0, n_buffers = 0;
    for (t.rams = (uint32_t)all; t.rams-- > 0;) {
        tern_target_fit_core(&t, c, &f);
        if (f.rams_short) { /* nothing is small then: what is missing is the whole of it */
            CHECK_EQ(f.rams, all);
            CHECK_EQ(f.small_memories == 0 && !f.small_buffers, true);
            continue;
        }
        ++n_short;
        n_buffers += f.small_buffers;
        CHECK_EQ(f.rams <= t.rams && f.lut_rams > lut_rams && f.cells > cells, true);
        uint64_t saved = f.small_buffers ? 2 : 0, least = saved > 0 ? saved : UINT64_MAX;
        for (size_t i = 0; i < memories; ++i) {
            if ((f.small_memories >> i & 1u) == 0) continue;
            tern_memory_use use;
            tern_memory_map(t.family, &list[i], &use);
            const uint64_t rams = (uint64_t)use.rams * list[i].copies;
            CHECK_EQ(rams > 0 && list[i].registers == 0, true);
            saved += rams;
            if (rams < least) least = rams;
        }
        CHECK_EQ(f.small_memories >> memories, 0);
        CHECK_EQ(f.rams, all - saved);
        CHECK_EQ(f.rams + least > t.rams, true); /* with one less it would not fit */
    }
    CHECK_EQ(n_short >= 4 && n_short < all, true);
    CHECK_EQ(n_buffers > 0 && n_buffers < n_short, true);
    /* only ECP5 has such RAMs */
    tern_target ice = *tern_target_find("hx8k");
    tern_target_fit_core(&ice, c, &f);
    CHECK_EQ(f.rams_short && f.small_memories == 0 && !f.small_buffers, true);
    tern_arena_free(&n.arena);
}

/* Ways that are chosen: at most 32 traces of all lanes, but as many as somebody asks for. */
static void test_ways(void)
{
    network n;
    const tern_target *big = tern_target_find("ecp5-85k");
    make(&n, 20, 120, 8, 2, 0.2, 10);
    for (uint32_t i = 0; i < 6; ++i) {
        tern_plan plan = n.plans[i];
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 1, TERN_FORM_TRACE }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.ways == 1 || plan.need.ways << i <= 32, true);
        CHECK_EQ(plan.need.ways > 1, i <= 4);
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 5, 1, TERN_FORM_AUTO }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.ways, 5);
        CHECK_EQ(plan.need.kernels, 0);
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 1, TERN_FORM_KERNEL }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.kernels == 1 && plan.need.ways == 1, true);
        const tern_plan kernels = plan;
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 1, TERN_FORM_TRACE }, &plan, NULL), TERN_OK);
        const bool shorter = 20u * tern_plan_cycles(&kernels, true, true, true, true) <=
                             19u * tern_plan_cycles(&plan, true, true, true, true);
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 1, TERN_FORM_AUTO }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.kernels, shorter);
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 2, 1, TERN_FORM_KERNEL }, &plan, NULL), TERN_ERR_ARGUMENT);
        /* nothing is left of what was tried before */
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 0, TERN_FORM_KERNEL }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.kernels == 1 && plan.need.ways == 1, true);
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 1, 1, TERN_FORM_TRACE }, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.kernels == 0 && plan.need.ways == 1 && plan.need.prep == 1, true);
        plan.reads_neurons = false;
        CHECK_EQ(tern_target_ways(big, &(tern_parallel){ 0, 0, TERN_FORM_KERNEL }, &plan, NULL), TERN_ERR_ARGUMENT);
    }
    tern_arena_free(&n.arena);
}

/* Samples and lags: many neurons with a long window need memory for errors. */
static void test_samples(void)
{
    network n;
    tern_fit f;
    const tern_target *t = tern_target_find("ecp5-25k");
    make(&n, 8, 200, 8, 1, 0.8, 16);
    tern_target_fit(t, n.list, 2, &f);
    CHECK_EQ(f.fits, false);
    const uint32_t samples = cure_number(&f, "%u samples instead of 16"),
                   lags = cure_number(&f, "a learning window of %u lags");
    CHECK_EQ(samples > 0 && samples < 16, true);
    tern_arena_free(&n.arena);
    if (samples > 0) {
        make(&n, 8, 200, 8, 1, 0.8, samples);
        tern_target_fit(t, n.list, 2, &f);
        CHECK_EQ(f.fits, true);
        tern_arena_free(&n.arena);
    }
    CHECK_EQ(lags > 0 && lags < 21, true);
}

/* Registers alone can be too many: a long window, many samples. */
static void test_registers(void)
{
    network n;
    tern_fit f;
    tern_diags diags;
    duration = 32;
    make(&n, 8, 60, 16, 1, 0.95, 32);
    duration = 6;
    tern_target_fit(tern_target_find("up5k"), n.list, 2, &f);
    CHECK_EQ(f.registers_least > 3000, true);
    CHECK_EQ(f.cells_short, true);
    f.registers_short = true; /* no network of today needs that many: what is reported then */
    f.cells_short = false;
    tern_diags_init(&diags);
    CHECK_EQ(tern_target_report(&f, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.n_errors, 2);
    CHECK_EQ(diags.list[1].code, 511);
    tern_target_fit(tern_target_find("ecp5-85k"), n.list, 5, &f);
    CHECK_EQ(f.registers_short, false);
    CHECK_EQ(f.multipliers, 36);
    tern_target_fit(tern_target_find("sim"), n.list, 5, &f);
    CHECK_EQ(f.fits, true);
    /* too few multiplier blocks are a warning */
    tern_arena_free(&n.arena);
    make(&n, 8, 2, 8, 1, 0.2, 1);
    tern_target_fit(tern_target_find("ecp5-25k"), n.list, 5, &f);
    CHECK_EQ(f.multipliers > tern_target_find("ecp5-25k")->dsps, true);
    CHECK_EQ(f.cells > tern_target_find("ecp5-25k")->cells, f.cells_short || f.registers_short);
    f.fits = true; /* whatever the estimate says */
    f.rams_short = f.registers_short = f.cells_short = false;
    tern_diags_init(&diags);
    CHECK_EQ(tern_target_report(&f, &diags), TERN_OK);
    CHECK_EQ(diags.n, 1);
    CHECK_EQ(diags.list[0].code, 512);
    CHECK_EQ(diags.n_errors, 0);
    tern_arena_free(&n.arena);
}

static void test_table(void)
{
    CHECK_EQ(tern_target_find("up5") == NULL, true);
    CHECK_EQ(tern_target_find("") == NULL, true);
    char choices[256] = "";
    for (size_t i = 0; i < TERN_TARGETS; ++i) {
        CHECK_EQ(tern_target_find(tern_targets[i].name) == &tern_targets[i], true);
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i > 0 ? "|" : "",
                 tern_targets[i].name);
    }
    CHECK_STR(choices, TERN_TARGET_CHOICES);
}

/* The small core: who gets it, its single-port RAM, its limits. */
static void test_small(void)
{
    network n;
    tern_fit f;
    tern_diags diags;
    tern_plan plan;
    const tern_target *up5k = tern_target_find("up5k"), *hx8k = tern_target_find("hx8k"),
                      *ecp5 = tern_target_find("ecp5-25k");
    make(&n, 60, 2, 16, 2, 0.2, 2);
    const struct {
        const tern_target *target;
        tern_core_choice choice;
        uint32_t shift, small;
    } list[] = {
        { NULL, TERN_CORE_AUTO, 1, TERN_CORE_KIND_LARGE },
        { up5k, TERN_CORE_AUTO, 1, TERN_CORE_KIND_SMALL_EXACT },
        { up5k, TERN_CORE_AUTO, 2, TERN_CORE_KIND_LARGE /* words of 64 bits */ },
        { hx8k, TERN_CORE_AUTO, 0, TERN_CORE_KIND_SMALL_RAM },
        { ecp5, TERN_CORE_AUTO, 1, TERN_CORE_KIND_LARGE },
        { up5k, TERN_CORE_LARGE, 1, TERN_CORE_KIND_LARGE },
        { NULL, TERN_CORE_SMALL, 1, TERN_CORE_KIND_SMALL_EXACT },
        { ecp5, TERN_CORE_SMALL, 1, TERN_CORE_KIND_SMALL_RAM },
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        plan = n.plans[list[i].shift];
        CHECK_EQ(tern_plan_classes(&plan, 0, 2, TERN_DECODE_RATE, NULL), TERN_OK);
        CHECK_EQ(tern_target_core(list[i].target, list[i].choice, &plan, NULL), TERN_OK);
        CHECK_EQ(plan.need.small, list[i].small);
        CHECK_EQ(plan.need.classes, list[i].small != TERN_CORE_KIND_LARGE ? 0 : 2); /* the host counts */
        CHECK_EQ(plan.need.acc_w >= 33 || list[i].small == TERN_CORE_KIND_LARGE, true);
    }
    tern_diags_init(&diags);
    plan = n.plans[2];
    CHECK_EQ(tern_target_core(up5k, TERN_CORE_SMALL, &plan, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.list[0].code, 504);
    CHECK_EQ(plan.need.small, TERN_CORE_KIND_LARGE);
    CHECK_EQ(tern_core_choice_find("auto", TERN_FORM_AUTO), TERN_CORE_AUTO);
    CHECK_EQ(tern_core_choice_find("large", TERN_FORM_AUTO), TERN_CORE_LARGE);
    CHECK_EQ(tern_core_choice_find("small", TERN_FORM_AUTO), TERN_CORE_SMALL);

    /* a core tells what it is; a network with votes fits a small one; words too wide do not */
    uint32_t registers[32] = { 0 };
    tern_capacity core;
    registers[15] = 2;
    tern_plan_capacity(registers, &core);
    CHECK_EQ(core.small, TERN_CORE_KIND_SMALL_BANKS);
    CHECK_EQ(tern_core_of(&core)->banked && !tern_core_of(&core)->exact_weights, true);
    registers[15] = TERN_CORE_KINDS; /* of no core */
    tern_plan_capacity(registers, &core);
    CHECK_EQ(strcmp(tern_core_of(&core)->name, "small"), 0);
    plan = n.plans[1];
    tern_plan_use_small(&plan, true);
    core = plan.need;
    plan = n.plans[1];
    CHECK_EQ(tern_plan_classes(&plan, 0, 2, TERN_DECODE_RATE, NULL), TERN_OK);
    CHECK_EQ(tern_plan_fits(&plan, &core, NULL), TERN_OK);
    core.small = TERN_CORE_KIND_LARGE;
    CHECK_EQ(tern_plan_fits(&plan, &core, NULL), TERN_ERR_FIT);
    core = n.plans[2].need;
    core.small = TERN_CORE_KIND_SMALL_BANKS;
    core.rows += tern_small_extra_rows(&n.plans[2]);
    tern_diags_init(&diags);
    CHECK_EQ(tern_plan_fits(&n.plans[2], &core, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.n_errors, 1);
    CHECK_EQ(strcmp(diags.list[0].key, "lanes times weight_w"), 0);
    /* what a core lacks is reported once, against the core; what is no capacity, against the small core */
    core = n.plans[1].need;
    core.small = TERN_CORE_KIND_SMALL_BANKS;
    core.rows += tern_small_extra_rows(&n.plans[1]);
    core.hist_w -= 1;
    plan = n.plans[1];
    plan.need.hist_w = 40;
    plan.need.samples = 33;
    plan.need.lags_w = 1;
    tern_diags_init(&diags);
    CHECK_EQ(tern_plan_fits(&plan, &core, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.list[0].code, 504);
    CHECK_EQ(strcmp(diags.list[0].key, "samples times lags"), 0);
    unsigned histories = 0;
    for (size_t i = 0; i < diags.n_errors; ++i) histories += strcmp(diags.list[i].key, "history bits D + W") == 0;
    CHECK_EQ(histories, 1);

    /* a device is reported as large enough with the small core */
    tern_target_fit(up5k, n.list, 2, &f);
    CHECK_EQ(strcmp(f.core->name, "large"), 0);
    CHECK_EQ(f.sprams, 0);
    CHECK_EQ(f.fits, false);
    CHECK_EQ(has_cure(&f, "--core small --lanes"), true);
    tern_plan small[6];
    const tern_plan *plans[6] = { NULL };
    for (uint32_t i = 0; i < 2; ++i) {
        small[i] = n.plans[i];
        CHECK_EQ(tern_target_core(up5k, TERN_CORE_AUTO, &small[i], NULL), TERN_OK);
        plans[i] = &small[i];
    }
    tern_target_fit(up5k, plans, 1, &f);
    CHECK_EQ(strcmp(f.core->name, "small"), 0);
    CHECK_EQ(f.sprams, 4); /* two banks of 32 bits */
    CHECK_EQ(f.multipliers, 4);
    /* 32,768 words of 32 bits, and not one more */
    small[1].need.words = 32768;
    tern_target_fit(up5k, plans, 1, &f);
    CHECK_EQ(f.sprams_short, false);
    small[1].need.words = 32769;
    tern_target_fit(up5k, plans, 1, &f);
    CHECK_EQ(f.sprams, 8);
    CHECK_EQ(f.sprams_short, true);
    tern_diags_init(&diags);
    CHECK_EQ(tern_target_report(&f, &diags), TERN_ERR_FIT);
    CHECK_EQ(diags.list[0].code, 515);
    tern_arena_free(&n.arena);

    /* many filters: the program counts their taps with 8 bits; many rows: the data memory */
    make(&n, 60, 2, 16, 2, 0.2, 2);
    plan = n.plans[1];
    plan.need.hist_w = 16; /* 64 words each, sums and differences, zeros included */
    plan.need.filters = 4;
    CHECK_EQ(tern_plan_small(&plan, NULL), TERN_OK);
    plan.need.filters = 5;
    tern_diags_init(&diags);
    CHECK_EQ(tern_plan_small(&plan, &diags), TERN_ERR_FIT);
    CHECK_EQ(strcmp(diags.list[0].key, "words of taps"), 0);
    plan.need.filters = 2;
    plan.need.rows = 3000;
    tern_diags_init(&diags);
    CHECK_EQ(tern_plan_small(&plan, &diags), TERN_ERR_FIT);
    CHECK_EQ(strstr(diags.list[0].message, "the small core has at most 8192") != NULL, true);
    tern_arena_free(&n.arena);
}

int main(void)
{
    test_small();
    test_map();
    test_table();
    test_fit();
    test_short_of_rams();
    test_ways();
    test_samples();
    test_registers();
    return tern_check_report("explain.target");
}
