/* tern_curve.c : see tern_curve.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_curve.h"
#include <string.h>

static uint32_t all_samples(const tern_curve *c) { return c->samples[c->n_samples - 1]; }

tern_status tern_curve_init(tern_curve *c, const tern_curve *like, uint32_t n_classes, tern_arena *arena)
{
    *c = *like;
    c->n_classes = n_classes;
    const size_t n = c->n_steps * all_samples(c);
    c->decisions = tern_arena_get(arena, n, sizeof *c->decisions);
    c->spikes = tern_arena_get(arena, n * n_classes, sizeof *c->spikes);
    c->votes = tern_arena_get(arena, n_classes, sizeof *c->votes);
    c->sums = tern_arena_get(arena, n_classes, sizeof *c->sums);
    const bool got = c->decisions != NULL && c->spikes != NULL && c->votes != NULL && c->sums != NULL;
    return got ? TERN_OK : TERN_ERR_MEMORY;
}

void tern_curve_step(tern_curve *c, const tern_vote *v, uint32_t k0)
{
    size_t i = 0;
    while (i < c->n_steps && c->steps[i] != v->step) ++i;
    if (i == c->n_steps) return;
    for (uint32_t k = 0; k < v->n_samples; ++k) {
        const size_t at = i * all_samples(c) + k0 + k;
        c->decisions[at] = tern_vote_so_far(v, k);
        memcpy(c->spikes + at * c->n_classes, v->count + (size_t)k * c->n_classes, c->n_classes * sizeof *c->spikes);
    }
}

uint32_t tern_curve_winner(tern_curve *c, size_t i, size_t j)
{
    memset(c->votes, 0, c->n_classes * sizeof *c->votes);
    memset(c->sums, 0, c->n_classes * sizeof *c->sums);
    for (uint32_t k = 0; k < c->samples[j]; ++k) {
        const size_t at = i * all_samples(c) + k;
        ++c->votes[c->decisions[at]];
        for (uint32_t n = 0; n < c->n_classes; ++n) c->sums[n] += c->spikes[at * c->n_classes + n];
    }
    uint32_t winner = 0; /* N-28: votes, then spikes, then the lower class */
    for (uint32_t n = 1; n < c->n_classes; ++n)
        if (c->votes[n] != c->votes[winner] ? c->votes[n] > c->votes[winner] : c->sums[n] > c->sums[winner]) winner = n;
    return winner;
}
