/* tern_stream.c : one stream for every format: which format, which part, zero of time, sensor, order, repair
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_axes.h"
#include "tern_columns.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In the order in which contents are looked at: those with a signature first. */
static const tern__format *const formats[] = {
    &tern__format_aedat2, &tern__format_aedat3, &tern__format_aedat4, &tern__format_es,   &tern__format_hdf5,
    &tern__format_npy,    &tern__format_npz,    &tern__format_idx,    &tern__format_evt2, &tern__format_evt3,
    &tern__format_dat,    &tern__format_csv,    &tern__format_nmnist,
};
enum { N_FORMATS = sizeof formats / sizeof formats[0], LOOK_BYTES = 4096 };

const tern__format *tern__format_at(size_t i) { return i < N_FORMATS ? formats[i] : NULL; }

const char *tern_recording_format_name(size_t i) { return i < N_FORMATS ? formats[i]->name : NULL; }

bool tern_recording_format_ready(size_t i, const char **out_package)
{
    *out_package = i < N_FORMATS ? formats[i]->missing : NULL;
    return i < N_FORMATS && *out_package == NULL;
}

/* ---- opening ---- */

/* "auto, aedat2, ..." for hints. */
static void list_formats(char *buf, size_t bytes)
{
    size_t n = (size_t)snprintf(buf, bytes, "auto");
    for (size_t i = 0; i < N_FORMATS && n < bytes; ++i)
        n += (size_t)snprintf(buf + n, bytes - n, ", %s", formats[i]->name);
}

const char *tern_meaning_wrong(const tern_meaning *m)
{
    int at[TERN__COLS], n;
    if (m->columns != NULL && !tern__columns_parse(m->columns, at, &n))
        return "columns are t, x, y and perhaps p, or t and unit, with commas, like x,y,p,t; - is one that means "
               "nothing";
    if (m->time_unit != NULL && !tern__unit_parse(m->time_unit, strlen(m->time_unit), &n))
        return "units of time are s, ms, us and ns";
    if (m->axes != NULL && !tern__axes_parse(m->axes))
        return "axes are tx, ntx, tnx, tyx, ntyx, tnyx, tpyx, ntpyx or tnpyx (n samples, t steps, p planes, y rows, x "
               "columns or units); others are to be transposed first";
    return NULL;
}

static bool is_text(const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (b[i] < 0x20 && b[i] != '\n' && b[i] != '\r' && b[i] != '\t') return false;
    return n != 0;
}

/* Files that people have and that are not read: what they are, and what to do. */
static bool other_kind(const tern_stream *s, const uint8_t *b, size_t n, tern_diags *d)
{
    static const char convert[] = "a few lines of Python make it a file that is read: docs/38-formats.md, last section";
    static const struct {
        const char *begin;
        size_t bytes;
        const char *what;
    } kinds[] = {
        { "MATLAB 5.0 MAT-file", 19, "a MATLAB file" },
        { "#ROSBAG V", 9, "a ROS bag" },
        { "PAR1", 4, "a Parquet file" },
        { "SQLite format 3", 15, "a database of SQLite" },
    };
    const char *what = NULL;
    if (n >= 2 && b[0] == 0x80 && b[1] >= 2 && b[1] <= 5)
        what = "a Python pickle (which could run code, and is never read)";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (n >= kinds[i].bytes && memcmp(b, kinds[i].begin, kinds[i].bytes) == 0) what = kinds[i].what;
    if (what != NULL)
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_UNKNOWN_CONTENT, "is %s, not a recording that is read", what),
                       "%s", convert);
    return what != NULL;
}

static tern_status pick_format(tern_stream *s, const uint8_t *b, size_t n, uint64_t size, tern_diags *d)
{
    const char *want = s->opt.format;
    if (want == NULL || want[0] == 0 || strcmp(want, "auto") == 0) {
        for (size_t i = 0; i < N_FORMATS && s->format == NULL; ++i)
            if (formats[i]->detect(b, n, size)) s->format = formats[i];
        if (s->format == NULL && s->opt.meaning.columns != NULL && is_text(b, n))
            s->format = &tern__format_csv; /* a heading of other words, or none */
        if (s->format != NULL) return TERN_OK;
        if (other_kind(s, b, n, d)) return TERN_ERR_FORMAT;
        char first[8 * 3 + 1] = "";
        for (size_t i = 0; i < n && i < 8; ++i) snprintf(first + 3 * i, 4, " %02x", b[i]);
        tern_diag *g = n == 0 ? tern__stream_error(s, d, TERN_DATA_UNKNOWN_CONTENT, "is empty (0 bytes)")
                              : tern__stream_error(s, d, TERN_DATA_UNKNOWN_CONTENT,
                                                   "has no known recording format: it begins with%s", first);
        tern_diag_hint(g, "docs/30-data.md lists what is read, and how it is recognised; a format can also be named");
        return TERN_ERR_FORMAT;
    }
    char known[200];
    for (size_t i = 0; i < N_FORMATS && s->format == NULL; ++i)
        if (strcmp(want, formats[i]->name) == 0) s->format = formats[i];
    if (s->format != NULL) return TERN_OK;
    list_formats(known, sizeof known);
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_FORMAT_NAME, "format '%.40s' is not known", want),
                   "known formats: %s", known);
    return TERN_ERR_ARGUMENT;
}

static tern_status begin(tern_stream *s, tern_diags *d)
{
    uint8_t first[2];
    const bool gzip = tern__base_get(&s->base, 0, first, 2) && first[0] == 0x1f && first[1] == 0x8b;
    tern_status st = tern__source_open(&s->src, &s->base, 0, s->base.size, gzip ? TERN__GZIP : TERN__PLAIN, s->alloc);
    if (st != TERN_OK) return st;
    const uint8_t *b;
    const size_t n = tern__source_peek(&s->src, LOOK_BYTES, &b);
    if (n == 0 && (st = tern__source_problem(s, &s->src, d)) != TERN_OK) return st; /* damaged gzip */
    st = pick_format(s, b, n < LOOK_BYTES ? n : LOOK_BYTES, gzip ? UINT64_MAX : s->base.size, d);
    if (st != TERN_OK) return st;
    if (s->format->missing != NULL) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_LIBRARY, "has format %s, which this tern was built without",
                                          s->format->name),
                       "install the package %s and build tern again", s->format->missing);
        return TERN_ERR_TOOL;
    }
    if (s->format->own_file && (gzip || s->from_memory)) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_KIND, "a file of format %s must lie on disk, not compressed",
                                          s->format->name),
                       "gunzip it first");
        return TERN_ERR_FORMAT;
    }
    if (s->format->state_bytes != 0) {
        s->state = s->alloc.fn(s->alloc.ud, NULL, s->format->state_bytes);
        if (s->state == NULL) return TERN_ERR_MEMORY;
        memset(s->state, 0, s->format->state_bytes);
    }
    s->info = (tern_stream_info){ .format = s->format->name, .label = -1 };
    return TERN_OK;
}

tern_status tern__stream_begin(const char *path, const uint8_t *bytes, size_t size, const tern_stream_options *opt,
                               tern_alloc alloc, tern_stream **out, tern_diags *diags)
{
    *out = NULL;
    tern_stream *s = alloc.fn(alloc.ud, NULL, sizeof *s);
    if (s == NULL) return TERN_ERR_MEMORY;
    memset(s, 0, sizeof *s);
    s->alloc = alloc;
    s->base.fd = -1;
    s->from_memory = bytes != NULL;
    if (opt != NULL) s->opt = *opt;
    tern_status st = TERN_OK;
    const char *wrong = tern_meaning_wrong(&s->opt.meaning);
    if (wrong != NULL) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_MEANING, path, 0, NULL, "%s", wrong);
        st = TERN_ERR_ARGUMENT;
    }
    if (st == TERN_OK && path != NULL) {
        size_t n;
        st = tern__selection_split(path, bytes == NULL, &n, &s->sel, diags);
        if (st == TERN_OK && (s->path = alloc.fn(alloc.ud, NULL, n + 1)) == NULL) st = TERN_ERR_MEMORY;
        if (st == TERN_OK) {
            memcpy(s->path, path, n);
            s->path[n] = 0;
        }
    }
    if (st == TERN_OK && bytes != NULL) s->base = (tern__base){ .fd = -1, .mem = bytes, .size = size };
    else if (st == TERN_OK) st = tern__base_open(&s->base, s->path, diags);
    if (st == TERN_OK) st = begin(s, diags);
    if (st != TERN_OK) {
        tern_stream_close(s);
        return st;
    }
    *out = s;
    return TERN_OK;
}

static tern_status open_format(tern_stream *s, tern_diags *d)
{
    bool selected = s->sel.kind == TERN__ALL || s->sel.kind == TERN__RECORDS || s->sel.kind == TERN__TIMES;
    if (s->sel.kind == TERN__GROUP) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_SELECTION,
                                          "'#%s' names a group of samples, not one recording", s->sel.group),
                       "a sample of it is #%s/0", s->sel.group);
        return TERN_ERR_ARGUMENT;
    }
    bool by_reader = false;
    const tern_status st = s->format->open(s, &by_reader, d);
    if (st != TERN_OK) return st;
    /* sample 0 of a single recording is the recording */
    if (!selected && !by_reader && (s->sel.sample != 0 || s->sel.group[0] != 0)) {
        tern__stream_error(s, d, TERN_DATA_SELECTION,
                           "sample %llu is asked for, but a file of format %s is one recording",
                           (unsigned long long)s->sel.sample, s->format->name);
        return TERN_ERR_ARGUMENT;
    }
    if (by_reader && s->sel.kind == TERN__RECORDS) s->sel.kind = TERN__ALL; /* done; nothing is left for the stream */
    if (s->info.width == 0 || s->info.height == 0) {
        s->info.width = s->opt.sensor_width;
        s->info.height = s->opt.sensor_height;
        if (s->info.width == 0 || s->info.height == 0) s->info.width = s->info.height = 0;
    } else {
        s->info.from_file = true;
    }
    return TERN_OK;
}

static tern_status open_either(const char *path, const uint8_t *bytes, size_t size, const tern_stream_options *options,
                               tern_alloc alloc, tern_stream **out, tern_diags *diags)
{
    tern_status st = tern__stream_begin(path, bytes, size, options, alloc, out, diags);
    if (st == TERN_OK && (st = open_format(*out, diags)) != TERN_OK) {
        tern_stream_close(*out);
        *out = NULL;
    }
    return st;
}

tern_status tern_stream_open(const char *path, const tern_stream_options *options, tern_alloc alloc, tern_stream **out,
                             tern_diags *diags)
{
    return open_either(path, NULL, 0, options, alloc, out, diags);
}

tern_status tern_stream_open_bytes(const uint8_t *bytes, size_t size, const char *file,
                                   const tern_stream_options *options, tern_alloc alloc, tern_stream **out,
                                   tern_diags *diags)
{
    return open_either(file, bytes != NULL ? bytes : (const uint8_t *)"", bytes != NULL ? size : 0, options, alloc, out,
                       diags);
}

void tern_stream_close(tern_stream *s)
{
    if (s == NULL) return;
    if (s->format != NULL && s->format->close != NULL && s->state != NULL) s->format->close(s);
    tern__source_close(&s->src);
    if (s->state != NULL) s->alloc.fn(s->alloc.ud, s->state, 0);
    if (!s->from_memory) tern__base_close(&s->base);
    if (s->path != NULL) s->alloc.fn(s->alloc.ud, s->path, 0);
    s->alloc.fn(s->alloc.ud, s, 0);
}

const tern_stream_info *tern_stream_about(const tern_stream *s) { return &s->info; }
const tern_stream_counts *tern_stream_counted(const tern_stream *s) { return &s->counts; }

tern_status tern__file_samples(const char *path, const char *format, const tern_meaning *meaning, tern_arena *arena,
                               tern__samples *out, tern_diags *diags)
{
    *out = (tern__samples){ 0 };
    tern_stream_options opt = { .format = format };
    if (meaning != NULL) opt.meaning = *meaning;
    tern_stream *s;
    tern_status st = tern__stream_begin(path, NULL, 0, &opt, arena->alloc, &s, diags);
    if (st != TERN_OK) return st;
    if (s->format->samples != NULL) st = s->format->samples(s, arena, out, diags);
    tern_stream_close(s);
    return st;
}

/* ---- reading ---- */

/* Leaves out what the selection does not want and what lies off the sensor; returns how many are left. */
static size_t sift(tern_stream *s, tern_event *e, size_t n)
{
    const bool by_record = s->sel.kind == TERN__RECORDS, by_time = s->sel.kind == TERN__TIMES;
    const uint32_t width = s->info.width != 0 ? s->info.width : UINT32_MAX,
                   height = s->info.height != 0 ? s->info.height : UINT32_MAX;
    size_t k = 0, n_off = 0;
    if (!by_record && !by_time) {
        for (k = 0; k < n && e[k].x < width && e[k].y < height; ++k) {}
        if (k == n) return n; /* the usual case */
        k = 0;
    }
    for (size_t i = 0; i < n; ++i) {
        /* smaller than first: wraps far above count */
        if (by_record && s->n_seen++ - s->sel.first >= s->sel.count) continue;
        if (by_time && ((int64_t)e[i].t_us < s->sel.begin_us || (int64_t)e[i].t_us >= s->sel.end_us)) continue;
        if (e[i].x < width && e[i].y < height) e[k++] = e[i];
        else ++n_off;
    }
    s->counts.n_off_sensor += n_off;
    return k;
}

/* Counts what is delivered, and makes its times count from the zero. */
static size_t deliver(tern_stream *s, tern_event *e, size_t n)
{
    if (n == 0) return 0;
    if (!s->has_zero) {
        s->has_zero = true;
        s->counts.zero_us = e[0].t_us;
    }
    const uint64_t zero = s->counts.zero_us;
    tern_stream_counts *c = &s->counts;
    uint64_t last = c->n_events != 0 ? s->step_us : e[0].t_us, span = c->span_us, gap = c->gap_us,
             before = s->before_us, n_on = 0, n_back = 0, n_early = 0;
    uint32_t max_x = c->max_x, max_y = c->max_y;
    for (size_t i = 0; i < n; ++i) {
        const uint64_t t = e[i].t_us, since = t - zero;
        const int64_t on = (int64_t)(t - last);
        n_back += on < 0;
        if (on > 0 && (uint64_t)on > gap) gap = (uint64_t)on;
        last = t;
        if ((int64_t)since < 0) {
            ++n_early;
            if (zero - t > before) before = zero - t;
        } else if (since > span) {
            span = since;
        }
        if (e[i].x > max_x) max_x = e[i].x;
        if (e[i].y > max_y) max_y = e[i].y;
        n_on += e[i].on;
        e[i].t_us = since;
    }
    s->step_us = last;
    s->before_us = before;
    c->span_us = span;
    c->gap_us = gap;
    c->max_x = max_x;
    c->max_y = max_y;
    c->n_events += n;
    c->n_on += n_on;
    c->n_early += n_early;
    c->n_backwards += n_back;
    return n;
}

/* Takes n events of the reader in; returns how many are left of them. */
static size_t accept(tern_stream *s, tern_event *e, size_t n)
{
    n = sift(s, e, n);
    if (s->opt.repair) n = tern__mend(s, e, n);
    return deliver(s, e, n);
}

enum { LOST_ENOUGH = 16, LOST_SHARE = 9 };

/* The end: a file of which all events, or nine of ten, had to be left out was misunderstood, and is an error. */
static void finish(tern_stream *s, tern_diags *d)
{
    const tern_stream_counts *c = &s->counts;
    const uint64_t lost = c->n_off_sensor + c->n_polarity;
    if (s->judged || s->failed != TERN_OK) return;
    s->judged = true;
    tern__judge(s);
    if (s->opt.repair || lost == 0) return;
    if (c->n_events != 0 && (lost < LOST_ENOUGH || lost / LOST_SHARE <= c->n_events)) return;
    char sensor[60] = "places above 65535 or below 0";
    if (s->info.width != 0)
        snprintf(sensor, sizeof sensor, "places outside %u x %u", (unsigned)s->info.width, (unsigned)s->info.height);
    tern_diag_hint(
        tern__stream_error(s, d, TERN_DATA_MEANING,
                           "%s of its events can be used: %llu have polarities other than 0, 1, -1 and %llu have %s",
                           c->n_events == 0 ? "none" : "almost none", (unsigned long long)c->n_polarity,
                           (unsigned long long)c->n_off_sensor, sensor),
        "its columns or arrays may be in another order, or the sensor another one: see --columns and --sensor of `tern "
        "data convert`");
    s->failed = TERN_ERR_FORMAT;
}

tern_status tern_stream_read(tern_stream *s, tern_event *events, size_t room, size_t *out_n, tern_diags *diags)
{
    *out_n = 0;
    if (room < TERN_STREAM_LEAST) return TERN_ERR_ARGUMENT;
    while (*out_n == 0 && !s->ended) {
        size_t n = 0;
        /* a damaged place where repair is asked for ends the recording: nothing is said about it but the count */
        const bool forgive = s->opt.repair && (s->counts.n_events != 0 || s->holds);
        const tern_status st = s->format->read(s, events, room, &n, forgive ? NULL : diags);
        if (st != TERN_OK && forgive && st != TERN_ERR_MEMORY && st != TERN_ERR_IO) {
            s->counts.cut_short = true;
            if (s->src.status == TERN_OK) s->counts.n_left_over += tern__source_rest(&s->src);
            s->ended = true;
        } else if (st != TERN_OK) {
            if (forgive && st != TERN_ERR_MEMORY) (void)tern__source_problem(s, &s->src, diags);
            s->ended = true;
            s->failed = st;
        } else if (n == 0) {
            s->ended = true;
        } else {
            *out_n = accept(s, events, n);
            if (s->sel.kind == TERN__RECORDS && s->n_seen >= s->sel.first && s->n_seen - s->sel.first >= s->sel.count)
                s->ended = true;
        }
    }
    if (*out_n == 0 && s->failed == TERN_OK) *out_n = deliver(s, events, tern__mend_end(s, events));
    if (*out_n == 0) finish(s, diags);
    return *out_n != 0 ? TERN_OK : s->failed;
}

static void backwards(const char *file, const tern_stream_counts *c, bool repair, tern_diags *d)
{
    char early[80] = "";
    if (c->n_early != 0)
        snprintf(early, sizeof early, "; %llu events lie before the first one, and in no frame",
                 (unsigned long long)c->n_early);
    tern_diag *g =
        tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_BACKWARDS, file, 0, NULL, "time goes backwards %llu times (%s)%s",
                       (unsigned long long)c->n_backwards, repair ? "repaired" : "kept as it is", early);
    if (c->n_backwards > c->n_events / 8)
        tern_diag_hint(
            g, "the events are not in order of time: sort the file by time first; --repair only repairs single places");
}

static void implausible(const char *file, const tern_stream_counts *c, tern_diags *d)
{
    const double first_s = (double)(int64_t)c->zero_us * 1e-6, year_s = 365.25 * 86400;
    enum { YEARS = 300 /* clocks count from 1970 or later */ };
    if (c->n_events != 0 && fabs(first_s) > YEARS * year_s)
        tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_TIME, file, 0, NULL,
                                      "the first event is at %.4g s, which is %.0f years: are these the times?",
                                      first_s, first_s / year_s),
                       "nanoseconds since 1970, perhaps: --time-unit ns of `tern data`");
    if (c->n_slow != 0)
        tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_TIME, file, 0, NULL,
                                      "there is an event in %.4g s only, %.4g hours long: are these the times?",
                                      (double)c->span_us * 1e-6 / (double)c->n_events, (double)c->span_us / 3.6e9),
                       "--time-unit of `tern data` says what the numbers are");
    if (c->n_gaps != 0)
        tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_GAP, file, 0, NULL,
                                      "%.6g s without an event are most of the recording: is a time wrong?",
                                      (double)c->gap_us * 1e-6),
                       "`tern data convert --repair` removes single events with a time far off");
}

void tern__report(const char *file, const tern_stream_counts *c, bool repair, bool complete, tern_diags *diags)
{
    typedef unsigned long long ull;
    if (c->n_left_over != 0 || c->cut_short)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_LEFT_OVER, file, 0, NULL,
                                      "%llu bytes at the end are %s and were skipped", (ull)c->n_left_over,
                                      c->cut_short ? "damaged or follow a damaged place" : "no whole record"),
                       "the file may have been cut off");
    if (c->n_backwards != 0) backwards(file, c, repair, diags);
    if (c->n_other != 0 || c->n_off_sensor != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_OTHER_EVENTS, file, 0, NULL,
                       "%llu records are not pixel events and %llu lie outside the sensor; they were skipped",
                       (ull)c->n_other, (ull)c->n_off_sensor);
    if (c->n_polarity != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_POLARITY, file, 0, NULL,
                       "%llu polarities are none of 0, 1, -1; the events were %s", (ull)c->n_polarity,
                       repair ? "kept: positive is ON" : "skipped");
    if (c->n_moved != 0 || c->n_mended != 0 || c->n_wild != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_REPAIRED, file, 0, NULL,
                       "repaired: %llu events have another time than in the file, %llu another polarity; %llu single "
                       "events with a time far off were skipped",
                       (ull)c->n_moved, (ull)c->n_mended, (ull)c->n_wild);
    implausible(file, c, diags);
    if (complete && c->n_events == 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_NO_EVENTS, file, 0, NULL, "the recording holds no events");
}

void tern_stream_report(const tern_stream *s, tern_diags *diags)
{
    tern__report(s->path, &s->counts, s->opt.repair, s->ended && s->failed == TERN_OK, diags);
}
