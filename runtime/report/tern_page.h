/* tern_page.h : one self-contained HTML page of text, tables and figures
 * SPDX-License-Identifier: Apache-2.0
 *
 * The page needs nothing but itself: style and figures (SVG as data URIs) are inside, there is no script. It is
 * readable on a phone (figures and tables become one column, wide tables scroll in their own box) and on paper. Text is
 * escaped here, callers give plain UTF-8.
 */
#ifndef TERN_PAGE_H
#define TERN_PAGE_H
#include <stdarg.h>
#include <stddef.h>
#include "tern/arena.h"
#include "tern/diag.h"
#include "tern_plot.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_page tern_page; /* collects parts in the order of the calls */

/* NULL: out of memory; later calls on NULL do nothing, tern_page_write then says so. */
tern_page *tern_page_new(const char *title, const char *subtitle, tern_arena *arena);
void tern_page_section(tern_page *p, const char *heading);
void tern_page_text(tern_page *p, const char *format, ...) __attribute__((format(printf, 2, 3))); /* a paragraph */
/* commands, as they are typed */
void tern_page_code(tern_page *p, const char *text);
/* A figure with its caption (also the alternative text of the image). `plot` and what it points to must live until
 * tern_page_write. */
void tern_page_figure(tern_page *p, const tern_plot *plot, const char *caption);
/* cells: [rows][columns] texts, row 0 is the heading; a cell that begins with a digit, sign or '[' stands right. A cell
 * that is exactly "yes" or "no" is coloured as a verdict. */
void tern_page_table(tern_page *p, size_t rows, size_t columns, const char *const *cells, const char *caption);
/* A table of two columns without a heading: names and what they are, all standing left. pairs: [n][2]. Tables that
 * follow each other stand beside each other where the page is wide enough. */
void tern_page_facts(tern_page *p, size_t n, const char *const *pairs, const char *caption);
/* Draws all figures and writes the file (temporary name, then rename). */
tern_status tern_page_write(tern_page *p, const char *path, tern_diags *diags);
/* The same bytes in memory, in the page's arena. */
tern_status tern_page_bytes(tern_page *p, const char **out_bytes, size_t *out_size, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PAGE_H */
