/* tern_axes.h : what the axes of a grid mean (inside runtime/data only); the rules are a table in docs/30-data.md
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_AXES_H
#define TERN_AXES_H
#include "tern_npy.h"

/* Sizes by meaning; steps_first: the file has step 0 of all samples, then step 1, ... */
typedef struct tern__axes {
    char letters[6]; /* "ntpyx" */
    uint64_t n_samples, n_steps, n_planes, height, width;
    bool steps_first;
} tern__axes;

/* False: not the letters of axes that are read. */
bool tern__axes_parse(const char *letters);
/* `told`: letters, or NULL: by shape and number of labels (0: none). False: no grid that is read; *why tells. */
bool tern__axes_find(const tern__npy *h, const char *told, uint64_t n_labels, tern__axes *out, char why[200]);
/* "axes steps, samples, units". */
void tern__axes_text(const tern__axes *a, char *to, size_t bytes);

#endif /* TERN_AXES_H */
