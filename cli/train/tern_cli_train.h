/* tern_cli_train.h : parts of the verb train
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_TRAIN_H
#define TERN_CLI_TRAIN_H
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_cli_reference.h"
#include "tern_measure.h"
#include "tern_present.h"
#include "tern_run_device.h"

/* ---- what is saved (tern_cli_train_save.c) --------------------------------------- */

/* A training at one moment: the bytes of its image and, for the reference engine, of the engine's own numbers. */
typedef struct tern_snapshot {
    tern_arena arena;
    const uint8_t *image, *reference; /* NULL: none */
    size_t image_size, reference_size;
} tern_snapshot;

void tern_snapshot_init(tern_snapshot *s);
void tern_snapshot_free(tern_snapshot *s);
/* Replaces what `s` held. The model's state is set to that of the engine. */
tern_status tern_snapshot_take(tern_snapshot *s, tern_model *model, tern_runner *run, uint32_t presentations,
                               tern_diags *diags);

/* A training with validation continues from OUT.tern.checkpoint, one file that is replaced as a whole: OUT.tern holds
 * the best image. */
typedef struct tern_checkpoint {
    uint64_t data;          /* digest of the recordings */
    double share, best;     /* best: value of the metric at the best validation */
    uint32_t every, metric; /* metric: tern_validation_metric */
    uint32_t last, best_at; /* presentations made at the last and at the best validation; 0: none yet */
    tern_snapshot now, top; /* the training, and its best image (image NULL: none yet) */
} tern_checkpoint;

#define TERN_CHECKPOINT_BEGIN "TERNCKPT" /* first bytes of the file */
tern_status tern_checkpoint_write(const tern_checkpoint *c, const char *path, tern_diags *diags);
/* Everything is checked (code 125). The snapshots own their bytes; free both, also after a failure. */
/* bytes: of the file `path`. */
tern_status tern_checkpoint_decode(const uint8_t *bytes, size_t size, const char *path, tern_checkpoint *out,
                                   tern_diags *diags);

/* ---- validation (tern_cli_train_validate.c) ----------------------------------------- */

typedef enum tern_validation_metric {
    TERN_METRIC_LOG_LOSS,
    TERN_METRIC_ACCURACY,
    TERN_METRIC_DISTANCE
} tern_validation_metric;

/* Recordings that are never trained on, and how well the network does on them. An engine of its own measures, so
 * training makes the same draws with and without it. */
typedef struct tern_validation {
    bool on;
    double share;
    /* presentations between validations; validations without improvement that end the training, 0: any number */
    uint32_t every, patience;
    tern_validation_metric metric;
    uint32_t n_train, n_held; /* without validation all are trained on */
    uint32_t *train, *held;   /* [n_train], [n_held] indices in the data set, ascending */
    tern_measure m;
    uint32_t last, best_at; /* as in tern_checkpoint */
    double best;
} tern_validation;

typedef struct tern_validated {
    uint32_t presentations;
    double log_loss, log_loss_iw, accuracy, distance; /* NAN: none */
    bool improved;
} tern_validated;

/* Chooses the recordings: all, or (on) a share of n by seed. Fills n_train, n_held, train, held. Code 123: nothing
 * would be left on either side. */
tern_status tern_validation_split(tern_validation *v, uint32_t n, uint64_t seed, tern_arena *arena, tern_diags *diags);
/* Makes the engine that measures; of the training's kind, but for a training on a board `fast`, which finds the same
 * numbers and leaves the board as it is. Code 124: the metric is none of this network. */
tern_status tern_validation_init(tern_validation *v, const tern_model *model, const tern_runner_engine *engine,
                                 uint32_t n_samples, uint64_t seed, tern_arena *arena, tern_diags *diags);
/* Measures `run` after `presentations` presentations; updates last, best, best_at. *out_done false: interrupted,
 * nothing was updated. */
tern_status tern_validation_measure(tern_validation *v, tern_frames_store *frames, tern_runner *run,
                                    uint32_t presentations, tern_validated *out, bool *out_done, tern_diags *diags);
/* Is one due after so many presentations? */
static inline bool tern_validation_due(const tern_validation *v, uint32_t presentations)
{
    return v->on && presentations != 0 && presentations % v->every == 0 && v->last < presentations;
}
/* Has patience ended? */
static inline bool tern_validation_over(const tern_validation *v)
{
    return v->on && v->patience != 0 && v->best_at != 0 && (v->last - v->best_at) / v->every >= v->patience;
}
/* Member "validation" of the summary (`more`: presentations are left), and its lines for people. */
json_t *tern_validation_json(const tern_validation *v, bool more);
void tern_validation_print(const tern_validation *v, uint32_t done, uint32_t total);
const char *tern_validation_metric_name(tern_validation_metric m);

/* ---- what is reported at the end (tern_cli_train_judge.c; docs/55-training.md, section 4) ----- */

enum { TERN_JUDGE_PARTS = 8 };
/* The course of a training: means of the log-loss (with rule REWARD the distance) at its very beginning and in each
 * eighth. */
typedef struct tern_judge {
    tern_mean early, part[TERN_JUDGE_PARTS], all; /* all presentations */
    double at, at_at, at_value; /* sums of places (0..1), of their squares, of place times value: for the trend */
} tern_judge;
/* Presentation `done` (from 0) of `total`. */
void tern_judge_add(tern_judge *g, uint32_t done, uint32_t total, double value);

typedef struct tern_judge_end {
    const tern_model *model;
    tern_runner *run; /* pulled: st holds the weights */
    tern_frames_store *frames;
    const uint32_t *check; /* [n_check] recordings trained on, which may be measured */
    uint32_t n_check, threads;
    uint32_t presentations, steps;              /* of this call */
    const tern_sat_counts *limited;             /* likewise */
    bool distance, has_validation, from_script; /* from_script: weights began as the script says */
} tern_judge_end;

/* The network with its final weights, on recordings that it was trained on; recordings 0: not measured. */
typedef struct tern_checked {
    uint32_t recordings, right; /* decisions of the network running freely */
    double log_loss;            /* clamped, per step */
} tern_checked;

/* Adds warnings 163, 167, 168, 169. Errors are those of a recording that cannot be read any more. */
tern_status tern_judge_training(const tern_judge *g, tern_judge_end *e, tern_checked *out, tern_diags *diags);

/* Members "warnings" and "check" of the summary. */
json_t *tern_judge_warnings_json(const tern_diags *diags, size_t first);
json_t *tern_judge_checked_json(const tern_checked *c);
/* The line "checked" of the summary; nothing if nothing was measured. */
void tern_judge_print(const tern_checked *c);

/* ---- the log (tern_cli_train_log.c) ---------------------------------------------------- */

/* First line of the log. */
typedef struct tern_train_head {
    const tern_model *model;
    const char *engine;
    uint32_t samples, recordings;
    uint64_t seed, network, data; /* network: tern_network_digest(); data: digest of the recordings */
    const tern_validation *validation;
} tern_train_head;

/* One line of the log (docs/11-commands.md, "The log"). */
typedef tern_presented tern_train_line;

typedef struct tern_train_log {
    const char *path;      /* --log; NULL: none */
    const char *lost_path; /* OUT.tern.unlogged */
    FILE *file;            /* NULL: none, or closed */
    char *lost;            /* the line that could not be written; NULL: none */
} tern_train_log;

/* Prepares the log: empty but for its head, or (resume) cut back to what had happened after `presentations`
 * presentations and the validation `validated`, with a line that had been lost put in its place. Code 116 if its head
 * tells of another network, other settings or other recordings; as a warning 130 if lines are missing. */
tern_status tern_train_log_open(tern_train_log *log, const tern_train_head *head, bool resume, uint32_t presentations,
                                uint32_t validated, tern_diags *diags);
/* A line that cannot be written stays in log->lost (not when memory was short). */
tern_status tern_train_log_write(tern_train_log *log, const tern_train_line *line, tern_diags *diags);
tern_status tern_train_log_validated(tern_train_log *log, const tern_validated *line, const tern_validation *v,
                                     tern_diags *diags);
/* Before a state is saved: its lines are on the disk, and the one that was lost is in OUT.tern.unlogged. */
tern_status tern_train_log_sync(tern_train_log *log, tern_diags *diags);
tern_status tern_train_log_keep_lost(const tern_train_log *log, tern_diags *diags);
tern_status tern_train_log_close(tern_train_log *log, tern_diags *diags);
/* JSON object of saturation counts. */
json_t *tern_train_saturations(const tern_sat_counts *s);

/* Where values are limited: memory for the counts, and engine->places; without effect with other engines than `fast`,
 * or with other ranks. Then a list of "kind", "place" (a population, or of weights "SOURCE -> TARGET") and "count", or
 * null where nothing was counted. */
tern_status tern_train_places_init(const tern_model *m, tern_runner_engine *engine, tern_arena *arena,
                                   tern_fast_places *out);
json_t *tern_train_places_json(const tern_model *m, const tern_fast_places *places);

/* What the engine `fast` did with the network: instruction set, threads, share of the synapses in each path. Null, or
 * nothing, with others. */
json_t *tern_train_fast_json(const tern_runner *run);
void tern_train_print_fast(const tern_runner *run);

/* ---- several ranks (tern_cli_train_ranks.c) ---------------------------------------------- */

/* Is this the rank that reads and writes files of the training? The only one: also yes. */
bool tern_train_first(void);
/* The other ranks, for the engine `fast`; NULL: there are none. */
const tern_fast_peers *tern_train_peers(void);
/* Code 173: more ranks than the network can be divided among. */
tern_status tern_train_enough_neurons(const tern_net *net, const char *name, tern_diags *diags);
/* Of the image that the model would be written as; not computed for a single rank. */
tern_status tern_train_network_hash(const tern_model *model, uint64_t *out);
/* Do all ranks do the same with the same? Code 174. network: the hash above; data: digest of the recordings. */
tern_status tern_train_compare_ranks(uint64_t network, uint64_t data, const uint64_t *settings, size_t bytes,
                                     tern_diags *diags);
/* After a rank was lost: how far the training in `file` goes. */
void tern_train_print_lost(const char *file, uint32_t saved, uint32_t total);
/* A file that rank 0 reads for all; to be freed by the caller, also after a failure. s: of this rank so far. */
tern_status tern_train_shared_file(tern_status s, const char *path, uint8_t **out_bytes, size_t *out_size,
                                   tern_diags *diags);
/* What ranks sent each other in `steps` steps; nothing, or null, for a single rank. */
void tern_train_print_ranks(const tern_runner *run, uint32_t steps);
json_t *tern_train_ranks_json(const tern_runner *run, uint32_t steps);

#endif /* TERN_CLI_TRAIN_H */
