/* cosim_random.c : random networks loaded one after another into a handful of elaborated cores, in lockstep with the
 * golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 *     cosim_random [--first SEED] [--count N] [--rule gem|mb|iw|reward|any] [--core p4] [--steps N]
 *                  [--cycles N] [--verbose]
 * Every seed runs on one core (by turns; --core: on that one), under one rule (any: by turns). Each run has learning,
 * clamped and free steps, rewards, flushes, clears, votes, a saved and reloaded state in the middle, and ends with a
 * comparison of every memory word. About one population in three is made of WTA circuits. --cycles: each half of a run
 * ends after a step with which it has taken so many cycles, at the third at the earliest, since a few large networks
 * would take most of the time. Prints the seed's reproduction line at the first difference.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tern_netrun.h"

#ifdef TERN_PLANTED_RULES
const tern_dut *tern_dut_planted_rules(void);
#elif defined TERN_PLANTED
const tern_dut *tern_dut_planted(void);
#elif defined TERN_QUICK
const tern_dut *tern_dut_q2(void);
#elif defined TERN_SMALL_RULES
const tern_dut *tern_dut_t1(void);
const tern_dut *tern_dut_t2(void);
const tern_dut *tern_dut_t4(void);
#elif defined TERN_SMALL
const tern_dut *tern_dut_s1(void);
const tern_dut *tern_dut_s2(void);
const tern_dut *tern_dut_s4(void);
#else
const tern_dut *tern_dut_p1(void);
const tern_dut *tern_dut_p2(void);
const tern_dut *tern_dut_p4(void);
const tern_dut *tern_dut_p8(void);
const tern_dut *tern_dut_p16(void);
const tern_dut *tern_dut_p32(void);
const tern_dut *tern_dut_e1(void);
const tern_dut *tern_dut_e2(void);
const tern_dut *tern_dut_e8(void);
#endif

typedef struct core {
    const char *name;
    uint32_t lanes, ways;
    const tern_dut *(*get)(void);
} core;
#ifdef TERN_PLANTED_RULES
static const core cores[] = { { "planted_rules", 2, 1, tern_dut_planted_rules } };
enum { IS_SMALL = 1 };
#elif defined TERN_PLANTED
static const core cores[] = { { "planted", 2, 1, tern_dut_planted } };
enum { IS_SMALL = 1 };
#elif defined TERN_QUICK
static const core cores[] = { { "q2", 2, 1, tern_dut_q2 } };
enum { IS_SMALL = 1 };
#elif defined TERN_SMALL_RULES
static const core cores[] = { { "t1", 1, 1, tern_dut_t1 }, { "t2", 2, 1, tern_dut_t2 }, { "t4", 4, 1, tern_dut_t4 } };
enum { IS_SMALL = 1 };
#elif defined TERN_SMALL
static const core cores[] = { { "s1", 1, 1, tern_dut_s1 }, { "s2", 2, 1, tern_dut_s2 }, { "s4", 4, 1, tern_dut_s4 } };
enum { IS_SMALL = 1 };
#elif defined TERN_KERNELS
enum { IS_SMALL = 0 };
static const core cores[] = { { "e1", 1, 1, tern_dut_e1 }, { "e2", 2, 1, tern_dut_e2 }, { "e8", 8, 1, tern_dut_e8 } };
#elif defined TERN_FEW
enum { IS_SMALL = 0 };
static const core cores[] = { { "p1", 1, 16, tern_dut_p1 }, { "p2", 2, 5, tern_dut_p2 } };
#else
enum { IS_SMALL = 0 };
static const core cores[] = { { "p1", 1, 16, tern_dut_p1 },   { "p2", 2, 5, tern_dut_p2 },
                              { "p4", 4, 1, tern_dut_p4 },    { "p8", 8, 3, tern_dut_p8 },
                              { "p16", 16, 2, tern_dut_p16 }, { "p32", 32, 1, tern_dut_p32 } };
#endif
enum { N_CORES = sizeof cores / sizeof cores[0] };
static const char *const rule_names[] = { "gem", "mb", "iw", "reward", "any" };
enum { ANY_RULE = 4, EQUAL = 0, DIFFERS = 1, TOO_LARGE = 2 };

static int run_one(uint64_t seed, tern_rule_kind rule, const core *c, unsigned n_steps, uint64_t budget,
                   tern_netrun_totals *sum)
{
    tern_netrun n;
    tern_testrand r = { seed * 31 + 5 };
    int result = DIFFERS;
    uint64_t differences = 0;
    if (IS_SMALL == 0 ? !tern_netrun_make(&n, seed, rule, c->lanes, false)
                      : !tern_netrun_make_within(&n, seed, rule, TERN_TESTNET_SMALL, c->lanes, true))
        goto out;
    n.budget = budget;
    if (IS_SMALL == 0 && seed % 4 != 0) tern_plan_use_large(&n.plan); /* each order of rows is right */
    tern_plan_use_ways(&n.plan, c->ways);
    if (IS_SMALL != 0 && tern_plan_small(&n.plan, &n.diags) != TERN_OK) {
        result = TOO_LARGE;
        goto out;
    }
    /* twice: the second half begins with the state of the first, loaded into a core that holds random contents */
    result = EQUAL;
    for (unsigned half = 0; half < 2 && result == EQUAL; ++half) {
        tern_lockstep *ls;
        const tern_status s = tern_lockstep_open(&n.plan, &n.st, c->get(), &n.arena, &ls, &n.diags);
        result = s == TERN_ERR_FIT ? TOO_LARGE : DIFFERS;
        if (s == TERN_ERR_DIFFERS) tern_lockstep_report_print(tern_lockstep_report_get(ls), stdout);
        if (s != TERN_OK) {
            tern_lockstep_close(ls);
            goto out;
        }
        if (half == 0) tern_netrun_counters(&n, c->get(), ls);
        if (tern_netrun_steps(&n, ls, seed + half, &r, n_steps / 2) == TERN_OK) result = EQUAL;
        const tern_lockstep_counts *counts = tern_lockstep_get(ls);
        tern_lockstep_report_print(tern_lockstep_report_get(ls), stdout);
        differences += counts->differences;
        if (counts->digest_c != counts->digest_rtl) result = DIFFERS;
        if (counts->outside != 0) {
            printf("CYCLES %" PRIu64 " steps and flushes took less or more cycles than the range of the estimate\n",
                   counts->outside);
            result = DIFFERS;
        }
        tern_netrun_add(sum, &n, ls);
        tern_lockstep_close(ls);
    }
    ++sum->networks;
    if (result == DIFFERS)
        printf("  network: D=%u W=%u K=%u WB=%u WF=%u XF=%u neurons=%" PRIu32 " rows=%" PRIu32 " weights=%" PRIu32
               "; %" PRIu64 " differences\n  reproduce: cosim_random --first %" PRIu64
               " --count 1 --rule %s --core %s --steps %u --cycles %" PRIu64 "\n",
               n.m.net.taps_d, n.m.net.lags_w, n.m.net.n_samples, n.m.net.weight_bits, n.m.net.weight_frac,
               n.m.net.trace_frac, n.m.net.n_neurons, n.m.net.n_rows, n.m.net.n_weights, differences, seed,
               rule_names[rule], c->name, n_steps, budget);
out:
    tern_netrun_free(&n);
    return result;
}

static unsigned find_rule(const char *name)
{
    unsigned i = 0;
    while (i <= ANY_RULE && strcmp(name, rule_names[i]) != 0) ++i;
    return i;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 100, skipped = 0, budget = 0;
    unsigned n_steps = 14, rule = ANY_RULE;
    const char *only = NULL;
    bool verbose = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--verbose") == 0) verbose = true;
        else if (i + 1 < argc && strcmp(argv[i], "--first") == 0) first = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0) count = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--steps") == 0) n_steps = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--cycles") == 0) budget = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--core") == 0) only = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--rule") == 0 && (rule = find_rule(argv[i + 1])) <= ANY_RULE) ++i;
        else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    tern_netrun_totals sum = { 0 };
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count; ++seed) {
        const unsigned start = (unsigned)(seed / 4 % N_CORES);
        const tern_rule_kind kind = (tern_rule_kind)(rule == ANY_RULE ? seed % 4 : rule);
        int result = TOO_LARGE;
        /* the next core if a network does not fit this one */
        for (unsigned i = 0; i < N_CORES && result == TOO_LARGE; ++i) {
            const core *c = &cores[(start + i) % N_CORES];
            if (only != NULL && strcmp(only, c->name) != 0) continue;
            result = run_one(seed, kind, c, n_steps, budget, &sum);
            if (verbose && result != TOO_LARGE)
                printf("seed %" PRIu64 " (%s) on %s: %s\n", seed, rule_names[kind], c->name,
                       result == EQUAL ? "equal" : "DIFFERS");
        }
        if (result == TOO_LARGE) ++skipped;
        if (result == DIFFERS && ++bad == 5) break;
        fflush(stdout);
    }
    printf("cosim_random: %s: %" PRIu64 " networks with %" PRIu64 " WTA circuits, %" PRIu64 " steps, %" PRIu64
           " records, %" PRIu64 " memory words, %" PRIu64 " cycles compared; %u networks differ, %" PRIu64
           " fit no core\n",
           rule_names[rule], sum.networks, sum.circuits / 2, sum.steps, sum.records, sum.words, sum.cycles, bad,
           skipped);
    return bad != 0 || sum.networks == 0 || skipped * (IS_SMALL == 0 ? 20u : 10u) > count;
}
