/* tern_script_gen.c : draws a script; see tern_script_gen.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_script_gen.h"
#include <math.h>
#include <string.h>
#include "tern_script_draw.h"

#define OF(r, list) tern_draw_of(r, list, sizeof list / sizeof list[0])

/* clang-format off */
/* the most of the large core in tests/cosim, and of the small one */
#define LARGE_LIMITS \
    .rules = 15, .samples = 32, .neurons = 192, .inputs = 700, .pairs = 2048, .errors = 32768, .taps = 32, \
    .lags = 63, .history = 64, .sample_lags = 2016, .filters = 16, .weight_bits = 16, .learn_bits = 16, \
    .synapses = 12000, .wta = 64, .classes = 32
#define SMALL_LIMITS \
    .samples = 32, .neurons = 64, .inputs = 400, .pairs = 500, .errors = 4000, .taps = 12, .lags = 8, \
    .history = 20, .sample_lags = 32, .filters = 4, .weight_bits = 16, .learn_bits = 12, .synapses = 8000
/* clang-format on */
const tern_script_limits tern_script_any = { LARGE_LIMITS, .synapse_baselines = true };
const tern_script_limits tern_script_large = { LARGE_LIMITS };
const tern_script_limits tern_script_small = { .rules = 1, SMALL_LIMITS };
const tern_script_limits tern_script_small_rules = { .rules = 15, SMALL_LIMITS };

const tern_script_limits tern_script_resident_large = { .rules = 15,
                                                        .samples = 8,
                                                        .neurons = 60,
                                                        .inputs = 500,
                                                        .pairs = 256,
                                                        .errors = 1024,
                                                        .taps = 15,
                                                        .lags = 8,
                                                        .history = 18,
                                                        .sample_lags = 64,
                                                        .filters = 8,
                                                        .weight_bits = 16,
                                                        .learn_bits = 12,
                                                        .synapses = 6000,
                                                        .wta = 32,
                                                        .classes = 32,
                                                        .dither_min = 10,
                                                        .dither_max = 28 };
const tern_script_limits tern_script_resident_small = { .rules = 1,
                                                        .samples = 6,
                                                        .neurons = 8,
                                                        .inputs = 500,
                                                        .pairs = 48,
                                                        .errors = 96,
                                                        .taps = 10,
                                                        .lags = 8,
                                                        .history = 16,
                                                        .sample_lags = 32,
                                                        .filters = 4,
                                                        .weight_bits = 16,
                                                        .learn_bits = 12,
                                                        .synapses = 3000,
                                                        .dither_min = 12,
                                                        .dither_max = 28 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Sizes about the multiples of 32, and small ones; 1..most. */
static uint32_t draw_size(tern_draws *r, uint32_t most, bool gappy)
{
    if (gappy && most >= 16 &&
        !tern_draw_one_in(r, 4)) { /* the next one is at most 16 positions away: a row reaches over */
        const uint32_t n = (uint32_t)tern_draw_in(r, 16, least(most, 31));
        return most >= 64 && tern_draw_one_in(r, 8) ? n + 32u : n;
    }
    static const uint8_t near[] = { 1,  1,  2,  3,  4,  5,  7,  8,  9,  15, 16, 17, 18, 23,
                                    24, 31, 32, 33, 47, 48, 49, 63, 64, 65, 80, 95, 96, 97 };
    if (tern_draw_one_in(r, 4)) return (uint32_t)tern_draw_in(r, 1, least(most, 40));
    if (tern_draw_one_in(r, 16)) return (uint32_t)tern_draw_in(r, 1, least(most, 256));
    for (unsigned tries = 0; tries < 8; ++tries) {
        const uint32_t n = near[tern_draw_next(r) % sizeof near];
        if (n <= most) return n;
    }
    return 1;
}

/* ---- formats: K, D, W first, since they decide how many neurons there can be ---- */

static uint32_t draw_samples(tern_draws *r, uint32_t most)
{
    static const uint8_t low[] = { 1, 2, 5, 9, 17, 32 }, high[] = { 1, 4, 8, 16, 31, 32 };
    for (;;) {
        const unsigned c = (unsigned)tern_draw_in(r, 0, 5);
        if (low[c] <= most) return (uint32_t)tern_draw_in(r, low[c], least(high[c], most));
    }
}

/* As the compiler chooses it (docs/21-numerics.md, section 10). */
static uint32_t lags_of_kappa(double kappa)
{
    uint32_t w = 1;
    double power = kappa;
    while (power > 0.01 && w < 64) {
        power *= kappa;
        ++w;
    }
    return w;
}

/* fine: a weight may have more fraction bits than bits */
static void draw_formats(tern_draws *r, tern_script *s, const tern_script_limits *lim, uint32_t taps_d, bool fine)
{
    static const double kappas[] = { 0, 0.01, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 1 };
    s->formats = !tern_draw_one_in(r, 5) && lim->weight_bits >= 4;
    s->weight_bits = 16;
    s->weight_frac = 12;
    s->trace_frac = 8;
    s->learn_bits = 12;
    if (s->formats) {
        s->weight_bits = tern_draw_one_in(r, 4) ? 16 : tern_draw_one_in(r, 4) ? 4 : (uint32_t)tern_draw_in(r, 4, 16);
        s->weight_bits = least(s->weight_bits, lim->weight_bits);
        s->weight_frac = (uint32_t)tern_draw_in(r, 0, fine ? 12 : least(12, s->weight_bits - 1));
        s->trace_frac = (uint32_t)tern_draw_in(r, 4, 8);
        s->learn_bits = (uint32_t)tern_draw_in(r, 8, lim->learn_bits);
    }
    s->kappa_given = !tern_draw_one_in(r, 6);
    s->gamma_given = !tern_draw_one_in(r, 5);
    static const double gammas[] = { 0, 0.2, 0.5, 0.9, 0.99, 1 };
    s->gamma = s->gamma_given ? OF(r, gammas) : 0.9;
    s->kappa = s->kappa_given ? OF(r, kappas) : s->gamma;
    const uint32_t most = least(lim->lags, lim->history - taps_d), by_kappa = lags_of_kappa(s->kappa);
    uint32_t w = by_kappa;
    s->lags = 0; /* chosen from kappa */
    if (by_kappa > most || (s->formats && !tern_draw_one_in(r, 3))) {
        s->formats = true;
        w = s->lags = tern_draw_one_in(r, 4) ? 1
                      : tern_draw_one_in(r, 4)
                          ? most
                          : (uint32_t)tern_draw_in(r, 1, tern_draw_one_in(r, 3) ? most : least(most, 8));
    }
    if (w > lim->sample_lags) w = s->lags = lim->sample_lags;
    s->samples = draw_samples(r, least(lim->samples, lim->sample_lags / w));
    s->signal_given = s->formats && tern_draw_one_in(r, 3);
    s->signal = (int32_t)tern_draw_in(r, -12, 12);
}

/* ---- filters ---- */

/* At least one filter of taps_d steps; all together at most lim->filters. */
static void draw_filters(tern_draws *r, tern_script *s, const tern_script_limits *lim, uint32_t taps_d)
{
    static const double peaks[] = { 0.25, 1, 1, 1.99 }, taus[] = { 0.1, 0.7, 2, 5, 30, 1000 };
    uint32_t left = lim->filters;
    const uint32_t n = (uint32_t)tern_draw_in(r, 1, least(TERN_SCRIPT_FILTERS, left));
    for (uint32_t i = 0; i < n; ++i) {
        tern_script_filter *f = &s->filters[s->n_filters++];
        f->duration = i == 0 ? taps_d : (uint32_t)tern_draw_in(r, 1, taps_d);
        f->kind = (uint8_t)(tern_draw_one_in(r, 2) || (i > 0 && f->duration == 1)
                                ? TERN_FILTER_USER
                                : tern_draw_in(r, TERN_FILTER_COSINE,
                                               TERN_FILTER_ALPHA)); /* others of one step are all alike */
        f->count = 1;
        f->offset = tern_draw_real(r, 0.5, 4);
        f->peak = OF(r, peaks) * (1 - i / 64.0); /* no two filters are equal */
        f->tau = OF(r, taus) * (1 - i / 64.0);
        if (f->tau < 0.1) f->tau = 0.1 + i / 64.0;
        if (f->kind == TERN_FILTER_COSINE && left > n - i)
            f->count = (uint32_t)tern_draw_in(r, 1, least(left - (n - i - 1), tern_draw_one_in(r, 4) ? 8 : 3));
        if (f->kind == TERN_FILTER_COSINE && f->count > f->duration)
            f->count = f->duration; /* narrower ones have no tap */
        for (uint32_t t = 0; t < f->duration; ++t)
            f->taps[t] = tern_draw_one_in(r, 5)   ? 0
                         : tern_draw_one_in(r, 8) ? 1.99
                                                  : floor(tern_draw_real(r, 0, 1.99) * 1024) / 1024;
        f->taps[tern_draw_in(r, 0, f->duration - 1)] = 1 - i / 16.0; /* never all zero */
        f->taps[f->duration - 1] = 0.5 + i / 16.0;                   /* the list's length is D, and filters differ */
        left -= f->count;
    }
}

/* ---- populations ---- */

static void draw_init(tern_draws *r, double top, tern_script_init *out)
{
    *out = (tern_script_init){ .kind = (uint8_t)tern_draw_in(r, 0, 3) };
    const double reach = tern_draw_one_in(r, 4) ? top : tern_draw_one_in(r, 2) ? top / 2 : top / 16;
    if (out->kind == TERN_SCRIPT_INIT_CONSTANT)
        out->lo = out->hi =
            tern_draw_one_in(r, 4) ? (tern_draw_one_in(r, 2) ? top : -top) : tern_draw_real(r, -reach, reach);
    if (out->kind != TERN_SCRIPT_INIT_UNIFORM) return;
    out->lo = -reach;
    out->hi = tern_draw_one_in(r, 4) ? -reach / 2 : reach;
}

static uint32_t size_of(const tern_script_population *p)
{
    uint32_t n = p->dims[0];
    for (unsigned d = 1; d < p->n_dims; ++d) n *= p->dims[d];
    return n;
}

static void draw_shape(tern_draws *r, uint32_t most, bool gappy, tern_script_population *p)
{
    p->n_dims = (uint8_t)(tern_draw_one_in(r, 2) ? 0 : tern_draw_in(r, 1, gappy ? 1 : 3));
    p->dims[0] = draw_size(r, most, gappy);
    p->dims[1] = p->dims[2] = 1;
    if (p->n_dims < 2) return;
    uint32_t left = most;
    for (unsigned d = 0; d < p->n_dims; ++d) {
        p->dims[d] = (uint32_t)tern_draw_in(r, 1, least(left, p->n_dims == 2 ? 12 : 6));
        left /= p->dims[d];
    }
}

/* A circuit size that divides the last dimension, which is changed to a multiple. */
static void draw_circuit(tern_draws *r, uint32_t most, const tern_script_limits *lim, tern_script_population *p)
{
    static const uint8_t sizes[] = { 2, 2, 3, 4, 5, 7, 8, 10, 15, 16, 17, 31, 32, 33, 63, 64 };
    const uint32_t wta = sizes[tern_draw_next(r) % sizeof sizes], last = p->n_dims < 2 ? 0 : p->n_dims - 1u;
    if (wta > lim->wta || wta > most) return;
    if (p->n_dims >= 2) p->dims[0] = p->n_dims == 3 ? 1 : (uint32_t)tern_draw_in(r, 1, least(3, most / wta));
    if (p->n_dims == 3) p->dims[1] = (uint32_t)tern_draw_in(r, 1, least(3, most / wta));
    const uint32_t others = p->n_dims < 2 ? 1 : p->n_dims == 2 ? p->dims[0] : p->dims[0] * p->dims[1];
    p->dims[last] = wta * (uint32_t)tern_draw_in(r, 1, least(3, most / (wta * others)));
    p->wta = wta;
}

static void draw_population(tern_draws *r, tern_script *s, const tern_script_limits *lim, tern_pop_kind kind,
                            uint32_t most, bool gappy)
{
    tern_script_population *p = &s->populations[s->n_populations++];
    *p = (tern_script_population){ .kind = (uint8_t)kind, .memory = -1 };
    draw_shape(r, most, gappy, p);
    if (kind == TERN_POP_INPUT) return;
    if (lim->wta >= 2 && most >= 2 && tern_draw_one_in(r, 4)) draw_circuit(r, most, lim, p);
    if (!tern_draw_one_in(r, 2)) p->memory = (int32_t)tern_draw_in(r, 0, s->n_filters - 1);
    if (p->memory >= 0 && s->filters[p->memory].count != 1) p->memory = -1;
    draw_init(r, 7.999, &p->bias);
    if (p->memory >= 0) draw_init(r, 7.999, &p->memory_init);
}

typedef struct work_class {
    uint32_t pairs, inputs;
    double synapses;
} work_class;

/* Inputs, hidden and visible populations in any order. */
static void draw_populations(tern_draws *r, tern_script *s, const tern_script_limits *lim, uint32_t inputs,
                             uint32_t neurons, bool gappy)
{
    uint32_t left[3]; /* by kind */
    left[TERN_POP_INPUT] = tern_draw_one_in(r, 14) ? 0 : (uint32_t)tern_draw_in(r, 1, 4);
    left[TERN_POP_HIDDEN] = tern_draw_one_in(r, 4) ? 0 : (uint32_t)tern_draw_in(r, 1, 4);
    left[TERN_POP_VISIBLE] = (uint32_t)tern_draw_in(r, 1, 3);
    uint32_t units[2] = { inputs, neurons }, kinds = left[0] + left[1] + left[2], neuron_pops = left[1] + left[2];
    bool visible = false;
    for (; kinds > 0; --kinds) {
        uint32_t kind;
        do kind = (uint32_t)tern_draw_in(r, 0, 2);
        while (left[kind] == 0);
        --left[kind];
        uint32_t *room = &units[kind == TERN_POP_INPUT ? 0 : 1];
        if (kind != TERN_POP_INPUT) --neuron_pops;
        const bool must = kind == TERN_POP_VISIBLE && !visible && left[kind] == 0;
        const uint32_t keep =
            kind == TERN_POP_INPUT || must ? 0 : neuron_pops; /* one neuron for each population to come */
        if (*room <= keep) continue;
        draw_population(r, s, lim, (tern_pop_kind)kind, *room - keep, gappy);
        *room -= size_of(&s->populations[s->n_populations - 1]);
        visible = visible || kind == TERN_POP_VISIBLE;
    }
}

/* ---- connections ---- */

typedef struct used_filters {
    uint8_t bits[TERN_SCRIPT_POPULATIONS][TERN_SCRIPT_POPULATIONS];
} used_filters; /* [from][to]: filter declarations that have been used */

static bool has_shape(const tern_script_population *p) { return p->n_dims >= 2; }

/* One population, or several of them, in any order but each once. all: bits of those that can be taken. */
static uint32_t draw_list(tern_draws *r, uint32_t all, bool several, uint8_t *out)
{
    uint32_t n = 0, count = (uint32_t)__builtin_popcount(all), want = several ? (uint32_t)tern_draw_in(r, 1, count) : 1;
    while (n < want) {
        const uint32_t i = (uint32_t)tern_draw_in(r, 0, TERN_SCRIPT_POPULATIONS - 1);
        if ((all >> i & 1u) == 0) continue;
        all &= ~(1u << i);
        out[n++] = (uint8_t)i;
    }
    return n;
}

static void draw_pairs(tern_draws *r, const tern_script *s, double top, tern_script_connect *c)
{
    const uint32_t n_from = size_of(&s->populations[c->from[0]]), n_to = size_of(&s->populations[c->to[0]]),
                   want = tern_draw_one_in(r, 3) ? 1 : (uint32_t)tern_draw_in(r, 1, TERN_SCRIPT_PAIRS);
    for (uint32_t i = 0; i < want; ++i) {
        tern_script_pair p;
        p.from = (uint32_t)tern_draw_in(r, 0, n_from - 1);
        p.to = (uint32_t)tern_draw_in(r, 0, n_to - 1);
        p.weighted = tern_draw_one_in(r, 2);
        p.weight = tern_draw_real(r, -top, top);
        bool twice = !c->self && c->from[0] == c->to[0] && p.from == p.to;
        for (uint32_t j = 0; j < c->n_pairs; ++j)
            twice = twice || (c->pairs[j].from == p.from && c->pairs[j].to == p.to);
        if (!twice) c->pairs[c->n_pairs++] = p;
    }
    if (c->n_pairs == 0) c->pattern = TERN_SCRIPT_ALL_PATTERN;
}

static void draw_pattern(tern_draws *r, const tern_script *s, double top, tern_script_connect *c)
{
    static const double densities[] = { 1e-6, 0.01, 0.05, 0.2, 0.5, 0.9, 0.99, 1 };
    bool same = true, single = c->n_from == 1 && c->n_to == 1;
    for (uint32_t i = 0; i < c->n_from; ++i)
        for (uint32_t j = 0; j < c->n_to; ++j)
            same = same && has_shape(&s->populations[c->from[i]]) == has_shape(&s->populations[c->to[j]]);
    c->pattern = (uint8_t)tern_draw_in(r, TERN_SCRIPT_ALL_PATTERN, TERN_SCRIPT_LIST_PATTERN);
    if ((c->pattern == TERN_SCRIPT_WINDOW_PATTERN && !same) || (c->pattern == TERN_SCRIPT_LIST_PATTERN && !single))
        c->pattern = (uint8_t)(tern_draw_one_in(r, 2) ? TERN_SCRIPT_ALL_PATTERN : TERN_SCRIPT_RANDOM_PATTERN);
    c->density = OF(r, densities);
    c->own_seed = tern_draw_one_in(r, 3);
    c->seed = tern_draw_next(r) >> 12;
    for (unsigned d = 0; d < 2; ++d) {
        c->size[d] = (uint32_t)tern_draw_in(r, 1, tern_draw_one_in(r, 3) ? 40 : 6);
        c->stride[d] = (uint32_t)tern_draw_in(r, 1, 3);
        c->offset[d] = (int32_t)tern_draw_in(r, -5, 5);
    }
    if (c->pattern == TERN_SCRIPT_LIST_PATTERN) draw_pairs(r, s, top, c);
}

/* Synapses of a connection, about. */
static double synapses_of(const tern_script *s, const tern_script_connect *c)
{
    double pairs = 0, filters = 0;
    for (uint32_t i = 0; i < c->n_from; ++i)
        for (uint32_t j = 0; j < c->n_to; ++j) {
            const double from = size_of(&s->populations[c->from[i]]), to = size_of(&s->populations[c->to[j]]);
            pairs += c->pattern == TERN_SCRIPT_RANDOM_PATTERN   ? from * to * c->density
                     : c->pattern == TERN_SCRIPT_WINDOW_PATTERN ? to * fmin(from, 6.0 * c->size[0] * c->size[1])
                                                                : from * to;
        }
    for (uint32_t i = 0; i < c->n_filters; ++i) filters += s->filters[c->filters[i]].count;
    return filters * (c->pattern == TERN_SCRIPT_LIST_PATTERN ? c->n_pairs : pairs);
}

static void draw_connect(tern_draws *r, tern_script *s, double top, double *left, used_filters *used)
{
    tern_script_connect *c = &s->connects[s->n_connects];
    *c = (tern_script_connect){ .self = tern_draw_one_in(r, 3) };
    uint32_t all = (1u << s->n_populations) - 1u, neurons = 0, taken = 0;
    for (uint32_t i = 0; i < s->n_populations; ++i) neurons |= (s->populations[i].kind != TERN_POP_INPUT ? 1u : 0) << i;
    if (tern_draw_one_in(r, 3))
        all &= neurons; /* a list within one pool makes rows that reach over what lies between */
    else if (tern_draw_one_in(r, 2) && (all & ~neurons) != 0) all &= ~neurons;
    c->n_from = draw_list(r, all, !tern_draw_one_in(r, 3), c->from);
    c->n_to = draw_list(r, neurons, !tern_draw_one_in(r, 2), c->to);
    for (uint32_t i = 0; i < c->n_from; ++i)
        for (uint32_t j = 0; j < c->n_to; ++j) taken |= used->bits[c->from[i]][c->to[j]];
    const uint32_t want = (uint32_t)tern_draw_in(r, 1, s->n_filters);
    for (uint32_t f = 0; f < s->n_filters && c->n_filters < want; ++f)
        if ((taken >> f & 1u) == 0 && !tern_draw_one_in(r, 3)) c->filters[c->n_filters++] = (uint8_t)f;
    if (c->n_filters == 0) return; /* each synapse is made once */
    draw_pattern(r, s, top, c);
    draw_init(r, top, &c->init);
    const double n = synapses_of(s, c);
    if (n > *left) return;
    *left -= n;
    for (uint32_t i = 0; i < c->n_from; ++i)
        for (uint32_t j = 0; j < c->n_to; ++j)
            for (uint32_t f = 0; f < c->n_filters; ++f)
                used->bits[c->from[i]][c->to[j]] |= (uint8_t)(1u << c->filters[f]);
    ++s->n_connects;
}

/* A few synapses more beside those that other connections make with the same filter. If one of them is there already
 * the compiler refuses the script, and another one is drawn. */
static void draw_extra_pairs(tern_draws *r, tern_script *s, double top)
{
    if (s->n_connects == TERN_SCRIPT_CONNECTS) return;
    tern_script_connect *c = &s->connects[s->n_connects];
    uint32_t all = (1u << s->n_populations) - 1u, neurons = 0;
    *c = (tern_script_connect){ .self = tern_draw_one_in(r, 2), .pattern = TERN_SCRIPT_LIST_PATTERN };
    for (uint32_t i = 0; i < s->n_populations; ++i) neurons |= (s->populations[i].kind != TERN_POP_INPUT ? 1u : 0) << i;
    c->n_from = draw_list(r, all, false, c->from);
    c->n_to = draw_list(r, neurons, false, c->to);
    c->filters[c->n_filters++] = (uint8_t)tern_draw_in(r, 0, s->n_filters - 1);
    draw_pairs(r, s, top, c);
    if (c->pattern == TERN_SCRIPT_LIST_PATTERN) ++s->n_connects;
}

/* ---- rule, data, run ---- */

static void narrow(int *lo, int *hi, int from, int to)
{
    if (from > *lo && from <= *hi) *lo = from;
    if (to < *hi && to >= *lo) *hi = to;
}

/* A learning rate whose R and RL (docs/21-numerics.md, section 10) lie within 1..31 in the learning sets that the
 * rule has: EF is drawn, eta follows. */
static double draw_eta(tern_draws *r, const tern_script *s, const tern_script_limits *lim)
{
    const int xf = (int)s->trace_frac, wf = (int)s->weight_frac, learn = (int)s->learn_bits,
              mf = s->signal_given ? s->signal : 5;
    const int least_r = lim->dither_min > 1 ? (int)lim->dither_min : 1,
              most_r = lim->dither_max != 0 ? (int)lim->dither_max : 31;
    const int fc_lo = least_r + wf > 13 ? least_r + wf - xf : 13 - xf,
              fc_hi = most_r + wf - xf; /* WF <= 12: RL is at most R */
    int lo = 11, hi = 44;
    if (s->rule != TERN_RULE_GEM)
        narrow(&lo, &hi, fc_lo + 15 - mf + (s->signal_given ? 0 : 5),
               fc_hi + 15 - mf - (s->signal_given ? 0 : 5)); /* FC = EF + MF + 1 - 16 */
    if (s->rule != TERN_RULE_REWARD) narrow(&lo, &hi, fc_lo + 16 - learn, fc_hi + 16 - learn);
    const int middle = (lo + hi) / 2,
              ef = (int)(tern_draw_one_in(r, 3) || hi - lo < 7 ? tern_draw_in(r, lo, hi)
                                                               : tern_draw_in(r, middle - 3, middle + 3));
    const double eta = ldexp((double)tern_draw_in(r, 16384, 32767), -ef);
    return fmin(10.0, fmax(1e-9, eta));
}

static void draw_rule(tern_draws *r, tern_script *s, const tern_script_limits *lim)
{
    static const double taus[] = { 0, 1, 5, 40 };
    do s->rule = (uint8_t)tern_draw_in(r, TERN_RULE_GEM, TERN_RULE_REWARD);
    while ((lim->rules >> s->rule & 1u) == 0);
    s->eta = draw_eta(r, s, lim);
    s->memory = 8u << tern_draw_in(r, 0, 4);
    s->tau = OF(r, taus);
    s->divide = 1.5;
    s->every = tern_draw_one_in(r, 5) ? (uint32_t)tern_draw_in(r, 1, 9) : 0;
    s->baseline = TERN_BASELINE_NONE;
    if (s->rule != TERN_RULE_GEM)
        s->baseline = tern_draw_one_in(r, 4)                             ? TERN_BASELINE_NONE
                      : lim->synapse_baselines && tern_draw_one_in(r, 3) ? TERN_BASELINE_SYNAPSE
                                                                         : TERN_BASELINE_NEURON;
}

static void draw_data(tern_draws *r, tern_script *s, const tern_script_limits *lim)
{
    s->data = tern_draw_one_in(r, 2);
    s->clear = !tern_draw_one_in(r, 3);
    s->data_steps = (uint32_t)tern_draw_in(r, 1, 200);
    s->label = -1;
    for (uint32_t i = 0; i < s->n_populations; ++i)
        if (s->data && s->populations[i].kind == TERN_POP_VISIBLE && size_of(&s->populations[i]) <= lim->classes &&
            tern_draw_one_in(r, 2))
            s->label = (int32_t)i;
}

static void add_op(tern_script_run *run, uint8_t kind, uint8_t flags, uint8_t frame, uint32_t arg)
{
    if (run->n_ops < TERN_SCRIPT_OPS) run->ops[run->n_ops++] = (tern_script_op){ kind, flags, frame, arg };
}

static void draw_run(tern_draws *r, tern_script *s, const tern_script_limits *lim, unsigned n_steps)
{
    static const uint32_t steps[] = { 0, 0, 1, 977, 0x7ffffff8u, 0xfffffff8u },
                          samples[] = { 0, 0, 4, 28, 16352 }; /* k0 + K <= 16384 */
    tern_script_run *run = &s->run;
    *run = (tern_script_run){ .seed = tern_draw_next(r) };
    run->step = steps[tern_draw_next(r) % 6];
    run->k0 = samples[tern_draw_next(r) % 5];
    run->wild = tern_draw_one_in(r, 3) && !lim->no_states;
    const uint32_t period =
        tern_draw_one_in(r, 3) ? (uint32_t)tern_draw_in(r, 2, 6) : 0; /* a recording shown again and again */
    const unsigned reload = tern_draw_one_in(r, 2) ? (unsigned)tern_draw_in(r, 1, n_steps) : n_steps + 1;
    uint8_t frame = TERN_SCRIPT_RANDOM;
    bool learn = !tern_draw_one_in(r, 12); /* some never learn */
    for (unsigned t = 0; t < n_steps; ++t) {
        if (tern_draw_one_in(r, 4)) frame = (uint8_t)tern_draw_in(r, 0, TERN_SCRIPT_FRAMES_KINDS - 1);
        uint8_t flags = learn ? TERN_STEP_CLAMP | TERN_STEP_LEARN : 0;
        if (tern_draw_one_in(r, 6)) flags = tern_draw_one_in(r, 2) ? 0 : TERN_STEP_CLAMP;
        else if (learn && s->rule == TERN_RULE_REWARD && !tern_draw_one_in(r, 4)) flags = TERN_STEP_LEARN;
        add_op(run, TERN_SCRIPT_STEP, flags, frame, period != 0 ? t % period : t);
        if (s->rule == TERN_RULE_REWARD && !tern_draw_one_in(r, 5))
            add_op(run, TERN_SCRIPT_REWARD, 0, 0, t); /* at times the last one stays */
        if (tern_draw_one_in(r, 7)) add_op(run, TERN_SCRIPT_FLUSH, 0, 0, 0);
        if (tern_draw_one_in(r, 14)) add_op(run, TERN_SCRIPT_CLEAR, 0, 0, 0);
        if (tern_draw_one_in(r, 24)) add_op(run, TERN_SCRIPT_RATE, 0, 0, (uint32_t)tern_draw_in(r, 0, 8));
        if (s->label >= 0 && tern_draw_one_in(r, 5)) add_op(run, TERN_SCRIPT_VOTE, 0, 0, 0);
        if (s->label >= 0 && tern_draw_one_in(r, 10)) add_op(run, TERN_SCRIPT_EXAMPLE, 0, 0, 0);
        if (t + 1 == reload && !lim->no_states) add_op(run, TERN_SCRIPT_RELOAD, 0, 0, 0);
    }
}

void tern_script_make(tern_script *s, uint64_t seed, const tern_script_limits *lim, unsigned n_steps)
{
    tern_draws r = { seed * 0xd1342543de82ef95u + 0x51 };
    memset(s, 0, sizeof *s);
    s->seed = tern_draw_next(&r) >> 11;
    s->seed_given = !tern_draw_one_in(&r, 8);
    const uint32_t most_d = least(lim->taps, lim->history - 1),
                   taps_d = tern_draw_one_in(&r, 6)   ? most_d
                            : tern_draw_one_in(&r, 6) ? 1
                                                      : (uint32_t)tern_draw_in(&r, 1, least(most_d, 12));
    draw_formats(&r, s, lim, taps_d, seed >= TERN_SCRIPT_FINE);
    draw_filters(&r, s, lim, taps_d);
    const uint32_t w = s->lags != 0 ? s->lags : lags_of_kappa(s->kappa);
    /* most networks are small, so that thousands can be run; one in 64 takes what the limits allow */
    static const work_class works[] = {
        { 80, 100, 500 }, { 200, 300, 1500 }, { 640, 700, 5000 }, { 1u << 20, 1u << 20, 1e9 }
    };
    const unsigned size = (unsigned)(tern_draw_next(&r) % 64u);
    const work_class *work = &works[size < 42 ? 0 : size < 58 ? 1 : size < 63 ? 2 : 3];
    const bool gappy =
        tern_draw_one_in(&r, 3); /* sizes that leave gaps between populations, and room for two of them */
    const uint32_t wanted = gappy && work->pairs < 40u * s->samples ? 40u * s->samples : work->pairs;
    const uint32_t neurons = least(lim->pairs, least(wanted, lim->errors / w)) / s->samples;
    draw_populations(&r, s, lim, least(lim->inputs, work->inputs), least(lim->neurons, neurons > 3 ? neurons : 3),
                     gappy);
    const double top = fmin(1000, (ldexp(1, (int)s->weight_bits - 1) - 1) /
                                      ldexp(1, (int)s->weight_frac)); /* the largest weight, and the language's limit */
    double left = fmin(lim->synapses, work->synapses / (1 + s->samples / 8.0)); /* samples take time of their own */
    used_filters used = { { { 0 } } };
    const unsigned connects = (unsigned)tern_draw_in(&r, 1, TERN_SCRIPT_CONNECTS);
    for (unsigned tries = 0; (tries < connects || s->n_connects == 0) && tries < 200; ++tries)
        draw_connect(&r, s, top, &left, &used);
    draw_rule(&r, s, lim);
    draw_data(&r, s, lim);
    draw_run(&r, s, lim, n_steps);
    if (tern_draw_one_in(&r, 8)) draw_extra_pairs(&r, s, top);
}
