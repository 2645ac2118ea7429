// formal_weight.v : tern_weight is N-15 for all inputs
// SPDX-License-Identifier: Apache-2.0
//
//! files   blocks/tern_weight
//! bound   1
//! reach   1
//! set     WEIGHT_W=16 DELTA_W=40 DITHER_MIN=1 DITHER_MAX=31
//! set     WEIGHT_W=16 DELTA_W=64 DITHER_MIN=1 DITHER_MAX=31
//! set     WEIGHT_W=8 DELTA_W=32 DITHER_MIN=9 DITHER_MAX=9
//! set     WEIGHT_W=4 DELTA_W=33 DITHER_MIN=7 DITHER_MAX=20
//! mutant  round_up a_weight WEIGHT_ROUND_UP
//! mutant  no_sat a_weight WEIGHT_NO_SAT
//! mutant  dither_bit a_weight WEIGHT_DITHER_BIT
`default_nettype none

module formal_weight #(
  parameter WEIGHT_W   = 16,
  parameter DELTA_W    = 40,
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31
) (
  input wire [WEIGHT_W-1:0]   w_i,
  input wire [DELTA_W-1:0]    dw_i,
  input wire [DITHER_MAX-1:0] r_i,
  input wire                  enable_i,
  input wire [4:0]            dither_bits_i,
  input wire [WEIGHT_W-1:0]   top_i
);
  wire [WEIGHT_W-1:0] w;
  wire                changed, sat;
  tern_weight #(.WEIGHT_W(WEIGHT_W), .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX)) dut (
    .w_i(w_i), .dw_i(dw_i), .r_i(r_i), .enable_i(enable_i), .dither_bits_i(dither_bits_i), .top_i(top_i), .bottom_i(-top_i), .w_o(w), .changed_o(changed), .sat_o(sat)
  );
  // a network's R and top
  always @* assume (dither_bits_i >= DITHER_MIN && dither_bits_i <= DITHER_MAX && !top_i[WEIGHT_W-1] && top_i != 0);

  // w' = sat(w + ((dw + r) >> R), WB), in 72 bits, which nothing here can leave
  wire signed [71:0] sum = {{(72-DELTA_W){dw_i[DELTA_W-1]}}, dw_i} + {{(72-DITHER_MAX){1'b0}}, r_i};
  wire signed [71:0] change = sum >>> dither_bits_i;
  wire signed [71:0] total = change + {{(72-WEIGHT_W){w_i[WEIGHT_W-1]}}, w_i};
  wire signed [71:0] top = {{(72-WEIGHT_W){1'b0}}, top_i};
  wire signed [71:0] limited = total > top ? top : total < -top ? -top : total;
  wire               applies = enable_i && dw_i != {DELTA_W{1'b0}};

  always @* begin
    // 1. the new weight; without an update, or with one of 0, the old one
    a_weight: assert (w == (applies ? limited[WEIGHT_W-1:0] : w_i));
    // 2. what is limited is counted, nothing else
    a_counted: assert (sat == (applies && limited != total));
    a_changed: assert (changed == applies);
    // 3. a weight that is changed lies within the symmetric limits: never the code of an absent synapse
    if (applies) a_limits: assert (w != {1'b1, {(WEIGHT_W-1){1'b0}}});
    c_top: cover (sat && w == top_i && top_i > 3);
    c_bottom: cover (sat && w[WEIGHT_W-1] && r_i != 0);
    c_floor: cover (applies && !sat && sum[71] && change * 2 != sum && w != w_i);
  end
endmodule

`default_nettype wire
