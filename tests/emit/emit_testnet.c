/* emit_testnet.c : writes the files of a random network and the frames of a run, and prints the digest that the
 * library gets SPDX-License-Identifier: Apache-2.0
 *
 *     emit_testnet SEED DIR [NAME [RULE]]     odd seeds: a trained network; RULE: 0..3, by default that of the seed,
 * '+': with a baseline per synapse emit_testnet --image IMAGE DIR          a trained image instead: writes
 * DIR/frames, and its weights, sorted, to DIR/weights Prints name, digest, rule, baseline and the number of neurons
 * in WTA circuits.
 */
#include <stdlib.h>
#include "tern/image.h"
#include "tern_emit.h"
#include "tern_listener.h"
#include "tern_testnet.h"

enum { STEPS = 60 };

static int fail(const char *what)
{
    fprintf(stderr, "emit_testnet: %s\n", what);
    return 1;
}

/* Rewards of a step, if the rule has any. */
static void reward(tern_state *st, uint64_t seed, uint32_t t, int32_t out[TERN_MAX_SAMPLES])
{
    tern_testrand r = { seed * 31 + t };
    for (uint32_t k = 0; k < TERN_MAX_SAMPLES; ++k) out[k] = (int32_t)tern_testrand_in(&r, -20000, 20000);
    tern_reward(st, out);
}

static int by_value(const void *a, const void *b) { return *(const int16_t *)a - *(const int16_t *)b; }

/* The state that a trained network starts from, and its weights as a list. */
static int start_trained(const tern_model *m, tern_state *st, const char *dir, tern_arena *arena)
{
    char path[600];
    if (m->state == NULL) return fail("the image is not trained");
    tern_state_copy_weights(st, m->state);
    memcpy(st->ek, m->state->ek, m->net.lags_w * sizeof *st->ek);
    st->step = m->state->step;
    int16_t *sorted = tern_arena_get(arena, m->net.n_weights, sizeof *sorted);
    snprintf(path, sizeof path, "%s/weights", dir);
    FILE *f = fopen(path, "wb");
    if (sorted == NULL || f == NULL) return fail("no list of weights");
    memcpy(sorted, st->weights, m->net.n_weights * sizeof *sorted);
    qsort(sorted, m->net.n_weights, sizeof *sorted, by_value);
    for (uint32_t i = 0; i < m->net.n_weights; ++i)
        if (sorted[i] != TERN_WEIGHT_ABSENT) fprintf(f, "%04x\n", (unsigned)(uint16_t)sorted[i]);
    return fclose(f) != 0 ? fail("list of weights") : 0;
}

int main(int argc, char **argv)
{
    int32_t rewards[TERN_MAX_SAMPLES];
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    tern_state st;
    const bool image = argc == 4 && strcmp(argv[1], "--image") == 0;
    if (argc < 3) return fail("usage: emit_testnet SEED DIR [NAME [RULE]]");
    const uint64_t seed = image ? 5 : strtoull(argv[1], NULL, 10);
    const char *dir = image ? argv[3] : argv[2];
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_rule_kind rule = argc > 4 ? (tern_rule_kind)strtoul(argv[4], NULL, 10) : (tern_rule_kind)(seed % 4);
    if (image && tern_image_load(argv[2], &arena, &m, &diags) != TERN_OK) return fail(diags.list[0].message);
    if (!image && tern_testnet_make_as(seed, rule, &arena, &m) != TERN_OK) return fail("no network");
    if (argc > 4 && strchr(argv[4], '+') != NULL) m.net.baseline = m.rule.baseline = TERN_BASELINE_SYNAPSE;
    if (argc > 3 && !image) snprintf(m.name, sizeof m.name, "%s", argv[3]);
    const size_t bytes = tern_state_bytes(&m.net, m.net.n_samples);
    void *memory = tern_arena_get(&arena, bytes, 1);
    if (memory == NULL || tern_state_init(&st, &m.net, memory, bytes, m.net.n_samples, seed) != TERN_OK)
        return fail("no state");
    const size_t n_in = m.net.n_inputs_pos / 32, n_out = m.net.n_neurons_pos / 32;
    uint32_t *in = tern_arena_get(&arena, n_in, 4), *target = tern_arena_get(&arena, n_out, 4);
    if (in == NULL || target == NULL) return fail("no memory");
    if (image && start_trained(&m, &st, dir, &arena) != 0) return 1;
    if (seed % 2 == 1 && !image) {
        for (uint32_t t = 0; t < 20; ++t) {
            tern_testnet_frame(seed, 1000 + t, &m, in, target);
            tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
            reward(&st, seed, 1000 + t, rewards);
        }
        tern_flush(&st);
        tern_state_clear(&st);
        m.state = &st;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/%s.tern", dir, m.name);
    if (!image && (tern_emit_c(&m, dir, &diags) != TERN_OK || tern_emit_map(&m, dir, &diags) != TERN_OK ||
                   tern_emit_json(&m, dir, &diags) != TERN_OK ||
                   tern_image_save(&m, path, tern_alloc_default(), &diags) != TERN_OK))
        return fail(diags.n > 0 ? diags.list[0].message : "emit failed");

    /* the frames, for the emitted program: flags (bit 8: flush and clear afterwards), inputs, targets, rewards */
    snprintf(path, sizeof path, "%s/frames", dir);
    FILE *f = fopen(path, "wb");
    if (f == NULL) return fail("no frames file");
    tern_listener d = TERN_LISTENER;
    st.sink = &d.base;
    for (uint32_t t = 0; t < STEPS; ++t) {
        uint32_t flags = t % 16 < 12 ? TERN_STEP_LEARN | TERN_STEP_CLAMP : t % 16 < 14 ? TERN_STEP_CLAMP : 0;
        if (t % 20 == 19) flags |= 256;
        tern_testnet_frame(seed, t, &m, in, target);
        fwrite(&flags, 4, 1, f);
        fwrite(in, 4, n_in, f);
        fwrite(target, 4, n_out, f);
        tern_step(&st, in, target, flags & 255u);
        reward(&st, seed, t, rewards);
        fwrite(rewards, 4, TERN_MAX_SAMPLES, f);
        if (flags & 256) {
            tern_flush(&st);
            tern_state_clear(&st);
        }
    }
    if (fclose(f) != 0) return fail("frames file");
    for (uint32_t i = 0; i < m.net.n_weights; ++i) {
        const tern_record r = { .kind = TERN_REC_W, .index = i, .b = st.weights[i] };
        d.digest = tern_digest_add(d.digest, &r);
    }
    uint32_t members = 0;
    for (uint32_t i = 0; i < m.net.n_neurons; ++i) members += m.net.neurons[i].wta_size != 0;
    printf("%s %016llx %u %u %u\n", m.name, (unsigned long long)d.digest, m.net.rule, m.net.baseline, members);
    tern_arena_free(&arena);
    return 0;
}
