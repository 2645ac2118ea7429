/* tern_cli_export.c : tern export, the weights and the state of a network as named arrays
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_verbs.h"
#include "tern_weights.h"

int tern_verb_export(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    static tern_arg_list sets;
    const char *net = NULL, *out = NULL;
    bool integers = false, json = false;
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
          .value = "W.npz|.h5|.nir",
          .out = &out,
          .required = true,
          .help = "file to write: a NumPy archive, HDF5, or a graph of NIR" },
        { .name = "--integers",
          .kind = TERN_ARG_FLAG,
          .out = &integers,
          .help = "weights as they are stored, not as real numbers" },
        { .name = "--set",
          .kind = TERN_ARG_LIST, .what = TERN_WHAT_SETTING,
          .value = "KEY=VALUE",
          .out = &sets,
          .help = "override a setting of the script" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &json, .help = "print one JSON object" },
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "export",
        .purpose =
            "Writes the weights of a network, and its state if it is trained, as named arrays (docs/13-weights.md).",
        .list = list,
        .n = sizeof list / sizeof *list
    };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    if (tern_store_form_of(out) == TERN_STORE_NONE)
        return tern_args_wrong(&args, 110, "-o %.200s: the name has to end in .npz, .h5, .hdf5 or .nir", out);
    const size_t length = strlen(out);
    const bool graph = length > 4 && strcmp(out + length - 4, ".nir") == 0;
    if (graph && integers)
        return tern_args_wrong(&args, 110, "--integers does not go with .nir: a graph holds real numbers");
    char text[600];
    const tern_cli_name written = { "-o", out, false }, read = { "the network", net, false };
    if (tern_cli_names_clash(&written, 1, &read, 1, text, sizeof text))
        return tern_args_wrong(&args, 110, "%s; give another name", text);
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status s = tern_cli_lock(out, "-o", &diags);
    if (s == TERN_OK) s = tern_cli_open_model(net, &sets, &arena, &model, &diags);
    if (s == TERN_OK) s = tern_weights_export(&model, out, integers, &arena, &diags);
    tern_cli_name_diags(&diags, net);
    int status = TERN_EXIT_DONE;
    if (s != TERN_OK) status = tern_cli_failed(s, &diags, net);
    else {
        tern_cli_print_diags(&diags);
        const bool trained = model.state != NULL, state = trained && !graph;
        if (!json)
            printf("%s: %s weights of '%s'%s\n", out, trained ? "trained" : "initial", model.name,
                   state ? ", with the state" : "");
        else if (!tern_cli_print_json(tern_json_pack("{s:s,s:s,s:b,s:b,s:b}", "file", out, "network", model.name,
                                                     "trained", trained, "state", state, "integers", integers),
                                      stdout))
            status = TERN_EXIT_FOUND;
    }
    tern_arena_free(&arena);
    return status;
}
