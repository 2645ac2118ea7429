/* test_tern_checksums.c : changed bytes in archives are seen: no flipped bit gives other events or weights silently;
 * what follows an array or a gzip stream is refused
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include "tern_store.h"

static tern_diags diags;
static tern_arena arena;

static void start(void)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
}

static bool reported(int code, const char *text)
{
    for (size_t i = 0; i < diags.n; ++i)
        if (diags.list[i].code == code && strstr(diags.list[i].message, text) != NULL) return true;
    return false;
}

/* The events of a recording; false: it was refused. */
static bool events_of(const bytes *b, tern_recording *rec)
{
    start();
    return tern_recording_decode(b->p, b->n, "x", "auto", &arena, rec, &diags) == TERN_OK;
}

static bool are_sample(const tern_recording *rec)
{
    const tern_event *e = sample_events();
    if (rec->n_events != SAMPLE_EVENTS) return false;
    for (size_t i = 0; i < SAMPLE_EVENTS; ++i) {
        const tern_event *g = &rec->events[i];
        if (g->x != e[i].x || g->y != e[i].y || g->on != e[i].on || g->t_us + SAMPLE_FIRST_US != e[i].t_us) return false;
    }
    return true;
}

static void recordings(bool deflated)
{
    bytes b = { 0 };
    tern_recording rec;
    make_npz(&b, deflated);
    CHECK(events_of(&b, &rec) && are_sample(&rec));
    unsigned silent = 0, refused = 0, seen = 0;
    for (size_t at = 0; at < b.n; ++at) {
        const uint8_t bit = (uint8_t)(1u << at % 8);
        b.p[at] ^= bit;
        if (!events_of(&b, &rec)) {
            ++refused;
            seen += reported(417, "the check sum of an array is not that of its bytes");
        } else if (!are_sample(&rec)) {
            printf("byte %zu of %zu\n", at, b.n);
            ++silent;
        }
        b.p[at] ^= bit;
    }
    CHECK_EQ(silent, 0);
    CHECK(refused > b.n / 2);
    CHECK(deflated || seen > b.n / 2);
    CHECK(seen != 0);
    free(b.p);
}

enum { ITEMS = 400 };

static size_t le32(const uint8_t *p)
{
    return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

/* One array of numbers, with so many bytes after it. */
static void make_store(bytes *b, bool deflated, size_t more)
{
    zip z = { 0 };
    bytes content = { 0 };
    put_npy_header(&content, "'<i4'", "400,");
    for (int i = 0; i < ITEMS; ++i) put_le(&content, (uint64_t)(i * i), 4);
    for (size_t i = 0; i < more; ++i) put_le(&content, 0, 1);
    zip_add(&z, "w.npy", &content, deflated);
    zip_end(&z);
    put(b, z.b.p, z.b.n);
    free(z.b.p);
    free(content.p);
}

static bool store_of(const bytes *b, int64_t to[ITEMS])
{
    tern_store *s;
    start();
    if (tern_store_open_bytes(b->p, b->n, &arena, &s, &diags) != TERN_OK) return false;
    const long i = tern_store_find(s, "w");
    if (i < 0 || tern_store_at(s, (size_t)i)->n_items != ITEMS) return false; /* as its caller says */
    const tern_store_want want = { (size_t)i, 'i', to };
    return tern_store_read(s, &want, 1, &diags) == TERN_OK;
}

static void stores(bool deflated)
{
    bytes b = { 0 };
    int64_t v[ITEMS];
    make_store(&b, deflated, 0);
    CHECK(store_of(&b, v));
    unsigned silent = 0, seen = 0;
    for (size_t at = 0; at < b.n; ++at) {
        b.p[at] ^= (uint8_t)(1u << at % 8);
        if (store_of(&b, v))
            for (int i = 0; i < ITEMS; ++i) silent += v[i] != i * i;
        else seen += reported(150, "the check sum is not that of the bytes");
        b.p[at] ^= (uint8_t)(1u << at % 8);
    }
    CHECK_EQ(silent, 0);
    CHECK(seen > (deflated ? 4u : b.n / 2));
    free(b.p);
    static const size_t more[] = { 1, 3, 4, 300000 };
    for (size_t k = 0; k < sizeof more / sizeof *more; ++k) {
        b = (bytes){ 0 };
        make_store(&b, deflated, more[k]);
        CHECK(!store_of(&b, v));
        CHECK(reported(150, "bytes follow the array"));
        /* the directory says less than what is there */
        const size_t size_at = b.n - 22 - (46 + 5) + 24;
        if (deflated) {
            const size_t all = le32(b.p + size_at);
            for (int i = 0; i < 4; ++i) b.p[size_at + (size_t)i] = (uint8_t)((all - more[k]) >> (8 * i));
            CHECK(!store_of(&b, v));
            CHECK(reported(150, "bytes follow the array"));
        }
        free(b.p);
    }
}

/* After a gzip stream: zeros are padding, another stream is more content, anything else is refused. */
static void gzip_ends(void)
{
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        tern_recording rec;
        if (b.n != 0 && strncmp(sample_list[k].name, "npz", 3) != 0 && strncmp(sample_list[k].name, "hdf5", 4) != 0) {
            static const struct {
                const char *text;
                size_t n;
                bool good;
            } ends[] = { { "\0\0\0\0\0", 5, true }, { "x", 1, false }, { "\0\0x", 3, false }, { "\x1f", 1, false },
                         { "PK\3\4 more", 9, false } };
            for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
                bytes z = { 0 };
                make_gzip(&z, &b);
                put(&z, ends[i].text, ends[i].n);
                const bool good = events_of(&z, &rec);
                if (good != ends[i].good) printf("%s, end %zu\n", sample_list[k].name, i);
                CHECK_EQ(good, ends[i].good);
                if (good) CHECK(are_sample(&rec));
                else CHECK(reported(409, "compressed content"));
                free(z.p);
            }
        }
        free(b.p);
    }
}

int main(void)
{
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (int deflated = 0; deflated < 2; ++deflated) {
        recordings(deflated != 0);
        stores(deflated != 0);
    }
    gzip_ends();
    tern_arena_free(&arena);
    return tern_check_report("data.checksums");
}
