/* mutants.c : small networks in lockstep on the small core, with one planted bug or with none
 * SPDX-License-Identifier: Apache-2.0
 *
 *     mutants NAME [--first SEED] [--count N]        NAME: a planted bug in lower case, or none
 * Networks that are too large for the small core are passed over, so --count counts those that ran. Ends at the first network that differs, whose first
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

enum { STEPS = 20, SAME = 0, DIFFERS = 1, TOO_LARGE = 2, FAILED = 3 };

typedef struct totals { uint64_t networks, steps, flushes, records, words; } totals;

/* Learning, scoring and free steps, flushes, new examples; then every memory word. */
static tern_status run_steps(tern_lockstep *ls, const tern_model *m, uint64_t seed, uint32_t *in, uint32_t *target)
{
    tern_testrand r = { seed * 13 + 7 };
    for (uint32_t t = 0; t < STEPS; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        const unsigned flags = tern_testrand_one_in(&r, 4) ? (tern_testrand_one_in(&r, 2) ? 0 : TERN_STEP_CLAMP) : TERN_STEP_CLAMP | TERN_STEP_LEARN;
        tern_status s = tern_lockstep_step(ls, in, target, flags);
        if (s == TERN_OK && tern_testrand_one_in(&r, 6)) s = tern_lockstep_flush(ls);
        if (s == TERN_OK && t == STEPS / 2) s = tern_lockstep_clear(ls); /* 5 to 10 ms of simulation */
        if (s != TERN_OK) return s;
    }
    return tern_lockstep_memories(ls);
}

static int run_network(uint64_t seed, const tern_dut *dut, totals *sum)
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
    tern_lockstep *ls;
    const tern_status s = tern_lockstep_open(&plan, &st, dut, stdout, &arena, &ls, &diags);
    if (s != TERN_OK) {
        if (s == TERN_ERR_FIT) result = TOO_LARGE;
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
    uint64_t first = 1, count = 40;
    const mutant *which = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof mutants / sizeof mutants[0]; ++i)
        if (strcmp(argv[1], mutants[i].name) == 0) which = &mutants[i];
    for (int i = 2; i + 1 < argc && which != NULL; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        else which = NULL;
    }
    if (which == NULL || argc % 2 != 0) {
        fprintf(stderr, "usage: mutants NAME [--first SEED] [--count N]; NAME is one of");
        for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; ++i) fprintf(stderr, " %s", mutants[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    totals sum = { 0, 0, 0, 0, 0 };
    int result = SAME;
    for (uint64_t seed = first; sum.networks < count && seed < first + 100 * count && result != DIFFERS; ++seed) {
        result = run_network(seed, which->get(), &sum);
        if (result == DIFFERS) printf("  reproduce: mutants %s --first %" PRIu64 " --count 1\n", which->name, seed);
        if (result == FAILED) {
            fprintf(stderr, "seed %" PRIu64 ": the network cannot be made or loaded\n", seed);
            return 2;
        }
    }
    printf("mutants: %s: %s; %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " flushes, %" PRIu64 " records, %" PRIu64 " memory words compared\n", which->name,
           result == DIFFERS ? "differs" : "no difference", sum.networks, sum.steps, sum.flushes, sum.records, sum.words);
    return sum.networks == 0 ? 2 : result == DIFFERS;
}
