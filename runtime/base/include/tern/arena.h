/* arena.h : all memory of one object, freed at once
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiler and loaders take their memory from an arena, so a failing allocation at any point leaves nothing behind:
 * the caller frees the arena. Not used in the step (engines work on memory given by the caller).
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

void  tern_arena_init(tern_arena *a, tern_alloc alloc, size_t limit_bytes);
/* Zeroed memory, aligned to 16 bytes; NULL when refused. `count * size` is checked for overflow; 0 bytes give a valid pointer. */
void *tern_arena_get(tern_arena *a, size_t count, size_t size);
/* Copy of a string; NULL when refused. */
char *tern_arena_strdup(tern_arena *a, const char *s);
void  tern_arena_free(tern_arena *a);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ARENA_H */
