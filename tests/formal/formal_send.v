// formal_send.v : rules of tern_link_send: what goes to the line is flag, length, body, CRC, flag, with escapes, by
// docs/36-link.md, sections 3 and 5
// SPDX-License-Identifier: Apache-2.0
//
// Answer, session, errors and number, each byte of data and the number of them are free, and so is the time that the
// line takes for a byte. A reader at the line undoes the escapes, and keeps a CRC of its own.
//! files   link/tern_crc link/tern_link_send
//! solver  bits
//! bound   3
//! induct  1
//! reach   180
//! connect f_state=dut.state_q f_item=dut.item_q f_bit=dut.bit_q f_byte=dut.byte_q f_escaped=dut.escaped_q
//! connect f_progress=dut.progress_q f_crc=dut.u_crc.crc_q
//! mutant  escape_flag_only a_escape LINK_ESCAPE_FLAG_ONLY 44
//! mutant  crc_polynomial a_sum LINK_CRC_POLYNOMIAL 30
`default_nettype none

module formal_send (
  input wire       clk_i,
  input wire       start_i,
  input wire       progress_i,
  input wire       ready_i,
  input wire [6:0] answer_i,
  input wire [7:0] errors_i,
  input wire [7:0] value_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire       idle, progress, next, valid;
  wire [7:0] byte;
  (* anyconst *) reg [7:0] number, session;
  localparam [7:0] CAPS = 8'h19;

  // ---- who gives the content, as tern_link does: bytes left, and the byte, two cycles behind `next`; the answer is
  // any at any time
  reg  [7:0] f_count = 8'd5, f_left = 8'd5;    // f_left is right at once
  reg  [7:0] f_value = 8'd0, f_now = 8'd0;
  (* anyseq *) reg [7:0] f_data_count;
  wire       start  = start_i && idle && !f_reset;
  wire       ready  = ready_i;
  always @* assume (f_data_count >= 8'd5 && f_data_count <= 8'd253);
  always @(posedge clk_i) begin
    if (next) begin
      f_left <= f_left - 8'd1;
      f_now  <= value_i;
    end
    f_count <= f_left;
    f_value <= f_now;
    if (start) begin
      f_left  <= f_data_count;
      f_count <= f_data_count;
      f_now   <= value_i;
      f_value <= value_i;
    end
  end
  tern_link_send #(.CAPS(CAPS)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .start_i(start), .progress_i(progress_i), .idle_o(idle), .progress_o(progress),
    .answer_i(answer_i), .session_i(session), .number_i(number),
    .errors_i(errors_i), .count_i(f_count), .data_i(f_value), .data_next_o(next), .tx_valid_o(valid),
    .tx_ready_i(ready), .tx_data_o(byte)
  );
  wire [1:0]  f_state;     // connected: state_q
  wire [3:0]  f_item;      // item_q
  wire [2:0]  f_bit;       // bit_q
  wire [7:0]  f_byte;      // byte_q
  wire        f_escaped, f_progress;
  wire [31:0] f_crc;

  // ---- the reader at the line ---------------------------------------------------------------------------------------
  wire        taken = valid && ready;
  wire        flag  = taken && byte == 8'h7e;
  wire        mark  = taken && byte == 8'h7d;
  wire        data  = taken && !flag && !mark;
  reg         m_escape = 1'b0;                   // an escape was read
  wire [7:0]  value = m_escape ? byte ^ 8'h20 : byte;
  reg  [8:0]  m_at = 9'd0;                       // bytes since the flag
  reg  [7:0]  m_length = 8'd0;                   // as it should be
  reg         m_frame = 1'b0, m_progress = 1'b0; // between the first flag and the last
  reg         m_busy = 1'b0;
  reg  [31:0] m_crc = 32'hffffffff;
  reg  [7:0]  m_bits = 8'd0;
  reg  [3:0]  m_todo = 4'd0;
  wire        m_behind = m_at > {1'b0, m_length};  // the next byte is one of the CRC
  wire [31:0] m_sum = ~(m_crc >> {m_at[1:0] - m_length[1:0] - 2'd1, 3'd0}); // what is to come of it
  reg  [7:0]  m_answer = 8'd0, m_errors = 8'd0; // as they were when the byte was chosen
  always @(posedge clk_i) begin
    if (start) begin
      m_busy     <= 1'b1;
      m_progress <= progress_i;
      m_length   <= progress_i ? 8'd5 : f_data_count;
    end
    if (f_state == ST_LOAD) begin
      m_answer <= {1'b1, answer_i};
      m_errors <= errors_i;
    end
    if (flag) begin
      m_frame  <= !m_frame;
      m_at     <= 9'd0;
      m_crc    <= 32'hffffffff;
      m_todo   <= 4'd0;
      m_escape <= 1'b0;
      if (m_frame) m_busy <= 1'b0;
    end else if (mark) begin
      m_escape <= 1'b1;
    end else if (data) begin
      m_escape <= 1'b0;
      m_at     <= m_at + 9'd1;
      m_bits   <= value;
      if (!m_behind) m_todo <= 4'd8;
    end else if (m_todo != 4'd0) begin
      m_todo <= m_todo - 4'd1;
      m_bits <= m_bits >> 1;
      m_crc  <= (m_crc >> 1) ^ ((m_crc[0] ^ m_bits[0]) ? 32'hedb88320 : 32'd0);
    end
    if (f_reset) begin
      m_frame  <= 1'b0;
      m_busy   <= 1'b0;
      m_escape <= 1'b0;
      m_todo   <= 4'd0;
    end
  end

  wire       m_last = m_at == {1'b0, m_length} + 9'd5;
  reg        m_waits = 1'b0;                     // a byte is offered and not taken
  reg  [7:0] m_offered = 8'd0;
  reg  [3:0] f_quiet = 4'd0;                     // cycles within a reply without a byte
  always @(posedge clk_i) begin
    m_waits   <= valid && !ready && !f_reset;
    m_offered <= byte;
    f_quiet   <= (f_reset || idle || valid) ? 4'd0 : f_quiet + 4'd1;
  end
  always @* if (!f_reset) begin
    // 1. flags at the beginning and the end, nowhere else
    if (taken) a_flag: assert (flag == (!m_frame || (m_last && !m_escape)));
    if (taken) a_busy: assert (m_busy);
    // 2. what is between them: length, head, data in order, each byte once, all of them; CRC of what was before
    if (data && m_at == 9'd0) a_length: assert (value == m_length);
    if (data && m_at == 9'd1) a_answer: assert (value == m_answer);
    if (data && m_at == 9'd2) a_session: assert (value == session);
    if (data && m_at == 9'd3) a_number: assert (value == number);
    if (data && m_at == 9'd4) a_errors: assert (value == m_errors);
    if (data && m_at == 9'd5) a_caps: assert (value == CAPS);
    if (data && m_at >= 9'd6 && !m_behind) a_data: assert (value == f_now && next);
    if (next) a_next: assert (taken && m_at >= 9'd6 && !m_behind && !m_progress);
    if (flag && m_frame && !m_progress) a_all: assert (f_left == 8'd5);
    if (data && m_behind) a_crc: assert (value == m_sum[7:0]);
    // 3. what is escaped had to be
    if (data && m_escape) a_escape: assert (value == 8'h7e || value == 8'h7d);
    if (mark) a_mark: assert (m_frame && !m_escape);
    // 4. a byte stays until it is taken; it continues; a start is followed by a reply, and idle by its end
    if (m_waits) a_stays: assert (valid && byte == m_offered);
    a_goes_on: assert (f_quiet < 4'd10);
    if (m_busy) a_started: assert (!idle && progress == m_progress);
    if (idle) a_ended: assert (!m_busy && !m_frame);
  end

  // ---- registers ----------------------------------------------------------------------------------------------------
  localparam [1:0] ST_IDLE = 2'd0, ST_LOAD = 2'd1, ST_SEND = 2'd2, ST_CRC = 2'd3;
  wire       i_open = (f_state == ST_LOAD || f_state == ST_SEND);  // the item is not yet sent
  wire [8:0] i_at   = i_open ? m_at : m_at - 9'd1;                  // of the item
  wire       i_body = f_item >= 4'd1 && f_item <= 4'd7;
  wire       i_sums = f_item >= 4'd12;
  wire [7:0] i_rest = f_byte >> f_bit;
  always @* if (!f_reset) begin
    if (f_state == ST_IDLE) i_idle: assert (!m_busy && !m_frame && !m_escape && m_todo == 4'd0 && f_quiet <= 4'd8);
    if (f_state != ST_IDLE) begin
      i_item: assert (f_item <= 4'd8 || i_sums);
      i_progress: assert (f_progress == m_progress && m_length >= 8'd5 && m_length <= 8'd253 &&
          (!m_progress || m_length == 8'd5));
      i_busy: assert (m_busy == (i_open || f_item != 4'd8) &&
          m_frame == ((i_open && f_item != 4'd0) || (!i_open && f_item != 4'd8)));
      i_escape: assert (m_escape == (f_state == ST_SEND && f_escaped));
      if (m_escape) i_escaped: assert (f_byte == 8'h7e || f_byte == 8'h7d);
      if (f_item == 4'd0 || f_item == 4'd8) i_raw:
          assert (!m_escape && m_todo == 4'd0 && (f_state == ST_LOAD || f_byte == 8'h7e));
      if (f_item == 4'd0 && !i_open || f_item == 4'd8 && !i_open) i_flag:
          assert (m_at == 9'd0 && m_crc == 32'hffffffff);
      if (f_item == 4'd0 || i_body && f_item < 4'd7) i_left: assert (m_progress || f_left == m_length);
      if (f_item >= 4'd1 && f_item <= 4'd6) i_head: assert (i_at == {5'd0, f_item} - 9'd1);
      if (f_item == 4'd7) i_data: assert (!m_progress && i_at >= 9'd6 && i_at <= {1'b0, m_length} &&
          {1'b0, f_left} == {1'b0, m_length} + 9'd6 - m_at);
      if (i_sums) i_behind: assert (i_at == {1'b0, m_length} + 9'd1 + {7'd0, f_item[1:0]});
      if (f_item == 4'd8 && i_open) i_end: assert (m_at == {1'b0, m_length} + 9'd5);
      if (i_sums || f_item == 4'd8) i_all: assert (m_progress || f_left == 8'd5);
      if (f_state != ST_CRC || f_bit != 3'd0) i_count: assert (f_count == f_left && f_value == f_now);
      if (i_open) i_todo: assert (m_todo == 4'd0);
      if (!i_open && i_body) i_bits: assert (m_todo == 4'd8 - {1'b0, f_bit} && (m_bits & (8'hff >> f_bit)) == i_rest);
      if (!i_open && !i_body) i_no_bits: assert (m_todo == 4'd0);
      if (i_body) a_sum: assert (f_crc == m_crc);
      if (i_sums && i_open) i_shift: assert (f_crc == m_crc >> {f_item[1:0], 3'd0});
      if (i_sums && !i_open) i_shifts: assert (f_crc == m_crc >> ({f_item[1:0], 3'd0} + {2'd0, f_bit}));
      if (f_state == ST_SEND && i_sums) i_crc_byte: assert (f_byte == m_sum[7:0]);
      if (f_state == ST_SEND) begin
        if (f_item == 4'd1) i_byte_length: assert (f_byte == m_length);
        if (f_item == 4'd2) i_byte_answer: assert (f_byte == m_answer);
        if (f_item == 4'd3) i_byte_session: assert (f_byte == session);
        if (f_item == 4'd4) i_byte_number: assert (f_byte == number);
        if (f_item == 4'd5) i_byte_errors: assert (f_byte == m_errors);
        if (f_item == 4'd6) i_byte_caps: assert (f_byte == CAPS);
        if (f_item == 4'd7) i_byte_data: assert (f_byte == f_now);
      end
      i_quiet: assert (f_quiet <= ((f_state == ST_CRC) ? {1'b0, f_bit} : (f_state == ST_LOAD) ? 4'd8 : 4'd9));
    end
  end

  // a reply with data, and with escapes in its data and its CRC
  reg f_escape_data = 1'b0, f_escape_crc = 1'b0;
  always @(posedge clk_i) begin
    if (data && m_escape && next) f_escape_data <= 1'b1;
    if (data && m_escape && m_behind) f_escape_crc <= 1'b1;
  end
  always @* begin
    c_progress: cover (flag && m_frame && m_progress);
    c_data: cover (flag && m_frame && m_length == 8'd7 && f_escape_data && f_escape_crc);
  end
endmodule

`default_nettype wire
