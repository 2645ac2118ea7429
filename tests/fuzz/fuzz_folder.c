/* fuzz_folder.c : files for interfaces that take names: a folder in memory, removed at exit
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include "fuzz.h"

static char folder[300];
static int back = -1;
static pid_t owner;

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static void leave(void)
{
    if (getpid() != owner || fchdir(back) != 0) return;
    (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void fuzz_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    struct stat info;
    if (owner != 0) return;
    if (stat("/dev/shm", &info) == 0 && access("/dev/shm", W_OK) == 0) tmp = "/dev/shm";
    snprintf(folder, sizeof folder, "%s/tern-fuzz-XXXXXX",
             tmp != NULL && tmp[0] != 0 && strlen(tmp) < 200 ? tmp : "/tmp");
    back = open(".", O_RDONLY | O_DIRECTORY);
    if (back < 0 || mkdtemp(folder) == NULL) abort();
    owner = getpid();
    atexit(leave);
}

/* libFuzzer works in the current folder itself (corpus, crashes); so every call goes there and back. */
void fuzz_put(const char *name, const void *bytes, size_t size)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0) abort();
}

void fuzz_enter(void)
{
    fuzz_folder();
    if (chdir(folder) != 0) abort();
}

void fuzz_leave(void)
{
    if (fchdir(back) != 0) abort();
}
