/* tern_tables.h : the four function tables of an image (docs/21-numerics.md, section 6)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_TABLES_H
#define TERN_TABLES_H
#include "tern/arena.h"
#include "tern/net.h"

/* Fills net->sig_f16, softplus_f12, exp_f16, log_f12. */
tern_status tern_tables_make(tern_arena *arena, tern_net *net);

#endif /* TERN_TABLES_H */
