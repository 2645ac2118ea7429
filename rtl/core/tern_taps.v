// tern_taps.v : filter taps and learning kernel of a row, taps of a neuron's self-memory
// SPDX-License-Identifier: Apache-2.0
//
// Function  taps_o: filter taps of the row; kernel_o: f[q] = sum over d of C(d) a(q - d), one product per cycle (kernel form of N-13)
// C model   runtime/blocks/tern_kernel.c, tern_kernel_taps()
// Latency   tern_prepare sends a tap number and reads tap and sum; both are there one cycle later; the tap of the kernel is stored in the third
`default_nettype none

module tern_taps #(
  parameter TAPS_D   = 10,
  parameter HIST_W   = 14,  // history bits
  parameter Q_W      = 6,   // bits of a tap number
  parameter TAP_W    = 9,
  parameter KERNEL_W = 32
) (
  input  wire             clk_i,
  input  wire             rst_i,
  // control
  input  wire             begin_i,    // pulse: a pass begins
  input  wire             clear_i,    // pulse: a row begins
  input  wire             tap_i,      // tap q of the row's filter is read
  input  wire             self_i,     // tap q of the self-memory's filter is read
  input  wire             product_i,  // a product of the kernel's tap q is read ...
  input  wire             first_i,    // ... the first of the tap
  input  wire             end_i,      // ... the last
  input  wire [Q_W-1:0]   q_i,        // tap number - 1
  // one cycle later
  input  wire [TAP_W-1:0] taps_rdata_i,
  input  wire [20:0]      sumc_rdata_i,
  // output
  output wire [TAPS_D*TAP_W-1:0] taps_o,
  output wire [TAPS_D*TAP_W-1:0] self_taps_o,
  output wire [(HIST_W-1)*KERNEL_W-1:0] kernel_o
);
  localparam N_KERNEL = HIST_W - 1;

  reg                valid1_q, self1_q, first1_q, end1_q, tap1_q, valid2_q, first2_q, end2_q;
  reg [Q_W-1:0]      q1_q, q2_q;
  reg [KERNEL_W-1:0] product2_q, sum3_q;
  reg [TAPS_D*TAP_W-1:0]      taps_q, self_taps_q;
  reg [N_KERNEL*KERNEL_W-1:0] kernel_q;
  wire signed [20+TAP_W+1:0] product1 = $signed(sumc_rdata_i) * $signed({1'b0, taps_rdata_i}); // s21 x u.XF
  wire [KERNEL_W-1:0] product1_ext;
  generate
    if (KERNEL_W > 22 + TAP_W) begin : g_wide
      assign product1_ext = {{(KERNEL_W-22-TAP_W){product1[21+TAP_W]}}, product1};
    end else begin : g_cut
      assign product1_ext = product1[KERNEL_W-1:0];
      wire unused_product = &{1'b0, product1};
    end
  endgenerate
  wire [KERNEL_W-1:0] sum2 = first2_q ? product2_q : sum3_q + product2_q;
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
    product2_q <= product1_ext;
    sum3_q     <= sum2;
    if (clear_i) begin // taps beyond D and D + W - 1 are zero
`ifdef TERN_TESTBUG_PREPARE_KERNEL_NOT_CLEARED
`else
      kernel_q <= {(N_KERNEL*KERNEL_W){1'b0}};
`endif
      taps_q   <= {(TAPS_D*TAP_W){1'b0}};
    end
    for (n = 0; n < TAPS_D; n = n + 1) begin
      if (tap1_q && q1_q == n[Q_W-1:0]) taps_q[n*TAP_W +: TAP_W] <= taps_rdata_i;
      if (self1_q && q1_q == n[Q_W-1:0]) self_taps_q[n*TAP_W +: TAP_W] <= taps_rdata_i;
      else if (begin_i) self_taps_q[n*TAP_W +: TAP_W] <= {TAP_W{1'b0}};
    end
    for (n = 0; n < N_KERNEL; n = n + 1)
      if (valid2_q && end2_q && q2_q == n[Q_W-1:0]) kernel_q[n*KERNEL_W +: KERNEL_W] <= sum2;
    if (rst_i) begin
      valid1_q <= 1'b0;
      self1_q  <= 1'b0;
      tap1_q   <= 1'b0;
      valid2_q <= 1'b0;
    end
  end
  assign taps_o      = taps_q;
  assign self_taps_o = self_taps_q;
  assign kernel_o    = kernel_q;
endmodule

`default_nettype wire
