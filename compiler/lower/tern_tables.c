/* tern_tables.c : see tern_tables.h. An entry is the function at the middle of the arguments that select it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_tables.h"
#include <math.h>

tern_status tern_tables_make(tern_arena *arena, tern_net *net)
{
    uint16_t *sig = tern_arena_get(arena, TERN_SIG_ENTRIES, sizeof *sig);
    uint16_t *softplus = tern_arena_get(arena, TERN_SIG_ENTRIES, sizeof *softplus);
    uint16_t *exponential = tern_arena_get(arena, TERN_EXP_ENTRIES, sizeof *exponential);
    uint16_t *logarithm = tern_arena_get(arena, TERN_LOG_ENTRIES, sizeof *logarithm);
    if (sig == NULL || softplus == NULL || exponential == NULL || logarithm == NULL) return TERN_ERR_MEMORY;
    for (unsigned n = 0; n < TERN_SIG_ENTRIES; ++n) {
        const double z = (4.0 * n + 1.5) / 256.0;
        sig[n] = (uint16_t)fmax(2.0, floor(65536.0 / (1.0 + exp(z)) + 0.5));
        softplus[n] = (uint16_t)floor(4096.0 * log1p(exp(-z)) + 0.5);
    }
    for (unsigned n = 0; n < TERN_EXP_ENTRIES; ++n)
        exponential[n] = (uint16_t)floor(65535.0 * exp(-(8.0 * n + 3.5) / 4096.0) + 0.5);
    for (unsigned j = 0; j < TERN_LOG_ENTRIES; ++j)
        logarithm[j] = (uint16_t)floor(4096.0 * log1p((j + 0.5) / 256.0) + 0.5);
    net->sig_f16 = sig;
    net->softplus_f12 = softplus;
    net->exp_f16 = exponential;
    net->log_f12 = logarithm;
    return TERN_OK;
}
