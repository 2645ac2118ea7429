// formal_uart_rx.v : rules of tern_uart_rx, at 4 clocks a bit: every byte of a well-formed line is given once, with or
// without pauses between them, and with pulses of one clock in its data bits
// SPDX-License-Identifier: Apache-2.0
//
//! files   link/tern_uart_phase link/tern_uart_rx
//! solver  bits
//! bound   14
//! induct  9
//! reach   72
//! connect f_active=dut.active_q f_rx=dut.rx_q f_rx2=dut.rx_q2 f_bits=dut.bits_q f_shift=dut.shift_q
//! connect f_phase=dut.u_phase.phase_q
//! mutant  sample_edge a_when LINK_SAMPLE_EDGE 70
//! mutant  one_sample a_data LINK_ONE_SAMPLE 60
`default_nettype none

module formal_uart_rx (
  input wire       clk_i,
  input wire       begin_i,   // a byte may begin
  input wire       noise_i,   // the line may be wrong in this clock
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

  // pulses of one clock, 4 clocks apart or more, anywhere in the data bits
  reg [2:0] f_pulses = 3'd0;   // in the last three clocks
  wire      f_pulse = noise_i && f_busy && f_at >= 6'd4 && f_at < 6'd36 && f_pulses == 3'd0;
  wire      line    = (!f_busy || f_frame[f_at[5:2]]) ^ f_pulse;
  always @(posedge clk_i) f_pulses <= {f_pulses[1:0], f_pulse && !f_reset};

  wire       valid, broken;
  wire [7:0] data;
  tern_uart_rx #(.CLK_HZ(4000), .BAUD(1000)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .rx_i(line), .valid_o(valid), .data_o(data), .broken_o(broken)
  );
  wire       f_active, f_rx, f_rx2;  // connected: active_q, rx_q, rx_q2
  wire [3:0] f_bits;                 // bits_q
  wire [7:0] f_shift;                // shift_q
  wire [9:0] f_phase;                // the phase

  // the line of 1 to 6 clocks ago, [0] is one; idle in the reset
  reg [5:0] f_past = 6'h3f;
  // the sender of two clocks ago, which the vote comes late by
  reg       f_busy_1 = 1'b0, f_busy_2 = 1'b0, f_last_1 = 1'b0, f_last_2 = 1'b0, f_ended = 1'b0;
  reg [5:0] f_at_1 = 6'd0, f_at_2 = 6'd0;
  reg [7:0] f_data_1 = 8'd0, f_data_2 = 8'd0, f_sent = 8'd0;
  always @(posedge clk_i) begin
    f_past   <= f_reset ? 6'h3f : {f_past[4:0], line};
    f_busy_1 <= f_busy && !f_reset;
    f_busy_2 <= f_busy_1 && !f_reset;
    f_last_1 <= f_last && !f_reset;
    f_last_2 <= f_last_1 && !f_reset;
    f_ended  <= f_last_2 && !f_reset;
    f_at_1   <= f_reset ? 6'd0 : f_at;
    f_at_2   <= f_reset ? 6'd0 : f_at_1;
    f_data_1 <= f_data;
    f_data_2 <= f_data_1;
    f_sent   <= f_data_2;
  end
  function vote;
    input [2:0] f_three;
    vote = (f_three[0] && f_three[1]) || (f_three[0] && f_three[2]) || (f_three[1] && f_three[2]);
  endfunction

  wire [3:0] f_ticks = f_at_2[5:2];               // middles of bits so far
  wire [7:0] f_got   = f_shift >> (4'd9 - f_ticks);
  wire [7:0] f_want  = f_data_2 & ~(8'hff << (f_ticks - 4'd1));
  always @* if (!f_reset) begin
    // 1. a byte is given three clocks behind its stop bit, and only then
    a_when: assert (valid == f_ended);
    // 2. it is the one that was sent
    if (valid) a_data: assert (data == f_sent && !broken);
    // 3. state (which makes 1 and 2 inductive)
    i_at: assert (f_at <= 6'd39);
    i_line: assert (f_rx == vote(f_past[4:2]) && f_rx2 == vote(f_past[5:3]));
    i_active: assert (f_active == (f_busy_2 && f_at_2 >= 6'd3));
    if (!f_active) i_bits_idle: assert (f_bits == 4'd9 || !f_busy_2 || f_at_2 < 6'd3);
    if (f_busy_2 && f_at_2 == 6'd3) i_bits_first: assert (f_bits == 4'd9);
    if (f_active) i_phase: assert (f_phase == {f_at_2[1:0], 8'd0});
    if (f_active) i_bits: assert (f_bits == 4'd9 - f_ticks);
    if (f_active && f_at_2 >= 6'd8) i_got: assert (f_got == f_want);
    if (!f_busy && !f_busy_1 && !f_busy_2) i_idle: assert (f_past[1:0] == 2'b11);
    i_ended_idle: assert (!f_ended || !f_active);
  end else begin
    i_reset: assert (!f_busy && f_at == 6'd0 && f_past == 6'h3f && !f_busy_1 && !f_busy_2 && !f_last_1 && !f_last_2
                     && !f_ended && f_pulses == 3'd0);
    if (f_age >= 2'd1) i_reset1: assert (f_rx && !f_active && !valid);
    if (f_age >= 2'd2) i_reset2: assert (f_rx2);
  end

  reg [1:0] f_bytes = 2'd0;
  always @(posedge clk_i) if (valid && f_bytes != 2'd3) f_bytes <= f_bytes + 2'd1;
  reg f_joined = 1'b0, f_noisy = 1'b0;
  always @(posedge clk_i) if (f_last && begin_i) f_joined <= 1'b1;
  always @(posedge clk_i) if (f_pulse) f_noisy <= 1'b1;
  always @* begin
    c_joined: cover (f_bytes == 2'd1 && f_joined && f_at == 6'd20); // in the middle of a second one without a pause
    c_flag: cover (valid && data == 8'h7e);
    c_noise: cover (valid && f_noisy);
  end
endmodule

`default_nettype wire
