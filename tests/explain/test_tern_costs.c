/* test_tern_costs.c : operations of a network small enough to count by hand, and cycles
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_costs.h"
#include "tern_check.h"
#include "tern_compiler.h"

static const char script[] =
    "local f = tern.taps{ 1, 0.5, 0.25 }\n"
    "local x = tern.input{ name = 'x', size = 4 }\nlocal h = tern.hidden{ name = 'h', size = 2, memory = f }\nlocal v "
    "= tern.visible{ name = 'v', size = 1 }\n"
    "tern.connect{ from = x, to = {h, v}, filters = f }\ntern.connect{ from = h, to = v, filters = f }\n"
    "tern.formats{ lags = 2 }\ntern.gem{ eta = 1e-2, kappa = 0.2, gamma = 0.5, samples = 3 }\n";

int main(void)
{
    enum { K = 3, W = 2, D = 3, N = 3, SHARED = 12, SAMPLE = 2, SELF = 2, ROWS = 3 };
    tern_arena arena;
    tern_model model;
    tern_diags diags;
    tern_plan plan;
    tern_costs c;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_compile_string(script, sizeof script - 1, "net.lua", NULL, &arena, &model, &diags), TERN_OK);
    if (diags.n_errors > 0) {
        printf("%d: %s (%s)\n", diags.list[0].line, diags.list[0].message, diags.list[0].hint);
        return 1;
    }
    CHECK_EQ(tern_plan_make(&model.net, 4, K, &arena, &plan, &diags), TERN_OK);
    tern_costs_count(&plan, &c);
    CHECK_EQ(c.synapses_shared, SHARED);
    CHECK_EQ(c.synapses_sample, SAMPLE);
    CHECK_EQ(c.self_memories, SELF);
    CHECK_EQ(c.kernel[TERN_COST_POTENTIAL].multiplications, SHARED + K * SAMPLE + K * SELF);
    CHECK_EQ(c.eligibility[TERN_COST_POTENTIAL].multiplications, SHARED + K * SAMPLE + K * SELF);
    CHECK_EQ(c.kernel[TERN_COST_UPDATE].multiplications, K * W * SAMPLE);
    CHECK_EQ(c.kernel[TERN_COST_UPDATE].additions, SHARED * (D + W - 1) + SAMPLE * (K * W + 1));
    CHECK_EQ(c.kernel[TERN_COST_KERNEL].multiplications, ROWS * D * W); /* one filter: one kernel for each neuron */
    CHECK_EQ(c.kernel[TERN_COST_COEFFICIENT].multiplications, 2 * N * K * W);
    CHECK_EQ(c.eligibility[TERN_COST_UPDATE].multiplications, (SHARED + SAMPLE) * (3 * K + 1));
    CHECK_EQ(c.eligibility[TERN_COST_TRACE].additions, (4 + K * (2 + SELF)) * (D - 1));
    CHECK_EQ(c.eligibility_words, K * (SHARED + SAMPLE + SELF + N));
    CHECK_EQ(c.kernel_words, K * N * W);
    CHECK_EQ(c.unicast, K * 1);
    CHECK_EQ(c.broadcast, K * N);

    tern_step_cycles cycles;
    tern_costs_cycles(&plan, &cycles);
    CHECK_EQ(cycles.exact, true);
    CHECK_EQ(cycles.learning, tern_plan_cycles(&plan, true, true, true));
    CHECK_EQ(cycles.first, tern_plan_cycles(&plan, false, true, true));
    CHECK_EQ(cycles.inference, tern_plan_cycles(&plan, false, true, false));
    CHECK_EQ(cycles.flush, tern_plan_cycles(&plan, true, false, false));
    CHECK_EQ(cycles.learning > cycles.inference, true);
    CHECK_EQ(cycles.estimated, false);
    tern_plan_use_small(&plan, true); /* an estimate, and a sequencer takes longer */
    const uint64_t large_learning = cycles.learning;
    tern_costs_cycles(&plan, &cycles);
    CHECK_EQ(cycles.exact, false);
    CHECK_EQ(cycles.estimated, true);
    CHECK_EQ(cycles.learning > cycles.first && cycles.first > cycles.inference && cycles.learning > large_learning,
             true);
    tern_arena_free(&arena);

    /* a step too long to be counted gives lower bounds, at once */
    static const char large[] = "local f = tern.taps{ 1, 0.5 }\nlocal h = tern.hidden{ name = 'h', size = 1500 "
                                "}\nlocal v = tern.visible{ name = 'v', size = 1 }\n"
                                "tern.connect{ from = h, to = {h, v}, filters = f }\ntern.formats{ lags = 40 "
                                "}\ntern.gem{ eta = 1e-2, kappa = 0.9, gamma = 0.5, samples = 8 }\n";
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_compile_string(large, sizeof large - 1, "net.lua", NULL, &arena, &model, &diags), TERN_OK);
    CHECK_EQ(tern_plan_make(&model.net, 1, 8, &arena, &plan, &diags), TERN_OK);
    tern_costs_cycles(&plan, &cycles);
    CHECK_EQ(cycles.exact, false);
    CHECK_EQ(cycles.learning >= (uint64_t)plan.n_words * (8 * 40), true);
    tern_arena_free(&arena);
    return tern_check_report("explain.costs");
}
