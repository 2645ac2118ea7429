/* test_tern_checksums.c : files that are not to be trusted. Changed bytes in archives are seen: no flipped bit gives
 * other events or weights silently; what follows an array or a gzip stream is refused; an HDF5 file that leads into
 * others is, too
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
        if (g->x != e[i].x || g->y != e[i].y || g->on != e[i].on || g->t_us + SAMPLE_FIRST_US != e[i].t_us)
            return false;
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

/* Truth values are no weights: True would be one unit of the last bit. */
static void truths(bool deflated)
{
    static const int64_t ones[ITEMS] = { 1, 0, 1 };
    int64_t v[ITEMS];
    zip z = { 0 };
    zip_numbers(&z, "w.npy", "'|b1'", 1, "400,", ones, ITEMS, deflated);
    zip_end(&z);
    CHECK(!store_of(&z.b, v));
    CHECK(reported(154, "truth values (bool)"));
    free(z.b.p);
}

/* Two arrays of one name: NumPy takes the last one, other programs the first one. */
static void twice(bool deflated)
{
    static const int64_t ones[ITEMS] = { 1, 0, 1 };
    static const char *const names[] = { "t", "x", "y", "w", "t" };
    for (size_t n = 4; n <= 5; ++n) {
        zip z = { 0 };
        tern_recording rec;
        int64_t v[ITEMS];
        for (size_t i = 0; i < n; ++i) {
            char name[16];
            snprintf(name, sizeof name, "%s.npy", names[i]);
            zip_numbers(&z, name, "'<i4'", 4, "400,", ones, ITEMS, deflated);
        }
        zip_end(&z);
        CHECK_EQ(events_of(&z.b, &rec), n == 4);
        CHECK_EQ(reported(417, "holds 't' twice"), n == 5);
        CHECK_EQ(store_of(&z.b, v), n == 4);
        CHECK_EQ(reported(150, "holds 't' twice"), n == 5);
        free(z.b.p);
    }
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
            } ends[] = { { "\0\0\0\0\0", 5, true },
                         { "x", 1, false },
                         { "\0\0x", 3, false },
                         { "\x1f", 1, false },
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

#if TERN_HAVE_HDF5
/* A data set of 4 numbers in `group`: 0 here, 1 in external storage, 2 virtual. */
static void put_set(hid_t group, const char *name, int how, int n_dims)
{
    static const int64_t v[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    const hsize_t dims[2] = { 4, 3 };
    const hid_t made = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(n_dims, dims, NULL);
    if (how == 1) H5Pset_external(made, "/etc/hostname", 0, n_dims == 1 ? 32 : 96);
    if (how == 2) H5Pset_virtual(made, space, "other.h5", "secret", space);
    const hid_t set = H5Dcreate2(group, name, H5T_STD_I64LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
    if (set < 0) exit(1);
    if (how == 0) H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(made);
}

static void refuse_outside(int how, const char *text)
{
    char path[64];
    tern_store *s;
    tern_recording rec;
    snprintf(path, sizeof path, "tern-outside-%d.h5", how);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (how == 3) H5Lcreate_external("other.h5", "train", file, "train", H5P_DEFAULT, H5P_DEFAULT);
    else {
        const hid_t group = H5Gcreate2(file, "train", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put_set(group, "time", 0, 1);
        put_set(group, "labels", 0, 2);
        if (how == 4) H5Lcreate_external("other.h5", "data", group, "data", H5P_DEFAULT, H5P_DEFAULT);
        else put_set(group, "data", how, 2);
        H5Gclose(group);
    }
    H5Fclose(file);
    start();
    tern_status st = tern_store_open(path, &arena, &s, &diags);
    if (how == 0) CHECK_EQ(st, TERN_OK);
    else CHECK(st != TERN_OK && reported(150, text));
    if (st == TERN_OK) tern_store_close(s);
    start();
    snprintf(path, sizeof path, "tern-outside-%d.h5#train/0", how);
    st = tern_recording_load(path, "auto", &arena, &rec, &diags);
    if (how != 0) CHECK(st != TERN_OK && reported(418, text));
    else CHECK(!reported(418, ""));
    snprintf(path, sizeof path, "tern-outside-%d.h5", how);
    remove(path);
}
#endif

int main(void)
{
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (int deflated = 0; deflated < 2; ++deflated) {
        recordings(deflated != 0);
        stores(deflated != 0);
        truths(deflated != 0);
        twice(deflated != 0);
    }
    gzip_ends();
#if TERN_HAVE_HDF5
    refuse_outside(0, "");
    refuse_outside(1, "external storage");
    refuse_outside(2, "virtual data set");
    refuse_outside(3, "link into another file");
    refuse_outside(4, "link into another file");
#endif
    tern_arena_free(&arena);
    return tern_check_report("data.checksums");
}
