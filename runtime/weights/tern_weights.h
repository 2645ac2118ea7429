/* tern_weights.h : weights and state of a network as named arrays, in a NumPy archive or an HDF5 file, or as the byte
 * stream of a device (docs/13-weights.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WEIGHTS_H
#define TERN_WEIGHTS_H
#include "tern/model.h"
#include "tern_store.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Writes the weights that the model has now, and its state if it is trained. `integers`: as they are stored (weights
 * with WF fraction bits, biases and self-memory weights with 12), else real numbers, which are exact. Codes 150, 156,
 * 157 (an array would be too large), 302. */
tern_status tern_weights_export(const tern_model *model, const char *path, bool integers, tern_arena *arena,
                                tern_diags *diags);

/* Writes the state that the model has now as a device's stream (tern/save.h); of a network that is not trained the
 * state that its training begins with. `learnt`: without histories, errors and spikes. Codes 157, 302. */
tern_status tern_saved_export(const tern_model *model, const char *path, bool learnt, tern_arena *arena,
                              tern_diags *diags);

/* Reads either into the model: with a state in the file the model has that state, without one it is untrained and
 * starts from these weights. `weights_only`: layout and state of the file are not looked at. The model is changed
 * only if all is well; new arrays lie in `arena`. Codes 150 to 157. */
tern_status tern_weights_import(tern_model *model, const char *path, bool weights_only, tern_arena *arena,
                                tern_diags *diags);
/* The same from a file that is open, and from a stream in memory (fuzzing). */
tern_status tern_weights_take(tern_model *model, tern_store *store, const char *path, bool weights_only,
                              tern_arena *arena, tern_diags *diags);
tern_status tern_saved_take(tern_model *model, const uint8_t *bytes, size_t n, const char *path, bool weights_only,
                            tern_arena *arena, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_WEIGHTS_H */
