/* tern_cli_train_options.h : the options of tern train
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_TRAIN_OPTIONS_H
#define TERN_CLI_TRAIN_OPTIONS_H
#include "tern_cli.h"

typedef struct tern_train_options {
    const char *net, *data, *out, *log, *engine, *metric, *device;
    uint64_t baud, presentations, seed, samples, checkpoint, patience, validate_every, threads;
    double share;
    bool given_presentations, given_seed, given_samples, given_share, given_patience, given_every, given_metric, resume,
        json;
    tern_arg_list sets;
} tern_train_options;

/* Reads the command line into *o. -1: all is well; else the exit status of the command, after --help or a mistake that
 * was reported. */
int tern_train_options_parse(tern_train_options *o, int argc, char **argv);

#endif /* TERN_CLI_TRAIN_OPTIONS_H */
