/* convert.h : recordings of any format to AEDAT 2.0, CSV or NumPy arrays (docs/30-data.md, section 5)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files are read as streams and written as they are read: memory does not depend on how long they are, only on one
 * sample's frames.
 *
 * Threads: calls with different outputs may run side by side. Progress is called by the thread that called.
 */
#ifndef TERN_CONVERT_H
#define TERN_CONVERT_H
#include "tern/data.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_convert_to {
    TERN_TO_AEDAT2, /* a file, or of a data set a folder of files with labels.csv: pixels below 128 x 128            */
    TERN_TO_CSV,    /* likewise: lines t,x,y,p (units: t,unit)                                                       */
    TERN_TO_EVENTS, /* one .npz with the events of all samples: events, first, labels, sensor                        */
    TERN_TO_FRAMES  /* one .npz with the frames of all samples: frames, labels, window_us                            */
} tern_convert_to;

typedef struct tern_convert_options {
    tern_convert_to to;
    const char *format;   /* of the input; NULL or "auto": by content */
    tern_meaning meaning; /* of the input, where it does not say */
    bool repair;          /* docs/30-data.md, section 1 */
    bool overwrite;       /* a folder as output may have something in it */
    bool counts;          /* frames: events per cell up to 255 instead of 0 or 1 */
    /* sensor (of files that do not say), mirror, crop, scale, polarity; frames also window_us and steps, 0: as many as
     * the longest sample needs.
     * Parts, label and format are ignored. */
    tern_data_spec cut;
} tern_convert_options;

typedef struct tern_convert_totals {
    /* read; written as events or into cells; of all files written */
    uint64_t n_recordings, n_events_out, n_bytes;
    uint64_t n_cells, n_cells_set;         /* frames: all cells, and those that are not 0 */
    uint32_t steps, planes, width, height; /* frames: of one sample; planes 2: OFF, ON */
    char assumed[120];                     /* tern_stream_info, of the first recording */
    /* of all recordings together; max and span are the largest, zero_us the first one's */
    tern_stream_counts counts;
} tern_convert_totals;

/* Called after every recording of a pass, and now and then within a long one; `done` and `total` count readings of a
 * recording: frames are read twice where a first reading has to find how long they are. Return false to stop
 * (TERN_ERR_IO, nothing is left but files of a folder already complete). */
typedef bool (*tern_convert_progress)(void *ud, uint64_t done, uint64_t total);

/* `in`: a recording or a data set (tern_dataset_open). Warnings about odd things are made once, for all recordings
 * together. TERN_ERR_LIMIT: the output's form cannot hold what there is (453, 460). */
tern_status tern_convert(const char *in, const char *out, const tern_convert_options *options, tern_alloc alloc,
                         tern_convert_progress progress, void *ud, tern_convert_totals *totals, tern_diags *diags);

typedef struct tern_split_options {
    uint32_t percent[3]; /* shares of training, validation and test; together 100; 0: no such list */
    uint64_t seed;
    /* [n_classes] labels that are kept; which list a recording goes to does not depend on what else is kept */
    const uint16_t *classes;
    uint32_t n_classes; /* 0: all, those without label too */
    bool overwrite;     /* the folder may have something in it */
} tern_split_options;

/* Writes the lists train.csv, validation.csv and test.csv of a data set into the folder `out` (made when missing).
 * Each label is split separately, so that the lists have the same mixture; order and choice depend on the seed and the
 * data set's order only. n[3]: entries of each. A class that no recording has: TERN_ERR_ARGUMENT (462). */
tern_status tern_dataset_split(const char *in, const char *out, const tern_split_options *options, tern_alloc alloc,
                               uint64_t n[3], tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CONVERT_H */
