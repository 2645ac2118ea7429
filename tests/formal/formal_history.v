// formal_history.v : tern_history keeps the spikes of the last steps
// SPDX-License-Identifier: Apache-2.0
//
// Spikes come in any order; the rule remembers one of them, of any step, and follows it.
//! files   blocks/tern_history
//! bound   3
//! induct  1
//! reach   20
//! set     HIST_W=14 LAG_W=6
//! set     HIST_W=64 LAG_W=7
//! set     HIST_W=2 LAG_W=1
//! mutant  stale a_moves HISTORY_STALE
`default_nettype none

module formal_history #(
  parameter HIST_W = 14,
  parameter LAG_W  = 6
) (
  input wire             clk_i,
  input wire             spike_i,
  input wire             shift_i,
  input wire [LAG_W-1:0] lag_i,
  input wire             watch_i
);
  reg  [HIST_W-1:0] history_q = 0;
  wire [HIST_W-1:0] history, lagged;
  tern_history #(.HIST_W(HIST_W), .LAG_W(LAG_W)) dut (.history_i(history_q), .spike_i(spike_i), .shift_i(shift_i),
      .lag_i(lag_i), .history_o(history), .lagged_o(lagged));
  always @(posedge clk_i) history_q <= history;

  // the spike that is watched, and the steps since
  reg       f_watched = 1'b0, f_spike = 1'b0;
  reg [6:0] f_age = 7'd0;
  always @(posedge clk_i)
    if (shift_i) begin
      if (watch_i && !f_watched) begin
        f_watched <= 1'b1;
        f_spike   <= spike_i;
        f_age     <= 7'd0;
      end else if (f_watched && f_age != 7'd127) begin
        f_age <= f_age + 7'd1;
      end
    end
  wire [127:0] old = {{(128-HIST_W){1'b0}}, history_q}, view = {{(128-HIST_W){1'b0}}, lagged},
      now = {{(128-HIST_W){1'b0}}, history};
  wire [127:0] seen = old >> f_age;
  wire [7:0]   place = {1'b0, f_age} + {7'd0, shift_i};  // of the watched spike in what comes out
  wire [127:0] later = now >> place;
  wire [7:0]   at = place - {{(8-LAG_W){1'b0}}, lag_i};  // and in the view `lag` steps ago
  wire [127:0] past = view >> at;
  always @* begin
    // 1. bit n is the spike n steps ago
    if (f_watched && f_age < HIST_W) a_kept: assert (seen[0] == f_spike);
    if (f_watched && place < HIST_W) a_moves: assert (later[0] == f_spike);
    // 2. the view of an earlier step is the same, as many bits lower, with zeros above
    if (f_watched && place < HIST_W && lag_i <= place) a_lagged: assert (past[0] == f_spike);
    a_above: assert (lag_i >= HIST_W ? lagged == 0 : (lagged >> (HIST_W - lag_i)) == 0);
    // 3. without a shift nothing moves, with one the newest is bit 0
    a_newest: assert (history[0] == (shift_i ? spike_i : history_q[0]));
    if (!shift_i) a_still: assert (history == history_q);
    c_oldest: cover (f_watched && f_spike && f_age == HIST_W - 1 && history_q[HIST_W-2:0] == 0);
  end
endmodule

`default_nettype wire
