/* tern_cli_runner.c : see tern_cli_runner.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_runner.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "tern_cli.h"
#include "tern_cli_engine.h"

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
    *r = (tern_runner){ .model = model,
                        .n_samples = n_samples,
                        .engine = engine.kind != NULL ? engine.kind : tern_engine_default() };
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
    return r->engine->open == NULL ? TERN_OK : r->engine->open(r, &engine, arena, diags);
}

int tern_runner_threads_usage(const tern_args *args, const char *engine, uint64_t threads)
{
    if (threads == 0 || strcmp(engine, "fast") == 0 || strcmp(engine, "both") == 0) return -1;
    return tern_args_wrong(args, 110, "--threads says nothing with --engine %s: only fast has threads", engine);
}

void tern_runner_close(tern_runner *r)
{
    tern_fast_close(r->fast);
    r->fast = NULL;
}

void tern_runner_restore(tern_runner *r, const tern_state *from)
{
    tern_state_copy(&r->st, from);
    if (r->engine->changed != NULL) r->engine->changed(r);
}

void tern_runner_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t), void *ud)
{
    r->engine->run(r, f, flags, seen, ud);
}

tern_status tern_runner_check(const tern_runner *r, tern_diags *diags)
{
    return r->engine->check == NULL ? TERN_OK : r->engine->check(r, diags);
}

tern_status tern_runner_pull(tern_runner *r, tern_diags *diags)
{
    return r->engine->pull == NULL ? TERN_OK : r->engine->pull(r, diags);
}

void tern_runner_reward(tern_runner *r, const double *reward) { r->engine->reward(r, reward); }

void tern_runner_copy_weights(tern_runner *to, const tern_runner *from)
{
    tern_state_copy_weights(&to->st, &from->st);
    if (to->engine->weights != NULL) to->engine->weights(to, from);
}

void tern_runner_end(tern_runner *r, bool clear) { r->engine->end(r, clear); }

tern_status tern_runner_set_eta(tern_runner *r, double eta, tern_diags *diags)
{
    const tern_status s = r->engine->set_eta(r, eta);
    if (s != TERN_OK) tern_diags_add(diags, TERN_SEV_ERROR, 113, r->model->name, 0, "rule.eta", "learning rate %g does not fit the learning format", eta);
    return s;
}

void tern_runner_seek(tern_runner *r, uint32_t k0, uint32_t step)
{
    r->st.k0 = k0;
    r->st.step = step;
    if (r->engine->placed != NULL) r->engine->placed(r);
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

char *tern_reference_path(const char *image, tern_arena *arena) { return tern_cli_beside(image, ".reference", arena); }
