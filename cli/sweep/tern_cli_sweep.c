/* tern_cli_sweep.c : tern sweep
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern_cli.h"
#include "tern_errors.h"
#include "tern_sweep.h"
#include "tern_verbs.h"

typedef struct options {
    const char *script, *data, *test, *dir, *samples, *presentations, *metric;
    bool json;
    uint64_t jobs, seeds, inference;
    tern_arg_list sets;
} options;

static const char epilogue[] =
    "VALUES: LO:HI:logN or LO:HI:linN, N numbers from LO to HI, or values separated by commas; a single value is "
    "used in every training.\n"
    "Every combination is trained with every seed. Without --test a fifth of the recordings is kept to measure on.\n"
    "The same command continues a sweep that was stopped.\n"
    "  tern sweep net.lua --data data -o out/sweep --set rule.eta=1e-5:1e-2:log8 --samples 1,5,10 --seeds 4";

/* `given`: what the user wrote, for the message. */
static int take_axis(const tern_args *args, const char *option, const char *given, const char *key, const char *values,
                     tern_sweep_settings *s)
{
    if (strcmp(key, "seed") == 0)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "%s seed: a sweep sets it itself; --seeds does it", option);
    for (size_t i = 0; i < s->n_axes; ++i)
        if (strcmp(s->axes[i].key, key) == 0)
            return tern_args_wrong(args, TERN_ERROR_USAGE, "%s: values of %s are given already", option, key);
    if (s->n_axes == TERN_SWEEP_AXES)
        return tern_args_wrong(args, TERN_ERROR_SWEEP_VALUES, "%s: more than %d keys", option, TERN_SWEEP_AXES);
    const char *wrong = tern_sweep_axis_parse(&s->axes[s->n_axes], key, values);
    if (wrong != NULL)
        return tern_args_wrong(args, TERN_ERROR_SWEEP_VALUES,
                               "%s %.80s: %s\n  hint: LO:HI:logN, LO:HI:linN, or values with commas between", option,
                               given, wrong);
    ++s->n_axes;
    return -1;
}

static int take_sets(const tern_args *args, const options *o, tern_sweep_settings *s)
{
    for (size_t i = 0; i < o->sets.n; ++i) {
        const char *sign = strchr(o->sets.items[i], '=');
        char key[80];
        if (sign == NULL || sign == o->sets.items[i] || (size_t)(sign - o->sets.items[i]) >= sizeof key)
            return tern_args_wrong(args, TERN_ERROR_SWEEP_VALUES, "--set wants KEY=VALUES, found '%.80s'",
                                   o->sets.items[i]);
        snprintf(key, sizeof key, "%.*s", (int)(sign - o->sets.items[i]), o->sets.items[i]);
        const int status = take_axis(args, "--set", o->sets.items[i], key, sign + 1, s);
        if (status >= 0) return status;
    }
    if (o->samples != NULL) {
        const int status = take_axis(args, "--samples", o->samples, "rule.samples", o->samples, s);
        if (status >= 0) return status;
    }
    return s->n_axes != 0 ? -1
                          : tern_args_wrong(args, TERN_ERROR_MISSING_ARGUMENT,
                                            "nothing to sweep: give --set KEY=VALUES or --samples LIST");
}

/* "0,10,50": ascending. */
static int take_points(const tern_args *args, const char *text, tern_sweep_settings *s)
{
    for (const char *p = text; text != NULL; ++p) {
        char *end = NULL;
        errno = 0;
        const unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
        if (end == NULL || errno != 0 || v > 10000000 || (*end != ',' && *end != 0) ||
            s->n_points == TERN_SWEEP_POINTS || (s->n_points != 0 && v <= s->points[s->n_points - 1]))
            return tern_args_wrong(args, TERN_ERROR_USAGE,
                                   "--presentations wants ascending numbers from 0 to 10000000 with commas between, at "
                                   "most %d; found '%.60s'",
                                   TERN_SWEEP_POINTS, text);
        s->points[s->n_points++] = (uint32_t)v;
        p = end;
        if (*end == 0) break;
    }
    return -1;
}

static int parse(options *o, tern_sweep_settings *s, int argc, char **argv)
{
    *o = (options){ .jobs = tern_trials_jobs(), .seeds = 3, .inference = 20 };
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
          .help = "folder for results.csv, results.json, figure.svg and report.html" },
        { .name = "--set",
          .kind = TERN_ARG_LIST,
          .value = "KEY=VALUES",
          .what = TERN_WHAT_SETTING,
          .out = &o->sets,
          .help = "values of a setting of the script" },
        { .name = "--samples",
          .kind = TERN_ARG_STRING,
          .value = "VALUES",
          .what = TERN_WHAT_TEXT,
          .out = &o->samples,
          .help = "K, samples in training: the same as --set rule.samples=VALUES" },
        { .name = "--seeds",
          .kind = TERN_ARG_UINT,
          .value = "N",
          .lo = 1,
          .hi = 1000,
          .out = &o->seeds,
          .help = "seeds 1..N of every setting; default 3" },
        { .name = "--presentations",
          .kind = TERN_ARG_STRING,
          .value = "LIST",
          .what = TERN_WHAT_TEXT,
          .out = &o->presentations,
          .help = "where is measured, ascending; the last one ends the training\n(default: every recording once)" },
        TERN_CLI_TEST_ARG(&o->test),
        TERN_CLI_INFERENCE_ARG(&o->inference),
        { .name = "--metric",
          .kind = TERN_ARG_CHOICE,
          .choices = "log-loss|log-loss-iw|accuracy|ece|distance",
          .out = &o->metric,
          .help = "what makes a setting better (default: accuracy; without decisions\nlog-loss; with rule reward "
                  "distance)" },
        TERN_CLI_JOBS_ARG(&o->jobs),
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "sweep",
                             .verbose = true,
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = epilogue,
                             .purpose = "Trains a network with many settings and seeds, and says which setting is "
                                        "best, and which others are as good." };
    int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (!tern_is_script(o->script))
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "a sweep wants a script (NET.lua); found '%.60s'", o->script);
    *s = (tern_sweep_settings){ .script = o->script,
                                .data = o->data,
                                .test = o->test,
                                .seeds = (uint32_t)o->seeds,
                                .inference = (uint32_t)o->inference,
                                .metric = -1 };
    for (int m = 0; o->metric != NULL && m < TERN_SWEEP_METRICS; ++m)
        if (strcmp(o->metric, tern_sweep_metrics[m].option) == 0) s->metric = m;
    status = take_sets(&args, o, s);
    return status >= 0 ? status : take_points(&args, o->presentations, s);
}

static void number(const tern_exp_mean *m)
{
    if (isnan(m->mean)) printf("  %-26s", "-");
    else if (isnan(m->lo)) printf("  %-26.4g", m->mean);
    else {
        char text[64];
        snprintf(text, sizeof text, "%.4g [%.4g, %.4g]", m->mean, m->lo, m->hi);
        printf("  %-26s", text);
    }
}

static bool print_text(tern_sweep *w)
{
    const char *name = tern_sweep_metrics[w->set.metric].option;
    const bool both = w->set.metric != TERN_SWEEP_LOG_LOSS && w->set.metric != TERN_SWEEP_DISTANCE;
    size_t as_good = 0;
    printf("%-26s  %-26s", name, both ? "log-loss" : "");
    printf("  setting (%" PRIu32 " seed%s, %" PRIu32 " presentations)\n", w->set.seeds, w->set.seeds == 1 ? "" : "s",
           w->set.points[w->set.n_points - 1]);
    for (size_t k = 0; k < w->n_settings; ++k) {
        const tern_sweep_result *r = &w->results[k];
        const char *words = tern_sweep_words(w, k);
        if (words == NULL) return false;
        const bool best = k == w->best;
        as_good += !best && r->as_good && w->best < w->n_settings;
        number(&r->m[w->set.metric]);
        if (both) number(&r->m[TERN_SWEEP_LOG_LOSS]);
        else printf("  %-26s", "");
        printf("  %s%s%s\n", words,
               best                                    ? "  <- best"
               : r->as_good && w->best < w->n_settings ? "  as good"
                                                       : "",
               r->warned != 0 ? "  (warned)" : "");
    }
    if (w->best < w->n_settings) {
        const tern_exp_mean *m = &w->results[w->best].m[w->set.metric];
        printf("best: %s  (%s %.4g", tern_sweep_words(w, w->best), name, m->mean);
        if (!isnan(m->lo)) printf(" [%.4g, %.4g]", m->lo, m->hi);
        printf("; %zu of %zu others %s as good, as far as %" PRIu32 " seed%s tell%s)\n", as_good, w->n_settings - 1,
               as_good == 1 ? "is" : "are", w->set.seeds, w->set.seeds == 1 ? "" : "s", w->set.seeds == 1 ? "s" : "");
    } else {
        printf("best: none, no training has a %s\n", name);
    }
    printf("written: %s/report.html, figure.svg, results.csv, results.json\n", w->dir);
    return true;
}

static int finish(tern_sweep *w, bool json, tern_diags *diags)
{
    if (!json) return print_text(w) ? TERN_EXIT_DONE : tern_cli_failed(TERN_ERR_MEMORY, diags, "tern sweep");
    json_t *results = NULL;
    const char *path = tern_exp_text(&w->arena, "%s/results.json", w->dir);
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &results, diags);
    if (s != TERN_OK || results == NULL) return tern_cli_failed(s, diags, "tern sweep");
    const bool ok = tern_cli_print_json(
        tern_json_pack("{s:s, s:I, s:I, s:O, s:O, s:O}", "folder", w->dir, "settings", (json_int_t)w->n_settings,
                       "trainings", (json_int_t)w->trials.n, "metric", json_object_get(results, "metric"), "best",
                       json_object_get(results, "best"), "results", json_object_get(results, "results")),
        stdout);
    json_decref(results);
    return ok ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_sweep(int argc, char **argv)
{
    static options o;
    static tern_sweep_settings set;
    static tern_sweep w;
    tern_diags diags;
    const int usage = parse(&o, &set, argc, argv);
    if (usage >= 0) return usage;
    tern_diags_init(&diags);
    tern_catch_interrupts();
    tern_status s = tern_sweep_open(&w, &set, o.dir, &diags);
    if (s == TERN_OK && !tern_interrupted()) s = tern_sweep_run(&w, (uint32_t)o.jobs, &diags);
    int status;
    if (tern_interrupted()) {
        tern_cli_print_diags(&diags);
        fprintf(stderr, "interrupted: %zu of %zu trainings are done; the same command continues\n",
                w.trials.done == NULL ? (size_t)0 : tern_trials_n_done(&w.trials), w.trials.n);
        status = TERN_EXIT_FOUND;
    } else {
        if (s == TERN_OK) s = tern_sweep_write(&w, &diags);
        if (s == TERN_OK) tern_cli_print_diags(&diags);
        status = s == TERN_OK ? finish(&w, o.json, &diags) : tern_cli_failed(s, &diags, "tern sweep");
    }
    tern_sweep_close(&w);
    return status;
}
