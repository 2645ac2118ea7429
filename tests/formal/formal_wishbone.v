// formal_wishbone.v : rules of tern_wishbone, with tern_bus inside
// SPDX-License-Identifier: Apache-2.0
//
// The master keeps a request until it is answered, or ends the cycle; it is free otherwise. The host port takes
// requests when it likes and answers reads two cycles later.
//! files   bridge/tern_bus bridge/tern_wishbone
//! solver  bits
//! bound   10
//! induct  6
//! reach   14
//! connect f_state=dut.u_bus.state_q f_error=dut.u_bus.error_q f_gone=dut.u_bus.gone_q
//! mutant  asks_twice a_once BUS_ASKS_TWICE 8
//! mutant  answers_gone a_own BUS_ANSWERS_GONE 10
//! mutant  ack_late a_asked BUS_WISHBONE_ACK_LATE 8
`default_nettype none

module formal_wishbone (
  input wire        clk_i,
  input wire        cyc_i,
  input wire        stb_i,
  input wire        we_i,
  input wire [15:2] adr_i,
  input wire [3:0]  sel_i,
  input wire [7:0]  dat_i,
  input wire        host_ready_i,
  input wire [7:0]  host_rdata_i,
  input wire        busy_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;

  wire        ack, err, host_valid, host_write, irq;
  wire [31:0] dat, host_addr, host_wdata;
  reg         m_read1 = 1'b0, m_read2 = 1'b0;
  tern_wishbone dut (
    .clk_i(clk_i), .rst_i(f_reset), .wb_cyc_i(cyc_i), .wb_stb_i(stb_i), .wb_we_i(we_i), .wb_adr_i(adr_i),
    .wb_sel_i(sel_i), .wb_dat_i({24'd0, dat_i}), .wb_dat_o(dat),
    .wb_ack_o(ack), .wb_err_o(err), .host_valid_o(host_valid), .host_ready_i(host_ready_i), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rvalid_i(m_read2), .host_rdata_i({24'd0, host_rdata_i}), .busy_i(busy_i), .event_i(2'b00), .irq_o(irq)
  );

  // ---- the master: a request stays, unchanged, until it is answered or the cycle ends -------------------------------
  wire        request = cyc_i && stb_i && !f_reset;
  wire        answered = ack || err;
  reg         m_waits = 1'b0;
  reg [26:0]  m_request;
  always @(posedge clk_i) begin
    m_waits   <= request && !answered;
    m_request <= {we_i, adr_i, sel_i, dat_i};
  end
  always @* if (m_waits) assume (!cyc_i || (stb_i && {we_i, adr_i, sel_i, dat_i} == m_request));

  // ---- what the slave should do -------------------------------------------------------------------------------------
  wire f_goes = (adr_i[15] || adr_i[15:9] == 7'd2) && (!we_i || sel_i == 4'hf);
  wire f_none = we_i && sel_i == 4'd0;
  wire f_own  = adr_i[15:5] == 11'd0 && adr_i[4:2] != 3'd7 && (!we_i || sel_i == 4'hf);
  wire f_taken = host_valid && host_ready_i && !f_reset;
  reg       m_taken = 1'b0;        // the host port took the current request
  reg       m_twice = 1'b0;        // more than once
  reg [7:0] m_answer;              // its answer
  reg       m_mine = 1'b0;         // and it was for the current request
  // a read taken one, two cycles ago is of a request that has not been given up
  reg       m_open1 = 1'b0, m_open2 = 1'b0;
  reg [3:0] m_patience = 4'd0;
  always @(posedge clk_i) begin
    m_read1 <= f_taken && !host_write;
    m_read2 <= m_read1;
    m_open1 <= f_taken && !host_write;
    m_open2 <= m_open1 && request && !answered;
    m_mine  <= request && !answered && (m_mine || (m_read2 && m_open2));
    if (m_read2) m_answer <= host_rdata_i;
    m_taken <= request && !answered && (m_taken || f_taken);
    m_twice <= request && !answered && (m_twice || (m_taken && f_taken));
    m_patience <= (!request || answered || !host_ready_i) ? 4'd0 : m_patience + 4'd1;
  end
  always @* if (!f_reset) begin
    // 1. an answer is one of the two, and only for a request
    a_one: assert (!(ack && err));
    a_asked: assert (!answered || request);
    // 2. what goes to the host port does so once, unless the answer is an error; nothing else goes there
    if (answered) a_once: assert (!m_twice && !f_taken && m_taken == (f_goes && ack));
    if (host_valid) a_request: assert (request && f_goes && host_write == we_i && host_wdata == {24'd0, dat_i});
    if (host_valid && !adr_i[15]) a_register: assert (host_addr == {25'd0, adr_i[8:2]});
    if (host_valid && adr_i[15]) a_window: assert (host_addr[12:0] == adr_i[14:2]);
    // 3. the answer of a read is that of the host port to this very request, not to one that was given up
    if (ack && f_goes && !we_i) a_own: assert (m_mine && dat == {24'd0, m_answer});
    // 4. errors: no such address, part of a word; the host port may be refused
    if (ack) a_right: assert (f_goes || f_own || f_none);
    if (err) a_wrong: assert (!f_own && !f_none);
    // 5. while the host port is ready an answer comes within 9 cycles: 4 of its own, and those of one that was given up
    a_soon: assert (m_patience < 4'd9);
  end

  // ---- inside -------------------------------------------------------------------------------------------------------
  wire [1:0] f_state;
  wire       f_error, f_gone;
  wire       f_live = request && m_waits;   // the same request as in the cycle before
  always @* if (!f_reset) begin
    i_answer: assert ((f_state == 2'd2) == (m_read1 || m_read2) && !(m_read1 && m_read2));
    i_open: assert (!(m_open1 && !m_read1) && !(m_open2 && !m_read2));
    i_gone: assert (f_state != 2'd2 || (m_read1 ? !f_gone && m_open1 : (m_open2 == (!f_gone && m_waits))));
    i_waits: assert (!((f_state == 2'd1 || f_state == 2'd3) && !m_waits));
    i_ask: assert (f_state != 2'd1 || !request || (f_goes && !f_error));
    i_error: assert (f_state != 2'd2 || !f_error);
    i_taken: assert (!m_twice && m_taken == (m_waits && ((f_state == 2'd2 && (m_open1 || m_open2)) ||
        (f_state == 2'd3 && !f_error && (m_request[26] ? m_request[11:8] == 4'hf : 1'b1) &&
        (m_request[25] || m_request[25:19] == 7'd2)))));
    i_open_read: assert (!((m_open1 || m_open2) && m_waits) || !m_request[26]);
    i_mine: assert (m_mine == (m_waits && f_state == 2'd3 && !f_error && !m_request[26] &&
        (m_request[25] || m_request[25:19] == 7'd2)));
    i_done: assert (!(f_state == 2'd3 && request) || (f_none ? !f_error : f_own ? !f_error : f_goes ? 1'b1 : f_error));
    i_data: assert (!(m_mine) || dat == {24'd0, m_answer});
    i_reading: assert (f_state != 2'd2 || !(m_open1 && m_waits) || f_goes || !request);
    i_patience: assert (m_patience <= (f_state == 2'd0 ? 4'd3 : f_state == 2'd1 ? 4'd4 : f_state == 2'd2 ?
        (m_read1 ? 4'd5 : 4'd6) : 4'd7));
  end

  reg f_stalled = 1'b0, f_left = 1'b0;
  always @(posedge clk_i) begin
    if (host_valid && !host_ready_i && !f_reset) f_stalled <= 1'b1;
    if (f_stalled && m_open2 && !request) f_left <= 1'b1;
  end
  always @* begin
    // one was given up, the next one is answered
    c_read: cover (f_left && ack && f_goes && !we_i && dat == 32'h000000a5);
    c_refused: cover (err && f_goes);
  end
endmodule

`default_nettype wire
