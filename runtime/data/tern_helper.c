/* tern_helper.c : see tern_helper.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_helper.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define UNLIMITED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNLIMITED 1
#endif
#endif
#ifndef UNLIMITED
#define UNLIMITED 0 /* a sanitizer's own memory is far above any limit */
#endif

static void limit_memory(size_t more_bytes)
{
    unsigned long long pages = 0;
    FILE *f = UNLIMITED ? NULL : fopen("/proc/self/statm", "r");
    if (f == NULL) return;
    if (fscanf(f, "%llu", &pages) != 1) pages = 0;
    fclose(f);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages == 0 || page <= 0) return;
    const rlim_t most = (rlim_t)pages * (rlim_t)page + more_bytes;
    const struct rlimit limit = { most, most };
    (void)setrlimit(RLIMIT_AS, &limit);
}

static void be_helper(size_t more_bytes)
{
    const struct rlimit none = { 0, 0 };
    (void)setrlimit(RLIMIT_CORE, &none);
    signal(SIGINT, SIG_IGN); /* Ctrl-C: the parent goes, and the pipe with it */
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const int quiet = open("/dev/null", O_WRONLY);
    if (quiet >= 0) (void)dup2(quiet, 2); /* what libraries print when they crash */
    limit_memory(more_bytes);
}

tern_status tern__helper_start(tern__helper *h, void (*work)(const void *job, int fd), const void *job,
                               size_t more_bytes)
{
    int ends[2];
    h->pid = 0;
    if (pipe(ends) != 0) return TERN_ERR_MEMORY;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_helper(more_bytes);
        work(job, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return TERN_ERR_MEMORY;
    }
    h->pid = pid;
    h->fd = ends[0];
    return TERN_OK;
}

int tern__helper_end(tern__helper *h, bool wait)
{
    int how = 0;
    if (h->pid == 0) return 0;
    close(h->fd);
    if (!wait) kill(h->pid, SIGKILL);
    while (waitpid(h->pid, &how, 0) < 0)
        if (errno != EINTR) {
            how = 0;
            break;
        }
    h->pid = 0;
    return how;
}

bool tern__helper_receive(tern__helper *h, void *to, size_t n, bool *silent)
{
    uint8_t *p = to;
    *silent = false;
    while (n != 0) {
        struct pollfd w = { .fd = h->fd, .events = POLLIN };
        const int ready = poll(&w, 1, TERN__HELPER_PATIENCE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            *silent = true;
            return false;
        }
        const ssize_t k = read(h->fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

void tern__helper_send(int fd, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    while (n != 0) {
        const ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) _exit(1); /* the reader went away */
        p += k;
        n -= (size_t)k;
    }
}
