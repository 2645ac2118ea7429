/* tern_exp_voting.c : the experiment `voting`: reads the trainings' files, writes what they say
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_exp_voting.h"
#include "tern_errors.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"

const char *const tern_voting_metric_names[TERN_VOTING_METRICS] = { "entropy_right", "entropy_wrong", "ece",
                                                                    "ece_debiased", "ece_votes_debiased" };

/* ---- reading ---- */

static tern_status damaged(const char *path, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_DAMAGED, path, 0, "curve",
                                  "damaged: this is not what an "
                                  "experiment writes"),
                   "remove this file; what it held is made again");
    return TERN_ERR_FORMAT;
}

static double number(const json_t *o, const char *member)
{
    const json_t *x = json_object_get(o, member);
    return json_is_number(x) ? json_number_value(x) : (double)NAN;
}

/* One training's curve at one point: who was right goes to the cells, the other numbers to [cells][metrics][seeds].
 */
static bool take_curve(tern_voting *v, const tern_voting_block *b, uint32_t seed, const json_t *curve, double *sums)
{
    const size_t n = b->n_marks * b->n_samples;
    if (json_array_size(curve) != n) return false;
    for (size_t i = 0; i < n; ++i) {
        tern_voting_cell *c = &b->cells[i];
        const json_t *o = json_array_get(curve, i);
        const char *right = json_string_value(json_object_get(o, "right"));
        if (number(o, "steps") != c->steps || number(o, "samples") != c->inference || right == NULL) return false;
        const size_t bytes = strlen(right);
        if (v->n_recordings == 0) v->n_recordings = (uint32_t)bytes;
        if (bytes != v->n_recordings || bytes == 0 || strspn(right, "01") != bytes) return false;
        if (c->right == NULL) c->right = tern_arena_get(&v->e->arena, (size_t)v->n_seeds * bytes, 1);
        if (c->right == NULL) return false;
        for (size_t r = 0; r < bytes; ++r) c->right[(size_t)(seed - 1) * bytes + r] = right[r] == '1';
        for (size_t m = 0; m < TERN_VOTING_METRICS; ++m)
            sums[(i * TERN_VOTING_METRICS + m) * v->n_seeds + seed - 1] = number(o, tern_voting_metric_names[m]);
    }
    return true;
}

static tern_status take_training(tern_voting *v, tern_voting_block *b, const tern_exp_training *t, size_t point,
                                 double *sums, tern_diags *diags)
{
    json_t *part;
    const char *path = tern_exp_part(v->e, t, "json");
    tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &part, diags);
    if (s != TERN_OK) return s;
    const json_t *evaluations = json_object_get(json_array_get(json_object_get(part, "points"), point), "evaluations");
    const json_t *curve = json_object_get(json_array_get(evaluations, 0), "curve");
    if (!take_curve(v, b, t->seed, curve, sums)) s = damaged(path, diags);
    json_decref(part);
    return s;
}

static tern_status make_cells(tern_voting *v, tern_voting_block *b)
{
    const tern_exp_list *K = &v->e->set.inference;
    uint32_t marks[TERN_EXP_LIST_MAX];
    b->n_marks = tern_exp_decide(v->e, b->length, marks);
    b->n_samples = K->n;
    b->cells = tern_arena_get(&v->e->arena, b->n_marks * b->n_samples, sizeof *b->cells);
    for (size_t i = 0; b->cells != NULL && i < b->n_marks * b->n_samples; ++i)
        b->cells[i] = (tern_voting_cell){ .steps = marks[i / K->n], .inference = K->v[i % K->n] };
    return b->cells == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static tern_status collect_block(tern_voting *v, tern_voting_block *b, size_t point, tern_diags *diags)
{
    tern_status s = make_cells(v, b);
    if (s != TERN_OK) return s;
    const size_t n = b->n_marks * b->n_samples * TERN_VOTING_METRICS;
    double *sums = tern_arena_get(&v->e->arena, n * v->n_seeds, sizeof *sums);
    if (sums == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < v->e->n_trainings && s == TERN_OK; ++i) {
        const tern_exp_training *t = &v->e->trainings[i];
        if (t->variant == b->variant && t->length == b->length) s = take_training(v, b, t, point, sums, diags);
    }
    for (size_t i = 0; i < n && s == TERN_OK; ++i)
        b->cells[i / TERN_VOTING_METRICS].m[i % TERN_VOTING_METRICS] =
            tern_exp_mean_of(sums + i * v->n_seeds, v->n_seeds);
    return s;
}

tern_status tern_voting_collect(tern_voting *v, tern_exp *e, tern_diags *diags)
{
    const tern_exp_settings *o = &e->set;
    *v = (tern_voting){ .e = e, .n_seeds = o->seeds };
    v->blocks = tern_arena_get(&e->arena, o->n_variants * o->lengths.n * o->presentations.n, sizeof *v->blocks);
    if (v->blocks == NULL) return TERN_ERR_MEMORY;
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < o->n_variants; ++i)
        for (size_t l = 0; l < o->lengths.n; ++l)
            for (size_t p = 0; p < o->presentations.n && s == TERN_OK; ++p) {
                tern_voting_block *b = &v->blocks[v->n_blocks++];
                *b = (tern_voting_block){ .variant = i,
                                          .length = o->lengths.v[l],
                                          .presentations = o->presentations.v[p] };
                s = collect_block(v, b, p, diags);
            }
    return s;
}

/* ---- claims ---- */

static size_t claims(tern_voting *v, tern_exp_claim *out)
{
    tern_exp *e = v->e;
    const uint32_t last = tern_exp_most(&e->set.presentations), longest = tern_exp_most(&e->set.lengths);
    size_t n = 0;
    for (size_t i = 0; i < v->n_times; ++i) {
        const tern_voting_time *t = &v->times[i];
        if (t->presentations != last || t->inference != tern_exp_most(&e->set.inference)) continue;
        const char *name = e->set.variants[t->variant].name;
        tern_exp_claim *c = &out[n++];
        *c = (tern_exp_claim){ .paper = "more samples need fewer steps to the wanted accuracy",
                               .measured =
                                   tern_exp_text(&e->arena,
                                                 "%s: steps with K_I = %" PRIu32 " divided by those "
                                                 "with %" PRIu32 ", accuracy %.3g",
                                                 name, tern_exp_least(&e->set.inference), t->inference, e->set.target),
                               .mean = t->ratio };
        tern_exp_mean more = t->ratio; /* a ratio of 1: no gain */
        more.mean -= 1, more.lo -= 1, more.hi -= 1;
        c->verdict = isnan(more.mean) ? TERN_EXP_NOT_MEASURED : tern_exp_positive(&more);
        c = &out[n++];
        *c = (tern_exp_claim){ .paper = "a decision in an eighth of the longest presentation",
                               .number = "8",
                               .measured = tern_exp_text(&e->arena,
                                                         "%s: %" PRIu32 " steps divided by those that K_I = %" PRIu32
                                                         " needs, accuracy %.3g",
                                                         name, longest, t->inference, e->set.target),
                               .mean = { t->steps.n, longest / t->steps.mean, longest / t->steps.hi,
                                         longest / t->steps.lo } };
        c->verdict = tern_exp_at_least(&c->mean, 8);
        c = &out[n++];
        *c =
            (tern_exp_claim){ .paper = "equal accuracy in an eighth of the longest presentation",
                              .number = "8",
                              .measured = tern_exp_text(&e->arena,
                                                        "%s: %" PRIu32 " steps of %" PRIu32
                                                        " sample divided by those of %" PRIu32
                                                        " that are not worse by more than a point",
                                                        name, longest, tern_exp_least(&e->set.inference), t->inference),
                              .mean = { 1, t->equal == 0 ? 0 : (double)longest / t->equal, (double)NAN, (double)NAN } };
        c->verdict = tern_exp_at_least(&c->mean, 8); /* the interval is in `equal` */
    }
    for (size_t i = 0; i < v->n_blocks && n + 1 < TERN_EXP_CLAIMS_MAX; ++i) {
        const tern_voting_block *b = &v->blocks[i];
        const tern_voting_cell *c = &b->cells[b->n_marks * b->n_samples - 1];
        if (b->n_samples < 2) continue;
        tern_exp_claim *to = &out[n++];
        *to = (tern_exp_claim){ .paper = "more samples K_I raise the accuracy",
                                .measured = tern_exp_text(&e->arena,
                                                          "%s, %" PRIu32 " steps, %" PRIu32 " examples: accuracy "
                                                          "with K_I = %" PRIu32 " less that with %" PRIu32,
                                                          e->set.variants[b->variant].name, b->length, b->presentations,
                                                          c->inference, b->cells[0].inference),
                                .mean = c->gain };
        to->verdict = tern_exp_positive(&to->mean);
    }
    for (size_t i = 0; i < n; ++i)
        if (out[i].measured == NULL) out[i].measured = "?";
    return n;
}

/* ---- files ---- */

static void put_mean(FILE *f, const tern_exp_mean *m)
{
    const double x[3] = { m->mean, m->lo, m->hi };
    for (size_t i = 0; i < 3; ++i)
        if (m->n != 0 && isfinite(x[i])) fprintf(f, ",%.6g", x[i]);
        else fputc(',', f);
}

static tern_status write_csv(const tern_voting *v, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    fputs("variant,trained_steps,presentations,steps,inference,cost,seeds,recordings,"
          "accuracy,accuracy_lo,accuracy_hi,gain,gain_lo,gain_hi,versus,versus_lo,versus_hi,verdict",
          w.f);
    for (size_t m = 0; m < TERN_VOTING_METRICS; ++m)
        fprintf(w.f, ",%s,%s_lo,%s_hi", tern_voting_metric_names[m], tern_voting_metric_names[m],
                tern_voting_metric_names[m]);
    fputc('\n', w.f);
    for (size_t i = 0; i < v->n_blocks; ++i) {
        const tern_voting_block *b = &v->blocks[i];
        for (size_t k = 0; k < b->n_marks * b->n_samples; ++k) {
            const tern_voting_cell *c = &b->cells[k];
            fprintf(w.f, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
                    v->e->set.variants[b->variant].name, b->length, b->presentations, c->steps, c->inference,
                    c->steps * c->inference, v->n_seeds, v->n_recordings);
            put_mean(w.f, &c->accuracy);
            put_mean(w.f, &c->gain);
            put_mean(w.f, &c->versus);
            fprintf(w.f, ",\"%s\"", c->inference == b->cells[0].inference ? "" : tern_voting_verdict(&c->gain));
            for (size_t m = 0; m < TERN_VOTING_METRICS; ++m) put_mean(w.f, &c->m[m]);
            fputc('\n', w.f);
        }
    }
    return tern_file_commit(&w, diags);
}

static json_t *finite_json(double x) { return isfinite(x) ? tern_json_real(x) : json_null(); }

static json_t *times_json(const tern_voting *v)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < v->n_times; ++i) {
        const tern_voting_time *t = &v->times[i];
        json_t *o = tern_json_pack("{s:s, s:I, s:I}", "variant", v->e->set.variants[t->variant].name, "presentations",
                                   (json_int_t)t->presentations, "inference", (json_int_t)t->inference);
        tern_json_put(o, "steps", finite_json(t->steps.mean));
        tern_json_put(o, "steps_lo", finite_json(t->steps.lo));
        tern_json_put(o, "steps_hi", finite_json(t->steps.hi));
        tern_json_put(o, "camera_ms", finite_json(t->steps.mean * v->e->window_us / 1000));
        tern_json_put(o, "equal_steps", t->equal == 0 ? json_null() : json_integer(t->equal));
        tern_json_put(o, "ratio", finite_json(t->ratio.mean));
        tern_json_put(o, "ratio_lo", finite_json(t->ratio.lo));
        tern_json_put(o, "ratio_hi", finite_json(t->ratio.hi));
        tern_json_add(list, o);
    }
    return list;
}

tern_status tern_exp_voting_write(tern_exp *e, tern_diags *diags)
{
    tern_voting v;
    tern_exp_claim *c = tern_arena_get(&e->arena, TERN_EXP_CLAIMS_MAX, sizeof *c);
    char *csv = tern_exp_text(&e->arena, "%s/results.csv", e->dir),
         *json = tern_exp_text(&e->arena, "%s/results.json", e->dir);
    if (c == NULL || csv == NULL || json == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_voting_collect(&v, e, diags);
    if (s == TERN_OK) s = tern_voting_work_out(&v);
    if (s != TERN_OK) return s;
    const size_t n = claims(&v, c);
    s = write_csv(&v, csv, diags);
    if (s == TERN_OK) {
        json_t *o = tern_json_pack("{s:O, s:o, s:o}", "settings", e->settings, "claims", tern_exp_claims_json(c, n),
                                   "times", times_json(&v));
        s = tern_exp_save_json(o, json, diags);
        json_decref(o);
    }
    return s == TERN_OK ? tern_voting_report(&v, c, n, diags) : s;
}
