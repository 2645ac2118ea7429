/* tern_idx.h : IDX files of images and of labels (inside runtime/data only); docs/38-formats.md
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_IDX_H
#define TERN_IDX_H
#include "tern_formats.h"

typedef struct tern__idx {
    tern__base base;
    tern__source src;
    uint32_t n, rows, columns;
    char path[1024]; /* for messages */
} tern__idx;

/* Opens a file of images. Close it even after an error. */
tern_status tern__idx_open(tern__idx *x, const char *path, tern_alloc alloc, tern_diags *diags);
void tern__idx_close(tern__idx *x);
/* Image k < n: rows * columns bytes. Forwards is quick, backwards in a compressed file is not. */
tern_status tern__idx_image(tern__idx *x, uint32_t k, uint8_t *out, tern_diags *diags);
/* Labels first .. first + n - 1 of a file of images that has `n_images`, in the arena; -1 where there is no file of
 * labels. `labels`: its name, or NULL: the one beside the images. Fewer labels than images are an error; more are
 * taken, with a warning if `warn`. */
tern_status tern__idx_labels(const char *images, const char *labels, uint32_t n_images, uint32_t first, uint32_t n,
                             bool warn, tern_arena *arena, int32_t **out, tern_diags *diags);

#endif /* TERN_IDX_H */
