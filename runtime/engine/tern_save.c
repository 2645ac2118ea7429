/* tern_save.c : see tern/save.h. One walk over the arrays of a state serves writing, checking and reading.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/save.h"

/* Arrays in the order of the stream; those from HIST_IN on are in streams of kind EVERYTHING only. */
enum {
    WEIGHTS,
    BIAS,
    SELF,
    BASE,
    BASE_WEIGHT,
    EK,
    HIST_IN,
    HIST_NEURON,
    ERRORS,
    V,
    M,
    W,
    LOSS,
    SPIKES,
    SPIKES_IN,
    N_ARRAYS
};

typedef struct array {
    void *at;
    size_t count;
    uint8_t bytes; /* of an element: 2, 4, 8 */
} array;

static void arrays_of(const tern_state *st, array out[N_ARRAYS])
{
    const tern_net *n = st->net;
    const size_t k = st->n_samples, base = tern_net_baselines(n), words = n->n_neurons_pos / 32u;
    const array all[N_ARRAYS] = {
        [WEIGHTS] = { st->weights, n->n_weights, 2 },
        [BIAS] = { st->bias_f12, n->n_neurons, 2 },
        [SELF] = { st->self_f12, n->n_neurons, 2 },
        [BASE] = { st->base_f12, base, 4 },
        [BASE_WEIGHT] = { st->base_weight, base, 4 },
        [EK] = { st->ek, n->lags_w, 2 },
        [HIST_IN] = { st->hist_in, n->n_inputs_pos, 8 },
        [HIST_NEURON] = { st->hist_neuron, k * n->n_neurons_pos, 8 },
        [ERRORS] = { st->errors_f15, n->n_neurons * k * n->lags_w, 2 },
        [V] = { st->v_f12, k, 4 },
        [M] = { st->m_f14, k, 2 },
        [W] = { st->w_f12, k, 4 },
        [LOSS] = { st->loss_f12, k, 4 },
        [SPIKES] = { st->spikes, k * words, 4 },
        [SPIKES_IN] = { st->spikes_in, n->n_inputs_pos / 32u, 4 },
    };
    memcpy(out, all, sizeof all);
}

static unsigned arrays_in(tern_save_kind kind) { return kind == TERN_SAVE_LEARNT ? HIST_IN : N_ARRAYS; }

/* Element i of an array in memory, as the stream's bits. */
static uint64_t element(const array *a, size_t i)
{
    if (a->bytes == 2) return ((const uint16_t *)a->at)[i];
    return a->bytes == 4 ? ((const uint32_t *)a->at)[i] : ((const uint64_t *)a->at)[i];
}

static void set_element(const array *a, size_t i, uint64_t value)
{
    if (a->bytes == 2) ((uint16_t *)a->at)[i] = (uint16_t)value;
    else if (a->bytes == 4) ((uint32_t *)a->at)[i] = (uint32_t)value;
    else ((uint64_t *)a->at)[i] = value;
}

static void put_le(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; ++b) to[b] = (uint8_t)(value >> 8u * b);
}

static uint64_t get_le(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < bytes; ++b) value |= (uint64_t)from[b] << 8u * b;
    return value;
}

/* CRC-32 (ISO 3309, as zlib and Ethernet have it), four bits at a time: a table of 64 bytes. */
static uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t n)
{
    static const uint32_t table[16] = { 0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
                                        0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                        0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu };
    crc = ~crc;
    for (size_t i = 0; i < n; ++i) {
        crc = table[(crc ^ bytes[i]) & 15u] ^ crc >> 4;
        crc = table[(crc ^ (uint32_t)(bytes[i] >> 4)) & 15u] ^ crc >> 4;
    }
    return ~crc;
}

/* ---- which network --------------------------------------------------------- */
static uint64_t mix(uint64_t h, uint64_t value, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; ++b) h = (h ^ (value >> 8u * b & 255u)) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t mix_u16(uint64_t h, const uint16_t *values, size_t n)
{
    for (size_t i = 0; i < n; ++i) h = mix(h, values[i], 2);
    return h;
}

static uint64_t mix_formats(uint64_t h, const tern_net *n)
{
    const uint8_t small[] = { n->n_filters,   n->taps_d, n->lags_w,   n->trace_frac,     n->weight_bits,
                              n->weight_frac, n->rule,   n->baseline, n->baseline_shift, n->m_shift };
    for (size_t i = 0; i < sizeof small; ++i) h = mix(h, small[i], 1);
    for (unsigned set = 0; set < 2; ++set) {
        const tern_learn *l = &n->learn[set];
        h = mix(mix(mix(mix(h, l->c_shift, 1), l->c_frac, 1), l->dither_bits, 1), l->local_bits, 1);
    }
    h = mix(h, n->gamma_f16, 4);
    h = mix_u16(h, n->filter_taps, (size_t)n->n_filters * n->taps_d);
    h = mix_u16(mix_u16(h, n->sig_f16, TERN_SIG_ENTRIES), n->softplus_f12, TERN_SIG_ENTRIES);
    h = mix_u16(mix_u16(h, n->exp_f16, TERN_EXP_ENTRIES), n->log_f12, TERN_LOG_ENTRIES);
    return mix_u16(h, n->kap_f15, n->lags_w);
}

uint64_t tern_net_fingerprint(const tern_net *n)
{
    uint64_t h = TERN_DIGEST_INIT;
    const uint32_t sizes[] = { n->n_inputs_pos, n->n_neurons_pos, n->n_neurons, n->n_visible, n->n_rows, n->n_weights };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) h = mix(h, sizes[i], 4);
    h = mix_formats(h, n);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        h = mix(mix(mix(h, u->pos, 4), u->row0, 4), u->n_rows, 4);
        h = mix(mix(mix(h, u->self_filter, 1), u->wta_size, 1), u->wta_index, 1);
    }
    for (uint32_t i = 0; i < n->n_rows; ++i) {
        const tern_row *r = &n->rows[i];
        h = mix(mix(mix(mix(h, r->weight, 4), r->first, 4), r->count, 4), r->dither, 4);
        h = mix(mix(h, r->filter, 1), r->kind, 1);
    }
    for (uint32_t i = 0; i < n->n_weights; ++i) h = mix(h, n->weights0[i] == TERN_WEIGHT_ABSENT, 1);
    return h;
}

/* ---- the head, docs/49-firmware.md ----------------------------------------- */
enum {
    AT_VERSION = 8,
    AT_KIND = 10,
    AT_TOTAL = 12,
    AT_NET = 16,
    AT_SEED = 24,
    AT_SAMPLES = 32,
    AT_K0 = 36,
    AT_STEP = 40,
    AT_PRESENTATIONS = 44,
    AT_LAG = 48,
    AT_PENDING = 50,
    AT_ZERO = 51,
    AT_COUNTS = 56,
    N_COUNTS = 8
};
#define MAGIC UINT64_C(0x455641534e524554) /* "TERNSAVE" */

static void counts_of(const tern_state *st, uint64_t out[N_COUNTS])
{
    const uint64_t all[N_COUNTS] = { st->sat.weight,  st->sat.local,     st->sat.potential, st->sat.coefficient,
                                     st->sat.logprob, st->sat.modulator, st->comm.unicast,  st->comm.broadcast };
    memcpy(out, all, sizeof all);
}

static void set_counts(tern_state *st, const uint64_t in[N_COUNTS])
{
    st->sat = (tern_sat_counts){ in[0], in[1], in[2], in[3], in[4], in[5] };
    st->comm = (tern_comm_counts){ in[6], in[7] };
}

static uint64_t stream_bytes(const array a[N_ARRAYS], tern_save_kind kind)
{
    uint64_t sum = TERN_SAVE_HEAD_BYTES + 4u;
    for (unsigned i = 0; i < arrays_in(kind); ++i) sum += (uint64_t)a[i].count * a[i].bytes;
    return sum;
}

size_t tern_save_bytes(const tern_state *st, tern_save_kind kind)
{
    array a[N_ARRAYS];
    arrays_of(st, a);
    const uint64_t bytes = stream_bytes(a, kind);
    return bytes > UINT32_MAX || bytes > SIZE_MAX ? 0 : (size_t)bytes;
}

/* ---- writing --------------------------------------------------------------- */
typedef struct writer {
    tern_save_put put;
    void *context;
    uint32_t crc;
    tern_status status;
} writer;

static void write_bytes(writer *w, const uint8_t *bytes, size_t n)
{
    if (w->status != TERN_OK) return;
    w->crc = crc_add(w->crc, bytes, n);
    w->status = w->put(w->context, bytes, n);
}

static void write_head(writer *w, const tern_state *st, tern_save_kind kind, uint32_t total, uint32_t presentations)
{
    uint8_t head[TERN_SAVE_HEAD_BYTES] = { 0 };
    uint64_t counts[N_COUNTS];
    put_le(head, MAGIC, 8);
    put_le(head + AT_VERSION, TERN_SAVE_VERSION, 2);
    put_le(head + AT_KIND, (uint64_t)kind, 2);
    put_le(head + AT_TOTAL, total, 4);
    put_le(head + AT_NET, tern_net_fingerprint(st->net), 8);
    put_le(head + AT_SEED, st->seed, 8);
    put_le(head + AT_SAMPLES, st->n_samples, 4);
    put_le(head + AT_K0, st->k0, 4);
    put_le(head + AT_STEP, st->step, 4);
    put_le(head + AT_PRESENTATIONS, presentations, 4);
    if (kind == TERN_SAVE_EVERYTHING) {
        put_le(head + AT_LAG, st->lag_head, 2);
        head[AT_PENDING] = st->pending;
    }
    counts_of(st, counts);
    for (unsigned i = 0; i < N_COUNTS; ++i) put_le(head + AT_COUNTS + 8u * i, counts[i], 8);
    write_bytes(w, head, sizeof head);
}

static void write_array(writer *w, const array *a)
{
    uint8_t buffer[128];
    size_t used = 0;
    for (size_t i = 0; i < a->count; ++i) {
        put_le(buffer + used, element(a, i), a->bytes);
        used += a->bytes;
        if (used == sizeof buffer || i + 1 == a->count) {
            write_bytes(w, buffer, used);
            used = 0;
        }
    }
}

tern_status tern_save(const tern_state *st, tern_save_kind kind, uint32_t presentations, tern_save_put put,
                      void *context)
{
    writer w = { put, context, 0, TERN_OK };
    array a[N_ARRAYS];
    uint8_t sum[4];
    const size_t total = tern_save_bytes(st, kind);
    if (total == 0) return TERN_ERR_LIMIT;
    arrays_of(st, a);
    write_head(&w, st, kind, (uint32_t)total, presentations);
    for (unsigned i = 0; i < arrays_in(kind); ++i) write_array(&w, &a[i]);
    put_le(sum, w.crc, sizeof sum);
    write_bytes(&w, sum, sizeof sum);
    return w.status;
}

/* ---- checking and reading -------------------------------------------------- */
#define RULE(cond, status, text) \
    do { \
        if (!(cond)) { \
            if (what != NULL) *what = (text); \
            return (status); \
        } \
    } while (0)

tern_status tern_save_look(const uint8_t *bytes, size_t n, tern_save_info *out, const char **what)
{
    RULE(n >= 8u && get_le(bytes, 8) == MAGIC, TERN_ERR_FORMAT, "not a saved state");
    RULE(n >= TERN_SAVE_HEAD_BYTES + 4u, TERN_ERR_TRUNCATED, "shorter than its head");
    RULE(get_le(bytes + AT_VERSION, 2) == TERN_SAVE_VERSION, TERN_ERR_VERSION, "of another version");
    RULE(get_le(bytes + AT_TOTAL, 4) == n, TERN_ERR_TRUNCATED, "not as long as its head says");
    RULE(crc_add(0, bytes, n - 4u) == (uint32_t)get_le(bytes + n - 4u, 4), TERN_ERR_CHECKSUM,
         "damaged: the check sum differs");
    const uint64_t kind = get_le(bytes + AT_KIND, 2);
    RULE(kind <= TERN_SAVE_EVERYTHING, TERN_ERR_FORMAT, "of an unknown kind");
    out->kind = (tern_save_kind)kind;
    out->n_samples = (uint32_t)get_le(bytes + AT_SAMPLES, 4);
    out->presentations = (uint32_t)get_le(bytes + AT_PRESENTATIONS, 4);
    out->step = (uint32_t)get_le(bytes + AT_STEP, 4);
    out->seed = get_le(bytes + AT_SEED, 8);
    return TERN_OK;
}

/* What the head says fits this state. */
static tern_status check_head(const tern_state *st, const uint8_t *bytes, size_t n, const tern_save_info *info,
                              const char **what)
{
    const uint32_t k0 = (uint32_t)get_le(bytes + AT_K0, 4), lag = (uint32_t)get_le(bytes + AT_LAG, 2);
    const bool everything = info->kind == TERN_SAVE_EVERYTHING;
    array a[N_ARRAYS];
    arrays_of(st, a);
    RULE(get_le(bytes + AT_NET, 8) == tern_net_fingerprint(st->net), TERN_ERR_ARGUMENT, "of another network");
    RULE(info->n_samples >= 1 && info->n_samples <= TERN_MAX_SAMPLES, TERN_ERR_FORMAT, "n_samples is 1..32");
    RULE(!everything || info->n_samples == st->n_samples, TERN_ERR_ARGUMENT, "of another number of samples");
    RULE(stream_bytes(a, info->kind) == n, TERN_ERR_FORMAT, "not of the length that this network needs");
    RULE(k0 % 4u == 0 && k0 <= 16384u - info->n_samples, TERN_ERR_FORMAT,
         "k0 is a multiple of 4, with k0 + n_samples <= 16384");
    RULE(everything ? lag < st->net->lags_w : lag == 0, TERN_ERR_FORMAT, "lag_head is below W");
    RULE(bytes[AT_PENDING] <= (everything ? 1 : 0), TERN_ERR_FORMAT, "pending is 0 or 1");
    for (unsigned i = AT_ZERO; i < AT_COUNTS; ++i) RULE(bytes[i] == 0, TERN_ERR_FORMAT, "reserved bytes are 0");
    return TERN_OK;
}

/* One element as an engine may have made it (docs/20-image-format.md, ranges of the sections S_...). */
static tern_status check_element(const tern_net *n, unsigned which, size_t i, uint64_t bits, const char **what)
{
    const int32_t top = (int32_t)((UINT32_C(1) << (n->weight_bits - 1u)) - 1u);
    const int16_t s16 = (int16_t)(uint16_t)bits;
    const int32_t s32 = (int32_t)(uint32_t)bits;
    const unsigned history = (unsigned)n->taps_d + n->lags_w;
    switch (which) {
    case WEIGHTS:
        RULE((s16 == TERN_WEIGHT_ABSENT) == (n->weights0[i] == TERN_WEIGHT_ABSENT), TERN_ERR_FORMAT,
             "synapses exist exactly where the network has them");
        RULE(s16 == TERN_WEIGHT_ABSENT || (s16 <= top && s16 >= -top), TERN_ERR_FORMAT,
             "a weight fits weight_bits, symmetric range");
        break;
    case SELF:
        RULE(s16 == 0 || n->neurons[i].self_filter != TERN_NO_FILTER, TERN_ERR_FORMAT,
             "a self-memory weight of a neuron without self-memory is 0");
        /* fall through */
    case BIAS:
    case ERRORS:
        RULE(s16 != INT16_MIN, TERN_ERR_FORMAT, "a bias, self-memory weight or error is within +-32767");
        break;
    case EK: RULE(bits <= 32767u, TERN_ERR_FORMAT, "a learning coefficient is 0..32767"); break;
    case HIST_IN:
    case HIST_NEURON: RULE(history == 64u || bits >> history == 0, TERN_ERR_FORMAT, "a history has D + W bits"); break;
    case V: RULE(s32 <= 0 && s32 != INT32_MIN, TERN_ERR_FORMAT, "a log-probability is at most 0"); break;
    case M:
        RULE(n->rule != TERN_RULE_GEM || (s16 >= 0 && s16 <= 1 << TERN_M_FRAC), TERN_ERR_FORMAT,
             "a modulator of rule GEM is a share of 1");
        break;
    case W:
    case BASE: RULE(s32 != INT32_MIN, TERN_ERR_FORMAT, "a learning signal or baseline is above -2^31"); break;
    default: break;
    }
    return TERN_OK;
}

/* Element i of an array in the stream. */
static uint64_t in_stream(const uint8_t *at, const array *a, size_t i) { return get_le(at + i * a->bytes, a->bytes); }

static uint32_t ones(uint64_t bits)
{
    uint32_t n = 0;
    for (; bits != 0; bits &= bits - 1u) ++n;
    return n;
}

/* Positions without a neuron have neither history nor spike (N-29): bits there would be missed by a count over neurons.
 */
static tern_status check_gaps(const tern_net *n, uint32_t n_samples, const array *a, const uint8_t *at, bool spikes,
                              const char **what)
{
    uint64_t all = 0, at_neurons = 0;
    for (size_t i = 0; i < a->count; ++i) all += ones(in_stream(at, a, i));
    for (uint32_t k = 0; k < n_samples; ++k)
        for (uint32_t i = 0; i < n->n_neurons; ++i) {
            const uint32_t pos = n->neurons[i].pos;
            if (spikes)
                at_neurons += in_stream(at, a, (size_t)k * (n->n_neurons_pos / 32u) + (pos >> 5)) >> (pos & 31u) & 1u;
            else at_neurons += ones(in_stream(at, a, (size_t)k * n->n_neurons_pos + pos));
        }
    RULE(all == at_neurons, TERN_ERR_FORMAT, "a position without a neuron has no history and no spike");
    return TERN_OK;
}

/* N-10: modulators of rule GEM are shares of 1, rounded. */
static tern_status check_shares(const tern_net *n, const array *a, const uint8_t *at, const char **what)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < a->count; ++i) sum += (uint32_t)in_stream(at, a, i);
    RULE(n->rule != TERN_RULE_GEM || sum <= (UINT32_C(1) << TERN_M_FRAC) + (uint32_t)(a->count / 2u), TERN_ERR_FORMAT,
         "the modulators of rule GEM are shares of 1");
    return TERN_OK;
}

static tern_status check_array(const tern_state *st, unsigned which, const array *a, const uint8_t *at,
                               const char **what)
{
    tern_status s = TERN_OK;
    for (size_t i = 0; i < a->count && s == TERN_OK; ++i)
        s = check_element(st->net, which, i, in_stream(at, a, i), what);
    if (s == TERN_OK && (which == HIST_NEURON || which == SPIKES))
        s = check_gaps(st->net, st->n_samples, a, at, which == SPIKES, what);
    if (s == TERN_OK && which == M) s = check_shares(st->net, a, at, what);
    return s;
}
#undef RULE

static void take_head(tern_state *st, const uint8_t *bytes, const tern_save_info *info)
{
    uint64_t counts[N_COUNTS];
    for (unsigned i = 0; i < N_COUNTS; ++i) counts[i] = get_le(bytes + AT_COUNTS + 8u * i, 8);
    set_counts(st, counts);
    st->seed = info->seed;
    st->step = info->step;
    st->k0 = (uint32_t)get_le(bytes + AT_K0, 4);
    st->lag_head = (uint32_t)get_le(bytes + AT_LAG, 2);
    st->pending = bytes[AT_PENDING] != 0;
}

tern_status tern_restore(tern_state *st, const uint8_t *bytes, size_t n, tern_save_info *out, const char **what)
{
    tern_save_info info;
    array a[N_ARRAYS];
    tern_status s = tern_save_look(bytes, n, &info, what);
    if (s == TERN_OK) s = check_head(st, bytes, n, &info, what);
    arrays_of(st, a);
    const uint8_t *at = bytes + TERN_SAVE_HEAD_BYTES;
    for (unsigned which = 0; s == TERN_OK && which < arrays_in(info.kind); ++which) {
        s = check_array(st, which, &a[which], at, what);
        at += a[which].count * a[which].bytes;
    }
    if (s != TERN_OK) return s;
    tern_state_clear(st);
    take_head(st, bytes, &info);
    at = bytes + TERN_SAVE_HEAD_BYTES;
    for (unsigned which = 0; which < arrays_in(info.kind); ++which) {
        for (size_t i = 0; i < a[which].count; ++i) set_element(&a[which], i, in_stream(at, &a[which], i));
        at += a[which].count * a[which].bytes;
    }
    if (out != NULL) *out = info;
    return TERN_OK;
}
