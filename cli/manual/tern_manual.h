/* tern_manual.h : man pages, completions and annotations, made of the tables that the verbs parse
 * SPDX-License-Identifier: Apache-2.0
 *
 * `tern manual DIR`, which the build calls after it has made the command (docs/53-manual.md). Every verb is asked for
 * its table by tern_args_read(), so a page cannot lack an option that the verb knows.
 */
#ifndef TERN_MANUAL_H
#define TERN_MANUAL_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* The i-th verb of the command; 0: there is none. */
typedef int (*tern_manual_verbs)(size_t i, const char **out_name, const char **out_help,
                                 int (**out_run)(int argc, char **argv));

/* The hidden verb: DIR/man, DIR/completions and DIR/lua. Returns the exit status. */
int tern_manual(int argc, char **argv, tern_manual_verbs verbs);

#ifdef __cplusplus
}
#endif
#endif /* TERN_MANUAL_H */
