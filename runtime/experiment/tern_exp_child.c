/* tern_exp_child.c : see tern_exp_child.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_exp_child.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

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
        /* $DIR at the beginning stands for the experiment's folder and is expanded by the shell; an apostrophe inside apostrophes is '\'' */
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
    /* The link, not where it leads: it is this executable even after another one was put in its place, as a new build does. */
    static const char link[] = "/proc/self/exe";
    if (access(link, X_OK) != 0 || bytes < sizeof link) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 757, link, 0, NULL, "this executable cannot be found: %s", strerror(errno)), "an experiment runs this executable again: is /proc mounted?");
        return TERN_ERR_TOOL;
    }
    memcpy(out, link, sizeof link);
    return TERN_OK;
}

tern_status tern_exp_child_start(const tern_exp_command *c, const char *out_path, const char *err_path, pid_t *out_pid, tern_diags *diags)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char *words[TERN_EXP_WORDS_MAX + 1];
    memcpy(words, c->words, (c->n + 1) * sizeof words[0]); /* posix_spawn does not write to them */
    int error = c->too_long ? E2BIG : posix_spawn_file_actions_init(&files);
    if (error == 0) {
        error = posix_spawnattr_init(&attributes);
        if (error == 0) {
            sigset_t none;
            sigemptyset(&none);
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
            posix_spawnattr_setpgroup(&attributes, 0);
            posix_spawnattr_setsigmask(&attributes, &none);
            error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
            if (error == 0) error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
            if (error == 0) error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
            if (error == 0) error = posix_spawn(out_pid, words[0], &files, &attributes, words, environ);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&files);
    }
    if (error == 0) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 752, NULL, 0, c->n > 1 ? c->words[1] : NULL, "a command of the experiment cannot be started: %s", strerror(error)),
                   "memory, number of processes, and space in the experiment's folder?");
    return TERN_ERR_TOOL;
}

tern_exp_end tern_exp_child_poll(pid_t pid, int *out_status)
{
    int status = 0;
    const pid_t w = waitpid(pid, &status, WNOHANG);
    if (w == 0 || (w < 0 && errno == EINTR)) return TERN_EXP_RUNNING;
    *out_status = w < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return *out_status == 0 ? TERN_EXP_DONE : TERN_EXP_FAILED;
}

void tern_exp_child_ask(pid_t pid) { kill(-pid, SIGTERM); }

void tern_exp_child_pause(void)
{
    const struct timespec t = { .tv_nsec = 5 * 1000 * 1000 };
    nanosleep(&t, NULL);
}
