/* tern_aedat3.c : AEDAT 3.1, format RAW (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Header lines up to "#!END-HEADER"; then packets, little-endian: a header of 28 bytes and `number` events of `size`
 * bytes. Polarity events (type 1):
 *     data, 32 bits:  31..17 x | 16..2 y | 1 polarity, 1 = ON | 0 valid
 *     time, 32 bits:  microseconds, 31 bits; the packet's overflow counter has the bits above
 */
#include "tern_formats.h"
#include <string.h>

enum { HEADER_BYTES = 28, POLARITY = 1, EVENT_BYTES = 8, MAX_HEADER_LINES = 10000 };
static const char magic[] = "#!AER-DAT3.1";

typedef struct reader {
    int32_t source;    /* whose polarity events are read; -1: of the first packet that has some */
    uint64_t left;     /* bytes of the packet that were not read */
    bool ours;         /* the packet holds events that are read */
    uint64_t overflow; /* its times' high bits, in place */
} reader;

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= sizeof magic - 1 && memcmp(b, magic, sizeof magic - 1) == 0;
}

static const struct {
    const char *name;
    uint32_t width, height;
} cameras[] = {
    { "DVS128", 128, 128 },    { "eDVS", 128, 128 },      { "DAVIS128", 128, 128 }, { "DAVIS208", 208, 192 },
    { "DAVIS240", 240, 180 },  { "DAVIS346", 346, 260 },  { "DAVIS640", 640, 480 }, { "DVXplorer Lite", 320, 240 },
    { "DVXplorer", 640, 480 }, { "DVXPLORER", 640, 480 },
};

/* "#Source 1: DAVIS240C": the first source whose camera is known gives the sensor. */
static void source_line(tern_stream *s, const uint8_t *line, size_t n)
{
    static const char key[] = "#Source ";
    reader *r = s->state;
    uint64_t id;
    size_t used;
    if (r->source >= 0 || n < sizeof key || memcmp(line, key, sizeof key - 1) != 0) return;
    const uint8_t *p = line + sizeof key - 1;
    if (!tern__digits(p, n - (sizeof key - 1), &id, &used) || id > 32767) return;
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; ++i)
        if (tern__find(p, n - (sizeof key - 1), cameras[i].name) != NULL) {
            r->source = (int32_t)id;
            s->info.width = cameras[i].width;
            s->info.height = cameras[i].height;
            return;
        }
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    (void)selected;
    reader *r = s->state;
    r->source = -1;
    for (int number = 1;; ++number) {
        const uint8_t *line;
        size_t n;
        const tern_status st = tern__header_line(s, number, &line, &n, d);
        if (st != TERN_OK) return st;
        if (number == 1 && (n != sizeof magic - 1 || memcmp(line, magic, sizeof magic - 1) != 0)) {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, 1, NULL,
                                          "the first line is not %s", magic),
                           "is this an AEDAT 3.1 file?");
            return TERN_ERR_FORMAT;
        }
        if (n == 0 || line[0] != '#' || number > MAX_HEADER_LINES) {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, number, NULL,
                                          "the header has no line #!END-HEADER"),
                           "the file is damaged; copy it again");
            return TERN_ERR_FORMAT;
        }
        if (n >= 8 && memcmp(line, "#Format:", 8) == 0 && tern__find(line, n, "RAW") == NULL) {
            char text[40];
            tern__copy_text(text, sizeof text, line + 8, n - 8);
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_KIND, s->path, number, NULL,
                                          "format '%s' of AEDAT 3.1 is not read, only RAW", text),
                           "convert the recording to RAW");
            return TERN_ERR_FORMAT;
        }
        source_line(s, line, n);
        if (n == 13 && memcmp(line, "#!END-HEADER", 12) == 0) return TERN_OK; /* some writers add a blank */
        if (n == 12 && memcmp(line, "#!END-HEADER", 12) == 0) return TERN_OK;
    }
}

/* Looks at the next packet's header; *end: there is none. */
static tern_status next_packet(tern_stream *s, bool *end, tern_diags *d)
{
    reader *r = s->state;
    const uint8_t *p;
    const size_t have = tern__source_peek(&s->src, HEADER_BYTES, &p);
    *end = have < HEADER_BYTES;
    if (*end) {
        s->counts.n_left_over += have;
        tern__source_take(&s->src, have);
        return tern__source_problem(s, &s->src, d);
    }
    const unsigned type = tern__le16(p), source = tern__le16(p + 2);
    const int64_t size = (int32_t)tern__le32(p + 4), offset = (int32_t)tern__le32(p + 8),
                  overflow = (int32_t)tern__le32(p + 12), capacity = (int32_t)tern__le32(p + 16),
                  number = (int32_t)tern__le32(p + 20);
    const bool polarity = type == POLARITY;
    if (size < 1 || number < 0 || capacity < number || overflow < 0 || offset < 0 || offset + 4 > size ||
        (polarity && (size != EVENT_BYTES || offset != 4)) || (type & 0x8000u) != 0) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_DAMAGED,
                                          "the packet header at byte %llu makes no sense: type %u, %lld events of %lld "
                                          "bytes, room for %lld, time at %lld",
                                          TERN__AT(s), type, (long long)number, (long long)size, (long long)capacity,
                                          (long long)offset),
                       "the file is damaged there; `tern data convert --repair` keeps what comes before it");
        return TERN_ERR_FORMAT;
    }
    if (polarity && r->source < 0) r->source = (int32_t)source;
    r->left = (uint64_t)size * (uint64_t)number;
    r->ours = polarity && (int32_t)source == r->source;
    r->overflow = (uint64_t)overflow << 31;
    if (polarity && !r->ours) s->counts.n_other += (uint64_t)number; /* a second camera in the same file */
    tern__source_take(&s->src, HEADER_BYTES);
    return TERN_OK;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k == 0) {
        if (r->left == 0) {
            bool end;
            const tern_status st = next_packet(s, &end, d);
            if (st != TERN_OK || end) return st;
            continue;
        }
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, EVENT_BYTES, &p);
        if (!r->ours) { /* frames, inertial sensors, special events */
            if (have == 0) return tern__source_problem(s, &s->src, d);
            const size_t n = r->left < have ? (size_t)r->left : have;
            tern__source_take(&s->src, n);
            r->left -= n;
            continue;
        }
        size_t n = have / EVENT_BYTES;
        if (n == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        if (n > room) n = room;
        if (n > r->left / EVENT_BYTES) n = (size_t)(r->left / EVENT_BYTES);
        for (size_t i = 0; i < n; ++i, p += EVENT_BYTES) {
            const uint32_t a = tern__le32(p), t = tern__le32(p + 4);
            if ((a & 1u) == 0 || t >> 31 != 0) { /* marked invalid by a filter; or no time */
                ++s->counts.n_other;
                continue;
            }
            out[k++] = (tern_event){ .t_us = r->overflow + t,
                                     .x = (uint16_t)(a >> 17),
                                     .y = (uint16_t)(a >> 2 & 0x7fffu),
                                     .on = (uint8_t)(a >> 1 & 1u) };
        }
        tern__source_take(&s->src, n * EVENT_BYTES);
        r->left -= n * EVENT_BYTES;
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_aedat3 = { .name = "aedat3",
                                           .suffixes = { ".aedat" },
                                           .state_bytes = sizeof(reader),
                                           .detect = detect,
                                           .open = open_file,
                                           .read = read_events };
