/* tern_leftover.c : see tern_leftover.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_leftover.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void tern_left_folders(const char *dir, void (*found)(void *ud, const char *path, const char *rest), void *ud)
{
    char above[PATH_MAX], path[PATH_MAX + 300];
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/') --n;
    size_t at = n;
    while (at > 0 && dir[at - 1] != '/') --at;
    if (n >= sizeof above) return;
    snprintf(above, sizeof above, "%.*s", at == 0 ? 1 : (int)at, at == 0 ? "." : dir);
    DIR *d = opendir(above);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const char *rest = e->d_name + (n - at);
        char *end = NULL;
        if (strncmp(e->d_name, dir + at, n - at) != 0 || strncmp(rest, ".tmp-", 5) != 0) continue;
        const long maker = strtol(rest + 5, &end, 10);
        if (maker <= 0 || (*end != 0 && strcmp(end, ".old") != 0)) continue;
        if (kill((pid_t)maker, 0) == 0 || errno != ESRCH) continue;
        snprintf(path, sizeof path, "%.*s%.255s", (int)at, dir, e->d_name);
        found(ud, path, end);
    }
    if (d != NULL) closedir(d);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void tern_remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
