/* tern_store_npz.c : NumPy archives: a zip file of .npy files
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_store_internal.h"
#include <stdlib.h>
#include <string.h>
#include "tern_write.h"

/* ---- writing
 * ------------------------------------------------------------------------------------------------------- */

/* Items in the order of bytes of the file. */
static void put_items(tern__npz *z, const tern_store_array *a)
{
    enum { PIECE = 4096 }; /* a multiple of every size */
    uint8_t piece[PIECE];
    const uint8_t *from = a->data;
    const uint16_t one = 1;
    const uint64_t bytes = a->n_items * a->bytes;
    if (*(const uint8_t *)&one == 1 || a->bytes == 1) {
        tern__npz_items(z, from, (size_t)bytes);
        return;
    }
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        const size_t n = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE;
        for (size_t i = 0; i < n; ++i) piece[i] = from[at + i / a->bytes * a->bytes + (a->bytes - 1u - i % a->bytes)];
        tern__npz_items(z, piece, n);
    }
}

tern_status tern__store_npz_write(tern_file_writer *w, const tern_store_array *arrays, size_t n, tern_arena *arena)
{
    tern__npz z;
    tern__npz_entry *entries = tern_arena_get(arena, n, sizeof *entries);
    if (entries == NULL) return TERN_ERR_MEMORY;
    tern__npz_begin_many(&z, w, entries);
    for (size_t i = 0; i < n; ++i) {
        const tern_store_array *a = &arrays[i];
        char descr[16];
        snprintf(descr, sizeof descr, "'%c%c%u'", a->bytes == 1 ? '|' : '<', a->kind, a->bytes);
        tern__npz_array(&z, a->name);
        put_items(&z, a);
        tern__npz_shape(&z, descr, a->n_dims, a->dims);
    }
    (void)tern__npz_end(&z); /* what could not be written is seen by the commit */
    return TERN_OK;
}

/* ---- reading
 * ------------------------------------------------------------------------------------------------------- */

static tern_status add_entry(void *ud, const tern__zip_entry *e)
{
    tern_store *s = ud;
    tern_store_array *a = tern__store_add(s);
    if (a == NULL) return s->n == TERN_STORE_ARRAYS ? TERN_ERR_LIMIT : TERN_ERR_MEMORY;
    snprintf(a->name, sizeof a->name, "%s", e->name);
    s->places[s->n - 1] = (tern__store_place){ .entry = *e };
    return TERN_OK;
}

static tern_status open_member(const tern_store *s, const tern__store_place *p, tern__source *src)
{
    const tern__zip_entry *e = &p->entry;
    return s->alone ? tern__source_open(src, &s->base, e->begin, e->size, e->codec, s->arena->alloc)
                    : tern__zip_open(src, &s->base, e, s->arena->alloc);
}

/* Headers of all arrays, whose places are known. */
static tern_status read_headers(tern_store *s, tern_diags *d, tern_status st, char why[200])
{
    for (size_t i = 0; i < s->n && st == TERN_OK; ++i) {
        tern__source src = { 0 };
        tern__npy h;
        tern__store_place *p = &s->places[i];
        tern_store_array *a = &s->arrays[i];
        st = open_member(s, p, &src);
        if (st == TERN_OK) st = tern__npy_header(&src, &h, why);
        if (st == TERN_OK) st = tern__zip_array_ends(&p->entry, &h, why);
        tern__source_close(&src);
        if (st == TERN_ERR_MEMORY) return st;
        if (st != TERN_OK) {
            tern__store_error(s, d, TERN__STORE_READ, a->name, "%s", why);
            return st;
        }
        p->type = h.field[0].type;
        p->data_at = h.data_at;
        a->kind = h.n_fields != 0 ? 0 : p->type.kind;
        a->bytes = p->type.bytes;
        a->n_dims = (uint8_t)h.n_dims;
        memcpy(a->dims, h.dims, sizeof h.dims);
        a->n_items = h.n_items;
    }
    if (st != TERN_OK && st != TERN_ERR_MEMORY) tern__store_error(s, d, TERN__STORE_READ, NULL, "%s", why);
    return st;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const tern__zip_entry *const *)a)->name, (*(const tern__zip_entry *const *)b)->name);
}

static tern_status names_differ(const tern_store *s, char why[200])
{
    const tern_alloc alloc = s->arena->alloc;
    if (s->n < 2) return TERN_OK;
    const tern__zip_entry **e = alloc.fn(alloc.ud, NULL, s->n * sizeof *e);
    if (e == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < s->n; ++i) e[i] = &s->places[i].entry;
    qsort(e, s->n, sizeof *e, by_name);
    bool twice = false;
    for (size_t i = 1; i < s->n && !twice; ++i) twice = tern__zip_twice(e[i - 1], e[i], why);
    alloc.fn(alloc.ud, e, 0);
    return twice ? TERN_ERR_FORMAT : TERN_OK;
}

tern_status tern__store_npz_list(tern_store *s, tern_diags *d)
{
    char why[200] = "";
    tern_status st = tern__zip_each(&s->base, s->arena->alloc, add_entry, s, why);
    if (st == TERN_ERR_LIMIT) snprintf(why, sizeof why, "holds more than %d arrays", TERN_STORE_ARRAYS);
    if (st == TERN_OK) st = names_differ(s, why);
    return read_headers(s, d, st, why);
}

tern_status tern__store_npy_list(tern_store *s, tern_diags *d)
{
    char why[200] = "";
    if (tern__store_add(s) == NULL) return TERN_ERR_MEMORY;
    s->arrays[0] = (tern_store_array){ .name = "" };
    s->alone = true;
    s->places[0].entry = (tern__zip_entry){ .size = s->base.size, .plain = s->base.size, .codec = TERN__PLAIN };
    return read_headers(s, d, TERN_OK, why);
}

static tern_status read_one(tern_store *s, const tern_store_want *want, tern_diags *d)
{
    const tern_store_array *a = &s->arrays[want->array];
    const tern__store_place *p = &s->places[want->array];
    tern__source src = { 0 };
    char why[200] = "";
    tern__npy h;
    tern_status st = open_member(s, p, &src);
    /* the header is read again, not jumped over: the check sum is that of header and items */
    if (st == TERN_OK) st = tern__npy_header(&src, &h, why);
    if (st != TERN_OK && st != TERN_ERR_MEMORY) tern__store_error(s, d, TERN__STORE_READ, a->name, "%s", why);
    for (uint64_t at = 0; at < a->n_items && st == TERN_OK;) {
        const uint8_t *bytes;
        const size_t have = tern__source_peek(&src, a->bytes, &bytes) / a->bytes;
        const size_t n = have < a->n_items - at ? have : (size_t)(a->n_items - at);
        if (n == 0) {
            tern__store_error(s, d, TERN__STORE_READ, a->name, "the file ends, or is damaged, at item %llu of %llu",
                              (unsigned long long)at, (unsigned long long)a->n_items);
            st = TERN_ERR_TRUNCATED;
            break;
        }
        st = tern__store_take(s, want, p->type, bytes, at, n, d);
        tern__source_take(&src, n * a->bytes);
        at += n;
    }
    if (st == TERN_OK && (st = tern__npy_ends(&src, why)) != TERN_OK && st != TERN_ERR_MEMORY)
        tern_diag_hint(tern__store_error(s, d, TERN__STORE_READ, a->name, "%s", why),
                       "copy the file again, or make it again");
    tern__source_close(&src);
    return st;
}

tern_status tern__store_npz_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d)
{
    tern_status st = TERN_OK;
    for (size_t i = 0; i < n && st == TERN_OK; ++i) st = read_one(s, &wants[i], d);
    return st;
}
