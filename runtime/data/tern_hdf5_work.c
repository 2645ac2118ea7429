/* tern_hdf5_work.c : the helper process that calls libhdf5; see tern_hdf5.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two layouts (docs/38-formats.md):
 *     grouped   GROUP/time [n] microseconds; GROUP/data [n][3] x, y, polarity; GROUP/labels [m][3] label, first time, last time. Groups: train, test
 *     spikes    spikes/times [m] lists of seconds; spikes/units [m] lists of units; labels [m]
 */
#include "tern_hdf5.h"
#include <hdf5.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CHUNK = 16 << 20 };

static void send_all(int fd, const void *p, size_t n)
{
    const uint8_t *b = p;
    while (n != 0) {
        const ssize_t k = write(fd, b, n);
        if (k <= 0) _exit(1); /* the reader went away */
        b += k;
        n -= (size_t)k;
    }
}

static void say(int fd, uint32_t kind, const void *p, size_t n)
{
    const tern__h5_head h = { kind, (uint32_t)n };
    send_all(fd, &h, sizeof h);
    send_all(fd, p, n);
}

static void stop(int fd, int code, tern_status status, const char *hint, const char *fmt, ...) TERN_PRINTF(5, 6);
static void stop(int fd, int code, tern_status status, const char *hint, const char *fmt, ...)
{
    tern__h5_error e = { .code = (uint32_t)code, .status = (uint32_t)status };
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e.text, sizeof e.text, fmt, ap);
    va_end(ap);
    snprintf(e.hint, sizeof e.hint, "%s", hint);
    say(fd, TERN__H5_ERROR, &e, sizeof e);
    _exit(0);
}

typedef struct set { hid_t id; hsize_t dims[2]; int n_dims; } set;

static bool there(hid_t file, const char *path)
{
    char part[128];
    for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; ++slash) { /* H5Lexists wants every part of the way to exist */
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file, path, H5P_DEFAULT) > 0;
}

/* Opens a data set with `n_dims` dimensions whose numbers, or lists of numbers, are of `kind`. */
static set open_set(hid_t file, const char *path, int n_dims, H5T_class_t kind, int fd)
{
    static const char hint[] = "docs/38-formats.md tells which layouts are read";
    set s = { .id = H5Dopen2(file, path, H5P_DEFAULT) };
    if (s.id < 0) stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' cannot be opened as a data set", path);
    const hid_t space = H5Dget_space(s.id), type = H5Dget_type(s.id), made = H5Dget_create_plist(s.id);
    s.n_dims = H5Sget_simple_extent_ndims(space);
    if (s.n_dims != n_dims || H5Sget_simple_extent_dims(space, s.dims, NULL) != n_dims)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' has %d dimensions instead of %d", path, s.n_dims, n_dims);
    const H5T_class_t c = H5Tget_class(type);
    if (kind == H5T_VLEN ? c != H5T_VLEN : c != H5T_INTEGER && c != H5T_FLOAT && c != H5T_ENUM)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' holds no %s", path, kind == H5T_VLEN ? "lists" : "numbers");
    if (H5Pget_layout(made) == H5D_CHUNKED) {
        hsize_t chunk[8], bytes = H5Tget_size(type);
        const int n = H5Pget_chunk(made, 8, chunk);
        for (int i = 0; i < n && i < 8 && bytes <= MAX_CHUNK; ++i) bytes *= chunk[i];
        if (bytes > MAX_CHUNK)
            stop(fd, TERN_DATA_TOO_LARGE, TERN_ERR_LIMIT, "h5repack -l CHUNK=4096 makes smaller ones", "'%.60s' is stored in pieces of more than %d MiB", path, MAX_CHUNK >> 20);
    }
    H5Pclose(made);
    H5Tclose(type);
    H5Sclose(space);
    return s;
}

/* Reads rows from .. from+n-1. */
static void read_rows(const set *s, const char *path, hsize_t from, hsize_t n, hid_t type, void *to, int fd)
{
    const hsize_t begin[2] = { from, 0 }, count[2] = { n, s->dims[1] };
    const hid_t file_space = H5Dget_space(s->id), memory = H5Screate_simple(s->n_dims, count, NULL);
    if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin, NULL, count, NULL) < 0 || H5Dread(s->id, type, memory, file_space, H5P_DEFAULT, to) < 0)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged there; copy it again", "'%.60s' cannot be read from row %llu on", path, (unsigned long long)from);
    H5Sclose(memory);
    H5Sclose(file_space);
}

static void want_sample(const tern__h5_job *job, uint64_t n, int fd)
{
    if (job->list) return;
    if (!job->sample_given && n != 1)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "the name of a sample ends in #0, or #test/0 in a group", "holds %llu samples: one of them must be named", (unsigned long long)n);
    if (job->sample >= n) stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "sample %llu is asked for, there are %llu", (unsigned long long)job->sample, (unsigned long long)n);
}

/* Labels of all samples; those of the grouped layout are the first column. */
static void send_labels(const set *labels, const char *path, int fd)
{
    static int64_t row[TERN__H5_BLOCK * 3];
    static int32_t out[TERN__H5_BLOCK];
    const hsize_t wide = labels->n_dims == 2 ? labels->dims[1] : 1;
    for (hsize_t from = 0; from < labels->dims[0];) {
        const hsize_t left = labels->dims[0] - from, n = left < TERN__H5_BLOCK ? left : TERN__H5_BLOCK;
        read_rows(labels, path, from, n, H5T_NATIVE_INT64, row, fd);
        for (hsize_t i = 0; i < n; ++i) out[i] = row[i * wide] >= 0 && row[i * wide] <= 65535 ? (int32_t)row[i * wide] : -1;
        say(fd, TERN__H5_LABELS, out, n * sizeof *out);
        from += n;
    }
}

/* ---- GROUP/time, data, labels ---- */

/* First row whose time is at least `t`, by halving. */
static hsize_t first_at(const set *time, const char *path, int64_t t, int fd)
{
    hsize_t lo = 0, hi = time->dims[0];
    while (lo < hi) {
        const hsize_t mid = lo + (hi - lo) / 2;
        int64_t v;
        read_rows(time, path, mid, 1, H5T_NATIVE_INT64, &v, fd);
        if (v < t) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static void grouped(hid_t file, const tern__h5_job *job, tern__h5_about *about, int fd)
{
    const char *group = job->group;
    char path_time[80], path_data[80], path_labels[80];
    if (group[0] == 0) {
        if (about->groups[1][0] != 0)
            stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "end the name in #train or #test", "holds the groups train and test: one of them must be named");
        group = about->groups[0];
    }
    snprintf(path_time, sizeof path_time, "%s/time", group);
    snprintf(path_data, sizeof path_data, "%s/data", group);
    snprintf(path_labels, sizeof path_labels, "%s/labels", group);
    if (!there(file, path_time) || !there(file, path_data) || !there(file, path_labels))
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "there is no group '%.47s' with time, data and labels", group);
    const set time = open_set(file, path_time, 1, H5T_INTEGER, fd), data = open_set(file, path_data, 2, H5T_INTEGER, fd), labels = open_set(file, path_labels, 2, H5T_INTEGER, fd);
    if (data.dims[1] != 3 || data.dims[0] != time.dims[0] || labels.dims[1] != 3)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md tells which layouts are read",
             "'%.47s' has %llu times, data of %llu x %llu and labels of %llu x %llu; data must be times x 3, labels samples x 3", group, (unsigned long long)time.dims[0],
             (unsigned long long)data.dims[0], (unsigned long long)data.dims[1], (unsigned long long)labels.dims[0], (unsigned long long)labels.dims[1]);
    about->n_samples = labels.dims[0];
    want_sample(job, about->n_samples, fd);
    if (job->list) {
        say(fd, TERN__H5_ABOUT, about, sizeof *about);
        send_labels(&labels, path_labels, fd);
        return;
    }
    int64_t row[3];
    read_rows(&labels, path_labels, job->sample, 1, H5T_NATIVE_INT64, row, fd);
    if (row[2] < row[1])
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged; copy it again", "sample %llu of '%.47s' ends (%lld) before it begins (%lld)", (unsigned long long)job->sample, group,
             (long long)row[2], (long long)row[1]);
    about->label = row[0];
    about->zero_us = row[1];
    say(fd, TERN__H5_ABOUT, about, sizeof *about);
    static int64_t t[TERN__H5_BLOCK], v[TERN__H5_BLOCK * 3];
    static tern__h5_row out[TERN__H5_BLOCK];
    const hsize_t end = row[2] == INT64_MAX ? time.dims[0] : first_at(&time, path_time, row[2] + 1, fd);
    for (hsize_t from = first_at(&time, path_time, row[1], fd); from < end;) {
        const hsize_t n = end - from < TERN__H5_BLOCK ? end - from : TERN__H5_BLOCK;
        read_rows(&time, path_time, from, n, H5T_NATIVE_INT64, t, fd);
        read_rows(&data, path_data, from, n, H5T_NATIVE_INT64, v, fd);
        for (hsize_t i = 0; i < n; ++i) out[i] = (tern__h5_row){ t[i], v[3 * i], v[3 * i + 1], v[3 * i + 2] };
        say(fd, TERN__H5_ROWS, out, n * sizeof *out);
        from += n;
    }
}

/* ---- spikes/times, spikes/units, labels ---- */

static void spikes(hid_t file, const tern__h5_job *job, tern__h5_about *about, int fd)
{
    if (job->group[0] != 0) stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "the name of a sample ends in #0", "there is no group '%.47s' with time, data and labels", job->group);
    const set times = open_set(file, "spikes/times", 1, H5T_VLEN, fd), units = open_set(file, "spikes/units", 1, H5T_VLEN, fd);
    const bool labelled = there(file, "labels");
    set labels = { .id = -1 };
    if (labelled) labels = open_set(file, "labels", 1, H5T_INTEGER, fd);
    if (times.dims[0] != units.dims[0] || (labelled && labels.dims[0] != times.dims[0]))
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md tells which layouts are read", "there are %llu lists of times, %llu lists of units and %llu labels",
             (unsigned long long)times.dims[0], (unsigned long long)units.dims[0], (unsigned long long)labels.dims[0]);
    about->n_samples = times.dims[0];
    about->units = 1;
    want_sample(job, about->n_samples, fd);
    if (!job->list && labelled) read_rows(&labels, "labels", job->sample, 1, H5T_NATIVE_INT64, &about->label, fd);
    say(fd, TERN__H5_ABOUT, about, sizeof *about);
    if (job->list) {
        if (labelled) send_labels(&labels, "labels", fd);
        static int32_t none[TERN__H5_BLOCK];
        memset(none, 0xff, sizeof none); /* -1 */
        for (uint64_t i = 0; !labelled && i < about->n_samples; i += TERN__H5_BLOCK)
            say(fd, TERN__H5_LABELS, none, sizeof *none * (size_t)(about->n_samples - i < TERN__H5_BLOCK ? about->n_samples - i : TERN__H5_BLOCK));
        return;
    }
    hvl_t t = { 0 }, u = { 0 };
    static tern__h5_row out[TERN__H5_BLOCK];
    read_rows(&times, "spikes/times", job->sample, 1, H5Tvlen_create(H5T_NATIVE_DOUBLE), &t, fd);
    read_rows(&units, "spikes/units", job->sample, 1, H5Tvlen_create(H5T_NATIVE_INT64), &u, fd);
    if (t.len != u.len || (t.len != 0 && (t.p == NULL || u.p == NULL)))
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged; copy it again", "sample %llu has %zu times and %zu units", (unsigned long long)job->sample, t.len, u.len);
    const double *seconds = t.p;
    const int64_t *unit = u.p;
    for (size_t from = 0; from < t.len;) {
        const size_t n = t.len - from < TERN__H5_BLOCK ? t.len - from : TERN__H5_BLOCK;
        for (size_t i = 0; i < n; ++i) {
            const double us = seconds[from + i] * 1e6;
            out[i] = (tern__h5_row){ us > -4e18 && us < 4e18 ? (int64_t)floor(us + 0.5) : -1, us > -4e18 && us < 4e18 ? unit[from + i] : -1, 0, 1 }; /* not a number: off the sensor */
        }
        say(fd, TERN__H5_ROWS, out, n * sizeof *out);
        from += n;
    }
}

void tern__hdf5_work(const tern__h5_job *job, int fd)
{
    static const char *const known[] = { "train", "test" };
    tern__h5_about about = { .label = -1 };
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_cache(access, 0, 521, 4 << 20, 0.75);
    const hid_t file = H5Fopen(job->path, H5F_ACC_RDONLY, access);
    if (file < 0) stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged or still being written; h5dump tells more", "libhdf5 cannot open the file");
    int n = 0;
    for (int i = 0; i < 2; ++i) {
        char path[32];
        snprintf(path, sizeof path, "%s/time", known[i]);
        if (there(file, path)) snprintf(about.groups[n++], sizeof about.groups[0], "%s", known[i]);
    }
    if (n != 0 || job->group[0] != 0) {
        grouped(file, job, &about, fd);
    } else if (there(file, "spikes/times") && there(file, "spikes/units")) {
        spikes(file, job, &about, fd);
    } else {
        stop(fd, TERN_DATA_KIND, TERN_ERR_FORMAT, "docs/38-formats.md tells which layouts are read", "holds neither groups with time, data and labels nor spikes/times and spikes/units");
    }
    say(fd, TERN__H5_END, NULL, 0);
}
