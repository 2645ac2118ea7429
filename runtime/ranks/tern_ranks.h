/* tern_ranks.h : processes that work together on one job, on one machine or many (MPI)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ranks are numbered from 0. A program that was not started as one of several is rank 0 of 1, and every call here is
 * then a call without effect. A build without MPI has the same calls; tern_ranks_begin() refuses in it to be one of
 * several. For the whole process, and from one thread. docs/25-mpi.md says what is sent when.
 *
 *     tern_ranks_begin(diags);
 *     ... tern_ranks_exchange(), tern_ranks_from_first(), tern_ranks_agree() ...   each rank the same calls
 *     tern_ranks_end(status);
 *
 * A rank that does not answer is *lost*. From then on no call of that kind waits for anybody, each reports failure, and
 * what it was to receive is undefined.
 */
#ifndef TERN_RANKS_H
#define TERN_RANKS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tern/diag.h"
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_RANKS_MAX 4096u

/* The MPI library of this build, such as "Open MPI 4.1.4"; NULL: it has none. */
const char *tern_ranks_library(void);
/* Was this process started as one of several (mpirun, mpiexec, srun)? From the environment alone. $TERN_RANKS=alone:
 * each is a program of its own. The number of processes; 2 if there are several but their number is not told. */
uint32_t tern_ranks_started(void);
/* Joins the other ranks. Codes 170: a build without MPI; 171: the launcher is of another MPI; 174: ranks of different
 * versions; 177: an unknown $TERN_RANKS or $TERN_RANKS_PATIENCE; 178: MPI does not start, or more than TERN_RANKS_MAX
 * ranks. `version` is compared. */
tern_status tern_ranks_begin(const char *version, tern_diags *diags);
uint32_t tern_ranks_index(void);
uint32_t tern_ranks_count(void);

/* Each rank sends bytes offset[i]..offset[i+1]-1 of `all`, i its own index, to all others; then all of `all` is there.
 * offset: [count + 1], the same on each rank. False: a rank is lost. */
bool tern_ranks_exchange(uint8_t *all, const size_t *offset);
/* Rank 0's bytes go to all others. */
bool tern_ranks_from_first(void *bytes, size_t n);
bool tern_ranks_lost(void);
/* The caller has noticed that a rank is lost. */
void tern_ranks_lose(void);
/* Seconds of waiting after which a rank is lost: $TERN_RANKS_PATIENCE, or `standard`. */
double tern_ranks_patience_s(double standard);
/* Adds code 175, unless no rank is lost. */
tern_status tern_ranks_check(tern_diags *diags);

/* All ranks go on, or none does. s: how this rank fared; *stop: does it want to stop? Returns s if it is an error;
 * TERN_ERR_TOOL with code 179 if another rank has one, with code 175 if a rank is lost. *stop: does anybody want to? */
tern_status tern_ranks_agree(tern_status s, bool *stop, tern_diags *diags);
/* First rank that had an error in tern_ranks_agree(); UINT32_MAX: none. */
uint32_t tern_ranks_failed(void);
/* Have all ranks the same number? Code 174 names those that differ from rank 0, and `what` (such as "recordings").
 * To be followed by tern_ranks_agree(). */
tern_status tern_ranks_same(uint64_t number, const char *what, const char *hint, tern_diags *diags);

/* Messages between two ranks, for work that is given out: whole messages, in the order in which one rank sends them to
 * another. A message to a rank that is gone is dropped. */
void tern_ranks_send(uint32_t to, const void *bytes, size_t n);
/* Takes the next message, if there is one: its size, at most `most`; 0: none. */
size_t tern_ranks_take(uint32_t *out_from, void *bytes, size_t most);

/* Bytes that this rank has sent to others with tern_ranks_exchange(), each receiver counted. */
uint64_t tern_ranks_sent(void);
/* Leaves the others. After a loss MPI ends all that is left, and this call does not return but ends the process with
 * `status`. */
void tern_ranks_end(int status);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RANKS_H */
