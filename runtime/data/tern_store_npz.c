/* tern_store_npz.c : NumPy archives: a zip file of .npy files
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written without compression and with the date 1980-01-01, the earliest that zip knows, so the bytes depend on the arrays only.
 */
#include "tern_store_internal.h"
#include <string.h>
#include <zlib.h>

/* ---- writing ------------------------------------------------------------------------------------------------------- */

enum { HEADER_BYTES = 256, NPY_BEFORE = 10, ZIP_LOCAL = 30, ZIP_ENTRY = 46, ZIP_VERSION = 20, DOS_DATE = 0x21, PIECE = 4096 };

static uint8_t *put16(uint8_t *p, unsigned v) { return p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8), p + 2; }
static uint8_t *put32(uint8_t *p, uint32_t v) { return put16(put16(p, v & 0xffff), v >> 16); }

/* "\x93NUMPY", version 1.0, length, dictionary padded to a multiple of 64. Returns the bytes of all. */
static size_t npy_header(const tern_store_array *a, uint8_t out[HEADER_BYTES])
{
    char text[HEADER_BYTES];
    const char order = a->bytes == 1 ? '|' : '<';
    int n = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (", order, a->kind, a->bytes);
    for (uint32_t i = 0; i < a->n_dims; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%llu", i == 0 ? "" : ", ", (unsigned long long)a->dims[i]);
    n += snprintf(text + n, sizeof text - (size_t)n, "%s), }", a->n_dims == 1 ? "," : "");
    const size_t all = (NPY_BEFORE + (size_t)n + 1 + 63) / 64 * 64;
    memset(out, ' ', all);
    memcpy(out, "\x93NUMPY\1\0", 8);
    (void)put16(out + 8, (unsigned)(all - NPY_BEFORE));
    memcpy(out + NPY_BEFORE, text, (size_t)n);
    out[all - 1] = '\n';
    return all;
}

/* Items in the order of bytes of the file, in pieces: to the file if there is one, into the checksum. */
static uint32_t items(const tern_store_array *a, uint32_t crc, FILE *f)
{
    uint8_t piece[PIECE];
    const uint8_t *from = a->data;
    const uint16_t one = 1;
    const bool big = *(const uint8_t *)&one == 0;
    const uint64_t bytes = a->n_items * a->bytes;
    for (uint64_t at = 0; at < bytes;) {
        const size_t n = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE; /* PIECE is a multiple of every size */
        for (size_t i = 0; i < n; ++i) piece[i] = from[at + (big ? i / a->bytes * a->bytes + (a->bytes - 1u - i % a->bytes) : i)];
        crc = (uint32_t)crc32(crc, piece, (uInt)n);
        if (f != NULL) (void)fwrite(piece, 1, n, f);
        at += n;
    }
    return crc;
}

/* What local header and directory entry share, from "version needed" on: 26 bytes. */
static void common(uint8_t *p, uint32_t crc, uint32_t size, size_t n_name)
{
    p = put16(put16(p, ZIP_VERSION), 0);          /* needed, flags */
    p = put16(put16(put16(p, 0), 0), DOS_DATE);   /* stored, time, date */
    p = put32(put32(put32(p, crc), size), size);
    (void)put16(put16(p, (unsigned)n_name), 0);   /* name, extra field */
}

tern_status tern__store_npz_write(FILE *f, const tern_store_array *arrays, size_t n)
{
    uint64_t directory = 0, at = 0;
    for (int round = 0; round < 2; ++round) { /* the files, then the directory */
        uint64_t offset = 0;
        if (round == 1) directory = at;
        for (size_t i = 0; i < n; ++i) {
            const tern_store_array *a = &arrays[i];
            uint8_t header[HEADER_BYTES], zip[ZIP_ENTRY] = { 0 };
            char name[TERN_STORE_NAME + 8];
            const size_t n_name = (size_t)snprintf(name, sizeof name, "%s.npy", a->name), n_header = npy_header(a, header);
            const uint32_t crc = items(a, (uint32_t)crc32(0, header, (uInt)n_header), NULL), size = (uint32_t)(n_header + a->n_items * a->bytes);
            (void)put32(zip, round == 0 ? 0x04034b50u : 0x02014b50u);
            if (round == 1) (void)put16(zip + 4, ZIP_VERSION);
            common(zip + (round == 0 ? 4 : 6), crc, size, n_name);
            if (round == 1) (void)put32(zip + 42, (uint32_t)offset);
            (void)fwrite(zip, 1, round == 0 ? ZIP_LOCAL : ZIP_ENTRY, f);
            (void)fwrite(name, 1, n_name, f);
            if (round == 0) (void)fwrite(header, 1, n_header, f), (void)items(a, 0, f);
            at += (round == 0 ? ZIP_LOCAL + size : ZIP_ENTRY) + (uint64_t)n_name;
            offset += ZIP_LOCAL + (uint64_t)size + n_name;
        }
    }
    if (n > UINT16_MAX - 1 || at > UINT32_MAX) return TERN_ERR_LIMIT;
    uint8_t end[22] = { 0 };
    (void)put32(end, 0x06054b50u);
    (void)put16(put16(end + 8, (unsigned)n), (unsigned)n);
    (void)put32(put32(end + 12, (uint32_t)(at - directory)), (uint32_t)directory);
    (void)fwrite(end, 1, sizeof end, f);
    return TERN_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static tern_status add_entry(void *ud, const tern__zip_entry *e)
{
    tern_store *s = ud;
    tern_store_array *a = tern__store_add(s);
    if (a == NULL) return s->n == TERN_STORE_ARRAYS ? TERN_ERR_LIMIT : TERN_ERR_MEMORY;
    snprintf(a->name, sizeof a->name, "%s", e->name);
    s->places[s->n - 1] = (tern__store_place){ .begin = e->begin, .size = e->size, .codec = e->codec };
    return TERN_OK;
}

tern_status tern__store_npz_list(tern_store *s, tern_diags *d)
{
    char why[200] = "";
    tern_status st = tern__zip_each(&s->base, s->arena->alloc, add_entry, s, why);
    if (st == TERN_ERR_LIMIT) snprintf(why, sizeof why, "holds more than %d arrays", TERN_STORE_ARRAYS);
    for (size_t i = 0; i < s->n && st == TERN_OK; ++i) {
        tern__source src = { 0 };
        tern__npy h;
        tern__store_place *p = &s->places[i];
        tern_store_array *a = &s->arrays[i];
        st = tern__source_open(&src, &s->base, p->begin, p->size, p->codec, s->arena->alloc);
        if (st == TERN_OK) st = tern__npy_header(&src, &h, why);
        tern__source_close(&src);
        if (st == TERN_ERR_MEMORY) return st;
        if (st != TERN_OK) {
            tern__store_error(s, d, TERN__STORE_READ, a->name, "%s", why);
            return st;
        }
        p->type = h.field[0].type;
        p->data_at = h.data_at;
        a->kind = h.n_fields != 0 ? 0 : p->type.kind == 'b' ? 'u' : p->type.kind;
        a->bytes = p->type.bytes;
        a->n_dims = (uint8_t)h.n_dims;
        memcpy(a->dims, h.dims, sizeof h.dims);
        a->n_items = h.n_items;
    }
    if (st != TERN_OK && st != TERN_ERR_MEMORY) tern__store_error(s, d, TERN__STORE_READ, NULL, "%s", why);
    return st;
}

static tern_status read_one(tern_store *s, const tern_store_want *want, tern_diags *d)
{
    const tern_store_array *a = &s->arrays[want->array];
    const tern__store_place *p = &s->places[want->array];
    tern__source src = { 0 };
    tern_status st = tern__source_open(&src, &s->base, p->begin, p->size, p->codec, s->arena->alloc);
    if (st == TERN_OK) tern__source_seek(&src, p->data_at);
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
    tern__source_close(&src);
    return st;
}

tern_status tern__store_npz_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d)
{
    tern_status st = TERN_OK;
    for (size_t i = 0; i < n && st == TERN_OK; ++i) st = read_one(s, &wants[i], d);
    return st;
}
