// formal_wta.v : rules of tern_wta: the words that it uses, its members in order, and that it ends
// SPDX-License-Identifier: Apache-2.0
//
// Potentials, tables, draw and target are free; potentials come a cycle behind their address, as those of a memory. One
// circuit, found in the state behind a reset with all data free; it ends after so many cycles as `bound` has, and then
// its control is as it was found (a_rests), so this holds for each circuit that follows.
//! files   blocks/tern_wta mem/tern_ram
//! cut     tern_ram
//! solver  bits
//! bound   50
//! reach   48
//! set     WTA=5
//! set     WTA=2
//! set     WTA=3
//! set     WTA=4
//! connect f_state=dut.state_q f_e1=dut.e1_q f_silent1=dut.silent1_q f_c1=dut.c1_q f_e4=dut.e4_q f_load=dut.load
//! connect f_store=dut.store f_c5=dut.c5_q f_at=dut.in_q
//! connect f_issue=dut.issue_q f_pipe=dut.e5_q f_e2=dut.e2_q f_e3=dut.e3_q f_full=dut.full_q f_third=dut.third_q
//! connect f_all=dut.all_q f_n=dut.n_q
//! mutant  silence_counts a_stored WTA_SILENCE_COUNTS 50
//! mutant  member_late a_ends WTA_MEMBER_LATE 50
//! mutant  reduces_less a_exp WTA_REDUCES_LESS 40
`default_nettype none

module formal_wta #(
  parameter WTA = 2
) (
  input wire        clk_i,
  input wire [10:0] top_i,
  input wire [15:0] draw_i,
  input wire        clamp_i,
  input wire        has_target_i,
  input wire [11:0] u_i,
  input wire [15:0] exp_i,
  input wire [11:0] log_i
);
  localparam AW = $clog2(WTA);
  localparam [1:0] ST_IDLE = 2'd0, ST_DIVIDE = 2'd2;
  reg  [6:0] f_time = 7'd0;
  always @(posedge clk_i) if (f_time != 7'd127) f_time <= f_time + 7'd1;
  wire          f_reset = (f_time == 7'd0), start = (f_time == 7'd1);
  (* anyconst *) reg [AW-1:0] last, target;
  wire          busy, u_re, table_re, valid, spike, done;
  wire [AW-1:0] u_at, member;
  wire [8:0]    exp_at;
  wire [16:0]   p, l;
  wire [15:0]   e;
  wire [7:0]    log_at;
  tern_wta #(.WTA(WTA), .WTA_AW(AW)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .last_i(last), .busy_o(busy), .top_i(top_i), .draw_i(draw_i),
    .clamp_i(clamp_i),
    .has_target_i(has_target_i), .target_i(target), .u_re_o(u_re), .u_raddr_o(u_at), .u_rdata_i(u_i),
    .table_re_o(table_re),
    .exp_raddr_o(exp_at), .exp_rdata_i(exp_i), .log_raddr_o(log_at), .log_rdata_i(log_i), .valid_o(valid),
    .member_o(member),
    .p_f16_o(p), .spike_o(spike), .e_f15_o(e), .done_o(done), .l_f12_o(l)
  );
  wire          f_e1, f_silent1, f_e4, f_load, f_store, f_issue, f_pipe, f_e2, f_e3, f_all;
  wire [AW-1:0] f_c1, f_c5, f_at;
  wire [1:0]    f_state, f_third;
  wire [3:0]    f_n;
  wire [6:0]    f_full;
  wire [6:0]    c     = {{(7-AW){1'b0}}, last} + 7'd1;
  wire [6:0]    ends  = 7'd4 * c + 7'd25;            // done_o, counted from start_i, both included
  reg  [AW-1:0] m_u_at = {AW{1'b0}};
  reg           m_u_re = 1'b0;
  reg  [6:0]    m_members = 7'd0, m_stored = 7'd0, m_loaded = 7'd0;
  always @(posedge clk_i) begin
    m_u_at <= u_at;
    m_u_re <= u_re;
    if (!f_reset && valid) m_members <= m_members + 7'd1;
    if (!f_reset && f_store) m_stored <= m_stored + 7'd1;
    if (!f_reset && f_load) m_loaded <= m_loaded + 7'd1;
  end
  always @* begin
    assume (last != {AW{1'b0}} && {1'b0, last} < WTA);
    assume (!u_i[11] ? u_i[10:0] <= top_i : 1'b1); // the top is that of the members
    assume (u_i != 12'h800);
  end
  reg [10:0] m_top = 11'd0;
  always @(posedge clk_i) m_top <= top_i;
  always @* if (f_time > 7'd1) assume (top_i == m_top);
  always @* if (!f_reset) begin
    // 1. potentials are those of the current member; there are C exponentials, each stored and divided once, in order
    if (f_e1 && !f_silent1) a_potential: assert (m_u_re && m_u_at == f_c1);
    if (valid) a_winner: assert (m_u_re && m_u_at == member);
    if (f_store) a_stored: assert ({{(7-AW){1'b0}}, f_c5} == m_stored && m_stored < c);
    if (f_load) a_loaded: assert ({{(7-AW){1'b0}}, f_at} == m_loaded && m_loaded < m_stored);
    // 2. the table has 355 words
    if (f_e4) a_exp: assert (exp_at <= 9'd354);
    // 3. each member is given once, in order
    if (valid) a_order: assert ({{(7-AW){1'b0}}, member} == m_members && m_members < c);
    if (done) a_all: assert (m_members == c);
    // 4. it is done after exactly 4 C + 25 cycles, for any values
    if (f_time > 7'd0) a_ends: assert (done == (f_time == ends));
    if (f_time > 7'd1) a_busy: assert (busy == (f_time <= ends));
    // 5. then its control is as it was found
    if (f_time == 7'd1 || f_time > ends) a_rests:
        assert (f_state == ST_IDLE && !f_issue && !f_e1 && !f_e2 && !f_e3 && !f_e4 && !f_pipe && f_full == 7'd0);
  end
  always @* if (!f_reset) begin
    c_done: cover (done && last == {{(AW-1){1'b0}}, 1'b1});
  end
  wire unused = &{1'b0, p, l, e, spike, table_re, log_at, f_third, f_all, f_n};
endmodule

`default_nettype wire
