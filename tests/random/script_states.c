/* script_states.c : random scripts whose runs are cut anywhere and continued by another engine from what was saved
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_states [--first SEED] [--count N] [--steps N] [--plant BUG]
 *
 * The golden model makes a run without a break. Beside it the same run is cut behind operations that are drawn: the
 * state goes through an image, a stream of everything or a stream of what was learnt (tern/save.h), and the golden
 * model or the engine `fast`, with another number of threads and another instruction set, goes on from what comes back,
 * in memory that held another state. After every operation both states are the same, word for word, and so are the
 * records of a run. Exit status 0: no differences, and no class of cuts was missed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "fast_compare.h"
#include "tern_listener.h"
#include "fast_plant.h"
#include "tern/fast.h"
#include "tern/image.h"
#include "tern/save.h"
#include "tern_script_build.h"
#include "tern_script_draw.h"

typedef enum way { WAY_IMAGE, WAY_STREAM, WAY_LEARNT, WAYS } way;
static const char *const way_names[WAYS] = { "image", "stream", "stream of what was learnt" };

/* What a series of cuts has to meet. */
enum {
    CUT_IMAGE, /* in the order of the ways */
    CUT_STREAM,
    CUT_LEARNT,
    CUT_PENDING,   /* an update waits */
    CUT_LAG,       /* the ring of errors does not begin at its first column */
    CUT_RATES,     /* what was learnt, with other learning rates than the image's */
    CUT_BASELINES, /* rules with learning signals */
    CUT_SILENT,    /* before the first step */
    GOLDEN,
    ONE_THREAD,
    TWO_THREADS,
    SOME_THREADS,
    MORE_THREADS, /* than neurons */
    CLASSES
};
static const char *const class_names[CLASSES] = {
    "image",       "stream", "learnt",   "pending-updates", "lags",          "changed-rates",         "baselines",
    "first-steps", "golden", "1-thread", "2-threads",       "3..16-threads", "threads-beyond-neurons"
};
static const uint8_t threads_of[] = { 0, 1, 2, 3, 4, 7, 16 }; /* 0: the golden model */

typedef struct buffer {
    uint8_t *bytes;
    size_t n, room;
} buffer;

static tern_status put(void *context, const uint8_t *bytes, size_t n)
{
    buffer *b = context;
    if (n > b->room - b->n) return TERN_ERR_MEMORY;
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    return TERN_OK;
}

typedef struct pair {
    const tern_model *model; /* as compiled */
    tern_script_run other;   /* the state that memory holds before a cut is continued */
    tern_draws draws;
    tern_state golden, states[2];
    tern_arena arenas[2]; /* of the state in use, and of the one before */
    unsigned in_use;
    tern_fast *engine; /* NULL: the golden model */
    uint32_t threads;
    const char *isa, *failed; /* the last cut's; what could not be done */
    way last;
    bool listens, started;
    tern_listener listeners[2];
    fast_difference d;
    uint64_t steps, cuts, *counts;
} pair;

static tern_state *now(pair *p) { return &p->states[p->in_use]; }

static tern_status compare(pair *p) { return fast_compare(&p->d, &p->golden, now(p)) ? TERN_OK : TERN_ERR_DIFFERS; }

static const char *draw_isa(tern_draws *r)
{
    const char *const *all = tern_fast_isas();
    unsigned n = 0;
    while (all[n] != NULL) ++n;
    for (;;) {
        const char *name = all[tern_draw_next(r) % n];
        if (tern_fast_has(name)) return name;
    }
}

/* The golden model, or `fast` with some threads, goes on with the state in use. */
static tern_status open_engine(pair *p)
{
    p->threads = threads_of[tern_draw_next(&p->draws) % sizeof threads_of];
    p->isa = draw_isa(&p->draws);
    p->engine = NULL;
    ++p->counts[p->threads <= 2 ? GOLDEN + p->threads : SOME_THREADS];
    if (p->threads > p->model->net.n_neurons) ++p->counts[MORE_THREADS];
    now(p)->sink = p->listens ? &p->listeners[1].base : NULL;
    const tern_fast_options o = { p->isa, p->threads };
    return p->threads == 0 ? TERN_OK : tern_fast_open(now(p), &o, &p->arenas[p->in_use], &p->engine, NULL);
}

static tern_status fresh_state(tern_state *st, const tern_net *net, uint32_t samples, uint64_t seed, tern_arena *arena)
{
    const size_t bytes = tern_state_bytes(net, samples);
    void *mem = tern_arena_get(arena, bytes, 1);
    return mem == NULL ? TERN_ERR_MEMORY : tern_state_init(st, net, mem, bytes, samples, seed);
}

/* What the state holds goes out and comes back as the next one, in the arena that is free. */
static tern_status through(pair *p, way by)
{
    tern_arena *arena = &p->arenas[1 - p->in_use];
    tern_state *from = now(p), *to = &p->states[1 - p->in_use];
    const uint32_t samples = from->n_samples, presentations = (uint32_t)tern_draw_next(&p->draws);
    const char *what = "";
    tern_arena_free(arena);
    tern_arena_init(arena, tern_alloc_default(), 0);
    if (by == WAY_IMAGE) {
        tern_model out = *p->model, *in = tern_arena_get(arena, 1, sizeof *in);
        const uint8_t *bytes;
        size_t size;
        out.state = from;
        out.presentations_done = presentations;
        tern_status s = in == NULL ? TERN_ERR_MEMORY : tern_image_encode(&out, arena, &bytes, &size);
        if (s == TERN_OK) s = tern_image_decode(bytes, size, "cut", arena, in, NULL);
        if (s != TERN_OK) return s;
        if (in->presentations_done != presentations) return TERN_ERR_DIFFERS;
        *to = *in->state; /* its network is the one of the image from here on */
        return TERN_OK;
    }
    const tern_save_kind kind = by == WAY_STREAM ? TERN_SAVE_EVERYTHING : TERN_SAVE_LEARNT;
    buffer b = { NULL, 0, tern_save_bytes(from, kind) };
    b.bytes = tern_arena_get(arena, b.room, 1);
    tern_save_info info;
    tern_status s = b.bytes == NULL ? TERN_ERR_MEMORY : tern_save(from, kind, presentations, put, &b);
    if (s == TERN_OK && b.n != b.room) return TERN_ERR_DIFFERS;
    if (s == TERN_OK) s = fresh_state(to, &p->model->net, samples, p->other.seed, arena);
    if (s != TERN_OK) return s;
    tern_script_begin(&p->other, p->model, to);
    s = tern_restore(to, b.bytes, b.n, &info, &what);
    if (s == TERN_OK && (info.presentations != presentations || info.kind != kind)) s = TERN_ERR_DIFFERS;
    if (s != TERN_OK) p->failed = what;
    return s;
}

static void count_cut(pair *p, way by)
{
    const tern_state *st = now(p);
    const tern_net *n = &p->model->net;
    ++p->cuts;
    ++p->counts[by];
    if (by == WAY_LEARNT) p->counts[CUT_RATES] += memcmp(st->ek, n->ek0, n->lags_w * sizeof *st->ek) != 0;
    else {
        p->counts[CUT_PENDING] += st->pending;
        p->counts[CUT_LAG] += st->lag_head != 0;
    }
    p->counts[CUT_BASELINES] += n->baseline != TERN_BASELINE_NONE;
    p->counts[CUT_SILENT] += !p->started;
}

static tern_status cut(pair *p)
{
    const way by = (way)tern_draw_in(&p->draws, 0, WAYS - 1);
    if (by == WAY_LEARNT) tern_state_clear(&p->golden); /* docs/49-firmware.md: as after this call */
    count_cut(p, by);
    p->last = by;
    const tern_status s = through(p, by);
    if (s != TERN_OK) {
        if (p->failed == NULL) p->failed = "it is refused";
        return s;
    }
    tern_fast_close(p->engine);
    p->engine = NULL;
    p->in_use = 1 - p->in_use;
    const tern_status opened = open_engine(p);
    return opened == TERN_OK ? compare(p) : opened;
}

/* Behind every operation: compared, and one time in three cut. */
static tern_status done(pair *p)
{
    const tern_status s = compare(p);
    return s == TERN_OK && tern_draw_one_in(&p->draws, 3) ? cut(p) : s;
}

static tern_status step(void *ud, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    pair *p = ud;
    tern_step(&p->golden, inputs, targets, flags);
    if (p->engine == NULL) tern_step(now(p), inputs, targets, flags);
    else tern_fast_step(p->engine, inputs, targets, flags);
    p->started = true;
    ++p->steps;
    return done(p);
}

static tern_status reward(void *ud, const int32_t *reward_f12)
{
    pair *p = ud;
    tern_reward(&p->golden, reward_f12);
    tern_reward(now(p), reward_f12);
    return done(p);
}

static tern_status flush(void *ud)
{
    pair *p = ud;
    tern_flush(&p->golden);
    if (p->engine == NULL) tern_flush(now(p));
    else tern_fast_flush(p->engine);
    return done(p);
}

static tern_status clear(void *ud)
{
    pair *p = ud;
    tern_state_clear(&p->golden);
    tern_state_clear(now(p));
    return done(p);
}

static tern_status rate(void *ud, const uint16_t *ek)
{
    pair *p = ud;
    memcpy(p->golden.ek, ek, p->golden.net->lags_w * sizeof *ek);
    memcpy(now(p)->ek, ek, p->golden.net->lags_w * sizeof *ek);
    return done(p);
}

/* One seed: TERN_OK, TERN_ERR_DIFFERS, or why it cannot be run. */
static tern_status run_seed(uint64_t seed, unsigned n_steps, pair *p)
{
    static tern_script script;
    static tern_model model;
    static tern_diags diags;
    static tern_arena arena;
    unsigned attempt = 0;
    uint64_t *counts = p->counts;
    *p = (pair){ .model = &model, .draws = { seed ^ 0xc0715 }, .counts = counts, .listens = seed % 4 == 0 };
    for (unsigned i = 0; i < 2; ++i) {
        p->listeners[i] = (tern_listener)TERN_LISTENER;
        tern_arena_init(&p->arenas[i], tern_alloc_default(), 0);
    }
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status s = tern_script_build(&script, seed, &tern_script_any, n_steps, &arena, &model, &diags, &attempt);
    const tern_net *n = &model.net;
    if (s == TERN_OK) s = fresh_state(&p->golden, n, n->n_samples, script.run.seed, &arena);
    if (s == TERN_OK) s = fresh_state(&p->states[0], n, n->n_samples, script.run.seed, &p->arenas[0]);
    if (s == TERN_OK) {
        p->other = (tern_script_run){ .seed = ~script.run.seed, .step = 12345, .k0 = 8, .wild = true };
        tern_script_begin(&script.run, &model, &p->golden);
        tern_script_begin(&script.run, &model, &p->states[0]);
        if (p->listens) p->golden.sink = &p->listeners[0].base;
        s = open_engine(p);
    }
    const tern_script_engine engine = {
        .ud = p, .step = step, .reward = reward, .flush = flush, .clear = clear, .rate = rate
    };
    if (s == TERN_OK) s = done(p);
    if (s == TERN_OK) s = tern_script_play(&script.run, &model, n->n_samples, &arena, &engine);
    if (s == TERN_OK && (p->listeners[0].n != p->listeners[1].n || p->listeners[0].digest != p->listeners[1].digest)) {
        p->d.what = "records";
        s = TERN_ERR_DIFFERS;
    }
    tern_fast_close(p->engine);
    for (unsigned i = 0; i < 2; ++i) tern_arena_free(&p->arenas[i]);
    tern_arena_free(&arena);
    return s;
}

static void report(uint64_t seed, const pair *p, tern_status s)
{
    printf("DIFFERS seed=%" PRIu64 " %s=%s index=%zu step=%" PRIu32 ": %s, last cut through %s, %s %s, %" PRIu32
           " threads\n  repeat: script_states --first %" PRIu64 " --count 1\n",
           seed, p->failed != NULL ? "why" : "array",
           p->failed != NULL   ? p->failed
           : p->d.what != NULL ? p->d.what
                               : "",
           p->d.index, p->golden.step, tern_status_text(s), p->cuts == 0 ? "nothing" : way_names[p->last],
           p->threads == 0 ? "golden model" : "engine fast", p->threads == 0 ? "" : p->isa, p->threads, seed);
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 100, steps = 14, made = 0, words = 0, cuts = 0, counts[CLASSES] = { 0 };
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = { { "--first", &first }, { "--count", &count }, { "--steps", &steps } };
    for (int i = 1; i + 1 < argc; i += 2) {
        for (unsigned j = 0; j < sizeof numbers / sizeof numbers[0]; ++j)
            if (strcmp(argv[i], numbers[j].name) == 0) *numbers[j].to = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--plant") == 0 && !fast_plant(argv[i + 1])) return 2;
    }
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count && bad < 5; ++seed) {
        static pair p;
        p.counts = counts;
        const tern_status s = run_seed(seed, (unsigned)steps, &p);
        if (s != TERN_OK) report(seed, &p, s);
        bad += s != TERN_OK;
        made += p.steps;
        words += p.d.words;
        cuts += p.cuts;
    }
    printf("script_states: %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " cuts, %" PRIu64
           " words compared; %u differ\ncoverage:",
           count, made, cuts, words, bad);
    for (unsigned c = 0; c < CLASSES; ++c) printf(" %s %" PRIu64, class_names[c], counts[c]);
    putchar('\n');
    bool full = true;
    for (unsigned c = 0; c < CLASSES; ++c)
        if (counts[c] == 0) {
            printf("coverage: no cut of the class '%s'\n", class_names[c]);
            full = false;
        }
    return bad != 0 || made == 0 || (!full && count >= 100);
}
