/* tern_weights_import.c : named arrays into a network: weights, and the state if there is one
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing of the model is changed before everything has been read and checked. How much memory is taken depends on
 * the network, never on the file.
 */
#include "tern_weights_import.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/file.h"
#include "tern/image.h"

/* ---- finding arrays
 * ----------------------------------------------------------------------------------------------------- */

/* Arrays of weights that are read together: of HDF5 each reading takes a process. */
typedef struct reading {
    tern_store_array shape;
    size_t array;
    int frac, bits;
    double *to;
} reading;
typedef struct readings {
    reading *list;
    size_t n;
} readings;

static tern_status begin_readings(const tern__importer *m, size_t most, readings *out)
{
    *out = (readings){ .list = tern_arena_get(m->scratch, most, sizeof *out->list) };
    return out->list == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* One more: rows x columns, or a list of `rows` if columns is 0. The name is set in ->shape before. */
static tern_status add_reading(const tern__importer *m, readings *r, uint64_t rows, uint64_t columns, int frac,
                               int bits, double *to)
{
    reading *one = &r->list[r->n];
    one->shape.kind = 'f';
    one->shape.n_dims = columns != 0 ? 2 : 1;
    one->shape.dims[0] = rows;
    one->shape.dims[1] = columns;
    one->shape.n_items = columns != 0 ? rows * columns : rows;
    one->frac = frac;
    one->bits = bits;
    one->to = to;
    ++r->n;
    return tern__w_find(m, &one->shape, &one->array);
}

/* Real numbers, or integers in units of the last bit, become such units; as doubles, which hold them exactly. */
static tern_status to_units(const tern__importer *m, const reading *r)
{
    const double top = (double)((1 << (r->bits - 1)) - 1);
    const bool real = tern_store_at(m->store, r->array)->kind == 'f';
    char where[64];
    for (uint64_t k = 0; k < r->shape.n_items; ++k) {
        const double given = r->to[k];
        r->to[k] = real ? floor(ldexp(given, r->frac) + 0.5) : given;
        if (r->to[k] <= top && r->to[k] >= -top) continue;
        const unsigned long long columns = r->shape.n_dims == 2 ? r->shape.dims[1] : 1;
        if (r->shape.n_dims == 2) snprintf(where, sizeof where, "[%llu, %llu]", k / columns, k % columns);
        else snprintf(where, sizeof where, "[%llu]", (unsigned long long)k);
        tern_diag_hint(tern__w_error(m, TERN__W_VALUE, r->shape.name, "%s is %.9g, allowed are %.9g to %.9g", where,
                                     given, real ? -ldexp(top, -r->frac) : -top, real ? ldexp(top, -r->frac) : top),
                       real ? "scale the weights, or give the network a wider format (formats.weight)"
                            : "integers count units of the last bit");
        return TERN_ERR_DATA;
    }
    return TERN_OK;
}

static tern_status end_readings(const tern__importer *m, const readings *r)
{
    tern_store_want *wants = tern_arena_get(m->scratch, r->n, sizeof *wants);
    if (wants == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < r->n; ++i) wants[i] = (tern_store_want){ r->list[i].array, 'f', r->list[i].to };
    tern_status s = tern_store_read(m->store, wants, r->n, m->diags);
    for (size_t i = 0; i < r->n && s == TERN_OK; ++i) s = to_units(m, &r->list[i]);
    return s;
}

/* ---- weights
 * -------------------------------------------------------------------------------------------------------------- */

typedef struct placed {
    const double *values;
    uint8_t *there;
    int16_t *weights;
} placed;

static void place(void *ud, uint32_t weight, size_t item)
{
    const placed *p = ud;
    p->weights[weight] = (int16_t)p->values[item];
    p->there[item] = 1;
}

/* A weight where the network has no synapse, or a mask that says otherwise. */
static tern_status check_absent(const tern__importer *m, const tern__projections *p, const double *values,
                                const uint8_t *there)
{
    for (size_t i = 0; i < p->n; ++i) {
        const tern__projection *q = &p->list[i];
        for (size_t k = 0; k < (size_t)q->n_to * q->n_from; ++k) {
            if (there[q->first + k] != 0 || values[q->first + k] == 0) continue;
            char name[TERN_STORE_NAME];
            tern__projection_name(m->model, q, "weights", name);
            tern_diag_hint(tern__w_error(m, TERN__W_NETWORK, name,
                                         "[%zu, %zu] is %.9g, but the network has no synapse there", k / q->n_from,
                                         k % q->n_from, ldexp(values[q->first + k], -(int)m->model->net.weight_frac)),
                           "these weights are of another network, or of another seed of a random pattern");
            return TERN_ERR_NETWORK;
        }
    }
    return TERN_OK;
}

static tern_status read_projections(tern__importer *m)
{
    const tern_net *net = &m->model->net;
    tern__projections p;
    tern_status s = tern__projections_find(m->model, m->scratch, &p);
    if (s == TERN_ERR_LIMIT)
        tern__w_error(m, TERN__W_LARGE, NULL, "arrays of all pairs of units of this network are too large");
    if (s != TERN_OK) return s;
    double *values = tern_arena_get(m->scratch, p.n_items, sizeof *values);
    uint8_t *there = tern_arena_get(m->scratch, p.n_items, 1);
    m->weights = tern_arena_get(m->arena, net->n_weights, sizeof *m->weights);
    m->bias = tern_arena_get(m->arena, net->n_neurons, sizeof *m->bias);
    m->self = tern_arena_get(m->arena, net->n_neurons, sizeof *m->self);
    if (values == NULL || there == NULL || m->weights == NULL || m->bias == NULL || m->self == NULL)
        return TERN_ERR_MEMORY;
    if (net->n_weights != 0) memcpy(m->weights, net->weights0, net->n_weights * sizeof *m->weights);
    readings r = { NULL, 0 };
    s = m->nir       ? tern__nir_read(m, &p, values)
        : m->authors ? tern__authors_projections(m, &p, values)
                     : begin_readings(m, p.n, &r);
    for (size_t i = 0; i < p.n && s == TERN_OK && r.list != NULL; ++i) {
        const tern__projection *q = &p.list[i];
        tern__projection_name(m->model, q, "weights", r.list[r.n].shape.name);
        s = add_reading(m, &r, q->n_to, q->n_from, net->weight_frac, net->weight_bits, values + q->first);
    }
    if (s == TERN_OK && r.list != NULL) s = end_readings(m, &r);
    placed all = { values, there, m->weights };
    if (s == TERN_OK) tern__projections_walk(&p, place, &all);
    return s == TERN_OK ? check_absent(m, &p, values, there) : s;
}

static tern_status read_locals(tern__importer *m)
{
    const tern_net *net = &m->model->net;
    double *values = tern_arena_get(m->scratch, 2 * (size_t)net->n_neurons, sizeof *values); /* biases, self-memories */
    if (values == NULL) return TERN_ERR_MEMORY;
    readings r;
    tern_status s = m->authors ? tern__authors_locals(m) : begin_readings(m, 2 * m->model->n_populations, &r);
    for (uint32_t i = 0; i < m->model->n_populations && !m->authors; ++i) {
        const tern_population *p = &m->model->populations[i];
        for (int self = 0; p->kind != TERN_POP_INPUT && self < 2 && s == TERN_OK; ++self) {
            if (self != 0 && !tern__has_memory(m->model, i)) continue;
            snprintf(r.list[r.n].shape.name, TERN_STORE_NAME, "%s/%s", self != 0 ? "memory" : "bias", p->name);
            s = add_reading(m, &r, p->size, 0, TERN_BIAS_FRAC, 16,
                            values + (self != 0 ? net->n_neurons : 0) + p->neuron0);
        }
    }
    if (s == TERN_OK && !m->authors) s = end_readings(m, &r);
    for (uint32_t i = 0; i < net->n_neurons && s == TERN_OK && !m->authors; ++i) {
        m->bias[i] = (int16_t)values[i];
        m->self[i] = (int16_t)values[net->n_neurons + i];
    }
    return s;
}

/* ---- the state
 * ---------------------------------------------------------------------------------------------------------------- */

/* One number of an array of integers into its place; false: it does not fit. */
static bool narrow(const tern_store_array *a, size_t i, const void *from)
{
    void *to = (void *)(uintptr_t)a->data;
    if (a->kind == 'u') {
        const uint64_t v = ((const uint64_t *)from)[i];
        if (a->bytes < 8 && v >> (8 * a->bytes) != 0) return false;
        if (a->bytes == 8) ((uint64_t *)to)[i] = v;
        else if (a->bytes == 4) ((uint32_t *)to)[i] = (uint32_t)v;
        else ((uint16_t *)to)[i] = (uint16_t)v;
        return true;
    }
    const int64_t v = ((const int64_t *)from)[i];
    if (a->bytes == 4) ((int32_t *)to)[i] = (int32_t)v;
    else ((int16_t *)to)[i] = (int16_t)v;
    return a->bytes == 4 ? v >= INT32_MIN && v <= INT32_MAX : v >= INT16_MIN && v <= INT16_MAX;
}

/* Arrays of integers, each to where its items lie. */
static tern_status read_integers(const tern__importer *m, const tern_store_array *list, size_t n)
{
    tern_store_want wants[TERN__W_STATES];
    tern_arena own; /* given back before more is made */
    tern_arena_init(&own, m->arena->alloc, 0);
    tern_status s = TERN_OK;
    for (size_t i = 0; i < n && s == TERN_OK; ++i) {
        wants[i] = (tern_store_want){ .as = list[i].kind,
                                      .to = tern_arena_get(&own, (size_t)list[i].n_items, sizeof(uint64_t)) };
        s = wants[i].to == NULL ? TERN_ERR_MEMORY : tern__w_find(m, &list[i], &wants[i].array);
    }
    if (s == TERN_OK) s = tern_store_read(m->store, wants, n, m->diags);
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; s == TERN_OK && k < list[i].n_items; ++k) {
            if (narrow(&list[i], k, wants[i].to)) continue;
            tern__w_error(m, TERN__W_VALUE, list[i].name, "item %zu does not fit %u bits", k, 8u * list[i].bytes);
            s = TERN_ERR_DATA;
        }
    tern_arena_free(&own);
    return s;
}

/* Numbers of the state that have a range of their own. */
static bool numbers_in_range(const tern__importer *m, const tern__state_numbers *x)
{
    const struct {
        const char *name;
        uint64_t value, most;
    } list[] = { { "state/step", x->step, UINT32_MAX },
                 { "state/lag_head", x->lag_head, m->model->net.lags_w - 1u },
                 { "state/pending", x->pending, 1 },
                 { "state/first_sample", x->k0, UINT32_MAX },
                 { "state/presentations", x->presentations, UINT32_MAX } };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
        if (list[i].value <= list[i].most) continue;
        tern__w_error(m, TERN__W_VALUE, list[i].name, "is %" PRIu64 ", allowed are 0 to %" PRIu64, list[i].value,
                      list[i].most);
        return false;
    }
    return true;
}

static tern_status read_state(tern__importer *m)
{
    tern__state_numbers x = { 0 };
    const tern_net *net = &m->model->net;
    tern_store_array samples = {
        .name = "state/samples", .kind = 'u', .bytes = 8, .n_dims = 1, .dims = { 1 }, .n_items = 1, .data = &x.samples
    };
    tern_status s = read_integers(m, &samples, 1);
    if (s != TERN_OK) return s;
    const size_t bytes = x.samples <= TERN_MAX_SAMPLES ? tern_state_bytes(net, (uint32_t)x.samples) : 0;
    if (bytes == 0) {
        tern__w_error(m, TERN__W_VALUE, samples.name, "is %llu, allowed are 1 to %u", (unsigned long long)x.samples,
                      TERN_MAX_SAMPLES);
        return TERN_ERR_DATA;
    }
    tern_state *st = tern_arena_get(m->arena, 1, sizeof *st);
    void *memory = tern_arena_get(m->arena, bytes, 1);
    if (st == NULL || memory == NULL) return TERN_ERR_MEMORY;
    s = tern_state_init(st, net, memory, bytes, (uint32_t)x.samples, 0);
    tern_store_array list[TERN__W_STATES];
    const size_t n = s == TERN_OK ? tern__state_arrays(net, st, &x, list) : 0;
    if (s == TERN_OK) s = read_integers(m, list, n);
    if (s != TERN_OK) return s;
    if (!numbers_in_range(m, &x)) return TERN_ERR_DATA;
    memcpy(st->weights, m->weights, net->n_weights * sizeof *st->weights);
    memcpy(st->bias_f12, m->bias, net->n_neurons * sizeof *st->bias_f12);
    memcpy(st->self_f12, m->self, net->n_neurons * sizeof *st->self_f12);
    st->step = (uint32_t)x.step;
    st->lag_head = (uint32_t)x.lag_head;
    st->pending = x.pending != 0;
    st->k0 = (uint32_t)x.k0;
    st->seed = x.seed;
    st->sat = (tern_sat_counts){ x.sat[0], x.sat[1], x.sat[2], x.sat[3], x.sat[4], x.sat[5] };
    st->comm = (tern_comm_counts){ x.comm[0], x.comm[1] };
    m->presentations = (uint32_t)x.presentations;
    m->state = st;
    return TERN_OK;
}

/* ---- whose file is it?
 * ----------------------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

/* Arrays of weights that this network has no place for. */
static tern_status check_names(const tern__importer *m)
{
    static const char *const ours[] = { "weights/", "bias/", "memory/", "mask/" };
    tern__projections p;
    tern_status s = tern__projections_find(m->model, m->scratch, &p);
    for (size_t i = 0; s == TERN_OK && i < tern_store_count(m->store); ++i) {
        const char *name = tern_store_at(m->store, i)->name;
        bool known = true;
        for (size_t k = 0; k < sizeof ours / sizeof *ours; ++k) known = known && !begins(name, ours[k]);
        for (size_t k = 0; k < p.n && !known; ++k) {
            char weights[TERN_STORE_NAME], mask[TERN_STORE_NAME];
            tern__projection_name(m->model, &p.list[k], "weights", weights);
            tern__projection_name(m->model, &p.list[k], "mask", mask);
            known = strcmp(name, weights) == 0 || strcmp(name, mask) == 0;
        }
        for (uint32_t k = 0; k < m->model->n_populations && !known; ++k) {
            const tern_population *q = &m->model->populations[k];
            known = q->kind != TERN_POP_INPUT &&
                    ((begins(name, "bias/") && strcmp(name + 5, q->name) == 0) ||
                     (begins(name, "memory/") && strcmp(name + 7, q->name) == 0 && tern__has_memory(m->model, k)));
        }
        if (known) continue;
        tern_diag_hint(
            tern__w_error(m, TERN__W_NETWORK, name, "the network '%s' has nothing of this name", m->model->name),
            "the names are weights/SOURCE/TARGET/FILTER, bias/POPULATION, memory/POPULATION; tern export lists them");
        s = TERN_ERR_NETWORK;
    }
    return s;
}

static tern_status check_layout(const tern__importer *m)
{
    char hash[65], text[65];
    uint64_t bytes[32], version = 0;
    size_t i;
    const tern_store_array v = { .name = "tern/version", .kind = 'u', .n_dims = 1, .dims = { 1 }, .n_items = 1 };
    const tern_store_array layout = { .name = "tern/layout", .kind = 'u', .n_dims = 1, .dims = { 32 }, .n_items = 32 };
    if (tern_store_find(m->store, v.name) < 0) return TERN_OK; /* made by hand */
    tern_status s = tern__w_find(m, &v, &i);
    const tern_store_want one = { i, 'u', &version };
    if (s == TERN_OK) s = tern_store_read(m->store, &one, 1, m->diags);
    if (s == TERN_OK && version != TERN__W_VERSION) {
        tern__w_error(m, TERN__W_NETWORK, v.name, "is %llu, this Tern reads %d", (unsigned long long)version,
                      TERN__W_VERSION);
        s = TERN_ERR_FORMAT;
    }
    if (s == TERN_OK) s = tern__w_find(m, &layout, &i);
    const tern_store_want all = { i, 'u', bytes };
    if (s == TERN_OK) s = tern_store_read(m->store, &all, 1, m->diags);
    if (s == TERN_OK) s = tern_layout_hash(m->model, hash);
    if (s != TERN_OK) return s;
    for (int k = 0; k < 32; ++k) snprintf(text + 2 * k, 3, "%02x", (unsigned)(bytes[k] & 255));
    if (strcmp(text, hash) == 0) return TERN_OK;
    tern_diag_hint(tern__w_error(m, TERN__W_NETWORK, layout.name,
                                 "the file is of a network with the layout %.16s..., '%s' has %.16s...", text,
                                 m->model->name, hash),
                   "give the script or image that the weights are of, with the same --set; or --weights-only takes "
                   "them by name");
    return TERN_ERR_NETWORK;
}

/* The image's own checks see what no single array shows. */
static tern_status check_whole(const tern__importer *m, const tern_model *made)
{
    const uint8_t *bytes;
    size_t size;
    tern_model *again = tern_arena_get(m->scratch, 1, sizeof *again);
    tern_diags *found = tern_arena_get(m->scratch, 1, sizeof *found);
    if (again == NULL || found == NULL) return TERN_ERR_MEMORY;
    tern_diags_init(found);
    tern_status s = tern_image_encode(made, m->scratch, &bytes, &size);
    if (s == TERN_OK) s = tern_image_decode(bytes, size, m->path, m->scratch, again, found);
    if (s != TERN_OK && s != TERN_ERR_MEMORY)
        tern_diag_hint(tern__w_error(m, TERN__W_REFUSED, "state", "the arrays make no sound image: %s%s%s",
                                     found->n > 0 ? found->list[0].key : "", found->n > 0 ? ": " : "",
                                     found->n > 0 ? found->list[0].message : tern_status_text(s)),
                       "the state was changed by hand; --weights-only leaves it out");
    return s;
}

/* What was read and is sound becomes the model's. */
static tern_status finish(tern__importer *m)
{
    tern_model made = *m->model;
    made.real_weights0 = made.real_bias0 = made.real_self0 = NULL;
    made.state = m->state;
    made.presentations_done = m->presentations;
    if (m->state == NULL) {
        made.net.weights0 = m->weights;
        made.net.bias0_f12 = m->bias;
        made.net.self0_f12 = m->self;
    }
    const tern_status s = check_whole(m, &made);
    if (s != TERN_OK) return s;
    *m->model = made;
    if (m->state != NULL) m->state->net = &m->model->net;
    return TERN_OK;
}

tern_status tern_weights_take(tern_model *model, tern_store *store, const char *path, bool weights_only,
                              tern_arena *arena, tern_diags *diags)
{
    tern_arena scratch;
    tern_arena_init(&scratch, arena->alloc, 0);
    tern__importer m = {
        .model = model, .store = store, .path = path, .arena = arena, .scratch = &scratch, .diags = diags
    };
    m.authors = tern_store_find(store, "ff_weights") >= 0 && tern_store_find(store, "tern/version") < 0;
    m.nir = tern_store_find(store, "node/type") >= 0;
    bool has_state = false;
    for (size_t i = 0; i < tern_store_count(store); ++i)
        has_state = has_state || begins(tern_store_at(store, i)->name, "state/");
    tern_status s = weights_only || m.authors || m.nir ? TERN_OK : check_layout(&m);
    if (s == TERN_OK && !m.authors && !m.nir) s = check_names(&m);
    if (s == TERN_OK) s = read_projections(&m);
    if (s == TERN_OK && !m.nir) s = read_locals(&m);
    if (s == TERN_OK && has_state && !weights_only) s = read_state(&m);
    if (s == TERN_OK) s = finish(&m);
    tern_arena_free(&scratch);
    return s;
}

tern_status tern_saved_take(tern_model *model, const uint8_t *bytes, size_t n, const char *path, bool weights_only,
                            tern_arena *arena, tern_diags *diags)
{
    tern_arena scratch;
    tern_arena_init(&scratch, arena->alloc, 0);
    tern__importer m = { .model = model, .path = path, .arena = arena, .scratch = &scratch, .diags = diags };
    tern_status s = tern__saved_read(&m, bytes, n, weights_only);
    if (s == TERN_OK) s = finish(&m);
    tern_arena_free(&scratch);
    return s;
}

/* A stream is read as a whole; more bytes than any state of this network can have are not. */
static tern_status import_saved(tern_model *model, const char *path, bool weights_only, tern_arena *arena,
                                tern_diags *diags)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    const uint64_t most = 65536u + 2 * (uint64_t)tern_state_bytes(&model->net, TERN_MAX_SAMPLES);
    tern_status s = tern_file_read(path, most, arena->alloc, &bytes, &n, diags);
    if (s != TERN_OK) return s;
    s = tern_saved_take(model, bytes, n, path, weights_only, arena, diags);
    arena->alloc.fn(arena->alloc.ud, bytes, 0);
    return s;
}

tern_status tern_weights_import(tern_model *model, const char *path, bool weights_only, tern_arena *arena,
                                tern_diags *diags)
{
    tern_store *store = NULL;
    tern_arena own; /* the list of arrays */
    uint8_t head[8] = { 0 };
    if (tern_file_head(path, head, sizeof head) == (int)sizeof head && tern__saved_is(head, sizeof head))
        return import_saved(model, path, weights_only, arena, diags);
    tern_arena_init(&own, arena->alloc, 0);
    tern_status s = tern_store_open(path, &own, &store, diags);
    if (s == TERN_OK) s = tern_weights_take(model, store, path, weights_only, arena, diags);
    tern_store_close(store);
    tern_arena_free(&own);
    return s;
}
