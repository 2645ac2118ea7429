/* tern_reads.c : a state read back from a core: the counterpart of tern_writes.c (docs/33-host-port.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_cores.h"

void tern_plan_capacity(const uint32_t registers[32], tern_capacity *out)
{
    const uint32_t *r = registers, widths = r[TERN_REG_CAP_WIDTHS], dither = r[TERN_REG_CAP_DITHER];
    *out = (tern_capacity){ .lanes = r[TERN_REG_CAP_LANES],
                            .weight_w = r[TERN_REG_CAP_WEIGHT_W],
                            .samples = r[TERN_REG_CAP_SAMPLES],
                            .neurons = r[TERN_REG_CAP_NEURONS],
                            .pairs = r[TERN_REG_CAP_PAIRS],
                            .errors = r[TERN_REG_CAP_ERRORS],
                            .taps_d = r[TERN_REG_CAP_TAPS_D],
                            .lags_w = r[TERN_REG_CAP_LAGS_W],
                            .filters = r[TERN_REG_CAP_FILTERS],
                            .rows = r[TERN_REG_CAP_ROWS],
                            .words = r[TERN_REG_CAP_WORDS],
                            .hist_words = r[TERN_REG_CAP_HIST_WORDS],
                            .targets = r[TERN_REG_CAP_TARGETS],
                            .hist_w = r[TERN_REG_CAP_HIST_W],
                            .signals = r[TERN_REG_CAP_SIGNALS],
                            .baselines = r[TERN_REG_CAP_BASELINES],
                            .wta = r[TERN_REG_CAP_WTA],
                            .classes = r[TERN_REG_CAP_CLASSES],
                            .small = r[TERN_REG_CAP_SMALL],
                            .kernel_w = widths >> 24,
                            .delta_w = widths >> 16 & 255u,
                            .acc_w = widths >> 8 & 255u,
                            .x_w = widths & 255u,
                            .index_w = dither >> 16 & 255u,
                            .dither_min = dither >> 8 & 255u,
                            .dither_max = dither & 255u };
    const bool parallel = tern_core_of(out)->parallel,
               ways = parallel && r[TERN_REG_CAP_WAYS] > 1; /* earlier cores have 0 there */
    out->ways = ways ? r[TERN_REG_CAP_WAYS] : 1u;
    out->way_words = ways ? r[TERN_REG_CAP_WAY_WORDS] : 1u;
    out->prep = parallel && r[TERN_REG_CAP_PREP] > 1 ? r[TERN_REG_CAP_PREP] : 1u;
    out->kernels = parallel && r[TERN_REG_CAP_KERNELS] == 1;
    out->skip = parallel && r[TERN_REG_CAP_SKIP] == 1;
}

static uint32_t get(tern_host_reader *in, unsigned region, uint32_t word, unsigned word_bits, unsigned slice)
{
    return in->read(in, tern_host_address(region, word, word_bits, slice));
}

/* A word of up to 2048 bits, read slice by slice; fields are taken from it lowest first. */
typedef struct unpacker {
    uint32_t slice[64];
    unsigned used;
} unpacker;

static void get_word(tern_host_reader *in, unsigned region, uint32_t word, unsigned bits, unpacker *out)
{
    for (unsigned s = 0; s * 32u < bits; ++s) out->slice[s] = get(in, region, word, bits, s);
    out->used = 0;
}

static uint64_t unpack(unpacker *p, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < bits; ++b, ++p->used)
        value |= (uint64_t)(p->slice[p->used >> 5] >> (p->used & 31u) & 1u) << b;
    return value;
}

/* bits lowest bits as a two's complement number */
static int32_t sign(uint64_t value, unsigned bits)
{
    return (int32_t)((uint32_t)value << (32u - bits)) >> (32u - bits);
}

static void read_weights(const tern_plan *p, const tern_capacity *core, tern_host_reader *in, tern_state *st)
{
    const tern_net *n = p->net;
    const int32_t absent = -(1 << (n->weight_bits - 1u));
    unpacker word = { { 0 }, 0 };
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        const uint32_t start = row->first & ~(p->lanes - 1u),
                       end = (row->first + row->count + p->lanes - 1u) & ~(p->lanes - 1u);
        for (uint32_t pos = start; pos < end; ++pos) {
            if ((pos & (p->lanes - 1u)) == 0)
                get_word(in, TERN_RG_WEIGHT, p->row_word[r] + ((pos - start) >> p->lane_shift),
                         p->lanes * core->weight_w, &word);
            const int32_t w = sign(unpack(&word, core->weight_w), core->weight_w);
            if (st != NULL && pos >= row->first && pos < row->first + row->count)
                st->weights[row->weight + pos - row->first] = (int16_t)(w == absent ? TERN_WEIGHT_ABSENT : w);
        }
    }
}

/* Spikes of the last step of one pool. unit_lanes: lanes of each word that hold a unit; what the core has in others
 * means nothing and is read as 0 (N-29). NULL: an input pool, whose other lanes hold what the host wrote. */
static void read_spikes(const tern_plan *p, uint32_t *spikes, const uint32_t *group, const uint32_t *unit_lanes,
                        uint32_t n_pos, uint32_t base, tern_host_reader *in)
{
    const uint32_t mask = p->lanes == 32 ? UINT32_MAX : (1u << p->lanes) - 1u;
    for (uint32_t g = 0; g < n_pos >> p->lane_shift; ++g) {
        if (group[g] == UINT32_MAX) continue;
        const uint32_t units = unit_lanes != NULL ? unit_lanes[group[g]] : mask, pos = g << p->lane_shift;
        const uint32_t bits = get(in, TERN_RG_FRAME_LAST, base + group[g], p->lanes, 0) & units;
        if (spikes != NULL) spikes[pos >> 5] = (spikes[pos >> 5] & ~(mask << (pos & 31u))) | bits << (pos & 31u);
    }
}

static void read_input_histories(const tern_plan *p, const tern_capacity *core, uint64_t used, tern_host_reader *in,
                                 tern_state *st)
{
    unpacker word = { { 0 }, 0 };
    for (uint32_t g = 0; g < p->net->n_inputs_pos >> p->lane_shift; ++g) {
        if (p->input_group[g] == UINT32_MAX) continue;
        get_word(in, TERN_RG_HIST, p->input_group[g], p->lanes * core->hist_w, &word);
        for (uint32_t lane = 0; lane < p->lanes; ++lane) {
            const uint64_t history = unpack(&word, core->hist_w) & used;
            if (st != NULL) st->hist_in[(g << p->lane_shift) + lane] = history;
        }
    }
}

static void read_neuron(const tern_plan *p, const tern_capacity *core, uint64_t used, uint32_t i, tern_host_reader *in,
                        tern_state *st)
{
    const tern_net *n = p->net;
    const tern_core_ops *ops = tern_core_of(core);
    unpacker word = { { 0 }, 0 };
    const uint32_t bias = get(in, TERN_RG_LOCAL, 2u * i, 32, 0), self = get(in, TERN_RG_LOCAL, 2u * i + 1u, 32, 0);
    if (st != NULL) {
        st->bias_f12[i] = (int16_t)(uint16_t)bias;
        st->self_f12[i] = (int16_t)(uint16_t)self;
    }
    for (uint32_t k = 0; k < p->n_samples; ++k) {
        get_word(in, TERN_RG_SELF, i * p->n_samples + k, core->hist_w, &word);
        const uint64_t history = unpack(&word, core->hist_w) & used;
        if (st != NULL) st->hist_neuron[(size_t)k * n->n_neurons_pos + n->neurons[i].pos] = history;
        for (uint32_t d = 0; d < n->lags_w; ++d) {
            const uint32_t at = (i * p->n_samples + k) * n->lags_w + d,
                           error = get(in, TERN_RG_ERROR, ops->error(n, p->n_samples, i, d, k), 32, 0);
            if (st != NULL) st->errors_f15[at] = (int16_t)(uint16_t)error;
        }
    }
}

void tern_plan_read_state(const tern_plan *p, const tern_capacity *core, bool pending, tern_host_reader *in,
                          tern_state *st)
{
    const tern_net *n = p->net;
    const uint32_t n_words = n->n_neurons_pos / 32u;
    const unsigned bits = (unsigned)n->taps_d + n->lags_w;
    const uint64_t used = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1u;
    read_weights(p, core, in, st);
    for (uint32_t d = 0; d < n->lags_w; ++d) {
        const uint32_t ek = get(in, TERN_RG_EK, d, 32, 0);
        if (st != NULL) st->ek[d] = (uint16_t)ek;
    }
    read_input_histories(p, core, used, in, st);
    read_spikes(p, st != NULL ? st->spikes_in : NULL, p->input_group, NULL, n->n_inputs_pos, 0, in);
    for (uint32_t k = 0; k < p->n_samples; ++k) {
        read_spikes(p, st != NULL ? st->spikes + (size_t)k * n_words : NULL, p->neuron_group, p->neuron_lanes,
                    n->n_neurons_pos, tern_plan_sample_word(p, core, k), in);
        const uint32_t v = get(in, TERN_RG_V, k, 32, 0);
        if (st != NULL) st->v_f12[k] = (int32_t)v;
    }
    for (uint32_t k = 0; pending && k < p->n_samples; ++k) {
        const uint32_t m = get(in, TERN_RG_M, k, 32, 0), w = core->signals != 0 ? get(in, TERN_RG_SIGNAL, k, 32, 0) : 0;
        if (st != NULL && n->rule != TERN_RULE_REWARD) st->m_f14[k] = (int16_t)(uint16_t)m;
        if (st != NULL && n->rule != TERN_RULE_GEM) st->w_f12[k] = (int32_t)w;
    }
    for (uint32_t i = p->signal_first; core->baselines != 0 && n->baseline == TERN_BASELINE_NEURON && i < n->n_neurons;
         ++i) {
        const uint32_t b = get(in, TERN_RG_BASELINE, i - p->signal_first, 64, 0),
                       weight = get(in, TERN_RG_BASELINE, i - p->signal_first, 64, 1);
        if (st == NULL) continue;
        st->base_f12[i] = (int32_t)b;
        st->base_weight[i] = weight;
    }
    for (uint32_t i = 0; i < n->n_neurons; ++i) read_neuron(p, core, used, i, in, st);
}
