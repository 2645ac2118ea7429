/* test_tern_data_fuzz.c : files cut at 500 places and with random damage: an error or a result with counts, never a crash, a hang or much memory
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_data_fuzz [real]          TERN_FUZZ_ROUNDS (default 500): damaged copies of each file; TERN_FUZZ_SEED (default 1)
 * Without an argument the files are the tests' own, one or more of every format; with `real`, recordings of the folder of real ones.
 */
#include "data_samples.h"
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_LIMIT ((size_t)64 << 20)
#define EVENTS_LIMIT 4000000u /* no sample has so many, whatever is damaged: an endless stream */
enum { CUTS = 500 };

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=64:quarantine_size_mb=16"; } /* what the helper process may take, too */
#else
#define SANITIZED 0
#endif

static unsigned rounds = 500;
static uint32_t seed = 1;
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
        const tern_status st = as_file ? tern_stream_open(path, &opt, alloc, &s, &d) : tern_stream_open_bytes(exact, n, path, &opt, alloc, &s, &d);
        again = read_all(st, s, &d, name);
    }
    free(exact);
    CHECK_EQ(heap.alive, 0);
    if (heap.peak_bytes > peak) peak = heap.peak_bytes;
    ++n_tried;
    const uint64_t took = now_ms() - begin;
    if (took > slowest_ms) slowest_ms = took;
}

static void damage(uint8_t *b, size_t n)
{
    const unsigned many = 1 + sample_random(&seed) % 4;
    const size_t reach = (sample_random(&seed) & 1) != 0 && n > 256 ? 256 : n; /* headers deserve more */
    for (unsigned k = 0; k < many; ++k) {
        const size_t at = ((size_t)sample_random(&seed) << 8 ^ sample_random(&seed)) % reach;
        switch (sample_random(&seed) % 4) {
        case 0: b[at] = (uint8_t)(0x55 + k * 0x33); break;
        case 1: b[at] = 0xff; break;
        default: b[at] ^= (uint8_t)(1u << sample_random(&seed) % 8); break;
        }
    }
}

static void fuzz(const uint8_t *b, size_t n, const char *name, const char *format, bool as_file, unsigned share)
{
    const uint64_t before = n_errors, tried = n_tried, begin = now_ms();
    uint8_t *copy = malloc(n);
    if (copy == NULL) exit(1);
    const unsigned cuts = CUTS / share, flips = rounds / share;
    for (unsigned k = 0; k < cuts; ++k) try_bytes(b, n * k / cuts, name, format, as_file);
    for (unsigned k = 0; k < flips; ++k) {
        memcpy(copy, b, n);
        damage(copy, n);
        try_bytes(copy, n, name, format, as_file);
    }
    free(copy);
    printf("%-44s %6llu copies, %6llu errors, %5.1f s\n", name, (unsigned long long)(n_tried - tried), (unsigned long long)(n_errors - before), (double)(now_ms() - begin) * 1e-3);
    fflush(stdout);
    CHECK(n_errors > before); /* an empty file at least is one */
}

static void own_files(void)
{
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        if (b.n != 0) fuzz(b.p, b.n, sample_list[k].name, sample_list[k].format, false, 1);
        free(b.p);
    }
    bytes b = { 0 }, z = { 0 };
    make_evt3(&b);
    make_gzip(&z, &b);
    fuzz(z.p, z.n, "evt3.gz", "evt3", false, 1);
    b.n = 0;
    make_idx(&b, 3);
    fuzz(b.p, b.n, "images#1", "idx", false, 10); /* each one is simulated */
    zip grid = { 0 };
    int64_t v[3 * 10 * 2 * 4 * 4] = { 0 };
    for (int i = 0; i < 960; i += 7) v[i] = i;
    const int64_t labels[3] = { 1, 2, 3 }, first[4] = { 0, 1, 2, 3 };
    zip_numbers(&grid, "frames.npy", "'<i2'", 2, "3, 10, 2, 4, 4", v, 960, true);
    zip_numbers(&grid, "labels.npy", "'<i8'", 8, "3,", labels, 3, false);
    zip_numbers(&grid, "first.npy", "'<i8'", 8, "4,", first, 4, false);
    zip_end(&grid);
    fuzz(grid.b.p, grid.b.n, "grid#2", "npz", false, 1);
    free(grid.b.p);
#if TERN_HAVE_HDF5
    size_t n;
    make_hdf5_groups("whole.h5");
    uint8_t *h = fixture_read("whole.h5", &n);
    fuzz(h, n, "groups.h5#train/1", "hdf5", true, 1);
    free(h);
    make_hdf5_spikes("whole.h5", true);
    h = fixture_read("whole.h5", &n);
    fuzz(h, n, "spikes.h5#1", "hdf5", true, 1);
    free(h);
#endif
    free(b.p);
    free(z.p);
}

static void real_files(void)
{
    static const struct { const char *name, *format; unsigned share; } files[] = {
        { "event-format-samples/sample.aedat4", "aedat4", 1 }, { "event-format-samples/sample_aedat_header.aedat", "aedat2", 1 }, { "event-format-samples/sample_ncars.dat", "dat", 1 },
        { "event-format-samples/NCARS_obj_004397_td.dat", "dat", 1 }, { "event-format-samples/sample_nmnist.bin", "nmnist", 1 }, { "event-format-samples/nmnist_00002.es", "es", 1 },
        { "event-format-samples/trcl0.es", "es", 1 }, { "event-format-samples/generic.es", "es", 1 }, { "event-format-samples/evt3_test_pedestrians.raw", "evt3", 1 },
        { "event-format-samples/sample_stmnist.mat", "nmnist", 1 }, { "mnist-dvs/mnist_0_scale04_0001_qt1.aedat", "aedat2", 1 }, { "mnist/t10k-labels-idx1-ubyte.gz", "idx", 1 },
        { "mnist/train3750-images-idx3-ubyte.gz", "idx", 20 },
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
        size_t n;
        const char *path = fixture_real(files[k].name);
        uint8_t *b = fixture_read(path, &n);
        char name[100];
        snprintf(name, sizeof name, "%s%s", strrchr(files[k].name, '/') + 1, strstr(files[k].name, "images") != NULL ? "#5" : "");
        CHECK(b != NULL);
        if (b != NULL) fuzz(b, n, name, files[k].format, false, files[k].share);
        free(b);
    }
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/tern-fuzz-XXXXXX", back[4096], remove_all[100];
    const bool real = argc == 2 && strcmp(argv[1], "real") == 0;
    if (real) (void)fixture_real_folder(); /* skip before a folder is made */
    if (getenv("TERN_FUZZ_ROUNDS") != NULL) rounds = (unsigned)strtoul(getenv("TERN_FUZZ_ROUNDS"), NULL, 10);
    if (getenv("TERN_FUZZ_SEED") != NULL) seed = (uint32_t)strtoul(getenv("TERN_FUZZ_SEED"), NULL, 10);
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL) return 1;
    char folder[4096];
    if (real && realpath(fixture_real_folder(), folder) != NULL) setenv("TERN_SHARED_DATA", folder, 1);
    if (chdir(dir) != 0) return 1;
    if (real) real_files();
    else own_files();
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    struct rusage self, helpers;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &helpers);
    printf("%llu copies: %llu errors, %llu results, of these %llu with something odd counted; slowest %llu ms, most memory %.1f MiB by the allocator, %.1f MiB in all, %.1f MiB in helpers\n",
           (unsigned long long)n_tried, (unsigned long long)n_errors, (unsigned long long)n_results, (unsigned long long)n_odd, (unsigned long long)slowest_ms, (double)peak / 1048576.0,
           (double)self.ru_maxrss / 1024.0, (double)helpers.ru_maxrss / 1024.0);
    CHECK(slowest_ms < 30000);
    CHECK(peak <= MEMORY_LIMIT);
    if (!SANITIZED) { /* with what libraries take by themselves */
        CHECK(self.ru_maxrss <= 64 << 10);
        CHECK(helpers.ru_maxrss <= 64 << 10);
    }
    return tern_check_report(real ? "data.fuzz_real" : "data.fuzz");
}
