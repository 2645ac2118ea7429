/* fuzz_set.c : any bytes as a file of a data set, or of analog values, with sound files beside it
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte: which file; second: settings of the encoder. The rest is the file.
 */
#include "fuzz.h"
#include "../data/data_samples.h"
#include "tern/encode.h"

static tern_diags diags;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    bytes b = { 0 };
    fuzz_enter();
    make_nmnist(&b);
    fuzz_put("parts.bin", b.p, b.n);
    b.n = 0;
    make_idx(&b, 3);
    fuzz_put("good-images.idx", b.p, b.n);
    b.n = 0;
    for (int i = 0; i < 600; ++i) put(&b, &(uint8_t){ (uint8_t)(i * i / 7) }, 1);
    fuzz_put("values.bin", b.p, b.n);
    b.n = 0;
    put_text(&b, "sample,letter,first_frame,n_frames\n0,A,0,5\n1,B,5,5\n");
    fuzz_put("good.csv", b.p, b.n);
    if (mkdir("dir", 0700) != 0 || mkdir("dir/3", 0700) != 0) abort();
    b.n = 0;
    put_text(&b, "t,x,y,p\n1,2,3,1\n");
    fuzz_put("dir/a.csv", b.p, b.n);
    fuzz_put("dir/3/b.csv", b.p, b.n);
    free(b.p);
    fuzz_leave();
    return 0;
}

/* An image of an IDX file, whatever its name is, becomes the recording of a simulated camera: a tenth of a second. */
static bool simulated(const char *path)
{
    char file[300];
    unsigned char begin[4] = { 1 };
    const size_t n = strcspn(path, "#");
    if (n >= sizeof file) return false;
    memcpy(file, path, n);
    file[n] = 0;
    FILE *f = fopen(file, "rb");
    if (f == NULL) return false;
    const bool idx = fread(begin, 1, 4, f) == 4 && begin[0] == 0 && begin[1] == 0;
    fclose(f);
    return idx;
}

/* The data set, and of its first recordings the first events. */
static void open_set(const char *path, tern_alloc alloc)
{
    tern_arena arena;
    tern_dataset set;
    tern_event events[64];
    tern_arena_init(&arena, alloc, 0);
    const tern_status st = tern_dataset_open(path, &arena, &set, &diags);
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
    for (size_t i = 0; st == TERN_OK && i < set.n && i < 2; ++i) {
        tern_stream *s;
        size_t n = 0;
        FUZZ_CHECK(set.paths[i] != NULL && set.labels[i] >= -1);
        if (simulated(set.paths[i]) || set.paths[i][0] == '/') continue;
        tern_diags_init(&diags);
        tern_status got = tern_stream_open(set.paths[i], NULL, alloc, &s, &diags);
        if (got == TERN_OK) got = tern_stream_read(s, events, 64, &n, &diags);
        if (got != TERN_ERR_MEMORY) fuzz_told((int)got, &diags);
        tern_stream_close(s);
    }
    tern_arena_free(&arena);
}

static void encode(const char *values, unsigned columns, const char *index, unsigned how, tern_alloc alloc)
{
    tern_encode_spec spec;
    tern_encode_totals totals;
    tern_encode_defaults(&spec);
    spec.code = (uint8_t)(how & 3);
    spec.population = (how & 4) != 0 ? 3 : 1;
    spec.steps = 1 + (how >> 4);
    const tern_encode_input in = {
        .values = values, .columns = columns, .index = index, .window_us = 1000, .hi_by_kind = (how & 8) == 0
    };
    const tern_status st = tern_encode_file(&spec, &in, "out.npz", alloc, NULL, NULL, &totals, &diags);
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[10] = { "list.csv",  "parts_index.csv", "images.idx", "set.npz", "dir/labels.csv",
                                           "index.csv", "v.bin",           "v.idx",      "v.npz",   "good-labels.idx" };
    if (size < 2) return 0;
    const unsigned which = data[0] % 10u, how = data[1];
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    const tern_alloc alloc = { fuzz_alloc, &heap };
    fuzz_enter();
    fuzz_put(names[which], data + 2, size - 2);
    tern_diags_init(&diags);
    switch (which) {
    case 4: open_set("dir", alloc); break;
    case 5: encode("values.bin", 12, "index.csv", how, alloc); break;
    case 6: encode("v.bin", 1 + how % 24u, (how & 64) != 0 ? "good.csv" : NULL, how, alloc); break;
    case 7:
    case 8: encode(names[which], 0, NULL, how, alloc); break;
    case 9: open_set("good-images.idx", alloc); break;
    default: open_set(names[which], alloc); break;
    }
    (void)unlink(names[which]);
    fuzz_leave();
    FUZZ_CHECK(heap.alive == 0);
    return 0;
}
