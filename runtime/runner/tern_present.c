/* tern_present.c : see tern_present.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_present.h"
#include <math.h>
#include "tern/metrics.h"

/* A presentation that is being made. */
typedef struct presentation {
    tern_runner *r;
    tern_van_rossum *distance;
    const tern_frames *f;
    double total[TERN_MAX_SAMPLES]; /* log-probability */
    uint64_t hidden;                /* spikes */
} presentation;

static void present_step(void *ud, uint32_t t)
{
    presentation *p = ud;
    tern_runner *r = p->r;
    if (p->distance != NULL) { /* targets only enter through the distance */
        tern_van_rossum_step(p->distance, tern_runner_spike_words(r), p->f->words_neuron,
                             p->f->targets + (size_t)t * p->f->words_neuron);
        tern_runner_reward(r, p->distance->reward);
    }
    for (uint32_t k = 0; k < r->n_samples; ++k) p->total[k] -= tern_runner_loss(r, k);
    p->hidden += tern_runner_spikes(r, r->hidden);
}

static tern_sat_counts difference(tern_sat_counts a, tern_sat_counts b)
{
    return (tern_sat_counts){ a.weight - b.weight,           a.local - b.local,     a.potential - b.potential,
                              a.coefficient - b.coefficient, a.logprob - b.logprob, a.modulator - b.modulator };
}

/* What the frames and the steps tell. */
static void fill(const presentation *p, tern_presented *out)
{
    const tern_runner *r = p->r;
    const uint32_t K = r->n_samples, n = p->f->n_steps;
    const tern_net *net = &r->model->net;
    double sum = 0, distance = 0;
    for (uint32_t k = 0; k < K; ++k) {
        sum -= p->total[k];
        if (p->distance != NULL) distance += p->distance->distance[k];
    }
    out->label = p->f->label;
    out->log_loss = p->distance != NULL ? NAN : sum / K / n;
    out->log_loss_iw = p->distance != NULL ? NAN : -tern_log_mean_exp(p->total, K) / n;
    out->distance = p->distance != NULL ? distance / K : NAN;
    out->hidden_rate = tern_spike_rate(p->hidden, net->n_neurons - net->n_visible, (uint64_t)n * K);
}

tern_status tern_present(tern_runner *r, tern_van_rossum *distance, const tern_frames *f, tern_presented *out,
                         tern_diags *diags)
{
    tern_status s = tern_runner_set_eta(r, out->eta, diags);
    if (s != TERN_OK) return s;
    const tern_sat_counts before = r->st.sat;
    const tern_comm_counts sent = r->st.comm;
    presentation p = { .r = r, .distance = distance, .f = f };
    if (distance != NULL) tern_van_rossum_begin(distance);
    tern_runner_run(r, f, distance != NULL ? TERN_STEP_LEARN : TERN_STEP_LEARN | TERN_STEP_CLAMP, present_step, &p);
    tern_runner_end(r, r->model->data.clear);
    fill(&p, out);
    s = tern_runner_check(r, diags);
    if (s != TERN_OK) return s;
    out->step = tern_runner_steps(r);
    out->saturations = difference(r->st.sat, before);
    out->unicast = r->ref != NULL ? NAN : (double)(r->st.comm.unicast - sent.unicast) / f->n_steps;
    out->broadcast = r->ref != NULL ? NAN : (double)(r->st.comm.broadcast - sent.broadcast) / f->n_steps;
    return TERN_OK;
}

uint32_t tern_present_next(uint64_t seed, uint32_t done, uint32_t n, uint32_t *order, uint32_t *epoch)
{
    if (done / n != *epoch) tern_order_epoch(seed, *epoch = done / n, n, order);
    return order[done % n];
}
