// tern_small_lane.v : one lane of the small core's pass over the weights: history, trace, weight, product
// SPDX-License-Identifier: Apache-2.0
//
// Function  as tern_lane, with fewer registers: the weight comes late, the product is registered once (in a multiplier
//           block) N-15 is done in two cycles: (dw + r) >> R, then the sum and its limits (C model:
//           runtime/blocks/tern_weight.h)
// Latency   history_i, spike_i and the operation of stage 1 in cycle 1; w_i in cycle 4; w_o in cycle 6; product_o in
//           cycle 7
`default_nettype none

module tern_small_lane #(
  // 1: top_i is 2^(WEIGHT_W-1) - 1.
  parameter FIXED      = 1,
  parameter TAPS_D     = 10,
  parameter HIST_W     = 13,
  parameter LAG_W      = 2,
  parameter WEIGHT_W   = 16,
  parameter TAP_W      = 9,
  parameter X_W        = 11,
  parameter KERNEL_W   = 22,
  parameter DELTA_W    = 28,
  parameter DITHER_MIN = 20,
  parameter DITHER_MAX = 20
) (
  input  wire                                clk_i,
  // memory: stage 1, stage 4
  input  wire [HIST_W-1:0]                   history_i,
  input  wire                                spike_i,
  input  wire [WEIGHT_W-1:0]                 w_i,
  // control, stage 1
  input  wire                                shift_i,
  input  wire [LAG_W-1:0]                    lag_i,
  // control, stage 4
  // dw comes from the accumulator (trace form) instead of the kernel sum
  input  wire                                use_acc_i,
  input  wire [DITHER_MAX-1:0]               r_i,
  // control, stage 5
  input  wire                                load_i,     // operand A takes the (new) weight
  input  wire                                coef_i,     // operand A takes the learning coefficient
  input  wire                                update_i,   // the weight may change
  input  wire [15:0]                         c_i,
  // control, stage 7
  input  wire                                acc_i,      // add the product to the dw accumulator ...
  input  wire                                first_i,    // ... or start it
  // config: taps in pairs, stage 1; their base, stage 3 (tern_tapsum)
  input  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  kernel_i,
  input  wire [DELTA_W-1:0]                  kernel_base_i,
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_i,
  input  wire [X_W-1:0]                      taps_base_i,
  input  wire [4:0]                          dither_bits_i,
  input  wire [WEIGHT_W-1:0]                 top_i,
  // output
  output wire [HIST_W-1:0]                   history_o,  // stage 1, combinational
  output wire [WEIGHT_W-1:0]                 w_read_o,   // stage 5: as read
  output wire [WEIGHT_W-1:0]                 w_old_o,    // stage 6
  output wire [WEIGHT_W-1:0]                 w_o,        // stage 6
  output wire                                changed_o,  // stage 6
  output wire                                sat_o,      // stage 6
  output wire [DITHER_MAX-1:0]               r_o,        // stage 6
  output wire [16+X_W:0]                     product_o   // stage 7, signed
);
  localparam N_KERNEL = HIST_W - 1;
  localparam [4:0] SHIFT_MIN = DITHER_MIN[4:0];
  wire [HIST_W-1:0] lagged;
  tern_history #(.HIST_W(HIST_W), .LAG_W(LAG_W)) u_history (
    .history_i(history_i), .spike_i(spike_i), .shift_i(shift_i), .lag_i(lag_i), .history_o(history_o), .lagged_o(lagged)
  );
  wire unused_lagged = &{1'b0, lagged};

  // stages 1..3: trace and kernel sums
  wire [X_W-1:0]     x4;
  wire [DELTA_W-1:0] kernel4;
  tern_trace #(.TAPS_D(TAPS_D), .TAP_W(TAP_W), .X_W(X_W)) u_trace (
    .clk_i(clk_i), .bits_i(lagged[TAPS_D-1:0]), .taps_i(taps_i), .base_i(taps_base_i), .x_o(x4)
  );
`ifdef TERN_TESTBUG_LANE_KERNEL_TAP_OFF_BY_ONE
  wire [N_KERNEL-1:0] kernel_bits = history_o[N_KERNEL-1:0];
`else
  wire [N_KERNEL-1:0] kernel_bits = history_o[N_KERNEL:1];
`endif
  tern_tapsum #(.TAPS(N_KERNEL), .TAP_W(KERNEL_W), .SUM_W(DELTA_W)) u_kernel (
    .clk_i(clk_i), .bits_i(kernel_bits), .pairs_i(kernel_i), .base_i(kernel_base_i), .sum_o(kernel4)
  );

  // stage 4: what the weight is to change by, in units of the weight
  reg  [DELTA_W-1:0]  dw_acc_q;
  wire [DELTA_W-1:0]  dw = use_acc_i ? dw_acc_q : kernel4;
`ifdef TERN_TESTBUG_WEIGHT_DITHER_BIT
  wire signed [DELTA_W:0] ready = $signed({dw[DELTA_W-1], dw}) +
      $signed({{(DELTA_W+1-DITHER_MAX){1'b0}}, r_i[DITHER_MAX-1:1], 1'b0});
`else
  wire signed [DELTA_W:0] ready = $signed({dw[DELTA_W-1], dw}) + $signed({{(DELTA_W+1-DITHER_MAX){1'b0}}, r_i});
`endif
  wire signed [DELTA_W:0] step;
  generate
    if (DITHER_MIN == DITHER_MAX) begin : g_fixed
      assign step = ready >>> DITHER_MIN;
      wire unused_shift = &{1'b0, dither_bits_i};
    end else begin : g_shifter
      wire signed [DELTA_W:0] least = ready >>> DITHER_MIN;
      assign step = least >>> (dither_bits_i - SHIFT_MIN);
    end
  endgenerate
  wire [DELTA_W+WEIGHT_W+1:0] wide = {{(WEIGHT_W+1){step[DELTA_W]}}, step};
  reg  [WEIGHT_W-1:0]   w5_q;
  reg  [WEIGHT_W+1:0]   near_q;   // sign and lowest bits of the step
  reg                   far_q;    // it needs more: limited, whatever the weight
`ifdef TERN_COSIM
  reg                   some_q;   // dw is not 0: told only, for what is added is 0 then, as is the dither below it
`endif
  reg  [X_W-1:0]        x5_q, x6_q;
  reg  [DITHER_MAX-1:0] r5_q, r_q;
  always @(posedge clk_i) begin
    w5_q   <= w_i;
    near_q <= {step[DELTA_W], wide[WEIGHT_W:0]};
    far_q  <= (wide[DELTA_W+WEIGHT_W+1:WEIGHT_W] != {(DELTA_W+2){step[DELTA_W]}});
`ifdef TERN_COSIM
    some_q <= (dw != {DELTA_W{1'b0}});
`endif
    x5_q   <= x4;
    r5_q   <= r_i;
  end

  // stage 5: new weight, operands
`ifdef TERN_TESTBUG_LANE_ABSENT_IGNORED
  wire                       absent = 1'b0;
`else
  wire                       absent = (w5_q == ~top_i);
`endif
  wire signed [WEIGHT_W+1:0] top    = $signed({2'b00, top_i});
  wire signed [WEIGHT_W+1:0] total  = $signed({{2{w5_q[WEIGHT_W-1]}}, w5_q}) + $signed(near_q);
  wire                       minus  = near_q[WEIGHT_W+1];
  wire                       above, below;
  generate
    if (FIXED != 0) begin : g_limits // total needs more bits than a weight, or is the one number that no weight is
      assign above = far_q ? !minus : !total[WEIGHT_W+1] && (total[WEIGHT_W] || total[WEIGHT_W-1]);
      assign below = far_q ? minus : total[WEIGHT_W+1] &&
          !(total[WEIGHT_W] && total[WEIGHT_W-1] && total[WEIGHT_W-2:0] != {(WEIGHT_W-1){1'b0}});
      wire unused_top = &{1'b0, top};
    end else begin : g_top
      assign above = far_q ? !minus : total > top;
      assign below = far_q ? minus : total < -top;
    end
  endgenerate
  wire                       changed = update_i && !absent;
`ifdef TERN_TESTBUG_WEIGHT_NO_SAT
  wire                       sat    = 1'b0;
  wire unused_bug = &{1'b0, above, below};
`else
  wire                       sat    = changed && (above || below);
`endif
  wire [WEIGHT_W-1:0]        w_new  = !changed ? w5_q : !sat ? total[WEIGHT_W-1:0] : above ? top_i : ~top_i + 1'b1;
`ifdef TERN_TESTBUG_LANE_OLD_WEIGHT
  wire [WEIGHT_W-1:0]        w_use  = absent ? {WEIGHT_W{1'b0}} : w5_q;
`else
  wire [WEIGHT_W-1:0]        w_use  = absent ? {WEIGHT_W{1'b0}} : w_new;
`endif
  wire [15:0]                w_ext;
  generate
    if (WEIGHT_W < 16) begin : g_extend
      assign w_ext = {{(16-WEIGHT_W){w_use[WEIGHT_W-1]}}, w_use};
    end else begin : g_same
      assign w_ext = w_use;
    end
  endgenerate
  reg  [15:0]           a_q;
  reg  [WEIGHT_W-1:0]   w_old_q, w_new_q;
  reg                   changed_q, sat_q;
  always @(posedge clk_i) begin
    if (load_i || coef_i) a_q <= coef_i ? c_i : w_ext;
    x6_q      <= x5_q;
    w_old_q   <= w5_q;
    w_new_q   <= w_new;
`ifdef TERN_COSIM
    changed_q <= changed && some_q;
`else
    changed_q <= changed;
`endif
    sat_q     <= sat;
    r_q       <= r5_q;
  end
  assign w_read_o  = w5_q;
  assign w_old_o   = w_old_q;
  assign w_o       = w_new_q;
  assign changed_o = changed_q;
  assign sat_o     = sat_q;
  assign r_o       = r_q;

  // stage 6: product s16 x u.XF; stage 7: sum of a word's products
  reg signed [16+X_W:0] product_q;
  wire [DELTA_W-1:0]    product_ext = {{(DELTA_W-17-X_W+1){product_q[16+X_W]}}, product_q[15+X_W:0]};
  always @(posedge clk_i) begin
    product_q <= $signed(a_q) * $signed({1'b0, x6_q});
`ifdef TERN_TESTBUG_LANE_ACC_NOT_CLEARED
    if (acc_i) dw_acc_q <= dw_acc_q + product_ext;
`else
    if (acc_i) dw_acc_q <= (first_i ? {DELTA_W{1'b0}} : dw_acc_q) + product_ext;
`endif
  end
  assign product_o = product_q;
endmodule

`default_nettype wire
