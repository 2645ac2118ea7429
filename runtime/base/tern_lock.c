/* tern_lock.c : see lock.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/lock.h"
#include "tern_errors.h"
#include "tern_file_internal.h"
#include "tern_opened.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fits(int n, size_t bytes)
{
    if (n >= 0 && (size_t)n < bytes) return true;
    errno = ENAMETOOLONG;
    return false;
}

/* The name without links and without '/' at its end, so that all names of one output have one lock. */
static bool find_name(const char *path, char *out, size_t bytes)
{
    char real[PATH_MAX], folder[PATH_MAX];
    if (realpath(path, real) != NULL) return fits(snprintf(out, bytes, "%s.lock", real), bytes);
    if (errno != ENOENT) return false; /* else: not there yet, but its folder is */
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') --n;
    size_t at = n;
    while (at > 0 && path[at - 1] != '/') --at;
    if (at >= sizeof folder) return fits((int)at, 0);
    snprintf(folder, sizeof folder, "%.*s", at == 0 ? 1 : (int)at, at == 0 ? "." : path);
    if (realpath(folder, real) == NULL) return false;
    const char *between = strcmp(real, "/") == 0 ? "" : "/";
    return fits(snprintf(out, bytes, "%s%s%.*s.lock", real, between, (int)(n - at), path + at), bytes);
}

static tern_status refuse(const char *path, const char *option, const char *what, tern_diags *diags)
{
    const int why = errno;
    tern_diag *g = tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, option,
                                  "cannot lock the output: %s: %s", what, strerror(why));
    tern__file_write_hint(g, why, "check the folder, its rights and the space left, or choose another one");
    return TERN_ERR_IO;
}

/* The process that the lock names, if it can be the holder: one that is there, of the user who made the lock. A holder
 * that may not write into another user's lock leaves an older number in it. 0: not known. */
static long holder(int fd)
{
    char who[24] = "", proc[40];
    struct stat lock, process;
    const ssize_t n = pread(fd, who, sizeof who - 1, 0);
    who[n > 0 ? strspn(who, "0123456789") : 0] = 0;
    const long number = strtol(who, NULL, 10);
    if (number <= 0 || (kill((pid_t)number, 0) != 0 && errno != EPERM)) return 0;
    snprintf(proc, sizeof proc, "/proc/%ld", number);
    if (fstat(fd, &lock) == 0 && stat(proc, &process) == 0 && lock.st_uid != process.st_uid) return 0;
    return number;
}

static tern_status busy(int fd, const char *path, const char *option, tern_diags *diags)
{
    char who[40] = "its process is not known";
    const long number = holder(fd);
    if (number != 0) snprintf(who, sizeof who, "process %ld", number);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_OUTPUT_BUSY, path, 0, option,
                                  "another job is writing this: %s", who),
                   "wait for it, end it, or give another name");
    return TERN_ERR_IO;
}

static tern_status unreadable(const char *path, const char *option, const char *name, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_OUTPUT_BUSY, path, 0, option,
                                  "another user's job is writing this, or has left its lock %s, which only they may "
                                  "read",
                                  name),
                   "give another name; a lock that was left can be removed by its owner");
    return TERN_ERR_IO;
}

/* Is the open file still the one of this name? A job that ended has removed the one that was waited for. */
static bool is_there(int fd, const char *name)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(name, &named) == 0 && mine.st_dev == named.st_dev &&
           mine.st_ino == named.st_ino;
}

/* Nothing, or the number of a process: else the file is of somebody who calls files NAME.lock, too. */
static bool is_lock(int fd)
{
    struct stat info;
    char text[24];
    if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) return true; /* a folder's own lock */
    if (!S_ISREG(info.st_mode) || info.st_size >= (off_t)sizeof text) return false;
    const ssize_t n = pread(fd, text, sizeof text - 1, 0);
    if (n < 0) return true; /* it is locked, and cannot be read */
    text[n] = 0;
    return strspn(text, "0123456789\n") == (size_t)n;
}

static tern_status foreign(const char *path, const char *option, const char *name, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, option,
                                  "cannot lock the output: there is a file %s that Tern did not write; it would be "
                                  "replaced and removed",
                                  name),
                   "move it away, or choose another name for the output");
    return TERN_ERR_IO;
}

enum { FLAGS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

/* Everyone may read the number, whatever the umask: so another user can tell whether the lock was left. */
static void write_number(int fd)
{
    char own[24];
    struct stat info;
    const int n = snprintf(own, sizeof own, "%ld\n", (long)getpid());
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 0444) != 0444)
        (void)fchmod(fd, (info.st_mode & 07777) | 0444);
    /* a number that cannot be written is missing in a message, no more */
    if (ftruncate(fd, 0) != 0 || pwrite(fd, own, (size_t)n, 0) != n) own[0] = 0;
}

/* A lock that may only be read can be held all the same; -1 and errno. */
static int open_lock(const char *name)
{
    const int fd = open(name, O_RDWR | O_CREAT | FLAGS, 0666);
    if (fd >= 0 || errno != EACCES) return fd;
    const int others = open(name, O_RDONLY | FLAGS);
    if (others < 0) errno = EACCES;
    return others;
}

static bool is_others(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid != geteuid();
}

static bool exists(const char *name)
{
    struct stat info;
    return lstat(name, &info) == 0;
}

tern_status tern_lock_take(tern_lock *l, const char *path, const char *option, tern_diags *diags)
{
    struct stat info;
    *l = (tern_lock)TERN_LOCK_NONE;
    const bool there = stat(path, &info) == 0, folder = there && S_ISDIR(info.st_mode);
    if ((there && !S_ISREG(info.st_mode) && !folder) || tern_opened(path)) return TERN_OK;
    if (!find_name(path, l->path, sizeof l->path)) {
        if (errno == ENOENT || errno == ENOTDIR) return TERN_OK; /* no such folder: writing the output tells that */
        return refuse(path, option, "its folder", diags);
    }
    for (int i = 0; i < 100; ++i) {
        int fd = open_lock(l->path);
        const int why = errno;
        if (fd < 0 && (why == EISDIR || why == ELOOP || why == ENXIO)) return foreign(path, option, l->path, diags);
        if (fd < 0 && why == EACCES && exists(l->path)) return unreadable(path, option, l->path, diags);
        if (fd < 0 && folder && (why == EACCES || why == EPERM || why == EROFS)) {
            snprintf(l->path, sizeof l->path, "%s", path); /* nothing can be made beside the folder: its own lock */
            fd = open(l->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        }
        if (fd < 0) return refuse(path, option, l->path, diags);
        const bool others = is_others(fd), locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        /* without locks nothing can be kept apart; but another user's file is left alone */
        if (!locked && (errno == EWOULDBLOCK || others)) {
            const tern_status s = busy(fd, path, option, diags);
            close(fd);
            return s;
        }
        if (!is_lock(fd)) {
            close(fd);
            return foreign(path, option, l->path, diags);
        }
        const bool mine = is_there(fd, l->path);
        if (mine && !(others && unlink(l->path) == 0)) { /* else a new one, which has this user and number */
            write_number(fd);
            l->fd = fd;
            return TERN_OK;
        }
        close(fd);
    }
    errno = EAGAIN;
    return refuse(path, option, l->path, diags);
}

void tern_lock_drop(tern_lock *l)
{
    if (l->fd < 0) return;
    unlink(l->path); /* while it is locked: nobody else can have taken it. Of a folder's own lock nothing is removed */
    close(l->fd);
    l->fd = -1;
}
