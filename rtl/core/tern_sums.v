// tern_sums.v : sums of a neuron over its rows: the lanes' products of an operation, then of all its operations
// SPDX-License-Identifier: Apache-2.0
//
// Function  products of stage 8 are summed over the lanes, and in stage 10 added to the neuron's sums: one that all
//           samples share, and one for each sample. WAYS samples come together: sample k in way k mod WAYS of group
//           floor(k / WAYS). When the last operation of a neuron has been added, valid_o hands the sums over; those of
//           the samples lie in a memory, so that tern_fire reads them while the next neuron is summed
// Latency   products in stage 8, control in stage 10, valid_o in stage 11; a sample's sum one cycle after its address
`default_nettype none

module tern_sums #(
  parameter LANES    = 4,   // 1, 2, 4, 8, 16, 32
  parameter LANE_W   = 2,   // log2(LANES), derived, do not set
  parameter SAMPLE_W = 3,   // bits of a sample number
  parameter SAMPLES  = 8,   // capacity K
  parameter WAYS     = 1,   // samples per cycle, 1..SAMPLES
  parameter X_W      = 13,  // a product has 17 + X_W bits
  parameter ACC_W    = 48
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  // stage 8
  input  wire [WAYS*LANES*(17+X_W)-1:0] product_i,    // way 0 lowest
  // stage 10
  input  wire                           shared_i,     // to the sum that all samples share
  input  wire                           add_i,        // to those of a group of samples
  input  wire                           fresh_i,      // the sum starts over
  input  wire [SAMPLE_W-1:0]            slot_i,       // group of samples
  input  wire                           parity_i,     // of the neuron's number
  input  wire                           close_i,      // the neuron's last operation
  input  wire                           has_shared_i, // closing: it had operations of either kind
  input  wire                           has_sample_i,
  // output to tern_fire
  output wire                           valid_o,      // pulse
  output wire [ACC_W-1:0]               sum_shared_o,
  output wire                           has_sample_o,
  input  wire                           sum_re_i,
  input  wire [SAMPLE_W:0]              sum_raddr_i,  // {parity, sample}
  output wire [ACC_W-1:0]               sum_sample_o
);
  localparam SLOTS = (SAMPLES + WAYS - 1) / (WAYS > 0 ? WAYS : 1); // groups of samples
  localparam [SAMPLE_W-1:0] WAY_STEP = WAYS[SAMPLE_W-1:0];

  // stage 8: sums of a few lanes; stage 9: of all; stage 10: sums of the neuron
  wire [WAYS*ACC_W-1:0] sum10;
  genvar v;
  generate
    for (v = 0; v < WAYS; v = v + 1) begin : g_sum
      tern_lanesum #(.LANES(LANES), .LANE_W(LANE_W), .X_W(X_W), .ACC_W(ACC_W)) u_sum (
        .clk_i(clk_i), .product_i(product_i[v*LANES*(17+X_W) +: LANES*(17+X_W)]), .sum_o(sum10[v*ACC_W +: ACC_W])
      );
    end
  endgenerate
  reg  [ACC_W-1:0] shared_q;
`ifdef TERN_TESTBUG_SUMS_NOT_RESTARTED
  wire [ACC_W-1:0] shared_d = shared_q + sum10[ACC_W-1:0];
`else
  wire [ACC_W-1:0] shared_d = fresh_i ? sum10[ACC_W-1:0] : shared_q + sum10[ACC_W-1:0];
`endif
  always @(posedge clk_i) if (shared_i) shared_q <= shared_d;

  // those of the current neuron in registers, what they come to in a memory that tern_fire reads while the next neuron
  // is summed
  localparam SUM_SLICES = (ACC_W + 31) / 32;
  localparam SLOT_W     = (SLOTS > 2) ? $clog2(SLOTS) : 1;
  // group and way of the sample that tern_fire reads
  reg [SAMPLE_W-1:0] slot_r, way_r, way_q;
  integer            u;
  always @* begin
    slot_r = {SAMPLE_W{1'b0}};
    way_r  = sum_raddr_i[SAMPLE_W-1:0];
    for (u = 1; u < SLOTS; u = u + 1)
      if ({{(32-SAMPLE_W){1'b0}}, sum_raddr_i[SAMPLE_W-1:0]} >= u * WAYS) begin
        slot_r = u[SAMPLE_W-1:0];
        way_r  = way_r - WAY_STEP;
      end
  end
  always @(posedge clk_i) way_q <= way_r;
  wire [WAYS*ACC_W-1:0] ready;
  generate
    for (v = 0; v < WAYS; v = v + 1) begin : g_sums
      wire [ACC_W-1:0] sample_now;
      wire [ACC_W-1:0] sample_d = (fresh_i ? {ACC_W{1'b0}} : sample_now) + sum10[v*ACC_W +: ACC_W];
      tern_regfile #(.WIDTH(ACC_W), .DEPTH(1 << SLOT_W), .ADDR_W(SLOT_W)) u_sums (
        .clk_i(clk_i), .we_i(add_i), .waddr_i(slot_i[SLOT_W-1:0]), .wdata_i(sample_d), .raddr_i(slot_i[SLOT_W-1:0]),
        .rdata_o(sample_now)
      );
      tern_ram #(.WIDTH(ACC_W), .DEPTH(2 << SLOT_W), .ADDR_W(SLOT_W + 1)) u_ready (
        .clk_i(clk_i), .we_i({SUM_SLICES{add_i}}), .waddr_i({parity_i, slot_i[SLOT_W-1:0]}), .wdata_i(sample_d),
        .re_i(sum_re_i), .raddr_i({sum_raddr_i[SAMPLE_W], slot_r[SLOT_W-1:0]}), .rdata_o(ready[v*ACC_W +: ACC_W])
      );
    end
  endgenerate
  wire unused_slot = &{1'b0, slot_r, way_q, slot_i};
  reg [ACC_W-1:0] ready_way;
  integer         z;
  always @* begin
    ready_way = ready[ACC_W-1:0];
    for (z = 1; z < WAYS; z = z + 1)
      if ({{(32-SAMPLE_W){1'b0}}, way_q} == z) ready_way = ready[z*ACC_W +: ACC_W];
  end
  assign sum_sample_o = ready_way;

  // stage 11: hand over
  reg              valid_q, has_sample_out_q;
  reg [ACC_W-1:0]  sum_shared_q;
  always @(posedge clk_i) begin
    valid_q <= close_i;
    if (close_i) begin
      sum_shared_q     <= !has_shared_i ? {ACC_W{1'b0}} : shared_i ? shared_d : shared_q;
      has_sample_out_q <= has_sample_i;
    end
    if (rst_i) valid_q <= 1'b0;
  end
  assign valid_o      = valid_q;
  assign sum_shared_o = sum_shared_q;
  assign has_sample_o = has_sample_out_q;
endmodule

`default_nettype wire
