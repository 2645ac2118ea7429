/* tern_cli_reference.h : the reference's own numbers, beside an image
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_REFERENCE_H
#define TERN_CLI_REFERENCE_H
#include <stdbool.h>
#include "tern/arena.h"
#include "tern/diag.h"

/* They lie beside the image, in IMAGE.reference, or while it is being saved in IMAGE.reference.next: paths of these
 * files, NULL if memory is refused. */
char *tern_reference_path(const char *image, tern_arena *arena);
char *tern_reference_next(const char *image, tern_arena *arena);
/* What tells an image's bytes apart from others, for tern_reference_save(). */
uint32_t tern_reference_image(const uint8_t *image, size_t size);
/* The file with the numbers of the image that is there; NULL: none, or (*out_foreign) only numbers of another image. A
 * file that does not tell its image (damaged, or of an older version) is taken. */
tern_status tern_reference_find(const char *image, tern_arena *arena, const char **out_path, bool *out_foreign,
                                tern_diags *diags);
/* Before a training writes: finishes, or takes back, a save that was cut off. */
tern_status tern_reference_settle(const char *image, tern_arena *arena, tern_diags *diags);
/* Image and numbers (NULL: none), as one state. */
tern_status tern_reference_write(const char *image, const uint8_t *image_bytes, size_t image_size,
                                 const uint8_t *reference, size_t reference_size, tern_arena *arena, tern_diags *diags);

/* Name of a file beside another: path and suffix; NULL if memory is refused. */
char *tern_beside(const char *path, const char *suffix, tern_arena *arena);

#endif /* TERN_CLI_REFERENCE_H */
