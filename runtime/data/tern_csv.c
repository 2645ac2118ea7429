/* tern_csv.c : events as text, one a line (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_columns.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/locale.h"

enum { MAX_LINE = 4096, MAX_COLUMNS = 64, LOOK_BYTES = 64 << 10 };

typedef struct layout {
    int at[TERN__COLS]; /* column of each, -1: none */
    int n_columns;      /* without a heading: of every line; else 0 */
    int n_first;        /* columns of the first line, heading or not */
    char separator;     /* ' ': blanks and tabs */
    bool heading;       /* the first line is one */
    int power;          /* a time is so many microseconds, as a power of ten */
    bool unit_named;
    const char *again; /* what two columns name: "t", "x", ...; NULL: nothing */
} layout;

typedef struct reader {
    layout lay;
    layout told;   /* a heading within a remark; n_columns 0: there was none */
    uint64_t line; /* number of the next line, from 1 */
} reader;

typedef struct field {
    const uint8_t *p;
    size_t n;
} field;

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

static bool looks_numeric(field f)
{
    if (f.n == 0) return false;
    for (size_t i = 0; i < f.n; ++i)
        if (!((f.p[i] >= '0' && f.p[i] <= '9') || f.p[i] == '.' || f.p[i] == '-' || f.p[i] == '+' || f.p[i] == 'e' ||
              f.p[i] == 'E'))
            return false;
    return (f.p[0] >= '0' && f.p[0] <= '9') || f.p[0] == '-' || f.p[0] == '+' || f.p[0] == '.';
}

/* Meaning of a word of a heading: "timestamp_ns", "time [us]", "x [px]". False: none. */
static bool column_name(field f, int *col, layout *lay)
{
    static const struct {
        const char *word;
        int col;
    } names[] = {
        { "t", TERN__COL_T },       { "time", TERN__COL_T },      { "times", TERN__COL_T },
        { "ts", TERN__COL_T },      { "timestamp", TERN__COL_T }, { "timestamps", TERN__COL_T },
        { "x", TERN__COL_X },       { "y", TERN__COL_Y },         { "p", TERN__COL_P },
        { "pol", TERN__COL_P },     { "polarity", TERN__COL_P },  { "on", TERN__COL_P },
        { "unit", TERN__COL_UNIT }, { "neuron", TERN__COL_UNIT }, { "channel", TERN__COL_UNIT },
    };
    char text[48];
    if (f.n == 0 || f.n >= sizeof text) return false;
    for (size_t i = 0; i < f.n; ++i) text[i] = (char)(f.p[i] >= 'A' && f.p[i] <= 'Z' ? f.p[i] + 32 : f.p[i]);
    text[f.n] = 0;
    const size_t word = strcspn(text, "_[(/ ");
    const char *unit = text + word;
    while (*unit != 0 && strchr("_[(/ ", *unit) != NULL) ++unit;
    const size_t n_unit = strcspn(unit, "])");
    for (size_t w = 0; w < sizeof names / sizeof *names; ++w) {
        if (strlen(names[w].word) != word || strncmp(names[w].word, text, word) != 0) continue;
        *col = names[w].col;
        if (n_unit == 0) return true;
        if (*col != TERN__COL_T)
            return text[word] == '[' || text[word] == '(' ||
                   text[word] == ' '; /* "x [px]" says nothing new, "x_offset" is another thing */
        lay->unit_named = tern__unit_parse(unit, n_unit, &lay->power);
        return lay->unit_named;
    }
    return false;
}

static bool all_numeric(const field *f, int k)
{
    for (int i = 0; i < k; ++i)
        if (!looks_numeric(f[i])) return false;
    return k != 0;
}

/* What the first line that is no remark says; false: this is not a list of events. */
static bool read_layout(const uint8_t *p, size_t n, layout *lay)
{
    field f[MAX_COLUMNS];
    *lay = (layout){ .at = { -1, -1, -1, -1, -1 }, .separator = separator_of(p, n) };
    const int k = split(p, n, lay->separator, f, MAX_COLUMNS);
    if (k == 4 && all_numeric(f, k)) { /* without a heading: t x y p, until their values have been looked at */
        for (int i = 0; i < 4; ++i) lay->at[i] = i;
        lay->n_columns = 4;
        return true;
    }
    lay->heading = true;
    for (int i = 0, col; i < k; ++i) {
        layout one = *lay;
        if (!column_name(f[i], &col, &one)) continue;
        if (lay->at[col] >= 0) {
            static const char *const meaning[TERN__COLS] = { "t", "x", "y", "p", "unit" };
            lay->again = meaning[col];
            continue;
        }
        *lay = one;
        lay->at[col] = i;
    }
    return lay->at[TERN__COL_T] >= 0 &&
           ((lay->at[TERN__COL_X] >= 0 && lay->at[TERN__COL_Y] >= 0) != (lay->at[TERN__COL_UNIT] >= 0));
}

static void set_sensor(tern_stream *s, uint64_t w, uint64_t h)
{
    if (w < 1 || w > 65536 || h < 1 || h > 65536) return;
    s->info.width = (uint32_t)w;
    s->info.height = (uint32_t)h;
}

/* "# sensor 34 x 34", "%geometry:34,34"; or a heading, as numpy.savetxt writes it: "# t x y p" */
static void remark(tern_stream *s, const uint8_t *p, size_t n)
{
    reader *r = s->state;
    uint64_t w, h;
    size_t used;
    const uint8_t *at = tern__find(p, n, "sensor "), *end = p + n;
    if (at != NULL) at += 7;
    else if ((at = tern__find(p, n, "geometry:")) != NULL) at += 9;
    if (at == NULL) {
        while (p < end && (is_blank(*p) || *p == '#' || *p == '%')) ++p;
        field f[MAX_COLUMNS];
        layout lay;
        if (!read_layout(p, (size_t)(end - p), &lay) || !lay.heading) return;
        lay.n_columns = split(p, (size_t)(end - p), lay.separator, f, MAX_COLUMNS);
        lay.heading = false; /* it is no line of its own */
        r->told = lay;
        return;
    }
    while (at < end && *at == ' ') ++at;
    if (!tern__digits(at, (size_t)(end - at), &w, &used)) return;
    at += used;
    while (at < end && (*at == ' ' || *at == 'x' || *at == ',')) ++at;
    if (tern__digits(at, (size_t)(end - at), &h, &used)) set_sensor(s, w, h);
}

static bool is_remark(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (!is_blank(p[i])) return p[i] == '#' || p[i] == '%';
    return true;
}

/* Bytes of a mark that says UTF-8. */
static size_t mark(const uint8_t *b, size_t n) { return n >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }

/* The next line of what was peeked at that is no remark: its text; returns where the one behind it begins, 0: there is
 * none. */
static size_t line_at(const uint8_t *b, size_t n, size_t from, const uint8_t **p, size_t *len)
{
    for (; from < n; from += *len + 1) {
        const uint8_t *end = memchr(b + from, '\n', n - from);
        *p = b + from;
        *len = end == NULL ? n - from : (size_t)(end - b) - from;
        if (!is_remark(*p, *len)) return from + *len + 1;
    }
    return 0;
}

/* "34 34" and then lines of four numbers: width and height of the sensor. */
static bool sensor_line(const uint8_t *p, size_t n, const uint8_t *next, size_t next_n, uint64_t *w, uint64_t *h)
{
    field f[MAX_COLUMNS];
    size_t used;
    layout lay;
    if (split(p, n, separator_of(p, n), f, MAX_COLUMNS) != 2) return false;
    if (!tern__digits(f[0].p, f[0].n, w, &used) || used != f[0].n || !tern__digits(f[1].p, f[1].n, h, &used) ||
        used != f[1].n)
        return false;
    return read_layout(next, next_n, &lay) && lay.n_columns == 4;
}

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    for (size_t i = 0; i < n; ++i)
        if (b[i] < 0x20 && b[i] != '\n' && b[i] != '\r' && b[i] != '\t') return false;
    const uint8_t *p, *q;
    size_t len, q_len;
    const size_t next = line_at(b, n, mark(b, n), &p, &len);
    layout lay;
    uint64_t w, h;
    if (next == 0) return false;
    return read_layout(p, len, &lay) || (line_at(b, n, next, &q, &q_len) != 0 && sensor_line(p, len, q, q_len, &w, &h));
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

/* ---- what columns and times mean ---- */

static bool number(field f, double *out, bool *real)
{
    char text[48], *end;
    if (f.n == 0 || f.n >= sizeof text || !looks_numeric(f)) return false;
    memcpy(text, f.p, f.n);
    text[f.n] = 0;
    *real = strchr(text, '.') != NULL;
    *out = tern_real_parse(text, &end);
    return *end == 0 && *out > -1e300 && *out < 1e300;
}

/* The first lines of events: all four columns of a file without heading, else the times only. */
static void look_ahead(tern_stream *s, const layout *lay, bool all, tern__look *l)
{
    const uint8_t *b, *p;
    size_t len, at = 0;
    const size_t n = tern__source_peek(&s->src, LOOK_BYTES, &b);
    *l = (tern__look){ 0 };
    while (l->n < TERN__LOOK_ROWS && (at = line_at(b, n, at, &p, &len)) != 0) {
        field f[MAX_COLUMNS];
        double v[4];
        bool real[4], good = true;
        if (at > n && l->n != 0) break; /* the last line may continue */
        const int k = split(p, len, lay->separator, f, MAX_COLUMNS);
        if (!all) f[0] = lay->at[TERN__COL_T] < k ? f[lay->at[TERN__COL_T]] : (field){ p, 0 };
        for (int i = 0; i < (all ? 4 : 1);
             ++i) { /* the first one tells how they are written; "2.5e3" behind "1e3" is whole */
            good = good && i < k && number(f[i], &v[i], &real[i]);
            if (good && l->n != 0) real[i] = real[i] && v[i] != floor(v[i]);
        }
        if (good) tern__look_row(l, v, real, all ? 4 : 1);
    }
}

static tern_status no_meaning(tern_stream *s, const char *why, tern_diags *d)
{
    tern_diag_hint(
        tern__stream_error(
            s, d, TERN_DATA_MEANING,
            "four columns without a heading that are t, x, y, p in none, or in several, of the usual orders: %s", why),
        "say what they are, e.g. `tern data convert IN OUT --columns x,y,p,t`; or write a heading like t,x,y,p");
    return TERN_ERR_FORMAT;
}

/* What the file does not say: the order of its columns, the unit of its times. Stands at the first line of events. */
static tern_status find_meaning(tern_stream *s, layout *lay, bool ordered, tern_diags *d)
{
    tern__look look;
    char why[300] = "";
    bool odd = false;
    const char *order = "txyp";
    look_ahead(s, lay, !ordered, &look);
    if (!ordered && (order = tern__columns_order(&look, why)) == NULL) return no_meaning(s, why, d);
    for (int i = 0; !ordered && i < 4; ++i) lay->at[strchr("txyp", order[i]) - "txyp"] = i;
    const tern__column *t = &look.c[ordered ? 0 : lay->at[TERN__COL_T]];
    if (s->opt.meaning.time_unit != NULL)
        (void)tern__unit_parse(s->opt.meaning.time_unit, strlen(s->opt.meaning.time_unit), &lay->power);
    else if (!lay->unit_named) lay->power = tern__time_unit(t, look.n, &odd);
    if (odd) tern__unit_warning(s, t, look.n, d);
    char columns[40] = "";
    if (!ordered) snprintf(columns, sizeof columns, "columns %c, %c, %c, %c", order[0], order[1], order[2], order[3]);
    const bool unit = s->opt.meaning.time_unit == NULL && !lay->unit_named;
    snprintf(s->info.assumed, sizeof s->info.assumed, "%s%s%s%s", columns, !ordered && unit ? "; " : "",
             unit ? "times in " : "", unit ? tern__unit_name(lay->power) : "");
    if (lay->at[TERN__COL_P] < 0 && !s->info.units) tern__assume(s, "no polarities: every event ON");
    if (lay->again != NULL) {
        snprintf(columns, sizeof columns, "the first of several columns %s", lay->again);
        tern__assume(s, columns);
    }
    return TERN_OK;
}

/* The layout that --columns tells; TERN_ERR_ARGUMENT: the line has another number of columns. */
static tern_status told_columns(tern_stream *s, const uint8_t *p, size_t n, layout *lay, tern_diags *d)
{
    field f[MAX_COLUMNS];
    *lay = (layout){ .separator = separator_of(p, n) };
    const int k = split(p, n, lay->separator, f, MAX_COLUMNS);
    lay->heading = !all_numeric(f, k);
    if (tern__columns_parse(s->opt.meaning.columns, lay->at, &lay->n_columns) && lay->n_columns == k) return TERN_OK;
    tern__stream_error(s, d, TERN_DATA_MEANING, "columns '%.60s' are given, the first line has %d",
                       s->opt.meaning.columns, k);
    return TERN_ERR_ARGUMENT;
}

static tern_status open_at(tern_stream *s, const uint8_t *p, size_t n, uint64_t at, tern_diags *d)
{
    reader *r = s->state;
    layout *lay = &r->lay;
    bool ordered = true;
    if (s->opt.meaning.columns != NULL) {
        const tern_status st = told_columns(s, p, n, lay, d);
        if (st != TERN_OK) return st;
    } else if (!read_layout(p, n, lay)) {
        tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path,
                                      (int)(r->line > 1000000000 ? 0 : r->line), NULL,
                                      "the first line neither names a time and a place nor holds four numbers"),
                       "a heading like t,x,y,p or t,unit, then one event a line");
        return TERN_ERR_FORMAT;
    } else if (!lay->heading && r->told.n_columns == lay->n_columns) { /* a remark names them */
        const char separator = lay->separator;
        *lay = r->told;
        lay->separator = separator;
    } else {
        ordered = lay->heading;
    }
    field first[MAX_COLUMNS];
    lay->n_first = split(p, n, lay->separator, first, MAX_COLUMNS);
    s->info.units = lay->at[TERN__COL_UNIT] >= 0;
    if (s->info.units && s->info.height == 0) s->info.width = 0;
    if (lay->heading) ++r->line;
    else tern__source_seek(&s->src, at);
    return find_meaning(s, lay, ordered, d);
}

/* Lines that end with a carriage return alone: to a reader of lines all is one, and what stands behind the heading
 * would be lost without a word. Looks at the line that comes next. */
static tern_status check_ends(tern_stream *s, tern_diags *d)
{
    const uint8_t *p;
    const size_t have = tern__source_peek(&s->src, MAX_LINE, &p);
    const uint8_t *end = memchr(p, '\n', have);
    size_t n = end == NULL ? have : (size_t)(end - p);
    while (n != 0 && p[n - 1] == '\r') --n;
    if (memchr(p, '\r', n) == NULL || is_remark(p, n)) return TERN_OK;
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER,
                                      "lines end with a carriage return alone, which makes the whole text one line"),
                   "tr '\\r' '\\n' <IN >OUT");
    return TERN_ERR_FORMAT;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    (void)selected;
    reader *r = s->state;
    const uint8_t *p, *q;
    const size_t begin = tern__source_peek(&s->src, 3, &p);
    tern__source_take(&s->src, mark(p, begin));
    for (r->line = 1;; ++r->line) {
        size_t n, q_n;
        bool bad;
        uint64_t w, h;
        const uint64_t at = tern__source_pos(&s->src);
        const tern_status ends = check_ends(s, d);
        if (ends != TERN_OK) return ends;
        if (!next_line(s, &p, &n, &bad)) {
            const tern_status why = tern__source_problem(s, &s->src, d);
            if (why != TERN_OK) return why;
            tern_diag_hint(tern__stream_error(s, d, TERN_DATA_HEADER, "holds no line of events"),
                           "a heading like t,x,y,p, then one event a line");
            return TERN_ERR_FORMAT;
        }
        if (!bad && is_remark(p, n)) {
            remark(s, p, n);
            continue;
        }
        if (bad) n = 0;          /* no line of text */
        uint8_t first[MAX_LINE]; /* looking ahead may move the window */
        memcpy(first, p, n);
        const size_t have = tern__source_peek(&s->src, MAX_LINE, &q);
        if (line_at(q, have, 0, &q, &q_n) == 0 || !sensor_line(first, n, q, q_n, &w, &h))
            return open_at(s, first, n, at, d);
        set_sensor(s, w, h);
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

/* A number that cannot be rounded, such as a place. */
static bool whole(field f, int64_t *out)
{
    char text[48], *end;
    bool plain = true, zeros = true;
    size_t i = 0;
    if (!decimal(f, 0, out)) return false;
    for (; i < f.n && f.p[i] != 'e' && f.p[i] != 'E'; ++i) {
        zeros = zeros && (plain || f.p[i] == '0'); /* behind the point */
        plain = plain && f.p[i] != '.';
    }
    if (i == f.n) return zeros;
    memcpy(text, f.p, f.n); /* decimal() has taken it, so it fits */
    text[f.n] = 0;
    return tern_real_parse(text, &end) == (double)*out;
}

/* A time in microseconds. */
static bool time_of(field f, int power, int64_t *t)
{
    if (power >= 0) return decimal(f, power, t);
    if (!decimal(f, 0, t)) return false;
    *t = *t / 1000 + (*t % 1000 >= 500) - (*t % 1000 <= -500);
    return true;
}

/* Takes a line apart; 1: an event, 0: left out and counted, -1: it is none. */
static int read_line(tern_stream *s, reader *r, const uint8_t *p, size_t n, tern_event *e)
{
    const layout *lay = &r->lay;
    field f[MAX_COLUMNS];
    int64_t t, x, y = 0, pol = 1;
    const int k = split(p, n, lay->separator, f, MAX_COLUMNS), *at = lay->at;
    for (int c = 0; c < TERN__COLS; ++c)
        if (at[c] >= k) return -1;
    if (k > lay->n_first) return -1; /* the columns may be others than the heading's */
    if (!time_of(f[at[TERN__COL_T]], lay->power, &t)) return -1;
    if (!whole(f[at[s->info.units ? TERN__COL_UNIT : TERN__COL_X]], &x)) return -1;
    if (!s->info.units && !whole(f[at[TERN__COL_Y]], &y)) return -1;
    if (at[TERN__COL_P] >= 0 && !whole(f[at[TERN__COL_P]], &pol)) return -1;
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
            /* the line is cut */
            if (k == 0 && s->src.status != TERN_OK && tern__source_peek(&s->src, 1, &next) == 0)
                return tern__source_problem(s, &s->src, d);
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
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_DAMAGED, s->path,
                                          (int)(number > 1000000000 ? 0 : number), NULL, "'%s' is not an event", text),
                           "as many columns as in the first line, numbers in those of time, whole ones in those of "
                           "place and polarity; `tern "
                           "data convert --repair` skips such lines");
            return TERN_ERR_FORMAT;
        }
    }
    *out_n = k;
    return TERN_OK;
}

const tern__format tern__format_csv = { .name = "csv",
                                        .suffixes = { ".csv" },
                                        .state_bytes = sizeof(reader),
                                        .detect = detect,
                                        .open = open_file,
                                        .read = read_events };
