/* tern_npy.c : headers and numbers of NumPy's array files; the directory of a zip file (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A .npy file: 0x93 "NUMPY", version (2 bytes), length of the header (2 bytes, from version 2 on 4), the header: a
 * Python dictionary with 'descr', 'fortran_order' and 'shape'; then the items.
 */
#include "tern_npy.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_HEADER = 65536 };

/* ---- header ---- */

typedef struct scan {
    const char *p, *end;
} scan;

static void blanks(scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t')) ++s->p;
}

static bool take(scan *s, char c)
{
    blanks(s);
    if (s->p == s->end || *s->p != c) return false;
    ++s->p;
    return true;
}

/* A text in quotes, without escapes, cut to fit. */
static bool text(scan *s, char *out, size_t room)
{
    blanks(s);
    if (s->p == s->end || (*s->p != '\'' && *s->p != '"')) return false;
    const char quote = *s->p++;
    size_t n = 0;
    while (s->p < s->end && *s->p != quote) {
        if (n + 1 < room) out[n++] = *s->p;
        ++s->p;
    }
    out[n] = 0;
    return take(s, quote);
}

static bool word(scan *s, const char *w)
{
    blanks(s);
    const size_t n = strlen(w);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, w, n) != 0) return false;
    s->p += n;
    return true;
}

static bool tuple(scan *s, tern__npy *h)
{
    if (!take(s, '(')) return false;
    h->n_dims = 0;
    while (!take(s, ')')) {
        size_t used;
        blanks(s);
        if (h->n_dims == TERN__NPY_DIMS ||
            !tern__digits((const uint8_t *)s->p, (size_t)(s->end - s->p), &h->dims[h->n_dims], &used))
            return false;
        s->p += used;
        ++h->n_dims;
        (void)word(s, "L"); /* Python 2 */
        if (!take(s, ',') && (s->p == s->end || *s->p != ')')) return false;
    }
    return true;
}

/* '<i8', '|b1', ...; *bytes of an item. */
static bool type_of(const char *t, tern__npy_type *out, uint32_t *bytes)
{
    const bool big = *t == '>';
    if (*t == '<' || *t == '>' || *t == '|' || *t == '=') ++t;
    if (*t == 0) return false;
    const char kind = *t++;
    uint64_t n;
    size_t used;
    if (!tern__digits((const uint8_t *)t, strlen(t), &n, &used) || t[used] != 0 || n > 65536) return false;
    *out = (tern__npy_type){ .swap = big };
    *bytes = (uint32_t)(kind == 'U' ? 4 * n : n);
    const bool whole = (kind == 'i' || kind == 'u') && (n == 1 || n == 2 || n == 4 || n == 8),
               real = kind == 'f' && (n == 2 || n == 4 || n == 8), truth = kind == 'b' && n == 1;
    if (whole || real || truth) {
        out->kind = kind;
        out->bytes = (uint8_t)n;
    }
    return whole || real || truth || kind == 'V' || kind == 'S' || kind == 'U' || kind == 'f' || kind == 'c' ||
           kind == 'm' || kind == 'M'; /* the others are skipped */
}

static bool descr(scan *s, tern__npy *h)
{
    char t[32];
    if (!take(s, '[')) {
        if (!text(s, t, sizeof t)) return false;
        return type_of(t, &h->field[0].type, &h->item_bytes);
    }
    h->item_bytes = 0;
    while (!take(s, ']')) {
        uint32_t bytes;
        if (h->n_fields == TERN__NPY_FIELDS || !take(s, '(') ||
            !text(s, h->field[h->n_fields].name, sizeof h->field[0].name) || !take(s, ',') || !text(s, t, sizeof t) ||
            !type_of(t, &h->field[h->n_fields].type, &bytes) || !take(s, ')'))
            return false;
        h->field[h->n_fields++].at = h->item_bytes;
        h->item_bytes += bytes;
        (void)take(s, ',');
    }
    return h->n_fields != 0;
}

static bool dictionary(scan *s, tern__npy *h, bool *fortran)
{
    char key[32];
    unsigned seen = 0;
    if (!take(s, '{')) return false;
    while (!take(s, '}')) {
        if (!text(s, key, sizeof key) || !take(s, ':')) return false;
        if (strcmp(key, "descr") == 0) {
            if (!descr(s, h)) return false;
            seen |= 1;
        } else if (strcmp(key, "shape") == 0) {
            if (!tuple(s, h)) return false;
            seen |= 2;
        } else if (strcmp(key, "fortran_order") == 0) {
            *fortran = word(s, "True");
            if (!*fortran && !word(s, "False")) return false;
            seen |= 4;
        } else {
            return false;
        }
        if (!take(s, ',') && (s->p == s->end || *s->p != '}')) return false;
    }
    return seen == 7;
}

tern_status tern__npy_header(tern__source *src, tern__npy *h, char why[200])
{
    *h = (tern__npy){ 0 };
    const uint8_t *p;
    size_t have = tern__source_peek(src, 12, &p);
    if (have < 12 || memcmp(p, "\x93NUMPY", 6) != 0) {
        snprintf(why, 200,
                 have < 12 ? "the file ends within the header of an array" : "does not begin with NumPy's signature");
        return have < 12 ? TERN_ERR_TRUNCATED : TERN_ERR_FORMAT;
    }
    if (p[6] < 1 || p[6] > 3) {
        snprintf(why, 200, "version %u.%u of NumPy's format is not read; 1.0 to 3.0 are", p[6], p[7]);
        return TERN_ERR_FORMAT;
    }
    const size_t before = p[6] == 1 ? 10 : 12, length = p[6] == 1 ? tern__le16(p + 8) : tern__le32(p + 8);
    if (length > MAX_HEADER) {
        snprintf(why, 200, "the header of an array has %zu bytes, at most %d are read", length, MAX_HEADER);
        return TERN_ERR_FORMAT;
    }
    have = tern__source_peek(src, before + length, &p);
    if (have < before + length) {
        snprintf(why, 200, "the file ends within the header of an array");
        return TERN_ERR_TRUNCATED;
    }
    if (tern__find(p + before, length, "'|O'") != NULL || tern__find(p + before, length, "'O'") != NULL) {
        snprintf(why, 200,
                 "holds pickled Python objects (dtype O), which are never read: they could run code; save plain arrays "
                 "of numbers");
        return TERN_ERR_FORMAT;
    }
    scan s = { (const char *)p + before, (const char *)p + before + length };
    bool fortran = false;
    if (!dictionary(&s, h, &fortran) || h->item_bytes == 0) {
        char shown[80];
        tern__copy_text(shown, sizeof shown, p + before, length);
        snprintf(why, 200, "the array's header is not understood: %s", shown);
        return TERN_ERR_FORMAT;
    }
    if (fortran && h->n_dims > 1) {
        snprintf(why, 200, "an array in Fortran's order is not read; save numpy.ascontiguousarray(a)");
        return TERN_ERR_FORMAT;
    }
    h->n_items = 1;
    for (uint32_t i = 0; i < h->n_dims; ++i) {
        if (h->dims[i] != 0 && h->n_items > ((uint64_t)1 << 56) / h->dims[i] / h->item_bytes) {
            snprintf(why, 200, "the array's shape is larger than any file");
            return TERN_ERR_FORMAT;
        }
        h->n_items *= h->dims[i];
    }
    tern__source_take(src, before + length);
    h->data_at = tern__source_pos(src);
    return TERN_OK;
}

/* ---- numbers ---- */

int tern__npy_find(const tern__npy *h, const char *const *names)
{
    for (; *names != NULL; ++names)
        for (uint32_t i = 0; i < h->n_fields; ++i)
            if (strcmp(h->field[i].name, *names) == 0 && h->field[i].type.kind != 0) return (int)i;
    return -1;
}

/* A real of 16 bits: sign, 5 bits of exponent (15: 1), 10 bits of fraction. */
static double half(uint16_t v)
{
    const int exponent = v >> 10 & 31;
    const double fraction = v & 1023;
    const double x = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                     : exponent == 0 ? ldexp(fraction, -24)
                                     : ldexp(fraction + 1024, exponent - 25);
    return (v & 0x8000) != 0 ? -x : x;
}

/* Bits of an item. */
static uint64_t bits_of(const uint8_t *item, tern__npy_type type)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < type.bytes; ++i) v |= (uint64_t)item[type.swap ? type.bytes - 1u - i : i] << (8 * i);
    return v;
}

static double real_of(uint64_t v, unsigned bytes)
{
    double x;
    float f;
    const uint32_t low = (uint32_t)v;
    if (bytes == 2) return half((uint16_t)v);
    if (bytes == 8) return memcpy(&x, &v, sizeof x), x;
    memcpy(&f, &low, sizeof f);
    return (double)f;
}

static int64_t signed_of(uint64_t v, unsigned bytes)
{
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    return (int64_t)((v ^ sign) - sign);
}

bool tern__npy_real(const uint8_t *item, tern__npy_type type, double *out)
{
    const uint64_t v = bits_of(item, type);
    switch (type.kind) {
    case 'b':
    case 'u': *out = (double)v; return true;
    case 'i': *out = (double)signed_of(v, type.bytes); return true;
    case 'f': *out = real_of(v, type.bytes); return isfinite(*out);
    default: return false;
    }
}

bool tern__npy_integer(const uint8_t *item, tern__npy_type type, double scale, int64_t *out)
{
    const uint64_t v = bits_of(item, type);
    switch (type.kind) {
    case 'b':
    case 'u': *out = (int64_t)v; return v <= INT64_MAX;
    case 'i': *out = signed_of(v, type.bytes); return true;
    case 'f': {
        const double x = real_of(v, type.bytes) * scale;
        if (!(x > -4.6e18 && x < 4.6e18)) return false;
        *out = (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
        return true;
    }
    default: return false;
    }
}

bool tern__npy_whole(const uint8_t *item, tern__npy_type type, int64_t *out)
{
    if (!tern__npy_integer(item, type, 1.0, out)) return false;
    return type.kind != 'f' || real_of(bits_of(item, type), type.bytes) == (double)*out;
}

bool tern__npy_label(const uint8_t *item, tern__npy_type type, int32_t *out)
{
    int64_t v;
    if (type.kind == 'f' && isnan(real_of(bits_of(item, type), type.bytes))) {
        *out = -1;
        return true;
    }
    if (!tern__npy_whole(item, type, &v) || v < -1 || v > 65535) return false;
    *out = (int32_t)v;
    return true;
}

/* ---- zip ---- */

enum { END_BYTES = 22, LOCATOR_BYTES = 20, END64_BYTES = 56, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MAX_COMMENT = 65535 };

/* Sizes and place of an entry from its extra field, where the 32-bit fields are full. */
static bool zip64_extra(const uint8_t *p, size_t n, uint64_t *plain, uint64_t *packed, uint64_t *at)
{
    while (n >= 4) {
        const size_t id = tern__le16(p), len = tern__le16(p + 2);
        if (len > n - 4) return false;
        if (id == 1) {
            const uint8_t *q = p + 4, *end = q + len;
            uint64_t *const want[3] = { plain, packed, at };
            for (int i = 0; i < 3; ++i) {
                if (*want[i] != UINT32_MAX) continue;
                if (end - q < 8) return false;
                *want[i] = tern__le64(q);
                q += 8;
            }
            return true;
        }
        p += 4 + len;
        n -= 4 + len;
    }
    return true;
}

/* Finds the directory: where it lies and how many entries it has. */
static bool find_directory(const tern__base *b, tern__source *src, uint64_t *at, uint64_t *size, uint64_t *n)
{
    const uint64_t look = b->size < END_BYTES + MAX_COMMENT ? b->size : END_BYTES + MAX_COMMENT;
    const uint8_t *p;
    if (b->size < END_BYTES) return false;
    tern__source_seek(src, b->size - look);
    const size_t have = tern__source_peek(src, (size_t)look, &p);
    if (have < look) return false;
    for (size_t i = (size_t)look - END_BYTES + 1; i-- > 0;) {
        if (memcmp(p + i, "PK\5\6", 4) != 0 || tern__le16(p + i + 20) != look - END_BYTES - i) continue;
        *n = tern__le16(p + i + 10);
        *size = tern__le32(p + i + 12);
        *at = tern__le32(p + i + 16);
        const uint64_t end_at = b->size - look + i;
        if (*n != 65535 && *size != UINT32_MAX && *at != UINT32_MAX) return true;
        uint8_t loc[LOCATOR_BYTES], end64[END64_BYTES];
        if (end_at < LOCATOR_BYTES || !tern__base_get(b, end_at - LOCATOR_BYTES, loc, sizeof loc) ||
            memcmp(loc, "PK\6\7", 4) != 0)
            return true;
        if (!tern__base_get(b, tern__le64(loc + 8), end64, sizeof end64) || memcmp(end64, "PK\6\6", 4) != 0)
            return false;
        *n = tern__le64(end64 + 32);
        *size = tern__le64(end64 + 40);
        *at = tern__le64(end64 + 48);
        return true;
    }
    return false;
}

static tern_status entry(const tern__base *base, const uint8_t *e, const uint8_t *name, size_t n_name,
                         tern__zip_entry *out, char why[200])
{
    uint64_t packed = tern__le32(e + 20), plain = tern__le32(e + 24), at = tern__le32(e + 42);
    uint8_t local[LOCAL_BYTES];
    const unsigned method = tern__le16(e + 10), flags = tern__le16(e + 8);
    const size_t n = n_name - 4 < sizeof out->name ? n_name - 4 : sizeof out->name - 1;
    memcpy(out->name, name, n);
    out->name[n] = 0;
    if (!zip64_extra(name + n_name, tern__le16(e + 30), &plain, &packed, &at) ||
        !tern__base_get(base, at, local, sizeof local) || memcmp(local, "PK\3\4", 4) != 0) {
        snprintf(why, 200, "the directory says that '%.40s' lies at byte %llu, where nothing is", out->name,
                 (unsigned long long)at);
        return TERN_ERR_FORMAT;
    }
    if ((flags & 1u) != 0 || (method != 0 && method != 8)) {
        snprintf(why, 200, "'%.40s' is %s, which is not read", out->name,
                 (flags & 1u) != 0 ? "encrypted" : "compressed with another method than deflate");
        return TERN_ERR_FORMAT;
    }
    out->begin = at + LOCAL_BYTES + tern__le16(local + 26) + tern__le16(local + 28);
    out->size = packed;
    out->codec = method == 8 ? TERN__DEFLATE : TERN__PLAIN;
    out->plain = method == 8 ? plain : packed;
    out->crc = tern__le32(e + 16);
    if (out->begin > base->size || packed > base->size - out->begin) {
        snprintf(why, 200, "'%.40s' would need %llu bytes at byte %llu, the file has %llu", out->name,
                 (unsigned long long)packed, (unsigned long long)out->begin, (unsigned long long)base->size);
        return TERN_ERR_TRUNCATED;
    }
    return TERN_OK;
}

/* Is an entry's name the same where it lies? A changed one would take an array away without a word. */
static bool same_name(const tern__base *base, const uint8_t *e, const uint8_t *name, size_t n_name)
{
    uint64_t packed = tern__le32(e + 20), plain = tern__le32(e + 24), at = tern__le32(e + 42);
    uint8_t local[LOCAL_BYTES], again[64];
    if (!zip64_extra(name + n_name, tern__le16(e + 30), &plain, &packed, &at) ||
        !tern__base_get(base, at, local, sizeof local) || tern__le16(local + 26) != n_name)
        return false;
    for (size_t i = 0; i < n_name; i += sizeof again) {
        const size_t n = n_name - i < sizeof again ? n_name - i : sizeof again;
        if (!tern__base_get(base, at + LOCAL_BYTES + i, again, n) || memcmp(again, name + i, n) != 0) return false;
    }
    return true;
}

static bool ends_in_npy(const uint8_t *name, size_t n) { return n > 4 && memcmp(name + n - 4, ".npy", 4) == 0; }

tern_status tern__zip_each(const tern__base *base, tern_alloc alloc,
                           tern_status (*each)(void *ud, const tern__zip_entry *e), void *ud, char why[200])
{
    tern__source src = { 0 };
    uint64_t at, size, entries;
    tern_status st = tern__source_open(&src, base, 0, base->size, TERN__PLAIN, alloc);
    if (st != TERN_OK) return st;
    if (!find_directory(base, &src, &at, &size, &entries) || at > base->size || size > base->size - at) {
        snprintf(why, 200, "the zip file has no directory at its end: it was cut off, or was still being written");
        tern__source_close(&src);
        return TERN_ERR_TRUNCATED;
    }
    tern__source_seek(&src, at);
    while (st == TERN_OK && entries-- != 0) {
        const uint8_t *e;
        size_t have = tern__source_peek(&src, ENTRY_BYTES, &e);
        const size_t n_name = have < ENTRY_BYTES ? 0 : tern__le16(e + 28),
                     all = have < ENTRY_BYTES ? ENTRY_BYTES
                                              : ENTRY_BYTES + n_name + tern__le16(e + 30) + tern__le16(e + 32);
        have = tern__source_peek(&src, all, &e);
        if (have < all || memcmp(e, "PK\1\2", 4) != 0) {
            snprintf(why, 200, "the zip file's directory is damaged");
            st = TERN_ERR_FORMAT;
        } else {
            const uint8_t *name = e + ENTRY_BYTES;
            tern__zip_entry found = { 0 };
            if (ends_in_npy(name, n_name)) {
                st = entry(base, e, name, n_name, &found, why);
                if (st == TERN_OK) st = each(ud, &found);
            }
            if (st == TERN_OK && !same_name(base, e, name, n_name)) {
                char shown[80];
                tern__copy_text(shown, sizeof shown, name, n_name);
                snprintf(why, 200, "'%.40s' has another name where it lies than in the directory", shown);
                st = TERN_ERR_FORMAT;
            }
            tern__source_take(&src, all);
        }
    }
    tern__source_close(&src);
    return st;
}

tern_status tern__zip_open(tern__source *s, const tern__base *base, const tern__zip_entry *e, tern_alloc alloc)
{
    const tern_status st = tern__source_open(s, base, e->begin, e->size, e->codec, alloc);
    if (st == TERN_OK) tern__source_expect(s, e->crc);
    return st;
}

tern_status tern__zip_array_ends(const tern__zip_entry *e, const tern__npy *h, char why[200])
{
    const uint64_t end = h->data_at + h->n_items * h->item_bytes;
    if (e->plain <= end) return TERN_OK;
    snprintf(why, 200, "%llu bytes follow the array in its member of the zip file",
             (unsigned long long)(e->plain - end));
    return TERN_ERR_FORMAT;
}

tern_status tern__npy_ends(tern__source *s, char why[200])
{
    const uint8_t *p;
    const bool more = tern__source_peek(s, 1, &p) != 0;
    if (s->status == TERN_ERR_MEMORY) return s->status;
    if (s->changed) snprintf(why, 200, "the check sum is not that of the bytes: they were changed or damaged");
    else if (s->status == TERN_ERR_TRUNCATED) snprintf(why, 200, "the compressed content ends too early");
    else if (s->status != TERN_OK) snprintf(why, 200, "the content cannot be read to its end: it is damaged");
    else if (more) snprintf(why, 200, "bytes follow the array");
    return s->status != TERN_OK ? s->status : more ? TERN_ERR_FORMAT : TERN_OK;
}

tern_status tern__zip_check(const tern__base *base, const tern__zip_entry *e, tern_alloc alloc, char why[200])
{
    tern__source s = { 0 };
    tern_status st = tern__zip_open(&s, base, e, alloc);
    if (st != TERN_OK) return st;
    const uint8_t *p;
    for (size_t n; (n = tern__source_peek(&s, 1, &p)) != 0;) tern__source_take(&s, n);
    st = tern__npy_ends(&s, why);
    tern__source_close(&s);
    return st;
}

bool tern__zip_twice(const tern__zip_entry *a, const tern__zip_entry *b, char why[200])
{
    if (strcmp(a->name, b->name) != 0) return false;
    snprintf(why, 200, "the zip file holds '%.40s' twice: which one is meant?", a->name);
    return true;
}

typedef struct zip_list {
    tern__zip_entry *out;
    size_t *n;
    char *why;
} zip_list;

static tern_status add_to_list(void *ud, const tern__zip_entry *e)
{
    zip_list *l = ud;
    if (*l->n == TERN__ZIP_ENTRIES) {
        snprintf(l->why, 200, "the zip file holds more than %d arrays", TERN__ZIP_ENTRIES);
        return TERN_ERR_LIMIT;
    }
    for (size_t i = 0; i < *l->n; ++i)
        if (tern__zip_twice(&l->out[i], e, l->why)) return TERN_ERR_FORMAT;
    l->out[(*l->n)++] = *e;
    return TERN_OK;
}

tern_status tern__zip_directory(const tern__base *base, tern_alloc alloc, tern__zip_entry out[TERN__ZIP_ENTRIES],
                                size_t *n, char why[200])
{
    zip_list l = { out, n, why };
    *n = 0;
    return tern__zip_each(base, alloc, add_to_list, &l, why);
}
