// formal_axis_in.v : rules of tern_axis_in
// SPDX-License-Identifier: Apache-2.0
//
// 4 units in 2 groups of 2, a frame of 2 words. The sender keeps to AXI-Stream; everything else is free, but settings
// change only while it is off. f_map is the map inside.
//! files   mem/tern_ram bridge/tern_axis_in
//! solver  bits
//! bound   12
//! induct  2
//! reach   30
//! script  memory_collect
//! script  memory_map
//! connect f_state=dut.state_q f_word=dut.word_q f_read=dut.map_rdata f_frame_read=dut.frame_rdata f_step=dut.step_q
//! connect f_lane=dut.lane_q f_inside=dut.inside_q
//! connect f_map[1:0]=dut.u_map.g_slice[0].g_part[0].mem[0] f_map[3:2]=dut.u_map.g_slice[0].g_part[0].mem[1]
//! connect f_mem[1:0]=dut.u_frame.g_slice[0].g_part[0].mem[0] f_mem[3:2]=dut.u_frame.g_slice[0].g_part[0].mem[1]
//! mutant  frame_kept a_frame BUS_AXIS_FRAME_KEPT 20
//! mutant  ready_while_full a_full BUS_AXIS_READY_WHILE_FULL 12
`default_nettype none

module formal_axis_in (
  input wire        clk_i,
  input wire        enable_i,
  input wire [1:0]  words_i,
  input wire        map_we_i,
  input wire        map_waddr_i,
  input wire [1:0]  map_wdata_i,
  input wire [2:0]  unit_i,
  input wire        none_i,
  input wire        step_i,
  input wire        valid_i,
  input wire        last_i,
  input wire        go_i,
  input wire        host_ready_i
);
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        ready, host_valid, done, last, off, ignored;
  wire [15:0] host_word;
  wire [31:0] host_wdata;
  tern_axis_in #(.LANES(2), .GROUPS(2), .FRAME_WORDS(2)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .enable_i(enable_i), .words_i(words_i), .map_we_i(map_we_i),
    .map_waddr_i(map_waddr_i), .map_wdata_i(map_wdata_i),
    .s_axis_tdata({step_i, none_i, 8'd0, unit_i[2], 18'd0, unit_i}), .s_axis_tvalid(valid_i), .s_axis_tready(ready),
    .s_axis_tlast(last_i), .go_i(go_i), .host_valid_o(host_valid),
    .host_ready_i(host_ready_i), .host_word_o(host_word), .host_wdata_o(host_wdata), .done_o(done), .last_o(last),
    .off_o(off), .ignored_o(ignored)
  );

  // ---- the sender keeps a beat until it is taken; settings change while off and not enabled; at most all words ------
  reg       m_valid = 1'b0;
  reg [6:0] m_beat;
  reg [1:0] m_words;
  always @(posedge clk_i) begin
    m_valid <= valid_i && !ready && !f_reset;
    m_beat  <= {unit_i, none_i, step_i, last_i, 1'b0};
    m_words <= words_i;
  end
  always @* begin
    assume (words_i <= 2'd2);
    if (m_valid) assume (valid_i && {unit_i, none_i, step_i, last_i, 1'b0} == m_beat);
    if (!off || enable_i) assume (!map_we_i && words_i == m_words);
  end

  // ---- a frame that cannot be wrong ---------------------------------------------------------------------------------
  wire       take = valid_i && ready && !f_reset;
  wire [3:0] f_map;                                      // connected: {there is a word, word} of group 1, of group 0
  wire [1:0] f_entry = unit_i[1] ? f_map[3:2] : f_map[1:0];
  wire       f_known = !unit_i[2] && f_entry[1] && ({1'b0, f_entry[0]} < words_i); // numbers of 4 and above are outside
  wire       f_wrote = host_valid && host_ready_i && !f_reset;
  wire [3:0] f_set   = (take && !none_i && f_known) ? 4'd1 << {f_entry[0], unit_i[0]} : 4'd0;
  reg  [3:0] m_frame = 4'd0;                             // two words of two bits
  reg        m_ended = 1'b0, m_last;                     // a step has ended and is not written yet
  wire       m_full = m_ended && !off;
  reg  [1:0] m_next = 2'd0;                              // word that is written next
  reg        m_bad = 1'b0, m_bad2 = 1'b0;
  reg  [2:0] m_waits = 3'd0;
  always @(posedge clk_i) begin
    m_frame <= (f_reset || off) ? 4'd0 : (m_frame | f_set) & ~(f_wrote ? 4'd3 << {host_word[0], 1'b0} : 4'd0);
    m_ended <= !f_reset && ((take && (step_i || last_i)) || (m_full && !done));
    if (take) m_last <= last_i;
    m_next  <= (f_reset || off || done || take) ? 2'd0 : m_next + {1'b0, f_wrote};
    m_bad   <= take && !none_i && !f_known;
    m_waits <= (f_reset || !enable_i || !valid_i || ready || m_full) ? 3'd0 : m_waits + 3'd1;
  end
  always @* if (!f_reset) begin
    // 1. nothing is taken between the end of a step and its last word
    if (m_full) a_full: assert (!ready);
    // 2. the words of a frame are written once each, in order, with the bits of all units that came since the last
    // frame, and no others; then it is done
    if (host_valid) a_frame: assert (m_full && host_word == {14'd0, m_next} && m_next < words_i &&
        host_wdata == {30'd0, m_next[0] ? m_frame[3:2] : m_frame[1:0]});
    if (done) a_done: assert (m_full && m_next == words_i && last == m_last);
    if (done) a_empty: assert (m_frame == 4'd0);
    // 3. what is not known is reported, once, in the next cycle; nothing else is
    a_ignored: assert (ignored == m_bad);
    // 4. a beat is taken within 4 cycles while no frame waits
    a_soon: assert (m_waits < 3'd5);
  end

  // ---- inside -------------------------------------------------------------------------------------------------------
  wire [2:0] f_state;   // 0 off, 1 clear, 2 gather, 3 map, 4 set, 5 full, 6 read, 7 write
  wire [1:0] f_word, f_read, f_frame_read;
  wire [3:0] f_mem;
  wire       f_step, f_inside;
  wire [4:0] f_lane;
  wire [3:0] f_late = ((f_state == 3'd3 && f_inside && f_read[1] && {1'b0, f_read[0]} < words_i) || f_state == 3'd4) ?
      4'd1 << {f_read[0], f_lane[0]} : 4'd0;
  always @* if (!f_reset) begin
    i_full: assert (m_full == (f_state >= 3'd5 || ((f_state == 3'd3 || f_state == 3'd4) && f_step)));
    i_memory: assert (f_state < 3'd2 || (f_mem | f_late) == m_frame);
    i_clear: assert (f_state != 3'd1 || m_frame == 4'd0);
    i_cleared: assert (f_state != 3'd1 || (f_word <= 2'd1 && (f_word != 2'd1 || f_mem[1:0] == 2'd0)));
    i_start: assert (f_state != 3'd0 || off);
    i_words: assert (words_i == m_words || off);
    i_range: assert (f_state < 3'd6 || f_word <= words_i);
    i_at: assert ((f_state != 3'd6 && f_state != 3'd7) || f_word == m_next);
    i_write: assert (f_state != 3'd7 || (f_word < words_i && f_frame_read == (f_word[0] ? f_mem[3:2] : f_mem[1:0])));
    i_none: assert (f_state == 3'd6 || f_state == 3'd7 || m_next == 2'd0);
    i_word: assert (!(f_state >= 3'd3 && f_state <= 3'd5) || f_word == 2'd0);
    i_written: assert (f_state < 3'd6 || ((f_word == 2'd0 || f_mem[1:0] == 2'd0) && (f_word != 2'd2 || f_mem == 4'd0)));
    i_above: assert (f_state < 3'd2 || ((words_i > 2'd0 || m_frame[1:0] == 2'd0) &&
        (words_i > 2'd1 || m_frame[3:2] == 2'd0)));
    i_bad: assert (m_bad == (f_state == 3'd3 && !(f_inside && f_read[1] && {1'b0, f_read[0]} < words_i)));
    i_set: assert (f_state != 3'd4 || (f_read[1] && {1'b0, f_read[0]} < words_i &&
        f_frame_read == (f_read[0] ? f_mem[3:2] : f_mem[1:0])));
    i_lane: assert (f_lane < 5'd2 || f_state < 3'd3);
    i_last: assert (!m_full || f_state < 3'd3 || last == m_last);
    i_waits: assert (m_waits <= (f_state == 3'd1 ? {1'b0, f_word} + 3'd1 : f_state == 3'd2 ? 3'd4 : 3'd2));
  end

  reg f_two = 1'b0, f_again = 1'b0;
  always @(posedge clk_i) begin
    if (f_wrote && host_word == 16'd1 && host_wdata == 32'd3) f_two <= 1'b1;   // two units in one word
    if (f_two && done) f_again <= 1'b1;
  end
  always @* begin
    c_frames: cover (f_again && done && m_last && m_next == 2'd2);
    c_off: cover (f_again && off);
    c_ignored: cover (f_two && ignored);
  end
endmodule

`default_nettype wire
