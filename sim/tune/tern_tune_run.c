/* tern_tune_run.c : the trainings of one table: which commands, what is kept of their answers, and what it comes to
 * SPDX-License-Identifier: Apache-2.0
 *
 * A training is trained and measured once. Its file is named by its formats, not by a number: a search with another
 * distance, which takes another way, finds what is done.
 */
#include "tern_interrupt.h"
#include "tern_tune.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tern_tune_saturations[TERN_TUNE_SATURATIONS] = { "weight",      "local",   "potential",
                                                                   "coefficient", "logprob", "modulator" };

static size_t setting_of(const tern_tune *t, size_t i) { return t->first + i / t->set.seeds; }
static uint32_t seed_of(const tern_tune *t, size_t i) { return (uint32_t)(i % t->set.seeds) + 1; }

static const char *name(void *ud, size_t i)
{
    static char text[120]; /* used at once by the caller */
    const tern_tune *t = ud;
    const tern_tune_setting *x = &t->settings[setting_of(t, i)];
    int n = snprintf(text, sizeof text, x->reference ? "reference" : "weight%d-%d", x->value[0], x->fraction);
    for (size_t key = 1; key < TERN_TUNE_KEYS; ++key)
        if (x->given[key])
            n += snprintf(text + n, sizeof text - (size_t)n, "-%s%d", tern_tune_keys[key], x->value[key]);
    snprintf(text + n, sizeof text - (size_t)n, "-seed%" PRIu32, seed_of(t, i));
    return text;
}

static json_t *begin(void *ud, size_t i)
{
    tern_tune *t = ud;
    const char *words = tern_tune_words(t, setting_of(t, i));
    return words == NULL ? NULL
                         : tern_json_pack("{s:s, s:s, s:I, s:[]}", "training", name(ud, i), "set", words, "seed",
                                          (json_int_t)seed_of(t, i), "points");
}

static bool fits(void *ud, size_t i, const json_t *part)
{
    tern_tune *t = ud;
    const char *words = tern_tune_words(t, setting_of(t, i)), *before = json_string_value(json_object_get(part, "set"));
    const json_t *points = json_object_get(part, "points"), *point = json_array_get(points, 0);
    if (words == NULL || before == NULL || strcmp(words, before) != 0) return false;
    return point == NULL ||
           (json_is_number(json_object_get(point, "log_loss")) &&
            json_is_object(json_object_get(point, "saturations")) && json_is_array(json_object_get(point, "places")));
}

static size_t commands(void *ud, size_t i, size_t point)
{
    (void)ud, (void)i, (void)point;
    return 2;
}

static void command(void *ud, size_t i, size_t point, size_t c, const char *executable, tern_exp_command *out)
{
    tern_tune *t = ud;
    const tern_tune_setting *x = &t->settings[setting_of(t, i)];
    const bool train = c == 0;
    const char *image = tern_trials_part(&t->trials, i, "tern"),
               *seed = tern_exp_text(&t->base.arena, "%" PRIu32, seed_of(t, i));
    (void)point;
    tern_exp_command_begin(out, executable);
    tern_exp_command_add(out, train ? "train" : "eval");
    if (image == NULL) out->too_long = true;
    else tern_exp_command_add(out, train ? t->set.script : image);
    tern_exp_command_pair(out, "--data", train ? t->base.train : t->base.test);
    if (train) {
        tern_exp_command_pair(out, "--set", seed == NULL ? NULL : tern_exp_text(&t->base.arena, "seed=%s", seed));
        tern_tune_add_common(t, out);
        tern_tune_add_sets(t, x, out);
        tern_exp_command_pair(out, "--seed", seed);
        tern_exp_command_pair(out, "--presentations", tern_exp_text(&t->base.arena, "%" PRIu32, t->base.set.points[0]));
        tern_exp_command_pair(out, "-o", image);
    } else {
        tern_exp_command_pair(out, "--samples", tern_exp_text(&t->base.arena, "%" PRIu32, t->set.inference));
    }
    if (x->reference) tern_exp_command_pair(out, "--engine", "reference");
    else tern_exp_command_pair(out, "--threads", "1"); /* commands run side by side; no bit depends on it */
    tern_exp_command_add(out, "--json");
}

static tern_status take_member(const json_t *answer, const char *path, const char *member, bool optional, json_t *to,
                               tern_diags *diags)
{
    json_t *value = json_object_get(answer, member);
    if (value == NULL && optional) value = json_null();
    if (!json_is_number(value) && !json_is_object(value) && !(optional && json_is_null(value)))
        return tern_trials_missing(path, member, diags);
    tern_json_put(to, member, json_incref(value));
    return TERN_OK;
}

/* The reference limits nothing, and has no places: null. */
static tern_status take_places(const json_t *answer, const char *path, json_t *to, tern_diags *diags)
{
    const json_t *value = json_object_get(answer, "places");
    if (!json_is_array(value) && !json_is_null(value)) return tern_trials_missing(path, "places", diags);
    tern_json_put(to, "places", json_is_array(value) ? json_incref((json_t *)value) : tern_json_list());
    return TERN_OK;
}

static tern_status take(void *ud, size_t i, size_t point, size_t c, const char *path, json_t *evaluations,
                        tern_diags *diags)
{
    json_t *answer = NULL, *row = tern_json_object();
    (void)ud, (void)i, (void)point;
    tern_status s = tern_exp_load_json(path, &answer, diags);
    if (s == TERN_OK && answer == NULL) s = tern_trials_missing(path, "log_loss", diags);
    if (s == TERN_OK && c == 0) s = take_member(answer, path, "saturations", false, row, diags);
    if (s == TERN_OK && c == 0) s = take_places(answer, path, row, diags);
    if (s == TERN_OK && c == 1) s = take_member(answer, path, "log_loss", false, row, diags);
    if (s == TERN_OK && c == 1) s = take_member(answer, path, "accuracy", true, row, diags);
    if (s == TERN_OK) tern_json_add(evaluations, row);
    else json_decref(row);
    json_decref(answer);
    return s;
}

static json_t *point_json(void *ud, size_t i, size_t point, json_t *evaluations)
{
    const tern_tune *t = ud;
    const json_t *trained = json_array_get(evaluations, 0), *measured = json_array_get(evaluations, 1);
    (void)i, (void)point;
    return tern_json_pack("{s:I, s:O, s:O, s:O, s:O}", "presentations", (json_int_t)t->base.set.points[0], "log_loss",
                          json_object_get(measured, "log_loss"), "accuracy", json_object_get(measured, "accuracy"),
                          "saturations", json_object_get(trained, "saturations"), "places",
                          json_object_get(trained, "places"));
}

static tern_status finish(void *ud, size_t i, json_t *part, tern_diags *diags)
{
    (void)ud, (void)i, (void)part, (void)diags;
    return TERN_OK;
}

/* ---- what it comes to ---- */

/* Adds a training's count to the setting's. */
static tern_status add_place(tern_tune *t, tern_tune_setting *x, const json_t *o)
{
    enum { SLACK = 16 };
    const char *kind = json_string_value(json_object_get(o, "kind")),
               *place = json_string_value(json_object_get(o, "place"));
    if (kind == NULL || place == NULL) return TERN_OK;
    size_t i = 0;
    while (i < x->n_places && (strcmp(x->places[i].kind, kind) != 0 || strcmp(x->places[i].place, place) != 0)) ++i;
    if (i == x->n_places) {
        if (i % SLACK == 0) {
            tern_tune_place *more = tern_arena_get(&t->base.arena, i + SLACK, sizeof *more);
            if (more == NULL) return TERN_ERR_MEMORY;
            if (i != 0) memcpy(more, x->places, i * sizeof *more);
            x->places = more;
        }
        x->places[i] =
            (tern_tune_place){ tern_arena_strdup(&t->base.arena, kind), tern_arena_strdup(&t->base.arena, place), 0 };
        if (x->places[i].kind == NULL || x->places[i].place == NULL) return TERN_ERR_MEMORY;
        ++x->n_places;
    }
    x->places[i].count += (uint64_t)json_integer_value(json_object_get(o, "count"));
    return TERN_OK;
}

static tern_status collect_training(tern_tune *t, size_t i, tern_diags *diags)
{
    tern_tune_setting *x = &t->settings[setting_of(t, i)];
    json_t *part = NULL;
    const char *path = tern_trials_part(&t->trials, i, "json");
    tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &part, diags);
    if (s != TERN_OK) return s;
    const json_t *point = json_array_get(json_object_get(part, "points"), 0),
                 *loss = json_object_get(point, "log_loss"), *accuracy = json_object_get(point, "accuracy"),
                 *limited = json_object_get(point, "saturations");
    const uint32_t at = seed_of(t, i) - 1;
    x->log_loss[at] = json_is_number(loss) ? json_number_value(loss) : (double)NAN;
    x->accuracy[at] = json_is_number(accuracy) ? json_number_value(accuracy) : (double)NAN;
    for (size_t k = 0; k < TERN_TUNE_SATURATIONS; ++k)
        x->saturations[k] += (uint64_t)json_integer_value(json_object_get(limited, tern_tune_saturations[k]));
    const json_t *places = json_object_get(point, "places");
    for (size_t k = 0; k < json_array_size(places) && s == TERN_OK; ++k) s = add_place(t, x, json_array_get(places, k));
    json_decref(part);
    return s;
}

/* Same seeds for both: what the seed does to both is not in the differences. */
static void compare(const tern_tune *t, tern_tune_setting *x)
{
    const tern_tune_setting *reference = &t->settings[0];
    double difference[TERN_TUNE_SEEDS];
    x->loss_mean = tern_exp_mean_of(x->log_loss, t->set.seeds);
    x->accuracy_mean = tern_exp_mean_of(x->accuracy, t->set.seeds);
    x->accuracy_mean.lo = isnan(x->accuracy_mean.lo) ? x->accuracy_mean.lo : fmax(0, x->accuracy_mean.lo);
    x->accuracy_mean.hi = isnan(x->accuracy_mean.hi) ? x->accuracy_mean.hi : fmin(1, x->accuracy_mean.hi);
    for (uint32_t s = 0; s < t->set.seeds; ++s)
        difference[s] = 100 * (x->log_loss[s] - reference->log_loss[s]) / reference->loss_mean.mean;
    x->behind = tern_exp_mean_of(difference, t->set.seeds);
    x->measured = true;
}

tern_status tern_tune_table(tern_tune *t, uint32_t jobs, tern_diags *diags)
{
    t->trials = (tern_trials){ .dir = t->base.dir,
                               .label = "tune",
                               .arena = &t->base.arena,
                               .n = (t->n - t->first) * t->set.seeds,
                               .n_points = 1,
                               .n_seeds = t->set.seeds,
                               .ud = t,
                               .name = name,
                               .begin = begin,
                               .fits = fits,
                               .commands = commands,
                               .command = command,
                               .take = take,
                               .point = point_json,
                               .finish = finish };
    t->trials.done = tern_arena_get(&t->base.arena, t->trials.n, sizeof *t->trials.done);
    if (t->trials.done == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_trials_run(&t->trials, jobs, diags);
    if (s != TERN_OK || tern_interrupted()) return s;
    for (size_t i = 0; i < t->trials.n && s == TERN_OK; ++i) s = collect_training(t, i, diags);
    for (size_t k = t->first; k < t->n && s == TERN_OK; ++k) compare(t, &t->settings[k]);
    return s;
}
