/* tern_cli_data_make.c : `tern data digits`, `simulate` and `taxels`: recordings from the simulated camera, readings of
 * a simulated fingertip
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include "tern/simulate.h"
#include "tern_errors.h"
#include "tern/taxels.h"
#include "tern_cli_data.h"

/* What was written. n_classes 0: not told. */
static int print_totals(const char *dir, const tern_sim_totals *t, uint32_t n_classes, bool json,
                        const tern_diags *diags)
{
    tern_cli_print_diags(diags);
    if (json) {
        json_t *o =
            tern_json_pack("{s:s, s:I, s:I, s:I, s:s}", "folder", dir, "recordings", (json_int_t)t->n_files, "events",
                           (json_int_t)t->n_events, "bytes", (json_int_t)t->n_bytes, "sha256", t->sha256);
        if (n_classes != 0) tern_json_put(o, "classes", json_integer((json_int_t)n_classes));
        return tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    }
    printf("%s: %" PRIu64 " recordings, ", dir, t->n_files);
    if (n_classes != 0) printf("%" PRIu32 " classes, ", n_classes);
    printf("%" PRIu64 " events (%.0f per recording), %" PRIu64 " bytes\nsha256 %s\n", t->n_events,
           (double)t->n_events / (double)t->n_files, t->n_bytes, t->sha256);
    return TERN_EXIT_DONE;
}

/* What every one of these jobs begins with: `total` things called `unit` that are to be written to `out`, an argument
 * called `name`. */
static tern_status begin(tern_progress *bar, tern_diags *diags, const char *verb, const char *unit, uint64_t total,
                         const char *out, const char *name)
{
    tern_diags_init(diags);
    tern_catch_interrupts();
    tern_progress_begin(bar, verb, unit, total);
    return tern_cli_lock(out, name, diags);
}

static uint8_t motion_of(const char *word)
{
    return (uint8_t)(strcmp(word, "line") == 0       ? TERN_SIM_LINE
                     : strcmp(word, "saccades") == 0 ? TERN_SIM_SACCADES
                                                     : TERN_SIM_TRIANGLE);
}

/* Settings of the camera in the units of the command. */
typedef struct camera_options {
    const char *motion; /* NULL: not given */
    uint64_t seed, duration_ms, period_ms, refractory_us, loss, jitter_ms;
    bool duration_given, period_given;
} camera_options;

static camera_options camera_defaults(const tern_sim_settings *set)
{
    return (camera_options){ .seed = 1,
                             .duration_ms = set->duration_us / 1000,
                             .period_ms = set->period_us / 1000,
                             .refractory_us = set->refractory_us };
}

static void camera_set(const camera_options *c, uint8_t motion, tern_sim_settings *set)
{
    set->motion = c->motion != NULL ? motion_of(c->motion) : motion;
    set->seed = c->seed;
    set->duration_us = (uint32_t)c->duration_ms * 1000;
    set->period_us = (uint32_t)c->period_ms * 1000;
    set->refractory_us = (uint32_t)c->refractory_us;
    set->loss_percent = (uint8_t)c->loss;
    set->jitter_ms = (uint16_t)c->jitter_ms;
}

/* clang-format off */
/* Options of both cameras: c is a camera_options, s a tern_sim_settings. */
#define SEED_ARG(c) \
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .out = &(c)->seed, \
          .help = "seed (default 1); the same options give the same bytes" }
#define PIXEL_ARGS(s) \
        { .name = "--noise", .kind = TERN_ARG_REAL, .value = "HZ", .real_lo = 0, .real_hi = 20, .out = &(s)->noise_hz, \
          .help = "background events per pixel and second (default 0.02)" }, \
        { .name = "--threshold", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.05, .real_hi = 2, \
          .out = &(s)->threshold, \
          .help = "change of log intensity that makes an event (default 0.25)" }, \
        { .name = "--mismatch", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 0.25, \
          .out = &(s)->mismatch, \
          .help = "spread of the threshold over pixels, relative (default 0.05)" }
#define EVENT_ARGS(c) \
        { .name = "--refractory-us", .kind = TERN_ARG_UINT, .value = "US", .lo = 0, .hi = 1000000, \
          .out = &(c)->refractory_us, \
          .help = "shortest time between two events of a pixel (default 1000)" }, \
        { .name = "--loss", .kind = TERN_ARG_UINT, .value = "PERCENT", .lo = 0, .hi = 99, .out = &(c)->loss, \
          .help = "events that are lost, in percent (default 0)" }, \
        { .name = "--jitter-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 0, .hi = 1000, .out = &(c)->jitter_ms, \
          .help = "every event arrives later by a random time up to this (default 0)" }
#define PATH_ARG(s) \
        { .name = "--path", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 2, .out = &(s)->path_px, \
          .help = "size of the path, 1: about 7 x 4 pixels (default 1)" }
/* clang-format on */

/* ---- tern data digits ---- */

typedef struct digits_options {
    tern_sim_settings set;
    camera_options camera;
    const char *dir, *classes, *to;
    uint64_t count, first;
    bool force, json;
} digits_options;

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

/* -1: go on with `o` and `what`; else the exit status. */
static int digits_parse(digits_options *o, tern_sim_set *what, int argc, char **argv)
{
    tern_sim_settings *set = &o->set;
    camera_options *c = &o->camera;
    *o = (digits_options){ .classes = "0,1,2,3,4,5,6,7,8,9", .to = "aedat2", .count = 100 };
    tern_sim_defaults(set);
    *c = camera_defaults(set);
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "OUT_DIR", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FOLDER, .out = &o->dir, .required = true,
          .help = "folder for the recordings and labels.csv; created if missing" },
        { .name = "--classes", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->classes,
          .help = "digits, e.g. 0,1 (default: all ten)" },
        { .name = "--count", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_SIM_MAX_SAMPLES, .out = &o->count,
          .help = "recordings per class (default 100)" },
        { .name = "--first", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = TERN_SIM_MAX_SAMPLES - 1,
          .out = &o->first,
          .help = "number of the first sample (default 0): with one seed, samples 0..99 for training\n"
                  "and 100..299 for testing are different digits in front of the same camera" },
        { .name = "--to", .kind = TERN_ARG_CHOICE, .value = "FORM", .choices = "aedat2|nmnist", .out = &o->to,
          .help = "aedat2: the whole sensor (default); nmnist: 34 x 34 pixels around the digit and three saccades\n"
                  "in 300 ms, as in N-MNIST" },
        SEED_ARG(c),
        { .name = "--duration-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 50, .hi = 60000, .out = &c->duration_ms,
          .out_given = &c->duration_given,
          .help = "length of a recording (default 2200; nmnist 300, at most 8000)" },
        PIXEL_ARGS(set),
        { .name = "--contrast", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.2, .real_hi = 5,
          .out = &set->contrast,
          .help = "log intensity of the digit above its background (default 1.6)" },
        EVENT_ARGS(c),
        { .name = "--period-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 100, .hi = 60000, .out = &c->period_ms,
          .out_given = &c->period_given,
          .help = "time of the digit once around its path (default 1200; nmnist 300)" },
        { .name = "--motion", .kind = TERN_ARG_CHOICE, .value = "HOW", .choices = "triangle|saccades|line",
          .out = &c->motion,
          .help = "triangle: around one at constant speed (default); saccades: with a rest at each corner (default "
                  "of\nnmnist); line: there and back" },
        PATH_ARG(set),
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &o->force, .help = "write into a folder that is not empty" },
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data digits",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Generates labelled recordings: digits of Tern's own stroke font move slowly "
                                        "in front of a simulated event camera of\n"
                                        "128 x 128 pixels. Each becomes a file, AEDAT 2.0 or like N-MNIST; labels.csv "
                                        "makes the folder a data set. See docs/30-data.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (!parse_classes(o->classes, what))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--classes needs different digits separated by commas, like 0,1; found '%.60s'",
                               o->classes);
    if (o->first + o->count > TERN_SIM_MAX_SAMPLES)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--first %" PRIu64 " and --count %" PRIu64 " pass sample %u",
                               o->first, o->count, TERN_SIM_MAX_SAMPLES - 1);
    const bool small = strcmp(o->to, "nmnist") == 0;
    if (small && !c->duration_given) c->duration_ms = 300;
    if (small && !c->period_given) c->period_ms = 300;
    camera_set(c, small ? TERN_SIM_SACCADES : TERN_SIM_TRIANGLE, set);
    what->form = small ? TERN_SIM_NMNIST : TERN_SIM_AEDAT2;
    what->first = (uint32_t)o->first;
    what->count = (uint32_t)o->count;
    what->overwrite = o->force;
    return -1;
}

int tern_cli_data_digits(int argc, char **argv)
{
    digits_options o;
    tern_sim_set what = { 0 };
    const int status = digits_parse(&o, &what, argc, argv);
    if (status >= 0) return status;
    tern_progress bar;
    tern_sim_totals totals;
    tern_diags diags;
    tern_status s = begin(&bar, &diags, "generate", "recording", o.count * what.n_classes, o.dir, "FOLDER");
    if (s == TERN_OK)
        s = tern_sim_write_set(&o.set, &what, o.dir, tern_alloc_default(), tern_cli_data_progress, &bar, &totals,
                               &diags);
    tern_progress_end(&bar);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, o.dir);
    return print_totals(o.dir, &totals, what.n_classes, o.json, &diags);
}

/* ---- tern data simulate ---- */

typedef struct images_options {
    tern_sim_settings set;
    camera_options camera;
    const char *dir;
    uint64_t count, first;
    bool json;
} images_options;

/* -1: go on with `o` and `what`; else the exit status. */
static int images_parse(images_options *o, tern_sim_images *what, int argc, char **argv)
{
    tern_sim_settings *set = &o->set;
    camera_options *c = &o->camera;
    *o = (images_options){ 0 };
    tern_sim_defaults(set);
    *c = camera_defaults(set);
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "IMAGES", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .out = &what->images, .required = true,
          .help = "IDX file of images, may be gzip (MNIST: t10k-images-idx3-ubyte.gz)" },
        { .name = "OUT_DIR", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FOLDER, .out = &o->dir, .required = true,
          .help = "folder for the recordings and labels.csv; created if missing" },
        { .name = "--labels", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE, .out = &what->labels,
          .help = "IDX file of labels (default: the one next to the images)" },
        { .name = "--first", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = TERN_SIM_MAX_SAMPLES - 1,
          .out = &o->first, .help = "first image (default 0)" },
        { .name = "--count", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = TERN_SIM_MAX_SAMPLES, .out = &o->count,
          .help = "images (default 0: all from the first one on)" },
        { .name = "--motion", .kind = TERN_ARG_CHOICE, .value = "HOW", .choices = "triangle|saccades|line",
          .out = &c->motion,
          .help = "triangle: around one at constant speed (default); saccades: with a rest at each corner;\n"
                  "line: there and back" },
        { .name = "--size", .kind = TERN_ARG_REAL, .value = "PX", .real_lo = 4, .real_hi = 32, .out = &set->size_px,
          .help = "pixels of the camera that the image's longer side covers (default 24)" },
        SEED_ARG(c),
        { .name = "--duration-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 50, .hi = 60000, .out = &c->duration_ms,
          .help = "length of a recording (default 2200)" },
        PIXEL_ARGS(set),
        { .name = "--contrast", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0.2, .real_hi = 5,
          .out = &set->contrast,
          .help = "log intensity of white above black (default 1.6)" },
        EVENT_ARGS(c),
        { .name = "--period-ms", .kind = TERN_ARG_UINT, .value = "MS", .lo = 100, .hi = 60000, .out = &c->period_ms,
          .help = "time of the image once around its path (default 1200)" },
        PATH_ARG(set),
        { .name = "--force", .kind = TERN_ARG_FLAG, .out = &what->overwrite,
          .help = "write into a folder that is not empty" },
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data simulate",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Moves images in front of a simulated event camera of 128 x 128 pixels. Each "
                                        "becomes an AEDAT 2.0 file; labels.csv makes the folder a\n"
                                        "data set. See docs/30-data.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    camera_set(c, TERN_SIM_TRIANGLE, set);
    what->first = (uint32_t)o->first;
    what->count = (uint32_t)o->count;
    return -1;
}

int tern_cli_data_simulate(int argc, char **argv)
{
    images_options o;
    tern_sim_images what = { 0 };
    const int status = images_parse(&o, &what, argc, argv);
    if (status >= 0) return status;
    tern_progress bar;
    tern_sim_totals totals;
    tern_diags diags;
    tern_status s = begin(&bar, &diags, "simulate", "image", o.count, o.dir, "FOLDER");
    if (s == TERN_OK)
        s = tern_sim_write_images(&o.set, &what, o.dir, tern_alloc_default(), tern_cli_data_progress, &bar, &totals,
                                  &diags);
    tern_progress_end(&bar);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, o.dir);
    return print_totals(o.dir, &totals, 0, o.json, &diags);
}

/* ---- tern data taxels ---- */

/* "ABZ_" to labels; false if it is something else. */
static bool parse_letters(const char *text, tern_taxel_set *what)
{
    what->n_letters = 0;
    for (const char *p = text; *p != 0; ++p) {
        const int label = tern_taxels_letter(*p);
        if (label < 0 || what->n_letters == TERN_TAXEL_LETTERS) return false;
        for (uint32_t i = 0; i < what->n_letters; ++i)
            if (what->letters[i] == label) return false;
        what->letters[what->n_letters++] = (uint8_t)label;
    }
    return what->n_letters != 0;
}

int tern_cli_data_taxels(int argc, char **argv)
{
    tern_taxel_settings set;
    tern_taxels_defaults(&set);
    const char *out = NULL, *letters = "ABCDEFGHIJKLMNOPQRS_TUVWXYZ";
    uint64_t count = 50, first = 0, seed = 1;
    bool json = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "OUT.npz", .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT, .ext = "npz", .dash = TERN_DASH_BINARY,
          .out = &out, .required = true,
          .help = "values [samples][77][12] of bytes, labels" },
        { .name = "--letters", .kind = TERN_ARG_STRING, .value = "LETTERS", .what = TERN_WHAT_TEXT, .out = &letters,
          .help = "e.g. AEIOU; _ is the space (default: all 27). Labels: A 0 .. S 18, space 19, T 20 .. Z 26" },
        { .name = "--count", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_TAXEL_MAX_SAMPLES, .out = &count,
          .help = "samples per letter (default 50)" },
        { .name = "--first", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = TERN_TAXEL_MAX_SAMPLES - 1,
          .out = &first, .help = "number of the first sample (default 0)" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .out = &seed,
          .help = "seed (default 1); the same options give the same bytes" },
        { .name = "--noise", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 50, .out = &set.noise,
          .help = "standard deviation of a reading, of 255 (default 2)" },
        { .name = "--spread", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 3, .out = &set.spread,
          .help = "how much place, speed and pressure vary (default 1)" },
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "data taxels",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .purpose = "Generates readings of twelve pressure sensors of a fingertip that slides over "
                                        "Braille letters, for `tern data encode`.\nSee docs/39-encoding.md." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    tern_taxel_set what = { .first = (uint32_t)first, .count = (uint32_t)count };
    if (!parse_letters(letters, &what))
        return tern_args_wrong(
            &args, TERN_ERROR_USAGE,
            "--letters needs different letters A to Z and _ without anything between, like AEIOU; found '%.60s'",
            letters);
    if (first + count > TERN_TAXEL_MAX_SAMPLES)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--first %" PRIu64 " and --count %" PRIu64 " pass sample %u",
                               first, count, TERN_TAXEL_MAX_SAMPLES - 1);
    set.seed = seed;
    int wrong;
    if (!tern_cli_data_npz(&args, out, &wrong)) return wrong;

    tern_progress bar;
    tern_taxel_totals totals;
    tern_diags diags;
    tern_status s = begin(&bar, &diags, "generate", "sample", count * what.n_letters, out, "OUT");
    if (s == TERN_OK) s = tern_taxels_write(&set, &what, out, tern_cli_data_progress, &bar, &totals, &diags);
    tern_progress_end(&bar);
    if (s != TERN_OK) return tern_cli_failed(s, &diags, out);
    tern_cli_print_diags(&diags);
    if (json) {
        json_t *o = tern_json_pack("{s:s, s:I, s:I, s:I}", "out", out, "samples", (json_int_t)totals.n_samples,
                                   "letters", (json_int_t)what.n_letters, "bytes", (json_int_t)totals.n_bytes);
        return tern_cli_print_json(o, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    }
    printf("%s: %" PRIu64 " samples of %" PRIu32 " letters, %d readings of %d values, %" PRIu64 " bytes\n", out,
           totals.n_samples, what.n_letters, TERN_TAXEL_FRAMES, TERN_TAXELS, totals.n_bytes);
    return TERN_EXIT_DONE;
}
