/* tern_exp_run.c : runs what is not done yet, several trainings at a time
 * SPDX-License-Identifier: Apache-2.0
 *
 * A training goes from point to point: train up to `presentations`, then one evaluation for each K_I. After each point its file is written again, so a run that was stopped
 * continues there: `tern train --resume` gives the same bits as a training that was never stopped.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tern_interrupt.h"
#include "tern_progress.h"
#include "tern_exp_internal.h"
#include "tern_exp_place.h"
#include "tern_ranks.h"

/* A training at work. */
typedef struct job {
    tern_exp_training *t;   /* NULL: free */
    json_t            *part; /* its file: {"points": [...]} */
    size_t             point, eval; /* next: eval 0: train (or the first evaluation, before training), then evaluation eval - 1 */
    size_t             n_inference;
    uint32_t           inference[TERN_EXP_LIST_MAX];
    json_t            *evals; /* of this point */
    tern_exp_place    *place;
    bool               failed;
    char              *out, *err;
    tern_exp_command   command;
} job;

typedef struct runner {
    tern_exp   *e;
    const char *executable;
    size_t      next;       /* training */
    uint64_t    n_points, n_points_done;
    tern_exp_place *places; /* [n_jobs] */
    uint32_t    n_jobs;
    bool        stopping;   /* something failed, or the user wants to stop: start nothing new */
    tern_diags *diags;
    tern_progress bar;
} runner;

/* ---- children that failed -------------------------------------------------------------------------------------------------------- */

/* The first line that tells an error, else the last one. */
static void own_message(const char *path, char *out, size_t bytes)
{
    char line[600];
    FILE *f = fopen(path, "rb");
    out[0] = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != 0) snprintf(out, bytes, "%.250s", line);
        if (strstr(line, "error TERN-E") != NULL) break;
    }
    if (f != NULL) fclose(f);
}

tern_status tern_exp_child_failed(tern_exp *e, const tern_exp_command *c, int status, const char *err_path, tern_diags *diags)
{
    char message[300];
    own_message(err_path, message, sizeof message);
    const char *text = tern_exp_command_text(c, &e->arena);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 752, err_path, 0, c->n > 1 ? c->words[1] : NULL, "a command of the experiment ended with status %d: %s", status,
                                  message[0] != 0 ? message : "no output"),
                   "what is finished is kept; when the cause is fixed, the same call continues");
    tern_diags_add(diags, TERN_SEV_NOTE, 752, NULL, 0, NULL, "the command was: %s", text == NULL ? "?" : text);
    return TERN_ERR_TOOL;
}

tern_status tern_exp_run_one(tern_exp *e, const tern_exp_command *c, tern_diags *diags)
{
    pid_t pid;
    int status = 0;
    char *out = tern_exp_text(&e->arena, "%s/data/command.out", e->dir), *err = tern_exp_text(&e->arena, "%s/data/command.err", e->dir);
    if (out == NULL || err == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_exp_child_start(c, out, err, &pid, diags);
    if (s != TERN_OK) return s;
    tern_exp_end end;
    for (bool asked = false; (end = tern_exp_child_poll(pid, &status)) == TERN_EXP_RUNNING; tern_exp_child_pause())
        if (!asked && tern_interrupted()) {
            tern_exp_child_ask(pid);
            asked = true;
        }
    if (end == TERN_EXP_FAILED) return tern_interrupted() ? TERN_ERR_TOOL : tern_exp_child_failed(e, c, status, err, diags);
    unlink(out);
    unlink(err);
    return TERN_OK;
}

/* ---- what children told ---------------------------------------------------------------------------------------------------------- */

static tern_status missing(const char *path, const char *member, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 753, path, 0, member, "the command's answer lacks this member, or it is not a number"), "was the executable replaced while the experiment ran?");
    return TERN_ERR_FORMAT;
}

/* Members of the answer of `tern eval` by their names there. */
static const struct { const char *object, *member; } eval_members[TERN_EXP_EVAL_METRICS] = {
    [TERN_EXP_LOG_LOSS] = { NULL, "log_loss" },           [TERN_EXP_LOG_LOSS_IW] = { NULL, "log_loss_iw" },
    [TERN_EXP_LOG_LIKELIHOOD] = { NULL, "log_likelihood" }, [TERN_EXP_ACCURACY] = { NULL, "accuracy" },
    [TERN_EXP_ECE] = { "decisions", "ece" },              [TERN_EXP_ENTROPY_RIGHT] = { "decisions", "entropy_right" },
    [TERN_EXP_ENTROPY_WRONG] = { "decisions", "entropy_wrong" },
};

static tern_status take_eval(const char *path, uint32_t inference, json_t *evals, tern_diags *diags)
{
    json_t *answer, *row = tern_json_object();
    tern_status s = tern_exp_load_json(path, &answer, diags);
    if (s == TERN_OK && answer == NULL) s = missing(path, "log_loss", diags);
    if (s == TERN_OK) tern_json_put(row, "inference", json_integer(inference));
    for (size_t i = 0; i < TERN_EXP_EVAL_METRICS && s == TERN_OK; ++i) {
        json_t *o = eval_members[i].object == NULL ? answer : json_object_get(answer, eval_members[i].object);
        json_t *value = json_is_null(o) ? o : json_object_get(o, eval_members[i].member); /* no label population: "decisions" is null */
        if (value == NULL || (!json_is_number(value) && !json_is_null(value))) s = missing(path, eval_members[i].member, diags);
        else tern_json_put(row, tern_exp_metric_names[i], json_incref(value));
    }
    json_decref(answer);
    if (s == TERN_OK) tern_json_add(evals, json_incref(row));
    json_decref(row);
    return s;
}

/* Means over all presentations of the log of `tern train`: hidden spikes of all samples per step, numbers sent per
 * step. Each presentation must be there: a mean over fewer would look as good. */
static tern_status take_log(const job *j, uint32_t presentations, const char *path, json_t *part, tern_diags *diags)
{
    char line[4096]; /* a presentation's line has about 500 */
    double sum[3] = { 0 }, rows = 0;
    const unsigned long before = tern_json_faults();
    json_error_t error;
    FILE *f = fopen(path, "rb");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        json_t *o = tern_json_load(line, strlen(line), 0, &error), *c = json_object_get(o, "communication");
        if (json_object_get(o, "presentation") != NULL) {
            const json_t *rate = json_object_get(o, "hidden_rate");
            sum[0] += json_number_value(rate) * j->t->hidden * j->t->samples; /* without hidden neurons: null or 0 */
            sum[1] += json_number_value(json_object_get(c, "unicast"));
            sum[2] += json_number_value(json_object_get(c, "broadcast"));
            ++rows;
        }
        json_decref(o);
    }
    if (f != NULL) fclose(f);
    if (tern_json_faults() != before) return TERN_ERR_MEMORY;
    if (rows != presentations) return missing(path, "presentation", diags);
    for (size_t i = 0; i < 3; ++i)
        tern_json_put(part, tern_exp_metric_names[TERN_EXP_HIDDEN_SPIKES + i], json_real(sum[i] / rows));
    return TERN_OK;
}

/* ---- a training, command by command ------------------------------------------------------------------------------------------------ */

static uint32_t presentations(const runner *r, const job *j) { return r->e->set.presentations.v[j->point]; }

/* Trained presentations before this point. */
static uint32_t trained(const runner *r, const job *j) { return j->point == 0 ? 0 : r->e->set.presentations.v[j->point - 1]; }

static tern_status start_next(runner *r, job *j)
{
    const uint32_t p = presentations(r, j);
    if (j->eval == 0 && p == 0) j->eval = 1;
    if (j->eval == 0) tern_exp_train_command(r->e, j->t, p, trained(r, j) != 0, r->executable, false, &j->command);
    else tern_exp_eval_command(r->e, j->t, p, j->inference[j->eval - 1], r->executable, false, &j->command);
    return tern_exp_place_start(j->place, &j->command, j->out, j->err, r->diags);
}

static void remove_files(runner *r, const tern_exp_training *t)
{
    static const char *const suffixes[] = { "out", "err", "tern", "tern.lock", "tern.reference", "tern.reference.next",
                                            "tern.checkpoint", "tern.unlogged", "jsonl", "jsonl.lock" };
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; ++i) {
        const char *path = tern_exp_part(r->e, t, suffixes[i]);
        if (path != NULL) unlink(path);
    }
}

static void release(job *j)
{
    json_decref(j->part);
    json_decref(j->evals);
    *j = (job){ .place = j->place };
}

/* A child of the job has ended well: keeps what it told, writes the training's file after the last evaluation of a point. */
static tern_status advance(runner *r, job *j)
{
    tern_status s = TERN_OK;
    if (j->eval > 0) s = take_eval(j->out, j->inference[j->eval - 1], j->evals, r->diags);
    if (s != TERN_OK || j->eval++ < j->n_inference) return s;
    tern_json_add(json_object_get(j->part, "points"),
                  tern_json_pack("{s:I, s:I, s:O}", "presentations", (json_int_t)presentations(r, j), "steps",
                                 (json_int_t)presentations(r, j) * (json_int_t)r->e->n_steps, "evaluations", j->evals));
    json_decref(j->evals);
    j->evals = tern_json_list();
    j->eval = 0;
    const bool last = ++j->point == r->e->set.presentations.n;
    const uint32_t made = last ? trained(r, j) : 0;
    if (made != 0) s = take_log(j, made, tern_exp_part(r->e, j->t, "jsonl"), j->part, r->diags);
    if (s == TERN_OK && last) tern_json_put(j->part, "done", json_true());
    if (s == TERN_OK) s = tern_exp_save_json(j->part, tern_exp_part(r->e, j->t, "json"), r->diags);
    if (s != TERN_OK) return s;
    ++r->n_points_done;
    if (last) {
        j->t->done = true;
        remove_files(r, j->t);
        release(j);
    }
    return TERN_OK;
}

/* Sets a job up with a training, behind the points that its file holds. */
static tern_status take_up(runner *r, tern_exp_training *t, job *j)
{
    *j = (job){ .t = t, .place = j->place, .out = tern_exp_part(r->e, t, "out"), .err = tern_exp_part(r->e, t, "err") };
    j->n_inference = tern_exp_inference(r->e, t, j->inference);
    tern_status s = j->out == NULL || j->err == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(tern_exp_part(r->e, t, "json"), &j->part, r->diags);
    if (s != TERN_OK) return s;
    j->evals = tern_json_list();
    if (j->part == NULL)
        j->part = tern_json_pack("{s:s, s:s, s:I, s:I, s:I, s:[]}", "training", t->name, "rule",
                                 tern_exp_rules[t->rule], "hidden", (json_int_t)t->hidden, "samples",
                                 (json_int_t)t->samples, "seed", (json_int_t)t->seed, "points");
    j->point = json_array_size(json_object_get(j->part, "points"));
    return j->evals == NULL || j->part == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------ */

/* Is this the file of training t: its name, and its points as far as it has come? */
static bool part_fits(const tern_exp *e, const tern_exp_training *t, const json_t *part)
{
    const char *name = json_string_value(json_object_get(part, "training"));
    const json_t *points = json_object_get(part, "points");
    uint32_t inference[TERN_EXP_LIST_MAX];
    const size_t n = json_array_size(points), n_inference = tern_exp_inference(e, t, inference);
    if (name == NULL || strcmp(name, t->name) != 0 || !json_is_array(points) || n > e->set.presentations.n) return false;
    if (json_is_true(json_object_get(part, "done")) != (n == e->set.presentations.n)) return false;
    for (size_t i = 0; i < n; ++i) {
        const json_t *point = json_array_get(points, i), *presentations = json_object_get(point, "presentations"), *evaluations = json_object_get(point, "evaluations");
        if (!json_is_integer(presentations) || json_integer_value(presentations) != e->set.presentations.v[i] || json_array_size(evaluations) != n_inference) return false;
        for (size_t k = 0; k < n_inference; ++k)
            if (json_integer_value(json_object_get(json_array_get(evaluations, k), "inference")) != inference[k]) return false;
    }
    return true;
}

/* Which trainings are finished, and how many points there are. A file that says something else than its name is damaged. */
static tern_status look(runner *r)
{
    tern_exp *e = r->e;
    for (size_t i = 0; i < e->n_trainings; ++i) {
        json_t *part;
        const char *path = tern_exp_part(e, &e->trainings[i], "json");
        if (path == NULL) return TERN_ERR_MEMORY;
        const tern_status s = tern_exp_load_json(path, &part, r->diags);
        if (s != TERN_OK) return s;
        if (part == NULL) continue;
        const size_t n = json_array_size(json_object_get(part, "points"));
        const bool good = part_fits(e, &e->trainings[i], part), done = json_is_true(json_object_get(part, "done"));
        json_decref(part);
        if (!good) {
            tern_diag_hint(tern_diags_add(r->diags, TERN_SEV_ERROR, 754, path, 0, "training", "damaged: this is not what an experiment writes"), "remove this file; what it held is made again");
            return TERN_ERR_FORMAT;
        }
        e->trainings[i].done = done;
        if (done) remove_files(r, &e->trainings[i]); /* what a kill has left */
        r->n_points_done += n;
    }
    return TERN_OK;
}

static tern_status fill(runner *r, job *j)
{
    tern_exp *e = r->e;
    while (r->next < e->n_trainings && e->trainings[r->next].done) ++r->next;
    if (r->next == e->n_trainings) return TERN_OK;
    const tern_status s = take_up(r, &e->trainings[r->next++], j);
    return s == TERN_OK ? start_next(r, j) : s;
}

/* A training whose rank is gone; nothing of it is known to be wrong, so the others go on. */
static void lose(runner *r, job *j)
{
    tern_diag_hint(tern_diags_add(r->diags, TERN_SEV_ERROR, 176, j->t->name, 0, NULL,
                                  "rank %u is lost, and with it this training since its last point", j->place->rank),
                   "the other trainings were finished; the same command goes on with this one");
    tern_ranks_lose();
    release(j);
}

/* Looks after one job. */
static tern_status tend(runner *r, job *j)
{
    int status = 0;
    if (j->t == NULL) return r->stopping || j->place->lost ? TERN_OK : fill(r, j);
    if (j->failed) return TERN_OK;
    const tern_exp_end end = tern_exp_place_poll(j->place, &status);
    if (end == TERN_EXP_RUNNING) return TERN_OK;
    if (j->place->lost) {
        lose(r, j);
        return TERN_OK;
    }
    if (end == TERN_EXP_FAILED) {
        j->failed = true;
        if (r->stopping || tern_interrupted()) return TERN_OK; /* it was asked to end */
        return tern_exp_child_failed(r->e, &j->command, status, j->err, r->diags);
    }
    const tern_status s = advance(r, j);
    if (s != TERN_OK || r->stopping) {
        j->failed = true;
        return s;
    }
    const tern_status next = j->t != NULL ? start_next(r, j) : fill(r, j);
    j->failed = next != TERN_OK;
    return next;
}

static tern_status loop(runner *r, job *jobs, uint32_t n_jobs)
{
    tern_status result = TERN_OK;
    for (bool busy = true; busy; tern_exp_child_pause()) {
        busy = false;
        tern_exp_places_tend(r->places, n_jobs);
        for (uint32_t i = 0; i < n_jobs; ++i) {
            const tern_status s = tend(r, &jobs[i]);
            if (result == TERN_OK) result = s;
        }
        if (!r->stopping && (result != TERN_OK || tern_interrupted())) {
            r->stopping = true;
            for (uint32_t i = 0; i < n_jobs; ++i)
                tern_exp_place_ask(jobs[i].place);
        }
        for (uint32_t i = 0; i < n_jobs; ++i) busy |= jobs[i].place->busy;
        tern_progress_update(&r->bar, r->n_points_done, NULL);
    }
    return result;
}

tern_status tern_exp_run(tern_exp *e, uint32_t jobs_each, tern_diags *diags)
{
    const uint32_t n_jobs = jobs_each * tern_ranks_count();
    char executable[4096];
    runner r = { .e = e, .executable = executable, .n_points = (uint64_t)e->n_trainings * e->set.presentations.n, .diags = diags };
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK) s = look(&r);
    job *jobs = s == TERN_OK ? tern_arena_get(&e->arena, n_jobs, sizeof *jobs) : NULL;
    r.places = s == TERN_OK ? tern_arena_get(&e->arena, n_jobs, sizeof *r.places) : NULL;
    if (jobs == NULL || r.places == NULL) return s == TERN_OK ? TERN_ERR_MEMORY : s;
    tern_exp_places_init(r.places, n_jobs / tern_ranks_count());
    for (uint32_t i = 0; i < n_jobs; ++i) jobs[i].place = &r.places[i];
    tern_progress_begin(&r.bar, tern_exp_names[e->set.kind], "point", r.n_points);
    tern_progress_skip(&r.bar, r.n_points_done);
    s = loop(&r, jobs, n_jobs);
    if (s == TERN_OK && tern_ranks_lost()) s = TERN_ERR_TOOL;
    tern_progress_end(&r.bar);
    for (uint32_t i = 0; i < n_jobs; ++i) release(&jobs[i]);
    return s;
}

uint32_t tern_exp_n_done(const tern_exp *e)
{
    uint32_t n = 0;
    for (size_t i = 0; i < e->n_trainings; ++i) n += e->trainings[i].done;
    return n;
}
