/* tern_cli_data_info.c : `tern data info`: what recordings hold, and what is unusual about them
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_cli_data.h"
#include "tern_errors.h"

enum { BLOCK = 4096, RATE_US = 10000 }; /* window of the highest rate */
#define MAX_CELLS (UINT64_C(1) << 31)   /* (pixel, window) of a crop: a bit each, 256 MiB */

typedef struct box {
    uint32_t x, y, width, height;
} box;

/* Everything that is counted, over all recordings. */
typedef struct info {
    tern_stream_info about; /* of the first one */
    tern_stream_counts c;   /* sums, and the largest */
    bool same_sensor;
    tern_meaning meaning;
    tern_stream_keep *keep;         /* samples of one file are read in order */
    uint64_t n_recordings, time_us; /* spans added up */
    uint64_t first_us;              /* the file's time of the first event (of the first recording) */
    uint64_t peak;                  /* most events in a window of RATE_US */
    int32_t label_min, label_max;
    uint64_t n_labels; /* recordings that have one */
    uint64_t n_empty;  /* recordings without events */
    /* with --crop: cells are (pixel, window) */
    const box *crop;
    bool mirror_x;
    uint64_t window_us, windows, steps; /* steps 0: to the end */
    uint64_t in_crop, cells, cells_all;
    uint32_t *seen;
} info;

static void add_labels(info *f, int32_t label)
{
    if (label < 0) return;
    if (f->n_labels == 0 || label < f->label_min) f->label_min = label;
    if (f->n_labels == 0 || label > f->label_max) f->label_max = label;
    ++f->n_labels;
}

static void add_counts(info *f, const tern_stream *s)
{
    const tern_stream_counts *c = tern_stream_counted(s);
    const tern_stream_info *a = tern_stream_about(s);
    if (f->n_recordings++ == 0) {
        f->about = *a;
        f->c = *c;
        f->same_sensor = true;
        f->time_us = c->span_us;
        return;
    }
    f->same_sensor = f->same_sensor && a->width == f->about.width && a->height == f->about.height;
    f->time_us += c->span_us;
    f->c.n_events += c->n_events;
    f->c.n_on += c->n_on;
    f->c.n_backwards += c->n_backwards;
    f->c.n_off_sensor += c->n_off_sensor;
    f->c.n_other += c->n_other;
    f->c.n_polarity += c->n_polarity;
    f->c.n_left_over += c->n_left_over;
    f->c.n_wraps += c->n_wraps;
    f->c.n_early += c->n_early;
    f->c.n_gaps += c->n_gaps;
    f->c.n_slow += c->n_slow;
    if (c->gap_us > f->c.gap_us) f->c.gap_us = c->gap_us;
    if (c->span_us > f->c.span_us) f->c.span_us = c->span_us;
    if (c->max_x > f->c.max_x) f->c.max_x = c->max_x;
    if (c->max_y > f->c.max_y) f->c.max_y = c->max_y;
}

/* Events of a recording; the highest rate on the way. */
static tern_status read_one(info *f, const char *path, int32_t label, bool many, const char *format, tern_event *block,
                            tern_diags *d)
{
    const tern_stream_options opt = { .format = format, .keep = f->keep, .meaning = f->meaning };
    tern_stream *s;
    uint64_t window = 0, in_window = 0;
    size_t n = 1;
    tern_status st = tern_stream_open(path, &opt, tern_alloc_default(), &s, d);
    while (st == TERN_OK && n != 0 && !tern_interrupted()) {
        const bool first = f->n_recordings == 0 && tern_stream_counted(s)->n_events == 0;
        st = tern_stream_read(s, block, BLOCK, &n, d);
        /* formats with a zero of their own need not begin there */
        if (st == TERN_OK && first && n != 0) f->first_us = tern_stream_counted(s)->zero_us + block[0].t_us;
        for (size_t i = 0; st == TERN_OK && i < n; ++i) {
            const uint64_t w = block[i].t_us / RATE_US;
            in_window = w == window ? in_window + 1 : 1;
            window = w;
            if (in_window > f->peak) f->peak = in_window;
        }
    }
    if (st == TERN_OK) {
        f->n_empty += tern_stream_counted(s)->n_events == 0;
        if (!many) tern_stream_report(s, d); /* of many the sums tell */
        add_counts(f, s);
        add_labels(f, label >= 0 ? label : tern_stream_about(s)->label);
    }
    tern_stream_close(s);
    return st;
}

static uint64_t windows_of(const info *f)
{
    return f->steps != 0 ? f->steps : f->c.n_events == 0 ? 0 : f->c.span_us / f->window_us + 1;
}

/* A second reading, for the crop; its length is known then. */
static tern_status read_crop(info *f, const char *path, const char *format, tern_event *block, tern_arena *arena,
                             tern_diags *d)
{
    const uint64_t pixels = (uint64_t)f->crop->width * f->crop->height;
    f->windows = windows_of(f);
    f->cells_all = f->windows * pixels; /* at most MAX_CELLS */
    f->seen = tern_arena_get(arena, (size_t)(f->cells_all / 32 + 1), sizeof *f->seen);
    if (f->seen == NULL) return TERN_ERR_MEMORY;
    const uint32_t width = f->about.width != 0 ? f->about.width : f->c.max_x + 1;
    const tern_stream_options opt = { .format = format, .meaning = f->meaning };
    tern_stream *s;
    size_t n = 1;
    tern_status st = tern_stream_open(path, &opt, tern_alloc_default(), &s, d);
    while (st == TERN_OK && n != 0) {
        st = tern_stream_read(s, block, BLOCK, &n, d);
        for (size_t i = 0; st == TERN_OK && i < n; ++i) {
            const uint32_t x = (f->mirror_x ? width - 1 - block[i].x : block[i].x) - f->crop->x,
                           y = block[i].y - f->crop->y;
            const uint64_t w = block[i].t_us / f->window_us;
            if (x >= f->crop->width || y >= f->crop->height || w >= f->windows) continue;
            ++f->in_crop;
            const uint64_t cell = w * pixels + (uint64_t)y * f->crop->width + x;
            if ((f->seen[cell / 32] >> (cell % 32) & 1u) != 0) continue;
            f->seen[cell / 32] |= 1u << (cell % 32);
            ++f->cells;
        }
    }
    tern_stream_close(s);
    return st;
}

static double rate_of(const info *f)
{
    return f->time_us == 0 ? 0.0 : (double)f->c.n_events / ((double)f->time_us * 1e-6);
}

static int print_json(const char *path, const info *f, double window_ms)
{
    const tern_stream_counts *c = &f->c;
    json_t *o = tern_json_pack(
        "{s:s, s:s, s:[I,I], s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "file", path, "format",
        f->about.format, "sensor", (json_int_t)f->about.width, (json_int_t)f->about.height, "sensor_from_file",
        (int)f->about.from_file, "units", (int)f->about.units, "recordings", (json_int_t)f->n_recordings, "events",
        (json_int_t)c->n_events, "span_us", (json_int_t)c->span_us, "first_us", (json_int_t)f->first_us, "on",
        (json_int_t)c->n_on, "off", (json_int_t)(c->n_events - c->n_on), "events_per_s", tern_json_real(rate_of(f)),
        "highest_per_s", tern_json_real((double)f->peak * 1e6 / RATE_US));
    tern_json_put(o, "largest", tern_json_pack("[I,I]", (json_int_t)c->max_x, (json_int_t)c->max_y));
    tern_json_put(o, "odd",
                  tern_json_pack("{s:I, s:I, s:I, s:I, s:I}", "time_backwards", (json_int_t)c->n_backwards,
                                 "off_sensor", (json_int_t)c->n_off_sensor, "not_pixel_events", (json_int_t)c->n_other,
                                 "wrong_polarity", (json_int_t)c->n_polarity, "bytes_left_over",
                                 (json_int_t)c->n_left_over));
    tern_json_put(json_object_get(o, "odd"), "before_the_first", json_integer((json_int_t)c->n_early));
    tern_json_put(json_object_get(o, "odd"), "gaps", json_integer((json_int_t)c->n_gaps));
    tern_json_put(json_object_get(o, "odd"), "slow", json_integer((json_int_t)c->n_slow));
    tern_json_put(o, "assumed", tern_json_text(f->about.assumed));
    tern_json_put(o, "empty", json_integer((json_int_t)f->n_empty));
    if (f->n_labels != 0)
        tern_json_put(o, "labels",
                      tern_json_pack("{s:I, s:I, s:I}", "recordings", (json_int_t)f->n_labels, "least",
                                     (json_int_t)f->label_min, "largest", (json_int_t)f->label_max));
    if (f->crop != NULL)
        tern_json_put(o, "crop",
                      tern_json_pack("{s:[I,I,I,I], s:o, s:I, s:I, s:I, s:I}", "rectangle", (json_int_t)f->crop->x,
                                     (json_int_t)f->crop->y, (json_int_t)f->crop->width, (json_int_t)f->crop->height,
                                     "window_ms", tern_json_real(window_ms), "windows", (json_int_t)f->windows,
                                     "events", (json_int_t)f->in_crop, "cells", (json_int_t)f->cells, "cells_all",
                                     (json_int_t)f->cells_all));
    return tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

static void print_text(const char *path, const info *f, double window_ms)
{
    const tern_stream_counts *c = &f->c;
    printf("file      %s\nformat    %s\n", path, f->about.format);
    if (f->about.assumed[0] != 0) printf("read as   %s\n", f->about.assumed);
    if (f->n_recordings > 1) printf("holds     %" PRIu64 " recordings\n", f->n_recordings);
    if (f->n_labels != 0 && f->n_recordings > 1)
        printf("labels    %" PRId32 " to %" PRId32 ", %" PRIu64 " recordings have one\n", f->label_min, f->label_max,
               f->n_labels);
    else if (f->n_labels != 0) printf("label     %" PRId32 "\n", f->label_min);
    if (f->about.width == 0)
        printf("sensor    not given by the file; %s up to %" PRIu32, f->about.units ? "units" : "x", c->max_x);
    else printf("sensor    %" PRIu32 " x %" PRIu32, f->about.width, f->about.height);
    if (f->about.width == 0 && !f->about.units) printf(", y up to %" PRIu32, c->max_y);
    printf("%s\nevents    %" PRIu64, f->same_sensor ? "" : " (others differ)", c->n_events);
    if (!f->about.units) printf(" (%" PRIu64 " ON, %" PRIu64 " OFF)", c->n_on, c->n_events - c->n_on);
    printf("\nspan      %.6f s%s, first event at %.6f s\n", (double)c->span_us * 1e-6,
           f->n_recordings > 1 ? " at most" : "", (double)(int64_t)f->first_us * 1e-6);
    printf("rate      %.0f events/s, at most %.0f in 10 ms\n", rate_of(f), (double)f->peak * 1e6 / RATE_US);
    if (f->crop != NULL)
        printf("crop      %" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "%s: %" PRIu64 " events in %" PRIu64
               " windows of %g ms; %" PRIu64 " of %" PRIu64 " cells are not empty (%.2f %%)\n",
               f->crop->x, f->crop->y, f->crop->width, f->crop->height, f->mirror_x ? " after x := width - 1 - x" : "",
               f->in_crop, f->windows, window_ms, f->cells, f->cells_all,
               f->cells_all == 0 ? 0.0 : 100.0 * (double)f->cells / (double)f->cells_all);
    printf("odd       %" PRIu64 " times backwards, %" PRIu64 " off the sensor, %" PRIu64 " no pixel events, %" PRIu64
           " wrong polarities, %" PRIu64 " bytes left over",
           c->n_backwards, c->n_off_sensor, c->n_other, c->n_polarity, c->n_left_over);
    if (f->n_recordings > 1) printf(", %" PRIu64 " recordings without events", f->n_empty);
    putchar('\n');
}

/* Files of images hold no events yet: how many there are, and their labels. */
static int about_images(const char *path, const tern_dataset *set, info *f, bool json)
{
    for (size_t i = 0; i < set->n; ++i) add_labels(f, set->labels[i]);
    if (json) {
        json_t *o = tern_json_pack("{s:s, s:s, s:I, s:I}", "file", path, "format", "idx", "recordings",
                                   (json_int_t)set->n, "labelled", (json_int_t)f->n_labels);
        return tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    }
    printf(
        "file      %s\nformat    idx\nholds     %zu images, which become recordings in front of the simulated camera\n",
        path, set->n);
    if (f->n_labels != 0)
        printf("labels    %" PRId32 " to %" PRId32 ", %" PRIu64 " images have one\n", f->label_min, f->label_max,
               f->n_labels);
    char first[4200];
    snprintf(first, sizeof first, "%s#0", path);
    fputs("one      ", stdout);
    tern_cli_print_word(tern_cli_program, stdout);
    fputs(" data info", stdout);
    tern_cli_print_word(first, stdout);
    putchar('\n');
    return TERN_EXIT_DONE;
}

static tern_status read_set(info *f, const tern_dataset *set, const char *format, tern_event *block, tern_diags *diags)
{
    tern_progress bar;
    tern_status st = TERN_OK;
    if (set->n > 1) f->keep = tern_stream_keep_make(tern_alloc_default()); /* NULL only makes it slower */
    tern_progress_begin(&bar, "read", "recording", set->n);
    for (size_t i = 0; st == TERN_OK && i < set->n && !tern_interrupted(); ++i) {
        st = read_one(f, set->paths[i], set->labels[i], set->n > 1, format, block, diags);
        tern_progress_update(&bar, i + 1, NULL);
    }
    tern_progress_end(&bar);
    tern_stream_keep_free(f->keep);
    f->keep = NULL;
    return st;
}

/* The set is one file of images. */
static bool is_images(const tern_dataset *set)
{
    tern_stream *s;
    if (set->n < 2) return false;
    const char *hash = strrchr(set->paths[0], '#');
    if (hash == NULL || strcmp(hash, "#0") != 0) return false;
    const tern_stream_options opt = { .format = "idx" };
    const bool yes = tern_stream_open(set->paths[0], &opt, tern_alloc_default(), &s, NULL) == TERN_OK;
    tern_stream_close(s);
    return yes;
}

/* What the command line asks for. */
typedef struct options {
    const char *path, *format, *crop_text;
    bool json, window_given;
    double window_ms;
    box crop;
    tern_args args;
} options;

static int parse(options *o, info *f, int argc, char **argv)
{
    *o = (options){ .format = "auto", .window_ms = 25 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "PATH", .kind = TERN_ARG_STRING, .what = TERN_WHAT_DATA, .dash = TERN_DASH_IN, .out = &o->path,
          .required = true,
          .help = "a recording, a sample (FILE#12), a file of many samples, a folder or a list" },
        { .name = "--format", .kind = TERN_ARG_STRING, .value = "NAME", .what = TERN_WHAT_TEXT, .out = &o->format,
          .help = "auto (default) or a format of docs/30-data.md" },
        { .name = "--crop", .kind = TERN_ARG_STRING, .value = "X,Y,W,H", .what = TERN_WHAT_TEXT, .out = &o->crop_text,
          .help = "of one recording: count events and non-empty cells (pixel, window) inside, too" },
        { .name = "--mirror-x", .kind = TERN_ARG_FLAG, .out = &f->mirror_x,
          .help = "with --crop: x becomes width - 1 - x before it" },
        { .name = "--window-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0.001, .real_hi = 1e6,
          .out = &o->window_ms, .out_given = &o->window_given,
          .help = "with --crop: length of a window (default 25)" },
        { .name = "--steps", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000000, .out = &f->steps,
          .help = "with --crop: windows to inspect (default: all)" },
        TERN_CLI_MEANING(f->meaning),
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    o->args = (tern_args){ .verb = "data info",
                           .purpose = "Shows what recordings hold, and what is unusual about them.",
                           .list = list,
                           .n = sizeof list / sizeof *list };
    const int status = tern_args_parse(&o->args, argc, argv);
    if (status >= 0) return status;
    o->args.list = NULL; /* only the verb's name is wanted from here on */
    o->args.n = 0;
    int wrong;
    if (!tern_cli_data_meaning(&o->args, &f->meaning, &wrong)) return wrong;
    const char *useless = o->window_given ? "--window-ms"
                          : f->steps != 0 ? "--steps"
                          : f->mirror_x   ? "--mirror-x"
                                          : NULL;
    f->window_us = (uint64_t)(o->window_ms * 1000 + 0.5);
    if (o->crop_text == NULL && useless != NULL)
        return tern_args_wrong(&o->args, TERN_ERROR_USAGE, "%s belongs to --crop, which is missing", useless);
    if (o->crop_text == NULL) return -1;
    uint32_t v[4];
    if (!tern_cli_data_numbers(o->crop_text, 4, v))
        return tern_args_wrong(&o->args, TERN_ERROR_USAGE,
                               "--crop needs four numbers X,Y,W,H, like 48,48,26,26; found '%.60s'", o->crop_text);
    o->crop = (box){ v[0], v[1], v[2], v[3] };
    f->crop = &o->crop;
    return -1;
}

/* Can the cells of --crop be counted in what was read? -1, or the exit status. */
static int check_crop(const options *o, const info *f, size_t n_recordings)
{
    const uint32_t width = f->about.width != 0 ? f->about.width : 65536,
                   height = f->about.height != 0 ? f->about.height : 65536;
    if (n_recordings != 1)
        return tern_args_wrong(&o->args, TERN_ERROR_USAGE, "--crop looks at one recording; %s holds %zu", o->path,
                               n_recordings);
    if ((uint64_t)o->crop.x + o->crop.width > width || (uint64_t)o->crop.y + o->crop.height > height)
        return tern_args_wrong(&o->args, TERN_ERROR_USAGE,
                               "--crop %s does not lie within the sensor of %" PRIu32 " x %" PRIu32 " pixels",
                               o->crop_text, f->about.width, f->about.height);
    const uint64_t pixels = (uint64_t)o->crop.width * o->crop.height, most = MAX_CELLS / pixels;
    if (windows_of(f) <= most) return -1; /* a wrong time, too, must not ask for endless memory */
    if (most == 0)
        return tern_args_wrong(&o->args, TERN_ERROR_USAGE,
                               "--crop %s has %" PRIu64
                               " pixels; at most 2^31 cells (pixels x windows) are counted: give a smaller crop",
                               o->crop_text, pixels);
    return tern_args_wrong(&o->args, TERN_ERROR_USAGE,
                           "%" PRIu64 " pixels in %" PRIu64
                           " windows are more than the 2^31 cells that are counted: --steps %" PRIu64
                           " at most, longer windows (--window-ms) or a smaller crop",
                           pixels, windows_of(f), most < 1000000 ? most : UINT64_C(1000000));
}

static int show(const options *o, info *f, tern_arena *arena, tern_diags *diags)
{
    tern_dataset set = { 0 };
    tern_event *block = tern_arena_get(arena, BLOCK, sizeof *block);
    tern_status s =
        block == NULL ? TERN_ERR_MEMORY : tern_cli_data_open(o->path, o->format, &f->meaning, arena, &set, diags);
    if (s == TERN_OK && is_images(&set)) {
        tern_cli_print_diags(diags);
        return about_images(o->path, &set, f, o->json);
    }
    if (s == TERN_OK) s = read_set(f, &set, o->format, block, diags);
    if (s == TERN_OK && f->crop != NULL) {
        const int wrong = check_crop(o, f, set.n);
        if (wrong >= 0) return wrong;
        s = read_crop(f, set.paths[0], o->format, block, arena, diags);
    }
    if (s != TERN_OK) return tern_cli_failed(s, diags, o->path);
    if (tern_cli_data_stopped()) return TERN_EXIT_FOUND;
    tern_cli_print_diags(diags);
    if (o->json) return print_json(o->path, f, o->window_ms);
    print_text(o->path, f, o->window_ms);
    return TERN_EXIT_DONE;
}

int tern_cli_data_info(int argc, char **argv)
{
    options o;
    info f = { 0 };
    const int status = parse(&o, &f, argc, argv);
    if (status >= 0) return status;
    tern_arena arena;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    const int result = show(&o, &f, &arena, &diags);
    tern_arena_free(&arena);
    return result;
}
