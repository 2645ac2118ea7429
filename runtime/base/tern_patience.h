/* tern_patience.h : how long another program may take before it counts as hanging
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_patience p;
 *     tern_patience_begin(&p, 10);
 *     while (tern_patience_left(&p)) { ... wait at most TERN_PATIENCE_MS ... }
 *
 * A time-out by the clock alone would make the answer depend on what else the machine does. Here time counts as far as
 * the machine had a processor for the other program: a slice that took longer than it should, because the machine stood
 * still, counts as one slice, and where more processes want to run than there are processors, as that much less.
 */
#ifndef TERN_PATIENCE_H
#define TERN_PATIENCE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_PATIENCE_MS = 10 }; /* a slice */

typedef struct tern_patience {
    double left_s, last_s; /* what is left; when it was last asked */
} tern_patience;

void tern_patience_begin(tern_patience *p, double limit_s);
/* Counts the time since the last call; false: the limit is reached. To be called at least every TERN_PATIENCE_MS. */
bool tern_patience_left(tern_patience *p);
/* What elapsed_s counts when `running` processes, the caller not among them, want the `processors`; running 0: not
 * known. */
double tern_patience_counts(double elapsed_s, long running, long processors);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PATIENCE_H */
