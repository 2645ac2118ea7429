/* tern_cli_runner.c : see tern_cli_runner.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_runner.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "tern_cli.h"

#define KEEP_BYTES ((size_t)512 << 20)
enum { WARNINGS_MAX = 5 };

/* ---- frames --------------------------------------------------------------- */

tern_status tern_cli_frames_open(tern_cli_frames *f, const tern_model *model, const char *path, bool need_labels, tern_diags *diags)
{
    *f = (tern_cli_frames){ .model = model, .need_labels = need_labels };
    tern_arena_init(&f->arena, tern_alloc_default(), 0);
    tern_arena_init(&f->last, tern_alloc_default(), 0);
    if (!model->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 119, model->name, 0, "data", "the network does not say how recordings become frames"),
                       "add a data section to the script (docs/10-language.md)");
        return TERN_ERR_DATA;
    }
    tern_status s = tern_dataset_open(path, &f->arena, &f->set, diags);
    if (s != TERN_OK) return s;
    if (f->set.n == 0 || f->set.n >= (size_t)1 << 28) {
        tern_diags_add(diags, TERN_SEV_ERROR, 111, path, 0, "", "%zu recordings, allowed are 1..%u", f->set.n, (1u << 28) - 1);
        return TERN_ERR_DATA;
    }
    f->kept = tern_arena_get(&f->arena, f->set.n, sizeof *f->kept);
    if (f->set.n > 1) f->places = tern_stream_keep_make(tern_alloc_default()); /* NULL only makes it slower */
    return f->kept == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static void print_warnings(tern_cli_frames *f, const tern_diags *d)
{
    for (size_t i = 0; i < d->n; ++i) {
        char text[1200];
        if (d->list[i].severity == TERN_SEV_ERROR) continue; /* the caller reports these */
        if (++f->n_warnings > WARNINGS_MAX) continue;
        tern_diag_format(&d->list[i], text, sizeof text);
        fprintf(stderr, "%s\n%s", text, f->n_warnings == WARNINGS_MAX ? "(further warnings about recordings are not shown)\n" : "");
    }
}

tern_status tern_cli_frames_get(tern_cli_frames *f, uint32_t i, tern_frames *out, tern_diags *diags)
{
    *out = f->kept[i];
    if (out->n_steps != 0) return TERN_OK;
    tern_arena_free(&f->last);
    const bool keep = f->kept_bytes < KEEP_BYTES;
    tern_diags own;
    tern_diags_init(&own);
    tern_status s = tern_frames_load_one(f->model, f->set.paths[i], f->set.labels[i], f->places, keep ? &f->arena : &f->last, out, &own);
    if (s == TERN_OK && f->need_labels && f->model->data.label_population >= 0 && out->label < 0) {
        tern_diag_hint(tern_diags_add(&own, TERN_SEV_ERROR, 112, f->set.paths[i], 0, "", "no label, and the network learns labels"),
                       "give a folder or list with labels (docs/30-data.md)");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) {
        *diags = own;
        return s;
    }
    print_warnings(f, &own);
    if (keep) {
        f->kept_bytes += sizeof(uint32_t) * (size_t)out->n_steps * (out->words_in + out->words_neuron);
        f->kept[i] = *out;
    }
    return TERN_OK;
}

uint64_t tern_cli_frames_digest(const tern_cli_frames *f)
{
    uint64_t hash = TERN_DIGEST_INIT;
    for (size_t i = 0; i < f->set.n; ++i) {
        const char *slash = strrchr(f->set.paths[i], '/'), *name = slash == NULL ? f->set.paths[i] : slash + 1;
        struct stat info;
        const uint64_t size = stat(f->set.paths[i], &info) == 0 ? (uint64_t)info.st_size : 0, numbers[2] = { size, (uint32_t)f->set.labels[i] };
        for (const char *p = name;; ++p) { /* FNV-1a over the name with its NUL, then 16 bytes */
            hash = (hash ^ (uint8_t)*p) * 0x100000001b3u;
            if (*p == 0) break;
        }
        for (int b = 0; b < 16; ++b) hash = (hash ^ (uint8_t)(numbers[b / 8] >> 8 * (b % 8))) * 0x100000001b3u;
    }
    return hash;
}

void tern_cli_frames_close(tern_cli_frames *f)
{
    tern_stream_keep_free(f->places);
    f->places = NULL;
    tern_arena_free(&f->arena);
    tern_arena_free(&f->last);
}

/* ---- engines -------------------------------------------------------------- */

tern_status tern_runner_init(tern_runner *r, const tern_model *model, tern_runner_engine engine, uint32_t n_samples, uint64_t seed, tern_arena *arena,
                             tern_diags *diags)
{
    const tern_net *net = &model->net;
    *r = (tern_runner){ .model = model, .n_samples = n_samples };
    const size_t bytes = tern_state_bytes(net, n_samples), words = net->n_neurons_pos / 32;
    void *mem = bytes == 0 ? NULL : tern_arena_get(arena, bytes, 1);
    r->hidden = tern_arena_get(arena, words, sizeof *r->hidden);
    r->visible = tern_arena_get(arena, words, sizeof *r->visible);
    if (mem == NULL || r->hidden == NULL || r->visible == NULL) return bytes == 0 ? TERN_ERR_ARGUMENT : TERN_ERR_MEMORY;
    tern_status s = tern_state_init(&r->st, net, mem, bytes, n_samples, seed);
    if (s != TERN_OK) return s;
    if (model->state != NULL) tern_state_copy_weights(&r->st, model->state);
    for (uint32_t i = 0; i < net->n_neurons; ++i) {
        const uint32_t pos = net->neurons[i].pos;
        (i < net->n_visible ? r->visible : r->hidden)[pos / 32] |= (uint32_t)1 << pos % 32;
    }
    if (engine.reference) return tern_reference_create(model, n_samples, seed, arena, &r->ref, diags);
    if (engine.device == NULL) return TERN_OK;
    tern_device_net *board = tern_arena_get(arena, 1, sizeof *board);
    if (board == NULL) return TERN_ERR_MEMORY;
    s = tern_device_net_init(board, engine.device, model, &r->st, arena, diags);
    if (s == TERN_OK) r->board = board;
    return s;
}

void tern_runner_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t), void *ud)
{
    if (r->board != NULL) {
        tern_device_run(r->board, f->n_steps, f->inputs, f->words_in, f->targets, f->words_neuron, flags, seen, ud);
        return;
    }
    for (uint32_t t = 0; t < f->n_steps; ++t) {
        const uint32_t *inputs = f->inputs + (size_t)t * f->words_in, *targets = f->targets + (size_t)t * f->words_neuron;
        if (r->ref != NULL) tern_reference_step(r->ref, inputs, targets, flags);
        else tern_step(&r->st, inputs, targets, flags);
        seen(ud, t);
    }
}

tern_status tern_runner_check(const tern_runner *r, tern_diags *diags) { return r->board == NULL ? TERN_OK : tern_device_check(r->board->device, diags); }

tern_status tern_runner_pull(tern_runner *r, tern_diags *diags) { return r->board == NULL ? TERN_OK : tern_device_pull(r->board, diags); }

void tern_runner_reward(tern_runner *r, const double *reward)
{
    if (r->ref != NULL) {
        tern_reference_reward(r->ref, reward);
        return;
    }
    int32_t reward_f12[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < r->n_samples; ++k) reward_f12[k] = tern_reward_f12(reward[k]);
    if (r->board != NULL) tern_device_reward(r->board, reward_f12);
    else tern_reward(&r->st, reward_f12);
}

void tern_runner_copy_weights(tern_runner *to, const tern_runner *from)
{
    const tern_net *net = &to->model->net;
    tern_state_copy_weights(&to->st, &from->st);
    if (to->ref == NULL) return;
    memcpy(to->ref->weights, from->ref->weights, net->n_weights * sizeof *to->ref->weights);
    memcpy(to->ref->bias, from->ref->bias, net->n_neurons * sizeof *to->ref->bias);
    memcpy(to->ref->self, from->ref->self, net->n_neurons * sizeof *to->ref->self);
}

void tern_runner_end(tern_runner *r, bool clear)
{
    if (r->ref != NULL) {
        tern_reference_flush(r->ref);
        if (clear) tern_reference_clear(r->ref);
        return;
    }
    if (r->board != NULL) {
        tern_device_end(r->board, clear);
        return;
    }
    tern_flush(&r->st);
    if (clear) tern_state_clear(&r->st);
}

tern_status tern_runner_set_eta(tern_runner *r, double eta, tern_diags *diags)
{
    if (r->ref != NULL) {
        r->ref->eta = eta;
        return TERN_OK;
    }
    const tern_status s = tern_ek_from_eta(r->st.net, eta, r->model->rule.kappa, r->st.ek);
    if (s == TERN_OK && r->board != NULL) tern_device_set_rate(r->board);
    if (s != TERN_OK) tern_diags_add(diags, TERN_SEV_ERROR, 113, r->model->name, 0, "rule.eta", "learning rate %g does not fit the learning format", eta);
    return s;
}

void tern_runner_seek(tern_runner *r, uint32_t k0, uint32_t step)
{
    r->st.k0 = k0;
    r->st.step = step;
    if (r->board != NULL) tern_device_seek(r->board);
    if (r->ref != NULL) {
        r->ref->k0 = k0;
        r->ref->step = step;
    }
}

uint32_t tern_runner_steps(const tern_runner *r) { return r->ref != NULL ? r->ref->step : r->st.step; }

double tern_runner_loss(const tern_runner *r, uint32_t k) { return r->ref != NULL ? r->ref->loss[k] : r->st.loss_f12[k] / 4096.0; }

const uint32_t *tern_runner_spike_words(const tern_runner *r) { return r->ref != NULL ? r->ref->spikes : r->st.spikes; }

uint64_t tern_runner_spikes(const tern_runner *r, const uint32_t *mask)
{
    const size_t words = r->model->net.n_neurons_pos / 32;
    uint64_t n = 0;
    for (uint32_t k = 0; k < r->n_samples; ++k) {
        const uint32_t *s = tern_runner_spike_words(r) + k * words;
        for (size_t w = 0; w < words; ++w) n += (unsigned)__builtin_popcount(s[w] & mask[w]);
    }
    return n;
}

/* ---- the van Rossum distance of a network's visible neurons ---------------- */

bool tern_cli_has_distance(const tern_model *model) { return model->net.rule == TERN_RULE_REWARD && model->rule.tau > 0 && model->net.n_visible != 0; }

tern_status tern_cli_distance_init(tern_van_rossum *d, const tern_model *model, uint32_t n_samples, tern_arena *arena)
{
    const tern_net *net = &model->net;
    const size_t bytes = tern_van_rossum_bytes(n_samples, net->n_visible);
    uint32_t *pos = tern_arena_get(arena, net->n_visible, sizeof *pos);
    void *mem = tern_arena_get(arena, bytes, 1);
    if (pos == NULL || mem == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < net->n_visible; ++i) pos[i] = net->neurons[i].pos;
    return tern_van_rossum_init(d, n_samples, net->n_visible, pos, model->rule.tau, model->rule.gamma, mem, bytes);
}

char *tern_cli_beside(const char *path, const char *suffix, tern_arena *arena)
{
    const size_t n = strlen(path), m = strlen(suffix) + 1;
    char *name = tern_arena_get(arena, n + m, 1);
    if (name != NULL) {
        memcpy(name, path, n);
        memcpy(name + n, suffix, m);
    }
    return name;
}
