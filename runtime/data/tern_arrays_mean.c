/* tern_arrays_mean.c : what NumPy arrays mean that do not say it; see tern_arrays.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_arrays.h"
#include "tern_columns.h"

/* Of many samples the first one tells. */
static bool is_told(const tern_diags *d, int code)
{
    for (size_t i = 0; d != NULL && i < d->n; ++i)
        if (d->list[i].code == code) return true;
    return false;
}

void tern__arrays_few_steps(tern_stream *s, const tern__axes *a, tern_diags *d)
{
    if (is_told(d, TERN_DATA_ASSUMED)) return;
    tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_ASSUMED, s->path, 0, NULL,
                                  "read as %llu samples of %llu steps: are the axes in another order?",
                                  (unsigned long long)a->n_samples, (unsigned long long)a->n_steps),
                   "give the axes with --axes of `tern data`: tpyx is one recording with planes");
}

static tern_status no_sample(tern_stream *s, tern_diags *d, uint64_t n)
{
    if (s->sel.kind == TERN__SAMPLE)
        tern__stream_error(s, d, TERN_DATA_SELECTION, "sample %llu is asked for, the file has %llu",
                           (unsigned long long)s->sel.sample, (unsigned long long)n);
    else if (n == 0) tern__stream_error(s, d, TERN_DATA_SELECTION, "holds no samples");
    else
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_SELECTION, "holds %llu samples: one of them must be named",
                                          (unsigned long long)n),
                       "the first one is %.200s#0", s->path != NULL ? s->path : "FILE");
    return TERN_ERR_ARGUMENT;
}

tern_status tern__arrays_which_sample(tern_stream *s, uint64_t n, uint64_t *out, tern_diags *d)
{
    *out = s->sel.kind == TERN__SAMPLE ? s->sel.sample : 0;
    const bool named = s->sel.kind == TERN__SAMPLE;
    if (s->sel.group[0] != 0) {
        tern__stream_error(s, d, TERN_DATA_SELECTION, "there is no group '%s' in a file of format %s", s->sel.group,
                           s->format->name);
        return TERN_ERR_ARGUMENT;
    }
    return (!named && n != 1) || *out >= n ? no_sample(s, d, n) : TERN_OK;
}

bool tern__arrays_is_list(const tern__npy *h, const char *name, char why[200])
{
    if (h->n_fields != 0 || h->field[0].type.kind == 0)
        snprintf(why, 200, "'%.40s' holds no numbers; one number for each sample is wanted", name);
    else if (h->n_dims > 1)
        snprintf(why, 200,
                 "'%.40s' has %u dimensions; one number for each sample is wanted (of one-hot rows: a.argmax(axis=1))",
                 name, h->n_dims);
    return h->n_fields == 0 && h->field[0].type.kind != 0 && h->n_dims <= 1;
}

/* A row of numbers of one type; false: they are not there, or no numbers. */
static bool row_of(const uint8_t *const item[], const tern__npy_type *type, unsigned n, double *v, bool *real)
{
    for (unsigned i = 0; i < n; ++i) {
        if (!tern__npy_real(item[i], type[i], &v[i])) return false;
        real[i] = type[i].kind == 'f';
    }
    return true;
}

enum { ANALOG_LOOK = 4096, MANY_SPIKES = 32 };

void tern__arrays_analog(tern_stream *s, tern__arrays *r, tern_diags *d)
{
    const uint8_t *p;
    const tern__npy_type type = r->type[0];
    size_t n = tern__source_peek(r->a[0].src, (size_t)ANALOG_LOOK * type.bytes, &p) / type.bytes, odd = 0, some = 0;
    if (n > r->left) n = (size_t)r->left;
    for (size_t i = 0; i < n; ++i, p += type.bytes) {
        double v = 0;
        bool real;
        const bool good = row_of(&p, &type, 1, &v, &real);
        some += !good || v != 0;
        odd += !good || !(v >= 0 && v <= MANY_SPIKES) || v != floor(v);
    }
    if (odd == 0 || odd * 2 < some || is_told(d, TERN_DATA_ANALOG)) return;
    tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_ANALOG, s->path, 0, NULL,
                                  "a grid whose values are fractions, negative, large or no numbers (%zu of the first "
                                  "%zu that are not 0): each is read as one spike",
                                  odd, some),
                   "are they analog values? `tern data encode` makes spikes of them; else save a != 0");
}

enum { SIDE_LOOK = 256 };

/* A grid of four steps whose rows are times, places and polarities is a list of events on its side. */
tern_status tern__arrays_not_on_side(tern_stream *s, tern__arrays *r, tern_diags *d)
{
    const tern__npy *h = &r->a[0].h;
    const uint64_t n = h->n_dims == 2 ? h->dims[1] : 0;
    const size_t bytes = r->type[0].bytes, most = n < SIDE_LOOK ? (size_t)n : SIDE_LOOK;
    static const tern__npy_type none;
    tern__npy_type type[4] = { none };
    double v[4][SIDE_LOOK];
    char why[300];
    tern__look look = { 0 };
    if (n <= 4 || h->dims[0] != 4 || bytes < 2 || s->opt.meaning.axes != NULL) return TERN_OK;
    for (int k = 0; k < 4; ++k) {
        const uint8_t *p;
        bool real;
        type[k] = r->type[0];
        tern__source_seek(r->a[0].src, h->data_at + (uint64_t)k * n * bytes);
        if (tern__source_peek(r->a[0].src, most * bytes, &p) < most * bytes) return TERN_OK;
        for (size_t i = 0; i < most; ++i, p += bytes)
            if (!row_of(&p, type, 1, &v[k][i], &real)) return TERN_OK;
    }
    for (size_t i = 0; i < most; ++i) {
        const double row[4] = { v[0][i], v[1][i], v[2][i], v[3][i] };
        const bool real[4] = { type[0].kind == 'f', type[0].kind == 'f', type[0].kind == 'f', type[0].kind == 'f' };
        tern__look_row(&look, row, real, 4);
    }
    const char *order = tern__columns_order(&look, why);
    if (order == NULL) return TERN_OK;
    const tern__column *t = &look.c[strchr(order, 't') - order];
    if (t->n_back > look.n / 10 || t->hi - t->lo <= 1) return TERN_OK;
    tern_diag_hint(tern__stream_error(s, d, TERN_DATA_MEANING,
                                      "an array of 4 x %llu: its rows look like %c, %c, %c, %c of events on their side",
                                      (unsigned long long)n, order[0], order[1], order[2], order[3]),
                   "save numpy.ascontiguousarray(a.T); or, if it is a grid of 4 steps, say --axes tx");
    return TERN_ERR_FORMAT;
}

/* What events mean that are numbers without names: which column is which, the unit of time. Sources stand at the first
 * event. */
tern_status tern__arrays_meaning(tern_stream *s, tern__arrays *r, tern_diags *d)
{
    tern__look look = { 0 };
    const bool ordered = !r->table || s->opt.meaning.columns != NULL;
    const uint32_t bytes = r->shape == RECORDS ? tern__arrays_record_bytes(r) : r->type[T].bytes;
    const uint8_t *p;
    const size_t want =
        (size_t)bytes * TERN__LOOK_ROWS < TERN__SOURCE_ROOM ? (size_t)bytes * TERN__LOOK_ROWS : TERN__SOURCE_ROOM;
    size_t n = bytes > TERN__SOURCE_ROOM
                   ? 0
                   : tern__source_peek(r->shape == RECORDS ? r->a[0].src : r->a[T].src, want, &p) / bytes;
    if (n > r->left) n = (size_t)r->left;
    for (size_t i = 0; i < n && look.n < TERN__LOOK_ROWS; ++i, p += bytes) {
        const uint8_t *const item[4] = { p + (ordered && r->shape == RECORDS ? r->at[T] : 0), p + r->type[T].bytes,
                                         p + 2 * r->type[T].bytes, p + 3 * r->type[T].bytes };
        double v[4];
        bool real[4];
        const tern__npy_type type[4] = { r->type[T], r->type[T], r->type[T], r->type[T] };
        if (row_of(item, type, ordered ? 1 : 4, v, real)) tern__look_row(&look, v, real, ordered ? 1 : 4);
    }
    char why[300], columns[40] = "";
    const char *order = ordered ? "t" : tern__columns_order(&look, why);
    if (order == NULL) {
        tern_diag_hint(
            tern__stream_error(
                s, d, TERN_DATA_MEANING,
                "an array of four columns that are t, x, y, p in none, or in several, of the usual orders: %s", why),
            "say what they are, e.g. `tern data convert IN OUT --columns x,y,p,t`; or, if it is a grid of 4 units, "
            "--axes tx");
        return TERN_ERR_FORMAT;
    }
    if (!ordered) {
        for (unsigned i = 0; i < 4; ++i) r->at[strchr("txyp", order[i]) - "txyp"] = i * r->type[T].bytes;
        snprintf(columns, sizeof columns, "columns %c, %c, %c, %c; ", order[0], order[1], order[2], order[3]);
    }
    const tern__column *t = &look.c[ordered ? 0 : strchr(order, 't') - order];
    bool odd = false;
    if (s->opt.meaning.time_unit != NULL)
        (void)tern__unit_parse(s->opt.meaning.time_unit, strlen(s->opt.meaning.time_unit), &r->power);
    else if (look.n == 0) r->power = r->type[T].kind == 'f' ? 6 : 0;
    else r->power = tern__time_unit(t, look.n, &odd);
    if (odd) tern__unit_warning(s, t, look.n, d);
    snprintf(s->info.assumed, sizeof s->info.assumed, "%s%s%s", columns,
             s->opt.meaning.time_unit == NULL ? "times in " : "",
             s->opt.meaning.time_unit == NULL ? tern__unit_name(r->power) : "");
    if (r->type[P].kind == 0 && !s->info.units) tern__assume(s, "no polarities: every event ON");
    if (r->chosen[0] != 0) tern__assume(s, r->chosen);
    return TERN_OK;
}

void tern__say_chosen(tern__arrays *r, const char *chosen, const char *other)
{
    if (other != NULL && r->chosen[0] == 0) snprintf(r->chosen, sizeof r->chosen, "%.16s, not %.16s", chosen, other);
}

void tern__fields_chosen(tern__arrays *r, const tern__npy *h, int column, const char *const *names)
{
    const char *other = NULL;
    for (; column >= 0 && *names != NULL && other == NULL; ++names)
        for (uint32_t i = 0; i < h->n_fields && other == NULL; ++i)
            if ((int)i != column && h->field[i].type.kind != 0 && strcmp(h->field[i].name, *names) == 0)
                other = h->field[i].name;
    if (other != NULL) tern__say_chosen(r, h->field[column].name, other);
}

tern_status tern__arrays_sound(tern_stream *s, tern__arrays *r, tern_diags *d)
{
    for (int c = 0; c < N_COLUMNS; ++c) {
        const array *a = &r->a[c];
        if (!a->there) continue;
        const bool at_end = tern__source_pos(a->src) == a->h.data_at + a->h.n_items * a->h.item_bytes;
        tern_status st = at_end || a->src->changed ? tern__npy_ends(a->src, r->why) : TERN_OK;
        /* after a .npy another one may follow (numpy.save to an open file), but no damaged end of gzip */
        if (st == TERN_OK || (a->src != &a->own && a->src->status == TERN_OK)) continue;
        const tern_status why = tern__source_problem(s, a->src, d);
        if (why != TERN_OK || st == TERN_ERR_MEMORY) return why != TERN_OK ? why : st;
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_DAMAGED, "%s", r->why),
                       "copy the file again, or make it again");
        return st;
    }
    return TERN_OK;
}
