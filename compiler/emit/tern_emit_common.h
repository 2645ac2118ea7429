/* tern_emit_common.h : what the emitters share
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_EMIT_COMMON_H
#define TERN_EMIT_COMMON_H
#include "tern/file.h"
#include "tern/model.h"

/* Begins dir/NAMEextension. */
tern_status tern__emit_begin(tern_file_writer *w, const tern_model *model, const char *dir, const char *extension,
                             tern_diags *diags);
/* The lines that every generated file begins with; each begins with `prefix` (" * ", "# ", "// "). */
void tern__emit_header(FILE *f, const char *prefix, const tern_model *model, const char *layout_hash);
/* Prefix of the network's C functions, and of its macros in capitals. The runtime's own names begin with tern; a
 * network of such a name gets another prefix. */
enum { TERN__EMIT_PREFIX_BYTES = TERN_NAME_MAX + 8 };
void tern__emit_prefix(const tern_model *model, char name[TERN__EMIT_PREFIX_BYTES],
                       char upper[TERN__EMIT_PREFIX_BYTES]);
/* The network as it is now: with the parameters of model->state if there is one. */
tern_net tern__emit_net(const tern_model *model);
/* Population that a position of a pool belongs to, NULL: none. */
const tern_population *tern__emit_population_at(const tern_model *model, bool input_pool, uint32_t pos);
const tern_population *tern__emit_population_of(const tern_model *model, uint32_t neuron);

extern const char *const tern__emit_pop_kinds[3],
    *const tern__emit_filter_kinds[4], *const tern__emit_polarities[4], *const tern__emit_rule_kinds[4],
                                                                            *const tern__emit_baselines[3];

/* Source files of a plan's core and of the bridges, in order, NULL behind the last; some are in both. */
struct tern_plan;
const char *const *tern__emit_core_files(const struct tern_plan *plan);
const char *const *tern__emit_bridge_files(void);
/* NAME.f. */
tern_status tern__emit_list(const tern_model *model, const struct tern_plan *plan, const char *dir, tern_diags *diags);
/* NAME_litex.py. */
void tern__emit_litex(FILE *f, const tern_model *m, const struct tern_plan *plan, const char *hash);
bool tern__emit_listed(const char *const *list, const char *file);

extern const char *const tern__emit_version; /* of Tern */

/* Has a population winner-take-all circuits? */
bool tern__emit_circuits(const tern_model *model);
/* Numbers sent in a step that learns, between neurons and central processor (table tab:comparison of the paper; engines
 * count the same, tern_comm_counts).
 * A visible neuron tells its cross-entropy, a visible circuit one for all its members. */
typedef struct tern__emit_comm {
    uint32_t tellers;
    uint64_t unicast, broadcast;
    const char *unicast_formula, *broadcast_formula;
} tern__emit_comm;
tern__emit_comm tern__emit_communication(const tern_net *net);
/* MF of the network (numerics, N-19). */
static inline int tern__emit_signal_frac(const tern_net *net) { return (int)TERN_V_FRAC - (int)net->m_shift; }
/* Is a learning set used by any neuron? 0: weights of samples (for REWARD none), 1: from w. */
bool tern__emit_set_used(const tern_net *net, unsigned set);

#endif /* TERN_EMIT_COMMON_H */
