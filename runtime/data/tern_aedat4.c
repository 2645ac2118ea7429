/* tern_aedat4.c : AEDAT 4 (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * "#!AER-DAT4.0\r\n"; a FlatBuffer "IOHE" with its length before it: compression, place of the table at the end, and a
 * text in XML that tells the streams; then packets: stream (4 bytes), size (4 bytes), and as many bytes of a compressed
 * FlatBuffer. Events are in buffers "EVTS": a vector of
 *     time, 8 bytes, microseconds | x, 2 bytes | y, 2 bytes | ON, 1 byte | 3 bytes of no meaning
 * All numbers little-endian. Of FlatBuffers only what these two need is read here: root, table, field, vector; every
 * offset is checked.
 */
#include "tern_unpack.h"
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 14, PACKET_BYTES = 8, EVENT_BYTES = 16, MAX_HEADER = 200 << 10, MAX_STREAMS = 64 };
static const char magic[] = "#!AER-DAT4.0";

typedef struct reader {
    tern__unpacker unpack;
    int32_t stream;  /* that is read; -1: of the first packet of events */
    uint64_t end;    /* where packets end */
    size_t at, left; /* within the unpacked block: next event, events left */
} reader;

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= sizeof magic - 1 && memcmp(b, magic, sizeof magic - 1) == 0;
}

/* ---- FlatBuffers ---- */

typedef struct flat {
    const uint8_t *p;
    size_t n;
} flat; /* without the length before it */

/* The root table's place; 0: it is none, or of another kind. `id`: four letters. */
static size_t flat_root(flat f, const char *id)
{
    if (f.n < 8 || memcmp(f.p + 4, id, 4) != 0) return 0;
    const uint32_t at = tern__le32(f.p);
    return at >= 8 && at <= f.n - 4 ? at : 0;
}

/* Place of a field of `bytes` bytes; 0: not there. */
static size_t flat_field(flat f, size_t table, unsigned number, size_t bytes)
{
    const int64_t vtable = (int64_t)table - (int32_t)tern__le32(f.p + table);
    if (vtable < 0 || vtable > (int64_t)f.n - 4) return 0;
    const size_t v = (size_t)vtable, v_bytes = tern__le16(f.p + v), slot = 4 + 2 * (size_t)number;
    if (slot + 2 > v_bytes || v + slot + 2 > f.n) return 0;
    const size_t off = tern__le16(f.p + v + slot);
    return off == 0 || table + off > f.n || f.n - table - off < bytes ? 0 : table + off;
}

/* Vector that the offset at `field` leads to: place of its items; 0: not there. */
static size_t flat_vector(flat f, size_t field, size_t item_bytes, size_t *n)
{
    const uint32_t off = tern__le32(f.p + field);
    if (off > f.n - field || f.n - field - off < 4) return 0;
    const size_t at = field + off + 4, count = tern__le32(f.p + at - 4);
    if (count > (f.n - at) / item_bytes) return 0;
    *n = count;
    return at;
}

/* ---- streams, told in XML ---- */

/* Text of an attribute of the tag p[0..n-1]; false: it has none. */
static bool attribute(const uint8_t *p, size_t n, const char *name, char *out, size_t room)
{
    const size_t m = strlen(name);
    for (size_t i = 1; i + m + 2 < n; ++i)
        if (p[i - 1] == ' ' && memcmp(p + i, name, m) == 0 && p[i + m] == '=' && p[i + m + 1] == '"') {
            const uint8_t *from = p + i + m + 2, *end = memchr(from, '"', n - (i + m + 2));
            if (end == NULL) return false;
            const size_t len = (size_t)(end - from) < room - 1 ? (size_t)(end - from) : room - 1;
            memcpy(out, from, len);
            out[len] = 0;
            return true;
        }
    return false;
}

static bool small_number(const char *text, int32_t most, int32_t *out)
{
    uint64_t v;
    size_t used;
    if (!tern__digits((const uint8_t *)text, strlen(text), &v, &used) || text[used] != 0 || v > (uint64_t)most)
        return false;
    *out = (int32_t)v;
    return true;
}

typedef struct told {
    int32_t id, width, height;
    bool events;
} told;

/* One <attr key="...">value</attr> of a stream. */
static void told_attribute(told *t, const uint8_t *tag, size_t n, const uint8_t *value, size_t n_value)
{
    char key[32], text[32];
    if (!attribute(tag, n, "key", key, sizeof key)) return;
    const uint8_t *end = memchr(value, '<', n_value);
    const size_t len = end == NULL || (size_t)(end - value) >= sizeof text ? 0 : (size_t)(end - value);
    memcpy(text, value, len);
    text[len] = 0;
    if (strcmp(key, "typeIdentifier") == 0) t->events = strcmp(text, "EVTS") == 0;
    else if (strcmp(key, "sizeX") == 0) (void)small_number(text, 65536, &t->width);
    else if (strcmp(key, "sizeY") == 0) (void)small_number(text, 65536, &t->height);
}

/* The first stream that holds events. Nodes named by a number are streams; what lies within belongs to them. */
static void read_streams(tern_stream *s, const uint8_t *p, size_t n)
{
    reader *r = s->state;
    told now = { .id = -1 };
    int depth = 0, stream_depth = 0;
    for (size_t i = 0; i < n;) {
        const uint8_t *open = memchr(p + i, '<', n - i);
        if (open == NULL) return;
        const uint8_t *close = memchr(open, '>', n - (size_t)(open - p));
        if (close == NULL) return;
        const size_t len = (size_t)(close - open) + 1, rest = n - (size_t)(close - p) - 1;
        char name[32];
        if (len > 6 && memcmp(open, "<node ", 6) == 0) {
            ++depth;
            if (stream_depth == 0 && attribute(open, len, "name", name, sizeof name) &&
                small_number(name, INT32_MAX, &now.id)) {
                now = (told){ .id = now.id };
                stream_depth = depth;
            }
            if (close[-1] == '/') --depth;
        } else if (len >= 7 && memcmp(open, "</node>", 7) == 0) {
            if (depth == stream_depth && stream_depth != 0) {
                stream_depth = 0;
                if (now.events) {
                    r->stream = now.id;
                    s->info.width = now.width > 0 ? (uint32_t)now.width : 0;
                    s->info.height = now.height > 0 ? (uint32_t)now.height : 0;
                    return;
                }
            }
            --depth;
        } else if (stream_depth != 0 && len > 6 && memcmp(open, "<attr ", 6) == 0) {
            told_attribute(&now, open, len, close + 1, rest);
        }
        i = (size_t)(close - p) + 1;
    }
}

/* ---- opening ---- */

static tern_status damaged_header(tern_stream *s, tern_diags *d, bool cut)
{
    const tern_status why = tern__source_problem(s, &s->src, d);
    if (why != TERN_OK) return why;
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "%s",
                                      cut ? "the file ends within the header" : "the header (buffer IOHE) is damaged"),
                   "copy the file again");
    return cut ? TERN_ERR_TRUNCATED : TERN_ERR_FORMAT;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    static const char *const names[] = { "none", "LZ4", "LZ4", "Zstandard", "Zstandard" };
    (void)selected;
    reader *r = s->state;
    const uint8_t *p;
    size_t have = tern__source_peek(&s->src, LINE_BYTES + 4, &p);
    r->stream = -1;
    if (have < LINE_BYTES + 4 || memcmp(p, magic, sizeof magic - 1) != 0 || p[12] != '\r' || p[13] != '\n')
        return damaged_header(s, d, have < LINE_BYTES + 4);
    const uint32_t bytes = tern__le32(p + LINE_BYTES);
    if (bytes > MAX_HEADER) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "the header would have %u bytes, at most %d are read",
                                          bytes, MAX_HEADER),
                       "the file is damaged; copy it again");
        return TERN_ERR_FORMAT;
    }
    have = tern__source_peek(&s->src, LINE_BYTES + 4 + bytes, &p);
    if (have < LINE_BYTES + 4 + bytes) return damaged_header(s, d, true);
    const flat f = { p + LINE_BYTES + 4, bytes };
    const size_t root = flat_root(f, "IOHE");
    if (root == 0) return damaged_header(s, d, false);
    const size_t compression = flat_field(f, root, 0, 4), table = flat_field(f, root, 1, 8),
                 node = flat_field(f, root, 2, 4);
    const uint32_t kind = compression == 0 ? 0 : tern__le32(f.p + compression);
    const int64_t table_at = table == 0 ? -1 : (int64_t)tern__le64(f.p + table);
    if (kind > 4) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_KIND,
                                          "compression %u is not known; 0 (none), 1, 2 (LZ4), 3 and 4 (Zstandard) are",
                                          kind),
                       "save it with another compression");
        return TERN_ERR_FORMAT;
    }
    const tern__packing packing = kind == 0 ? TERN__PACK_NONE : kind <= 2 ? TERN__PACK_LZ4 : TERN__PACK_ZSTD;
    if (tern__unpack_missing(packing) != NULL) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_LIBRARY,
                                          "is compressed with %s, which this tern was built without", names[kind]),
                       "install the package %s and build tern again", tern__unpack_missing(packing));
        return TERN_ERR_TOOL;
    }
    size_t n_text = 0;
    const size_t text = node == 0 ? 0 : flat_vector(f, node, 1, &n_text);
    if (text != 0) read_streams(s, f.p + text, n_text);
    const uint64_t begin = LINE_BYTES + 4 + (uint64_t)bytes;
    r->end = table_at > 0 && (uint64_t)table_at >= begin ? (uint64_t)table_at : UINT64_MAX;
    tern__source_take(&s->src, LINE_BYTES + 4 + bytes);
    return tern__unpack_open(&r->unpack, packing, s->alloc);
}

static void close_file(tern_stream *s) { tern__unpack_close(&((reader *)s->state)->unpack); }

/* ---- packets ---- */

static tern_status damaged_packet(tern_stream *s, tern_diags *d, unsigned long long at, const char *what)
{
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_DAMAGED, "the packet at byte %llu %s", at, what),
                   "the file is damaged there; `tern data convert --repair` keeps what comes before it");
    return TERN_ERR_FORMAT;
}

/* Unpacks the next packet of events; *end: there is none. */
static tern_status next_packet(tern_stream *s, bool *end, tern_diags *d)
{
    reader *r = s->state;
    const uint8_t *p;
    const unsigned long long at = TERN__AT(s);
    *end = false;
    const size_t have = at >= r->end ? 0 : tern__source_peek(&s->src, PACKET_BYTES, &p);
    if (have < PACKET_BYTES) {
        *end = true;
        s->counts.n_left_over += have;
        return at >= r->end ? TERN_OK : tern__source_problem(s, &s->src, d);
    }
    const int32_t stream = (int32_t)tern__le32(p), size = (int32_t)tern__le32(p + 4);
    if (stream < 0 || size < 0) return damaged_packet(s, d, at, "has a header that makes no sense");
    tern__source_take(&s->src, PACKET_BYTES);
    if (r->stream >= 0 && stream != r->stream) { /* frames, inertial sensors, triggers */
        const uint64_t behind = (uint64_t)at + PACKET_BYTES + (uint32_t)size;
        tern__source_seek(&s->src, behind);
        if (TERN__AT(s) != behind) {
            s->counts.n_left_over += TERN__AT(s) - at;
            *end = true;
            return tern__source_problem(s, &s->src, d);
        }
        return TERN_OK;
    }
    const tern_status st = tern__unpack_block(&r->unpack, &s->src, (uint64_t)size);
    if (st == TERN_ERR_TRUNCATED) { /* cut off while it was written */
        s->counts.n_left_over += TERN__AT(s) - at;
        *end = true;
        return tern__source_problem(s, &s->src, d);
    }
    if (st == TERN_ERR_MEMORY) return st;
    if (st != TERN_OK)
        return damaged_packet(s, d, at,
                              st == TERN_ERR_LIMIT ? "has more than 32 MiB when unpacked" : "cannot be unpacked");
    if (r->unpack.n < 4 || tern__le32(r->unpack.buf) > r->unpack.n - 4)
        return damaged_packet(s, d, at, "has no buffer in it");
    const flat f = { r->unpack.buf + 4, r->unpack.n - 4 };
    const size_t root = flat_root(f, "EVTS");
    if (root == 0)
        return r->stream >= 0 ? damaged_packet(s, d, at, "holds no events, though its stream does") : TERN_OK;
    r->stream = stream;
    const size_t field = flat_field(f, root, 0, 4);
    if (field == 0) return TERN_OK; /* no events in this packet */
    size_t n;
    const size_t first = flat_vector(f, field, EVENT_BYTES, &n);
    if (first == 0) return damaged_packet(s, d, at, "has fewer bytes than its events need");
    r->at = 4 + first;
    r->left = n;
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
        const uint8_t *p = r->unpack.buf + r->at;
        const size_t n = r->left < room ? r->left : room;
        for (size_t i = 0; i < n; ++i, p += EVENT_BYTES) {
            const uint16_t x = tern__le16(p + 8), y = tern__le16(p + 10);
            tern_event e = { .t_us = tern__le64(p), .x = x, .y = y };
            if ((x | y) >> 15 != 0) ++s->counts.n_off_sensor; /* negative */
            else if (tern__polarity(s, p[12], &e.on)) out[k++] = e;
        }
        r->at += n * EVENT_BYTES;
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_aedat4 = { .name = "aedat4",
                                           .suffixes = { ".aedat4" },
                                           .state_bytes = sizeof(reader),
                                           .detect = detect,
                                           .open = open_file,
                                           .read = read_events,
                                           .close = close_file };
