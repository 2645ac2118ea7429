/* tern_reference.c : the step of the double-precision reference (reference.h, docs/22-reference.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Equations are those of "Multi-Sample Online Learning for Probabilistic Spiking Neural Networks"; their labels are
 * cited. Written for reading next to the paper. Every sum runs in the order of the arrays.
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

/* Spikes of neuron i that are given: targets of a clamped visible neuron, forced ones of a hidden neuron. NULL: it
 * draws. */
static const uint32_t *given(const tern_reference *r, uint32_t i, uint32_t k, const uint32_t *targets, unsigned flags)
{
    if (i < r->model->net.n_visible) return (flags & TERN_STEP_CLAMP) != 0 ? targets : NULL;
    return r->forced == NULL ? NULL : r->forced + k * (size_t)(r->model->net.n_neurons_pos / 32);
}

static bool bit_of(const uint32_t *bits, uint32_t pos) { return (bits[pos / 32] >> (pos % 32) & 1) != 0; }

static void set_bit(tern_reference *r, uint32_t k, uint32_t pos)
{
    r->spikes[k * (size_t)(r->model->net.n_neurons_pos / 32) + pos / 32] |= (uint32_t)1 << (pos % 32);
}

/* One neuron, one sample: spike, error s - p and cross-entropy (eq:log-prob-ind). */
static void fire_neuron(tern_reference *r, uint32_t i, uint32_t k, const uint32_t *targets, unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t pos = net->neurons[i].pos, *spikes = given(r, i, k, targets, flags);
    const size_t ik = (size_t)i * r->n_samples + k;
    const double u = r->u[ik], p = sigmoid(u);
    const bool s = spikes != NULL ? bit_of(spikes, pos) : draw(r, i, k) < p;
    r->p[ik] = p;
    r->error[ik] = (s ? 1 : 0) - p;
    if (s) set_bit(r, k, pos);
    if (i < net->n_visible) r->loss[k] += softplus(s ? -u : u);
}

/* One winner-take-all circuit, one sample: members first .. first + size - 1 and silence, whose potential is 0, share
 * one spike by the softmax of their potentials. The error s - p of a member is the gradient of the circuit's
 * log-probability with respect to its potential. */
static void fire_circuit(tern_reference *r, uint32_t first, uint32_t size, uint32_t k, const uint32_t *targets,
                         unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples, *spikes = given(r, first, k, targets, flags);
    const double *u = r->u + (size_t)first * K + k;
    double top = 0, sum = 0, reached = 0;
    for (uint32_t c = 0; c < size; ++c) top = u[c * (size_t)K] > top ? u[c * (size_t)K] : top;
    for (uint32_t c = 0; c < size; ++c) sum += exp(u[c * (size_t)K] - top);
    sum += exp(-top);
    uint32_t winner = size; /* silence */
    const double drawn = spikes != NULL ? 0 : draw(r, first + size - 1, k);
    for (uint32_t c = 0; c < size; ++c) {
        const double p = exp(u[c * (size_t)K] - top) / sum;
        reached += p;
        r->p[(size_t)(first + c) * K + k] = p;
        if (winner == size && (spikes != NULL ? bit_of(spikes, net->neurons[first + c].pos) : drawn < reached))
            winner = c;
    }
    for (uint32_t c = 0; c < size; ++c)
        r->error[(size_t)(first + c) * K + k] = (c == winner ? 1 : 0) - r->p[(size_t)(first + c) * K + k];
    if (winner < size) set_bit(r, k, net->neurons[first + winner].pos);
    if (first < net->n_visible) r->loss[k] += top + log(sum) - (winner < size ? u[winner * (size_t)K] : 0);
}

static void fire(tern_reference *r, const uint32_t *targets, unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples;
    memset(r->spikes, 0, K * (size_t)(net->n_neurons_pos / 32) * sizeof *r->spikes);
    for (uint32_t k = 0; k < K; ++k) r->loss[k] = 0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const tern_neuron *n = &net->neurons[i];
        for (uint32_t k = 0; k < K; ++k) {
            if (n->wta_size == 0) fire_neuron(r, i, k, targets, flags);
            else if (n->wta_index == 0) fire_circuit(r, i, n->wta_size, k, targets, flags);
        }
    }
}

/* ---- the third factor: all that the rules differ in -------------------------------------------------------------- */

/* eq:softmax into m[0][k]. Returns log sum_k exp(v^k). */
static double softmax(tern_reference *r)
{
    const uint32_t K = r->n_samples;
    double top = r->v[0], sum = 0;
    for (uint32_t k = 1; k < K; ++k)
        if (r->v[k] > top) top = r->v[k];
    for (uint32_t k = 0; k < K; ++k) sum += exp(r->v[k] - top);
    for (uint32_t k = 0; k < K; ++k) r->m[k] = exp(r->v[k] - top) / sum;
    return top + log(sum);
}

/* Weights of the samples, m[0][k], and learning signals w^k = m[1][k] before the baseline. */
static void third_factor(tern_reference *r)
{
    const uint32_t K = r->n_samples;
    double *m = r->m, *w = r->m + K;
    switch ((tern_rule_kind)r->model->net.rule) {
    case TERN_RULE_GEM: /* eq:gem-update: the same weights for all neurons */ softmax(r); break;
    case TERN_RULE_MB: /* eq:mb-update-vis, eq:mb-update-hid */
        for (uint32_t k = 0; k < K; ++k) {
            m[k] = 1.0 / K;
            w[k] = r->v[k] / K;
        }
        break;
    case TERN_RULE_IW: { /* eq:iw-update-vis, eq:iw-update-hid; R is the mean of exp(v), eq:iw-estimator */
        const double log_r = softmax(r) - log((double)K);
        for (uint32_t k = 0; k < K; ++k) w[k] = log_r;
        break;
    }
    case TERN_RULE_REWARD: /* eq:three-factor: tern_reference_reward() brings them */ break;
    }
}

/* Does neuron i learn from w - b (hidden neurons, and all with a reward), or from the weights of the samples? */
static bool by_signal(const tern_reference *r, uint32_t i)
{
    const tern_net *net = &r->model->net;
    return net->rule == TERN_RULE_REWARD || (net->rule != TERN_RULE_GEM && i >= net->n_visible);
}

/* eq:mb-baseline with temporal averages A[f] = lambda A[f] + f:  b = A[w g^2] / A[g^2], as a recursion over b and D =
 * A[g^2]. g = <e x>_kappa, one for each sample at elig[k stride]; for IW, whose w is one for all samples, their sum. */
static void baseline_step(tern_reference *r, size_t at, const double *elig, size_t stride)
{
    const uint32_t K = r->n_samples;
    const double *w = r->m + K;
    double decayed = r->lambda * r->base_weight[at], pull = 0, seen = 0;
    if (r->model->net.rule == TERN_RULE_IW) {
        double g = 0;
        for (uint32_t k = 0; k < K; ++k) g += elig[k * stride];
        seen = g * g;
        pull = seen * (w[0] - r->base[at]);
    } else {
        for (uint32_t k = 0; k < K; ++k) {
            const double q = elig[k * stride] * elig[k * stride];
            seen += q;
            pull += q * (w[k] - r->base[at]);
        }
    }
    decayed += seen;
    r->base_weight[at] = decayed < 1e-200 ? 0 : decayed;
    if (r->base_weight[at] > 0) r->base[at] += pull / r->base_weight[at];
}

/* ---- learning ---------------------------------------------------------------------------------------------------- */

/* One row and sample: <e x>_kappa = kappa <e x>_kappa + e x. Values that left the range of meaning are set to 0: they
 * would only become denormal numbers, which are slow. present: NULL where every position has a synapse. */
static void average_run(double *restrict elig, const double *restrict x, const double *restrict present, size_t n,
                        double kappa, double e)
{
    if (present == NULL)
        for (size_t j = 0; j < n; ++j) {
            const double f = kappa * elig[j] + e * x[j];
            elig[j] = fabs(f) < 1e-200 ? 0 : f;
        }
    else
        for (size_t j = 0; j < n; ++j) {
            const double f = kappa * elig[j] + e * x[j] * present[j];
            elig[j] = fabs(f) < 1e-200 ? 0 : f;
        }
}

/* Temporal averages of a neuron's bias and self-memory. e: [K], 0 in a step that does not learn. */
static void average_local(tern_reference *r, uint32_t i, const double *e)
{
    const tern_neuron *n = &r->model->net.neurons[i];
    for (uint32_t k = 0; k < r->n_samples; ++k) {
        const size_t ik = (size_t)i * r->n_samples + k;
        r->elig_bias[ik] = r->kappa * r->elig_bias[ik] + e[k];
        if (n->self_filter != TERN_NO_FILTER)
            r->elig_self[ik] = r->kappa * r->elig_self[ik] + e[k] * self_trace(r, n, k);
    }
}

static void average_row(tern_reference *r, uint32_t q, const double *e)
{
    const tern_row *row = &r->model->net.rows[q];
    for (uint32_t k = 0; k < r->n_samples; ++k)
        average_run(r->elig + r->row_elig[q] + (size_t)k * row->count, row_trace(r, row, k),
                    r->row_full[q] ? NULL : r->present + row->weight, row->count, r->kappa, e[k]);
}

static void add_run(double *restrict w, const double *restrict elig, size_t n, double rate)
{
    for (size_t j = 0; j < n; ++j) w[j] += rate * elig[j];
}

/* One parameter with a baseline of its own. */
static void move_one(tern_reference *r, double *theta, size_t at, const double *elig, size_t stride)
{
    const double *w = r->m + r->n_samples;
    double sum = 0;
    for (uint32_t k = 0; k < r->n_samples; ++k) sum += (w[k] - r->base[at]) * elig[k * stride];
    *theta += r->eta * sum;
    baseline_step(r, at, elig, stride);
}

static void move_each(tern_reference *r, uint32_t i)
{
    const tern_net *net = &r->model->net;
    const tern_neuron *n = &net->neurons[i];
    const size_t ik = (size_t)i * r->n_samples, biases = net->n_weights, selves = biases + net->n_neurons;
    move_one(r, &r->bias[i], biases + i, &r->elig_bias[ik], 1);
    if (n->self_filter != TERN_NO_FILTER) move_one(r, &r->self[i], selves + i, &r->elig_self[ik], 1);
    for (uint32_t q = n->row0; q < n->row0 + n->n_rows; ++q) {
        const tern_row *row = &net->rows[q];
        for (size_t j = 0; j < row->count; ++j)
            if (r->present[row->weight + j] > 0)
                move_one(r, &r->weights[row->weight + j], row->weight + j, r->elig + r->row_elig[q] + j, row->count);
    }
}

/* theta += rate^k <e x>_kappa for the bias, the self-memory and the rows of a neuron. rate: [K]. */
static void move_local(tern_reference *r, uint32_t i, const double *rate)
{
    for (uint32_t k = 0; k < r->n_samples; ++k) {
        r->bias[i] += rate[k] * r->elig_bias[(size_t)i * r->n_samples + k];
        r->self[i] += rate[k] * r->elig_self[(size_t)i * r->n_samples + k]; /* stays 0 without self-memory */
    }
}

static void move_row(tern_reference *r, uint32_t q, const double *rate)
{
    const tern_row *row = &r->model->net.rows[q];
    for (uint32_t k = 0; k < r->n_samples; ++k)
        add_run(r->weights + row->weight, r->elig + r->row_elig[q] + (size_t)k * row->count, row->count, rate[k]);
}

/* What a step does to neuron i, in two parts that may come at different times; row by row, since a row's averages stay
 * in the processor's cache.
 * AVERAGE: the temporal averages take in the errors e, [K].
 * MOVE: theta += eta sum_k m^k <(s - p) x>_kappa, the one form of eq:gem-update, eq:mb-update, eq:iw-update and
 * eq:three-factor; then the baseline takes in what it has just been used for. */
enum { AVERAGE = 1, MOVE = 2 };

static void learn(tern_reference *r, uint32_t i, unsigned parts, const double *e)
{
    const tern_net *net = &r->model->net;
    const tern_neuron *n = &net->neurons[i];
    const uint32_t K = r->n_samples;
    const bool signal = by_signal(r, i), own = signal && net->baseline == TERN_BASELINE_NEURON;
    const bool each = (parts & MOVE) != 0 && signal && net->baseline == TERN_BASELINE_SYNAPSE,
               together = (parts & MOVE) != 0 && !each;
    double rate[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < K; ++k) rate[k] = r->eta * (signal ? r->m[K + k] - (own ? r->base[i] : 0) : r->m[k]);
    if (parts & AVERAGE) average_local(r, i, e);
    if (together) move_local(r, i, rate);
    for (uint32_t q = n->row0; q < n->row0 + n->n_rows; ++q) {
        if (parts & AVERAGE) average_row(r, q, e);
        if (together) move_row(r, q, rate);
    }
    if (each) move_each(r, i);
    if (together && own) baseline_step(r, i, &r->elig_bias[(size_t)i * K], 1); /* <s - p>_kappa is the bias's average */
}

void tern_reference_reward(tern_reference *r, const double *reward)
{
    if (r->model->net.rule != TERN_RULE_REWARD) return;
    for (uint32_t k = 0; k < r->n_samples; ++k) r->m[r->n_samples + k] = reward[k] / r->n_samples;
}

void tern_reference_flush(tern_reference *r)
{
    if (!r->pending) return;
    for (uint32_t i = 0; i < r->model->net.n_neurons; ++i) learn(r, i, MOVE, NULL);
    r->pending = false;
}

static void shift_in(uint64_t *hist, const uint32_t *spikes, size_t n)
{
    for (size_t j = 0; j < n; ++j) hist[j] = hist[j] << 1 | (spikes[j / 32] >> (j % 32) & 1);
}

void tern_reference_step(tern_reference *r, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    const tern_net *net = &r->model->net;
    const uint32_t K = r->n_samples;
    const bool learning = (flags & TERN_STEP_LEARN) != 0, waits = net->rule == TERN_RULE_REWARD;
    tern_reference_flush(r);
    traces(r->model, r->hist_in, net->n_inputs_pos, r->x_in, net->n_inputs_pos);
    for (uint32_t k = 0; k < K; ++k)
        traces(r->model, r->hist_neuron + (size_t)k * net->n_neurons_pos, net->n_neurons_pos,
               r->x_neuron + (size_t)k * net->n_neurons_pos, (size_t)K * net->n_neurons_pos);
    for (uint32_t i = 0; i < net->n_neurons; ++i) potentials(r, i);
    fire(r, targets, flags);
    for (uint32_t k = 0; k < K; ++k) r->v[k] = r->gamma * r->v[k] - r->loss[k]; /* eq:gem-log-weight */
    if (learning) third_factor(r);
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        static const double none[TERN_MAX_SAMPLES]; /* no error in a step that does not learn */
        learn(r, i, learning && !waits ? AVERAGE | MOVE : AVERAGE, learning ? r->error + (size_t)i * K : none);
    }
    r->pending = learning && waits; /* until the step's reward is known */
    shift_in(r->hist_in, inputs, net->n_inputs_pos);
    for (uint32_t k = 0; k < K; ++k)
        shift_in(r->hist_neuron + (size_t)k * net->n_neurons_pos, r->spikes + (size_t)k * (net->n_neurons_pos / 32),
                 net->n_neurons_pos);
    ++r->step;
}
