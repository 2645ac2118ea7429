/* tern_prophesee.c : Prophesee DAT, EVT 2.0 and EVT 3.0 (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * All three begin with text lines "% keyword value". Then, little-endian:
 *     DAT    event type, event size (8), then records: time, 32 bits | polarity 31..28, y 27..14, x 13..0
 *     EVT 2  words of 32 bits: type 31..28 | time low 27..22, x 21..11, y 10..0 | or time high 27..0
 *     EVT 3  words of 16 bits: type 15..12 | what the type says
 */
#include "tern_formats.h"
#include <string.h>

enum { MAX_LINES = 10000, DAT_BYTES = 8 };

typedef struct header {
    int evt;
    uint32_t width, height;
} header; /* evt: 2, 3, 21 (2.1), 0: not named */

typedef struct reader {
    uint64_t left;           /* DAT: records to read */
    uint64_t high;           /* EVT 2: time bits 33..6 in place; EVT 3: bits above 11 in place */
    uint32_t low, y, base_x; /* EVT 3 */
    uint8_t vector_on;       /* EVT 3: polarity of the vector */
    bool has_high, has_low, has_y, has_base;
} reader;

static bool is_word(const uint8_t *p, size_t n, const char *word)
{
    const size_t m = strlen(word);
    return n >= m && memcmp(p, word, m) == 0 && (n == m || p[m] == ' ' || p[m] == ';' || p[m] == '.');
}

/* Number behind a key like "width=" or "% Width "; 0 if there is none up to 65535. */
static uint32_t size_after(const uint8_t *p, size_t n, const char *key)
{
    uint64_t v;
    size_t used;
    const uint8_t *at = tern__find(p, n, key);
    if (at == NULL) return 0;
    at += strlen(key);
    return tern__digits(at, n - (size_t)(at - p), &v, &used) && v <= 65535 ? (uint32_t)v : 0;
}

/* One line behind "% ". */
static void keyword(header *h, const uint8_t *p, size_t n)
{
    static const struct {
        const char *text;
        int evt;
    } forms[] = { { "evt 2.0", 2 },       { "evt 2.1", 21 },    { "evt 3.0", 3 },
                  { "format EVT21", 21 }, { "format EVT2", 2 }, { "format EVT3", 3 } };
    for (size_t i = 0; i < sizeof forms / sizeof *forms && h->evt == 0; ++i)
        if (is_word(p, n, forms[i].text)) h->evt = forms[i].evt;
    uint32_t w = size_after(p, n, "width="), v = size_after(p, n, "height=");
    if (w != 0 && v != 0) h->width = w, h->height = v;
    if (is_word(p, n, "Width")) h->width = size_after(p, n, "Width ");
    if (is_word(p, n, "Height")) h->height = size_after(p, n, "Height ");
    if (is_word(p, n, "geometry")) { /* 1280x720 */
        const uint8_t *x = memchr(p, 'x', n);
        w = size_after(p, n, "geometry ");
        v = x == NULL ? 0 : size_after(x, n - (size_t)(x - p), "x");
        if (w != 0 && v != 0) h->width = w, h->height = v;
    }
    /* recordings of the third and fourth generation that name the camera's plugin only */
    if (tern__find(p, n, "hal_plugin_gen41") != NULL || tern__find(p, n, "hal_plugin_gen4_") != NULL ||
        tern__find(p, n, "hal_plugin_imx636") != NULL) {
        if (h->width == 0) h->width = 1280, h->height = 720;
    } else if (tern__find(p, n, "hal_plugin_gen31") != NULL || tern__find(p, n, "hal_plugin_gen3_") != NULL) {
        if (h->width == 0) h->width = 640, h->height = 480;
    }
}

/* What the first bytes look like: 2, 3, 21, or 1: DAT; 0: none of them. */
static int look(const uint8_t *b, size_t n)
{
    header h = { 0 };
    size_t p = 0;
    while (p + 1 < n && b[p] == '%' && (b[p + 1] == ' ' || b[p + 1] == '\n' || b[p + 1] == '\r')) {
        const uint8_t *end = memchr(b + p, '\n', n - p);
        if (end == NULL) return h.evt;
        const size_t len = (size_t)(end - b) - p - (end[-1] == '\r');
        if (len > 2) keyword(&h, b + p + 2, len - 2);
        const bool last = len == 5 && memcmp(b + p, "% end", 5) == 0;
        p = (size_t)(end - b) + 1;
        if (last) break;
    }
    if (p == 0) return 0;
    if (h.evt != 0) return h.evt;
    return p + 1 >= n || b[p + 1] == DAT_BYTES ? 1 : 0;
}

static bool detect_dat(const uint8_t *b, size_t n, uint64_t size) { return (void)size, look(b, n) == 1; }
static bool detect_evt2(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    const int evt = look(b, n);
    return evt == 2 || evt == 21;
}
static bool detect_evt3(const uint8_t *b, size_t n, uint64_t size) { return (void)size, look(b, n) == 3; }

static tern_status read_header(tern_stream *s, header *h, tern_diags *d)
{
    *h = (header){ 0 };
    for (int number = 1; number <= MAX_LINES; ++number) {
        const uint8_t *p;
        size_t n = tern__source_peek(&s->src, 2, &p);
        /* a record that begins with '%' is no line unless a blank follows */
        if (n < 2 || p[0] != '%' || (p[1] != ' ' && p[1] != '\n' && p[1] != '\r')) {
            s->info.width = h->width;
            s->info.height = h->height;
            return TERN_OK;
        }
        const tern_status st = tern__header_line(s, number, &p, &n, d);
        if (st != TERN_OK) return st;
        if (n > 2) keyword(h, p + 2, n - 2);
        if (n == 5 && memcmp(p, "% end", 5) == 0) {
            s->info.width = h->width;
            s->info.height = h->height;
            return TERN_OK;
        }
    }
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "more than %d header lines", MAX_LINES),
                   "the file is damaged; copy it again");
    return TERN_ERR_FORMAT;
}

/* ---- DAT ---- */

static tern_status open_dat(tern_stream *s, bool *selected, tern_diags *d)
{
    reader *r = s->state;
    header h;
    const uint8_t *p;
    const tern_status st = read_header(s, &h, d);
    if (st != TERN_OK) return st;
    const size_t have = tern__source_peek(&s->src, 2, &p);
    if (have < 2) {
        const tern_status why = tern__source_problem(s, &s->src, d);
        if (why != TERN_OK) return why;
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "the file ends before the event type and size"),
                       "the file may have been cut off; copy it again");
        return TERN_ERR_TRUNCATED;
    }
    if ((p[0] != 0x00 && p[0] != 0x0c) || p[1] != DAT_BYTES) {
        tern_diag_hint(
            tern__stream_error(s, d, TERN_DATA_KIND, "events of type 0x%02x and %u bytes are not read", p[0], p[1]),
            "types 0x00 (Event2D) and 0x0C (EventCD) of 8 bytes are");
        return TERN_ERR_FORMAT;
    }
    tern__source_take(&s->src, 2);
    return tern__fixed_records(s, tern__source_pos(&s->src), DAT_BYTES, &r->left, selected, d);
}

static tern_status read_dat(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, DAT_BYTES, &p);
        size_t n = have / DAT_BYTES;
        if (n == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        if (n > room) n = room;
        if (n > r->left) n = (size_t)r->left;
        for (size_t i = 0; i < n; ++i, p += DAT_BYTES) {
            const uint32_t a = tern__le32(p + 4);
            tern_event e = { .t_us = tern__unwrap(s, tern__le32(p), 32),
                             .x = (uint16_t)(a & 0x3fffu),
                             .y = (uint16_t)(a >> 14 & 0x3fffu) };
            if (tern__polarity(s, a >> 28, &e.on)) out[k++] = e;
        }
        tern__source_take(&s->src, n * DAT_BYTES);
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

/* ---- EVT 2 and 3 ---- */

static tern_status open_evt(tern_stream *s, bool *selected, tern_diags *d)
{
    (void)selected;
    header h;
    const tern_status st = read_header(s, &h, d);
    if (st != TERN_OK) return st;
    if (h.evt == 21) {
        tern_diag_hint(
            tern__stream_error(s, d, TERN_DATA_KIND, "holds EVT 2.1, which is not read; EVT 2.0 and 3.0 are"),
            "convert it with Prophesee's tools, e.g. to DAT or EVT 3.0");
        return TERN_ERR_FORMAT;
    }
    return TERN_OK;
}

static tern_status read_evt2(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    enum { CD_OFF = 0x0, CD_ON = 0x1, TIME_HIGH = 0x8, OTHERS = 0xe, CONTINUED = 0xf };
    reader *r = s->state;
    size_t k = 0;
    while (k == 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, 4, &p);
        size_t n = have / 4;
        if (n == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        if (n > room) n = room;
        for (size_t i = 0; i < n; ++i, p += 4) {
            const uint32_t w = tern__le32(p), type = w >> 28;
            if (type <= CD_ON && r->has_high) {
                out[k++] = (tern_event){ .t_us = r->high | (w >> 22 & 63u),
                                         .x = (uint16_t)(w >> 11 & 2047u),
                                         .y = (uint16_t)(w & 2047u),
                                         .on = (uint8_t)type };
            } else if (type == TIME_HIGH) {
                r->high = tern__unwrap(s, w & 0x0fffffffu, 28) << 6;
                r->has_high = true;
            } else if (type != OTHERS && type != CONTINUED) {
                /* events before the first time, triggers, types not known */
                ++s->counts.n_other;
            }
        }
        tern__source_take(&s->src, n * 4);
    }
    *out_n = k;
    return TERN_OK;
}

/* Events of one vector word: bit b is the pixel base_x + b. */
static size_t vector(reader *r, tern_event *out, uint32_t bits, unsigned width)
{
    size_t k = 0;
    const uint64_t t = r->high | r->low;
    for (uint32_t b = 0; bits != 0; ++b, bits >>= 1)
        if ((bits & 1u) != 0)
            out[k++] =
                (tern_event){ .t_us = t, .x = (uint16_t)(r->base_x + b), .y = (uint16_t)r->y, .on = r->vector_on };
    r->base_x = (r->base_x + width) & 0xffffu;
    return k;
}

static tern_status read_evt3(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    enum {
        ADDR_Y = 0x0,
        ADDR_X = 0x2,
        BASE_X = 0x3,
        VECT_12 = 0x4,
        VECT_8 = 0x5,
        TIME_LOW = 0x6,
        CONTINUED_4 = 0x7,
        TIME_HIGH = 0x8,
        OTHERS = 0xe,
        CONTINUED_12 = 0xf,
        WIDEST = 12
    };
    reader *r = s->state;
    size_t k = 0;
    while (k == 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, 2, &p), words = have / 2;
        if (words == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        size_t n = 0;
        for (; n < words && k + WIDEST <= room; ++n, p += 2) {
            const uint32_t w = tern__le16(p), v = w & 0xfffu;
            const bool timed = r->has_low && r->has_y;
            switch (w >> 12) {
            case ADDR_Y:
                r->y = v & 2047u;
                r->has_y = true;
                break;
            case ADDR_X:
                if (timed)
                    out[k++] = (tern_event){ .t_us = r->high | r->low,
                                             .x = (uint16_t)(v & 2047u),
                                             .y = (uint16_t)r->y,
                                             .on = (uint8_t)(v >> 11) };
                else ++s->counts.n_other;
                break;
            case BASE_X:
                r->base_x = v & 2047u;
                r->vector_on = (uint8_t)(v >> 11);
                r->has_base = true;
                break;
            case VECT_12:
            case VECT_8:
                if (timed && r->has_base)
                    k += vector(r, out + k, w >> 12 == VECT_12 ? v : v & 255u, w >> 12 == VECT_12 ? 12 : 8);
                else ++s->counts.n_other;
                break;
            case TIME_LOW:
                r->low = v;
                r->has_low = r->has_high;
                break;
            case TIME_HIGH:
                r->high = tern__unwrap(s, v, 12) << 12;
                r->low = 0; /* the low part follows */
                r->has_high = true;
                break;
            case CONTINUED_4:
            case OTHERS:
            case CONTINUED_12: break;            /* of the camera's other parts */
            default: ++s->counts.n_other; break; /* triggers, types not known */
            }
        }
        tern__source_take(&s->src, n * 2);
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_dat = { .name = "dat",
                                        .suffixes = { ".dat" },
                                        .state_bytes = sizeof(reader),
                                        .detect = detect_dat,
                                        .open = open_dat,
                                        .read = read_dat };
const tern__format tern__format_evt2 = { .name = "evt2",
                                         .suffixes = { ".raw" },
                                         .state_bytes = sizeof(reader),
                                         .detect = detect_evt2,
                                         .open = open_evt,
                                         .read = read_evt2 };
const tern__format tern__format_evt3 = { .name = "evt3",
                                         .suffixes = { ".raw" },
                                         .state_bytes = sizeof(reader),
                                         .detect = detect_evt3,
                                         .open = open_evt,
                                         .read = read_evt3 };
