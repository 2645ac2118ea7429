/* tern_cycles_plain.c : compiler/layout/tern_cycles.c without strides, under other names
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cycles_plain.h"
#define TERN_CYCLE_BY_CYCLE
#define tern_plan_cycles tern_plain_cycles
#define tern_plan_skip_range tern_plain_skip_range
#include "tern_cycles.c"
