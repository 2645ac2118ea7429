/* tern_cosim_run.h : one run of golden model and core side by side, over recordings or random frames
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_COSIM_RUN_H
#define TERN_COSIM_RUN_H
#include "tern_frames_store.h"
#include "tern_lockstep.h"

enum { TERN_COSIM_PARTS_MAX = 64, TERN_COSIM_ALL = -1 };

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
     * many, 1..TERN_COSIM_PARTS_MAX. More than 1 only without a waveform, unless part `only` alone is run again, which
     * is made in this process; TERN_COSIM_ALL: all parts. */
    uint32_t parts;
    int only;
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
    uint32_t part; /* of the first difference, else the last one: 0..parts-1 */
    bool interrupted;
    double seconds;
} tern_cosim_result;

/* Runs until the end or the first difference. TERN_OK also with differences (out_result tells); else a diagnostic is
 * there. */
tern_status tern_cosim_run(const tern_cosim_job *job, tern_arena *arena, tern_cosim_result *out_result,
                           tern_diags *diags);

#endif /* TERN_COSIM_RUN_H */
