/* make_cli_data.c : an image and a few labelled recordings for the tests of train and eval, without script and
 * simulator
 * SPDX-License-Identifier: Apache-2.0
 *
 *     make_cli_data FOLDER [RECORDINGS]      writes tiny.tern, run_on.tern (the same, histories are not cleared),
 *                                            other.tern (other weights), *.aedat (5, or so many), labels.csv
 */
#include <stdio.h>
#include <stdlib.h>
#include "../reference/tiny_model.h"
#include "tern/file.h"
#include "tern/image.h"
#include "tern/simulate.h"

enum { STEPS = 20, WINDOW_US = 1000, RECORDINGS = 5, MOST = 99 };

static void add_data_section(tern_model *m)
{
    static const char *const names[3] = { "pixels", "out", "hidden" };
    const uint32_t size[3] = { TINY_IN, TINY_VISIBLE, TINY_HIDDEN }, pos[3] = { 0, 0, 32 },
                   neuron0[3] = { 0, 0, TINY_VISIBLE };
    const tern_pop_kind kind[3] = { TERN_POP_INPUT, TERN_POP_VISIBLE, TERN_POP_HIDDEN };
    m->n_populations = 3;
    for (int i = 0; i < 3; ++i) {
        tern_population *p = &m->populations[i];
        *p = (tern_population){ .kind = (uint8_t)kind[i],
                                .n_dims = 1,
                                .dims = { size[i] },
                                .size = size[i],
                                .pos = pos[i],
                                .neuron0 = neuron0[i] };
        snprintf(p->name, sizeof p->name, "%s", names[i]);
    }
    m->data = (tern_data_spec){ .present = true,
                                .format = "aedat2",
                                .crop_width = TINY_IN,
                                .crop_height = 1,
                                .window_us = WINDOW_US,
                                .steps = STEPS,
                                .n_parts = 1,
                                .parts = { { .population = 0, .width = TINY_IN, .height = 1 } },
                                .label_population = 1,
                                .clear = true };
    m->rule.memory = 1u << m->net.baseline_shift;
    memset(m->source_sha256, '0', 64);
    m->seed = 42;
}

/* Events of class c mostly in its own third of the pixels. */
static bool write_recording(const char *folder, int number, tern_arena *arena, tern_diags *d)
{
    enum { EVENTS = 160 };
    tern_recording rec = { .width = 128, .height = 128, .label = number % 3 };
    uint64_t s = 1000 + (uint64_t)number;
    rec.events = tern_arena_get(arena, EVENTS, sizeof *rec.events);
    if (rec.events == NULL) return false;
    for (int i = 0; i < EVENTS; ++i) {
        const uint64_t at = tiny_random(&s), place = tiny_random(&s) % 12;
        const uint64_t x = tiny_random(&s) % 5 == 0 ? at % TINY_IN : 12 * (uint64_t)(number % 3) + place;
        rec.events[i] = (tern_event){
            .t_us = (uint64_t)i * STEPS * WINDOW_US / EVENTS, .x = (uint16_t)x, .y = 0, .on = (uint8_t)(at >> 32 & 1)
        };
    }
    rec.n_events = EVENTS;
    const uint8_t *bytes;
    size_t size;
    char path[512];
    snprintf(path, sizeof path, "%s/r%d.aedat", folder, number);
    return tern_aedat2_encode(&rec, NULL, arena, &bytes, &size, d) == TERN_OK &&
           tern_file_write(path, bytes, size, d) == TERN_OK;
}

static bool write_all(const char *folder, int recordings, tern_arena *arena, tern_diags *d)
{
    static tern_model m, other;
    char path[512], labels[20 * MOST] = "";
    if (!tiny_model_make(&m, arena, 3, 0.5, 0.9, 0.01) || !tiny_model_make(&other, arena, 4, 0.5, 0.9, 0.01))
        return false;
    m.rule.eta_divide = 1.5;
    m.rule.eta_every = 3;
    add_data_section(&m);
    add_data_section(&other);
    snprintf(path, sizeof path, "%s/tiny.tern", folder);
    if (tern_image_save(&m, path, tern_alloc_default(), d) != TERN_OK) return false;
    m.data.clear = false;
    snprintf(path, sizeof path, "%s/run_on.tern", folder);
    if (tern_image_save(&m, path, tern_alloc_default(), d) != TERN_OK) return false;
    snprintf(path, sizeof path, "%s/other.tern", folder);
    if (tern_image_save(&other, path, tern_alloc_default(), d) != TERN_OK) return false;
    for (int i = 0; i < recordings; ++i) {
        if (!write_recording(folder, i, arena, d)) return false;
        snprintf(labels + strlen(labels), sizeof labels - strlen(labels), "r%d.aedat,%d\n", i, i % 3);
    }
    snprintf(path, sizeof path, "%s/labels.csv", folder);
    return tern_file_write(path, labels, strlen(labels), d) == TERN_OK;
}

int main(int argc, char **argv)
{
    const int recordings = argc == 3 ? atoi(argv[2]) : RECORDINGS;
    if (argc < 2 || argc > 3 || recordings < 1 || recordings > MOST) return 2;
    static tern_diags d;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&d);
    const bool ok = write_all(argv[1], recordings, &arena, &d);
    for (size_t i = 0; i < d.n; ++i) {
        char text[TERN_DIAG_BYTES];
        tern_diag_format(&d.list[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    tern_arena_free(&arena);
    return ok ? 0 : 1;
}
