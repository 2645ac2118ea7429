/* tern_cli_import.c : tern import, named arrays become the weights and the state of a network
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/image.h"
#include "tern_errors.h"
#include "tern_cli.h"
#include "tern_cli_files.h"
#include "tern_verbs.h"
#include "tern_weights.h"

int tern_verb_import(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    static tern_arg_list sets;
    const char *net = NULL, *file = NULL, *out = NULL;
    bool weights_only = false, json = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE",
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern", .dash = TERN_DASH_IN,
          .out = &net,
          .required = true,
          .help = "the network that the weights are for" },
        { .name = "W",
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .dash = TERN_DASH_IN,
          .out = &file,
          .required = true,
          .help = "its weights: a NumPy archive, an HDF5 file, a graph of NIR, or\nthe state that a device saved" },
        { .name = "--output",
          .letter = 'o',
          .kind = TERN_ARG_STRING, .what = TERN_WHAT_OUT,
          .value = "OUT.tern",
          .out = &out,
          .required = true,
          .help = "image to write" },
        { .name = "--weights-only",
          .kind = TERN_ARG_FLAG,
          .out = &weights_only,
          .help = "take the weights by their names, whatever network the file is of;\nleave a state in it out" },
        TERN_CLI_SET_ARG(&sets),
        TERN_CLI_SCRIPT_ARGS,
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "import",
                             .purpose = "Makes an image of a network with weights from named arrays, a graph or a "
                                        "device's stream (docs/13-weights.md).",
                             .list = list,
                             .n = sizeof list / sizeof *list };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    const int clash = tern_cli_outputs_clash(&args);
    if (clash >= 0) return clash;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status s = tern_cli_lock(out, "-o", &diags);
    if (s == TERN_OK) s = tern_image_replaceable(out, &diags);
    if (s == TERN_OK) s = tern_cli_open_model(net, &sets, &arena, &model, &diags);
    if (s == TERN_OK) s = tern_weights_import(&model, file, weights_only, &arena, &diags);
    if (s == TERN_OK) s = tern_image_save(&model, out, tern_alloc_default(), &diags);
    tern_cli_name_diags(&diags, net);
    int status = TERN_EXIT_DONE;
    if (s != TERN_OK) status = tern_cli_failed(s, &diags, file);
    else {
        tern_cli_print_diags(&diags);
        if (!json)
            printf("%s: '%s' with %s%s\n", out, model.name, file,
                   model.state != NULL ? ", state included" : " as initial weights");
        else if (!tern_cli_print_json(
                     tern_json_pack("{s:s,s:s,s:b}", "file", out, "network", model.name, "state", model.state != NULL),
                     stdout))
            status = TERN_EXIT_FOUND;
    }
    tern_arena_free(&arena);
    return status;
}
