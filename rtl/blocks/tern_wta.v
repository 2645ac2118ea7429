// tern_wta.v : a winner-take-all circuit in one sample: probabilities, spike, errors and cross-entropy of its members
// SPDX-License-Identifier: Apache-2.0
//
// Function  a = max(0, u_c);  E_0 = exp(a), E_c = exp(a - u_c) by table;  S = E_0 + sum E_c;  p_c = (E_c 2^16 + S/2) div S      [N-22, N-23]
//           s_c = 1 for the lowest c with draw < p_1 + .. + p_c, or for the target;  e_c = rs(s_c 2^16 - p_c, 1), at most 2^15 - 1   [N-24, N-25]
//           l = max(0, 16 a + LN(S) - 45426 - 16 u_s)                                                                           [N-26]
// C model   runtime/blocks/tern_wta.c, tern_wta_step()
// Cycles    28 C + 36 from start_i to done_o, both included, whatever the values: C to find a; 8 for each of C + 1 exponentials; 25 for LN(S); 19 for each division
// Numerics  u s.8 within +-2047; exponentials u0.16; S at most (WTA + 1)(2^16 - 1); p u0.16 in 17 bits; e s0.15; l u.12 in 17 bits
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
  input  wire [15:0]       draw_i,      // there 30 cycles after start_i
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
  // 16 ln 2 with 12 fraction bits, which is ln 2 with 16; the highest divisor of the reduction by ln 2 is 2839 2^4
  localparam [S_W-1:0] LN2_TOP = 2839 * 16;
  localparam [21:0] LN2_F16 = 45426;
  // LN(S) - 45426 for the highest leading one, 4 more fraction bits, with the half of its rounding
  localparam [31:0]        LN_HIGH  = 45426 * (S_W - 1 - 16) + 8;
  localparam signed [21:0] LN_START = LN_HIGH[21:0];

  localparam [3:0] ST_IDLE = 4'd0, ST_MAX = 4'd1, ST_FIRST = 4'd2, ST_E_LOAD = 4'd3, ST_E_REDUCE = 4'd4, ST_E_TABLE = 4'd5, ST_E_STORE = 4'd6,
                   ST_L_LOAD = 4'd7, ST_L_SHIFT = 4'd8, ST_L_TABLE = 4'd9, ST_L_STORE = 4'd10, ST_P_LOAD = 4'd11, ST_P_DIVIDE = 4'd12, ST_P_OUT = 4'd13,
                   ST_DONE = 4'd14;
  reg  [3:0]         state_q;
  reg  [4:0]         n_q;        // steps left in a counted state
  reg  [WTA_AW-1:0]  c_q;        // member
  reg                silence_q;  // exponential of silence
  reg                max_q;      // a potential of ST_MAX is there
  reg  [10:0]        a_q;
  reg  [S_W-1:0]     sum_q;      // S
  reg  [S_W-1:0]     rem_q;      // remainder
  reg  [16:0]        bits_q;     // bits of the dividend that are left, then the quotient
  reg  signed [21:0] base_q;     // LN(S) - 45426, up to ST_L_TABLE with 4 more fraction bits
  reg  [16:0]        reached_q;  // sum of the probabilities so far
  reg                won_q;
  reg  [11:0]        below_q;    // a - u_s

  wire last = (c_q == last_i);

  // a - u: 0..4094
  wire [11:0] below = {1'b0, a_q} - (silence_q ? 12'd0 : u_rdata_i);

  // one step of a division: reduction by ln 2 (quotient of 5 bits, the remainder 16 times as large) and probability (17 bits)
  wire [S_W:0]   shifted = {rem_q, bits_q[16]};
  wire [S_W-1:0] divisor = (state_q == ST_E_REDUCE) ? LN2_TOP : sum_q;
  wire [S_W+1:0] less    = {1'b0, shifted} - {2'b00, divisor};
  wire           fits    = !less[S_W+1];
  wire unused_less = &{1'b0, less[S_W]}; // a remainder is below its divisor

  // exponential: EXP[r >> 3] >> q, 0 from q = 16 on
`ifdef TERN_TESTBUG_WTA_EXP_NOT_SHIFTED
  wire [15:0] e_now = bits_q[4] ? 16'd0 : exp_rdata_i;
`else
  wire [15:0] e_now = bits_q[4] ? 16'd0 : exp_rdata_i >> bits_q[3:0];
`endif
  wire        store = (state_q == ST_E_STORE) && !silence_q;
`ifdef TERN_TESTBUG_WTA_SILENCE_COUNTS
  wire        next  = (state_q == ST_E_STORE) || (state_q == ST_P_OUT);
`else
  wire        next  = store || (state_q == ST_P_OUT);  // the member behind c_q is read
`endif
  wire [WTA_AW-1:0] c_next = c_q + 1'b1;
  wire [WTA_AW-1:0] raddr  = next ? c_next : c_q;
  wire [15:0] e_rdata;
  tern_ram #(.WIDTH(16), .DEPTH(1 << WTA_AW), .ADDR_W(WTA_AW)) u_e (
    .clk_i(clk_i), .we_i(store), .waddr_i(c_q), .wdata_i(e_now), .re_i(state_q == ST_L_STORE || state_q == ST_P_OUT), .raddr_i(raddr), .rdata_o(e_rdata)
  );
  // E 2^16 + S/2: its part above 2^16, the rest is S[16:1]
`ifdef TERN_TESTBUG_WTA_DIVISION_FLOOR
  wire [16:0] high = {1'b0, e_rdata};
  wire [15:0] half = 16'd0;
`else
  wire [16:0] high = {1'b0, e_rdata} + {{(34-S_W){1'b0}}, sum_q[S_W-1:17]};
  wire [15:0] half = sum_q[16:1];
`endif

  // member: probability, spike, error
  wire [16:0] p       = bits_q;
  wire [16:0] reached = reached_q + p;   // rounding adds at most 32 to 2^16
`ifdef TERN_TESTBUG_WTA_SECOND_WINNER
  wire        drawn   = ({1'b0, draw_i} < reached);
`else
  wire        drawn   = ({1'b0, draw_i} < reached) && !won_q;
`endif
  wire        spike   = clamp_i ? (has_target_i && c_q == target_i) : drawn;
  wire [17:0] e_f16   = {1'b0, spike, 16'd0} - {1'b0, p} + 18'd1;
`ifdef TERN_TESTBUG_WTA_ERROR_WRAPS
  wire        e_above = 1'b0;
`else
  wire        e_above = (e_f16[17:16] == 2'b01); // 2^15: a spike whose probability is 0 or 2^-16
`endif
  wire unused_e = &{1'b0, e_f16[0]};

  // circuit
  wire signed [21:0] loss = base_q + $signed({6'd0, below_q, 4'd0});
  wire unused_loss = &{1'b0, loss[20:17]};

  always @(posedge clk_i) begin
    max_q <= (state_q == ST_MAX);
    if (max_q && !u_rdata_i[11] && u_rdata_i[10:0] > a_q) a_q <= u_rdata_i[10:0];
    if (n_q != 5'd0) n_q <= n_q - 5'd1;
    case (state_q)
      ST_IDLE: if (start_i) begin
        state_q   <= ST_MAX;
        c_q       <= {WTA_AW{1'b0}};
        a_q       <= 11'd0;
        reached_q <= 17'd0;
        won_q     <= 1'b0;
      end
      ST_MAX: begin
        c_q <= last ? {WTA_AW{1'b0}} : c_next;
        if (last) state_q <= ST_FIRST;
      end
      ST_FIRST: begin // the last potential is compared
        silence_q <= 1'b1;
        state_q   <= ST_E_LOAD;
      end
      ST_E_LOAD: begin
        bits_q  <= 17'd0;
`ifdef TERN_TESTBUG_WTA_REDUCES_LESS
        rem_q   <= {{(S_W-16){1'b0}}, below, 4'd0};
        n_q     <= 5'd3;
`else
        rem_q   <= {{(S_W-15){1'b0}}, below, 3'd0}; // 16 (a - u) is its first dividend
        n_q     <= 5'd4;
`endif
        state_q <= ST_E_REDUCE;
        if (silence_q) below_q <= below;
      end
      ST_E_REDUCE: begin
        rem_q  <= fits ? less[S_W-1:0] : shifted[S_W-1:0];
        bits_q <= {bits_q[15:0], fits};
        if (n_q == 5'd0) state_q <= ST_E_TABLE;
      end
      ST_E_TABLE: state_q <= ST_E_STORE;
      ST_E_STORE: begin
`ifdef TERN_TESTBUG_WTA_SILENCE_FORGOTTEN
        sum_q     <= silence_q ? {S_W{1'b0}} : sum_q + {{(S_W-16){1'b0}}, e_now};
`else
        sum_q     <= (silence_q ? {S_W{1'b0}} : sum_q) + {{(S_W-16){1'b0}}, e_now};
`endif
        silence_q <= 1'b0;
        if (store) c_q <= last ? {WTA_AW{1'b0}} : c_next;
        state_q   <= (store && last) ? ST_L_LOAD : ST_E_LOAD;
      end
      ST_L_LOAD: begin
        rem_q   <= sum_q;
        base_q  <= LN_START;
        n_q     <= 5'd21;
        state_q <= ST_L_SHIFT;
      end
      ST_L_SHIFT: begin // the leading one to the top; a smaller WTA needs fewer shifts, but the same time
        if (!rem_q[S_W-1]) begin
          rem_q  <= shifted[S_W-1:0];
          base_q <= base_q - $signed(LN2_F16);
        end
`ifdef TERN_TESTBUG_WTA_SHIFT_ENDS
        if (n_q == 5'd0 || rem_q[S_W-1]) state_q <= ST_L_TABLE;
`else
        if (n_q == 5'd0) state_q <= ST_L_TABLE;
`endif
      end
      ST_L_TABLE: state_q <= ST_L_STORE;
      ST_L_STORE: begin
`ifdef TERN_TESTBUG_WTA_LOG_FORGOTTEN
        base_q  <= base_q >>> 4;
`else
        base_q  <= (base_q >>> 4) + $signed({10'd0, log_rdata_i});
`endif
        state_q <= ST_P_LOAD;
      end
      ST_P_LOAD: begin
        rem_q   <= {{(S_W-16){1'b0}}, high[16:1]};
        bits_q  <= {high[0], half};
        n_q     <= 5'd16;
        state_q <= ST_P_DIVIDE;
      end
      ST_P_DIVIDE: begin
        rem_q  <= fits ? less[S_W-1:0] : shifted[S_W-1:0];
        bits_q <= {bits_q[15:0], fits};
        if (n_q == 5'd0) state_q <= ST_P_OUT;
      end
      ST_P_OUT: begin
        reached_q <= reached;
        won_q     <= won_q || spike;
        if (spike) below_q <= below;
        if (!last) c_q <= c_next;
        state_q   <= last ? ST_DONE : ST_P_LOAD;
      end
      default: state_q <= ST_IDLE;
    endcase
    if (rst_i) begin
      state_q <= ST_IDLE;
      max_q   <= 1'b0;
    end
  end

  assign busy_o      = (state_q != ST_IDLE);
  assign u_re_o      = (state_q == ST_MAX) || next || (state_q == ST_E_STORE) || (state_q == ST_L_STORE);
  assign u_raddr_o   = raddr;
  assign table_re_o  = (state_q == ST_E_TABLE) || (state_q == ST_L_TABLE);
  assign exp_raddr_o = rem_q[15:7];       // r >> 3, the remainder is 16 r
  assign log_raddr_o = rem_q[S_W-2 -: 8];
  assign valid_o     = (state_q == ST_P_OUT);
  assign member_o    = c_q;
  assign p_f16_o     = p;
  assign spike_o     = spike;
  assign e_f15_o     = e_above ? 16'h7fff : e_f16[16:1];
  assign done_o      = (state_q == ST_DONE);
  assign l_f12_o     = loss[21] ? 17'd0 : loss[16:0];
endmodule

`default_nettype wire
