/* tern_sweep_run.c : a sweep as a table of trainings: which commands, and what is kept of their answers
 * SPDX-License-Identifier: Apache-2.0
 *
 * At each point: train up to it (not before the first presentation), then measure once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tern_sweep.h"

const struct tern_sweep_metric_info tern_sweep_metrics[TERN_SWEEP_METRICS] = {
#define XX(ID, name, option, label, up) { #name, option, label, up },
    TERN_SWEEP_METRIC_MAP(XX)
#undef XX
};

static size_t setting_of(const tern_sweep *w, size_t i) { return i / w->set.seeds; }
static uint32_t seed_of(const tern_sweep *w, size_t i) { return (uint32_t)(i % w->set.seeds) + 1; }
static size_t n_trains(const tern_sweep *w, size_t point) { return w->set.points[point] != 0; }

static const char *name(void *ud, size_t i)
{
    static char text[40]; /* used at once by the caller */
    const tern_sweep *w = ud;
    snprintf(text, sizeof text, "setting%zu-seed%" PRIu32, setting_of(w, i) + 1, seed_of(w, i));
    return text;
}

static json_t *begin(void *ud, size_t i)
{
    tern_sweep *w = ud;
    const char *words = tern_sweep_words(w, setting_of(w, i));
    return words == NULL ? NULL
                         : tern_json_pack("{s:s, s:s, s:I, s:[], s:[]}", "training", name(ud, i), "set", words, "seed",
                                          (json_int_t)seed_of(w, i), "warnings", "points");
}

static bool fits(void *ud, size_t i, const json_t *part)
{
    tern_sweep *w = ud;
    const json_t *points = json_object_get(part, "points");
    const char *words = tern_sweep_words(w, setting_of(w, i)),
               *before = json_string_value(json_object_get(part, "set"));
    if (words == NULL || before == NULL || strcmp(words, before) != 0) return false;
    for (size_t p = 0; p < json_array_size(points); ++p) {
        const json_t *point = json_array_get(points, p);
        if (json_integer_value(json_object_get(point, "presentations")) != w->set.points[p] ||
            !json_is_object(json_object_get(point, "evaluation")))
            return false;
    }
    return true;
}

static size_t commands(void *ud, size_t i, size_t point)
{
    (void)i;
    return n_trains(ud, point) + 1;
}

static void command(void *ud, size_t i, size_t point, size_t c, const char *executable, tern_exp_command *out)
{
    tern_sweep *w = ud;
    const bool train = c < n_trains(w, point), trained = w->set.points[point] != 0;
    const char *image = tern_trials_part(&w->trials, i, "tern");
    tern_exp_command_begin(out, executable);
    tern_exp_command_add(out, train ? "train" : "eval");
    if (image == NULL) out->too_long = true;
    else tern_exp_command_add(out, train || !trained ? w->set.script : image);
    tern_exp_command_pair(out, "--data", train ? w->train : w->test);
    if (train || !trained) tern_sweep_add_sets(w, setting_of(w, i), seed_of(w, i), out);
    if (train) {
        tern_exp_command_pair(out, "--seed", tern_exp_text(&w->arena, "%" PRIu32, seed_of(w, i)));
        tern_exp_command_pair(out, "--presentations", tern_exp_text(&w->arena, "%" PRIu32, w->set.points[point]));
        tern_exp_command_pair(out, "-o", image);
        if (point != 0 && w->set.points[point - 1] != 0) tern_exp_command_add(out, "--resume");
    } else {
        tern_exp_command_pair(out, "--samples", tern_exp_text(&w->arena, "%" PRIu32, w->set.inference));
    }
    tern_exp_command_pair(out, "--threads", "1"); /* commands run side by side; no bit depends on it */
    tern_exp_command_add(out, "--json");
}

/* Members of the answer of `tern eval`. */
static tern_status take_eval(const json_t *answer, const char *path, json_t *evaluations, tern_diags *diags)
{
    json_t *row = tern_json_object();
    const json_t *decisions = json_object_get(answer, "decisions");
    for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m) {
        json_t *value = m == TERN_SWEEP_ECE ? json_object_get(decisions, "ece")
                                            : json_object_get(answer, tern_sweep_metrics[m].name);
        const bool optional =
            m == TERN_SWEEP_ECE || m == TERN_SWEEP_DISTANCE; /* without decisions or rule reward there is none */
        if (value == NULL && optional) value = json_null();
        if (value == NULL || (!json_is_number(value) && !json_is_null(value))) {
            json_decref(row);
            return tern_trials_missing(path, tern_sweep_metrics[m].name, diags);
        }
        tern_json_put(row, tern_sweep_metrics[m].name, json_incref(value));
    }
    tern_json_add(evaluations, row);
    return TERN_OK;
}

static tern_status take(void *ud, size_t i, size_t point, size_t c, const char *path, json_t *evaluations,
                        tern_diags *diags)
{
    const bool train = c < n_trains(ud, point);
    json_t *answer = NULL;
    (void)i;
    tern_status s = tern_exp_load_json(path, &answer, diags);
    if (s == TERN_OK && answer == NULL) s = tern_trials_missing(path, train ? "warnings" : "log_loss", diags);
    if (s == TERN_OK && !train) s = take_eval(answer, path, evaluations, diags);
    if (s == TERN_OK && train) {
        json_t *warnings = json_object_get(answer, "warnings");
        if (!json_is_array(warnings)) s = tern_trials_missing(path, "warnings", diags);
        else tern_json_add(evaluations, json_incref(warnings));
    }
    json_decref(answer);
    return s;
}

static json_t *point_json(void *ud, size_t i, size_t point, json_t *evaluations)
{
    const tern_sweep *w = ud;
    (void)i;
    const bool train = n_trains(w, point) != 0;
    return tern_json_pack("{s:I, s:O, s:o}", "presentations", (json_int_t)w->set.points[point], "evaluation",
                          json_array_get(evaluations, train), "warnings",
                          train ? json_incref(json_array_get(evaluations, 0)) : tern_json_list());
}

static tern_status finish(void *ud, size_t i, json_t *part, tern_diags *diags)
{
    (void)ud, (void)i, (void)diags;
    const json_t *points = json_object_get(part, "points");
    tern_json_put(part, "warnings",
                  json_incref(json_object_get(json_array_get(points, json_array_size(points) - 1), "warnings")));
    return TERN_OK;
}

void tern_sweep_trials(tern_sweep *w)
{
    w->trials = (tern_trials){ .dir = w->dir,
                               .label = "sweep",
                               .arena = &w->arena,
                               .n = w->n_settings * w->set.seeds,
                               .n_points = w->set.n_points,
                               .n_seeds = w->set.seeds,
                               .ud = w,
                               .name = name,
                               .begin = begin,
                               .fits = fits,
                               .commands = commands,
                               .command = command,
                               .take = take,
                               .point = point_json,
                               .finish = finish };
}

tern_status tern_sweep_run(tern_sweep *w, uint32_t jobs, tern_diags *diags)
{
    w->trials.done = tern_arena_get(&w->arena, w->trials.n, sizeof *w->trials.done);
    return w->trials.done == NULL ? TERN_ERR_MEMORY : tern_trials_run(&w->trials, jobs, diags);
}
