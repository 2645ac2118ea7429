/* tern_core_cache.c : see tern_core_cache.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * A core is built in a folder of its own inside the cache, from copies of the very bytes that its key was made of, and
 * moved to its name when it is complete. So two runs at once may build the same core twice, but neither sees half of
 * the other's; and a source that is edited meanwhile cannot get under a wrong key. An entry carries the checksum of its
 * library: a damaged one is built again.
 * What lies in the cache is loaded and run, so nobody else may be able to put it there: folders are made for the user
 * alone, and a cache, an entry or a source that others can change is refused (tern_trust.h).
 *     CACHE/KEY/core.so, CACHE/KEY/info, CACHE/KEY/build.log      a core
 *     CACHE/tmp.XXXXXX/                                           being built
 *     CACHE/failed-KEY.log                                        what the tools said when it failed
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

/* ---- small things ------------------------------------------------------------------------------------------------ */

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

/* ---- the cache's folder ------------------------------------------------------------------------------------------ */

static bool is_folder(const char *path)
{
    struct stat s;
    return path != NULL && path[0] == '/' && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* For a user without a home folder (a service, a container): a folder of this user alone among the temporary files.
 * What is loaded from there is executed, so one that another user made is refused. */
static tern_status temporary_cache(builder *b)
{
    char text[64];
    struct stat s;
    const char *tmp = getenv("TMPDIR");
    snprintf(text, sizeof text, "/tern-cosim-%lu", (unsigned long)getuid());
    if (!tern__core_join(b->cache, sizeof b->cache, is_folder(tmp) ? tmp : "/tmp", text, "")) return TERN_ERR_LIMIT;
    if (mkdir(b->cache, 0700) != 0 && errno != EEXIST)
        return tern__core_fault(b, E_CACHE, "there is no home folder, and no cache folder can be made here",
                                "give a folder with --cache DIR");
    if (lstat(b->cache, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == getuid() && (s.st_mode & 077) == 0)
        return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_CACHE, b->cache, 0, "--cache",
                                  "there is no home folder, and this one is not of this user alone"),
                   "give a folder with --cache DIR");
    return TERN_ERR_IO;
}

static tern_status make_cache(builder *b)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool fits = true;
    if (b->request->cache != NULL) {
        fits = tern__core_join(b->cache, sizeof b->cache, b->request->cache, "", "");
    } else if (base != NULL && base[0] == '/') {
        fits = tern__core_join(b->cache, sizeof b->cache, base, "/tern/cosim", "");
    } else if (is_folder(home)) {
        fits = tern__core_join(b->cache, sizeof b->cache, home, "/.cache/tern/cosim", "");
    } else {
        const tern_status s = temporary_cache(b);
        if (s != TERN_OK) return s;
    }
    if (!fits || strlen(b->cache) > PATH_BYTES - 200) {
        tern_diags_add(b->diags, TERN_SEV_ERROR, E_CACHE, NULL, 0, "--cache",
                       "the name of the cache folder is too long");
        return TERN_ERR_IO;
    }
    for (char *p = b->cache + 1; *p != 0; ++p) /* the folders above it */
        if (*p == '/') {
            *p = 0;
            mkdir(b->cache, 0700); /* if it fails, the last one tells */
            *p = '/';
        }
    if (mkdir(b->cache, 0700) != 0 && errno != EEXIST)
        return tern__core_fault(b, E_CACHE, "cannot make the cache folder",
                                "check its rights, or give another one with --cache DIR");
    char *absolute = realpath(b->cache, NULL); /* tools run elsewhere */
    if (absolute == NULL || strlen(absolute) > PATH_BYTES - 200) {
        free(absolute);
        return tern__core_fault(b, E_CACHE, "cannot use the cache folder",
                                "check its rights, or give another one with --cache DIR");
    }
    snprintf(b->cache, sizeof b->cache, "%s", absolute);
    free(absolute);
    const tern_status s = tern_trust_check(b->cache, "the cache folder", b->diags);
    if (s != TERN_OK) return s;
    snprintf(b->work, sizeof b->work, "%s/tmp.XXXXXX", b->cache);
    if (mkdtemp(b->work) == NULL) {
        b->work[0] = 0;
        return tern__core_fault(b, E_CACHE, "cannot write into the cache folder",
                                "check its permissions and the free space, or give another one with --cache DIR");
    }
    snprintf(b->log, sizeof b->log, "%s/build.log", b->work);
    return TERN_OK;
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

/* ---- entries ----------------------------------------------------------------------------------------------------- */

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
static bool load_entry(builder *b, char *why, size_t bytes)
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
static tern_status check_entry(builder *b)
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

static bool entry_exists(const builder *b)
{
    struct stat info;
    return lstat(b->out->entry, &info) == 0;
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
        const tern_status s = check_entry(b);
        if (s != TERN_OK) return s;
        if (load_entry(b, why, sizeof why)) return TERN_OK;
        snprintf(old, sizeof old, "%s/old-%d", b->work, i);
        rename(b->out->entry, old); /* removed with the build folder */
    }
    const tern_status s = check_entry(b);
    if (s != TERN_OK) return s;
    if (load_entry(b, why, sizeof why)) return TERN_OK;
    tern_diag_hint(tern_diags_add(b->diags, TERN_SEV_ERROR, E_LOAD, b->out->entry, 0, NULL,
                                  "the built core cannot be loaded: %s", why),
                   "remove the folder and try again");
    return TERN_ERR_TOOL;
}

tern_status tern_core_open(const tern_core_request *request, tern_arena *arena, tern_core *out, tern_diags *diags)
{
    builder *b = tern_arena_get(arena, 1, sizeof *b);
    if (b == NULL) return TERN_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    *b = (builder){ .request = request, .arena = arena, .out = out, .diags = diags };
    tern_status s = make_cache(b);
    if (s == TERN_OK) s = tern__core_ask_version(b);
    if (s == TERN_OK) s = tern__core_ask_yosys(b);
    if (s == TERN_OK) s = tern__core_add_share(b);
    if (s == TERN_OK) s = tern__core_add_design(b);
    if (s == TERN_OK) s = tern__core_add_netlist(b);
    if (s == TERN_OK) {
        char why[256];
        tern__core_make_key(b);
        const bool there = entry_exists(b);
        if (there) s = check_entry(b);
        if (s == TERN_OK && (!there || !load_entry(b, why, sizeof why))) {
            if (there)
                tern_diags_add(diags, TERN_SEV_WARNING, W_DAMAGED, out->entry, 0, NULL,
                               "the core in the cache cannot be used (%s): it is built again", why);
            s = tern__core_build(b);
        }
    }
    if (b->work[0] != 0) tern_remove_tree(b->work);
    return s;
}

void tern_core_close(tern_core *core)
{
    if (core->library != NULL) dlclose(core->library);
    core->library = NULL;
}
