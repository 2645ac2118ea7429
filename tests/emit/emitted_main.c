/* emitted_main.c : runs an emitted network over the frames of emit_testnet and prints its digest
 * SPDX-License-Identifier: Apache-2.0
 *
 * Built by test_emit_c.sh with -DNET=prefix of its functions -DMACROS=prefix of its macros -include NAME.h, and
 * -DREWARDED if the rule is REWARD; reads frames from standard input.
 */
#include <stdio.h>

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define F(name) JOIN(NET, name)
#define M(name) JOIN(MACROS, name)

static uint64_t digest = TERN_DIGEST_INIT;
static int32_t rewards[TERN_MAX_SAMPLES];
static uint32_t in[M(_INPUT_WORDS) + 1], target[M(_NEURON_WORDS) + 1];

static void put(tern_record_sink *self, const tern_record *r)
{
    (void)self;
    digest = tern_digest_add(digest, r);
}

int main(void)
{
    tern_record_sink sink = { put };
    uint32_t flags, steps = 0;
    if (tern_net_check(&F(_net), NULL) != TERN_OK || F(_init)(M(_SEED)) != TERN_OK) return 1;
    F(_state).sink = &sink;
    while (fread(&flags, 4, 1, stdin) == 1) {
        if (fread(in, 4, M(_INPUT_WORDS), stdin) != M(_INPUT_WORDS) ||
            fread(target, 4, M(_NEURON_WORDS), stdin) != M(_NEURON_WORDS))
            return 2;
        if (fread(rewards, 4, TERN_MAX_SAMPLES, stdin) != TERN_MAX_SAMPLES) return 2;
        F(_step)(in, target, flags & 255u);
#ifdef REWARDED
        F(_reward)(rewards);
#endif
        if (flags & 256u) {
            F(_flush)();
            F(_clear)();
        }
        ++steps;
    }
    for (uint32_t i = 0; i < F(_net).n_weights; ++i) {
        const tern_record r = { .kind = TERN_REC_W, .index = i, .b = F(_state).weights[i] };
        digest = tern_digest_add(digest, &r);
    }
    printf("%016llx\n", (unsigned long long)digest);
    return steps == 0;
}
