/* fuzz_link_host.c : the host's end of the link against a board and a line that do what the input says
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says what the host does; the others, one operation at a time, what comes back from the line:
 * nothing, bytes
 * as they are, replies with a right checksum but any content, or what the board has answered, whole, cut or changed.
 * When they are used up the board answers as it should, or is silent (bit 7 of the first byte).
 */
#include "fuzz.h"
#include "tern_link.h"
#include "tern_link_device.h"

enum { WORDS = 256, OUT = 1 << 15 };
typedef struct world {
    fuzz_bytes in;
    bool silent, forged; /* forged: words may be anything */
    uint32_t us, memory[WORDS], reads;
    tern_link_device device;
    uint8_t out[OUT]; /* the board's answers */
    size_t at, n;
} world;

static bool busy(void *ud) { return ++((world *)ud)->reads % 7 == 0; }
static void write_word(void *ud, uint32_t address, uint32_t word) { ((world *)ud)->memory[address % WORDS] = word; }
static uint32_t read_word(void *ud, uint32_t address)
{
    if (address == TERN_LINK_REG_ID) return 0x5445524eu; /* "TERN" */
    if (address == TERN_LINK_REG_VERSION) return TERN_LINK_CORE_VERSION;
    return address < 64 ? 0 : ((world *)ud)->memory[address % WORDS];
}
static void reset(void *ud) { (void)ud; }
static void answer(void *ud, const uint8_t *bytes, size_t n)
{
    world *w = ud;
    if (w->at == w->n) w->at = w->n = 0;
    for (size_t i = 0; i < n && w->n < OUT; ++i) w->out[w->n++] = bytes[i];
}

static int put_out(world *w, uint8_t *bytes, size_t n, int max)
{
    if (n > (size_t)max) n = (size_t)max;
    if (n > w->n - w->at) n = w->n - w->at;
    memcpy(bytes, w->out + w->at, n);
    w->at += n;
    return (int)n;
}

static int io_read(void *ud, uint8_t *bytes, int max)
{
    world *w = ud;
    if (tern_link_device_run(&w->device) && w->in.n % 3 == 0) tern_link_device_tick(&w->device);
    if (w->in.n == 0) return w->silent ? 0 : put_out(w, bytes, OUT, max);
    const unsigned op = fuzz_u8(&w->in), arg = op >> 3;
    switch (op & 7) {
    case 0: return 0;
    case 1: /* bytes of the input */
        w->forged = true;
        for (unsigned i = 0; i < arg && i < (unsigned)max; ++i) bytes[i] = fuzz_u8(&w->in);
        return arg < (unsigned)max ? (int)arg : max;
    case 2: { /* a reply of the input's */
        uint8_t body[64], wire[TERN_LINK_WIRE_MAX];
        w->forged = true;
        body[0] = fuzz_u8(&w->in);
        body[1] = (arg & 1) != 0 ? w->device.session : fuzz_u8(&w->in);
        for (unsigned i = 2; i < 5 + 4 * (arg >> 1) && i < sizeof body; ++i) body[i] = fuzz_u8(&w->in);
        const size_t n = tern_link_encode(
            body, (uint8_t)(5 + 4 * (arg >> 1) < sizeof body ? 5 + 4 * (arg >> 1) : sizeof body), wire);
        if (n > (size_t)max) return 0;
        memcpy(bytes, wire, n);
        return (int)n;
    }
    case 3: /* a part of the answers is lost */ w->at += arg < w->n - w->at ? arg : w->n - w->at; return 0;
    case 4: { /* one bit is changed */
        const int n = put_out(w, bytes, arg + 1, max);
        if (n > 0) bytes[fuzz_u8(&w->in) % (unsigned)n] ^= (uint8_t)(1u << (arg & 7));
        return n;
    }
    case 5: return arg == 31 ? -1 : 0;
    default: return put_out(w, bytes, arg == 31 ? OUT : arg + 1, max);
    }
}

static int io_write(void *ud, const uint8_t *bytes, int n)
{
    world *w = ud;
    const int some = w->in.n % 5 == 1 && n > 3 ? n / 2 : n;
    for (int i = 0; i < some; ++i) {
        const bool noise = w->in.n % 97 == 13 && i == 0;
        tern_link_device_receive(&w->device, (uint8_t)(noise ? bytes[i] ^ 1 : bytes[i]), false);
    }
    return some;
}

static uint32_t io_clock(void *ud) { return ((world *)ud)->us += 1600; }
static void io_wait(void *ud, uint32_t us) { ((world *)ud)->us += us < 20000 ? us : 20000; }
static int io_baud(void *ud, uint32_t baud) { return ((world *)ud)->us % 2 == 0 && baud > 1000000 ? -1 : 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world w;
    static tern_link l;
    memset(&w, 0, sizeof w);
    memset(&l, 0, sizeof l);
    w.in = (fuzz_bytes){ data, size };
    const unsigned what = fuzz_u8(&w.in);
    w.silent = (what & 128) != 0;
    const tern_link_board board = { &w, busy, write_word, read_word, reset, answer };
    tern_link_device_init(&w.device, &board, 9 + (what >> 4 & 3), (uint8_t)what);
    const tern_link_io io = { &w, io_read, io_write, io_clock, io_wait, io_baud };
    tern_link_config config;
    tern_link_config_default(&config, 3000000);
    config.timeout_us = 20000;
    config.give_up_us = 200000;
    config.stall_us = 400000;
    config.nonce = (uint8_t)what;
    FUZZ_CHECK(tern_link_init(&l, &io, &config) == TERN_LINK_R_OK);
    char text[100];
    uint32_t words[100], back[100] = { 0 }, echo[60] = { 0 }, baud = 0;
    for (unsigned i = 0; i < 100; ++i) words[i] = i * 0x7d7e7f01u;
    tern_link_test test;
    if ((what & 3) == 1) (void)tern_link_scan(&l, NULL, &baud);
    if ((what & 3) == 2) (void)tern_link_probe(&l);
    tern_link_result r = tern_link_open(&l);
    for (int round = 0; round < 2; ++round) {
        const tern_link_need need = { TERN_LINK_REG_VERSION, true, TERN_LINK_CORE_VERSION };
        if (r == TERN_LINK_R_OK) (void)tern_link_check(&l, &need, 1, text, sizeof text);
        if (r == TERN_LINK_R_OK) r = tern_link_write(&l, 0x01000040, words, 100);
        if (r == TERN_LINK_R_OK) r = tern_link_wait_idle(&l);
        if (r == TERN_LINK_R_OK) r = tern_link_read(&l, 0x01000040, back, 100);
        if (r == TERN_LINK_R_OK) r = tern_link_echo(&l, words, echo, 60);
        if (r == TERN_LINK_R_OK) r = tern_link_poll(&l);
        if (r == TERN_LINK_R_OK) r = tern_link_sync(&l);
        if (r == TERN_LINK_R_OK && !w.forged) {
            FUZZ_CHECK(memcmp(words, back, sizeof back) == 0 && memcmp(words, echo, sizeof echo) == 0);
            for (unsigned i = 0; i < 100; ++i) FUZZ_CHECK(w.memory[(0x01000040 + i) % WORDS] == words[i]);
        }
        FUZZ_CHECK(tern_link_result_text(r) != NULL);
        if (r == TERN_LINK_R_OK && (what & 4) != 0) r = tern_link_self_test(&l, 70, what, &test);
        if (r == TERN_LINK_R_GONE) tern_link_resume(&l);
        if (r != TERN_LINK_R_OK) {
            if ((what & 8) != 0) (void)tern_link_reset(&l);
            r = tern_link_open(&l);
        }
    }
    return 0;
}
