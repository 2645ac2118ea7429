// tern_top.v : OrangeCrab r0.2 with LFE5U-25F
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the PLL, or on the 48 MHz crystal; serial port on the pins 0 (receives) and 1 (sends) of the header, blue LED (lit by 0)
// Pins      orangecrab.lpf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 48 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_n_o
);
`include "tern_clock.vh"

  wire clk, locked;
  generate
    if (PLL != 0) begin : g_pll
      // the oscillator runs at 48 MHz CLKOP, 400 to 800 MHz; f is that divided by CLKOS. CPHASE: edges at those of the crystal
      wire loop; // of the crystal's rate
      (* FREQUENCY_PIN_CLKI="48" *)
      EHXPLLL #(
        .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .CLKI_DIV(1), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(PLL_CLKOP), .CLKOP_CPHASE(PLL_CLKOP - 1), .CLKOP_FPHASE(0),
        .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(PLL_CLKOS), .CLKOS_CPHASE(PLL_CLKOS - 1), .CLKOS_FPHASE(0),
        .FEEDBK_PATH("CLKOP"), .CLKFB_DIV(1)
      ) u_pll (
        .RST(1'b0), .STDBY(1'b0), .CLKI(clk_i), .CLKOP(loop), .CLKOS(clk), .CLKFB(loop), .CLKINTFB(), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .LOCK(locked)
      );
      wire unused_ice40 = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER};
    end else begin : g_crystal
      assign clk = clk_i;
      assign locked = 1'b1;
      wire unused_pll = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER, PLL_CLKOP[0], PLL_CLKOS[0]};
    end
  endgenerate
  wire unused_locked = &{1'b0, locked}; // until then the clock is slower than wanted, and nobody talks to the board

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .rx_i(rx_i), .tx_o(tx_o), .led_o(led));
  assign led_n_o = !led;
endmodule

`default_nettype wire
