/* tern_file.c : see file.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_file_internal.h"
#include "tern_errors.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void tern__file_write_hint(tern_diag *g, int why, const char *otherwise)
{
    if (why == ENOENT || why == ENOTDIR) tern_diag_hint(g, "make the folder first, or choose another name");
    else if (why == EACCES || why == EPERM || why == EROFS) tern_diag_hint(g, "choose a folder that you may write to");
    else if (why == ENOSPC || why == EDQUOT) tern_diag_hint(g, "free some space, or choose a folder on another disk");
    else if (why == EFBIG) tern_diag_hint(g, "raise the limit on the size of files (ulimit -f)");
    else if (otherwise != NULL) tern_diag_hint(g, "%s", otherwise);
}

/* Tells errno, and what usually helps against it. */
static tern_status fail(tern_diags *diags, int code, const char *path, const char *what)
{
    const int why = errno;
    tern_diag *g = tern_diags_add(diags, TERN_SEV_ERROR, code, path, 0, NULL, "%s: %s", what, strerror(why));
    if (code == TERN_ERROR_WRITE) tern__file_write_hint(g, why, NULL);
    return TERN_ERR_IO;
}

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

/* The name to replace: `path`, or what it leads to if it is a link. Anything but a regular file is refused: a rename
 * would replace the device or pipe by the file. */
static tern_status find_target(const char *path, char *out, size_t bytes, tern_diags *diags)
{
    struct stat info;
    char real[PATH_MAX];
    const char *target = path;
    if (lstat(path, &info) == 0) {
        const bool link = S_ISLNK(info.st_mode);
        if (link && stat(path, &info) != 0) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, NULL,
                                          "cannot write the file: it is a symbolic link that leads nowhere (%s)",
                                          strerror(errno)),
                           "remove the link, or make the file it names");
            return TERN_ERR_IO;
        }
        if (!S_ISREG(info.st_mode)) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, NULL,
                                          "cannot write the file: there is %s of this name", kind_of(info.st_mode)),
                           "give the name of a new file, or of a regular file to replace");
            return TERN_ERR_IO;
        }
        if (link && (target = realpath(path, real)) == NULL)
            return fail(diags, TERN_ERROR_WRITE, path, "cannot write the file");
    } else if (errno != ENOENT) {
        return fail(diags, TERN_ERROR_WRITE, path, "cannot write the file");
    }
    if (strlen(target) >= bytes) {
        errno = ENAMETOOLONG;
        return fail(diags, TERN_ERROR_WRITE, path, "cannot write the file");
    }
    strcpy(out, target);
    return TERN_OK;
}

/* In a folder with the sticky bit (/tmp) only the owner of a file or of the folder may replace the file. */
static bool kept_by_owner(const char *target)
{
    struct stat file, folder_info;
    char folder[1024];
    const char *slash = strrchr(target, '/');
    const int n = slash == NULL ? 1 : (int)(slash - target) + 1;
    if (n >= (int)sizeof folder || geteuid() == 0 || lstat(target, &file) != 0) return false;
    snprintf(folder, sizeof folder, "%.*s", n, slash == NULL ? "." : target);
    return stat(folder, &folder_info) == 0 && (folder_info.st_mode & S_ISVTX) != 0 && file.st_uid != geteuid() &&
           folder_info.st_uid != geteuid();
}

tern_status tern_file_replaceable(const char *path, tern_diags *diags)
{
    char target[1024];
    if (find_target(path, target, sizeof target, NULL) != TERN_OK || !kept_by_owner(target)) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, NULL,
                                  "cannot write the file: it is another user's, and only they may replace it in a "
                                  "folder with the sticky bit"),
                   "choose another name or folder");
    return TERN_ERR_IO;
}

/* A temporary file is locked while it is written, so that an abandoned one can be distinguished from one that is being
 * written, on whatever machine. False: a sweep took it for an old one before it was locked. A file system without locks
 * does no harm: then nothing is swept. */
static bool hold(int fd)
{
    struct stat info;
    const bool taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !taken && (fstat(fd, &info) != 0 || info.st_nlink != 0);
}

tern_status tern_file_begin(tern_file_writer *w, const char *path, tern_diags *diags)
{
    *w = (tern_file_writer){ .f = NULL };
    tern_status found = find_target(path, w->path, sizeof w->path, diags);
    if (found == TERN_OK) found = tern_file_replaceable(w->path, diags);
    if (found != TERN_OK) return found;
    int fd = -1;
    /* a name nobody else has; 0666 less the umask, as a plain fopen would */
    for (unsigned i = 0; fd < 0 && i < 100; ++i) {
        snprintf(w->temporary, sizeof w->temporary, "%s.tmp-%ld-%u", w->path, (long)getpid(), i);
        fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
        if (fd >= 0 && !hold(fd)) {
            close(fd);
            fd = -1;
            errno = EEXIST;
        }
    }
    if (fd < 0) return fail(diags, TERN_ERROR_WRITE, path, "cannot write the file");
    w->f = fdopen(fd, "wb");
    if (w->f == NULL) {
        const tern_status status = fail(diags, TERN_ERROR_WRITE, path, "cannot write the file");
        close(fd);
        unlink(w->temporary);
        return status;
    }
    return TERN_OK;
}

void tern_file_abort(tern_file_writer *w)
{
    if (w->f == NULL) return;
    fclose(w->f);
    unlink(w->temporary);
    w->f = NULL;
}

/* BASE.tmp-PID-NUMBER */
static bool is_temporary(const char *name, const char *base)
{
    static const char digits[] = "0123456789", middle[] = ".tmp-";
    const size_t n = strlen(base);
    if (strncmp(name, base, n) != 0 || strncmp(name + n, middle, sizeof middle - 1) != 0) return false;
    name += n + sizeof middle - 1;
    const size_t pid = strspn(name, digits);
    if (pid == 0 || name[pid] != '-') return false;
    name += pid + 1;
    return name[0] != 0 && name[strspn(name, digits)] == 0;
}

void tern_file_sweep(const char *path)
{
    char target[1024], folder[1024];
    if (find_target(path, target, sizeof target, NULL) != TERN_OK) return;
    char *slash = strrchr(target, '/');
    const char *base = slash == NULL ? target : slash + 1;
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - target) + 1,
             slash == NULL ? "." : target);
    DIR *d = opendir(folder);
    if (d == NULL) return;
    for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        if (!is_temporary(e->d_name, base)) continue;
        const int fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat info;
        if (fd < 0) continue;
        if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(d), e->d_name, 0);
        close(fd);
    }
    closedir(d);
}

/* Neither takes memory: a lack of it must not look like a file that is not there. */
bool tern_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int tern_file_head(const char *path, void *to, size_t bytes)
{
    size_t n = 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return -1;
    for (ssize_t got = 1; n < bytes && got != 0;) {
        got = read(fd, (char *)to + n, bytes - n);
        if (got > 0) n += (size_t)got;
        else if (got < 0 && errno != EINTR) {
            const int why = errno;
            close(fd);
            errno = why;
            return -1;
        }
    }
    close(fd);
    return (int)n;
}

tern_status tern_file_writable(const char *path, tern_diags *diags)
{
    tern_file_writer w;
    tern_file_sweep(path);
    const tern_status status = tern_file_begin(&w, path, diags);
    tern_file_abort(&w);
    return status;
}

/* A rename or removal is on the disk when its folder is. Some file systems know no fsync of folders, and a folder may
 * be written to without being readable: then there is nothing that could be done. */
bool tern_file_sync_folder(const char *path)
{
    char folder[1024];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1, slash == NULL ? "." : path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == EACCES || errno == EPERM;
    const bool ok = fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF || errno == EROFS;
    const int why = errno;
    close(fd);
    errno = why;
    return ok;
}

/* Why an earlier write failed: the stream keeps no errno, but the next writes fail alike. The file is thrown away, so
 * its content is free. */
static int why_failed(FILE *f)
{
    static const char zeros[4096];
    for (int i = 0; i < 4; ++i) {
        errno = 0;
        if (write(fileno(f), zeros, sizeof zeros) < 0 && errno != EINTR) return errno;
    }
    return EIO;
}

tern_status tern_file_commit(tern_file_writer *w, tern_diags *diags)
{
    if (w->f == NULL) return TERN_ERR_ARGUMENT;
    const int earlier = ferror(w->f) ? why_failed(w->f) : 0;
    errno = 0;
    /* fsync may be refused for odd files (EINVAL); a full disk may show only here */
    bool ok = earlier == 0 && fflush(w->f) == 0 && (fsync(fileno(w->f)) == 0 || errno == EINVAL || errno == ENOTSUP);
    int code = earlier != 0 ? earlier : errno;
    const int lock = dup(fileno(w->f)); /* keeps the lock until the file has its own name */
    if (fclose(w->f) != 0 && ok) {
        ok = false;
        code = errno;
    }
    w->f = NULL;
    if (ok && rename(w->temporary, w->path) != 0) {
        ok = false;
        code = errno;
    }
    if (lock >= 0) close(lock);
    if (ok && (w->part || tern_file_sync_folder(w->path))) return TERN_OK;
    if (ok)
        return fail(diags, TERN_ERROR_WRITE, w->path,
                    "the file is complete, but its folder cannot be brought to the disk");
    unlink(w->temporary);
    errno = code != 0 ? code : EIO;
    return fail(diags, TERN_ERROR_WRITE, w->path, "cannot write the file");
}

static tern_status write_whole(const char *path, const void *bytes, size_t size, bool part, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status status = tern_file_begin(&w, path, diags);
    if (status != TERN_OK) return status;
    w.part = part;
    if (size > 0) fwrite(bytes, 1, size, w.f); /* an error stays in ferror() */
    return tern_file_commit(&w, diags);
}

tern_status tern_file_write(const char *path, const void *bytes, size_t size, tern_diags *diags)
{
    return write_whole(path, bytes, size, false, diags);
}

tern_status tern_file_write_part(const char *path, const void *bytes, size_t size, tern_diags *diags)
{
    return write_whole(path, bytes, size, true, diags);
}

tern_status tern_file_rename(const char *from, const char *to, tern_diags *diags)
{
    if (rename(from, to) != 0) return fail(diags, TERN_ERROR_WRITE, to, "the file cannot be put in its place");
    return tern_file_sync_folder(to)
               ? TERN_OK
               : fail(diags, TERN_ERROR_WRITE, to, "the file's folder cannot be brought to the disk");
}

tern_status tern_file_remove(const char *path, tern_diags *diags)
{
    if (unlink(path) != 0)
        return errno == ENOENT ? TERN_OK : fail(diags, TERN_ERROR_WRITE, path, "the file cannot be removed");
    return tern_file_sync_folder(path)
               ? TERN_OK
               : fail(diags, TERN_ERROR_WRITE, path, "the file's folder cannot be brought to the disk");
}

tern_status tern__file_read_head(const char *path, uint64_t limit_bytes,
                                 uint64_t (*wanted)(const uint8_t *head, size_t size), tern_alloc alloc,
                                 uint8_t **out_bytes, size_t *out_size, tern_diags *diags)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe without writer must not make us wait */
    if (fd < 0) return fail(diags, TERN_ERROR_READ, path, "cannot open the file");
    struct stat info;
    FILE *f = NULL;
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) { /* could continue for ever, or never begin */
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_READ, path, 0, NULL,
                                      "cannot read the file: it is %s", kind_of(info.st_mode)),
                       "give the name of a regular file");
        close(fd);
        return TERN_ERR_IO;
    }
    f = fdopen(fd, "rb");
    if (f == NULL) {
        const tern_status refused = fail(diags, TERN_ERROR_READ, path, "cannot open the file");
        close(fd);
        return refused;
    }
    uint8_t *bytes = NULL;
    size_t room = 0, size = 0;
    tern_status status = TERN_OK;
    uint64_t enough = UINT64_MAX;
    while (size < enough) {
        if (size > limit_bytes) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FILE_TOO_LARGE, path, 0, NULL,
                           "the file has more than %llu bytes, the most that is read here",
                           (unsigned long long)limit_bytes);
            status = TERN_ERR_LIMIT;
            break;
        }
        if (size == room) {
            room = room == 0 ? 65536 : 2 * room;
            uint8_t *more = alloc.fn(alloc.ud, bytes, room);
            if (more == NULL) {
                tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_MEMORY, path, 0, NULL,
                               "not enough memory to read the file");
                status = TERN_ERR_MEMORY;
                break;
            }
            bytes = more;
        }
        const size_t got = fread(bytes + size, 1, room - size, f);
        size += got;
        if (got == 0) {
            if (ferror(f)) status = fail(diags, TERN_ERROR_READ, path, "cannot read the file");
            break;
        }
        if (wanted != NULL) enough = wanted(bytes, size);
    }
    fclose(f);
    if (status != TERN_OK) {
        if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
        return status;
    }
    *out_bytes = bytes;
    *out_size = size;
    return TERN_OK;
}

tern_status tern_file_read(const char *path, uint64_t limit_bytes, tern_alloc alloc, uint8_t **out_bytes,
                           size_t *out_size, tern_diags *diags)
{
    return tern__file_read_head(path, limit_bytes, NULL, alloc, out_bytes, out_size, diags);
}
