/* test_link_protocol.c : frames, the board's rules one by one, the host's answers to every kind of reply
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_link_protocol PAGE        PAGE: docs/36-link.md, whose example is carried out
 */
#include <stdlib.h>
#include "link_world.h"
#include "tern_check.h"

static uint32_t random_state = 12345;
static uint32_t rnd(uint32_t n) { return link_random(&random_state, n); }

/* ---- frames ------------------------------------------------------------------------------------------------------------------------------------------- */
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
        for (uint32_t i = rnd(600); i > 0; --i) (void)tern_link_decode(&d, (uint8_t)rnd(256), rnd(9) == 0); /* after any garbage */
        for (size_t i = 0; i < n; ++i) {
            const tern_link_decoded got = tern_link_decode(&d, wire[i], false);
            if (i > 0) CHECK_EQ(got, i + 1 == n ? TERN_LINK_GOOD : TERN_LINK_MORE);
        }
        CHECK_EQ(d.bytes[0], length);
        CHECK(memcmp(d.bytes + 1, body, length) == 0);
        /* one thing wrong: never good. Changes by 1..31 bits in a row, a byte too few, too many, broken, cut by an escape */
        const size_t at = 1 + rnd((uint32_t)n - 2);
        const unsigned kind = rnd(5);
        tern_link_decoded worst = TERN_LINK_MORE;
        for (size_t i = 0; i < n; ++i) {
            uint8_t byte = wire[i];
            if (i == at && kind == 0) byte = (uint8_t)(byte ^ (1 + rnd(255)));
            if (i == at && kind == 1) continue;
            if (i == at && kind == 2 && tern_link_decode(&d, (uint8_t)rnd(0x7d), false) == TERN_LINK_GOOD) worst = TERN_LINK_GOOD;
            if (i + 1 == n && kind == 3) (void)tern_link_decode(&d, TERN_LINK_ESCAPE, false);
            if (tern_link_decode(&d, byte, i == at && kind == 4) == TERN_LINK_GOOD) worst = TERN_LINK_GOOD;
        }
        CHECK(worst != TERN_LINK_GOOD);
    }
    for (int i = 0; i < 1000; ++i) CHECK_EQ(tern_link_decode(&d, (uint8_t)(i % 2 == 0 ? 0x11 : 0x22), false), TERN_LINK_MORE);
    CHECK_EQ(tern_link_decode(&d, TERN_LINK_FLAG, false), TERN_LINK_BAD);
    CHECK_EQ(tern_link_decode(&d, TERN_LINK_FLAG, false), TERN_LINK_MORE); /* two flags are no frame */
}

/* ---- the board by hand ---------------------------------------------------------------------------------------------------------------------------------- */
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
#define REPLY(flags, session, number)                                               \
    do {                                                                            \
        CHECK(reply_length >= 5);                                                   \
        CHECK_EQ(reply[0], 0x80 | (flags));                                         \
        CHECK_EQ(reply[1], session);                                                \
        CHECK_EQ(reply[2], number);                                                 \
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
    CHECK(written[0].address == 0x01000005 && written[0].word == 0x04030201 && written[1].address == 0x01000006 && written[1].word == 0x08070605);
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
            for (int byte; (byte = world.target.take(world.target.ud)) >= 0 && n_got < sizeof got;) got[n_got++] = (uint8_t)byte;
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
/* ---- the host ------------------------------------------------------------------------------------------------------------------------------------------- */
static tern_link l;
static tern_link_config config;

static tern_link_result begin(unsigned buffer_log, uint32_t latency)
{
    link_world_init(&world, 5, &no_faults, latency, written);
    link_model_init(&model, &world, buffer_log);
    const tern_link_io io = link_world_io(&world);
    tern_link_config_default(&config, 3000000);
    CHECK_EQ(tern_link_init(&l, &io, &config), TERN_LINK_R_OK);
    return tern_link_open(&l);
}
static void arguments(void)
{
    uint32_t word = 0, baud;
    char text[200];
    tern_link_test test;
    const tern_link_io io = link_world_io(&world);
    tern_link_io bad = io;
    tern_link_config_default(&config, 115200);
    CHECK_EQ(config.timeout_us, 50000 + 512 * 4 * 10 * 1000000ull / 115200);
    CHECK_EQ(tern_link_timeout_us(0, 1), tern_link_timeout_us(300, 1));
    for (int i = 0; i < 3; ++i) {
        bad = io;
        if (i == 0) bad.read = NULL;
        if (i == 1) bad.write = NULL;
        if (i == 2) bad.clock_us = NULL;
        CHECK_EQ(tern_link_init(&l, &bad, &config), TERN_LINK_R_ARGUMENT);
    }
    for (int i = 0; i < 5; ++i) {
        tern_link_config c = config;
        if (i == 0) c.timeout_us = 99;
        if (i == 1) c.timeout_us = 10000001;
        if (i == 2) c.give_up_us = c.timeout_us - 1;
        if (i == 3) c.give_up_us = 2000000001u;
        if (i == 4) c.stall_us = 2000000001u;
        CHECK_EQ(tern_link_init(&l, &io, &c), TERN_LINK_R_ARGUMENT);
    }
    CHECK_EQ(tern_link_init(&l, &io, &config), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_write(&l, 0, &word, 1), TERN_LINK_R_CLOSED);
    CHECK_EQ(l.taken, 0);
    CHECK_EQ(tern_link_read(&l, 0, &word, 1), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_echo(&l, &word, &word, 1), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_wait_idle(&l), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_poll(&l), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_check(&l, NULL, 0, text, sizeof text), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_self_test(&l, 1, 0, &test), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_self_test(&l, 0, 0, &test), TERN_LINK_R_ARGUMENT);
    CHECK_EQ(tern_link_self_test(&l, 1000001, 0, &test), TERN_LINK_R_ARGUMENT);
    CHECK_EQ(tern_link_scan(&l, NULL, &baud), TERN_LINK_R_ARGUMENT); /* no set_baud */
    for (int r = 0; r <= TERN_LINK_R_DAMAGED + 1; ++r) CHECK(strlen(tern_link_result_text((tern_link_result)r)) > 3);
}

static void identity(void)
{
    char text[200];
    CHECK_EQ(begin(10, 0), TERN_LINK_R_OK);
    CHECK_EQ(l.buffer_bytes, 1024);
    CHECK_EQ(l.registers[0], 0x5445524e);
    CHECK_EQ(l.registers[19], 128);
    const tern_link_need enough[] = { { 19, false, 128 }, { 50, true, 0 }, { 0, true, 0x5445524e } };
    CHECK_EQ(tern_link_check(&l, enough, 3, text, sizeof text), TERN_LINK_R_OK);
    CHECK_STR(text, "");
    const tern_link_need more[] = { { 19, false, 129 } }, other[] = { { 50, true, 77 } }, none[] = { { 64, true, 0 } };
    CHECK_EQ(tern_link_check(&l, more, 1, text, sizeof text), TERN_LINK_R_UNFIT);
    CHECK_STR(text, "NEURONS (register 19) of the core is 128; needed is at least 129");
    CHECK_EQ(tern_link_check(&l, other, 1, text, 30), TERN_LINK_R_UNFIT);
    CHECK_STR(text, "LAYOUT (register 50) of the c");
    CHECK_EQ(tern_link_check(&l, other, 1, NULL, 0), TERN_LINK_R_UNFIT);
    CHECK_EQ(tern_link_check(&l, none, 1, text, sizeof text), TERN_LINK_R_ARGUMENT);
    CHECK_STR(tern_link_register_name(25), "ROWS");
    CHECK_STR(tern_link_register_name(60), "register");
}
/* A replacement for the board: answers what a function says. */
typedef struct script {
    tern_link_decoder in;
    uint8_t  out[4096];
    unsigned at, n, seen;
    void   (*answer)(struct script *s, const uint8_t *body, unsigned length);
    uint64_t now;
} script;
static void answer(script *s, unsigned flags, uint8_t session, uint8_t number, unsigned caps, const uint32_t *words, unsigned n)
{
    uint8_t body[TERN_LINK_BODY_MAX] = { (uint8_t)(0x80 | flags), session, number, 0, (uint8_t)caps };
    for (unsigned i = 0; i < n; ++i) tern_link_put(body + 5 + 4 * i, words[i]);
    s->n += (unsigned)tern_link_encode(body, (uint8_t)(5 + 4 * n), s->out + s->n);
}

static int script_read(void *ud, uint8_t *bytes, int max)
{
    script *s = ud;
    int n = 0;
    for (; n < max && s->at < s->n; ++n) bytes[n] = s->out[s->at++];
    if (s->at == s->n) s->at = s->n = 0;
    return n;
}

static int script_write(void *ud, const uint8_t *bytes, int n)
{
    script *s = ud;
    for (int i = 0; i < n; ++i)
        if (tern_link_decode(&s->in, bytes[i], false) == TERN_LINK_GOOD && s->n < 2000) {
            ++s->seen;
            s->answer(s, s->in.bytes + 1, s->in.bytes[0]);
        }
    return n;
}

static uint32_t script_clock(void *ud) { return (uint32_t)(((script *)ud)->now += 3); }
static void script_wait(void *ud, uint32_t us) { ((script *)ud)->now += us; }

static tern_link_result scripted(script *s, void (*f)(script *s, const uint8_t *body, unsigned length))
{
    memset(s, 0, sizeof *s);
    s->answer = f;
    const tern_link_io io = { s, script_read, script_write, script_clock, script_wait, NULL };
    tern_link_config_default(&config, 3000000);
    CHECK_EQ(tern_link_init(&l, &io, &config), TERN_LINK_R_OK);
    return tern_link_open(&l);
}
/* As a board should; words read are 1000, 1001, .., those of register 0 and 1 right. */
static void good(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] == 1) answer(s, INFO | DONE, 7, b[2], 0x19, NULL, 0);
    if (b[0] == 2) answer(s, OPENED | DONE | OPEN, 8, b[2], 0x19, NULL, 0);
    if (b[0] != 3) return;
    uint32_t words[62] = { 0x5445524e, 1 };
    unsigned n = 0;
    for (unsigned at = 4; at < length;) {
        const unsigned op = b[at] & 0xc0, k = (b[at] & 63) + 1u;
        if (op == 0x40 || op == 0x80)
            for (unsigned i = 0; i < k; ++i, ++n)
                if (n > 1 || b[2] != 0) words[n] = 1000 + n;
        at += op == 0xc0 ? 1 : op == 0 ? 5 + 4 * k : op == 0x40 ? 5 : 1 + 4 * k;
    }
    answer(s, EXEC | DONE | OPEN, 8, b[2], 0x19, words, n);
}

static void other_version(script *s, const uint8_t *b, unsigned length)
{
    (void)length;
    answer(s, INFO | DONE, 7, b[2], 0x29, NULL, 0);
}
static void other_core(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] != 3) {
        good(s, b, length);
        return;
    }
    const uint32_t words[24] = { 0x5445524f, 1 }; /* 0, 1, 11..31, LAYOUT */
    answer(s, EXEC | DONE | OPEN, 8, b[2], 0x19, words, 24);
}
static void looped(script *s, const uint8_t *b, unsigned length) { s->n += (unsigned)tern_link_encode(b, (uint8_t)length, s->out + s->n); }
static void silent(script *s, const uint8_t *b, unsigned length)
{
    (void)s;
    (void)b;
    (void)length;
}
static void taken_away(script *s, const uint8_t *b, unsigned length) /* somebody else opens in between, always */
{
    (void)length;
    if (b[0] == 1) answer(s, INFO | DONE, 7, b[2], 0x19, NULL, 0);
    else answer(s, OPENED | OPEN, 9, b[2], 0x19, NULL, 0);
}
static unsigned trouble;
static void troubled(script *s, const uint8_t *b, unsigned length)
{
    const uint32_t words[3] = { 66, 66, 66 };
    if (b[0] == 3 && b[2] == 1 && trouble != 0) {
        const unsigned what = trouble;
        trouble = 0;
        if (what == 1) answer(s, EXEC | DONE | OPEN, 7, b[2], 0x19, words, 1);       /* of an earlier session */
        if (what == 2) answer(s, EXEC | DONE | OPEN, 8, b[2], 0x19, words, 3);       /* too many words */
        if (what == 3) answer(s, EXEC | DONE | OPEN, 8, 0, 0x19, words, 1);          /* finished long ago */
        if (what == 4) answer(s, EXEC | DONE | OPEN, 8, 200, 0x19, words, 1);        /* never sent */
        if (what == 5) answer(s, EXEC | DONE | OPEN, 8, 2, 0x19, words, 1);          /* not sent yet */
        if (what == 6) answer(s, EXEC | OPEN, 8, b[2], 0x19, NULL, 0);               /* something is missing, it says */
        if (what == 7) answer(s, EXEC | OPEN | PROGRESS | BUSY, 8, b[2], 0x19, NULL, 0);
        if (what == 8) answer(s, INFO | DONE | OPEN, 9, 1, 0x19, NULL, 0);           /* to an INFO of long ago */
        if (what == 9) s->n += (unsigned)tern_link_encode((const uint8_t[]){ 0x80 | EXEC | DONE, 8, b[2] }, 3, s->out + s->n); /* too short */
        if (what == 10) return; /* lost: the next one tells */
        if (what == 11) looped(s, b, length);
        if (what == 6 || what == 7 || what == 10) return;
    }
    if (b[0] == 1 && s->seen > 3) {
        answer(s, INFO | DONE | OPEN, 8, b[2], 0x19, NULL, 0);
        return;
    }
    good(s, b, length);
}
static unsigned lost_answers;
static void lost(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] == 3 && b[2] == 1) {
        answer(s, EXEC, 31, b[2], 0x19, NULL, 0);
        return;
    }
    if (b[0] == 1 && s->seen > 3) {
        if (++lost_answers > 1) answer(s, INFO | DONE, 31, b[2], 0x19, NULL, 0); /* the first one goes astray */
        return;
    }
    good(s, b, length);
}
static void always_busy(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] == 3 && b[2] != 0) answer(s, EXEC | OPEN | PROGRESS | BUSY, 8, b[2], 0x19, NULL, 0);
    else good(s, b, length);
}

static void host(void)
{
    static script s;
    uint32_t words[8] = { 0 };
    CHECK_EQ(scripted(&s, good), TERN_LINK_R_OK);
    CHECK_EQ(l.session, 8);
    CHECK_EQ(scripted(&s, other_version), TERN_LINK_R_VERSION);
    CHECK_EQ(scripted(&s, other_core), TERN_LINK_R_FOREIGN);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_CLOSED);
    CHECK_EQ(scripted(&s, looped), TERN_LINK_R_LOOPED);
    CHECK_EQ(scripted(&s, taken_away), TERN_LINK_R_LOST);
    CHECK_EQ(scripted(&s, silent), TERN_LINK_R_SILENT);
    CHECK(s.now > 5000000 && s.now < 6000000); /* give_up_us */
    CHECK(s.seen > 50 && s.seen < 110);

    for (unsigned what = 1; what <= 11; ++what) {
        trouble = 0;
        CHECK_EQ(scripted(&s, troubled), TERN_LINK_R_OK);
        memset(&l.stats, 0, sizeof l.stats);
        words[0] = words[1] = words[2] = 0;
        trouble = what;
        CHECK_EQ(tern_link_read(&l, 0x01000000, words, 1), TERN_LINK_R_OK);
        CHECK_EQ(tern_link_poll(&l), TERN_LINK_R_OK);
        if (what == 10) { /* its words come without a timeout */
            CHECK_EQ(tern_link_read(&l, 0x01000000, words + 1, 2), TERN_LINK_R_OK);
        }
        CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
        CHECK_EQ(words[0], 1000);
        if (what == 10) CHECK_EQ(words[2], 1001);
        CHECK_EQ(l.stats.timeouts, what == 7 ? 1 : 0);
        CHECK_EQ(l.stats.repeats, what == 6 || what == 7 || what == 10 ? 1 : 0);
        CHECK_EQ(l.stats.gaps, what == 6 ? 1 : 0);
        CHECK_EQ(l.stats.looped, what == 11 ? 1 : 0);
        CHECK_EQ(l.stats.stale_replies, what == 6 || what == 7 || what == 10 || what == 11 ? 0 : 1);
        CHECK_EQ(l.stats.progress, what == 7 ? 1 : 0);
    }
    CHECK_EQ(scripted(&s, lost), TERN_LINK_R_OK);
    lost_answers = 0;
    CHECK_EQ(tern_link_get(&l, 0, words, 1), TERN_LINK_R_LOST);
    CHECK_EQ(lost_answers, 2);
    CHECK_EQ(tern_link_write(&l, 0, words, 1), TERN_LINK_R_LOST);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_LOST);
    s.answer = good;
    CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_get(&l, 0x01000000, words, 1), TERN_LINK_R_OK);

    s.answer = always_busy;
    const uint64_t before = s.now;
    CHECK_EQ(tern_link_get(&l, 0x01000000, words, 1), TERN_LINK_R_STALLED);
    CHECK(s.now - before > 30000000 && s.now - before < 31000000);
    s.answer = silent;
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_SILENT);
    s.answer = good; /* and nothing is lost by all that */
    words[0] = 0;
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
    CHECK_EQ(words[0], 1000);
}

/* ---- host and board, without faults ------------------------------------------------------------------------------------------------------------------------ */
static uint32_t baud_now, baud_right;
static int set_baud(void *ud, uint32_t baud)
{
    (void)ud;
    if (baud == 2000000) return -1;
    baud_now = baud;
    return 0;
}
static int scan_read(void *ud, uint8_t *bytes, int max)
{
    const int n = link_world_io(ud).read(ud, bytes, max);
    for (int i = 0; i < n && baud_now != baud_right; ++i) bytes[i] = (uint8_t)(bytes[i] * 7 + 3);
    return n;
}
static int scan_write(void *ud, const uint8_t *bytes, int n)
{
    uint8_t garbage[600];
    for (int i = 0; i < n; ++i) garbage[i] = (uint8_t)(baud_now == baud_right ? bytes[i] : bytes[i] * 5 + 1);
    return link_world_io(ud).write(ud, garbage, n);
}

static uint32_t changed_read(void *ud, uint32_t address) { return link_core_read(&((link_model *)ud)->world->core, address); }

static void both(void)
{
    uint32_t words[300], back[300], baud = 0;
    tern_link_test test;
    for (unsigned i = 0; i < 300; ++i) words[i] = i * 0x01010101u;

    /* single words that follow each other become one operation; a step is one frame */
    CHECK_EQ(begin(9, 0), TERN_LINK_R_OK);
    CHECK_EQ(l.stats.frames, 1); /* all registers */
    for (unsigned i = 0; i < 50; ++i) CHECK_EQ(tern_link_write(&l, 0x01000000 + i, words + i, 1), TERN_LINK_R_OK);
    CHECK_EQ(l.taken, 1);
    CHECK_EQ(tern_link_get(&l, 0x01000000, back, 50), TERN_LINK_R_OK);
    CHECK(memcmp(words, back, 50 * 4) == 0);
    CHECK_EQ(l.stats.frames, 2);
    const uint32_t start = 1;
    CHECK_EQ(tern_link_write(&l, 0x01000000, words, 22), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_write(&l, 2, &start, 1), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_wait_idle(&l), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_read(&l, 4, back, 1), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_read(&l, 0x01000000, back + 1, 22), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
    CHECK_EQ(back[0], 4);
    CHECK_EQ(l.stats.frames, 3);
    CHECK_EQ(l.stats.repeats + l.stats.timeouts + l.stats.stale_replies + l.stats.bad_replies, 0);

    /* poll sends what is queued */
    const uint64_t sent = l.stats.frames;
    CHECK_EQ(tern_link_write(&l, 0x01000000, words, 1), TERN_LINK_R_OK);
    CHECK_EQ(l.stats.frames, sent);
    CHECK_EQ(tern_link_poll(&l), TERN_LINK_R_OK);
    CHECK_EQ(l.stats.frames, sent + 1);

    /* self-test */
    CHECK_EQ(tern_link_self_test(&l, 5000, 9, &test), TERN_LINK_R_OK);
    CHECK(test.words == 5000 && test.wrong == 0 && test.repeats == 0 && test.bad_requests == 0 && test.bad_replies == 0 && test.timeouts == 0);
    CHECK(test.bytes_per_s > 100000 && test.bytes_per_s < 300000);
    CHECK(test.round_us > 50 && test.round_us < 2000);
    printf("self-test: %u bytes/s, round %u us\n", test.bytes_per_s, test.round_us);
    world.faults = world.faults_to_host = (link_faults){ .flip = 100 };
    CHECK_EQ(tern_link_self_test(&l, 5000, 9, &test), TERN_LINK_R_OK);
    CHECK(test.words == 5000 && test.wrong == 0 && test.repeats > 0 && test.bad_requests > 0 && test.bad_replies > 0);
    world.faults = world.faults_to_host = no_faults;
    model.device.board.read = changed_read;

    /* reset in spite of a hanging core; the session is over */
    world.core.busy_until = UINT64_MAX;
    CHECK_EQ(tern_link_wait_idle(&l), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_STALLED);
    CHECK(l.stats.progress > 100);
    const uint8_t session = l.session;
    CHECK_EQ(tern_link_reset(&l), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_CLOSED);
    CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
    CHECK(l.session != session);
    CHECK(!link_core_busy(&world.core));

    /* the right rate is found, whatever the others do; one that the line cannot is passed over */
    tern_link_io io = link_world_io(&world);
    io.set_baud = set_baud;
    io.read = scan_read;
    io.write = scan_write;
    for (unsigned i = 0; tern_link_bauds[i] != 0; ++i) {
        baud_right = tern_link_bauds[i];
        baud = baud_now = 0;
        CHECK_EQ(tern_link_init(&l, &io, &config), TERN_LINK_R_OK);
        const tern_link_result r = tern_link_scan(&l, NULL, &baud);
        CHECK_EQ(r, baud_right == 2000000 ? TERN_LINK_R_SILENT : TERN_LINK_R_OK);
        CHECK_EQ(baud, r == TERN_LINK_R_OK ? baud_right : 0);
        if (r != TERN_LINK_R_OK) continue;
        CHECK_EQ(l.config.timeout_us, tern_link_timeout_us(baud, 512));
        CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
    }
}
/* ECHO words that come back changed, under a right CRC. */
static void damaged(script *s, const uint8_t *b, unsigned length)
{
    good(s, b, length);
}

static void throughput(void)
{
    static uint32_t words[60000];
    printf("bytes/s at 3 Mbaud    writes   reads   steps/s\n");
    for (unsigned log = 9; log <= 12; ++log)
        for (uint32_t latency = 0; latency <= 600; latency += 300) {
            CHECK_EQ(begin(log, latency), TERN_LINK_R_OK);
            world.core.n_log = 0;
            uint64_t t = world.now;
            CHECK_EQ(tern_link_write(&l, 0x02000000, words, 60000), TERN_LINK_R_OK);
            CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
            const double write = 240000.0 / ((double)(world.now - t) / 300000.0);
            t = world.now;
            CHECK_EQ(tern_link_read(&l, 0x02000000, words, 60000), TERN_LINK_R_OK);
            CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
            const double read = 240000.0 / ((double)(world.now - t) / 300000.0);
            t = world.now;
            for (unsigned i = 0; i < 400; ++i) {
                CHECK_EQ(tern_link_write(&l, 0x02000000, words, 22), TERN_LINK_R_OK);
                CHECK_EQ(tern_link_write(&l, 2, &(const uint32_t){ 0 }, 1), TERN_LINK_R_OK);
                CHECK_EQ(tern_link_read(&l, 0x02000000, words + 30 * i, 10), TERN_LINK_R_OK);
                CHECK_EQ(tern_link_poll(&l), TERN_LINK_R_OK);
            }
            CHECK_EQ(tern_link_sync(&l), TERN_LINK_R_OK);
            const double steps = 400.0 / ((double)(world.now - t) / 300000.0);
            printf("buffer %4u, %.0f ms  %8.0f %8.0f %6.0f\n", 1u << log, latency / 300.0, write, read, steps);
            CHECK_EQ(l.stats.repeats + l.stats.timeouts + l.stats.bad_requests, 0);
            if (latency == 0) CHECK(write > 220000 && read > 220000);
        }
}

int main(int argc, char **argv)
{
    static script s;
    tern_link_test test;
    if (argc != 2) return 2;
    frames();
    rules();
    page(argv[1]);
    arguments();
    identity();
    host();
    both();
    CHECK_EQ(scripted(&s, damaged), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_self_test(&l, 100, 1, &test), TERN_LINK_R_DAMAGED);
    CHECK(test.wrong > 90);
    throughput();
    return tern_check_report("link_protocol");
}
