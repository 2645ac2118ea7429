/* tern_fast_plan.c : which coefficients of a group are not 0, and how its rows are updated for that
 * (docs/24-fast-engine.md, section 2)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_fast_internal.h"

static uint16_t put_list(const uint64_t *bits, uint32_t words, uint16_t *list)
{
    uint16_t n = 0;
    for (uint32_t i = 0; i < words; ++i)
        for (uint64_t left = bits[i]; left != 0; left &= left - 1u)
            list[n++] = (uint16_t)(64u * i + (uint32_t)__builtin_ctzll(left));
    return PLANT(LIST) && n > 1 ? (uint16_t)(n - 1u) : n;
}

typedef struct plan {
    tern_fast_worker *w;
    unsigned kind;
    uint32_t words;
    uint16_t *list; /* the next one */
} plan;

/* Neurons first..first+n-1 together, `bits` are the pairs that some of them need. */
static void add_item(plan *p, uint32_t first, uint32_t n, const uint64_t *bits)
{
    tern_fast_worker *w = p->w;
    tern_lanes_item *item = &w->items[p->kind][w->n_items[p->kind]];
    *item = (tern_lanes_item){ .first = (uint16_t)first, .n = (uint16_t)n, .list = p->list };
    item->n_list = put_list(bits, p->words, p->list);
    if (item->n_list == 0) return;
    p->list += item->n_list;
    ++w->n_items[p->kind];
    w->work[p->kind] += (double)n * item->n_list * 2.0;
}

/* Neurons that share a load of a trace need the union of their pairs. That pays if they need nearly the same ones. */
static void add_bundle(plan *p, uint32_t first, uint32_t n)
{
    const uint64_t *bits = p->w->nonzero[p->kind] + (size_t)first * p->words;
    uint64_t all[TERN_FAST_PAIRS / 64];
    uint32_t own;
    const tern_fast *f = p->w->f;
    const uint32_t together = f->lanes->unite(bits, n, p->words, all, &own);
    if (together == 0) return;
    const bool pays = 5u * own >= 4u * n * together;
    if ((pays || (f->forced & TERN_FAST_FORCE_BUNDLES) != 0) && (f->forced & TERN_FAST_FORCE_ALONE) == 0) {
        if (PLANT(UNION)) all[0] = bits[0];
        add_item(p, first, n, all);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) add_item(p, first + i, 1, bits + i * p->words);
}

/* Neurons whose inputs learn in kernel form: those with so many pairs that additions for each spike are fewer, if they
 * fill the vectors in which neurons lie side by side. */
static void choose_tiled(tern_fast_worker *w, uint32_t n)
{
    const tern_fast *f = w->f;
    uint32_t pairs = 0;
    w->n_tiled = 0;
    if (!w->src.by_spikes) return;
    for (uint32_t i = 0; i < n; ++i) {
        uint64_t all;
        uint32_t own;
        f->lanes->unite(w->nonzero[TERN_ROW_SHARED] + i, 1, 1, &all, &own);
        if (own < w->src.spike_pairs) continue;
        w->tiled[w->n_tiled++] = (uint8_t)i;
        pairs += own;
    }
    const uint32_t few = f->lanes->tile / 4u, places = w->n_tiled <= few ? few : f->lanes->tile;
    if (pairs * 4u < 3u * places * w->src.spike_pairs && (f->forced & TERN_FAST_FORCE_KERNEL) == 0) w->n_tiled = 0;
    for (uint32_t i = 0; i < w->n_tiled; ++i) w->nonzero[TERN_ROW_SHARED][w->tiled[i]] = 0;
}

void tern_fast_force(tern_fast *f, unsigned forms) { f->forced = (uint8_t)forms; }

void tern_fast_plan(tern_fast_worker *w, uint32_t n)
{
    const tern_fast *f = w->f;
    choose_tiled(w, n);
    for (unsigned kind = 0; kind < 2; ++kind) {
        plan p = { w, kind, f->mask_words[kind], w->lists[kind] };
        const uint32_t bundle = f->lanes->bundle;
        w->n_items[kind] = 0;
        w->work[kind] = 0;
        uint32_t i = 0;
        for (; i + bundle <= n; i += bundle) add_bundle(&p, i, bundle);
        for (; i < n; ++i) add_bundle(&p, i, 1);
    }
}
