/* tern_recording.c : a whole recording in memory; whole files
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include "tern/file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void tern__bytes_free(tern_arena *arena, uint8_t *bytes)
{
    if (bytes != NULL) arena->alloc.fn(arena->alloc.ud, bytes, 0);
}

tern_status tern__file_read(const char *path, size_t max_bytes, tern_arena *arena, uint8_t **out_bytes,
                            size_t *out_size, tern_diags *diags)
{
    *out_bytes = NULL;
    *out_size = 0;
    struct stat st;
    if (stat(path, &st) != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "cannot be read: %s", strerror(errno));
        return TERN_ERR_IO;
    }
    if (!S_ISREG(st.st_mode)) { /* a pipe or device has no size and could continue for ever */
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_NOT_A_FILE, path, 0, NULL,
                                      "is %s, not a regular file",
                                      S_ISDIR(st.st_mode) ? "a folder" : "a pipe or device"),
                       "give the name of a file");
        return TERN_ERR_IO;
    }
    if (st.st_size < 0 || (uint64_t)st.st_size > max_bytes) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_TOO_LARGE, path, 0, NULL,
                                      "holds %lld bytes, at most %zu are read", (long long)st.st_size, max_bytes),
                       "cut the recording into pieces");
        return TERN_ERR_LIMIT;
    }
    const size_t want = (size_t)st.st_size;
    if (arena->limit_bytes != 0 && want > arena->limit_bytes) return TERN_ERR_MEMORY;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        const int why = errno;
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "cannot be opened: %s", strerror(why));
        return why == ENOMEM ? TERN_ERR_MEMORY : TERN_ERR_IO;
    }
    uint8_t *bytes = arena->alloc.fn(arena->alloc.ud, NULL, want + 1);
    if (bytes == NULL) {
        fclose(f);
        return TERN_ERR_MEMORY;
    }
    const size_t got = fread(bytes, 1, want, f);
    const int bad = ferror(f);
    fclose(f);
    if (bad) {
        tern__bytes_free(arena, bytes);
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "reading failed after %zu of %zu bytes", got,
                       want);
        return TERN_ERR_IO;
    }
    bytes[got] = 0; /* lets text be scanned as a string */
    *out_bytes = bytes;
    *out_size = got;
    return TERN_OK;
}

char *tern__path_join(tern_arena *arena, const char *dir, const char *name)
{
    const size_t nd = strlen(dir), nn = strlen(name), slash = nd != 0 && dir[nd - 1] != '/';
    char *p = tern_arena_get(arena, nd + slash + nn + 1, 1);
    if (p == NULL) return NULL;
    memcpy(p, dir, nd);
    if (slash) p[nd] = '/';
    memcpy(p + nd + slash, name, nn + 1);
    return p;
}

tern_status tern__file_write(const char *path, const uint8_t *bytes, size_t size, tern_diags *diags)
{
    tern_diags own;
    tern_diags_init(&own);
    const tern_status st =
        tern_file_write_part(path, bytes, size, &own); /* the set's list brings the folder to the disk */
    if (st == TERN_ERR_IO)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_WRITE, path, 0, NULL, "%s",
                       own.n != 0 ? own.list[0].message : "cannot be written");
    return st;
}

/* Events straight from the allocator, so that growing leaves nothing behind in the arena. */
typedef struct list {
    tern_event *e;
    size_t n, room;
} list;

/* What an arena still allows; 0: no limit. */
static bool within_limit(const tern_arena *a, size_t bytes)
{
    return a->limit_bytes == 0 ||
           bytes <= a->limit_bytes - (a->used_bytes < a->limit_bytes ? a->used_bytes : a->limit_bytes);
}

static tern_status grow(list *l, const tern_stream *s, const tern_arena *arena, tern_diags *diags)
{
    if (l->n == TERN_RECORDING_MAX_EVENTS) {
        tern_diag_hint(
            tern__stream_error(s, diags, TERN_DATA_TOO_LARGE,
                               "holds more than %zu events, which are not held in memory", TERN_RECORDING_MAX_EVENTS),
            "frames are made without holding the events; or name a part of the recording (FILE#0..1000000us)");
        return TERN_ERR_LIMIT;
    }
    const size_t room = l->room == 0 ? 4096 : l->room * 2;
    tern_event *e = within_limit(arena, room * sizeof *e) ? s->alloc.fn(s->alloc.ud, l->e, room * sizeof *e) : NULL;
    if (e == NULL) return TERN_ERR_MEMORY;
    l->e = e;
    l->room = room;
    return TERN_OK;
}

static tern_status read_all(tern_stream *s, list *l, const tern_arena *arena, tern_diags *diags)
{
    for (;;) {
        size_t n;
        tern_status st = l->room - l->n < TERN_STREAM_LEAST ? grow(l, s, arena, diags) : TERN_OK;
        if (st == TERN_OK) st = tern_stream_read(s, l->e + l->n, l->room - l->n, &n, diags);
        if (st != TERN_OK) return st;
        if (n == 0) return TERN_OK;
        l->n += n;
    }
}

/* Reads an open stream and closes it. */
static tern_status load(tern_stream *s, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    list l = { 0 };
    tern_status st = read_all(s, &l, arena, diags);
    if (st == TERN_OK) {
        const tern_stream_counts *c = tern_stream_counted(s);
        const tern_stream_info *i = tern_stream_about(s);
        *out = (tern_recording){ .width = i->width,
                                 .height = i->height,
                                 .n_events = l.n,
                                 .label = i->label,
                                 .n_backwards = c->n_backwards,
                                 .n_off_sensor = c->n_off_sensor,
                                 .n_other = c->n_other,
                                 .n_left_over = c->n_left_over,
                                 .t_first_us = c->zero_us,
                                 .format = i->format,
                                 .n_polarity = c->n_polarity,
                                 .n_wraps = c->n_wraps,
                                 .units = i->units };
        if (i->width == 0) {
            out->sensor_guessed = true;
            out->width = c->n_events == 0 ? 0 : c->max_x + 1;
            out->height = c->n_events == 0 ? 0 : c->max_y + 1;
        }
        out->events = tern_arena_get(arena, l.n, sizeof *out->events);
        if (out->events == NULL || (s->path != NULL && (out->file = tern_arena_strdup(arena, s->path)) == NULL))
            st = TERN_ERR_MEMORY;
        else if (l.n != 0) memcpy(out->events, l.e, l.n * sizeof *l.e);
        if (st == TERN_OK) tern_stream_report(s, diags);
    }
    if (l.e != NULL) s->alloc.fn(s->alloc.ud, l.e, 0);
    tern_stream_close(s);
    if (st != TERN_OK) *out = (tern_recording){ .label = -1 };
    return st;
}

tern_status tern_recording_decode(const uint8_t *bytes, size_t size, const char *file, const char *format,
                                  tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    *out = (tern_recording){ .label = -1 };
    const tern_stream_options opt = { .format = format };
    tern_stream *s;
    const tern_status st = tern_stream_open_bytes(bytes, size, file, &opt, arena->alloc, &s, diags);
    return st == TERN_OK ? load(s, arena, out, diags) : st;
}

tern_status tern_recording_load(const char *path, const char *format, tern_arena *arena, tern_recording *out,
                                tern_diags *diags)
{
    *out = (tern_recording){ .label = -1 };
    const tern_stream_options opt = { .format = format };
    tern_stream *s;
    const tern_status st = tern_stream_open(path, &opt, arena->alloc, &s, diags);
    return st == TERN_OK ? load(s, arena, out, diags) : st;
}
