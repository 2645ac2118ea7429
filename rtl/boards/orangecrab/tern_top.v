// tern_top.v : OrangeCrab r0.2 with LFE5U-25F
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the PLL, or on the 48 MHz crystal; serial port on the pins 0 (receives) and 1 (sends) of the
//           header, blue LED (lit by 0)
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
  tern_pll_ecp5 #(.PLL(PLL), .CRYSTAL("48"), .CLKOP(PLL_CLKOP), .CLKOS(PLL_CLKOS)) u_clock (.clk_i(clk_i), .clk_o(clk),
      .locked_o(locked));
  wire unused_ice40 = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER};

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led));
  assign led_n_o = !led;
endmodule

`default_nettype wire
