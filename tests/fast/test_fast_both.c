/* test_fast_both.c : the engine `both` with a bug planted in `fast`: it stops at the first difference and says where
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_check.h"
#include "tern_run_engine.h"
#include "tern_plant.h"
#include "tern_testnet.h"

int tern_plant_now;

enum { STEPS = 12 };

static uint32_t steps_seen;

static void seen(void *ud, uint32_t t)
{
    (void)ud;
    steps_seen = t + 1;
}

static void run_network(uint64_t seed, int plant, bool want_difference, const char *message)
{
    tern_arena arena;
    tern_model m;
    tern_runner r;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_plant_now = plant;
    steps_seen = 0;
    CHECK(tern_testnet_make_as(seed, TERN_RULE_GEM, &arena, &m) == TERN_OK);
    const uint32_t in = m.net.n_inputs_pos / 32, neuron = m.net.n_neurons_pos / 32;
    tern_frames f = { .n_steps = STEPS,
                      .words_in = in,
                      .words_neuron = neuron,
                      .inputs = tern_arena_get(&arena, STEPS * in, 4),
                      .targets = tern_arena_get(&arena, STEPS * neuron, 4) };
    for (uint32_t t = 0; t < STEPS; ++t)
        tern_testnet_frame(seed, t, &m, f.inputs + (size_t)t * in, f.targets + (size_t)t * neuron);
    const tern_runner_engine engine = { .kind = &tern_engine_both, .threads = 1 };
    CHECK(tern_runner_init(&r, &m, engine, m.net.n_samples, seed, &arena, &diags) == TERN_OK);
    tern_runner_run(&r, &f, TERN_STEP_LEARN | TERN_STEP_CLAMP, seen, NULL);
    tern_runner_end(&r, true);
    const tern_status s = tern_runner_check(&r, &diags);
    CHECK_EQ(s, want_difference ? TERN_ERR_DIFFERS : TERN_OK);
    CHECK_EQ(steps_seen == STEPS, !want_difference || strstr(message, "flush") != NULL);
    CHECK_EQ(diags.n, want_difference ? 1 : 0);
    if (diags.n != 0) {
        CHECK_EQ(diags.list[0].code, 143);
        if (strstr(diags.list[0].message, message) == NULL) CHECK_STR(diags.list[0].message, message);
    }
    tern_runner_close(&r);
    tern_arena_free(&arena);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= 6; ++seed) run_network(seed, TERN_PLANT_NONE, false, "");
    run_network(1, TERN_PLANT_LOSS, true, "after step 0 loss_f12[");
    run_network(1, TERN_PLANT_ERROR, true, "after step 0 errors_f15[");
    run_network(1, TERN_PLANT_BIAS_DITHER, true, "after step 1 bias_f12[");
    return tern_check_report("fast both");
}
