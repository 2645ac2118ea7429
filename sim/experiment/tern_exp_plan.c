/* tern_exp_plan.c : the built-in settings, the table of trainings, and the commands that one is made of
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tern_exp_internal.h"

const char *const tern_exp_names[TERN_EXP_KINDS] = { "memorise", "digits2", "digits3", "rules", "voting" };
const char *const tern_exp_rules[TERN_EXP_RULE_KINDS] = { "gem", "mb", "iw" };

#define LIST(...) \
    { \
        .n = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), .v = { __VA_ARGS__ } \
    }

/* The script's eta is for 200 hidden neurons. */
static const char *const quick_digits3[] = { "rule.eta=1e-4" };

/* `voting`: the recordings and the script as they are; and where a decision is asked for. */
#define PLAIN \
    { \
        .name = "plain", .eta_factor = 1 \
    }
#define EARLY LIST(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60, 80)

/* [kind][full]. Where the paper tells a number, `full` has it; docs/50-experiments.md says which ones it leaves
 * open. */
/* clang-format off */
static const tern_exp_settings built_in[TERN_EXP_KINDS][2] = {
    [TERN_EXP_MEMORISE] = {
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(0, 20), .samples = LIST(1, 5, 10),
          .presentations = LIST(0, 4, 8, 12), .inference = LIST(20), .classes = LIST(0), .seeds = 3,
          .train_count = 1, .test_count = 1 },
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(0, 20, 500), .samples = LIST(1, 2, 5, 10, 20),
          .presentations = LIST(0, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200),
          .inference = LIST(20), .classes = LIST(0), .seeds = 5, .train_count = 1, .test_count = 1 } },
    [TERN_EXP_DIGITS2] = {
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(4), .samples = LIST(5), .presentations = LIST(0, 20, 50, 100),
          .inference = LIST(1, 5, 10, 20, 30), .classes = LIST(0, 1), .seeds = 5,
          .train_count = 50, .test_count = 50 },
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(4), .samples = LIST(5),
          .presentations = LIST(0, 10, 20, 50, 100, 200, 400, 800, 1800), .inference = LIST(1, 5, 10, 20, 30),
          .classes = LIST(0, 1), .seeds = 10, .train_count = 900, .test_count = 100 } },
    [TERN_EXP_DIGITS3] = {
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(40), .samples = LIST(1, 5, 10), .presentations = LIST(0, 20, 60),
          .inference = LIST(2), .classes = LIST(0, 1, 2), .seeds = 3,
          .train_count = 20, .test_count = 20, .n_sets = 1, .sets = quick_digits3 },
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(200), .samples = LIST(1, 2, 5, 10, 20),
          .presentations = LIST(0, 30, 60, 150, 300, 600, 1200, 1800, 2700), .inference = LIST(2),
          .classes = LIST(0, 1, 2), .seeds = 5, .train_count = 900, .test_count = 100 } },
    [TERN_EXP_RULES] = {
        { .rules = LIST(TERN_EXP_GEM, TERN_EXP_MB, TERN_EXP_IW), .hidden = LIST(20), .samples = LIST(1, 2, 5, 10),
          .presentations = LIST(60), .inference = { .n = 0 }, .classes = LIST(0, 1, 2),
          .seeds = 3, .train_count = 20, .test_count = 20 },
        { .rules = LIST(TERN_EXP_GEM, TERN_EXP_MB, TERN_EXP_IW), .hidden = LIST(20), .samples = LIST(1, 2, 5, 10, 20),
          .presentations = LIST(300, 900, 2700), .inference = { .n = 0 },
          .classes = LIST(0, 1, 2), .seeds = 10, .train_count = 900, .test_count = 100 } },
    [TERN_EXP_VOTING] = {
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(4), .samples = LIST(5), .presentations = LIST(100),
          .inference = LIST(1, 5, 20), .classes = LIST(0, 1), .seeds = 3, .train_count = 50, .test_count = 50,
          .lengths = LIST(80, 20, 5), .decide = EARLY, .target = 0.97, .n_variants = 1, .variants = { PLAIN } },
        { .rules = LIST(TERN_EXP_GEM), .hidden = LIST(4), .samples = LIST(5), .presentations = LIST(100),
          .inference = LIST(1, 2, 5, 10, 20), .classes = LIST(0, 1), .seeds = 10, .train_count = 50,
          .test_count = 100, .lengths = LIST(80, 40, 20, 10, 5, 3), .decide = EARLY, .target = 0.97, .n_variants = 10,
          .variants = {
              PLAIN,
              { .name = "constant-eta", .eta_factor = 1, .eta_fixed = true },
              { .name = "eta-times-4", .eta_factor = 4 },
              { .name = "mismatch", .eta_factor = 1, .n_camera = 1, .camera = { "mismatch=0.2" } },
              { .name = "dim", .eta_factor = 1, .n_camera = 1, .camera = { "contrast=0.6" } },
              { .name = "lossy", .eta_factor = 1, .n_camera = 1, .camera = { "refractory-us=200000" } },
              { .name = "half-lost", .eta_factor = 1, .n_camera = 1, .camera = { "loss=50" } },
              { .name = "jitter", .eta_factor = 1, .n_camera = 1, .camera = { "jitter-ms=50" } },
              { .name = "noise", .eta_factor = 1, .n_camera = 1, .camera = { "noise=2" } },
              { .name = "quiet-hidden", .eta_factor = 1, .n_sets = 1, .sets = { "hid.bias=-3" } },
          } } },
};
/* clang-format on */

bool tern_exp_is_camera(const char *pair)
{
    static const char *const keys[] = { "noise",         "mismatch",  "contrast", "threshold",
                                        "refractory-us", "period-ms", "loss",     "jitter-ms" };
    const size_t n = strcspn(pair, "=");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strlen(keys[i]) == n && memcmp(keys[i], pair, n) == 0) return true;
    return false;
}

void tern_exp_defaults(tern_exp_settings *s, tern_exp_kind kind, bool full)
{
    *s = built_in[kind][full];
    s->kind = kind;
}

const char *tern_exp_list_text(tern_arena *arena, const tern_exp_list *l)
{
    const char *text = "";
    for (size_t i = 0; i < l->n && text != NULL; ++i)
        text = tern_exp_text(arena, "%s%s%" PRIu32, text, i ? "," : "", l->v[i]);
    return text;
}

char *tern_exp_part(tern_exp *e, const tern_exp_training *t, const char *suffix)
{
    return tern_exp_text(&e->arena, "%s/parts/%s.%s", e->dir, t->name, suffix);
}

size_t tern_exp_inference(const tern_exp *e, const tern_exp_training *t, uint32_t out[TERN_EXP_LIST_MAX])
{
    out[0] = t->samples;
    if (e->set.inference.n == 0) return 1;
    if (e->set.kind == TERN_EXP_VOTING) { /* one run tells what fewer samples would have */
        out[0] = tern_exp_most(&e->set.inference);
        return 1;
    }
    memcpy(out, e->set.inference.v, e->set.inference.n * sizeof out[0]);
    return e->set.inference.n;
}

size_t tern_exp_decide(const tern_exp *e, uint32_t length, uint32_t out[TERN_EXP_LIST_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < e->set.decide.n && n + 1 < TERN_EXP_LIST_MAX; ++i)
        if (e->set.decide.v[i] < length) out[n++] = e->set.decide.v[i];
    out[n++] = length;
    return n;
}

const char *tern_exp_train_set(const tern_exp *e, const tern_exp_training *t)
{
    return e->set.n_variants == 0 ? e->train : e->set.variants[t->variant].train;
}

const char *tern_exp_test_set(const tern_exp *e, const tern_exp_training *t)
{
    return e->set.n_variants == 0 ? e->test : e->set.variants[t->variant].test;
}

static void add_set(tern_exp_command *c, const char *word)
{
    if (word == NULL) c->too_long = true;
    if (word == NULL) return;
    tern_exp_command_add(c, "--set");
    tern_exp_command_add(c, word);
}

/* What `voting` varies: the length of a presentation, the learning rate with it (so that an example teaches as much in
 * a short presentation as in a long one), and the variant's own settings. */
static void add_variant(tern_exp *e, const tern_exp_training *t, tern_exp_command *c)
{
    if (e->set.n_variants == 0) return;
    const tern_exp_variant *v = &e->set.variants[t->variant];
    const double longer = v->eta_fixed ? 1 : (double)e->n_steps / t->length;
    add_set(c, tern_exp_text(&e->arena, "data.steps=%" PRIu32, t->length));
    add_set(c, tern_exp_text(&e->arena, "rule.eta=%.4g", v->eta * v->eta_factor * longer));
    for (size_t i = 0; i < v->n_sets; ++i) add_set(c, v->sets[i]);
}

/* --set words that make this training's network of the script; `K`: also its samples (`tern train` has an option for
 * them). */
static void add_sets(tern_exp *e, const tern_exp_training *t, bool K, tern_exp_command *c)
{
    const char *word[4] = { tern_exp_text(&e->arena, "seed=%" PRIu32, t->seed),
                            tern_exp_text(&e->arena, "rule.kind=%s", tern_exp_rules[t->rule]),
                            t->hidden == 0 ? NULL : tern_exp_text(&e->arena, "hid.size=%" PRIu32, t->hidden),
                            K ? tern_exp_text(&e->arena, "rule.samples=%" PRIu32, t->samples) : NULL };
    const bool wanted[4] = { true, true, t->hidden != 0, K };
    for (size_t i = 0; i < 4; ++i) {
        if (wanted[i] && word[i] == NULL) c->too_long = true;
        if (word[i] == NULL) continue;
        tern_exp_command_add(c, "--set");
        tern_exp_command_add(c, word[i]);
    }
    for (size_t i = 0; i < e->set.n_sets; ++i) add_set(c, e->set.sets[i]);
    add_variant(e, t, c);
}

static const char *printed_set(tern_exp *e, const char *path)
{
    const size_t n = strlen(e->dir);
    return strncmp(path, e->dir, n) == 0 && path[n] == '/' ? tern_exp_text(&e->arena, "$DIR%s", path + n) : path;
}

void tern_exp_train_command(tern_exp *e, const tern_exp_training *t, uint32_t presentations, bool resume,
                            const char *executable, bool printed, tern_exp_command *out)
{
    const size_t variant = t->hidden == 0;
    tern_exp_command_begin(out, executable);
    tern_exp_command_add(out, "train");
    tern_exp_command_add(out, printed ? e->script_name[variant] : e->script[variant]);
    const char *data = tern_exp_train_set(e, t);
    tern_exp_command_pair(out, "--data", printed ? printed_set(e, data) : data);
    tern_exp_command_pair(out, "--samples", tern_exp_text(&e->arena, "%" PRIu32, t->samples));
    tern_exp_command_pair(out, "--seed", tern_exp_text(&e->arena, "%" PRIu32, t->seed));
    add_sets(e, t, false, out);
    tern_exp_command_pair(out, "--presentations", tern_exp_text(&e->arena, "%" PRIu32, presentations));
    if (!printed) tern_exp_command_pair(out, "--log", tern_exp_part(e, t, "jsonl"));
    tern_exp_command_pair(out, "-o",
                          printed ? tern_exp_text(&e->arena, "%s.tern", t->name) : tern_exp_part(e, t, "tern"));
    if (resume) tern_exp_command_add(out, "--resume");
    if (!printed) tern_exp_command_pair(out, "--threads", "1"); /* commands run side by side; no bit depends on it */
    if (!printed) tern_exp_command_add(out, "--json");
}

void tern_exp_eval_command(tern_exp *e, const tern_exp_training *t, uint32_t presentations, uint32_t inference,
                           const char *executable, bool printed, tern_exp_command *out)
{
    const size_t variant = t->hidden == 0;
    tern_exp_command_begin(out, executable);
    tern_exp_command_add(out, "eval");
    if (presentations == 0) tern_exp_command_add(out, printed ? e->script_name[variant] : e->script[variant]);
    else {
        const char *image = printed ? tern_exp_text(&e->arena, "%s.tern", t->name) : tern_exp_part(e, t, "tern");
        if (image == NULL) out->too_long = true;
        else tern_exp_command_add(out, image);
    }
    const char *data = tern_exp_test_set(e, t);
    tern_exp_command_pair(out, "--data", printed ? printed_set(e, data) : data);
    tern_exp_command_pair(out, "--samples", tern_exp_text(&e->arena, "%" PRIu32, inference));
    if (e->set.kind == TERN_EXP_VOTING) {
        tern_exp_list l;
        l.n = tern_exp_decide(e, t->length, l.v);
        tern_exp_command_pair(out, "--curve", tern_exp_list_text(&e->arena, &l));
        tern_exp_command_pair(out, "--curve-samples", tern_exp_list_text(&e->arena, &e->set.inference));
    }
    if (presentations == 0) add_sets(e, t, true, out);
    if (!printed) tern_exp_command_pair(out, "--threads", "1");
    if (!printed) tern_exp_command_add(out, "--json");
}
