/* tern_order.c : see metrics.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include "tern_random.h"

enum { PURPOSE_ORDER = 15 };

void tern_order_epoch(uint64_t seed, uint32_t epoch, uint32_t n, uint32_t *out_order)
{
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    for (uint32_t i = 0; i < n; ++i) out_order[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t counter[2] = { epoch, (uint32_t)PURPOSE_ORDER << 28 | i };
        uint32_t words[2];
        tern_threefry2x32(key, counter, words);
        const uint32_t j = (uint32_t)((uint64_t)words[0] * (i + 1) >> 32), was = out_order[i];
        out_order[i] = out_order[j];
        out_order[j] = was;
    }
}
