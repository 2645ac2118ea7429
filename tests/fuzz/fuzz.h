/* fuzz.h : what the fuzz targets share (docs/40-setup.md, "Fuzzing")
 * SPDX-License-Identifier: Apache-2.0
 *
 * A target is one function that takes any bytes. libFuzzer calls it with inputs that it makes; fuzz_main.c calls it
 * with files, so that any compiler can run the kept inputs. A broken promise ends the program.
 */
#ifndef FUZZ_H
#define FUZZ_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern/arena.h"
#include "tern/diag.h"

/* libFuzzer's interface. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

#define FUZZ_CHECK(cond) \
    do { \
        if (!(cond)) { \
            fprintf(stderr, "%s:%d: FAILED: %s\n", __FILE__, __LINE__, #cond); \
            abort(); \
        } \
    } while (0)

/* An allocator with a limit that counts what is alive. */
typedef struct fuzz_heap {
    int64_t alive;
    size_t bytes, peak_bytes, limit_bytes;
} fuzz_heap;

static inline void *fuzz_alloc(void *ud, void *ptr, size_t bytes)
{
    enum { BEFORE = 16 }; /* the block's size is kept in front of it */
    fuzz_heap *h = ud;
    size_t *old = ptr == NULL ? NULL : (size_t *)((char *)ptr - BEFORE);
    const size_t was = old == NULL ? 0 : *old;
    if (bytes == 0) {
        if (ptr != NULL) --h->alive;
        h->bytes -= was;
        free(old);
        return NULL;
    }
    if (bytes > h->limit_bytes || h->bytes - was > h->limit_bytes - bytes) return NULL;
    char *p = realloc(old, bytes + BEFORE);
    if (p == NULL) return NULL;
    *(size_t *)p = bytes;
    h->bytes = h->bytes - was + bytes;
    if (h->bytes > h->peak_bytes) h->peak_bytes = h->bytes;
    if (ptr == NULL) ++h->alive;
    return p + BEFORE;
}

/* A copy of exactly this size, so that a sanitizer sees a read past the end. free() it. */
static inline uint8_t *fuzz_exact(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    if (copy == NULL) abort();
    if (size != 0) memcpy(copy, data, size);
    return copy;
}

/* Takes bytes of an input one after the other; zeros after its end. */
typedef struct fuzz_bytes {
    const uint8_t *p;
    size_t n;
} fuzz_bytes;
static inline uint8_t fuzz_u8(fuzz_bytes *b)
{
    if (b->n == 0) return 0;
    --b->n;
    return *b->p++;
}
static inline uint32_t fuzz_u32(fuzz_bytes *b)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 4; ++i) v |= (uint32_t)fuzz_u8(b) << 8 * i;
    return v;
}

/* For interfaces that take names of files (fuzz_folder.c): between enter and leave the current folder is one of this
 * process, in memory if possible, removed at exit. fuzz_put() replaces a file. */
void fuzz_folder(void);
void fuzz_enter(void);
void fuzz_leave(void);
void fuzz_put(const char *name, const void *bytes, size_t size);

/* After an error there must be a word, and only then an error may be counted. */
static inline void fuzz_told(int status, const tern_diags *d)
{
    if (status == 0) FUZZ_CHECK(d->n_errors == 0);
    else if (d->n_errors == 0) fprintf(stderr, "status %d without a word\n", status), abort();
    for (size_t i = 0; i < d->n; ++i) {
        char text[TERN_DIAG_BYTES];
        const char *message = d->list[i].message;
        FUZZ_CHECK(d->list[i].code > 0 && message[strspn(message, " \t\r\n\v\f")] != 0);
        if (message[0] % 8 == 0) /* printing is most of the time */
            FUZZ_CHECK(tern_diag_format(&d->list[i], text, sizeof text) < sizeof text);
    }
}
#endif /* FUZZ_H */
