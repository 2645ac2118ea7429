/* tern_convert.c : recordings of any format to files of another; see tern/convert.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/convert.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tern_cut.h"
#include "tern_write.h"

enum { BLOCK = 4096 };
#define MAX_SAMPLE_CELLS ((uint64_t)1 << 30) /* of one sample's frames: 1 GiB */

typedef struct job {
    const tern_convert_options *o;
    tern_arena arena;
    tern_dataset set;
    const char *out;
    tern_stream_keep *keep; /* samples of one file are read in order */
    tern_event *block;
    uint8_t *bytes; /* of a block of events */
    tern_convert_totals *t;
    tern_diags *d;
    tern_convert_progress progress;
    void *ud;
    uint64_t n_done, n_all, n_blocks;
    /* what all samples share, found by looking through them or given */
    uint32_t width, height, steps;
    bool guessed, units, any;
} job;

static bool ask(job *j)
{
    if (j->progress == NULL || j->progress(j->ud, j->n_done, j->n_all)) return true;
    tern_diags_add(j->d, TERN_SEV_ERROR, TERN_SIM_WRITE, j->out, 0, NULL,
                   "stopped after %" PRIu64 " of %" PRIu64 " readings of a recording", j->n_done, j->n_all);
    return false;
}

static bool goes_on(job *j)
{
    ++j->n_done;
    return ask(j);
}

/* Next block of events; long recordings can be stopped in the middle. */
static tern_status next_block(job *j, tern_stream *s, size_t *n)
{
    if (++j->n_blocks % 256 == 0 && !ask(j)) return TERN_ERR_IO;
    return tern_stream_read(s, j->block, BLOCK, n, j->d);
}

static tern_status open_recording(job *j, size_t i, tern_stream **s)
{
    const tern_stream_options opt = { .format = j->o->format,
                                      .sensor_width = j->o->cut.sensor_width,
                                      .sensor_height = j->o->cut.sensor_height,
                                      .repair = j->o->repair,
                                      .keep = j->keep,
                                      .meaning = j->o->meaning };
    return tern_stream_open(j->set.paths[i], &opt, j->arena.alloc, s, j->d);
}

/* Adds what was counted in one recording. */
static void add_counts(job *j, const tern_stream *s)
{
    const tern_stream_counts *c = tern_stream_counted(s);
    tern_stream_counts *all = &j->t->counts;
    if (j->t->n_recordings++ == 0) {
        all->zero_us = c->zero_us;
        memcpy(j->t->assumed, tern_stream_about(s)->assumed, sizeof j->t->assumed);
    }
    all->n_events += c->n_events;
    all->n_on += c->n_on;
    all->n_backwards += c->n_backwards;
    all->n_off_sensor += c->n_off_sensor;
    all->n_other += c->n_other;
    all->n_polarity += c->n_polarity;
    all->n_left_over += c->n_left_over;
    all->n_wraps += c->n_wraps;
    all->n_moved += c->n_moved;
    all->n_mended += c->n_mended;
    all->n_wild += c->n_wild;
    all->n_early += c->n_early;
    all->n_gaps += c->n_gaps;
    all->n_slow += c->n_slow;
    if (c->gap_us > all->gap_us) all->gap_us = c->gap_us;
    all->cut_short = all->cut_short || c->cut_short;
    if (c->span_us > all->span_us) all->span_us = c->span_us;
    if (c->max_x > all->max_x) all->max_x = c->max_x;
    if (c->max_y > all->max_y) all->max_y = c->max_y;
}

static bool wants_cut(const tern_data_spec *c)
{
    return c->crop_width != 0 || c->scale > 1 || c->mirror_x || c->mirror_y || c->polarity == TERN_POL_ON ||
           c->polarity == TERN_POL_OFF;
}

static int32_t label_of(const job *j, size_t i, const tern_stream *s)
{
    return j->set.labels[i] >= 0 ? j->set.labels[i] : tern_stream_about(s)->label;
}

/* ---- looking through all recordings: how long they are, how large the sensor is ---- */

/* Sensor of the samples so far; they must be alike where frames of all are put together. */
static tern_status same_sensor(job *j, size_t i, const tern_stream *s)
{
    const tern_stream_info *a = tern_stream_about(s);
    const bool guessed = !a->from_file;
    if (!j->any) {
        j->guessed = guessed;
        j->units = a->units;
        j->width = a->width;
        j->height = a->height;
        j->any = true;
    } else if (guessed != j->guessed || a->units != j->units ||
               (!guessed && (a->width != j->width || a->height != j->height))) {
        tern_diag_hint(tern_diags_add(j->d, TERN_SEV_ERROR, TERN_OUT_FORM, j->set.paths[i], 0, NULL,
                                      "its sensor (%" PRIu32 " x %" PRIu32
                                      "%s) is not that of the recordings before it (%" PRIu32 " x %" PRIu32 "%s)",
                                      a->width, a->height, guessed ? ", not given by the file" : "", j->width,
                                      j->height, j->guessed ? ", not given by the file" : ""),
                       "convert them separately, or give --sensor");
        return TERN_ERR_LIMIT;
    }
    return TERN_OK;
}

static tern_status look_through(job *j)
{
    uint64_t end_us = 0;
    uint32_t max_x = 0, max_y = 0;
    for (size_t i = 0; i < j->set.n; ++i) {
        tern_stream *s;
        tern_status st = open_recording(j, i, &s);
        size_t n = 1;
        if (st == TERN_OK) st = same_sensor(j, i, s);
        while (st == TERN_OK && n != 0) st = next_block(j, s, &n);
        if (st == TERN_OK) {
            const tern_stream_counts *c = tern_stream_counted(s);
            const tern_stream_info *a = tern_stream_about(s);
            const uint64_t grid = (uint64_t)a->step_us * a->n_steps, events = c->n_events == 0 ? 0 : c->span_us + 1;
            if (grid > end_us) end_us = grid;
            if (events > end_us) end_us = events;
            if (c->max_x > max_x) max_x = c->max_x;
            if (c->max_y > max_y) max_y = c->max_y;
        }
        tern_stream_close(s);
        if (st != TERN_OK) return st;
        if (!goes_on(j)) return TERN_ERR_IO;
    }
    if (j->width == 0) {
        j->width = max_x + 1;
        j->height = max_y + 1;
    }
    if (j->steps == 0 && j->o->cut.window_us != 0) {
        const uint64_t steps = end_us == 0 ? 1 : (end_us - 1) / j->o->cut.window_us + 1;
        j->steps = steps > UINT32_MAX ? UINT32_MAX : (uint32_t)steps;
    }
    return TERN_OK;
}

/* ---- one .npz ---- */

/* The small arrays beside the large one. */
static void side_arrays(job *j, tern__npz *z, const int32_t *labels, uint64_t n)
{
    tern__npz_array(z, "labels");
    tern__npz_items(z, labels, n * sizeof *labels);
    tern__npz_shape(z, "'<i4'", 1, &n);
    if (j->o->to == TERN_TO_FRAMES) {
        const int64_t window = j->o->cut.window_us;
        tern__npz_array(z, "window_us");
        tern__npz_items(z, &window, sizeof window);
        tern__npz_shape(z, "'<i8'", 0, NULL);
    } else if (j->width != 0) {
        const int64_t sensor[2] = { j->width, j->height };
        const uint64_t two = 2;
        tern__npz_array(z, "sensor");
        tern__npz_items(z, sensor, sizeof sensor);
        tern__npz_shape(z, "'<i8'", 1, &two);
    }
}

/* Frames of one recording into cells[steps][planes][height][width], which are 0. */
static tern_status frames_of(job *j, tern_stream *s, tern__cut *c, uint32_t planes, uint8_t *cells)
{
    const bool counts = j->o->counts;
    const size_t plane = (size_t)c->out_width * c->out_height, step_bytes = plane * planes;
    for (;;) {
        size_t n;
        const tern_status st = next_block(j, s, &n);
        uint64_t placed = 0, set = 0;
        if (st != TERN_OK || n == 0) return st;
        for (size_t i = 0; i < n; ++i) {
            uint32_t step, x, y;
            if (!tern__cut_place(c, &j->block[i], &step, &x, &y)) continue;
            uint8_t *cell =
                cells + step * step_bytes + (planes == 2 && j->block[i].on ? plane : 0) + (size_t)y * c->out_width + x;
            set += *cell == 0;
            *cell = counts ? (uint8_t)(*cell + (*cell != 255)) : 1;
            ++placed;
        }
        j->t->n_events_out += placed;
        j->t->n_cells_set += set;
    }
}

static tern_status write_frames(job *j, tern__npz *z, int32_t *labels)
{
    tern__cut c;
    tern_data_spec d = j->o->cut;
    d.steps = j->steps;
    tern_status st = tern__cut_make(&d, j->set.paths[0], j->width, j->height, j->guessed, &c, j->d);
    if (st != TERN_OK) return st;
    const uint32_t planes = d.polarity == TERN_POL_SEPARATE && !j->units ? 2 : 1;
    const uint64_t bytes = (uint64_t)c.steps * planes * c.out_width * c.out_height;
    if (bytes > MAX_SAMPLE_CELLS) {
        tern_diag_hint(tern_diags_add(j->d, TERN_SEV_ERROR, TERN_OUT_FORM, j->out, 0, NULL,
                                      "a sample of %" PRIu32 " steps of %" PRIu32 " x %" PRIu32 " x %" PRIu32
                                      " cells is larger than 1 GiB",
                                      c.steps, planes, c.out_width, c.out_height),
                       "fewer or longer steps, a crop or a scale");
        return TERN_ERR_LIMIT;
    }
    uint8_t *cells = tern_arena_get(&j->arena, (size_t)bytes, 1);
    if (cells == NULL) return TERN_ERR_MEMORY;
    j->t->steps = c.steps;
    j->t->planes = planes;
    j->t->width = c.out_width;
    j->t->height = c.out_height;
    tern__npz_array(z, "frames");
    for (size_t i = 0; i < j->set.n; ++i) {
        tern_stream *s;
        st = open_recording(j, i, &s);
        if (st == TERN_OK) st = same_sensor(j, i, s);
        memset(cells, 0, (size_t)bytes);
        if (st == TERN_OK) st = frames_of(j, s, &c, planes, cells);
        if (st == TERN_OK) {
            labels[i] = label_of(j, i, s);
            add_counts(j, s);
            tern__npz_items(z, cells, (size_t)bytes);
            j->t->n_cells += bytes;
        }
        tern_stream_close(s);
        if (st != TERN_OK) return st;
        if (!goes_on(j)) return TERN_ERR_IO;
    }
    const uint64_t n = j->set.n, dims[5] = { n, c.steps, planes, c.out_height, c.out_width };
    if (j->units) tern__npz_shape(z, "'|u1'", 3, (const uint64_t[]){ n, c.steps, c.out_width });
    else if (planes == 2) tern__npz_shape(z, "'|u1'", 5, dims);
    else tern__npz_shape(z, "'|u1'", 4, (const uint64_t[]){ n, c.steps, c.out_height, c.out_width });
    return TERN_OK;
}

/* The cut for events: every time is within. */
static tern_status event_cut(job *j, const tern_stream *s, const char *file, tern__cut *c)
{
    tern_data_spec d = j->o->cut;
    d.window_us = d.steps = 1;
    const tern_stream_info *a = tern_stream_about(s);
    uint32_t width = a->width, height = a->height;
    const bool unknown = width == 0 && d.sensor_width == 0 && d.crop_width == 0 && !d.mirror_x && !d.mirror_y;
    if (unknown) width = height = (65535u / d.scale + 1u) * d.scale; /* every place that an event can have */
    const tern_status st = tern__cut_make(&d, file, width, height, !a->from_file, c, j->d);
    if (unknown) c->out_width = c->out_height = 0;
    c->window_us = c->steps = UINT32_MAX; /* 584,000 years */
    return st;
}

/* Keeps the events that lie within the cut, at their new places. */
static size_t apply_cut(tern__cut *c, tern_event *e, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; ++i) {
        uint32_t step, x, y;
        if (!tern__cut_place(c, &e[i], &step, &x, &y)) continue;
        e[k] = e[i];
        e[k].x = (uint16_t)x;
        e[k++].y = (uint16_t)y;
    }
    return k;
}

/* Copies one recording's events; `put` gets the bytes. */
static tern_status copy_events(job *j, tern_stream *s, const char *path, tern__event_form form,
                               void (*put)(void *to, const void *p, size_t n), FILE *head, void *to)
{
    const tern_stream_info *a = tern_stream_about(s);
    const bool cut = wants_cut(&j->o->cut);
    tern__cut c = { 0 };
    tern__event_out o = { .form = form, .units = a->units, .width = a->width, .height = a->height };
    tern_status st = cut ? event_cut(j, s, path, &c) : TERN_OK;
    if (st != TERN_OK) return st;
    if (cut) {
        o.width = c.out_width;
        o.height = c.out_height;
    }
    j->width = o.width;
    j->height = o.height;
    if (head != NULL) tern__events_head(head, &o);
    for (;;) {
        size_t n, bytes;
        st = next_block(j, s, &n);
        if (st != TERN_OK || n == 0) return st;
        o.zero_us = tern_stream_counted(s)->zero_us;
        if (cut) n = apply_cut(&c, j->block, n);
        st = tern__events_bytes(&o, j->block, n, path, j->bytes, &bytes, j->d);
        if (st != TERN_OK) return st;
        put(to, j->bytes, bytes);
        j->t->n_events_out += n;
    }
}

static void put_npz(void *to, const void *p, size_t n) { tern__npz_items(to, p, n); }
static void put_file(void *to, const void *p, size_t n) { (void)!fwrite(p, 1, n, to); /* commit tells */ }

static tern_status write_event_arrays(job *j, tern__npz *z, int32_t *labels)
{
    int64_t *first = tern_arena_get(&j->arena, j->set.n + 1, sizeof *first);
    uint32_t width = 0, height = 0;
    bool units = false;
    if (first == NULL) return TERN_ERR_MEMORY;
    tern__npz_array(z, "events");
    for (size_t i = 0; i < j->set.n; ++i) {
        tern_stream *s;
        tern_status st = open_recording(j, i, &s);
        if (st == TERN_OK) {
            st = copy_events(j, s, j->set.paths[i], TERN__FORM_NPZ, put_npz, NULL, z);
            labels[i] = label_of(j, i, s);
            units = tern_stream_about(s)->units;
            add_counts(j, s);
            if (i == 0) width = j->width, height = j->height;
            else if (width != j->width || height != j->height) width = height = 0; /* several sensors: none is given */
            first[i + 1] = (int64_t)j->t->n_events_out;
        }
        tern_stream_close(s);
        if (st != TERN_OK) return st;
        if (!goes_on(j)) return TERN_ERR_IO;
    }
    const uint64_t n = j->t->n_events_out, n_first = j->set.n + 1;
    tern__npz_shape(z,
                    units ? "[('t', '<i8'), ('unit', '<u2'), ('', '|V3')]"
                          : "[('t', '<i8'), ('x', '<u2'), ('y', '<u2'), ('p', '|u1')]",
                    1, &n);
    tern__npz_array(z, "first");
    tern__npz_items(z, first, n_first * sizeof *first);
    tern__npz_shape(z, "'<i8'", 1, &n_first);
    j->width = width;
    j->height = height;
    return TERN_OK;
}

static tern_status to_npz(job *j)
{
    tern_file_writer w;
    tern__npz z;
    int32_t *labels = tern_arena_get(&j->arena, j->set.n, sizeof *labels);
    if (labels == NULL) return TERN_ERR_MEMORY;
    tern_file_sweep(j->out); /* of converters that were killed */
    tern_status st = tern_file_begin(&w, j->out, j->d);
    if (st != TERN_OK) return st;
    tern__npz_begin(&z, &w);
    st = j->o->to == TERN_TO_FRAMES ? write_frames(j, &z, labels) : write_event_arrays(j, &z, labels);
    if (st != TERN_OK) {
        tern_file_abort(&w);
        return st;
    }
    side_arrays(j, &z, labels, j->set.n);
    (void)tern__npz_end(&z);
    j->t->n_bytes = z.pos;
    return tern_file_commit(&w, j->d);
}

/* ---- files of events ---- */

static tern_status write_event_file(job *j, size_t i, const char *path, int32_t *label)
{
    tern_file_writer w;
    tern_stream *s;
    tern_status st = open_recording(j, i, &s);
    if (st != TERN_OK) return st;
    st = tern_file_begin(&w, path, j->d);
    w.part = j->set.n > 1;
    if (st == TERN_OK) {
        st = copy_events(j, s, j->set.paths[i], j->o->to == TERN_TO_CSV ? TERN__FORM_CSV : TERN__FORM_AEDAT2, put_file,
                         w.f, w.f);
        *label = label_of(j, i, s);
        add_counts(j, s);
        const off_t size = ftello(w.f);
        if (st != TERN_OK) tern_file_abort(&w);
        else st = tern_file_commit(&w, j->d);
        if (st == TERN_OK && size > 0) j->t->n_bytes += (uint64_t)size;
    }
    tern_stream_close(s);
    return st;
}

static tern_status to_folder(job *j)
{
    const char *suffix = j->o->to == TERN_TO_CSV ? "csv" : "aedat";
    const size_t room = j->set.n * 40 + 16;
    char *list = tern_arena_get(&j->arena, room, 1), name[32];
    const char *list_path = tern__path_join(&j->arena, j->out, "labels.csv");
    if (list == NULL || list_path == NULL) return TERN_ERR_MEMORY;
    tern_status st = tern__folder_open(j->out, j->o->overwrite, j->d);
    if (st == TERN_OK)
        st = tern_file_remove(list_path, j->d); /* without its list the folder is no data set while it is incomplete */
    size_t n = (size_t)snprintf(list, room, "file,label\n");
    for (size_t i = 0; st == TERN_OK && i < j->set.n; ++i) {
        int32_t label;
        snprintf(name, sizeof name, "r%06zu.%s", i, suffix);
        const char *path = tern__path_join(&j->arena, j->out, name);
        st = path == NULL ? TERN_ERR_MEMORY : write_event_file(j, i, path, &label);
        if (st == TERN_OK) n += (size_t)snprintf(list + n, room - n, "%s,%d\n", name, (int)label);
        if (st == TERN_OK && !goes_on(j)) st = TERN_ERR_IO;
    }
    if (st == TERN_OK) st = tern_file_write(list_path, list, n, j->d);
    j->t->n_bytes += n;
    return st;
}

static tern_status run(job *j, const char *in)
{
    int32_t label;
    tern_status st = tern_dataset_open_as(in, &j->o->meaning, &j->arena, &j->set, j->d);
    if (st != TERN_OK) return st;
    if (j->set.n > 1 && (j->keep = tern_stream_keep_make(j->arena.alloc)) == NULL) return TERN_ERR_MEMORY;
    j->block = tern_arena_get(&j->arena, BLOCK, sizeof *j->block);
    j->bytes = tern_arena_get(&j->arena, BLOCK, TERN__EVENT_ROOM);
    if (j->block == NULL || j->bytes == NULL) return TERN_ERR_MEMORY;
    const bool frames = j->o->to == TERN_TO_FRAMES;
    if (frames && j->o->cut.window_us < 1) {
        tern_diags_add(j->d, TERN_SEV_ERROR, TERN_FRAMES_SETTING, j->out, 0, "window",
                       "frames need a window of at least 1 us");
        return TERN_ERR_DATA;
    }
    /* a look ahead where the length is not given, or neither file nor options say how large the sensor is */
    const bool look = frames && (j->o->cut.steps == 0 || (j->o->cut.sensor_width == 0 && j->o->cut.crop_width == 0));
    tern_stream *s = NULL;
    j->steps = j->o->cut.steps;
    j->n_all = j->set.n * (look && j->steps == 0 ? 2 : 1);
    if (frames && j->steps != 0) { /* the first recording tells whether its sensor is known */
        st = open_recording(j, 0, &s);
        if (st == TERN_OK) st = same_sensor(j, 0, s);
        tern_stream_close(s);
        if (st != TERN_OK) return st;
        if (look && j->width == 0) j->n_all *= 2;
    }
    if (look && (j->steps == 0 || j->width == 0)) st = look_through(j);
    if (st != TERN_OK) return st;
    switch (j->o->to) {
    case TERN_TO_FRAMES:
    case TERN_TO_EVENTS: return to_npz(j);
    default:
        if (j->set.n > 1) return to_folder(j);
        tern_file_sweep(j->out);
        st = write_event_file(j, 0, j->out, &label);
        return st == TERN_OK && !goes_on(j) ? TERN_OK : st; /* written is written */
    }
}

tern_status tern_convert(const char *in, const char *out, const tern_convert_options *options, tern_alloc alloc,
                         tern_convert_progress progress, void *ud, tern_convert_totals *totals, tern_diags *diags)
{
    *totals = (tern_convert_totals){ 0 };
    job j = { .o = options, .out = out, .t = totals, .d = diags, .progress = progress, .ud = ud };
    tern_arena_init(&j.arena, alloc, 0);
    const tern_status st = run(&j, in);
    if (st == TERN_OK) tern__report(in, &totals->counts, options->repair, true, diags);
    tern_stream_keep_free(j.keep);
    tern_arena_free(&j.arena);
    return st;
}
