/* tern_board_dut.h : a whole board in simulation, bytes at its pins, behind a C interface
 * SPDX-License-Identifier: Apache-2.0
 *
 * One Verilated tern_board is wrapped by tern_board_dut.cpp, compiled once per set of capacities. The line runs at a
 * quarter of the clock, the fastest that the board can.
 */
#ifndef TERN_BOARD_DUT_H
#define TERN_BOARD_DUT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_BOARD_ABI = 1 };

typedef struct tern_board_dut {
    int abi; /* TERN_BOARD_ABI */
    /* power-up: memories and registers start with random contents; NULL: no memory */
    void *(*create)(uint64_t random_seed);
    void (*destroy)(void *board);
    void (*put)(void *board, const uint8_t *bytes, size_t n); /* sends to rx, one after the other */
    size_t (*take)(void *board, uint8_t *bytes, size_t max);  /* what has come from tx */
    /* Runs `clocks` clocks, or fewer if there is nothing left to do: no byte on its way, link and core idle. 0: that,
     * 1: there is more to do, 2: a check inside the design has failed. */
    int (*run)(void *board, uint64_t clocks);
    uint64_t (*clocks)(void *board); /* since power-up */
} tern_board_dut;

#ifdef __cplusplus
}
#endif
#endif /* TERN_BOARD_DUT_H */
