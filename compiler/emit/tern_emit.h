/* tern_emit.h : the files of a compiled network (besides its image, tern/image.h)
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_emit_map(&model, "out", &diags);     out/NAME.map    for people, like a linker's map
 *     tern_emit_json(&model, "out", &diags);    out/NAME.json   for other programs
 *     tern_emit_c(&model, "out", &diags);       out/NAME.h, out/NAME.c   for the C runtime, freestanding, no heap
 *     tern_emit_examples(&model, ...);          out/NAME_examples.h, out/NAME_examples.c   recordings as arrays
 *     tern_emit_rtl(&model, &plan, ...);        out/NAME.vh, NAME_top.v, NAME.f, NAME_load.hex, NAME_stream.hex
 *     tern_emit_sources(&model, &plan, ...);    out/rtl/..., NAME.core   the Verilog that NAME.f names, and the bridges
 *     tern_emit_host(&model, &plan, ...);       out/tern-host.h, NAME_host.h, NAME.rdl, NAME_litex.py   drivers, SoCs
 *
 * `dir` exists; NAME is model->name. Files depend on the model only: the same model gives the same bytes. Each file
 * appears complete or not at all (tern/file.h). Emitters know the model and nothing of scripts. With model->state
 * set, the C file starts from the trained weights. One file per output: a new one gets a function here, a file
 * tern_emit_NAME.c and a line in the table of tern_cli_compile.c.
 */
#ifndef TERN_EMIT_H
#define TERN_EMIT_H
#include "tern/data.h"
#include "tern/model.h"
#ifdef __cplusplus
extern "C" {
#endif

tern_status tern_emit_map(const tern_model *model, const char *dir, tern_diags *diags);
tern_status tern_emit_json(const tern_model *model, const char *dir, tern_diags *diags);
tern_status tern_emit_c(const tern_model *model, const char *dir, tern_diags *diags);
/* Where examples come from: get() fills `out` with example i, valid until the next call. */
typedef struct tern_emit_frames {
    tern_status (*get)(void *context, uint32_t i, tern_frames *out, tern_diags *diags);
    void *context;
} tern_emit_frames;
/* n examples as frames for programs without files, in the order given (docs/49-firmware.md). */
tern_status tern_emit_examples(const tern_model *model, const tern_emit_frames *source, uint32_t n, const char *dir,
                               tern_arena *arena, tern_diags *diags);
/* A core with exactly the capacities that the plan needs (plan/tern_plan.h), and what loads the network into it:
 * initial weights, or those of model->state. `target` is a device's name for the reader, or NULL. `arena` gives memory
 * for the state. */
struct tern_plan;
tern_status tern_emit_rtl(const tern_model *model, const struct tern_plan *plan, const char *target, const char *dir,
                          tern_arena *arena, tern_diags *diags);
/* Where Tern's own Verilog lies: `folder` holds rtl/. `named`: by the user, so its files are checked (tern_trust.h).
 */
typedef struct tern_emit_share {
    const char *folder;
    bool named;
} tern_emit_share;
/* Copies of core and bridges below dir/rtl/, and NAME.core. Code 524: a file of the share folder cannot be read. */
tern_status tern_emit_sources(const tern_model *model, const struct tern_plan *plan, const tern_emit_share *share,
                              const char *dir, tern_diags *diags);
/* The host port for those who write drivers or build SoCs: docs/33-host-port.md, docs/42-bridges.md. */
tern_status tern_emit_host(const tern_model *model, const struct tern_plan *plan, const char *dir, tern_diags *diags);
/* dir/NAME.vh alone: a core with these capacities, of no network in particular. */
struct tern_capacity;
tern_status tern_emit_capacity(const char *name, const struct tern_capacity *core, const char *target, const char *dir,
                               tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EMIT_H */
