// tern_coefficient.v : learning coefficient of one neuron, sample and lag
// SPDX-License-Identifier: Apache-2.0
//
// Function  g = sat(rs(m e, 14), 16);  c = sat(rs(ek g, c_shift), 16)                                      [N-11, N-12]
// C model   runtime/blocks/tern_kernel.c, tern_kernel_coefficient()
// Latency   4 cycles, 1 result per cycle; sat_o belongs to c_o. The first product is there after 1 cycle: the
//           baselines' kap e uses it, too
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
  // stage 1: m e, s32
  reg signed [31:0] me_q;
  reg        [14:0] ek1_q, ek2_q;
  always @(posedge clk_i) begin
    me_q  <= $signed(m_i) * $signed(e_f15_i);
    ek1_q <= ek_i;
  end
  // stage 2: g, from one bit more than it keeps, which rounds. m e has at most 31 bits of magnitude
`ifdef TERN_TESTBUG_COEFFICIENT_FLOOR
  wire [18:0] g_twice = me_q[31:13];
`else
  wire [18:0] g_twice = me_q[31:13] + 19'd1;
`endif
  wire [17:0] g_all   = g_twice[18:1];
  wire g_above = !g_all[17] && g_all[16:15] != 2'b00;
  wire g_below = g_all[17] && (g_all[16:15] != 2'b11 || g_all[14:0] == 15'd0);
  wire unused_half = &{1'b0, g_twice[0], me_q[12:0]};
  reg signed [15:0] g_q;
  reg               g_sat2_q, g_sat3_q;
  always @(posedge clk_i) begin
    g_q      <= g_above ? 16'sd32767 : g_below ? -16'sd32767 : $signed(g_all[15:0]);
    g_sat2_q <= g_above || g_below;
    ek2_q    <= ek1_q;
  end
  // stage 3: ek g, s31
  reg signed [31:0] p_q;
  always @(posedge clk_i) begin
    p_q      <= $signed({1'b0, ek2_q}) * g_q;
    g_sat3_q <= g_sat2_q;
  end
  // stage 4: c, likewise; the shift is 15..30
  wire [3:0]         down = c_shift_i[3:0] + 4'd1;
  wire signed [17:0] p_16 = p_q[31:14];
  wire signed [17:0] p_dn = p_16 >>> down;
`ifdef TERN_TESTBUG_COEFFICIENT_SHIFT_FLOOR
  wire [17:0] c_twice = p_dn;
`else
  wire [17:0] c_twice = p_dn + 18'd1;
`endif
  wire [16:0] c_all   = c_twice[17:1];
  wire c_above = !c_all[16] && c_all[15];
  wire c_below = c_all[16] && (!c_all[15] || c_all[14:0] == 15'd0);
  wire unused_p = &{1'b0, c_twice[0], p_q[13:0], c_shift_i[4]};
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
