/* tern_link_device.h : the board's end of the link in C: the model of rtl/link/tern_link.v, and what an emulated board
 * needs
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of the line go in with tern_link_device_receive(), replies come out with the callback `send`. Between them
 * tern_link_device_run() carries frames out, as far as the core lets it. No heap, no clock. docs/36-link.md is the
 * specification.
 */
#ifndef TERN_LINK_DEVICE_H
#define TERN_LINK_DEVICE_H
#include "tern_link_frame.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What the board consists of. Every function gets ud. */
typedef struct tern_link_board {
    void *ud;
    /* the core is busy: only registers other than 32..63 can be read */
    bool (*busy)(void *ud);
    void (*write)(void *ud, uint32_t address, uint32_t word);
    uint32_t (*read)(void *ud, uint32_t address);
    void (*reset)(void *ud);                                /* the host asks for a reset of the core */
    void (*send)(void *ud, const uint8_t *bytes, size_t n); /* a reply for the line */
} tern_link_board;

enum { TERN_LINK_BUFFER_LOG_MIN = 9, TERN_LINK_BUFFER_LOG_MAX = 12 };
/* All fields are private. */
typedef struct tern_link_device {
    tern_link_board board;
    uint8_t buffer_log; /* log2 of the bytes of each buffer */
    uint8_t session, expected, errors;
    bool open;
    tern_link_decoder in;
    uint8_t queue[1 << TERN_LINK_BUFFER_LOG_MAX]; /* good frames: length, body */
    uint16_t queue_at, queue_used;                /* first byte, bytes */
    uint8_t reply[1 << TERN_LINK_BUFFER_LOG_MAX];
    /* the frame being carried out */
    uint8_t body[TERN_LINK_BODY_MAX], length;
    uint16_t at;              /* next byte of it */
    uint8_t state, op, words; /* words of the operation still to do */
    bool run, old, done;
    uint32_t address;
    uint16_t reply_at;
    uint8_t count; /* bytes of words for the reply */
} tern_link_device;

/* As after power-up. buffer_log: 9..12, else it is set to the nearest; session: any number, should be another one each
 * time. */
void tern_link_device_init(tern_link_device *d, const tern_link_board *board, unsigned buffer_log, uint8_t session);
/* A byte of the line. broken: it had no stop bit. A RESET frame takes effect here. */
void tern_link_device_receive(tern_link_device *d, uint8_t byte, bool broken);
/* Carries out what has been received; returns when there is nothing left or the core is busy. True: it waits for the
 * core. */
bool tern_link_device_run(tern_link_device *d);
/* To be called every 2,047 bit times while tern_link_device_run() has returned true: sends a PROGRESS reply. Does
 * nothing otherwise. */
void tern_link_device_tick(tern_link_device *d);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LINK_DEVICE_H */
