/* tern_sweep_report.c : figure and page of a sweep
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"
#include "tern_page.h"
#include "tern_sweep.h"

enum { CURVES = 12 };

/* The axis along which is drawn: the first with numbers and more than one value, else the first with more than one,
 * else the first. */
static size_t main_axis(const tern_sweep *w)
{
    for (int numeric = 1; numeric >= 0; --numeric)
        for (size_t i = 0; i < w->set.n_axes; ++i)
            if (w->set.axes[i].n > 1 && (w->set.axes[i].numeric || !numeric)) return i;
    return 0;
}

/* The axis whose values are curves: the next one with more than one value; n_axes: none. */
static size_t curve_axis(const tern_sweep *w, size_t x)
{
    for (size_t i = 0; i < w->set.n_axes; ++i)
        if (i != x && w->set.axes[i].n > 1) return i;
    return w->set.n_axes;
}

/* Of the settings with value v of axis x (and c of axis y, if there is one) the best: what the other keys can do for
 * it. */
static size_t best_at(const tern_sweep *w, size_t x, size_t v, size_t y, size_t c)
{
    size_t found = w->n_settings;
    const int m = w->set.metric;
    for (size_t k = 0; k < w->n_settings; ++k) {
        if (tern_sweep_index(w, k, x) != v || (y != w->set.n_axes && tern_sweep_index(w, k, y) != c)) continue;
        const double value = w->results[k].m[m].mean;
        if (isnan(value)) continue;
        if (found == w->n_settings ||
            (tern_sweep_metrics[m].up ? value > w->results[found].m[m].mean : value < w->results[found].m[m].mean))
            found = k;
    }
    return found;
}

static bool curve(tern_sweep *w, size_t x, size_t y, size_t c, tern_plot_series *out)
{
    const tern_sweep_axis *a = &w->set.axes[x];
    double *data = tern_arena_get(&w->arena, 4 * a->n, sizeof *data);
    if (data == NULL) return false;
    *out = (tern_plot_series){ .kind = TERN_PLOT_MARKED,
                               .colour = (int)c,
                               .x = data,
                               .y = data + a->n,
                               .lo = data + 2 * a->n,
                               .hi = data + 3 * a->n };
    if (y != w->set.n_axes) {
        out->name = tern_exp_text(&w->arena, "%s = %s", w->set.axes[y].key, w->set.axes[y].text[c]);
        if (out->name == NULL) return false;
    }
    for (size_t v = 0; v < a->n; ++v) {
        const size_t k = best_at(w, x, v, y, c);
        if (k == w->n_settings) continue;
        const tern_exp_mean *m = &w->results[k].m[w->set.metric];
        data[out->n] = a->numeric ? a->x[v] : (double)v + 1;
        data[a->n + out->n] = m->mean;
        data[2 * a->n + out->n] = isnan(m->lo) ? m->mean : m->lo;
        data[3 * a->n + out->n] = isnan(m->hi) ? m->mean : m->hi;
        ++out->n;
    }
    return true;
}

static tern_plot *figure(tern_sweep *w, const char **out_caption)
{
    const size_t x = main_axis(w), y = curve_axis(w, x), n = y == w->set.n_axes ? 1 : w->set.axes[y].n;
    const tern_sweep_axis *a = &w->set.axes[x];
    tern_plot *p = tern_arena_get(&w->arena, 1, sizeof *p);
    tern_plot_series *series = tern_arena_get(&w->arena, CURVES, sizeof *series);
    if (p == NULL || series == NULL) return NULL;
    *p = (tern_plot){ .title = tern_sweep_metrics[w->set.metric].label,
                      .x_label = a->key,
                      .y_label = tern_sweep_metrics[w->set.metric].label,
                      .log_x = a->log,
                      .x_min = (double)NAN,
                      .x_max = (double)NAN,
                      .y_min = (double)NAN,
                      .y_max = (double)NAN,
                      .series = series };
    for (size_t c = 0; c < n && c < CURVES; ++c) {
        if (!curve(w, x, y, c, &series[p->n_series])) return NULL;
        p->n_series += series[p->n_series].n != 0;
    }
    bool others = false;
    for (size_t i = 0; i < w->set.n_axes; ++i) others = others || (i != x && i != y && w->set.axes[i].n > 1);
    *out_caption = tern_exp_text(
        &w->arena, "Mean over %" PRIu32 " seed%s after %" PRIu32 " presentations; bars are 95 %% intervals.%s%s%s",
        w->set.seeds, w->set.seeds == 1 ? "" : "s", w->set.points[w->set.n_points - 1],
        others ? " Of the other keys the best values at each place." : "",
        n > CURVES ? " Only the first 12 curves are drawn." : "",
        a->numeric ? "" : " Values are numbered in their order.");
    return *out_caption == NULL ? NULL : p;
}

static const char *shown(tern_sweep *w, const tern_exp_mean *m)
{
    if (isnan(m->mean)) return "-";
    return isnan(m->lo) ? tern_exp_text(&w->arena, "%.4g", m->mean)
                        : tern_exp_text(&w->arena, "%.4g [%.4g, %.4g]", m->mean, m->lo, m->hi);
}

static bool table(tern_sweep *w, tern_page *page)
{
    static const tern_sweep_metric of[] = { TERN_SWEEP_LOG_LOSS, TERN_SWEEP_ACCURACY, TERN_SWEEP_ECE,
                                            TERN_SWEEP_DISTANCE };
    enum { SHOWN = sizeof of / sizeof of[0] };
    bool used[SHOWN] = { false };
    size_t columns = w->set.n_axes + 2;
    for (size_t m = 0; m < SHOWN; ++m) {
        for (size_t k = 0; k < w->n_settings; ++k) used[m] = used[m] || !isnan(w->results[k].m[of[m]].mean);
        columns += used[m];
    }
    const char **cells = tern_arena_get(&w->arena, (w->n_settings + 1) * columns, sizeof *cells);
    if (cells == NULL) return false;
    for (size_t r = 0; r <= w->n_settings; ++r) {
        const char **cell = cells + r * columns;
        for (size_t i = 0; i < w->set.n_axes; ++i)
            *cell++ = r == 0 ? w->set.axes[i].key : w->set.axes[i].text[tern_sweep_index(w, r - 1, i)];
        for (size_t m = 0; m < SHOWN; ++m)
            if (used[m]) *cell++ = r == 0 ? tern_sweep_metrics[of[m]].option : shown(w, &w->results[r - 1].m[of[m]]);
        *cell++ = r == 0 ? "warned" : tern_exp_text(&w->arena, "%" PRIu32, w->results[r - 1].warned);
        *cell++ = r == 0                                                 ? ""
                  : r - 1 == w->best                                     ? "best"
                  : w->results[r - 1].as_good && w->best < w->n_settings ? "as good"
                                                                         : "";
        for (size_t c = 0; c < columns; ++c)
            if (cells[r * columns + c] == NULL) return false;
    }
    tern_page_table(page, w->n_settings + 1, columns, cells,
                    "After the last presentation. As good: the 95 % interval of its difference to the best setting, "
                    "seed by seed, contains 0. "
                    "Warned: trainings that ended with a warning.");
    return true;
}

static bool commands(tern_sweep *w, tern_page *page)
{
    tern_exp_command c;
    const char *words = tern_sweep_words(w, w->best < w->n_settings ? w->best : 0);
    tern_exp_command_begin(&c, "tern");
    tern_exp_command_add(&c, "train");
    tern_exp_command_add(&c, w->set.script);
    tern_exp_command_add(&c, "--data");
    tern_exp_command_add(&c, w->set.data);
    const char *text = tern_exp_command_text(&c, &w->arena);
    const char *all = words == NULL || text == NULL
                          ? NULL
                          : tern_exp_text(&w->arena, "%s %s --presentations %" PRIu32 " -o OUT.tern", text, words,
                                          w->set.points[w->set.n_points - 1]);
    if (all == NULL) return false;
    tern_page_text(page, "Trains with the best setting, on all of the data:");
    tern_page_code(page, all);
    return true;
}

static bool fill(tern_sweep *w, tern_page *page, const tern_plot *plot, const char *caption)
{
    const tern_sweep_result *best = w->best < w->n_settings ? &w->results[w->best] : NULL;
    tern_page_section(page, "Best setting");
    if (best == NULL) {
        tern_page_text(page, "None: no training has this number.");
    } else {
        const char *words = tern_sweep_words(w, w->best);
        size_t others = 0;
        for (size_t k = 0; k < w->n_settings; ++k) others += k != w->best && w->results[k].as_good;
        if (words == NULL) return false;
        tern_page_code(page, words);
        tern_page_text(
            page,
            "%s %s, mean over %" PRIu32
            " seed%s. %zu other setting%s as good, as far as these seeds tell. The best of many is better here than "
            "with other data: measure it once more with recordings that the sweep has not seen.",
            tern_sweep_metrics[w->set.metric].label, shown(w, &best->m[w->set.metric]), w->set.seeds,
            w->set.seeds == 1 ? "" : "s", others, others == 1 ? " is" : "s are");
    }
    if (w->same_data)
        tern_page_text(page, "What is measured is what was learnt: there were too few recordings to keep some.");
    tern_page_section(page, "Figure");
    if (plot->n_series != 0) tern_page_figure(page, plot, caption);
    tern_page_section(page, "All settings");
    if (!table(w, page)) return false;
    tern_page_section(page, "What was done");
    tern_page_text(page,
                   "%zu settings with seeds 1 to %" PRIu32 ", trained on %" PRIu32 " recordings, measured on %" PRIu32
                   " with K_I = %" PRIu32 ".",
                   w->n_settings, w->set.seeds, w->n_train, w->n_test, w->set.inference);
    return best == NULL || commands(w, page);
}

tern_status tern_sweep_page(tern_sweep *w, tern_diags *diags)
{
    const char *html = tern_exp_text(&w->arena, "%s/report.html", w->dir),
               *svg = tern_exp_text(&w->arena, "%s/figure.svg", w->dir), *caption = NULL, *text = NULL;
    if (html == NULL || svg == NULL) return TERN_ERR_MEMORY;
    const tern_plot *plot = figure(w, &caption);
    const char *network = json_string_value(json_object_get(w->settings, "network"));
    tern_page *page = tern_page_new(tern_exp_text(&w->arena, "Sweep: %s", network),
                                    tern_exp_text(&w->arena, "tern sweep: %zu settings", w->n_settings), &w->arena);
    if (plot == NULL || page == NULL || !fill(w, page, plot, caption)) return TERN_ERR_MEMORY;
    if (plot->n_series != 0) {
        tern_file_writer out;
        tern_status s = tern_plot_svg(plot, 1, &w->arena, &text, diags);
        if (s == TERN_OK) s = tern_file_begin(&out, svg, diags);
        if (s != TERN_OK) return s;
        fputs(text, out.f);
        s = tern_file_commit(&out, diags);
        if (s != TERN_OK) return s;
    }
    return tern_page_write(page, html, diags);
}
