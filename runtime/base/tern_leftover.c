/* tern_leftover.c : see tern_leftover.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* nftw, renameat2 */
#include "tern_leftover.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include "tern/file.h"

void tern_left_folders(const char *dir, void (*found)(void *ud, const char *path, const char *rest), void *ud)
{
    char above[PATH_MAX], path[PATH_MAX + 300];
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/') --n;
    size_t at = n;
    while (at > 0 && dir[at - 1] != '/') --at;
    if (n >= sizeof above) return;
    snprintf(above, sizeof above, "%.*s", at == 0 ? 1 : (int)at, at == 0 ? "." : dir);
    DIR *d = opendir(above);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const char *rest = e->d_name + (n - at);
        char *end = NULL;
        if (strncmp(e->d_name, dir + at, n - at) != 0 || strncmp(rest, ".tmp-", 5) != 0) continue;
        const long maker = strtol(rest + 5, &end, 10);
        if (maker <= 0 || (*end != 0 && strcmp(end, ".old") != 0)) continue;
        if (kill((pid_t)maker, 0) == 0 || errno != ESRCH) continue;
        snprintf(path, sizeof path, "%.*s%.255s", (int)at, dir, e->d_name);
        found(ud, path, end);
    }
    if (d != NULL) closedir(d);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void tern_remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* ---- a folder that is made beside its place ------------------------------------------------------------------------
 * */

/* DIR.tmp-PID.old, of a program that was killed, is the older folder if there is no DIR. */
static void put_back(void *ud, const char *path, const char *rest)
{
    const char *dir = ud;
    if (strcmp(rest, ".old") != 0 || access(dir, F_OK) == 0 || rename(path, dir) != 0) tern_remove_tree(path);
}

void tern_folder_tidy(const char *dir) { tern_left_folders(dir, put_back, (void *)(uintptr_t)dir); }

static int sync_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)where;
    const int fd = kind == FTW_F || kind == FTW_DP ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool bad = fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP;
    if (fd >= 0) close(fd);
    return bad ? -1 : 0;
}

/* The finished folder replaces an older one in one step, or, on a file system that cannot exchange two
 * names, in two: then a kill in between leaves the older one under a name that put_back() knows. */
static bool replace(const char *work, const char *dir, const char *old)
{
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, work, AT_FDCWD, dir, RENAME_EXCHANGE) == 0) {
        tern_remove_tree(work);
        return true;
    }
    if (errno != ENOENT && errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return false;
#endif
    const bool replaced = rename(dir, old) == 0;
    if (!replaced && errno != ENOENT) return false;
    if (rename(work, dir) != 0) {
        const int why = errno;
        if (replaced) rename(old, dir);
        errno = why;
        return false;
    }
    if (replaced) tern_remove_tree(old);
    return true;
}

tern_folder_end tern_folder_finish(const char *work, const char *dir)
{
    char old[2048];
    if (snprintf(old, sizeof old, "%s.old", work) >= (int)sizeof old) return TERN_FOLDER_NOT_PLACED;
    const mode_t mask = umask(0); /* while it was worked in, the folder was for the user alone */
    (void)umask(mask);
    (void)chmod(work, 0777 & ~mask);
    if (nftw(work, sync_one, 16, FTW_DEPTH | FTW_PHYS) != 0) return TERN_FOLDER_NOT_SYNCED;
    if (!replace(work, dir, old)) return TERN_FOLDER_NOT_PLACED;
    return tern_file_sync_folder(dir) ? TERN_FOLDER_DONE : TERN_FOLDER_NAME_NOT_SYNCED;
}
