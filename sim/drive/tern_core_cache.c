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

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static bool entry_exists(const builder *b)
{
    struct stat info;
    return lstat(b->out->entry, &info) == 0;
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
        if (there) s = tern__core_check(b);
        if (s == TERN_OK && (!there || !tern__core_load(b, why, sizeof why))) {
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
