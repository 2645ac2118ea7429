/* tern_cli_tune.c : tern tune
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli.h"
#include "tern_errors.h"
#include "tern_tune.h"
#include "tern_verbs.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BITS_LEAST = 4, BITS_MOST = 16 };

typedef struct options {
    const char *script, *data, *test, *dir, *target, *bits;
    tern_arg_list sets;
    double within;
    bool json;
    uint64_t jobs, lanes, seeds, inference, presentations;
} options;

static const char epilogue[] =
    "One key after the other is narrowed: formats.weight, trace, learn, signal, lags. A value is good if the upper "
    "end\n"
    "of the 95 % interval of its distance to double precision, seed by seed, is at most --within. Combinations that "
    "the\n"
    "compiler refuses, or that save nothing, are skipped. The same command continues a search that was stopped.\n"
    "  tern tune net.lua --data data -o out/tune --target up5k --lanes 2 --within 2 --seeds 4";

/* What the search itself sets. */
static int check_sets(const tern_args *args, const tern_arg_list *sets)
{
    for (size_t i = 0; i < sets->n; ++i) {
        const char *item = sets->items[i];
        const size_t n = strcspn(item, "=");
        if (n == strlen("seed") && strncmp(item, "seed", n) == 0)
            return tern_args_wrong(args, TERN_ERROR_USAGE, "--set %.60s: the search sets it itself; --seeds does it",
                                   item);
        if (n >= strlen("formats.") && strncmp(item, "formats.", strlen("formats.")) == 0)
            return tern_args_wrong(args, TERN_ERROR_USAGE,
                                   "--set %.60s: the search varies it; write it in the script to begin with it", item);
    }
    return -1;
}

static int parse(options *o, tern_tune_settings *s, int argc, char **argv)
{
    *o = (options){
        .jobs = tern_trials_jobs(), .lanes = 4, .seeds = 4, .inference = 20, .within = 2, .target = "ecp5-85k"
    };
    /* clang-format off */
    const tern_arg list[] = {
        TERN_CLI_TRAINED_ARG(&o->script),
        TERN_CLI_DATA_ARG(&o->data),
        { .name = "--output",
          .letter = 'o',
          .kind = TERN_ARG_STRING,
          .value = "DIR",
          .what = TERN_WHAT_FOLDER,
          .required = true,
          .out = &o->dir,
          .help = "folder for tune.json, results.csv, table.md and figure.svg" },
        TERN_CLI_TEST_ARG(&o->test),
        { .name = "--target",
          .kind = TERN_ARG_CHOICE,
          .choices = "up5k|hx8k|ecp5-25k|ecp5-45k|ecp5-85k",
          .out = &o->target,
          .help = "device that the answer must fit; logic cells are those of it\n(default: ecp5-85k)" },
        { .name = "--lanes",
          .kind = TERN_ARG_UINT,
          .value = "P",
          .lo = 1,
          .hi = 32,
          .out = &o->lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16 or 32; default 4" },
        { .name = "--within",
          .kind = TERN_ARG_REAL,
          .value = "PERCENT",
          .real_lo = 0,
          .real_hi = 1000,
          .out = &o->within,
          .help = "distance to the log-loss of double precision; default 2" },
        { .name = "--seeds",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 2,
          .hi = TERN_TUNE_SEEDS,
          .out = &o->seeds,
          .help = "seeds 1..N of every setting; default 4" },
        { .name = "--bits",
          .kind = TERN_ARG_STRING,
          .value = "LIST",
          .what = TERN_WHAT_TEXT,
          .out = &o->bits,
          .help = "bits of a weight to try, 4..16, such as 4,8,16 (default: all)" },
        { .name = "--set",
          .kind = TERN_ARG_LIST,
          .value = "KEY=VALUE",
          .what = TERN_WHAT_SETTING,
          .out = &o->sets,
          .help = "changes a setting of the script in all trainings; not formats.*" },
        { .name = "--presentations",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 1,
          .hi = 10000000,
          .out = &o->presentations,
          .help = "presentations of a training (default: every recording once)" },
        TERN_CLI_INFERENCE_ARG(&o->inference),
        TERN_CLI_JOBS_ARG(&o->jobs),
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "tune",
                             .verbose = true,
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = epilogue,
                             .purpose = "Finds the number formats of least memory and logic with which a network "
                                        "still learns like double precision." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (!tern_is_script(o->script))
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "a search wants a script (NET.lua); found '%.60s'", o->script);
    if ((o->lanes & (o->lanes - 1)) != 0)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--lanes wants 1, 2, 4, 8, 16 or 32; found %" PRIu64, o->lanes);
    const int wrong = check_sets(&args, &o->sets);
    uint32_t bits[BITS_MOST - BITS_LEAST + 1], mask = 0;
    size_t n_bits = 0;
    if (wrong >= 0) return wrong;
    if (o->bits != NULL && !tern_cli_numbers(&args, "--bits", o->bits, BITS_LEAST, BITS_MOST, false,
                                             sizeof bits / sizeof *bits, bits, &n_bits))
        return TERN_EXIT_USAGE;
    for (size_t i = 0; i < n_bits; ++i) mask |= 1u << bits[i];
    *s = (tern_tune_settings){ .script = o->script,
                               .data = o->data,
                               .test = o->test,
                               .target = tern_target_find(o->target),
                               .lanes = (uint32_t)o->lanes,
                               .seeds = (uint32_t)o->seeds,
                               .inference = (uint32_t)o->inference,
                               .presentations = (uint32_t)o->presentations,
                               .within = o->within,
                               .n_sets = o->sets.n,
                               .sets = o->sets.items,
                               .bits = mask };
    return -1;
}

static bool print_text(tern_tune *t)
{
    const tern_tune_setting *r = &t->settings[0];
    printf("reference  log-loss %.4f [%.4f, %.4f], accuracy %.3f\n", r->loss_mean.mean, r->loss_mean.lo,
           r->loss_mean.hi, r->accuracy_mean.mean);
    printf("%12s  %8s  %8s  %9s  %-24s  formats\n", "memory bits", "cells", "cycles", "log-loss", "worse by, percent");
    for (size_t k = 1; k < t->n; ++k) {
        const tern_tune_setting *x = &t->settings[k];
        const char *words = tern_tune_words(t, k);
        char behind[64];
        if (words == NULL) return false;
        snprintf(behind, sizeof behind, "%.2f [%.2f, %.2f]", x->behind.mean, x->behind.lo, x->behind.hi);
        printf("%12" PRIu64 "  %8" PRIu64 "  %8" PRIu64 "  %9.4f  %-24s  %s%s%s\n", x->memory, x->cells, x->cycles,
               x->loss_mean.mean, behind, words, k == t->best ? "  <- taken" : "", x->fits ? "" : "  (does not fit)");
    }
    printf("best: %s\n", t->best == 0 ? "none" : tern_tune_words(t, t->best));
    printf("written: %s/table.md, figure.svg, results.csv, tune.json\n", t->base.dir);
    return true;
}

static int finish(tern_tune *t, bool json, tern_diags *diags)
{
    const int found = t->best == 0 ? TERN_EXIT_FOUND : TERN_EXIT_DONE;
    if (!json) return print_text(t) ? found : tern_cli_failed(TERN_ERR_MEMORY, diags, "tern tune");
    json_t *results = NULL;
    const char *path = tern_exp_text(&t->base.arena, "%s/tune.json", t->base.dir);
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &results, diags);
    if (s != TERN_OK || results == NULL) return tern_cli_failed(s, diags, "tern tune");
    return tern_cli_print_json(results, stdout) ? found : TERN_EXIT_FOUND;
}

int tern_verb_tune(int argc, char **argv)
{
    static options o;
    static tern_tune_settings set;
    static tern_tune t;
    tern_diags diags;
    const int usage = parse(&o, &set, argc, argv);
    if (usage >= 0) return usage;
    tern_diags_init(&diags);
    tern_catch_interrupts();
    tern_status s = tern_tune_open(&t, &set, o.dir, &diags);
    if (s == TERN_OK && !tern_interrupted()) s = tern_tune_run(&t, (uint32_t)o.jobs, &diags);
    int status;
    if (tern_interrupted()) {
        tern_cli_print_diags(&diags);
        fprintf(stderr, "interrupted; the same command continues\n");
        status = TERN_EXIT_FOUND;
    } else {
        if (s == TERN_OK) s = tern_tune_write(&t, &diags);
        if (s == TERN_OK) tern_cli_print_diags(&diags);
        status = s == TERN_OK ? finish(&t, o.json, &diags) : tern_cli_failed(s, &diags, "tern tune");
    }
    tern_tune_close(&t);
    return status;
}
