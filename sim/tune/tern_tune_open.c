/* tern_tune_open.c : the folder and the data of a search, and the hardware of a setting
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_compiler.h"
#include "tern_errors.h"
#include "tern_costs.h"
#include "tern_tune.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const tern_tune_keys[TERN_TUNE_KEYS] = { "weight", "trace", "learn", "signal", "lags" };

static const char *set_text(tern_tune *t, const tern_tune_setting *x, size_t key)
{
    return key == TERN_TUNE_WEIGHT ? tern_exp_text(&t->base.arena, "formats.weight={%d,%d}", x->value[key], x->fraction)
                                   : tern_exp_text(&t->base.arena, "formats.%s=%d", tern_tune_keys[key], x->value[key]);
}

void tern_tune_add_sets(tern_tune *t, const tern_tune_setting *x, tern_exp_command *c)
{
    for (size_t key = 0; key < TERN_TUNE_KEYS; ++key) {
        if (!x->given[key]) continue;
        const char *text = set_text(t, x, key);
        tern_exp_command_add(c, "--set");
        if (text == NULL) c->too_long = true;
        else tern_exp_command_add(c, text);
    }
}

void tern_tune_add_common(const tern_tune *t, tern_exp_command *c)
{
    for (size_t i = 0; i < t->set.n_sets; ++i) {
        tern_exp_command_add(c, "--set");
        tern_exp_command_add(c, t->set.sets[i]);
    }
}

static const char *words_of(tern_tune *t, const tern_tune_setting *x)
{
    tern_exp_command c;
    if (x->reference) return "--engine reference";
    tern_exp_command_begin(&c, "");
    tern_tune_add_sets(t, x, &c);
    const char *text = c.too_long ? NULL : tern_exp_command_text(&c, &t->base.arena); /* "tern --set ..." */
    return text == NULL ? NULL : text + strcspn(text, " ") + (text[strcspn(text, " ")] == ' ');
}

const char *tern_tune_words(tern_tune *t, size_t setting) { return words_of(t, &t->settings[setting]); }

/* ---- hardware ---- */

static tern_status hardware_of(tern_tune *t, const tern_model *m, tern_arena *scratch, tern_tune_setting *x,
                               tern_diags *diags)
{
    tern_plan plan;
    tern_memory memories[TERN_CORE_MEMORIES];
    tern_fit fit;
    tern_step_cycles cycles;
    tern_status s = tern_plan_make(&m->net, t->set.lanes, m->net.n_samples, scratch, &plan, diags);
    if (s == TERN_OK) s = tern_plan_label_classes(&plan, m, TERN_DECODE_RATE, diags);
    if (s == TERN_OK) s = tern_target_core(t->set.target, TERN_CORE_AUTO, &plan, diags);
    if (s != TERN_OK) return s;
    x->memory = 0;
    const size_t n = tern_core_memories(&plan.need, memories);
    for (size_t i = 0; i < n; ++i) x->memory += tern_memory_bits(&memories[i]);
    tern_target_fit_core(t->set.target, &plan.need, &fit);
    tern_costs_cycles(&plan, &cycles);
    x->cells = fit.cells;
    x->fits = fit.fits;
    x->cycles = cycles.learning;
    return TERN_OK;
}

static tern_status compile(tern_tune *t, tern_tune_setting *x, tern_model *m, tern_diags *diags)
{
    const char **sets = tern_arena_get(&t->base.arena, TERN_TUNE_KEYS + t->set.n_sets, sizeof *sets);
    size_t n = t->set.n_sets;
    if (sets == NULL) return TERN_ERR_MEMORY;
    if (n != 0) memcpy(sets, t->set.sets, n * sizeof *sets);
    for (size_t key = 0; key < TERN_TUNE_KEYS; ++key)
        if (x->given[key] && (sets[n++] = set_text(t, x, key)) == NULL) return TERN_ERR_MEMORY;
    tern_arena scratch;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    const tern_compile_options options = { .n_sets = n, .sets = sets };
    tern_status s = tern_open_model(t->set.script, &options, &scratch, m, diags);
    if (s == TERN_OK) s = hardware_of(t, m, &scratch, x, diags);
    tern_arena_free(&scratch); /* none of the model's pointers is used */
    return s;
}

tern_status tern_tune_hardware(tern_tune *t, tern_tune_setting *x, const char **out_why)
{
    tern_diags own;
    tern_model *m = tern_arena_get(&t->base.arena, 1, sizeof *m);
    *out_why = NULL;
    if (m == NULL) return TERN_ERR_MEMORY;
    tern_diags_init(&own);
    const tern_status s = compile(t, x, m, &own);
    if (s == TERN_ERR_MEMORY) return s;
    size_t i = 0;
    while (i < own.n && own.list[i].severity != TERN_SEV_ERROR) ++i;
    if (s != TERN_OK) *out_why = i < own.n ? tern_exp_text(&t->base.arena, "%s", own.list[i].message) : "refused";
    return s != TERN_OK && *out_why == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- the search as a whole ---- */

static tern_status network(tern_tune *t, tern_diags *diags)
{
    tern_model *m = tern_arena_get(&t->base.arena, 1, sizeof *m);
    if (m == NULL) return TERN_ERR_MEMORY;
    const tern_status s = compile(t, &t->settings[0], m, diags); /* of the script as it is */
    if (s != TERN_OK) return s;
    if (!m->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_DATA_SECTION, t->set.script, 0, "data",
                                      "the network does not say how recordings become frames"),
                       "add a data section to the script");
        return TERN_ERR_DATA;
    }
    t->lags = m->net.lags_w;
    t->signal = m->net.rule != TERN_RULE_GEM;
    t->base.settings = tern_json_pack("{s:s, s:s, s:I, s:I}", "network", m->name, "script_sha256", m->source_sha256,
                                      "seeds", (json_int_t)t->set.seeds, "inference", (json_int_t)t->set.inference);
    json_t *list = tern_json_list();
    for (size_t i = 0; i < t->set.n_sets; ++i) tern_json_add(list, tern_json_text(t->set.sets[i]));
    tern_json_put(t->base.settings, "set", list);
    return t->base.settings == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* Whatever a training depends on: `within`, target and lanes only choose among them. */
static tern_status settle(tern_tune *t, const char *executable, tern_diags *diags)
{
    const char *path = tern_exp_text(&t->base.arena, "%s/tuning.json", t->base.dir);
    json_t *before = NULL;
    tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &before, diags);
    if (s == TERN_OK && before != NULL)
        s = tern_trials_compare(t->base.settings, before, path, "a search", false, diags);
    if (s == TERN_OK) s = tern_sweep_data(&t->base, executable, diags);
    if (s == TERN_OK && before != NULL)
        s = tern_trials_compare(t->base.settings, before, path, "a search", false, diags);
    if (s == TERN_OK && tern_trials_other_seeds(t->base.settings, before))
        s = tern_exp_save_json(t->base.settings, path, diags);
    json_decref(before);
    return s;
}

tern_status tern_tune_open(tern_tune *t, const tern_tune_settings *set, const char *dir, tern_diags *diags)
{
    char executable[4096];
    *t = (tern_tune){ .set = *set };
    t->base = (tern_sweep){ .dir = dir, .lock = -1 };
    t->base.set = (tern_sweep_settings){ .script = set->script, .data = set->data, .test = set->test };
    if (set->presentations != 0) {
        t->base.set.n_points = 1;
        t->base.set.points[0] = set->presentations;
    }
    tern_arena_init(&t->base.arena, tern_alloc_default(), 0);
    t->settings = tern_arena_get(&t->base.arena, TERN_TUNE_SETTINGS, sizeof *t->settings);
    if (t->settings == NULL) return TERN_ERR_MEMORY;
    t->settings[0] = (tern_tune_setting){ .reference = true };
    t->n = 1;
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK) s = network(t, diags);
    if (s == TERN_OK) s = tern_trials_folder(dir, "tuning.json", "search", &t->base.arena, &t->base.lock, diags);
    return s == TERN_OK ? settle(t, executable, diags) : s;
}

void tern_tune_close(tern_tune *t)
{
    tern_sweep_close(&t->base);
    *t = (tern_tune){ .n = 0, .base = { .lock = -1 } };
}
