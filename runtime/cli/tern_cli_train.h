/* tern_cli_train.h : parts of the verb train
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_TRAIN_H
#define TERN_CLI_TRAIN_H
#include "tern_cli.h"
#include "tern_cli_runner.h"

/* What happened in one presentation; one line of the log (docs/11-commands.md, "The log"). */
typedef struct tern_train_line {
    uint32_t    presentation;  /* counts from 1 */
    uint32_t    recording;     /* index in the data set */
    int32_t     label;         /* -1: none */
    uint32_t    step;          /* steps made so far, all presentations */
    double      eta;
    double      log_loss;      /* per step, mean over samples */
    double      log_loss_iw;   /* per step, importance-weighted estimate */
    double      hidden_rate;   /* spikes per hidden neuron, sample and step; 0 without hidden neurons */
    tern_sat_counts saturations; /* of this presentation */
} tern_train_line;

typedef struct tern_train_names {
    const char *net, *data, *out, *reference, *log; /* log: may be NULL */
    bool        resume;
} tern_train_names;

/* True, with the reason in `text`, if a file would be written that is also read, or written twice. */
bool tern_train_names_clash(const tern_train_names *names, char *text, size_t bytes);
/* Prepares the log: empty, or (resume) cut back to the lines of the first `done` presentations. */
tern_status tern_train_log_open(const char *path, bool resume, uint32_t done, FILE **out_file, tern_diags *diags);
tern_status tern_train_log_write(FILE *file, const char *path, const tern_train_line *line, tern_diags *diags);
/* JSON object of saturation counts. */
json_t *tern_train_saturations(const tern_sat_counts *s);

#endif /* TERN_CLI_TRAIN_H */
