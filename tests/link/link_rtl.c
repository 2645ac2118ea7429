/* link_rtl.c : the link in Verilog, down to the bits on its pins: against the C model, and with the host's engine over
 * faulty lines
 * SPDX-License-Identifier: Apache-2.0
 *
 *     link_rtl NAME same|noise|world|all [--seed N] [--frames N]
 * NAME: a design of link_duts.inc: none, slow (another clock and rate), long (24 clocks a bit), or a planted bug in
 * lower case.
 * noise: as same, with a pulse of one clock in every bit that the board receives; for designs with 24 clocks a bit.
 * same: every request gets the same reply from the Verilog and from the C model ("DIFFERS ..." at the first that does
 * not). world: as test_link_engine ("LINK ...").
 * Exit status 0: no difference; 1: one; 2: wrong usage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "link_dut.h"

#define MUTANT(name) const link_dut *tern_dut_##name(void);
#include "link_duts.inc"
#undef MUTANT
static const struct {
    unsigned number;
    const char *name;
} planted[] = {
#define PLANTED(number, name) { number, #name },
#include "planted.inc"
#undef PLANTED
};
static const struct {
    const char *name;
    const link_dut *(*get)(void);
} duts[] = {
#define MUTANT(name) { #name, tern_dut_##name },
#include "link_duts.inc"
#undef MUTANT
};

static link_write written[LINK_LOG], wanted[LINK_LOG];
static link_world world, other;
static link_model model;
static uint32_t rnd_state;
static uint32_t rnd(uint32_t n) { return link_random(&rnd_state, n); }

link_target link_dut_target(const link_dut *dut, void *object)
{
    return (link_target){ object, dut->tick, dut->take, dut->power };
}

/* ---- same: request by request ------------------------------------------------------------------------------------ */

enum { MAX = 4096 };
typedef struct bytes {
    uint16_t b[MAX];
    size_t n;
} bytes;

/* All replies of the Verilog to these bytes, until it has been quiet for longer than the longest request takes. */
static void hardware(link_target t, const bytes *in, bytes *out)
{
    out->n = 0;
    for (size_t i = 0, quiet = 0; i < in->n || quiet < 60; ++i) {
        t.tick(t.ud, i < in->n ? in->b[i] : -1);
        ++world.core.now;
        int byte, any = 0;
        while ((byte = t.take(t.ud)) >= 0 && out->n < MAX) {
            out->b[out->n++] = (uint16_t)byte;
            any = 1;
        }
        quiet = any || i < in->n ? 0 : quiet + 1;
    }
}

static void software(const bytes *in, bytes *out)
{
    out->n = 0;
    for (size_t i = 0; i < in->n; ++i) {
        tern_link_device_receive(&model.device, (uint8_t)in->b[i], in->b[i] >= 256);
        (void)tern_link_device_run(&model.device);
    }
    for (int byte; (byte = other.target.take(other.target.ud)) >= 0 && out->n < MAX;) out->b[out->n++] = (uint16_t)byte;
}

static void add(bytes *out, const uint8_t *body, unsigned length)
{
    uint8_t wire[TERN_LINK_WIRE_MAX];
    const size_t n = tern_link_encode(body, (uint8_t)length, wire);
    for (size_t i = 0; i < n && out->n < MAX; ++i) out->b[out->n++] = wire[i];
}

/* A request of any kind, most of them meant to be carried out; sometimes damaged. */
static void make_request(bytes *out, uint8_t session, uint8_t expected)
{
    uint8_t body[TERN_LINK_BODY_MAX];
    unsigned n = 4;
    const unsigned kind = rnd(24);
    body[0] = (uint8_t)(kind < 18    ? TERN_LINK_EXEC
                        : kind == 18 ? TERN_LINK_INFO
                        : kind == 19 ? TERN_LINK_OPEN
                        : kind == 20 ? 0x80 | rnd(128)
                        : kind == 21 ? 5 + rnd(100)
                                     : TERN_LINK_EXEC);
    body[1] = (uint8_t)(session + (rnd(8) == 0 ? rnd(5) + 254 : 0));
    body[2] = (uint8_t)(expected + (rnd(3) == 0 ? rnd(2) == 0 ? rnd(8) + 252 : rnd(256) : 0));
    body[3] = (uint8_t)rnd(256);
    unsigned words = 0;
    const unsigned limit = rnd(4) == 0 ? 255 : 30;
    while (n < limit && rnd(5) != 0) {
        const unsigned op = rnd(8), room = (limit - n) / 4;
        const uint32_t address = rnd(12) == 0  ? 0xffu + rnd(1u << 24) * 255u
                                 : rnd(3) == 0 ? 3 + rnd(60) /* starts no step */
                                               : (1u << 24) + (rnd(3) == 0   ? 250 + rnd(8)
                                                               : rnd(4) == 0 ? 0xfffffe
                                                                             : rnd(LINK_WORDS));
        if (op < 3 && n + 9 <= limit) {
            unsigned k = 1 + rnd(room - 1 < 64 ? room - 1 : 64);
            body[n++] = (uint8_t)(k - 1);
            tern_link_put(body + n, address);
            for (n += 4; k > 0 && n + 4 <= 255; --k, n += 4)
                tern_link_put(body + n, rnd(8) == 0 ? 0x7d7e7d7eu : rnd(1u << 28) * 16u + k);
        } else if (op < 5 && n + 5 <= limit && words < 62) {
            const unsigned k = 1 + rnd(62 - words);
            words += k;
            body[n] = (uint8_t)(0x40 + k - 1);
            tern_link_put(body + n + 1, address);
            n += 5;
        } else if (op == 5 && room > 1 && words + room <= 62) {
            unsigned k = 1 + rnd(room - 1);
            words += k;
            body[n++] = (uint8_t)(0x80 + k - 1);
            for (; k > 0; --k, n += 4) tern_link_put(body + n, rnd(1u << 28) * 16u + k);
        } else if (op == 6) {
            body[n++] = (uint8_t)(0xc0 + rnd(64));
        }
    }
    if (body[0] == TERN_LINK_INFO || body[0] == TERN_LINK_OPEN) n = 3 + rnd(3);
    if (rnd(8) == 0) n = rnd(n + 1); /* cut off, with a right CRC */
    if (rnd(10) == 0)                /* garbage before it, which its flag ends */
        for (unsigned i = rnd(20); i > 0 && out->n < MAX; --i)
            out->b[out->n++] = (uint16_t)(rnd(3) == 0 ? TERN_LINK_ESCAPE : rnd(512));
    const size_t begin = out->n;
    add(out, body, n);
    const unsigned damage = rnd(10);
    const size_t at = begin + rnd((uint32_t)(out->n - begin));
    if (damage == 0) out->b[at] = (uint16_t)(out->b[at] ^ 1u << rnd(9)); /* bit 8: no stop bit */
    if (damage == 1) {
        memmove(out->b + at, out->b + at + 1, (out->n - at - 1) * sizeof *out->b);
        --out->n;
    }
    if (damage == 2 && out->n < MAX) {
        memmove(out->b + at + 1, out->b + at, (out->n - at) * sizeof *out->b);
        out->b[at] = (uint16_t)rnd(512);
        ++out->n;
    }
    if (damage == 3 && out->n < MAX) out->b[out->n++] = TERN_LINK_FLAG;
}

static void print(const char *who, const bytes *b)
{
    printf("  %s", who);
    for (size_t i = 0; i < b->n && i < 300; ++i) printf(" %02x", b->b[i]);
    printf("\n");
}

static int same(const link_dut *dut, const link_pins *pins, uint32_t seed, uint64_t frames)
{
    static bytes in, rtl, c;
    static const link_faults none;
    static const uint8_t ask[3] = { TERN_LINK_INFO, 0, 1 };
    uint64_t replies = 0, writes = 0;
    rnd_state = seed * 7919 + 3;
    link_world_init(&world, seed, &none, 0, written);
    link_world_init(&other, seed, &none, 0, wanted);
    link_model_init(&model, &other, 9);
    void *object = dut->create(pins, &world.core, seed);
    if (object == NULL) return 1;
    const link_target t = link_dut_target(dut, object);
    int failed = 0;
    unsigned filled = 0;
    /* after power-up, whatever the registers hold, the line stays idle and nothing is written */
    for (uint32_t i = 0; i < 30 && !failed; ++i) {
        in.n = 0;
        hardware(t, &in, &rtl);
        if (rtl.n != 0 || world.core.n_log != 0) {
            printf("DIFFERS power-up: %zu bytes sent, %zu writes made before the first request, seed %" PRIu32 "\n",
                   rtl.n, world.core.n_log, seed);
            failed = 1;
        }
        t.power(t.ud, seed + i);
    }
    /* the session number of the Verilog, which is different each time */
    in.n = 0;
    add(&in, ask, sizeof ask);
    hardware(t, &in, &rtl);
    tern_link_decoder d;
    memset(&d, 0, sizeof d);
    for (size_t i = 0; i < rtl.n; ++i)
        if (tern_link_decode(&d, (uint8_t)rtl.b[i], false) == TERN_LINK_GOOD && d.bytes[0] == 5)
            model.device.session = d.bytes[2];
    for (uint64_t i = 0; i < frames && !failed; ++i) {
        in.n = 0;
        if (i == 0) {
            add(&in, ask, sizeof ask);
        } else if (!model.device.open) {
            const uint8_t open[3] = { TERN_LINK_OPEN, model.device.session, (uint8_t)i };
            add(&in, open, sizeof open);
        } else if (filled < 16) { /* the reply buffers get the same contents */
            uint8_t echo[5 + 32] = { TERN_LINK_EXEC, model.device.session, model.device.expected,
                                     (uint8_t)(2 * filled++), TERN_LINK_OP_ECHO + 7 };
            for (unsigned k = 5; k < sizeof echo; ++k) echo[k] = (uint8_t)(filled + k);
            add(&in, echo, sizeof echo);
        } else {
            make_request(&in, model.device.session, model.device.expected);
        }
        hardware(t, &in, &rtl);
        software(&in, &c);
        if (rtl.n != c.n || memcmp(rtl.b, c.b, c.n * sizeof *c.b) != 0) {
            printf("DIFFERS reply: request %" PRIu64 ", seed %" PRIu32 "\n", i, seed);
            failed = 1;
        }
        if (world.core.n_log != other.core.n_log || memcmp(written, wanted, other.core.n_log * sizeof *wanted) != 0) {
            printf("DIFFERS write: request %" PRIu64 ", seed %" PRIu32 ": %zu instead of %zu writes, or others\n", i,
                   seed, world.core.n_log, other.core.n_log);
            failed = 1;
        }
        if (failed) {
            print("request", &in);
            print("RTL    ", &rtl);
            print("C      ", &c);
        }
        replies += c.n > 0;
        writes += other.core.n_log;
        world.core.n_log = other.core.n_log = 0;
    }
    /* the core is busy for ten times 2,047 bits and a little: so many PROGRESS replies, of the waiting frame, then its
     * own */
    if (!failed) {
        const uint8_t wait[6] = { TERN_LINK_EXEC, model.device.session, model.device.expected, 0, 0xc0, 0xc0 };
        unsigned progress = 0, done = 0, wrong = 0;
        in.n = 0;
        (void)link_random(&rnd_state, 2);
        add(&in, ask, 3); /* ends what a damaged request has left */
        hardware(t, &in, &rtl);
        in.n = 0;
        add(&in, wait, sizeof wait);
        world.core.busy_until = world.core.now + 2150;
        memset(&d, 0, sizeof d);
        for (size_t i = 0; i < 2400; ++i) {
            t.tick(t.ud, i < in.n ? in.b[i] : -1);
            ++world.core.now;
            for (int byte; (byte = t.take(t.ud)) >= 0;)
                if (tern_link_decode(&d, (uint8_t)byte, byte > 255) == TERN_LINK_GOOD) {
                    const unsigned flags = d.bytes[1] & 0x1f;
                    if (d.bytes[0] != 5 || d.bytes[3] != wait[2] || d.bytes[2] != wait[1]) ++wrong;
                    else if (flags == (TERN_LINK_PROGRESS | TERN_LINK_IS_OPEN | TERN_LINK_BUSY)) ++progress;
                    else if (flags == (TERN_LINK_DONE | TERN_LINK_IS_OPEN) && world.core.now > world.core.busy_until)
                        ++done;
                    else ++wrong;
                }
        }
        if (progress != 10 || done != 1 || wrong != 0) {
            printf("DIFFERS progress: %u of 10 replies while waiting, %u of 1 after it, %u others\n", progress, done,
                   wrong);
            failed = 1;
        }
    }
    /* 511 bytes of frames have room; what comes then is counted and forgotten, and may come again */
    if (!failed) {
        uint8_t body[200] = { TERN_LINK_EXEC, model.device.session, (uint8_t)(model.device.expected + 1), 0, 0xc0 };
        memset(body + 5, 0xc0, sizeof body - 5);
        world.core.busy_until = UINT64_MAX;
        in.n = 0;
        add(&in, body, 5); /* this one waits */
        hardware(t, &in, &rtl);
        in.n = 0;
        for (unsigned k = 0; k < 3; ++k) {
            ++body[2];
            add(&in, body, sizeof body);
        }
        unsigned done[3] = { 0 }, old = 0;
        for (unsigned k = 0; k < 3; ++k) { /* while busy; afterwards; the last one and INFO and the last one again */
            if (k > 0) in.n = 0;
            if (k == 1) world.core.busy_until = 0;
            if (k == 2) {
                add(&in, body, sizeof body);
                add(&in, ask, sizeof ask);
                add(&in, body, sizeof body);
            }
            hardware(t, &in, &rtl);
            memset(&d, 0, sizeof d);
            for (size_t i = 0; i < rtl.n; ++i)
                if (tern_link_decode(&d, (uint8_t)rtl.b[i], false) == TERN_LINK_GOOD && (d.bytes[1] & TERN_LINK_DONE)) {
                    if (d.bytes[1] & TERN_LINK_OLD) ++old;
                    else ++done[k];
                }
        }
        if (done[0] != 0 || done[1] != 3 || done[2] != 2 || old != 1) {
            printf("DIFFERS overrun: %u frames done too early, then %u of 3 and %u of 2, repeated %u of 1\n", done[0],
                   done[1], done[2], old);
            failed = 1;
        }
        model.device.expected = (uint8_t)(body[2]);
    }
    /* RESET in spite of a busy core, and another session number afterwards */
    if (!failed) {
        const uint8_t wait[5] = { TERN_LINK_EXEC, model.device.session, (uint8_t)(model.device.expected + 1), 0, 0xc0 },
                      reset[3] = { TERN_LINK_RESET, 0, 0 };
        in.n = 0;
        add(&in, wait, sizeof wait);
        world.core.busy_until = UINT64_MAX;
        hardware(t, &in, &rtl);
        in.n = 0;
        add(&in, reset, sizeof reset);
        hardware(t, &in, &rtl);
        const bool freed = !link_core_busy(&world.core), closed = !dut->led(object);
        in.n = 0;
        add(&in, ask, sizeof ask);
        hardware(t, &in, &rtl);
        memset(&d, 0, sizeof d);
        unsigned good = 0;
        for (size_t i = 0; i < rtl.n; ++i)
            if (tern_link_decode(&d, (uint8_t)rtl.b[i], false) == TERN_LINK_GOOD &&
                d.bytes[1] == (0x80 | TERN_LINK_INFO << 5 | TERN_LINK_DONE))
                ++good;
        if (!freed || !closed || good != 1) {
            printf("DIFFERS reset: core free %d, session closed %d, INFO answered %u\n", freed, closed, good);
            failed = 1;
        }
    }
    printf("%s: %" PRIu64 " requests, %" PRIu64 " answered, %" PRIu64 " writes, %" PRIu64 " clocks\n",
           failed ? "differs" : "same", frames, replies, writes, dut->clocks(object));
    dut->destroy(object);
    return failed;
}

/* ---- world ------------------------------------------------------------------------------------------------------- */

static int in_world(const link_dut *dut, const link_pins *pins, uint32_t seed, uint64_t frames)
{
    static const struct {
        const char *name;
        link_faults faults;
        uint32_t latency;
        link_events events;
    } profiles[] = {
        { "clean", { 0 }, 0, { 0 } },
        { "bytes", { 25, 25, 25, 25, 25, 25, 0, 0, 0 }, 30, { 0 } },
        { "frames", { 0, 0, 0, 0, 0, 0, 10000, 10000, 10000 }, 100, { 0 } },
        { "all", { 30, 20, 20, 20, 20, 20, 5000, 5000, 5000 }, 100, { 10, 10, 10, 10 } },
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0] && !failed; ++i) {
        tern_link_stats s;
        link_pins p = *pins;
        link_world_init(&world, seed + (uint32_t)i, &profiles[i].faults, profiles[i].latency, written);
        if (i > 0) p.glitches = 300;
        void *object = dut->create(&p, &world.core, seed);
        if (object == NULL) return 1;
        world.stall_us = 4000000;
        world.target = link_dut_target(dut, object);
        failed = link_run(&world, seed + (uint32_t)i, frames, &profiles[i].events, &s);
        if (i == 0 && !failed && s.repeats + s.timeouts + s.bad_replies + s.bad_requests + s.gaps != 0) {
            printf("LINK repeats on a clean line: %" PRIu64 "\n", s.repeats);
            failed = 1;
        }
        printf("%s: %s: %" PRIu64 " frames, %" PRIu64 " again, %" PRIu64 " words out, %" PRIu64
               " in, bad requests %" PRIu64 ", bad replies %" PRIu64 ", gaps %" PRIu64 ", timeouts %" PRIu64
               ", waiting %" PRIu64 ", %" PRIu64 " clocks; %" PRIu64 " unplugged, %" PRIu64 " powered, %" PRIu64
               " restarts\n",
               failed ? "FAILED" : "ok", profiles[i].name, s.frames, s.repeats, s.words_written, s.words_read,
               s.bad_requests, s.bad_replies, s.gaps, s.timeouts, s.progress, dut->clocks(object), world.n_unplugs,
               world.n_powers, world.n_restarts);
        dut->destroy(object);
    }
    return failed;
}

int main(int argc, char **argv)
{
    uint32_t seed = 1;
    uint64_t frames = 0;
    if (argc < 3) return 2;
    for (int i = 3; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0) seed = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--frames") == 0) frames = strtoull(argv[i + 1], NULL, 10);
        else return 2;
    }
    const char *name = argv[1];
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; ++i)
        if (strcmp(planted[i].name, name) == 0) {
            char number[16];
            snprintf(number, sizeof number, "%u", planted[i].number);
            setenv("TERN_MUTANT", number, 1);
            name = strcmp(argv[2], "noise") == 0 ? "mutants_long" : "mutants";
            break;
        }
    for (size_t i = 0; i < sizeof duts / sizeof duts[0]; ++i) {
        if (strcmp(duts[i].name, name) != 0) continue;
        const link_dut *dut = duts[i].get();
        const int slow = strcmp(name, "slow") == 0;
        /* the reported rate is that of the design; the host's clock is off by 1.5 %, to either side */
        const uint32_t noise = strcmp(argv[2], "noise") == 0;
        const link_pins pins = {
            slow ? 16000000 : 12000000, noise ? 500000 : 3000000, seed % 2 == 0 ? 15 : -15, 0, 5, noise
        };
        int failed = 0;
        if (strcmp(argv[2], "world") != 0) failed = same(dut, &pins, seed, frames != 0 ? frames : noise ? 200 : 1500);
        if (strcmp(argv[2], "same") != 0 && !noise && !failed)
            failed = in_world(dut, &pins, seed, frames != 0 ? frames : 200);
        return failed;
    }
    fprintf(stderr, "link_rtl: no design '%s'\n", argv[1]);
    return 2;
}
