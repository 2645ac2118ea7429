/* tern_store_take.c : items of a store: what one holds, and how an array is read
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_store_internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tern/file.h"

tern_diag *tern__store_error(const tern_store *s, tern_diags *d, int code, const char *array, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(d, TERN_SEV_ERROR, code, s->path, 0, array, "%s", text);
}

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
