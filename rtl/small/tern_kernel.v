// tern_kernel.v : learning kernel of a row for the small core
// SPDX-License-Identifier: Apache-2.0
//
// Function  f[q] = sum over d of C(d) a(q - d), one product per cycle (kernel form of N-13); written to the row buffer as tern_stream loads it: base, then
//           pairs: {S}, {D / 2}
// C model   runtime/blocks/tern_kernel.c, tern_kernel_taps()
// Latency   start_i, then 2 (HIST_W / 2) (lags) + 5 cycles; busy_o meanwhile
// Memory    taps: filter * 2^STRIDE_W + LAGS_W - 1 + tau - 1, zeros around; C(d): d
`default_nettype none

module tern_kernel #(
  parameter LAGS_W   = 3,
  parameter LAG_W    = 2,
  parameter HIST_W   = 13,
  parameter TAP_W    = 9,
  parameter KERNEL_W = 22,
  parameter DELTA_W  = 28,
  // log2 of the words of a filter.
  parameter STRIDE_W = 4,
  parameter FILTER_W = 2,
  // First word of the row buffer: the base.
  parameter AT       = 8
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         start_i,
  input  wire [FILTER_W-1:0]          filter_i,
  output wire                         busy_o,
  input  wire [LAG_W-1:0]             cfg_lag_last_i,
  // writes of tern_micro
  input  wire                         taps_we_i,
  input  wire                         sumc_we_i,
  input  wire [FILTER_W+STRIDE_W-1:0] waddr_i,
  input  wire [15:0]                  wdata_i,
  // memory: row buffer
  output wire                         we_o,
  output wire [5:0]                   waddr_o,
  output wire [31:0]                  wdata_o
);
  localparam N_KERNEL = HIST_W / 2;
  localparam A = FILTER_W + STRIDE_W;
  reg                 run_q;
  reg  [5:0]          j_q;       // tap number - 1
  reg  [LAG_W-1:0]    d_q;
  reg  [A-1:0]        first_q, at_q;
  wire                d_end = (d_q == cfg_lag_last_i);
  wire                j_end = ({26'd0, j_q} == 2 * N_KERNEL - 1);
  wire signed [15:0]  c;
  wire [TAP_W-1:0]    a;
  tern_ram #(.WIDTH(TAP_W), .DEPTH(1 << A), .ADDR_W(A)) u_taps (
    .clk_i(clk_i), .we_i(taps_we_i), .waddr_i(waddr_i), .wdata_i(wdata_i[TAP_W-1:0]), .re_i(run_q), .raddr_i(at_q), .rdata_o(a)
  );
  tern_ram #(.WIDTH(16), .DEPTH(1 << LAG_W), .ADDR_W(LAG_W)) u_sumc (
    .clk_i(clk_i), .we_i(sumc_we_i), .waddr_i(waddr_i[LAG_W-1:0]), .wdata_i(wdata_i), .re_i(run_q), .raddr_i(d_q), .rdata_o(c)
  );

  // 1: operands; 2: product; 3: sum; 4: pairs
  reg                  valid1_q, end1_q, last1_q, first1_q, valid2_q, end2_q, last2_q, first2_q, valid3_q, last3_q, odd1_q, odd2_q, odd3_q, done_q, second_q;
  reg signed [16+TAP_W:0] p_q;
  reg  [KERNEL_W-1:0]  sum_q, even_q;
  reg  [5:0]           pair_q;
  reg  [DELTA_W-1:0]   base_q;   // sum of all taps and of the pairs' lowest bits; its half is what tern_stream adds
  reg  [KERNEL_W:0]    diff_q;
  wire [KERNEL_W-1:0]  p_ext;
  generate
    if (KERNEL_W > 17 + TAP_W) begin : g_wide
      assign p_ext = {{(KERNEL_W-17-TAP_W){p_q[16+TAP_W]}}, p_q};
    end else begin : g_cut
      assign p_ext = p_q[KERNEL_W-1:0];
      wire unused_p = &{1'b0, p_q};
    end
  endgenerate
  wire                 store_even = valid3_q && !odd3_q;
  wire                 store_pair = valid3_q && odd3_q;
  wire [KERNEL_W:0]    s = {even_q[KERNEL_W-1], even_q} + {sum_q[KERNEL_W-1], sum_q};
  wire [KERNEL_W:0]    d = {even_q[KERNEL_W-1], even_q} - {sum_q[KERNEL_W-1], sum_q};
  reg                  first3_q;
  always @(posedge clk_i) begin
    if (start_i) begin
      run_q   <= 1'b1;
      j_q     <= 6'd0;
      d_q     <= {LAG_W{1'b0}};
      first_q <= {filter_i, {STRIDE_W{1'b0}}} + LAGS_W[A-1:0];
      at_q    <= {filter_i, {STRIDE_W{1'b0}}} + LAGS_W[A-1:0] - 1'b1;
    end
    if (run_q) begin
      d_q  <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
      at_q <= d_end ? first_q : at_q - 1'b1;
      if (d_end) begin
        first_q <= first_q + 1'b1;
        j_q     <= j_q + 6'd1;
        if (j_end) run_q <= 1'b0;
      end
    end
    valid1_q <= run_q; first1_q <= (d_q == {LAG_W{1'b0}}); end1_q <= d_end; odd1_q <= j_q[0]; last1_q <= d_end && j_end;
    valid2_q <= valid1_q; first2_q <= first1_q; end2_q <= end1_q; odd2_q <= odd1_q; last2_q <= valid1_q && last1_q;
    p_q      <= c * $signed({1'b0, a});
    if (valid2_q) sum_q <= (first2_q ? {KERNEL_W{1'b0}} : sum_q) + p_ext;
    valid3_q <= valid2_q && end2_q; odd3_q <= odd2_q; last3_q <= last2_q;
    if (store_even) even_q <= sum_q;
    first3_q <= start_i || (first3_q && !store_pair);
    if (start_i) base_q <= {DELTA_W{1'b0}};
    else if (store_pair) base_q <= base_q + {{(DELTA_W-KERNEL_W-1){s[KERNEL_W]}}, s} + {{(DELTA_W-1){1'b0}}, s[0]};
    diff_q   <= d;
    second_q <= store_pair;
    done_q   <= second_q && !run_q && !valid1_q && !valid2_q && !valid3_q;
    if (start_i) pair_q <= AT[5:0] + 6'd1;
    else if (second_q || store_pair) pair_q <= pair_q + 6'd1;
    if (rst_i) begin
      run_q    <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      second_q <= 1'b0;
      done_q   <= 1'b0;
    end
  end
  wire unused_last = &{1'b0, last3_q, first3_q, diff_q[0], base_q[0]};
  wire [31:0] s_ext    = {{(31-KERNEL_W){s[KERNEL_W]}}, s};
  wire [31:0] d_ext    = {{(32-KERNEL_W){diff_q[KERNEL_W]}}, diff_q[KERNEL_W:1]};
  wire [31:0] base_ext = {{(33-DELTA_W){base_q[DELTA_W-1]}}, base_q[DELTA_W-1:1]};
  assign we_o    = store_pair || second_q || done_q;
  assign waddr_o = done_q ? AT[5:0] : pair_q;
  assign wdata_o = done_q ? base_ext : second_q ? d_ext : s_ext;
  assign busy_o  = start_i || run_q || valid1_q || valid2_q || valid3_q || second_q || done_q;
endmodule

`default_nettype wire
