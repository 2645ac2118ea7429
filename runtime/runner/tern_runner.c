/* tern_runner.c : see tern_runner.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_runner.h"
#include "tern_errors.h"
#include <stdio.h>
#include <string.h>
#include "tern_engines.h"

/* ---- engines -------------------------------------------------------------- */

tern_status tern_runner_init(tern_runner *r, const tern_model *model, tern_runner_engine engine, uint32_t n_samples,
                             uint64_t seed, tern_arena *arena, tern_diags *diags)
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
    return tern_args_wrong(args, TERN_ERROR_USAGE, "--threads has no effect with --engine %s: only fast has threads",
                           engine);
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
    if (s != TERN_OK)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_RATE, r->model->name, 0, "rule.eta",
                       "learning rate %g does not fit the learning format", eta);
    return s;
}

void tern_runner_seek(tern_runner *r, uint32_t k0, uint32_t step)
{
    r->st.k0 = k0;
    r->st.step = step;
    if (r->engine->placed != NULL) r->engine->placed(r);
}

uint32_t tern_runner_steps(const tern_runner *r) { return r->ref != NULL ? r->ref->step : r->st.step; }

double tern_runner_loss(const tern_runner *r, uint32_t k)
{
    return r->ref != NULL ? r->ref->loss[k] : r->st.loss_f12[k] / 4096.0;
}

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

bool tern_has_distance(const tern_model *model)
{
    return model->net.rule == TERN_RULE_REWARD && model->rule.tau > 0 && model->net.n_visible != 0;
}

tern_status tern_distance_init(tern_van_rossum *d, const tern_model *model, uint32_t n_samples, tern_arena *arena)
{
    const tern_net *net = &model->net;
    const size_t bytes = tern_van_rossum_bytes(n_samples, net->n_visible);
    uint32_t *pos = tern_arena_get(arena, net->n_visible, sizeof *pos);
    void *mem = tern_arena_get(arena, bytes, 1);
    if (pos == NULL || mem == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < net->n_visible; ++i) pos[i] = net->neurons[i].pos;
    return tern_van_rossum_init(d, n_samples, net->n_visible, pos, model->rule.tau, model->rule.gamma, mem, bytes);
}
