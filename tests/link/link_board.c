/* link_board.c : whole networks over four pins: the host's engine, a faulty line, tern_board with the real core;
 * compared with the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 *     link_board [--first SEED] [--count N]
 * link_network.h; those too large for the design are passed over.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "link_dut.h"
#include "link_network.h"

const link_dut *tern_dut_board(void);
link_target link_dut_target(const link_dut *dut, void *object)
{
    return (link_target){ object, dut->tick, dut->take, dut->power };
}

enum { STEPS = 12 };
static link_world world;
static tern_link l;
static link_networks run = { .link = &l, .world = &world, .unplug = 2, .adapter = 2 };

#define EXPECT(cond, ...) \
    do { \
        if (!(cond) && ++run.failures <= 10) { \
            printf("DIFFERS " __VA_ARGS__); \
            printf("\n"); \
        } \
    } while (0)

static void keep(tern_link_result r)
{
    if (run.worst == TERN_LINK_R_OK) run.worst = r;
}

static void capacities(tern_capacity *c)
{
    const uint32_t *r = l.registers;
    *c = (tern_capacity){ .lanes = r[16],
                          .weight_w = r[17],
                          .samples = r[18],
                          .neurons = r[19],
                          .pairs = r[20],
                          .errors = r[21],
                          .taps_d = r[22],
                          .lags_w = r[23],
                          .filters = r[24],
                          .rows = r[25],
                          .words = r[26],
                          .hist_words = r[27],
                          .targets = r[28],
                          .hist_w = r[31],
                          .signals = r[11],
                          .baselines = r[12],
                          .wta = r[13],
                          .classes = r[14],
                          .kernel_w = r[29] >> 24,
                          .delta_w = r[29] >> 16 & 255u,
                          .acc_w = r[29] >> 8 & 255u,
                          .x_w = r[29] & 255u,
                          .index_w = r[30] >> 16 & 255u,
                          .dither_min = r[30] >> 8 & 255u,
                          .dither_max = r[30] & 255u,
                          .ways = 1,
                          .way_words = 1,
                          .prep = 1 };
}

static bool network(uint64_t seed, const tern_capacity *have)
{
    tern_netrun n;
    const bool fits = tern_netrun_make(&n, seed, (tern_rule_kind)(seed % 4), 4, false) &&
                      tern_plan_fits(&n.plan, have, &n.diags) == TERN_OK;
    if (fits) link_network(&run, &n, have, STEPS);
    tern_netrun_free(&n);
    return fits;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 3, ran = 0;
    static link_write log[LINK_LOG];
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        else return 2;
    }
    const link_pins pins = { 12000000, 3000000, -15, 100, 0, 0 };
    const link_faults faults = { 3, 3, 3, 3, 3, 3, 1000, 1000, 500 };
    link_world_init(&world, (uint32_t)first, &faults, 50, log);
    const link_dut *dut = tern_dut_board();
    void *object = dut->create(&pins, NULL, (uint32_t)first);
    if (object == NULL) return 1;
    world.target = link_dut_target(dut, object);
    const tern_link_io io = link_world_io(&world);
    tern_link_config config;
    tern_link_config_default(&config, 3000000);
    config.timeout_us = 6000;
    config.give_up_us = 400000;
    EXPECT(tern_link_init(&l, &io, &config) == TERN_LINK_R_OK, "init");
    EXPECT(dut->led(object) == 0, "LED: lit without a session");
    keep(tern_link_open(&l));
    tern_capacity have;
    capacities(&have);
    EXPECT(have.lanes == 4 && have.weight_w == 16 && have.neurons == 64 && have.signals == 1,
           "capacities: %" PRIu32 " lanes", have.lanes);
    run.random = (uint32_t)first;
    world.stall_us = 20000000;
    for (uint64_t seed = first; ran < count && seed < first + 1000 && run.failures == 0 && run.worst == TERN_LINK_R_OK;
         ++seed)
        ran += network(seed, &have);
    for (int i = 0; i < 100; ++i) link_world_tick(&world);
    EXPECT(dut->led(object) == 1, "LED: dark in a session");
    keep(tern_link_reset(&l));
    for (int i = 0; i < 100; ++i) link_world_tick(&world);
    EXPECT(dut->led(object) == 0, "LED: lit after a reset");
    world.faults = world.faults_to_host = (link_faults){ 0 };
    keep(tern_link_open(&l));
    EXPECT(run.worst == TERN_LINK_R_OK, "result: %s", tern_link_result_text(run.worst));
    EXPECT(ran == count, "networks: only %" PRIu64 " ran", ran);
    EXPECT(l.stats.repeats > 0 && world.n_unplugs > 0, "line: no fault");
    printf("link_board: %u differences; %" PRIu64 " networks of %u steps, %" PRIu64 " words written, %" PRIu64
           " compared, %" PRIu64 " frames, %" PRIu64 " again, unplugged %" PRIu64 " times, %" PRIu64 " clocks\n",
           run.failures, ran, (unsigned)STEPS, run.written, run.compared, l.stats.frames, l.stats.repeats,
           world.n_unplugs, dut->clocks(object));
    dut->destroy(object);
    return run.failures != 0;
}
