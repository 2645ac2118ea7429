/* tern_board_model.h : a board in C: the golden model behind the host port, the board's end of the link before it
 * SPDX-License-Identifier: Apache-2.0
 *
 * It answers as a board with tern_core would, as far as a host that follows docs/33-host-port.md can see, but for one
 * network: when a step starts, what the host has written into registers, rows, places and tables must be that network.
 * Its memories start cleared. Of the network any number of samples can be loaded that the capacities allow.
 */
#ifndef TERN_BOARD_MODEL_H
#define TERN_BOARD_MODEL_H
#include "tern/model.h"
#include "tern_plan.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_board_model tern_board_model;

/* capacity: what the board tells; it must hold the network. Memory is the arena's. */
tern_status tern_board_model_create(const tern_model *model, const tern_capacity *capacity, uint8_t session,
                                    tern_arena *arena, tern_board_model **out, tern_diags *diags);
/* Bytes from the host; answers are left for take(). */
void tern_board_model_put(tern_board_model *b, const uint8_t *bytes, size_t n);
size_t tern_board_model_take(tern_board_model *b, uint8_t *bytes, size_t max);
/* True: the host has started a step of another network, or of one that is not loaded as it should be. Nothing is
 * computed from then on. */
bool tern_board_model_foreign(const tern_board_model *b);

#ifdef __cplusplus
}
#endif
#endif /* TERN_BOARD_MODEL_H */
