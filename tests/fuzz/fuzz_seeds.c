/* fuzz_seeds.c : makes the seeds of the fuzz targets: DIR/TARGET/NAME; always the same bytes
 * SPDX-License-Identifier: Apache-2.0
 *
 *     fuzz_seeds DIR
 * Everything comes from the tests' own encoders, from Tern's writers, or is written out here.
 */
#define _XOPEN_SOURCE 700
#include <sys/types.h>
#include "../image/image_test.h"
#include "tern/save.h"
#include "../data/data_samples.h"
#include "tern/file.h"
#include "tern_weights.h"
#include "fuzz_seeds.h"

static const char *root;

void seed_write(const char *target, const char *name, const void *p, size_t n)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, target);
    (void)mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", root, target, name);
    fixture_write(path, p, n);
}

/* ---- readers: a byte that says how, and the file ---- */

static void reader(const char *format, const char *name, unsigned how, const bytes *file)
{
    bytes b = { 0 };
    char target[64], full[64];
    put_le(&b, how, 1);
    put(&b, file->p, file->n);
    snprintf(target, sizeof target, "reader_%s", format);
    snprintf(full, sizeof full, "%s-%02x", name, how);
    seed_write(target, full, b.p, b.n);
    free(b.p);
}

/* Whole, cut to few events, and opened in other ways. */
static void readers(void)
{
    static const uint8_t ways[] = { 0x00, 0x01, 0x12, 0x24, 0x0b, 0x50, 0x8c };
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        const char *format = sample_list[k].format, *name = sample_list[k].name;
        if (b.n == 0) continue;
        for (size_t i = 0; i < sizeof ways; ++i) reader(format, name, ways[i], &b);
        char whole[40];
        snprintf(whole, sizeof whole, "%s-short", name);
        b.n = b.n > 400 ? 400 : b.n / 2;
        reader(format, whole, 1, &b);
        free(b.p);
    }
    bytes b = { 0 };
    make_idx(&b, 3);
    reader("idx", "images", 0x0c, &b);
    reader("idx", "images", 0x02, &b);
    b.n = 0;
    make_idx_labels(&b, 12);
    reader("idx", "labels", 0x00, &b);
    free(b.p);
}

/* CSV as people write it. */
static void csv(void)
{
    static const char *const texts[] = {
        "x,y,t,p\n1,2,3,1\n4,5,6,0\n",
        "t x y p\n0.5 1 2 1\n0.6 3 4 -1\n",
        "# remark\r\n1,2,1000,True\r\n2,3,1001,False\r\n",
        "timestamp;x;y;polarity\n10;1;2;1\n12;3;4;0\n",
        "time,unit\n5,1\n7,31\n",
        "\xef\xbb\xbft,x,y,p\n1e3,1,2,+1\n2e3,1,2,-1\n",
        "t_ms,x,y,on\n1.5,0,0,1\n",
        "%geometry:34,34\n1,2,1,10\n",
        "\t 1 \t 2 \t 1 \t 3 \n",
        "-5,1,1,1\n-4,1,1,0\n7,3,3,1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        const bytes b = { (uint8_t *)(uintptr_t)texts[i], strlen(texts[i]), 0 };
        char name[16];
        snprintf(name, sizeof name, "text%zu", i);
        reader("csv", name, 0x10, &b);
        reader("csv", name, 0x03, &b);
    }
}

/* Arrays for fuzz_arrays.c: a byte that says how, then of every array a byte for its name, two for its length, and its
 * .npy. */
static void arrays(void)
{
    static const struct {
        const char *descr, *shape;
        unsigned item, n;
    } list[][4] = {
        { { "'<i8'", "6,", 8, 6 }, { "'<u2'", "6,", 2, 6 }, { "'|u1'", "6,", 1, 6 }, { "'|b1'", "6,", 1, 6 } },
        { { "'<i2'", "3, 10, 2, 2, 2", 2, 240 },
          { "'<i8'", "3,", 8, 3 },
          { "'<i8'", "4,", 8, 4 },
          { NULL, NULL, 0, 0 } },
        { { "'<f4'", "8, 4", 4, 32 }, { "'>i4'", "8,", 4, 8 }, { NULL, NULL, 0, 0 }, { NULL, NULL, 0, 0 } },
        { { "'<f8'", "6,", 8, 6 }, { "'<f2'", "6,", 2, 6 }, { "'<i4'", "6,", 4, 6 }, { "'<u8'", "1,", 8, 1 } },
    };
    static const uint8_t names[][4] = { { 0, 1, 2, 3 }, { 6, 5, 7, 0 }, { 4, 5, 0, 0 }, { 0, 1, 3, 10 } };
    for (unsigned k = 0; k < sizeof list / sizeof list[0]; ++k)
        for (unsigned how = 0; how < 4; ++how) {
            bytes b = { 0 };
            put_le(&b, how == 0 ? 0 : how == 1 ? 0x40 : how == 2 ? 0x0c : 0xcd, 1);
            for (unsigned i = 0; i < 4 && list[k][i].descr != NULL; ++i) {
                bytes a = { 0 };
                put_npy_header(&a, list[k][i].descr, list[k][i].shape);
                for (unsigned j = 0; j < list[k][i].n; ++j) put_le(&a, (uint64_t)j * 5 % 3, list[k][i].item);
                put_le(&b, names[k][i], 1);
                put_le(&b, a.n, 2);
                put(&b, a.p, a.n);
                free(a.p);
            }
            char name[32];
            snprintf(name, sizeof name, "arrays%u-%u", k, how);
            seed_write("arrays", name, b.p, b.n);
            free(b.p);
        }
}

/* ---- saved states: a byte that chooses the network, then the stream ---- */
typedef struct stream {
    uint8_t bytes[1 << 18];
    size_t n;
} stream;

static tern_status collect(void *context, const uint8_t *piece, size_t n)
{
    stream *s = context;
    if (n > sizeof s->bytes - s->n) return TERN_ERR_MEMORY;
    memcpy(s->bytes + s->n, piece, n);
    s->n += n;
    return TERN_OK;
}

static void saves(void)
{
    static stream s;
    unsigned written = 0;
    for (uint64_t seed = 1; seed <= 8; ++seed)
        for (unsigned kind = 0; kind < 2; ++kind) {
            tern_arena arena;
            tern_model m;
            tern_state st;
            char name[40];
            tern_arena_init(&arena, tern_alloc_default(), 0);
            if (tern_testnet_make(seed, &arena, &m) != TERN_OK) exit(1);
            const size_t need = tern_state_bytes(&m.net, m.net.n_samples);
            void *mem = tern_arena_get(&arena, need / 8u, 8);
            uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32u + 1, 4),
                     *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32u, 4);
            if (mem == NULL || in == NULL || target == NULL ||
                tern_state_init(&st, &m.net, mem, need, m.net.n_samples, seed) != TERN_OK)
                exit(1);
            for (uint32_t t = 0; t < 7; ++t) {
                tern_testnet_frame(seed, t, &m, in, target);
                tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
            }
            if (kind == 0) tern_flush(&st);
            s.n = 0;
            s.bytes[s.n++] = (uint8_t)(seed - 1);
            if (tern_save(&st, kind, 3, collect, &s) != TERN_OK) exit(1);
            snprintf(name, sizeof name, "net%u_%u", (unsigned)seed, kind);
            if (s.n < 20000) ++written, seed_write("save", name, s.bytes, s.n);
            tern_arena_free(&arena);
        }
    if (written < 8) exit(1);
}

/* ---- images ---- */

static void images(void)
{
    unsigned kept = 0;
    for (uint64_t seed = 0; seed < 400 && kept < 24; ++seed) {
        tern_arena arena;
        static tern_model m;
        const uint8_t *image;
        size_t n;
        char name[32];
        tern_arena_init(&arena, tern_alloc_default(), 0);
        if (make(seed, &arena, &m) == NULL || tern_image_encode(&m, &arena, &image, &n) != TERN_OK) exit(1);
        snprintf(name, sizeof name, "net%llu", (unsigned long long)seed);
        if (n < 8000) ++kept, seed_write("image", name, image, n);
        tern_arena_free(&arena);
    }
    if (kept < 12) exit(1);
}

/* The archive that fuzz_weights.c's own network exports, as it is and without its state; then arrays by their
 * numbers. */
static void weights(void)
{
    static tern_model m;
    static tern_diags diags;
    char path[600];
    tern_arena arena;
    tern_state st;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    if (tern_testnet_make_as(3, TERN_RULE_MB, &arena, &m) != TERN_OK) exit(1);
    const size_t n_state = tern_state_bytes(&m.net, m.net.n_samples);
    if (tern_state_init(&st, &m.net, tern_arena_get(&arena, n_state, 1), n_state, m.net.n_samples, 1) != TERN_OK)
        exit(1);
    for (unsigned i = 0; i < 4; ++i) {
        uint8_t *file = NULL;
        size_t n = 0;
        bytes b = { 0 };
        char name[32];
        m.state = i % 2 == 0 ? &st : NULL;
        snprintf(path, sizeof path, "%s/weights.npz", root);
        if (tern_weights_export(&m, path, i > 1, &arena, &diags) != TERN_OK) exit(1);
        if (tern_file_read(path, 1 << 24, arena.alloc, &file, &n, &diags) != TERN_OK) exit(1);
        put_le(&b, 0, 1);
        put(&b, file, n);
        snprintf(name, sizeof name, "own%u", i);
        seed_write("weights", name, b.p, b.n);
        (void)remove(path);
        arena.alloc.fn(arena.alloc.ud, file, 0);
        free(b.p);
        b = (bytes){ 0 };
        put_le(&b, 1, 1);
        for (unsigned k = 0; k < 20; ++k) {
            put_le(&b, k, 1);
            put_le(&b, i % 2 == 0 ? 20 : 3 | 16, 1); /* uint64 or int64, from the lowest byte of each */
            put_le(&b, 64, 2);
            for (unsigned c = 0; c < 64; ++c) put_le(&b, c % 3 == 2 ? 0 : i, 1);
        }
        snprintf(name, sizeof name, "arrays%u", i);
        seed_write("weights", name, b.p, b.n);
        free(b.p);
        b = (bytes){ 0 };
        snprintf(path, sizeof path, "%s/weights.save", root);
        if (tern_saved_export(&m, path, i > 1, &arena, &diags) != TERN_OK) exit(1);
        if (tern_file_read(path, 1 << 24, arena.alloc, &file, &n, &diags) != TERN_OK) exit(1);
        put_le(&b, 0, 1);
        put(&b, file, n);
        snprintf(name, sizeof name, "stream%u", i);
        seed_write("weights", name, b.p, b.n);
        (void)remove(path);
        arena.alloc.fn(arena.alloc.ud, file, 0);
        free(b.p);
    }
    tern_arena_free(&arena);
}

/* Changes of fuzz_graph.c's own graph: none, one of each kind, and several. */
static void graphs(void)
{
    uint8_t changes[32] = { 0 };
    char name[32];
    seed_write("graph", "none", changes, 1);
    for (unsigned how = 0; how < 16; ++how) {
        for (unsigned k = 0; k < 8; ++k) {
            const uint8_t one[4] = { (uint8_t)(how * 5 + k * 11), 0, (uint8_t)(how % 8 + 8 * k),
                                     (uint8_t)(how + 3 * k) };
            memcpy(changes + 4 * k, one, 4);
        }
        snprintf(name, sizeof name, "change%u", how);
        seed_write("graph", name, changes, how < 8 ? 4 : 32);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    root = argv[1];
    (void)mkdir(root, 0777);
    readers();
    csv();
    arrays();
    saves();
    images();
    weights();
    graphs();
    seed_others();
    return 0;
}
