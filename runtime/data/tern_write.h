/* tern_write.h : writing events and arrays (inside runtime/data only); docs/38-formats.md
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WRITE_H
#define TERN_WRITE_H
#include "tern/file.h"
#include "tern_formats.h"

/* ---- .npz ---- */

/* bytes of an array's header, so that it can be written again when the shape is known */
enum { TERN__NPZ_ENTRIES = 8, TERN__NPZ_HEADER = 192 };

typedef struct tern__npz_entry {
    char name[168];
    uint64_t at, size;
    uint32_t crc;
} tern__npz_entry; /* of the local header */

typedef struct tern__npz {
    tern_file_writer *w;
    uint64_t pos; /* bytes written */
    uint32_t n;
    bool failed;
    tern__npz_entry *entry; /* those below, or the caller's */
    tern__npz_entry few[TERN__NPZ_ENTRIES];
    /* of the array being written */
    uint64_t bytes; /* items so far, in bytes */
    uint32_t crc;   /* of these */
} tern__npz;

void tern__npz_begin(tern__npz *z, tern_file_writer *w);
/* The same for as many arrays as `entries` has room for. */
void tern__npz_begin_many(tern__npz *z, tern_file_writer *w, tern__npz_entry *entries);
/* Starts an array; its items follow. */
void tern__npz_array(tern__npz *z, const char *name);
void tern__npz_items(tern__npz *z, const void *bytes, size_t n);
/* Ends it: type as NumPy writes it ("'<i8'" or a list of fields), shape with n_dims <= 5. */
void tern__npz_shape(tern__npz *z, const char *descr, uint32_t n_dims, const uint64_t *dims);
/* Writes the directory; false: something could not be written (tern_file_commit tells). */
bool tern__npz_end(tern__npz *z);

/* ---- events, one recording ---- */

typedef enum tern__event_form { TERN__FORM_AEDAT2, TERN__FORM_CSV, TERN__FORM_NPZ } tern__event_form;

/* About the events of one file: width 0: no sensor known. */
typedef struct tern__event_out {
    tern__event_form form;
    bool units;
    uint32_t width, height;
    uint64_t zero_us;
} tern__event_out;

/* Header of a file. */
void tern__events_head(FILE *f, const tern__event_out *o);
/* Bytes of n events into `to` (TERN__EVENT_ROOM each). TERN_ERR_LIMIT with a diagnostic: one does not fit the form. */
enum { TERN__EVENT_ROOM = 64 };
tern_status tern__events_bytes(const tern__event_out *o, const tern_event *e, size_t n, const char *file, uint8_t *to,
                               size_t *out_size, tern_diags *d);

#endif /* TERN_WRITE_H */
