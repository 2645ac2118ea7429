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

int tern_verb_export(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    static tern_arg_list sets;
    const char *net = NULL, *out = NULL;
    bool integers = false, learnt = false, json = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "IMAGE|NET.lua",
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern", .dash = TERN_DASH_IN,
          .out = &net,
          .required = true,
          .help = "image with trained weights; a script: initial weights" },
        { .name = "--output",
          .letter = 'o',
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT,
          .value = "W.npz|.h5|.nir|.save",
          .out = &out,
          .required = true,
          .help = "file to write: a NumPy archive, HDF5, a graph of NIR, or the\nstate as devices save it" },
        { .name = "--integers",
          .kind = TERN_ARG_FLAG,
          .out = &integers,
          .help = "weights as they are stored, not as real numbers" },
        { .name = "--learnt",
          .kind = TERN_ARG_FLAG,
          .out = &learnt,
          .help = "of .save: only what stays between examples" },
        TERN_CLI_SET_ARG(&sets),
        TERN_CLI_SCRIPT_ARGS,
        TERN_CLI_JSON_ARG(&json),
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
    const bool graph = ends_in(out, ".nir"), stream = ends_in(out, ".save");
    if (!stream && tern_store_form_of(out) == TERN_STORE_NONE)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "-o %.200s: the name has to end in .npz, .h5, .hdf5, .nir or .save", out);
    if (graph && integers)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--integers does not go with .nir: a graph holds real numbers");
    if (stream && integers)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--integers does not go with .save: a stream holds integers only");
    if (learnt && !stream)
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "--learnt is for .save; `tern import --weights-only` leaves a state out");
    const int clash = tern_cli_outputs_clash(&args);
    if (clash >= 0) return clash;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status s = tern_cli_lock(out, "-o", &diags);
    if (s == TERN_OK) s = tern_cli_open_model(net, &sets, &arena, &model, &diags);
    if (s == TERN_OK)
        s = stream ? tern_saved_export(&model, out, learnt, &arena, &diags)
                   : tern_weights_export(&model, out, integers, &arena, &diags);
    tern_cli_name_diags(&diags, net);
    int status = TERN_EXIT_DONE;
    if (s != TERN_OK) status = tern_cli_failed(s, &diags, net);
    else {
        tern_cli_print_diags(&diags);
        const bool trained = model.state != NULL, state = (trained && !graph) || stream;
        if (!json)
            printf("%s: %s weights of '%s'%s\n", out, trained ? "trained" : "initial", model.name,
                   !state   ? ""
                   : learnt ? ", what was learnt"
                            : ", with the state");
        else if (!tern_cli_print_json(tern_json_pack("{s:s,s:s,s:b,s:b,s:b}", "file", out, "network", model.name,
                                                     "trained", trained, "state", state, "integers", integers),
                                      stdout))
            status = TERN_EXIT_FOUND;
    }
    tern_arena_free(&arena);
    return status;
}
