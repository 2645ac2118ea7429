/* script_reference.c : random scripts (tern_script_gen.h) in the golden model and the double-precision reference
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_reference [--first SEED] [--count N] [--rule gem|mb|iw|reward|any] [--steps N] [--verbose]
 *
 * Both make every step with the same parameters and the same spikes of hidden neurons, as in
 * tests/reference/test_tern_expected.c. Errors of all neurons, losses and log-probabilities have to agree within the
 * bounds B-1 to B-6 of docs/21-numerics.md, section 11. A step in which a potential is limited, or a visible spike is
 * drawn that the reference does not draw, is not compared, and the reference continues from the golden model's spikes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tern/engine.h"
#include "tern/reference.h"
#include "tern_script_build.h"

#define ULP(frac) ldexp(1.0, -(int)(frac))
#define LOG2_DRIFT 3.1948e-5 /* ln 2 - 2839/4096: what N-9 loses per halving */
#define S_EXP (7.0 / 4096 + 16 * LOG2_DRIFT)
#define PHI 1.25      /* rounding of an exponential, in 2^-16 */
#define S_MIN 65479.0 /* EXP[0] */

static double bound_e(double p, unsigned circuit)
{
    if (circuit == 0) return p * (1 - p) * (exp(1.5 / 256 + ULP(9)) - 1) + ULP(17) + ULP(16);                 /* B-2 */
    return p * (1 - p) * (exp(S_EXP + ULP(8)) - 1) + PHI * (2 + circuit) / S_MIN + ULP(17) * 1.001 + ULP(15); /* B-5 */
}

static double bound_l(unsigned circuit)
{
    const unsigned terms = circuit + 1;
    if (circuit == 0) return 0.75 / 256 + ULP(13) + ULP(9);
    const double sum = 3.5 / 4096 + terms * LOG2_DRIFT / 2 + ULP(16) + PHI * terms / (S_MIN - PHI * terms); /* B-4 */
    return sum + 0.5 / 256 + ULP(12) + 6.1e-5 + ULP(8);
}

typedef struct both {
    tern_model *model;
    tern_state st;
    tern_reference *ref;
    double dv; /* how far log-probabilities may be apart, B-6 */
    uint64_t steps, compared, errors;
    double worst_e, worst_l, worst_v;
    bool bad;
    uint32_t step;
} both;

/* The reference takes over the golden model's parameters. */
static void same_parameters(both *b)
{
    const tern_net *n = &b->model->net;
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

static void far(both *b, const char *what, uint32_t i, uint32_t k, double golden, double reference, double bound)
{
    if (!b->bad)
        printf("FAR %s step=%" PRIu32 " neuron=%" PRIu32 " sample=%" PRIu32
               ": golden %.9g, reference %.9g, allowed %.3g\n",
               what, b->step, i, k, golden, reference, bound);
    b->bad = true;
}

static double ratio(double a, double b, double bound) { return fabs(a - b) / bound; }

static void compare_sample(both *b, uint32_t k, bool learn, double *dl_all)
{
    const tern_net *n = &b->model->net;
    const uint32_t k_n = b->st.n_samples;
    double dl = 0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const unsigned circuit = n->neurons[i].wta_size;
        const double p = b->ref->p[i * k_n + k], de = bound_e(p, circuit),
                     reference = learn ? b->ref->error[i * k_n + k] : 0;
        const size_t column = (b->st.lag_head + n->lags_w - 1u) % n->lags_w;
        const double e = b->st.errors_f15[((size_t)i * k_n + k) * n->lags_w + column] / 32768.0;
        if (!(fabs(e - reference) <= de)) far(b, "error", i, k, e, reference, de);
        b->worst_e = fmax(b->worst_e, ratio(e, reference, de));
        ++b->errors;
        if (i < n->n_visible && n->neurons[i].wta_index == 0) dl += bound_l(circuit);
    }
    const double loss = b->st.loss_f12[k] / 4096.0;
    if (!(fabs(loss - b->ref->loss[k]) <= dl)) far(b, "loss", 0, k, loss, b->ref->loss[k], dl);
    if (dl > 0) b->worst_l = fmax(b->worst_l, ratio(loss, b->ref->loss[k], dl));
    *dl_all = fmax(*dl_all, dl);
}

/* The reference continues from the golden model's spikes of this step and from its log-probabilities. */
static void same_spikes(both *b)
{
    const uint32_t n_pos = b->model->net.n_neurons_pos;
    for (uint32_t k = 0; k < b->st.n_samples; ++k) {
        b->ref->v[k] = b->st.v_f12[k] / 4096.0;
        for (uint32_t pos = 0; pos < n_pos; ++pos) {
            uint64_t *h = &b->ref->hist_neuron[(size_t)k * n_pos + pos];
            *h = (*h & ~(uint64_t)1) | (b->st.spikes[(size_t)k * (n_pos / 32) + pos / 32] >> pos % 32 & 1u);
        }
    }
}

static tern_status do_step(void *ud, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    both *b = ud;
    const tern_net *n = &b->model->net;
    const uint32_t k_n = b->st.n_samples;
    const uint64_t limited = b->st.sat.potential;
    tern_flush(&b->st); /* so that both see the same weights */
    same_parameters(b);
    tern_step(&b->st, inputs, targets, flags);
    b->ref->eta = 0;
    b->ref->forced = b->st.spikes;
    tern_reference_step(b->ref, inputs, targets, flags);
    ++b->steps;
    ++b->step;
    double dl = 0;
    const size_t bytes = (size_t)k_n * n->n_neurons_pos / 8;
    const bool clamped = (flags & TERN_STEP_CLAMP) != 0 || n->n_visible == 0,
               same = memcmp(b->ref->spikes, b->st.spikes, bytes) == 0;
    if (clamped && !same) far(b, "spikes", 0, 0, 0, 0, 0);
    if (!same || b->st.sat.potential !=
                     limited) { /* visible spikes that are drawn cannot be forced; a limited potential is no error */
        same_spikes(b);
        b->dv = 0;
        return b->bad ? TERN_ERR_DIFFERS : TERN_OK;
    }
    for (uint32_t k = 0; k < k_n; ++k) compare_sample(b, k, (flags & TERN_STEP_LEARN) != 0, &dl);
    b->dv = n->gamma_f16 / 65536.0 * b->dv + ULP(13) + dl;
    for (uint32_t k = 0; k < k_n && b->st.sat.logprob == 0; ++k) {
        const double v = b->st.v_f12[k] / 4096.0, bound = b->dv + ULP(16) * fabs(b->ref->v[k]); /* gamma has 16 bits */
        if (!(fabs(v - b->ref->v[k]) <= bound)) far(b, "log-probability", 0, k, v, b->ref->v[k], bound);
        b->worst_v = fmax(b->worst_v, ratio(v, b->ref->v[k], bound));
    }
    ++b->compared;
    return b->bad ? TERN_ERR_DIFFERS : TERN_OK;
}

static tern_status do_reward(void *ud, const int32_t *reward_f12)
{
    both *b = ud;
    double reward[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < b->st.n_samples; ++k) reward[k] = reward_f12[k] / 4096.0;
    tern_reward(&b->st, reward_f12);
    tern_reference_reward(b->ref, reward);
    return TERN_OK;
}

static tern_status do_flush(void *ud)
{
    tern_flush(&((both *)ud)->st);
    return TERN_OK;
}

static tern_status do_clear(void *ud)
{
    both *b = ud;
    tern_state_clear(&b->st);
    tern_reference_clear(b->ref);
    b->dv = 0;
    return TERN_OK;
}

static tern_status do_rate(void *ud, const uint16_t *ek)
{
    both *b = ud;
    memcpy(b->st.ek, ek, b->model->net.lags_w * sizeof *ek);
    return TERN_OK;
}

/* The taps of the image, in both. */
static void same_taps(tern_model *m)
{
    const tern_net *n = &m->net;
    for (uint32_t f = 0; f < n->n_filters; ++f) {
        m->filters[f].n_taps = n->taps_d;
        for (uint32_t t = 0; t < n->taps_d; ++t)
            m->filters[f].taps[t] = ldexp(n->filter_taps[f * n->taps_d + t], -n->trace_frac);
    }
    m->real_weights0 = m->real_bias0 = m->real_self0 = NULL;
}

/* TERN_OK, TERN_ERR_DIFFERS, or what failed. */
static tern_status run_one(both *b, tern_script *s, tern_arena *arena)
{
    const tern_net *n = &b->model->net;
    const size_t bytes = tern_state_bytes(n, n->n_samples);
    void *mem = tern_arena_get(arena, bytes, 1);
    same_taps(b->model);
    tern_status status =
        mem == NULL ? TERN_ERR_MEMORY : tern_state_init(&b->st, n, mem, bytes, n->n_samples, s->run.seed);
    if (status == TERN_OK) status = tern_reference_create(b->model, n->n_samples, s->run.seed, arena, &b->ref, NULL);
    if (status != TERN_OK) return status;
    tern_script_begin(&s->run, b->model, &b->st);
    b->ref->step = b->st.step;
    b->ref->k0 = b->st.k0;
    const tern_script_engine engine = { b, do_step, do_reward, do_flush, do_clear, NULL, NULL, NULL, do_rate };
    status = tern_script_play(&s->run, b->model, n->n_samples, arena, &engine);
    return b->bad ? TERN_ERR_DIFFERS : status;
}

static const char *const rule_names[] = { "gem", "mb", "iw", "reward", "any" };
enum { ANY_RULE = 4 };

int main(int argc, char **argv)
{
    static tern_script s;
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    uint64_t first = 1, count = 100, bad = 0, steps = 0, compared = 0, errors = 0;
    unsigned n_steps = 10, rule = ANY_RULE;
    bool verbose = false;
    double worst[3] = { 0, 0, 0 };
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--verbose") == 0) verbose = true;
        else if (i + 1 < argc && strcmp(argv[i], "--first") == 0) first = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0) count = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--steps") == 0) n_steps = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--rule") == 0) {
            for (rule = 0, ++i; rule < ANY_RULE && strcmp(argv[i], rule_names[rule]) != 0;) ++rule;
        } else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    tern_script_limits lim = tern_script_any;
    if (rule != ANY_RULE) lim.rules = 1u << rule;
    lim.no_states = true; /* the reference has its own */
    lim.classes = 0;      /* and no votes */
    tern_script_coverage cover = { 0, { 0 } };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (uint64_t seed = first; seed < first + count && bad < 5; ++seed) {
        unsigned attempt = 0;
        both b = { .model = &m };
        tern_status status = tern_script_build(&s, seed, &lim, n_steps, &arena, &m, &diags, &attempt);
        if (status == TERN_OK) status = run_one(&b, &s, &arena);
        if (status == TERN_OK) tern_script_cover(&cover, &s, &m, &lim);
        else ++bad;
        if (status != TERN_OK || verbose)
            printf("seed %" PRIu64 ": %s, %" PRIu64 " of %" PRIu64 " steps compared; script_reference --first %" PRIu64
                   " --count 1 --rule %s\n",
                   seed,
                   status == TERN_OK            ? "close"
                   : status == TERN_ERR_DIFFERS ? "FAR"
                                                : "cannot be run",
                   b.compared, b.steps, seed, rule_names[rule]);
        steps += b.steps;
        compared += b.compared;
        errors += b.errors;
        worst[0] = fmax(worst[0], b.worst_e);
        worst[1] = fmax(worst[1], b.worst_l);
        worst[2] = fmax(worst[2], b.worst_v);
    }
    tern_arena_free(&arena);
    printf("script_reference: %s: %" PRIu64 " networks, %" PRIu64 " of %" PRIu64 " steps compared, %" PRIu64
           " errors; largest difference / bound: errors %.3f, losses %.3f, log-probabilities %.3f; %" PRIu64
           " networks differ\n",
           rule_names[rule], cover.networks, compared, steps, errors, worst[0], worst[1], worst[2], bad);
    const bool full = tern_script_print_coverage(&cover, &lim, stdout);
    return bad != 0 || compared * 3 < steps || (!full && count >= 200);
}
