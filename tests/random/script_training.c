/* script_training.c : trainings of random scripts that end after any presentation and are continued from their image
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_training [--first SEED] [--count N]
 *
 * A training (tern/network.h) is made in one piece by the golden model. The same training is cut into pieces of random
 * lengths, none included. Each piece is made by a new network from the bytes of the image of the one before, with
 * another engine and another number of threads. Between some of them the engine makes steps of its own, which are part
 * of both. The image at the end is the same, byte for byte. Exit status 0: so it is, and no class was missed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern/image.h"
#include "tern/network.h"
#include "tern_script_build.h"
#include "tern_script_draw.h"

enum { MOST = 9, EXAMPLES = 3, STEPS = 5 };
enum { AT_START, AT_END, IN_EPOCH, TWICE, IN_STEPS, GOLDEN, ONE_THREAD, THREADS, SCHEDULED, UNCLEARED, CLASSES };
static const char *const class_names[CLASSES] = { "start",     "end",      "within-an-epoch", "nothing-between",
                                                  "steps",     "golden",   "1-thread",        "threads",
                                                  "schedules", "uncleared" };

typedef struct plan {
    uint32_t presentations, steps_after[MOST + 1]; /* steps made by hand behind each presentation */
    uint32_t n_cuts, cuts[MOST + 2];               /* a cut is behind this many presentations, rising */
} plan;

typedef struct world {
    tern_arena arena;
    tern_draws draws;
    tern_model model;
    tern_examples *examples;
    plan plan;
    uint8_t *inputs, *targets;
    int32_t labels[EXAMPLES];
    uint64_t *counts;
    tern_diags diags;
} world;

static tern_status make_examples(world *w)
{
    const uint32_t n_in = tern_network_inputs(&w->model), n_visible = w->model.net.n_visible;
    w->inputs = tern_arena_get(&w->arena, EXAMPLES * STEPS, n_in + 1);
    w->targets = tern_arena_get(&w->arena, EXAMPLES * STEPS, n_visible + 1);
    if (w->inputs == NULL || w->targets == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < EXAMPLES * STEPS * n_in; ++i) w->inputs[i] = tern_draw_one_in(&w->draws, 4);
    for (uint32_t i = 0; i < EXAMPLES * STEPS * n_visible; ++i) w->targets[i] = tern_draw_one_in(&w->draws, 4);
    const int32_t label = w->model.data.label_population;
    for (uint32_t i = 0; i < EXAMPLES; ++i)
        w->labels[i] =
            label < 0 ? -1 : (int32_t)tern_draw_in(&w->draws, 0, (int64_t)w->model.populations[label].size - 1);
    const tern_examples_spec spec = {
        .n = EXAMPLES, .steps = STEPS, .inputs = w->inputs, .targets = w->targets, .labels = w->labels
    };
    return tern_examples_pack(&w->model, &spec, &w->examples, &w->diags);
}

static void make_plan(world *w)
{
    plan *p = &w->plan;
    *p = (plan){ .presentations = (uint32_t)tern_draw_in(&w->draws, 1, MOST) };
    for (uint32_t i = 0; i <= p->presentations; ++i)
        p->steps_after[i] = tern_draw_one_in(&w->draws, 3) ? (uint32_t)tern_draw_in(&w->draws, 1, STEPS) : 0;
    const uint32_t n = (uint32_t)tern_draw_in(&w->draws, 1, 3);
    uint32_t at = (uint32_t)tern_draw_in(&w->draws, 0, p->presentations);
    while (p->n_cuts < n) {
        p->cuts[p->n_cuts++] = at;
        at = (uint32_t)tern_draw_in(&w->draws, at, p->presentations);
    }
}

/* Steps that no presentation makes: what follows begins in the middle of something. */
static tern_status steps_by_hand(world *w, tern_network *net, uint32_t n)
{
    const tern_network_steps steps = {
        .n_steps = n, .flags = TERN_STEP_LEARN | TERN_STEP_CLAMP, .inputs = w->inputs, .targets = w->targets
    };
    return n == 0 ? TERN_OK : tern_network_run(net, &steps, &w->diags);
}

/* Presentations from..to-1, and the steps behind each. */
static tern_status train(world *w, tern_network *net, uint32_t from, uint32_t to)
{
    tern_status s = TERN_OK;
    for (uint32_t i = from; i < to && s == TERN_OK; ++i) {
        s = tern_network_train(net, w->examples, 1, NULL, &w->diags);
        if (s == TERN_OK) s = steps_by_hand(w, net, w->plan.steps_after[i + 1]);
    }
    return s;
}

static tern_status in_one_piece(world *w, const uint8_t **bytes, size_t *size)
{
    tern_network *net;
    const tern_network_options o = { .engine = "golden" };
    tern_status s = tern_network_open(&w->model, &o, &net, &w->diags);
    if (s == TERN_OK) s = steps_by_hand(w, net, w->plan.steps_after[0]);
    if (s == TERN_OK) s = train(w, net, 0, w->plan.presentations);
    if (s == TERN_OK) s = tern_network_encode(net, &w->arena, bytes, size, &w->diags);
    tern_network_close(net);
    return s;
}

static tern_status open_any(world *w, const tern_model *m, tern_network **net)
{
    static const uint8_t threads[] = { 0, 1, 2, 3, 8 };
    const uint32_t n = threads[tern_draw_next(&w->draws) % sizeof threads];
    const tern_network_options o = { .engine = n == 0 ? "golden" : "fast", .threads = n };
    ++w->counts[n == 0 ? GOLDEN : n == 1 ? ONE_THREAD : THREADS];
    return tern_network_open(m, &o, net, &w->diags);
}

static tern_status in_pieces(world *w, const uint8_t **bytes, size_t *size)
{
    tern_network *net;
    const tern_model *m = &w->model;
    const plan *p = &w->plan;
    uint32_t done = 0;
    tern_status s = open_any(w, m, &net);
    if (s == TERN_OK) s = steps_by_hand(w, net, p->steps_after[0]);
    for (uint32_t c = 0; c < p->n_cuts && s == TERN_OK; ++c) {
        const uint32_t at = p->cuts[c];
        s = train(w, net, done, at);
        ++w->counts[at == 0 ? AT_START : at == p->presentations ? AT_END : IN_EPOCH];
        w->counts[TWICE] += c > 0 && p->cuts[c - 1] == at;
        w->counts[IN_STEPS] += p->steps_after[at] != 0;
        done = at;
        tern_model *next = tern_arena_get(&w->arena, 1, sizeof *next);
        if (s == TERN_OK)
            s = next == NULL ? TERN_ERR_MEMORY : tern_network_encode(net, &w->arena, bytes, size, &w->diags);
        tern_network_close(net);
        net = NULL;
        if (s == TERN_OK) s = tern_image_decode(*bytes, *size, "cut", &w->arena, next, &w->diags);
        if (s == TERN_OK) s = open_any(w, next, &net);
        m = next;
    }
    if (s == TERN_OK) s = train(w, net, done, p->presentations);
    if (s == TERN_OK) s = tern_network_encode(net, &w->arena, bytes, size, &w->diags);
    tern_network_close(net);
    return s;
}

static tern_status run_seed(world *w, uint64_t seed)
{
    static tern_script script;
    unsigned attempt = 0;
    const uint8_t *whole = NULL, *cut = NULL;
    size_t n_whole = 0, n_cut = 0;
    tern_script_limits lim = tern_script_any;
    lim.rules &= ~(1u << TERN_RULE_REWARD); /* its signals come from elsewhere */
    w->draws.s = seed ^ 0x7ea1;
    tern_arena_init(&w->arena, tern_alloc_default(), 0);
    tern_status s = tern_script_build(&script, seed, &lim, 1, &w->arena, &w->model, &w->diags, &attempt);
    tern_diags_init(&w->diags);
    if (s == TERN_OK) s = make_examples(w);
    if (s != TERN_OK) return s;
    make_plan(w);
    w->counts[SCHEDULED] += script.every != 0;
    w->counts[UNCLEARED] += !w->model.data.clear;
    s = in_one_piece(w, &whole, &n_whole);
    if (s == TERN_OK) s = in_pieces(w, &cut, &n_cut);
    if (s == TERN_OK && (n_whole != n_cut || memcmp(whole, cut, n_whole) != 0)) s = TERN_ERR_DIFFERS;
    return s;
}

int main(int argc, char **argv)
{
    static world w;
    uint64_t first = 1, count = 100, networks = 0, presentations = 0, cuts = 0, counts[CLASSES] = { 0 };
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
    }
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count && bad < 5; ++seed) {
        memset(&w, 0, sizeof w);
        w.counts = counts;
        const tern_status s = run_seed(&w, seed);
        ++networks;
        presentations += w.plan.presentations;
        cuts += w.plan.n_cuts;
        if (s != TERN_OK) {
            ++bad;
            printf("seed %" PRIu64 " DIFFERS: %s, %s; %" PRIu32 " presentations, cut behind", seed, tern_status_text(s),
                   w.diags.n_errors != 0 ? w.diags.list[0].message : "the image", w.plan.presentations);
            for (uint32_t i = 0; i < w.plan.n_cuts; ++i) printf(" %" PRIu32, w.plan.cuts[i]);
            printf("\n  repeat: script_training --first %" PRIu64 " --count 1\n", seed);
        }
        tern_examples_close(w.examples);
        tern_arena_free(&w.arena);
    }
    printf("script_training: %" PRIu64 " networks, %" PRIu64 " presentations, %" PRIu64 " cuts; %u differ\ncoverage:",
           networks, presentations, cuts, bad);
    bool full = true;
    for (unsigned c = 0; c < CLASSES; ++c) printf(" %s %" PRIu64, class_names[c], counts[c]);
    putchar('\n');
    for (unsigned c = 0; c < CLASSES; ++c)
        if (counts[c] == 0) {
            printf("coverage: no cut of the class '%s'\n", class_names[c]);
            full = false;
        }
    return bad != 0 || networks == 0 || (!full && count >= 100);
}
