/* link_golden.c : whole networks over a faulty line, until so many frames have been sent: the host's engine, the line,
 * a board in C with the golden model behind its host port
 * SPDX-License-Identifier: Apache-2.0
 *
 *     link_golden [--first SEED] [--frames N]
 * Bits flip; bytes are lost, doubled, delayed and overtaken, frames likewise; the line and the adapter are unplugged
 * and plugged in again. Nothing of it may be seen: link_network.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "link_network.h"
#include "tern_board_model.h"

static link_world world;
static tern_link l;
static tern_link_config config;
static link_networks run = { .link = &l, .world = &world, .unplug = 8, .adapter = 8 };
static tern_board_model *board;

static void tick(void *ud, int byte)
{
    const uint8_t b = (uint8_t)byte; /* this board knows no broken bytes: they come as others */
    (void)ud;
    if (byte >= 0) tern_board_model_put(board, &b, 1);
}
static int take(void *ud)
{
    uint8_t byte;
    (void)ud;
    return tern_board_model_take(board, &byte, 1) == 1 ? byte : -1;
}

int main(int argc, char **argv)
{
    static link_write log[1]; /* the world's own core is not used */
    uint64_t first = 1, frames = 10000, sent = 0, repeats = 0, unplugs = 0, faults = 0, networks = 0, bad = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--frames") == 0) frames = strtoull(argv[i + 1], NULL, 10);
        else return 2;
    }
    /* of bytes flip, lose, twice, extra, swap, hold; of frames lose, twice, late */
    const link_faults kinds = { 40, 20, 20, 20, 20, 20, 2000, 2000, 2000 };
    for (uint64_t seed = first; sent < frames && run.failures == 0 && run.worst == TERN_LINK_R_OK; ++seed) {
        tern_netrun n;
        /* the plan again: this board has no votes */
        bool made = tern_netrun_make(&n, seed, (tern_rule_kind)(seed % 4), 4, false) &&
                    tern_plan_make(&n.m.net, 4, n.m.net.n_samples, &n.arena, &n.plan, &n.diags) == TERN_OK;
        if (made) tern_plan_use_large(&n.plan);
        if (!made ||
            tern_board_model_create(&n.m, &n.plan.need, (uint8_t)(seed * 37), &n.arena, &board, &n.diags) != TERN_OK) {
            printf("DIFFERS network of seed %" PRIu64 "\n", seed);
            return 1;
        }
        link_world_init(&world, (uint32_t)seed, &kinds, 100, log);
        world.target = (link_target){ NULL, tick, take, NULL };
        const tern_link_io io = link_world_io(&world);
        tern_link_config_default(&config, 3000000);
        config.timeout_us = 8000;
        config.give_up_us = 400000;
        run.random = (uint32_t)seed * 2654435761u;
        world.limit = world.stall_us;
        run.worst = tern_link_init(&l, &io, &config);
        while (run.worst == TERN_LINK_R_OK && (run.worst = tern_link_open(&l)) == TERN_LINK_R_SILENT && !world.dead)
            run.worst = TERN_LINK_R_OK;
        if (run.worst == TERN_LINK_R_OK) link_network(&run, &n, &n.plan.need, 40);
        if (run.failures != 0 || run.worst != TERN_LINK_R_OK || tern_board_model_foreign(board)) {
            printf("DIFFERS in seed %" PRIu64 ": %s%s\n", seed, tern_link_result_text(run.worst),
                   tern_board_model_foreign(board) ? ", another network than was sent" : "");
            ++run.failures;
        }
        ++networks;
        sent += l.stats.frames;
        repeats += l.stats.repeats;
        bad += l.stats.bad_requests + l.stats.bad_replies;
        unplugs += world.n_unplugs;
        faults += world.n_faults;
        tern_netrun_free(&n);
    }
    if (run.failures == 0 && (repeats == 0 || bad == 0 || unplugs == 0 || run.compared < 10000)) {
        printf("DIFFERS line: no faults, or nothing compared\n");
        ++run.failures;
    }
    printf("link_golden: %u differences; %" PRIu64 " networks, %" PRIu64 " frames, %" PRIu64 " again, %" PRIu64
           " faults of the line, unplugged %" PRIu64 " times, %" PRIu64 " words written, %" PRIu64
           " compared with the golden model\n",
           run.failures, networks, sent, repeats, faults, unplugs, run.written, run.compared);
    return run.failures != 0;
}
