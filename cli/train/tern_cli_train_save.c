/* tern_cli_train_save.c : images of a training, and the checkpoint of one with validation
 * SPDX-License-Identifier: Apache-2.0
 *
 * OUT.tern.checkpoint, all numbers little-endian:
 *     0 magic "TERNCKPT"    8 version u32     12 every u32      16 metric u32     20 last u32        24 best_at u32
 *    28 zero u32
 *    32 data u64           40 share f64       48 best f64       56 sizes u64 [4]: image, reference, best
 *                                                                   image, best reference
 *    88 the four parts, one after the other; then FNV-1a over all before, u64
 */
#include <string.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern/image.h"
#include "tern_cli_train.h"

enum { VERSION = 1, HEAD = 88, PARTS = 4 };
static const char magic[8] = { 'T', 'E', 'R', 'N', 'C', 'K', 'P', 'T' };

/* ---- snapshots ---------------------------------------------------------------------- */

void tern_snapshot_init(tern_snapshot *s)
{
    *s = (tern_snapshot){ .image = NULL };
    tern_arena_init(&s->arena, tern_alloc_default(), 0);
}

void tern_snapshot_free(tern_snapshot *s)
{
    tern_arena_free(&s->arena);
    tern_snapshot_init(s);
}

tern_status tern_snapshot_take(tern_snapshot *s, tern_model *model, tern_runner *run, uint32_t presentations,
                               tern_diags *diags)
{
    const tern_status pulled = tern_runner_pull(run, diags);
    if (pulled != TERN_OK) return pulled;
    tern_snapshot_free(s);
    if (!tern_train_first()) return TERN_OK;
    if (run->ref != NULL) tern_reference_to_state(run->ref, &run->st);
    model->state = &run->st;
    model->presentations_done = presentations;
    const tern_status status = tern_image_encode(model, &s->arena, &s->image, &s->image_size);
    if (status != TERN_OK && status != TERN_ERR_MEMORY)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_IMAGE_ENCODE, model->name, 0, NULL,
                       "the model cannot be written as an image");
    if (status != TERN_OK || run->ref == NULL) return status;
    s->reference_size = tern_reference_save_bytes(run->ref);
    uint8_t *bytes = tern_arena_get(&s->arena, s->reference_size, 1);
    if (bytes == NULL) return TERN_ERR_MEMORY;
    tern_reference_save(run->ref, tern_reference_image(s->image, s->image_size), bytes);
    s->reference = bytes;
    return TERN_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------ */

static void put(uint8_t *at, uint64_t x, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i) at[i] = (uint8_t)(x >> 8 * i);
}

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t x = 0;
    for (unsigned i = bytes; i-- > 0;) x = x << 8 | at[i];
    return x;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double real_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

tern_status tern_checkpoint_write(const tern_checkpoint *c, const char *path, tern_diags *diags)
{
    const struct {
        const uint8_t *bytes;
        size_t size;
    } part[PARTS] = { { c->now.image, c->now.image_size },
                      { c->now.reference, c->now.reference_size },
                      { c->top.image, c->top.image_size },
                      { c->top.reference, c->top.reference_size } };
    uint8_t head[HEAD], end[8];
    memcpy(head, magic, sizeof magic);
    const uint32_t words[6] = { VERSION, c->every, c->metric, c->last, c->best_at, 0 };
    for (int i = 0; i < 6; ++i) put(head + 8 + 4 * i, words[i], 4);
    put(head + 32, c->data, 8);
    put(head + 40, bits_of(c->share), 8);
    put(head + 48, bits_of(c->best), 8);
    for (int i = 0; i < PARTS; ++i) put(head + 56 + 8 * i, part[i].size, 8);
    uint64_t hash = tern_cli_hash(TERN_DIGEST_INIT, head, HEAD);
    for (int i = 0; i < PARTS; ++i) hash = tern_cli_hash(hash, part[i].bytes, part[i].size);
    put(end, hash, 8);
    tern_file_writer w;
    const tern_status s = tern_file_begin(&w, path, diags);
    if (s != TERN_OK) return s;
    fwrite(head, 1, HEAD, w.f); /* errors stay in ferror(), commit tells them */
    for (int i = 0; i < PARTS; ++i)
        if (part[i].size != 0) fwrite(part[i].bytes, 1, part[i].size, w.f);
    fwrite(end, 1, sizeof end, w.f);
    return tern_file_commit(&w, diags);
}

/* What is wrong with these bytes, or NULL. */
static const char *fault_of(const uint8_t *bytes, size_t size)
{
    if (size < HEAD + 8 || memcmp(bytes, magic, sizeof magic) != 0) return "it is not a checkpoint";
    if (get(bytes + 8, 4) != VERSION) return "it has an unknown version";
    if (get(bytes + size - 8, 8) != tern_cli_hash(TERN_DIGEST_INIT, bytes, size - 8))
        return "it is damaged: its checksum differs";
    uint64_t left = size - HEAD - 8;
    for (int i = 0; i < PARTS; ++i) {
        const uint64_t part = get(bytes + 56 + 8 * i, 8);
        if (part > left) return "its parts are longer than the file";
        left -= part;
    }
    const uint64_t every = get(bytes + 12, 4), metric = get(bytes + 16, 4), last = get(bytes + 20, 4),
                   best_at = get(bytes + 24, 4);
    if (left != 0 || every == 0 || metric > TERN_METRIC_DISTANCE || best_at > last ||
        (best_at != 0) != (get(bytes + 72, 8) != 0) || get(bytes + 56, 8) == 0)
        return "its fields contradict each other";
    return NULL;
}

tern_status tern_checkpoint_decode(const uint8_t *bytes, size_t size, const char *path, tern_checkpoint *out,
                                   tern_diags *diags)
{
    *out = (tern_checkpoint){ .data = 0 };
    tern_snapshot_init(&out->now);
    tern_snapshot_init(&out->top);
    tern_status s = TERN_OK;
    const char *fault = fault_of(bytes, size);
    if (fault != NULL) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CHECKPOINT_DAMAGED, path, 0, "--resume",
                                      "the checkpoint cannot be used: %s", fault),
                       "start again without --resume");
        return TERN_ERR_FORMAT;
    }
    out->every = (uint32_t)get(bytes + 12, 4);
    out->metric = (uint32_t)get(bytes + 16, 4);
    out->last = (uint32_t)get(bytes + 20, 4);
    out->best_at = (uint32_t)get(bytes + 24, 4);
    out->data = get(bytes + 32, 8);
    out->share = real_of(get(bytes + 40, 8));
    out->best = real_of(get(bytes + 48, 8));
    const struct {
        tern_snapshot *s;
        const uint8_t **bytes;
        size_t *size;
    } part[PARTS] = { { &out->now, &out->now.image, &out->now.image_size },
                      { &out->now, &out->now.reference, &out->now.reference_size },
                      { &out->top, &out->top.image, &out->top.image_size },
                      { &out->top, &out->top.reference, &out->top.reference_size } };
    size_t at = HEAD;
    for (int i = 0; i < PARTS && s == TERN_OK; ++i) {
        const size_t n = (size_t)get(bytes + 56 + 8 * i, 8);
        if (n == 0) continue;
        uint8_t *copy = tern_arena_get(&part[i].s->arena, n, 1);
        if (copy == NULL) s = TERN_ERR_MEMORY;
        else memcpy(copy, bytes + at, n);
        *part[i].bytes = copy;
        *part[i].size = n;
        at += n;
    }
    return s;
}
