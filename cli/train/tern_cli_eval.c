/* tern_cli_eval.c : tern eval
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_opened.h"
#include "tern/image.h"
#include "tern_cli.h"
#include "tern_run_engine.h"
#include "tern_cli_eval.h"
#include "tern_verbs.h"

static const char epilogue[] = "Every recording is run twice: with visible neurons clamped to their targets for the "
                               "log-loss, and free for decisions. A sample\n"
                               "decides for a class by --decode, the class with most samples wins; "
                               "docs/12-inference.md has the formulas. No result depends on\n"
                               "--batch, except how early --early-stop can stop.";

static int parse(tern_eval_options *o, int argc, char **argv)
{
    *o = (tern_eval_options){ .engine = "fast", .decode = "rate", .samples = 1, .batch = TERN_MAX_SAMPLES, .bins = 15 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "IMAGE|NET.lua", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .dash = TERN_DASH_IN, .required = true, .out = &o->image,
          .help = "image with trained weights; a script: initial weights" },
        TERN_CLI_DATA_ARG(&o->data),
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K_I", .lo = 1, .hi = TERN_MEASURE_SAMPLES,
          .out = &o->samples, .help = "samples; default 1" },
        { .name = "--batch", .kind = TERN_ARG_UINT, .value = "B", .lo = 4, .hi = TERN_MAX_SAMPLES, .out = &o->batch,
          .out_given = &o->given_batch,
          .help = "samples computed at once, a multiple of 4\n(default 32; 4 with --early-stop)" },
        { .name = "--decode", .kind = TERN_ARG_CHOICE, .choices = "rate|first", .out = &o->decode,
          .help = "a sample decides by most spikes (default) or by the first spike" },
        { .name = "--early-stop", .kind = TERN_ARG_FLAG, .out = &o->early_stop,
          .help = "make no more samples of a recording when they cannot\nchange the vote" },
        { .name = "--bins", .kind = TERN_ARG_UINT, .value = "M", .lo = 1, .hi = TERN_CALIBRATION_BINS, .out = &o->bins,
          .help = "bins of the calibration error; default 15" },
        { .name = "--curve", .kind = TERN_ARG_STRING, .value = "STEPS", .what = TERN_WHAT_TEXT, .out = &o->curve_steps,
          .help = "decisions after fewer steps, too: ascending numbers with\ncommas between" },
        { .name = "--curve-samples", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT,
          .out = &o->curve_samples,
          .help = "and with fewer samples (default: 1,2,5,10,20,... and K_I)" },
        { .name = "--per-recording", .kind = TERN_ARG_STRING, .value = "FILE.jsonl", .what = TERN_WHAT_OUT,
          .ext = "jsonl", .dash = TERN_DASH_TEXT, .out = &o->per_recording,
          .help = "write one line of JSON per recording" },
        { .name = "--spikes", .kind = TERN_ARG_STRING, .value = "FILE.npz|.csv", .what = TERN_WHAT_OUT,
          .ext = "npz|csv", .out = &o->spikes,
          .help = "write every spike of the free runs: recording, sample, step,\nneuron" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .hi = INT64_MAX, .out = &o->seed,
          .out_given = &o->given_seed, .help = "seed of the draws (default: the script's)" },
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .choices = TERN_ENGINE_CHOICES, .out = &o->engine,
          .help = "fast (default); golden, the same results, slower; both compares\nthem; reference uses its own "
                  "numbers from IMAGE.reference if\nthat file exists; device is a board, results as golden" },
        { .name = "--threads", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_FAST_MAX_THREADS,
          .out = &o->threads,
          .help = "threads of the engine fast (default: as many as are useful)" },
        TERN_CLI_DEVICE_ARGS(o),
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the results as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "eval",
        .purpose =
            "Measures a network on recordings, without learning: log-loss, decisions and how sure they are, spikes.",
        .list = list,
        .n = sizeof list / sizeof *list,
        .epilogue = epilogue
    };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    const int device = tern_device_usage(&args, o->engine, o->device, o->baud);
    if (device >= 0) return device;
    const int threads = tern_runner_threads_usage(&args, o->engine, o->threads);
    if (threads >= 0) return threads;
    if (o->batch % 4 != 0)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--batch is %" PRIu64
                               ", must be a multiple of 4: the draws of four samples come from one random block",
                               o->batch);
    if (o->early_stop && !o->given_batch) o->batch = 4;
    const int curve = tern_eval_curve_usage(&args, o);
    if (curve >= 0) return curve;
    char text[600];
    char reference[1100];
    snprintf(reference, sizeof reference, "%.1080s.reference", o->image);
    const size_t length = o->spikes != NULL ? strlen(o->spikes) : 0;
    const bool csv = length > 4 && strcmp(o->spikes + length - 4, ".csv") == 0;
    if (o->spikes != NULL && !csv && tern_store_form_of(o->spikes) != TERN_STORE_NPZ)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--spikes %.200s: the name has to end in .npz or .csv",
                               o->spikes);
    const tern_cli_name written[] = { { "--per-recording", o->per_recording, false },
                                      { "--spikes", o->spikes, false } },
                        read[] = { { "the network", o->image, false },
                                   { "the network's .reference file", reference, false },
                                   { "--data", o->data, false } };
    if (!tern_cli_names_clash(written, 2, read, sizeof read / sizeof *read, text, sizeof text)) return -1;
    return tern_args_wrong(&args, TERN_ERROR_USAGE, "%s; give another name", text);
}

/* The reference's numbers beside an image, if they are there. */
static tern_status load_reference_weights(tern_eval *j, tern_runner *r)
{
    const tern_alloc alloc = tern_alloc_default();
    const char *path = NULL;
    if (r->model == NULL) return TERN_OK; /* no such engine */
    bool foreign = false;
    tern_status s = tern_reference_find(j->o.image, &j->arena, &path, &foreign, &j->diags);
    if (s == TERN_OK && foreign) {
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_REFERENCE_OTHER, j->o.image, 0, "--engine",
                                      "the numbers in its .reference file are those of another image"),
                       "remove the .reference file to use the image's rounded weights");
        return TERN_ERR_DATA;
    }
    if (s != TERN_OK || path == NULL) return s;
    uint8_t *bytes = NULL;
    size_t size = 0;
    /* the largest file an engine of this network with 32 samples can write */
    const size_t limit = tern_reference_save_bytes(r->ref) / r->n_samples * TERN_MAX_SAMPLES +
                         ((size_t)j->model.net.n_weights + 65536) * 16;
    s = tern_file_read(path, limit, alloc, &bytes, &size, &j->diags);
    if (s == TERN_OK) {
        s = tern_reference_restore_weights(r->ref, bytes, size);
        if (s != TERN_OK)
            tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_REFERENCE_OTHER, path, 0, "--engine",
                                          "the reference's numbers do not belong to the image: %s",
                                          tern_status_text(s)),
                           "remove the file to use the image's rounded weights");
    }
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

/* The board, and batches that its core can make. */
static tern_status open_device(tern_eval *j)
{
    uint32_t most = 0;
    tern_status s = tern_device_open(&j->device, j->o.device, (uint32_t)j->o.baud, &j->diags);
    if (s == TERN_OK)
        j->device.source = (tern_fit_source){ .limits = tern_cli_compile_options(NULL),
                                              .script = tern_is_script(j->o.image) ? j->o.image : NULL,
                                              .sets = &j->o.sets,
                                              .inference = true };
    if (s == TERN_OK) s = tern_device_batch(&j->device, &j->model, (uint32_t)j->o.samples, &most, &j->diags);
    if (s == TERN_OK && j->o.batch > most) {
        if (j->o.given_batch)
            tern_diag_hint(
                tern_diags_add(
                    &j->diags, TERN_SEV_WARNING, TERN_E_BATCH, j->o.device, 0, "--batch",
                    "the core computes at most %u samples of this network at once: batches of %u instead of %u", most,
                    most, (unsigned)j->o.batch),
                "leave --batch out: then it is the largest that fits");
        j->o.batch = most;
    }
    return s;
}

/* One thread's part of a round: a recording, measured by engines of its own. */
typedef struct tern_eval_share {
    tern_measure *m;
    tern_arena arena; /* holds the frames of this round */
    tern_frames frames;
    uint32_t step; /* number of the recording's first step */
    tern_measured measured;
} tern_eval_share;

/* Recordings side by side: with the engine `fast`, as many as asked for, or as there are processors. */
static uint32_t threads_of(const tern_eval *j)
{
    if (strcmp(j->o.engine, "fast") != 0) return 1;
    const uint64_t most = j->o.threads != 0 ? j->o.threads : tern_threads_online();
    const uint64_t n = most < j->frames.set.n ? most : j->frames.set.n;
    return n > TERN_FAST_MAX_THREADS ? TERN_FAST_MAX_THREADS : (uint32_t)n;
}

static tern_status share_out(tern_eval *j, const tern_measure_options *o)
{
    j->parts = tern_arena_get(&j->arena, j->n_threads, sizeof *j->parts);
    if (j->parts == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < j->n_threads; ++i) {
        tern_eval_share *s = &j->parts[i];
        tern_arena_init(&s->arena, tern_alloc_default(), 0);
        s->m = i == 0 ? &j->m : tern_arena_get(&j->arena, 1, sizeof *s->m);
        if (s->m == NULL) return TERN_ERR_MEMORY;
        const tern_status made = tern_measure_init(s->m, &j->model, o, &j->arena, &j->diags);
        if (made != TERN_OK) return made;
    }
    if (j->n_threads == 1) return TERN_OK;
    const tern_status s = tern_threads_start(j->n_threads, &j->threads, &j->arena);
    if (s == TERN_ERR_IO)
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_THREADS, NULL, 0, "--threads",
                                      "the system refuses to start %u threads", j->n_threads),
                       "--threads 1");
    return s;
}

static void end_shares(tern_eval *j)
{
    if (j->threads != NULL) tern_threads_end(j->threads);
    for (uint32_t i = 0; j->parts != NULL && i < j->n_threads; ++i) {
        if (j->parts[i].m == NULL) break; /* the arena of this one was not made, either */
        tern_measure_close(j->parts[i].m);
        tern_arena_free(&j->parts[i].arena);
    }
}

static tern_status prepare(tern_eval *j)
{
    tern_status s = tern_cli_open_model(j->o.image, &j->o.sets, &j->arena, &j->model, &j->diags);
    if (s == TERN_OK) s = tern_frames_store_open(&j->frames, &j->model, j->o.data, false, &j->diags);
    j->frames.warn = tern_cli_print_line;
    if (s != TERN_OK) return s;
    const bool device = strcmp(j->o.engine, "device") == 0;
    if (device) s = open_device(j);
    if (s != TERN_OK) return s;
    j->n_threads = threads_of(j);
    const uint32_t inside = j->n_threads > 1 ? 1u : (uint32_t)j->o.threads;
    const tern_measure_options o = {
        .engine = { .kind = tern_engine_find(j->o.engine), .device = device ? &j->device : NULL, .threads = inside },
        .n_samples = (uint32_t)j->o.samples,
        .batch = (uint32_t)j->o.batch,
        .seed = j->o.given_seed ? j->o.seed : j->model.seed,
        .early_stop = j->o.early_stop,
        .decode = strcmp(j->o.decode, "first") == 0 ? TERN_DECODE_FIRST : TERN_DECODE_RATE
    };
    s = share_out(j, &o);
    const bool reference = o.engine.kind == &tern_engine_reference;
    if (s == TERN_OK && reference) s = load_reference_weights(j, &j->m.full);
    if (s == TERN_OK && reference) s = load_reference_weights(j, &j->m.rest);
    if (s == TERN_OK) s = tern_calibration_init(&j->by_softmax, (uint32_t)j->o.bins);
    if (s == TERN_OK) s = tern_calibration_init(&j->by_votes, (uint32_t)j->o.bins);
    if (s == TERN_OK) s = tern_eval_curve_begin(j);
    for (size_t i = 0; i < 2 && s == TERN_OK; ++i) {
        j->decided[i] = tern_arena_get(&j->arena, j->frames.set.n, sizeof *j->decided[i]);
        if (j->decided[i] == NULL) s = TERN_ERR_MEMORY;
    }
    return s;
}

/* A device, such as a terminal, or an open file (/dev/stdout), is written to as it is; a file gets its name when it is
 * complete. */
static tern_status open_lines(tern_eval *j)
{
    const char *path = j->o.per_recording;
    struct stat info;
    tern_status s = tern_cli_log_check(path, "--per-recording", "{\"recording\":", &j->diags);
    if (s != TERN_OK) return s;
    if (tern_opened(path) || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) {
        j->lines = fopen(path, "wb");
        return j->lines != NULL ? TERN_OK : tern_cli_log_fault(path, "--per-recording", &j->diags);
    }
    tern_file_sweep(path);
    s = tern_file_begin(&j->lines_writer, path, &j->diags);
    j->lines = j->lines_writer.f;
    return s;
}

/* Closes the lines; a file of them is kept if the evaluation is complete. */
static tern_status close_lines(tern_eval *j, tern_status s)
{
    const bool file = j->lines_writer.f != NULL;
    if (file && s == TERN_OK && !tern_interrupted()) s = tern_file_commit(&j->lines_writer, &j->diags);
    else if (file) tern_file_abort(&j->lines_writer);
    else if (j->lines != NULL && fclose(j->lines) != 0 && s == TERN_OK)
        s = tern_cli_log_fault(j->o.per_recording, "--per-recording", &j->diags);
    j->lines = NULL;
    return s;
}

tern_measure *tern_eval_share_measure(tern_eval *j, uint32_t share) { return j->parts[share].m; }

static void add_decision(tern_eval *j, const tern_measure *m, const tern_measured *r, int32_t label)
{
    const uint32_t n = m->n_classes, *votes = m->vote.votes;
    const bool right = r->decision == (uint32_t)label;
    const double entropy = tern_vote_entropy(votes, n), softmax = tern_vote_softmax(votes, n, r->decision),
                 share = tern_vote_fraction(votes, n, r->decision);
    tern_eval_curve_add(j, m, label);
    j->decided[0][j->n_labelled] = (tern_decided){ softmax, right };
    j->decided[1][j->n_labelled] = (tern_decided){ share, right };
    ++j->n_labelled;
    j->n_right += right;
    tern_mean_add(right ? &j->entropy_right : &j->entropy_wrong, entropy);
    tern_mean_add(&j->softmax, softmax);
    tern_mean_add(&j->share, share);
    tern_calibration_add(&j->by_softmax, softmax, right); /* both are in 0..1: every recording has at least one vote */
    tern_calibration_add(&j->by_votes, share, right);
}

/* Takes in what a share found. Means are sums of doubles, so this is done in the order of the recordings. */
static tern_status take_in(tern_eval *j, uint32_t recording, const tern_eval_share *share)
{
    const tern_frames *f = &share->frames;
    const tern_measured r = share->measured;
    const tern_status went = tern_measure_check(share->m, &j->diags);
    if (went != TERN_OK) return went;
    if (r.scored) {
        tern_mean_add(&j->ll, r.ll);
        tern_mean_add(&j->ll_iw, r.ll_iw);
        tern_mean_add(&j->loss, -r.ll / f->n_steps);
        tern_mean_add(&j->loss_iw, -r.ll_iw / f->n_steps);
    }
    if (r.scored && j->m.has_distance) tern_mean_add(&j->distance, r.distance);
    if (j->m.n_classes != 0 && f->label >= 0) add_decision(j, share->m, &r, f->label);
    j->n_steps += f->n_steps;
    j->samples_made += r.samples;
    j->steps_free += (uint64_t)f->n_steps * r.samples;
    j->hidden_clamped += r.hidden_clamped;
    j->hidden_free += r.hidden_free;
    j->visible_free += r.visible_free;
    j->visible_target += r.visible_target;
    tern_eval_spikes_add(j, recording, share->m, f, r.samples);
    return j->lines == NULL ? TERN_OK : tern_eval_write_line(j, share->m, recording, f, &r);
}

static void measure_share(void *ud, uint32_t i)
{
    tern_eval_share *s = &((tern_eval *)ud)->parts[i];
    if (s->frames.n_steps == 0) return; /* fewer recordings than threads in the last round */
    s->m->step = s->step;
    tern_measure_recording(s->m, &s->frames, &s->measured);
}

static uint32_t *copy_words(tern_arena *arena, const uint32_t *words, size_t n)
{
    uint32_t *copy = tern_arena_get(arena, n, sizeof *copy);
    if (copy != NULL && n != 0) memcpy(copy, words, n * sizeof *copy);
    return copy;
}

/* Frames of a recording for one share; with several of them a copy, as those of the data set only last until the
 * next. */
static tern_status fill_share(tern_eval *j, tern_eval_share *s, uint32_t recording, uint32_t *step)
{
    tern_arena_free(&s->arena);
    const tern_status got = tern_frames_store_get(&j->frames, recording, &s->frames, &j->diags);
    if (got != TERN_OK) return got;
    s->step = *step;
    *step += 2u * s->frames.n_steps;
    const tern_status room = tern_eval_spikes_room(j, s->m, &s->frames, &s->arena);
    if (j->n_threads == 1 || room != TERN_OK) return room;
    s->frames.inputs = copy_words(&s->arena, s->frames.inputs, (size_t)s->frames.n_steps * s->frames.words_in);
    s->frames.targets = copy_words(&s->arena, s->frames.targets, (size_t)s->frames.n_steps * s->frames.words_neuron);
    return s->frames.inputs == NULL || s->frames.targets == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* Recordings first.. are measured side by side, and then taken in. */
static tern_status round_from(tern_eval *j, uint32_t first, uint32_t *step)
{
    const uint32_t left = (uint32_t)j->frames.set.n - first, n = left < j->n_threads ? left : j->n_threads;
    tern_status s = TERN_OK;
    for (uint32_t i = 0; i < j->n_threads; ++i) j->parts[i].frames.n_steps = 0;
    for (uint32_t i = 0; i < n && s == TERN_OK; ++i) s = fill_share(j, &j->parts[i], first + i, step);
    if (s != TERN_OK) return s;
    if (j->threads != NULL) tern_threads_run(j->threads, measure_share, j);
    else measure_share(j, 0);
    for (uint32_t i = 0; i < n && s == TERN_OK; ++i) s = take_in(j, first + i, &j->parts[i]);
    return s;
}

static tern_status run(tern_eval *j)
{
    tern_progress bar;
    tern_status s = TERN_OK;
    const uint32_t n = (uint32_t)j->frames.set.n;
    uint32_t step = 0;
    tern_progress_begin(&bar, "eval", "recording", n);
    for (uint32_t i = 0; i < n && s == TERN_OK && !tern_interrupted(); i += j->n_threads) {
        s = round_from(j, i, &step);
        tern_progress_update(&bar, i + j->n_threads < n ? i + j->n_threads : n, NULL);
    }
    tern_progress_end(&bar);
    return s;
}

static int finish(tern_eval *j, tern_status s)
{
    s = tern_eval_spikes_end(j, close_lines(j, s));
    if (s != TERN_OK) return tern_cli_failed(s, &j->diags, "tern eval");
    tern_cli_print_diags(&j->diags);
    if (tern_interrupted()) {
        fputs("interrupted: no result\n", stderr);
        return TERN_EXIT_FOUND;
    }
    if (j->o.json) return tern_eval_print_json(j) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    tern_eval_print_text(j);
    return TERN_EXIT_DONE;
}

int tern_verb_eval(int argc, char **argv)
{
    tern_eval_options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    tern_eval *j = alloc.fn(alloc.ud, NULL, sizeof *j); /* too large for a stack */
    if (j == NULL) {
        fputs("tern eval: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(j, 0, sizeof *j);
    j->o = o;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, alloc, 0);
    tern_catch_interrupts();
    tern_status s = TERN_OK;
    if (o.per_recording != NULL) s = tern_cli_lock(o.per_recording, "--per-recording", &j->diags);
    if (s == TERN_OK && o.spikes != NULL) s = tern_cli_lock(o.spikes, "--spikes", &j->diags);
    if (s == TERN_OK) s = prepare(j);
    if (s == TERN_OK && o.spikes != NULL) s = tern_eval_spikes_begin(j);
    if (s == TERN_OK && o.per_recording != NULL) s = open_lines(j);
    if (s == TERN_OK) s = run(j);
    const int status = finish(j, s);
    end_shares(j);
    tern_device_close(&j->device);
    tern_frames_store_close(&j->frames);
    tern_arena_free(&j->arena);
    alloc.fn(alloc.ud, j, 0);
    return status;
}
