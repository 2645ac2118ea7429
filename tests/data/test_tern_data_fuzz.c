/* test_tern_data_fuzz.c : files cut at 500 places and with random damage: an error or a result with counts, never a
 * crash, a hang or much memory
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_data_fuzz [own | real] [ROUNDS] [SEED] [NAME]
 * own: the tests' own files, one or more of every format, and lists and files of values; real: all of the folder of
 * real recordings. Each file is cut at 500 places and damaged ROUNDS times, one to four bytes each. Without ROUNDS:
 * 200, and fewer cuts and rounds for large files. SEED: of the damage, 1 without.
 * NAME: only files whose name contains it. By hand, with sanitizers and without: test_tern_data_fuzz real 10000.
 * What must lie on disk is written to $TMPDIR.
 */
#include "data_samples.h"
#include "tern/encode.h"
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_LIMIT ((size_t)64 << 20)
#define EVENTS_LIMIT 40000000u /* no sample has so many, whatever is damaged: an endless stream */
enum { CUTS = 500, SHORT_ROUNDS = 200, DAMAGES = 4 };

#if defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer)
#define CLANG_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CLANG_SANITIZED)
#define SANITIZED 1
const char *__asan_default_options(void);
/* what the helper process may take, too */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64:quarantine_size_mb=16";
}
#else
#define SANITIZED 0
#endif

static unsigned rounds; /* 0: a short run */
static uint32_t seed = 1;
static const char *only = "";
static uint64_t n_tried, n_errors, n_results, n_odd, slowest_ms, peak;

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Reads an open stream to its end. True: it was not recognised, and is worth another try by name. */
static bool read_all(tern_status st, tern_stream *s, tern_diags *d, const char *name)
{
    static tern_event block[1024];
    uint64_t n_all = 0;
    size_t n = 1;
    while (st == TERN_OK && n != 0 && n_all < EVENTS_LIMIT) {
        st = tern_stream_read(s, block, 1024, &n, d);
        n_all += st == TERN_OK ? n : 0;
        for (size_t i = 0; st == TERN_OK && i < n; ++i) /* what is promised of an event */
            if (block[i].on > 1) {
                printf("%s: polarity %u\n", name, block[i].on);
                CHECK(false);
            }
    }
    CHECK(n_all < EVENTS_LIMIT);
    if (st == TERN_OK) {
        const tern_stream_counts *c = tern_stream_counted(s);
        ++n_results;
        n_odd += c->n_backwards + c->n_left_over + c->n_off_sensor + c->n_other + c->n_polarity != 0;
        CHECK_EQ(c->n_events, n_all);
        tern_stream_report(s, d);
        CHECK_EQ(d->n_errors, 0);
    } else {
        ++n_errors;
        if (d->n_errors == 0) printf("%s: status %d without a word\n", name, (int)st);
        CHECK(d->n_errors >= 1);
    }
    tern_stream_close(s);
    return st != TERN_OK && d->n != 0 && d->list[0].code == 405;
}

/* One damaged copy, in memory of exactly its size or as a file. */
static void try_bytes(const uint8_t *b, size_t n, const char *name, const char *format, bool as_file)
{
    const uint64_t begin = now_ms();
    fixture_heap heap = { .limit_bytes = MEMORY_LIMIT };
    uint8_t *exact = malloc(n != 0 ? n : 1);
    if (exact == NULL) exit(1);
    memcpy(exact, b, n);
    if (as_file) fixture_write("damaged", exact, n);
    bool again = true;
    for (int k = 0; k < 2 && again; ++k) {
        tern_stream *s;
        tern_diags d;
        tern_diags_init(&d);
        const char *hash = strchr(name, '#');
        char path[64];
        const tern_stream_options opt = { .format = k == 0 ? "auto" : format, .repair = (n_tried & 1) != 0 };
        snprintf(path, sizeof path, "damaged%s", hash == NULL ? "" : hash);
        const tern_alloc alloc = { fixture_alloc, &heap };
        const tern_status st = as_file ? tern_stream_open(path, &opt, alloc, &s, &d)
                                       : tern_stream_open_bytes(exact, n, path, &opt, alloc, &s, &d);
        again = read_all(st, s, &d, name);
    }
    free(exact);
    CHECK_EQ(heap.alive, 0);
    if (heap.peak_bytes > peak) peak = heap.peak_bytes;
    ++n_tried;
    const uint64_t took = now_ms() - begin;
    if (took > slowest_ms) slowest_ms = took;
}

typedef struct wound {
    size_t at;
    uint8_t was;
} wound;

/* Damages one to four bytes; returns how many. */
static unsigned damage(uint8_t *b, size_t n, wound *w)
{
    const unsigned many = 1 + sample_random(&seed) % DAMAGES;
    const size_t reach = (sample_random(&seed) & 1) != 0 && n > 256 ? 256 : n; /* headers deserve more */
    for (unsigned k = 0; k < many; ++k) {
        const size_t at = ((size_t)sample_random(&seed) << 8 ^ sample_random(&seed)) % reach;
        w[k] = (wound){ at, b[at] };
        switch (sample_random(&seed) % 4) {
        case 0: b[at] = (uint8_t)(0x55 + k * 0x33); break;
        case 1: b[at] = 0xff; break;
        default: b[at] ^= (uint8_t)(1u << sample_random(&seed) % 8); break;
        }
    }
    return many;
}

static void heal(uint8_t *b, const wound *w, unsigned many)
{
    while (many-- > 0) b[w[many].at] = w[many].was;
}

typedef struct victim {
    const char *name, *format;
    void (*attempt)(const struct victim *v, const uint8_t *b, size_t n);
    bool as_file;
    unsigned slow; /* a short run divides its cuts and rounds by this; 0: by size */
} victim;

static void try_recording(const victim *v, const uint8_t *b, size_t n)
{
    try_bytes(b, n, v->name, v->format, v->as_file);
}

static void fuzz(uint8_t *b, size_t n, victim v)
{
    if (strstr(v.name, only) == NULL) return;
    const uint64_t before = n_errors, tried = n_tried, begin = now_ms();
    const unsigned share = rounds != 0 ? 1 : v.slow != 0 ? v.slow : 1 + (unsigned)(n >> 18);
    const unsigned cuts = CUTS / share, flips = (rounds != 0 ? rounds : SHORT_ROUNDS) / share;
    if (v.attempt == NULL) v.attempt = try_recording;
    for (unsigned k = 0; k < cuts; ++k) v.attempt(&v, b, (size_t)((uint64_t)n * k / cuts));
    for (unsigned k = 0; k < flips; ++k) {
        wound w[DAMAGES];
        const unsigned many = damage(b, n, w);
        v.attempt(&v, b, n);
        heal(b, w, many);
    }
    printf("%-44s %6llu copies, %6llu errors, %5.1f s\n", v.name, (unsigned long long)(n_tried - tried),
           (unsigned long long)(n_errors - before), (double)(now_ms() - begin) * 1e-3);
    fflush(stdout);
    CHECK(n_errors > before); /* an empty file at least is one */
}

/* ---- lists and files of values: the damaged file with sound ones beside it ---- */

static void note(tern_status st, const tern_diags *d, const char *name)
{
    if (st == TERN_OK) ++n_results;
    else ++n_errors;
    if (st != TERN_OK && d->n_errors == 0) printf("%s: status %d without a word\n", name, (int)st);
    CHECK(st == TERN_OK || d->n_errors >= 1);
}

static void note_end(const fixture_heap *h, uint64_t begin)
{
    CHECK_EQ(h->alive, 0);
    if (h->peak_bytes > peak) peak = h->peak_bytes;
    ++n_tried;
    const uint64_t took = now_ms() - begin;
    if (took > slowest_ms) slowest_ms = took;
}

/* The data set that the file is, or names, and the first three of its recordings. */
static void try_set(const victim *v, const uint8_t *b, size_t n)
{
    const uint64_t begin = now_ms();
    fixture_heap heap = { .limit_bytes = MEMORY_LIMIT };
    tern_arena a;
    tern_dataset set;
    tern_diags d;
    fixture_write(v->format, b, n);
    tern_arena_init(&a, (tern_alloc){ fixture_alloc, &heap }, 0);
    tern_diags_init(&d);
    const tern_status st = tern_dataset_open(v->format, &a, &set, &d);
    note(st, &d, v->name);
    for (size_t i = 0; st == TERN_OK && i < set.n && i < 3; ++i) {
        tern_stream *s;
        tern_diags_init(&d);
        const tern_status got = tern_stream_open(set.paths[i], NULL, (tern_alloc){ fixture_alloc, &heap }, &s, &d);
        (void)read_all(got, s, &d, v->name);
    }
    tern_arena_free(&a);
    note_end(&heap, begin);
}

/* format: file and, behind a blank, the other arguments of tern data encode: "values.bin 12 index.csv". */
static void try_values(const victim *v, const uint8_t *b, size_t n)
{
    const uint64_t begin = now_ms();
    fixture_heap heap = { .limit_bytes = MEMORY_LIMIT };
    tern_encode_spec spec;
    tern_encode_totals totals;
    tern_diags d;
    char damaged[40], values[40] = "", index[40] = "";
    unsigned columns = 0;
    sscanf(v->format, "%39s %39s %u %39s", damaged, values, &columns, index);
    fixture_write(damaged, b, n);
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_CHANGE;
    const tern_encode_input in = { .values = values,
                                   .columns = columns,
                                   .index = columns != 0 ? index : NULL,
                                   .window_us = 1000,
                                   .hi_by_kind = true };
    tern_diags_init(&d);
    note(tern_encode_file(&spec, &in, "out.npz", (tern_alloc){ fixture_alloc, &heap }, NULL, NULL, &totals, &d), &d,
         v->name);
    note_end(&heap, begin);
}

static void values_and_lists(void)
{
    bytes b = { 0 }, values = { 0 };
    for (int i = 0; i < 1200; ++i) put(&values, &(uint8_t){ (uint8_t)(i * i / 7) }, 1);
    fixture_write("values.bin", values.p, values.n);
    put_text(&b, "sample,letter,first_frame,n_frames\n");
    for (int i = 0; i < 20; ++i) {
        char line[60];
        snprintf(line, sizeof line, "%d,%c,%d,5\n", i, 'A' + i % 3, 5 * i);
        put_text(&b, line);
    }
    fixture_write("index.csv", b.p, b.n);
    fuzz(b.p, b.n,
         (victim){ .name = "encode index.csv", .format = "index.csv values.bin 12 index.csv", .attempt = try_values });
    fixture_write("index.csv", b.p, b.n);
    fuzz(
        values.p, values.n,
        (victim){ .name = "encode values.bin", .format = "values.bin values.bin 12 index.csv", .attempt = try_values });
    b.n = values.n = 0;
    make_gzip(&values, &b);
    values.n = 0;
    for (int i = 0; i < 1200; ++i) put(&b, &(uint8_t){ (uint8_t)(i * i / 7) }, 1);
    make_gzip(&values, &b);
    fuzz(values.p, values.n,
         (victim){ .name = "encode values.gz", .format = "values.gz values.gz 12 index.csv", .attempt = try_values });
    b.n = 0;
    make_idx(&b, 3);
    fuzz(b.p, b.n, (victim){ .name = "encode images.idx", .format = "images.idx images.idx", .attempt = try_values });
    fuzz(b.p, b.n, (victim){ .name = "set images.idx", .format = "images.idx", .attempt = try_set, .slow = 10 });
    zip z = { 0 };
    int64_t v[60];
    for (int i = 0; i < 60; ++i) v[i] = i * 5 % 256;
    const int64_t labels[3] = { 1, 2, 3 };
    zip_numbers(&z, "values.npy", "'|u1'", 1, "3, 20", v, 60, true);
    zip_numbers(&z, "labels.npy", "'<i8'", 8, "3,", labels, 3, false);
    zip_end(&z);
    fuzz(z.b.p, z.b.n,
         (victim){ .name = "encode values.npz", .format = "values.npz values.npz", .attempt = try_values });
    free(z.b.p);
    b.n = 0;
    make_nmnist(&b);
    fixture_write("parts.bin", b.p, b.n);
    b.n = 0;
    put_text(&b, "mnist_index,label,first_event,n_events\n");
    for (int i = 0; i < 20; ++i) {
        char line[60];
        snprintf(line, sizeof line, "%d,%d,%d,%d\n", i + 1, i % 10, 12 * i, 12);
        put_text(&b, line);
    }
    fuzz(b.p, b.n, (victim){ .name = "set parts_index.csv", .format = "parts_index.csv", .attempt = try_set });
    b.n = 0;
    put_text(&b, "file,label\n# remark\nparts.bin,1\nparts.bin#@10+20,2\nparts.bin#1000..2000us,3\n");
    fuzz(b.p, b.n, (victim){ .name = "set list.csv", .format = "list.csv", .attempt = try_set });
    free(b.p);
    free(values.p);
}

static void own_files(void)
{
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        if (b.n != 0) fuzz(b.p, b.n, (victim){ .name = sample_list[k].name, .format = sample_list[k].format });
        free(b.p);
    }
    bytes b = { 0 }, z = { 0 };
    make_evt3(&b);
    make_gzip(&z, &b);
    fuzz(z.p, z.n, (victim){ .name = "evt3.gz", .format = "evt3" });
    b.n = 0;
    make_idx(&b, 3);
    fuzz(b.p, b.n, (victim){ .name = "images#1", .format = "idx", .slow = 10 }); /* each one is simulated */
    zip grid = { 0 };
    int64_t v[3 * 10 * 2 * 4 * 4] = { 0 };
    for (int i = 0; i < 960; i += 7) v[i] = i;
    const int64_t labels[3] = { 1, 2, 3 }, first[4] = { 0, 1, 2, 3 };
    zip_numbers(&grid, "frames.npy", "'<i2'", 2, "3, 10, 2, 4, 4", v, 960, true);
    zip_numbers(&grid, "labels.npy", "'<i8'", 8, "3,", labels, 3, false);
    zip_numbers(&grid, "first.npy", "'<i8'", 8, "4,", first, 4, false);
    zip_end(&grid);
    fuzz(grid.b.p, grid.b.n, (victim){ .name = "grid#2", .format = "npz" });
    free(grid.b.p);
#if TERN_HAVE_HDF5
    size_t n;
    make_hdf5_groups("whole.h5");
    uint8_t *h = fixture_read("whole.h5", &n);
    fuzz(h, n, (victim){ .name = "groups.h5#train/1", .format = "hdf5", .as_file = true });
    free(h);
    make_hdf5_spikes("whole.h5", true);
    h = fixture_read("whole.h5", &n);
    fuzz(h, n, (victim){ .name = "spikes.h5#1", .format = "hdf5", .as_file = true });
    free(h);
#endif
    free(b.p);
    free(z.p);
}

static void real_files(void)
{
    static const struct {
        const char *name, *format;
        unsigned slow;
    } files[] = {
        { "event-format-samples/sample.aedat4", "aedat4", 0 },
        { "event-format-samples/sample_aedat_header.aedat", "aedat2", 0 },
        { "event-format-samples/sample_ncars.dat", "dat", 0 },
        { "event-format-samples/NCARS_obj_004397_td.dat", "dat", 0 },
        { "event-format-samples/sample_nmnist.bin", "nmnist", 0 },
        { "event-format-samples/nmnist_00002.es", "es", 0 },
        { "event-format-samples/trcl0.es", "es", 0 },
        { "event-format-samples/generic.es", "es", 0 },
        { "event-format-samples/evt3_test_pedestrians.raw", "evt3", 0 },
        { "event-format-samples/sample_stmnist.mat", "nmnist", 0 },
        { "mnist-dvs/mnist_0_scale04_0001.aedat", "aedat2", 0 },
        { "mnist-dvs/mnist_0_scale04_0001_qt1.aedat", "aedat2", 0 },
        { "mnist-dvs/mnist_0_scale08_0001_qt1.aedat", "aedat2", 0 },
        { "mnist-dvs/mnist_0_scale16_0001_qt1.aedat", "aedat2", 0 },
        { "mnist-poisson-aedat/test.aedat", "aedat2", 0 },
        { "mnist/t10k-labels-idx1-ubyte.gz", "idx", 1 },
        { "mnist/train-labels-idx1-ubyte.gz", "idx", 1 },
        { "mnist/train3750-images-idx3-ubyte.gz", "idx", 20 },
        { "mnist/t10k-images-idx3-ubyte.gz", "idx", 20 },
        { "mnist-dvs-features/mnistdvs100_gabor_events.bin", "nmnist", 0 },
        { "nmnist/nmnist_test100.bin", "nmnist", 0 },
        { "nmnist/nmnist_train1000.bin", "nmnist", 0 },
    };
    static const struct {
        const char *from, *as;
    } lists[] = {
        { "nmnist/nmnist_test100_index.csv", "parts_index.csv" },
        { "nmnist/nmnist_train1000_index.csv", "parts_index.csv" },
        { "mnist-dvs-features/index.csv", "parts_index.csv" },
    };
    size_t n;
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
        uint8_t *b = fixture_read(fixture_real(files[k].name), &n);
        char name[100];
        snprintf(name, sizeof name, "%s%s", strrchr(files[k].name, '/') + 1,
                 strstr(files[k].name, "images") != NULL ? "#5" : "");
        CHECK(b != NULL);
        if (b != NULL) fuzz(b, n, (victim){ .name = name, .format = files[k].format, .slow = files[k].slow });
        free(b);
    }
    bytes parts = { 0 };
    make_nmnist(&parts);
    fixture_write("parts.bin", parts.p, parts.n);
    free(parts.p);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        uint8_t *b = fixture_read(fixture_real(lists[k].from), &n);
        CHECK(b != NULL);
        if (b != NULL) fuzz(b, n, (victim){ .name = lists[k].from, .format = lists[k].as, .attempt = try_set });
        free(b);
    }
    uint8_t *index = fixture_read(fixture_real("braille-taxels/index.csv"), &n);
    CHECK(index != NULL);
    if (index != NULL) fixture_write("index.csv", index, n);
    free(index);
    uint8_t *values = fixture_read(fixture_real("braille-taxels/braille_taxels_u8.bin.gz"), &n);
    CHECK(values != NULL);
    if (values != NULL)
        fuzz(values, n,
             (victim){ .name = "braille_taxels_u8.bin.gz",
                       .format = "values.gz values.gz 12 index.csv",
                       .attempt = try_values,
                       .slow = 20 });
    free(values);
}

int main(int argc, char **argv)
{
    char dir[1024], back[4096], remove_all[1100];
    const char *tmp = getenv("TMPDIR");
    const bool real = argc > 1 && strcmp(argv[1], "real") == 0;
    if (real) (void)fixture_real_folder(); /* skip before a folder is made */
    if (argc > 2) rounds = (unsigned)strtoul(argv[2], NULL, 10);
    if (argc > 3) seed = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc > 4) only = argv[4];
    printf("seed %u\n", seed);
    if (snprintf(dir, sizeof dir, "%s/tern-fuzz-XXXXXX", tmp != NULL && tmp[0] != 0 ? tmp : "/tmp") >= (int)sizeof dir)
        return 1;
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL) return 1;
    char folder[4096];
    if (real && realpath(fixture_real_folder(), folder) != NULL) setenv("TERN_SHARED_DATA", folder, 1);
    if (chdir(dir) != 0) return 1;
    if (real) real_files();
    else own_files(), values_and_lists();
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    struct rusage self, helpers;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &helpers);
    printf("%llu copies: %llu errors, %llu results, of these %llu with something odd counted; slowest %llu ms, most "
           "memory %.1f MiB by the allocator, %.1f MiB in all, %.1f MiB in helpers\n",
           (unsigned long long)n_tried, (unsigned long long)n_errors, (unsigned long long)n_results,
           (unsigned long long)n_odd, (unsigned long long)slowest_ms, (double)peak / 1048576.0,
           (double)self.ru_maxrss / 1024.0, (double)helpers.ru_maxrss / 1024.0);
    CHECK(peak <= MEMORY_LIMIT);
    if (!SANITIZED) { /* with what libraries take by themselves */
        CHECK(self.ru_maxrss <= 64 << 10);
        CHECK(helpers.ru_maxrss <= 64 << 10);
    }
    return tern_check_report(real ? "data.fuzz_real" : "data.fuzz");
}
