/* tern_certify_files.c : what lies in a folder, and its digests
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_certify.h"
#include "tern_interrupt.h"

tern_status tern_certify_fault(tern_diags *diags, int code, const char *file, tern_status s, const char *hint,
                               const char *format, ...)
{
    char text[600];
    va_list more;
    va_start(more, format);
    vsnprintf(text, sizeof text, format, more);
    va_end(more);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, code, file, 0, NULL, "%s", text), "%s", hint);
    return s;
}

static tern_status add(tern_certify_list *list, const char *path, const struct stat *info, tern_diags *diags)
{
    if (list->n == TERN_CERTIFY_FILES)
        return tern_certify_fault(diags, TERN_CERTIFY_E_EXTRA, path, TERN_ERR_LIMIT, "a certificate has hundreds",
                                  "more than %d files", TERN_CERTIFY_FILES);
    if (list->n == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        tern_certify_file *more = realloc(list->files, room * sizeof *more);
        if (more == NULL) return TERN_ERR_MEMORY;
        list->files = more;
        list->room = room;
    }
    tern_certify_file *f = &list->files[list->n];
    *f = (tern_certify_file){ .path = strdup(path),
                              .bytes = (uint64_t)info->st_size,
                              .folder = S_ISDIR(info->st_mode),
                              .strange = !S_ISREG(info->st_mode) && !S_ISDIR(info->st_mode) };
    if (f->path == NULL) return TERN_ERR_MEMORY;
    ++list->n;
    return TERN_OK;
}

/* `path` is the folder as it is opened; what follows `skip` bytes of it is the name that is kept. */
static tern_status walk(const char *path, size_t skip, unsigned depth, tern_certify_list *out, tern_diags *diags)
{
    DIR *d = opendir(path);
    if (d == NULL)
        return tern_certify_fault(diags, TERN_CERTIFY_E_DIR, path, TERN_ERR_IO, "its rights?",
                                  "the folder cannot be read: %s", strerror(errno));
    tern_status s = TERN_OK;
    errno = 0;
    for (struct dirent *e; s == TERN_OK && (e = readdir(d)) != NULL; errno = 0) {
        char name[TERN_CERTIFY_PATH];
        struct stat info;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (tern_interrupted())
            s = tern_certify_fault(diags, TERN_CERTIFY_E_DIR, path, TERN_ERR_IO, "run it again", "interrupted");
        else if ((size_t)snprintf(name, sizeof name, "%s/%s", path, e->d_name) >= sizeof name ||
                 depth == TERN_CERTIFY_DEPTH)
            s = tern_certify_fault(diags, TERN_CERTIFY_E_EXTRA, path, TERN_ERR_LIMIT, "a certificate has no such names",
                                   "folders too deep, or a name too long");
        else if (lstat(name, &info) != 0)
            s = tern_certify_fault(diags, TERN_CERTIFY_E_DIR, name, TERN_ERR_IO, "is it being changed?",
                                   "cannot be examined: %s", strerror(errno));
        else if (!S_ISDIR(info.st_mode)) s = add(out, name + skip, &info, diags);
        else {
            const size_t before = out->n;
            s = walk(name, skip, depth + 1, out, diags);
            if (s == TERN_OK && out->n == before) s = add(out, name + skip, &info, diags); /* nothing in it */
        }
    }
    if (s == TERN_OK && errno != 0)
        s = tern_certify_fault(diags, TERN_CERTIFY_E_DIR, path, TERN_ERR_IO, "the disk?",
                               "the folder cannot be read: %s", strerror(errno));
    closedir(d);
    return s;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const tern_certify_file *)a)->path, ((const tern_certify_file *)b)->path);
}

tern_status tern_certify_walk(const char *dir, tern_certify_list *out, tern_diags *diags)
{
    struct stat info;
    *out = (tern_certify_list){ .n = 0 };
    if (strlen(dir) > TERN_CERTIFY_PATH - 300)
        return tern_certify_fault(diags, TERN_CERTIFY_E_DIR, NULL, TERN_ERR_IO, "use a shorter one",
                                  "the folder's name is too long");
    if (stat(dir, &info) != 0)
        return tern_certify_fault(diags, TERN_CERTIFY_E_DIR, dir, TERN_ERR_IO, "check the name", "cannot be read: %s",
                                  strerror(errno));
    tern_status s;
    if (S_ISDIR(info.st_mode)) s = walk(dir, strlen(dir) + 1, 0, out, diags);
    else s = add(out, strrchr(dir, '/') != NULL ? strrchr(dir, '/') + 1 : dir, &info, diags);
    if (s == TERN_OK && out->n > 0) qsort(out->files, out->n, sizeof *out->files, by_path);
    if (s != TERN_OK) tern_certify_list_free(out);
    return s;
}

void tern_certify_list_free(tern_certify_list *list)
{
    for (size_t i = 0; i < list->n; ++i) free(list->files[i].path);
    free(list->files);
    *list = (tern_certify_list){ .n = 0 };
}

static void finish(struct sha256_ctx *sha, char out_hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sha, sizeof digest, digest);
    for (unsigned i = 0; i < sizeof digest; ++i)
        out_hex[2 * i] = digits[digest[i] >> 4], out_hex[2 * i + 1] = digits[digest[i] & 15];
    out_hex[64] = 0;
}

bool tern_certify_digest(const char *path, uint64_t bytes, char out_hex[65])
{
    struct sha256_ctx sha;
    uint8_t buffer[65536];
    struct stat info;
    out_hex[0] = 0;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    bool ok = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    sha256_init(&sha);
    for (uint64_t left = bytes + 1; ok && left > 0;) {
        const ssize_t n = read(fd, buffer, left < sizeof buffer ? (size_t)left : sizeof buffer);
        if (n == 0) break;
        if (tern_interrupted()) errno = EINTR, ok = false;
        else if (n < 0) ok = errno == EINTR;
        else sha256_update(&sha, (size_t)n, buffer), left -= (uint64_t)n;
    }
    close(fd);
    if (ok) finish(&sha, out_hex);
    return ok;
}

void tern_certify_digest_text(const void *bytes, size_t n, char out_hex[65])
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, n, bytes);
    finish(&sha, out_hex);
}

void tern_certify_digest_list(const tern_certify_list *list, bool (*take)(const char *path), char out_hex[65])
{
    struct sha256_ctx sha;
    size_t taken = 0;
    sha256_init(&sha);
    for (size_t i = 0; i < list->n; ++i) {
        const tern_certify_file *f = &list->files[i];
        if (take != NULL && !take(f->path)) continue;
        sha256_update(&sha, strlen(f->sha256), (const uint8_t *)f->sha256);
        sha256_update(&sha, 2, (const uint8_t *)"  ");
        sha256_update(&sha, strlen(f->path), (const uint8_t *)f->path);
        sha256_update(&sha, 1, (const uint8_t *)"\n");
        ++taken;
    }
    out_hex[0] = 0;
    if (taken > 0) finish(&sha, out_hex);
}
