/* fuzz_graph.c : graphs of NIR with changes of any kind, read into the network that they were written of
 * SPDX-License-Identifier: Apache-2.0
 *
 * At the start a network's own graph is written and kept as arrays. An input is a list of changes of four bytes: which
 * array, what is done to it, where, with which value. The arrays stand in memory as an opened file would show them, so
 * libhdf5, which is not the aim, takes no part.
 */
#include <zlib.h>
#include "fuzz.h"
#include "tern/image.h"
#include "tern_store_internal.h"
#include "tern_testnet.h"
#include "tern_weights.h"

enum { MOST = 400, MEMORY = 32 << 20, HEAD = 128 };

static tern_model model;
static tern_arena keep;
static tern_diags diags;
static tern_store_array base[MOST];
static uint8_t *items[MOST]; /* texts, or numbers of eight bytes */
static size_t n_base;

static bool has_circuits(const tern_model *m)
{
    for (uint32_t i = 0; i < m->n_populations; ++i)
        if (m->populations[i].wta != 0) return true;
    return false;
}

static size_t item_bytes(const tern_store_array *a) { return a->kind == 's' ? TERN_STORE_TEXT : 8; }

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    static const char path[] = "graph.nir";
    tern_store *s = NULL;
    tern_arena_init(&keep, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    fuzz_folder();
    fuzz_enter();
    bool good = false;
    for (uint64_t seed = 1; !good; ++seed) { /* a small one, whose filters do not depend on each other */
        tern_arena_free(&keep);
        tern_arena_init(&keep, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        if (seed > 1000 || tern_testnet_make_as(seed, TERN_RULE_GEM, &keep, &model) != TERN_OK) abort();
        if (has_circuits(&model) || model.net.n_rows < 4 || model.net.n_weights > 4000) continue;
        model.data = (tern_data_spec){ .label_population = -1, .scale = 1, .format = "auto" };
        tern_model again = model;
        good = tern_weights_export(&model, path, false, &keep, &diags) == TERN_OK &&
               tern_weights_import(&again, path, false, &keep, &diags) == TERN_OK;
    }
    if (tern_store_open(path, &keep, &s, &diags) != TERN_OK) abort();
    for (size_t i = 0; i < tern_store_count(s) && n_base < MOST / 2; ++i) {
        const tern_store_array *a = tern_store_at(s, i);
        if (a->kind == 0) continue;
        base[n_base] = *a;
        items[n_base] = tern_arena_get(&keep, (size_t)a->n_items + 1, item_bytes(a));
        const tern_store_want want = { i, a->kind, items[n_base] };
        if (items[n_base] == NULL || tern_store_read(s, &want, 1, &diags) != TERN_OK) abort();
        ++n_base;
    }
    tern_store_close(s);
    fuzz_leave();
    return 0;
}

/* What stands before the items: a right header, whose type and shape nobody asks for again. */
static void put_head(uint8_t *at)
{
    static const char text[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
    memset(at, ' ', HEAD);
    memcpy(at, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(at + 10, text, sizeof text - 1);
    at[HEAD - 1] = '\n';
}

typedef struct graph {
    tern_store store;
    tern_store_array arrays[MOST];
    tern__store_place places[MOST];
    uint8_t *bytes;
} graph;

static void change(graph *g, fuzz_bytes *in)
{
    static const double reals[] = { 0, 1, -1, 0.5, 1e-9, 1e300, INFINITY, NAN, -0.0, 4096, 3, 32 };
    static const char *const texts[] = {
        "Input", "Threshold", "Delay", "Linear", "Affine", "Scale", "Output", "LIF",
        "",      "node",      "x",     "/",      "type",   "edges", "a/b",    "A.B.1"
    };
    const size_t i = (fuzz_u8(in) | (size_t)fuzz_u8(in) << 8) % g->store.n;
    const unsigned how = fuzz_u8(in), value = fuzz_u8(in);
    tern_store_array *a = &g->arrays[i];
    uint8_t *at = g->bytes + g->places[i].entry.begin;
    const uint64_t room = g->places[i].entry.size / item_bytes(a);
    const uint64_t item = room == 0 ? 0 : (how >> 3) * 7u % room;
    switch (how & 7) {
    case 0:
        *a = g->arrays[--g->store.n];
        g->places[i] = g->places[g->store.n];
        break;
    case 1:
    case 2:
        if (a->kind == 's' || room == 0) break;
        const double x = (how & 7) == 1 ? reals[value % (sizeof reals / sizeof *reals)] : ((int)value - 128) / 16.0;
        memcpy(at + 8 * item, &x, 8);
        break;
    case 3:
        if (a->n_dims == 0) a->n_dims = 1;
        a->dims[(how >> 3) % a->n_dims] = value;
        a->n_items = 1;
        for (uint32_t d = 0; d < a->n_dims; ++d) a->n_items *= a->dims[d];
        break;
    case 4:
        if (a->kind == 's' && room > 0)
            snprintf((char *)at + item * TERN_STORE_TEXT, TERN_STORE_TEXT, "%s", texts[value % 16]);
        break;
    case 5: /* a letter of a text, or of the name */
        if (a->kind == 's' && room > 0 && (how & 8) != 0) at[item * TERN_STORE_TEXT + value % 16] = (uint8_t)value;
        else a->name[value % strlen(a->name)] = (char)('a' + value % 26);
        break;
    case 6:
        if (a->kind != 's') a->kind = "fiu"[value % 3];
        else if (value % 5 == 0) a->kind = 0;
        break;
    default: { /* the same array once more, under another's name */
        if (g->store.n == MOST) break;
        const size_t to = g->store.n++;
        g->arrays[to] = *a;
        g->places[to] = g->places[i];
        memcpy(g->arrays[to].name, g->arrays[value % g->store.n].name, TERN_STORE_NAME);
        break;
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static graph g;
    fuzz_bytes in = { data, size };
    fuzz_heap heap = { .limit_bytes = MEMORY };
    tern_arena arena;
    size_t all = 0;
    char path[] = "memory";
    for (size_t i = 0; i < n_base; ++i) all += HEAD + (size_t)base[i].n_items * item_bytes(&base[i]);
    g.bytes = malloc(all + 1);
    if (g.bytes == NULL) abort();
    all = 0;
    for (size_t i = 0; i < n_base; ++i) {
        const size_t n = (size_t)base[i].n_items * item_bytes(&base[i]);
        g.arrays[i] = base[i];
        if (base[i].kind != 's') g.arrays[i].bytes = 8;
        put_head(g.bytes + all);
        all += HEAD;
        memcpy(g.bytes + all, items[i], n);
        g.places[i] = (tern__store_place){ .entry = { .begin = all, .size = n, .codec = TERN__PLAIN },
                                           .type = { .kind = base[i].kind, .bytes = 8 } };
        all += n;
    }
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    g.store = (tern_store){ .arena = &arena,
                            .path = path,
                            .form = TERN_STORE_NPZ,
                            .n = n_base,
                            .room = MOST,
                            .base = { .fd = -1, .mem = g.bytes, .size = all } };
    g.store.arrays = g.arrays;
    g.store.places = g.places;
    while (in.n >= 4 && g.store.n > 0) change(&g, &in);
    for (size_t i = 0; i < g.store.n; ++i) { /* damaged archives are the work of fuzz_weights */
        tern__zip_entry *e = &g.places[i].entry;
        const uint64_t most = e->size / item_bytes(&g.arrays[i]);
        g.places[i].type.kind = g.arrays[i].kind;
        if (g.arrays[i].n_items < most) e->size = g.arrays[i].n_items * item_bytes(&g.arrays[i]);
        e->begin -= HEAD;
        e->plain = e->size += HEAD;
        e->crc = (uint32_t)crc32_z(crc32(0, NULL, 0), g.bytes + e->begin, e->size);
    }
    tern_model m = model;
    const tern_status s = tern_weights_take(&m, &g.store, path, (size & 1) != 0, &arena, &diags);
    if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
    if (size < 4) FUZZ_CHECK(s == TERN_OK); /* as it was written */
    if (s == TERN_OK) {
        const uint8_t *image;
        size_t n;
        FUZZ_CHECK(tern_image_encode(&m, &arena, &image, &n) == TERN_OK);
    }
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    free(g.bytes);
    return 0;
}
