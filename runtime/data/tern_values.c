/* tern_values.c : files of analog values become a grid of spikes; see tern/encode.h, docs/39-encoding.md
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every kind of file is a matrix of rows of numbers, and every sample some of its rows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/encode.h"
#include "tern_idx.h"
#include "tern_npy.h"
#include "tern_write.h"

enum { MAX_SAMPLES = 1000000, MAX_COLUMNS = 32, MAX_INDEX_BYTES = 64 << 20 };

typedef struct matrix {
    const char *path;
    tern_arena *arena;
    tern__base base;
    tern__source whole, part, *src;
    uint64_t data_at;
    tern__npy_type type;
    uint32_t n;                 /* values of a row */
    uint64_t n_samples, n_rows; /* n_rows: of the file; 0: not known */
    uint32_t rows;              /* of a sample, if all have the same; else the most */
    uint64_t *first;            /* [n_samples] first row; NULL: sample k begins at row k * rows */
    uint32_t *count;            /* [n_samples] rows */
    int32_t *labels;            /* [n_samples] */
} matrix;

static tern_status wrong(const matrix *m, tern_diags *d, const char *what)
{
    tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_OUT_VALUES, m->path, 0, NULL, "%s", what),
                   "docs/39-encoding.md lists the supported files");
    return TERN_ERR_FORMAT;
}

/* ---- the three kinds ---- */

static tern_status open_idx(matrix *m, const tern_encode_input *in, tern_diags *d)
{
    tern__idx *x = tern_arena_get(m->arena, 1, sizeof *x);
    if (x == NULL) return TERN_ERR_MEMORY;
    tern_status st = tern__idx_open(x, m->path, m->arena->alloc, d);
    m->n_samples = m->n_rows = x->n;
    m->n = x->rows * x->columns;
    tern__idx_close(x);
    if (st == TERN_OK && m->n_samples > MAX_SAMPLES) return wrong(m, d, "more than 1,000,000 images");
    if (st == TERN_OK)
        st = tern__idx_labels(m->path, in->labels, (uint32_t)m->n_samples, 0, (uint32_t)m->n_samples, true, m->arena,
                              &m->labels, d);
    m->type = (tern__npy_type){ .kind = 'u', .bytes = 1 };
    m->rows = 1;
    m->data_at = 16;
    return st;
}

/* Shape of an array of values. */
static tern_status take_array(matrix *m, const tern__npy *h, tern_diags *d)
{
    const bool series = h->n_dims == 3;
    if (h->n_fields != 0 || h->field[0].type.kind == 0 || h->n_dims < 1 || h->n_dims > 3 ||
        h->dims[h->n_dims - 1] > TERN_ENCODE_MAX_UNITS || (series && h->dims[1] > UINT32_MAX))
        return wrong(
            m, d,
            "the array is none of numbers with 1 to 3 dimensions: values, samples x values, samples x rows x values");
    m->type = h->field[0].type;
    m->data_at = h->data_at;
    m->n = (uint32_t)h->dims[h->n_dims - 1];
    m->n_samples = h->n_dims == 1 ? 1 : h->dims[0];
    m->rows = series ? (uint32_t)h->dims[1] : 1;
    m->n_rows = m->n_samples * m->rows;
    return TERN_OK;
}

static tern_status array_problem(const matrix *m, tern_status st, const char *why, tern_diags *d)
{
    return st == TERN_ERR_MEMORY ? st : wrong(m, d, why);
}

static const tern__zip_entry *named(const tern__zip_entry *e, size_t n, const char *name)
{
    for (size_t i = 0; i < n; ++i)
        if (strcmp(e[i].name, name) == 0) return &e[i];
    return NULL;
}

static tern_status read_labels(matrix *m, const tern__zip_entry *e, tern_diags *d)
{
    tern__source s = { 0 };
    tern__npy h;
    char why[200];
    tern_status st = tern__zip_open(&s, &m->base, e, m->arena->alloc);
    if (st != TERN_OK) return st;
    st = tern__npy_header(&s, &h, why);
    if (st == TERN_OK && (h.n_fields != 0 || h.field[0].type.kind == 0 || h.n_items != m->n_samples)) {
        snprintf(why, sizeof why, "there are not as many labels as samples");
        st = TERN_ERR_FORMAT;
    }
    for (uint64_t i = 0; st == TERN_OK && i < m->n_samples; ++i) {
        uint8_t item[8];
        if (!tern__source_get(&s, item, h.item_bytes))
            st = TERN_ERR_TRUNCATED, snprintf(why, sizeof why, "the labels end too early");
        else if (!tern__npy_label(item, h.field[0].type, &m->labels[i])) {
            snprintf(why, sizeof why, "label %llu is no whole number in 0..65535, nor -1 for none",
                     (unsigned long long)i);
            st = TERN_ERR_FORMAT;
        }
    }
    tern__source_close(&s);
    return st == TERN_OK ? st : array_problem(m, st, why, d);
}

static tern_status open_arrays(matrix *m, bool zip, tern_diags *d)
{
    tern__npy h;
    char why[200] = "";
    tern__zip_entry *e = NULL;
    const tern__zip_entry *labels = NULL;
    size_t n = 0;
    tern_status st = TERN_OK;
    if (zip) {
        e = tern_arena_get(m->arena, TERN__ZIP_ENTRIES, sizeof *e);
        if (e == NULL) return TERN_ERR_MEMORY;
        st = tern__zip_directory(&m->base, m->arena->alloc, e, &n, why);
        if (st != TERN_OK) return array_problem(m, st, why, d);
        const tern__zip_entry *v = named(e, n, "values");
        if (v == NULL) v = named(e, n, "data");
        if (v == NULL && n == 1) v = &e[0];
        if (v == NULL) return wrong(m, d, "holds no array `values` or `data`");
        labels = named(e, n, "labels");
        st = tern__zip_check(&m->base, v, m->arena->alloc, why); /* samples are read by jumping to them */
        if (st == TERN_OK && labels != NULL) st = tern__zip_check(&m->base, labels, m->arena->alloc, why);
        if (st != TERN_OK) return array_problem(m, st, why, d);
        st = tern__zip_open(&m->part, &m->base, v, m->arena->alloc);
        if (st != TERN_OK) return st;
        m->src = &m->part;
    }
    st = tern__npy_header(m->src, &h, why);
    if (st != TERN_OK) return array_problem(m, st, why, d);
    st = take_array(m, &h, d);
    if (st == TERN_OK && m->n_samples > MAX_SAMPLES) return wrong(m, d, "more than 1,000,000 samples");
    if (st != TERN_OK) return st;
    m->labels = tern_arena_get(m->arena, (size_t)m->n_samples, sizeof *m->labels);
    if (m->labels == NULL) return TERN_ERR_MEMORY;
    for (uint64_t i = 0; i < m->n_samples; ++i) m->labels[i] = -1;
    return labels == NULL ? TERN_OK : read_labels(m, labels, d);
}

/* ---- bytes with an index ---- */

typedef struct text {
    const char *p;
    size_t n;
} text;

static int split(const char *line, size_t n, text out[MAX_COLUMNS])
{
    int k = 0;
    for (size_t at = 0; k < MAX_COLUMNS; ++k) {
        const char *comma = memchr(line + at, ',', n - at);
        size_t len = comma == NULL ? n - at : (size_t)(comma - line) - at;
        while (len != 0 && (line[at + len - 1] == '\r' || line[at + len - 1] == ' ')) --len;
        out[k] = (text){ line + at, len };
        if (comma == NULL) return k + 1;
        at = (size_t)(comma - line) + 1;
    }
    return k;
}

static int column(const text *f, int n, const char *name)
{
    for (int i = 0; i < n; ++i)
        if (f[i].n == strlen(name) && memcmp(f[i].p, name, f[i].n) == 0) return i;
    return -1;
}

static int by_bytes(const void *a, const void *b) { return strcmp(a, b); }

/* Words that stand for labels, each once, in the order of their bytes. False: more than there is room for. */
static bool add_word(tern_encode_totals *t, text w)
{
    char word[16];
    const size_t n = w.n < sizeof word ? w.n : sizeof word - 1;
    memcpy(word, w.p, n);
    word[n] = 0;
    for (uint32_t i = 0; i < t->n_classes; ++i)
        if (strcmp(t->classes[i], word) == 0) return true;
    if (t->n_classes == 256) return false;
    memcpy(t->classes[t->n_classes++], word, sizeof word);
    return true;
}

static int32_t word_number(const tern_encode_totals *t, text w)
{
    for (uint32_t i = 0; i < t->n_classes; ++i)
        if (strlen(t->classes[i]) == (w.n < 15 ? w.n : 15) && memcmp(t->classes[i], w.p, strlen(t->classes[i])) == 0)
            return (int32_t)i;
    return -1;
}

static bool number(text f, uint64_t *v)
{
    size_t used;
    return tern__digits((const uint8_t *)f.p, f.n, v, &used) && used == f.n;
}

typedef struct index_columns {
    int first, count, label;
} index_columns;

/* One line of the index as sample k; false: it is none. */
static bool take_line(matrix *m, const text *f, int n, index_columns c, uint64_t k, tern_encode_totals *t, bool words,
                      bool second)
{
    uint64_t first, count, label;
    if (c.first >= n || c.count >= n || c.label >= n || !number(f[c.first], &first) || !number(f[c.count], &count) ||
        count < 1 || count > UINT32_MAX || first > ((uint64_t)1 << 48))
        return false;
    m->first[k] = first;
    m->count[k] = (uint32_t)count;
    if (m->count[k] > m->rows) m->rows = m->count[k];
    m->labels[k] = -1;
    if (c.label < 0) return true;
    if (words) {
        if (second) m->labels[k] = word_number(t, f[c.label]);
        else if (!add_word(t, f[c.label])) return false;
        return true;
    }
    if (!number(f[c.label], &label) || label > 65535) return false;
    m->labels[k] = (int32_t)label;
    return true;
}

static tern_status read_index(matrix *m, const char *path, const char *p, size_t size, tern_encode_totals *t,
                              tern_diags *d)
{
    uint64_t lines = 0, k = 0;
    for (size_t i = 0; i < size; ++i) lines += p[i] == '\n';
    m->first = tern_arena_get(m->arena, (size_t)lines + 1, sizeof *m->first);
    m->count = tern_arena_get(m->arena, (size_t)lines + 1, sizeof *m->count);
    m->labels = tern_arena_get(m->arena, (size_t)lines + 1, sizeof *m->labels);
    if (m->first == NULL || m->count == NULL || m->labels == NULL) return TERN_ERR_MEMORY;
    bool words = false;
    for (int round = 0; round < (words ? 2 : 1); ++round) { /* words get their numbers when all are known */
        index_columns c = { -1, -1, -1 };
        int number_of_line = 0;
        k = 0;
        for (size_t at = 0; at < size;) {
            const char *end = memchr(p + at, '\n', size - at);
            const size_t n_line = end == NULL ? size - at : (size_t)(end - p) - at;
            text f[MAX_COLUMNS];
            const int n = split(p + at, n_line, f);
            at += n_line + 1;
            ++number_of_line;
            if (n == 1 && f[0].n == 0) continue;
            if (c.first < 0) {
                c = (index_columns){ column(f, n, "first_frame"), column(f, n, "n_frames"), column(f, n, "label") };
                if (c.label < 0) c.label = column(f, n, "class");
                if (c.label < 0 && (c.label = column(f, n, "letter")) >= 0) words = true;
                if (c.first < 0 || c.count < 0) break;
            } else if (!take_line(m, f, n, c, k++, t, words, round == 1)) {
                tern_diag_hint(
                    tern_diags_add(
                        d, TERN_SEV_ERROR, TERN_SET_LINE, path, number_of_line, NULL,
                        "first_frame, n_frames or label is not a whole number, or there are more than 256 classes"),
                    "one sample a line, n_frames at least 1");
                return TERN_ERR_DATA;
            }
        }
        if (c.first < 0 || c.count < 0) {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_SET_COLUMNS, path, 1, NULL,
                                          "the heading has no columns first_frame and n_frames"),
                           "e.g. sample,label,first_frame,n_frames");
            return TERN_ERR_DATA;
        }
        if (round == 0) qsort(t->classes, t->n_classes, sizeof t->classes[0], by_bytes);
    }
    m->n_samples = k;
    return TERN_OK;
}

static tern_status open_bytes(matrix *m, const tern_encode_input *in, tern_encode_totals *t, tern_diags *d)
{
    m->type = (tern__npy_type){ .kind = 'u', .bytes = 1 };
    m->n = in->columns;
    if (m->n < 1 || m->n > TERN_ENCODE_MAX_UNITS)
        return wrong(m, d, "is neither IDX images nor a NumPy array; for plain bytes give the number of columns");
    const uint64_t bytes = m->src->codec == TERN__PLAIN ? m->base.size : tern__source_rest(m->src);
    if (m->src->status != TERN_OK) return wrong(m, d, "the compressed content is damaged or ends too early");
    if (in->index == NULL) {
        if (bytes / m->n < 1 || bytes / m->n > UINT32_MAX || bytes % m->n != 0)
            return wrong(m, d, "its size is not a multiple of the number of columns");
        m->n_samples = 1;
        m->rows = (uint32_t)(bytes / m->n);
        m->labels = tern_arena_get(m->arena, 1, sizeof *m->labels);
        if (m->labels == NULL) return TERN_ERR_MEMORY;
        m->labels[0] = -1;
        return TERN_OK;
    }
    uint8_t *p;
    size_t size;
    tern_status st = tern__file_read(in->index, MAX_INDEX_BYTES, m->arena, &p, &size, d);
    if (st != TERN_OK) return st;
    const size_t mark = size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of UTF-8 */
    st = read_index(m, in->index, (const char *)p + mark, size - mark, t, d);
    tern__bytes_free(m->arena, p);
    if (st == TERN_OK && (m->n_samples == 0 || m->n_samples > MAX_SAMPLES))
        return wrong(m, d, "the index names no sample, or more than 1,000,000");
    const uint64_t there = bytes / m->n; /* before memory is asked for: a wrong index must not want much of it */
    for (uint64_t k = 0; st == TERN_OK && k < m->n_samples; ++k)
        if (m->first[k] + m->count[k] > there) {
            char text_[160];
            snprintf(text_, sizeof text_,
                     "the file ends before sample %" PRIu64 " is complete: rows %" PRIu64 " to %" PRIu64 " of %" PRIu64,
                     k, m->first[k], m->first[k] + m->count[k] - 1, there);
            return wrong(m, d, text_);
        }
    return st;
}

static tern_status open_matrix(matrix *m, const tern_encode_input *in, tern_encode_totals *t, tern_diags *d)
{
    uint8_t first[2];
    const uint8_t *p;
    m->base.fd = -1;
    tern_status st = tern__base_open(&m->base, m->path, d);
    if (st != TERN_OK) return st;
    const bool gzip = tern__base_get(&m->base, 0, first, 2) && first[0] == 0x1f && first[1] == 0x8b;
    st = tern__source_open(&m->whole, &m->base, 0, m->base.size, gzip ? TERN__GZIP : TERN__PLAIN, m->arena->alloc);
    if (st != TERN_OK) return st;
    m->src = &m->whole;
    const size_t n = tern__source_peek(m->src, 8, &p);
    if (n == 0 && m->src->status == TERN_OK) return wrong(m, d, "is empty (0 bytes)");
    const bool npy = n >= 6 && memcmp(p, "\x93NUMPY", 6) == 0, zip = n >= 4 && memcmp(p, "PK\3\4", 4) == 0 && !gzip;
    /* bytes may begin like this by chance */
    const bool idx = in->columns == 0 && n >= 4 && p[0] == 0 && p[1] == 0 && p[2] == 8 && (p[3] == 1 || p[3] == 3);
    if ((npy || zip) && in->columns != 0)
        return wrong(m, d, "is a NumPy array, which has its own columns: the number of columns is for plain bytes");
    if ((npy || zip || idx) && in->index != NULL)
        return wrong(m, d, "is a NumPy array or IDX images, which have their own samples: an index is for plain bytes");
    if (!idx && in->labels != NULL)
        return wrong(m, d,
                     "is not a file of IDX images: a file of labels is for these; arrays and indexes hold their own");
    if (idx) return open_idx(m, in, d);
    return npy || zip ? open_arrays(m, zip, d) : open_bytes(m, in, t, d);
}

/* ---- encoding ---- */

static tern_status read_sample(matrix *m, uint64_t k, double *out, uint32_t *rows, tern_diags *d)
{
    const uint64_t from = m->first != NULL ? m->first[k] : k * m->rows;
    const size_t bytes = m->type.bytes;
    *rows = m->count != NULL ? m->count[k] : m->rows;
    tern__source_seek(m->src, m->data_at + from * m->n * bytes);
    for (uint64_t i = 0; i < (uint64_t)*rows * m->n; ++i) {
        uint8_t item[8];
        int64_t v;
        if (!tern__source_get(m->src, item, bytes)) {
            char text_[120];
            snprintf(text_, sizeof text_, "the file ends before sample %" PRIu64 " is complete", k);
            return wrong(m, d, text_);
        }
        if (m->type.kind == 'f') {
            uint64_t bits = 0;
            for (size_t b = 0; b < bytes; ++b) bits |= (uint64_t)item[m->type.swap ? bytes - 1 - b : b] << (8 * b);
            if (bytes == 4) {
                const uint32_t half = (uint32_t)bits;
                float f;
                memcpy(&f, &half, sizeof f);
                out[i] = (double)f;
            } else {
                memcpy(&out[i], &bits, sizeof out[i]);
            }
        } else {
            out[i] = tern__npy_integer(item, m->type, 1.0, &v) ? (double)v : 9.2e18;
        }
    }
    return TERN_OK;
}

typedef struct progress {
    bool (*call)(void *ud, uint64_t done, uint64_t total);
    void *ud;
} progress;

static tern_status write_samples(matrix *m, const tern_encode_spec *spec, tern_file_writer *w, uint32_t window_us,
                                 progress told, tern_encode_totals *t, tern_diags *d)
{
    tern__npz z;
    const uint64_t steps = (uint64_t)m->rows * spec->steps, bytes = steps * t->units;
    if (steps > UINT32_MAX || bytes > ((uint64_t)1 << 30) || (uint64_t)m->rows * m->n > ((uint64_t)1 << 27))
        return wrong(m, d, "the spikes of one sample would need more than 1 GiB");
    if (bytes * m->n_samples > TERN_ENCODE_MAX_BYTES) { /* both are limited: no overflow */
        char text_[120];
        snprintf(text_, sizeof text_, "the spikes of all %" PRIu64 " samples would need %" PRIu64 " GiB, more than 64",
                 m->n_samples, (bytes * m->n_samples) >> 30);
        return wrong(m, d, text_);
    }
    double *values = tern_arena_get(m->arena, (size_t)m->rows * m->n, sizeof *values);
    uint8_t *cells = tern_arena_get(m->arena, (size_t)bytes, 1);
    if (values == NULL || cells == NULL) return TERN_ERR_MEMORY;
    t->steps = (uint32_t)steps;
    tern__npz_begin(&z, w);
    tern__npz_array(&z, "frames");
    for (uint64_t k = 0; k < m->n_samples; ++k) {
        uint32_t rows;
        tern_status st = read_sample(m, k, values, &rows, d);
        if (st == TERN_OK) st = tern_encode(spec, values, rows, m->n, (uint32_t)k, cells, &t->counts, d);
        if (st != TERN_OK) return st;
        const size_t used = (size_t)rows * spec->steps * t->units;
        memset(cells + used, 0, (size_t)bytes - used);
        tern__npz_items(&z, cells, (size_t)bytes);
        if (told.call != NULL && !told.call(told.ud, k + 1, m->n_samples)) {
            tern_diags_add(d, TERN_SEV_ERROR, TERN_SIM_WRITE, m->path, 0, NULL,
                           "stopped after %" PRIu64 " of %" PRIu64 " samples", k + 1, m->n_samples);
            return TERN_ERR_IO;
        }
    }
    const int64_t window = window_us;
    tern__npz_shape(&z, "'|u1'", 3, (const uint64_t[]){ m->n_samples, steps, t->units });
    tern__npz_array(&z, "labels");
    tern__npz_items(&z, m->labels, (size_t)m->n_samples * sizeof *m->labels);
    tern__npz_shape(&z, "'<i4'", 1, &m->n_samples);
    tern__npz_array(&z, "window_us");
    tern__npz_items(&z, &window, sizeof window);
    tern__npz_shape(&z, "'<i8'", 0, NULL);
    (void)tern__npz_end(&z);
    t->n_bytes = z.pos;
    t->n_samples = m->n_samples;
    return TERN_OK;
}

tern_status tern_encode_file(const tern_encode_spec *spec, const tern_encode_input *in, const char *out,
                             tern_alloc alloc, bool (*call)(void *ud, uint64_t done, uint64_t total), void *ud,
                             tern_encode_totals *totals, tern_diags *diags)
{
    tern_arena arena;
    tern_file_writer w;
    *totals = (tern_encode_totals){ 0 };
    tern_status st = tern_encode_check(spec, diags);
    if (st != TERN_OK) return st;
    if (in->window_us < 1) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "window", "a step needs at least 1 us");
        return TERN_ERR_ARGUMENT;
    }
    tern_arena_init(&arena, alloc, 0);
    matrix m = { .path = in->values, .arena = &arena };
    st = open_matrix(&m, in, totals, diags);
    if (st == TERN_OK && (m.n_samples == 0 || m.n == 0 || m.rows == 0)) st = wrong(&m, diags, "holds no values");
    if (st == TERN_OK && spec->code == TERN_CODE_CHANGE && m.rows < 2)
        st = wrong(&m, diags,
                   "every sample has one row, and the code `change` makes spikes of what changes from row to row: "
                   "there would be none");
    tern_encode_spec own = *spec;
    if (in->hi_by_kind) own.hi = m.type.kind == 'u' && m.type.bytes == 1 ? 255.0 : 1.0;
    if (st == TERN_OK) st = tern_encode_check(&own, diags);
    if (st == TERN_OK && (totals->units = tern_encode_units(spec, m.n)) == 0)
        st = wrong(&m, diags, "needs more than 65536 units");
    totals->n_values = m.n;
    if (st == TERN_OK) {
        tern_file_sweep(out); /* of encoders that were killed */
        st = tern_file_begin(&w, out, diags);
    }
    if (st == TERN_OK) {
        st = write_samples(&m, &own, &w, in->window_us, (progress){ call, ud }, totals, diags);
        if (st == TERN_OK) st = tern_file_commit(&w, diags);
        else tern_file_abort(&w);
    }
    tern__source_close(&m.part);
    tern__source_close(&m.whole);
    tern__base_close(&m.base);
    tern_arena_free(&arena);
    return st;
}
