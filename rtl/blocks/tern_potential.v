// tern_potential.v : membrane potential from its three sums
// SPDX-License-Identifier: Apache-2.0
//
// Function  acc = local + (sum_shared + sum_sample) 2^SH;  u = acc >> 12 limited to [-2047, 2047]            [N-2, N-3]
//           local comes with 2^11 added, which rounds
// C model   runtime/blocks/tern_potential.h
// Latency   2 cycles, 1 result per cycle: the sum first, then shift and sum; the limits come out of registers
// Numerics  local s.20; sums WF + XF fraction bits, SH = 20 - WF - XF; u s.8
`default_nettype none

module tern_potential #(
  // Width of the sums and of acc in bits, 20..64; the planner proves that it suffices.
  parameter ACC_W = 48
) (
  input  wire             clk_i,
  // input
  input  wire [ACC_W-1:0] local_f20_i,
  input  wire [ACC_W-1:0] sum_shared_i,
  input  wire [ACC_W-1:0] sum_sample_i,
  // config
  input  wire [4:0]       scale_i,
  // output, two cycles later
  output wire [11:0]      u_f8_o,
  output wire             limited_o
);
  reg  [ACC_W-1:0] sum_q, local_q;
  always @(posedge clk_i) begin
    sum_q   <= sum_shared_i + sum_sample_i;
    local_q <= local_f20_i;
  end
`ifdef TERN_TESTBUG_POTENTIAL_TRUNCATE
  wire [ACC_W-1:0] acc   = local_q + (sum_q << scale_i) - {{(ACC_W-12){1'b0}}, 12'h800};
`else
  wire [ACC_W-1:0] acc   = local_q + (sum_q << scale_i);
`endif
  // beyond +-2047: whether it is, and the limit itself, a cycle later
  reg  [ACC_W-1:12] acc_q;
  always @(posedge clk_i) acc_q <= acc[ACC_W-1:12];
  wire             minus = acc_q[ACC_W-1];
  wire             far   = (acc_q[ACC_W-1:23] != {(ACC_W-23){minus}});
  wire [11:0]      u     = acc_q[23:12];
  wire             above = !minus && far;
  wire             below = minus && (far || u[10:0] == 11'd0);
  wire             unused_low = &{1'b0, acc[11:0]};

`ifdef TERN_TESTBUG_POTENTIAL_NO_LIMIT
  assign limited_o = 1'b0;
  assign u_f8_o    = u;
  wire unused_bug = &{1'b0, above, below};
`else
  assign limited_o = above || below;
  assign u_f8_o    = above ? 12'd2047 : below ? -12'd2047 : u;
`endif
endmodule

`default_nettype wire
