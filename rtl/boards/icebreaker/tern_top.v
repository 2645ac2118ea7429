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

  wire clk, locked;
  tern_pll_ice40 #(.PLL(PLL), .PAD(1), .DIVR(PLL_DIVR), .DIVF(PLL_DIVF), .DIVQ(PLL_DIVQ),
      .FILTER(PLL_FILTER)) u_clock (.clk_i(clk_i), .clk_o(clk), .locked_o(locked));
  wire unused_ecp5 = &{1'b0, PLL_CLKOP[0], PLL_CLKOS[0]};

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led));
  assign led_n_o = !led;
endmodule

`default_nettype wire
