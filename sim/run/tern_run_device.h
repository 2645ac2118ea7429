/* tern_run_device.h : the engine `device`: a network that a board runs, step by step the same as the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 * One board serves several runners, one after the other: the one that is used is loaded, as a whole, from its
 * tern_state. While a runner is loaded its state follows what the host knows without asking (step number, input
 * histories, spikes and losses of the last step, counts); everything else is fetched by tern_device_pull(). One that
 * was loaded before begins with tern_device_end(.., true): what it had learned is fetched when it is evicted, histories
 * are not. Steps are queued many at a time, so neither the time of the line nor the step of the core is waited for
 * singly (docs/36-link.md, section 11).
 * Calls do not fail: after the first failure they do nothing, and tern_device_check() tells.
 */
#ifndef TERN_RUN_DEVICE_H
#define TERN_RUN_DEVICE_H
#include "tern_plan.h"
#include "tern_run_fit.h"
#include "tern_run_port.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_device {
    tern_port port;
    tern_capacity core; /* what the board holds */
    /* of the networks that are loaded, for advice when they do not fit; set after opening */
    tern_fit_source source;
    struct tern_device_net *loaded;
    tern_link_result result; /* the first failure, or OK */
    bool astray;             /* the core is at another step than it was led to */
    uint32_t step_found, step_wanted;
} tern_device;

/* One runner's network on the board. */
typedef struct tern_device_net {
    tern_device *device;
    tern_plan plan;
    tern_state *st;
    uint32_t layout;             /* first 32 bits of the layout hash */
    bool behind;                 /* weights in the core are newer than those in st */
    uint32_t sat[6];             /* registers 80..85 as last read */
    uint32_t chunk;              /* steps queued at a time */
    uint32_t *loss, *spikes;     /* [chunk][K], [chunk][K][neuron groups] */
    uint32_t broadcast, unicast; /* numbers sent for an update, and in a step that learns */
} tern_device_net;

/* Opens the port and begins a session. baud 0: all rates are tried. Must stay where it is. Codes 801..806. */
tern_status tern_device_open(tern_device *d, const char *port, uint32_t baud, tern_diags *diags);
/* Most samples of a network that can be made at once when `n_samples` are wanted: 4 or a multiple, or all of them (then
 * TERN_MAX_SAMPLES). Code 808: the core is too small for batches. Of a network that does not fit at all the samples are
 * what the core has room for, and tern_device_net_init() tells. */
tern_status tern_device_batch(const tern_device *d, const tern_model *model, uint32_t n_samples, uint32_t *out_batch,
                              tern_diags *diags);
void tern_device_close(tern_device *d);
/* Has everything gone well? Code 806, 807, 809 or 815, once; TERN_ERR_IO. */
tern_status tern_device_check(const tern_device *d, tern_diags *diags);

/* Plans the network for the core; st is the runner's. Nothing is loaded yet. Codes 501, 805. */
tern_status tern_device_net_init(tern_device_net *n, tern_device *d, const tern_model *model, tern_state *st,
                                 tern_arena *arena, tern_diags *diags);
/* n_steps frames, each as in tern_step(); seen(ud, t) is called behind each step, with its losses and spikes in st.
 * With a rule REWARD that learns, seen() may call tern_device_reward(). */
void tern_device_run(tern_device_net *n, uint32_t n_steps, const uint32_t *inputs, size_t words_in,
                     const uint32_t *targets, size_t words_neuron, unsigned flags, void (*seen)(void *ud, uint32_t t),
                     void *ud);
/* As tern_reward(). */
void tern_device_reward(tern_device_net *n, const int32_t *reward_f12);
/* As tern_flush(), then tern_state_clear() if `clear`. */
void tern_device_end(tern_device_net *n, bool clear);
/* Takes over st->ek; st->k0 and st->step. */
void tern_device_set_rate(tern_device_net *n);
void tern_device_seek(tern_device_net *n);
/* Fetches everything into st, which is not touched if something fails; the same as tern_device_check() then, or
 * TERN_ERR_MEMORY. */
tern_status tern_device_pull(tern_device_net *n, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RUN_DEVICE_H */
