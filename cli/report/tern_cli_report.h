/* tern_cli_report.h : parts of the verb report
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a page shows comes from four files, each read and checked as a whole before anything is drawn: the image, the
 * log of the training, the lines of an evaluation, and recordings. Every part of the page is left out, with a sentence
 * that tells the command, when its file is not there.
 */
#ifndef TERN_CLI_REPORT_H
#define TERN_CLI_REPORT_H
#include "tern_cli.h"
#include "tern_measure.h"
#include "tern_cli_train.h"
#include "tern_page.h"

/* ---- files of JSON lines (tern_cli_report_lines.c) ----------------------------------------- */

enum { TERN_LINES_MAX = 1000000, TERN_LINE_BYTES = 1 << 20 };

/* One line at a time. The getters below report what is wrong with the current line (code 704, with file and line) once,
 * and then give zeros. */
typedef struct tern_lines {
    const char *path;
    FILE *file;
    char *buffer;
    json_t *object; /* the current line */
    int number;     /* its number, from 1 */
    tern_status status;
    tern_diags *diags;
} tern_lines;

/* Code 301: no regular file or unreadable. Close it also after a failure. */
tern_status tern_lines_open(tern_lines *l, const char *path, tern_arena *arena, tern_diags *diags);
/* The next line as an object; false at the end and after an error (l->status). */
bool tern_lines_next(tern_lines *l);
void tern_lines_close(tern_lines *l);
void tern_lines_wrong(tern_lines *l, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Members of the line, or of an object in it. A whole number within lo..hi; a real within lo..hi, NAN for null if that
 * is allowed; a text. */
int64_t tern_lines_whole(tern_lines *l, const json_t *in, const char *key, int64_t lo, int64_t hi);
double tern_lines_real(tern_lines *l, const json_t *in, const char *key, double lo, double hi, bool or_null);
const char *tern_lines_text(tern_lines *l, const json_t *in, const char *key);

/* ---- what was read ------------------------------------------------------------------------ */

typedef struct tern_report_log {
    bool there;
    const char *network, *engine, *metric; /* metric NULL: without validation */
    uint32_t samples, recordings, n_held;
    uint64_t seed;
    uint64_t digest; /* of the network; 0: the log is of an older version, which wrote none */
    size_t n, n_validated;
    tern_train_line *lines;            /* [n] */
    tern_validated *validated;         /* [n_validated] */
    uint32_t n_missing, first_missing; /* presentations before the last one without a line */
} tern_report_log;

typedef struct tern_report_line {
    const char *file; /* without folders */
    int32_t label;    /* -1: none */
    uint32_t recording, samples, decision;
    uint32_t *votes;                                                               /* [n_classes] */
    double entropy, confidence, confidence_votes, log_loss, log_loss_iw, distance; /* NAN: none */
    uint64_t hidden, visible, target;                                              /* spikes */
} tern_report_line;

typedef struct tern_report_eval {
    bool there;
    uint32_t n_classes; /* 0: the network makes no decisions */
    size_t n;
    tern_report_line *lines; /* [n] */
} tern_report_eval;

/* The log of a training, or the lines of an evaluation. Code 703: another kind of file; 704: a damaged line; 705: too
 * many or too long lines; 706: of another network. */
tern_status tern_report_read_log(const char *path, const tern_model *model, tern_arena *arena, tern_report_log *out,
                                 tern_diags *diags);
/* Do log and image contradict each other: network, samples, seed, steps, presentations? Code 706: an error for a log
 * that was named, else a warning and *out_fits false. 707: warnings, of presentations that the log does not have. */
tern_status tern_report_check_log(const char *path, const tern_model *model, const tern_report_log *g, bool named,
                                  bool *out_fits, tern_diags *diags);
tern_status tern_report_read_eval(const char *path, const tern_model *model, tern_arena *arena, tern_report_eval *out,
                                  tern_diags *diags);

/* ---- the report ------------------------------------------------------------------------------ */

typedef struct tern_report_options {
    const char *image, *log, *eval, *data, *output;
    uint64_t neurons;
    bool json, given_log, given_eval;
} tern_report_options;

typedef struct tern_report {
    tern_report_options o;
    tern_arena arena;
    tern_model model;
    tern_report_log log;
    bool log_unfit; /* found by name, but of another training: left out */
    tern_report_eval eval;
    tern_page *page;
    json_t *summary; /* what --json prints */
    size_t n_figures;
    bool failed; /* memory was refused */
    tern_diags diags;
} tern_report;

/* Parts of the page, in their order. Each adds its numbers to the summary. */
void tern_report_network(tern_report *r);       /* tern_cli_report_net.c */
void tern_report_training(tern_report *r);      /* tern_cli_report_train.c */
void tern_report_results(tern_report *r);       /* tern_cli_report_eval.c */
void tern_report_weights(tern_report *r);       /* tern_cli_report_weights.c */
tern_status tern_report_spikes(tern_report *r); /* tern_cli_report_spikes.c: runs the golden model */

/* ---- what the parts share (tern_cli_report_parts.c) ------------------------------------------ */

double *tern_report_numbers(tern_report *r, size_t n); /* [n] zeros; NULL: memory was refused */
/* A file's name as a shell takes it; never NULL. */
const char *tern_report_word(tern_report *r, const char *word);
/* never NULL */
const char *tern_report_print(tern_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A figure with up to 16 series, without limits; to be filled before the page is written. NULL: memory was refused. */
tern_plot *tern_report_figure(tern_report *r, const char *title, const char *x_label, const char *y_label,
                              const char *caption);
tern_plot_series *tern_report_series(tern_plot *p, const char *name, tern_plot_kind kind, int colour, size_t n,
                                     const double *x, const double *y);

/* A table that grows cell by cell, row after row. */
typedef struct tern_report_table {
    tern_report *r;
    const char **cells;
    size_t n, room, columns;
} tern_report_table;

tern_report_table tern_report_table_new(tern_report *r, size_t columns);
void tern_report_cell(tern_report_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tern_report_table_end(tern_report_table *t, const char *caption);
/* "[0.91, 0.98]", "" for an interval that does not exist. */
const char *tern_report_interval(tern_report *r, tern_interval i);
void tern_report_put(tern_report *r, const char *key, json_t *value); /* into the summary; takes the reference */

/* Mean of the last `window` values that are numbers, at every place; NAN where there is none yet. */
void tern_report_running_mean(const double *y, size_t n, size_t window, double *out);

/* Points of a reliability diagram from a table of bins: mean confidence, share that is right, Wilson's interval of it.
 * Arrays of [c->n_bins]; returns how many bins are not empty. */
size_t tern_report_reliability(const tern_calibration *c, double *x, double *y, double *lo, double *hi);

/* Counts of values in `bins` equal bins over 0..most: bin b takes b/bins < v/most <= (b+1)/bins, the first one 0
 * too. */
void tern_report_histogram(const double *v, size_t n, double most, size_t bins, double *out_middle, double *out_count);

/* The name of neuron or input unit i of a population: "hid 3", with a shape "pixels 4,7". */
const char *tern_report_unit(tern_report *r, const tern_population *p, uint32_t i);
const tern_population *tern_report_population_of(const tern_model *m, uint32_t neuron);

#endif /* TERN_CLI_REPORT_H */
