/* two_runners.c : one board serves two runners in turn, one of them learning; both must be where the golden model is
 * SPDX-License-Identifier: Apache-2.0
 *
 *     two_runners PORT NET.lua
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_run_engine.h"
#include "tern_compiler.h"

enum { STEPS = 12, ROUNDS = 5 };

static tern_diags diags;
static tern_arena arena;
static tern_device device;
static unsigned failures;

static void must(tern_status s, const char *what)
{
    if (s == TERN_OK) return;
    printf("FAILED: %s: %s\n", what, tern_status_text(s));
    for (size_t i = 0; i < diags.n; ++i) printf("%s\n", diags.list[i].message);
    exit(1);
}

/* What a runner tells after each step, folded. */
typedef struct told {
    tern_runner *run;
    uint64_t hash;
} told;
static void listen(void *ud, uint32_t t)
{
    told *x = ud;
    const tern_runner *r = x->run;
    const uint32_t *spikes = tern_runner_spike_words(r);
    for (uint32_t w = 0; w < r->n_samples * r->model->net.n_neurons_pos / 32u; ++w)
        x->hash = (x->hash ^ spikes[w]) * 0x100000001b3u + t;
    for (uint32_t k = 0; k < r->n_samples; ++k) x->hash = (x->hash ^ r->st.loss_f12[k]) * 0x100000001b3u;
}

/* The same on the board and here. */
typedef struct pair {
    tern_runner board, here;
    const char *name;
} pair;
static void make(pair *p, const tern_model *m, uint32_t samples, const char *name)
{
    p->name = name;
    const tern_runner_engine board = { .kind = &tern_engine_device, .device = &device };
    const tern_runner_engine here = { .kind = &tern_engine_golden };
    must(tern_runner_init(&p->board, m, board, samples, 3, &arena, &diags), "runner on the board");
    must(tern_runner_init(&p->here, m, here, samples, 3, &arena, &diags), "runner here");
}

static void present(pair *p, const tern_frames *f, unsigned flags, int round)
{
    told a = { &p->board, 1 }, b = { &p->here, 1 };
    tern_runner_end(&p->board, true);
    tern_runner_end(&p->here, true);
    tern_runner_run(&p->board, f, flags, listen, &a);
    tern_runner_run(&p->here, f, flags, listen, &b);
    tern_runner_end(&p->board, true);
    tern_runner_end(&p->here, true);
    must(tern_runner_check(&p->board, &diags), "the board");
    if (a.hash == b.hash) return;
    printf("FAILED: round %d, %s: spikes or losses differ\n", round, p->name);
    ++failures;
}

static void compare(pair *p, int round)
{
    const tern_net *n = &p->here.model->net;
    must(tern_runner_pull(&p->board, &diags), "reading back");
    const tern_state *a = &p->board.st, *b = &p->here.st;
    if (memcmp(a->weights, b->weights, n->n_weights * sizeof *a->weights) == 0 &&
        memcmp(a->bias_f12, b->bias_f12, n->n_neurons * sizeof *a->bias_f12) == 0 &&
        memcmp(a->self_f12, b->self_f12, n->n_neurons * sizeof *a->self_f12) == 0 && a->step == b->step &&
        a->comm.unicast == b->comm.unicast && a->comm.broadcast == b->comm.broadcast)
        return;
    printf("FAILED: round %d, %s: states differ\n", round, p->name);
    ++failures;
}

/* 32 bits, a quarter of them 1. */
static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state & (*state >> 7 | *state << 25);
}

int main(int argc, char **argv)
{
    static tern_model model;
    static pair learner, other, second;
    if (argc != 3) return 2;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    must(tern_compile_file(argv[2], &(tern_compile_options){ 0 }, &arena, &model, &diags), argv[2]);
    must(tern_device_open(&device, argv[1], 0, &diags), argv[1]);
    make(&learner, &model, 5, "the one that learns");
    make(&other, &model, 3, "the one that measures");
    make(&second, &model, 4, "the second that learns");
    const uint32_t words_in = model.net.n_inputs_pos / 32, words = model.net.n_neurons_pos / 32;
    uint32_t *in = tern_arena_get(&arena, (size_t)STEPS * words_in, 4),
             *target = tern_arena_get(&arena, (size_t)STEPS * words, 4), random = 12345;
    if (in == NULL || target == NULL) return 1;
    const tern_frames f = {
        .n_steps = STEPS, .words_in = words_in, .words_neuron = words, .inputs = in, .targets = target
    };
    for (int round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < STEPS * words_in; ++i) in[i] = draw(&random);
        for (uint32_t i = 0; i < STEPS * words; ++i) target[i] = draw(&random);
        present(&learner, &f, TERN_STEP_LEARN | TERN_STEP_CLAMP, round);
        /* untrained weights, though the core had trained ones */
        present(&other, &f, round % 2 != 0 ? TERN_STEP_CLAMP : 0, round);
        present(&second, &f, TERN_STEP_LEARN | TERN_STEP_CLAMP, round);
        if (round == 2) compare(&second, round);
    }
    /* what it had learned was fetched when others came */
    present(&learner, &f, TERN_STEP_LEARN | TERN_STEP_CLAMP, ROUNDS);
    compare(&learner, ROUNDS);
    present(&second, &f, 0, ROUNDS);
    compare(&second, ROUNDS);
    tern_device_close(&device);
    tern_arena_free(&arena);
    printf("two_runners: %u failures\n", failures);
    return failures != 0;
}
