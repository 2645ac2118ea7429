/* fast_bench.c : steps per second of the golden model and of the engine `fast` with every instruction set, side by side
 * SPDX-License-Identifier: Apache-2.0
 *
 *     fast_bench IMAGE RECORDINGS [--eval] [--samples K] [--seconds S] [--rounds N] [--isa NAME] [--threads N] [--no-
 * golden]
 * One recording is shown over and over: learning, or with --eval free. Engines take turns, N rounds of about S seconds
 * each; the best round counts, since a shared machine only ever makes one
 * slower. Prints one line for each engine: name, threads, steps/s, ratio to golden, multiply-adds per second in
 * millions, bytes per synapse.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tern/data.h"
#include "tern/fast.h"
#include "tern/image.h"

enum { ENGINES = 8, GOLDEN = 0 };

typedef struct engine {
    const char *name;
    tern_state st;
    tern_fast *fast;
    uint32_t at;
    double best;
} engine;

typedef struct bench {
    tern_arena arena;
    tern_model model;
    tern_frames frames;
    tern_diags diags;
    unsigned flags;
    uint32_t samples, threads;
    double seconds;
    unsigned rounds;
    engine e[ENGINES];
    unsigned n;
} bench;

/* With one thread the time that the processor spent on it; else that of the clock on the wall. */
static double now_s(const bench *b)
{
    struct timespec t;
    clock_gettime(b->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool add(bench *b, const char *isa)
{
    const tern_net *net = &b->model.net;
    engine *e = &b->e[b->n++];
    const size_t bytes = tern_state_bytes(net, b->samples);
    void *mem = tern_arena_get(&b->arena, bytes, 1);
    *e = (engine){ .name = isa == NULL ? "golden" : isa };
    if (mem == NULL || tern_state_init(&e->st, net, mem, bytes, b->samples, 1) != TERN_OK) return false;
    return isa == NULL ||
           tern_fast_open(&e->st, &(tern_fast_options){ isa, b->threads }, &b->arena, &e->fast, &b->diags) == TERN_OK;
}

static void step(bench *b, engine *e)
{
    const tern_frames *f = &b->frames;
    const uint32_t *in = f->inputs + (size_t)e->at * f->words_in,
                   *target = f->targets + (size_t)e->at * f->words_neuron;
    if (e->fast != NULL)
        tern_fast_step(e->fast, in, target, b->flags);
    else
        tern_step(&e->st, in, target, b->flags);
    if (++e->at < f->n_steps) return;
    e->at = 0;
    if (e->fast != NULL)
        tern_fast_flush(e->fast);
    else
        tern_flush(&e->st);
    tern_state_clear(&e->st);
}

static void round_of(bench *b, engine *e)
{
    const double start = now_s(b);
    double took = 0;
    unsigned n = 0;
    do {
        for (unsigned i = 0; i < (e->fast != NULL ? 16u : 1u); ++i, ++n) step(b, e);
        took = now_s(b) - start;
    } while (took < b->seconds);
    if (n / took > e->best) e->best = n / took;
}

static void report(const bench *b)
{
    for (unsigned i = 0; i < b->n; ++i) {
        const engine *e = &b->e[i];
        tern_fast_info info = { .threads = 1 };
        if (e->fast != NULL) tern_fast_describe(e->fast, &info);
        const double synapses = b->model.net.n_weights,
                     learn = b->flags & TERN_STEP_LEARN ? 1.0 : 1.0 / (b->model.net.lags_w + 1.0);
        printf("%-8s threads %u  steps/s %10.1f  ratio %7.2f  Mmac/s %9.0f  bytes/synapse %.2f  quick %.0f split %.0f "
               "wide %.0f\n",
               e->name, info.threads, e->best, b->e[GOLDEN].best > 0 ? e->best / b->e[GOLDEN].best : 0.0,
               info.products * learn * e->best * 1e-6,
               (double)(info.bytes + tern_state_bytes(&b->model.net, b->samples)) / synapses, (double)info.quick,
               (double)info.split, (double)info.wide);
    }
}

static bool open_all(bench *b, const char *image, const char *data)
{
    tern_dataset set;
    tern_diags_init(&b->diags);
    tern_arena_init(&b->arena, tern_alloc_default(), 0);
    return tern_image_load(image, &b->arena, &b->model, &b->diags) == TERN_OK &&
           tern_dataset_open(data, &b->arena, &set, &b->diags) == TERN_OK &&
           tern_frames_load(&b->model, set.paths[0], set.labels[0], &b->arena, &b->frames, &b->diags) == TERN_OK;
}

int main(int argc, char **argv)
{
    static bench b;
    const char *only = NULL;
    bool golden = true;
    b = (bench){ .flags = TERN_STEP_LEARN | TERN_STEP_CLAMP, .threads = 1, .seconds = 0.3, .rounds = 5 };
    for (int i = 3; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--eval") == 0)
            b.flags = 0;
        else if (strcmp(argv[i], "--no-golden") == 0)
            golden = false;
        else if (strcmp(argv[i], "--samples") == 0)
            b.samples = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--seconds") == 0)
            b.seconds = atof(value), ++i;
        else if (strcmp(argv[i], "--rounds") == 0)
            b.rounds = (unsigned)atoi(value), ++i;
        else if (strcmp(argv[i], "--threads") == 0)
            b.threads = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--isa") == 0)
            only = value, ++i;
        else
            return 2;
    }
    bool ok = argc >= 3 && open_all(&b, argv[1], argv[2]);
    if (ok && b.samples == 0) b.samples = b.model.net.n_samples;
    if (ok && golden) ok = add(&b, NULL);
    for (const char *const *isa = tern_fast_isas(); ok && *isa != NULL; ++isa)
        if (tern_fast_has(*isa) && (only == NULL || strcmp(only, *isa) == 0)) ok = add(&b, *isa);
    if (!ok) {
        char text[1200] = "usage: fast_bench IMAGE RECORDINGS ...";
        if (b.diags.n != 0) tern_diag_format(&b.diags.list[0], text, sizeof text);
        fprintf(stderr, "%s\n", text);
        return 2;
    }
    for (unsigned r = 0; r < b.rounds; ++r)
        for (unsigned i = 0; i < b.n; ++i) round_of(&b, &b.e[i]);
    report(&b);
    for (unsigned i = 0; i < b.n; ++i) tern_fast_close(b.e[i].fast);
    tern_arena_free(&b.arena);
    return 0;
}
