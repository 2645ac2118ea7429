// tern_top.v : iCE40-HX8K-B-EVN, the breakout board
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the 12 MHz of the USB chip, or on the PLL; serial port of the USB chip, LED D9
// Pins      hx8k-evn.pcf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 12 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_o
);
`include "tern_clock.vh"

  wire clk, locked;
  tern_pll_ice40 #(.PLL(PLL), .PAD(0), .DIVR(PLL_DIVR), .DIVF(PLL_DIVF), .DIVQ(PLL_DIVQ),
      .FILTER(PLL_FILTER)) u_clock (.clk_i(clk_i), .clk_o(clk), .locked_o(locked));
  wire unused_ecp5 = &{1'b0, PLL_CLKOP[0], PLL_CLKOS[0]};

  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led_o));
endmodule

`default_nettype wire
