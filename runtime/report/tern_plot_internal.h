/* tern_plot_internal.h : what the files of this folder share: a text that grows, and the parts of drawing a figure
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_PLOT_INTERNAL_H
#define TERN_PLOT_INTERNAL_H
#include "tern_plot.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- a text that grows (tern_text.c) ---- */

/* After a refused allocation `failed` stays true and everything added is dropped. Free it with tern_text_free. */
typedef struct tern_text {
    tern_alloc alloc;
    char *data; /* NUL-terminated once something was added */
    size_t n, room;
    bool failed;
} tern_text;

void tern_text_init(tern_text *t, tern_alloc alloc);
void tern_text_free(tern_text *t);
void tern_text_bytes(tern_text *t, const char *bytes, size_t n);
void tern_text_add(tern_text *t, const char *s);
void tern_text_format(tern_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tern_text_base64(tern_text *t, const unsigned char *bytes, size_t n);
/* Plain text into XML: < > & " ' become entities, control characters blanks, what is no UTF-8 (or no character of XML)
 * U+FFFD. */
void tern_text_xml(tern_text *t, const char *s);
/* Reads one character: its code and bytes. What is no UTF-8 is U+FFFD of one byte. 0 at the end. */
unsigned long tern_text_next(const char *s, size_t *out_bytes);
void tern_text_utf8(tern_text *t, unsigned long code);

/* ---- numbers on the drawing (tern_plot.c) ---- */

#define TERN_PLOT_WIDTH 420.0
#define TERN_PLOT_HEIGHT 300.0
double tern_plot_width(const tern_plot *p); /* 120..2000 pixels */
double tern_plot_height(const tern_plot *p);

/* ---- parts ---- */

/* Gnuplot's commands for one figure of series (tern_plot_script.c). Texts stand in it in a form that cannot be anything
 * but text: every ASCII character that is no letter, digit or blank is moved to U+E000 + code, a range for private use;
 * tern_plot_clean() moves it back. */
void tern_plot_script(const tern_plot *p, tern_text *out);
/* One document of gnuplot's output: without its version, the moved characters as XML. */
void tern_plot_clean(const char *svg, size_t n, tern_text *out);
/* Runs gnuplot with `script` as its input; what it printed is added to `out` (tern_plot_run.c). After `limit_s` seconds
 * it is ended. */
#define TERN_PLOT_LIMIT_S 120.0
tern_status tern_plot_run(const tern_text *script, double limit_s, tern_text *out, tern_diags *diags);
/* An image is drawn without gnuplot: a PNG in an SVG (tern_plot_image.c). */
void tern_plot_image(const tern_plot *p, tern_text *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PLOT_INTERNAL_H */
