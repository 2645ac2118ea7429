/* test_tern_aedat2.c : the AEDAT 2.0 reader on made-up bytes
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"

static uint8_t buf[4096];

/* HEADER and n records of (address, time). */
static size_t make(const char *header, const uint32_t (*rec)[2], size_t n)
{
    size_t p = strlen(header);
    memcpy(buf, header, p);
    for (size_t i = 0; i < n; ++i)
        for (int w = 0; w < 2; ++w)
            for (int k = 24; k >= 0; k -= 8) buf[p++] = (uint8_t)(rec[i][w] >> k);
    return p;
}

/* Decodes from a copy of exactly the right size. */
static tern_status decode(size_t size, const char *format, tern_arena *a, tern_recording *r, tern_diags *d)
{
    tern_arena_init(a, tern_alloc_default(), 0);
    tern_diags_init(d);
    uint8_t *exact = malloc(size != 0 ? size : 1);
    if (exact == NULL) exit(1);
    memcpy(exact, buf, size);
    const tern_status s = tern_recording_decode(exact, size, "x.aedat", format, a, r, d);
    free(exact);
    return s;
}

static void reads_fields(void)
{
    static const uint32_t rec[][2] = { { 5u << 8 | 9u << 1, 1000 }, { 127u << 8 | 127u << 1 | 1, 1000 }, { 0, 1025 } };
    tern_arena a;
    tern_recording r;
    tern_diags d;
    const size_t n = make(HEADER, rec, 3);
    CHECK_EQ(decode(n, "auto", &a, &r, &d), TERN_OK);
    CHECK_EQ(d.n, 0);
    CHECK_EQ(r.n_events, 3);
    CHECK_EQ(r.width, 128);
    CHECK_EQ(r.height, 128);
    CHECK_EQ(r.label, -1);
    CHECK_EQ(r.t_first_us, 1000);
    CHECK_STR(r.format, "aedat2");
    CHECK_STR(r.file, "x.aedat");
    CHECK_EQ(r.events[0].x, 9);
    CHECK_EQ(r.events[0].y, 5);
    CHECK_EQ(r.events[0].on, 1); /* bit 0 clear: ON, as in jAER */
    CHECK_EQ(r.events[0].t_us, 0);
    CHECK_EQ(r.events[1].x, 127);
    CHECK_EQ(r.events[1].y, 127);
    CHECK_EQ(r.events[1].on, 0);
    CHECK_EQ(r.events[2].t_us, 25);
    tern_arena_free(&a);
    CHECK_EQ(decode(n, "aedat2", &a, &r, &d), TERN_OK);
    CHECK_EQ(r.n_events, 3);
    tern_arena_free(&a);
}

static void counts_what_is_odd(void)
{
    /* a wrap of the clock, a step back, a synchronisation input, three bytes left over */
    static const uint32_t rec[][2] = { { 2, 0xfffffff0u }, { 4, 0x10u },          { 6, 0x8u },
                                       { 0x8000u, 0x20u }, { 0x80000000u, 0x1u }, { 8, 0x20u } };
    tern_arena a;
    tern_recording r;
    tern_diags d;
    CHECK_EQ(decode(make(HEADER, rec, 6) + 3, "auto", &a, &r, &d), TERN_OK);
    CHECK_EQ(r.n_events, 4);
    CHECK_EQ(r.n_other, 2);
    CHECK_EQ(r.n_backwards, 1);
    CHECK_EQ(r.n_wraps, 1);
    CHECK_EQ(r.n_left_over, 3);
    CHECK_EQ(r.events[1].t_us, 0x20);
    CHECK_EQ(r.events[2].t_us, 0x18); /* not sorted, not repaired */
    CHECK_EQ(r.events[3].t_us, 0x30);
    CHECK(fixture_has(&d, 410, TERN_SEV_WARNING));
    CHECK(fixture_has(&d, 412, TERN_SEV_WARNING));
    CHECK(fixture_has(&d, 413, TERN_SEV_WARNING));
    CHECK_EQ(d.n_errors, 0);
    tern_arena_free(&a);
}

/* DAVIS cameras have another layout: y 30..22, x 21..12, bit 11 = ON, bits 31 and 10 mark what is no pixel event. */
static void davis(void)
{
    static const uint32_t rec[][2] = { { 259u << 22 | 345u << 12 | 1u << 11, 7 },
                                       { 1u << 22 | 2u << 12, 8 },
                                       { 0x80000000u | 5u << 22, 9 },
                                       { 3u << 12 | 1u << 10, 10 },
                                       { 260u << 22 | 2u << 12, 11 },
                                       { 2u << 22 | 346u << 12, 12 } };
    tern_arena a;
    tern_recording r;
    tern_diags d;
    CHECK_EQ(decode(make("#!AER-DAT2.0\r\n# AEChip: eu.seebetter.ini.chips.davis.Davis346red\r\n", rec, 6), "auto", &a,
                    &r, &d),
             TERN_OK);
    CHECK_EQ(r.width, 346);
    CHECK_EQ(r.height, 260);
    CHECK_EQ(r.n_events, 2);
    CHECK_EQ(r.n_other, 2);
    CHECK_EQ(r.n_off_sensor, 2);
    CHECK(r.events[0].x == 345 && r.events[0].y == 259 && r.events[0].on == 1 && r.events[0].t_us == 0);
    CHECK(r.events[1].x == 2 && r.events[1].y == 1 && r.events[1].on == 0 && r.events[1].t_us == 1);
    CHECK(fixture_has(&d, 413, TERN_SEV_WARNING));
    tern_arena_free(&a);
    CHECK_EQ(decode(make("#!AER-DAT2.0\r\n# AEChip: eu.seebetter.ini.chips.davis.DAVIS240C\r\n", rec, 2), "auto", &a,
                    &r, &d),
             TERN_OK);
    CHECK_EQ(r.width, 240);
    CHECK_EQ(r.n_off_sensor, 1);
    /* nothing else: this is not the camera */
    CHECK_EQ(decode(make("#!AER-DAT2.0\r\n# AEChip: eu.seebetter.ini.chips.davis.DAVIS240C\r\n", rec, 1), "auto", &a,
                    &r, &d),
             TERN_ERR_FORMAT);
    CHECK(fixture_has(&d, 463, TERN_SEV_ERROR));
    tern_arena_free(&a);
}

static void header_cases(void)
{
    static const struct {
        const char *header;
        tern_status status;
        int code;
    } cases[] = {
        { "", TERN_ERR_FORMAT, 405 },
        { "#!AER-DAT", TERN_ERR_TRUNCATED, 407 },
        { "#!AER-DAT2.0", TERN_ERR_TRUNCATED, 407 },
        { "#!AER-DAT2.0\r", TERN_ERR_TRUNCATED, 407 },
        { "#!AER-DAT2.0\r\n# no end", TERN_ERR_TRUNCATED, 407 },
        { "#!AER-DAT2.0\r\n# bell \a\r\n", TERN_ERR_FORMAT, 407 },
        { "#!AER-DAT1.1\r\n", TERN_ERR_VERSION, 406 },
        { "#!AER-DAT3.0\r\n", TERN_ERR_VERSION, 406 },
        { "#!AER-DAT\r\n", TERN_ERR_VERSION, 406 },
        { "#!AER-DAT2.01\r\n", TERN_ERR_VERSION, 406 },
        { "#!AER-DAT2.0\r\n# AEChip: ch.unizh.ini.jaer.chip.cochlea.CochleaAMS1c\r\n", TERN_ERR_FORMAT, 408 },
        { "#!AER-DAT2.0\r\n# AEChip:\r\n", TERN_ERR_FORMAT, 408 },
        { "PK something else", TERN_ERR_FORMAT, 405 },
        { "path,label\n", TERN_ERR_FORMAT, 405 },
        { HEADER, TERN_OK, 411 }, /* header only: nothing in it, which is reported */
        { "#!AER-DAT2.0\n# LF only\n", TERN_OK, 411 },
        { "#!AER-DAT2.0\r\n#\r\n", TERN_OK, 411 },
        { "#!AER-DAT2.0\r\n# AEChip: ch.unizh.ini.jaer.chip.retina.DVS128\r\n", TERN_OK, 411 },
        { "#!AER-DAT2.0\r\n# gr\xc3\xbc\xc3\x9f\x65\r\n", TERN_OK, 411 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tern_arena a;
        tern_recording r;
        tern_diags d;
        const tern_status s = decode(make(cases[i].header, NULL, 0), "auto", &a, &r, &d);
        if (s != cases[i].status) printf("case %zu: %s\n", i, cases[i].header);
        CHECK_EQ(s, cases[i].status);
        CHECK(fixture_has(&d, cases[i].code, s == TERN_OK ? TERN_SEV_WARNING : TERN_SEV_ERROR));
        CHECK_EQ(r.n_events, 0);
        char text[TERN_DIAG_BYTES];
        for (size_t k = 0; k < d.n; ++k) CHECK(tern_diag_format(&d.list[k], text, sizeof text) > 20);
        tern_arena_free(&a);
    }
}

static void formats_and_files(void)
{
    tern_arena a;
    tern_recording r;
    tern_diags d;
    CHECK_EQ(decode(make(HEADER, NULL, 0), "aedat9", &a, &r, &d), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&d, 404, TERN_SEV_ERROR));
    tern_arena_free(&a);
    /* no header at all */
    CHECK_EQ(decode(make("\x01\x02\x03\x04\x05\x06\x07\x08", NULL, 0), "aedat2", &a, &r, &d), TERN_ERR_FORMAT);
    CHECK(fixture_has(&d, 407, TERN_SEV_ERROR));
    tern_arena_free(&a);
    CHECK_STR(tern_recording_format_name(0), "aedat2");
    CHECK(tern_recording_format_name(1000) == NULL);
    static const struct {
        const char *path;
        tern_status status;
        int code;
    } files[] = { { "/nonexistent/x.aedat", TERN_ERR_IO, 401 },
                  { "/", TERN_ERR_IO, 402 },
                  { "/dev/zero", TERN_ERR_IO, 402 } };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        tern_diags_init(&d);
        tern_arena_init(&a, tern_alloc_default(), 0);
        CHECK_EQ(tern_recording_load(files[i].path, "auto", &a, &r, &d), files[i].status);
        CHECK(fixture_has(&d, files[i].code, TERN_SEV_ERROR));
        tern_arena_free(&a);
    }
}

static uint32_t next_random(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }

static void survives_garbage(void)
{
    uint32_t seed = 1, n_ok = 0;
    for (int round = 0; round < 2000; ++round) {
        size_t n = next_random(&seed) >> 21;
        const size_t h = make(HEADER, NULL, 0);
        if (n < h) n = h;
        for (size_t i = round % 2 ? h : 0; i < n; ++i) buf[i] = (uint8_t)(next_random(&seed) >> 24);
        tern_arena a;
        tern_recording r;
        tern_diags d;
        const tern_status s = decode(n, round % 4 < 2 ? "auto" : "aedat2", &a, &r, &d);
        if (s == TERN_OK) {
            ++n_ok;
            /* '#' there makes one more header line */
            if (n == h || buf[h] != '#') CHECK_EQ(r.n_events + r.n_other, (n - h) / 8);
            for (size_t i = 0; i < r.n_events; ++i) CHECK(r.events[i].x < 128 && r.events[i].y < 128);
        } else {
            CHECK(d.n_errors >= 1);
        }
        tern_arena_free(&a);
    }
    CHECK(n_ok > 900 && n_ok <= 1000);
}

static void round_trip(void)
{
    tern_arena a;
    tern_recording r, back;
    tern_diags d;
    tern_sim_settings set;
    const uint8_t *bytes;
    size_t size;
    tern_diags_init(&d);
    tern_sim_defaults(&set);
    set.duration_us = 200000;
    tern_arena_init(&a, tern_alloc_default(), 0);
    CHECK_EQ(tern_sim_digit(&set, 4, 1, &a, &r, &d), TERN_OK);
    CHECK_EQ(tern_aedat2_encode(&r, "one line", &a, &bytes, &size, &d), TERN_OK);
    CHECK_EQ(tern_recording_decode(bytes, size, NULL, "auto", &a, &back, &d), TERN_OK);
    CHECK_EQ(d.n, 0);
    CHECK_EQ(back.n_events, r.n_events);
    for (size_t i = 0; i < r.n_events && i < back.n_events; ++i)
        CHECK(back.events[i].t_us == r.events[i].t_us && back.events[i].x == r.events[i].x &&
              back.events[i].y == r.events[i].y && back.events[i].on == r.events[i].on);
    CHECK_EQ(tern_aedat2_encode(&r, "two\nlines", &a, &bytes, &size, &d), TERN_ERR_ARGUMENT);
    r.events[0].x = 128;
    CHECK_EQ(tern_aedat2_encode(&r, NULL, &a, &bytes, &size, &d), TERN_ERR_LIMIT);
    CHECK(fixture_has(&d, 453, TERN_SEV_ERROR));
    tern_arena_free(&a);
}

int main(void)
{
    reads_fields();
    counts_what_is_odd();
    davis();
    header_cases();
    formats_and_files();
    survives_garbage();
    round_trip();
    return tern_check_report("data.aedat2");
}
