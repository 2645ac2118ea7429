/* tern_link_device.c : the board's end of the link, state by state as rtl/link/tern_link.v
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_link_device.h"

enum { IDLE, OPERATION, WORD, WAITING, FINISHED };

static uint32_t buffer_bytes(const tern_link_device *d) { return 1u << d->buffer_log; }

static void start(tern_link_device *d, uint8_t session)
{
    d->session = session;
    d->open = false;
    d->expected = 0;
    d->queue_at = d->queue_used = 0;
    d->state = IDLE;
}

void tern_link_device_init(tern_link_device *d, const tern_link_board *board, unsigned buffer_log, uint8_t session)
{
    memset(d, 0, sizeof *d);
    d->board = *board;
    d->buffer_log = (uint8_t)(buffer_log < TERN_LINK_BUFFER_LOG_MIN   ? TERN_LINK_BUFFER_LOG_MIN
                              : buffer_log > TERN_LINK_BUFFER_LOG_MAX ? TERN_LINK_BUFFER_LOG_MAX
                                                                      : buffer_log);
    start(d, session);
}

void tern_link_device_receive(tern_link_device *d, uint8_t byte, bool broken)
{
    const uint32_t size = buffer_bytes(d);
    const tern_link_decoded got = tern_link_decode(&d->in, byte, broken);
    if (got == TERN_LINK_MORE) return;
    const uint32_t n = d->in.bytes[0] + 1u;
    if (got == TERN_LINK_BAD || d->queue_used + n > size - 1) { /* damaged, or no room */
        ++d->errors;
        return;
    }
    if (n > 1 && d->in.bytes[1] == TERN_LINK_RESET) {
        start(d, (uint8_t)(d->session + 97)); /* hardware: as its clock has it */
        d->board.reset(d->board.ud);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) d->queue[(d->queue_at + d->queue_used + i) & (size - 1)] = d->in.bytes[i];
    d->queue_used = (uint16_t)(d->queue_used + n);
}

static void send(tern_link_device *d, bool progress)
{
    uint8_t body[TERN_LINK_BODY_MAX + 1], wire[TERN_LINK_WIRE_MAX];
    const uint32_t mask = buffer_bytes(d) - 1;
    body[0] = (uint8_t)(TERN_LINK_IS_REPLY | (d->body[0] & 3) << 5 | (progress ? TERN_LINK_PROGRESS : 0) |
                        (d->old ? TERN_LINK_OLD : 0) | (d->done && !progress ? TERN_LINK_DONE : 0) |
                        (d->open ? TERN_LINK_IS_OPEN : 0) | (d->board.busy(d->board.ud) ? TERN_LINK_BUSY : 0));
    body[1] = d->session;
    body[2] = d->body[2];
    body[3] = d->errors;
    body[4] = (uint8_t)(TERN_LINK_PROTOCOL << 4 | d->buffer_log);
    const uint8_t count = progress ? 0 : d->count;
    const uint8_t length = (uint8_t)(TERN_LINK_REPLY_BYTES + count); /* modulo 256: a host asks for at most 62 words */
    const uint32_t place = d->length > 3 ? d->body[3] * 16u : 0;
    for (unsigned i = TERN_LINK_REPLY_BYTES; i < length; ++i)
        body[i] = d->reply[(place + i - TERN_LINK_REPLY_BYTES) & mask];
    d->board.send(d->board.ud, wire, tern_link_encode(body, length, wire));
}

/* Takes the next frame; false: none, or one that needs no answer. */
static bool take(tern_link_device *d)
{
    const uint32_t mask = buffer_bytes(d) - 1;
    d->length = d->queue[d->queue_at];
    for (unsigned i = 0; i < d->length; ++i) d->body[i] = d->queue[(d->queue_at + 1u + i) & mask];
    d->queue_at = (uint16_t)((d->queue_at + 1u + d->length) & mask);
    d->queue_used = (uint16_t)(d->queue_used - 1u - d->length);
    if (d->length < 3 || (d->body[0] & TERN_LINK_IS_REPLY)) return false;
    const uint8_t beyond = (uint8_t)(d->body[2] - d->expected);
    const bool same = d->body[1] == d->session;
    const bool mine = d->body[0] == TERN_LINK_EXEC && same && d->open;
    d->run = mine && beyond == 0;
    d->old = mine && beyond >= 128;
    d->done = d->run || d->old || d->body[0] == TERN_LINK_INFO || (d->body[0] == TERN_LINK_OPEN && same);
    if (d->body[0] == TERN_LINK_OPEN && same) {
        ++d->session;
        d->open = true;
        d->expected = 0;
    }
    d->count = 0;
    d->reply_at = (uint16_t)(d->length > 3 ? (d->body[3] * 16u) & mask : 0);
    d->at = 4;
    d->state = d->run || d->old ? OPERATION : FINISHED;
    return true;
}

/* One step of a frame; false: it has to wait for the core. */
static bool step(tern_link_device *d)
{
    const bool busy = d->board.busy(d->board.ud);
    const uint32_t mask = buffer_bytes(d) - 1;
    switch (d->state) {
    case OPERATION:
        if (d->at >= d->length) {
            d->state = FINISHED;
            break;
        }
        d->op = d->body[d->at] & 0xc0;
        d->words = (uint8_t)((d->body[d->at] & 63) + 1);
        ++d->at;
        d->state = d->op == TERN_LINK_OP_WAIT ? WAITING : WORD;
        if (d->op == TERN_LINK_OP_WRITE || d->op == TERN_LINK_OP_READ) {
            if (d->at + 4 > d->length) {
                d->state = FINISHED;
                break;
            }
            d->address = tern_link_word(d->body + d->at);
            d->at = (uint16_t)(d->at + 4);
        }
        break;
    case WORD: {
        uint32_t word = 0;
        if (d->op != TERN_LINK_OP_READ) {
            if (d->at + 4 > d->length) {
                d->state = FINISHED;
                break;
            }
            word = tern_link_word(d->body + d->at);
        }
        if (d->run && d->op != TERN_LINK_OP_ECHO) {
            /* registers 32..63 are a memory */
            if (busy && (d->op == TERN_LINK_OP_WRITE || d->address >> 24 != 0 || (d->address & 32u) != 0)) return false;
            if (d->op == TERN_LINK_OP_WRITE) d->board.write(d->board.ud, d->address, word);
            else word = d->board.read(d->board.ud, d->address);
        }
        if (d->op != TERN_LINK_OP_READ) d->at = (uint16_t)(d->at + 4);
        if (d->op != TERN_LINK_OP_WRITE) {
            for (unsigned i = 0; i < 4 && d->run; ++i) d->reply[(d->reply_at + i) & mask] = (uint8_t)(word >> 8 * i);
            d->reply_at = (uint16_t)(d->reply_at + 4);
            d->count = (uint8_t)(d->count + 4);
        }
        ++d->address;
        if (--d->words == 0) d->state = OPERATION;
        break;
    }
    case WAITING:
        if (d->run && busy) return false;
        d->state = OPERATION;
        break;
    default:
        if (d->run) ++d->expected;
        send(d, false);
        d->state = IDLE;
    }
    return true;
}

bool tern_link_device_run(tern_link_device *d)
{
    for (;;) {
        if (d->state == IDLE) {
            if (d->queue_used == 0) return false;
            if (!take(d)) continue;
        }
        if (!step(d)) return true;
    }
}

void tern_link_device_tick(tern_link_device *d)
{
    if (d->state == WORD || d->state == WAITING) send(d, true);
}
