// tern_kernel.v : learning kernel of a row for the small core
// SPDX-License-Identifier: Apache-2.0
//
// Function  f[q] = sum over d of C(d) a(q - d) (kernel form of N-13), as tern_stream takes it: for each pair of taps q
//           = 2 i + 1, 2 i + 2 their sum S and their difference D. Both are sums of products themselves: of C(d) with
//           the sums and the differences of neighbouring filter taps, which tern_micro has written. One product per
//           cycle.
// C model   runtime/blocks/tern_kernel.c, tern_kernel_taps()
// Latency   start_i, then 2 (HIST_W / 2) LAGS_W + 4 cycles; busy_o meanwhile
// Memory    {filter, 0: sums, 1: differences, LAGS_W + tau - 2}: a[tau] and a[tau + 1], 0 around; C(d) in a ring,
//           written d = 0 first, always LAGS_W of them
`default_nettype none

module tern_kernel #(
  parameter LAGS_W   = 3,
  parameter HIST_W   = 13,
  parameter TAP_W    = 9,
  parameter KERNEL_W = 22,
  // Bits of C(d), signed.
  parameter C_W      = 16,
  // log2 of the words of a filter's sums, and of its differences.
  parameter STRIDE_W = 4,
  parameter FILTER_W = 2,
  // First word of the kernel in the row buffer.
  parameter AT       = 8
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           start_i,
  input  wire [FILTER_W-1:0]            filter_i,
  output wire                           busy_o,
  // writes of tern_micro
  input  wire                           taps_we_i,
  input  wire                           sumc_we_i,
  input  wire [FILTER_W+STRIDE_W:0]     waddr_i,
  input  wire [C_W-1:0]                 wdata_i,
  // memory: row buffer, words S and D by turns
  output wire                           we_o,
  output wire [5:0]                     waddr_o,
  output wire [31:0]                    wdata_o
);
  localparam A = FILTER_W + STRIDE_W + 1;
  localparam LAG_W = $clog2(LAGS_W + 1);
  reg                  run_q;
  reg  [5:0]           n_q;       // word: 2 i sum, 2 i + 1 difference
  reg  [LAG_W-1:0]     d_q;
  reg  [STRIDE_W-1:0]  at_q;
  reg  [FILTER_W-1:0]  filter_q;
  reg  [C_W*LAGS_W-1:0] c_q;      // lowest: that of the next product
  wire                 d_end = ({{(32-LAG_W){1'b0}}, d_q} == LAGS_W - 1);
`ifdef TERN_TESTBUG_KERNEL_ONE_MORE
  wire                 n_end = ({26'd0, n_q} == 2 * (HIST_W / 2));
`else
  wire                 n_end = ({26'd0, n_q} == 2 * (HIST_W / 2) - 1);
`endif
  wire signed [TAP_W+1:0] a;
  tern_ram #(.WIDTH(TAP_W+2), .DEPTH(1 << A), .ADDR_W(A)) u_taps (
    .clk_i(clk_i), .we_i(taps_we_i), .waddr_i(waddr_i), .wdata_i(wdata_i[TAP_W+1:0]), .re_i(run_q),
    .raddr_i({filter_q, n_q[0], at_q}), .rdata_o(a)
  );
  wire unused_wdata = &{1'b0, wdata_i};

  // 1: operands; 2: product; 3: sum
  reg                      valid1_q, end1_q, first1_q, valid2_q, end2_q, first2_q, store_q;
  reg signed [C_W+TAP_W+1:0] p_q;
  reg  [KERNEL_W:0]        sum_q;
  reg  [5:0]               waddr_q;
  wire [KERNEL_W:0]        p_ext;
  generate
    if (KERNEL_W > C_W + 1 + TAP_W) begin : g_wide
      assign p_ext = {{(KERNEL_W-C_W-1-TAP_W){p_q[C_W+1+TAP_W]}}, p_q};
    end else begin : g_cut
      assign p_ext = p_q[KERNEL_W:0];
      wire unused_p = &{1'b0, p_q};
    end
  endgenerate
  always @(posedge clk_i) begin
    // the ring turns with the products, which it enters one cycle behind the address
    if (valid1_q) c_q <= (c_q >> C_W) | ({{(C_W*LAGS_W-C_W){1'b0}}, c_q[C_W-1:0]} << (C_W * LAGS_W - C_W));
    if (sumc_we_i) c_q <= (c_q >> C_W) | ({{(C_W*LAGS_W-C_W){1'b0}}, wdata_i} << (C_W * LAGS_W - C_W));
    if (start_i) begin
      run_q    <= 1'b1;
      n_q      <= 6'd0;
      d_q      <= {LAG_W{1'b0}};
      filter_q <= filter_i;
      at_q     <= LAGS_W[STRIDE_W-1:0];
    end else if (run_q) begin
      d_q <= d_end ? {LAG_W{1'b0}} : d_q + 1'b1;
      // W addresses downwards; then the differences from the same one, or the next pair's sums, two taps further
`ifdef TERN_TESTBUG_KERNEL_PAIR_STEP
      at_q <= !d_end ? at_q - 1'b1 : at_q + LAGS_W[STRIDE_W-1:0] - 1'b1;
`else
      at_q <= !d_end ? at_q - 1'b1 : n_q[0] ? at_q + LAGS_W[STRIDE_W-1:0] + 1'b1 : at_q + LAGS_W[STRIDE_W-1:0] - 1'b1;
`endif
      if (d_end) begin
        n_q <= n_q + 6'd1;
        if (n_end) run_q <= 1'b0;
      end
    end
    valid1_q <= run_q; first1_q <= (d_q == {LAG_W{1'b0}}); end1_q <= d_end;
    valid2_q <= valid1_q; first2_q <= first1_q; end2_q <= end1_q;
`ifdef TERN_TESTBUG_KERNEL_C_CUT
    p_q      <= $signed(c_q[15:0]) * a;
`else
    p_q      <= $signed(c_q[C_W-1:0]) * a;
`endif
    if (valid2_q) sum_q <= (first2_q ? {(KERNEL_W+1){1'b0}} : sum_q) + p_ext;
    store_q  <= valid2_q && end2_q;
    if (start_i) waddr_q <= AT[5:0];
    else if (store_q) waddr_q <= waddr_q + 6'd1;
    if (rst_i) begin
      run_q    <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      store_q  <= 1'b0;
    end
  end
  assign we_o    = store_q;
  assign waddr_o = waddr_q;
  assign wdata_o = {{(31-KERNEL_W){sum_q[KERNEL_W]}}, sum_q};
  assign busy_o  = start_i || run_q || valid1_q || valid2_q || store_q;
endmodule

`default_nettype wire
