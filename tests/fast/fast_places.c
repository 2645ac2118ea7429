/* fast_places.c : see fast_places.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fast_places.h"

static void put(tern_record_sink *self, const tern_record *r)
{
    fast_golden_places *p = (fast_golden_places *)(void *)self;
    if (p->next != NULL) p->next->put(p->next, r);
    if ((r->flags & 1u) == 0) return;
    if (r->kind == TERN_REC_W) {
        const uint32_t row = p->row_of[r->index];
        ++p->rows[row];
        ++p->neurons[p->neuron_of[row]].weight;
    } else if (r->kind == TERN_REC_B || r->kind == TERN_REC_S) {
        ++p->neurons[r->index].local;
    } else if (r->kind == TERN_REC_N) {
        ++p->neurons[r->index].potential;
    }
}

bool fast_places_open(fast_golden_places *p, const tern_net *net, uint64_t seed, tern_arena *arena)
{
    uint8_t *begins = tern_arena_get(arena, net->n_neurons, 1);
    *p = (fast_golden_places){ .base = { put },
                               .net = net,
                               .row_of = tern_arena_get(arena, net->n_weights, sizeof *p->row_of),
                               .neuron_of = tern_arena_get(arena, net->n_rows, sizeof *p->neuron_of),
                               .neurons = tern_arena_get(arena, net->n_neurons, sizeof *p->neurons),
                               .rows = tern_arena_get(arena, net->n_rows, sizeof *p->rows) };
    p->fast = (tern_fast_places){ .begins = begins,
                                  .neurons = tern_arena_get(arena, net->n_neurons, sizeof *p->neurons),
                                  .rows = tern_arena_get(arena, net->n_rows, sizeof *p->rows) };
    if (begins == NULL || p->row_of == NULL || p->neuron_of == NULL || p->neurons == NULL || p->rows == NULL ||
        p->fast.neurons == NULL || p->fast.rows == NULL)
        return false;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const tern_neuron *u = &net->neurons[i];
        const bool some = seed % 4 == 0 && seed % 16 != 4 && seed % 16 != 8; /* most networks keep their groups */
        begins[i] = seed % 16 == 9 || (some && (i * 0x9e3779b9u + (uint32_t)seed) >> 30 == 0);
        for (uint32_t r = u->row0; r < u->row0 + u->n_rows; ++r) {
            p->neuron_of[r] = i;
            for (uint32_t w = 0; w < net->rows[r].count; ++w) p->row_of[net->rows[r].weight + w] = r;
        }
    }
    return true;
}

static bool same(fast_difference *d, const char *what, uint64_t golden, uint64_t fast, size_t index)
{
    const bool equal = fast_same(d, what, &golden, &fast, 1, sizeof golden);
    if (!equal) d->index = index;
    return equal;
}

/* Neurons first..end-1 of one range: each kind, and each row of all of them. */
static bool same_range(fast_difference *d, const fast_golden_places *p, uint32_t first, uint32_t end)
{
    const tern_net *n = p->net;
    tern_sat_counts g = { 0 }, f = { 0 };
    uint32_t most = 0;
    for (uint32_t i = first; i < end; ++i) {
        const tern_sat_counts *a = &p->neurons[i], *b = &p->fast.neurons[i];
        g.weight += a->weight, g.local += a->local, g.potential += a->potential;
        f.weight += b->weight, f.local += b->local, f.potential += b->potential;
        most = n->neurons[i].n_rows > most ? n->neurons[i].n_rows : most;
    }
    bool equal = same(d, "places.weight", g.weight, f.weight, first) &&
                 same(d, "places.local", g.local, f.local, first) &&
                 same(d, "places.potential", g.potential, f.potential, first);
    for (uint32_t r = 0; r < most && equal; ++r) {
        uint64_t golden = 0, fast = 0;
        for (uint32_t i = first; i < end; ++i) {
            if (r >= n->neurons[i].n_rows) continue;
            golden += p->rows[n->neurons[i].row0 + r];
            fast += p->fast.rows[n->neurons[i].row0 + r];
        }
        equal = same(d, "places.rows", golden, fast, r);
    }
    return equal;
}

bool fast_places_compare(fast_difference *d, const fast_golden_places *p, const tern_sat_counts *sat)
{
    const uint32_t n = p->net->n_neurons;
    uint64_t coefficient = 0, modulator = 0;
    if (p->strange) return true;
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && p->fast.begins[end] == 0;) ++end;
        if (!same_range(d, p, first, end)) return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
        coefficient += p->fast.neurons[i].coefficient;
        modulator += p->fast.neurons[i].modulator;
    }
    return sat == NULL || (same(d, "places.coefficient", sat->coefficient, coefficient, 0) &&
                           same(d, "places.modulator", sat->modulator, modulator, 0));
}
