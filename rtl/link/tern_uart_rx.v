// tern_uart_rx.v : receiver of asynchronous bytes, 8 data bits, no parity, 1 stop bit
// SPDX-License-Identifier: Apache-2.0
//
// Function  Takes the line as the majority of its last three samples, so that a pulse that touches only one of them is
//           not seen. Samples are one clock apart, or, if a bit has more than 16 clocks, a sixteenth to an eighth of a
//           bit. A byte begins with the falling edge of a start bit; each bit is taken in its middle, so of samples
//           around that. A line that stays 0 is one broken byte.
// C model   none; docs/36-link.md, section 2
// Latency   valid_o one sample and three clocks behind the middle of the stop bit
`default_nettype none

module tern_uart_rx #(
  // Clock in Hz, bits per second: see tern_uart_phase.
  parameter CLK_HZ = 12000000,
  parameter BAUD   = 115200
) (
  input  wire       clk_i,
  input  wire       rst_i,
  // line, idle 1; any phase to the clock
  input  wire       rx_i,
  // output
  output wire       valid_o,   // pulse: a byte has come
  output wire [7:0] data_o,    // stays until the next one
  output wire       broken_o   // with valid_o: there was no stop bit
);
  // Samples are 2^SKIP_W clocks apart.
  localparam RATIO_W = $clog2(CLK_HZ / BAUD);
  localparam SKIP_W  = (RATIO_W > 4) ? RATIO_W - 4 : 0;

  // Two registers bring the line into this clock. The marks are those of Vivado, Quartus, Synplify and Diamond: near
  // each other, and no shift register.
  (* ASYNC_REG = "TRUE", SHREG_EXTRACT = "NO", syn_preserve = 1, syn_srlstyle = "registers",
     altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *) reg sync_q, line_q;
  always @(posedge clk_i) begin
    sync_q <= rx_i;
    line_q <= sync_q;
  end

  wire sample;
  generate
    if (SKIP_W > 0) begin : g_skip
      reg [SKIP_W-1:0] skip_q;
      always @(posedge clk_i) skip_q <= rst_i ? {SKIP_W{1'b0}} : skip_q + 1'b1;
      assign sample = (skip_q == {SKIP_W{1'b0}});
    end else begin : g_every
      assign sample = 1'b1;
    end
  endgenerate

  // An edge of the line and the middle of a bit come through this late by the same time.
  reg  [1:0] past_q;     // samples before the present one
  reg        rx_q;
`ifdef TERN_TESTBUG_LINK_ONE_SAMPLE
  wire       vote = past_q[0];
  wire       unused_bug = &{1'b0, past_q[1]};
`else
  wire       vote = (line_q && past_q[0]) || (line_q && past_q[1]) || (past_q[0] && past_q[1]);
`endif
  always @(posedge clk_i)
    if (rst_i) begin
      past_q <= 2'b11;
      rx_q   <= 1'b1;
    end else if (sample) begin
      past_q <= {past_q[0], line_q};
      rx_q   <= vote;
    end

  reg       rx_q2, active_q, valid_q, broken_q;
  reg [3:0] bits_q;    // bits still to come behind the present one, the stop bit included
  reg [7:0] shift_q, data_q;
  wire      middle;
  wire      last  = middle && (bits_q == 4'd0);
  wire      noise = middle && (bits_q == 4'd9) && rx_q; // a start bit that is over before its middle
  tern_uart_phase #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_phase (.clk_i(clk_i), .hold_i(!active_q), .tick_o(middle));

  always @(posedge clk_i) begin
    rx_q2    <= rx_q;
    bits_q   <= !active_q ? 4'd9 : middle ? bits_q - 4'd1 : bits_q;
    if (middle) shift_q <= {rx_q, shift_q[7:1]};
    if (last) data_q <= shift_q;
    if (last) broken_q <= !rx_q;
    valid_q  <= last;
    active_q <= active_q ? !last && !noise : rx_q2 && !rx_q;
    if (rst_i) begin
      active_q <= 1'b0;
      valid_q  <= 1'b0;
    end
  end

  assign valid_o  = valid_q;
  assign data_o   = data_q;
  assign broken_o = broken_q;
endmodule

`default_nettype wire
