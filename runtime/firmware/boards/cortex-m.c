/* cortex-m.c : ARM Cortex-M as QEMU's mps2 machines have it: memory at 0 and 0x20000000, text through semihosting
 * SPDX-License-Identifier: Apache-2.0
 *
 * The clock is SysTick, 25 MHz in these machines. With QEMU's -icount shift=0 an instruction takes 1 ns, so a tick of
 * 40 ns is 40 instructions.
 */
#include "board.h"

extern uint32_t image_data[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
int main(void);

/* ---- start ------------------------------------------------------------------------------------------------------ */
__attribute__((noreturn)) void reset_handler(void)
{
    for (uint32_t *to = data_begin, *from = image_data; to < data_end;) *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;) *to++ = 0;
    main();
    for (;;) {}
}

__attribute__((noreturn)) void fault_handler(void)
{
    board_put("failed: fault\n");
    board_exit(2);
    for (;;) {}
}

static uint32_t overflows; /* of the 24 bits of SysTick */
void systick_handler(void) { ++overflows; }

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top,
    reset_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    NULL,
    NULL,
    NULL,
    NULL,
    fault_handler,
    fault_handler,
    NULL,
    fault_handler,
    systick_handler,
};

/* ---- semihosting: a breakpoint that a debugger, or QEMU, answers ------------------------------------------------- */
static int32_t ask(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}

void board_put(const char *text) { ask(0x04, text); } /* SYS_WRITE0 */

void board_exit(int status)
{
    const uint32_t block[2] = { 0x20026u, (uint32_t)status }; /* ADP_Stopped_ApplicationExit */
    ask(0x20, block);                                         /* SYS_EXIT_EXTENDED */
}

/* ---- clock ------------------------------------------------------------------------------------------------------- */
#define SYSTICK ((volatile uint32_t *)0xe000e010u) /* control, reload, value */
enum { RELOAD = 0xffffff };

void board_start(void)
{
    SYSTICK[1] = RELOAD;
    SYSTICK[2] = 0;
    SYSTICK[0] = 7; /* on, with interrupt, processor clock */
}

uint64_t board_ticks(void)
{
    uint32_t high, low;
    do {
        high = *(volatile uint32_t *)&overflows;
        low = RELOAD - SYSTICK[2];
    } while (high != *(volatile uint32_t *)&overflows);
    return (((uint64_t)high * (RELOAD + UINT64_C(1))) + low) * 40u; /* instructions under -icount shift=0 */
}
