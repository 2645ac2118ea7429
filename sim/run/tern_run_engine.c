/* tern_run_engine.c : the list of all engines, and the engine device as a table of calls; `both` is in
 * tern_run_engine_both.c, the others are in runtime/runner
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_run_engine.h"
#include <string.h>

static const tern_engine *const engines[] = { &tern_engine_fast, &tern_engine_golden, &tern_engine_both,
                                              &tern_engine_reference, &tern_engine_device };

const tern_engine *tern_engine_find(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; ++i)
        if (strcmp(engines[i]->name, name) == 0) return engines[i];
    return NULL;
}

/* ---- device ---------------------------------------------------------------------------------- */

static tern_status device_open(tern_runner *r, const tern_runner_engine *o, tern_arena *arena, tern_diags *diags)
{
    tern_device_net *board = tern_arena_get(arena, 1, sizeof *board);
    if (board == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_device_net_init(board, o->device, r->model, &r->st, arena, diags);
    if (s == TERN_OK) r->board = board;
    return s;
}

static void device_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t),
                       void *ud)
{
    tern_device_run(r->board, f->n_steps, f->inputs, f->words_in, f->targets, f->words_neuron, flags, seen, ud);
}

static void device_end(tern_runner *r, bool clear) { tern_device_end(r->board, clear); }

static void device_reward(tern_runner *r, const double *reward)
{
    int32_t reward_f12[TERN_MAX_SAMPLES];
    tern_engine_reward_f12(r, reward, reward_f12);
    tern_device_reward(r->board, reward_f12);
}

static tern_status device_set_eta(tern_runner *r, double eta)
{
    const tern_status s = tern_engine_set_ek(r, eta);
    if (s == TERN_OK) tern_device_set_rate(r->board);
    return s;
}

/* Not yet open: opening failed, so there is no board to ask. */
static tern_status device_check(const tern_runner *r, tern_diags *diags)
{
    return r->board == NULL ? TERN_OK : tern_device_check(r->board->device, diags);
}
static tern_status device_pull(tern_runner *r, tern_diags *diags) { return tern_device_pull(r->board, diags); }
static void device_placed(tern_runner *r) { tern_device_seek(r->board); }

const tern_engine tern_engine_device = { .name = "device",
                                         .arithmetic = "golden",
                                         .open = device_open,
                                         .run = device_run,
                                         .end = device_end,
                                         .reward = device_reward,
                                         .set_eta = device_set_eta,
                                         .check = device_check,
                                         .pull = device_pull,
                                         .placed = device_placed };
