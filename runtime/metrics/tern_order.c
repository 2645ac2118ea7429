/* tern_order.c : see metrics.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/metrics.h"
#include "tern_random.h"

enum { PURPOSE_SPLIT = 14, PURPOSE_ORDER = 15 };

static void shuffle(uint64_t seed, uint32_t purpose, uint32_t epoch, uint32_t n, uint32_t *out_order)
{
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    for (uint32_t i = 0; i < n; ++i) out_order[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t counter[2] = { epoch, purpose << 28 | i };
        uint32_t words[2];
        tern_threefry2x32(key, counter, words);
        const uint32_t j = (uint32_t)((uint64_t)words[0] * (i + 1) >> 32), was = out_order[i];
        out_order[i] = out_order[j];
        out_order[j] = was;
    }
}

void tern_order_epoch(uint64_t seed, uint32_t epoch, uint32_t n, uint32_t *out_order)
{
    shuffle(seed, PURPOSE_ORDER, epoch, n, out_order);
}

void tern_order_split(uint64_t seed, uint32_t n, uint32_t held, uint32_t *out_train, uint32_t *out_held,
                      uint32_t *scratch)
{
    shuffle(seed, PURPOSE_SPLIT, 0, n, scratch);
    /* from the chosen ones to marks, from marks to ascending lists */
    for (uint32_t i = 0; i < held; ++i) out_held[i] = scratch[i];
    for (uint32_t i = 0; i < n; ++i) scratch[i] = 0;
    for (uint32_t i = 0; i < held; ++i) scratch[out_held[i]] = 1;
    for (uint32_t i = 0, h = 0, t = 0; i < n; ++i) {
        if (scratch[i] != 0) out_held[h++] = i;
        else out_train[t++] = i;
    }
}
