/* tern_cycles_plain.h : compiler/layout/tern_cycles.c without strides, under other names
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CYCLES_PLAIN_H
#define TERN_CYCLES_PLAIN_H
#include "tern_plan.h"

/* As tern_plan_cycles() and tern_plan_skip_range(). */
uint64_t tern_plain_cycles(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp);
tern_cycle_range tern_plain_skip_range(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp);

#endif /* TERN_CYCLES_PLAIN_H */
