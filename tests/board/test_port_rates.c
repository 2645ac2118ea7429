/* test_port_rates.c : finding the rate of a board on a serial port, and what is said when there is none
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_check.h"
#include "tern_cli_port.h"
#include "tern_link_device.h"

/* A board that hears one rate only; at others its bytes are garbage, and so are those that it gets. */
static struct line {
    tern_link_device d;
    uint32_t board, host;     /* rates */
    uint8_t out[8192];
    size_t n;
    uint32_t registers[64], status, resets;
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
        tern_link_device_receive(&line.d, line.host == line.board ? bytes[i] : (uint8_t)(bytes[i] ^ 0x55u), line.host != line.board);
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

/* Connects to a board of rate `board`, asking for `baud`; the code of the error, or 0. */
static int connect(uint32_t board, uint32_t baud, uint32_t *out_baud, tern_diags *diags)
{
    tern_cli_port p;
    const tern_link_board b = { NULL, busy, put, get, reset, answer };
    memset(&p, 0, sizeof p);
    line.board = board;
    line.n = 0;
    tern_link_device_init(&line.d, &b, 9, 3);
    tern_diags_init(diags);
    p.name = "a port";
    tern_link_line clock; /* its clock and its wait are good for any line */
    char path[64];
    CHECK(tern_link_line_pty(&clock, path, sizeof path, NULL, 0) == 0);
    p.line = clock;
    p.line.io.ud = &p.line;
    p.line.io.read = take;
    p.line.io.write = give;
    p.line.io.set_baud = set_baud;
    p.line.io.wait = NULL;
    const tern_status s = tern_cli_port_connect(&p, baud, diags);
    *out_baud = p.baud;
    tern_link_line_close(&clock);
    CHECK((s == TERN_OK) == (diags->n_errors == 0));
    return s == TERN_OK ? 0 : diags->list[0].code;
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
    CHECK(strstr(diags.list[0].hint, "leave out --baud") != NULL);
    CHECK(connect(31250, 0, &found, &diags) == TERN_E_SILENT);
    CHECK(strstr(diags.list[0].message, "none of the rates") != NULL);
    /* a core that a host left in the middle of a step */
    line.status = 1;
    CHECK(line.resets == 0);
    CHECK(connect(115200, 0, &found, &diags) == 0);
    CHECK(line.resets == 1);
    /* no core */
    line.registers[1] = 2;
    CHECK(connect(115200, 115200, &found, &diags) == TERN_E_FOREIGN);
    CHECK(strstr(diags.list[0].hint, "version 2; wanted: 0x5445524e, 1") != NULL);
    return tern_check_report("test_port_rates");
}
