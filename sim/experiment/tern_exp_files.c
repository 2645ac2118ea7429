/* tern_exp_files.c : see tern_exp_files.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_exp_files.h"
#include <stdio.h>
#include <string.h>
#include "tern/file.h"

void tern_exp_put_table(tern_exp_files *f, size_t rows, size_t columns, const char *const *cells, const char *caption)
{
    tern_page_table(f->page, rows, columns, cells, caption);
    if (f->n_tables < TERN_EXP_TABLES_MAX) f->tables[f->n_tables++] = (tern_exp_table){ rows, columns, cells, caption };
}

void tern_exp_put_figure(tern_exp_files *f, const char *name, const tern_plot *plot, const char *caption)
{
    tern_page_figure(f->page, plot, caption);
    if (f->n_plots == TERN_EXP_FIGURES_MAX) return;
    f->plots[f->n_plots] = plot;
    f->names[f->n_plots++] = name;
}

/* A cell: "|" and line ends would end it. "|H|" is what stands in most tables. */
static void put_cell(FILE *f, const char *text)
{
    fputs(" ", f);
    for (; *text != 0; ++text) {
        if (*text == '|') fputc('\\', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
    fputs(" |", f);
}

/* A paragraph of lines of at most 116 bytes; longer words stand alone. */
static void put_paragraph(FILE *f, const char *text)
{
    enum { MOST = 116 };
    size_t column = 0;
    while (*text != 0) {
        const size_t n = strcspn(text, " ");
        if (column != 0 && column + 1 + n > MOST) {
            fputc('\n', f);
            column = 0;
        }
        if (column != 0) fputc(' ', f);
        fwrite(text, 1, n, f);
        column += n + (column != 0);
        text += n + (text[n] == ' ');
    }
    fputs("\n\n", f);
}

static tern_status write_tables(const tern_exp_files *files, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    for (size_t i = 0; i < files->n_tables; ++i) {
        const tern_exp_table *t = &files->tables[i];
        if (i != 0) fputc('\n', w.f);
        put_paragraph(w.f, t->caption);
        for (size_t r = 0; r < t->rows; ++r) {
            fputc('|', w.f);
            for (size_t c = 0; c < t->columns; ++c) put_cell(w.f, t->cells[r * t->columns + c]);
            fputc('\n', w.f);
            if (r == 0) {
                fputc('|', w.f);
                for (size_t c = 0; c < t->columns; ++c) fputs("---|", w.f);
                fputc('\n', w.f);
            }
        }
    }
    return tern_file_commit(&w, diags);
}

static tern_status write_text(const char *text, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    fputs(text, w.f);
    return tern_file_commit(&w, diags);
}

static tern_status write_figures(tern_exp *e, const tern_exp_files *files, tern_diags *diags)
{
    const char **svg = tern_arena_get(&e->arena, files->n_plots + 1, sizeof *svg);
    tern_plot *plots = tern_arena_get(&e->arena, files->n_plots + 1, sizeof *plots);
    if (svg == NULL || plots == NULL) return TERN_ERR_MEMORY;
    if (files->n_plots == 0) return TERN_OK;
    for (size_t i = 0; i < files->n_plots; ++i) plots[i] = *files->plots[i];
    tern_status s = tern_plot_svg(plots, files->n_plots, &e->arena, svg, diags);
    for (size_t i = 0; i < files->n_plots && s == TERN_OK; ++i) {
        char *path = tern_exp_text(&e->arena, "%s/%s.svg", e->dir, files->names[i]);
        s = path == NULL ? TERN_ERR_MEMORY : write_text(svg[i], path, diags);
    }
    return s;
}

tern_status tern_exp_put_files(tern_exp *e, tern_exp_files *f, tern_diags *diags)
{
    char *report = tern_exp_text(&e->arena, "%s/report.html", e->dir),
         *tables = tern_exp_text(&e->arena, "%s/tables.md", e->dir);
    if (report == NULL || tables == NULL) return TERN_ERR_MEMORY;
    tern_status s = write_tables(f, tables, diags);
    if (s == TERN_OK) s = tern_page_write(f->page, report, diags);
    return s == TERN_OK ? write_figures(e, f, diags) : s;
}
