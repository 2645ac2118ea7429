/* tern_cli_data.c : `tern data`: generate recordings, look at recordings
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern/simulate.h"
#include "tern_cli.h"
#include "tern_verbs.h"

/* ---- tern data digits ---- */

/* "0,1,7" to digits; false if it is something else. */
static bool parse_classes(const char *text, tern_sim_set *what)
{
    what->n_classes = 0;
    for (const char *p = text;; p += 2) {
        if (p[0] < '0' || p[0] > '9' || (p[1] != ',' && p[1] != 0) || what->n_classes == 10) return false;
        for (uint32_t i = 0; i < what->n_classes; ++i)
            if (what->classes[i] == p[0] - '0') return false;
        what->classes[what->n_classes++] = (uint8_t)(p[0] - '0');
        if (p[1] == 0) return true;
    }
}

typedef struct digits_job { tern_progress bar; } digits_job;

static bool show_progress(void *ud, uint64_t done, uint64_t total)
{
    (void)total;
    tern_progress_update(&((digits_job *)ud)->bar, done, NULL);
    return !tern_cli_interrupted();
}

static int data_digits(int argc, char **argv)
{
    tern_sim_settings set;
    tern_sim_defaults(&set);
    const char *dir = NULL, *classes = "0,1,2,3,4,5,6,7,8,9";
    uint64_t count = 100, first = 0, seed = 1, duration_ms = set.duration_us / 1000, refractory_us = set.refractory_us, period_ms = set.period_us / 1000;
    bool force = false, json = false;
    const tern_arg list[] = {
        { .name = "OUT_DIR", .kind = TERN_ARG_STRING, .out = &dir, .required = true, .help = "folder for the recordings and labels.csv; made when missing" },
        { .name = "--classes", .kind = TERN_ARG_STRING, .value = "LIST", .out = &classes, .help = "digits, e.g. 0,1 (default: all ten)" },
        { .name = "--count", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_SIM_MAX_SAMPLES, .out = &count, .help = "recordings per class (default 100)" },
        { .name = "--first", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = TERN_SIM_MAX_SAMPLES - 1, .out = &first,
          .help = "number of the first sample (default 0): with one seed, samples 0..99 for training\nand 100..299 for testing are different digits before the same camera" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .out = &seed, .help = "seed (default 1); the same options give the same bytes" },
        { .name = "--duration-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 50, .hi = 60000, .out = &duration_ms, .help = "length of a recording (default 2200)" },
        { .name = "--noise", .kind = TERN_ARG_REAL, .value = "HZ", .real_lo = 0, .real_hi = 20, .out = &set.noise_hz,
          .help = "background events per pixel and second (default 0.02)" },
        { .name = "--threshold", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.05, .real_hi = 2, .out = &set.threshold,
          .help = "change of log intensity that makes an event (default 0.25)" },
        { .name = "--mismatch", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 0.25, .out = &set.mismatch,
          .help = "spread of the threshold over pixels, relative (default 0.05)" },
        { .name = "--contrast", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.2, .real_hi = 5, .out = &set.contrast,
          .help = "log intensity of the digit above its background (default 1.6)" },
        { .name = "--refractory-us", .kind = TERN_ARG_UINT, .value = "US", .lo = 0, .hi = 1000000, .out = &refractory_us,
          .help = "shortest time between two events of a pixel (default 1000)" },
        { .name = "--period-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 100, .hi = 60000, .out = &period_ms, .help = "time of the digit once around its path (default 1200)" },
        { .name = "--path", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 2, .out = &set.path_px, .help = "size of the path, 1: about 7 x 4 pixels (default 1)" },
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &force, .help = "write into a folder that is not empty" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &json, .help = "print one JSON object" },
    };
    const tern_args args = { .verb = "data digits", .list = list, .n = sizeof list / sizeof *list,
                             .purpose = "Generates labelled recordings: digits of Tern's own stroke font move slowly in front of a simulated event camera of\n"
                                        "128 x 128 pixels. Each becomes an AEDAT 2.0 file; labels.csv makes the folder a data set. See docs/30-data.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    tern_sim_set what = { .first = (uint32_t)first, .count = (uint32_t)count, .overwrite = force };
    if (!parse_classes(classes, &what)) return tern_args_wrong(&args, 110, "--classes wants different digits with commas between, like 0,1; found '%.60s'", classes);
    if (first + count > TERN_SIM_MAX_SAMPLES) return tern_args_wrong(&args, 110, "--first %" PRIu64 " and --count %" PRIu64 " pass sample %u", first, count, TERN_SIM_MAX_SAMPLES - 1);
    set.seed = seed;
    set.duration_us = (uint32_t)duration_ms * 1000;
    set.period_us = (uint32_t)period_ms * 1000;
    set.refractory_us = (uint32_t)refractory_us;

    digits_job job;
    tern_sim_totals totals;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_cli_catch_interrupts();
    tern_progress_begin(&job.bar, "generate", "recording", count * what.n_classes);
    const tern_status s = tern_sim_write_set(&set, &what, dir, tern_alloc_default(), show_progress, &job, &totals, &diags);
    tern_progress_end(&job.bar);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, dir);
    tern_cli_print_diags(&diags);
    if (json) {
        json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:I, s:s}", "folder", dir, "recordings", (json_int_t)totals.n_files, "classes", (json_int_t)what.n_classes, "events",
                              (json_int_t)totals.n_events, "bytes", (json_int_t)totals.n_bytes, "sha256", totals.sha256);
        return o != NULL && tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    }
    printf("%s: %" PRIu64 " recordings, %" PRIu32 " classes, %" PRIu64 " events (%.0f per recording), %" PRIu64 " bytes\nsha256 %s\n", dir, totals.n_files, what.n_classes,
           totals.n_events, (double)totals.n_events / (double)totals.n_files, totals.n_bytes, totals.sha256);
    return TERN_EXIT_DONE;
}

/* ---- tern data info ---- */

typedef struct box { uint32_t x, y, width, height; } box;

/* "X,Y,W,H" */
static bool parse_box(const char *text, box *out)
{
    uint32_t v[4];
    for (int i = 0; i < 4; ++i) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        const unsigned long n = strtoul(text, &end, 10);
        if (n > 65535 || *end != (i < 3 ? ',' : 0)) return false;
        v[i] = (uint32_t)n;
        text = end + 1;
    }
    *out = (box){ v[0], v[1], v[2], v[3] };
    return out->width != 0 && out->height != 0;
}

typedef struct counts {
    uint64_t on, off, span_us;
    uint64_t in_crop, cells, cells_all; /* cells: (pixel, window) with an event, of all within the crop and the span */
    uint32_t windows;
} counts;

/* Counts; false: not enough memory. Windows behind the first `max_windows` are not looked at. */
static bool count_events(const tern_recording *rec, const box *crop, bool mirror_x, uint64_t window_us, uint64_t steps, tern_arena *arena, counts *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < rec->n_events; ++i) {
        ++*(rec->events[i].on ? &out->on : &out->off);
        if (rec->events[i].t_us > out->span_us) out->span_us = rec->events[i].t_us;
    }
    if (crop == NULL) return true;
    const uint64_t span_windows = rec->n_events == 0 ? 0 : out->span_us / window_us + 1, most = (UINT64_C(1) << 31) / ((uint64_t)crop->width * crop->height);
    uint64_t windows = steps != 0 ? steps : span_windows;
    if (windows > most) windows = most; /* a wrong time must not ask for endless memory: 2^31 cells are enough */
    out->windows = (uint32_t)windows;
    out->cells_all = windows * crop->width * crop->height;
    uint32_t *seen = tern_arena_get(arena, (size_t)(out->cells_all / 32 + 1), sizeof *seen);
    if (seen == NULL) return false;
    for (size_t i = 0; i < rec->n_events; ++i) {
        const tern_event *e = &rec->events[i];
        const uint32_t x = mirror_x ? rec->width - 1 - e->x : e->x, y = e->y;
        const uint64_t w = e->t_us / window_us;
        if (x < crop->x || y < crop->y || x - crop->x >= crop->width || y - crop->y >= crop->height || w >= windows) continue;
        ++out->in_crop;
        const uint64_t cell = (w * crop->height + (y - crop->y)) * crop->width + (x - crop->x);
        if ((seen[cell / 32] >> (cell % 32) & 1u) == 0) {
            seen[cell / 32] |= 1u << (cell % 32);
            ++out->cells;
        }
    }
    return true;
}

static json_t *info_json(const char *path, const tern_recording *r, const counts *c, const box *crop, double window_ms)
{
    json_t *o = json_pack("{s:s, s:s, s:[I,I], s:I, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}}", "file", path, "format", r->format, "sensor", (json_int_t)r->width,
                          (json_int_t)r->height, "events", (json_int_t)r->n_events, "span_us", (json_int_t)c->span_us, "first_us", (json_int_t)r->t_first_us, "on",
                          (json_int_t)c->on, "off", (json_int_t)c->off, "odd", "time_backwards", (json_int_t)r->n_backwards, "off_sensor", (json_int_t)r->n_off_sensor,
                          "not_pixel_events", (json_int_t)r->n_other, "bytes_left_over", (json_int_t)r->n_left_over);
    if (o != NULL && crop != NULL)
        json_object_set_new(o, "crop", json_pack("{s:[I,I,I,I], s:o, s:I, s:I, s:I, s:I}", "rectangle", (json_int_t)crop->x, (json_int_t)crop->y, (json_int_t)crop->width,
                                                 (json_int_t)crop->height, "window_ms", tern_cli_real(window_ms), "windows", (json_int_t)c->windows, "events",
                                                 (json_int_t)c->in_crop, "cells", (json_int_t)c->cells, "cells_all", (json_int_t)c->cells_all));
    return o;
}

static int data_info(int argc, char **argv)
{
    const char *path = NULL, *format = "auto", *crop_text = NULL;
    bool json = false, mirror_x = false;
    double window_ms = 25;
    uint64_t steps = 0;
    const tern_arg list[] = {
        { .name = "FILE", .kind = TERN_ARG_STRING, .out = &path, .required = true, .help = "a recording" },
        { .name = "--format", .kind = TERN_ARG_STRING, .value = "NAME", .out = &format, .help = "auto (default) or a format of docs/30-data.md" },
        { .name = "--crop", .kind = TERN_ARG_STRING, .value = "X,Y,W,H", .out = &crop_text, .help = "count events and non-empty cells (pixel, window) inside, too" },
        { .name = "--mirror-x", .kind = TERN_ARG_FLAG, .out = &mirror_x, .help = "x becomes width - 1 - x before the crop" },
        { .name = "--window-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0.001, .real_hi = 1e6, .out = &window_ms, .help = "length of a window (default 25)" },
        { .name = "--steps", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000000, .out = &steps, .help = "windows to look at (default: all)" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &json, .help = "print one JSON object" },
    };
    const tern_args args = { .verb = "data info", .purpose = "Shows what a recording holds, and what is odd about it.", .list = list, .n = sizeof list / sizeof *list };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    box crop = { 0 };
    if (crop_text != NULL && !parse_box(crop_text, &crop)) return tern_args_wrong(&args, 110, "--crop wants four numbers X,Y,W,H, like 48,48,26,26; found '%.60s'", crop_text);

    tern_arena arena;
    tern_recording rec;
    tern_diags diags;
    counts c;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    int result = TERN_EXIT_FOUND;
    tern_status s = tern_recording_load(path, format, &arena, &rec, &diags);
    const bool fits = s != TERN_OK || crop_text == NULL || ((uint64_t)crop.x + crop.width <= rec.width && (uint64_t)crop.y + crop.height <= rec.height);
    if (s == TERN_OK && fits && !count_events(&rec, crop_text == NULL ? NULL : &crop, mirror_x, (uint64_t)(window_ms * 1000 + 0.5), steps, &arena, &c)) s = TERN_ERR_MEMORY;
    if (s != TERN_OK) {
        result = tern_cli_failed(s, &diags, path);
    } else if (!fits) {
        result = tern_args_wrong(&args, 110, "--crop %s does not lie within the sensor of %" PRIu32 " x %" PRIu32 " pixels", crop_text, rec.width, rec.height);
    } else if (json) {
        json_t *o = info_json(path, &rec, &c, crop_text == NULL ? NULL : &crop, window_ms);
        tern_cli_print_diags(&diags);
        if (o != NULL && tern_cli_print_json(o, stdout)) result = TERN_EXIT_DONE;
    } else {
        tern_cli_print_diags(&diags);
        printf("file      %s\nformat    %s\nsensor    %" PRIu32 " x %" PRIu32 "\nevents    %zu (%" PRIu64 " ON, %" PRIu64 " OFF)\nspan      %.6f s, first event at %.6f s\n", path,
               rec.format, rec.width, rec.height, rec.n_events, c.on, c.off, (double)c.span_us * 1e-6, (double)rec.t_first_us * 1e-6);
        if (crop_text != NULL)
            printf("crop      %s%s: %" PRIu64 " events in %" PRIu32 " windows of %g ms; %" PRIu64 " of %" PRIu64 " cells are not empty (%.2f %%)\n", crop_text,
                   mirror_x ? " after x := width - 1 - x" : "", c.in_crop, c.windows, window_ms, c.cells, c.cells_all,
                   c.cells_all == 0 ? 0.0 : 100.0 * (double)c.cells / (double)c.cells_all);
        printf("odd       %" PRIu64 " times backwards, %" PRIu64 " off the sensor, %" PRIu64 " no pixel events, %" PRIu64 " bytes left over\n", rec.n_backwards, rec.n_off_sensor,
               rec.n_other, rec.n_left_over);
        result = TERN_EXIT_DONE;
    }
    tern_arena_free(&arena);
    return result;
}

/* ---- tern data ---- */

static void usage(FILE *to)
{
    fputs("usage: tern data WHAT ...\n\nLooks at recordings and makes some.\n\n"
          "  digits OUT_DIR   generate labelled recordings of moving digits\n"
          "  info FILE        show what a recording holds, and what is odd about it\n"
          "\n  tern data WHAT --help  explains the options\n", to);
}

int tern_verb_data(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "digits") == 0) return data_digits(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "info") == 0) return data_info(argc - 1, argv + 1);
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        usage(stdout);
        return TERN_EXIT_DONE;
    }
    if (argc >= 2) fprintf(stderr, "tern data: error TERN-E0107: unknown word '%.60s'\n", argv[1]);
    usage(stderr);
    return TERN_EXIT_USAGE;
}
