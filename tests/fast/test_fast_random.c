/* test_fast_random.c : golden model and engine `fast` in lockstep on random networks
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_fast_random [--isa NAME|all] [--first SEED] [--count N] [--steps N] [--threads N] [--peers N] [--most N]
 *                      [--plant BUG]
 * --peers: as many engines share each network (1..5, default 1; 0: two to five by turns).
 * all: each instruction set that this processor has runs all networks. --threads 0: one to three by turns. Ends behind
 * the most networks that differ (5) and prints
 * the line to repeat each. Exit status 0: no differences.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "fast_lockstep.h"
#include "fast_plant.h"
typedef struct options {
    const char *isa;
    uint64_t first, count, steps, threads, most_bad, peers;
} options;

static unsigned run_isa(const char *isa, const options *o, fast_totals *sum)
{
    unsigned bad = 0;
    for (uint64_t seed = o->first; seed < o->first + o->count && bad < o->most_bad; ++seed) {
        fast_pair p;
        const uint64_t peers = o->peers != 0 ? o->peers : 2 + seed % (FAST_PEERS - 1);
        const bool opened =
            fast_pair_open(&p, seed, isa, (uint32_t)(o->threads != 0 ? o->threads : 1 + seed % 3), (uint32_t)peers);
        const bool same = opened && fast_pair_run(&p, (unsigned)o->steps, sum);
        if (!opened) printf("seed %" PRIu64 ": cannot be opened\n", seed);
        else if (!same)
            printf("DIFFERS array=%s index=%zu step=%" PRIu32
                   "\n  network: D=%u W=%u K=%u WB=%u WF=%u XF=%u rule=%u baseline=%u neurons=%" PRIu32
                   " weights=%" PRIu32 "\n  repeat: test_fast_random --isa %s --first %" PRIu64
                   " --count 1 --steps %" PRIu64 " --threads %" PRIu64 " --peers %" PRIu64 "\n",
                   p.what, p.index, p.golden.step, p.net.taps_d, p.net.lags_w, p.net.n_samples, p.net.weight_bits,
                   p.net.weight_frac, p.net.trace_frac, p.net.rule, p.net.baseline, p.net.n_neurons, p.net.n_weights,
                   isa, seed, o->steps, o->threads, peers);
        if (!same) ++bad;
        fast_pair_close(&p);
    }
    printf("%s: %" PRIu64 " networks, %" PRIu64 " steps, %" PRIu64 " flushes, %" PRIu64 " records, %" PRIu64
           " words compared; synapses %" PRIu64 " quick, %" PRIu64 " split, %" PRIu64 " wide; %" PRIu64
           " limited values in their places; %u networks differ\n",
           isa, sum->networks, sum->steps, sum->flushes, sum->records, sum->words, sum->quick, sum->split, sum->wide,
           sum->placed, bad);
    return bad;
}

int main(int argc, char **argv)
{
    options o = { .isa = "all", .first = 1, .count = 30, .steps = 14, .most_bad = 5, .peers = 1 };
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = { { "--first", &o.first },     { "--count", &o.count }, { "--steps", &o.steps },
                    { "--threads", &o.threads }, { "--peers", &o.peers }, { "--most", &o.most_bad } };
    for (int i = 1; i < argc; i += 2) {
        bool known = false;
        for (unsigned j = 0; i + 1 < argc && j < sizeof numbers / sizeof numbers[0]; ++j)
            if (strcmp(argv[i], numbers[j].name) == 0) {
                *numbers[j].to = strtoull(argv[i + 1], NULL, 10);
                known = true;
            }
        if (i + 1 < argc && strcmp(argv[i], "--isa") == 0) {
            o.isa = argv[i + 1];
            known = true;
        }
        if (i + 1 < argc && strcmp(argv[i], "--plant") == 0) known = fast_plant(argv[i + 1]);
        if (!known) {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    unsigned bad = 0, n = 0;
    for (const char *const *isa = tern_fast_isas(); *isa != NULL; ++isa) {
        if (strcmp(o.isa, "all") == 0 ? !tern_fast_has(*isa) : strcmp(o.isa, *isa) != 0) continue;
        fast_totals sum = { 0 };
        bad += run_isa(*isa, &o, &sum);
        ++n;
    }
    if (n == 0) fprintf(stderr, "no such instruction set: %s\n", o.isa);
    return bad != 0 || n == 0;
}
