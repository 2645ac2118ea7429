/* tern_cli_stream.h : `-` as the name of standard input and output
 * SPDX-License-Identifier: Apache-2.0
 *
 * Verbs read and write files by name: they look at a file's beginning, go back, and give a file its name when it is
 * complete. So what comes from standard input is first put into a file of a folder of its own below TMPDIR (at most 1
 * GiB), and what goes to standard output is copied there from such a file once the verb has ended well: nothing
 * half-written reaches the reader. The folder is removed at the end, also by SIGINT, SIGTERM, SIGHUP. While standard
 * output is an output of this kind, nothing else is written to it. Which options take `-` is in their tables
 * (tern_args.h).
 */
#ifndef TERN_CLI_STREAM_H
#define TERN_CLI_STREAM_H
#include "tern_args.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The hook of tern_args_on_dash(). Codes 160, 162, 110. */
const char *tern_cli_stream_take(const tern_args *args, const tern_arg *arg, int *status);
/* Ends both: copies the output if `status` is TERN_EXIT_DONE. Returns the exit status of the command; code 109 when it
 * cannot be written. */
int tern_cli_stream_end(int status);
/* Is standard output an output of this kind? Then `--json` has nowhere to go. */
bool tern_cli_stream_writes(void);
/* Is this the file that stands for standard input? */
bool tern_cli_stream_is_input(const char *path);
/* In a message, <stdin> and <stdout> for the names of the files that stand for them; the text becomes no longer. */
void tern_cli_stream_rename(char *text);

#ifdef __cplusplus
}
#endif
#endif /* TERN_CLI_STREAM_H */
