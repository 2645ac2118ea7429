/* tern_weights_export.c : a network's weights and state as named arrays
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_weights_arrays.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/image.h"

typedef struct exporter {
    const tern_model *model;
    const int16_t *weights, *bias, *self;
    bool integers;
    double *real;   /* [n_items] of all projections, if real */
    int16_t *whole; /* else */
    uint8_t *mask;
    tern_store_array *arrays;
    size_t n;
} exporter;

static void put(void *ud, uint32_t weight, size_t item)
{
    const exporter *e = ud;
    const int16_t w = e->weights[weight];
    e->mask[item] = 1;
    if (e->integers) e->whole[item] = w;
    else e->real[item] = ldexp(w, -(int)e->model->net.weight_frac);
}

static tern_store_array *begin(exporter *e, char kind, unsigned bytes, const void *data, uint64_t rows,
                               uint64_t columns)
{
    tern_store_array *a = &e->arrays[e->n++];
    *a = (tern_store_array){
        .kind = kind, .bytes = (uint8_t)bytes, .data = data, .n_dims = columns != 0 ? 2 : 1, .dims = { rows, columns }
    };
    a->n_items = columns != 0 ? rows * columns : rows;
    return a;
}

static tern_status add_projections(exporter *e, tern_arena *arena, const char *path, tern_diags *diags)
{
    tern__projections p;
    tern_status s = tern__projections_find(e->model, arena, &p);
    if (s == TERN_ERR_LIMIT)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN__W_LARGE, path, 0, NULL,
                                      "the arrays of all pairs of units would have more than %llu items",
                                      (unsigned long long)TERN__W_ITEMS),
                       "an image holds the synapses alone and is smaller");
    if (s != TERN_OK) return s;
    e->arrays = tern_arena_get(arena, 2 * p.n + 2 * e->model->n_populations + TERN__W_STATES + 8, sizeof *e->arrays);
    e->mask = tern_arena_get(arena, p.n_items, 1);
    if (e->integers) e->whole = tern_arena_get(arena, p.n_items, sizeof *e->whole);
    else e->real = tern_arena_get(arena, p.n_items, sizeof *e->real);
    if (e->arrays == NULL || e->mask == NULL || (e->whole == NULL && e->real == NULL)) return TERN_ERR_MEMORY;
    tern__projections_walk(&p, put, e);
    for (size_t i = 0; i < p.n; ++i) {
        const tern__projection *q = &p.list[i];
        const void *data = e->integers ? (const void *)(e->whole + q->first) : (const void *)(e->real + q->first);
        tern_store_array *a = begin(e, e->integers ? 'i' : 'f', e->integers ? 2 : 8, data, q->n_to, q->n_from);
        tern__projection_name(e->model, q, "weights", a->name);
        a = begin(e, 'u', 1, e->mask + q->first, q->n_to, q->n_from);
        tern__projection_name(e->model, q, "mask", a->name);
    }
    return TERN_OK;
}

/* Biases and self-memory weights of each population. */
static tern_status add_locals(exporter *e, tern_arena *arena)
{
    for (uint32_t i = 0; i < e->model->n_populations; ++i) {
        const tern_population *p = &e->model->populations[i];
        for (int self = 0; p->kind != TERN_POP_INPUT && self < 2; ++self) {
            if (self != 0 && !tern__has_memory(e->model, i)) continue;
            const int16_t *from = (self != 0 ? e->self : e->bias) + p->neuron0;
            double *real = e->integers ? NULL : tern_arena_get(arena, p->size, sizeof *real);
            if (!e->integers && real == NULL) return TERN_ERR_MEMORY;
            for (uint32_t u = 0; real != NULL && u < p->size; ++u) real[u] = ldexp(from[u], -(int)TERN_BIAS_FRAC);
            tern_store_array *a = begin(e, e->integers ? 'i' : 'f', e->integers ? 2 : 8,
                                        e->integers ? (const void *)from : real, p->size, 0);
            snprintf(a->name, sizeof a->name, "%s/%s", self != 0 ? "memory" : "bias", p->name);
        }
    }
    return TERN_OK;
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

tern_status tern_weights_export(const tern_model *model, const char *path, bool integers, tern_arena *arena,
                                tern_diags *diags)
{
    const tern_net *net = &model->net;
    const tern_state *st = model->state;
    exporter e = { .model = model,
                   .integers = integers,
                   .weights = st != NULL ? st->weights : net->weights0,
                   .bias = st != NULL ? st->bias_f12 : net->bias0_f12,
                   .self = st != NULL ? st->self_f12 : net->self0_f12 };
    const size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".nir") == 0) return tern__nir_export(model, path, arena, diags);
    tern__state_numbers numbers;
    char hash[65];
    uint8_t layout[32];
    const int32_t version = TERN__W_VERSION, formats[4] = { net->weight_bits, net->weight_frac, 16, TERN_BIAS_FRAC };
    tern_status s = tern_layout_hash(model, hash);
    if (s == TERN_OK) s = add_projections(&e, arena, path, diags);
    if (s == TERN_OK) s = add_locals(&e, arena);
    if (s != TERN_OK) return s;
    for (int i = 0; i < 32; ++i) layout[i] = (uint8_t)(digit(hash[2 * i]) << 4 | digit(hash[2 * i + 1]));
    tern__state_numbers_get(model, &numbers);
    snprintf(begin(&e, 'i', 4, &version, 1, 0)->name, TERN_STORE_NAME, "tern/version");
    snprintf(begin(&e, 'u', 1, layout, sizeof layout, 0)->name, TERN_STORE_NAME, "tern/layout");
    snprintf(begin(&e, 'i', 4, formats, 4, 0)->name, TERN_STORE_NAME, "tern/formats");
    if (st != NULL) {
        snprintf(begin(&e, 'u', 8, &numbers.samples, 1, 0)->name, TERN_STORE_NAME, "state/samples");
        e.n += tern__state_arrays(net, st, &numbers, e.arrays + e.n);
    }
    return tern_store_write(path, tern_store_form_of(path), e.arrays, e.n, arena, diags);
}
