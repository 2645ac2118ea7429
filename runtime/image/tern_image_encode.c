/* tern_image_encode.c : model to image bytes
 * SPDX-License-Identifier: Apache-2.0
 *
 *     +--------+---------------+---------+-----+---------+-----
 *     | header | section table | MODEL   | pad | NET     | ...   every part begins at a multiple of 8
 *     +--------+---------------+---------+-----+---------+-----
 */
#include "tern/file.h"
#include "tern_image_layout.h"
#include <string.h>
#include <zlib.h>

/* Everything a reader would refuse is refused here. */
static tern_status check(const tern_model *m)
{
    const tern_net *n = &m->net;
    char message[256];
    const char *section;
    if (m->n_populations > TERN_MAX_POPULATIONS || m->n_filters > TERN_MAX_FILTERS || m->data.n_parts > TERN_MAX_PARTS) return TERN_ERR_ARGUMENT;
    const tern_status status = tern_net_check(n, NULL);
    if (status != TERN_OK) return status;
    if (!tern__model_check(m, message, sizeof message, &section)) return TERN_ERR_ARGUMENT;
    if (m->state != NULL) {
        if (m->state->n_samples < 1 || m->state->n_samples > TERN_MAX_SAMPLES) return TERN_ERR_ARGUMENT;
        if (!tern__state_check(m, m->state, message, sizeof message, &section)) return TERN_ERR_ARGUMENT;
    }
    return TERN_OK;
}

tern_status tern_image_encode(const tern_model *model, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size)
{
    const tern_status status = check(model);
    if (status != TERN_OK) return status;
    tern__binding bound[TERN__N_SECTIONS];
    tern__image_bind(model, bound);
    const unsigned n = model->state != NULL ? TERN__N_SECTIONS : TERN__SEC_STATE;
    uint64_t total = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    for (unsigned i = 0; i < n; ++i) {
        if (bound[i].count > 0 && bound[i].at == NULL) return TERN_ERR_ARGUMENT;
        total += ((uint64_t)bound[i].count * tern__sections[i].record_bytes + 7) & ~(uint64_t)7;
    }
    if (total > TERN_IMAGE_MAX_BYTES) return TERN_ERR_LIMIT;
    uint8_t *image = tern_arena_get(arena, (size_t)total, 1);
    if (image == NULL) return TERN_ERR_MEMORY;
    size_t at = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    for (unsigned i = 0; i < n; ++i) {
        const tern__section *s = &tern__sections[i];
        const size_t size = bound[i].count * s->record_bytes;
        for (size_t k = 0; k < bound[i].count; ++k)
            if (!tern__record_put(s, (const uint8_t *)bound[i].at + k * s->struct_bytes, image + at + k * s->record_bytes, NULL))
                return TERN_ERR_ARGUMENT;
        uint8_t *entry = image + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES;
        memcpy(entry, s->name, strlen(s->name));
        tern__put_le(entry + 8, at, 8);
        tern__put_le(entry + 16, size, 8);
        tern__put_le(entry + 24, crc32_z(0, image + at, size), 4);
        tern__put_le(entry + 28, TERN_IMAGE_MANDATORY, 4);
        at += tern__align8(size);
    }
    memcpy(image, TERN_IMAGE_MAGIC, 8);
    tern__put_le(image + 8, TERN_IMAGE_MAJOR, 2);
    tern__put_le(image + 10, TERN_IMAGE_MINOR, 2);
    tern__put_le(image + 12, n, 4);
    tern__put_le(image + 16, total, 8);
    const tern_status hashed = tern__layout_digest(model, image + 32);
    if (hashed != TERN_OK) return hashed;
    /* of header and table, with its own field still 0 */
    tern__put_le(image + 24, crc32_z(0, image, TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES), 4);
    *out_bytes = image;
    *out_size = (size_t)total;
    return TERN_OK;
}

tern_status tern_image_save(const tern_model *model, const char *path, tern_alloc alloc, tern_diags *diags)
{
    tern_arena arena;
    const uint8_t *bytes;
    size_t size;
    tern_arena_init(&arena, alloc, 0);
    tern_status status = tern_image_encode(model, &arena, &bytes, &size);
    if (status == TERN_OK) status = tern_file_write(path, bytes, size, diags);
    else tern_diags_add(diags, TERN_SEV_ERROR, 318, path, 0, NULL, "the model cannot be written as an image: %s", tern_status_text(status));
    tern_arena_free(&arena);
    return status;
}
