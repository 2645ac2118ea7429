/* tern_script_shrink.h : a smaller script that fails as well
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_SCRIPT_SHRINK_H
#define TERN_SCRIPT_SHRINK_H
#include "tern_script_gen.h"

/* Does the script compile, fit, and fail? */
typedef bool tern_script_fails(void *ud, const tern_script *s);

/* Takes away whatever can go while the script still fails: operations, connections, populations, filters, units,
 * samples, taps, formats, settings. Asks `fails` at most `budget` times. Returns how many things were taken away. */
unsigned tern_script_shrink(tern_script *s, tern_script_fails *fails, void *ud, unsigned budget);

#endif /* TERN_SCRIPT_SHRINK_H */
