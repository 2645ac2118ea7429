/* tern_file.c : see file.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_file_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tern_status fail(tern_diags *diags, int code, const char *path, const char *what)
{
    tern_diags_add(diags, TERN_SEV_ERROR, code, path, 0, NULL, "%s: %s", what, strerror(errno));
    return TERN_ERR_IO;
}

tern_status tern_file_begin(tern_file_writer *w, const char *path, tern_diags *diags)
{
    *w = (tern_file_writer){ .f = NULL };
    if (strlen(path) >= sizeof w->path) {
        errno = ENAMETOOLONG;
        return fail(diags, 302, path, "cannot write the file");
    }
    strcpy(w->path, path);
    int fd = -1;
    for (unsigned i = 0; fd < 0 && i < 100; ++i) { /* a name nobody else has; 0666 less the umask, as a plain fopen would */
        snprintf(w->temporary, sizeof w->temporary, "%s.tmp-%ld-%u", path, (long)getpid(), i);
        fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) return fail(diags, 302, path, "cannot write the file");
    w->f = fdopen(fd, "wb");
    if (w->f == NULL) {
        const tern_status status = fail(diags, 302, path, "cannot write the file");
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

tern_status tern_file_commit(tern_file_writer *w, tern_diags *diags)
{
    if (w->f == NULL) return TERN_ERR_ARGUMENT;
    errno = 0;
    /* fsync may be refused for odd files (EINVAL); a full disk may show only here */
    bool ok = ferror(w->f) == 0 && fflush(w->f) == 0 && (fsync(fileno(w->f)) == 0 || errno == EINVAL || errno == ENOTSUP);
    int code = errno;
    if (fclose(w->f) != 0 && ok) {
        ok = false;
        code = errno;
    }
    w->f = NULL;
    if (ok && rename(w->temporary, w->path) != 0) {
        ok = false;
        code = errno;
    }
    if (ok) return TERN_OK;
    unlink(w->temporary);
    errno = code != 0 ? code : EIO;
    return fail(diags, 302, w->path, "cannot write the file");
}

tern_status tern_file_write(const char *path, const void *bytes, size_t size, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status status = tern_file_begin(&w, path, diags);
    if (status != TERN_OK) return status;
    if (size > 0) fwrite(bytes, 1, size, w.f); /* an error stays in ferror() */
    return tern_file_commit(&w, diags);
}

tern_status tern__file_read_head(const char *path, uint64_t limit_bytes, uint64_t (*wanted)(const uint8_t *head, size_t size), tern_alloc alloc,
                            uint8_t **out_bytes, size_t *out_size, tern_diags *diags)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) return fail(diags, 301, path, "cannot open the file");
    uint8_t *bytes = NULL;
    size_t room = 0, size = 0;
    tern_status status = TERN_OK;
    uint64_t enough = UINT64_MAX;
    while (size < enough) {
        if (size > limit_bytes) {
            tern_diags_add(diags, TERN_SEV_ERROR, 319, path, 0, NULL, "the file has more than %llu bytes, the most that is read here",
                           (unsigned long long)limit_bytes);
            status = TERN_ERR_LIMIT;
            break;
        }
        if (size == room) {
            room = room == 0 ? 65536 : 2 * room;
            uint8_t *more = alloc.fn(alloc.ud, bytes, room);
            if (more == NULL) {
                tern_diags_add(diags, TERN_SEV_ERROR, 320, path, 0, NULL, "not enough memory to read the file");
                status = TERN_ERR_MEMORY;
                break;
            }
            bytes = more;
        }
        const size_t got = fread(bytes + size, 1, room - size, f);
        size += got;
        if (got == 0) {
            if (ferror(f)) status = fail(diags, 301, path, "cannot read the file");
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

tern_status tern_file_read(const char *path, uint64_t limit_bytes, tern_alloc alloc, uint8_t **out_bytes, size_t *out_size, tern_diags *diags)
{
    return tern__file_read_head(path, limit_bytes, NULL, alloc, out_bytes, out_size, diags);
}
