/* tern_hdf5.h : what the reader of HDF5 files and its helper process say to each other (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * libhdf5 may crash, loop or take gigabytes when a file is damaged. So it runs in a helper process with a memory limit,
 * which sends what it reads through a pipe; when the helper dies or falls silent, that is an error like any other. A
 * message is a tern__h5_head and `bytes` bytes.
 */
#ifndef TERN_HDF5_H
#define TERN_HDF5_H
#include <stdint.h>
#include "tern_formats.h"

enum { TERN__H5_ABOUT = 1, TERN__H5_LABELS, TERN__H5_ROWS, TERN__H5_ERROR, TERN__H5_END };
enum { TERN__H5_BLOCK = 4096 }; /* labels or rows of one message */

typedef struct tern__h5_head {
    uint32_t kind, bytes;
} tern__h5_head;

typedef struct tern__h5_about {
    uint64_t n_samples;
    int64_t label;
    int64_t zero_us;
    uint32_t units;         /* 1: rows are spikes of units */
    uint32_t from_first;    /* 1: time counts from the first event, there is no zero_us */
    uint32_t width, height; /* of the sensor; 0: not told */
    uint32_t power;         /* unit of the times: 6 seconds, 3 milliseconds, 0 microseconds, 253 (-3) nanoseconds */
    uint32_t power_assumed; /* 1: neither the layout nor an option tells it */
    char groups[2][48];     /* found in the file; "" past the last */
} tern__h5_about;

typedef struct tern__h5_row {
    int64_t t_us, x, y, p;
} tern__h5_row; /* units: x; y 0, p 1 */

/* of docs/60-errors.md; tern_status */
typedef struct tern__h5_error {
    uint32_t code, status;
    char text[320], hint[160];
} tern__h5_error;

/* What the helper does: sends ABOUT, then the labels of all samples of `group` (list) or the rows of one sample, then
 * END. */
typedef struct tern__h5_job {
    const char *path;
    const char *group; /* "": none was named */
    uint64_t sample;
    bool sample_given, list;
    const char *time_unit; /* "s", "ms", "us", "ns"; NULL: not told */
} tern__h5_job;

/* Runs in the helper process; does not return an error but sends it. `fd`: the pipe. */
void tern__hdf5_work(const tern__h5_job *job, int fd);

#endif /* TERN_HDF5_H */
