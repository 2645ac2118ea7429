/* tern_out_folder.c : see tern_out_folder.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_out_folder.h"
#include "tern_errors.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern_leftover.h"
#include "tern_tool.h"

enum { NAME_BYTES = 300, PATH_ROOM = TERN_OUT_PATH + NAME_BYTES, DEPTH_MOST = 4 };

static tern_status fault(tern_diags *diags, const char *path, const char *what, const char *hint)
{
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER, path, 0, NULL, "%s: %s", what, strerror(errno)), "%s",
        hint);
    return TERN_ERR_IO;
}

tern_status tern_out_begin(tern_out_folder *f, const char *dir, tern_diags *diags)
{
    struct stat info;
    size_t n = strlen(dir);
    f->dir = dir;
    f->making[0] = 0;
    f->n_files = 0;
    while (n > 1 && dir[n - 1] == '/') --n;
    const bool exists = stat(dir, &info) == 0;
    if (!exists && errno != ENOENT)
        return fault(diags, dir, "cannot use the output folder", "check its name and permissions");
    if (exists && !S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return fault(diags, dir, "cannot use the output folder",
                     "-o takes a folder; the files are named after the network");
    }
    f->is_new = !exists;
    const char *form = exists ? "%.*s/.tmp-%ld" : "%.*s.tmp-%ld";
    const int length = snprintf(f->making, sizeof f->making, form, (int)n, dir, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof f->making - 1) {
        f->making[0] = 0;
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER_NAME, dir, 0, NULL, "the folder's name is too long");
        return TERN_ERR_ARGUMENT;
    }
    if (mkdir(f->making, 0777) == 0) return TERN_OK;
    const tern_status status = fault(diags, dir, "cannot create the output folder",
                                     "check that the folder above it exists and may be written");
    f->making[0] = 0;
    return status;
}

/* ---- what was made
 * --------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const tern_out_file *)a)->name, ((const tern_out_file *)b)->name);
}

/* Lists what lies below making/`below`, folders after each other. */
static tern_status list(tern_out_folder *f, const char *below, int depth, tern_arena *arena, tern_diags *diags)
{
    char path[PATH_ROOM], name[NAME_BYTES];
    snprintf(path, sizeof path, "%s/%s", f->making, below);
    DIR *d = opendir(path);
    if (d == NULL) return fault(diags, path, "cannot read the folder", "");
    tern_status status = TERN_OK;
    for (struct dirent *e; status == TERN_OK && (e = readdir(d)) != NULL;) {
        struct stat info;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        const int n = snprintf(name, sizeof name, "%s%s%s", below, below[0] != 0 ? "/" : "", e->d_name);
        if (n < 0 || (size_t)n >= sizeof name) status = TERN_ERR_LIMIT;
        else snprintf(path, sizeof path, "%s/%s", f->making, name);
        if (status != TERN_OK || stat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode))
            status = depth == DEPTH_MOST ? TERN_ERR_LIMIT : list(f, name, depth + 1, arena, diags);
        else if (f->n_files == TERN_OUT_FILES) status = TERN_ERR_LIMIT;
        else if ((f->files[f->n_files].name = tern_arena_strdup(arena, name)) == NULL) status = TERN_ERR_MEMORY;
        else f->files[f->n_files++].bytes = (long long)info.st_size;
    }
    closedir(d);
    return status;
}

/* ---- putting it in place
 * ----------------------------------------------------------------------------------------------- */

static tern_status in_the_way(const char *path, bool folder_wanted, const struct stat *info, tern_diags *diags)
{
    const char *there = S_ISDIR(info->st_mode) ? "a folder" : S_ISREG(info->st_mode) ? "a file" : "a device or pipe";
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER, path, 0, NULL,
                                  "cannot put the %s in its place: there is %s of this name",
                                  folder_wanted ? "folder" : "file", there),
                   "remove it, or give another folder");
    return TERN_ERR_IO;
}

enum { MARK_BYTES = 12 }; /* as far as a file's own name, or "GENERATED", which all but the image begin with */

static bool is_image_name(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".tern") == 0;
}

/* Does the file there begin as the one that replaces it? Then an earlier call has written it. An empty one is nobody's.
 * Of an image the magic number only, the version follows. */
static bool begins_alike(const char *from, const char *to)
{
    char new[MARK_BYTES], old[MARK_BYTES];
    const size_t most = is_image_name(to) ? 8 : MARK_BYTES;
    const int n = tern_file_head(from, new, most), m = tern_file_head(to, old, most);
    return m == 0 || (m > 0 && m == n && memcmp(new, old, (size_t)n) == 0);
}

static tern_status holds_training(const char *path, bool *out)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_model *model = tern_arena_get(&arena, 1, sizeof *model);
    const tern_status s = model == NULL ? TERN_ERR_MEMORY : tern_image_load(path, &arena, model, NULL);
    *out = s == TERN_OK && model->state != NULL;
    tern_arena_free(&arena);
    return s == TERN_ERR_MEMORY ? s : TERN_OK; /* what cannot be loaded holds nothing */
}

/* What an earlier call wrote is replaced; a file of the user's own is not, nor a training by an image without one. */
static tern_status check_replaced(const char *from, const char *to, tern_diags *diags)
{
    const char *what = begins_alike(from, to) ? NULL : "this command has not written the file";
    if (what == NULL && is_image_name(to)) {
        bool before = false, after = false;
        tern_status s = holds_training(to, &before);
        if (s == TERN_OK && before) s = holds_training(from, &after);
        if (s != TERN_OK) return s;
        if (before && !after) what = "the image holds a training";
    }
    if (what == NULL) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER, to, 0, NULL, "%s, so it is not overwritten", what),
        "move it away, or give another folder");
    return TERN_ERR_IO;
}

/* Looks at everything before the first file is moved. */
static tern_status check_places(const tern_out_folder *f, tern_diags *diags)
{
    for (size_t i = 0; i < f->n_files; ++i) {
        char to[PATH_ROOM];
        struct stat info;
        snprintf(to, sizeof to, "%s/%s", f->dir, f->files[i].name);
        for (char *slash = to + strlen(f->dir) + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
            *slash = 0;
            if (stat(to, &info) == 0 && !S_ISDIR(info.st_mode)) return in_the_way(to, true, &info, diags);
            *slash = '/';
        }
        if (lstat(to, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))
            return in_the_way(to, false, &info, diags);
        if (stat(to, &info) != 0 || !S_ISREG(info.st_mode)) continue;
        char from[PATH_ROOM];
        snprintf(from, sizeof from, "%s/%s", f->making, f->files[i].name);
        const tern_status s = check_replaced(from, to, diags);
        if (s != TERN_OK) return s;
    }
    return TERN_OK;
}

static tern_status move_all(const tern_out_folder *f, tern_diags *diags)
{
    static const char hint[] =
        "files before it in the alphabet are new, the others are not: fix the cause and compile again";
    char from[PATH_ROOM], to[PATH_ROOM];
    for (size_t i = 0; i < f->n_files; ++i) {
        snprintf(from, sizeof from, "%s/%s", f->making, f->files[i].name);
        snprintf(to, sizeof to, "%s/%s", f->dir, f->files[i].name);
        for (char *slash = to + strlen(f->dir) + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
            *slash = 0;
            if (mkdir(to, 0777) != 0 && errno != EEXIST) return fault(diags, to, "cannot create the folder", hint);
            *slash = '/';
        }
        if (rename(from, to) != 0) return fault(diags, to, "cannot move the file into place", hint);
        const bool last = i + 1 == f->n_files; /* of its folder */
        if (!last) {
            const char *a = strrchr(f->files[i].name, '/'), *next = f->files[i + 1].name, *b = strrchr(next, '/');
            const size_t na = a != NULL ? (size_t)(a - f->files[i].name) : 0, nb = b != NULL ? (size_t)(b - next) : 0;
            if (na == nb && strncmp(f->files[i].name, next, na) == 0) continue;
        }
        if (!tern_file_sync_folder(to))
            return fault(diags, f->dir, "the folder cannot be brought to the disk", "check the disk");
    }
    return TERN_OK;
}

tern_status tern_out_finish(tern_out_folder *f, tern_arena *arena, tern_diags *diags)
{
    tern_status s = list(f, "", 0, arena, diags);
    if (s != TERN_OK) return s;
    qsort(f->files, f->n_files, sizeof f->files[0], by_name);
    if (!f->is_new) {
        s = check_places(f, diags);
        return s == TERN_OK ? move_all(f, diags) : s;
    }
    if (rename(f->making, f->dir) != 0) return fault(diags, f->dir, "cannot create the output folder", "");
    f->making[0] = 0;
    if (tern_file_sync_folder(f->dir)) return TERN_OK;
    return fault(diags, f->dir, "the folder is complete, but its name cannot be brought to the disk", "check the disk");
}

/* ---- cleaning up
 * ----------------------------------------------------------------------------------------------------------- */

static void remove_left(void *ud, const char *path, const char *rest)
{
    (void)ud, (void)rest;
    tern_remove_tree(path);
}

void tern_out_clean(const tern_out_folder *f)
{
    if (f->making[0] != 0) tern_remove_tree(f->making);
    tern_left_folders(f->dir, remove_left, NULL);
    DIR *d = opendir(f->dir);
    if (d == NULL) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char *end, path[PATH_ROOM];
        const long maker = strncmp(e->d_name, ".tmp-", 5) == 0 ? strtol(e->d_name + 5, &end, 10) : 0;
        if (maker <= 0 || *end != 0 || kill((pid_t)maker, 0) == 0 || errno != ESRCH) continue;
        const int n = snprintf(path, sizeof path, "%s/%s", f->dir, e->d_name);
        if (n > 0 && (size_t)n < sizeof path) tern_remove_tree(path);
    }
    closedir(d);
}
