/* test_tern_gradient.c : the rules of the reference move, on average, along the gradients that the paper derives them
 * from
 * SPDX-License-Identifier: Apache-2.0
 *
 * With gamma = kappa = 1 and one update at the end of a sequence, the mean of the update over all hidden sequences
 * h^1..h^K, each with its probability p(h||x), has to be the gradient of
 *     MB      E[v]                    v = log p(x||h), the log-probability of the visible sequence        (eq:elbo-snn)
 *     IW      E[log 1/K sum exp v^k]                                                                     (eq:iw-elbo-T)
 *     REWARD  E[r]                    for any reward r of a sequence, here a table of random numbers
 *     GEM     log p(x) = log E[exp v], but only up to an error that shrinks as 1/K                       (eq:gem-mstep)
 * and a constant baseline must not change it. The networks are so small that all sequences can be enumerated: they are
 * forced onto the engine one after the other. Probabilities and gradients come from a second evaluation of the model,
 * in long double, by central differences.
 */
#include <stdlib.h>
#include "tern/reference.h"
#include "tern_check.h"

enum {
    STEPS = 3,
    INPUTS = 2,
    FILTERS = 2,
    TAPS = 2,
    MAX_NEURONS = 5,
    MAX_PARAMETERS = 80,
    MAX_SEQUENCES = 64,
    MAX_PATTERNS = 4,
    POSITIONS = 64,
    WORDS = POSITIONS / 32,
    MAX_K = 32
};

typedef enum objective { OBJECTIVE_MB, OBJECTIVE_IW, OBJECTIVE_REWARD, OBJECTIVE_LIKELIHOOD, OBJECTIVES } objective;

typedef struct bench {
    tern_arena arena;
    tern_model model;
    uint32_t n_neurons, n_visible, n_parameters; /* weights, then biases, then self-memory weights */
    long double theta[MAX_PARAMETERS];
    uint8_t in[STEPS][INPUTS], x[STEPS][MAX_NEURONS]; /* input and visible spikes */
    /* what the hidden neurons can do in one step: bit i - n_visible */
    uint32_t n_patterns, pattern[MAX_PATTERNS];
    /* n_patterns ^ STEPS; pattern of step t: base-n_patterns digit t */
    uint32_t n_sequences;
    double reward[MAX_SEQUENCES];
    /* of an objective and of K = 1 or 2, once it was asked for */
    double gradient[OBJECTIVES][2][MAX_PARAMETERS];
    bool has_gradient[OBJECTIVES][2];
} bench;

static uint64_t next(uint64_t *s) /* xorshift64*: test data only */
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * 2685821657736338717u;
}

static double uniform(uint64_t *s) { return (double)(next(s) >> 11) / 9007199254740992.0; }

static uint32_t position(const bench *b, uint32_t i) { return i < b->n_visible ? i : 32 + i - b->n_visible; }

/* Everything is connected to everything through two filters, but for one synapse; every second neuron remembers itself.
 * circuits: neurons of the visible and of the hidden population make one winner-take-all circuit each. */
static bool bench_make(bench *b, uint64_t seed, uint32_t n_visible, uint32_t n_hidden, bool circuits)
{
    uint64_t s = seed * 77 + 5;
    memset(b, 0, sizeof *b);
    tern_arena_init(&b->arena, tern_alloc_default(), 0);
    tern_model *m = &b->model;
    const uint32_t n = b->n_neurons = n_visible + n_hidden, populations = n_visible > 0 ? 2 : 1;
    b->n_visible = n_visible;
    const uint32_t rows_each = FILTERS * (populations + 1), n_weights = n * FILTERS * (n + INPUTS);
    b->n_parameters = n_weights + 2 * n;
    uint16_t *taps = tern_arena_get(&b->arena, FILTERS * TAPS, 2), *half = tern_arena_get(&b->arena, 512, 2),
             *most = tern_arena_get(&b->arena, 512, 2), *ek = tern_arena_get(&b->arena, 1, 2);
    tern_neuron *neurons = tern_arena_get(&b->arena, n, sizeof *neurons);
    tern_row *rows = tern_arena_get(&b->arena, n * rows_each, sizeof *rows);
    int16_t *integers = tern_arena_get(&b->arena, n_weights, 2);
    double *real = tern_arena_get(&b->arena, b->n_parameters, sizeof *real);
    if (!taps || !half || !most || !ek || !neurons || !rows || !integers || !real || b->n_parameters > MAX_PARAMETERS)
        return false;
    /* tables: the reference has no use for them, but the network is checked */
    for (int e = 0; e < 512; ++e) half[e] = 4, most[e] = 65535;
    for (uint32_t f = 0; f < FILTERS; ++f) {
        m->filters[f].n_taps = TAPS;
        for (uint32_t t = 0; t < TAPS; ++t) m->filters[f].taps[t] = 0.3 + uniform(&s);
    }
    uint32_t r = 0, w = 0;
    for (uint32_t i = 0; i < n; ++i) {
        neurons[i] = (tern_neuron){ .pos = position(b, i),
                                    .row0 = r,
                                    .self_filter = (uint8_t)(i % 2 == 0 ? i / 2 % FILTERS : TERN_NO_FILTER) };
        const bool visible = i < n_visible;
        const uint32_t size = visible ? n_visible : n_hidden;
        if (circuits && size >= 2) {
            neurons[i].wta_size = (uint8_t)size;
            neurons[i].wta_index = (uint8_t)(visible ? i : i - n_visible);
        }
        uint32_t dither = 32;
        for (uint32_t kind = 2; kind-- > 0;) /* rows from neurons, then from inputs */
            for (uint32_t f = 0; f < FILTERS; ++f)
                for (uint32_t p = kind == TERN_ROW_SAMPLE ? 2 - populations : 1; p < 2; ++p, dither += 32) {
                    const uint32_t count = kind == TERN_ROW_SHARED ? INPUTS : p == 0 ? n_visible : n_hidden;
                    rows[r++] =
                        (tern_row){ w, kind == TERN_ROW_SHARED ? 0 : 32 * p, count, dither, (uint8_t)f, (uint8_t)kind };
                    for (uint32_t j = 0; j < count; ++j) real[w++] = 2 * uniform(&s) - 1;
                }
        neurons[i].n_rows = r - neurons[i].row0;
        real[n_weights + i] = 1.5 * uniform(&s) - 1;
        real[n_weights + n + i] = i % 2 == 0 ? 2 * uniform(&s) - 1 : 0;
    }
    integers[5] = TERN_WEIGHT_ABSENT;
    real[5] = NAN;
    for (uint32_t q = 0; q < b->n_parameters; ++q) b->theta[q] = isnan(real[q]) ? 0 : real[q];
    for (int t = 0; t < STEPS; ++t) {
        for (int j = 0; j < INPUTS; ++j) b->in[t][j] = next(&s) % 2 == 0;
        const uint32_t chosen = (uint32_t)(next(&s) % (n_visible + 1));
        for (uint32_t i = 0; i < n_visible; ++i)
            b->x[t][i] = circuits && n_visible >= 2 ? i == chosen : next(&s) % 2 == 0;
    }
    for (uint32_t bits = 0; bits < 1u << n_hidden; ++bits)
        if (!circuits || (bits & (bits - 1)) == 0) b->pattern[b->n_patterns++] = bits;
    b->n_sequences = b->n_patterns * b->n_patterns * b->n_patterns;
    if (b->n_sequences > MAX_SEQUENCES) return false;
    for (uint32_t h = 0; h < b->n_sequences; ++h) b->reward[h] = 4 * uniform(&s) - 2;
    m->n_filters = FILTERS;
    m->rule = (tern_rule){ .eta = 1, .eta_divide = 1, .gamma = 1, .kappa = 1, .samples = 1, .memory = 8 };
    m->net = (tern_net){ .n_inputs_pos = 32,
                         .n_neurons_pos = POSITIONS,
                         .n_neurons = n,
                         .n_visible = n_visible,
                         .n_rows = r,
                         .n_weights = n_weights,
                         .n_filters = FILTERS,
                         .taps_d = TAPS,
                         .lags_w = 1,
                         .trace_frac = 8,
                         .weight_bits = 16,
                         .weight_frac = 12,
                         .baseline_shift = 3,
                         .learn = { { .c_shift = 15, .c_frac = 20, .dither_bits = 16, .local_bits = 16 },
                                    { .c_shift = 15, .c_frac = 20, .dither_bits = 16, .local_bits = 16 } },
                         .n_samples = 1,
                         .filter_taps = taps,
                         .sig_f16 = half,
                         .softplus_f12 = half,
                         .exp_f16 = most,
                         .log_f12 = half,
                         .neurons = neurons,
                         .rows = rows,
                         .ek0 = ek,
                         .kap_f15 = ek,
                         .weights0 = integers,
                         .bias0_f12 = integers,
                         .self0_f12 = integers };
    m->real_weights0 = real;
    m->real_bias0 = real + n_weights;
    m->real_self0 = real + n_weights + n;
    return true;
}

static uint32_t pattern_at(const bench *b, uint32_t sequence, int t)
{
    for (; t > 0; --t) sequence /= b->n_patterns;
    return b->pattern[sequence % b->n_patterns];
}

/* Spike of neuron i at step t, visible ones as x, hidden ones as the sequence says. */
static int spike(const bench *b, const uint8_t x[STEPS][MAX_NEURONS], uint32_t sequence, int t, uint32_t i)
{
    return i < b->n_visible ? x[t][i] : (int)(pattern_at(b, sequence, t) >> (i - b->n_visible) & 1);
}

typedef struct probability {
    long double visible, hidden;
} probability; /* logarithms: v = log p(x||h), log p(h||x) */

/* Second evaluation of the model, from its definition. score: NULL, or the gradient of visible + hidden, by hand: (s -
 * p) x. */
static probability evaluate(const bench *b, const long double *theta, const uint8_t x[STEPS][MAX_NEURONS],
                            uint32_t sequence, double *score)
{
    const tern_net *net = &b->model.net;
    probability sum = { 0, 0 };
    long double u[MAX_NEURONS], trace[MAX_PARAMETERS];
    for (uint32_t q = 0; score != NULL && q < b->n_parameters; ++q) score[q] = 0;
    for (int t = 0; t < STEPS; ++t) {
        for (uint32_t i = 0; i < b->n_neurons; ++i) {
            const tern_neuron *n = &net->neurons[i];
            const uint32_t bias = net->n_weights + i, self = bias + b->n_neurons;
            trace[bias] = 1;
            trace[self] = 0;
            for (int tau = 1; tau <= TAPS && tau <= t && n->self_filter != TERN_NO_FILTER; ++tau)
                trace[self] +=
                    (long double)b->model.filters[n->self_filter].taps[tau - 1] * spike(b, x, sequence, t - tau, i);
            u[i] = theta[bias] + theta[self] * trace[self];
            for (uint32_t r = n->row0; r < n->row0 + n->n_rows; ++r)
                for (uint32_t j = 0; j < net->rows[r].count; ++j) {
                    const tern_row *row = &net->rows[r];
                    const uint32_t w = row->weight + j, from = row->first == 32 ? b->n_visible + j : j;
                    trace[w] = 0;
                    for (int tau = 1; tau <= TAPS && tau <= t && net->weights0[w] != TERN_WEIGHT_ABSENT; ++tau)
                        trace[w] +=
                            (long double)b->model.filters[row->filter].taps[tau - 1] *
                            (row->kind == TERN_ROW_SHARED ? b->in[t - tau][j] : spike(b, x, sequence, t - tau, from));
                    u[i] += theta[w] * trace[w];
                }
        }
        for (uint32_t i = 0; i < b->n_neurons;) {
            const uint32_t size = net->neurons[i].wta_size == 0 ? 1 : net->neurons[i].wta_size;
            long double odds = 1, chosen = 0; /* of silence */
            for (uint32_t c = i; c < i + size; ++c) {
                odds += expl(u[c]);
                if (spike(b, x, sequence, t, c)) chosen = u[c];
            }
            *(i < b->n_visible ? &sum.visible : &sum.hidden) += chosen - logl(odds);
            for (uint32_t c = i; c < i + size; ++c) {
                const long double e = spike(b, x, sequence, t, c) - expl(u[c]) / odds;
                if (score == NULL) continue;
                score[net->n_weights + c] += (double)e;
                score[net->n_weights + b->n_neurons + c] += (double)(e * trace[net->n_weights + b->n_neurons + c]);
                const uint32_t w0 = net->rows[net->neurons[c].row0].weight, w1 = w0 + FILTERS * (b->n_neurons + INPUTS);
                for (uint32_t w = w0; w < w1; ++w) score[w] += (double)(e * trace[w]);
            }
            i += size;
        }
    }
    return sum;
}

/* E[f(h^1..h^K)] over all sequences. K = 1 or 2. */
static long double bound(const bench *b, objective what, uint32_t K, const long double *theta)
{
    static long double v[MAX_SEQUENCES], p[MAX_SEQUENCES], likely[MAX_SEQUENCES];
    long double sum = 0;
    for (uint32_t h = 0; h < b->n_sequences; ++h) {
        const probability at = evaluate(b, theta, b->x, h, NULL);
        v[h] = at.visible;
        p[h] = expl(at.hidden);
        likely[h] = what == OBJECTIVE_LIKELIHOOD || K == 2 ? expl(v[h]) : 0;
    }
    for (uint32_t h = 0; h < b->n_sequences; ++h) {
        if (what == OBJECTIVE_MB) sum += p[h] * v[h];
        else if (what == OBJECTIVE_REWARD) sum += p[h] * b->reward[h];
        else if (what == OBJECTIVE_LIKELIHOOD) sum += p[h] * likely[h];
        else if (K == 1) sum += p[h] * v[h];
        else /* a pair stands for both of its orders */
            for (uint32_t g = 0; g <= h; ++g) sum += (g == h ? 1 : 2) * p[h] * p[g] * logl((likely[h] + likely[g]) / 2);
    }
    return what == OBJECTIVE_LIKELIHOOD ? logl(sum) : sum;
}

/* Central differences of sixth order: with h = 1e-3 their error is far below 1e-15. */
static void gradient(bench *b, objective what, uint32_t K, double *out)
{
    double *known = b->gradient[what][K - 1];
    if (b->has_gradient[what][K - 1]) {
        memcpy(out, known, MAX_PARAMETERS * sizeof *out);
        return;
    }
    static const long double weight[3] = { 45, -9, 1 };
    long double theta[MAX_PARAMETERS];
    const long double h = 1e-3L;
    memcpy(theta, b->theta, sizeof theta);
    for (uint32_t q = 0; q < b->n_parameters; ++q) {
        long double sum = 0;
        for (int n = 1; n <= 3; ++n) {
            theta[q] = b->theta[q] + n * h;
            sum += weight[n - 1] * bound(b, what, K, theta);
            theta[q] = b->theta[q] - n * h;
            sum -= weight[n - 1] * bound(b, what, K, theta);
        }
        theta[q] = b->theta[q];
        out[q] = (double)(sum / (60 * h));
    }
    memcpy(known, out, MAX_PARAMETERS * sizeof *out);
    b->has_gradient[what][K - 1] = true;
}

/* What is done wrong on purpose, to see that the comparison notices. */
typedef enum fault { FAULT_NONE, FAULT_SIGN, FAULT_NO_SHARE, FAULT_MOVING_BASELINE, FAULT_KAPPA, FAULT_GAMMA } fault;

typedef struct trial {
    tern_rule_kind rule;
    tern_baseline_kind baseline;
    uint32_t K;
    fault wrong;
} trial;

static tern_reference *engine(bench *b, const trial *t)
{
    tern_reference *ref = NULL;
    b->model.rule.kind = b->model.net.rule = (uint8_t)t->rule;
    b->model.rule.baseline = b->model.net.baseline = (uint8_t)t->baseline;
    CHECK_EQ(tern_reference_create(&b->model, t->K, 1, &b->arena, &ref, NULL), TERN_OK);
    return ref;
}

/* The engine at theta, before its first step. Baselines: other constants for every neuron or parameter, with so much
 * weight that nothing moves them. */
static void start(const bench *b, const trial *t, tern_reference *ref, uint32_t first_sequence)
{
    const uint32_t n_weights = b->model.net.n_weights;
    tern_reference_clear(ref);
    ref->step = 0;
    ref->eta = 0;
    if (t->wrong == FAULT_KAPPA) ref->kappa = 0.9;
    if (t->wrong == FAULT_GAMMA) ref->gamma = 0.9;
    for (uint32_t q = 0; q < b->n_parameters; ++q)
        *(q < n_weights                  ? &ref->weights[q]
          : q < n_weights + b->n_neurons ? &ref->bias[q - n_weights]
                                         : &ref->self[q - n_weights - b->n_neurons]) = (double)b->theta[q];
    for (size_t q = 0; q < tern_net_baselines(&b->model.net); ++q) {
        ref->base[q] =
            -2 + 0.37 * (double)(q % 11) + (t->wrong == FAULT_MOVING_BASELINE ? 0.1 * (double)(first_sequence % 7) : 0);
        ref->base_weight[q] = 1e200;
    }
}

static void inputs_of(const bench *b, int t, uint32_t *in, uint32_t *targets, const uint8_t x[STEPS][MAX_NEURONS])
{
    *in = 0;
    memset(targets, 0, WORDS * sizeof *targets);
    for (uint32_t j = 0; j < INPUTS; ++j) *in |= (uint32_t)b->in[t][j] << j;
    for (uint32_t i = 0; i < b->n_visible; ++i) targets[0] |= (uint32_t)x[t][i] << i;
}

/* Adds scale times what the update changed. */
static void collect(const bench *b, const tern_reference *ref, double scale, double *sum)
{
    const uint32_t n_weights = b->model.net.n_weights, n = b->n_neurons;
    for (uint32_t q = 0; q < b->n_parameters; ++q)
        sum[q] += scale * ((q < n_weights       ? ref->weights[q]
                            : q < n_weights + n ? ref->bias[q - n_weights]
                                                : ref->self[q - n_weights - n]) -
                           (double)b->theta[q]);
}

/* Runs the engine on the sequences h[0..K-1]; the only update is the last step's, with eta = 1. h NULL: it draws. */
static void run_once(const bench *b, const trial *t, tern_reference *ref, const uint8_t x[STEPS][MAX_NEURONS],
                     const uint32_t *h, const double *reward)
{
    uint32_t in, targets[WORDS], forced[MAX_K * WORDS] = { 0 };
    start(b, t, ref, h == NULL ? 0 : h[0]);
    for (int step = 0; step < STEPS; ++step) {
        for (uint32_t k = 0; h != NULL && k < t->K; ++k) forced[k * WORDS + 1] = pattern_at(b, h[k], step);
        ref->forced = h == NULL ? NULL : forced;
        inputs_of(b, step, &in, targets, x);
        const double eta = t->wrong == FAULT_SIGN ? -1.0 : t->wrong == FAULT_NO_SHARE ? (double)t->K : 1.0;
        if (step == STEPS - 1 && t->rule != TERN_RULE_REWARD) ref->eta = eta;
        tern_reference_step(ref, &in, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        ref->eta = step == STEPS - 1 ? eta : 0; /* with a reward, a step's update is still to come */
    }
    ref->forced = NULL;
    if (reward != NULL) tern_reference_reward(ref, reward);
    tern_reference_flush(ref);
}

/* Mean of the update over all tuples of K sequences. */
static void mean_update(bench *b, const trial *t, double *mean)
{
    tern_reference *ref = engine(b, t);
    static double p[MAX_SEQUENCES];
    uint32_t tuples = 1, h[MAX_K];
    for (uint32_t q = 0; q < b->n_sequences; ++q) p[q] = (double)expl(evaluate(b, b->theta, b->x, q, NULL).hidden);
    for (uint32_t k = 0; k < t->K; ++k) tuples *= b->n_sequences;
    memset(mean, 0, MAX_PARAMETERS * sizeof *mean);
    for (uint32_t n = 0; ref != NULL && n < tuples; ++n) {
        uint32_t rest = n;
        double weight = 1, reward[MAX_K];
        for (uint32_t k = 0; k < t->K; ++k, rest /= b->n_sequences) {
            h[k] = rest % b->n_sequences;
            weight *= p[h[k]];
            reward[k] = b->reward[h[k]];
        }
        run_once(b, t, ref, b->x, h, reward);
        collect(b, ref, weight, mean);
    }
}

/* Largest difference of two vectors, in units of the largest component of the second. */
static double difference(const bench *b, const double *a, const double *of)
{
    double most = 0, size = 0;
    for (uint32_t q = 0; q < b->n_parameters; ++q) {
        most = fmax(most, fabs(a[q] - of[q]));
        size = fmax(size, fabs(of[q]));
    }
    return most / size;
}

static double length(const bench *b, const double *a)
{
    double sum = 0;
    for (uint32_t q = 0; q < b->n_parameters; ++q) sum += a[q] * a[q];
    return sqrt(sum);
}

static const char *const rule_name[] = { "GEM", "MB", "IW", "REWARD" }, *const baseline_name[] = { "none", "per neuron",
                                                                                                   "per synapse" };

/* MB, IW and REWARD: the mean is the gradient. */
static void check_gradients(bench *b, const char *what)
{
    static const struct {
        tern_rule_kind rule;
        objective of;
    } rules[] = { { TERN_RULE_MB, OBJECTIVE_MB },
                  { TERN_RULE_IW, OBJECTIVE_IW },
                  { TERN_RULE_REWARD, OBJECTIVE_REWARD } };
    double exact[MAX_PARAMETERS], mean[MAX_PARAMETERS];
    for (size_t n = 0; n < 3; ++n)
        for (uint32_t K = 1; K <= 2; ++K) {
            /* REWARD moves visible neurons, too: see all_drawn() */
            if (rules[n].rule == TERN_RULE_REWARD ? b->n_visible > 0 : b->n_visible == 0) continue;
            gradient(b, rules[n].of, K, exact);
            CHECK(length(b, exact) > 0.1);
            for (unsigned base = 0; base < 3; ++base) {
                trial t = { rules[n].rule, (tern_baseline_kind)base, K, FAULT_NONE };
                mean_update(b, &t, mean);
                const double off = difference(b, mean, exact);
                printf("%-8s %-6s K = %u, baseline %-11s  mean update - gradient: %.1e of the gradient\n", what,
                       rule_name[t.rule], K, baseline_name[base], off);
                CHECK(off < 1e-9);
                CHECK(mean[5] == 0); /* the absent synapse */
            }
        }
}

/* The comparison must notice errors of the kinds that such rules get wrong. */
static void check_faults(bench *b)
{
    static const struct {
        trial t;
        objective of;
        const char *what;
    } wrong[] = {
        { { TERN_RULE_MB, TERN_BASELINE_NONE, 2, FAULT_SIGN }, OBJECTIVE_MB, "sign of the update" },
        { { TERN_RULE_MB, TERN_BASELINE_NONE, 2, FAULT_NO_SHARE }, OBJECTIVE_MB, "MB without 1/K" },
        { { TERN_RULE_MB, TERN_BASELINE_NEURON, 1, FAULT_MOVING_BASELINE },
          OBJECTIVE_MB,
          "a baseline that depends on the sample" },
        { { TERN_RULE_IW, TERN_BASELINE_SYNAPSE, 2, FAULT_MOVING_BASELINE },
          OBJECTIVE_IW,
          "the same, per synapse, IW" },
        { { TERN_RULE_MB, TERN_BASELINE_NONE, 2, FAULT_KAPPA }, OBJECTIVE_MB, "averages that forget" },
        { { TERN_RULE_IW, TERN_BASELINE_NONE, 2, FAULT_GAMMA }, OBJECTIVE_IW, "log-probabilities that forget" },
        { { TERN_RULE_MB, TERN_BASELINE_NONE, 2, FAULT_NONE }, OBJECTIVE_IW, "MB for IW" },
        { { TERN_RULE_IW, TERN_BASELINE_NONE, 2, FAULT_NONE }, OBJECTIVE_MB, "IW for MB" },
        { { TERN_RULE_GEM, TERN_BASELINE_NONE, 2, FAULT_NONE }, OBJECTIVE_IW, "GEM for IW" },
    };
    double exact[MAX_PARAMETERS], mean[MAX_PARAMETERS];
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
        gradient(b, wrong[n].of, wrong[n].t.K, exact);
        mean_update(b, &wrong[n].t, mean);
        const double off = difference(b, mean, exact);
        printf("wrong on purpose: %-40s %.1e of the gradient\n", wrong[n].what, off);
        CHECK(off > 1e-3);
    }
}

/* REWARD with visible neurons that draw like the hidden ones: both are enumerated, the visible spikes by way of the
 * targets. K = 1. */
static void all_drawn(bench *b)
{
    const uint32_t n_visible_sequences = 1u << (STEPS * b->n_visible);
    static double reward[64][MAX_SEQUENCES];
    double mean[MAX_PARAMETERS] = { 0 }, exact[MAX_PARAMETERS] = { 0 }, score[MAX_PARAMETERS];
    const trial t = { TERN_RULE_REWARD, TERN_BASELINE_NEURON, 1, FAULT_NONE };
    tern_reference *ref = engine(b, &t);
    uint64_t s = 99;
    if (ref == NULL || n_visible_sequences > 64) {
        CHECK(0);
        return;
    }
    double total = 0;
    for (uint32_t n = 0; n < n_visible_sequences; ++n)
        for (uint32_t h = 0; h < b->n_sequences; ++h) {
            uint8_t x[STEPS][MAX_NEURONS] = { { 0 } };
            for (uint32_t bit = 0; bit < STEPS * b->n_visible; ++bit)
                x[bit / b->n_visible][bit % b->n_visible] = n >> bit & 1;
            reward[n][h] = 4 * uniform(&s) - 2;
            const probability at = evaluate(b, b->theta, x, h, score);
            const double p = (double)expl(at.visible + at.hidden);
            total += p;
            /* the gradient of E[r] */
            for (uint32_t q = 0; q < b->n_parameters; ++q) exact[q] += p * reward[n][h] * score[q];
            run_once(b, &t, ref, x, &h, &reward[n][h]);
            collect(b, ref, p, mean);
        }
    CHECK_NEAR(total, 1, 1e-12);
    const double off = difference(b, mean, exact);
    printf("all      REWARD K = 1, visible neurons drawn too     mean update - gradient: %.1e of the gradient\n", off);
    CHECK(off < 1e-9);
}

/* Hidden sequences that the engine drew itself. */
static void drawn(const bench *b, const tern_reference *ref, uint32_t step, uint32_t *h)
{
    uint32_t unit = 1;
    for (uint32_t n = 0; n < step; ++n) unit *= b->n_patterns;
    for (uint32_t k = 0; k < ref->n_samples; ++k)
        for (uint32_t p = 0; p < b->n_patterns; ++p)
            if (b->pattern[p] == ref->spikes[k * WORDS + 1]) h[k] += p * unit;
}

/* GEM: the error of its mean update as an estimate of the gradient of log p(x). Enumerated while there are few tuples
 * of sequences, beyond from many runs with the engine's own draws.
 * There  (update - gradient) - 1/K sum_k exp(v^k) (score^k - gradient) / p(x)  is averaged: the second term has mean 0
 * and takes most of the noise away. */
static void check_gem(bench *b)
{
    enum { RUNS = TERN_DRAWN(6000, 1500), MAX_TUPLES = 20000 };
    double exact[MAX_PARAMETERS], mean[MAX_PARAMETERS], log_k[8], log_error[8];
    static double score[MAX_SEQUENCES][MAX_PARAMETERS], w[MAX_SEQUENCES];
    unsigned n = 0;
    gradient(b, OBJECTIVE_LIKELIHOOD, 1, exact);
    const double size = length(b, exact), p_x = (double)expl(bound(b, OBJECTIVE_LIKELIHOOD, 1, b->theta));
    for (uint32_t h = 0; h < b->n_sequences; ++h)
        w[h] = (double)expl(evaluate(b, b->theta, b->x, h, score[h]).visible) / p_x;
    printf("GEM: mean update against the gradient of log p(x), of length %.3f\n      K   error   K error   from\n",
           size);
    double last = 1e9;
    for (uint32_t K = 1; K <= MAX_K; K = K < 4 ? K + 1 : 2 * K) {
        const trial t = { TERN_RULE_GEM, TERN_BASELINE_NONE, K, FAULT_NONE };
        const bool all = pow(b->n_sequences, K) <= MAX_TUPLES;
        if (all) {
            mean_update(b, &t, mean);
            for (uint32_t q = 0; q < b->n_parameters; ++q) mean[q] -= exact[q];
        } else {
            tern_reference *ref = engine(b, &t);
            memset(mean, 0, sizeof mean);
            for (uint32_t run = 0; ref != NULL && run < RUNS; ++run) {
                uint32_t in, targets[WORDS], h[MAX_K] = { 0 };
                ref->seed = 1 + run;
                start(b, &t, ref, 0);
                for (int step = 0; step < STEPS; ++step) {
                    inputs_of(b, step, &in, targets, b->x);
                    if (step == STEPS - 1) ref->eta = 1;
                    tern_reference_step(ref, &in, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
                    drawn(b, ref, (uint32_t)step, h);
                }
                collect(b, ref, 1.0 / RUNS, mean);
                for (uint32_t q = 0; q < b->n_parameters; ++q) {
                    mean[q] -= exact[q] / RUNS;
                    for (uint32_t k = 0; k < K; ++k) mean[q] -= w[h[k]] * (score[h[k]][q] - exact[q]) / K / RUNS;
                }
            }
        }
        const double error = length(b, mean) / size;
        printf("    %3u   %.4f   %.3f    %s\n", K, error, K * error, all ? "all sequences" : "draws");
        CHECK(error < last);
        last = error;
        if (K < 4) continue;
        log_k[n] = log((double)K);
        log_error[n++] = log(error);
    }
    double mk = 0, me = 0, cov = 0, var = 0;
    for (unsigned i = 0; i < n; ++i) {
        mk += log_k[i] / n;
        me += log_error[i] / n;
    }
    for (unsigned i = 0; i < n; ++i) {
        cov += (log_k[i] - mk) * (log_error[i] - me);
        var += (log_k[i] - mk) * (log_k[i] - mk);
    }
    printf("slope of log error over log K from K = 4: %.3f (1/K: -1)\n", cov / var);
    CHECK_NEAR(cov / var, -1, 0.1);
}

int main(void)
{
    static bench plain, circuits, hidden, hidden_circuit;
    CHECK(bench_make(&plain, 1, 2, 2, false));
    CHECK(bench_make(&circuits, 2, 2, 2, true));
    CHECK(bench_make(&hidden, 3, 0, 2, false));
    CHECK(bench_make(&hidden_circuit, 4, 0, 3, true));
    check_gradients(&plain, "plain");
    check_gradients(&circuits, "circuits");
    check_gradients(&hidden, "hidden");
    check_gradients(&hidden_circuit, "hid.circ");
    all_drawn(&plain);
    check_faults(&plain);
    if (TERN_DRAWN(true, false)) check_gem(&plain);
    check_gem(&circuits);
    bench *all[] = { &plain, &circuits, &hidden, &hidden_circuit };
    for (int n = 0; n < 4; ++n) tern_arena_free(&all[n]->arena);
    return tern_check_report("gradient");
}
