/* tern_cli_train_options.c : see tern_cli_train_options.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_train_options.h"
#include "tern_errors.h"
#include "tern_run_engine.h"
#include "tern_cli_train.h"
#include "tern_ranks.h"
#include "tern_cli_stream.h"
#include <string.h>

typedef tern_train_options options;

static const char epilogue[] =
    "Recordings are shown in an order that depends on the seed only: every epoch shows each once. Between "
    "presentations\n"
    "the pending update is applied; histories and averages are cleared if the network's data section says so.\n"
    "Ctrl-C finishes the presentation and saves; the same command with --resume then continues to the same bits as a\n"
    "training that was never interrupted.\n"
    "With --validation OUT.tern is the best image found; --resume continues from OUT.tern.checkpoint.";

/* Options that only make sense together; -1: all is well. */
static int check_options(const options *o, const tern_args *args)
{
    if (o->given_share && !(o->share > 0 && o->share < 1))
        return tern_args_wrong(args, TERN_ERROR_VALUE,
                               "--validation: a share is more than 0 and less than 1, %g leaves no recordings for "
                               "validation or none for training",
                               o->share);
    const char *alone = o->given_patience ? "--patience"
                        : o->given_every  ? "--validate-every"
                        : o->given_metric ? "--validation-metric"
                                          : NULL;
    if (!o->given_share && alone != NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "%s has no effect without --validation SHARE", alone);
    static const char *const beside[] = { ".reference", ".reference.next", ".checkpoint", ".unlogged" };
    char side[4][1100], text[600];
    for (size_t i = 0; i < 4; ++i) snprintf(side[i], sizeof side[i], "%.1080s%s", o->out, beside[i]);
    const bool script = tern_is_script(o->net);
    const tern_cli_name written[] = { { "-o", o->out, false },
                                      { "-o (its .reference file)", side[0], false },
                                      { "-o (its .reference.next file)", side[1], false },
                                      { "-o (its .checkpoint file)", side[2], false },
                                      { "-o (its .unlogged file)", side[3], false },
                                      { "--log", o->log, false } };
    /* an image that is gone on with is both */
    const tern_cli_name read[] = { { "the network", o->net, o->resume && !script }, { "--data", o->data, false } };
    if (!tern_cli_names_clash(written, sizeof written / sizeof *written, read, sizeof read / sizeof *read, text,
                              sizeof text))
        return -1;
    return tern_args_wrong(args, TERN_ERROR_USAGE, "%s; give another name%s", text,
                           !script && tern_cli_same_file(o->out, o->net) ? ", or --resume to continue with that image"
                                                                         : "");
}

int tern_train_options_parse(options *o, int argc, char **argv)
{
    *o = (options){ .engine = "fast", .metric = "log-loss" };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .dash = TERN_DASH_IN, .required = true, .out = &o->net,
          .help = "script of the network, or an image: training continues from its weights" },
        TERN_CLI_DATA_ARG(&o->data),
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "OUT.tern", .what = TERN_WHAT_OUT,
          .ext = "tern", .dash = TERN_DASH_BINARY, .required = true, .out = &o->out,
          .help = "image to write, with the trained weights" },
        { .name = "--presentations", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 4294967295u,
          .out = &o->presentations,
          .out_given = &o->given_presentations,
          .help = "total presentations, including those before --resume\n(default: every recording once)" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .value = "S", .hi = INT64_MAX, .out = &o->seed,
          .out_given = &o->given_seed, .help = "seed of draws and order (default: the script's)" },
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = TERN_MAX_SAMPLES, .out = &o->samples,
          .out_given = &o->given_samples,
          .help = "samples (default: the script's)" },
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .choices = TERN_ENGINE_CHOICES, .out = &o->engine,
          .help = "fast: the integers of hardware (default)\n"
                  "golden: the same bits from the model that defines them, slower\n"
                  "both: fast and golden in lockstep, stops at a difference\n"
                  "reference: double precision, rounded when saved;\n"
                  "its own numbers go to OUT.tern.reference\ndevice: a board, the same bits as golden" },
        { .name = "--threads", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = TERN_FAST_MAX_THREADS,
          .out = &o->threads,
          .help = "threads of the engine fast; results do not depend on it\n(default: as many as are useful)" },
        TERN_CLI_DEVICE_ARGS(o),
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--validation", .kind = TERN_ARG_REAL, .value = "SHARE", .real_lo = 0, .real_hi = 1, .out = &o->share,
          .out_given = &o->given_share,
          .help = "share of the recordings held out of training and\nmeasured; OUT.tern is the best image" },
        { .name = "--validate-every", .kind = TERN_ARG_UINT, .value = "M", .lo = 1, .hi = 4294967295u,
          .out = &o->validate_every, .out_given = &o->given_every,
          .help = "presentations between validations\n(default: every training recording once)" },
        { .name = "--validation-metric", .kind = TERN_ARG_CHOICE, .choices = "log-loss|accuracy|distance",
          .out = &o->metric, .out_given = &o->given_metric,
          .help = "what makes an image better\n(default: log-loss; distance with rule reward)" },
        { .name = "--patience", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 4294967295u, .out = &o->patience,
          .out_given = &o->given_patience,
          .help = "stop after N validations without improvement\n(default: continue)" },
        { .name = "--log", .kind = TERN_ARG_STRING, .value = "FILE.jsonl", .what = TERN_WHAT_OUT, .ext = "jsonl",
          .out = &o->log,
          .help = "write one line of JSON per presentation and validation" },
        { .name = "--resume", .kind = TERN_ARG_FLAG, .out = &o->resume, .help = "continue from OUT.tern" },
        { .name = "--checkpoint", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 4294967295u,
          .out = &o->checkpoint, .help = "also save every N presentations (default: at the end)" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print the summary as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "train",
                             .purpose = "Trains a network on recordings.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = epilogue };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (tern_ranks_count() > 1 && strcmp(o->engine, "fast") != 0)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--engine %s is not divided among ranks: only fast is",
                               o->engine);
    const int device = tern_device_usage(&args, o->engine, o->device, o->baud);
    if (device >= 0) return device;
    const int threads = tern_runner_threads_usage(&args, o->engine, o->threads);
    if (threads >= 0) return threads;
    const char *beside = o->resume ? "--resume" : o->checkpoint != 0 ? "--checkpoint" : NULL;
    if (o->given_share) beside = "--validation";
    if (strcmp(o->engine, "reference") == 0) beside = "--engine reference";
    if (tern_cli_stream_writes() && beside != NULL)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "-o - and %s exclude each other: files beside the image are needed; give it a name",
                               beside);
    return check_options(o, &args);
}
