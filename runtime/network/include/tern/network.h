/* network.h : a network that runs: steps from arrays, training, measuring, saving
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_network *net;                       // model: of tern_compile_file() or tern_image_load()
 *     tern_examples *ex;
 *     tern_examples_spec spec = { .n = 100, .steps = 80, .inputs = spikes, .labels = labels };
 *     tern_network_open(&model, NULL, &net, &diags);
 *     tern_examples_pack(&model, &spec, &ex, &diags);
 *     tern_network_train(net, ex, 100, NULL, &diags);           // the same bits as `tern train`
 *     tern_network_save(net, "net.tern", &diags);
 *     tern_examples_close(ex);
 *     tern_network_close(net);
 *
 * Arrays have a byte for each unit and step: 0, or anything else for a spike. Units of inputs are those of all input
 * populations, in the order of model->populations; neurons have the numbers of tern_net.neurons, so the visible ones
 * come first, and a population's unit u is neuron neuron0 + u. Arrays are the caller's, and are not kept unless it says
 * so. What is wrong is in `diags` (may be NULL), with the codes named here; docs/60-errors.md has them all.
 *
 * Threads: one object is used by one thread at a time. Different objects may be used side by side, also those of one
 * model, which nothing here changes; it must stay until all objects made from it are closed. Networks with several
 * threads of their own (tern_network_options) do not survive fork() in the child.
 */
#ifndef TERN_NETWORK_H
#define TERN_NETWORK_H
#include "tern/data.h"
#include "tern/presented.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- examples ---- */

/* Presentations to train on or to measure: packed arrays, or recordings on the disk. */
typedef struct tern_examples tern_examples;

typedef struct tern_examples_spec {
    uint32_t n;             /* examples, 1 .. 2^28 - 1 */
    uint32_t steps;         /* of each, 1 .. 1,000,000 */
    const uint8_t *inputs;  /* [n][steps][tern_network_inputs()]; NULL: silent inputs */
    const uint8_t *targets; /* [n][steps][n_visible] wanted spikes; NULL: only those that labels name */
    const int32_t *labels;  /* [n] unit of the label population that should spike in every step; -1: none;
                               NULL: all -1 */
} tern_examples_spec;

/* Packs arrays into bits, an eighth of their size; the arrays are not used afterwards. 180: a number out of range;
 * 181: labels for a network without label population, or out of its units; TERN_ERR_MEMORY. */
tern_status tern_examples_pack(const tern_model *model, const tern_examples_spec *spec, tern_examples **out,
                               tern_diags *diags);
/* Recordings on the disk, as `--data PATH` of the command: read when they are needed, kept up to 512 MiB. Codes 119,
 * 111 and those of reading data sets (4xx). */
tern_status tern_examples_open(const tern_model *model, const char *path, tern_examples **out, tern_diags *diags);
uint32_t tern_examples_count(const tern_examples *ex);
/* Example i as bits, valid until the next call with `ex`. Its warnings are added to `diags`. 180: no such example;
 * codes 4xx of reading it. */
tern_status tern_examples_get(tern_examples *ex, uint32_t i, tern_frames *out, tern_diags *diags);
/* Example i as bytes of 0 or 1: inputs [n_steps][tern_network_inputs()], targets [n_steps][n_visible]; either may be
 * NULL. n_steps is that of tern_examples_get(). */
tern_status tern_examples_unpack(tern_examples *ex, uint32_t i, uint8_t *inputs, uint8_t *targets, int32_t *label,
                                 tern_diags *diags);
void tern_examples_close(tern_examples *ex); /* NULL is allowed */

/* ---- networks ---- */

typedef struct tern_network tern_network;

typedef struct tern_network_options {
    const char *engine; /* "fast" (NULL) or "golden": the same bits, soon or slowly */
    uint32_t threads;   /* of fast, 1 .. 256; 0: as many as pay */
    uint32_t samples;   /* K, 1 .. 32; 0: those of the saved state, else those of the model */
    bool has_seed;      /* false: the seed of the saved state, else of the model */
    bool fresh;         /* of a saved state only the weights are used, and a new training starts, as with `tern train
                             IMAGE`; else that training is continued, as with --resume */
    uint64_t seed;
} tern_network_options;

/* Units of all input populations. */
uint32_t tern_network_inputs(const tern_model *model);

/* Makes a network that runs; `options` may be NULL. 180: an option out of its range; 182: the saved state has another
 * number of samples, or another seed, than asked for; 140 to 142 (tern/fast.h); TERN_ERR_MEMORY. */
tern_status tern_network_open(const tern_model *model, const tern_network_options *options, tern_network **out,
                              tern_diags *diags);
void tern_network_close(tern_network *net); /* NULL is allowed */
/* Its state, to be read: weights, spikes of the last step, counts (tern/engine.h). Stays where it is until
 * tern_network_close(); what is in it changes with every call below. */
const tern_state *tern_network_state(const tern_network *net);
/* Presentations learnt so far, those of the saved state included. */
uint32_t tern_network_presentations(const tern_network *net);
/* For those who make presentations of single steps: the number in images, from which order and schedule continue. */
void tern_network_set_presentations(tern_network *net, uint32_t presentations);
/* The learning rate of the steps that follow; tern_network_train() sets its own. 113: it does not fit the format. */
tern_status tern_network_set_eta(tern_network *net, double eta, tern_diags *diags);
/* New weights [n_weights], biases and self-memories [n_neurons], in the formats of tern_state; NULL: as they are.
 * 181: out of the format, a weight where there is no synapse or the other way round; nothing is changed then. */
tern_status tern_network_set_weights(tern_network *net, const int16_t *weights, const int16_t *bias_f12,
                                     const int16_t *self_f12, tern_diags *diags);

typedef struct tern_network_steps {
    uint32_t n_steps;       /* any, 0 included */
    unsigned flags;         /* TERN_STEP_LEARN, TERN_STEP_CLAMP, as in tern_step() */
    const uint8_t *inputs;  /* [n_steps][tern_network_inputs()]; NULL: silent */
    const uint8_t *targets; /* [n_steps][n_visible]; needed with TERN_STEP_CLAMP */
    uint8_t *spikes;        /* out: [n_steps][K][n_neurons], 0 or 1; NULL: not wanted */
    double *log_loss;       /* out: [n_steps][K] cross-entropy of the visible neurons, nats; NULL: not wanted */
} tern_network_steps;

/* Makes steps. Nothing is cleared before or after them. 180: flags without targets, or that do not go together; 118:
 * more than 2^32 - 1 steps in all; TERN_ERR_MEMORY. */
tern_status tern_network_run(tern_network *net, const tern_network_steps *steps, tern_diags *diags);
/* Rule REWARD: learning signals [K] of the last step, which learned. 180: with other rules; a number that is not
 * finite. */
tern_status tern_network_reward(tern_network *net, const double *reward, tern_diags *diags);
/* Ends a presentation: applies the update that waits, and (clear) sets histories and averages to 0. */
void tern_network_end(tern_network *net, bool clear);

/* Learns n further presentations of `ex`: each epoch shows every example once, in an order of the seed, and the
 * learning rate follows the rule's schedule; both continue from tern_network_presentations(). The bits are those of
 * `tern train`, however the presentations are split over calls. `out` [n] may be NULL. After an error the presentations
 * before it are made, and counted. 112: an example without label where labels are learnt; 181: neither targets nor
 * labels; 113,
 * 118, 126 as of the command; codes 4xx of recordings. */
tern_status tern_network_train(tern_network *net, tern_examples *ex, uint32_t n, tern_presented *out,
                               tern_diags *diags);

/* The image of the network as it is (docs/20-image-format.md), with its whole state. `*out_bytes` lies in the arena. */
tern_status tern_network_encode(tern_network *net, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size,
                                tern_diags *diags);
/* The same to a file, which is written whole or not at all. Codes 302, 318. */
tern_status tern_network_save(tern_network *net, const char *path, tern_diags *diags);

/* Weights from population `source` to `target` (indices in model->populations) through filter `filter`, as integers:
 * out [size of target][size of source], TERN_WEIGHT_ABSENT where there is no synapse. `weights`: [n_weights], of a
 * state or model->net.weights0. 180: no such population or filter, or a target that is an input. */
tern_status tern_network_matrix(const tern_model *model, const int16_t *weights, uint32_t source, uint32_t target,
                                uint32_t filter, int16_t *out, tern_diags *diags);

/* ---- measuring ---- */

typedef struct tern_evaluate_options {
    uint32_t samples; /* K_I, 1 .. 256; 0: 1 */
    uint32_t batch;   /* samples made at the same time, a multiple of 4, 4 .. 32; 0: 32, or 4 with early_stop. No
                            result depends on it, except how early early_stop can stop */
    bool has_seed;    /* false: the model's */
    bool early_stop;  /* no further samples of an example once they cannot change the vote */
    bool first;       /* a sample decides by its first spike; false: by most spikes */
    uint64_t seed;
} tern_evaluate_options;

/* One example, as a line of `tern eval --per-recording`. Log-losses in nats per step. */
typedef struct tern_evaluated {
    int32_t label;    /* -1: none */
    int32_t decision; /* class that most samples decided for; -1: the network decides nothing */
    uint32_t samples; /* made in the free run */
    uint32_t steps;
    bool scored; /* targets are known; else the log-losses and the distance are NAN */
    double log_loss, log_loss_iw;
    double distance;                     /* of rule REWARD with tau > 0; else NAN */
    double entropy;                      /* of the votes, bits; NAN without classes, as the next two */
    double confidence, confidence_votes; /* softmax of the votes; share of the votes */
    uint64_t hidden_clamped, hidden_free, visible_free, visible_target; /* spikes, all samples (targets: once) */
} tern_evaluated;

/* All examples together, as `tern eval` prints it; NAN where it is undefined. */
typedef struct tern_evaluated_sum {
    uint32_t examples, scored, labelled, right;
    double accuracy, accuracy_lo, accuracy_hi;                       /* with its 95 % interval (Wilson) */
    double log_loss, log_loss_error, log_loss_iw, log_loss_iw_error; /* mean and its standard error */
    double distance, distance_error;
    double ece, ece_votes; /* expected calibration error in 15 bins, by either confidence */
} tern_evaluated_sum;

/* Measures examples one after the other, without learning, with engines of its own: the network continues as if nothing
 * had happened. */
typedef struct tern_evaluation tern_evaluation;

/* Takes over the weights of `net` as they are now; `options` may be NULL. 180: an option out of its range; 122: no vote
 * is possible; TERN_ERR_MEMORY. */
tern_status tern_evaluation_open(const tern_network *net, const tern_evaluate_options *options, tern_evaluation **out,
                                 tern_diags *diags);
/* Classes that are voted for: units of the label population; 0: none. */
uint32_t tern_evaluation_classes(const tern_evaluation *e);
/* Measures example i of `ex`. Draws continue from example to example, so the order of the calls matters; `tern eval`
 * takes 0, 1, 2, ... votes: [tern_evaluation_classes()], how many samples decided for each class; may be NULL. */
tern_status tern_evaluation_measure(tern_evaluation *e, tern_examples *ex, uint32_t i, tern_evaluated *out,
                                    uint32_t *votes, tern_diags *diags);
void tern_evaluation_close(tern_evaluation *e); /* NULL is allowed */
void tern_evaluated_add_up(const tern_evaluated *list, size_t n, tern_evaluated_sum *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_NETWORK_H */
