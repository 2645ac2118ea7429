/* tern_quantise.c : real numbers to integers: formats, window, tables, initial parameters (docs/21-numerics.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include "tern_desc.h"
#include "tern_tables.h"

enum { E_FORMAT = 230, E_ETA = 231, E_WINDOW = 232, E_VALUE = 213, W_WINDOW = 233 };

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

static tern_status choose_window(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    unsigned d = 1;
    for (uint32_t f = 0; f < desc->n_filters; ++f)
        if (desc->filters[f].n_taps > d) d = desc->filters[f].n_taps;
    const unsigned most = TERN_MAX_HISTORY - d;
    unsigned w = desc->formats.lags;
    if (w > most) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_WINDOW, desc->file, 0, "formats.lags",
                                      "%u lags and filters of %u taps need %u history bits, at most %u are kept", w, d, w + d, TERN_MAX_HISTORY),
                       "use lags <= %u, or shorter filters", most);
        return TERN_ERR_NETWORK;
    }
    if (w == 0) {
        w = choose_lags(desc->rule.kappa, most);
        const double rest = pow(desc->rule.kappa, (double)w);
        if (desc->rule.kappa >= 1)
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, W_WINDOW, desc->file, 0, "rule.kappa",
                                          "kappa = %g: the average never forgets, but the learning window is cut after %u lags: everything older is neglected", desc->rule.kappa, w),
                           "use kappa <= %.3g, or shorter filters (D = %u taps, D + W <= %u)", pow(0.01, 1.0 / most), d, TERN_MAX_HISTORY);
        else if (rest > 0.01)
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, W_WINDOW, desc->file, 0, "rule.kappa",
                                          "kappa = %g: the learning window is cut after %u lags, which neglects %.2g of the average", desc->rule.kappa, w, rest),
                           "use kappa <= %.3g, or shorter filters (D = %u taps, D + W <= %u)", pow(0.01, 1.0 / most), d, TERN_MAX_HISTORY);
    }
    net->taps_d = (uint8_t)d;
    net->lags_w = (uint8_t)w;
    return TERN_OK;
}

/* FC, c_shift, R, RL from eta: ek[0] uses its 15 bits, c has learn_bits, and R fits 31 bits. */
static tern_status choose_learning(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    int exponent;
    frexp(desc->rule.eta, &exponent);                  /* eta = m 2^exponent, 0.5 <= m < 1 */
    const int ef = 15 - exponent - (ldexp(desc->rule.eta, 15 - exponent) + 0.5 >= 32768.0 ? 1 : 0);
    int c_shift = 31 - (int)desc->formats.learn_bits;
    int fc = ef + 15 - c_shift;
    const int fc_most = 31 + ((int)net->weight_frac < (int)TERN_BIAS_FRAC ? (int)net->weight_frac : (int)TERN_BIAS_FRAC) - net->trace_frac;
    const int fc_least = 1 + (int)TERN_BIAS_FRAC - net->trace_frac;
    if (fc > fc_most) { /* a tiny eta: fewer significant bits, so that the dither still reaches the last one */
        c_shift += fc - fc_most;
        fc = fc_most;
    }
    if (c_shift > 30 || fc < fc_least) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_ETA, desc->file, 0, "rule.eta",
                                      "eta = %g cannot be represented with %u-bit weights of %u fraction bits", desc->rule.eta, desc->formats.weight_bits, desc->formats.weight_frac),
                       fc < fc_least ? "use a smaller eta (at most about %g)" : "use a larger eta (at least about %g), or weights with more fraction bits",
                       fc < fc_least ? ldexp(1.0, (int)desc->formats.learn_bits + 1 - fc_least - 2) : ldexp(1.0, -15 - fc_most));
        return TERN_ERR_NETWORK;
    }
    net->c_shift = (uint8_t)c_shift;
    net->c_frac = (uint8_t)fc;
    net->dither_bits = (uint8_t)(fc + net->trace_frac - net->weight_frac);
    net->local_bits = (uint8_t)(fc + net->trace_frac - (int)TERN_BIAS_FRAC);
    return TERN_OK;
}

static tern_status choose_formats(const tern_desc *desc, tern_net *net, tern_diags *diags)
{
    const tern_format_desc *f = &desc->formats;
    if (f->weight_bits < 4 || f->weight_bits > 16 || f->weight_frac > 12 || f->weight_frac >= f->weight_bits || f->trace_frac < 4 || f->trace_frac > 8 ||
        f->learn_bits < 8 || f->learn_bits > 16) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FORMAT, desc->file, 0, "formats",
                                      "weight = {%u, %u}, trace = %u, learn = %u are out of range", f->weight_bits, f->weight_frac, f->trace_frac, f->learn_bits),
                       "weight = {bits 4..16, fraction 0..12 and below bits}, trace = 4..8, learn = 8..16");
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
            taps[f * net->taps_d + t] = (uint16_t)fmin(floor(ldexp(desc->filters[f].taps[t], net->trace_frac) + 0.5), top);
    net->n_filters = (uint8_t)desc->n_filters;
    net->filter_taps = taps;
    return TERN_OK;
}

/* Rounds values to `bits` bits with `frac` fraction bits; NAN becomes TERN_WEIGHT_ABSENT. Values that do not fit are one diagnostic with their count. */
static tern_status round_values(const tern_desc *desc, const char *key, const double *from, size_t n, unsigned bits, unsigned frac, int16_t *to, tern_diags *diags)
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
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_VALUE, desc->file, 0, key, "%zu of %zu values do not fit s%u.%u [%g, %g]; the largest is %g", n_bad, n, bits - frac, frac,
                                  -ldexp(top, -(int)frac), ldexp(top, -(int)frac), worst),
                   bits == 16 && frac == TERN_BIAS_FRAC ? "use smaller initial values" : "use smaller initial values, or formats.weight = {16, 12}");
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
    tern_status s = round_values(desc, "weights", model->real_weights0, net->n_weights, net->weight_bits, net->weight_frac, weights, diags);
    if (s == TERN_OK) s = round_values(desc, "bias", model->real_bias0, net->n_neurons, 16, TERN_BIAS_FRAC, bias, diags);
    if (s == TERN_OK) s = round_values(desc, "memory_init", model->real_self0, net->n_neurons, 16, TERN_BIAS_FRAC, self, diags);
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
    if (ek == NULL) return TERN_ERR_MEMORY;
    net->ek0 = ek;
    if (tern_ek_from_eta(net, desc->rule.eta, desc->rule.kappa, ek) != TERN_OK) return TERN_ERR_NETWORK;
    const char *what = "";
    s = tern_net_check(net, &what);
    if (s != TERN_OK) tern_diags_add(diags, TERN_SEV_ERROR, E_FORMAT, desc->file, 0, "network", "the lowered network breaks the rule: %s", what);
    return s;
}
