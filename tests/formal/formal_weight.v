// formal_weight.v : tern_weight is N-15 for all inputs, one cycle later
// SPDX-License-Identifier: Apache-2.0
//
//! files   blocks/tern_weight
//! solver  bits dc2 glucose
//! bound   2
//! reach   2
//! set     WEIGHT_W=8 DELTA_W=32 DITHER_MIN=9 DITHER_MAX=9 ROOM=1
//! set     WEIGHT_W=16 DELTA_W=40 DITHER_MIN=1 DITHER_MAX=31
//! set     WEIGHT_W=16 DELTA_W=64 DITHER_MIN=1 DITHER_MAX=31
//! set     WEIGHT_W=8 DELTA_W=32 DITHER_MIN=9 DITHER_MAX=9
//! set     WEIGHT_W=4 DELTA_W=33 DITHER_MIN=7 DITHER_MAX=20
//! set     WEIGHT_W=16 DELTA_W=40 DITHER_MIN=1 DITHER_MAX=31 ROOM=1
//! mutant  round_up a_weight WEIGHT_ROUND_UP
//! mutant  no_sat a_weight WEIGHT_NO_SAT
//! mutant  dither_bit a_weight WEIGHT_DITHER_BIT
//! mutant  room a_weight WEIGHT_ROOM
`default_nettype none

module formal_weight #(
  parameter WEIGHT_W   = 16,
  parameter DELTA_W    = 40,
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  parameter ROOM       = 0
) (
  input wire                  clk_i,
  input wire [WEIGHT_W-1:0]   w_i,
  input wire [DELTA_W-1:0]    dw_i,
  input wire [DITHER_MAX-1:0] r_i,
  input wire                  enable_i,
  input wire [4:0]            dither_bits_i,
  input wire [WEIGHT_W-1:0]   top_i
);
  wire [WEIGHT_W-1:0] w;
  wire                changed, sat;
  tern_weight #(.WEIGHT_W(WEIGHT_W), .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX),
                .ROOM(ROOM)) dut (
    .clk_i(clk_i), .w_i(w_i), .dw_i(dw_i), .r_i(r_i), .enable_i(enable_i), .dither_bits_i(dither_bits_i), .top_i(top_i),
    .bottom_i(-top_i), .w_o(w), .changed_o(changed), .sat_o(sat)
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
  wire               half    = (change * 2 != sum);

  // what belongs to the outputs; the limits are the same for all
  reg                f_there = 1'b0, f_applies, f_half;
  reg [WEIGHT_W-1:0] f_w, f_limited, f_top;
  reg                f_sat, f_minus, f_dither;
  always @(posedge clk_i) begin
    f_there   <= 1'b1;
    f_applies <= applies;
    f_half    <= half;
    f_w       <= w_i;
    f_limited <= limited[WEIGHT_W-1:0];
    f_sat     <= (limited != total);
    f_minus   <= sum[71];
    f_dither  <= (r_i != 0);
    f_top     <= top_i;
  end
  always @* if (f_there) assume (top_i == f_top);

  always @* if (f_there) begin
    // 1. the new weight; without an update, or with one of 0, the old one
    a_weight: assert (w == (f_applies ? f_limited : f_w));
    // 2. what is limited is counted, nothing else
    a_counted: assert (sat == (f_applies && f_sat));
    a_changed: assert (changed == f_applies);
    // 3. a weight that is changed lies within the symmetric limits: never the code of an absent synapse
    if (f_applies) a_limits: assert (w != {1'b1, {(WEIGHT_W-1){1'b0}}});
    c_top: cover (sat && w == top_i && top_i > 3);
    c_bottom: cover (sat && w[WEIGHT_W-1] && f_dither);
    c_floor: cover (f_applies && !sat && f_minus && f_half && w != f_w);
  end
endmodule

`default_nettype wire
