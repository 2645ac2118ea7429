/* data_fixture.h : what the tests of recordings share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DATA_FIXTURE_H
#define DATA_FIXTURE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/data.h"
#include "tern/simulate.h"
#include "tern_check.h"

#define HEADER "#!AER-DAT2.0\r\n# a comment\r\n"

/* Whole file in memory of exactly its size, so that a sanitizer sees any read past the end; NULL if it cannot be read. */
static inline uint8_t *fixture_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *b = malloc(*size);
    if (b == NULL || fread(b, 1, *size, f) != *size) exit(1);
    fclose(f);
    return b;
}

static inline void fixture_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        printf("cannot write %s\n", path);
        exit(1);
    }
}

/* A path inside the folder of real recordings; ends the test with 77 (skipped) when none was given. */
static inline const char *fixture_real(const char *name)
{
    static char path[4096];
    const char *dir = getenv("TERN_TEST_DATA");
    if (dir == NULL || dir[0] == 0) {
        printf("SKIP: needs real recordings: set TERN_TEST_DATA (environment or cmake -DTERN_TEST_DATA=) to the folder that holds mnist-dvs/\n");
        exit(77);
    }
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static inline bool fixture_has(const tern_diags *d, int code, tern_severity sev)
{
    for (size_t i = 0; i < d->n; ++i)
        if (d->list[i].code == code && d->list[i].severity == sev) return true;
    return false;
}

/* Allocator that refuses request number `fail_at` (from 1; 0: none) and all later ones, fills memory with junk, and counts what is alive. */
typedef struct fixture_heap { uint64_t n, fail_at; int64_t alive; } fixture_heap;

static inline void *fixture_alloc(void *ud, void *ptr, size_t bytes)
{
    fixture_heap *h = ud;
    if (bytes == 0) {
        if (ptr != NULL) --h->alive;
        free(ptr);
        return NULL;
    }
    if (h->fail_at != 0 && ++h->n >= h->fail_at) return NULL;
    if (h->fail_at == 0) ++h->n;
    void *p = realloc(ptr, bytes);
    if (p == NULL) exit(1);
    if (ptr == NULL) {
        ++h->alive;
        memset(p, 0xa5, bytes);
    }
    return p;
}
#endif /* DATA_FIXTURE_H */
