// tern_modulator.v : modulator of one neuron and sample: a weight of the samples, or made from the learning signal
// SPDX-License-Identifier: Apache-2.0
//
// Function  set 0: m;  set 1: m = sat(rs(w - b, m_shift), 15)                                                    [N-19]
// C model   runtime/blocks/tern_signal.c, tern_signal_modulator()
// Latency   diff_o 1 cycle, m_o 2 cycles, sat_o with m_o; 1 result per cycle
// Numerics  w, b s20.12; m s2.14 (set 0) or s(15-MF).MF, MF = 12 - m_shift
`default_nettype none

module tern_modulator #(
  // 0: set 0 only.
  parameter SIGNALS = 0
) (
  input  wire        clk_i,
  // input
  input  wire        set_i,        // static from the first input to the last output
  input  wire [15:0] m_i,
  input  wire [31:0] w_f12_i,
  input  wire [31:0] b_f12_i,
  // config
  input  wire [4:0]  m_shift_i,    // 0..24
  // output
  output wire [32:0] diff_o,       // w - b
  output wire [15:0] m_o,
  output wire        sat_o
);
  // stage 1: difference
  reg  [15:0] m1_q;
  reg  [32:0] diff_q;
  always @(posedge clk_i) begin
    m1_q   <= m_i;
    diff_q <= {w_f12_i[31], w_f12_i} - {b_f12_i[31], b_f12_i};
  end
  // stage 2: the shift keeps one bit more, which rounds
  wire [33:0] scaled = $signed({diff_q, 1'b0}) >>> m_shift_i;
`ifdef TERN_TESTBUG_MODULATOR_FLOOR
  wire        half   = 1'b0;
  wire unused_bug    = &{1'b0, scaled[0]};
`else
  wire        half   = scaled[0];
`endif
  wire        fits   = (scaled[33:15] == {19{scaled[33]}});  // -16384..16383 before rounding
  wire        above  = !scaled[33] && (!fits || (scaled[14:1] == 14'h3fff && half));
  wire        below  = scaled[33] && (!fits || (scaled[14:1] == 14'h0000 && !half));
  wire [15:0] made   = above ? 16'h3fff : below ? 16'hc001 : {{2{scaled[33]}}, scaled[14:1]} + {15'd0, half};
  reg  [15:0] m2_q;
  reg         sat_q;
  always @(posedge clk_i) begin
    m2_q  <= (SIGNALS != 0 && set_i) ? made : m1_q;
    sat_q <= (SIGNALS != 0) && set_i && (above || below);
  end
  assign diff_o = diff_q;
  assign m_o    = m2_q;
  assign sat_o  = sat_q;
endmodule

`default_nettype wire
