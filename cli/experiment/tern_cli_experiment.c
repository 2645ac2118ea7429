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
#include "tern_errors.h"
#include "tern_cli.h"
#include "tern_cli_ranks.h"
#include "tern_exp_internal.h"
#include "tern_exp_place.h"
#include "tern_verbs.h"
#include "tern_share.h"

typedef struct options {
    const char *name, *dir, *model, *rules, *hidden, *samples, *presentations, *inference, *classes, *lengths, *decide;
    bool quick, full, json, given_train, given_test, given_seeds;
    uint64_t jobs, seeds, train_count, test_count;
    double target;
    tern_arg_list sets, variants;
} options;

static const char epilogue[] =
    "memorise: log-loss of one memorised recording, against K and |H|.  digits2: accuracy and entropy against K_I.\n"
    "digits3: test log-likelihood, accuracy and calibration against K.  rules: GEM, MB and IW against K.\n"
    "voting: accuracy against K_I and the steps that a decision rests on.\n"
    "Without your own data, digits are generated. A run that was stopped continues when it is called again with the "
    "same options.\n"
    "LIST: numbers separated by commas, such as 1,5,10. docs/50-experiments.md describes the settings and run times.";

enum { SETS_MAX = 100 };

/* "1,5,10" into a list of different numbers lo..hi; false, with a message: it is something else. */
static bool parse_list(const tern_args *args, const char *option, const char *text, uint32_t lo, uint32_t hi,
                       bool ascending, tern_exp_list *out)
{
    return tern_cli_numbers(args, option, text, lo, hi, ascending, TERN_EXP_LIST_MAX, out->v, &out->n);
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
    else
        tern_args_wrong(args, TERN_ERROR_USAGE,
                        "--rules needs different ones of gem, mb and iw separated by commas; found '%.60s'", text);
    return good;
}

/* Settings that an experiment makes itself cannot be set from outside. */
static int check_sets(const tern_args *args, const tern_arg_list *sets, bool voting)
{
    static const char *const taken[][2] = { { "seed", "--seeds" },         { "rule.samples", "--samples" },
                                            { "rule.kind", "--rules" },    { "hid.size", "--hidden" },
                                            { "data.steps", "--lengths" }, { "rule.eta", "--variant" } };
    const size_t n = sizeof taken / sizeof taken[0] - (voting ? 0 : 2); /* the last two are voting's */
    for (size_t i = 0; i < sets->n; ++i)
        for (size_t k = 0; k < n; ++k)
            if (strcspn(sets->items[i], "=") == strlen(taken[k][0]) &&
                strncmp(sets->items[i], taken[k][0], strlen(taken[k][0])) == 0)
                return tern_args_wrong(args, TERN_ERROR_USAGE,
                                       "--set %.60s: the experiment sets this itself; %s does it", sets->items[i],
                                       taken[k][1]);
    return -1;
}

static int check_data(const tern_args *args, const tern_exp_settings *s)
{
    const bool one = s->kind == TERN_EXP_MEMORISE;
    if (s->data != NULL && s->images != NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--data and --images exclude each other");
    if (one && (s->test != NULL || s->test_images != NULL))
        return tern_args_wrong(args, TERN_ERROR_USAGE,
                               "memorise measures what it learnt: no --test and no --test-images");
    if (s->test != NULL && s->data == NULL) return tern_args_wrong(args, TERN_ERROR_USAGE, "--test needs --data");
    if (s->data != NULL && s->test == NULL && !one)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--data needs --test: other recordings to test on");
    if ((s->labels != NULL || s->test_images != NULL) && s->images == NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--labels and --test-images need --images");
    if (s->test_labels != NULL && s->test_images == NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--test-labels needs --test-images");
    return -1;
}

/* What an experiment does not vary takes one value: its figures and claims have no place for more. */
static int check_varied(const tern_args *args, const tern_exp_settings *s)
{
    const struct {
        const char *option;
        size_t n;
        bool varied;
    } lists[] = {
        { "--rules", s->rules.n, s->kind == TERN_EXP_RULES },
        { "--hidden", s->hidden.n, s->kind == TERN_EXP_MEMORISE },
        { "--samples", s->samples.n, s->kind != TERN_EXP_DIGITS2 && s->kind != TERN_EXP_VOTING },
        { "--inference", s->inference.n,
          s->kind == TERN_EXP_DIGITS2 || s->kind == TERN_EXP_DIGITS3 || s->kind == TERN_EXP_VOTING },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
        if (lists[i].n > 1 && !lists[i].varied)
            return tern_args_wrong(args, TERN_ERROR_USAGE, "%s: %s does not vary it; give one value", lists[i].option,
                                   tern_exp_names[s->kind]);
    return -1;
}

static bool is_name(const char *text, size_t n)
{
    return n != 0 && n < 25 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") >= n;
}

/* One "KEY=VALUE" of a variant; NULL or what is wrong with it. */
static const char *take_pair(const tern_exp_settings *s, tern_exp_variant *v, const char *pair)
{
    const size_t key = strcspn(pair, "=");
    char *end;
    if (key == 0 || pair[key] == 0 || pair[key + 1] == 0) return "a KEY=VALUE";
    if (strncmp(pair, "eta-factor=", 11) == 0) {
        v->eta_factor = strtod(pair + 11, &end);
        return *end == 0 && v->eta_factor >= 1e-3 && v->eta_factor <= 1e3 ? NULL : "eta-factor from 0.001 to 1000";
    }
    if (strncmp(pair, "eta=", 4) == 0) {
        v->eta_fixed = strcmp(pair, "eta=fixed") == 0;
        return v->eta_fixed ? NULL : "eta=fixed: the same for every length";
    }
    if (strncmp(pair, "data.steps=", 11) == 0 || strncmp(pair, "rule.eta=", 9) == 0 || strncmp(pair, "seed=", 5) == 0 ||
        strncmp(pair, "rule.samples=", 13) == 0 || strncmp(pair, "rule.kind=", 10) == 0 ||
        strncmp(pair, "hid.size=", 9) == 0)
        return "no setting that the experiment makes itself";
    const bool camera = tern_exp_is_camera(pair);
    if (camera && s->data != NULL)
        return "no setting of the camera with --data: recordings that are given are not made again";
    if ((camera ? v->n_camera : v->n_sets) == TERN_EXP_PAIRS_MAX) return "at most 8 settings";
    if (camera) v->camera[v->n_camera++] = pair;
    else v->sets[v->n_sets++] = pair;
    return NULL;
}

/* "NAME KEY=VALUE ...", which is cut into its words. */
static int take_variant(const tern_args *args, tern_exp_settings *s, const char *text)
{
    static char words[TERN_EXP_VARIANTS_MAX][400]; /* what settings point into, for as long as the command runs */
    const size_t n = strcspn(text, " ");
    if (s->n_variants == TERN_EXP_VARIANTS_MAX)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--variant: at most %d", TERN_EXP_VARIANTS_MAX);
    if (!is_name(text, n) || strlen(text) >= sizeof words[0])
        return tern_args_wrong(args, TERN_ERROR_USAGE,
                               "--variant wants a name of a-z, 0-9 and '-', at most 24 letters, and pairs KEY=VALUE; "
                               "found '%.60s'",
                               text);
    tern_exp_variant *v = &s->variants[s->n_variants];
    char *copy = words[s->n_variants++];
    *v = (tern_exp_variant){ .eta_factor = 1 };
    memcpy(v->name, text, n);
    for (size_t i = 0; i + 1 < s->n_variants; ++i)
        if (strcmp(s->variants[i].name, v->name) == 0)
            return tern_args_wrong(args, TERN_ERROR_USAGE, "--variant: two are called %s", v->name);
    strcpy(copy, text + n);
    for (char *save = NULL, *pair = strtok_r(copy, " ", &save); pair != NULL; pair = strtok_r(NULL, " ", &save)) {
        const char *wanted = take_pair(s, v, pair);
        if (wanted != NULL)
            return tern_args_wrong(args, TERN_ERROR_USAGE, "--variant %s wants %s; found '%.60s'", v->name, wanted,
                                   pair);
    }
    return -1;
}

/* What voting varies; no other experiment has these. */
static int take_voting(const tern_args *args, const options *o, tern_exp_settings *s)
{
    const bool given = o->lengths != NULL || o->decide != NULL || o->variants.n != 0 || o->target != 0;
    if (s->kind != TERN_EXP_VOTING)
        return given ? tern_args_wrong(args, TERN_ERROR_USAGE,
                                       "--lengths, --decide, --target and --variant belong to voting")
                     : -1;
    if (s->model != NULL) s->lengths.n = 0; /* the script's own */
    if (o->lengths != NULL && !parse_list(args, "--lengths", o->lengths, 1, 65535, false, &s->lengths))
        return TERN_EXIT_USAGE;
    if (o->decide != NULL && !parse_list(args, "--decide", o->decide, 1, 65535, true, &s->decide))
        return TERN_EXIT_USAGE;
    if (o->target != 0) s->target = o->target;
    if (o->variants.n != 0 || s->data != NULL) s->n_variants = 0;
    if (o->variants.n == 0 && s->data != NULL)
        s->variants[s->n_variants++] = (tern_exp_variant){ .name = "plain", .eta_factor = 1 };
    for (size_t i = 0; i < o->variants.n; ++i) {
        const int wrong = take_variant(args, s, o->variants.items[i]);
        if (wrong >= 0) return wrong;
    }
    return -1;
}

static int take_lists(const tern_args *args, const options *o, tern_exp_settings *s)
{
    if (o->hidden != NULL && !parse_list(args, "--hidden", o->hidden, 0, 4096, false, &s->hidden))
        return TERN_EXIT_USAGE;
    if (o->samples != NULL && !parse_list(args, "--samples", o->samples, 1, 32, false, &s->samples))
        return TERN_EXIT_USAGE;
    if (o->presentations != NULL &&
        !parse_list(args, "--presentations", o->presentations, 0, 10000000, true, &s->presentations))
        return TERN_EXIT_USAGE;
    if (o->inference != NULL &&
        !parse_list(args, "--inference", o->inference, 1, 256, s->kind == TERN_EXP_VOTING, &s->inference))
        return TERN_EXIT_USAGE;
    if (o->classes != NULL && !parse_list(args, "--classes", o->classes, 0, 9, false, &s->classes))
        return TERN_EXIT_USAGE;
    if (o->rules != NULL && !parse_rules(args, o->rules, &s->rules)) return TERN_EXIT_USAGE;
    for (size_t i = 0; i < s->hidden.n; ++i)
        if (s->hidden.v[i] == 0 &&
            (s->kind == TERN_EXP_MEMORISE ? s->model != NULL : s->model == NULL || s->hidden.n > 1))
            return tern_args_wrong(args, TERN_ERROR_USAGE,
                                   "--hidden 0: memorise has a network without hidden neurons, with Tern's own "
                                   "scripts; the others take one, alone, with --model");
    if (s->kind == TERN_EXP_MEMORISE && s->classes.n != 1)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "memorise learns one recording: --classes needs one digit");
    if (s->kind != TERN_EXP_MEMORISE && s->classes.n < 2)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--classes needs two digits or more");
    if (s->kind == TERN_EXP_VOTING && s->presentations.v[0] == 0)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--presentations 0: voting measures trained networks");
    const int voting = take_voting(args, o, s);
    if (voting >= 0) return voting;
    const int varied = check_varied(args, s);
    return varied >= 0 ? varied : check_sets(args, &o->sets, s->kind == TERN_EXP_VOTING);
}

static int parse(options *o, tern_exp_settings *s, int argc, char **argv)
{
    tern_exp_settings given = { 0 };
    *o = (options){ .jobs = tern_ranks_count() > 1 ? 1 : tern_trials_jobs() };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NAME", .kind = TERN_ARG_CHOICE, .choices = "memorise|digits2|digits3|rules|voting",
          .required = true, .out = &o->name, .help = "the experiment" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .what = TERN_WHAT_FOLDER,
          .required = true, .out = &o->dir,
          .help = "folder for results.csv, results.json, report.html; created if missing" },
        { .name = "--quick", .kind = TERN_ARG_FLAG, .out = &o->quick,
          .help = "small networks, few recordings and seeds: a minute or two (default)" },
        { .name = "--full", .kind = TERN_ARG_FLAG, .out = &o->full, .help = "the paper's settings: hours or days" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "TRAIN", .what = TERN_WHAT_DATA, .out = &given.data,
          .help = "data set to train on (memorise: its first recording)" },
        { .name = "--test", .kind = TERN_ARG_STRING, .value = "TEST", .what = TERN_WHAT_DATA, .out = &given.test,
          .help = "data set to test on" },
        { .name = "--images", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE, .out = &given.images,
          .help = "IDX file of images (MNIST), moved in front of the simulated camera" },
        { .name = "--labels", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE, .out = &given.labels,
          .help = "their labels (default: the file next to them)" },
        { .name = "--test-images", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE,
          .out = &given.test_images,
          .help = "images to test on (default: later ones of --images)" },
        { .name = "--test-labels", .kind = TERN_ARG_STRING, .value = "FILE", .what = TERN_WHAT_FILE,
          .out = &given.test_labels,
          .help = "their labels" },
        { .name = "--jobs", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 64, .out = &o->jobs,
          .help = "parallel trainings (default: processors it may use; on each of several\n"
                  "ranks: 1); no result depends on it" },
        { .name = "--seeds", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 1000, .out = &o->seeds,
          .out_given = &o->given_seeds, .help = "seeds 1..N of every training" },
        { .name = "--samples", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->samples,
          .help = "K, samples in training" },
        { .name = "--hidden", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->hidden,
          .help = "|H|, hidden neurons" },
        { .name = "--rules", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->rules,
          .help = "gem, mb, iw" },
        { .name = "--presentations", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT,
          .out = &o->presentations,
          .help = "points of measurement, ascending; 0: before training" },
        { .name = "--inference", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->inference,
          .help = "K_I, samples in measuring (rules: as many as in training)" },
        { .name = "--classes", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->classes,
          .help = "digits" },
        { .name = "--train-recordings", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 100000,
          .out = &o->train_count, .out_given = &o->given_train, .help = "recordings of a digit to train on" },
        { .name = "--test-recordings", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 100000,
          .out = &o->test_count, .out_given = &o->given_test, .help = "recordings of a digit to test on" },
        { .name = "--lengths", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->lengths,
          .help = "voting: steps of a presentation" },
        { .name = "--decide", .kind = TERN_ARG_STRING, .value = "LIST", .what = TERN_WHAT_TEXT, .out = &o->decide,
          .help = "voting: after how many steps a decision is asked for,\nascending" },
        { .name = "--target", .kind = TERN_ARG_REAL, .value = "X", .real_lo = 0, .real_hi = 1, .out = &o->target,
          .help = "voting: the accuracy that is wanted; default 0.97" },
        { .name = "--variant", .kind = TERN_ARG_LIST, .value = "'NAME KEY=VALUE ...'", .what = TERN_WHAT_TEXT,
          .out = &o->variants,
          .help = "voting: other recordings (noise, mismatch, contrast,\nthreshold, refractory-us, period-ms), "
                  "learning rate\n(eta-factor) or settings of the script" },
        { .name = "--model", .kind = TERN_ARG_STRING, .value = "NET.lua", .what = TERN_WHAT_FILE, .ext = "lua",
          .out = &o->model,
          .help = "another script; its hidden population is called hid" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &o->sets,
          .help = "change a setting of the script" },
        TERN_CLI_JSON_ARG(&o->json),
    };
    /* clang-format on */
    const tern_args args = { .verb = "experiment",
                             .verbose = true,
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = epilogue,
                             .purpose = "Repeats an experiment of the multi-sample learning paper: trains many "
                                        "networks, measures them during training, and writes tables and one\n"
                                        "HTML report with the paper's figures and numbers next to its own." };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (o->quick && o->full) return tern_args_wrong(&args, TERN_ERROR_USAGE, "--quick and --full exclude each other");
    if (o->model != NULL && !tern_is_script(o->model))
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--model needs a script (NET.lua); found '%.60s'", o->model);
    tern_exp_kind kind = TERN_EXP_MEMORISE;
    while (strcmp(tern_exp_names[kind], o->name) != 0) ++kind; /* it is one of them: a choice */
    tern_exp_defaults(s, kind, o->full);
    s->data = given.data, s->test = given.test;
    s->images = given.images, s->labels = given.labels, s->test_images = given.test_images,
    s->test_labels = given.test_labels;
    s->model = o->model;
    /* built-in ones, but those that are given otherwise */
    for (size_t i = 0; o->model == NULL && i < s->n_sets && o->sets.n < TERN_ARG_LIST_MAX; ++i) {
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
    if (kind == TERN_EXP_MEMORISE && (o->given_train || o->given_test))
        return tern_args_wrong(&args, TERN_ERROR_USAGE,
                               "memorise learns one recording: no --train-recordings and no --test-recordings");
    if (o->sets.n > SETS_MAX)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "%zu settings, allowed are %d", o->sets.n, SETS_MAX);
    const int lists = take_lists(&args, o, s);
    return lists >= 0 ? lists : check_data(&args, s);
}

static void print_text(const tern_exp *e, const json_t *claims)
{
    json_t *claim;
    size_t i;
    printf("%s: %zu trainings\n", tern_exp_names[e->set.kind], e->n_trainings);
    json_array_foreach(claims, i, claim)
    {
        const json_t *value = json_object_get(claim, "value"), *lo = json_object_get(value, "lo"),
                     *hi = json_object_get(value, "hi"), *number = json_object_get(claim, "number");
        printf("  %-15s %s: %s", json_string_value(json_object_get(claim, "verdict")),
               json_string_value(json_object_get(claim, "paper")),
               json_string_value(json_object_get(claim, "measured")));
        if (json_is_number(json_object_get(value, "mean")))
            printf(" %.4f", json_number_value(json_object_get(value, "mean")));
        if (json_is_number(lo) && json_is_number(hi))
            printf(" [%.4f, %.4f]", json_number_value(lo), json_number_value(hi));
        else if (json_is_number(lo)) printf(" [%.4f, no end]", json_number_value(lo)); /* a ratio to what never comes */
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
    const int usage = tern_cli_agree_usage(parse(&o, &set, argc, argv), 0, "tern experiment");
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
        fprintf(stderr, "interrupted: %" PRIu32 " of %zu trainings are done; the same command continues\n",
                tern_exp_n_done(&e), e.n_trainings);
        status = TERN_EXIT_FOUND;
    } else {
        if (s == TERN_OK) s = tern_exp_write(&e, &diags);
        if (s == TERN_OK) tern_cli_print_diags(&diags);
        status = s == TERN_OK ? finish(&e, o.json, &diags) : tern_cli_failed(s, &diags, "tern experiment");
    }
    tern_exp_close(&e);
    return status;
}
