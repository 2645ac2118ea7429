/* tern_weights_arrays.c : see tern_weights_arrays.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_weights_arrays.h"
#include <stdio.h>
#include <string.h>

static size_t index_of(uint32_t to, uint32_t from, uint32_t filter)
{
    return ((size_t)to * TERN_MAX_POPULATIONS + from) * TERN_MAX_FILTERS + filter;
}

/* The population that a position of a pool belongs to. */
static const tern_population *population_at(const tern_model *m, bool input, uint32_t pos)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if ((p->kind == TERN_POP_INPUT) == input && pos >= p->pos && pos - p->pos < p->size) return p;
    }
    return NULL;
}

typedef void visit(void *ud, uint32_t weight, uint32_t to, uint32_t to_unit, uint32_t from, uint32_t from_unit,
                   uint32_t filter);

/* Synapses of one row; a row may read several populations. */
static void walk_row(const tern_model *m, const tern_row *row, uint32_t to, uint32_t unit, visit *each, void *ud)
{
    const tern_population *from = NULL;
    for (uint32_t q = 0; q < row->count; ++q) {
        const uint32_t pos = row->first + q;
        if (m->net.weights0[row->weight + q] == TERN_WEIGHT_ABSENT) continue;
        if (from == NULL || pos < from->pos || pos - from->pos >= from->size)
            from = population_at(m, row->kind == TERN_ROW_SHARED, pos);
        if (from != NULL)
            each(ud, row->weight + q, to, unit, (uint32_t)(from - m->populations), pos - from->pos, row->filter);
    }
}

static void walk(const tern_model *m, visit *each, void *ud)
{
    for (uint32_t p = 0; p < m->n_populations; ++p) {
        const tern_population *to = &m->populations[p];
        if (to->kind == TERN_POP_INPUT) continue;
        for (uint32_t u = 0; u < to->size; ++u) {
            const tern_neuron *neuron = &m->net.neurons[to->neuron0 + u];
            for (uint32_t r = 0; r < neuron->n_rows; ++r) walk_row(m, &m->net.rows[neuron->row0 + r], p, u, each, ud);
        }
    }
}

static void mark(void *ud, uint32_t weight, uint32_t to, uint32_t to_unit, uint32_t from, uint32_t from_unit,
                 uint32_t filter)
{
    (void)weight, (void)to_unit, (void)from_unit;
    ((int32_t *)ud)[index_of(to, from, filter)] = 0;
}

tern_status tern__projections_find(const tern_model *model, tern_arena *arena, tern__projections *out)
{
    const size_t all = index_of(model->n_populations, 0, 0);
    *out = (tern__projections){ .model = model, .index = tern_arena_get(arena, all, sizeof *out->index) };
    if (out->index == NULL) return TERN_ERR_MEMORY;
    memset(out->index, 0xff, all * sizeof *out->index);
    walk(model, mark, out->index);
    for (size_t i = 0; i < all; ++i) out->n += out->index[i] == 0;
    out->list = tern_arena_get(arena, out->n, sizeof *out->list);
    if (out->list == NULL) return TERN_ERR_MEMORY;
    size_t n = 0;
    uint64_t items = 0;
    for (size_t i = 0; i < all; ++i) {
        if (out->index[i] != 0) continue;
        const uint32_t to = (uint32_t)(i / index_of(1, 0, 0)),
                       from = (uint32_t)(i / TERN_MAX_FILTERS % TERN_MAX_POPULATIONS);
        const tern_population *a = &model->populations[to], *b = &model->populations[from];
        out->index[i] = (int32_t)n;
        out->list[n++] = (tern__projection){ (uint8_t)to, (uint8_t)from, (uint8_t)(i % TERN_MAX_FILTERS),
                                             a->size,     b->size,       (size_t)items };
        items += (uint64_t)a->size * b->size;
        if (items > TERN__W_ITEMS) return TERN_ERR_LIMIT;
    }
    out->n_items = (size_t)items;
    return TERN_OK;
}

void tern__projection_name(const tern_model *model, const tern__projection *p, const char *what,
                           char out[TERN_STORE_NAME])
{
    snprintf(out, TERN_STORE_NAME, "%s/%s/%s/%u", what, model->populations[p->from].name,
             model->populations[p->to].name, p->filter);
}

typedef struct walker {
    const tern__projections *p;
    tern__synapse *each;
    void *ud;
} walker;

static void to_item(void *ud, uint32_t weight, uint32_t to, uint32_t to_unit, uint32_t from, uint32_t from_unit,
                    uint32_t filter)
{
    const walker *w = ud;
    const tern__projection *p = &w->p->list[w->p->index[index_of(to, from, filter)]];
    w->each(w->ud, weight, p->first + (size_t)to_unit * p->n_from + from_unit);
}

void tern__projections_walk(const tern__projections *p, tern__synapse *each, void *ud)
{
    walker w = { p, each, ud };
    walk(p->model, to_item, &w);
}

bool tern__has_memory(const tern_model *model, uint32_t population)
{
    const tern_population *p = &model->populations[population];
    for (uint32_t u = 0; p->kind != TERN_POP_INPUT && u < p->size; ++u)
        if (model->net.neurons[p->neuron0 + u].self_filter != TERN_NO_FILTER) return true;
    return false;
}

/* ---- the state
 * ------------------------------------------------------------------------------------------------------------ */

void tern__state_numbers_get(const tern_model *model, tern__state_numbers *out)
{
    const tern_state *st = model->state;
    *out = (tern__state_numbers){ .version = TERN__W_VERSION, .presentations = model->presentations_done };
    if (st == NULL) return;
    out->step = st->step;
    out->lag_head = st->lag_head;
    out->pending = st->pending;
    out->k0 = st->k0;
    out->samples = st->n_samples;
    out->seed = st->seed;
    memcpy(out->sat,
           (const uint64_t[]){ st->sat.weight, st->sat.local, st->sat.potential, st->sat.coefficient, st->sat.logprob,
                               st->sat.modulator },
           sizeof out->sat);
    out->comm[0] = st->comm.unicast;
    out->comm[1] = st->comm.broadcast;
}

static void add(tern_store_array **at, const char *name, char kind, unsigned bytes, const void *data, size_t a,
                size_t b, size_t c)
{
    tern_store_array *s = (*at)++;
    *s = (tern_store_array){ .kind = kind, .bytes = (uint8_t)bytes, .data = data, .n_items = 1 };
    snprintf(s->name, sizeof s->name, "state/%s", name);
    const size_t dims[3] = { a, b, c };
    for (; s->n_dims < 3 && dims[s->n_dims] != SIZE_MAX; ++s->n_dims) {
        s->dims[s->n_dims] = dims[s->n_dims];
        s->n_items *= dims[s->n_dims];
    }
}

size_t tern__state_arrays(const tern_net *n, const tern_state *st, tern__state_numbers *x,
                          tern_store_array out[TERN__W_STATES])
{
    const size_t none = SIZE_MAX, k = st->n_samples, in = n->n_inputs_pos, pos = n->n_neurons_pos,
                 base = tern_net_baselines(n);
    tern_store_array *at = out;
    add(&at, "presentations", 'u', 8, &x->presentations, none, none, none);
    add(&at, "step", 'u', 8, &x->step, none, none, none);
    add(&at, "lag_head", 'u', 8, &x->lag_head, none, none, none);
    add(&at, "pending", 'u', 8, &x->pending, none, none, none);
    add(&at, "first_sample", 'u', 8, &x->k0, none, none, none);
    add(&at, "seed", 'u', 8, &x->seed, none, none, none);
    add(&at, "saturations", 'u', 8, x->sat, 6, none, none);
    add(&at, "messages", 'u', 8, x->comm, 2, none, none);
    add(&at, "coefficients", 'u', 2, st->ek, n->lags_w, none, none);
    add(&at, "input_histories", 'u', 8, st->hist_in, in, none, none);
    add(&at, "histories", 'u', 8, st->hist_neuron, k, pos, none);
    add(&at, "errors", 'i', 2, st->errors_f15, n->n_neurons, k, n->lags_w);
    add(&at, "v", 'i', 4, st->v_f12, k, none, none);
    add(&at, "modulators", 'i', 2, st->m_f14, k, none, none);
    add(&at, "signals", 'i', 4, st->w_f12, k, none, none);
    add(&at, "baselines", 'i', 4, st->base_f12, base, none, none);
    add(&at, "baseline_weights", 'u', 4, st->base_weight, base, none, none);
    add(&at, "losses", 'u', 4, st->loss_f12, k, none, none);
    add(&at, "spikes", 'u', 4, st->spikes, k, pos / 32, none);
    add(&at, "input_spikes", 'u', 4, st->spikes_in, in / 32, none, none);
    return (size_t)(at - out);
}
