// tern_wta.v : a winner-take-all circuit in one sample: probabilities, spike, errors and cross-entropy of its members
// SPDX-License-Identifier: Apache-2.0
//
// Function  a = max(0, u_c), which is given;  E_0 = exp(a), E_c = exp(a - u_c) by table;  S = E_0 + sum E_c;
//           p_c = (E_c 2^16 + S/2) div S                                                               [N-22, N-23]
//           s_c = 1 for the lowest c with draw < p_1 + .. + p_c, or for the target;
//           e_c = rs(s_c 2^16 - p_c, 1), at most 2^15 - 1                                              [N-24, N-25]
//           l = max(0, 16 a + LN(S) - 45426 - 16 u_s)                                                        [N-26]
//           An exponential begins in each cycle. Six dividers of three bits each stand behind one another, so a
//           division begins in each third cycle; LN(S) is made meanwhile.
// C model   runtime/blocks/tern_wta.c, tern_wta_step()
// Cycles    4 C + 25 from start_i to done_o, both included, whatever the values: C + 6 for the exponentials, 19 for the
//           first division, 3 for each other one
// Numerics  u s.8 within +-2047; exponentials u0.16; S at most (WTA + 1)(2^16 - 1); p u0.16 in 17 bits; e s0.15; l u.12
//           in 17 bits
`default_nettype none

module tern_wta #(
  // Members of the largest circuit, 2..64.
  parameter WTA    = 16,
  // Bits of a member's number: derived, $clog2(WTA), do not set.
  parameter WTA_AW = $clog2(WTA)
) (
  input  wire              clk_i,
  input  wire              rst_i,
  // control
  input  wire              start_i,     // pulse while busy_o is 0; what follows stays until done_o
  input  wire [WTA_AW-1:0] last_i,      // C - 1, at least 1
  output wire              busy_o,
  // input
  input  wire [10:0]       top_i,       // a, with start_i
  input  wire [15:0]       draw_i,      // there 20 cycles after start_i
  input  wire              clamp_i,     // the spike is given: target_i, or silence
  input  wire              has_target_i,
  input  wire [WTA_AW-1:0] target_i,
  // memory: potentials of the members
  output wire              u_re_o,
  output wire [WTA_AW-1:0] u_raddr_o,
  input  wire [11:0]       u_rdata_i,
  // memory: tables of exponential and logarithm
  output wire              table_re_o,
  output wire [8:0]        exp_raddr_o,
  input  wire [15:0]       exp_rdata_i,
  output wire [7:0]        log_raddr_o,
  input  wire [11:0]       log_rdata_i,
  // output: each member in order, u_rdata_i is then its potential; afterwards the circuit
  output wire              valid_o,     // pulse
  output wire [WTA_AW-1:0] member_o,
  output wire [16:0]       p_f16_o,
  output wire              spike_o,
  output wire [15:0]       e_f15_o,
  output wire              done_o,      // pulse
  output wire [16:0]       l_f12_o
);
  generate
    if (WTA < 2 || WTA > 64 || WTA_AW != $clog2(WTA)) begin : g_check
      tern_wta_error_WTA_out_of_range u_error ();
    end
  endgenerate

  localparam S_W = 16 + $clog2(WTA + 1);
  // 16 ln 2 with 12 fraction bits, which is ln 2 with 16; the reduction of an exponent by ln 2 begins with 2839 2^4
  localparam [16:0] LN2_TOP = 2839 * 16;
  localparam [21:0] LN2_F16 = 45426;
  // LN(S) - 45426 for the highest leading one, 4 more fraction bits, with the half of its rounding
  localparam [31:0]        LN_HIGH  = 45426 * (S_W - 1 - 16) + 8;
  localparam signed [21:0] LN_START = LN_HIGH[21:0];
  localparam               UNITS    = 6;   // dividers, three bits of the quotient each
  localparam [1:0]         ST_IDLE = 2'd0, ST_EXP = 2'd1, ST_DIVIDE = 2'd2, ST_DONE = 2'd3;

  reg  [1:0]         state_q;
  reg  [10:0]        a_q;
  reg  [S_W-1:0]     sum_q;      // S
  reg  [16:0]        reached_q;  // sum of the probabilities so far
  reg                won_q;
  reg  [11:0]        below_q;    // a - u_s

  // ---- exponentials: silence, then the members ------------------------------------------------------------
  // stage 0 address, 1 potential, 2 three bits of the quotient by ln 2, 3 two more, 4 address of the table,
  // 5 exponential
  reg                issue_q, silence_q;
  reg  [WTA_AW-1:0]  c_q;        // member that is read
  reg                e1_q, e2_q, e3_q, e4_q, e5_q, silent1_q, silent2_q, silent3_q, silent4_q, silent5_q;
  reg  [WTA_AW-1:0]  c1_q, c2_q, c3_q, c4_q, c5_q;
  reg  [11:0]        x2_q;
  reg  [16:0]        rem3_q, rem4_q; // remainder of the last step, 16 times as large at the end
  reg  [2:0]         bits3_q;
  reg  [4:0]         bits4_q, bits5_q;
  wire               last = (c_q == last_i);
  wire unused_rem = &{1'b0, rem4_q};
  // a - u: 0..4094
  wire [11:0] below1 = {1'b0, a_q} - (silent1_q ? 12'd0 : u_rdata_i);
  // steps of the division of 16 (a - u), whose first one has 8 (a - u) as its remainder
`ifdef TERN_TESTBUG_WTA_REDUCES_LESS
  wire [16:0] begins = {1'b0, x2_q, 4'd0};
`else
  wire [16:0] begins = {2'b00, x2_q, 3'd0};
`endif
  reg  [17:0] shift_a, less_a, shift_b, less_b;
  reg  [16:0] rem_a, rem_b;
  reg  [2:0]  bits_a;
  reg  [1:0]  bits_b;
  integer     i;
  always @* begin
    rem_a   = begins;
    bits_a  = 3'd0;
    shift_a = 18'd0;
    less_a  = 18'd0;
    for (i = 0; i < 3; i = i + 1) begin
      shift_a = {rem_a, 1'b0};
      less_a  = shift_a - {1'b0, LN2_TOP};
      rem_a   = less_a[17] ? shift_a[16:0] : less_a[16:0];
      bits_a  = {bits_a[1:0], !less_a[17]};
    end
    rem_b   = rem3_q;
    bits_b  = 2'd0;
    shift_b = 18'd0;
    less_b  = 18'd0;
    for (i = 0; i < 2; i = i + 1) begin
      shift_b = {rem_b, 1'b0};
      less_b  = shift_b - {1'b0, LN2_TOP};
      rem_b   = less_b[17] ? shift_b[16:0] : less_b[16:0];
      bits_b  = {bits_b[0], !less_b[17]};
    end
  end
  // exponential: EXP[r >> 3] >> q, 0 from q = 16 on
`ifdef TERN_TESTBUG_WTA_EXP_NOT_SHIFTED
  wire [15:0] e_now = bits5_q[4] ? 16'd0 : exp_rdata_i;
`else
  wire [15:0] e_now = bits5_q[4] ? 16'd0 : exp_rdata_i >> bits5_q[3:0];
`endif
`ifdef TERN_TESTBUG_WTA_SILENCE_COUNTS
  wire        store = e5_q;
`else
  wire        store = e5_q && !silent5_q;
`endif
  wire        stored = store && (c5_q == last_i); // the last one
  always @(posedge clk_i) begin
    {e5_q, e4_q, e3_q, e2_q, e1_q} <= {e4_q, e3_q, e2_q, e1_q, issue_q};
    {silent5_q, silent4_q, silent3_q, silent2_q, silent1_q} <= {silent4_q, silent3_q, silent2_q, silent1_q, silence_q};
    c1_q <= c_q; c2_q <= c1_q; c3_q <= c2_q; c4_q <= c3_q; c5_q <= c4_q;
    x2_q    <= below1;
    rem3_q  <= rem_a;
    bits3_q <= bits_a;
    rem4_q  <= rem_b;
    bits4_q <= {bits3_q, bits_b};
    bits5_q <= bits4_q;
    if (start_i && state_q == ST_IDLE) begin
      issue_q   <= 1'b1;
      silence_q <= 1'b1;
      c_q       <= {WTA_AW{1'b0}};
    end else if (issue_q) begin
      silence_q <= 1'b0;
      if (!silence_q) begin
        c_q     <= c_q + 1'b1;
        issue_q <= !last;
      end
    end
`ifdef TERN_TESTBUG_WTA_SILENCE_FORGOTTEN
    if (e5_q) sum_q <= silent5_q ? {S_W{1'b0}} : sum_q + {{(S_W-16){1'b0}}, e_now};
`else
    if (e5_q) sum_q <= (silent5_q ? {S_W{1'b0}} : sum_q) + {{(S_W-16){1'b0}}, e_now};
`endif
    if (rst_i) {e5_q, e4_q, e3_q, e2_q, e1_q, issue_q} <= 6'd0;
  end

  // ---- divisions: E 2^16 + S/2 by S; its part above 2^16, the rest is S[16:1] -------------------------------
  reg  [1:0]         third_q;    // cycle of the dividers' three
  reg                all_q;      // the last member is in
  reg  [WTA_AW-1:0]  in_q, out_q; // member that goes in next, that comes out next
  wire [15:0]        e_rdata;
  wire               divide = (state_q == ST_DIVIDE);
  tern_ram #(.WIDTH(16), .DEPTH(1 << WTA_AW), .ADDR_W(WTA_AW)) u_e (
    .clk_i(clk_i), .we_i(store), .waddr_i(c5_q), .wdata_i(e_now), .re_i(stored || (divide && third_q != 2'd2)),
    .raddr_i(in_q), .rdata_o(e_rdata)
  );
`ifdef TERN_TESTBUG_WTA_DIVISION_FLOOR
  wire [16:0] high = {1'b0, e_rdata};
  wire [15:0] half = 16'd0;
`else
  wire [16:0] high = {1'b0, e_rdata} + {{(34-S_W){1'b0}}, sum_q[S_W-1:17]};
  wire [15:0] half = sum_q[16:1];
`endif
  wire        move = (third_q == 2'd2);
  wire        load = divide && move && !all_q;
  reg  [UNITS:0]        full_q;   // bit UNITS: the quotient is out
  reg  [UNITS*S_W-1:0]  rem_q;
  reg  [UNITS*18-1:0]   bits_q;   // bits of the dividend that are left, then the quotient
  reg  [16:0]           p_q;
  wire [UNITS*S_W-1:0]  rem_d;
  wire [UNITS*18-1:0]   bits_d;
  genvar u;
  generate
    for (u = 0; u < UNITS; u = u + 1) begin : g_unit
      wire [S_W:0]   shifted = {rem_q[u*S_W +: S_W], bits_q[u*18+17]};
      wire [S_W+1:0] less    = {1'b0, shifted} - {2'b00, sum_q};
      assign rem_d[u*S_W +: S_W] = less[S_W+1] ? shifted[S_W-1:0] : less[S_W-1:0];
      assign bits_d[u*18 +: 18]  = {bits_q[u*18 +: 17], !less[S_W+1]};
      wire unused_less = &{1'b0, less[S_W]}; // a remainder is below its divisor
    end
  endgenerate
  wire unused_bits = &{1'b0, bits_d[UNITS*18-1]}; // a probability has 17
  always @(posedge clk_i) begin
    full_q[UNITS] <= 1'b0;
    if (!move) begin
      rem_q  <= rem_d;
      bits_q <= bits_d;
    end else begin
      rem_q  <= {rem_d[(UNITS-1)*S_W-1:0], {{(S_W-15){1'b0}}, high[16:2]}};
      bits_q <= {bits_d[(UNITS-1)*18-1:0], high[1:0], half};
      full_q <= {full_q[UNITS-1:0], load};
      p_q    <= bits_d[(UNITS-1)*18 +: 17];
    end
    if (divide) third_q <= move ? 2'd0 : third_q + 2'd1;
    else third_q <= 2'd2;
    if (load) begin
      in_q <= in_q + 1'b1;
      if (in_q == last_i) all_q <= 1'b1;
    end
    if (state_q == ST_IDLE) begin
      in_q  <= {WTA_AW{1'b0}};
      all_q <= 1'b0;
    end
    if (rst_i) full_q <= {(UNITS+1){1'b0}};
  end

  // ---- LN(S): the leading one to the top, two bits per cycle; a smaller WTA needs fewer, but the same time ----
  reg  [3:0]         n_q;        // 13..3 shifts, 2 table, 0 done
  reg  [S_W-1:0]     norm_q;
  reg  signed [21:0] base_q;     // LN(S) - 45426, up to the table with 4 more fraction bits
  always @(posedge clk_i) begin
    if (!divide) begin
      n_q    <= 4'd14;
      base_q <= LN_START;
    end else if (n_q != 4'd0) begin
      n_q <= n_q - 4'd1;
      if (n_q == 4'd14) norm_q <= sum_q;
      else if (n_q == 4'd1)
`ifdef TERN_TESTBUG_WTA_LOG_FORGOTTEN
        base_q <= base_q >>> 4;
`else
        base_q <= (base_q >>> 4) + $signed({10'd0, log_rdata_i});
`endif
      else if (n_q != 4'd2) begin
        if (norm_q[S_W-1:S_W-2] == 2'b00) begin
          norm_q <= {norm_q[S_W-3:0], 2'b00};
          base_q <= base_q - $signed({LN2_F16[20:0], 1'b0});
        end else if (!norm_q[S_W-1]) begin
          norm_q <= {norm_q[S_W-2:0], 1'b0};
          base_q <= base_q - $signed(LN2_F16);
        end
      end
    end
  end

  // ---- member: probability, spike, error -----------------------------------------------------------------------
  wire [11:0] below   = {1'b0, a_q} - u_rdata_i;
  wire [16:0] p       = p_q;
  wire [16:0] reached = reached_q + p;   // rounding adds at most 32 to 2^16
`ifdef TERN_TESTBUG_WTA_SECOND_WINNER
  wire        drawn   = ({1'b0, draw_i} < reached);
`else
  wire        drawn   = ({1'b0, draw_i} < reached) && !won_q;
`endif
  wire        spike   = clamp_i ? (has_target_i && out_q == target_i) : drawn;
  wire [17:0] e_f16   = {1'b0, spike, 16'd0} - {1'b0, p} + 18'd1;
`ifdef TERN_TESTBUG_WTA_ERROR_WRAPS
  wire        e_above = 1'b0;
`else
  wire        e_above = (e_f16[17:16] == 2'b01); // 2^15: a spike whose probability is 0 or 2^-16
`endif
  wire unused_e = &{1'b0, e_f16[0]};
  wire        valid   = full_q[UNITS];

  // circuit
  wire signed [21:0] loss = base_q + $signed({6'd0, below_q, 4'd0});
  wire unused_loss = &{1'b0, loss[20:17]};

  always @(posedge clk_i) begin
    case (state_q)
      ST_IDLE: if (start_i) begin
        state_q   <= ST_EXP;
        a_q       <= top_i;
        below_q   <= {1'b0, top_i}; // of silence
        reached_q <= 17'd0;
        won_q     <= 1'b0;
        out_q     <= {WTA_AW{1'b0}};
      end
      ST_EXP: if (stored) state_q <= ST_DIVIDE;
      ST_DIVIDE: if (valid) begin
        reached_q <= reached;
        won_q     <= won_q || spike;
        if (spike) below_q <= below;
`ifdef TERN_TESTBUG_WTA_MEMBER_LATE
        out_q     <= (out_q == last_i) ? out_q : out_q + 1'b1;
        if (out_q == last_i && reached[0]) state_q <= ST_DONE;
`else
        out_q     <= out_q + 1'b1;
        if (out_q == last_i) state_q <= ST_DONE;
`endif
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) state_q <= ST_IDLE;
  end

  assign busy_o      = (state_q != ST_IDLE);
  assign u_re_o      = (issue_q && !silence_q) || divide;
  assign u_raddr_o   = divide ? out_q : c_q;
  assign table_re_o  = e4_q || (divide && n_q == 4'd2);
  assign exp_raddr_o = rem4_q[15:7];       // r >> 3, the remainder is 16 r
  assign log_raddr_o = norm_q[S_W-2 -: 8];
  assign valid_o     = valid;
  assign member_o    = out_q;
  assign p_f16_o     = p;
  assign spike_o     = spike;
  assign e_f15_o     = e_above ? 16'h7fff : e_f16[16:1];
  assign done_o      = (state_q == ST_DONE);
  assign l_f12_o     = loss[21] ? 17'd0 : loss[16:0];
endmodule

`default_nettype wire
