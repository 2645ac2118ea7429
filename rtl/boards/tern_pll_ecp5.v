// tern_pll_ecp5.v : clock of an ECP5 board: its crystal, or a PLL
// SPDX-License-Identifier: Apache-2.0
//
// Function  the oscillator runs at the crystal's rate times CLKOP, 400 to 800 MHz; f is that divided by CLKOS. CPHASE:
//           edges at those of the crystal. The numbers are those of tern_clock.vh, which `tern synth` makes
//           (docs/37-synthesis.md)
`default_nettype none

module tern_pll_ecp5 #(
  // 0: the crystal as it is.
  parameter PLL = 0,
  // Rate of the crystal in MHz, as text, for the timing analysis.
  parameter CRYSTAL = "25",
  // Dividers, 1..128.
  parameter CLKOP = 1,
  parameter CLKOS = 1
) (
  input  wire clk_i,
  output wire clk_o,
  output wire locked_o // clk_o has its rate; not synchronous to it
);
  generate
    if (PLL != 0 && PLL != 1) begin : g_check_kind
      tern_pll_ecp5_error_PLL_is_not_0_or_1 u_error ();
    end
    if (CLKOP < 1 || CLKOP > 128 || CLKOS < 1 || CLKOS > 128) begin : g_check_dividers
      tern_pll_ecp5_error_CLKOP_or_CLKOS_is_not_1_to_128 u_error ();
    end
    if (PLL != 0) begin : g_pll
      wire loop; // of the crystal's rate
      (* FREQUENCY_PIN_CLKI=CRYSTAL *)
      EHXPLLL #(
        .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .CLKI_DIV(1), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(CLKOP),
        .CLKOP_CPHASE(CLKOP - 1), .CLKOP_FPHASE(0),
        .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(CLKOS), .CLKOS_CPHASE(CLKOS - 1), .CLKOS_FPHASE(0),
        .FEEDBK_PATH("CLKOP"), .CLKFB_DIV(1)
      ) u_pll (
        .RST(1'b0), .STDBY(1'b0), .CLKI(clk_i), .CLKOP(loop), .CLKOS(clk_o), .CLKFB(loop), .CLKINTFB(),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .LOCK(locked_o)
      );
    end else begin : g_crystal
      assign clk_o    = clk_i;
      assign locked_o = 1'b1;
    end
  endgenerate
endmodule

`default_nettype wire
