// tern_local.v : bias and self-memory weight of a neuron, and the start of its potentials
// SPDX-License-Identifier: Apache-2.0
//
// Function  N-16: the new bias, then the new weight of the self-memory; without an update both stay. Then bias +
//           self-memory weight times trace for each sample
// C model   runtime/engine/tern_golden.c, local_parameters()
// Latency   rdata_i is there one cycle after use_i; the new parameter one later, when it is written if it has changed.
//           product_i is there five cycles after start_i, the start of the potential with it
`default_nettype none

module tern_local #(
  parameter SAMPLE_W   = 3,
  parameter NEURON_W   = 8,
  parameter X_W        = 13,
  parameter DELTA_W    = 40,
  parameter ACC_W      = 48,
  parameter DITHER_MAX = 31,
  parameter ROOM       = 0    // of tern_weight
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  // control
  input  wire                  update_i,
  input  wire                  use_i,       // a parameter is read
  input  wire                  self_i,      // the weight of the self-memory
  input  wire [NEURON_W-1:0]   neuron_i,
  input  wire                  n_self_i,    // the neuron has a self-memory
  // what the sums of the coefficients come to
  input  wire [31:0]           s_word_i,
  input  wire [DELTA_W-1:0]    d_bias_i,
  input  wire [DELTA_W-1:0]    d_self_i,
  input  wire [4:0]            local_bits_i,
  input  wire [3:0]            trace_frac_i,
  // memory, address {neuron, 0 bias / 1 self}
  input  wire [15:0]           rdata_i,
  output wire                  we_o,
  output wire [NEURON_W:0]     waddr_o,
  output wire [15:0]           wdata_o,
  // output
  output wire [15:0]           self_o,
  output wire                  sat_o,
  // start of the potentials
  input  wire                  start_i,     // of a sample
  input  wire [SAMPLE_W-1:0]   sample_i,
  input  wire [16+X_W:0]       product_i,   // self_o times trace
  output wire                  acc_we_o,
  output wire [SAMPLE_W-1:0]   acc_sample_o,
  output wire [ACC_W-1:0]      acc_o
`ifdef TERN_COSIM
  ,
  output wire                  ev_valid_o,  // a bias or self-memory weight whose dw is not 0
  output wire                  ev_self_o,
  output wire [NEURON_W-1:0]   ev_neuron_o,
  output wire [15:0]           ev_old_o,
  output wire [15:0]           ev_new_o,
  output wire                  ev_sat_o,
  output wire [DITHER_MAX-1:0] ev_draw_o
`endif
);
  wire [DELTA_W-1:0] local_dw  = self_i ? (n_self_i ? d_self_i : {DELTA_W{1'b0}}) : d_bias_i << trace_frac_i;
  // the highest bits of the dither word, R of them; R is at most DITHER_MAX
`ifdef TERN_TESTBUG_LEARN_BIAS_DITHER_INDEX
  wire [31:0]        local_word = s_word_i;
`else
  wire [31:0]        local_word = self_i ? s_word_i : s_word_i ^ 32'h80000000; // idx 0, idx 1
`endif
  localparam [5:0]   R_MAX = DITHER_MAX[5:0];
  wire [DITHER_MAX-1:0] local_r = local_word[31 -: DITHER_MAX] >> (R_MAX - {1'b0, local_bits_i});
  wire unused_word = &{1'b0, local_word};
  wire [15:0]        local_new;
  wire               local_changed, local_sat;
  tern_weight #(.WEIGHT_W(16), .DELTA_W(DELTA_W), .DITHER_MIN(1), .DITHER_MAX(DITHER_MAX), .ROOM(ROOM)) u_weight (
    .clk_i(clk_i), .w_i(rdata_i), .dw_i(local_dw), .r_i(local_r), .enable_i(update_i),
    .dither_bits_i(local_bits_i), .top_i(16'h7fff), .bottom_i(16'h8001),
    .w_o(local_new), .changed_o(local_changed), .sat_o(local_sat)
  );
  reg  local_use_q, local_self_q, bias_next_q;
  reg  [15:0] self_q;
  reg  [16:0] bias_q; // with the half that rounds the potential to 8 fraction bits
  reg         local_we_q, local_sat_q;
  reg  [NEURON_W:0] local_waddr_q;
  reg  [15:0] local_wdata_q;
  always @(posedge clk_i) begin
    local_use_q <= use_i; local_self_q <= self_i;
    local_we_q <= local_use_q && local_changed; local_sat_q <= local_use_q && local_sat;
    local_waddr_q <= {neuron_i, local_self_q}; local_wdata_q <= local_new;
    // its adder a cycle later: the first potential starts later still
    bias_next_q <= local_use_q && !local_self_q;
    if (bias_next_q) bias_q <= {local_wdata_q[15], local_wdata_q} + 17'd8;
    if (local_use_q && local_self_q) self_q <= n_self_i ? local_new : 16'd0;
    if (rst_i) {local_use_q, local_we_q, local_sat_q} <= 3'b000;
  end
  assign we_o    = local_we_q;
  assign waddr_o = local_waddr_q;
  assign wdata_o = local_wdata_q;
  assign sat_o   = local_sat_q;
  assign self_o  = self_q;

  reg [2:0]          acc_pipe_q;  // stages 2..4
  reg [SAMPLE_W-1:0] k2_q, k3_q, k4_q, k5_q, k6_q;
  reg                acc5_q, acc6_q;
  always @(posedge clk_i) begin
    acc_pipe_q <= {acc_pipe_q[1:0], start_i};
    acc5_q <= acc_pipe_q[2]; acc6_q <= acc5_q;
    k2_q <= sample_i; k3_q <= k2_q; k4_q <= k3_q; k5_q <= k4_q; k6_q <= k5_q;
    if (rst_i) {acc_pipe_q, acc5_q, acc6_q} <= 5'd0;
  end
  wire [ACC_W-1:0] self_part = {{(ACC_W-17-X_W){product_i[16+X_W]}}, product_i} << (4'd8 - trace_frac_i);
  wire [ACC_W-1:0] bias_part = {{(ACC_W-24){bias_q[16]}}, bias_q[15:0], 8'd0};
  assign acc_we_o     = acc6_q;
  assign acc_sample_o = k6_q;
  assign acc_o        = bias_part + self_part;

`ifdef TERN_COSIM
  reg               ev_l_valid_q;
  reg [15:0]        ev_l_old_q, ev_l_old1_q;
  reg [DITHER_MAX-1:0] ev_l_draw_q, ev_l_draw1_q;
  always @(posedge clk_i) begin
    ev_l_valid_q <= local_use_q && local_changed;
    ev_l_old1_q <= rdata_i; ev_l_old_q <= ev_l_old1_q;
    ev_l_draw1_q <= local_r; ev_l_draw_q <= ev_l_draw1_q;
    if (rst_i) ev_l_valid_q <= 1'b0;
  end
  assign ev_valid_o  = ev_l_valid_q;
  assign ev_self_o   = local_waddr_q[0];
  assign ev_neuron_o = local_waddr_q[NEURON_W:1];
  assign ev_old_o    = ev_l_old_q;
  assign ev_new_o    = local_wdata_q;
  assign ev_sat_o    = local_sat_q;
  assign ev_draw_o   = ev_l_draw_q;
`endif
endmodule

`default_nettype wire
