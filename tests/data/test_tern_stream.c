/* test_tern_stream.c : what all formats share: selections, repair, sensors, blocks, long files in constant memory
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <unistd.h>

static tern_diags diags;

typedef struct result {
    tern_status st;
    size_t n;
    tern_event e[2000];
    tern_stream_counts c;
    tern_stream_info about;
} result;
static result res;

static void read_stream(tern_status opened, tern_stream *s, size_t room)
{
    tern_event block[64];
    res.st = opened;
    res.n = 0;
    while (res.st == TERN_OK) {
        size_t n;
        res.st = tern_stream_read(s, block, room, &n, &diags);
        if (res.st != TERN_OK || n == 0) break;
        for (size_t i = 0; i < n && res.n < 2000; ++i) res.e[res.n++] = block[i];
    }
    if (s == NULL) return;
    res.c = *tern_stream_counted(s);
    res.about = *tern_stream_about(s);
    CHECK_EQ(res.c.n_events, res.n);
    if (res.st == TERN_OK) { /* the end stays the end */
        size_t n = 9;
        CHECK_EQ(tern_stream_read(s, block, room, &n, &diags), TERN_OK);
        CHECK_EQ(n, 0);
        tern_stream_report(s, &diags);
    } else { /* and an error an error */
        size_t n = 9;
        CHECK_EQ(tern_stream_read(s, block, room, &n, &diags), res.st);
        CHECK_EQ(n, 0);
    }
    tern_stream_close(s);
}

static tern_status from_bytes(const bytes *b, const char *file, const tern_stream_options *opt, size_t room)
{
    tern_stream *s;
    tern_diags_init(&diags);
    const tern_status st = tern_stream_open_bytes(b->p, b->n, file, opt, tern_alloc_default(), &s, &diags);
    CHECK_EQ(s == NULL, st != TERN_OK);
    read_stream(st, s, room);
    return res.st;
}

static tern_status from_file(const char *path, const tern_stream_options *opt)
{
    tern_stream *s;
    tern_diags_init(&diags);
    const tern_status st = tern_stream_open(path, opt, tern_alloc_default(), &s, &diags);
    read_stream(st, s, 64);
    return res.st;
}

static bool is_sample(size_t first, size_t n)
{
    const tern_event *e = sample_events() + first;
    if (res.n != n) return false;
    for (size_t i = 0; i < n; ++i)
        if (res.e[i].x != e[i].x || res.e[i].y != e[i].y || res.e[i].on != e[i].on ||
            res.e[i].t_us != e[i].t_us - e[0].t_us)
            return false;
    return true;
}

static void selections(void)
{
    const tern_event *e = sample_events();
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        char name[64];
        if (b.n != 0) {
            CHECK_EQ(from_bytes(&b, "a#@100+50", NULL, 16), TERN_OK);
            if (!is_sample(100, 50)) printf("%s: records\n", sample_list[k].name);
            CHECK(is_sample(100, 50));
            CHECK_EQ(res.c.zero_us, e[100].t_us);
            CHECK_EQ(from_bytes(&b, "a#@0+1", NULL, 17), TERN_OK);
            CHECK(is_sample(0, 1));
            CHECK_EQ(from_bytes(&b, "a#@299+1", NULL, 64), TERN_OK);
            CHECK(is_sample(299, 1));
            size_t last = 120;
            while (e[last].t_us == e[119].t_us) ++last;
            snprintf(name, sizeof name, "a#%llu..%lluus", (unsigned long long)e[0].t_us,
                     (unsigned long long)e[last].t_us);
            CHECK_EQ(from_bytes(&b, name, NULL, 64), TERN_OK);
            CHECK(is_sample(0, last));
            CHECK_EQ(from_bytes(&b, "a#0", NULL, 64), TERN_OK); /* sample 0 of one is the whole */
            CHECK(is_sample(0, SAMPLE_EVENTS));
            CHECK_EQ(from_bytes(&b, "a#1", NULL, 64), TERN_ERR_ARGUMENT);
            CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
            CHECK_EQ(from_bytes(&b, "a#train", NULL, 64), TERN_ERR_ARGUMENT);
            CHECK_EQ(from_bytes(&b, "a", NULL, 16), TERN_OK); /* small blocks */
            CHECK(is_sample(0, SAMPLE_EVENTS));
        }
        free(b.p);
    }
    bytes b = { 0 };
    make_nmnist(&b);
    CHECK_EQ(from_bytes(&b, "a#@290+20", NULL, 64), TERN_ERR_ARGUMENT); /* the file has 300 */
    CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    fixture_write("a.bin", b.p, b.n);
    fixture_write("a#1.bin", b.p, b.n);
    CHECK_EQ(from_file("a.bin#@10+20", NULL), TERN_OK);
    CHECK(is_sample(10, 20));
    CHECK_EQ(from_file("a#1.bin", NULL), TERN_OK); /* a name that exists is not taken apart */
    CHECK_EQ(res.n, SAMPLE_EVENTS);
    CHECK_EQ(from_file("a#1.bin#@3+1", NULL), TERN_OK);
    static const char *const wrong[] = {
        "a.bin#",       "a.bin#@",     "a.bin#@5",  "a.bin#@5+0",  "a.bin#@-1+2",
        "a.bin#9..9us", "a.bin#9..10", "a.bin#x y", "a.bin#test/", "a.bin#99999999999999999999999",
        "a.bin#@1+2x"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        CHECK_EQ(from_file(wrong[i], NULL), TERN_ERR_ARGUMENT);
        CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    }
    CHECK_EQ(from_file("missing.bin#3", NULL), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 401, TERN_SEV_ERROR));
    CHECK_EQ(from_file("missing.bin#?", NULL), TERN_ERR_IO);
    tern_event one[TERN_STREAM_LEAST];
    tern_stream *s;
    size_t n;
    CHECK_EQ(tern_stream_open("a.bin", NULL, tern_alloc_default(), &s, &diags), TERN_OK);
    CHECK_EQ(tern_stream_read(s, one, TERN_STREAM_LEAST - 1, &n, &diags), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_stream_read(s, one, TERN_STREAM_LEAST, &n, &diags), TERN_OK);
    CHECK_EQ(n, TERN_STREAM_LEAST);
    tern_stream_close(s);
    tern_stream_close(NULL);
    free(b.p);
}

/* ---- repair ---- */

static void repair(void)
{
    static const tern_stream_options mend = { .repair = true };
    bytes b = { 0 };
    /* jitter of 5 ms, then a clock that starts again, then jitter again; polarities 7 and -3; off the sensor */
    put_text(
        &b,
        "# sensor 10 x "
        "10\nt,x,y,p\n100000,1,1,1\n95000,2,1,0\n120000,3,1,7\n5,4,1,-3\n105,5,1,0\n104,6,1,1\n7,10,1,1\n200,7,1,1\n");
    CHECK_EQ(from_bytes(&b, "a.csv", NULL, 64), TERN_OK);
    CHECK_EQ(res.n, 5);
    CHECK(res.c.n_backwards == 3 && res.c.n_polarity == 2 && res.c.n_off_sensor == 1 && res.c.n_moved == 0 &&
          res.c.n_mended == 0);
    CHECK_EQ(res.e[1].t_us, (uint64_t)0 - 5000); /* far behind every window */
    CHECK_EQ(res.c.span_us, 0);
    CHECK(!fixture_has(&diags, 419, TERN_SEV_WARNING));
    CHECK_EQ(from_bytes(&b, "a.csv", &mend, 64), TERN_OK);
    static const uint64_t t[7] = { 0, 0, 20000, 20000, 20100, 20100, 20195 };
    static const uint8_t on[7] = { 1, 0, 1, 0, 0, 1, 1 };
    CHECK_EQ(res.n, 7);
    for (size_t i = 0; i < 7 && i < res.n; ++i) {
        CHECK_EQ(res.e[i].t_us, t[i]);
        CHECK_EQ(res.e[i].on, on[i]);
    }
    CHECK(res.c.n_backwards == 3 && res.c.n_polarity == 2 && res.c.n_mended == 2 && res.c.n_off_sensor == 1);
    CHECK_EQ(res.c.n_moved, 5); /* 95000; the restart and all behind it */
    CHECK(fixture_has(&diags, 419, TERN_SEV_WARNING));
    b.n = 0;
    put_text(&b, "t,x,y,p\n1,1,1,1\n2,2,2\n3,3,3,0\nabc\n4,4,4,1\n");
    CHECK_EQ(from_bytes(&b, "a.csv", NULL, 64), TERN_ERR_FORMAT);
    CHECK_EQ(res.n, 1);
    CHECK_EQ(from_bytes(&b, "a.csv", &mend, 64), TERN_OK); /* lines can be left out one by one */
    CHECK(res.n == 3 && res.c.n_other == 2 && !res.c.cut_short);
    b.n = 0;
    make_aedat3(&b); /* a packet header that makes no sense ends the recording */
    const size_t at = b.n;
    put_packet3(&b, 1, 1, 8, 4, 0, 0xffffffffu);
    put_text(&b, "what follows");
    CHECK_EQ(from_bytes(&b, "a.aedat", NULL, 64), TERN_ERR_FORMAT);
    CHECK_EQ(res.n, SAMPLE_EVENTS);
    CHECK(fixture_has(&diags, 417, TERN_SEV_ERROR));
    CHECK_EQ(from_bytes(&b, "a.aedat", &mend, 64), TERN_OK);
    CHECK(is_sample(0, SAMPLE_EVENTS));
    CHECK(res.c.cut_short);
    CHECK_EQ(res.c.n_left_over, b.n - at);
    CHECK(fixture_has(&diags, 410, TERN_SEV_WARNING));
    CHECK_EQ(diags.n_errors, 0);
    b.n = 0;
    bytes z = { 0 };
    make_nmnist(&b);
    make_gzip(&z, &b);
    z.n -= 40; /* a compressed file that was cut: what there is */
    CHECK_EQ(from_bytes(&z, "a.bin.gz", &mend, 64), TERN_OK);
    CHECK(res.n > 100 && res.n < SAMPLE_EVENTS && res.c.cut_short);
    z.n = 30; /* nothing usable: still an error */
    CHECK(from_bytes(&z, "a.bin.gz", &(tern_stream_options){ .repair = true, .format = "nmnist" }, 64) != TERN_OK);
    free(z.p);
    b.n = 0;
    make_npy_table(&b);
    b.n -= 100; /* an array that ends before its shape is filled */
    CHECK_EQ(from_bytes(&b, "a.npy", NULL, 64), TERN_ERR_TRUNCATED);
    CHECK_EQ(from_bytes(&b, "a.npy", &mend, 64), TERN_OK);
    CHECK_EQ(res.n, SAMPLE_EVENTS - 7);
    free(b.p);
}

static void sensors(void)
{
    bytes b = { 0 };
    make_npy(&b);
    CHECK_EQ(from_bytes(&b, "a.npy", NULL, 64), TERN_OK);
    CHECK(res.about.width == 0 && !res.about.from_file);
    CHECK_EQ(from_bytes(&b, "a.npy", &(tern_stream_options){ .sensor_width = 20, .sensor_height = 34 }, 64), TERN_OK);
    CHECK(res.about.width == 20 && res.about.height == 34 && !res.about.from_file);
    CHECK(res.c.n_off_sensor > 50 && res.c.n_off_sensor + res.n == SAMPLE_EVENTS && res.c.max_x == 19);
    b.n = 0;
    make_es(&b, false); /* a file that says wins */
    CHECK_EQ(from_bytes(&b, "a.es", &(tern_stream_options){ .sensor_width = 20, .sensor_height = 20 }, 64), TERN_OK);
    CHECK(res.about.width == 34 && res.about.from_file && res.c.n_off_sensor == 0);
    free(b.p);
}

/* 20 million events, as a sparse file of 160 MB: memory for them must not be needed. */
static void long_file(void)
{
    enum { N = 20000000 };
    bytes b = { 0 };
    fixture_heap heap = { 0 };
    put_text(&b, "#!AER-DAT2.0\r\n");
    FILE *f = fopen("long.aedat", "wb");
    if (f == NULL || fwrite(b.p, 1, b.n, f) != b.n || fseek(f, (long)b.n + 8L * N - 1, SEEK_SET) != 0 ||
        fputc(9, f) == EOF || fclose(f) != 0)
        exit(1);
    tern_stream *s;
    uint64_t n_all = 0;
    size_t n = 1;
    static tern_event block[4096];
    tern_diags_init(&diags);
    CHECK_EQ(tern_stream_open("long.aedat", NULL, (tern_alloc){ fixture_alloc, &heap }, &s, &diags), TERN_OK);
    while (n != 0 && tern_stream_read(s, block, 4096, &n, &diags) == TERN_OK) n_all += n;
    CHECK_EQ(n_all, N);
    CHECK_EQ(tern_stream_counted(s)->span_us, 9);
    CHECK(heap.peak_bytes < 400000);
    printf("%d events, %zu bytes of memory\n", N, heap.peak_bytes);
    tern_stream_close(s);
    CHECK_EQ(heap.alive, 0);
    /* as a whole it would not be held if it were longer still: the limit is on events, and told */
    CHECK(TERN_RECORDING_MAX_EVENTS >= N);
    remove("long.aedat");
    free(b.p);
}

/* Samples of compressed arrays, a label each: one event a sample, at a step and unit that tell it apart. */
enum { KEEP_SAMPLES = 80, KEEP_STEPS = 100, KEEP_UNITS = 1000 };

static void write_packed(const char *path, unsigned salt)
{
    bytes grid = { 0 };
    zip z = { 0 };
    int64_t labels[KEEP_SAMPLES];
    uint8_t *cells = calloc(KEEP_SAMPLES * KEEP_STEPS, KEEP_UNITS);
    if (cells == NULL) exit(1);
    for (unsigned k = 0; k < KEEP_SAMPLES; ++k) {
        cells[(k * KEEP_STEPS + k % KEEP_STEPS) * KEEP_UNITS + k + salt] = 1;
        labels[k] = k + salt;
    }
    put_npy_header(&grid, "'|u1'", "80, 100, 1000");
    put(&grid, cells, (size_t)KEEP_SAMPLES * KEEP_STEPS * KEEP_UNITS);
    zip_add(&z, "frames.npy", &grid, true);
    zip_numbers(&z, "labels.npy", "'<i8'", 8, "80,", labels, KEEP_SAMPLES, true);
    zip_end(&z);
    fixture_write(path, z.b.p, z.b.n);
    free(z.b.p);
    free(grid.p);
    free(cells);
}

static void read_packed(unsigned k, unsigned salt, tern_alloc alloc, tern_stream_keep *keep)
{
    char name[40];
    tern_stream *s;
    const tern_stream_options opt = { .keep = keep };
    snprintf(name, sizeof name, "packed.npz#%u", k);
    tern_diags_init(&diags);
    const tern_status st = tern_stream_open(name, &opt, alloc, &s, &diags);
    read_stream(st, s, 64);
    CHECK(res.st == TERN_OK && res.n == 1 && res.e[0].x == k + salt && res.e[0].t_us == k % KEEP_STEPS * 1000 &&
          res.about.label == (int32_t)(k + salt));
}

static void kept_places(void)
{
    fixture_heap heap = { 0 };
    const tern_alloc alloc = { fixture_alloc, &heap };
    tern_stream_keep *keep = tern_stream_keep_make(alloc);
    CHECK(keep != NULL);
    write_packed("packed.npz", 0);
    for (unsigned k = 0; k < KEEP_SAMPLES; ++k) read_packed(k, 0, alloc, keep);
    const uint64_t with = heap.n; /* requests for memory: every array that is opened again has an inflater of its own */
    for (unsigned k = 0; k < KEEP_SAMPLES; ++k) read_packed(k, 0, alloc, NULL);
    printf("samples of a compressed array in order: %llu requests for memory with a keep, %llu without\n",
           (unsigned long long)with, (unsigned long long)(heap.n - with));
    CHECK(heap.n - with > with + 2 * KEEP_SAMPLES);
    CHECK(heap.peak_bytes < 3000000);
    /* any order is right */
    for (unsigned k = KEEP_SAMPLES; k-- > 0;) read_packed(k * 37 % KEEP_SAMPLES, 0, alloc, keep);
    (void)usleep(20000);           /* a clock of the file system that ticks every 10 ms */
    write_packed("packed.npz", 5); /* the file was written again: nothing kept is of it */
    read_packed(79, 5, alloc, keep);
    read_packed(3, 5, alloc, keep);
    /* two at a time, and one that is left in the middle */
    tern_stream *one, *two;
    tern_event e[16];
    size_t n;
    const tern_stream_options opt = { .keep = keep };
    CHECK_EQ(tern_stream_open("packed.npz#4", &opt, alloc, &one, &diags), TERN_OK);
    CHECK_EQ(tern_stream_open("packed.npz#4", &opt, alloc, &two, &diags), TERN_OK);
    CHECK(tern_stream_read(two, e, 16, &n, &diags) == TERN_OK && n == 1 && e[0].x == 9);
    CHECK(tern_stream_read(one, e, 16, &n, &diags) == TERN_OK && n == 1 && e[0].x == 9);
    tern_stream_close(one);
    tern_stream_close(two);
    for (unsigned k = 0; k < 20; ++k) read_packed(k, 5, alloc, keep);
    tern_stream_keep_free(keep);
    tern_stream_keep_free(NULL);
    CHECK_EQ(heap.alive, 0);
}

int main(void)
{
    char dir[] = "/tmp/tern-stream-XXXXXX", back[4096], remove_all[100];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    selections();
    repair();
    sensors();
    long_file();
    kept_places();
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.stream");
}
