/* tern_cli_data_convert.c : `tern data convert`, `encode` and `split`
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/convert.h"
#include "tern_errors.h"
#include "tern/encode.h"
#include "tern/file.h"
#include "tern_cli_data.h"
#include "tern_cli_files.h"

static bool ends_in(const char *name, const char *suffix)
{
    const size_t n = strlen(name), m = strlen(suffix);
    return n >= m && strcmp(name + n - m, suffix) == 0;
}

static int json_out(json_t *o, const tern_stream_counts *c)
{
    if (c != NULL)
        tern_json_put(o, "odd",
                      tern_json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "time_backwards",
                                     (json_int_t)c->n_backwards, "off_sensor", (json_int_t)c->n_off_sensor,
                                     "not_pixel_events", (json_int_t)c->n_other, "wrong_polarity",
                                     (json_int_t)c->n_polarity, "bytes_left_over", (json_int_t)c->n_left_over,
                                     "wild_times", (json_int_t)c->n_wild, "times_moved", (json_int_t)c->n_moved,
                                     "polarities_mended", (json_int_t)c->n_mended));
    return tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

/* ---- tern data convert ---- */

/* What the output's name asks for; false: it tells nothing. */
static bool kind_of(const char *out, const char *to, bool window, tern_convert_to *kind)
{
    if (to != NULL)
        *kind = strcmp(to, "aedat2") == 0   ? TERN_TO_AEDAT2
                : strcmp(to, "csv") == 0    ? TERN_TO_CSV
                : strcmp(to, "events") == 0 ? TERN_TO_EVENTS
                                            : TERN_TO_FRAMES;
    else if (ends_in(out, ".npz")) *kind = window ? TERN_TO_FRAMES : TERN_TO_EVENTS;
    else if (ends_in(out, ".csv")) *kind = TERN_TO_CSV;
    else if (ends_in(out, ".aedat")) *kind = TERN_TO_AEDAT2;
    else return false;
    return true;
}

static int print_converted(const char *out, const tern_convert_options *o, const tern_convert_totals *t, bool json)
{
    static const char *const names[] = { "aedat2", "csv", "events", "frames" };
    if (json) {
        json_t *j = tern_json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "out", out, "as", names[o->to], "recordings",
                                   (json_int_t)t->n_recordings, "events_read", (json_int_t)t->counts.n_events,
                                   "events_written", (json_int_t)t->n_events_out, "bytes", (json_int_t)t->n_bytes);
        if (j != NULL) tern_json_put(j, "assumed", tern_json_text(t->assumed));
        if (j != NULL && o->to == TERN_TO_FRAMES)
            tern_json_put(j, "frames",
                          tern_json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "steps", (json_int_t)t->steps, "planes",
                                         (json_int_t)t->planes, "height", (json_int_t)t->height, "width",
                                         (json_int_t)t->width, "cells", (json_int_t)t->n_cells, "cells_set",
                                         (json_int_t)t->n_cells_set));
        return json_out(j, &t->counts);
    }
    if (t->assumed[0] != 0) printf("read as %s\n", t->assumed);
    printf("%s: %" PRIu64 " recording%s, %" PRIu64 " of %" PRIu64 " events, %" PRIu64 " bytes\n", out, t->n_recordings,
           t->n_recordings == 1 ? "" : "s", t->n_events_out, t->counts.n_events, t->n_bytes);
    if (o->to == TERN_TO_FRAMES)
        printf("frames: %" PRIu32 " steps of %g ms, %s%" PRIu32 " x %" PRIu32 "; %" PRIu64 " of %" PRIu64
               " cells are not empty (%.2f %%)\n",
               t->steps, o->cut.window_us / 1000.0, t->planes == 2 ? "OFF and ON, " : "", t->width, t->height,
               t->n_cells_set, t->n_cells, t->n_cells == 0 ? 0.0 : 100.0 * (double)t->n_cells_set / (double)t->n_cells);
    return TERN_EXIT_DONE;
}

/* OUT is replaced if an earlier call has written it, by the look of it; any other file stays. */
static tern_status spare_foreign(const char *out, tern_convert_to to, tern_diags *diags)
{
    static const char *const begin[][3] = { [TERN_TO_AEDAT2] = { "#!AER-DAT" },
                                            [TERN_TO_CSV] = { "# sensor ", "t_us," },
                                            [TERN_TO_EVENTS] = { "PK" },
                                            [TERN_TO_FRAMES] = { "PK" } };
    char head[16] = "";
    struct stat st;
    if (stat(out, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return TERN_OK;
    (void)tern_file_head(out, head, sizeof head - 1); /* one that cannot be read is not known to be ours */
    for (int i = 0; begin[to][i] != NULL; ++i)
        if (strncmp(head, begin[to][i], strlen(begin[to][i])) == 0) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, out, 0, "OUT",
                                  "there is a file of this name that is not what this command writes; it is not "
                                  "overwritten"),
                   "delete it, or choose another name");
    return TERN_ERR_IO;
}

static int convert(const char *in, const char *out, const tern_convert_options *o, bool json)
{
    tern_progress bar;
    tern_convert_totals t;
    tern_dataset set;
    tern_arena arena;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    tern_status s = tern_cli_lock(out, "OUT", &diags);
    if (s == TERN_OK) s = tern_dataset_open_as(in, &o->meaning, &arena, &set, &diags);
    if (s == TERN_OK) s = tern_cli_data_spare(out, &set, &diags);
    if (s == TERN_OK) s = spare_foreign(out, o->to, &diags);
    tern_arena_free(&arena);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, in);
    tern_diags_init(&diags); /* what is unusual about the set is reported again */
    tern_progress_begin(&bar, "convert", "reading", 0);
    s = tern_convert(in, out, o, tern_alloc_default(), tern_cli_data_progress, &bar, &t, &diags);
    tern_progress_end(&bar);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, in);
    tern_cli_print_diags(&diags);
    return print_converted(out, o, &t, json);
}

int tern_cli_data_convert(int argc, char **argv)
{
    tern_convert_options o = { .format = "auto" };
    const char *in = NULL, *out = NULL, *to = NULL, *crop = NULL, *sensor = NULL, *polarity = "merge";
    double window_ms = 0;
    uint64_t steps = 0, scale = 1;
    bool window = false, json = false, mirror_x = false, mirror_y = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "IN", .kind = TERN_ARG_STRING, .what = TERN_WHAT_DATA, .dash = TERN_DASH_IN, .out = &in,
          .required = true,
          .help = "a recording or a data set of any format" },
        { .name = "OUT", .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT, .ext = "csv|npz|aedat",
          .dash = TERN_DASH_TEXT, .out = &out, .required = true,
          .help = "a file ending in .npz, .csv or .aedat; of a data set to CSV or AEDAT 2.0: a folder (--to)" },
        { .name = "--to", .kind = TERN_ARG_CHOICE, .value = "FORM", .choices = "aedat2|csv|events|frames", .out = &to,
          .help = "aedat2, csv, events or frames (default: by OUT's name; .npz: frames with --window-ms, else "
                  "events)" },
        { .name = "--format", .kind = TERN_ARG_STRING, .value = "NAME", .what = TERN_WHAT_TEXT, .out = &o.format,
          .help = "format of IN: auto (default) or a name of docs/30-data.md" },
        TERN_CLI_MEANING(o.meaning),
        { .name = "--repair", .kind = TERN_ARG_FLAG, .out = &o.repair,
          .help = "repair times that go backwards and wrong polarities, remove single outliers in time, end at a "
                  "damaged place; everything is counted" },
        { .name = "--window-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0.001, .real_hi = 4e6,
          .out = &window_ms, .out_given = &window, .help = "frames: length of a step" },
        { .name = "--steps", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000000, .out = &steps,
          .help = "frames: steps of a sample (default: as many as the longest one needs)" },
        { .name = "--counts", .kind = TERN_ARG_FLAG, .out = &o.counts,
          .help = "frames: number of events in a cell, up to 255, instead of 1" },
        { .name = "--sensor", .kind = TERN_ARG_STRING, .value = "W,H", .what = TERN_WHAT_TEXT, .out = &sensor,
          .help = "sensor of files without this information" },
        { .name = "--mirror-x", .kind = TERN_ARG_FLAG, .out = &mirror_x, .help = "x becomes width - 1 - x" },
        { .name = "--mirror-y", .kind = TERN_ARG_FLAG, .out = &mirror_y, .help = "y becomes height - 1 - y" },
        { .name = "--crop", .kind = TERN_ARG_STRING, .value = "X,Y,W,H", .what = TERN_WHAT_TEXT, .out = &crop,
          .help = "only these pixels, counted after mirroring" },
        { .name = "--scale", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 256, .out = &scale,
          .help = "put N x N pixels of the crop together" },
        { .name = "--polarity", .kind = TERN_ARG_CHOICE, .value = "WHICH", .choices = "merge|on|off|separate",
          .out = &polarity,
          .help = "frames: merge: any event (default); on; off; separate: two planes, OFF first;\n"
                  "events: on and off leave the others out" },
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &o.overwrite,
          .help = "write into a folder that is not empty" },
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data convert",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Converts recordings of any format to AEDAT 2.0, to CSV, or to NumPy arrays "
                                        "(.npz) of events or frames. See docs/30-data.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    uint32_t v[4];
    if (!kind_of(out, to, window, &o.to))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "'%.60s' does not end in .npz, .csv or .aedat: give the format with --to", out);
    if (o.to == TERN_TO_FRAMES && !window) return tern_args_wrong(&args, TERN_ERROR_USAGE, "frames need --window-ms");
    if (o.to != TERN_TO_FRAMES && (window || steps != 0 || o.counts))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "%s is for frames, and '%.60s' gets events; frames go to a file that ends in .npz%s",
                               window       ? "--window-ms"
                               : steps != 0 ? "--steps"
                                            : "--counts",
                               out, window ? "" : " and need --window-ms");
    int clash;
    if (!tern_cli_data_meaning(&args, &o.meaning, &clash) || tern_cli_data_overwrites(&args, out, &in, 1, &clash))
        return clash;
    if (crop != NULL && !tern_cli_data_numbers(crop, 4, v))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--crop needs four numbers X,Y,W,H, like 48,48,26,26; found '%.60s'", crop);
    if (crop != NULL) o.cut.crop_x = v[0], o.cut.crop_y = v[1], o.cut.crop_width = v[2], o.cut.crop_height = v[3];
    if (sensor != NULL && !tern_cli_data_numbers(sensor, 2, v))
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--sensor needs two numbers W,H, like 128,128; found '%.60s'",
                               sensor);
    if (sensor != NULL) o.cut.sensor_width = v[0], o.cut.sensor_height = v[1];
    o.cut.mirror_x = mirror_x;
    o.cut.mirror_y = mirror_y;
    o.cut.scale = (uint32_t)scale;
    o.cut.steps = (uint32_t)steps;
    o.cut.window_us = (uint32_t)(window_ms * 1000 + 0.5);
    o.cut.polarity = (uint8_t)(strcmp(polarity, "on") == 0         ? TERN_POL_ON
                               : strcmp(polarity, "off") == 0      ? TERN_POL_OFF
                               : strcmp(polarity, "separate") == 0 ? TERN_POL_SEPARATE
                                                                   : TERN_POL_MERGE);
    return convert(in, out, &o, json);
}

/* ---- tern data encode ---- */

static int print_encoded(const char *out, const tern_encode_totals *t, bool json)
{
    if (json) {
        json_t *o = tern_json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "out", out, "samples", (json_int_t)t->n_samples,
            "values", (json_int_t)t->n_values, "units", (json_int_t)t->units, "steps", (json_int_t)t->steps, "spikes",
            (json_int_t)t->counts.n_spikes, "clamped", (json_int_t)t->counts.n_clamped, "not_numbers",
            (json_int_t)t->counts.n_wrong, "lost", (json_int_t)t->counts.n_lost, "bytes", (json_int_t)t->n_bytes);
        json_t *classes = tern_json_list();
        for (uint32_t i = 0; i < t->n_classes; ++i) tern_json_add(classes, tern_json_text(t->classes[i]));
        tern_json_put(o, "classes", classes);
        return json_out(o, NULL);
    }
    printf("%s: %" PRIu64 " samples of %" PRIu32 " values, %" PRIu32 " units, %" PRIu32 " steps; %" PRIu64
           " spikes (%.2f per unit and sample), %" PRIu64 " bytes\n",
           out, t->n_samples, t->n_values, t->units, t->steps, t->counts.n_spikes,
           (double)t->counts.n_spikes / (double)t->n_samples / t->units, t->n_bytes);
    if (t->n_classes != 0) {
        printf("labels:");
        for (uint32_t i = 0; i < t->n_classes; ++i) printf(" %" PRIu32 " %s", i, t->classes[i]);
        putchar('\n');
    }
    if (t->counts.n_clamped + t->counts.n_wrong + t->counts.n_lost != 0)
        printf("odd: %" PRIu64 " values outside the range were clamped, %" PRIu64 " are not numbers, %" PRIu64
               " spikes found no step\n",
               t->counts.n_clamped, t->counts.n_wrong, t->counts.n_lost);
    return TERN_EXIT_DONE;
}

static int encode(const tern_encode_spec *spec, const tern_encode_input *in, const char *out, bool json)
{
    tern_progress bar;
    tern_arena arena;
    tern_diags diags;
    tern_diags_init(&diags);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_encode_totals *t = tern_arena_get(&arena, 1, sizeof *t);
    tern_status s = t == NULL ? TERN_ERR_MEMORY : TERN_OK;
    tern_catch_interrupts();
    tern_progress_begin(&bar, "encode", "sample", 0);
    if (s == TERN_OK) s = tern_cli_lock(out, "OUT", &diags);
    if (s == TERN_OK) s = spare_foreign(out, TERN_TO_EVENTS, &diags);
    if (s == TERN_OK)
        s = tern_encode_file(spec, in, out, tern_alloc_default(), tern_cli_data_progress, &bar, t, &diags);
    tern_progress_end(&bar);
    int result = TERN_EXIT_FOUND;
    if (s != TERN_OK) {
        result = tern_cli_failed(s, &diags, in->values);
    } else {
        tern_cli_print_diags(&diags);
        result = print_encoded(out, t, json);
    }
    tern_arena_free(&arena);
    return result;
}

int tern_cli_data_encode(int argc, char **argv)
{
    tern_encode_spec spec;
    tern_encode_input in = { 0 };
    tern_encode_defaults(&spec);
    const char *out = NULL, *code = "rate";
    uint64_t steps = 1, population = 1, columns = 0, seed = 1;
    double window_ms = 1;
    bool json = false, lo_given = false, hi_given = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "VALUES", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .dash = TERN_DASH_IN,
          .out = &in.values, .required = true,
          .help = "IDX images, a NumPy array, or plain bytes (--columns); may be gzip" },
        { .name = "OUT.npz", .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT, .ext = "npz", .dash = TERN_DASH_BINARY,
          .out = &out, .required = true,
          .help = "frames [samples][steps][units], labels, window_us" },
        { .name = "--code", .kind = TERN_ARG_CHOICE, .value = "CODE", .choices = "rate|even|time|change", .out = &code,
          .help = "rate: at random (default); even: as many, evenly spaced; time: one spike, earlier for larger "
                  "values;\nchange: spikes where a value rises or falls" },
        { .name = "--population", .kind = TERN_ARG_UINT, .value = "M", .lo = 1, .hi = 64, .out = &population,
          .help = "units that share the range of a value (default 1)" },
        { .name = "--steps", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000000, .out = &steps,
          .help = "steps that a row of values lasts (default 1)" },
        { .name = "--lo", .kind = TERN_ARG_REAL, .value = "X", .real_lo = -1e300, .real_hi = 1e300, .out = &spec.lo,
          .out_given = &lo_given, .help = "value that becomes 0 (default 0)" },
        { .name = "--hi", .kind = TERN_ARG_REAL, .value = "X", .real_lo = -1e300, .real_hi = 1e300, .out = &spec.hi,
          .out_given = &hi_given, .help = "value that becomes 1 (default 1; of bytes 255)" },
        { .name = "--rate", .kind = TERN_ARG_REAL, .value = "P", .real_lo = 0, .real_hi = 1, .out = &spec.rate,
          .help = "rate, even: spikes a step at 1 (default 1)" },
        { .name = "--threshold", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 1,
          .out = &spec.threshold,
          .help = "time: smaller values give no spike; change: the change that one spike represents (default 0.1)" },
        { .name = "--width", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.5, .real_hi = 4, .out = &spec.width,
          .help = "population: half width of a unit's range, in distances of units (default 1.5)" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .out = &seed, .help = "rate: seed (default 1)" },
        { .name = "--window-ms", .kind = TERN_ARG_REAL, .value = "MS", .real_lo = 0.001, .real_hi = 4e6,
          .out = &window_ms, .help = "length of a step, recorded in the output (default 1)" },
        { .name = "--columns", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_ENCODE_MAX_UNITS,
          .out = &columns, .help = "plain bytes: values of a row" },
        { .name = "--index", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE, .out = &in.index,
          .help = "plain bytes: CSV with first_frame, n_frames and label (or letter), a sample a line" },
        { .name = "--labels", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE, .out = &in.labels,
          .help = "IDX file of labels (default: the one next to the images)" },
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data encode",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Encodes values that are not events as spikes: pixels of images, readings of "
                                        "sensors. See docs/39-encoding.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    spec.code = (uint8_t)(strcmp(code, "even") == 0     ? TERN_CODE_EVEN
                          : strcmp(code, "time") == 0   ? TERN_CODE_TIME
                          : strcmp(code, "change") == 0 ? TERN_CODE_CHANGE
                                                        : TERN_CODE_RATE);
    spec.population = (uint32_t)population;
    spec.steps = (uint32_t)steps;
    spec.seed = seed;
    in.columns = (uint32_t)columns;
    in.window_us = (uint32_t)(window_ms * 1000 + 0.5);
    in.hi_by_kind = !hi_given;
    if (lo_given && hi_given && spec.lo >= spec.hi)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--lo %g is not below --hi %g", spec.lo, spec.hi);
    int clash;
    if (tern_cli_data_overwrites(&args, out, (const char *const[]){ in.values, in.index, in.labels }, 3, &clash))
        return clash;
    if (!tern_cli_data_npz(&args, out, &clash)) return clash;
    return encode(&spec, &in, out, json);
}

/* ---- tern data split ---- */

enum { MAX_CLASSES = 256 };

/* "0,1,7" to labels; false if it is something else. */
static bool parse_labels(const char *text, uint16_t *out, uint32_t *n)
{
    for (*n = 0; *n < MAX_CLASSES;) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        const unsigned long v = strtoul(text, &end, 10);
        if (v > 65535 || (*end != 0 && *end != ',')) return false;
        for (uint32_t i = 0; i < *n; ++i)
            if (out[i] == v) return false;
        out[(*n)++] = (uint16_t)v;
        if (*end == 0) return true;
        text = end + 1;
    }
    return false;
}

/* Neither the lists nor their folder may be the list that is read or a recording, by whatever name (a link in the
 * folder leads to the file that would be replaced). */
static tern_status spare_lists(const char *in, const char *out, tern_diags *diags)
{
    static const char *const names[] = { "", "train.csv", "validation.csv", "test.csv" };
    tern_dataset set;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status s = tern_dataset_open(in, &arena, &set, diags);
    for (size_t i = 0; s == TERN_OK && i < sizeof names / sizeof *names; ++i) {
        char path[4096];
        const int n = snprintf(path, sizeof path, "%s%s%s", out, i == 0 ? "" : "/", names[i]);
        if (n < 0 || (size_t)n >= sizeof path) continue; /* too long for any file: making the folder will tell */
        if (i != 0 && tern_cli_same_file(path, in)) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, path, 0, "OUT_DIR",
                                          "would overwrite the list that is read, %.200s", in),
                           "give another name");
            s = TERN_ERR_ARGUMENT;
        }
        if (s == TERN_OK) s = tern_cli_data_spare(path, &set, diags);
    }
    tern_arena_free(&arena);
    return s;
}

int tern_cli_data_split(int argc, char **argv)
{
    const char *in = NULL, *out = NULL, *classes = NULL;
    uint64_t train = 80, validation = 10, test = 10, seed = 1;
    bool force = false, json = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "DATA", .kind = TERN_ARG_STRING, .what = TERN_WHAT_DATA, .out = &in, .required = true,
          .help = "a data set: folder, list, or file of many samples" },
        { .name = "OUT_DIR", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FOLDER, .out = &out, .required = true,
          .help = "folder for train.csv, validation.csv and test.csv; created if missing" },
        { .name = "--train", .kind = TERN_ARG_UINT, .value = "PERCENT", .lo = 0, .hi = 100, .out = &train,
          .help = "share for training (default 80)" },
        { .name = "--validation", .kind = TERN_ARG_UINT, .value = "PERCENT", .lo = 0, .hi = 100, .out = &validation,
          .help = "share for validation (default 10); 0: no such list" },
        { .name = "--test", .kind = TERN_ARG_UINT, .value = "PERCENT", .lo = 0, .hi = 100, .out = &test,
          .help = "share for the test (default 10)" },
        { .name = "--classes", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &classes,
          .help = "only recordings with these labels, e.g. 0,1 (default: all)" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .out = &seed,
          .help = "seed (default 1); the same options give the same lists" },
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &force, .help = "write into a folder that is not empty" },
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data split",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Splits a data set at random into lists for training, validation and test, "
                                        "each label separately. Recordings are not copied." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (train + validation + test != 100)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--train %" PRIu64 ", --validation %" PRIu64 " and --test %" PRIu64 " are %" PRIu64
                               " percent together, not 100",
                               train, validation, test, train + validation + test);
    uint16_t labels[MAX_CLASSES];
    tern_split_options o = { .percent = { (uint32_t)train, (uint32_t)validation, (uint32_t)test },
                             .seed = seed,
                             .classes = labels,
                             .overwrite = force };
    if (classes != NULL && !parse_labels(classes, labels, &o.n_classes))
        return tern_args_wrong(
            &args, TERN_ERROR_USAGE,
            "--classes takes at most %d different labels separated by commas, like 0,1; found '%.60s'", MAX_CLASSES,
            classes);
    int clash;
    if (tern_cli_data_overwrites(&args, out, &in, 1, &clash)) return clash;
    uint64_t n[3];
    tern_diags diags;
    tern_diags_init(&diags);
    tern_status s = tern_cli_lock(out, "OUT", &diags);
    if (s == TERN_OK) s = spare_lists(in, out, &diags);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, in);
    tern_diags_init(&diags); /* what is unusual about the set is reported again */
    s = tern_dataset_split(in, out, &o, tern_alloc_default(), n, &diags);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, in);
    tern_cli_print_diags(&diags);
    if (json)
        return json_out(tern_json_pack("{s:s, s:I, s:I, s:I}", "folder", out, "train", (json_int_t)n[0], "validation",
                                       (json_int_t)n[1], "test", (json_int_t)n[2]),
                        NULL);
    printf("%s: %" PRIu64 " recordings in train.csv, %" PRIu64 " in validation.csv, %" PRIu64 " in test.csv\n", out,
           n[0], n[1], n[2]);
    return TERN_EXIT_DONE;
}
