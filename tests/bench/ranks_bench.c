/* ranks_bench.c : steps per second with threads and with ranks, in turns; what an exchange costs (docs/25-mpi.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 *     mpirun -n R --bind-to none ranks_bench IMAGE RECORDINGS [--seconds S] [--rounds N] [--limit S] [--after N]
 * The first recording is learnt over and over by rank 0 with one thread, by rank 0 with R threads, and by R ranks with
 * one thread each; ways take turns, N rounds of about S seconds each, at most --limit seconds in all. Ranks that have
 * nothing to do sleep. On a machine with other work short rounds (0.005 s) have a chance to be undisturbed, so that the
 * best counts. In each round two threads send a cache line there and back: a virtual machine may move its processors
 * from one die to two and back. Rounds in which the line was quick (near) or slow (far) are printed once more by
 * themselves.
 * Prints a line for each way: name, steps/s of the best round and of the middle one, each against one thread. Then, of
 * the ranks: processor time of a rank's own work in a step (the slowest rank), against that of all work; an exchange of
 * the same bytes without work; bytes.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tern/data.h"
#include "tern/fast.h"
#include "tern/image.h"
#include "tern_ranks.h"

enum { MOST_ROUNDS = 9999, NEAR_NS = 150, FAR_NS = 1500 };
typedef enum way { ONE, THREADS, RANKS, WAYS } way;

typedef struct engine {
    tern_state st;
    tern_fast *fast;
    uint32_t at;
} engine;

typedef struct bench {
    tern_arena arena;
    tern_model model;
    tern_frames frames;
    tern_diags diags;
    engine e[WAYS];
    double seconds, work_s; /* processor time of this rank, exchanges left out */
    double rate[WAYS][MOST_ROUNDS], trip_ns[MOST_ROUNDS];
    double limit_s;
    uint32_t rounds, after;
    bool account;
} bench;

static double clock_s(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool exchange(void *ud, uint8_t *all, const size_t *offset)
{
    bench *b = ud;
    const double start = b->account ? clock_s(CLOCK_THREAD_CPUTIME_ID) : 0;
    const bool good = tern_ranks_exchange(all, offset);
    if (b->account) b->work_s -= clock_s(CLOCK_THREAD_CPUTIME_ID) - start;
    return good;
}

static bool open_one(bench *b, way w)
{
    const tern_net *n = &b->model.net;
    const size_t bytes = tern_state_bytes(n, n->n_samples);
    void *mem = tern_arena_get(&b->arena, bytes, 1);
    const tern_fast_peers peers = {
        .index = tern_ranks_index(), .count = tern_ranks_count(), .ud = b, .exchange = exchange
    };
    const tern_fast_options o = { .threads = w == THREADS ? tern_ranks_count() : 1 };
    engine *e = &b->e[w];
    return mem != NULL && tern_state_init(&e->st, n, mem, bytes, n->n_samples, 1) == TERN_OK &&
           tern_fast_open_with(&e->st, &o, w == RANKS ? &peers : NULL, &b->arena, &e->fast, &b->diags) == TERN_OK;
}

static void steps(bench *b, engine *e, uint32_t n)
{
    const tern_frames *f = &b->frames;
    while (n-- > 0) {
        tern_fast_step(e->fast, f->inputs + (size_t)e->at * f->words_in, f->targets + (size_t)e->at * f->words_neuron,
                       TERN_STEP_LEARN | TERN_STEP_CLAMP);
        if (++e->at < f->n_steps) continue;
        e->at = 0;
        tern_fast_flush(e->fast);
        tern_state_clear(&e->st);
    }
}

/* ---- how far are two processors from each other? -------------------------------------------- */

enum { LAST = 1u << 30 };
static _Alignas(64) atomic_uint line;

static void *answer(void *ud)
{
    (void)ud;
    for (unsigned i = 0;; ++i) {
        unsigned now;
        while ((now = atomic_load(&line)) != 2 * i + 1 && now != LAST) continue;
        if (now == LAST) return NULL;
        atomic_compare_exchange_strong(&line, &now, 2 * i + 2); /* unless the other one has just given up */
    }
}

/* Nanoseconds of a cache line there and back, the best hundred within some milliseconds; 1e9: fewer came back. */
static double trip_ns(void)
{
    pthread_t other;
    double best = 1e9, start = clock_s(CLOCK_MONOTONIC), end = start + 0.004, now = start;
    if (tern_ranks_index() != 0) return 0;
    atomic_store(&line, 0);
    if (pthread_create(&other, NULL, answer, NULL) != 0) return best;
    for (unsigned i = 0; now < end; ++i) {
        atomic_store(&line, 2 * i + 1);
        for (unsigned turn = 0; atomic_load(&line) != 2 * i + 2 && now < end; ++turn)
            if (turn % 1024 == 1023) now = clock_s(CLOCK_MONOTONIC);
        if (i % 100 != 99 || now >= end) continue;
        now = clock_s(CLOCK_MONOTONIC);
        if (1e7 * (now - start) < best) best = 1e7 * (now - start);
        start = now;
    }
    atomic_store(&line, LAST);
    pthread_join(other, NULL);
    return best;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Rank 0 works alone; the others look every millisecond whether it has finished. */
static void others_sleep(void)
{
    const uint32_t index = tern_ranks_index();
    uint8_t word = 0;
    uint32_t from;
    if (index == 0)
        for (uint32_t p = 1; p < tern_ranks_count(); ++p) tern_ranks_send(p, &word, 1);
    else
        while (tern_ranks_take(&from, &word, 1) == 0) nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
}

static void round_of(bench *b, way w, uint32_t round, uint32_t n)
{
    if (w != RANKS && tern_ranks_index() != 0) return;
    const double start = clock_s(CLOCK_MONOTONIC);
    steps(b, &b->e[w], n);
    b->rate[w][round] = n / (clock_s(CLOCK_MONOTONIC) - start);
}

static int rising(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double slowest(double mine)
{
    static double all[TERN_RANKS_MAX];
    static size_t offset[TERN_RANKS_MAX + 1];
    double most = 0;
    for (uint32_t i = 0; i <= tern_ranks_count(); ++i) offset[i] = i * sizeof *all;
    all[tern_ranks_index()] = mine;
    tern_ranks_exchange((uint8_t *)all, offset);
    for (uint32_t i = 0; i < tern_ranks_count(); ++i)
        if (all[i] > most) most = all[i];
    return most;
}

/* Microseconds of processor time in a step, exchanges left out. */
static double work_us(bench *b, way w, uint32_t n)
{
    if (w != RANKS && tern_ranks_index() != 0) return 0;
    b->account = true;
    b->work_s = -clock_s(CLOCK_THREAD_CPUTIME_ID);
    steps(b, &b->e[w], n);
    b->work_s += clock_s(CLOCK_THREAD_CPUTIME_ID);
    b->account = false;
    return 1e6 * b->work_s / n;
}

/* Microseconds of an exchange when all ranks come at once; the best hundred within two seconds. */
static double exchange_us(size_t bytes)
{
    static uint8_t all[1 << 20];
    static size_t offset[TERN_RANKS_MAX + 1];
    double best = 1e9;
    const uint32_t count = tern_ranks_count();
    if (bytes > sizeof all / count) bytes = sizeof all / count;
    for (uint32_t i = 0; i <= count; ++i) offset[i] = i * bytes;
    const double end = clock_s(CLOCK_MONOTONIC) + 2;
    for (uint32_t more = 1; more != 0;) {
        const double start = clock_s(CLOCK_MONOTONIC);
        for (unsigned j = 0; j < 100; ++j) tern_ranks_exchange(all, offset);
        const double now = clock_s(CLOCK_MONOTONIC), us = 1e4 * (now - start);
        if (us < best) best = us;
        more = now < end;
        tern_ranks_from_first(&more, sizeof more);
    }
    return best;
}

/* Rounds in which a line took at least `least` and less than `most`. */
static void report(const bench *b, const char *what, double least, double most)
{
    static const char *const names[] = { "one thread", "%u threads", "%u ranks" };
    static double some[MOST_ROUNDS];
    double best[WAYS], middle[WAYS];
    for (unsigned w = 0; w < WAYS; ++w) {
        uint32_t n = 0;
        for (uint32_t r = 0; r < b->rounds; ++r)
            if (b->trip_ns[r] >= least && b->trip_ns[r] < most) some[n++] = b->rate[w][r];
        if (n == 0) return;
        qsort(some, n, sizeof some[0], rising);
        best[w] = some[n - 1u];
        middle[w] = some[n / 2u];
        if (w == 0) printf("%s: %u rounds\n", what, n);
        printf(names[w], tern_ranks_count());
        printf(" | %.0f | %.2f | %.0f | %.2f\n", best[w], best[w] / best[ONE], middle[w], middle[w] / middle[ONE]);
    }
}

static bool run(bench *b, const char *image, const char *data)
{
    tern_dataset set;
    uint32_t n = 1;
    bool ok = tern_image_load(image, &b->arena, &b->model, &b->diags) == TERN_OK &&
              tern_dataset_open(data, &b->arena, &set, &b->diags) == TERN_OK &&
              tern_frames_load(&b->model, set.paths[0], set.labels[0], &b->arena, &b->frames, &b->diags) == TERN_OK;
    for (unsigned w = 0; ok && w < WAYS; ++w) ok = open_one(b, (way)w);
    if (!ok) return false;
    for (unsigned w = 0; w < WAYS; ++w) round_of(b, (way)w, 0, b->after * b->frames.n_steps + 100u);
    others_sleep();
    if (tern_ranks_index() == 0) n = (uint32_t)(b->rate[ONE][0] * b->seconds) / b->frames.n_steps + 1u;
    n *= b->frames.n_steps;
    tern_ranks_from_first(&n, sizeof n);
    const double end = clock_s(CLOCK_MONOTONIC) + b->limit_s;
    uint32_t n_here = n;
    for (uint32_t r = 0; r < b->rounds; ++r) {
        if (tern_ranks_index() == 0 && clock_s(CLOCK_MONOTONIC) > end) n_here = 0;
        tern_ranks_from_first(&n_here, sizeof n_here);
        if (n_here == 0) b->rounds = r;
        if (n_here == 0) break;
        b->trip_ns[r] = trip_ns();
        round_of(b, ONE, r, n);
        round_of(b, THREADS, r, n);
        others_sleep();
        slowest(0); /* begin together */
        round_of(b, RANKS, r, n);
    }
    const double whole_us = work_us(b, ONE, n);
    others_sleep();
    slowest(0);
    const double part_us = slowest(work_us(b, RANKS, n));
    tern_fast_divided d;
    tern_fast_flush(b->e[RANKS].fast);
    tern_fast_divided_of(b->e[RANKS].fast, &d);
    const double bytes = 4.0 * (double)(d.sent.losses + d.sent.spikes) / b->e[RANKS].st.step;
    const uint32_t R = tern_ranks_count();
    const double us = exchange_us((size_t)(bytes / (R * (R - 1u))));
    if (tern_ranks_index() != 0) return true;
    report(b, "all", 0, 1e99);
    report(b, "near", 0, NEAR_NS);
    report(b, "far", NEAR_NS, FAR_NS);
    printf("work of a rank in a step: %.1f us of %.1f us (%.3f); an exchange: %.2f us, %.0f bytes in all\n", part_us,
           whole_us, part_us / whole_us, us, bytes);
    return true;
}

int main(int argc, char **argv)
{
    static bench b;
    b = (bench){ .seconds = 0.3, .rounds = 9, .limit_s = 60 };
    tern_diags_init(&b.diags);
    tern_arena_init(&b.arena, tern_alloc_default(), 0);
    bool ok = argc >= 3 && argc % 2 == 1;
    for (int i = 3; ok && i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0) b.seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--rounds") == 0) b.rounds = (uint32_t)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--limit") == 0) b.limit_s = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--after") == 0) b.after = (uint32_t)atoi(argv[i + 1]);
        else ok = false;
    }
    ok = ok && b.rounds >= 1 && b.rounds <= MOST_ROUNDS && tern_ranks_started() > 1 &&
         tern_ranks_begin("ranks_bench", &b.diags) == TERN_OK && run(&b, argv[1], argv[2]) && !tern_ranks_lost();
    if (!ok) {
        char text[1200] = "usage: mpirun -n R ranks_bench IMAGE RECORDINGS ...";
        if (b.diags.n != 0) tern_diag_format(&b.diags.list[0], text, sizeof text);
        fprintf(stderr, "%s\n", text);
        tern_ranks_lose();
    }
    for (unsigned w = 0; w < WAYS; ++w) tern_fast_close(b.e[w].fast);
    tern_ranks_end(ok ? 0 : 2);
    return ok ? 0 : 2;
}
