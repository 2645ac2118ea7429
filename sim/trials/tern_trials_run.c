/* tern_trials_run.c : runs what is not done yet, several trainings at a time
 * SPDX-License-Identifier: Apache-2.0
 *
 * A training goes from point to point, its commands one after the other. After each point its file is written again, so
 * a run that was stopped goes on there: `tern train --resume` gives the same bits as a training that was never stopped.
 */
#include "tern_trials.h"
#include "tern_errors.h"
#include "tern_processors.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern_exp_place.h"
#include "tern_interrupt.h"
#include "tern_progress.h"
#include "tern_ranks.h"

/* A training at work. */
typedef struct job {
    bool used;
    size_t i;        /* training */
    json_t *part;    /* its file: {"points": [...]} */
    size_t point, c; /* next: command c of this point */
    json_t *evals;   /* of this point */
    tern_exp_place *place;
    bool failed;
    char *out, *err;
    tern_exp_command command;
} job;

typedef struct runner {
    tern_trials *t;
    const char *executable;
    size_t next; /* turn: see training_of() */
    uint64_t n_points, n_points_done;
    tern_exp_place *places; /* [n_jobs] */
    bool stopping;          /* something failed, or the user wants to stop: start nothing new */
    tern_diags *diags;
    tern_progress bar;
} runner;

char *tern_trials_part(const tern_trials *t, size_t i, const char *suffix)
{
    return tern_exp_text(t->arena, "%s/parts/%s.%s", t->dir, t->name(t->ud, i), suffix);
}

/* ---- children that failed ---- */

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

/* After a child failed: its own message and its command. */
static tern_status child_failed(tern_arena *arena, const tern_exp_command *c, int status, const char *err_path,
                                tern_diags *diags)
{
    char message[300];
    own_message(err_path, message, sizeof message);
    const char *text = tern_exp_command_text(c, arena);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_COMMAND, err_path, 0,
                                  c->n > 1 ? c->words[1] : NULL, "a command of the experiment ended with status %d: %s",
                                  status, message[0] != 0 ? message : "no output"),
                   "what is finished is kept; when the cause is fixed, the same call continues");
    tern_diags_add(diags, TERN_SEV_NOTE, TERN_ERROR_TRIALS_COMMAND, NULL, 0, NULL, "the command was: %s",
                   text == NULL ? "?" : text);
    return TERN_ERR_TOOL;
}

tern_status tern_trials_run_one(const char *dir, const tern_exp_command *c, tern_arena *arena, tern_diags *diags)
{
    pid_t pid;
    int status = 0;
    char *out = tern_exp_text(arena, "%s/data/command.out", dir),
         *err = tern_exp_text(arena, "%s/data/command.err", dir);
    if (out == NULL || err == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_exp_child_start(c, out, err, &pid, diags);
    if (s != TERN_OK) return s;
    tern_exp_end end;
    for (bool asked = false; (end = tern_exp_child_poll(pid, &status)) == TERN_EXP_RUNNING; tern_exp_child_pause())
        if (!asked && tern_interrupted()) {
            tern_exp_child_ask(pid);
            asked = true;
        }
    if (end == TERN_EXP_FAILED) return tern_interrupted() ? TERN_ERR_TOOL : child_failed(arena, c, status, err, diags);
    unlink(out);
    unlink(err);
    return TERN_OK;
}

tern_status tern_trials_missing(const char *path, const char *member, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_ANSWER, path, 0, member,
                                  "the command's answer lacks this member, or it is not a number"),
                   "was the executable replaced while the experiment ran?");
    return TERN_ERR_FORMAT;
}

/* ---- a training, command by command ---- */

static tern_status start_next(runner *r, job *j)
{
    r->t->command(r->t->ud, j->i, j->point, j->c, r->executable, &j->command);
    return tern_exp_place_start(j->place, &j->command, j->out, j->err, r->diags);
}

static void remove_files(const tern_trials *t, size_t i)
{
    static const char *const suffixes[] = {
        "out",           "err",   "tern",      "tern.lock", "tern.reference", "tern.reference.next", "tern.checkpoint",
        "tern.unlogged", "jsonl", "jsonl.lock"
    };
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; ++k) {
        const char *path = tern_trials_part(t, i, suffixes[k]);
        if (path != NULL) unlink(path);
    }
}

static void release(job *j)
{
    json_decref(j->part);
    json_decref(j->evals);
    *j = (job){ .place = j->place };
}

/* A child of the job has ended well: keeps what it told, writes the training's file after the last command of a point.
 */
static tern_status advance(runner *r, job *j)
{
    tern_trials *t = r->t;
    tern_status s = t->take(t->ud, j->i, j->point, j->c, j->out, j->evals, r->diags);
    if (s != TERN_OK || ++j->c < t->commands(t->ud, j->i, j->point)) return s;
    tern_json_add(json_object_get(j->part, "points"), t->point(t->ud, j->i, j->point, j->evals));
    json_decref(j->evals);
    j->evals = tern_json_list();
    j->c = 0;
    const bool last = ++j->point == t->n_points;
    if (last) s = t->finish(t->ud, j->i, j->part, r->diags);
    if (s == TERN_OK && last) tern_json_put(j->part, "done", json_true());
    if (s == TERN_OK) s = tern_exp_save_json(j->part, tern_trials_part(t, j->i, "json"), r->diags);
    if (s != TERN_OK) return s;
    ++r->n_points_done;
    if (last) {
        t->done[j->i] = true;
        remove_files(t, j->i);
        release(j);
    }
    return TERN_OK;
}

/* Sets a job up with a training, behind the points that its file holds. */
static tern_status take_up(runner *r, size_t i, job *j)
{
    const tern_trials *t = r->t;
    const char *path = tern_trials_part(t, i, "json");
    *j = (job){ .used = true, .i = i, .place = j->place };
    j->out = tern_trials_part(t, i, "out");
    j->err = tern_trials_part(t, i, "err");
    if (path == NULL || j->out == NULL || j->err == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_exp_load_json(path, &j->part, r->diags);
    if (s != TERN_OK) return s;
    j->evals = tern_json_list();
    if (j->part == NULL) j->part = t->begin(t->ud, i);
    j->point = json_array_size(json_object_get(j->part, "points"));
    return j->evals == NULL || j->part == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- all of them ---- */

/* Is this the file of training i: its name, and as many points as it may have? */
static bool part_fits(const tern_trials *t, size_t i, const json_t *part)
{
    const char *name = json_string_value(json_object_get(part, "training"));
    const json_t *points = json_object_get(part, "points");
    const size_t n = json_array_size(points);
    if (name == NULL || strcmp(name, t->name(t->ud, i)) != 0 || !json_is_array(points) || n > t->n_points) return false;
    return json_is_true(json_object_get(part, "done")) == (n == t->n_points) && t->fits(t->ud, i, part);
}

/* Which trainings are finished, and how many points there are. A file that says something else than its name is
 * damaged. */
static tern_status look(runner *r)
{
    tern_trials *t = r->t;
    for (size_t i = 0; i < t->n; ++i) {
        json_t *part;
        const char *path = tern_trials_part(t, i, "json");
        if (path == NULL) return TERN_ERR_MEMORY;
        const tern_status s = tern_exp_load_json(path, &part, r->diags);
        if (s != TERN_OK) return s;
        if (part == NULL) continue;
        const size_t n = json_array_size(json_object_get(part, "points"));
        const bool good = part_fits(t, i, part), done = json_is_true(json_object_get(part, "done"));
        json_decref(part);
        if (!good) {
            tern_diag_hint(tern_diags_add(r->diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_DAMAGED, path, 0, "training",
                                          "damaged: this is not what an experiment writes"),
                           "remove this file; what it held is made again");
            return TERN_ERR_FORMAT;
        }
        t->done[i] = done;
        if (done) remove_files(t, i); /* what a kill has left */
        r->n_points_done += n;
    }
    return TERN_OK;
}

/* The training whose turn it is: all of seed 1, then all of seed 2, and so on. */
static size_t training_of(const tern_trials *t, size_t turn)
{
    if (t->n_seeds < 2) return turn;
    const size_t each = t->n / t->n_seeds;
    return turn % each * t->n_seeds + turn / each;
}

static tern_status fill(runner *r, job *j)
{
    const tern_trials *t = r->t;
    while (r->next < t->n && t->done[training_of(t, r->next)]) ++r->next;
    if (r->next == t->n) return TERN_OK;
    const tern_status s = take_up(r, training_of(t, r->next++), j);
    return s == TERN_OK ? start_next(r, j) : s;
}

/* A training whose rank is gone; nothing of it is known to be wrong, so the others go on. */
static void lose(runner *r, job *j)
{
    tern_diag_hint(tern_diags_add(r->diags, TERN_SEV_ERROR, TERN_ERROR_RANK_LOST, r->t->name(r->t->ud, j->i), 0, NULL,
                                  "rank %u is lost, and with it this training since its last point", j->place->rank),
                   "the other trainings were finished; the same command continues with this one");
    tern_ranks_lose();
    release(j);
}

/* Looks after one job. */
static tern_status tend(runner *r, job *j)
{
    int status = 0;
    if (!j->used) return r->stopping || j->place->lost ? TERN_OK : fill(r, j);
    if (j->failed || !j->place->busy) return TERN_OK;
    const tern_exp_end end = tern_exp_place_poll(j->place, &status);
    if (end == TERN_EXP_RUNNING) return TERN_OK;
    if (j->place->lost) {
        lose(r, j);
        return TERN_OK;
    }
    if (end == TERN_EXP_FAILED) {
        j->failed = true;
        if (r->stopping || tern_interrupted()) return TERN_OK; /* it was asked to end */
        return child_failed(r->t->arena, &j->command, status, j->err, r->diags);
    }
    const tern_status s = advance(r, j);
    if (s != TERN_OK || r->stopping) return s;
    return j->used ? start_next(r, j) : fill(r, j);
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
            for (uint32_t i = 0; i < n_jobs; ++i) tern_exp_place_ask(jobs[i].place);
        }
        for (uint32_t i = 0; i < n_jobs; ++i) busy |= jobs[i].place->busy;
        tern_progress_update(&r->bar, r->n_points_done, NULL);
    }
    return result;
}

uint32_t tern_trials_jobs(void)
{
    const uint32_t n = tern_processors();
    return n > 64 ? 64 : n;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* A training is known by its name alone. */
static tern_status check_names(const tern_trials *t)
{
    const char **names = tern_arena_get(t->arena, t->n, sizeof *names);
    if (names == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < t->n; ++i)
        if ((names[i] = tern_arena_strdup(t->arena, t->name(t->ud, i))) == NULL) return TERN_ERR_MEMORY;
    qsort(names, t->n, sizeof *names, by_name);
    for (size_t i = 1; i < t->n; ++i)
        if (strcmp(names[i - 1], names[i]) == 0) return TERN_ERR_ARGUMENT;
    return TERN_OK;
}

tern_status tern_trials_run(tern_trials *t, uint32_t jobs_each, tern_diags *diags)
{
    const uint32_t n_jobs = jobs_each * tern_ranks_count();
    char executable[4096];
    runner r = { .t = t, .executable = executable, .n_points = (uint64_t)t->n * t->n_points, .diags = diags };
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK && t->n_seeds != 0 && t->n % t->n_seeds != 0) s = TERN_ERR_ARGUMENT;
    if (s == TERN_OK) s = check_names(t);
    if (s == TERN_OK) s = look(&r);
    job *jobs = s == TERN_OK ? tern_arena_get(t->arena, n_jobs, sizeof *jobs) : NULL;
    r.places = s == TERN_OK ? tern_arena_get(t->arena, n_jobs, sizeof *r.places) : NULL;
    if (jobs == NULL || r.places == NULL) return s == TERN_OK ? TERN_ERR_MEMORY : s;
    tern_exp_places_init(r.places, jobs_each);
    for (uint32_t i = 0; i < n_jobs; ++i) jobs[i].place = &r.places[i];
    tern_progress_begin(&r.bar, t->label, "point", r.n_points);
    tern_progress_skip(&r.bar, r.n_points_done);
    s = loop(&r, jobs, n_jobs);
    if (s == TERN_OK && tern_ranks_lost()) s = TERN_ERR_TOOL;
    tern_progress_end(&r.bar);
    for (uint32_t i = 0; i < n_jobs; ++i) release(&jobs[i]);
    return s;
}

size_t tern_trials_n_done(const tern_trials *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; ++i) n += t->done[i];
    return n;
}
