/* tern_link.h : the host's end of the link to a board (docs/36-link.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Words are written to and read from the host port of the core (docs/33-host-port.md), each write exactly once and in
 * order, whatever the line does. Freestanding, integers only, no heap; the line is four functions that the caller
 * gives, so a microcontroller can be the host. On a computer tern_link_transport.h has them.
 *
 *     tern_link_config_default(&config, 3000000);
 *     tern_link_init(&link, &io, &config);
 *     r = tern_link_open(&link);                               // connects, reads what the core is
 *     r = tern_link_check(&link, needs, n_needs, text, size);  // is it large enough?
 *     r = tern_link_write(&link, address, words, n);           // queued, and sent when a frame is full
 *     r = tern_link_read(&link, address, out, n);              // queued; `out` is filled after tern_link_sync
 *     r = tern_link_sync(&link);                               // everything has been done
 *
 * Calls are carried out in their order. They return when what they queue has found room; so the line, the board and the
 * caller work at the same time. A step of a network is best queued as a whole (frame, targets, CONTROL, reads): it then
 * travels as one frame.
 * One thread at a time uses a tern_link. The functions of `io` do not call it.
 */
#ifndef TERN_LINK_H
#define TERN_LINK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tern_link_frame.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ----------------------------------------------------------------------------------------------------- */
/* clang-format off */
#define TERN_LINK_RESULT_MAP(XX) \
    XX(OK,       0, "done") \
    XX(SILENT,   1, "the board does not answer") \
    XX(GONE,     2, "the line is gone: the adapter was unplugged, or its file closed") \
    XX(LOST,     3, "the session is lost: the board was reset, or lost its power; load it again") \
    XX(STALLED,  4, "nothing was finished for too long: the core stays busy, or the line is too bad") \
    XX(VERSION,  5, "the board speaks another version of the protocol") \
    XX(FOREIGN,  6, "what answers is not a Tern core, or one of another version") \
    XX(UNFIT,    7, "the core is not large enough for the network, or holds another one") \
    XX(ARGUMENT, 8, "an argument is out of its range") \
    XX(CLOSED,   9, "no session is open") \
    XX(LOOPED,  10, "the line returns what is sent: rx and tx are joined") \
    XX(DAMAGED, 11, "words came back changed") \
    XX(TAKEN,   12, "another host has opened a session: what this one had in the core is gone")
/* clang-format on */
typedef enum tern_link_result {
#define XX(name, value, text) TERN_LINK_R_##name = value,
    TERN_LINK_RESULT_MAP(XX)
#undef XX
} tern_link_result;
/* Text of a result, never NULL. */
const char *tern_link_result_text(tern_link_result r);

/* ---- the line, given by the caller ------------------------------------------------------------------------------- */
typedef struct tern_link_io {
    void *ud; /* passed to every function */
    /* takes what has come, at most max bytes, without waiting: their number, or -1: the line is gone */
    int (*read)(void *ud, uint8_t *bytes, int max);
    /* gives to the line what it has room for, without waiting: how many, or -1 */
    int (*write)(void *ud, const uint8_t *bytes, int n);
    uint32_t (*clock_us)(void *ud); /* microseconds, modulo 2^32; any begin */
    /* returns when bytes have come or after about us microseconds; NULL: the link asks without pause */
    void (*wait)(void *ud, uint32_t us);
    /* 0: done, -1: the line cannot. NULL: it has no rate, or cannot change it. Only tern_link_scan() calls it */
    int (*set_baud)(void *ud, uint32_t baud);
} tern_link_io;

typedef struct tern_link_config {
    /* until unanswered frames are sent again, 100..10,000,000; doubled with each time in vain, up to eight times.
     * tern_link_timeout_us() */
    uint32_t timeout_us;
    uint32_t give_up_us; /* silence until a call returns SILENT, at least timeout_us */
    uint32_t stall_us;   /* frames on their way, and none finished, until a call returns STALLED; 0: never */
    uint8_t nonce;       /* any number, best another one each time */
} tern_link_config;
/* 50 ms plus the time that twice both buffers of the board (buffer_bytes each) take on the line, in microseconds. */
uint32_t tern_link_timeout_us(uint32_t baud, uint32_t buffer_bytes);
/* For a board with buffers of 512 bytes; gives up after 5 s, stalls after 30 s. nonce 0. */
void tern_link_config_default(tern_link_config *config, uint32_t baud);

/* ---- what the core is -------------------------------------------------------------------------------------------- */
/* VERSION is that of the host port: TERN_LINK_CORE_VERSION, of a small core (SMALL is not 0)
 * TERN_LINK_SMALL_VERSION. */
enum { TERN_LINK_CORE_VERSION = 1, TERN_LINK_SMALL_VERSION = 3 };
static inline uint32_t tern_link_version(uint32_t small)
{
    return small != 0 ? TERN_LINK_SMALL_VERSION : TERN_LINK_CORE_VERSION;
}
enum {
    TERN_LINK_REG_ID = 0,
    TERN_LINK_REG_VERSION = 1,
    TERN_LINK_REG_SMALL = 15,
    TERN_LINK_REG_LAYOUT = 50,
    TERN_LINK_REGISTERS = 64
};
/* One register of the core that has to be at_least `value`, or, with exact, equal to it. Capacities: words 11..31;
 * TERN_LINK_REG_LAYOUT: which network is loaded. */
typedef struct tern_link_need {
    uint8_t word;
    bool exact;
    uint32_t value;
} tern_link_need;

typedef struct tern_link_stats {
    uint64_t frames;        /* sent, without repeats                          */
    uint64_t repeats;       /* sent again                                     */
    uint64_t words_written; /* asked for, as are                              */
    uint64_t words_read;
    uint64_t bytes_out; /* on the line, escapes and flags included        */
    uint64_t bytes_in;
    uint64_t replies;       /* good and expected                              */
    uint64_t progress;      /* replies that a frame is waiting for the core   */
    uint64_t bad_replies;   /* damaged                                        */
    uint64_t stale_replies; /* good, but not expected (any more)              */
    uint64_t looped;        /* own frames that came back                      */
    uint64_t bad_requests;  /* damaged, as the board counts them              */
    uint64_t gaps;          /* the board told that a frame is missing         */
    uint64_t timeouts;
    uint32_t longest_us; /* longest wait for an expected reply             */
} tern_link_stats;

/* ---- the link ---------------------------------------------------------------------------------------------------- */
#ifndef TERN_LINK_FRAMES
#define TERN_LINK_FRAMES 64 /* frames in flight: a power of two, 2..64 */
#endif
#ifndef TERN_LINK_STORE
/* bytes of frames in flight: a power of two, 512..32768; more than the board's buffer is of no use */
#define TERN_LINK_STORE 4096
#endif
#ifndef TERN_LINK_READS
#define TERN_LINK_READS 128 /* destinations of words in flight: a power of two, 64..1024 */
#endif
typedef struct tern_link_sent {
    uint16_t at;           /* in the store */
    uint8_t length;        /* of the body */
    uint8_t words, places; /* that the reply brings, units of the reply buffer they take */
    uint8_t reads;         /* destinations */
    bool taken, finished;  /* known to be carried out; answered as well */
    bool sent;             /* at least once */
    bool again, asked;     /* is to be sent again by itself; that was decided since the last timeout */
} tern_link_sent;
typedef struct tern_link_dest {
    uint32_t *out;
    uint8_t words;
} tern_link_dest;

/* About 8 KiB with the sizes above. Read only, by the caller: stats, registers, buffer_bytes, session, taken. */
typedef struct tern_link {
    tern_link_io io;
    tern_link_config config;
    tern_link_stats stats;
    /* of the core, read by tern_link_open(): words 0, 1, 11..31, and 50 if the core was idle; others 0 */
    uint32_t registers[TERN_LINK_REGISTERS];
    uint32_t buffer_bytes; /* each of the board's buffers */
    uint8_t session;
    /* words of the last tern_link_write() or tern_link_read() that are queued: all, unless it failed */
    size_t taken;
    /* private */
    bool open, lost, usurped; /* usurped: lost to another host */
    uint8_t nonce, errors;
    bool errors_known;
    uint32_t base, next, cursor; /* frames: first not finished, next to number, next to send */
    tern_link_sent frames[TERN_LINK_FRAMES];
    uint8_t store[TERN_LINK_STORE];
    uint32_t store_at, store_used, board_used;
    tern_link_dest dests[TERN_LINK_READS];
    uint32_t dest_base, dest_next;
    uint32_t place_at, place_used; /* units of the reply buffer */
    /* sent again because of a gap, and nothing new was carried out since; the last reply that told so was to this
     * frame: */
    bool gap;
    uint32_t refused;
    uint8_t build[TERN_LINK_BODY_MAX]; /* the frame being put together */
    uint8_t build_at, build_words, build_reads;
    uint8_t merge_at; /* its last operation, if it is a WRITE that can grow; 0: none */
    uint32_t merge_address;
    uint8_t control[3];                    /* INFO or OPEN: command, session, number; command 0: none */
    uint8_t answer[TERN_LINK_REPLY_BYTES]; /* the reply to it */
    bool control_sent, answered, looped, suspicious;
    uint32_t control_timer;
    uint8_t wire[TERN_LINK_WIRE_MAX]; /* what is being sent */
    uint16_t wire_at, wire_n;
    tern_link_decoder in;
    uint32_t timer, wait_us; /* since when, and how long, a reply is waited for */
    uint32_t heard, moved;   /* last good reply, last frame finished */
} tern_link;

/* Nothing is sent. ARGUMENT: a function is missing or a number out of its range. */
tern_link_result tern_link_init(tern_link *l, const tern_link_io *io, const tern_link_config *config);

/* Begins a session, also when one is open or lost: whatever was not finished is forgotten, and whether the board has
 * done it is not known. Reads the registers. OK, SILENT, GONE, LOOPED, VERSION, FOREIGN (register ID or VERSION is
 * another). */
tern_link_result tern_link_open(tern_link *l);
/* Compares the registers with what is needed. UNFIT: the first that is not met is named in text (n bytes, may be NULL):
 * its name, found, wanted. */
tern_link_result tern_link_check(const tern_link *l, const tern_link_need *needs, size_t n_needs, char *text, size_t n);
/* Name of a register of tern_link_need; "register" for others. */
const char *tern_link_register_name(unsigned word);

/* Queues n words for address, address + 1, ..; and n words from there, to out[0..n-1], which must stay until they are
 * there. Addresses: docs/33-host-port.md.
 * OK, CLOSED, or why there is no room (SILENT, GONE, LOST, TAKEN, STALLED): then l->taken words are queued, and the
 * call may be repeated for the others. */
tern_link_result tern_link_write(tern_link *l, uint32_t address, const uint32_t *words, size_t n);
tern_link_result tern_link_read(tern_link *l, uint32_t address, uint32_t *out, size_t n);
/* Queues: n words to the board and back to out[0..n-1]. Results as above. */
tern_link_result tern_link_echo(tern_link *l, const uint32_t *words, uint32_t *out, size_t n);
/* Queues: what follows waits until the core is idle. Needed only before reading registers that the core changes; all
 * other accesses wait by themselves. */
tern_link_result tern_link_wait_idle(tern_link *l);
/* Sends what is queued, if there is room, and takes what has come; does not wait. To be called now and then while the
 * caller does other things. */
tern_link_result tern_link_poll(tern_link *l);
/* Sends what is queued and waits until all of it is done. */
tern_link_result tern_link_sync(tern_link *l);
/* tern_link_read() and tern_link_sync(). */
tern_link_result tern_link_get(tern_link *l, uint32_t address, uint32_t *out, size_t n);

/* After GONE, when the line is there again: what is not finished is sent again. Calls may also simply be repeated after
 * SILENT. LOST and TAKEN show at the next call. */
void tern_link_resume(tern_link *l);
/* Resets the core and the board's end of the link, also if the core hangs. No session is open afterwards;
 * tern_link_open() tells whether it was heard. OK, GONE. */
tern_link_result tern_link_reset(tern_link *l);

/* ---- finding and testing: tern_link_check.c ---------------------------------------------------------------------- */
extern const uint32_t tern_link_bauds[]; /* rates that are tried, the fastest first; 0 at the end */
/* Tries rates (NULL: tern_link_bauds) with io.set_baud until the board answers INFO, twice at each rate, and leaves
 * that one set and the timeout fitting to it. OK: *out_baud; SILENT: none answered; LOOPED; VERSION; GONE; ARGUMENT: no
 * io.set_baud. Rates that the line cannot are passed over. Opens no session. */
tern_link_result tern_link_scan(tern_link *l, const uint32_t *bauds, uint32_t *out_baud);
/* Asks INFO once: is there a board? OK (l->buffer_bytes, l->session are set), SILENT after the timeout, LOOPED,
 * VERSION, GONE. */
tern_link_result tern_link_probe(tern_link *l);

typedef struct tern_link_test {
    uint32_t words;                                        /* sent and compared                                     */
    uint32_t wrong;                                        /* came back changed: must be 0                          */
    uint32_t repeats, bad_requests, bad_replies, timeouts; /* how good the line is: 0 on a good one */
    uint32_t us;                                           /* all of it took                                        */
    uint32_t round_us;                                     /* one word there and back, the shortest of eight        */
    uint32_t bytes_per_s;                                  /* of words, in each direction at the same time          */
} tern_link_test;
/* Sends words (1..1,000,000: all zeros, all ones, flags, escapes, walking bits, random of seed) to the board and back,
 * through its buffers but not to the core, and compares. Needs a session.
 * OK, DAMAGED, or what stopped it; *out in any case. */
tern_link_result tern_link_self_test(tern_link *l, uint32_t words, uint32_t seed, tern_link_test *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LINK_H */
