/* host.c : a computer as the board, to compare with
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include "board.h"

void board_start(void) {}
void board_put(const char *text) { fputs(text, stdout); }
uint64_t board_ticks(void) { return 0; }
void board_exit(int status) { exit(fflush(stdout) == 0 ? status : 1); }
