/* tern_engines.h : what an engine is to those who run one: one table of calls for each
 * SPDX-License-Identifier: Apache-2.0
 *
 * tern_runner_...() (tern_runner.h) calls through the table of the runner's engine. An entry that may be NULL has
 * no effect then.
 */
#ifndef TERN_ENGINES_H
#define TERN_ENGINES_H
#include "tern_runner.h"

typedef struct tern_engine {
    const char *name; /* of --engine */
    /* In the log of a training; the same for all engines that make the same bits, as their logs are the same. */
    const char *arithmetic;
    /* Called with st ready; NULL. */
    tern_status (*open)(tern_runner *r, const tern_runner_engine *o, tern_arena *arena, tern_diags *diags);
    void (*run)(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t), void *ud);
    void (*end)(tern_runner *r, bool clear);
    void (*reward)(tern_runner *r, const double *reward);
    tern_status (*set_eta)(tern_runner *r, double eta);
    tern_status (*check)(const tern_runner *r, tern_diags *diags); /* NULL: it never fails */
    tern_status (*pull)(tern_runner *r, tern_diags *diags);        /* NULL: st is the state */
    void (*placed)(tern_runner *r);                                /* st.k0 and st.step are new; NULL */
    void (*changed)(tern_runner *r);                               /* all of st is new; NULL */
    void (*weights)(tern_runner *to,
                    const tern_runner *from); /* the weights of to->st are new, copied from another runner; NULL */
} tern_engine;

/* The one that a runner takes when none is named. */
const tern_engine *tern_engine_default(void);
extern const tern_engine tern_engine_fast, tern_engine_golden, tern_engine_reference;

/* Parts that engines with a state of integers share. */
tern_status tern_engine_set_ek(tern_runner *r, double eta);
void tern_engine_reward_f12(const tern_runner *r, const double *reward, int32_t out_f12[TERN_MAX_SAMPLES]);

#endif /* TERN_ENGINES_H */
