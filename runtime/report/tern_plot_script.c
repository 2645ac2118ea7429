/* tern_plot_script.c : a figure of series as gnuplot's commands
 * SPDX-License-Identifier: Apache-2.0
 *
 * All ranges are computed here: gnuplot would refuse an empty one and a single point, and nothing is left to chance.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_plot_internal.h"

/* The palette of Okabe and Ito, told apart with every kind of colour vision, without its yellow (too pale on white) and
 * black. */
static const char *const PALETTE[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9" };
enum { N_COLOURS = sizeof PALETTE / sizeof *PALETTE };
static const char GREY[] = "#777777";
/* gnuplot's point types: circle, square, triangle, diamond, triangle down, pentagon */
static const int MARKS[] = { 7, 5, 9, 13, 11, 15 };
static const int DASHES[] = { 1, 2, 4 }; /* of the first, second and third time that a colour comes up */

/* beyond it points are omitted: sums of such numbers stay finite */
static const double LARGEST = 1e30;
enum {
    LINE_POINTS = 1200,
    MARKED_POINTS = 400,
    MARK_POINTS = 2000,
    TICK_POINTS = 4000,
    BUCKET_KEEPS = 4,
    LETTER_PX = 8 /* of a wide font */,
    LABEL_PX = 9 /* a digit of a wide font, DejaVu Sans */,
    FONT_PX = 13,
    Y_NAMES = 64,
    NAME_LETTERS = 16,
    NAME_PX = 10 /* gnuplot's margin */,
    LINE_PX = 15
};

/* ---- texts ------------------------------------------------------------------------------------------------------- */

enum { MOVED = 0xe000 };

static bool moved(unsigned long code) { return code > MOVED && code < MOVED + 0x80; }

/* At most `most` characters; a longer text is cut and ends in an ellipsis. */
static void put_text(tern_text *out, const char *s, size_t most)
{
    size_t n, length = 0;
    for (const char *p = s; *p != '\0' && length <= most; p += n, ++length) tern_text_next(p, &n);
    const size_t shown = length > most ? most - 1 : length;
    tern_text_add(out, "'");
    for (size_t i = 0; i < shown; ++i, s += n) {
        unsigned long code = tern_text_next(s, &n);
        if (code < 0x20 || (code >= 0x7f && code < 0xa0)) code = ' ';
        if (moved(code) || (code & 0xfffe) == 0xfffe) code = 0xfffd;
        const bool plain = code == ' ' || (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
                           (code >= 'A' && code <= 'Z') || code >= 0x80;
        tern_text_utf8(out, plain ? code : MOVED + code);
    }
    if (length > most) tern_text_add(out, "\xe2\x80\xa6");
    tern_text_add(out, "'");
}

/* Removes <TAG ...>...</TAG> at `p`; returns what comes after it. */
static const char *skip_element(const char *p, const char *end, const char *closing)
{
    const size_t n = strlen(closing);
    for (const char *q = p; q + n <= end; ++q)
        if (memcmp(q, closing, n) == 0) return q + n;
    return p;
}

static bool starts(const char *p, const char *end, const char *what)
{
    const size_t n = strlen(what);
    return (size_t)(end - p) >= n && memcmp(p, what, n) == 0;
}

void tern_plot_clean(const char *svg, size_t n, tern_text *out)
{
    static const struct {
        const char *open, *close;
    } dropped[] = { { "<title>", "</title>" }, { "<desc>", "</desc>" }, { "<filter", "</filter>" } };
    const char *end = svg + n;
    for (const char *p = svg; p < end;) {
        const char *next = p;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped && next == p; ++i)
            if (starts(p, end, dropped[i].open)) next = skip_element(p, end, dropped[i].close);
        if (next != p) {
            p = next;
            continue;
        }
        size_t length;
        unsigned long code = tern_text_next(p, &length);
        if (length == 0) length = 1; /* a NUL: not ours */
        if (moved(code)) {
            const char one[2] = { (char)(code - MOVED), '\0' };
            tern_text_xml(out, one);
        } else if (*p != '\n' || (p + 1 < end && p[1] != '\n')) tern_text_bytes(out, p, length);
        p += length;
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

typedef struct range {
    double lo, hi;
    bool any, log;
} range;

/* false for NAN too */
static bool valid(double v, bool log_axis) { return fabs(v) <= LARGEST && (!log_axis || v >= 1 / LARGEST); }

static void include(range *r, double v)
{
    if (!valid(v, r->log)) return;
    if (!r->any || v < r->lo) r->lo = v;
    if (!r->any || v > r->hi) r->hi = v;
    r->any = true;
}

static bool point_valid(const tern_plot *p, const tern_plot_series *s, size_t i)
{
    return valid(s->x[i], p->log_x) && valid(s->y[i], p->log_y);
}
static bool is_line(const tern_plot_series *s) { return s->kind == TERN_PLOT_LINE || s->kind == TERN_PLOT_MARKED; }
static bool has_points(const tern_plot_series *s)
{
    return s->kind != TERN_PLOT_LEVEL && s->kind != TERN_PLOT_DIAGONAL;
}
static bool has_range(const tern_plot_series *s)
{
    return s->lo != NULL && s->hi != NULL && (is_line(s) || s->kind == TERN_PLOT_BARS || s->kind == TERN_PLOT_POINTS);
}
static bool range_valid(const tern_plot *p, const tern_plot_series *s, size_t i)
{
    return point_valid(p, s, i) && valid(s->lo[i], p->log_y) && valid(s->hi[i], p->log_y);
}

/* The least distance of neighbours; x of bars is ascending. */
static double bar_width(const tern_plot *p, const tern_plot_series *s)
{
    double least = 0, last = NAN;
    for (size_t i = 0; i < s->n; ++i) {
        /* also of bars that are not drawn, on a logarithmic axis those of height 0 */
        if (!valid(s->x[i], p->log_x)) continue;
        const double d = fabs(s->x[i] - last);
        if (d > 0 && (least == 0 || d < least)) least = d;
        last = s->x[i];
    }
    return least > 0 ? least : 1;
}

static void include_series(const tern_plot *p, const tern_plot_series *s, range *x, range *y)
{
    if (s->kind == TERN_PLOT_LEVEL && s->n != 0) include(y, s->y[0]);
    if (!has_points(s)) return;
    const double half = s->kind == TERN_PLOT_BARS ? bar_width(p, s) / 2 : 0,
                 tick = s->kind == TERN_PLOT_TICKS ? 0.5 : 0;
    for (size_t i = 0; i < s->n; ++i) {
        if (!point_valid(p, s, i)) continue;
        include(x, s->x[i] - half);
        include(x, s->x[i] + half);
        include(y, s->y[i] - tick);
        include(y, s->y[i] + tick);
        if (s->kind == TERN_PLOT_BARS) include(y, 0); /* not with a logarithmic axis */
        if (has_range(s) && range_valid(p, s, i)) {
            include(y, s->lo[i]);
            include(y, s->hi[i]);
        }
    }
}

/* A little room on both sides, unless the data begin at a natural end: zero. */
static void pad(range *r, double share)
{
    if (r->log) {
        const double f = pow(r->hi / r->lo, share);
        r->lo /= f;
        r->hi *= f;
        return;
    }
    const double d = (r->hi - r->lo) * share;
    r->lo = r->lo >= 0 && r->lo < d ? 0 : r->lo - d;
    r->hi = r->hi <= 0 && -r->hi < d ? 0 : r->hi + d;
}

/* What the caller asks for goes first; then an interval that is not empty. */
static void settle(range *r, double lo, double hi, double share)
{
    if (!r->any) *r = (range){ r->log ? 0.1 : 0, r->log ? 10 : 1, true, r->log };
    if (r->log && r->hi < r->lo * 1.001) {
        r->lo /= 2;
        r->hi *= 2;
    } else if (!r->log && r->hi - r->lo <= 1e-9 * (fabs(r->lo) + fabs(r->hi))) { /* one value */
        const double d = r->lo == 0 ? 1 : 0.1 * fabs(r->lo);
        r->lo -= d;
        r->hi += d;
    } else pad(r, share);
    if (valid(lo, r->log)) r->lo = lo;
    if (valid(hi, r->log)) r->hi = hi;
    if (r->hi > r->lo) return;
    if (valid(hi, r->log) && !valid(lo, r->log)) r->lo = r->log ? hi / 10 : hi - 1;
    else r->hi = r->log ? r->lo * 10 : r->lo + 1;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static void put_point(const tern_plot_series *s, size_t i, double width, tern_text *out)
{
    if (s->kind == TERN_PLOT_TICKS) { /* two ends and a gap: one path for all strokes */
        tern_text_format(out, "%.7g %.7g\n%.7g %.7g\n\n", s->x[i], s->y[i] - 0.4, s->x[i], s->y[i] + 0.4);
        return;
    }
    tern_text_format(out, "%.7g %.7g", s->x[i], s->y[i]);
    if (s->kind == TERN_PLOT_BARS) tern_text_format(out, " %.7g", width);
    tern_text_add(out, "\n");
}

/* Place k of `places` among n: places n / places apart, rounded down. */
static size_t spread(size_t k, size_t places, size_t n) { return n / places * k + n % places * k / places; }

/* Of the valid points begin..end-1 of a line: the first, lowest, highest and last, in their order. */
static void put_bucket(const tern_plot *p, const tern_plot_series *s, size_t begin, size_t end, double width,
                       tern_text *out)
{
    size_t keep[BUCKET_KEEPS], n = 0, low = end, high = end, first = end, last = end;
    for (size_t i = begin; i < end; ++i) {
        if (!point_valid(p, s, i)) continue;
        if (first == end) first = i;
        last = i;
        if (low == end || s->y[i] < s->y[low]) low = i;
        if (high == end || s->y[i] > s->y[high]) high = i;
    }
    if (first == end) return;
    keep[n++] = first;
    const size_t inner[2] = { low < high ? low : high, low < high ? high : low };
    for (size_t k = 0; k < 2; ++k)
        if (inner[k] != keep[n - 1]) keep[n++] = inner[k];
    if (last != keep[n - 1]) keep[n++] = last;
    for (size_t k = 0; k < n; ++k) put_point(s, keep[k], width, out);
}

/* Points that are drawn: as many as can be distinguished, and few bytes. */
static size_t most_points(tern_plot_kind k)
{
    return k == TERN_PLOT_LINE     ? LINE_POINTS
           : k == TERN_PLOT_POINTS ? MARK_POINTS
           : k == TERN_PLOT_TICKS  ? TICK_POINTS
                                   : MARKED_POINTS;
}

/* A named block of the series' points. More than fit on the drawing are thinned: of lines and bars the extremes stay,
 * marks are taken evenly. */
static void put_block(const tern_plot *p, size_t index, tern_text *out)
{
    const tern_plot_series *s = &p->series[index];
    const double width = s->kind == TERN_PLOT_BARS ? bar_width(p, s) : 0;
    const bool marks = s->kind == TERN_PLOT_POINTS || s->kind == TERN_PLOT_TICKS;
    tern_text_format(out, "$d%zu << EOD\n", index);
    if (marks) {
        const size_t most = s->n < most_points(s->kind) ? s->n : most_points(s->kind);
        for (size_t k = 0; k < most; ++k) {
            const size_t i = spread(k, most, s->n);
            if (point_valid(p, s, i)) put_point(s, i, width, out);
        }
    } else {
        const size_t buckets = s->n <= most_points(s->kind) ? s->n : most_points(s->kind) / BUCKET_KEEPS;
        for (size_t b = 0; b < buckets; ++b)
            put_bucket(p, s, spread(b, buckets, s->n), spread(b + 1, buckets, s->n), width, out);
    }
    tern_text_add(out, "EOD\n");
}

/* Of a band or bars: only the points that have one. Thinned evenly. */
static size_t put_range_block(const tern_plot *p, size_t index, tern_text *out)
{
    const tern_plot_series *s = &p->series[index];
    const size_t room = s->kind == TERN_PLOT_LINE ? LINE_POINTS : MARKED_POINTS, most = s->n < room ? s->n : room;
    size_t n = 0;
    tern_text_format(out, "$r%zu << EOD\n", index);
    for (size_t k = 0; k < most; ++k) {
        const size_t i = spread(k, most, s->n);
        if (!range_valid(p, s, i)) continue;
        tern_text_format(out, "%.7g %.7g %.7g %.7g\n", s->x[i], s->y[i], s->lo[i], s->hi[i]);
        ++n;
    }
    tern_text_add(out, "EOD\n");
    return n;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static const char *colour(const tern_plot_series *s) { return s->colour < 0 ? GREY : PALETTE[s->colour % N_COLOURS]; }
static int dash(const tern_plot_series *s) { return s->colour < 0 ? 1 : DASHES[s->colour / N_COLOURS % 3]; }
static int mark(const tern_plot_series *s) { return MARKS[s->colour < 0 ? 0 : s->colour % N_COLOURS]; }

/* On a logarithmic axis: at powers of ten, every so many that they have room; at 1, 2 and 5 times them where the axis
 * has less than two decades. False: too few, gnuplot may choose. */
static bool put_log_tics(tern_text *out, const range *r, double pixels, bool beside)
{
    const double decades = log10(r->hi / r->lo), room = beside ? 7 * LABEL_PX + 18 : 30;
    const int every = 1 + (int)(decades * room / pixels), first = (int)floor(log10(r->lo)),
              last = (int)ceil(log10(r->hi));
    const bool fine = decades < 2;
    size_t n = 0;
    for (int e = first; e <= last; ++e)
        for (int m = 1; m <= (fine ? 5 : 1); m = m == 2 ? 5 : m + 1) {
            const double at = m * pow(10, e);
            if (at < r->lo * (1 - 1e-9) || at > r->hi * (1 + 1e-9) || (!fine && (e - first) % every != 0)) continue;
            tern_text_format(out, n++ == 0 ? " (%.12g" : ", %.12g", at);
        }
    if (n != 0) tern_text_add(out, ")");
    return n >= 2;
}

/* Labels of the axis at multiples of 1, 2 or 5 times a power of ten, as many as stand beside each other. */
static void put_tics(tern_text *out, const char *axis, const range *r, double pixels, bool beside)
{
    tern_text_format(out, "set %s", axis);
    if (r->log && !put_log_tics(out, r, pixels, beside)) tern_text_format(out, "\nset %s autofreq", axis);
    static const double steps[] = { 1, 2, 5 };
    const double span = r->hi - r->lo;
    for (int i = 3 * (int)floor(log10(span / 50)); !r->log; ++i) {
        const double step = steps[(i % 3 + 3) % 3] * pow(10, floor(i / 3.0));
        char lo[32], hi[32];
        snprintf(lo, sizeof lo, "%.7g", ceil(r->lo / step) * step);
        snprintf(hi, sizeof hi, "%.7g", (ceil(r->lo / step) + 1) * step);
        const size_t length = strlen(lo) > strlen(hi) ? strlen(lo) : strlen(hi);
        const double room = beside ? (double)(length < 3 ? 3 : length) * LABEL_PX + 18 : 30;
        if (span / step * room > pixels && span / step > 1) continue;
        tern_text_format(out, " %.12g", step);
        break;
    }
    tern_text_add(out, "\n");
}

static size_t longest_name(const tern_plot *p)
{
    size_t longest = 0, bytes;
    for (size_t i = 0; i < p->n_y_names && i < Y_NAMES; ++i) {
        size_t n = 0;
        for (const char *s = p->y_names[i]; *s != '\0' && n < NAME_LETTERS; s += bytes, ++n) tern_text_next(s, &bytes);
        if (n > longest) longest = n;
    }
    return longest;
}

static void put_y_names(const tern_plot *p, double pixels, tern_text *out)
{
    tern_text_add(out, "set ytics (");
    bool first = true;
    /* as many as do not lie on each other */
    const size_t n = p->n_y_names < Y_NAMES ? p->n_y_names : Y_NAMES,
                 every = 1 + (size_t)((double)n * LINE_PX / pixels);
    for (size_t i = 0; i < n; i += every) {
        if (!valid(p->y_at[i], p->log_y)) continue;
        tern_text_add(out, first ? "" : ", ");
        put_text(out, p->y_names[i], NAME_LETTERS);
        tern_text_format(out, " %.12g", p->y_at[i]);
        first = false;
    }
    tern_text_add(out, ")\n");
}

static void put_frame(const tern_plot *p, const range *x, const range *y, tern_text *out)
{
    const double w = tern_plot_width(p), h = tern_plot_height(p);
    /* centred above the axes, which stand right of the middle */
    const size_t across = (size_t)((w - 60) / LETTER_PX), up = (size_t)((h - 60) / LETTER_PX);
    tern_text_add(out, "undefine $*\nreset\nset encoding utf8\n");
    tern_text_format(out,
                     "set terminal svg size %.0f,%.0f fixed font 'sans-serif,%d' noenhanced rounded background "
                     "'#ffffff' linewidth 1\n",
                     w, h, FONT_PX);
    tern_text_add(out,
                  "set border 3 lc rgb '#9a9a9a' lw 1\nset tics nomirror out scale 0.5 textcolor rgb '#444444'\nset "
                  "format '%.7g'\nset errorbars 0.5\nset pointintervalbox 0\nset grid lt 1 lw 1 lc rgb '#e8e8e8'\n"
                  "set key below center horizontal Left reverse samplen 1.6 spacing 1.05 width 1 height 0.8 textcolor "
                  "rgb '#222222'\n"
                  "set style fill transparent solid 0.55 border\n");
    if (p->log_x) tern_text_add(out, "set logscale x\n");
    if (p->log_y) tern_text_add(out, "set logscale y\n");
    tern_text_format(out, "set xrange [%.12g:%.12g]\nset yrange [%.12g:%.12g]\n", x->lo, x->hi, y->lo, y->hi);
    const double axis = w - 90 - (p->n_y_names != 0 ? NAME_PX * (double)longest_name(p) : 0);
    put_tics(out, "xtics offset 0,0.45", x, axis > 60 ? axis : 60, true);
    char last[32];
    /* half of the last label stands right of the axis; gnuplot counts in letters of 0.6 of the font's size */
    snprintf(last, sizeof last, "%.7g", x->hi);
    tern_text_format(out, "set rmargin %.1f\n", 1.0 + (double)strlen(last) * LABEL_PX / 2.0 / (0.6 * FONT_PX));
    if (p->n_y_names != 0) put_y_names(p, h - 110 > LINE_PX ? h - 110 : LINE_PX, out);
    else put_tics(out, "ytics", y, h - 110, false);
    if (p->title != NULL) {
        tern_text_add(out, "set title ");
        put_text(out, p->title, across);
        tern_text_add(out, " textcolor rgb '#222222' offset 0,-0.5\nset tmargin 1.7\n");
    }
    if (p->x_label != NULL) {
        tern_text_add(out, "set xlabel ");
        put_text(out, p->x_label, across);
        tern_text_add(out, " textcolor rgb '#444444' offset 0,0.95\n");
    }
    if (p->y_label != NULL) {
        tern_text_add(out, "set ylabel ");
        put_text(out, p->y_label, up);
        tern_text_add(out, " textcolor rgb '#444444' offset 0.8,0\n");
    }
}

static void put_name(const tern_plot *p, const tern_plot_series *s, tern_text *out)
{
    if (s->name == NULL || s->name[0] == '\0') {
        tern_text_add(out, " notitle");
        return;
    }
    tern_text_add(out, " title ");
    put_text(out, s->name, (size_t)((tern_plot_width(p) - 60) / LETTER_PX));
}

/* Ends of a line that is no data: level or diagonal. False: it is outside. */
static bool ends(const tern_plot_series *s, const range *x, const range *y, double out[4])
{
    if (s->kind == TERN_PLOT_LEVEL) {
        if (s->n == 0 || !valid(s->y[0], y->log)) return false;
        const double at[4] = { x->lo, s->y[0], x->hi, s->y[0] };
        memcpy(out, at, sizeof at);
        return true;
    }
    const double lo = x->lo > y->lo ? x->lo : y->lo, hi = x->hi < y->hi ? x->hi : y->hi;
    const double at[4] = { lo, lo, hi, hi };
    memcpy(out, at, sizeof at);
    return lo < hi;
}

static void next_plot(tern_text *out, size_t *n) { tern_text_add(out, (*n)++ == 0 ? "plot " : ", \\\n  "); }

static void put_series(const tern_plot *p, size_t i, tern_text *out, size_t *n)
{
    const tern_plot_series *s = &p->series[i];
    next_plot(out, n);
    tern_text_format(out, "$d%zu using 1:2%s with ", i, s->kind == TERN_PLOT_BARS ? ":3" : "");
    switch (s->kind) {
    case TERN_PLOT_MARKED:
        tern_text_format(out, "linespoints lw 1.8 dt %d pt %d ps 0.55 lc rgb '%s'", dash(s), mark(s), colour(s));
        break;
    case TERN_PLOT_POINTS:
        tern_text_format(out, "points pt %d ps %s lc rgb '%s'", mark(s), has_range(s) ? "0.6" : "0.35", colour(s));
        break;
    case TERN_PLOT_TICKS: tern_text_format(out, "lines lw 1.2 lc rgb '%s'", colour(s)); break;
    case TERN_PLOT_BARS: tern_text_format(out, "boxes lw 1 lc rgb '%s'", colour(s)); break;
    case TERN_PLOT_LEVEL:
    case TERN_PLOT_DIAGONAL: tern_text_format(out, "lines lw 1.3 dt 2 lc rgb '%s'", colour(s)); break;
    default: tern_text_format(out, "lines lw 1.8 dt %d lc rgb '%s'", dash(s), colour(s));
    }
    put_name(p, s, out);
}

static void put_bars(size_t i, const tern_plot_series *s, tern_text *out, size_t *n)
{
    next_plot(out, n);
    tern_text_format(out, "$r%zu using 1:2:3:4 with yerrorbars pt 0 ps 0 lw 1.2 lc rgb '%s' notitle", i, colour(s));
}

void tern_plot_script(const tern_plot *p, tern_text *out)
{
    range x = { .log = p->log_x }, y = { .log = p->log_y };
    bool bars_or_marks = false;
    for (size_t i = 0; i < p->n_series; ++i) {
        include_series(p, &p->series[i], &x, &y);
        if (p->series[i].kind != TERN_PLOT_LINE && p->series[i].kind != TERN_PLOT_BARS && has_points(&p->series[i]))
            bars_or_marks = true;
    }
    const bool empty = !x.any;
    settle(&x, p->x_min, p->x_max, bars_or_marks ? 0.03 : 0);
    settle(&y, p->y_min, p->y_max, 0.05);
    put_frame(p, &x, &y, out);
    if (empty) tern_text_add(out, "set label 'no data' at graph 0.5,graph 0.5 center textcolor rgb '#777777'\n");
    tern_text curves;
    tern_text_init(&curves, out->alloc);
    size_t n = 0;
    for (size_t i = 0; i < p->n_series; ++i) { /* bands lie below everything */
        const tern_plot_series *s = &p->series[i];
        if (has_range(s) && put_range_block(p, i, out) != 0 && s->kind == TERN_PLOT_LINE) {
            next_plot(&curves, &n);
            tern_text_format(
                &curves, "$r%zu using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '%s' notitle", i,
                colour(s));
        }
    }
    for (size_t i = 0; i < p->n_series; ++i) {
        const tern_plot_series *s = &p->series[i];
        double at[4];
        if (has_points(s)) put_block(p, i, out);
        else if (ends(s, &x, &y, at))
            tern_text_format(out, "$d%zu << EOD\n%.12g %.12g\n%.12g %.12g\nEOD\n", i, at[0], at[1], at[2], at[3]);
        else continue;
        if (has_range(s) && s->kind != TERN_PLOT_LINE && s->kind != TERN_PLOT_BARS) put_bars(i, s, &curves, &n);
        put_series(p, i, &curves, &n);
        if (has_range(s) && s->kind == TERN_PLOT_BARS) put_bars(i, s, &curves, &n);
    }
    if (n == 0) tern_text_add(&curves, "plot NaN notitle");
    if (curves.failed || curves.n == 0) out->failed = true;
    else tern_text_bytes(out, curves.data, curves.n);
    tern_text_add(out, "\n");
    tern_text_free(&curves);
}
