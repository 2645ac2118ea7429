/* tern_sweep_open.c : a sweep's folder, its table and its data
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tern/data.h"
#include "tern_errors.h"
#include "tern_compiler.h"
#include "tern_frames_store.h"
#include "tern_sweep.h"

enum { E_TOO_MANY = 165, W_SAME_DATA = 166, KEPT_OUT_OF = 5 /* of so many recordings one is kept for the test */ };

/* ---- networks ---- */

/* Compiles the script with value v of axis `axis` and the first values of all others. */
static tern_status compile(tern_sweep *w, size_t axis, size_t v, tern_model *out, tern_diags *diags)
{
    const char *sets[TERN_SWEEP_AXES];
    for (size_t i = 0; i < w->set.n_axes; ++i) {
        sets[i] = tern_exp_text(&w->arena, "%s=%s", w->set.axes[i].key, w->set.axes[i].text[i == axis ? v : 0]);
        if (sets[i] == NULL) return TERN_ERR_MEMORY;
    }
    tern_diags own;
    tern_diags_init(&own);
    tern_arena scratch;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    const tern_compile_options options = { .n_sets = w->set.n_axes, .sets = sets };
    const tern_status s = tern_open_model(w->set.script, &options, &scratch, out, &own);
    tern_arena_free(&scratch); /* none of the model's pointers is used */
    if (s != TERN_OK) {
        *diags = own; /* the trainings report notes and warnings */
        tern_diags_add(diags, TERN_SEV_NOTE, TERN_ERROR_SWEEP_VALUES, w->set.script, 0, w->set.axes[axis].key,
                       "with --set %s=%s", w->set.axes[axis].key, w->set.axes[axis].text[v]);
    }
    return s;
}

static json_t *axes_json(const tern_sweep *w)
{
    json_t *list = tern_json_object();
    for (size_t i = 0; i < w->set.n_axes; ++i) {
        json_t *values = tern_json_list();
        for (size_t v = 0; v < w->set.axes[i].n; ++v) tern_json_add(values, tern_json_text(w->set.axes[i].text[v]));
        tern_json_put(list, w->set.axes[i].key, values);
    }
    return list;
}

static tern_status networks(tern_sweep *w, tern_diags *diags)
{
    tern_model *m = tern_arena_get(&w->arena, 1, sizeof *m);
    if (m == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < w->set.n_axes; ++i)
        for (size_t v = i == 0 ? 0 : 1; v < w->set.axes[i].n; ++v) { /* all first values: once */
            const tern_status s = compile(w, i, v, m, diags);
            if (s != TERN_OK) return s;
        }
    if (!m->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_DATA_SECTION, w->set.script, 0, "data",
                                      "the network does not say how recordings become frames"),
                       "add a data section to the script");
        return TERN_ERR_DATA;
    }
    w->n_steps = m->data.steps;
    if (w->set.metric < 0)
        w->set.metric = m->data.label_population >= 0     ? TERN_SWEEP_ACCURACY
                        : m->net.rule == TERN_RULE_REWARD ? TERN_SWEEP_DISTANCE
                                                          : TERN_SWEEP_LOG_LOSS;
    w->settings =
        tern_json_pack("{s:s, s:s, s:o, s:I, s:I}", "network", m->name, "script_sha256", m->source_sha256, "set",
                       axes_json(w), "seeds", (json_int_t)w->set.seeds, "inference", (json_int_t)w->set.inference);
    return w->settings == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static tern_status make_table(tern_sweep *w, tern_diags *diags)
{
    uint64_t n = 1;
    for (size_t i = 0; i < w->set.n_axes; ++i) n *= w->set.axes[i].n; /* 64^6 at most */
    if (n * w->set.seeds > TERN_TRIALS_MAX) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_TOO_MANY, NULL, 0, "--set",
                                      "%" PRIu64 " settings with %" PRIu32 " seeds are %" PRIu64
                                      " trainings, allowed are %d",
                                      n, w->set.seeds, n * w->set.seeds, TERN_TRIALS_MAX),
                       "fewer values, one key after the other, or fewer --seeds");
        return TERN_ERR_LIMIT;
    }
    w->n_settings = (size_t)n;
    return TERN_OK;
}

/* ---- data ---- */

static tern_status part_data(tern_sweep *w, const char *executable, tern_diags *diags)
{
    char *folder = tern_exp_text(&w->arena, "%s/data/lists", w->dir);
    w->train = tern_exp_text(&w->arena, "%s/data/lists/train.csv", w->dir);
    w->test = tern_exp_text(&w->arena, "%s/data/lists/test.csv", w->dir);
    if (folder == NULL || w->train == NULL || w->test == NULL) return TERN_ERR_MEMORY;
    if (access(w->train, R_OK) == 0 && access(w->test, R_OK) == 0) return TERN_OK;
    tern_exp_command c;
    tern_exp_command_begin(&c, executable);
    const char *const words[] = { "data",         "split", w->set.data, folder, "--train", "80",
                                  "--validation", "0",     "--test",    "20",   "--force" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) tern_exp_command_add(&c, words[i]);
    return tern_trials_run_one(w->dir, &c, &w->arena, diags);
}

static tern_status measure(const char *path, uint32_t *out_n, uint64_t *out_digest, tern_diags *diags)
{
    tern_arena arena;
    tern_frames_store f = { 0 };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    const tern_status s = tern_dataset_open(path, &arena, &f.set, diags);
    if (s == TERN_OK) {
        *out_n = (uint32_t)f.set.n;
        *out_digest = tern_frames_store_digest(&f);
    }
    tern_arena_free(&arena);
    return s;
}

tern_status tern_sweep_data(tern_sweep *w, const char *executable, tern_diags *diags)
{
    uint32_t n;
    uint64_t digest[2];
    tern_status s = measure(w->set.data, &n, &digest[0], diags);
    if (s != TERN_OK) return s;
    w->train = tern_arena_strdup(&w->arena, w->set.data);
    w->test = tern_arena_strdup(&w->arena, w->set.test != NULL ? w->set.test : w->set.data);
    if (w->train == NULL || w->test == NULL) return TERN_ERR_MEMORY;
    w->same_data = w->set.test == NULL && n < KEPT_OUT_OF;
    if (w->set.test == NULL && !w->same_data) s = part_data(w, executable, diags);
    if (w->same_data)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, W_SAME_DATA, w->set.data, 0, "--test",
                                      "%" PRIu32 " recording%s: what is measured is what was learnt", n,
                                      n == 1 ? "" : "s"),
                       "give other recordings with --test");
    if (s == TERN_OK) s = measure(w->train, &w->n_train, &digest[0], diags);
    if (s == TERN_OK) s = measure(w->test, &w->n_test, &digest[1], diags);
    if (s != TERN_OK) return s;
    char text[2][20];
    for (int i = 0; i < 2; ++i) snprintf(text[i], sizeof text[i], "%016" PRIx64, digest[i]);
    tern_json_put(w->settings, "train_data", tern_json_text(text[0]));
    tern_json_put(w->settings, "test_data", tern_json_text(text[1]));
    if (w->set.n_points == 0) {
        w->set.n_points = 1;
        w->set.points[0] = w->n_train;
    }
    json_t *points = tern_json_list();
    for (size_t i = 0; i < w->set.n_points; ++i) tern_json_add(points, json_integer(w->set.points[i]));
    tern_json_put(w->settings, "presentations", points);
    return TERN_OK;
}

static tern_status settle(tern_sweep *w, const char *executable, tern_diags *diags)
{
    const char *path = tern_exp_text(&w->arena, "%s/sweep.json", w->dir);
    json_t *before = NULL;
    tern_status s = path == NULL ? TERN_ERR_MEMORY : tern_exp_load_json(path, &before, diags);
    if (s == TERN_OK && before != NULL) s = tern_trials_compare(w->settings, before, path, "a sweep", false, diags);
    if (s == TERN_OK) s = tern_sweep_data(w, executable, diags);
    if (s == TERN_OK && before != NULL) s = tern_trials_compare(w->settings, before, path, "a sweep", false, diags);
    if (s == TERN_OK && tern_trials_other_seeds(w->settings, before)) s = tern_exp_save_json(w->settings, path, diags);
    json_decref(before);
    return s;
}

tern_status tern_sweep_open(tern_sweep *w, const tern_sweep_settings *set, const char *dir, tern_diags *diags)
{
    *w = (tern_sweep){ .set = *set, .dir = dir, .lock = -1 };
    tern_arena_init(&w->arena, tern_alloc_default(), 0);
    char executable[4096];
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK) s = make_table(w, diags);
    if (s == TERN_OK) s = networks(w, diags);
    if (s == TERN_OK) s = tern_trials_folder(dir, "sweep.json", "sweep", &w->arena, &w->lock, diags);
    if (s == TERN_OK) s = settle(w, executable, diags);
    if (s == TERN_OK) tern_sweep_trials(w);
    return s;
}

void tern_sweep_close(tern_sweep *w)
{
    if (w->lock >= 0) close(w->lock);
    json_decref(w->settings);
    tern_arena_free(&w->arena);
    *w = (tern_sweep){ .lock = -1 };
}
