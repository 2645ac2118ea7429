/* test_tern_encode.c : codes for analog values; with an argument "real", the tactile data set and MNIST
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <unistd.h>
#include "tern/encode.h"

static tern_diags diags;
static tern_encode_spec spec;
static tern_encode_counts counts;
static uint8_t out[200000];

static tern_status encode(const double *v, uint32_t rows, uint32_t n, uint32_t number)
{
    memset(&counts, 0, sizeof counts);
    memset(out, 0x5a, sizeof out);
    tern_diags_init(&diags);
    return tern_encode(&spec, v, rows, n, number, out, &counts, &diags);
}

static unsigned spikes_of(uint32_t unit, uint32_t units, uint32_t steps)
{
    unsigned n = 0;
    for (uint32_t t = 0; t < steps; ++t) n += out[t * units + unit];
    return n;
}

static void rate(void)
{
    static const double v[4] = { 0.0, 0.25, 0.5, 1.0 };
    tern_encode_defaults(&spec);
    spec.steps = 10000;
    spec.rate = 0.8;
    CHECK_EQ(tern_encode_units(&spec, 4), 4);
    CHECK_EQ(encode(v, 1, 4, 3), TERN_OK);
    CHECK_EQ(spikes_of(0, 4, 10000), 0);
    for (uint32_t u = 1; u < 4; ++u) { /* binomial: within five standard deviations */
        const double p = 0.8 * v[u], mean = 10000 * p;
        CHECK(fabs(spikes_of(u, 4, 10000) - mean) < 5 * sqrt(mean * (1 - p)));
    }
    CHECK_EQ(counts.n_spikes, spikes_of(1, 4, 10000) + spikes_of(2, 4, 10000) + spikes_of(3, 4, 10000));
    unsigned both = 0; /* units are independent: 0.2 * 0.4 of the steps have both */
    for (uint32_t t = 0; t < 10000; ++t) both += out[t * 4 + 1] & out[t * 4 + 2];
    CHECK(fabs(both - 800.0) < 5 * sqrt(800.0 * 0.92));
    static uint8_t first[40000];
    memcpy(first, out, sizeof first);
    CHECK_EQ(encode(v, 1, 4, 3), TERN_OK);
    CHECK(memcmp(first, out, sizeof first) == 0); /* the same draws again */
    CHECK_EQ(encode(v, 1, 4, 4), TERN_OK);
    CHECK(memcmp(first, out, sizeof first) != 0); /* another sample, other draws */
    spec.seed = 2;
    CHECK_EQ(encode(v, 1, 4, 3), TERN_OK);
    CHECK(memcmp(first, out, sizeof first) != 0);
    /* rows: step t of row r has the draw of step r * steps + t, so two rows of 5 steps and one row of 10 agree where
     * the value does */
    static const double two[2] = { 0.5, 0.5 };
    spec.steps = 10;
    CHECK_EQ(encode(two, 1, 1, 0), TERN_OK);
    memcpy(first, out, 10);
    spec.steps = 5;
    CHECK_EQ(encode(two, 2, 1, 0), TERN_OK);
    CHECK(memcmp(first, out, 10) == 0);
    /* pinned: the same spikes on every machine */
    static const double pin[3] = { 0.1, 0.5, 0.9 };
    tern_encode_defaults(&spec);
    spec.steps = 10;
    CHECK_EQ(encode(pin, 1, 3, 0), TERN_OK);
    unsigned word = 0;
    for (uint32_t i = 0; i < 30; ++i) word |= (unsigned)out[i] << i;
    CHECK_EQ(word, 0x36d27924);
}

static void even(void)
{
    static const double v[5] = { 0.0, 0.1, 0.25, 0.5, 1.0 };
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_EVEN;
    spec.steps = 40;
    CHECK_EQ(encode(v, 1, 5, 0), TERN_OK);
    for (uint32_t u = 0; u < 5; ++u) CHECK_EQ(spikes_of(u, 5, 40), (unsigned)(40 * v[u] + 0.5));
    for (uint32_t t = 0; t < 40; ++t) {
        CHECK_EQ(out[t * 5 + 2], t % 4 == 1); /* every fourth step */
        CHECK_EQ(out[t * 5 + 3], t % 2 == 0);
    }
}

static void latency(void)
{
    static const double v[6] = { 0.0, 0.05, 0.25, 0.5, 0.75, 1.0 };
    static const int when[6] = { -1, -1, 15, 10, 5, 0 };
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_TIME;
    spec.steps = 21;
    CHECK_EQ(encode(v, 1, 6, 0), TERN_OK);
    for (uint32_t u = 0; u < 6; ++u)
        for (uint32_t t = 0; t < 21; ++t) CHECK_EQ(out[t * 6 + u], (int)t == when[u]);
    spec.threshold = 0.0; /* then all but 0 */
    CHECK_EQ(encode(v, 1, 6, 0), TERN_OK);
    CHECK(out[19 * 6 + 1] == 1 && spikes_of(0, 6, 21) == 0);
    spec.steps = 1;
    CHECK_EQ(encode(v, 1, 6, 0), TERN_OK);
    CHECK_EQ(counts.n_spikes, 5);
}

static void population(void)
{
    static const double v[2] = { 0.5, 0.0 };
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_EVEN;
    spec.population = 5; /* centres at 0, 0.25, 0.5, 0.75, 1 */
    spec.steps = 100;
    CHECK_EQ(tern_encode_units(&spec, 2), 10);
    CHECK_EQ(encode(v, 1, 2, 0), TERN_OK);
    const double near = (1 - 1 / 2.25) * (1 - 1 / 2.25); /* one distance away with a half width of 1.5 */
    static const int at[5] = { 0, 1, 2, 1, 0 };
    for (uint32_t j = 0; j < 5; ++j) {
        const unsigned n = spikes_of(j, 10, 100), want = at[j] == 2   ? 100
                                                         : at[j] == 1 ? (unsigned)(100 * near + 0.5)
                                                                      : 0;
        CHECK(n >= want - (want != 0) && n <= want + 1);
        CHECK_EQ(spikes_of(5 + j, 10, 100) > 0, j < 2); /* value 0: the first unit and its neighbour */
    }
    CHECK_EQ(spikes_of(5, 10, 100), 100);
}

static void change(void)
{
    static const double v[6] = { 0.50, 0.56, 0.64, 0.30, 0.30, 0.95 };
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_CHANGE;
    spec.steps = 4;
    CHECK_EQ(tern_encode_units(&spec, 1), 2);
    CHECK_EQ(encode(v, 6, 1, 0), TERN_OK);
    /* reference 0.5; 0.64: one up, 0.6; 0.30: three down, 0.3; 0.95: six up, of which four find a step */
    static const uint8_t up[6] = { 0, 0, 1, 0, 0, 4 }, down[6] = { 0, 0, 0, 3, 0, 0 };
    for (uint32_t r = 0; r < 6; ++r) {
        unsigned d = 0, u = 0;
        for (uint32_t t = 0; t < 4; ++t) d += out[(r * 4 + t) * 2], u += out[(r * 4 + t) * 2 + 1];
        CHECK_EQ(d, down[r]);
        CHECK_EQ(u, up[r]);
    }
    CHECK_EQ(counts.n_lost, 2);
    CHECK_EQ(counts.n_spikes, 8);
    static double many[600];
    for (int i = 0; i < 600; ++i) many[i] = i >= 300;
    spec.threshold = 1.0;
    spec.steps = 1;
    CHECK_EQ(encode(many, 2, 300, 0), TERN_OK); /* more units than fit the small list of references */
    CHECK_EQ(counts.n_spikes, 300);
}

static void odd_and_wrong(void)
{
    static const double v[4] = { -1.0, 300.0, 0.0, 255.0 };
    double nan[1] = { (double)NAN };
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_EVEN;
    spec.hi = 255;
    CHECK_EQ(encode(v, 1, 4, 0), TERN_OK);
    CHECK_EQ(counts.n_clamped, 2);
    CHECK(out[0] == 0 && out[1] == 1 && out[2] == 0 && out[3] == 1);
    CHECK_EQ(encode(nan, 1, 1, 0), TERN_OK);
    CHECK(counts.n_wrong == 1 && out[0] == 0);
    for (int k = 0; k < 12; ++k) {
        tern_encode_defaults(&spec);
        switch (k) {
        case 0: spec.code = 4; break;
        case 1: spec.population = 0; break;
        case 2: spec.population = 65; break;
        case 3: spec.steps = 0; break;
        case 4: spec.steps = 1000001; break;
        case 5: spec.rate = 1.1; break;
        case 6: spec.rate = (double)NAN; break;
        case 7: spec.threshold = -0.1; break;
        case 8: spec.code = TERN_CODE_CHANGE, spec.threshold = 0; break;
        case 9: spec.width = 0.4; break;
        case 10: spec.hi = spec.lo; break;
        case 11: spec.lo = -(double)INFINITY; break;
        }
        CHECK_EQ(encode(v, 1, 1, 0), TERN_ERR_ARGUMENT);
        CHECK(fixture_has(&diags, 462, TERN_SEV_ERROR));
    }
    tern_encode_defaults(&spec);
    spec.population = 64;
    CHECK_EQ(tern_encode_units(&spec, 1025), 0);
    CHECK_EQ(tern_encode(&spec, v, 1, 1025, 0, out, &counts, &diags), TERN_ERR_LIMIT);
    spec.population = 1;
    CHECK_EQ(encode(v, 1, 1, 1u << 28), TERN_ERR_LIMIT);
}

/* ---- files ---- */

static tern_encode_totals totals;

static void text(const char *path, const char *content) { fixture_write(path, content, strlen(content)); }

static tern_status encode_file(const tern_encode_input *in, const char *to)
{
    tern_diags_init(&diags);
    return tern_encode_file(&spec, in, to, tern_alloc_default(), NULL, NULL, &totals, &diags);
}

static void check_cells(const char *path, uint64_t n)
{
    tern_arena a;
    tern_recording r;
    tern_diags_init(&diags);
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_recording_load(path, "auto", &a, &r, &diags), TERN_OK);
    CHECK(r.units);
    CHECK_EQ(r.n_events, n);
    tern_arena_free(&a);
}

static void files(void)
{
    bytes b = { 0 }, l = { 0 };
    make_idx(&b, 5);
    make_idx_labels(&l, 5);
    fixture_write("i-images-idx3-ubyte", b.p, b.n);
    fixture_write("i-labels-idx1-ubyte", l.p, l.n);
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_TIME;
    spec.steps = 3;
    CHECK_EQ(encode_file(&(tern_encode_input){ .values = "i-images-idx3-ubyte", .window_us = 2000, .hi_by_kind = true },
                         "i.npz"),
             TERN_OK);
    CHECK(totals.n_samples == 5 && totals.units == 63 && totals.steps == 3 && totals.n_values == 63);
    CHECK_EQ(totals.counts.n_spikes, 5 * 12);
    check_cells("i.npz#3", 12);
    tern_arena a;
    tern_dataset set;
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_dataset_open("i.npz", &a, &set, &diags), TERN_OK);
    CHECK(set.n == 5 && set.labels[0] == 1 && set.labels[4] == 3);
    tern_arena_free(&a);
    b.n = 0; /* plain bytes with an index whose labels are words */
    for (int i = 0; i < 24; ++i) put_le(&b, i < 12 ? 0 : 200, 1);
    fixture_write("raw", b.p, b.n);
    text("raw.csv", "sample,letter,first_frame,n_frames\n0,B,0,4\n1,A,4,3\n2,B,7,1\n");
    spec.code = TERN_CODE_CHANGE;
    spec.threshold = 0.5;
    spec.steps = 1;
    CHECK_EQ(encode_file(
                 &(tern_encode_input){
                     .values = "raw", .columns = 3, .index = "raw.csv", .window_us = 1, .hi_by_kind = true },
                 "r.npz"),
             TERN_OK);
    CHECK(totals.n_samples == 3 && totals.units == 6 && totals.steps == 4 && totals.n_classes == 2);
    CHECK_STR(totals.classes[0], "A");
    CHECK_STR(totals.classes[1], "B");
    check_cells("r.npz#0", 0); /* bytes 0..11: no change */
    check_cells("r.npz#1", 0);
    text("raw.csv", "label,first_frame,n_frames\n7,2,4\n");
    CHECK_EQ(encode_file(
                 &(tern_encode_input){
                     .values = "raw", .columns = 3, .index = "raw.csv", .window_us = 1, .hi_by_kind = true },
                 "r.npz"),
             TERN_OK);
    check_cells("r.npz#0", 3);
    b.n = 0; /* NumPy: samples x rows x values of reals */
    put_npy_header(&b, "'>f4'", "2, 3, 2");
    for (int i = 0; i < 12; ++i) {
        const float f = (float)i / 11.0f;
        uint32_t w;
        memcpy(&w, &f, 4);
        put_be(&b, w, 4);
    }
    fixture_write("v.npy", b.p, b.n);
    spec.code = TERN_CODE_EVEN;
    spec.steps = 10;
    CHECK_EQ(encode_file(&(tern_encode_input){ .values = "v.npy", .window_us = 1, .hi_by_kind = true }, "v.npz"),
             TERN_OK);
    CHECK(totals.n_samples == 2 && totals.units == 2 && totals.steps == 30 && totals.counts.n_clamped == 0);
    static const struct {
        tern_encode_input in;
        int code;
    } wrong[] = {
        { { .values = "missing", .window_us = 1 }, 401 },
        { { .values = "raw", .window_us = 1 }, 461 },
        { { .values = "raw", .columns = 7, .window_us = 1 }, 461 },
        { { .values = "raw", .columns = 3, .index = "missing", .window_us = 1 }, 401 },
        { { .values = "raw", .columns = 3, .index = "raw", .window_us = 1 }, 448 },
        { { .values = "i-labels-idx1-ubyte", .window_us = 1 }, 418 },
        { { .values = "v.npy" }, 462 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        CHECK(encode_file(&wrong[i].in, "never.npz") != TERN_OK);
        if (!fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR))
            printf("case %zu: %s\n", i, diags.n != 0 ? diags.list[0].message : "");
        CHECK(fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR));
        CHECK(access("never.npz", F_OK) != 0);
    }
    /* far more frames than there are: told before memory is asked for */
    text("raw.csv", "label,first_frame,n_frames\n7,0,2\n3,0,20000000\n");
    CHECK_EQ(encode_file(
                 &(tern_encode_input){
                     .values = "raw", .columns = 3, .index = "raw.csv", .window_us = 1, .hi_by_kind = true },
                 "never.npz"),
             TERN_ERR_FORMAT);
    CHECK(fixture_has(&diags, 461, TERN_SEV_ERROR) && strstr(diags.list[0].message, "sample 1 ") != NULL);
    text("raw.csv", "label,first_frame,n_frames\n7,6,4\n"); /* more frames than there are */
    CHECK_EQ(encode_file(
                 &(tern_encode_input){
                     .values = "raw", .columns = 3, .index = "raw.csv", .window_us = 1, .hi_by_kind = true },
                 "never.npz"),
             TERN_ERR_FORMAT);
    CHECK(access("never.npz", F_OK) != 0);
    free(b.p);
    free(l.p);
}

/* braille-taxels/README.md: 1350 recordings, 27 classes of 50, 12 channels, 76 or 77 frames; mnist/README.md: 10000
 * images of 28 x 28, 7840000 bytes of mean 33.79. */
static void real(void)
{
    char values[4096], index[4096];
    snprintf(values, sizeof values, "%s", fixture_real("braille-taxels/braille_taxels_u8.bin.gz"));
    snprintf(index, sizeof index, "%s", fixture_real("braille-taxels/index.csv"));
    tern_encode_defaults(&spec);
    spec.code = TERN_CODE_CHANGE;
    spec.threshold = 0.02;
    spec.steps = 8;
    CHECK_EQ(encode_file(
                 &(tern_encode_input){
                     .values = values, .columns = 12, .index = index, .window_us = 1000, .hi_by_kind = true },
                 "b.npz"),
             TERN_OK);
    if (diags.n != 0) printf("%s\n", diags.list[0].message);
    CHECK_EQ(totals.n_samples, 1350);
    CHECK_EQ(totals.n_values, 12);
    CHECK_EQ(totals.units, 24);
    CHECK_EQ(totals.steps, 77 * 8);
    CHECK_EQ(totals.n_classes, 27);
    CHECK_STR(totals.classes[0], "A");
    CHECK_STR(totals.classes[19], "Space");
    CHECK_STR(totals.classes[26], "Z");
    CHECK(totals.counts.n_clamped == 0 && totals.counts.n_wrong == 0 && totals.counts.n_spikes > 40000);
    printf("%llu spikes, %llu lost\n", (unsigned long long)totals.counts.n_spikes,
           (unsigned long long)totals.counts.n_lost);
    tern_arena a;
    tern_dataset set;
    unsigned n[27] = { 0 };
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_dataset_open("b.npz", &a, &set, &diags), TERN_OK);
    for (size_t i = 0; i < set.n; ++i)
        if (set.labels[i] >= 0 && set.labels[i] < 27) ++n[set.labels[i]];
    for (int c = 0; c < 27; ++c) CHECK_EQ(n[c], 50);
    tern_arena_free(&a);
    /* all frames: 103059 rows of 12 */
    spec.code = TERN_CODE_EVEN;
    spec.steps = 1;
    CHECK_EQ(encode_file(&(tern_encode_input){ .values = values, .columns = 12, .window_us = 1000, .hi_by_kind = true },
                         "b.npz"),
             TERN_OK);
    CHECK_EQ(totals.steps, 103059);
    /* even code over 255 steps: as many spikes as the sum of all pixels, within half a spike a pixel */
    snprintf(values, sizeof values, "%s", fixture_real("mnist/t10k-images-idx3-ubyte.gz"));
    spec.steps = 1;
    spec.code = TERN_CODE_RATE;
    CHECK_EQ(encode_file(&(tern_encode_input){ .values = values, .window_us = 1000, .hi_by_kind = true }, "m.npz"),
             TERN_OK);
    CHECK(totals.n_samples == 10000 && totals.units == 784);
    const double mean = (double)totals.counts.n_spikes / 7840000.0 * 255.0;
    CHECK_NEAR(mean, 33.79, 0.2); /* the chance of a spike is the pixel's value: 5 standard deviations are 0.14 */
    remove("m.npz");
    /* all labels of the training images, beside images of one pixel; and the first 3750 of them beside their images */
    static const unsigned per_class[10] = { 5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949 };
    bytes dots = { 0 };
    put_be(&dots, 0x803, 4);
    put_be(&dots, 60000, 4);
    put_be(&dots, 1, 4);
    put_be(&dots, 1, 4);
    while (dots.n < 16 + 60000) put(&dots, &(uint8_t){ 0 }, 1);
    fixture_write("dots", dots.p, dots.n);
    free(dots.p);
    snprintf(index, sizeof index, "%s", fixture_real("mnist/train-labels-idx1-ubyte.gz"));
    snprintf(values, sizeof values, "%s", fixture_real("mnist/train3750-images-idx3-ubyte.gz"));
    for (int k = 0; k < 2; ++k) {
        unsigned count[10] = { 0 };
        CHECK_EQ(encode_file(
                     &(tern_encode_input){
                         .values = k == 0 ? "dots" : values, .labels = index, .window_us = 1000, .hi_by_kind = true },
                     "m.npz"),
                 TERN_OK);
        CHECK_EQ(totals.n_samples, k == 0 ? 60000 : 3750);
        tern_arena_init(&a, tern_alloc_default(), 0);
        CHECK_EQ(tern_dataset_open("m.npz", &a, &set, &diags), TERN_OK);
        CHECK_EQ(set.n, k == 0 ? 60000 : 3750);
        for (size_t i = 0; i < set.n; ++i)
            if (set.labels[i] >= 0 && set.labels[i] < 10) ++count[set.labels[i]];
        for (int c = 0; k == 0 && c < 10; ++c) CHECK_EQ(count[c], per_class[c]);
        if (k == 1 && set.n > 4)
            CHECK(set.labels[0] == 5 && set.labels[1] == 0 && set.labels[2] == 4 && set.labels[3] == 1 &&
                  set.labels[4] == 9);
        tern_arena_free(&a);
        remove("m.npz");
    }
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/tern-encode-XXXXXX", back[4096], remove_all[100];
    if (argc == 2) (void)fixture_real(""); /* skip before a folder is made */
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    const bool is_real = argc == 2 && strcmp(argv[1], "real") == 0;
    if (is_real) {
        real();
    } else {
        rate();
        even();
        latency();
        population();
        change();
        odd_and_wrong();
        files();
    }
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report(is_real ? "data.encode_real" : "data.encode");
}
