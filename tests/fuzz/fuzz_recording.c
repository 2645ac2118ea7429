/* fuzz_recording.c : any bytes as a whole recording in memory, and the frames that a network makes of it
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte: the format and one of the networks below; bits 6 and 7: from memory, the whole of a file, or a file
 * as a stream,
 * one of many. The rest is the file.
 */
#include "fuzz.h"
#include "tern/data.h"
#include "tern_compiler.h"

#define NET(input, data) \
    "local f = tern.taps{1}\nlocal x = tern.input{name='x', " input "}\nlocal o = tern.visible{name='o', size=3}\n" \
    "tern.connect{from=x, to=o, filters=f}\ntern.gem{eta=0.01}\ntern.data{window_ms=1, steps=20, label=o, " \
    "input=x, " data "}\n"
static const char *const scripts[4] = {
    NET("shape={4, 4}", "sensor={4, 4}"),
    NET("shape={2, 8, 8}", "sensor={34, 34}, crop={1, 1, 16, 16}, scale=2, polarity='separate'"),
    NET("shape={3, 5}", "sensor={34, 34}, mirror='x', crop={20, 30, 5, 3}, polarity='merge'"),
    NET("shape={1, 34}", "sensor={34, 1}"),
};
static tern_arena fixed;
static tern_model models[4];
static tern_diags diags;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tern_arena_init(&fixed, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    for (int i = 0; i < 4; ++i)
        if (tern_compile_string(scripts[i], strlen(scripts[i]), "net.lua", NULL, &fixed, &models[i], &diags) !=
            TERN_OK) {
            fprintf(stderr, "network %d: %s\n", i, diags.list[0].message);
            abort();
        }
    return 0;
}

/* The format as the byte says; images are omitted: simulating them is slow. */
static const char *format_of(unsigned how, const uint8_t *data, size_t size)
{
    const char *format = tern_recording_format_name(how & 15);
    if (format == NULL || strcmp(format, "idx") == 0 || strcmp(format, "hdf5") == 0) format = "auto";
    const bool image = size > 4 && data[0] == 0 && data[1] == 0,
               packed = size > 4 && data[0] == 0x1f && data[1] == 0x8b;
    return strcmp(format, "auto") == 0 && (image || packed) ? NULL : format;
}

static void frames(tern_status st, const tern_frames *f)
{
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
    if (st == TERN_OK) FUZZ_CHECK(f->n_steps == 20 && f->label >= -1);
}

static void whole(tern_status st, const tern_recording *rec, const tern_model *m, tern_arena *arena)
{
    tern_frames f;
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
    if (st != TERN_OK) return;
    tern_diags_init(&diags);
    const tern_status cut = tern_frames_from_recording(m, rec, arena, &f, &diags);
    frames(cut, &f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const unsigned how = data[0], way = how >> 6;
    const char *format = format_of(how, data + 1, size - 1);
    if (format == NULL) return 0;
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    tern_arena arena;
    tern_recording rec;
    tern_frames f;
    const tern_model *m = &models[how >> 4 & 3];
    uint8_t *copy = fuzz_exact(data + 1, size - 1);
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    if (way == 0) {
        whole(tern_recording_decode(copy, size - 1, "x", format, &arena, &rec, &diags), &rec, m, &arena);
    } else {
        fuzz_enter();
        fuzz_put("x", copy, size - 1);
        tern_stream_keep *keep = way == 3 ? tern_stream_keep_make(arena.alloc) : NULL;
        if (way == 1) whole(tern_recording_load("x", format, &arena, &rec, &diags), &rec, m, &arena);
        for (int i = 0; i < 2 && way > 1; ++i) {
            tern_diags_init(&diags);
            frames(tern_frames_load_one(m, way == 3 ? "x#1" : "x", (int32_t)(how & 3) - 1, keep, &arena, &f, &diags),
                   &f);
        }
        tern_stream_keep_free(keep);
        fuzz_leave();
    }
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    free(copy);
    return 0;
}
