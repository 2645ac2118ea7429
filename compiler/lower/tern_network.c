/* tern_network.c : populations and projections become neurons, rows and weight words in their canonical order (net.h)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two passes over the neurons with the same code: the first counts rows and words, the second fills them. For each
 * neuron, source pool and filter the synapses are marked in a bit set over the pool's positions; runs of set bits,
 * bridging gaps of at most 16, are the rows.
 */
#include "tern_network.h"
#include <math.h>
#include <string.h>

static tern_status place_populations(tern__expander *x)
{
    static const uint8_t order[] = { TERN_POP_INPUT, TERN_POP_VISIBLE, TERN_POP_HIDDEN };
    const tern_desc *d = x->desc;
    tern_model *m = x->model;
    uint64_t inputs = 0, neurons_pos = 0, neurons = 0, visible = 0;
    m->n_populations = d->n_populations;
    for (uint32_t i = 0; i < d->n_populations; ++i) m->populations[i] = d->populations[i].pop;
    for (size_t k = 0; k < sizeof order; ++k)
        for (uint32_t i = 0; i < d->n_populations; ++i) {
            tern_population *p = &m->populations[i];
            if (p->kind != order[k]) continue;
            const uint64_t span = ((uint64_t)p->size + TERN_POS_ALIGN - 1u) / TERN_POS_ALIGN * TERN_POS_ALIGN;
            uint64_t *pool = p->kind == TERN_POP_INPUT ? &inputs : &neurons_pos;
            p->pos = (uint32_t)*pool;
            *pool += span;
            if (*pool > TERN_MAX_POSITIONS) {
                tern_diag *g = tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_TOO_BIG, d->file, (int)p->line, p->name,
                                              "%s positions up to '%s': %llu, allowed: %u",
                                              p->kind == TERN_POP_INPUT ? "input" : "neuron", p->name,
                                              (unsigned long long)*pool, TERN_MAX_POSITIONS);
                tern_diag_hint(g, "populations take multiples of 32 positions; make them smaller");
                return TERN_ERR_NETWORK;
            }
            if (p->kind == TERN_POP_INPUT) continue;
            p->neuron0 = (uint32_t)neurons;
            neurons += p->size;
            if (p->kind == TERN_POP_VISIBLE) visible += p->size;
        }
    if (neurons > TERN_MAX_NEURONS) {
        tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_TOO_BIG, d->file, 0, "", "%llu neurons, allowed: %u",
                       (unsigned long long)neurons, TERN_MAX_NEURONS);
        return TERN_ERR_NETWORK;
    }
    m->net.n_inputs_pos = (uint32_t)inputs;
    m->net.n_neurons_pos = (uint32_t)neurons_pos;
    m->net.n_neurons = (uint32_t)neurons;
    m->net.n_visible = (uint32_t)visible;
    return TERN_OK;
}

/* What would take too long or too much is refused before anything is allocated. */
static tern_status check_amount(tern__expander *x)
{
    const tern_desc *d = x->desc;
    double synapses = 0, tries = 0, visits = 0;
    for (size_t i = 0; i < d->n_projections; ++i) {
        const tern_projection *q = &d->projections[i];
        const tern_population *from = &d->populations[q->from].pop, *to = &d->populations[q->to].pop;
        const double n = tern__projection_synapses(d, q);
        if (q->pattern == TERN_PATTERN_RANDOM) tries += (double)from->size * to->size * q->n_filters;
        visits += (double)to->size * q->n_filters;
        synapses += n;
        if (n > TERN_MAX_SYNAPSES || synapses > TERN_MAX_SYNAPSES) {
            tern_diag *g = tern_diags_add(
                x->diags, TERN_SEV_ERROR, TERN__E_TOO_BIG, d->file, (int)q->line, "",
                "'%s' (%u units) to '%s' (%u units) with %u filter(s): %.0f synapses, %.0f so far; allowed: %u",
                from->name, from->size, to->name, to->size, q->n_filters, n, synapses, TERN_MAX_SYNAPSES);
            tern_diag_hint(g, "use smaller populations, fewer filters, or tern.window or tern.random");
            return TERN_ERR_NETWORK;
        }
        if (tries > TERN__MAX_TRIES || visits > TERN__MAX_TRIES) {
            tern_diag *g =
                tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_TOO_MUCH_WORK, d->file, (int)q->line, "",
                               "connections up to here need %.0f %s, allowed: %u", tries > visits ? tries : visits,
                               tries > visits ? "random draws" : "looks at a neuron", TERN__MAX_TRIES);
            tern_diag_hint(g, tries > visits ? "use smaller populations or fewer filters, or tern.list"
                                             : "put the pairs of many projections into one list");
            return TERN_ERR_NETWORK;
        }
    }
    return TERN_OK;
}

static unsigned kind_of(const tern__expander *x, const tern_projection *q)
{
    return x->model->populations[q->from].kind == TERN_POP_INPUT ? TERN_ROW_SHARED : TERN_ROW_SAMPLE;
}

static tern_status make_groups(tern__expander *x)
{
    const tern_desc *d = x->desc;
    x->groups = tern_arena_get(x->arena, (size_t)d->n_populations * 2u * d->n_filters, sizeof *x->groups);
    if (x->groups == NULL) return TERN_ERR_MEMORY;
    for (int fill = 0; fill < 2; ++fill) {
        for (size_t i = 0; i < d->n_projections; ++i) {
            const tern_projection *q = &d->projections[i];
            for (uint32_t k = 0; k < q->n_filters; ++k) {
                tern__group *g = tern__group_of(x, q->to, kind_of(x, q), q->filters[k]);
                if (fill) g->projections[g->n] = (uint32_t)i;
                ++g->n;
            }
        }
        for (size_t i = 0; !fill && i < (size_t)d->n_populations * 2u * d->n_filters; ++i) {
            if (x->groups[i].n == 0) continue;
            x->groups[i].projections = tern_arena_get(x->arena, x->groups[i].n, sizeof(uint32_t));
            if (x->groups[i].projections == NULL) return TERN_ERR_MEMORY;
            x->groups[i].n = 0;
        }
    }
    return TERN_OK;
}

static tern_status report_twice(tern__expander *x, uint32_t to, uint32_t unit)
{
    const tern_desc *d = x->desc;
    const tern_projection *a = &d->projections[x->owner[x->twice_pos]], *b = &d->projections[x->twice_by];
    const tern_population *from = &x->model->populations[b->from];
    tern_diag *g =
        tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_SYNAPSE_TWICE, d->file, (int)b->line, "",
                       "the synapse %s[%u] -> %s[%u] is made twice with the same filter: in line %u and in line %u",
                       from->name, x->twice_pos - from->pos, x->model->populations[to].name, unit, a->line, b->line);
    tern_diag_hint(g, a == b ? "the list names this pair twice"
                             : "use other filters in one of them, or leave the pair out");
    return TERN_ERR_NETWORK;
}

/* A row under construction: positions first..last. */
typedef struct run {
    uint32_t first, last;
    bool open;
} run;

typedef struct totals {
    uint64_t rows, words;
    uint32_t dither;
} totals;

static uint32_t aligned_span(const run *r)
{
    return ((r->last + TERN_POS_ALIGN) & ~(TERN_POS_ALIGN - 1u)) - (r->first & ~(TERN_POS_ALIGN - 1u));
}

/* Ends a row: counts it and writes it, with its weights, where there is room for them. */
static void close_run(tern__expander *x, const run *r, unsigned kind, unsigned filter, uint32_t unit, totals *t,
                      tern_row *rows, double *weights)
{
    if (rows != NULL)
        rows[t->rows] = (tern_row){ (uint32_t)t->words, r->first,        r->last - r->first + 1u,
                                    t->dither,          (uint8_t)filter, (uint8_t)kind };
    if (weights != NULL)
        for (uint32_t pos = r->first; pos <= r->last; ++pos) {
            const size_t at = t->words + (pos - r->first);
            weights[at] = NAN;
            if ((x->bits[pos >> 6] >> (pos & 63u) & 1u) == 0) continue;
            const uint32_t q = x->owner[pos], from = pos - x->model->populations[x->desc->projections[q].from].pos;
            /* asked for in any case: of an array it is used up, too */
            const double init = tern__initial_weight(x, q, filter, from, unit, at);
            weights[at] = isnan(x->weight[pos]) ? init : x->weight[pos];
        }
    t->words += r->last - r->first + 1u;
    t->dither += aligned_span(r);
    ++t->rows;
}

/* Rows of one neuron from one pool through one filter. */
static tern_status expand_group(tern__expander *x, uint32_t population, uint32_t unit, unsigned kind, unsigned filter,
                                totals *t, tern_row *rows, double *weights)
{
    const tern__group *g = tern__group_of(x, population, kind, filter);
    if (g->n == 0) return TERN_OK;
    x->lo = UINT32_MAX;
    x->hi = 0;
    for (size_t i = 0; i < g->n; ++i) tern__pattern_mark(x, g->projections[i], unit);
    if (x->twice) return report_twice(x, population, unit);
    run r = { 0, 0, false };
    for (uint32_t w = x->lo; w < x->hi; ++w)
        for (uint64_t left = x->bits[w]; left != 0; left &= left - 1u) {
            const uint32_t pos = w * 64u + (uint32_t)__builtin_ctzll(left);
            if (r.open && pos - r.last - 1u > TERN__RUN_GAP) {
                close_run(x, &r, kind, filter, unit, t, rows, weights);
                r.open = false;
            }
            if (!r.open) r.first = pos;
            r.open = true;
            r.last = pos;
        }
    if (r.open) close_run(x, &r, kind, filter, unit, t, rows, weights);
    for (uint32_t w = x->lo; w < x->hi; ++w) x->bits[w] = 0;
    return TERN_OK;
}

/* One pass over all neurons; rows NULL: only counts. */
static tern_status pass(tern__expander *x, tern_neuron *neurons, tern_row *rows, double *weights, totals *t)
{
    static const uint8_t kinds[] = { TERN_ROW_SAMPLE, TERN_ROW_SHARED };
    static const uint8_t order[] = { TERN_POP_VISIBLE, TERN_POP_HIDDEN };
    const tern_desc *d = x->desc;
    *t = (totals){ 0, 0, 0 };
    uint32_t i = 0;
    for (size_t o = 0; o < sizeof order; ++o)
        for (uint32_t p = 0; p < d->n_populations; ++p) {
            const tern_population *pop = &x->model->populations[p];
            uint32_t lonely = 0;
            for (uint32_t u = 0; pop->kind == order[o] && u < pop->size; ++u, ++i) {
                const uint64_t row0 = t->rows;
                t->dither = TERN_POS_ALIGN; /* below it: self-memory and bias, N-16 */
                for (size_t k = 0; k < sizeof kinds; ++k)
                    for (uint32_t f = 0; f < d->n_filters; ++f) {
                        const tern_status s = expand_group(x, p, u, kinds[k], f, t, rows, weights);
                        if (s != TERN_OK) return s;
                    }
                if (t->words > TERN_MAX_SYNAPSES) {
                    tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_TOO_BIG, d->file, (int)pop->line, pop->name,
                                   "%llu weight words up to '%s', absent ones in gaps included; allowed: %u",
                                   (unsigned long long)t->words, pop->name, TERN_MAX_SYNAPSES);
                    return TERN_ERR_NETWORK;
                }
                lonely += t->rows == row0;
                if (neurons != NULL)
                    neurons[i] = (tern_neuron){ .pos = pop->pos + u,
                                                .row0 = (uint32_t)row0,
                                                .n_rows = (uint32_t)(t->rows - row0),
                                                .self_filter = (uint8_t)(d->populations[p].self_filter < 0
                                                                             ? (int32_t)TERN_NO_FILTER
                                                                             : d->populations[p].self_filter),
                                                .wta_size = (uint8_t)pop->wta,
                                                .wta_index = (uint8_t)(pop->wta == 0 ? 0 : u % pop->wta) };
            }
            if (rows == NULL && lonely > 0)
                tern_diag_hint(tern_diags_add(x->diags, TERN_SEV_WARNING, TERN__W_NO_SYNAPSE, d->file, (int)pop->line,
                                              pop->name, "%u of %u neurons of '%s' receive no synapse", lonely,
                                              pop->size, pop->name),
                               "they only have their bias; is a connection missing?");
        }
    return TERN_OK;
}

static tern_status expand(tern__expander *x)
{
    const tern_desc *d = x->desc;
    tern_net *net = &x->model->net;
    tern_status s = place_populations(x);
    if (s == TERN_OK) s = check_amount(x);
    if (s == TERN_OK) s = make_groups(x);
    if (s == TERN_OK) s = tern__patterns_prepare(x);
    if (s == TERN_OK) s = tern__initial_prepare(x);
    if (s != TERN_OK) return s;
    const uint32_t pool = net->n_inputs_pos > net->n_neurons_pos ? net->n_inputs_pos : net->n_neurons_pos;
    x->bits = tern_arena_get(x->arena, pool / 64u + 1u, sizeof *x->bits);
    x->owner = tern_arena_get(x->arena, pool, sizeof *x->owner);
    x->weight = tern_arena_get(x->arena, pool, sizeof *x->weight);
    if (x->bits == NULL || x->owner == NULL || x->weight == NULL) return TERN_ERR_MEMORY;
    totals t;
    s = pass(x, NULL, NULL, NULL, &t);
    if (s != TERN_OK) return s;
    tern_neuron *neurons = tern_arena_get(x->arena, net->n_neurons, sizeof *neurons);
    /* one more, so that "no rows" is no special case */
    tern_row *rows = tern_arena_get(x->arena, (size_t)t.rows + 1u, sizeof *rows);
    double *weights = tern_arena_get(x->arena, (size_t)t.words, sizeof *weights);
    double *bias = tern_arena_get(x->arena, net->n_neurons, sizeof *bias);
    double *self = tern_arena_get(x->arena, net->n_neurons, sizeof *self);
    if (neurons == NULL || rows == NULL || weights == NULL || bias == NULL || self == NULL) return TERN_ERR_MEMORY;
    net->n_rows = (uint32_t)t.rows;
    net->n_weights = (uint32_t)t.words;
    net->n_filters = (uint8_t)d->n_filters;
    net->neurons = neurons;
    net->rows = rows;
    if (x->n_images > 0) { /* words of an image are read by index, so the structure must agree first */
        s = pass(x, neurons, rows, NULL, &t);
        if (s == TERN_OK) s = tern__initial_check_images(x);
        if (s != TERN_OK) return s;
    }
    s = pass(x, neurons, rows, weights, &t);
    if (s != TERN_OK) return s;
    tern__initial_locals(x, bias, self);
    tern__given_finish(x);
    x->model->real_weights0 = weights;
    x->model->real_bias0 = bias;
    x->model->real_self0 = self;
    return TERN_OK;
}

tern_status tern_network_expand(const tern_desc *desc, tern_arena *arena, tern_model *model, tern_diags *diags)
{
    tern__expander *x = tern_arena_get(arena, 1, sizeof *x);
    tern_status s = TERN_ERR_MEMORY;
    if (x != NULL) {
        x->desc = desc;
        x->arena = arena;
        x->model = model;
        x->diags = diags;
        memcpy(model->name, desc->name, sizeof model->name);
        memcpy(model->source_sha256, desc->source_sha256, sizeof model->source_sha256);
        model->n_filters = desc->n_filters;
        memcpy(model->filters, desc->filters, sizeof model->filters);
        model->rule = desc->rule;
        model->data = desc->data;
        model->seed = desc->seed;
        tern_arena_init(&x->scratch, arena->alloc, 0);
        s = expand(x);
        tern_arena_free(&x->scratch);
    }
    if (s == TERN_ERR_MEMORY)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN__E_NET_MEMORY, desc->file, 0, "",
                       "not enough memory on this machine for the network");
    return s;
}
