/* image.h : read, check and write NAME.tern (docs/20-image-format.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: calls with different arenas and lists may run side by side, also for the same model while nobody
 * changes it or its state. Saving to one path from two threads: the one that ends last wins, whole.
 */
#ifndef TERN_IMAGE_H
#define TERN_IMAGE_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Image bytes of a model. With model->state set, the state (weights, bias, self-memory, step, seed, and all dynamic
 * state) is stored too. The bytes depend on the model only (no dates, paths). `*out_bytes` lies in the arena. */
tern_status tern_image_encode(const tern_model *model, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size);
/* Decodes and validates everything before use (magic, version, sizes, checksums, tern_net_check, every range). On
 * failure `diags` tells which section, offset, what was found and allowed. */
tern_status tern_image_decode(const uint8_t *bytes, size_t size, const char *file, tern_arena *arena,
                              tern_model *out_model, tern_diags *diags);
/* To and from a file; writing goes to a temporary name in the same folder, then renames. */
tern_status tern_image_save(const tern_model *model, const char *path, tern_alloc alloc, tern_diags *diags);
/* Before a long job: can an image be written to `path`? Also refused, in addition to tern_file_writable: an existing
 * file that is not an image (it may be empty), for it was surely named by mistake. */
tern_status tern_image_replaceable(const char *path, tern_diags *diags);
tern_status tern_image_load(const char *path, tern_arena *arena, tern_model *out_model, tern_diags *diags);
/* SHA-256 (hex, 64 digits and NUL) over the sections that decide structure, not over weights: equal hash = same
 * layout. */
tern_status tern_layout_hash(const tern_model *model, char out_hex[65]);

#ifdef __cplusplus
}
#endif
#endif /* TERN_IMAGE_H */
