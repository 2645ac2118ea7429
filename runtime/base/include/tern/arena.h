/* arena.h : all memory of one object, freed at once
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiler and loaders take their memory from an arena, so a failing allocation at any point leaves nothing behind:
 * the caller frees the arena. Not used in the step (engines work on memory given by the caller).
 *
 * Threads: an arena is used by one thread at a time; different arenas by different threads at once, if their
 * allocators may be (that of the C library may).
 */
#ifndef TERN_ARENA_H
#define TERN_ARENA_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Allocator: like realloc. `ptr` NULL: allocate; `bytes` 0: free `ptr`, return NULL. NULL = refused. */
typedef struct tern_alloc {
    void *(*fn)(void *ud, void *ptr, size_t bytes);
    void *ud;
} tern_alloc;

/* The C library's allocator. */
tern_alloc tern_alloc_default(void);

typedef struct tern_arena {
    tern_alloc alloc;
    struct tern_arena_chunk *chunks; /* newest first */
    size_t limit_bytes;              /* 0: no limit  */
    size_t used_bytes;
} tern_arena;

/* An empty arena. limit_bytes: for all allocations from it, 0: none. Nothing is allocated yet. */
void tern_arena_init(tern_arena *a, tern_alloc alloc, size_t limit_bytes);
/* Zeroed memory, aligned to 16 bytes; NULL when refused. `count * size` is checked for overflow; 0 bytes give a valid
 * pointer. */
void *tern_arena_get(tern_arena *a, size_t count, size_t size);
/* Copy of a string; NULL when refused. */
char *tern_arena_strdup(tern_arena *a, const char *s);
/* Gives everything back; the arena is empty then and may be used again. */
void tern_arena_free(tern_arena *a);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ARENA_H */
