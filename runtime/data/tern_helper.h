/* tern_helper.h : a helper process in which a library reads a file that may be damaged (inside runtime/ only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * libhdf5 may crash, loop or take gigabytes when a file is damaged. So it runs in a process of its own with a memory
 * limit, and what it reads comes through a pipe; when the helper dies or falls silent, that is an error like any
 * other.
 */
#ifndef TERN_HELPER_H
#define TERN_HELPER_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "tern/status.h"

typedef struct tern__helper {
    pid_t pid;
    int fd;
} tern__helper; /* pid 0: none */

enum { TERN__HELPER_PATIENCE_MS = 10000 };

/* Starts `work` in a helper that may take `more_bytes` more memory than there is now; it writes to the pipe and
 * returns. */
tern_status tern__helper_start(tern__helper *h, void (*work)(const void *job, int fd), const void *job,
                               size_t more_bytes);
/* Ends the helper, if there is one. `wait`: it has closed the pipe and ends by itself. Its status as of waitpid(); 0:
 * unknown. */
int tern__helper_end(tern__helper *h, bool wait);
/* n bytes from the helper; false: it ended or (*silent) said nothing for TERN__HELPER_PATIENCE_MS. */
bool tern__helper_receive(tern__helper *h, void *to, size_t n, bool *silent);
/* In the helper: writes all, or ends the process if the reader went away. */
void tern__helper_send(int fd, const void *bytes, size_t n);

#endif /* TERN_HELPER_H */
