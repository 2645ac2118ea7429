/* mutant_run.c : small networks in lockstep on the small core, with one planted bug or with none
 * SPDX-License-Identifier: Apache-2.0
 *
 *     mutant_run NAME [--first SEED] [--count N] [--tie 1]      NAME: a planted bug in lower case, or none
 * Networks that are too large for the small core are passed over, so --count counts those that ran. With --tie 1 so are networks in which no draw ever equals
 * its probability (about 1 in 65536 does), as the golden model tells. Ends at the first network that differs, whose first
 * differing record the lockstep has printed ("DIVERGE record=..."). Exit status 0: all equal; 1: one differs; 2: wrong usage or no network ran.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tern_lockstep.h"
#include "tern_testnet.h"

#define MUTANT(name) const tern_dut *tern_dut_##name(void);
#include "mutants.inc"
#undef MUTANT
typedef struct mutant { const char *name; const tern_dut *(*get)(void); } mutant;
static const mutant mutants[] = {
#define MUTANT(name) { #name, tern_dut_##name },
#include "mutants.inc"
#undef MUTANT
};

enum { STEPS = 20, SAME = 0, DIFFERS = 1, PASSED_OVER = 2, FAILED = 3 };

typedef struct totals { uint64_t networks, steps, flushes, records, words; } totals;

/* Flags of step t; whether a flush and a clear follow. */
typedef struct schedule { unsigned flags; bool flush, clear; } schedule;

static schedule next(tern_testrand *r, uint32_t t)
{
    schedule s;
    s.flags = tern_testrand_one_in(r, 4) ? (tern_testrand_one_in(r, 2) ? 0 : TERN_STEP_CLAMP) : TERN_STEP_CLAMP | TERN_STEP_LEARN;
    s.flush = tern_testrand_one_in(r, 6);
    s.clear = t == STEPS / 2;
    return s;
}

typedef struct tie_sink { tern_record_sink base; bool tie; } tie_sink;

static void find_tie(tern_record_sink *self, const tern_record *r)
{
    if (r->kind == TERN_REC_N && (r->flags & 4u) == 0 && r->draw == (uint32_t)r->b) ((tie_sink *)self)->tie = true;
}

/* The golden model alone, through the same steps. Leaves the state as it was before the first of them. */
static bool has_tie(tern_state *st, const tern_model *m, uint64_t seed, uint32_t *in, uint32_t *target, size_t bytes, void *mem, void *copy)
{
    const tern_state before = *st;
    tern_testrand r = { seed * 13 + 7 };
    tie_sink sink = { { find_tie }, false };
    memcpy(copy, mem, bytes);
    st->sink = &sink.base;
    for (uint32_t t = 0; t < STEPS; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        const schedule s = next(&r, t);
        tern_step(st, in, target, s.flags);
        if (s.flush) tern_flush(st);
        if (s.clear) tern_state_clear(st);
    }
    *st = before;
    memcpy(mem, copy, bytes);
    return sink.tie;
}

/* Learning, scoring and free steps, flushes, a new example; then every memory word. */
static tern_status run_steps(tern_lockstep *ls, const tern_model *m, uint64_t seed, uint32_t *in, uint32_t *target)
{
    tern_testrand r = { seed * 13 + 7 };
    for (uint32_t t = 0; t < STEPS; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        const schedule now = next(&r, t);
        tern_status s = tern_lockstep_step(ls, in, target, now.flags);
        if (s == TERN_OK && now.flush) s = tern_lockstep_flush(ls);
        if (s == TERN_OK && now.clear) s = tern_lockstep_clear(ls);
        if (s != TERN_OK) return s;
    }
    return tern_lockstep_memories(ls);
}

static int run_network(uint64_t seed, const tern_dut *dut, bool tie, totals *sum)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_model m;
    tern_plan plan;
    tern_state st;
    tern_diags diags;
    tern_diags_init(&diags);
    int result = FAILED;
    if (tern_testnet_make(seed, &arena, &m) != TERN_OK) goto out;
    const uint32_t k = m.net.n_samples;
    const size_t bytes = tern_state_bytes(&m.net, k);
    void *mem = tern_arena_get(&arena, bytes, 1);
    uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32, 4), *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32, 4);
    if (mem == NULL || in == NULL || target == NULL || tern_plan_make(&m.net, 4, k, &arena, &plan, &diags) != TERN_OK) goto out;
    if (tern_state_init(&st, &m.net, mem, bytes, k, seed * 0x9e3779b97f4a7c15u) != TERN_OK) goto out;
    st.k0 = 4 * (uint32_t)(seed % 5);
    st.step = (uint32_t)(seed * 977);
    if (tie) {
        void *copy = tern_arena_get(&arena, bytes, 1);
        if (copy == NULL) goto out;
        if (!has_tie(&st, &m, seed, in, target, bytes, mem, copy)) {
            result = PASSED_OVER;
            goto out;
        }
    }
    tern_lockstep *ls;
    const tern_status s = tern_lockstep_open(&plan, &st, dut, stdout, &arena, &ls, &diags);
    if (s != TERN_OK) {
        if (s == TERN_ERR_FIT) result = PASSED_OVER;
        goto out;
    }
    result = run_steps(ls, &m, seed, in, target) == TERN_OK ? SAME : DIFFERS;
    const tern_lockstep_counts *n = tern_lockstep_get(ls);
    if (n->digest_c != n->digest_rtl) result = DIFFERS;
    ++sum->networks;
    sum->steps += n->steps;
    sum->flushes += n->flushes;
    sum->records += n->records;
    sum->words += n->memory_words;
    tern_lockstep_close(ls);
out:
    tern_arena_free(&arena);
    return result;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 40, tie = 0;
    const mutant *which = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof mutants / sizeof mutants[0]; ++i)
        if (strcmp(argv[1], mutants[i].name) == 0) which = &mutants[i];
    for (int i = 2; i + 1 < argc && which != NULL; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--tie") == 0) tie = strtoull(argv[i + 1], NULL, 10);
        else which = NULL;
    }
    if (which == NULL || argc % 2 != 0) {
        fprintf(stderr, "usage: mutant_run NAME [--first SEED] [--count N] [--tie 1]; NAME is one of");
        for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; ++i) fprintf(stderr, " %s", mutants[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    totals sum = { 0, 0, 0, 0, 0 };
    int result = SAME;
    for (uint64_t seed = first; sum.networks < count && seed < first + 1000 * count && result != DIFFERS; ++seed) {
        result = run_network(seed, which->get(), tie != 0, &sum);
        if (result == DIFFERS) printf("  reproduce: mutant_run %s --first %" PRIu64 " --count 1\n", which->name, seed);
        if (result == FAILED) {
            fprintf(stderr, "seed %" PRIu64 ": the network cannot be made or loaded\n", seed);
            return 2;
        }
    }
    printf("mutant_run: %s: %s; %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " flushes, %" PRIu64 " records, %" PRIu64 " memory words compared\n", which->name,
           result == DIFFERS ? "differs" : "no difference", sum.networks, sum.steps, sum.flushes, sum.records, sum.words);
    return sum.networks == 0 ? 2 : result == DIFFERS;
}
