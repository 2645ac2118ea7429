/* tern_weights_nir.c : a network as a graph of the Neuromorphic Intermediate Representation
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the graph says is what the network does when every neuron fires exactly if that is more probable than not:
 *     SOURCE (Input or Threshold) -> SOURCE.TARGET.tau.delay (Delay) -> SOURCE.TARGET.tau (Linear) -> TARGET
 * (Threshold) for every tau of the filters, with the weights summed over the filters; TARGET.memory.tau (Scale) for
 * the self-memory; TARGET's threshold is minus its bias; visible populations lead to TARGET.output (Output). In HDF5:
 * node/nodes/NAME/..., node/edges.
 */
#include "tern_weights_arrays.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct graph {
    const tern_model *model;
    tern_arena *arena;
    tern_store_array *arrays;
    size_t n;
    char *edges; /* [2 n_edges][TERN_STORE_TEXT] */
    size_t n_edges;
    bool full; /* no memory */
} graph;

double tern__nir_delay(const tern_model *model, double tau)
{
    return model->data.present && model->data.window_us != 0 ? tau * model->data.window_us * 1e-6 : tau;
}

static void *room(graph *g, size_t n, size_t size)
{
    void *p = tern_arena_get(g->arena, n, size);
    g->full = g->full || p == NULL;
    return p;
}

static void add(graph *g, const char *node, const char *field, char kind, unsigned bytes, const void *data,
                uint64_t rows, uint64_t columns)
{
    tern_store_array *a = &g->arrays[g->n++];
    *a = (tern_store_array){ .kind = kind,
                             .bytes = (uint8_t)bytes,
                             .data = data,
                             .n_dims = columns != 0 ? 2
                                       : rows != 0  ? 1
                                                    : 0,
                             .dims = { rows, columns },
                             .n_items = 1 };
    for (uint32_t i = 0; i < a->n_dims; ++i) a->n_items *= a->dims[i];
    if (node[0] != 0) snprintf(a->name, sizeof a->name, "node/nodes/%s/%s", node, field);
    else snprintf(a->name, sizeof a->name, "%s", field);
}

static void add_text(graph *g, const char *node, const char *field, const char *text)
{
    char *copy = room(g, 1, TERN_STORE_TEXT);
    if (copy != NULL) snprintf(copy, TERN_STORE_TEXT, "%s", text);
    add(g, node, field, 's', TERN_STORE_TEXT, copy, 0, 0);
}

static void edge(graph *g, const char *from, const char *to)
{
    char *at = g->edges + 2 * g->n_edges++ * TERN_STORE_TEXT;
    snprintf(at, TERN_STORE_TEXT, "%s", from);
    snprintf(at + TERN_STORE_TEXT, TERN_STORE_TEXT, "%s", to);
}

/* A shape node (Input, Output), or a Threshold. */
static void population(graph *g, const tern_population *p, const int16_t *bias)
{
    char name[TERN_STORE_TEXT];
    int64_t *shape = room(g, 1, sizeof *shape);
    if (shape == NULL) return;
    *shape = p->size;
    if (p->kind == TERN_POP_INPUT) {
        add_text(g, p->name, "type", "Input");
        add(g, p->name, "shape", 'i', 8, shape, 1, 0);
        return;
    }
    double *threshold = room(g, p->size, sizeof *threshold);
    if (threshold == NULL) return;
    for (uint32_t u = 0; u < p->size; ++u) threshold[u] = -ldexp(bias[p->neuron0 + u], -(int)TERN_BIAS_FRAC);
    add_text(g, p->name, "type", "Threshold");
    add(g, p->name, "threshold", 'f', 8, threshold, p->size, 0);
    if (p->kind != TERN_POP_VISIBLE) return;
    snprintf(name, sizeof name, "%s.output", p->name);
    add_text(g, name, "type", "Output");
    add(g, name, "shape", 'i', 8, shape, 1, 0);
    edge(g, p->name, name);
}

/* SOURCE -> delay -> what weighs -> TARGET. */
static void delayed(graph *g, const tern_population *from, const tern_population *to, const char *name, unsigned tau,
                    const char *type, const char *field, const double *weights)
{
    char delay[TERN_STORE_TEXT];
    double *steps = room(g, from->size, sizeof *steps);
    if (steps == NULL) return;
    for (uint32_t u = 0; u < from->size; ++u) steps[u] = tern__nir_delay(g->model, tau);
    snprintf(delay, sizeof delay, "%.110s.delay", name);
    add_text(g, delay, "type", "Delay");
    add(g, delay, "delay", 'f', 8, steps, from->size, 0);
    add_text(g, name, "type", type);
    add(g, name, field, 'f', 8, weights, to->size, strcmp(type, "Scale") == 0 ? 0 : from->size);
    edge(g, from->name, delay);
    edge(g, delay, name);
    edge(g, name, to->name);
}

static double tap(const tern_net *net, uint32_t filter, unsigned tau)
{
    return ldexp(net->filter_taps[filter * net->taps_d + tau - 1], -(int)net->trace_frac);
}

typedef struct spread {
    const int16_t *weights;
    double *values;
    int frac;
} spread;
static void take(void *ud, uint32_t weight, size_t item)
{
    const spread *s = ud;
    s->values[item] = ldexp(s->weights[weight], -s->frac);
}

/* Projections between the same two populations, which follow each other in the list, tap by tap. */
static void projections(graph *g, const tern__projections *p, const double *values)
{
    const tern_net *net = &g->model->net;
    for (size_t i = 0, end; i < p->n; i = end) {
        const tern__projection *q = &p->list[i];
        const tern_population *to = &g->model->populations[q->to], *from = &g->model->populations[q->from];
        for (end = i; end < p->n && p->list[end].to == q->to && p->list[end].from == q->from;) ++end;
        for (unsigned tau = 1; tau <= net->taps_d; ++tau) {
            char name[TERN_STORE_TEXT];
            const size_t n = (size_t)q->n_to * q->n_from;
            bool any = false;
            for (size_t k = i; k < end; ++k)
                any = any || net->filter_taps[p->list[k].filter * net->taps_d + tau - 1] != 0;
            double *sum = any ? room(g, n, sizeof *sum) : NULL;
            if (sum == NULL) continue;
            for (size_t k = i; k < end; ++k)
                for (size_t c = 0; c < n; ++c)
                    sum[c] += values[p->list[k].first + c] * tap(net, p->list[k].filter, tau);
            snprintf(name, sizeof name, "%s.%s.%u", from->name, to->name, tau);
            delayed(g, from, to, name, tau, "Linear", "weight", sum);
        }
    }
}

static void memories(graph *g, const int16_t *self)
{
    const tern_net *net = &g->model->net;
    for (uint32_t i = 0; i < g->model->n_populations; ++i) {
        const tern_population *p = &g->model->populations[i];
        for (unsigned tau = 1; tern__has_memory(g->model, i) && tau <= net->taps_d; ++tau) {
            char name[TERN_STORE_TEXT];
            double *scale = room(g, p->size, sizeof *scale);
            if (scale == NULL) return;
            for (uint32_t u = 0; u < p->size; ++u) {
                const uint8_t f = net->neurons[p->neuron0 + u].self_filter;
                scale[u] =
                    f == TERN_NO_FILTER ? 0 : ldexp(self[p->neuron0 + u], -(int)TERN_BIAS_FRAC) * tap(net, f, tau);
            }
            snprintf(name, sizeof name, "%s.memory.%u", p->name, tau);
            delayed(g, p, p, name, tau, "Scale", "scale", scale);
        }
    }
}

static tern_status refuse_circuits(const tern_model *m, const char *path, tern_diags *diags)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        if (m->populations[i].wta == 0) continue;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN__W_NIR, path, 0, m->populations[i].name,
                                      "NIR has no winner-take-all circuits"),
                       "export to .h5 or .npz");
        return TERN_ERR_NETWORK;
    }
    return TERN_OK;
}

tern_status tern__nir_export(const tern_model *model, const char *path, tern_arena *arena, tern_diags *diags)
{
    const tern_net *net = &model->net;
    const tern_state *st = model->state;
    tern__projections p;
    tern_status s = refuse_circuits(model, path, diags);
    if (s == TERN_OK) s = tern__projections_find(model, arena, &p);
    if (s == TERN_ERR_LIMIT)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN__W_LARGE, path, 0, NULL,
                       "the weights between all pairs of units are too many");
    if (s != TERN_OK) return s;
    graph g = { .model = model, .arena = arena };
    const size_t paths = (p.n + model->n_populations) * net->taps_d + model->n_populations;
    g.arrays = room(&g, 4 * paths + 4 * model->n_populations + 8, sizeof *g.arrays);
    g.edges = room(&g, 6 * paths + 2 * model->n_populations, TERN_STORE_TEXT);
    double *values = room(&g, p.n_items, sizeof *values);
    if (g.full) return TERN_ERR_MEMORY;
    spread all = { st != NULL ? st->weights : net->weights0, values, net->weight_frac };
    tern__projections_walk(&p, take, &all);
    add_text(&g, "", "version", "1.0");
    add_text(&g, "", "node/type", "NIRGraph");
    for (uint32_t i = 0; i < model->n_populations && !g.full; ++i)
        population(&g, &model->populations[i], st != NULL ? st->bias_f12 : net->bias0_f12);
    if (!g.full) projections(&g, &p, values);
    if (!g.full) memories(&g, st != NULL ? st->self_f12 : net->self0_f12);
    if (g.full) return TERN_ERR_MEMORY;
    add(&g, "", "node/edges", 's', TERN_STORE_TEXT, g.edges, g.n_edges, 2);
    tern_diags_add(diags, TERN_SEV_NOTE, TERN__W_NIR_LOSS, path, 0, NULL,
                   "NIR has no random neurons: the graph's fire exactly if that is more probable than not; learning "
                   "and state are left out");
    return tern_store_write(path, TERN_STORE_HDF5, g.arrays, g.n, arena, diags);
}
