/* data_fixture.h : what the tests of recordings share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DATA_FIXTURE_H
#define DATA_FIXTURE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/data.h"
#include "tern/simulate.h"
#include "tern_check.h"

#define HEADER "#!AER-DAT2.0\r\n# a comment\r\n"

/* Whole file in memory of exactly its size, so that a sanitizer sees any read past the end; NULL if it cannot be
 * read. */
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

/* The folder of real recordings: the environment variable TERN_SHARED_DATA or TERN_TEST_DATA, or shared/data beside the
 * source tree. Without one the test ends: with 77 (skipped), and with 1 (failed) in continuous integration, where CI is
 * set. */
static inline const char *fixture_real_folder(void)
{
    const char *dir = getenv("TERN_SHARED_DATA");
    if (dir == NULL || dir[0] == 0) dir = getenv("TERN_TEST_DATA");
    if (dir != NULL && dir[0] != 0) return dir;
#ifdef TERN_SHARED_DATA_DEFAULT
    struct stat st;
    if (stat(TERN_SHARED_DATA_DEFAULT, &st) == 0) return TERN_SHARED_DATA_DEFAULT;
#endif
    const char *ci = getenv("CI");
    const int required = ci != NULL && ci[0] != 0;
    printf("%s: needs real recordings: set TERN_SHARED_DATA or TERN_TEST_DATA (environment, or cmake "
           "-DTERN_TEST_DATA=) to the folder that holds mnist-dvs/, nmnist/, ...\n",
           required ? "FAILED" : "SKIP");
    exit(required ? 1 : 77);
}

/* A path inside it. */
static inline const char *fixture_real(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", fixture_real_folder(), name);
    return path;
}

static inline bool fixture_has(const tern_diags *d, int code, tern_severity sev)
{
    for (size_t i = 0; i < d->n; ++i)
        if (d->list[i].code == code && d->list[i].severity == sev) return true;
    return false;
}

/* Allocator that refuses request number `fail_at` (from 1; 0: none) and all later ones, and what would pass
 * `limit_bytes` (0: no limit), fills memory with junk, and counts what is alive. */
typedef struct fixture_heap {
    uint64_t n, fail_at;
    int64_t alive;
    size_t bytes, peak_bytes, limit_bytes;
} fixture_heap;

static inline void *fixture_alloc(void *ud, void *ptr, size_t bytes)
{
    enum { BEFORE = 16 }; /* the block's size is kept in front of it */
    fixture_heap *h = ud;
    size_t *old = ptr == NULL ? NULL : (size_t *)((char *)ptr - BEFORE);
    const size_t was = old == NULL ? 0 : *old;
    if (bytes == 0) {
        if (ptr != NULL) --h->alive;
        h->bytes -= was;
        free(old);
        return NULL;
    }
    if (h->fail_at != 0 && ++h->n >= h->fail_at) return NULL;
    if (h->fail_at == 0) ++h->n;
    if (h->limit_bytes != 0 && h->bytes - was + bytes > h->limit_bytes) return NULL;
    char *p = realloc(old, bytes + BEFORE);
    if (p == NULL) exit(1);
    *(size_t *)p = bytes;
    h->bytes += bytes - was;
    if (h->bytes > h->peak_bytes) h->peak_bytes = h->bytes;
    if (ptr == NULL) {
        ++h->alive;
        memset(p + BEFORE, 0xa5, bytes);
    }
    return p + BEFORE;
}
#endif /* DATA_FIXTURE_H */
