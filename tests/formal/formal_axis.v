// formal_axis.v : rules of tern_axis, with tern_axis_in, tern_axis_out and tern_share inside
// SPDX-License-Identifier: Apache-2.0
//
// The host asks what it likes, but leaves the settings alone once the stream is on, and starts no steps; the core is
// any that keeps to docs/33-host-port.md, but answers after two cycles. Contents of memories are free.
//! files   mem/tern_ram bridge/tern_share bridge/tern_axis_in bridge/tern_axis_out bridge/tern_axis
//! cut     tern_ram
//! solver  bits
//! bound   10
//! induct  2
//! reach   40
//! connect f_state=dut.state_q f_in=dut.u_in.state_q f_out=dut.u_out.state_q f_b_valid=dut.b_valid
//! connect f_b_ready=dut.b_ready f_b_rvalid=dut.b_rvalid f_b_write=dut.b_write
//! connect f_enable=dut.enable_q f_last=dut.last_q f_in_last=dut.u_in.last_q f_phase=dut.phase_q f_own=dut.own_q
//! connect f_own2=dut.own2_q f_wait=dut.u_share.wait_q f_ownb=dut.u_share.own_q f_command=dut.command
//! connect f_step=dut.u_in.step_q f_winner=dut.winner_q
//! mutant  both_taken a_one_master BUS_SHARE_BOTH_TAKEN 16
//! mutant  overwrites a_m_stays BUS_AXIS_OUT_OVERWRITES 30
`default_nettype none

module formal_axis (
  input wire        clk_i,
  input wire        up_valid_i,
  input wire        up_write_i,
  input wire [31:0] up_addr_i,
  input wire [31:0] up_wdata_i,
  input wire        host_ready_i,
  input wire [31:0] host_rdata_i,
  input wire        busy_i,
  input wire [31:0] s_data_i,
  input wire        s_valid_i,
  input wire        s_last_i,
  input wire        m_ready_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        up_ready, up_rvalid, host_valid, host_write, s_ready, m_valid, m_last;
  wire [31:0] up_rdata, host_addr, host_wdata, m_data;
  wire [1:0]  events;
  reg         m_read1 = 1'b0, m_read2 = 1'b0;
  tern_axis #(.LANES(2), .GROUPS(2), .FRAME_WORDS(2)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .up_valid_i(up_valid_i), .up_ready_o(up_ready), .up_write_i(up_write_i),
    .up_addr_i(up_addr_i), .up_wdata_i(up_wdata_i), .up_rvalid_o(up_rvalid),
    .up_rdata_o(up_rdata), .host_valid_o(host_valid), .host_ready_i(host_ready_i), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rvalid_i(m_read2),
    .host_rdata_i(host_rdata_i), .busy_i(busy_i), .s_axis_tdata(s_data_i), .s_axis_tvalid(s_valid_i),
    .s_axis_tready(s_ready), .s_axis_tlast(s_last_i), .m_axis_tdata(m_data),
    .m_axis_tvalid(m_valid), .m_axis_tready(m_ready_i), .m_axis_tlast(m_last), .event_o(events)
  );
  wire f_enable;
  wire own        = up_addr_i[31:25] == 7'h40;
  wire up_taken   = up_valid_i && up_ready && !f_reset;
  wire host_taken = host_valid && host_ready_i && !f_reset;
  wire control    = host_taken && host_write && host_addr == 32'd2;

  // ---- the host, the core, the sender -------------------------------------------------------------------------------
  reg        m_started = 1'b0, m_s = 1'b0;
  reg [32:0] m_s_bits;
  always @(posedge clk_i) begin
    m_started <= control && host_wdata[0];
    m_s       <= s_valid_i && !s_ready && !f_reset;
    m_s_bits  <= {s_last_i, s_data_i};
  end
  always @* begin
    // only the count of ignored events
    if (f_enable && up_valid_i && up_write_i && own && up_addr_i[24:3] == 22'd0) assume (up_addr_i[2:0] == 3'd7);
    if (up_valid_i && up_write_i) assume (up_addr_i != 32'd2);
    if (m_started) assume (busy_i);                                                         // a start is busy at once
    if (busy_i && host_valid && !(host_addr[31:24] == 8'd0 && !host_write && !host_addr[5])) assume (!host_ready_i);
    if (m_s) assume (s_valid_i && {s_last_i, s_data_i} == m_s_bits);
  end

  // ---- rules --------------------------------------------------------------------------------------------------------
  wire       f_b_valid, f_b_ready, f_b_rvalid, f_b_write, f_last, f_in_last, f_own, f_own2, f_wait, f_ownb, f_step;
  // order: 0 idle, 1 command, 2 wait, 3 out, 4 winner, 5 answer, 6 mark; gathering: as in formal_axis_in
  wire [2:0] f_state, f_in;
  wire [1:0] f_out, f_phase;
  wire [7:0] f_command;
  reg        m_up1 = 1'b0, m_up2 = 1'b0, m_b1 = 1'b0, m_b2 = 1'b0, m_own1 = 1'b0, m_own2 = 1'b0, m_m = 1'b0;
  reg [32:0] m_m_bits;
  // the step is started
  wire       own_start = (f_state == 3'd1) && f_phase == 2'd0 && f_b_valid && f_b_ready && !f_reset;
  wire       s_step  = s_valid_i && s_ready && (s_data_i[31] || s_last_i) && !f_reset;      // a step ends in the input
  wire       m_takes = m_valid && m_ready_i && !f_reset;
  wire       m_mark  = m_takes && m_data[31];
  reg [1:0]  m_due = 2'd0;             // steps that have ended in the input and are not started
  reg [1:0]  m_lasts = 2'd0;           // whether they end an example, oldest in bit 0
  wire [15:0] f_winner;
  reg        m_open = 1'b0, m_ends;    // a step is started, its marker is not yet taken; it ends an example
  // a marker goes into the output register
  wire       f_put = (f_state == 3'd6) && (!m_valid || m_ready_i) && !f_reset;
  reg        m_mark_waits = 1'b0, m_mark_ends; // it is there; it ends an example
  reg [15:0] m_winner, m_mark_class;   // of the current step, of that marker
  always @(posedge clk_i) begin
    if (own_start) m_winner <= 16'd0;
    else if (f_state == 3'd5 && m_b2) m_winner <= host_rdata_i[15:0];
    if (f_put) m_mark_class <= m_winner;
    m_read1 <= host_taken && !host_write;
    m_read2 <= m_read1;
    m_up1   <= up_taken && !up_write_i;
    m_up2   <= m_up1;
    m_own1  <= up_taken && !up_write_i && own;
    m_own2  <= m_own1;
    m_b1    <= f_b_valid && f_b_ready && !f_b_write && !f_reset;
    m_b2    <= m_b1;
    m_m      <= m_valid && !m_ready_i && !f_reset;
    m_m_bits <= {m_last, m_data};
    m_due    <= f_reset ? 2'd0 : m_due + {1'b0, s_step} - {1'b0, own_start};
    if (f_reset) m_lasts <= 2'd0;
    else if (own_start) m_lasts <= {s_step && m_due == 2'd2 && s_last_i,
        (m_due == 2'd1) ? s_step && s_last_i : m_lasts[1]};
    else if (s_step) m_lasts <= (m_due == 2'd0) ? {1'b0, s_last_i} : {s_last_i, m_lasts[0]};
    if (own_start) m_ends <= m_lasts[0];
    m_open <= !f_reset && (own_start || (m_open && !f_put));
    if (f_put) m_mark_ends <= m_ends;
    m_mark_waits <= !f_reset && (f_put || (m_mark_waits && !m_ready_i));
  end
  always @* if (!f_reset) begin
    // 1. a beat that is sent stays, unchanged, until it is taken
    if (m_m) a_m_stays: assert (m_valid && {m_last, m_data} == m_m_bits);
    // 2. at the host port stands the host's request whenever it has one that is not for the stream's registers and no
    // read is to be answered; it is accepted when the host gets ready. Else one of the streams
    if (up_valid_i && !own) a_through: assert (host_valid == !f_wait && host_write == up_write_i &&
        host_addr == up_addr_i && host_wdata == up_wdata_i && up_ready == (host_ready_i && !f_wait));
    if (up_valid_i && own) a_own_ready: assert (up_ready);
    if (host_taken) a_one_master: assert ((up_taken && !own) != (f_b_valid && f_b_ready));
    if (!host_taken) a_no_master: assert (!(up_taken && !own) && !(f_b_valid && f_b_ready));
    // 3. every read is answered once, two cycles later, to the one who asked
    a_answer: assert (up_rvalid == m_up2 && f_b_rvalid == m_b2);
    if (m_up2 && !m_own2) a_data: assert (up_rdata == host_rdata_i);
    // 4. every step that ends in the input is started once, after that: none is lost, none doubled; the next one only
    // after the marker of this one
    if (own_start) a_started: assert (m_due != 2'd0 && !m_open && control && host_wdata[0] && !host_wdata[3]);
    a_due: assert (m_due != 2'd3);
    // 5. markers: one for each step, the last one of an example with TLAST; TLAST nowhere else
    if (f_put) a_marker: assert (m_open);
    if (m_valid) a_last: assert (m_mark_waits ? (m_data == {16'hc000, m_mark_class} && m_last == m_mark_ends) :
        (m_data[31:30] == 2'd0 && !m_last));
    // 6. the stream writes frames, and CONTROL, and reads spikes and, at most for the last marker of an example,
    // WINNER; nothing else
    if (f_b_valid && f_b_write && !(up_valid_i && !own)) a_writes:
        assert (host_addr[31:24] == 8'd3 || host_addr == 32'd2);
    if (f_b_valid && !f_b_write && !(up_valid_i && !own)) a_reads:
        assert (host_addr[31:24] == 8'd13 || (host_addr == 32'd68 && m_ends));
  end

  // ---- inside -------------------------------------------------------------------------------------------------------
  wire f_in_ended = f_in >= 3'd5 || ((f_in == 3'd3 || f_in == 3'd4) && f_step);     // a step waits in tern_axis_in
  wire f_to_start = (f_state == 3'd1 || f_state == 3'd2) && f_phase == 2'd0;
  always @* if (!f_reset) begin
    i_share: assert (f_wait == (m_read1 || m_read2) && !(m_read1 && m_read2) && (!f_wait || f_ownb == (m_b1 || m_b2)) &&
        f_own == m_own1 && f_own2 == m_own2);
    i_reads: assert (m_read1 == ((m_up1 && !m_own1) || m_b1) && m_read2 == ((m_up2 && !m_own2) || m_b2));
    i_up: assert ((!m_own1 || m_up1) && (!m_own2 || m_up2));
    i_order: assert (f_state != 3'd7 && !(m_b1 && m_up1 && !m_own1) && !(m_b2 && m_up2 && !m_own2));
    i_one: assert (!(f_in == 3'd6 || f_in == 3'd7) || f_state == 3'd0);
    i_out: assert (f_out == 2'd0 || f_state == 3'd3);
    i_off: assert (f_enable || f_in == 3'd0);
    i_due: assert (m_due == {1'b0, f_in_ended} + {1'b0, f_state == 3'd1 && f_phase == 2'd0});
    i_open: assert (m_open == !(f_state == 3'd0 || (f_state == 3'd1 && f_phase == 2'd0)));
    i_ends: assert (!m_open || f_last == m_ends);
    i_last: assert (!(f_state == 3'd1 && f_phase == 2'd0) || f_last == m_lasts[0]);
    i_lasts: assert (!f_in_ended || f_in_last == ((f_state == 3'd1 && f_phase == 2'd0) ? m_lasts[1] : m_lasts[0]));
    i_marks: assert (!m_mark_waits || m_valid);
    i_command: assert (f_phase != 2'd0 || f_command[0] && !f_command[3]);
    i_winner: assert (m_open ? f_winner == m_winner : (f_state != 3'd1 || f_winner == 16'd0));
    i_winner_ends: assert (!(f_state == 3'd4 || f_state == 3'd5 ||
        ((f_state == 3'd1 || f_state == 3'd2) && f_phase != 2'd0)) || f_last);
    i_phase: assert ((f_state != 3'd3 || f_phase == 2'd0));
    i_answer: assert ((f_state == 3'd5 || f_out == 2'd2) == (m_b1 || m_b2) && !(m_b1 && m_b2));
  end

  reg [2:0] f_examples = 3'd0;
  reg       f_held = 1'b0, f_passed = 1'b0;
  always @(posedge clk_i) begin
    if (m_takes && m_last) f_examples <= f_examples + 3'd1;
    if (m_valid && !m_ready_i && m_data[31:30] == 2'd0) f_held <= 1'b1;
    if (f_b_valid && up_valid_i && !own && host_taken && !host_write) f_passed <= 1'b1;
  end
  always @* begin
    c_example: cover (f_held && f_passed && m_takes && m_last && m_data[30]);
    c_two: cover (f_examples == 3'd2);
    c_spike: cover (m_takes && m_data == 32'h01000001);
  end
endmodule

`default_nettype wire
