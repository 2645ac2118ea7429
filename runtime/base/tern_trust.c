/* tern_trust.c : see tern_trust.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include "tern_trust.h"
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char tern_trust_hint[] =
    "its contents would run with your rights: change owner and permissions (chown, chmod go-w), or use another folder";

/* Root, the user, and everybody who could have put another program in this one's place: its owner and the owners of the
 * folders above it. */
static bool trusted_user(uid_t user)
{
    static char program[PATH_MAX];
    static bool asked;
    struct stat info;
    char part[PATH_MAX];
    if (user == 0 || user == geteuid()) return true;
    if (!asked && realpath("/proc/self/exe", program) == NULL) program[0] = 0;
    asked = true;
    for (size_t i = 1; program[0] != 0 && i <= strlen(program); ++i) {
        if (program[i] != '/' && program[i] != 0) continue;
        memcpy(part, program, i);
        part[i] = 0;
        if (lstat(part, &info) == 0 && info.st_uid == user) return true;
    }
    return false;
}

/* The group that holds nobody but the user: of the user's name, with no other members. */
static bool own_group(gid_t group)
{
    char name[256];
    if (group == 0) return true; /* root's */
    const struct passwd *user = getpwuid(geteuid());
    if (user == NULL || user->pw_gid != group || strlen(user->pw_name) >= sizeof name) return false;
    snprintf(name, sizeof name, "%s", user->pw_name);
    const struct group *g = getgrgid(group);
    if (g == NULL || strcmp(g->gr_name, name) != 0) return false;
    for (char **member = g->gr_mem; *member != NULL; ++member)
        if (strcmp(*member, name) != 0) return false;
    return true;
}

static bool part_is_trusted(const char *part, bool last, char *why, size_t bytes)
{
    struct stat info;
    if (lstat(part, &info) != 0) {
        snprintf(why, bytes, "'%s' cannot be examined (%s)", part, strerror(errno));
        return false;
    }
    if (S_ISLNK(info.st_mode)) {
        snprintf(why, bytes, "'%s' is a symbolic link", part);
        return false;
    }
    if (!trusted_user(info.st_uid)) {
        snprintf(why, bytes, "'%s' belongs to another user (number %lu)", part, (unsigned long)info.st_uid);
        return false;
    }
    const bool group = (info.st_mode & S_IWGRP) != 0 && !own_group(info.st_gid), others = (info.st_mode & S_IWOTH) != 0;
    const bool sticky = !last && S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) != 0;
    if ((group || others) && !sticky) {
        snprintf(why, bytes, "'%s' can be written by %s (mode %04o)", part, others ? "everybody" : "its group",
                 (unsigned)(info.st_mode & 07777));
        return false;
    }
    return true;
}

bool tern_trusted(const char *path, char *why, size_t bytes)
{
    char part[PATH_MAX];
    const size_t n = strlen(path);
    if (path[0] != '/' || n >= sizeof part) {
        snprintf(why, bytes, "its name is too long");
        return false;
    }
    for (size_t i = 0; i <= n; ++i) {
        if (path[i] != '/' && path[i] != 0) continue;
        const size_t length = i == 0 ? 1 : i;
        memcpy(part, path, length);
        part[length] = 0;
        if (!part_is_trusted(part, path[i] == 0, why, bytes)) return false;
    }
    return true;
}

bool tern_trusted_file(const char *path, char *why, size_t bytes)
{
    char *real = realpath(path, NULL);
    if (real == NULL) {
        snprintf(why, bytes, "'%s' cannot be examined (%s)", path, strerror(errno));
        return false;
    }
    const bool good = tern_trusted(real, why, bytes);
    free(real);
    return good;
}

tern_status tern_trust_check(const char *path, const char *what, tern_diags *diags)
{
    enum { E_TRUST = 615 };
    char why[1024 + 256];
    if (tern_trusted_file(path, why, sizeof why)) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_TRUST, path, 0, NULL,
                                  "%s is not used, other users could have changed it: %s", what, why),
                   "%s", tern_trust_hint);
    return TERN_ERR_IO;
}
