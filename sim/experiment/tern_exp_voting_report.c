/* tern_exp_voting_report.c : tables and figures of the experiment `voting`
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_exp_files.h"
#include "tern_exp_voting.h"

/* ---- figures ---- */

/* The first variant's networks, trained for the time that they decide in. */
typedef struct curves {
    tern_voting *v;
    tern_plot *plot;
    tern_plot_series *series;
    size_t most;
} curves;

static bool curves_begin(curves *c, tern_voting *v, const char *title, const char *x_label, const char *y_label)
{
    tern_arena *a = &v->e->arena;
    c->v = v;
    c->most = v->e->set.inference.n;
    c->plot = tern_arena_get(a, 1, sizeof *c->plot);
    c->series = tern_arena_get(a, c->most, sizeof *c->series);
    if (c->plot == NULL || c->series == NULL) return false;
    *c->plot = (tern_plot){ .title = title,
                            .x_label = x_label,
                            .y_label = y_label,
                            .log_x = true,
                            .x_min = (double)NAN,
                            .x_max = (double)NAN,
                            .y_min = (double)NAN,
                            .y_max = (double)NAN,
                            .series = c->series };
    return true;
}

static bool series_begin(curves *c, size_t points, const char *name)
{
    tern_arena *a = &c->v->e->arena;
    double *x = tern_arena_get(a, points, sizeof *x), *y = tern_arena_get(a, points, sizeof *y),
           *lo = tern_arena_get(a, points, sizeof *lo), *hi = tern_arena_get(a, points, sizeof *hi);
    if (x == NULL || y == NULL || lo == NULL || hi == NULL || name == NULL) return false;
    c->series[c->plot->n_series] = (tern_plot_series){
        .name = name, .kind = TERN_PLOT_MARKED, .colour = (int)c->plot->n_series, .x = x, .y = y, .lo = lo, .hi = hi
    };
    ++c->plot->n_series;
    return true;
}

static void point(curves *c, double x, const tern_exp_mean *m)
{
    tern_plot_series *s = &c->series[c->plot->n_series - 1];
    if (isnan(m->mean)) return;
    ((double *)s->x)[s->n] = x;
    ((double *)s->y)[s->n] = m->mean;
    ((double *)s->lo)[s->n] = isnan(m->lo) ? m->mean : m->lo;
    ((double *)s->hi)[s->n++] = isnan(m->hi) ? m->mean : m->hi;
}

static const tern_voting_cell *last_row(const tern_voting_block *b, size_t k)
{
    return &b->cells[(b->n_marks - 1) * b->n_samples + k];
}

/* One curve for each K_I over the lengths, shortest first. `cost`: x is steps times samples. metric -1: accuracy. */
static bool over_lengths(tern_voting *v, tern_exp_files *files, const char *file, const char *title,
                         const char *y_label, int metric, bool cost, const char *caption)
{
    curves c;
    const tern_exp_settings *o = &v->e->set;
    if (!curves_begin(&c, v, title, cost ? "steps times samples" : "steps of a decision", y_label)) return false;
    for (size_t k = 0; k < o->inference.n; ++k) {
        if (metric >= 0 && o->inference.v[k] == 1 && metric <= TERN_VOTING_ENTROPY_WRONG) continue; /* always 0 */
        if (!series_begin(&c, o->lengths.n, tern_exp_text(&v->e->arena, "K_I = %" PRIu32, o->inference.v[k])))
            return false;
        for (size_t l = o->lengths.n; l-- > 0;) {
            const tern_voting_block *b = tern_voting_find(v, 0, o->lengths.v[l], tern_exp_most(&o->presentations));
            const tern_voting_cell *cell = last_row(b, k);
            point(&c, (double)b->length * (cost ? o->inference.v[k] : 1),
                  metric < 0 ? &cell->accuracy : &cell->m[metric]);
        }
    }
    size_t points = 0;
    for (size_t i = 0; i < c.plot->n_series; ++i) points += c.series[i].n;
    if (points != 0) tern_exp_put_figure(files, file, c.plot, caption);
    return true;
}

/* Accuracy when a network that was trained for the longest presentation is asked earlier. */
static bool asked_early(tern_voting *v, tern_exp_files *files)
{
    curves c;
    const tern_exp_settings *o = &v->e->set;
    const tern_voting_block *b = tern_voting_find(v, 0, tern_exp_most(&o->lengths), tern_exp_most(&o->presentations));
    if (!curves_begin(&c, v, "Asked before the end", "steps of a decision", "share of right decisions")) return false;
    for (size_t k = 0; k < b->n_samples; ++k) {
        if (!series_begin(&c, b->n_marks, tern_exp_text(&v->e->arena, "K_I = %" PRIu32, o->inference.v[k])))
            return false;
        for (size_t i = 0; i < b->n_marks; ++i) {
            const tern_voting_cell *cell = &b->cells[i * b->n_samples + k];
            point(&c, cell->steps, &cell->accuracy);
        }
    }
    tern_exp_put_figure(files, "early", c.plot,
                        "Accuracy of networks that were trained with the longest "
                        "presentation and are asked after its first steps.");
    return true;
}

/* Gain of the most samples over the fewest: variants below one another, lengths side by side. */
static bool map(tern_voting *v, tern_exp_files *files)
{
    const tern_exp_settings *o = &v->e->set;
    const size_t rows = o->n_variants, columns = o->lengths.n;
    tern_plot *p = tern_arena_get(&v->e->arena, 1, sizeof *p);
    double *image = tern_arena_get(&v->e->arena, rows * columns, sizeof *image);
    const char **row_names = tern_arena_get(&v->e->arena, rows, sizeof *row_names),
               **column_names = tern_arena_get(&v->e->arena, columns, sizeof *column_names);
    if (p == NULL || image == NULL || row_names == NULL || column_names == NULL) return false;
    for (size_t c = 0; c < columns; ++c) {
        column_names[c] = tern_exp_text(&v->e->arena, "%" PRIu32, o->lengths.v[c]);
        if (column_names[c] == NULL) return false;
        for (size_t r = 0; r < rows; ++r) {
            const tern_voting_block *b =
                tern_voting_find(v, (uint32_t)r, o->lengths.v[c], tern_exp_most(&o->presentations));
            const tern_exp_mean *gain = &last_row(b, b->n_samples - 1)->gain;
            row_names[r] = o->variants[r].name;
            image[r * columns + c] = gain->lo > 0 || gain->hi < 0 ? 100 * gain->mean : 0;
        }
    }
    *p = (tern_plot){ .title = "Where voting pays",
                      .x_label = "steps of a decision",
                      .x_min = (double)NAN,
                      .x_max = (double)NAN,
                      .y_min = (double)NAN,
                      .y_max = (double)NAN,
                      .rows = rows,
                      .columns = columns,
                      .image = image,
                      .n_row_names = rows,
                      .n_column_names = columns,
                      .row_names = row_names,
                      .column_names = column_names,
                      .image_limit = 20,
                      .width = 220 + 60 * (double)columns,
                      .height = 100 + 30 * (double)rows };
    const char *caption =
        tern_exp_text(&v->e->arena,
                      "Points of accuracy (red) that K_I = %" PRIu32 " gains over %" PRIu32
                      ", for each variant (rows) and number of steps (columns), %" PRIu32
                      " examples. White: none, or the interval contains 0. Full colour: 20 points.",
                      tern_exp_most(&o->inference), tern_exp_least(&o->inference), tern_exp_most(&o->presentations));
    if (caption == NULL) return false;
    tern_exp_put_figure(files, "map", p, caption);
    return true;
}

/* ---- tables ---- */

static const char *with_interval(tern_exp *e, const tern_exp_mean *m)
{
    if (isnan(m->mean)) return "-";
    if (isnan(m->lo)) return tern_exp_number(e, m->mean);
    return tern_exp_text(&e->arena, "%.3f [%.3f, %.3f]", m->mean, m->lo, m->hi);
}

static bool all_there(const char **cells, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (cells[i] == NULL) return false;
    return true;
}

static const char **table_of(tern_voting *v, size_t rows, size_t columns)
{
    return tern_arena_get(&v->e->arena, rows * columns, sizeof(const char *));
}

/* Rows of accuracies for each K_I, and what the most gain over the fewest. */
static bool fill_row(tern_voting *v, const tern_voting_cell *cells, size_t n_samples, const char **out)
{
    tern_exp *e = v->e;
    const tern_voting_cell *last = &cells[n_samples - 1];
    for (size_t k = 0; k < n_samples; ++k) out[k] = with_interval(e, &cells[k].accuracy);
    out[n_samples] = with_interval(e, &last->gain);
    out[n_samples + 1] = n_samples < 2 ? "-" : tern_voting_verdict(&last->gain);
    return all_there(out, n_samples + 2);
}

static void head_samples(tern_voting *v, const char **out)
{
    const tern_exp_list *K = &v->e->set.inference;
    for (size_t k = 0; k < K->n; ++k) out[k] = tern_exp_text(&v->e->arena, "K_I = %" PRIu32, K->v[k]);
    out[K->n] = tern_exp_text(&v->e->arena, "gain of %" PRIu32 " over %" PRIu32, tern_exp_most(K), tern_exp_least(K));
    out[K->n + 1] = "voting";
}

static bool accuracies(tern_voting *v, tern_exp_files *files, uint32_t presentations)
{
    tern_exp *e = v->e;
    const size_t K = e->set.inference.n, columns = K + 4;
    size_t rows = 1;
    const char **cells = table_of(v, v->n_blocks + 1, columns);
    if (cells == NULL) return false;
    cells[0] = "variant", cells[1] = "steps";
    head_samples(v, cells + 2);
    for (size_t i = 0; i < v->n_blocks; ++i) {
        const tern_voting_block *b = &v->blocks[i];
        const char **row = cells + rows * columns;
        if (b->presentations != presentations) continue;
        row[0] = e->set.variants[b->variant].name;
        row[1] = tern_exp_text(&e->arena, "%" PRIu32, b->length);
        if (row[1] == NULL || !fill_row(v, last_row(b, 0), K, row + 2)) return false;
        ++rows;
    }
    const char *caption =
        tern_exp_text(&e->arena,
                      "Accuracy of decisions after presentations of so many steps, by networks "
                      "trained with presentations of that length, %" PRIu32 " examples. Mean over %" PRIu32
                      " seeds and %" PRIu32 " recordings; [ ]: 95 %% intervals of both drawn again.",
                      presentations, v->n_seeds, v->n_recordings);
    if (caption == NULL || !all_there(cells, columns)) return false;
    tern_exp_put_table(files, rows, columns, cells, caption);
    return true;
}

static bool early_table(tern_voting *v, tern_exp_files *files)
{
    tern_exp *e = v->e;
    const tern_exp_settings *o = &e->set;
    const tern_voting_block *b = tern_voting_find(v, 0, tern_exp_most(&o->lengths), tern_exp_most(&o->presentations));
    const size_t columns = b->n_samples + 3;
    const char **cells = table_of(v, b->n_marks + 1, columns);
    if (cells == NULL) return false;
    cells[0] = "asked after";
    head_samples(v, cells + 1);
    for (size_t i = 0; i < b->n_marks; ++i) {
        const char **row = cells + (i + 1) * columns;
        row[0] = tern_exp_text(&e->arena, "%" PRIu32 " steps", b->cells[i * b->n_samples].steps);
        if (row[0] == NULL || !fill_row(v, b->cells + i * b->n_samples, b->n_samples, row + 1)) return false;
    }
    if (!all_there(cells, columns)) return false;
    tern_exp_put_table(files, b->n_marks + 1, columns, cells,
                       tern_exp_text(&e->arena,
                                     "Asked before the end: accuracy of networks of the variant %s, trained "
                                     "with presentations of %" PRIu32 " steps, after its first steps.",
                                     o->variants[0].name, b->length));
    return true;
}

static const char *steps_text(tern_voting *v, const tern_voting_time *t)
{
    tern_exp *e = v->e;
    const uint32_t longest = tern_exp_most(&e->set.lengths);
    if (!isfinite(t->steps.mean)) return tern_exp_text(&e->arena, "> %" PRIu32, longest);
    const char *hi = isfinite(t->steps.hi) ? tern_exp_text(&e->arena, "%.0f", t->steps.hi)
                                           : tern_exp_text(&e->arena, "> %" PRIu32, longest);
    const double ms = t->steps.mean * e->window_us / 1000;
    return hi == NULL ? NULL : tern_exp_text(&e->arena, "%.0f [%.0f, %s], %.4g ms", t->steps.mean, t->steps.lo, hi, ms);
}

static bool times_table(tern_voting *v, tern_exp_files *files)
{
    tern_exp *e = v->e;
    const size_t K = e->set.inference.n, columns = K + 3;
    const char **cells = table_of(v, v->n_times / K + 1, columns);
    if (cells == NULL) return false;
    cells[0] = "variant", cells[1] = "examples";
    head_samples(v, cells + 2);
    cells[K + 2] = tern_exp_text(&e->arena, "steps of %" PRIu32 " by those of %" PRIu32,
                                 tern_exp_least(&e->set.inference), tern_exp_most(&e->set.inference));
    for (size_t i = 0; i < v->n_times; ++i) {
        const tern_voting_time *t = &v->times[i];
        const char **row = cells + (i / K + 1) * columns;
        row[0] = e->set.variants[t->variant].name;
        row[1] = tern_exp_text(&e->arena, "%" PRIu32, t->presentations);
        row[2 + i % K] = steps_text(v, t);
        if (i % K + 1 == K)
            row[K + 2] = !isfinite(t->ratio.mean)
                             ? "reached by the most alone"
                             : tern_exp_text(&e->arena, "%.3g %s", t->ratio.mean, tern_exp_interval_text(e, &t->ratio));
    }
    if (!all_there(cells, (v->n_times / K + 1) * columns)) return false;
    tern_exp_put_table(files, v->n_times / K + 1, columns, cells,
                       tern_exp_text(&e->arena,
                                     "Time to a decision that is right in %.3g of all cases: the shortest of the "
                                     "lengths with that accuracy, its 95 %% interval, and time before the camera.",
                                     e->set.target));
    return true;
}

/* "5: 0.014 [0.001, 0.030]": the length, and by how much its accuracy differs. */
static const char *equal_text(tern_voting *v, const tern_voting_time *t, size_t k)
{
    if (t->equal == 0) return "none";
    const tern_voting_block *b = tern_voting_find(v, t->variant, t->equal, t->presentations);
    const char *by = with_interval(v->e, &last_row(b, k)->versus);
    return by == NULL ? NULL : tern_exp_text(&v->e->arena, "%" PRIu32 ": %s", t->equal, by);
}

static bool equals_table(tern_voting *v, tern_exp_files *files)
{
    tern_exp *e = v->e;
    const size_t K = e->set.inference.n, columns = K + 2, rows = v->n_times / K + 1;
    const char **cells = table_of(v, rows, columns);
    if (cells == NULL) return false;
    cells[0] = "variant", cells[1] = "examples";
    for (size_t k = 0; k < K; ++k) cells[2 + k] = tern_exp_text(&e->arena, "K_I = %" PRIu32, e->set.inference.v[k]);
    for (size_t i = 0; i < v->n_times; ++i) {
        const tern_voting_time *t = &v->times[i];
        const char **row = cells + (i / K + 1) * columns;
        row[0] = e->set.variants[t->variant].name;
        row[1] = tern_exp_text(&e->arena, "%" PRIu32, t->presentations);
        row[2 + i % K] = equal_text(v, t, i % K);
    }
    const char *caption = tern_exp_text(&e->arena,
                                        "Steps to equal accuracy: the shortest length that is not worse than %" PRIu32
                                        " steps of %" PRIu32 " by more than one point, by its 95 %% interval, and its "
                                        "accuracy less that of those.",
                                        tern_exp_most(&e->set.lengths), tern_exp_least(&e->set.inference));
    if (caption == NULL || !all_there(cells, rows * columns)) return false;
    tern_exp_put_table(files, rows, columns, cells, caption);
    return true;
}

static bool sureness_table(tern_voting *v, tern_exp_files *files)
{
    static const char *const head[] = { "variant",        "steps", "K_I",           "entropy, right",
                                        "entropy, wrong", "ECE",   "ECE, debiased", "ECE of votes, debiased" };
    enum { COLUMNS = sizeof head / sizeof head[0] };
    tern_exp *e = v->e;
    const uint32_t last = tern_exp_most(&e->set.presentations);
    const size_t K = e->set.inference.n;
    const char **cells = table_of(v, v->n_blocks * K + 1, COLUMNS);
    size_t rows = 1;
    if (cells == NULL) return false;
    memcpy(cells, head, sizeof head);
    for (size_t i = 0; i < v->n_blocks; ++i)
        for (size_t k = 0; k < K; ++k) {
            const tern_voting_block *b = &v->blocks[i];
            if (b->presentations != last || (k != 0 && k + 1 != K)) continue; /* the fewest and the most */
            const char **row = cells + rows++ * COLUMNS;
            row[0] = e->set.variants[b->variant].name;
            row[1] = tern_exp_text(&e->arena, "%" PRIu32, b->length);
            row[2] = tern_exp_text(&e->arena, "%" PRIu32, e->set.inference.v[k]);
            for (size_t m = 0; m < TERN_VOTING_METRICS; ++m) row[3 + m] = with_interval(e, &last_row(b, k)->m[m]);
            if (!all_there(row, COLUMNS)) return false;
        }
    tern_exp_put_table(files, rows, COLUMNS, cells,
                       "How sure: entropy of the votes in bits, and calibration errors; 95 % "
                       "intervals over seeds (Student).");
    return true;
}

/* ---- the page ---- */

static bool variants_text(tern_voting *v, tern_exp_files *files)
{
    const tern_exp_settings *o = &v->e->set;
    for (size_t i = 0; i < o->n_variants; ++i) {
        const tern_exp_variant *x = &o->variants[i];
        const char *text = "";
        for (size_t k = 0; k < x->n_camera && text != NULL; ++k)
            text = tern_exp_text(&v->e->arena, "%s, camera %s", text, x->camera[k]);
        for (size_t k = 0; k < x->n_sets && text != NULL; ++k)
            text = tern_exp_text(&v->e->arena, "%s, script %s", text, x->sets[k]);
        if (text == NULL) return false;
        tern_page_text(files->page, "Variant %s: learning rate %.4g%s%s.", x->name, x->eta * x->eta_factor,
                       x->eta_fixed ? " for every length" : " for the script's length, in inverse proportion to others",
                       text);
    }
    return true;
}

static bool figures(tern_voting *v, tern_exp_files *files)
{
    return map(v, files) &&
           over_lengths(v, files, "steps", "Accuracy over the steps of a decision", "share of right decisions", -1,
                        false, "Accuracy of networks that were trained for the time in which they decide.") &&
           over_lengths(v, files, "cost", "Accuracy over equal work", "share of right decisions", -1, true,
                        "The same accuracies over steps times samples, which is the work of a decision.") &&
           asked_early(v, files) &&
           over_lengths(v, files, "entropy-wrong", "Entropy of wrong decisions", "bits", TERN_VOTING_ENTROPY_WRONG,
                        false, "Mean entropy of the votes of wrong decisions.") &&
           over_lengths(v, files, "calibration", "Calibration error of the votes", "ECE", TERN_VOTING_VOTES_DEBIASED,
                        false, "Calibration error of the share of the votes, less what chance adds.");
}

static bool fill(tern_voting *v, tern_exp_files *files, const tern_exp_claim *claims, size_t n_claims)
{
    const tern_exp_list *p = &v->e->set.presentations;
    tern_page_section(files->page, "What samples bring");
    if (!tern_exp_claims_table(v->e, files, claims, n_claims)) return false;
    tern_page_section(files->page, "Figures");
    if (!figures(v, files)) return false;
    tern_page_section(files->page, "Numbers");
    for (size_t i = 0; i < p->n; ++i)
        if (!accuracies(v, files, p->v[i])) return false;
    if (!times_table(v, files) || !equals_table(v, files) || !early_table(v, files) || !sureness_table(v, files))
        return false;
    tern_page_section(files->page, "What was done");
    return variants_text(v, files) && tern_exp_settings_text(v->e, files) && tern_exp_commands(v->e, files);
}

tern_status tern_voting_report(tern_voting *v, const tern_exp_claim *claims, size_t n_claims, tern_diags *diags)
{
    tern_exp_files files = { .page = tern_page_new("Voting: when many samples decide better than one",
                                                   "tern experiment voting: steps, samples and the time to a decision",
                                                   &v->e->arena) };
    if (files.page == NULL || !fill(v, &files, claims, n_claims)) return TERN_ERR_MEMORY;
    return tern_exp_put_files(v->e, &files, diags);
}
