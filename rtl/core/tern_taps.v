// tern_taps.v : filter taps and learning kernel of a row, taps of a neuron's self-memory
// SPDX-License-Identifier: Apache-2.0
//
// Function  taps_o: filter taps of the row; kernel_o: f[q] = sum over d of C(d) a(q - d), one product per cycle (kernel form of N-13); all in pairs with
//           their base, as tern_tapsum takes them
// C model   runtime/blocks/tern_kernel.c, tern_kernel_taps()
// Latency   tern_prepare sends a tap number and reads tap and sum; both are there one cycle later; the tap of the filter is stored in that cycle, that of the
//           kernel three cycles later (product, sum over d, pair). clear_i works in the next cycle, so tern_pass may take the taps two cycles after the row
`default_nettype none

module tern_taps #(
  parameter TAPS_D   = 10,
  parameter HIST_W   = 14,  // history bits
  parameter Q_W      = 6,   // bits of a tap number
  parameter TAP_W    = 9,
  parameter X_W      = 13,
  parameter KERNEL_W = 32,
  parameter DELTA_W  = 40,
  // Bits of all pairs of a filter and of a kernel: derived as in tern_tapsum, a filter's taps with a sign; do not set.
  parameter TAPS_PW   = (TAPS_D + 1) / 2 * (2 * TAP_W + 3),
  parameter KERNEL_PW = HIST_W / 2 * (2 * KERNEL_W + 1)
) (
  input  wire             clk_i,
  input  wire             rst_i,
  // control
  input  wire             begin_i,    // pulse: a pass begins
  input  wire             start_i,    // a neuron begins, no tap is under way
  input  wire             clear_i,    // pulse: a row begins, its first tap is read at the earliest in the next cycle
  input  wire             tap_i,      // tap q of the row's filter is read
  input  wire             self_i,     // tap q of the self-memory's filter is read
  input  wire             product_i,  // a product of the kernel's tap q is read ...
  input  wire             first_i,    // ... the first of the tap
  input  wire             end_i,      // ... the last
  input  wire [Q_W-1:0]   q_i,        // tap number - 1, ascending from 0
  // one cycle later
  input  wire [TAP_W-1:0] taps_rdata_i,
  input  wire [20:0]      sumc_rdata_i,
  // the lower part of a product is made by the first multiplier of tern_coefficient, which is idle meanwhile
  output wire             low_use_o,
  output wire [15:0]      low_o,
  input  wire [31:0]      low_product_i, // one cycle later: of low_o and the tap
  // output
  output wire [TAPS_PW-1:0]   taps_o,
  output wire [X_W-1:0]       taps_base_o,
  output wire [TAPS_PW-1:0]   self_taps_o,
  output wire [X_W-1:0]       self_base_o,
  output wire [KERNEL_PW-1:0] kernel_o,
  output wire [DELTA_W-1:0]   kernel_base_o
);
  localparam N_TAPS   = (TAPS_D + 1) / 2;    // pairs
  localparam N_KERNEL = HIST_W / 2;
  localparam TAP_PW   = 2 * TAP_W + 3;       // bits of a pair
  localparam K_PW     = 2 * KERNEL_W + 1;

  reg                valid1_q, self1_q, first1_q, end1_q, tap1_q, valid2_q, first2_q, end2_q, valid3_q, first3_q, end3_q, store4_q, clear_q;
  reg [Q_W-1:0]      q1_q, q2_q, q3_q, q4_q;
  reg [KERNEL_W-1:0] product3_q, sum4_q, even_kernel_q;
  reg signed [6+TAP_W:0] high2_q;
  reg [TAP_W-1:0]    even_tap_q;
  reg [TAPS_PW-1:0]   taps_q, self_taps_q;
  reg [KERNEL_PW-1:0] kernel_q;
  reg [X_W-1:0]       taps_base_q, self_base_q;
  reg [DELTA_W-1:0]   kernel_base_q;
  // s21 x u.XF: 6 upper bits here, 15 lower ones there
  wire [21+TAP_W:0]   product2 = {high2_q, 15'd0} + {7'd0, low_product_i[14+TAP_W:0]};
  wire [KERNEL_W-1:0] product2_ext;
  wire unused_low_product = &{1'b0, low_product_i};
  generate
    if (KERNEL_W > 22 + TAP_W) begin : g_wide
      assign product2_ext = {{(KERNEL_W-22-TAP_W){product2[21+TAP_W]}}, product2};
    end else begin : g_cut
      assign product2_ext = product2[KERNEL_W-1:0];
      wire unused_product = &{1'b0, product2};
    end
  endgenerate

  // An even tap is stored alone, S = D = a; the odd one behind it completes the pair. even_*_q is 0 when an even tap comes.
  wire               odd1 = q1_q[0];
  wire               odd4 = q4_q[0];
  wire [TAP_W+1:0]   tap_s = {2'b00, even_tap_q} + {2'b00, taps_rdata_i};
  wire [TAP_W+2:0]   tap_d = {2'b00, even_tap_q, odd1} + {{2'b00, taps_rdata_i} ^ {(TAP_W+2){odd1}}, odd1};
  wire [KERNEL_W:0]  kernel_s = {even_kernel_q[KERNEL_W-1], even_kernel_q} + {sum4_q[KERNEL_W-1], sum4_q};
  wire [KERNEL_W+1:0] kernel_d = {even_kernel_q[KERNEL_W-1], even_kernel_q, odd4} + {{sum4_q[KERNEL_W-1], sum4_q} ^ {(KERNEL_W+1){odd4}}, odd4};
  wire [TAP_PW-1:0]  tap_pair    = {tap_s[0], tap_d[TAP_W+2:2], tap_s[TAP_W+1:1]};
  wire [K_PW-1:0]    kernel_pair = {kernel_s[0], kernel_d[KERNEL_W+1:2], kernel_s[KERNEL_W:1]};
  wire unused_low = &{1'b0, tap_d[1:0], kernel_d[1:0]};

  // base: the sum over all pairs of S / 2, rounded up. A tap t adds t / 2, rounded up if it is even or behind an even a, else down:
  // (a + b) / 2 rounded up is a / 2 rounded up, plus b / 2 rounded down if a is odd and up if it is even. The carry of the adder rounds.
  wire               none1   = (q1_q == {Q_W{1'b0}});
  wire               none4   = (q4_q == {Q_W{1'b0}});
  wire               up1     = taps_rdata_i[0] && !even_tap_q[0];
  wire               up4     = sum4_q[0] && !even_kernel_q[0];
  wire [X_W:0]       taps_base_d   = {none1 ? {X_W{1'b0}} : taps_base_q, 1'b1} + {{(X_W-TAP_W+1){1'b0}}, taps_rdata_i[TAP_W-1:1], up1};
  wire [X_W:0]       self_base_d   = {none1 ? {X_W{1'b0}} : self_base_q, 1'b1} + {{(X_W-TAP_W+1){1'b0}}, taps_rdata_i[TAP_W-1:1], up1};
  wire [DELTA_W:0]   kernel_base_d = {none4 ? {DELTA_W{1'b0}} : kernel_base_q, 1'b1} + {{(DELTA_W-KERNEL_W+1){sum4_q[KERNEL_W-1]}}, sum4_q[KERNEL_W-1:1], up4};
  wire unused_base = &{1'b0, taps_base_d[0], self_base_d[0], kernel_base_d[0]};
  integer n;
  always @(posedge clk_i) begin
    valid1_q   <= product_i;
    self1_q    <= self_i;
    tap1_q     <= tap_i;
    first1_q   <= first_i;
    end1_q     <= end_i;
    q1_q       <= q_i;
    valid2_q   <= valid1_q;
    first2_q   <= first1_q;
    end2_q     <= end1_q;
    q2_q       <= q1_q;
    high2_q    <= $signed(sumc_rdata_i[20:15]) * $signed({1'b0, taps_rdata_i});
    valid3_q   <= valid2_q;
    first3_q   <= first2_q;
    end3_q     <= end2_q;
    q3_q       <= q2_q;
    product3_q <= product2_ext;
    store4_q   <= valid3_q && end3_q;
    q4_q       <= q3_q;
    sum4_q     <= (first3_q ? {KERNEL_W{1'b0}} : sum4_q) + product3_q;
    clear_q    <= clear_i;
    if (clear_q) begin // taps beyond D and D + W - 1 are zero
`ifdef TERN_TESTBUG_PREPARE_KERNEL_NOT_CLEARED
`else
      kernel_q      <= {KERNEL_PW{1'b0}};
      kernel_base_q <= {DELTA_W{1'b0}};
`endif
      taps_q        <= {TAPS_PW{1'b0}};
    end
    if (tap1_q || self1_q) even_tap_q <= odd1 ? {TAP_W{1'b0}} : taps_rdata_i;
    if (store4_q) even_kernel_q <= odd4 ? {KERNEL_W{1'b0}} : sum4_q;
    // D may be odd. A neuron may begin while the kernel of the last row is still on its way
    if (clear_q || start_i) even_tap_q <= {TAP_W{1'b0}};
    if (clear_q) even_kernel_q <= {KERNEL_W{1'b0}};
    for (n = 0; n < N_TAPS; n = n + 1) begin
      if (tap1_q && {1'b0, q1_q[Q_W-1:1]} == n[Q_W-1:0]) taps_q[n*TAP_PW +: TAP_PW] <= tap_pair;
      if (self1_q && {1'b0, q1_q[Q_W-1:1]} == n[Q_W-1:0]) self_taps_q[n*TAP_PW +: TAP_PW] <= tap_pair;
      else if (begin_i) self_taps_q[n*TAP_PW +: TAP_PW] <= {TAP_PW{1'b0}};
    end
    for (n = 0; n < N_KERNEL; n = n + 1)
      if (store4_q && {1'b0, q4_q[Q_W-1:1]} == n[Q_W-1:0]) kernel_q[n*K_PW +: K_PW] <= kernel_pair;
    if (tap1_q) taps_base_q <= taps_base_d[X_W:1];
    if (self1_q) self_base_q <= self_base_d[X_W:1];
    else if (begin_i) self_base_q <= {X_W{1'b0}};
    if (store4_q) kernel_base_q <= kernel_base_d[DELTA_W:1];
    if (rst_i) begin
      valid1_q <= 1'b0;
      self1_q  <= 1'b0;
      tap1_q   <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      store4_q <= 1'b0;
      clear_q  <= 1'b0;
    end
  end

  assign low_use_o     = valid1_q;
  assign low_o         = {1'b0, sumc_rdata_i[14:0]};
  assign taps_o        = taps_q;
  assign taps_base_o   = taps_base_q;
  assign self_taps_o   = self_taps_q;
  assign self_base_o   = self_base_q;
  assign kernel_o      = kernel_q;
  assign kernel_base_o = kernel_base_q;
endmodule

`default_nettype wire
