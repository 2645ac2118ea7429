/* tern_hdf5.c : HDF5 files of event data, read by a helper process (docs/38-formats.md); see tern_hdf5.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_hdf5.h"
#include "tern_columns.h"
#include "tern_helper.h"
#include <string.h>

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= 8 && memcmp(b, "\x89HDF\r\n\x1a\n", 8) == 0;
}

#if TERN_HAVE_HDF5
#include <stdio.h>
#include <sys/wait.h>

enum { HELPER_BYTES = 48 << 20, MAX_SAMPLES = 1000000 };

typedef struct reader {
    tern__helper helper;
    tern__h5_about about;
    size_t at, n; /* rows of the block: next, all */
    union {
        tern__h5_row rows[TERN__H5_BLOCK];
        int32_t labels[TERN__H5_BLOCK];
        tern__h5_error error;
    } block;
} reader;

static void work(const void *job, int fd) { tern__hdf5_work(job, fd); }

static tern_status helper_failed(tern_stream *s, bool silent, tern_diags *d)
{
    reader *r = s->state;
    const int how = tern__helper_end(&r->helper, !silent); /* it closed the pipe: how did it end? */
    if (silent)
        tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 did not get on with the file for %d seconds",
                           TERN__HELPER_PATIENCE_MS / 1000);
    else if (WIFSIGNALED(how))
        tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 crashed on the file (signal %d)", WTERMSIG(how));
    else tern__stream_error(s, d, TERN_DATA_DAMAGED, "libhdf5 gave up on the file");
    if (d != NULL && d->n != 0)
        tern_diag_hint(&d->list[d->n - 1], "the file is damaged; copy it again, and look at it with h5dump");
    return TERN_ERR_FORMAT;
}

/* Next message: its kind and bytes, the bytes are in the block (ABOUT: in r->about). Errors are reported. */
static tern_status message(tern_stream *s, uint32_t *kind, uint32_t *bytes, tern_diags *d)
{
    reader *r = s->state;
    tern__h5_head h;
    bool silent;
    *kind = *bytes = 0;
    if (r->helper.pid == 0) return TERN_ERR_FORMAT;
    if (!tern__helper_receive(&r->helper, &h, sizeof h, &silent)) return helper_failed(s, silent, d);
    void *to = h.kind == TERN__H5_ABOUT ? (void *)&r->about : (void *)&r->block;
    const size_t room = h.kind == TERN__H5_ABOUT ? sizeof r->about : sizeof r->block;
    if (h.bytes > room || !tern__helper_receive(&r->helper, to, h.bytes, &silent)) return helper_failed(s, silent, d);
    *kind = h.kind;
    *bytes = h.bytes;
    if (h.kind != TERN__H5_ERROR) return TERN_OK;
    tern__h5_error *e = &r->block.error;
    e->text[sizeof e->text - 1] = e->hint[sizeof e->hint - 1] = 0;
    tern_diag *g = tern__stream_error(s, d, (int)e->code, "%s", e->text);
    if (e->hint[0] != 0) tern_diag_hint(g, "%s", e->hint);
    (void)tern__helper_end(&r->helper, false);
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
    tern_status st = tern__helper_start(&r->helper, work, &job, HELPER_BYTES);
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

static void close_file(tern_stream *s) { (void)tern__helper_end(&((reader *)s->state)->helper, false); }

static tern_status samples(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d)
{
    reader *r = s->state;
    tern_status st = open_with(s, true, d);
    if (st != TERN_OK) return st;
    memcpy(out->groups, r->about.groups, sizeof out->groups);
    if (r->about.n_samples > MAX_SAMPLES) {
        tern__stream_error(s, d, TERN_SET_TOO_LARGE, "holds %llu samples, at most %d are read",
                           (unsigned long long)r->about.n_samples, MAX_SAMPLES);
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

const tern__format tern__format_hdf5 = { .name = "hdf5",
                                         .suffixes = { ".h5", ".hdf5" },
                                         .state_bytes = sizeof(reader),
                                         .detect = detect,
                                         .open = open_file,
                                         .read = read_events,
                                         .close = close_file,
                                         .samples = samples,
                                         .own_file = true };
#else
const tern__format tern__format_hdf5 = {
    .name = "hdf5", .suffixes = { ".h5", ".hdf5" }, .detect = detect, .missing = "libhdf5-dev", .own_file = true
};
#endif
