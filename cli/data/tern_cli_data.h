/* tern_cli_data.h : what the parts of `tern data` share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_DATA_H
#define TERN_CLI_DATA_H
#include "tern/data.h"
#include "tern_cli.h"

int tern_cli_data_digits(int argc, char **argv);
int tern_cli_data_simulate(int argc, char **argv);
int tern_cli_data_taxels(int argc, char **argv);
int tern_cli_data_info(int argc, char **argv);
int tern_cli_data_view(int argc, char **argv);
int tern_cli_data_convert(int argc, char **argv);
int tern_cli_data_encode(int argc, char **argv);
int tern_cli_data_split(int argc, char **argv);

/* Progress of a library call: `ud` is a tern_progress; false when Ctrl-C was pressed. */
bool tern_cli_data_progress(void *ud, uint64_t done, uint64_t total);

/* After a call that was stopped by Ctrl-C: says so, and is true. */
bool tern_cli_data_stopped(void);

/* OUT, if it is one of the files read (NULL: not given; a selection behind '#' does not count) or the folder of one:
 * wrong usage is reported, and *status set. */
bool tern_cli_data_overwrites(const tern_args *args, const char *out, const char *const *read, size_t n, int *status);
/* The same for the recordings of a data set; the diagnostic has code 110. */
tern_status tern_cli_data_spare(const char *out, const tern_dataset *set, tern_diags *diags);

/* False: the output's name does not end in .npz; wrong usage is reported, and *status set. */
bool tern_cli_data_npz(const tern_args *args, const char *out, int *status);

/* "X,Y,W,H": whole numbers below 65536, W and H not 0; or (n = 2) "W,H". False: something else. */
bool tern_cli_data_numbers(const char *text, unsigned n, uint32_t *out);

/* Options that say what a file means; m: a tern_meaning. */
#define TERN_CLI_MEANING(m) \
    { .name = "--columns", \
      .kind = TERN_ARG_STRING, \
      .what = TERN_WHAT_TEXT, \
      .value = "ORDER", \
      .out = &(m).columns, \
      .help = "CSV, NumPy tables: what their columns are, like x,y,p,t" }, \
        { .name = "--time-unit", \
          .kind = TERN_ARG_STRING, \
          .what = TERN_WHAT_TEXT, \
          .value = "UNIT", \
          .out = &(m).time_unit, \
          .help = "CSV, NumPy, HDF5: unit of the times: s, ms, us or ns" }, \
    { \
        .name = "--axes", .kind = TERN_ARG_STRING, .what = TERN_WHAT_TEXT, .value = "AXES", .out = &(m).axes, \
        .help = "NumPy grids: their axes, like ntpyx: samples, steps, planes, rows, columns" \
    }
/* False: they are not understood; wrong usage is reported, and *status set. */
bool tern_cli_data_meaning(const tern_args *args, const tern_meaning *m, int *status);

/* The recordings of PATH: itself if a format is named or a part of it is selected, else as a data set. */
tern_status tern_cli_data_open(const char *path, const char *format, const tern_meaning *meaning, tern_arena *arena,
                               tern_dataset *out, tern_diags *diags);

#endif /* TERN_CLI_DATA_H */
