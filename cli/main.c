/* main.c : the command `tern`: finds the verb and hands over
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_args.h"
#include "tern_errors.h"
#include "tern_cli.h"
#include "tern_cli_ranks.h"
#include "tern_cli_stream.h"
#include "tern_manual.h"
#include "tern_tool.h"
#include "tern_verbs.h"

typedef struct verb {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} verb;

#define XX(NAME, HELP) { #NAME, HELP, tern_verb_##NAME },
static const verb verbs[] = { TERN_VERB_MAP(XX) };
#undef XX
enum { VERBS = sizeof verbs / sizeof verbs[0] };

/* Verbs that several ranks work on together; and one that may ask anywhere. */
static bool is_ranked(const char *name) { return strcmp(name, "train") == 0 || strcmp(name, "experiment") == 0; }
static bool is_anywhere(const char *name) { return strcmp(name, "doctor") == 0; }

static int run_verb(const verb *v, int argc, char **argv)
{
    if (is_anywhere(v->name)) return v->run(argc, argv);
    return tern_cli_on_ranks(v->name, is_ranked(v->name), v->run, argc, argv);
}

static void help(FILE *to)
{
    fputs("usage: tern VERB ...\n\nTern turns a description of a probabilistic spiking network into C and Verilog that "
          "learn, bit for bit the same.\n\n",
          to);
    for (size_t i = 0; i < VERBS; ++i) fprintf(to, "  %-10s %s\n", verbs[i].name, verbs[i].help);
    fputs("\n  tern help VERB    explains a verb and its options, as tern VERB --help does\n  tern --version    (-V) "
          "prints the version\n"
          "\nexit status: 0 done, 1 a bad input or a difference was found, 2 wrong usage\n",
          to);
}

static const verb *find(const char *word)
{
    for (size_t i = 0; i < VERBS; ++i)
        if (strcmp(word, verbs[i].name) == 0) return &verbs[i];
    return NULL;
}

static int unknown(const char *word)
{
    const tern_args self = { .verb = "", .purpose = "" };
    const char *names[VERBS + 3] = { "--help", "--version", "help" };
    for (size_t i = 0; i < VERBS; ++i) names[3 + i] = verbs[i].name;
    const char *near = tern_nearest(word, names, VERBS + 3);
    return tern_args_wrong(&self, TERN_ERROR_VERB, "unknown verb '%s'%s%s%s", word,
                           near ? "\n  hint: did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* tern help [VERB [WORD]]: what tern VERB [WORD] --help prints. */
static int help_of(int argc, char **argv)
{
    char option[] = "--help", *words[4] = { argv[0], NULL, NULL, NULL };
    if (argc == 0 || argv[0][0] == '-') {
        help(stdout);
        return TERN_EXIT_DONE;
    }
    if (strcmp(argv[0], "help") == 0 && argc == 1) {
        help(stdout);
        return TERN_EXIT_DONE;
    }
    const verb *v = find(argv[0]);
    if (v == NULL) return unknown(argv[0]);
    const bool words_follow = strcmp(argv[0], "data") == 0;
    if (argc > (words_follow ? 2 : 1)) {
        const tern_args self = { .verb = "", .purpose = "" };
        return tern_args_wrong(&self, TERN_ERROR_USAGE, "tern help: nothing follows '%s', found '%.60s'",
                               argv[words_follow ? 1 : 0], argv[words_follow ? 2 : 1]);
    }
    const int n = argc > 1 ? 2 : 1;
    if (n == 2) words[1] = argv[1];
    words[n] = option;
    return v->run(n + 1, words);
}

static void started(const char *const *argv)
{
    if (!tern_args_verbose) return;
    fputs("+ ", stderr);
    fputs(strcmp(argv[0], "/proc/self/exe") == 0 ? tern_cli_program : argv[0], stderr);
    for (size_t i = 1; argv[i] != NULL; ++i) tern_cli_print_word(argv[i], stderr);
    fputc('\n', stderr);
}

/* One verb for tern_manual_write(). */
static int manual_verb(size_t i, const char **out_name, const char **out_help, int (**out_run)(int argc, char **argv))
{
    if (i >= VERBS) return 0;
    *out_name = verbs[i].name;
    *out_help = verbs[i].help;
    *out_run = verbs[i].run;
    return 1;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return TERN_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return help_of(0, argv);
    if (strcmp(word, "help") == 0) return help_of(argc - 2, argv + 2);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("tern " TERN_VERSION);
        return TERN_EXIT_DONE;
    }
    if (strcmp(word, "manual") == 0)
        return tern_manual(argc - 1, argv + 1, manual_verb); /* not listed: the build calls it */
    const verb *v = find(word);
    if (v == NULL) return unknown(word);
    tern_args_on_dash(tern_cli_stream_take);
    tern_tool_started = started;
    return run_verb(v, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    (void)setenv("LC_ALL", "C", 1); /* for the tools that are started: their numbers and messages are read */
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is a failed write, not an end without a word */
    tern_json_watch();
    if (argc > 0 && argv[0][0] != 0) tern_cli_program = argv[0];
    const int ended = run(argc, argv);
    tern_cli_unlock();
    const int status = tern_cli_stream_end(ended);
    /* results that could not be written (full disk, closed pipe) must not look like success */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        const char *why = errno != 0 ? strerror(errno) : "an earlier part of it could not be written";
        fprintf(stderr, "tern: error TERN-E0109: standard output cannot be written: %s\n", why);
        return status == TERN_EXIT_DONE ? TERN_EXIT_FOUND : status;
    }
    return status;
}
