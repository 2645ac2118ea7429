/* mutant_run.c : small networks in lockstep on a core of small capacities, with one mistake or with none
 * SPDX-License-Identifier: Apache-2.0
 *
 *     mutant_run large|small|rules|ways|each|silent|bare|tight MISTAKE [--first SEED] [--count N] [--rule R] [--tie 1]
 *                [--checks 0]
 *     mutant_run small|rules MISTAKE --power-up N [--first SEED]
 *
 * MISTAKE: a planted bug in lower case, the number of a generated mistake (mutants.tsv), or none. R: 0 GEM, 1 MB, 2 IW,
 * 3 REWARD, 4 by turns (default); core small has GEM only. --checks 0: without the checks of memories that are read
 * and written at one address. --power-up: no networks; the core is switched on N times, each time with other random
 * contents of what is not reset, and then each register that holds a constant is read.
 * Networks that are too large for the core are passed over, so --count counts those that ran. With --tie 1 so are
 * networks in which no draw ever equals its probability (about 1 in 65536 does), as the golden model tells. Ends at the
 * first network that differs, whose first differing record the lockstep has printed ("DIVERGE record=..."). Exit status
 * 0: all equal; 1: one differs; 2: wrong usage or no network ran.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include "tern_netrun.h"

const tern_dut *tern_dut_large(void);
const tern_dut *tern_dut_small(void);
const tern_dut *tern_dut_rules(void);  /* the small core with every rule */
const tern_dut *tern_dut_ways(void);   /* several samples per cycle */
const tern_dut *tern_dut_each(void);   /* a kernel for each sample */
const tern_dut *tern_dut_silent(void); /* leaves silent words out */
#ifdef TERN_MUTANT_BARE
const tern_dut *tern_dut_bare(void);  /* of one lane, without baselines, circuits and votes */
const tern_dut *tern_dut_tight(void); /* barely larger than its networks */
#endif
typedef struct core {
    const char *name;
    const tern_dut *(*get)(void);
    uint32_t lanes, ways;
    bool small, bare, silent; /* silent: leaves silent words out, for networks with inputs of all densities */
} core;
static const core cores[] = {
    { "large", tern_dut_large, 4, 1, false, false, false }, { "small", tern_dut_small, 2, 1, true, false, false },
    { "rules", tern_dut_rules, 2, 1, true, false, false },  { "ways", tern_dut_ways, 2, 3, false, false, false },
    { "each", tern_dut_each, 2, 1, false, false, false },   { "silent", tern_dut_silent, 2, 2, false, false, true },
#ifdef TERN_MUTANT_BARE
    { "bare", tern_dut_bare, 1, 1, false, true, false },    { "tight", tern_dut_tight, 2, 1, false, false, false },
#endif
};
static const struct {
    unsigned number;
    const char *name;
} planted[] = {
#define PLANTED(number, name) { number, #name },
#include "planted.inc"
#undef PLANTED
};

/* Number of a mistake, in text; NULL: there is none of that name. */
static const char *find(const char *name, char text[16])
{
    if (strcmp(name, "none") == 0) return "0";
    if (name[0] != 0 && strspn(name, "0123456789") == strlen(name)) return name;
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; ++i)
        if (strcmp(name, planted[i].name) == 0) {
            snprintf(text, 16, "%u", planted[i].number);
            return text;
        }
    return NULL;
}

enum { ANY_RULE = 4, STEPS = 20, SAME = 0, DIFFERS = 1, PASSED_OVER = 2, FAILED = 3 };

typedef struct tie_sink {
    tern_record_sink base;
    bool tie;
} tie_sink;

static void find_tie(tern_record_sink *self, const tern_record *r)
{
    if (r->kind == TERN_REC_N && (r->flags & 4u) == 0 && r->draw == (uint32_t)r->b) ((tie_sink *)self)->tie = true;
}

/* The golden model alone, through the same steps. Leaves the state as it was before the first of them. */
static bool has_tie(tern_netrun *n, void *copy)
{
    const tern_state before = n->st;
    tern_testrand r = { n->seed * 13 + 7 };
    tie_sink sink = { { find_tie }, false };
    int32_t reward[TERN_MAX_SAMPLES];
    memcpy(copy, n->mem, n->bytes);
    n->st.sink = &sink.base;
    for (uint32_t t = 0; t < STEPS; ++t) {
        tern_testnet_frame(n->seed, t, &n->m, n->in, n->target);
        if (tern_netrun_loud(n->seed)) tern_netrun_shout(&r, &n->m, n->in);
        const tern_netrun_step now = tern_netrun_next(&r, &n->m);
        tern_step(&n->st, n->in, n->target, now.flags);
        if (now.reward) {
            tern_netrun_rewards(&r, n->st.n_samples, reward);
            tern_reward(&n->st, reward);
        }
        if (now.flush) tern_flush(&n->st);
        if (now.clear) tern_state_clear(&n->st);
    }
    n->st = before;
    memcpy(n->mem, copy, n->bytes);
    return sink.tie;
}

static int run_network(uint64_t seed, unsigned rule, const core *c, bool tie, tern_netrun_totals *sum)
{
    tern_netrun n;
    int result = FAILED;
    if (!tern_netrun_make(&n, seed, (tern_rule_kind)(rule == ANY_RULE ? seed % 4 : rule), c->lanes,
                          c->small || c->bare))
        goto out;
    if (!c->small && seed % 4 != 0) tern_plan_use_large(&n.plan); /* each order of rows is right */
    n.quiet = c->silent;
    tern_plan_use_ways(&n.plan, c->ways);
    if (c->small && tern_plan_small(&n.plan, NULL) != TERN_OK) {
        result = PASSED_OVER;
        goto out;
    }
    if (tie) {
        void *copy = tern_arena_get(&n.arena, n.bytes, 1);
        if (copy == NULL) goto out;
        if (!has_tie(&n, copy)) {
            result = PASSED_OVER;
            goto out;
        }
    }
    tern_lockstep *ls;
    const tern_status s = tern_lockstep_open(&n.plan, &n.st, c->get(), &n.arena, &ls, &n.diags);
    if (s != TERN_OK) {
        if (s == TERN_ERR_FIT) result = PASSED_OVER;
        if (s == TERN_ERR_DIFFERS) tern_lockstep_report_print(tern_lockstep_report_get(ls), stdout);
        tern_lockstep_close(ls);
        goto out;
    }
    tern_testrand r = { seed * 13 + 7 };
    tern_netrun_counters(&n, c->get(), ls);
    result = tern_netrun_steps(&n, ls, seed, &r, STEPS) == TERN_OK ? SAME : DIFFERS;
    const tern_lockstep_counts *counts = tern_lockstep_get(ls);
    tern_lockstep_report_print(tern_lockstep_report_get(ls), stdout);
    if (counts->digest_c != counts->digest_rtl) result = DIFFERS;
    ++sum->networks;
    tern_netrun_add(sum, &n, ls);
    tern_lockstep_close(ls);
out:
    tern_netrun_free(&n);
    return result;
}

/* Registers of the small core that neither the host nor the program may write (tern_small.v, `fixed`): identity,
 * capacities, and from 96 on what the program needs to know of the core. */
static int power_up(const core *c, uint64_t first, uint64_t count)
{
    enum { REGISTERS = 128, CONTROL = 2, SETTINGS = 32, CONSTANTS = 96 };
    uint32_t constant[REGISTERS];
    for (uint64_t seed = first; seed < first + count; ++seed) {
        const tern_dut *dut = c->get();
        void *on = dut->create(2 * seed);
        if (on == NULL) return FAILED;
        bool same = dut->ended(on) == 0;
        for (uint32_t r = 0; r < REGISTERS && same; ++r) {
            if (r == CONTROL || (r >= SETTINGS && r < CONSTANTS)) continue;
            const uint32_t now = dut->read(on, r);
            if (seed == first) constant[r] = now;
            same = now == constant[r];
            if (!same)
                printf("DIVERGE record=constant register=%" PRIu32 " power-up %" PRIu64 ": 0x%08" PRIx32
                       ", power-up %" PRIu64 ": 0x%08" PRIx32 "\n",
                       r, first, constant[r], seed, now);
        }
        dut->destroy(on);
        if (!same) return DIFFERS;
    }
    return SAME;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 40, tie = 0, rule = ANY_RULE, power_ups = 0;
    char text[16];
    const core *c = NULL;
    for (size_t i = 0; argc > 2 && i < sizeof cores / sizeof cores[0]; ++i)
        if (strcmp(argv[1], cores[i].name) == 0) c = &cores[i];
    const char *which = c != NULL ? find(argv[2], text) : NULL;
    for (int i = 3; i + 1 < argc && which != NULL; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--tie") == 0) tie = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--rule") == 0) rule = strtoull(argv[i + 1], NULL, 10) % (ANY_RULE + 1);
        else if (strcmp(argv[i], "--power-up") == 0 && c->small) power_ups = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--checks") == 0) setenv("TERN_MUTANT_CHECKS", argv[i + 1], 1);
        else which = NULL;
    }
    if (which == NULL || argc % 2 == 0) {
        fprintf(stderr, "usage: mutant_run large|small|rules|ways|each|silent|bare|tight MISTAKE [--first SEED] "
                        "[--count N] [--rule 0..4] [--tie 1] "
                        "[--checks 0] [--power-up N]; MISTAKE: a number, or one of none");
        for (size_t i = 0; i < sizeof planted / sizeof planted[0]; ++i) fprintf(stderr, " %s", planted[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    setenv("TERN_MUTANT", which, 1);
    if (power_ups != 0) {
        const int now = power_up(c, first, power_ups);
        printf("mutant_run: %s %s: %s; switched on %" PRIu64 " times\n", argv[1], argv[2],
               now == SAME ? "no difference" : "differs", power_ups);
        return now == FAILED ? 2 : now == DIFFERS;
    }
    tern_netrun_totals sum = { 0 };
    int result = SAME;
    if (c->get == tern_dut_small) rule = 0;
    /* a core that tells wrong sizes takes no network at all */
    const uint64_t most = tie != 0 ? 1000 * count : 300 + 20 * count;
    for (uint64_t seed = first; sum.networks < count && seed < first + most &&
                                (sum.networks > 0 || tie != 0 || seed < first + 300) && result != DIFFERS;
         ++seed) {
        result = run_network(seed, (unsigned)rule, c, tie != 0, &sum);
        if (result == DIFFERS)
            printf("  reproduce: mutant_run %s %s --first %" PRIu64 " --count 1\n", argv[1], argv[2], seed);
        if (result == FAILED) {
            fprintf(stderr, "seed %" PRIu64 ": the network cannot be made or loaded\n", seed);
            return 2;
        }
    }
    printf("mutant_run: %s %s: %s; %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " flushes, %" PRIu64
           " records, %" PRIu64 " memory words compared\n",
           argv[1], argv[2], result == DIFFERS ? "differs" : "no difference", sum.networks, sum.steps, sum.flushes,
           sum.records, sum.words);
    if (c->silent) {
        printf("mutant_run: %" PRIu64 " cycles, %" PRIu64 " with all words\n", sum.cycles, sum.predicted);
        if (result != DIFFERS && sum.networks > 9 && sum.cycles >= sum.predicted) { /* the test would show nothing */
            fprintf(stderr, "no silent word was left out\n");
            return 2;
        }
    }
    return sum.networks == 0 ? 2 : result == DIFFERS;
}
