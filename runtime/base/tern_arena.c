/* tern_arena.c : see arena.h. Chunks grow from 64 KiB; a large request gets a chunk of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/arena.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 65536, ALIGN = 16 };

typedef struct tern_arena_chunk {
    struct tern_arena_chunk *next;
    size_t size, used; /* bytes of payload behind the header */
    _Alignas(16) unsigned char data[];
} tern_arena_chunk;

static void *default_fn(void *ud, void *ptr, size_t bytes)
{
    (void)ud;
    if (bytes == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, bytes);
}

tern_alloc tern_alloc_default(void) { return (tern_alloc){ default_fn, NULL }; }

void tern_arena_init(tern_arena *a, tern_alloc alloc, size_t limit_bytes)
{
    *a = (tern_arena){ .alloc = alloc, .limit_bytes = limit_bytes };
}

void *tern_arena_get(tern_arena *a, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - CHUNK_BYTES) / size) return NULL;
    const size_t bytes = (count * size + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
    tern_arena_chunk *c = a->chunks;
    if (c == NULL || c->size - c->used < bytes) {
        const size_t payload = bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES;
        if (a->limit_bytes != 0 &&
            payload > a->limit_bytes - (a->used_bytes < a->limit_bytes ? a->used_bytes : a->limit_bytes))
            return NULL;
        c = a->alloc.fn(a->alloc.ud, NULL, sizeof *c + payload);
        if (c == NULL) return NULL;
        c->size = payload;
        c->used = 0;
        a->used_bytes += payload;
        /* a chunk that is full from the start goes behind the one still in use */
        if (bytes == payload && a->chunks != NULL) {
            c->next = a->chunks->next;
            a->chunks->next = c;
        } else {
            c->next = a->chunks;
            a->chunks = c;
        }
    }
    void *p = c->data + c->used;
    c->used += bytes;
    memset(p, 0, bytes);
    return p;
}

char *tern_arena_strdup(tern_arena *a, const char *s)
{
    const size_t n = strlen(s) + 1;
    char *p = tern_arena_get(a, n, 1);
    if (p != NULL) memcpy(p, s, n);
    return p;
}

void tern_arena_free(tern_arena *a)
{
    while (a->chunks != NULL) {
        tern_arena_chunk *c = a->chunks;
        a->chunks = c->next;
        a->alloc.fn(a->alloc.ud, c, 0);
    }
    a->used_bytes = 0;
}
