/* tern_es.c : Event Stream 2, DVS and ATIS events (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * "Event Stream", version (3 bytes), type, width and height (2 bytes each, little-endian); then events of 5 bytes with
 * the time since the one before:
 *     DVS   first byte: time 7..1, ON 0              0xff: 127 microseconds later, no event; 0xfe: nothing
 *     ATIS  first byte: time 7..2, polarity 1, exposure 0    0xfc + n: n * 63 microseconds later, no event
 * and x, y of 2 bytes each.
 */
#include "tern_formats.h"
#include <string.h>

enum { HEADER_BYTES = 20, EVENT_BYTES = 5, DVS = 1, ATIS = 2 };
static const char magic[] = "Event Stream";

typedef struct reader {
    uint8_t type;
    uint64_t t;
} reader;

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= 12 && memcmp(b, magic, 12) == 0;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    static const char *const types[] = { "generic", "DVS", "ATIS", "asynchronous display", "color", "liquid" };
    (void)selected;
    reader *r = s->state;
    const uint8_t *p;
    const size_t n = tern__source_peek(&s->src, HEADER_BYTES, &p);
    if (n < 16 || memcmp(p, magic, 12) != 0) {
        const tern_status why = tern__source_problem(s, &s->src, d);
        if (why != TERN_OK) return why;
        tern_diag_hint(
            tern__stream_error(s, d, TERN_DATA_HEADER, "%s",
                               n < 16 ? "the file ends within the header" : "does not begin with 'Event Stream'"),
            "copy the file again");
        return n < 16 ? TERN_ERR_TRUNCATED : TERN_ERR_FORMAT;
    }
    if (p[12] != 2) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_VERSION,
                                          "Event Stream version %u.%u.%u is not read, only 2.x", p[12], p[13], p[14]),
                       "convert it to version 2");
        return TERN_ERR_VERSION;
    }
    r->type = p[15];
    if (r->type != DVS && r->type != ATIS) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_KIND, "events of type %u (%s) have no pixel that changed",
                                          r->type, r->type < 6 ? types[r->type] : "not known"),
                       "DVS and ATIS events are read");
        return TERN_ERR_FORMAT;
    }
    if (n < HEADER_BYTES) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "the file ends within the header"),
                       "copy the file again");
        return TERN_ERR_TRUNCATED;
    }
    s->info.width = tern__le16(p + 16);
    s->info.height = tern__le16(p + 18);
    if (s->info.width == 0 || s->info.height == 0) {
        tern_diag_hint(
            tern__stream_error(s, d, TERN_DATA_HEADER, "the sensor has %u x %u pixels", s->info.width, s->info.height),
            "the file is damaged; copy it again");
        return TERN_ERR_FORMAT;
    }
    tern__source_take(&s->src, HEADER_BYTES);
    return TERN_OK;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    const bool atis = r->type == ATIS;
    size_t k = 0;
    while (k == 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, EVENT_BYTES, &p);
        if (have == 0) return tern__source_problem(s, &s->src, d);
        size_t i = 0;
        while (i < have && k < room) {
            const uint8_t b = p[i];
            if (atis ? b >= 0xfc : b >= 0xfe) { /* time continues */
                r->t += atis ? (uint64_t)(b & 3u) * 63 : b == 0xff ? 127 : 0;
                ++i;
                continue;
            }
            if (have - i < EVENT_BYTES) break;
            r->t += atis ? b >> 2 : b >> 1;
            if (!atis || (b & 1u) == 0)
                out[k++] = (tern_event){ .t_us = r->t,
                                         .x = tern__le16(p + i + 1),
                                         .y = tern__le16(p + i + 3),
                                         .on = atis ? b >> 1 & 1u : b & 1u };
            i += EVENT_BYTES;
        }
        tern__source_take(&s->src, i);
        if (i == 0) { /* the last event is cut */
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
        }
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_es = { .name = "es",
                                       .suffixes = { ".es" },
                                       .state_bytes = sizeof(reader),
                                       .detect = detect,
                                       .open = open_file,
                                       .read = read_events };
