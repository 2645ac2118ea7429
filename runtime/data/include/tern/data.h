/* data.h : recordings to events, events to frames
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file of any format (docs/30-data.md, section 1) is a stream of events, read in blocks with memory that does not
 * depend on its length:
 *     tern_stream_open("a.raw", NULL, tern_alloc_default(), &s, &diags);
 *     while (tern_stream_read(s, events, 4096, &n, &diags) == TERN_OK && n != 0) use(events, n);
 *     tern_stream_report(s, &diags);                     // what was odd, as warnings
 *     tern_stream_close(s);
 * tern_frames_load() reads a stream and cuts it into the steps that the model's data section names. A data set is a
 * list of recordings with labels (a folder, a list file, a file of many samples, or one recording). Nothing here is
 * kept between calls but what a tern_stream_keep is given; two streams may be read by two threads.
 *
 * Threads: a stream, an arena, a list and a tern_stream_keep are used by one thread at a time; different ones by
 * different threads at once. An HDF5 file is read in a child process (fork), which ends when the stream is closed.
 */
#ifndef TERN_DATA_H
#define TERN_DATA_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* One event. Time in microseconds since the recording's zero (docs/30-data.md: the first event, or the format's own
 * zero), modulo 2^64: an event from before the zero has a time above 2^63. Spikes of units: x is the unit, y is 0, on
 * is 1. */
typedef struct tern_event {
    uint64_t t_us;
    uint16_t x, y;
    uint8_t on;
} tern_event;

/* ---- streams ---- */

/* Names of the formats that can be read besides "auto", i = 0, 1, ...; NULL past the last one. */
const char *tern_recording_format_name(size_t i);
/* False: this format needs a library that was not there when Tern was built (`*out_package`: its Debian package, NULL
 * if nothing is missing). */
bool tern_recording_format_ready(size_t i, const char **out_package);

/* Samples of a compressed .npz that are read one after the other: the position of the inflater in each array is kept
 * from one stream to the next, so that no sample is inflated from the array's beginning. At most 8 arrays of 370 KB
 * each. For one thread, and for streams that are closed one before the next is opened (others are read as without
 * it). */
typedef struct tern_stream_keep tern_stream_keep;
tern_stream_keep *tern_stream_keep_make(tern_alloc alloc); /* NULL: no memory; then streams are read as without it */
/* NULL is allowed; after the last stream that used it was closed */
void tern_stream_keep_free(tern_stream_keep *keep);

/* What a file means that does not say it; NULL: by the rules of docs/30-data.md, section 1. */
typedef struct tern_meaning {
    const char *columns;   /* CSV, NumPy tables: "x,y,p,t", "t,unit"; "-": a column that means nothing */
    const char *time_unit; /* CSV, NumPy events, HDF5 tables: "s", "ms", "us" or "ns" */
    const char *axes; /* NumPy grids, a letter for each axis: n samples, t steps, p planes, y rows, x columns or units:
                         "tx", "ntx", "tnx", "tyx", "ntyx", "tnyx", "tpyx", "ntpyx", "tnpyx" */
} tern_meaning;
/* NULL: it is valid; otherwise what is wrong with it, for a message. */
const char *tern_meaning_wrong(const tern_meaning *m);

typedef struct tern_stream_options {
    /* NULL, "" or "auto": by content */
    const char *format;
    /* pixels, for a file that does not say; 0: then nothing is outside the sensor  */
    uint32_t sensor_width, sensor_height;
    /* docs/30-data.md, section 1; what was changed is counted */
    bool repair;
    /* NULL: nothing is kept */
    tern_stream_keep *keep;
    tern_meaning meaning;
} tern_stream_options;

typedef struct tern_stream_info {
    const char *format; /* static */
    /* sensor in pixels, 0: neither the file nor the options say; events are then anywhere in 0..65535 */
    uint32_t width, height;
    bool from_file;    /* the file says how large the sensor is */
    bool units;        /* events are spikes of numbered units */
    int32_t label;     /* of the sample, -1: none */
    uint32_t step_us;  /* length of a step, for formats that hold steps; otherwise 0 */
    uint32_t n_steps;  /* likewise: how many */
    char assumed[120]; /* what was assumed about it, for people: "columns x, y, p, t; times in microseconds";
                          "": nothing */
} tern_stream_info;

/* Counted while a stream is read; complete at its end. */
typedef struct tern_stream_counts {
    uint64_t n_events, n_on; /* delivered */
    uint64_t zero_us;        /* the file's time of t_us = 0 */
    uint64_t span_us;        /* largest t_us, events before the zero left aside */
    uint32_t max_x, max_y;   /* of the events delivered */
    /* what is odd */
    uint64_t n_backwards;  /* times smaller than the one before              */
    uint64_t n_off_sensor; /* events outside the sensor, skipped          */
    uint64_t n_other;      /* records that are not events, skipped            */
    uint64_t n_polarity;   /* polarities other than 0, 1, -1                 */
    uint64_t n_left_over;  /* bytes at the end of an incomplete record      */
    uint64_t n_wraps;      /* times the clock started again at 0 by its width (nothing odd) */
    uint64_t n_early;      /* events from before t_us = 0                    */
    uint64_t gap_us;       /* longest time from one event to the next        */
    uint64_t n_gaps;       /* 1: that gap is most of the recording           */
    uint64_t n_slow;       /* 1: almost no event in its time                 */
    /* what `repair` did */
    uint64_t n_moved;  /* events with another time than in the file      */
    uint64_t n_mended; /* polarities made ON or OFF                      */
    uint64_t n_wild;   /* single events with a time far off, skipped     */
    bool cut_short;    /* ended at a damaged place                       */
} tern_stream_counts;

typedef struct tern_stream tern_stream;

/* Opens a recording by name, with or without a selection after '#' (docs/30-data.md). `options` may be NULL. `*out` is
 * NULL after an error. TERN_ERR_IO: cannot be read; TERN_ERR_FORMAT, TERN_ERR_VERSION, TERN_ERR_TRUNCATED: not a file
 * that is read here; TERN_ERR_ARGUMENT: unknown format or selection; TERN_ERR_TOOL: a library is missing;
 * TERN_ERR_LIMIT, TERN_ERR_MEMORY. Every error but TERN_ERR_MEMORY comes with a diagnostic. */
tern_status tern_stream_open(const char *path, const tern_stream_options *options, tern_alloc alloc, tern_stream **out,
                             tern_diags *diags);
/* The same from memory, which must stay as it is until the stream is closed; `file` is used in messages and may have a
 * selection, it may be NULL. HDF5 is not read from memory (TERN_ERR_ARGUMENT). */
tern_status tern_stream_open_bytes(const uint8_t *bytes, size_t size, const char *file,
                                   const tern_stream_options *options, tern_alloc alloc, tern_stream **out,
                                   tern_diags *diags);
#define TERN_STREAM_LEAST 16u /* smallest `room` of a read */
/* Next events, at most `room` >= TERN_STREAM_LEAST of them (thousands are quick); *out_n = 0: the end. After an error
 * every further call gives the same error. */
tern_status tern_stream_read(tern_stream *s, tern_event *events, size_t room, size_t *out_n, tern_diags *diags);
const tern_stream_info *tern_stream_about(const tern_stream *s);
const tern_stream_counts *tern_stream_counted(const tern_stream *s);
/* Adds a warning for each odd thing counted so far (codes 410 to 414, 419). */
void tern_stream_report(const tern_stream *s, tern_diags *diags);
void tern_stream_close(tern_stream *s); /* NULL is allowed */

/* ---- a whole recording in memory ---- */

typedef struct tern_recording {
    uint32_t width, height; /* sensor, pixels */
    size_t n_events;
    tern_event *events;
    int32_t label; /* -1: none */
    /* what is odd about it: see tern_stream_counts */
    uint64_t n_backwards, n_off_sensor, n_other, n_left_over;
    uint64_t t_first_us; /* the file's time of t_us = 0 */
    const char *format;  /* name of the format it was read as, static */
    const char *file;    /* for messages, in the arena; may be NULL   */
    uint64_t n_polarity, n_wraps;
    /* the file does not say: width and height are those of the smallest sensor that holds all events */
    bool sensor_guessed;
    bool units; /* events are spikes of numbered units */
} tern_recording;

/* held in memory (512 MiB); more are TERN_ERR_LIMIT. Streams have no limit. */
#define TERN_RECORDING_MAX_EVENTS ((size_t)1 << 25)

/* Reads a whole recording. format: "auto" or a name. Warnings about odd things go to diags. */
tern_status tern_recording_load(const char *path, const char *format, tern_arena *arena, tern_recording *out,
                                tern_diags *diags);
/* Same from memory; `file` is used in messages. */
tern_status tern_recording_decode(const uint8_t *bytes, size_t size, const char *file, const char *format,
                                  tern_arena *arena, tern_recording *out, tern_diags *diags);

/* ---- frames ---- */

/* Frames of one presentation, bit-packed. */
typedef struct tern_frames {
    uint32_t n_steps;
    uint32_t words_in;     /* net.n_inputs_pos / 32  */
    uint32_t words_neuron; /* net.n_neurons_pos / 32 */
    uint32_t *inputs;      /* [n_steps][words_in]     */
    uint32_t *targets;     /* [n_steps][words_neuron] */
    int32_t label;         /* -1: none */
} tern_frames;

/* Frames of a recording in memory, as the model's data section says (docs/30-data.md, section 2). */
tern_status tern_frames_from_recording(const tern_model *model, const tern_recording *rec, tern_arena *arena,
                                       tern_frames *out, tern_diags *diags);
/* Frames of a file, read as a stream: memory for the frames only. `label` >= 0 wins over the file's own. Warnings about
 * odd things go to diags. */
tern_status tern_frames_load(const tern_model *model, const char *path, int32_t label, tern_arena *arena,
                             tern_frames *out, tern_diags *diags);
/* The same for one of many; `keep` may be NULL. */
tern_status tern_frames_load_one(const tern_model *model, const char *path, int32_t label, tern_stream_keep *keep,
                                 tern_arena *arena, tern_frames *out, tern_diags *diags);

/* ---- data sets ---- */

/* A list of recordings on disk: PATH is a recording; or a file of many samples; or a folder (docs/30-data.md:
 * labels.csv next to the files, or sub-folders named by label); or a list file. Paths may have a selection after
 * '#'. */
typedef struct tern_dataset {
    size_t n;
    const char **paths;
    int32_t *labels;
} tern_dataset;
tern_status tern_dataset_open(const char *path, tern_arena *arena, tern_dataset *out, tern_diags *diags);
/* The same with the meaning of files given; the recordings are to be opened with the same meaning. */
tern_status tern_dataset_open_as(const char *path, const tern_meaning *meaning, tern_arena *arena, tern_dataset *out,
                                 tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_DATA_H */
