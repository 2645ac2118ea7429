/* tern_engines.c : the engines fast, golden and reference as tables of calls; those of a board and of a comparison are
 * in sim/run
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_engines.h"
#include "tern_errors.h"
#include <string.h>

const tern_engine *tern_engine_default(void) { return &tern_engine_fast; }

tern_status tern_engine_set_ek(tern_runner *r, double eta)
{
    return tern_ek_from_eta(r->st.net, eta, r->model->rule.kappa, r->st.ek);
}

void tern_engine_reward_f12(const tern_runner *r, const double *reward, int32_t out_f12[TERN_MAX_SAMPLES])
{
    for (uint32_t k = 0; k < r->n_samples; ++k) out_f12[k] = tern_reward_f12(reward[k]);
}

static void state_reward(tern_runner *r, const double *reward)
{
    int32_t reward_f12[TERN_MAX_SAMPLES];
    tern_engine_reward_f12(r, reward, reward_f12);
    tern_reward(&r->st, reward_f12);
}

/* ---- golden ---------------------------------------------------------------------------------- */

static void golden_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t),
                       void *ud)
{
    for (uint32_t t = 0; t < f->n_steps; ++t) {
        tern_step(&r->st, f->inputs + (size_t)t * f->words_in, f->targets + (size_t)t * f->words_neuron, flags);
        seen(ud, t);
    }
}

static void golden_end(tern_runner *r, bool clear)
{
    tern_flush(&r->st);
    if (clear) tern_state_clear(&r->st);
}

const tern_engine tern_engine_golden = { .name = "golden",
                                         .arithmetic = "golden",
                                         .run = golden_run,
                                         .end = golden_end,
                                         .reward = state_reward,
                                         .set_eta = tern_engine_set_ek };

/* ---- fast ------------------------------------------------------------------------------------ */

static tern_status fast_open(tern_runner *r, const tern_runner_engine *o, tern_arena *arena, tern_diags *diags)
{
    return tern_fast_open_places(&r->st, &(tern_fast_options){ NULL, o->threads }, o->peers, o->places, arena, &r->fast,
                                 diags);
}

static tern_status fast_check(const tern_runner *r, tern_diags *diags)
{
    if (r->fast == NULL || !tern_fast_lost(r->fast)) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_ENGINE_LOST, NULL, 0, NULL,
                                  "a rank is lost: it was ended, or its machine does not answer"),
                   "the launcher says which; the same command with --resume continues from what is saved");
    return TERN_ERR_TOOL;
}

static tern_status fast_pull(tern_runner *r, tern_diags *diags)
{
    tern_fast_share(r->fast);
    return fast_check(r, diags);
}

static void fast_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t), void *ud)
{
    for (uint32_t t = 0; t < f->n_steps; ++t) {
        tern_fast_step(r->fast, f->inputs + (size_t)t * f->words_in, f->targets + (size_t)t * f->words_neuron, flags);
        seen(ud, t);
    }
}

static void fast_end(tern_runner *r, bool clear)
{
    tern_fast_flush(r->fast);
    if (clear) tern_state_clear(&r->st);
}

static void fast_changed(tern_runner *r) { tern_fast_changed(r->fast); }

const tern_engine tern_engine_fast = { .name = "fast",
                                       .arithmetic = "golden",
                                       .open = fast_open,
                                       .run = fast_run,
                                       .end = fast_end,
                                       .reward = state_reward,
                                       .set_eta = tern_engine_set_ek,
                                       .check = fast_check,
                                       .pull = fast_pull,
                                       .changed = fast_changed };

/* ---- reference ------------------------------------------------------------------------------- */

static tern_status reference_open(tern_runner *r, const tern_runner_engine *o, tern_arena *arena, tern_diags *diags)
{
    (void)o;
    return tern_reference_create(r->model, r->n_samples, r->st.seed, arena, &r->ref, diags);
}

static void reference_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t),
                          void *ud)
{
    for (uint32_t t = 0; t < f->n_steps; ++t) {
        tern_reference_step(r->ref, f->inputs + (size_t)t * f->words_in, f->targets + (size_t)t * f->words_neuron,
                            flags);
        seen(ud, t);
    }
}

static void reference_end(tern_runner *r, bool clear)
{
    tern_reference_flush(r->ref);
    if (clear) tern_reference_clear(r->ref);
}

static void reference_reward(tern_runner *r, const double *reward) { tern_reference_reward(r->ref, reward); }

static tern_status reference_set_eta(tern_runner *r, double eta)
{
    r->ref->eta = eta;
    return TERN_OK;
}

static void reference_placed(tern_runner *r)
{
    r->ref->k0 = r->st.k0;
    r->ref->step = r->st.step;
}

static void reference_weights(tern_runner *to, const tern_runner *from)
{
    const tern_net *net = &to->model->net;
    memcpy(to->ref->weights, from->ref->weights, net->n_weights * sizeof *to->ref->weights);
    memcpy(to->ref->bias, from->ref->bias, net->n_neurons * sizeof *to->ref->bias);
    memcpy(to->ref->self, from->ref->self, net->n_neurons * sizeof *to->ref->self);
}

const tern_engine tern_engine_reference = { .name = "reference",
                                            .arithmetic = "reference",
                                            .open = reference_open,
                                            .run = reference_run,
                                            .end = reference_end,
                                            .reward = reference_reward,
                                            .set_eta = reference_set_eta,
                                            .placed = reference_placed,
                                            .weights = reference_weights };
