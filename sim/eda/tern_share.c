/* tern_share.c : see tern_share.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * TERN_SHARE_RELATIVE: the installed folder seen from that of the program; TERN_SHARE_INSTALLED: its full path;
 * TERN_SHARE_BUILD, TERN_SHARE_SOURCE: the folder of the build and its source tree. A program that has left the build
 * folder
 * never looks at the latter, which may belong to anybody then.
 */
#define _XOPEN_SOURCE 700
#include "tern_share.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool lies_in(const char *path, const char *folder)
{
    char real[PATH_MAX];
    if (realpath(folder, real) == NULL) return false;
    const size_t n = strlen(real);
    return strncmp(path, real, n) == 0 && path[n] == '/';
}

/* Beside the program: found if it is there. */
static bool beside(const char *program, char *out)
{
    char path[PATH_MAX + sizeof TERN_SHARE_RELATIVE + 32];
    const char *slash = strrchr(program, '/');
    if (slash == NULL) return false;
    snprintf(path, sizeof path, "%.*s/%s/rtl/tern_core.f", (int)(slash - program), program, TERN_SHARE_RELATIVE);
    if (access(path, F_OK) != 0) return false;
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - program), program, TERN_SHARE_RELATIVE);
    return realpath(path, out) != NULL;
}

const char *tern_share_folder(bool *out_named)
{
    static char found[PATH_MAX];
    char program[PATH_MAX];
    const char *named = getenv("TERN_SHARE");
    const bool is_named = named != NULL && named[0] != 0;
    if (out_named != NULL) *out_named = is_named;
    if (is_named) return named;
    if (realpath("/proc/self/exe", program) == NULL) return TERN_SHARE_INSTALLED;
    if (beside(program, found)) return found;
    return lies_in(program, TERN_SHARE_BUILD) ? TERN_SHARE_SOURCE : TERN_SHARE_INSTALLED;
}
