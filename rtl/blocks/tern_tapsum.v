// tern_tapsum.v : sum of the taps at which a history has a spike
// SPDX-License-Identifier: Apache-2.0
//
// Function  sum = sum over n of (bits[n] ? taps[n] : 0), exact
// Latency   3 cycles, 1 result per cycle: sums of 4 taps, of 16, of all
// Used by   tern_trace (taps of a synaptic filter) and tern_weight (taps of the learning kernel)
`default_nettype none

module tern_tapsum #(
  // Taps, 1..64.
  parameter TAPS   = 13,
  // Width of a tap in bits.
  parameter TAP_W  = 16,
  // 1: taps are two's complement, 0: unsigned.
  parameter SIGNED = 1,
  // Width of the sum, more than TAP_W; the planner proves that it suffices.
  parameter SUM_W  = 20
) (
  input  wire                  clk_i,
  // input
  input  wire [TAPS-1:0]       bits_i,
  input  wire [TAPS*TAP_W-1:0] taps_i,
  // output
  output wire [SUM_W-1:0]      sum_o
);
  localparam N_A = (TAPS + 3) / 4;
  localparam N_B = (N_A + 3) / 4;

  generate
    if (TAPS < 1 || TAPS > 64) begin : g_check_taps
      tern_tapsum_error_TAPS_out_of_range u_error ();
    end
    if (SUM_W <= TAP_W) begin : g_check_sum
      tern_tapsum_error_SUM_W_too_small u_error ();
    end
  endgenerate

  // registers, not memories: constant indices only
  (* mem2reg *) reg [SUM_W-1:0] a_q [0:N_A-1];
  (* mem2reg *) reg [SUM_W-1:0] b_q [0:N_B-1];
  reg [SUM_W-1:0] sum_q, sum;
  reg             sign;
  integer         i, j;

  // sum and sign are local to the block: written before they are read, in the same pass
  /* verilator lint_off BLKSEQ */
  always @(posedge clk_i) begin
    for (i = 0; i < N_A; i = i + 1) begin
      sum = {SUM_W{1'b0}};
      for (j = 4 * i; j < 4 * i + 4; j = j + 1)
        if (j < TAPS) begin
`ifdef TERN_TESTBUG_TAPSUM_UNSIGNED
          sign = 1'b0;
`else
          sign = (SIGNED != 0) && taps_i[j*TAP_W + TAP_W-1];
`endif
          sum  = sum + (({SUM_W{sign}} << TAP_W | {{(SUM_W-TAP_W){1'b0}}, taps_i[j*TAP_W +: TAP_W]}) & {SUM_W{bits_i[j]}});
        end
      a_q[i] <= sum;
    end
    for (i = 0; i < N_B; i = i + 1) begin
      sum = {SUM_W{1'b0}};
      for (j = 4 * i; j < 4 * i + 4; j = j + 1)
        if (j < N_A) sum = sum + a_q[j];
      b_q[i] <= sum;
    end
    sum = {SUM_W{1'b0}};
    for (i = 0; i < N_B; i = i + 1) sum = sum + b_q[i];
    sum_q <= sum;
  end
  /* verilator lint_on BLKSEQ */
  assign sum_o = sum_q;
endmodule

`default_nettype wire
