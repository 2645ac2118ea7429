/* tern_arrays.c : NumPy arrays as recordings: lists of events, and grids of steps (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Four shapes of content:
 *     RECORDS  one array of records with fields t, x, y, p (or t, unit); in .npz with `first`: sample k is first[k] ..
 *     first[k+1] - 1 COLUMNS  one array per field, all of one length, or one array with the columns t, x, y, p; samples
 *     as above
 *     ROWS     `idx` and `time`, samples x events, unused places at the end with idx -1
 *     GRID     samples x steps x units, or x (planes x) rows x columns; not 0 is an event
 */
#include <stdio.h>
#include <string.h>
#include "tern_arrays.h"
#include "tern_columns.h"
#include "tern_keep.h"

static bool detect_npy(const uint8_t *b, size_t n, uint64_t size)
{
    return (void)size, n >= 6 && memcmp(b, "\x93NUMPY", 6) == 0;
}
static bool detect_npz(const uint8_t *b, size_t n, uint64_t size)
{
    return (void)size, n >= 4 && (memcmp(b, "PK\3\4", 4) == 0 || memcmp(b, "PK\5\6", 4) == 0);
}

static const char *const names_t[] = { "t", "time", "times", "ts", "timestamp", "timestamps", NULL };
static const char *const names_x[] = { "x", "xs", NULL };
static const char *const names_y[] = { "y", "ys", NULL };
static const char *const names_p[] = { "p", "ps", "pol", "polarity", "polarities", "on", NULL };
static const char *const names_unit[] = { "unit", "units", "neuron", "neurons", "channel", "channels", "idx", NULL };
/* Beside x and y these may mean something else, such as how many channels there are. */
static bool is_unit_alone(const char *n) { return strcmp(n, "neurons") == 0 || strncmp(n, "channel", 7) == 0; }
static const char *const names_grid[] = { "frames", "data", "spikes", NULL };
static const char *const names_label[] = { "labels", "label", "y_labels", "targets", NULL };
static const char *const names_events[] = { "events", NULL };

static tern_status wrong(tern_stream *s, tern_diags *d, tern_status st, const char *what)
{
    if (st != TERN_ERR_MEMORY)
        tern_diag_hint(tern__stream_error(s, d,
                                          strncmp(what, "holds pickled", 13) == 0 ? TERN_DATA_KIND : TERN_DATA_DAMAGED,
                                          "%s", what),
                       "docs/38-formats.md lists the supported arrays");
    return st;
}

/* ---- zip files: arrays by name ---- */

typedef struct directory {
    tern__zip_entry e[TERN__ZIP_ENTRIES];
    size_t n;
} directory;

static const tern__zip_entry *by_name(const directory *dir, const char *const *names)
{
    for (; *names != NULL; ++names)
        for (size_t i = 0; i < dir->n; ++i)
            if (strcmp(dir->e[i].name, *names) == 0) return &dir->e[i];
    return NULL;
}

static const tern__zip_entry *by_one_name(const directory *dir, const char *name)
{
    const char *const names[] = { name, NULL };
    return by_name(dir, names);
}

static tern_status open_array(tern_stream *s, const tern__zip_entry *e, array *a, char why[200])
{
    const bool kept =
        e->codec == TERN__DEFLATE && tern__keep_take(s->opt.keep, &s->base, e->begin, e->size, &a->own, &a->h);
    tern_status st = kept ? TERN_OK : tern__zip_open(&a->own, &s->base, e, s->alloc);
    if (st != TERN_OK) return st;
    a->there = true;
    a->src = &a->own;
    a->read = kept;
    if (kept) return TERN_OK; /* somewhere in the array: who reads it seeks first */
    st = tern__npy_header(a->src, &a->h, why);
    if (st == TERN_OK) st = tern__zip_array_ends(e, &a->h, why);
    a->read = st == TERN_OK;
    if (st != TERN_OK && a->src->status == TERN_ERR_MEMORY) st = TERN_ERR_MEMORY;
    return st;
}

static void close_array(tern_stream *s, array *a)
{
    if (a->there && a->src == &a->own && !(a->read && tern__keep_put(s->opt.keep, &s->base, &a->own, &a->h)))
        tern__source_close(&a->own);
    *a = (array){ 0 };
}

/* One number of a one-dimensional array, or of one without dimensions; -1 past its end. */
static tern_status number_at(tern_stream *s, const tern__zip_entry *e, uint64_t i, double scale, int64_t *out,
                             uint64_t *n_items, char why[200])
{
    array a = { 0 };
    tern_status st = open_array(s, e, &a, why);
    if (st == TERN_OK) {
        *n_items = a.h.n_items;
        const uint8_t *p;
        if (!tern__arrays_is_list(&a.h, e->name, why)) st = TERN_ERR_FORMAT;
        else snprintf(why, 200, "'%.40s' holds no whole numbers, or ends too early", e->name);
        if (st == TERN_OK && i < a.h.n_items) {
            tern__source_seek(a.src, a.h.data_at + i * a.h.item_bytes);
            if (tern__source_peek(a.src, a.h.item_bytes, &p) < a.h.item_bytes) st = TERN_ERR_TRUNCATED;
            else if (scale == 1.0 ? !tern__npy_whole(p, a.h.field[0].type, out)
                                  : !tern__npy_integer(p, a.h.field[0].type, scale, out))
                st = TERN_ERR_FORMAT;
        } else if (st == TERN_OK) {
            *out = -1;
        }
    }
    close_array(s, &a);
    return st;
}

/* ---- what an array is ---- */

/* Shape of a grid; false: it is none, r->why tells. */
static bool grid_shape(tern_stream *s, tern__arrays *r, const tern__npy *h)
{
    char why[200];
    if (!tern__axes_find(h, s->opt.meaning.axes, r->n_labels, &r->axes, why)) {
        snprintf(r->why, sizeof r->why, "an array that is not a list of events is read as a grid: %.140s", why);
        return false;
    }
    r->shape = GRID;
    r->type[0] = h->field[0].type;
    return true;
}

static void arrays_chosen(tern__arrays *r, const directory *dir, const tern__zip_entry *e, const char *const *names)
{
    const tern__zip_entry *other = NULL;
    for (; e != NULL && *names != NULL && other == NULL; ++names) {
        const tern__zip_entry *one = by_one_name(dir, *names);
        if (one != e) other = one;
    }
    if (other != NULL) tern__say_chosen(r, e->name, other->name);
}

static bool record_shape(tern__arrays *r, const tern__npy *h, bool *units)
{
    const int t = tern__npy_find(h, names_t), x = tern__npy_find(h, names_x), y = tern__npy_find(h, names_y),
              p = tern__npy_find(h, names_p), unit = tern__npy_find(h, names_unit),
              u = unit >= 0 && x >= 0 && y >= 0 && is_unit_alone(h->field[unit].name) ? -1 : unit;
    if (h->n_dims != 1 || t < 0 || ((x >= 0 && y >= 0) == (u >= 0))) return false;
    const int col[N_COLUMNS] = { t, u >= 0 ? u : x, u >= 0 ? -1 : y, u >= 0 ? -1 : p };
    for (int c = 0; c < N_COLUMNS; ++c)
        if (col[c] >= 0) {
            r->type[c] = h->field[col[c]].type;
            r->at[c] = h->field[col[c]].at;
        }
    r->shape = RECORDS;
    *units = u >= 0;
    tern__fields_chosen(r, h, t, names_t);
    if (u < 0)
        tern__fields_chosen(r, h, x, names_x), tern__fields_chosen(r, h, y, names_y),
            tern__fields_chosen(r, h, p, names_p);
    else tern__fields_chosen(r, h, u, names_unit);
    return true;
}

/* One array of four columns, t, x, y, p until their values have been looked at; or of those that were given. */
static bool table_shape(tern_stream *s, tern__arrays *r, const tern__npy *h, bool *units)
{
    const tern__npy_type t = h->field[0].type;
    const char *told = s->opt.meaning.columns;
    int at[TERN__COLS] = { 0, 1, 2, 3, -1 }, n = 4;
    if (h->n_fields != 0 || h->n_dims != 2 || t.kind == 0 || t.kind == 'b' || t.bytes < 2 ||
        s->opt.meaning.axes != NULL)
        return false;
    if ((told != NULL && !tern__columns_parse(told, at, &n)) || h->dims[1] != (uint64_t)n) return false;
    *units = at[TERN__COL_UNIT] >= 0;
    const int col[N_COLUMNS] = { at[TERN__COL_T], *units ? at[TERN__COL_UNIT] : at[TERN__COL_X], at[TERN__COL_Y],
                                 at[TERN__COL_P] };
    for (int c = 0; c < N_COLUMNS; ++c) {
        if (col[c] < 0) continue;
        r->type[c] = t;
        r->at[c] = (uint32_t)col[c] * t.bytes;
    }
    r->shape = RECORDS;
    r->table = true;
    return true;
}

/* ---- opening ---- */

static tern_status open_grid(tern_stream *s, tern__arrays *r, bool *selected, tern_diags *d)
{
    uint64_t k;
    const tern__axes *a = &r->axes;
    tern_status st = tern__arrays_which_sample(s, a->n_samples, &k, d);
    if (st == TERN_OK) st = tern__arrays_not_on_side(s, r, d);
    if (st != TERN_OK) return st;
    *selected = s->sel.kind == TERN__SAMPLE;
    r->left = a->n_steps * a->n_planes * a->height * a->width;
    r->sample = k;
    if (r->step_us == 0) r->step_us = 1000;
    if (!a->steps_first) tern__source_seek(r->a[0].src, r->a[0].h.data_at + k * r->left * r->a[0].h.item_bytes);
    s->info.width = (uint32_t)a->width;
    s->info.height = (uint32_t)a->height;
    s->info.units = a->height == 1 && a->n_planes == 1;
    s->info.step_us = r->step_us;
    s->info.n_steps = (uint32_t)a->n_steps;
    s->has_zero = true; /* step 0 */
    tern__arrays_analog(s, r, d);
    if (s->opt.meaning.axes == NULL) {
        tern__axes_text(a, s->info.assumed, sizeof s->info.assumed);
        if (a->n_steps <= 2 && a->n_samples > 2) tern__arrays_few_steps(s, a, d);
    }
    if (r->chosen[0] != 0) tern__assume(s, r->chosen);
    return TERN_OK;
}

static tern_status open_npy(tern_stream *s, bool *selected, tern_diags *d)
{
    tern__arrays *r = s->state;
    bool units = false;
    r->a[0].there = true;
    r->a[0].src = &s->src;
    const tern_status st = tern__npy_header(&s->src, &r->a[0].h, r->why);
    if (st != TERN_OK) {
        const tern_status why = tern__source_problem(s, &s->src, d);
        return why != TERN_OK ? why : wrong(s, d, st, r->why);
    }
    if (record_shape(r, &r->a[0].h, &units) || table_shape(s, r, &r->a[0].h, &units)) {
        s->info.units = units;
        uint64_t n;
        const tern_status fixed =
            tern__fixed_records(s, r->a[0].h.data_at, tern__arrays_record_bytes(r), &n, selected, d);
        r->left = n < tern__arrays_records(r) ? n : tern__arrays_records(r);
        return fixed == TERN_OK ? tern__arrays_meaning(s, r, d) : fixed;
    }
    if (grid_shape(s, r, &r->a[0].h)) return open_grid(s, r, selected, d);
    return wrong(s, d, TERN_ERR_FORMAT, r->why);
}

static tern_status read_directory(tern_stream *s, directory **out, char why[200])
{
    *out = s->alloc.fn(s->alloc.ud, NULL, sizeof **out);
    if (*out == NULL) return TERN_ERR_MEMORY;
    memset(*out, 0, sizeof **out);
    return tern__zip_directory(&s->base, s->alloc, (*out)->e, &(*out)->n, why);
}

/* Length of a step: `window_us` in microseconds or `dt` in seconds. */
static tern_status step_length(tern_stream *s, tern__arrays *r, const directory *dir)
{
    const tern__zip_entry *us = by_one_name(dir, "window_us"), *dt = by_one_name(dir, "dt");
    int64_t v = 0;
    uint64_t n;
    if (us == NULL && dt == NULL) return TERN_OK;
    const tern_status st =
        us != NULL ? number_at(s, us, 0, 1.0, &v, &n, r->why) : number_at(s, dt, 0, 1e6, &v, &n, r->why);
    if (st == TERN_OK && (v < 1 || v > UINT32_MAX)) {
        snprintf(r->why, sizeof r->why, "%s", "the length of a step is not a whole number of microseconds");
        return TERN_ERR_FORMAT;
    }
    r->step_us = (uint32_t)v;
    return st;
}

/* Label of sample k, and the sensor, if the file has them. */
static tern_status side_arrays(tern_stream *s, tern__arrays *r, const directory *dir, uint64_t k)
{
    const tern__zip_entry *e = by_name(dir, names_label);
    int64_t v, w;
    uint64_t n;
    tern_status st = e == NULL ? TERN_OK : number_at(s, e, k, 1.0, &v, &n, r->why);
    s->info.label = e != NULL && st == TERN_OK && v >= -1 && v <= 65535 ? (int32_t)v : s->info.label;
    if (e != NULL && st == TERN_OK && s->info.label != v) {
        snprintf(r->why, sizeof r->why, "label %llu of '%.40s' is %lld; labels are whole numbers in 0..65535, or -1",
                 (unsigned long long)k, e->name, (long long)v);
        st = TERN_ERR_FORMAT;
    }
    e = by_one_name(dir, "sensor");
    if (st != TERN_OK || e == NULL) return st;
    st = number_at(s, e, 0, 1.0, &v, &n, r->why);
    if (st == TERN_OK) st = number_at(s, e, 1, 1.0, &w, &n, r->why);
    if (st == TERN_OK && v >= 1 && v <= 65536 && w >= 1 && w <= 65536) {
        s->info.width = (uint32_t)v;
        s->info.height = (uint32_t)w;
    }
    return st;
}

/* Opens the arrays that hold the events, and finds what they are. */
static tern_status find_content(tern_stream *s, tern__arrays *r, const directory *dir)
{
    const tern__zip_entry *e = by_name(dir, names_events), *t = by_name(dir, names_t), *x = by_name(dir, names_x),
                          *y = by_name(dir, names_y), *p = by_name(dir, names_p), *u = by_name(dir, names_unit);
    if (u != NULL && x != NULL && y != NULL && is_unit_alone(u->name)) u = NULL;
    const tern__zip_entry *labels = by_name(dir, names_label);
    int64_t v;
    tern_status st;
    if (labels != NULL && number_at(s, labels, UINT64_MAX, 1.0, &v, &r->n_labels, r->why) != TERN_OK)
        r->n_labels = 0; /* told when they are read */
    const tern__zip_entry *grid = by_name(dir, names_grid), *other = e != NULL && t != NULL ? t : grid;
    if (e == NULL && t == NULL && (e = grid) == NULL && dir->n == 1) e = &dir->e[0];
    if (other != NULL && e != grid) tern__say_chosen(r, e != NULL ? e->name : t->name, other->name);
    if (e != NULL) {
        if (e == grid) arrays_chosen(r, dir, grid, names_grid);
        st = open_array(s, e, &r->a[0], r->why);
        const tern__npy *h = &r->a[0].h;
        if (st != TERN_OK || record_shape(r, h, &s->info.units) || table_shape(s, r, h, &s->info.units) ||
            grid_shape(s, r, h))
            return st;
        return TERN_ERR_FORMAT;
    }
    if (t != NULL && ((x != NULL && y != NULL) != (u != NULL))) {
        const tern__zip_entry *const col[N_COLUMNS] = { t, u != NULL ? u : x, u != NULL ? NULL : y,
                                                        u != NULL ? NULL : p };
        s->info.units = u != NULL;
        arrays_chosen(r, dir, t, names_t);
        if (u != NULL) arrays_chosen(r, dir, u, names_unit);
        else arrays_chosen(r, dir, x, names_x), arrays_chosen(r, dir, y, names_y), arrays_chosen(r, dir, p, names_p);
        for (int c = 0; c < N_COLUMNS; ++c) {
            if (col[c] == NULL) continue;
            st = open_array(s, col[c], &r->a[c], r->why);
            if (st != TERN_OK) return st;
            const tern__npy *h = &r->a[c].h;
            r->type[c] = h->field[0].type;
            if (h->n_fields != 0 || r->type[c].kind == 0 || h->n_dims != r->a[T].h.n_dims ||
                h->n_items != r->a[T].h.n_items || h->n_dims < 1 || h->n_dims > (u != NULL ? 2u : 1u) ||
                (h->n_dims == 2 && h->dims[1] != r->a[T].h.dims[1])) {
                snprintf(r->why, sizeof r->why, "%s", "the arrays of time and place have other shapes or no numbers");
                return TERN_ERR_FORMAT;
            }
        }
        r->shape = r->a[T].h.n_dims == 2 ? ROWS : COLUMNS;
        return TERN_OK;
    }
    if (dir->n == 0)
        snprintf(r->why, sizeof r->why, "%s",
                 "a zip file without arrays: a PyTorch file, perhaps; save its tensors with numpy.savez");
    else
        snprintf(r->why, sizeof r->why, "%s",
                 "holds neither a list of events (arrays t, x, y, p, or t, unit, or `events` with such fields) nor a "
                 "grid (`frames`, `data` or `spikes`)");
    return TERN_ERR_FORMAT;
}

/* Range of sample k among the events; n_samples as the file has them (0: no `first`). */
static tern_status range_of(tern_stream *s, tern__arrays *r, const directory *dir, uint64_t all, uint64_t *from,
                            uint64_t *n, uint64_t *k, bool *selected, tern_diags *d)
{
    const tern__zip_entry *first = by_one_name(dir, "first");
    uint64_t n_first = 0;
    int64_t a = 0, b = 0;
    *from = 0;
    *n = all;
    *k = 0;
    if (s->sel.kind == TERN__RECORDS) {
        if (s->sel.first + s->sel.count > all) {
            tern__stream_error(s, d, TERN_DATA_SELECTION, "events %llu to %llu are requested; the file has %llu",
                               (unsigned long long)s->sel.first, (unsigned long long)(s->sel.first + s->sel.count - 1),
                               (unsigned long long)all);
            return TERN_ERR_ARGUMENT;
        }
        *from = s->sel.first;
        *n = s->sel.count;
        *selected = true;
        return TERN_OK;
    }
    /* only how many */
    tern_status st = first == NULL ? TERN_OK : number_at(s, first, UINT64_MAX, 1.0, &a, &n_first, r->why);
    if (st != TERN_OK) return wrong(s, d, st, r->why);
    if (first == NULL || n_first < 1)
        return s->sel.kind == TERN__TIMES ? TERN_OK : tern__arrays_which_sample(s, 1, k, d);
    if (s->sel.kind == TERN__TIMES) return TERN_OK;
    st = tern__arrays_which_sample(s, n_first - 1, k, d);
    if (st != TERN_OK) return st;
    st = number_at(s, first, *k, 1.0, &a, &n_first, r->why);
    if (st == TERN_OK) st = number_at(s, first, *k + 1, 1.0, &b, &n_first, r->why);
    if (st != TERN_OK) return wrong(s, d, st, r->why);
    int64_t begin = 0, end = 0;
    st = number_at(s, first, 0, 1.0, &begin, &n_first, r->why);
    if (st == TERN_OK) st = number_at(s, first, n_first - 1, 1.0, &end, &n_first, r->why);
    if (st != TERN_OK) return wrong(s, d, st, r->why);
    if (begin != 0 || (uint64_t)end != all) {
        snprintf(r->why, sizeof r->why,
                 "the array `first` goes from %lld to %lld, there are %llu events: it begins with 0 and ends with the "
                 "number of events",
                 (long long)begin, (long long)end, (unsigned long long)all);
        return wrong(s, d, TERN_ERR_FORMAT, r->why);
    }
    if (a < 0 || b < a || (uint64_t)b > all)
        return wrong(s, d, TERN_ERR_FORMAT, "the array `first` points outside the events");
    *from = (uint64_t)a;
    *n = (uint64_t)(b - a);
    *selected = s->sel.kind == TERN__SAMPLE;
    return TERN_OK;
}

static tern_status open_npz_with(tern_stream *s, tern__arrays *r, const directory *dir, bool *selected, tern_diags *d)
{
    uint64_t from = 0, k = 0;
    tern_status st = find_content(s, r, dir);
    if (st == TERN_OK) st = step_length(s, r, dir);
    if (st != TERN_OK) {
        const tern_status why = r->a[0].there ? tern__source_problem(s, r->a[0].src, d) : TERN_OK;
        return why != TERN_OK ? why : wrong(s, d, st, r->why);
    }
    if (r->shape == GRID) {
        st = open_grid(s, r, selected, d);
        k = s->sel.kind == TERN__SAMPLE ? s->sel.sample : 0;
    } else if (r->shape == ROWS) {
        const uint64_t width = r->a[T].h.dims[1];
        st = tern__arrays_which_sample(s, r->a[T].h.dims[0], &k, d);
        if (st != TERN_OK) return st;
        *selected = s->sel.kind == TERN__SAMPLE;
        r->left = width;
        from = k * width;
        s->has_zero = true; /* times of a sample begin at 0 */
    } else {
        st = range_of(s, r, dir, r->shape == RECORDS ? tern__arrays_records(r) : r->a[T].h.n_items, &from, &r->left, &k,
                      selected, d);
    }
    if (st != TERN_OK) return st;
    if (r->shape == RECORDS) tern__source_seek(r->a[0].src, r->a[0].h.data_at + from * tern__arrays_record_bytes(r));
    for (int c = 0; c < N_COLUMNS && r->shape != RECORDS && r->shape != GRID; ++c)
        if (r->a[c].there) tern__source_seek(r->a[c].src, r->a[c].h.data_at + from * r->a[c].h.item_bytes);
    if (r->shape != GRID && (st = tern__arrays_meaning(s, r, d)) != TERN_OK) return st;
    st = side_arrays(s, r, dir, k);
    return st == TERN_OK ? TERN_OK : wrong(s, d, st, r->why);
}

static tern_status open_npz(tern_stream *s, bool *selected, tern_diags *d)
{
    tern__arrays *r = s->state;
    directory *dir;
    if (s->src.codec != TERN__PLAIN)
        return wrong(s, d, TERN_ERR_FORMAT, "a zip file within a gzip file is not read; gunzip it first");
    tern_status st = read_directory(s, &dir, r->why);
    if (st == TERN_OK) st = open_npz_with(s, r, dir, selected, d);
    else if (dir != NULL) st = wrong(s, d, st, r->why);
    if (dir != NULL) s->alloc.fn(s->alloc.ud, dir, 0);
    return st;
}

static void close_file(tern_stream *s)
{
    tern__arrays *r = s->state;
    for (int c = 0; c < N_COLUMNS; ++c) close_array(s, &r->a[c]);
}

/* ---- samples ---- */

static tern_status labels_of(tern_stream *s, const directory *dir, uint64_t n, tern_arena *arena, int32_t **out,
                             char why[200], tern_diags *d)
{
    const tern__zip_entry *e = by_name(dir, names_label);
    array a = { 0 };
    *out = NULL;
    if (e == NULL) return TERN_OK;
    tern_status st = open_array(s, e, &a, why);
    if (st == TERN_OK && !tern__arrays_is_list(&a.h, e->name, why)) st = TERN_ERR_FORMAT;
    const bool list = st == TERN_OK && a.h.n_dims == 1;
    if (list && (*out = tern_arena_get(arena, (size_t)n, sizeof **out)) == NULL) st = TERN_ERR_MEMORY;
    if (list && st == TERN_OK && a.h.n_items != n) tern__labels_differ(s->path, a.h.n_items, n, "samples", d);
    for (uint64_t i = 0; st == TERN_OK && *out != NULL && i < n; ++i) {
        (*out)[i] = -1;
        if (i >= a.h.n_items) continue;
        uint8_t item[64];
        if (a.h.item_bytes > sizeof item || !tern__source_get(a.src, item, a.h.item_bytes)) {
            snprintf(why, 200, "%s", "the labels end too early");
            st = TERN_ERR_TRUNCATED;
        } else {
            if (!tern__npy_label(item, a.h.field[0].type, &(*out)[i])) {
                snprintf(why, 200, "label %llu of '%.40s' is no whole number in 0..65535, nor -1 for none",
                         (unsigned long long)i, e->name);
                st = TERN_ERR_FORMAT;
            }
        }
    }
    close_array(s, &a);
    return st;
}

/* The most samples that are listed: as many as a data set may have. */
enum { MAX_SAMPLES = 1000000, SMALL = 1 << 20 /* bytes of a packed array that are unpacked to be checked */ };

static tern_status samples_npz(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d)
{
    tern__arrays *r = s->state;
    directory *dir;
    if (s->src.codec != TERN__PLAIN)
        return wrong(s, d, TERN_ERR_FORMAT, "a zip file within a gzip file is not read; gunzip it first");
    tern_status st = read_directory(s, &dir, r->why);
    if (st == TERN_OK) st = find_content(s, r, dir);
    /* samples of stored arrays are read by jumping to them, which leaves no check sum to compare: now, then */
    for (size_t i = 0; st == TERN_OK && i < dir->n; ++i)
        if (dir->e[i].codec == TERN__PLAIN || dir->e[i].plain <= SMALL)
            st = tern__zip_check(&s->base, &dir->e[i], s->alloc, r->why);
    if (st == TERN_OK) {
        const tern__zip_entry *first = by_one_name(dir, "first");
        uint64_t n = 1;
        int64_t v;
        if (r->shape == GRID) n = r->axes.n_samples;
        else if (r->shape == ROWS) n = r->a[T].h.dims[0];
        else if (first != NULL && (st = number_at(s, first, 0, 1.0, &v, &n, r->why)) == TERN_OK) n = n == 0 ? 0 : n - 1;
        if (st == TERN_OK && n > MAX_SAMPLES) {
            snprintf(r->why, sizeof r->why, "%s", "holds more than 1,000,000 samples");
            st = TERN_ERR_LIMIT;
        }
        if (st == TERN_OK) st = labels_of(s, dir, n, arena, &out->labels, r->why, d);
        out->n = n;
    }
    if (st != TERN_OK) {
        out->n = 0;
        st = wrong(s, d, st, r->why);
    }
    if (dir != NULL) s->alloc.fn(s->alloc.ud, dir, 0);
    return st;
}

static tern_status samples_npy(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d)
{
    (void)arena;
    tern__arrays *r = s->state;
    const tern_status st = tern__npy_header(&s->src, &r->a[0].h, r->why);
    if (st != TERN_OK) return wrong(s, d, st, r->why);
    bool units;
    if (!table_shape(s, r, &r->a[0].h, &units) && grid_shape(s, r, &r->a[0].h)) out->n = r->axes.n_samples;
    if (out->n <= MAX_SAMPLES) return TERN_OK;
    out->n = 0;
    return wrong(s, d, TERN_ERR_LIMIT, "holds more than 1,000,000 samples");
}

/* ---- events ---- */

static bool time_at(const tern__arrays *r, const uint8_t *item, int64_t *t)
{
    static const double scale[] = { 1e-3, 1, 1e3, 1e6 };
    if (r->type[T].kind == 'f') return tern__npy_integer(item, r->type[T], scale[r->power / 3 + 1], t);
    if (!tern__npy_integer(item, r->type[T], 1.0, t)) return false;
    if (r->power < 0) *t = *t / 1000 + (*t % 1000 >= 500) - (*t % 1000 <= -500);
    const int64_t up = r->power == 6 ? 1000000 : r->power == 3 ? 1000 : 1;
    if (*t > INT64_MAX / 2 / up || *t < INT64_MIN / 2 / up) return false;
    *t *= up;
    return true;
}

/* One event from its numbers; 1, or 0: left out and counted, or not one at all. */
static size_t one_event(tern_stream *s, const tern__arrays *r, const uint8_t *const item[N_COLUMNS], tern_event *e)
{
    int64_t t, x, y = 0, p = 1;
    if (!tern__npy_whole(item[X], r->type[X], &x) ||
        (r->type[Y].kind != 0 && !tern__npy_whole(item[Y], r->type[Y], &y))) {
        ++s->counts.n_off_sensor; /* a fraction, or not a number */
        return 0;
    }
    if (r->shape == ROWS && x < 0) return 0; /* an unused place */
    if (!time_at(r, item[T], &t)) {
        ++s->counts.n_other;
        return 0;
    }
    if (r->type[P].kind != 0 && !tern__npy_whole(item[P], r->type[P], &p)) {
        ++s->counts.n_polarity;
        return 0;
    }
    if (!tern__polarity(s, p, &e->on)) return 0;
    if (x < 0 || x > 65535 || y < 0 || y > 65535) {
        ++s->counts.n_off_sensor;
        return 0;
    }
    e->t_us = (uint64_t)t;
    e->x = (uint16_t)x;
    e->y = (uint16_t)y;
    return 1;
}

static tern_status cut(tern_stream *s, const tern__source *src, tern_diags *d)
{
    const tern_status why = tern__source_problem(s, src, d);
    if (why != TERN_OK) return why;
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_DAMAGED, "the array ends before its shape is filled"),
                   "the file was cut off; `tern data convert --repair` keeps the readable part");
    return TERN_ERR_TRUNCATED;
}

static tern_status read_records(tern_stream *s, tern__arrays *r, tern_event *out, size_t room, size_t *out_n,
                                tern_diags *d)
{
    const uint32_t bytes = tern__arrays_record_bytes(r);
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(r->a[0].src, bytes, &p);
        size_t n = bytes > TERN__SOURCE_ROOM ? 0 : have / bytes;
        if (n == 0) return cut(s, r->a[0].src, d);
        if (n > room) n = room;
        if (n > r->left) n = (size_t)r->left;
        for (size_t i = 0; i < n; ++i, p += bytes) {
            const uint8_t *const item[N_COLUMNS] = { p + r->at[T], p + r->at[X], p + r->at[Y], p + r->at[P] };
            k += one_event(s, r, item, &out[k]);
        }
        tern__source_take(r->a[0].src, n * bytes);
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

static tern_status read_columns(tern_stream *s, tern__arrays *r, tern_event *out, size_t room, size_t *out_n,
                                tern_diags *d)
{
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p[N_COLUMNS] = { 0 };
        size_t n = room < r->left ? room : (size_t)r->left;
        for (int c = 0; c < N_COLUMNS; ++c) {
            if (!r->a[c].there) continue;
            const size_t have = tern__source_peek(r->a[c].src, r->a[c].h.item_bytes, &p[c]) / r->a[c].h.item_bytes;
            if (have == 0) return cut(s, r->a[c].src, d);
            if (have < n) n = have;
        }
        for (size_t i = 0; i < n; ++i) {
            k += one_event(s, r, p, &out[k]);
            for (int c = 0; c < N_COLUMNS; ++c)
                if (r->a[c].there) p[c] += r->a[c].h.item_bytes;
        }
        for (int c = 0; c < N_COLUMNS; ++c)
            if (r->a[c].there) tern__source_take(r->a[c].src, n * r->a[c].h.item_bytes);
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

static tern_status read_grid(tern_stream *s, tern__arrays *r, tern_event *out, size_t room, size_t *out_n,
                             tern_diags *d)
{
    const tern__npy_type type = r->type[0];
    const tern__axes *a = &r->axes;
    const uint64_t plane = a->width * a->height, step = plane * a->n_planes;
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p;
        if (a->steps_first && r->next % step == 0) /* the next step of this sample lies behind that of all others */
            tern__source_seek(r->a[0].src,
                              r->a[0].h.data_at + (r->next / step * a->n_samples + r->sample) * step * type.bytes);
        const uint64_t left = a->steps_first && r->left > step - r->next % step ? step - r->next % step : r->left;
        const size_t have = tern__source_peek(r->a[0].src, type.bytes, &p) / type.bytes,
                     most = left < have ? (size_t)left : have;
        if (most == 0) return cut(s, r->a[0].src, d);
        size_t i = 0;
        while (i < most && k < room) {
            if (type.bytes == 1) { /* grids are mostly empty */
                uint64_t eight;
                while (i + 8 <= most && (memcpy(&eight, p + i, 8), eight == 0)) i += 8;
                if (i == most) break;
            }
            if (is_spike(s, p + i * type.bytes, type)) {
                const uint64_t at = r->next + i, t = at / step, rest = at % step, pixel = rest % plane;
                out[k++] = (tern_event){ .t_us = t * r->step_us,
                                         .x = (uint16_t)(pixel % a->width),
                                         .y = (uint16_t)(pixel / a->width),
                                         .on = a->n_planes == 1 || rest >= plane };
            }
            ++i;
        }
        tern__source_take(r->a[0].src, i * type.bytes);
        r->next += i;
        r->left -= i;
    }
    *out_n = k;
    return TERN_OK;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    tern__arrays *r = s->state;
    tern_status st;
    switch (r->shape) {
    case RECORDS: st = read_records(s, r, out, room, out_n, d); break;
    case GRID: st = read_grid(s, r, out, room, out_n, d); break;
    default: st = read_columns(s, r, out, room, out_n, d);
    }
    return st == TERN_OK && *out_n == 0 ? tern__arrays_sound(s, r, d) : st;
}

const tern__format tern__format_npy = { .name = "npy",
                                        .suffixes = { ".npy" },
                                        .state_bytes = sizeof(tern__arrays),
                                        .detect = detect_npy,
                                        .open = open_npy,
                                        .read = read_events,
                                        .close = close_file,
                                        .samples = samples_npy };
const tern__format tern__format_npz = { .name = "npz",
                                        .suffixes = { ".npz" },
                                        .state_bytes = sizeof(tern__arrays),
                                        .detect = detect_npz,
                                        .open = open_npz,
                                        .read = read_events,
                                        .close = close_file,
                                        .samples = samples_npz };
