/* test_tern_synth.c : clocks, tables, and what is read from the tools' reports
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_synth SOURCE WORK
 */
#include <math.h>
#include <string.h>
#include "tern_logic.h"
#include "tern_check.h"
#include "tern_synth.h"

static const char *work;

static const char *text_file(const char *name, const char *text)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/synth_%s", work, name);
    FILE *f = fopen(path, "w");
    CHECK_EQ(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, true);
    return path;
}

/* Every clock that is made keeps the rules of its PLL, is not above what was asked for, and nothing better exists among
 * rates nearby. */
static void test_clocks(void)
{
    tern_clock c;
    unsigned made = 0;
    for (double mhz = 0.5; mhz < 420; mhz *= 1.03) {
        if (tern_clock_make(TERN_PLL_ICE40, 12000000, mhz * 1e6, &c)) {
            ++made;
            const double f = 12e6 * (c.divf + 1.0) / ((c.divr + 1.0) * (double)(1u << c.divq)),
                         vco = f * (double)(1u << c.divq);
            CHECK_EQ(c.pll && vco >= 533e6 && vco <= 1066e6 && c.divf <= 127 && c.divr <= 15 && c.divq >= 1 &&
                         c.divq <= 6,
                     true);
            CHECK_EQ(c.filter, 1); /* 12 MHz at the phase detector */
            CHECK_EQ(fabs(f - c.hz) <= 0.5 && f <= mhz * 1e6 + 0.5 && f >= 0.9 * mhz * 1e6, true);
        } else CHECK_EQ(mhz < 17 || mhz > 275, true);
        if (tern_clock_make(TERN_PLL_ECP5, 25000000, mhz * 1e6, &c)) {
            const double vco = 25e6 * c.clkop, f = vco / c.clkos;
            CHECK_EQ(c.pll && vco >= 400e6 && vco <= 800e6 && c.clkos <= 128, true);
            CHECK_EQ(fabs(f - c.hz) <= 0.5 && f <= mhz * 1e6 + 0.5 && f >= 0.9 * mhz * 1e6, true);
        } else CHECK_EQ(mhz < 3.2 || mhz > 400, true);
    }
    CHECK_EQ(made > 20, true);
    CHECK_EQ(tern_clock_make(TERN_PLL_ICE40, 12000000, 12e6, &c), true);
    CHECK_EQ(c.pll, false);
    CHECK_EQ(c.hz, 12000000);
    CHECK_EQ(tern_clock_make(TERN_PLL_ICE40, 12000000, 24e6, &c), true);
    CHECK_EQ(c.hz, 24000000);
    CHECK_EQ(c.divf, 63);
    CHECK_EQ(c.divq, 5);
    CHECK_EQ(tern_clock_make(TERN_PLL_ECP5, 48000000, 24e6, &c), true);
    CHECK_EQ(c.hz, 24000000);
}

/* Devices are those of the planner, boards have their files, choices list both. */
static void test_tables(const char *source)
{
    char choices[256] = "", path[512];
    for (size_t i = 0; i < TERN_DEVICES; ++i) {
        const tern_device *d = &tern_devices[i];
        const tern_target *t = tern_target_find(d->name);
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i > 0 ? "|" : "", d->name);
        CHECK_EQ(tern_device_find(d->name) == d, true);
        CHECK_EQ((t != NULL) == (d->pnr != NULL), true);
        if (t == NULL) continue;
        CHECK_EQ(d->cells, t->cells);
        CHECK_EQ(d->rams, t->rams);
        CHECK_EQ(d->dsps, t->dsps);
    }
    CHECK_STR(choices, TERN_DEVICE_CHOICES);
    choices[0] = 0;
    for (size_t i = 0; i < TERN_BOARDS; ++i) {
        const tern_board *b = &tern_boards[i];
        const tern_device *d = tern_device_find(b->device);
        tern_clock c;
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i > 0 ? "|" : "", b->name);
        CHECK_EQ(tern_board_find(b->name) == b, true);
        CHECK_EQ(d != NULL && d->pnr != NULL && strstr(b->flash, "%s") != NULL, true);
        CHECK_EQ(tern_clock_make(b->pll, b->crystal_hz, b->clock_hz, &c), true);
        CHECK_EQ(b->baud * 4u <= c.hz, true);
        const char *const files[] = { "tern_top.v", d->constraints };
        for (unsigned k = 0; k < 2; ++k) {
            snprintf(path, sizeof path, k == 0 ? "%s/rtl/boards/%s/%s" : "%s/rtl/boards/%s/%s.%s", source, b->name,
                     k == 0 ? files[0] : b->name, files[1]);
            FILE *f = fopen(path, "r");
            CHECK_EQ(f != NULL, true);
            if (f != NULL) fclose(f);
        }
    }
    CHECK_STR(choices, TERN_BOARD_CHOICES);
}

static void test_readers(void)
{
    tern_synth_netlist n;
    tern_synth_result r;
    const tern_device *ice = tern_device_find("hx8k"), *ecp5 = tern_device_find("ecp5-25k"),
                      *gowin = tern_device_find("gw2a-18"), *xc7 = tern_device_find("xc7a35t");
    CHECK_EQ(tern_synth_read_stat(
                 text_file("stat", "{\"creator\": \"Yosys\", \"design\": {\"num_cells\": 9, \"num_cells_by_type\": "
                                   "{\"SB_LUT4\": 100, \"SB_DFFESR\": 7, \"SB_DFF\": 5, \"SB_RAM40_4K\": 3, "
                                   "\"SB_RAM40_4KNW\": 1, \"SB_MAC16\": 2, \"SB_CARRY\": 11, \"$_DLATCH_P_\": 1}}}"),
                 ice, &n),
             true);
    CHECK_EQ(n.luts, 100);
    CHECK_EQ(n.flip_flops, 12);
    CHECK_EQ(n.block_rams, 4);
    CHECK_EQ(n.multipliers, 2);
    CHECK_EQ(n.carries, 11);
    CHECK_EQ(n.latches, 1);
    CHECK_EQ(tern_synth_read_stat(
                 text_file("stat", "{\"design\": {\"num_cells_by_type\": {\"LUT4\": 10, \"TRELLIS_DPR16X4\": 6, "
                                   "\"DP16KD\": 3, \"PDPW16KD\": 2, \"MULT18X18D\": 4, \"TRELLIS_FF\": 8}}}"),
                 ecp5, &n),
             true);
    CHECK_EQ(n.block_rams, 5);
    CHECK_EQ(n.lut_rams, 6);
    CHECK_EQ(tern_synth_read_stat(
                 text_file("stat", "{\"design\": {\"num_cells_by_type\": {\"RAMB36E1\": 3, \"RAMB18E1\": 1, \"LUT6\": "
                                   "5, \"LUT2\": 1, \"DSP48E1\": 7, \"FDRE\": 4, \"RAM64M\": 2}}}"),
                 xc7, &n),
             true);
    CHECK_EQ(n.block_rams, 7);
    CHECK_EQ(n.luts, 6);
    CHECK_EQ(n.lut_rams, 2);
    CHECK_EQ(
        tern_synth_read_stat(
            text_file("stat", "{\"design\": {\"num_cells_by_type\": {\"SDPX9B\": 1, \"SDPB\": 1, \"DPX9\": 2, "
                              "\"LUT4\": 5, \"MUX2_LUT5\": 9, \"DFFRE\": 4, \"RAM16SDP4\": 2, \"MULT18X18\": 2}}}"),
            gowin, &n),
        true);
    CHECK_EQ(n.block_rams, 4);
    CHECK_EQ(n.luts, 5);
    CHECK_EQ(n.multipliers, 2);
    CHECK_EQ(tern_synth_read_stat(text_file("stat", "{}"), ice, &n), false);
    CHECK_EQ(tern_synth_read_stat(text_file("stat", "{\"design\": {\"num_cells_by_type\": 4}}"), ice, &n), false);
    CHECK_EQ(tern_synth_read_stat("nothing.json", ice, &n), false);

    memset(&r, 0, sizeof r);
    CHECK_EQ(tern_synth_read_use(text_file("log",
                                           "Info: Packing..\nInfo: Device utilisation:\nInfo: \t         ICESTORM_LC: "
                                           "14889/ 7680   193%\nInfo: \t        ICESTORM_RAM:    29/   32    90%\n"
                                           "Info: \t        ICESTORM_DSP:     6/    8    75%\n"),
                                 ice, &r),
             true);
    CHECK_EQ(r.cells, 14889);
    CHECK_EQ(r.rams, 29);
    CHECK_EQ(r.dsps, 6);
    CHECK_EQ(
        tern_synth_read_use(text_file("log", "Info: \t       TRELLIS_SLICE:  5000/12144    41%\nInfo: \t          "
                                             "DP16KD:     5/   56     8%\nInfo: \t          MULT18X18D:     6/   28\n"),
                            ecp5, &r),
        true);
    CHECK_EQ(r.cells, 10000);
    CHECK_EQ(r.rams, 5);
    CHECK_EQ(r.dsps, 6);
    CHECK_EQ(tern_synth_read_use(text_file("log", "Info: \t        TRELLIS_COMB: 11781/24288    48%\n"), ecp5, &r),
             true);
    CHECK_EQ(r.cells, 11781);
    CHECK_EQ(r.rams, 0);
    CHECK_EQ(tern_synth_read_use(text_file("log", "ICESTORM_LC: is packed\nERROR: no\n"), ice, &r), false);
    CHECK_EQ(tern_synth_read_use("nothing.log", ice, &r), false);

    CHECK_EQ((int)(100 * tern_synth_read_fmax(
                             text_file("fmax", "{\"fmax\": {\"clk\": {\"achieved\": 31.25, \"constraint\": 12.0}, "
                                               "\"other\": {\"achieved\": 200.5, \"constraint\": 12.0}}}"))),
             3125);
    CHECK_EQ(tern_synth_read_fmax(text_file("fmax", "{\"fmax\": {}}")) > 0, false);
    CHECK_EQ(tern_synth_read_fmax("nothing.json") > 0, false);

    CHECK_EQ(
        (int)(100 * tern_synth_read_icetime(text_file(
                        "icetime", "x\nTotal number of logic levels: 40\nTotal path delay: 39.73 ns (25.17 MHz)\n")) +
              0.5),
        2517);
    CHECK_EQ(tern_synth_read_icetime(text_file("icetime", "Total path delay: 39.73 ns\n")) > 0, false);
    CHECK_EQ(tern_synth_read_icetime(text_file("icetime", "Total path delay: 39.73 ns (no MHz)\n")) > 0, false);
    CHECK_EQ(tern_synth_read_icetime("nothing.rpt") > 0, false);
}

/* The slower of two analyses counts; what is advised is never faster than what was reached, and a clock that the board
 * can have. */
static void test_timing(void)
{
    CHECK(fabs(tern_synth_judge(1, 24.75, 24.34).mhz - 24.34) < 1e-9);
    CHECK(fabs(tern_synth_judge(1, 24.75, 24.34).placed_mhz - 24.75) < 1e-9);
    CHECK(fabs(tern_synth_judge(1, 24.34, 24.75).mhz - 24.34) < 1e-9);
    CHECK(fabs(tern_synth_judge(1, 24.75, 0).mhz - 24.75) < 1e-9); /* a device without a second analysis */
    const tern_board *ice = tern_board_find("icebreaker"), *ecp5 = tern_board_find("ulx3s-85f");
    CHECK(fabs(tern_synth_reached(ice, 24.34) - 24.3) < 1e-9);
    CHECK(fabs(tern_synth_reached(ice, 24.78) - 24.7) < 1e-9);
    CHECK(fabs(tern_synth_reached(ice, 14.9) - 12.0) < 1e-9); /* no PLL makes less than 16 MHz */
    CHECK(tern_synth_reached(ice, 11.9) <= 0);
    CHECK(fabs(tern_synth_reached(ecp5, 37.75) - 37.7) < 1e-9);
}

/* More of anything takes more cells; a device without multipliers needs more than one that has some. */
static void test_logic(void)
{
    const tern_capacity base = { .lanes = 4,
                                 .weight_w = 16,
                                 .samples = 4,
                                 .neurons = 3,
                                 .pairs = 12,
                                 .errors = 84,
                                 .taps_d = 6,
                                 .lags_w = 7,
                                 .hist_w = 13,
                                 .filters = 1,
                                 .rows = 6,
                                 .words = 4,
                                 .hist_words = 9,
                                 .targets = 1,
                                 .x_w = 10,
                                 .kernel_w = 22,
                                 .delta_w = 27,
                                 .acc_w = 29,
                                 .dither_min = 13,
                                 .dither_max = 13,
                                 .index_w = 5,
                                 .classes = 1,
                                 .ways = 1,
                                 .way_words = 1,
                                 .prep = 1 };
    const char *const names[] = { "up5k", "hx8k", "ecp5-25k", "ecp5-85k" };
    for (unsigned i = 0; i < 4; ++i) {
        const tern_target *t = tern_target_find(names[i]);
        const uint64_t cells = tern_logic_cells(t, &base);
        tern_capacity more = base;
        more.lanes = 8;
        CHECK_EQ(tern_logic_cells(t, &more) > cells, true);
        more = base;
        more.ways = 2;
        more.way_words = 9;
        CHECK_EQ(tern_logic_cells(t, &more) > cells, true);
        more = base;
        more.hist_w = 30;
        more.lags_w = 24;
        CHECK_EQ(tern_logic_cells(t, &more) > cells, true);
        more = base;
        more.kernel_w += 6;
        more.delta_w += 6;
        CHECK_EQ(tern_logic_cells(t, &more) > cells, true);
        CHECK_EQ(tern_logic_error(t->family, &base) > 0, true);
        more = base; /* the small core */
        more.small = TERN_CORE_KIND_SMALL_RAM;
        more.lanes = 1;
        const uint64_t small = tern_logic_cells(t, &more);
        CHECK_EQ(small > 1000 && small < cells, true);
        more.lanes = 2;
        CHECK_EQ(tern_logic_cells(t, &more) > small, true);
        CHECK_EQ(tern_logic_error(t->family, &more) > 0, true);
    }
    CHECK_EQ(tern_logic_cells(tern_target_find("hx8k"), &base) > tern_logic_cells(tern_target_find("up5k"), &base),
             true);
    CHECK_EQ(tern_logic_cells(tern_target_find("ecp5-25k"), &base),
             tern_logic_cells(tern_target_find("ecp5-85k"), &base));
    CHECK_EQ(tern_logic_cells(tern_target_find("sim"), &base), 0);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    work = argv[2];
    test_clocks();
    test_tables(argv[1]);
    test_readers();
    test_timing();
    test_logic();
    return tern_check_report("synth.tables");
}
