/* tern_simulate.c : folders of recordings of the simulated camera
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/simulate.h"
#include "tern/file.h"
#include "tern_idx.h"
#include <dirent.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A name that files of this folder get: lists, and recordings d0_000000.aedat, i000000.aedat, r000000.csv. */
static bool is_own(const char *name, size_t n)
{
    static const char *const lists[] = { "labels.csv", "train.csv", "validation.csv", "test.csv" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        if (n == strlen(lists[i]) && memcmp(name, lists[i], n) == 0) return true;
    return n > 8 && strchr("dir", name[0]) != NULL && name[1] >= '0' && name[1] <= '9';
}

static void sweep_folder(const char *dir)
{
    DIR *d = opendir(dir);
    if (d == NULL) return;
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[1024];
        const char *end = strstr(e->d_name, ".tmp-");
        if (end == NULL || !is_own(e->d_name, (size_t)(end - e->d_name))) continue;
        const int n = snprintf(path, sizeof path, "%s/%.*s", dir, (int)(end - e->d_name), e->d_name);
        if (n > 0 && (size_t)n < sizeof path) tern_file_sweep(path);
    }
    closedir(d);
}

tern_status tern__folder_open(const char *dir, bool overwrite, tern_diags *diags)
{
    if (mkdir(dir, 0777) == 0) return TERN_OK;
    const int why = errno;
    struct stat st;
    if (why != EEXIST || stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_FOLDER, dir, 0, NULL,
                                      "the folder cannot be made: %s",
                                      why == EEXIST ? "there is a file or device of this name" : strerror(why)),
                       why == ENOENT ? "make the folder that it shall be in first" : "give another name");
        return TERN_ERR_IO;
    }
    sweep_folder(dir);
    if (overwrite) return TERN_OK;
    DIR *d = opendir(dir);
    if (d == NULL) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_FOLDER, dir, 0, NULL, "the folder cannot be listed: %s",
                       strerror(errno));
        return TERN_ERR_IO;
    }
    const struct dirent *e;
    do e = readdir(d);
    while (e != NULL && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0));
    closedir(d);
    if (e == NULL) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_FOLDER, dir, 0, NULL, "the folder is not empty"),
                   "name a new folder, or allow overwriting (--force)");
    return TERN_ERR_IO;
}

/* A set of recordings to be written: what is the i-th one? */
typedef struct series {
    const tern_sim_settings *set;
    const tern_sim_set *digits; /* either these ... */
    tern__idx *images;          /* ... or these */
    const int32_t *labels;      /* of images first, first + 1, ... */
    uint32_t first;
    uint64_t total;
} series;

static void file_name(char name[32], const series *w, uint64_t i)
{
    if (w->digits != NULL)
        snprintf(name, 32, "d%u_%06u.%s", (unsigned)w->digits->classes[i % w->digits->n_classes],
                 (unsigned)(w->first + i / w->digits->n_classes), w->digits->form == TERN_SIM_NMNIST ? "bin" : "aedat");
    else snprintf(name, 32, "i%06u.aedat", (unsigned)(w->first + i));
}

static int32_t label_of(const series *w, uint64_t i)
{
    return w->digits != NULL ? w->digits->classes[i % w->digits->n_classes] : w->labels[i];
}

/* "file,label", one line per recording. */
static tern_status make_list(const series *w, tern_arena *arena, char **out_text, size_t *out_size)
{
    static const char heading[] = "file,label\n";
    const size_t room = sizeof heading + (size_t)w->total * 48;
    char *text = tern_arena_get(arena, room, 1), name[32];
    if (text == NULL) return TERN_ERR_MEMORY;
    size_t n = (size_t)snprintf(text, room, "%s", heading);
    for (uint64_t i = 0; i < w->total; ++i) {
        file_name(name, w, i);
        n += (size_t)snprintf(text + n, room - n, "%s,%d\n", name, (int)label_of(w, i));
    }
    *out_text = text;
    *out_size = n;
    return TERN_OK;
}

/* The i-th recording, and a line about it. */
static tern_status make_one(const series *w, uint64_t i, tern_arena *arena, tern_recording *rec, char comment[120],
                            tern_diags *diags)
{
    if (w->digits != NULL) {
        const unsigned digit = w->digits->classes[i % w->digits->n_classes];
        const uint32_t sample = w->first + (uint32_t)(i / w->digits->n_classes);
        snprintf(comment, 120, "Simulated by Tern: digit %u, sample %u, seed %llu", digit, (unsigned)sample,
                 (unsigned long long)w->set->seed);
        return tern_sim_digit(w->set, digit, sample, arena, rec, diags);
    }
    const uint32_t k = w->first + (uint32_t)i;
    uint8_t *pixels = tern_arena_get(arena, (size_t)w->images->rows * w->images->columns, 1);
    if (pixels == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern__idx_image(w->images, k, pixels, diags);
    if (s != TERN_OK) return s;
    snprintf(comment, 120, "Simulated by Tern: image %u, label %d, seed %llu", (unsigned)k, (int)w->labels[i],
             (unsigned long long)w->set->seed);
    return tern_sim_image(w->set, pixels, w->images->rows, w->images->columns, k, arena, rec, diags);
}

/* The pixels around the middle of the digits, (64, 61), as a sensor of their own. */
static tern_status cut_small(tern_recording *rec, tern_arena *arena)
{
    enum { SIDE = 34, LEFT = 64 - SIDE / 2, TOP = 61 - SIDE / 2 };
    tern_event *list = tern_arena_get(arena, rec->n_events, sizeof *list);
    size_t n = 0;
    if (list == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < rec->n_events; ++i) {
        tern_event e = rec->events[i];
        if (e.x < LEFT || e.y < TOP || e.x >= LEFT + SIDE || e.y >= TOP + SIDE) continue;
        e.x = (uint16_t)(e.x - LEFT), e.y = (uint16_t)(e.y - TOP);
        list[n++] = e;
    }
    rec->events = list;
    rec->n_events = n;
    rec->width = rec->height = SIDE;
    return TERN_OK;
}

/* One file: its bytes go into the digest too. */
static tern_status write_one(const series *w, uint64_t i, const char *dir, const char *name, tern_alloc alloc,
                             struct sha256_ctx *sha, tern_sim_totals *totals, tern_diags *diags)
{
    tern_arena arena;
    tern_recording rec;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    char comment[120];
    tern_arena_init(&arena, alloc, 0);
    const char *path = tern__path_join(&arena, dir, name);
    tern_status s = path == NULL ? TERN_ERR_MEMORY : make_one(w, i, &arena, &rec, comment, diags);
    const bool small = w->digits != NULL && w->digits->form == TERN_SIM_NMNIST;
    if (s == TERN_OK && small) s = cut_small(&rec, &arena);
    if (s == TERN_OK)
        s = small ? tern_nmnist_encode(&rec, &arena, &bytes, &size, diags)
                  : tern_aedat2_encode(&rec, comment, &arena, &bytes, &size, diags);
    if (s == TERN_OK) s = tern__file_write(path, bytes, size, diags);
    if (s == TERN_OK) {
        sha256_update(sha, size, bytes);
        ++totals->n_files;
        totals->n_events += rec.n_events;
        totals->n_bytes += size;
    }
    tern_arena_free(&arena);
    return s;
}

static tern_status check_set(const tern_sim_set *what, tern_diags *diags)
{
    bool ok = what->n_classes >= 1 && what->n_classes <= 10;
    unsigned seen = 0;
    for (uint32_t i = 0; ok && i < what->n_classes; ++i) {
        ok = what->classes[i] <= 9 && (seen >> what->classes[i] & 1u) == 0;
        if (ok) seen |= 1u << what->classes[i];
    }
    if (!ok)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_SETTING, NULL, 0, "classes",
                       "needs 1 to 10 different digits 0..9");
    if (what->count < 1 || what->count > TERN_SIM_MAX_SAMPLES || what->first > TERN_SIM_MAX_SAMPLES - what->count) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_SETTING, NULL, 0, "count",
                       "samples %u to %llu; allowed: at least one, numbers 0 to %u", (unsigned)what->first,
                       (unsigned long long)what->first + what->count - 1, TERN_SIM_MAX_SAMPLES - 1);
        ok = false;
    }
    return ok ? TERN_OK : TERN_ERR_ARGUMENT;
}

static tern_status write_files(const series *w, const char *dir, bool overwrite, tern_arena *arena,
                               tern_sim_progress progress, void *ud, tern_sim_totals *totals, tern_diags *diags)
{
    char *list = NULL, name[32];
    size_t list_size = 0;
    const char *list_path = tern__path_join(arena, dir, "labels.csv");
    if (list_path == NULL) return TERN_ERR_MEMORY;
    tern_status s = make_list(w, arena, &list, &list_size);
    if (s == TERN_OK) s = tern__folder_open(dir, overwrite, diags);
    if (s != TERN_OK) return s;
    /* without its list the folder is no data set: a run that breaks off cannot be taken for a whole one */
    s = tern_file_remove(list_path, diags);
    if (s != TERN_OK) return s;
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, list_size, (const uint8_t *)list);
    for (uint64_t i = 0; i < w->total && s == TERN_OK; ++i) {
        file_name(name, w, i);
        s = write_one(w, i, dir, name, arena->alloc, &sha, totals, diags);
        if (s == TERN_OK && progress != NULL && !progress(ud, i + 1, w->total)) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_WRITE, dir, 0, NULL,
                           "stopped after %llu of %llu recordings; labels.csv was not written",
                           (unsigned long long)i + 1, (unsigned long long)w->total);
            s = TERN_ERR_IO;
        }
    }
    if (s == TERN_OK) s = tern_file_write(list_path, list, list_size, diags);
    if (s != TERN_OK) return s;
    totals->n_bytes += list_size;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; ++i) snprintf(totals->sha256 + 2 * i, 3, "%02x", digest[i]);
    return TERN_OK;
}

tern_status tern_sim_write_set(const tern_sim_settings *set, const tern_sim_set *what, const char *dir,
                               tern_alloc alloc, tern_sim_progress progress, void *ud, tern_sim_totals *out,
                               tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    const tern_status bad_set = tern_sim_check(set, diags);
    tern_status bad_what = check_set(what, diags);
    if (what->form == TERN_SIM_NMNIST && set->duration_us > 8000000) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_SETTING, NULL, 0, "duration",
                                      "%u us is out of range; allowed for N-MNIST: 50000 to 8000000",
                                      (unsigned)set->duration_us),
                       "its times have 23 bits, 8.39 s");
        bad_what = TERN_ERR_ARGUMENT;
    }
    if (bad_set != TERN_OK || bad_what != TERN_OK) return TERN_ERR_ARGUMENT;
    const series w = {
        .set = set, .digits = what, .first = what->first, .total = (uint64_t)what->count * what->n_classes
    };
    tern_arena arena;
    tern_arena_init(&arena, alloc, 0);
    const tern_status s = write_files(&w, dir, what->overwrite, &arena, progress, ud, out, diags);
    tern_arena_free(&arena);
    return s;
}

/* Range and labels of the images. */
static tern_status check_images(const tern_sim_images *what, const tern__idx *idx, series *w, tern_arena *arena,
                                tern_diags *diags)
{
    if (what->first >= idx->n || what->count > idx->n - what->first || idx->n - what->first > TERN_SIM_MAX_SAMPLES ||
        what->first >= TERN_SIM_MAX_SAMPLES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_SETTING, what->images, 0, "first",
                       "images from %u on, %u of them (0: all); the file has %u, at most %u are read",
                       (unsigned)what->first, (unsigned)what->count, (unsigned)idx->n, TERN_SIM_MAX_SAMPLES);
        return TERN_ERR_ARGUMENT;
    }
    w->total = what->count != 0 ? what->count : idx->n - what->first;
    int32_t *labels = NULL;
    const tern_status s = tern__idx_labels(what->images, what->labels, idx->n, what->first, (uint32_t)w->total, true,
                                           arena, &labels, diags);
    w->labels = labels;
    return s;
}

tern_status tern_sim_write_images(const tern_sim_settings *set, const tern_sim_images *what, const char *dir,
                                  tern_alloc alloc, tern_sim_progress progress, void *ud, tern_sim_totals *out,
                                  tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    if (tern_sim_check(set, diags) != TERN_OK) return TERN_ERR_ARGUMENT;
    tern__idx *idx = alloc.fn(alloc.ud, NULL, sizeof *idx);
    if (idx == NULL) return TERN_ERR_MEMORY;
    series w = { .set = set, .images = idx, .first = what->first };
    tern_arena arena;
    tern_arena_init(&arena, alloc, 0);
    tern_status s = tern__idx_open(idx, what->images, alloc, diags);
    if (s == TERN_OK) s = check_images(what, idx, &w, &arena, diags);
    if (s == TERN_OK) s = write_files(&w, dir, what->overwrite, &arena, progress, ud, out, diags);
    tern__idx_close(idx);
    alloc.fn(alloc.ud, idx, 0);
    tern_arena_free(&arena);
    return s;
}
