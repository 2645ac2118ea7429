/* tern_cli_report_parts.c : what the parts of a report share: figures, tables, small sums
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "tern_cli_report.h"

enum { SERIES_MAX = 16 };

double *tern_report_numbers(tern_report *r, size_t n)
{
    double *x = tern_arena_get(&r->arena, n, sizeof *x);
    if (x == NULL) r->failed = true;
    return x;
}

static const char *print_list(tern_report *r, const char *format, va_list ap)
{
    char text[600];
    vsnprintf(text, sizeof text, format, ap); /* of longer texts the end is cut: they are file names */
    const char *copy = tern_arena_strdup(&r->arena, text);
    if (copy == NULL) r->failed = true;
    return copy != NULL ? copy : "";
}

const char *tern_report_word(tern_report *r, const char *word)
{
    const char *text = tern_cli_word(word, &r->arena);
    r->failed = r->failed || text == NULL;
    return text == NULL ? "" : text;
}

const char *tern_report_print(tern_report *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const char *text = print_list(r, format, ap);
    va_end(ap);
    return text;
}

tern_plot *tern_report_figure(tern_report *r, const char *title, const char *x_label, const char *y_label,
                              const char *caption)
{
    tern_plot *p = tern_arena_get(&r->arena, 1, sizeof *p);
    tern_plot_series *series = tern_arena_get(&r->arena, SERIES_MAX, sizeof *series);
    if (p == NULL || series == NULL) {
        r->failed = true;
        return NULL;
    }
    *p = (tern_plot){ .title = title,
                      .x_label = x_label,
                      .y_label = y_label,
                      .x_min = NAN,
                      .x_max = NAN,
                      .y_min = NAN,
                      .y_max = NAN,
                      .series = series };
    tern_page_figure(r->page, p, caption);
    ++r->n_figures;
    return p;
}

tern_plot_series *tern_report_series(tern_plot *p, const char *name, tern_plot_kind kind, int colour, size_t n,
                                     const double *x, const double *y)
{
    static tern_plot_series none;
    if (p == NULL || p->n_series == SERIES_MAX) return &none;
    tern_plot_series *s = (tern_plot_series *)&p->series[p->n_series++];
    *s = (tern_plot_series){ .name = name, .kind = kind, .colour = colour, .n = n, .x = x, .y = y };
    return s;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

tern_report_table tern_report_table_new(tern_report *r, size_t columns)
{
    return (tern_report_table){ .r = r, .columns = columns };
}

void tern_report_cell(tern_report_table *t, const char *format, ...)
{
    if (t->n == t->room) {
        const size_t room = t->room == 0 ? 64 : 2 * t->room;
        const char **more = tern_arena_get(&t->r->arena, room, sizeof *more);
        if (more == NULL) {
            t->r->failed = true;
            return;
        }
        if (t->n != 0) memcpy(more, t->cells, t->n * sizeof *more);
        t->cells = more;
        t->room = room;
    }
    va_list ap;
    va_start(ap, format);
    t->cells[t->n++] = print_list(t->r, format, ap);
    va_end(ap);
}

void tern_report_table_end(tern_report_table *t, const char *caption)
{
    if (!t->r->failed && t->n >= t->columns)
        tern_page_table(t->r->page, t->n / t->columns, t->columns, t->cells, caption);
}

const char *tern_report_interval(tern_report *r, tern_interval i)
{
    return isfinite(i.lo) && isfinite(i.hi) ? tern_report_print(r, "[%.4g, %.4g]", i.lo, i.hi) : "";
}

void tern_report_put(tern_report *r, const char *key, json_t *value)
{
    if (!tern_json_put(r->summary, key, value)) r->failed = true;
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

void tern_report_running_mean(const double *y, size_t n, size_t window, double *out)
{
    /* summed again: running sums would gather rounding errors and keep what was not a number */
    for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        size_t found = 0;
        for (size_t k = i + 1 < window ? 0 : i + 1 - window; k <= i; ++k)
            if (isfinite(y[k])) {
                sum += y[k];
                ++found;
            }
        out[i] = found != 0 ? sum / (double)found : NAN;
    }
}

size_t tern_report_reliability(const tern_calibration *c, double *x, double *y, double *lo, double *hi)
{
    size_t n = 0;
    for (uint32_t m = 0; m < c->n_bins; ++m) {
        const tern_bin *b = &c->bins[m];
        if (b->n == 0) continue;
        const tern_interval w = tern_wilson(b->right, b->n);
        x[n] = b->confidence / (double)b->n;
        y[n] = (double)b->right / (double)b->n;
        lo[n] = w.lo;
        hi[n++] = w.hi;
    }
    return n;
}

void tern_report_histogram(const double *v, size_t n, double most, size_t bins, double *out_middle, double *out_count)
{
    for (size_t b = 0; b < bins; ++b) {
        out_middle[b] = most * ((double)b + 0.5) / (double)bins;
        out_count[b] = 0;
    }
    for (size_t i = 0; i < n; ++i) {
        if (!(v[i] >= 0)) continue;
        size_t b = v[i] <= 0 ? 0 : v[i] >= most ? bins - 1 : (size_t)ceil(v[i] / most * (double)bins) - 1;
        if (b >= bins) b = bins - 1;
        out_count[b] += 1;
    }
}

/* ---- names ------------------------------------------------------------------------------------------------ */

const char *tern_report_unit(tern_report *r, const tern_population *p, uint32_t i)
{
    return p->size == 1     ? p->name
           : p->n_dims == 2 ? tern_report_print(r, "%s %u,%u", p->name, i / p->dims[1], i % p->dims[1])
                            : tern_report_print(r, "%s %u", p->name, i);
}

const tern_population *tern_report_population_of(const tern_model *m, uint32_t neuron)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind != TERN_POP_INPUT && neuron >= p->neuron0 && neuron - p->neuron0 < p->size) return p;
    }
    return NULL;
}
