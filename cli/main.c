/* main.c : the command `tern`: finds the verb and hands over
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_args.h"
#include "tern_cli.h"
#include "tern_cli_ranks.h"
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
    fputs("usage: tern VERB ...\n\nTern turns a description of a probabilistic spiking network into C and Verilog that learn, bit for bit the same.\n\n", to);
    for (size_t i = 0; i < VERBS; ++i) fprintf(to, "  %-10s %s\n", verbs[i].name, verbs[i].help);
    fputs("\n  tern VERB --help  explains a verb and its options\n  tern --version    prints the version\n"
          "\nexit status: 0 done, 1 a bad input or a difference was found, 2 wrong usage\n", to);
}

static int run(int argc, char **argv)
{
    const tern_args self = { .verb = "", .purpose = "" };
    if (argc < 2) {
        help(stderr);
        return TERN_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        help(stdout);
        return TERN_EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        puts("tern " TERN_VERSION);
        return TERN_EXIT_DONE;
    }
    for (size_t i = 0; i < VERBS; ++i)
        if (strcmp(word, verbs[i].name) == 0) return run_verb(&verbs[i], argc - 1, argv + 1);
    const char *names[VERBS + 2] = { "--help", "--version" };
    for (size_t i = 0; i < VERBS; ++i) names[2 + i] = verbs[i].name;
    const char *near = tern_nearest(word, names, VERBS + 2);
    return tern_args_wrong(&self, 107, "unknown verb '%s'%s%s%s", word, near ? "\n  hint: did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int main(int argc, char **argv)
{
    (void)setenv("LC_ALL", "C", 1); /* for the tools that are started: their numbers and messages are read */
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is a failed write, not an end without a word */
    tern_json_watch();
    const int status = run(argc, argv);
    tern_cli_unlock();
    /* results that could not be written (full disk, closed pipe) must not look like success */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("tern: error TERN-E0109: the output cannot be written\n", stderr);
        return status == TERN_EXIT_DONE ? TERN_EXIT_FOUND : status;
    }
    return status;
}
