/* tern_device.h : what `tern synth` knows of devices, boards and clocks (docs/37-synthesis.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_DEVICE_H
#define TERN_DEVICE_H
#include "tern_target.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A device, with the tools that make something for it. Words are those of one argument each; lists end with NULL. */
typedef struct tern_device {
    const char *name, *text;
    const char *cells_text, *rams_text, *dsps_text;
    uint32_t cells, rams, dsps;       /* limits, in the units of the report */
    const char *yosys;                /* synthesis command without top and output */
    const char *pnr, *pnr_package;    /* nextpnr-...; NULL: no place and route for it here */
    const char *pnr_device, *package; /* option that names the device; package without a board */
    const char *pack, *pack_package;  /* icepack, ecppack */
    const char *constraints;          /* option and extension: "pcf", "lpf"  */
    const char *routed, *bits;        /* extensions of the routed design and the bitstream */
    /* a second analysis of the routed design: icetime, and what brings its data of chips; NULL: none */
    const char *timing, *timing_package;
    const char *timing_device, *chip; /* its option, and the chip in the routed design */
} tern_device;

#define TERN_DEVICES 7u
extern const tern_device tern_devices[TERN_DEVICES];
#define TERN_DEVICE_CHOICES "up5k|hx8k|ecp5-25k|ecp5-45k|ecp5-85k|gw2a-18|xc7a35t"
const tern_device *tern_device_find(const char *name); /* NULL: unknown */

/* A board: the folder rtl/boards/NAME holds tern_NAME.v and NAME.pcf or NAME.lpf. */
typedef enum tern_pll { TERN_PLL_ICE40, TERN_PLL_ECP5 } tern_pll;
typedef struct tern_board {
    const char *name, *text, *device, *package, *speed;
    uint32_t crystal_hz;
    /* of the core without --freq; a divided crystal needs no PLL only if it is the crystal's own */
    uint32_t clock_hz;
    uint32_t baud;
    tern_pll pll;
    const char *flash; /* command that loads the bitstream, %s is its name */
} tern_board;

#define TERN_BOARDS 6u
extern const tern_board tern_boards[TERN_BOARDS];
#define TERN_BOARD_CHOICES "icebreaker|upduino3|hx8k-evn|ulx3s-85f|colorlight-i5|orangecrab"
const tern_board *tern_board_find(const char *name);

/* A clock: either the crystal's (pll false), or made by the PLL. */
typedef struct tern_clock {
    uint32_t hz; /* what the core gets, rounded to 1 Hz */
    bool pll;
    uint32_t divr, divf, divq, filter; /* iCE40: f = crystal (divf + 1) / ((divr + 1) 2^divq) */
    uint32_t clkop, clkos;             /* ECP5:  oscillator crystal clkop, f = oscillator / clkos */
} tern_clock;

/* The clock at most `hz`, and as near to it as the PLL can; false: none within 10 % below. hz equal to the crystal's
 * needs no PLL. */
bool tern_clock_make(tern_pll kind, uint32_t crystal_hz, double hz, tern_clock *out);

#ifdef __cplusplus
}
#endif
#endif /* TERN_DEVICE_H */
