/* tern_quantise.c : real numbers to integers: formats, window, tables, initial parameters (docs/21-numerics.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include "tern_lower.h"
#include "tern_errors.h"
#include "tern_tables.h"

enum { E_FORMAT = 230, E_ETA = 231, E_WINDOW = 232, W_WINDOW = 233 };

/* Smallest W whose neglected part of the average, kappa^W of it, is at most 1 %. */
static unsigned choose_lags(double kappa, unsigned most)
{
    double rest = kappa;
    unsigned w = 1;
    while (rest > 0.01 && w < most) {
        rest *= kappa;
        ++w;
    }
    return w;
}

/* Says so when the window cuts off more than 1 % of the average; not where no presentation is longer than it. */
static void warn_cut(const tern_desc *desc, unsigned w, unsigned d, tern_diags *diags)
{
    const double kappa = desc->rule.kappa, rest = pow(kappa, (double)w),
                 good = floor(1000.0 * pow(0.01, 1.0 / (double)(TERN_MAX_HISTORY - d))) / 1000.0;
    if (rest <= 0.01 || (desc->data.present && desc->data.clear && desc->data.steps <= w)) return;
    tern_diag *g =
        kappa < 1.0
            ? tern_diags_add(diags, TERN_SEV_WARNING, W_WINDOW, desc->file, 0, "rule.kappa",
                             "kappa = %g: the learning window is cut after %u lags, which neglects %.2g of the average",
                             kappa, w, rest)
            : tern_diags_add(diags, TERN_SEV_WARNING, W_WINDOW, desc->file, 0, "rule.kappa",
                             "kappa = 1: the average never forgets, but the learning window is cut after %u lags: "
                             "everything older is neglected",
                             w);
    tern_diag_hint(g, "use kappa <= %g, or shorter filters (D = %u taps, D + W <= %u)", good, d, TERN_MAX_HISTORY);
}

static tern_status choose_window(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    unsigned d = 1;
    for (uint32_t f = 0; f < desc->n_filters; ++f)
        if (desc->filters[f].n_taps > d) d = desc->filters[f].n_taps;
    const unsigned most = TERN_MAX_HISTORY - d;
    unsigned w = desc->formats.lags;
    if (w > most) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_WINDOW, desc->file, 0, "formats.lags",
                                      "%u lags and filters of %u taps need %u history bits, at most %u are kept", w, d,
                                      w + d, TERN_MAX_HISTORY),
                       "use lags <= %u, or shorter filters", most);
        return TERN_ERR_NETWORK;
    }
    if (w == 0) {
        w = choose_lags(desc->rule.kappa, most);
        warn_cut(desc, w, d, diags);
    }
    net->taps_d = (uint8_t)d;
    net->lags_w = (uint8_t)w;
    return TERN_OK;
}

/* ---- learning sets ---- */

static void set_learn(tern_net *net, unsigned set, int c_shift, int fc)
{
    net->learn[set] = (tern_learn){ .c_shift = (uint8_t)c_shift,
                                    .c_frac = (uint8_t)fc,
                                    .dither_bits = (uint8_t)(fc + net->trace_frac - net->weight_frac),
                                    .local_bits = (uint8_t)(fc + net->trace_frac - (int)TERN_BIAS_FRAC) };
}

/* FC for which R and RL are 1..31. */
static int fc_least(const tern_net *net) { return 1 + (int)TERN_BIAS_FRAC - net->trace_frac; }
static int fc_most(const tern_net *net) { return 31 + net->weight_frac - net->trace_frac; }

/* Log-probability of a step of visible neurons that know nothing, without its sign: log 2 each, log(C + 1) for a
 * circuit. */
static double ignorance(const tern_desc *desc)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < desc->n_populations; ++i) {
        const tern_population *p = &desc->populations[i].pop;
        if (p->kind != TERN_POP_VISIBLE) continue;
        sum += p->wta == 0 ? p->size * log(2.0) : p->size / p->wta * log(p->wta + 1.0);
    }
    return sum;
}

/* MF: the largest for which modulators, 15 bits, reach twice the learning signal of a network that knows nothing. */
static int choose_signal_frac(const tern_desc *desc)
{
    if (desc->formats.signal_frac != TERN_SIGNAL_AUTO) return desc->formats.signal_frac;
    const double longest = desc->data.present && desc->data.steps > 0 ? desc->data.steps : 100.0;
    const double steps = desc->rule.gamma < 1.0 ? fmin(longest, 1.0 / (1.0 - desc->rule.gamma)) : longest;
    const double shared = desc->rule.kind == TERN_RULE_IW ? 1.0 : desc->rule.samples; /* MB and REWARD divide by K */
    int mf = 12;
    while (mf > -12 && ldexp(1.0, 14 - mf) < 2.0 * ignorance(desc) * steps / shared) --mf;
    return mf;
}

/* ek[0] = eta 2^EF has its highest bit set. */
static int exponent_of(double eta)
{
    int exponent;
    frexp(eta, &exponent); /* eta = m 2^exponent, 0.5 <= m < 1 */
    return 15 - exponent - (ldexp(eta, 15 - exponent) + 0.5 >= 32768.0 ? 1 : 0);
}

static bool signal_used(const tern_net *net) { return tern_net_signal_first(net) < net->n_neurons; }

/* Largest eta that both sets hold: below 2^n an eta has EF >= 15 - n. */
static double most_eta(const tern_desc *desc, const tern_net *net)
{
    const int weights = (int)desc->formats.learn_bits - 1 - fc_least(net),
              signal = choose_signal_frac(desc) + 1 - fc_least(net);
    int n = 30;
    if (tern_net_signal_first(net) > 0 && weights < n) n = weights;
    if (signal_used(net) && signal < n) n = signal;
    return 0.99 * ldexp(1.0, n);
}

/* Set 0: c has learn_bits. A tiny eta gets fewer significant bits, so that the dither still reaches the last one. */
static tern_status choose_weights_set(const tern_desc *desc, tern_net *net, int ef, tern_diags *diags)
{
    const int least = fc_least(net), most = fc_most(net), bits = (int)desc->formats.learn_bits;
    int c_shift = 31 - bits, fc = ef + 15 - c_shift;
    /* ... and REWARD does not use this set: any one that holds EF */
    if (fc > most || (fc < least && tern_net_signal_first(net) == 0)) {
        const int limit = fc > most ? most : least;
        c_shift += fc - limit;
        fc = limit;
    }
    if (c_shift <= 30 && fc >= least) {
        set_learn(net, 0, c_shift, fc);
        return TERN_OK;
    }
    tern_diag *g = tern_diags_add(diags, TERN_SEV_ERROR, E_ETA, desc->file, 0, "rule.eta",
                                  "eta = %g cannot be represented with %u-bit weights of %u fraction bits",
                                  desc->rule.eta, desc->formats.weight_bits, desc->formats.weight_frac);
    if (fc < least)
        tern_diag_hint(g, "use a smaller eta (at most %.3g)%s", most_eta(desc, net),
                       bits < 16 ? ", or formats.learn with more bits" : "");
    else
        tern_diag_hint(g, "use a larger eta (at least %.3g), or weights with more fraction bits",
                       1.01 * ldexp(1.0, -1 - most));
    return TERN_ERR_NETWORK;
}

/* Set 1: FC = EF + MF + 1 - c_shift. With c_shift 16 or more c cannot be limited; nor with 15, which is kept for where
 * a bit of FC is short. It never needs more than 30, because set 0 has found its own c_shift: EF <= 15 + most. */
static tern_status choose_signal_set(const tern_desc *desc, tern_net *net, int ef, tern_diags *diags)
{
    const int least = fc_least(net), most = fc_most(net), mf = choose_signal_frac(desc);
    if (!signal_used(net)) {
        net->learn[1] = net->learn[0];
        net->m_shift = 0;
        return TERN_OK;
    }
    int c_shift = 16, fc = ef + mf + 1 - c_shift;
    if (fc < least) {
        --c_shift;
        ++fc;
    }
    if (fc > most) {
        c_shift += fc - most;
        fc = most;
    }
    net->m_shift = (uint8_t)((int)TERN_V_FRAC - mf);
    if (fc >= least) {
        set_learn(net, 1, c_shift, fc);
        return TERN_OK;
    }
    tern_diag *g =
        tern_diags_add(diags, TERN_SEV_ERROR, E_ETA, desc->file, 0, "rule.eta",
                       "eta = %g cannot be represented where learning signals have %d fraction bits and traces %u",
                       desc->rule.eta, mf, desc->formats.trace_frac);
    const int more = mf + least - fc; /* fraction bits that would do */
    if (more <= 12)
        tern_diag_hint(g, "use a smaller eta (at most %.3g), or formats.signal = %d, which limits larger signals",
                       most_eta(desc, net), more);
    else tern_diag_hint(g, "use a smaller eta (at most %.3g)", most_eta(desc, net));
    return TERN_ERR_NETWORK;
}

/* Rule, baseline, and of both sets FC, c_shift, R, RL (docs/21-numerics.md, section 10). */
static tern_status choose_learning(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    const int ef = exponent_of(desc->rule.eta);
    net->rule = desc->rule.kind;
    net->baseline = desc->rule.kind == TERN_RULE_GEM ? (uint8_t)TERN_BASELINE_NONE : desc->rule.baseline;
    net->baseline_shift = 7;
    while (net->baseline_shift > 3 && 1u << net->baseline_shift > desc->rule.memory) --net->baseline_shift;
    const tern_status s = choose_weights_set(desc, net, ef, diags);
    return s == TERN_OK ? choose_signal_set(desc, net, ef, diags) : s;
}

static tern_status choose_formats(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    const tern_format_desc *f = &desc->formats;
    if (f->weight_bits < 4 || f->weight_bits > 16 || f->weight_frac > 12 || f->trace_frac < 4 || f->trace_frac > 8 ||
        f->learn_bits < 8 || f->learn_bits > 16) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FORMAT, desc->file, 0, "formats",
                                      "weight = {%u, %u}, trace = %u, learn = %u are out of range", f->weight_bits,
                                      f->weight_frac, f->trace_frac, f->learn_bits),
                       "weight = {bits 4..16, fraction 0..12}, trace = 4..8, learn = 8..16");
        return TERN_ERR_NETWORK;
    }
    net->weight_bits = (uint8_t)f->weight_bits;
    net->weight_frac = (uint8_t)f->weight_frac;
    net->trace_frac = (uint8_t)f->trace_frac;
    net->n_samples = (uint16_t)desc->rule.samples;
    net->gamma_f16 = (uint32_t)floor(desc->rule.gamma * 65536.0 + 0.5);
    return TERN_OK;
}

static tern_status make_taps(const tern_desc *desc, tern_arena *arena, tern_net *net)
{
    uint16_t *taps = tern_arena_get(arena, (size_t)desc->n_filters * net->taps_d, sizeof *taps);
    if (taps == NULL) return TERN_ERR_MEMORY;
    const double top = (double)((2u << net->trace_frac) - 1u);
    for (uint32_t f = 0; f < desc->n_filters; ++f)
        for (unsigned t = 0; t < desc->filters[f].n_taps; ++t)
            taps[f * net->taps_d + t] =
                (uint16_t)fmin(floor(ldexp(desc->filters[f].taps[t], net->trace_frac) + 0.5), top);
    net->n_filters = (uint8_t)desc->n_filters;
    net->filter_taps = taps;
    return TERN_OK;
}

/* Rounds values to `bits` bits with `frac` fraction bits; NAN becomes TERN_WEIGHT_ABSENT. Values that do not fit are
 * one diagnostic with their count. */
static tern_status round_values(const tern_desc *desc, const char *key, const double *from, size_t n, unsigned bits,
                                unsigned frac, int16_t *to, tern_diags *diags)
{
    const double top = (double)((1 << (bits - 1)) - 1);
    size_t n_bad = 0;
    double worst = 0.0;
    for (size_t i = 0; i < n; ++i) {
        if (isnan(from[i])) {
            to[i] = TERN_WEIGHT_ABSENT;
            continue;
        }
        const double v = floor(ldexp(from[i], (int)frac) + 0.5);
        if (v > top || v < -top) {
            ++n_bad;
            if (fabs(from[i]) > fabs(worst)) worst = from[i];
        } else to[i] = (int16_t)v;
    }
    if (n_bad == 0) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_KEY_RANGE, desc->file, 0, key,
                       "%zu of %zu values do not fit %u bits, %u of them fraction [%g, %g]; the largest is %g", n_bad,
                       n, bits, frac, -ldexp(top, -(int)frac), ldexp(top, -(int)frac), worst),
        bits == 16 && frac == TERN_BIAS_FRAC ? "use smaller initial values"
                                             : "use smaller initial values, or formats.weight = {16, 12}");
    return TERN_ERR_NETWORK;
}

static tern_status round_parameters(const tern_desc *desc, tern_arena *arena, tern_model *model, tern_diags *diags)
{
    tern_net *net = &model->net;
    int16_t *weights = tern_arena_get(arena, net->n_weights, sizeof *weights);
    int16_t *bias = tern_arena_get(arena, net->n_neurons, sizeof *bias);
    int16_t *self = tern_arena_get(arena, net->n_neurons, sizeof *self);
    if (weights == NULL || bias == NULL || self == NULL) return TERN_ERR_MEMORY;
    net->weights0 = weights;
    net->bias0_f12 = bias;
    net->self0_f12 = self;
    tern_status s = round_values(desc, "weights", model->real_weights0, net->n_weights, net->weight_bits,
                                 net->weight_frac, weights, diags);
    if (s == TERN_OK)
        s = round_values(desc, "bias", model->real_bias0, net->n_neurons, 16, TERN_BIAS_FRAC, bias, diags);
    if (s == TERN_OK)
        s = round_values(desc, "memory_init", model->real_self0, net->n_neurons, 16, TERN_BIAS_FRAC, self, diags);
    return s;
}

tern_status tern_quantise(const tern_desc *desc, tern_arena *arena, tern_model *model, tern_diags *diags)
{
    tern_net *net = &model->net;
    tern_status s = choose_formats(desc, net, diags);
    if (s == TERN_OK) s = choose_window(desc, net, diags);
    if (s == TERN_OK) s = choose_learning(desc, net, diags);
    if (s == TERN_OK) s = make_taps(desc, arena, net);
    if (s == TERN_OK) s = tern_tables_make(arena, net);
    if (s == TERN_OK) s = round_parameters(desc, arena, model, diags);
    if (s != TERN_OK) return s;
    uint16_t *ek = tern_arena_get(arena, net->lags_w, sizeof *ek);
    uint16_t *kap = tern_arena_get(arena, net->lags_w, sizeof *kap);
    if (ek == NULL || kap == NULL) return TERN_ERR_MEMORY;
    net->ek0 = ek;
    net->kap_f15 = kap;
    double power = 32768.0;
    for (unsigned d = 0; d < net->lags_w; ++d, power *= desc->rule.kappa)
        kap[d] = (uint16_t)fmin(32767.0, floor(power + 0.5));
    if (tern_ek_from_eta(net, desc->rule.eta, desc->rule.kappa, ek) != TERN_OK) return TERN_ERR_NETWORK;
    const char *what = "";
    s = tern_net_check(net, &what);
    if (s != TERN_OK)
        tern_diags_add(diags, TERN_SEV_ERROR, E_FORMAT, desc->file, 0, "network",
                       "the lowered network breaks the rule: %s", what);
    return s;
}
