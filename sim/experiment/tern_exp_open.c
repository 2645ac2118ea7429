/* tern_exp_open.c : an experiment's folder: who may use it, what it was made with, and the table of trainings
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern_args.h"
#include "tern_compiler.h"
#include "tern_interrupt.h"
#include "tern_exp_internal.h"

enum { JSON_BYTES_MAX = 64 << 20 };

tern_status tern_exp_save_json(const json_t *value, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    tern_status s = value == NULL || tern_json_faults() != 0 ? TERN_ERR_MEMORY : tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    const bool ok = tern_json_write(value, w.f, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) && fputc('\n', w.f) != EOF;
    if (!ok) {
        tern_file_abort(&w);
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 302, path, 0, NULL, "the file cannot be written"), "check its rights and the space left");
        return TERN_ERR_IO;
    }
    return tern_file_commit(&w, diags);
}

tern_status tern_exp_load_json(const char *path, json_t **out, tern_diags *diags)
{
    struct stat info;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_alloc alloc = tern_alloc_default();
    *out = NULL;
    if (stat(path, &info) != 0 && errno == ENOENT) return TERN_OK;
    const tern_status s = tern_file_read(path, JSON_BYTES_MAX, alloc, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    json_error_t why;
    const unsigned long before = tern_json_faults();
    *out = tern_json_load((const char *)bytes, size, JSON_REJECT_DUPLICATES, &why);
    alloc.fn(alloc.ud, bytes, 0);
    if (tern_json_faults() != before) return TERN_ERR_MEMORY; /* which is no damage of the file */
    if (json_is_object(*out)) return TERN_OK;
    tern_diag *diag = tern_diags_add(diags, TERN_SEV_ERROR, 754, path, *out == NULL ? why.line : 1, NULL, "damaged: %s", *out == NULL ? why.text : "no JSON object");
    const char *slash = strrchr(path, '/');
    if (slash != NULL && strcmp(slash, "/experiment.json") == 0) /* without it nobody knows what the folder's trainings were made with */
        tern_diag_hint(diag, "it describes the trainings in the folder: remove the folder %.*s, or give another one", (int)(slash - path), path);
    else tern_diag_hint(diag, "remove this file; what it held is made again");
    json_decref(*out);
    *out = NULL;
    return TERN_ERR_FORMAT;
}

tern_status tern_exp_make_folder(const char *path, tern_diags *diags)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 750, path, 0, "-o", "the folder cannot be made: %s", errno == EEXIST ? "there is a file of this name" : strerror(errno)),
                   "name a folder that is new or holds this experiment; the folder it is in must exist");
    return TERN_ERR_IO;
}

/* ---- settings -------------------------------------------------------------------------------------------------------------------- */

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
    if (s != NULL && without != NULL)
        tern_json_put(s, "script_without_hidden_sha256", tern_json_text(without->source_sha256));
    return s;
}

/* Each setting must be what the folder was made with; reports the first that is not. `made_data`: the recordings are in the folder, the experiment makes them. */
static tern_status compare(json_t *now, json_t *before, const char *path, bool made_data, tern_diags *diags)
{
    const char *key;
    json_t *value;
    json_object_foreach(now, key, value) {
        json_t *old = json_object_get(before, key);
        if (old != NULL && json_equal(value, old)) continue;
        char *a = tern_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY),
             *b = old == NULL ? NULL : tern_json_dump(old, JSON_COMPACT | JSON_ENCODE_ANY);
        tern_diag *diag = tern_diags_add(diags, TERN_SEV_ERROR, 751, path, 0, key, "this folder holds an experiment with other settings: %s is %.120s, there it is %.120s", key, a ? a : "?",
                                         b ? b : "not given");
        if (made_data && (strcmp(key, "train_data") == 0 || strcmp(key, "test_data") == 0))
            tern_diag_hint(diag, "the recordings in %.*s/data were changed or damaged: remove that folder, they are made again", (int)(strrchr(path, '/') - path), path);
        else tern_diag_hint(diag, "give the same settings to continue with it, or another folder; `experiment.json` lists its settings");
        free(a);
        free(b);
        return TERN_ERR_ARGUMENT;
    }
    return TERN_OK;
}

/* ---- networks -------------------------------------------------------------------------------------------------------------------- */

/* `out_name`, for pages: as given, of an absolute path the last part. Results do not tell where folders lie. */
static char *script_path(tern_exp *e, const char *name, const char **out_name)
{
    *out_name = name[0] == '/' ? strrchr(name, '/') + 1 : name;
    return e->set.model != NULL ? tern_arena_strdup(&e->arena, name) : tern_exp_text(&e->arena, "%s/%s", e->set.share, name);
}

/* Compiles a script with a training's settings: mistakes are reported before anything runs. */
static tern_status open_network(tern_exp *e, size_t variant, uint32_t hidden, tern_model *out, tern_diags *diags)
{
    tern_arg_list sets = { 0 };
    char size[40];
    snprintf(size, sizeof size, "hid.size=%" PRIu32, hidden);
    if (hidden != 0) sets.items[sets.n++] = size;
    for (size_t i = 0; i < e->set.n_sets; ++i) sets.items[sets.n++] = e->set.sets[i];
    tern_diags own;
    tern_diags_init(&own);
    const tern_compile_options options = { .n_sets = sets.n, .sets = sets.items };
    const tern_status s = tern_open_model(e->script[variant], &options, &e->arena, out, &own);
    if (s != TERN_OK) { /* the trainings report notes and warnings */
        *diags = own;
        return s;
    }
    if (!out->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 119, e->script[variant], 0, "data", "the network does not say how recordings become frames"), "add a data section to the script");
        return TERN_ERR_DATA;
    }
    return TERN_OK;
}

static tern_status networks(tern_exp *e, tern_diags *diags)
{
    static const char *const own[TERN_EXP_KINDS] = { "models/memorise/memorise.lua", "models/digits2/digits2.lua", "models/digits3/digits3.lua", "models/rules/rules.lua" };
    tern_model *model[2] = { tern_arena_get(&e->arena, 1, sizeof *model[0]), tern_arena_get(&e->arena, 1, sizeof *model[1]) };
    bool have[2] = { false, false };
    if (model[0] == NULL || model[1] == NULL) return TERN_ERR_MEMORY;
    e->script[0] = script_path(e, e->set.model != NULL ? e->set.model : own[e->set.kind], &e->script_name[0]);
    e->script[1] = script_path(e, "models/memorise/memorise0.lua", &e->script_name[1]);
    if (e->script[0] == NULL || e->script[1] == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < e->set.hidden.n; ++i) {
        const size_t variant = e->set.hidden.v[i] == 0;
        const tern_status s = open_network(e, variant, e->set.hidden.v[i], model[variant], diags);
        if (s != TERN_OK) return s;
        have[variant] = true;
        e->n_steps = model[variant]->data.steps;
        e->n_visible = model[variant]->net.n_visible;
    }
    e->settings = settings_json(e, have[0] ? model[0] : model[1], have[0] && have[1] ? model[1] : NULL);
    return e->settings == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------------- */

static tern_status make_table(tern_exp *e, tern_diags *diags)
{
    const tern_exp_settings *o = &e->set;
    const uint64_t n = (uint64_t)o->rules.n * o->hidden.n * o->samples.n * o->seeds;
    if (n > TERN_EXP_TRAININGS_MAX) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 758, NULL, 0, "--seeds", "%" PRIu64 " trainings, allowed are %d", n, TERN_EXP_TRAININGS_MAX), "fewer seeds, or shorter lists");
        return TERN_ERR_LIMIT;
    }
    e->trainings = tern_arena_get(&e->arena, (size_t)n, sizeof *e->trainings);
    if (e->trainings == NULL) return TERN_ERR_MEMORY;
    for (size_t r = 0; r < o->rules.n; ++r)
        for (size_t h = 0; h < o->hidden.n; ++h)
            for (size_t k = 0; k < o->samples.n; ++k)
                for (uint32_t seed = 1; seed <= o->seeds; ++seed) {
                    tern_exp_training *t = &e->trainings[e->n_trainings++];
                    *t = (tern_exp_training){ .rule = o->rules.v[r], .hidden = o->hidden.v[h], .samples = o->samples.v[k], .seed = seed };
                    snprintf(t->name, sizeof t->name, "%s-h%" PRIu32 "-k%02" PRIu32 "-s%" PRIu32, tern_exp_rules[t->rule], t->hidden, t->samples, seed);
                }
    return TERN_OK;
}

/* ---- the folder ------------------------------------------------------------------------------------------------------------------ */

enum { LOCK_TRIES = 400 }; /* 2 s: what a killed experiment's children need to save and end */

/* Has the process of this number the file open? */
static bool has_open(const char *pid, const char *file)
{
    char name[600], to[PATH_MAX];
    snprintf(name, sizeof name, "/proc/%.20s/fd", pid);
    DIR *d = opendir(name); /* of other users: NULL */
    bool found = false;
    for (const struct dirent *entry; d != NULL && !found && (entry = readdir(d)) != NULL;) {
        snprintf(name, sizeof name, "/proc/%.20s/fd/%.255s", pid, entry->d_name);
        const ssize_t n = readlink(name, to, sizeof to);
        found = n > 0 && (size_t)n == strlen(file) && memcmp(to, file, (size_t)n) == 0;
    }
    if (d != NULL) closedir(d);
    return found;
}

/* The processes that hold a lock, as "123 124": the experiment, and children that inherited the lock. "": none that can be seen. */
static void holders(const char *lock, char *out, size_t bytes)
{
    char *file = realpath(lock, NULL), own[24];
    DIR *d = file == NULL ? NULL : opendir("/proc");
    size_t n = 0;
    out[0] = 0;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    for (const struct dirent *entry; d != NULL && n + 24 < bytes && (entry = readdir(d)) != NULL;)
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) && strcmp(entry->d_name, own) != 0 && has_open(entry->d_name, file))
            n += (size_t)snprintf(out + n, bytes - n, "%s%.20s", n != 0 ? " " : "", entry->d_name);
    if (d != NULL) closedir(d);
    free(file);
}

/* One experiment at a time. Children inherit the lock: as long as one of them writes, nobody else does. */
static tern_status lock_folder(tern_exp *e, tern_diags *diags)
{
    char *path = tern_exp_text(&e->arena, "%s/lock", e->dir), who[200];
    if (path == NULL) return TERN_ERR_MEMORY;
    e->lock = open(path, O_RDWR | O_CREAT, 0666);
    bool busy = e->lock >= 0;
    for (int i = 0; busy && i < LOCK_TRIES && !tern_interrupted(); ++i) {
        if (flock(e->lock, LOCK_EX | LOCK_NB) == 0) return TERN_OK;
        busy = errno == EWOULDBLOCK;
        if (busy) tern_exp_child_pause();
    }
    if (!busy) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 750, e->dir, 0, "-o", "the folder cannot be used: %s", strerror(errno)), "check its rights and the space left");
        return TERN_ERR_IO;
    }
    holders(path, who, sizeof who);
    tern_diag *diag = tern_diags_add(diags, TERN_SEV_ERROR, 755, e->dir, 0, "-o", "another experiment is running in this folder, or commands that one left; its lock is held by %s%s",
                                     who[0] == 0 ? "a process that cannot be seen" : strchr(who, ' ') != NULL ? "processes " : "process ", who);
    if (who[0] == 0) tern_diag_hint(diag, "wait for it, or give another folder");
    else tern_diag_hint(diag, "wait for it, stop it with 'kill %s' (what is finished is kept), or give another folder", who);
    return TERN_ERR_IO;
}

/* A folder with other things in it is not ours to write into; `lock` and `data` are all that an experiment leaves which was stopped at once. */
static tern_status check_folder(const char *dir, const char *settings_path, tern_diags *diags)
{
    struct stat info;
    DIR *d = stat(settings_path, &info) == 0 ? NULL : (errno = 0, opendir(dir));
    if (d == NULL && errno == ENOMEM) return TERN_ERR_MEMORY;
    if (d == NULL) return TERN_OK; /* ours, or no folder: making it will tell more */
    bool foreign = false;
    for (const struct dirent *entry; !foreign && (entry = readdir(d)) != NULL;) {
        static const char *const own[] = { ".", "..", "lock", "parts", "data" };
        foreign = true;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) foreign = foreign && strcmp(entry->d_name, own[i]) != 0;
    }
    closedir(d);
    if (!foreign) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 750, dir, 0, "-o", "the folder is not empty and holds no experiment"), "name a new folder");
    return TERN_ERR_IO;
}

static tern_status settle(tern_exp *e, const char *executable, const char *settings_path, tern_diags *diags)
{
    json_t *before = NULL;
    tern_status s = tern_exp_load_json(settings_path, &before, diags);
    if (s == TERN_OK && before != NULL) s = compare(e->settings, before, settings_path, e->set.data == NULL, diags);
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
        if (before != NULL && json_object_get(before, "train_data") != NULL) s = compare(e->settings, before, settings_path, e->set.data == NULL, diags);
        else s = tern_exp_save_json(e->settings, settings_path, diags);
    }
    json_decref(before);
    return s;
}

tern_status tern_exp_open(tern_exp *e, const tern_exp_settings *set, const char *dir, tern_diags *diags)
{
    *e = (tern_exp){ .set = *set, .dir = dir, .lock = -1 };
    tern_arena_init(&e->arena, tern_alloc_default(), 0);
    char executable[4096];
    char *settings_path = tern_exp_text(&e->arena, "%s/experiment.json", dir), *parts = tern_exp_text(&e->arena, "%s/parts", dir), *data = tern_exp_text(&e->arena, "%s/data", dir);
    if (settings_path == NULL || parts == NULL || data == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_exp_executable(executable, sizeof executable, diags);
    if (s == TERN_OK) s = networks(e, diags);
    if (s == TERN_OK) s = make_table(e, diags);
    if (s == TERN_OK) s = check_folder(dir, settings_path, diags);
    if (s == TERN_OK) s = tern_exp_make_folder(dir, diags);
    if (s == TERN_OK) s = lock_folder(e, diags);
    if (s == TERN_OK) s = tern_exp_make_folder(parts, diags);
    if (s == TERN_OK) s = tern_exp_make_folder(data, diags);
    return s == TERN_OK ? settle(e, executable, settings_path, diags) : s;
}

void tern_exp_close(tern_exp *e)
{
    if (e->lock >= 0) close(e->lock);
    json_decref(e->settings);
    tern_arena_free(&e->arena);
    *e = (tern_exp){ .lock = -1 };
}
