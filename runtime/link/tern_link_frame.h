/* tern_link_frame.h : frames on the line (docs/36-link.md, section 3), for both ends
 * SPDX-License-Identifier: Apache-2.0
 *
 * Internal to runtime/link. Freestanding, no heap.
 */
#ifndef TERN_LINK_FRAME_H
#define TERN_LINK_FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERN_LINK_FLAG = 0x7e,
    TERN_LINK_ESCAPE = 0x7d,
    TERN_LINK_FLIP = 0x20,
    TERN_LINK_BODY_MAX = 255,                   /* bytes of a body */
    TERN_LINK_WIRE_MAX = 2 + 2 * (1 + 255 + 4), /* bytes of a frame on the line, every byte escaped */
    TERN_LINK_INFO = 1,
    TERN_LINK_OPEN = 2,
    TERN_LINK_EXEC = 3,
    TERN_LINK_RESET = 4,
    TERN_LINK_OP_WRITE = 0x00,
    TERN_LINK_OP_READ = 0x40,
    TERN_LINK_OP_ECHO = 0x80,
    TERN_LINK_OP_WAIT = 0xc0,
    TERN_LINK_IS_REPLY = 0x80,
    TERN_LINK_PROGRESS = 0x10,
    TERN_LINK_OLD = 0x08,
    TERN_LINK_DONE = 0x04,
    TERN_LINK_IS_OPEN = 0x02,
    TERN_LINK_BUSY = 0x01,
    TERN_LINK_REPLY_BYTES = 5,  /* of a reply without words */
    TERN_LINK_REPLY_WORDS = 62, /* words of a reply, at most */
    TERN_LINK_PROTOCOL = 1,     /* version of the protocol */
    TERN_LINK_IN_FLIGHT = 64    /* frames without answer, at most */
};

/* CRC-32/ISO-HDLC. Start with 0; to continue, give the result for the bytes before. 0xcbf43926 for "123456789". */
uint32_t tern_link_crc(uint32_t crc, const void *bytes, size_t n);

/* Undoes escapes, checks length and CRC. All zeros is the state before the first byte. */
typedef struct tern_link_decoder {
    uint8_t bytes[1 + TERN_LINK_BODY_MAX + 4]; /* length, body, CRC */
    uint16_t n;                                /* bytes since the last flag; TERN_LINK_BODY_MAX + 6: too many */
    bool escape, broken;
} tern_link_decoder;
typedef enum tern_link_decoded { TERN_LINK_MORE, TERN_LINK_GOOD, TERN_LINK_BAD } tern_link_decoded;

/* Takes one byte. GOOD: bytes[1..bytes[0]] is the body, until the next call. BAD: something that is no frame has ended.
 * broken: the byte had no stop bit. */
tern_link_decoded tern_link_decode(tern_link_decoder *d, uint8_t byte, bool broken);

/* A frame for the line: flag, body[0..length-1] with length, CRC and escapes, flag. out: at least TERN_LINK_WIRE_MAX
 * bytes. Gives the number of bytes. */
size_t tern_link_encode(const uint8_t *body, uint8_t length, uint8_t *out);

/* Words are sent lowest byte first. */
static inline uint32_t tern_link_word(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline void tern_link_put(uint8_t *b, uint32_t w)
{
    for (unsigned i = 0; i < 4; ++i) b[i] = (uint8_t)(w >> 8 * i);
}
#endif /* TERN_LINK_FRAME_H */
