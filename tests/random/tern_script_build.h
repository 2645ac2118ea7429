/* tern_script_build.h : the first script of a seed that the compiler takes
 * SPDX-License-Identifier: Apache-2.0
 *
 *     unsigned attempt = 0;
 *     do status = tern_script_build(&s, seed, &limits, 14, &arena, &model, &diags, &attempt);
 *     while (status == TERN_OK && !fits(&model));              // an engine that it does not fit: the next one
 */
#ifndef TERN_SCRIPT_BUILD_H
#define TERN_SCRIPT_BUILD_H
#include "tern_script_gen.h"

enum { TERN_SCRIPT_ATTEMPTS = 24 };

/* Draws and compiles, beginning with number *attempt of this seed, until the compiler takes a script (an eta or an
 * initial value may not suit the formats); *attempt is then the number after it. The arena is emptied before each
 * attempt. Not TERN_OK: no memory, or TERN_SCRIPT_ATTEMPTS are used up (diags: the last refusal). */
tern_status tern_script_build(tern_script *s, uint64_t seed, const tern_script_limits *limits, unsigned n_steps,
                              tern_arena *arena, tern_model *model, tern_diags *diags, unsigned *attempt);

#endif /* TERN_SCRIPT_BUILD_H */
