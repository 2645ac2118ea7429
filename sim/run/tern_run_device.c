/* tern_run_device.c : see tern_run_device.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_run_device.h"
#include "tern_errors.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/image.h"
#include "tern_history.h"
#include "tern_signal.h"

enum { CHUNK = 32 }; /* steps queued at a time */

/* ---- the board --------------------------------------------------------------------------------------------------- */

tern_status tern_device_open(tern_device *d, const char *port, uint32_t baud, tern_diags *diags)
{
    memset(d, 0, sizeof *d);
    tern_status s = tern_port_open(&d->port, port, diags);
    if (s != TERN_OK) return s;
    s = tern_port_connect(&d->port, baud, diags);
    if (s == TERN_OK) tern_plan_capacity(d->port.link.registers, &d->core);
    if (s == TERN_OK && (d->core.lanes == 0 || d->core.lanes > 32 || (d->core.lanes & (d->core.lanes - 1)) != 0 ||
                         d->core.weight_w < 4 || d->core.weight_w > 16 || d->core.hist_w == 0 || d->core.hist_w > 64)) {
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_FOREIGN, port, 0, "--device",
                           "the core reports impossible sizes: %u lanes, weights of %u bits, histories of %u bits",
                           d->core.lanes, d->core.weight_w, d->core.hist_w),
            "configure the board with a core of this version");
        s = TERN_ERR_IO;
    }
    if (s != TERN_OK) tern_device_close(d);
    return s;
}

void tern_device_close(tern_device *d)
{
    if (d->port.name != NULL) tern_port_close(&d->port);
    d->port.name = NULL;
}

tern_status tern_device_batch(const tern_device *d, const tern_model *model, uint32_t n_samples, uint32_t *out_batch,
                              tern_diags *diags)
{
    const uint32_t most = d->core.samples < TERN_MAX_SAMPLES ? d->core.samples : TERN_MAX_SAMPLES;
    *out_batch = n_samples <= most || most < 4 ? TERN_MAX_SAMPLES : most & ~3u;
    const uint32_t batch = tern_fit_batch(model, n_samples, &d->core);
    if (batch != 0) *out_batch = batch == n_samples ? TERN_MAX_SAMPLES : batch;
    uint32_t few = n_samples < 4 ? n_samples - 1 : 3;
    while (batch == 0 && few > 0 && tern_fit_batch(model, few, &d->core) != few) --few;
    if (batch != 0 || few == 0) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(
            diags, TERN_SEV_ERROR, TERN_E_BATCH, d->port.name, 0, "--samples",
            "the core computes %u sample%s of this network at once; more samples need batches that are multiples of 4",
            few, few == 1 ? "" : "s"),
        "--samples %u, or a core of at least 4 samples", few);
    return TERN_ERR_FIT;
}

static bool failed(const tern_device *d) { return d->result != TERN_LINK_R_OK || d->astray; }

static void keep(tern_device *d, tern_link_result r)
{
    if (d->result == TERN_LINK_R_OK) d->result = r;
}

tern_status tern_device_check(const tern_device *d, tern_diags *diags)
{
    if (d->result != TERN_LINK_R_OK) return tern_port_fault(&d->port, d->result, diags);
    if (!d->astray) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_E_ASTRAY, d->port.name, 0, "--device",
                       "the core is at step %u and should be at step %u: something else has used or reset it",
                       d->step_found, d->step_wanted),
        "use the board from one program at a time; with --resume a training continues from what was saved");
    return TERN_ERR_IO;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Host writes over the link; only registers with `registers`, no weights with `keep_weights`. */
typedef struct writer {
    tern_host_writer base;
    tern_device *d;
    bool keep_weights;
} writer;

static void over_link(tern_host_writer *self, uint32_t address, uint32_t data)
{
    writer *w = (writer *)self;
    const unsigned region = address >> 24;
    if (failed(w->d) ||
        (w->keep_weights && (region == TERN_RG_WEIGHT || region == TERN_RG_LOCAL || region == TERN_RG_BASELINE)))
        return;
    keep(w->d, tern_link_write(&w->d->port.link, address, &data, 1));
}

static void put(tern_device *d, unsigned region, uint32_t word, uint32_t data)
{
    writer w = { { over_link }, d, false };
    over_link(&w.base, tern_host_address(region, word, 32, 0), data);
}

static void fetch(tern_device *d, unsigned region, uint32_t word, unsigned word_bits, uint32_t *out, uint32_t n)
{
    if (!failed(d)) keep(d, tern_link_read(&d->port.link, tern_host_address(region, word, word_bits, 0), out, n));
}

static void settle(tern_device *d)
{
    if (!failed(d)) keep(d, tern_link_sync(&d->port.link));
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* How many numbers neurons and central processor exchange, as the golden model counts them. */
static void count_numbers(tern_device_net *n)
{
    const tern_net *net = n->plan.net;
    const uint32_t K = n->plan.n_samples;
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const bool signal = i >= n->plan.signal_first, circuit = net->neurons[i].wta_size != 0;
        if (net->rule == TERN_RULE_IW && signal) n->broadcast += 1;
        else if (net->rule != TERN_RULE_MB || signal) n->broadcast += K;
        if (i < net->n_visible && net->rule != TERN_RULE_REWARD && (!circuit || net->neurons[i].wta_index == 0))
            n->unicast += K;
    }
}

/* What the core is, and what would make the network fit; the sizes themselves have been told. */
static void does_not_fit(const tern_device *d, const tern_model *model, uint32_t n_samples, tern_diags *diags)
{
    char changes[220];
    tern_fit_changes(&d->source, model, n_samples, &d->core, changes, sizeof changes);
    tern_diag *g = tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CORE_UNFIT, d->port.name, 0, "--device",
                                  "the network does not fit the core of this board (%u lanes, %u neurons, %u samples, "
                                  "%u weight words); above: what is "
                                  "too small",
                                  d->core.lanes, d->core.neurons, d->core.samples, d->core.words);
    if (changes[0] != 0) tern_diag_hint(g, "it fits with %s", changes);
    else if (d->source.script == NULL)
        tern_diag_hint(g, "its script with other formats, or configure the board with a core for this network (`tern "
                          "synth`); `tern board` emulates one");
    else
        tern_diag_hint(g, "no setting was found with which it fits: a smaller network, or configure the board with a "
                          "core for this one (`tern synth`); `tern board` emulates one");
}

tern_status tern_device_net_init(tern_device_net *n, tern_device *d, const tern_model *model, tern_state *st,
                                 tern_arena *arena, tern_diags *diags)
{
    char hash[65];
    const size_t before = diags->n_errors;
    *n = (tern_device_net){ .device = d, .st = st, .chunk = CHUNK };
    tern_status s = tern_plan_make(&model->net, d->core.lanes, st->n_samples, arena, &n->plan, diags);
    if (s == TERN_OK) tern_plan_use_order(&n->plan, &d->core);
    if (s == TERN_OK) tern_plan_use_ways(&n->plan, d->core.ways);
    if (s == TERN_OK) s = tern_plan_fits(&n->plan, &d->core, diags);
    if (s == TERN_ERR_FIT && diags->n_errors > before) does_not_fit(d, model, st->n_samples, diags);
    if (s == TERN_OK) s = tern_layout_hash(model, hash);
    if (s != TERN_OK) return s;
    sscanf(hash, "%8" SCNx32, &n->layout);
    n->loss = tern_arena_get(arena, (size_t)CHUNK * st->n_samples, sizeof *n->loss);
    n->spikes = tern_arena_get(arena, (size_t)CHUNK * st->n_samples * n->plan.neuron_groups, sizeof *n->spikes);
    count_numbers(n);
    return n->loss == NULL || n->spikes == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* Another runner of the same network that has not learned left the right weights there. */
static bool weights_are_there(const tern_device_net *n)
{
    const tern_device_net *was = n->device->loaded;
    if (was == NULL || was->behind || was->plan.net != n->plan.net) return false;
    const tern_net *net = n->plan.net;
    return memcmp(was->st->weights, n->st->weights, net->n_weights * sizeof *n->st->weights) == 0 &&
           memcmp(was->st->bias_f12, n->st->bias_f12, net->n_neurons * sizeof *n->st->bias_f12) == 0 &&
           memcmp(was->st->self_f12, n->st->self_f12, net->n_neurons * sizeof *n->st->self_f12) == 0 &&
           memcmp(was->st->base_f12, n->st->base_f12, tern_net_baselines(net) * sizeof *n->st->base_f12) == 0 &&
           memcmp(was->st->base_weight, n->st->base_weight, tern_net_baselines(net) * sizeof *n->st->base_weight) == 0;
}

static void load(tern_device_net *n)
{
    tern_device *d = n->device;
    if (d->loaded == n || failed(d)) return;
    if (d->loaded != NULL && d->loaded->behind && tern_device_pull(d->loaded, NULL) != TERN_OK) return;
    writer w = { { over_link }, d, weights_are_there(n) };
    if (!w.keep_weights) put(d, TERN_RG_REG, TERN_REG_CONTROL, TERN_CTL_CLEAR); /* memories start with anything */
    tern_plan_write_network(&n->plan, &d->core, &w.base);
    /* behind the register CLASSES: before, it may hold more classes than the core has */
    if (!w.keep_weights && d->core.classes != 0) put(d, TERN_RG_REG, TERN_REG_CONTROL, TERN_CTL_EXAMPLE);
    put(d, TERN_RG_REG, TERN_REG_LAYOUT, n->layout);
    tern_plan_write_state(&n->plan, &d->core, n->st, &w.base);
    memset(n->sat, 0, sizeof n->sat);
    d->loaded = n;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void queue_step(tern_device_net *n, const uint32_t *inputs, const uint32_t *targets, unsigned flags, uint32_t at)
{
    tern_device *d = n->device;
    const uint32_t K = n->plan.n_samples, groups = n->plan.neuron_groups;
    writer w = { { over_link }, d, false };
    tern_plan_write_frames(&n->plan, inputs, flags & TERN_STEP_CLAMP ? targets : NULL, &w.base);
    put(d, TERN_RG_REG, TERN_REG_CONTROL,
        TERN_CTL_START | (flags & TERN_STEP_LEARN ? TERN_CTL_LEARN : 0u) |
            (flags & TERN_STEP_CLAMP ? TERN_CTL_CLAMP : 0u));
    fetch(d, TERN_RG_LOSS, 0, 32, n->loss + (size_t)at * K, K);
    const uint32_t ways = n->plan.need.ways; /* of a way, samples lie behind each other */
    uint32_t *spikes = n->spikes + (size_t)at * K * groups;
    for (uint32_t v = 0; v < ways; ++v) {
        const uint32_t words = (K - v + ways - 1u) / ways * groups;
        fetch(d, TERN_RG_FRAME_LAST, tern_plan_sample_word(&n->plan, &d->core, v), n->plan.lanes, spikes, words);
        spikes += words;
    }
}

/* The state after a step, as far as the host knows it. */
static void follow_step(tern_device_net *n, const uint32_t *inputs, unsigned flags, uint32_t at)
{
    tern_state *st = n->st;
    const tern_plan *p = &n->plan;
    const tern_net *net = p->net;
    const uint32_t K = p->n_samples, words = net->n_neurons_pos / 32u;
    for (uint32_t pos = 0; pos < net->n_inputs_pos; ++pos)
        st->hist_in[pos] = tern_history_step(st->hist_in[pos], st->spikes_in[pos >> 5] >> (pos & 31u) & 1u,
                                             (unsigned)net->taps_d + net->lags_w);
    memcpy(st->spikes_in, inputs, net->n_inputs_pos / 32u * sizeof *st->spikes_in);
    memset(st->spikes, 0, (size_t)K * words * sizeof *st->spikes);
    for (uint32_t k = 0; k < K; ++k) {
        const uint32_t ways = p->need.ways, way = k % ways,
                       before = way * (K / ways) + (way < K % ways ? way : K % ways); /* samples of the ways before */
        const uint32_t *got = n->spikes + ((size_t)at * K + before + k / ways) * p->neuron_groups;
        /* without visible neurons the core has no losses */
        st->loss_f12[k] = net->n_visible == 0 ? 0 : n->loss[(size_t)at * K + k];
        for (uint32_t g = 0; g < net->n_neurons_pos >> p->lane_shift; ++g) {
            const uint32_t pos = g << p->lane_shift, word = p->neuron_group[g];
            if (word == UINT32_MAX) continue;
            st->spikes[(size_t)k * words + (pos >> 5)] |= (got[word] & p->neuron_lanes[word]) << (pos & 31u);
        }
    }
    if (st->pending) st->comm.broadcast += n->broadcast;
    if (flags & TERN_STEP_LEARN) st->comm.unicast += n->unicast;
    st->pending = (flags & TERN_STEP_LEARN) != 0;
    st->lag_head = (st->lag_head + 1u) % net->lags_w;
    ++st->step;
}

void tern_device_run(tern_device_net *n, uint32_t n_steps, const uint32_t *inputs, size_t words_in,
                     const uint32_t *targets, size_t words_neuron, unsigned flags, void (*seen)(void *ud, uint32_t t),
                     void *ud)
{
    const bool learn = (flags & TERN_STEP_LEARN) != 0;
    /* a reward comes between two steps */
    const uint32_t chunk = learn && n->plan.net->rule == TERN_RULE_REWARD ? 1 : n->chunk;
    load(n);
    for (uint32_t t0 = 0; t0 < n_steps && !failed(n->device); t0 += chunk) {
        const uint32_t now = n_steps - t0 < chunk ? n_steps - t0 : chunk;
        if (learn) n->behind = true;
        for (uint32_t i = 0; i < now; ++i)
            queue_step(n, inputs + (t0 + i) * words_in, targets + (t0 + i) * words_neuron, flags, i);
        settle(n->device);
        for (uint32_t i = 0; i < now && !failed(n->device); ++i) {
            follow_step(n, inputs + (t0 + i) * words_in, flags, i);
            seen(ud, t0 + i);
        }
    }
}

void tern_device_reward(tern_device_net *n, const int32_t *reward_f12)
{
    if (n->plan.net->rule != TERN_RULE_REWARD) return;
    tern_reward(n->st, reward_f12);
    for (uint32_t k = 0; k < n->plan.n_samples; ++k) put(n->device, TERN_RG_SIGNAL, k, (uint32_t)n->st->w_f12[k]);
}

static void count_saturations(tern_device_net *n, const uint32_t now[6])
{
    uint64_t *const to[6] = { &n->st->sat.weight,      &n->st->sat.local,   &n->st->sat.potential,
                              &n->st->sat.coefficient, &n->st->sat.logprob, &n->st->sat.modulator };
    for (unsigned i = 0; i < (n->device->core.signals != 0 ? 6u : 5u); ++i) {
        *to[i] += now[i] - n->sat[i]; /* modulo 2^32, as the registers */
        n->sat[i] = now[i];
    }
}

void tern_device_end(tern_device_net *n, bool clear)
{
    tern_device *d = n->device;
    tern_state *st = n->st;
    const uint32_t K = n->plan.n_samples;
    uint32_t m[TERN_MAX_SAMPLES] = { 0 }, w[TERN_MAX_SAMPLES] = { 0 }, sat[6] = { 0 }, step = 0;
    if (st->pending) load(n);
    if (failed(d)) return;
    if (d->loaded != n) { /* nothing of it is in the core */
        if (clear) tern_state_clear(st);
        return;
    }
    const bool signals = d->core.signals != 0 && st->net->rule != TERN_RULE_GEM;
    if (st->pending) { /* they are valid up to here, and part of the state */
        fetch(d, TERN_RG_M, 0, 32, m, K);
        if (signals) fetch(d, TERN_RG_SIGNAL, 0, 32, w, K);
        put(d, TERN_RG_REG, TERN_REG_CONTROL, TERN_CTL_START | TERN_CTL_FLUSH);
    }
    if (clear) put(d, TERN_RG_REG, TERN_REG_CONTROL, TERN_CTL_CLEAR);
    if (!failed(d)) keep(d, tern_link_wait_idle(&d->port.link));
    fetch(d, TERN_RG_REG, TERN_REG_SAT_WEIGHT, 32, sat, 6);
    fetch(d, TERN_RG_REG, TERN_REG_STEP, 32, &step, 1);
    settle(d);
    if (failed(d)) return;
    count_saturations(n, sat);
    if (step != st->step) {
        d->astray = true;
        d->step_found = step;
        d->step_wanted = st->step;
    }
    for (uint32_t k = 0; k < K && st->pending; ++k) {
        if (st->net->rule != TERN_RULE_REWARD) st->m_f14[k] = (int16_t)(uint16_t)m[k];
        if (signals) st->w_f12[k] = (int32_t)w[k];
    }
    if (st->pending) st->comm.broadcast += n->broadcast;
    st->pending = false;
    if (clear) tern_state_clear(st);
}

void tern_device_set_rate(tern_device_net *n)
{
    if (n->device->loaded != n) return;
    for (uint32_t d = 0; d < n->plan.net->lags_w; ++d) put(n->device, TERN_RG_EK, d, n->st->ek[d]);
}

void tern_device_seek(tern_device_net *n)
{
    if (n->device->loaded != n) return;
    put(n->device, TERN_RG_REG, TERN_REG_STEP, n->st->step);
    put(n->device, TERN_RG_REG, TERN_REG_GROUP0, n->st->k0 / 4u);
}

/* ---- reading back ------------------------------------------------------------------------------------------------ */

/* First asks (words NULL: only counts; then addresses go out in runs), then hands out what has come, in the same
 * order. */
typedef struct reader {
    tern_host_reader base;
    tern_device *d;
    uint32_t *words;
    size_t n, run;
    uint32_t first;
    bool hand_out;
} reader;

static void ask_run(reader *r)
{
    if (r->run > 0 && !failed(r->d))
        keep(r->d, tern_link_read(&r->d->port.link, r->first, r->words + (r->n - r->run), r->run));
    r->run = 0;
}

static uint32_t visit(tern_host_reader *self, uint32_t address)
{
    reader *r = (reader *)self;
    if (r->hand_out) return r->words[r->n++];
    if (r->words != NULL && r->run > 0 && address != r->first + r->run) ask_run(r);
    if (r->run++ == 0) r->first = address;
    ++r->n;
    return 0;
}

tern_status tern_device_pull(tern_device_net *n, tern_diags *diags)
{
    tern_device *d = n->device;
    if (d->loaded != n || failed(d)) return tern_device_check(d, diags);
    reader r = { .base = { visit }, .d = d };
    tern_plan_read_state(&n->plan, &d->core, n->st->pending, &r.base, NULL);
    r.words = malloc((r.n + 1) * sizeof *r.words);
    if (r.words == NULL) return TERN_ERR_MEMORY;
    r.n = r.run = 0;
    tern_plan_read_state(&n->plan, &d->core, n->st->pending, &r.base, NULL);
    ask_run(&r);
    settle(d);
    if (!failed(d)) {
        r.n = 0;
        r.hand_out = true;
        tern_plan_read_state(&n->plan, &d->core, n->st->pending, &r.base, n->st);
        n->behind = false;
    }
    free(r.words);
    return tern_device_check(d, diags);
}
