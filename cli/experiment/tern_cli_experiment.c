/* tern_cli_experiment.c : tern experiment
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern_ranks.h"
#include "tern_cli.h"
#include "tern_cli_ranks.h"
#include "tern_exp_internal.h"
#include "tern_exp_place.h"
#include "tern_verbs.h"
#include "tern_share.h"

typedef struct options {
    const char *name, *dir, *model, *rules, *hidden, *samples, *presentations, *inference, *classes;
    bool        quick, full, json, given_train, given_test, given_seeds;
    uint64_t    jobs, seeds, train_count, test_count;
    tern_arg_list sets;
} options;

static const char epilogue[] =
    "memorise: log-loss of one memorised recording, against K and |H|.  digits2: accuracy and entropy against K_I.\n"
    "digits3: test log-likelihood, accuracy and calibration against K.  rules: GEM, MB and IW against K.\n"
    "Without your own data, digits are generated. A run that was stopped continues when it is called again with the same options.\n"
    "LIST: numbers separated by commas, such as 1,5,10. docs/50-experiments.md describes the settings and run times.";

enum { SETS_MAX = 100 };

static uint64_t processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (uint64_t)n;
}

/* "1,5,10" into a list of different numbers lo..hi; false, with a message: it is something else. */
static bool parse_list(const tern_args *args, const char *option, const char *text, uint32_t lo, uint32_t hi, bool ascending, tern_exp_list *out)
{
    tern_exp_list l = { 0 };
    bool good = true;
    for (const char *p = text; good; ++p) {
        char *end;
        errno = 0;
        const unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : (end = (char *)p, 0ul);
        good = end != p && errno == 0 && v >= lo && v <= hi && (*end == ',' || *end == 0) && l.n < TERN_EXP_LIST_MAX && !(ascending && l.n != 0 && v <= l.v[l.n - 1]);
        for (size_t i = 0; i < l.n; ++i) good = good && l.v[i] != v;
        if (!good) break;
        l.v[l.n++] = (uint32_t)v;
        p = end;
        if (*end == 0) break;
    }
    if (good) *out = l;
    else
        tern_args_wrong(args, 110, "%s needs %s numbers from %" PRIu32 " to %" PRIu32 " separated by commas, at most %d; found '%.60s'", option, ascending ? "ascending" : "different", lo, hi,
                        TERN_EXP_LIST_MAX, text);
    return good;
}

static bool parse_rules(const tern_args *args, const char *text, tern_exp_list *out)
{
    tern_exp_list l = { 0 };
    bool good = true;
    for (const char *p = text; good;) {
        const size_t n = strcspn(p, ",");
        uint32_t r = 0;
        while (r < TERN_EXP_RULE_KINDS && (strlen(tern_exp_rules[r]) != n || memcmp(p, tern_exp_rules[r], n) != 0)) ++r;
        good = r < TERN_EXP_RULE_KINDS && l.n < TERN_EXP_RULE_KINDS;
        for (size_t i = 0; i < l.n; ++i) good = good && l.v[i] != r;
        if (!good) break;
        l.v[l.n++] = r;
        if (p[n] == 0) break;
        p += n + 1;
    }
    if (good) *out = l;
    else tern_args_wrong(args, 110, "--rules needs different ones of gem, mb and iw separated by commas; found '%.60s'", text);
    return good;
}

/* Settings that an experiment makes itself cannot be set from outside. */
static int check_sets(const tern_args *args, const tern_arg_list *sets)
{
    static const char *const taken[][2] = { { "seed", "--seeds" }, { "rule.samples", "--samples" }, { "rule.kind", "--rules" }, { "hid.size", "--hidden" } };
    for (size_t i = 0; i < sets->n; ++i)
        for (size_t k = 0; k < sizeof taken / sizeof taken[0]; ++k)
            if (strcspn(sets->items[i], "=") == strlen(taken[k][0]) && strncmp(sets->items[i], taken[k][0], strlen(taken[k][0])) == 0)
                return tern_args_wrong(args, 110, "--set %.60s: the experiment sets this itself; %s does it", sets->items[i], taken[k][1]);
    return -1;
}

static int check_data(const tern_args *args, const tern_exp_settings *s)
{
    const bool one = s->kind == TERN_EXP_MEMORISE;
    if (s->data != NULL && s->images != NULL) return tern_args_wrong(args, 110, "--data and --images exclude each other");
    if (one && (s->test != NULL || s->test_images != NULL)) return tern_args_wrong(args, 110, "memorise measures what it learnt: no --test and no --test-images");
    if (s->test != NULL && s->data == NULL) return tern_args_wrong(args, 110, "--test needs --data");
    if (s->data != NULL && s->test == NULL && !one) return tern_args_wrong(args, 110, "--data needs --test: other recordings to test on");
    if ((s->labels != NULL || s->test_images != NULL) && s->images == NULL) return tern_args_wrong(args, 110, "--labels and --test-images need --images");
    if (s->test_labels != NULL && s->test_images == NULL) return tern_args_wrong(args, 110, "--test-labels needs --test-images");
    return -1;
}

/* What an experiment does not vary takes one value: its figures and claims have no place for more. */
static int check_varied(const tern_args *args, const tern_exp_settings *s)
{
    const struct { const char *option; size_t n; bool varied; } lists[] = {
        { "--rules", s->rules.n, s->kind == TERN_EXP_RULES },
        { "--hidden", s->hidden.n, s->kind == TERN_EXP_MEMORISE },
        { "--samples", s->samples.n, s->kind != TERN_EXP_DIGITS2 },
        { "--inference", s->inference.n, s->kind == TERN_EXP_DIGITS2 },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
        if (lists[i].n > 1 && !lists[i].varied) return tern_args_wrong(args, 110, "%s: %s does not vary it; give one value", lists[i].option, tern_exp_names[s->kind]);
    return -1;
}

static int take_lists(const tern_args *args, const options *o, tern_exp_settings *s)
{
    if (o->hidden != NULL && !parse_list(args, "--hidden", o->hidden, 0, 4096, false, &s->hidden)) return TERN_EXIT_USAGE;
    if (o->samples != NULL && !parse_list(args, "--samples", o->samples, 1, 32, false, &s->samples)) return TERN_EXIT_USAGE;
    if (o->presentations != NULL && !parse_list(args, "--presentations", o->presentations, 0, 10000000, true, &s->presentations)) return TERN_EXIT_USAGE;
    if (o->inference != NULL && !parse_list(args, "--inference", o->inference, 1, 256, false, &s->inference)) return TERN_EXIT_USAGE;
    if (o->classes != NULL && !parse_list(args, "--classes", o->classes, 0, 9, false, &s->classes)) return TERN_EXIT_USAGE;
    if (o->rules != NULL && !parse_rules(args, o->rules, &s->rules)) return TERN_EXIT_USAGE;
    for (size_t i = 0; i < s->hidden.n; ++i)
        if (s->hidden.v[i] == 0 && (s->kind != TERN_EXP_MEMORISE || s->model != NULL))
            return tern_args_wrong(args, 110, "--hidden 0: only memorise, with Tern's own scripts, has a network without hidden neurons");
    if (s->kind == TERN_EXP_MEMORISE && s->classes.n != 1) return tern_args_wrong(args, 110, "memorise learns one recording: --classes needs one digit");
    if (s->kind != TERN_EXP_MEMORISE && s->classes.n < 2) return tern_args_wrong(args, 110, "--classes needs two digits or more");
    const int varied = check_varied(args, s);
    return varied >= 0 ? varied : check_sets(args, &o->sets);
}

static int parse(options *o, tern_exp_settings *s, int argc, char **argv)
{
    tern_exp_settings given = { 0 };
    *o = (options){ .jobs = tern_ranks_count() > 1 ? 1 : processors() };
    const tern_arg list[] = {
        { .name = "NAME", .kind = TERN_ARG_CHOICE, .choices = "memorise|digits2|digits3|rules", .required = true, .out = &o->name, .help = "the experiment" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .required = true, .out = &o->dir, .help = "folder for results.csv, results.json, report.html; created if missing" },
        { .name = "--quick", .kind = TERN_ARG_FLAG, .out = &o->quick, .help = "small networks, few recordings and seeds: a minute or two (default)" },
        { .name = "--full", .kind = TERN_ARG_FLAG, .out = &o->full, .help = "the paper's settings: hours or days" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "TRAIN", .out = &given.data, .help = "data set to train on (memorise: its first recording)" },
        { .name = "--test", .kind = TERN_ARG_STRING, .value = "TEST", .out = &given.test, .help = "data set to test on" },
        { .name = "--images", .kind = TERN_ARG_STRING, .value = "FILE", .out = &given.images, .help = "IDX file of images (MNIST), moved in front of the simulated camera" },
        { .name = "--labels", .kind = TERN_ARG_STRING, .value = "FILE", .out = &given.labels, .help = "their labels (default: the file next to them)" },
        { .name = "--test-images", .kind = TERN_ARG_STRING, .value = "FILE", .out = &given.test_images, .help = "images to test on (default: later ones of --images)" },
        { .name = "--test-labels", .kind = TERN_ARG_STRING, .value = "FILE", .out = &given.test_labels, .help = "their labels" },
        { .name = "--jobs", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 64, .out = &o->jobs,
          .help = "parallel trainings (default: processors online; on each of several\nranks: 1); no result depends on it" },
        { .name = "--seeds", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000, .out = &o->seeds, .out_given = &o->given_seeds, .help = "seeds 1..N of every training" },
        { .name = "--samples", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->samples, .help = "K, samples in training" },
        { .name = "--hidden", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->hidden, .help = "|H|, hidden neurons" },
        { .name = "--rules", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->rules, .help = "gem, mb, iw" },
        { .name = "--presentations", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->presentations, .help = "points of measurement, ascending; 0: before training" },
        { .name = "--inference", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->inference, .help = "K_I, samples in measuring (rules: as many as in training)" },
        { .name = "--classes", .kind = TERN_ARG_STRING, .value = "LIST", .out = &o->classes, .help = "digits" },
        { .name = "--train-recordings", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 100000, .out = &o->train_count, .out_given = &o->given_train, .help = "recordings of a digit to train on" },
        { .name = "--test-recordings", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 100000, .out = &o->test_count, .out_given = &o->given_test, .help = "recordings of a digit to test on" },
        { .name = "--model", .kind = TERN_ARG_STRING, .value = "NET.lua", .out = &o->model, .help = "another script; its hidden population is called hid" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .out = &o->sets, .help = "change a setting of the script" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json, .help = "print one JSON object" },
    };
    const tern_args args = { .verb = "experiment", .list = list, .n = sizeof list / sizeof *list, .epilogue = epilogue,
                             .purpose = "Repeats an experiment of the multi-sample learning paper: trains many networks, measures them during training, and writes tables and one\n"
                                        "HTML report with the paper's figures and numbers next to its own." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (o->quick && o->full) return tern_args_wrong(&args, 110, "--quick and --full exclude each other");
    if (o->model != NULL && !tern_is_script(o->model)) return tern_args_wrong(&args, 110, "--model needs a script (NET.lua); found '%.60s'", o->model);
    tern_exp_kind kind = TERN_EXP_MEMORISE;
    while (strcmp(tern_exp_names[kind], o->name) != 0) ++kind; /* it is one of them: a choice */
    tern_exp_defaults(s, kind, o->full);
    s->data = given.data, s->test = given.test;
    s->images = given.images, s->labels = given.labels, s->test_images = given.test_images, s->test_labels = given.test_labels;
    s->model = o->model;
    for (size_t i = 0; o->model == NULL && i < s->n_sets && o->sets.n < TERN_ARG_LIST_MAX; ++i) { /* built-in ones, but those that are given otherwise */
        const size_t key = strcspn(s->sets[i], "=") + 1;
        bool given_too = false;
        for (size_t k = 0; k < o->sets.n; ++k) given_too = given_too || strncmp(o->sets.items[k], s->sets[i], key) == 0;
        if (!given_too) o->sets.items[o->sets.n++] = s->sets[i];
    }
    s->n_sets = o->sets.n;
    s->sets = o->sets.items;
    if (o->given_seeds) s->seeds = (uint32_t)o->seeds;
    if (o->given_train) s->train_count = (uint32_t)o->train_count;
    if (o->given_test) s->test_count = (uint32_t)o->test_count;
    if (kind == TERN_EXP_MEMORISE && (o->given_train || o->given_test)) return tern_args_wrong(&args, 110, "memorise learns one recording: no --train-recordings and no --test-recordings");
    if (o->sets.n > SETS_MAX) return tern_args_wrong(&args, 110, "%zu settings, allowed are %d", o->sets.n, SETS_MAX);
    const int lists = take_lists(&args, o, s);
    return lists >= 0 ? lists : check_data(&args, s);
}

static void print_text(const tern_exp *e, const json_t *claims)
{
    json_t *claim;
    size_t i;
    printf("%s: %zu trainings\n", tern_exp_names[e->set.kind], e->n_trainings);
    json_array_foreach(claims, i, claim) {
        const json_t *value = json_object_get(claim, "value"), *lo = json_object_get(value, "lo"), *number = json_object_get(claim, "number");
        printf("  %-15s %s: %s", json_string_value(json_object_get(claim, "verdict")), json_string_value(json_object_get(claim, "paper")), json_string_value(json_object_get(claim, "measured")));
        if (json_is_number(json_object_get(value, "mean"))) printf(" %.4f", json_number_value(json_object_get(value, "mean")));
        if (json_is_number(lo)) printf(" [%.4f, %.4f]", json_number_value(lo), json_number_value(json_object_get(value, "hi")));
        if (json_is_string(number)) printf(" (paper: %s)", json_string_value(number));
        putchar('\n');
    }
    printf("written: %s/report.html, results.csv, results.json\n", e->dir);
}

static int finish(tern_exp *e, bool json, tern_diags *diags)
{
    json_t *results = NULL;
    char *path = tern_exp_text(&e->arena, "%s/results.json", e->dir);
    const tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &results, diags);
    if (s != TERN_OK || results == NULL) return tern_cli_failed(s, diags, "tern experiment");
    bool ok = true;
    if (json)
        ok = tern_cli_print_json(tern_json_pack("{s:s, s:s, s:I, s:O, s:O}", "experiment", tern_exp_names[e->set.kind],
                                                "folder", e->dir, "trainings", (json_int_t)e->n_trainings, "settings",
                                                json_object_get(results, "settings"), "claims",
                                                json_object_get(results, "claims")),
                                 stdout);
    else print_text(e, json_object_get(results, "claims"));
    json_decref(results);
    return ok ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_experiment(int argc, char **argv)
{
    static options o;
    static tern_exp_settings set;
    static tern_exp e;
    tern_diags diags;
    const int usage = tern_cli_agree_usage(parse(&o, &set, argc, argv), "tern experiment");
    if (usage >= 0) return usage;
    tern_diags_init(&diags);
    set.share = tern_share_folder(NULL);
    tern_catch_interrupts();
    if (tern_ranks_index() != 0) return tern_exp_places_serve() ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    tern_status s = tern_exp_open(&e, &set, o.dir, &diags);
    if (s == TERN_OK && !tern_interrupted()) s = tern_exp_run(&e, (uint32_t)o.jobs, &diags);
    int status;
    tern_exp_places_dismiss();
    if (tern_interrupted()) {
        tern_cli_print_diags(&diags);
        fprintf(stderr, "interrupted: %" PRIu32 " of %zu trainings are done; the same command continues\n", tern_exp_n_done(&e), e.n_trainings);
        status = TERN_EXIT_FOUND;
    } else {
        if (s == TERN_OK) s = tern_exp_write(&e, &diags);
        if (s == TERN_OK) tern_cli_print_diags(&diags);
        status = s == TERN_OK ? finish(&e, o.json, &diags) : tern_cli_failed(s, &diags, "tern experiment");
    }
    tern_exp_close(&e);
    return status;
}
