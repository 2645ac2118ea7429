/* tern_plot.h : figures as SVG, drawn by gnuplot
 * SPDX-License-Identifier: Apache-2.0
 *
 * A figure is data: axes and series of points. tern_plot_svg() writes gnuplot's commands, runs `gnuplot` once for all
 * figures of a report and returns one SVG for each. Nothing here knows what is drawn. All figures share one look
 * (palette, fonts, grid), so a report looks of one piece.
 */
#ifndef TERN_PLOT_H
#define TERN_PLOT_H
#include <stdbool.h>
#include <stddef.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What is left out: points with NAN, beyond +-1e30, and on a logarithmic axis those that are not positive. What is
 * thinned: lines of more than 1200 points, marked lines and bars of more than 400 (in equal runs, 300 or 100, the
 * first, lowest, highest and last stay); bands have 1200 places at most, interval bars 400; marks of more than 2000 and
 * strokes of more than 4000 (so many stay, taken evenly); images of more than 2000 rows or columns (of f x f values the
 * largest magnitude stays). Titles, labels and names that do not fit are cut and end in an ellipsis. */

typedef enum tern_plot_kind {
    TERN_PLOT_LINE,    /* y over x, with a band lo..hi where these are given        */
    TERN_PLOT_MARKED,  /* the same with a mark at every point, bars lo..hi          */
    TERN_PLOT_POINTS,  /* marks only, with bars lo..hi where these are given        */
    TERN_PLOT_TICKS,   /* a short upright stroke at every (x, y): spike rasters     */
    TERN_PLOT_BARS,    /* bars of height y around x, as wide as the least distance  */
    TERN_PLOT_LEVEL,   /* a dashed horizontal line at y[0]: a number to compare with */
    TERN_PLOT_DIAGONAL /* a dashed line y = x                                       */
} tern_plot_kind;

typedef struct tern_plot_series {
    const char *name; /* in the key, UTF-8, any characters; NULL: not in the key */
    tern_plot_kind kind;
    int colour; /* index into the palette, -1: grey */
    size_t n;
    const double *x, *y;   /* [n]; points with NAN are left out */
    const double *lo, *hi; /* [n] or NULL: 95 % interval or range */
} tern_plot_series;

typedef struct tern_plot {
    const char *title, *x_label, *y_label; /* UTF-8, any characters; NULL: none */
    bool log_x, log_y;
    double x_min, x_max, y_min, y_max; /* NAN: from the data */
    double width, height;              /* pixels of the drawing, which scales; 0: 420 x 300 */
    size_t n_series;
    const tern_plot_series *series;
    /* an image instead of series: rows x columns values, row 0 on top; zero is white, the largest magnitude full
     * colour, negative blue, positive red */
    size_t rows, columns; /* 0: no image */
    const double *image;  /* [rows][columns]; NAN: grey (no such value, or the gap between tiles) */
    /* names along the sides of an image, spread evenly: of the tiles that it is made of. NULL: none; of rows as many as
     * have room. width and height 0: as the image needs */
    size_t n_row_names, n_column_names;
    const char *const *row_names, *const *column_names;
    /* magnitude of full colour, for images that are to be compared; 0: the largest one */
    double image_limit;
    /* names at places of the y axis instead of numbers, of figures of series; at most 64, and as many of them as have
     * room */
    size_t n_y_names;
    const double *y_at;
    const char *const *y_names;
} tern_plot;

/* Draws n figures. out_svg[i] is the text of an SVG document in the arena. The same figures give the same bytes with
 * the same gnuplot.
 * TERN_ERR_TOOL: gnuplot is missing or failed (its first message is in the diagnostic). Nothing is left in the file
 * system. */
tern_status tern_plot_svg(const tern_plot *plots, size_t n, tern_arena *arena, const char **out_svg, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PLOT_H */
