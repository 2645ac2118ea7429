/* cocotb_golden.c : what a core behind a bridge has to do: frames, spikes and memories of the golden model, as JSON
 * SPDX-License-Identifier: Apache-2.0
 *
 *     cocotb_golden NAME.tern LANES EXAMPLES STEPS
 * An image of `tern compile`; EXAMPLES examples of STEPS steps that learn, clamped to targets that change from example
 * to example, each ended by flush and clear, then one of STEPS steps that only infers. One object:
 *     examples  list of { learn, targets: [[address, data]...], steps: list of { units: [number...], frame: [[address,
 *     data]...], spikes: [[neuron, sample]...], loss: [K] } }
 *     final     [[address, data]...]: every dynamic memory at the end, as read over the host port
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_plan.h"
#include "tern/engine.h"
#include "tern/image.h"

typedef struct list {
    tern_host_writer base;
    json_t *json;
    bool final;
} list;

static void put(tern_host_writer *self, uint32_t address, uint32_t data)
{
    list *l = (list *)self;
    const unsigned region = address >> 24;
    /* the plane is free, counts are compared nowhere here, modulators and signals are valid while an update is
     * pending */
    if (l->final && region == TERN_RG_REG && address != TERN_REG_STEP && address != TERN_REG_LAG_HEAD &&
        address != TERN_REG_PENDING)
        return;
    if (l->final && (region == TERN_RG_M || region == TERN_RG_SIGNAL)) return;
    json_array_append_new(l->json, json_pack("[I,I]", (json_int_t)address, (json_int_t)data));
}

static int fail(const char *what)
{
    fprintf(stderr, "cocotb_golden: %s\n", what);
    return 1;
}

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

int main(int argc, char **argv)
{
    if (argc != 5) return fail("usage: cocotb_golden NAME.tern LANES EXAMPLES STEPS");
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    tern_plan plan;
    tern_state st;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    if (tern_image_load(argv[1], &arena, &m, &diags) != TERN_OK) return fail("no image");
    const uint32_t lanes = (uint32_t)strtoul(argv[2], NULL, 10), examples = (uint32_t)strtoul(argv[3], NULL, 10),
                   steps = (uint32_t)strtoul(argv[4], NULL, 10);
    const tern_net *n = &m.net;
    if (tern_plan_make(n, lanes, n->n_samples, &arena, &plan, &diags) != TERN_OK) return fail("no plan");
    const size_t bytes = tern_state_bytes(n, n->n_samples);
    void *memory = tern_arena_get(&arena, bytes, 1);
    if (memory == NULL || tern_state_init(&st, n, memory, bytes, n->n_samples, m.seed) != TERN_OK)
        return fail("no state");
    uint32_t *in = tern_arena_get(&arena, n->n_inputs_pos / 32u, 4),
             *target = tern_arena_get(&arena, n->n_neurons_pos / 32u, 4);
    if (in == NULL || target == NULL) return fail("no memory");
    uint32_t seed = 1;
    json_t *all = json_array();
    for (uint32_t e = 0; e <= examples; ++e) {
        const bool learn = e < examples;
        memset(target, 0, n->n_neurons_pos / 8u);
        for (uint32_t i = 0; i < n->n_visible; ++i)
            if ((i + e) % 2u == 0) target[n->neurons[i].pos >> 5] |= 1u << (n->neurons[i].pos & 31u);
        list frames = { .base = { put }, .json = json_array() };
        json_t *targets = json_array(), *list_steps = json_array();
        for (uint32_t t = 0; t < steps; ++t) {
            json_t *units = json_array(), *spikes = json_array(), *loss = json_array(), *frame = json_array();
            memset(in, 0, n->n_inputs_pos / 8u);
            for (uint32_t i = 0; i < m.n_populations; ++i)
                for (uint32_t u = 0; m.populations[i].kind == TERN_POP_INPUT && u < m.populations[i].size; ++u) {
                    const uint32_t pos = m.populations[i].pos + u;
                    if (next(&seed) % 5u >= 2u) continue;
                    in[pos >> 5] |= 1u << (pos & 31u);
                    json_array_append_new(units, json_integer(pos));
                }
            json_array_clear(frames.json);
            tern_plan_write_frames(&plan, in, learn ? target : NULL, &frames.base);
            for (size_t i = 0; i < json_array_size(frames.json); ++i) {
                json_t *one = json_array_get(frames.json, i);
                const bool is_frame = json_integer_value(json_array_get(one, 0)) >> 24 == TERN_RG_FRAME;
                if (is_frame || t == 0) json_array_append(is_frame ? frame : targets, one);
            }
            tern_step(&st, in, target, learn ? TERN_STEP_LEARN | TERN_STEP_CLAMP : 0);
            for (uint32_t i = 0; i < n->n_neurons; ++i)
                for (uint32_t k = 0; k < st.n_samples; ++k)
                    if (st.spikes[(size_t)k * (n->n_neurons_pos / 32u) + (n->neurons[i].pos >> 5)] >>
                            (n->neurons[i].pos & 31u) &
                        1u)
                        json_array_append_new(spikes, json_pack("[I,I]", (json_int_t)i, (json_int_t)k));
            for (uint32_t k = 0; k < st.n_samples; ++k) json_array_append_new(loss, json_integer(st.loss_f12[k]));
            json_array_append_new(list_steps, json_pack("{s:o,s:o,s:o,s:o}", "units", units, "frame", frame, "spikes",
                                                        spikes, "loss", loss));
        }
        json_decref(frames.json);
        json_array_append_new(all, json_pack("{s:b,s:o,s:o}", "learn", learn, "targets", targets, "steps", list_steps));
        if (learn) {
            tern_flush(&st);
            tern_state_clear(&st);
        }
    }
    list final = { .base = { put }, .json = json_array(), .final = true };
    tern_plan_write_state(&plan, &plan.need, &st, &final.base);
    json_t *root = json_pack("{s:I,s:I,s:I,s:I,s:o,s:o}", "lanes", (json_int_t)lanes, "samples",
                             (json_int_t)st.n_samples, "neurons", (json_int_t)n->n_neurons, "visible",
                             (json_int_t)n->n_visible, "examples", all, "final", final.json);
    const bool done =
        root != NULL && json_dumpf(root, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF && fflush(stdout) == 0;
    json_decref(root);
    tern_arena_free(&arena);
    return done ? 0 : fail("cannot write");
}
