/* tern_trials_folder.c : the folder of a table of trainings: its files, who may use it, what it was made with
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_trials.h"
#include "tern_errors.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern_interrupt.h"

char *tern_exp_text(tern_arena *arena, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return n < 0 || (size_t)n >= sizeof text ? NULL : tern_arena_strdup(arena, text);
}

enum { JSON_BYTES_MAX = 64 << 20 };

tern_status tern_exp_save_json(const json_t *value, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    tern_status s = value == NULL || tern_json_faults() != 0 ? TERN_ERR_MEMORY : tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    const bool ok = tern_json_write(value, w.f, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) && fputc('\n', w.f) != EOF;
    if (!ok) {
        tern_file_abort(&w);
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, NULL, "the file cannot be written"),
            "check its permissions and the space left");
        return TERN_ERR_IO;
    }
    return tern_file_commit(&w, diags);
}

tern_status tern_exp_load_json(const char *path, json_t **out, tern_diags *diags)
{
    struct stat info;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_alloc alloc = tern_alloc_default();
    *out = NULL;
    if (stat(path, &info) != 0 && errno == ENOENT) return TERN_OK;
    const tern_status s = tern_file_read(path, JSON_BYTES_MAX, alloc, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    json_error_t why;
    const unsigned long before = tern_json_faults();
    *out = tern_json_load((const char *)bytes, size, JSON_REJECT_DUPLICATES, &why);
    alloc.fn(alloc.ud, bytes, 0);
    if (tern_json_faults() != before) return TERN_ERR_MEMORY; /* which is no damage of the file */
    if (json_is_object(*out)) return TERN_OK;
    tern_diag *diag =
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_DAMAGED, path, *out == NULL ? why.line : 1, NULL,
                       "damaged: %s", *out == NULL ? why.text : "no JSON object");
    const char *slash = strrchr(path, '/');
    if (slash != NULL &&
        strstr(path, "/parts/") == NULL) /* without it nobody knows what the folder's trainings were made with */
        tern_diag_hint(diag, "it describes the trainings in the folder: remove the folder %.*s, or give another one",
                       (int)(slash - path), path);
    else tern_diag_hint(diag, "remove this file; what it held is made again");
    json_decref(*out);
    *out = NULL;
    return TERN_ERR_FORMAT;
}

tern_status tern_exp_make_folder(const char *path, tern_diags *diags)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_FOLDER, path, 0, "-o",
                                  "the folder cannot be made: %s",
                                  errno == EEXIST ? "there is a file of this name" : strerror(errno)),
                   "name a folder that is new or of an earlier run; the folder it is in must exist");
    return TERN_ERR_IO;
}

/* ---- settings ---- */

bool tern_trials_other_seeds(const json_t *now, const json_t *before)
{
    return before == NULL || !json_equal(json_object_get(now, "seeds"), json_object_get(before, "seeds"));
}

tern_status tern_trials_compare(json_t *now, json_t *before, const char *path, const char *kind, bool made_data,
                                tern_diags *diags)
{
    const char *key, *slash = strrchr(path, '/'), *file = slash == NULL ? path : slash + 1;
    const int folder = slash == NULL ? 0 : (int)(slash - path);
    json_t *value;
    json_object_foreach(now, key, value)
    {
        json_t *old = json_object_get(before, key);
        if (old != NULL && (strcmp(key, "seeds") == 0 || json_equal(value, old))) continue;
        char *a = tern_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY),
             *b = old == NULL ? NULL : tern_json_dump(old, JSON_COMPACT | JSON_ENCODE_ANY);
        tern_diag *diag = tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_OTHER, path, 0, key,
                                         "this folder holds %s with other settings: %s is %.120s, there it is %.120s",
                                         kind, key, a ? a : "?", b ? b : "not given");
        if (made_data && (strcmp(key, "train_data") == 0 || strcmp(key, "test_data") == 0))
            tern_diag_hint(
                diag, "the recordings in %.*s/data were changed or damaged: remove that folder, they are made again",
                folder, path);
        else
            tern_diag_hint(
                diag, "give the same settings to continue with it, or another folder; `%s` lists its settings", file);
        free(a);
        free(b);
        return TERN_ERR_ARGUMENT;
    }
    return TERN_OK;
}

/* ---- the folder
 * ------------------------------------------------------------------------------------------------------------------ */

enum { LOCK_TRIES = 400 }; /* 2 s: what the children of a killed table need to save and end */

/* Has the process of this number the file open? */
static bool has_open(const char *pid, const char *file)
{
    char name[600], to[PATH_MAX];
    snprintf(name, sizeof name, "/proc/%.20s/fd", pid);
    DIR *d = opendir(name); /* of other users: NULL */
    bool found = false;
    for (const struct dirent *entry; d != NULL && !found && (entry = readdir(d)) != NULL;) {
        snprintf(name, sizeof name, "/proc/%.20s/fd/%.255s", pid, entry->d_name);
        const ssize_t n = readlink(name, to, sizeof to);
        found = n > 0 && (size_t)n == strlen(file) && memcmp(to, file, (size_t)n) == 0;
    }
    if (d != NULL) closedir(d);
    return found;
}

/* The processes that hold a lock, as "123 124": the experiment, and children that inherited the lock. "": none that can
 * be seen. */
static void holders(const char *lock, char *out, size_t bytes)
{
    char *file = realpath(lock, NULL), own[24];
    DIR *d = file == NULL ? NULL : opendir("/proc");
    size_t n = 0;
    out[0] = 0;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    for (const struct dirent *entry; d != NULL && n + 24 < bytes && (entry = readdir(d)) != NULL;)
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) && strcmp(entry->d_name, own) != 0 &&
            has_open(entry->d_name, file))
            n += (size_t)snprintf(out + n, bytes - n, "%s%.20s", n != 0 ? " " : "", entry->d_name);
    if (d != NULL) closedir(d);
    free(file);
}

/* One table at a time. Children inherit the lock: as long as one of them writes, nobody else does. */
static tern_status lock_folder(const char *dir, const char *kind, tern_arena *arena, int *out_lock, tern_diags *diags)
{
    char *path = tern_exp_text(arena, "%s/lock", dir), who[200];
    if (path == NULL) return TERN_ERR_MEMORY;
    *out_lock = open(path, O_RDWR | O_CREAT, 0666);
    bool busy = *out_lock >= 0;
    for (int i = 0; busy && i < LOCK_TRIES && !tern_interrupted(); ++i) {
        if (flock(*out_lock, LOCK_EX | LOCK_NB) == 0) return TERN_OK;
        busy = errno == EWOULDBLOCK;
        if (busy) tern_exp_child_pause();
    }
    if (!busy) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_FOLDER, dir, 0, "-o",
                                      "the folder cannot be used: %s", strerror(errno)),
                       "check its permissions and the space left");
        return TERN_ERR_IO;
    }
    holders(path, who, sizeof who);
    tern_diag *diag = tern_diags_add(
        diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_BUSY, dir, 0, "-o",
        "another %s is running in this folder, or commands that one left; its lock is held by %s%s", kind,
        who[0] == 0                ? "a process that cannot be seen"
        : strchr(who, ' ') != NULL ? "processes "
                                   : "process ",
        who);
    if (who[0] == 0) tern_diag_hint(diag, "wait for it, or give another folder");
    else
        tern_diag_hint(diag, "wait for it, stop it with 'kill %s' (what is finished is kept), or give another folder",
                       who);
    return TERN_ERR_IO;
}

/* A folder with other things in it is not ours to write into; `lock`, `parts` and `data` are all that a table leaves
 * which was stopped at once. */
static tern_status check_folder(const char *dir, const char *settings_path, const char *kind, tern_diags *diags)
{
    struct stat info;
    DIR *d = stat(settings_path, &info) == 0 ? NULL : (errno = 0, opendir(dir));
    if (d == NULL && errno == ENOMEM) return TERN_ERR_MEMORY;
    if (d == NULL) return TERN_OK; /* ours, or no folder: making it will tell more */
    bool foreign = false;
    for (const struct dirent *entry; !foreign && (entry = readdir(d)) != NULL;) {
        static const char *const own[] = { ".", "..", "lock", "parts", "data" };
        foreign = true;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) foreign = foreign && strcmp(entry->d_name, own[i]) != 0;
    }
    closedir(d);
    if (!foreign) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_FOLDER, dir, 0, "-o",
                                  "the folder is not empty and holds no %s", kind),
                   "name a new folder");
    return TERN_ERR_IO;
}

tern_status tern_trials_folder(const char *dir, const char *file, const char *kind, tern_arena *arena, int *out_lock,
                               tern_diags *diags)
{
    const char *settings_path = tern_exp_text(arena, "%s/%s", dir, file),
               *parts = tern_exp_text(arena, "%s/parts", dir), *data = tern_exp_text(arena, "%s/data", dir);
    *out_lock = -1;
    if (settings_path == NULL || parts == NULL || data == NULL) return TERN_ERR_MEMORY;
    tern_status s = check_folder(dir, settings_path, kind, diags);
    if (s == TERN_OK) s = tern_exp_make_folder(dir, diags);
    if (s == TERN_OK) s = lock_folder(dir, kind, arena, out_lock, diags);
    if (s == TERN_OK) s = tern_exp_make_folder(parts, diags);
    return s == TERN_OK ? tern_exp_make_folder(data, diags) : s;
}
