/* main.c : the command `tern`: finds the verb and hands over
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "tern_args.h"
#include "tern_cli.h"
#include "tern_verbs.h"

typedef struct verb {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} verb;

static size_t verbs(verb *out)
{
    size_t n = 0;
#define XX(NAME, HELP) \
    if (tern_verb_##NAME) out[n++] = (verb){ #NAME, HELP, tern_verb_##NAME };
    TERN_VERB_MAP(XX)
#undef XX
    return n;
}

#define XX(NAME, HELP) +1
enum { VERBS_MAX = 0 TERN_VERB_MAP(XX) };
#undef XX

static void help(FILE *to, const verb *list, size_t n)
{
    fputs("usage: tern VERB ...\n\nTern turns a description of a probabilistic spiking network into C and Verilog that learn, bit for bit alike.\n\n", to);
    for (size_t i = 0; i < n; ++i) fprintf(to, "  %-10s %s\n", list[i].name, list[i].help);
    fputs("\n  tern VERB --help  explains a verb and its options\n  tern --version    prints the version\n"
          "\nexit status: 0 done, 1 a bad input or a difference was found, 2 wrong usage\n", to);
}

static int run(int argc, char **argv)
{
    verb list[VERBS_MAX];
    const size_t n = verbs(list);
    const tern_args self = { .verb = "", .purpose = "" };
    if (argc < 2) {
        help(stderr, list, n);
        return TERN_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        help(stdout, list, n);
        return TERN_EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        puts("tern " TERN_VERSION);
        return TERN_EXIT_DONE;
    }
    for (size_t i = 0; i < n; ++i)
        if (strcmp(word, list[i].name) == 0) return list[i].run(argc - 1, argv + 1);
    const char *names[VERBS_MAX + 2] = { "--help", "--version" };
    for (size_t i = 0; i < n; ++i) names[2 + i] = list[i].name;
    const char *near = tern_nearest(word, names, n + 2);
    return tern_args_wrong(&self, 107, "unknown verb '%s'%s%s%s", word, near ? "\n  hint: did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int main(int argc, char **argv)
{
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
