/* tern_cli_run.c : tern run: training and measuring on a board
 * SPDX-License-Identifier: Apache-2.0
 *
 * `train --engine device` with an output, `eval --engine device` without; the options are theirs.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_args.h"
#include "tern_errors.h"
#include "tern_verbs.h"

static const char help[] =
    "usage: tern run NET.lua|IMAGE --device PORT --data PATH -o OUT.tern [options of tern train]\n"
    "       tern run IMAGE|NET.lua --device PORT --data PATH [options of tern eval]\n"
    "\n"
    "Trains a network on a board (with -o), or measures it there (without): the same results, bit for bit, as\n"
    "`tern train` and `tern eval`. A script is compiled with the lanes and widths that the board reports; an image\n"
    "runs on any number of lanes. If it does not fit, settings that make it fit are shown. PORT is the board's\n"
    "serial port, such as ttyUSB1, or the terminal that `tern board` names. `tern link PORT` tests the line. "
    "Options:\n\n";

static bool is_output(const char *word)
{
    return strncmp(word, "-o", 2) == 0 || strcmp(word, "--output") == 0 || strncmp(word, "--output=", 9) == 0;
}

/* The options of train and eval, each once, but --engine: what the manual shows. */
typedef struct merged {
    tern_arg list[64];
    size_t n;
} merged;

static void merge(void *ud, const tern_args *args)
{
    merged *m = ud;
    for (size_t i = 0; i < args->n; ++i) {
        const tern_arg *a = &args->list[i];
        bool known = strcmp(a->name, "--engine") == 0 ||
                     strcmp(a->name, "IMAGE|NET.lua") == 0; /* it is NET.lua|IMAGE of train */
        for (size_t k = 0; k < m->n; ++k) known = known || strcmp(m->list[k].name, a->name) == 0;
        if (known || m->n == sizeof m->list / sizeof m->list[0]) continue;
        m->list[m->n] = *a;
        m->list[m->n].required = a->required && strcmp(a->name, "--output") != 0;
        if (strcmp(a->name, "--device") == 0) m->list[m->n].required = true;
        ++m->n;
    }
}

static int show(tern_args_reader reader, void *ud)
{
    static merged m;
    char verb[2][6] = { "train", "eval" }, *words[2] = { verb[0], NULL };
    m.n = 0;
    tern_args_read(merge, &m);
    tern_verb_train(1, words);
    words[0] = verb[1];
    tern_verb_eval(1, words);
    tern_args_read(reader, ud);
    const tern_args args = {
        .verb = "run",
        .list = m.list,
        .n = m.n,
        .purpose = "Trains a network on a board (with -o), or measures it there (without): the same results,\n"
                   "bit for bit, as "
                   "`tern train` and `tern eval`, whose options it has."
    };
    tern_args_show(&args);
    return TERN_EXIT_DONE;
}

int tern_verb_run(int argc, char **argv)
{
    void *ud;
    const tern_args_reader reader = tern_args_the_reader(&ud);
    if (reader != NULL) return show(reader, ud);
    bool output = false, engine = false;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            char verb[2][6] = { "train", "eval" }, option[] = "--help";
            fputs(help, stdout);
            tern_verb_train(2, (char *[]){ verb[0], option, NULL });
            putchar('\n');
            return tern_verb_eval(2, (char *[]){ verb[1], option, NULL });
        }
        output = output || is_output(argv[i]);
        engine = engine || strncmp(argv[i], "--engine", 8) == 0;
    }
    const tern_args args = { .verb = "run", .purpose = "" };
    if (engine)
        return tern_args_wrong(
            &args, TERN_ERROR_USAGE,
            "--engine: `tern run` is for boards only; `tern train` and `tern eval` have the other engines");
    char **words = malloc(((size_t)argc + 2) * sizeof *words), verb[2][6] = { "eval", "train" },
         option[] = "--engine=device";
    if (words == NULL) {
        fputs("tern run: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    words[0] = verb[output];
    words[1] = option;                                      /* before a `--` */
    for (int i = 1; i <= argc; ++i) words[i + 1] = argv[i]; /* the last one is NULL */
    tern_args_call("run");
    const int status = output ? tern_verb_train(argc + 1, words) : tern_verb_eval(argc + 1, words);
    tern_args_call(NULL);
    free(words);
    return status;
}
