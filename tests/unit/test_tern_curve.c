/* test_tern_curve.c : decisions on the way against separate votes of fewer steps and of fewer samples
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_curve.h"
#include <stdlib.h>
#include <string.h>
#include "tern_check.h"
#include "tern_testnet.h"

enum { STEPS = 12, K = 20, CLASSES = 3, WORDS = 1, BATCH = 8 };

/* spikes[step][sample]: a bit for each class, few, so that there are ties */
static uint32_t spikes[STEPS][K];

static void vote(uint32_t steps, uint32_t samples, tern_vote_decode decode, void *mem, size_t bytes, tern_vote *v)
{
    CHECK_EQ(tern_vote_init(v, CLASSES, samples, decode, mem, bytes), TERN_OK);
    for (uint32_t t = 0; t < steps; ++t) tern_vote_step(v, spikes[t], WORDS, 0);
    tern_vote_close(v);
}

static void one(tern_testrand *r, tern_vote_decode decode, int64_t often)
{
    tern_arena arena;
    tern_curve c;
    tern_vote v, again;
    const tern_curve like = { .n_steps = 4, .n_samples = 5, .steps = { 1, 2, 7, 12 }, .samples = { 1, 2, 5, 11, K } };
    const size_t bytes = tern_vote_bytes(CLASSES, K);
    void *mem = aligned_alloc(8, bytes), *other = aligned_alloc(8, bytes);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (uint32_t t = 0; t < STEPS; ++t)
        for (uint32_t k = 0; k < K; ++k) {
            spikes[t][k] = 0;
            for (uint32_t n = 0; n < CLASSES; ++n)
                if (tern_testrand_in(r, 0, 99) < often) spikes[t][k] |= 1u << n;
        }
    CHECK_EQ(tern_curve_init(&c, &like, CLASSES, &arena), TERN_OK);
    CHECK_EQ(tern_vote_init(&v, CLASSES, BATCH, decode, mem, bytes), TERN_OK);
    for (uint32_t k0 = 0; k0 < K; k0 += BATCH) { /* batches, the last one smaller */
        v.n_samples = K - k0 < BATCH ? K - k0 : BATCH;
        for (uint32_t t = 0; t < STEPS; ++t) {
            tern_vote_step(&v, spikes[t] + k0, WORDS, 0);
            tern_curve_step(&c, &v, k0);
        }
        tern_vote_close(&v);
    }
    for (size_t i = 0; i < c.n_steps; ++i)
        for (size_t k = 0; k < c.n_samples; ++k) {
            const uint32_t winner = tern_curve_winner(&c, i, k);
            vote(c.steps[i], c.samples[k], decode, other, bytes, &again);
            CHECK_EQ(winner, again.winner);
            CHECK(memcmp(c.votes, again.votes, CLASSES * sizeof *c.votes) == 0);
        }
    tern_arena_free(&arena);
    free(mem);
    free(other);
}

int main(void)
{
    tern_testrand r = { 9 };
    for (int trial = 0; trial < 200; ++trial) {
        one(&r, TERN_DECODE_RATE, 1 + trial % 60);
        one(&r, TERN_DECODE_FIRST, 1 + trial % 60);
    }
    return tern_check_report("curve");
}
