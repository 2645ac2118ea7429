/* test_tern_reference.c : the reference against the same equations written as direct sums over time, for every rule and
 * baseline
 * SPDX-License-Identifier: Apache-2.0
 *
 * Independent on purpose: spikes are kept as a raster, traces, log-probabilities, temporal averages and baselines are
 * summed from their definitions over all earlier steps (nothing recursive), draws come from the golden model's
 * generator, the softmax is taken relative to the first sample.
 */
#include <stdlib.h>
#include "tern/reference.h"
#include "tern_check.h"
#include "tern_random.h"
#include "tiny_model.h"

enum { STEPS = 40, K = 6, MAX_PARAMETERS = 1200, WORDS = TINY_NEURONS_POS / 32 };

typedef struct direct {
    const tern_model *m;
    uint8_t in[STEPS][TINY_IN_POS];
    uint8_t s[STEPS][K][TINY_NEURONS_POS];
    double e[STEPS][K][TINY_NEURONS], loss[STEPS][K];
    bool learned[STEPS];
    double weight[STEPS][K], signal[STEPS][K]; /* of the samples: softmax or 1/K; learning signal */
    double g[STEPS][K][MAX_PARAMETERS];        /* temporal averages, a column for each weight, bias, self-memory */
    double *w;
    double bias[TINY_NEURONS], self[TINY_NEURONS];
    double kappa[STEPS], gamma[STEPS]; /* to the power of 0, 1, ... */
} direct;

static bool rule_is(const direct *d, tern_rule_kind rule) { return d->m->rule.kind == (uint8_t)rule; }

/* x_jb(t), from the raster. */
static double trace(const direct *d, const tern_row *row, uint32_t j, uint32_t k, int t)
{
    const tern_filter *f = &d->m->filters[row->filter];
    double x = 0;
    for (int tau = 1; tau <= f->n_taps && tau <= t; ++tau)
        x += f->taps[tau - 1] *
             (row->kind == TERN_ROW_SHARED ? d->in[t - tau][row->first + j] : d->s[t - tau][k][row->first + j]);
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
        for (uint32_t j = 0; j < net->rows[r].count; ++j)
            u += d->w[net->rows[r].weight + j] * trace(d, &net->rows[r], j, k, t);
    return u;
}

/* sum over t' <= t of kappa^(t-t') e(t') x(t'), x NULL-row: 1 */
static double average(const direct *d, uint32_t i, uint32_t k, int t, const tern_row *row, uint32_t j, bool self)
{
    double sum = 0;
    for (int q = 0; q <= t; ++q) {
        const double x = row ? trace(d, row, j, k, q) : self ? self_trace(d, i, k, q) : 1;
        sum += d->kappa[t - q] * d->e[q][k][i] * x;
    }
    return sum;
}

/* Baseline from the averages in column `column` of the steps before t: A[w g^2] / A[g^2], where A weighs by
 * lambda^(steps that learned since). */
static double baseline(const direct *d, uint32_t column, int t)
{
    const double lambda = 1 - 1.0 / d->m->rule.memory;
    double over = 0, under = 0, factor = 1;
    for (int q = t - 1; q >= 0; --q) {
        if (!d->learned[q]) continue;
        double all = 0;
        for (int k = 0; k < K; ++k) {
            all += d->g[q][k][column];
            if (rule_is(d, TERN_RULE_IW)) continue;
            over += factor * d->signal[q][k] * d->g[q][k][column] * d->g[q][k][column];
            under += factor * d->g[q][k][column] * d->g[q][k][column];
        }
        if (rule_is(d, TERN_RULE_IW)) { /* one signal: the averages of the samples count together */
            over += factor * d->signal[q][0] * all * all;
            under += factor * all * all;
        }
        factor *= lambda;
    }
    return under > 0 ? over / under : 0;
}

/* Third factors of step t. */
static void third_factor(direct *d, int t, const double *reward)
{
    double v[K], top = 0, total = 0;
    for (int k = 0; k < K; ++k) {
        v[k] = 0;
        for (int q = 0; q <= t; ++q) v[k] -= d->gamma[t - q] * d->loss[q][k];
        if (k == 0) top = v[0];
        total += exp(v[k] - top);
    }
    for (int k = 0; k < K; ++k) {
        d->weight[t][k] = rule_is(d, TERN_RULE_MB) ? 1.0 / K : exp(v[k] - top) / total;
        d->signal[t][k] = rule_is(d, TERN_RULE_MB)   ? v[k] / K
                          : rule_is(d, TERN_RULE_IW) ? log(total / K) + top
                                                     : reward[k] / K;
    }
}

/* One parameter of neuron i moves by the update of step t. */
static void move(direct *d, int t, uint32_t i, uint32_t column, double *theta)
{
    const bool signal = !rule_is(d, TERN_RULE_GEM) && (rule_is(d, TERN_RULE_REWARD) || i >= TINY_VISIBLE);
    /* per neuron: the bias's */
    const uint32_t own = d->m->rule.baseline == TERN_BASELINE_NEURON ? d->m->net.n_weights + i : column;
    const double b = !signal || d->m->rule.baseline == TERN_BASELINE_NONE ? 0 : baseline(d, own, t);
    for (int k = 0; k < K; ++k)
        *theta += d->m->rule.eta * (signal ? d->signal[t][k] - b : d->weight[t][k]) * d->g[t][k][column];
}

static void update(direct *d, int t)
{
    const tern_net *net = &d->m->net;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        for (uint32_t k = 0; k < K; ++k) {
            d->g[t][k][net->n_weights + i] = average(d, i, k, t, NULL, 0, false);
            d->g[t][k][net->n_weights + net->n_neurons + i] = average(d, i, k, t, NULL, 0, true);
            for (uint32_t r = net->neurons[i].row0; r < net->neurons[i].row0 + net->neurons[i].n_rows; ++r)
                for (uint32_t j = 0; j < net->rows[r].count; ++j)
                    d->g[t][k][net->rows[r].weight + j] = average(d, i, k, t, &net->rows[r], j, false);
        }
        move(d, t, i, net->n_weights + i, &d->bias[i]);
        if (net->neurons[i].self_filter != TERN_NO_FILTER)
            move(d, t, i, net->n_weights + net->n_neurons + i, &d->self[i]);
        for (uint32_t r = net->neurons[i].row0; r < net->neurons[i].row0 + net->neurons[i].n_rows; ++r)
            for (uint32_t j = 0; j < net->rows[r].count; ++j)
                if (net->weights0[net->rows[r].weight + j] != TERN_WEIGHT_ABSENT)
                    move(d, t, i, net->rows[r].weight + j, &d->w[net->rows[r].weight + j]);
    }
}

static double draw(uint64_t seed, uint32_t step, uint32_t i, uint32_t sample)
{
    uint32_t words[2];
    tern_random_block(seed, step, TERN_DRAW_SPIKE, sample >> 2, i, words);
    return (words[(sample & 3) / 2] >> 16 * (sample & 1) & 0xffff) / 65536.0;
}

/* Spikes, errors and losses of the group that begins with neuron i: a neuron or a circuit. given: NULL, or bits of all
 * positions. */
static void fire(direct *d, uint64_t seed, int t, uint32_t i, uint32_t k, uint32_t k0, const double *u,
                 const uint32_t *given)
{
    const tern_net *net = &d->m->net;
    const uint32_t size = net->neurons[i].wta_size == 0 ? 1 : net->neurons[i].wta_size;
    double odds = 1, reached = 0, likelihood;
    for (uint32_t c = 0; c < size; ++c) odds += exp(u[c]); /* of silence: 1 */
    likelihood = 1 / odds;
    bool done = false;
    for (uint32_t c = 0; c < size; ++c) {
        const uint32_t pos = net->neurons[i + c].pos;
        reached += exp(u[c]) / odds;
        const bool spike = !done && (given != NULL ? given[pos / 32] >> pos % 32 & 1
                                                   : draw(seed, (uint32_t)t, i + size - 1, k0 + k) < reached);
        done = done || spike;
        d->s[t][k][pos] = spike;
        d->e[t][k][i + c] = spike - exp(u[c]) / odds;
        if (spike) likelihood = exp(u[c]) / odds;
    }
    if (i < TINY_VISIBLE) d->loss[t][k] -= log(likelihood);
}

typedef struct setting {
    uint64_t seed;
    tern_rule_kind rule;
    tern_baseline_kind baseline;
    double kappa, gamma, eta;
    uint32_t k0;
    bool clamp, circuits, forced;
} setting;

static void compare_run(const setting *set)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    static direct d;
    static tern_diags diags;
    tern_diags_init(&diags);
    CHECK(tiny_model_make(&model, &arena, set->seed, set->kappa, set->gamma, set->eta));
    if (set->circuits) CHECK(tiny_model_circuits(&model, &arena));
    tiny_model_rule(&model, set->rule, set->baseline, 3 + (unsigned)(set->seed % 5));
    tern_reference *ref = NULL;
    CHECK_EQ(tern_reference_create(&model, K, set->seed, &arena, &ref, &diags), TERN_OK);
    memset(&d, 0, sizeof d);
    d.m = &model;
    for (int n = 0; n < STEPS; ++n) {
        d.kappa[n] = pow(model.rule.kappa, n);
        d.gamma[n] = pow(model.rule.gamma, n);
    }
    const tern_net *net = &model.net;
    d.w = tern_arena_get(&arena, net->n_weights, sizeof *d.w);
    CHECK(net->n_weights + 2 * net->n_neurons <= MAX_PARAMETERS);
    if (ref == NULL || d.w == NULL || net->n_weights + 2 * net->n_neurons > MAX_PARAMETERS) {
        CHECK(0);
        return;
    }
    ref->k0 = set->k0;
    for (uint32_t j = 0; j < net->n_weights; ++j)
        d.w[j] = net->weights0[j] == TERN_WEIGHT_ABSENT ? 0 : net->weights0[j] / 4096.0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        d.bias[i] = net->bias0_f12[i] / 4096.0;
        d.self[i] = net->self0_f12[i] / 4096.0;
    }
    uint64_t s = set->seed + 77;
    uint32_t moved = 0;
    double reward[K] = { 0 };
    uint32_t forced[K * WORDS] = { 0 };
    for (int t = 0; t <= STEPS; ++t) {
        const int last = t - 1; /* with a reward, the update of a step comes before the next one */
        if (set->rule == TERN_RULE_REWARD && t > 0 && d.learned[last]) update(&d, last);
        if (t == STEPS) {
            tern_reference_flush(ref);
            tern_reference_flush(ref); /* nothing is pending any more */
        } else {
            uint32_t in[TINY_IN_POS / 32] = { 0 }, target[WORDS] = { 0 };
            for (uint32_t j = 0; j < TINY_IN; ++j)
                if ((d.in[t][j] = tiny_random(&s) % 4 == 0)) in[j / 32] |= 1u << j % 32;
            for (uint32_t i = 0; i < TINY_VISIBLE; ++i)
                if (tiny_random(&s) % 3 == 0) target[0] |= 1u << i;
            for (uint32_t k = 0; k < K; ++k) forced[k * WORDS + 1] = (uint32_t)tiny_random(&s);
            ref->forced = set->forced && t % 5 != 4 ? forced : NULL;
            d.learned[t] = t % 7 != 3; /* some steps do not learn */
            tern_reference_step(ref, in, set->clamp ? target : NULL,
                                (d.learned[t] ? TERN_STEP_LEARN : 0u) | (set->clamp ? TERN_STEP_CLAMP : 0u));
            for (uint32_t k = 0; k < K; ++k) {
                double u[TINY_NEURONS];
                for (uint32_t i = 0; i < net->n_neurons; ++i) {
                    u[i] = potential(&d, i, k, t);
                    CHECK_NEAR(ref->u[i * K + k], u[i], 1e-10);
                }
                for (uint32_t i = 0; i < net->n_neurons; ++i)
                    if (net->neurons[i].wta_index == 0)
                        fire(&d, set->seed, t, i, k, set->k0, u + i,
                             i < TINY_VISIBLE ? (set->clamp ? target : NULL)
                             : ref->forced    ? forced + k * WORDS
                                              : NULL);
                for (uint32_t i = 0; i < net->n_neurons; ++i) {
                    const uint32_t pos = net->neurons[i].pos;
                    CHECK_EQ(ref->spikes[k * WORDS + pos / 32] >> pos % 32 & 1, d.s[t][k][pos]);
                    CHECK_NEAR(ref->error[i * K + k], d.e[t][k][i], 1e-10);
                    CHECK_NEAR(ref->p[i * K + k], d.s[t][k][pos] - d.e[t][k][i], 1e-10);
                    if (!d.learned[t]) d.e[t][k][i] = 0;
                }
                CHECK_NEAR(ref->loss[k], d.loss[t][k], 1e-9);
            }
            if (t % 6 != 5) { /* sometimes none comes: the last one stays */
                for (int k = 0; k < K; ++k) reward[k] = 4 * tiny_uniform(&s) - 2;
                tern_reference_reward(ref, reward);
            }
            if (d.learned[t]) third_factor(&d, t, reward);
            if (set->rule != TERN_RULE_REWARD && d.learned[t]) update(&d, t);
        }
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
    if (set->baseline == TERN_BASELINE_NEURON)
        for (uint32_t i = 0; i < net->n_neurons; ++i)
            if (set->rule == TERN_RULE_REWARD || i >= TINY_VISIBLE)
                CHECK_NEAR(ref->base[i], baseline(&d, net->n_weights + i, STEPS), 1e-10 * fmax(1, fabs(ref->base[i])));
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

/* A run that is saved, restored into a fresh engine and continued ends with the same bits; damaged, old and foreign
 * bytes are refused and change nothing. With a reward the checkpoint is made while an update waits for it. */
static void save_and_restore(tern_rule_kind rule, tern_baseline_kind baseline_kind)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model, other;
    tern_reference *a = NULL, *b = NULL, *c = NULL, *stranger = NULL;
    CHECK(tiny_model_make(&model, &arena, 5, 0.7, 0.9, 0.02));
    tiny_model_rule(&model, rule, baseline_kind, 4);
    other = model;
    tiny_model_rule(&other, rule == TERN_RULE_IW ? TERN_RULE_MB : TERN_RULE_IW, baseline_kind, 4);
    CHECK_EQ(tern_reference_create(&model, K, 11, &arena, &a, NULL), TERN_OK);
    CHECK_EQ(tern_reference_create(&model, K, 99, &arena, &b, NULL), TERN_OK);
    CHECK_EQ(tern_reference_create(&model, K + 3, 99, &arena, &c, NULL), TERN_OK);
    CHECK_EQ(tern_reference_create(&other, K, 99, &arena, &stranger, NULL), TERN_OK);
    const size_t size = tern_reference_save_bytes(a), n_base = tern_net_baselines(&model.net);
    uint64_t s = 3;
    uint8_t *bytes = tern_arena_get(&arena, size, 1);
    if (a == NULL || b == NULL || c == NULL || stranger == NULL || bytes == NULL) {
        CHECK(0);
        return;
    }
    for (int t = 0; t < 60; ++t) {
        const uint32_t in[2] = { (uint32_t)tiny_random(&s), (uint32_t)tiny_random(&s) & 31 },
                       target[2] = { (uint32_t)tiny_random(&s) & 7, 0 };
        tern_reference_step(a, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        CHECK_EQ(a->pending, rule == TERN_RULE_REWARD);
        if (t == 29) {
            tern_reference_save(a, 0, bytes);
            for (size_t at = 8; at < size; at += size / 40) { /* head and parts */
                bytes[at] ^= 1;
                const tern_status status = tern_reference_restore(b, bytes, size);
                CHECK(status == TERN_ERR_CHECKSUM || (at < 72 && status == TERN_ERR_FORMAT));
                bytes[at] ^= 1;
            }
            CHECK_EQ(b->seed, 99);
            CHECK_EQ(b->step, 0);
            bytes[7] ^= 0x02; /* the last character of the magic: '2' becomes '0' */
            CHECK_EQ(tern_reference_restore(b, bytes, size), TERN_ERR_FORMAT);
            bytes[7] ^= 0x02 ^ 0x03; /* '1': a checkpoint of the first version, also where its size differs */
            CHECK_EQ(tern_reference_restore(b, bytes, size), TERN_ERR_VERSION);
            CHECK_EQ(tern_reference_restore(b, bytes, size - 16), TERN_ERR_VERSION);
            CHECK_EQ(tern_reference_restore_weights(b, bytes, size), TERN_ERR_VERSION);
            bytes[7] ^= 0x03;
            CHECK_EQ(tern_reference_restore(b, bytes, size - 1), TERN_ERR_FORMAT);
            CHECK_EQ(tern_reference_restore(b, bytes, 4), TERN_ERR_FORMAT);
            CHECK_EQ(tern_reference_restore(stranger, bytes, size), TERN_ERR_FORMAT);
            CHECK_EQ(tern_reference_restore_weights(stranger, bytes, size), TERN_ERR_FORMAT);
            CHECK_EQ(tern_reference_restore(b, bytes, size), TERN_OK);
        }
        const double reward[K] = { tiny_uniform(&s), -tiny_uniform(&s), tiny_uniform(&s), 1, 0, -1 };
        tern_reference_reward(a, reward);
        if (t >= 30) tern_reference_step(b, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        if (t >= 29) tern_reference_reward(b, reward);
    }
    CHECK_EQ(a->step, b->step);
    CHECK_EQ(a->pending, b->pending);
    CHECK(memcmp(a->weights, b->weights, model.net.n_weights * sizeof(double)) == 0);
    CHECK(memcmp(a->elig, b->elig, a->n_elig * sizeof(double)) == 0);
    CHECK(memcmp(a->v, b->v, K * sizeof(double)) == 0);
    CHECK(memcmp(a->base, b->base, n_base * sizeof(double)) == 0);
    CHECK(memcmp(a->base_weight, b->base_weight, n_base * sizeof(double)) == 0);
    CHECK(n_base == 0 || a->base[model.net.n_visible] != 0);
    /* weights alone go into an engine with another number of samples */
    tern_reference_save(a, 0, bytes);
    CHECK_EQ(tern_reference_restore(c, bytes, size), TERN_ERR_FORMAT);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, 40), TERN_ERR_TRUNCATED);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, size - 8), TERN_ERR_CHECKSUM);
    CHECK_EQ(tern_reference_restore_weights(c, bytes, size), TERN_OK);
    CHECK(memcmp(a->weights, c->weights, model.net.n_weights * sizeof(double)) == 0);
    CHECK(memcmp(a->bias, c->bias, model.net.n_neurons * sizeof(double)) == 0);
    /* clearing applies what waits, leaves weights, baselines and step, and makes the next step forget the past */
    const double before = a->bias[TINY_VISIBLE];
    tern_reference_clear(a);
    CHECK_EQ(a->step, 60);
    CHECK((a->bias[TINY_VISIBLE] != before) == (rule == TERN_RULE_REWARD));
    CHECK(!a->pending && a->v[0] == 0 && a->hist_in[0] == 0 && a->elig[0] == 0 && a->m[K] == 0);
    CHECK(n_base == 0 || (a->base[model.net.n_visible] != 0 && a->base_weight[model.net.n_visible] > 0));
    tern_arena_free(&arena);
}

/* A model whose settings and integers tell different rules, or whose baseline has no memory, is refused. */
static void inconsistent_models(void)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    static tern_model model;
    tern_reference *r = NULL;
    CHECK(tiny_model_make(&model, &arena, 5, 0.7, 0.9, 0.02));
    for (int n = 0; n < 5; ++n) {
        static tern_diags diags;
        tern_diags_init(&diags);
        tiny_model_rule(&model, TERN_RULE_MB, TERN_BASELINE_NEURON, 4);
        if (n == 1) model.rule.kind = TERN_RULE_GEM;
        if (n == 2) model.net.baseline = TERN_BASELINE_NONE;
        if (n == 3) model.rule.memory = 0;
        if (n == 4) model.net.rule = 9;
        CHECK_EQ(tern_reference_create(&model, K, 1, &arena, &r, &diags), n == 0 ? TERN_OK : TERN_ERR_FORMAT);
        CHECK_EQ(diags.n_errors, n == 0 ? 0 : 1);
        CHECK(n == 0 || (r == NULL && diags.list[0].code == 121));
    }
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
    model.net.learn[0].dither_bits = 21;
    model.net.learn[1].dither_bits = 14;
    int16_t *w0 = tern_arena_get(&arena, model.net.n_weights, sizeof *w0);
    w0[3] = TERN_WEIGHT_ABSENT;
    model.net.weights0 = w0;
    CHECK_EQ(tern_reference_create(&model, 1, 1, &arena, &r, NULL), TERN_OK);
    const size_t bytes = tern_state_bytes(&model.net, 1);
    CHECK_EQ(tern_state_init(&st, &model.net, tern_arena_get(&arena, bytes, 1), bytes, 1, 1), TERN_OK);
    r->weights[0] = 0.5 / 128;  /* tie: up */
    r->weights[1] = -0.5 / 128; /* tie: up */
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
typedef struct failing {
    long left, held;
} failing;

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
    static const setting sets[] = {
        { 1, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.0, 0.9, 0.02, 0, true, false, false },
        { 2, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.2, 0.9, 0.02, 0, true, false, false },
        { 3, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.9, 0.9, 0.02, 4, true, false, false },
        { 4, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.9, 0.5, 0.02, 32, false, false, false }, /* visible neurons draw */
        { 5, TERN_RULE_GEM, TERN_BASELINE_NONE, 1.0, 1.0, 0.02, 0, true, false, false },
        { 6, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.5, 0.9, 0.02, 0, true, true, false },
        { 7, TERN_RULE_GEM, TERN_BASELINE_NONE, 0.5, 0.9, 0.02, 8, false, true, true },
        { 8, TERN_RULE_MB, TERN_BASELINE_NONE, 0.5, 0.9, 0.004, 0, true, false, false },
        { 9, TERN_RULE_MB, TERN_BASELINE_NEURON, 0.0, 0.9, 0.002, 0, true, false, false },
        { 10, TERN_RULE_MB, TERN_BASELINE_NEURON, 0.9, 0.9, 0.004, 4, true, true, true },
        { 11, TERN_RULE_MB, TERN_BASELINE_SYNAPSE, 0.5, 0.9, 0.01, 0, true, false, false },
        { 12, TERN_RULE_MB, TERN_BASELINE_SYNAPSE, 1.0, 1.0, 0.0002, 0, true, true, false },
        { 13, TERN_RULE_IW, TERN_BASELINE_NONE, 0.5, 0.9, 0.002, 0, true, true, false },
        { 14, TERN_RULE_IW, TERN_BASELINE_NEURON, 0.0, 0.9, 0.01, 0, true, false, true },
        { 15, TERN_RULE_IW, TERN_BASELINE_NEURON, 0.9, 1.0, 0.0001, 0, true, false, false },
        { 16, TERN_RULE_IW, TERN_BASELINE_SYNAPSE, 0.5, 0.9, 0.002, 0, true, true, false },
        { 17, TERN_RULE_REWARD, TERN_BASELINE_NONE, 0.5, 0.9, 0.02, 0, false, false, false },
        { 18, TERN_RULE_REWARD, TERN_BASELINE_NEURON, 0.9, 0.9, 0.02, 0, false, true, false },
        { 19, TERN_RULE_REWARD, TERN_BASELINE_SYNAPSE, 0.0, 0.9, 0.02, 0, true, true, true },
    };
    for (size_t n = 0; n < sizeof sets / sizeof *sets; ++n) {
        const unsigned failed = tern_check_failed;
        compare_run(&sets[n]);
        if (tern_check_failed != failed) printf("in setting %zu\n", n + 1);
    }
    save_and_restore(TERN_RULE_GEM, TERN_BASELINE_NONE);
    save_and_restore(TERN_RULE_MB, TERN_BASELINE_NEURON);
    save_and_restore(TERN_RULE_REWARD, TERN_BASELINE_SYNAPSE);
    inconsistent_models();
    rounding();
    refused_memory();
    return tern_check_report("reference");
}
