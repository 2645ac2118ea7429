/* tern_plot_run.c : runs gnuplot, with its commands on its input and the drawings on its output: nothing in the file
 * system
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern_patience.h"
#include "tern_plot_internal.h"
#include "tern_errors.h"

extern char **environ;

enum { OUTPUT_MAX = 256 << 20, MESSAGE_MAX = 4096 };

static void close_one(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* A copy of the environment without gnuplot's own settings and with a plain locale: they would change the drawings.
 * Free it. */
static char **quiet_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t n = 0, kept = 0;
    while (environ[n] != NULL) ++n;
    char **list = calloc(n + 2, sizeof *list);
    if (list == NULL) return NULL;
    for (size_t i = 0; i < n; ++i) {
        const char *e = environ[i];
        if (strncmp(e, "GNU", 3) != 0 && strncmp(e, "GDFONTPATH=", 11) != 0 && strncmp(e, "FIT_", 4) != 0 &&
            strncmp(e, "LC_", 3) != 0 && strncmp(e, "LANG", 4) != 0)
            list[kept++] = environ[i];
    }
    list[kept] = locale;
    return list;
}

typedef struct child {
    pid_t pid;
    /* our ends; -1: closed. `in` is a socket: writing to one that is closed gives an error and no signal */
    int in, out, err;
} child;

static int spawn(child *c, int in, int out, int err)
{
    static char name[] = "gnuplot", defaults[] = "-d"; /* -d: no start-up files */
    char *argv[] = { name, defaults, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char **environment = quiet_environment();
    int error = environment == NULL ? ENOMEM : posix_spawn_file_actions_init(&files);
    if (error != 0) {
        free(environment);
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setpgroup(&attributes, 0); /* of its own, so that it is ended with all it started */
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        error = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
        if (error == 0) error = posix_spawnp(&c->pid, name, &files, &attributes, argv, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return error;
}

/* Numbers below 3 would be in the way of the child's own when the caller has closed its standard files. */
static int above_2(int fd)
{
    if (fd < 0 || fd > 2) return fd;
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    return higher;
}

static int start(child *c)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 }, error = 0;
    *c = (child){ -1, -1, -1, -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
        pipe2(err, O_CLOEXEC) != 0)
        error = errno;
    for (int i = 0; i < 2; ++i) {
        in[i] = above_2(in[i]);
        out[i] = above_2(out[i]);
        err[i] = above_2(err[i]);
        if (error == 0 && (in[i] < 0 || out[i] < 0 || err[i] < 0)) error = EMFILE;
    }
    if (error == 0) error = spawn(c, in[1], out[1], err[1]);
    close_one(&in[1]);
    close_one(&out[1]);
    close_one(&err[1]);
    c->in = in[0];
    c->out = out[0];
    c->err = err[0];
    if (error != 0) {
        close_one(&c->in);
        close_one(&c->out);
        close_one(&c->err);
        return error;
    }
    fcntl(c->in, F_SETFL, O_NONBLOCK);
    return 0;
}

static void feed(child *c, const tern_text *script, size_t *sent)
{
    const ssize_t n = send(c->in, script->data + *sent, script->n - *sent, MSG_NOSIGNAL);
    if (n > 0) *sent += (size_t)n;
    else if (errno != EINTR && errno != EAGAIN) *sent = script->n; /* it has ended; its message tells why */
    if (*sent == script->n) close_one(&c->in);
}

static void take(int *fd, tern_text *to, size_t most)
{
    char chunk[16384];
    const ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n > 0) {
        const size_t room = to->n < most ? most - to->n : 0;
        tern_text_bytes(to, chunk, (size_t)n < room ? (size_t)n : room);
    } else if (n == 0 || errno != EINTR) close_one(fd);
}

/* False: not in time. */
static bool talk(child *c, const tern_text *script, tern_text *out, tern_text *message, tern_patience *patience)
{
    size_t sent = 0;
    while (c->out >= 0 || c->err >= 0) {
        struct pollfd p[3] = { { .fd = c->in, .events = POLLOUT },
                               { .fd = c->out, .events = POLLIN },
                               { .fd = c->err, .events = POLLIN } };
        if (!tern_patience_left(patience)) return false;
        if (poll(p, 3, TERN_PATIENCE_MS) < 0 && errno != EINTR) return false;
        if (p[0].revents != 0) feed(c, script, &sent);
        if (p[1].revents != 0) take(&c->out, out, OUTPUT_MAX);
        if (p[2].revents != 0) take(&c->err, message, MESSAGE_MAX);
    }
    return true;
}

/* Exit status, -1: it had to be ended or died. */
static int finish(pid_t pid, tern_patience *patience, bool in_time)
{
    int status = 0;
    while (in_time && tern_patience_left(patience)) {
        const pid_t w = waitpid(pid, &status, WNOHANG);
        if (w == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (w < 0 && errno != EINTR) return -1;
        const struct timespec t = { .tv_nsec = 2 * 1000 * 1000 };
        nanosleep(&t, NULL);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return -1;
}

/* The line that tells the error: gnuplot shows the command and a mark below it before its message, and warnings too. */
static const char *error_message(tern_text *m)
{
    const char *best = NULL;
    for (char *line = m->n != 0 ? m->data : NULL, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL) *end++ = '\0';
        line += strspn(line, " \t");
        if (line[strspn(line, " \t^")] == '\0' || strstr(line, "warning:") != NULL) continue;
        if (best == NULL) best = line;
        if (strncmp(line, "line ", 5) == 0) return line;
    }
    return best != NULL ? best : "no output";
}

tern_status tern_plot_run(const tern_text *script, double limit_s, tern_text *out, tern_diags *diags)
{
    child c;
    const int error = start(&c);
    if (error == ENOENT || error == EACCES || error == ENOTDIR) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_GNUPLOT_MISSING, NULL, 0, NULL,
                                      "gnuplot, which draws the figures, is not on the PATH"),
                       "apt-get install gnuplot-nox");
        return TERN_ERR_TOOL;
    }
    if (error != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_GNUPLOT_FAILED, NULL, 0, NULL,
                       "gnuplot could not be started: %s", strerror(error));
        return error == ENOMEM ? TERN_ERR_MEMORY : TERN_ERR_TOOL;
    }
    tern_text message;
    tern_text_init(&message, out->alloc);
    tern_patience patience;
    tern_patience_begin(&patience, limit_s);
    const bool in_time = talk(&c, script, out, &message, &patience);
    close_one(&c.in);
    close_one(&c.out);
    close_one(&c.err);
    const int status = finish(c.pid, &patience, in_time);
    tern_status s = TERN_OK;
    if (out->failed) s = TERN_ERR_MEMORY;
    else if (status != 0 && !in_time) {
        s = TERN_ERR_TOOL;
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_GNUPLOT_FAILED, NULL, 0, NULL,
                       "gnuplot was ended: it did not draw the figures within %g s", limit_s);
    } else if (status != 0 || out->n >= OUTPUT_MAX) {
        s = TERN_ERR_TOOL;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_GNUPLOT_FAILED, NULL, 0, NULL,
                                      "gnuplot failed: %s",
                                      out->n >= OUTPUT_MAX ? "the drawings are too large" : error_message(&message)),
                       "is it gnuplot 5.4 or newer? `tern doctor` shows it");
    }
    tern_text_free(&message);
    return s;
}
