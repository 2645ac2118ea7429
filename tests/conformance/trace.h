/* trace.h : every value of one step, with the number of its rule in docs/21-numerics.md
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CONFORMANCE_TRACE_H
#define TERN_CONFORMANCE_TRACE_H
#include <stdio.h>
#include "tern/engine.h"

/* Lines "RULE NAME PLACE = VALUE" of the step that comes next, worked out with the blocks of the golden model. The
 * state is left alone. False: the network has circuits or baselines per synapse, or the golden model's step gives other
 * values. */
bool tern_trace_write(const tern_state *st, const uint32_t *inputs, const uint32_t *targets, unsigned flags, FILE *f);
#endif /* TERN_CONFORMANCE_TRACE_H */
