/* compile.h : from a script to a network, as a call
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_arena arena;
 *     tern_diags diags;
 *     tern_model model;
 *     tern_arena_init(&arena, tern_alloc_default(), 0);
 *     tern_diags_init(&diags);
 *     if (tern_compile_file("net.lua", NULL, &arena, &model, &diags) != TERN_OK) show(&diags);
 *     else tern_image_save(&model, "net.tern", tern_alloc_default(), &diags);      // tern/image.h
 *     tern_arena_free(&arena);                                                     // the model is gone now
 *
 * Nothing is printed. What is wrong with a script, and its warnings and notes (the script's own print() is note 201),
 * are in the list of diagnostics: code, severity, file, line, key, text, hint (tern/diag.h). After an error the model
 * must not be used. The same script and options give the same model, and the same bytes as `tern compile`.
 *
 * Threads: calls with different arenas, models and lists may run side by side. The script sees nothing of the process
 * but files below its own folder.
 */
#ifndef TERN_COMPILE_H
#define TERN_COMPILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tern/compile_options.h"
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Runs the script `path` in its sandbox and makes a model of it, whose memory is the arena's. `options` may be NULL,
 * `diags` too. TERN_ERR_IO: the script cannot be read (206); TERN_ERR_SCRIPT: it has errors (201 to 249);
 * TERN_ERR_NETWORK, TERN_ERR_LIMIT: what it describes has (230 to 267); TERN_ERR_MEMORY (228, 267). */
tern_status tern_compile_file(const char *path, const tern_compile_options *options, tern_arena *arena,
                              tern_model *out_model, tern_diags *diags);
/* The same for `size` bytes in memory, at most 1 MiB. `name` stands for the file in messages, and the model is named
 * after it ("digits2.lua": digits2). Modules, and images as initial weights, are refused: there is no folder. */
tern_status tern_compile_string(const char *source, size_t size, const char *name, const tern_compile_options *options,
                                tern_arena *arena, tern_model *out_model, tern_diags *diags);
/* Is `path` a script? A file that begins as an image does is an image, whatever its name. Otherwise NAME.lua is a
 * script, and so is any text of another name except NAME.tern. Everything else, also what cannot be read, is taken for
 * an image. */
bool tern_is_script(const char *path);
/* Opens either: compiles a script, loads an image. An image takes no sets: TERN_ERR_ARGUMENT, code 108. Else as
 * tern_compile_file() and tern_image_load(). */
tern_status tern_open_model(const char *path, const tern_compile_options *options, tern_arena *arena,
                            tern_model *out_model, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_COMPILE_H */
