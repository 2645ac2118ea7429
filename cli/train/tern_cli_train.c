/* tern_cli_train.c : tern train
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_run_engine.h"
#include "tern_errors.h"
#include "tern_cli_train.h"
#include "tern_cli_train_options.h"
#include "tern_ranks.h"
#include "tern_cli_ranks.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern_cli_stream.h"
#include "tern_verbs.h"

typedef tern_train_options options;

/* Sums over the presentations of this call. */
typedef struct totals {
    uint32_t presentations, steps, validations;
    double first, last; /* log-loss, or the distance of rule REWARD, of a presentation */
    double seconds;
    tern_sat_counts saturations;
    tern_comm_counts sent;
} totals;

typedef struct job {
    options o;
    int argc; /* of the verb, to print how to continue */
    char **argv;
    tern_arena arena;
    tern_model model;
    tern_frames_store frames;
    tern_device device; /* the board, with --engine device */
    tern_runner run;
    tern_fast_places places; /* where values are limited; all NULL: not counted */
    tern_validation v;
    tern_van_rossum distance; /* rule REWARD */
    bool has_distance;
    uint32_t *order, epoch; /* training recordings of an epoch; epoch UINT32_MAX: none yet */
    uint32_t done, total;   /* presentations */
    uint32_t saved;         /* presentations that OUT.tern, or its checkpoint, holds; 0: none of them */
    uint64_t data;          /* digest of the recordings */
    tern_train_log log;
    char *checkpoint_path;
    bool drop_old;     /* the first save ends an earlier training of this name */
    tern_snapshot top; /* best image so far, with validation */
    bool top_written;
    tern_diags diags;
    totals made;
    tern_judge judge;
    tern_checked checked;
    size_t first_warning; /* of the training's end, in diags */
} job;

static bool is_reference(const job *j) { return strcmp(j->o.engine, "reference") == 0; }

static tern_status refuse(job *j, int code, const char *file, const char *key, const char *text, const char *hint)
{
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, code, file, 0, key, "%s", text), "%s", hint);
    return TERN_ERR_ARGUMENT;
}

static tern_status open_network(job *j, tern_model *out)
{
    tern_arg_list sets = j->o.sets;
    char samples[40];
    /* K decides formats too, so a script is compiled with it */
    if (j->o.given_samples && tern_is_script(j->o.net)) {
        if (sets.n == TERN_ARG_LIST_MAX) return TERN_ERR_LIMIT;
        snprintf(samples, sizeof samples, "rule.samples=%" PRIu64, j->o.samples);
        sets.items[sets.n++] = samples;
    }
    return tern_cli_open_model(j->o.net, &sets, &j->arena, out, &j->diags);
}

/* The settings of the validation are those of the checkpoint. */
static tern_status compare_validation(job *j, const tern_checkpoint *c)
{
    tern_validation *v = &j->v;
    const bool share = c->share != v->share, metric = j->o.given_metric && (uint32_t)v->metric != c->metric,
               every = j->o.given_every && j->o.validate_every != c->every;
    if (share || metric || every)
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->checkpoint_path,
                      share    ? "--validation"
                      : metric ? "--validation-metric"
                               : "--validate-every",
                      "the checkpoint was made with another value of this option",
                      "repeat the command that made it, with --resume added");
    v->metric = (tern_validation_metric)c->metric;
    v->every = c->every;
    v->last = c->last;
    v->best_at = c->best_at;
    v->best = c->best;
    return TERN_OK;
}

/* Is there what is gone on with: OUT.tern, or with validation OUT.tern.checkpoint? */
static tern_status find_saved(job *j)
{
    if (!j->v.on && tern_file_exists(j->checkpoint_path))
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->o.out, "--resume",
                      "was trained with --validation, and holds the best image, not the last one",
                      "repeat the command that made it, with --resume added");
    if (!j->v.on && !tern_file_exists(j->o.out))
        return refuse(j, TERN_ERROR_NO_CHECKPOINT, j->o.out, "--resume", "there is no checkpoint to continue from",
                      "the first run of a training has no --resume");
    if (j->v.on && !tern_file_exists(j->checkpoint_path))
        return refuse(j, TERN_ERROR_NO_CHECKPOINT, j->checkpoint_path, "--resume",
                      "there is no checkpoint of a training with validation",
                      "the first run of a training has no --resume; one without validation continues without it");
    return TERN_OK;
}

static tern_status load_saved(job *j, tern_checkpoint *c)
{
    const char *path = j->v.on ? j->checkpoint_path : j->o.out;
    uint8_t *bytes = NULL;
    size_t size = 0;
    tern_status s = tern_train_first() ? find_saved(j) : TERN_OK;
    if (s == TERN_OK && tern_ranks_count() == 1 && !j->v.on)
        return tern_image_load(path, &j->arena, &j->model, &j->diags);
    s = tern_train_shared_file(s, path, &bytes, &size, &j->diags);
    if (s == TERN_OK && !j->v.on) s = tern_image_decode(bytes, size, path, &j->arena, &j->model, &j->diags);
    if (s == TERN_OK && j->v.on) s = tern_checkpoint_decode(bytes, size, path, c, &j->diags);
    if (bytes != NULL) tern_alloc_default().fn(tern_alloc_default().ud, bytes, 0);
    if (s != TERN_OK || !j->v.on) return s;
    s = compare_validation(j, c);
    return s == TERN_OK ? tern_image_decode(c->now.image, c->now.image_size, path, &j->arena, &j->model, &j->diags) : s;
}

/* Loads the checkpoint and makes sure that it is what this command would have written. */
static tern_status open_checkpoint(job *j, const tern_model *asked, tern_checkpoint *c)
{
    bool same = false;
    tern_status s = load_saved(j, c);
    if (s != TERN_OK) return s;
    if (j->model.state == NULL)
        return refuse(j, TERN_ERROR_NO_CHECKPOINT, j->o.out, "--resume", "the image holds no training state",
                      "omit --resume to start a training");
    s = tern_same_network(asked, &j->model, &same);
    if (s != TERN_OK) return s;
    if (!same)
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->o.out, "--resume",
                      strcmp(asked->source_sha256, j->model.source_sha256) != 0
                          ? "the checkpoint is of another script, or the script was changed"
                          : "the checkpoint was made with other settings",
                      "repeat the command that made it, with --resume added");
    if (j->o.given_samples && j->o.samples != j->model.state->n_samples)
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->o.out, "--samples",
                      "the checkpoint was made with another number of samples",
                      "leave --samples out, or start again without --resume");
    if (j->o.given_seed && j->o.seed != j->model.state->seed)
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->o.out, "--seed", "the checkpoint was made with another seed",
                      "leave --seed out, or start again without --resume");
    j->done = j->saved = j->model.presentations_done;
    return TERN_OK;
}

static tern_status not_the_references(job *j, const char *file)
{
    return refuse(j, TERN_ERROR_REFERENCE_OTHER, file, "--resume", "the reference's numbers do not belong to the image",
                  "start again without --resume");
}

/* The reference continues from its own numbers; the image only holds rounded ones. */
static tern_status restore_reference(job *j, const tern_checkpoint *c)
{
    const tern_alloc alloc = tern_alloc_default();
    const char *path = j->checkpoint_path;
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool foreign = false;
    tern_status s = TERN_OK;
    if (!j->v.on) s = tern_reference_find(j->o.out, &j->arena, &path, &foreign, &j->diags);
    if (s == TERN_OK && path == NULL) return not_the_references(j, j->o.out);
    if (s == TERN_OK && !j->v.on)
        s = tern_file_read(path, tern_reference_save_bytes(j->run.ref), alloc, &bytes, &size, &j->diags);
    if (s != TERN_OK) return s; /* reading told what is wrong */
    if (j->v.on && c->now.reference == NULL) s = TERN_ERR_FORMAT;
    else if (j->v.on) s = tern_reference_restore(j->run.ref, c->now.reference, c->now.reference_size);
    else s = tern_reference_restore(j->run.ref, bytes, size);
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    const tern_state *st = j->model.state;
    return s != TERN_OK || j->run.ref->step != st->step || j->run.ref->seed != st->seed ? not_the_references(j, path)
                                                                                        : TERN_OK;
}

static tern_status open_data(job *j, const tern_checkpoint *c)
{
    tern_status s = tern_frames_store_open(&j->frames, &j->model, j->o.data, true, &j->diags);
    j->frames.warn = tern_cli_print_line;
    if (s != TERN_OK) return s;
    const tern_cli_name written[] = { { "-o", j->o.out, false },
                                      { "-o (its .reference file)", tern_reference_path(j->o.out, &j->arena), false },
                                      { "-o (its .checkpoint file)", j->checkpoint_path, false },
                                      { "--log", j->o.log, false } };
    s = tern_cli_not_a_recording(written, sizeof written / sizeof *written, &j->frames.set, &j->diags);
    if (s != TERN_OK) return s;
    j->data = tern_frames_store_digest(&j->frames);
    if (j->o.resume && j->v.on && j->data != c->data)
        return refuse(j, TERN_ERROR_CHECKPOINT_OTHER, j->checkpoint_path, "--data",
                      "the training so far was on other recordings",
                      "give the same recordings, or start again without --resume");
    s = tern_validation_split(&j->v, (uint32_t)j->frames.set.n, j->run.st.seed, &j->arena, &j->diags);
    if (s != TERN_OK) return s;
    const uint64_t total = j->o.given_presentations ? j->o.presentations : j->v.n_train;
    if (total * j->model.data.steps > UINT32_MAX) {
        tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_STEPS, j->o.net, 0, "--presentations",
                       "%" PRIu64 " presentations of %u steps, allowed are 4294967295 steps in total", total,
                       j->model.data.steps);
        return TERN_ERR_LIMIT;
    }
    j->total = (uint32_t)total;
    j->epoch = UINT32_MAX;
    j->order = tern_arena_get(&j->arena, j->v.n_train, sizeof *j->order);
    if (j->order == NULL) return TERN_ERR_MEMORY;
    if (!j->v.on) return TERN_OK;
    if (j->v.every == 0) j->v.every = j->o.given_every ? (uint32_t)j->o.validate_every : j->v.n_train;
    if (j->v.every <= j->total) return TERN_OK;
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_VALIDATE_EVERY, NULL, 0, "--validate-every",
                                  "a validation every %u presentations, but there are only %u: there would be none",
                                  j->v.every, j->total),
                   "--validate-every %u or less, or more --presentations", j->total);
    return TERN_ERR_ARGUMENT;
}

static tern_status open_engine(job *j, const tern_checkpoint *c)
{
    const tern_state *saved = j->o.resume ? j->model.state : NULL;
    const uint32_t samples = saved != NULL        ? saved->n_samples
                             : j->o.given_samples ? (uint32_t)j->o.samples
                                                  : j->model.net.n_samples;
    const uint64_t seed = saved != NULL ? saved->seed : j->o.given_seed ? j->o.seed : j->model.seed;
    j->has_distance = tern_has_distance(&j->model);
    if (j->model.net.rule == TERN_RULE_REWARD && !j->has_distance)
        return refuse(j, TERN_ERROR_NO_LEARNING_SIGNAL, j->model.name, "rule.tau",
                      "rule reward with tau = 0: the learning signal comes from the program around the network, and "
                      "the command has none",
                      "set rule.tau to learn by the distance of spikes (docs/12-inference.md), or call tern_reward() "
                      "in your own program");
    if (j->v.on && !j->o.given_metric && j->has_distance) j->v.metric = TERN_METRIC_DISTANCE;
    tern_status s = TERN_OK;
    const bool device = strcmp(j->o.engine, "device") == 0;
    if (device) s = tern_device_open(&j->device, j->o.device, (uint32_t)j->o.baud, &j->diags);
    if (device && s == TERN_OK)
        j->device.source = (tern_fit_source){ .limits = tern_cli_compile_options(NULL),
                                              .script = tern_is_script(j->o.net) ? j->o.net : NULL,
                                              .sets = &j->o.sets };
    tern_runner_engine engine = { .kind = tern_engine_find(j->o.engine),
                                  .device = device ? &j->device : NULL,
                                  .threads = (uint32_t)j->o.threads,
                                  .peers = tern_train_peers() };
    if (s == TERN_OK) s = tern_train_places_init(&j->model, &engine, &j->arena, &j->places);
    if (s == TERN_OK) s = tern_runner_init(&j->run, &j->model, engine, samples, seed, &j->arena, &j->diags);
    if (s == TERN_OK && j->has_distance) s = tern_distance_init(&j->distance, &j->model, samples, &j->arena);
    if (s == TERN_OK) s = tern_validation_init(&j->v, &j->model, &engine, samples, seed, &j->arena, &j->diags);
    if (s != TERN_OK || saved == NULL) return s;
    tern_runner_restore(&j->run, saved);
    return is_reference(j) ? restore_reference(j, c) : TERN_OK;
}

static tern_status open_log(job *j)
{
    uint64_t network;
    const tern_status s = tern_network_digest(&j->model, &network);
    if (s != TERN_OK) return s;
    const tern_train_head head = { .model = &j->model,
                                   .engine = j->run.engine->arithmetic,
                                   .samples = j->run.n_samples,
                                   .recordings = (uint32_t)j->frames.set.n,
                                   .seed = j->run.st.seed,
                                   .network = network,
                                   .data = j->data,
                                   .validation = &j->v };
    return tern_train_log_open(&j->log, &head, j->o.resume, j->done, j->v.last, &j->diags);
}

/* Names of what lies beside OUT.tern; nothing else of these names may be replaced or removed. */
static tern_status claim_files(job *j)
{
    const char *reference = tern_reference_path(j->o.out, &j->arena), *next = tern_reference_next(j->o.out, &j->arena);
    j->checkpoint_path = tern_beside(j->o.out, ".checkpoint", &j->arena);
    j->log = (tern_train_log){ .path = j->o.log, .lost_path = tern_beside(j->o.out, ".unlogged", &j->arena) };
    if (reference == NULL || next == NULL || j->checkpoint_path == NULL || j->log.lost_path == NULL)
        return TERN_ERR_MEMORY;
    if (!tern_train_first()) return TERN_OK;
    tern_status s = tern_cli_lock(j->o.out, "-o", &j->diags);
    if (s == TERN_OK && j->o.log != NULL) s = tern_cli_lock_in_place(j->o.log, "--log", &j->diags);
    if (s == TERN_OK) s = tern_image_replaceable(j->o.out, &j->diags); /* before the work, not after it */
    if (s == TERN_OK && !j->o.resume) s = tern_cli_side_file(reference, "TnrT", "-o (its .reference file)", &j->diags);
    if (s == TERN_OK) s = tern_cli_side_file(next, "TnrT", "-o (its .reference.next file)", &j->diags);
    if (s == TERN_OK && !j->o.resume)
        s = tern_cli_side_file(j->checkpoint_path, TERN_CHECKPOINT_BEGIN, "-o (its .checkpoint file)", &j->diags);
    if (s == TERN_OK) s = tern_cli_side_file(j->log.lost_path, "{\"", "-o (its .unlogged file)", &j->diags);
    tern_file_sweep(next);
    tern_file_sweep(j->log.lost_path);
    if (s == TERN_OK && j->o.log != NULL) tern_file_sweep(j->o.log);
    if (s == TERN_OK && is_reference(j)) s = tern_file_writable(reference, &j->diags);
    if (s == TERN_OK && j->v.on) s = tern_file_writable(j->checkpoint_path, &j->diags);
    return s == TERN_OK ? tern_reference_settle(j->o.out, &j->arena, &j->diags) : s;
}

/* Only the reference continues with a training of the reference. */
static tern_status check_engine(job *j, const tern_checkpoint *c)
{
    const char *path = NULL;
    bool foreign = false;
    if (!j->o.resume || is_reference(j)) return TERN_OK;
    const tern_status s = j->v.on ? TERN_OK : tern_reference_find(j->o.out, &j->arena, &path, &foreign, &j->diags);
    if (s != TERN_OK || (j->v.on ? c->now.reference == NULL : path == NULL)) return s;
    return refuse(j, TERN_ERROR_REFERENCE_OTHER, j->o.out, "--resume", "was trained by the reference engine",
                  "add --engine reference");
}

static tern_status together(job *j, tern_status s) { return tern_ranks_agree(s, NULL, &j->diags); }

/* network: tern_train_network_hash(). */
static tern_status compare_ranks(job *j, uint64_t network)
{
    const tern_validation *v = &j->v;
    const uint64_t settings[] = { j->run.st.seed, j->run.n_samples, j->run.st.step, j->done,
                                  j->total,       j->o.checkpoint,  j->o.resume,    v->on,
                                  v->n_held,      v->every,         v->patience,    (uint64_t)v->metric };
    return tern_train_compare_ranks(network, j->data, settings, sizeof settings, &j->diags);
}

static tern_status prepare(job *j)
{
    tern_checkpoint c = { .data = 0 };
    uint64_t network = 0;
    tern_snapshot_init(&c.now);
    tern_snapshot_init(&c.top);
    tern_model *asked = tern_arena_get(&j->arena, 1, sizeof *asked);
    j->v = (tern_validation){ .on = j->o.given_share,
                              .share = j->o.share,
                              .patience = (uint32_t)j->o.patience,
                              .metric = strcmp(j->o.metric, "accuracy") == 0   ? TERN_METRIC_ACCURACY
                                        : strcmp(j->o.metric, "distance") == 0 ? TERN_METRIC_DISTANCE
                                                                               : TERN_METRIC_LOG_LOSS };
    tern_status s = together(j, asked == NULL ? TERN_ERR_MEMORY : claim_files(j));
    if (s == TERN_OK) s = open_network(j, asked);
    if (s == TERN_OK) s = tern_train_network_hash(asked, &network);
    if (s == TERN_OK) s = tern_train_enough_neurons(&asked->net, asked->name, &j->diags);
    s = together(j, s);
    if (s == TERN_OK && j->o.resume) s = together(j, open_checkpoint(j, asked, &c));
    else if (asked != NULL) j->model = *asked;
    if (s == TERN_OK) s = check_engine(j, &c);
    if (s == TERN_OK) s = open_engine(j, &c);
    if (s == TERN_OK) s = open_data(j, &c);
    s = together(j, s);
    if (s == TERN_OK) s = compare_ranks(j, network);
    if (s == TERN_OK && j->o.log != NULL && tern_train_first()) s = open_log(j);
    s = together(j, s);
    j->drop_old = !j->o.resume;
    j->top = c.top; /* its memory goes with it */
    tern_snapshot_free(&c.now);
    return s;
}

/* Files of an earlier training under this name, once the new one is saved. */
static tern_status remove_old(job *j)
{
    const char *reference = tern_reference_path(j->o.out, &j->arena);
    tern_status s = reference == NULL ? TERN_ERR_MEMORY : TERN_OK;
    if (s == TERN_OK && !is_reference(j)) s = tern_file_remove(reference, &j->diags);
    if (s == TERN_OK && !j->v.on) s = tern_file_remove(j->checkpoint_path, &j->diags);
    if (s == TERN_OK && j->log.lost == NULL) s = tern_file_remove(j->log.lost_path, &j->diags);
    j->drop_old = s != TERN_OK;
    return s;
}

/* OUT.tern, or with validation its checkpoint, is the commit point: what it tells of is on the disk before. */
static tern_status save(job *j)
{
    tern_snapshot now;
    tern_snapshot_init(&now);
    tern_status s = tern_snapshot_take(&now, &j->model, &j->run, j->done, &j->diags);
    if (!tern_train_first()) return s;
    if (s == TERN_OK) s = tern_train_log_sync(&j->log, &j->diags);
    if (s == TERN_OK) s = tern_train_log_keep_lost(&j->log, &j->diags);
    if (s == TERN_OK && j->v.on) {
        const tern_checkpoint c = { .data = j->data,
                                    .share = j->v.share,
                                    .best = j->v.best,
                                    .every = j->v.every,
                                    .metric = (uint32_t)j->v.metric,
                                    .last = j->v.last,
                                    .best_at = j->v.best_at,
                                    .now = now,
                                    .top = j->top };
        s = tern_checkpoint_write(&c, j->checkpoint_path, &j->diags);
    }
    const bool best = j->v.on && j->top.image != NULL;
    const tern_snapshot *out = best ? &j->top : &now;
    if (s == TERN_OK && !(best && j->top_written))
        s = tern_reference_write(j->o.out, out->image, out->image_size, out->reference, out->reference_size, &j->arena,
                                 &j->diags);
    if (s == TERN_OK) j->top_written = best;
    if (s == TERN_OK) j->saved = j->done;
    if (s == TERN_OK && j->drop_old) s = remove_old(j);
    tern_snapshot_free(&now);
    return s;
}

static tern_sat_counts difference(tern_sat_counts a, tern_sat_counts b)
{
    return (tern_sat_counts){ a.weight - b.weight,           a.local - b.local,     a.potential - b.potential,
                              a.coefficient - b.coefficient, a.logprob - b.logprob, a.modulator - b.modulator };
}

static tern_status present(job *j)
{
    const uint32_t next = tern_present_next(j->run.st.seed, j->done, j->v.n_train, j->order, &j->epoch);
    tern_frames f;
    tern_presented line = { .presentation = j->done + 1,
                            .recording = j->v.train[next],
                            .eta = tern_rule_eta_at(&j->model.rule, j->done) };
    tern_status s = tern_frames_store_present(&j->frames, line.recording, j->run.st.seed, j->done, &f, &j->diags);
    s = together(j, s);
    if (s == TERN_OK) s = tern_present(&j->run, j->has_distance ? &j->distance : NULL, &f, &line, &j->diags);
    if (s != TERN_OK) return s;
    ++j->done;
    j->made.last = j->has_distance ? line.distance : line.log_loss;
    if (j->made.presentations++ == 0) j->made.first = j->made.last;
    tern_judge_add(&j->judge, j->done - 1, j->total, j->made.last);
    j->made.steps += f.n_steps;
    return j->log.file == NULL ? TERN_OK : tern_train_log_write(&j->log, &line, &j->diags);
}

static tern_status validate(job *j)
{
    tern_validated line;
    bool done = false;
    tern_status s = tern_validation_measure(&j->v, &j->frames, &j->run, j->done, &line, &done, &j->diags);
    if (s != TERN_OK || !done) return s; /* interrupted: the checkpoint says that it is due */
    ++j->made.validations;
    if (line.improved) {
        s = tern_snapshot_take(&j->top, &j->model, &j->run, j->done, &j->diags);
        j->top_written = false;
    }
    if (s != TERN_OK || j->log.file == NULL) return s;
    return tern_train_log_validated(&j->log, &line, &j->v, &j->diags);
}

static bool finished(const job *j)
{
    return !tern_validation_due(&j->v, j->done) && (j->done >= j->total || tern_validation_over(&j->v));
}

static tern_status train(job *j)
{
    tern_progress bar;
    bool stop = tern_interrupted();
    tern_status s = tern_ranks_agree(TERN_OK, &stop, &j->diags);
    const tern_sat_counts before = j->run.st.sat;
    const tern_comm_counts sent = j->run.st.comm;
    const double start_s = tern_clock_s();
    tern_progress_begin(&bar, "train", "presentation", j->total);
    tern_progress_skip(&bar, j->done);
    while (s == TERN_OK && !finished(j) && !stop) {
        if (tern_validation_due(&j->v, j->done)) {
            tern_progress_update(&bar, j->done, "validation");
            s = validate(j);
        } else {
            s = present(j);
            char note[40];
            snprintf(note, sizeof note, "%s %.4g", j->has_distance ? "distance" : "log-loss", j->made.last);
            tern_progress_update(&bar, j->done, note);
            if (s == TERN_OK && j->o.checkpoint != 0 && j->done % j->o.checkpoint == 0 && j->done < j->total)
                s = save(j);
        }
        stop = tern_interrupted();
        s = tern_ranks_agree(s, &stop, &j->diags);
    }
    tern_progress_end(&bar);
    j->made.seconds = tern_clock_s() - start_s;
    j->made.saturations = difference(j->run.st.sat, before);
    j->made.sent =
        (tern_comm_counts){ j->run.st.comm.unicast - sent.unicast, j->run.st.comm.broadcast - sent.broadcast };
    bool unlogged = j->log.lost != NULL; /* a full disk under the log is no reason to lose the training */
    tern_ranks_agree(TERN_OK, &unlogged, NULL);
    if (unlogged && save(j) == TERN_OK)
        fprintf(stderr, "%s: saved after presentation %u of %u; --resume continues from there\n", j->o.out, j->done,
                j->total);
    return together(j, s == TERN_OK && (j->made.presentations != 0 || (j->v.on && j->done != 0)) ? save(j) : s);
}

/* Warnings at the end of a training that was not interrupted; neither its state nor its exit status changes. */
static tern_status judge(job *j)
{
    if ((j->first_warning = j->diags.n, !finished(j)) || tern_interrupted()) return TERN_OK;
    if (!tern_train_first()) return TERN_OK; /* rank 0 has the whole state, and alone is heard */
    tern_judge_end e = { .model = &j->model,
                         .run = &j->run,
                         .frames = &j->frames,
                         .check = j->v.train,
                         .n_check = j->v.n_train,
                         .threads = tern_ranks_count() > 1 ? 1 : (uint32_t)j->o.threads,
                         .from_script = tern_is_script(j->o.net),
                         .presentations = j->made.presentations,
                         .steps = j->made.steps,
                         .has_validation = j->v.on,
                         .limited = &j->made.saturations,
                         .distance = j->has_distance };
    return tern_judge_training(&j->judge, &e, &j->checked, &j->diags);
}

static void print_command(const job *j)
{
    fputc(' ', stderr);
    tern_cli_print_word(tern_cli_program, stderr);
    for (int i = 0; i < j->argc; ++i) tern_cli_print_word(j->argv[i], stderr);
    fputs(j->o.resume ? "\n" : " --resume\n", stderr);
}

static void print_resume(const job *j)
{
    if (j->done == 0) fputs("interrupted before the first presentation, nothing was saved\n", stderr);
    if (j->done == 0) return;
    if (tern_cli_stream_writes()) {
        fprintf(stderr,
                "interrupted after presentation %u of %u; nothing was written: with -o FILE the training can be "
                "continued\n",
                j->done, j->total);
        return;
    }
    fprintf(stderr, "interrupted after presentation %u of %u; saved in %s. To continue:\n", j->done, j->total,
            j->v.on ? j->checkpoint_path : j->o.out);
    print_command(j);
}

/* The board is gone, and what it had learned since the last checkpoint. */
static void print_board_lost(const job *j)
{
    if (j->saved == 0) {
        fputs("nothing was saved; --checkpoint N saves after every N presentations\n", stderr);
        return;
    }
    fprintf(stderr,
            "the board was lost in presentation %u of %u; %s holds the training up to presentation %u. To continue "
            "from there:\n",
            j->done + 1, j->total, j->v.on ? j->checkpoint_path : j->o.out, j->saved);
    print_command(j);
}

static json_t *sent_json(const job *j)
{
    if (j->run.ref != NULL || j->made.steps == 0) return json_null();
    return tern_json_pack("{s:o, s:o}", "unicast", tern_json_real((double)j->made.sent.unicast / j->made.steps),
                          "broadcast", tern_json_real((double)j->made.sent.broadcast / j->made.steps));
}

static bool summary_json(const job *j, bool stopped)
{
    const totals *m = &j->made;
    const bool loss = m->presentations != 0 && !j->has_distance, distance = m->presentations != 0 && j->has_distance;
    json_t *o = tern_json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "network", j->model.name,
        "image", j->o.out, "engine", j->o.engine, "samples", (json_int_t)j->run.n_samples, "seed",
        (json_int_t)j->run.st.seed, "presentations", (json_int_t)j->done, "presentations_made",
        (json_int_t)m->presentations, "steps", (json_int_t)tern_runner_steps(&j->run), "interrupted", (int)stopped,
        "log_loss_first", loss ? tern_json_real(m->first) : json_null(), "log_loss",
        loss ? tern_json_real(m->last) : json_null(), "saturations", tern_train_saturations(&m->saturations),
        "communication", sent_json(j), "validation", tern_validation_json(&j->v, j->done < j->total), "seconds",
        tern_json_real(m->seconds), "steps_per_second", tern_json_real(m->seconds > 0 ? m->steps / m->seconds : 0));
    if (o != NULL) tern_json_put(o, "places", tern_train_places_json(&j->model, &j->places));
    if (o != NULL) tern_json_put(o, "fast", tern_train_fast_json(&j->run));
    if (o != NULL) tern_json_put(o, "ranks", tern_train_ranks_json(&j->run, m->steps));
    if (o != NULL) tern_json_put(o, "warnings", tern_judge_warnings_json(&j->diags, j->first_warning));
    if (o != NULL) tern_json_put(o, "check", tern_judge_checked_json(&j->checked));
    if (o != NULL && distance) {
        tern_json_put(o, "distance_first", tern_json_real(m->first));
        tern_json_put(o, "distance", tern_json_real(m->last));
    }
    return tern_cli_print_json(o, stdout);
}

static void summary_text(const job *j)
{
    const totals *m = &j->made;
    const tern_sat_counts *s = &m->saturations;
    if (m->presentations == 0) {
        if (j->done != 0) printf("%s: %u presentations are done already, nothing to do\n", j->o.out, j->done);
        if (j->v.on && j->done != 0) tern_validation_print(&j->v, j->done, j->total);
        return;
    }
    printf("network      %s, %u sample%s, seed %" PRIu64 ", %s engine\n", j->model.name, j->run.n_samples,
           j->run.n_samples == 1 ? "" : "s", j->run.st.seed, j->o.engine);
    tern_train_print_fast(&j->run);
    printf("trained      %u presentation%s, %u step%s", m->presentations, m->presentations == 1 ? "" : "s", m->steps,
           m->steps == 1 ? "" : "s");
    if (j->done != m->presentations) printf(" (%u presentations in total)", j->done);
    printf(", %.0f steps/s\n", m->seconds > 0 ? m->steps / m->seconds : 0);
    if (j->has_distance) printf("distance     %.4f in the first presentation, %.4f in the last\n", m->first, m->last);
    else printf("log-loss     %.4f per step in the first presentation, %.4f in the last\n", m->first, m->last);
    if (j->v.on) tern_validation_print(&j->v, j->done, j->total);
    tern_judge_print(&j->checked);
    if (j->run.ref == NULL) {
        printf("sent         %.6g numbers per step to the central processor (unicast), %.6g back (broadcast)\n",
               (double)m->sent.unicast / m->steps, (double)m->sent.broadcast / m->steps);
        printf("saturated    %" PRIu64 " weights, %" PRIu64 " biases and self-memories, %" PRIu64
               " potentials, %" PRIu64 " coefficients, %" PRIu64 " log-probabilities, %" PRIu64 " modulators\n",
               s->weight, s->local, s->potential, s->coefficient, s->logprob, s->modulator);
    }
    tern_train_print_ranks(&j->run, m->steps);
    printf("written      %s%s\n", j->o.out, j->v.on ? ", the best image" : "");
}

static int finish(job *j, tern_status s)
{
    const tern_status closed = tern_train_log_close(&j->log, s == TERN_OK ? &j->diags : NULL);
    if (s == TERN_OK) s = closed;
    if (s != TERN_OK) {
        const int status = tern_cli_failed(s, &j->diags, "tern train");
        const bool board = j->order != NULL && j->run.board != NULL;
        if (tern_ranks_lost()) tern_train_print_lost(j->v.on ? j->checkpoint_path : j->o.out, j->saved, j->total);
        if (board && tern_runner_check(&j->run, NULL) != TERN_OK) print_board_lost(j);
        return status;
    }
    tern_cli_print_diags(&j->diags);
    const bool stopped = !finished(j);
    if (j->o.json) {
        if (!summary_json(j, stopped)) return TERN_EXIT_FOUND;
    } else {
        summary_text(j);
    }
    if (stopped) print_resume(j);
    return stopped ? TERN_EXIT_FOUND : TERN_EXIT_DONE;
}

int tern_verb_train(int argc, char **argv)
{
    options o;
    const int parsed = tern_train_options_parse(&o, argc, argv);
    const int usage = tern_cli_agree_usage(parsed, o.resume ? 1 : 0, "tern train");
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    job *j = alloc.fn(alloc.ud, NULL, sizeof *j); /* too large for a stack */
    if (j == NULL) {
        fputs("tern train: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(j, 0, sizeof *j);
    j->o = o;
    j->argc = argc;
    j->argv = argv;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, alloc, 0);
    tern_snapshot_init(&j->top);
    tern_catch_interrupts();
    signal(SIGPIPE, SIG_IGN); /* a reader of messages that has gone is no reason to lose a training */
    tern_status s = prepare(j);
    if (s == TERN_OK) s = train(j);
    if (s == TERN_OK) s = judge(j);
    const int status = finish(j, s);
    tern_runner_close(&j->run);
    tern_measure_close(&j->v.m);
    tern_device_close(&j->device);
    tern_frames_store_close(&j->frames);
    tern_snapshot_free(&j->top);
    tern_arena_free(&j->arena);
    alloc.fn(alloc.ud, j, 0);
    return status;
}
