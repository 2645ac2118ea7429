/* trace.c : see trace.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "trace.h"
#include <inttypes.h>
#include <stdlib.h>
#include "tern_baseline.h"
#include "tern_history.h"
#include "tern_kernel.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_signal.h"
#include "tern_trace.h"
#include "tern_weight.h"

typedef struct tracer {
    const tern_state *st; /* before the step */
    const tern_net *net;
    tern_state after; /* the golden model's */
    uint32_t i;       /* current neuron */
    bool signal;      /* it learns from w */
    uint32_t s_word;
    int16_t c[TERN_MAX_SAMPLES][TERN_MAX_HISTORY];
    uint64_t nowhere; /* counts of limited values */
    bool same;        /* so far all as in `after` */
    FILE *f;
} tracer;

static const uint16_t *taps_of(const tracer *t, unsigned filter)
{
    return t->net->filter_taps + (size_t)filter * t->net->taps_d;
}

static unsigned bit(const uint32_t *words, uint32_t pos) { return words[pos / 32] >> pos % 32 & 1u; }

/* With the spikes of the last step taken in. */
static uint64_t history(const tracer *t, bool shared, uint32_t k, uint32_t pos)
{
    const tern_net *n = t->net;
    const uint64_t h = shared ? t->st->hist_in[pos] : t->st->hist_neuron[(size_t)k * n->n_neurons_pos + pos];
    const uint32_t *last = shared ? t->st->spikes_in : t->st->spikes + (size_t)k * (n->n_neurons_pos / 32u);
    return tern_history_step(h, bit(last, pos), (unsigned)n->taps_d + n->lags_w);
}

static int16_t error_at(const tracer *t, uint32_t k, unsigned d)
{
    const unsigned w = t->net->lags_w;
    return t->st->errors_f15[((size_t)t->i * t->st->n_samples + k) * w + (t->st->lag_head + w - 1u - d) % w];
}

static void expect(tracer *t, int64_t value, int64_t golden) { t->same = t->same && value == golden; }

/* ---- the update -------------------------------------------------------------------------------------------------- */

static void coefficients(tracer *t)
{
    const tern_state *st = t->st;
    const tern_net *n = t->net;
    const bool average = t->signal && n->baseline == TERN_BASELINE_NEURON;
    for (uint32_t k = 0; k < st->n_samples; ++k) {
        const int16_t m =
            t->signal ? tern_signal_modulator(st->w_f12[k], average ? st->base_f12[t->i] : 0, n->m_shift, &t->nowhere)
                      : st->m_f14[k];
        fprintf(t->f, "%s m neuron %u sample %u = %d\n", t->signal ? "N-19" : "4", t->i, k, m);
        for (unsigned d = 0; d < n->lags_w; ++d) {
            const int16_t e = error_at(t, k, d);
            const uint8_t c_shift = n->learn[t->signal].c_shift;
            t->c[k][d] = tern_kernel_coefficient(m, e, st->ek[d], c_shift, &t->nowhere);
            fprintf(t->f, "8b e neuron %u sample %u lag %u = %d\n", t->i, k, d, e);
            fprintf(t->f, "N-11 g neuron %u sample %u lag %u = %d\n", t->i, k, d,
                    tern_saturate(tern_round_shift((int64_t)m * e, 14), 16, &t->nowhere));
            fprintf(t->f, "N-12 c neuron %u sample %u lag %u = %d\n", t->i, k, d, t->c[k][d]);
        }
    }
}

static void baseline(tracer *t)
{
    const tern_state *st = t->st;
    const tern_net *n = t->net;
    const uint32_t n_g = n->rule == TERN_RULE_IW ? 1 : st->n_samples;
    const tern_baseline old = { st->base_f12[t->i], st->base_weight[t->i] };
    int64_t sum[TERN_MAX_SAMPLES] = { 0 }, moved = 0;
    int16_t g[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned d = 0; d < n->lags_w; ++d) sum[k % n_g] += n->kap_f15[d] * (int64_t)error_at(t, k, d);
    for (uint32_t k = 0; k < n_g; ++k) {
        g[k] = tern_baseline_error(sum[k], 21);
        const int64_t q = tern_round_shift((int64_t)g[k] * g[k], 4);
        moved += q * ((int64_t)st->w_f12[k] - old.b_f12);
        fprintf(t->f, "N-20 g neuron %u sample %u = %d\n", t->i, k, g[k]);
        fprintf(t->f, "N-20 q neuron %u sample %u = %" PRId64 "\n", t->i, k, q);
    }
    const tern_baseline now = tern_baseline_step(old, g, st->w_f12, n_g, n->baseline_shift);
    fprintf(t->f, "N-20 n neuron %u = %" PRId64 "\n", t->i, moved);
    fprintf(t->f, "N-20 D neuron %u = %" PRIu32 "\n", t->i, now.weight);
    fprintf(t->f, "N-20 b neuron %u = %" PRId32 "\n", t->i, now.b_f12);
    expect(t, now.b_f12, t->after.base_f12[t->i]);
    expect(t, now.weight, t->after.base_weight[t->i]);
}

/* Kernel of one filter in sample k, or of all samples together. */
static void kernel(const tracer *t, unsigned filter, uint32_t k, bool all, int64_t *out)
{
    int32_t c[TERN_MAX_HISTORY] = { 0 };
    for (uint32_t j = all ? 0 : k; j < (all ? t->st->n_samples : k + 1); ++j)
        for (unsigned d = 0; d < t->net->lags_w; ++d) c[d] += t->c[j][d];
    tern_kernel_taps(c, t->net->lags_w, taps_of(t, filter), t->net->taps_d, out);
}

static void kernels(tracer *t)
{
    int64_t f[TERN_MAX_HISTORY];
    for (unsigned b = 0; b < t->net->n_filters; ++b)
        for (uint32_t k = 0; k <= t->st->n_samples; ++k) {
            const bool all = k == t->st->n_samples;
            kernel(t, b, k, all, f);
            for (unsigned q = 1; q < (unsigned)t->net->taps_d + t->net->lags_w; ++q) {
                fprintf(t->f, "N-13 f neuron %u filter %u", t->i, b);
                if (!all) fprintf(t->f, " sample %u", k);
                fprintf(t->f, " q %u = %" PRId64 "\n", q, f[q - 1]);
            }
        }
}

/* N-13: kernel form. */
static int64_t change(const tracer *t, bool shared, unsigned filter, uint32_t pos)
{
    const unsigned n_kernel = (unsigned)t->net->taps_d + t->net->lags_w - 1u;
    int64_t f[TERN_MAX_HISTORY], dw = 0;
    for (uint32_t k = 0; k < (shared ? 1 : t->st->n_samples); ++k) {
        kernel(t, filter, k, shared, f);
        dw += tern_weight_kernel_sum(history(t, shared, k, pos), f, n_kernel);
    }
    return dw;
}

/* N-14 to N-16 of one parameter. */
static void step_one(tracer *t, const char *name, uint32_t at, int16_t old, int16_t golden, int64_t dw, uint32_t idx)
{
    const tern_learn *learn = &t->net->learn[t->signal];
    const bool weight = name[0] == 'w';
    const unsigned bits = weight ? learn->dither_bits : learn->local_bits;
    const uint32_t r = tern_weight_dither(idx, t->s_word, bits);
    fprintf(t->f, "5 old %s %u = %d\nN-13 dw %s %u = %" PRId64 "\n", name, at, old, name, at, dw);
    if (dw == 0) {
        expect(t, old, golden);
        return;
    }
    const int16_t now = tern_weight_step(old, dw, r, bits, weight ? t->net->weight_bits : 16, &t->nowhere);
    fprintf(t->f, "N-14 idx %s %u = %" PRIu32 "\nN-14 r %s %u = %" PRIu32 "\n", name, at, idx, name, at, r);
    fprintf(t->f, "N-15 w %s %u = %d\n", name, at, now);
    expect(t, now, golden);
}

static void update(tracer *t)
{
    const tern_state *st = t->st;
    const tern_net *n = t->net;
    const tern_neuron *neuron = &n->neurons[t->i];
    uint32_t words[2];
    int64_t d_bias = 0;
    tern_random_block(st->seed, st->step, TERN_DRAW_DITHER, 0, t->i, words);
    t->s_word = words[0];
    fprintf(t->f, "7 S neuron %u = %" PRIu32 "\n", t->i, t->s_word);
    coefficients(t);
    if (t->signal && n->baseline == TERN_BASELINE_NEURON) baseline(t);
    kernels(t);
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (unsigned d = 0; d < n->lags_w; ++d) d_bias += t->c[k][d] * ((int64_t)1 << n->trace_frac);
    step_one(t, "bias", t->i, st->bias_f12[t->i], t->after.bias_f12[t->i], d_bias, TERN_DITHER_BIAS);
    if (neuron->self_filter != TERN_NO_FILTER)
        step_one(t, "self", t->i, st->self_f12[t->i], t->after.self_f12[t->i],
                 change(t, false, neuron->self_filter, neuron->pos), TERN_DITHER_SELF);
    for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        for (uint32_t j = 0; j < row->count; ++j) {
            const uint32_t at = row->weight + j, idx = row->dither + row->first % TERN_POS_ALIGN + j;
            if (st->weights[at] == TERN_WEIGHT_ABSENT) continue;
            step_one(t, "weight", at, st->weights[at], t->after.weights[at],
                     change(t, row->kind == TERN_ROW_SHARED, row->filter, row->first + j), idx);
        }
    }
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* N-1, N-2 with the weights after the update. */
static int64_t accumulate(tracer *t, uint32_t k)
{
    const tern_net *n = t->net;
    const tern_neuron *neuron = &n->neurons[t->i];
    uint32_t x = 0;
    if (neuron->self_filter != TERN_NO_FILTER) {
        const uint64_t h = history(t, false, k, neuron->pos);
        x = tern_trace(h, 0, taps_of(t, neuron->self_filter), n->taps_d);
        fprintf(t->f, "8 h self %u sample %u = %" PRIx64 "\n", t->i, k, h);
        fprintf(t->f, "N-1 x self %u sample %u = %" PRIu32 "\n", t->i, k, x);
    }
    int64_t acc = tern_potential_local(t->after.bias_f12[t->i], t->after.self_f12[t->i], x, n->trace_frac);
    for (uint32_t r = neuron->row0; r < neuron->row0 + neuron->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        for (uint32_t j = 0; j < row->count; ++j) {
            const int16_t w = t->after.weights[row->weight + j];
            if (w == TERN_WEIGHT_ABSENT) continue;
            const uint64_t h = history(t, row->kind == TERN_ROW_SHARED, k, row->first + j);
            x = tern_trace(h, 0, taps_of(t, row->filter), n->taps_d);
            fprintf(t->f, "8 h weight %u sample %u = %" PRIx64 "\n", row->weight + j, k, h);
            fprintf(t->f, "N-1 x weight %u sample %u = %" PRIu32 "\n", row->weight + j, k, x);
            acc += tern_potential_scale((int64_t)w * x, n->weight_frac, n->trace_frac);
        }
    }
    return acc;
}

static void fire(tracer *t, uint32_t k, const uint32_t *targets, unsigned flags, uint32_t *loss)
{
    const tern_net *n = t->net;
    const uint32_t pos = n->neurons[t->i].pos, sample = t->st->k0 + k;
    const bool clamp = t->i < n->n_visible && (flags & TERN_STEP_CLAMP) != 0;
    uint32_t words[2];
    bool limited;
    const int64_t acc = accumulate(t, k);
    tern_random_block(t->st->seed, t->st->step, TERN_DRAW_SPIKE, sample >> 2, t->i, words);
    const uint16_t draw = (uint16_t)(clamp ? 0 : words[sample >> 1 & 1u] >> 16 * (sample & 1u) & 0xffffu);
    const tern_neuron_in in = { tern_potential_round(acc, &limited), draw, clamp, clamp && bit(targets, pos) };
    const tern_neuron_out out = tern_neuron_step(in, n->sig_f16, n->softplus_f12);
    fprintf(t->f, "N-2 acc neuron %u sample %u = %" PRId64 "\n", t->i, k, acc);
    fprintf(t->f, "N-3 u neuron %u sample %u = %" PRId32 "\n", t->i, k, in.u_f8);
    fprintf(t->f, "7 draw neuron %u sample %u = %u\n", t->i, k, draw);
    fprintf(t->f, "N-4 p neuron %u sample %u = %" PRIu32 "\n", t->i, k, out.p_f16);
    fprintf(t->f, "N-5 s neuron %u sample %u = %d\n", t->i, k, out.spike);
    fprintf(t->f, "N-6 e neuron %u sample %u = %d\n", t->i, k, out.e_f15);
    fprintf(t->f, "N-7 l neuron %u sample %u = %u\n", t->i, k, out.l_f12);
    if (t->i < n->n_visible) loss[k] += out.l_f12;
    expect(t, out.spike, bit(t->after.spikes + (size_t)k * (n->n_neurons_pos / 32u), pos));
}

static void central(tracer *t, const uint32_t *loss)
{
    const tern_net *n = t->net;
    const uint32_t k_n = t->st->n_samples;
    int32_t v[TERN_MAX_SAMPLES];
    int64_t top = INT64_MIN, sum = 0;
    for (uint32_t k = 0; k < k_n; ++k) {
        v[k] = tern_signal_logprob(t->st->v_f12[k], n->gamma_f16, loss[k], &t->nowhere);
        fprintf(t->f, "N-8 L sample %u = %" PRIu32 "\nN-8 v sample %u = %" PRId32 "\n", k, loss[k], k, v[k]);
        expect(t, v[k], t->after.v_f12[k]);
        if (v[k] > top) top = v[k];
    }
    for (uint32_t k = 0; k < k_n && (n->rule == TERN_RULE_GEM || n->rule == TERN_RULE_IW); ++k) {
        const uint32_t e = tern_signal_exp((uint32_t)(top - v[k]), n->exp_f16);
        fprintf(t->f, "N-9 E sample %u = %" PRIu32 "\n", k, e);
        sum += e;
        if (k + 1 == k_n) fprintf(t->f, "N-10 S = %" PRId64 "\n", sum);
    }
    for (uint32_t k = 0; k < k_n && n->rule != TERN_RULE_REWARD; ++k)
        fprintf(t->f, "4 m sample %u = %d\n4 w sample %u = %" PRId32 "\n", k, t->after.m_f14[k], k, t->after.w_f12[k]);
}

bool tern_trace_write(const tern_state *st, const uint32_t *inputs, const uint32_t *targets, unsigned flags, FILE *f)
{
    tracer t = { .st = st, .net = st->net, .same = true, .f = f };
    uint32_t loss[TERN_MAX_SAMPLES] = { 0 };
    const size_t bytes = tern_state_bytes(st->net, st->n_samples);
    void *mem = malloc(bytes);
    bool ok = st->net->baseline != TERN_BASELINE_SYNAPSE && mem != NULL &&
              tern_state_init(&t.after, st->net, mem, bytes, st->n_samples, st->seed) == TERN_OK;
    if (ok) {
        tern_state_copy(&t.after, st);
        tern_step(&t.after, inputs, targets, flags);
    }
    for (t.i = 0; ok && t.i < st->net->n_neurons; ++t.i) {
        t.signal = t.i >= tern_net_signal_first(st->net);
        if (st->pending) update(&t);
        for (uint32_t k = 0; k < st->n_samples; ++k) fire(&t, k, targets, flags, loss);
        ok = st->net->neurons[t.i].wta_size == 0;
    }
    if (ok) central(&t, loss);
    free(mem);
    return ok && t.same;
}
