/* tern_opened.h : names that stand for a file which the caller has opened
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_OPENED_H
#define TERN_OPENED_H
#include <stdbool.h>
#include <string.h>

/* /dev/stdin, /dev/stdout, /dev/stderr, /dev/fd/N: neither locked nor replaced, whatever kind of file it is. A name
 * like /dev/shm/log is a file like any other. */
static inline bool tern_opened(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/dev/std", 8) == 0;
}
#endif /* TERN_OPENED_H */
