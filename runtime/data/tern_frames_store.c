/* tern_frames_store.c : see tern_frames_store.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_frames_store.h"
#include <string.h>
#include <sys/stat.h>

#define KEEP_BYTES ((size_t)512 << 20)
enum { WARNINGS_MAX = 5 };

tern_status tern_frames_store_open(tern_frames_store *f, const tern_model *model, const char *path, bool need_labels,
                                   tern_diags *diags)
{
    *f = (tern_frames_store){ .model = model, .need_labels = need_labels };
    tern_arena_init(&f->arena, tern_alloc_default(), 0);
    tern_arena_init(&f->last, tern_alloc_default(), 0);
    if (!model->data.present) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 119, model->name, 0, "data",
                                      "the network does not say how recordings become frames"),
                       "add a data section to the script (docs/10-language.md)");
        return TERN_ERR_DATA;
    }
    tern_status s = tern_dataset_open(path, &f->arena, &f->set, diags);
    if (s != TERN_OK) return s;
    if (f->set.n == 0 || f->set.n >= (size_t)1 << 28) {
        tern_diags_add(diags, TERN_SEV_ERROR, 111, path, 0, "", "%zu recordings, allowed are 1..%u", f->set.n,
                       (1u << 28) - 1);
        return TERN_ERR_DATA;
    }
    f->kept = tern_arena_get(&f->arena, f->set.n, sizeof *f->kept);
    if (f->set.n > 1) f->places = tern_stream_keep_make(tern_alloc_default()); /* NULL only makes it slower */
    return f->kept == NULL ? TERN_ERR_MEMORY : TERN_OK;
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
        char text[1200];
        if (d->list[i].severity == TERN_SEV_ERROR) continue; /* the caller reports these */
        if (++f->n_warnings > WARNINGS_MAX) continue;
        tern_diag_format(&d->list[i], text, sizeof text);
        f->warn(text);
        if (f->n_warnings == WARNINGS_MAX) f->warn("(further warnings about recordings are not shown)");
    }
}

tern_status tern_frames_store_get(tern_frames_store *f, uint32_t i, tern_frames *out, tern_diags *diags)
{
    *out = f->kept[i];
    if (out->n_steps != 0) return TERN_OK;
    tern_arena_free(&f->last);
    const bool keep = f->kept_bytes < KEEP_BYTES;
    tern_diags own;
    tern_diags_init(&own);
    tern_status s = tern_frames_load_one(f->model, f->set.paths[i], f->set.labels[i], f->places,
                                         keep ? &f->arena : &f->last, out, &own);
    if (s == TERN_OK && f->need_labels && f->model->data.label_population >= 0 && out->label < 0) {
        tern_diag_hint(tern_diags_add(&own, TERN_SEV_ERROR, 112, f->set.paths[i], 0, "",
                                      "no label, and the network learns labels"),
                       "give a folder or list with labels (docs/30-data.md)");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) {
        *diags = own;
        return s;
    }
    pass_warnings(f, &own);
    if (keep) {
        f->kept_bytes += sizeof(uint32_t) * (size_t)out->n_steps * (out->words_in + out->words_neuron);
        f->kept[i] = *out;
    }
    return TERN_OK;
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
