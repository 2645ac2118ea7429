/* rv32.c : RV32IMC as QEMU's machine `virt` has it: memory at 0x80000000, a 16550 for text, a device that ends the run
 * SPDX-License-Identifier: Apache-2.0
 *
 * The clock is the counter of retired instructions.
 */
#include "board.h"

#define UART ((volatile uint8_t *)0x10000000u)
#define TEST ((volatile uint32_t *)0x00100000u)
extern uint32_t bss_begin[], bss_end[];
int main(void);

__attribute__((naked, noreturn, section(".start"), used)) void start(void)
{
    __asm__ volatile(".option push\n"
                     ".option norelax\n"
                     "la gp, __global_pointer$\n"
                     ".option pop\n"
                     ".option push\n"
                     "la sp, stack_top\n"
                     /* control registers are an extension by name, which the name of the libraries leaves out */
                     ".option arch, +zicsr\n"
                     "la t0, trap\n"
                     "csrw mtvec, t0\n"
                     ".option pop\n"
                     "j begin\n");
}

__attribute__((noreturn, used)) void begin(void)
{
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    main();
    for (;;) {}
}

__attribute__((noreturn, used, aligned(4))) void trap(void)
{
    board_put("failed: trap\n");
    board_exit(2);
    for (;;) {}
}

void board_start(void) {}

void board_put(const char *text)
{
    for (; *text != 0; ++text) {
        while ((UART[5] & 0x20) == 0) {} /* transmitter empty */
        UART[0] = (uint8_t)*text;
    }
}

uint64_t board_ticks(void)
{
    uint32_t high, low, again;
    do {
        __asm__ volatile(
            ".option push\n.option arch, +zicsr\ncsrr %0, minstreth\ncsrr %1, minstret\ncsrr %2, minstreth\n.option pop"
            : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

void board_exit(int status)
{
    *TEST = status == 0 ? 0x5555u : (uint32_t)status << 16 | 0x3333u;
    for (;;) {}
}
