// tern_way.v : one more sample of a lane, for rows from neurons: history, trace, product
// SPDX-License-Identifier: Apache-2.0
//
// Function  what tern_lane does for sample 0 of the samples of a cycle, for another one: history with the new spike,
//           trace at a lag, product with the learning coefficient or with the weight that tern_lane has made
// Latency   as tern_lane: history_i, spike_i in cycle 1; w_i, c_i in cycle 6; product_o in cycle 8
`default_nettype none

module tern_way #(
  parameter TAPS_D = 10,  // D capacity
  parameter HIST_W = 14,  // history bits
  parameter LAG_W  = 6,   // bits of a lag
  parameter TAP_W  = 9,   // filter tap bits
  parameter X_W    = 13   // trace bits
) (
  input  wire              clk_i,
  // memory, stage 1
  input  wire [HIST_W-1:0] history_i,
  input  wire              spike_i,
  // control, stage 1
  input  wire              shift_i,
  input  wire [LAG_W-1:0]  lag_i,
  // control, stage 6
  input  wire              load_i,     // operand A takes the weight
  input  wire              coef_i,     // operand A takes the learning coefficient
  input  wire [15:0]       w_i,
  input  wire [15:0]       c_i,
  // config
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_i,
  input  wire [X_W-1:0]    taps_base_i,
  // output
  output wire [HIST_W-1:0] history_o,  // stage 1, combinational
  output wire [16+X_W:0]   product_o   // stage 8, signed
);
  wire [HIST_W-1:0] lagged;
  tern_history #(.HIST_W(HIST_W), .LAG_W(LAG_W)) u_history (
    .history_i(history_i), .spike_i(spike_i), .shift_i(shift_i), .lag_i(lag_i), .history_o(history_o), .lagged_o(lagged)
  );
  wire unused_lagged = &{1'b0, lagged};
  reg  [TAPS_D-1:0] trace_bits_q;
  always @(posedge clk_i) trace_bits_q <= lagged[TAPS_D-1:0];
  wire [X_W-1:0] x5;
  tern_trace #(.TAPS_D(TAPS_D), .TAP_W(TAP_W), .X_W(X_W)) u_trace (
    .clk_i(clk_i), .bits_i(trace_bits_q), .taps_i(taps_i), .base_i(taps_base_i), .x_o(x5)
  );
  reg [15:0]    a_q;
  reg [X_W-1:0] x6_q, x7_q;
  reg signed [16+X_W:0] product_q;
  always @(posedge clk_i) begin
    x6_q <= x5;
    x7_q <= x6_q;
    if (load_i) a_q <= w_i;
    if (coef_i) a_q <= c_i;
    product_q <= $signed(a_q) * $signed({1'b0, x7_q});
  end
  assign product_o = product_q;
endmodule

`default_nettype wire
