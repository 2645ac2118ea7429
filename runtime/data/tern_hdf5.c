/* tern_hdf5.c : HDF5 files of event data, read by a helper process (docs/38-formats.md); see tern_hdf5.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_hdf5.h"
#include "tern_columns.h"
#include <string.h>

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= 8 && memcmp(b, "\x89HDF\r\n\x1a\n", 8) == 0;
}

#if TERN_HAVE_HDF5
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

enum { PATIENCE_MS = 10000, HELPER_BYTES = 48 << 20, MAX_SAMPLES = 1000000 };

typedef struct reader {
    pid_t          pid;         /* 0: none */
    int            fd;
    tern__h5_about about;
    size_t         at, n;       /* rows of the block: next, all */
    union {
        tern__h5_row   rows[TERN__H5_BLOCK];
        int32_t        labels[TERN__H5_BLOCK];
        tern__h5_error error;
    } block;
} reader;

/* The helper may take HELPER_BYTES more than there are now. */
static void limit_memory(void)
{
    unsigned long long pages = 0;
    FILE *f = UNLIMITED ? NULL : fopen("/proc/self/statm", "r");
    if (f == NULL) return;
    if (fscanf(f, "%llu", &pages) != 1) pages = 0;
    fclose(f);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages == 0 || page <= 0) return;
    const rlim_t most = (rlim_t)pages * (rlim_t)page + HELPER_BYTES;
    const struct rlimit limit = { most, most };
    (void)setrlimit(RLIMIT_AS, &limit);
}

static void helper(const tern__h5_job *job, int fd)
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
    limit_memory();
    tern__hdf5_work(job, fd);
    _exit(0);
}

static tern_status start(reader *r, const tern__h5_job *job)
{
    int ends[2];
    if (pipe(ends) != 0) return TERN_ERR_MEMORY;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        helper(job, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return TERN_ERR_MEMORY;
    }
    r->pid = pid;
    r->fd = ends[0];
    return TERN_OK;
}

/* Ends the helper; returns how it ended, 0: by itself. */
static int finish(reader *r)
{
    int how = 0;
    if (r->pid == 0) return 0;
    close(r->fd);
    kill(r->pid, SIGKILL);
    while (waitpid(r->pid, &how, 0) < 0)
        if (errno != EINTR) {
            how = 0;
            break;
        }
    r->pid = 0;
    return how;
}

static tern_status helper_failed(tern_stream *s, bool silent, tern_diags *d)
{
    reader *r = s->state;
    int how = 0;
    if (!silent && r->pid != 0) { /* it closed the pipe: how did it end? */
        while (waitpid(r->pid, &how, 0) < 0 && errno == EINTR) {}
        close(r->fd);
        r->pid = 0;
    }
    finish(r);
    if (silent) tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 did not get on with the file for %d seconds", PATIENCE_MS / 1000);
    else if (WIFSIGNALED(how)) tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 crashed on the file (signal %d)", WTERMSIG(how));
    else tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 gave up on the file");
    if (d != NULL && d->n != 0) tern_diag_hint(&d->list[d->n - 1], "the file is damaged; copy it again, and look at it with h5dump");
    return TERN_ERR_FORMAT;
}

/* n bytes from the helper; false: it ended or fell silent. */
static bool receive(reader *r, void *to, size_t n, bool *silent)
{
    uint8_t *p = to;
    *silent = false;
    while (n != 0) {
        struct pollfd w = { .fd = r->fd, .events = POLLIN };
        const int ready = poll(&w, 1, PATIENCE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            *silent = true;
            return false;
        }
        const ssize_t k = read(r->fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

/* Next message: its kind and bytes, the bytes are in the block (ABOUT: in r->about). Errors are reported. */
static tern_status message(tern_stream *s, uint32_t *kind, uint32_t *bytes, tern_diags *d)
{
    reader *r = s->state;
    tern__h5_head h;
    bool silent;
    *kind = *bytes = 0;
    if (r->pid == 0) return TERN_ERR_FORMAT;
    if (!receive(r, &h, sizeof h, &silent)) return helper_failed(s, silent, d);
    void *to = h.kind == TERN__H5_ABOUT ? (void *)&r->about : (void *)&r->block;
    const size_t room = h.kind == TERN__H5_ABOUT ? sizeof r->about : sizeof r->block;
    if (h.bytes > room || !receive(r, to, h.bytes, &silent)) return helper_failed(s, silent, d);
    *kind = h.kind;
    *bytes = h.bytes;
    if (h.kind != TERN__H5_ERROR) return TERN_OK;
    tern__h5_error *e = &r->block.error;
    e->text[sizeof e->text - 1] = e->hint[sizeof e->hint - 1] = 0;
    tern_diag *g = tern__stream_error(s, d, (int)e->code, "%s", e->text);
    if (e->hint[0] != 0) tern_diag_hint(g, "%s", e->hint);
    finish(r);
    return (tern_status)e->status;
}

static tern_status open_with(tern_stream *s, bool list, tern_diags *d)
{
    reader *r = s->state;
    uint32_t kind, bytes;
    const tern__h5_job job = { .path = s->path,
                               .group = s->sel.group,
                               .sample = s->sel.sample,
                               .sample_given = s->sel.kind == TERN__SAMPLE,
                               .list = list,
                               .time_unit = s->opt.meaning.time_unit };
    tern_status st = start(r, &job);
    if (st == TERN_OK) st = message(s, &kind, &bytes, d);
    if (st == TERN_OK && (kind != TERN__H5_ABOUT || bytes != sizeof r->about)) st = helper_failed(s, false, d);
    r->about.groups[0][47] = r->about.groups[1][47] = 0;
    return st;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    const reader *r = s->state;
    const tern_status st = open_with(s, false, d);
    if (st != TERN_OK) return st;
    *selected = s->sel.kind == TERN__SAMPLE;
    s->info.units = r->about.units != 0;
    s->info.label = r->about.label >= 0 && r->about.label <= 65535 ? (int32_t)r->about.label : -1;
    if (r->about.width <= 65536 && r->about.height <= 65536)
        s->info.width = r->about.width, s->info.height = r->about.height;
    if (r->about.power_assumed != 0)
        snprintf(s->info.assumed, sizeof s->info.assumed, "times in %s", tern__unit_name((int8_t)r->about.power));
    if (r->about.from_first != 0) return TERN_OK;
    s->counts.zero_us = (uint64_t)r->about.zero_us;
    s->has_zero = true;
    return TERN_OK;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k == 0) {
        if (r->at == r->n) {
            uint32_t kind, bytes;
            const tern_status st = message(s, &kind, &bytes, d);
            if (st != TERN_OK) return st;
            if (kind != TERN__H5_ROWS) return TERN_OK; /* END */
            r->at = 0;
            r->n = bytes / sizeof r->block.rows[0];
            continue;
        }
        for (; r->at < r->n && k < room; ++r->at) {
            const tern__h5_row *w = &r->block.rows[r->at];
            tern_event e = { .t_us = (uint64_t)w->t_us };
            if (!tern__polarity(s, w->p, &e.on)) continue;
            if (w->x < 0 || w->x > 65535 || w->y < 0 || w->y > 65535) {
                ++s->counts.n_off_sensor;
                continue;
            }
            e.x = (uint16_t)w->x;
            e.y = (uint16_t)w->y;
            out[k++] = e;
        }
    }
    *out_n = k;
    return TERN_OK;
}

static void close_file(tern_stream *s) { (void)finish(s->state); }

static tern_status samples(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d)
{
    reader *r = s->state;
    tern_status st = open_with(s, true, d);
    if (st != TERN_OK) return st;
    memcpy(out->groups, r->about.groups, sizeof out->groups);
    if (r->about.n_samples > MAX_SAMPLES) {
        tern__stream_error(s, d, TERN_SET_TOO_LARGE, "holds %llu samples, at most %d are read", (unsigned long long)r->about.n_samples, MAX_SAMPLES);
        return TERN_ERR_LIMIT;
    }
    out->n = r->about.n_samples;
    if (out->n == 0) return TERN_OK; /* one recording */
    out->labels = tern_arena_get(arena, (size_t)out->n, sizeof *out->labels);
    if (out->labels == NULL) return TERN_ERR_MEMORY;
    for (uint64_t k = 0; k < out->n;) {
        uint32_t kind, bytes;
        st = message(s, &kind, &bytes, d);
        if (st != TERN_OK) return st;
        const size_t n = bytes / sizeof r->block.labels[0];
        if (kind != TERN__H5_LABELS || n == 0 || n > out->n - k) return helper_failed(s, false, d);
        memcpy(out->labels + k, r->block.labels, n * sizeof *out->labels);
        k += n;
    }
    return TERN_OK;
}

const tern__format tern__format_hdf5 = { .name = "hdf5", .suffixes = { ".h5", ".hdf5" }, .state_bytes = sizeof(reader), .detect = detect, .open = open_file, .read = read_events,
                                         .close = close_file, .samples = samples, .own_file = true };
#else
const tern__format tern__format_hdf5 = { .name = "hdf5", .suffixes = { ".h5", ".hdf5" }, .detect = detect, .missing = "libhdf5-dev", .own_file = true };
#endif
