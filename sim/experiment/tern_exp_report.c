/* tern_exp_report.c : report.html: what the paper says and what came out, its figures, the settings, the commands
 * SPDX-License-Identifier: Apache-2.0
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_exp_internal.h"
#include "tern_exp_files.h"

/* A series of means over x, with intervals. */
typedef struct curve {
    tern_plot_series s;
    size_t most;
    double *x, *y, *lo, *hi;
    bool positive_only;
} curve;

typedef struct figure {
    tern_exp *e;
    tern_plot *plot;
    tern_plot_series *series;
    size_t n;
} figure;

enum {
    CURVES_MAX = 40,
    POINTS_MARKED = 40 /* so many measured points are shown as marks with bars, more as a line with a band */
};

static const char *const upper_rules[TERN_EXP_RULE_KINDS] = { "GEM", "MB", "IW" };

static bool figure_begin(figure *f, tern_exp *e, const char *title, const char *x_label, const char *y_label)
{
    *f = (figure){ .e = e,
                   .plot = tern_arena_get(&e->arena, 1, sizeof *f->plot),
                   .series = tern_arena_get(&e->arena, CURVES_MAX, sizeof *f->series) };
    if (f->plot == NULL || f->series == NULL) return false;
    *f->plot = (tern_plot){ .title = title,
                            .x_label = x_label,
                            .y_label = y_label,
                            .x_min = (double)NAN,
                            .x_max = (double)NAN,
                            .y_min = (double)NAN,
                            .y_max = (double)NAN };
    return true;
}

static bool curve_begin(curve *c, tern_exp *e, const char *name, size_t most, int colour, tern_plot_kind kind)
{
    *c = (curve){ .most = most,
                  .x = tern_arena_get(&e->arena, most, sizeof(double)),
                  .y = tern_arena_get(&e->arena, most, sizeof(double)),
                  .lo = tern_arena_get(&e->arena, most, sizeof(double)),
                  .hi = tern_arena_get(&e->arena, most, sizeof(double)) };
    c->s = (tern_plot_series){
        .name = name, .kind = kind, .colour = colour, .x = c->x, .y = c->y, .lo = c->lo, .hi = c->hi
    };
    return name != NULL && c->x != NULL && c->y != NULL && c->lo != NULL && c->hi != NULL;
}

static void curve_point(curve *c, double x, tern_exp_mean m)
{
    if (m.n == 0 || c->s.n == c->most) return;
    const size_t i = c->s.n++;
    c->x[i] = x;
    c->y[i] = m.mean;
    c->lo[i] = isnan(m.lo) ? m.mean : m.lo; /* one seed: no bar */
    c->hi[i] = isnan(m.hi) ? m.mean : m.hi;
    if (c->positive_only && c->lo[i] <= 0) c->lo[i] = m.mean / 10; /* an axis of logarithms has no zero */
}

static void figure_add(figure *f, const curve *c)
{
    if (f->n < CURVES_MAX && c->s.n != 0) f->series[f->n++] = c->s;
}

/* "Log-loss at the end" becomes "log-loss-at-the-end". */
static const char *file_name(tern_exp *e, const char *title)
{
    char *name = tern_arena_get(&e->arena, strlen(title) + 1, 1);
    size_t n = 0;
    for (const char *p = title; name != NULL && *p != 0; ++p) {
        if (isalnum((unsigned char)*p)) name[n++] = (char)tolower((unsigned char)*p);
        else if (n != 0 && name[n - 1] != '-') name[n++] = '-';
    }
    while (n != 0 && name[n - 1] == '-') name[--n] = 0;
    return n == 0 ? "figure" : name;
}

static void figure_end(figure *f, tern_exp_files *files, const char *caption)
{
    if (f->n == 0) {
        tern_page_text(files->page, "%s Nothing to draw: there is no such number.", caption);
        return;
    }
    f->plot->series = f->series;
    f->plot->n_series = f->n;
    tern_exp_put_figure(files, file_name(f->e, f->plot->title), f->plot, caption);
}

/* One metric against processed steps. `from_start` false: what training begins with is left out, it would flatten the
 * rest. */
static bool add_over_steps(figure *f, const char *name, tern_exp_filter at, tern_exp_metric m, int colour,
                           bool from_start)
{
    curve c;
    const tern_exp_list *p = &f->e->set.presentations;
    if (!curve_begin(&c, f->e, name, p->n, colour, p->n <= POINTS_MARKED ? TERN_PLOT_MARKED : TERN_PLOT_LINE))
        return false;
    c.positive_only = f->plot->log_y;
    for (size_t i = 0; i < p->n; ++i) {
        at.presentations = p->v[i];
        if (from_start || p->v[i] != 0)
            curve_point(&c, (double)p->v[i] * f->e->n_steps, tern_exp_mean_rows(f->e, at, m));
    }
    figure_add(f, &c);
    return true;
}

/* How far curves over K stand apart, in K: a few pixels, and less than a quarter of the way to the next K. Equal values
 * would hide each other. */
static double apart(const tern_exp_list *K)
{
    const double range = (double)tern_exp_most(K) - tern_exp_least(K);
    double gap = K->n == 1 ? 0.2 : range;
    for (size_t i = 0; i < K->n; ++i)
        for (size_t k = 0; k < K->n; ++k)
            if (K->v[k] > K->v[i] && K->v[k] - K->v[i] < gap) gap = K->v[k] - K->v[i];
    return K->n == 1 ? gap : fmin(0.025 * range, 0.24 * gap);
}

/* One metric at the end of training against K; `shift` is added to K. */
static bool add_over_samples(figure *f, const char *name, tern_exp_filter at, tern_exp_metric m, int colour,
                             double shift)
{
    curve c;
    const tern_exp_list *K = &f->e->set.samples;
    at.presentations = tern_exp_most(&f->e->set.presentations);
    if (!curve_begin(&c, f->e, name, K->n, colour, TERN_PLOT_MARKED)) return false;
    for (size_t i = 0; i < K->n; ++i) {
        at.samples = K->v[i];
        curve_point(&c, K->v[i] + shift, tern_exp_mean_rows(f->e, at, m));
    }
    figure_add(f, &c);
    return true;
}

static const tern_exp_filter any = {
    TERN_EXP_ANY, TERN_EXP_ANY, TERN_EXP_ANY, TERN_EXP_ANY, TERN_EXP_ANY, TERN_EXP_ANY
};

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* A curve over steps for each K. */
static bool by_samples(tern_exp *e, tern_exp_files *files, const char *title, const char *y_label, tern_exp_metric m,
                       uint32_t hidden, const char *caption, bool from_start, bool log_y)
{
    figure f;
    if (!figure_begin(&f, e, title, "processed time steps", y_label)) return false;
    f.plot->log_y = log_y;
    for (size_t i = 0; i < e->set.samples.n; ++i) {
        tern_exp_filter at = any;
        at.samples = e->set.samples.v[i];
        at.hidden = hidden;
        at.rule = e->set.rules.v[0];
        if (!add_over_steps(&f, tern_exp_text(&e->arena, "K = %" PRIu32, at.samples), at, m, (int)i, from_start))
            return false;
    }
    figure_end(&f, files, caption);
    return true;
}

/* A curve over K for each |H|. */
static bool by_hidden(tern_exp *e, tern_exp_files *files, const char *title, const char *y_label, tern_exp_metric m,
                      const char *caption, bool with_none)
{
    figure f;
    if (!figure_begin(&f, e, title, "samples K in training", y_label)) return false;
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        tern_exp_filter at = any;
        at.hidden = e->set.hidden.v[i];
        if (at.hidden == 0 && !with_none) continue;
        if (!add_over_samples(&f, tern_exp_text(&e->arena, "|H| = %" PRIu32, at.hidden), at, m, (int)i, 0))
            return false;
    }
    figure_end(&f, files, caption);
    return true;
}

static bool memorise_figures(tern_exp *e, tern_exp_files *files)
{
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        const uint32_t h = e->set.hidden.v[i];
        if (h == 0 && e->set.hidden.n > 1) continue;
        const char *title = tern_exp_text(&e->arena, "Log-loss while learning, |H| = %" PRIu32, h);
        if (title == NULL ||
            !by_samples(e, files, title, "log-loss per step (nats)", TERN_EXP_LOG_LOSS, h,
                        "Log-loss of the recording against processed time steps (the paper's figure (a)).", true, true))
            return false;
    }
    return by_hidden(e, files, "Log-loss at the end", "log-loss per step (nats)", TERN_EXP_LOG_LOSS,
                     "Log-loss after the last presentation against K (figure (b)).", true) &&
           by_hidden(e, files, "Broadcast load", "numbers per step", TERN_EXP_BROADCAST,
                     "Numbers sent from the central processor to the neurons per step (figure (c)).", true) &&
           by_hidden(e, files, "Hidden spikes", "spikes per step, all samples", TERN_EXP_HIDDEN_SPIKES,
                     "Spikes of the hidden neurons per step during training, all samples together (figure (d)).",
                     false);
}

static bool digits2_figures(tern_exp *e, tern_exp_files *files)
{
    static const struct {
        tern_exp_metric m;
        const char *title, *label, *caption;
    } of[] = {
        { TERN_EXP_ACCURACY, "Accuracy", "share of right decisions",
          "Accuracy on the test set against processed time steps (figure (a))." },
        { TERN_EXP_ENTROPY_RIGHT, "Entropy of right decisions", "bits",
          "Mean entropy of the votes of right decisions (figure (b))." },
        { TERN_EXP_ENTROPY_WRONG, "Entropy of wrong decisions", "bits",
          "Mean entropy of the votes of wrong decisions (figure (b)); there may be none to average." },
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; ++i) {
        figure f;
        if (!figure_begin(&f, e, of[i].title, "processed time steps", of[i].label)) return false;
        for (size_t k = 0; k < e->set.inference.n; ++k) {
            tern_exp_filter at = any;
            at.inference = e->set.inference.v[k];
            if (!add_over_steps(&f, tern_exp_text(&e->arena, "K_I = %" PRIu32, at.inference), at, of[i].m, (int)k,
                                true))
                return false;
        }
        figure_end(&f, files, of[i].caption);
    }
    return true;
}

static bool digits3_figures(tern_exp *e, tern_exp_files *files)
{
    return by_samples(e, files, "Test log-likelihood", "nats per recording", TERN_EXP_LOG_LIKELIHOOD, TERN_EXP_ANY,
                      "Log-likelihood of the test recordings against processed time steps; the start of training is "
                      "omitted.",
                      false, false) &&
           by_samples(e, files, "Accuracy", "share of right decisions", TERN_EXP_ACCURACY, TERN_EXP_ANY,
                      "Accuracy on the test set.", true, false) &&
           by_samples(e, files, "Calibration error", "ECE", TERN_EXP_ECE, TERN_EXP_ANY,
                      "Expected calibration error on the test set.", true, false);
}

static bool rules_figures(tern_exp *e, tern_exp_files *files)
{
    static const struct {
        tern_exp_metric m;
        const char *title, *label, *caption;
    } of[] = {
        { TERN_EXP_LOG_LOSS, "Test log-loss", "log-loss per step (nats)",
          "Log-loss of the test recordings against K (figure (a))." },
        { TERN_EXP_ACCURACY, "Accuracy", "share of right decisions",
          "Accuracy on the test set, as many samples as in training (figure (b))." },
        { TERN_EXP_ECE, "Calibration error", "ECE",
          "Expected calibration error; with it the number of samples changes too, so compare rules at the same K "
          "only." },
        { TERN_EXP_BROADCAST, "Broadcast load", "numbers per step",
          "Numbers sent from the central processor to the neurons per step (figure (c))." },
        { TERN_EXP_HIDDEN_SPIKES, "Hidden spikes", "spikes per step, all samples",
          "Spikes of the hidden neurons per step during training, all samples together (figure (d))." },
    };
    const double step = apart(&e->set.samples), first = -step * ((double)e->set.rules.n - 1) / 2;
    if (e->set.rules.n > 1)
        tern_page_text(files->page, "The rules are slightly offset from each other at every K, so that equal values "
                                    "do not hide one another.");
    for (size_t i = 0; i < sizeof of / sizeof of[0]; ++i) {
        figure f;
        if (!figure_begin(&f, e, of[i].title, "samples K in training", of[i].label)) return false;
        for (size_t r = 0; r < e->set.rules.n; ++r) {
            tern_exp_filter at = any;
            at.rule = e->set.rules.v[r];
            if (!add_over_samples(&f, upper_rules[at.rule], at, of[i].m, (int)r, first + step * (double)r))
                return false;
        }
        figure_end(&f, files, of[i].caption);
    }
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* As many digits as the interval leaves sense in: four significant ones, in plain notation. */
const char *tern_exp_number(tern_exp *e, double x)
{
    if (isnan(x)) return "-";
    if (isinf(x)) return x < 0 ? "-\xe2\x88\x9e" : "\xe2\x88\x9e";
    const double a = fabs(x);
    const int digits = a >= 1000 ? 0 : a >= 100 ? 1 : a >= 10 ? 2 : a >= 1 ? 3 : 4;
    return tern_exp_text(&e->arena, "%.*f", digits, x);
}

const char *tern_exp_interval_text(tern_exp *e, const tern_exp_mean *m)
{
    if (isnan(m->lo)) return "-";
    return tern_exp_text(&e->arena, "[%s, %s]", tern_exp_number(e, m->lo), tern_exp_number(e, m->hi));
}

bool tern_exp_claims_table(tern_exp *e, tern_exp_files *files, const tern_exp_claim *claims, size_t n)
{
    enum { COLUMNS = 6 };
    const char **cells = tern_arena_get(&e->arena, (n + 1) * COLUMNS, sizeof *cells);
    static const char *const head[COLUMNS] = {
        "the paper", "verdict", "its number", "measured", "mean", "95 % interval"
    };
    if (cells == NULL) return false;
    memcpy(cells, head, sizeof head);
    for (size_t i = 0; i < n; ++i) {
        const char **row = cells + (i + 1) * COLUMNS;
        row[0] = claims[i].paper;
        row[1] = tern_exp_verdict_text(claims[i].verdict); /* second: seen on a phone without scrolling */
        row[2] = claims[i].number[0] != 0 ? claims[i].number : "-";
        row[3] = claims[i].measured;
        row[4] = tern_exp_number(e, claims[i].mean.mean);
        row[5] = tern_exp_interval_text(e, &claims[i].mean);
        for (size_t c = 0; c < COLUMNS; ++c)
            if (row[c] == NULL) return false;
    }
    tern_exp_put_table(files, n + 1, COLUMNS, cells,
                       "Statements of the paper and results. A number: reached if the mean is, within interval if "
                       "the interval's end is. A difference: reached if the whole interval "
                       "is above 0, within interval if it contains 0.");
    return true;
}

static bool same_kind(const tern_exp_row *a, const tern_exp_row *b)
{
    return a->rule == b->rule && a->hidden == b->hidden && a->samples == b->samples &&
           a->presentations == b->presentations && a->inference == b->inference;
}

/* Means after the last presentation, one line for each kind of training and K_I. */
static bool means_table(tern_exp *e, tern_exp_files *files)
{
    static const tern_exp_metric shown[] = { TERN_EXP_LOG_LOSS,      TERN_EXP_LOG_LIKELIHOOD,
                                             TERN_EXP_ACCURACY,      TERN_EXP_ECE,
                                             TERN_EXP_ECE_DEBIASED,  TERN_EXP_ECE_VOTES_DEBIASED,
                                             TERN_EXP_ENTROPY_RIGHT, TERN_EXP_ENTROPY_WRONG,
                                             TERN_EXP_HIDDEN_SPIKES, TERN_EXP_BROADCAST };
    static const char *const names[] = {
        "log-loss",       "log-likelihood", "accuracy",      "ECE",      "ECE, debiased", "ECE of votes, debiased",
        "entropy, right", "entropy, wrong", "hidden spikes", "broadcast"
    };
    enum { FIXED = 5, SHOWN = sizeof shown / sizeof shown[0] };
    const uint32_t last = tern_exp_most(&e->set.presentations);
    size_t columns = FIXED, rows = 1;
    bool used[SHOWN] = { false };
    for (size_t m = 0; m < SHOWN; ++m) {
        for (size_t i = 0; i < e->n_rows; ++i) used[m] |= !isnan(e->rows[i].m[shown[m]]);
        columns += used[m];
    }
    const char **cells = tern_arena_get(&e->arena, (e->n_rows + 1) * columns, sizeof *cells);
    static const char *const head[FIXED] = { "rule", "|H|", "K", "K_I", "seeds" };
    if (cells == NULL) return false;
    memcpy(cells, head, sizeof head);
    for (size_t m = 0, c = FIXED; m < SHOWN; ++m)
        if (used[m]) cells[c++] = names[m];
    for (size_t i = 0; i < e->n_rows; ++i) {
        const tern_exp_row *r = &e->rows[i];
        size_t first = 0;
        while (!same_kind(&e->rows[first], r)) ++first;
        if (r->presentations != last || first != i) continue;
        const char **row = cells + rows++ * columns;
        const tern_exp_filter f = { r->rule, r->hidden, r->samples, TERN_EXP_ANY, r->presentations, r->inference };
        row[0] = upper_rules[r->rule];
        row[1] = tern_exp_text(&e->arena, "%" PRIu32, r->hidden);
        row[2] = tern_exp_text(&e->arena, "%" PRIu32, r->samples);
        row[3] = tern_exp_text(&e->arena, "%" PRIu32, r->inference);
        row[4] = tern_exp_text(&e->arena, "%" PRIu32, e->set.seeds);
        for (size_t m = 0, c = FIXED; m < SHOWN; ++m) {
            if (!used[m]) continue;
            const tern_exp_mean mean = tern_exp_mean_rows(e, f, shown[m]);
            row[c++] = isnan(mean.lo) || mean.hi - mean.lo <= 0
                           ? tern_exp_number(e, mean.mean)
                           : tern_exp_text(&e->arena, "%s [%s, %s]", tern_exp_number(e, mean.mean),
                                           tern_exp_number(e, mean.lo), tern_exp_number(e, mean.hi));
        }
        for (size_t c = 0; c < columns; ++c)
            if (row[c] == NULL) return false;
    }
    tern_exp_put_table(files, rows, columns, cells,
                       "Means after the last presentation, with 95 % intervals over seeds.");
    return true;
}

/* One metric at every point: a row for each, a column for each K. Nothing if there is no such number. */
static bool points_table(tern_exp *e, tern_exp_files *files, tern_exp_metric m, uint32_t hidden, uint32_t inference,
                         const char *what)
{
    const tern_exp_list *p = &e->set.presentations, *K = &e->set.samples;
    const size_t columns = K->n + 1;
    size_t numbers = 0;
    const char **cells = tern_arena_get(&e->arena, (p->n + 1) * columns, sizeof *cells);
    if (cells == NULL) return false;
    cells[0] = "presentations";
    for (size_t k = 0; k < K->n; ++k) cells[1 + k] = tern_exp_text(&e->arena, "K = %" PRIu32, K->v[k]);
    for (size_t i = 0; i < p->n; ++i) {
        const char **row = cells + (i + 1) * columns;
        row[0] = tern_exp_text(&e->arena, "%" PRIu32, p->v[i]);
        for (size_t k = 0; k < K->n; ++k) {
            const tern_exp_filter f = { e->set.rules.v[0], hidden, K->v[k], TERN_EXP_ANY, p->v[i], inference };
            const tern_exp_mean mean = tern_exp_mean_rows(e, f, m);
            numbers += mean.n;
            row[1 + k] = tern_exp_text(&e->arena, isnan(mean.lo) ? "%s" : "%s %s", tern_exp_number(e, mean.mean),
                                       tern_exp_interval_text(e, &mean));
        }
    }
    for (size_t i = 0; i < (p->n + 1) * columns; ++i)
        if (cells[i] == NULL) return false;
    const char *caption = tern_exp_text(
        &e->arena, "%s, |H| = %" PRIu32 "%s; mean and 95 %% interval over %" PRIu32 " seeds.", what, hidden,
        inference == TERN_EXP_ANY ? "" : tern_exp_text(&e->arena, ", K_I = %" PRIu32, inference), e->set.seeds);
    if (caption != NULL && numbers != 0) tern_exp_put_table(files, p->n + 1, columns, cells, caption);
    return caption != NULL;
}

/* What memorise and digits3 measure on the way. */
static bool way_tables(tern_exp *e, tern_exp_files *files)
{
    static const struct {
        tern_exp_metric m;
        const char *what;
    } kinds[] = {
        { TERN_EXP_LOG_LIKELIHOOD, "Log-likelihood of a test recording" },
        { TERN_EXP_ACCURACY, "Accuracy" },
        { TERN_EXP_ECE, "Calibration error (ECE)" },
        { TERN_EXP_ECE_DEBIASED, "Calibration error less what chance adds" },
        { TERN_EXP_ECE_ADAPTIVE, "Calibration error, bins of equal numbers" },
        { TERN_EXP_ECE_VOTES_DEBIASED, "Calibration error of the share of the votes, less what chance adds" },
        { TERN_EXP_ECE_VOTES_SQUARED, "Mean square of the calibration gaps of the share of the votes" },
    };
    const tern_exp_settings *o = &e->set;
    bool good = true;
    for (size_t h = 0; h < o->hidden.n && good && o->kind == TERN_EXP_MEMORISE; ++h)
        good = points_table(e, files, TERN_EXP_LOG_LOSS, o->hidden.v[h], TERN_EXP_ANY, "Log-loss per step") &&
               points_table(e, files, TERN_EXP_HIDDEN_RATE, o->hidden.v[h], TERN_EXP_ANY,
                            "Spikes per hidden neuron, step and sample");
    for (size_t k = 0; k < o->inference.n && o->kind == TERN_EXP_DIGITS3; ++k)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && good; ++i)
            good = points_table(e, files, kinds[i].m, o->hidden.v[0], o->inference.v[k], kinds[i].what);
    return good;
}

/* ---- settings and commands
 * ---------------------------------------------------------------------------------------------------------------- */

static const char *list_text(tern_exp *e, const tern_exp_list *l)
{
    const char *text = "";
    for (size_t i = 0; i < l->n && text != NULL; ++i)
        text = tern_exp_text(&e->arena, "%s%s%" PRIu32, text, i ? ", " : "", l->v[i]);
    return text;
}

bool tern_exp_settings_text(tern_exp *e, tern_exp_files *files)
{
    static const char *const sources[3] = { "digits that Tern generates (tern data digits)",
                                            "images of an IDX file, moved before the simulated camera",
                                            "given recordings" };
    const tern_exp_settings *o = &e->set;
    const char *hidden = list_text(e, &o->hidden), *K = list_text(e, &o->samples), *p = list_text(e, &o->presentations),
               *K_I = o->inference.n == 0 ? "K" : list_text(e, &o->inference), *classes = list_text(e, &o->classes),
               *rules = "";
    for (size_t i = 0; i < o->rules.n && rules != NULL; ++i)
        rules = tern_exp_text(&e->arena, "%s%s%s", rules, i ? ", " : "", upper_rules[o->rules.v[i]]);
    if (hidden == NULL || K == NULL || p == NULL || K_I == NULL || classes == NULL || rules == NULL) return false;
    const bool one = o->kind == TERN_EXP_MEMORISE;
    tern_page_text(files->page, "Data: %s; digits %s; %" PRIu32 " recordings to train on (digest %016" PRIx64 "), %s.",
                   sources[o->data != NULL     ? 2
                           : o->images != NULL ? 1
                                               : 0],
                   classes, e->n_train, e->train_digest,
                   one ? "which are also what is measured"
                       : tern_exp_text(&e->arena, "%" PRIu32 " others to test on (digest %016" PRIx64 ")", e->n_test,
                                       e->test_digest));
    if (e->n_shared != 0)
        tern_page_text(files->page,
                       "%" PRIu32 " of the test recordings are also trained on: these results are too good.",
                       e->n_shared);
    tern_page_text(files->page,
                   "Trainings: %zu, of rule %s, |H| = %s, K = %s, seeds 1 to %" PRIu32
                   "; measured after %s presentations of %" PRIu32
                   " steps, with K_I = %s. A seed changes initial weights, order of "
                   "the recordings and all draws.",
                   e->n_trainings, rules, hidden, K, o->seeds, p, e->n_steps, K_I);
    for (size_t i = 0; i < o->n_sets; ++i) tern_page_text(files->page, "Changed in the script: %s", o->sets[i]);
    return true;
}

/* The commands of one training: the first one with hidden neurons. */
bool tern_exp_commands(tern_exp *e, tern_exp_files *files)
{
    const tern_exp_training *t = &e->trainings[0];
    for (size_t i = 0; i < e->n_trainings && t->hidden == 0; ++i) t = &e->trainings[i];
    uint32_t inference[TERN_EXP_LIST_MAX];
    const size_t n_inference = tern_exp_inference(e, t, inference);
    const tern_exp_list *p = &e->set.presentations;
    const char *text = "";
    tern_exp_command c;
    for (size_t i = 0; i < p->n; ++i)
        for (size_t k = 0; k <= n_inference; ++k) {
            if (k == 0 && p->v[i] == 0) continue;
            if (k == 0) tern_exp_train_command(e, t, p->v[i], i != 0 && p->v[i - 1] != 0, "tern", true, &c);
            else tern_exp_eval_command(e, t, p->v[i], inference[k - 1], "tern", true, &c);
            const char *line = tern_exp_command_text(&c, &e->arena);
            if (c.too_long || line == NULL) return false;
            char *longer = tern_arena_get(&e->arena, strlen(text) + strlen(line) + 2, 1);
            if (longer == NULL) return false;
            sprintf(longer, "%s%s\n", text, line);
            text = longer;
        }
    tern_page_text(files->page,
                   "The numbers of one training, %s, by hand. DIR is this report's folder; scripts are named from "
                   "Tern's folder.",
                   t->name);
    tern_page_code(files->page, text);
    return true;
}

static bool fill(tern_exp *e, tern_exp_files *files, const tern_exp_claim *claims, size_t n_claims)
{
    static bool (*const figures[TERN_EXP_KINDS])(tern_exp *, tern_exp_files *) = { memorise_figures, digits2_figures,
                                                                                   digits3_figures, rules_figures,
                                                                                   NULL /* tern_exp_voting.c */ };
    tern_page_section(files->page, "The paper and this run");
    if (!tern_exp_claims_table(e, files, claims, n_claims)) return false;
    tern_page_section(files->page, "Figures");
    tern_page_text(
        files->page,
        "Means over %" PRIu32
        " seed%s; bands and bars are 95 %% intervals of the mean by Student's t, kept to what the number can be%s.",
        e->set.seeds, e->set.seeds == 1 ? "" : "s", e->set.seeds == 1 ? ", which one seed does not have" : "");
    if (!figures[e->set.kind](e, files)) return false;
    tern_page_section(files->page, "Numbers");
    if (!means_table(e, files) || !way_tables(e, files)) return false;
    tern_page_section(files->page, "What was done");
    return tern_exp_settings_text(e, files) && tern_exp_commands(e, files);
}

tern_status tern_exp_write_report(tern_exp *e, const tern_exp_claim *claims, size_t n_claims, tern_diags *diags)
{
    static const char *const titles[TERN_EXP_KINDS] = { "One recording by heart", "Two digits: how many samples decide",
                                                        "Three digits: how many samples learn",
                                                        "Three rules: GEM, MB and IW", "Voting" };
    char *title = tern_exp_text(&e->arena, "%s", titles[e->set.kind]),
         *subtitle = tern_exp_text(&e->arena,
                                   "tern experiment %s: after \"Multi-Sample Online Learning for "
                                   "Probabilistic Spiking Neural Networks\" (Jang and Simeone)",
                                   tern_exp_names[e->set.kind]);
    if (title == NULL || subtitle == NULL) return TERN_ERR_MEMORY;
    tern_exp_files files = { .page = tern_page_new(title, subtitle, &e->arena) };
    if (files.page == NULL || !fill(e, &files, claims, n_claims)) return TERN_ERR_MEMORY;
    return tern_exp_put_files(e, &files, diags);
}
