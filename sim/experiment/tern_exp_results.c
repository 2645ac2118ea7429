/* tern_exp_results.c : results.csv and results.json, made of the finished trainings' files alone
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"
#include "tern_exp_internal.h"

const char *const tern_exp_metric_names[TERN_EXP_METRICS] = {
#define XX(ID, name, text) #name,
    TERN_EXP_METRIC_MAP(XX)
#undef XX
};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static double number(const json_t *o, const char *member)
{
    const json_t *v = json_object_get(o, member);
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static tern_status collect_training(tern_exp *e, const tern_exp_training *t, size_t most, tern_diags *diags)
{
    json_t *part, *point, *evaluation;
    size_t i, k;
    const char *path = tern_exp_part(e, t, "json");
    tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &part, diags);
    if (s != TERN_OK || part == NULL) return s;
    json_array_foreach(json_object_get(part, "points"), i, point)
    {
        json_array_foreach(json_object_get(point, "evaluations"), k, evaluation)
        {
            if (e->n_rows == most) break;
            tern_exp_row *row = &e->rows[e->n_rows++];
            *row = (tern_exp_row){ .rule = t->rule,
                                   .hidden = t->hidden,
                                   .samples = t->samples,
                                   .seed = t->seed,
                                   .presentations = (uint32_t)number(point, "presentations"),
                                   .inference = (uint32_t)number(evaluation, "inference") };
            for (size_t m = 0; m < TERN_EXP_METRICS; ++m)
                row->m[m] = number(m < TERN_EXP_EVAL_METRICS ? evaluation : part, tern_exp_metric_names[m]);
        }
    }
    json_decref(part);
    return s;
}

tern_status tern_exp_collect(tern_exp *e, tern_diags *diags)
{
    const size_t each = e->set.presentations.n * (e->set.inference.n == 0 ? 1 : e->set.inference.n),
                 most = e->n_trainings * each;
    tern_status s = TERN_OK;
    e->n_rows = 0;
    e->rows = tern_arena_get(&e->arena, most, sizeof *e->rows);
    if (e->rows == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < e->n_trainings && s == TERN_OK; ++i)
        if (e->trainings[i].done) s = collect_training(e, &e->trainings[i], most, diags);
    return s;
}

/* ---- means ------------------------------------------------------------------------------------------------------- */

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static tern_status write_csv(const tern_exp *e, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    fputs("experiment,rule,hidden,samples,seed,presentations,steps,inference", w.f);
    for (size_t m = 0; m < TERN_EXP_METRICS; ++m) fprintf(w.f, ",%s", tern_exp_metric_names[m]);
    fputc('\n', w.f);
    for (size_t i = 0; i < e->n_rows; ++i) {
        const tern_exp_row *r = &e->rows[i];
        fprintf(w.f, "%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu32,
                tern_exp_names[e->set.kind], tern_exp_rules[r->rule], r->hidden, r->samples, r->seed, r->presentations,
                (uint64_t)r->presentations * e->n_steps, r->inference);
        for (size_t m = 0; m < TERN_EXP_METRICS; ++m)
            if (isnan(r->m[m])) fputc(',', w.f);
            else fprintf(w.f, ",%.12g", r->m[m]);
        fputc('\n', w.f);
    }
    return tern_file_commit(&w, diags);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *row_json(const tern_exp_row *r, uint32_t n_steps)
{
    return tern_json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "rule", tern_exp_rules[r->rule], "hidden",
                          (json_int_t)r->hidden, "samples", (json_int_t)r->samples, "presentations",
                          (json_int_t)r->presentations, "steps", (json_int_t)r->presentations * (json_int_t)n_steps,
                          "inference", (json_int_t)r->inference);
}

static json_t *rows_json(const tern_exp *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < e->n_rows; ++i) {
        json_t *o = row_json(&e->rows[i], e->n_steps);
        tern_json_put(o, "seed", json_integer(e->rows[i].seed));
        for (size_t m = 0; m < TERN_EXP_METRICS; ++m)
            tern_json_put(o, tern_exp_metric_names[m], tern_json_real(e->rows[i].m[m]));
        tern_json_add(list, o);
    }
    return list;
}

static json_t *means_json(const tern_exp *e)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < e->n_rows; ++i) {
        const tern_exp_row *r = &e->rows[i];
        tern_exp_filter f = { r->rule, r->hidden, r->samples, TERN_EXP_ANY, r->presentations, r->inference };
        size_t first = 0; /* the first row of its kind stands for all seeds */
        while (!tern_exp_row_fits(&e->rows[first], f)) ++first;
        if (first != i) continue;
        json_t *o = row_json(r, e->n_steps);
        for (size_t m = 0; m < TERN_EXP_METRICS; ++m) {
            const tern_exp_mean mean = tern_exp_mean_rows(e, f, (tern_exp_metric)m);
            tern_json_put(o, tern_exp_metric_names[m], tern_exp_mean_json(&mean));
        }
        tern_json_add(list, o);
    }
    return list;
}

tern_status tern_exp_write(tern_exp *e, tern_diags *diags)
{
    if (e->set.kind == TERN_EXP_VOTING) return tern_exp_voting_write(e, diags);
    tern_exp_claim *claims = tern_arena_get(&e->arena, TERN_EXP_CLAIMS_MAX, sizeof *claims);
    char *csv = tern_exp_text(&e->arena, "%s/results.csv", e->dir),
         *json = tern_exp_text(&e->arena, "%s/results.json", e->dir);
    if (csv == NULL || json == NULL || claims == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_exp_collect(e, diags);
    if (s != TERN_OK) return s;
    const size_t n_claims = tern_exp_claims(e, claims);
    s = write_csv(e, csv, diags);
    if (s == TERN_OK) {
        json_t *o =
            tern_json_pack("{s:O, s:o, s:o, s:o}", "settings", e->settings, "claims",
                           tern_exp_claims_json(claims, n_claims), "means", means_json(e), "rows", rows_json(e));
        s = tern_exp_save_json(o, json, diags);
        json_decref(o);
    }
    return s == TERN_OK ? tern_exp_write_report(e, claims, n_claims, diags) : s;
}
