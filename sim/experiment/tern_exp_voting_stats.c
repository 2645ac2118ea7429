/* tern_exp_voting_stats.c : accuracies, gains and times of `voting`, with paired intervals
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include "tern_exp_voting.h"

static const uint32_t *drawn_seeds(const tern_voting *v, size_t b) { return v->seeds + b * v->n_seeds; }
static const uint32_t *drawn_recordings(const tern_voting *v, size_t b) { return v->recordings + b * v->n_recordings; }

static tern_status draw(tern_voting *v)
{
    tern_arena *a = &v->e->arena;
    v->seeds = tern_arena_get(a, (size_t)TERN_VOTING_RESAMPLES * v->n_seeds, sizeof *v->seeds);
    v->recordings = tern_arena_get(a, (size_t)TERN_VOTING_RESAMPLES * v->n_recordings, sizeof *v->recordings);
    if (v->seeds == NULL || v->recordings == NULL) return TERN_ERR_MEMORY;
    for (uint32_t b = 0; b < TERN_VOTING_RESAMPLES; ++b) {
        tern_bootstrap_counts(TERN_VOTING_SEED, b, 0, v->n_seeds, v->seeds + (size_t)b * v->n_seeds);
        tern_bootstrap_counts(TERN_VOTING_SEED, b, 1, v->n_recordings, v->recordings + (size_t)b * v->n_recordings);
    }
    return TERN_OK;
}

static double mean_right(const tern_voting *v, const tern_voting_cell *c)
{
    uint64_t sum = 0;
    const size_t n = (size_t)v->n_seeds * v->n_recordings;
    for (size_t i = 0; i < n; ++i) sum += c->right[i];
    return (double)sum / (double)n;
}

static tern_exp_mean with_interval(double mean, double *resampled, size_t n)
{
    const tern_interval i = tern_bootstrap_interval(resampled, n);
    return (tern_exp_mean){ .n = n, .mean = mean, .lo = i.lo, .hi = i.hi };
}

/* In resample b. */
static double drawn_accuracy(const tern_voting *v, const tern_voting_cell *c, size_t b)
{
    return tern_crossed_mean(c->right, drawn_seeds(v, b), v->n_seeds, drawn_recordings(v, b), v->n_recordings);
}

/* The last row of a block: decisions after whole presentations. */
static tern_voting_cell *whole(const tern_voting_block *b, size_t k)
{
    return &b->cells[(b->n_marks - 1) * b->n_samples + k];
}

/* Accuracies of one row of cells, all samples after the same steps: [samples][resamples] */
static void row(const tern_voting *v, tern_voting_cell *cells, size_t n_samples, double *acc, double *scratch)
{
    for (size_t k = 0; k < n_samples; ++k)
        for (size_t b = 0; b < TERN_VOTING_RESAMPLES; ++b)
            acc[k * TERN_VOTING_RESAMPLES + b] = drawn_accuracy(v, &cells[k], b);
    const double first = mean_right(v, &cells[0]);
    for (size_t k = 0; k < n_samples; ++k) {
        const double mean = mean_right(v, &cells[k]);
        for (size_t b = 0; b < TERN_VOTING_RESAMPLES; ++b) scratch[b] = acc[k * TERN_VOTING_RESAMPLES + b] - acc[b];
        cells[k].gain = with_interval(mean - first, scratch, TERN_VOTING_RESAMPLES);
        for (size_t b = 0; b < TERN_VOTING_RESAMPLES; ++b) scratch[b] = acc[k * TERN_VOTING_RESAMPLES + b];
        cells[k].accuracy = with_interval(mean, scratch, TERN_VOTING_RESAMPLES);
    }
}

const tern_voting_block *tern_voting_find(const tern_voting *v, uint32_t variant, uint32_t length,
                                          uint32_t presentations)
{
    for (size_t i = 0; i < v->n_blocks; ++i) {
        const tern_voting_block *b = &v->blocks[i];
        if (b->variant == variant && b->length == length && b->presentations == presentations) return b;
    }
    return NULL;
}

const char *tern_voting_verdict(const tern_exp_mean *gain)
{
    if (isnan(gain->lo)) return "not measured";
    return gain->lo >= 0.05 ? "pays, by 5 points or more"
           : gain->lo > 0   ? "pays"
           : gain->hi < 0   ? "harms"
                            : "not shown";
}

/* ---- time to a decision ---- */

/* Whole presentations against the longest ones of the same variant with the fewest samples. */
static void compare_with_longest(const tern_voting *v, const tern_voting_block *b, double *scratch)
{
    const uint32_t longest = tern_exp_most(&v->e->set.lengths);
    const tern_voting_cell *base = whole(tern_voting_find(v, b->variant, longest, b->presentations), 0);
    for (size_t k = 0; k < b->n_samples; ++k) {
        tern_voting_cell *c = whole(b, k);
        for (size_t r = 0; r < TERN_VOTING_RESAMPLES; ++r)
            scratch[r] = drawn_accuracy(v, c, r) - drawn_accuracy(v, base, r);
        c->versus = with_interval(mean_right(v, c) - mean_right(v, base), scratch, TERN_VOTING_RESAMPLES);
    }
}

/* b >= TERN_VOTING_RESAMPLES: of the seeds and recordings themselves. */
static double soonest(const tern_voting *v, uint32_t variant, uint32_t presentations, size_t k, size_t b)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < v->n_blocks; ++i) {
        const tern_voting_block *x = &v->blocks[i];
        if (x->variant != variant || x->presentations != presentations || x->length >= least) continue;
        const tern_voting_cell *c = whole(x, k);
        const double accuracy = b >= TERN_VOTING_RESAMPLES ? mean_right(v, c) : drawn_accuracy(v, c, b);
        if (accuracy >= v->e->set.target) least = x->length;
    }
    return least;
}

static double ratio(double one, double many) { return isinf(one) && isinf(many) ? 1 : one / many; }

static void time_of(tern_voting *v, tern_voting_time *t, size_t k, double *first, double *scratch)
{
    enum { N = TERN_VOTING_RESAMPLES };
    double *ratios = scratch + N;
    for (size_t b = 0; b < N; ++b) {
        scratch[b] = soonest(v, t->variant, t->presentations, k, b);
        if (k == 0) first[b] = scratch[b];
        ratios[b] = ratio(first[b], scratch[b]);
    }
    const double here = soonest(v, t->variant, t->presentations, k, N);
    t->ratio = with_interval(ratio(soonest(v, t->variant, t->presentations, 0, N), here), ratios, N);
    t->steps = with_interval(here, scratch, N);
    for (size_t i = 0; i < v->n_blocks; ++i) {
        const tern_voting_block *x = &v->blocks[i];
        if (x->variant != t->variant || x->presentations != t->presentations) continue;
        const bool as_good = whole(x, k)->versus.lo >= -TERN_VOTING_MARGIN;
        if (as_good && (t->equal == 0 || x->length < t->equal)) t->equal = x->length;
    }
}

static tern_status times(tern_voting *v, double *first, double *scratch)
{
    const tern_exp_settings *o = &v->e->set;
    const size_t n = o->n_variants * o->presentations.n * o->inference.n;
    v->times = tern_arena_get(&v->e->arena, n, sizeof *v->times);
    if (v->times == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < o->n_variants; ++i)
        for (size_t p = 0; p < o->presentations.n; ++p)
            for (size_t k = 0; k < o->inference.n; ++k) {
                tern_voting_time *t = &v->times[v->n_times++];
                *t = (tern_voting_time){ i, o->presentations.v[p], o->inference.v[k], { 0 }, { 0 }, 0 };
                time_of(v, t, k, first, scratch);
            }
    return TERN_OK;
}

tern_status tern_voting_work_out(tern_voting *v)
{
    const size_t n_samples = v->e->set.inference.n;
    double *acc = tern_arena_get(&v->e->arena, n_samples * TERN_VOTING_RESAMPLES, sizeof *acc),
           *scratch = tern_arena_get(&v->e->arena, (size_t)2 * TERN_VOTING_RESAMPLES, sizeof *scratch);
    const tern_status s = acc == NULL || scratch == NULL ? TERN_ERR_MEMORY : draw(v);
    if (s != TERN_OK) return s;
    for (size_t i = 0; i < v->n_blocks; ++i)
        for (size_t m = 0; m < v->blocks[i].n_marks; ++m)
            row(v, v->blocks[i].cells + m * n_samples, n_samples, acc, scratch);
    for (size_t i = 0; i < v->n_blocks; ++i) compare_with_longest(v, &v->blocks[i], scratch);
    return times(v, acc, scratch);
}
