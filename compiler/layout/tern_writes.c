/* tern_writes.c : the host writes that load a network, a state and frames into a core (docs/33-host-port.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_cores.h"
#include "tern_signal.h"

uint32_t tern_host_address(unsigned region, uint32_t word, unsigned word_bits, unsigned slice)
{
    unsigned slice_bits = 0; /* slices of 32 bits, rounded up to a power of two */
    while ((32u << slice_bits) < word_bits) ++slice_bits;
    return region << 24 | word << slice_bits | slice;
}

static void put(tern_host_writer *out, unsigned region, uint32_t word, unsigned word_bits, unsigned slice,
                uint32_t data)
{
    out->write(out, tern_host_address(region, word, word_bits, slice), data);
}

/* A word of 16 bits. */
static uint32_t half(const tern_core_ops *ops, int16_t value)
{
    return ops->signed_halves ? (uint32_t)(int32_t)value : (uint16_t)value;
}

static void put_reg(tern_host_writer *out, unsigned reg, uint32_t data) { put(out, TERN_RG_REG, reg, 32, 0, data); }

/* Collects fields of at most 64 bits into a word of up to 2048 bits, lowest first, and writes its slices. */
typedef struct packer {
    uint32_t slice[64];
    unsigned used;
} packer;

static void pack(packer *p, uint64_t value, unsigned bits)
{
    for (unsigned b = 0; b < bits; ++b, ++p->used)
        if (value >> b & 1u) p->slice[p->used >> 5] |= 1u << (p->used & 31u);
}

static void put_word(tern_host_writer *out, unsigned region, uint32_t word, packer *p)
{
    const unsigned bits = p->used;
    for (unsigned s = 0; s * 32u < bits; ++s) put(out, region, word, bits, s, p->slice[s]);
    memset(p, 0, sizeof *p);
}

static void put_row(void *ud, uint32_t row, const uint32_t word[4])
{
    for (unsigned slice = 0; slice < 4; ++slice) put(ud, TERN_RG_ROW, row, 128, slice, word[slice]);
}

void tern_plan_write_network(const tern_plan *p, const tern_capacity *core, tern_host_writer *out)
{
    const tern_net *n = p->net;
    const tern_core_ops *ops = tern_core_of(core);
    const uint32_t pair = ops->paired_tables ? 0x10001u : 1u; /* of a table's value, in both halves of a word */
    const uint32_t weight_mask = (1u << core->weight_w) - 1u;
    const uint32_t regs[][2] = { { TERN_REG_NEURON_LAST, n->n_neurons - 1u },
                                 { TERN_REG_VISIBLE, n->n_visible },
                                 { TERN_REG_SAMPLE_LAST, p->n_samples - 1u },
                                 { TERN_REG_TAP_LAST, n->taps_d - 1u },
                                 { TERN_REG_LAG_LAST, n->lags_w - 1u },
                                 { TERN_REG_SAMPLE_HIST0, p->input_groups },
                                 { TERN_REG_SAMPLE_WORDS, p->neuron_groups },
                                 { TERN_REG_SCALE, 20u - n->weight_frac - n->trace_frac },
                                 { TERN_REG_DITHER_BITS, n->learn[0].dither_bits },
                                 { TERN_REG_LOCAL_BITS, n->learn[0].local_bits },
                                 { TERN_REG_C_SHIFT, n->learn[0].c_shift },
                                 { TERN_REG_TRACE_FRAC, n->trace_frac },
                                 { TERN_REG_TOP, (1u << (n->weight_bits - 1u)) - 1u },
                                 { TERN_REG_ABSENT, (0u - (1u << (n->weight_bits - 1u))) & weight_mask },
                                 { TERN_REG_GAMMA, n->gamma_f16 } };
    const uint32_t signals[][2] = { { TERN_REG_RULE, n->rule | (n->baseline == TERN_BASELINE_NEURON ? 4u : 0u) },
                                    { TERN_REG_SIGNAL_FIRST, p->signal_first },
                                    { TERN_REG_M_SHIFT, n->m_shift },
                                    { TERN_REG_BASELINE_SHIFT, n->baseline_shift },
                                    { TERN_REG_DITHER_BITS1, n->learn[1].dither_bits },
                                    { TERN_REG_LOCAL_BITS1, n->learn[1].local_bits },
                                    { TERN_REG_C_SHIFT1, n->learn[1].c_shift },
                                    { TERN_REG_INV_K, tern_signal_inverse(p->n_samples) },
                                    { TERN_REG_M_CONST, (uint32_t)tern_signal_mean(p->n_samples) },
                                    { TERN_REG_LOG_OFFSET, tern_signal_log_offset(p->n_samples, n->log_f12) } };
    for (size_t i = 0; i < sizeof regs / sizeof regs[0]; ++i) put_reg(out, regs[i][0], regs[i][1]);
    for (size_t i = 0; core->signals != 0 && i < sizeof signals / sizeof signals[0]; ++i)
        put_reg(out, signals[i][0], signals[i][1]);
    if (core->classes != 0)
        put_reg(out, TERN_REG_CLASSES, p->class_first | p->n_classes << 16 | (uint32_t)p->decode << 31);
    ops->rows(p, put_row, out);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        const uint32_t lane = u->pos & (p->lanes - 1u), group = p->neuron_group[u->pos >> p->lane_shift];
        put(out, TERN_RG_NEURON, i, 32, 0, ops->neuron(core, u->self_filter));
        put(out, TERN_RG_PLACE, i, 32, 0, ops->place(u, group, lane) | (i < n->n_visible));
    }
    for (uint32_t f = 0; f < n->n_filters; ++f)
        for (uint32_t t = 0; t < n->taps_d; ++t)
            put(out, TERN_RG_TAPS, f * core->taps_d + t, 32, 0, n->filter_taps[f * n->taps_d + t]);
    for (uint32_t i = 0; i < TERN_SIG_ENTRIES; ++i)
        put(out, TERN_RG_TABLE, i, 32, 0, (uint32_t)n->sig_f16[i] << 16 | n->softplus_f12[i]);
    for (uint32_t i = 0; i < TERN_EXP_ENTRIES; ++i) put(out, TERN_RG_EXP, i, 32, 0, n->exp_f16[i] * pair);
    if (core->signals != 0 || core->wta != 0)
        for (uint32_t j = 0; j < TERN_LOG_ENTRIES; ++j) put(out, TERN_RG_LOG, j, 32, 0, n->log_f12[j] * pair);
    if (core->baselines != 0)
        for (uint32_t d = 0; d < n->lags_w; ++d) put(out, TERN_RG_KAP, d, 32, 0, n->kap_f15[d]);
}

static void write_weights(const tern_plan *p, const tern_capacity *core, const tern_state *st, tern_host_writer *out)
{
    const tern_net *n = p->net;
    const uint32_t mask = (1u << core->weight_w) - 1u, absent = (0u - (1u << (n->weight_bits - 1u))) & mask;
    packer word = { { 0 }, 0 };
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        const uint32_t start = row->first & ~(p->lanes - 1u),
                       end = (row->first + row->count + p->lanes - 1u) & ~(p->lanes - 1u);
        for (uint32_t pos = start; pos < end; ++pos) {
            const bool inside = pos >= row->first && pos < row->first + row->count;
            const int16_t w = inside ? st->weights[row->weight + pos - row->first] : TERN_WEIGHT_ABSENT;
            const uint32_t code = w == TERN_WEIGHT_ABSENT ? absent : (uint32_t)w & mask;
            pack(&word, code, core->weight_w);
            if ((pos & (p->lanes - 1u)) == p->lanes - 1u)
                put_word(out, TERN_RG_WEIGHT, p->row_word[r] + ((pos - start) >> p->lane_shift), &word);
        }
    }
}

static void write_pool(const tern_plan *p, const tern_capacity *core, const uint64_t *history, const uint32_t *spikes,
                       const uint32_t *group, uint32_t n_pos, uint32_t base, bool with_history, tern_host_writer *out)
{
    packer word = { { 0 }, 0 };
    for (uint32_t g = 0; g < n_pos >> p->lane_shift; ++g) {
        if (group[g] == UINT32_MAX) continue;
        uint32_t bits = 0;
        for (uint32_t lane = 0; lane < p->lanes; ++lane) {
            const uint32_t pos = (g << p->lane_shift) + lane;
            pack(&word, history[pos], core->hist_w);
            bits |= (spikes[pos >> 5] >> (pos & 31u) & 1u) << lane;
        }
        if (with_history) put_word(out, TERN_RG_HIST, base + group[g], &word);
        else memset(&word, 0, sizeof word);
        put(out, TERN_RG_FRAME_LAST, base + group[g], p->lanes, 0, bits);
    }
}

void tern_plan_write_state(const tern_plan *p, const tern_capacity *core, const tern_state *st, tern_host_writer *out)
{
    const tern_net *n = p->net;
    const tern_core_ops *ops = tern_core_of(core);
    const uint32_t k_n = st->n_samples, n_words = n->n_neurons_pos / 32u;
    put_reg(out, TERN_REG_SEED0, (uint32_t)st->seed);
    put_reg(out, TERN_REG_SEED1, (uint32_t)(st->seed >> 32));
    put_reg(out, TERN_REG_GROUP0, st->k0 / 4u);
    put_reg(out, TERN_REG_STEP, st->step);
    put_reg(out, TERN_REG_LAG_HEAD, st->lag_head);
    put_reg(out, TERN_REG_PENDING, st->pending);
    put_reg(out, TERN_REG_PLANE, 0);
    for (unsigned i = 0; i < 6; ++i) put_reg(out, TERN_REG_SAT_WEIGHT + i, 0);
    write_weights(p, core, st, out);
    for (uint32_t d = 0; d < n->lags_w; ++d) put(out, TERN_RG_EK, d, 32, 0, st->ek[d]);
    write_pool(p, core, st->hist_in, st->spikes_in, p->input_group, n->n_inputs_pos, 0, true, out);
    for (uint32_t k = 0; k < k_n; ++k) {
        write_pool(p, core, st->hist_neuron + (size_t)k * n->n_neurons_pos, st->spikes + (size_t)k * n_words,
                   p->neuron_group, n->n_neurons_pos, tern_plan_sample_word(p, core, k), p->reads_neurons, out);
        put(out, TERN_RG_V, k, 32, 0, (uint32_t)st->v_f12[k]);
        put(out, TERN_RG_M, k, 32, 0, (uint16_t)st->m_f14[k]);
        if (core->signals != 0) put(out, TERN_RG_SIGNAL, k, 32, 0, (uint32_t)st->w_f12[k]);
    }
    for (uint32_t i = p->signal_first; core->baselines != 0 && n->baseline == TERN_BASELINE_NEURON && i < n->n_neurons;
         ++i) {
        put(out, TERN_RG_BASELINE, i - p->signal_first, 64, 0, (uint32_t)st->base_f12[i]);
        put(out, TERN_RG_BASELINE, i - p->signal_first, 64, 1, st->base_weight[i]);
    }
    packer word = { { 0 }, 0 };
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const uint32_t pos = n->neurons[i].pos;
        put(out, TERN_RG_LOCAL, 2u * i, 32, 0, half(ops, st->bias_f12[i]));
        put(out, TERN_RG_LOCAL, 2u * i + 1u, 32, 0, half(ops, st->self_f12[i]));
        for (uint32_t k = 0; k < k_n; ++k) {
            pack(&word, st->hist_neuron[(size_t)k * n->n_neurons_pos + pos], core->hist_w);
            put_word(out, TERN_RG_SELF, i * k_n + k, &word);
            put(out, TERN_RG_SPIKE, i * k_n + k, 32, 0,
                st->spikes[(size_t)k * n_words + (pos >> 5)] >> (pos & 31u) & 1u);
            for (uint32_t d = 0; d < n->lags_w; ++d) {
                const uint32_t at = (i * k_n + k) * n->lags_w + d;
                put(out, TERN_RG_ERROR, ops->error(n, k_n, i, d, k), 32, 0, half(ops, st->errors_f15[at]));
            }
        }
    }
}

static void write_bits(const tern_plan *p, unsigned region, const uint32_t *bits, const uint32_t *group, uint32_t n_pos,
                       uint32_t limit, tern_host_writer *out)
{
    const uint32_t mask = p->lanes == 32 ? UINT32_MAX : (1u << p->lanes) - 1u;
    for (uint32_t g = 0; g < n_pos >> p->lane_shift; ++g) {
        if (group[g] == UINT32_MAX || group[g] >= limit) continue;
        const uint32_t pos = g << p->lane_shift;
        put(out, region, group[g], p->lanes, 0, bits[pos >> 5] >> (pos & 31u) & mask);
    }
}

void tern_plan_write_frames(const tern_plan *p, const uint32_t *inputs, const uint32_t *targets, tern_host_writer *out)
{
    write_bits(p, TERN_RG_FRAME, inputs, p->input_group, p->net->n_inputs_pos, p->input_groups, out);
    if (targets != NULL)
        write_bits(p, TERN_RG_TARGET, targets, p->neuron_group, p->net->n_neurons_pos, p->need.targets, out);
}
