/* tern_formats.h : what the readers of recording formats share (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A format is a detect, an open and a read function; adding a format is one file and one row of the table in
 * tern_stream.c. Readers give events with the file's own times and count what only they can see (n_other, n_polarity,
 * n_left_over, n_wraps); zero of time, sensor, selection, order of time and repair are the stream's. Error codes 4xx
 * are listed in docs/60-errors.md.
 */
#ifndef TERN_FORMATS_H
#define TERN_FORMATS_H
#include "tern/data.h"
#include "tern_source.h"

enum { /* diagnostics of this folder */
       TERN_DATA_IO = 401,
       TERN_DATA_NOT_A_FILE = 402,
       TERN_DATA_TOO_LARGE = 403,
       TERN_DATA_FORMAT_NAME = 404,
       TERN_DATA_UNKNOWN_CONTENT = 405,
       TERN_DATA_VERSION = 406,
       TERN_DATA_HEADER = 407,
       TERN_DATA_CAMERA = 408,
       TERN_DATA_COMPRESSION = 409,
       TERN_DATA_LEFT_OVER = 410,
       TERN_DATA_NO_EVENTS = 411,
       TERN_DATA_BACKWARDS = 412,
       TERN_DATA_OTHER_EVENTS = 413,
       TERN_DATA_POLARITY = 414,
       TERN_DATA_LIBRARY = 415,
       TERN_DATA_SELECTION = 416,
       TERN_DATA_DAMAGED = 417,
       TERN_DATA_KIND = 418,
       TERN_DATA_REPAIRED = 419,
       TERN_FRAMES_NO_SECTION = 420,
       TERN_FRAMES_SENSOR = 421,
       TERN_FRAMES_CROP = 422,
       TERN_FRAMES_PART_PLACE = 423,
       TERN_FRAMES_PART_SIZE = 424,
       TERN_FRAMES_PART_POPULATION = 425,
       TERN_FRAMES_LABEL = 426,
       TERN_FRAMES_NO_LABEL = 427,
       TERN_FRAMES_SHORT = 428,
       TERN_FRAMES_SILENT = 429,
       TERN_FRAMES_SETTING = 430,
       TERN_FRAMES_TOO_LARGE = 431,
       TERN_FRAMES_SCALE = 432,
       TERN_FRAMES_NO_SENSOR = 433,
       TERN_FRAMES_SHIFT = 434,
       TERN_SET_IO = 440,
       TERN_SET_LINE = 441,
       TERN_SET_MISSING = 442,
       TERN_SET_EMPTY = 443,
       TERN_SET_FOLDER = 444,
       TERN_SET_SKIPPED = 445,
       TERN_SET_NOT_A_LIST = 446,
       TERN_SET_TOO_LARGE = 447,
       TERN_SET_COLUMNS = 448,
       TERN_SET_LABELS = 449,
       TERN_SIM_SETTING = 450,
       TERN_SIM_FOLDER = 451,
       TERN_SIM_WRITE = 452,
       TERN_SIM_RANGE = 453,
       TERN_SIM_EVENTS = 454,
       TERN_OUT_FORM = 460,
       TERN_OUT_VALUES = 461,
       TERN_OUT_SETTING = 462,
       TERN_DATA_MEANING = 463,
       TERN_DATA_TIME = 464,
       TERN_DATA_GAP = 465,
       TERN_DATA_ASSUMED = 466,
       TERN_DATA_ANALOG = 467
};

/* What stands behind '#' in the name of a recording. */
typedef struct tern__selection {
    enum { TERN__ALL, TERN__SAMPLE, TERN__GROUP, TERN__RECORDS, TERN__TIMES } kind;
    char group[48];           /* SAMPLE, GROUP: "" if none was named */
    uint64_t sample;          /* SAMPLE */
    uint64_t first, count;    /* RECORDS */
    int64_t begin_us, end_us; /* TIMES: begin <= t < end */
} tern__selection;

/* Parses the text behind '#'; false if it is none. */
bool tern__selection_parse(const char *text, tern__selection *out);
/* Splits a name into file and selection: "a.h5#test/3". A file whose whole name exists is not split. *out_len:
 * characters of the file's name.
 * TERN_ERR_ARGUMENT with a diagnostic: the file is there, but what follows is no selection. */
tern_status tern__selection_split(const char *path, bool on_disk, size_t *out_len, tern__selection *out,
                                  tern_diags *diags);

typedef struct tern__format tern__format;

struct tern_stream {
    tern_alloc alloc;
    const tern__format *format;
    tern__base base;
    tern__source src; /* the whole file, inflated if it is gzip */
    /* of the file without the selection, for messages and for libraries; NULL: memory without a name */
    char *path;
    bool from_memory;
    tern_stream_options opt;
    tern__selection sel;
    tern_stream_info info;
    tern_stream_counts counts;
    void *state; /* of the reader: format->state_bytes, zeroed */
    bool ended;
    tern_status failed;
    /* clock: what unwraps a counter of the file */
    uint64_t clock_last, clock_epoch;
    bool clock_set;
    /* order of time */
    /* counts.zero_us is set: by the reader if the format has its own zero, else by the first event */
    bool has_zero;
    bool any; /* an event was delivered */
    uint64_t last_us, shift_us;
    uint64_t step_us;   /* time of the event delivered last, before zero was taken off */
    uint64_t before_us; /* how far the earliest event lies before the zero */
    bool judged;
    /* repair: an event that waits for the next one; its own time of the last one let go, first time after repair, how
     * many */
    tern_event held;
    bool holds;
    uint64_t raw_us, first_us, n_let_go;
    uint64_t n_seen; /* RECORDS: events of the reader so far */
};

/* Samples of one file. */
typedef struct tern__samples {
    uint64_t n;
    int32_t *labels; /* [n], in the arena; NULL: none has a label */
    /* groups there are, "" past the last; n and labels are those of the group asked for */
    char groups[2][48];
} tern__samples;

struct tern__format {
    const char *name;
    const char *suffixes[3]; /* of file names, with the dot; used when a folder is listed */
    size_t state_bytes;
    /* `size` of the content, UINT64_MAX if it is not known; b has its first n bytes (at most 4096) */
    bool (*detect)(const uint8_t *b, size_t n, uint64_t size);
    /* Reads the header: sets info and, if the format has its own zero of time, counts.zero_us and has_zero. Takes the
     * selection into account if it sets `selected`; else the stream does, for records and times. */
    tern_status (*open)(tern_stream *s, bool *selected, tern_diags *d);
    /* Events with the file's times; *n = 0: the end. */
    tern_status (*read)(tern_stream *s, tern_event *out, size_t room, size_t *n, tern_diags *d);
    void (*close)(tern_stream *s); /* may be NULL */
    /* Of files that hold several samples; NULL: one recording. `s` is opened up to its source, `open` was not
     * called. */
    tern_status (*samples)(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d);
    const char *missing; /* Debian package of the library that was not there at build time; NULL: complete */
    bool own_file;       /* opened by a library: neither gzip nor memory */
};

extern const tern__format tern__format_aedat2, tern__format_aedat3, tern__format_aedat4, tern__format_nmnist,
    tern__format_dat, tern__format_evt2, tern__format_evt3, tern__format_es, tern__format_hdf5, tern__format_npy,
    tern__format_npz, tern__format_idx, tern__format_csv;

/* NULL past the last one. */
const tern__format *tern__format_at(size_t i);

/* Opens base, source and format, but does not call the format's open: for `samples` and for who only asks what a file
 * is. */
tern_status tern__stream_begin(const char *path, const uint8_t *bytes, size_t size, const tern_stream_options *opt,
                               tern_alloc alloc, tern_stream **out, tern_diags *diags);
/* Samples of a file; n = 0: it is one recording. Labels are in the arena. */
tern_status tern__file_samples(const char *path, const char *format, const tern_meaning *meaning, tern_arena *arena,
                               tern__samples *out, tern_diags *diags);

/* The warning (449) that `labels` labels stand beside `n` samples ("images"); those that are there are taken in
 * order. */
void tern__labels_differ(const char *file, uint64_t labels, uint64_t n, const char *samples, tern_diags *diags);

/* Repair: takes n events in; returns how many come out, in the same place. One is held back until tern__mend_end, which
 * gives it (1) or drops it (0). */
size_t tern__mend(tern_stream *s, tern_event *e, size_t n);
size_t tern__mend_end(tern_stream *s, tern_event *e);
/* At the end of a stream: are its times plausible? */
void tern__judge(tern_stream *s);

/* A warning for each odd thing counted (410 to 414, 419, 464, 465). */
void tern__report(const char *file, const tern_stream_counts *c, bool repair, bool complete, tern_diags *diags);

/* Error about this recording. */
tern_diag *tern__stream_error(const tern_stream *s, tern_diags *d, int code, const char *fmt, ...) TERN_PRINTF(4, 5);
/* TERN_OK, or the error of a source with its diagnostic. */
tern_status tern__source_problem(const tern_stream *s, const tern__source *src, tern_diags *d);
/* Where the next byte of the stream's source lies, for messages. */
#define TERN__AT(s) ((unsigned long long)tern__source_pos(&(s)->src))

/* 64-bit time of a counter of `bits` bits that starts again at 0: a step back by half its range or more is a wrap. */
static inline uint64_t tern__unwrap(tern_stream *s, uint64_t t, unsigned bits)
{
    const uint64_t half = (uint64_t)1 << (bits - 1);
    uint64_t epoch = s->clock_epoch;
    if (s->clock_set) {
        if (t < s->clock_last && s->clock_last - t >= half) {
            s->clock_epoch = ++epoch;
            ++s->counts.n_wraps;
        } else if (epoch != 0 && t > s->clock_last && t - s->clock_last >= half) {
            return (epoch - 1) << bits | t; /* a straggler from before the wrap; the clock stays where it is */
        }
    }
    s->clock_set = true;
    s->clock_last = t;
    return epoch << bits | t;
}

/* ON or OFF of a polarity value; false: the event is left out. */
static inline bool tern__polarity(tern_stream *s, int64_t p, uint8_t *on)
{
    *on = p > 0;
    if (p == 0 || p == 1 || p == -1) return true;
    ++s->counts.n_polarity;
    s->counts.n_mended += s->opt.repair;
    return s->opt.repair;
}

/* Copies printable text up to the end of the line, for messages; what is not printable becomes '?'. */
void tern__copy_text(char *to, size_t room, const uint8_t *from, size_t n);
/* Whole number of decimal digits at p (no sign); false if there is none or it is above 2^63. *used: its characters. */
bool tern__digits(const uint8_t *p, size_t n, uint64_t *out, size_t *used);
/* Position of a text in bytes, or NULL. */
const uint8_t *tern__find(const uint8_t *p, size_t n, const char *what);

/* One line of a text header up to LF (without it and without CR before it), at most 4096 bytes. TERN_ERR_TRUNCATED with
 * a diagnostic: it has no end; TERN_ERR_FORMAT: longer, or a control character inside. *out stays valid until the next
 * look at the source. */
tern_status tern__header_line(tern_stream *s, int number, const uint8_t **out, size_t *n, tern_diags *d);

/* Records of one size that begin at `data_begin`: takes the source to the first one that is selected. *out_n: how many
 * to read, UINT64_MAX: all.
 * TERN_ERR_ARGUMENT with a diagnostic: the file has not that many. */
tern_status tern__fixed_records(tern_stream *s, uint64_t data_begin, unsigned record_bytes, uint64_t *out_n,
                                bool *selected, tern_diags *d);

/* ---- whole files, writing ---- */

/* Whole file into memory taken from arena->alloc directly (not kept in the arena); the caller gives it back with
 * tern__bytes_free. */
tern_status tern__file_read(const char *path, size_t max_bytes, tern_arena *arena, uint8_t **out_bytes,
                            size_t *out_size, tern_diags *diags);
void tern__bytes_free(tern_arena *arena, uint8_t *bytes);
/* As tern_file_write, the diagnostic is 452. */
tern_status tern__file_write(const char *path, const uint8_t *bytes, size_t size, tern_diags *diags);
/* Makes the folder, or checks that it may be written into: empty, unless `overwrite`. Temporary files that killed
 * programs have left of recordings and lists are removed first. */
tern_status tern__folder_open(const char *dir, bool overwrite, tern_diags *diags);
/* "dir/name" in the arena; NULL when memory is refused. */
char *tern__path_join(tern_arena *arena, const char *dir, const char *name);

#endif /* TERN_FORMATS_H */
