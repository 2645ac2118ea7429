/* fast_bench.c : steps per second of the golden model and of the engine `fast` with every instruction set
 * SPDX-License-Identifier: Apache-2.0
 *
 *     fast_bench IMAGE RECORDINGS [--eval] [--samples K] [--seconds S] [--rounds N] [--isa NAME] [--threads N]
 *                [--no-golden] [--after N] [--again N]
 *     fast_bench --limits
 * The first recording is shown over and over: learning, or with --eval free. All engines begin with one state, that
 * behind N presentations (--after, default 0), and go back to it after N presentations (--again, default 4), because
 * what a step costs depends on what was learnt. Engines take turns, N rounds of about S seconds each; the best round
 * counts, since a shared machine only ever makes one slower. Prints a line of a table for each engine: name, threads,
 * steps/s, ratio to golden, million multiply-adds per step in trace form, million that were made, their share of the
 * limit of one core, share of the bandwidth (reading an area as large as the weights) that reading and writing weights
 * takes, bytes of memory per synapse (state and engine, without the image). --limits prints the limits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "fast_peak.h"
#include "tern/data.h"
#include "tern/fast.h"
#include "tern/image.h"
#include "tern_fast_internal.h"

enum { ENGINES = 8, GOLDEN = 0 };

typedef struct engine {
    const char *name;
    tern_state st;
    tern_fast *fast;
    uint32_t at, presentations;
    double best, steps, paused_s; /* all steps; seconds of this round in which it was set back */
} engine;

typedef struct bench {
    tern_arena arena;
    tern_model model;
    tern_frames frames;
    tern_diags diags;
    unsigned flags;
    uint32_t samples, threads, after, again;
    tern_state begin;
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

static bool make_state(bench *b, tern_state *st)
{
    const size_t bytes = tern_state_bytes(&b->model.net, b->samples);
    void *mem = tern_arena_get(&b->arena, bytes, 1);
    return mem != NULL && tern_state_init(st, &b->model.net, mem, bytes, b->samples, 1) == TERN_OK;
}

static bool add(bench *b, const char *isa)
{
    engine *e = &b->e[b->n++];
    *e = (engine){ .name = isa == NULL ? "golden" : isa };
    return make_state(b, &e->st) &&
           (isa == NULL || tern_fast_open(&e->st, &(tern_fast_options){ .isa = isa, .threads = b->threads }, &b->arena,
                                          &e->fast, &b->diags) == TERN_OK);
}

/* The state with which all engines begin. */
static void set_back(bench *b, engine *e)
{
    const double start = now_s(b);
    tern_state_copy(&e->st, &b->begin);
    if (e->fast != NULL) tern_fast_changed(e->fast);
    e->at = e->presentations = 0;
    e->paused_s += now_s(b) - start;
}

static void step(bench *b, engine *e)
{
    const tern_frames *f = &b->frames;
    const uint32_t *in = f->inputs + (size_t)e->at * f->words_in,
                   *target = f->targets + (size_t)e->at * f->words_neuron;
    if (e->fast != NULL) tern_fast_step(e->fast, in, target, b->flags);
    else tern_step(&e->st, in, target, b->flags);
    ++e->steps;
    if (++e->at < f->n_steps) return;
    e->at = 0;
    ++e->presentations;
    if (e->fast != NULL) tern_fast_flush(e->fast);
    else tern_flush(&e->st);
    tern_state_clear(&e->st);
}

/* The state behind some presentations. */
static bool learn_first(bench *b)
{
    engine *last = &b->e[b->n - 1u];
    if (!make_state(b, &b->begin)) return false;
    while (last->presentations < b->after) step(b, last);
    tern_state_copy(&b->begin, &last->st);
    for (unsigned i = 0; i < b->n; ++i) set_back(b, &b->e[i]);
    return true;
}

static void round_of(bench *b, engine *e)
{
    const double start = now_s(b);
    double took = 0;
    unsigned n = 0;
    e->paused_s = 0;
    do {
        for (unsigned i = 0; i < (e->fast != NULL ? 16u : 1u); ++i, ++n) {
            if (e->presentations >= b->again) set_back(b, e);
            step(b, e);
        }
        took = now_s(b) - start - e->paused_s;
    } while (took < b->seconds);
    if (n / took > e->best) e->best = n / took;
}

/* Multiply-adds per second that an instruction set reaches at most; the best of some tries. 0: not measured. */
static double peak_of(const bench *b, const char *isa)
{
    double best = 0;
    for (unsigned i = 0; i < 5; ++i) {
        const uint64_t n = 1000000;
        const double start = now_s(b);
        const unsigned products = fast_peak_products(isa, n);
        const double rate = 16.0 * products * (double)n / (now_s(b) - start);
        if (products != 0 && rate > best) best = rate;
    }
    return best;
}

/* Bytes read per second over and over from an area. */
static double bandwidth(bench *b, size_t bytes)
{
    uint64_t *area = tern_arena_get(&b->arena, bytes, 1), sum = 0;
    double best = 0;
    for (unsigned i = 0; area != NULL && i < 8; ++i) {
        const double start = now_s(b);
        size_t n = 0;
        for (; n < (size_t)128 << 20; n += bytes) sum += fast_peak_read(area, bytes);
        const double rate = (double)n / (now_s(b) - start);
        if (rate > best) best = rate;
    }
    return sum == 1 ? 0 : best; /* the area holds zeros: sum is used */
}

/* A line of the table: name, threads, steps/s, ratio, multiply-adds per step, their share of the limit, share of the
 * bandwidth that weights take, bytes of memory. */
static void report(bench *b)
{
    const double learn = b->flags & TERN_STEP_LEARN ? 1.0 : 1.0 / (b->model.net.lags_w + 1.0);
    /* each weight is read, and written when the network learns; an area of their size shows how quick that can be */
    const size_t weights = ((size_t)b->model.net.n_weights * sizeof(int16_t) + 4095u) / 4096u * 4096u;
    const double traffic = (double)weights * (b->flags & TERN_STEP_LEARN ? 2.0 : 1.0);
    for (unsigned i = 0; i < b->n; ++i) {
        const engine *e = &b->e[i];
        tern_fast_info info = { .threads = 1 };
        double products_made = 0, additions = 0;
        if (e->fast != NULL) {
            tern_fast_describe(e->fast, &info);
            tern_fast_made(e->fast, &products_made, &additions);
        }
        const double limit = e->fast != NULL ? peak_of(b, e->name) : 0, products = info.products * learn,
                     made = e->steps > 0 ? products_made / e->steps : 0;
        const double bytes = (double)(info.bytes + tern_state_bytes(&b->model.net, b->samples));
        printf("%s | %u | %.0f | %.1f | %.3g | %.3g | ", e->name, info.threads, e->best,
               b->e[GOLDEN].best > 0 ? e->best / b->e[GOLDEN].best : 0.0, products * 1e-6, made * 1e-6);
        if (limit > 0 && info.threads == 1) printf("%.0f %% | ", 100.0 * made * e->best / limit);
        else printf("| ");
        if (e->fast != NULL && info.threads == 1)
            printf("%.0f %% | ", 100.0 * traffic * e->best / bandwidth(b, weights));
        else printf("| ");
        printf("%.2f\n", bytes / b->model.net.n_weights);
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
    b = (bench){ .flags = TERN_STEP_LEARN | TERN_STEP_CLAMP, .threads = 1, .seconds = 0.3, .rounds = 5, .again = 4 };
    for (int i = 3; i < argc; ++i) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--eval") == 0) b.flags = 0;
        else if (strcmp(argv[i], "--no-golden") == 0) golden = false;
        else if (strcmp(argv[i], "--samples") == 0) b.samples = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--seconds") == 0) b.seconds = atof(value), ++i;
        else if (strcmp(argv[i], "--rounds") == 0) b.rounds = (unsigned)atoi(value), ++i;
        else if (strcmp(argv[i], "--threads") == 0) b.threads = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--after") == 0) b.after = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--again") == 0) b.again = (uint32_t)atoi(value), ++i;
        else if (strcmp(argv[i], "--isa") == 0) only = value, ++i;
        else return 2;
    }
    if (argc == 2 && strcmp(argv[1], "--limits") == 0) {
        tern_arena_init(&b.arena, tern_alloc_default(), 0);
        for (const char *const *isa = tern_fast_isas(); *isa != NULL; ++isa)
            if (tern_fast_has(*isa) && peak_of(&b, *isa) > 0)
                printf("%s: %.1f billion multiply-adds per second\n", *isa, peak_of(&b, *isa) * 1e-9);
        printf("read: %.1f GB/s of 512 KiB, %.1f GB/s of 64 MiB\n", bandwidth(&b, (size_t)512 << 10) * 1e-9,
               bandwidth(&b, (size_t)64 << 20) * 1e-9);
        tern_arena_free(&b.arena);
        return 0;
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
    if (!learn_first(&b)) return 2;
    for (unsigned r = 0; r < b.rounds; ++r)
        for (unsigned i = 0; i < b.n; ++i) round_of(&b, &b.e[i]);
    report(&b);
    for (unsigned i = 0; i < b.n; ++i) tern_fast_close(b.e[i].fast);
    tern_arena_free(&b.arena);
    return 0;
}
