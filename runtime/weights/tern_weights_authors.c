/* tern_weights_authors.c : checkpoints of the paper's authors, as HDF5 or as an archive of the same names
 * (docs/13-weights.md, section 4)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two programs of theirs, two layouts. Theirs counts units: circuits of A letters, or neurons (A = 1).
 *
 *     ff_weights   [L][N][F]  or  [L][A][N][A][F]   L: hidden, visible; N: inputs, hidden, visible; F: filters
 *     fb_weights   [L][F']    or  [L][A][F']        F': filters of the self-memory
 *     bias         [L]        or  [L][A]
 */
#include "tern_weights_import.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the shape of ff_weights says. */
typedef struct layout {
    uint64_t letters, learning, all, filters; /* A, L, N, F */
    bool long_form;
} layout;

static bool has_circuits(const layout *l) { return l->letters > 1; }

/* Their units of the populations of these kinds that stand before population `of` in the order inputs, hidden,
 * visible. */
static uint64_t units_before(const tern_model *m, uint32_t of, bool with_inputs, uint64_t letters)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        const uint8_t kind = of < m->n_populations ? m->populations[of].kind : UINT8_MAX;
        if (p->kind == TERN_POP_INPUT && !with_inputs) continue;
        if (p->kind < kind || (p->kind == kind && i < of)) n += p->size / letters;
    }
    return n;
}

/* Unit u of a population, as their unit and letter. Inputs in planes have a letter in each plane. */
static void theirs(const tern_population *p, uint32_t u, uint64_t letters, uint64_t *unit, uint64_t *letter)
{
    const bool planes = p->kind == TERN_POP_INPUT && p->n_dims == 3 && p->dims[0] == letters;
    const uint64_t plane = p->size / letters;
    *unit = planes ? u % plane : u / letters;
    *letter = planes ? u / plane : u % letters;
}

static tern_status read_array(const tern__importer *m, const char *name, const uint64_t *dims, uint8_t n_dims,
                              double **out)
{
    tern_store_array wanted = { .kind = 'f', .n_dims = n_dims, .n_items = 1 };
    size_t i;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    for (uint8_t k = 0; k < n_dims; ++k) wanted.dims[k] = dims[k], wanted.n_items *= dims[k];
    const tern_status s = tern__w_find(m, &wanted, &i);
    if (s != TERN_OK) return s;
    *out = tern_arena_get(m->scratch, (size_t)wanted.n_items, sizeof **out);
    if (*out == NULL) return TERN_ERR_MEMORY;
    const tern_store_want want = { i, 'f', *out };
    return tern_store_read(m->store, &want, 1, m->diags);
}

static const tern_store_array *find(const tern__importer *m, const char *name)
{
    const long i = tern_store_find(m->store, name);
    if (i >= 0) return tern_store_at(m->store, (size_t)i);
    tern__w_error(m, TERN__W_MISSING, name, "the file has no array of this name");
    return NULL;
}

/* Every population of neurons has circuits of as many letters as the checkpoint, or none has any. */
static tern_status check_circuits(const tern__importer *m, const layout *l)
{
    for (uint32_t i = 0; i < m->model->n_populations; ++i) {
        const tern_population *p = &m->model->populations[i];
        const bool input = p->kind == TERN_POP_INPUT;
        if (input ? p->size % l->letters == 0 : p->wta == (has_circuits(l) ? l->letters : 0)) continue;
        char is[40] = "no circuits";
        if (input) snprintf(is, sizeof is, "%u units", p->size);
        else if (p->wta != 0) snprintf(is, sizeof is, "circuits of %u", p->wta);
        tern_diag_hint(tern__w_error(m, TERN__W_NETWORK, "ff_weights",
                                     "has units of %llu letter%s, but the population '%s' has %s",
                                     (unsigned long long)l->letters, has_circuits(l) ? "s" : "", p->name, is),
                       input ? "an input of A letters is A units: docs/13-weights.md, section 4"
                             : "a unit of A letters is a winner-take-all circuit, wta = A; one letter: no wta");
        return TERN_ERR_NETWORK;
    }
    return TERN_OK;
}

static tern_status find_layout(const tern__importer *m, layout *l)
{
    char text[160];
    const tern_store_array *a = find(m, "ff_weights");
    if (a == NULL) return TERN_ERR_FORMAT;
    l->long_form = a->n_dims == 5;
    l->letters = l->long_form ? a->dims[1] : 1;
    l->filters = a->n_dims == 3 || l->long_form ? a->dims[a->n_dims - 1] : 0;
    const bool good = l->filters >= 1 && l->filters <= TERN_MAX_FILTERS && l->letters >= 1 &&
                      l->letters <= TERN_MAX_WTA && (!l->long_form || a->dims[3] == l->letters);
    if (!good) {
        tern_diag_hint(tern__w_error(m, TERN__W_SHAPE, a->name,
                                     "has the shape %s, wanted is [learning units][units][filters] or "
                                     "[learning units][letters][units][letters][filters]",
                                     tern_store_shape(a, text, sizeof text)),
                       "1 to %u filters, 1 to %u letters: docs/13-weights.md, section 4", TERN_MAX_FILTERS,
                       TERN_MAX_WTA);
        return TERN_ERR_FORMAT;
    }
    const tern_status s = check_circuits(m, l);
    l->learning = units_before(m->model, UINT32_MAX, false, l->letters);
    l->all = units_before(m->model, UINT32_MAX, true, l->letters);
    return s;
}

/* A weight in units of the last bit. */
static tern_status to_units(const tern__importer *m, const char *name, uint64_t unit, double v, int frac, int bits,
                            double *out)
{
    const double top = (double)((1 << (bits - 1)) - 1);
    *out = floor(ldexp(v, frac) + 0.5);
    if (*out <= top && *out >= -top) return TERN_OK;
    tern__w_error(m, TERN__W_VALUE, name, "unit %llu: %.9g, allowed are %.9g to %.9g", (unsigned long long)unit, v,
                  -ldexp(top, -frac), ldexp(top, -frac));
    return TERN_ERR_DATA;
}

/* Filters that synapses have, in ascending order, are the checkpoint's filters 0, 1, ...: which one is this? */
static uint32_t rank_of(const tern__projections *p, uint8_t filter)
{
    bool used[TERN_MAX_FILTERS] = { false };
    uint32_t rank = 0;
    for (size_t i = 0; i < p->n; ++i) used[p->list[i].filter] = true;
    for (uint8_t f = 0; f < filter; ++f) rank += used[f];
    return rank;
}

/* One projection's weights; *taken: how many of the checkpoint's that are not 0. */
static tern_status take(const tern__importer *m, const layout *l, const tern__projection *q, uint64_t filter,
                        const double *from, double *values, uint64_t *taken)
{
    const tern_model *model = m->model;
    const uint64_t a = l->letters, row0 = units_before(model, q->to, false, a),
                   column0 = units_before(model, q->from, true, a);
    tern_status s = TERN_OK;
    for (uint64_t k = 0; k < (uint64_t)q->n_to * q->n_from && s == TERN_OK && filter < l->filters; ++k) {
        uint64_t row, row_letter, column, column_letter;
        theirs(&model->populations[q->to], (uint32_t)(k / q->n_from), a, &row, &row_letter);
        theirs(&model->populations[q->from], (uint32_t)(k % q->n_from), a, &column, &column_letter);
        const double v =
            from[((((row0 + row) * a + row_letter) * l->all + column0 + column) * a + column_letter) * l->filters +
                 filter];
        *taken += v != 0;
        s = to_units(m, "ff_weights", row0 + row, v, model->net.weight_frac, model->net.weight_bits,
                     &values[q->first + k]);
    }
    return s;
}

tern_status tern__authors_projections(tern__importer *m, const tern__projections *p, double *values)
{
    static const char name[] = "ff_weights";
    layout l;
    uint64_t taken = 0, there = 0;
    double *from = NULL;
    tern_status s = find_layout(m, &l);
    if (s != TERN_OK) return s;
    const uint64_t long_dims[5] = { l.learning, l.letters, l.all, l.letters, l.filters },
                   short_dims[3] = { l.learning, l.all, l.filters };
    const uint64_t items = l.learning * l.all * l.letters * l.letters * l.filters;
    if (items > TERN__W_ITEMS) {
        tern__w_error(m, TERN__W_LARGE, name, "would have %llu items, at most %llu are read", (unsigned long long)items,
                      (unsigned long long)TERN__W_ITEMS);
        return TERN_ERR_LIMIT;
    }
    s = read_array(m, name, l.long_form ? long_dims : short_dims, l.long_form ? 5 : 3, &from);
    for (uint64_t i = 0; s == TERN_OK && i < items; ++i) there += from[i] != 0;
    for (size_t i = 0; i < p->n && s == TERN_OK; ++i)
        s = take(m, &l, &p->list[i], rank_of(p, p->list[i].filter), from, values, &taken);
    if (s == TERN_OK && taken != there) {
        tern_diag_hint(tern__w_error(m, TERN__W_NETWORK, name,
                                     "%llu of its %llu weights are between units that this network does not connect, "
                                     "or of a filter that it does not have there",
                                     (unsigned long long)(there - taken), (unsigned long long)there),
                       "connect the same pairs, with as many filters: docs/13-weights.md, section 4");
        s = TERN_ERR_NETWORK;
    }
    return s;
}

/* Biases (stride 1) or self-memories (as many filters) of every neuron. */
static tern_status locals(tern__importer *m, const layout *l, const char *name, const double *from, uint64_t stride,
                          bool self)
{
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < m->model->n_populations; ++i) {
        const tern_population *p = &m->model->populations[i];
        const uint64_t first = p->kind == TERN_POP_INPUT ? 0 : units_before(m->model, i, false, l->letters);
        for (uint32_t u = 0; p->kind != TERN_POP_INPUT && u < p->size && s == TERN_OK; ++u) {
            double v = 0;
            const uint64_t neuron = first * l->letters + u; /* letters of a circuit follow each other */
            const uint64_t unit = neuron / l->letters;
            s = to_units(m, name, unit, from[neuron * stride], TERN_BIAS_FRAC, 16, &v);
            bool lost = false; /* of a self-memory that this network does not have */
            for (uint64_t k = self && tern__has_memory(m->model, i) ? 1 : 0; self && k < stride; ++k)
                lost = lost || from[neuron * stride + k] != 0;
            if (s == TERN_OK && lost) {
                tern__w_error(m, TERN__W_NETWORK, name,
                              "unit %llu has a weight of a self-memory that this network does not have: it has %s",
                              (unsigned long long)unit, tern__has_memory(m->model, i) ? "one filter" : "none");
                s = TERN_ERR_NETWORK;
            }
            if (s == TERN_OK) (self ? m->self : m->bias)[p->neuron0 + u] = (int16_t)v;
        }
    }
    return s;
}

/* One of their programs writes ff_weights a second time where the biases should be. */
static tern_status check_bias(const tern__importer *m, const layout *l)
{
    const tern_store_array *a = find(m, "bias");
    if (a == NULL) return TERN_ERR_FORMAT;
    if (!l->long_form || a->n_dims != 5) return TERN_OK;
    tern_diag_hint(tern__w_error(m, TERN__W_SHAPE, a->name,
                                 "has the shape of ff_weights: the program that saved it has put these there again, "
                                 "and the biases are lost"),
                   "save the network's `bias` from PyTorch: docs/13-weights.md, section 4");
    return TERN_ERR_FORMAT;
}

tern_status tern__authors_locals(tern__importer *m)
{
    layout l;
    double *bias = NULL, *self = NULL;
    tern_status s = find_layout(m, &l);
    if (s == TERN_OK) s = check_bias(m, &l);
    if (s != TERN_OK) return s;
    const uint64_t bias_dims[2] = { l.learning, l.letters };
    s = read_array(m, "bias", bias_dims, l.long_form ? 2 : 1, &bias);
    if (s == TERN_OK) s = locals(m, &l, "bias", bias, 1, false);
    const tern_store_array *fb = s == TERN_OK ? find(m, "fb_weights") : NULL;
    if (fb == NULL) return s == TERN_OK ? TERN_ERR_FORMAT : s;
    const uint8_t n_dims = l.long_form ? 3 : 2;
    const uint64_t filters = fb->n_dims == n_dims ? fb->dims[n_dims - 1] : 0;
    if (filters < 1 || filters > TERN_MAX_FILTERS) {
        char text[160];
        tern__w_error(m, TERN__W_SHAPE, fb->name,
                      "has the shape %s, wanted are %u dimensions, and 1 to %u filters in "
                      "the last",
                      tern_store_shape(fb, text, sizeof text), n_dims, TERN_MAX_FILTERS);
        return TERN_ERR_FORMAT;
    }
    const uint64_t long_dims[3] = { l.learning, l.letters, filters }, short_dims[2] = { l.learning, filters };
    s = read_array(m, "fb_weights", l.long_form ? long_dims : short_dims, n_dims, &self);
    return s == TERN_OK ? locals(m, &l, "fb_weights", self, filters, true) : s;
}
