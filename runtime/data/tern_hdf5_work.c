/* tern_hdf5_work.c : the helper process that calls libhdf5; see tern_hdf5.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * Layouts (docs/38-formats.md):
 *     grouped   GROUP/time [n] microseconds; GROUP/data [n][3] x, y, polarity; GROUP/labels [m][3] label,
 *               first time, last time. Groups: train, test
 *     spikes    spikes/times [m] lists of seconds; spikes/units [m] lists of units; labels [m]
 *     columns   events/t, x, y, p [n] each, perhaps t_offset (DSEC)
 *     tables    davis/left/events, davis/right/events [n][4] x, y, t in seconds, polarity (MVSEC)
 *     records   CD/events [n] of x, y, p, t (Prophesee)
 */
#include "tern_hdf5.h"
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "tern_columns.h"
#include "tern_hdf5_outside.h"
#include "tern_helper.h"

enum { MAX_CHUNK = 16 << 20 };

static void say(int fd, uint32_t kind, const void *p, size_t n)
{
    const tern__h5_head h = { kind, (uint32_t)n };
    tern__helper_send(fd, &h, sizeof h);
    tern__helper_send(fd, p, n);
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

typedef struct set {
    hid_t id;
    hsize_t dims[2];
    int n_dims;
} set;

static int report_to; /* the process is about one file */
static const char repack[] = "copy its numbers into one file where it was made, with h5py for instance";

static void inside(hid_t file, const char *path)
{
    if (tern__hdf5_leads_outside(file, path))
        stop(report_to, TERN_DATA_KIND, TERN_ERR_FORMAT, repack,
             "'%.60s' is a link into another file, which is not followed", path);
}

static bool there(hid_t file, const char *path)
{
    char part[128];
    /* H5Lexists wants every part of the way to exist */
    for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; ++slash) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
        inside(file, part);
    }
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return false;
    inside(file, path);
    return true;
}

/* Compressed by something that this libhdf5 does not have? */
static void check_filters(hid_t made, const char *path, int fd)
{
    static const struct {
        int id;
        const char *name, *cure;
    } known[] = {
        { 36559, "ECF of Prophesee",
          "its plugin hdf5_ecf comes with Metavision; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32001, "Blosc",
          "its plugin comes with Python's hdf5plugin; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32026, "Blosc2",
          "its plugin comes with Python's hdf5plugin; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32015, "Zstandard",
          "its plugin comes with Python's hdf5plugin; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32004, "LZ4",
          "its plugin comes with Python's hdf5plugin; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32008, "bitshuffle",
          "its plugin comes with Python's hdf5plugin; HDF5_PLUGIN_PATH names the folder. Or: h5repack -f NONE IN OUT "
          "where it is installed" },
        { 32000, "LZF", "h5repack -f NONE IN OUT with Python's h5py makes a plain file" },
    };
    for (int i = 0; i < H5Pget_nfilters(made); ++i) {
        char name[64] = "";
        unsigned flags;
        size_t none = 0;
        const H5Z_filter_t id = H5Pget_filter2(made, (unsigned)i, &flags, &none, NULL, sizeof name, name, NULL);
        if (id < 0 || H5Zfilter_avail(id) > 0) continue;
        name[sizeof name - 1] = 0;
        const char *cure =
            "HDF5_PLUGIN_PATH names the folder of its plugin. Or: h5repack -f NONE IN OUT where it is installed";
        for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
            if (known[k].id == id) snprintf(name, sizeof name, "%s", known[k].name), cure = known[k].cure;
        stop(fd, TERN_DATA_LIBRARY, TERN_ERR_TOOL, cure,
             "'%.60s' is compressed with the filter %d (%s), which this libhdf5 does not have", path, (int)id,
             name[0] != 0 ? name : "unknown");
    }
}

/* Opens a data set with `n_dims` dimensions whose numbers, or lists of numbers, are of `kind`. */
static set open_set(hid_t file, const char *path, int n_dims, H5T_class_t kind, int fd)
{
    static const char hint[] = "docs/38-formats.md lists the supported layouts";
    set s = { .id = H5Dopen2(file, path, H5P_DEFAULT) };
    if (s.id < 0) stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' cannot be opened as a data set", path);
    const char *outside = tern__hdf5_outside(s.id);
    if (outside != NULL) stop(fd, TERN_DATA_KIND, TERN_ERR_FORMAT, repack, "'%.60s' %s", path, outside);
    const hid_t space = H5Dget_space(s.id), type = H5Dget_type(s.id), made = H5Dget_create_plist(s.id);
    s.n_dims = H5Sget_simple_extent_ndims(space);
    if (s.n_dims != n_dims || H5Sget_simple_extent_dims(space, s.dims, NULL) != n_dims)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' has %d dimensions instead of %d", path, s.n_dims,
             n_dims);
    const H5T_class_t c = H5Tget_class(type);
    if (kind == H5T_VLEN || kind == H5T_COMPOUND ? c != kind : c != H5T_INTEGER && c != H5T_FLOAT && c != H5T_ENUM)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, hint, "'%.60s' holds no %s", path,
             kind == H5T_VLEN       ? "lists"
             : kind == H5T_COMPOUND ? "records"
                                    : "numbers");
    check_filters(made, path, fd);
    if (H5Pget_layout(made) == H5D_CHUNKED) {
        hsize_t chunk[8], bytes = H5Tget_size(type);
        const int n = H5Pget_chunk(made, 8, chunk);
        for (int i = 0; i < n && i < 8 && bytes <= MAX_CHUNK; ++i) bytes *= chunk[i];
        if (bytes > MAX_CHUNK)
            stop(fd, TERN_DATA_TOO_LARGE, TERN_ERR_LIMIT, "h5repack -l CHUNK=4096 makes smaller ones",
                 "'%.60s' is stored in chunks of more than %d MiB", path, MAX_CHUNK >> 20);
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
    if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin, NULL, count, NULL) < 0 ||
        H5Dread(s->id, type, memory, file_space, H5P_DEFAULT, to) < 0)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged there; copy it again",
             "'%.60s' cannot be read from row %llu on", path, (unsigned long long)from);
    H5Sclose(memory);
    H5Sclose(file_space);
}

static void want_sample(const tern__h5_job *job, uint64_t n, int fd)
{
    if (job->list) return;
    if (!job->sample_given && n != 1)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "the name of a sample ends in #0, or #test/0 in a group",
             "holds %llu samples: one of them must be named", (unsigned long long)n);
    if (job->sample >= n)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "sample %llu is asked for, there are %llu",
             (unsigned long long)job->sample, (unsigned long long)n);
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
        for (hsize_t i = 0; i < n; ++i)
            out[i] = row[i * wide] >= 0 && row[i * wide] <= 65535 ? (int32_t)row[i * wide] : -1;
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
            stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "end the name in #train or #test",
                 "holds the groups train and test: one of them must be named");
        group = about->groups[0];
    }
    snprintf(path_time, sizeof path_time, "%s/time", group);
    snprintf(path_data, sizeof path_data, "%s/data", group);
    snprintf(path_labels, sizeof path_labels, "%s/labels", group);
    if (!there(file, path_time) || !there(file, path_data) || !there(file, path_labels))
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "there is no group '%.47s' with time, data and labels",
             group);
    const set time = open_set(file, path_time, 1, H5T_INTEGER, fd),
              data = open_set(file, path_data, 2, H5T_INTEGER, fd),
              labels = open_set(file, path_labels, 2, H5T_INTEGER, fd);
    if (data.dims[1] != 3 || data.dims[0] != time.dims[0] || labels.dims[1] != 3)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
             "'%.47s' has %llu times, data of %llu x %llu and labels of %llu x %llu; data must be times x 3, labels "
             "samples x 3",
             group, (unsigned long long)time.dims[0], (unsigned long long)data.dims[0],
             (unsigned long long)data.dims[1], (unsigned long long)labels.dims[0], (unsigned long long)labels.dims[1]);
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
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged; copy it again",
             "sample %llu of '%.47s' ends (%lld) before it begins (%lld)", (unsigned long long)job->sample, group,
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
    if (job->group[0] != 0)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "the name of a sample ends in #0",
             "there is no group '%.47s' with time, data and labels", job->group);
    const set times = open_set(file, "spikes/times", 1, H5T_VLEN, fd),
              units = open_set(file, "spikes/units", 1, H5T_VLEN, fd);
    const bool labelled = there(file, "labels");
    set labels = { .id = -1 };
    if (labelled) labels = open_set(file, "labels", 1, H5T_INTEGER, fd);
    if (times.dims[0] != units.dims[0] || (labelled && labels.dims[0] != times.dims[0]))
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
             "there are %llu lists of times, %llu lists of units and %llu labels", (unsigned long long)times.dims[0],
             (unsigned long long)units.dims[0], (unsigned long long)labels.dims[0]);
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
            say(fd, TERN__H5_LABELS, none,
                sizeof *none * (size_t)(about->n_samples - i < TERN__H5_BLOCK ? about->n_samples - i : TERN__H5_BLOCK));
        return;
    }
    hvl_t t = { 0 }, u = { 0 };
    static tern__h5_row out[TERN__H5_BLOCK];
    read_rows(&times, "spikes/times", job->sample, 1, H5Tvlen_create(H5T_NATIVE_DOUBLE), &t, fd);
    read_rows(&units, "spikes/units", job->sample, 1, H5Tvlen_create(H5T_NATIVE_INT64), &u, fd);
    if (t.len != u.len || (t.len != 0 && (t.p == NULL || u.p == NULL)))
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged; copy it again",
             "sample %llu has %zu times and %zu units", (unsigned long long)job->sample, t.len, u.len);
    const double *seconds = t.p;
    const int64_t *unit = u.p;
    for (size_t from = 0; from < t.len;) {
        const size_t n = t.len - from < TERN__H5_BLOCK ? t.len - from : TERN__H5_BLOCK;
        for (size_t i = 0; i < n; ++i) {
            const double us = seconds[from + i] * 1e6;
            /* not a number: off the sensor */
            out[i] = (tern__h5_row){ us > -4e18 && us < 4e18 ? (int64_t)floor(us + 0.5) : -1,
                                     us > -4e18 && us < 4e18 ? unit[from + i] : -1, 0, 1 };
        }
        say(fd, TERN__H5_ROWS, out, n * sizeof *out);
        from += n;
    }
}

/* ---- events as they are published: columns, tables, records ---- */

typedef struct event_layout {
    set t, x, y, p; /* columns; tables and records: t only */
    char path[4][80];
    enum { COLUMNS, TABLE, COMPOUND } shape;
    bool real; /* times are */
    int power; /* a time is so many microseconds, as a power of ten */
    int64_t offset_us;
} event_layout;

static bool is_real(const set *s)
{
    const hid_t type = H5Dget_type(s->id);
    const bool real = H5Tget_class(type) == H5T_FLOAT;
    H5Tclose(type);
    return real;
}

/* The first of these names within a group. */
static bool find_name(hid_t file, const char *group, const char *const *names, char path[80])
{
    for (; *names != NULL; ++names) {
        snprintf(path, 80, "%s/%s", group, *names);
        if (there(file, path)) return true;
    }
    return false;
}

/* A whole number beside the events; 0: there is none. */
static int64_t scalar(hid_t file, const char *path)
{
    int64_t v = 0;
    if (!there(file, path)) return 0;
    const hid_t id = H5Dopen2(file, path, H5P_DEFAULT);
    const char *outside = id < 0 ? NULL : tern__hdf5_outside(id);
    if (outside != NULL) stop(report_to, TERN_DATA_KIND, TERN_ERR_FORMAT, repack, "'%.60s' %s", path, outside);
    const hid_t space = id < 0 ? -1 : H5Dget_space(id);
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
        H5Dread(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &v) < 0)
        v = 0;
    if (space >= 0) H5Sclose(space);
    if (id >= 0) H5Dclose(id);
    return v;
}

/* The attribute `geometry`, a text like 1280x720. */
static void geometry(hid_t file, tern__h5_about *about)
{
    char text[32] = "";
    unsigned w, h;
    if (H5Aexists(file, "geometry") <= 0) return;
    const hid_t a = H5Aopen(file, "geometry", H5P_DEFAULT), type = H5Aget_type(a), as = H5Tcopy(H5T_C_S1);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        char *p = NULL;
        H5Tset_size(as, H5T_VARIABLE);
        H5Tset_cset(as, H5Tget_cset(type));
        if (H5Aread(a, as, &p) >= 0 && p != NULL) snprintf(text, sizeof text, "%s", p);
    } else if (H5Tget_class(type) == H5T_STRING) {
        H5Tset_size(as, sizeof text);
        H5Tset_cset(as, H5Tget_cset(type));
        if (H5Aread(a, as, text) < 0) text[0] = 0;
        text[sizeof text - 1] = 0;
    }
    H5Tclose(as);
    H5Tclose(type);
    H5Aclose(a);
    if (sscanf(text, "%5ux%5u", &w, &h) == 2 && w >= 1 && w <= 65536 && h >= 1 && h <= 65536)
        about->width = w, about->height = h;
}

static bool find_columns(hid_t file, event_layout *e, int fd)
{
    static const char *const names[4][5] = { { "t", "ts", "time", "timestamps", NULL },
                                             { "x", "xs", NULL },
                                             { "y", "ys", NULL },
                                             { "p", "ps", "pol", "polarity", NULL } };
    set *const sets[4] = { &e->t, &e->x, &e->y, &e->p };
    for (int c = 0; c < 4; ++c)
        if (!find_name(file, "events", names[c], e->path[c])) return false;
    for (int c = 0; c < 4; ++c) {
        *sets[c] = open_set(file, e->path[c], 1, H5T_INTEGER, fd);
        if (sets[c]->dims[0] != e->t.dims[0])
            stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
                 "'%.60s' has %llu numbers, '%.60s' has %llu", e->path[c], (unsigned long long)sets[c]->dims[0],
                 e->path[0], (unsigned long long)e->t.dims[0]);
    }
    e->shape = COLUMNS;
    e->real = is_real(&e->t);
    e->power = e->real ? 6 : 0;
    e->offset_us = scalar(file, "t_offset");
    return true;
}

/* One or both cameras of MVSEC; false: neither. */
static bool find_tables(hid_t file, const tern__h5_job *job, tern__h5_about *about, event_layout *e, int fd)
{
    static const char *const cameras[] = { "left", "right" };
    int n = 0;
    for (int i = 0; i < 2; ++i) {
        snprintf(e->path[0], sizeof e->path[0], "davis/%s/events", cameras[i]);
        if (there(file, e->path[0])) snprintf(about->groups[n++], sizeof about->groups[0], "%s", cameras[i]);
    }
    if (n == 0) return false;
    const char *camera = job->group[0] != 0 ? job->group : about->groups[0];
    if (n == 2 && job->group[0] == 0)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "end the name in #left or #right",
             "holds the cameras left and right: one of them must be named");
    snprintf(e->path[0], sizeof e->path[0], "davis/%.47s/events", camera);
    if (!there(file, e->path[0]))
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "there is no camera '%.47s'", camera);
    e->t = open_set(file, e->path[0], 2, H5T_INTEGER, fd);
    if (e->t.dims[1] != 4)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
             "'%.60s' has %llu columns instead of x, y, t, polarity", e->path[0], (unsigned long long)e->t.dims[1]);
    e->shape = TABLE;
    e->real = true;
    e->power = 6;
    about->n_samples = 1;
    return true;
}

static bool find_records(hid_t file, tern__h5_about *about, event_layout *e, int fd)
{
    snprintf(e->path[0], sizeof e->path[0], "CD/events");
    if (!there(file, e->path[0])) return false;
    e->t = open_set(file, e->path[0], 1, H5T_COMPOUND, fd);
    const hid_t type = H5Dget_type(e->t.id);
    if (H5Tget_member_index(type, "t") < 0 || H5Tget_member_index(type, "x") < 0 ||
        H5Tget_member_index(type, "y") < 0 || H5Tget_member_index(type, "p") < 0)
        stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
             "the records of '%s' lack one of x, y, p, t", e->path[0]);
    H5Tclose(type);
    e->shape = COMPOUND;
    geometry(file, about);
    return true;
}

/* Microseconds of a time. */
static int64_t to_us(const event_layout *e, double real, int64_t whole)
{
    static const double scale[] = { 1e-3, 1, 1e3, 1e6 };
    if (!e->real && e->power == 0) return whole > INT64_MAX / 2 ? -1 : whole + e->offset_us;
    const double us = (e->real ? real : (double)whole) * scale[e->power / 3 + 1];
    return us > -4e18 && us < 4e18 ? (int64_t)floor(us + 0.5) + e->offset_us : -1;
}

static int64_t place(double v) { return v > -1e9 && v < 1e9 ? (int64_t)v : -1; }

static void read_published(const event_layout *e, hsize_t from, hsize_t n, tern__h5_row *out, hid_t row, int fd)
{
    static double real[TERN__H5_BLOCK * 4];
    static int64_t whole[4][TERN__H5_BLOCK];
    switch (e->shape) {
    case COMPOUND:
        read_rows(&e->t, e->path[0], from, n, row, out, fd);
        for (hsize_t i = 0; i < n; ++i) out[i].t_us = to_us(e, 0, out[i].t_us);
        return;
    case TABLE:
        read_rows(&e->t, e->path[0], from, n, H5T_NATIVE_DOUBLE, real, fd);
        for (hsize_t i = 0; i < n; ++i) {
            const double *v = real + 4 * i;
            out[i] = (tern__h5_row){ to_us(e, v[2], 0), place(v[0]), place(v[1]), v[3] > 0 ? 1 : v[3] < 0 ? -1 : 0 };
        }
        return;
    default: break;
    }
    const set *const sets[4] = { &e->t, &e->x, &e->y, &e->p };
    for (int c = 0; c < 4; ++c)
        read_rows(sets[c], e->path[c], from, n, c == 0 && e->real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
                  c == 0 && e->real ? (void *)real : (void *)whole[c], fd);
    for (hsize_t i = 0; i < n; ++i)
        out[i] = (tern__h5_row){ to_us(e, real[i], whole[0][i]), whole[1][i], whole[2][i], whole[3][i] };
}

/* DSEC, MVSEC, Prophesee; false: none of them. */
static bool published(hid_t file, const tern__h5_job *job, tern__h5_about *about, int fd)
{
    static event_layout e;
    static tern__h5_row out[TERN__H5_BLOCK];
    const bool found = find_tables(file, job, about, &e, fd) ||
                       (job->group[0] == 0 && (find_columns(file, &e, fd) || find_records(file, about, &e, fd)));
    if (!found) return false;
    if (job->sample != 0)
        stop(fd, TERN_DATA_SELECTION, TERN_ERR_ARGUMENT, "", "sample %llu is asked for, this is one recording",
             (unsigned long long)job->sample);
    if (job->time_unit != NULL) (void)tern__unit_parse(job->time_unit, strlen(job->time_unit), &e.power);
    about->power = (uint8_t)e.power;
    about->power_assumed = job->time_unit == NULL && e.shape == COLUMNS;
    about->from_first = 1;
    say(fd, TERN__H5_ABOUT, about, sizeof *about);
    if (job->list) {
        const int32_t none = -1;
        if (about->n_samples != 0) say(fd, TERN__H5_LABELS, &none, sizeof none);
        return true;
    }
    const hid_t row = H5Tcreate(H5T_COMPOUND, sizeof *out);
    H5Tinsert(row, "t", offsetof(tern__h5_row, t_us), H5T_NATIVE_INT64);
    H5Tinsert(row, "x", offsetof(tern__h5_row, x), H5T_NATIVE_INT64);
    H5Tinsert(row, "y", offsetof(tern__h5_row, y), H5T_NATIVE_INT64);
    H5Tinsert(row, "p", offsetof(tern__h5_row, p), H5T_NATIVE_INT64);
    for (hsize_t from = 0; from < e.t.dims[0];) {
        const hsize_t left = e.t.dims[0] - from, n = left < TERN__H5_BLOCK ? left : TERN__H5_BLOCK;
        read_published(&e, from, n, out, row, fd);
        say(fd, TERN__H5_ROWS, out, (size_t)n * sizeof *out);
        from += n;
    }
    return true;
}

/* Opens the file. libhdf5 locks it even for reading, which some network file systems refuse: then without. */
static hid_t open_unlocked(const char *path, hid_t access, int fd)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (file >= 0) return file;
    const int own = open(path, O_RDONLY | O_CLOEXEC);
    const int why = own >= 0 && flock(own, LOCK_SH | LOCK_NB) != 0 ? errno : 0;
    if (own >= 0) close(own);
    if (why == EWOULDBLOCK)
        stop(fd, TERN_DATA_IO, TERN_ERR_IO, "wait until it has been written, or end that program",
             "another program has locked the file for writing");
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
    if (why != 0 && H5Pset_file_locking(access, 0, 1) >= 0) file = H5Fopen(path, H5F_ACC_RDONLY, access);
#endif
    if (file >= 0) return file;
    if (why != 0)
        stop(fd, TERN_DATA_IO, TERN_ERR_IO,
             "HDF5_USE_FILE_LOCKING=FALSE in the environment, or copy the file to a local disk",
             "the file system has no locks (%s), which libhdf5 needs", strerror(why));
    stop(fd, TERN_DATA_DAMAGED, TERN_ERR_FORMAT, "the file is damaged or still being written; h5dump shows more",
         "libhdf5 cannot open the file");
    return -1;
}

void tern__hdf5_work(const tern__h5_job *job, int fd)
{
    static const char *const known[] = { "train", "test" };
    tern__h5_about about = { .label = -1 };
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_cache(access, 0, 521, 4 << 20, 0.75);
    report_to = fd;
    tern__hdf5_stay_inside();
    const hid_t file = open_unlocked(job->path, access, fd);
    int n = 0;
    for (int i = 0; i < 2; ++i) {
        char path[32];
        snprintf(path, sizeof path, "%s/time", known[i]);
        if (there(file, path)) snprintf(about.groups[n++], sizeof about.groups[0], "%s", known[i]);
    }
    if (n != 0 || (job->group[0] != 0 && !there(file, "davis"))) {
        grouped(file, job, &about, fd);
    } else if (there(file, "spikes/times") && there(file, "spikes/units")) {
        spikes(file, job, &about, fd);
    } else if (!published(file, job, &about, fd)) {
        stop(fd, TERN_DATA_KIND, TERN_ERR_FORMAT, "docs/38-formats.md lists the supported layouts",
             "holds no events as they are read: groups with time, data, labels; spikes/times, spikes/units; events/t, "
             "x, y, p; davis/left/events; CD/events");
    }
    say(fd, TERN__H5_END, NULL, 0);
}
