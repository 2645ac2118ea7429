/* tern_args.h : options of a verb, declared once, parsed, checked and explained
 * SPDX-License-Identifier: Apache-2.0
 *
 *     uint64_t samples = 5; const char *net = NULL; bool json = false;
 *     const tern_arg list[] = {
 *         { .name = "NET.lua", .kind = TERN_ARG_STRING, .out = &net, .required = true, .help = "script of the network" },
 *         { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = 32, .out = &samples, .help = "samples" },
 *         { .name = "--json", .kind = TERN_ARG_FLAG, .out = &json, .help = "print one JSON object" },
 *     };
 *     const tern_args args = { .verb = "train", .purpose = "...", .list = list, .n = sizeof list / sizeof *list };
 *     const int status = tern_args_parse(&args, argc, argv);
 *     if (status >= 0) return status;       // help was printed (0) or the usage was wrong (2)
 *
 * A name without leading '-' is positional, in the order of the list. Accepted forms: --name VALUE, --name=VALUE, -o VALUE, -oVALUE, and
 * `--` before positionals that begin with '-'. --help (-h) is always there. Messages go to stderr, help to stdout.
 */
#ifndef TERN_ARGS_H
#define TERN_ARGS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_arg_kind {
    TERN_ARG_FLAG,   /* out: bool                                                    */
    TERN_ARG_STRING, /* out: const char *; not empty                                 */
    TERN_ARG_UINT,   /* out: uint64_t, decimal or 0x..., lo..hi                      */
    TERN_ARG_REAL,   /* out: double, finite, real_lo..real_hi                        */
    TERN_ARG_CHOICE, /* out: const char * (one of `choices`, separated by '|')       */
    TERN_ARG_LIST    /* out: tern_arg_list, may be repeated; positional: all the rest */
} tern_arg_kind;

#define TERN_ARG_LIST_MAX 256u

typedef struct tern_arg_list { size_t n; const char *items[TERN_ARG_LIST_MAX]; } tern_arg_list;

typedef struct tern_arg {
    const char   *name;        /* "--samples", or "NET.lua" for a positional one */
    char          letter;      /* 'o' for -o, 0: none                            */
    tern_arg_kind kind;
    const char   *value;       /* name of the value in help, e.g. "K"            */
    uint64_t      lo, hi;      /* UINT; hi 0: no upper limit                     */
    double        real_lo, real_hi; /* REAL                                      */
    const char   *choices;     /* CHOICE: "golden|reference"                     */
    bool          required;
    void         *out;         /* holds the default when the option is not given */
    bool         *out_given;   /* may be NULL: set when the option was given     */
    const char   *help;        /* one or more lines, '\n' between                */
} tern_arg;

typedef struct tern_args {
    const char     *verb;      /* "" for the command itself             */
    const char     *purpose;   /* one paragraph                         */
    const tern_arg *list;
    size_t          n;         /* at most 64                            */
    const char     *epilogue;  /* printed after the options, may be NULL */
} tern_args;

enum { TERN_EXIT_DONE = 0, TERN_EXIT_FOUND = 1, TERN_EXIT_USAGE = 2 };

/* Parses argv[1..]. Returns -1: continue; 0: help was printed; 2: wrong usage, explained on stderr. */
int  tern_args_parse(const tern_args *args, int argc, char **argv);
/* Prints the usage. */
void tern_args_help(const tern_args *args, FILE *to);
/* Wrong usage found after parsing (options that exclude each other): prints `TERN-E01xx`, the text and where help is; returns 2. */
int  tern_args_wrong(const tern_args *args, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The candidate nearest to `word` (edits: insert, delete, change, swap), or NULL if none is near. */
const char *tern_nearest(const char *word, const char *const *candidates, size_t n);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ARGS_H */
