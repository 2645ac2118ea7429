// tern_dither.v : dither words of the lanes
// SPDX-License-Identifier: Apache-2.0
//
// Function  r[lane] = (bitreverse32(idx) XOR S) >> (32 - R), idx = word * LANES + lane                           [N-14]
// C model   runtime/blocks/tern_weight.h, tern_weight_dither()
// Latency   combinational; the lanes differ only in the bits that the lane number sets, so one shifter serves all
`default_nettype none

module tern_dither #(
  // Lanes, 1, 2, 4, 8, 16 or 32.
  parameter LANES      = 4,
  // log2(LANES), derived, do not set.
  parameter LANE_W     = 2,
  // Bits of the word index.
  parameter INDEX_W    = 20,
  // Least and largest R, 1..31; equal values cost no shifter.
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31
) (
  // input
  input  wire [INDEX_W-1:0]          index_i,
  input  wire [31:0]                 s_word_i,
  // config
  input  wire [4:0]                  dither_bits_i,
  // output
  output wire [LANES*DITHER_MAX-1:0] r_o
);
  wire [31:0] idx = {{(32-INDEX_W){1'b0}}, index_i} << LANE_W;
  reg  [31:0] reversed;
  integer b;
`ifdef TERN_TESTBUG_DITHER_NOT_REVERSED
  always @* for (b = 0; b < 32; b = b + 1) reversed[b] = idx[b];
`else
  always @* for (b = 0; b < 32; b = b + 1) reversed[b] = idx[31-b];
`endif

  localparam [5:0] DOWN_MAX = 6'd32 - DITHER_MIN[5:0];
  wire [5:0]  down   = (DITHER_MIN == DITHER_MAX) ? DOWN_MAX : 6'd32 - {1'b0, dither_bits_i};
  wire [31:0] common = (reversed ^ s_word_i) >> down;

  genvar n, m;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      // the bit-reversed lane number, shifted like the rest
      wire [31:0] lane_bits;
      for (m = 0; m < 32; m = m + 1) begin : g_bit
        assign lane_bits[m] = ((n >> (31 - m)) % 2) == 1;
      end
`ifdef TERN_TESTBUG_DITHER_SAME_IN_LANES
      wire [31:0] word = common;
      wire unused_bug = &{1'b0, lane_bits};
`else
      wire [31:0] word = common ^ (lane_bits >> down);
`endif
      assign r_o[n*DITHER_MAX +: DITHER_MAX] = word[DITHER_MAX-1:0];
      wire unused_top = &{1'b0, word[31:DITHER_MAX]};
    end
  endgenerate
endmodule

`default_nettype wire
