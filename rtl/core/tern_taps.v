// tern_taps.v : filter taps and learning kernel of a row, taps of a neuron's self-memory
// SPDX-License-Identifier: Apache-2.0
//
// Function  taps_o: filter taps of the row; kernel_o: f[q] = sum over d of C(d) a(q - d) (kernel form of N-13); all in
//           pairs with their base, as tern_tapsum takes them. PREP = 1: one product per cycle. PREP > 1: f is what a
//           filter with the coefficients C makes of the taps a, or the other way round. The shorter of the two lies in
//           registers, N values at most; the other one comes value by value, each of which is multiplied by all of
//           them, PREP per cycle, and added to a chain of N sums, which moves on by one place for each value. Its
//           first sum is the next tap of the kernel. After the last one all others are zero again
//           KERNELS = 1: the kernel of a sample, each_i, has its coefficients c(k, d) instead of the sums C, and goes
//           into the memory of tern_kernels pair by pair
// C model   runtime/blocks/tern_kernel.c, tern_kernel_taps()
// Latency   tern_prepare sends a tap number and reads tap and sum; both are there one cycle later. The tap of a
//           self-memory is stored in that cycle; those of filter and kernel are stored three cycles after that, in
//           order, and the first one of a row clears the others: so a row may begin before tern_pass has copied the
//           taps of the one before
`default_nettype none

module tern_taps #(
  parameter TAPS_D   = 10,
  parameter HIST_W   = 14,  // history bits
  parameter Q_W      = 6,   // bits of a tap number
  parameter TAP_W    = 9,
  parameter X_W      = 13,
  parameter KERNEL_W = 32,
  parameter DELTA_W  = 40,
  parameter LAGS_W   = 4,   // W capacity
  // Products per cycle, 1 to N = min(TAPS_D, LAGS_W).
  parameter PREP     = 1,
  // 1: kernels of single samples as well (tern_kernels); bits of a sample number.
  parameter KERNELS  = 0,
  parameter SAMPLE_W = 3,
  // Bits of all pairs of a filter and of a kernel: derived as in tern_tapsum, a filter's taps with a sign; do not set.
  parameter TAPS_PW   = (TAPS_D + 1) / 2 * (2 * TAP_W + 3),
  parameter KERNEL_PW = HIST_W / 2 * (2 * KERNEL_W + 1)
) (
  input  wire             clk_i,
  input  wire             rst_i,
  // control
  input  wire             begin_i,    // pulse: a pass begins, nothing is under way
  input  wire             tap_i,      // tap q of the row's filter is read and stored
  input  wire             hold_i,     // PREP > 1: value q for the registers is read
  input  wire             product_i,  // a product of the kernel's tap q is read ...
  input  wire             first_i,    // ... the first of the tap
  input  wire             end_i,      // ... the last
  input  wire [Q_W-1:0]   q_i,        // tap number - 1, ascending from 0
  input  wire [4:0]       block_i,    // PREP > 1: of the PREP values in registers, ascending from 0 for each tap
  input  wire             rest_i,     // PREP > 1: no further value comes: the chain moves on, all blocks at once
  input  wire             each_i,     // the kernel is that of a sample, from its coefficients ...
  input  wire [SAMPLE_W:0] each_at_i, // ... {row, sample} for tern_kernels
  input  wire             self_i,     // tap of the self-memory's filter is read ...
  input  wire [Q_W-1:0]   self_q_i,   // ... its number - 1, ascending from 0
  // one cycle later
  input  wire [TAP_W-1:0] taps_rdata_i,
  input  wire [20:0]      sumc_rdata_i,
  input  wire [15:0]      coef_rdata_i,
  // output
  output wire [TAPS_PW-1:0]   taps_o,
  output wire [X_W-1:0]       taps_base_o,
  output wire [TAPS_PW-1:0]   self_taps_o,
  output wire [X_W-1:0]       self_base_o,
  output wire [KERNEL_PW-1:0] kernel_o,
  output wire [DELTA_W-1:0]   kernel_base_o,
  // output: taps of a sample's kernel, pair by pair
  output wire [HIST_W/2-1:0]  each_we_o,
  output wire [SAMPLE_W:0]    each_waddr_o,
  output wire [KERNEL_PW-1:0] each_wdata_o,
  output wire [DELTA_W-1:0]   each_base_o
);
  localparam N_TAPS   = (TAPS_D + 1) / 2;    // pairs
  localparam N_KERNEL = HIST_W / 2;
  localparam TAP_PW   = 2 * TAP_W + 3;       // bits of a pair
  localparam K_PW     = 2 * KERNEL_W + 1;

  reg                 self1_q, tap1_q, tap2_q, tap3_q, tap4_q, product1_q, product2_q, product3_q;
  reg [Q_W-1:0]       self_q1_q, q1_q, q2_q, q3_q, q4_q;
  reg [TAP_W-1:0]     a2_q, a3_q, a4_q;
  reg [KERNEL_W-1:0]  even_kernel_q;
  reg [TAP_W-1:0]     even_tap_q, even_self_q;
  reg [TAPS_PW-1:0]   taps_q, self_taps_q;
  reg [KERNEL_PW-1:0] kernel_q;
  reg [X_W-1:0]       taps_base_q, self_base_q;
  reg [DELTA_W-1:0]   kernel_base_q;
  wire                store4;                // a tap of the kernel is there, number q4_q
  wire [KERNEL_W-1:0] sum4;

  // An even tap is stored alone, S = D = a; the odd one behind it completes the pair. What is stored is computed where
  // it is, under its condition, since a simulator then does nothing while there is none.
  // The base is the sum over all pairs of S / 2, rounded up. A tap t adds t / 2, rounded up if it is even or behind an
  // even a, else down: (a + b) / 2 rounded up is a / 2 rounded up, plus b / 2 rounded down if a is odd and up if it is
  // even. The carry of the adder rounds.
  wire             odd1 = self_q1_q[0], odd4 = q4_q[0];
  wire             none1 = (self_q1_q == {Q_W{1'b0}}), none4 = (q4_q == {Q_W{1'b0}});
`ifdef TERN_TESTBUG_PREPARE_KERNEL_NOT_CLEARED
  wire             clear4 = 1'b0;
`else
  wire             clear4 = none4;
`endif
  // a kernel of a sample goes into a memory instead of the registers
  reg                 each1_q, each2_q, each3_q, each4_q;
  reg [SAMPLE_W:0]    at1_q, at2_q, at3_q, at4_q;
  always @(posedge clk_i) begin
    {each4_q, each3_q, each2_q, each1_q} <= {each3_q, each2_q, each1_q, (KERNELS != 0) && each_i};
    at1_q <= each_at_i; at2_q <= at1_q; at3_q <= at2_q; at4_q <= at3_q;
  end
  wire [20:0] sum_c = ((KERNELS != 0) && each1_q) ? {{5{coef_rdata_i[15]}}, coef_rdata_i} : sumc_rdata_i;
  wire unused_each = &{1'b0, each4_q, at4_q, coef_rdata_i};
  // {D / 2, S / 2} of the taps a and b, a pair without b if it is not odd: S and D, halved, and the bit that they share
  // verilator lint_off BLKSEQ
  // variables of a function, which Verilator 5.032 takes for registers where a clocked block calls it
  function [TAP_PW-1:0] tap_pair(input [TAP_W-1:0] a, input [TAP_W-1:0] b, input odd);
    reg [TAP_W+1:0] sum;
    reg [TAP_W:0]   less;
    reg [1:0]       unused_low;
    begin
      sum                = {2'b00, a} + {2'b00, b};
      {less, unused_low} = {2'b00, a, odd} + {{2'b00, b} ^ {(TAP_W+2){odd}}, odd};
      tap_pair           = {sum[0], less, sum[TAP_W+1:1]};
    end
  endfunction
  function [K_PW-1:0] kernel_pair(input [KERNEL_W-1:0] a, input [KERNEL_W-1:0] b, input odd);
    reg [KERNEL_W:0]   sum;
    reg [KERNEL_W-1:0] less;
    reg [1:0]          unused_low;
    begin
      sum                = {a[KERNEL_W-1], a} + {b[KERNEL_W-1], b};
      {less, unused_low} = {a[KERNEL_W-1], a, odd} + {{b[KERNEL_W-1], b} ^ {(KERNEL_W+1){odd}}, odd};
      kernel_pair        = {sum[0], less, sum[KERNEL_W:1]};
    end
  endfunction
  // verilator lint_on BLKSEQ
  always @(posedge clk_i) begin
    self1_q    <= self_i;
    self_q1_q  <= self_q_i;
    {tap4_q, tap3_q, tap2_q, tap1_q} <= {tap3_q, tap2_q, tap1_q, tap_i};
    {product3_q, product2_q, product1_q} <= {product2_q, product1_q, product_i};
    q1_q <= q_i; q2_q <= q1_q; q3_q <= q2_q; q4_q <= q3_q;
    a2_q <= taps_rdata_i; a3_q <= a2_q; a4_q <= a3_q;
    if (rst_i) begin
      self1_q <= 1'b0;
      {tap4_q, tap3_q, tap2_q, tap1_q} <= 4'd0;
      {product3_q, product2_q, product1_q} <= 3'd0;
    end
  end
  // Taps behind the row's last one are zero: the first one, of pair 0, clears the others. Clearing comes first, for it
  // is then the reset of a flip-flop and takes no look-up table.
  always @(posedge clk_i)
    if (tap4_q) begin : store_tap
      reg [TAP_W-1:0]  even;
      reg [TAP_PW-1:0] pair;
      reg              unused_half;
      integer          n;
      even = odd4 ? even_tap_q : {TAP_W{1'b0}};
      pair = tap_pair(even, a4_q, odd4);
      even_tap_q <= a4_q;
      {taps_base_q, unused_half} <= {none4 ? {X_W{1'b0}} : taps_base_q, 1'b1}
                                    + {{(X_W-TAP_W+1){1'b0}}, a4_q[TAP_W-1:1], a4_q[0] && !even[0]};
      for (n = 0; n < N_TAPS; n = n + 1)
        if (n != 0 && none4) taps_q[n*TAP_PW +: TAP_PW] <= {TAP_PW{1'b0}};
        else if ({1'b0, q4_q[Q_W-1:1]} == n[Q_W-1:0]) taps_q[n*TAP_PW +: TAP_PW] <= pair;
    end
  always @(posedge clk_i)
    if (begin_i) begin
      self_taps_q <= {TAPS_PW{1'b0}};
      self_base_q <= {X_W{1'b0}};
    end else if (self1_q) begin : store_self
      reg [TAP_W-1:0]  even;
      reg [TAP_PW-1:0] pair;
      reg              unused_half;
      integer          n;
      even = odd1 ? even_self_q : {TAP_W{1'b0}};
      pair = tap_pair(even, taps_rdata_i, odd1);
      even_self_q <= taps_rdata_i;
      {self_base_q, unused_half} <= {none1 ? {X_W{1'b0}} : self_base_q, 1'b1}
                                    + {{(X_W-TAP_W+1){1'b0}}, taps_rdata_i[TAP_W-1:1], taps_rdata_i[0] && !even[0]};
      for (n = 0; n < N_TAPS; n = n + 1)
        if ({1'b0, self_q1_q[Q_W-1:1]} == n[Q_W-1:0]) self_taps_q[n*TAP_PW +: TAP_PW] <= pair;
    end
  always @(posedge clk_i)
    if (store4) begin : store_kernel
      reg [KERNEL_W-1:0] even;
      reg [K_PW-1:0]     pair;
      reg                unused_half;
      integer            n;
      even = odd4 ? even_kernel_q : {KERNEL_W{1'b0}};
      pair = kernel_pair(even, sum4, odd4);
      even_kernel_q <= sum4;
      if (KERNELS == 0 || !each4_q) begin
        {kernel_base_q, unused_half} <= {none4 ? {DELTA_W{1'b0}} : kernel_base_q, 1'b1}
                                        + {{(DELTA_W-KERNEL_W+1){sum4[KERNEL_W-1]}}, sum4[KERNEL_W-1:1],
                                           sum4[0] && !even[0]};
        for (n = 0; n < N_KERNEL; n = n + 1)
          if (n != 0 && clear4) kernel_q[n*K_PW +: K_PW] <= {K_PW{1'b0}};
          else if ({1'b0, q4_q[Q_W-1:1]} == n[Q_W-1:0]) kernel_q[n*K_PW +: K_PW] <= pair;
      end
    end

  // ---- products -------------------------------------------------------------------
  // s21 x u.XF: 17 lower bits are one multiplier block, the others are added up
  localparam P_W = 22 + TAP_W;
  generate
    if (PREP <= 1) begin : g_serial
      reg                  first1_q, first2_q, first3_q, end1_q, end2_q, end3_q, store4_q;
      reg signed [27:0]    low2_q;
      reg [TAP_W+3:0]      high2_q;
      reg [KERNEL_W-1:0]   product3_d_q, sum4_q;
      wire [TAP_W-1:0]     a = taps_rdata_i;
      wire [20:0]          c = sum_c;
      wire [P_W-1:0]       product2 = {high2_q[TAP_W+3], high2_q, 17'd0} + {{(P_W-28){1'b0}}, low2_q};
      wire [KERNEL_W-1:0]  product2_ext;
      if (KERNEL_W > P_W) begin : g_wide
        assign product2_ext = {{(KERNEL_W-P_W){product2[P_W-1]}}, product2};
      end else begin : g_cut
        assign product2_ext = product2[KERNEL_W-1:0];
        wire unused_product = &{1'b0, product2};
      end
      always @(posedge clk_i) begin
        {first3_q, first2_q, first1_q} <= {first2_q, first1_q, first_i};
        {end3_q, end2_q, end1_q}       <= {end2_q, end1_q, end_i};
        if (product1_q) begin
          low2_q  <= $signed({1'b0, c[16:0]}) * $signed({1'b0, a});
          high2_q <= ({4'd0, a} & {(TAP_W+4){c[17]}}) + ({3'd0, a, 1'b0} & {(TAP_W+4){c[18]}})
                     + ({2'd0, a, 2'b00} & {(TAP_W+4){c[19]}}) - ({1'b0, a, 3'b000} & {(TAP_W+4){c[20]}});
        end
        if (product2_q) product3_d_q <= product2_ext;
        store4_q <= product3_q && end3_q && !rst_i;
        if (product3_q) sum4_q <= (first3_q ? {KERNEL_W{1'b0}} : sum4_q) + product3_d_q;
      end
      assign store4 = store4_q;
      assign sum4   = sum4_q;
      wire unused_chain = &{1'b0, hold_i, block_i, rest_i};
    end else begin : g_chain
      localparam TAPS_COME = (LAGS_W <= TAPS_D);               // else the sums of the coefficients do
      localparam N         = TAPS_COME ? LAGS_W : TAPS_D;      // values in registers
      localparam BLOCKS    = (N + PREP - 1) / PREP;
      localparam N_ALL     = BLOCKS * PREP;
      localparam R_W       = TAPS_COME ? 21 : TAP_W;
      reg [N*R_W-1:0]      r_q;
      reg [N_ALL*KERNEL_W-1:0] s_q;
      reg [PREP*P_W-1:0]   values2_q;
      reg [4:0]            block1_q, block2_q;
      reg                  hold1_q, rest1_q, rest2_q, store3_q, store4_q;
      reg [KERNEL_W-1:0]   sum4_q;
      wire [N_ALL*R_W-1:0] r_all;
      wire [R_W-1:0]       held;      // a value for the registers
      if (TAPS_COME) begin : g_hold_sums
        assign held = sum_c;
      end else begin : g_hold_taps
        assign held = taps_rdata_i;
      end
      genvar p;
      for (p = 0; p < N_ALL; p = p + 1) begin : g_value
        if (p < N) begin : g_some
          assign r_all[p*R_W +: R_W] = r_q[p*R_W +: R_W];
        end else begin : g_none
          assign r_all[p*R_W +: R_W] = {R_W{1'b0}};
        end
      end
      for (p = 0; p < PREP; p = p + 1) begin : g_product
        reg  [R_W-1:0]     r;
        integer            b;
        always @* begin
          r = r_all[p*R_W +: R_W];
          for (b = 1; b < BLOCKS; b = b + 1)
            if (block1_q == b[4:0]) r = r_all[(b*PREP+p)*R_W +: R_W];
        end
        wire [20:0]        c;
        wire [TAP_W-1:0]   a;
        if (TAPS_COME) begin : g_taps
          assign c = r;
          assign a = taps_rdata_i;
        end else begin : g_sums
          assign c = sum_c;
          assign a = r;
        end
        wire signed [27:0] low  = $signed({1'b0, c[16:0]}) * $signed({1'b0, a});
        wire [TAP_W+3:0]   high = ({4'd0, a} & {(TAP_W+4){c[17]}}) + ({3'd0, a, 1'b0} & {(TAP_W+4){c[18]}})
                                  + ({2'd0, a, 2'b00} & {(TAP_W+4){c[19]}}) - ({1'b0, a, 3'b000} & {(TAP_W+4){c[20]}});
        wire [P_W-1:0]     product = {high[TAP_W+3], high, 17'd0} + {{(P_W-28){1'b0}}, low};
        always @(posedge clk_i) values2_q[p*P_W +: P_W] <= rest1_q ? {P_W{1'b0}} : product;
      end
      // the chain: each sum takes the one behind it, as it was
      wire [N_ALL*KERNEL_W-1:0] s_next;
      for (p = 0; p < N_ALL; p = p + 1) begin : g_sum
        wire [P_W-1:0]      value2 = values2_q[(p%PREP)*P_W +: P_W];
        wire [KERNEL_W-1:0] value_ext;
        if (KERNEL_W > P_W) begin : g_wide
          assign value_ext = {{(KERNEL_W-P_W){value2[P_W-1]}}, value2};
        end else begin : g_cut
          assign value_ext = value2[KERNEL_W-1:0];
          wire unused_product = &{1'b0, value2};
        end
`ifdef TERN_TESTBUG_TAPS_CHAIN_STAYS
        wire [KERNEL_W-1:0] behind = s_q[p*KERNEL_W +: KERNEL_W];
`else
        wire [KERNEL_W-1:0] behind = (p + 1 < N_ALL) ? s_q[((p+1)%N_ALL)*KERNEL_W +: KERNEL_W] : {KERNEL_W{1'b0}};
`endif
        assign s_next[p*KERNEL_W +: KERNEL_W] = behind + value_ext;
      end
      integer m;
      always @(posedge clk_i) begin
        {block2_q, block1_q} <= {block1_q, block_i};
        {rest2_q, rest1_q}   <= {rest1_q, rest_i};
        hold1_q  <= hold_i && !rst_i;
        store3_q <= product2_q && (rest2_q || block2_q == 5'd0) && !rst_i;
        store4_q <= store3_q && !rst_i;
        sum4_q   <= s_q[KERNEL_W-1:0];
        for (m = 0; m < N_ALL; m = m + 1) begin
`ifdef TERN_TESTBUG_TAPS_BLOCK_FIRST
          if (product2_q && (rest2_q || block2_q == 5'd0))
            s_q[m*KERNEL_W +: KERNEL_W] <= s_next[m*KERNEL_W +: KERNEL_W];
`else
          if (product2_q && (rest2_q || {27'd0, block2_q} == m / PREP))
            s_q[m*KERNEL_W +: KERNEL_W] <= s_next[m*KERNEL_W +: KERNEL_W];
`endif
        end
        for (m = 0; m < N; m = m + 1)
          if (hold1_q && {{(32-Q_W){1'b0}}, q1_q} == m) r_q[m*R_W +: R_W] <= held;
        if (begin_i) begin
          s_q <= {(N_ALL*KERNEL_W){1'b0}};
`ifdef TERN_TESTBUG_TAPS_VALUES_KEPT
`else
          r_q <= {(N*R_W){1'b0}}; // lags or taps that the network does not have
`endif
        end
      end
      assign store4 = store4_q;
      assign sum4   = sum4_q;
      wire unused_serial = &{1'b0, first_i, end_i, sum_c, s_next, product3_q};
    end
  endgenerate

  genvar pr;
  generate
    if (KERNELS != 0) begin : g_each
      wire [KERNEL_W-1:0] even = odd4 ? even_kernel_q : {KERNEL_W{1'b0}};
      wire [K_PW-1:0]     pair = kernel_pair(even, sum4, odd4);
      wire [DELTA_W-1:0]  base;
      wire                unused_half;
      // the base of the row's kernel may still be waiting
      reg  [DELTA_W-1:0]  base_q;
      always @(posedge clk_i) if (store4 && each4_q) base_q <= base;
`ifdef TERN_TESTBUG_TAPS_EACH_BASE_OF_ROW
      wire [DELTA_W-1:0]  base_before = kernel_base_q;
      wire                unused_bug = &{1'b0, base_q};
`else
      wire [DELTA_W-1:0]  base_before = base_q;
`endif
      assign {base, unused_half} = {none4 ? {DELTA_W{1'b0}} : base_before, 1'b1}
                                   + {{(DELTA_W-KERNEL_W+1){sum4[KERNEL_W-1]}}, sum4[KERNEL_W-1:1],
                                      sum4[0] && !even[0]};
      for (pr = 0; pr < N_KERNEL; pr = pr + 1) begin : g_pair
        localparam [Q_W-1:0] P = pr;
        // the first tap, of pair 0, clears the others
        assign each_we_o[pr] = store4 && each4_q && ({1'b0, q4_q[Q_W-1:1]} == P || clear4);
        assign each_wdata_o[pr*K_PW +: K_PW] = (pr != 0 && clear4) ? {K_PW{1'b0}} : pair;
      end
      assign each_base_o = base;
    end else begin : g_rows
      assign each_we_o    = {N_KERNEL{1'b0}};
      assign each_wdata_o = {KERNEL_PW{1'b0}};
      assign each_base_o  = {DELTA_W{1'b0}};
    end
  endgenerate
  assign each_waddr_o  = at4_q;
  assign taps_o        = taps_q;
  assign taps_base_o   = taps_base_q;
  assign self_taps_o   = self_taps_q;
  assign self_base_o   = self_base_q;
  assign kernel_o      = kernel_q;
  assign kernel_base_o = kernel_base_q;
endmodule

`default_nettype wire
