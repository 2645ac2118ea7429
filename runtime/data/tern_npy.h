/* tern_npy.h : NumPy's array files and the zip files they are put into (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_NPY_H
#define TERN_NPY_H
#include "tern_formats.h"

enum { TERN__NPY_FIELDS = 16, TERN__NPY_DIMS = 6, TERN__ZIP_ENTRIES = 64 };

/* A number of an item. kind: 'b' bool, 'i' signed, 'u' unsigned, 'f' real; 0: something that is not read (text,
 * padding). */
typedef struct tern__npy_type {
    char kind;
    uint8_t bytes;
    bool swap;
} tern__npy_type;

typedef struct tern__npy {
    uint32_t n_fields; /* 0: items are plain numbers of field[0]'s type */
    struct {
        char name[32];
        uint32_t at;
        tern__npy_type type;
    } field[TERN__NPY_FIELDS];
    uint32_t item_bytes;
    uint32_t n_dims;
    uint64_t dims[TERN__NPY_DIMS], n_items;
    uint64_t data_at; /* where the items begin in the content */
} tern__npy;

/* Reads the header at the beginning of a source. *why: what is wrong with it, for a message (static or in `text`).
 * TERN_ERR_FORMAT, TERN_ERR_TRUNCATED. */
tern_status tern__npy_header(tern__source *src, tern__npy *out, char text[200]);
/* Number of a field by name; -1: none. */
int tern__npy_find(const tern__npy *h, const char *const *names);
/* A number as it is; false: NaN, infinite, or a type that is not read. */
bool tern__npy_real(const uint8_t *item, tern__npy_type type, double *out);
/* A number as an integer; false: a real that is none (NaN, infinite, beyond 2^62) or a type that is not read. Reals are
 * multiplied by `scale` and rounded. */
bool tern__npy_integer(const uint8_t *item, tern__npy_type type, double scale, int64_t *out);
/* The same for what cannot be rounded, such as places and labels: false for a fraction, too. */
bool tern__npy_whole(const uint8_t *item, tern__npy_type type, int64_t *out);
/* A label, 0..65535, or -1 (or NaN) for none; false: neither. */
bool tern__npy_label(const uint8_t *item, tern__npy_type type, int32_t *out);

typedef struct tern__zip_entry {
    char name[160];       /* without ".npy" */
    uint64_t begin, size; /* of its bytes in the file */
    tern__codec codec;
    uint64_t plain; /* bytes of its content */
    uint32_t crc;   /* CRC-32 of it */
} tern__zip_entry;

/* Opens an entry's content; its check sum is compared when it was read to its end. */
tern_status tern__zip_open(tern__source *s, const tern__base *base, const tern__zip_entry *e, tern_alloc alloc);
/* Is an array all there is in its entry? TERN_ERR_FORMAT, with what is wrong in `text`, if bytes follow it. */
tern_status tern__zip_array_ends(const tern__zip_entry *e, const tern__npy *h, char text[200]);
/* A source that stands at the end of its array: TERN_OK, or what is wrong with its bytes in `text`. */
tern_status tern__npy_ends(tern__source *s, char text[200]);
/* Reads an entry to its end. TERN_ERR_FORMAT, TERN_ERR_TRUNCATED, TERN_ERR_IO, TERN_ERR_MEMORY. */
tern_status tern__zip_check(const tern__base *base, const tern__zip_entry *e, tern_alloc alloc, char text[200]);

/* Every entry of a zip file's directory that ends in ".npy"; `each` may stop it with its own status, then text is as
 * it was. */
tern_status tern__zip_each(const tern__base *base, tern_alloc alloc,
                           tern_status (*each)(void *ud, const tern__zip_entry *e), void *ud, char text[200]);
/* The same as a list. *n entries ending in ".npy", the others are left aside. */
tern_status tern__zip_directory(const tern__base *base, tern_alloc alloc, tern__zip_entry out[TERN__ZIP_ENTRIES],
                                size_t *n, char text[200]);

/* Have two entries one name? Then what is wrong stands in `text`: other programs take the one or the other. */
bool tern__zip_twice(const tern__zip_entry *a, const tern__zip_entry *b, char text[200]);

#endif /* TERN_NPY_H */
