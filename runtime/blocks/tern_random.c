/* tern_random.c : see tern_random.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_random.h"

static uint32_t rotl(uint32_t x, unsigned n) { return (x << n) | (x >> (32u - n)); }

void tern_threefry2x32(const uint32_t key[2], const uint32_t ctr[2], uint32_t out[2])
{
    static const uint8_t rotation[8] = { 13, 15, 26, 6, 17, 29, 16, 24 };
    const uint32_t k[3] = { key[0], key[1], 0x1BD11BDAu ^ key[0] ^ key[1] };
    uint32_t x0 = ctr[0] + k[0], x1 = ctr[1] + k[1];
    for (unsigned r = 0; r < 20; ++r) {
        x0 += x1;
        x1 = rotl(x1, rotation[r & 7]) ^ x0;
        if ((r & 3) == 3) { /* key injection after every fourth round */
            const unsigned n = (r >> 2) + 1;
            x0 += k[n % 3];
            x1 += k[(n + 1) % 3] + n;
        }
    }
    out[0] = x0;
    out[1] = x1;
}

void tern_random_block(uint64_t seed, uint32_t step, unsigned purpose, uint32_t group, uint32_t neuron, uint32_t out[2])
{
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    const uint32_t ctr[2] = { step, (uint32_t)purpose << 28 | group << 16 | neuron };
    tern_threefry2x32(key, ctr, out);
}
