/* tern_cli_eval.c : tern eval
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every recording is run twice, without learning: clamped (visible neurons forced to their targets) for the log-loss, then free (visible
 * neurons draw) for decisions. K_I samples are made in batches of 32; sample numbers, and so the draws, go on from batch to batch.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern/metrics.h"
#include "tern_cli.h"
#include "tern_cli_runner.h"
#include "tern_verbs.h"

enum { SAMPLES_MAX = 256, BATCH = TERN_MAX_SAMPLES };

typedef struct options {
    const char *image, *data, *engine;
    uint64_t samples, seed;
    bool given_seed, json;
    tern_arg_list sets;
} options;

typedef struct job {
    options         o;
    tern_arena      arena;
    tern_model      model;
    tern_cli_frames frames;
    tern_runner     full, rest;      /* batches of 32, and the last, smaller one */
    uint32_t        n_samples, n_classes, class_pos; /* classes: units of the label population */
    uint64_t        seed;
    double          total[SAMPLES_MAX]; /* log-probability of the recording at hand, per sample */
    uint32_t       *counts, *votes;  /* [n_samples][n_classes], [n_classes] */
    uint32_t        step;
    tern_diags      diags;
    /* results */
    tern_mean       loss, loss_iw;   /* per step and recording  */
    tern_mean       ll, ll_iw;       /* log-likelihood of a whole recording */
    uint64_t        n_steps;         /* of one kind of run, all recordings */
    uint64_t        hidden_clamped, hidden_free, visible_free, visible_target; /* spikes, all samples (targets: once) */
    uint32_t        n_labelled, n_right;
} job;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .engine = "golden", .samples = 1 };
    const tern_arg list[] = {
        { .name = "IMAGE|NET.lua", .kind = TERN_ARG_STRING, .required = true, .out = &o->image, .help = "image with trained weights; a script: initial weights" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "PATH", .required = true, .out = &o->data, .help = "a recording, a folder of recordings, or a list file" },
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K_I", .lo = 1, .hi = SAMPLES_MAX, .out = &o->samples, .help = "samples; default 1" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .hi = INT64_MAX, .out = &o->seed, .out_given = &o->given_seed, .help = "seed of the draws (default: the script's)" },
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .choices = "golden|reference", .out = &o->engine,
          .help = "golden (default) or reference; the latter takes its own\nnumbers from IMAGE.reference if that file is there" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .out = &o->sets, .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the results as one JSON object" },
    };
    const tern_args args = { .verb = "eval", .purpose = "Measures a network on recordings, without learning: log-loss, accuracy where there are labels, spikes.",
                             .list = list, .n = sizeof list / sizeof *list };
    return tern_args_parse(&args, argc, argv);
}

/* The reference's numbers beside an image, if they are there. */
static tern_status load_reference_weights(job *j, tern_runner *r)
{
    const tern_alloc alloc = tern_alloc_default();
    const char *path = tern_reference_path(j->o.image, &j->arena);
    if (path == NULL) return TERN_ERR_MEMORY;
    FILE *there = fopen(path, "rb");
    if (there == NULL) return TERN_OK;
    fclose(there);
    uint8_t *bytes = NULL;
    size_t size = 0;
    /* the largest file an engine of this network with 32 samples can write */
    const size_t limit = tern_reference_save_bytes(r->ref) / r->n_samples * TERN_MAX_SAMPLES + ((size_t)j->model.net.n_weights + 65536) * 16;
    tern_status s = tern_file_read(path, limit, alloc, &bytes, &size, &j->diags);
    if (s == TERN_OK) {
        s = tern_reference_restore_weights(r->ref, bytes, size);
        if (s != TERN_OK)
            tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, 117, path, 0, "--engine", "the reference's numbers do not belong to the image: %s", tern_status_text(s)),
                           "remove the file to use the image's rounded weights");
    }
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

static tern_status make_runner(job *j, tern_runner *r, uint32_t n_samples)
{
    const bool reference = strcmp(j->o.engine, "reference") == 0;
    const tern_status s = tern_runner_init(r, &j->model, reference, n_samples, j->seed, &j->arena, &j->diags);
    return s == TERN_OK && reference ? load_reference_weights(j, r) : s;
}

static tern_status prepare(job *j)
{
    tern_status s = tern_cli_open_model(j->o.image, &j->o.sets, &j->arena, &j->model, &j->diags);
    if (s == TERN_OK) s = tern_cli_frames_open(&j->frames, &j->model, j->o.data, false, &j->diags);
    if (s != TERN_OK) return s;
    j->n_samples = (uint32_t)j->o.samples;
    j->seed = j->o.given_seed ? j->o.seed : j->model.seed;
    if (j->model.data.label_population >= 0) {
        const tern_population *p = &j->model.populations[j->model.data.label_population];
        j->n_classes = p->size;
        j->class_pos = p->pos;
    }
    j->counts = tern_arena_get(&j->arena, (size_t)j->n_samples * j->n_classes, sizeof *j->counts);
    j->votes = tern_arena_get(&j->arena, j->n_classes, sizeof *j->votes);
    if (j->counts == NULL || j->votes == NULL) return TERN_ERR_MEMORY;
    if (j->n_samples >= BATCH) s = make_runner(j, &j->full, BATCH);
    if (s == TERN_OK && j->n_samples % BATCH != 0) s = make_runner(j, &j->rest, j->n_samples % BATCH);
    return s;
}

/* One recording, samples k0 .. k0 + r->n_samples - 1, one of the two runs. */
static void run_batch(job *j, tern_runner *r, const tern_frames *f, uint32_t k0, bool clamp)
{
    tern_runner_end(r, true);
    tern_runner_seek(r, k0, j->step);
    for (uint32_t t = 0; t < f->n_steps; ++t) {
        tern_runner_step(r, f->inputs + (size_t)t * f->words_in, f->targets + (size_t)t * f->words_neuron, clamp ? TERN_STEP_CLAMP : 0u);
        const uint64_t hidden = tern_runner_spikes(r, r->hidden);
        if (clamp) {
            j->hidden_clamped += hidden;
            for (uint32_t k = 0; k < r->n_samples; ++k) j->total[k0 + k] -= tern_runner_loss(r, k);
            continue;
        }
        j->hidden_free += hidden;
        j->visible_free += tern_runner_spikes(r, r->visible);
        for (uint32_t k = 0; k < r->n_samples; ++k)
            for (uint32_t c = 0; c < j->n_classes; ++c) j->counts[(size_t)(k0 + k) * j->n_classes + c] += tern_runner_spike(r, k, j->class_pos + c);
    }
}

static void run_all(job *j, const tern_frames *f, bool clamp)
{
    for (uint32_t k0 = 0; k0 < j->n_samples; k0 += BATCH) run_batch(j, j->n_samples - k0 >= BATCH ? &j->full : &j->rest, f, k0, clamp);
    j->step += f->n_steps;
}

static void count_targets(job *j, const tern_frames *f)
{
    const tern_runner *r = j->n_samples >= BATCH ? &j->full : &j->rest;
    for (uint32_t t = 0; t < f->n_steps; ++t)
        for (uint32_t w = 0; w < f->words_neuron; ++w)
            j->visible_target += (unsigned)__builtin_popcount(f->targets[(size_t)t * f->words_neuron + w] & r->visible[w]);
}

static void evaluate(job *j, const tern_frames *f)
{
    double sum = 0;
    memset(j->total, 0, sizeof j->total);
    memset(j->counts, 0, sizeof *j->counts * j->n_samples * j->n_classes);
    run_all(j, f, true);
    run_all(j, f, false);
    for (uint32_t k = 0; k < j->n_samples; ++k) sum += j->total[k];
    const double ll = sum / j->n_samples, ll_iw = tern_log_mean_exp(j->total, j->n_samples);
    /* a recording without label has no targets for the label population: its log-loss would measure nothing */
    if (j->n_classes == 0 || f->label >= 0) {
        tern_mean_add(&j->ll, ll);
        tern_mean_add(&j->ll_iw, ll_iw);
        tern_mean_add(&j->loss, -ll / f->n_steps);
        tern_mean_add(&j->loss_iw, -ll_iw / f->n_steps);
    }
    count_targets(j, f);
    j->n_steps += f->n_steps;
    if (j->n_classes != 0 && f->label >= 0) {
        ++j->n_labelled;
        j->n_right += tern_majority(j->counts, j->n_samples, j->n_classes, j->votes) == (uint32_t)f->label;
    }
}

static tern_status run(job *j)
{
    tern_progress bar;
    tern_status s = TERN_OK;
    const uint32_t n = (uint32_t)j->frames.set.n;
    tern_progress_begin(&bar, "eval", "recording", n);
    for (uint32_t i = 0; i < n && s == TERN_OK && !tern_cli_interrupted(); ++i) {
        tern_frames f;
        s = tern_cli_frames_get(&j->frames, i, &f, &j->diags);
        if (s == TERN_OK) evaluate(j, &f);
        tern_progress_update(&bar, i + 1, NULL);
    }
    tern_progress_end(&bar);
    return s;
}

/* Spikes per step of one sample. */
static double per_step(const job *j, uint64_t spikes) { return (double)spikes / (double)j->n_steps / j->n_samples; }

/* Standard error of a share. */
static double share_error(uint32_t right, uint32_t n)
{
    const double p = (double)right / n;
    return sqrt(p * (1 - p) / n);
}

static bool print_json(const job *j)
{
    json_t *spikes = json_pack("{s:o, s:o, s:o, s:o}", "hidden_clamped", tern_cli_real(per_step(j, j->hidden_clamped)), "hidden_free",
                               tern_cli_real(per_step(j, j->hidden_free)), "visible_free", tern_cli_real(per_step(j, j->visible_free)), "visible_target",
                               tern_cli_real((double)j->visible_target / (double)j->n_steps));
    json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "network", j->model.name, "image", j->o.image, "engine", j->o.engine, "samples",
                          (json_int_t)j->n_samples, "seed", (json_int_t)j->seed, "recordings", (json_int_t)j->frames.set.n, "steps", (json_int_t)j->n_steps,
                          "spikes_per_step", spikes);
    if (o == NULL) return false;
    const struct { const char *name, *error; const tern_mean *m; } means[] = {
        { "log_loss", "log_loss_error", &j->loss }, { "log_loss_iw", "log_loss_iw_error", &j->loss_iw },
        { "log_likelihood", "log_likelihood_error", &j->ll }, { "log_likelihood_iw", "log_likelihood_iw_error", &j->ll_iw },
    };
    int bad = json_object_set_new(o, "scored", json_integer((json_int_t)j->ll.n));
    for (size_t i = 0; i < sizeof means / sizeof *means; ++i) {
        bad |= json_object_set_new(o, means[i].name, means[i].m->n == 0 ? json_null() : tern_cli_real(means[i].m->mean));
        bad |= json_object_set_new(o, means[i].error, tern_cli_real(tern_mean_error(means[i].m)));
    }
    bad |= json_object_set_new(o, "labelled", json_integer(j->n_labelled));
    bad |= json_object_set_new(o, "right", json_integer(j->n_right));
    bad |= json_object_set_new(o, "accuracy", j->n_labelled == 0 ? json_null() : tern_cli_real((double)j->n_right / j->n_labelled));
    if (bad != 0) {
        json_decref(o);
        return false;
    }
    return tern_cli_print_json(o, stdout);
}

static void print_mean(const char *name, const tern_mean *m, const char *unit)
{
    printf("  %-24s %10.4f", name, m->mean);
    if (m->n > 1) printf(" +- %.4f", tern_mean_error(m));
    printf("  %s\n", unit);
}

static void print_text(const job *j)
{
    printf("network      %s (%s), %s engine, %u samples, seed %" PRIu64 "\nrecordings   %zu, %" PRIu64 " steps\n", j->model.name, j->o.image, j->o.engine, j->n_samples,
           j->seed, j->frames.set.n, j->n_steps);
    if (j->ll.n != 0) {
        puts("visible neurons clamped:");
        print_mean("log-loss", &j->loss, "per step, mean over samples");
        print_mean("log-loss", &j->loss_iw, "per step, importance-weighted estimate");
        print_mean("log-likelihood", &j->ll, "per recording, mean over samples");
        print_mean("log-likelihood", &j->ll_iw, "per recording, importance-weighted estimate");
    }
    puts("visible neurons free:");
    if (j->n_labelled != 0)
        printf("  %-24s %10.4f +- %.4f  %u of %u right\n", "accuracy", (double)j->n_right / j->n_labelled, share_error(j->n_right, j->n_labelled), j->n_right, j->n_labelled);
    printf("  %-24s %10.4f  per step (targets: %.4f)\n  %-24s %10.4f  per step (clamped: %.4f)\n", "visible spikes", per_step(j, j->visible_free),
           (double)j->visible_target / (double)j->n_steps, "hidden spikes", per_step(j, j->hidden_free), per_step(j, j->hidden_clamped));
}

static int finish(job *j, tern_status s)
{
    if (s != TERN_OK) return tern_cli_failed(s, &j->diags, "tern eval");
    tern_cli_print_diags(&j->diags);
    if (tern_cli_interrupted()) {
        fputs("interrupted: no result\n", stderr);
        return TERN_EXIT_FOUND;
    }
    if (j->o.json) return print_json(j) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    print_text(j);
    return TERN_EXIT_DONE;
}

int tern_verb_eval(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    job *j = alloc.fn(alloc.ud, NULL, sizeof *j);
    if (j == NULL) {
        fputs("tern eval: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(j, 0, sizeof *j);
    j->o = o;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, alloc, 0);
    tern_cli_catch_interrupts();
    tern_status s = prepare(j);
    if (s == TERN_OK) s = run(j);
    const int status = finish(j, s);
    tern_cli_frames_close(&j->frames);
    tern_arena_free(&j->arena);
    alloc.fn(alloc.ud, j, 0);
    return status;
}
