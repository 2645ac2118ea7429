/* tern_cli_files.c : see tern_cli_files.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_files.h"
#include "tern_errors.h"
#include "tern_json.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"

/* A file by device and inode; one that does not exist yet by its folder's and its name there. */
typedef struct identity {
    bool known, exists;
    dev_t device;
    ino_t inode;
    const char *name;
} identity;

static identity identify(const char *path)
{
    struct stat info;
    identity id = { .exists = stat(path, &info) == 0 };
    if (!id.exists) {
        char folder[PATH_MAX] = ".";
        const char *slash = strrchr(path, '/');
        /* with the '/', so that it works for the root too */
        const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
        if (n >= sizeof folder) return id;
        if (n != 0) {
            memcpy(folder, path, n);
            folder[n] = 0;
        }
        id.name = path + n;
        if (stat(folder, &info) != 0) return id;
    }
    id.known = true;
    id.device = info.st_dev;
    id.inode = info.st_ino;
    return id;
}

bool tern_cli_same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    const identity x = identify(a), y = identify(b);
    return x.known && y.known && x.exists == y.exists && x.device == y.device && x.inode == y.inode &&
           (x.exists || strcmp(x.name, y.name) == 0);
}

bool tern_cli_names_clash(const tern_cli_name *written, size_t n_written, const tern_cli_name *read, size_t n_read,
                          char *text, size_t bytes)
{
    for (size_t w = 0; w < n_written; ++w) {
        if (written[w].path == NULL) continue;
        for (size_t r = 0; r < n_read; ++r)
            if (read[r].path != NULL && tern_cli_same_file(written[w].path, read[r].path) &&
                !(w == 0 && read[r].may_be_first)) {
                snprintf(text, bytes, "%s would overwrite %s, %.200s", written[w].option, read[r].option, read[r].path);
                return true;
            }
        for (size_t v = 0; v < w; ++v)
            if (written[v].path != NULL && tern_cli_same_file(written[w].path, written[v].path)) {
                snprintf(text, bytes, "%s and %s name the same file, %.200s", written[w].option, written[v].option,
                         written[w].path);
                return true;
            }
    }
    return false;
}

/* "-o", "--wave", "W"; a network and an image by what they are. */
static const char *name_of(const tern_arg *a, char to[3])
{
    if (a->letter != 0) return snprintf(to, 3, "-%c", a->letter), to;
    if (strstr(a->name, "IMAGE") != NULL) return "the network";
    return a->what == TERN_WHAT_FILE && strcmp(a->name, "OUT.tern") == 0 ? "the image" : a->name;
}

int tern_cli_outputs_clash(const tern_args *args)
{
    enum { MOST = 64 };
    tern_cli_name written[MOST], read[MOST];
    char letters[MOST][3], text[600];
    size_t n_written = 0, n_read = 0;
    for (size_t i = 0; i < args->n && i < MOST; ++i) {
        const tern_arg *a = &args->list[i];
        if (a->kind != TERN_ARG_STRING || a->out == NULL) continue;
        const tern_cli_name name = { name_of(a, letters[i]), *(const char *const *)a->out, false };
        if (a->what == TERN_WHAT_OUT) written[n_written++] = name;
        if (a->what == TERN_WHAT_FILE || a->what == TERN_WHAT_DATA) read[n_read++] = name;
    }
    if (!tern_cli_names_clash(written, n_written, read, n_read, text, sizeof text)) return -1;
    return tern_args_wrong(args, TERN_ERROR_USAGE, "%s; give another name", text);
}

tern_status tern_cli_replaceable(const char *path, const char *option, const tern_cli_kind *kind, tern_diags *diags)
{
    struct stat info;
    if (stat(path, &info) != 0) return TERN_OK;
    const bool folder = S_ISDIR(info.st_mode);
    if (!folder && (!S_ISREG(info.st_mode) || info.st_size == 0)) return TERN_OK;
    char head[128] = { 0 };
    const size_t want = kind->skip + kind->n;
    if (!folder && want <= sizeof head && tern_file_head(path, head, want) == (int)want &&
        memcmp(head + kind->skip, kind->begin, kind->n) == 0)
        return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, path, 0, option,
                                  folder ? "this is a folder, not %s" : "there is a file of this name that is not %s",
                                  kind->what),
                   "move it away, or choose another name");
    return TERN_ERR_IO;
}

tern_status tern_cli_log_fault(const char *path, const char *option, tern_diags *diags)
{
    const int code = errno;
    const char *why = tern_json_faults() != 0 ? tern_json_why() : strerror(code);
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_LOG, path, 0, option, "the log cannot be written: %s", why),
        "check its folder, its rights and the space left");
    return TERN_ERR_IO;
}

tern_status tern_cli_side_file(const char *path, const char *begin, const char *option, tern_diags *diags)
{
    struct stat info;
    if (stat(path, &info) != 0) return TERN_OK;
    char head[16] = { 0 };
    const int n = S_ISREG(info.st_mode) ? tern_file_head(path, head, strlen(begin)) : 0;
    if (n == (int)strlen(begin) && memcmp(head, begin, strlen(begin)) == 0) return TERN_OK;
    tern_diag_hint(
        tern_diags_add(
            diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, path, 0, option,
            "there is a file or folder of this name that tern train did not write; it would be replaced or removed"),
        "move it away, or choose another name for the image");
    return TERN_ERR_IO;
}

tern_status tern_cli_not_a_recording(const tern_cli_name *written, size_t n_written, const tern_dataset *set,
                                     tern_diags *diags)
{
    for (size_t w = 0; w < n_written; ++w)
        for (size_t r = 0; r < set->n && written[w].path != NULL; ++r)
            if (tern_cli_same_file(written[w].path, set->paths[r])) {
                tern_diag_hint(
                    tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, set->paths[r], 0, written[w].option,
                                   "%.200s is one of the recordings, and would be overwritten", written[w].path),
                    "give another name");
                return TERN_ERR_IO;
            }
    return TERN_OK;
}

/* Nothing that could be lost: no such file, an empty one, a device such as a terminal, or an earlier log. */
static bool is_log(const char *path, const char *begin)
{
    char head[64];
    const size_t want = strlen(begin);
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || want > sizeof head) return true;
    const int n = tern_file_head(path, head, want);
    if (n < 0 && (errno == EACCES || errno == EPERM)) return true; /* opening it for writing will tell why */
    return n == (int)want && memcmp(head, begin, want) == 0;
}

tern_status tern_cli_log_check(const char *path, const char *option, const char *begin, tern_diags *diags)
{
    if (!is_log(path, begin)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_LOG, path, 0, option,
                                      "there is a file of this name that is not a log of this kind"),
                       "delete it, or choose another name");
        return TERN_ERR_IO;
    }
    struct stat info;
    /* opening a pipe would wait for its reader */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_LOG, path, 0, option,
                                      "this is %s, not a regular file",
                                      S_ISDIR(info.st_mode) ? "a folder" : "a pipe, socket or disk"),
                       "give the name of a file");
        return TERN_ERR_IO;
    }
    return TERN_OK;
}
