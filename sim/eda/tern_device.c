/* tern_device.c : tables of devices and boards, settings of their PLLs
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_device.h"
#include <math.h>
#include <string.h>

/* Numbers of the last two: Gowin DS102 (GW2A-18: 20,736 LUT4, 46 BSRAM of 18 Kbit, 48 multipliers 18 x 18), Xilinx
 * DS180 (XC7A35T: 20,800 LUT6, 50 blocks of 36 Kbit which are 100 of 18 Kbit, 90 DSP slices). */
/* clang-format off */
const tern_device tern_devices[TERN_DEVICES] = {
    { "up5k", "iCE40 UltraPlus UP5K", "logic cells", "block RAMs of 4,096 bits", "multipliers 16 x 16", 5280, 30, 8,
      "synth_ice40 -device u -dsp -spram -abc9", "nextpnr-ice40",
      "nextpnr-ice40", "--up5k", "sg48", "icepack", "fpga-icestorm", "pcf", "asc", "bin", "icetime",
      "fpga-icestorm-chipdb", "up5k", "5k" },
    { "hx8k", "iCE40 HX8K", "logic cells", "block RAMs of 4,096 bits", "multipliers", 7680, 32, 0,
      "synth_ice40 -device hx", "nextpnr-ice40",
      "nextpnr-ice40", "--hx8k", "ct256", "icepack", "fpga-icestorm", "pcf", "asc", "bin", "icetime",
      "fpga-icestorm-chipdb", "hx8k", "8k" },
    { "ecp5-25k", "ECP5 LFE5U-25F", "LUT4", "block RAMs of 18,432 bits", "multipliers 18 x 18", 24288, 56, 28,
      "synth_ecp5", "nextpnr-ecp5",
      "nextpnr-ecp5", "--25k", "CABGA381", "ecppack", "fpga-trellis", "lpf", "config", "bit", NULL, NULL, NULL, NULL },
    { "ecp5-45k", "ECP5 LFE5U-45F", "LUT4", "block RAMs of 18,432 bits", "multipliers 18 x 18", 43848, 108, 72,
      "synth_ecp5", "nextpnr-ecp5",
      "nextpnr-ecp5", "--45k", "CABGA381", "ecppack", "fpga-trellis", "lpf", "config", "bit", NULL, NULL, NULL, NULL },
    { "ecp5-85k", "ECP5 LFE5U-85F", "LUT4", "block RAMs of 18,432 bits", "multipliers 18 x 18", 83640, 208, 156,
      "synth_ecp5", "nextpnr-ecp5",
      "nextpnr-ecp5", "--85k", "CABGA381", "ecppack", "fpga-trellis", "lpf", "config", "bit", NULL, NULL, NULL, NULL },
    { "gw2a-18", "Gowin GW2A-18", "LUT4 (from the netlist)", "block RAMs of 18,432 bits", "multipliers 18 x 18", 20736,
      46, 48, "synth_gowin", NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL },
    { "xc7a35t", "Xilinx Artix-7 XC7A35T", "LUT6 (from the netlist)", "block RAMs of 18,432 bits", "DSP48E1", 20800,
      100, 90, "synth_xilinx -family xc7 -flatten", NULL, NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

const tern_device *tern_device_find(const char *name)
{
    for (size_t i = 0; i < TERN_DEVICES; ++i)
        if (strcmp(tern_devices[i].name, name) == 0) return &tern_devices[i];
    return NULL;
}

/* clang-format off */
const tern_board tern_boards[TERN_BOARDS] = {
    { "icebreaker", "iCEBreaker 1.0", "up5k", "sg48", NULL, 12000000, 12000000, 115200, TERN_PLL_ICE40, "iceprog %s" },
    { "upduino3", "UPduino 3", "up5k", "sg48", NULL, 12000000, 12000000, 115200, TERN_PLL_ICE40, "iceprog %s" },
    { "hx8k-evn", "iCE40-HX8K-B-EVN", "hx8k", "ct256", NULL, 12000000, 12000000, 115200, TERN_PLL_ICE40,
      "iceprog -S %s" },
    { "ulx3s-85f", "ULX3S with LFE5U-85F", "ecp5-85k", "CABGA381", "6", 25000000, 25000000, 115200, TERN_PLL_ECP5,
      "openFPGALoader -b ulx3s %s" },
    { "colorlight-i5", "Colorlight i5 7.0 on its extension board", "ecp5-25k", "CABGA381", "6", 25000000, 25000000,
      115200, TERN_PLL_ECP5, "openFPGALoader -b colorlight-i5 %s" },
    { "orangecrab", "OrangeCrab r0.2 with LFE5U-25F", "ecp5-25k", "CSFBGA285", "8", 48000000, 24000000, 115200,
      TERN_PLL_ECP5, "dfu-util -D %s" },
};
/* clang-format on */

const tern_board *tern_board_find(const char *name)
{
    for (size_t i = 0; i < TERN_BOARDS; ++i)
        if (strcmp(tern_boards[i].name, name) == 0) return &tern_boards[i];
    return NULL;
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static const double BELOW = 0.10, HALF_HZ = 0.5;

static bool better(double f, double wanted, double best)
{
    return f <= wanted + HALF_HZ && f >= wanted * (1.0 - BELOW) && f > best;
}

/* Lattice FPGA-TN-02052: phase detector 10..133 MHz, oscillator 533..1066 MHz, output 16..275 MHz. The loop filter goes
 * with the phase detector's rate; its ranges are those that icepll of Project IceStorm uses. */
static bool ice40_clock(double crystal, double wanted, tern_clock *out)
{
    static const double range[] = { 17e6, 26e6, 44e6, 66e6, 101e6 };
    double best = 0;
    for (uint32_t r = 0; r <= 15; ++r) {
        const double pfd = crystal / (r + 1.0);
        if (pfd < 10e6 || pfd > 133e6) continue;
        for (uint32_t f = 0; f <= 127; ++f) { /* with SIMPLE feedback; other kinds end at 63 */
            const double vco = pfd * (f + 1.0);
            if (vco < 533e6 || vco > 1066e6) continue;
            for (uint32_t q = 1; q <= 6; ++q) {
                const double made = vco / (double)(1u << q);
                if (made < 16e6 || made > 275e6 || !better(made, wanted, best)) continue;
                best = made;
                uint32_t filter = 0;
                while (filter < sizeof range / sizeof range[0] && pfd >= range[filter]) ++filter;
                *out = (tern_clock){
                    .hz = (uint32_t)(made + 0.5), .pll = true, .divr = r, .divf = f, .divq = q, .filter = filter + 1u
                };
            }
        }
    }
    return best > 0;
}

/* Lattice FPGA-DS-02012: oscillator 400..800 MHz, output 3.125..400 MHz, dividers 1..128. The loop is closed over
 * CLKOP, which has the crystal's rate; the core gets CLKOS. */
static bool ecp5_clock(double crystal, double wanted, tern_clock *out)
{
    double best = 0;
    for (uint32_t op = 1; op <= 128; ++op) {
        const double vco = crystal * op;
        if (vco < 400e6 || vco > 800e6) continue;
        for (uint32_t os = 1; os <= 128; ++os) {
            const double made = vco / os;
            if (made < 3.125e6 || made > 400e6 || !better(made, wanted, best)) continue;
            best = made;
            *out = (tern_clock){ .hz = (uint32_t)(made + 0.5), .pll = true, .clkop = op, .clkos = os };
        }
    }
    return best > 0;
}

bool tern_clock_make(tern_pll kind, uint32_t crystal_hz, double hz, tern_clock *out)
{
    if (fabs(hz - crystal_hz) < 1.0) {
        *out = (tern_clock){ .hz = crystal_hz };
        return true;
    }
    return kind == TERN_PLL_ICE40 ? ice40_clock(crystal_hz, hz, out) : ecp5_clock(crystal_hz, hz, out);
}
