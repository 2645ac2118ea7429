/* tern_runner.h : every engine behind the same calls
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RUNNER_H
#define TERN_RUNNER_H
#include "tern/data.h"
#include "tern/fast.h"
#include "tern/reference.h"
#include "tern/reward.h"
#include "tern_args.h"
#include "tern_fast_places.h"
#include "tern_frames_store.h"
#ifdef __cplusplus
extern "C" {
#endif

struct tern_device; /* of sim/run, as the next two */
struct tern_device_net;
struct tern_both;

/* Which engine. All zero: `fast` with as many threads as pay. */
typedef struct tern_runner_engine {
    const struct tern_engine *kind; /* NULL: fast */
    struct tern_device *device;     /* of the engine `device` */
    uint32_t threads;               /* of `fast`; 0: as many as pay */
    const tern_fast_peers *peers;   /* of `fast`: engines that share the network; NULL: none */
    const tern_fast_places *places; /* of `fast`: where values are limited; NULL: not counted */
} tern_runner_engine;

/* One engine with a network, behind the same calls for all of them (tern_engines.h). */
typedef struct tern_runner {
    const tern_model *model;
    uint32_t n_samples;
    const struct tern_engine *engine;
    tern_state st;                 /* of golden and fast; with the reference: a place to round weights into; with a
                                      device: what is known of its state */
    tern_reference *ref;           /* NULL, but for the reference */
    struct tern_device_net *board; /* NULL, but for a device */
    tern_fast *fast;               /* NULL, but for fast and both */
    struct tern_both *both;        /* NULL, but for both */
    uint32_t *hidden;              /* [n_neurons_pos/32] bits of the hidden neurons  */
    uint32_t *visible;             /* [n_neurons_pos/32] bits of the visible neurons */
} tern_runner;

/* Weights start from the model's state if it has one. */
tern_status tern_runner_init(tern_runner *r, const tern_model *model, tern_runner_engine engine, uint32_t n_samples,
                             uint64_t seed, tern_arena *arena, tern_diags *diags);
/* Ends what runs beside: to be called before the arena is freed. No effect on one that is all zero. */
void tern_runner_close(tern_runner *r);
/* Goes on from a whole state of the same network and number of samples. */
void tern_runner_restore(tern_runner *r, const tern_state *from);
/* All steps of a recording; seen(ud, t) is called behind each one, when losses and spikes of it can be asked for, and a
 * reward given. Without a device seen() is called for every step, with one that fails for those before. */
void tern_runner_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t),
                     void *ud);
/* Ends a presentation: applies what is pending; clears histories and averages if `clear`. */
void tern_runner_end(tern_runner *r, bool clear);
/* Has everything gone well? Codes 806, 807, 809, 815 of a device; 143: the two engines of `both` differ; 175: a peer of
 * `fast` is lost. Others do not fail. To be asked before results are used. */
tern_status tern_runner_check(const tern_runner *r, tern_diags *diags);
/* Fetches weights and everything else from a device, or from peers of `fast`, into st. No effect with other engines. */
tern_status tern_runner_pull(tern_runner *r, tern_diags *diags);
tern_status tern_runner_set_eta(tern_runner *r, double eta, tern_diags *diags);
/* First sample's number and number of the next step, for runs of many samples in batches. */
void tern_runner_seek(tern_runner *r, uint32_t k0, uint32_t step);
uint32_t tern_runner_steps(const tern_runner *r);
double tern_runner_loss(const tern_runner *r, uint32_t k); /* of the last step: visible cross-entropy in nats */
/* of the last step, all samples, neurons of a mask */
uint64_t tern_runner_spikes(const tern_runner *r, const uint32_t *mask);
const uint32_t *tern_runner_spike_words(const tern_runner *r); /* of the last step, [K][n_neurons_pos/32] */
/* Rule REWARD: learning signals of the step just made, [K]. */
void tern_runner_reward(tern_runner *r, const double *reward);
/* Options that only make sense together: threads with an engine that has some. -1: all is well. */
int tern_runner_threads_usage(const tern_args *args, const char *engine, uint64_t threads);
/* All that training changes and inference uses, between engines of one kind, or from a device (after
 * tern_runner_pull()) to the golden model; their numbers of samples may differ. */
void tern_runner_copy_weights(tern_runner *to, const tern_runner *from);

/* Rule REWARD with tau > 0: the signal is made of the distance between visible and wanted spikes (tern/reward.h). */
bool tern_has_distance(const tern_model *model);
tern_status tern_distance_init(tern_van_rossum *d, const tern_model *model, uint32_t n_samples, tern_arena *arena);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RUNNER_H */
