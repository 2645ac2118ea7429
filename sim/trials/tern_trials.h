/* tern_trials.h : a table of trainings, run as child processes of this executable and kept in a folder
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `tern experiment` and `tern sweep` share. A table has n trainings. Each goes through the same number of points:
 * at a point some commands run one after the other (train up to here, then measure), and what they answer is kept.
 * After every point the training's file, DIR/parts/NAME.json, is written again (temporary name, then rename), so a
 * table
 * that is stopped in any way goes on from there. The caller says by functions what the trainings are called, which
 * commands they are made of and what is kept of the answers; results are then made of the files alone, and so depend
 * neither on interruptions nor on the number of jobs.
 *
 *     tern_trials_folder(dir, "sweep.json", "sweep", arena, &lock, diags)    makes and locks the folder
 *     tern_trials_compare(settings, before, path, "a sweep", false, diags)   the folder is of these settings
 *     tern_trials_run(&t, jobs, diags)                                      what is not done yet; t.done tells what is
 *     close(lock)
 *
 * Not for several threads at a time: children are waited for by their numbers, but the interrupt is the process's.
 */
#ifndef TERN_TRIALS_H
#define TERN_TRIALS_H
#include "tern_exp_child.h"
#include "tern_exp_stats.h"
#include "tern_json.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A formatted text of less than 4096 bytes in the arena; NULL: out of memory, or too long. */
char *tern_exp_text(tern_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- files (tern_trials_folder.c)
 * ------------------------------------------------------------------------------------ */

/* Writes an indented JSON file (temporary name, then rename); does not take the reference. Code 302. */
tern_status tern_exp_save_json(const json_t *value, const char *path, tern_diags *diags);
/* A JSON file of one object, of at most 64 MiB; *out NULL without error: there is none. Code 754: it is damaged. */
tern_status tern_exp_load_json(const char *path, json_t **out, tern_diags *diags);
/* Makes one folder, or takes the one that is there. Code 750. */
tern_status tern_exp_make_folder(const char *path, tern_diags *diags);

/* Makes DIR, DIR/parts and DIR/data and locks DIR. `file`: name of the settings' file, which tells a folder of this
 * kind; `kind`: what it holds, in messages ("experiment", "sweep"). A folder that holds anything else is refused (750),
 * and one that another table, or a child that it left, is at work in after two seconds (755). *out_lock: descriptor to
 * be closed at the end; children inherit it. -1 on failure. */
tern_status tern_trials_folder(const char *dir, const char *file, const char *kind, tern_arena *arena, int *out_lock,
                               tern_diags *diags);
/* Are the members of `now` those of `before`, the settings that the folder was made with (the file `path`)? The first
 * one that differs is code 751. The member "seeds" may differ: a training does not depend on how many there are, so
 * more are added, and of fewer the results are made; the caller then saves `now`
 * (tern_trials_other_seeds()). `kind`: with its article ("an experiment"); `made_data`: recordings in the folder are
 * made by the table, which the hint for the members `train_data` and `test_data` then tells. */
tern_status tern_trials_compare(json_t *now, json_t *before, const char *path, const char *kind, bool made_data,
                                tern_diags *diags);
/* Are there other seeds than before? `before` NULL: yes. */
bool tern_trials_other_seeds(const json_t *now, const json_t *before);

/* ---- running (tern_trials_run.c)
 * -------------------------------------------------------------------------------------- */

typedef struct tern_trials {
    const char *dir, *label; /* label: of the progress */
    tern_arena *arena;
    size_t n, n_points; /* trainings, at most 10000; points of each, at least 1 */
    size_t
        n_seeds; /* training i has seed 1 + i % n_seeds. They run seed by seed, so that a table that is stopped has as
                     * many whole seeds as possible; 0: in their order. No result depends on it */
    bool *done;  /* [n] is it finished? Set by tern_trials_run() */
    void *ud;    /* of all functions below; i < n, point < n_points */
    const char *(*name)(void *ud, size_t i); /* name of its files: letters, digits, '-' */
    json_t *(*begin)(void *ud, size_t i);    /* its file before the first point: "training": name, "points": [] */
    bool (*fits)(void *ud, size_t i, const json_t *part); /* are the points in this file those of the table? */
    size_t (*commands)(void *ud, size_t i, size_t point); /* how many, at least 1 */
    void (*command)(void *ud, size_t i, size_t point, size_t c, const char *executable, tern_exp_command *out);
    tern_status (*take)(void *ud, size_t i, size_t point, size_t c, const char *answer, json_t *evaluations,
                        tern_diags *diags); /* keeps what a command printed */
    json_t *(*point)(void *ud, size_t i, size_t point,
                     json_t *evaluations); /* the member of "points"; does not take the reference */
    tern_status (*finish)(void *ud, size_t i, json_t *part,
                          tern_diags *diags); /* behind the last point, while its log is still there */
} tern_trials;

enum { TERN_TRIALS_MAX = 10000 };

/* DIR/parts/NAME.SUFFIX, in the arena. `tern`, `jsonl`: what commands write; `out`, `err`: what they print. All are
 * removed with the last point. */
char *tern_trials_part(const tern_trials *t, size_t i, const char *suffix);
/* Trainings at a time by default: tern_processors(), 1 to 64. */
uint32_t tern_trials_jobs(void);
/* Runs what is not done, `jobs` trainings at a time on each rank; on rank 0, while the others call
 * tern_exp_places_serve() (tern_exp_place.h). Code 176: a rank is lost with its training. A child that fails (752) ends
 * all; an interrupt
 * (tern_interrupted()) lets children save, and returns TERN_OK. Code 754: a file is damaged or of another table; 753:
 * an answer lacks a member (tern_trials_missing()). */
tern_status tern_trials_run(tern_trials *t, uint32_t jobs, tern_diags *diags);
size_t tern_trials_n_done(const tern_trials *t);

/* A command alone, with its output in DIR/data. Code 752. */
tern_status tern_trials_run_one(const char *dir, const tern_exp_command *c, tern_arena *arena, tern_diags *diags);
/* Reports code 753: the answer in `path` lacks the member. Always TERN_ERR_FORMAT. */
tern_status tern_trials_missing(const char *path, const char *member, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_TRIALS_H */
