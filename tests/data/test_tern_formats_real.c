/* test_tern_formats_real.c : real files of every format, with the counts that their own documentation gives
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>
#include "data_fixture.h"

typedef struct seen {
    uint64_t n, on, first_us, last_us;
    uint32_t min_x, min_y, max_x, max_y, width, height;
    const char *format;
    int32_t label;
    uint64_t n_odd, n_backwards, n_left_over;
} seen;

/* Reads a stream to its end in blocks of `room`. */
static seen look(const char *path, const char *format, size_t room)
{
    seen r = { .min_x = UINT32_MAX, .min_y = UINT32_MAX, .format = "" };
    tern_stream *s;
    tern_diags d;
    const tern_stream_options opt = { .format = format };
    tern_diags_init(&d);
    const tern_status st = tern_stream_open(path, &opt, tern_alloc_default(), &s, &d);
    CHECK_EQ(st, TERN_OK);
    if (st != TERN_OK) {
        printf("%s: %s\n", path, d.n != 0 ? d.list[0].message : "");
        return r;
    }
    tern_event *e = malloc(room * sizeof *e);
    if (e == NULL) exit(1);
    for (;;) {
        size_t n;
        const tern_status got = tern_stream_read(s, e, room, &n, &d);
        CHECK_EQ(got, TERN_OK);
        if (got != TERN_OK || n == 0) break;
        CHECK(n <= room);
        for (size_t i = 0; i < n; ++i) {
            if (r.n++ == 0) r.first_us = e[i].t_us;
            r.last_us = e[i].t_us;
            r.on += e[i].on;
            if (e[i].x < r.min_x) r.min_x = e[i].x;
            if (e[i].y < r.min_y) r.min_y = e[i].y;
            if (e[i].x > r.max_x) r.max_x = e[i].x;
            if (e[i].y > r.max_y) r.max_y = e[i].y;
        }
    }
    const tern_stream_counts *c = tern_stream_counted(s);
    const tern_stream_info *about = tern_stream_about(s);
    CHECK_EQ(c->n_events, r.n);
    CHECK_EQ(c->n_on, r.on);
    if (r.n != 0) {
        CHECK_EQ(c->max_x, r.max_x);
        CHECK_EQ(c->max_y, r.max_y);
    }
    r.first_us += c->zero_us;
    r.last_us += c->zero_us;
    r.n_backwards = c->n_backwards;
    r.n_left_over = c->n_left_over;
    r.n_odd = c->n_backwards + c->n_left_over + c->n_other + c->n_off_sensor + c->n_polarity;
    r.format = about->format;
    r.label = about->label;
    r.width = about->width;
    r.height = about->height;
    free(e);
    tern_stream_close(s);
    return r;
}

typedef struct known {
    const char *name, *format;
    uint64_t n, off, on;
    uint32_t width, height;
    uint64_t span_us, first_us;
} known;

static void samples(void)
{
    /* counts of event-format-samples/README.md; first_us UINT64_MAX: it names no absolute times */
    static const known files[] = {
        { "event-format-samples/sample.aedat4", "aedat4", 111954, 56931, 55023, 320, 240, 589917, UINT64_MAX },
        { "event-format-samples/sample_ncars.dat", "dat", 2009, 659, 1350, 0, 0, 99952, UINT64_MAX },
        { "event-format-samples/NCARS_obj_004397_td.dat", "dat", 4407, 2736, 1671, 0, 0, 99937, UINT64_MAX },
        { "event-format-samples/sample_nmnist.bin", "nmnist", 4325, 2180, 2145, 34, 34, 311175 - 654, 654 },
        { "event-format-samples/nmnist_00002.es", "es", 5028, 2519, 2509, 34, 34, 305341 - 937, 937 },
        { "event-format-samples/trcl0.es", "es", 2628, 701, 1927, 30, 32, 14727, UINT64_MAX },
        { "event-format-samples/sample_aedat_header.aedat", "aedat2", 0, 0, 0, 346, 260, 0, UINT64_MAX },
        { "mnist-dvs/mnist_0_scale04_0001.aedat", "aedat2", 15744, 7874, 7870, 128, 128, 2210588, 0 },
        { "mnist-poisson-aedat/test.aedat", "aedat2", 400670, 200335, 200335, 128, 128, 99999906, UINT64_MAX },
        { "nmnist/nmnist_test100.bin", "nmnist", 385596, 194944, 190652, 34, 34, UINT64_MAX, UINT64_MAX },
        { "nmnist/nmnist_train1000.bin", "nmnist", 4133231, 2073805, 2059426, 34, 34, UINT64_MAX, UINT64_MAX },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        const known *k = &files[i];
        char path[4096];
        snprintf(path, sizeof path, "%s", fixture_real(k->name));
        if (strcmp(k->format, "aedat4") == 0 && !TERN_HAVE_LZ4) { /* refused, with the package's name */
            tern_stream *s;
            tern_diags d;
            tern_diags_init(&d);
            CHECK_EQ(tern_stream_open(path, NULL, tern_alloc_default(), &s, &d), TERN_ERR_TOOL);
            CHECK(fixture_has(&d, 415, TERN_SEV_ERROR) && strstr(d.list[0].hint, "liblz4-dev") != NULL);
            continue;
        }
        const seen by_content = look(path, NULL, 4096), by_name = look(path, k->format, 16);
        if (by_content.n != k->n) printf("%s\n", path);
        CHECK_STR(by_content.format, k->format);
        CHECK_EQ(by_content.n, k->n);
        CHECK_EQ(by_content.on, k->on);
        CHECK_EQ(by_content.n - by_content.on, k->off);
        CHECK_EQ(by_content.width, k->width);
        CHECK_EQ(by_content.height, k->height);
        if (k->span_us != UINT64_MAX) {
            CHECK_EQ(by_content.last_us - by_content.first_us, k->span_us);
            CHECK_EQ(by_content.n_odd, 0);
        } else {
            CHECK(by_content.n_backwards >= 99); /* samples one behind the other */
            CHECK_EQ(by_content.n_odd, by_content.n_backwards);
        }
        if (k->first_us != UINT64_MAX) CHECK_EQ(by_content.first_us, k->first_us);
        CHECK_EQ(by_name.n, by_content.n); /* small blocks give the same */
        CHECK_EQ(by_name.on, by_content.on);
        CHECK_EQ(by_name.last_us, by_content.last_us);
    }
    const seen a = look(fixture_real("event-format-samples/sample_ncars.dat"), NULL, 4096),
               b = look(fixture_real("event-format-samples/NCARS_obj_004397_td.dat"), NULL, 4096);
    CHECK_EQ(a.min_x, 0);
    CHECK_EQ(a.max_x, 77);
    CHECK_EQ(a.min_y, 0);
    CHECK_EQ(a.max_y, 41);
    CHECK_EQ(b.min_x, 0);
    CHECK_EQ(b.max_x, 53);
    CHECK_EQ(b.min_y, 1);
    CHECK_EQ(b.max_y, 60);
}

/* EVT 3.0 sample: its page gives no counts. These are those of a second decoder, written in Python from the format's
 * description. */
static void evt3(void)
{
    const seen s = look(fixture_real("event-format-samples/evt3_test_pedestrians.raw"), NULL, 4096);
    CHECK_STR(s.format, "evt3");
    CHECK_EQ(s.width, 1280);
    CHECK_EQ(s.height, 720);
    CHECK_EQ(s.n, 5000);
    CHECK_EQ(s.on, 2894);
    CHECK_EQ(s.first_us, 5840504);
    CHECK_EQ(s.last_us, 5885714);
    CHECK(s.min_x == 11 && s.max_x == 1279 && s.min_y == 22 && s.max_y == 698);
    CHECK_EQ(s.n_odd, 0);
}

static void refused(void)
{
    static const struct {
        const char *name;
        int code;
        tern_status status;
    } files[] = {
        { "event-format-samples/generic.es", 418, TERN_ERR_FORMAT },
        { "event-format-samples/sample_stmnist.mat", 405, TERN_ERR_FORMAT },
        { "mnist-dvs-features/mnistdvs100_gabor_events.bin", 405, TERN_ERR_FORMAT },
        { "mnist/t10k-labels-idx1-ubyte.gz", 418, TERN_ERR_FORMAT },
        { "mnist/t10k-images-idx3-ubyte.gz", 416, TERN_ERR_ARGUMENT },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        tern_stream *s;
        tern_diags d;
        tern_diags_init(&d);
        CHECK_EQ(tern_stream_open(fixture_real(files[i].name), NULL, tern_alloc_default(), &s, &d), files[i].status);
        CHECK(s == NULL);
        CHECK(fixture_has(&d, files[i].code, TERN_SEV_ERROR));
    }
    static const struct {
        const char *name;
        int code;
    } sets[] = {
        /* asked for as data sets */
        { "event-format-samples/sample_stmnist.mat", 446 },
        { "mnist-dvs-features/mnistdvs100_gabor_events.bin", 446 },
        { "mnist-dvs-features/index.csv", 448 },
        { "braille-taxels/index.csv", 448 },
        { "mnist/train-labels-idx1-ubyte.gz", 418 },
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        tern_arena a;
        tern_dataset set;
        tern_diags d;
        tern_arena_init(&a, tern_alloc_default(), 0);
        tern_diags_init(&d);
        CHECK(tern_dataset_open(fixture_real(sets[i].name), &a, &set, &d) != TERN_OK);
        CHECK_EQ(d.n, 1);
        CHECK(fixture_has(&d, sets[i].code, TERN_SEV_ERROR) && d.list[0].hint[0] != 0);
        tern_arena_free(&a);
    }
}

static tern_recording load(const char *name, tern_arena *a)
{
    tern_recording r = { 0 };
    tern_diags d;
    tern_diags_init(&d);
    tern_arena_init(a, tern_alloc_default(), 0);
    CHECK_EQ(tern_recording_load(fixture_real(name), "auto", a, &r, &d), TERN_OK);
    CHECK_EQ(d.n, 0);
    return r;
}

/* mnist-dvs/README.md: windows, the fullest square, and the filtered file within the full one. */
static void mnist_dvs(void)
{
    tern_arena a, b;
    const tern_recording full = load("mnist-dvs/mnist_0_scale04_0001.aedat", &a),
                         part = load("mnist-dvs/mnist_0_scale04_0001_qt1.aedat", &b);
    unsigned per_window[88] = { 0 }, least = UINT32_MAX, most = 0, best = 0, best_x = 0, best_y = 0, in_crop = 0,
             n_before = 0;
    static unsigned sum[129][129]; /* [y][x]: events above and left */
    for (size_t i = 0; i < full.n_events; ++i) {
        const tern_event *e = &full.events[i];
        if (e->t_us < 88 * 25000) ++per_window[e->t_us / 25000];
        ++sum[e->y + 1][e->x + 1];
        in_crop += e->t_us < 80 * 25000 && e->x >= 48 && e->x <= 73 && e->y >= 48 && e->y <= 73;
        n_before += e->t_us <= 196581;
    }
    for (size_t i = 0; i < 88; ++i) {
        if (per_window[i] < least) least = per_window[i];
        if (per_window[i] > most) most = per_window[i];
    }
    for (unsigned y = 1; y < 129; ++y)
        for (unsigned x = 1; x < 129; ++x) sum[y][x] += sum[y - 1][x] + sum[y][x - 1] - sum[y - 1][x - 1];
    for (unsigned y = 0; y + 26 < 129; ++y)
        for (unsigned x = 0; x + 26 < 129; ++x) {
            const unsigned n = sum[y + 26][x + 26] - sum[y][x + 26] - sum[y + 26][x] + sum[y][x];
            if (n > best) best = n, best_x = x, best_y = y;
        }
    CHECK_EQ(least, 58);
    CHECK_EQ(most, 291);
    CHECK_EQ((full.n_events * 25000 + full.events[full.n_events - 1].t_us / 2) / full.events[full.n_events - 1].t_us,
             178);
    CHECK_EQ(best, 14096);
    CHECK(best_x == 55 && best_y == 50);
    CHECK_EQ(in_crop, 10699);
    CHECK_EQ(n_before, 1852);
    size_t found = 0; /* every event of the filtered file is one of the full file */
    for (size_t i = 0; i < part.n_events; ++i) {
        size_t at = 0;
        while (at < n_before && memcmp(&full.events[at], &part.events[i], offsetof(tern_event, on) + 1) != 0) ++at;
        found += at < n_before;
    }
    CHECK_EQ(found, 1782);
    tern_arena_free(&a);
    tern_arena_free(&b);
}

/* mnist-poisson-aedat/README.md: address bytes 9..44 (x is 7 bits of it) and 4..23, pairs of an even and the next
 * smaller odd byte at one time, about 4000 events a second. */
static void poisson(void)
{
    tern_arena a;
    const tern_recording r = load("mnist-poisson-aedat/test.aedat", &a);
    uint32_t min_x = 255, max_x = 0, min_y = 255, max_y = 0;
    unsigned per_second[100] = { 0 };
    size_t pairs = 0;
    for (size_t i = 0; i < r.n_events; ++i) {
        const tern_event *e = &r.events[i];
        if (e->x < min_x) min_x = e->x;
        if (e->x > max_x) max_x = e->x;
        if (e->y < min_y) min_y = e->y;
        if (e->y > max_y) max_y = e->y;
        if (e->t_us < 100000000) ++per_second[e->t_us / 1000000];
        pairs += i % 2 == 1 && e->t_us == e[-1].t_us && e->x == e[-1].x - 1 && e->y == e[-1].y && e[-1].on == 1 &&
                 e->on == 0;
    }
    CHECK(min_x == 9 / 2 && max_x == 44 / 2 && min_y == 4 && max_y == 23);
    CHECK_EQ(pairs, 200335);
    for (size_t i = 0; i < 100; ++i) CHECK(per_second[i] > 3600 && per_second[i] < 4400);
    tern_arena_free(&a);
}

/* N-MNIST subset: the index parts the files into samples; numbers of nmnist/README.md. */
static void nmnist_sets(void)
{
    static const struct {
        const char *index;
        size_t n;
        unsigned least, most;
        uint64_t events, latest;
        unsigned per_class[10];
    } sets[] = {
        { "nmnist/nmnist_train1000_index.csv",
          1000,
          1112,
          7152,
          4133231,
          315109,
          { 97, 116, 99, 93, 105, 92, 94, 117, 87, 100 } },
        { "nmnist/nmnist_test100_index.csv", 100, 1069, 6326, 385596, 336040, { 8, 14, 8, 11, 14, 7, 10, 15, 2, 11 } },
    };
    for (size_t k = 0; k < 2; ++k) {
        tern_arena a;
        tern_dataset set;
        tern_diags d;
        uint64_t events = 0, latest = 0, least = UINT64_MAX, most = 0;
        unsigned per_class[10] = { 0 };
        tern_arena_init(&a, tern_alloc_default(), 0);
        tern_diags_init(&d);
        CHECK_EQ(tern_dataset_open(fixture_real(sets[k].index), &a, &set, &d), TERN_OK);
        if (d.n != 0) printf("%s\n", d.list[0].message);
        CHECK_EQ(set.n, sets[k].n);
        for (size_t i = 0; i < set.n; ++i) {
            const seen s = look(set.paths[i], NULL, 4096);
            events += s.n;
            if (s.n < least) least = s.n;
            if (s.n > most) most = s.n;
            if (s.last_us > latest) latest = s.last_us;
            CHECK_EQ(s.n_odd, 0); /* times never decrease in any sample */
            if (set.labels[i] >= 0 && set.labels[i] < 10) ++per_class[set.labels[i]];
        }
        CHECK_EQ(events, sets[k].events);
        CHECK_EQ(least, sets[k].least);
        CHECK_EQ(most, sets[k].most);
        CHECK_EQ(latest, sets[k].latest);
        for (int c = 0; c < 10; ++c) CHECK_EQ(per_class[c], sets[k].per_class[c]);
        tern_arena_free(&a);
    }
}

/* MNIST: the file of images is a data set; counts of labels as in mnist/README.md. One image goes through the
 * camera. */
static void mnist(void)
{
    static const unsigned per_class[10] = { 980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009 };
    tern_arena a;
    tern_dataset set;
    tern_diags d;
    unsigned n[10] = { 0 };
    tern_arena_init(&a, tern_alloc_default(), 0);
    tern_diags_init(&d);
    CHECK_EQ(tern_dataset_open(fixture_real("mnist/t10k-images-idx3-ubyte.gz"), &a, &set, &d), TERN_OK);
    CHECK_EQ(set.n, 10000);
    for (size_t i = 0; i < set.n; ++i)
        if (set.labels[i] >= 0 && set.labels[i] < 10) ++n[set.labels[i]];
    for (int c = 0; c < 10; ++c) CHECK_EQ(n[c], per_class[c]);
    if (set.n > 7) {
        const seen s = look(set.paths[7], NULL, 4096);
        CHECK_STR(s.format, "idx");
        CHECK_EQ(s.label, set.labels[7]);
        CHECK(s.n > 2000 && s.n < 50000);
        CHECK(s.on > s.n / 3 && s.on < s.n * 2 / 3);
    }
    CHECK_EQ(tern_dataset_open(fixture_real("mnist/train3750-images-idx3-ubyte.gz"), &a, &set, &d), TERN_OK);
    CHECK_EQ(set.n, 3750);
    CHECK_EQ(set.labels[0], -1); /* its labels have another name */
    tern_arena_free(&a);
}

int main(void)
{
    samples();
    evt3();
    refused();
    mnist_dvs();
    poisson();
    nmnist_sets();
    mnist();
    return tern_check_report("data.formats_real");
}
