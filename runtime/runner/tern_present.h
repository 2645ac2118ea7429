/* tern_present.h : one recording shown to a network that learns
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_PRESENT_H
#define TERN_PRESENT_H
#include "tern/presented.h"
#include "tern_runner.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Shows the frames once, learning at the rate out->eta, and ends the presentation; histories are cleared if the model's
 * data section says so. `distance` (tern_distance_init) is needed by rule REWARD with tau > 0, else NULL: then the
 * visible neurons run free, and targets only enter through it. Fills all of `out` but presentation, recording and eta.
 * Codes 113, and those of tern_runner_check(): then the network is somewhere within the presentation. */
tern_status tern_present(tern_runner *r, tern_van_rossum *distance, const tern_frames *f, tern_presented *out,
                         tern_diags *diags);
/* Learning order of n recordings: which one is shown as number `done` (from 0). `order` [n] and `epoch` (at first
 * UINT32_MAX) are kept between calls. */
uint32_t tern_present_next(uint64_t seed, uint32_t done, uint32_t n, uint32_t *order, uint32_t *epoch);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PRESENT_H */
