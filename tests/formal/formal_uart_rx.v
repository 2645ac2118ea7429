// formal_uart_rx.v : rules of tern_uart_rx, at 4 clocks a bit: every byte of a well-formed line is given once, with or without pauses between them
// SPDX-License-Identifier: Apache-2.0
//
//! files   link/tern_uart_phase link/tern_uart_rx
//! bound   12
//! induct  3
//! reach   68
//! connect f_active=dut.active_q f_sync=dut.sync_q f_rx=dut.rx_q f_rx2=dut.rx_q2 f_bits=dut.bits_q f_shift=dut.shift_q f_phase=dut.u_phase.phase_q
//! mutant  sample_edge a_when LINK_SAMPLE_EDGE 70
`default_nettype none

module formal_uart_rx (
  input wire       clk_i,
  input wire       begin_i,   // a byte may begin
  input wire [7:0] data_i
);
  // a reset of three clocks, in which the line is idle, reaches everything
  reg [1:0] f_age = 2'd0;
  wire      f_reset = (f_age != 2'd3);
  always @(posedge clk_i) if (f_reset) f_age <= f_age + 2'd1;

  // the sender: start bit, 8 data bits, stop bit, 4 clocks each
  reg       f_busy = 1'b0;
  reg [5:0] f_at = 6'd0;      // clock of the frame, 0..39
  reg [7:0] f_data = 8'd0;
  wire [9:0] f_frame = {1'b1, f_data, 1'b0};
  wire      f_last = f_busy && f_at == 6'd39;
  wire      line   = !f_busy || f_frame[f_at[5:2]];
  always @(posedge clk_i)
    if (f_reset) begin
      f_busy <= 1'b0;
      f_at   <= 6'd0;
    end else if (!f_busy || f_last) begin
      f_busy <= begin_i;
      f_at   <= 6'd0;
      if (begin_i) f_data <= data_i;
    end else begin
      f_at <= f_at + 6'd1;
    end

  wire       valid, broken;
  wire [7:0] data;
  tern_uart_rx #(.CLK_HZ(4000), .BAUD(1000)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(line), .valid_o(valid), .data_o(data), .broken_o(broken)
  );
  wire       f_active, f_sync, f_rx, f_rx2;  // connected: active_q, sync_q, rx_q, rx_q2
  wire [3:0] f_bits;                         // bits_q
  wire [7:0] f_shift;                        // shift_q
  wire [9:0] f_phase;                        // the phase

  // the line of 1, 2 and 3 clocks ago; idle in the reset
  reg       f_1 = 1'b1, f_2 = 1'b1, f_3 = 1'b1, f_ended = 1'b0;
  reg [7:0] f_sent = 8'd0;
  always @(posedge clk_i) begin
    f_1 <= line;
    f_2 <= f_1;
    f_3 <= f_2;
    f_ended <= f_last && !f_reset;
    f_sent  <= f_data;
  end

  wire [3:0] f_ticks = f_at[5:2];                 // middles of bits so far
  wire [7:0] f_got   = f_shift >> (4'd9 - f_ticks);
  wire [7:0] f_want  = f_data & ~(8'hff << (f_ticks - 4'd1));
  always @* if (!f_reset) begin
    // 1. a byte is given in the clock behind its stop bit, and only then; it is the one that was sent
    a_when: assert (valid == f_ended);
    if (valid) a_data: assert (data == f_sent && !broken);
    // 2. state (which makes 1 inductive)
    i_at: assert (f_at <= 6'd39);
    i_line: assert (f_sync == f_1 && f_rx == f_2 && f_rx2 == f_3);
    i_active: assert (f_active == (f_busy && f_at >= 6'd3));
    if (!f_active) i_bits_idle: assert (f_bits == 4'd9 || !f_busy || f_at < 6'd3);
    if (f_busy && f_at == 6'd3) i_bits_first: assert (f_bits == 4'd9);
    if (f_active) i_phase: assert (f_phase == {f_at[1:0], 8'd0});
    if (f_active) i_bits: assert (f_bits == 4'd9 - f_ticks);
    if (f_active && f_at >= 6'd8) i_got: assert (f_got == f_want);
    // the line of the last clocks, told from where the frame is
    if (f_busy) begin
      if (f_at == 6'd0) i_line0: assert (f_1 && f_2 && f_3);
      if (f_at == 6'd1) i_line1: assert (!f_1 && f_2 && f_3);
      if (f_at == 6'd2) i_line2: assert (!f_1 && !f_2 && f_3);
      if (f_at >= 6'd1) i_back1: assert (f_1 == f_frame[(f_at - 6'd1) >> 2]);
      if (f_at >= 6'd2) i_back2: assert (f_2 == f_frame[(f_at - 6'd2) >> 2]);
      if (f_at >= 6'd3) i_back3: assert (f_3 == f_frame[(f_at - 6'd3) >> 2]);
    end else i_idle: assert (f_1 && f_2 && f_3);
    if (f_ended) i_ended: assert (!f_busy || f_at == 6'd0);
    i_ended_idle: assert (!f_ended || !f_active);
  end else begin
    i_reset: assert (!f_busy && f_at == 6'd0 && f_1 && f_2 && f_3 && !f_ended);
    if (f_age >= 2'd1) i_reset1: assert (f_sync && !f_active && !valid);
    if (f_age >= 2'd2) i_reset2: assert (f_rx);
  end

  reg [1:0] f_bytes = 2'd0;
  always @(posedge clk_i) if (valid && f_bytes != 2'd3) f_bytes <= f_bytes + 2'd1;
  reg f_joined = 1'b0;
  always @(posedge clk_i) if (f_last && begin_i) f_joined <= 1'b1;
  always @* begin
    c_joined: cover (f_bytes == 2'd1 && f_joined && f_at == 6'd20); // in the middle of a second one without a pause
    c_flag: cover (valid && data == 8'h7e);
  end
endmodule

`default_nettype wire
