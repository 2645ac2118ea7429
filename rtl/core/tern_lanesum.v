// tern_lanesum.v : sum of the lanes' products
// SPDX-License-Identifier: Apache-2.0
//
// Function  sums of a few lanes, then of all
// Latency   2 cycles, 1 result per cycle
`default_nettype none

module tern_lanesum #(
  parameter LANES  = 4,
  // log2(LANES), derived, do not set.
  parameter LANE_W = 2,
  parameter X_W    = 13,  // a product has 17 + X_W bits
  parameter ACC_W  = 48
) (
  input  wire                      clk_i,
  input  wire [LANES*(17+X_W)-1:0] product_i,
  output wire [ACC_W-1:0]          sum_o
);
  // one adder behind the other, its carry in bit 0: in one expression they would become carry-save adders, which are
  // larger
  localparam GROUP   = (LANES > 16) ? 8 : (LANES > 4) ? 4 : LANES;
  localparam N_GROUP = LANES / GROUP;
  localparam LANES_W = (17 + X_W + LANE_W < ACC_W) ? 17 + X_W + LANE_W : ACC_W;
  localparam PAD_W   = LANES_W - 16 - X_W; // of a product's sign
  reg [N_GROUP*LANES_W-1:0] group_d, group9_q;
  reg [LANES_W-1:0] sum_group, sum_lanes;
  reg [ACC_W-1:0]   sum10_q;
  reg               unused_group, unused_lanes;
  integer           g, m, j;
  always @* begin
    unused_group = 1'b0;
    for (g = 0; g < N_GROUP; g = g + 1) begin
      sum_group = {{PAD_W{product_i[g*GROUP*(17+X_W)+16+X_W]}}, product_i[g*GROUP*(17+X_W) +: 16+X_W]};
      for (m = g * GROUP + 1; m < (g + 1) * GROUP; m = m + 1)
        {sum_group, unused_group} = {sum_group, 1'b0} +
            {{PAD_W{product_i[m*(17+X_W)+16+X_W]}}, product_i[m*(17+X_W) +: 16+X_W], 1'b0};
      group_d[g*LANES_W +: LANES_W] = sum_group;
    end
  end
  always @(posedge clk_i) group9_q <= group_d;
  always @* begin
    sum_lanes    = group9_q[LANES_W-1:0];
    unused_lanes = 1'b0;
    for (j = 1; j < N_GROUP; j = j + 1) {sum_lanes, unused_lanes} = {sum_lanes, 1'b0} +
        {group9_q[j*LANES_W +: LANES_W], 1'b0};
  end
  wire [ACC_W-1:0] sum_wide = {{(ACC_W-LANES_W+1){sum_lanes[LANES_W-1]}}, sum_lanes[LANES_W-2:0]};
  always @(posedge clk_i) sum10_q <= sum_wide;
  assign sum_o = sum10_q;
endmodule

`default_nettype wire
