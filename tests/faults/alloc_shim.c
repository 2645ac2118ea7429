/* alloc_shim.c : lets one allocation of a program fail, and counts them; for LD_PRELOAD
 * SPDX-License-Identifier: Apache-2.0
 *
 *     TERN_FAIL_AT=N       allocation N (from 1) gives no memory, or with TERN_FAIL_FROM=1 every one from there on
 *     TERN_FAIL_COUNT=PATH how many there were is written to this file at the end
 *
 * Programs that this one starts are left alone: Tern's own verbs are disturbed by themselves.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* The library's own, under the names that glibc keeps for this. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);

static atomic_ulong made;
static unsigned long fail_at;
static int from_there_on, is_ready;

static void get_ready(void)
{
    const char *at = getenv("TERN_FAIL_AT"); /* getenv allocates nothing */
    is_ready = 1;
    fail_at = at == NULL ? 0 : strtoul(at, NULL, 10);
    from_there_on = getenv("TERN_FAIL_FROM") != NULL;
}

static int fails(void)
{
    if (!is_ready) get_ready();
    const unsigned long n = atomic_fetch_add(&made, 1) + 1;
    if (fail_at == 0 || (from_there_on ? n < fail_at : n != fail_at)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return fails() ? NULL : __libc_calloc(n, bytes); }
void *realloc(void *p, size_t bytes) { return bytes != 0 && fails() ? NULL : __libc_realloc(p, bytes); }

__attribute__((constructor)) static void alone(void) { unsetenv("LD_PRELOAD"); }

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("TERN_FAIL_COUNT");
    char text[24];
    size_t n = sizeof text;
    unsigned long x = made;
    if (path == NULL) return;
    text[--n] = '\n';
    do text[--n] = (char)('0' + x % 10);
    while ((x /= 10) != 0);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return;
    if (write(fd, text + n, sizeof text - n) < 0) n = 0;
    close(fd);
}
