/* tern_exp_child.c : see tern_exp_child.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_exp_child.h"
#include "tern_errors.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern_tool.h"

void tern_exp_command_begin(tern_exp_command *c, const char *executable)
{
    *c = (tern_exp_command){ .n = 1, .words = { executable } };
}

void tern_exp_command_add(tern_exp_command *c, const char *word)
{
    if (c->n == TERN_EXP_WORDS_MAX) {
        c->too_long = true;
        return;
    }
    c->words[c->n++] = word;
    c->words[c->n] = NULL;
}

void tern_exp_command_pair(tern_exp_command *c, const char *option, const char *value)
{
    tern_exp_command_add(c, option);
    if (value == NULL) c->too_long = true;
    else tern_exp_command_add(c, value);
}

/* What a shell takes as it stands. */
static bool plain(const char *word)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%";
    return word[0] != 0 && strspn(word, allowed) == strlen(word);
}

char *tern_exp_command_text(const tern_exp_command *c, tern_arena *arena)
{
    size_t bytes = 8;
    for (size_t i = 1; i < c->n; ++i) bytes += 4 * strlen(c->words[i]) + 4;
    char *text = tern_arena_get(arena, bytes, 1), *p = text;
    if (text == NULL) return NULL;
    memcpy(p, "tern", 4);
    p += 4;
    for (size_t i = 1; i < c->n; ++i) {
        const char *w = c->words[i];
        *p++ = ' ';
        /* $DIR at the beginning stands for the experiment's folder and is expanded by the shell; an apostrophe inside
         * apostrophes is '\'' */
        if (strncmp(w, "$DIR/", 5) == 0 && plain(w + 5)) {
            memcpy(p, w, strlen(w));
            p += strlen(w);
            continue;
        }
        const bool quote = !plain(w);
        if (quote) *p++ = '\'';
        for (; *w != 0; ++w)
            if (*w == '\'') {
                memcpy(p, "'\\''", 4);
                p += 4;
            } else *p++ = *w;
        if (quote) *p++ = '\'';
    }
    *p = 0;
    return text;
}

tern_status tern_exp_executable(char *out, size_t bytes, tern_diags *diags)
{
    /* The link, not where it leads: it is this executable even after another one was put in its place, as a new build
     * does. */
    static const char link[] = "/proc/self/exe";
    if (access(link, X_OK) != 0 || bytes < sizeof link) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_EXECUTABLE, link, 0, NULL,
                                      "this executable cannot be found: %s", strerror(errno)),
                       "an experiment runs this executable again: is /proc mounted?");
        return TERN_ERR_TOOL;
    }
    memcpy(out, link, sizeof link);
    return TERN_OK;
}

/* Puts a file at descriptor `as`. */
static bool redirect(const char *path, int flags, int as)
{
    const int fd = open(path, flags, 0666);
    if (fd < 0 || fd == as) return fd == as;
    const bool ok = dup2(fd, as) == as;
    close(fd);
    return ok;
}

/* The child until it is another program. Only returns when something fails, errno tells what. */
static void become(const tern_exp_command *c, const char *out_path, const char *err_path, pid_t parent)
{
    char *words[TERN_EXP_WORDS_MAX + 1];
    sigset_t none;
    memcpy(words, c->words, (c->n + 1) * sizeof words[0]); /* execv does not write to them */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setpgid(0, 0) != 0) return;
    setenv("TERN_RANKS", "alone", 1); /* an experiment on several ranks starts programs of one */
#ifdef __linux__
    /* The experiment may be killed without a chance to ask its children to end: then the kernel asks. It does so only
     * for what happens from here on, so look once. */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return;
#endif
    if (getppid() != parent) _exit(128 + SIGTERM);
    if (!redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
        !redirect(out_path, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) ||
        !redirect(err_path, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO))
        return;
    execv(words[0], words);
}

/* Returns when the child has become the command: 0, or why it could not. posix_spawn() cannot tie a child to its
 * parent's life. */
static int spawn(const tern_exp_command *c, const char *out_path, const char *err_path, pid_t *out_pid)
{
    int told[2], error = 0; /* the child's end closes when the command takes over; before, errno may come through */
    if (c->too_long) return E2BIG;
    if (pipe(told) != 0) return errno;
    fcntl(told[0], F_SETFD, FD_CLOEXEC);
    fcntl(told[1], F_SETFD, FD_CLOEXEC);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        become(c, out_path, err_path, parent);
        error = errno;
        _exit(write(told[1], &error, sizeof error) == (ssize_t)sizeof error ? 127 : 126);
    }
    if (pid < 0) error = errno;
    close(told[1]);
    if (pid > 0) {
        ssize_t n;
        while ((n = read(told[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
        if (n != (ssize_t)sizeof error) error = 0;
        else
            while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    }
    close(told[0]);
    *out_pid = pid;
    return error;
}

tern_status tern_exp_child_start(const tern_exp_command *c, const char *out_path, const char *err_path, pid_t *out_pid,
                                 tern_diags *diags)
{
    *out_pid = 0;
    pid_t pid = 0;
    if (tern_tool_started != NULL) tern_tool_started(c->words);
    const int error = spawn(c, out_path, err_path, &pid);
    if (error == 0) {
        *out_pid = pid;
        return TERN_OK;
    }
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_COMMAND, NULL, 0,
                                  c->n > 1 ? c->words[1] : NULL, "a command of the experiment cannot be started: %s",
                                  strerror(error)),
                   "memory, number of processes, and space in the experiment's folder?");
    return TERN_ERR_TOOL;
}

tern_exp_end tern_exp_child_poll(pid_t pid, int *out_status)
{
    int status = 0;
    const pid_t w = waitpid(pid, &status, WNOHANG);
    if (w == 0 || (w < 0 && errno == EINTR)) return TERN_EXP_RUNNING;
    *out_status = w < 0               ? 127
                  : WIFEXITED(status) ? WEXITSTATUS(status)
                                      : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return *out_status == 0 ? TERN_EXP_DONE : TERN_EXP_FAILED;
}

void tern_exp_child_ask(pid_t pid) { kill(-pid, SIGTERM); }

void tern_exp_child_pause(void)
{
    const struct timespec t = { .tv_nsec = 5 * 1000 * 1000 };
    nanosleep(&t, NULL);
}
