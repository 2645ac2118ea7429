/* tern_lockstep.h : golden model and core side by side, every record and every memory word
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LOCKSTEP_H
#define TERN_LOCKSTEP_H
#include "tern/model.h"
#include "tern_cores.h"
#include "tern_dut.h"
#include "tern_lockstep_report.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_lockstep_counts {
    uint64_t records, memory_words;       /* compared                                      */
    uint64_t steps, flushes, cycles;      /* of steps                                      */
    uint64_t last_cycles, last_predicted; /* of the last step                              */
    /* what the last step may take: of a small core, whose prediction is an estimate, and of one that leaves silent
     * words out; else both are last_predicted */
    tern_cycle_range last_range;
    uint64_t outside;              /* steps and flushes that took less or more than that */
    uint64_t digest_c, digest_rtl; /* over all records                              */
    uint64_t differences;          /* records, memory words and cycle counts        */
} tern_lockstep_counts;

typedef struct tern_lockstep tern_lockstep;

/* Loads network and state into the core. `plan` must fit the core (its capacities are read over the host port). On
 * failure *out_ls is NULL: TERN_ERR_MEMORY, or with diagnostics TERN_ERR_FIT and TERN_ERR_TOOL (a check inside the core
 * failed, code 616). TERN_ERR_DIFFERS: a check failed later; it is open then, and has to be
 * closed. */
tern_status tern_lockstep_open(const tern_plan *plan, tern_state *state, const tern_dut *dut, tern_arena *arena,
                               tern_lockstep **out_ls, tern_diags *diags);
/* Both digests go on from `digest`, that of the records before this lockstep was opened. Before the first step. */
void tern_lockstep_digest(tern_lockstep *ls, uint64_t digest);
/* One step in both. Returns TERN_OK, or TERN_ERR_DIFFERS after the first difference (which goes into the report; later
 * ones are counted). */
tern_status tern_lockstep_step(tern_lockstep *ls, const uint32_t *inputs, const uint32_t *targets, unsigned flags);
/* Rule REWARD: gives both the learning signals of the step just made, tern_reward(). */
void tern_lockstep_reward(tern_lockstep *ls, const int32_t *reward_f12);
tern_status tern_lockstep_flush(tern_lockstep *ls);
/* Inference in batches: the next batch begins at step number `step` with sample number k0 (a multiple of 4) and cleared
 * histories. */
tern_status tern_lockstep_batch(tern_lockstep *ls, uint32_t step, uint32_t k0);
/* With classes in the plan (tern_plan_classes): a new example begins; a batch of samples ends: decisions, votes and
 * winner are compared. */
tern_status tern_lockstep_example(tern_lockstep *ls);
tern_status tern_lockstep_vote(tern_lockstep *ls);
/* The golden model's counters, NULL without classes. */
const tern_vote *tern_lockstep_votes(const tern_lockstep *ls);
/* A clear in both, as docs/21-numerics.md defines it, section 8b: losses, signals, pending update and lag_head, too. */
tern_status tern_lockstep_clear(tern_lockstep *ls);
/* Compares every memory word that the network or the state occupies, the losses, STEP, LAG_HEAD, PENDING, the six
 * saturation counts and, with classes, counters and votes; no other registers. */
tern_status tern_lockstep_memories(tern_lockstep *ls);
/* What was found so far. Valid until tern_lockstep_close(); a copy of it is valid longer. */
const tern_lockstep_report *tern_lockstep_report_get(const tern_lockstep *ls);
const tern_lockstep_counts *tern_lockstep_get(const tern_lockstep *ls);
/* The simulated core, for waveforms. */
void *tern_lockstep_core(tern_lockstep *ls);
void tern_lockstep_close(tern_lockstep *ls);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOCKSTEP_H */
