/* tern_cosim_run.h : one run of golden model and core side by side, over recordings or random frames
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_COSIM_RUN_H
#define TERN_COSIM_RUN_H
#include "tern_frames_store.h"
#include "tern_lockstep.h"

enum { TERN_COSIM_PARTS_MAX = 64 };

typedef struct tern_cosim_job {
    const tern_model *model;
    const tern_plan *plan;
    const tern_dut *dut;
    tern_frames_store *frames; /* NULL: random ones */
    uint64_t n_steps, seed;
    bool learn;
    /* of plan->n_samples samples each, per presentation; more than 1 without learning only */
    uint32_t batches;
    uint64_t wave_from; /* step (of this run) before which the waveform begins; UINT64_MAX: none */
    const char *wave_path;
    /* The run in parts, each in a process of its own from a state of the golden model (docs/34-cosim.md): at most so
     * many, 1..TERN_COSIM_PARTS_MAX; more than 1 only without a waveform. */
    uint32_t parts;
    /* One part alone, with parts = 1: the golden model makes the steps before step `from` alone, or before the first
     * cut behind it (tern_cosim_cuts); at step `until` memories are compared and the run ends. All: 0, UINT64_MAX. */
    uint64_t from, until;
    /* With a waveform: memories are not compared before the last flush, which then is in the waveform. */
    bool wave_flush;
} tern_cosim_job;

typedef struct tern_cosim_result {
    tern_lockstep_counts counts;
    tern_lockstep_report report;   /* of the first difference */
    uint64_t predicted;            /* cycles of all steps */
    uint64_t steps, presentations; /* steps of all batches */
    /* presentations whose samples voted (a label population), with a label, with the right winner */
    uint64_t decided, labelled, right;
    /* of this run, UINT64_MAX: no difference. A difference found between steps belongs to the step before */
    uint64_t failed_step;
    uint32_t parts, part; /* that had steps; that with the first difference, else the last one, from 0 on */
    uint64_t part_step;   /* at which that one began */
    bool at_end;          /* the difference was found where memories are compared with an update pending, at `steps` */
    bool interrupted, waved; /* a waveform was written */
    double seconds;
} tern_cosim_result;

/* Whether parts may begin between any two steps, not only between presentations. */
bool tern_cosim_cuts(const tern_cosim_job *job);

/* Runs until the end or the first difference. TERN_OK also with differences (out_result tells); else a diagnostic is
 * there. */
tern_status tern_cosim_run(const tern_cosim_job *job, tern_arena *arena, tern_cosim_result *out_result,
                           tern_diags *diags);

#endif /* TERN_COSIM_RUN_H */
