/* tern_fast_fire.c : spikes, errors and losses behind the potentials
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_fast_internal.h"
#include "tern_neuron.h"
#include "tern_potential.h"
#include "tern_random.h"
#include "tern_wta.h"

static bool is_clamped(const tern_fast *f, uint32_t neuron)
{
    return neuron < f->net->n_visible && (f->flags & TERN_STEP_CLAMP) != 0;
}

static bool bit_of(const uint32_t *bits, uint32_t pos) { return (bits[pos >> 5] >> (pos & 31u) & 1u) != 0; }

static uint32_t draw_stride(const tern_fast *f) { return (f->group_max + TERN_BLOCK - 1u) / TERN_BLOCK * TERN_BLOCK; }

/* Draws of all samples of the group's neurons. */
static void draw(tern_fast_worker *w, tern_fast_group g)
{
    const tern_fast *f = w->f;
    const tern_state *st = f->st;
    const uint32_t stride = draw_stride(f);
    for (uint32_t q = 0; 4u * q < st->n_samples; ++q)
        f->lanes->random(st->seed, st->step, TERN_DRAW_SPIKE, st->k0 / 4u + (PLANT(GROUP) ? 0 : q), g.first, g.n,
                         w->draws + 2u * q * stride, w->draws + (2u * q + 1u) * stride);
}

static uint16_t drawn(const tern_fast_worker *w, uint32_t at, uint32_t k)
{
    return (uint16_t)(w->draws[((size_t)(k >> 2) * 2u + (k >> 1 & 1u)) * draw_stride(w->f) + at] >> (16u * (k & 1u)));
}

static void lose(tern_fast_worker *w, uint32_t k, uint32_t l_f12)
{
    const tern_fast *f = w->f;
    w->out.loss[k] += l_f12;
    if ((f->flags & TERN_STEP_LEARN) != 0 && f->net->rule != TERN_RULE_REWARD) ++w->out.comm.unicast;
}

/* Spikes of the group, spike[n][K], become bits of their positions. */
static void set_spikes(tern_fast_worker *w, tern_fast_group g)
{
    const tern_fast *f = w->f;
    const uint32_t K = f->st->n_samples, words = f->blocks[TERN_ROW_SAMPLE];
    uint32_t bits[TERN_MAX_SAMPLES] = { 0 };
    for (uint32_t i = 0; i < g.n; ++i) {
        const uint32_t pos = f->net->neurons[g.first + i].pos;
        for (uint32_t k = 0; k < K; ++k)
            bits[k] |= (uint32_t)w->spike[(size_t)i * K + (PLANT(SPIKES) ? 0 : k)] << (pos & 31u);
        if (i + 1u < g.n && f->net->neurons[g.first + i + 1u].pos >> 5 == pos >> 5) continue;
        for (uint32_t k = 0; k < K; ++k) w->out.spikes[k * words + (pos >> 5)] |= bits[k];
        memset(bits, 0, sizeof bits);
    }
}

static int16_t *error_of(const tern_fast *f, uint32_t neuron, uint32_t k)
{
    return f->st->errors_f15 + (size_t)neuron * f->n_flat + (size_t)k * f->net->lags_w + f->st->lag_head;
}

/* ---- neurons of their own -------------------------------------------------------------------- */

static void fire_plain(tern_fast_worker *w, tern_fast_group g)
{
    tern_fast *f = w->f;
    tern_state *st = f->st;
    const bool clamped = is_clamped(f, g.first), visible = g.first < f->net->n_visible;
    for (uint32_t i = 0; clamped && i < g.n; ++i) w->target[i] = bit_of(f->targets, f->net->neurons[g.first + i].pos);
    const tern_lanes_fire job = { .n = g.n,
                                  .n_samples = st->n_samples,
                                  .acc_f20 = w->acc_f20,
                                  .draws = clamped ? NULL : w->draws,
                                  .draw_stride = draw_stride(f),
                                  .target = w->target,
                                  .sig_f16 = f->net->sig_f16,
                                  .softplus_f12 = f->net->softplus_f12,
                                  .errors = error_of(f, g.first, 0),
                                  .lags_w = f->net->lags_w,
                                  .learn = (f->flags & TERN_STEP_LEARN) != 0,
                                  .loss_f12 = visible ? w->out.loss : NULL,
                                  .spike = w->spike,
                                  .saturated = &w->out.sat.potential };
    f->lanes->fire(&job);
    if ((PLANT(UNICAST) || visible) && job.learn && f->net->rule != TERN_RULE_REWARD)
        w->out.comm.unicast += (uint64_t)g.n * st->n_samples;
}

/* The same, one at a time, with records. */
static void fire_listened(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    tern_fast *f = w->f;
    const uint32_t K = f->st->n_samples;
    const bool visible = neuron < f->net->n_visible, clamped = is_clamped(f, neuron);
    for (uint32_t k = 0; k < K; ++k) {
        bool limited;
        const tern_neuron_in in = { .u_f8 = tern_potential_round(w->acc_f20[(size_t)at * K + k], &limited),
                                    .draw = clamped ? (uint16_t)0 : drawn(w, at, k),
                                    .clamp = clamped,
                                    .target = clamped && bit_of(f->targets, f->net->neurons[neuron].pos) };
        const tern_neuron_out out = tern_neuron_step(in, f->net->sig_f16, f->net->softplus_f12);
        w->out.sat.potential += limited;
        if (visible) lose(w, k, out.l_f12);
        w->spike[(size_t)at * K + k] = out.spike;
        *error_of(f, neuron, k) = (int16_t)(f->flags & TERN_STEP_LEARN ? out.e_f15 : 0);
        tern_fast_put(f, TERN_REC_N, (limited ? 1u : 0u) | (out.spike ? 2u : 0u) | (clamped ? 4u : 0u), k, neuron,
                      in.u_f8, (int32_t)out.p_f16, in.draw);
    }
}

/* ---- circuits -------------------------------------------------------------------------------- */

/* Spikes of a circuit go to their bits at once: its members may lie in several groups. */
static void decide(tern_fast_worker *w, uint32_t last, uint32_t at, uint32_t k, uint32_t target)
{
    tern_fast *f = w->f;
    const tern_net *n = f->net;
    const uint32_t size = n->neurons[last].wta_size, first = last + 1u - size, words = f->blocks[TERN_ROW_SAMPLE];
    const bool clamped = is_clamped(f, last);
    const int32_t *u = w->u_wta + k * TERN_MAX_WTA;
    const tern_wta_in in = {
        .u_f8 = u, .size = size, .draw = clamped ? (uint16_t)0 : drawn(w, at, k), .clamp = clamped, .target = target
    };
    uint32_t p_f16[TERN_MAX_WTA];
    int16_t e_f15[TERN_MAX_WTA];
    const tern_wta_out out = tern_wta_step(&in, n->exp_f16, n->log_f12, p_f16, e_f15);
    if (last < n->n_visible) lose(w, k, out.l_f12);
    for (uint32_t c = 0; c < size; ++c) {
        const uint32_t pos = n->neurons[first + c].pos;
        const bool spike = c == out.winner, limited = w->limited_wta[k * TERN_MAX_WTA + c];
        if (spike) w->out.spikes[k * words + (pos >> 5)] |= (uint32_t)1 << (pos & 31u);
        *error_of(f, first + c, k) = (int16_t)(f->flags & TERN_STEP_LEARN ? e_f15[c] : 0);
        tern_fast_put(f, TERN_REC_N, (limited ? 1u : 0u) | (spike ? 2u : 0u) | (clamped ? 4u : 0u), k, first + c, u[c],
                      (int32_t)p_f16[c], in.draw);
    }
}

static void fire_member(tern_fast_worker *w, uint32_t neuron, uint32_t at)
{
    tern_fast *f = w->f;
    const tern_neuron *u = &f->net->neurons[neuron];
    const uint32_t K = f->st->n_samples;
    for (uint32_t k = 0; k < K; ++k) {
        bool limited;
        w->u_wta[k * TERN_MAX_WTA + u->wta_index] = tern_potential_round(w->acc_f20[(size_t)at * K + k], &limited);
        w->limited_wta[k * TERN_MAX_WTA + u->wta_index] = limited;
        w->out.sat.potential += limited;
    }
    if (u->wta_index + 1u < u->wta_size) return;
    uint32_t target = u->wta_size;
    for (uint32_t c = u->wta_size; is_clamped(f, neuron) && c-- > 0;)
        if (bit_of(f->targets, f->net->neurons[neuron + 1u - u->wta_size + c].pos) &&
            (!PLANT(CIRCUIT) || target == u->wta_size))
            target = c;
    for (uint32_t k = 0; k < K; ++k) decide(w, neuron, at, k, target);
}

void tern_fast_fire(tern_fast_worker *w, tern_fast_group g)
{
    tern_fast *f = w->f;
    if (!is_clamped(f, g.first)) draw(w, g);
    if (f->net->neurons[g.first].wta_size != 0) {
        for (uint32_t i = 0; i < g.n; ++i) fire_member(w, g.first + i, i);
        return;
    }
    if (!f->listened) fire_plain(w, g);
    for (uint32_t i = 0; f->listened && i < g.n; ++i) fire_listened(w, g.first + i, i);
    set_spikes(w, g);
}
