/* threads.h : threads that do the same work side by side, for steps of some ten microseconds as well as for whole
 * recordings
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: one thread, always the same, starts, runs and ends a group; different groups may run side by side.
 */
#ifndef TERN_THREADS_H
#define TERN_THREADS_H
#include "tern/arena.h"
#include <stdint.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_threads tern_threads;

/* Starts n - 1 threads in addition to the caller's, n >= 1. TERN_ERR_MEMORY; TERN_ERR_IO: the system refuses. */
tern_status tern_threads_start(uint32_t n, tern_threads **out, tern_arena *arena);
/* Runs work(ud, i) for i = 0..n-1, each on a separate thread, 0 on the caller's; returns when all are done. */
void tern_threads_run(tern_threads *t, void (*work)(void *ud, uint32_t i), void *ud);
void tern_threads_end(tern_threads *t);
/* Processors that this process may run on, at least 1. */
uint32_t tern_threads_online(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_THREADS_H */
