// tern_top.v : ULX3S with LFE5U-85F
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the 25 MHz crystal, or on the PLL; serial port of the USB chip (US1), LED 0. wifi_gpio0 high
//           keeps the ESP32 from loading something else
// Pins      ulx3s-85f.lpf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 25 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_o,
  output wire wifi_gpio0_o
);
`include "tern_clock.vh"

  wire clk, locked;
  tern_pll_ecp5 #(.PLL(PLL), .CRYSTAL("25"), .CLKOP(PLL_CLKOP), .CLKOS(PLL_CLKOS)) u_clock (.clk_i(clk_i), .clk_o(clk),
      .locked_o(locked));
  wire unused_ice40 = &{1'b0, PLL_DIVR, PLL_DIVF, PLL_DIVQ, PLL_FILTER};

  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led_o));
  assign wifi_gpio0_o = 1'b1;
endmodule

`default_nettype wire
