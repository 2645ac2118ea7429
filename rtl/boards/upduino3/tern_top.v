// tern_top.v : UPduino 3 (iCE40 UP5K)
// SPDX-License-Identifier: Apache-2.0
//
// Function  the chip on the 12 MHz that the jumper OSC brings to pin 20, or on the PLL; serial port over the USB chip,
//           blue LED (lit by 0). The flash shares the serial pins: it is kept off
// Pins      upduino3.pcf. Numbers of tern_clock.vh are made by `tern synth` (docs/37-synthesis.md).
`default_nettype none

module tern_top (
  input  wire clk_i,   // 12 MHz
  input  wire rx_i,
  output wire tx_o,
  output wire led_n_o,
  output wire flash_cs_n_o
);
`include "tern_clock.vh"

  wire clk, locked;
  tern_pll_ice40 #(.PLL(PLL), .PAD(0), .DIVR(PLL_DIVR), .DIVF(PLL_DIVF), .DIVQ(PLL_DIVQ),
      .FILTER(PLL_FILTER)) u_clock (.clk_i(clk_i), .clk_o(clk), .locked_o(locked));
  wire unused_ecp5 = &{1'b0, PLL_CLKOP[0], PLL_CLKOS[0]};

  wire led;
  tern_chip #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_chip (.clk_i(clk), .ready_i(locked), .rx_i(rx_i), .tx_o(tx_o),
      .led_o(led));
  assign led_n_o = !led;
  assign flash_cs_n_o = 1'b1;
endmodule

`default_nettype wire
