/* tern_cli_report_eval.c : the part of a report about decisions, from the lines of an evaluation
 * SPDX-License-Identifier: Apache-2.0
 *
 * Definitions: docs/12-inference.md.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_report.h"

enum {
    BINS = 15,
    ENTROPY_BINS = 20,
    TABLE_CLASSES = 16,
    IMAGE_CLASSES = 256,
    CLASS_ROWS = 32,
    WRONG_ROWS = 12,
    VOTES_SHOWN = 12,
    MATRIX_PX = 300
};

/* What is summed over the labelled recordings. */
typedef struct sums {
    uint64_t n, right, samples_least, samples_most;
    tern_mean entropy[2], softmax, share, loss, loss_iw, distance; /* entropy: wrong, right */
    tern_calibration by_softmax, by_votes;
} sums;

static bool is_right(const tern_report_line *l) { return l->decision == (uint32_t)l->label; }

static void add_up(const tern_report_eval *e, sums *s)
{
    *s = (sums){ .samples_least = UINT64_MAX };
    tern_calibration_init(&s->by_softmax, BINS);
    tern_calibration_init(&s->by_votes, BINS);
    for (size_t i = 0; i < e->n; ++i) {
        const tern_report_line *l = &e->lines[i];
        if (isfinite(l->log_loss)) tern_mean_add(&s->loss, l->log_loss);
        if (isfinite(l->log_loss_iw)) tern_mean_add(&s->loss_iw, l->log_loss_iw);
        if (isfinite(l->distance)) tern_mean_add(&s->distance, l->distance);
        if (l->samples < s->samples_least) s->samples_least = l->samples;
        if (l->samples > s->samples_most) s->samples_most = l->samples;
        if (e->n_classes == 0 || l->label < 0) continue;
        ++s->n;
        s->right += is_right(l);
        tern_mean_add(&s->entropy[is_right(l)], l->entropy);
        tern_mean_add(&s->softmax, l->confidence);
        tern_mean_add(&s->share, l->confidence_votes);
        tern_calibration_add(&s->by_softmax, l->confidence, is_right(l));
        tern_calibration_add(&s->by_votes, l->confidence_votes, is_right(l));
    }
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

/* most: what a value is at most; none is below 0 */
static void mean_row(tern_report_table *t, const char *name, const tern_mean *m, double most, const char *key)
{
    if (m->n == 0) return;
    tern_report_cell(t, "%s", name);
    tern_report_cell(t, "%.5g", m->mean);
    tern_report_cell(t, "%s", tern_report_interval(t->r, tern_mean_interval_within(m, 0, most)));
    tern_report_put(t->r, key, tern_json_real(m->mean));
}

static void number_table(tern_report *r, const sums *s)
{
    tern_report_table t = tern_report_table_new(r, 3);
    tern_report_cell(&t, "measured");
    tern_report_cell(&t, "mean");
    tern_report_cell(&t, "95 %% interval");
    if (s->n != 0) {
        const tern_interval w = tern_wilson(s->right, s->n);
        tern_report_cell(&t, "accuracy: %" PRIu64 " of %" PRIu64 " right", s->right, s->n);
        tern_report_cell(&t, "%.5g", (double)s->right / (double)s->n);
        tern_report_cell(&t, "%s", tern_report_interval(r, w));
        tern_report_put(r, "accuracy", tern_json_real((double)s->right / (double)s->n));
        tern_report_put(r, "accuracy_interval", tern_json_pack("[o,o]", tern_json_real(w.lo), tern_json_real(w.hi)));
    }
    mean_row(&t, "log-loss, nats per step", &s->loss, (double)INFINITY, "log_loss");
    mean_row(&t, "log-loss, importance-weighted", &s->loss_iw, (double)INFINITY, "log_loss_iw");
    mean_row(&t, "distance, squared", &s->distance, (double)INFINITY, "distance");
    mean_row(&t, "entropy of right decisions, bits", &s->entropy[1], (double)INFINITY, "entropy_right");
    mean_row(&t, "entropy of wrong decisions, bits", &s->entropy[0], (double)INFINITY, "entropy_wrong");
    mean_row(&t, "confidence, softmax of the votes", &s->softmax, 1, "confidence");
    mean_row(&t, "confidence, share of the votes", &s->share, 1, "confidence_votes");
    if (s->n != 0) {
        const double ece[2] = { tern_calibration_error(&s->by_softmax), tern_calibration_error(&s->by_votes) };
        tern_report_cell(&t, "calibration error, softmax, %d bins", BINS);
        tern_report_cell(&t, "%.5g", ece[0]);
        tern_report_cell(&t, "%s", "");
        tern_report_cell(&t, "calibration error, share of the votes, %d bins", BINS);
        tern_report_cell(&t, "%.5g", ece[1]);
        tern_report_cell(&t, "%s", "");
        tern_report_put(r, "ece", tern_json_real(ece[0]));
        tern_report_put(r, "ece_votes", tern_json_real(ece[1]));
    }
    tern_report_table_end(&t, "Over the recordings of the evaluation. The interval of the accuracy is Wilson's, the "
                              "others are Student's, kept to what the number can be.");
}

/* ---- reliability -------------------------------------------------------------------------------------------- */

static void reliability_table(tern_report *r, const tern_calibration *c, const char *key, const char *caption)
{
    json_t *list = tern_json_list();
    tern_report_table t = tern_report_table_new(r, 5);
    tern_report_cell(&t, "confidence");
    tern_report_cell(&t, "decisions");
    tern_report_cell(&t, "mean confidence");
    tern_report_cell(&t, "share right");
    tern_report_cell(&t, "95 %% interval");
    for (uint32_t m = 0; m < c->n_bins; ++m) {
        const tern_bin *b = &c->bins[m];
        const double n = (double)b->n, above = (double)m / c->n_bins, up_to = (double)(m + 1) / c->n_bins;
        tern_json_add(list, tern_json_pack("{s:o, s:o, s:I, s:o, s:o}", "above", tern_json_real(above), "up_to",
                                           tern_json_real(up_to), "decisions", (json_int_t)b->n, "confidence",
                                           tern_json_real(b->confidence / n), "share_right",
                                           tern_json_real((double)b->right / n)));
        if (b->n == 0) continue;
        tern_report_cell(&t, "%.4f .. %.4f", above, up_to);
        tern_report_cell(&t, "%" PRIu64, b->n);
        tern_report_cell(&t, "%.4f", b->confidence / n);
        tern_report_cell(&t, "%.4f", (double)b->right / n);
        tern_report_cell(&t, "%s", tern_report_interval(r, tern_wilson(b->right, b->n)));
    }
    tern_report_table_end(&t, caption);
    tern_report_put(r, key, list);
}

static void reliability_figure(tern_report *r, const tern_calibration *c, const char *title, const char *caption)
{
    double *x = tern_report_numbers(r, c->n_bins), *y = tern_report_numbers(r, c->n_bins),
           *lo = tern_report_numbers(r, c->n_bins), *hi = tern_report_numbers(r, c->n_bins);
    if (r->failed) return;
    const size_t n = tern_report_reliability(c, x, y, lo, hi);
    tern_plot *p = tern_report_figure(r, title, "confidence", "share right", caption);
    if (p == NULL) return;
    p->x_min = p->y_min = 0;
    p->x_max = p->y_max = 1;
    tern_plot_series *s = tern_report_series(p, "decisions, 95 % interval", TERN_PLOT_POINTS, 0, n, x, y);
    s->lo = lo;
    s->hi = hi;
    tern_report_series(p, "calibrated", TERN_PLOT_DIAGONAL, -1, 0, NULL, NULL);
}

/* ---- entropy, votes ------------------------------------------------------------------------------------------ */

static void entropy_figure(tern_report *r, const sums *s)
{
    const tern_report_eval *e = &r->eval;
    const double most = e->n_classes > 1 ? log2(e->n_classes) : 1;
    double *v[2] = { tern_report_numbers(r, e->n), tern_report_numbers(r, e->n) };
    double *x = tern_report_numbers(r, ENTROPY_BINS),
           *y[2] = { tern_report_numbers(r, ENTROPY_BINS), tern_report_numbers(r, ENTROPY_BINS) };
    size_t n[2] = { 0, 0 };
    if (r->failed) return;
    for (size_t i = 0; i < e->n; ++i)
        if (e->lines[i].label >= 0) v[is_right(&e->lines[i])][n[is_right(&e->lines[i])]++] = e->lines[i].entropy;
    json_t *counts = tern_json_object();
    for (int k = 0; k < 2; ++k) {
        json_t *list = tern_json_list();
        tern_report_histogram(v[k], n[k], most, ENTROPY_BINS, x, y[k]);
        for (int b = 0; b < ENTROPY_BINS; ++b) tern_json_add(list, json_integer((json_int_t)y[k][b]));
        tern_json_put(counts, k ? "right" : "wrong", list);
    }
    tern_report_put(r, "entropy", counts);
    tern_plot *p = tern_report_figure(
        r, "Entropy of the votes", "bits", "decisions",
        tern_report_print(r,
                          "How far the samples agree: 0 bits, all for one class; %.3g, no preference. %" PRIu64
                          " right and %" PRIu64 " wrong decisions in %d bins. "
                          "A network that knows "
                          "when it does not know has its wrong decisions at the right.",
                          most, s->right, s->n - s->right, ENTROPY_BINS));
    if (p == NULL) return;
    p->x_min = 0;
    p->x_max = most;
    tern_report_series(p, "right", TERN_PLOT_BARS, 0, ENTROPY_BINS, x, y[1]);
    tern_report_series(p, "wrong", TERN_PLOT_BARS, 1, ENTROPY_BINS, x, y[0]);
}

/* Recordings of each label. Labels beyond the classes are omitted: there is no unit for them. */
static double *count_labels(tern_report *r)
{
    double *count = tern_report_numbers(r, r->eval.n_classes);
    for (size_t i = 0; count != NULL && i < r->eval.n; ++i)
        if (r->eval.lines[i].label >= 0 && (uint32_t)r->eval.lines[i].label < r->eval.n_classes)
            count[r->eval.lines[i].label] += 1;
    return count;
}

/* [classes][classes]: decisions of each class for each label, and mean shares of the votes. */
static bool matrices(tern_report *r, double **out_decisions, double **out_votes, const double *count)
{
    const tern_report_eval *e = &r->eval;
    const uint32_t C = e->n_classes;
    double *d = tern_report_numbers(r, (size_t)C * C), *v = tern_report_numbers(r, (size_t)C * C);
    if (r->failed) return false;
    for (size_t i = 0; i < e->n; ++i) {
        const tern_report_line *l = &e->lines[i];
        if (l->label < 0 || (uint32_t)l->label >= C) continue;
        const size_t row = (size_t)l->label * C;
        d[row + l->decision] += 1;
        for (uint32_t c = 0; c < C; ++c) v[row + c] += (double)l->votes[c] / l->samples;
    }
    for (uint32_t k = 0; k < C; ++k)
        for (uint32_t c = 0; c < C; ++c) v[(size_t)k * C + c] = count[k] > 0 ? v[(size_t)k * C + c] / count[k] : NAN;
    *out_decisions = d;
    *out_votes = v;
    return true;
}

static void confusion_table(tern_report *r, const double *decisions, const double *count)
{
    const uint32_t C = r->eval.n_classes;
    json_t *rows = tern_json_list();
    tern_report_table t = tern_report_table_new(r, (size_t)C + 2);
    tern_report_cell(&t, "label");
    for (uint32_t c = 0; c < C; ++c) tern_report_cell(&t, "decided %u", c);
    tern_report_cell(&t, "share right");
    for (uint32_t k = 0; k < C; ++k) {
        json_t *row = tern_json_list();
        tern_report_cell(&t, "%u", k);
        for (uint32_t c = 0; c < C; ++c) {
            tern_report_cell(&t, "%.0f", decisions[(size_t)k * C + c]);
            tern_json_add(row, json_integer((json_int_t)decisions[(size_t)k * C + c]));
        }
        if (count[k] > 0) tern_report_cell(&t, "%.4f", decisions[(size_t)k * C + k] / count[k]);
        else tern_report_cell(&t, "%s", "");
        tern_json_add(rows, row);
    }
    tern_report_table_end(&t, "Confusion: rows are labels, columns decisions.");
    tern_report_put(r, "confusion", rows);
}

static const char *const *class_names(tern_report *r, uint32_t C)
{
    const char **names = tern_arena_get(&r->arena, C, sizeof *names);
    if (names == NULL) r->failed = true;
    for (uint32_t c = 0; c < C && names != NULL; ++c) names[c] = tern_report_print(r, "%u", c);
    return names;
}

static void vote_figures(tern_report *r, const double *decisions, const double *votes, const double *count)
{
    const uint32_t C = r->eval.n_classes;
    double *shares = tern_report_numbers(r, (size_t)C * C);
    const char *const *names = C <= TABLE_CLASSES ? class_names(r, C) : NULL;
    if (r->failed) return;
    for (size_t i = 0; i < (size_t)C * C; ++i) shares[i] = count[i / C] > 0 ? decisions[i] / count[i / C] : NAN;
    const double *values[2] = { shares, votes };
    static const char *const titles[2] = { "Decisions", "Votes" };
    static const char *const captions[2] = { "Decisions for each class (column) of the recordings of each label (row), "
                                             "as shares of the row. Grey: no recording has this label.",
                                             "The same for votes: mean share of the samples that decided for a class. "
                                             "It shows doubt that the decisions hide." };
    for (int k = 0; k < 2; ++k) {
        tern_plot *p = tern_report_figure(r, titles[k], "decided", "label", captions[k]);
        if (p == NULL) return;
        p->rows = p->columns = C;
        p->image = values[k];
        p->image_limit = 1;
        p->height = MATRIX_PX;
        if (names == NULL) continue;
        p->n_row_names = p->n_column_names = C;
        p->row_names = p->column_names = names;
    }
}

static void class_table(tern_report *r, const double *count)
{
    const tern_report_eval *e = &r->eval;
    const uint32_t shown = e->n_classes < CLASS_ROWS ? e->n_classes : CLASS_ROWS;
    tern_report_table t = tern_report_table_new(r, 5);
    tern_report_cell(&t, "label");
    tern_report_cell(&t, "recordings");
    tern_report_cell(&t, "right");
    tern_report_cell(&t, "95 %% interval");
    tern_report_cell(&t, "log-loss");
    for (uint32_t k = 0; k < shown; ++k) {
        uint64_t right = 0;
        tern_mean loss = { 0 };
        for (size_t i = 0; i < e->n; ++i) {
            if (e->lines[i].label != (int32_t)k) continue;
            right += is_right(&e->lines[i]);
            if (isfinite(e->lines[i].log_loss)) tern_mean_add(&loss, e->lines[i].log_loss);
        }
        tern_report_cell(&t, "%u", k);
        tern_report_cell(&t, "%.0f", count[k]);
        tern_report_cell(&t, "%" PRIu64, right);
        tern_report_cell(&t, "%s", tern_report_interval(r, tern_wilson(right, (uint64_t)count[k])));
        if (loss.n != 0) tern_report_cell(&t, "%.5g", loss.mean);
        else tern_report_cell(&t, "%s", "");
    }
    tern_report_table_end(&t, e->n_classes > shown
                                  ? tern_report_print(r, "By label, the first %u of %u.", shown, e->n_classes)
                                  : "By label.");
}

static void wrong_table(tern_report *r, uint64_t wrong)
{
    const tern_report_eval *e = &r->eval;
    if (wrong == 0) return;
    tern_report_table t = tern_report_table_new(r, 5);
    tern_report_cell(&t, "recording");
    tern_report_cell(&t, "label");
    tern_report_cell(&t, "decided");
    tern_report_cell(&t, "confidence, votes");
    tern_report_cell(&t, "votes");
    size_t shown = 0;
    for (size_t i = 0; i < e->n && shown < WRONG_ROWS; ++i) {
        const tern_report_line *l = &e->lines[i];
        if (l->label < 0 || is_right(l)) continue;
        ++shown;
        char votes[16 * VOTES_SHOWN + 8] = "";
        for (uint32_t c = 0; c < e->n_classes && c < VOTES_SHOWN; ++c)
            snprintf(votes + strlen(votes), sizeof votes - strlen(votes), "%s%u", c != 0 ? " " : "", l->votes[c]);
        tern_report_cell(&t, "%s", l->file);
        tern_report_cell(&t, "%d", l->label);
        tern_report_cell(&t, "%u", l->decision);
        tern_report_cell(&t, "%.4f", l->confidence_votes);
        tern_report_cell(&t, "%s%s", votes, e->n_classes > VOTES_SHOWN ? " ..." : "");
    }
    tern_report_table_end(&t, shown < wrong
                                  ? tern_report_print(r, "Wrong decisions, the first %zu of %" PRIu64 ".", shown, wrong)
                                  : "Wrong decisions.");
}

static void decision_parts(tern_report *r, const sums *s)
{
    const uint32_t C = r->eval.n_classes;
    double *decisions = NULL, *votes = NULL;
    const double *count = count_labels(r);
    reliability_figure(r, &s->by_softmax, "Reliability, softmax of the votes",
                       "Confidence is the softmax of the vote counts, as in the paper. Points below the dashed line: "
                       "surer than right; above: less sure than right.");
    reliability_figure(r, &s->by_votes, "Reliability, share of the votes",
                       "Confidence is the share of the samples that voted for the winner.");
    entropy_figure(r, s);
    if (count == NULL) return;
    if (C > IMAGE_CLASSES)
        tern_page_text(r->page, "Decisions and votes by label are omitted: %u classes, images have at most %d.", C,
                       IMAGE_CLASSES);
    else if (matrices(r, &decisions, &votes, count)) vote_figures(r, decisions, votes, count);
    if (decisions != NULL && C <= TABLE_CLASSES) confusion_table(r, decisions, count);
    class_table(r, count);
    reliability_table(r, &s->by_softmax, "reliability",
                      "Reliability by the softmax of the votes; bins without decisions are omitted.");
    reliability_table(r, &s->by_votes, "reliability_votes", "Reliability by the share of the votes.");
    wrong_table(r, s->n - s->right);
}

void tern_report_results(tern_report *r)
{
    const tern_report_eval *e = &r->eval;
    static sums s; /* too large for a stack */
    tern_page_section(r->page, "Decisions");
    if (!e->there) {
        tern_page_text(r->page,
                       "There are no lines of an evaluation next to the image (%s), so this page has nothing about "
                       "decisions. This command writes them:",
                       r->o.eval);
        tern_page_code(r->page, tern_report_print(r, "tern eval %s --data PATH --samples 20 --per-recording %s",
                                                  tern_report_word(r, r->o.image), tern_report_word(r, r->o.eval)));
        return;
    }
    add_up(e, &s);
    tern_page_text(r->page, "%zu recording%s, %" PRIu64 " sample%s%s each.", e->n, e->n == 1 ? "" : "s", s.samples_most,
                   s.samples_most == 1 ? "" : "s",
                   s.samples_least != s.samples_most
                       ? tern_report_print(r, " (after early stops: at least %" PRIu64 ")", s.samples_least)
                       : "");
    tern_report_put(r, "recordings", json_integer((json_int_t)e->n));
    tern_report_put(r, "labelled", json_integer((json_int_t)s.n));
    tern_report_put(r, "right", json_integer((json_int_t)s.right));
    number_table(r, &s);
    if (e->n_classes == 0) tern_page_text(r->page, "The network has no label population, so it makes no decisions.");
    else if (s.n == 0)
        tern_page_text(r->page, "No recording has a label, so there is nothing to compare the decisions with.");
    else decision_parts(r, &s);
}
