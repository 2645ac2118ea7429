// formal_dither.v : tern_dither is N-14 for all inputs
// SPDX-License-Identifier: Apache-2.0
//
//! files   blocks/tern_dither
//! bound   1
//! reach   1
//! set     LANES=4 LANE_W=2 INDEX_W=24 DITHER_MAX=31
//! set     LANES=8 LANE_W=3 INDEX_W=20 DITHER_MAX=31
//! set     LANES=1 LANE_W=0 INDEX_W=24 DITHER_MAX=9
//! mutant  not_reversed a_dither DITHER_NOT_REVERSED
//! mutant  same_in_lanes a_dither DITHER_SAME_IN_LANES
`default_nettype none

module formal_dither #(
  parameter LANES      = 4,
  parameter LANE_W     = 2,
  parameter INDEX_W    = 30,
  parameter DITHER_MAX = 31
) (
  input wire [INDEX_W-1:0] index_i,
  input wire [31:0]        s_word_i,
  input wire [4:0]         dither_bits_i
);
  wire [LANES*DITHER_MAX-1:0] r;
  tern_dither #(.LANES(LANES), .LANE_W(LANE_W), .INDEX_W(INDEX_W), .DITHER_MAX(DITHER_MAX)) dut (
    .index_i(index_i), .s_word_i(s_word_i), .dither_bits_i(dither_bits_i), .r_o(r)
  );
  always @* assume (dither_bits_i >= 5'd1 && dither_bits_i <= DITHER_MAX);

  wire [LANES-1:0] same;
  genvar n, b;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : g_lane
      wire [31:0] lane = n;
      wire [31:0] idx  = {{(32-INDEX_W){1'b0}}, index_i} * LANES + lane; // of the synapse
      wire [31:0] reversed;
      for (b = 0; b < 32; b = b + 1) begin : g_bit
        assign reversed[b] = idx[31-b];
      end
      wire [31:0] want = (reversed ^ s_word_i) >> (6'd32 - dither_bits_i);
      assign same[n] = (r[n*DITHER_MAX +: DITHER_MAX] == want[DITHER_MAX-1:0]);
    end
  endgenerate
  always @* begin
    a_dither: assert (&same);
    c_long: cover (dither_bits_i == DITHER_MAX && r[DITHER_MAX-1:0] == {DITHER_MAX{1'b1}} && index_i > 5);
  end
endmodule

`default_nettype wire
