/* tern_emit_common.h : what the emitters share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_EMIT_COMMON_H
#define TERN_EMIT_COMMON_H
#include "tern/file.h"
#include "tern/model.h"

/* Begins dir/NAMEextension. */
tern_status tern__emit_begin(tern_file_writer *w, const tern_model *model, const char *dir, const char *extension, tern_diags *diags);
/* The four lines that every generated file begins with; each begins with `prefix` (" * ", "# ", "// "). */
void tern__emit_header(FILE *f, const char *prefix, const tern_model *model, const char *layout_hash);
/* The network as it is now: with the parameters of model->state if there is one. */
tern_net tern__emit_net(const tern_model *model);
/* Population that a position of a pool belongs to, NULL: none. */
const tern_population *tern__emit_population_at(const tern_model *model, bool input_pool, uint32_t pos);
const tern_population *tern__emit_population_of(const tern_model *model, uint32_t neuron);

extern const char *const tern__emit_pop_kinds[3], *const tern__emit_filter_kinds[4], *const tern__emit_polarities[4], *const tern__emit_rule_kinds[1];
#endif /* TERN_EMIT_COMMON_H */
