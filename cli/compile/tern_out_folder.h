/* tern_out_folder.h : a folder of files that appears complete or not at all
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files are made in a folder of their own and moved to their places when the last one is complete, so a failure or an
 * interrupt leaves the output folder as it was. Files may lie in folders below it.
 */
#ifndef TERN_OUT_FOLDER_H
#define TERN_OUT_FOLDER_H
#include <stdbool.h>
#include <stddef.h>
#include "tern/arena.h"
#include "tern/diag.h"

enum { TERN_OUT_PATH = 1024, TERN_OUT_FILES = 256 };

typedef struct tern_out_file {
    char *name;
    long long bytes;
} tern_out_file; /* name: below the folder, "rtl/core/tern_core.v" */

typedef struct tern_out_folder {
    const char *dir;
    bool is_new;
    char making[TERN_OUT_PATH]; /* where files are written */
    size_t n_files;
    tern_out_file files[TERN_OUT_FILES]; /* by name, after tern_out_finish() */
} tern_out_folder;

/* Makes the working folder: inside DIR if that exists (the same file system for sure), else beside it. Codes 331,
 * 332. */
tern_status tern_out_begin(tern_out_folder *f, const char *dir, tern_diags *diags);
/* Puts everything in its place. Names lie in `arena`. Code 332. */
tern_status tern_out_finish(tern_out_folder *f, tern_arena *arena, tern_diags *diags);
/* Removes the working folder with what is left in it, and those of commands that were killed, beside DIR and in it.
 */
void tern_out_clean(const tern_out_folder *f);

#endif /* TERN_OUT_FOLDER_H */
