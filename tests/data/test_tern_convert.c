/* test_tern_convert.c : conversion of every format to every form, splitting of data sets
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <unistd.h>
#include "tern/convert.h"

static tern_diags diags;
static tern_convert_totals totals;

static tern_status convert(const char *in, const char *out, const tern_convert_options *o)
{
    tern_diags_init(&diags);
    return tern_convert(in, out, o, tern_alloc_default(), NULL, NULL, &totals, &diags);
}

static tern_arena arena;
static tern_recording rec;

static tern_status load(const char *path)
{
    tern_diags own;
    tern_diags_init(&own);
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    return tern_recording_load(path, "auto", &arena, &rec, &own);
}

static bool is_sample(uint64_t zero)
{
    const tern_event *e = sample_events();
    if (rec.n_events != SAMPLE_EVENTS || rec.t_first_us != zero) return false;
    for (size_t i = 0; i < SAMPLE_EVENTS; ++i)
        if (rec.events[i].x != e[i].x || rec.events[i].y != e[i].y || rec.events[i].on != e[i].on ||
            rec.events[i].t_us + SAMPLE_FIRST_US != e[i].t_us)
            return false;
    return true;
}

static void every_format_to_every_form(void)
{
    static const struct {
        tern_convert_to to;
        const char *out;
    } forms[] = { { TERN_TO_AEDAT2, "o.aedat" }, { TERN_TO_CSV, "o.csv" }, { TERN_TO_EVENTS, "o.npz" } };
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        fixture_write("in", b.p, b.n);
        for (size_t f = 0; f < 3 && b.n != 0; ++f) {
            const tern_convert_options o = { .to = forms[f].to };
            CHECK_EQ(convert("in", forms[f].out, &o), TERN_OK);
            CHECK_EQ(diags.n, 0);
            CHECK(totals.n_recordings == 1 && totals.n_events_out == SAMPLE_EVENTS &&
                  totals.counts.n_events == SAMPLE_EVENTS);
            CHECK_EQ(load(forms[f].out), TERN_OK);
            if (!is_sample(SAMPLE_FIRST_US)) printf("%s to %s\n", sample_list[k].name, forms[f].out);
            CHECK(is_sample(SAMPLE_FIRST_US));
            /* the sensor goes with it */
            CHECK_EQ(rec.sensor_guessed, forms[f].to != TERN_TO_AEDAT2 && !sample_list[k].sensor);
        }
        /* frames: the same cells as from the events themselves */
        if (b.n != 0) {
            const tern_convert_options o = { .to = TERN_TO_FRAMES,
                                             .counts = true,
                                             .cut = { .window_us = 5000,
                                                      .polarity = TERN_POL_SEPARATE,
                                                      .sensor_width = k < 2 ? 128 : 34,
                                                      .sensor_height = k < 2 ? 128 : 34 } };
            const tern_event *e = sample_events();
            const uint64_t span = e[SAMPLE_EVENTS - 1].t_us - e[0].t_us;
            CHECK_EQ(convert("in", "f.npz", &o), TERN_OK);
            CHECK_EQ(totals.steps, span / 5000 + 1);
            CHECK(totals.planes == 2 && totals.width == o.cut.sensor_width && totals.height == o.cut.sensor_height);
            CHECK_EQ(totals.n_events_out, SAMPLE_EVENTS);
            CHECK_EQ(load("f.npz"), TERN_OK);
            CHECK_EQ(rec.n_events, totals.n_cells_set);
            size_t found = 0;
            for (size_t i = 0; i < rec.n_events; ++i)
                for (size_t j = 0; j < SAMPLE_EVENTS; ++j)
                    if ((e[j].t_us - e[0].t_us) / 5000 * 5000 == rec.events[i].t_us && e[j].x == rec.events[i].x &&
                        e[j].y == rec.events[i].y && e[j].on == rec.events[i].on) {
                        ++found;
                        break;
                    }
            CHECK_EQ(found, rec.n_events);
        }
        free(b.p);
    }
}

static void cut_and_scale(void)
{
    const tern_event *e = sample_events();
    bytes b = { 0 };
    make_es(&b, false);
    fixture_write("in.es", b.p, b.n);
    tern_convert_options o = { .to = TERN_TO_CSV,
                               .cut = { .crop_x = 4,
                                        .crop_y = 6,
                                        .crop_width = 12,
                                        .crop_height = 8,
                                        .scale = 4,
                                        .mirror_x = true,
                                        .polarity = TERN_POL_OFF } };
    CHECK_EQ(convert("in.es", "o.csv", &o), TERN_OK);
    CHECK_EQ(load("o.csv"), TERN_OK);
    CHECK(rec.width == 3 && rec.height == 2 && !rec.sensor_guessed);
    size_t n = 0;
    for (size_t i = 0; i < SAMPLE_EVENTS; ++i) {
        const uint32_t x = 33u - e[i].x, y = e[i].y;
        if (x < 4 || x >= 16 || y < 6 || y >= 14 || e[i].on) continue;
        CHECK(n < rec.n_events && rec.events[n].x == (x - 4) / 4 && rec.events[n].y == (y - 6) / 4 &&
              rec.events[n].on == 0);
        CHECK_EQ(rec.events[n].t_us + rec.t_first_us, e[i].t_us);
        ++n;
    }
    CHECK_EQ(rec.n_events, n);
    CHECK(n > 5);
    o.cut.scale = 5;
    CHECK_EQ(convert("in.es", "o.csv", &o), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 432, TERN_SEV_ERROR));
    o = (tern_convert_options){ .to = TERN_TO_FRAMES, .cut = { .window_us = 100000, .steps = 2, .scale = 2 } };
    CHECK_EQ(convert("in.es", "f.npz", &o), TERN_OK);
    CHECK(totals.steps == 2 && totals.width == 17 && totals.height == 17 && totals.planes == 1);
    o.cut.window_us = 0;
    CHECK_EQ(convert("in.es", "f.npz", &o), TERN_ERR_DATA);
    free(b.p);
}

static void what_does_not_fit(void)
{
    bytes b = { 0 };
    put_text(&b, "t,x,y,p\n1,200,1,1\n");
    fixture_write("wide.csv", b.p, b.n);
    CHECK_EQ(convert("wide.csv", "o.aedat", &(tern_convert_options){ .to = TERN_TO_AEDAT2 }), TERN_ERR_LIMIT);
    CHECK(fixture_has(&diags, 453, TERN_SEV_ERROR));
    b.n = 0;
    put_text(&b, "t,x,y,p\n1605537493718345,20,1,1\n1605537493718445,21,1,0\n"); /* a clock that counts from 1970 */
    fixture_write("epoch.csv", b.p, b.n);
    CHECK_EQ(convert("epoch.csv", "o.aedat", &(tern_convert_options){ .to = TERN_TO_AEDAT2 }), TERN_OK);
    CHECK_EQ(load("o.aedat"), TERN_OK);
    CHECK(rec.n_events == 2 && rec.t_first_us == 0 && rec.events[1].t_us == 100);
    CHECK_EQ(convert("epoch.csv", "o.npz", &(tern_convert_options){ .to = TERN_TO_EVENTS }), TERN_OK);
    CHECK_EQ(load("o.npz"), TERN_OK);
    CHECK_EQ(rec.t_first_us, 1605537493718345u);
    b.n = 0;
    put_text(&b, "t,x,y,p\n1000,20,1,1\n900,21,1,5\n1100,22,1,0\n");
    fixture_write("odd.csv", b.p, b.n);
    CHECK_EQ(convert("odd.csv", "o.csv", &(tern_convert_options){ .to = TERN_TO_CSV, .repair = true }), TERN_OK);
    CHECK(fixture_has(&diags, 419, TERN_SEV_WARNING));
    CHECK(totals.counts.n_moved == 1 && totals.counts.n_mended == 1);
    CHECK_EQ(load("o.csv"), TERN_OK);
    CHECK(rec.n_events == 3 && rec.n_backwards == 0 && rec.events[1].t_us == 0 && rec.events[1].on == 1);
    CHECK_EQ(convert("odd.csv", "no/such/folder/o.csv", &(tern_convert_options){ .to = TERN_TO_CSV }), TERN_ERR_IO);
    CHECK_EQ(convert("missing", "o.csv", &(tern_convert_options){ .to = TERN_TO_CSV }), TERN_ERR_IO);
    free(b.p);
}

/* Three samples: a folder, an .npz, and back. */
static void sets(void)
{
    bytes b = { 0 };
    make_nmnist(&b);
    fixture_write("n.bin", b.p, b.n);
    b.n = 0;
    put_text(&b, "label,first_event,n_events\n4,0,100\n1,100,50\n9,150,150\n");
    fixture_write("n_index.csv", b.p, b.n);
    CHECK_EQ(convert("n_index.csv", "out", &(tern_convert_options){ .to = TERN_TO_AEDAT2 }), TERN_OK);
    CHECK_EQ(totals.n_recordings, 3);
    /* not empty */
    CHECK_EQ(convert("n_index.csv", "out", &(tern_convert_options){ .to = TERN_TO_AEDAT2 }), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 451, TERN_SEV_ERROR));
    CHECK_EQ(convert("n_index.csv", "out", &(tern_convert_options){ .to = TERN_TO_CSV, .overwrite = true }), TERN_OK);
    CHECK_EQ(convert("out", "all.npz", &(tern_convert_options){ .to = TERN_TO_EVENTS }), TERN_OK);
    CHECK_EQ(totals.n_events_out, SAMPLE_EVENTS);
    tern_dataset set;
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    CHECK_EQ(tern_dataset_open("all.npz", &arena, &set, &diags), TERN_OK);
    CHECK_EQ(set.n, 3);
    CHECK(set.n == 3 && set.labels[0] == 4 && set.labels[1] == 1 && set.labels[2] == 9);
    CHECK_EQ(load("all.npz#1"), TERN_OK);
    CHECK(rec.n_events == 50 && rec.label == 1 && rec.width == 34);
    CHECK_EQ(rec.events[0].x, sample_events()[100].x);
    CHECK_EQ(convert("all.npz", "f.npz", &(tern_convert_options){ .to = TERN_TO_FRAMES, .cut = { .window_us = 1000 } }),
             TERN_OK);
    CHECK_EQ(totals.n_recordings, 3);
    CHECK_EQ(load("f.npz#2"), TERN_OK);
    CHECK_EQ(rec.label, 9);
    /* samples with other sensors cannot be one array */
    b.n = 0;
    make_es(&b, false);
    fixture_write("e.es", b.p, b.n);
    b.n = 0;
    make_aedat2(&b);
    fixture_write("a.aedat", b.p, b.n);
    fixture_write("two.csv", "e.es,0\na.aedat,1\n", 17);
    CHECK_EQ(convert("two.csv", "f.npz", &(tern_convert_options){ .to = TERN_TO_FRAMES, .cut = { .window_us = 1000 } }),
             TERN_ERR_LIMIT);
    CHECK(fixture_has(&diags, 460, TERN_SEV_ERROR));
    /* as events they can */
    CHECK_EQ(convert("two.csv", "o.npz", &(tern_convert_options){ .to = TERN_TO_EVENTS }), TERN_OK);
    free(b.p);
}

static bool stop_at_two(void *ud, uint64_t done, uint64_t total)
{
    (void)ud;
    (void)total;
    return done < 2;
}

static void stopped(void)
{
    tern_diags_init(&diags);
    const tern_convert_options o = { .to = TERN_TO_EVENTS };
    CHECK_EQ(tern_convert("n_index.csv", "stopped.npz", &o, tern_alloc_default(), stop_at_two, NULL, &totals, &diags),
             TERN_ERR_IO);
    CHECK(access("stopped.npz", F_OK) != 0); /* nothing half written is left */
}

/* ---- split ---- */

static tern_status split(const char *in, const char *out, uint32_t a, uint32_t b, uint32_t c, uint64_t seed,
                         uint64_t n[3])
{
    tern_diags_init(&diags);
    return tern_dataset_split(in, out, &(tern_split_options){ .percent = { a, b, c }, .seed = seed, .overwrite = true },
                              tern_alloc_default(), n, &diags);
}

/* Only some classes: what is kept lies in the same lists, in the same order, as without. */
static void split_of_classes(void)
{
    uint64_t n[3];
    size_t whole_size, size;
    static const uint16_t one[1] = { 1 }, other[2] = { 1, 7 };
    CHECK_EQ(split("n_index.csv", "s4", 70, 20, 10, 5, n), TERN_OK);
    uint8_t *whole = fixture_read("s4/train.csv", &whole_size);
    tern_diags_init(&diags);
    CHECK_EQ(tern_dataset_split(
                 "n_index.csv", "s4",
                 &(tern_split_options){
                     .percent = { 70, 20, 10 }, .seed = 5, .classes = one, .n_classes = 1, .overwrite = true },
                 tern_alloc_default(), n, &diags),
             TERN_OK);
    CHECK(n[0] == 28 && n[1] == 8 && n[2] == 4);
    uint8_t *part = fixture_read("s4/train.csv", &size);
    CHECK(whole != NULL && part != NULL);
    const char *p = (const char *)part, *end = p + size;
    unsigned lines = 0;
    for (const char *w = (const char *)whole, *w_end = w + whole_size; whole != NULL && part != NULL && w < w_end;) {
        const char *nl = memchr(w, '\n', (size_t)(w_end - w));
        if (nl == NULL) break;
        const size_t len = (size_t)(nl + 1 - w);
        if (w == (const char *)whole || nl[-1] == '1') { /* the heading, and label 1 */
            CHECK((size_t)(end - p) >= len && memcmp(p, w, len) == 0);
            p += (size_t)(end - p) >= len ? len : (size_t)(end - p);
            ++lines;
        }
        w = nl + 1;
    }
    CHECK_EQ(lines, 29);
    CHECK(p == end);
    free(whole);
    free(part);
    tern_diags_init(&diags);
    CHECK_EQ(tern_dataset_split(
                 "n_index.csv", "s5",
                 &(tern_split_options){ .percent = { 70, 20, 10 }, .seed = 5, .classes = other, .n_classes = 2 },
                 tern_alloc_default(), n, &diags),
             TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 462, TERN_SEV_ERROR) && access("s5", F_OK) != 0);
}

static void splits(void)
{
    bytes b = { 0 };
    uint64_t n[3];
    /* 100 parts: 60 of label 0, 40 of label 1 */
    put_text(&b, "label,first_event,n_events\n");
    for (int i = 0; i < 100; ++i) {
        char line[40];
        snprintf(line, sizeof line, "%d,%d,2\n", i % 5 >= 3, 2 * i);
        put_text(&b, line);
    }
    fixture_write("n_index.csv", b.p, b.n);
    CHECK_EQ(split("n_index.csv", "s1", 70, 20, 10, 5, n), TERN_OK);
    CHECK(n[0] == 70 && n[1] == 20 && n[2] == 10);
    static const char *const lists[3] = { "s1/train.csv", "s1/validation.csv", "s1/test.csv" };
    unsigned seen[200] = { 0 }, twice = 0;
    for (int k = 0; k < 3; ++k) {
        tern_dataset set;
        unsigned ones = 0;
        tern_arena_free(&arena);
        tern_arena_init(&arena, tern_alloc_default(), 0);
        CHECK_EQ(tern_dataset_open(lists[k], &arena, &set, &diags), TERN_OK); /* names count from the list's folder */
        CHECK_EQ(set.n, n[k]);
        for (size_t i = 0; i < set.n; ++i) {
            const char *at = strstr(set.paths[i], "#@");
            const unsigned first = at == NULL ? 0 : (unsigned)strtoul(at + 2, NULL, 10);
            CHECK_EQ(set.labels[i], first / 2 % 5 >= 3);
            ones += set.labels[i] == 1;
            twice += first < 200 && seen[first]++ != 0;
        }
        CHECK_EQ(ones, n[k] * 2 / 5); /* the same mixture in all three */
    }
    CHECK_EQ(twice, 0);
    size_t size1, size2;
    CHECK_EQ(split("n_index.csv", "s2", 70, 20, 10, 5, n), TERN_OK);
    uint8_t *x = fixture_read("s1/train.csv", &size1), *y = fixture_read("s2/train.csv", &size2);
    CHECK(x != NULL && y != NULL && size1 == size2 && memcmp(x, y, size1) == 0); /* one seed, one choice */
    free(y);
    CHECK_EQ(split("n_index.csv", "s2", 70, 20, 10, 6, n), TERN_OK);
    y = fixture_read("s2/train.csv", &size2);
    CHECK(x != NULL && y != NULL && (size1 != size2 || memcmp(x, y, size1) != 0));
    free(x);
    free(y);
    CHECK_EQ(split("n_index.csv", "s3", 100, 0, 0, 1, n), TERN_OK);
    CHECK(n[0] == 100 && access("s3/test.csv", F_OK) != 0);
    CHECK_EQ(split("n_index.csv", "s3", 90, 0, 0, 1, n), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 462, TERN_SEV_ERROR));
    CHECK_EQ(split("missing", "s3", 80, 10, 10, 1, n), TERN_ERR_IO);
    split_of_classes();
    free(b.p);
}

int main(void)
{
    char dir[] = "/tmp/tern-convert-XXXXXX", back[4096], remove_all[100];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    every_format_to_every_form();
    cut_and_scale();
    what_does_not_fit();
    sets();
    stopped();
    splits();
    tern_arena_free(&arena);
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.convert");
}
