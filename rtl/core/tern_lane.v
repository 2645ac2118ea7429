// tern_lane.v : one lane of the pass over the weights: history, trace, weight, product
// SPDX-License-Identifier: Apache-2.0
//
// Function  one pre-synaptic unit per cycle: history view, kernel sum, new weight, product with the trace
//           (docs/31-blocks.md, pipeline). WAYS > 1: of WAYS samples in rows from neurons; the others are in tern_way.
//           KERNELS = 1: there the samples' kernel sums of a word are added, and its traces kept for their products
// Latency   history_i, spike_i, w_i and the op of stage 1 in cycle 1; new history in cycle 1; w_o in cycle 7; product_o
//           in cycle 8
`default_nettype none

module tern_lane #(
  parameter TAPS_D     = 10,  // D capacity
  parameter HIST_W     = 14,  // history bits, at least D + W of a network, 2..64
  parameter LAG_W      = 6,   // bits of a lag
  parameter WEIGHT_W   = 16,  // stored weight bits
  parameter TAP_W      = 9,   // filter tap bits
  parameter X_W        = 13,  // trace bits
  parameter KERNEL_W   = 32,  // kernel tap bits
  parameter DELTA_W    = 40,  // weight change bits
  parameter DITHER_MIN = 1,
  parameter DITHER_MAX = 31,
  parameter WAYS       = 1,   // samples per cycle in rows from neurons
  parameter KERNELS    = 0,   // 1: these have a kernel for each sample
  parameter SAMPLE_W   = 3,   // bits of a sample number
  parameter ROOM       = 0    // of tern_weight
) (
  input  wire                                clk_i,
  // memory, stage 1
  input  wire [HIST_W-1:0]            history_i,
  input  wire                                spike_i,
  input  wire [WEIGHT_W-1:0]                 w_i,
  // control, stage 1
  input  wire                                shift_i,
  input  wire [LAG_W-1:0]                    lag_i,
  // control, stage 5
  input  wire                                update_i,   // the weight may change
  // dw comes from the accumulator (of products, or of the samples' kernel sums) instead of the kernel sum
  input  wire                                use_acc_i,
  // KERNELS = 1: traces are kept when the kernel sum of their sample k is made, and taken for its product
  input  wire [SAMPLE_W-1:0]                 k_i,
  input  wire                                use_x_i,
  input  wire [DITHER_MAX-1:0]               r_i,
  input  wire [4:0]                          dither_bits_i,
  // control, stage 6
  input  wire                                load_i,     // operand A takes the (new) weight
  input  wire                                coef_i,     // operand A takes the learning coefficient
  input  wire [15:0]                         c_i,
  // control, stage 7; WAYS > 1: stage 8; KERNELS = 1: stage 5
  input  wire                                acc_i,      // add the product (kernel sum) to the dw accumulator ...
  input  wire                                first_i,    // ... or start it
  input  wire                                last_i,     // WAYS > 1: what it comes to is kept for the new weight
  // WAYS > 1: products of the other samples, stage 8
  input  wire [(WAYS > 1 ? WAYS - 1 : 1)*(17+X_W)-1:0] products_i,
  // config
  input  wire [HIST_W/2*(2*KERNEL_W+1)-1:0]  kernel_i,      // taps in pairs, stage 2; their base, stage 4 (tern_tapsum)
  input  wire [DELTA_W-1:0]                  kernel_base_i,
  input  wire [(TAPS_D+1)/2*(2*TAP_W+3)-1:0] taps_i,
  input  wire [X_W-1:0]                      taps_base_i,
  input  wire [WEIGHT_W-1:0]                 top_i,
  input  wire [WEIGHT_W-1:0]                 bottom_i,      // -top
  input  wire [WEIGHT_W-1:0]                 absent_i,
  // output
  output wire [HIST_W-1:0]            history_o,  // stage 1, combinational
  output wire [WEIGHT_W-1:0]                 w_old_o,    // stage 7
  output wire [WEIGHT_W-1:0]                 w_o,        // stage 7
  output wire                                changed_o,  // stage 7
  output wire                                sat_o,      // stage 7
  output wire [DITHER_MAX-1:0]               r_o,        // stage 7
  output wire [15:0]                         a_o,        // stage 6: weight for operand A
  output wire [16+X_W:0]                     product_o   // stage 8, signed
);
  localparam N_KERNEL = HIST_W - 1;

  // ---- stage 1: history ------------------------------------------------------
  wire [HIST_W-1:0] lagged;
  tern_history #(.HIST_W(HIST_W), .LAG_W(LAG_W)) u_history (
    .history_i(history_i), .spike_i(spike_i), .shift_i(shift_i), .lag_i(lag_i), .history_o(history_o), .lagged_o(lagged)
  );
  wire unused_lagged = &{1'b0, lagged};
  // bit q of the history is s(t-q); tap q-1 of the kernel is f[q]
`ifdef TERN_TESTBUG_LANE_KERNEL_TAP_OFF_BY_ONE
  wire [N_KERNEL-1:0] kernel_bits = history_o[N_KERNEL-1:0];
`else
  wire [N_KERNEL-1:0] kernel_bits = history_o[N_KERNEL:1];
`endif
  reg [TAPS_D-1:0]   trace_bits_q;
  reg [N_KERNEL-1:0] kernel_bits_q;
  always @(posedge clk_i) begin
    trace_bits_q  <= lagged[TAPS_D-1:0];
    kernel_bits_q <= kernel_bits;
  end

  // ---- stages 2..4: trace and kernel sums --------------------------------------
  wire [X_W-1:0]     x5;
  wire [DELTA_W-1:0] kernel5;
  tern_trace #(.TAPS_D(TAPS_D), .TAP_W(TAP_W), .X_W(X_W)) u_trace (
    .clk_i(clk_i), .bits_i(trace_bits_q), .taps_i(taps_i), .base_i(taps_base_i), .x_o(x5)
  );
  tern_tapsum #(.TAPS(N_KERNEL), .TAP_W(KERNEL_W), .SUM_W(DELTA_W)) u_kernel (
    .clk_i(clk_i), .bits_i(kernel_bits_q), .pairs_i(kernel_i), .base_i(kernel_base_i), .sum_o(kernel5)
  );
  reg [WEIGHT_W-1:0] w2_q, w3_q, w4_q, w5_q, w6_q;
  always @(posedge clk_i) begin
    w2_q <= w_i;
    w3_q <= w2_q;
    w4_q <= w3_q;
    w5_q <= w4_q;
    w6_q <= w5_q;
  end

  wire [X_W-1:0] x_now;
  generate
    if (KERNELS != 0) begin : g_kept
      wire [X_W-1:0] kept;
      tern_regfile #(.WIDTH(X_W), .DEPTH(1 << SAMPLE_W), .ADDR_W(SAMPLE_W)) u_kept (
        .clk_i(clk_i), .we_i(acc_i), .waddr_i(k_i), .wdata_i(x5), .raddr_i(k_i), .rdata_o(kept)
      );
`ifdef TERN_TESTBUG_LANE_TRACE_OF_NEXT
      assign x_now = x5;
      wire unused_kept = &{1'b0, kept, use_x_i};
`else
      assign x_now = use_x_i ? kept : x5;
`endif
    end else begin : g_made
      assign x_now = x5;
      wire unused_kept = &{1'b0, k_i, use_x_i};
    end
  endgenerate

  // ---- stages 5, 6: new weight, operands ----------------------------------------
  wire [DELTA_W-1:0]  dw_acc;
  wire [DELTA_W-1:0]  dw = use_acc_i ? dw_acc : kernel5;
`ifdef TERN_TESTBUG_LANE_ABSENT_IGNORED
  wire                absent = 1'b0;
`else
  wire                absent = (w5_q == absent_i);
`endif
  wire [WEIGHT_W-1:0] w_new;
  wire                changed, sat;
  tern_weight #(
    .WEIGHT_W(WEIGHT_W), .DELTA_W(DELTA_W), .DITHER_MIN(DITHER_MIN), .DITHER_MAX(DITHER_MAX), .ROOM(ROOM)
  ) u_weight (
    .clk_i(clk_i), .w_i(w5_q), .dw_i(dw), .r_i(r_i), .enable_i(update_i && !absent), .dither_bits_i(dither_bits_i),
    .top_i(top_i), .bottom_i(bottom_i),
    .w_o(w_new), .changed_o(changed), .sat_o(sat)
  );

  reg [15:0]           a_q;
  reg [X_W-1:0]        x6_q, x7_q;
  reg                  absent6_q;
  reg [WEIGHT_W-1:0]   w_old_q, w_new_q;
  reg                  changed_q, sat_q;
  reg [DITHER_MAX-1:0] r6_q, r7_q;
`ifdef TERN_TESTBUG_LANE_OLD_WEIGHT
  wire [WEIGHT_W-1:0]  w_use = absent6_q ? {WEIGHT_W{1'b0}} : w6_q;
`else
  wire [WEIGHT_W-1:0]  w_use = absent6_q ? {WEIGHT_W{1'b0}} : w_new;
`endif
  wire [15:0]          w_ext;
  generate
    if (WEIGHT_W < 16) begin : g_extend
      assign w_ext = {{(16-WEIGHT_W){w_use[WEIGHT_W-1]}}, w_use};
    end else begin : g_same
      assign w_ext = w_use;
    end
  endgenerate
  always @(posedge clk_i) begin
    x6_q      <= x_now;
    x7_q      <= x6_q;
    absent6_q <= absent;
    if (load_i) a_q <= w_ext;
    if (coef_i) a_q <= c_i;
    w_old_q   <= w6_q;
    w_new_q   <= w_new;
    changed_q <= changed;
    sat_q     <= sat;
    r6_q      <= r_i;
    r7_q      <= r6_q;
  end
  assign w_old_o   = w_old_q;
  assign w_o       = w_new_q;
  assign changed_o = changed_q;
  assign sat_o     = sat_q;
  assign r_o       = r7_q;

  // ---- stage 7: product s16 x u.XF -----------------------------------------------
  wire signed [16+X_W:0]  product = $signed(a_q) * $signed({1'b0, x7_q});
  reg  [16+X_W:0]         product_q;
  always @(posedge clk_i) product_q <= product;
  assign a_o = w_ext;

  // ---- change of a weight from a neuron: one sample per cycle, added in stage 7, or in stage 5 if it is a kernel sum;
  // or several, added in stage 8, while the next word's change is begun before this word's weight is made
  generate
    if (WAYS == 1) begin : g_acc
      wire [DELTA_W-1:0] product_ext = (KERNELS != 0) ? kernel5 : {{(DELTA_W-17-X_W){product[16+X_W]}}, product};
      reg  [DELTA_W-1:0] dw_acc_q;
      always @(posedge clk_i) begin
`ifdef TERN_TESTBUG_LANE_ACC_NOT_CLEARED
        if (acc_i) dw_acc_q <= dw_acc_q + product_ext;
`else
        if (acc_i) dw_acc_q <= first_i ? product_ext : dw_acc_q + product_ext;
`endif
      end
      assign dw_acc = dw_acc_q;
      wire unused_ways = &{1'b0, products_i, last_i};
    end else begin : g_ways
      reg  [DELTA_W-1:0] dw_acc_q, dw_ready_q, sum;
      reg                unused_sum;
      integer            j;
      always @* begin
`ifdef TERN_TESTBUG_LANE_WAYS_ACC_NOT_CLEARED
        sum        = dw_acc_q;
`else
        sum        = first_i ? {DELTA_W{1'b0}} : dw_acc_q;
`endif
        {sum, unused_sum} = {sum, 1'b0} + {{(DELTA_W-17-X_W){product_q[16+X_W]}}, product_q, 1'b0};
        for (j = 0; j < WAYS - 1; j = j + 1)
          {sum, unused_sum} = {sum, 1'b0} + {{(DELTA_W-17-X_W){products_i[j*(17+X_W)+16+X_W]}},
              products_i[j*(17+X_W) +: 17+X_W], 1'b0};
      end
      always @(posedge clk_i) begin
        if (acc_i) dw_acc_q <= sum;
`ifdef TERN_TESTBUG_LANE_READY_EARLY
        if (acc_i && first_i) dw_ready_q <= sum;
`else
        if (acc_i && last_i) dw_ready_q <= sum;
`endif
      end
      assign dw_acc = dw_ready_q;
    end
  endgenerate
  assign product_o = product_q;
endmodule

`default_nettype wire
