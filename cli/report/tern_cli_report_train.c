/* tern_cli_report_train.c : the part of a report about the training, from its log
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_report.h"

enum { RANGES = 6, WINDOW_MAX = 100, DASHED = 7 /* the second colour, dashed */ };

typedef double (*value_of)(const tern_train_line *p);
static double log_loss(const tern_train_line *p) { return p->log_loss; }
static double log_loss_iw(const tern_train_line *p) { return p->log_loss_iw; }
static double distance(const tern_train_line *p) { return p->distance; }
static double eta(const tern_train_line *p) { return p->eta; }
static double hidden_rate(const tern_train_line *p) { return p->hidden_rate; }

static double *column(tern_report *r, value_of f, bool *out_any)
{
    double *y = tern_report_numbers(r, r->log.n);
    *out_any = false;
    for (size_t i = 0; y != NULL && i < r->log.n; ++i) {
        y[i] = f(&r->log.lines[i]);
        *out_any |= isfinite(y[i]);
    }
    return y;
}

/* A twentieth of the training, 1..100 presentations. */
static size_t window_of(size_t n) { return n < 20 ? 1 : n / 20 > WINDOW_MAX ? WINDOW_MAX : n / 20; }

static double *mean_of(tern_report *r, const double *y)
{
    double *m = tern_report_numbers(r, r->log.n);
    if (m != NULL) tern_report_running_mean(y, r->log.n, window_of(r->log.n), m);
    return m;
}

/* Single presentations as pale marks, their running mean as a line. */
static void curve(tern_report *r, tern_plot *p, const double *x, const double *y, const char *name, int colour,
                  bool marks)
{
    const double *m = mean_of(r, y);
    if (p == NULL || m == NULL) return;
    const size_t w = window_of(r->log.n);
    if (marks && w > 1) tern_report_series(p, "one presentation", TERN_PLOT_POINTS, -1, r->log.n, x, y);
    tern_report_series(p, w > 1 ? tern_report_print(r, "%s, mean of %zu", name, w) : name, TERN_PLOT_LINE, colour,
                       r->log.n, x, m);
}

/* ---- learning curves ---------------------------------------------------------------------------------- */

static void loss_figure(tern_report *r, const double *x)
{
    bool any, any_iw, any_distance;
    const double *y = column(r, log_loss, &any), *iw = column(r, log_loss_iw, &any_iw),
                 *d = column(r, distance, &any_distance);
    if (y == NULL || iw == NULL || d == NULL) return;
    if (any) {
        tern_plot *p = tern_report_figure(
            r, "Log-loss while learning", "presentation", "nats per step",
            "Log-loss of each presentation, measured while the network learns from it: the cross-entropy of the "
            "visible neurons in nats per step, mean over samples. Lower is better.");
        curve(r, p, x, y, "log-loss", 0, true);
        if (any_iw && r->log.samples > 1) curve(r, p, x, iw, "importance-weighted", DASHED, false);
    }
    if (any_distance) {
        tern_plot *p = tern_report_figure(r, "Distance to the wanted spikes", "presentation", "squared distance",
                                          "Squared van Rossum distance between the visible neurons' spikes and the "
                                          "wanted ones, mean over samples. Lower is better.");
        curve(r, p, x, d, "distance", 0, true);
    }
}

static void validation_figures(tern_report *r)
{
    const tern_report_log *g = &r->log;
    const size_t n = g->n_validated;
    double *x = tern_report_numbers(r, n), *loss = tern_report_numbers(r, n), *accuracy = tern_report_numbers(r, n),
           *lo = tern_report_numbers(r, n), *hi = tern_report_numbers(r, n), *d = tern_report_numbers(r, n),
           *best_x = tern_report_numbers(r, 1), *best_y = tern_report_numbers(r, 1);
    if (r->failed || n == 0) return;
    bool any_accuracy = false, any_distance = false, any_loss = false;
    size_t best = 0;
    for (size_t i = 0; i < n; ++i) {
        const tern_validated *v = &g->validated[i];
        x[i] = v->presentations;
        loss[i] = v->log_loss;
        accuracy[i] = v->accuracy;
        d[i] = v->distance;
        const double right = round(v->accuracy * g->n_held);
        const tern_interval w =
            isfinite(right) && g->n_held != 0 ? tern_wilson((uint64_t)right, g->n_held) : (tern_interval){ NAN, NAN };
        lo[i] = w.lo;
        hi[i] = w.hi;
        any_loss |= isfinite(v->log_loss);
        any_accuracy |= isfinite(v->accuracy);
        any_distance |= isfinite(v->distance);
        if (v->improved) best = i;
    }
    best_x[0] = x[best];
    const char *of = tern_report_print(r,
                                       "Measured without learning on the %u recordings that were held out. The image "
                                       "is that of the validation marked as best (metric: %s).",
                                       g->n_held, g->metric);
    const double *values[3] = { loss, accuracy, d };
    static const char *const names[3] = { "log-loss", "accuracy", "distance" };
    static const char *const titles[3] = { "Log-loss on held-out recordings", "Accuracy on held-out recordings",
                                           "Distance on held-out recordings" };
    static const char *const units[3] = { "nats per step", "share right", "squared distance" };
    const bool any[3] = { any_loss, any_accuracy, any_distance };
    for (int k = 0; k < 3; ++k) {
        if (!any[k]) continue;
        tern_plot *p =
            tern_report_figure(r, titles[k], "presentation", units[k],
                               k == 1 ? tern_report_print(r, "%s Bars: 95 %% intervals of Wilson.", of) : of);
        tern_plot_series *s = tern_report_series(p, names[k], TERN_PLOT_MARKED, 0, n, x, values[k]);
        if (k == 1) {
            s->lo = lo;
            s->hi = hi;
            if (p != NULL) p->y_max = 1;
        }
        if (g->metric == NULL || strcmp(g->metric, names[k]) != 0) continue;
        best_y[0] = values[k][best];
        tern_report_series(p, "best", TERN_PLOT_MARKED, 1, 1, best_x, best_y);
    }
}

static void rate_figures(tern_report *r, const double *x)
{
    bool any;
    const double *h = column(r, hidden_rate, &any), *e = column(r, eta, &any);
    if (h == NULL || e == NULL) return;
    if (r->model.net.n_neurons > r->model.net.n_visible) {
        tern_plot *p = tern_report_figure(r, "Activity of hidden neurons", "presentation", "spikes per neuron and step",
                                          "Spikes per hidden neuron, sample and step while learning.");
        curve(r, p, x, h, "hidden rate", 2, true);
        if (p != NULL) p->y_min = 0;
    }
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < r->log.n; ++i) {
        if (e[i] < least) least = e[i];
        if (e[i] > most) most = e[i];
    }
    if (least >= most) return; /* constant: the settings have it */
    tern_plot *p = tern_report_figure(r, "Learning rate", "presentation", "eta", "Learning rate that was in force.");
    if (p == NULL) return;
    p->log_y = least > 0 && most / least >= 8;
    if (!p->log_y) p->y_min = 0;
    tern_report_series(p, NULL, TERN_PLOT_LINE, 0, r->log.n, x, e);
}

/* ---- tables --------------------------------------------------------------------------------------------- */

static void mean_cells(tern_report_table *t, const char *name, const tern_train_line *lines, size_t n, value_of f)
{
    tern_mean m = { 0 };
    for (size_t i = 0; i < n; ++i)
        if (isfinite(f(&lines[i]))) tern_mean_add(&m, f(&lines[i]));
    tern_report_cell(t, "%s", name);
    if (m.n == 0) tern_report_cell(t, "%s", "");
    else tern_report_cell(t, "%.5g", m.mean);
    tern_report_cell(t, "%s", tern_report_interval(t->r, tern_mean_interval_within(&m, 0, (double)INFINITY)));
}

static void progress_table(tern_report *r)
{
    const tern_report_log *g = &r->log;
    const size_t n = g->n < 10 ? g->n : g->n / 10;
    const bool is_distance = isfinite(g->lines[0].distance) && !isfinite(g->lines[0].log_loss);
    const value_of f = is_distance ? distance : log_loss;
    tern_report_table t = tern_report_table_new(r, 3);
    tern_report_cell(&t, "%s", is_distance ? "distance" : "log-loss per step");
    tern_report_cell(&t, "mean");
    tern_report_cell(&t, "95 %% interval");
    mean_cells(&t,
               tern_report_print(r, "presentations %u to %u", g->lines[0].presentation, g->lines[n - 1].presentation),
               g->lines, n, f);
    if (n < g->n)
        mean_cells(&t,
                   tern_report_print(r, "presentations %u to %u", g->lines[g->n - n].presentation,
                                     g->lines[g->n - 1].presentation),
                   g->lines + g->n - n, n, f);
    tern_report_table_end(&t, "While learning, at the beginning and at the end.");
}

static uint64_t saturation(const tern_train_line *p, int kind)
{
    const tern_sat_counts *s = &p->saturations;
    const uint64_t all[6] = { s->weight, s->local, s->potential, s->coefficient, s->logprob, s->modulator };
    return all[kind];
}

static void saturation_table(tern_report *r)
{
    static const char *const names[6] = { "weight",    "local (bias, self-memory)",
                                          "potential", "coefficient",
                                          "logprob",   "modulator" };
    static const char *const keys[6] = { "weight", "local", "potential", "coefficient", "logprob", "modulator" };
    const tern_report_log *g = &r->log;
    const size_t ranges = g->n < RANGES ? g->n : RANGES;
    json_t *sums = tern_json_object();
    tern_report_table t = tern_report_table_new(r, ranges + 3);
    tern_report_cell(&t, "limited");
    tern_report_cell(&t, "times");
    tern_report_cell(&t, "presentations with any");
    for (size_t i = 0; i < ranges; ++i) {
        const size_t from = g->n * i / ranges, to = g->n * (i + 1) / ranges;
        if (to - from > 1) tern_report_cell(&t, "%u..%u", g->lines[from].presentation, g->lines[to - 1].presentation);
        else tern_report_cell(&t, "%u", g->lines[from].presentation);
    }
    for (int k = 0; k < 6; ++k) {
        uint64_t sum = 0;
        size_t touched = 0;
        for (size_t i = 0; i < g->n; ++i) {
            sum += saturation(&g->lines[i], k);
            touched += saturation(&g->lines[i], k) != 0;
        }
        tern_json_put(sums, keys[k], json_integer((json_int_t)sum));
        tern_report_cell(&t, "%s", names[k]);
        tern_report_cell(&t, "%" PRIu64, sum);
        tern_report_cell(&t, "%zu", touched);
        for (size_t i = 0; i < ranges; ++i) {
            uint64_t part = 0;
            for (size_t q = g->n * i / ranges; q < g->n * (i + 1) / ranges; ++q) part += saturation(&g->lines[q], k);
            tern_report_cell(&t, "%" PRIu64, part);
        }
    }
    tern_report_table_end(&t, "Saturations: how often a value was limited to its format, in total and in ranges of "
                              "presentations. Few are harmless; many say that a format is too small or eta too large.");
    tern_report_put(r, "saturations", sums);
}

static void communication_table(tern_report *r)
{
    tern_mean m[2] = { { 0 }, { 0 } };
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    for (size_t i = 0; i < r->log.n; ++i) {
        const double v[2] = { r->log.lines[i].unicast, r->log.lines[i].broadcast };
        for (int k = 0; k < 2; ++k) {
            if (!isfinite(v[k])) continue;
            tern_mean_add(&m[k], v[k]);
            least[k] = fmin(least[k], v[k]);
            most[k] = fmax(most[k], v[k]);
        }
    }
    if (m[0].n == 0 || m[1].n == 0) {
        tern_page_text(r->page, "Communication was not counted: the log is of the %s engine.", r->log.engine);
        return;
    }
    static const char *const names[2] = { "unicast, neurons to the central processor",
                                          "broadcast, central processor to neurons" };
    tern_report_table t = tern_report_table_new(r, 4);
    tern_report_cell(&t, "numbers per step");
    tern_report_cell(&t, "mean");
    tern_report_cell(&t, "least");
    tern_report_cell(&t, "most");
    for (int k = 0; k < 2; ++k) {
        tern_report_cell(&t, "%s", names[k]);
        tern_report_cell(&t, "%.6g", m[k].mean);
        tern_report_cell(&t, "%.6g", least[k]);
        tern_report_cell(&t, "%.6g", most[k]);
    }
    tern_report_table_end(&t, "Communication: numbers that learning sent, counted where they were used.");
}

void tern_report_training(tern_report *r)
{
    const tern_report_log *g = &r->log;
    tern_page_section(r->page, "Training");
    if (!g->there) {
        if (r->log_unfit)
            tern_page_text(r->page,
                           "The log next to the image (%s) belongs to another training: its samples, seed, steps or "
                           "presentations are not those of the image. It is not used. This command writes one:",
                           r->o.log);
        else
            tern_page_text(
                r->page,
                "There is no log next to the image (%s), so there are no learning curves. This writes one:", r->o.log);
        tern_page_code(r->page, tern_report_print(r, "tern train NET.lua --data PATH -o %s --log %s",
                                                  tern_report_word(r, r->o.image), tern_report_word(r, r->o.log)));
        return;
    }
    tern_page_text(r->page, "%zu presentation%s of %u recording%s, K = %u sample%s, seed %" PRIu64 ", %s engine%s.",
                   g->n, g->n == 1 ? "" : "s", g->recordings, g->recordings == 1 ? "" : "s", g->samples,
                   g->samples == 1 ? "" : "s", g->seed, g->engine,
                   g->n_held != 0 ? tern_report_print(r, "; %u recordings were held out for validation", g->n_held)
                                  : "");
    tern_report_put(r, "presentations", json_integer((json_int_t)g->n));
    tern_report_put(r, "validations", json_integer((json_int_t)g->n_validated));
    if (g->n == 0) {
        tern_page_text(r->page, "The log holds no presentation yet.");
        return;
    }
    if (g->lines[g->n - 1].presentation < r->model.presentations_done)
        tern_page_text(r->page, "The image is of %u presentations, the log ends after %u: the log is incomplete.",
                       r->model.presentations_done, g->lines[g->n - 1].presentation);
    if (g->n_missing != 0)
        tern_page_text(r->page,
                       "Of the %u presentations up to the log's last one %u are missing in it, the first is "
                       "presentation %u: figures and sums are of the others.",
                       g->lines[g->n - 1].presentation, g->n_missing, g->first_missing);
    tern_report_put(r, "log_loss_last", tern_json_real(g->lines[g->n - 1].log_loss));
    double *x = tern_report_numbers(r, g->n);
    if (x == NULL) return;
    for (size_t i = 0; i < g->n; ++i) x[i] = g->lines[i].presentation;
    progress_table(r);
    loss_figure(r, x);
    validation_figures(r);
    rate_figures(r, x);
    saturation_table(r);
    communication_table(r);
}
