// tern_weight.v : dithered, saturating change of one weight
// SPDX-License-Identifier: Apache-2.0
//
// Function  w' = sat(w + ((dw + r) >> R)); unchanged where the synapse is absent or not enabled                  [N-15]
// C model   runtime/blocks/tern_weight.h, tern_weight_step()
// Latency   1 cycle, 1 result per cycle: the dithered change first, then shift, sum and limits
// Numerics  dw FC + XF fraction bits, r R bits unsigned, w limited to +-top (symmetric, by the network's weight bits)
`default_nettype none

module tern_weight #(
  // Width of a stored weight in bits, 4..16.
  parameter WEIGHT_W   = 16,
  // Width of dw in bits, at least DITHER_MAX + 1.
  parameter DELTA_W    = 40,
  // Least and largest R a network may use, 1..31; equal values cost no shifter.
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  // 1: the distances to the limits are computed in the first cycle: a shorter path, two subtracters more.
  parameter ROOM       = 0
) (
  input  wire                  clk_i,
  // input
  input  wire [WEIGHT_W-1:0]   w_i,
  input  wire [DELTA_W-1:0]    dw_i,
  input  wire [DITHER_MAX-1:0] r_i,
  input  wire                  enable_i,
  input  wire [4:0]            dither_bits_i,
  // config
  input  wire [WEIGHT_W-1:0]   top_i,       // above 0
  input  wire [WEIGHT_W-1:0]   bottom_i,    // -top
  // output, one cycle later
  output wire [WEIGHT_W-1:0]   w_o,
  output wire                  changed_o,
  output wire                  sat_o
);
  generate
    if (DELTA_W <= DITHER_MAX) begin : g_check_delta
      tern_weight_error_DELTA_W_too_small u_error ();
    end
    if (DITHER_MIN < 1 || DITHER_MIN > DITHER_MAX || DITHER_MAX > 31) begin : g_check_dither
      tern_weight_error_DITHER_out_of_range u_error ();
    end
    if (ROOM != 0 && ROOM != 1) begin : g_check_room
      tern_weight_error_ROOM_is_not_0_or_1 u_error ();
    end
  endgenerate

  localparam [4:0] SHIFT_MIN = DITHER_MIN[4:0];

  wire signed [DELTA_W:0] dithered = $signed({dw_i[DELTA_W-1], dw_i})
`ifdef TERN_TESTBUG_WEIGHT_DITHER_BIT
                                   + $signed({{(DELTA_W+1-DITHER_MAX){1'b0}}, r_i[DITHER_MAX-1:1], 1'b0});
`else
                                   + $signed({{(DELTA_W+1-DITHER_MAX){1'b0}}, r_i});
`endif
  reg signed [DELTA_W:0] dithered_q;
  reg [WEIGHT_W-1:0]     w_q;
  reg [4:0]              shift_q; // what is left of the shift
  reg                    changed_q;
  always @(posedge clk_i) begin
    dithered_q <= dithered;
    w_q        <= w_i;
    shift_q    <= dither_bits_i - SHIFT_MIN;
    changed_q  <= enable_i && (dw_i != {DELTA_W{1'b0}});
  end
`ifdef TERN_TESTBUG_WEIGHT_ROUND_UP
  wire signed [DELTA_W:0] ready = dithered_q + 1;
`else
  wire signed [DELTA_W:0] ready = dithered_q;
`endif
  wire signed [DELTA_W:0] step;
  generate
    if (DITHER_MIN == DITHER_MAX) begin : g_fixed
      assign step = ready >>> DITHER_MIN;
      wire unused_shift = &{1'b0, shift_q};
    end else begin : g_shifter
      wire signed [DELTA_W:0] least = ready >>> DITHER_MIN;
      assign step = least >>> shift_q;
    end
  endgenerate

  // a step that needs more bits than these saturates, whatever the weight
  wire        [DELTA_W+WEIGHT_W+1:0] wide = {{(WEIGHT_W+1){step[DELTA_W]}}, step};
  wire                        far     = (wide[DELTA_W+WEIGHT_W+1:WEIGHT_W] != {(DELTA_W+2){step[DELTA_W]}});
  wire signed [WEIGHT_W+1:0]  near    = $signed(wide[WEIGHT_W+1:0]);
  wire signed [WEIGHT_W+1:0]  top     = $signed({2'b00, top_i});
  wire signed [WEIGHT_W+1:0]  bottom  = $signed({2'b11, bottom_i});
  wire signed [WEIGHT_W+1:0]  total   = $signed({{2{w_q[WEIGHT_W-1]}}, w_q}) + near;
  wire                        over, under;
  generate
    if (ROOM != 0) begin : g_room
      // how far the weight may go up and down
      wire signed [WEIGHT_W+1:0] w_ext = $signed({{2{w_i[WEIGHT_W-1]}}, w_i});
      reg  signed [WEIGHT_W+1:0] up_q, down_q;
      always @(posedge clk_i) begin
`ifdef TERN_TESTBUG_WEIGHT_ROOM
        up_q   <= top - w_ext + 2'sd1;
`else
        up_q   <= top - w_ext;
`endif
        down_q <= bottom - w_ext;
      end
      assign over  = near > up_q;
      assign under = near < down_q;
      wire unused_total = &{1'b0, total[WEIGHT_W+1:WEIGHT_W]};
    end else begin : g_total
      assign over  = total > top;
      assign under = total < bottom;
    end
  endgenerate
  wire                        above   = far ? !step[DELTA_W] : over;
  wire                        below   = far ? step[DELTA_W] : under;

  assign changed_o = changed_q;
`ifdef TERN_TESTBUG_WEIGHT_NO_SAT
  assign sat_o = 1'b0;
  wire unused_bug = &{1'b0, above, below};
`else
  assign sat_o = changed_o && (above || below);
`endif
  assign w_o = !changed_o ? w_q : !sat_o ? total[WEIGHT_W-1:0] : above ? top_i : bottom_i;
endmodule

`default_nettype wire
