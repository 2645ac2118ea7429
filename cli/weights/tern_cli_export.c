/* tern_cli_export.c : tern export, the weights and the state of a network as named arrays
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_cli.h"
#include "tern_errors.h"
#include "tern_cli_files.h"
#include "tern_verbs.h"
#include "tern_weights.h"

static bool ends_in(const char *name, const char *with)
{
    const size_t n = strlen(name), m = strlen(with);
    return n > m && strcmp(name + n - m, with) == 0;
}

typedef struct export_options {
    const char *net, *out;
    bool graph, stream; /* by the name of `out` */
    bool integers, learnt, json;
    tern_arg_list sets;
} export_options;

/* -1: go on; else the exit status. */
static int parse(export_options *o, int argc, char **argv)
{
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "IMAGE|NET.lua",
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern", .dash = TERN_DASH_IN,
          .out = &o->net,
          .required = true,
          .help = "image with trained weights; a script: initial weights" },
        { .name = "--output",
          .letter = 'o',
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT,
          .value = "W.npz|.h5|.nir|.save",
          .out = &o->out,
          .required = true,
          .help = "file to write: a NumPy archive, HDF5, a graph of NIR, or the\nstate as devices save it" },
        { .name = "--integers",
          .kind = TERN_ARG_FLAG,
          .out = &o->integers,
          .help = "weights as they are stored, not as real numbers" },
        { .name = "--learnt",
          .kind = TERN_ARG_FLAG,
          .out = &o->learnt,
          .help = "of .save: only what stays between examples" },
        TERN_CLI_SET_ARG(&o->sets),
        TERN_CLI_SCRIPT_ARGS,
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "export",
        .purpose =
            "Writes the weights of a network, and its state if it is trained: as named arrays, a graph or a device's "
            "stream (docs/13-weights.md).",
        .list = list,
        .n = sizeof list / sizeof *list
    };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    o->graph = ends_in(o->out, ".nir");
    o->stream = ends_in(o->out, ".save");
    if (!o->stream && tern_store_form_of(o->out) == TERN_STORE_NONE)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "-o %.200s: the name has to end in .npz, .h5, .hdf5, .nir or .save", o->out);
    if (o->graph && o->integers)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--integers does not go with .nir: a graph holds real numbers");
    if (o->stream && o->integers)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--integers does not go with .save: a stream holds integers only");
    if (o->learnt && !o->stream)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--learnt is for .save; `tern import --weights-only` leaves a state out");
    return tern_cli_outputs_clash(&args);
}

/* What was written. */
static int tell(const export_options *o, const tern_model *model)
{
    const bool trained = model->state != NULL, state = (trained && !o->graph) || o->stream;
    if (!o->json) {
        printf("%s: %s weights of '%s'%s\n", o->out, trained ? "trained" : "initial", model->name,
               !state      ? ""
               : o->learnt ? ", what was learnt"
                           : ", with the state");
        return TERN_EXIT_DONE;
    }
    json_t *answer = tern_json_pack("{s:s,s:s,s:b,s:b,s:b}", "file", o->out, "network", model->name, "trained", trained,
                                    "state", state, "integers", o->integers);
    return tern_cli_print_json(answer, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_export(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    static export_options o;
    const int parsed = parse(&o, argc, argv);
    if (parsed >= 0) return parsed;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status s = tern_cli_lock(o.out, "-o", &diags);
    if (s == TERN_OK) s = tern_cli_open_model(o.net, &o.sets, &arena, &model, &diags);
    if (s == TERN_OK)
        s = o.stream ? tern_saved_export(&model, o.out, o.learnt, &arena, &diags)
                     : tern_weights_export(&model, o.out, o.integers, &arena, &diags);
    tern_cli_name_diags(&diags, o.net);
    int status;
    if (s == TERN_OK) {
        tern_cli_print_diags(&diags);
        status = tell(&o, &model);
    } else status = tern_cli_failed(s, &diags, o.net);
    tern_arena_free(&arena);
    return status;
}
