// tern_potential.v : membrane potential from its three sums
// SPDX-License-Identifier: Apache-2.0
//
// Function  acc = local + (sum_shared + sum_sample) 2^SH;  u = rs(acc, 12) limited to [-2047, 2047]                 [N-2, N-3]
// C model   runtime/blocks/tern_potential.h
// Latency   combinational
// Numerics  local s.20; sums WF + XF fraction bits, SH = 20 - WF - XF; u s.8
`default_nettype none

module tern_potential #(
  // Width of the sums and of acc in bits, 20..64; the planner proves that it suffices.
  parameter ACC_W = 48
) (
  // input
  input  wire [ACC_W-1:0] local_f20_i,
  input  wire [ACC_W-1:0] sum_shared_i,
  input  wire [ACC_W-1:0] sum_sample_i,
  // config
  input  wire [4:0]       scale_i,
  // output
  output wire [11:0]      u_f8_o,
  output wire             limited_o
);
  localparam signed [ACC_W-1:0] U_TOP = 2047;

  wire        [ACC_W-1:0] sum   = sum_shared_i + sum_sample_i;
  wire        [ACC_W-1:0] acc   = local_f20_i + (sum << scale_i);
`ifdef TERN_TESTBUG_POTENTIAL_TRUNCATE
  wire signed [ACC_W-1:0] half  = $signed(acc);
`else
  wire signed [ACC_W-1:0] half  = $signed(acc) + $signed({{(ACC_W-12){1'b0}}, 12'h800});
`endif
  wire signed [ACC_W-1:0] u     = half >>> 12;
  wire                    above = u > U_TOP;
  wire                    below = u < -U_TOP;

`ifdef TERN_TESTBUG_POTENTIAL_NO_LIMIT
  assign limited_o = 1'b0;
  assign u_f8_o    = u[11:0];
  wire unused_bug = &{1'b0, above, below};
`else
  assign limited_o = above || below;
  assign u_f8_o    = above ? 12'd2047 : below ? -12'd2047 : u[11:0];
`endif
endmodule

`default_nettype wire
