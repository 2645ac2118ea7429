/* tern_core_files.c : files of a core that is built, and of the cache
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "tern_core_internal.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tern_leftover.h"
#include "tern_trust.h"

/* Joins parts (NULL ends them) into out; false: too long. */
bool tern__core_join(char *out, size_t bytes, const char *a, const char *b, const char *c)
{
    const int n = snprintf(out, bytes, "%s%s%s", a, b, c);
    return n >= 0 && (size_t)n < bytes;
}

tern_status tern__core_fault(builder *b, int code, const char *what, const char *hint)
{
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, code, b->cache, 0, NULL, "%s: %s", what, strerror(errno)),
                   "%s", hint);
    return TERN_ERR_IO;
}

tern_status tern__core_read_all(const char *path, tern_arena *arena, uint8_t **out, size_t *out_size)
{
    uint8_t *bytes = NULL;
    const tern_alloc alloc = tern_alloc_default();
    const tern_status s = tern_file_read(path, FILE_MAX, alloc, &bytes, out_size, NULL);
    if (s != TERN_OK) return s;
    *out = tern_arena_get(arena, *out_size + 1, 1); /* a 0 byte behind: texts are searched with string functions */
    if (*out != NULL) memcpy(*out, bytes, *out_size);
    alloc.fn(alloc.ud, bytes, 0);
    return *out == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

void tern__core_to_hex(struct sha256_ctx *hash, char *out, size_t digits)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof digest, digest);
    for (size_t i = 0; i < digits; ++i) out[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    out[digits] = 0;
}

/* Folders of builds that were killed a day ago or earlier. */
void tern__core_remove_old_work(const builder *b)
{
    DIR *d = opendir(b->cache);
    if (d == NULL) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[PATH_BYTES + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", b->cache, e->d_name);
        if (strncmp(e->d_name, "tmp.", 4) == 0 && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
            info.st_mtime < time(NULL) - 86400)
            tern_remove_tree(path);
    }
    closedir(d);
}

bool tern__core_library_hash(builder *b, const char *folder, char out_hex[65])
{
    char path[PATH_BYTES + 200];
    uint8_t *bytes;
    size_t size;
    struct sha256_ctx hash;
    snprintf(path, sizeof path, "%s/core.so", folder);
    if (tern__core_read_all(path, b->arena, &bytes, &size) != TERN_OK) return false;
    sha256_init(&hash);
    sha256_update(&hash, size, bytes);
    tern__core_to_hex(&hash, out_hex, 64);
    return true;
}

/* Loads the library of an entry if it is whole. A damaged library must not be mapped: reading behind its end would kill
 * the program. */
bool tern__core_load(builder *b, char *why, size_t bytes)
{
    char path[sizeof b->out->entry + 16], hex[65];
    uint8_t *info;
    size_t size;
    snprintf(path, sizeof path, "%s/info", b->out->entry);
    snprintf(why, bytes, "it is incomplete");
    if (tern__core_read_all(path, b->arena, &info, &size) != TERN_OK || !tern__core_library_hash(b, b->out->entry, hex))
        return false;
    snprintf(why, bytes, "its checksum differs");
    const char *stored = strstr((const char *)info, "sha256 ");
    if (stored == NULL || strncmp(stored + 7, hex, 64) != 0) return false;
    snprintf(path, sizeof path, "%s/core.so", b->out->entry);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(why, bytes, "%s", dlerror());
        return false;
    }
    const void *(*get)(void); /* a tern_dut or a tern_board_dut: either begins with its version */
    void *symbol = dlsym(library, "tern_dut_get");
    memcpy(&get, &symbol, sizeof get); /* C has no conversion from object to function pointers */
    const void *dut = symbol == NULL ? NULL : get();
    if (dut == NULL || *(const int *)dut != (b->request->board != NULL ? (int)TERN_BOARD_ABI : (int)TERN_DUT_ABI)) {
        snprintf(why, bytes, "it has another version");
        dlclose(library);
        return false;
    }
    b->out->library = library;
    if (b->request->board != NULL) b->out->board = dut;
    else b->out->dut = dut;
    return true;
}

/* An entry that others could have changed is not loaded, and not replaced behind the user's back. */
tern_status tern__core_check(builder *b)
{
    static const char *const files[] = { "core.so", "info" };
    char path[sizeof b->out->entry + 16];
    struct stat info;
    tern_status s = tern_trust_check(b->out->entry, "the core in the cache", b->diags);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && s == TERN_OK; ++i) {
        snprintf(path, sizeof path, "%s/%s", b->out->entry, files[i]);
        if (lstat(path, &info) == 0) s = tern_trust_check(path, "the core in the cache", b->diags);
    }
    return s;
}

/* Moves the finished entry to its name; another run may have been faster. */
tern_status tern__core_install(builder *b)
{
    char from[sizeof b->work + 16], old[sizeof b->work + 16], why[256];
    snprintf(from, sizeof from, "%s/entry", b->work);
    for (int i = 0; i < ATTEMPTS; ++i) {
        if (rename(from, b->out->entry) == 0) break;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            return tern__core_fault(b, E_CACHE, "cannot put the built core in its place",
                                    "check the rights of the cache folder");
        const tern_status s = tern__core_check(b);
        if (s != TERN_OK) return s;
        if (tern__core_load(b, why, sizeof why)) return TERN_OK;
        snprintf(old, sizeof old, "%s/old-%d", b->work, i);
        rename(b->out->entry, old); /* removed with the build folder */
    }
    const tern_status s = tern__core_check(b);
    if (s != TERN_OK) return s;
    if (tern__core_load(b, why, sizeof why)) return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_LOAD, b->out->entry, 0, NULL,
                                  "the built core cannot be loaded: %s", why),
                   "remove the folder and try again");
    return TERN_ERR_TOOL;
}
