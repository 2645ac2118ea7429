/* tern_cli_cosim.c : `tern cosim`: the Verilog of a network in lockstep with the golden model
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_cores.h"
#include "tern_errors.h"
#include "tern_core_cache.h"
#include "tern_cosim_run.h"
#include "tern_netlist.h"
#include "tern_target.h"
#include "tern_verbs.h"

enum { RANDOM_STEPS = 160, WAVE_STEPS = 2 };

typedef struct options {
    const char *network, *data, *wave, *cache, *netlist, *core;
    uint64_t steps, lanes, ways, prep, samples, seed, batch, jobs;
    const char *form;
    bool given_steps, given_samples, given_seed, given_batch, no_learn, first, skip, json;
    tern_arg_list sets;
} options;

typedef struct job {
    options o;
    char samples[40];            /* --samples as a setting */
    tern_arena arena, run_arena; /* the latter: of one run */
    tern_model model;
    tern_plan plan;
    tern_core core;
    tern_frames_store frames;
    tern_cosim_job run;
    tern_cosim_result result;
    bool wave_interrupted;
    tern_diags diags;
} job;

static int parse(options *o, int argc, char **argv)
{
    *o = (options){ .lanes = 4, .core = "auto", .jobs = 1 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .dash = TERN_DASH_IN, .required = true, .out = &o->network,
          .help = "a script, or an image with trained weights" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_DATA, .out = &o->data,
          .help = "a recording, a folder of recordings, or a list file;\nwithout it: random frames" },
        { .name = "--steps", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = UINT32_MAX, .out = &o->steps,
          .out_given = &o->given_steps,
          .help = "total steps; default: every recording once, or 160 random ones" },
        { .name = "--lanes", .kind = TERN_ARG_UINT, .value = "P", .lo = 1, .hi = 32, .out = &o->lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16 or 32; default 4" },
        { .name = "--netlist", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_NETLIST_CHOICES,
          .out = &o->netlist,
          .help = "not the Verilog but the netlist that Yosys makes of it\nfor " TERN_NETLIST_CHOICES },
        TERN_CLI_WAYS_ARG(&o->ways),
        TERN_CLI_PREP_ARG(&o->prep),
        TERN_CLI_FORM_ARG(&o->form),
        TERN_CLI_SKIP_ARG(&o->skip),
        TERN_CLI_CORE_ARG(&o->core),
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = 256, .out = &o->samples,
          .out_given = &o->given_samples,
          .help = "samples, 1..32, with --no-learn up to 256; default: the script's" },
        { .name = "--batch", .kind = TERN_ARG_UINT, .value = "B", .lo = 4, .hi = TERN_MAX_SAMPLES, .out = &o->batch,
          .out_given = &o->given_batch,
          .help = "with --no-learn: samples that the hardware computes at once,\n"
                  "a multiple of 4 that divides K; default: all, at most 32" },
        { .name = "--first-spike", .kind = TERN_ARG_FLAG, .out = &o->first,
          .help = "samples decide by the first spike, not by the number" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .hi = INT64_MAX, .out = &o->seed,
          .out_given = &o->given_seed, .help = "seed of draws and random frames (default: the script's)" },
        { .name = "--no-learn", .kind = TERN_ARG_FLAG, .out = &o->no_learn,
          .help = "inference: visible neurons draw, nothing is updated" },
        { .name = "--jobs", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_COSIM_PARTS_MAX, .out = &o->jobs,
          .help = "parts of the run that are simulated at a time, each from a state of\n"
                  "the golden model; default 1. No digest depends on it" },
        { .name = "--wave", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_OUT, .ext = "fst",
          .out = &o->wave,
          .help = "waveform (FST) of the step that differs and the one before it;\n"
                  "of the last two steps if nothing differs" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--cache", .kind = TERN_ARG_STRING, .value = "DIR", .what = TERN_WHAT_FOLDER, .out = &o->cache,
          .help = "folder for built cores; default ~/.cache/tern/cosim" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the results as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "cosim",
                             .verbose = true,
                             .purpose =
                                 "Builds the hardware of a network with Verilator, runs it in lockstep with the golden "
                                 "model, and compares every\n"
                                 "record, every memory word and every cycle count.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue =
                                 "Status 1 also means that they differ. The first difference is explained on stderr." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if ((o->lanes & (o->lanes - 1)) != 0)
        return tern_args_wrong(&args, TERN_ERROR_VALUE, "--lanes %u: allowed are 1, 2, 4, 8, 16 and 32",
                               (unsigned)o->lanes);
    const int clash = tern_cli_outputs_clash(&args);
    if (clash >= 0) return clash;
    const char *ending = o->wave == NULL ? NULL : strrchr(o->wave, '.');
    if (ending != NULL && (strcmp(ending, ".vcd") == 0 || strcmp(ending, ".ghw") == 0 || strcmp(ending, ".lxt") == 0))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--wave %.200s: waveforms are written in the format FST, not in %s\n  hint: --wave "
                               "NAME.fst; GTKWave and Surfer show it, and fst2vcd (package gtkwave) makes VCD of it",
                               o->wave, ending + 1);
    if (o->given_batch && !o->given_samples)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--batch has no effect without --samples: how many in all?");
    if (o->first && !o->no_learn)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--first-spike has no effect without --no-learn: samples that learn do not decide");
    if (o->no_learn) {
        if (!o->given_batch) o->batch = o->samples <= TERN_MAX_SAMPLES ? o->samples : TERN_MAX_SAMPLES;
        if (o->given_batch && o->samples <= o->batch && o->samples != o->batch)
            return tern_args_wrong(&args, TERN_ERROR_USAGE, "--samples %u is less than one batch of %u",
                                   (unsigned)o->samples, (unsigned)o->batch);
        if (o->samples > o->batch && (o->batch % 4u != 0 || o->samples % o->batch != 0))
            return tern_args_wrong(&args, TERN_ERROR_USAGE,
                                   "--samples %u in batches of %u: a batch is a multiple of 4 that divides the "
                                   "samples; give --batch, or %u samples",
                                   (unsigned)o->samples, (unsigned)o->batch,
                                   (unsigned)((o->samples + o->batch - 1u) / o->batch * o->batch));
    } else if (o->samples > TERN_MAX_SAMPLES)
        return tern_args_wrong(&args, TERN_ERROR_VALUE, "--samples %u: allowed are 1..%u, with --no-learn 1..256",
                               (unsigned)o->samples, TERN_MAX_SAMPLES);
    else if (o->given_batch)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--batch has no effect without --no-learn: samples that learn are made at once");
    return -1;
}

/* The network; --samples of a script is a setting like others. */
static tern_status open_model(job *j, uint32_t *out_samples)
{
    const bool script = tern_is_script(j->o.network);
    if (j->o.given_samples && script && !j->o.no_learn) {
        if (j->o.sets.n == TERN_ARG_LIST_MAX) return TERN_ERR_LIMIT;
        snprintf(j->samples, sizeof j->samples, "rule.samples=%u", (unsigned)j->o.samples);
        j->o.sets.items[j->o.sets.n++] = j->samples;
    }
    const tern_status s = tern_cli_open_model(j->o.network, &j->o.sets, &j->arena, &j->model, &j->diags);
    *out_samples = j->o.given_samples ? (uint32_t)j->o.samples : j->model.net.n_samples;
    j->run.batches = 1;
    if (j->o.given_samples && j->o.no_learn && j->o.samples > j->o.batch) {
        *out_samples = (uint32_t)j->o.batch;
        j->run.batches = (uint32_t)(j->o.samples / j->o.batch);
    }
    return s;
}

/* A waveform replaces a waveform and nothing else; asked before the core is built. */
static tern_status spare_files(job *j)
{
    /* a block of type 0, the header, of 329 bytes */
    static const tern_cli_kind fst = { .what = "a waveform (FST)", .begin = "\0\0\0\0\0\0\0\1\x49", .n = 9 };
    const tern_cli_name written = { "--wave", j->o.wave, false };
    if (j->o.wave == NULL) return TERN_OK;
    const tern_status s =
        j->o.data != NULL ? tern_cli_not_a_recording(&written, 1, &j->frames.set, &j->diags) : TERN_OK;
    return s == TERN_OK ? tern_cli_replaceable(j->o.wave, "--wave", &fst, &j->diags) : s;
}

static tern_status prepare(job *j)
{
    uint32_t samples;
    tern_status s = open_model(j, &samples);
    if (s == TERN_OK) s = tern_plan_make(&j->model.net, (uint32_t)j->o.lanes, samples, &j->arena, &j->plan, &j->diags);
    if (s == TERN_OK)
        s = tern_plan_label_classes(&j->plan, &j->model, j->o.first ? TERN_DECODE_FIRST : TERN_DECODE_RATE, &j->diags);
    if (s == TERN_OK)
        s = tern_target_core(j->o.netlist != NULL ? tern_target_find(j->o.netlist) : NULL,
                             tern_core_choice_find(j->o.core, tern_form_find(j->o.form)), &j->plan, &j->diags);
    if (s == TERN_OK) tern_plan_use_skip(&j->plan, j->o.skip);
    if (s == TERN_OK)
        s = tern_target_ways(j->o.netlist != NULL ? tern_target_find(j->o.netlist) : NULL,
                             &(tern_parallel){ (uint32_t)j->o.ways, (uint32_t)j->o.prep, tern_form_find(j->o.form) },
                             &j->plan, &j->diags);
    if (s == TERN_OK && j->o.first && j->plan.n_classes == 0) {
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, j->o.network, 0, "--first-spike",
                                      "%s",
                                      tern_core_of(&j->plan.need)->counts_votes
                                          ? "the network has no label population: its samples do not decide anything"
                                          : "the small core counts no votes"),
                       "omit it");
        s = TERN_ERR_ARGUMENT;
    }
    if (s == TERN_OK && j->o.data != NULL)
        s = tern_frames_store_open(&j->frames, &j->model, j->o.data, !j->o.no_learn, &j->diags);
    j->frames.warn = tern_cli_print_line;
    if (s == TERN_OK) s = spare_files(j);
    if (s != TERN_OK) return s;
    uint64_t steps = RANDOM_STEPS;
    if (j->o.data != NULL) steps = (uint64_t)j->frames.set.n * j->model.data.steps;
    if (j->o.given_steps) steps = j->o.steps;
    steps *= j->run.batches; /* of one batch up to here */
    j->run = (tern_cosim_job){ .batches = j->run.batches,
                               .model = &j->model,
                               .plan = &j->plan,
                               .frames = j->o.data != NULL ? &j->frames : NULL,
                               .n_steps = steps,
                               .seed = j->o.given_seed ? j->o.seed : j->model.seed,
                               .learn = !j->o.no_learn,
                               .wave_from = UINT64_MAX,
                               .parts = (uint32_t)(j->o.jobs < steps ? j->o.jobs : steps),
                               .until = UINT64_MAX,
                               .wave_path = j->o.wave };
    const tern_core_request request = {
        .model = &j->model, .plan = &j->plan, .netlist = j->o.netlist, .cache = j->o.cache, .trace = j->o.wave != NULL
    };
    if (j->o.wave != NULL) s = tern_cli_lock(j->o.wave, "--wave", &j->diags);
    if (s == TERN_OK) s = tern_core_open(&request, &j->arena, &j->core, &j->diags);
    j->run.dut = j->core.dut;
    return s;
}

static tern_status run_once(job *j, tern_cosim_result *result)
{
    tern_arena_free(&j->run_arena);
    tern_arena_init(&j->run_arena, tern_alloc_default(), 0);
    return tern_cosim_run(&j->run, &j->run_arena, result, &j->diags);
}

/* A second run for the waveform of the steps around a difference. Of a run in parts only the part that differs is run
 * again, or the last steps. */
static tern_status run_wave(job *j)
{
    const tern_cosim_result *r = &j->result;
    const uint64_t at = r->failed_step, n = j->run.n_steps;
    tern_cosim_result again;
    j->run.wave_from = at == UINT64_MAX ? (n > WAVE_STEPS ? n - WAVE_STEPS : 0) : at > WAVE_STEPS - 2 ? at - 1u : 0;
    j->run.from = at == UINT64_MAX && tern_cosim_cuts(&j->run) ? j->run.wave_from : r->part_step;
    if (r->at_end) j->run.until = r->steps;
    j->run.wave_flush = at != UINT64_MAX && !r->at_end;
    j->run.parts = 1;
    const tern_status s = run_once(j, &again);
    j->result.waved = again.waved;
    j->wave_interrupted = again.interrupted;
    return s;
}

/* Everything is deterministic, so what a run finds can be run again. */
static tern_status run(job *j)
{
    const bool parts = j->run.parts > 1;
    if (j->o.wave != NULL && !parts) j->run.wave_from = j->run.n_steps > WAVE_STEPS ? j->run.n_steps - WAVE_STEPS : 0;
    const tern_status s = run_once(j, &j->result);
    fflush(stdout); /* what the core has printed */
    tern_lockstep_report_print(&j->result.report, stderr);
    if (s != TERN_OK || j->o.wave == NULL || j->result.interrupted) return s;
    return parts || j->result.failed_step != UINT64_MAX ? run_wave(j) : TERN_OK;
}

/* What the simulated core prints (a check inside it) must not get between the results. */
static tern_status run_quiet(job *j)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    if (kept >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    const tern_status s = run(j);
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
    return s;
}

/* The command that shows the difference again, with a waveform of it. */
static void print_reproduction(const job *j)
{
    const uint32_t batches = j->run.batches; /* steps are those of one batch */
    const tern_core_ops *core = tern_core_of(&j->plan.need);
    fputs("reproduce:", stderr);
    tern_cli_print_word(tern_cli_program, stderr);
    fputs(" cosim", stderr);
    tern_cli_print_word(j->o.network, stderr);
    /* the first part ends like a run of so many steps; where others begin depends on the number of steps */
    const bool part = j->result.part > 0, all = batches > 1 || part;
    fprintf(stderr, " --steps %" PRIu64 " --lanes %" PRIu32 " --samples %" PRIu32 " --seed %" PRIu64,
            all ? j->run.n_steps / batches : j->result.failed_step + 1u, j->plan.lanes, j->plan.n_samples * batches,
            j->run.seed);
    if (part) fprintf(stderr, " --jobs %" PRIu64, j->o.jobs);
    /* for a device the planner would choose */
    const bool chosen = j->o.netlist != NULL && tern_core_of(&j->plan.need)->parallel;
    if (j->plan.need.ways > 1 || chosen) fprintf(stderr, " --ways %" PRIu32, j->plan.need.ways);
    if (j->plan.need.prep > 1 || chosen) fprintf(stderr, " --prep %" PRIu32, j->plan.need.prep);
    if (j->plan.need.kernels != 0) fputs(" --form kernel", stderr);
    else if (chosen) fputs(" --form trace", stderr);
    if (j->plan.need.skip != 0) fputs(" --skip-silent", stderr);
    if (j->o.netlist != NULL) fprintf(stderr, " --netlist %s", j->o.netlist);
    if (batches > 1) fprintf(stderr, " --batch %" PRIu32, j->plan.n_samples);
    if (core != &tern_core_large_ops || j->o.netlist != NULL) /* auto means another one for some devices */
        fprintf(stderr, " --core %s", core->name);
    if (j->o.data != NULL) fputs(" --data", stderr), tern_cli_print_word(j->o.data, stderr);
    if (!j->run.learn) fprintf(stderr, " --no-learn%s", j->o.first ? " --first-spike" : "");
    /* without our own */
    const size_t n = j->o.sets.n - (j->o.given_samples && !j->o.no_learn && tern_is_script(j->o.network));
    for (size_t i = 0; i < n; ++i) fputs(" --set", stderr), tern_cli_print_word(j->o.sets.items[i], stderr);
    fputs(" --wave", stderr);
    tern_cli_print_word(j->o.wave != NULL ? j->o.wave : "diverge.fst", stderr);
    fputc('\n', stderr);
}

static double per_step(const tern_cosim_result *r, uint64_t cycles)
{
    return r->counts.steps == 0 ? 0 : (double)cycles / (double)r->counts.steps;
}

static bool print_json(const job *j)
{
    const tern_cosim_result *r = &j->result;
    const tern_lockstep_counts *c = &r->counts;
    const tern_core_ops *core = tern_core_of(&j->plan.need);
    char digest_c[20], digest_rtl[20];
    snprintf(digest_c, sizeof digest_c, "%016" PRIx64, c->digest_c);
    snprintf(digest_rtl, sizeof digest_rtl, "%016" PRIx64, c->digest_rtl);
    json_t *o = tern_json_pack(
        "{s:s, s:s, s:s, s:s?, s:I, s:I, s:I, s:b, s:s, s:s?, s:b, s:o, s:s}", "network", j->model.name, "source",
        j->o.network, "core", core->name, "netlist", j->o.netlist, "lanes", (json_int_t)j->plan.lanes, "samples",
        (json_int_t)j->plan.n_samples * j->run.batches, "seed", (json_int_t)j->run.seed, "learn", j->run.learn,
        "verilator", j->core.verilator, "yosys", j->core.yosys[0] != 0 ? j->core.yosys : NULL, "built", j->core.built,
        "build_seconds", tern_json_real(j->core.build_s), "entry", j->core.entry);
    json_t *cycles = tern_json_pack(
        "{s:b, s:I, s:I, s:o, s:o, s:I, s:I, s:[I,I], s:I}", "exact", core->exact && j->plan.need.skip == 0,
        "predicted", (json_int_t)r->predicted, "measured", (json_int_t)c->cycles, "predicted_per_step",
        tern_json_real(per_step(r, r->predicted)), "measured_per_step", tern_json_real(per_step(r, c->cycles)),
        "predicted_last_step", (json_int_t)c->last_predicted, "measured_last_step", (json_int_t)c->last_cycles,
        "range_last_step", (json_int_t)c->last_range.least, (json_int_t)c->last_range.most, "outside_range",
        (json_int_t)c->outside);
    json_t *more = tern_json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:o, s:o, s:o, s:b, s:o, s:o}", "batches",
        (json_int_t)j->run.batches, "jobs", (json_int_t)r->parts, "decided", (json_int_t)r->decided, "labelled",
        (json_int_t)r->labelled, "right", (json_int_t)r->right, "steps", (json_int_t)c->steps, "flushes",
        (json_int_t)c->flushes, "presentations", (json_int_t)r->presentations, "records", (json_int_t)c->records,
        "memory_words", (json_int_t)c->memory_words, "digest_c", digest_c, "digest_rtl", digest_rtl, "weight_words",
        (json_int_t)j->plan.n_words, "words_per_cycle",
        c->cycles == 0 ? json_null() : tern_json_real((double)j->plan.n_words * (double)c->steps / (double)c->cycles),
        "seconds", tern_json_real(r->seconds), "cycles_per_second",
        r->seconds > 0 ? tern_json_real((double)c->cycles / r->seconds) : json_null(), "interrupted", r->interrupted,
        "differences", json_integer((json_int_t)c->differences), "differs_at_step",
        r->failed_step == UINT64_MAX ? json_null() : json_integer((json_int_t)r->failed_step));
    tern_json_merge(o, more);
    tern_json_put(o, "cycles", cycles);
    return tern_cli_print_json(o, stdout);
}

static void print_text(const job *j)
{
    const tern_cosim_result *r = &j->result;
    const tern_lockstep_counts *c = &r->counts;
    const tern_core_ops *core = tern_core_of(&j->plan.need);
    printf("network      %s (%s): %" PRIu32 " neurons, %" PRIu32 " weights of %u bits, K = %" PRIu32 ", seed %" PRIu64
           "\n",
           j->model.name, j->o.network, j->model.net.n_neurons, j->model.net.n_weights, j->model.net.weight_bits,
           j->plan.n_samples * j->run.batches, j->run.seed);
    printf("core         %s%" PRIu32 " lanes, %s, ", core->short_prefix, j->plan.lanes, j->core.verilator);
    if (j->o.netlist != NULL) printf("netlist for %s, %s, ", j->o.netlist, j->core.yosys);
    if (j->core.built) printf("built in %.0f s\n", j->core.build_s);
    else printf("from the cache\n");
    printf("compared     %" PRIu64 " steps (%s), %" PRIu64 " presentations: %" PRIu64 " records, %" PRIu64
           " memory words\n",
           c->steps, j->run.learn ? "learning" : "inference", r->presentations, c->records, c->memory_words);
    printf("digest       C %016" PRIx64 ", RTL %016" PRIx64 "\n", c->digest_c, c->digest_rtl);
    printf("cycles       %s %.2f, measured %.2f per step (last step: %" PRIu64 ", %" PRIu64 ")\n",
           core->exact ? "predicted" : "estimated", per_step(r, r->predicted), per_step(r, c->cycles),
           c->last_predicted, c->last_cycles);
    if (j->plan.need.skip != 0)
        printf("             predicted without silent words, which are left out: the last step may take %" PRIu64
               " to %" PRIu64 ", outside their range were %" PRIu64 " of %" PRIu64 " steps and flushes\n",
               c->last_range.least, c->last_range.most, c->outside, c->steps + c->flushes);
    if (!core->exact)
        printf("             an estimate: the last step may take %" PRIu64 " to %" PRIu64
               ", outside their range were %" PRIu64 " of %" PRIu64 " steps and flushes\n",
               c->last_range.least, c->last_range.most, c->outside, c->steps + c->flushes);
    if (c->cycles != 0)
        printf("weight pass  %" PRIu32 " words per step, %.3f words per cycle\n", j->plan.n_words,
               (double)j->plan.n_words * (double)c->steps / (double)c->cycles);
    printf("speed        %.3g cycles/s, %.3g steps/s", (double)c->cycles / r->seconds, (double)c->steps / r->seconds);
    if (r->parts > 1) printf(", in %" PRIu32 " parts at a time", r->parts);
    putchar('\n');
    printf("differences  %" PRIu64 "\n", c->differences);
    if (r->decided != 0) {
        printf("votes        %" PRIu64 " presentations of %" PRIu32 " samples in %" PRIu32
               " batches: counters, decisions and votes compared",
               r->decided, j->plan.n_samples * j->run.batches, j->run.batches);
        if (r->labelled != 0) printf("; %" PRIu64 " of %" PRIu64 " right", r->right, r->labelled);
        putchar('\n');
    }
    if (r->waved) printf("waveform     %s\n", j->o.wave);
}

static int finish(job *j, tern_status s)
{
    tern_cli_name_diags(&j->diags, j->o.network);
    if (s != TERN_OK) return tern_cli_failed(s, &j->diags, "tern cosim");
    tern_cli_print_diags(&j->diags); /* warnings */
    bool written = true;
    if (j->o.json) written = print_json(j);
    else print_text(j);
    if (j->result.interrupted) fputs("interrupted: not all steps were compared\n", stderr);
    if (j->wave_interrupted) fputs("interrupted: no waveform was written\n", stderr);
    const tern_lockstep_counts *c = &j->result.counts;
    const bool equal = c->differences == 0 && c->digest_c == c->digest_rtl && j->result.failed_step == UINT64_MAX;
    if (j->result.failed_step != UINT64_MAX) print_reproduction(j);
    return written && equal && !j->result.interrupted && !j->wave_interrupted ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_cosim(int argc, char **argv)
{
    options o;
    const int usage = parse(&o, argc, argv);
    if (usage >= 0) return usage;
    job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        fputs("tern cosim: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    j->o = o;
    tern_diags_init(&j->diags);
    tern_arena_init(&j->arena, tern_alloc_default(), 0);
    tern_arena_init(&j->run_arena, tern_alloc_default(), 0);
    tern_catch_interrupts();
    tern_status s = prepare(j);
    if (s == TERN_OK) s = run_quiet(j);
    const int status = finish(j, s);
    tern_core_close(&j->core);
    if (j->o.data != NULL) tern_frames_store_close(&j->frames);
    tern_arena_free(&j->run_arena);
    tern_arena_free(&j->arena);
    free(j);
    return status;
}
