/* tern_threefry_ref.c : Threefry-2x32-20, from Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011),
 * section 4.4
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/reference.h"

static uint32_t rotate_left(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

void tern_threefry_ref(const uint32_t key[2], const uint32_t counter[2], uint32_t out_words[2])
{
    static const unsigned rotation[8] = { 13, 15, 26, 6, 17, 29, 16, 24 };
    const uint32_t parity = 0x1BD11BDAu; /* of Skein: the key words' XOR with it is the third key word */
    const uint32_t k[3] = { key[0], key[1], parity ^ key[0] ^ key[1] };
    uint32_t a = counter[0] + k[0], b = counter[1] + k[1];
    for (unsigned round = 0; round < 20; ++round) {
        a += b;
        b = rotate_left(b, rotation[round % 8]) ^ a;
        if (round % 4 == 3) { /* a key injection after every fourth round */
            const unsigned j = round / 4 + 1;
            a += k[j % 3];
            b += k[(j + 1) % 3] + j;
        }
    }
    out_words[0] = a;
    out_words[1] = b;
}
