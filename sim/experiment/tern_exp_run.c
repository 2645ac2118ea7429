/* tern_exp_run.c : an experiment as a table of trainings: which commands, and what is kept of their answers
 * SPDX-License-Identifier: Apache-2.0
 *
 * At each point: train up to `presentations` (not before the first presentation), then one evaluation for each K_I.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_exp_internal.h"

/* ---- what commands told ---- */

/* Members of the answer of `tern eval` by their names there. */
static const struct {
    const char *object, *member;
} eval_members[TERN_EXP_EVAL_METRICS] = {
    [TERN_EXP_LOG_LOSS] = { NULL, "log_loss" },
    [TERN_EXP_LOG_LOSS_IW] = { NULL, "log_loss_iw" },
    [TERN_EXP_LOG_LIKELIHOOD] = { NULL, "log_likelihood" },
    [TERN_EXP_ACCURACY] = { NULL, "accuracy" },
    [TERN_EXP_ECE] = { "decisions", "ece" },
    [TERN_EXP_ECE_DEBIASED] = { "decisions", "ece_debiased" },
    [TERN_EXP_ECE_ADAPTIVE] = { "decisions", "ece_adaptive" },
    [TERN_EXP_ECE_VOTES] = { "decisions", "ece_votes" },
    [TERN_EXP_ECE_VOTES_DEBIASED] = { "decisions", "ece_votes_debiased" },
    [TERN_EXP_ECE_SQUARED] = { "decisions", "ece_squared" },
    [TERN_EXP_ECE_VOTES_SQUARED] = { "decisions", "ece_votes_squared" },
    [TERN_EXP_ENTROPY_RIGHT] = { "decisions", "entropy_right" },
    [TERN_EXP_ENTROPY_WRONG] = { "decisions", "entropy_wrong" },
    [TERN_EXP_HIDDEN_RATE] = { NULL, "hidden_rate_clamped" },
};

static tern_status take_eval(const char *path, uint32_t inference, json_t *evals, tern_diags *diags)
{
    json_t *answer, *row = tern_json_object();
    tern_status s = tern_exp_load_json(path, &answer, diags);
    if (s == TERN_OK && answer == NULL) s = tern_trials_missing(path, "log_loss", diags);
    if (s == TERN_OK) tern_json_put(row, "inference", json_integer(inference));
    for (size_t i = 0; i < TERN_EXP_EVAL_METRICS && s == TERN_OK; ++i) {
        json_t *o = eval_members[i].object == NULL ? answer : json_object_get(answer, eval_members[i].object);
        /* no label population: "decisions" is null */
        json_t *value = json_is_null(o) ? o : json_object_get(o, eval_members[i].member);
        if (value == NULL || (!json_is_number(value) && !json_is_null(value)))
            s = tern_trials_missing(path, eval_members[i].member, diags);
        else tern_json_put(row, tern_exp_metric_names[i], json_incref(value));
    }
    json_t *curve = json_object_get(json_object_get(answer, "decisions"), "curve"); /* voting asks for it */
    if (s == TERN_OK && curve != NULL) tern_json_put(row, "curve", json_incref(curve));
    json_decref(answer);
    if (s == TERN_OK) tern_json_add(evals, json_incref(row));
    json_decref(row);
    return s;
}

/* Means over all presentations of the log of `tern train`: hidden spikes of all samples per step, numbers sent per
 * step. Each presentation must be there: a mean over fewer would look as good. */
static tern_status take_log(const tern_exp_training *t, uint32_t presentations, const char *path, json_t *part,
                            tern_diags *diags)
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
            sum[0] += json_number_value(rate) * t->hidden * t->samples; /* without hidden neurons: null or 0 */
            sum[1] += json_number_value(json_object_get(c, "unicast"));
            sum[2] += json_number_value(json_object_get(c, "broadcast"));
            ++rows;
        }
        json_decref(o);
    }
    if (f != NULL) fclose(f);
    if (tern_json_faults() != before) return TERN_ERR_MEMORY;
    if (rows != presentations) return tern_trials_missing(path, "presentation", diags);
    for (size_t i = 0; i < 3; ++i)
        tern_json_put(part, tern_exp_metric_names[TERN_EXP_HIDDEN_SPIKES + i], json_real(sum[i] / rows));
    return TERN_OK;
}

/* ---- the table ---- */

/* Presentations at a point, and those before it. */
static uint32_t presentations(const tern_exp *e, size_t point) { return e->set.presentations.v[point]; }
static uint32_t trained(const tern_exp *e, size_t point) { return point == 0 ? 0 : e->set.presentations.v[point - 1]; }
/* Commands that train, before those that measure. */
static size_t n_trains(const tern_exp *e, size_t point) { return presentations(e, point) != 0; }

static const char *name(void *ud, size_t i) { return ((const tern_exp *)ud)->trainings[i].name; }

static json_t *begin(void *ud, size_t i)
{
    const tern_exp_training *t = &((const tern_exp *)ud)->trainings[i];
    return tern_json_pack("{s:s, s:s, s:I, s:I, s:I, s:[]}", "training", t->name, "rule", tern_exp_rules[t->rule],
                          "hidden", (json_int_t)t->hidden, "samples", (json_int_t)t->samples, "seed",
                          (json_int_t)t->seed, "points");
}

static bool fits(void *ud, size_t i, const json_t *part)
{
    const tern_exp *e = ud;
    const json_t *points = json_object_get(part, "points");
    uint32_t inference[TERN_EXP_LIST_MAX];
    const size_t n = json_array_size(points), n_inference = tern_exp_inference(e, &e->trainings[i], inference);
    for (size_t p = 0; p < n; ++p) {
        const json_t *point = json_array_get(points, p), *at = json_object_get(point, "presentations"),
                     *evaluations = json_object_get(point, "evaluations");
        if (!json_is_integer(at) || json_integer_value(at) != presentations(e, p) ||
            json_array_size(evaluations) != n_inference)
            return false;
        for (size_t k = 0; k < n_inference; ++k)
            if (json_integer_value(json_object_get(json_array_get(evaluations, k), "inference")) != inference[k])
                return false;
    }
    return true;
}

static size_t commands(void *ud, size_t i, size_t point)
{
    const tern_exp *e = ud;
    uint32_t inference[TERN_EXP_LIST_MAX];
    return n_trains(e, point) + tern_exp_inference(e, &e->trainings[i], inference);
}

static void command(void *ud, size_t i, size_t point, size_t c, const char *executable, tern_exp_command *out)
{
    tern_exp *e = ud;
    uint32_t inference[TERN_EXP_LIST_MAX];
    tern_exp_inference(e, &e->trainings[i], inference);
    const size_t trains = n_trains(e, point);
    if (c < trains)
        tern_exp_train_command(e, &e->trainings[i], presentations(e, point), trained(e, point) != 0, executable, false,
                               out);
    else
        tern_exp_eval_command(e, &e->trainings[i], presentations(e, point), inference[c - trains], executable, false,
                              out);
}

static tern_status take(void *ud, size_t i, size_t point, size_t c, const char *answer, json_t *evaluations,
                        tern_diags *diags)
{
    const tern_exp *e = ud;
    uint32_t inference[TERN_EXP_LIST_MAX];
    tern_exp_inference(e, &e->trainings[i], inference);
    const size_t trains = n_trains(e, point);
    return c < trains ? TERN_OK : take_eval(answer, inference[c - trains], evaluations, diags);
}

static json_t *point_json(void *ud, size_t i, size_t point, json_t *evaluations)
{
    const tern_exp *e = ud;
    const uint32_t length = e->trainings[i].length; /* voting: steps of a presentation; 0: the data's */
    return tern_json_pack("{s:I, s:I, s:O}", "presentations", (json_int_t)presentations(e, point), "steps",
                          (json_int_t)presentations(e, point) * (json_int_t)(length != 0 ? length : e->n_steps),
                          "evaluations", evaluations);
}

static tern_status finish(void *ud, size_t i, json_t *part, tern_diags *diags)
{
    tern_exp *e = ud;
    const uint32_t made = presentations(e, e->set.presentations.n - 1);
    const char *path = tern_exp_part(e, &e->trainings[i], "jsonl");
    if (path == NULL) return TERN_ERR_MEMORY;
    return made == 0 ? TERN_OK : take_log(&e->trainings[i], made, path, part, diags);
}

tern_status tern_exp_run(tern_exp *e, uint32_t jobs, tern_diags *diags)
{
    bool *done = tern_arena_get(&e->arena, e->n_trainings, sizeof *done);
    if (done == NULL) return TERN_ERR_MEMORY;
    tern_trials t = { .dir = e->dir,
                      .label = tern_exp_names[e->set.kind],
                      .arena = &e->arena,
                      .n = e->n_trainings,
                      .n_points = e->set.presentations.n,
                      .n_seeds = e->set.seeds,
                      .done = done,
                      .ud = e,
                      .name = name,
                      .begin = begin,
                      .fits = fits,
                      .commands = commands,
                      .command = command,
                      .take = take,
                      .point = point_json,
                      .finish = finish };
    const tern_status s = tern_trials_run(&t, jobs, diags);
    for (size_t i = 0; i < e->n_trainings; ++i) e->trainings[i].done = done[i];
    return s;
}

uint32_t tern_exp_n_done(const tern_exp *e)
{
    uint32_t n = 0;
    for (size_t i = 0; i < e->n_trainings; ++i) n += e->trainings[i].done;
    return n;
}
