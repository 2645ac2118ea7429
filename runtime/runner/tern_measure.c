/* tern_measure.c : see tern_measure.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_measure.h"
#include "tern_errors.h"
#include <math.h>
#include <string.h>

static tern_status find_classes(tern_measure *m, tern_arena *arena, tern_diags *diags)
{
    const tern_model *model = m->model;
    if (model->data.label_population < 0) {
        if (!m->o.early_stop) return TERN_OK;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_VOTE, model->name, 0, "data.label",
                                      "the network has no label population: there is no vote that could be settled"),
                       "name one with tern.data{ label = ... }, or omit --early-stop");
        return TERN_ERR_LIMIT;
    }
    const tern_population *p = &model->populations[model->data.label_population];
    const size_t bytes = tern_vote_bytes(p->size, m->o.batch);
    if (bytes == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_VOTE, model->name, (int)p->line, p->name,
                                      "the label population has %u units, at most %u classes can vote", p->size,
                                      TERN_VOTE_CLASSES),
                       "use a smaller label population");
        return TERN_ERR_LIMIT;
    }
    void *mem = tern_arena_get(arena, bytes, 1);
    if (mem == NULL) return TERN_ERR_MEMORY;
    m->n_classes = p->size;
    m->class_pos = p->pos;
    return tern_vote_init(&m->vote, p->size, m->o.batch, m->o.decode, mem, bytes);
}

static tern_status make(tern_measure *m, int which, uint32_t n_samples, tern_arena *arena, tern_diags *diags)
{
    tern_status s =
        tern_runner_init(which == 0 ? &m->full : &m->rest, m->model, m->o.engine, n_samples, m->o.seed, arena, diags);
    if (s == TERN_OK && m->has_distance) s = tern_distance_init(&m->distance[which], m->model, n_samples, arena);
    return s;
}

tern_status tern_measure_init(tern_measure *m, const tern_model *model, const tern_measure_options *o,
                              tern_arena *arena, tern_diags *diags)
{
    *m = (tern_measure){ .model = model, .o = *o, .has_distance = tern_has_distance(model) };
    tern_status s = find_classes(m, arena, diags);
    if (s == TERN_OK && o->n_samples >= o->batch) s = make(m, 0, o->batch, arena, diags);
    if (s == TERN_OK && o->n_samples % o->batch != 0) s = make(m, 1, o->n_samples % o->batch, arena, diags);
    return s;
}

void tern_measure_watch(tern_measure *m, tern_curve *curve) { m->curve = curve; }

void tern_measure_close(tern_measure *m)
{
    tern_runner_close(&m->full);
    tern_runner_close(&m->rest);
}

tern_status tern_measure_check(const tern_measure *m, tern_diags *diags)
{
    const tern_status s = m->full.model == NULL ? TERN_OK : tern_runner_check(&m->full, diags);
    return s != TERN_OK || m->rest.model == NULL ? s : tern_runner_check(&m->rest, diags);
}

void tern_measure_load(tern_measure *m, const tern_runner *from)
{
    if (m->full.model != NULL) tern_runner_copy_weights(&m->full, from);
    if (m->rest.model != NULL) tern_runner_copy_weights(&m->rest, from);
}

/* A batch of samples that is being made. */
typedef struct batch {
    tern_measure *m;
    tern_runner *r;
    const tern_frames *f;
    uint32_t k0;
    tern_measured *out;
} batch;

static void clamped_step(void *ud, uint32_t t)
{
    const batch *b = ud;
    (void)t;
    b->out->hidden_clamped += tern_runner_spikes(b->r, b->r->hidden);
    for (uint32_t k = 0; k < b->r->n_samples; ++k) b->m->log_prob[b->k0 + k] -= tern_runner_loss(b->r, k);
}

static void clamped_batch(tern_measure *m, tern_runner *r, const tern_frames *f, uint32_t k0, tern_measured *out)
{
    batch b = { m, r, f, k0, out };
    tern_runner_end(r, true);
    tern_runner_seek(r, k0, m->step);
    tern_runner_run(r, f, TERN_STEP_CLAMP, clamped_step, &b);
}

static void free_step(void *ud, uint32_t t)
{
    const batch *b = ud;
    tern_measure *m = b->m;
    const uint32_t *spikes = tern_runner_spike_words(b->r);
    b->out->hidden_free += tern_runner_spikes(b->r, b->r->hidden);
    b->out->visible_free += tern_runner_spikes(b->r, b->r->visible);
    for (uint32_t k = 0; m->spikes != NULL && k < b->r->n_samples; ++k)
        memcpy(m->spikes + ((size_t)(b->k0 + k) * b->f->n_steps + t) * b->f->words_neuron,
               spikes + (size_t)k * b->f->words_neuron, b->f->words_neuron * sizeof *spikes);
    if (m->n_classes != 0) tern_vote_step(&m->vote, spikes, b->f->words_neuron, m->class_pos);
    if (m->curve != NULL) tern_curve_step(m->curve, &m->vote, b->k0);
    if (m->has_distance)
        tern_van_rossum_step(&m->distance[b->r == &m->rest], spikes, b->f->words_neuron,
                             b->f->targets + (size_t)t * b->f->words_neuron);
}

static void free_batch(tern_measure *m, tern_runner *r, const tern_frames *f, uint32_t k0, tern_measured *out)
{
    tern_van_rossum *d = &m->distance[r == &m->rest];
    batch b = { m, r, f, k0, out };
    tern_runner_end(r, true);
    tern_runner_seek(r, k0, m->step);
    if (m->has_distance) tern_van_rossum_begin(d);
    m->vote.n_samples = r->n_samples; /* the last batch may be smaller */
    tern_runner_run(r, f, 0, free_step, &b);
    if (m->n_classes != 0) {
        tern_vote_close(&m->vote);
        memcpy(out->decisions + k0, m->vote.decision, r->n_samples * sizeof *out->decisions);
        out->decision = m->vote.winner;
    }
    if (m->has_distance) memcpy(m->distances + k0, d->distance, r->n_samples * sizeof *m->distances);
}

/* In the order of the samples, whatever the batches were: a sum of doubles depends on it. */
static double mean_of(const double *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k) sum += x[k];
    return sum / n;
}

void tern_measure_recording(tern_measure *m, const tern_frames *f, tern_measured *out)
{
    const uint32_t K = m->o.n_samples, B = m->o.batch;
    *out = (tern_measured){ .scored = m->n_classes == 0 || f->label >= 0 }; /* without a label the label population has
    * no targets */
    memset(m->log_prob, 0, sizeof m->log_prob);
    for (uint32_t k0 = 0; k0 < K; k0 += B) clamped_batch(m, K - k0 >= B ? &m->full : &m->rest, f, k0, out);
    m->step += f->n_steps;
    out->ll = mean_of(m->log_prob, K);
    out->ll_iw = tern_log_mean_exp(m->log_prob, K);
    if (m->n_classes != 0) {
        m->vote.n_samples = B;
        tern_vote_begin(&m->vote);
    }
    while (out->samples < K) {
        tern_runner *r = K - out->samples >= B ? &m->full : &m->rest;
        free_batch(m, r, f, out->samples, out);
        out->samples += r->n_samples;
        if (m->o.early_stop && tern_vote_settled(&m->vote, K - out->samples)) break;
    }
    m->step += f->n_steps;
    out->distance = m->has_distance ? mean_of(m->distances, out->samples) : NAN;
    const tern_runner *any = K >= B ? &m->full : &m->rest;
    for (uint32_t t = 0; t < f->n_steps; ++t)
        for (uint32_t w = 0; w < f->words_neuron; ++w)
            out->visible_target +=
                (unsigned)__builtin_popcount(f->targets[(size_t)t * f->words_neuron + w] & any->visible[w]);
}
