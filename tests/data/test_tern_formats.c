/* test_tern_formats.c : every format on the same recording, made by the tests' own encoders; what is odd in each; what
 * is refused
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <sys/stat.h>
#include <unistd.h>

static tern_diags diags;
static tern_arena arena;
static tern_recording rec;

/* Decodes from a copy of exactly the right size. */
static tern_status decode(const bytes *b, const char *file, const char *format)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    uint8_t *exact = malloc(b->n != 0 ? b->n : 1);
    if (exact == NULL) exit(1);
    if (b->n != 0) memcpy(exact, b->p, b->n);
    const tern_status s = tern_recording_decode(exact, b->n, file, format, &arena, &rec, &diags);
    free(exact);
    return s;
}

/* The recording is the sample: n events from number `first` on, with times that count from `zero`. */
static void check_events(const char *name, size_t first, size_t n, uint64_t zero)
{
    const tern_event *e = sample_events() + first;
    if (rec.n_events != n) printf("%s: %zu events\n", name, rec.n_events);
    CHECK_EQ(rec.n_events, n);
    unsigned differ = 0;
    for (size_t i = 0; i < n && i < rec.n_events; ++i) {
        const tern_event *g = &rec.events[i];
        differ += g->x != e[i].x || g->y != e[i].y || g->on != e[i].on || g->t_us + zero != e[i].t_us;
    }
    if (differ != 0) printf("%s: %u events differ\n", name, differ);
    CHECK_EQ(differ, 0);
}

static void same_events(void)
{
    for (int k = 0; k < N_SAMPLES; ++k) {
        const sample *s = &sample_list[k];
        bytes b = sample_make(k);
        if (b.n == 0) {
            printf("not in this build: %s\n", s->name);
            free(b.p);
            continue;
        }
        for (int by_name = 0; by_name < 2; ++by_name) {
            const tern_status st = decode(&b, "x", by_name ? s->format : "auto");
            if (st != TERN_OK) printf("%s: %s\n", s->name, diags.n != 0 ? diags.list[0].message : "?");
            CHECK_EQ(st, TERN_OK);
            CHECK_EQ(diags.n, 0);
            if (st != TERN_OK) continue;
            CHECK_STR(rec.format, s->format);
            check_events(s->name, 0, SAMPLE_EVENTS, SAMPLE_FIRST_US);
            CHECK_EQ(rec.t_first_us, SAMPLE_FIRST_US);
            CHECK_EQ(rec.n_backwards + rec.n_other + rec.n_off_sensor + rec.n_polarity + rec.n_left_over + rec.n_wraps,
                     0);
            CHECK_EQ(rec.sensor_guessed, !s->sensor);
            CHECK_EQ(rec.width, k < 2 ? 128 : 34);
            CHECK_EQ(rec.height, k < 2 ? 128 : 34);
            CHECK_EQ(rec.label, -1);
        }
        if (strncmp(s->name, "npz", 3) != 0) { /* the same within gzip, also in two parts */
            bytes z = { 0 };
            const bytes half[2] = { { b.p, b.n / 2, 0 }, { b.p + b.n / 2, b.n - b.n / 2, 0 } };
            make_gzip(&z, &half[0]);
            make_gzip(&z, &half[1]);
            CHECK_EQ(decode(&z, "x", "auto"), TERN_OK);
            CHECK_STR(rec.format, s->format);
            check_events(s->name, 0, SAMPLE_EVENTS, SAMPLE_FIRST_US);
            z.n -= 10; /* cut: told, not passed over */
            CHECK_EQ(decode(&z, "x", s->format), TERN_ERR_TRUNCATED);
            CHECK(fixture_has(&diags, 409, TERN_SEV_ERROR));
            z.p[z.n / 3] ^= 0x55;
            const tern_status st = decode(&z, "x", s->format);
            CHECK(st == TERN_ERR_TRUNCATED || st == TERN_ERR_FORMAT);
            free(z.p);
        }
        free(b.p);
    }
}

/* ---- what is odd ---- */

typedef struct odd {
    uint64_t events, backwards, off_sensor, other, polarity, left_over, wraps;
} odd;

static void check_odd(const char *name, const odd *o)
{
    if (rec.n_events != o->events || rec.n_backwards != o->backwards || rec.n_off_sensor != o->off_sensor ||
        rec.n_other != o->other || rec.n_polarity != o->polarity)
        printf("%s\n", name);
    CHECK_EQ(rec.n_events, o->events);
    CHECK_EQ(rec.n_backwards, o->backwards);
    CHECK_EQ(rec.n_off_sensor, o->off_sensor);
    CHECK_EQ(rec.n_other, o->other);
    CHECK_EQ(rec.n_polarity, o->polarity);
    CHECK_EQ(rec.n_left_over, o->left_over);
    CHECK_EQ(rec.n_wraps, o->wraps);
    CHECK_EQ(fixture_has(&diags, 410, TERN_SEV_WARNING), o->left_over != 0);
    CHECK_EQ(fixture_has(&diags, 412, TERN_SEV_WARNING), o->backwards != 0);
    CHECK_EQ(fixture_has(&diags, 413, TERN_SEV_WARNING), o->off_sensor + o->other != 0);
    CHECK_EQ(fixture_has(&diags, 414, TERN_SEV_WARNING), o->polarity != 0);
    CHECK_EQ(fixture_has(&diags, 411, TERN_SEV_WARNING), o->events == 0);
}

static void odd_binary(void)
{
    bytes b = { 0 };
    /* N-MNIST: an event off the sensor, a step of 8192 us, two bytes left over */
    put(&b,
        "\x01\x02\x00\x00\x0a"
        "\x22\x02\x80\x00\x0b"
        "\x00\xf0\x00\x00\x00"
        "\x03\x04\x80\x00\x05"
        "\x03\x04\x00\x00\x04"
        "\x01\x02",
        27);
    CHECK_EQ(decode(&b, "x.bin", "nmnist"), TERN_OK);
    check_odd("nmnist", &(odd){ .events = 3, .backwards = 1, .off_sensor = 1, .left_over = 2 });
    CHECK(rec.events[1].t_us == 8192 + 5 - 10 && rec.events[1].on == 1);
    b.n = 0;
    /* DAT: polarity 3, outside the width, a wrap of 32 bits, 7 bytes left over */
    put_text(&b, "% Version 2\n% Width 10\n% Height 10\n");
    put(&b, "\0\x08", 2);
    put_le(&b, 0xfffffff0u, 4), put_le(&b, 1u << 28 | 9u << 14 | 9u, 4);
    put_le(&b, 0xfffffff8u, 4), put_le(&b, 3u << 28 | 1u, 4);
    put_le(&b, 0x10, 4), put_le(&b, 2u << 14 | 3u, 4);
    put_le(&b, 0xfffffffcu, 4), put_le(&b, 4u, 4); /* a straggler from before the wrap */
    put_le(&b, 0x12, 4), put_le(&b, 10u, 4);
    put(&b, "1234567", 7);
    CHECK_EQ(decode(&b, "x.dat", "auto"), TERN_OK);
    check_odd("dat", &(odd){ .events = 3, .backwards = 1, .off_sensor = 1, .polarity = 1, .left_over = 7, .wraps = 1 });
    CHECK_EQ(rec.events[1].t_us, 0x20);
    CHECK_EQ(rec.events[2].t_us, 0x0c);
    b.n = 0;
    /* EVT 2: an event before the first time, a trigger, a reserved word, a wrap of the 34-bit clock, a byte left
     * over */
    put_text(&b, "% evt 2.0\n");
    put_le(&b, 1u << 28 | 5u << 11 | 6u, 4);
    put_le(&b, 8u << 28 | 0x0fffffffu, 4);
    put_le(&b, 1u << 28 | 63u << 22 | 5u << 11 | 6u, 4);
    put_le(&b, 0xau << 28, 4);
    put_le(&b, 5u << 28, 4);
    put_le(&b, 8u << 28 | 0u, 4);
    put_le(&b, 0u << 28 | 1u << 22 | 7u << 11 | 8u, 4);
    put_le(&b, 9, 1);
    CHECK_EQ(decode(&b, "x.raw", "auto"), TERN_OK);
    check_odd("evt2", &(odd){ .events = 2, .other = 3, .left_over = 1, .wraps = 1 });
    CHECK(rec.events[1].t_us == 2 && rec.events[1].x == 7 && rec.events[1].y == 8 && rec.events[1].on == 0);
    CHECK(rec.sensor_guessed);
    b.n = 0;
    /* EVT 3: events before a time or a row, a vector without its base, a trigger; a wrap of 24 bits */
    put_text(&b, "% evt 3.0\n");
    static const uint16_t words[] = { 0x2005, 0x8fff, 0x6fff, 0x2005, 0x0003, 0x4fff, 0x2805,
                                      0xa001, 0x8000, 0x6001, 0x3807, 0x5081, 0x4001, 0x1234 };
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) put_le(&b, words[i], 2);
    CHECK_EQ(decode(&b, "x.raw", "auto"), TERN_OK);
    check_odd("evt3", &(odd){ .events = 4, .other = 5, .wraps = 1 });
    CHECK(rec.events[0].x == 5 && rec.events[0].y == 3 && rec.events[0].on == 1);
    /* base 7: bits 0 and 7 of eight, then bit 0 of the next twelve */
    CHECK(rec.events[1].t_us == 2 && rec.events[1].x == 7 && rec.events[2].x == 14 && rec.events[3].x == 15);
    b.n = 0;
    /* Event Stream: an event off the sensor, a cut one */
    put(&b, "Event Stream\2\0\0\1\x0a\0\x05\0", 20);
    put(&b,
        "\x03\x09\0\x04\0"
        "\xfe\xff\x02\x0a\0\x04\0"
        "\x04\x00\0\x00\0"
        "\x02\x01\0",
        20);
    CHECK_EQ(decode(&b, "x.es", "auto"), TERN_OK);
    check_odd("es", &(odd){ .events = 2, .off_sensor = 1, .left_over = 3 });
    CHECK_EQ(rec.events[1].t_us, 127 + 1 + 2);
    b.n = 0;
    /* AEDAT 3.1: an event marked invalid, one without a time, a second camera, a cut packet; times above 31 bits */
    put_text(&b, "#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 0: DAVIS240C\r\n#!END-HEADER\r\n");
    put_packet3(&b, 1, 0, 8, 4, 1, 4);
    put_le(&b, 239u << 17 | 179u << 2 | 3u, 4), put_le(&b, 5, 4);
    put_le(&b, 1u << 17 | 2u, 4), put_le(&b, 6, 4);
    put_le(&b, 240u << 17 | 1u, 4), put_le(&b, 7, 4);
    put_le(&b, 1u, 4), put_le(&b, 0xffffffffu, 4);
    put_packet3(&b, 1, 3, 8, 4, 1, 1);
    put_le(&b, 1, 8);
    put_packet3(&b, 1, 0, 8, 4, 2, 3);
    put_le(&b, 1u, 4), put_le(&b, 1, 4);
    put(&b, "1234", 4);
    CHECK_EQ(decode(&b, "x.aedat", "auto"), TERN_OK);
    check_odd("aedat3", &(odd){ .events = 2, .off_sensor = 1, .other = 3, .left_over = 4 });
    CHECK_EQ(rec.t_first_us, ((uint64_t)1 << 31) + 5);
    CHECK_EQ(rec.events[1].t_us, ((uint64_t)1 << 31) - 4);
    CHECK(rec.width == 240 && rec.height == 180);
    free(b.p);
}

static void odd_aedat4(void)
{
    bytes b = { 0 };
    make_aedat4(&b, 0);
    const size_t whole = b.n;
    put_le(&b, 2, 4);
    put_le(&b, 1000, 4);
    put(&b, "not all of it", 13);
    CHECK_EQ(decode(&b, "x.aedat4", "auto"), TERN_OK);
    check_odd("aedat4", &(odd){ .events = SAMPLE_EVENTS, .left_over = 21 });
    b.n = whole;
    static const struct {
        uint32_t size;
        const char *content;
        int code;
    } damage[] = { { 5, "\1\0\0\0x", 417 },
                   { 12, "\xff\0\0\0abcdefgh", 417 },
                   { 12, "\x08\0\0\0\x08\0\0\0NOPE", 417 } };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; ++i) {
        put_le(&b, 2, 4);
        put_le(&b, damage[i].size, 4);
        put(&b, damage[i].content, damage[i].size);
        CHECK_EQ(decode(&b, "x.aedat4", "auto"), TERN_ERR_FORMAT);
        CHECK(fixture_has(&diags, damage[i].code, TERN_SEV_ERROR));
        b.n = whole;
    }
    free(b.p);
}

static void odd_text(void)
{
    static const struct {
        const char *text;
        odd o;
        uint64_t t1;
        tern_status st;
        int code, line;
    } cases[] = {
        { "t,x,y,p\n10,1,2,0\n20,3,4,1\n", { .events = 2 }, 10, TERN_OK, 0, 0 },
        /* no heading: t x y p */
        { "1 2 3 1\n5 2 3 -1\n", { .events = 2 }, 4, TERN_OK, 0, 0 },
        /* seconds */
        { "0.5 2 3 1\n0.5000024 2 3 0\n", { .events = 2 }, 2, TERN_OK, 0, 0 },
        { "t_us;y;x;pol\r\n10.4;1;2;1\r\n12.6;1;2;0", { .events = 2 }, 3, TERN_OK, 0, 0 },
        { "time\tunit\n1\t7\n2\t70000\n3\t-1\n4\t9\n", { .events = 2, .off_sensor = 2 }, 3, TERN_OK, 0, 0 },
        { "% a remark\n# sensor 4x4\n\n\"x\",\"y\",\"t\"\n1,1,5\n4,1,6\n1,4,7\n3,3,8\n",
          { .events = 2, .off_sensor = 2 },
          3,
          TERN_OK,
          0,
          0 },
        { "t,x,y,p\n5,1,1,2\n6,1,1,-2\n7,1,1,1\n8,1,1,0\n", { .events = 2, .polarity = 2 }, 1, TERN_OK, 0, 0 },
        { "t,x,y,p\n5,1,1,1\n4,1,1,1\n", { .events = 2, .backwards = 1 }, (uint64_t)-1, TERN_OK, 0, 0 },
        { "t,x,y,p\n-5,1,1,1\n4,1,1,1\n", { .events = 2 }, 9, TERN_OK, 0, 0 },
        { "t,x,y,p\n1e3,1,1,1\n2.5e3,1,1,1\n", { .events = 2 }, 1500, TERN_OK, 0, 0 },
        { "t,x,y,p\n", { .events = 0 }, 0, TERN_OK, 0, 0 },
        { "t,x,y,p\n1,2,3\n", { 0 }, 0, TERN_ERR_FORMAT, 417, 2 },
        { "t,x,y,p\n1,2,3,1\n1,x,3,1\n", { 0 }, 0, TERN_ERR_FORMAT, 417, 3 },
        { "t,x,y,p\n1,2,3,1.5.2\n", { 0 }, 0, TERN_ERR_FORMAT, 417, 2 },
        { "t,x,y,p\n99999999999999999999,2,3,1\n", { 0 }, 0, TERN_ERR_FORMAT, 417, 2 },
        { "a,b,c\n1,2,3\n", { 0 }, 0, TERN_ERR_FORMAT, 407, 1 },
        { "t,p\n1,2\n", { 0 }, 0, TERN_ERR_FORMAT, 407, 1 },
        { "# nothing\n", { 0 }, 0, TERN_ERR_FORMAT, 407, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bytes b = { 0 };
        put_text(&b, cases[i].text);
        const tern_status st = decode(&b, "x.csv", "csv");
        if (st != cases[i].st) printf("case %zu: %s\n", i, diags.n != 0 ? diags.list[0].message : "");
        CHECK_EQ(st, cases[i].st);
        if (st == TERN_OK && cases[i].st == TERN_OK) {
            check_odd(cases[i].text, &cases[i].o);
            if (cases[i].o.events > 1) CHECK_EQ(rec.events[1].t_us, cases[i].t1);
        } else if (st != TERN_OK) {
            CHECK(fixture_has(&diags, cases[i].code, TERN_SEV_ERROR));
            if (diags.n != 0) CHECK_EQ(diags.list[0].line, cases[i].line);
        }
        free(b.p);
    }
    bytes b = { 0 };
    put_text(&b, "t,x,y,p\n1,2,3,1\n");
    for (int i = 0; i < 5000; ++i) put_text(&b, "9");
    put_text(&b, "\n2,3,4,0\n");
    CHECK_EQ(decode(&b, "x.csv", "auto"), TERN_ERR_FORMAT); /* a line that is too long; what comes before it was read */
    if (diags.n != 0) CHECK_EQ(diags.list[0].line, 3);
    free(b.p);
}

/* ---- NumPy: shapes and types ---- */

static void arrays(void)
{
    bytes b = { 0 };
    /* a grid steps x units of reals: 0, minus zero, NaN, infinite, 0.25 */
    const float f[6] = { 0.0f, -0.0f, (float)NAN, (float)INFINITY, 0.25f, 0.0f };
    put_npy_header(&b, "'<f4'", "2, 3");
    for (int i = 0; i < 6; ++i) {
        uint32_t w;
        memcpy(&w, &f[i], 4);
        put_le(&b, w, 4);
    }
    CHECK_EQ(decode(&b, "x.npy", "auto"), TERN_OK);
    check_odd("grid", &(odd){ .events = 1, .other = 2 });
    CHECK(rec.units && rec.width == 3 && rec.height == 1);
    /* step 1: times count from step 0 */
    CHECK(rec.events[0].t_us == 1000 && rec.events[0].x == 1 && rec.t_first_us == 0);
    b.n = 0;
    /* samples x steps x planes x rows x columns; dt in seconds, labels */
    zip z = { 0 };
    int64_t g[2 * 3 * 2 * 2 * 4] = { 0 }, labels[2] = { 3, -1 }, window = 25000;
    g[48 + 16 * 2 + 8 + 4 + 1] = 1; /* sample 1, step 2, ON, row 1, column 1 */
    g[48 + 16 * 1 + 3] = 9;         /* sample 1, step 1, OFF, row 0, column 3 */
    zip_numbers(&z, "frames.npy", "'|u1'", 1, "2, 3, 2, 2, 4", g, 96, true);
    zip_numbers(&z, "labels.npy", "'<i8'", 8, "2,", labels, 2, false);
    zip_numbers(&z, "window_us.npy", "'<i8'", 8, "", &window, 1, false);
    zip_end(&z);
    CHECK_EQ(decode(&z.b, "x.npz#1", "auto"), TERN_OK);
    check_odd("frames", &(odd){ .events = 2 });
    CHECK_EQ(rec.label, -1);
    CHECK(rec.width == 4 && rec.height == 2 && !rec.units);
    CHECK(rec.events[0].t_us == 25000 && rec.events[0].x == 3 && rec.events[0].y == 0 && rec.events[0].on == 0);
    CHECK(rec.events[1].t_us == 50000 && rec.events[1].x == 1 && rec.events[1].y == 1 && rec.events[1].on == 1);
    CHECK_EQ(decode(&z.b, "x.npz#0", "auto"), TERN_OK);
    CHECK_EQ(rec.label, 3);
    CHECK_EQ(rec.n_events, 0);
    CHECK_EQ(decode(&z.b, "x.npz#2", "auto"), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    CHECK_EQ(decode(&z.b, "x.npz", "auto"), TERN_ERR_ARGUMENT); /* one of two must be named */
    CHECK_EQ(decode(&z.b, "x.npz#test/1", "auto"), TERN_ERR_ARGUMENT);
    free(z.b.p);
    /* rows of unit and time, unused places at the end */
    z = (zip){ 0 };
    const double seconds[6] = { 0.001, 0.0025, (double)INFINITY, 0.5, 0.25, 1.0 };
    int64_t idx[6] = { 4, 1, -1, 2, 0, 5 }, bits[6];
    memcpy(bits, seconds, sizeof bits);
    zip_numbers(&z, "idx.npy", "'<i4'", 4, "2, 3", idx, 6, false);
    zip_numbers(&z, "time.npy", "'<f8'", 8, "2, 3", bits, 6, false);
    zip_end(&z);
    CHECK_EQ(decode(&z.b, "x.npz#0", "auto"), TERN_OK);
    check_odd("rows", &(odd){ .events = 2 });
    CHECK(rec.units && rec.events[0].t_us == 1000 && rec.events[1].t_us == 2500 && rec.events[1].x == 1);
    CHECK_EQ(decode(&z.b, "x.npz#1", "auto"), TERN_OK);
    check_odd("rows", &(odd){ .events = 3, .backwards = 1 });
    free(z.b.p);
    static const struct {
        const char *descr, *shape;
        int code;
    } wrong[] = {
        { "'<U5'", "3,", 417 },
        { "'<i4'", "3,", 417 },
        { "[('t', '<i8')]", "3,", 417 },
        { "'<i8'", "2, 2, 2, 2, 2, 2", 417 },
        { "'<i4'", "999999999999, 4", 417 },
        { "'<i8'", "18446744073709551615, 18446744073709551615", 417 },
        { "'|u1'", "1, 1, 3, 2, 2", 417 },
        { "'|O'", "2, 2", 418 },
        { "''", "3,", 417 },
        { "'<'", "3,", 417 },
        { "[('t', '<i8'), ('x', '<i2'), ('y', '<i2'), ('unit', '<i2')]", "3,", 417 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        b.n = 0;
        put_npy_header(&b, wrong[i].descr, wrong[i].shape);
        const tern_status st = decode(&b, "x.npy", "auto");
        if (st == TERN_OK) printf("case %zu\n", i);
        CHECK(st == TERN_ERR_FORMAT || st == TERN_ERR_TRUNCATED);
        CHECK(fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR));
    }
    free(b.p);
}

static void refused(void)
{
    static const struct {
        const char *content;
        size_t n;
        int code;
        tern_status st;
    } cases[] = {
        { "#!AER-DAT3.1\r\n#Format: Serial-TS\r\n#!END-HEADER\r\n", 0, 418, TERN_ERR_FORMAT },
        { "#!AER-DAT3.1\r\n#Format: RAW\r\n", 0, 407, TERN_ERR_TRUNCATED },
        { "#!AER-DAT3.1\r\n#Format: RAW\r\nabc\r\n", 0, 407, TERN_ERR_FORMAT },
        { "#!AER-DAT4.0\r\n", 0, 407, TERN_ERR_TRUNCATED },
        { "#!AER-DAT4.0\r\n\xff\xff\xff\x7f", 18, 407, TERN_ERR_FORMAT },
        { "Event Stream\1\0\0\1\2\0\2\0", 20, 406, TERN_ERR_VERSION },
        { "Event Stream\2\0\0\0\2\0\2\0", 20, 418, TERN_ERR_FORMAT },
        { "Event Stream\2\0\0\1\0\0\2\0", 20, 407, TERN_ERR_FORMAT },
        { "Event Stream\2\0\0\1\2", 17, 407, TERN_ERR_TRUNCATED },
        { "% evt 2.1\n\0\0\0\0", 14, 418, TERN_ERR_FORMAT },
        { "% Version 2\n\x0e\x08", 0, 418, TERN_ERR_FORMAT },
        { "% Version 2\n", 0, 407, TERN_ERR_TRUNCATED },
        { "\x93NUMPY\x04\0\x10\0", 10, 417, TERN_ERR_TRUNCATED },
        { "\x93NUMPY\x01\0\x02\0{}aaa", 15, 417, TERN_ERR_FORMAT },
        { "PK\3\4 and no directory at the end", 0, 417, TERN_ERR_TRUNCATED },
        { "\0\0\x08\3\0\0\0\1\0\0\0\0\0\0\0\1", 16, 418, TERN_ERR_FORMAT },
        { "\0\0\x08\1\0\0\0\1\5", 9, 418, TERN_ERR_FORMAT },
        { "\x1f\x8b\x08 broken gzip", 0, 409, TERN_ERR_FORMAT },
        /* not from memory */
        { "\x89HDF\r\n\x1a\n and so on", 0, TERN_HAVE_HDF5 ? 418 : 415,
          TERN_HAVE_HDF5 ? TERN_ERR_FORMAT : TERN_ERR_TOOL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bytes b = { 0 };
        put(&b, cases[i].content, cases[i].n != 0 ? cases[i].n : strlen(cases[i].content));
        const tern_status st = decode(&b, "x", "auto");
        if (st != cases[i].st || !fixture_has(&diags, cases[i].code, TERN_SEV_ERROR))
            printf("case %zu: %s\n", i, diags.n != 0 ? diags.list[0].message : "");
        CHECK_EQ(st, cases[i].st);
        CHECK(fixture_has(&diags, cases[i].code, TERN_SEV_ERROR));
        if (diags.n != 0) CHECK(diags.list[0].hint[0] != 0); /* every one says what helps */
        free(b.p);
    }
    const char *package;
    for (size_t i = 0; tern_recording_format_name(i) != NULL; ++i) {
        const bool ready = tern_recording_format_ready(i, &package);
        const bool hdf5 = strcmp(tern_recording_format_name(i), "hdf5") == 0;
        CHECK_EQ(ready, !hdf5 || TERN_HAVE_HDF5);
        CHECK((package == NULL) == ready);
        if (!ready) CHECK_STR(package, "libhdf5-dev");
    }
}

/* ---- files: images, HDF5 ---- */

static tern_status load(const char *path)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    return tern_recording_load(path, "auto", &arena, &rec, &diags);
}

static void images(void)
{
    bytes b = { 0 }, l = { 0 }, z = { 0 };
    make_idx(&b, 4);
    make_idx_labels(&l, 4);
    make_gzip(&z, &l);
    fixture_write("t-images-idx3-ubyte", b.p, b.n);
    fixture_write("t-labels-idx1-ubyte.gz", z.p, z.n);
    CHECK_EQ(load("t-images-idx3-ubyte#2"), TERN_OK);
    CHECK_EQ(rec.label, 7);
    CHECK_EQ(rec.width, 128);
    CHECK(rec.n_events > 500 && rec.n_events < 20000);
    const size_t n = rec.n_events;
    CHECK_EQ(load("t-images-idx3-ubyte#2"), TERN_OK);
    CHECK_EQ(rec.n_events, n); /* the same image gives the same events */
    CHECK_EQ(load("t-images-idx3-ubyte#4"), TERN_ERR_ARGUMENT);
    CHECK_EQ(load("t-images-idx3-ubyte"), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    CHECK_EQ(load("t-labels-idx1-ubyte.gz"), TERN_ERR_FORMAT);
    b.n -= 70;
    fixture_write("t-images-idx3-ubyte", b.p, b.n);
    CHECK_EQ(load("t-images-idx3-ubyte#2"), TERN_ERR_TRUNCATED);
    CHECK_EQ(load("t-images-idx3-ubyte#1"), TERN_OK);
    free(b.p);
    free(l.p);
    free(z.p);
}

#if TERN_HAVE_HDF5
static void hdf5(void)
{
    make_hdf5_groups("g.h5");
    for (int k = 0; k < 3; ++k) {
        char name[32];
        snprintf(name, sizeof name, "g.h5#train/%d", k);
        CHECK_EQ(load(name), TERN_OK);
        if (diags.n != 0) printf("%s\n", diags.list[0].message);
        CHECK_STR(rec.format, "hdf5");
        CHECK_EQ(rec.label, 5 + k);
        CHECK(rec.sensor_guessed && !rec.units);
        check_events(name, (size_t)k * 100, 100, sample_events()[k * 100].t_us);
        CHECK_EQ(rec.t_first_us, sample_events()[k * 100].t_us + 1000u * (unsigned)k);
    }
    CHECK_EQ(load("g.h5#test/0"), TERN_OK);
    CHECK_EQ(rec.n_events, SAMPLE_EVENTS);
    static const struct {
        const char *name;
        int code;
        tern_status st;
    } wrong[] = {
        { "g.h5", 416, TERN_ERR_ARGUMENT },       { "g.h5#train/3", 416, TERN_ERR_ARGUMENT },
        { "g.h5#train", 416, TERN_ERR_ARGUMENT }, { "g.h5#other/0", 416, TERN_ERR_ARGUMENT },
        { "s.h5#3", 416, TERN_ERR_ARGUMENT },     { "s.h5#train/0", 416, TERN_ERR_ARGUMENT },
        { "empty.h5#0", 418, TERN_ERR_FORMAT },   { "odd.h5#train/0", 417, TERN_ERR_FORMAT },
    };
    make_hdf5_spikes("s.h5", true);
    hid_t file = H5Fcreate("empty.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    file = H5Fcreate("odd.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); /* two columns of data instead of three */
    const hid_t group = H5Gcreate2(file, "train", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    static const int64_t zero[12];
    h5_write(group, "time", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, (const hsize_t[]){ 4 }, false, zero);
    h5_write(group, "data", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, (const hsize_t[]){ 4, 2 }, false, zero);
    h5_write(group, "labels", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, (const hsize_t[]){ 1, 3 }, false, zero);
    H5Gclose(group);
    H5Fclose(file);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        CHECK_EQ(load(wrong[i].name), wrong[i].st);
        if (!fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR))
            printf("%s: %s\n", wrong[i].name, diags.n != 0 ? diags.list[0].message : "");
        CHECK(fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR));
    }
    CHECK_EQ(load("s.h5#1"), TERN_OK);
    CHECK_EQ(rec.label, 0);
    CHECK(rec.units && rec.t_first_us == 0); /* seconds from the sample's beginning */
    CHECK_EQ(rec.n_events, 100);
    for (size_t i = 0; i < rec.n_events; ++i) {
        const tern_event *e = &sample_events()[100 + i];
        CHECK(rec.events[i].x == e->x && rec.events[i].y == 0 && rec.events[i].on == 1);
        CHECK(rec.events[i].t_us + 1 >= e->t_us && rec.events[i].t_us <= e->t_us + 1); /* seconds of 32 bits */
    }
    make_hdf5_spikes("n.h5", false);
    CHECK_EQ(load("n.h5#0"), TERN_OK);
    CHECK_EQ(rec.label, -1);
}
#endif

int main(void)
{
    char dir[] = "/tmp/tern-formats-XXXXXX", back[4096], remove_all[100];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    same_events();
    odd_binary();
    odd_aedat4();
    odd_text();
    arrays();
    refused();
    images();
#if TERN_HAVE_HDF5
    hdf5();
#else
    printf("not in this build: hdf5\n");
#endif
    tern_arena_free(&arena);
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.formats");
}
