/* tern_aedat2.c : AEDAT 1.0, 2.0 and 2.1, reading; 2.0, writing (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Header: lines beginning with '#' and ending in LF, usually CR LF; the first is "#!AER-DAT2.0". Then records of 8
 * bytes, big-endian: address, time in microseconds. The camera, named in the header, says what the address means:
 *     DVS128   31..15 must be 0 in a pixel event | 14..8 y | 7..1 x | 0 polarity, 0 = ON
 *     DAVIS    31 must be 0 | 30..22 y | 21..12 x | 11 polarity, 1 = ON | 10 must be 0 | 9..0 of no meaning here
 * Polarity is as in jAER, which made the format (DVS128: bit 0 set, darker). In the MNIST-DVS recordings a bright digit
 * moves, and the events with bit 0 clear lie on its leading edge, which agrees.
 */
#include "tern_formats.h"
#include "tern/simulate.h"
#include <stdio.h>
#include <string.h>

enum { RECORD_BYTES = 8, DVS128_SIZE = 128 };
static const char magic[] = "#!AER-DAT"; /* followed by the version */

static void put_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

typedef struct reader {
    bool davis;
    unsigned bytes; /* of a record: 8; AEDAT 1.0, whose addresses have 16 bits: 6 */
    uint64_t left;  /* records to read */
} reader;

/* AEDAT 3.1 and 4.0 have readers of their own; every other version comes here, to be refused by name. */
static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    const size_t m = sizeof magic - 1;
    return n >= m && memcmp(b, magic, m) == 0 &&
           (n < m + 3 || (memcmp(b + m, "3.1", 3) != 0 && memcmp(b + m, "4.0", 3) != 0));
}

/* parts of the names that jAER gives its chips */
static const struct {
    const char *name;
    uint32_t width, height;
    bool davis;
} cameras[] = {
    { "DVS128", 128, 128, false }, { "Tmpdiff128", 128, 128, false }, { "avis128", 128, 128, true },
    { "avis208", 208, 192, true }, { "avis240", 240, 180, true },     { "AVIS240", 240, 180, true },
    { "avis346", 346, 260, true }, { "AVIS346", 346, 260, true },     { "avis640", 640, 480, true },
    { "AVIS640", 640, 480, true },
};

/* Line `# AEChip: package.of.the.Class` */
static tern_status camera_line(tern_stream *s, const uint8_t *chip, size_t n, int number, tern_diags *d)
{
    char text[64];
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; ++i)
        if (tern__find(chip, n, cameras[i].name) != NULL) {
            s->info.width = cameras[i].width;
            s->info.height = cameras[i].height;
            ((reader *)s->state)->davis = cameras[i].davis;
            return TERN_OK;
        }
    /* other cameras pack x and y into other bits: reading them as DVS128 would give wrong pixels without a word */
    tern__copy_text(text, sizeof text, chip + 7, n - 7);
    tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_CAMERA, s->path, number, NULL,
                                  "is from camera '%s', whose address layout is unknown",
                                  text[0] == ' ' ? text + 1 : text),
                   "addresses of DVS128 and of DAVIS cameras are supported");
    return TERN_ERR_FORMAT;
}

/* 2.1 has the records of 2.0. False: another version. */
static bool version(tern_stream *s, reader *r, const uint8_t *text, size_t n)
{
    if (n != 3 || text[1] != '.' ||
        !((text[0] == '1' && text[2] == '0') || (text[0] == '2' && (text[2] == '0' || text[2] == '1'))))
        return false;
    r->bytes = text[0] == '1' ? 6 : RECORD_BYTES;
    if (text[2] == '1') snprintf(s->info.assumed, sizeof s->info.assumed, "AEDAT 2.1 with the records of 2.0");
    return true;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    reader *r = s->state;
    const uint8_t *line;
    size_t n;
    const size_t m = sizeof magic - 1;
    s->info.width = s->info.height = DVS128_SIZE;
    for (int number = 1;; number += number < 1000000000) {
        if (tern__source_peek(&s->src, 1, &line) == 0 || line[0] != '#') {
            if (number != 1) break;
            const tern_status why = tern__source_problem(s, &s->src, d);
            if (why != TERN_OK) return why;
            n = 0; /* no header at all */
        } else {
            const tern_status st = tern__header_line(s, number, &line, &n, d);
            if (st != TERN_OK) return st;
        }
        if (number == 1 && (n < m || memcmp(line, magic, m) != 0)) {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, 1, NULL,
                                          "the first line does not name the version"),
                           "an AEDAT 2.0 file begins with the line #!AER-DAT2.0");
            return TERN_ERR_FORMAT;
        }
        if (number == 1 && !version(s, r, line + m, n - m)) {
            char text[64];
            tern__copy_text(text, sizeof text, line + m, n - m);
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_VERSION, s->path, 1, NULL,
                                          "AEDAT version '%s' is not supported; 1.0, 2.0, 2.1, 3.1 and 4.0 are", text),
                           "convert the recording (the version is in the header, not in the file name)");
            return TERN_ERR_VERSION;
        }
        const uint8_t *chip = tern__find(line, n, "AEChip:");
        if (chip != NULL) {
            const tern_status st = camera_line(s, chip, n - (size_t)(chip - line), number, d);
            if (st != TERN_OK) return st;
        }
    }
    return tern__fixed_records(s, tern__source_pos(&s->src), r->bytes, &r->left, selected, d);
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, r->bytes, &p);
        size_t n = have / r->bytes;
        if (n == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        if (n > room) n = room;
        if (n > r->left) n = (size_t)r->left;
        for (size_t i = 0; i < n; ++i, p += r->bytes) {
            const uint32_t a = r->bytes == 6 ? (uint32_t)p[0] << 8 | p[1] : tern__be32(p),
                           t = tern__be32(p + r->bytes - 4);
            /* synchronisation inputs, samples of the frame sensor and the like */
            if (r->davis ? (a & 0x80000400u) != 0 : a >> 15 != 0) {
                ++s->counts.n_other;
                continue;
            }
            tern_event e = { .t_us = tern__unwrap(s, t, 32) };
            if (r->davis)
                e.x = (uint16_t)(a >> 12 & 1023u), e.y = (uint16_t)(a >> 22 & 511u), e.on = (uint8_t)(a >> 11 & 1u);
            else e.x = (uint16_t)(a >> 1 & 127u), e.y = (uint16_t)(a >> 8 & 127u), e.on = (a & 1u) == 0;
            out[k++] = e;
        }
        tern__source_take(&s->src, n * r->bytes);
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_aedat2 = { .name = "aedat2",
                                           .suffixes = { ".aedat" },
                                           .state_bytes = sizeof(reader),
                                           .detect = detect,
                                           .open = open_file,
                                           .read = read_events };

tern_status tern_aedat2_encode(const tern_recording *rec, const char *comment, tern_arena *arena,
                               const uint8_t **out_bytes, size_t *out_size, tern_diags *diags)
{
    static const char head[] =
        "#!AER-DAT2.0\r\n# This is a raw AE data file - do not edit\r\n"
        "# Data format is int32 address, int32 timestamp (8 bytes total), repeated for each event\r\n"
        "# Timestamps tick is 1 us\r\n# AEChip: ch.unizh.ini.jaer.chip.retina.DVS128\r\n";
    const size_t nh = sizeof head - 1, nc = comment == NULL ? 0 : strlen(comment);
    for (size_t i = 0; i < nc; ++i) /* a line end would make a header line without '#' */
        if ((unsigned char)comment[i] < 0x20) return TERN_ERR_ARGUMENT;
    if (nc > 1000 || rec->n_events > TERN_RECORDING_MAX_EVENTS) return TERN_ERR_LIMIT;
    const size_t total = nh + (nc != 0 ? nc + 4 : 0) + rec->n_events * RECORD_BYTES;
    uint8_t *b = tern_arena_get(arena, total, 1), *p = b;
    if (b == NULL) return TERN_ERR_MEMORY;
    memcpy(p, head, nh);
    p += nh;
    if (nc != 0) {
        memcpy(p, "# ", 2);
        memcpy(p + 2, comment, nc);
        memcpy(p + 2 + nc, "\r\n", 2);
        p += nc + 4;
    }
    for (size_t i = 0; i < rec->n_events; ++i) {
        const tern_event *e = &rec->events[i];
        if (e->x >= DVS128_SIZE || e->y >= DVS128_SIZE || e->t_us > UINT32_MAX) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_RANGE, rec->file, 0, NULL,
                           "event %zu (x %u, y %u, %llu us) does not fit AEDAT 2.0: "
                           "x and y below 128, time below 2^32 us",
                           i, e->x, e->y, (unsigned long long)e->t_us);
            return TERN_ERR_LIMIT;
        }
        put_be32(p, (uint32_t)e->y << 8 | (uint32_t)e->x << 1 | (e->on ? 0u : 1u));
        put_be32(p + 4, (uint32_t)e->t_us);
        p += RECORD_BYTES;
    }
    *out_bytes = b;
    *out_size = total;
    return TERN_OK;
}
