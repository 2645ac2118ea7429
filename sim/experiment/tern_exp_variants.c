/* tern_exp_variants.c : the recordings of `voting` once more, before a camera of other settings
 * SPDX-License-Identifier: Apache-2.0
 *
 * Digits are generated again with the same numbers, so a variant has the same digits on the same paths. Images are
 * first copied, those that were chosen, into an IDX file of their own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_exp_internal.h"
#include "tern_idx.h"

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- images that were chosen ---- */

typedef struct choice {
    size_t n, most;
    uint32_t *image;
    uint8_t *label;
} choice;

/* Lines "FILE#12,7" of a list that write_choice() made. */
static bool read_choice(tern_exp *e, const char *path, choice *out)
{
    char line[4300];
    FILE *f = fopen(path, "rb");
    *out = (choice){ .most = (size_t)(e->set.train_count > e->set.test_count ? e->set.train_count : e->set.test_count) *
                             e->set.classes.n };
    out->image = tern_arena_get(&e->arena, out->most, sizeof *out->image);
    out->label = tern_arena_get(&e->arena, out->most, 1);
    bool good = f != NULL && out->image != NULL && out->label != NULL;
    while (good && fgets(line, sizeof line, f) != NULL) {
        const char *number = strrchr(line, '#'), *label = strrchr(line, ',');
        good = number != NULL && label != NULL && out->n < out->most;
        if (!good) break;
        out->image[out->n] = (uint32_t)strtoul(number + 1, NULL, 10);
        out->label[out->n++] = (uint8_t)strtoul(label + 1, NULL, 10);
    }
    if (f != NULL) fclose(f);
    return good;
}

static void put_word(FILE *f, uint32_t w)
{
    for (int shift = 24; shift >= 0; shift -= 8) fputc((int)(w >> shift & 255u), f);
}

static tern_status write_labels(const choice *c, const char *path, tern_diags *diags)
{
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    put_word(w.f, 0x801);
    put_word(w.f, (uint32_t)c->n);
    fwrite(c->label, 1, c->n, w.f);
    return tern_file_commit(&w, diags);
}

static tern_status write_images(tern_exp *e, const choice *c, const char *from, const char *path, tern_diags *diags)
{
    tern__idx x;
    tern_file_writer w;
    tern_status s = tern__idx_open(&x, from, e->arena.alloc, diags);
    const size_t bytes = s == TERN_OK ? (size_t)x.rows * x.columns : 0;
    uint8_t *pixels = s == TERN_OK ? tern_arena_get(&e->arena, bytes, 1) : NULL;
    if (s == TERN_OK && pixels == NULL) s = TERN_ERR_MEMORY;
    if (s == TERN_OK) s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) {
        tern__idx_close(&x);
        return s;
    }
    put_word(w.f, 0x803);
    put_word(w.f, (uint32_t)c->n);
    put_word(w.f, x.rows);
    put_word(w.f, x.columns);
    for (size_t i = 0; i < c->n && s == TERN_OK; ++i) {
        s = tern__idx_image(&x, c->image[i], pixels, diags);
        if (s == TERN_OK) fwrite(pixels, 1, bytes, w.f);
    }
    tern__idx_close(&x);
    if (s == TERN_OK) return tern_file_commit(&w, diags);
    tern_file_abort(&w);
    return s;
}

/* DIR/data/SET-images-idx3-ubyte with its labels beside it, made of DIR/data/SET-images.csv. */
static tern_status chosen_images(tern_exp *e, const char *set, const char *from, const char **out, tern_diags *diags)
{
    choice c;
    char *images = tern_exp_text(&e->arena, "%s/data/%s-images-idx3-ubyte", e->dir, set),
         *labels = tern_exp_text(&e->arena, "%s/data/%s-labels-idx1-ubyte", e->dir, set),
         *list = tern_exp_text(&e->arena, "%s/data/%s-images.csv", e->dir, set);
    if (images == NULL || labels == NULL || list == NULL) return TERN_ERR_MEMORY;
    *out = images;
    if (exists(images) && exists(labels)) return TERN_OK;
    if (!read_choice(e, list, &c)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_DAMAGED, list, 0, NULL,
                                      "damaged: this is no choice of images"),
                       "remove the folder it is in; it is made again");
        return TERN_ERR_FORMAT;
    }
    const tern_status s = write_labels(&c, labels, diags);
    return s == TERN_OK ? write_images(e, &c, from, images, diags) : s;
}

/* ---- one variant ---- */

/* "noise=5" becomes --noise 5. */
static void add_camera(tern_exp *e, const tern_exp_variant *v, tern_exp_command *c)
{
    for (size_t i = 0; i < v->n_camera; ++i) {
        const char *value = strchr(v->camera[i], '=') + 1;
        const char *option = tern_exp_text(&e->arena, "--%.*s", (int)(value - 1 - v->camera[i]), v->camera[i]);
        if (option == NULL) c->too_long = true;
        else tern_exp_command_add(c, option), tern_exp_command_add(c, value);
    }
}

static tern_status generate(tern_exp *e, const tern_exp_variant *v, const char *set, const char *folder,
                            const char *executable, tern_diags *diags)
{
    const bool train = strcmp(set, "train") == 0;
    const tern_exp_settings *o = &e->set;
    const char *images = NULL, *from = train || o->test_images == NULL ? o->images : o->test_images;
    tern_exp_command c;
    tern_status s = TERN_OK;
    if (o->images != NULL) s = chosen_images(e, set, from, &images, diags);
    if (s != TERN_OK) return s;
    char *first = tern_exp_text(&e->arena, "%" PRIu32, train ? 0 : o->train_count),
         *count = tern_exp_text(&e->arena, "%" PRIu32, train ? o->train_count : o->test_count);
    const char *classes = tern_exp_list_text(&e->arena, &o->classes);
    if (first == NULL || count == NULL || classes == NULL) return TERN_ERR_MEMORY;
    const char *const digits[] = { "data", "digits",  folder, "--classes", classes, "--first",
                                   first,  "--count", count,  "--seed",    "1",     "--force" };
    const char *const moved[] = { "data", "simulate", images, folder, "--seed", "1", "--force" };
    tern_exp_command_begin(&c, executable);
    if (images == NULL)
        for (size_t i = 0; i < sizeof digits / sizeof digits[0]; ++i) tern_exp_command_add(&c, digits[i]);
    else
        for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) tern_exp_command_add(&c, moved[i]);
    add_camera(e, v, &c);
    return c.too_long ? TERN_ERR_MEMORY : tern_trials_run_one(e->dir, &c, &e->arena, diags);
}

tern_status tern_exp_variant_data(tern_exp *e, const char *executable, tern_diags *diags)
{
    static const char *const sets[2] = { "train", "test" };
    tern_status s = TERN_OK;
    for (size_t i = 0; i < e->set.n_variants; ++i) {
        tern_exp_variant *v = &e->set.variants[i];
        v->train = e->train;
        v->test = e->test;
        for (size_t k = 0; k < 2 && v->n_camera != 0 && s == TERN_OK; ++k) {
            char *folder = tern_exp_text(&e->arena, "%s/data/%s-%s", e->dir, v->name, sets[k]);
            char *done = tern_exp_text(&e->arena, "%s/data/%s-%s/labels.csv", e->dir, v->name, sets[k]);
            if (folder == NULL || done == NULL) return TERN_ERR_MEMORY;
            *(k == 0 ? &v->train : &v->test) = folder;
            if (!exists(done)) s = generate(e, v, sets[k], folder, executable, diags);
        }
    }
    return s;
}
