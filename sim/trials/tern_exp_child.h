/* tern_exp_child.h : commands of this executable as child processes, several at a time
 * SPDX-License-Identifier: Apache-2.0
 *
 * A child has a process group of its own: Ctrl-C in a terminal reaches only the experiment, which then asks its
 * children to end (once: a second request would keep
 * `tern train` from saving). An experiment that is killed cannot ask: the kernel then sends its children SIGTERM
 * (Linux), so none continues alone.
 */
#ifndef TERN_EXP_CHILD_H
#define TERN_EXP_CHILD_H
#include <stdbool.h>
#include <sys/types.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_EXP_WORDS_MAX = 400 };
/* A command; words[0] is the path of this executable, printed as "tern". */
typedef struct tern_exp_command {
    size_t n;
    const char *words[TERN_EXP_WORDS_MAX + 1];
    bool too_long;
} tern_exp_command;

typedef enum tern_exp_end { TERN_EXP_RUNNING, TERN_EXP_DONE, TERN_EXP_FAILED } tern_exp_end;

void tern_exp_command_begin(tern_exp_command *c, const char *executable);
void tern_exp_command_add(tern_exp_command *c, const char *word);
/* An option and its value. NULL, which is what making a text returns without memory, makes the command too long. */
void tern_exp_command_pair(tern_exp_command *c, const char *option, const char *value);
/* The command as it is typed into a shell, in the arena; NULL: out of memory. */
char *tern_exp_command_text(const tern_exp_command *c, tern_arena *arena);

/* A name that starts this very executable, even when it has been replaced since; code 757. */
tern_status tern_exp_executable(char *out, size_t bytes, tern_diags *diags);
/* Starts it with nothing to read, stdout and stderr going to files. Code 752. */
tern_status tern_exp_child_start(const tern_exp_command *c, const char *out_path, const char *err_path, pid_t *out_pid,
                                 tern_diags *diags);
/* Has it ended? out_status: exit status, or 128 + number of the signal that ended it. */
tern_exp_end tern_exp_child_poll(pid_t pid, int *out_status);
void tern_exp_child_ask(pid_t pid);
/* Some milliseconds of patience between polls. */
void tern_exp_child_pause(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_CHILD_H */
