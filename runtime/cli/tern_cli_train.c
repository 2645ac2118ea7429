/* tern_cli_train.c : tern train
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_train.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern/metrics.h"
#include "tern_verbs.h"

typedef struct options {
    const char *net, *data, *out, *log, *engine;
    uint64_t presentations, seed, samples, checkpoint;
    bool given_presentations, given_seed, given_samples, resume, json;
    tern_arg_list sets;
} options;

typedef struct job {
    options         o;
    int             argc;      /* of the verb, to print how to go on */
    char          **argv;
    tern_arena      arena;
    tern_model      model;
    tern_cli_frames frames;
    tern_runner     run;
    uint32_t       *order, epoch;  /* recordings of an epoch; epoch UINT32_MAX: none yet */
    uint32_t        done, total;   /* presentations */
    FILE           *log;
    bool            log_failed;    /* after the presentation was made */
    char           *reference_path;
    tern_diags      diags;
    /* summary of this call */
    double          loss_first, loss_last, seconds;
    uint32_t        n_made, steps_made;
    tern_sat_counts saturations;
} job;

static const char epilogue[] =
    "Recordings are shown in an order that depends on the seed only: every epoch shows each once. Between presentations\n"
    "the pending update is applied; histories and averages are cleared if the network's data section says so.\n"
    "Ctrl-C finishes the presentation and saves; the same command with --resume then continues to the same bits as a\n"
    "training that was never interrupted.";

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .engine = "golden" };
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .required = true, .out = &o->net, .help = "script of the network, or an image: training goes on from its weights" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "PATH", .required = true, .out = &o->data, .help = "a recording, a folder of recordings, or a list file" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "OUT.tern", .required = true, .out = &o->out, .help = "image to write, with the trained weights" },
        { .name = "--presentations", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 4294967295u, .out = &o->presentations,
          .out_given = &o->given_presentations, .help = "presentations in all, those before --resume included\n(default: every recording once)" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .hi = INT64_MAX, .out = &o->seed, .out_given = &o->given_seed, .help = "seed of draws and order (default: the script's)" },
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = TERN_MAX_SAMPLES, .out = &o->samples, .out_given = &o->given_samples,
          .help = "samples (default: the script's)" },
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .choices = "golden|reference", .out = &o->engine,
          .help = "golden: the integers of hardware (default)\nreference: double precision, rounded when saved;\nits own numbers go to OUT.tern.reference" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .out = &o->sets, .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--log", .kind = TERN_ARG_STRING, .value = "FILE.jsonl", .out = &o->log, .help = "write one line of JSON per presentation" },
        { .name = "--resume", .kind = TERN_ARG_FLAG, .out = &o->resume, .help = "go on from OUT.tern" },
        { .name = "--checkpoint", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 4294967295u, .out = &o->checkpoint, .help = "save every N presentations too (default: at the end)" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the summary as one JSON object" },
    };
    const tern_args args = { .verb = "train", .purpose = "Trains a network on recordings.", .list = list, .n = sizeof list / sizeof *list, .epilogue = epilogue };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    char reference[1100], text[600];
    snprintf(reference, sizeof reference, "%.1080s.reference", o->out);
    const tern_train_names names = { .net = o->net, .data = o->data, .out = o->out, .reference = reference, .log = o->log, .resume = o->resume };
    return tern_train_names_clash(&names, text, sizeof text) ? tern_args_wrong(&args, 110, "%s", text) : -1;
}

static bool is_reference(const job *j) { return strcmp(j->o.engine, "reference") == 0; }

static bool exists(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f != NULL) fclose(f);
    return f != NULL;
}

static tern_status refuse(job *j, int code, const char *file, const char *key, const char *text, const char *hint)
{
    tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, code, file, 0, key, "%s", text), "%s", hint);
    return TERN_ERR_ARGUMENT;
}

static tern_status open_network(job *j, tern_model *out)
{
    tern_arg_list sets = j->o.sets;
    char samples[40];
    /* K decides formats too, so a script is compiled with it */
    if (j->o.given_samples && tern_cli_is_script(j->o.net)) {
        if (sets.n == TERN_ARG_LIST_MAX) return TERN_ERR_LIMIT;
        snprintf(samples, sizeof samples, "rule.samples=%" PRIu64, j->o.samples);
        sets.items[sets.n++] = samples;
    }
    return tern_cli_open_model(j->o.net, &sets, &j->arena, out, &j->diags);
}

/* Two models are the same network when their images without state are the same bytes. */
static tern_status same_network(const tern_model *a, const tern_model *b, bool *out_same)
{
    const uint8_t *bytes[2];
    size_t size[2];
    tern_arena scratch;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    tern_status s = TERN_OK;
    for (int i = 0; i < 2 && s == TERN_OK; ++i) {
        tern_model *m = tern_arena_get(&scratch, 1, sizeof *m);
        if (m == NULL) {
            s = TERN_ERR_MEMORY;
            break;
        }
        *m = *(i == 0 ? a : b);
        m->state = NULL;
        m->presentations_done = 0;
        s = tern_image_encode(m, &scratch, &bytes[i], &size[i]);
    }
    *out_same = s == TERN_OK && size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    tern_arena_free(&scratch);
    return s;
}

/* Loads OUT.tern and makes sure that it is what this command would have written. */
static tern_status open_checkpoint(job *j, const tern_model *asked)
{
    bool same = false;
    if (!exists(j->o.out)) return refuse(j, 115, j->o.out, "--resume", "there is no checkpoint to go on from", "the first run of a training has no --resume");
    tern_status s = tern_image_load(j->o.out, &j->arena, &j->model, &j->diags);
    if (s != TERN_OK) return s;
    if (j->model.state == NULL) return refuse(j, 115, j->o.out, "--resume", "the image holds no training state", "leave out --resume to start a training");
    s = same_network(asked, &j->model, &same);
    if (s != TERN_OK) return s;
    if (!same)
        return refuse(j, 116, j->o.out, "--resume", strcmp(asked->source_sha256, j->model.source_sha256) != 0 ? "the checkpoint is of another script, or the script was changed"
                                                                                                             : "the checkpoint was made with other settings",
                      "repeat the command that made it, with --resume added");
    if (j->o.given_samples && j->o.samples != j->model.state->n_samples)
        return refuse(j, 116, j->o.out, "--samples", "the checkpoint was made with another number of samples", "leave --samples out, or start again without --resume");
    if (j->o.given_seed && j->o.seed != j->model.state->seed)
        return refuse(j, 116, j->o.out, "--seed", "the checkpoint was made with another seed", "leave --seed out, or start again without --resume");
    j->done = j->model.presentations_done;
    return TERN_OK;
}

/* The reference goes on from its own numbers; the image only holds rounded ones. */
static tern_status restore_reference(job *j)
{
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    const size_t limit = tern_reference_save_bytes(j->run.ref);
    tern_status s = tern_file_read(j->reference_path, limit, alloc, &bytes, &size, &j->diags);
    if (s == TERN_OK) {
        s = tern_reference_restore(j->run.ref, bytes, size);
        if (s != TERN_OK || j->run.ref->step != j->model.state->step || j->run.ref->seed != j->model.state->seed)
            s = refuse(j, 117, j->reference_path, "--resume", "the reference's numbers do not belong to the image", "start again without --resume");
    }
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

static tern_status prepare(job *j)
{
    j->reference_path = tern_reference_path(j->o.out, &j->arena);
    tern_model *asked = tern_arena_get(&j->arena, 1, sizeof *asked);
    if (j->reference_path == NULL || asked == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_image_replaceable(j->o.out, &j->diags); /* before the work, not after it */
    if (s == TERN_OK && is_reference(j)) s = tern_file_writable(j->reference_path, &j->diags);
    if (s == TERN_OK) s = open_network(j, asked);
    if (s == TERN_OK && j->o.resume) s = open_checkpoint(j, asked);
    else j->model = *asked;
    if (s != TERN_OK) return s;
    if (j->o.resume && !is_reference(j) && exists(j->reference_path))
        return refuse(j, 117, j->o.out, "--resume", "was trained by the reference engine", "add --engine reference");
    s = tern_cli_frames_open(&j->frames, &j->model, j->o.data, true, &j->diags);
    if (s != TERN_OK) return s;
    const uint64_t total = j->o.given_presentations ? j->o.presentations : j->frames.set.n;
    if (total * j->model.data.steps > UINT32_MAX) {
        tern_diags_add(&j->diags, TERN_SEV_ERROR, 118, j->o.net, 0, "--presentations", "%" PRIu64 " presentations of %u steps, allowed are 4294967295 steps in all",
                       total, j->model.data.steps);
        return TERN_ERR_LIMIT;
    }
    j->total = (uint32_t)total;
    j->epoch = UINT32_MAX;
    j->order = tern_arena_get(&j->arena, j->frames.set.n, sizeof *j->order);
    if (j->order == NULL) return TERN_ERR_MEMORY;
    const tern_state *saved = j->o.resume ? j->model.state : NULL;
    const uint32_t samples = saved != NULL ? saved->n_samples : j->o.given_samples ? (uint32_t)j->o.samples : j->model.net.n_samples;
    const uint64_t seed = saved != NULL ? saved->seed : j->o.given_seed ? j->o.seed : j->model.seed;
    s = tern_runner_init(&j->run, &j->model, is_reference(j), samples, seed, &j->arena, &j->diags);
    if (s != TERN_OK) return s;
    if (saved != NULL) {
        tern_state_copy(&j->run.st, saved);
        if (is_reference(j)) s = restore_reference(j);
    }
    if (s == TERN_OK && j->o.log != NULL) s = tern_train_log_open(j->o.log, j->o.resume, j->done, &j->log, &j->diags);
    if (s == TERN_OK && saved == NULL) remove(j->reference_path); /* of an earlier training under this name */
    return s;
}

static tern_status save(job *j)
{
    if (j->run.ref != NULL) { /* its own numbers first: an image without them could not be resumed */
        tern_reference_to_state(j->run.ref, &j->run.st);
        const tern_alloc alloc = tern_alloc_default();
        const size_t size = tern_reference_save_bytes(j->run.ref);
        uint8_t *bytes = alloc.fn(alloc.ud, NULL, size);
        if (bytes == NULL) return TERN_ERR_MEMORY;
        tern_reference_save(j->run.ref, bytes);
        const tern_status s = tern_file_write(j->reference_path, bytes, size, &j->diags);
        alloc.fn(alloc.ud, bytes, 0);
        if (s != TERN_OK) return s;
    }
    j->model.state = &j->run.st;
    j->model.presentations_done = j->done;
    return tern_image_save(&j->model, j->o.out, tern_alloc_default(), &j->diags);
}

static tern_sat_counts difference(tern_sat_counts a, tern_sat_counts b)
{
    return (tern_sat_counts){ a.weight - b.weight, a.local - b.local, a.potential - b.potential, a.coefficient - b.coefficient, a.logprob - b.logprob };
}

static tern_status present(job *j)
{
    const uint32_t n = (uint32_t)j->frames.set.n, epoch = j->done / n, K = j->run.n_samples;
    tern_frames f;
    if (epoch != j->epoch) tern_order_epoch(j->run.st.seed, j->epoch = epoch, n, j->order);
    tern_train_line line = { .presentation = j->done + 1, .recording = j->order[j->done % n], .eta = tern_rule_eta_at(&j->model.rule, j->done) };
    tern_status s = tern_cli_frames_get(&j->frames, line.recording, &f, &j->diags);
    if (s == TERN_OK) s = tern_runner_set_eta(&j->run, line.eta, &j->diags);
    if (s != TERN_OK) return s;
    const tern_sat_counts before = j->run.st.sat;
    double total[TERN_MAX_SAMPLES] = { 0 }, sum = 0;
    uint64_t hidden = 0;
    for (uint32_t t = 0; t < f.n_steps; ++t) {
        tern_runner_step(&j->run, f.inputs + (size_t)t * f.words_in, f.targets + (size_t)t * f.words_neuron, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        for (uint32_t k = 0; k < K; ++k) total[k] -= tern_runner_loss(&j->run, k);
        hidden += tern_runner_spikes(&j->run, j->run.hidden);
    }
    tern_runner_end(&j->run, j->model.data.clear);
    ++j->done;
    for (uint32_t k = 0; k < K; ++k) sum -= total[k];
    const uint32_t n_hidden = j->model.net.n_neurons - j->model.net.n_visible;
    line.label = f.label;
    line.step = tern_runner_steps(&j->run);
    line.log_loss = sum / K / f.n_steps;
    line.log_loss_iw = -tern_log_mean_exp(total, K) / f.n_steps;
    line.hidden_rate = n_hidden == 0 ? 0 : (double)hidden / n_hidden / K / f.n_steps;
    line.saturations = difference(j->run.st.sat, before);
    if (j->n_made++ == 0) j->loss_first = line.log_loss;
    j->loss_last = line.log_loss;
    j->steps_made += f.n_steps;
    if (j->log == NULL) return TERN_OK;
    s = tern_train_log_write(j->log, j->o.log, &line, &j->diags);
    j->log_failed = s != TERN_OK;
    return s;
}

static tern_status train(job *j)
{
    tern_progress bar;
    tern_status s = TERN_OK;
    const tern_sat_counts before = j->run.st.sat;
    const double start_s = tern_clock_s();
    tern_progress_begin(&bar, "train", "presentation", j->total);
    tern_progress_skip(&bar, j->done);
    while (s == TERN_OK && j->done < j->total && !tern_cli_interrupted()) {
        s = present(j);
        char note[40];
        snprintf(note, sizeof note, "log-loss %.4g", j->loss_last);
        tern_progress_update(&bar, j->done, note);
        if (s == TERN_OK && j->o.checkpoint != 0 && j->done % j->o.checkpoint == 0 && j->done < j->total) s = save(j);
    }
    tern_progress_end(&bar);
    j->seconds = tern_clock_s() - start_s;
    j->saturations = difference(j->run.st.sat, before);
    if (j->log_failed && save(j) == TERN_OK) /* a full disk under the log is no reason to lose the training */
        fprintf(stderr, "%s: saved after presentation %u of %u; --resume goes on from there\n", j->o.out, j->done, j->total);
    return s == TERN_OK && j->n_made != 0 ? save(j) : s;
}

/* A word of a command line as a shell takes it. */
static void print_word(const char *word, FILE *to)
{
    if (word[0] != 0 && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%")] == 0) {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word != 0; ++word) {
        if (*word == '\'') fputs("'\\''", to);
        else fputc(*word, to);
    }
    fputc('\'', to);
}

static void print_resume(const job *j)
{
    if (j->done == 0) {
        fputs("interrupted before the first presentation, nothing was saved\n", stderr);
        return;
    }
    fprintf(stderr, "interrupted after presentation %u of %u; saved in %s. To go on:\n  tern", j->done, j->total, j->o.out);
    for (int i = 0; i < j->argc; ++i) print_word(j->argv[i], stderr);
    fputs(j->o.resume ? "\n" : " --resume\n", stderr);
}

static bool summary_json(const job *j, bool stopped)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o}", "network", j->model.name, "image", j->o.out, "engine",
                          j->o.engine, "samples", (json_int_t)j->run.n_samples, "seed", (json_int_t)j->run.st.seed, "presentations", (json_int_t)j->done,
                          "presentations_made", (json_int_t)j->n_made, "steps", (json_int_t)tern_runner_steps(&j->run), "interrupted", stopped,
                          "log_loss_first", j->n_made ? tern_cli_real(j->loss_first) : json_null(), "log_loss", j->n_made ? tern_cli_real(j->loss_last) : json_null(),
                          "saturations", tern_train_saturations(&j->saturations), "seconds", tern_cli_real(j->seconds), "steps_per_second",
                          tern_cli_real(j->seconds > 0 ? j->steps_made / j->seconds : 0));
    return tern_cli_print_json(o, stdout);
}

static void summary_text(const job *j)
{
    if (j->n_made == 0) {
        if (j->done != 0) printf("%s: %u presentations are done already, nothing to do\n", j->o.out, j->done);
        return;
    }
    const tern_sat_counts *s = &j->saturations;
    printf("network      %s, %u samples, seed %" PRIu64 ", %s engine\n", j->model.name, j->run.n_samples, j->run.st.seed, j->o.engine);
    printf("trained      %u presentations, %u steps", j->n_made, j->steps_made);
    if (j->done != j->n_made) printf(" (%u presentations in all)", j->done);
    printf(", %.0f steps/s\nlog-loss     %.4f per step in the first presentation, %.4f in the last\n", j->seconds > 0 ? j->steps_made / j->seconds : 0, j->loss_first,
           j->loss_last);
    if (j->run.ref == NULL)
        printf("saturated    %" PRIu64 " weights, %" PRIu64 " biases and self-memories, %" PRIu64 " potentials, %" PRIu64 " coefficients, %" PRIu64 " log-probabilities\n",
               s->weight, s->local, s->potential, s->coefficient, s->logprob);
    printf("written      %s\n", j->o.out);
}

static int finish(job *j, tern_status s)
{
    if (j->log != NULL && fclose(j->log) != 0 && s == TERN_OK) {
        tern_diags_add(&j->diags, TERN_SEV_ERROR, 114, j->o.log, 0, "--log", "the log cannot be written: %s", strerror(errno));
        s = TERN_ERR_IO;
    }
    if (s != TERN_OK) return tern_cli_failed(s, &j->diags, "tern train");
    tern_cli_print_diags(&j->diags);
    const bool stopped = j->done < j->total;
    if (j->o.json) {
        if (!summary_json(j, stopped)) return TERN_EXIT_FOUND;
    } else {
        summary_text(j);
    }
    if (stopped) print_resume(j);
    return stopped ? TERN_EXIT_FOUND : TERN_EXIT_DONE;
}

int tern_verb_train(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    job *j = alloc.fn(alloc.ud, NULL, sizeof *j); /* too large for a stack */
    if (j == NULL) {
        fputs("tern train: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(j, 0, sizeof *j);
    j->o = o;
    j->argc = argc;
    j->argv = argv;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, alloc, 0);
    tern_cli_catch_interrupts();
    tern_status s = prepare(j);
    if (s == TERN_OK) s = train(j);
    const int status = finish(j, s);
    tern_cli_frames_close(&j->frames);
    tern_arena_free(&j->arena);
    alloc.fn(alloc.ud, j, 0);
    return status;
}
