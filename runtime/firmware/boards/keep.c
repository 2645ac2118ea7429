/* keep.c : an array instead of flash
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board.h"

static uint8_t kept[32768];
static size_t n_kept;

bool board_keep(const uint8_t *bytes, size_t n)
{
    if (n > sizeof kept - n_kept) return false;
    for (size_t i = 0; i < n; ++i) kept[n_kept + i] = bytes[i];
    n_kept += n;
    return true;
}

const uint8_t *board_kept(size_t *out_n)
{
    *out_n = n_kept;
    return kept;
}
