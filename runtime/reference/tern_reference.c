/* tern_reference.c : the step of the double-precision reference (reference.h, docs/22-reference.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations are those of "Multi-Sample Online Learning for Probabilistic Spiking Neural Networks"; their labels are cited. Written for
 * reading next to the paper. Every sum runs in the order of the arrays.
 */
#include "tern/reference.h"
#include <math.h>
#include <string.h>

/* Traces x = sum_tau a[tau] s(t - tau) of every position and filter. Bit q of a history is the spike q+1 steps ago. */
static void traces(const tern_model *model, const uint64_t *hist, size_t n, double *x, size_t filter_stride)
{
    for (uint32_t b = 0; b < model->n_filters; ++b) {
        const tern_filter *f = &model->filters[b];
        const uint64_t window = f->n_taps >= 64 ? UINT64_MAX : ((uint64_t)1 << f->n_taps) - 1;
        double *to = x + b * filter_stride;
        for (size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (uint64_t h = hist[j] & window; h != 0; h &= h - 1) sum += f->taps[__builtin_ctzll(h)];
            to[j] = sum;
        }
    }
}

/* Inner product with four running sums, so that it can be vectorised without changing its order from build to build. */
static double dot(const double *restrict a, const double *restrict b, size_t n)
{
    double s[4] = { 0, 0, 0, 0 };
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t l = 0; l < 4; ++l) s[l] += a[i + l] * b[i + l];
    for (; i < n; ++i) s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* Pre-synaptic traces of a row in sample k. */
static const double *row_trace(const tern_reference *r, const tern_row *row, uint32_t k)
{
    const tern_net *net = &r->model->net;
    if (row->kind == TERN_ROW_SHARED) return r->x_in + (size_t)row->filter * net->n_inputs_pos + row->first;
    return r->x_neuron + ((size_t)row->filter * r->n_samples + k) * net->n_neurons_pos + row->first;
}

static double self_trace(const tern_reference *r, const tern_neuron *n, uint32_t k)
{
    if (n->self_filter == TERN_NO_FILTER) return 0;
    return r->x_neuron[((size_t)n->self_filter * r->n_samples + k) * r->model->net.n_neurons_pos + n->pos];
}

/* eq:membrane-potential. The part from shared inputs is the same in all samples. */
static void potentials(tern_reference *r, uint32_t i)
{
    const tern_net *net = &r->model->net;
    const tern_neuron *n = &net->neurons[i];
    const uint32_t K = r->n_samples;
    double shared = r->bias[i];
    double *u = r->u + (size_t)i * K;
    for (uint32_t k = 0; k < K; ++k) u[k] = 0;
    for (uint32_t q = n->row0; q < n->row0 + n->n_rows; ++q) {
        const tern_row *row = &net->rows[q];
        const double *w = r->weights + row->weight;
        if (row->kind == TERN_ROW_SHARED) shared += dot(w, row_trace(r, row, 0), row->count);
        else
            for (uint32_t k = 0; k < K; ++k) u[k] += dot(w, row_trace(r, row, k), row->count);
    }
    for (uint32_t k = 0; k < K; ++k) u[k] += shared + r->self[i] * self_trace(r, n, k);
}

static double sigmoid(double u) { return u >= 0 ? 1 / (1 + exp(-u)) : exp(u) / (1 + exp(u)); }
static double softplus(double z) { return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z)); }

/* Uniform draw of neuron i in sample k: 16 bits, numerics section 7, purpose 0. */
static double draw(const tern_reference *r, uint32_t i, uint32_t k)
{
    const uint32_t sample = r->k0 + k, key[2] = { (uint32_t)r->seed, (uint32_t)(r->seed >> 32) };
    const uint32_t counter[2] = { r->step, (sample >> 2) << 16 | i };
    uint32_t words[2];
    tern_threefry_ref(key, counter, words);
    const uint32_t word = words[(sample & 3) >> 1];
    return (double)((sample & 1) ? word >> 16 : word & 0xffff) / 65536.0;
}

/* Spikes, errors s - p and cross-entropies (eq:log-prob-ind) of all neurons. */
static void fire(tern_reference *r, const uint32_t *targets, unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples;
    const size_t words = net->n_neurons_pos / 32;
    memset(r->spikes, 0, K * words * sizeof *r->spikes);
    for (uint32_t k = 0; k < K; ++k) r->loss[k] = 0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const uint32_t pos = net->neurons[i].pos;
        const bool visible = i < net->n_visible, clamped = visible && (flags & TERN_STEP_CLAMP) != 0;
        for (uint32_t k = 0; k < K; ++k) {
            const size_t ik = (size_t)i * K + k;
            const double u = r->u[ik], p = sigmoid(u);
            const bool s = clamped ? (targets[pos / 32] >> (pos % 32) & 1) != 0 : draw(r, i, k) < p;
            r->p[ik] = p;
            r->error[ik] = (s ? 1 : 0) - p;
            if (s) r->spikes[k * words + pos / 32] |= (uint32_t)1 << (pos % 32);
            if (visible) r->loss[k] += softplus(s ? -u : u);
        }
    }
}

/* The third factor. A rule is a way to fill m[0][k] (visible neurons) and m[1][k] (hidden neurons) from the log-probabilities. */
static void modulators_gem(tern_reference *r)
{
    const uint32_t K = r->n_samples;
    double top = r->v[0], sum = 0;
    for (uint32_t k = 1; k < K; ++k)
        if (r->v[k] > top) top = r->v[k];
    for (uint32_t k = 0; k < K; ++k) sum += exp(r->v[k] - top);
    for (uint32_t k = 0; k < K; ++k) r->m[k] = r->m[K + k] = exp(r->v[k] - top) / sum; /* eq:softmax: the same for every neuron */
}

static void modulators(tern_reference *r)
{
    switch ((tern_rule_kind)r->model->rule.kind) {
    case TERN_RULE_GEM: modulators_gem(r); break;
    }
}

/* One row and sample: <e x>_kappa = kappa <e x>_kappa + e x, and w += rate <e x>_kappa. Values that left the range of meaning are set to 0:
 * they would only become denormal numbers, which are slow. */
static void learn_run(double *restrict elig, const double *restrict x, double *restrict w, size_t n, double kappa, double e, double rate)
{
    for (size_t j = 0; j < n; ++j) {
        double f = kappa * elig[j] + e * x[j];
        f = fabs(f) < 1e-200 ? 0 : f;
        elig[j] = f;
        w[j] += rate * f;
    }
}

/* The same where some positions have no synapse. */
static void learn_run_some(double *restrict elig, const double *restrict x, double *restrict w, const double *restrict present, size_t n, double kappa,
                           double e, double rate)
{
    for (size_t j = 0; j < n; ++j) {
        double f = kappa * elig[j] + e * x[j] * present[j];
        f = fabs(f) < 1e-200 ? 0 : f;
        elig[j] = f;
        w[j] += rate * f;
    }
}

static void learn_one(double *elig, double kappa, double e, double x, double rate, double *w)
{
    *elig = kappa * *elig + e * x;
    *w += rate * *elig;
}

/* eq:gem-update: dtheta = eta sum_k m^k <(s - p) x>_kappa. A step that does not learn adds no error, and moves nothing. */
static void learn(tern_reference *r, bool learning)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const tern_neuron *n = &net->neurons[i];
        const double *m = r->m + (i < net->n_visible ? 0 : K);
        for (uint32_t k = 0; k < K; ++k) {
            const size_t ik = (size_t)i * K + k;
            const double e = learning ? r->error[ik] : 0, rate = learning ? r->eta * m[k] : 0;
            learn_one(&r->elig_bias[ik], r->kappa, e, 1, rate, &r->bias[i]);
            if (n->self_filter != TERN_NO_FILTER) learn_one(&r->elig_self[ik], r->kappa, e, self_trace(r, n, k), rate, &r->self[i]);
            for (uint32_t q = n->row0; q < n->row0 + n->n_rows; ++q) {
                const tern_row *row = &net->rows[q];
                double *elig = r->elig + r->row_elig[q] + (size_t)k * row->count, *w = r->weights + row->weight;
                const double *x = row_trace(r, row, k);
                if (r->row_full[q]) learn_run(elig, x, w, row->count, r->kappa, e, rate);
                else learn_run_some(elig, x, w, r->present + row->weight, row->count, r->kappa, e, rate);
            }
        }
    }
}

static void shift_in(uint64_t *hist, const uint32_t *spikes, size_t n)
{
    for (size_t j = 0; j < n; ++j) hist[j] = hist[j] << 1 | (spikes[j / 32] >> (j % 32) & 1);
}

void tern_reference_step(tern_reference *r, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples;
    const bool learning = (flags & TERN_STEP_LEARN) != 0;
    traces(r->model, r->hist_in, net->n_inputs_pos, r->x_in, net->n_inputs_pos);
    for (uint32_t k = 0; k < K; ++k)
        traces(r->model, r->hist_neuron + (size_t)k * net->n_neurons_pos, net->n_neurons_pos, r->x_neuron + (size_t)k * net->n_neurons_pos,
               (size_t)K * net->n_neurons_pos);
    for (uint32_t i = 0; i < net->n_neurons; ++i) potentials(r, i);
    fire(r, targets, flags);
    for (uint32_t k = 0; k < K; ++k) r->v[k] = r->gamma * r->v[k] - r->loss[k]; /* eq:gem-log-weight */
    if (learning) modulators(r);
    learn(r, learning);
    shift_in(r->hist_in, inputs, net->n_inputs_pos);
    for (uint32_t k = 0; k < K; ++k) shift_in(r->hist_neuron + (size_t)k * net->n_neurons_pos, r->spikes + (size_t)k * (net->n_neurons_pos / 32), net->n_neurons_pos);
    ++r->step;
}
