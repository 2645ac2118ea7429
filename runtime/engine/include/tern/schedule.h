/* schedule.h : learning-rate schedules without floating point
 * SPDX-License-Identifier: Apache-2.0
 *
 * Freestanding. `tern compile` turns a script's schedule (eta is divided by a number every so many presentations) into
 * a
 * table of learning coefficients ek, N-12, one row for each rate, computed as the command computes them. The emitted C
 * holds the table; the same rates therefore come out on every machine.
 *
 * Threads: every function may be called by any thread at any time; what it changes is what its arguments point to.
 */
#ifndef TERN_SCHEDULE_H
#define TERN_SCHEDULE_H
#include "tern/engine.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_SCHEDULE_MAX_RATES 1024u

typedef struct tern_schedule {
    uint32_t every;     /* presentations that share a rate; 0: one rate for ever                                  */
    uint32_t n_rates;   /* rows, 1..TERN_SCHEDULE_MAX_RATES                                                       */
    uint8_t lags_w;     /* W of the network, numbers in a row                                                     */
    uint8_t complete;   /* 1: the last row stays in force for ever; 0: rates beyond the last row are not tabulated */
    const uint16_t *ek; /* [n_rates][W] u0.15 scaled, N-12                                                        */
} tern_schedule;

/* Puts the rate of presentation number `presentations` (0: the first one) in force: call it between examples.
 * TERN_ERR_ARGUMENT: the schedule is of a network with another W. TERN_ERR_LIMIT: beyond a table that is not complete;
 * the rates in force stay as they are. */
tern_status tern_schedule_apply(tern_state *st, const tern_schedule *schedule, uint32_t presentations);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SCHEDULE_H */
