/* image_test.h : a model with a state in full flight, and images put right again after being damaged on purpose
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef IMAGE_TEST_H
#define IMAGE_TEST_H
#include <stdlib.h>
#include <zlib.h>
#include "../../runtime/image/tern_image_layout.h"
#include "tern_check.h"
#include "tern_listener.h"
#include "tern_testnet.h"

/* Steps first..first+n-1 of the random frames of `seed`, with rewards where the rule wants them; digest of their
 * records. */
static inline uint64_t run(tern_state *st, const tern_model *m, uint64_t seed, uint32_t first, uint32_t n)
{
    tern_listener d = TERN_LISTENER;
    uint32_t in[64] = { 0 }, target[64] = { 0 }; /* testnet pools are far smaller than 2048 positions */
    st->sink = &d.base;
    for (uint32_t t = first; t < first + n; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        tern_step(st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        int32_t reward[TERN_MAX_SAMPLES];
        for (uint32_t k = 0; k < TERN_MAX_SAMPLES; ++k)
            reward[k] = (int32_t)((seed + t) * 2654435761u >> 5 << k % 3) >> 12;
        if (t % 3 != 0) tern_reward(st, reward);
    }
    st->sink = NULL;
    return d.digest;
}

/* A random model, every second one with a state: some steps done, an update pending. All rules with and without state,
 * some with a baseline per synapse. */
static inline tern_state *make(uint64_t seed, tern_arena *arena, tern_model *m)
{
    if (tern_testnet_make_as(seed, (tern_rule_kind)(seed / 2 % 4), arena, m) != TERN_OK) return NULL;
    if (m->net.rule != TERN_RULE_GEM && seed % 5 == 1) m->net.baseline = m->rule.baseline = TERN_BASELINE_SYNAPSE;
    tern_state *st = tern_arena_get(arena, 1, sizeof *st);
    const uint32_t k = 1 + (uint32_t)(seed % 6);
    const size_t bytes = tern_state_bytes(&m->net, k);
    void *memory = tern_arena_get(arena, bytes, 1);
    if (st == NULL || memory == NULL || tern_state_init(st, &m->net, memory, bytes, k, seed) != TERN_OK) return NULL;
    st->k0 = 4 * (uint32_t)(seed % 3);
    run(st, m, seed, 0, (uint32_t)(seed % 9));
    if (seed % 4 == 0) tern_flush(st);
    if (seed % 2 == 1) m->state = st;
    return st;
}

/* Makes all checksums right, so that damage is met by the checks behind them. Needs a table that lies inside the
 * file. */
static inline void reseal(uint8_t *image, size_t size)
{
    const size_t n = (size_t)tern__get_le(image + 12, 4);
    for (size_t i = 0; i < n && TERN_IMAGE_HEADER_BYTES + (i + 1) * TERN_IMAGE_ENTRY_BYTES <= size; ++i) {
        uint8_t *e = image + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES;
        const uint64_t at = tern__get_le(e + 8, 8), bytes = tern__get_le(e + 16, 8);
        if (at <= size && bytes <= size - at) tern__put_le(e + 24, crc32_z(0, image + at, (size_t)bytes), 4);
    }
    if (n > TERN_IMAGE_MAX_SECTIONS || TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES > size) return;
    tern__put_le(image + 24, 0, 4);
    tern__put_le(image + 24, crc32_z(0, image, TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES), 4);
}

/* Decodes a copy of exactly `size` bytes, so that the sanitizer sees a read beyond the end. */
static inline tern_status try_decode(const uint8_t *image, size_t size, tern_diags *diags)
{
    tern_arena arena;
    tern_model *m = malloc(sizeof *m);
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (m == NULL || copy == NULL) abort();
    if (size > 0) memcpy(copy, image, size);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(diags);
    const tern_status status = tern_image_decode(copy, size, "x.tern", &arena, m, diags);
    if (status == TERN_OK) { /* what is accepted can be written again, and run */
        const uint8_t *again;
        size_t bytes;
        CHECK_EQ(tern_image_encode(m, &arena, &again, &bytes), TERN_OK);
        if (m->state != NULL) {
            tern_state st = *m->state;
            const uint32_t *in = tern_arena_get(&arena, m->net.n_inputs_pos / 32, 4),
                           *target = tern_arena_get(&arena, m->net.n_neurons_pos / 32, 4);
            tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
            tern_flush(&st);
        }
    }
    tern_arena_free(&arena);
    free(copy);
    free(m);
    return status;
}

/* A refusal must tell where and what. */
static inline void check_refused(tern_status status, const tern_diags *d, const char *what, size_t at)
{
    const bool good = status != TERN_OK && d->n == 1 && d->n_errors == 1 && d->list[0].code >= 301 &&
                      d->list[0].code < 400 && d->list[0].message[0] != 0 && d->list[0].key[0] != 0 &&
                      strcmp(d->list[0].file, "x.tern") == 0;
    CHECK(good);
    if (!good)
        printf("  %s at %zu: status %d, %s\n", what, at, (int)status, d->n > 0 ? d->list[0].message : "no message");
}
#endif /* IMAGE_TEST_H */
