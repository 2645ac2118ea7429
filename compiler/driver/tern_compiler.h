/* tern_compiler.h : public header of the compiler library
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_arena_init(&arena, tern_alloc_default(), 0);
 *     status = tern_compile_file("net.lua", &options, &arena, &model, &diags);
 */
#ifndef TERN_COMPILER_H
#define TERN_COMPILER_H
#include "tern/model.h"
#include "tern_script.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Runs the script in its sandbox and lowers it to a model. Deterministic: the same script and options give the same model. */
tern_status tern_compile_file(const char *path, const tern_compile_options *options, tern_arena *arena, tern_model *out_model, tern_diags *diags);
/* Same, source in memory (tests); `name` stands for the file in messages, modules are refused. */
tern_status tern_compile_string(const char *source, size_t size, const char *name, const tern_compile_options *options, tern_arena *arena,
                                tern_model *out_model, tern_diags *diags);

/* Is it a script? An image is known by its first eight bytes, whatever its name; else NAME.lua is a script, and so is
 * any text of another name but NAME.tern. All else is taken for an image, a file that cannot be read too. */
bool        tern_is_script(const char *path);
/* Opens either: compiles a script, loads an image. An image takes no sets: code 108. */
tern_status tern_open_model(const char *path, const tern_compile_options *options, tern_arena *arena, tern_model *out_model,
                            tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_COMPILER_H */
