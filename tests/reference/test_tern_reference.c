/* test_tern_reference.c : the reference against the same equations written as direct sums over time
 * SPDX-License-Identifier: Apache-2.0
 *
 * Independent on purpose: spikes are kept as a raster, traces, log-probabilities and temporal averages are summed from their definitions
 * over all earlier steps (O(T^2), nothing recursive), draws come from the golden model's generator, the softmax is taken relative to the first sample.
 */
#include <stdlib.h>
#include "tern/reference.h"
#include "tern_check.h"
#include "tern_random.h"
#include "tiny_model.h"

enum { STEPS = 40, K = 6 };

typedef struct direct {
    const tern_model *m;
    uint8_t in[STEPS][TINY_IN_POS];
    uint8_t s[STEPS][K][TINY_NEURONS_POS];
    double  e[STEPS][K][TINY_NEURONS], loss[STEPS][K];
    double *w;
    double  bias[TINY_NEURONS], self[TINY_NEURONS];
} direct;

/* x_jb(t), from the raster. */
static double trace(const direct *d, const tern_row *row, uint32_t j, uint32_t k, int t)
{
    const tern_filter *f = &d->m->filters[row->filter];
    double x = 0;
    for (int tau = 1; tau <= f->n_taps && tau <= t; ++tau)
        x += f->taps[tau - 1] * (row->kind == TERN_ROW_SHARED ? d->in[t - tau][row->first + j] : d->s[t - tau][k][row->first + j]);
    return x;
}

static double self_trace(const direct *d, uint32_t i, uint32_t k, int t)
{
    const tern_neuron *n = &d->m->net.neurons[i];
    const tern_row as_row = { .first = n->pos, .filter = n->self_filter, .kind = TERN_ROW_SAMPLE };
    return n->self_filter == TERN_NO_FILTER ? 0 : trace(d, &as_row, 0, k, t);
}

static double potential(const direct *d, uint32_t i, uint32_t k, int t)
{
    const tern_net *net = &d->m->net;
    double u = d->bias[i] + d->self[i] * self_trace(d, i, k, t);
    for (uint32_t r = net->neurons[i].row0; r < net->neurons[i].row0 + net->neurons[i].n_rows; ++r)
        for (uint32_t j = 0; j < net->rows[r].count; ++j) u += d->w[net->rows[r].weight + j] * trace(d, &net->rows[r], j, k, t);
    return u;
}

/* sum over t' <= t of kappa^(t-t') e(t') x(t'), x NULL-row: 1 */
static double average(const direct *d, uint32_t i, uint32_t k, int t, const tern_row *row, uint32_t j, bool self)
{
    double sum = 0;
    for (int q = 0; q <= t; ++q) {
        const double x = row ? trace(d, row, j, k, q) : self ? self_trace(d, i, k, q) : 1;
        sum += pow(d->m->rule.kappa, t - q) * d->e[q][k][i] * x;
    }
    return sum;
}

static void update(direct *d, int t)
{
    const tern_net *net = &d->m->net;
    double m[K], total = 0, v0 = 0;
    for (int k = 0; k < K; ++k) {
        double v = 0;
        for (int q = 0; q <= t; ++q) v -= pow(d->m->rule.gamma, t - q) * d->loss[q][k];
        if (k == 0) v0 = v;
        total += m[k] = exp(v - v0);
    }
    for (uint32_t i = 0; i < net->n_neurons; ++i)
        for (uint32_t k = 0; k < K; ++k) {
            const double rate = d->m->rule.eta * m[k] / total;
            d->bias[i] += rate * average(d, i, k, t, NULL, 0, false);
            if (net->neurons[i].self_filter != TERN_NO_FILTER) d->self[i] += rate * average(d, i, k, t, NULL, 0, true);
            for (uint32_t r = net->neurons[i].row0; r < net->neurons[i].row0 + net->neurons[i].n_rows; ++r)
                for (uint32_t j = 0; j < net->rows[r].count; ++j)
                    if (net->weights0[net->rows[r].weight + j] != TERN_WEIGHT_ABSENT)
                        d->w[net->rows[r].weight + j] += rate * average(d, i, k, t, &net->rows[r], j, false);
        }
}

static unsigned draw16(uint64_t seed, uint32_t step, uint32_t i, uint32_t sample)
{
    uint32_t words[2];
    tern_random_block(seed, step, TERN_DRAW_SPIKE, sample >> 2, i, words);
    return words[(sample & 3) / 2] >> 16 * (sample & 1) & 0xffff;
}

static void compare_run(uint64_t seed, double kappa, double gamma, uint32_t k0, bool clamp)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    static direct d;
    static tern_diags diags;
    tern_diags_init(&diags);
    CHECK(tiny_model_make(&model, &arena, seed, kappa, gamma, 0.02));
    tern_reference *ref = NULL;
    CHECK_EQ(tern_reference_create(&model, K, seed, &arena, &ref, &diags), TERN_OK);
    memset(&d, 0, sizeof d);
    d.m = &model;
    const tern_net *net = &model.net;
    d.w = tern_arena_get(&arena, net->n_weights, sizeof *d.w);
    if (ref == NULL || d.w == NULL) {
        CHECK(0);
        return;
    }
    ref->k0 = k0;
    for (uint32_t j = 0; j < net->n_weights; ++j) d.w[j] = net->weights0[j] == TERN_WEIGHT_ABSENT ? 0 : net->weights0[j] / 4096.0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        d.bias[i] = net->bias0_f12[i] / 4096.0;
        d.self[i] = net->self0_f12[i] / 4096.0;
    }
    uint64_t s = seed + 77;
    uint32_t moved = 0;
    for (int t = 0; t < STEPS; ++t) {
        uint32_t in[TINY_IN_POS / 32] = { 0 }, target[TINY_NEURONS_POS / 32] = { 0 };
        for (uint32_t j = 0; j < TINY_IN; ++j)
            if ((d.in[t][j] = tiny_random(&s) % 4 == 0)) in[j / 32] |= 1u << j % 32;
        for (uint32_t i = 0; i < TINY_VISIBLE; ++i)
            if (tiny_random(&s) % 3 == 0) target[0] |= 1u << i;
        const bool learning = t % 7 != 3; /* some steps do not learn */
        tern_reference_step(ref, in, clamp ? target : NULL, (learning ? TERN_STEP_LEARN : 0u) | (clamp ? TERN_STEP_CLAMP : 0u));
        for (uint32_t i = 0; i < net->n_neurons; ++i)
            for (uint32_t k = 0; k < K; ++k) {
                const double u = potential(&d, i, k, t), p = 1 / (1 + exp(-u));
                const bool spike = clamp && i < TINY_VISIBLE ? target[0] >> i & 1 : draw16(seed, (uint32_t)t, i, k0 + k) < 65536 * p;
                const uint32_t pos = net->neurons[i].pos;
                d.s[t][k][pos] = spike;
                d.e[t][k][i] = learning ? spike - p : 0;
                if (i < TINY_VISIBLE) d.loss[t][k] -= log(spike ? p : 1 / (1 + exp(u)));
                CHECK_NEAR(ref->u[i * K + k], u, 1e-10);
                CHECK_EQ(ref->spikes[k * (TINY_NEURONS_POS / 32) + pos / 32] >> pos % 32 & 1, spike);
            }
        for (uint32_t k = 0; k < K; ++k) CHECK_NEAR(ref->loss[k], d.loss[t][k], 1e-9);
        if (learning) update(&d, t);
        for (uint32_t j = 0; j < net->n_weights; ++j) {
            CHECK_NEAR(ref->weights[j], d.w[j], 1e-10);
            if (net->weights0[j] == TERN_WEIGHT_ABSENT) CHECK(ref->weights[j] == 0);
        }
        for (uint32_t i = 0; i < net->n_neurons; ++i) {
            CHECK_NEAR(ref->bias[i], d.bias[i], 1e-10);
            CHECK_NEAR(ref->self[i], d.self[i], 1e-10);
        }
    }
    for (uint32_t j = 0; j < net->n_weights; ++j) moved += fabs(d.w[j] - net->weights0[j] / 4096.0) > 1e-3;
    CHECK(moved > net->n_weights / 4); /* the comparison saw learning */
    tern_arena_free(&arena);
}

/* Known answers of the publication's distribution (Random123, kat_vectors). */
static void threefry_vectors(void)
{
    static const uint32_t v[3][6] = { { 0, 0, 0, 0, 0x6b200159, 0x99ba4efe },
                                      { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7 },
                                      { 0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0 } };
    for (int i = 0; i < 3; ++i) {
        uint32_t out[2];
        tern_threefry_ref(v[i], v[i] + 2, out);
        CHECK_EQ(out[0], v[i][4]);
        CHECK_EQ(out[1], v[i][5]);
    }
}

/* A run that is saved, restored into a fresh engine and continued ends with the same bits; damaged bytes are refused and change nothing. */
static void save_and_restore(void)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    tern_reference *a = NULL, *b = NULL;
    CHECK(tiny_model_make(&model, &arena, 5, 0.7, 0.9, 0.02));
    CHECK_EQ(tern_reference_create(&model, K, 11, &arena, &a, NULL), TERN_OK);
    CHECK_EQ(tern_reference_create(&model, K, 99, &arena, &b, NULL), TERN_OK);
    uint64_t s = 3;
    uint8_t *bytes = NULL;
    const size_t size = tern_reference_save_bytes(a);
    for (int t = 0; t < 60; ++t) {
        const uint32_t in[2] = { (uint32_t)tiny_random(&s), (uint32_t)tiny_random(&s) & 31 }, target[2] = { (uint32_t)tiny_random(&s) & 7, 0 };
        tern_reference_step(a, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        if (t == 29) {
            bytes = tern_arena_get(&arena, size, 1);
            tern_reference_save(a, bytes);
            bytes[size / 2] ^= 1;
            CHECK_EQ(tern_reference_restore(b, bytes, size), TERN_ERR_CHECKSUM);
            CHECK_EQ(b->seed, 99);
            bytes[size / 2] ^= 1;
            CHECK_EQ(tern_reference_restore(b, bytes, size - 1), TERN_ERR_FORMAT);
            CHECK_EQ(tern_reference_restore(b, bytes, size), TERN_OK);
        }
        if (t >= 30) tern_reference_step(b, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
    }
    CHECK_EQ(a->step, b->step);
    CHECK(memcmp(a->weights, b->weights, model.net.n_weights * sizeof(double)) == 0);
    CHECK(memcmp(a->elig, b->elig, a->n_elig * sizeof(double)) == 0);
    CHECK(memcmp(a->v, b->v, K * sizeof(double)) == 0);
    /* weights alone go into an engine with another number of samples */
    tern_reference *c = NULL;
    CHECK_EQ(tern_reference_create(&model, K + 3, 99, &arena, &c, NULL), TERN_OK);
    tern_reference_save(a, bytes);
    CHECK_EQ(tern_reference_restore(c, bytes, size), TERN_ERR_FORMAT);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, 40), TERN_ERR_TRUNCATED);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, size - 8), TERN_ERR_CHECKSUM);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, size), TERN_OK);
    CHECK(memcmp(a->weights, c->weights, model.net.n_weights * sizeof(double)) == 0);
    CHECK(memcmp(a->bias, c->bias, model.net.n_neurons * sizeof(double)) == 0);
    /* clearing leaves weights and step, and makes the next step forget the past */
    tern_reference_clear(a);
    CHECK_EQ(a->step, 60);
    CHECK(a->v[0] == 0 && a->hist_in[0] == 0 && a->elig[0] == 0);
    tern_arena_free(&arena);
}

/* Rounding into a state: half up, symmetric saturation, absent synapses stay absent. */
static void rounding(void)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    tern_reference *r = NULL;
    tern_state st;
    CHECK(tiny_model_make(&model, &arena, 6, 0.7, 0.9, 0.02));
    model.net.weight_bits = 8; /* s1.7; the initial weights of the tiny model do not fit: give it smaller ones */
    model.net.weight_frac = 7;
    model.net.dither_bits = 21;
    int16_t *w0 = tern_arena_get(&arena, model.net.n_weights, sizeof *w0);
    w0[3] = TERN_WEIGHT_ABSENT;
    model.net.weights0 = w0;
    CHECK_EQ(tern_reference_create(&model, 1, 1, &arena, &r, NULL), TERN_OK);
    const size_t bytes = tern_state_bytes(&model.net, 1);
    CHECK_EQ(tern_state_init(&st, &model.net, tern_arena_get(&arena, bytes, 1), bytes, 1, 1), TERN_OK);
    r->weights[0] = 0.5 / 128;   /* tie: up */
    r->weights[1] = -0.5 / 128;  /* tie: up */
    r->weights[2] = 0.49 / 128;
    r->weights[4] = 5;
    r->weights[5] = -5;
    r->bias[0] = 9;
    r->self[0] = -9;
    tern_reference_to_state(r, &st);
    CHECK_EQ(st.weights[0], 1);
    CHECK_EQ(st.weights[1], 0);
    CHECK_EQ(st.weights[2], 0);
    CHECK_EQ(st.weights[3], TERN_WEIGHT_ABSENT);
    CHECK_EQ(st.weights[4], 127);
    CHECK_EQ(st.weights[5], -127);
    CHECK_EQ(st.bias_f12[0], 32767);
    CHECK_EQ(st.self_f12[0], -32767);
    tern_arena_free(&arena);
}

/* Allocator that refuses the n-th request and counts what is still held. */
typedef struct failing { long left, held; } failing;

static void *failing_fn(void *ud, void *ptr, size_t bytes)
{
    failing *f = ud;
    if (bytes == 0) {
        if (ptr != NULL) --f->held;
        free(ptr);
        return NULL;
    }
    if (f->left-- == 0) return NULL;
    ++f->held;
    return malloc(bytes);
}

static void refused_memory(void)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    CHECK(tiny_model_make(&model, &arena, 7, 0.5, 0.5, 0.01));
    tern_status status = TERN_ERR_MEMORY;
    for (long n = 0; n < 100 && status != TERN_OK; ++n) {
        failing f = { n, 0 };
        tern_arena a;
        tern_reference *r = NULL;
        tern_arena_init(&a, (tern_alloc){ failing_fn, &f }, 0);
        status = tern_reference_create(&model, K, 1, &a, &r, NULL);
        CHECK(status == TERN_OK || (status == TERN_ERR_MEMORY && r == NULL));
        tern_arena_free(&a);
        CHECK_EQ(f.held, 0);
    }
    CHECK_EQ(status, TERN_OK);
    tern_reference *r = NULL;
    CHECK_EQ(tern_reference_create(&model, 0, 1, &arena, &r, NULL), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_reference_create(&model, 33, 1, &arena, &r, NULL), TERN_ERR_ARGUMENT);
    tern_arena_free(&arena);
}

int main(void)
{
    threefry_vectors();
    compare_run(1, 0.0, 0.9, 0, true);
    compare_run(2, 0.2, 0.9, 0, true);
    compare_run(3, 0.9, 0.9, 4, true);
    compare_run(4, 0.9, 0.5, 32, false); /* visible neurons draw */
    compare_run(5, 1.0, 1.0, 0, true);
    save_and_restore();
    rounding();
    refused_memory();
    return tern_check_report("reference");
}
