/* tern_fast_open.c : layout and memory of the engine `fast`, and what follows from the network alone
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_fast_internal.h"
#include "tern_errors.h"
#include "tern_trace.h"
#include "tern_weight.h"

/* Fewer multiply-adds in a pass than this for each further thread do not pay for waiting on each other
 * (docs/24-fast-engine.md, section 6). */
static const double PRODUCTS_PER_THREAD = 400e3;

static uint32_t round_up(uint32_t n, uint32_t to) { return (n + to - 1u) / to * to; }

/* ---- groups ---------------------------------------------------------------------------------- */

static bool same_shape(const tern_net *n, uint32_t a, uint32_t b)
{
    const tern_neuron *u = &n->neurons[a], *v = &n->neurons[b];
    if (u->n_rows != v->n_rows || (u->wta_size != 0) != (v->wta_size != 0)) return false;
    for (uint32_t r = 0; r < u->n_rows; ++r) {
        const tern_row *p = &n->rows[u->row0 + r], *q = &n->rows[v->row0 + r];
        if (p->first != q->first || p->count != q->count || p->filter != q->filter || p->kind != q->kind ||
            p->dither != q->dither)
            return false;
    }
    return true;
}

static bool row_is_dense(const tern_net *n, const tern_row *r)
{
    for (uint32_t i = 0; i < r->count; ++i)
        if (n->weights0[r->weight + i] == TERN_WEIGHT_ABSENT) return false;
    return true;
}

static bool bit_at(const uint64_t *bits, uint32_t i) { return (bits[i >> 6] >> (i & 63u) & 1u) != 0; }

static void clear_bit(uint64_t *bits, uint32_t i) { bits[i >> 6] &= ~((uint64_t)1 << (i & 63u)); }

static void find_dense(tern_fast *f)
{
    for (uint32_t r = 0; r < f->net->n_rows; ++r)
        if (row_is_dense(f->net, &f->net->rows[r])) f->dense[r >> 6] |= (uint64_t)1 << (r & 63u);
}

/* Threads take groups from each other, so there have to be enough of them. But draws are made for a block of neurons at
 * once, and the kernel form needs larger groups. */
static uint32_t largest_group(const tern_fast *f)
{
    const uint32_t T = f->info.threads, each = round_up((f->divided.end - f->divided.first) / (8u * T), 8),
                   least = f->pairs[TERN_ROW_SHARED] < 8 ? TERN_BLOCK : 64;
    if (T == 1 || each > f->group_max) return f->group_max;
    return each > least ? each : least < f->group_max ? least : f->group_max;
}

/* Groups of neurons first..end-1; their number. groups NULL: only counted. */
static uint32_t make_groups(tern_fast *f, uint32_t first, uint32_t end, tern_fast_group *groups)
{
    const tern_net *n = f->net;
    const uint32_t most = largest_group(f);
    uint32_t count = 0;
    while (first < end) {
        uint32_t next = first + 1u;
        while (next < end && next - first < most && next != n->n_visible && same_shape(n, first, next) &&
               (f->places.begins == NULL || f->places.begins[next] == 0 || PLANT(PLACES)))
            ++next;
        if (groups != NULL) groups[count] = (tern_fast_group){ first, next - first };
        for (uint32_t i = first + 1u; groups != NULL && !PLANT(DENSE) && i < next; ++i)
            for (uint32_t r = 0; r < n->neurons[first].n_rows; ++r)
                if (!bit_at(f->dense, n->neurons[i].row0 + r)) clear_bit(f->dense, n->neurons[first].row0 + r);
        ++count;
        first = next;
    }
    return count;
}

static void count_paths(tern_fast *f)
{
    const tern_net *n = f->net;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        f->info.products += tern_fast_products(f, i, i + 1u);
        for (uint32_t r = n->neurons[i].row0; r < n->neurons[i].row0 + n->neurons[i].n_rows; ++r) {
            const tern_row *row = &n->rows[r];
            const unsigned path = tern_fast_by_synapse(f, i)
                                      ? TERN_FAST_WIDE
                                      : f->widths.path[tern_fast_set(f, i)][row->kind][row->filter];
            *(path == TERN_FAST_QUICK   ? &f->info.quick
              : path == TERN_FAST_SPLIT ? &f->info.split
                                        : &f->info.wide) += row->count;
        }
    }
}

static uint32_t choose_threads(const tern_fast *f)
{
    const uint32_t online = tern_threads_online();
    const double most = 1.0 + f->info.products / PRODUCTS_PER_THREAD;
    const uint32_t n = most < online ? (uint32_t)most : online;
    if (f->peers.count > 1) return 1;
    return n < 1 ? 1 : n > TERN_FAST_MAX_THREADS ? TERN_FAST_MAX_THREADS : n;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* How rows of a group of G neurons are updated. */
static bool get_plan(tern_fast *f, tern_fast_worker *w, uint32_t G, tern_arena *arena)
{
    const uint32_t longest = f->blocks[0] > f->blocks[1] ? f->blocks[0] : f->blocks[1];
    size_t *b = &f->info.bytes;
    for (unsigned kind = 0; kind < 2; ++kind)
        if ((w->nonzero[kind] = tern_fast_aligned(arena, (size_t)G * f->mask_words[kind], sizeof(uint64_t), b)) ==
                NULL ||
            (w->items[kind] = tern_fast_aligned(arena, G, sizeof(tern_lanes_item), b)) == NULL ||
            (w->lists[kind] = tern_fast_aligned(arena, (size_t)G * f->pairs[kind], sizeof(uint16_t), b)) == NULL)
            return false;
    return (w->tiled = tern_fast_aligned(arena, G, 1, b)) != NULL &&
           (w->blocks = tern_fast_aligned(arena, longest, sizeof *w->blocks, b)) != NULL &&
           (w->reversed = tern_fast_aligned(arena, round_up(longest, TERN_BLOCK), sizeof *w->reversed, b)) != NULL;
}

static bool get_worker(tern_fast *f, tern_fast_worker *w, tern_arena *arena)
{
    const uint32_t G = round_up(f->group_max, TERN_BLOCK), K = f->st->n_samples;
    size_t *b = &f->info.bytes;
    w->f = f;
    for (unsigned set = 0; set < 2; ++set)
        if ((w->now.m[set] = tern_fast_aligned(arena, f->coef_stride, sizeof(int16_t), b)) == NULL) return false;
    return (w->now.ek = tern_fast_aligned(arena, f->coef_stride, sizeof *w->now.ek, b)) != NULL &&
           (w->out.spikes =
                tern_fast_aligned(arena, (size_t)K * f->blocks[TERN_ROW_SAMPLE], sizeof *w->out.spikes, b)) != NULL &&
           tern_fast_sources_get(f, w, arena) &&
           (w->coef = tern_fast_aligned(arena, (size_t)G * f->coef_stride + TERN_BLOCK, sizeof *w->coef, b)) != NULL &&
           (w->low = tern_fast_aligned(arena, (size_t)G * f->shared_stride, sizeof *w->low, b)) != NULL &&
           (w->high = tern_fast_aligned(arena, (size_t)G * f->shared_stride, sizeof *w->high, b)) != NULL &&
           (w->sum_c = tern_fast_aligned(arena, (size_t)G * f->shared_stride, sizeof *w->sum_c, b)) != NULL &&
           (w->m = tern_fast_aligned(arena, f->coef_stride, sizeof *w->m, b)) != NULL &&
           (w->sum_neurons = tern_fast_aligned(arena, (size_t)G * K, sizeof *w->sum_neurons, b)) != NULL &&
           (w->sum_inputs = tern_fast_aligned(arena, G, sizeof *w->sum_inputs, b)) != NULL &&
           (w->acc_f20 = tern_fast_aligned(arena, (size_t)G * K, sizeof *w->acc_f20, b)) != NULL &&
           (w->s_word = tern_fast_aligned(arena, G, sizeof *w->s_word, b)) != NULL &&
           (w->unused = tern_fast_aligned(arena, G, sizeof *w->unused, b)) != NULL &&
           (w->s_high = tern_fast_aligned(arena, G, sizeof *w->s_high, b)) != NULL && get_plan(f, w, G, arena) &&
           (w->draws = tern_fast_aligned(arena, (size_t)G * 16u, sizeof *w->draws, b)) != NULL &&
           (w->spike = tern_fast_aligned(arena, (size_t)G * K, 1, b)) != NULL &&
           (w->target = tern_fast_aligned(arena, G, 1, b)) != NULL &&
           (w->weights = tern_fast_aligned(arena, G, sizeof *w->weights, b)) != NULL &&
           (w->u_wta = tern_fast_aligned(arena, (size_t)K * TERN_MAX_WTA, sizeof *w->u_wta, b)) != NULL &&
           (w->limited_wta = tern_fast_aligned(arena, (size_t)K * TERN_MAX_WTA, 1, b)) != NULL &&
           (w->coef32 = tern_fast_aligned(arena, f->coef_stride, sizeof *w->coef32, b)) != NULL &&
           (w->coef_kap =
                tern_fast_aligned(arena, f->net->baseline == TERN_BASELINE_SYNAPSE ? (size_t)G * f->coef_stride : 1u,
                                  sizeof *w->coef_kap, b)) != NULL;
}

static bool get_memory(tern_fast *f, tern_arena *arena)
{
    const tern_net *n = f->net;
    const uint32_t K = f->st->n_samples;
    size_t *b = &f->info.bytes;
    for (unsigned kind = 0; kind < 2; ++kind)
        if ((f->dither_lanes[kind] = tern_fast_aligned(arena, TERN_BLOCK, 4, b)) == NULL) return false;
    f->table = tern_fast_aligned(arena, (size_t)n->n_filters * f->n_bytes * 256u, sizeof *f->table, b);
    f->self_ring = tern_fast_aligned(arena, (size_t)n->n_neurons * f->n_flat + TERN_BLOCK, sizeof *f->self_ring, b);
    f->self_x = tern_fast_aligned(arena, (size_t)n->n_neurons * K, sizeof *f->self_x, b);
    f->dense = tern_fast_aligned(arena, n->n_rows / 64u + 1u, sizeof *f->dense, b);
    return f->table != NULL && f->self_ring != NULL && f->self_x != NULL && f->dense != NULL;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Sums of a filter's taps for every value of every byte of a history. */
static void make_tables(tern_fast *f)
{
    const tern_net *n = f->net;
    for (uint32_t b = 0; b < n->n_filters; ++b)
        for (uint32_t byte = 0; byte < f->n_bytes; ++byte)
            for (uint32_t value = 0; value < 256; ++value)
                f->table[(b * f->n_bytes + byte) * 256u + value] = (uint16_t)tern_trace(
                    (uint64_t)value << 8 * byte, 0, n->filter_taps + (size_t)b * n->taps_d, n->taps_d);
    for (unsigned set = 0; set < 2; ++set)
        for (uint32_t j = 0; j < TERN_BLOCK; ++j)
            f->dither_lanes[set][f->lanes->unit[j >> 2] * 4u + (j & 3u)] =
                tern_bitreverse32(j) >> (32u - n->learn[set].dither_bits);
}

static tern_status share_out(tern_fast *f, tern_arena *arena)
{
    const uint32_t begin = f->divided.first, stop = f->divided.end;
    double left = tern_fast_products(f, begin, stop);
    f->workers = tern_fast_aligned(arena, f->info.threads, sizeof *f->workers, &f->info.bytes);
    uint32_t *end = tern_arena_get(arena, f->info.threads, sizeof *end);
    if (f->workers == NULL || end == NULL) return TERN_ERR_MEMORY;
    uint32_t n_groups = 0;
    for (uint32_t t = 0, first = begin; t < f->info.threads; first = end[t++]) {
        end[t] = tern_fast_share_end(f, first, stop, f->info.threads - t, &left);
        n_groups += make_groups(f, first, end[t], NULL);
    }
    find_dense(f);
    f->groups = tern_fast_aligned(arena, n_groups, sizeof *f->groups, &f->info.bytes);
    if (f->groups == NULL) return TERN_ERR_MEMORY;
    for (uint32_t t = 0, first = begin, at = 0; t < f->info.threads; first = end[t++]) {
        tern_fast_worker *w = &f->workers[t];
        if (!get_worker(f, w, arena)) return TERN_ERR_MEMORY;
        w->first_group = at;
        w->n_groups = make_groups(f, first, end[t], f->groups + at);
        at += w->n_groups;
    }
    return TERN_OK;
}

tern_status tern_fast_open(tern_state *st, const tern_fast_options *o, tern_arena *arena, tern_fast **out,
                           tern_diags *diags)
{
    return tern_fast_open_with(st, o, NULL, arena, out, diags);
}

tern_status tern_fast_open_with(tern_state *st, const tern_fast_options *o, const tern_fast_peers *peers,
                                tern_arena *arena, tern_fast **out, tern_diags *diags)
{
    return tern_fast_open_places(st, o, peers, NULL, arena, out, diags);
}

tern_status tern_fast_open_places(tern_state *st, const tern_fast_options *o, const tern_fast_peers *peers,
                                  const tern_fast_places *places, tern_arena *arena, tern_fast **out, tern_diags *diags)
{
    const tern_net *n = st->net;
    *out = NULL;
    if (o->threads > TERN_FAST_MAX_THREADS) return TERN_ERR_ARGUMENT;
    size_t bytes = 0;
    tern_fast *f = tern_fast_aligned(arena, 1, sizeof *f, &bytes);
    if (f == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_fast_isa(o->isa, &f->info.isa, diags);
    if (s != TERN_OK) return s;
    f->st = st;
    f->net = n;
    if (places != NULL) f->places = *places;
    f->lanes = tern_lanes_find(f->info.isa);
    f->info.bytes = bytes;
    f->n_flat = st->n_samples * n->lags_w;
    f->pairs[TERN_ROW_SHARED] = (n->lags_w + 1u) / 2u;
    f->pairs[TERN_ROW_SAMPLE] = (f->n_flat + 1u) / 2u;
    for (unsigned kind = 0; kind < 2; ++kind) f->mask_words[kind] = (f->pairs[kind] + 63u) / 64u;
    for (uint32_t k = 0; k < st->n_samples; ++k) f->all_live[k] = (uint8_t)k;
    f->coef_stride = round_up(f->n_flat, TERN_BLOCK);
    f->shared_stride = round_up(n->lags_w, TERN_BLOCK);
    f->blocks[TERN_ROW_SHARED] = n->n_inputs_pos / TERN_BLOCK;
    f->blocks[TERN_ROW_SAMPLE] = n->n_neurons_pos / TERN_BLOCK;
    f->n_bytes = (n->taps_d + 7u) / 8u;
    const uint32_t group = TERN_FAST_COEF_BYTES / (f->coef_stride * (uint32_t)sizeof(int16_t));
    f->group_max = group < 8u ? 8u : group > TERN_FAST_GROUP ? TERN_FAST_GROUP : group;
    tern_fast_prove(n, st->n_samples, f->lanes->products, &f->widths);
    count_paths(f);
    if (!get_memory(f, arena)) return TERN_ERR_MEMORY;
    make_tables(f);
    s = tern_fast_peers_open(f, peers, arena);
    if (s != TERN_OK) return s;
    f->info.threads = o->threads == 0 ? choose_threads(f) : o->threads;
    const uint32_t own = f->divided.end - f->divided.first;
    if (f->info.threads > own) f->info.threads = own == 0 ? 1 : own;
    s = share_out(f, arena);
    if (s != TERN_OK) return s;
    if (f->info.threads > 1) {
        s = tern_threads_start(f->info.threads, &f->pool, arena);
        if (s == TERN_ERR_IO)
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_THREADS, NULL, 0, "--threads",
                                          "the system refuses to start %u threads", f->info.threads),
                           "--threads 1");
        if (s != TERN_OK) return s;
    }
    tern_fast_changed(f);
    *out = f;
    return TERN_OK;
}

void tern_fast_describe(const tern_fast *f, tern_fast_info *out) { *out = f->info; }

void tern_fast_made(const tern_fast *f, double *out_products, double *out_additions)
{
    *out_products = *out_additions = 0;
    for (uint32_t t = 0; t < f->info.threads; ++t) {
        *out_products += f->workers[t].products;
        *out_additions += f->workers[t].spikes;
    }
}

void tern_fast_close(tern_fast *f)
{
    if (f != NULL && f->pool != NULL) tern_threads_end(f->pool);
    if (f != NULL) f->pool = NULL;
}
