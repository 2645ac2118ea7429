/* tern_cli_explain.c : tern explain, what a script compiles to, what it costs and where it fits
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_explain.h"
#include "tern_errors.h"
#include "tern_verbs.h"

/* ---- the keys of the language ------------------------------------------------------ */

static void print_key(void *ud, const tern_language_key *key)
{
    FILE *f = ud;
    fprintf(f, "%-12s %-14s %-18s", key->section, key->key, key->type);
    if (key->required) fputs(" required", f);
    if (key->def[0] != 0) fprintf(f, " default %s", key->def);
    if (key->range[0] != 0) fprintf(f, " allowed %s", key->range);
    if (key->settable) fputs(" (--set)", f);
    fprintf(f, "\n%-27s %s\n", "", key->help);
}

static void add_key(void *ud, const tern_language_key *key)
{
    tern_json_add(ud, tern_json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:b}", "section", key->section, "key", key->key,
                                     "type", key->type, "default", key->def, "range", key->range, "help", key->help,
                                     "required", key->required, "settable", key->settable));
}

static int list_keys(bool json)
{
    if (!json) {
        tern_language_keys(print_key, stdout);
        return TERN_EXIT_DONE;
    }
    json_t *keys = tern_json_list();
    tern_language_keys(add_key, keys);
    return tern_cli_print_json(tern_json_pack("{s:o}", "keys", keys), stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

/* ---- the verb ------------------------------------------------------------------------ */

/* A device was named for a network that no hardware runs. */
static tern_status explain_refuse(tern_diags *diags)
{
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_HARDWARE, NULL, 0, "rule.baseline",
                       "a baseline per synapse exists in the C engines only, the hardware has no memory for it"),
        "use baseline = \"neuron\"");
    return TERN_ERR_FIT;
}

static int report(explain *e, const char *net, const char *target, bool json, tern_diags *diags)
{
    tern_status fit = TERN_OK;
    if (target != NULL)
        for (size_t i = 0; i < TERN_TARGETS; ++i)
            if (e->fits[i].target == tern_target_find(target))
                fit = e->c_only ? explain_refuse(diags) : tern_target_report(&e->fits[i], diags);
    tern_cli_name_diags(diags, net);
    if (json) {
        json_t *object = explain_json(e);
        if (!tern_cli_print_json(object, stdout)) return TERN_EXIT_FOUND;
    } else explain_print(e, stdout);
    tern_cli_print_diags(diags);
    return fit == TERN_OK ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_explain(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    static tern_arg_list sets;
    static explain e;
    const char *net = NULL, *target = NULL, *core = "auto";
    uint64_t lanes = 4, ways = 0, prep = 0, samples = 0;
    const char *form = NULL;
    bool skip = false, json = false, keys = false, samples_given = false;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .dash = TERN_DASH_IN, .out = &net,
          .help = "script of the network, or a compiled or trained image" },
        { .name = "--target", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_TARGET_CHOICES, .out = &target,
          .help = "device that must fit: the exit status is 1 if it does not" },
        { .name = "--lanes", .kind = TERN_ARG_UINT, .value = "P", .lo = 1, .hi = 32, .out = &lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4 (default), 8, 16 or 32" },
        TERN_CLI_WAYS_ARG(&ways),
        TERN_CLI_PREP_ARG(&prep),
        TERN_CLI_FORM_ARG(&form),
        TERN_CLI_SKIP_ARG(&skip),
        TERN_CLI_CORE_ARG(&core),
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = TERN_MAX_SAMPLES, .out = &samples,
          .out_given = &samples_given, .help = "samples instead of the network's" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &sets,
          .help = "override a setting of the script, e.g. formats.lags=8" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--list-keys", .kind = TERN_ARG_FLAG, .out = &keys,
          .help = "print all keys of the language instead" },
        TERN_CLI_JSON_ARG(&json),
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "explain",
        .purpose = "Shows what a network compiles to, what it costs and which devices it fits. Writes no file.",
        .list = list,
        .n = sizeof list / sizeof *list
    };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    if ((lanes & (lanes - 1)) != 0)
        return tern_args_wrong(&args, TERN_ERROR_VALUE, "--lanes %u: allowed are 1, 2, 4, 8, 16 and 32",
                               (unsigned)lanes);
    if (keys) {
        if (net != NULL || target != NULL || sets.n != 0)
            return tern_args_wrong(&args, TERN_ERROR_USAGE,
                                   "--list-keys lists the keys of any network: only --json goes with it");
        return list_keys(json);
    }
    if (net == NULL) return tern_args_wrong(&args, TERN_ERROR_MISSING_ARGUMENT, "NET.lua|IMAGE is missing");

    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status status = tern_cli_open_model(net, &sets, &arena, &model, &diags);
    if (status == TERN_OK) {
        if (samples_given) { /* nothing else of a network depends on K */
            model.net.n_samples = (uint16_t)samples;
            model.rule.samples = (uint32_t)samples;
        }
        e.model = &model;
        e.target = target != NULL ? tern_target_find(target) : NULL;
        e.core = tern_core_choice_find(core, tern_form_find(form));
        e.parallel = (tern_parallel){ (uint32_t)ways, (uint32_t)prep, tern_form_find(form) };
        e.skip = skip;
        while (1u << e.lane_shift < lanes) ++e.lane_shift;
        status = explain_make(&e, &arena, &diags);
    }
    const int exit_status =
        status == TERN_OK ? report(&e, net, target, json, &diags) : tern_cli_failed(status, &diags, net);
    tern_arena_free(&arena);
    return exit_status;
}
