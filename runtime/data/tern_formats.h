/* tern_formats.h : the table of recording formats (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A format is one detect and one decode function; adding a format is one file and one row of the table in tern_recording.c.
 * Error codes 4xx are listed in docs/60-errors.md.
 */
#ifndef TERN_FORMATS_H
#define TERN_FORMATS_H
#include "tern/data.h"

enum { /* diagnostics of this folder */
    TERN_DATA_IO = 401, TERN_DATA_NOT_A_FILE = 402, TERN_DATA_TOO_LARGE = 403, TERN_DATA_FORMAT_NAME = 404,
    TERN_DATA_UNKNOWN_CONTENT = 405, TERN_DATA_VERSION = 406, TERN_DATA_HEADER = 407, TERN_DATA_CAMERA = 408,
    TERN_DATA_LEFT_OVER = 410, TERN_DATA_NO_EVENTS = 411, TERN_DATA_BACKWARDS = 412, TERN_DATA_OTHER_EVENTS = 413,
    TERN_FRAMES_NO_SECTION = 420, TERN_FRAMES_SENSOR = 421, TERN_FRAMES_CROP = 422, TERN_FRAMES_PART_PLACE = 423,
    TERN_FRAMES_PART_SIZE = 424, TERN_FRAMES_PART_POPULATION = 425, TERN_FRAMES_LABEL = 426, TERN_FRAMES_NO_LABEL = 427,
    TERN_FRAMES_SHORT = 428, TERN_FRAMES_SILENT = 429, TERN_FRAMES_SETTING = 430, TERN_FRAMES_TOO_LARGE = 431,
    TERN_SET_IO = 440, TERN_SET_LINE = 441, TERN_SET_MISSING = 442, TERN_SET_EMPTY = 443, TERN_SET_FOLDER = 444,
    TERN_SET_SKIPPED = 445, TERN_SET_NOT_A_LIST = 446, TERN_SET_TOO_LARGE = 447,
    TERN_SIM_SETTING = 450, TERN_SIM_FOLDER = 451, TERN_SIM_WRITE = 452, TERN_SIM_RANGE = 453, TERN_SIM_EVENTS = 454
};

typedef struct tern__format {
    const char *name;
    const char *suffix; /* of file names, with the dot; used when a folder is listed */
    int         (*detect)(const uint8_t *bytes, size_t size); /* not 0: the content looks like it */
    tern_status (*decode)(const uint8_t *bytes, size_t size, const char *file, tern_arena *arena, tern_recording *out, tern_diags *diags);
} tern__format;

/* NULL past the last one. */
const tern__format *tern__format_at(size_t i);
/* Format that the content looks like, or NULL. */
const tern__format *tern__format_detect(const uint8_t *bytes, size_t size);

int         tern__aedat2_detect(const uint8_t *bytes, size_t size);
tern_status tern__aedat2_decode(const uint8_t *bytes, size_t size, const char *file, tern_arena *arena, tern_recording *out, tern_diags *diags);

/* Whole file into memory taken from arena->alloc directly (not kept in the arena); the caller gives it back with tern__bytes_free. */
tern_status tern__file_read(const char *path, size_t max_bytes, tern_arena *arena, uint8_t **out_bytes, size_t *out_size, tern_diags *diags);
void        tern__bytes_free(tern_arena *arena, uint8_t *bytes);

/* Writes to PATH.tmp, then renames. */
tern_status tern__file_write(const char *path, const uint8_t *bytes, size_t size, tern_arena *arena, tern_diags *diags);
/* "dir/name" in the arena; NULL when memory is refused. */
char       *tern__path_join(tern_arena *arena, const char *dir, const char *name);

#endif /* TERN_FORMATS_H */
