/* tern_weights_authors.c : checkpoints of the paper's authors (their program SNN, as HDF5; docs/13-weights.md,
 * section 4) SPDX-License-Identifier: Apache-2.0
 *
 *     ff_weights [learning units][all units][filters]   all units: inputs, hidden, visible; learning ones: hidden,
 * visible fb_weights [learning units][filters of the self-memory] bias       [learning units]
 */
#include "tern_weights_import.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Units of the populations of these kinds that stand before population `of` in the order inputs, hidden, visible. */
static uint64_t units_before(const tern_model *m, uint32_t of, bool with_inputs)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        const uint8_t kind = of < m->n_populations ? m->populations[of].kind : UINT8_MAX;
        if (p->kind == TERN_POP_INPUT && !with_inputs) continue;
        if (p->kind < kind || (p->kind == kind && i < of)) n += p->size;
    }
    return n;
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

/* The last dimension, which the network need not use in full: 1..TERN_MAX_FILTERS. */
static tern_status filters_of(const tern__importer *m, const char *name, uint8_t n_dims, uint64_t *out)
{
    const long i = tern_store_find(m->store, name);
    if (i < 0) {
        tern__w_error(m, TERN__W_MISSING, name, "the file has no array of this name");
        return TERN_ERR_FORMAT;
    }
    const tern_store_array *a = tern_store_at(m->store, (size_t)i);
    *out = a->n_dims == n_dims ? a->dims[n_dims - 1] : 0;
    if (*out >= 1 && *out <= TERN_MAX_FILTERS) return TERN_OK;
    char text[160];
    tern__w_error(m, TERN__W_SHAPE, name, "has the shape %s, wanted are %u dimensions, and 1 to %u filters in the last",
                  tern_store_shape(a, text, sizeof text), n_dims, TERN_MAX_FILTERS);
    return TERN_ERR_FORMAT;
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

tern_status tern__authors_projections(tern__importer *m, const tern__projections *p, double *values)
{
    static const char name[] = "ff_weights";
    const tern_model *net = m->model;
    const uint64_t all = units_before(net, UINT32_MAX, true), learning = units_before(net, UINT32_MAX, false);
    uint64_t filters = 0, taken = 0, there = 0;
    double *from = NULL;
    tern_status s = filters_of(m, name, 3, &filters);
    const uint64_t dims[3] = { learning, all, filters };
    if (s == TERN_OK && learning * all * filters > TERN__W_ITEMS) s = TERN_ERR_LIMIT;
    if (s == TERN_OK) s = read_array(m, name, dims, 3, &from);
    for (uint64_t i = 0; s == TERN_OK && i < learning * all * filters; ++i) there += from[i] != 0;
    for (size_t i = 0; i < p->n && s == TERN_OK; ++i) {
        const tern__projection *q = &p->list[i];
        const uint64_t row0 = units_before(net, q->to, false), column0 = units_before(net, q->from, true),
                       f = rank_of(p, q->filter);
        for (uint64_t k = 0; k < (uint64_t)q->n_to * q->n_from && s == TERN_OK && f < filters; ++k) {
            const double v = from[((row0 + k / q->n_from) * all + column0 + k % q->n_from) * filters + f];
            taken += v != 0;
            s = to_units(m, name, row0 + k / q->n_from, v, net->net.weight_frac, net->net.weight_bits,
                         &values[q->first + k]);
        }
    }
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

static tern_status locals(tern__importer *m, const char *name, const double *from, uint64_t stride, bool self)
{
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < m->model->n_populations; ++i) {
        const tern_population *p = &m->model->populations[i];
        const uint64_t first = p->kind == TERN_POP_INPUT ? 0 : units_before(m->model, i, false);
        for (uint32_t u = 0; p->kind != TERN_POP_INPUT && u < p->size && s == TERN_OK; ++u) {
            double v = 0;
            s = to_units(m, name, first + u, from[(first + u) * stride], TERN_BIAS_FRAC, 16, &v);
            bool lost = false; /* of a self-memory that this network does not have */
            for (uint64_t k = self && tern__has_memory(m->model, i) ? 1 : 0; self && k < stride; ++k)
                lost = lost || from[(first + u) * stride + k] != 0;
            if (s == TERN_OK && lost) {
                tern__w_error(m, TERN__W_NETWORK, name,
                              "unit %llu has a weight of a self-memory that this network does not have: it has %s",
                              (unsigned long long)(first + u), tern__has_memory(m->model, i) ? "one filter" : "none");
                s = TERN_ERR_NETWORK;
            }
            if (s == TERN_OK) (self ? m->self : m->bias)[p->neuron0 + u] = (int16_t)v;
        }
    }
    return s;
}

tern_status tern__authors_locals(tern__importer *m)
{
    const uint64_t learning = units_before(m->model, UINT32_MAX, false);
    uint64_t filters = 0;
    double *bias = NULL, *self = NULL;
    tern_status s = read_array(m, "bias", &learning, 1, &bias);
    if (s == TERN_OK) s = locals(m, "bias", bias, 1, false);
    if (s == TERN_OK) s = filters_of(m, "fb_weights", 2, &filters);
    const uint64_t dims[2] = { learning, filters };
    if (s == TERN_OK) s = read_array(m, "fb_weights", dims, 2, &self);
    return s == TERN_OK ? locals(m, "fb_weights", self, filters, true) : s;
}
