/* tern_tool.c : see tern_tool.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tool gets a process group of its own, so that an interrupt ends it with all its children: compilers leave some.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "tern_tool.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern_interrupt.h"
#include "tern_progress.h"

extern char **environ;

void (*tern_tool_started)(const char *const *argv);

static const double PATIENCE_S = 3.0; /* between asking to end and ending */

static bool kept_from_tool(const char *entry)
{
    static const char *const names[] = { "MAKEFLAGS",   "MFLAGS",   "MAKELEVEL", "MAKEOVERRIDES", "GNUMAKEFLAGS",
                                         "CPPFLAGS",    "CXXFLAGS", "CFLAGS",    "LDFLAGS",       "LDLIBS",
                                         "OPT",         "OPT_FAST", "OPT_SLOW",  "OPT_GLOBAL",    "VM_PREFIX",
                                         "TARGET_ARCH", "VPATH" };
    const size_t n = strcspn(entry, "=");
    /* abc in Yosys takes no blanks there: without it tools use /tmp */
    if (strncmp(entry, "TMPDIR=", 7) == 0 && strpbrk(entry, " \t\n") != NULL) return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strlen(names[i]) == n && memcmp(names[i], entry, n) == 0) return true;
    return false;
}

/* A copy of the environment without what would change the build; free it. */
static char **tool_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n] != NULL) ++n;
    char **list = calloc(n + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < n; ++i)
        if (!kept_from_tool(environ[i])) list[kept++] = environ[i];
    return list;
}

static tern_tool_files all_to(const char *log) { return (tern_tool_files){ "/dev/null", log, NULL }; }

/* 0 or an errno value. */
static int start(const char *const *argv, const char *dir, const tern_tool_files *to, char **environment,
                 pid_t *out_pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char *words[640];
    size_t n = 0;
    for (; argv[n] != NULL; ++n) {
        if (n + 1 == sizeof words / sizeof words[0]) return E2BIG;
        memcpy(&words[n], &argv[n], sizeof words[n]); /* posix_spawn does not write to them */
    }
    words[n] = NULL;
    if (tern_tool_started != NULL) tern_tool_started(argv);
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&attributes, 0);
        error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, to->in, O_RDONLY, 0);
        if (error == 0)
            error =
                posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, to->out, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (error == 0)
            error = to->err == NULL ? posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
                                    : posix_spawn_file_actions_addopen(&files, STDERR_FILENO, to->err,
                                                                       O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (error == 0) error = posix_spawn_file_actions_addchdir_np(&files, dir);
        if (error == 0) error = posix_spawnp(out_pid, words[0], &files, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

tern_tool_end tern_tool_run(const char *const *argv, const char *dir, const char *log, void (*poll)(void *ud), void *ud)
{
    const tern_tool_files to = all_to(log);
    return tern_tool_run_files(argv, dir, &to, poll, ud);
}

tern_tool_end tern_tool_run_files(const char *const *argv, const char *dir, const tern_tool_files *to,
                                  void (*poll)(void *ud), void *ud)
{
    pid_t pid = -1;
    char **environment = tool_environment();
    if (environment == NULL) return TERN_TOOL_FAILED;
    const int error = start(argv, dir, to, environment, &pid);
    free(environment);
    if (error != 0) return error == ENOENT ? TERN_TOOL_MISSING : TERN_TOOL_FAILED;
    double asked_s = 0;
    for (int status = 0;;) {
        const pid_t w = waitpid(pid, &status, WNOHANG);
        if (w == pid || (w < 0 && errno != EINTR)) {
            if (asked_s > 0) {
                kill(-pid, SIGKILL); /* children that did not end with it */
                return TERN_TOOL_INTERRUPTED;
            }
            return w == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? TERN_TOOL_DONE : TERN_TOOL_FAILED;
        }
        if (tern_interrupted()) {
            if (asked_s <= 0) {
                asked_s = tern_clock_s();
                kill(-pid, SIGTERM);
            } else if (tern_clock_s() - asked_s > PATIENCE_S) kill(-pid, SIGKILL);
        }
        if (poll != NULL) poll(ud);
        const struct timespec t = { .tv_nsec = 20 * 1000 * 1000 };
        nanosleep(&t, NULL);
    }
}
