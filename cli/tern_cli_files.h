/* tern_cli_files.h : what train and eval write: names that get into each other's way, and files of JSON lines that grow
 * line by line
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_FILES_H
#define TERN_CLI_FILES_H
#include "tern/data.h"
#include <stdbool.h>
#include <stdio.h>
#include "tern/diag.h"
#include "tern_args.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_cli_name {
    const char *option, *path; /* "--log", "x.jsonl"; path NULL: not used */
    bool may_be_first;         /* of a name that is read: the first of the written ones may be the same file */
} tern_cli_name;

/* The same file, by whatever name; one that does not exist yet is identified by its folder and its name there. */
bool tern_cli_same_file(const char *a, const char *b);
/* True, with what is wrong in `text`, if a file would be written that is also read, or written twice. */
bool tern_cli_names_clash(const tern_cli_name *written, size_t n_written, const tern_cli_name *read, size_t n_read,
                          char *text, size_t bytes);

/* The same for a whole table after it was parsed: every OUT against every FILE and DATA, and against every other OUT.
 * -1: no clash; else the usage was wrong, explained, and this is the status. */
int tern_cli_outputs_clash(const tern_args *args);

/* What an output may replace: nothing, an empty file, a device, or a file that begins with these bytes. */
typedef struct tern_cli_kind {
    const char *what; /* "a waveform (FST)" */
    const void *begin;
    size_t n, skip; /* at most 64 bytes; so many bytes before them may be anything */
} tern_cli_kind;
/* Code 110, and nothing was touched, for any other file and for a folder. */
tern_status tern_cli_replaceable(const char *path, const char *option, const tern_cli_kind *kind, tern_diags *diags);

/* A file that goes with an image, before it is replaced or removed: must be absent or begin with `begin` (at most 16
 * bytes). Code 110. */
tern_status tern_cli_side_file(const char *path, const char *begin, const char *option, tern_diags *diags);
/* None of the written names may be a recording of the data set. Code 110. */
tern_status tern_cli_not_a_recording(const tern_cli_name *written, size_t n_written, const tern_dataset *set,
                                     tern_diags *diags);

/* May a file of JSON lines be written there? Refused (code 114): a file of this name that holds something else, told
 * by its first bytes (not an empty one, and not a terminal or other character device), and what is neither a file nor
 * such a device. */
tern_status tern_cli_log_check(const char *path, const char *option, const char *begin, tern_diags *diags);
/* Reports errno as code 114. */
tern_status tern_cli_log_fault(const char *path, const char *option, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CLI_FILES_H */
