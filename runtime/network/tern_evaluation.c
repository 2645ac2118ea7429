/* tern_evaluation.c : measuring a network on examples; see tern/network.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern/metrics.h"
#include "tern_measure.h"
#include "tern_network_internal.h"

enum { BINS = 15 }; /* as `tern eval --bins` */

struct tern_evaluation {
    tern_arena arena;
    tern_model model; /* a copy without state */
    tern_measure m;
};

static tern_status check(const tern_model *model, const tern_evaluate_options *o, tern_measure_options *out,
                         tern_diags *diags)
{
    *out = (tern_measure_options){ .n_samples = o->samples != 0 ? o->samples : 1,
                                   .batch = o->batch != 0   ? o->batch
                                            : o->early_stop ? 4
                                                            : TERN_MAX_SAMPLES,
                                   .seed = o->has_seed ? o->seed : model->seed,
                                   .decode = o->first ? TERN_DECODE_FIRST : TERN_DECODE_RATE,
                                   .early_stop = o->early_stop };
    if (out->n_samples > TERN_MEASURE_SAMPLES)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "samples", "more samples barely change the vote",
                                   "%" PRIu32 " samples, allowed are 1..%d", out->n_samples, TERN_MEASURE_SAMPLES);
    if (out->batch % 4 != 0 || out->batch > TERN_MAX_SAMPLES)
        return tern_network_refuse(
            diags, TERN_E_CALL, model->name, "batch", "the draws of four samples come from one random block",
            "batches of %" PRIu32 ", allowed are multiples of 4, up to %u", out->batch, TERN_MAX_SAMPLES);
    return TERN_OK;
}

tern_status tern_evaluation_open(const tern_network *net, const tern_evaluate_options *options, tern_evaluation **out,
                                 tern_diags *diags)
{
    static const tern_evaluate_options usual;
    const tern_alloc alloc = tern_alloc_default();
    tern_measure_options o;
    *out = NULL;
    tern_status s = check(&net->model, options != NULL ? options : &usual, &o, diags);
    if (s != TERN_OK) return s;
    o.engine = net->engine;
    tern_evaluation *e = alloc.fn(alloc.ud, NULL, sizeof *e);
    if (e == NULL) return TERN_ERR_MEMORY;
    memset(e, 0, sizeof *e);
    tern_arena_init(&e->arena, alloc, 0);
    e->model = net->model;
    s = tern_measure_init(&e->m, &e->model, &o, &e->arena, diags);
    if (s == TERN_OK) {
        tern_measure_load(&e->m, &net->run);
        *out = e;
    } else {
        tern_evaluation_close(e);
    }
    return s;
}

void tern_evaluation_close(tern_evaluation *e)
{
    if (e == NULL) return;
    const tern_alloc alloc = tern_alloc_default();
    tern_measure_close(&e->m);
    tern_arena_free(&e->arena);
    alloc.fn(alloc.ud, e, 0);
}

uint32_t tern_evaluation_classes(const tern_evaluation *e) { return e->m.n_classes; }

static void fill(const tern_measure *m, const tern_measured *r, const tern_frames *f, tern_evaluated *out)
{
    const uint32_t n = m->n_classes, *votes = m->vote.votes;
    *out = (tern_evaluated){ .label = f->label,
                             .decision = n != 0 ? (int32_t)r->decision : -1,
                             .samples = r->samples,
                             .steps = f->n_steps,
                             .scored = r->scored,
                             .log_loss = r->scored ? -r->ll / f->n_steps : NAN,
                             .log_loss_iw = r->scored ? -r->ll_iw / f->n_steps : NAN,
                             .distance = r->scored ? r->distance : NAN,
                             .entropy = n != 0 ? tern_vote_entropy(votes, n) : NAN,
                             .confidence = n != 0 ? tern_vote_softmax(votes, n, r->decision) : NAN,
                             .confidence_votes = n != 0 ? tern_vote_fraction(votes, n, r->decision) : NAN,
                             .hidden_clamped = r->hidden_clamped,
                             .hidden_free = r->hidden_free,
                             .visible_free = r->visible_free,
                             .visible_target = r->visible_target };
}

tern_status tern_evaluation_measure(tern_evaluation *e, tern_examples *ex, uint32_t i, tern_evaluated *out,
                                    uint32_t *votes, tern_diags *diags)
{
    tern_frames f;
    tern_measured r;
    tern_status s = tern_network_fits(&e->model, ex, diags);
    if (s == TERN_OK) s = tern_examples_get(ex, i, &f, diags);
    if (s != TERN_OK) return s;
    tern_measure_recording(&e->m, &f, &r);
    s = tern_measure_check(&e->m, diags);
    if (s != TERN_OK) return s;
    fill(&e->m, &r, &f, out);
    if (votes != NULL && e->m.n_classes != 0) memcpy(votes, e->m.vote.votes, e->m.n_classes * sizeof *votes);
    return TERN_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

static double mean_of(const tern_mean *m) { return m->n == 0 ? NAN : m->mean; }

static void add_decision(const tern_evaluated *x, tern_evaluated_sum *out, tern_calibration *softmax,
                         tern_calibration *votes)
{
    const bool right = x->decision == x->label;
    ++out->labelled;
    out->right += right;
    tern_calibration_add(softmax, x->confidence, right);
    tern_calibration_add(votes, x->confidence_votes, right);
}

void tern_evaluated_add_up(const tern_evaluated *list, size_t n, tern_evaluated_sum *out)
{
    tern_mean loss = { 0 }, loss_iw = { 0 }, distance = { 0 };
    tern_calibration softmax, votes;
    *out = (tern_evaluated_sum){ .examples = (uint32_t)n };
    tern_calibration_init(&softmax, BINS);
    tern_calibration_init(&votes, BINS);
    for (size_t i = 0; i < n; ++i) {
        const tern_evaluated *x = &list[i];
        if (x->scored) tern_mean_add(&loss, x->log_loss);
        if (x->scored) tern_mean_add(&loss_iw, x->log_loss_iw);
        if (x->scored && !isnan(x->distance)) tern_mean_add(&distance, x->distance);
        if (x->decision >= 0 && x->label >= 0) add_decision(x, out, &softmax, &votes);
    }
    const tern_interval i = tern_wilson(out->right, out->labelled);
    out->scored = (uint32_t)loss.n;
    out->accuracy = out->labelled == 0 ? NAN : (double)out->right / out->labelled;
    out->accuracy_lo = i.lo;
    out->accuracy_hi = i.hi;
    out->log_loss = mean_of(&loss);
    out->log_loss_error = tern_mean_error(&loss);
    out->log_loss_iw = mean_of(&loss_iw);
    out->log_loss_iw_error = tern_mean_error(&loss_iw);
    out->distance = mean_of(&distance);
    out->distance_error = tern_mean_error(&distance);
    out->ece = out->labelled == 0 ? NAN : tern_calibration_error(&softmax);
    out->ece_votes = out->labelled == 0 ? NAN : tern_calibration_error(&votes);
}
