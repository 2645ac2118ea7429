/* tern_compiler.h : public header of the compiler library
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_arena_init(&arena, tern_alloc_default(), 0);
 *     status = tern_compile_file("net.lua", &options, &arena, &model, &diags);
 */
#ifndef TERN_COMPILER_H
#define TERN_COMPILER_H
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_compile_options {
    size_t      n_sets;        /* --set KEY=VALUE: overrides, e.g. "rule.samples=1", "formats.weight={8,7}" (docs/10-language.md) */
    const char *const *sets;
    size_t      script_memory_bytes; /* 0: 256 MiB */
    double      script_seconds;      /* 0: 5; a count of work, 50,000,000 units each: no clock is read */
} tern_compile_options;

/* Runs the script in its sandbox and lowers it to a model. Deterministic: the same script and options give the same model. */
tern_status tern_compile_file(const char *path, const tern_compile_options *options, tern_arena *arena, tern_model *out_model, tern_diags *diags);
/* Same, source in memory (tests); `name` stands for the file in messages, modules are refused. */
tern_status tern_compile_string(const char *source, size_t size, const char *name, const tern_compile_options *options, tern_arena *arena,
                                tern_model *out_model, tern_diags *diags);

/* One row for every key of the language (docs/10-language.md), in the order of the schema; texts live as long as the call. */
typedef struct tern_language_key {
    const char *section, *key, *type;
    const char *def;      /* default, "": none            */
    const char *range;    /* allowed numbers or words, "" */
    const char *help;
    bool required, settable; /* settable: with --set      */
} tern_language_key;
void tern_language_keys(void (*row)(void *ud, const tern_language_key *key), void *ud);

#ifdef __cplusplus
}
#endif
#endif /* TERN_COMPILER_H */
