/* odd_board.c : what else can be at the other end of a port
 * SPDX-License-Identifier: Apache-2.0
 *
 *     odd_board silent|loop|foreign|version|reset|taken LINK
 * makes a pseudo-terminal with a symbolic link LINK to it, and stays until it is killed. silent: never answers. loop:
 * gives back what comes. foreign: speaks the protocol, but no core is behind it.
 * version: answers with another version of the protocol. reset: a core that does nothing, and is reset at every 40th
 * write to CONTROL.
 * taken: the same core, and at the 40th write another host has opened a session.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tern_link_device.h"
#include "tern_link_transport.h"

static tern_link_line line;
static uint32_t registers[128];
static tern_link_device d;
static bool version, resets, taken;
static unsigned starts;

static bool busy(void *ud)
{
    (void)ud;
    return false;
}
static void put(void *ud, uint32_t address, uint32_t word)
{
    (void)ud;
    if (address >= 32 && address < 128) registers[address] = word;
    if (address == 2 && (word & 9) == 1) ++registers[64]; /* a step, but what it should compute is not there */
    if (address == 2 && resets && ++starts % 40 == 0) registers[64] = 0;
    /* as its OPEN does; the current frame is the last one of the session before */
    if (address == 2 && taken && ++starts == 40) ++d.session;
}
static uint32_t get(void *ud, uint32_t address)
{
    (void)ud;
    return address < 128 ? registers[address] : 0;
}
static void reset(void *ud) { (void)ud; }
static void send(void *ud, const uint8_t *bytes, size_t n)
{
    (void)ud;
    for (size_t i = 0; i < n;) {
        const int k = line.io.write(line.io.ud, bytes + i, (int)(n - i));
        if (k < 0) return;
        i += (size_t)k;
    }
}
static void send_version(void *ud, const uint8_t *bytes, size_t n)
{
    static tern_link_decoder in;
    uint8_t wire[TERN_LINK_WIRE_MAX];
    for (size_t i = 0; i < n; ++i)
        if (tern_link_decode(&in, bytes[i], false) == TERN_LINK_GOOD) {
            uint8_t body[TERN_LINK_BODY_MAX];
            memcpy(body, in.bytes + 1, in.bytes[0]);
            body[4] = (uint8_t)((body[4] & 15) | 2 << 4);
            send(ud, wire, tern_link_encode(body, in.bytes[0], wire));
        }
}

int main(int argc, char **argv)
{
    char path[64], why[200];
    uint8_t bytes[256];
    if (argc != 3) return 2;
    const char *mode = argv[1];
    version = strcmp(mode, "version") == 0;
    resets = strcmp(mode, "reset") == 0;
    taken = strcmp(mode, "taken") == 0;
    if (resets || taken) { /* large enough for every small network */
        static const uint32_t core[][2] = { { 0, 0x5445524e }, { 1, 1 },     { 11, 1 },   { 12, 64 },
                                            { 13, 16 },        { 14, 16 },   { 16, 4 },   { 17, 16 },
                                            { 18, 8 },         { 19, 64 },   { 20, 512 }, { 21, 65536 },
                                            { 22, 32 },        { 23, 32 },   { 24, 16 },  { 25, 9999 },
                                            { 26, 99999 },     { 27, 9999 }, { 28, 99 },  { 29, 0x40404010 },
                                            { 30, 0x1f011f },  { 31, 64 } };
        for (size_t i = 0; i < sizeof core / sizeof *core; ++i) registers[core[i][0]] = core[i][1];
    }
    if (tern_link_line_pty(&line, path, sizeof path, why, sizeof why) != 0) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    if (open(path, O_RDWR | O_NOCTTY) < 0) return 1; /* stays open: the terminal does not hang up */
    const tern_link_board board = { NULL, busy, put, get, reset, version ? send_version : send };
    tern_link_device_init(&d, &board, 12, 7);
    unlink(argv[2]);
    if (symlink(path, argv[2]) != 0) return 1;
    for (;;) {
        struct pollfd p = { line.fd, POLLIN, 0 };
        poll(&p, 1, 1000);
        const int n = line.io.read(line.io.ud, bytes, (int)sizeof bytes);
        if (n < 0) return 0;
        if (strcmp(mode, "silent") == 0) continue;
        if (strcmp(mode, "loop") == 0) send(NULL, bytes, (size_t)n);
        else
            for (int i = 0; i < n; ++i) {
                tern_link_device_receive(&d, bytes[i], false);
                tern_link_device_run(&d);
            }
    }
}
