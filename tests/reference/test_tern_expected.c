/* test_tern_expected.c : the change that the golden model makes on average, against the equations in real numbers
 * (docs/21-numerics.md, section 11)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random small networks, 200 for each rule, with circuits and all baselines. After some steps that learned an update is
 * pending; it is applied to copies of that state with 4096 different dither words. The mean change of every parameter
 * is compared with
 *   - the equations on the same integer state: its errors, log-probabilities and baselines as real numbers, real eta
 *   and kappa, the same W lags; and
 *   - the update of the double-precision reference, which was given the same weights and hidden spikes in every step:
 *   real sigmoids, no window.
 * Both have to agree within the bounds of section 11, which are computed here from their formulas. Since the change is
 * floor((dw + r) / 2^R) with a known r, the draws also enclose dw itself between two integers close to each other; that
 * is compared without the statistical term.
 */
#include <stdlib.h>
#include "tern/engine.h"
#include "tern/reference.h"
#include "tern_check.h"
#include "tern_testnet.h"

enum {
    STEPS = 7,
    DRAWS = 4096,
    NETWORKS = 200,
    MAX_N = 24,
    MAX_K = 8,
    MAX_P = 512,
    MAX_POS = 256,
    MAX_COST = 2600,
    N_FAULTS = 6,
    MAX_TIGHTNESS = 50000
};

/* ---- section 11: bounds ------------------------------------------------------------------------------------------ */

#define ULP(frac) ldexp(1.0, -(int)(frac))
#define LOG2_DRIFT 3.1948e-5                 /* ln 2 - 2839/4096: what N-9 loses per halving */
#define S_EXP (7.0 / 4096 + 16 * LOG2_DRIFT) /* largest difference of two exponentials' relative errors */
#define PHI 1.25                             /* rounding of an exponential, in 2^-16 */
#define S_MIN 65479.0                        /* EXP[0]: the largest term is always this one */

/* B-1: change of a probability p when its logit is off by at most d. */
static double logit_bound(double p, double d) { return p * (1 - p) * (exp(d) - 1); }

/* B-2: one neuron. */
static double bound_e(double p) { return logit_bound(p, 1.5 / 256 + ULP(9)) + ULP(17) + ULP(16); }
static double bound_l(void) { return 0.5 * 1.5 / 256 + ULP(13) + ULP(9); }
/* B-3 .. B-5: a circuit of C members. */
static double bound_e_circuit(double p, unsigned c)
{
    return logit_bound(p, S_EXP + 2 * ULP(9)) + PHI * (2 + c) / S_MIN + ULP(17) * 1.001 + ULP(15);
}
static double bound_exp_sum(unsigned terms)
{
    return 3.5 / 4096 + terms * LOG2_DRIFT / 2 + ULP(16) + PHI * terms / (S_MIN - PHI * terms);
}
static double bound_ln(void) { return 0.5 / 256 + ULP(12) + 24 * 1.5e-6 + 2.5e-5; }
static double bound_l_circuit(unsigned c) { return bound_exp_sum(c + 1) + bound_ln() + 2 * ULP(9); }
/* B-7, B-8: weight of a sample m, log R, and a number divided by K; dv, dx: bounds of what they are made from. */
static double bound_softmax(double m, uint32_t k, double dv)
{
    return logit_bound(m, S_EXP + 2 * dv) + PHI * (1 + k) / S_MIN + ULP(15) * 1.001;
}
static double bound_log_mean(uint32_t k, double dv)
{
    return dv + bound_exp_sum(k) + bound_ln() + (k == 1 ? 0 : 0.5 / 512 + 1.5 * ULP(12) + 1e-5);
}
static double bound_share(double x, uint32_t k, double dx) { return dx / k + (fabs(x) + dx) * ULP(17) + ULP(13); }

/* ---- one network under test -------------------------------------------------------------------------------------- */

typedef struct parameter {
    uint32_t neuron, column; /* column: weight index, then biases, then self-memory */
    const tern_row *row;     /* NULL: bias or self-memory */
    bool self;
    uint32_t j;
    uint8_t bits, frac; /* format */
} parameter;

typedef struct measure {
    int64_t sum, lo, hi; /* of the changes; dw lies in lo..hi */
    uint32_t records;
    bool saturated;
} measure;

typedef struct bench {
    tern_model model;
    tern_state st;
    tern_reference *ref;
    uint32_t K;
    double eta, kappa;
    int ef, mf;
    uint8_t in[STEPS][MAX_POS], s[STEPS][MAX_K][MAX_POS];
    bool learned[STEPS];
    /* errors of the reference, and how far the golden model's may be */
    double e[STEPS][MAX_N][MAX_K], de[STEPS][MAX_N][MAX_K];
    double dv; /* the same of log-probabilities, all samples */
    int32_t reward_f12[MAX_K];
    uint32_t n_parameters;
    parameter parameters[MAX_P];
} bench;

/* Third factors in real numbers, and how far those of the golden model may be. */
typedef struct factors {
    double m[MAX_K], dm[MAX_K], w[MAX_K], dw[MAX_K];
} factors;

static bool by_signal(const tern_net *n, uint32_t i)
{
    return n->rule == TERN_RULE_REWARD || (n->rule != TERN_RULE_GEM && i >= n->n_visible);
}

static factors third_factor(const bench *b, const double *v, double dv)
{
    factors f = { { 0 }, { 0 }, { 0 }, { 0 } };
    const uint32_t K = b->K;
    double top = v[0], sum = 0;
    for (uint32_t k = 1; k < K; ++k) top = fmax(top, v[k]);
    for (uint32_t k = 0; k < K; ++k) sum += exp(v[k] - top);
    for (uint32_t k = 0; k < K; ++k) {
        f.m[k] = exp(v[k] - top) / sum;
        f.dm[k] = bound_softmax(f.m[k], K, dv);
        switch (b->model.net.rule) {
        case TERN_RULE_MB:
            f.m[k] = 1.0 / K;
            f.dm[k] = ULP(15);
            f.w[k] = v[k] / K;
            f.dw[k] = bound_share(v[k], K, dv);
            break;
        case TERN_RULE_IW:
            f.w[k] = top + log(sum / K);
            f.dw[k] = bound_log_mean(K, dv);
            break;
        case TERN_RULE_REWARD:
            f.w[k] = b->reward_f12[k] / 4096.0 / K;
            f.dw[k] = bound_share(b->reward_f12[k] / 4096.0, K, 0);
            break;
        default: break;
        }
    }
    return f;
}

/* Pre-synaptic trace of a parameter at step t. Taps are those of the image, exact in XF bits. */
static double trace(const bench *b, const parameter *p, uint32_t k, int t)
{
    const tern_net *net = &b->model.net;
    if (p->row == NULL && !p->self) return 1;
    const uint8_t filter = p->self ? net->neurons[p->neuron].self_filter : p->row->filter;
    const uint32_t pos = p->self ? net->neurons[p->neuron].pos : p->row->first + p->j;
    double x = 0;
    for (int tau = 1; tau <= net->taps_d && tau <= t; ++tau)
        x += net->filter_taps[filter * net->taps_d + tau - 1] *
             (p->row != NULL && p->row->kind == TERN_ROW_SHARED ? b->in[t - tau][pos] : b->s[t - tau][k][pos]);
    return x * ULP(net->trace_frac);
}

static double lag_factor(const bench *b, unsigned d) { return b->eta * pow(b->kappa, d); }

/* B-9: how far c may be from eta kappa^d m e (N-11, N-12). */
static double bound_c(const bench *b, bool signal, unsigned d, double m, double dm, double e, double de)
{
    if (e == 0 && de == 0) return 0; /* a step that did not learn: 0 in every format */
    const double factor = lag_factor(b, d), step_g = signal ? ULP(b->mf + 1) : ULP(15),
                 step_c = ULP(b->model.net.learn[signal].c_frac), step_ek = ULP(b->ef);
    return 0.5 * step_c + (factor + 0.5 * step_ek) * 0.5 * step_g + 0.5 * step_ek * (fabs(m) + dm) * (fabs(e) + de) +
           factor * (fabs(m) * de + fabs(e) * dm + dm * de);
}

/* beyond: the part of the bound that lags beyond the window make */
typedef struct change {
    double value, bound, beyond;
} change;

/* What is computed wrong on purpose, to see that the bounds are tight enough to notice. */
typedef enum fault { FAULT_NONE, FAULT_SIGN, FAULT_RATE, FAULT_LAG, FAULT_SHARE, FAULT_BASELINE } fault;

/* B-10, B-11: change of a parameter in real numbers from errors e[d][k] of the lags 0..lags-1, and how far dw of the
 * golden model may be from it: it sees W lags. */
static change expected(const bench *b, const parameter *p, const factors *f, unsigned lags, double (*e)[MAX_K],
                       double (*de)[MAX_K], fault wrong)
{
    const tern_net *net = &b->model.net;
    const bool signal = by_signal(net, p->neuron), each = signal && net->baseline == TERN_BASELINE_SYNAPSE;
    const size_t at = each ? p->column : p->neuron;
    const double base =
        !signal || net->baseline == TERN_BASELINE_NONE || wrong == FAULT_BASELINE ? 0 : b->st.base_f12[at] / 4096.0;
    const double rate = wrong == FAULT_SIGN ? -1 : wrong == FAULT_RATE ? 1.03 : wrong == FAULT_SHARE ? (double)b->K : 1;
    change sum = { 0, each ? 0.5 * ULP(net->learn[1].c_frac + net->trace_frac) : 0, 0 };
    for (uint32_t k = 0; k < b->K; ++k) {
        const double m = signal ? f->w[k] - base : f->m[k], dm = signal ? f->dw[k] + 0.5 * ULP(b->mf) : f->dm[k];
        double real = 0, off = 0;
        for (unsigned d = 0; d < lags; ++d) {
            const double x = trace(b, p, k, STEPS - 1 - (int)d - (wrong == FAULT_LAG)), factor = lag_factor(b, d);
            real += factor * e[d][k] * x;
            if (d >= net->lags_w) sum.beyond += factor * fabs(m * e[d][k]) * x;
            else if (!each) sum.bound += x * bound_c(b, signal, d, m, dm, e[d][k], de[d][k]);
            else if (e[d][k] != 0 || de[d][k] != 0) /* N-21: ek e rounded, then times m */
                off += x * (0.5 * ULP(b->ef + 15 - net->learn[1].c_shift) +
                            0.5 * ULP(b->ef) * (fabs(e[d][k]) + de[d][k]) + factor * de[d][k]);
        }
        sum.value += rate * m * real;
        if (each) sum.bound += (fabs(m) + dm) * off + fabs(real) * dm;
    }
    sum.bound += sum.beyond;
    return sum;
}

/* ---- running both engines side by side --------------------------------------------------------------------------- */

static void list_parameters(bench *b)
{
    const tern_net *n = &b->model.net;
    b->n_parameters = 0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        b->parameters[b->n_parameters++] = (parameter){ i, n->n_weights + i, NULL, false, 0, 16, 12 };
        if (n->neurons[i].self_filter != TERN_NO_FILTER)
            b->parameters[b->n_parameters++] = (parameter){ i, n->n_weights + n->n_neurons + i, NULL, true, 0, 16, 12 };
        for (uint32_t r = n->neurons[i].row0; r < n->neurons[i].row0 + n->neurons[i].n_rows; ++r)
            for (uint32_t j = 0; j < n->rows[r].count; ++j)
                if (n->weights0[n->rows[r].weight + j] != TERN_WEIGHT_ABSENT)
                    b->parameters[b->n_parameters++] =
                        (parameter){ i, n->rows[r].weight + j, &n->rows[r], false, j, n->weight_bits, n->weight_frac };
    }
}

/* Work of one flush, roughly in additions. */
static size_t cost(const tern_net *n, uint32_t K)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) sum += 40 + K * n->lags_w;
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const uint32_t k = n->rows[r].kind == TERN_ROW_SHARED && n->baseline != TERN_BASELINE_SYNAPSE ? 1 : K;
        sum += (size_t)n->taps_d * n->lags_w * k + n->rows[r].count * (4 + k * n->taps_d / 3u);
    }
    return n->baseline == TERN_BASELINE_SYNAPSE ? 2 * sum : sum;
}

/* Learning rate, averages and formats of the learning sets, about as the compiler chooses them; one ek for both.
 * Weights small enough that potentials are rarely limited. */
static bool choose_rule(bench *b, tern_testrand *r, tern_arena *arena, unsigned number)
{
    tern_net *n = &b->model.net;
    static const double kappas[] = { 0, 0.2, 0.5, 0.8, 0.95, 1 };
    b->kappa = kappas[tern_testrand_in(r, 0, 5)];
    uint16_t *kap = tern_arena_get(arena, n->lags_w, sizeof *kap);
    int16_t *weights = tern_arena_get(arena, n->n_weights, sizeof *weights);
    if (kap == NULL || weights == NULL) return false;
    for (unsigned d = 0; d < n->lags_w; ++d) kap[d] = (uint16_t)fmin(32767, floor(32768 * pow(b->kappa, d) + 0.5));
    n->kap_f15 = kap;
    const int span = 3 << n->weight_frac >> 2, top = (1 << (n->weight_bits - 1)) - 1;
    for (uint32_t j = 0; j < n->n_weights; ++j)
        weights[j] = (int16_t)(n->weights0[j] == TERN_WEIGHT_ABSENT
                                   ? TERN_WEIGHT_ABSENT
                                   : tern_testrand_in(r, -(span < top ? span : top), span < top ? span : top));
    n->weights0 = weights;
    n->baseline = (uint8_t)(n->rule == TERN_RULE_GEM ? TERN_BASELINE_NONE : number % 3);
    n->baseline_shift = (uint8_t)tern_testrand_in(r, 3, 7);
    const double reach = n->rule == TERN_RULE_REWARD ? 10 : 2 * log(2) * STEPS * (n->n_visible + 1);
    const int mf = (int)fmin(12, floor(14 - log2(reach)));
    for (bool fits = false; !fits;) {
        b->ef = n->weight_frac + (int)tern_testrand_in(r, 13, 22);
        b->mf = mf - (int)tern_testrand_in(r, 0, 2);
        fits = true;
        for (unsigned set = 0; set < 2; ++set) {
            const int shift = (int)(set == 0 ? tern_testrand_in(r, 15, 20) : tern_testrand_in(r, 16, 17)),
                      fc = set == 0 ? b->ef + 15 - shift : b->ef + b->mf + 1 - shift;
            const int big = fc + n->trace_frac - n->weight_frac, local = fc + n->trace_frac - 12;
            fits = fits && fc > 0 && big >= 1 && big <= 31 && local >= 1 && local <= 31;
            n->learn[set] = (tern_learn){ (uint8_t)shift, (uint8_t)fc, (uint8_t)big, (uint8_t)local };
        }
    }
    n->m_shift = (uint8_t)(12 - b->mf);
    b->eta = (16384 + (double)tern_testrand_in(r, 0, 1638300) / 100) * ULP(b->ef);
    b->model.rule = (tern_rule){
        n->rule, b->eta, 1, 0, n->gamma_f16 / 65536.0, b->kappa, b->K, n->baseline, 1u << n->baseline_shift, 0
    };
    return true;
}

typedef struct ratios {
    double e, l, v;
} ratios;

/* Bounds of the step that the reference just made, and whether the golden model's errors, losses and log-probabilities
 * keep them, as long as no potential has been limited. */
static void compare_step(bench *b, int t, ratios *worst)
{
    const tern_net *n = &b->model.net;
    const tern_state *st = &b->st;
    double dl_all = 0;
    for (uint32_t k = 0; k < b->K; ++k) {
        double dl = 0;
        for (uint32_t i = 0; i < n->n_neurons;) {
            const uint32_t size = n->neurons[i].wta_size == 0 ? 1 : n->neurons[i].wta_size;
            for (uint32_t c = i; c < i + size; ++c) {
                const double p = b->ref->p[c * b->K + k],
                             de = n->neurons[i].wta_size == 0 ? bound_e(p) : bound_e_circuit(p, size);
                b->e[t][c][k] = b->learned[t] ? b->ref->error[c * b->K + k] : 0;
                b->de[t][c][k] = b->learned[t] ? de : 0;
                const double e =
                    st->errors_f15[(c * b->K + k) * n->lags_w + (st->lag_head + n->lags_w - 1u) % n->lags_w] / 32768.0;
                if (b->st.sat.potential != 0) continue;
                CHECK_NEAR(e, b->e[t][c][k], b->de[t][c][k]);
                if (b->learned[t]) worst->e = fmax(worst->e, fabs(e - b->e[t][c][k]) / de);
            }
            if (i < n->n_visible) dl += n->neurons[i].wta_size == 0 ? bound_l() : bound_l_circuit(size);
            i += size;
        }
        dl_all = fmax(dl_all, dl);
        if (b->st.sat.potential != 0) continue;
        CHECK_NEAR(st->loss_f12[k] / 4096.0, b->ref->loss[k], dl);
        if (dl > 0) worst->l = fmax(worst->l, fabs(st->loss_f12[k] / 4096.0 - b->ref->loss[k]) / dl);
    }
    b->dv = b->model.rule.gamma * b->dv + ULP(13) + dl_all;
    for (uint32_t k = 0; k < b->K && b->st.sat.potential == 0; ++k) {
        CHECK_NEAR(st->v_f12[k] / 4096.0, b->ref->v[k], b->dv);
        worst->v = fmax(worst->v, fabs(st->v_f12[k] / 4096.0 - b->ref->v[k]) / b->dv);
    }
}

/* The reference takes over the golden model's parameters. */
static void same_parameters(bench *b)
{
    const tern_net *n = &b->model.net;
    for (uint32_t j = 0; j < n->n_weights; ++j)
        b->ref->weights[j] = n->weights0[j] == TERN_WEIGHT_ABSENT ? 0 : ldexp(b->st.weights[j], -n->weight_frac);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        b->ref->bias[i] = ldexp(b->st.bias_f12[i], -12);
        b->ref->self[i] = ldexp(b->st.self_f12[i], -12);
    }
    for (size_t q = 0; q < tern_net_baselines(n); ++q) {
        b->ref->base[q] = ldexp(b->st.base_f12[q], -12);
        b->ref->base_weight[q] = ldexp(b->st.base_weight[q], -14);
    }
}

/* Steps of both engines; the last one leaves an update pending in the golden model, and applied in the reference. */
static void run_steps(bench *b, uint64_t seed, tern_testrand *r, ratios *worst)
{
    const tern_net *n = &b->model.net;
    static uint32_t in[MAX_POS / 32], target[MAX_POS / 32];
    b->dv = 0;
    for (int t = 0; t < STEPS; ++t) {
        tern_flush(&b->st);
        tern_reference_flush(b->ref); /* with eta = 0 */
        same_parameters(b);
        b->learned[t] = t == STEPS - 1 || !tern_testrand_one_in(r, 6);
        const unsigned flags = TERN_STEP_CLAMP | (b->learned[t] ? TERN_STEP_LEARN : 0u);
        tern_testnet_frame(seed, (uint32_t)t, &b->model, in, target);
        tern_step(&b->st, in, target, flags);
        b->ref->eta = t == STEPS - 1 ? b->eta : 0;
        b->ref->forced = b->st.spikes;
        tern_reference_step(b->ref, in, target, flags);
        CHECK(memcmp(b->ref->spikes, b->st.spikes, b->K * n->n_neurons_pos / 8) == 0);
        for (uint32_t k = 0; k < b->K; ++k) b->reward_f12[k] = (int32_t)tern_testrand_in(r, -20000, 20000);
        double reward[MAX_K];
        for (uint32_t k = 0; k < b->K; ++k) reward[k] = b->reward_f12[k] / 4096.0;
        tern_reward(&b->st, b->reward_f12);
        tern_reference_reward(b->ref, reward);
        for (uint32_t p = 0; p < n->n_inputs_pos; ++p) b->in[t][p] = in[p / 32] >> p % 32 & 1;
        for (uint32_t k = 0; k < b->K; ++k)
            for (uint32_t p = 0; p < n->n_neurons_pos; ++p)
                b->s[t][k][p] = b->st.spikes[k * (n->n_neurons_pos / 32) + p / 32] >> p % 32 & 1;
        compare_step(b, t, worst);
    }
}

/* ---- 4096 draws -------------------------------------------------------------------------------------------------- */

typedef struct collector {
    tern_record_sink sink;
    const tern_net *net;
    measure *of;         /* [columns] */
    uint8_t bits[MAX_P]; /* R or RL of a column */
} collector;

static void collect(tern_record_sink *self, const tern_record *r)
{
    collector *c = (collector *)self;
    if (r->kind > TERN_REC_S) return;
    const uint32_t column = r->kind == TERN_REC_W
                                ? r->index
                                : c->net->n_weights + r->index + (r->kind == TERN_REC_S ? c->net->n_neurons : 0);
    measure *m = &c->of[column];
    const int64_t steps = r->b - r->a, unit = (int64_t)1 << c->bits[column], lo = steps * unit - (int64_t)r->draw,
                  hi = lo + unit - 1;
    m->lo = m->records == 0 || lo > m->lo ? lo : m->lo;
    m->hi = m->records == 0 || hi < m->hi ? hi : m->hi;
    m->sum += steps;
    m->saturated = m->saturated || (r->flags & 1) != 0;
    ++m->records;
}

/* Applies the pending update to copies of the state. The state is left with one of the results. False: something was
 * limited in the coefficients. */
static bool draw_all(bench *b, measure *of, tern_arena *arena)
{
    const tern_net *n = &b->model.net;
    tern_state *st = &b->st;
    const size_t n_base = tern_net_baselines(n);
    struct {
        void *live, *kept;
        size_t bytes;
    } parts[] = {
        { st->weights, NULL, n->n_weights * sizeof *st->weights },
        { st->bias_f12, NULL, n->n_neurons * sizeof *st->bias_f12 },
        { st->self_f12, NULL, n->n_neurons * sizeof *st->self_f12 },
        { st->base_f12, NULL, n_base * sizeof *st->base_f12 },
        { st->base_weight, NULL, n_base * sizeof *st->base_weight },
    };
    for (size_t q = 0; q < 5; ++q) {
        parts[q].kept = tern_arena_get(arena, parts[q].bytes, 1);
        if (parts[q].kept == NULL) return false;
        memcpy(parts[q].kept, parts[q].live, parts[q].bytes);
    }
    memset(of, 0, (n->n_weights + 2 * n->n_neurons) * sizeof *of);
    static collector c;
    c.sink.put = collect;
    c.net = n;
    c.of = of;
    for (uint32_t q = 0; q < b->n_parameters; ++q) {
        const parameter *p = &b->parameters[q];
        const tern_learn *learn = &n->learn[by_signal(n, p->neuron)];
        c.bits[p->column] = p->row != NULL ? learn->dither_bits : learn->local_bits;
    }
    const tern_sat_counts before = st->sat;
    st->sink = &c.sink;
    for (uint64_t draw = 0; draw < DRAWS; ++draw) {
        if (draw > 0)
            for (size_t q = 0; q < 5; ++q) memcpy(parts[q].live, parts[q].kept, parts[q].bytes);
        st->seed = draw * 0x9e3779b97f4a7c15u;
        st->pending = true;
        tern_flush(st);
        if (st->sat.coefficient != before.coefficient || st->sat.modulator != before.modulator) return false;
    }
    st->sink = NULL;
    /* baselines stay as they are after the update */
    for (size_t q = 0; q < 3; ++q) memcpy(parts[q].live, parts[q].kept, parts[q].bytes);
    return true;
}

/* B-12: how far the mean of `DRAWS` numbers with fraction f may be from its expectation: Bernstein's inequality, 1e-9
 * to be beyond. */
static double bound_draws(double f, double width)
{
    const double far = log(2e9), var = fmin(0.25, f * (1 - f) + width), a = far / (3 * DRAWS);
    return a + sqrt(a * a + 2 * var * far / DRAWS);
}

/* ---- totals of a rule -------------------------------------------------------------------------------------------- */

typedef struct totals {
    /* unlimited: compared with the reference, too */
    unsigned networks, circuits, passed_over, unlimited, parameters, limited, noticed[N_FAULTS], concerned[N_FAULTS];
    double mean, dw, ref_mean, ref_dw, base; /* largest |error| / bound */
    ratios step;
    unsigned ref_parameters;
    /* bound / |change| of parameters that changed; against the reference */
    double tightness[MAX_TIGHTNESS], ref_tightness[MAX_TIGHTNESS];
} totals;

/* Distance of x from the interval lo..hi. */
static double outside(double x, double lo, double hi) { return x < lo ? lo - x : x > hi ? x - hi : 0; }

/* B-13 (N-20, N-21): baselines after the update against the same recursion in real numbers, on the state's errors.
 * old_*: before. */
static void compare_baselines(bench *b, const factors *f, const int32_t *old_b, const uint32_t *old_d,
                              double (*e)[MAX_N][MAX_K], totals *all)
{
    const tern_net *n = &b->model.net;
    for (uint32_t q = 0; q < b->n_parameters; ++q) {
        const parameter *p = &b->parameters[q];
        const bool each = n->baseline == TERN_BASELINE_SYNAPSE;
        const size_t at = each ? p->column : p->neuron;
        if (!by_signal(n, p->neuron) || (!each && (p->row != NULL || p->self))) continue;
        double pull = 0, seen = 0, d_pull = 0, d_seen = 0, all_g = 0, all_dg = 0, any = 0, most = 0;
        const double before = old_b[at] / 4096.0;
        for (uint32_t k = 0; k < b->K; ++k) {
            double g = 0, dg = 0;
            for (unsigned d = 0; d < n->lags_w && d < STEPS; ++d) {
                const double x = trace(b, p, k, STEPS - 1 - (int)d), err = e[d][p->neuron][k];
                any += x;
                g += pow(b->kappa, d) * err * x;
                dg += x * (fabs(err) * ULP(15) + (each && err != 0 ? ULP(16) : 0));
            }
            all_g += g;
            all_dg += dg;
            if (n->rule == TERN_RULE_IW) {
                if (k + 1 < b->K) continue;
                g = all_g;
                dg = all_dg;
            }
            most = fmax(most, fabs(g) + dg);
            dg += ULP(10);
            const double dq = 2 * fabs(g) * dg + dg * dg + ULP(15);
            seen += g * g;
            d_seen += dq;
            pull += g * g * (f->w[k] - before);
            d_pull += dq * (fabs(f->w[k] - before) + f->dw[k]) + g * g * f->dw[k];
        }
        if (any == 0 || most > 7.9) continue; /* never seen a spike: left alone; g limited to 8 */
        const double decayed = ldexp(old_d[at], -14) * (1 - ULP(n->baseline_shift)) + seen,
                     now_d = ldexp(b->st.base_weight[at], -14);
        CHECK_NEAR(now_d, decayed, d_seen + ULP(14));
        if (now_d == 0 || decayed < 1e-9) continue;
        const double bound = d_pull / now_d + fabs(pull) * (d_seen + ULP(14)) / (decayed * now_d) + ULP(13),
                     now = b->st.base_f12[at] / 4096.0;
        CHECK_NEAR(now, before + pull / decayed, bound);
        all->base = fmax(all->base, fabs(now - before - pull / decayed) / bound);
    }
}

/* False: this network is of no use (too large, or something was limited). */
static bool one_network(uint64_t seed, tern_rule_kind rule, unsigned number, totals *all)
{
    static bench b;
    static measure of[MAX_P];
    static int32_t old_b[MAX_P];
    static uint32_t old_d[MAX_P];
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_testrand r = { seed * 31 + (uint64_t)rule };
    memset(&b, 0, sizeof b);
    CHECK_EQ(tern_testnet_make_as(seed, rule, &arena, &b.model), TERN_OK);
    tern_net *n = &b.model.net;
    b.K = n->n_samples;
    bool good = n->n_neurons <= MAX_N && b.K <= MAX_K && n->n_weights + 2 * n->n_neurons <= MAX_P &&
                n->n_inputs_pos <= MAX_POS && n->n_neurons_pos <= MAX_POS && n->n_weights >= 4 &&
                choose_rule(&b, &r, &arena, number) && cost(n, b.K) <= MAX_COST;
    if (good) {
        const char *what = NULL;
        CHECK_EQ(tern_net_check(n, &what), TERN_OK);
        const size_t bytes = tern_state_bytes(n, b.K);
        CHECK_EQ(tern_state_init(&b.st, n, tern_arena_get(&arena, bytes, 1), bytes, b.K, seed), TERN_OK);
        CHECK_EQ(tern_ek_from_eta(n, b.eta, b.kappa, b.st.ek), TERN_OK);
        CHECK_EQ(tern_reference_create(&b.model, b.K, seed, &arena, &b.ref, NULL), TERN_OK);
        good = b.ref != NULL;
    }
    static double before[MAX_P];
    ratios worst = { 0, 0, 0 };
    double v[MAX_K];
    static double e[STEPS][MAX_N][MAX_K]; /* [lag] of the golden state */
    if (good) {
        list_parameters(&b);
        run_steps(&b, seed, &r, &worst);
        for (uint32_t j = 0; j < n->n_weights; ++j) before[j] = ldexp(b.st.weights[j], -n->weight_frac);
        for (uint32_t i = 0; i < n->n_neurons; ++i) {
            before[n->n_weights + i] = ldexp(b.st.bias_f12[i], -12);
            before[n->n_weights + n->n_neurons + i] = ldexp(b.st.self_f12[i], -12);
        }
        for (size_t q = 0; q < tern_net_baselines(n); ++q) {
            old_b[q] = b.st.base_f12[q];
            old_d[q] = b.st.base_weight[q];
        }
        for (unsigned d = 0; d < STEPS; ++d)
            for (uint32_t i = 0; i < n->n_neurons; ++i)
                for (uint32_t k = 0; k < b.K; ++k)
                    e[d][i][k] = d < n->lags_w
                                     ? b.st.errors_f15[(i * b.K + k) * n->lags_w +
                                                       (b.st.lag_head + 2u * n->lags_w - 1u - d) % n->lags_w] /
                                           32768.0
                                     : 0;
        for (uint32_t k = 0; k < b.K; ++k) v[k] = b.st.v_f12[k] / 4096.0;
        good = draw_all(&b, of, &arena);
    }
    if (!good) {
        tern_arena_free(&arena);
        return false;
    }
    const factors same = third_factor(&b, v, 0), ref = third_factor(&b, b.ref->v, b.dv);
    tern_reference_flush(b.ref); /* rule REWARD */
    if (n->baseline != TERN_BASELINE_NONE) compare_baselines(&b, &same, old_b, old_d, e, all);
    for (size_t q = 0; q < tern_net_baselines(n); ++q) b.st.base_f12[q] = old_b[q]; /* what the update used */
    bool noticed[N_FAULTS] = { false }, concerned[N_FAULTS] = { false };
    const bool unlimited = b.st.sat.potential == 0;
    ++all->networks;
    all->unlimited += unlimited;
    for (uint32_t i = 0; i < n->n_neurons; ++i)
        if (n->neurons[i].wta_size != 0) {
            ++all->circuits;
            break;
        }
    for (uint32_t q = 0; q < b.n_parameters; ++q) {
        const parameter *p = &b.parameters[q];
        const measure *m = &of[p->column];
        CHECK(m->records == 0 || m->records == DRAWS);
        if (m->saturated) {
            ++all->limited;
            continue;
        }
        double own[STEPS][MAX_K], zero[STEPS][MAX_K] = { { 0 } }, full[STEPS][MAX_K], d_full[STEPS][MAX_K];
        for (unsigned d = 0; d < STEPS; ++d)
            for (uint32_t k = 0; k < b.K; ++k) {
                own[d][k] = e[d][p->neuron][k];
                full[d][k] = b.e[STEPS - 1 - d][p->neuron][k];
                d_full[d][k] = b.de[STEPS - 1 - d][p->neuron][k];
            }
        /* of a weight, of dw */
        const double step = ULP(p->frac), unit = ULP(n->learn[by_signal(n, p->neuron)].c_frac + n->trace_frac);
        const double lo = (double)m->lo * unit, hi = (double)m->hi * unit, mean = (double)m->sum / DRAWS * step;
        CHECK(m->lo <= m->hi); /* one dw explains all draws: N-15 */
        const double f = lo / step - floor(lo / step),
                     chance = m->records == 0 ? 0 : step * bound_draws(f, (hi - lo) / step);
        const change own_change = expected(&b, p, &same, n->lags_w < STEPS ? n->lags_w : STEPS, own, zero, FAULT_NONE);
        /* rounding of double sums */
        const double tiny = 1e-12 * (1 + fabs(own_change.value));
        CHECK_NEAR(mean, own_change.value, own_change.bound + chance + tiny);
        CHECK(outside(own_change.value, lo, hi) <= own_change.bound + tiny);
        const change all_lags = expected(&b, p, &ref, STEPS, full, d_full, FAULT_NONE);
        const double moved = (p->row != NULL ? b.ref->weights[p->column]
                              : p->self      ? b.ref->self[p->neuron]
                                             : b.ref->bias[p->neuron]) -
                             before[p->column];
        CHECK_NEAR(moved, all_lags.value, 1e-9 * (1 + fabs(moved))); /* the test's equations are the reference's */
        if (unlimited) {
            CHECK_NEAR(mean, moved, all_lags.bound + chance + tiny);
            CHECK(outside(moved, lo, hi) <= all_lags.bound + tiny);
        }
        if (own_change.bound > 0) {
            all->mean = fmax(all->mean, fabs(mean - own_change.value) / (own_change.bound + chance));
            all->dw = fmax(all->dw, outside(own_change.value, lo, hi) / own_change.bound);
        }
        /* what lies beyond the window is missing exactly */
        if (unlimited && all_lags.bound > 0 && all_lags.beyond < 0.01 * all_lags.bound) {
            all->ref_mean = fmax(all->ref_mean, fabs(mean - moved) / (all_lags.bound + chance));
            all->ref_dw = fmax(all->ref_dw, outside(moved, lo, hi) / all_lags.bound);
            if (moved != 0 && all->ref_parameters < MAX_TIGHTNESS)
                all->ref_tightness[all->ref_parameters++] = all_lags.bound / fabs(moved);
        }
        if (own_change.value != 0 && all->parameters < MAX_TIGHTNESS)
            all->tightness[all->parameters++] = own_change.bound / fabs(own_change.value);
        for (int wrong = 1; wrong < N_FAULTS; ++wrong) {
            const change c = expected(&b, p, &same, n->lags_w < STEPS ? n->lags_w : STEPS, own, zero, (fault)wrong);
            /* without visible neurons v = 0 */
            concerned[wrong] =
                concerned[wrong] || ((n->n_visible > 0 || rule == TERN_RULE_GEM || rule == TERN_RULE_REWARD) &&
                                     fabs(c.value - own_change.value) > 0.01 * fabs(own_change.value));
            noticed[wrong] = noticed[wrong] || outside(c.value, lo, hi) > own_change.bound + tiny;
        }
    }
    for (int wrong = 1; wrong < N_FAULTS; ++wrong) {
        all->noticed[wrong] += noticed[wrong] && concerned[wrong];
        all->concerned[wrong] += concerned[wrong];
    }
    all->step.e = fmax(all->step.e, worst.e);
    all->step.l = fmax(all->step.l, worst.l);
    all->step.v = fmax(all->step.v, worst.v);
    tern_arena_free(&arena);
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    static const char *const name[] = { "GEM", "MB", "IW", "REWARD" };
    static totals all[4];
    for (int rule = 0; rule < 4; ++rule) {
        totals *t = &all[rule];
        for (uint64_t seed = 1; t->networks < NETWORKS && seed < 100000; ++seed)
            if (!one_network(seed, (tern_rule_kind)rule, t->networks, t)) ++t->passed_over;
        qsort(t->tightness, t->parameters, sizeof *t->tightness, by_size);
        qsort(t->ref_tightness, t->ref_parameters, sizeof *t->ref_tightness, by_size);
        printf("%-6s %u networks (%u with circuits, %u without limited potentials; %u passed over), %u parameters that "
               "changed, %u limited\n",
               name[rule], t->networks, t->circuits, t->unlimited, t->passed_over, t->parameters, t->limited);
        printf("       same state: bound / change, median %.4f; largest error / bound: mean of draws %.3f, dw %.3f; "
               "baseline %.3f\n",
               t->parameters ? t->tightness[t->parameters / 2] : 0, t->mean, t->dw, t->base);
        printf("       reference:  bound / change, median %.4f; largest error / bound: mean of draws %.3f, dw %.3f; e "
               "%.3f, l %.3f, v %.3f\n",
               t->ref_parameters ? t->ref_tightness[t->ref_parameters / 2] : 0, t->ref_mean, t->ref_dw, t->step.e,
               t->step.l, t->step.v);
        printf("       faults noticed, of the networks that they concern:");
        for (int wrong = 1; wrong < N_FAULTS; ++wrong) {
            static const char *const what[N_FAULTS] = { "",       "sign",       "3 % more eta", "a lag too many",
                                                        "no 1/K", "no baseline" };
            printf(" %s %u of %u%s", what[wrong], t->noticed[wrong], t->concerned[wrong],
                   wrong + 1 < N_FAULTS ? "," : "\n");
            CHECK(t->noticed[wrong] * 4 >= t->concerned[wrong] * (wrong == FAULT_RATE ? 2 : 3));
        }
        CHECK_EQ(t->networks, NETWORKS);
        CHECK(t->circuits >= NETWORKS / 10);
        CHECK(t->unlimited >= NETWORKS / 2);
        CHECK(t->parameters >= 10 * NETWORKS);
        CHECK(t->limited < t->parameters);
        CHECK(t->concerned[FAULT_SIGN] > NETWORKS * 3 / 4);
        CHECK(rule == TERN_RULE_GEM || t->concerned[FAULT_BASELINE] > NETWORKS / 6);
    }
    return tern_check_report("expected");
}
