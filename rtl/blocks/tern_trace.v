// tern_trace.v : pre-synaptic trace from a spike history
// SPDX-License-Identifier: Apache-2.0
//
// Function  x = sum of a[tau] over tau = 1..D with s(t-lag-tau) = 1; bit tau-1 of bits_i is s(t-lag-tau)          [N-1]
// C model   runtime/blocks/tern_trace.c, tern_trace()
// Latency   3 cycles, 1 result per cycle
// Numerics  taps u1.XF, x u.XF, exact
`default_nettype none

module tern_trace #(
  // Taps, D capacity, 1..32.
  parameter TAPS_D = 10,
  // Width of a tap: 1 + XF capacity, 5..9.
  parameter TAP_W  = 9,
  // Width of x; sum of the taps must fit.
  parameter X_W    = 13
) (
  input  wire                    clk_i,
  // input
  input  wire [TAPS_D-1:0]       bits_i,
  // taps, in pairs as tern_tapsum takes them, with a sign of 0
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_i,
  input  wire [X_W-1:0]          base_i,
  // output
  output wire [X_W-1:0]          x_o
);
  tern_tapsum #(.TAPS(TAPS_D), .TAP_W(TAP_W+1), .SUM_W(X_W)) u_sum (
`ifdef TERN_TESTBUG_TRACE_TAP_SHIFTED
    .clk_i(clk_i), .bits_i(bits_i << 1), .pairs_i(taps_i), .base_i(base_i), .sum_o(x_o)
`else
    .clk_i(clk_i), .bits_i(bits_i), .pairs_i(taps_i), .base_i(base_i), .sum_o(x_o)
`endif
  );
endmodule

`default_nettype wire
