/* test_link_engine.c : the host's engine against the C model of the board, over lines with every kind of fault
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_link_engine [--seed N] [--frames N] [--profile NAME]   without: every profile, 10,000 frames and more in all
 */
#include <inttypes.h>
#include <stdlib.h>
#include "link_world.h"
#include "tern_check.h"

static link_write written[LINK_LOG];
static link_world world;
static link_model model;

typedef struct profile {
    const char *name;
    uint64_t frames;
    unsigned buffer_log;
    uint32_t latency;
    link_faults board, host; /* to the board, to the host */
    link_events events;
} profile;

/* probabilities in 1/100,000: of bytes flip, lose, twice, extra, swap, hold; of frames lose, twice, late */
static const profile profiles[] = {
    { "clean", 1500, 9, 0, { 0 }, { 0 }, { 0 } },
    { "large", 1500, 12, 300, { 0 }, { 0 }, { 0 } },
    { "flips", 2000, 9, 0, { 300, 0, 0, 0, 0, 0, 0, 0, 0 }, { 300, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0 } },
    { "bytes", 2500, 9, 100, { 60, 60, 60, 60, 60, 60, 0, 0, 0 }, { 60, 60, 60, 60, 60, 60, 0, 0, 0 }, { 0 } },
    { "frames", 3000, 10, 100, { 0, 0, 0, 0, 0, 0, 8000, 8000, 8000 }, { 0, 0, 0, 0, 0, 0, 8000, 8000, 8000 }, { 0 } },
    { "requests", 1500, 9, 0, { 0, 0, 0, 0, 0, 0, 15000, 15000, 10000 }, { 0 }, { 0 } },
    { "replies", 1500, 9, 0, { 0 }, { 0, 0, 0, 0, 0, 0, 15000, 15000, 10000 }, { 0 } },
    { "plugs",
      2500,
      9,
      50,
      { 20, 10, 10, 10, 10, 10, 500, 500, 500 },
      { 20, 10, 10, 10, 10, 10, 500, 500, 500 },
      { 20, 20, 10, 10 } },
    { "all",
      3000,
      11,
      200,
      { 60, 30, 30, 30, 30, 30, 4000, 4000, 4000 },
      { 60, 30, 30, 30, 30, 30, 4000, 4000, 4000 },
      { 10, 10, 10, 10 } },
};

static int run(const profile *p, uint32_t seed, uint64_t frames)
{
    tern_link_stats s;
    link_world_init(&world, seed, &p->board, p->latency, written);
    world.faults_to_host = p->host;
    link_model_init(&model, &world, p->buffer_log);
    const int failed = link_run(&world, seed, frames, &p->events, &s);
    printf("%s: %s, seed %" PRIu32 ": %" PRIu64 " frames, %" PRIu64 " again, %" PRIu64 " words out, %" PRIu64
           " in, faults %" PRIu64 ", bad requests %" PRIu64 ", bad replies %" PRIu64 ", stale %" PRIu64
           ", gaps %" PRIu64 ", timeouts %" PRIu64 ", waiting %" PRIu64 "; %" PRIu64 " unplugged, %" PRIu64
           " powered, %" PRIu64 " restarts, %.1f s\n",
           failed ? "FAILED" : "ok", p->name, seed, s.frames, s.repeats, s.words_written, s.words_read, world.n_faults,
           s.bad_requests, s.bad_replies, s.stale_replies, s.gaps, s.timeouts, s.progress, world.n_unplugs,
           world.n_powers, world.n_restarts, (double)world.now / 300000.0);
    CHECK(!failed);
    CHECK(s.frames >= frames);
    /* the window is kept */
    if (world.n_faults == 0 && world.n_unplugs == 0)
        CHECK_EQ(s.repeats + s.timeouts + s.gaps + s.stale_replies + s.bad_replies + s.bad_requests, 0);
    else CHECK(s.repeats > 0 && s.timeouts > 0);
    return failed;
}

int main(int argc, char **argv)
{
    uint32_t seed = 1;
    uint64_t frames = 0, sum = 0;
    const char *name = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0) seed = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--frames") == 0) frames = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--profile") == 0) name = argv[i + 1];
        else return 2;
    }
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; ++i) {
        if (name != NULL && strcmp(name, profiles[i].name) != 0) continue;
        const uint64_t n = frames != 0 ? frames : profiles[i].frames;
        (void)run(&profiles[i], seed, n);
        sum += n;
    }
    printf("%" PRIu64 " frames\n", sum);
    if (name == NULL && frames == 0) CHECK(sum >= 10000);
    return tern_check_report("link_engine");
}
