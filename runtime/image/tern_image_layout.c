/* tern_image_layout.c : the tables, and one record to and from bytes
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_image_layout.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/locale.h"

#ifndef TERN_VERSION
#error "the build passes TERN_VERSION"
#endif

#define U32_MAX_D 4294967295.0
#define F(type, at, object, member, lo, hi) \
    { \
#member, TERN__##type, 0, at, 1, offsetof(object, member), lo, hi \
    }
#define TEXT(type, bytes, at, object, member) \
    { \
#member, TERN__##type, bytes, at, 1, offsetof(object, member), 0, 0 \
    }
#define ZERO(at, bytes) \
    { \
        "reserved", TERN__ZERO, bytes, at, 1, 0, 0, 0 \
    }
#define SCALAR(type, name, lo, hi) \
    { \
        name, TERN__##type, 0, 0, 1, 0, lo, hi \
    }

static const tern__field model_fields[] = {
    TEXT(NAME, 48, 0, tern_model, name),
    TEXT(HEX, 64, 48, tern_model, source_sha256),
    { "generator", TERN__MAKER, 32, 112, 1, 0, 0, 0 },
    F(U64, 144, tern_model, seed, 0, 0),
    F(U32, 152, tern_model, presentations_done, 0, U32_MAX_D),
    ZERO(156, 4),
};
static const tern__field net_fields[] = {
    F(U32, 0, tern_net, n_inputs_pos, 0, TERN_MAX_POSITIONS),
    F(U32, 4, tern_net, n_neurons_pos, 32, TERN_MAX_POSITIONS),
    F(U32, 8, tern_net, n_neurons, 1, TERN_MAX_NEURONS),
    F(U32, 12, tern_net, n_visible, 0, TERN_MAX_NEURONS),
    F(U32, 16, tern_net, n_rows, 0, TERN_MAX_SYNAPSES),
    F(U32, 20, tern_net, n_weights, 0, TERN_MAX_SYNAPSES),
    F(U8, 24, tern_net, n_filters, 0, TERN_MAX_FILTERS),
    F(U8, 25, tern_net, taps_d, 1, TERN_MAX_TAPS),
    F(U8, 26, tern_net, lags_w, 1, TERN_MAX_HISTORY - 1),
    F(U8, 27, tern_net, trace_frac, 4, 8),
    F(U8, 28, tern_net, weight_bits, 4, 16),
    F(U8, 29, tern_net, weight_frac, 0, 12),
    F(U8, 30, tern_net, rule, TERN_RULE_GEM, TERN_RULE_REWARD),
    F(U8, 31, tern_net, baseline, TERN_BASELINE_NONE, TERN_BASELINE_SYNAPSE),
};
static const tern__field learn_fields[] = {
    F(U8, 0, tern_net, learn[0].dither_bits, 1, 31),     F(U8, 1, tern_net, learn[0].local_bits, 1, 31),
    F(U8, 2, tern_net, learn[0].c_shift, 15, 30),        F(U8, 3, tern_net, learn[0].c_frac, 0, 39),
    F(U8, 4, tern_net, learn[1].dither_bits, 1, 31),     F(U8, 5, tern_net, learn[1].local_bits, 1, 31),
    F(U8, 6, tern_net, learn[1].c_shift, 15, 30),        F(U8, 7, tern_net, learn[1].c_frac, 0, 39),
    F(U16, 8, tern_net, n_samples, 1, TERN_MAX_SAMPLES), F(U8, 10, tern_net, m_shift, 0, 24),
    F(U8, 11, tern_net, baseline_shift, 3, 7),           F(U32, 12, tern_net, gamma_f16, 0, 65536),
};
static const tern__field neuron_fields[] = {
    F(U32, 0, tern_neuron, pos, 0, TERN_MAX_POSITIONS - 1),
    F(U32, 4, tern_neuron, row0, 0, TERN_MAX_SYNAPSES),
    F(U32, 8, tern_neuron, n_rows, 0, TERN_MAX_SYNAPSES),
    F(U8, 12, tern_neuron, self_filter, 0, TERN_NO_FILTER),
    F(U8, 13, tern_neuron, wta_size, 0, TERN_MAX_WTA),
    F(U8, 14, tern_neuron, wta_index, 0, TERN_MAX_WTA - 1),
    ZERO(15, 1),
};
static const tern__field row_fields[] = {
    F(U32, 0, tern_row, weight, 0, TERN_MAX_SYNAPSES - 1),
    F(U32, 4, tern_row, first, 0, TERN_MAX_POSITIONS - 1),
    F(U32, 8, tern_row, count, 1, TERN_MAX_POSITIONS),
    F(U32, 12, tern_row, dither, 32, U32_MAX_D),
    F(U8, 16, tern_row, filter, 0, TERN_MAX_FILTERS - 1),
    F(U8, 17, tern_row, kind, TERN_ROW_SHARED, TERN_ROW_SAMPLE),
    ZERO(18, 6),
};
static const tern__field population_fields[] = {
    TEXT(NAME, 48, 0, tern_population, name),
    F(U8, 48, tern_population, kind, TERN_POP_INPUT, TERN_POP_VISIBLE),
    F(U8, 49, tern_population, n_dims, 1, 3),
    ZERO(50, 2),
    F(U32, 52, tern_population, size, 1, TERN_MAX_POSITIONS),
    { "dims", TERN__U32, 0, 56, 3, offsetof(tern_population, dims), 0, TERN_MAX_POSITIONS },
    F(U32, 68, tern_population, pos, 0, TERN_MAX_POSITIONS - 32),
    F(U32, 72, tern_population, neuron0, 0, TERN_MAX_NEURONS - 1),
    F(U32, 76, tern_population, line, 0, U32_MAX_D),
    F(U32, 80, tern_population, wta, 0, TERN_MAX_WTA),
    ZERO(84, 4),
};
static const tern__field filter_fields[] = {
    F(U8, 0, tern_filter, kind, TERN_FILTER_COSINE, TERN_FILTER_USER),
    F(U8, 1, tern_filter, n_taps, 1, TERN_MAX_TAPS),
    ZERO(2, 6),
    F(F64, 8, tern_filter, cut_mass, 0, 1),
    { "taps", TERN__F64, 0, 16, TERN_MAX_TAPS, offsetof(tern_filter, taps), 0, 0x1.fffffffffffffp+0 },
};
static const tern__field rule_fields[] = {
    F(U8, 0, tern_rule, kind, TERN_RULE_GEM, TERN_RULE_REWARD),
    F(U8, 1, tern_rule, baseline, TERN_BASELINE_NONE, TERN_BASELINE_SYNAPSE),
    ZERO(2, 2),
    F(U32, 4, tern_rule, samples, 1, TERN_MAX_SAMPLES),
    F(F64, 8, tern_rule, eta, 0x1p-149, 1e6),
    F(F64, 16, tern_rule, eta_divide, 1e-6, 1e6),
    F(F64, 24, tern_rule, gamma, 0, 1),
    F(F64, 32, tern_rule, kappa, 0, 1),
    F(U32, 40, tern_rule, eta_every, 0, U32_MAX_D),
    F(U32, 44, tern_rule, memory, 8, 128),
    F(F64, 48, tern_rule, tau, 0, 1000),
};
static const tern__field data_fields[] = {
    F(U8, 0, tern_data_spec, present, 0, 1),
    F(U8, 1, tern_data_spec, mirror_x, 0, 1),
    F(U8, 2, tern_data_spec, mirror_y, 0, 1),
    F(U8, 3, tern_data_spec, polarity, TERN_POL_MERGE, TERN_POL_SEPARATE),
    F(U8, 4, tern_data_spec, clear, 0, 1),
    F(U8, 5, tern_data_spec, phases, 0, TERN_MAX_PHASES),
    F(U8, 6, tern_data_spec, phase_steps, 0, 255),
    F(U8, 7, tern_data_spec, shift, 0, TERN_MAX_SHIFT),
    TEXT(WORD, 16, 8, tern_data_spec, format),
    F(U32, 24, tern_data_spec, sensor_width, 0, 65536),
    F(U32, 28, tern_data_spec, sensor_height, 0, 65536),
    F(U32, 32, tern_data_spec, crop_x, 0, 65535),
    F(U32, 36, tern_data_spec, crop_y, 0, 65535),
    F(U32, 40, tern_data_spec, crop_width, 0, 65536),
    F(U32, 44, tern_data_spec, crop_height, 0, 65536),
    F(U32, 48, tern_data_spec, window_us, 0, U32_MAX_D),
    F(U32, 52, tern_data_spec, steps, 0, U32_MAX_D),
    F(I32, 56, tern_data_spec, label_population, -1, TERN_MAX_POPULATIONS - 1),
    F(U32, 60, tern_data_spec, scale, 0, 256),
};
static const tern__field part_fields[] = {
    F(U32, 0, tern_part, population, 0, TERN_MAX_POPULATIONS - 1),
    F(U32, 4, tern_part, x, 0, 65535),
    F(U32, 8, tern_part, y, 0, 65535),
    F(U32, 12, tern_part, width, 1, 65536),
    F(U32, 16, tern_part, height, 1, 65536),
    ZERO(20, 4),
};
static const tern__field state_fields[] = {
    F(U64, 0, tern_state, seed, 0, 0),
    F(U32, 8, tern_state, n_samples, 1, TERN_MAX_SAMPLES),
    F(U32, 12, tern_state, k0, 0, 16380),
    F(U32, 16, tern_state, step, 0, U32_MAX_D),
    F(U32, 20, tern_state, lag_head, 0, TERN_MAX_HISTORY - 2),
    F(U8, 24, tern_state, pending, 0, 1),
    ZERO(25, 7),
    F(U64, 32, tern_state, sat.weight, 0, 0),
    F(U64, 40, tern_state, sat.local, 0, 0),
    F(U64, 48, tern_state, sat.potential, 0, 0),
    F(U64, 56, tern_state, sat.coefficient, 0, 0),
    F(U64, 64, tern_state, sat.logprob, 0, 0),
    F(U64, 72, tern_state, sat.modulator, 0, 0),
    F(U64, 80, tern_state, comm.unicast, 0, 0),
    F(U64, 88, tern_state, comm.broadcast, 0, 0),
};
static const tern__field tap_field[] = { SCALAR(U16, "tap", 0, 511) };
static const tern__field table_field[] = { SCALAR(U16, "entry", 0, 65535) };
static const tern__field log_field[] = { SCALAR(U16, "entry", 0, 4095) };
static const tern__field ek_field[] = { SCALAR(U16, "ek", 0, 32767) };
static const tern__field kap_field[] = { SCALAR(U16, "kap_f15", 0, 32767) };
static const tern__field weight_field[] = { SCALAR(I16, "weight", INT16_MIN, INT16_MAX) };
static const tern__field local_field[] = { SCALAR(I16, "value_f12", -INT16_MAX, INT16_MAX) };
static const tern__field history_field[] = { SCALAR(U64, "history", 0, 0) };
static const tern__field error_field[] = { SCALAR(I16, "error_f15", -INT16_MAX, INT16_MAX) };
static const tern__field logprob_field[] = { SCALAR(I32, "v_f12", -INT32_MAX, 0) };
static const tern__field modulate_field[] = { SCALAR(I16, "m_f14", INT16_MIN, INT16_MAX) };
static const tern__field signal_field[] = { SCALAR(I32, "w_f12", -INT32_MAX, INT32_MAX) };
static const tern__field base_field[] = { SCALAR(I32, "b_f12", -INT32_MAX, INT32_MAX) };
static const tern__field baseweight_field[] = { SCALAR(U32, "d", 0, U32_MAX_D) };
static const tern__field loss_field[] = { SCALAR(U32, "loss_f12", 0, U32_MAX_D) };
static const tern__field spikes_field[] = { SCALAR(U32, "spikes", 0, U32_MAX_D) };

#define SEC(name, fields, record, object, count) \
    { \
#name, count, fields, sizeof fields / sizeof fields[0], record, sizeof(object) \
    }
const tern__section tern__sections[TERN__N_SECTIONS] = {
    SEC(MODEL, model_fields, 160, tern_model, "1"),
    SEC(NET, net_fields, 32, tern_net, "1"),
    SEC(LEARN, learn_fields, 16, tern_net, "1"),
    SEC(TAPS, tap_field, 2, uint16_t, "n_filters x taps_d"),
    SEC(SIG, table_field, 2, uint16_t, "512"),
    SEC(SP, table_field, 2, uint16_t, "512"),
    SEC(EXP, table_field, 2, uint16_t, "355"),
    SEC(LOG, log_field, 2, uint16_t, "256"),
    SEC(NEURONS, neuron_fields, 16, tern_neuron, "n_neurons"),
    SEC(ROWS, row_fields, 24, tern_row, "n_rows"),
    SEC(EK0, ek_field, 2, uint16_t, "lags_w"),
    SEC(KAP, kap_field, 2, uint16_t, "lags_w"),
    SEC(WEIGHTS, weight_field, 2, int16_t, "n_weights"),
    SEC(BIAS, local_field, 2, int16_t, "n_neurons"),
    SEC(SELF, local_field, 2, int16_t, "n_neurons"),
    SEC(POPS, population_fields, 88, tern_population, "size / 88, 1 to 64"),
    SEC(FILTERS, filter_fields, 272, tern_filter, "n_filters"),
    SEC(RULE, rule_fields, 56, tern_rule, "1"),
    SEC(DATA, data_fields, 64, tern_data_spec, "1"),
    SEC(PARTS, part_fields, 24, tern_part, "size / 24, 0 to 16"),
    SEC(STATE, state_fields, 96, tern_state, "1"),
    SEC(S_WEIGHT, weight_field, 2, int16_t, "n_weights"),
    SEC(S_BIAS, local_field, 2, int16_t, "n_neurons"),
    SEC(S_SELF, local_field, 2, int16_t, "n_neurons"),
    SEC(S_EK, ek_field, 2, uint16_t, "lags_w"),
    SEC(S_HISTI, history_field, 8, uint64_t, "n_inputs_pos"),
    SEC(S_HISTN, history_field, 8, uint64_t, "K x n_neurons_pos"),
    SEC(S_ERR, error_field, 2, int16_t, "n_neurons x K x lags_w"),
    SEC(S_V, logprob_field, 4, int32_t, "K"),
    SEC(S_M, modulate_field, 2, int16_t, "K"),
    SEC(S_W, signal_field, 4, int32_t, "K"),
    SEC(S_BASE, base_field, 4, int32_t, "baselines"),
    SEC(S_BASEW, baseweight_field, 4, uint32_t, "baselines"),
    SEC(S_LOSS, loss_field, 4, uint32_t, "K"),
    SEC(S_SPIKE, spikes_field, 4, uint32_t, "K x n_neurons_pos / 32"),
    SEC(S_SPIKEI, spikes_field, 4, uint32_t, "n_inputs_pos / 32"),
};

void tern__image_bind(const tern_model *m, tern__binding b[TERN__N_SECTIONS])
{
    const tern_net *n = &m->net;
    const tern_state *s = m->state;
    memset(b, 0, TERN__N_SECTIONS * sizeof b[0]);
    b[TERN__SEC_MODEL] = (tern__binding){ m, 1 };
    b[TERN__SEC_NET] = (tern__binding){ n, 1 };
    b[TERN__SEC_LEARN] = (tern__binding){ n, 1 };
    b[TERN__SEC_TAPS] = (tern__binding){ n->filter_taps, (size_t)n->n_filters * n->taps_d };
    b[TERN__SEC_SIG] = (tern__binding){ n->sig_f16, TERN_SIG_ENTRIES };
    b[TERN__SEC_SP] = (tern__binding){ n->softplus_f12, TERN_SIG_ENTRIES };
    b[TERN__SEC_EXP] = (tern__binding){ n->exp_f16, TERN_EXP_ENTRIES };
    b[TERN__SEC_LOG] = (tern__binding){ n->log_f12, TERN_LOG_ENTRIES };
    b[TERN__SEC_NEURONS] = (tern__binding){ n->neurons, n->n_neurons };
    b[TERN__SEC_ROWS] = (tern__binding){ n->rows, n->n_rows };
    b[TERN__SEC_EK0] = (tern__binding){ n->ek0, n->lags_w };
    b[TERN__SEC_KAP] = (tern__binding){ n->kap_f15, n->lags_w };
    b[TERN__SEC_WEIGHTS] = (tern__binding){ n->weights0, n->n_weights };
    b[TERN__SEC_BIAS] = (tern__binding){ n->bias0_f12, n->n_neurons };
    b[TERN__SEC_SELF] = (tern__binding){ n->self0_f12, n->n_neurons };
    b[TERN__SEC_POPS] = (tern__binding){ m->populations, m->n_populations };
    b[TERN__SEC_FILTERS] = (tern__binding){ m->filters, m->n_filters };
    b[TERN__SEC_RULE] = (tern__binding){ &m->rule, 1 };
    b[TERN__SEC_DATA] = (tern__binding){ &m->data, 1 };
    b[TERN__SEC_PARTS] = (tern__binding){ m->data.parts, m->data.n_parts };
    if (s == NULL) return;
    const size_t k = s->n_samples;
    b[TERN__SEC_STATE] = (tern__binding){ s, 1 };
    b[TERN__SEC_S_WEIGHT] = (tern__binding){ s->weights, n->n_weights };
    b[TERN__SEC_S_BIAS] = (tern__binding){ s->bias_f12, n->n_neurons };
    b[TERN__SEC_S_SELF] = (tern__binding){ s->self_f12, n->n_neurons };
    b[TERN__SEC_S_EK] = (tern__binding){ s->ek, n->lags_w };
    b[TERN__SEC_S_HISTI] = (tern__binding){ s->hist_in, n->n_inputs_pos };
    b[TERN__SEC_S_HISTN] = (tern__binding){ s->hist_neuron, k * n->n_neurons_pos };
    b[TERN__SEC_S_ERR] = (tern__binding){ s->errors_f15, (size_t)n->n_neurons * k * n->lags_w };
    b[TERN__SEC_S_V] = (tern__binding){ s->v_f12, k };
    b[TERN__SEC_S_M] = (tern__binding){ s->m_f14, k };
    b[TERN__SEC_S_W] = (tern__binding){ s->w_f12, k };
    b[TERN__SEC_S_BASE] = (tern__binding){ s->base_f12, tern_net_baselines(n) };
    b[TERN__SEC_S_BASEW] = (tern__binding){ s->base_weight, tern_net_baselines(n) };
    b[TERN__SEC_S_LOSS] = (tern__binding){ s->loss_f12, k };
    b[TERN__SEC_S_SPIKE] = (tern__binding){ s->spikes, k * (n->n_neurons_pos / 32) };
    b[TERN__SEC_S_SPIKEI] = (tern__binding){ s->spikes_in, n->n_inputs_pos / 32 };
}

/* bytes of an element in the record, in C, and whether it is signed */
static unsigned width(const tern__field *f)
{
    static const unsigned char bytes[] = { 1, 2, 4, 8, 2, 4, 8 };
    return f->type < sizeof bytes ? bytes[f->type] : f->bytes;
}

static bool char_ok(uint8_t type, unsigned i, unsigned char c)
{
    const bool lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    const bool letter = lower || (c >= 'A' && c <= 'Z');
    switch (type) {
    case TERN__NAME: return letter || (i > 0 && (digit || c == '_'));
    case TERN__HEX: return digit || (c >= 'a' && c <= 'f');
    case TERN__WORD: return lower || digit || c == '-' || c == '_' || c == '.';
    default: return c >= 32 && c < 127;
    }
}

static bool text_fault(const tern__field *f, const uint8_t *text, tern__field_fault *fault)
{
    static const char *const allowed[] = { "1 to 47 letters, digits and '_', beginning with a letter",
                                           "64 hexadecimal digits in lower case, or zeros",
                                           "lower-case letters, digits, '-', '_', '.'", "printable characters" };
    unsigned n = 0, bad;
    while (n < f->bytes && text[n] != 0) ++n;
    bad = f->bytes; /* index of the first wrong byte */
    for (unsigned i = 0; i < f->bytes && bad == f->bytes; ++i)
        if (i < n ? !char_ok(f->type, i, text[i]) : text[i] != 0) bad = i;
    if (bad == f->bytes && f->type == TERN__HEX && n != 0 && n != f->bytes) bad = n;
    if (bad == f->bytes && f->type == TERN__NAME && n == 0) bad = 0;
    if (bad == f->bytes && f->type != TERN__HEX && n == f->bytes) bad = n - 1;
    if (bad == f->bytes) return false;
    if (fault != NULL) {
        fault->field = f;
        fault->at = f->at + bad;
        snprintf(fault->found, sizeof fault->found, "byte 0x%02x at character %u", text[bad], bad);
        snprintf(fault->allowed, sizeof fault->allowed, "%s", allowed[f->type - TERN__NAME]);
    }
    return true;
}

static bool range_fault(const tern__field *f, unsigned i, uint64_t raw, tern__field_fault *fault)
{
    double v = 0;
    int64_t n = 0;
    if (f->type == TERN__U64) return false;
    if (f->type == TERN__F64) {
        memcpy(&v, &raw, sizeof v);
    } else {
        n = f->type == TERN__I16 ? (int16_t)raw : f->type == TERN__I32 ? (int32_t)raw : (int64_t)raw;
        v = (double)n;
    }
    if (isfinite(v) && v >= f->lo && v <= f->hi && !(v == 0 && signbit(v))) return false;
    if (fault != NULL) { /* texts only now: an image has thousands of values */
        fault->field = f;
        fault->at = f->at + i * width(f);
        if (f->type == TERN__F64) tern_format(fault->found, sizeof fault->found, "%.17g", v);
        else snprintf(fault->found, sizeof fault->found, "%" PRId64, n);
        tern_format(fault->allowed, sizeof fault->allowed, f->type == TERN__F64 ? "%.9g to %.9g" : "%.0f to %.0f",
                    f->lo, f->hi);
    }
    return true;
}

/* A text of the C struct without what lies behind its end. */
static void text_from_struct(const tern__field *f, const char *from, uint8_t *to)
{
    for (unsigned i = 0; i < f->bytes && from[i] != 0; ++i) to[i] = (uint8_t)from[i];
}

bool tern__record_put(const tern__section *s, const void *object, uint8_t *to, tern__field_fault *fault)
{
    memset(to, 0, s->record_bytes);
    for (unsigned k = 0; k < s->n_fields; ++k) {
        const tern__field *f = &s->fields[k];
        const uint8_t *from = (const uint8_t *)object + f->member;
        uint8_t *p = to + f->at;
        const unsigned w = width(f);
        if (f->type == TERN__ZERO) continue;
        if (f->type >= TERN__NAME) {
            text_from_struct(f, f->type == TERN__MAKER ? "tern " TERN_VERSION : (const char *)from, p);
            if (text_fault(f, p, fault)) return false;
            continue;
        }
        for (unsigned i = 0; i < f->repeat; ++i) {
            uint64_t raw = 0;
            uint32_t u32;
            uint16_t u16;
            switch (w) { /* through typed copies: independent of the host's byte order */
            case 1: raw = from[i]; break;
            case 2:
                memcpy(&u16, from + 2 * i, 2);
                raw = u16;
                break;
            case 4:
                memcpy(&u32, from + 4 * i, 4);
                raw = u32;
                break;
            default: memcpy(&raw, from + 8 * i, 8); break;
            }
            if (f->type == TERN__F64 && raw == (uint64_t)1 << 63) raw = 0; /* one zero only */
            if (range_fault(f, i, raw, fault)) return false;
            tern__put_le(p + i * w, raw, w);
        }
    }
    return true;
}

bool tern__record_get(const tern__section *s, const uint8_t *from, void *object, tern__field_fault *fault)
{
    for (unsigned k = 0; k < s->n_fields; ++k) {
        const tern__field *f = &s->fields[k];
        uint8_t *to = (uint8_t *)object + f->member;
        const uint8_t *p = from + f->at;
        const unsigned w = width(f);
        if (f->type == TERN__ZERO) {
            for (unsigned i = 0; i < f->bytes; ++i)
                if (p[i] != 0) {
                    if (fault != NULL) {
                        *fault = (tern__field_fault){ .field = f, .at = f->at + i, .allowed = "0" };
                        snprintf(fault->found, sizeof fault->found, "%u", p[i]);
                    }
                    return false;
                }
            continue;
        }
        if (f->type >= TERN__NAME) {
            if (text_fault(f, p, fault)) return false;
            if (f->type == TERN__MAKER) continue;
            memcpy(to, p, f->bytes);
            if (f->type == TERN__HEX) to[f->bytes] = 0; /* fills its bytes; the C array has one more */
            continue;
        }
        for (unsigned i = 0; i < f->repeat; ++i) {
            const uint64_t raw = tern__get_le(p + i * w, w);
            const uint32_t u32 = (uint32_t)raw;
            const uint16_t u16 = (uint16_t)raw;
            if (range_fault(f, i, raw, fault)) return false;
            switch (w) {
            case 1: to[i] = (uint8_t)raw; break;
            case 2: memcpy(to + 2 * i, &u16, 2); break;
            case 4: memcpy(to + 4 * i, &u32, 4); break;
            default: memcpy(to + 8 * i, &raw, 8); break;
            }
        }
    }
    return true;
}
