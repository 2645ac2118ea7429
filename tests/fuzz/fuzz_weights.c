/* fuzz_weights.c : archives of weights, damaged or of another network, read into one network
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte 0: the rest is the file, an archive or a device's stream. Else it is what stands in one: of every array a
 * byte for its name, one for type and shape, two for its length, lowest first, and its bytes; checksums and directory
 * are made, so that fuzzing reaches behind them.
 */
#include "fuzz.h"
#include "../data/data_samples.h"
#include "tern/image.h"
#include "tern_testnet.h"
#include "tern_weights.h"

enum { ARRAYS_MAX = 24, MEMORY = 32 << 20 };

static const char *const types[8] = { "'<f8'", "'<f4'", "'<f2'", "'<i8'", "'<u8'", "'|i1'", "'<u2'", "'|b1'" };

/* The names that this network has, and some more: as its own export lists them. */
static tern_model model;
static tern_arena keep;
static char names[256][TERN_STORE_NAME];
static char shapes[256][96];
static size_t n_names;
static tern_diags diags;

static void learn_names(const char *path)
{
    tern_store *s;
    if (tern_store_open(path, &keep, &s, &diags) != TERN_OK) abort();
    for (size_t i = 0; i < tern_store_count(s) && n_names < 200; ++i) {
        const tern_store_array *a = tern_store_at(s, i);
        snprintf(names[n_names], sizeof names[0], "%s", a->name);
        size_t n = (size_t)snprintf(shapes[n_names], sizeof shapes[0], "(");
        for (uint32_t d = 0; d < a->n_dims; ++d)
            n += (size_t)snprintf(shapes[n_names] + n, sizeof shapes[0] - n, "%llu,", (unsigned long long)a->dims[d]);
        snprintf(shapes[n_names] + n, sizeof shapes[0] - n, ")");
        ++n_names;
    }
    tern_store_close(s);
    static const char *const others[] = { "ff_weights", "fb_weights", "bias", "mine" };
    for (size_t i = 0; i < 4; ++i)
        snprintf(names[n_names], sizeof names[0], "%s", others[i]),
            snprintf(shapes[n_names++], sizeof shapes[0], "(3,)");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    tern_state *st;
    tern_arena_init(&keep, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    if (tern_testnet_make_as(3, TERN_RULE_MB, &keep, &model) != TERN_OK) abort();
    const size_t n_state = tern_state_bytes(&model.net, model.net.n_samples);
    st = tern_arena_get(&keep, 1, sizeof *st);
    if (tern_state_init(st, &model.net, tern_arena_get(&keep, n_state, 1), n_state, model.net.n_samples, 1) != TERN_OK)
        abort();
    model.state = st;
    static const char path[] = "names.npz";
    fuzz_folder();
    fuzz_enter();
    if (tern_weights_export(&model, path, false, &keep, &diags) != TERN_OK) abort();
    learn_names(path);
    fuzz_leave();
    return 0;
}

static void add_array(zip *z, fuzz_bytes *in)
{
    const size_t name = fuzz_u8(in) % n_names;
    const unsigned how = fuzz_u8(in);
    size_t n = fuzz_u8(in);
    n |= (size_t)fuzz_u8(in) << 8;
    char header[300], file[TERN_STORE_NAME + 8];
    const int length = snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': %s, }\n",
                                types[how & 7], (how & 8) != 0 ? "(2, 2)" : shapes[name]);
    const size_t head = 10 + (size_t)length;
    if (n > in->n) n = in->n;
    const size_t all = head + ((how & 16) != 0 ? 8 * n : n); /* 16: every byte is the lowest of eight */
    bytes content = { calloc(1, all), all, all };
    if (content.p == NULL) abort();
    memcpy(content.p, "\x93NUMPY\1\0", 8);
    content.p[8] = (uint8_t)length, content.p[9] = (uint8_t)(length >> 8);
    memcpy(content.p + 10, header, (size_t)length);
    for (size_t i = 0; i < n; ++i) content.p[head + ((how & 16) != 0 ? 8 * i : i)] = in->p[i];
    snprintf(file, sizeof file, "%s.npy", names[name]);
    zip_add(z, file, &content, (how & 32) != 0);
    free(content.p);
    in->p += n;
    in->n -= n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = { data, size };
    zip z = { 0 };
    const bool raw = fuzz_u8(&in) == 0;
    for (unsigned i = 0; !raw && i < ARRAYS_MAX && in.n > 4; ++i) add_array(&z, &in);
    if (!raw) zip_end(&z);
    uint8_t *file = raw ? fuzz_exact(in.p, in.n) : fuzz_exact(z.b.p, z.b.n);
    fuzz_heap heap = { .limit_bytes = MEMORY };
    tern_arena arena;
    tern_store *store = NULL;
    tern_model m = model;
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    m.state = NULL;
    const bool stream = raw && in.n >= 8 && memcmp(file, "TERNSAVE", 8) == 0;
    tern_status s = stream ? tern_saved_take(&m, file, in.n, "memory", (size & 1) != 0, &arena, &diags)
                           : tern_store_open_bytes(file, raw ? in.n : z.b.n, &arena, &store, &diags);
    if (s == TERN_OK && !stream) s = tern_weights_take(&m, store, "memory", (size & 1) != 0, &arena, &diags);
    if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
    if (s == TERN_OK) { /* what was taken is an image */
        const uint8_t *image;
        size_t n;
        FUZZ_CHECK(tern_image_encode(&m, &arena, &image, &n) == TERN_OK);
    }
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    free(file);
    free(z.b.p);
    return 0;
}
