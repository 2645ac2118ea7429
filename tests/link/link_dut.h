/* link_dut.h : simulated hardware of the link behind a C interface
 * SPDX-License-Identifier: Apache-2.0
 *
 * link_dut.cpp wraps one Verilated tern_link (or, with LINK_DUT_BOARD, tern_board); it drives and watches the pins rx
 * and tx bit by bit.
 */
#ifndef LINK_DUT_H
#define LINK_DUT_H
#include "link_world.h"
#ifdef __cplusplus
extern "C" {
#endif

/* How the pins are driven. */
typedef struct link_pins {
    uint32_t clk_hz, baud; /* those of the design */
    int32_t offset;        /* the host's bits are longer by offset / 1000 */
    uint32_t glitches;     /* pulses of one clock on rx, in 1,000,000 byte times */
    uint32_t wait;         /* in 16: how often the host port is not ready although the core is idle */
    /* 1: a pulse of one clock on rx in every bit time, two of them never nearer than two fifths of it */
    uint32_t noise;
} link_pins;

typedef struct link_dut {
    /* core: the memory behind the host port; NULL for a board, which has its own. Registers start with random values.
     * NULL: no memory. */
    void *(*create)(const link_pins *pins, link_core *core, uint32_t random);
    void (*destroy)(void *dut);
    void (*tick)(void *dut, int byte); /* as link_target, which gets them from link_dut_target() */
    int (*take)(void *dut);
    void (*power)(void *dut, uint32_t random);
    int (*led)(void *dut);
    uint64_t (*clocks)(void *dut);
} link_dut;
link_target link_dut_target(const link_dut *dut, void *object);

#ifdef __cplusplus
}
#endif
#endif /* LINK_DUT_H */
