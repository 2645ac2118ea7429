/* cosim_random.c : random networks loaded one after another into a handful of elaborated cores, in lockstep with the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 *     cosim_random [--first SEED] [--count N] [--core p4] [--steps N] [--verbose]
 * Every seed runs on one core (by turns; --core: on that one). Each run has learning, clamped and free steps, flushes, clears, a saved and reloaded state in the
 * middle, and ends with a comparison of every memory word. Prints the seed's reproduction line at the first difference.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tern_lockstep.h"
#include "tern_testnet.h"

const tern_dut *tern_dut_p1(void);
const tern_dut *tern_dut_p2(void);
const tern_dut *tern_dut_p4(void);
const tern_dut *tern_dut_p8(void);
const tern_dut *tern_dut_p16(void);
const tern_dut *tern_dut_p32(void);

typedef struct core { const char *name; uint32_t lanes; const tern_dut *(*get)(void); } core;
static const core cores[] = { { "p1", 1, tern_dut_p1 }, { "p2", 2, tern_dut_p2 }, { "p4", 4, tern_dut_p4 }, { "p8", 8, tern_dut_p8 }, { "p16", 16, tern_dut_p16 },
                              { "p32", 32, tern_dut_p32 } };
enum { N_CORES = sizeof cores / sizeof cores[0] };

typedef struct totals { uint64_t networks, skipped, steps, records, words, cycles; } totals;

static int run_steps(tern_lockstep *ls, const tern_model *m, uint64_t seed, tern_testrand *r, unsigned n_steps, uint32_t *in, uint32_t *target)
{
    tern_status s = TERN_OK;
    for (unsigned t = 0; t < n_steps && s == TERN_OK; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        /* mostly training; at times inference or scoring, a flush, a new example */
        const unsigned flags = tern_testrand_one_in(r, 6) ? (tern_testrand_one_in(r, 2) ? 0 : TERN_STEP_CLAMP) : TERN_STEP_CLAMP | TERN_STEP_LEARN;
        s = tern_lockstep_step(ls, in, target, flags);
        if (s == TERN_OK && tern_testrand_one_in(r, 7)) s = tern_lockstep_flush(ls);
        if (s == TERN_OK && tern_testrand_one_in(r, 12)) s = tern_lockstep_clear(ls);
    }
    const tern_status mem = tern_lockstep_memories(ls);
    return s != TERN_OK || mem != TERN_OK;
}

/* Returns 0: equal, 1: differs, 2: does not fit this core. */
static int run_one(uint64_t seed, const core *c, unsigned n_steps, totals *sum)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_model m;
    tern_plan plan;
    tern_state st;
    tern_diags diags;
    tern_diags_init(&diags);
    int result = 1;
    tern_testrand r = { seed * 31 + 5 };
    if (tern_testnet_make(seed, &arena, &m) != TERN_OK) goto out;
    const uint32_t k = m.net.n_samples;
    const size_t bytes = tern_state_bytes(&m.net, k);
    void *mem = tern_arena_get(&arena, bytes, 1);
    uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32, 4), *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32, 4);
    if (mem == NULL || in == NULL || target == NULL || tern_plan_make(&m.net, c->lanes, k, &arena, &plan, &diags) != TERN_OK) goto out;
    if (tern_state_init(&st, &m.net, mem, bytes, k, seed * 0x9e3779b97f4a7c15u) != TERN_OK) goto out;
    st.k0 = 4 * (uint32_t)(seed % 5 == 0 ? seed * 7919 % 4096 : seed % 5);
    st.step = (uint32_t)(seed * 977);
    /* twice: the second half begins with the state of the first, loaded into a core that holds random contents */
    sum->networks += 1;
    result = 0;
    uint64_t differences = 0;
    for (unsigned half = 0; half < 2 && result == 0; ++half) {
        tern_lockstep *ls;
        const tern_status s = tern_lockstep_open(&plan, &st, c->get(), stdout, &arena, &ls, &diags);
        if (s == TERN_ERR_FIT) {
            --sum->networks;
            result = 2;
            goto out;
        }
        result = 1;
        if (s != TERN_OK) goto out;
        result = run_steps(ls, &m, seed + half, &r, n_steps / 2, in, target);
        const tern_lockstep_counts *n = tern_lockstep_get(ls);
        sum->steps += n->steps;
        sum->records += n->records;
        sum->words += n->memory_words;
        sum->cycles += n->cycles;
        differences += n->differences;
        if (n->digest_c != n->digest_rtl) result = 1;
        tern_lockstep_close(ls);
    }
    if (result != 0)
        printf("  network: D=%u W=%u K=%u WB=%u WF=%u XF=%u neurons=%" PRIu32 " rows=%" PRIu32 " weights=%" PRIu32 "; %" PRIu64 " differences\n  reproduce: cosim_random --first %" PRIu64 " --count 1 --core %s\n",
               m.net.taps_d, m.net.lags_w, k, m.net.weight_bits, m.net.weight_frac, m.net.trace_frac, m.net.n_neurons, m.net.n_rows, m.net.n_weights, differences, seed, c->name);
out:
    tern_arena_free(&arena);
    return result;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 100;
    unsigned n_steps = 14;
    const char *only = NULL;
    bool verbose = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--verbose") == 0) verbose = true;
        else if (i + 1 < argc && strcmp(argv[i], "--first") == 0) first = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0) count = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--steps") == 0) n_steps = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--core") == 0) only = argv[++i];
        else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    totals sum = { 0, 0, 0, 0, 0, 0 };
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count; ++seed) {
        const unsigned start = (unsigned)(seed % N_CORES);
        int result = 2;
        for (unsigned i = 0; i < N_CORES && result == 2; ++i) { /* the next core if a network does not fit this one */
            const core *c = &cores[(start + i) % N_CORES];
            if (only != NULL && strcmp(only, c->name) != 0) continue;
            result = run_one(seed, c, n_steps, &sum);
            if (verbose && result != 2) printf("seed %" PRIu64 " on %s: %s\n", seed, c->name, result == 0 ? "equal" : "DIFFERS");
        }
        if (result == 2) ++sum.skipped;
        if (result == 1 && ++bad == 5) break;
        fflush(stdout);
    }
    printf("cosim_random: %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " records, %" PRIu64 " memory words, %" PRIu64 " cycles compared; %u networks differ, %" PRIu64 " fit no core\n", sum.networks,
           sum.steps, sum.records, sum.words, sum.cycles, bad, sum.skipped);
    return bad != 0 || sum.networks == 0 || sum.skipped * 20 > sum.networks;
}
