/* tern_fast_peers.c : engines that share a network: what they tell each other (docs/25-mpi.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages, part after part in one buffer:
 *     step    K losses of 32 bits, if the part has visible neurons; [K][words of the part] spikes
 *     flush   tern_fast_counts
 *     share   parameters, errors and baselines, neuron after neuron
 * Each engine adds all losses and goes on as central processor, so nothing has to come back.
 */
#include <string.h>
#include "tern_fast_internal.h"

uint32_t tern_fast_most_peers(const tern_net *net)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < net->n_neurons; ++i) n += net->neurons[i].wta_index == 0;
    return n;
}

/* ---- parts of a state ------------------------------------------------------------------------ */

typedef enum direction { COUNT, WRITE, READ } direction;
typedef struct mover {
    direction to;
    uint8_t *message;
    size_t at;
} mover;

static void move(mover *m, void *values, size_t count, size_t size)
{
    if (m->to == WRITE) memcpy(m->message + m->at, values, count * size);
    if (m->to == READ) memcpy(values, m->message + m->at, count * size);
    m->at += count * size;
}

static void move_baselines(mover *m, tern_state *st, size_t first, size_t count)
{
    move(m, st->base_f12 + first, count, sizeof *st->base_f12);
    move(m, st->base_weight + first, count, sizeof *st->base_weight);
}

static void move_neuron(mover *m, tern_state *st, uint32_t i)
{
    const tern_net *n = st->net;
    const tern_neuron *u = &n->neurons[i];
    const bool by_synapse = n->baseline == TERN_BASELINE_SYNAPSE;
    for (uint32_t r = u->row0; r < u->row0 + u->n_rows; ++r) {
        move(m, st->weights + n->rows[r].weight, n->rows[r].count, sizeof *st->weights);
        if (by_synapse) move_baselines(m, st, n->rows[r].weight, n->rows[r].count);
    }
    move(m, st->bias_f12 + i, 1, sizeof *st->bias_f12);
    move(m, st->self_f12 + i, 1, sizeof *st->self_f12);
    move(m, st->errors_f15 + (size_t)i * st->n_samples * n->lags_w, (size_t)st->n_samples * n->lags_w,
         sizeof *st->errors_f15);
    if (n->baseline == TERN_BASELINE_NEURON && !PLANT(PEER_BASELINE)) move_baselines(m, st, i, 1);
    if (by_synapse) move_baselines(m, st, (size_t)n->n_weights + i, 1);
    if (by_synapse) move_baselines(m, st, (size_t)n->n_weights + n->n_neurons + i, 1);
}

static void move_part(mover *m, tern_fast *f, const tern_fast_part *part)
{
    for (uint32_t i = part->first; i < part->end; ++i) move_neuron(m, f->st, i);
}

/* Of the message that holds all parts of the state; its size. */
static size_t state_offsets(tern_fast *f)
{
    f->offset[0] = 0;
    for (uint32_t p = 0; p < f->peers.count; ++p) {
        mover m = { .to = COUNT };
        move_part(&m, f, &f->parts[p]);
        f->offset[p + 1] = f->offset[p] + m.at;
    }
    return f->offset[f->peers.count];
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool find_words(tern_fast *f, tern_fast_part *part, tern_arena *arena)
{
    const tern_net *n = f->net;
    uint32_t *masks = tern_arena_get(arena, n->n_neurons_pos / 32u, sizeof *masks);
    if (masks == NULL) return false;
    for (uint32_t i = part->first; i < part->end; ++i) {
        uint32_t *mask = &masks[n->neurons[i].pos >> 5];
        part->n_words += *mask == 0;
        *mask |= (uint32_t)1 << (n->neurons[i].pos & 31u);
    }
    part->words = tern_arena_get(arena, part->n_words, sizeof *part->words);
    if (part->words == NULL) return false;
    for (uint32_t at = 0, w = 0; w < n->n_neurons_pos / 32u; ++w) {
        if (masks[w] == 0) continue;
        part->words[at].at = w;
        part->words[at++].mask = masks[w];
    }
    return true;
}

static size_t step_words(const tern_fast *f, const tern_fast_part *part)
{
    return (size_t)f->st->n_samples * (part->n_words + (part->visible ? 1u : 0u));
}

tern_status tern_fast_peers_open(tern_fast *f, const tern_fast_peers *peers, tern_arena *arena)
{
    const tern_net *n = f->net;
    f->peers = peers != NULL ? *peers : (tern_fast_peers){ .count = 1 };
    f->divided.end = n->n_neurons;
    if (f->peers.count == 1) return TERN_OK;
    const uint32_t R = f->peers.count;
    if (R == 0 || f->peers.index >= R || R > tern_fast_most_peers(n)) return TERN_ERR_ARGUMENT;
    f->parts = tern_arena_get(arena, R, sizeof *f->parts);
    f->offset = tern_arena_get(arena, R + 1u, sizeof *f->offset);
    if (f->parts == NULL || f->offset == NULL) return TERN_ERR_MEMORY;
    double left = f->info.products;
    size_t bytes = R * sizeof(tern_fast_counts), step = 0;
    for (uint32_t p = 0, first = 0; p < R; first = f->parts[p++].end) {
        tern_fast_part *part = &f->parts[p];
        part->first = first;
        part->end = tern_fast_share_end(f, first, n->n_neurons, R - p, &left);
        part->visible = part->first < n->n_visible && part->first < part->end;
        if (!find_words(f, part, arena)) return TERN_ERR_MEMORY;
        step += step_words(f, part) * sizeof(uint32_t);
    }
    f->divided.first = f->parts[f->peers.index].first;
    f->divided.end = f->parts[f->peers.index].end;
    f->message = tern_arena_get(arena, step > bytes ? step : bytes, 1);
    f->state_message = tern_arena_get(arena, state_offsets(f), 1);
    return f->message == NULL || f->state_message == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- sending --------------------------------------------------------------------------------- */

static void exchange(tern_fast *f, uint8_t *all)
{
    if (!f->lost) f->lost = !f->peers.exchange(f->peers.ud, all, f->offset);
}

void tern_fast_divided_of(const tern_fast *f, tern_fast_divided *out) { *out = f->divided; }

bool tern_fast_lost(const tern_fast *f) { return f->lost; }

static void write_step(tern_fast *f, const tern_fast_part *part, uint32_t *to)
{
    const tern_state *st = f->st;
    const uint32_t K = st->n_samples, words = f->blocks[TERN_ROW_SAMPLE];
    const uint64_t others = f->peers.count - 1u;
    if (part->visible) {
        memcpy(to, st->loss_f12, K * sizeof *to);
        to += K;
        f->own.sent.losses += PLANT(PEER_SENT) ? K : K * others;
    }
    for (uint32_t k = 0; k < K; ++k)
        for (uint32_t w = 0; w < part->n_words; ++w)
            *to++ = st->spikes[(size_t)k * words + part->words[w].at] & part->words[w].mask;
    f->own.sent.spikes += K * others * part->n_words;
}

static void read_step(tern_fast *f, const tern_fast_part *part, const uint32_t *from)
{
    tern_state *st = f->st;
    const uint32_t K = st->n_samples, words = f->blocks[TERN_ROW_SAMPLE];
    if (part->visible)
        for (uint32_t k = 0; k < K; ++k) st->loss_f12[PLANT(PEER_LOSS) ? 0 : k] += *from++;
    for (uint32_t k = 0; k < K; ++k)
        for (uint32_t w = 0; w < part->n_words; ++w) {
            uint32_t *to = &st->spikes[(size_t)k * words + part->words[w].at];
            *to = PLANT(PEER_WORD) ? *from++ : *to | *from++; /* two parts may have neurons in one word */
        }
}

void tern_fast_peers_step(tern_fast *f)
{
    const uint32_t R = f->peers.count, own = f->peers.index;
    if (R == 1) return;
    f->offset[0] = 0;
    for (uint32_t p = 0; p < R; ++p) f->offset[p + 1] = f->offset[p] + step_words(f, &f->parts[p]) * sizeof(uint32_t);
    write_step(f, &f->parts[own], (uint32_t *)(void *)(f->message + f->offset[own]));
    exchange(f, f->message);
    for (uint32_t p = 0; p < R && !f->lost; ++p)
        if (p != own) read_step(f, &f->parts[p], (const uint32_t *)(const void *)(f->message + f->offset[p]));
}

void tern_fast_peers_flush(tern_fast *f)
{
    const uint32_t R = f->peers.count, own = f->peers.index;
    tern_state *st = f->st;
    if (R == 1) return;
    f->own.sent.counts += (uint64_t)(R - 1u) * sizeof f->own / sizeof(uint64_t);
    for (uint32_t p = 0; p <= R; ++p) f->offset[p] = p * sizeof f->own;
    memcpy(f->message + f->offset[own], &f->own, sizeof f->own);
    exchange(f, f->message);
    memset(&f->own, 0, sizeof f->own);
    for (uint32_t p = 0; p < R && !f->lost; ++p) {
        tern_fast_counts c;
        memcpy(&c, f->message + f->offset[p], sizeof c);
        st->sat.weight += c.sat.weight;
        st->sat.local += PLANT(PEER_COUNTS) && p != own ? 0 : c.sat.local;
        st->sat.potential += c.sat.potential;
        st->sat.coefficient += c.sat.coefficient;
        st->sat.modulator += c.sat.modulator;
        st->comm.unicast += c.comm.unicast;
        st->comm.broadcast += c.comm.broadcast;
        f->divided.sent.losses += c.sent.losses;
        f->divided.sent.spikes += c.sent.spikes;
        f->divided.sent.counts += c.sent.counts;
        f->divided.sent.state += c.sent.state;
    }
}

/* ---- the whole state ------------------------------------------------------------------------- */

void tern_fast_share(tern_fast *f)
{
    const uint32_t R = f->peers.count, own = f->peers.index;
    if (R == 1 || f->lost) return;
    state_offsets(f);
    move_part(&(mover){ WRITE, f->state_message + f->offset[own], 0 }, f, &f->parts[own]);
    f->own.sent.state += (f->offset[own + 1] - f->offset[own]) * (R - 1u);
    exchange(f, f->state_message);
    for (uint32_t p = 0; p < R && !f->lost; ++p)
        if (p != own) move_part(&(mover){ READ, f->state_message + f->offset[p], 0 }, f, &f->parts[p]);
}
