/* tiny_model.h : small random networks made by hand, without the compiler
 * SPDX-License-Identifier: Apache-2.0
 *
 * 37 inputs, 3 visible and 5 hidden neurons, 3 filters, every population connected to every one (cycles,
 * self-connections), about one synapse in five absent, self-memory on two neurons in three. Rule GEM; tiny_model_rule()
 * makes it another one, tiny_model_circuits() joins some neurons to winner-take-all circuits.
 */
#ifndef TINY_MODEL_H
#define TINY_MODEL_H
#include <math.h>
#include <string.h>
#include "tern/model.h"

enum {
    TINY_IN = 37,
    TINY_IN_POS = 64,
    TINY_VISIBLE = 3,
    TINY_HIDDEN = 5,
    TINY_NEURONS = 8,
    TINY_NEURONS_POS = 64,
    TINY_FILTERS = 3,
    TINY_TAPS = 7
};

/* xorshift64*: test data only */
static inline uint64_t tiny_random(uint64_t *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * 2685821657736338717u;
}

static inline double tiny_uniform(uint64_t *s) { return (double)(tiny_random(s) >> 11) / 9007199254740992.0; }

static inline uint32_t tiny_neuron_pos(uint32_t i) { return i < TINY_VISIBLE ? i : 32 + i - TINY_VISIBLE; }

/* Returns false when memory is refused. */
static inline bool tiny_model_make(tern_model *m, tern_arena *a, uint64_t seed, double kappa, double gamma, double eta)
{
    static const struct {
        uint32_t first, count;
        uint8_t kind;
    } source[3] = { { 0, TINY_VISIBLE, TERN_ROW_SAMPLE },
                    { 32, TINY_HIDDEN, TERN_ROW_SAMPLE },
                    { 0, TINY_IN, TERN_ROW_SHARED } };
    uint64_t s = seed * 2 + 1;
    memset(m, 0, sizeof *m);
    strcpy(m->name, "tiny");
    const uint32_t per_neuron = TINY_FILTERS * (TINY_VISIBLE + TINY_HIDDEN + TINY_IN),
                   n_weights = TINY_NEURONS * per_neuron;
    uint16_t *taps = tern_arena_get(a, TINY_FILTERS * TINY_TAPS, 2), *sig = tern_arena_get(a, 512, 2),
             *sp = tern_arena_get(a, 512, 2);
    uint16_t *ex = tern_arena_get(a, 355, 2), *lg = tern_arena_get(a, 256, 2), *ek = tern_arena_get(a, 8, 2),
             *kap = tern_arena_get(a, 8, 2);
    tern_neuron *neurons = tern_arena_get(a, TINY_NEURONS, sizeof *neurons);
    tern_row *rows = tern_arena_get(a, TINY_NEURONS * 3 * TINY_FILTERS, sizeof *rows);
    int16_t *w0 = tern_arena_get(a, n_weights, 2), *b0 = tern_arena_get(a, TINY_NEURONS, 2),
            *s0 = tern_arena_get(a, TINY_NEURONS, 2);
    if (!taps || !sig || !sp || !ex || !lg || !ek || !kap || !neurons || !rows || !w0 || !b0 || !s0) return false;
    m->n_filters = TINY_FILTERS;
    for (int b = 0; b < TINY_FILTERS; ++b) {
        m->filters[b].kind = TERN_FILTER_USER;
        m->filters[b].n_taps = (uint8_t)(TINY_TAPS - b);
        for (int t = 0; t < m->filters[b].n_taps; ++t) {
            m->filters[b].taps[t] = (double)(tiny_random(&s) % 300) / 256; /* exact in u1.8 */
            taps[b * TINY_TAPS + t] = (uint16_t)lround(256 * m->filters[b].taps[t]);
        }
    }
    for (int n = 0; n < 512; ++n) {
        const double z = (4 * n + 1.5) / 256;
        sig[n] = (uint16_t)fmax(2, round(65536 / (1 + exp(z))));
        sp[n] = (uint16_t)lround(4096 * log1p(exp(-z)));
    }
    for (int n = 0; n < 355; ++n) ex[n] = (uint16_t)lround(65535 * exp(-(8 * n + 3.5) / 4096));
    for (int n = 0; n < 256; ++n) lg[n] = (uint16_t)lround(4096 * log1p((n + 0.5) / 256));
    for (int d = 0; d < 8; ++d) kap[d] = (uint16_t)fmin(32767, round(32768 * pow(kappa, d)));
    uint32_t r = 0, w = 0;
    for (uint32_t i = 0; i < TINY_NEURONS; ++i) {
        const uint32_t row0 = r;
        uint32_t dither = 32;
        for (uint32_t kind_shared = 0; kind_shared < 2; ++kind_shared)
            for (uint32_t b = 0; b < TINY_FILTERS; ++b)
                for (uint32_t q = kind_shared ? 2 : 0; q < (kind_shared ? 3u : 2u); ++q) {
                    rows[r++] = (tern_row){ .weight = w,
                                            .first = source[q].first,
                                            .count = source[q].count,
                                            .dither = dither,
                                            .filter = (uint8_t)b,
                                            .kind = source[q].kind };
                    dither += 64;
                    for (uint32_t j = 0; j < source[q].count; ++j)
                        w0[w++] = tiny_random(&s) % 5 == 0 ? TERN_WEIGHT_ABSENT
                                                           : (int16_t)((int)(tiny_random(&s) % 2001) - 1000);
                }
        neurons[i] = (tern_neuron){ .pos = tiny_neuron_pos(i),
                                    .row0 = row0,
                                    .n_rows = r - row0,
                                    .self_filter = (uint8_t)(i % 3 == 2 ? TERN_NO_FILTER : i % TINY_FILTERS) };
        b0[i] = (int16_t)((int)(tiny_random(&s) % 4001) - 4000);
        s0[i] = (int16_t)(i % 3 == 2 ? 0 : (int)(tiny_random(&s) % 2001) - 1000);
    }
    m->rule =
        (tern_rule){ .kind = TERN_RULE_GEM, .eta = eta, .eta_divide = 1, .gamma = gamma, .kappa = kappa, .samples = 4 };
    m->net = (tern_net){ .n_inputs_pos = TINY_IN_POS,
                         .n_neurons_pos = TINY_NEURONS_POS,
                         .n_neurons = TINY_NEURONS,
                         .n_visible = TINY_VISIBLE,
                         .n_rows = r,
                         .n_weights = w,
                         .n_filters = TINY_FILTERS,
                         .taps_d = TINY_TAPS,
                         .lags_w = 8,
                         .trace_frac = 8,
                         .weight_bits = 16,
                         .weight_frac = 12,
                         .baseline_shift = 3,
                         .m_shift = 4,
                         .learn = { { .c_shift = 15, .c_frac = 20, .dither_bits = 16, .local_bits = 16 },
                                    { .c_shift = 16, .c_frac = 13, .dither_bits = 9, .local_bits = 9 } },
                         .n_samples = 4,
                         .gamma_f16 = (uint32_t)lround(65536 * gamma),
                         .filter_taps = taps,
                         .sig_f16 = sig,
                         .softplus_f12 = sp,
                         .exp_f16 = ex,
                         .log_f12 = lg,
                         .kap_f15 = kap,
                         .neurons = neurons,
                         .rows = rows,
                         .ek0 = ek,
                         .weights0 = w0,
                         .bias0_f12 = b0,
                         .self0_f12 = s0 };
    /* larger ones are for the reference alone */
    return tern_ek_from_eta(&m->net, eta, kappa, ek) == TERN_OK || eta >= 0.03;
}

/* bs: the baseline's averages reach back 2^bs steps, 3..7. */
static inline void tiny_model_rule(tern_model *m, tern_rule_kind rule, tern_baseline_kind baseline, unsigned bs)
{
    m->rule.kind = m->net.rule = (uint8_t)rule;
    m->rule.baseline = m->net.baseline = (uint8_t)baseline;
    m->net.baseline_shift = (uint8_t)bs;
    m->rule.memory = 1u << bs;
}

/* Visible neurons 1, 2 are a circuit, hidden ones 3, 4, 5 are one and 6, 7 another; neuron 0 stays by itself. */
static inline bool tiny_model_circuits(tern_model *m, tern_arena *a)
{
    static const uint8_t size[TINY_NEURONS] = { 0, 2, 2, 3, 3, 3, 2, 2 },
                         index[TINY_NEURONS] = { 0, 0, 1, 0, 1, 2, 0, 1 };
    tern_neuron *neurons = tern_arena_get(a, TINY_NEURONS, sizeof *neurons);
    if (neurons == NULL) return false;
    memcpy(neurons, m->net.neurons, TINY_NEURONS * sizeof *neurons);
    for (int i = 0; i < TINY_NEURONS; ++i) {
        neurons[i].wta_size = size[i];
        neurons[i].wta_index = index[i];
    }
    m->net.neurons = neurons;
    return true;
}
#endif /* TINY_MODEL_H */
