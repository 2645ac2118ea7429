/* tern_vote.c : see tern/vote.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/vote.h"
#include <string.h>

static uint64_t round8(uint64_t n) { return (n + 7u) & ~(uint64_t)7u; }

size_t tern_vote_bytes(uint32_t n_classes, uint32_t n_samples)
{
    if (n_classes < 1 || n_classes > TERN_VOTE_CLASSES || n_samples < 1 || n_samples > TERN_MAX_SAMPLES) return 0;
    const uint64_t table = round8((uint64_t)n_classes * n_samples * sizeof(uint16_t));
    const uint64_t bytes =
        2u * table + 2u * round8(n_classes * sizeof(uint32_t)) + round8(n_samples * sizeof(uint32_t));
    return bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

tern_status tern_vote_init(tern_vote *v, uint32_t n_classes, uint32_t n_samples, tern_vote_decode decode, void *mem,
                           size_t bytes)
{
    const size_t need = tern_vote_bytes(n_classes, n_samples);
    if (need == 0 || mem == NULL || bytes < need || ((uintptr_t)mem & 7u) != 0) return TERN_ERR_ARGUMENT;
    unsigned char *at = mem;
    const size_t table = (size_t)round8((uint64_t)n_classes * n_samples * sizeof(uint16_t));
    const size_t row = (size_t)round8(n_classes * sizeof(uint32_t));
    *v = (tern_vote){ .n_classes = n_classes,
                      .n_samples = n_samples,
                      .decode = (uint8_t)decode,
                      .count = (void *)at,
                      .first = (void *)(at + table),
                      .votes = (void *)(at + 2u * table),
                      .spikes = (void *)(at + 2u * table + row),
                      .decision = (void *)(at + 2u * table + 2u * row) };
    tern_vote_begin(v);
    return TERN_OK;
}

static void clear_batch(tern_vote *v)
{
    const size_t n = (size_t)v->n_classes * v->n_samples;
    memset(v->count, 0, n * sizeof *v->count);
    for (size_t i = 0; i < n; ++i) v->first[i] = TERN_VOTE_NEVER;
    v->step = 0;
}

void tern_vote_begin(tern_vote *v)
{
    clear_batch(v);
    memset(v->votes, 0, v->n_classes * sizeof *v->votes);
    memset(v->spikes, 0, v->n_classes * sizeof *v->spikes);
    memset(v->decision, 0, v->n_samples * sizeof *v->decision);
    v->winner = v->decided = 0;
}

void tern_vote_step(tern_vote *v, const uint32_t *spikes, uint32_t words, uint32_t pos0)
{
    for (uint32_t k = 0; k < v->n_samples; ++k)
        for (uint32_t c = 0; c < v->n_classes; ++c) {
            const uint32_t pos = pos0 + c;
            if ((spikes[(size_t)k * words + (pos >> 5)] >> (pos & 31u) & 1u) == 0) continue;
            const size_t at = (size_t)k * v->n_classes + c;
            if (v->count[at] < UINT16_MAX) ++v->count[at];
            if (v->first[at] == TERN_VOTE_NEVER && v->step < TERN_VOTE_NEVER) v->first[at] = (uint16_t)v->step;
        }
    if (v->step < TERN_VOTE_NEVER) ++v->step;
}

/* Is class c a better decision than class best? Equal: no, the lower one stays. */
static bool better(const tern_vote *v, size_t row, uint32_t c, uint32_t best)
{
    const uint16_t n_c = v->count[row + c], n_b = v->count[row + best], f_c = v->first[row + c],
                   f_b = v->first[row + best];
    if (v->decode == TERN_DECODE_RATE) return n_c != n_b ? n_c > n_b : f_c < f_b;
    return f_c != f_b ? f_c < f_b : n_c > n_b;
}

uint32_t tern_vote_so_far(const tern_vote *v, uint32_t k)
{
    const size_t row = (size_t)k * v->n_classes;
    uint32_t best = 0;
    for (uint32_t c = 0; c < v->n_classes; ++c)
        if (better(v, row, c, best)) best = c;
    return best;
}

void tern_vote_close(tern_vote *v)
{
    for (uint32_t k = 0; k < v->n_samples; ++k) {
        const size_t row = (size_t)k * v->n_classes;
        const uint32_t best = tern_vote_so_far(v, k);
        for (uint32_t c = 0; c < v->n_classes; ++c) v->spikes[c] += v->count[row + c];
        v->decision[k] = best;
        ++v->votes[best];
    }
    v->decided += v->n_samples;
    v->winner = 0;
    for (uint32_t c = 1; c < v->n_classes; ++c)
        if (v->votes[c] != v->votes[v->winner] ? v->votes[c] > v->votes[v->winner]
                                               : v->spikes[c] > v->spikes[v->winner])
            v->winner = c;
    clear_batch(v);
}

bool tern_vote_settled(const tern_vote *v, uint32_t more)
{
    for (uint32_t c = 0; c < v->n_classes; ++c)
        if (c != v->winner && v->votes[c] + more >= v->votes[v->winner]) return false;
    return true;
}
