/* lock.h : one job at a time writes an output
 * SPDX-License-Identifier: Apache-2.0
 *
 * While a job writes OUT there is a file OUT.lock next to it with an advisory lock (flock) and the number of its
 * process. The kernel releases the lock when the process ends, however it ends, so a lock is never stale: a file that
 * is left by a killed process is taken over. OUT itself may be replaced by a rename meanwhile. Readers are not locked
 * out.
 *
 * Where the file system has no locks (some network file systems), or grants them on each machine alone (NFS without its
 * lock service), jobs are not protected from each other.
 *
 * Threads: a lock is used by one thread at a time. Two threads exclude each other as two processes do.
 */
#ifndef TERN_LOCK_H
#define TERN_LOCK_H
#include <stdbool.h>
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_lock {
    int fd;          /* -1: nothing is locked */
    char path[1100]; /* of the lock file */
} tern_lock;

#define TERN_LOCK_NONE \
    { \
        .fd = -1 \
    }

/* Takes the lock of `path`, a file or folder that may not exist yet; of a symbolic link, of what it leads to. Devices
 * and pipes are not locked, nor names in missing folders (fd -1, TERN_OK). TERN_ERR_IO and code 129 if
 * another process has it, with its number; code 302 if there can be no lock file, or one of this name holds something
 * else than a process number: that file stays as it is. `option` names the argument that gave the path. */
tern_status tern_lock_take(tern_lock *l, const char *path, const char *option, tern_diags *diags);
/* Removes the lock file. No effect without a lock. */
void tern_lock_drop(tern_lock *l);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOCK_H */
