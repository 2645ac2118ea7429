// formal_link.v : rules of tern_link's state machine, by docs/36-link.md, sections 4, 5, 6 and 8
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of frames are free, and so are the core, the line, the times of everything, and resets by the host; parts
// around the state machine: free_link.v.
// The harness reads the bytes as they are taken, and knows from the page what each one means. Times are not part of the
// rules but for the last one.
//! files   free_link link/tern_uart_rx link/tern_uart_tx link/tern_uart_phase link/tern_crc link/tern_link_receive
//! files   link/tern_link
//! cut     tern_uart_rx tern_uart_tx tern_link_receive
//! solver  bits
//! bound   4
//! induct  1
//! reach   64
//! connect f_take=dut.take f_byte=dut.q_data f_have=dut.q_valid f_core_rst=dut.reset_q
//! connect f_start=dut.u_send.start_i f_start_progress=dut.u_send.progress_i f_idle=dut.u_send.idle_o
//! connect f_progress=dut.u_send.progress_o f_pause=dut.u_send.pause_q
//! connect f_answer=dut.u_send.answer_i f_session_i=dut.u_send.session_i f_number_i=dut.u_send.number_i
//! connect f_count=dut.u_send.count_i f_next=dut.u_send.data_next_o
//! connect f_keep=dut.u_reply.we_i f_keep_at=dut.u_reply.waddr_i f_keep_byte=dut.u_reply.wdata_i
//! connect f_read_at=dut.u_reply.raddr_i f_read=dut.u_reply.re_i
//! connect f_state=dut.state_q f_i=dut.i_q f_left=dut.left_q f_op=dut.op_q f_words=dut.words_q f_command=dut.command_q
//! connect f_number=dut.number_q f_silent=dut.silent_q f_info=dut.info_q
//! connect f_opening=dut.opening_q f_exec=dut.exec_q f_match=dut.match_q f_run=dut.run_q f_old=dut.old_q
//! connect f_done=dut.done_q f_addr=dut.addr_q f_data=dut.data_q f_carry=dut.carry_q
//! connect f_place=dut.place_q f_frozen=dut.frozen_q f_session=dut.session_q f_expected=dut.expected_q
//! mutant  session_ignored a_fresh LINK_SESSION_IGNORED 40
//! mutant  gap_accepted a_fresh LINK_GAP_ACCEPTED 40
//! mutant  repeat_runs a_fresh LINK_REPEAT_RUNS 40
//! mutant  open_again a_session LINK_OPEN_AGAIN 20
//! mutant  reply_not_kept a_keep_fresh LINK_REPLY_NOT_KEPT 40
//! mutant  wait_ignored a_waits LINK_WAIT_IGNORED 40
`default_nettype none

module formal_link (
  input wire        clk_i,
  input wire        ready_i,
  input wire        rvalid_i,
  input wire [31:0] rdata_i,
  input wire        busy_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;

  wire        host_valid, host_write, core_rst, open;
  wire [31:0] host_addr, host_wdata;
  // the core answers a read that it has taken, once, in a later cycle
  reg         m_asked = 1'b0;
  wire        rvalid = rvalid_i && m_asked;
  tern_link dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(1'b1), .tx_o(), .host_valid_o(host_valid), .host_ready_i(ready_i),
    .host_write_o(host_write), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_rvalid_i(rvalid), .host_rdata_i(rdata_i), .busy_i(busy_i), .core_rst_o(core_rst),
    .open_o(open)
  );
  // connected: ports of parts
  wire        f_take, f_have, f_core_rst, f_start, f_start_progress, f_idle, f_progress, f_next, f_keep, f_read;
  wire [1:0]  f_pause;
  wire [7:0]  f_byte, f_session_i, f_number_i, f_count, f_keep_byte;
  wire [6:0]  f_answer;
  wire [8:0]  f_keep_at, f_read_at;
  // connected: registers
  wire [3:0]  f_state;
  wire [1:0]  f_i, f_op, f_command;
  wire [5:0]  f_words;
  wire [7:0]  f_left, f_number, f_session, f_expected;
  wire        f_silent, f_info, f_opening, f_exec, f_match, f_run, f_old, f_done, f_carry, f_frozen;
  wire [31:0] f_addr, f_data;
  wire [4:0]  f_place;

  // ---- what each byte means -----------------------------------------------------------------------------------------
  localparam [3:0] P_COMMAND = 4'd0, P_SESSION = 4'd1, P_NUMBER = 4'd2, P_PLACE = 4'd3, P_FIRST = 4'd4,
      P_ADDRESS = 4'd5, P_WORD = 4'd6, P_REST = 4'd7;
  localparam [1:0] WRITE = 2'd0, READ = 2'd1, ECHO = 2'd2, WAIT = 2'd3;
  // bytes of the frame to come; at 0 the next byte is the length of another one
  reg  [7:0]  m_left = 8'd0;
  reg  [3:0]  m_part = P_REST;               // what the next byte is
  reg  [1:0]  m_i = 2'd0;                    // byte of address or word
  reg  [7:0]  m_command, m_of, m_number;     // of the frame: command, session, number
  reg  [4:0]  m_place;
  reg  [1:0]  m_op;
  reg  [6:0]  m_n, m_words_left;             // words of the operation; those not yet taken
  reg  [31:0] m_address, m_word;
  reg         m_fresh = 1'b0, m_old = 1'b0, m_done = 1'b0;
  // the session
  reg  [7:0]  m_session = 8'd0, m_expected = 8'd0;
  reg         m_open = 1'b0, m_any = 1'b0;   // m_any: a frame has come since the reset
  // what is due
  reg  [6:0]  m_due = 7'd0;                  // accesses to the core
  reg  [6:0]  m_access = 7'd0;               // those of this operation that were done
  reg  [31:0] m_read;                        // the last word read
  reg  [6:0]  m_reply = 7'd0;                // words of the reply, while they are not too many
  reg         m_many = 1'b0;                 // more than the 62 that a host may ask for
  reg  [8:0]  m_kept = 9'd0;                 // bytes put into the reply buffer
  reg         m_wait = 1'b0;                 // WAIT
  reg         m_answered = 1'b0, m_silent = 1'b1;
  reg  [8:0]  m_sent = 9'd0;                 // bytes taken out of the reply buffer

  wire        accept  = host_valid && ready_i;
  wire        m_begin = f_take && m_left == 8'd0;
  wire        at_number = f_take && !m_begin && m_part == P_NUMBER;
  wire [7:0]  m_beyond = f_byte - m_expected;
  wire        m_mine  = m_command == 8'd3 && m_open && m_of == m_session;
  wire        m_opens = at_number && m_command == 8'd2 && m_of == m_session;
  wire        m_fourth = (m_i == 2'd3);
  wire        m_reset = f_reset || f_core_rst;
  reg         m_counted = 1'b1;                             // the answer has gone out, and expecting moved on
  wire        m_ends  = m_answered && f_idle && !m_counted;
  always @(posedge clk_i) begin
    if (f_take) begin
      m_left <= m_begin ? f_byte : m_left - 8'd1;
      if (m_begin) begin
        m_part     <= P_COMMAND;
        m_fresh    <= 1'b0;
        m_old      <= 1'b0;
        m_done     <= 1'b0;
        m_reply    <= 7'd0;
        m_many     <= 1'b0;
        m_kept     <= 9'd0;
        m_sent     <= 9'd0;
        m_answered <= 1'b0;
        m_silent   <= 1'b1;
        m_counted  <= 1'b0;
      end else case (m_part)
        P_COMMAND: begin m_command <= f_byte; m_part <= P_SESSION; end
        P_SESSION: begin m_of <= f_byte; m_part <= P_NUMBER; end
        P_NUMBER: begin
          m_number <= f_byte;
          m_part   <= P_PLACE;
          m_fresh  <= m_mine && m_beyond == 8'd0;
          m_old    <= m_mine && m_beyond >= 8'd128;
          m_done   <= m_command == 8'd1 || m_opens || (m_mine && (m_beyond == 8'd0 || m_beyond >= 8'd128));
          m_silent <= m_command[7];
        end
        P_PLACE: begin m_place <= f_byte[4:0]; m_part <= (m_fresh || m_old) ? P_FIRST : P_REST; end
        P_FIRST: begin
          m_op <= f_byte[7:6];
          m_n  <= {1'b0, f_byte[5:0]} + 7'd1;
          m_words_left <= {1'b0, f_byte[5:0]} + 7'd1;
          m_i  <= 2'd0;
          m_access <= 7'd0;
          m_part <= (f_byte[7:6] == WAIT) ? P_FIRST : (f_byte[7:6] == ECHO) ? P_WORD : P_ADDRESS;
          if (f_byte[7:6] == WAIT && m_fresh) m_wait <= 1'b1;
        end
        P_ADDRESS: begin
          m_address[8*m_i +: 8] <= f_byte;
          m_i <= m_i + 2'd1;
          if (m_fourth) begin
            m_part <= (m_op == READ) ? P_FIRST : P_WORD;
            if (m_op == READ) m_reply <= m_reply + m_n;
            if (m_op == READ && {1'b0, m_reply} + {1'b0, m_n} > 8'd62) m_many <= 1'b1;
            if (m_op == READ && m_fresh) m_due <= m_n;
          end
        end
        P_WORD: begin
          m_word[8*m_i +: 8] <= f_byte;
          m_i <= m_i + 2'd1;
          if (m_fourth) begin
            m_words_left <= m_words_left - 7'd1;
            if (m_words_left == 7'd1) m_part <= P_FIRST;
            if (m_op == ECHO) m_reply <= m_reply + 7'd1;
            if (m_op == ECHO && m_reply == 7'd62) m_many <= 1'b1;
            if (m_op == WRITE && m_fresh) m_due <= 7'd1;
          end
        end
        default: ;
      endcase
    end
    if (accept) begin
      m_due    <= m_due - 7'd1;
      m_access <= m_access + 7'd1;
    end
    if (accept && !host_write) m_asked <= 1'b1;
    else if (rvalid) m_asked <= 1'b0;
    if (rvalid) m_read <= rdata_i;
    if (f_keep) m_kept <= m_kept + 9'd1;
    if (f_next) m_sent <= m_sent + 9'd1;
    if (m_wait && !busy_i) m_wait <= 1'b0;
    if (f_start && !f_start_progress) m_answered <= 1'b1;
    // the session
    if (f_have) m_any <= 1'b1;
    if (!m_any || m_opens) m_session <= m_session + 8'd1;
    if (m_ends) m_counted <= 1'b1;
    if (m_opens) begin
      m_open     <= 1'b1;
      m_expected <= 8'd0;
    end else if (m_ends && m_fresh) m_expected <= m_expected + 8'd1;
    if (m_reset) begin
      m_left     <= 8'd0;
      m_part     <= P_REST;
      m_session  <= 8'd0;
      m_open     <= 1'b0;
      m_any      <= 1'b0;
      m_due      <= 7'd0;
      m_asked    <= 1'b0;
      m_wait     <= 1'b0;
      m_silent   <= 1'b1;
      m_answered <= 1'b0;
      m_counted  <= 1'b1;
      m_fresh    <= 1'b0;
    end
  end

  wire [31:0] m_at    = m_address + {25'd0, m_access};
  wire [31:0] m_value = (m_op == READ) ? m_read : m_word;
  wire        m_fits  = !m_many;
  // cycles without a byte, an access or a wait for something outside
  wire        m_outside = !f_idle || (host_valid && !ready_i) || (m_asked && !rvalid) || (m_wait && busy_i) ||
      (!f_have && m_due == 7'd0);
  reg  [8:0]  f_quiet = 9'd0;
  always @(posedge clk_i) f_quiet <= (m_reset || f_take || accept || rvalid || m_outside) ? 9'd0 : f_quiet + 9'd1;

  // ---- rules --------------------------------------------------------------------------------------------------------
  always @* if (!f_reset && !f_core_rst) begin
    // 1. the core is accessed only for a frame of the open session whose number is the expected one
    if (host_valid) a_fresh: assert (m_open && m_command == 8'd3 && m_of == m_session && m_number == m_expected &&
        m_fresh);
    // 2. each access that such a frame asks for is done once: not without being due, and before anything that comes
    // behind it
    if (host_valid) a_due: assert (m_due != 7'd0 && host_write == (m_op == WRITE) && (host_write || m_op == READ));
    if (host_valid) a_address: assert (host_addr == m_at);
    if (host_valid && host_write) a_word: assert (host_wdata == m_word);
    if (f_take) a_before: assert (m_due == 7'd0 && !m_asked);
    // 3. WAIT lets nothing pass while the core is busy
    if (m_wait && busy_i) a_waits: assert (!host_valid && !f_take && !(f_start && !f_start_progress));
    // 4. words read and echoed go into the reply buffer, from the frame's place on, each byte once; a repeated frame
    // changes nothing of it
    if (f_keep) a_keep_fresh: assert (m_fresh && m_op != WRITE);
    if (f_keep && m_fits) a_keep_place: assert (f_keep_at == {m_place, 4'd0} + m_kept);
    if (f_keep && m_fits) a_keep_word: assert (f_keep_byte == m_value[8*m_kept[1:0] +: 8]);
    // 5. a frame of three bytes and more that is no reply is answered once, after all of it is done, before anything of
    // the next one is taken
    if (f_start && !f_start_progress) a_answer_once:
        assert (!m_answered && !m_silent && m_left == 8'd0 && m_due == 7'd0 && !m_asked && !m_wait);
    if (f_start && !f_start_progress && m_fresh && m_fits) a_answer_kept: assert (m_kept == {m_reply[6:0], 2'd0});
    if (m_begin) a_answered: assert (m_silent || m_counted);
    if (f_start) a_start: assert (f_idle);
    // 6. PROGRESS is sent only while a frame that is carried out waits for the core
    if (f_start && f_start_progress) a_progress: assert (m_fresh && ((host_valid && !ready_i) || m_wait));
    // 7. what a reply says, as long as it is sent
    if (!f_idle) begin
      a_head: assert (f_answer == {m_command[1:0], f_progress, m_old, m_done && !f_progress, m_open, busy_i} &&
          f_session_i == m_session && f_number_i == m_number);
      a_stays: assert (!m_begin && !m_opens && f_progress == !m_answered);
      if (!f_progress && m_fits) a_count: assert (f_count == 8'd5 + {m_reply[5:0], 2'd0} - m_sent[7:0]);
      // the byte is there two cycles behind the one before
      if (!f_progress && m_fits && m_reply != 7'd0) a_sends: assert (f_read && f_read_at == {m_place, 4'd0} + m_sent);
    end
    // 8. the session
    a_session: assert (f_session == m_session && open == m_open && f_expected == m_expected || f_session == m_session &&
        !open && !m_open);
    // 9. whatever comes, it continues, unless it waits for something outside
    a_goes_on: assert (f_quiet < 9'd264);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  localparam [3:0] ST_LENGTH = 4'd0, ST_HEAD = 4'd1, ST_OP = 4'd2, ST_ADDR = 4'd3, ST_DATA = 4'd4, ST_SKIP = 4'd5,
                   ST_REQUEST = 4'd8, ST_READ = 4'd9, ST_STORE = 4'd10, ST_WAIT = 4'd11, ST_END = 4'd12,
                       ST_SENT = 4'd13;
  wire        i_word  = f_state == ST_REQUEST || f_state == ST_READ || f_state == ST_STORE;
  wire        i_ops   = i_word || f_state == ST_OP || f_state == ST_ADDR || f_state == ST_DATA || f_state == ST_WAIT;
  wire [31:0] i_was   = m_at - 32'd1;         // while its address is increased
  // bytes of the reply so far
  wire [6:0]  i_behind = (i_word && f_op == READ) ? {1'b0, f_words} + 7'd1 : (i_word && f_op == ECHO) ? 7'd1 : 7'd0;
  wire [8:0]  i_bytes  = {m_reply - i_behind, 2'd0} + ((f_state == ST_STORE && f_op != WRITE) ? {7'd0, f_i} : 9'd0);
  always @* if (!f_reset && !f_core_rst) begin
    i_any: assert (f_frozen == m_any);
    i_states: assert (f_state <= ST_SKIP || (f_state >= ST_REQUEST && f_state <= ST_SENT));
    if (f_state == ST_LENGTH) i_length: assert (m_left == 8'd0 && m_due == 7'd0 && !m_asked && !m_wait &&
        (m_counted || (m_silent && !m_answered)) && f_idle);
    if (f_state == ST_LENGTH || f_state == ST_HEAD || f_state == ST_SKIP || f_state == ST_END) i_idle:
        assert (f_idle || (f_state == ST_END && m_fresh));
    if (f_state != ST_LENGTH) i_left: assert (f_left == m_left && m_any);
    if (f_state != ST_SENT && f_state != ST_LENGTH) i_unanswered: assert (!m_answered && !m_counted);
    if (f_state == ST_SENT) i_sent: assert (m_answered && m_left == 8'd0 && !m_silent && !m_counted);
    if (f_state == ST_HEAD) begin
      i_head: assert (m_part == {2'd0, f_i});
      if (f_i != 2'd3) i_head_state: assert (!m_fresh && !m_old && !m_done && m_silent);
      i_head_reply: assert (m_reply == 7'd0 && m_fits && m_kept == 9'd0 && m_sent == 9'd0);
      if (f_i >= 2'd1) i_command: assert (f_command == m_command[1:0] && f_silent == m_command[7] &&
          f_info == (m_command == 8'd1) && f_opening == (m_command == 8'd2) && f_exec == (m_command == 8'd3));
      if (f_i == 2'd2) i_match: assert (f_match == (m_of == m_session));
    end
    if (f_state != ST_LENGTH && (f_state != ST_HEAD || f_i == 2'd3)) begin
      i_verdict: assert (f_command == m_command[1:0] && f_number == m_number && f_run == m_fresh && f_old == m_old &&
          f_done == m_done && f_silent == m_command[7] && m_silent == f_silent);
      i_fresh: assert (!m_fresh || (m_open && m_command == 8'd3 && m_of == m_session && m_number == m_expected &&
          !m_old && m_done));
      i_old: assert (!m_old || (m_command == 8'd3 && m_done));
      i_exec: assert (f_state == ST_LENGTH || f_state == ST_END || f_state == ST_SENT || f_exec == (m_command == 8'd3));
      i_exec_done: assert (!(m_command == 8'd3 && m_done) || m_fresh || m_old);
    end
    if (f_state == ST_SKIP) i_skip: assert (m_part == P_REST && !m_fresh && !m_old && m_reply == 7'd0 && m_fits);
    if (!m_fresh && !m_old && f_state != ST_LENGTH) i_none: assert (m_reply == 7'd0 && m_fits);
    if (i_ops) i_carried: assert ((m_fresh || m_old) && f_place == m_place);
    if (f_state == ST_OP || f_state == ST_WAIT) i_first: assert (m_part == P_FIRST);
    if (f_state == ST_WAIT) i_wait: assert (m_wait == m_fresh);
    if (f_state != ST_WAIT) i_no_wait: assert (!m_wait);
    if (f_state == ST_ADDR || f_state == ST_DATA || i_word) i_operation:
        assert (f_op == m_op && f_op != WAIT && m_n <= 7'd64 && m_n > {1'b0, f_words});
    if (f_state == ST_ADDR) begin
      i_addr: assert (m_part == P_ADDRESS && m_i == f_i && f_op != ECHO && m_words_left == m_n &&
          m_n == {1'b0, f_words} + 7'd1 && m_access == 7'd0);
      i_addr_bytes: assert ((f_i < 2'd1 || f_addr[31:24] == m_address[8*(f_i-2'd1) +: 8]) &&
          (f_i < 2'd2 || f_addr[23:16] == m_address[8*(f_i-2'd2) +: 8])
                            && (f_i < 2'd3 || f_addr[15:8] == m_address[7:0]));
    end
    if (f_state == ST_DATA) begin
      i_data: assert (m_part == P_WORD && m_i == f_i && f_op != READ && m_words_left == {1'b0, f_words} + 7'd1);
      i_data_bytes: assert ((f_i < 2'd1 || f_data[31:24] == m_word[8*(f_i-2'd1) +: 8]) &&
          (f_i < 2'd2 || f_data[23:16] == m_word[8*(f_i-2'd2) +: 8])
                            && (f_i < 2'd3 || f_data[15:8] == m_word[7:0]));
      if (m_fresh && f_op == WRITE) i_data_at: assert (f_addr == m_at && m_access + m_words_left == m_n &&
          m_words_left != 7'd0);
    end
    if (i_word) begin
      i_word_part: assert (m_i == 2'd0 && m_part == ((f_op == READ || f_words == 6'd0) ? P_FIRST : P_WORD) &&
          (f_op == READ || m_words_left == {1'b0, f_words}));
      if (f_state != ST_STORE) i_word_fresh: assert (m_fresh && f_i == 2'd0 && f_op != ECHO);
      i_word_due: assert (m_due == (!m_fresh ? 7'd0 : (f_state == ST_REQUEST) ?
          (f_op == WRITE ? 7'd1 : {1'b0, f_words} + 7'd1) : (f_op == READ) ? {1'b0, f_words} : 7'd0));
      if (m_fresh && f_op != ECHO) i_accesses: assert (m_access + m_due + (f_op == WRITE ? m_words_left : 7'd0) ==
          m_n && m_access <= m_n);
      if (f_state == ST_REQUEST) i_request: assert (f_addr == m_at);
      if (f_state == ST_REQUEST && f_op == WRITE) i_request_word: assert (f_data == m_word);
      if (f_state == ST_READ) i_read: assert (f_addr == i_was && f_op == READ);
      if (f_state == ST_STORE && m_fresh && f_op != ECHO) begin
        if (f_i == 2'd0) i_store0: assert (f_addr == i_was);
        if (f_i == 2'd1) i_store1: assert (f_addr == {m_at[7:0], i_was[31:8]} && f_carry == (i_was[7:0] == 8'hff));
        if (f_i == 2'd2) i_store2: assert (f_addr == {m_at[15:0], i_was[31:16]} &&
            f_carry == (i_was[15:0] == 16'hffff));
        if (f_i == 2'd3) i_store3: assert (f_addr == {m_at[23:0], i_was[31:24]} &&
            f_carry == (i_was[23:0] == 24'hffffff));
      end
      if (f_state == ST_STORE && m_fresh && f_op != WRITE) begin
        if (f_i == 2'd0) i_value0: assert (f_data == m_value);
        if (f_i == 2'd1) i_value1: assert (f_data[23:0] == m_value[31:8]);
        if (f_i == 2'd2) i_value2: assert (f_data[15:0] == m_value[31:16]);
        if (f_i == 2'd3) i_value3: assert (f_data[7:0] == m_value[31:24]);
      end
    end else begin
      i_not_due: assert (m_due == 7'd0);
    end
    i_asked: assert (m_asked == (f_state == ST_READ));
    if (i_ops || f_state == ST_END) begin
      i_count: assert (f_count == 8'd5 + i_bytes[7:0] && m_sent == 9'd0);
      if (m_fits) begin
        i_behind_less: assert (i_behind <= m_reply && m_reply <= 7'd62);
        if (i_ops && f_state != ST_OP) i_reply_at: assert (f_read_at == {m_place, 4'd0} + i_bytes);
        if (f_state == ST_OP && m_reply != 7'd0) i_reply_at_op: assert (f_read_at == {m_place, 4'd0} + i_bytes);
        if (m_fresh) i_kept: assert (m_kept == i_bytes);
      end
    end
    if (f_state == ST_HEAD || f_state == ST_SKIP) i_count_none:
        assert (f_count == 8'd5 && m_sent == 9'd0 && m_kept == 9'd0);
    if ((f_state == ST_END || f_state == ST_SENT) && m_reply != 7'd0) i_end_place: assert (f_place == m_place);
    if (f_state == ST_END) i_end: assert (m_left == 8'd0);
    if (f_state == ST_SENT) begin
      if (m_fits) i_sent_count: assert (f_count == 8'd5 + {m_reply[5:0], 2'd0} - m_sent[7:0] &&
          m_sent <= {m_reply[6:0], 2'd0});
      if (m_fits && m_reply != 7'd0) i_sent_at: assert (f_read_at == {m_place, 4'd0} + m_sent);
    end
    if (!f_idle) i_busy: assert (f_progress == (f_state != ST_SENT) && (m_fresh || f_state == ST_SENT));
    // times
    if (f_state == ST_STORE) i_quiet: assert (f_quiet <= {(m_fresh || f_op != READ) ? 7'd0 :
        m_n - 7'd1 - {1'b0, f_words}, 2'd0} + {7'd0, f_i} + 9'd1);
    if (f_state == ST_OP || f_state == ST_HEAD || f_state == ST_ADDR || f_state == ST_DATA ||
        f_state == ST_SKIP) i_quiet_op: assert (f_quiet <= 9'd258);
    if (f_state == ST_WAIT || i_word && f_state != ST_STORE) i_quiet_wait: assert (f_quiet <= 9'd5);
    if (f_state == ST_END) i_quiet_end: assert (f_quiet <= 9'd260);
    if (f_state == ST_SENT) i_quiet_sent: assert (f_quiet <= 9'd261);
    if (f_state == ST_LENGTH) i_quiet_length: assert (f_quiet <= 9'd262);
  end

  // ---- these happen: a word is written, and the frame is repeated; a word is read and sent; WAIT waits; a frame is
  // reset away
  reg f_wrote = 1'b0, f_repeated = 1'b0, f_waited = 1'b0;
  always @(posedge clk_i) begin
    if (accept && host_write && m_left == 8'd0) f_wrote <= 1'b1;
    if (f_wrote && m_old && m_answered && m_expected == 8'd1) f_repeated <= 1'b1;
    if (f_state == ST_WAIT && busy_i) f_waited <= 1'b1;
  end
  always @* if (!f_reset) begin
    c_repeat: cover (f_repeated);
    c_read: cover (m_answered && m_counted && m_fresh && m_sent == 9'd4);
    c_waits: cover (f_waited && m_answered && m_expected == 8'd0);
    c_reset: cover (f_core_rst && open && m_due != 7'd0);
  end
  wire unused = &{1'b0, core_rst, f_pause};
endmodule

`default_nettype wire
