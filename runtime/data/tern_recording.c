/* tern_recording.c : reading a recording of any known format
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const tern__format formats[] = {
    { "aedat2", ".aedat", tern__aedat2_detect, tern__aedat2_decode },
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const tern__format *tern__format_at(size_t i) { return i < N_FORMATS ? &formats[i] : NULL; }

const tern__format *tern__format_detect(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < N_FORMATS; ++i)
        if (formats[i].detect(bytes, size)) return &formats[i];
    return NULL;
}

const char *tern_recording_format_name(size_t i) { return i < N_FORMATS ? formats[i].name : NULL; }

/* "auto, aedat2, ..." for hints. */
static void list_formats(char *buf, size_t bytes)
{
    size_t n = (size_t)snprintf(buf, bytes, "auto");
    for (size_t i = 0; i < N_FORMATS && n < bytes; ++i) n += (size_t)snprintf(buf + n, bytes - n, ", %s", formats[i].name);
}

void tern__bytes_free(tern_arena *arena, uint8_t *bytes)
{
    if (bytes != NULL) arena->alloc.fn(arena->alloc.ud, bytes, 0);
}

tern_status tern__file_read(const char *path, size_t max_bytes, tern_arena *arena, uint8_t **out_bytes, size_t *out_size, tern_diags *diags)
{
    *out_bytes = NULL;
    *out_size = 0;
    struct stat st;
    if (stat(path, &st) != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "cannot be read: %s", strerror(errno));
        return TERN_ERR_IO;
    }
    if (!S_ISREG(st.st_mode)) { /* a pipe or device has no size and could go on for ever */
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_NOT_A_FILE, path, 0, NULL, "is %s, not a regular file",
                                      S_ISDIR(st.st_mode) ? "a folder" : "a pipe or device"), "give the name of a file");
        return TERN_ERR_IO;
    }
    if (st.st_size < 0 || (uint64_t)st.st_size > max_bytes) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_TOO_LARGE, path, 0, NULL, "holds %lld bytes, at most %zu are read",
                                      (long long)st.st_size, max_bytes), "cut the recording into pieces");
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
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "reading failed after %zu of %zu bytes", got, want);
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

tern_status tern__file_write(const char *path, const uint8_t *bytes, size_t size, tern_arena *arena, tern_diags *diags)
{
    const size_t n = strlen(path);
    char *tmp = tern_arena_get(arena, n + 5, 1);
    if (tmp == NULL) return TERN_ERR_MEMORY;
    memcpy(tmp, path, n);
    memcpy(tmp + n, ".tmp", 5);
    FILE *f = fopen(tmp, "wb");
    int ok = f != NULL;
    if (ok) {
        ok = fwrite(bytes, 1, size, f) == size;
        ok = fclose(f) == 0 && ok; /* a full disk may show only here */
        ok = ok && rename(tmp, path) == 0;
    }
    if (ok) return TERN_OK;
    tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_WRITE, path, 0, NULL, "cannot be written: %s", strerror(errno));
    if (f != NULL) remove(tmp);
    return TERN_ERR_IO;
}

tern_status tern_recording_decode(const uint8_t *bytes, size_t size, const char *file, const char *format, tern_arena *arena,
                                  tern_recording *out, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    out->label = -1;
    if (size > TERN_RECORDING_MAX_BYTES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_TOO_LARGE, file, 0, NULL, "holds %zu bytes, at most %u are read", size, TERN_RECORDING_MAX_BYTES);
        return TERN_ERR_LIMIT;
    }
    const tern__format *f = NULL;
    char known[100];
    list_formats(known, sizeof known);
    if (format == NULL || format[0] == 0 || strcmp(format, "auto") == 0) {
        f = tern__format_detect(bytes, size);
        if (f == NULL) {
            char first[8 * 3 + 1] = "";
            for (size_t i = 0; i < size && i < 8; ++i) snprintf(first + 3 * i, 4, " %02x", bytes[i]);
            tern_diag *g = size == 0 ? tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_UNKNOWN_CONTENT, file, 0, NULL, "is empty (0 bytes)")
                                     : tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_UNKNOWN_CONTENT, file, 0, NULL,
                                                      "is of no known recording format: it begins with%s", first);
            tern_diag_hint(g, "an AEDAT 2.0 file begins with the line #!AER-DAT2.0");
            return TERN_ERR_FORMAT;
        }
    } else {
        for (size_t i = 0; i < N_FORMATS && f == NULL; ++i)
            if (strcmp(format, formats[i].name) == 0) f = &formats[i];
        if (f == NULL) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_FORMAT_NAME, file, 0, NULL, "format '%.40s' is not known", format),
                           "known formats: %s", known);
            return TERN_ERR_ARGUMENT;
        }
    }
    out->format = f->name;
    if (file != NULL && (out->file = tern_arena_strdup(arena, file)) == NULL) return TERN_ERR_MEMORY;
    const tern_status s = f->decode(bytes, size, file, arena, out, diags);
    if (s != TERN_OK) {
        out->events = NULL;
        out->n_events = 0;
        return s;
    }
    if (out->n_left_over != 0)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_LEFT_OVER, file, 0, NULL,
                                      "%llu bytes at the end are no whole record and were left out", (unsigned long long)out->n_left_over),
                       "the file may have been cut off");
    if (out->n_backwards != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_BACKWARDS, file, 0, NULL, "time goes backwards %llu times (kept as it is)",
                       (unsigned long long)out->n_backwards);
    if (out->n_other != 0 || out->n_off_sensor != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_OTHER_EVENTS, file, 0, NULL,
                       "%llu records are no pixel events and %llu lie outside the sensor; they were left out",
                       (unsigned long long)out->n_other, (unsigned long long)out->n_off_sensor);
    if (out->n_events == 0) tern_diags_add(diags, TERN_SEV_WARNING, TERN_DATA_NO_EVENTS, file, 0, NULL, "the recording holds no events");
    return TERN_OK;
}

tern_status tern_recording_load(const char *path, const char *format, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    out->label = -1;
    uint8_t *bytes;
    size_t size;
    tern_status s = tern__file_read(path, TERN_RECORDING_MAX_BYTES, arena, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    s = tern_recording_decode(bytes, size, path, format, arena, out, diags);
    tern__bytes_free(arena, bytes);
    return s;
}
