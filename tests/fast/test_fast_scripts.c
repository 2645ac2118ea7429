/* test_fast_scripts.c : golden model and engine `fast` in lockstep on random networks written in the language
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_fast_scripts [--isa NAME] [--first SEED] [--count N] [--steps N] [--plant BUG]
 * The generator is that of the Verilog's lockstep (tests/random/tern_script_gen.h): every key of the language, first
 * states at their limits, states that are saved and loaded by a fresh engine. Seeds take instruction sets, one to three
 * threads, and a listener of records by turns. Exit status 0: no differences.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "fast_compare.h"
#include "tern_listener.h"
#include "fast_plant.h"
#include "tern/fast.h"
#include "tern_script_build.h"

typedef struct pair {
    tern_arena *arena;
    tern_state golden, fast;
    tern_fast *engine;
    tern_fast_options options;
    fast_difference d;
    uint64_t steps;
} pair;

static tern_status compare(pair *p) { return fast_compare(&p->d, &p->golden, &p->fast) ? TERN_OK : TERN_ERR_DIFFERS; }

static tern_status step(void *ud, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    pair *p = ud;
    tern_step(&p->golden, inputs, targets, flags);
    tern_fast_step(p->engine, inputs, targets, flags);
    ++p->steps;
    return compare(p);
}

static tern_status reward(void *ud, const int32_t *reward_f12)
{
    pair *p = ud;
    tern_reward(&p->golden, reward_f12);
    tern_reward(&p->fast, reward_f12);
    return compare(p);
}

static tern_status flush(void *ud)
{
    pair *p = ud;
    tern_flush(&p->golden);
    tern_fast_flush(p->engine);
    return compare(p);
}

static tern_status clear(void *ud)
{
    pair *p = ud;
    tern_state_clear(&p->golden);
    tern_state_clear(&p->fast);
    return compare(p);
}

static bool make_state(pair *p, tern_state *st, const tern_model *m, uint64_t seed)
{
    const size_t bytes = tern_state_bytes(&m->net, m->net.n_samples);
    void *mem = tern_arena_get(p->arena, bytes, 1);
    return mem != NULL && tern_state_init(st, &m->net, mem, bytes, m->net.n_samples, seed) == TERN_OK;
}

/* A fresh engine continues with the state that the last one left. */
static tern_status reload(void *ud)
{
    pair *p = ud;
    tern_fast_close(p->engine);
    p->engine = NULL;
    return tern_fast_open(&p->fast, &p->options, p->arena, &p->engine, NULL);
}

static tern_status rate(void *ud, const uint16_t *ek)
{
    pair *p = ud;
    memcpy(p->golden.ek, ek, p->golden.net->lags_w * sizeof *ek);
    memcpy(p->fast.ek, ek, p->golden.net->lags_w * sizeof *ek);
    return TERN_OK;
}

/* One seed: TERN_OK, TERN_ERR_DIFFERS, or why there is no such network. */
static tern_status run_seed(uint64_t seed, const char *isa, unsigned n_steps, pair *p)
{
    static tern_script script;
    static tern_model model;
    static tern_diags diags;
    static tern_arena arena;
    unsigned attempt = 0;
    tern_listener listeners[2] = { TERN_LISTENER, TERN_LISTENER };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    *p = (pair){ .arena = &arena, .options = { isa, (uint32_t)(1 + seed % 3) } };
    tern_status s = tern_script_build(&script, seed, &tern_script_any, n_steps, &arena, &model, &diags, &attempt);
    if (s == TERN_OK &&
        !(make_state(p, &p->golden, &model, script.run.seed) && make_state(p, &p->fast, &model, script.run.seed)))
        s = TERN_ERR_MEMORY;
    if (s == TERN_OK) {
        tern_script_begin(&script.run, &model, &p->golden);
        tern_script_begin(&script.run, &model, &p->fast);
        p->golden.sink = seed % 4 == 0 ? &listeners[0].base : NULL;
        p->fast.sink = seed % 4 == 0 ? &listeners[1].base : NULL;
        s = tern_fast_open(&p->fast, &p->options, &arena, &p->engine, &diags);
    }
    const tern_script_engine engine = {
        .ud = p, .step = step, .reward = reward, .flush = flush, .clear = clear, .reload = reload, .rate = rate
    };
    if (s == TERN_OK) s = tern_script_play(&script.run, &model, model.net.n_samples, &arena, &engine);
    if (s == TERN_OK && (listeners[0].n != listeners[1].n || listeners[0].digest != listeners[1].digest)) {
        p->d.what = "records";
        s = TERN_ERR_DIFFERS;
    }
    tern_fast_close(p->engine);
    tern_arena_free(&arena);
    return s;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 30, steps = 14, networks = 0, made = 0, words = 0;
    const char *only = NULL;
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = { { "--first", &first }, { "--count", &count }, { "--steps", &steps } };
    for (int i = 1; i + 1 < argc; i += 2) {
        for (unsigned j = 0; j < sizeof numbers / sizeof numbers[0]; ++j)
            if (strcmp(argv[i], numbers[j].name) == 0) *numbers[j].to = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--isa") == 0) only = argv[i + 1];
        if (strcmp(argv[i], "--plant") == 0 && !fast_plant(argv[i + 1])) return 2;
    }
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count && bad < 5; ++seed)
        for (const char *const *isa = tern_fast_isas(); *isa != NULL; ++isa) {
            pair p;
            if (!tern_fast_has(*isa) || (only != NULL && strcmp(only, *isa) != 0)) continue;
            const tern_status s = run_seed(seed, *isa, (unsigned)steps, &p);
            if (s == TERN_ERR_DIFFERS)
                printf("DIFFERS array=%s index=%zu step=%" PRIu32 "\n  repeat: test_fast_scripts --isa %s --first "
                       "%" PRIu64 " --count 1\n",
                       p.d.what, p.d.index, p.golden.step, *isa, seed);
            else if (s != TERN_OK) printf("seed %" PRIu64 ": %s\n", seed, tern_status_text(s));
            bad += s != TERN_OK;
            ++networks;
            made += p.steps;
            words += p.d.words;
        }
    printf("fast scripts: %" PRIu64 " runs, %" PRIu64 " steps, %" PRIu64 " words compared; %u differ\n", networks, made,
           words, bad);
    return bad != 0 || networks == 0 || made == 0;
}
