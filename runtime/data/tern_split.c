/* tern_split.c : lists for training, validation and test from one data set; see tern/convert.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/convert.h"
#include "tern/metrics.h"
#include "tern_formats.h"
#include "tern/file.h"

static const char *const names[3] = { "train.csv", "validation.csv", "test.csv" };

/* Absolute path of an entry, its selection kept. NULL: no memory, or the file is gone (errno). */
static char *absolute(const char *path, tern_arena *arena)
{
    char *whole = realpath(path, NULL), *out = NULL;
    const char *hash = NULL;
    if (whole == NULL && (hash = strrchr(path, '#')) != NULL) {
        char *file = tern_arena_strdup(arena, path);
        if (file == NULL) return NULL;
        file[hash - path] = 0;
        whole = realpath(file, NULL);
    }
    if (whole == NULL) return NULL;
    const size_t n = strlen(whole), m = hash == NULL ? 0 : strlen(hash);
    out = tern_arena_get(arena, n + m + 1, 1);
    if (out != NULL) {
        memcpy(out, whole, n);
        if (m != 0) memcpy(out + n, hash, m);
    }
    free(whole);
    return out;
}

/* Name of an absolute path as seen from the absolute folder `from`, so that both can be moved together. */
static char *relative(const char *path, const char *from, tern_arena *arena)
{
    size_t same = 0, up = 0;
    for (size_t i = 0;; ++i) {
        const bool end_from = from[i] == 0 || from[i] == '/', end_path = path[i] == '/';
        if (end_from && end_path) same = i;
        if (from[i] == 0 || path[i] == 0 || from[i] != path[i]) break;
    }
    for (const char *p = from + same; *p != 0; ++p) up += *p == '/' && p[1] != 0;
    const char *rest = path + same + 1;
    char *out = tern_arena_get(arena, 3 * up + strlen(rest) + 1, 1), *q = out;
    if (out == NULL) return NULL;
    for (size_t i = 0; i < up; ++i, q += 3) memcpy(q, "../", 3);
    memcpy(q, rest, strlen(rest) + 1);
    return out;
}

typedef struct by_label {
    int32_t label;
    uint32_t entry;
} by_label;

static int compare(const void *a, const void *b)
{
    const by_label *x = a, *y = b;
    return x->label != y->label ? (x->label < y->label ? -1 : 1) : x->entry < y->entry ? -1 : x->entry > y->entry;
}

enum { LEFT_OUT = 3 };

static bool kept(const tern_split_options *o, int32_t label)
{
    bool yes = o->n_classes == 0;
    for (uint32_t i = 0; i < o->n_classes; ++i) yes = yes || o->classes[i] == label;
    return yes;
}

/* Which list each entry goes to: of every label the first ones of a shuffled order to train, the next to validation,
 * the rest to test. */
static tern_status choose(const tern_dataset *set, const tern_split_options *o, tern_arena *arena, uint8_t *to)
{
    by_label *list = tern_arena_get(arena, set->n, sizeof *list);
    uint32_t *order = tern_arena_get(arena, set->n, sizeof *order);
    if (list == NULL || order == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < set->n; ++i) list[i] = (by_label){ set->labels[i], (uint32_t)i };
    qsort(list, set->n, sizeof *list, compare);
    for (size_t from = 0; from < set->n;) {
        size_t n = 1;
        while (from + n < set->n && list[from + n].label == list[from].label) ++n;
        tern_order_epoch(o->seed, (uint32_t)(list[from].label + 1), (uint32_t)n, order);
        /* rounded, ties up */
        const size_t train = (n * o->percent[0] + 50) / 100, upto = (n * (o->percent[0] + o->percent[1]) + 50) / 100;
        const bool keep = kept(o, list[from].label);
        for (size_t k = 0; k < n; ++k)
            to[list[from + order[k]].entry] = !keep ? LEFT_OUT : k < train ? 0 : k < upto ? 1 : 2;
        from += n;
    }
    return TERN_OK;
}

static tern_status write_list(const tern_dataset *set, const uint8_t *to, unsigned which, const char *folder,
                              const char *out, tern_arena *arena, uint64_t *n, tern_diags *diags)
{
    const char *path = tern__path_join(arena, out, names[which]);
    tern_file_writer w;
    if (path == NULL) return TERN_ERR_MEMORY;
    tern_status st = tern_file_begin(&w, path, diags);
    if (st != TERN_OK) return st;
    fputs("file,label\n", w.f);
    for (size_t i = 0; st == TERN_OK && i < set->n; ++i) {
        if (to[i] != which) continue;
        errno = 0;
        const char *full = absolute(set->paths[i], arena), *name = full == NULL ? NULL : relative(full, folder, arena);
        if (full == NULL && errno != 0 && errno != ENOMEM) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_MISSING, set->paths[i], 0, NULL,
                           "can no longer be found: %s", strerror(errno));
            st = TERN_ERR_IO;
        } else if (name == NULL) {
            st = TERN_ERR_MEMORY;
        } else {
            fprintf(w.f, "%s,%" PRId32 "\n", name, set->labels[i]);
            ++*n;
        }
    }
    if (st == TERN_OK) return tern_file_commit(&w, diags);
    tern_file_abort(&w);
    return st;
}

/* Every class that is asked for must be there: a mistyped one is not left out silently. */
static tern_status check_classes(const tern_dataset *set, const tern_split_options *o, const char *in,
                                 tern_diags *diags)
{
    for (uint32_t c = 0; c < o->n_classes; ++c) {
        size_t i = 0;
        while (i < set->n && set->labels[i] != o->classes[c]) ++i;
        if (i < set->n) continue;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, in, 0, "classes",
                                      "no recording has the label %u", (unsigned)o->classes[c]),
                       "`tern data info` shows the labels");
        return TERN_ERR_ARGUMENT;
    }
    return TERN_OK;
}

tern_status tern_dataset_split(const char *in, const char *out, const tern_split_options *o, tern_alloc alloc,
                               uint64_t n[3], tern_diags *diags)
{
    const uint32_t *percent = o->percent;
    tern_dataset set;
    tern_arena arena;
    n[0] = n[1] = n[2] = 0;
    if (percent[0] > 100 || percent[1] > 100 || percent[2] > 100 || percent[0] + percent[1] + percent[2] != 100) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "shares",
                       "%u, %u and %u percent are not 100 together", percent[0], percent[1], percent[2]);
        return TERN_ERR_ARGUMENT;
    }
    tern_arena_init(&arena, alloc, 0);
    tern_status st = tern_dataset_open(in, &arena, &set, diags);
    uint8_t *to = st == TERN_OK ? tern_arena_get(&arena, set.n, 1) : NULL;
    if (st == TERN_OK && to == NULL) st = TERN_ERR_MEMORY;
    if (st == TERN_OK) st = check_classes(&set, o, in, diags);
    if (st == TERN_OK) st = choose(&set, o, &arena, to);
    if (st == TERN_OK) st = tern__folder_open(out, o->overwrite, diags);
    char *folder = st == TERN_OK ? realpath(out, NULL) : NULL;
    if (st == TERN_OK && folder == NULL) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_FOLDER, out, 0, NULL, "the folder cannot be found: %s",
                       strerror(errno));
        st = TERN_ERR_IO;
    }
    for (unsigned k = 0; st == TERN_OK && k < 3; ++k) { /* lists of two partings are never there together */
        const char *path = tern__path_join(&arena, out, names[k]);
        if (path == NULL) st = TERN_ERR_MEMORY;
        else if (percent[k] != 0) st = tern_file_remove(path, diags);
    }
    for (unsigned k = 0; st == TERN_OK && k < 3; ++k)
        if (percent[k] != 0) st = write_list(&set, to, k, folder, out, &arena, &n[k], diags);
    free(folder);
    tern_arena_free(&arena);
    return st;
}
