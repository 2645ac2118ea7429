/* tern_cli.h : what the verbs share: messages, networks by name, interruption, JSON output
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_H
#define TERN_CLI_H
#include <jansson.h>
#include <stdio.h>
#include "tern_args.h"
#include "tern_compiler.h"
#include "tern_progress.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Prints every diagnostic to stderr, and how many were left out. */
void tern_cli_print_diags(const tern_diags *diags);
/* After a failed library call: prints the diagnostics, or, if there is none that tells an error, the status and `what`. Returns
 * TERN_EXIT_FOUND. */
int tern_cli_failed(tern_status status, const tern_diags *diags, const char *what);

/* Opens NET.lua (compiles it with `sets`) or an image (no sets allowed; reported in diags as code 108). */
tern_status tern_cli_open_model(const char *path, const tern_arg_list *sets, tern_arena *arena, tern_model *out_model, tern_diags *diags);
bool        tern_cli_is_script(const char *path);

/* Prints one JSON value and a newline; reals with 12 digits, keys in the order they were set. Takes the reference. False: out of memory or
 * the file cannot be written. */
bool tern_cli_print_json(json_t *value, FILE *to);
/* A JSON real, or null for what JSON cannot hold (infinite, not a number). */
json_t *tern_cli_real(double x);

/* From now on Ctrl-C (and SIGTERM) sets a flag instead of ending the program; the second one ends it. */
void tern_cli_catch_interrupts(void);
bool tern_cli_interrupted(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CLI_H */
