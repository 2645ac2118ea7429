/* tern_cli.h : what the verbs share: messages, networks by name, interruption, JSON output
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_H
#define TERN_CLI_H
#include "tern_json.h"
#include <stdio.h>
#include "tern_args.h"
#include "tern_compiler.h"
#include "tern_interrupt.h"
#include "tern_progress.h"
#ifdef __cplusplus
extern "C" {
#endif

/* FNV-1a of 64 bits, gone on with from `hash`; the first one is TERN_DIGEST_INIT. */
uint64_t tern_cli_hash(uint64_t hash, const void *bytes, size_t n);

/* Two models are the same network when their images without state are the same bytes. */
tern_status tern_same_network(const tern_model *a, const tern_model *b, bool *out_same);
/* FNV-1a of these bytes: the same network on any machine has the same digest. */
tern_status tern_network_digest(const tern_model *model, uint64_t *out);

/* Prints a line to stderr. */
void tern_cli_print_line(const char *text);
/* Prints every diagnostic to stderr, and how many were left out. */
void tern_cli_print_diags(const tern_diags *diags);
/* After a failed library call: prints the diagnostics, or, if there is none that tells an error, the status and `what`.
 * Returns TERN_EXIT_FOUND. */
int tern_cli_failed(tern_status status, const tern_diags *diags, const char *what);

/* Gives diagnostics that name no file the name `path`. */
void tern_cli_name_diags(tern_diags *diags, const char *path);

/* Limits of scripts, one pair for the command: TERN_CLI_SCRIPT_ARGS stands in the option list of every verb that takes
 * scripts. */
typedef struct tern_cli_limits {
    double seconds;      /* 0: the compiler's default */
    uint64_t memory_mib; /* likewise */
} tern_cli_limits;
extern tern_cli_limits tern_cli_script_limits;
/* clang-format off */
#define TERN_CLI_SCRIPT_ARGS \
    { .name = "--script-seconds", .kind = TERN_ARG_REAL, .value = "S", .real_lo = 0.01, .real_hi = 86400, \
      .out = &tern_cli_script_limits.seconds, \
      .help = "work limit of the script, counted; default: about 5 s" }, \
    { .name = "--script-memory", .kind = TERN_ARG_UINT, .value = "MIB", .lo = 1, .hi = 65536, \
      .out = &tern_cli_script_limits.memory_mib, \
      .help = "memory limit of the script; default 256 MiB" }
/* clang-format on */
/* Which core (compiler/layout/tern_target.h): of every verb that makes hardware. */
/* clang-format off */
#define TERN_CLI_WAYS_ARG(to) \
    { .name = "--ways", .kind = TERN_ARG_UINT, .value = "S", .lo = 0, .hi = 16, .out = to, \
      .help = "samples per cycle in rows from neurons, large core; default 0: what suits the\ntarget, 1 without one" }
#define TERN_CLI_FORM_ARG(to) \
    { .name = "--form", .kind = TERN_ARG_CHOICE, .value = "F", .choices = TERN_FORM_CHOICES, .out = (to), \
      .help = "weight changes in rows from neurons, large core. trace: a trace for each lag;\n" \
              "kernel: a kernel for each sample, one way; auto (default): what suits the target,\n" \
              "traces without one" }
#define TERN_CLI_PREP_ARG(to) \
    { .name = "--prep", .kind = TERN_ARG_UINT, .value = "N", .lo = 0, .hi = 32, .out = to, \
      .help = "products of a learning kernel per cycle, large core; default 0: what suits the\ntarget, 1 without one" }
#define TERN_CLI_SKIP_ARG(to) \
    { .name = "--skip-silent", .kind = TERN_ARG_FLAG, .out = to, \
      .help = "leave silent words of inputs out, large core: fewer cycles, which depend on the\n" \
              "recording; the small core always does" }
#define TERN_CLI_CORE_ARG(to) \
    { .name = "--core", .kind = TERN_ARG_CHOICE, .value = "C", .choices = TERN_CORE_CHOICES, .out = (to), \
      .help = "large: every network; small: no circuits, small networks, less logic;\n" \
              "auto (default): small for iCE40 devices if it can run the network, else large" }
/* clang-format on */
/* Rows that several verbs have. */
/* clang-format off */
#define TERN_CLI_JSON_ARG(to) { .name = "--json", .kind = TERN_ARG_FLAG, .out = to, .help = "print one JSON object" }
#define TERN_CLI_SET_ARG(to) \
    { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = to, \
      .help = "override a setting of the script" }
/* of verbs that train a script many times (sweep, tune) */
#define TERN_CLI_TRAINED_ARG(to) \
    { .name = "NET.lua", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua", .required = true, .out = to, \
      .help = "script of the network" }
#define TERN_CLI_DATA_ARG(to) \
    { .name = "--data", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_DATA, .required = true, .out = to, \
      .help = "a recording, a folder of recordings, or a list file" }
#define TERN_CLI_TEST_ARG(to) \
    { .name = "--test", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_DATA, .out = to, \
      .help = "recordings to measure on (default: a fifth of --data, which is\nthen not trained on)" }
#define TERN_CLI_INFERENCE_ARG(to) \
    { .name = "--inference", .kind = TERN_ARG_UINT, .value = "K_I", .lo = 1, .hi = 256, .out = to, \
      .help = "samples in measuring; default 20" }
#define TERN_CLI_JOBS_ARG(to) \
    { .name = "--jobs", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 64, .out = to, \
      .help = "trainings at a time (default: processors it may use); no result depends on it" }
/* clang-format on */
/* What the compiler gets: `sets` (may be NULL) and the limits. */
tern_compile_options tern_cli_compile_options(const tern_arg_list *sets);

/* Opens NET.lua (compiles it with `sets`) or an image (no sets allowed; reported in diags as code 108). */
tern_status tern_cli_open_model(const char *path, const tern_arg_list *sets, tern_arena *arena, tern_model *out_model,
                                tern_diags *diags);

/* Prints one JSON value and a newline; reals with 12 digits, keys in the order they were set. Takes the reference.
 * False: the file cannot be written, or a part of any JSON built so far is missing (tern_json_faults; for stdout it is
 * reported as code 128): then nothing is written. */
bool tern_cli_print_json(json_t *value, FILE *to);
/* The same text, to be freed; NULL if there is none. */
char *tern_cli_json_line(json_t *value);
/* A blank and a word of a command line as a shell takes it: with apostrophes where it has blanks or signs that mean
 * something. */
void tern_cli_print_word(const char *word, FILE *to);
/* The same word without the blank, in the arena; NULL: out of memory. */
char *tern_cli_word(const char *word, tern_arena *arena);

/* How this command was called ("tern", "build/tern"), for commands that are printed to be typed. Set by main(). */
extern const char *tern_cli_program;

/* "1,5,10" into different numbers lo..hi, at most `most` of them. False, with a message (code 110): it is something
 * else. */
bool tern_cli_numbers(const tern_args *args, const char *option, const char *text, uint32_t lo, uint32_t hi,
                      bool ascending, size_t most, uint32_t *out, size_t *out_n);

/* An output of this command, for as long as it runs: a second job is refused (tern/lock.h). main() unlocks. */
tern_status tern_cli_lock(const char *path, const char *option, tern_diags *diags);
/* The same for a file that is written where it is, and not replaced. */
tern_status tern_cli_lock_in_place(const char *path, const char *option, tern_diags *diags);
void tern_cli_unlock(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CLI_H */
