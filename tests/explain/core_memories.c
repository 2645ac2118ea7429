/* core_memories.c : for shell tests: the memories of a core, and what a memory becomes
 * SPDX-License-Identifier: Apache-2.0
 *
 *     core_memories net SEED LANES          (seed 0: with every part that a core may have) parameters of tern_core
 *                                           for a random network (first line), then "path width depth" of each memory
 *     core_memories small SEED LANES        the same of tern_small (odd seeds: weights in single-port memories); exit
 *                                           status 3: the small core cannot run this network
 *     core_memories map FAMILY WIDTH DEPTH  block RAMs, small RAMs and register bits of one memory; FAMILY: ice40
 *                                           or ecp5
 *     core_memories single WIDTH DEPTH      single-port RAMs of one memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_capacity.h"
#include "tern_target.h"
#include "tern_testnet.h"

/* Each copy under its own path: their numbers are counted on from that in the first one's brackets. */
static void print_memory(const tern_memory *m)
{
    const char *bracket = strchr(m->path, '['), *end = bracket != NULL ? strchr(bracket, ']') : NULL;
    if (m->copies == 1 || end == NULL) printf("%s %u %u\n", m->path, m->width, m->depth);
    else
        for (unsigned i = 0; i < m->copies; ++i)
            printf("%.*s[%lu%s %u %u\n", (int)(bracket - m->path), m->path, strtoul(bracket + 1, NULL, 10) + i, end,
                   m->width, m->depth);
}

static int print_net(uint64_t seed, uint32_t lanes)
{
    static tern_model model;
    tern_arena arena;
    tern_plan plan;
    tern_memory list[TERN_CORE_MEMORIES];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_testnet_make(seed, &arena, &model) != TERN_OK ||
        tern_plan_make(&model.net, lanes, model.net.n_samples, &arena, &plan, NULL) != TERN_OK)
        return 1;
    /* what the checks of the Verilog ask for: sums wider than their taps, accumulators wider than products */
    /* seed 0: 1 */
    tern_plan_use_kernels(&plan, seed % 3 == 0 && plan.reads_neurons);
    tern_plan_use_ways(&plan, plan.need.kernels != 0
                                  ? 1u
                                  : 1u + (uint32_t)(seed % (model.net.n_samples < 16u ? model.net.n_samples : 16u)));
    tern_capacity *c = &plan.need;
    c->classes = seed % 2 == 1 && model.net.n_visible <= 32 ? model.net.n_visible : 0;
    if (seed == 0) { /* every part that a core may have */
        c->signals = 1;
        c->baselines = c->baselines > 0 ? c->baselines : 7;
        c->wta = c->wta > 0 ? c->wta : 5;
        c->classes = 3;
        c->skip = 1;
    }
    if (c->x_w < 10) c->x_w = 10;
    if (c->delta_w < c->kernel_w + 1u) c->delta_w = c->kernel_w + 1u;
    if (c->delta_w < 17u + c->x_w) c->delta_w = 17u + c->x_w;
    if (c->acc_w < 18u + c->x_w) c->acc_w = 18u + c->x_w;
    printf(".LANES(%u), .WEIGHT_W(%u), .SAMPLES(%u), .NEURONS(%u), .PAIRS(%u), .ERRORS(%u), .TAPS_D(%u), .LAGS_W(%u), "
           ".HIST_W(%u), .FILTERS(%u), .ROWS(%u), .WORDS(%u), .HIST_WORDS(%u),"
           " .TARGETS(%u), .X_W(%u), .KERNEL_W(%u), .DELTA_W(%u), .ACC_W(%u), .DITHER_MIN(%u), .DITHER_MAX(%u), "
           ".INDEX_W(%u), .SIGNALS(%u), .BASELINES(%u), .WTA(%u), .CLASSES(%u), .KERNELS(%u), .WAYS(%u), "
           ".WAY_WORDS(%u), .PREP(%u), "
           ".SKIP(%u)\n",
           c->lanes, c->weight_w, c->samples, c->neurons, c->pairs, c->errors, c->taps_d, c->lags_w, c->hist_w,
           c->filters, c->rows, c->words, c->hist_words, c->targets, c->x_w, c->kernel_w, c->delta_w, c->acc_w,
           c->dither_min, c->dither_max, c->index_w, c->signals, c->baselines, c->wta, c->classes, c->kernels, c->ways,
           c->way_words, c->prep, c->skip);
    const size_t n = tern_core_memories(c, list);
    for (size_t i = 0; i < n; ++i) {
        if (seed == 0) list[i].copies = 1; /* counted, instance by instance */
        print_memory(&list[i]);
    }
    tern_arena_free(&arena);
    return 0;
}

static int print_small(uint64_t seed, uint32_t lanes)
{
    static tern_model model;
    tern_arena arena;
    tern_plan plan;
    tern_memory list[TERN_CORE_MEMORIES];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_testnet_make_sized(seed, TERN_RULE_GEM, false, &arena, &model) != TERN_OK ||
        tern_plan_make(&model.net, lanes, model.net.n_samples, &arena, &plan, NULL) != TERN_OK)
        return 1;
    tern_capacity *c = &plan.need;
    c->wta = 0;
    if (tern_plan_small(&plan, NULL) != TERN_OK) return 3;
    tern_plan_use_small(&plan, seed % 2 == 1);
#define XX(name, field, help) printf("%s.%s(%u)", strcmp(#name, "LANES") == 0 ? "" : ", ", #name, c->field);
    TERN_CAPACITY_MAP(XX)
#undef XX
    printf("\n");
    const size_t n = tern_core_memories(c, list);
    for (size_t i = 0; i < n; ++i) printf("%s %u %u\n", list[i].path, list[i].width, list[i].depth);
    tern_arena_free(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "small") == 0)
        return print_small(strtoull(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "single") == 0) {
        const tern_memory single = { "memory",
                                     "",
                                     (uint32_t)strtoul(argv[2], NULL, 10),
                                     (uint32_t)strtoul(argv[3], NULL, 10),
                                     TERN_MEMORY_SINGLE,
                                     false,
                                     "",
                                     1 };
        tern_memory_use u;
        tern_memory_map(TERN_FAMILY_ICE40, &single, &u);
        printf("%u %u\n", u.sprams, u.rams);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "net") == 0)
        return print_net(strtoull(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
    if (argc != 5 || strcmp(argv[1], "map") != 0) return 2;
    const tern_memory m = {
        "memory", "", (uint32_t)strtoul(argv[3], NULL, 10), (uint32_t)strtoul(argv[4], NULL, 10), 0, false, "", 1
    };
    tern_memory_use use;
    tern_memory_map(strcmp(argv[2], "ice40") == 0 ? TERN_FAMILY_ICE40 : TERN_FAMILY_ECP5, &m, &use);
    printf("%u %u %llu\n", use.rams, use.lut_rams, (unsigned long long)use.registers);
    return 0;
}
