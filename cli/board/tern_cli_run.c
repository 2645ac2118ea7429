/* tern_cli_run.c : tern run: training and measuring on a board
 * SPDX-License-Identifier: Apache-2.0
 *
 * `train --engine device` with an output, `eval --engine device` without; the options are theirs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_args.h"
#include "tern_verbs.h"

static const char help[] =
    "usage: tern run NET.lua|IMAGE --device PORT --data PATH -o OUT.tern [options of tern train]\n"
    "       tern run IMAGE|NET.lua --device PORT --data PATH [options of tern eval]\n"
    "\n"
    "Trains a network on a board (with -o), or measures it there (without): the same results, bit for bit, as\n"
    "`tern train` and `tern eval`. A script is compiled with the lanes and widths that the board reports; an image\n"
    "runs on any number of lanes. If it does not fit, settings that make it fit are shown. PORT is the board's\n"
    "serial port, such as ttyUSB1, or the terminal that `tern board` names. `tern link PORT` tests the line. Options:\n\n";

static bool is_output(const char *word) { return strncmp(word, "-o", 2) == 0 || strcmp(word, "--output") == 0 || strncmp(word, "--output=", 9) == 0; }

int tern_verb_run(int argc, char **argv)
{
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
    if (engine) return tern_args_wrong(&args, 110, "--engine: `tern run` is for boards only; `tern train` and `tern eval` have the other engines");
    char **words = malloc(((size_t)argc + 2) * sizeof *words), verb[2][6] = { "eval", "train" }, option[] = "--engine=device";
    if (words == NULL) {
        fputs("tern run: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    words[0] = verb[output];
    words[1] = option; /* before a `--` */
    for (int i = 1; i <= argc; ++i) words[i + 1] = argv[i]; /* the last one is NULL */
    const int status = output ? tern_verb_train(argc + 1, words) : tern_verb_eval(argc + 1, words);
    free(words);
    return status;
}
