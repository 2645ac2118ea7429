/* tern_testnet.h : random valid networks, small enough to run thousands of them in a test
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_testnet_make(seed, &arena, &model);                       // any seed: the same model; rule = seed % 4
 *     tern_testnet_make_as(seed, TERN_RULE_MB, &arena, &model);      // the same network under another rule
 *     tern_testnet_make_sized(seed, rule, true, &arena, &model);     // with up to 32 samples and populations
 *                                                                    // (and circuits) of up to 64 neurons
 *     tern_testnet_make_within(seed, rule, TERN_TESTNET_SMALL, &arena, &model); // nearly always within the
 *                                                                    // limits of the small core
 *     tern_testnet_frame(seed, step, &model, inputs, targets);       // random frames for it
 * Made without the compiler, straight from the rules in tern/net.h: inputs, hidden and visible populations in any
 * order, several rows per source, cycles, absent synapses, every format, D + W up to 64, the four rules in turn, some
 * with WTA circuits.
 */
#ifndef TERN_TESTNET_H
#define TERN_TESTNET_H
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/model.h"

typedef struct tern_testrand {
    uint64_t s;
} tern_testrand;
typedef enum tern_testnet_size { TERN_TESTNET_ANY, TERN_TESTNET_WIDE, TERN_TESTNET_SMALL } tern_testnet_size;

static inline uint64_t tern_testrand_next(tern_testrand *r) /* splitmix64 */
{
    uint64_t z = (r->s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* lo..hi, both included */
static inline int64_t tern_testrand_in(tern_testrand *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(tern_testrand_next(r) % (uint64_t)(hi - lo + 1));
}
static inline bool tern_testrand_one_in(tern_testrand *r, unsigned n) { return tern_testrand_next(r) % n == 0; }

static inline uint32_t tern_testnet_align32(uint32_t n) { return (n + 31u) & ~31u; }

static inline tern_status tern_testnet_tables(tern_arena *arena, tern_net *net)
{
    uint16_t *sig = tern_arena_get(arena, TERN_SIG_ENTRIES, sizeof *sig),
             *sp = tern_arena_get(arena, TERN_SIG_ENTRIES, sizeof *sp);
    uint16_t *ex = tern_arena_get(arena, TERN_EXP_ENTRIES, sizeof *ex);
    uint16_t *lg = tern_arena_get(arena, TERN_LOG_ENTRIES, sizeof *lg);
    if (sig == NULL || sp == NULL || ex == NULL || lg == NULL) return TERN_ERR_MEMORY;
    for (unsigned n = 0; n < TERN_SIG_ENTRIES; ++n) {
        const double z = (4.0 * n + 1.5) / 256.0;
        sig[n] = (uint16_t)floor(65536.0 / (1.0 + exp(z)) + 0.5);
        sp[n] = (uint16_t)floor(4096.0 * log1p(exp(-z)) + 0.5);
    }
    for (unsigned n = 0; n < TERN_EXP_ENTRIES; ++n)
        ex[n] = (uint16_t)floor(65535.0 * exp(-(8.0 * n + 3.5) / 4096.0) + 0.5);
    for (unsigned j = 0; j < TERN_LOG_ENTRIES; ++j) lg[j] = (uint16_t)floor(4096.0 * log1p((j + 0.5) / 256.0) + 0.5);
    net->sig_f16 = sig;
    net->softplus_f12 = sp;
    net->exp_f16 = ex;
    net->log_f12 = lg;
    return TERN_OK;
}

/* Populations with pools, positions, neuron numbers: visible ones get the first numbers, whatever the order of
 * declaration. */
static inline void tern_testnet_populations(tern_testrand *r, tern_model *m, bool wide)
{
    const unsigned n_in = tern_testrand_one_in(r, 8) ? 0 : (unsigned)tern_testrand_in(r, 1, 2);
    const unsigned n_vis = tern_testrand_one_in(r, 12) ? 0 : (unsigned)tern_testrand_in(r, 1, 2),
                   n_hid = (unsigned)tern_testrand_in(r, n_vis == 0 ? 1 : 0, 3);
    unsigned left[3] = { n_in, n_hid, n_vis };
    m->n_populations = n_in + n_vis + n_hid;
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        tern_population *p = &m->populations[i];
        do p->kind = (uint8_t)tern_testrand_in(r, 0, 2);
        while (left[p->kind] == 0);
        --left[p->kind];
        snprintf(p->name, sizeof p->name, "%s_%u",
                 p->kind == TERN_POP_INPUT    ? "in"
                 : p->kind == TERN_POP_HIDDEN ? "Hid"
                                              : "vis",
                 i);
        p->n_dims = (uint8_t)tern_testrand_in(r, 1, 3);
        p->size = 1;
        for (unsigned d = 0; d < 3; ++d) {
            p->dims[d] = d < p->n_dims ? (uint32_t)tern_testrand_in(r, 1, p->kind == TERN_POP_INPUT ? 7 : 3) : 1;
            /* a long one at times */
            if (p->n_dims == 1 && d == 0)
                p->dims[0] = (uint32_t)tern_testrand_in(r, 1,
                                                        p->kind != TERN_POP_INPUT    ? 12
                                                        : tern_testrand_one_in(r, 6) ? 900
                                                                                     : 70);
            if (wide && p->n_dims == 1 && d == 0 && p->kind != TERN_POP_INPUT)
                p->dims[0] = 4u * (uint32_t)tern_testrand_in(r, 1, 16);
            p->size *= p->dims[d];
        }
        p->line = i + 3;
        uint32_t *pool = p->kind == TERN_POP_INPUT ? &m->net.n_inputs_pos : &m->net.n_neurons_pos;
        p->pos = *pool;
        *pool += tern_testnet_align32(p->size);
        if (p->kind != TERN_POP_INPUT) m->net.n_neurons += p->size;
        if (p->kind == TERN_POP_VISIBLE) m->net.n_visible += p->size;
    }
    uint32_t visible = 0, hidden = m->net.n_visible;
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        tern_population *p = &m->populations[i];
        uint32_t *next = p->kind == TERN_POP_VISIBLE ? &visible : &hidden;
        if (p->kind == TERN_POP_INPUT) continue;
        p->neuron0 = *next;
        *next += p->size;
    }
}

/* Seeds from FINE on: weights with up to 12 fraction bits, however few bits they have. */
enum { TERN_TESTNET_FINE = 2000000 };
static inline void tern_testnet_formats(tern_testrand *r, tern_model *m, bool wide, bool fine)
{
    tern_net *n = &m->net;
    n->n_filters = (uint8_t)(m->n_filters = (uint32_t)tern_testrand_in(r, 1, 4));
    n->taps_d = (uint8_t)(tern_testrand_one_in(r, 5) ? 32 : tern_testrand_in(r, 1, 12));
    n->lags_w = (uint8_t)(tern_testrand_one_in(r, 5) ? 64 - n->taps_d : tern_testrand_in(r, 1, 8));
    n->trace_frac = (uint8_t)tern_testrand_in(r, 4, 8);
    n->weight_bits = (uint8_t)tern_testrand_in(r, 4, wide ? 8 : 16);
    n->weight_frac = (uint8_t)tern_testrand_in(r, 0, !fine && n->weight_bits - 1 < 12 ? n->weight_bits - 1 : 12);
    n->learn[0].c_frac = (uint8_t)tern_testrand_in(r, 12, 20);
    n->learn[0].dither_bits = (uint8_t)(n->learn[0].c_frac + n->trace_frac - n->weight_frac);
    n->learn[0].local_bits = (uint8_t)(n->learn[0].c_frac + n->trace_frac - 12);
    n->learn[0].c_shift = (uint8_t)tern_testrand_in(r, 15, tern_testrand_one_in(r, 4) ? 30 : 20);
    n->n_samples = (uint16_t)tern_testrand_in(r, 1, wide ? TERN_MAX_SAMPLES : 8);
    n->gamma_f16 = tern_testrand_one_in(r, 4) ? (tern_testrand_one_in(r, 2) ? 0 : 65536)
                                              : (uint32_t)tern_testrand_in(r, 30000, 65535);
}

/* The formats that were drawn, brought within the small core: D up to 12, W up to 8, K W up to 32. */
static inline void tern_testnet_small_formats(tern_testrand *r, tern_net *n)
{
    if (n->taps_d > 12) n->taps_d = (uint8_t)tern_testrand_in(r, 9, 12);
    if (n->lags_w > 8 || (n->lags_w > 4 && tern_testrand_one_in(r, 2))) n->lags_w = (uint8_t)tern_testrand_in(r, 1, 4);
    if (n->n_samples * n->lags_w > 32) n->n_samples = (uint16_t)(32u / n->lags_w);
}

/* Rows of every neuron, in the canonical order. With `rows` NULL only counted. Same draws both times. */
static inline void tern_testnet_rows(uint64_t seed, tern_model *m, tern_neuron *neurons, tern_row *rows)
{
    tern_testrand r = { seed };
    tern_net *n = &m->net;
    n->n_rows = n->n_weights = 0;
    /* few rows per neuron, at times one or none */
    const unsigned one_in = (unsigned)tern_testrand_in(&r, 2, tern_testrand_one_in(&r, 4) ? 12 : 4);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const uint32_t row0 = n->n_rows;
        uint32_t dither = 32;
        for (unsigned kind = 2; kind-- > 0;) /* TERN_ROW_SAMPLE, TERN_ROW_SHARED */
            for (uint8_t f = 0; f < n->n_filters; ++f)
                for (uint32_t p = 0; p < m->n_populations; ++p) {
                    const tern_population *pop = &m->populations[p];
                    if ((pop->kind == TERN_POP_INPUT) != (kind == TERN_ROW_SHARED)) continue;
                    /* often none, at times several */
                    for (uint32_t at = 0; at < pop->size && tern_testrand_one_in(&r, one_in);) {
                        const uint32_t skip = (uint32_t)tern_testrand_in(&r, 0, pop->size - at - 1);
                        tern_row row = { n->n_weights,
                                         pop->pos + at + skip,
                                         (uint32_t)tern_testrand_in(&r, 1, pop->size - at - skip),
                                         dither,
                                         f,
                                         (uint8_t)kind };
                        if (tern_testrand_one_in(&r, 3)) {
                            row.first = pop->pos + at;
                            row.count = pop->size - at;
                        }
                        if (rows != NULL) rows[n->n_rows] = row;
                        ++n->n_rows;
                        n->n_weights += row.count;
                        dither += tern_testnet_align32((row.first & 31u) + row.count);
                        at = row.first - pop->pos + row.count;
                    }
                }
        if (neurons != NULL) {
            neurons[i].row0 = row0;
            neurons[i].n_rows = n->n_rows - row0;
            neurons[i].self_filter =
                tern_testrand_one_in(&r, 3) ? TERN_NO_FILTER : (uint8_t)tern_testrand_in(&r, 0, n->n_filters - 1);
        } else if (!tern_testrand_one_in(&r, 3)) (void)tern_testrand_in(&r, 0, n->n_filters - 1);
    }
}

static inline void tern_testnet_data(tern_testrand *r, tern_model *m)
{
    tern_data_spec *d = &m->data;
    d->label_population = -1;
    d->clear = !tern_testrand_one_in(r, 3);
    if (tern_testrand_one_in(r, 3)) return;
    d->present = true;
    snprintf(d->format, sizeof d->format, "%s", tern_testrand_one_in(r, 2) ? "auto" : "aedat2");
    d->mirror_x = tern_testrand_one_in(r, 2);
    d->sensor_width = d->sensor_height = 128;
    d->crop_x = (uint32_t)tern_testrand_in(r, 0, 20);
    d->crop_width = d->crop_height = 90;
    d->window_us = (uint32_t)tern_testrand_in(r, 1, 50000);
    d->steps = (uint32_t)tern_testrand_in(r, 1, 200);
    d->polarity = (uint8_t)tern_testrand_in(r, TERN_POL_MERGE, TERN_POL_OFF);
    for (uint32_t i = 0; i < m->n_populations && d->n_parts < TERN_MAX_PARTS; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind == TERN_POP_INPUT && p->size <= 80) d->parts[d->n_parts++] = (tern_part){ i, 2, i, p->size, 1 };
        else if (p->kind == TERN_POP_VISIBLE) d->label_population = (int32_t)i;
    }
}

/* Rule, baseline and second learning set; draws of their own, so that networks stay what they were. */
static inline void tern_testnet_rule(uint64_t seed, tern_rule_kind rule, tern_model *m, uint16_t *kap)
{
    tern_testrand r = { seed * 0x9e3779b97f4a7c15u + 77 };
    tern_net *n = &m->net;
    n->rule = (uint8_t)rule;
    n->baseline = rule == TERN_RULE_GEM || tern_testrand_one_in(&r, 4) ? TERN_BASELINE_NONE : TERN_BASELINE_NEURON;
    n->baseline_shift = (uint8_t)tern_testrand_in(&r, 3, 7);
    n->m_shift = (uint8_t)tern_testrand_in(&r, 0, tern_testrand_one_in(&r, 6) ? 24 : 10);
    n->learn[1].c_frac = (uint8_t)tern_testrand_in(&r, 12, 20);
    n->learn[1].dither_bits = (uint8_t)(n->learn[1].c_frac + n->trace_frac - n->weight_frac);
    n->learn[1].local_bits = (uint8_t)(n->learn[1].c_frac + n->trace_frac - 12);
    n->learn[1].c_shift = (uint8_t)tern_testrand_in(&r, 15, tern_testrand_one_in(&r, 4) ? 30 : 20);
    static const double kappas[] = { 0.0, 0.2, 0.8, 0.95, 1.0 };
    const double kappa = kappas[tern_testrand_in(&r, 0, 4)];
    double power = 32768.0;
    for (uint32_t d = 0; d < n->lags_w; ++d, power *= kappa) kap[d] = (uint16_t)fmin(32767.0, floor(power + 0.5));
    n->kap_f15 = kap;
    m->rule.kind = n->rule;
    m->rule.baseline = n->baseline;
    m->rule.memory = 1u << n->baseline_shift;
    m->rule.tau = rule == TERN_RULE_REWARD ? 5.0 : 0.0;
}

/* Some populations become WTA circuits: every third one whose size has a divisor of 2 or more. */
static inline void tern_testnet_wta(uint64_t seed, tern_model *m, tern_neuron *neurons)
{
    tern_testrand r = { seed * 0xd1342543de82ef95u + 3 };
    for (uint32_t p = 0; p < m->n_populations; ++p) {
        tern_population *pop = &m->populations[p];
        const uint32_t most = pop->dims[pop->n_dims - 1]; /* a circuit runs along the last dimension */
        if (pop->kind == TERN_POP_INPUT || most < 2 || !tern_testrand_one_in(&r, 3)) continue;
        uint32_t size;
        do size = (uint32_t)tern_testrand_in(&r, 2, most);
        while (most % size != 0);
        pop->wta = size;
        for (uint32_t u = 0; u < pop->size; ++u) {
            neurons[pop->neuron0 + u].wta_size = (uint8_t)size;
            neurons[pop->neuron0 + u].wta_index = (uint8_t)(u % size);
        }
    }
}

static inline tern_status tern_testnet_make_within(uint64_t seed, tern_rule_kind rule, tern_testnet_size size,
                                                   tern_arena *arena, tern_model *m)
{
    const bool wide = size == TERN_TESTNET_WIDE;
    tern_testrand r = { seed * 0x2545f4914f6cdd1du + 1 };
    memset(m, 0, sizeof *m);
    tern_net *n = &m->net;
    snprintf(m->name, sizeof m->name, "net_%llu", (unsigned long long)(seed % 1000000000u));
    for (unsigned i = 0; i < 64; ++i) m->source_sha256[i] = "0123456789abcdef"[tern_testrand_in(&r, 0, 15)];
    m->seed = tern_testrand_next(&r);
    m->presentations_done = (uint32_t)tern_testrand_in(&r, 0, 1000);
    tern_testnet_populations(&r, m, wide);
    tern_testnet_formats(&r, m, wide, seed >= TERN_TESTNET_FINE);
    if (size == TERN_TESTNET_SMALL) tern_testnet_small_formats(&r, n);
    tern_testnet_data(&r, m);
    m->rule = (tern_rule){ TERN_RULE_GEM,
                           1e-4 * (double)tern_testrand_in(&r, 1, 100),
                           1.2,
                           40,
                           n->gamma_f16 / 65536.0,
                           0.2,
                           n->n_samples,
                           TERN_BASELINE_NONE,
                           128,
                           0.0 };
    if (tern_testnet_tables(arena, n) != TERN_OK) return TERN_ERR_MEMORY;

    uint16_t *taps = tern_arena_get(arena, (size_t)n->n_filters * n->taps_d, sizeof *taps),
             *ek = tern_arena_get(arena, n->lags_w, sizeof *ek), *kap = tern_arena_get(arena, n->lags_w, sizeof *kap);
    tern_neuron *neurons = tern_arena_get(arena, n->n_neurons, sizeof *neurons);
    int16_t *bias = tern_arena_get(arena, n->n_neurons, sizeof *bias),
            *self = tern_arena_get(arena, n->n_neurons, sizeof *self);
    const uint64_t row_seed = tern_testrand_next(&r);
    tern_testnet_rows(row_seed, m, NULL, NULL);
    tern_row *rows = tern_arena_get(arena, n->n_rows, sizeof *rows);
    int16_t *weights = tern_arena_get(arena, n->n_weights, sizeof *weights);
    if (taps == NULL || ek == NULL || kap == NULL || neurons == NULL || bias == NULL || self == NULL || rows == NULL ||
        weights == NULL)
        return TERN_ERR_MEMORY;
    tern_testnet_rows(row_seed, m, neurons, rows);
    for (uint32_t i = 0; i < m->n_populations; ++i)
        for (uint32_t u = 0; m->populations[i].kind != TERN_POP_INPUT && u < m->populations[i].size; ++u)
            neurons[m->populations[i].neuron0 + u].pos = m->populations[i].pos + u;

    for (uint32_t f = 0; f < n->n_filters; ++f) {
        tern_filter *filter = &m->filters[f];
        filter->kind = (uint8_t)tern_testrand_in(&r, TERN_FILTER_COSINE, TERN_FILTER_USER);
        filter->n_taps = (uint8_t)tern_testrand_in(&r, 1, n->taps_d);
        filter->cut_mass = filter->kind == TERN_FILTER_EXP ? 1.0 / 3.0 : 0.0;
        for (uint32_t t = 0; t < filter->n_taps; ++t) {
            const int64_t top = tern_testrand_one_in(&r, 8) ? (2 << n->trace_frac) - 1 : (1 << n->trace_frac);
            taps[f * n->taps_d + t] = (uint16_t)tern_testrand_in(&r, 0, top);
            filter->taps[t] = taps[f * n->taps_d + t] / (double)(1 << n->trace_frac);
        }
    }
    double e = (double)tern_testrand_in(&r, 8000, 32767);
    for (uint32_t d = 0; d < n->lags_w; ++d, e *= 0.8) ek[d] = (uint16_t)e;
    if (size == TERN_TESTNET_SMALL) { /* and the sum of a neuron's learning coefficients, at most 32767 */
        double sum = 0.0;             /* the rate may double; a modulator is at most 1 */
        for (uint32_t d = 0; d < n->lags_w; ++d)
            sum += fmin(32767.0, 2.0 * ek[d] + 1.0) * (32767.0 + 2.0 * n->n_samples);
        while (ldexp(sum, -(int)n->learn[0].c_shift) + (double)n->n_samples * n->lags_w > 32767.0)
            ++n->learn[0].c_shift;
    }
    tern_testnet_rule(seed, rule, m, kap);
    tern_testnet_wta(seed, m, neurons);
    const int top = (1 << (n->weight_bits - 1)) - 1, span = 1 << (n->weight_frac > 0 ? n->weight_frac - 1 : 0);
    for (uint32_t i = 0; i < n->n_weights; ++i) {
        if (tern_testrand_one_in(&r, 6)) weights[i] = TERN_WEIGHT_ABSENT;
        else if (tern_testrand_one_in(&r, 9)) weights[i] = (int16_t)tern_testrand_in(&r, -top, top);
        else weights[i] = (int16_t)tern_testrand_in(&r, -(span < top ? span : top), span < top ? span : top);
    }
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        bias[i] = (int16_t)tern_testrand_in(&r, -9000, 3000);
        self[i] = (int16_t)(neurons[i].self_filter == TERN_NO_FILTER ? 0 : tern_testrand_in(&r, -5000, 5000));
    }
    n->filter_taps = taps;
    n->neurons = neurons;
    n->rows = rows;
    n->ek0 = ek;
    n->weights0 = weights;
    n->bias0_f12 = bias;
    n->self0_f12 = self;
    return TERN_OK;
}

static inline tern_status tern_testnet_make_sized(uint64_t seed, tern_rule_kind rule, bool wide, tern_arena *arena,
                                                  tern_model *m)
{
    return tern_testnet_make_within(seed, rule, wide ? TERN_TESTNET_WIDE : TERN_TESTNET_ANY, arena, m);
}
static inline tern_status tern_testnet_make_as(uint64_t seed, tern_rule_kind rule, tern_arena *arena, tern_model *m)
{
    return tern_testnet_make_sized(seed, rule, false, arena, m);
}
static inline tern_status tern_testnet_make(uint64_t seed, tern_arena *arena, tern_model *m)
{
    return tern_testnet_make_as(seed, (tern_rule_kind)(seed % 4u), arena, m);
}

/* Random spikes of one step, at the populations' positions only. inputs [n_inputs_pos/32], targets
 * [n_neurons_pos/32]. */
static inline void tern_testnet_frame(uint64_t seed, uint32_t step, const tern_model *m, uint32_t *inputs,
                                      uint32_t *targets)
{
    tern_testrand r = { seed * 77 + step * 0x1000193ull };
    const unsigned rate = (unsigned)tern_testrand_in(&r, 2, 9);
    /* some networks have inputs that are silent for longer than any history */
    const unsigned silence = seed % 3 == 0 ? 32 : 1;
    memset(inputs, 0, m->net.n_inputs_pos / 8);
    memset(targets, 0, m->net.n_neurons_pos / 8);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        uint32_t *words = p->kind == TERN_POP_INPUT ? inputs : targets;
        for (uint32_t u = p->pos; p->kind != TERN_POP_HIDDEN && u < p->pos + p->size; ++u)
            if (tern_testrand_one_in(&r, p->kind == TERN_POP_INPUT ? rate * silence : rate))
                words[u / 32] |= 1u << (u % 32);
    }
}
#endif /* TERN_TESTNET_H */
