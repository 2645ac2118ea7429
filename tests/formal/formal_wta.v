// formal_wta.v : rules of tern_wta: the words that it uses, its members in order, and that it ends
// SPDX-License-Identifier: Apache-2.0
//
// Potentials, tables, draw and target are free; potentials come a cycle behind their address, as those of a memory.
//! files   blocks/tern_wta mem/tern_ram
//! cut     tern_ram
//! solver  bits
//! bound   8
//! induct  1
//! reach   100
//! set     WTA=2
//! set     WTA=3
//! set     WTA=4
//! set     WTA=5
//! set     WTA=12
//! set     WTA=64
//! connect f_state=dut.state_q f_n=dut.n_q f_c=dut.c_q f_silence=dut.silence_q f_max=dut.max_q f_rem=dut.rem_q
//! connect f_bits=dut.bits_q
//! connect f_store=dut.store f_at=dut.raddr
//! mutant  silence_counts a_potential WTA_SILENCE_COUNTS 40
//! mutant  shift_ends a_ends WTA_SHIFT_ENDS 80
//! mutant  reduces_less a_exp WTA_REDUCES_LESS 40
`default_nettype none

module formal_wta #(
  parameter WTA = 2
) (
  input wire        clk_i,
  input wire        start_i,
  input wire [15:0] draw_i,
  input wire        clamp_i,
  input wire        has_target_i,
  input wire [11:0] u_i,
  input wire [15:0] exp_i,
  input wire [11:0] log_i
);
  localparam AW = $clog2(WTA), S_W = 16 + $clog2(WTA + 1);
  localparam [3:0] ST_IDLE = 4'd0, ST_MAX = 4'd1, ST_FIRST = 4'd2, ST_E_LOAD = 4'd3, ST_E_REDUCE = 4'd4,
      ST_E_TABLE = 4'd5, ST_E_STORE = 4'd6,
                   ST_L_LOAD = 4'd7, ST_L_SHIFT = 4'd8, ST_L_TABLE = 4'd9, ST_L_STORE = 4'd10, ST_P_LOAD = 4'd11,
                       ST_P_DIVIDE = 4'd12, ST_P_OUT = 4'd13,
                   ST_DONE = 4'd14;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  (* anyconst *) reg [AW-1:0] last, target;
  wire          busy, u_re, table_re, valid, spike, done;
  wire [AW-1:0] u_at, member;
  wire [8:0]    exp_at;
  wire [16:0]   p, l;
  wire [15:0]   e;
  wire [7:0]    log_at;
  wire          start = start_i && !busy && !f_reset;
  tern_wta #(.WTA(WTA), .WTA_AW(AW)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .last_i(last), .busy_o(busy), .draw_i(draw_i), .clamp_i(clamp_i),
    .has_target_i(has_target_i), .target_i(target), .u_re_o(u_re), .u_raddr_o(u_at), .u_rdata_i(u_i),
    .table_re_o(table_re), .exp_raddr_o(exp_at), .exp_rdata_i(exp_i), .log_raddr_o(log_at), .log_rdata_i(log_i),
    .valid_o(valid), .member_o(member), .p_f16_o(p), .spike_o(spike), .e_f15_o(e), .done_o(done), .l_f12_o(l)
  );
  wire [3:0]    f_state;
  wire [4:0]    f_n;
  wire [AW-1:0] f_c, f_at;
  wire          f_silence, f_max, f_store;
  wire [S_W-1:0] f_rem;
  wire [16:0]   f_bits;
  always @* assume (last != {AW{1'b0}} && {1'b0, last} < WTA);

  // ---- time: cycle of the circuit, 1 behind start; members given; words read last -----------------------------------
  localparam T_W = 12;
  wire [T_W-1:0] size = {{(T_W-AW){1'b0}}, last} + 12'd1;
  wire [T_W-1:0] all  = size * 12'd28 + 12'd35;
  reg  [T_W-1:0] m_time = {T_W{1'b0}};
  reg  [6:0]     m_given = 7'd0;
  reg  [AW-1:0]  m_u_at = {AW{1'b0}}, m_e_at = {AW{1'b0}};
  always @(posedge clk_i) begin
    m_time <= (f_reset || m_time == all) ? {T_W{1'b0}} : (start || m_time != {T_W{1'b0}}) ? m_time + 1'b1 : {T_W{1'b0}};
    if (start) m_given <= 7'd0;
    else if (valid) m_given <= m_given + 7'd1;
    if (u_re) m_u_at <= u_at;
    if (f_state == ST_L_STORE || f_state == ST_P_OUT) m_e_at <= f_at;
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  wire uses = (f_state == ST_E_LOAD && !f_silence) || f_state == ST_P_OUT; // the member's potential
  always @* if (!f_reset) begin
    // 1. a word that is used is the member's, or, while the largest potential is looked for, one of the circuit; E is
    // written for members only
    if (uses) a_potential: assert (m_u_at == f_c && f_c <= last);
    if (f_max) a_largest: assert (m_u_at <= last);
    if (f_store) a_written: assert (f_c <= last);
    if (f_state == ST_P_LOAD) a_read: assert (m_e_at == f_c && f_c <= last);
    // 2. of the exponential's table only words that there are
    if (f_state == ST_E_TABLE) a_exp: assert (table_re && exp_at < 9'd355);
    // 3. each member is given once, in order
    if (valid) a_order: assert (member == f_c && {{(7-AW){1'b0}}, member} == m_given && member <= last);
    if (done) a_all: assert (m_given == size[6:0]);
    // 4. it takes 28 C + 36 cycles from start to done, both included
    a_ends: assert (busy == (m_time != {T_W{1'b0}}) && done == (m_time == all) && m_time <= all);
  end

  // ---- registers: what was done before the state --------------------------------------------------------------------
  wire [T_W-1:0] n = {{(T_W-5){1'b0}}, f_n}, c = {{(T_W-AW){1'b0}}, f_c};
  wire [T_W-1:0] e_at_c = size + 12'd1 + (f_silence ? 12'd0 : c * 12'd8 + 12'd8), l_at = size * 12'd9 + 12'd9,
      p_at_c = l_at + 12'd25 + c * 12'd19;
  reg  [T_W-1:0] before;
  always @* begin
    case (f_state)
      ST_MAX:      before = c;
      ST_FIRST:    before = size;
      ST_E_LOAD:   before = e_at_c;
      ST_E_REDUCE: before = e_at_c + 12'd5 - n;
      ST_E_TABLE:  before = e_at_c + 12'd6;
      ST_E_STORE:  before = e_at_c + 12'd7;
      ST_L_LOAD:   before = l_at;
      ST_L_SHIFT:  before = l_at + 12'd22 - n;
      ST_L_TABLE:  before = l_at + 12'd23;
      ST_L_STORE:  before = l_at + 12'd24;
      ST_P_LOAD:   before = p_at_c;
      ST_P_DIVIDE: before = p_at_c + 12'd17 - n;
      ST_P_OUT:    before = p_at_c + 12'd18;
      default:     before = all - 12'd1;
    endcase
  end
  wire in_e = f_state >= ST_E_LOAD && f_state <= ST_E_STORE, in_p = f_state >= ST_P_LOAD && f_state <= ST_P_OUT;
  always @* if (!f_reset && busy) begin
    i_state: assert (f_state <= ST_DONE && f_c <= last && m_time == before + 12'd1);
    if (f_state == ST_E_REDUCE) i_reduce: assert (f_n <= 5'd4);
    if (f_state == ST_L_SHIFT) i_shift: assert (f_n <= 5'd21);
    if (f_state == ST_P_DIVIDE) i_divide: assert (f_n <= 5'd16);
    if (f_state == ST_FIRST || (in_e && f_silence) || f_state == ST_L_LOAD || f_state == ST_L_SHIFT ||
        f_state == ST_L_TABLE || f_state == ST_L_STORE) i_first: assert (f_c == {AW{1'b0}});
    if (in_p && f_state != ST_P_OUT) i_potential: assert (m_u_at == f_c);
    if (in_e && !f_silence && f_state == ST_E_LOAD) i_load: assert (m_u_at == f_c);
    i_given: assert (f_state == ST_DONE ? m_given == size[6:0] : m_given == (in_p ? {{(7-AW){1'b0}}, f_c} : 7'd0));
    if (f_state == ST_E_REDUCE || f_state == ST_E_TABLE) i_rest: assert (f_rem < 45424);
    // what is divided has no more than this
    if (f_state == ST_E_REDUCE) i_bits: assert (f_bits >> (5'd4 - f_n) == 17'd0);
  end
  always @* if (!f_reset) i_largest: assert (!f_max || f_state == ST_MAX || f_state == ST_FIRST);

  // ---- it happens: a circuit ends, a member of it has fired ---------------------------------------------------------
  reg m_spike = 1'b0;
  always @(posedge clk_i) m_spike <= !start && (m_spike || (valid && spike));
  always @* if (!f_reset) begin
    c_done: cover (done && m_spike);
    c_exp: cover (f_state == ST_E_TABLE && exp_at == 9'd354);
  end
  wire unused = &{1'b0, p, l, e, log_at};
endmodule

`default_nettype wire
