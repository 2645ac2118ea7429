/* board.h : what learn.c needs of a board
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BOARD_H
#define BOARD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unit of board_ticks(), for people. */
#ifndef BOARD_TICKS
#define BOARD_TICKS "ticks"
#endif

void board_start(void);
/* Text, to a serial line or a debugger. */
void board_put(const char *text);
/* A clock that runs on; 0 always: there is none. */
uint64_t board_ticks(void);
/* Appends bytes to a place that survives a loss of power (here: an array); false: it is full. */
bool board_keep(const uint8_t *bytes, size_t n);
const uint8_t *board_kept(size_t *out_n);
void board_exit(int status);

#endif /* BOARD_H */
