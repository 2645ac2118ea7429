// tern_top.v : Colorlight i5 7.0 on the extension board of Muse Lab
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the 25 MHz crystal, or on the PLL; serial port of the extension board, the module's LED (lit by
//           0)
// Pins      colorlight-i5.lpf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 25 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_n_o
);
`include "tern_clock.vh"

  wire clk, locked;
  tern_pll_ecp5 #(.PLL(PLL), .CRYSTAL("25"), .CLKOP(PLL_CLKOP), .CLKOS(PLL_CLKOS)) u_clock (.clk_i(clk_i), .clk_o(clk),
      .locked_o(locked));
  wire unused_ice40 = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER};

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led));
  assign led_n_o = !led;
endmodule

`default_nettype wire
