/* tern_args.h : options of a verb, declared once, parsed, checked and explained
 * SPDX-License-Identifier: Apache-2.0
 *
 *     uint64_t samples = 5; const char *net = NULL; bool json = false;
 *     const tern_arg list[] = {
 *         { .name = "NET.lua", .kind = TERN_ARG_STRING, .out = &net, .required = true, .help = "script of the network"
 * }, { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = 32, .out = &samples, .help = "samples"
 * }, { .name = "--json", .kind = TERN_ARG_FLAG, .out = &json, .help = "print one JSON object" },
 *     };
 *     const tern_args args = { .verb = "train", .purpose = "...", .list = list, .n = sizeof list / sizeof *list };
 *     const int status = tern_args_parse(&args, argc, argv);
 *     if (status >= 0) return status;       // help was printed (0) or the usage was wrong (2)
 *
 * A name without leading '-' is positional, in the order of the list. Accepted forms: --name VALUE, --name=VALUE, -o
 * VALUE, -oVALUE, and
 * `--` before positionals that begin with '-'. --help (-h) and --quiet (-q) are always there, --verbose (-v) where
 * `verbose` is set. Messages go to stderr, help to stdout.
 *
 * The table is also what man pages and completions are made of (docs/53-manual.md): therefore `what`, `ext` and `dash`,
 * and the two hooks.
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

/* What the text of a STRING or LIST stands for. Completions complete it, man pages say it; no value is checked by it.
 */
typedef enum tern_arg_what {
    TERN_WHAT_UNSAID,  /* of other kinds; a STRING or LIST must say it (test cli.manual.tables) */
    TERN_WHAT_TEXT,    /* a name, numbers, ...: nothing to complete */
    TERN_WHAT_SETTING, /* KEY=VALUE, a key of the language          */
    TERN_WHAT_PORT,    /* a serial port                             */
    TERN_WHAT_FILE,    /* a file that is read                       */
    TERN_WHAT_OUT,     /* a file that is written                    */
    TERN_WHAT_FOLDER,  /* a folder, read or written                 */
    TERN_WHAT_DATA     /* a file or a folder that is read           */
} tern_arg_what;

/* May the value be `-`? Without it, `-` for a file or folder is refused (161). */
typedef enum tern_arg_dash {
    TERN_DASH_NONE,
    TERN_DASH_IN,    /* standard input                                   */
    TERN_DASH_TEXT,  /* standard output                                  */
    TERN_DASH_BINARY /* standard output, but not of a terminal (160)     */
} tern_arg_dash;

#define TERN_ARG_LIST_MAX 256u

typedef struct tern_arg_list {
    size_t n;
    const char *items[TERN_ARG_LIST_MAX];
} tern_arg_list;

typedef struct tern_arg {
    const char *name; /* "--samples", or "NET.lua" for a positional one */
    char letter;      /* 'o' for -o, 0: none                            */
    tern_arg_kind kind;
    const char *value;       /* name of the value in help, e.g. "K"            */
    uint64_t lo, hi;         /* UINT; hi 0: no upper limit                     */
    double real_lo, real_hi; /* REAL                                      */
    const char *choices;     /* CHOICE: "golden|reference"                     */
    tern_arg_what what;      /* STRING, LIST                                   */
    const char *ext;         /* endings of such files: "lua|tern"; NULL: any   */
    tern_arg_dash dash;      /* FILE, OUT, DATA                                */
    bool required;
    void *out;        /* holds the default when the option is not given */
    bool *out_given;  /* may be NULL: set when the option was given     */
    const char *help; /* one or more lines, '\n' between                */
} tern_arg;

typedef struct tern_args {
    const char *verb;    /* "" for the command itself             */
    const char *purpose; /* one paragraph                         */
    const tern_arg *list;
    size_t n;             /* at most 64                            */
    const char *epilogue; /* printed after the options, may be NULL */
    bool verbose;         /* has -v: it shows the commands that it starts */
} tern_args;

/* Rows that every verb has besides its own (--quiet; --verbose if args->verbose). */
const tern_arg *tern_args_common(const tern_args *args, size_t *out_n);
extern bool tern_args_quiet, tern_args_verbose; /* what was given */

/* With a reader set, tern_args_parse() hands its table over and returns TERN_EXIT_DONE, as --help does: so a program
 * learns what each verb really parses. NULL: parse again. The table lives as long as the call. */
typedef void (*tern_args_reader)(void *ud, const tern_args *args);
void tern_args_read(tern_args_reader reader, void *ud);
bool tern_args_reading(void);
/* The one that is set, and its `ud`; NULL: none. */
tern_args_reader tern_args_the_reader(void **out_ud);
/* For a verb without a table of its own: hands `args` to the reader. */
void tern_args_show(const tern_args *args);

/* For a verb that is another one with options of its own: what the other one is called in messages. `verb` stays the
 * caller's; NULL: as its table says. */
void tern_args_call(const char *verb);
/* What a verb is called. */
const char *tern_args_name(const char *verb);

/* Asked when the value of a FILE, OUT or DATA is `-`: the path that the verb gets instead; NULL, with *status: refused,
 * and explained. Without a hook `-` stays a name. */
typedef const char *(*tern_args_dash_hook)(const tern_args *args, const tern_arg *arg, int *status);
void tern_args_on_dash(tern_args_dash_hook hook);

enum { TERN_EXIT_DONE = 0, TERN_EXIT_FOUND = 1, TERN_EXIT_USAGE = 2 };

/* Parses argv[1..]. Returns -1: continue; 0: help was printed; 2: wrong usage, explained on stderr. */
int tern_args_parse(const tern_args *args, int argc, char **argv);
/* Prints the usage. */
void tern_args_help(const tern_args *args, FILE *to);
/* Are words before messages coloured? Where stderr (fd 2) or stdout (1) is a terminal, TERM is not `dumb` and NO_COLOR
 * is not set. */
bool tern_args_colour(int fd);
/* Wrong usage found after parsing (options that exclude each other): prints `TERN-E01xx`, the text and where help is;
 * returns 2. */
int tern_args_wrong(const tern_args *args, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The only candidate that begins with `word`, of two letters at least; else the nearest one (edits: insert, delete,
 * change, swap; one in words of up to four letters, two up to nine, else three); else the longest that `word` begins
 * with, of three letters at least; else NULL. Dashes at the beginning are no letters. */
const char *tern_nearest(const char *word, const char *const *candidates, size_t n);

#ifdef __cplusplus
}
#endif
#endif /* TERN_ARGS_H */
