/* data.h : recordings to frames
 * SPDX-License-Identifier: Apache-2.0
 *
 * A reader gives a stream of events; tern_frames_from_events() cuts it into steps as the model's data section says. A data set is a list of
 * recordings with labels (a folder, a list file, or one file).
 */
#ifndef TERN_DATA_H
#define TERN_DATA_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_event { uint64_t t_us; uint16_t x, y; uint8_t on; } tern_event; /* time relative to the first event of the recording */

typedef struct tern_recording {
    uint32_t    width, height;  /* sensor, pixels */
    size_t      n_events;
    tern_event *events;
    int32_t     label;          /* -1: none */
    /* what is odd about it, counted, never silently repaired */
    uint64_t    n_backwards, n_off_sensor, n_other; /* time going backwards; outside the sensor; not pixel events */
    uint64_t    n_left_over;    /* bytes at the end that are no whole record */
    uint64_t    t_first_us;     /* time of the first event as the file has it */
    const char *format;         /* name of the format it was read as, static */
    const char *file;           /* for messages, in the arena; may be NULL   */
} tern_recording;

#define TERN_RECORDING_MAX_BYTES (256u << 20) /* of a file; larger ones are TERN_ERR_LIMIT */

/* Names of the formats that can be read besides "auto", i = 0, 1, ...; NULL past the last one. */
const char *tern_recording_format_name(size_t i);

/* Frames of one presentation, bit-packed. */
typedef struct tern_frames {
    uint32_t  n_steps;
    uint32_t  words_in;      /* net.n_inputs_pos / 32  */
    uint32_t  words_neuron;  /* net.n_neurons_pos / 32 */
    uint32_t *inputs;        /* [n_steps][words_in]     */
    uint32_t *targets;       /* [n_steps][words_neuron] */
    int32_t   label;         /* -1: none */
} tern_frames;

/* Reads a recording. format: "auto" or a name of docs/30-data.md. `spec_*` sensor sizes of 0: from the file. */
tern_status tern_recording_load(const char *path, const char *format, tern_arena *arena, tern_recording *out, tern_diags *diags);
/* Same from memory; `file` is used in messages. */
tern_status tern_recording_decode(const uint8_t *bytes, size_t size, const char *file, const char *format, tern_arena *arena,
                                  tern_recording *out, tern_diags *diags);
tern_status tern_frames_from_recording(const tern_model *model, const tern_recording *rec, tern_arena *arena, tern_frames *out, tern_diags *diags);

/* A list of recordings on disk: PATH is a recording; or a folder (docs/30-data.md: labels.csv beside the files, or sub-folders named by label); or a list file. */
typedef struct tern_dataset { size_t n; const char **paths; int32_t *labels; } tern_dataset;
tern_status tern_dataset_open(const char *path, tern_arena *arena, tern_dataset *out, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_DATA_H */
