// formal_link.v : rules of tern_link: what reaches the host port is what the frames of the session say, each word once and in order
// SPDX-License-Identifier: Apache-2.0
//
// Receive buffer, reply buffer, sender and line are free: any bytes come, at any time, in frames of any length; so does the host port's answer, and RESET.
//! files   mem/tern_ram link/tern_uart_phase link/tern_uart_rx link/tern_uart_tx link/tern_fifo link/tern_crc link/tern_link_receive link/tern_link_send link/tern_link
//! cut     tern_fifo tern_ram tern_link_receive tern_link_send tern_uart_rx tern_uart_tx
//! bound   2
//! induct  1
//! reach   44
//! connect f_take=dut.take f_kill=dut.reset_q f_byte=dut.q_data f_state=dut.state_q f_i=dut.i_q f_left=dut.left_q f_op=dut.op_q f_words=dut.words_q f_run=dut.run_q
//! connect f_session=dut.session_q f_expected=dut.expected_q f_frozen=dut.frozen_q f_addr=dut.addr_q f_data=dut.data_q f_carry=dut.carry_q f_match=dut.match_q
//! connect f_exec=dut.exec_q f_opening=dut.opening_q f_info=dut.info_q f_done=dut.done_q f_silent=dut.silent_q
//! mutant  gap_accepted a_due LINK_GAP_ACCEPTED 34
//! mutant  repeat_runs a_due LINK_REPEAT_RUNS 34
//! mutant  session_ignored a_due LINK_SESSION_IGNORED 34
//! mutant  open_again a_open LINK_OPEN_AGAIN 12
//! mutant  no_carry a_address LINK_NO_CARRY 40
`default_nettype none

module formal_link (
  input wire        clk_i,
  input wire        rx_i,
  input wire        host_ready_i,
  input wire        host_rvalid_i,
  input wire [31:0] host_rdata_i,
  input wire        busy_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        tx, host_valid, host_write, core_rst, open;
  wire [31:0] host_addr, host_wdata;
  tern_link #(.CLK_HZ(12000000), .BAUD(3000000), .BUFFER_AW(9)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(rx_i), .tx_o(tx), .host_valid_o(host_valid), .host_ready_i(host_ready_i), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rvalid_i(host_rvalid_i), .host_rdata_i(host_rdata_i), .busy_i(busy_i), .core_rst_o(core_rst), .open_o(open)
  );
  // connected: the byte that is taken from the receive buffer; RESET; registers of the state machine
  wire        f_take, f_kill, f_run, f_frozen, f_carry, f_match, f_exec, f_opening, f_info, f_done, f_silent;
  wire [3:0]  f_state;
  wire [1:0]  f_i, f_op;
  wire [5:0]  f_words;
  wire [7:0]  f_byte, f_session, f_expected, f_left;
  wire [31:0] f_addr, f_data;
  localparam [3:0] ST_LENGTH = 4'd0, ST_HEAD = 4'd1, ST_OP = 4'd2, ST_ADDR = 4'd3, ST_DATA = 4'd4, ST_SKIP = 4'd5, ST_REQUEST = 4'd8, ST_READ = 4'd9, ST_STORE = 4'd10,
                   ST_WAIT = 4'd11, ST_END = 4'd12, ST_SENT = 4'd13;

  // ---- docs/36-link.md, sections 4 and 6, byte by byte: which words are to be written and read -------------------------------------------------
  localparam [2:0] IN_HEAD = 3'd0, IN_OP = 3'd1, IN_ADDR = 3'd2, IN_DATA = 3'd3, IN_SKIP = 3'd4;
  localparam [1:0] OP_WRITE = 2'd0, OP_READ = 2'd1, OP_ECHO = 2'd2;
  reg  [7:0]  m_left = 8'd0;        // bytes of the frame behind this one
  reg  [2:0]  m_in = IN_SKIP;
  reg  [1:0]  m_i = 2'd0;           // byte of head, address or word
  reg  [7:0]  m_command = 8'd0;
  reg         m_match = 1'b0, m_open = 1'b0, m_fresh = 1'b0; // session number right; a session is open; the frame at hand is the one that is due
  reg  [7:0]  m_session = 8'd0, m_due = 8'd0;
  reg  [1:0]  m_op = 2'd0;
  reg  [5:0]  m_words = 6'd0;       // words of the operation behind the present one
  reg  [31:0] m_addr = 32'd0, m_data = 32'd0; // of the next request
  reg         m_write = 1'b0;       // a write is to be done
  reg  [6:0]  m_reads = 7'd0;       // reads to be done
  reg         m_out = 1'b0;         // a read is asked for
  wire        length = f_take && m_left == 8'd0;
  wire        byte_v = f_take && m_left != 8'd0;
  wire        third  = byte_v && m_in == IN_HEAD && m_i == 2'd2;
  wire        opens  = third && m_command == 8'h02 && m_match;
  wire        asked  = host_valid && host_ready_i;
  always @(posedge clk_i)
    if (f_reset || f_kill) begin
      m_left  <= 8'd0;
      m_in    <= IN_SKIP;
      m_open  <= 1'b0;
      m_fresh <= 1'b0;
      m_write <= 1'b0;
      m_reads <= 7'd0;
      m_out   <= 1'b0;
    end else begin
      if (length) begin
        m_left  <= f_byte;
        m_in    <= IN_HEAD;
        m_i     <= 2'd0;
        m_fresh <= 1'b0;
        if (m_fresh) m_due <= m_due + 8'd1; // the frame before is carried out
      end
      if (byte_v) begin
        m_left <= m_left - 8'd1;
        m_i    <= m_i + 2'd1;
        case (m_in)
          IN_HEAD: begin
            if (m_i == 2'd0) m_command <= f_byte;
            if (m_i == 2'd1) m_match <= (f_byte == f_session);
            if (third) m_fresh <= m_open && m_command == 8'h03 && m_match && f_byte == m_due;
            if (opens) begin
              m_open    <= 1'b1;
              m_session <= f_session + 8'd1;
              m_due     <= 8'd0;
            end
            if (m_i == 2'd3) m_in <= m_fresh ? IN_OP : IN_SKIP;
          end
          IN_OP: begin
            m_i     <= 2'd0;
            m_op    <= f_byte[7:6];
            m_words <= f_byte[5:0];
            m_in    <= (f_byte[7:6] == OP_ECHO) ? IN_DATA : f_byte[7] ? IN_OP : IN_ADDR;
          end
          IN_ADDR: begin
            m_addr <= {f_byte, m_addr[31:8]};
            if (m_i == 2'd3) begin
              m_in <= (m_op == OP_READ) ? IN_OP : IN_DATA;
              if (m_op == OP_READ) m_reads <= {1'b0, m_words} + 7'd1;
            end
          end
          IN_DATA: begin
            m_data <= {f_byte, m_data[31:8]};
            if (m_i == 2'd3) begin
              m_words <= m_words - 6'd1;
              if (m_words == 6'd0) m_in <= IN_OP;
              if (m_op == OP_WRITE) m_write <= 1'b1;
            end
          end
          default: ;
        endcase
      end
      if (asked) begin
        m_addr <= m_addr + 32'd1;
        if (host_write) m_write <= 1'b0;
        else begin
          m_reads <= m_reads - 7'd1;
          m_out   <= 1'b1;
        end
      end
      if (m_out && host_rvalid_i) m_out <= 1'b0;
    end

  // the request of the clock before
  reg        f_waits = 1'b0, f_write = 1'b0;
  reg [31:0] f_was_addr = 32'd0, f_was_wdata = 32'd0;
  always @(posedge clk_i) begin
    f_waits     <= host_valid && !host_ready_i && !f_reset && !f_kill;
    f_write     <= host_write;
    f_was_addr  <= host_addr;
    f_was_wdata <= host_wdata;
  end

  wire        f_ops    = f_state == ST_OP || f_state == ST_ADDR || f_state == ST_DATA || f_state == ST_REQUEST || f_state == ST_READ || f_state == ST_STORE || f_state == ST_WAIT;
  reg  [31:0] f_from = 32'd0;                                             // of the word that is stored
  always @(posedge clk_i) if (asked) f_from <= m_addr;
  // bytes of the word that are there
  wire        f_there = (m_i == 2'd0) || (m_i == 2'd1 && f_data[31:24] == m_data[31:24]) || (m_i == 2'd2 && f_data[31:16] == m_data[31:16]) || (m_i == 2'd3 && f_data[31:8] == m_data[31:8]);
  wire        f_moves  = (m_op == OP_WRITE || m_op == OP_READ);
  always @* if (!f_reset && !f_kill) begin
    // 1. the host port is used only by a frame of the open session with the number that is due: each number once, in order, from 0
    if (host_valid) a_due: assert (m_open && m_fresh);
    // 2. every request is the next word of the frame: right kind, address and data; no word is asked for twice, no read before the last one is answered
    if (host_valid) begin
      a_once: assert (host_write ? m_write : (m_reads != 7'd0 && !m_out));
      a_address: assert (host_addr == m_addr);
      if (host_write) a_data: assert (host_wdata == m_data);
    end
    // 3. nothing is left out: the next byte is taken when all words before it are done
    if (f_take) a_all: assert (!m_write && m_reads == 7'd0 && !m_out);
    // 4. a request stays as it is until it is taken
    if (f_waits) a_stays: assert (host_valid && host_write == f_write && host_addr == f_was_addr && (!host_write || host_wdata == f_was_wdata));
    // 5. a session is open exactly if an OPEN with the right number came, and has the next number
    a_open: assert (open == m_open && (!m_open || f_session == m_session));
    // state, which makes the others inductive
    i_state: assert (f_state != 4'd6 && f_state != 4'd7 && f_state <= 4'd13);
    i_due: assert (!m_open || f_expected == m_due + {7'd0, f_state == ST_LENGTH && m_fresh});
    i_left: assert (f_state == ST_LENGTH ? m_left == 8'd0 : f_left == m_left);
    if (m_fresh) i_open: assert (m_open && m_match && m_command == 8'h03);
    if (f_state != ST_LENGTH) begin
      i_frozen: assert (f_frozen);
      i_run: assert ((m_in == IN_HEAD && m_i != 2'd3) ? !m_fresh : f_run == m_fresh);
      if (m_in != IN_HEAD || m_i != 2'd0) i_command: assert (f_exec == (m_command == 8'h03) && f_opening == (m_command == 8'h02) && f_info == (m_command == 8'h01) && f_silent == m_command[7]);
      if (m_in != IN_HEAD || m_i[1]) i_match: assert (f_match == m_match);
      i_head: assert ((f_state == ST_HEAD) ? m_in == IN_HEAD && f_i == m_i : m_in != IN_HEAD || (f_state != ST_OP && !f_state[3] && 1'b0) || ((f_state == ST_END || f_state == ST_SENT) && m_i == 2'd3));
      if (m_fresh && m_in == IN_HEAD) i_fresh_head: assert (m_i == 2'd3 && f_done);
      if (m_fresh) i_done: assert (f_done);
    end
    if (f_ops && m_fresh) begin
      i_skip: assert (m_in == IN_OP || m_in == IN_ADDR || m_in == IN_DATA);
      if (f_state == ST_OP || f_state == ST_WAIT) i_op: assert (m_in == IN_OP);
      if (f_state == ST_ADDR) i_addr: assert (m_in == IN_ADDR && f_i == m_i && f_moves && f_addr == m_addr);
      if (f_state == ST_DATA) i_data: assert (m_in == IN_DATA && f_i == m_i && m_op != OP_READ && m_op != 2'd3 && f_there && (m_op == OP_ECHO || f_addr == m_addr));
      if (f_state == ST_ADDR || f_state == ST_DATA) i_words: assert (f_words == m_words);
      if (f_state == ST_ADDR || f_state == ST_DATA || f_state[3]) if (f_state != ST_WAIT) i_same: assert (f_op == m_op);
      if (f_state == ST_REQUEST) i_request: assert (f_addr == m_addr && f_moves && !m_out && m_write == (m_op == OP_WRITE) && (m_op == OP_READ || f_data == m_data));
      if (f_state == ST_READ) i_read: assert (m_op == OP_READ && m_out);
      if (f_state == ST_READ) i_from: assert (f_addr == f_from);
      // the address turns: bytes that have passed are those of the next one
      if (f_state == ST_STORE && f_moves) begin
        if (f_i == 2'd0) i_turn0: assert (f_addr == f_from);
        if (f_i == 2'd1) i_turn1: assert (f_addr == {m_addr[7:0], f_from[31:8]} && f_carry == &f_from[7:0]);
        if (f_i == 2'd2) i_turn2: assert (f_addr == {m_addr[15:0], f_from[31:16]} && f_carry == &f_from[15:0]);
        if (f_i == 2'd3) i_turn3: assert (f_addr == {m_addr[23:0], f_from[31:24]} && f_carry == &f_from[23:0]);
      end
      if (f_state == ST_READ || (f_state == ST_STORE && f_moves)) i_next: assert (m_addr == f_from + 32'd1);
      if (f_state == ST_STORE) i_echo: assert (m_op != 2'd3);
      if (f_state == ST_REQUEST || f_state == ST_READ || f_state == ST_STORE) begin
        if (m_op == OP_READ) i_reads: assert (m_in == IN_OP && m_reads == {1'b0, f_words} + {6'd0, f_state == ST_REQUEST});
        else i_rest: assert (m_reads == 7'd0 && (m_in == IN_OP ? f_words == 6'd0 : m_in == IN_DATA && m_i == 2'd0 && f_words != 6'd0 && m_words == f_words - 6'd1));
      end
    end
    if (m_write) i_write: assert (f_state == ST_REQUEST && m_op == OP_WRITE);
    if (m_out) i_out: assert (f_state == ST_READ);
    if (m_reads != 7'd0) i_reading: assert (f_state == ST_REQUEST || f_state == ST_READ || f_state == ST_STORE);
    if (m_write || m_out || m_reads != 7'd0) i_busy: assert (m_fresh);
    if (f_state == ST_REQUEST || f_state == ST_READ) i_runs: assert (f_run);
    if (f_state == ST_END || f_state == ST_SENT) i_end: assert (m_left == 8'd0);
    if (f_state == ST_SKIP && m_fresh) i_no_skip: assert (1'b0);
  end

  reg [2:0] f_n = 3'd0; // writes, then a read, of one session
  always @(posedge clk_i)
    if (f_kill) f_n <= 3'd0;
    else if (asked && host_write && host_addr[8:0] == 9'h0ff) f_n <= 3'd1;
    else if (asked && host_write && host_addr[8:0] == 9'h100 && f_n == 3'd1) f_n <= 3'd2;
  always @* begin
    c_two: cover (f_n == 3'd2);
    c_read: cover (m_out && m_reads == 7'd1);
  end
  wire unused = &{1'b0, tx, core_rst};
endmodule

`default_nettype wire
