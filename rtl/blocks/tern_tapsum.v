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
  // Width of the sum, at least TAP_W; the planner proves that it suffices.
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
    if (SUM_W < TAP_W) begin : g_check_sum
      tern_tapsum_error_SUM_W_too_small u_error ();
    end
  endgenerate

  wire [4*N_A*SUM_W-1:0] gated;
  wire [4*N_B*SUM_W-1:0] sum_a; // padded with zeros to a multiple of 4
  wire [4*SUM_W-1:0]     sum_b;

  genvar n;
  generate
    for (n = 0; n < 4 * N_A; n = n + 1) begin : g_gate
      if (n < TAPS) begin : g_tap
        wire sign = (SIGNED != 0) & taps_i[n*TAP_W + TAP_W-1];
        if (SUM_W > TAP_W) begin : g_extend
          assign gated[n*SUM_W +: SUM_W] = {{(SUM_W-TAP_W){sign}}, taps_i[n*TAP_W +: TAP_W]} & {SUM_W{bits_i[n]}};
        end else begin : g_same
          assign gated[n*SUM_W +: SUM_W] = taps_i[n*TAP_W +: TAP_W] & {SUM_W{bits_i[n]}};
          wire unused_sign = &{1'b0, sign};
        end
      end else begin : g_pad
        assign gated[n*SUM_W +: SUM_W] = {SUM_W{1'b0}};
      end
    end
    for (n = 0; n < 4 * N_B; n = n + 1) begin : g_a
      if (n < N_A) begin : g_sum
        reg [SUM_W-1:0] sum_q;
        always @(posedge clk_i)
          sum_q <= (gated[(4*n)*SUM_W +: SUM_W] + gated[(4*n+1)*SUM_W +: SUM_W]) + (gated[(4*n+2)*SUM_W +: SUM_W] + gated[(4*n+3)*SUM_W +: SUM_W]);
        assign sum_a[n*SUM_W +: SUM_W] = sum_q;
      end else begin : g_pad
        assign sum_a[n*SUM_W +: SUM_W] = {SUM_W{1'b0}};
      end
    end
    for (n = 0; n < 4; n = n + 1) begin : g_b
      if (n < N_B) begin : g_sum
        reg [SUM_W-1:0] sum_q;
        always @(posedge clk_i)
          sum_q <= (sum_a[(4*n)*SUM_W +: SUM_W] + sum_a[(4*n+1)*SUM_W +: SUM_W]) + (sum_a[(4*n+2)*SUM_W +: SUM_W] + sum_a[(4*n+3)*SUM_W +: SUM_W]);
        assign sum_b[n*SUM_W +: SUM_W] = sum_q;
      end else begin : g_pad
        assign sum_b[n*SUM_W +: SUM_W] = {SUM_W{1'b0}};
      end
    end
  endgenerate

  reg [SUM_W-1:0] sum_q;
  always @(posedge clk_i)
    sum_q <= (sum_b[0 +: SUM_W] + sum_b[SUM_W +: SUM_W]) + (sum_b[2*SUM_W +: SUM_W] + sum_b[3*SUM_W +: SUM_W]);
  assign sum_o = sum_q;
endmodule

`default_nettype wire
