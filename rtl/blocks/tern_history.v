// tern_history.v : spike history of one pre-synaptic unit
// SPDX-License-Identifier: Apache-2.0
//
// Function  history' = shift ? {history, spike} : history; lag view history' >> lag for the trace at an earlier step
// C model   runtime/blocks/tern_history.h, tern_history_step()
// Latency   combinational
// Numerics  bit 0 is the newest spike, s(t-1) for the potential of step t
`default_nettype none

module tern_history #(
  // History bits kept, D + W capacity, 2..64.
  parameter HIST_W = 14,
  // Bits of a lag.
  parameter LAG_W  = 6
) (
  // input
  input  wire [HIST_W-1:0] history_i,
  input  wire              spike_i,
  input  wire              shift_i,
  input  wire [LAG_W-1:0]  lag_i,
  // output
  output wire [HIST_W-1:0] history_o,
  output wire [HIST_W-1:0] lagged_o
);
  generate
    if (HIST_W < 2 || HIST_W > 64) begin : g_check_hist
      tern_history_error_HIST_W_out_of_range u_error ();
    end
  endgenerate

`ifdef TERN_TESTBUG_HISTORY_STALE
  assign history_o = history_i;
  wire unused_bug = &{1'b0, spike_i, shift_i};
`else
  assign history_o = shift_i ? {history_i[HIST_W-2:0], spike_i} : history_i;
`endif
  assign lagged_o = history_o >> lag_i;
endmodule

`default_nettype wire
