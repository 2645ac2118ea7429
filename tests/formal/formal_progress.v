// formal_progress.v : while a frame waits for the core, tern_link sends PROGRESS every 2,047 bit times
// (docs/36-link.md, section 6)
// SPDX-License-Identifier: Apache-2.0
//
// Frames, core, line and times are free, as in formal_link.v. A PROGRESS reply is sent within 1,000 bit times
// (formal_send.v: it has 9 bytes, of which each may be escaped).
// The counter of bit times is a shift register: that it shifts as it should is a rule here, that it then takes 2,046
// bit times from 1 to its last state is what formal_turn.v shows.
//! files   free_link link/tern_uart_rx link/tern_uart_tx link/tern_uart_phase link/tern_crc link/tern_link_receive
//! files   link/tern_link
//! cut     tern_uart_rx tern_uart_tx tern_link_receive
//! solver  bits
//! bound   8
//! induct  1
//! reach   24
//! connect f_stalled=dut.stalled f_alive=dut.alive_q f_tick=dut.tick f_start=dut.u_send.start_i
//! connect f_progress=dut.u_send.progress_i f_idle=dut.u_send.idle_o f_state=dut.state_q
//! mutant  skips a_shifts LINK_ALIVE_SKIPS 40
`default_nettype none

module formal_progress (
  input wire        clk_i,
  input wire        ready_i,
  input wire        rvalid_i,
  input wire [31:0] rdata_i,
  input wire        busy_i
);
  localparam [3:0] ST_WAIT = 4'd11;
  localparam LAST = 2046;
  reg f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire        host_valid, host_write, core_rst, open;
  wire [31:0] host_addr, host_wdata;
  tern_link dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(1'b1), .tx_o(), .host_valid_o(host_valid), .host_ready_i(ready_i),
    .host_write_o(host_write), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_rvalid_i(rvalid_i), .host_rdata_i(rdata_i), .busy_i(busy_i), .core_rst_o(core_rst),
    .open_o(open)
  );
  wire        f_stalled, f_tick, f_start, f_progress, f_idle;
  wire [10:0] f_alive;
  wire [3:0]  f_state;

  reg  [10:0] m_alive = 11'd1;   // as it shifts
  reg  [10:0] m_n = 11'd0;       // bit times that the frame has waited, from 0 again behind LAST
  reg  [11:0] m_since = 12'd0;   // bit times that it has waited since the last PROGRESS
  reg  [10:0] m_sending = 11'd0; // bit times that the current reply takes
  wire        waits = (host_valid && !ready_i) || f_state == ST_WAIT;
  always @(posedge clk_i) begin
    m_n       <= (f_reset || !f_stalled) ? 11'd0 : !f_tick ? m_n : (m_n == LAST) ? 11'd0 : m_n + 11'd1;
    m_since   <= f_reset ? 12'd0 : (!f_stalled || f_start) ? {11'd0, f_stalled && f_tick} : m_since + {11'd0, f_tick};
    m_alive   <= (f_reset || !f_stalled) ? 11'd1 : !f_tick ? m_alive : {m_alive[9:0], m_alive[10] ^ m_alive[8]};
    m_sending <= f_reset ? 11'd0 : f_idle ? {10'd0, f_start && f_tick} : m_sending + {10'd0, f_tick};
  end
  always @* begin
    if (!f_idle) assume (m_sending < 11'd1000);
    assume ((m_alive == 11'h400) == (m_n == LAST)); // formal_turn.v
  end
  always @* if (!f_reset) begin
    // 1. never does a frame wait longer than 2,047 bit times for the next PROGRESS
    a_in_time: assert (m_since <= 12'd2047);
    if (f_stalled) a_shifts: assert (f_alive == m_alive);
    // 2. PROGRESS is sent only while a frame waits
    if (f_start && f_progress) a_waits: assert (waits);
    a_stalled: assert (f_stalled == waits);
    // registers
    i_n: assert (m_n <= LAST && m_since <= {1'b0, m_n} + 12'd1);
    if (f_stalled && m_n == LAST && !f_idle) i_last: assert (m_since == 12'd0);
    if (!f_idle && f_stalled) i_sending: assert (m_sending >= m_n || (m_n == LAST && m_sending == 11'd0));
  end
  always @* if (!f_reset) begin
    c_waits: cover (f_stalled && m_n == 11'd3 && f_idle);
  end
  wire unused = &{1'b0, host_write, host_addr, host_wdata, core_rst, open};
endmodule

`default_nettype wire
