/* tern_patterns.c : which unit of `from` reaches which unit of `to`
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_network.h"
#include "tern_draws.h"
#include <math.h>
#include <stdlib.h>

/* Rows and columns behind the planes; a population of one dimension is one row. */
typedef struct grid {
    uint32_t planes, rows, columns;
} grid;

static grid grid_of(const tern_population *p)
{
    if (p->n_dims == 1) return (grid){ 1, 1, p->dims[0] };
    if (p->n_dims == 2) return (grid){ 1, p->dims[0], p->dims[1] };
    return (grid){ p->dims[0], p->dims[1], p->dims[2] };
}

/* Part of a window that lies inside 0..n-1: first and (one past the) last. */
static void cut(int64_t offset, uint32_t stride, uint32_t size, uint32_t at, uint32_t n, int64_t *first, int64_t *end)
{
    const int64_t lo = offset + (int64_t)stride * at, hi = lo + size;
    *first = lo < 0 ? 0 : lo > n ? n : lo;
    *end = hi < 0 ? 0 : hi > n ? n : hi;
    if (*end < *first) *end = *first;
}

/* Sizes of all windows along one direction, added up. */
static double sum_cut(int64_t offset, uint32_t stride, uint32_t size, uint32_t n_to, uint32_t n_from)
{
    double sum = 0;
    for (uint32_t i = 0; i < n_to; ++i) {
        int64_t first, end;
        cut(offset, stride, size, i, n_from, &first, &end);
        sum += (double)(end - first);
    }
    return sum;
}

/* A window of a population with one dimension: size, stride and offset of columns are those given first. */
static void window_of(const tern_projection *q, bool flat, uint32_t size[2], uint32_t stride[2], int32_t offset[2])
{
    for (int i = 0; i < 2; ++i) {
        size[i] = flat && i == 0 ? 1 : q->window[i];
        stride[i] = flat && i == 0 ? 1 : q->stride[i];
        offset[i] = flat && i == 0 ? 0 : q->offset[i];
    }
}

double tern__projection_synapses(const tern_desc *d, const tern_projection *q)
{
    const tern_population *from = &d->populations[q->from].pop, *to = &d->populations[q->to].pop;
    const double pairs = (double)from->size * to->size - (q->from == q->to && !q->allow_self ? to->size : 0.0);
    switch ((tern_pattern_kind)q->pattern) {
    case TERN_PATTERN_ALL: return pairs * q->n_filters;
    case TERN_PATTERN_RANDOM: return pairs * q->density * q->n_filters;
    case TERN_PATTERN_LIST: return (double)q->n_pairs * q->n_filters;
    case TERN_PATTERN_WINDOW: break;
    }
    const grid a = grid_of(from), b = grid_of(to);
    uint32_t size[2], stride[2];
    int32_t offset[2];
    window_of(q, from->n_dims == 1, size, stride, offset);
    return sum_cut(offset[0], stride[0], size[0], b.rows, a.rows) *
           sum_cut(offset[1], stride[1], size[1], b.columns, a.columns) * a.planes * b.planes * q->n_filters;
}

static tern_status index_list(tern__expander *x, size_t i)
{
    const tern_projection *q = &x->desc->projections[i];
    const uint32_t n_to = x->desc->populations[q->to].pop.size, n_from = x->desc->populations[q->from].pop.size;
    tern__list_index *l = &x->lists[i];
    l->start = tern_arena_get(x->arena, (size_t)n_to + 2u, sizeof *l->start);
    l->order = tern_arena_get(x->arena, q->n_pairs, sizeof *l->order);
    if (l->start == NULL || l->order == NULL) return TERN_ERR_MEMORY;
    for (size_t k = 0; k < q->n_pairs; ++k) {
        const tern_pair *p = &q->pairs[k];
        const bool self = q->from == q->to && p->from == p->to && !q->allow_self;
        if (p->from >= n_from || p->to >= n_to || self) {
            tern_diag *g = tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_PAIR, x->desc->file, (int)q->line, "",
                                          self ? "list: entry %zu connects unit %u with itself%.0u"
                                               : "list: entry %zu {%u, %u} names a unit that does not exist",
                                          k + 1, p->from, p->to);
            if (self) tern_diag_hint(g, "add self = true");
            return TERN_ERR_NETWORK;
        }
        ++l->start[p->to + 2u];
    }
    for (uint32_t t = 2; t <= n_to + 1u; ++t) l->start[t] += l->start[t - 1u];
    /* start[t] is now the first of t */
    for (size_t k = 0; k < q->n_pairs; ++k) l->order[l->start[q->pairs[k].to + 1u]++] = (uint32_t)k;
    return TERN_OK;
}

tern_status tern__patterns_prepare(tern__expander *x)
{
    const tern_desc *d = x->desc;
    x->lists = tern_arena_get(x->arena, d->n_projections, sizeof *x->lists);
    if (x->lists == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < d->n_projections; ++i) {
        const tern_projection *q = &d->projections[i];
        const tern_population *from = &d->populations[q->from].pop, *to = &d->populations[q->to].pop;
        if (q->pattern == TERN_PATTERN_WINDOW && (from->n_dims == 1) != (to->n_dims == 1)) {
            tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_SHAPES, d->file, (int)q->line, "",
                           "window: '%s' has %u dimension(s) and '%s' has %u", from->name, from->n_dims, to->name,
                           to->n_dims);
            return TERN_ERR_NETWORK;
        }
        if (q->pattern != TERN_PATTERN_LIST) continue;
        const tern_status s = index_list(x, i);
        if (s != TERN_OK) return s;
    }
    return TERN_OK;
}

static void mark(tern__expander *x, uint32_t projection, uint32_t pos, double weight)
{
    const uint32_t word = pos >> 6;
    const uint64_t bit = (uint64_t)1 << (pos & 63u);
    if (x->bits[word] & bit) {
        if (!x->twice) {
            x->twice = true;
            x->twice_pos = pos;
            x->twice_by = projection;
        }
        return;
    }
    x->bits[word] |= bit;
    x->owner[pos] = projection;
    x->weight[pos] = weight;
    if (x->lo > word) x->lo = word;
    if (x->hi <= word) x->hi = word + 1;
}

static void mark_random(tern__expander *x, uint32_t projection, const tern_projection *q, const tern_population *from,
                        uint32_t to, uint32_t skip)
{
    const uint64_t below = (uint64_t)llround(q->density * 0x1p32); /* a word of 32 bits is less than this */
    uint32_t w[2] = { 0, 0 };
    for (uint32_t u = 0; u < from->size; ++u) {
        if ((u & 1u) == 0) tern__draw(q->seed, u >> 1, TERN__DRAW_PAIR, to, w);
        if (w[u & 1u] < below && u != skip) mark(x, projection, from->pos + u, NAN);
    }
}

static void mark_window(tern__expander *x, uint32_t projection, const tern_projection *q, const tern_population *from,
                        const tern_population *to, uint32_t unit, uint32_t skip)
{
    const grid a = grid_of(from), b = grid_of(to);
    const uint32_t in_plane = unit % (b.rows * b.columns);
    uint32_t size[2], stride[2];
    int32_t offset[2];
    int64_t r0, r1, c0, c1;
    window_of(q, from->n_dims == 1, size, stride, offset);
    cut(offset[0], stride[0], size[0], in_plane / b.columns, a.rows, &r0, &r1);
    cut(offset[1], stride[1], size[1], in_plane % b.columns, a.columns, &c0, &c1);
    for (uint32_t p = 0; p < a.planes; ++p)
        for (uint32_t r = (uint32_t)r0; r < (uint32_t)r1; ++r)
            for (uint32_t c = (uint32_t)c0; c < (uint32_t)c1; ++c) {
                const uint32_t u = (p * a.rows + r) * a.columns + c;
                if (u != skip) mark(x, projection, from->pos + u, NAN);
            }
}

void tern__pattern_mark(tern__expander *x, uint32_t projection, uint32_t unit)
{
    const tern_projection *q = &x->desc->projections[projection];
    const tern_population *from = &x->model->populations[q->from], *to = &x->model->populations[q->to];
    const uint32_t skip = q->from == q->to && !q->allow_self ? unit : UINT32_MAX;
    switch ((tern_pattern_kind)q->pattern) {
    case TERN_PATTERN_ALL:
        for (uint32_t u = 0; u < from->size; ++u)
            if (u != skip) mark(x, projection, from->pos + u, NAN);
        break;
    case TERN_PATTERN_RANDOM: mark_random(x, projection, q, from, unit, skip); break;
    case TERN_PATTERN_WINDOW: mark_window(x, projection, q, from, to, unit, skip); break;
    case TERN_PATTERN_LIST: {
        const tern__list_index *l = &x->lists[projection];
        for (uint32_t k = l->start[unit]; k < l->start[unit + 1u]; ++k) {
            const tern_pair *p = &q->pairs[l->order[k]];
            mark(x, projection, from->pos + p->from, p->weight);
        }
        break;
    }
    }
}
