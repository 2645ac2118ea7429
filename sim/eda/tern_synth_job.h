/* tern_synth_job.h : one run of tern_synth(), for its files
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_SYNTH_JOB_H
#define TERN_SYNTH_JOB_H
#include "tern_synth.h"
#include "tern_progress.h"

enum { E_NO_TOOL = 521, E_TOOL = 522, E_INTERRUPTED = 523, E_TOO_LARGE = 526, E_TIMING = 527, E_ANSWER = 529 };
enum { ANALYSIS = 3 /* of the tools */, SOURCES_MAX = 64, FILE_MAX = 64 << 20 };

#define TERN__SYNTH_SCRIPT "tern_synth.ys" /* a folder that holds this file is ours */

typedef struct tern__synth_job {
    const tern_synth_request *q;
    tern_synth_result *out;
    tern_arena *arena;
    tern_diags *diags;
    const char *share, *top;
    bool share_named; /* by TERN_SHARE; else it is as good as the program (tern_share.h) */
    char work[TERN_SYNTH_PATH + 64], log[TERN_SYNTH_PATH + 160];
    const char *stage;
    double stage_s;
    tern_progress bar;
    size_t n_sources;
    const char *sources[SOURCES_MAX]; /* names below DIR */
} tern__synth_job;

/* The folders above `path` that are missing. */
void tern__synth_make_parents(const char *path);
/* A whole file with a 0 byte behind it, in the job's arena. Not reported: see the caller. */
tern_status tern__synth_read(tern__synth_job *j, const char *path, char **out, size_t *out_size);
tern_status tern__synth_write_text(tern__synth_job *j, const char *name, const char *text);
/* Verilog, its parameters and the script of Yosys, in the folder to work in; fills j->sources and j->top. */
tern_status tern__synth_write_design(tern__synth_job *j);

#endif /* TERN_SYNTH_JOB_H */
