// tern_coefficient.v : learning coefficient of one neuron, sample and lag
// SPDX-License-Identifier: Apache-2.0
//
// Function  g = sat(rs(m e, 14), 16);  c = sat(rs(ek g, c_shift), 16)                                              [N-11, N-12]
// C model   runtime/blocks/tern_kernel.c, tern_kernel_coefficient()
// Latency   4 cycles, 1 result per cycle; sat_o belongs to c_o. The first product is there after 1 cycle: the baselines' kap e uses it, too
// Numerics  m s.14, or with MF fraction bits (learning set 1); e s0.15, ek 15 bits unsigned, c 16 bits
`default_nettype none

module tern_coefficient (
  input  wire        clk_i,
  // input
  input  wire [15:0] m_i,
  input  wire [15:0] e_f15_i,
  input  wire [14:0] ek_i,
  // config
  input  wire [4:0]  c_shift_i,   // 15..30
  // output
  output wire [31:0] product_o,   // m e
  output wire [15:0] c_o,
  output wire [1:0]  sat_o        // saturations, 0..2
);
  localparam signed [31:0] TOP = 32767;

  // stage 1: m e, s32
  reg signed [31:0] me_q;
  reg        [14:0] ek1_q, ek2_q;
  always @(posedge clk_i) begin
    me_q  <= $signed(m_i) * $signed(e_f15_i);
    ek1_q <= ek_i;
  end
  // stage 2: g; m e has at most 31 bits of magnitude, rounding cannot overflow
`ifdef TERN_TESTBUG_COEFFICIENT_FLOOR
  wire signed [31:0] me_rnd = me_q >>> 14;
`else
  wire signed [31:0] me_rnd = (me_q + 32'sd8192) >>> 14;
`endif
  wire g_above = me_rnd > TOP;
  wire g_below = me_rnd < -TOP;
  reg signed [15:0] g_q;
  reg               g_sat2_q, g_sat3_q;
  always @(posedge clk_i) begin
    g_q      <= g_above ? 16'sd32767 : g_below ? -16'sd32767 : me_rnd[15:0];
    g_sat2_q <= g_above || g_below;
    ek2_q    <= ek1_q;
  end
  // stage 3: ek g, s31
  reg signed [31:0] p_q;
  always @(posedge clk_i) begin
    p_q      <= $signed({1'b0, ek2_q}) * g_q;
    g_sat3_q <= g_sat2_q;
  end
  // stage 4: c. Rounding: half of the last dropped bit; the shift is 15..30
`ifdef TERN_TESTBUG_COEFFICIENT_SHIFT_FLOOR
  wire signed [31:0] half  = 32'sd0;
`else
  wire signed [31:0] half  = $signed(32'd1 << (c_shift_i - 5'd1));
`endif
  wire signed [32:0] p_rnd = $signed({p_q[31], p_q}) + $signed({half[31], half});
  wire signed [32:0] c_all = p_rnd >>> c_shift_i;
  wire c_above = c_all > $signed({1'b0, TOP});
  wire c_below = c_all < -$signed({1'b0, TOP});
  reg [15:0] c_q;
  reg [1:0]  sat_q;
  always @(posedge clk_i) begin
    c_q   <= c_above ? 16'h7fff : c_below ? 16'h8001 : c_all[15:0];
    sat_q <= {1'b0, g_sat3_q} + {1'b0, c_above || c_below};
  end
  assign product_o = me_q;
  assign c_o   = c_q;
  assign sat_o = sat_q;
endmodule

`default_nettype wire
