/* test_link_protocol.c : frames, and the board's rules one by one; the host's are in test_link_host.c
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_link_protocol PAGE        PAGE: docs/36-link.md, whose example is carried out
 */
#include <stdlib.h>
#include "link_world.h"
#include "tern_check.h"

static uint32_t random_state = 12345;
static uint32_t rnd(uint32_t n) { return link_random(&random_state, n); }

/* ---- frames ------------------------------------------------------------------------------------------------------ */
static void frames(void)
{
    static tern_link_decoder d;
    CHECK_EQ(tern_link_crc(0, "123456789", 9), 0xcbf43926);
    CHECK_EQ(tern_link_crc(tern_link_crc(0, "1234", 4), "56789", 5), 0xcbf43926);
    CHECK_EQ(tern_link_crc(0, "", 0), 0);
    for (int round = 0; round < 3000; ++round) {
        uint8_t body[TERN_LINK_BODY_MAX], wire[TERN_LINK_WIRE_MAX];
        const uint8_t length = (uint8_t)(round < 256 ? round : (int)rnd(256));
        for (unsigned i = 0; i < length; ++i) body[i] = (uint8_t)(rnd(3) == 0 ? 0x7d + rnd(2) : rnd(256));
        const size_t n = tern_link_encode(body, length, wire);
        CHECK(n >= length + 7u && n <= sizeof wire);
        CHECK(wire[0] == TERN_LINK_FLAG && wire[n - 1] == TERN_LINK_FLAG);
        /* after any garbage */
        for (uint32_t i = rnd(600); i > 0; --i) (void)tern_link_decode(&d, (uint8_t)rnd(256), rnd(9) == 0);
        for (size_t i = 0; i < n; ++i) {
            const tern_link_decoded got = tern_link_decode(&d, wire[i], false);
            if (i > 0) CHECK_EQ(got, i + 1 == n ? TERN_LINK_GOOD : TERN_LINK_MORE);
        }
        CHECK_EQ(d.bytes[0], length);
        CHECK(memcmp(d.bytes + 1, body, length) == 0);
        /* one thing wrong: never good. Changes by 1..31 bits in a row, a byte too few, too many, broken, cut by an
         * escape */
        const size_t at = 1 + rnd((uint32_t)n - 2);
        const unsigned kind = rnd(5);
        tern_link_decoded worst = TERN_LINK_MORE;
        for (size_t i = 0; i < n; ++i) {
            uint8_t byte = wire[i];
            if (i == at && kind == 0) byte = (uint8_t)(byte ^ (1 + rnd(255)));
            if (i == at && kind == 1) continue;
            if (i == at && kind == 2 && tern_link_decode(&d, (uint8_t)rnd(0x7d), false) == TERN_LINK_GOOD)
                worst = TERN_LINK_GOOD;
            if (i + 1 == n && kind == 3) (void)tern_link_decode(&d, TERN_LINK_ESCAPE, false);
            if (tern_link_decode(&d, byte, i == at && kind == 4) == TERN_LINK_GOOD) worst = TERN_LINK_GOOD;
        }
        CHECK(worst != TERN_LINK_GOOD);
    }
    for (int i = 0; i < 1000; ++i)
        CHECK_EQ(tern_link_decode(&d, (uint8_t)(i % 2 == 0 ? 0x11 : 0x22), false), TERN_LINK_MORE);
    CHECK_EQ(tern_link_decode(&d, TERN_LINK_FLAG, false), TERN_LINK_BAD);
    CHECK_EQ(tern_link_decode(&d, TERN_LINK_FLAG, false), TERN_LINK_MORE); /* two flags are no frame */
}

/* ---- the board by hand ------------------------------------------------------------------------------------------- */
static link_write written[LINK_LOG];
static link_world world;
static link_model model;
static const link_faults no_faults;
static uint8_t reply[TERN_LINK_BODY_MAX];
static int reply_length; /* of the last one, -1: none */
static unsigned n_replies;

static void board(unsigned buffer_log)
{
    link_world_init(&world, 3, &no_faults, 0, written);
    link_model_init(&model, &world, buffer_log);
    model.device.session = 0x51;
}
/* Whole bytes to the board, at once, and the replies. */
static void line(const uint8_t *bytes, size_t n)
{
    static tern_link_decoder d;
    int byte;
    memset(&d, 0, sizeof d);
    reply_length = -1;
    n_replies = 0;
    for (size_t i = 0; i < n; ++i) tern_link_device_receive(&model.device, bytes[i], false);
    (void)tern_link_device_run(&model.device);
    while ((byte = world.target.take(world.target.ud)) >= 0)
        if (tern_link_decode(&d, (uint8_t)byte, false) == TERN_LINK_GOOD) {
            reply_length = d.bytes[0];
            memcpy(reply, d.bytes + 1, d.bytes[0]);
            ++n_replies;
        }
}
static void request(const uint8_t *body, size_t length)
{
    uint8_t wire[TERN_LINK_WIRE_MAX];
    line(wire, tern_link_encode(body, (uint8_t)length, wire));
}
#define REQUEST(...) request((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define REPLY(flags, session, number) \
    do { \
        CHECK(reply_length >= 5); \
        CHECK_EQ(reply[0], 0x80 | (flags)); \
        CHECK_EQ(reply[1], session); \
        CHECK_EQ(reply[2], number); \
    } while (0)
enum { INFO = 1 << 5, OPENED = 2 << 5, EXEC = 3 << 5, DONE = 4, OLD = 8, OPEN = 2, BUSY = 1, PROGRESS = 16 };
static void rules(void)
{
    board(9);
    REQUEST(3, 0x51, 0, 0); /* no session */
    REPLY(EXEC, 0x51, 0);
    REQUEST(1, 9, 0x77);
    REPLY(INFO | DONE, 0x51, 0x77);
    CHECK_EQ(reply[4], 0x19);
    REQUEST(2, 0x50, 1);
    REPLY(OPENED, 0x51, 1);
    REQUEST(2, 0x51, 2);
    REPLY(OPENED | DONE | OPEN, 0x52, 2);
    REQUEST(2, 0x51, 2); /* doubled: not again, but the host sees that it is open */
    REPLY(OPENED | OPEN, 0x52, 2);

    /* writes, once */
    REQUEST(3, 0x52, 0, 0, 0x01, 5, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8);
    REPLY(EXEC | DONE | OPEN, 0x52, 0);
    CHECK_EQ(reply_length, 5);
    CHECK_EQ(world.core.n_log, 2);
    CHECK(written[0].address == 0x01000005 && written[0].word == 0x04030201 && written[1].address == 0x01000006 &&
          written[1].word == 0x08070605);
    REQUEST(3, 0x52, 0, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9);
    REPLY(EXEC | DONE | OLD | OPEN, 0x52, 0);
    CHECK_EQ(world.core.n_log, 2);
    REQUEST(3, 0x52, 2, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9); /* 1 is missing */
    REPLY(EXEC | OPEN, 0x52, 2);
    REQUEST(3, 0x52, 128, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9); /* 127 ahead: the last of the future */
    REPLY(EXEC | OPEN, 0x52, 128);
    REQUEST(3, 0x52, 129, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9); /* 128 behind */
    REPLY(EXEC | DONE | OLD | OPEN, 0x52, 129);
    REQUEST(3, 0x51, 1, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9); /* other sessions */
    REPLY(EXEC | OPEN, 0x52, 1);
    REQUEST(3, 0x53, 1, 0, 0x00, 5, 0, 0, 1, 9, 9, 9, 9);
    REPLY(EXEC | OPEN, 0x52, 1);
    CHECK_EQ(world.core.n_log, 2);

    /* words read stay as they were, and lie where they were put */
    REQUEST(3, 0x52, 1, 31, 0x42, 5, 0, 0, 1, 0x81, 1, 2, 3, 4, 5, 6, 7, 8);
    REPLY(EXEC | DONE | OPEN, 0x52, 1);
    CHECK_EQ(reply_length, 5 + 20);
    CHECK_EQ(tern_link_word(reply + 5), 0x04030201);
    CHECK_EQ(tern_link_word(reply + 9), 0x08070605);
    CHECK_EQ(tern_link_word(reply + 17), 0x04030201);
    REQUEST(3, 0x52, 2, 0, 0x00, 5, 0, 0, 1, 0, 0, 0, 0);
    REPLY(EXEC | DONE | OPEN, 0x52, 2);
    const uint8_t before[20] = { 1, 2, 3, 4, 5, 6, 7, 8, reply[13] };
    REQUEST(3, 0x52, 1, 31, 0x42, 5, 0, 0, 1, 0x81, 9, 9, 9, 9, 9, 9, 9, 9);
    REPLY(EXEC | DONE | OLD | OPEN, 0x52, 1);
    CHECK_EQ(reply_length, 5 + 20);
    CHECK(memcmp(reply + 5, before, 8) == 0);
    CHECK(memcmp(reply + 17, before, 8) == 0);

    /* operations that are cut off */
    REQUEST(3, 0x52, 3, 0, 0x03, 7, 0, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0);
    REPLY(EXEC | DONE | OPEN, 0x52, 3);
    CHECK_EQ(world.core.n_log, 3 + 2);
    REQUEST(3, 0x52, 4, 0, 0x40, 7, 0, 0);
    REPLY(EXEC | DONE | OPEN, 0x52, 4);
    CHECK_EQ(reply_length, 5);
    REQUEST(3, 0x52, 5); /* no place, no operation */
    REPLY(EXEC | DONE | OPEN, 0x52, 5);

    /* what is no request, or a strange one */
    REQUEST(0x83, 0x52, 6, 0);
    CHECK_EQ(reply_length, -1);
    REQUEST(3, 0x52);
    CHECK_EQ(reply_length, -1);
    request(NULL, 0);
    CHECK_EQ(reply_length, -1);
    REQUEST(0x43, 0x52, 6, 0);
    REPLY(EXEC | OPEN, 0x52, 6);
    REQUEST(5, 0x52, 6, 0, 0);
    REPLY((5 & 3) << 5 | OPEN, 0x52, 6);
    CHECK_EQ(reply[3], 0);
    line((const uint8_t[]){ 1, 2, 3, 0x7e, 0x7e, 9, 0x7e }, 7);
    REQUEST(1, 0, 1, 4, 5, 6); /* INFO may have more behind it */
    REPLY(INFO | DONE | OPEN, 0x52, 1);
    CHECK_EQ(reply[3], 2); /* errors */

    /* waiting: memory waits, registers do not; PROGRESS while it does */
    world.core.random = 1;
    world.core.busy_until = 50;
    REQUEST(3, 0x52, 6, 0, 0x40, 3, 0, 0, 0);
    REPLY(EXEC | DONE | OPEN | BUSY, 0x52, 6);
    CHECK_EQ(tern_link_word(reply + 5), 1);
    REQUEST(3, 0x52, 7, 0, 0xc0, 0x40, 4, 0, 0, 0);
    CHECK_EQ(reply_length, -1);
    tern_link_device_tick(&model.device);
    line(NULL, 0);
    REPLY(EXEC | OPEN | BUSY | PROGRESS, 0x52, 7);
    CHECK_EQ(reply_length, 5);
    REQUEST(1, 0, 5); /* waits behind it */
    CHECK_EQ(reply_length, -1);
    world.core.now = 50;
    line(NULL, 0);
    CHECK_EQ(n_replies, 2);
    REPLY(INFO | DONE | OPEN, 0x52, 5);
    tern_link_device_tick(&model.device);
    line(NULL, 0);
    CHECK_EQ(n_replies, 0);

    /* room: 511 bytes; what is too much is counted and forgotten */
    world.core.busy_until = 1000;
    for (unsigned i = 0; i < 3; ++i) {
        uint8_t body[201] = { 3, 0x52, (uint8_t)(8 + i), 0, 0xc0 };
        memset(body + 5, 0xc0, sizeof body - 5);
        request(body, sizeof body);
    }
    world.core.now = 1000;
    line(NULL, 0);
    CHECK_EQ(n_replies, 3); /* the first was taken out before the third came */
    REPLY(EXEC | DONE | OPEN, 0x52, 10);
    world.core.busy_until = 2000;
    for (unsigned i = 0; i < 4; ++i) {
        uint8_t body[201] = { 3, 0x52, (uint8_t)(11 + i), 0, 0xc0 };
        memset(body + 5, 0xc0, sizeof body - 5);
        request(body, sizeof body);
    }
    world.core.now = 2000;
    line(NULL, 0);
    CHECK_EQ(n_replies, 3);
    CHECK_EQ(reply[3], 3);

    /* RESET, in spite of a busy core, and in no session either */
    world.core.busy_until = 9000;
    REQUEST(3, 0x52, 14, 0, 0xc0);
    CHECK_EQ(reply_length, -1);
    REQUEST(4, 0, 0);
    CHECK_EQ(reply_length, -1);
    CHECK(!link_core_busy(&world.core));
    REQUEST(1, 0, 1);
    CHECK_EQ(n_replies, 1);
    CHECK_EQ(reply[0], 0x80 | INFO | DONE);
    CHECK(reply[1] != 0x52 && reply[1] != 0x53);

    for (unsigned log = 0; log < 20; ++log) {
        board(log);
        REQUEST(1, 0, 0);
        CHECK_EQ(reply[4], 0x10 | (log < 9 ? 9 : log > 12 ? 12 : log));
    }
}
/* Every line of the page's example, on a board as it describes. */
static void page(const char *path)
{
    FILE *f = fopen(path, "r");
    char text[1024];
    uint8_t want[TERN_LINK_WIRE_MAX];
    unsigned hosts = 0, boards = 0;
    CHECK(f != NULL);
    if (f == NULL) return;
    board(9);
    uint8_t got[TERN_LINK_WIRE_MAX];
    size_t n_got = 0;
    while (fgets(text, sizeof text, f) != NULL) {
        const bool host = strncmp(text, "host   7e", 9) == 0, from_board = strncmp(text, "board  7e", 9) == 0;
        if (!host && !from_board) continue;
        size_t n = 0;
        for (char *at = text + 7; n < sizeof want; at += 3) {
            char *end;
            const unsigned long byte = strtoul(at, &end, 16);
            if (end != at + 2) break;
            want[n++] = (uint8_t)byte;
        }
        if (host) {
            ++hosts;
            for (size_t i = 0; i < n; ++i) tern_link_device_receive(&model.device, want[i], false);
            (void)tern_link_device_run(&model.device);
            n_got = 0;
            for (int byte; (byte = world.target.take(world.target.ud)) >= 0 && n_got < sizeof got;)
                got[n_got++] = (uint8_t)byte;
        } else {
            ++boards;
            CHECK_EQ(n, n_got);
            CHECK(memcmp(want, got, n) == 0);
        }
    }
    fclose(f);
    CHECK(hosts >= 5);
    CHECK_EQ(hosts, boards);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    frames();
    rules();
    page(argv[1]);
    return tern_check_report("link_protocol");
}
