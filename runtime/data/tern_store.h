/* tern_store.h : arrays by name, in a NumPy archive (.npz) or an HDF5 file; a single one (.npy) has the name ""
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names may have slashes: "weights/pixels/digit/0" is the key of that name in an archive and the data set of that
 * path in HDF5. Arrays are in C's order. Reading opens a file and lists what is there; the caller then says which
 * arrays it wants, having seen their shapes, so no file decides how much memory is taken.
 */
#ifndef TERN_STORE_H
#define TERN_STORE_H
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_STORE_NAME = 160, TERN_STORE_DIMS = 6, TERN_STORE_TEXT = 128, TERN_STORE_ARRAYS = 65536 };

/* 'i' signed, 'u' unsigned (and bool), 'f' real of `bytes` bytes; 's', of HDF5 only: texts, TERN_STORE_TEXT bytes
 * each with zeros behind; 0: records or other things that are not read. */
typedef struct tern_store_array {
    char name[TERN_STORE_NAME];
    char kind;
    uint8_t bytes;
    uint8_t n_dims; /* 0: one number */
    uint64_t dims[TERN_STORE_DIMS], n_items;
    const void *data; /* writing: [n_items], this machine's numbers */
} tern_store_array;

typedef enum tern_store_form { TERN_STORE_NONE, TERN_STORE_NPZ, TERN_STORE_HDF5 } tern_store_form;
/* Of a name: .npz; .h5, .hdf5, .nir. */
tern_store_form tern_store_form_of(const char *path);

/* Writes a file of these arrays; the same arrays give the same bytes. Codes 150 (also: more than 2^32 bytes), 156
 * (HDF5, and this build has none), 302. */
tern_status tern_store_write(const char *path, tern_store_form form, const tern_store_array *arrays, size_t n,
                             tern_arena *arena, tern_diags *diags);

typedef struct tern_store tern_store;
/* Opens a file by its content and lists its arrays, those of a kind that is not read too. Codes 150, 156, 401, 402.
 */
tern_status tern_store_open(const char *path, tern_arena *arena, tern_store **out, tern_diags *diags);
/* The same for an archive in memory (fuzzing). */
tern_status tern_store_open_bytes(const uint8_t *bytes, size_t size, tern_arena *arena, tern_store **out,
                                  tern_diags *diags);
size_t tern_store_count(const tern_store *s);
const tern_store_array *tern_store_at(const tern_store *s, size_t i);
/* Number of an array by name; -1: there is none. */
long tern_store_find(const tern_store *s, const char *name);

/* An array that is wanted: its number, and where its items go, one after the other. */
typedef struct tern_store_want {
    size_t array;
    char as;  /* 'f': double; 'i': int64_t; 'u': uint64_t; 's': char[TERN_STORE_TEXT]. Kind 'f' can only be read as
                 'f', a negative number not as 'u' */
    void *to; /* [n_items] */
} tern_store_want;
/* Reads what is wanted, in any order. Codes 150 (damaged), 154: a number that is not finite, or not of the kind
 * wanted. */
tern_status tern_store_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *diags);
void tern_store_close(tern_store *s); /* NULL: nothing */

/* "[3, 4]", for messages. */
const char *tern_store_shape(const tern_store_array *a, char *text, size_t room);

#ifdef __cplusplus
}
#endif
#endif /* TERN_STORE_H */
