/* tern_store.c : see tern_store.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_store_internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tern/file.h"

static const char hdf5_magic[8] = "\x89HDF\r\n\x1a\n", zip_magic[4] = "PK\3\4", zip_empty[4] = "PK\5\6",
                  npy_magic[6] = "\x93NUMPY";

tern_store_form tern_store_form_of(const char *path)
{
    static const struct {
        const char *suffix;
        tern_store_form form;
    } known[] = { { ".npz", TERN_STORE_NPZ },
                  { ".h5", TERN_STORE_HDF5 },
                  { ".hdf5", TERN_STORE_HDF5 },
                  { ".nir", TERN_STORE_HDF5 } };
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const size_t m = strlen(known[i].suffix);
        if (n > m && strcmp(path + n - m, known[i].suffix) == 0) return known[i].form;
    }
    return TERN_STORE_NONE;
}

const char *tern_store_shape(const tern_store_array *a, char *text, size_t room)
{
    size_t n = (size_t)snprintf(text, room, "[");
    for (uint32_t i = 0; i < a->n_dims && n < room; ++i)
        n += (size_t)snprintf(text + n, room - n, "%s%llu", i == 0 ? "" : ", ", (unsigned long long)a->dims[i]);
    if (n < room) snprintf(text + n, room - n, "]");
    return text;
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static tern_status no_library(const char *path, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN__STORE_LIBRARY, path, 0, NULL,
                                  "this build of Tern has no HDF5 library"),
                   "use a name that ends in .npz, or install libhdf5-dev and build again");
    return TERN_ERR_TOOL;
}

#if !TERN_HAVE_HDF5
tern_status tern__store_hdf5_write(const tern_store_array *arrays, size_t n, void **out_bytes, size_t *out_size)
{
    (void)arrays, (void)n, (void)out_bytes, (void)out_size;
    return TERN_ERR_TOOL;
}
tern_status tern__store_hdf5_list(tern_store *s, tern_diags *d) { return no_library(s->path, d); }
tern_status tern__store_hdf5_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d)
{
    (void)wants, (void)n;
    return no_library(s->path, d);
}
#endif

tern_status tern_store_write(const char *path, tern_store_form form, const tern_store_array *arrays, size_t n,
                             tern_arena *arena, tern_diags *diags)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; ++i) bytes += arrays[i].n_items * arrays[i].bytes + 512;
    if (bytes > UINT32_MAX / 2) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN__STORE_READ, path, 0, NULL,
                                      "the arrays would take %llu bytes, at most %u are written",
                                      (unsigned long long)bytes, UINT32_MAX / 2),
                       "the image itself is smaller");
        return TERN_ERR_LIMIT;
    }
    if (form == TERN_STORE_HDF5 && !TERN_HAVE_HDF5) return no_library(path, diags);
    void *made = NULL;
    size_t size = 0;
    tern_status s = form == TERN_STORE_HDF5 ? tern__store_hdf5_write(arrays, n, &made, &size) : TERN_OK;
    if (s != TERN_OK) return s;
    tern_file_writer file;
    tern_file_sweep(path);
    s = tern_file_begin(&file, path, diags);
    if (s == TERN_OK) {
        if (form == TERN_STORE_HDF5) (void)fwrite(made, 1, size, file.f); /* errors are seen by the commit */
        else s = tern__store_npz_write(&file, arrays, n, arena);
        if (s == TERN_OK) s = tern_file_commit(&file, diags);
        else tern_file_abort(&file);
    }
    free(made);
    return s;
}

/* ---- reading
 * ------------------------------------------------------------------------------------------------------- */

static tern_status begin(tern_arena *arena, const char *path, tern_store **out)
{
    tern_store *s = tern_arena_get(arena, 1, sizeof *s);
    if (s == NULL || (s->path = tern_arena_strdup(arena, path)) == NULL) return TERN_ERR_MEMORY;
    s->arena = arena;
    s->base.fd = -1;
    *out = s;
    return TERN_OK;
}

static tern_status list(tern_store *s, tern_diags *diags)
{
    uint8_t head[8] = { 0 };
    (void)tern__base_get(&s->base, 0, head, s->base.size < 8 ? (size_t)s->base.size : 8);
    if (memcmp(head, hdf5_magic, 8) == 0) {
        s->form = TERN_STORE_HDF5;
        return tern__store_hdf5_list(s, diags);
    }
    s->form = TERN_STORE_NPZ;
    if (memcmp(head, zip_magic, 4) == 0 || memcmp(head, zip_empty, 4) == 0) return tern__store_npz_list(s, diags);
    if (memcmp(head, npy_magic, 6) == 0) return tern__store_npy_list(s, diags);
    const char *found = s->base.size == 0                          ? ": it is empty (0 bytes)"
                        : memcmp(head, "TERNSAVE", 8) == 0         ? ": it is a device's stream (.save)"
                        : memcmp(head, "\x89TERN\r\n\x1a", 8) == 0 ? ": it is an image of a network"
                                                                   : "";
    tern_diag_hint(tern__store_error(s, diags, TERN__STORE_READ, NULL,
                                     "neither a NumPy archive (.npz) or array (.npy) nor an HDF5 file%s", found),
                   "numpy.savez makes one; docs/13-weights.md has the names of the arrays");
    return TERN_ERR_FORMAT;
}

tern_status tern_store_open(const char *path, tern_arena *arena, tern_store **out, tern_diags *diags)
{
    tern_status st = begin(arena, path, out);
    if (st == TERN_OK) st = tern__base_open(&(*out)->base, path, diags);
    if (st == TERN_OK) st = list(*out, diags);
    if (st != TERN_OK && *out != NULL) tern_store_close(*out), *out = NULL;
    return st;
}

tern_status tern_store_open_bytes(const uint8_t *bytes, size_t size, tern_arena *arena, tern_store **out,
                                  tern_diags *diags)
{
    tern_status st = begin(arena, "memory", out);
    if (st != TERN_OK) return st;
    (*out)->base = (tern__base){ .fd = -1, .mem = bytes, .size = size };
    st = list(*out, diags);
    if (st != TERN_OK) *out = NULL;
    return st;
}

void tern_store_close(tern_store *s)
{
    if (s != NULL && s->base.fd >= 0) tern__base_close(&s->base);
}

size_t tern_store_count(const tern_store *s) { return s->n; }
const tern_store_array *tern_store_at(const tern_store *s, size_t i) { return &s->arrays[i]; }

long tern_store_find(const tern_store *s, const char *name)
{
    for (size_t i = 0; i < s->n; ++i)
        if (strcmp(s->arrays[i].name, name) == 0) return (long)i;
    return -1;
}

tern_status tern_store_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *diags)
{
    for (size_t i = 0; i < n; ++i) {
        const tern_store_array *a = &s->arrays[wants[i].array];
        if (a->kind != 'b') continue;
        tern_diag_hint(tern__store_error(s, diags, TERN__STORE_VALUE, a->name,
                                         "holds truth values (bool): True would be one unit of the last bit"),
                       "save numbers: a.astype(float)");
        return TERN_ERR_FORMAT;
    }
    return s->form == TERN_STORE_HDF5 ? tern__store_hdf5_read(s, wants, n, diags)
                                      : tern__store_npz_read(s, wants, n, diags);
}
