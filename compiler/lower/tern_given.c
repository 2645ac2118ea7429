/* tern_given.c : initial values from files of arrays (NumPy, HDF5): docs/10-language.md, section 2
 * SPDX-License-Identifier: Apache-2.0
 *
 * First every array that a projection or a population wants is listed, then each file is opened once and read. How much
 * memory is taken depends on the network alone. Arrays may be used by several projections between the same
 * populations, so what no synapse has taken is known only at the end.
 */
#include "tern_network.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tern_store.h"

enum { MAX_FILES = 64, MAX_ARRAYS = 4096 };
#define MAX_ITEMS (UINT64_C(1) << 28) /* of all arrays together */

/* name "": of a file that holds one array. planes: filters of one array; 0: it has no such dimension. columns 0: a
 * list, of biases or self-memories. */
typedef struct tern__given {
    const char *path;
    char name[TERN_STORE_NAME];
    uint64_t planes, rows, columns;
    uint32_t line; /* of the first declaration that wants it */
    uint32_t frac, bits;
    double *values;
    uint8_t *taken; /* of weights */
} tern__given;

static uint64_t items_of(const tern__given *g)
{
    return (g->planes == 0 ? 1 : g->planes) * g->rows * (g->columns == 0 ? 1 : g->columns);
}

static tern_diag *wrong(const tern__expander *x, uint32_t line, const char *fmt, ...) TERN_PRINTF(3, 4);
static tern_diag *wrong(const tern__expander *x, uint32_t line, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_ARRAY, x->desc->file, (int)line, "", "initial values: %s",
                          text);
}

/* ---- what is wanted ---- */

/* Number of this array in the list, new or known; TERN__NOT_GIVEN with *s: an error. */
static uint32_t want(tern__expander *x, const tern__given *g, tern_status *s)
{
    for (uint32_t i = 0; i < x->n_given; ++i) {
        const tern__given *o = &x->given[i];
        if (strcmp(o->path, g->path) == 0 && strcmp(o->name, g->name) == 0 && o->planes == g->planes &&
            o->rows == g->rows && o->columns == g->columns)
            return i;
    }
    x->n_given_items += items_of(g);
    if (x->n_given == MAX_ARRAYS || x->n_given_items > MAX_ITEMS) {
        wrong(x, g->line, "more than %d arrays, or of more than %" PRIu64 " numbers, are wanted", MAX_ARRAYS,
              MAX_ITEMS);
        *s = TERN_ERR_LIMIT;
        return TERN__NOT_GIVEN;
    }
    if (x->n_given == x->room_given) {
        const uint32_t room = x->room_given == 0 ? 16 : 2 * x->room_given;
        tern__given *more = tern_arena_get(x->arena, room, sizeof *more);
        if (more == NULL) {
            *s = TERN_ERR_MEMORY;
            return TERN__NOT_GIVEN;
        }
        if (x->n_given != 0) memcpy(more, x->given, x->n_given * sizeof *more);
        x->given = more;
        x->room_given = room;
    }
    x->given[x->n_given] = *g;
    return x->n_given++;
}

/* A file of one array, which has no name. */
static bool is_single(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npy") == 0;
}

static tern_status want_projection(tern__expander *x, uint32_t i)
{
    const tern_projection *q = &x->desc->projections[i];
    const tern_population *from = &x->model->populations[q->from], *to = &x->model->populations[q->to];
    const tern_init *init = &q->init;
    tern_status s = TERN_OK;
    if (init->n_names > 1 && init->n_names != q->n_filters) {
        wrong(x, q->line, "%u arrays are named for the %u filters between '%s' and '%s'", init->n_names, q->n_filters,
              from->name, to->name);
        return TERN_ERR_NETWORK;
    }
    for (uint32_t k = 0; k < q->n_filters && s == TERN_OK; ++k) {
        tern__given g = { .path = init->path,
                          .rows = to->size,
                          .columns = from->size,
                          .line = q->line,
                          .frac = x->desc->formats.weight_frac,
                          .bits = x->desc->formats.weight_bits };
        const bool single = init->n_names == 0 && is_single(init->path);
        if (init->n_names != 0)
            snprintf(g.name, sizeof g.name, "%s", init->names[init->n_names == 1 ? 0 : q->listed[k]]);
        else if (!single)
            snprintf(g.name, sizeof g.name, "weights/%s/%s/%u", from->name, to->name, (unsigned)q->filters[k]);
        if ((init->n_names == 1 || single) && q->n_filters > 1) g.planes = q->n_filters;
        const uint32_t at = want(x, &g, &s);
        x->given_of[(size_t)i * TERN_MAX_FILTERS + k] = at;
    }
    return s;
}

static tern_status want_local(tern__expander *x, uint32_t i, bool self, uint32_t *out)
{
    const tern_pop_desc *d = &x->desc->populations[i];
    const tern_init *init = self ? &d->self_init : &d->bias_init;
    tern_status s = TERN_OK;
    if (init->kind != TERN_INIT_ARRAY || (self && d->self_filter < 0)) return TERN_OK;
    tern__given g = {
        .path = init->path, .rows = d->pop.size, .line = d->pop.line, .frac = TERN_BIAS_FRAC, .bits = 16
    };
    if (init->n_names > 1) {
        wrong(x, d->pop.line, "%u arrays are named for the %s of '%s', which take one", init->n_names,
              self ? "self-memories" : "biases", d->pop.name);
        return TERN_ERR_NETWORK;
    }
    if (init->n_names != 0) snprintf(g.name, sizeof g.name, "%s", init->names[0]);
    else if (!is_single(init->path)) snprintf(g.name, sizeof g.name, "%s/%s", self ? "memory" : "bias", d->pop.name);
    *out = want(x, &g, &s);
    return s;
}

/* ---- reading ---- */

static void shape_of(const tern__given *g, tern_store_array *a)
{
    *a = (tern_store_array){ .n_items = items_of(g) };
    if (g->planes != 0) a->dims[a->n_dims++] = g->planes;
    a->dims[a->n_dims++] = g->rows;
    if (g->columns != 0) a->dims[a->n_dims++] = g->columns;
}

/* "the array 'NAME'", or "the array". */
static const char *label(const tern__given *g, char text[TERN_STORE_NAME + 16])
{
    if (g->name[0] == 0) return "the array";
    snprintf(text, TERN_STORE_NAME + 16, "the array '%s'", g->name);
    return text;
}

/* The array in its file; -1: reported. */
static long find_array(const tern__expander *x, const tern_store *store, const tern__given *g)
{
    char is[160], must[160], what[TERN_STORE_NAME + 16];
    tern_store_array wanted;
    const long i = tern_store_find(store, g->name);
    if (i < 0) {
        tern_diag_hint(wrong(x, g->line, "'%s' has no array '%s'", g->path, g->name),
                       "tern.array(file, name) names one; tern export writes a file with all names of a network");
        return -1;
    }
    const tern_store_array *a = tern_store_at(store, (size_t)i);
    shape_of(g, &wanted);
    if (a->n_dims != wanted.n_dims || memcmp(a->dims, wanted.dims, a->n_dims * sizeof a->dims[0]) != 0) {
        tern_diag_hint(wrong(x, g->line, "'%s': %s has the shape %s, wanted is %s", g->path, label(g, what),
                             tern_store_shape(a, is, sizeof is), tern_store_shape(&wanted, must, sizeof must)),
                       g->columns == 0
                           ? "one number for each unit"
                           : "rows are the units of 'to', columns those of 'from'; of several filters in one "
                             "array the first dimension is the filter");
        return -1;
    }
    if (a->kind == 'f' || a->kind == 'i' || a->kind == 'u') return i;
    wrong(x, g->line, "'%s': %s holds no real numbers or integers", g->path, label(g, what));
    return -1;
}

/* Where an item stands in its array. */
static const char *place_of(const tern__given *g, uint64_t k, char *text, size_t room)
{
    const uint64_t columns = g->columns == 0 ? 1 : g->columns, plane = g->rows * columns;
    if (g->columns == 0) snprintf(text, room, "[%" PRIu64 "]", k);
    else if (g->planes == 0) snprintf(text, room, "[%" PRIu64 ", %" PRIu64 "]", k / columns, k % columns);
    else snprintf(text, room, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", k / plane, k % plane / columns, k % columns);
    return text;
}

/* Integers count units of the last bit. Real numbers stay as they are: they are rounded with all others. */
static tern_status take_values(const tern__expander *x, const tern__given *g, bool real)
{
    const double top = (double)((UINT32_C(1) << (g->bits - 1u)) - 1u);
    char where[80];
    for (uint64_t k = 0; k < items_of(g); ++k) {
        const double units = real ? floor(ldexp(g->values[k], (int)g->frac) + 0.5) : g->values[k];
        const double unit = real ? ldexp(1.0, -(int)g->frac) : 1.0;
        if (!(fabs(units) <= top)) {
            tern_diag_hint(wrong(x, g->line, "'%s': %s%s is %.9g, allowed are %.9g to %.9g", g->path,
                                 g->name[0] == 0 ? "item " : g->name, place_of(g, k, where, sizeof where), g->values[k],
                                 -top * unit, top * unit),
                           real ? "scale the array, or give the network a wider format (formats.weight)"
                                : "integers count units of the last bit; real numbers are the weights themselves");
            return TERN_ERR_NETWORK;
        }
        if (!real) g->values[k] = ldexp(g->values[k], -(int)g->frac);
    }
    return TERN_OK;
}

/* What the reader of the file found, at the script's line. */
static tern_status refuse(const tern__expander *x, const tern__given *g, const tern_diags *found, tern_status s)
{
    const tern_diag *d = found->n == 0 ? NULL : &found->list[0];
    if (s == TERN_ERR_MEMORY) return s;
    tern_diag *made = wrong(x, g->line, "'%s': %s%s%.250s", g->path, d == NULL ? "" : d->key,
                            d == NULL || d->key[0] == 0 ? "" : ": ", d == NULL ? tern_status_text(s) : d->message);
    if (d != NULL && d->hint[0] != 0) tern_diag_hint(made, "%s", d->hint);
    return TERN_ERR_NETWORK;
}

/* All arrays of one file; `first` is the first that wants it. Each that is read has values then. */
static tern_status read_file(tern__expander *x, uint32_t first, tern_diags *found)
{
    const tern__given *head = &x->given[first];
    tern_store *store = NULL;
    tern_arena own; /* the list of arrays */
    tern_arena_init(&own, x->arena->alloc, 0);
    tern_diags_init(found);
    tern_store_want *wants = tern_arena_get(&own, x->n_given, sizeof *wants);
    uint32_t *of = tern_arena_get(&own, x->n_given, sizeof *of), n = 0;
    tern_status s = wants == NULL || of == NULL ? TERN_ERR_MEMORY : tern_store_open(head->path, &own, &store, found);
    if (s != TERN_OK) s = refuse(x, head, found, s);
    for (uint32_t i = first; i < x->n_given && s == TERN_OK; ++i) {
        tern__given *g = &x->given[i];
        if (g->values != NULL || strcmp(g->path, head->path) != 0) continue;
        const long at = find_array(x, store, g);
        g->values = at < 0 ? NULL : tern_arena_get(&x->scratch, (size_t)items_of(g), sizeof *g->values);
        g->taken = at < 0 ? NULL : tern_arena_get(&x->scratch, (size_t)items_of(g), 1);
        if (at < 0) s = TERN_ERR_NETWORK;
        else if (g->values == NULL || g->taken == NULL) s = TERN_ERR_MEMORY;
        else of[n] = i, wants[n++] = (tern_store_want){ (size_t)at, 'f', g->values };
    }
    if (s == TERN_OK) {
        s = tern_store_read(store, wants, n, found);
        if (s != TERN_OK) s = refuse(x, head, found, s);
    }
    for (uint32_t i = 0; i < n && s == TERN_OK; ++i)
        s = take_values(x, &x->given[of[i]], tern_store_at(store, wants[i].array)->kind == 'f');
    tern_store_close(store);
    tern_arena_free(&own);
    return s;
}

tern_status tern__given_prepare(tern__expander *x)
{
    const tern_desc *d = x->desc;
    tern_status s = TERN_OK;
    x->given_of = tern_arena_get(x->arena, d->n_projections * TERN_MAX_FILTERS, sizeof *x->given_of);
    if (x->given_of == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < d->n_projections && s == TERN_OK; ++i)
        if (d->projections[i].init.kind == TERN_INIT_ARRAY) s = want_projection(x, (uint32_t)i);
    for (uint32_t i = 0; i < d->n_populations && s == TERN_OK; ++i) {
        s = want_local(x, i, false, &x->given_bias[i]);
        if (s == TERN_OK) s = want_local(x, i, true, &x->given_self[i]);
    }
    if (x->n_given == 0 || s != TERN_OK) return s;
    tern_diags *found = tern_arena_get(x->arena, 1, sizeof *found);
    if (found == NULL) return TERN_ERR_MEMORY;
    uint32_t files = 0;
    for (uint32_t i = 0; i < x->n_given && s == TERN_OK; ++i) {
        if (x->given[i].values != NULL) continue;
        if (++files > MAX_FILES) {
            wrong(x, x->given[i].line, "arrays of more than %d files are wanted", MAX_FILES);
            return TERN_ERR_NETWORK;
        }
        s = read_file(x, i, found);
    }
    return s;
}

/* ---- giving ---- */

double tern__given_weight(const tern__expander *x, uint32_t projection, unsigned place, uint32_t from, uint32_t to)
{
    const tern__given *g = &x->given[x->given_of[(size_t)projection * TERN_MAX_FILTERS + place]];
    const uint64_t plane = g->planes == 0 ? 0 : x->desc->projections[projection].listed[place];
    const uint64_t at = (plane * g->rows + to) * g->columns + from;
    g->taken[at] = 1;
    return g->values[at];
}

double tern__given_local(const tern__expander *x, uint32_t given, uint32_t unit)
{
    return x->given[given].values[unit];
}

void tern__given_finish(const tern__expander *x)
{
    char where[80], what[TERN_STORE_NAME + 16];
    for (uint32_t i = 0; i < x->n_given; ++i) {
        const tern__given *g = &x->given[i];
        uint64_t left = 0, first = 0;
        for (uint64_t k = items_of(g); g->columns != 0 && k-- > 0;)
            if (g->taken[k] == 0 && g->values[k] != 0) ++left, first = k;
        if (left == 0) continue;
        tern_diag_hint(tern_diags_add(x->diags, TERN_SEV_WARNING, TERN__W_ARRAY_LEFT, x->desc->file, (int)g->line, "",
                                      "'%s': %" PRIu64 " numbers of %s other than 0 are not used, the first is %s: "
                                      "the network has no synapse there",
                                      g->path, left, label(g, what), place_of(g, first, where, sizeof where)),
                       "other connections, or zeros there");
    }
}
