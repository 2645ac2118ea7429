/* tern_exp_data.c : the data sets of an experiment: digits that Tern generates, images moved before the camera, or
 * given recordings
 * SPDX-License-Identifier: Apache-2.0
 *
 * Given ones and images are chosen by class: the first N of each in the order of the data set, classes taking turns. A
 * choice of given recordings is a list file; images are moved once and kept, since simulating them again in every
 * command would take longer than training.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_frames_store.h"
#include "tern_exp_internal.h"
#include "tern_idx.h"

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* The part of a path before '#' must be absolute, since a list counts names from its own folder. */
static char *absolute(tern_exp *e, const char *path)
{
    char file[PATH_MAX], *found = NULL;
    const char *selection = exists(path) ? NULL : strrchr(path, '#');
    const size_t n = selection == NULL ? strlen(path) : (size_t)(selection - path);
    if (n >= sizeof file) return NULL;
    memcpy(file, path, n);
    file[n] = 0;
    found = realpath(file, NULL);
    char *text = found == NULL ? NULL : tern_exp_text(&e->arena, "%s%s", found, selection == NULL ? "" : selection);
    free(found);
    return text;
}

/* Recordings first..first+count-1 of each class, classes taking turns, as a list file. `any`: of whatever class. */
static tern_status write_choice(tern_exp *e, const tern_dataset *set, const char *source, uint32_t first,
                                uint32_t count, bool any, const char *path, tern_diags *diags)
{
    const size_t n_classes = any ? 1 : e->set.classes.n;
    size_t next[TERN_EXP_LIST_MAX] = { 0 };
    uint32_t seen[TERN_EXP_LIST_MAX] = { 0 };
    tern_file_writer w;
    tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    for (uint32_t i = 0; i < count && s == TERN_OK; ++i)
        for (size_t c = 0; c < n_classes && s == TERN_OK; ++c) {
            for (; next[c] < set->n; ++next[c])
                if ((any || set->labels[next[c]] == (int32_t)e->set.classes.v[c]) && seen[c]++ >= first) break;
            if (next[c] == set->n) {
                tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_RECORDINGS, source, 0, NULL,
                                              "%" PRIu32 " recordings of class %" PRIu32 ", wanted are %" PRIu32 "%s",
                                              seen[c], e->set.classes.v[c], first + count,
                                              first != 0 ? " (training and test)" : ""),
                               "give more, or fewer with --train-recordings and --test-recordings; `tern data info` "
                               "shows the labels");
                s = TERN_ERR_DATA;
                break;
            }
            const char *name = absolute(e, set->paths[next[c]]);
            if (name == NULL) s = TERN_ERR_MEMORY;
            else fprintf(w.f, "%s,%" PRId32 "\n", name, any ? (int32_t)e->set.classes.v[0] : set->labels[next[c]]);
            ++next[c];
        }
    if (s != TERN_OK) {
        tern_file_abort(&w);
        return s;
    }
    return tern_file_commit(&w, diags);
}

static tern_status choose(tern_exp *e, const char *source, uint32_t first, uint32_t count, const char *path,
                          tern_diags *diags)
{
    tern_dataset set;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status s = tern_dataset_open(source, &arena, &set, diags);
    if (s == TERN_OK) s = write_choice(e, &set, source, first, count, e->set.kind == TERN_EXP_MEMORISE, path, diags);
    tern_arena_free(&arena);
    return s;
}

/* The images of an IDX file by their labels, which are given or found beside it. */
static tern_status image_choice(tern_exp *e, const char *images, const char *labels, uint32_t first, uint32_t count,
                                const char *path, tern_diags *diags)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern__idx x;
    tern_dataset set = { 0 };
    tern_status s = tern__idx_open(&x, images, arena.alloc, diags);
    const uint32_t n = s == TERN_OK ? x.n : 0;
    tern__idx_close(&x);
    if (s == TERN_OK) s = tern__idx_labels(images, labels, n, 0, n, true, &arena, &set.labels, diags);
    if (s == TERN_OK && set.labels[0] < 0 && e->set.kind != TERN_EXP_MEMORISE) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_RECORDINGS, images, 0, NULL,
                                      "no labels are known for these images"),
                       "give their file of labels with --labels (--test-labels)");
        s = TERN_ERR_DATA;
    }
    if (s == TERN_OK && (set.paths = tern_arena_get(&arena, n, sizeof *set.paths)) == NULL) s = TERN_ERR_MEMORY;
    for (; s == TERN_OK && set.n < n; ++set.n)
        if ((set.paths[set.n] = tern_exp_text(&arena, "%s#%zu", images, set.n)) == NULL) s = TERN_ERR_MEMORY;
    if (s == TERN_OK) s = write_choice(e, &set, images, first, count, e->set.kind == TERN_EXP_MEMORISE, path, diags);
    tern_arena_free(&arena);
    return s;
}

/* One set of moved images, in the folder `name`; not made again when it is complete. */
static tern_status move_images(tern_exp *e, const char *executable, const char *name, const char *images,
                               const char *labels, uint32_t first, uint32_t count, tern_diags *diags)
{
    char *list = tern_exp_text(&e->arena, "%s/data/%s-images.csv", e->dir, name),
         *folder = tern_exp_text(&e->arena, "%s/data/%s", e->dir, name),
         *done = tern_exp_text(&e->arena, "%s/data/%s/labels.csv", e->dir, name);
    if (list == NULL || folder == NULL || done == NULL) return TERN_ERR_MEMORY;
    if (exists(done)) return TERN_OK;
    tern_status s = image_choice(e, images, labels, first, count, list, diags);
    if (s != TERN_OK) return s;
    tern_exp_command c;
    tern_exp_command_begin(&c, executable);
    const char *const words[] = { "data", "convert", list, folder, "--to", "aedat2", "--force" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) tern_exp_command_add(&c, words[i]);
    return tern_trials_run_one(e->dir, &c, &e->arena, diags);
}

static tern_status generate(tern_exp *e, const char *executable, const char *name, uint32_t first, uint32_t count,
                            tern_diags *diags)
{
    char *folder = tern_exp_text(&e->arena, "%s/data/%s", e->dir, name),
         *done = tern_exp_text(&e->arena, "%s/data/%s/labels.csv", e->dir, name);
    char classes[4 * TERN_EXP_LIST_MAX] = "";
    if (folder == NULL || done == NULL) return TERN_ERR_MEMORY;
    if (exists(done)) return TERN_OK;
    for (size_t i = 0, n = 0; i < e->set.classes.n; ++i)
        n += (size_t)snprintf(classes + n, sizeof classes - n, "%s%" PRIu32, i ? "," : "", e->set.classes.v[i] % 10);
    char *first_text = tern_exp_text(&e->arena, "%" PRIu32, first),
         *count_text = tern_exp_text(&e->arena, "%" PRIu32, count);
    if (first_text == NULL || count_text == NULL) return TERN_ERR_MEMORY;
    tern_exp_command c;
    tern_exp_command_begin(&c, executable);
    const char *const words[] = { "data",     "digits",  folder,     "--classes", classes, "--first",
                                  first_text, "--count", count_text, "--seed",    "1",     "--force" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) tern_exp_command_add(&c, words[i]);
    return tern_trials_run_one(e->dir, &c, &e->arena, diags);
}

static uint32_t shared(const tern_dataset *a, const tern_dataset *b)
{
    uint32_t n = 0;
    for (size_t i = 0; i < b->n; ++i) {
        size_t k = 0;
        while (k < a->n && strcmp(a->paths[k], b->paths[i]) != 0) ++k;
        n += k < a->n;
    }
    return n;
}

/* How many recordings, their digests, and whether some are in both sets. */
static tern_status measure_sets(tern_exp *e, tern_diags *diags)
{
    tern_arena arena;
    tern_frames_store train = { 0 }, test = { 0 };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status s = tern_dataset_open(e->train, &arena, &train.set, diags);
    if (s == TERN_OK) s = tern_dataset_open(e->test, &arena, &test.set, diags);
    if (s == TERN_OK) {
        e->n_train = (uint32_t)train.set.n;
        e->n_test = (uint32_t)test.set.n;
        e->train_digest = tern_frames_store_digest(&train);
        e->test_digest = tern_frames_store_digest(&test);
        if (e->set.kind != TERN_EXP_MEMORISE) e->n_shared = shared(&train.set, &test.set);
        if (e->n_shared != 0)
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_ERROR_TRIALS_SHARED, e->test, 0, "--test",
                                          "%" PRIu32 " of %" PRIu32 " test recordings are also trained on", e->n_shared,
                                          e->n_test),
                           "give recordings that the training does not see; the report shows it, too");
    }
    tern_arena_free(&arena);
    return s;
}

tern_status tern_exp_prepare_data(tern_exp *e, const char *executable, tern_diags *diags)
{
    const tern_exp_settings *o = &e->set;
    const bool one = o->kind == TERN_EXP_MEMORISE; /* tested on what it learnt */
    tern_status s = TERN_OK;
    if (o->data != NULL) {
        e->train = tern_exp_text(&e->arena, "%s/data/train.csv", e->dir);
        e->test = one ? e->train : tern_exp_text(&e->arena, "%s/data/test.csv", e->dir);
        if (e->train == NULL || e->test == NULL) return TERN_ERR_MEMORY;
        s = choose(e, o->data, 0, o->train_count, e->train, diags);
        if (s == TERN_OK && !one) s = choose(e, o->test, 0, o->test_count, e->test, diags);
    } else {
        e->train = tern_exp_text(&e->arena, "%s/data/train", e->dir);
        e->test = one ? e->train : tern_exp_text(&e->arena, "%s/data/test", e->dir);
        if (e->train == NULL || e->test == NULL) return TERN_ERR_MEMORY;
        const bool later = o->test_images == NULL; /* test images are those behind the training images */
        s = o->images == NULL ? generate(e, executable, "train", 0, o->train_count, diags)
                              : move_images(e, executable, "train", o->images, o->labels, 0, o->train_count, diags);
        if (s == TERN_OK && !one)
            s = o->images == NULL
                    ? generate(e, executable, "test", o->train_count, o->test_count, diags)
                    : move_images(e, executable, "test", later ? o->images : o->test_images,
                                  later ? o->labels : o->test_labels, later ? o->train_count : 0, o->test_count, diags);
    }
    if (s == TERN_OK) s = tern_exp_variant_data(e, executable, diags);
    return s == TERN_OK ? measure_sets(e, diags) : s;
}
