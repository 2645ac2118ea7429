/* tern_cli_ranks.h : a verb that several ranks work on together (docs/25-mpi.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_RANKS_H
#define TERN_CLI_RANKS_H
#include <stdbool.h>
#include <stdint.h>

/* Runs a verb on this rank. `ranked`: the verb knows ranks; another is refused (code 172) when it was started as one of
 * several. Only rank 0 is heard, and of others what they say if they fail first. */
int tern_cli_on_ranks(const char *name, bool ranked, int (*run)(int argc, char **argv), int argc, char **argv);
/* Behind the options of a verb that knows ranks. usage: -1, or the status to end with. calls: what decides which calls
 * of tern_ranks.h this rank will make (such as --resume); code 174 if it is not the same on all ranks, which would wait
 * for each other. The status to end with on this rank, -1: all ranks go on. */
int tern_cli_agree_usage(int usage, uint64_t calls, const char *what);

#endif /* TERN_CLI_RANKS_H */
