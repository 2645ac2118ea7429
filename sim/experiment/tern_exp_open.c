/* tern_exp_open.c : an experiment's folder: who may use it, what it was made with, and the table of trainings
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tern_args.h"
#include "tern_errors.h"
#include "tern_compiler.h"
#include "tern_exp_internal.h"

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static json_t *list_json(const tern_exp_list *l)
{
    json_t *a = tern_json_list();
    for (size_t i = 0; i < l->n; ++i) tern_json_add(a, json_integer(l->v[i]));
    return a;
}

/* Where the data come from, without folders: the digests tell data sets apart. */
static json_t *source_json(const tern_exp_settings *o)
{
    return tern_json_text(o->data != NULL ? "given" : o->images != NULL ? "images" : "generated");
}

static json_t *variant_json(const tern_exp_variant *v)
{
    json_t *pairs = tern_json_list();
    for (size_t i = 0; i < v->n_camera; ++i) tern_json_add(pairs, tern_json_text(v->camera[i]));
    for (size_t i = 0; i < v->n_sets; ++i) tern_json_add(pairs, tern_json_text(v->sets[i]));
    return tern_json_pack("{s:s, s:o, s:o, s:o}", "name", v->name, "set", pairs, "eta_factor",
                          tern_json_real(v->eta_factor), "eta_fixed", json_boolean(v->eta_fixed));
}

static json_t *settings_json(const tern_exp *e, const tern_model *model, const tern_model *without)
{
    const tern_exp_settings *o = &e->set;
    json_t *rules = tern_json_list(), *sets = tern_json_list();
    for (size_t i = 0; i < o->rules.n; ++i) tern_json_add(rules, tern_json_text(tern_exp_rules[o->rules.v[i]]));
    for (size_t i = 0; i < o->n_sets; ++i) tern_json_add(sets, tern_json_text(o->sets[i]));
    json_t *s = tern_json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:I, s:I, s:o}", "experiment",
                               tern_exp_names[o->kind], "network", model->name, "script_sha256", model->source_sha256,
                               "rules", rules, "hidden", list_json(&o->hidden), "samples", list_json(&o->samples),
                               "presentations", list_json(&o->presentations), "inference", list_json(&o->inference),
                               "seeds", (json_int_t)o->seeds, "set", sets, "classes", list_json(&o->classes),
                               "train_recordings", (json_int_t)o->train_count, "test_recordings",
                               (json_int_t)o->test_count, "data", source_json(o));
    if (s != NULL && o->kind == TERN_EXP_VOTING) {
        json_t *variants = tern_json_list();
        for (size_t i = 0; i < o->n_variants; ++i) tern_json_add(variants, variant_json(&o->variants[i]));
        tern_json_put(s, "variants", variants);
        tern_json_put(s, "lengths", list_json(&o->lengths));
        tern_json_put(s, "decide", list_json(&o->decide));
        tern_json_put(s, "target", tern_json_real(o->target));
    }
    if (s != NULL && without != NULL)
        tern_json_put(s, "script_without_hidden_sha256", tern_json_text(without->source_sha256));
    return s;
}

/* ---- networks ---------------------------------------------------------------------------------------------------- */

/* `out_name`, for pages: as given, of an absolute path the last part. Results do not tell where folders lie. */
static char *script_path(tern_exp *e, const char *name, const char **out_name)
{
    *out_name = name[0] == '/' ? strrchr(name, '/') + 1 : name;
    return e->set.model != NULL ? tern_arena_strdup(&e->arena, name)
                                : tern_exp_text(&e->arena, "%s/%s", e->set.share, name);
}

/* Compiles a script with a training's settings: mistakes are reported before anything runs. `also`: of a variant, may
 * be NULL. */
static tern_status open_network(tern_exp *e, size_t variant, uint32_t hidden, const tern_exp_variant *also,
                                tern_model *out, tern_diags *diags)
{
    tern_arg_list sets = { 0 };
    char size[40];
    snprintf(size, sizeof size, "hid.size=%" PRIu32, hidden);
    if (hidden != 0) sets.items[sets.n++] = size;
    for (size_t i = 0; i < e->set.n_sets; ++i) sets.items[sets.n++] = e->set.sets[i];
    for (size_t i = 0; also != NULL && i < also->n_sets; ++i) sets.items[sets.n++] = also->sets[i];
    tern_diags own;
    tern_diags_init(&own);
    const tern_compile_options options = { .n_sets = sets.n, .sets = sets.items };
    const tern_status s = tern_open_model(e->script[variant], &options, &e->arena, out, &own);
    if (s != TERN_OK) { /* the trainings report notes and warnings */
        *diags = own;
        return s;
    }
    if (!out->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_DATA_SECTION, e->script[variant], 0, "data",
                                      "the network does not say how recordings become frames"),
                       "add a data section to the script");
        return TERN_ERR_DATA;
    }
    return TERN_OK;
}

/* Learning rates of the variants of `voting`, and the lengths where none are given. */
static tern_status variants(tern_exp *e, tern_diags *diags)
{
    if (e->set.n_variants == 0) return TERN_OK;
    const uint32_t hidden = e->set.hidden.v[0];
    tern_model *model = tern_arena_get(&e->arena, 1, sizeof *model);
    if (model == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < e->set.n_variants; ++i) {
        const tern_status s = open_network(e, hidden == 0, hidden, &e->set.variants[i], model, diags);
        if (s != TERN_OK) return s;
        e->set.variants[i].eta = model->rule.eta;
    }
    if (e->set.lengths.n == 0) e->set.lengths = (tern_exp_list){ .n = 1, .v = { e->n_steps } };
    return TERN_OK;
}

static tern_status networks(tern_exp *e, tern_diags *diags)
{
    static const char *const own[TERN_EXP_KINDS] = { "models/memorise/memorise.lua", "models/digits2/digits2.lua",
                                                     "models/digits3/digits3.lua", "models/rules/rules.lua",
                                                     "models/digits2/digits2.lua" };
    tern_model *model[2] = { tern_arena_get(&e->arena, 1, sizeof *model[0]),
                             tern_arena_get(&e->arena, 1, sizeof *model[1]) };
    bool have[2] = { false, false };
    if (model[0] == NULL || model[1] == NULL) return TERN_ERR_MEMORY;
    e->script[0] = script_path(e, e->set.model != NULL ? e->set.model : own[e->set.kind], &e->script_name[0]);
    const bool own_pair = e->set.kind == TERN_EXP_MEMORISE; /* elsewhere a given script has no hidden neurons itself */
    e->script[1] = script_path(e, own_pair || e->set.model == NULL ? "models/memorise/memorise0.lua" : e->set.model,
                               &e->script_name[1]);
    if (e->script[0] == NULL || e->script[1] == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        const size_t variant = e->set.hidden.v[i] == 0;
        const tern_status s = open_network(e, variant, e->set.hidden.v[i], NULL, model[variant], diags);
        if (s != TERN_OK) return s;
        have[variant] = true;
        e->n_steps = model[variant]->data.steps;
        e->window_us = model[variant]->data.window_us;
        e->n_visible = model[variant]->net.n_visible;
    }
    const tern_status s = variants(e, diags);
    if (s != TERN_OK) return s;
    e->settings = settings_json(e, have[0] ? model[0] : model[1], have[0] && have[1] ? model[1] : NULL);
    return e->settings == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void add_trainings(tern_exp *e, uint32_t variant, uint32_t length)
{
    const tern_exp_settings *o = &e->set;
    for (size_t r = 0; r < o->rules.n; ++r)
        for (size_t h = 0; h < o->hidden.n; ++h)
            for (size_t k = 0; k < o->samples.n; ++k)
                for (uint32_t seed = 1; seed <= o->seeds; ++seed) {
                    tern_exp_training *t = &e->trainings[e->n_trainings++];
                    char before[40] = "";
                    *t = (tern_exp_training){ .rule = o->rules.v[r],
                                              .hidden = o->hidden.v[h],
                                              .seed = seed,
                                              .samples = o->samples.v[k],
                                              .variant = variant,
                                              .length = length };
                    if (o->n_variants != 0)
                        snprintf(before, sizeof before, "%s-t%" PRIu32 "-", o->variants[variant].name, length);
                    snprintf(t->name, sizeof t->name, "%s%s-h%" PRIu32 "-k%02" PRIu32 "-s%" PRIu32, before,
                             tern_exp_rules[t->rule], t->hidden, t->samples, seed);
                }
}

static tern_status make_table(tern_exp *e, tern_diags *diags)
{
    const tern_exp_settings *o = &e->set;
    const size_t n_variants = o->n_variants == 0 ? 1 : o->n_variants, n_lengths = o->n_variants == 0 ? 1 : o->lengths.n;
    const uint64_t n = (uint64_t)o->rules.n * o->hidden.n * o->samples.n * o->seeds * n_variants * n_lengths;
    if (n > TERN_EXP_TRAININGS_MAX) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_TOO_MANY, NULL, 0, "--seeds",
                                      "%" PRIu64 " trainings, allowed are %d", n, TERN_EXP_TRAININGS_MAX),
                       "fewer seeds, or shorter lists");
        return TERN_ERR_LIMIT;
    }
    e->trainings = tern_arena_get(&e->arena, (size_t)n, sizeof *e->trainings);
    if (e->trainings == NULL) return TERN_ERR_MEMORY;
    for (size_t v = 0; v < n_variants; ++v)
        for (size_t i = 0; i < n_lengths; ++i) add_trainings(e, (uint32_t)v, o->n_variants == 0 ? 0 : o->lengths.v[i]);
    return TERN_OK;
}

static tern_status settle(tern_exp *e, const char *executable, const char *settings_path, tern_diags *diags)
{
    json_t *before = NULL;
    tern_status s = tern_exp_load_json(settings_path, &before, diags);
    if (s == TERN_OK && before != NULL)
        s = tern_trials_compare(e->settings, before, settings_path, "an experiment", e->set.data == NULL, diags);
    if (s == TERN_OK && before == NULL) s = tern_exp_save_json(e->settings, settings_path, diags);
    if (s == TERN_OK) s = tern_exp_prepare_data(e, executable, diags);
    if (s == TERN_OK) {
        char digest[2][20];
        snprintf(digest[0], sizeof digest[0], "%016" PRIx64, e->train_digest);
        snprintf(digest[1], sizeof digest[1], "%016" PRIx64, e->test_digest);
        tern_json_put(e->settings, "train_data", tern_json_text(digest[0]));
        tern_json_put(e->settings, "test_data", tern_json_text(digest[1]));
        tern_json_put(e->settings, "steps", json_integer(e->n_steps));
        tern_json_put(e->settings, "visible", json_integer(e->n_visible));
        if (before != NULL && json_object_get(before, "train_data") != NULL)
            s = tern_trials_compare(e->settings, before, settings_path, "an experiment", e->set.data == NULL, diags);
        if (s == TERN_OK &&
            (tern_trials_other_seeds(e->settings, before) || json_object_get(before, "train_data") == NULL))
            s = tern_exp_save_json(e->settings, settings_path, diags);
    }
    json_decref(before);
    return s;
}

tern_status tern_exp_open(tern_exp *e, const tern_exp_settings *set, const char *dir, tern_diags *diags)
{
    *e = (tern_exp){ .set = *set, .dir = dir, .lock = -1 };
    tern_arena_init(&e->arena, tern_alloc_default(), 0);
    char executable[4096];
    char *settings_path = tern_exp_text(&e->arena, "%s/experiment.json", dir);
    if (settings_path == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK) s = networks(e, diags);
    if (s == TERN_OK) s = make_table(e, diags);
    if (s == TERN_OK) s = tern_trials_folder(dir, "experiment.json", "experiment", &e->arena, &e->lock, diags);
    return s == TERN_OK ? settle(e, executable, settings_path, diags) : s;
}

void tern_exp_close(tern_exp *e)
{
    if (e->lock >= 0) close(e->lock);
    json_decref(e->settings);
    tern_arena_free(&e->arena);
    *e = (tern_exp){ .lock = -1 };
}
