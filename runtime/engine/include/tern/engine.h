/* engine.h : the golden model, one step at a time
 * SPDX-License-Identifier: Apache-2.0
 *
 * Freestanding, integers only, no allocation. Use:
 *     bytes = tern_state_bytes(&net, K);                  // memory given by the caller, aligned to 8
 *     tern_state_init(&st, &net, mem, bytes, K, seed);
 *     for each example: for each step: tern_step(&st, inputs, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
 *                       tern_flush(&st); tern_state_clear(&st);
 *
 * Threads: a state is used by one thread at a time; different states, also of the same network, by different
 * threads at once.
 */
#ifndef TERN_ENGINE_H
#define TERN_ENGINE_H
#include <stdbool.h>
#include "tern/net.h"
#include "tern/record.h"
#ifdef __cplusplus
extern "C" {
#endif

/* LEARN goes with CLAMP, except for rule REWARD, which may have no targets */
enum { TERN_STEP_LEARN = 1, TERN_STEP_CLAMP = 2 };

/* Saturations since tern_state_init, per kind. */
typedef struct tern_sat_counts {
    uint64_t weight, local, potential, coefficient, logprob, modulator;
} tern_sat_counts;

/* Numbers sent between neurons and central processor since tern_state_init (table tab:comparison of the paper), counted
 * where they are used, in steps that learn. */
typedef struct tern_comm_counts {
    uint64_t unicast, broadcast;
} tern_comm_counts;

/* All state. The arrays lie in the caller's memory; an image with state stores exactly these. */
typedef struct tern_state {
    const tern_net *net;
    uint32_t n_samples; /* K, 1..32                                                   */
    uint32_t k0;        /* number of the first sample, multiple of 4                  */
    uint64_t seed;
    uint32_t step;         /* number of the next step                                    */
    uint32_t lag_head;     /* column of errors[] that the next step writes, 0..W-1       */
    bool pending;          /* an update waits for the next pass                          */
    int16_t *weights;      /* [n_weights]                                                */
    int16_t *bias_f12;     /* [n_neurons]                                                */
    int16_t *self_f12;     /* [n_neurons]                                                */
    uint16_t *ek;          /* [W]                                                        */
    uint64_t *hist_in;     /* [n_inputs_pos]        after pass t bit q holds s(t-1-q)      */
    uint64_t *hist_neuron; /* [K][n_neurons_pos]                                         */
    int16_t *errors_f15;   /* [n_neurons][K][W], circular in the lag                     */
    int32_t *v_f12;        /* [K] discounted log-probability                             */
    int16_t *m_f14;        /* [K] modulators of set 0 of the last step that learned      */
    int32_t *w_f12;        /* [K] learning signals, set 1                                */
    int32_t *base_f12;     /* [tern_net_baselines] b, N-20, N-21                         */
    uint32_t *base_weight; /* [tern_net_baselines] D                                     */
    uint32_t *loss_f12;    /* [K] L of the last step, N-8                                */
    uint32_t *spikes;      /* [K][n_neurons_pos/32] spikes of the last step, bit p%32 of word p/32 */
    uint32_t *spikes_in;   /* [n_inputs_pos/32] input spikes of the last step            */
    /* scratch of the step */
    int16_t *coef;     /* [K][W]  c of the current neuron                            */
    int16_t *m_neuron; /* [K]     modulators of the current neuron                   */
    int32_t *u_wta;    /* [K][64] potentials of the current WTA circuit              */
    bool *limited_wta; /* [K][64]                                                    */
    int16_t *coef_kap; /* [K][W]  as coef, for averages (baselines per synapse)      */
    int64_t *elig;     /* [2][K]  eligibilities of the current synapse (the same)    */
    /* [K][64] f of the current row (shared rows: the first); [2][K][64] with baselines per synapse */
    int64_t *kernel;
    int64_t *acc_f20; /* [K]                                                        */
    tern_sat_counts sat;
    tern_comm_counts comm;
    tern_record_sink *sink; /* NULL: no records                                           */
} tern_state;

/* Bytes of memory for a state with K samples; 0 if K is out of range, or if size_t cannot hold the number. */
size_t tern_state_bytes(const tern_net *net, uint32_t n_samples);
/* Lays the arrays into `mem` (aligned to 8), copies the initial weights, clears the rest. */
tern_status tern_state_init(tern_state *st, const tern_net *net, void *mem, size_t bytes, uint32_t n_samples,
                            uint64_t seed);
/* Between states of the same network: what learning has made and keeps between examples (weights, biases,
 * self-memories, baselines; the numbers of samples may differ), or everything (the numbers of samples must be
 * equal). */
void tern_state_copy_weights(tern_state *to, const tern_state *from);
void tern_state_copy(tern_state *to, const tern_state *from);
/* Between examples: histories, spikes, errors, log-probabilities, losses, modulators, signals, lag_head and a pending
 * update become 0; parameters, baselines, ek, step, k0, seed and counts stay (docs/21-numerics.md, section 8b). */
void tern_state_clear(tern_state *st);
/* One step. inputs: [n_inputs_pos/32] bits of the input pool, 0 at positions without a unit (N-29). targets:
 * [n_neurons_pos/32] bits, only visible positions count; may be NULL without TERN_STEP_CLAMP. Results are in
 * st->spikes, v_f12, loss_f12. */
void tern_step(tern_state *st, const uint32_t *inputs, const uint32_t *targets, unsigned flags);
/* Rule REWARD: the learning signal of the step just made, one s20.12 number per sample (INT32_MIN counts as
 * -INT32_MAX); positive: more of what the sample did. To be called after a step that learned and before the next step
 * or flush; without a call the last signal stays. The engine divides by K. No effect with other rules. */
void tern_reward(tern_state *st, const int32_t *reward_f12);
/* Applies a pending update (N-11..N-16, N-20, N-21) and computes nothing else: it sees the spikes of the last step, but
 * histories take them in with the next step only. No effect if none is pending. */
void tern_flush(tern_state *st);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ENGINE_H */
