/* tern_tune_report.c : what a search found: JSON, CSV, a table in Markdown, a figure
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/file.h"
#include "tern_plot.h"
#include "tern_tune.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { W_NONE = 651 };

static json_t *mean_json(const tern_exp_mean *m)
{
    return tern_json_pack("{s:I, s:o, s:o, s:o}", "n", (json_int_t)m->n, "mean", tern_json_real(m->mean), "lo",
                          tern_json_real(m->lo), "hi", tern_json_real(m->hi));
}

static json_t *setting_json(tern_tune *t, size_t k)
{
    const tern_tune_setting *x = &t->settings[k];
    const char *words = tern_tune_words(t, k);
    json_t *limited = tern_json_object();
    for (size_t i = 0; i < TERN_TUNE_SATURATIONS; ++i)
        tern_json_put(limited, tern_tune_saturations[i], json_integer((json_int_t)x->saturations[i]));
    json_t *places = tern_json_list();
    for (size_t i = 0; i < x->n_places; ++i)
        tern_json_add(places, tern_json_pack("{s:s, s:s, s:I}", "kind", x->places[i].kind, "place", x->places[i].place,
                                             "count", (json_int_t)x->places[i].count));
    json_t *o = tern_json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "set", words == NULL ? "" : words, "log_loss",
                               mean_json(&x->loss_mean), "behind_percent", mean_json(&x->behind), "accuracy",
                               mean_json(&x->accuracy_mean), "saturations", limited, "places", places);
    if (!x->reference) {
        tern_json_put(o, "memory_bits", json_integer((json_int_t)x->memory));
        tern_json_put(o, "cells", json_integer((json_int_t)x->cells));
        tern_json_put(o, "cycles", json_integer((json_int_t)x->cycles));
        tern_json_put(o, "fits", json_boolean(x->fits));
        tern_json_put(o, "within", json_boolean(tern_tune_within(&x->behind, t->set.within)));
    }
    return words == NULL ? json_decref(o), NULL : o;
}

static tern_status write_json(tern_tune *t, tern_diags *diags)
{
    const char *path = tern_exp_text(&t->base.arena, "%s/tune.json", t->base.dir);
    json_t *list = tern_json_list(), *skipped = tern_json_list();
    for (size_t k = 1; k < t->n; ++k) tern_json_add(list, setting_json(t, k));
    for (size_t k = 0; k < t->n_skipped; ++k) tern_json_add(skipped, tern_json_text(t->skipped[k]));
    json_t *o = tern_json_pack(
        "{s:O, s:s, s:I, s:f, s:o, s:o, s:o, s:o}", "settings", t->base.settings, "target", t->set.target->name,
        "lanes", (json_int_t)t->set.lanes, "within_percent", t->set.within, "reference", setting_json(t, 0), "best",
        t->best == 0 ? json_null() : setting_json(t, t->best), "tried", list, "skipped", skipped);
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_save_json(o, path, diags);
    json_decref(o);
    return s;
}

static tern_status write_csv(tern_tune *t, tern_diags *diags)
{
    tern_file_writer out;
    const char *path = tern_exp_text(&t->base.arena, "%s/results.csv", t->base.dir);
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_file_begin(&out, path, diags);
    if (s != TERN_OK) return s;
    fputs("setting,weight_bits,weight_fraction,trace,learn,signal,lags,seed,memory_bits,cells,fits,log_loss,accuracy\n",
          out.f);
    for (size_t k = 0; k < t->n; ++k)
        for (uint32_t seed = 0; seed < t->set.seeds; ++seed) {
            const tern_tune_setting *x = &t->settings[k];
            fprintf(out.f, "%zu", k);
            for (size_t key = 0; key < TERN_TUNE_KEYS; ++key) {
                fputc(',', out.f);
                if (x->given[key]) fprintf(out.f, "%d", x->value[key]);
                if (key == TERN_TUNE_WEIGHT && x->given[key]) fprintf(out.f, ",%d", x->fraction);
                if (key == TERN_TUNE_WEIGHT && !x->given[key]) fputc(',', out.f);
            }
            fprintf(out.f, ",%" PRIu32 ",", seed + 1);
            if (x->reference) fputs(",,", out.f);
            else fprintf(out.f, "%" PRIu64 ",%" PRIu64 ",%d", x->memory, x->cells, x->fits);
            fprintf(out.f, ",%.12g,", x->log_loss[seed]);
            if (!isnan(x->accuracy[seed])) fprintf(out.f, "%.12g", x->accuracy[seed]);
            fputc('\n', out.f);
        }
    return tern_file_commit(&out, diags);
}

/* ---- table ---- */

static void number(FILE *f, const tern_exp_mean *m, int digits)
{
    if (isnan(m->mean)) fputs(" - |", f);
    else if (isnan(m->lo)) fprintf(f, " %.*f |", digits, m->mean);
    else fprintf(f, " %.*f [%.*f, %.*f] |", digits, m->mean, digits, m->lo, digits, m->hi);
}

static void formats(FILE *f, const tern_tune_setting *x)
{
    if (x->reference) {
        fputs("| double precision |", f);
        return;
    }
    fprintf(f, "| weight {%d,%d}", x->value[TERN_TUNE_WEIGHT], x->fraction);
    for (size_t key = 1; key < TERN_TUNE_KEYS; ++key)
        if (x->given[key]) fprintf(f, ", %s %d", tern_tune_keys[key], x->value[key]);
    fputs(" |", f);
}

/* " (hid 5, vis 2)": where values of a kind were limited. */
static void places(FILE *f, const tern_tune_setting *x, const char *kind)
{
    bool first = true;
    for (size_t i = 0; i < x->n_places; ++i) {
        if (strcmp(x->places[i].kind, kind) != 0) continue;
        fprintf(f, "%s%s %" PRIu64, first ? " (" : ", ", x->places[i].place, x->places[i].count);
        first = false;
    }
    if (!first) fputc(')', f);
}

static void row(FILE *f, const tern_tune *t, size_t k)
{
    const tern_tune_setting *x = &t->settings[k];
    formats(f, x);
    if (x->reference) fputs(" | | |", f);
    else
        fprintf(f, " %" PRIu64 " | %" PRIu64 "%s | %" PRIu64 " |", x->memory, x->cells, x->fits ? "" : " (too many)",
                x->cycles);
    number(f, &x->loss_mean, 4);
    if (x->reference) fputs(" |", f);
    else number(f, &x->behind, 2);
    number(f, &x->accuracy_mean, 3);
    bool none = true;
    for (size_t i = 0; i < TERN_TUNE_SATURATIONS; ++i) {
        if (x->saturations[i] == 0) continue;
        fprintf(f, "%s%s %" PRIu64, none ? " " : ", ", tern_tune_saturations[i], x->saturations[i]);
        places(f, x, tern_tune_saturations[i]);
        none = false;
    }
    fputs(none ? " none |" : " |", f);
    fputs(k != 0 && k == t->best                                         ? " **taken** |\n"
          : !x->reference && tern_tune_within(&x->behind, t->set.within) ? " within |\n"
                                                                         : " |\n",
          f);
}

static tern_status write_table(tern_tune *t, tern_diags *diags)
{
    tern_file_writer out;
    const char *path = tern_exp_text(&t->base.arena, "%s/table.md", t->base.dir),
               *words = t->best == 0 ? "none" : tern_tune_words(t, t->best);
    const tern_status s = path == NULL || words == NULL ? TERN_ERR_MEMORY : tern_file_begin(&out, path, diags);
    if (s != TERN_OK) return s;
    fprintf(out.f,
            "| formats | memory, bits | cells, about | cycles per step | log-loss [95 %%] | worse by, %% [95 %%] "
            "| accuracy [95 %%] | saturations | |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < t->n; ++k) row(out.f, t, k);
    fprintf(out.f,
            "\n%" PRIu32 " seeds, %" PRIu32 " presentations of %" PRIu32 " recordings, measured on %" PRIu32
            " with K_I = %" PRIu32 "; target %s, %" PRIu32 " lanes.\nWithin %g %% of the reference: `%s`\n",
            t->set.seeds, t->base.set.points[0], t->base.n_train, t->base.n_test, t->set.inference, t->set.target->name,
            t->set.lanes, t->set.within, words);
    return tern_file_commit(&out, diags);
}

/* ---- figure ---- */

/* Over the bits of a weight the best fraction of each; other keys are the script's. */
static void curve(const tern_tune *t, double *data, tern_plot_series *out)
{
    enum { BITS = 17 };
    *out = (tern_plot_series){ .name = "best fraction",
                               .kind = TERN_PLOT_MARKED,
                               .x = data,
                               .y = data + BITS,
                               .lo = data + 2 * BITS,
                               .hi = data + 3 * BITS };
    for (int bits = 4; bits < BITS; ++bits) {
        size_t found = 0;
        for (size_t k = 1; k < t->n; ++k) {
            const tern_tune_setting *x = &t->settings[k];
            bool others = false;
            for (size_t key = 1; key < TERN_TUNE_KEYS; ++key) others = others || x->given[key];
            if (others || x->value[TERN_TUNE_WEIGHT] != bits) continue;
            if (found == 0 || x->loss_mean.mean < t->settings[found].loss_mean.mean) found = k;
        }
        if (found == 0) continue;
        const tern_exp_mean *m = &t->settings[found].loss_mean;
        data[out->n] = bits;
        data[BITS + out->n] = m->mean;
        data[2 * BITS + out->n] = isnan(m->lo) ? m->mean : m->lo;
        data[3 * BITS + out->n] = isnan(m->hi) ? m->mean : m->hi;
        ++out->n;
    }
}

static tern_status write_figure(tern_tune *t, tern_diags *diags)
{
    const char *path = tern_exp_text(&t->base.arena, "%s/figure.svg", t->base.dir), *text = NULL;
    double *data = tern_arena_get(&t->base.arena, 4 * 17, sizeof *data);
    tern_plot_series series[2];
    if (path == NULL || data == NULL) return TERN_ERR_MEMORY;
    curve(t, data, &series[0]);
    series[1] = (tern_plot_series){ .name = "double precision",
                                    .kind = TERN_PLOT_LEVEL,
                                    .colour = -1,
                                    .n = 1,
                                    .x = &t->settings[0].loss_mean.mean,
                                    .y = &t->settings[0].loss_mean.mean };
    const tern_plot plot = { .title = "log-loss over the bits of a weight",
                             .x_label = "bits of a weight",
                             .y_label = "log-loss per step (nats)",
                             .x_min = 3.5,
                             .x_max = 16.5,
                             .y_min = (double)NAN,
                             .y_max = (double)NAN,
                             .n_series = 2,
                             .series = series };
    tern_file_writer out;
    tern_status s = tern_plot_svg(&plot, 1, &t->base.arena, &text, diags);
    if (s == TERN_OK) s = tern_file_begin(&out, path, diags);
    if (s != TERN_OK) return s;
    fputs(text, out.f);
    return tern_file_commit(&out, diags);
}

tern_status tern_tune_write(tern_tune *t, tern_diags *diags)
{
    tern_status s = write_csv(t, diags);
    if (s == TERN_OK) s = write_json(t, diags);
    if (s == TERN_OK) s = write_table(t, diags);
    if (s == TERN_OK) s = write_figure(t, diags);
    if (s == TERN_OK && t->best == 0)
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_WARNING, W_NONE, t->set.script, 0, "formats.weight",
                           "no weight format that fits %s is within %g %% of the reference, as far as %" PRIu32
                           " seeds tell",
                           t->set.target->name, t->set.within, t->set.seeds),
            "more --seeds make intervals shorter; a larger --within; another --target");
    return s;
}
