/* tern_arrays.h : the reader of NumPy arrays, and what its arrays mean (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_ARRAYS_H
#define TERN_ARRAYS_H
#include "tern_axes.h"
#include <string.h>
#include "tern_npy.h"

typedef enum shape { RECORDS, COLUMNS, ROWS, GRID } shape;
enum { T, X, Y, P, N_COLUMNS }; /* X holds the units where there is no Y */

typedef struct array {
    bool there, read;       /* read: the header was */
    tern__source own, *src; /* of .npy: the stream's */
    tern__npy h;
} array;

typedef struct tern__arrays {
    shape shape;
    array a[N_COLUMNS];             /* RECORDS, GRID and one array with columns: a[0] only */
    tern__npy_type type[N_COLUMNS]; /* kind 0: there is none */
    uint32_t at[N_COLUMNS];         /* RECORDS: within an item */
    bool table;                     /* COLUMNS in one array, 4 wide */
    int power;                      /* a time is so many microseconds, as a power of ten */
    uint64_t left;                  /* items, or bytes of a grid's sample in items, still to read */
    /* GRID */
    tern__axes axes;
    uint64_t n_labels;     /* in the same file; 0: none */
    uint64_t sample, next; /* which sample; item within it */
    uint32_t step_us;
    char why[200];
    char chosen[48]; /* which of several names of one meaning is read; "": there is one of each */
} tern__arrays;

static inline uint64_t tern__arrays_records(const tern__arrays *r)
{
    return r->table ? r->a[0].h.dims[0] : r->a[0].h.n_items;
}
static inline uint32_t tern__arrays_record_bytes(const tern__arrays *r)
{
    return r->table ? (uint32_t)r->a[0].h.dims[1] * r->a[0].h.item_bytes : r->a[0].h.item_bytes;
}

/* The sample asked for, of n. A file of one needs no number. Code 416. */
tern_status tern__arrays_which_sample(tern_stream *s, uint64_t n, uint64_t *out, tern_diags *d);
/* Numbers, one after the other? Else `why` tells. */
bool tern__arrays_is_list(const tern__npy *h, const char *name, char why[200]);

/* The first of several names of one meaning is read, and info.assumed says so: "t, not timestamps". Of the fields of
 * records: `column` is the one that is read, -1: none. */
void tern__say_chosen(tern__arrays *r, const char *chosen, const char *other);
void tern__fields_chosen(tern__arrays *r, const tern__npy *h, int column, const char *const *names);

static inline bool is_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (p[i] != 0) return false;
    return true;
}

/* Something is there: not 0, and a number. */
static inline bool is_spike(tern_stream *s, const uint8_t *p, tern__npy_type t)
{
    int64_t v;
    if (is_zero(p, t.bytes)) return false;
    if (t.kind != 'f') return true;
    if (!tern__npy_integer(p, t, 1e9, &v)) {
        const bool nan = !tern__npy_integer(p, t, 0.0, &v);
        if (nan) ++s->counts.n_other;
        return !nan; /* a large number is one */
    }
    return v != 0; /* minus zero, or next to nothing */
}

/* Nothing is left to read: an array of an archive that was read to its end must have its check sum (417, 409). */
tern_status tern__arrays_sound(tern_stream *s, tern__arrays *r, tern_diags *d);
/* The warning (466) that samples of few steps are unlikely, once. */
void tern__arrays_few_steps(tern_stream *s, const tern__axes *a, tern_diags *d);
/* The warning (467) that the values of a grid are no spikes and no counts, once. Stands at the sample's first value. */
void tern__arrays_analog(tern_stream *s, tern__arrays *r, tern_diags *d);
/* A grid of four steps whose rows are times, places and polarities is a list of events on its side: TERN_ERR_FORMAT
 * (463). Moves the source. */
tern_status tern__arrays_not_on_side(tern_stream *s, tern__arrays *r, tern_diags *d);
/* What events mean that are numbers without names: which column is which, the unit of time. Sources stand at the first
 * event. */
tern_status tern__arrays_meaning(tern_stream *s, tern__arrays *r, tern_diags *d);

#endif /* TERN_ARRAYS_H */
