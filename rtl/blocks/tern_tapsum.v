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
  // added, c. What is added stands in wires of its own, by pair and sum, not in parts of long vectors, and the sums are
  // not loops: simulation is faster so.
  wire [2*PAIRS:0] bits = {{(2*PAIRS+1-TAPS){1'b0}}, bits_i};
  wire             unused_bits = bits[2*PAIRS];
  genvar           n;

  // sums of 4 taps
  wire [N_A*A_W-1:0] a_all;
  wire [N_A-1:0]     a_c;
  generate
    for (n = 0; n < N_A; n = n + 1) begin : g_a
      // the first pair
      wire             a0 = bits[4*n];
      wire             b0 = bits[4*n+1];
      wire [TAP_W-1:0] s0 = pairs_i[2*n*PAIR_W +: TAP_W];
      wire [TAP_W-1:0] d0 = pairs_i[2*n*PAIR_W+TAP_W +: TAP_W];
      wire [TAP_W-1:0] half0  = ((a0 == b0) ? s0 : d0) ^ {TAP_W{!a0}};
      wire             carry0 = !a0 && !pairs_i[2*n*PAIR_W+2*TAP_W];
      // the second one, unless there is none
      wire [TAP_W-1:0] half1;
      wire             carry1;
      if (2 * n + 1 < PAIRS) begin : g_second
        wire             a1 = bits[4*n+2];
        wire             b1 = bits[4*n+3];
        wire [TAP_W-1:0] s1 = pairs_i[(2*n+1)*PAIR_W +: TAP_W];
        wire [TAP_W-1:0] d1 = pairs_i[(2*n+1)*PAIR_W+TAP_W +: TAP_W];
        assign half1  = ((a1 == b1) ? s1 : d1) ^ {TAP_W{!a1}};
        assign carry1 = !a1 && !pairs_i[(2*n+1)*PAIR_W+2*TAP_W];
      end else begin : g_none
        assign half1  = {TAP_W{1'b0}};
        assign carry1 = 1'b0;
      end
      reg  [A_W-1:0] a_q;
      reg            c_q;
`ifdef TERN_TESTBUG_TAPSUM_UNSIGNED
      wire [1:0]     sign = 2'b00;
`else
      wire [1:0]     sign = {half1[TAP_W-1], half0[TAP_W-1]};
`endif
      wire [TAP_W+1:0] sum = {sign[0], half0, 1'b1} + {sign[1], half1, carry1};
      wire           unused_carry = &{1'b0, sum};
      always @(posedge clk_i) begin
        a_q <= sum[A_W:1];
        c_q <= carry0;
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
      // the sums that there are; one that is not has the place of the first
      localparam N_1 = (4 * n + 1 < N_A) ? 4 * n + 1 : 4 * n;
      localparam N_2 = (4 * n + 2 < N_A) ? 4 * n + 2 : 4 * n;
      localparam N_3 = (4 * n + 3 < N_A) ? 4 * n + 3 : 4 * n;
      wire [B_W-1:0] a_0 = {{(B_W-A_W+1){a_all[4*n*A_W+A_W-1]}}, a_all[4*n*A_W +: A_W-1]};
      wire [B_W-1:0] a_1 = {{(B_W-A_W+1){a_all[N_1*A_W+A_W-1]}}, a_all[N_1*A_W +: A_W-1]};
      wire [B_W-1:0] a_2 = {{(B_W-A_W+1){a_all[N_2*A_W+A_W-1]}}, a_all[N_2*A_W +: A_W-1]};
      wire [B_W-1:0] a_3 = {{(B_W-A_W+1){a_all[N_3*A_W+A_W-1]}}, a_all[N_3*A_W +: A_W-1]};
      wire [B_W:0] b_0 = {a_0, 1'b0};
      wire [B_W:0] b_1 = (N_1 == 4 * n) ? b_0 : {b_0[B_W:1], 1'b1} + {a_1, a_c[N_1]};
      wire [B_W:0] b_2 = (N_2 == 4 * n) ? b_1 : {b_1[B_W:1], 1'b1} + {a_2, a_c[N_2]};
      wire [B_W:0] b_3 = (N_3 == 4 * n) ? b_2 : {b_2[B_W:1], 1'b1} + {a_3, a_c[N_3]};
      wire         unused_carry = &{1'b0, b_0[0], b_1[0], b_2[0], b_3[0]};
      reg [B_W-1:0] b_q;
      reg           c_q;
      always @(posedge clk_i) begin
        b_q <= b_3[B_W:1];
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

  // all; N_B is 4 at most
  localparam Y_1 = (N_B > 1) ? 1 : 0, Y_2 = (N_B > 2) ? 2 : 0, Y_3 = (N_B > 3) ? 3 : 0;
  wire [SUM_W:0]  sum_0 = {base_i, 1'b1} + {b_all[0 +: SUM_W], b_c[0]};
  wire [SUM_W:0]  sum_1 = (N_B > 1) ? {sum_0[SUM_W:1], 1'b1} + {b_all[Y_1*SUM_W +: SUM_W], b_c[Y_1]} : sum_0;
  wire [SUM_W:0]  sum_2 = (N_B > 2) ? {sum_1[SUM_W:1], 1'b1} + {b_all[Y_2*SUM_W +: SUM_W], b_c[Y_2]} : sum_1;
  wire [SUM_W:0]  sum_3 = (N_B > 3) ? {sum_2[SUM_W:1], 1'b1} + {b_all[Y_3*SUM_W +: SUM_W], b_c[Y_3]} : sum_2;
  wire            unused_carry = &{1'b0, sum_0[0], sum_1[0], sum_2[0], sum_3[0]};
  reg [SUM_W-1:0] sum_q;
  always @(posedge clk_i) sum_q <= sum_3[SUM_W:1];
  assign sum_o = sum_q;
endmodule

`default_nettype wire
