/* tern_cli_train_names.c : do the files that a training reads and writes get into each other's way?
 * SPDX-License-Identifier: Apache-2.0
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "tern_cli_train.h"

/* A file by device and inode; one that does not exist yet by its folder's and its name there. */
typedef struct identity {
    bool        known, exists;
    dev_t       device;
    ino_t       inode;
    const char *name;
} identity;

static identity identify(const char *path)
{
    struct stat info;
    identity id = { .exists = stat(path, &info) == 0 };
    if (!id.exists) {
        char folder[PATH_MAX] = ".";
        const char *slash = strrchr(path, '/');
        const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1; /* with the '/', so that it works for the root too */
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

static bool same(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    const identity x = identify(a), y = identify(b);
    return x.known && y.known && x.exists == y.exists && x.device == y.device && x.inode == y.inode && (x.exists || strcmp(x.name, y.name) == 0);
}

bool tern_train_names_clash(const tern_train_names *n, char *text, size_t bytes)
{
    const struct { const char *option, *path; } written[] = { { "-o", n->out }, { "-o (its .reference file)", n->reference }, { "--log", n->log } },
                                                read[] = { { "the network", n->net }, { "--data", n->data } };
    enum { WRITTEN = sizeof written / sizeof *written, READ = sizeof read / sizeof *read };
    const bool goes_on = n->resume && !tern_cli_is_script(n->net); /* then the image is both, and meant to be */
    for (size_t w = 0; w < WRITTEN; ++w) {
        if (written[w].path == NULL) continue;
        for (size_t r = 0; r < READ; ++r)
            if (same(written[w].path, read[r].path) && !(w == 0 && r == 0 && goes_on)) {
                snprintf(text, bytes, "%s would overwrite %s, %.200s%s", written[w].option, read[r].option, read[r].path,
                         w == 0 && r == 0 && !tern_cli_is_script(n->net) ? "; give another name, or --resume to go on with that image" : "; give another name");
                return true;
            }
        for (size_t v = 0; v < w; ++v)
            if (written[v].path != NULL && same(written[w].path, written[v].path)) {
                snprintf(text, bytes, "%s and %s name the same file, %.200s", written[w].option, written[v].option, written[w].path);
                return true;
            }
    }
    return false;
}
