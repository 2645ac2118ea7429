// formal_receive.v : rules of tern_link_receive: what is committed is a whole frame with the right CRC, whatever comes
// SPDX-License-Identifier: Apache-2.0
//
// Bytes come with the pause that the module asks for, otherwise in any way: broken, escaped, cut off. The queue may be
// full at any time.
//! files   link/tern_crc link/tern_link_receive
//! solver  bits
//! bound   3
//! induct  2
//! reach   26
//! connect f_begun=dut.begun_q f_bad=dut.bad_q f_second=dut.second_q f_is_reset=dut.reset_q f_left=dut.left_q
//! connect f_escape=dut.escape_q f_bit=dut.bit_q f_byte=dut.byte_q f_crc=dut.u_crc.crc_q
//! mutant  escape_kept a_bad LINK_ESCAPE_KEPT 30
`default_nettype none

module formal_receive (
  input wire       clk_i,
  input wire       valid_i,
  input wire [7:0] data_i,
  input wire       broken_i,
  input wire       full_i
);
  reg  f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire wr_valid, commit, rollback, bad, reset;
  wire [7:0] wr_data;
  // at least 10 cycles from byte to byte
  reg  [3:0] f_pause = 4'd0;
  always @(posedge clk_i) f_pause <= valid ? 4'd9 : (f_pause != 4'd0) ? f_pause - 4'd1 : 4'd0;
  wire valid = valid_i && !f_reset && f_pause == 4'd0;
  tern_link_receive dut (
    .clk_i(clk_i), .rst_i(f_reset), .valid_i(valid), .data_i(data_i), .broken_i(broken_i),
    .wr_valid_o(wr_valid), .wr_data_o(wr_data), .commit_o(commit), .rollback_o(rollback), .full_i(full_i), .bad_o(bad),
    .reset_o(reset)
  );
  wire        f_begun, f_bad, f_second, f_is_reset, f_escape; // connected: begun_q, bad_q, second_q, reset_q, escape_q
  wire [8:0]  f_left;                                         // left_q
  wire [3:0]  f_bit;                                          // bit_q
  wire [7:0]  f_byte;                                         // byte_q
  wire [31:0] f_crc;                                          // crc

  // ---- what stands between two flags, by docs/36-link.md, section 3 -------------------------------------------------
  wire       flag  = valid && !broken_i && data_i == 8'h7e;
  reg        m_escaped = 1'b0;                             // the byte before was an escape
  wire       mark  = valid && !broken_i && data_i == 8'h7d && !m_escaped;
  wire       data  = valid && !flag && !mark;
  wire [7:0] value = m_escaped ? data_i ^ 8'h20 : data_i;
  reg  [8:0] m_count = 9'd0;                               // bytes, up to 262
  reg  [7:0] m_length = 8'd0;
  reg        m_broken = 1'b0, m_lost = 1'b0;
  reg [31:0] m_crc = 32'hffffffff;                         // CRC-32, a bit per cycle, lowest first
  reg  [7:0] m_bits = 8'd0;                                // to be taken into it
  reg  [3:0] m_todo = 4'd0;
  always @(posedge clk_i)
    if (f_reset || flag) begin
      m_todo    <= 4'd0;
      m_escaped <= 1'b0;
      m_count   <= 9'd0;
      m_broken  <= 1'b0;
      m_lost    <= 1'b0;
      m_crc     <= 32'hffffffff;
    end else if (mark) begin
      m_escaped <= 1'b1;
    end else if (data) begin
      m_escaped <= 1'b0;
      m_count   <= (m_count == 9'd262) ? 9'd262 : m_count + 9'd1;
      m_bits    <= value;
      m_todo    <= 4'd8;
      if (m_count == 9'd0) m_length <= value;
      if (broken_i) m_broken <= 1'b1;
      if (wr_valid && full_i) m_lost <= 1'b1;
    end else if (m_todo != 4'd0) begin
      m_todo <= m_todo - 4'd1;
      m_bits <= m_bits >> 1;
      m_crc  <= (m_crc >> 1) ^ ((m_crc[0] ^ m_bits[0]) ? 32'hedb88320 : 32'd0);
    end
  // a good frame: neither a broken byte nor an escape at its end, exactly length + 5 bytes, the right CRC, room for all
  // of it
  wire m_sized = (m_count == {1'b0, m_length} + 9'd5);
  wire m_good  = m_count != 9'd0 && !m_broken && !m_escaped && m_sized && m_crc == 32'hdebb20e3 && !m_lost;

  // ---- what the queue has been given since the last commit or rollback: number of words, and the first two. A write
  // while full is not stored -
  reg [8:0] f_n = 9'd0;
  reg [7:0] f_first = 8'd0, f_command = 8'd0;
  always @(posedge clk_i)
    if (f_reset || commit || rollback) begin
      f_n <= 9'd0;
    end else if (wr_valid && !full_i) begin
      f_n <= (f_n == 9'd511) ? 9'd511 : f_n + 9'd1;
      if (f_n == 9'd0) f_first <= wr_data;
      if (f_n == 9'd1) f_command <= wr_data;
    end

  wire m_inside = m_count != 9'd0 && !m_broken && !m_lost && m_count <= {1'b0, m_length} + 9'd5;
  always @* if (!f_reset) begin
    // 1. a frame is committed exactly if it is good
    if (commit) begin
      a_crc: assert (m_crc == 32'hdebb20e3);
      a_size: assert (m_sized && m_count != 9'd0);
      a_unbroken: assert (!m_broken && !m_escaped);
      // 2. the queue then has its length byte and as many bytes as it says
      a_whole: assert (!m_lost && f_n == {1'b0, f_first} + 9'd1);
    end
    if (flag && m_good) a_commits: assert (commit);
    // 3. every flag commits or rolls back, nothing else does, and never both or together with a write
    a_flag: assert ((commit || rollback) == flag);
    a_apart: assert (!(commit && rollback) && !((commit || rollback) && wr_valid));
    // 4. bytes are stored without their escapes, and only those of length and body
    if (wr_valid) a_escape: assert (data && wr_data == value);
    if (wr_valid) a_inside: assert (m_count == 9'd0 || m_broken || m_lost || m_count <= {1'b0, m_length} ||
        m_count > {1'b0, m_length} + 9'd5);
    // 5. RESET is reported exactly for a committed frame with this command
    if (reset) a_reset: assert (commit && (f_first == 8'd0 || f_command == 8'h04));
    if (commit && f_first != 8'd0 && f_command == 8'h04) a_told: assert (reset);
    // 6. a frame is refused only if there was something of one
    if (bad) a_bad: assert (rollback && (m_count != 9'd0 || m_escaped));
    // state, which makes the others inductive
    i_escape: assert (f_escape == m_escaped);
    i_begun: assert (f_begun == (m_count != 9'd0));
    i_second: assert (!f_second || f_begun);
    i_bit: assert (f_bit <= 4'd8 && m_todo <= f_pause);
    i_todo: assert (m_todo == 4'd8 - f_bit);
    i_crc: assert (m_crc == f_crc);
    if (m_todo != 4'd0) i_bits: assert (m_bits == f_byte >> f_bit[2:0]);
    if (m_lost || m_broken) i_bad: assert (f_bad);
    if (!f_begun) i_empty: assert (f_n == 9'd0 && !f_bad && !f_second && !f_is_reset && !m_broken && !m_lost);
    i_full: assert (m_count <= 9'd262);
    if (f_begun && !f_bad) begin
      i_first: assert (f_first == m_length);
      i_count: assert (m_count >= 9'd1 && m_count <= {1'b0, m_length} + 9'd5);
      i_left: assert (f_left == {1'b0, m_length} - (m_count - 9'd1));
      i_n: assert (f_n == (f_left[8] ? {1'b0, m_length} + 9'd1 : m_count));
      i_is_second: assert (f_second == (m_count == 9'd1));
      if (f_n >= 9'd2) i_is_reset: assert (f_is_reset == (f_command == 8'h04));
    end
    if (f_begun && f_bad) i_why: assert (m_broken || m_lost || m_count > {1'b0, m_length} + 9'd5);
    if (m_count != 9'd0 && !f_bad) i_inside: assert (m_inside);
  end

  always @* begin
    c_full: cover (rollback && m_lost);
    c_broken: cover (bad && m_broken && m_count == 9'd2);
  end
endmodule

`default_nettype wire
