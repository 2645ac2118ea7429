/* tern_tool.h : runs another program, without a shell
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_TOOL_H
#define TERN_TOOL_H

typedef enum tern_tool_end {
    TERN_TOOL_DONE,       /* exit status 0                             */
    TERN_TOOL_FAILED,     /* it could be started, but did not succeed  */
    TERN_TOOL_MISSING,    /* it is not on the PATH                     */
    TERN_TOOL_INTERRUPTED /* the user wanted to stop; it has ended     */
} tern_tool_end;

/* Runs argv[0] (found on the PATH) in the folder `dir` with nothing to read; what it prints is added to the file `log`.
 * `poll` (may be NULL) is called some times a second while it runs. Compiler flags and make's own settings in the
 * environment are kept from it: they would change what is built. */
tern_tool_end tern_tool_run(const char *const *argv, const char *dir, const char *log, void (*poll)(void *ud),
                            void *ud);

/* What it reads, and where it prints (names as seen from here, not from `dir`). err NULL: with `out`. */
typedef struct tern_tool_files {
    const char *in, *out, *err;
} tern_tool_files;
/* The same, with what it prints and what it complains about in two files, and a file to read. */
tern_tool_end tern_tool_run_files(const char *const *argv, const char *dir, const tern_tool_files *to,
                                  void (*poll)(void *ud), void *ud);

/* Called with the words of every program before it is started; NULL: nobody wants to know (--verbose). */
extern void (*tern_tool_started)(const char *const *argv);

#endif /* TERN_TOOL_H */
