// tern_neuron.v : spike, post-synaptic error and cross-entropy
// SPDX-License-Identifier: Apache-2.0
//
// Function  p = sigmoid(u) from its table; s = clamp ? target : draw < p; e = rs(s 2^16 - p, 1);
//           l = softplus(s ? -u : u)                                                                 [N-4..N-7]
// C model   runtime/blocks/tern_neuron.c, tern_neuron_step()
// Latency   combinational; the table words belong to n = |u| >> 2
// Numerics  u s.8; p u0.16 in 17 bits (1..65535); e s0.15; l u.12
`default_nettype none

module tern_neuron (
  // input
  input  wire [11:0] u_f8_i,
  input  wire [15:0] draw_i,
  input  wire        clamp_i,
  input  wire        target_i,
  // memory
  input  wire [15:0] sig_f16_i,
  input  wire [15:0] softplus_f12_i,
  // output
  output wire [16:0] p_f16_o,
  output wire        spike_o,
  output wire [15:0] e_f15_o,
  output wire [15:0] l_f12_o
);
  wire        negative = u_f8_i[11];
  wire [11:0] a        = negative ? -u_f8_i : u_f8_i;

  assign p_f16_o = negative ? {1'b0, sig_f16_i} : 17'h10000 - {1'b0, sig_f16_i};
`ifdef TERN_TESTBUG_NEURON_DRAW_EQUAL
  assign spike_o = clamp_i ? target_i : ({1'b0, draw_i} <= p_f16_o);
`else
  assign spike_o = clamp_i ? target_i : ({1'b0, draw_i} < p_f16_o);
`endif

  // s 2^16 - p lies within +-65535; 18 bits and the rounding bit
  wire signed [17:0] e_f16 = $signed({1'b0, spike_o, 16'd0}) - $signed({1'b0, p_f16_o});
`ifdef TERN_TESTBUG_NEURON_ERROR_ROUND
  wire signed [17:0] e_rnd = e_f16;
`else
  wire signed [17:0] e_rnd = e_f16 + 18'sd1;
`endif
  assign e_f15_o = e_rnd[16:1];

`ifdef TERN_TESTBUG_NEURON_LOSS_SIDE
  wire wrong_side = spike_o ? !negative : negative;
`else
  wire wrong_side = spike_o ? negative : (!negative && (a != 12'd0));
`endif
  assign l_f12_o  = (wrong_side ? {a, 4'd0} : 16'd0) + softplus_f12_i;
  wire unused_sign = &{1'b0, e_rnd[17], e_rnd[0]};
endmodule

`default_nettype wire
