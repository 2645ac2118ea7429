/* tern_exp_files.h : what pages of the manual are made of: tables as Markdown, figures as SVG files
 * SPDX-License-Identifier: Apache-2.0
 *
 * A report (report.html) is for one run; DIR/tables.md and the SVG files beside it are the same tables and figures for
 * other pages. They hold no date, path or machine, so the same results give the same bytes (figures: with the same
 * gnuplot).
 */
#ifndef TERN_EXP_FILES_H
#define TERN_EXP_FILES_H
#include "tern_exp_internal.h"
#include "tern_page.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_EXP_FIGURES_MAX = 40, TERN_EXP_TABLES_MAX = 64 };
typedef struct tern_exp_table {
    size_t rows, columns;
    const char *const *cells;
    const char *caption;
} tern_exp_table;
typedef struct tern_exp_files {
    tern_page *page;
    size_t n_plots, n_tables;
    const tern_plot *plots[TERN_EXP_FIGURES_MAX];
    const char *names[TERN_EXP_FIGURES_MAX]; /* NAME.svg */
    tern_exp_table tables[TERN_EXP_TABLES_MAX];
} tern_exp_files;

/* Both put a part on the page, and keep it for the files. More than there is room for stay on the page alone. */
void tern_exp_put_table(tern_exp_files *f, size_t rows, size_t columns, const char *const *cells, const char *caption);
void tern_exp_put_figure(tern_exp_files *f, const char *name, const tern_plot *plot, const char *caption);
/* report.html, DIR/NAME.svg of every figure, DIR/tables.md. */
tern_status tern_exp_put_files(tern_exp *e, tern_exp_files *f, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_FILES_H */
