// tern_top.v : iCEBreaker 1.0 (iCE40 UP5K)
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the crystal, or on the PLL behind its pin; serial port of the USB chip, green LED (lit by 0)
// Pins      icebreaker.pcf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 12 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_n_o
);
`include "tern_clock.vh"

  wire clk;
  generate
    if (PLL != 0) begin : g_pll
      // f = 12 MHz (DIVF + 1) / ((DIVR + 1) 2^DIVQ)
      SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"), .PLLOUT_SELECT("GENCLK"), .DIVR(PLL_DIVR), .DIVF(PLL_DIVF), .DIVQ(PLL_DIVQ), .FILTER_RANGE(PLL_FILTER)
      ) u_pll (.PACKAGEPIN(clk_i), .PLLOUTGLOBAL(clk), .RESETB(1'b1), .BYPASS(1'b0));
      wire unused_ecp5 = &{1'b0, PLL_CLKOP[0], PLL_CLKOS[0]};
    end else begin : g_crystal
      assign clk = clk_i;
      wire unused_pll = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER, PLL_CLKOP[0], PLL_CLKOS[0]};
    end
  endgenerate

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .rx_i(rx_i), .tx_o(tx_o), .led_o(led));
  assign led_n_o = !led;
endmodule

`default_nettype wire
