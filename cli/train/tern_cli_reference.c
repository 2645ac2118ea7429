/* tern_cli_reference.c : the reference's own numbers beside an image
 * SPDX-License-Identifier: Apache-2.0
 *
 * Image and numbers are one state in two files, and OUT.tern is its commit point. A save writes
 *     1. OUT.tern.reference.next   the new numbers, with the checksum of the image that they belong to,
 *     2. OUT.tern                  the new image: from here on the new state is in force,
 *     3. OUT.tern.reference        by renaming the first one.
 * Whatever ends between two of these, one of the two files of numbers belongs to the image that is there.
 */
#include <string.h>
#include "tern/file.h"
#include "tern/reference.h"
#include "tern_cli_reference.h"

#define ANY_SIZE ((uint64_t)1 << 40)

char *tern_beside(const char *path, const char *suffix, tern_arena *arena)
{
    const size_t n = strlen(path), m = strlen(suffix) + 1;
    char *name = tern_arena_get(arena, n + m, 1);
    if (name != NULL) {
        memcpy(name, path, n);
        memcpy(name + n, suffix, m);
    }
    return name;
}

char *tern_reference_path(const char *image, tern_arena *arena) { return tern_beside(image, ".reference", arena); }

char *tern_reference_next(const char *image, tern_arena *arena) { return tern_beside(image, ".reference.next", arena); }

/* The checksum in the header covers the table of sections, and with it their checksums: it tells images apart. */
uint32_t tern_reference_image(const uint8_t *image, size_t size)
{
    uint32_t crc = 0;
    for (size_t i = 28; size >= 28 && i-- > 24;) crc = crc << 8 | image[i];
    return crc == 0 ? 1 : crc; /* 0 says that nothing is known */
}

static uint32_t image_of_file(const char *path)
{
    uint8_t head[28] = { 0 };
    const int n = tern_file_head(path, head, sizeof head);
    return tern_reference_image(head, n < 0 ? 0 : (size_t)n);
}

/* Whose numbers a file holds: 0 not known, or damaged. */
static tern_status saved_for(const char *path, uint32_t *out, tern_diags *diags)
{
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_status s = tern_file_read(path, ANY_SIZE, alloc, &bytes, &size, diags);
    if (s == TERN_OK) *out = tern_reference_saved_for(bytes, size);
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

tern_status tern_reference_find(const char *image, tern_arena *arena, const char **out_path, bool *out_foreign,
                                tern_diags *diags)
{
    const char *path = tern_reference_path(image, arena), *next = tern_reference_next(image, arena);
    const uint32_t id = image_of_file(image);
    uint32_t is = 0;
    tern_status s = TERN_OK;
    *out_path = NULL;
    *out_foreign = false;
    if (path == NULL || next == NULL) return TERN_ERR_MEMORY;
    if (tern_file_exists(next)) s = saved_for(next, &is, diags);
    if (s == TERN_OK && is == id) *out_path = next;
    if (s != TERN_OK || is == id || !tern_file_exists(path)) return s;
    s = saved_for(path, &is, diags);
    *out_foreign = s == TERN_OK && is != 0 && is != id;
    if (s == TERN_OK && !*out_foreign) *out_path = path;
    return s;
}

tern_status tern_reference_settle(const char *image, tern_arena *arena, tern_diags *diags)
{
    const char *path = tern_reference_path(image, arena), *next = tern_reference_next(image, arena);
    uint32_t is = 0;
    if (path == NULL || next == NULL) return TERN_ERR_MEMORY;
    if (!tern_file_exists(next)) return TERN_OK;
    const tern_status s = saved_for(next, &is, diags);
    if (s != TERN_OK) return s;
    return is == image_of_file(image) ? tern_file_rename(next, path, diags) : tern_file_remove(next, diags);
}

tern_status tern_reference_write(const char *image, const uint8_t *image_bytes, size_t image_size,
                                 const uint8_t *reference, size_t reference_size, tern_arena *arena, tern_diags *diags)
{
    const char *path = tern_reference_path(image, arena), *next = tern_reference_next(image, arena);
    if (path == NULL || next == NULL) return TERN_ERR_MEMORY;
    tern_status s = reference == NULL ? TERN_OK : tern_file_write(next, reference, reference_size, diags);
    if (s == TERN_OK) s = tern_file_write(image, image_bytes, image_size, diags);
    return s == TERN_OK && reference != NULL ? tern_file_rename(next, path, diags) : s;
}
