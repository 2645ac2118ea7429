/* reference.h : the equations of the paper in double precision, one step at a time
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the golden model is measured against: recursive eligibility traces per synapse and sample, no learning window,
 * no kernel form, no rounding, a real sigmoid without limits (docs/22-reference.md). It makes the same random draws as
 * the golden model (numerics, section 7), so that the two stay close for as long as the arithmetic lets them. Nothing
 * that ships bits uses it.
 *
 *     tern_reference_create(&model, K, seed, &arena, &ref, &diags);
 *     for each example: for each step: tern_reference_step(ref, inputs, targets, TERN_STEP_LEARN | TERN_STEP_CLAMP);
 *                       tern_reference_clear(ref);
 *
 * The update of step t is applied at the end of step t, so u(t+1) sees it: there is nothing to flush. With rule REWARD
 * it waits for the reward.
 *
 * Threads: a reference is used by one thread at a time; different ones by different threads at once.
 */
#ifndef TERN_REFERENCE_H
#define TERN_REFERENCE_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_reference {
    const tern_model *model;
    uint32_t n_samples; /* K, 1..32                                              */
    uint32_t k0;        /* number of the first sample, multiple of 4             */
    uint64_t seed;
    uint32_t step; /* number of the next step                               */
    double eta;    /* learning rate in force, set from the rule at creation */
    double gamma, kappa;
    double lambda; /* factor of the baselines' averages, 1 - 1/memory       */
    bool pending;  /* rule REWARD: an update waits for the step's reward    */
    /* parameters */
    double *weights;     /* [n_weights], 0 where there is no synapse              */
    double *bias, *self; /* [n_neurons]                                           */
    /* [tern_net_baselines] b, and D = A[g^2]: per neuron, or per weight, bias, self-memory (numerics, section 4) */
    double *base, *base_weight;
    /* results of the last step */
    double *v;    /* [K] discounted log-probability                        */
    double *loss; /* [K] sum of the visible cross-entropies                */
    /* [2][K] modulators of set 0; learning signals w of set 1, before the baseline (numerics, section 4) */
    double *m;
    double *u, *p, *error; /* [n_neurons][K] potential, probability, s - p          */
    uint32_t *spikes;      /* [K][n_neurons_pos/32]                                 */
    /* NULL, or [K][n_neurons_pos/32]: spikes of the hidden neurons instead of draws (to enumerate hidden sequences) */
    const uint32_t *forced;
    /* state */
    uint64_t *hist_in;             /* [n_inputs_pos]     bit q = s(t-1-q)                   */
    uint64_t *hist_neuron;         /* [K][n_neurons_pos]                                    */
    double *elig;                  /* per row: [K][count]                                   */
    double *elig_bias, *elig_self; /* [n_neurons][K]                                */
    /* scratch and structure */
    double *x_in;      /* [n_filters][n_inputs_pos]                             */
    double *x_neuron;  /* [n_filters][K][n_neurons_pos]                         */
    double *present;   /* [n_weights] 1 synapse, 0 none                         */
    uint8_t *row_full; /* [n_rows] every position has a synapse                 */
    size_t *row_elig;  /* [n_rows] offset into elig                             */
    size_t n_elig;
} tern_reference;

/* Makes an engine with the model's initial weights: real ones if the model has them, otherwise its integers; a state in
 * the model (a trained image) wins over both. All memory is the arena's; the model must outlive the engine. n_samples
 * 1..32. */
tern_status tern_reference_create(const tern_model *model, uint32_t n_samples, uint64_t seed, tern_arena *arena,
                                  tern_reference **out_ref, tern_diags *diags);
/* One step; arguments as tern_step(). */
void tern_reference_step(tern_reference *ref, const uint32_t *inputs, const uint32_t *targets, unsigned flags);
/* As tern_reward(): the learning signal of the step just made, [K], real numbers, divided by K here; it stays until
 * another one comes. No effect with other rules than REWARD. With that rule the update of a step is applied at the
 * begin of the next tern_reference_step(), or by tern_reference_flush() or _clear(), with the eta in force then; with
 * other rules at the end of the step. */
void tern_reference_reward(tern_reference *ref, const double *reward);
/* Applies an update that waits for its reward. No effect if none does. */
void tern_reference_flush(tern_reference *ref);
/* Between examples: applies an update that waits, then clears histories, averages, log-probabilities and learning
 * signals; keeps weights, baselines and the step number. */
void tern_reference_clear(tern_reference *ref);
/* Rounds the parameters to the formats of the network (half up, saturating) into a state of the same network, and its
 * step number. */
void tern_reference_to_state(const tern_reference *ref, tern_state *st);

/* Everything that a later run needs to continue to the same bits, as bytes of this machine: for checkpoints, not for
 * exchange. */
size_t tern_reference_save_bytes(const tern_reference *ref);
/* image_crc: CRC-32 of the image that the numbers belong to, or 0: then they go with any image of their step and
 * seed. */
void tern_reference_save(const tern_reference *ref, uint32_t image_crc, uint8_t *out_bytes);
/* The image_crc of saved bytes; 0, too, when they are damaged or not of this version. */
uint32_t tern_reference_saved_for(const uint8_t *bytes, size_t size);
/* TERN_ERR_FORMAT when `bytes` were not made by an engine of the same network, rule, baseline and number of samples,
 * TERN_ERR_VERSION when by a version of Tern before 2 of this format, TERN_ERR_CHECKSUM when they are damaged. Nothing
 * is changed then. */
tern_status tern_reference_restore(tern_reference *ref, const uint8_t *bytes, size_t size);
/* Only weights, biases and self-memory weights; the number of samples may be another one. Errors as above, and
 * TERN_ERR_TRUNCATED. */
tern_status tern_reference_restore_weights(tern_reference *ref, const uint8_t *bytes, size_t size);

/* Threefry-2x32, 20 rounds: written a second time from its publication, independently of the golden model's. */
void tern_threefry_ref(const uint32_t key[2], const uint32_t counter[2], uint32_t out_words[2]);

#ifdef __cplusplus
}
#endif
#endif /* TERN_REFERENCE_H */
