/* tern_weights_nir_read.c : weights from a graph of the Neuromorphic Intermediate Representation
 * SPDX-License-Identifier: Apache-2.0
 *
 * Populations are the graph's nodes of their names; on the way from one to another are a Delay or none and a Linear,
 * an Affine or a Scale. Weights of all delays between two populations are W[tau]; those of the filters are the w[f]
 * with sum over f of w[f] a[f][tau] = W[tau], which has to hold for every tau.
 */
#include "tern_weights_import.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES_MOST = 4096 };
static const char BASE[] = "node/nodes/";

typedef enum kind { POPULATION, DELAY, LINEAR, AFFINE, SCALE, OUTPUT, KINDS } kind;
typedef struct node {
    char name[TERN_STORE_TEXT];
    kind kind;
    uint32_t population;            /* POPULATION */
    uint32_t in, out, n_in, n_out;  /* the one neighbour on each side, of what is no population */
    uint32_t from, to;              /* of what weighs: populations, and ... */
    unsigned tau;                   /* ... the steps in between */
    double *delay, *weights, *bias; /* what was read; NULL: it has none */
} node;

typedef struct reader {
    tern__importer *m;
    const tern__projections *p;
    double *values; /* as tern__nir_read() */
    node *nodes;
    size_t n;
    double *bias;           /* [neurons] */
    double *effective;      /* [taps_d][most items of two populations] */
    bool at_once;           /* a way without delay was met */
    tern_store_want *wants; /* all arrays that are needed: of HDF5 each reading takes a process */
    size_t n_wants;
    uint64_t items;     /* in them */
    double **threshold; /* [populations] */
} reader;

static tern_status wrong(const reader *r, const char *name, const char *what)
{
    tern_diag_hint(tern__w_error(r->m, TERN__W_NIR, name, "%s", what),
                   "what a graph may hold: docs/13-weights.md, section 5");
    return TERN_ERR_NETWORK;
}

static long find_node(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->n; ++i)
        if (strcmp(r->nodes[i].name, name) == 0) return (long)i;
    return -1;
}

/* An array of a node will be read: of `rows`, or rows x columns. */
static tern_status want_field(reader *r, const node *n, const char *field, uint64_t rows, uint64_t columns, double **to)
{
    tern_store_array wanted = { .kind = 'f',
                                .n_dims = columns != 0 ? 2 : 1,
                                .dims = { rows, columns },
                                .n_items = columns != 0 ? rows * columns : rows };
    size_t i;
    snprintf(wanted.name, sizeof wanted.name, "%s%.120s/%s", BASE, n->name, field);
    const tern_status s = tern__w_find(r->m, &wanted, &i);
    if (s != TERN_OK) return s;
    r->items += wanted.n_items;
    if (r->items > (r->p->n_items + 4 * (uint64_t)TERN_MAX_POSITIONS) * (r->m->model->net.taps_d + 1u))
        return wrong(r, n->name, "the graph holds more weights than the network has for all delays together");
    *to = tern_arena_get(r->m->scratch, (size_t)wanted.n_items, sizeof **to);
    r->wants[r->n_wants++] = (tern_store_want){ i, 'f', *to };
    return *to == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- nodes and edges
 * ------------------------------------------------------------------------------------------------- */

static tern_status one_node(reader *r, const char *name, const char *type)
{
    static const struct {
        const char *type;
        kind kind;
    } known[] = { { "Input", POPULATION }, { "Threshold", POPULATION }, { "Delay", DELAY },  { "Linear", LINEAR },
                  { "Affine", AFFINE },    { "Scale", SCALE },          { "Output", OUTPUT } };
    node *n = &r->nodes[r->n++];
    char text[200];
    *n = (node){ .kind = KINDS };
    snprintf(n->name, sizeof n->name, "%s", name);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(known[i].type, type) == 0) n->kind = known[i].kind;
    if (n->kind == KINDS) {
        snprintf(text, sizeof text,
                 "is of the type %.40s; Tern reads Input, Threshold, Delay, Linear, Affine, Scale and Output", type);
        return wrong(r, name, text);
    }
    if (n->kind != POPULATION) return TERN_OK;
    for (uint32_t i = 0; i < r->m->model->n_populations; ++i) {
        const tern_population *p = &r->m->model->populations[i];
        if (strcmp(p->name, name) != 0) continue;
        n->population = i;
        if ((p->kind == TERN_POP_INPUT) == (strcmp(type, "Input") == 0)) return TERN_OK;
        return wrong(r, name,
                     p->kind == TERN_POP_INPUT ? "is an input population of the network, but no Input of the graph"
                                               : "is a population of neurons, but no Threshold of the graph");
    }
    return wrong(r, name, "the network has no population of this name");
}

static tern_status read_nodes(reader *r)
{
    const tern_store *store = r->m->store;
    const size_t all = tern_store_count(store);
    size_t n = 0;
    for (size_t i = 0; i < all; ++i) {
        const char *name = tern_store_at(store, i)->name, *end = strrchr(name, '/');
        n += strncmp(name, BASE, sizeof BASE - 1) == 0 && strcmp(end, "/type") == 0;
    }
    if (n > NODES_MOST) return wrong(r, "node/nodes", "the graph has more than 4096 nodes");
    char(*types)[TERN_STORE_TEXT] = tern_arena_get(r->m->scratch, n, TERN_STORE_TEXT);
    tern_store_want *wants = tern_arena_get(r->m->scratch, n, sizeof *wants);
    r->nodes = tern_arena_get(r->m->scratch, n, sizeof *r->nodes);
    if (types == NULL || wants == NULL || r->nodes == NULL) return TERN_ERR_MEMORY;
    n = 0;
    for (size_t i = 0; i < all; ++i) {
        const tern_store_array *a = tern_store_at(store, i);
        const char *end = strrchr(a->name, '/');
        if (strncmp(a->name, BASE, sizeof BASE - 1) != 0 || strcmp(end, "/type") != 0) continue;
        const char *name = a->name + sizeof BASE - 1;
        if (a->kind != 's' || a->n_items != 1 || memchr(name, '/', (size_t)(end - name)) != NULL ||
            end - name >= TERN_STORE_TEXT)
            return wrong(r, a->name, "is no type of a node; graphs in graphs are not read");
        wants[n] = (tern_store_want){ i, 's', types[n] };
        ++n;
    }
    tern_status s = tern_store_read(r->m->store, wants, n, r->m->diags);
    for (size_t i = 0; i < n && s == TERN_OK; ++i) {
        char name[TERN_STORE_TEXT];
        const char *full = tern_store_at(store, wants[i].array)->name + sizeof BASE - 1;
        snprintf(name, sizeof name, "%.*s", (int)(strrchr(full, '/') - full), full);
        s = one_node(r, name, types[i]);
    }
    return s;
}

static tern_status read_edges(reader *r)
{
    const long i = tern_store_find(r->m->store, "node/edges");
    const tern_store_array *a = i >= 0 ? tern_store_at(r->m->store, (size_t)i) : NULL;
    if (a == NULL || a->kind != 's' || a->n_dims != 2 || a->dims[1] != 2)
        return wrong(r, "node/edges", "is no list of pairs of names");
    char(*names)[TERN_STORE_TEXT] = tern_arena_get(r->m->scratch, (size_t)a->n_items, TERN_STORE_TEXT);
    if (names == NULL) return TERN_ERR_MEMORY;
    const tern_store_want want = { (size_t)i, 's', names };
    tern_status s = tern_store_read(r->m->store, &want, 1, r->m->diags);
    for (uint64_t e = 0; e < a->dims[0] && s == TERN_OK; ++e) {
        const long from = find_node(r, names[2 * e]), to = find_node(r, names[2 * e + 1]);
        if (from < 0 || to < 0)
            return wrong(r, names[2 * e + (from >= 0)], "an edge names it, but there is no such node");
        node *x = &r->nodes[from], *y = &r->nodes[to];
        x->out = (uint32_t)to, ++x->n_out;
        y->in = (uint32_t)from, ++y->n_in;
    }
    return s;
}

/* ---- weights
 * ------------------------------------------------------------------------------------------------------------ */

static bool weighs(const node *n) { return n->kind == LINEAR || n->kind == AFFINE || n->kind == SCALE; }

/* Where a way begins and ends; an error: not at populations, or at two that the network does not connect. */
static tern_status find_ends(reader *r, node *w)
{
    const node *before = &r->nodes[w->in];
    if (w->n_in != 1 || w->n_out != 1 || r->nodes[w->out].kind != POPULATION)
        return wrong(r, w->name, "has to lead from one population to one population");
    if (before->kind == DELAY && before->n_in == 1 && before->n_out == 1) before = &r->nodes[before->in];
    if (before->kind != POPULATION)
        return wrong(r, w->name, "has to come from a population, or from the Delay behind one");
    w->from = before->population;
    w->to = r->nodes[w->out].population;
    bool there = w->kind == SCALE && w->from == w->to && tern__has_memory(r->m->model, w->to);
    for (size_t k = 0; k < r->p->n; ++k)
        there = there || (w->kind != SCALE && r->p->list[k].from == w->from && r->p->list[k].to == w->to);
    if (there) return TERN_OK;
    return wrong(r, w->name,
                 w->kind == SCALE ? "the population has no self-memory in the network"
                                  : "the network does not connect these two populations");
}

static tern_status want_way(reader *r, node *w)
{
    const uint32_t from = r->m->model->populations[w->from].size, to = r->m->model->populations[w->to].size;
    const node *before = &r->nodes[w->in];
    tern_status s =
        want_field(r, w, w->kind == SCALE ? "scale" : "weight", to, w->kind == SCALE ? 0 : from, &w->weights);
    if (s == TERN_OK && w->kind == AFFINE) s = want_field(r, w, "bias", to, 0, &w->bias);
    if (s == TERN_OK && before->kind == DELAY) s = want_field(r, before, "delay", from, 0, &w->delay);
    r->at_once = r->at_once || before->kind != DELAY;
    return s;
}

static tern_status set_tau(reader *r, node *w)
{
    const tern_model *model = r->m->model;
    const double steps = w->delay == NULL ? 1 : w->delay[0] / tern__nir_delay(model, 1);
    const char *name = r->nodes[w->in].name;
    char text[160];
    for (uint32_t u = 1; w->delay != NULL && u < model->populations[w->from].size; ++u)
        if (w->delay[u] != w->delay[0]) return wrong(r, name, "its units have different delays");
    w->tau = 1;
    if (fabs(steps - floor(steps + 0.5)) <= 1e-3 && steps >= 0.5 && steps <= model->net.taps_d + 0.5)
        w->tau = (unsigned)(steps + 0.5);
    else {
        snprintf(text, sizeof text, "%.9g s are %.6g steps of the network; allowed are whole ones from 1 to %u",
                 w->delay[0], steps, model->net.taps_d);
        return wrong(r, name, text);
    }
    return TERN_OK;
}

/* Everything of the graph that is needed, in one reading. */
static tern_status read_all(reader *r)
{
    const tern_model *model = r->m->model;
    tern_status s = TERN_OK;
    r->wants = tern_arena_get(r->m->scratch, 3 * r->n + model->n_populations, sizeof *r->wants);
    r->threshold = tern_arena_get(r->m->scratch, model->n_populations, sizeof *r->threshold);
    if (r->wants == NULL || r->threshold == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < r->n && s == TERN_OK; ++i) {
        if (!weighs(&r->nodes[i])) continue;
        s = find_ends(r, &r->nodes[i]);
        if (s == TERN_OK) s = want_way(r, &r->nodes[i]);
    }
    for (uint32_t i = 0; i < model->n_populations && s == TERN_OK; ++i) {
        const tern_population *p = &model->populations[i];
        const long at = find_node(r, p->name);
        if (at < 0) return wrong(r, p->name, "the graph has no node of this population");
        if (p->kind != TERN_POP_INPUT) s = want_field(r, &r->nodes[at], "threshold", p->size, 0, &r->threshold[i]);
    }
    if (s == TERN_OK) s = tern_store_read(r->m->store, r->wants, r->n_wants, r->m->diags);
    for (size_t i = 0; i < r->n && s == TERN_OK; ++i)
        if (weighs(&r->nodes[i])) s = set_tau(r, &r->nodes[i]);
    return s;
}

/* Biases of Affine nodes go to their neurons. */
static void add_biases(reader *r)
{
    for (size_t i = 0; i < r->n; ++i) {
        const node *w = &r->nodes[i];
        const tern_population *p = &r->m->model->populations[w->to];
        for (uint32_t u = 0; w->bias != NULL && u < p->size; ++u) r->bias[p->neuron0 + u] += w->bias[u];
    }
}

static double tap(const tern_net *net, uint32_t filter, unsigned tau)
{
    return ldexp(net->filter_taps[filter * net->taps_d + tau - 1], -(int)net->trace_frac);
}

/* inverse[f][tau]: w = inverse W is what fits best. False: the filters are not independent. By Gauss on the normal
 * equations. */
static bool invert(const tern_net *net, const uint8_t *filters, size_t n,
                   double inverse[TERN_MAX_FILTERS][TERN_MAX_TAPS])
{
    double g[TERN_MAX_FILTERS][TERN_MAX_FILTERS];
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < n; ++k) {
            g[i][k] = 0;
            for (unsigned t = 1; t <= net->taps_d; ++t) g[i][k] += tap(net, filters[i], t) * tap(net, filters[k], t);
        }
        for (unsigned t = 1; t <= net->taps_d; ++t) inverse[i][t - 1] = tap(net, filters[i], t);
    }
    for (size_t c = 0; c < n; ++c) {
        size_t best = c;
        for (size_t i = c; i < n; ++i)
            if (fabs(g[i][c]) > fabs(g[best][c])) best = i;
        if (fabs(g[best][c]) < 1e-9) return false;
        for (size_t k = 0; k < n; ++k) {
            const double x = g[c][k];
            g[c][k] = g[best][k];
            g[best][k] = x;
        }
        for (unsigned t = 0; t < net->taps_d; ++t) {
            const double x = inverse[c][t];
            inverse[c][t] = inverse[best][t];
            inverse[best][t] = x;
        }
        for (size_t i = 0; i < n; ++i) {
            const double by = i == c ? 0 : g[i][c] / g[c][c];
            for (size_t k = 0; k < n; ++k) g[i][k] -= by * g[c][k];
            for (unsigned t = 0; t < net->taps_d; ++t) inverse[i][t] -= by * inverse[c][t];
        }
    }
    for (size_t i = 0; i < n; ++i)
        for (unsigned t = 0; t < net->taps_d; ++t) inverse[i][t] /= g[i][i];
    return true;
}

static tern_status in_units(const reader *r, const char *name, double v, int frac, int bits, double *out)
{
    const double top = (double)((1 << (bits - 1)) - 1);
    *out = floor(ldexp(v, frac) + 0.5);
    if (*out <= top && *out >= -top) return TERN_OK;
    tern__w_error(r->m, TERN__W_VALUE, name, "a weight is %.9g, allowed are %.9g to %.9g", v, -ldexp(top, -frac),
                  ldexp(top, -frac));
    return TERN_ERR_DATA;
}

/* Weights of filters from effective[tau] of two populations, or of a self-memory. to(f, item) gets them. */
static tern_status solve(const reader *r, const char *name, const uint8_t *filters, size_t n, size_t items,
                         double *const *to, int frac, int bits)
{
    const tern_net *net = &r->m->model->net;
    double inverse[TERN_MAX_FILTERS][TERN_MAX_TAPS], w[TERN_MAX_FILTERS];
    tern_status s = TERN_OK;
    if (!invert(net, filters, n, inverse))
        return wrong(r, name,
                     "the network's filters are not independent: no weights of single filters follow from the sums");
    for (size_t c = 0; c < items && s == TERN_OK; ++c) {
        double worst = 0, largest = 0;
        for (size_t i = 0; i < n; ++i) {
            w[i] = 0;
            for (unsigned t = 0; t < net->taps_d; ++t) w[i] += inverse[i][t] * r->effective[t * items + c];
        }
        for (unsigned t = 0; t < net->taps_d; ++t) {
            double sum = r->effective[t * items + c];
            largest = fmax(largest, fabs(sum));
            for (size_t i = 0; i < n; ++i) sum -= w[i] * tap(net, filters[i], t + 1);
            worst = fmax(worst, fabs(sum));
        }
        if (worst > 1e-6 * largest + 1e-12)
            return wrong(r, name, "the weights over time are no sum of the network's filters");
        for (size_t i = 0; i < n && s == TERN_OK; ++i) s = in_units(r, name, w[i], frac, bits, &to[i][c]);
    }
    return s;
}

/* effective[tau] of the ways from one population to another. */
static void add_ways(reader *r, uint32_t from, uint32_t to, size_t items, bool self)
{
    memset(r->effective, 0, r->m->model->net.taps_d * items * sizeof *r->effective);
    for (size_t i = 0; i < r->n; ++i) {
        const node *w = &r->nodes[i];
        if (!weighs(w) || w->from != from || w->to != to || (w->kind == SCALE) != self) continue;
        for (size_t c = 0; c < items; ++c) r->effective[(size_t)(w->tau - 1) * items + c] += w->weights[c];
    }
}

static tern_status projections(reader *r)
{
    const tern_model *m = r->m->model;
    tern_status s = TERN_OK;
    for (size_t i = 0, end; i < r->p->n && s == TERN_OK; i = end) {
        const tern__projection *q = &r->p->list[i];
        uint8_t filters[TERN_MAX_FILTERS];
        double *to[TERN_MAX_FILTERS];
        char name[TERN_STORE_TEXT];
        for (end = i; end < r->p->n && r->p->list[end].to == q->to && r->p->list[end].from == q->from; ++end) {
            filters[end - i] = r->p->list[end].filter;
            to[end - i] = r->values + r->p->list[end].first;
        }
        snprintf(name, sizeof name, "%s to %s", m->populations[q->from].name, m->populations[q->to].name);
        const size_t items = (size_t)q->n_to * q->n_from;
        add_ways(r, q->from, q->to, items, false);
        s = solve(r, name, filters, end - i, items, to, m->net.weight_frac, m->net.weight_bits);
    }
    return s;
}

static tern_status locals(reader *r)
{
    const tern_model *m = r->m->model;
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < m->n_populations && s == TERN_OK; ++i) {
        const tern_population *p = &m->populations[i];
        const double *threshold = r->threshold[i];
        double *weight = tern_arena_get(r->m->scratch, p->size, sizeof *weight);
        if (p->kind == TERN_POP_INPUT) continue;
        if (weight == NULL) return TERN_ERR_MEMORY;
        for (uint32_t u = 0; u < p->size && s == TERN_OK; ++u) {
            double v;
            s = in_units(r, p->name, r->bias[p->neuron0 + u] - threshold[u], TERN_BIAS_FRAC, 16, &v);
            if (s == TERN_OK) r->m->bias[p->neuron0 + u] = (int16_t)v;
        }
        if (s != TERN_OK || !tern__has_memory(m, i)) continue;
        uint8_t filter = TERN_NO_FILTER;
        for (uint32_t u = 0; u < p->size; ++u) {
            const uint8_t f = m->net.neurons[p->neuron0 + u].self_filter;
            if (f != TERN_NO_FILTER && filter != TERN_NO_FILTER && f != filter)
                return wrong(r, p->name, "its neurons have self-memories with different filters");
            if (f != TERN_NO_FILTER) filter = f;
        }
        add_ways(r, i, i, p->size, true);
        s = solve(r, p->name, &filter, 1, p->size, &weight, TERN_BIAS_FRAC, 16);
        for (uint32_t u = 0; u < p->size && s == TERN_OK; ++u) r->m->self[p->neuron0 + u] = (int16_t)weight[u];
    }
    return s;
}

tern_status tern__nir_read(tern__importer *m, const tern__projections *p, double *values)
{
    reader r = { .m = m, .p = p, .values = values };
    size_t most = m->model->net.n_neurons;
    for (size_t i = 0; i < p->n; ++i)
        most = (size_t)p->list[i].n_to * p->list[i].n_from > most ? (size_t)p->list[i].n_to * p->list[i].n_from : most;
    r.bias = tern_arena_get(m->scratch, m->model->net.n_neurons, sizeof *r.bias);
    r.effective = tern_arena_get(m->scratch, most * m->model->net.taps_d, sizeof *r.effective);
    if (r.bias == NULL || r.effective == NULL) return TERN_ERR_MEMORY;
    tern_status s = read_nodes(&r);
    if (s == TERN_OK) s = read_edges(&r);
    if (s == TERN_OK) s = read_all(&r);
    if (s == TERN_OK) add_biases(&r);
    if (s == TERN_OK) s = projections(&r);
    if (s == TERN_OK) s = locals(&r);
    if (s == TERN_OK && r.at_once)
        tern_diags_add(m->diags, TERN_SEV_NOTE, TERN__W_NIR_LOSS, m->path, 0, NULL,
                       "ways without a Delay: spikes act one step later, the soonest that Tern knows");
    return s;
}
