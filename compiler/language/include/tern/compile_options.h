/* compile_options.h : what may be said besides the script
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: data only, no functions.
 */
#ifndef TERN_COMPILE_OPTIONS_H
#define TERN_COMPILE_OPTIONS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* All zero: the script as it stands, usual limits. */
typedef struct tern_compile_options {
    size_t n_sets;           /* overrides, as --set KEY=VALUE of the command: "rule.samples=1", "formats.weight={8,7}"
                                  (docs/10-language.md) */
    const char *const *sets; /* [n_sets] */
    size_t script_memory_bytes; /* 0: 256 MiB */
    double script_seconds;      /* 0: 5; a count of work, 50,000,000 units each: no clock is read */
} tern_compile_options;

#ifdef __cplusplus
}
#endif
#endif /* TERN_COMPILE_OPTIONS_H */
