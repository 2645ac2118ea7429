/* test_link_lines.c : the link over real file descriptors: a board emulated on a pseudo-terminal, unplugged and plugged
 * in again; what serial ports answer
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include "link_world.h"
#include "tern_check.h"
#include "tern_link_transport.h"

/* ---- the board: its own thread, the C model behind a pseudo-terminal --------------------------------------------- */

typedef struct emulated {
    tern_link_line line;
    tern_link_device device;
    link_core core;
    char path[64];
    atomic_int stop, steal; /* steal: the next so many bytes are lost */
} emulated;

static link_write written[LINK_LOG];
static bool busy(void *ud)
{
    emulated *e = ud;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    e->core.now = (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u; /* here a tick is a microsecond */
    return link_core_busy(&e->core);
}
static void write_word(void *ud, uint32_t address, uint32_t word)
{
    link_core_write(&((emulated *)ud)->core, address, word);
}
static uint32_t read_word(void *ud, uint32_t address) { return link_core_read(&((emulated *)ud)->core, address); }
static void reset(void *ud) { ((emulated *)ud)->core.busy_until = 0; }
static void send_bytes(void *ud, const uint8_t *bytes, size_t n)
{
    emulated *e = ud;
    for (size_t at = 0; at < n && !e->stop;) {
        const int k = e->line.io.write(e->line.io.ud, bytes + at, (int)(n - at));
        if (k <= 0) e->line.io.wait(e->line.io.ud, 1000);
        if (k < 0) return;
        at += (size_t)k;
    }
}

static void *emulate(void *ud)
{
    emulated *e = ud;
    uint8_t bytes[256];
    uint32_t last = 0;
    while (!e->stop) {
        const int n = e->line.io.read(e->line.io.ud, bytes, (int)sizeof bytes);
        for (int i = 0; i < n; ++i) {
            if (e->steal > 0) --e->steal;
            else tern_link_device_receive(&e->device, bytes[i], false);
        }
        const uint32_t now = e->line.io.clock_us(e->line.io.ud);
        if (tern_link_device_run(&e->device) && now - last > 5000) {
            tern_link_device_tick(&e->device);
            last = now;
        }
        if (n <= 0) e->line.io.wait(e->line.io.ud, 1000);
    }
    return NULL;
}

static emulated board;
static tern_link l;

int main(void)
{
    char text[256] = "";
    static uint32_t words[3000], back[3000];
    tern_link_line line;
    tern_link_config config;
    tern_link_test test;
    pthread_t thread;
    uint32_t seed = 99;

    /* what cannot be opened is reported */
    CHECK_EQ(tern_link_line_path(&line, "/nonexistent/tty", text, sizeof text), -1);
    CHECK_STR(text, "cannot open /nonexistent/tty: No such file or directory");
    CHECK_EQ(tern_link_line_path(&line, "/nonexistent/tty", NULL, 0), -1);
    CHECK_EQ(tern_link_line_path(&line, "/dev/null", text, sizeof text), -1);
    CHECK(strstr(text, "raw mode") != NULL);
    CHECK_EQ(tern_link_line_fd(&line, -1, text, sizeof text), -1);
    CHECK_STR(text, "cannot use file descriptor -1: Bad file descriptor");
    CHECK_EQ(tern_link_line_pty(&board.line, board.path, 3, text, sizeof text), -1);
    CHECK_EQ(tern_link_line_serial(&line, "ttyNONE", 115200, text, sizeof text), -1);
    CHECK(strstr(text, "ttyNONE") != NULL);
    CHECK(tern_link_has_serial() || strstr(text, "libserialport-dev") != NULL);
    printf("serial port: %s\n", text);

    const tern_link_board parts = { &board, busy, write_word, read_word, reset, send_bytes };
    tern_link_device_init(&board.device, &parts, 10, 77);
    board.core.log = written;
    board.core.random = 5;
    if (tern_link_line_pty(&board.line, board.path, sizeof board.path, text, sizeof text) != 0) {
        printf("SKIP: %s\n", text);
        return 77;
    }
    CHECK(pthread_create(&thread, NULL, emulate, &board) == 0);
    CHECK_EQ(tern_link_line_path(&line, board.path, text, sizeof text), 0);
    tern_link_config_default(&config, 3000000);
    config.stall_us = 0;
    CHECK_EQ(tern_link_init(&l, &line.io, &config), TERN_LINK_R_OK);
    CHECK_EQ(tern_link_open(&l), TERN_LINK_R_OK);
    CHECK_EQ(l.session, 78);
    CHECK_EQ(l.buffer_bytes, 1024);
    CHECK_EQ(tern_link_self_test(&l, 3000, 4, &test), TERN_LINK_R_OK);
    CHECK(test.words == 3000 && test.wrong == 0);
    printf("pseudo-terminal: %u bytes/s, round %u us\n", test.bytes_per_s, test.round_us);

    size_t asked = 0;
    for (int round = 0; round < 12; ++round) {
        for (unsigned i = 0; i < 300; ++i) words[i] = link_random(&seed, 1u << 28);
        size_t done = 0;
        if (round % 3 == 1) board.steal = 700; /* silence for a while */
        if (round % 3 == 2) {                  /* the host's end goes away in the middle */
            CHECK_EQ(tern_link_write(&l, 0x01000000, words, 100), TERN_LINK_R_OK);
            CHECK_EQ(tern_link_poll(&l), TERN_LINK_R_OK);
            done = 100;
            tern_link_line_close(&line);
            tern_link_result r = TERN_LINK_R_OK;
            while (r == TERN_LINK_R_OK && done < 300) {
                r = tern_link_write(&l, 0x01000000 + (uint32_t)done, words + done, 300 - done);
                done += l.taken;
                if (r == TERN_LINK_R_OK) r = tern_link_sync(&l);
            }
            CHECK_EQ(r, TERN_LINK_R_GONE);
            CHECK_EQ(tern_link_line_path(&line, board.path, text, sizeof text), 0);
            tern_link_resume(&l);
        }
        while (done < 300) {
            const tern_link_result r = tern_link_write(&l, 0x01000000 + (uint32_t)done, words + done, 300 - done);
            done += l.taken;
            CHECK_EQ(r, TERN_LINK_R_OK);
            if (r != TERN_LINK_R_OK) break;
        }
        const uint32_t start = 1;
        CHECK_EQ(tern_link_write(&l, 2, &start, 1), TERN_LINK_R_OK);
        CHECK_EQ(tern_link_get(&l, 0x01000000, back, 300), TERN_LINK_R_OK);
        const unsigned changed = (unsigned)(round + 1) * 37 % LINK_WORDS; /* by the step */
        if (changed < 300) back[changed] -= (uint32_t)round + 1;
        CHECK(memcmp(words, back, sizeof words[0] * 300) == 0);
        asked += 301;
    }
    CHECK(l.stats.repeats > 0);
    board.stop = 1;
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_EQ(board.core.n_log, asked); /* each once */
    tern_link_line_close(&board.line);
    CHECK_EQ(tern_link_get(&l, 0, back, 1), TERN_LINK_R_GONE); /* the emulated board has gone */
    CHECK_EQ(tern_link_get(&l, 0, back, 1), TERN_LINK_R_GONE);
    tern_link_line_close(&line);
    tern_link_line_close(&line);

    /* a pair of pipes' ends as a descriptor of the caller: stays open */
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK_EQ(tern_link_line_fd(&line, ends[0], text, sizeof text), 0);
    CHECK_EQ(line.io.read(line.io.ud, (uint8_t *)back, 4), 0);
    CHECK(write(ends[1], "abc", 3) == 3);
    CHECK_EQ(line.io.read(line.io.ud, (uint8_t *)back, 4), 3);
    tern_link_line_close(&line);
    CHECK(write(ends[1], "d", 1) == 1);
    CHECK(read(ends[0], back, 1) == 1);
    close(ends[1]);
    CHECK_EQ(tern_link_line_fd(&line, ends[0], text, sizeof text), 0);
    CHECK_EQ(line.io.read(line.io.ud, (uint8_t *)back, 4), -1);
    close(ends[0]);
    return tern_check_report("link_lines");
}
