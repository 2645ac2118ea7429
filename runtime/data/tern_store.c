/* tern_store.c : see tern_store.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_store_internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tern/file.h"

static const char hdf5_magic[8] = "\x89HDF\r\n\x1a\n", zip_magic[4] = "PK\3\4", zip_empty[4] = "PK\5\6";

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

tern_diag *tern__store_error(const tern_store *s, tern_diags *d, int code, const char *array, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(d, TERN_SEV_ERROR, code, s->path, 0, array, "%s", text);
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

tern_store_array *tern__store_add(tern_store *s)
{
    if (s->n == TERN_STORE_ARRAYS) return NULL;
    if (s->n == s->room) {
        const size_t room = s->room == 0 ? 64 : 2 * s->room;
        tern_store_array *a = tern_arena_get(s->arena, room, sizeof *a);
        tern__store_place *p = tern_arena_get(s->arena, room, sizeof *p);
        if (a == NULL || p == NULL) return NULL;
        if (s->n != 0) memcpy(a, s->arrays, s->n * sizeof *a), memcpy(p, s->places, s->n * sizeof *p);
        s->arrays = a;
        s->places = p;
        s->room = room;
    }
    return &s->arrays[s->n++];
}

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
    tern_diag_hint(
        tern__store_error(s, diags, TERN__STORE_READ, NULL, "neither a NumPy archive (.npz) nor an HDF5 file"),
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
    return s->form == TERN_STORE_HDF5 ? tern__store_hdf5_read(s, wants, n, diags)
                                      : tern__store_npz_read(s, wants, n, diags);
}

/* Where an item stands, as an index of its array. */
static void place_text(const tern_store_array *a, uint64_t at, char *text, size_t room)
{
    uint64_t index[TERN_STORE_DIMS];
    for (uint32_t i = a->n_dims; i-- > 0;) index[i] = at % a->dims[i], at /= a->dims[i];
    size_t n = (size_t)snprintf(text, room, "[");
    for (uint32_t i = 0; i < a->n_dims && n < room; ++i)
        n += (size_t)snprintf(text + n, room - n, "%s%llu", i == 0 ? "" : ", ", (unsigned long long)index[i]);
    if (n < room) snprintf(text + n, room - n, "]");
}

static bool convert(const tern_store_want *want, tern__npy_type type, const uint8_t *item, uint64_t at)
{
    int64_t whole;
    if (want->as == 'f') return tern__npy_real(item, type, (double *)want->to + at);
    if (type.kind == 'f') return false;
    if (want->as == 'i') return tern__npy_integer(item, type, 1, (int64_t *)want->to + at);
    if (type.kind == 'i') {
        const bool good = tern__npy_integer(item, type, 1, &whole) && whole >= 0;
        ((uint64_t *)want->to)[at] = good ? (uint64_t)whole : 0;
        return good;
    }
    uint64_t v = 0; /* also above 2^63, which a signed number cannot hold */
    for (unsigned i = 0; i < type.bytes; ++i) v |= (uint64_t)item[type.swap ? type.bytes - 1u - i : i] << (8 * i);
    ((uint64_t *)want->to)[at] = v;
    return true;
}

tern_status tern__store_take(const tern_store *s, const tern_store_want *want, tern__npy_type type, const uint8_t *from,
                             uint64_t at, size_t n, tern_diags *d)
{
    const tern_store_array *a = &s->arrays[want->array];
    for (size_t i = 0; a->kind == 's' && i < n; ++i) {
        char *to = (char *)want->to + (at + i) * TERN_STORE_TEXT;
        memcpy(to, from + i * TERN_STORE_TEXT, TERN_STORE_TEXT);
        to[TERN_STORE_TEXT - 1] = 0;
    }
    for (size_t i = 0; a->kind != 's' && i < n; ++i) {
        char where[120];
        if (convert(want, type, from + i * type.bytes, at + i)) continue;
        place_text(a, at + i, where, sizeof where);
        const char *what = want->as == 'f'    ? "is NaN or infinite"
                           : type.kind == 'f' ? "is a real number, an integer is wanted"
                           : want->as == 'u'  ? "is negative"
                                              : "is too large";
        tern__store_error(s, d, TERN__STORE_VALUE, a->name, "%s %s", where, what);
        return TERN_ERR_FORMAT;
    }
    return TERN_OK;
}
