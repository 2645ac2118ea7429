/* tern_sweep_results.c : tables of a sweep, made of the finished trainings' files alone, and which setting is best
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"
#include "tern_sweep.h"

static double *at(const tern_sweep *w, size_t training, size_t point)
{
    return w->value + (training * w->set.n_points + point) * TERN_SWEEP_METRICS;
}

static tern_status collect_training(tern_sweep *w, size_t i, tern_diags *diags)
{
    json_t *part = NULL;
    const char *path = tern_trials_part(&w->trials, i, "json");
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &part, diags);
    if (s != TERN_OK || part == NULL) return s;
    for (size_t p = 0; p < w->set.n_points; ++p) {
        const json_t *evaluation = json_object_get(json_array_get(json_object_get(part, "points"), p), "evaluation");
        for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m) {
            const json_t *v = json_object_get(evaluation, tern_sweep_metrics[m].name);
            at(w, i, p)[m] = json_is_number(v) ? json_number_value(v) : (double)NAN;
        }
    }
    w->results[i / w->set.seeds].warned += json_array_size(json_object_get(part, "warnings")) != 0;
    json_decref(part);
    return TERN_OK;
}

static tern_exp_mean mean(const tern_sweep *w, size_t setting, size_t m)
{
    tern_mean sum = { 0 };
    for (uint32_t seed = 0; seed < w->set.seeds; ++seed) {
        const double x = at(w, setting * w->set.seeds + seed, w->set.n_points - 1)[m];
        if (!isnan(x)) tern_mean_add(&sum, x);
    }
    const bool share = m == TERN_SWEEP_ACCURACY || m == TERN_SWEEP_ECE;
    return tern_exp_mean_summary(&sum, m == TERN_SWEEP_LOG_LOSS_IW ? (double)-INFINITY : 0.0,
                                 share ? 1.0 : (double)INFINITY);
}

/* Is setting a better than b? Of equal ones the one with the smaller log-loss. */
static bool better(const tern_sweep *w, size_t a, size_t b)
{
    const tern_exp_mean *x = w->results[a].m, *y = w->results[b].m;
    const int m = w->set.metric;
    if (isnan(x[m].mean) || isnan(y[m].mean)) return !isnan(x[m].mean);
    if (x[m].mean > y[m].mean || x[m].mean < y[m].mean) return (x[m].mean > y[m].mean) == tern_sweep_metrics[m].up;
    return x[TERN_SWEEP_LOG_LOSS].mean < y[TERN_SWEEP_LOG_LOSS].mean;
}

static void compare(tern_sweep *w, size_t setting)
{
    double difference[1000]; /* as many seeds as there may be */
    size_t n = 0;
    const int m = w->set.metric;
    for (uint32_t seed = 0; seed < w->set.seeds && n < sizeof difference / sizeof difference[0]; ++seed) {
        const double d = at(w, w->best * w->set.seeds + seed, w->set.n_points - 1)[m] -
                         at(w, setting * w->set.seeds + seed, w->set.n_points - 1)[m];
        difference[n++] = tern_sweep_metrics[m].up ? d : -d;
    }
    tern_sweep_result *r = &w->results[setting];
    r->behind = tern_exp_mean_of(difference, n);
    r->as_good = isnan(r->behind.lo) ? r->behind.mean <= 0 : r->behind.lo <= 0;
}

tern_status tern_sweep_collect(tern_sweep *w, tern_diags *diags)
{
    const size_t n = w->trials.n * w->set.n_points * TERN_SWEEP_METRICS;
    w->value = tern_arena_get(&w->arena, n, sizeof *w->value);
    w->results = tern_arena_get(&w->arena, w->n_settings, sizeof *w->results);
    if (w->value == NULL || w->results == NULL) return TERN_ERR_MEMORY;
    memset(w->results, 0, w->n_settings * sizeof *w->results);
    for (size_t i = 0; i < n; ++i) w->value[i] = (double)NAN;
    tern_status s = TERN_OK;
    for (size_t i = 0; i < w->trials.n && s == TERN_OK; ++i) s = collect_training(w, i, diags);
    if (s != TERN_OK) return s;
    w->best = w->n_settings;
    for (size_t k = 0; k < w->n_settings; ++k) {
        for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m) w->results[k].m[m] = mean(w, k, m);
        if (isnan(w->results[k].m[w->set.metric].mean)) continue;
        if (w->best == w->n_settings || better(w, k, w->best)) w->best = k;
    }
    for (size_t k = 0; k < w->n_settings && w->best < w->n_settings; ++k) compare(w, k);
    return TERN_OK;
}

/* ---- files ---- */

/* A field of CSV: values may hold commas and quotation marks. */
static void field(const char *text, FILE *to)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != 0; ++text) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static tern_status write_csv(tern_sweep *w, const char *path, tern_diags *diags)
{
    tern_file_writer out;
    const tern_status s = tern_file_begin(&out, path, diags);
    if (s != TERN_OK) return s;
    fputs("setting", out.f);
    for (size_t i = 0; i < w->set.n_axes; ++i) {
        fputc(',', out.f);
        field(w->set.axes[i].key, out.f);
    }
    fputs(",seed,presentations,inference", out.f);
    for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m) fprintf(out.f, ",%s", tern_sweep_metrics[m].name);
    fputc('\n', out.f);
    for (size_t i = 0; i < w->trials.n; ++i)
        for (size_t p = 0; p < w->set.n_points && w->trials.done[i]; ++p) {
            fprintf(out.f, "%zu", i / w->set.seeds + 1);
            for (size_t k = 0; k < w->set.n_axes; ++k) {
                fputc(',', out.f);
                field(w->set.axes[k].text[tern_sweep_index(w, i / w->set.seeds, k)], out.f);
            }
            fprintf(out.f, ",%zu,%" PRIu32 ",%" PRIu32, i % w->set.seeds + 1, w->set.points[p], w->set.inference);
            for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m)
                if (isnan(at(w, i, p)[m])) fputc(',', out.f);
                else fprintf(out.f, ",%.12g", at(w, i, p)[m]);
            fputc('\n', out.f);
        }
    return tern_file_commit(&out, diags);
}

static json_t *mean_json(const tern_exp_mean *m)
{
    return tern_json_pack("{s:I, s:o, s:o, s:o}", "n", (json_int_t)m->n, "mean", tern_json_real(m->mean), "lo",
                          tern_json_real(m->lo), "hi", tern_json_real(m->hi));
}

static json_t *result_json(tern_sweep *w, size_t k)
{
    const tern_sweep_result *r = &w->results[k];
    const char *words = tern_sweep_words(w, k);
    json_t *o =
        tern_json_pack("{s:I, s:s, s:b, s:I, s:o}", "setting", (json_int_t)k + 1, "set", words == NULL ? "" : words,
                       "as_good", (int)r->as_good, "warned", (json_int_t)r->warned, "behind", mean_json(&r->behind));
    for (size_t m = 0; m < TERN_SWEEP_METRICS; ++m) tern_json_put(o, tern_sweep_metrics[m].name, mean_json(&r->m[m]));
    return words == NULL ? json_decref(o), NULL : o;
}

static tern_status write_json(tern_sweep *w, const char *path, tern_diags *diags)
{
    json_t *list = tern_json_list();
    for (size_t k = 0; k < w->n_settings; ++k) tern_json_add(list, result_json(w, k));
    json_t *o = tern_json_pack("{s:O, s:s, s:o, s:o}", "settings", w->settings, "metric",
                               tern_sweep_metrics[w->set.metric].option, "best",
                               w->best == w->n_settings ? json_null() : result_json(w, w->best), "results", list);
    const tern_status s = tern_exp_save_json(o, path, diags);
    json_decref(o);
    return s;
}

tern_status tern_sweep_write(tern_sweep *w, tern_diags *diags)
{
    const char *csv = tern_exp_text(&w->arena, "%s/results.csv", w->dir),
               *json = tern_exp_text(&w->arena, "%s/results.json", w->dir);
    if (csv == NULL || json == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_sweep_collect(w, diags);
    if (s == TERN_OK) s = write_csv(w, csv, diags);
    if (s == TERN_OK) s = write_json(w, json, diags);
    return s == TERN_OK ? tern_sweep_page(w, diags) : s;
}
