/* tern_columns.h : what columns of numbers mean, by what stands in them (inside runtime/data only); the rules are a
 * table in docs/30-data.md SPDX-License-Identifier: Apache-2.0
 *
 *     tern__look_row(&look, v, real) for up to TERN__LOOK_ROWS rows of four numbers, then tern__columns_order(&look,
 * ...) and tern__time_unit(...)
 */
#ifndef TERN_COLUMNS_H
#define TERN_COLUMNS_H
#include "tern_formats.h"

enum { TERN__LOOK_ROWS = 1000, TERN__LOOK_COLUMNS = 4 };

/* One column of the rows looked at. */
typedef struct tern__column {
    double lo, hi, last;
    uint32_t n_whole;    /* whole numbers                                   */
    uint32_t n_place;    /* whole numbers of 0..65535                       */
    uint32_t n_polarity; /* -1, 0 or 1                                      */
    uint32_t n_back;     /* smaller than the one before                     */
    bool real;           /* written, or stored, as a real number            */
} tern__column;

typedef struct tern__look {
    uint32_t n;
    tern__column c[TERN__LOOK_COLUMNS];
} tern__look;

/* Takes a row of n <= 4 numbers in. */
void tern__look_row(tern__look *l, const double *v, const bool *real, unsigned n);

/* Order of four columns without names, as four letters of t, x, y, p. NULL: they fit no usual order, or several; *why
 * then tells what they look like. */
const char *tern__columns_order(const tern__look *l, char why[300]);

/* Text of --columns ("x,y,p,t"; "-" for one that means nothing) as places of t, x, y, p and unit, -1: none. False: no
 * such order. */
enum { TERN__COL_T, TERN__COL_X, TERN__COL_Y, TERN__COL_P, TERN__COL_UNIT, TERN__COLS };
bool tern__columns_parse(const char *text, int at[TERN__COLS], int *n_columns);

/* Units of time: how many microseconds one is, as a power of ten (s: 6, ms: 3, us: 0, ns: -3). False: no such unit. */
bool tern__unit_parse(const char *text, size_t n, int *power);
const char *tern__unit_name(int power);
/* Unit of times that say none: whole numbers are microseconds; real ones seconds, unless they are whole numbers all the
 * same and seconds would make a recording with almost no event: then microseconds, and *odd is set. */
int tern__time_unit(const tern__column *t, uint32_t n, bool *odd);
/* Adds to what is assumed of the file (info.assumed), for people: "no polarities: every event ON". */
void tern__assume(tern_stream *s, const char *what);
/* The warning (464) for it, once. */
void tern__unit_warning(tern_stream *s, const tern__column *t, uint32_t n, tern_diags *d);

#endif /* TERN_COLUMNS_H */
