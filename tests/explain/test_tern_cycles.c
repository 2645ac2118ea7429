/* test_tern_cycles.c : the count of cycles in strides gives what a count cycle by cycle gives
 * SPDX-License-Identifier: Apache-2.0
 *
 * Networks are drawn with rows from one word to hundreds, since only long rows are taken in strides.
 */
#include "tern_check.h"
#include "tern_compiler.h"
#include "tern_cycles_plain.h"
#include "tern_plan.h"
#include <stdarg.h>

static uint32_t state = 1;
static uint32_t draw(uint32_t below) /* 0 to below - 1, a multiplicative congruential generator */
{
    state = (uint32_t)(state * 48271ull % 2147483647u);
    return state % below;
}

static char script[2048];
static void put(const char *fmt, ...) TERN_PRINTF(1, 2);
static void put(const char *fmt, ...)
{
    const size_t n = strlen(script);
    va_list args;
    va_start(args, fmt);
    vsnprintf(script + n, sizeof script - n, fmt, args);
    va_end(args);
}

static void draw_script(void)
{
    static const char *const rules[] = { "gem", "mb", "iw", "reward" };
    const uint32_t rule = draw(4), hidden = draw(4) > 0 ? 2 * (1 + draw(4)) : 0, circuit = draw(2);
    script[0] = 0;
    put("local f = tern.raised_cosine{ duration = %u }\nlocal g = tern.taps{ 1, 0.5 }\n", 2 + draw(12));
    put("local a = tern.input{ name = 'a', size = %u }\n", 1 + draw(1u << (1 + draw(10))));
    put("local b = tern.input{ name = 'b', size = %u }\n", 1 + draw(20));
    if (hidden > 0)
        put("local h = tern.hidden{ name = 'h', size = %u%s%s }\n", hidden, draw(2) ? ", memory = f" : "",
            circuit ? ", wta = 2" : "");
    put("local v = tern.visible{ name = 'v', size = %u%s }\n", 1 + draw(6), draw(2) ? ", memory = g" : "");
    /* short rows behind long ones, of the same and of another filter */
    if (hidden > 0) put("tern.connect{ from = {a, v}, to = h, filters = f }\n");
    put("tern.connect{ from = {a%s}, to = v, filters = %s }\n", hidden > 0 ? ", h" : "", draw(2) ? "f" : "g");
    put("tern.connect{ from = b, to = {v%s}, filters = %s }\n", hidden > 0 ? ", h" : "", draw(2) ? "f" : "g");
    put("tern.formats{ lags = %u }\n", 1 + draw(12));
    put("tern.%s{ eta = 1e-3, kappa = 0.2, samples = %u%s }\n", rules[rule], 1 + draw(20),
        rule == 3 ? "" : ", gamma = 0.9");
}

static void compare(const tern_plan *p)
{
    for (unsigned i = 0; i < 16; ++i) {
        const bool update = i & 1, potential = i & 2, learn = i & 4, clamp = i & 8;
        if (!update && !potential) continue;
        CHECK_EQ(tern_plan_cycles(p, update, potential, learn, clamp),
                 tern_plain_cycles(p, update, potential, learn, clamp));
        const tern_cycle_range range = tern_plan_skip_range(p, update, potential, learn, clamp),
                               plain = tern_plain_skip_range(p, update, potential, learn, clamp);
        CHECK_EQ(range.least, plain.least);
        CHECK_EQ(range.most, plain.most);
    }
}

int main(void)
{
    enum { NETWORKS = TERN_DRAWN(60, 15) };
    uint64_t longest = 0;
    for (unsigned n = 0; n < NETWORKS && tern_check_failed == 0; ++n) {
        tern_arena arena;
        tern_model model;
        tern_diags diags;
        tern_plan plan;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        draw_script();
        if (tern_compile_string(script, strlen(script), "net.lua", NULL, &arena, &model, &diags) != TERN_OK) {
            printf("FAILED: %s: %s\n", diags.n > 0 ? diags.list[0].message : "?", script);
            return 1;
        }
        if (tern_plan_make(&model.net, 1u << draw(6), model.net.n_samples, &arena, &plan, &diags) != TERN_OK) {
            printf("FAILED: no plan: %s\n", script);
            return 1;
        }
        tern_plan_use_large(&plan);
        compare(&plan);
        for (uint32_t r = 0; r < plan.n_rows; ++r)
            if (plan.rows[r].words > longest) longest = plan.rows[r].words;
        tern_plan_use_ways(&plan, 1 + draw(plan.n_samples));
        tern_plan_use_prep(&plan, 1 + draw(plan.net->taps_d < plan.net->lags_w ? plan.net->taps_d : plan.net->lags_w));
        plan.need.skip = draw(2);
        compare(&plan);
        tern_plan_use_ways(&plan, 1);
        tern_plan_use_kernels(&plan, plan.reads_neurons);
        compare(&plan);
        if (tern_check_failed > 0) printf("network %u:\n%s", n, script);
        tern_arena_free(&arena);
    }
    CHECK(longest > 100);
    return tern_check_report("explain.cycles");
}
