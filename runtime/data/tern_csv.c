/* tern_csv.c : events as text, one a line (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <string.h>
#include "tern/locale.h"

enum { MAX_LINE = 4096, MAX_COLUMNS = 64 };
enum { COL_T, COL_X, COL_Y, COL_P, COL_UNIT, N_COLS };

typedef struct layout {
    int  at[N_COLS];    /* column of each, -1: none */
    char separator;     /* ' ': blanks and tabs */
    bool heading;       /* the first line is one */
    bool seconds;       /* times are in seconds */
    bool named_us;      /* the heading says microseconds */
} layout;

typedef struct reader {
    layout   lay;
    uint64_t line;      /* number of the next line, from 1 */
    bool     timed;     /* the first time was looked at: `seconds` is final */
} reader;

typedef struct field { const uint8_t *p; size_t n; } field;

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(field *f)
{
    while (f->n != 0 && is_blank(f->p[0])) ++f->p, --f->n;
    while (f->n != 0 && is_blank(f->p[f->n - 1])) --f->n;
    if (f->n >= 2 && f->p[0] == '"' && f->p[f->n - 1] == '"') ++f->p, f->n -= 2;
}

/* Splits a line; returns the number of fields, at most `most`. */
static int split(const uint8_t *p, size_t n, char separator, field *out, int most)
{
    int k = 0;
    size_t i = 0;
    while (k < most) {
        if (separator == ' ')
            while (i < n && is_blank(p[i])) ++i;
        if (separator == ' ' && i == n) break;
        const size_t from = i;
        while (i < n && (separator == ' ' ? !is_blank(p[i]) : p[i] != (uint8_t)separator)) ++i;
        out[k] = (field){ p + from, i - from };
        trim(&out[k++]);
        if (i == n) break;
        ++i;
    }
    return k;
}

static char separator_of(const uint8_t *p, size_t n)
{
    for (const char *s = ",;\t"; *s != 0; ++s)
        if (memchr(p, *s, n) != NULL) return *s;
    return ' ';
}

static bool same_word(field f, const char *word)
{
    if (f.n != strlen(word)) return false;
    for (size_t i = 0; i < f.n; ++i)
        if ((f.p[i] >= 'A' && f.p[i] <= 'Z' ? f.p[i] + 32 : f.p[i]) != (uint8_t)word[i]) return false;
    return true;
}

static bool looks_numeric(field f)
{
    if (f.n == 0) return false;
    for (size_t i = 0; i < f.n; ++i)
        if (!((f.p[i] >= '0' && f.p[i] <= '9') || f.p[i] == '.' || f.p[i] == '-' || f.p[i] == '+' || f.p[i] == 'e' || f.p[i] == 'E')) return false;
    return (f.p[0] >= '0' && f.p[0] <= '9') || f.p[0] == '-' || f.p[0] == '+' || f.p[0] == '.';
}

/* What the first line that is no remark says; false: this is no list of events. */
static bool read_layout(const uint8_t *p, size_t n, layout *lay)
{
    static const struct { const char *word; int col; int unit; } names[] = { /* unit: 1 microseconds, 2 seconds */
        { "t", COL_T, 0 }, { "time", COL_T, 0 }, { "ts", COL_T, 0 }, { "timestamp", COL_T, 0 }, { "t_us", COL_T, 1 }, { "time_us", COL_T, 1 }, { "timestamp_us", COL_T, 1 },
        { "t_s", COL_T, 2 }, { "time_s", COL_T, 2 }, { "timestamp_s", COL_T, 2 }, { "x", COL_X, 0 }, { "y", COL_Y, 0 }, { "p", COL_P, 0 }, { "pol", COL_P, 0 },
        { "polarity", COL_P, 0 }, { "on", COL_P, 0 }, { "unit", COL_UNIT, 0 }, { "neuron", COL_UNIT, 0 }, { "channel", COL_UNIT, 0 },
    };
    field f[MAX_COLUMNS];
    *lay = (layout){ .at = { -1, -1, -1, -1, -1 }, .separator = separator_of(p, n) };
    const int k = split(p, n, lay->separator, f, MAX_COLUMNS);
    bool numbers = k == 4;
    for (int i = 0; i < k; ++i) numbers = numbers && looks_numeric(f[i]);
    if (numbers) { /* without a heading: t x y p */
        for (int i = 0; i < 4; ++i) lay->at[i] = i;
        return true;
    }
    lay->heading = true;
    for (int i = 0; i < k; ++i)
        for (size_t w = 0; w < sizeof names / sizeof *names; ++w)
            if (same_word(f[i], names[w].word) && lay->at[names[w].col] < 0) {
                lay->at[names[w].col] = i;
                lay->named_us = lay->named_us || names[w].unit == 1;
                lay->seconds = lay->seconds || names[w].unit == 2;
            }
    return lay->at[COL_T] >= 0 && ((lay->at[COL_X] >= 0 && lay->at[COL_Y] >= 0) != (lay->at[COL_UNIT] >= 0));
}

/* "# sensor 34 x 34" */
static void remark(tern_stream *s, const uint8_t *p, size_t n)
{
    uint64_t w, h;
    size_t used;
    const uint8_t *at = tern__find(p, n, "sensor ");
    if (at == NULL) return;
    at += 7;
    const uint8_t *end = p + n;
    if (!tern__digits(at, (size_t)(end - at), &w, &used)) return;
    at += used;
    while (at < end && (*at == ' ' || *at == 'x' || *at == ',')) ++at;
    if (!tern__digits(at, (size_t)(end - at), &h, &used) || w < 1 || w > 65536 || h < 1 || h > 65536) return;
    s->info.width = (uint32_t)w;
    s->info.height = (uint32_t)h;
}

static bool is_remark(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (!is_blank(p[i])) return p[i] == '#' || p[i] == '%';
    return true;
}

/* Bytes of a mark that says UTF-8. */
static size_t mark(const uint8_t *b, size_t n) { return n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    for (size_t i = 0; i < n; ++i)
        if (b[i] < 0x20 && b[i] != '\n' && b[i] != '\r' && b[i] != '\t') return false;
    for (size_t p = mark(b, n); p < n;) {
        const uint8_t *end = memchr(b + p, '\n', n - p);
        const size_t len = end == NULL ? n - p : (size_t)(end - b) - p;
        layout lay;
        if (!is_remark(b + p, len)) return read_layout(b + p, len, &lay);
        p += len + 1;
    }
    return false;
}

/* Next line without its end; false: there is none. `*bad`: it is too long, or has a NUL in it. */
static bool next_line(tern_stream *s, const uint8_t **p, size_t *n, bool *bad)
{
    const size_t have = tern__source_peek(&s->src, MAX_LINE + 1, p);
    const uint8_t *end = memchr(*p, '\n', have < MAX_LINE + 1 ? have : MAX_LINE + 1);
    *bad = end == NULL && have > MAX_LINE;
    if (*bad) { /* to its end, so that what follows can be read */
        *n = MAX_LINE;
        const uint8_t *q = *p;
        for (size_t k = have; k != 0; k = tern__source_peek(&s->src, 1, &q)) {
            end = memchr(q, '\n', k);
            tern__source_take(&s->src, end == NULL ? k : (size_t)(end - q) + 1);
            if (end != NULL) break;
        }
        return true;
    }
    *n = end == NULL ? have : (size_t)(end - *p);
    tern__source_take(&s->src, *n + (end != NULL));
    *bad = memchr(*p, 0, *n) != NULL;
    return have != 0;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    (void)selected;
    reader *r = s->state;
    const uint8_t *p;
    const size_t begin = tern__source_peek(&s->src, 3, &p);
    tern__source_take(&s->src, mark(p, begin));
    for (r->line = 1;; ++r->line) {
        size_t n;
        bool bad;
        const uint64_t at = tern__source_pos(&s->src);
        if (!next_line(s, &p, &n, &bad)) {
            const tern_status why = tern__source_problem(s, &s->src, d);
            if (why != TERN_OK) return why;
            tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "holds no line of events"), "a heading like t,x,y,p, then one event a line");
            return TERN_ERR_FORMAT;
        }
        if (!bad && is_remark(p, n)) {
            remark(s, p, n);
            continue;
        }
        if (bad || !read_layout(p, n, &r->lay)) {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, (int)(r->line > 1000000000 ? 0 : r->line), NULL,
                                          "the first line neither names a time and a place nor holds four numbers"), "a heading like t,x,y,p or t,unit, then one event a line");
            return TERN_ERR_FORMAT;
        }
        s->info.units = r->lay.at[COL_UNIT] >= 0;
        if (s->info.units && s->info.height == 0) s->info.width = 0;
        if (r->lay.heading) ++r->line;
        else tern__source_seek(&s->src, at);
        return TERN_OK;
    }
}

/* Decimal number times 10^digits, rounded; false: it is none, or too large. */
static bool decimal(field f, int digits, int64_t *out)
{
    const bool negative = f.n != 0 && f.p[0] == '-';
    size_t i = f.n != 0 && (f.p[0] == '-' || f.p[0] == '+');
    uint64_t v = 0;
    int left = digits; /* digits wanted behind the point */
    bool some = false, point = false, cut = false, up = false;
    for (; i < f.n; ++i) {
        if (f.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (f.p[i] < '0' || f.p[i] > '9') break;
        some = true;
        if (point && left == 0) { /* only the first digit that is cut off counts */
            up = cut ? up : f.p[i] >= '5';
            cut = true;
            continue;
        }
        if (v > (uint64_t)INT64_MAX / 10 - 1) return false;
        v = v * 10 + (uint64_t)(f.p[i] - '0');
        left -= point;
    }
    if (!some) return false;
    if (i < f.n) { /* an exponent */
        char text[48], *end;
        if ((f.p[i] != 'e' && f.p[i] != 'E') || f.n >= sizeof text) return false;
        memcpy(text, f.p, f.n);
        text[f.n] = 0;
        double x = tern_real_parse(text, &end);
        for (int k = 0; k < digits; ++k) x *= 10;
        if (*end != 0 || !(x > -9e18 && x < 9e18)) return false;
        *out = (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
        return true;
    }
    for (; left > 0; --left) {
        if (v > (uint64_t)INT64_MAX / 10 - 1) return false;
        v *= 10;
    }
    v += up;
    *out = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

/* Takes a line apart; 1: an event, 0: left out and counted, -1: it is none. */
static int read_line(tern_stream *s, reader *r, const uint8_t *p, size_t n, tern_event *e)
{
    const layout *lay = &r->lay;
    field f[MAX_COLUMNS];
    int64_t t, x, y = 0, pol = 1;
    const int k = split(p, n, lay->separator, f, MAX_COLUMNS);
    for (int c = 0; c < N_COLS; ++c)
        if (lay->at[c] >= k) return -1;
    if (!r->timed) {
        r->timed = true;
        if (!lay->named_us && memchr(f[lay->at[COL_T]].p, '.', f[lay->at[COL_T]].n) != NULL) r->lay.seconds = true;
    }
    if (!decimal(f[lay->at[COL_T]], lay->seconds ? 6 : 0, &t)) return -1;
    if (!decimal(f[lay->at[s->info.units ? COL_UNIT : COL_X]], 0, &x)) return -1;
    if (!s->info.units && !decimal(f[lay->at[COL_Y]], 0, &y)) return -1;
    if (lay->at[COL_P] >= 0 && !decimal(f[lay->at[COL_P]], 0, &pol)) return -1;
    e->t_us = (uint64_t)t;
    if (!tern__polarity(s, pol, &e->on)) return 0;
    if (x < 0 || x > 65535 || y < 0 || y > 65535) {
        ++s->counts.n_off_sensor;
        return 0;
    }
    e->x = (uint16_t)x;
    e->y = (uint16_t)y;
    return 1;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k < room) {
        const uint8_t *p;
        size_t n;
        bool bad;
        const uint64_t at = tern__source_pos(&s->src);
        if (!next_line(s, &p, &n, &bad)) {
            if (k != 0) break;
            return tern__source_problem(s, &s->src, d);
        }
        const uint64_t number = r->line++;
        if (!bad && is_remark(p, n)) continue;
        const int got = bad ? -1 : read_line(s, r, p, n, &out[k]);
        if (got > 0) {
            ++k;
        } else if (got < 0) {
            const uint8_t *next;
            if (k == 0 && s->src.status != TERN_OK && tern__source_peek(&s->src, 1, &next) == 0) return tern__source_problem(s, &s->src, d); /* the line is cut */
            if (s->opt.repair) {
                ++s->counts.n_other;
                continue;
            }
            if (k != 0) { /* first what is good; the line is read again at the next call */
                tern__source_seek(&s->src, at);
                r->line = number;
                break;
            }
            char text[60];
            tern__copy_text(text, sizeof text, p, n < 4000 ? n : 4000);
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_DAMAGED, s->path, (int)(number > 1000000000 ? 0 : number), NULL, "'%s' is no event", text),
                           "as many columns as in the first line, numbers in those of time, place and polarity; `tern data convert --repair` leaves such lines out");
            return TERN_ERR_FORMAT;
        }
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_csv = { .name = "csv", .suffixes = { ".csv" }, .state_bytes = sizeof(reader), .detect = detect, .open = open_file, .read = read_events };
