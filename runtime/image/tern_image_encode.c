/* tern_image_encode.c : model to image bytes
 * SPDX-License-Identifier: Apache-2.0
 *
 *     +--------+---------------+---------+-----+---------+-----
 *     | header | section table | MODEL   | pad | NET     | ...   every part begins at a multiple of 8
 *     +--------+---------------+---------+-----+---------+-----
 */
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_image_layout.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* Everything a reader would refuse is refused here; `message` says what it is. */
static tern_status check(const tern_model *m, char *message, size_t bytes)
{
    const tern_net *n = &m->net;
    const char *what = NULL, *section = "";
    char text[256] = "";
    tern_status status = TERN_ERR_ARGUMENT;
    if (m->n_populations > TERN_MAX_POPULATIONS || m->n_filters > TERN_MAX_FILTERS || m->data.n_parts > TERN_MAX_PARTS)
        what = "too many populations, filters or parts";
    else if ((status = tern_net_check(n, &what)) != TERN_OK) section = "network";
    else if (!tern__model_check(m, text, sizeof text, &section)) status = TERN_ERR_ARGUMENT;
    else if (m->state != NULL && (m->state->n_samples < 1 || m->state->n_samples > TERN_MAX_SAMPLES)) {
        status = TERN_ERR_ARGUMENT;
        what = "the state's n_samples is not in 1..32";
    } else if (m->state != NULL && !tern__state_check(m, m->state, text, sizeof text, &section))
        status = TERN_ERR_ARGUMENT;
    if (status != TERN_OK)
        snprintf(message, bytes, "%s%s%s", section, section[0] ? ": " : "", what != NULL ? what : text);
    return status;
}

static tern_status encode(const tern_model *model, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size,
                          char *message, size_t bytes)
{
    const tern_status status = check(model, message, bytes);
    if (status != TERN_OK) return status;
    tern__binding bound[TERN__N_SECTIONS];
    tern__image_bind(model, bound);
    const unsigned n = model->state != NULL ? TERN__N_SECTIONS : TERN__SEC_STATE;
    uint64_t total = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    for (unsigned i = 0; i < n; ++i) {
        if (bound[i].count > 0 && bound[i].at == NULL) {
            snprintf(message, bytes, "%s: the array is missing", tern__sections[i].name);
            return TERN_ERR_ARGUMENT;
        }
        total += ((uint64_t)bound[i].count * tern__sections[i].record_bytes + 7) & ~(uint64_t)7;
    }
    if (total > TERN_IMAGE_MAX_BYTES) {
        snprintf(message, bytes, "it would have %llu bytes, an image has at most %llu", (unsigned long long)total,
                 (unsigned long long)TERN_IMAGE_MAX_BYTES);
        return TERN_ERR_LIMIT;
    }
    uint8_t *image = tern_arena_get(arena, (size_t)total, 1);
    if (image == NULL) {
        snprintf(message, bytes, "not enough memory for %llu bytes", (unsigned long long)total);
        return TERN_ERR_MEMORY;
    }
    size_t at = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    for (unsigned i = 0; i < n; ++i) {
        const tern__section *s = &tern__sections[i];
        const size_t size = bound[i].count * s->record_bytes;
        for (size_t k = 0; k < bound[i].count; ++k) {
            tern__field_fault fault;
            if (tern__record_put(s, (const uint8_t *)bound[i].at + k * s->struct_bytes,
                                 image + at + k * s->record_bytes, &fault))
                continue;
            snprintf(message, bytes, "%s: record %zu, %s: found %s, allowed %s", s->name, k, fault.field->name,
                     fault.found, fault.allowed);
            return TERN_ERR_ARGUMENT;
        }
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

tern_status tern_image_encode(const tern_model *model, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size)
{
    char message[400];
    return encode(model, arena, out_bytes, out_size, message, sizeof message);
}

tern_status tern_image_save(const tern_model *model, const char *path, tern_alloc alloc, tern_diags *diags)
{
    tern_arena arena;
    const uint8_t *bytes;
    size_t size;
    char message[400] = "";
    tern_arena_init(&arena, alloc, 0);
    tern_status status = encode(model, &arena, &bytes, &size, message, sizeof message);
    if (status == TERN_OK) status = tern_file_write(path, bytes, size, diags);
    else
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_IMAGE_ENCODE, path, 0, NULL,
                       "the model cannot be written as an image: %s", message);
    tern_arena_free(&arena);
    return status;
}

bool tern__image_is(const uint8_t *bytes, size_t size) { return size >= 8 && memcmp(bytes, TERN_IMAGE_MAGIC, 8) == 0; }

tern_status tern_image_replaceable(const char *path, tern_diags *diags)
{
    char head[8];
    const tern_status status = tern_file_writable(path, diags);
    if (status != TERN_OK) return status;
    const int n = tern_file_head(path, head, sizeof head);
    if (n < 0 && (errno == ENOENT || errno == EACCES || errno == EPERM))
        return TERN_OK; /* may be replaced though not read */
    if (n == 0 || (n > 0 && tern__image_is((const uint8_t *)head, (size_t)n))) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_WRITE, path, 0, NULL,
                                  "there is a file of this name that is not a Tern image; it is not overwritten"),
                   "delete it, or choose another name");
    return TERN_ERR_IO;
}
