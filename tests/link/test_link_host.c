/* test_link_host.c : the host's answers to every kind of reply, and host and board together on a line without faults
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include "link_world.h"
#include "tern_check.h"

static link_write written[LINK_LOG];
static link_world world;
static link_model model;
static const link_faults no_faults;
/* of a reply's first byte */
enum { INFO = 1 << 5, OPENED = 2 << 5, EXEC = 3 << 5, DONE = 4, OPEN = 2, BUSY = 1, PROGRESS = 16 };

/* ---- the host ---------------------------------------------------------------------------------------------------- */
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
    for (int r = 0; r <= TERN_LINK_R_TAKEN + 1; ++r) CHECK(strlen(tern_link_result_text((tern_link_result)r)) > 3);
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
    uint8_t out[4096];
    unsigned at, n, seen;
    void (*answer)(struct script *s, const uint8_t *body, unsigned length);
    uint64_t now;
} script;
static void answer(script *s, unsigned flags, uint8_t session, uint8_t number, unsigned caps, const uint32_t *words,
                   unsigned n)
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
/* As a board should; words read are 1000, 1001, .., those of register 0 and 1 right: SMALL is not 0, so VERSION is that
 * of a small core. */
static void good(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] == 1) answer(s, INFO | DONE, 7, b[2], 0x19, NULL, 0);
    if (b[0] == 2) answer(s, OPENED | DONE | OPEN, 8, b[2], 0x19, NULL, 0);
    if (b[0] != 3) return;
    uint32_t words[62] = { 0x5445524e, TERN_LINK_SMALL_VERSION };
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
    const uint32_t words[24] = { 0x5445524f, 1 };
    answer(s, EXEC | DONE | OPEN, 8, b[2], 0x19, words, 24);
}
static void looped(script *s, const uint8_t *b, unsigned length)
{
    s->n += (unsigned)tern_link_encode(b, (uint8_t)length, s->out + s->n);
}
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
        if (what == 1) answer(s, EXEC | DONE | OPEN, 7, b[2], 0x19, words, 1); /* of an earlier session */
        if (what == 2) answer(s, EXEC | DONE | OPEN, 8, b[2], 0x19, words, 3); /* too many words */
        if (what == 3) answer(s, EXEC | DONE | OPEN, 8, 0, 0x19, words, 1);    /* finished long ago */
        if (what == 4) answer(s, EXEC | DONE | OPEN, 8, 200, 0x19, words, 1);  /* never sent */
        if (what == 5) answer(s, EXEC | DONE | OPEN, 8, 2, 0x19, words, 1);    /* not sent yet */
        if (what == 6) answer(s, EXEC | OPEN, 8, b[2], 0x19, NULL, 0);         /* something is missing, it says */
        if (what == 7) answer(s, EXEC | OPEN | PROGRESS | BUSY, 8, b[2], 0x19, NULL, 0);
        if (what == 8) answer(s, INFO | DONE | OPEN, 9, 1, 0x19, NULL, 0); /* to an INFO of long ago */
        /* too short */
        if (what == 9)
            s->n += (unsigned)tern_link_encode((const uint8_t[]){ 0x80 | EXEC | DONE, 8, b[2] }, 3, s->out + s->n);
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
static unsigned lost_answers, still_open; /* another host has a session: OPEN */
static void lost(script *s, const uint8_t *b, unsigned length)
{
    if (b[0] == 3 && b[2] == 1) {
        answer(s, EXEC, 31, b[2], 0x19, NULL, 0);
        return;
    }
    if (b[0] == 1 && s->seen > 3) {
        /* the first one goes astray */
        if (++lost_answers > 1) answer(s, INFO | DONE | still_open, 31, b[2], 0x19, NULL, 0);
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
    for (int host = 1; host >= 0; --host) { /* another host; a reset */
        const tern_link_result why = host ? TERN_LINK_R_TAKEN : TERN_LINK_R_LOST;
        still_open = host ? OPEN : 0;
        CHECK_EQ(scripted(&s, lost), TERN_LINK_R_OK);
        lost_answers = 0;
        CHECK_EQ(tern_link_get(&l, 0, words, 1), why);
        CHECK_EQ(lost_answers, 2);
        CHECK_EQ(tern_link_write(&l, 0, words, 1), why);
        CHECK_EQ(tern_link_poll(&l), why);
        CHECK_EQ(tern_link_sync(&l), why);
    }
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

/* ---- host and board, without faults ------------------------------------------------------------------------------ */
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

static uint32_t changed_read(void *ud, uint32_t address)
{
    return link_core_read(&((link_model *)ud)->world->core, address);
}

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
    CHECK(test.words == 5000 && test.wrong == 0 && test.repeats == 0 && test.bad_requests == 0 &&
          test.bad_replies == 0 && test.timeouts == 0);
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
/* A host that comes to a core that hangs: the session opens, though LAYOUT is a memory and would wait for ever; a RESET
 * frees the core, and then LAYOUT is there. */
static void hung(void)
{
    for (int busy = 0; busy < 2; ++busy) {
        link_world_init(&world, 6, &no_faults, 0, written);
        link_model_init(&model, &world, 9);
        link_core_write(&world.core, TERN_LINK_REG_LAYOUT, 0x12345678);
        if (busy) world.core.busy_until = UINT64_MAX;
        const tern_link_io io = link_world_io(&world);
        tern_link_config_default(&config, 3000000);
        CHECK_EQ(tern_link_init(&l, &io, &config), TERN_LINK_R_OK);
        CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
        CHECK_EQ(l.registers[0], 0x5445524e);
        CHECK_EQ(l.registers[19], 128);
        CHECK_EQ(l.registers[TERN_LINK_REG_LAYOUT], busy ? 0 : 0x12345678);
        CHECK_EQ(l.stats.progress + l.stats.timeouts, 0); /* nothing waited */
        if (!busy) continue;
        /* what does wait is reported: the step does not end, and the host gives up; the session is not lost by it */
        uint32_t word = 0;
        CHECK_EQ(tern_link_get(&l, 3, &word, 1), TERN_LINK_R_OK);
        CHECK_EQ(word, 1);
        CHECK_EQ(tern_link_get(&l, TERN_LINK_REG_LAYOUT, &word, 1), TERN_LINK_R_STALLED);
        CHECK(l.stats.progress > 100);
        CHECK_EQ(tern_link_reset(&l), TERN_LINK_R_OK);
        CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
        CHECK(!link_core_busy(&world.core));
        CHECK_EQ(l.registers[TERN_LINK_REG_LAYOUT], 0x12345678);
    }
}
/* A second host opens a session while the first has frames on their way: none of those is carried out any more, and the
 * first learns it; so in turn. */
static void two_hosts(void)
{
    static tern_link hosts[2];
    uint32_t words[200], back[200];
    link_world_init(&world, 7, &no_faults, 300, written);
    link_model_init(&model, &world, 9);
    const tern_link_io io = link_world_io(&world);
    tern_link_config_default(&config, 3000000);
    for (unsigned i = 0; i < 2; ++i) CHECK_EQ(tern_link_init(&hosts[i], &io, &config), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_open(&hosts[0]), TERN_LINK_R_OK);
    for (unsigned turn = 0; turn < 6; ++turn) {
        tern_link *first = &hosts[turn % 2], *second = &hosts[1 - turn % 2];
        for (unsigned i = 0; i < 200; ++i) words[i] = 1000 * turn + i;
        CHECK_EQ(tern_link_write(first, 0x01000000, words, 200), TERN_LINK_R_OK);
        if (turn % 3 == 0) CHECK_EQ(tern_link_sync(first), TERN_LINK_R_OK);
        else CHECK_EQ(tern_link_poll(first), TERN_LINK_R_OK);
        CHECK_EQ(tern_link_write(first, 0x01000000, words, 200), TERN_LINK_R_OK); /* partly sent, partly still here */
        CHECK_EQ(tern_link_open(second), TERN_LINK_R_OK);
        CHECK((uint8_t)(second->session - first->session) == 1);
        for (unsigned i = 0; i < 200; ++i) words[i] = 0xb0000000u + i;
        CHECK_EQ(tern_link_write(second, 0x01000000, words, 200), TERN_LINK_R_OK);
        do CHECK_EQ(tern_link_get(second, 0x01000000, back, 1), TERN_LINK_R_OK);
        /* what the first one sends next has the number that the board expects */
        while ((uint8_t)second->next != (uint8_t)(first->cursor != first->next ? first->cursor : first->base));
        const size_t writes = world.core.n_log;
        const uint32_t wrong = 0xdead;
        tern_link_result r = tern_link_write(first, 0x01000000, &wrong, 1);
        if (r == TERN_LINK_R_OK) r = tern_link_sync(first);
        CHECK_EQ(r, TERN_LINK_R_TAKEN);
        CHECK_EQ(tern_link_write(first, 0x01000000, &wrong, 1), TERN_LINK_R_TAKEN);
        CHECK_EQ(tern_link_sync(first), TERN_LINK_R_TAKEN);
        CHECK_EQ(world.core.n_log, writes);
        CHECK_EQ(tern_link_get(second, 0x01000000, back, 200), TERN_LINK_R_OK);
        CHECK(memcmp(words, back, sizeof words) == 0);
        CHECK_STR(tern_link_result_text(r), "another host has opened a session: what this one had in the core is gone");
    }
}
/* ECHO words that come back changed, under a right CRC. */
static void damaged(script *s, const uint8_t *b, unsigned length) { good(s, b, length); }

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

int main(void)
{
    static script s;
    tern_link_test test;
    arguments();
    identity();
    host();
    both();
    hung();
    two_hosts();
    CHECK_EQ(scripted(&s, damaged), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_self_test(&l, 100, 1, &test), TERN_LINK_R_DAMAGED);
    CHECK(test.wrong > 90);
    throughput();
    return tern_check_report("link_host");
}
