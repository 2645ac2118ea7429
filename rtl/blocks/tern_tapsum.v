// tern_tapsum.v : sum of the taps at which a history has a spike
// SPDX-License-Identifier: Apache-2.0
//
// Function  sum = sum over n of (bits[n] ? taps[n] : 0), exact
// Taps      come in pairs (a, b), n = 2 i and 2 i + 1, as halves of S = a + b and D = a - b, which end in the same
//           bit z:
//             s_a a + s_b b = (S / 2 rounded up) + ((s_a = s_b ? S : D) / 2 rounded down, inverted if not s_a)
//                             + (neither s_a nor z)
//           so a pair costs one look-up table and one adder for each bit, and no gate for each tap. The first part does
//           not depend on the spikes: base_i is its sum over all pairs. tern_taps makes all of this.
// Latency   3 cycles, 1 result per cycle: sums of 4 taps, of 16, of all
// Used by   tern_trace (taps of a synaptic filter) and tern_lane (taps of the learning kernel)
`default_nettype none

module tern_tapsum #(
  // Taps, 1..64.
  parameter TAPS   = 13,
  // Width of a tap in bits, two's complement.
  parameter TAP_W  = 16,
  // Width of the sum, at least TAP_W; the planner proves that it suffices.
  parameter SUM_W  = 20,
  // Pairs, and bits of a pair {z, D / 2, S / 2}: derived, (TAPS + 1) / 2 and 2 TAP_W + 1, do not set.
  parameter PAIRS  = (TAPS + 1) / 2,
  parameter PAIR_W = 2 * TAP_W + 1
) (
  input  wire                    clk_i,
  // input
  input  wire [TAPS-1:0]         bits_i,
  // taps
  input  wire [PAIRS*PAIR_W-1:0] pairs_i,
  input  wire [SUM_W-1:0]        base_i,   // stays as it is while sums are under way
  // output
  output wire [SUM_W-1:0]        sum_o
);
  localparam N_A = (PAIRS + 1) / 2;
  localparam N_B = (N_A + 3) / 4;
  localparam A_W = (TAP_W + 1 < SUM_W) ? TAP_W + 1 : SUM_W; // a sum of two halves of pairs
  localparam B_W = (TAP_W + 3 < SUM_W) ? TAP_W + 3 : SUM_W; // of eight

  generate
    if (TAPS < 1 || TAPS > 64) begin : g_check_taps
      tern_tapsum_error_TAPS_out_of_range u_error ();
    end
    if (SUM_W < TAP_W) begin : g_check_sum
      tern_tapsum_error_SUM_W_too_small u_error ();
    end
  endgenerate

  // An adder takes one of the ones that complete an inversion as its carry: each value has one that is still to be
  // added, c.
  wire [2*N_A-1:0]       carry;
  wire [2*N_A*TAP_W-1:0] half;
  wire [2*PAIRS:0]       bits = {{(2*PAIRS+1-TAPS){1'b0}}, bits_i};
  wire                   unused_bits = bits[2*PAIRS];
  genvar p, n;
  generate
    for (p = 0; p < 2 * N_A; p = p + 1) begin : g_pair
      if (p < PAIRS) begin : g_taps
        wire             a = bits[2*p];
        wire             b = bits[2*p+1];
        wire [TAP_W-1:0] s = pairs_i[p*PAIR_W +: TAP_W];
        wire [TAP_W-1:0] d = pairs_i[p*PAIR_W+TAP_W +: TAP_W];
        assign half[p*TAP_W +: TAP_W] = ((a == b) ? s : d) ^ {TAP_W{!a}};
        assign carry[p]              = !a && !pairs_i[p*PAIR_W+2*TAP_W];
      end else begin : g_none
        assign half[p*TAP_W +: TAP_W] = {TAP_W{1'b0}};
        assign carry[p]              = 1'b0;
      end
    end
  endgenerate

  // sums of 4 taps
  wire [N_A*A_W-1:0] a_all;
  wire [N_A-1:0]     a_c;
  generate
    for (n = 0; n < N_A; n = n + 1) begin : g_a
      reg  [A_W-1:0] a_q;
      reg            c_q;
`ifdef TERN_TESTBUG_TAPSUM_UNSIGNED
      wire [1:0]     sign = 2'b00;
`else
      wire [1:0]     sign = {half[(2*n+1)*TAP_W+TAP_W-1], half[2*n*TAP_W+TAP_W-1]};
`endif
      wire [TAP_W+1:0] sum = {sign[0], half[2*n*TAP_W +: TAP_W], 1'b1} +
          {sign[1], half[(2*n+1)*TAP_W +: TAP_W], carry[2*n+1]};
      wire           unused_carry = &{1'b0, sum};
      always @(posedge clk_i) begin
        a_q <= sum[A_W:1];
        c_q <= carry[2*n];
      end
      assign a_all[n*A_W +: A_W] = a_q;
      assign a_c[n]              = c_q;
    end
  endgenerate

  // sums of 16. A chain of adders with their carries in bit 0: a sum of several values in one expression becomes a tree
  // of carry-save adders, which is larger.
  wire [N_B*SUM_W-1:0] b_all;
  wire [N_B-1:0]       b_c;
  generate
    for (n = 0; n < N_B; n = n + 1) begin : g_b
      reg [B_W-1:0] b_q, b_sum;
      reg           c_q, b_carry;
      integer       m;
      always @* begin
        b_sum   = extend_a(a_all[4*n*A_W +: A_W]);
        b_carry = 1'b0;
        for (m = 4 * n + 1; m < 4 * n + 4; m = m + 1)
          if (m < N_A) {b_sum, b_carry} = {b_sum, 1'b1} + {extend_a(a_all[m*A_W +: A_W]), a_c[m]};
      end
      wire unused_carry = b_carry;
      always @(posedge clk_i) begin
        b_q <= b_sum;
        c_q <= a_c[4*n];
      end
      if (SUM_W > B_W) begin : g_wide
        assign b_all[n*SUM_W +: SUM_W] = {{(SUM_W-B_W){b_q[B_W-1]}}, b_q};
      end else begin : g_same
        assign b_all[n*SUM_W +: SUM_W] = b_q;
      end
      assign b_c[n] = c_q;
    end
  endgenerate
  function [B_W-1:0] extend_a(input [A_W-1:0] a);
    extend_a = {{(B_W-A_W+1){a[A_W-1]}}, a[A_W-2:0]};
  endfunction

  // all
  reg [SUM_W-1:0] sum_q, sum;
  reg             sum_carry;
  integer         i;
  always @* begin
    sum       = base_i;
    sum_carry = 1'b0;
    for (i = 0; i < N_B; i = i + 1) {sum, sum_carry} = {sum, 1'b1} + {b_all[i*SUM_W +: SUM_W], b_c[i]};
  end
  wire unused_carry = sum_carry;
  always @(posedge clk_i) sum_q <= sum;
  assign sum_o = sum_q;
endmodule

`default_nettype wire
