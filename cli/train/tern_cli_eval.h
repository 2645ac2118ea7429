/* tern_cli_eval.h : parts of the verb eval
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_EVAL_H
#define TERN_CLI_EVAL_H
#include "tern/threads.h"
#include "tern/file.h"
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_cli_reference.h"
#include "tern_measure.h"
#include "tern_run_device.h"
#include "tern_store.h"
#include "tern_write.h"

typedef struct tern_eval_options {
    const char *image, *data, *engine, *decode, *per_recording, *spikes, *device, *curve_steps, *curve_samples;
    tern_curve curve; /* its lists alone: what --curve asks for; n_steps 0: nothing */
    uint64_t baud, samples, batch, bins, seed, threads;
    bool given_seed, given_batch, early_stop, json;
    tern_arg_list sets;
} tern_eval_options;

/* --spikes */
typedef struct tern_spikes_out {
    bool open, npz;
    tern_file_writer file;
    tern__npz z;
    const tern_population *populations[TERN_MAX_POPULATIONS]; /* of neurons, by their first neuron */
    uint32_t n_populations;
    uint64_t n; /* spikes written */
} tern_spikes_out;

typedef struct tern_eval {
    tern_eval_options o;
    tern_arena arena;
    tern_model model;
    tern_frames_store frames;
    tern_device device;            /* the board, with --engine device */
    tern_measure m;                /* of the first thread */
    uint32_t n_threads;            /* recordings measured side by side */
    struct tern_eval_share *parts; /* [n_threads] */
    tern_threads *threads;         /* NULL: one */
    FILE *lines;                   /* --per-recording */
    tern_file_writer lines_writer; /* of a regular file: it gets its name when it is complete */
    tern_spikes_out spikes;
    tern_diags diags;
    /* results */
    tern_mean loss, loss_iw; /* per step and recording  */
    tern_mean ll, ll_iw;     /* log-likelihood of a whole recording */
    tern_mean distance;
    tern_mean entropy_right, entropy_wrong, softmax, share; /* of labelled recordings: bits; confidences */
    tern_calibration by_softmax, by_votes;
    tern_decided *decided[2];          /* [recordings] by softmax, by votes */
    struct tern_eval_cell *cells;      /* [curve.n_steps][curve.n_samples] */
    uint64_t n_steps;                  /* of one kind of run, all recordings */
    uint64_t samples_made, steps_free; /* of the free runs; steps summed over samples */
    /* spikes, all samples (targets: once) */
    uint64_t hidden_clamped, hidden_free, visible_free, visible_target;
    uint32_t n_labelled, n_right;
} tern_eval;

/* One line of --per-recording; m: what measured it. */
tern_status tern_eval_write_line(tern_eval *j, const tern_measure *m, uint32_t recording, const tern_frames *f,
                                 const tern_measured *r);
/* --spikes: opens the file; room for a recording's spikes in m->spikes; writes them; closes the file, or removes it
 * after an error. */
tern_status tern_eval_spikes_begin(tern_eval *j);
tern_status tern_eval_spikes_room(const tern_eval *j, tern_measure *m, const tern_frames *f, tern_arena *arena);
void tern_eval_spikes_add(tern_eval *j, uint32_t recording, const tern_measure *m, const tern_frames *f,
                          uint32_t n_samples);
tern_status tern_eval_spikes_end(tern_eval *j, tern_status s);
/* The engine of one of j->n_threads shares. */
tern_measure *tern_eval_share_measure(tern_eval *j, uint32_t share);

/* tern_cli_eval_curve.c: --curve. Usage: -1, or the exit status. begin: once the shares are made. add: one labelled
 * recording that `m` has just measured, before it is counted. */
int tern_eval_curve_usage(const tern_args *args, tern_eval_options *o);
tern_status tern_eval_curve_begin(tern_eval *j);
void tern_eval_curve_add(tern_eval *j, const tern_measure *m, int32_t label);
json_t *tern_eval_curve_json(const tern_eval *j);
void tern_eval_curve_print(const tern_eval *j);

bool tern_eval_print_json(const tern_eval *j);
void tern_eval_print_text(const tern_eval *j);

#endif /* TERN_CLI_EVAL_H */
