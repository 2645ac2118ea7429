/* tern_cosim_parts.h : a run of golden model and core in parts, each in a process of its own
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/34-cosim.md, "In parts". The first process makes all steps with the golden model alone. Where a part begins it
 * starts a process, which has the model's state there, loads a core with it and goes on with both; the last part is its
 * own. What the processes find lies in memory that all of them share. Unix: fork() and mmap().
 *
 * Threads: none. One process at a time uses a part's place; flags and counters are atomic.
 */
#ifndef TERN_COSIM_PARTS_H
#define TERN_COSIM_PARTS_H
#include "tern_cosim_run.h"
#include "tern_progress.h"

typedef struct tern_cosim_parts tern_cosim_parts;

/* The step at which part p of `parts` begins, 0..n_steps for p = 0..parts. Earlier parts are longer, since the model
 * has to reach a later one first: so all of them end at about the same time. p <= parts <= TERN_COSIM_PARTS_MAX. */
uint64_t tern_cosim_part_begin(uint64_t n_steps, uint32_t parts, uint32_t p);

/* The shared memory of n parts; TERN_ERR_MEMORY. */
tern_status tern_cosim_parts_open(uint32_t n, tern_cosim_parts **out_parts);
/* Starts the process of part p: *out_child is true in that process, which must end by tern_cosim_parts_leave(). False:
 * no process could be started. */
bool tern_cosim_parts_start(tern_cosim_parts *t, uint32_t p, bool *out_child);
/* This process runs part p: what it writes to stdout from here on, messages of the simulated core, is kept until
 * tern_cosim_parts_join(), which writes that of the parts that count. */
void tern_cosim_parts_listen(tern_cosim_parts *t, uint32_t p);
/* Parts from..to-1 have no steps. */
void tern_cosim_parts_skip(tern_cosim_parts *t, uint32_t from, uint32_t to);
/* Part p has made so many steps. */
void tern_cosim_parts_told(tern_cosim_parts *t, uint32_t p, uint64_t steps);
uint64_t tern_cosim_parts_steps(const tern_cosim_parts *t);
/* Part p is over. `complete`: it reached its end, and nothing differs. */
void tern_cosim_parts_put(tern_cosim_parts *t, uint32_t p, bool complete, const tern_cosim_result *result,
                          tern_status status, const tern_diags *diags);
/* Whether part p need not go on: a part before it ended early, the first process was interrupted or is gone. In the
 * first process, which has to ask often, p is the part that it runs, or the next one. */
bool tern_cosim_parts_vain(tern_cosim_parts *t, uint32_t p);
/* All parts have to end: the first process was interrupted. */
void tern_cosim_parts_stop(tern_cosim_parts *t);
_Noreturn void tern_cosim_parts_leave(void);
/* Waits for all processes, and puts their results together as if there had been one: what is behind the first part that
 * is not complete does not count. Returns that part's status, with its diagnostics. TERN_ERR_TOOL with code 617: the
 * process of a part ended by itself. */
tern_status tern_cosim_parts_join(tern_cosim_parts *t, tern_progress *bar, tern_cosim_result *out_result,
                                  tern_diags *diags);
void tern_cosim_parts_close(tern_cosim_parts *t); /* NULL: nothing */

#endif /* TERN_COSIM_PARTS_H */
