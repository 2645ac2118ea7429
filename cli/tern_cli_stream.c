/* tern_cli_stream.c : see tern_cli_stream.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "tern_cli_stream.h"
#include "tern_errors.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_image_layout.h"
#include "tern_leftover.h"

enum { NAME_MAX_BYTES = 512, HEAD = 8 /* bytes of an image's magic */ };
static const int64_t INPUT_MAX = INT64_C(1) << 30; /* bytes */

static struct {
    char folder[NAME_MAX_BYTES];                            /* "": none yet */
    char in[NAME_MAX_BYTES + 32], out[NAME_MAX_BYTES + 32]; /* "": not used */
    char first[NAME_MAX_BYTES + 32];                        /* name of `in` until its beginning is known */
    int to;                                                 /* what standard output was */
} stream = { .to = -1 };

/* Only what a signal handler may call. */
static void on_signal(int number)
{
    unlink(stream.first);
    unlink(stream.in);
    unlink(stream.out);
    rmdir(stream.folder);
    signal(number, SIG_DFL);
    raise(number);
}

static bool make_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    if (stream.folder[0] != 0) return true;
    const int n =
        snprintf(stream.folder, sizeof stream.folder, "%s/tern-XXXXXX", tmp != NULL && tmp[0] == '/' ? tmp : "/tmp");
    if (n < 0 || (size_t)n >= sizeof stream.folder || mkdtemp(stream.folder) == NULL) {
        stream.folder[0] = 0;
        return false;
    }
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0];
         ++i) /* verbs that save when they are stopped put their own handler there */
        if (signal(ends[i], on_signal) == SIG_IGN) signal(ends[i], SIG_IGN);
    return true;
}

/* The ending that tells what a file is: of an image its magic, else the first one of the option's. */
static const char *ending(const tern_arg *arg, const char *head, size_t n)
{
    static char text[16];
    if (arg->ext == NULL) return "";
    if (n >= HEAD && memcmp(head, TERN_IMAGE_MAGIC, HEAD) == 0) return strstr(arg->ext, "tern") != NULL ? ".tern" : "";
    snprintf(text, sizeof text, ".%.*s", (int)strcspn(arg->ext, "|"), arg->ext);
    return text;
}

/* All of standard input into `to`. NULL, or what went wrong. */
static const char *copy_in(int to, char head[HEAD], size_t *out_head)
{
    static char block[1 << 16];
    int64_t total = 0;
    for (;;) {
        const ssize_t n = read(STDIN_FILENO, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return strerror(errno);
        if (n == 0) return NULL;
        for (ssize_t i = 0; i < n && *out_head < HEAD; ++i) head[(*out_head)++] = block[i];
        total += n;
        if (total > INPUT_MAX) return "it is longer than 1 GiB";
        for (ssize_t done = 0; done < n;) {
            const ssize_t w = write(to, block + done, (size_t)(n - done));
            if (w < 0 && errno != EINTR) return strerror(errno);
            if (w > 0) done += w;
        }
    }
}

static const char *take_input(const tern_args *args, const tern_arg *arg, int *status)
{
    char head[HEAD] = { 0 };
    size_t n_head = 0;
    if (stream.in[0] != 0) {
        *status = tern_args_wrong(args, TERN_ERROR_USAGE, "%s: standard input is read already", arg->name);
        return NULL;
    }
    snprintf(stream.first, sizeof stream.first, "%s/input", stream.folder);
    const int to = open(stream.first, O_WRONLY | O_CREAT | O_EXCL, 0600);
    const char *wrong = to < 0 ? strerror(errno) : copy_in(to, head, &n_head);
    if (to >= 0 && close(to) != 0 && wrong == NULL) wrong = strerror(errno);
    snprintf(stream.in, sizeof stream.in, "%s/stdin%s", stream.folder, ending(arg, head, n_head));
    if (wrong == NULL && rename(stream.first, stream.in) != 0) wrong = strerror(errno);
    if (wrong == NULL) return stream.in;
    unlink(stream.first);
    tern_args_wrong(args, TERN_ERROR_STDIN,
                    "%s: standard input cannot be kept in %s: %s\n  hint: TMPDIR names the folder for it", arg->name,
                    stream.folder, wrong);
    *status = TERN_EXIT_FOUND;
    return NULL;
}

static const char *take_output(const tern_args *args, const tern_arg *arg, int *status)
{
    if (stream.out[0] != 0)
        *status = tern_args_wrong(args, TERN_ERROR_USAGE, "%s: standard output is written already", arg->name);
    else if (arg->dash == TERN_DASH_BINARY && isatty(STDOUT_FILENO))
        *status = tern_args_wrong(args, TERN_ERROR_TERMINAL,
                                  "%s: binary output is not written to a terminal\n  hint: send them to a file or to "
                                  "another command: > FILE, | COMMAND",
                                  arg->name);
    else {
        const int null = open("/dev/null", O_WRONLY);
        stream.to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        if (null >= 0 && stream.to >= 0 && dup2(null, STDOUT_FILENO) == STDOUT_FILENO) {
            close(null);
            snprintf(stream.out, sizeof stream.out, "%s/stdout%s", stream.folder, ending(arg, "", 0));
            return stream.out;
        }
        tern_args_wrong(args, TERN_ERROR_STDOUT, "%s: standard output cannot be used: %s", arg->name, strerror(errno));
        *status = TERN_EXIT_FOUND;
    }
    return NULL;
}

const char *tern_cli_stream_take(const tern_args *args, const tern_arg *arg, int *status)
{
    if (!make_folder()) {
        tern_args_wrong(
            args, TERN_ERROR_STDIN,
            "%s: no folder can be made for standard input and output: %s\n  hint: TMPDIR names the folder for it",
            arg->name, strerror(errno));
        *status = TERN_EXIT_FOUND;
        return NULL;
    }
    return arg->dash == TERN_DASH_IN ? take_input(args, arg, status) : take_output(args, arg, status);
}

bool tern_cli_stream_writes(void) { return stream.out[0] != 0; }

bool tern_cli_stream_is_input(const char *path) { return stream.in[0] != 0 && strcmp(path, stream.in) == 0; }

static bool copy_out(void)
{
    static char block[1 << 16];
    const int from = open(stream.out, O_RDONLY);
    ssize_t n = from < 0 ? -1 : 0;
    while (from >= 0 && (n = read(from, block, sizeof block)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        ssize_t done = 0;
        while (done < n) {
            const ssize_t w = write(stream.to, block + done, (size_t)(n - done));
            if (w < 0 && errno == EINTR) continue;
            if (w < 0) break;
            done += w;
        }
        if (done < n) n = -1;
        if (n < 0) break;
    }
    if (from >= 0) close(from);
    return n == 0;
}

int tern_cli_stream_end(int status)
{
    struct stat info;
    errno = 0;
    if (stream.out[0] != 0 && status == TERN_EXIT_DONE && stat(stream.out, &info) == 0 && S_ISDIR(info.st_mode)) {
        fputs("tern: error TERN-E0110: standard output cannot take a folder, which a data set of several recordings "
              "becomes\n  hint: give the name of a folder, or of one recording\n",
              stderr);
        status = TERN_EXIT_USAGE;
    } else if (stream.out[0] != 0 && status == TERN_EXIT_DONE && !copy_out()) {
        const char *why = errno != 0 ? strerror(errno) : "no bytes were taken";
        fprintf(stderr, "tern: error TERN-E0109: standard output cannot be written: %s\n", why);
        status = TERN_EXIT_FOUND;
    }
    if (stream.folder[0] != 0) tern_remove_tree(stream.folder);
    stream.folder[0] = stream.in[0] = stream.out[0] = 0;
    return status;
}

static void replace(char *text, const char *what, const char *by)
{
    const size_t n = strlen(what), m = strlen(by);
    if (n == 0) return;
    for (char *p = text; (p = strstr(p, what)) != NULL; p += m) {
        memcpy(p, by, m); /* shorter than any such name */
        memmove(p + m, p + n, strlen(p + n) + 1);
    }
}

void tern_cli_stream_rename(char *text)
{
    replace(text, stream.in, "<stdin>");
    replace(text, stream.out, "<stdout>");
}
