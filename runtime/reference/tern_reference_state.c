/* tern_reference_state.c : makes, clears, rounds, saves and restores the double-precision reference
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "tern/reference.h"
#include "tern_errors.h"

static double from_raw(int16_t raw, unsigned frac) { return raw == TERN_WEIGHT_ABSENT ? 0 : ldexp(raw, -(int)frac); }

/* Initial value of one parameter: a trained state first, then the script's real number, then the rounded one. */
static double initial(const int16_t *trained, const double *real, const int16_t *raw0, size_t j, unsigned frac)
{
    if (trained != NULL) return from_raw(trained[j], frac);
    if (real != NULL) return isnan(real[j]) ? 0 : real[j];
    return from_raw(raw0[j], frac);
}

static void load_parameters(tern_reference *r)
{
    const tern_model *model = r->model;
    const tern_net *net = &model->net;
    const tern_state *st = model->state;
    for (size_t j = 0; j < net->n_weights; ++j) {
        const bool synapse = net->weights0[j] != TERN_WEIGHT_ABSENT;
        r->present[j] = synapse ? 1 : 0;
        r->weights[j] =
            synapse ? initial(st ? st->weights : NULL, model->real_weights0, net->weights0, j, net->weight_frac) : 0;
    }
    for (size_t i = 0; i < net->n_neurons; ++i) {
        r->bias[i] = initial(st ? st->bias_f12 : NULL, model->real_bias0, net->bias0_f12, i, TERN_BIAS_FRAC);
        r->self[i] = net->neurons[i].self_filter == TERN_NO_FILTER
                         ? 0
                         : initial(st ? st->self_f12 : NULL, model->real_self0, net->self0_f12, i, TERN_BIAS_FRAC);
    }
    /* b s20.12; D as sums of g^2 with 14 fraction bits, N-20 */
    for (size_t i = 0; st != NULL && i < tern_net_baselines(net); ++i) {
        r->base[i] = st->base_f12[i] / 4096.0;
        r->base_weight[i] = st->base_weight[i] / 16384.0;
    }
}

tern_status tern_reference_create(const tern_model *model, uint32_t n_samples, uint64_t seed, tern_arena *arena,
                                  tern_reference **out_ref, tern_diags *diags)
{
    const tern_net *net = &model->net;
    *out_ref = NULL;
    const char *what = NULL;
    if (n_samples < 1 || n_samples > TERN_MAX_SAMPLES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_REFERENCE_SAMPLES, model->name, 0, "samples",
                       "%u samples, allowed are 1..%u", n_samples, TERN_MAX_SAMPLES);
        return TERN_ERR_ARGUMENT;
    }
    if (tern_net_check(net, &what) == TERN_OK) {
        if (net->n_filters != model->n_filters) what = "number of filters";
        else if (net->rule != model->rule.kind || net->baseline != model->rule.baseline)
            what = "rule and baseline of the network and of the settings";
        else if (net->baseline != TERN_BASELINE_NONE && model->rule.memory == 0)
            what = "memory of the baseline, at least 1 step";
    }
    if (what != NULL) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_REFERENCE_NETWORK, model->name, 0, "network",
                       "not consistent: %s", what);
        return TERN_ERR_FORMAT;
    }
    const size_t K = n_samples, N = net->n_neurons, F = net->n_filters;
    tern_reference *r = tern_arena_get(arena, 1, sizeof *r);
    size_t *row_elig = tern_arena_get(arena, net->n_rows, sizeof *row_elig);
    uint8_t *row_full = tern_arena_get(arena, net->n_rows, 1);
    if (r == NULL || row_elig == NULL || row_full == NULL) return TERN_ERR_MEMORY;
    size_t n_elig = 0;
    for (size_t q = 0; q < net->n_rows; ++q) {
        const tern_row *row = &net->rows[q];
        row_elig[q] = n_elig;
        n_elig += K * row->count;
        row_full[q] = 1;
        for (size_t j = 0; j < row->count; ++j)
            if (net->weights0[row->weight + j] == TERN_WEIGHT_ABSENT) row_full[q] = 0;
    }
    *r = (tern_reference){ .model = model,
                           .n_samples = n_samples,
                           .seed = seed,
                           .eta = model->rule.eta,
                           .gamma = model->rule.gamma,
                           .kappa = model->rule.kappa,
                           .lambda = net->baseline == TERN_BASELINE_NONE ? 0 : 1 - 1.0 / model->rule.memory,
                           .row_elig = row_elig,
                           .row_full = row_full,
                           .n_elig = n_elig };
    const size_t n_base = tern_net_baselines(net);
    const struct {
        double **at;
        size_t count;
    } arrays[] = {
        { &r->weights, net->n_weights },
        { &r->bias, N },
        { &r->self, N },
        { &r->v, K },
        { &r->loss, K },
        { &r->m, 2 * K },
        { &r->u, N * K },
        { &r->p, N * K },
        { &r->error, N * K },
        { &r->elig, n_elig },
        { &r->elig_bias, N * K },
        { &r->elig_self, N * K },
        { &r->x_in, F * net->n_inputs_pos },
        { &r->x_neuron, F * K * net->n_neurons_pos },
        { &r->present, net->n_weights },
        { &r->base, n_base },
        { &r->base_weight, n_base },
    };
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; ++a)
        if ((*arrays[a].at = tern_arena_get(arena, arrays[a].count, sizeof(double))) == NULL) return TERN_ERR_MEMORY;
    r->spikes = tern_arena_get(arena, K * (net->n_neurons_pos / 32), sizeof *r->spikes);
    r->hist_in = tern_arena_get(arena, net->n_inputs_pos, sizeof *r->hist_in);
    r->hist_neuron = tern_arena_get(arena, K * net->n_neurons_pos, sizeof *r->hist_neuron);
    if (r->spikes == NULL || r->hist_in == NULL || r->hist_neuron == NULL) return TERN_ERR_MEMORY;
    load_parameters(r);
    *out_ref = r;
    return TERN_OK;
}

/* Calls `part(ud, pointer, bytes)` for every array of the dynamic state, in one fixed order. */
typedef void part_fn(void *ud, void *at, size_t bytes);

static void dynamic_parts(const tern_reference *r, part_fn *part, void *ud)
{
    const tern_net *net = &r->model->net;
    const size_t K = r->n_samples, NK = net->n_neurons * K;
    part(ud, r->hist_in, net->n_inputs_pos * sizeof *r->hist_in);
    part(ud, r->hist_neuron, K * net->n_neurons_pos * sizeof *r->hist_neuron);
    part(ud, r->elig, r->n_elig * sizeof(double));
    part(ud, r->elig_bias, NK * sizeof(double));
    part(ud, r->elig_self, NK * sizeof(double));
    part(ud, r->v, K * sizeof(double));
    part(ud, r->m, 2 * K * sizeof(double));
}

static void weight_parts(const tern_reference *r, part_fn *part, void *ud)
{
    const tern_net *net = &r->model->net;
    part(ud, r->weights, net->n_weights * sizeof(double));
    part(ud, r->bias, net->n_neurons * sizeof(double));
    part(ud, r->self, net->n_neurons * sizeof(double));
}

/* Neither is cleared between examples. */
static void baseline_parts(const tern_reference *r, part_fn *part, void *ud)
{
    const size_t bytes = tern_net_baselines(&r->model->net) * sizeof(double);
    part(ud, r->base, bytes);
    part(ud, r->base_weight, bytes);
}

static void all_parts(const tern_reference *r, part_fn *part, void *ud)
{
    weight_parts(r, part, ud);
    baseline_parts(r, part, ud);
    dynamic_parts(r, part, ud);
}

static void clear_part(void *ud, void *at, size_t bytes)
{
    (void)ud;
    memset(at, 0, bytes); /* all bits 0 is the double 0 */
}

void tern_reference_clear(tern_reference *ref)
{
    tern_reference_flush(ref); /* the update of the last step is due before its averages go */
    dynamic_parts(ref, clear_part, NULL);
}

/* Round half up and saturate symmetrically, as every engine does (N-15). */
static int16_t to_raw(double x, unsigned frac, unsigned bits)
{
    const double top = ldexp(1, (int)bits - 1) - 1, raw = floor(ldexp(x, (int)frac) + 0.5);
    return (int16_t)(raw > top ? top : raw < -top ? -top : raw);
}

void tern_reference_to_state(const tern_reference *ref, tern_state *st)
{
    const tern_net *net = &ref->model->net;
    for (size_t j = 0; j < net->n_weights; ++j)
        st->weights[j] = ref->present[j] > 0 ? to_raw(ref->weights[j], net->weight_frac, net->weight_bits)
                                             : (int16_t)TERN_WEIGHT_ABSENT;
    for (size_t i = 0; i < net->n_neurons; ++i) {
        st->bias_f12[i] = to_raw(ref->bias[i], TERN_BIAS_FRAC, 16);
        st->self_f12[i] = to_raw(ref->self[i], TERN_BIAS_FRAC, 16);
    }
    for (size_t i = 0; i < tern_net_baselines(net); ++i) { /* b s20.12, D as sums of g^2 with 14 fraction bits, N-20 */
        st->base_f12[i] = (int32_t)fmax(-2147483647.0, fmin(2147483647.0, floor(ref->base[i] * 4096.0 + 0.5)));
        st->base_weight[i] = (uint32_t)fmin(4294967295.0, floor(ref->base_weight[i] * 16384.0 + 0.5));
    }
    st->step = ref->step;
}

/* Saved form: magic, step, seed, K, shape, then all parts. The magic read on a machine of another byte order does not
 * match. */
typedef struct save_head {
    uint64_t magic;
    uint32_t step, n_samples, n_weights, n_neurons, n_inputs_pos, n_neurons_pos;
    uint32_t rule, baseline, pending; /* without padding: the head is compared and written as bytes */
    uint32_t image_crc; /* of the image that it belongs to; 0: not known (in a checkpoint, or of an older version) */
    uint64_t seed, n_elig;
    uint64_t check; /* FNV-1a over the head with check = 0, then the parts */
} save_head;

#define SAVE_MAGIC 0x3246455254726e54u    /* "TnrTREF2" */
#define SAVE_MAGIC_V1 0x3146455254726e54u /* before there were rules and baselines: not read */

static void add_bytes(void *ud, void *at, size_t bytes)
{
    (void)at;
    *(size_t *)ud += bytes;
}

static void copy_out(void *ud, void *at, size_t bytes)
{
    uint8_t **to = ud;
    memcpy(*to, at, bytes);
    *to += bytes;
}

static void copy_in(void *ud, void *at, size_t bytes)
{
    const uint8_t **from = ud;
    memcpy(at, *from, bytes);
    *from += bytes;
}

static uint64_t fnv1a(uint64_t h, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; ++i) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static uint64_t checksum(save_head h, const uint8_t *parts, size_t n)
{
    uint8_t head[sizeof h];
    h.check = 0;
    memcpy(head, &h, sizeof h);
    return fnv1a(fnv1a(0xcbf29ce484222325u, head, sizeof head), parts, n);
}

static save_head head_of(const tern_reference *r)
{
    const tern_net *net = &r->model->net;
    return (save_head){ .magic = SAVE_MAGIC,
                        .step = r->step,
                        .n_samples = r->n_samples,
                        .n_weights = net->n_weights,
                        .n_neurons = net->n_neurons,
                        .n_inputs_pos = net->n_inputs_pos,
                        .n_neurons_pos = net->n_neurons_pos,
                        .rule = net->rule,
                        .baseline = net->baseline,
                        .pending = r->pending,
                        .seed = r->seed,
                        .n_elig = r->n_elig };
}

size_t tern_reference_save_bytes(const tern_reference *ref)
{
    size_t bytes = sizeof(save_head);
    all_parts(ref, add_bytes, &bytes);
    return bytes;
}

void tern_reference_save(const tern_reference *ref, uint32_t image_crc, uint8_t *out_bytes)
{
    save_head h = head_of(ref);
    h.image_crc = image_crc;
    uint8_t *to = out_bytes + sizeof h;
    all_parts(ref, copy_out, &to);
    h.check = checksum(h, out_bytes + sizeof h, (size_t)(to - out_bytes) - sizeof h);
    memcpy(out_bytes, &h, sizeof h);
}

/* Bytes that were saved whole: of this version, of the same network and rule, not damaged. */
static tern_status check_saved(const tern_reference *ref, const uint8_t *bytes, size_t size, save_head *out_head)
{
    const save_head want = head_of(ref);
    uint64_t magic = 0;
    if (size < sizeof magic) return TERN_ERR_TRUNCATED;
    memcpy(&magic, bytes, sizeof magic);
    if (magic == SAVE_MAGIC_V1) return TERN_ERR_VERSION;
    if (magic != want.magic) return TERN_ERR_FORMAT;
    if (size < sizeof *out_head) return TERN_ERR_TRUNCATED;
    memcpy(out_head, bytes, sizeof *out_head);
    if (out_head->n_weights != want.n_weights || out_head->n_neurons != want.n_neurons ||
        out_head->n_inputs_pos != want.n_inputs_pos || out_head->n_neurons_pos != want.n_neurons_pos ||
        out_head->rule != want.rule || out_head->baseline != want.baseline || out_head->pending > 1)
        return TERN_ERR_FORMAT;
    return out_head->check == checksum(*out_head, bytes + sizeof *out_head, size - sizeof *out_head)
               ? TERN_OK
               : TERN_ERR_CHECKSUM;
}

uint32_t tern_reference_saved_for(const uint8_t *bytes, size_t size)
{
    save_head h;
    if (size < sizeof h) return 0;
    memcpy(&h, bytes, sizeof h);
    if (h.magic != SAVE_MAGIC || h.check != checksum(h, bytes + sizeof h, size - sizeof h)) return 0;
    return h.image_crc;
}

tern_status tern_reference_restore(tern_reference *ref, const uint8_t *bytes, size_t size)
{
    save_head h;
    const tern_status s = check_saved(ref, bytes, size, &h);
    if (s == TERN_ERR_VERSION) return s;
    if (size != tern_reference_save_bytes(ref)) return TERN_ERR_FORMAT;
    if (s != TERN_OK) return s;
    if (h.n_samples != ref->n_samples || h.n_elig != ref->n_elig) return TERN_ERR_FORMAT;
    const uint8_t *from = bytes + sizeof h;
    all_parts(ref, copy_in, &from);
    ref->step = h.step;
    ref->seed = h.seed;
    ref->pending = h.pending != 0;
    return TERN_OK;
}

tern_status tern_reference_restore_weights(tern_reference *ref, const uint8_t *bytes, size_t size)
{
    save_head h;
    size_t need = sizeof h;
    weight_parts(ref, add_bytes, &need);
    const tern_status s = check_saved(ref, bytes, size, &h);
    if (s == TERN_ERR_VERSION) return s;
    if (size < need) return TERN_ERR_TRUNCATED;
    if (s != TERN_OK) return s;
    const uint8_t *from = bytes + sizeof h;
    weight_parts(ref, copy_in, &from);
    return TERN_OK;
}
