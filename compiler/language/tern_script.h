/* tern_script.h : the language: a Lua script becomes a checked description
 * SPDX-License-Identifier: Apache-2.0
 *
 * What runs scripts in their sandbox (docs/10-language.md). The description is in real numbers; lower/ makes integers
 * of it.
 */
#ifndef TERN_SCRIPT_H
#define TERN_SCRIPT_H
#include "tern/compile_options.h"
#include "tern_desc.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Runs the script in its sandbox and checks what it describes. Deterministic: the same script and options give the same
 * description.
 * Memory of the description belongs to the arena. Codes 201 to 249; TERN_ERR_SCRIPT, TERN_ERR_IO, TERN_ERR_MEMORY. */
tern_status tern_script_file(const char *path, const tern_compile_options *options, tern_arena *arena,
                             tern_desc **out_desc, tern_diags *diags);
/* The same, source in memory (at most 1 MiB); `name` stands for the file in messages, modules are refused. */
tern_status tern_script_string(const char *source, size_t size, const char *name, const tern_compile_options *options,
                               tern_arena *arena, tern_desc **out_desc, tern_diags *diags);
/* Reports that the machine has no memory left (code 228) and returns TERN_ERR_MEMORY. */
tern_status tern_script_no_memory(tern_diags *diags, const char *file);

/* One row for every key of the language (docs/10-language.md), in the order of the schema; texts live as long as the
 * call. */
typedef struct tern_language_key {
    const char *section, *key, *type;
    const char *def;   /* default, "": none            */
    const char *range; /* allowed numbers or words, "" */
    const char *help;
    bool required, settable; /* settable: with --set      */
    bool in_scripts;         /* false: with --set alone      */
} tern_language_key;
void tern_language_keys(void (*row)(void *ud, const tern_language_key *key), void *ud);

/* One row for every call tern.NAME. It takes one table with the keys of `section` (those before the key `until`, if it
 * is given), or, with section NULL, the parameters `params` ("lo: number, hi: number"). Types are names of LuaLS. */
typedef struct tern_language_function {
    const char *name, *section, *until, *params;
    const char *result; /* type of what it returns; NULL: nothing */
    const char *help;
} tern_language_function;
void tern_language_functions(void (*row)(void *ud, const tern_language_function *f), void *ud);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SCRIPT_H */
