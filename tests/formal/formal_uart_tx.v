// formal_uart_tx.v : rules of tern_uart_tx, at 4 clocks a bit
// SPDX-License-Identifier: Apache-2.0
//
//! files   link/tern_uart_phase link/tern_uart_tx
//! bound   12
//! induct  2
//! reach   52
//! connect f_bits=dut.bits_q f_shift=dut.shift_q f_phase=dut.u_phase.phase_q
//! mutant  no_stop_bit a_not_cut LINK_NO_STOP_BIT 52
`default_nettype none

module formal_uart_tx (
  input wire       clk_i,
  input wire       valid_i,
  input wire [7:0] data_i
);
  reg       f_reset = 1'b1;
  always @(posedge clk_i) f_reset <= 1'b0;
  wire      ready, tx, tick;
  tern_uart_tx #(.CLK_HZ(4000), .BAUD(1000)) dut (
    .clk_i(clk_i), .rst_i(f_reset), .valid_i(valid_i), .ready_o(ready), .data_i(data_i), .tx_o(tx), .tick_o(tick)
  );
  wire [3:0] f_bits;  // connected: bits_q
  wire [7:0] f_shift; // connected: shift_q
  wire [9:0] f_phase; // connected: the phase

  // The frame that is on the line: start bit, data, stop bit; at which bit and clock of it we are.
  reg [9:0] f_frame = 10'h3ff;
  reg [3:0] f_at = 4'd10;  // 10: idle
  reg [1:0] f_clock = 2'd0;
  reg [7:0] f_last = 8'd0;
  always @(posedge clk_i)
    if (f_reset) begin
      f_at <= 4'd10;
    end else if (valid_i && ready) begin
      f_frame  <= {1'b1, data_i, 1'b0};
      f_at     <= 4'd0;
      f_clock  <= 2'd0;
      f_last   <= data_i;
    end else if (f_at != 4'd10) begin
      f_clock <= f_clock + 2'd1;
      if (f_clock == 2'd3) f_at <= f_at + 4'd1;
    end

  always @* if (!f_reset) begin
    // 1. the line is the bit that it should be, 1 between frames
    a_line: assert (tx == ((f_at == 4'd10) || f_frame[f_at]));
    // 2. a byte is taken at the end of a stop bit, or when idle: no frame is cut
    if (ready) a_not_cut: assert (f_at == 4'd10 || (f_at == 4'd9 && f_clock == 2'd3));
    // 3. state (which makes 1 and 2 inductive)
    i_fraction: assert (f_phase[7:0] == 8'd0);
    i_start: assert (f_at <= 4'd10 && f_frame[0] == 1'b0 || f_at == 4'd10);
    i_stop: assert (f_frame[9]);
    if (f_at < 4'd10) i_bits: assert (f_bits == 4'd9 - f_at);
    if (f_at == 4'd10) i_idle: assert (f_bits == 4'd0);
    if (f_at < 4'd10) i_phase: assert (f_phase[9:8] == f_clock);
    if (f_at < 4'd9) i_shift: assert (f_shift == ((8'hff << (4'd8 - f_at)) | (f_frame[8:1] >> f_at)));
  end
  // 4. it is ready at least once in 10 bits
  reg [5:0] f_waits = 6'd0;
  always @(posedge clk_i) f_waits <= (f_reset || ready) ? 6'd0 : f_waits + 6'd1;
  always @* if (!f_reset) begin
    a_ready: assert (f_waits < 6'd40);
    if (f_at < 4'd10) i_waits: assert (f_waits == {f_at, f_clock});
    if (f_at == 4'd10) i_idle_waits: assert (f_waits <= {4'd0, f_phase[9:8]});
  end

  // two bytes without a gap
  reg f_joined = 1'b0;
  always @(posedge clk_i) if (valid_i && ready && f_at == 4'd9) f_joined <= 1'b1;
  always @* c_joined: cover (f_joined && f_at == 4'd1 && f_last == 8'ha5);
endmodule

`default_nettype wire
