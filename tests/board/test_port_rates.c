/* test_port_rates.c : finding the rate of a board on a serial port, and what is said when there is none
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_check.h"
#include "tern_run_port.h"
#include "tern_link_device.h"

/* A board that hears one rate only; at others its bytes are garbage, and so are those that it gets. */
static struct line {
    tern_link_device d;
    uint32_t board, host; /* rates */
    uint8_t out[8192];
    size_t n;
    uint32_t registers[64], status, resets, now;
} line;

static bool busy(void *ud)
{
    (void)ud;
    return false;
}
static void put(void *ud, uint32_t address, uint32_t word)
{
    (void)ud;
    (void)address;
    (void)word;
}
static uint32_t get(void *ud, uint32_t address)
{
    (void)ud;
    return address == 3 ? line.status : address < 64 ? line.registers[address] : 0;
}
static void reset(void *ud)
{
    (void)ud;
    ++line.resets;
    line.status = 0;
}
static void answer(void *ud, const uint8_t *bytes, size_t n)
{
    (void)ud;
    for (size_t i = 0; i < n && line.n < sizeof line.out; ++i) line.out[line.n++] = bytes[i];
}

static int take(void *ud, uint8_t *bytes, int max)
{
    const int n = line.n < (size_t)max ? (int)line.n : max;
    (void)ud;
    for (int i = 0; i < n; ++i) bytes[i] = line.host == line.board ? line.out[i] : (uint8_t)(line.out[i] * 37u + 11u);
    memmove(line.out, line.out + n, line.n - (size_t)n);
    line.n -= (size_t)n;
    return n;
}
static int give(void *ud, const uint8_t *bytes, int n)
{
    (void)ud;
    for (int i = 0; i < n; ++i) {
        tern_link_device_receive(&line.d, line.host == line.board ? bytes[i] : (uint8_t)(bytes[i] ^ 0x55u),
                                 line.host != line.board);
        tern_link_device_run(&line.d);
    }
    return n;
}
static int set_baud(void *ud, uint32_t baud)
{
    (void)ud;
    line.host = baud;
    return 0;
}

static uint32_t ticks(void *ud)
{
    (void)ud;
    return line.now += 20;
}

/* Connects to a board of rate `board`, asking for `baud`; the code of the error, or 0. */
static int connect(uint32_t board, uint32_t baud, uint32_t *out_baud, tern_diags *diags)
{
    tern_port p;
    const tern_link_board b = { NULL, busy, put, get, reset, answer };
    memset(&p, 0, sizeof p);
    line.board = board;
    line.n = 0;
    tern_link_device_init(&line.d, &b, 9, 3);
    tern_diags_init(diags);
    p.name = "a port";
    p.line.io = (tern_link_io){ NULL, take, give, ticks, NULL, set_baud };
    const tern_status s = tern_port_connect(&p, baud, diags);
    *out_baud = p.baud;
    CHECK((s == TERN_OK) == (diags->n_errors == 0));
    return s == TERN_OK ? 0 : diags->list[0].code;
}

/* ---- an emulated board: no rate, as slow as its simulation ------------------------------------------------------- */

enum { SLOW_BYTES = 1 << 15 };
static struct slow {
    tern_link_device d;
    uint32_t now, byte_us;
    struct way {
        uint8_t bytes[SLOW_BYTES];
        uint32_t due[SLOW_BYTES], at, n, last;
    } in, out;
    uint32_t memory[1024];
} slow;

static void send_slowly(struct way *w, uint8_t byte)
{
    w->last = ((int32_t)(w->last - slow.now) > 0 ? w->last : slow.now) + slow.byte_us;
    w->bytes[w->n % SLOW_BYTES] = byte;
    w->due[w->n++ % SLOW_BYTES] = w->last;
}
static bool due(const struct way *w) { return w->at != w->n && (int32_t)(w->due[w->at % SLOW_BYTES] - slow.now) <= 0; }
static void slow_answer(void *ud, const uint8_t *bytes, size_t n)
{
    (void)ud;
    for (size_t i = 0; i < n; ++i) send_slowly(&slow.out, bytes[i]);
}
static void slow_put(void *ud, uint32_t address, uint32_t word)
{
    (void)ud;
    if (address >> 24 == 1 && (address & 0xffffff) < 1024) slow.memory[address & 0xffffff] = word;
}
static uint32_t slow_get(void *ud, uint32_t address)
{
    return address >> 24 == 1 ? slow.memory[address & 1023] : get(ud, address);
}
static void slow_work(void)
{
    while (due(&slow.in)) {
        tern_link_device_receive(&slow.d, slow.in.bytes[slow.in.at++ % SLOW_BYTES], false);
        tern_link_device_run(&slow.d);
    }
}
static int slow_take(void *ud, uint8_t *bytes, int max)
{
    int n = 0;
    (void)ud;
    slow_work();
    while (n < max && due(&slow.out)) bytes[n++] = slow.out.bytes[slow.out.at++ % SLOW_BYTES];
    return n;
}
static int slow_give(void *ud, const uint8_t *bytes, int n)
{
    (void)ud;
    for (int i = 0; i < n; ++i) send_slowly(&slow.in, bytes[i]);
    return n;
}
static uint32_t slow_clock(void *ud)
{
    (void)ud;
    return slow.now += 2;
}
static void slow_wait(void *ud, uint32_t us)
{
    (void)ud;
    slow.now += us < slow.byte_us ? us : slow.byte_us;
    slow_work();
}

/* Words there and back, without a frame that is sent again, however slow the board is. */
static void emulated(uint32_t byte_us)
{
    tern_port p;
    tern_diags diags;
    uint32_t words[1000], back[1000];
    const tern_link_board b = { NULL, busy, slow_put, slow_get, reset, slow_answer };
    memset(&p, 0, sizeof p);
    memset(&slow, 0, sizeof slow);
    slow.byte_us = byte_us;
    tern_link_device_init(&slow.d, &b, 9, 3);
    tern_diags_init(&diags);
    p.name = "a terminal";
    p.line.io = (tern_link_io){ NULL, slow_take, slow_give, slow_clock, slow_wait, NULL };
    CHECK(tern_port_connect(&p, 0, &diags) == TERN_OK);
    CHECK(p.link.config.timeout_us >= 500000 && p.link.config.timeout_us <= 10000000);
    CHECK(p.link.config.give_up_us >= 8 * p.link.config.timeout_us);
    memset(&p.link.stats, 0, sizeof p.link.stats);
    for (unsigned i = 0; i < 1000; ++i) words[i] = i * 0x01010101u;
    CHECK(tern_link_write(&p.link, 0x01000000, words, 1000) == TERN_LINK_R_OK);
    CHECK(tern_link_get(&p.link, 0x01000000, back, 1000) == TERN_LINK_R_OK);
    CHECK(memcmp(words, back, sizeof words) == 0);
    CHECK_EQ(p.link.stats.timeouts, 0);
    CHECK_EQ(p.link.stats.repeats, 0);
    printf("%u us a byte: timeout %u us, longest wait %u us\n", (unsigned)byte_us, (unsigned)p.link.config.timeout_us,
           (unsigned)p.link.stats.longest_us);
}

int main(void)
{
    tern_diags diags;
    uint32_t found;
    line.registers[0] = 0x5445524e;
    line.registers[1] = 1;
    for (const uint32_t *rate = tern_link_bauds; *rate != 0; ++rate) {
        CHECK(connect(*rate, 0, &found, &diags) == 0);
        CHECK(found == *rate);
    }
    CHECK(connect(31250, 31250, &found, &diags) == 0); /* one that is never tried by itself */
    CHECK(found == 31250);
    CHECK(connect(460800, 115200, &found, &diags) == TERN_E_SILENT);
    CHECK(strstr(diags.list[0].message, "at 115200 bits per second") != NULL);
    CHECK(strstr(diags.list[0].hint, "omit --baud") != NULL);
    CHECK(connect(31250, 0, &found, &diags) == TERN_E_SILENT);
    CHECK(strstr(diags.list[0].message, "none of the rates") != NULL);
    /* a core that a host left in the middle of a step */
    line.status = 1;
    CHECK(line.resets == 0);
    CHECK(connect(115200, 0, &found, &diags) == 0);
    CHECK(line.resets == 1);
    static const uint32_t speeds[] = { 1, 50, 400, 1500, 4000 };
    line.status = 0;
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i) emulated(speeds[i]);
    /* no core */
    line.registers[1] = 2;
    CHECK(connect(115200, 115200, &found, &diags) == TERN_E_FOREIGN);
    CHECK(strstr(diags.list[0].hint, "version 2; wanted: 0x5445524e, 1") != NULL);
    line.registers[15] = 3; /* a small core has version 3, and one with version 2 another layout */
    line.registers[1] = 3;
    CHECK(connect(115200, 115200, &found, &diags) == 0);
    line.registers[1] = 2;
    CHECK(connect(115200, 115200, &found, &diags) == TERN_E_FOREIGN);
    CHECK(strstr(diags.list[0].hint, "version 2; wanted: 0x5445524e, 3") != NULL);
    return tern_check_report("test_port_rates");
}
