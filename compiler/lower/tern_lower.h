/* tern_lower.h : from a description in real numbers to a network of integers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LOWER_H
#define TERN_LOWER_H
#include "tern_desc.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Positions, neurons, rows and real-valued initial parameters: fills the structure of model->net, populations and
 * real_*. Codes 260 to 267. */
tern_status tern_network_expand(const tern_desc *desc, tern_arena *arena, tern_model *model, tern_diags *diags);
/* Everything in numbers: formats, taps, W, tables, ek, rounded parameters. After tern_network_expand(). */
tern_status tern_quantise(const tern_desc *desc, tern_arena *arena, tern_model *model, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOWER_H */
