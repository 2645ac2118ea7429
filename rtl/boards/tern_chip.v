// tern_chip.v : tern_board with the capacities of one network; what the tops of all boards hold
// SPDX-License-Identifier: Apache-2.0
//
// Function  passes the numbers of tern_network.vh on. That file is made by `tern synth` (docs/37-synthesis.md): it
//           includes NAME.vh, the capacities that `tern compile` and `tern synth` write for a network
//           (docs/11-commands.md, section 2).
`default_nettype none

module tern_chip #(
  // Clock in Hz; bits per second, at most CLK_HZ / 4; log2 of the bytes of each of the link's buffers, 9..12.
  parameter CLK_HZ    = 12000000,
  parameter BAUD      = 115200,
  parameter BUFFER_AW = 9
) (
  input  wire clk_i,
  input  wire ready_i, // the clock has its rate (PLL locked)
  input  wire rx_i,    // wants a pull-up
  output wire tx_o,
  output wire led_o
);
`include "tern_network.vh"

  tern_board #(
    .CLK_HZ(CLK_HZ), .BAUD(BAUD), .BUFFER_AW(BUFFER_AW),
    .LANES(LANES), .WEIGHT_W(WEIGHT_W), .SAMPLES(SAMPLES), .NEURONS(NEURONS), .PAIRS(PAIRS), .ERRORS(ERRORS),
    .TAPS_D(TAPS_D), .LAGS_W(LAGS_W), .HIST_W(HIST_W),
    .FILTERS(FILTERS), .ROWS(ROWS), .WORDS(WORDS), .HIST_WORDS(HIST_WORDS), .TARGETS(TARGETS), .X_W(X_W),
    .KERNEL_W(KERNEL_W), .DELTA_W(DELTA_W), .ACC_W(ACC_W),
    .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .INDEX_W(INDEX_W), .SIGNALS(SIGNALS), .BASELINES(BASELINES),
    .WTA(WTA), .CLASSES(CLASSES), .KERNELS(KERNELS), .WAYS(WAYS), .WAY_WORDS(WAY_WORDS), .PREP(PREP), .SKIP(SKIP),
    .SMALL(SMALL)
  ) u_board (.clk_i(clk_i), .ready_i(ready_i), .rx_i(rx_i), .tx_o(tx_o), .led_o(led_o));

  wire unused_layout = &{1'b0, LOAD_WRITES, LAYOUT_HASH};
endmodule

`default_nettype wire
