/* tern_frames_store.c : see tern_frames_store.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_frames_store.h"
#include "tern_errors.h"
#include "tern_cut.h"
#include "tern_random.h"
#include <string.h>
#include <sys/stat.h>

#define KEEP_BYTES ((size_t)512 << 20)
#define KEEP_MOVED ((size_t)1 << 21) /* places of recordings that are remembered: (2 shift + 1)^2 for each */
#define PURPOSE_SHIFT (14u << 28)    /* with the presentation, from 1; the recordings held out have 0 there */
enum { WARNINGS_MAX = 5 };

tern_status tern_frames_store_open(tern_frames_store *f, const tern_model *model, const char *path, bool need_labels,
                                   tern_diags *diags)
{
    *f = (tern_frames_store){ .model = model, .need_labels = need_labels };
    tern_arena_init(&f->arena, tern_alloc_default(), 0);
    tern_arena_init(&f->last, tern_alloc_default(), 0);
    if (!model->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_NO_DATA_SECTION, model->name, 0, "data",
                                      "the network does not say how recordings become frames"),
                       "add a data section to the script (docs/10-language.md)");
        return TERN_ERR_DATA;
    }
    tern_status s = tern_dataset_open(path, &f->arena, &f->set, diags);
    if (s != TERN_OK) return s;
    if (f->set.n == 0 || f->set.n >= (size_t)1 << 28) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_RECORDINGS, path, 0, "", "%zu recordings, allowed are 1..%u",
                       f->set.n, (1u << 28) - 1);
        return TERN_ERR_DATA;
    }
    f->kept = tern_arena_get(&f->arena, f->set.n, sizeof *f->kept);
    f->heard = tern_arena_get(&f->arena, f->set.n, sizeof *f->heard);
    if (f->set.n > 1) f->places = tern_stream_keep_make(tern_alloc_default()); /* NULL only makes it slower */
    return f->kept == NULL || f->heard == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

static void pass_warnings(tern_frames_store *f, const tern_diags *d)
{
    for (size_t i = 0; i < d->n && f->warnings != NULL; ++i) {
        const tern_diag *g = &d->list[i];
        if (g->severity == TERN_SEV_ERROR) continue; /* the caller reports these */
        tern_diag_hint(tern_diags_add(f->warnings, g->severity, g->code, g->file, g->line, g->key, "%s", g->message),
                       "%s", g->hint);
    }
    for (size_t i = 0; i < d->n && f->warn != NULL; ++i) {
        char text[TERN_DIAG_BYTES];
        if (d->list[i].severity == TERN_SEV_ERROR) continue; /* the caller reports these */
        if (++f->n_warnings > WARNINGS_MAX) continue;
        tern_diag_format(&d->list[i], text, sizeof text);
        f->warn(text);
        if (f->n_warnings == WARNINGS_MAX) f->warn("(further warnings about recordings are not shown)");
    }
}

/* Recording i, moved; its frames stay at *kept if there is room (kept NULL: they do not). */
static tern_status get(tern_frames_store *f, uint32_t i, tern__shift by, tern_frames *kept, tern_frames *out,
                       tern_diags *diags)
{
    if (kept != NULL) *out = *kept;
    if (kept != NULL && out->n_steps != 0) return TERN_OK;
    tern_arena_free(&f->last);
    const bool keep = kept != NULL && f->kept_bytes < KEEP_BYTES;
    tern_diags own;
    tern_diags_init(&own);
    tern_status s = tern__frames_load(f->model, f->set.paths[i], f->set.labels[i], by, f->places,
                                      keep ? &f->arena : &f->last, out, &own);
    if (s == TERN_OK && f->need_labels && f->model->data.label_population >= 0 && out->label < 0) {
        tern_diag_hint(tern_diags_add(&own, TERN_SEV_ERROR, TERN_ERROR_NO_LABEL, f->set.paths[i], 0, "",
                                      "no label, and the network learns labels"),
                       "give a folder or list with labels, or an array `labels` in the .npz (docs/30-data.md)");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) {
        *diags = own;
        return s;
    }
    if (!f->heard[i]) pass_warnings(f, &own); /* else again for each place that it is moved to */
    f->heard[i] = true;
    if (keep) {
        f->kept_bytes += sizeof(uint32_t) * (size_t)out->n_steps * (out->words_in + out->words_neuron);
        *kept = *out;
    }
    return TERN_OK;
}

tern_status tern_frames_store_get(tern_frames_store *f, uint32_t i, tern_frames *out, tern_diags *diags)
{
    return get(f, i, (tern__shift){ 0 }, &f->kept[i], out, diags);
}

void tern_frames_shift(uint32_t shift, uint64_t seed, uint32_t presentation, int32_t *out_x, int32_t *out_y)
{
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) }, ctr[2] = { presentation + 1, PURPOSE_SHIFT };
    const uint64_t side = 2 * (uint64_t)shift + 1;
    uint32_t w[2];
    tern_threefry2x32(key, ctr, w);
    *out_x = (int32_t)(w[0] * side >> 32) - (int32_t)shift;
    *out_y = (int32_t)(w[1] * side >> 32) - (int32_t)shift;
}

tern_status tern_frames_store_present(tern_frames_store *f, uint32_t i, uint64_t seed, uint32_t presentation,
                                      tern_frames *out, tern_diags *diags)
{
    const uint32_t shift = f->model->data.shift, side = 2 * shift + 1;
    if (shift == 0) return tern_frames_store_get(f, i, out, diags);
    const size_t places = (size_t)side * side;
    tern__shift by = { .moves = true };
    tern_frames_shift(shift, seed, presentation, &by.x, &by.y);
    if (f->moved == NULL && f->set.n <= KEEP_MOVED / places) {
        f->moved = tern_arena_get(&f->arena, f->set.n * places, sizeof *f->moved);
        if (f->moved == NULL) return TERN_ERR_MEMORY;
    }
    const size_t at = i * places + (size_t)((by.y + (int32_t)shift) * (int32_t)side + by.x + (int32_t)shift);
    return get(f, i, by, f->moved == NULL ? NULL : &f->moved[at], out, diags);
}

uint64_t tern_frames_store_digest(const tern_frames_store *f)
{
    uint64_t hash = TERN_DIGEST_INIT;
    for (size_t i = 0; i < f->set.n; ++i) {
        const char *slash = strrchr(f->set.paths[i], '/'), *name = slash == NULL ? f->set.paths[i] : slash + 1;
        struct stat info;
        const uint64_t size = stat(f->set.paths[i], &info) == 0 ? (uint64_t)info.st_size : 0,
                       numbers[2] = { size, (uint32_t)f->set.labels[i] };
        for (const char *p = name;; ++p) { /* FNV-1a over the name with its NUL, then 16 bytes */
            hash = (hash ^ (uint8_t)*p) * 0x100000001b3u;
            if (*p == 0) break;
        }
        for (int b = 0; b < 16; ++b) hash = (hash ^ (uint8_t)(numbers[b / 8] >> 8 * (b % 8))) * 0x100000001b3u;
    }
    return hash;
}

void tern_frames_store_close(tern_frames_store *f)
{
    tern_stream_keep_free(f->places);
    f->places = NULL;
    tern_arena_free(&f->arena);
    tern_arena_free(&f->last);
}
