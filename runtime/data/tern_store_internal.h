/* tern_store_internal.h : what the files of tern_store.h share (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_STORE_INTERNAL_H
#define TERN_STORE_INTERNAL_H
#include <stdio.h>
#include "tern_npy.h"
#include "tern_store.h"
#include "tern/file.h"

enum { TERN__STORE_READ = 150, TERN__STORE_VALUE = 154, TERN__STORE_LIBRARY = 156 };

typedef struct tern__store_place {
    tern__zip_entry entry; /* of .npy: the file, without a check sum */
    tern__npy_type type;
    uint64_t data_at;
} tern__store_place;

struct tern_store {
    tern_arena *arena;
    char *path;
    tern_store_form form;
    tern__base base;
    bool alone; /* .npy: one array, no archive */
    size_t n, room;
    tern_store_array *arrays;
    tern__store_place *places; /* NPZ */
};

/* One more array; NULL: no memory or too many. */
tern_store_array *tern__store_add(tern_store *s);
tern_diag *tern__store_error(const tern_store *s, tern_diags *d, int code, const char *array, const char *fmt, ...)
    TERN_PRINTF(5, 6);
/* `n` items in `from` become numbers from to[at] on. */
tern_status tern__store_take(const tern_store *s, const tern_store_want *want, tern__npy_type type, const uint8_t *from,
                             uint64_t at, size_t n, tern_diags *d);

tern_status tern__store_npz_list(tern_store *s, tern_diags *d);
tern_status tern__store_npy_list(tern_store *s, tern_diags *d); /* read as an archive */
tern_status tern__store_npz_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d);
tern_status tern__store_npz_write(tern_file_writer *w, const tern_store_array *arrays, size_t n, tern_arena *arena);
tern_status tern__store_hdf5_list(tern_store *s, tern_diags *d);
tern_status tern__store_hdf5_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d);
/* The file's bytes, in memory of the C library, to be freed. */
tern_status tern__store_hdf5_write(const tern_store_array *arrays, size_t n, void **out_bytes, size_t *out_size);

#endif /* TERN_STORE_INTERNAL_H */
