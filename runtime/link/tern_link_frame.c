/* tern_link_frame.c : frames on the line
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_link_frame.h"

uint32_t tern_link_crc(uint32_t crc, const void *bytes, size_t n)
{
    static const uint32_t table[16] = {
        /* of 4 bits: small enough for a microcontroller */
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const uint8_t *b = bytes;
    crc = ~crc;
    for (size_t i = 0; i < n; ++i) {
        crc = crc >> 4 ^ table[(crc ^ b[i]) & 15u];
        crc = crc >> 4 ^ table[(crc ^ (uint32_t)b[i] >> 4) & 15u];
    }
    return ~crc;
}

tern_link_decoded tern_link_decode(tern_link_decoder *d, uint8_t byte, bool broken)
{
    enum { TOO_MANY = TERN_LINK_BODY_MAX + 6 };
    if (broken) {
        d->broken = true;
        d->escape = false;
        if (d->n < TOO_MANY) ++d->n; /* something was there */
        return TERN_LINK_MORE;
    }
    if (byte == TERN_LINK_FLAG) {
        const unsigned n = d->n;
        const bool begun = n > 0 || d->escape || d->broken;
        bool good = !d->broken && !d->escape && n >= 5 && n < TOO_MANY && n == d->bytes[0] + 5u;
        if (good) good = tern_link_crc(0, d->bytes, n - 4) == tern_link_word(d->bytes + n - 4);
        d->n = 0;
        d->escape = d->broken = false;
        return good ? TERN_LINK_GOOD : begun ? TERN_LINK_BAD : TERN_LINK_MORE;
    }
    if (byte == TERN_LINK_ESCAPE && !d->escape) {
        d->escape = true;
        return TERN_LINK_MORE;
    }
    if (d->n < sizeof d->bytes) d->bytes[d->n] = d->escape ? byte ^ TERN_LINK_FLIP : byte;
    if (d->n < TOO_MANY) ++d->n;
    d->escape = false;
    return TERN_LINK_MORE;
}

static size_t put(uint8_t *out, uint8_t byte)
{
    if (byte != TERN_LINK_FLAG && byte != TERN_LINK_ESCAPE) {
        out[0] = byte;
        return 1;
    }
    out[0] = TERN_LINK_ESCAPE;
    out[1] = byte ^ TERN_LINK_FLIP;
    return 2;
}

size_t tern_link_encode(const uint8_t *body, uint8_t length, uint8_t *out)
{
    const uint32_t crc = tern_link_crc(tern_link_crc(0, &length, 1), body, length);
    size_t n = 0;
    out[n++] = TERN_LINK_FLAG;
    n += put(out + n, length);
    for (unsigned i = 0; i < length; ++i) n += put(out + n, body[i]);
    for (unsigned i = 0; i < 4; ++i) n += put(out + n, (uint8_t)(crc >> 8 * i));
    out[n++] = TERN_LINK_FLAG;
    return n;
}
